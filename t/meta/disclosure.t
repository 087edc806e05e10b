# The harness' own search of the logs: it has to find what must not be there,
# and to be content with what always is.
use v5.32;
use warnings;
use File::Temp ();
use FindBin;
use Test::More;
use lib "$FindBin::Bin/../lib";
use Verify::Disclosure qw(disclosures);

sub found {
  my ($line, $offset) = @_;
  my $file = File::Temp->new;
  print $file "$line\n";
  close $file;
  return disclosures("$file", $offset);
}

my $random = 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE';
my %forbidden = (
  'a secret key' => "svc_sk_$random", 'a publishable key' => "svc_pk_$random",
  'an old key' => "svc_sk_test_$random", 'a bearer token' => "Bearer $random",
  'a client secret' => "vks_01jd0000000000000000000000_secret_$random",
  'a signing secret' => 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
  'a person token' => "vpt_$random",
  'an e-mail address' => 'specimen@example.com',
  'an escaped address' => 'email=specimen%40example.com&limit=1',
  'a phone number' => '+15550109988', 'an escaped number' => '%2B15550109988',
);
for my $name (sort keys %forbidden) {
  my @findings = found("[core:error] before $forbidden{$name} after");
  is scalar @findings, 1, $name;
  unlike "@findings", qr/\Q$forbidden{$name}\E/, 'is not repeated';
}
is_deeply [found($_)], [], "content with: $_" for
  '[2026-01-31 12:00:00.000001] [verify:warn] [pid 12:tid 13] IDV0001: text',
  '127.0.0.1 key_01jd0000000000000000000000 [31/Jan/2026:12:00:00 +0000] "GET '
  . '/v1/verification_sessions/vks_01jd0000000000000000000000 HTTP/1.1" 200',
  'AH00558: apache2: reliably determine the server name';
is_deeply [found("svc_sk_$random", 100)], [], 'nor does it look before its offset';
is_deeply [disclosures('/nowhere/error.log')], [], 'no file, no finding';
done_testing;
