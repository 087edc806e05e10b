# Limits that the administrator sets with httpd's own directives, and Require
# lines of his own: still the envelope.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use Verify::Test;

my $service = Verify::Instance->start(conf => <<'CONF');
RequestReadTimeout body=1
LimitRequestBody 1000
<Location "/v1/health/live">
    Require expr %{HTTP:X-Blocked} != 'yes'
</Location>
<Location "/elsewhere">
    Require all denied
</Location>
CONF
$service->allow_log(qr/AH01630: client denied|AH01588|AH00485/);
my $client = $service->organization(sandbox => 1)->{client};
my $sessions = '/v1/verification_sessions';

sub envelope_is {
  my ($answer, $status, $code) = @_;
  like $answer, qr{\AHTTP/1\.1 $status }, "status $status";
  my ($id) = $answer =~ /^X-Request-Id: (req_\w+)/m;
  like $answer, qr/\n\{"error":\{"type":"invalid_request_error","code":"$code".*"request_id":"$id"\}\}\z/,
    $code if ok $id, 'with a request id';
}

my $head = "POST $sessions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer $client->{token}\r\n"
  . "Content-Type: application/json\r\n";
envelope_is $client->raw("${head}Content-Length: 20\r\n\r\n{\"type\""), 408,
  'request_timeout';
error_is $client->post($sessions, '{"a":"' . 'a' x 2000 . '"}'), 413, 'body_too_large';
envelope_is $client->raw("${head}Transfer-Encoding: chunked\r\n\r\n"
  . "7d0\r\n" . ' ' x 2000 . "\r\n0\r\n\r\n"), 413, 'body_too_large';
envelope_is $client->raw("${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n"), 400,
  'parameter_invalid';
error_is $client->get('/v1/health/live', 'X-Blocked' => 'yes'), 403, 'access_denied';
is $client->get('/v1/health/live')->status, 200, 'the others pass';
my $elsewhere = $client->get('/elsewhere');
is $elsewhere->status, 403, 'outside of the service';
like $elsewhere->header('Content-Type'), qr{^text/html}, 'httpd answers as ever';
is $elsewhere->header('X-Request-Id'), undef, 'without our headers';

subtest 'without AuthType' => sub {
  $service->{conf} = <<'CONF';
<Location "/v1">
    AuthType None
    Require all granted
</Location>
CONF
  $service->start_httpd;
  error_is $service->client->get($sessions), 401, 'api_key_invalid';
  is $service->client($client->{token})->get($sessions)->status, 200,
    'the table of routes asks for the key all the same';
};

finish $service;
