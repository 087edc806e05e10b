# What httpd and the table of routes refuse before any handler runs: always the
# envelope, always a request id.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use Verify::Test;

my $service = Verify::Instance->start;
my $client = $service->organization(sandbox => 1)->{client};
my $sessions = '/v1/verification_sessions';
my @json = ('Content-Type' => 'application/json');

subtest 'paths and methods' => sub {
  error_is $client->get('/v1/nothing'), 404, 'resource_missing';
  error_is $client->get("$sessions/"), 404, 'resource_missing';
  error_is $client->get('/v1/health/live/more'), 404, 'resource_missing';
  error_is $client->get("$sessions/%C3%A4/cancel/x"), 404, 'resource_missing';
  my $answer = $client->request('PUT', $sessions, {});
  error_is $answer, 405, 'method_not_allowed';
  is $answer->header('Allow'), 'POST, GET, HEAD, OPTIONS', 'with Allow';
  $answer = $client->request('BREW', '/v1/health/live', {});
  error_is $answer, 405, 'method_not_allowed';
  is $answer->header('Allow'), 'GET, HEAD, OPTIONS', 'of that path';
  error_is $client->request('TRACE', $sessions, {}), 405, 'method_not_allowed';
  $answer = $client->request('OPTIONS', $sessions, {});
  is $answer->status, 204, 'OPTIONS answers';
  is $answer->header('Allow'), 'POST, GET, HEAD, OPTIONS', 'what is allowed';
  $answer = $client->request('HEAD', $sessions, {});
  is $answer->status, 200, 'HEAD works where GET does';
  is $answer->body // '', '', 'without a body';
  ok $answer->header('Content-Length') > 50, 'but with its length';
};

subtest 'queries' => sub {
  error_is $client->get("$sessions?limit=1&limit=2"), 400, 'parameter_invalid', 'limit';
  error_is $client->get("$sessions?min_strenght=mdl"), 400, 'parameter_invalid',
    'min_strenght';
  error_is $client->get("$sessions?limit=%00"), 400, 'parameter_invalid', 'limit';
  error_is $client->get("$sessions?limit=%zz"), 400, 'parameter_invalid', 'limit';
  error_is $client->get("$sessions?search=%ff%fe"), 400, 'parameter_invalid', 'search';
  error_is $client->get("$sessions?=1"), 400, 'parameter_invalid';
  error_is $client->get("$sessions?limit=ten"), 400, 'parameter_invalid', 'limit';
  error_is $client->get("$sessions?limit=101"), 400, 'parameter_invalid', 'limit';
  error_is $client->get("$sessions?limit=0"), 400, 'parameter_invalid', 'limit';
  error_is $client->post("$sessions?type=age", {type => 'age'}), 400, 'parameter_invalid',
    'type';
  is $client->get("$sessions?limit=%31%30&")->status, 200, 'escapes are read';
};

subtest 'bodies' => sub {
  error_is $client->post($sessions, '{"type":'), 400, 'parameter_invalid';
  error_is $client->post($sessions, '[1]'), 400, 'parameter_invalid';
  error_is $client->post($sessions, '[]'), 400, 'parameter_invalid', 'type',
    'which counts as an empty object';
  error_is $client->post($sessions, '{"type":"age","type":"age"}'), 400,
    'parameter_invalid';
  error_is $client->post($sessions, "{\"type\":\"\xff\"}"), 400, 'parameter_invalid';
  error_is $client->post($sessions, '{"type":"a\u0000"}'), 400, 'parameter_invalid';
  error_is $client->post($sessions, '{"metadata":' . '[' x 20 . ']' x 20 . '}'),
    400, 'parameter_invalid';
  error_is $client->post($sessions, ''), 400, 'parameter_invalid', 'type',
    'an empty body is an empty object';
  error_is $client->post($sessions, '{"colour":1,"type":2}'), 400,
    'parameter_invalid', 'colour', 'the first fault of the document counts';
  error_is $client->post($sessions, '{"type":2,"colour":1}'), 400,
    'parameter_invalid', 'type';
  error_is $client->post($sessions, '{}', 'Content-Type' => 'text/plain'), 415,
    'unsupported_media_type';
  error_is $client->post($sessions, '{}', 'Content-Encoding' => 'gzip'), 415,
    'unsupported_media_type';
  is $client->post($sessions, '{}', 'Content-Type' => 'Application/JSON; charset=utf-8')
    ->error->{param}, 'type', 'parameters of the media type do not matter';
  error_is $client->request('GET', $sessions, {content => '{}'}, @json), 400,
    'parameter_invalid';
  error_is $client->post($sessions, '{"a":"' . 'a' x 65536 . '"}'), 413,
    'body_too_large';
  my $sent = 0;
  my $chunked = {content => sub { $sent++ < 100 ? ' ' x 1000 : undef }};
  error_is $client->request('POST', $sessions, $chunked, @json), 413,
    'body_too_large', undef, 'a chunked body has the same limit';
};

subtest 'what httpd refuses itself' => sub {
  my %requests = (
    'a control character' => [400, "GET /v1/health/live\x01 HTTP/1.1\r\nHost: a\r\n\r\n"],
    'no host' => [400, "GET /v1/health/live HTTP/1.1\r\n\r\n"],
    'a long path' => [414, 'GET /v1/' . 'a' x 9000 . " HTTP/1.1\r\nHost: a\r\n\r\n"],
    'a long header' => [400, "GET /v1/health/live HTTP/1.1\r\nHost: a\r\nX: "
      . 'a' x 9000 . "\r\n\r\n"],
    'a bad length' => [400, "POST $sessions HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n"],
    'a path that leaves the root' =>
      [400, "GET /v1/%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n"],
  );
  for my $name (sort keys %requests) {
    my ($status, $bytes) = @{$requests{$name}};
    my $answer = $client->raw($bytes);
    like $answer, qr{\AHTTP/1\.1 $status }, "$name: $status";
    my ($id) = $answer =~ /^X-Request-Id: (req_\w+)/m;
    like $answer, qr/"request_id":"\Q$id\E"\}\}\z/, 'the envelope, with its id'
      if ok $id, 'a request id';
  }
};
$service->expect_log(qr/AH10244: invalid URI path/);

subtest 'a refused body over HTTP/2' => sub {
  open my $file, '>', "$service->{directory}/body" or die;
  print $file ' ' x 70_000;
  close $file;
  for my $case ([413, "Bearer $client->{token}"], [401, 'Bearer nonsense']) {
    my ($status, $authorization) = @$case;
    open my $curl, '-|', 'curl', '-sS', '--http2', '--max-time', 20, '--cacert',
      $service->ca_file, '-w', ' %{http_code} %{http_version}',
      '-H', 'Content-Type: application/json', '-H', "Authorization: $authorization",
      '--data-binary', "\@$service->{directory}/body", $service->base_url_tls . $sessions;
    like join('', <$curl>), qr/"request_id":"req_\w+"\}\} $status 2\z/,
      "the answer arrives: $status";
  }
};

subtest 'the log' => sub {
  my $id = $client->get('/v1/nothing')->header('X-Request-Id');
  ok wait_for { open my $log, '<', "$service->{directory}/logs/access.log";
    grep { /\b\Q$id\E\b/ } <$log> }, 'the request id is in the access log';
};

finish $service;
