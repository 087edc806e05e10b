# Authentication, errors, idempotency, rate headers, versioning.
use v5.32;
use warnings;
use utf8;
use Verify::Conformance;

my $service = Verify::Instance->start(conf => "VerifyRateLimit publishable 20\n");
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $client = $organization->{client};
my $nobody = $service->client(undef);
my $sessions = '/v1/verification_sessions';
my %least = (type => 'age', workflow_id => $organization->{workflow_id},
  jurisdiction => 'US-CA');

subtest 'every API request is authenticated; 401 api_key_invalid' => sub {
  my $key = $organization->{secret_key};
  my $revoked = $service->verifyctl(qw(key create --org), $organization->{id},
    qw(--type secret));
  my $expired = $service->expired_key($organization->{id}, 'secret');
  is $service->client($revoked->{key})->get($sessions)->status, 200, 'before';
  $service->verifyctl(qw(key revoke), $revoked->{id});
  my %wrong = (missing => undef, revoked => "Bearer $revoked->{key}",
    expired => "Bearer $expired", empty => '', 'no scheme' => $key,
    basic => 'Basic ' . $key, 'another scheme' => "Token $key",
    'a letter more' => "Bearer ${key}a", 'a letter less' => 'Bearer ' . substr($key, 0, -1),
    'upper case' => 'Bearer ' . uc $key, garbage => 'Bearer x',
    'another role' => 'Bearer ' . $key =~ s/_sk_/_pk_/r,
    'two of them' => "Bearer $key $key", long => 'Bearer ' . 'a' x 4000,
    prefix => 'Bearer svc_sk_', 'other brand' => 'Bearer ' . $key =~ s/svc/xyz/r);
  for my $name (sort keys %wrong) {
    my $answer = $nobody->get($sessions, Authorization => $wrong{$name});
    error_is($answer, 401, 'api_key_invalid', undef, $name);
    is $answer->header('X-RateLimit-Limit'), undef, "$name: no limiter's headers";
  }
  is $nobody->get($sessions, Authorization => "bearer $key")->status, 200,
    'the scheme has no case';
};

