# The harness' own search of the logs: it has to find what must not be there,
# and to be content with what always is.
use v5.32;
use warnings;
use File::Temp ();
use FindBin;
use Test::More;
use lib "$FindBin::Bin/../lib";
use Digest::SHA qw(sha256_hex);
use MIME::Base64 qw(encode_base64);
use Verify::Disclosure qw(disclosures known_in);

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

my %known = ('person: e-mail' => 'specimen@example.com', key => "svc_sk_$random");
is_deeply [known_in("before $_->[1] after", %known)], [$_->[0]], $_->[0] for
  ['person: e-mail as it is', 'Specimen@Example.COM'],
  ['person: e-mail escaped', 'specimen%40example.com'],
  ['person: e-mail in hexadecimal', unpack 'H*', 'specimen@example.com'],
  ['person: e-mail in base64', encode_base64('specimen@example.com, and more', '')],
  ['person: e-mail as its SHA-256', sha256_hex('specimen@example.com')],
  ['key as it is', "svc_sk_$random"];
is_deeply [known_in(sha256_hex("svc_sk_$random"), %known)], [],
  'a digest of a key is none';
done_testing;
