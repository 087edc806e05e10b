# Cross-origin requests of browsers: listed origins may call what takes a
# publishable key, and nothing else.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Test;

my ($shop, $local) = ('https://shop.example', 'http://localhost:3000');
my $service = Verify::Instance->start(conf => "VerifyCORSOrigins $shop\nVerifyCORSOrigins $local\n");
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $key = $service->key($organization->{id}, 'publishable');
my $page = $service->client($key);
my $sessions = '/v1/verification_sessions';
my $session = answer_is($organization->{client}->post($sessions, {type => 'age',
  workflow_id => $organization->{workflow_id}, jurisdiction => 'US-CA'}), 201);
my $compliance = '/v1/compliance/check?use_cases=firearms&jurisdiction=DE';
my @exposed = qw(Service-Deprecation X-Request-Id X-RateLimit-Limit
  X-RateLimit-Remaining X-RateLimit-Reset Retry-After Idempotent-Replayed);

sub cors_headers {
  my ($answer) = @_;
  return {map { $_ => $answer->{headers}{$_} }
    grep { /\Aaccess-control-/ } keys %{$answer->{headers}}};
}
sub readable_ok {
  my ($answer, $origin, $name) = @_;
  is_deeply cors_headers($answer), {'access-control-allow-origin' => $origin,
    'access-control-expose-headers' => join ', ', @exposed}, "$name: readable";
  like $answer->header('Vary') // '', qr/\bOrigin\b/, "$name: Vary";
}
sub hidden_ok {
  my ($answer, $name) = @_;
  is_deeply cors_headers($answer), {}, "$name: not readable";
}
sub preflight {
  my ($path, $method, %headers) = @_;
  return $service->client(undef)->request('OPTIONS', $path, {}, Origin => $shop,
    'Access-Control-Request-Method' => $method,
    'Access-Control-Request-Headers' => 'authorization,content-type', %headers);
}

