# The harness' own receiver and signature check, without any service: a test
# that trusts them has to know that they can say no.
use v5.32;
use warnings;
use Digest::SHA qw(hmac_sha256_hex);
use File::Temp qw(tempdir);
use FindBin;
use HTTP::Tiny;
use Test::More;
use lib "$FindBin::Bin/../lib";
use Verify::Receiver;
use Verify::Signature qw(signature_fault);

my $secret = 'whsec_test';
my $now = 1_700_000_000;
my $good = "t=$now,v1=" . hmac_sha256_hex("$now.{}", $secret);
is signature_fault($secret, $good, '{}', $now), undef, 'a right signature';
is signature_fault($secret, $good, '{ }', $now), 'mismatch', 'another body';
is signature_fault('other', $good, '{}', $now), 'mismatch', 'another secret';
is signature_fault($secret, $good, '{}', $now + 301), 'too old', 'a replay';
is signature_fault($secret, undef, '{}', $now), 'missing header', 'none at all';
is signature_fault($secret, uc $good, '{}', $now), 'malformed header', 'upper case';
is signature_fault($secret, $good =~ s/,/, /r, '{}', $now), 'malformed header',
  'a space after the comma';

my $directory = tempdir(CLEANUP => 1);
{
  local $ENV{VERIFY_RUN_DIR} = $directory;
  system("$FindBin::Bin/../../scripts/certificate", 'issue', 'receiver',
    'IP:127.0.0.1') == 0 or die "no certificate\n";
}
my $receiver = Verify::Receiver->new(directory => "$directory/receiver",
  certificate => "$directory/tls/receiver.pem",
  key => "$directory/tls/receiver.key")->start;
my $http = HTTP::Tiny->new(keep_alive => 1, verify_SSL => 1, timeout => 5,
  SSL_options => {SSL_ca_file => "$directory/tls/ca.pem"});
sub send_event {
  my ($body, $header) = @_;
  return $http->post($receiver->url, {content => $body,
    headers => {$header ? ('Service-Signature' => $header) : ()}})->{status};
}

is send_event('{"id":"evt_1"}'), 200, 'it answers 200 by default';
is(($receiver->requests)[0]{event}{id}, 'evt_1', 'and records what came');
$receiver->expect_secret('/webhooks', $secret);
is send_event('{}'), 400, 'an unsigned request to a secret path gets 400';
my $time = time;
is send_event('{}', "t=$time,v1=" . hmac_sha256_hex("$time.{}", $secret)), 200,
  'a signed one 200';
$receiver->expect_secret('/webhooks', '');
$receiver->behave({status => 503}, {status => 200, body => 'fine'});
is_deeply [map { send_event('{}') } 1 .. 3], [503, 200, 200],
  'it takes one behaviour after the other';
my %connections = map { $_->{connection} => 1 } $receiver->requests;
is keys %connections, 1, 'all over one kept connection';
$receiver->behave({close => 1});
is send_event('{}'), 599, 'it can close instead of answering';
done_testing;