subtest 'publishable keys' => sub {
  my $key = $service->key($organization->{id}, 'publishable');
  like $key, qr/\Asvc_pk_/, 'prefix';
  like $organization->{secret_key}, qr/\Asvc_sk_/, 'prefix of a secret key';
  unlike $organization->{secret_key}, qr/_(?:test|live)_/, 'never test or live';
  my $browser = $service->client($key);
  my $created = $browser->post($sessions, \%least);
  ok $created->status =~ /\A40[03]\z/, 'creation without a captcha'
    or diag $created->body;
  is $created->header('Service-Deprecation'), 'publishable-key-session-create',
    'refusals included';
  my $bad = $browser->post($sessions, {});
  is $bad->header('Service-Deprecation'), 'publishable-key-session-create',
    'of a faulty body too';
  is $client->post($sessions, \%least)->header('Service-Deprecation'), undef,
    'not with a secret key';
  for (['GET', $sessions], ['POST', '/v1/risk/score'], ['GET', '/v1/events'],
    ['GET', '/v1/webhook_endpoints'], ['POST', '/v1/verified_person/lookup'],
    ['GET', '/v1/trust_reuse/settings'], ['GET', '/v1/trust_reuse/grants']) {
    my ($method, $path) = @$_;
    my $answer = $method eq 'GET' ? $browser->get($path) : $browser->post($path, {});
    error_is($answer, 403, 'publishable_key_scope', undef, "$method $path");
    is $answer->header('Service-Deprecation'), undef, 'is not deprecated';
  }
  my $session = $client->post($sessions, \%least)->json;
  my $path = "$sessions/$session->{id}";
  my $with = sub { $browser->get($_[0] // $path, 'X-Service-Session-Secret' => $_[1]) };
  my $found = answer_is($with->(undef, $session->{client_secret}), 200,
    'retrieval with the session secret');
  is $found->{client_secret}, undef, 'which it does not repeat';
  my $second = $client->post($sessions, \%least)->json;
  my $without = $browser->get($path);
  like $without->status, qr/\A40[0134]\z/, 'without it: ' . $without->status
    . ' ' . $without->error->{code};
  is $with->(undef, $_)->status, $without->status, 'wrong secret'
    for 'x', $second->{client_secret}, uc $session->{client_secret};
  like $with->("$path?expand[]=results", $session->{client_secret})->status,
    qr/\A40[03]\z/, 'cannot use expand[]';
  is answer_is($browser->get('/v1/compliance/check?use_cases=firearms&jurisdiction=US'),
    200)->{jurisdiction_source}, 'explicit', 'compliance check';
};

subtest 'errors: envelope, 404, 405 with Allow, 413, 415' => sub {
  error_is($client->get($_), 404, 'resource_missing', undef, $_)
    for '/v1', '/v1/', '/v2', '/v2/verification_sessions', '/v0/events', '/v10/events', '/v1/none', "$sessions/", "$sessions/a/b/c", '/v1/Events';
  for (['DELETE', $sessions, 'GET HEAD POST'], ['PUT', $sessions, 'GET HEAD POST'],
    ['PATCH', '/v1/webhook_endpoints/x', 'DELETE GET HEAD POST'],
    ['POST', '/v1/events', 'GET HEAD'], ['GET', '/v1/risk/score/x', ''],
    ['GET', '/v1/verified_person/lookup', 'POST']) {
    my ($method, $path, $allowed) = @$_;
    my $answer = $client->request($method, $path, {});
    if (!$allowed) {
      error_is($answer, 404, 'resource_missing', undef, $path);
      next;
    }
    error_is($answer, 405, 'method_not_allowed', undef, "$method $path");
    my @methods = grep { $_ ne 'OPTIONS' }
      sort split /, */, $answer->header('Allow') // '';
    is "@methods", $allowed, 'Allow';
  }
  for my $id ('x', 'vks_0', 'vks_' . '0' x 26, 'evt_' . '0' x 26, 'i' x 300, 'i' x 450,
    '%F0%9F%98%80', '%20', '-1', '%27') {
    my $name = length $id > 40 ? length($id) . ' characters' : $id;
    error_is($client->get($_), 404, /session/ ? 'session_not_found' : 'resource_missing',
      undef, "GET $name") for "$sessions/$id", "/v1/events/$id", "/v1/risk/$id",
      "/v1/webhook_endpoints/$id", "/v1/webhook_endpoints/$id/deliveries",
      "/v1/webhook_endpoints/$id/deliveries/$id";
    error_is($client->post($_), 404, /session/ ? 'session_not_found' : 'resource_missing',
      undef, "POST $name") for "$sessions/$id/cancel", "/v1/webhook_endpoints/$id",
      "/v1/session_reviews/sessions/$id/flag", "/v1/webhook_endpoints/$id/test",
      "/v1/webhook_endpoints/$id/rotate-secret",
      "/v1/webhook_endpoints/$id/deliveries/$id/retry";
    error_is($client->delete("$_/$id"), 404, 'resource_missing', undef, "DELETE $name")
      for '/v1/webhook_endpoints', '/v1/trust_reuse/grants';
  }
  my $post = sub {
    my ($body, $type) = @_;
    return $client->request_with_body('POST', $sessions, $body,
      'Content-Type' => $type // 'application/json');
  };
  error_is($post->($_), 400, 'parameter_invalid', undef, 'body ' . substr $_, 0, 20)
    for '[1]', '1', 'null', '{', '{}x', '{"a":1', "{'type':1}", "\xff{}",
    "\xef\xbb\xbf{}", '{"type":"age","type":"age"}', '[' x 17 . ']' x 17,
    "{\"type\":\"\xc3\"}", '{"type":"\u0000"}', '{"type":"\ud800"}', 'NaN';
  error_is($post->('{}', $_), 415, $post->('{}', $_)->error->{code}, undef, $_)
    for 'text/plain', 'application/x-www-form-urlencoded', 'application/jsonx',
    'multipart/form-data; boundary=x', 'application/json-patch+json';
  isnt $post->('{}', $_)->status, 415, $_ for 'application/json; charset=utf-8',
    'Application/JSON', 'application/json;charset="UTF-8"';
  error_is($post->('{"metadata":' . '{"a":' x 16 . '1' . '}' x 17), 400,
    'parameter_invalid', undef, 'nested deeper than 16');
  error_is($post->('{"type":"' . 'a' x 65536 . '"}'), 413, 'body_too_large', undef,
    'over 64 KiB');
  isnt $post->('{"type":"' . 'a' x (65536 - 11) . '"}')->status, 413, 'at 64 KiB';
  for (['Range', 'bytes=0-9'], ['If-None-Match', '*'], ['Accept', 'text/html'],
    ['If-Modified-Since', 'Sat, 01 Jan 2050 00:00:00 GMT'], ['If-Match', '"x"'],
    ['X-HTTP-Method-Override', 'DELETE'], ['Content-Type', 'text/plain']) {
    my $answer = $client->get($sessions, @$_);
    is $answer->status, 200, "@$_ changes nothing";
    is $answer->json->{object} // '', 'list', 'whole';
  }
  my $two = $client->get($sessions)->header('X-Request-Id');
  like $two, qr/\Areq_/, 'X-Request-Id on success';
  isnt $client->get($sessions, 'X-Request-Id' => 'req_mine')
    ->header('X-Request-Id'), 'req_mine', 'a caller does not choose it';
};

# PHP writes an empty object as [], and other clients send null for what they do
# not set, or a body with DELETE.
subtest 'what common clients send for nothing' => sub {
  my $post = sub { $client->request_with_body('POST', $_[0], $_[1]) };
  error_is($post->($sessions, '[]'), 400, 'parameter_invalid', 'type',
    '[] is an empty object');
  my %nulls = map { $_ => undef } qw(metadata email phone jurisdiction return_url
    cancel_url client_reference_id required_methods credential_hash locale);
  my $session = answer_is($client->post($sessions, {%least, %nulls}), 201,
    'null for each optional parameter');
  is_deeply $session->{metadata}, {}, 'means that it is absent';
  error_is($client->post($sessions, {%least, type => undef}), 400,
    'parameter_invalid', 'type', 'null for a required one');
  is_deeply answer_is($post->($sessions, do {
    my $text = JSON::PP->new->encode({%least});
    $text =~ s/\}\z/,"metadata":[]}/r;
  }), 201, '"metadata": []')->{metadata}, {}, 'is an empty object';
  answer_is($post->("$sessions/$session->{id}/cancel", $_), 200, "cancel with $_")
    for '[]';
  for my $body ('', '{}', '[]') {
    my $endpoint = answer_is($client->post('/v1/webhook_endpoints', {enabled_events =>
      ['*'], url => 'https://receiver.example/'}), 201, 'an endpoint');
    error_is($client->request_with_body('DELETE',
      "/v1/webhook_endpoints/$endpoint->{id}", '{"a":1}'), 400, 'parameter_invalid',
      undef, 'DELETE with a parameter');
    answer_is($client->request_with_body('DELETE',
      "/v1/webhook_endpoints/$endpoint->{id}", $body), 200, "DELETE with '$body'");
  }
};

subtest 'one error at a time, the first in document order' => sub {
  my $post = sub { $client->request_with_body('POST', $_[0], $_[1]) };
  error_is($post->($_->[0], $_->[1]), 400, 'parameter_invalid', $_->[2], $_->[1]) for
    [$sessions, '{"workflow_id":5,"type":7}', 'workflow_id'],
    [$sessions, '{"type":7,"workflow_id":5}', 'type'],
    [$sessions, '{"unknown":1,"type":7}', 'unknown'],
    [$sessions, '{"type":7,"unknown":1}', 'type'],
    [$sessions, '{"type":"age","metadata":{"a":"b","c":1,"d":2},"jurisdiction":"x"}',
      'metadata.c'],
    [$sessions, '{"jurisdiction":"x","metadata":{"c":1}}', 'jurisdiction'],
    [$sessions, '{"required_methods":["x","y"],"type":1}', 'required_methods[0]'],
    ['/v1/webhook_endpoints', '{"enabled_events":["*","x"],"url":"x"}',
      'enabled_events[0]'],
    ['/v1/webhook_endpoints', '{"url":"x","enabled_events":["x"]}', 'url'],
    ['/v1/webhook_endpoints', '{"name":1,"secret":"x","url":1}', 'name'],
    ['/v1/risk/score', '{"phone":"1","ip":"x"}', 'phone'],
    ['/v1/risk/score', '{"ip":"x","phone":"1"}', 'ip'],
    ['/v1/verified_person/lookup', '{"max_age":"x","email":"x"}', 'max_age'],
    ['/v1/verified_person/lookup', '{"email":"x","max_age":"x"}', 'email'],
    ['/v1/verified_person/lookup', '{"email":"x","max_age":30}', 'email'],
    ['/v1/verified_person/lookup', '{"methods":["x"],"phone":1}', 'methods[0]'],
    ['/v1/risk/score', '{"email":"x","ip":5}', 'email'],
    ['/v1/risk/score', '{"claimed_country":"ZZ","doc_country":"USA"}', 'claimed_country'],
    ['/v1/webhook_endpoints', '{"url":"http://a.example/","name":1}', 'url'],
    ['/v1/webhook_endpoints', '{"enabled_events":["x"],"url":1}', 'enabled_events[0]'],
    ['/v1/webhook_endpoints', '{"metadata":{"a":1},"url":1}', 'metadata.a'],
    [$sessions, '{"email":"x","type":7}', 'email'],
    [$sessions, '{"max_age":"x","type":7}', 'max_age'],
    [$sessions, '{"metadata":{"a":1},"type":7}', 'metadata.a'],
    [$sessions, '{"return_url":"x","cancel_url":5}', 'return_url'];
  my $endpoint = $client->post('/v1/webhook_endpoints', {enabled_events => ['*'],
    url => 'https://receiver.example/'})->json;
  error_is($post->("/v1/webhook_endpoints/$endpoint->{id}", $_->[0]), 400,
    'parameter_invalid', $_->[1], "update $_->[0]") for
    ['{"url":"http://a.example/","name":1}', 'url'],
    ['{"metadata":{"a":1},"status":1}', 'metadata.a'],
    ['{"enabled_events":["x"],"status":"x"}', 'enabled_events[0]'];
  error_is($client->get("$_->[0]"), 400, 'parameter_invalid', $_->[1], $_->[0]) for
    ["$sessions?unknown=1&limit=0", 'unknown'], ["$sessions?limit=0&unknown=1", 'limit'],
    ["$sessions?status=x&limit=0", 'status'], ["$sessions?limit=0&status=x", 'limit'],
    ['/v1/events?type=x&limit=0', 'type'], ['/v1/events?limit=0&type=x', 'limit'],
    ["$sessions?starting_after=x&limit=0", 'starting_after'],
    ["$sessions?search=&limit=0", 'search'],
    ['/v1/events?created_gte=x&limit=0', 'created_gte'],
    ['/v1/events?ending_before=x&unknown=1', 'ending_before'],
    ['/v1/webhook_endpoints?starting_after=x&limit=0', 'starting_after'],
    ["/v1/webhook_endpoints/$endpoint->{id}/deliveries?event_type=x&limit=0",
      'event_type'],
    ['/v1/compliance/check?use_cases=x&unknown=1', 'use_cases'],
    ['/v1/compliance/check?jurisdiction=x&use_cases=x', 'jurisdiction'],
    ['/v1/compliance/check?use_cases=x&jurisdiction=x', 'use_cases'];
};

subtest 'rate headers and 429' => sub {
  my $browser = $service->client($service->key($organization->{id}, 'publishable'));
  my $path = '/v1/compliance/check?use_cases=firearms&jurisdiction=US';
  wait_for { (time % 60) < 50 } 30;
  my ($last, $limited);
  for my $count (1 .. 21) {
    my $answer = $count == 21 ? ($limited = $browser->get($path))
      : $count == 3 ? $browser->get('/v1/compliance/check?use_cases=x')
      : $count == 4 ? $browser->get('/v1/events') : $browser->get($path);
    is $answer->header('X-RateLimit-Limit'), 20, "limit on $count: " . $answer->status;
    is $answer->header('X-RateLimit-Remaining'), $count > 20 ? 0 : 20 - $count,
      'remaining';
    is $answer->header('X-RateLimit-Reset') % 60, 0, 'fixed one-minute windows';
    $last = $answer;
  }
  error_is($limited, 429, 'rate_limit_exceeded', undef, 'the twenty-first');
  my $after = $limited->header('Retry-After');
  like $after, qr/\A[0-9]{1,2}\z/, 'Retry-After in seconds';
  cmp_ok abs($limited->header('X-RateLimit-Reset') - time - $after), '<=', 1,
    'until the window\'s reset';
  is $client->get($sessions)->status, 200, 'per key';
  my $live = $service->organization;
  for ([$client, 'sandbox'], [$live->{client}, 'live']) {
    my ($one, $name) = @$_;
    my @left = map { my $answer = $one->get($_->[0]);
      is $answer->status, $_->[1], "$name: $_->[1]";
      is $answer->header('X-RateLimit-Limit'), 1000, 'a thousand for secret keys';
      $answer->header('X-RateLimit-Reset') . '-' . $answer->header('X-RateLimit-Remaining')
    } [$sessions, 200], ["$sessions/x", 404], ["$sessions?limit=0", 400];
    my ($first) = $left[0] =~ /-(\d+)/;
    ok +($left[2] =~ s/-.*//r) ne ($left[0] =~ s/-.*//r) || $left[2] =~ /-@{[$first - 2]}\z/,
      'refusals count, too' or diag "@left";
  }
};

subtest 'Idempotency-Key' => sub {
  my $post = sub {
    my ($key, $body, $who, $path) = @_;
    return ($who // $client)->post($path // $sessions, $body,
      'Idempotency-Key' => $key);
  };
  my %body = (%least, metadata => {a => '1', b => '2'});
  my $first = $post->('key-1', \%body);
  my $again = $post->('key-1', \%body);
  is $again->status, 201, 'the original response is replayed';
  is $again->body, $first->body, 'byte-identical, the client_secret too';
  is $first->header('Idempotent-Replayed'), undef, 'the first is none';
  is $again->header('Idempotent-Replayed'), 'true', 'Idempotent-Replayed';
  isnt $again->header('X-Request-Id'), $first->header('X-Request-Id'),
    'a request id of its own';
  error_is($post->('key-1', {%body, client_reference_id => 'x'}), 400,
    'idempotency_key_reuse', undef, 'same key and a different body');
  isnt $post->('Key-1', \%body)->json->{id}, $first->json->{id}, 'a key has its case';
  my $other = $service->organization(sandbox => 1, workflow => 1);
  my $theirs = $post->('key-1', {%body, workflow_id => $other->{workflow_id}},
    $other->{client});
  is $theirs->status, 201, 'scoped to organization';
  isnt $theirs->json->{id}, $first->json->{id}, 'not replayed to others';
  my $app = $service->verifyctl(qw(app create --org), $organization->{id},
    qw(--name A));
  my $scoped = $service->client($service->key($organization->{id}, 'secret',
      '--app', $app->{id}));
  isnt $post->('key-1', \%body, $scoped)->json->{id}, $first->json->{id},
    'scoped to application';
  my $risk = $post->('key-1', {device_id => 'x'}, $client, '/v1/risk/score');
  ok $risk->status =~ /20[01]/, 'scoped to route' or diag $risk->body;
  is $post->('key-1', {device_id => 'x'}, $client, '/v1/risk/score')->body,
    $risk->body, 'risk scores are replayed too';
  error_is($post->('key-2', {%body, type => 'x'}), 400, 'parameter_invalid', 'type',
    'a request that failed');
  is $post->('key-2', \%body)->status, 201, 'may be repeated with the same key';
  is $post->($_, \%body)->status, 201, length($_) . ' characters' for 'a', 'k' x 255;
  error_is($post->($_, \%body), 400, 'parameter_invalid',
    $post->($_, \%body)->error->{param}, length($_) . ' characters')
    for '', 'k' x 256, "a\tb";
  my $id = $first->json->{id};
  my $cancel = $post->('cancel', {}, $client, "$sessions/$id/cancel");
  is $post->('cancel', {}, $client, "$sessions/$id/cancel")
    ->header('Idempotent-Replayed'), 'true', 'cancel is replayed';
  my $second = $post->('key-3', \%body)->json;
  my $reused = $post->('cancel', {}, $client, "$sessions/$second->{id}/cancel");
  isnt $reused->json->{id} // '', $id, 'never the answer of another session';
  my $list = $client->get($sessions, 'Idempotency-Key' => 'key-1');
  is $list->json->{object}, 'list', 'a GET takes no notice of it';
};

subtest 'key rotation' => sub {
  my $old = $service->verifyctl(qw(key create --org), $organization->{id},
    qw(--type secret));
  my $new = $service->key($organization->{id}, 'secret');
  is $service->client($_)->get($sessions)->status, 200, 'both stay valid in between'
    for $old->{key}, $new;
  $service->verifyctl(qw(key revoke), $old->{id});
  error_is($service->client($old->{key})->get($sessions), 401, 'api_key_invalid',
    undef, 'the revoked key');
  is $service->client($new)->get($sessions)->status, 200, 'not the new one';
};

finish($service);