subtest 'preflight' => sub {
  for (['POST', $sessions], ['GET', "$sessions/$session->{id}"], ['GET', $compliance]) {
    my ($method, $path) = @$_;
    my $answer = preflight($path, $method);
    is $answer->status, 204, "$method $path";
    is_deeply cors_headers($answer), {
      'access-control-allow-origin' => $shop,
      'access-control-allow-methods' => $method,
      'access-control-allow-headers' =>
        'Authorization, Content-Type, Idempotency-Key, X-Service-Session-Secret',
      'access-control-max-age' => 7200}, 'exactly what is allowed';
    like $answer->header('Vary') // '', qr/\bOrigin\b/, 'Vary';
    is $answer->header('X-RateLimit-Limit'), undef, 'it counts against no key';
    is $answer->body // '', '', 'no body';
  }
  is cors_headers(preflight($sessions, 'POST', Origin => $local))
    ->{'access-control-allow-origin'}, $local, 'the other origin';
  for (['GET', $sessions], ['DELETE', $sessions], ['POST', "$sessions/x/cancel"],
    ['POST', '/v1/verified_person/lookup'], ['POST', '/v1/risk/score'],
    ['GET', '/v1/webhook_endpoints'], ['POST', $compliance], ['GET', '/v1/nothing'],
    ['GET', "/v1/widget/sessions/$session->{id}"], ['*', $sessions], ['', $sessions],
    ['GET', '/verify/embed.js'], ['GET', '/v1/openapi.json'], ['post', $sessions]) {
    hidden_ok(preflight($_->[1], $_->[0]), "preflight of $_->[0] $_->[1]");
  }
  for my $origin ('https://evil.example', 'null', 'http://shop.example',
    "$shop.evil.example", "$shop:8443", uc $shop, "$shop/", '*', "$shop, $local",
    'https://evil.example ' . $shop, undef) {
    my $answer = preflight($sessions, 'POST', Origin => $origin);
    hidden_ok($answer, 'preflight from ' . ($origin // 'nowhere'));
    like $answer->header('Vary') // '', qr/\bOrigin\b/, 'Vary all the same';
  }
};

subtest 'answers' => sub {
  my %secret = ('X-Service-Session-Secret' => $session->{client_secret});
  my $answer = $page->get("$sessions/$session->{id}", Origin => $shop, %secret);
  is answer_is($answer, 200)->{id}, $session->{id}, 'a session is retrieved';
  readable_ok($answer, $shop, 'retrieval');
  ok defined $answer->header($_), "$_ is there to be read"
    for qw(X-Request-Id X-RateLimit-Limit X-RateLimit-Remaining X-RateLimit-Reset);
  $answer = $page->get($compliance, Origin => $local);
  is $answer->status, 200, 'compliance is checked';
  readable_ok($answer, $local, 'compliance');
  $answer = $page->post($sessions, {type => 'age', jurisdiction => 'US-CA',
    workflow_id => $organization->{workflow_id}}, Origin => $shop);
  error_is($answer, 400, 'captcha_required');
  readable_ok($answer, $shop, 'a refused creation');
  ok $answer->header('Service-Deprecation'), 'with its deprecation';
  hidden_ok($page->get("$sessions/$session->{id}", %secret), 'without an origin');
  like $page->get("$sessions/$session->{id}", %secret)->header('Vary') // '',
    qr/\bOrigin\b/, 'but Vary';
  hidden_ok($page->get("$sessions/$session->{id}", %secret,
    Origin => 'https://evil.example'), 'from elsewhere');
};

subtest 'errors' => sub {
  my $stranger = $service->client('svc_pk_' . 'x' x 43);
  my @refusals = (
    [401, 'no key', $service->client(undef)->get($compliance, Origin => $shop)],
    [401, 'an unknown key', $stranger->get($compliance, Origin => $shop)],
    [401, 'no session secret', $page->get("$sessions/$session->{id}", Origin => $shop)],
    [404, 'an unknown session', $page->get("$sessions/vks_1", Origin => $shop)],
    [400, 'a bad parameter', $page->get("$compliance&x=1", Origin => $shop)],
    [415, 'a bad body', $page->post($sessions, 'x', Origin => $shop,
      'Content-Type' => 'text/plain')],
    [413, 'a large body', $page->post($sessions, 'x' x 70_000, Origin => $shop)],
  );
  for (@refusals) {
    my ($status, $name, $answer) = @$_;
    is $answer->status, $status, "$name: $status";
    readable_ok($answer, $shop, $name);
  }
  hidden_ok($page->get($sessions, Origin => $shop), 'a route of secret keys');
  hidden_ok($page->post("$sessions/$session->{id}/cancel", {}, Origin => $shop),
    'nor cancelling');
  hidden_ok($organization->{client}->get($sessions, Origin => $shop),
    'not even with a secret key');
  hidden_ok($service->client($session->{client_secret})
    ->get("/v1/widget/sessions/$session->{id}", Origin => $shop), "the widget's own");
};

subtest 'the limit of requests' => sub {
  $service->{conf} .= "VerifyRateLimit publishable 1\n";
  $service->stop_httpd;
  $service->start_httpd;
  my $answer;
  wait_for { $answer = $page->get($compliance, Origin => $shop);
    $answer->status == 429 };
  readable_ok($answer, $shop, 'a limited request');
  ok $answer->header('Retry-After'), 'says when to come again';
};

subtest 'by default' => sub {
  $service->{conf} = '';
  $service->stop_httpd;
  $service->start_httpd;
  my $answer = preflight($sessions, 'POST');
  is $answer->status, 204, 'OPTIONS answers';
  hidden_ok($answer, 'a preflight');
  is $answer->header('Vary'), undef, 'no Vary';
  hidden_ok($page->get($compliance, Origin => $shop), 'an answer');
};

finish($service);
