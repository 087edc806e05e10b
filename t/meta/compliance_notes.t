# What a note or a reason of the compliance rules says in words, the answer says as
# well: an article that is told to be prohibited is prohibited, one that is told to
# have an age has it, what is not sold at a distance is not, and a parent whose
# consent is told of is in the rule.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use Verify::Law qw(law_files law_places each_rule law_holds law_answer law_day);

my $files = law_files("$FindBin::Bin/../../conf/compliance");
my $day = law_day($files);

# How notes call the articles of a product.
my $drink = {beer => qr/beer/i, wine => qr/wine/i, spirits => qr/spirits|liquor/i};
my $game = {
  lottery => qr/(?<!video\ )lotter(?:y|ies)(?:\ tickets)?(?!\ terminal)/xi,
  betting => qr/(?<!in-play\ )(?<!mutuel\ )(?:sports\ )?\b(?:betting(?:\ shops)?|wagering|bets)/xi,
  casino => qr/(?:online\ )?casinos?(?:\ games)?/xi,
};
my %words = (
  alcohol_delivery => $drink, alcohol_in_person => $drink,
  gambling_online => $game, gambling_in_person => $game,
  tobacco_nicotine => {cigarette => qr/(?<!e-)(?<!electronic\ )cigarettes|tobacco/xi,
    vape => qr/vapes?|(?:electronic\ |e-)cigarettes/xi},
  firearms => {handgun => qr/handguns?|pistols/i,
    long_gun => qr/long\ guns|rifles(?:\ and\ shotguns)?/xi},
);

