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
  IN => [qw(BR GJ NL DL KL MH)],
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
my (@dates, @sources, @ages, @repeats, @guesses, %confidence);
visit(sub {
  my ($place, $rule, $inherited) = @_;
  my $date = $rule->{looked_up} // '';
  push @dates, "$place: $date" unless $date eq 'unknown'
    || $date =~ /\A20[0-9]{2}-[0-9]{2}-[0-9]{2}\z/ && $date le $today;
  push @sources, $place unless @{$rule->{sources} // []};
  push @sources, "$place: $_->{citation}" for
    grep { length $_->{citation} < 6 } @{$rule->{sources}};
  my $age = $rule->{minimum_age};
  push @ages, "$place: $age" if defined $age && $age ne 'unknown'
    && ($age < 13 || $age > 25);
  push @guesses, $place if $rule->{confidence} eq 'high' && $date eq 'unknown';
  $confidence{$rule->{confidence}}++;
  push @repeats, $place if !grep {
    !$about{$_} && $json->encode([$rule->{$_}]) ne $json->encode([$inherited->{$_}])
  } keys %$rule;
});
none_ok 'every rule has sources', @sources;
none_ok 'was looked up, and not in the future', @dates;
none_ok 'what was not looked up has no high confidence', @guesses;
none_ok 'ages are those of persons', @ages;
none_ok 'no rule only repeats what it inherits', @repeats;
note join ', ', map { "$_: $confidence{$_}" } sort keys %confidence;

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
