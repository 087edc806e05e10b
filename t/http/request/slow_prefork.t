# Where each client that is waited for holds a worker (prefork, eight of them),
# slow bodies, slow images and those who do not read leave some to all others.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use JSON::PP ();
use Verify::SlowClients;
use Verify::SlowReaders;
use Verify::Test;

local $ENV{VERIFY_MPM} = 'prefork';
# Nobody is late meanwhile.
my $service = Verify::Instance->start(
  conf => "VerifyUploadStart 60\nVerifySmallBodyTime 60\nVerifyAnswerStart 60\n"
    . "SendBufferSize 16384\n");
# HTTP/2 is nothing that prefork has; and for a moment all workers are busy.
$service->allow_log(qr/AH10034/, qr/AH00161/);
my @organizations = map { $service->organization(sandbox => 1, workflow => 1) } 1 .. 4;

# A session that awaits an image.
sub ready {
  my ($organization) = @_;
  my $session = answer_is($organization->{client}->post(
    '/v1/verification_sessions', {type => 'age', jurisdiction => 'US-CA',
      workflow_id => $organization->{workflow_id}}), 201, 'session created');
  my $person = $service->client($session->{client_secret});
  $session->{path} = "/v1/widget/sessions/$session->{id}";
  $person->post("$session->{path}/open", {});
  answer_is($person->post("$session->{path}/consent", {consent => JSON::PP::true}),
    200);
  return $session;
}
sub head_of {
  my ($method, $path, $token, $type, $length) = @_;
  return "$method $path HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer $token\r\n"
    . "Content-Type: $type\r\nContent-Length: $length\r\n\r\n\xff";
}
sub slow {
  my (@heads) = @_;
  return Verify::SlowClients->new(port => $service->{http_port},
    count => scalar @heads, addresses => scalar @heads, head => sub { $heads[$_[0]] });
}

my @sessions = map { ready($_) } @organizations;
# Connections that are kept alive hold workers as well.
delete $_->{client} for @organizations;
# One organization and one address alone would have half of the places.
my $images = slow(map { head_of('PUT', "$_->{path}/images/front",
  $_->{client_secret}, 'image/jpeg', 20_000_000) } @sessions);
my $bodies = slow(map { head_of('POST', '/v1/risk/score', $_->{secret_key},
  'application/json', 65_000) } @organizations);
ok wait_for { $_->pulse('') for $images, $bodies; my $some = $images->answers;
  my $other = $bodies->answers; $some->{none} == 2 && $other->{none} == 2 },
  'a third of the workers waits for each' or diag explain $images->answers,
  $bodies->answers;
my $readers = Verify::SlowReaders->new(port => $service->{http_port}, count => 6,
  addresses => 6, head => "GET /v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n");
ok $readers->begin_until(sub { !$_->{none} }), 'who asks for a long answer gets one'
  or diag explain $readers->answers;
is_deeply $readers->answers, {none => 0, 200 => 1, 503 => 5}, '... or is told to come again';
is $service->client(undef, timeout => 10)->get('/v1/health/live')->status, 200,
  'health answers';
is $service->client($organizations[0]{secret_key}, timeout => 10)
  ->get('/v1/verification_sessions')->status, 200,
  'and so does all else';
$_->close for $images, $bodies, $readers;
finish($service);