# What a clause claims about ARTICLE, which it calls WORD: [article, what].
# A clause about some of the sellers or buyers claims nothing about the rest.
sub claims_of_article {
  my ($clause, $article, $word) = @_;
  return [$article, 'prohibited']
    if $clause =~ /\bno\ (?:\w+\ )?(?:$word)(?!\ under)\b/xi
    || $clause =~ /\b(?:$word)(?:\ and\ [\w\ -]+)?\ (?:are|is|were|stayed|have\ been)\ (?:
      prohibited|banned|frozen|forbidden|illegal|not\ (?:licensed|permitted|sold))/xi
    || $clause =~ /\bno\ licen[cs]e\ for\ (?:$word)/xi
    || $clause =~ /\b(?:transfers?|sales?)\ of\ (?:$word)\ (?:are|is)\ (?:frozen|prohibited)/xi;
  return () if $clause =~ /\b(?:some|several|certain|single|local|report|citizens)\b/i;
  return [$article, $1] if $clause =~ /\b(?:$word)(?:,?\ (?:and\ )?[\w-]+){0,4}\ from\ (\d\d)\b/xi;
  return [$article, $1] if $clause =~ /\b(\d\d)\ for\ (?:\w+\ and\ )?(?:$word)\b/xi;
  return ();
}
# "Lottery only" leaves no casinos and no bets, "bets only" no casinos.
sub claims_of_the_rest {
  my ($clause) = @_;
  return map { [$_, 'prohibited'] } qw(casino betting)
    if $clause =~ /^(?:state\ )?lotter(?:y|ies)\ only\b/xi
    || $clause =~ /\bonly\ (?:state\ )?lotter(?:y|ies)\b(?!\ and)/xi;
  return ['casino', 'prohibited']
    if $clause =~ /\b(?:bets|betting|wagering)\b[^,]*\bonly\b/xi;
  return ();
}
my $at_a_distance = qr/\b(?:distance|online|mail|internet|remote)\b/i;
my $not_sold = qr/\b(?:not\ sold|no\ sale|prohibited|forbidden|banned)\b/xi;
sub claims {
  my ($product, $text) = @_;
  my $articles = $words{$product} // {};
  my @claims;
  for my $clause (split /[.;:]\s*/, $text) {
    # What was, will be or may be is no claim about today.
    next if $clause =~ /\b(?:would|bill|planned|considered|until|before|was|from\ \d+\ \w+)\b/xi;
    if ($product eq 'tobacco_nicotine' && $clause =~ $at_a_distance) {
      push @claims, ['remote', 'prohibited'] if $clause =~ $not_sold;
      next;
    }
    push @claims, ['adult_use', 'prohibited']
      if $product =~ /cannabis/ && $clause =~ /\b(?:patients|prescription)\ only\b/xi;
    push @claims, map { claims_of_article($clause, $_, $articles->{$_}) } sort keys %$articles;
    push @claims, claims_of_the_rest($clause) if $product =~ /gambling/;
  }
  return @claims;
}
# The claims of TEXT that the answers for PLACE and PRODUCT contradict.
sub contradictions {
  my ($law, $place, $product, $text) = @_;
  return grep { defined } map {
    my ($article, $claim) = @$_;
    my $answer = $article eq 'remote' ? law_answer($law, $place, $product, undef, 'remote')
      : law_answer($law, $place, $product, $article);
    my $prohibited = ref $answer->{prohibited} && $answer->{prohibited};
    my $fits = $claim eq 'prohibited' ? $prohibited
      : !$prohibited && ($answer->{minimum_age} // '') eq $claim;
    $fits ? undef : "$place $product/$article: $claim, says \"$text\"";
  } claims($product, $text);
}

my @wrong;
my $count = 0;
for my $place (law_places($files)) {
  my ($country, $region) = split /-/, $place;
  my $rules = $region ? $files->{$country}{regions}{$region}{rules} : $files->{$country}{rules};
  for my $product (sort keys %{$rules // {}}) {
    # An article's own rule is about that article; the product's tells of all.
    for my $rule (grep { !$_->{article} && !$_->{channel} && law_holds($_, $day) } each_rule($rules->{$product})) {
      for my $text (grep { defined } @{$rule}{qw(note prohibited_reason)}) {
        $count += () = claims($product, $text);
        push @wrong, contradictions($files, $place, $product, $text);
      }
    }
  }
}
ok !@wrong, 'no note and no reason contradicts the answer' or diag join "\n", @wrong;
cmp_ok $count, '>', 100, "$count claims were found in words";

# A parent's consent to an account or a sale is parental_consent_from beside the age
# from which nobody has to consent; who sets an age for accounts says whether a
# parent's consent is enough below it.
sub parent_is_missing {
  my ($product, $rule) = @_;
  return 0 if exists $rule->{parental_consent_from};
  return 1 if $product eq 'social_media' && ($rule->{minimum_age} // '') =~ /\A[0-9]+\z/;
  return $product ne 'social_media'
    && ($rule->{note} // '') =~ /\b(?:consent\ of\ a\ parent|parent's\ (?:express\ )?consent)/xi;
}
my @parents;
for my $place (law_places($files)) {
  my ($country, $region) = split /-/, $place;
  my $rules = $region ? $files->{$country}{regions}{$region}{rules} : $files->{$country}{rules};
  for my $product (sort keys %{$rules // {}}) {
    push @parents, "$place/$product" if grep { parent_is_missing($product, $_) } each_rule($rules->{$product});
  }
}
ok !@parents, 'where a parent may consent, the rule says from which age' or diag join "\n", @parents;
ok parent_is_missing('social_media', {minimum_age => 16}), 'it is seen for accounts';
ok parent_is_missing('firearms', {note => "From 18 with a parent's consent."}), 'and for sales';
ok !parent_is_missing('social_media', {minimum_age => 16, parental_consent_from => undef}),
  'null says that no parent can consent';

# Notes that stood beside a wrong answer once, and their siblings.
my ($true, $false) = (JSON::PP::true, JSON::PP::false);
sub country {
  my ($product, $note, @articles) = @_;
  return {XX => {rule_version => '2026-01-01', rules => {$product => [
    {from => 'unknown', prohibited => $false, minimum_age => 21, note => $note}, @articles]}}};
}
for my $case (
  ['gambling_in_person', 'There are no casinos.', 'casino'],
  ['gambling_in_person', 'Casinos are not permitted.', 'casino'],
  ['gambling_in_person', 'Pull-tabs from 21, bingo from 19; there is no casino.', 'casino'],
  ['gambling_in_person', 'Lottery only; casino cruises leave state waters.', 'casino', 'betting'],
  ['gambling_in_person', 'There is no state lottery and no commercial casino.', 'lottery', 'casino'],
  ['gambling_online', 'Sports wagering; no online casino.', 'casino'],
  ['gambling_online', 'No licence for online casinos.', 'casino'],
  ['gambling_online', 'Online casino games and in-play betting are prohibited.', 'casino'],
  ['gambling_online', 'Interactive casino games are not licensed (s. 11).', 'casino'],
  ['gambling_online', 'Bets through the licensees of the state only.', 'casino'],
  ['firearms', 'A licence is needed; transfers of handguns are frozen since 2022.', 'handgun'],
  ['firearms', 'Handguns are prohibited.', 'handgun'],
  ['tobacco_nicotine', 'Electronic cigarettes are banned.', 'vape'],
  ['cannabis_dispensary', 'Registered patients only; minors are served through caregivers.', 'adult_use'],
) {
  my ($product, $note, @articles) = @$case;
  my @rules = map { {from => 'unknown', prohibited => $true, article => $_} } @articles;
  my $seen = sub { [map { m{/(\w+):} } contradictions(country($product, $note, @_), 'XX', $product, $note)] };
  is_deeply [sort @{$seen->()}], [sort @articles], "it is seen: $note";
  is_deeply $seen->(@rules), [], 'and not where a rule of the article says it';
  is_deeply $seen->({%{$rules[0]}, until => '2026-01-01'}, @rules[1 .. $#rules]), [$articles[0]],
    'but where that rule is over';
}
for my $case (
  ['gambling_in_person', 'Lottery from 18.', 'lottery', 18],
  ['gambling_in_person', 'Casinos from 20; betting shops from 18.', 'betting', 18, 'casino', 20],
  ['gambling_online', '21 for online casino games; sports wagering from 18.', 'betting', 18],
  ['alcohol_delivery', '21 for spirits; beer and wine from 16.', 'beer', 16, 'wine', 16],
  ['firearms', '21 for handguns; 18 for long guns with a card.', 'long_gun', 18],
) {
  my ($product, $note, %ages) = @$case;
  my @rules = map { {from => 'unknown', article => $_, minimum_age => $ages{$_}} } sort keys %ages;
  my $seen = sub { [sort map { m{/(\w+):} } contradictions(country($product, $note, @_), 'XX', $product, $note)] };
  is_deeply $seen->(), [sort keys %ages], "it is seen: $note";
  is_deeply $seen->(@rules), [], 'and not where a rule of the article has the age';
}
for my $note ('Distance sale of tobacco is prohibited.', 'Tobacco is not sold by mail order.',
  'No sale over the internet.', 'Online sale of tobacco and e-cigarettes is prohibited.') {
  my $seen = sub { scalar contradictions(country('tobacco_nicotine', $note, @_), 'XX', 'tobacco_nicotine', $note) };
  is $seen->(), 1, "it is seen: $note";
  is $seen->({from => 'unknown', channel => 'remote', prohibited => $true}), 0,
    'and not where a rule of the channel says it';
  is $seen->({from => 'unknown', article => 'vape', channel => 'remote', prohibited => $true}), 1,
    'but where that rule is for one article only';
}
is_deeply [claims('gambling_in_person', 'Some tribal casinos admit from 18; a bill would license betting.')],
  [], 'what holds for some, or would, claims nothing';
done_testing;
