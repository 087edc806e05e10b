# How sure a compliance rule may be, from who its sources are: conf/compliance/README.md
# has the rule, conf/compliance/hosts.txt the hosts.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use Verify::Law qw(law_files law_places each_rule @law_products);

my $directory = "$FindBin::Bin/../../conf/compliance";
my $files = law_files($directory);
my @eea = qw(AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK
  SI ES SE IS LI NO);
my %rank = (low => 0, medium => 1, high => 2);

# The hosts, by country, and the weak ones.
my (%official, @weak, @misread);
open my $in, '<:encoding(UTF-8)', "$directory/hosts.txt" or die "hosts.txt: $!\n";
while (<$in>) {
  next if /^#/;
  chomp;
  my ($whose, $host, $more) = split / /;
  push @misread, "line $.: $_" if defined $more || ($host // '') !~ /\A[a-z0-9-]+(?:\.[a-z0-9-]+)+\z/
    || $whose !~ /\A(?:[A-Z]{2}|EEA|weak)\z/ || $whose =~ /\A..\z/ && !$files->{$whose};
  push @{$official{$_}}, $host for $whose eq 'EEA' ? @eea : $whose eq 'weak' ? () : $whose;
  push @weak, $host if $whose eq 'weak';
}
ok !@misread, 'hosts.txt: a country and a host on each line' or diag join "\n", @misread;

sub is_on {
  my ($source, @hosts) = @_;
  my ($host) = ($source->{url} // '') =~ m{\Ahttps://([^/:]+)} or return 0;
  return scalar grep { $host eq $_ || $host =~ /\.\Q$_\E\z/ } @hosts;
}
# The member by which a rule decides, as t/meta/compliance_data.t has it.
sub deciding_member {
  my ($rule) = @_;
  return 'prohibited' if ref $rule->{prohibited} && $rule->{prohibited};
  my ($age) = grep { exists $rule->{$_} && ($rule->{$_} // '') ne 'unknown' }
    qw(minimum_age consent_age);
  return $age // (exists $rule->{prohibited} ? 'prohibited' : undef);
}
# A statute is named when its section, its number or its year is.
sub is_named { return $_[0]{kind} ne 'report' && $_[0]{citation} =~ /[§0-9]|\b(?:[Aa]rt|[Ss]|ch)\./ }

# The highest confidence that the sources of RULE in COUNTRY carry.
sub carried {
  my ($country, $rule) = @_;
  my $decides = deciding_member($rule);
  my @read = grep {
    my %members = map { $_ => 1 } @{$_->{members} // []};
    $_->{url} && (!%members || !$decides || $members{$decides});
  } @{$rule->{sources}};
  return 'high' if grep { $_->{kind} ne 'report' && is_on($_, @{$official{$country} // []}) } @read;
  return 'medium' if grep { !is_on($_, @weak) } @read;
  return 'medium' if grep { is_named($_) } @{$rule->{sources}};
  return 'low';
}

my @bold;
for my $place (law_places($files)) {
  my ($country, $region) = split /-/, $place;
  my $own = $region ? $files->{$country}{regions}{$region} : $files->{$country};
  for my $product ('all', @law_products) {
    for my $rule (each_rule($product eq 'all' ? $own->{all} : $own->{rules}{$product})) {
      my $most = carried($country, $rule);
      push @bold, "$place/$product: $rule->{confidence}, its sources carry $most"
        if $rank{$rule->{confidence}} > $rank{$most};
    }
  }
}
ok !@bold, 'no rule is surer than its sources' or diag join "\n", splice @bold, 0, 40;

# What each kind of source carries.
sub of_sources { return carried('GB', {minimum_age => 18, sources => [@_]}) }
my %act = (kind => 'statute', citation => 'Licensing Act 2003 s. 146');
is of_sources({%act, url => 'https://www.legislation.gov.uk/ukpga/2003/17'}), 'high', 'the official text';
is of_sources({%act, url => 'https://legislation.gov.uk.example/'}), 'medium', 'a host that only looks like it';
is of_sources({%act, url => 'https://uk-legislation.com/2003'}), 'medium', 'a mirror of the text';
is of_sources({%act, url => 'https://legislation.gov.uk/', members => ['penalty_type']}), 'medium',
  'the official text of something else, the statute named';
is of_sources({kind => 'report', citation => 'A newspaper', url => 'https://news.example/'}), 'medium', 'a newspaper';
is of_sources({kind => 'report', citation => 'A wiki', url => 'https://en.wikipedia.org/wiki/X'}), 'low', 'a wiki';
is of_sources({%act}), 'medium', 'a statute from knowledge, its section named';
is of_sources({kind => 'statute', citation => 'Gambling Act'}), 'low', 'a statute of which only the title is told';
is of_sources({kind => 'statute', citation => 'Gambling Act', url => 'https://en.wikipedia.org/'}), 'low', 'or with a wiki';
done_testing;
