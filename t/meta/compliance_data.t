# The compliance rules that ship: every jurisdiction and product type is there,
# every rule says where it comes from, and nothing only repeats.
use v5.32;
use warnings;
use FindBin;
use File::Temp ();
use JSON::PP ();
use POSIX qw(strftime);
use Test::More;

my $root = "$FindBin::Bin/../..";
my $directory = "$root/conf/compliance";
my $verifyctl = "$root/" . ($ENV{VERIFY_BUILD} // 'build') . '/verifyctl';
$verifyctl = $ENV{VERIFY_BUILD} . '/verifyctl'
  if ($ENV{VERIFY_BUILD} // '') =~ m{\A/};
my $json = JSON::PP->new->utf8->canonical;

sub text_of {
  my ($path) = @_;
  open my $file, '<:raw', $path or die "$path: $!\n";
  local $/;
  return <$file>;
}
sub none_ok {
  my ($name, @faults) = @_;
  ok !@faults, $name or diag join "\n", splice @faults, 0, 30;
}

my @products = qw(alcohol_delivery alcohol_in_person cannabis_dispensary
  cannabis_delivery gambling_online gambling_in_person tobacco_nicotine
  adult_content social_media firearms);
my @countries = qw(US CA GB AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU
  MT NL PL PT RO SK SI ES SE IS LI NO CH AU NZ JP KR SG IN BR MX ZA AE ID MY TR
  TH PH VN CN HK TW IL SA QA AR CL CO PE UA RS EG NG KE MA PK BD LK KZ GE EC DO
  UY);
my %regions = (
  US => [qw(AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN
    MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV
    WI WY DC PR VI GU MP AS)],
  DE => [qw(BW BY)], CH => [qw(TI)], ID => [qw(AC)],
  CA => [qw(AB BC MB NB NL NS ON PE QC SK NT NU YT)],
  GB => [qw(ENG NIR SCT WLS)],
  AU => [qw(NSW QLD SA TAS VIC WA ACT NT)],
  IN => [qw(BR GJ NL DL KL MH KA HR GA AN DH JK LA ML)],
);
my %files = map { m{([^/]+)\.json\z} => $json->decode(text_of($_)) }
  grep { !m{/schema\.json\z} } glob "$directory/*.json";

none_ok 'every country has a file', grep { !$files{$_} } @countries;
my @missing;
for my $country (sort keys %regions) {
  push @missing, map { "$country-$_" }
    grep { !$files{$country}{regions}{$_} } @{$regions{$country}};
}
none_ok 'every region stands in it', @missing;

my $today = strftime '%Y-%m-%d', gmtime;
# The day of the data: what holds is told as of then, whatever today is.
my ($as_of) = sort { $b cmp $a } map { substr $_->{rule_version}, 0, 10 } values %files;

# One rule or several stand for a product.
sub each_of { return ref $_[0] eq 'ARRAY' ? @{$_[0]} : $_[0] // () }
# Whether it holds on the day: what is enjoined does not, what is enacted without
# a day neither.
sub holds {
  my ($rule, $day) = @_;
  my $status = $rule->{status} // 'in_force';
  return 0 if $status eq 'enjoined' || $status eq 'enacted' && $rule->{from} eq 'unknown';
  return ($rule->{from} eq 'unknown' || $rule->{from} le $day)
    && $day lt ($rule->{until} // '9999-99-99');
}
# What held then of the product as a whole, of what stands for it; and of the
# articles of a rule.
sub whole_of {
  my ($rules) = @_;
  my ($rule) = grep { !$_->{article} && !$_->{channel} && holds($_, $as_of) }
    each_of($rules);
  return $rule // {};
}
sub article_of {
  my ($rules, $article) = @_;
  my ($rule) = grep { $_->{article} && holds($_, $as_of)
    && $json->encode([$_->{article}]) eq $json->encode([$article]) } each_of($rules);
  return $rule // {};
}

# Calls the function with place, rule and what the rule inherits. An article
# inherits from its product.
my %about = map { $_ => 1 } qw(sources looked_up confidence note from until status
  litigation article channel review);
sub visit {
  my ($see) = @_;
  for my $country (sort keys %files) {
    my $file = $files{$country};
    my $all = whole_of($file->{all});
    $see->("$country/all", $_, {}) for each_of($file->{all});
    my %base;
    for my $product (@products) {
      my $whole = whole_of($file->{rules}{$product});
      for my $rule (each_of($file->{rules}{$product})) {
        $see->("$country/$product", $rule, $rule->{article} || $rule->{channel} ? {%$all, %$whole} : $all);
      }
      $base{$product} = {%$all, %$whole};
    }
    for my $code (sort keys %{$file->{regions} // {}}) {
      my $region = $file->{regions}{$code};
      my $own = whole_of($region->{all});
      $see->("$country-$code/all", $_, $all) for each_of($region->{all});
      for my $product (sort keys %{$region->{rules} // {}}) {
        for my $rule (each_of($region->{rules}{$product})) {
          my @wider = $rule->{article} || $rule->{channel}
            ? (article_of($file->{rules}{$product}, $rule->{article}),
            whole_of($region->{rules}{$product})) : ();
          $see->("$country-$code/$product", $rule,
            {%{$base{$product}}, %$own, map { %$_ } @wider});
        }
      }
    }
  }
}

my %eea = map { $_ => 1 } qw(AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT
  LU MT NL PL PT RO SK SI ES SE IS LI NO);

# The countries that came last: nothing is claimed of them from knowledge alone.
my %late = map { $_ => 1 } qw(ID MY TR TH PH VN CN HK TW IL SA QA AR CL CO PE UA RS
  EG NG KE MA PK BD LK KZ GE EC DO UY);

sub is_age { return defined $_[0] && $_[0] =~ /\A[0-9]+\z/ }
sub is_set { return ref $_[0] && $_[0] }      # JSON's true
sub is_unset { return ref $_[0] && !$_[0] }   # JSON's false

# The member by which a rule decides: a prohibition, else the age, else the age of
# consent, else that it is lawful.
sub deciding_member {
  my ($rule) = @_;
  return 'prohibited' if is_set($rule->{prohibited});
  my ($age) = grep { exists $rule->{$_} && ($rule->{$_} // '') ne 'unknown' }
    qw(minimum_age consent_age);
  return $age // (exists $rule->{prohibited} ? 'prohibited' : undef);
}

# Each sees a rule as it stands in a file, what it inherits and where it is,
# and is true for one that cannot be right.
my @doubts = (
  ['every rule has sources, each with a citation', sub {
    my ($rule) = @_;
    return !@{$rule->{sources} // []}
      || grep { length($_->{citation} // '') < 6 } @{$rule->{sources}};
  }],
  ['a date of looking up is a day that has come', sub {
    my $date = $_[0]{looked_up} // '';
    return $date ne 'unknown'
      && !($date =~ /\A20[0-9]{2}-[0-9]{2}-[0-9]{2}\z/ && $date le $today);
  }],
  ['what was looked up can be looked up', sub {
    my ($rule) = @_;
    return ($rule->{looked_up} // '') ne 'unknown'
      && !grep { $_->{url} } @{$rule->{sources} // []};
  }],
  ['what was read has its date', sub {
    my ($rule) = @_;
    return ($rule->{looked_up} // '') eq 'unknown'
      && grep { $_->{url} } @{$rule->{sources} // []};
  }],
  ['what was not looked up has no high confidence', sub {
    return $_[0]{confidence} eq 'high' && $_[0]{looked_up} eq 'unknown';
  }],
  ['a high confidence has an official source of what decides', sub {
    my ($rule) = @_;
    my $decides = deciding_member($rule);
    return $rule->{confidence} eq 'high' && !grep {
      my %members = map { $_ => 1 } @{$_->{members} // []};
      $_->{kind} ne 'report' && $_->{url}
        && (!%members || !$decides || $members{$decides});
    } @{$rule->{sources}};
  }],
  ['in the countries that came last, what was not read is low and says so', sub {
    my ($rule, undef, $place) = @_;
    return $place =~ m{\A(..)/} && $late{$1} && $rule->{looked_up} eq 'unknown'
      && ($rule->{confidence} ne 'low' || ($rule->{note} // '') !~ /No source was read/);
  }],
  ['a rule has a day, or says that it is not known', sub {
    return ($_[0]{from} // '') !~ /\A(?:unknown|\d{4}-\d\d-\d\d)\z/;
  }],
  ['what is enacted is still to come', sub {
    my ($rule) = @_;
    return ($rule->{status} // '') eq 'enacted' && $rule->{from} le $as_of;
  }],
  ['what is enjoined tells the case', sub {
    my ($rule) = @_;
    return ($rule->{status} // '') eq 'enjoined' && !$rule->{litigation};
  }],
  ['what is enjoined is so for everybody', sub {
    my ($rule) = @_;
    return ($rule->{status} // '') eq 'enjoined'
      && grep({ exists $rule->{$_} } qw(prohibited minimum_age consent_age))
      && ($rule->{litigation}{protects} // '') !~ /\bevery(?:one|body)\b/;
  }],
  ['what was not established is not told with a high confidence', sub {
    my ($rule) = @_;
    return ($rule->{note} // '') =~ /not established/ && $rule->{confidence} eq 'high';
  }],
  ['a permitted product with an unknown age has a low confidence', sub {
    my ($rule, $inherited) = @_;
    my %whole = (%$inherited, %$rule);
    return is_unset($rule->{prohibited}) && ($whole{minimum_age} // '') eq 'unknown'
      && $rule->{confidence} ne 'low';
  }],
  ['a prohibition has no age beside it', sub {
    return is_set($_[0]{prohibited}) && is_age($_[0]{minimum_age});
  }],
  ['of firearms the floor of the directive alone has a low confidence', sub {
    my ($rule, undef, $place) = @_;
    my @read = grep { $_->{url} } @{$rule->{sources}};
    return $place =~ m{/firearms\z} && $rule->{confidence} ne 'low'
      && @read && !grep { $_->{citation} !~ m{2021/555} } @read;
  }],
  ['ages are those of persons', sub {
    my $age = $_[0]{minimum_age};
    return is_age($age) && ($age < 13 || $age > 30);
  }],
  ['no rule only repeats what it inherits', sub {
    my ($rule, $inherited) = @_;
    # What holds later may be repeated now.
    return !$rule->{litigation} && !$rule->{until} && !$rule->{status}
      && !exists $rule->{born_before} && !grep { !$about{$_}
      && $json->encode([$rule->{$_}]) ne $json->encode([$inherited->{$_}]) }
      keys %$rule;
  }],
  ['no state is below a federal age', sub {
    my ($rule, undef, $place) = @_;
    my $age = $rule->{minimum_age};
    return 0 unless is_age($age) && $place =~ m{\A(US|CA)-(..)/(\w+)\z};
    my ($country, $region, $product) = ($1, $2, $3);
    return $age < 18 if $country eq 'CA' && $product =~ /cannabis|tobacco/;
    return $country eq 'US' && $age < 21 && ($product eq 'tobacco_nicotine'
      || $product =~ /alcohol/ && $region !~ /PR|VI/);
  }],
  ['consent of children in the EEA is between 13 and 16 (Art. 8 GDPR)', sub {
    my ($rule, undef, $place) = @_;
    return $place =~ m{\A(..)/social_media\z} && $eea{$1}
      && !(is_age($rule->{consent_age}) && $rule->{consent_age} >= 13
      && $rule->{consent_age} <= 16);
  }],
  ['an age of consent is no bar', sub {
    my ($rule) = @_;
    return is_age($rule->{consent_age}) && is_age($rule->{minimum_age})
      && $rule->{consent_age} == $rule->{minimum_age};
  }],
  ['what a court has blocked is not in force', sub {
    my ($rule) = @_;
    return ($rule->{note} // '') =~ /not applied here/
      && ($rule->{status} // '') ne 'enjoined';
  }],
);
my (%found, %confidence);
visit(sub {
  my ($rule, $inherited, $place) = @_[1, 2, 0];
  for my $doubt (@doubts) {
    push @{$found{$doubt->[0]}}, $place if $doubt->[1]->($rule, $inherited, $place);
  }
  $confidence{$rule->{confidence}}++;
});
none_ok $_->[0], @{$found{$_->[0]} // []} for @doubts;

note join ', ', map { "$_: $confidence{$_}" } sort keys %confidence;

# Errors that were in the data once, each seen by the doubt named after it.
{
  my %read = (from => 'unknown', looked_up => $today, confidence => 'high',
    sources => [{citation => 'Act § 1', kind => 'statute', url => 'https://law.example'}]);
  my %known = (%read, sources => [{citation => 'Act § 1', kind => 'statute'}],
    looked_up => 'unknown', confidence => 'medium');
  my @report = ({citation => 'News', kind => 'report', url => 'https://law.example'});
  my @other = ({%{$read{sources}[0]}, members => ['penalty_type']});
  my ($true, $false) = (JSON::PP::true, JSON::PP::false);
  my %wrong = (
    'every rule has sources' => [{%known, sources => [{kind => 'statute', url => 'https://law.example'}]}],
    'a date of looking up' => [{%read, looked_up => '2999-01-01'}],
    'what was looked up' => [{%known, looked_up => $today}],
    'what was read' => [{%read, looked_up => 'unknown'}],
    'what was not looked' => [{%known, confidence => 'high'}],
    'a high confidence' => [{%read, sources => [@report]}],
    'in the countries' => [{%known}, {}, 'KE/firearms'],
    'a rule has a day' => [{%read, from => undef}],
    'what is enacted' => [{%read, status => 'enacted', from => $as_of}],
    'what is enjoined tells' => [{%read, status => 'enjoined'}],
    'what is enjoined is so' => [{%read, status => 'enjoined', minimum_age => 16,
      litigation => {case => 'A v. B', protects => 'members of A'}}],
    'an age of consent' => [{%read, minimum_age => 16, consent_age => 16}],
    'what was not established' => [{%read, note => 'It was not established.'}],
    'a permitted product' =>
      [{%read, prohibited => $false}, {minimum_age => 'unknown'}],
    'a prohibition' => [{%read, prohibited => $true, minimum_age => 18}],
    'of firearms' => [{%read, confidence => 'medium', sources =>
      [{%{$read{sources}[0]}, citation => 'Directive (EU) 2021/555 Art. 6(1)'}]}],
    'ages are' => [{%read, minimum_age => 210}],
    'no rule only' => [{%read, minimum_age => 18}, {minimum_age => 18}],
    'no state' => [{%read, minimum_age => 19}, {}, 'US-AL/tobacco_nicotine'],
    'consent of' => [{%read, consent_age => 18}, {}, 'FR/social_media'],
    'what a court' => [{%read, note => 'It is not applied here.'}],
  );
  my ($official) = grep { $_->[0] =~ /official source of what decides/ } @doubts;
  ok $official->[1]->({%read, minimum_age => 18, sources => [@other]}, {}, ''),
    'it would be seen that the official source is for something else';
  ok $official->[1]->({%read, prohibited => $false, minimum_age => 18,
      sources => [{%{$other[0]}, members => ['prohibited']}]}, {}, ''),
    'or for what does not decide';
  ok !$official->[1]->({%read, penalty_type => 'CIVIL', sources => [@other]}, {}, ''),
    'and not where that is all that the rule says';
  for my $doubt (@doubts) {
    my ($start) = grep { index($doubt->[0], $_) == 0 } keys %wrong;
    my ($rule, $inherited, $place) = @{$wrong{$start // ''} // [{%read}]};
    ok $doubt->[1]->($rule, $inherited // {}, $place // 'XX/firearms'),
      "it would be seen otherwise: $doubt->[0]";
  }
}

# The figures of the README: each resolved rule counts with the confidence of
# its most specific part.
{
  my %count;
  for my $file (values %files) {
    for my $rules ({}, map { $_->{rules} // {} } values %{$file->{regions} // {}}) {
      for my $product (@products) {
        my $rule = whole_of($rules->{$product});
        $rule = whole_of($file->{rules}{$product}) unless $rule->{confidence};
        my $column = $rule->{looked_up} eq 'unknown' ? 1 : 0;
        $count{$rule->{confidence}}[$column]++;
      }
    }
  }
  my $readme = text_of("$directory/README.md");
  my %said;
  $said{$1} = [$2, $3] while $readme =~ /^\| `(\w+)` \| (\d+) \| (\d+) \|$/gm;
  for my $confidence (qw(high medium low)) {
    my @counted = map { $_ // 0 } @{$count{$confidence} // []}[0, 1];
    is_deeply $said{$confidence}, \@counted,
      "README.md counts the rules with $confidence confidence"
      or diag "they are @counted";
  }
  my $regions = grep { 1 } map { keys %{$_->{regions} // {}} } values %files;
  my $countries = keys %files;
  my $rules = 10 * ($countries + $regions);
  like $readme, qr/^$rules rules: ten product types in $countries countries and $regions/m,
    'README.md counts the jurisdictions';
}

# The list of what was read is the data's: whoever changes a rule shows in it.
{
  open my $pipe, '-|', $^X, "$root/scripts/compliance-lookups", '--print'
    or die "scripts/compliance-lookups: $!\n";
  my $now = do { local $/; <$pipe> };
  ok close $pipe, 'scripts/compliance-lookups prints the rules that were looked up';
  is text_of("$root/t/meta/compliance_lookups.txt"), $now,
    't/meta/compliance_lookups.txt is what scripts/compliance-lookups writes';
}

# What a delivery and a shop may do together, in every jurisdiction; and that
# a version is not older than what it brings.
my (@orphans, @young, @versions);
for my $country (sort keys %files) {
  my $file = $files{$country};
  my @places = ([$country, {}],
    map { ["$country-$_", $file->{regions}{$_}{rules} // {}] }
    sort keys %{$file->{regions} // {}});
  for my $place (@places) {
    my ($name, $rules) = @$place;
    my %whole = map { $_ => {%{whole_of($file->{rules}{$_})},
      %{whole_of($rules->{$_})}} } @products;
    push @orphans, $name if is_set($whole{cannabis_dispensary}{prohibited})
      && is_unset($whole{cannabis_delivery}{prohibited});
    for my $pair ([qw(cannabis_delivery cannabis_dispensary)],
      [qw(alcohol_delivery alcohol_in_person)]) {
      my ($delivery, $shop) = @whole{@$pair};
      push @young, "$name/$pair->[0]"
        if is_unset($delivery->{prohibited}) && is_unset($shop->{prohibited})
        && is_age($delivery->{minimum_age}) && is_age($shop->{minimum_age})
        && $delivery->{minimum_age} < $shop->{minimum_age}
        && ($delivery->{note} // '') !~ /\b(?:patients|persons) only\b/;
    }
  }
  my ($newest) = sort { $b cmp $a } grep { $_ ne 'unknown' }
    $json->encode($file) =~ /"looked_up":"([^"]+)"/g;
  push @versions, "$country: $file->{rule_version}"
    unless $file->{rule_version} =~ /\A(20[0-9]{2}-[0-9]{2}-[0-9]{2})(?:\.[1-9][0-9]*)?\z/
    && $1 le $today && $1 ge ($newest // $1);
}
none_ok 'nothing is delivered where nothing is sold', @orphans;
none_ok 'nobody is served younger at home than in the shop, but for patients', @young;
none_ok 'a rule_version is a day, not before what was looked up', @versions;

none_ok 'no region is empty', map {
  my $country = $_;
  map { "$country-$_" } grep {
    my $region = $files{$country}{regions}{$_};
    !$region->{all} && !keys %{$region->{rules} // {}}
  } keys %{$files{$country}{regions} // {}}
} sort keys %files;

# The reader of the service, and what it says of broken files.
sub check_data {
  my ($where) = @_;
  my $output = File::Temp->new;
  my $status = system "'$verifyctl' compliance check-data '$where' >$output 2>&1";
  return ($status, text_of("$output"));
}
sub broken {
  my ($change, $pointer) = @_;
  my $file = $json->decode(text_of("$directory/CH.json"));
  $change->($file);
  my $where = File::Temp->newdir;
  open my $out, '>:raw', "$where/CH.json" or die "CH.json: $!\n";
  print $out $json->encode($file);
  close $out;
  return ($where, check_data("$where"));
}
SKIP: {
  skip 'verifyctl is not built', 1 unless -x $verifyctl;
  my ($status, $said) = check_data($directory);
  is $status, 0, 'verifyctl compliance check-data finds no fault' or diag $said;
  my $extent = eval { $json->decode($said) } // {};
  is $extent->{countries}, keys %files, 'it read every country';
  is $extent->{rules}, 10 * ($extent->{countries} + $extent->{regions}),
    'ten rules for each jurisdiction';
}

# What changes next, and that `as_of` shows it: the day before and the day.
SKIP: {
  skip 'verifyctl is not built', 1 unless -x $verifyctl;
  my $upcoming = sub {
    my ($where, @options) = @_;
    my $output = File::Temp->new;
    my $status = system "'$verifyctl' compliance upcoming @options '$where' >$output 2>&1";
    return ($status, eval { $json->decode(text_of("$output")) } // {});
  };
  my ($day, $late) = map { strftime '%Y-%m-%d', gmtime time + 86400 * $_ } 40, 900;
  my ($where) = broken(sub {
    my $rule = $_[0]{rules}{firearms};
    $_[0]{rules}{firearms} = [{%$rule, until => $day, minimum_age => 18},
      {%$rule, from => $day, until => $late, minimum_age => 21, status => 'enacted'},
      {%$rule, from => $late, minimum_age => 25, status => 'enacted'},
      {%$rule, from => 'unknown', minimum_age => 30, status => 'enacted'}];
  });
  my ($status, $said) = $upcoming->("$where");
  is $status, 0, 'verifyctl compliance upcoming';
  my @changes = @{$said->{changes} // []};
  is_deeply [map { [$_->{day}, @$_{qw(jurisdiction use_case article)},
      map { $_->{required_age} } @$_{qw(before after)}] } @changes],
    [[$day, 'CH', 'firearms', undef, 18, 21], [undef, 'CH', 'firearms', undef, 21, 30]],
    'the changes of two years, and what is enacted without a day'
    or diag $json->encode($said);
  ($status, $said) = $upcoming->("$where", '--until', $late);
  is @{$said->{changes} // []}, 3, 'and of a longer time';
  ($status) = $upcoming->("$where", '--until', '2020-01-01');
  ok $status != 0, 'a day that is over is refused';
  ($status, $said) = $upcoming->($directory, '--until', '2036-01-01');
  is $status, 0, 'of the rules that ship';
  ok scalar @{$said->{changes} // []}, 'something is to come';
}

# The schema, by a validator that is not ours; and both refuse the same.
my @changes = (
  ['an unknown member', sub { $_[0]{rules}{firearms}{colour} = 'red' }],
  ['a rule without a day', sub { delete $_[0]{rules}{firearms}{from} }],
  ['a day that is none', sub { $_[0]{rules}{firearms}{from} = 'May 2026' }],
  ['a high confidence without an official source', sub {
    my $rule = $_[0]{rules}{firearms};
    $rule->{confidence} = 'high';
    $rule->{looked_up} = $today;
    $rule->{sources} =
      [{citation => 'News', kind => 'report', url => 'https://news.example'}];
  }],
  ['a high confidence whose official source is for something else', sub {
    my $rule = $_[0]{rules}{firearms};
    @{$rule}{qw(confidence looked_up)} = ('high', $today);
    $rule->{sources} = [{citation => 'Act', kind => 'statute', url => 'https://law.example',
      members => ['prohibited']}, {citation => 'News', kind => 'report',
      url => 'https://news.example'}];
  }],
  ['a source without a kind', sub { delete $_[0]{rules}{firearms}{sources}[0]{kind} }],
  ['a source for no member', sub {
    $_[0]{rules}{firearms}{sources}[0]{members} = ['colour'] }],
  ['what is enjoined without its case', sub {
    $_[0]{rules}{firearms}{status} = 'enjoined' }],
  ['an unknown article', sub { $_[0]{rules}{firearms}{article} = 'cannon' }],
  ['a rule for all products whose source carries nothing', sub {
    delete $_[0]{all}{sources}[0]{members} }],
  ['an article alone', sub {
    $_[0]{rules}{firearms}{article} = 'handgun' }],
  ['a rule without sources', sub { delete $_[0]{rules}{firearms}{sources} }],
  ['an empty list of sources', sub { $_[0]{rules}{firearms}{sources} = [] }],
  ['no confidence', sub { delete $_[0]{rules}{firearms}{confidence} }],
  ['an unknown date with high confidence',
    sub { @{$_[0]{rules}{firearms}}{qw(looked_up confidence)} = qw(unknown high) }],
  ['an age as text', sub { $_[0]{rules}{firearms}{minimum_age} = '18' }],
  ['no rule for a product', sub { delete $_[0]{rules}{firearms} }],
  ['a country rule without an age',
    sub { delete $_[0]{rules}{firearms}{minimum_age} }],
  ['an age for all products', sub { $_[0]{all}{minimum_age} = 18 }],
  ['a reserved method', sub { $_[0]{rules}{firearms}{allowed_methods} = ['mid'] }],
  ['a region in lower case', sub { $_[0]{regions}{ti} = {name => 'Ticino'} }],
  ['a penalty in lower case', sub { $_[0]{rules}{firearms}{penalty_type} = 'both' }],
  ['an unknown product', sub { $_[0]{rules}{absinthe} = $_[0]{rules}{firearms} }],
);
my $validator = <<'PYTHON';
import json, sys
from jsonschema import Draft202012Validator
schema = json.load(open(sys.argv[1]))
Draft202012Validator.check_schema(schema)
for path in sys.argv[2:]:
    for error in Draft202012Validator(schema).iter_errors(json.load(open(path))):
        print(path, list(error.absolute_path), error.message[:200])
PYTHON
sub schema_faults {
  open my $pipe, '-|', '/usr/bin/python3', '-c', $validator, "$directory/schema.json", @_
    or die "python3: $!\n";
  my @lines = <$pipe>;
  close $pipe or push @lines, "the validator ended with $?\n";
  return @lines;
}
SKIP: {
  skip 'python3-jsonschema is not installed', 1
    if system '/usr/bin/python3 -c "from jsonschema import Draft202012Validator" 2>/dev/null';
  none_ok 'every file fits the schema',
    schema_faults(map { "$directory/$_.json" } sort keys %files);
  for my $case (@changes) {
    my ($name, $change) = @$case;
    my ($where, $status, $said) = broken($change);
    ok $status != 0 && $said =~ m{^CH\.json: /}m, "the reader refuses $name"
      or diag $said;
    ok scalar schema_faults("$where/CH.json"), "the schema refuses $name";
  }
  # What no schema can compare is left to the reader.
  my %overlap = (from => '2026-01-01', until => '2027-01-01');
  for my $case (
    ['two rules of one day', 1, sub { ({%{$_[0]}}, {%{$_[0]}, %overlap}) }],
    ['two rules of one article', 1, sub {
      ($_[0], map { {%{$_[0]}, article => $_} } 'handgun', ['long_gun', 'handgun']) }],
    ['one rule after the other', 0, sub {
      ({%{$_[0]}, until => '2026-01-01'}, {%{$_[0]}, %overlap}) }],
    ['an end before the beginning', 1, sub {
      {%{$_[0]}, from => '2026-01-01', until => '2026-01-01'} }],
    ['an article of another product', 1, sub { ($_[0], {%{$_[0]}, article => 'beer'}) }],
  ) {
    my ($name, $refused, $change) = @$case;
    my ($where, $status, $said) = broken(sub {
      my $rules = $_[0]{rules};
      $rules->{firearms} = [$change->($rules->{firearms})];
    });
    is $status != 0 && $said =~ m{^CH\.json: /rules/firearms}m ? 1 : 0, $refused,
      'the reader ' . ($refused ? 'refuses ' : 'takes ') . $name or diag $said;
  }
}
done_testing;
