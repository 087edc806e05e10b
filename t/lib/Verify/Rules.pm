package Verify::Rules;
# Directories of compliance rules for tests: small, invented, and complete.
use v5.32;
use warnings;
use Exporter 'import';
use File::Temp ();
use JSON::PP ();

our @EXPORT_OK = qw(common country rule write_rules @products);

our @products = qw(alcohol_delivery alcohol_in_person cannabis_dispensary
  cannabis_delivery gambling_online gambling_in_person tobacco_nicotine
  adult_content social_media firearms);

my %source = (citation => 'Test Act § 1', kind => 'statute',
  url => 'https://law.example/1');

# A rule with all required members.
sub rule {
  return {from => 'unknown', sources => [{%source}], looked_up => '2026-01-31',
    confidence => 'high', @_};
}

# A rule for all products, whose source states its purpose.
sub common {
  my (%members) = @_;
  return rule(sources => [{%source, members => [sort keys %members]}], %members);
}

# A country whose products are allowed at 18, except for these rules.
sub country {
  my ($code, $rules, %members) = @_;
  my %all = map { $_ => rule(prohibited => JSON::PP::false, minimum_age => 18) }
    @products;
  return {country => $code, name => "Country $code", rule_version => "$code-7",
    rules => {%all, %$rules}, %members};
}

# Writes each country to a separate file; returns the directory.
sub write_rules {
  my @countries = @_;
  my $directory = File::Temp::tempdir('verify-rules-XXXXXXXX', TMPDIR => 1,
    CLEANUP => 1);
  chmod 0755, $directory;
  for my $country (@countries) {
    open my $file, '>', "$directory/$country->{country}.json" or die "rules: $!\n";
    print $file JSON::PP->new->utf8->canonical->encode($country);
    close $file;
  }
  return $directory;
}

1;
