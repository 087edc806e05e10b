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
  MT NL PL PT RO SK SI ES SE IS LI NO CH AU NZ JP KR SG IN BR MX ZA AE);
my %regions = (
  US => [qw(AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN
    MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV
    WI WY DC PR)],
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

# Calls the function with place, rule and what the rule inherits.
my %about = map { $_ => 1 } qw(sources looked_up confidence note);
sub visit {
  my ($see) = @_;
  for my $country (sort keys %files) {
    my $file = $files{$country};
    my $all = $file->{all} // {};
    $see->("$country/all", $all, {}) if $file->{all};
    my %base;
    for my $product (@products) {
      my $rule = $file->{rules}{$product};
      $see->("$country/$product", $rule, $all) if $rule;
      $base{$product} = {%$all, %{$rule // {}}};
    }
    for my $code (sort keys %{$file->{regions} // {}}) {
      my $region = $file->{regions}{$code};
      $see->("$country-$code/all", $region->{all}, $all) if $region->{all};
      for my $product (sort keys %{$region->{rules} // {}}) {
        $see->("$country-$code/$product", $region->{rules}{$product},
          {%{$base{$product}}, %{$region->{all} // {}}});
      }
    }
  }
}

my $today = strftime '%Y-%m-%d', gmtime;
my %eea = map { $_ => 1 } qw(AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT
  LU MT NL PL PT RO SK SI ES SE IS LI NO);

sub is_age { return defined $_[0] && $_[0] =~ /\A[0-9]+\z/ }
sub is_set { return ref $_[0] && $_[0] }      # JSON's true
sub is_unset { return ref $_[0] && !$_[0] }   # JSON's false

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
  ['ages are those of persons', sub {
    my $age = $_[0]{minimum_age};
    return is_age($age) && ($age < 13 || $age > 25);
  }],
  ['no rule only repeats what it inherits', sub {
    my ($rule, $inherited) = @_;
    return !grep { !$about{$_}
      && $json->encode([$rule->{$_}]) ne $json->encode([$inherited->{$_}]) }
      keys %$rule;
  }],
  ['no state is below a federal age', sub {
    my ($rule, undef, $place) = @_;
    my $age = $rule->{minimum_age};
    return 0 unless is_age($age) && $place =~ m{\A(US|CA)-(..)/(\w+)\z};
    my ($country, $region, $product) = ($1, $2, $3);
    return $age < 18 if $country eq 'CA' && $product =~ /cannabis|tobacco/;
    return $country eq 'US' && $age < 21
      && ($product eq 'tobacco_nicotine' || $product =~ /alcohol/ && $region ne 'PR');
  }],
  ['consent of children in the EEA is between 13 and 16 (Art. 8 GDPR)', sub {
    my ($rule, undef, $place) = @_;
    return $place =~ m{\A(..)/social_media\z} && $eea{$1}
      && !(is_age($rule->{minimum_age}) && $rule->{minimum_age} >= 13
      && $rule->{minimum_age} <= 16);
  }],
  ['what a court has blocked sets no age and no penalty', sub {
    my ($rule) = @_;
    return ($rule->{note} // '') =~ /not applied here/
      && grep { exists $rule->{$_} } qw(minimum_age prohibited allowed_methods
      penalty_description penalty_type);
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
  my %read = (sources => [{citation => 'Act § 1', url => 'https://law.example'}],
    looked_up => $today, confidence => 'high');
  my %known = (%read, sources => [{citation => 'Act § 1'}], looked_up => 'unknown',
    confidence => 'medium');
  my ($true, $false) = (JSON::PP::true, JSON::PP::false);
  my %wrong = (
    'every rule has sources' => [{%known, sources => [{url => 'https://law.example'}]}],
    'a date of looking up' => [{%read, looked_up => '2999-01-01'}],
    'what was looked up' => [{%known, looked_up => $today}],
    'what was read' => [{%read, looked_up => 'unknown'}],
    'what was not looked' => [{%known, confidence => 'high'}],
    'what was not established' => [{%read, note => 'It was not established.'}],
    'a permitted product' =>
      [{%read, prohibited => $false}, {minimum_age => 'unknown'}],
    'a prohibition' => [{%read, prohibited => $true, minimum_age => 18}],
    'ages are' => [{%read, minimum_age => 210}],
    'no rule only' => [{%read, minimum_age => 18}, {minimum_age => 18}],
    'no state' => [{%read, minimum_age => 19}, {}, 'US-AL/tobacco_nicotine'],
    'consent of' => [{%read, minimum_age => 18}, {}, 'FR/social_media'],
    'what a court' => [{%read, minimum_age => 16, note => 'It is not applied here.'}],
  );
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
        my $rule = $rules->{$product} // $file->{rules}{$product};
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
    my %whole = map { $_ => {%{$file->{rules}{$_}}, %{$rules->{$_} // {}}} } @products;
    push @orphans, $name if is_set($whole{cannabis_dispensary}{prohibited})
      && is_unset($whole{cannabis_delivery}{prohibited});
    for my $pair ([qw(cannabis_delivery cannabis_dispensary)],
      [qw(alcohol_delivery alcohol_in_person)]) {
      my ($delivery, $shop) = @whole{@$pair};
      push @young, "$name/$pair->[0]"
        if is_unset($delivery->{prohibited}) && is_unset($shop->{prohibited})
        && is_age($delivery->{minimum_age}) && is_age($shop->{minimum_age})
        && $delivery->{minimum_age} < $shop->{minimum_age}
        && ($delivery->{note} // '') !~ /\bpatients only\b/;
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
  my $file = $json->decode(text_of("$directory/DE.json"));
  $change->($file);
  my $where = File::Temp->newdir;
  open my $out, '>:raw', "$where/DE.json" or die "DE.json: $!\n";
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

# The schema, by a validator that is not ours; and both refuse the same.
my @changes = (
  ['an unknown member', sub { $_[0]{rules}{firearms}{colour} = 'red' }],
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
  ['a region in lower case', sub { $_[0]{regions}{by} = {name => 'Bayern'} }],
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
    ok $status != 0 && $said =~ m{^DE\.json: /}m, "the reader refuses $name"
      or diag $said;
    ok scalar schema_faults("$where/DE.json"), "the schema refuses $name";
  }
}
done_testing;
