# Webhook endpoints, deliveries, their signatures, events.
use v5.32;
use warnings;
use utf8;
use Digest::SHA qw(hmac_sha256 hmac_sha256_hex);
use MIME::Base64 qw(decode_base64 encode_base64);
use Verify::Conformance;

my $service = Verify::Instance->start;
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $other = $service->organization(sandbox => 1, workflow => 1);
my $client = $organization->{client};
my $receiver = $service->receiver;
my $endpoints = '/v1/webhook_endpoints';
my $invalid = '400 parameter_invalid';
my %least = (url => 'https://receiver.example/hook', enabled_events => ['*']);
my @types = (map({ "verification_session.$_" }
    qw(created verified failed cancelled expired)),
  map({ "session_review.$_" } qw(flagged approved rejected escalated)),
  qw(trust_reuse_grant.created trust_reuse_grant.revoked
    trust_reuse_consent.revoked_by_user));

my %endpoint = (id => qr/\Awe_[0-9a-z]+\z/, object => ['webhook_endpoint'],
  application_id => 'string|null', name => 'string|null', url => 'string',
  enabled_events => 'strings', status => ['enabled'],
  description => 'string|null', metadata => 'object', created => $seconds,
  updated => $seconds);
my @health = qw(consecutive_failures failing_since next_attempt_at);

sub create {
  my (%more) = @_;
  return $client->post($endpoints, {%least, %more});
}
sub remove { $client->delete("$endpoints/$_") for map { $_->{id} // () } @_ }
sub create_session {
  return answer_is($client->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US-CA'}), 201);
}
sub forget_health { my %of = %{$_[0]}; delete @of{@health}; return \%of }

subtest 'create: endpoint including secret' => sub {
  my $made = answer_is(create(), 201);
  ok exists $made->{$_}, "$_ is shown (issue)" for @health;
  shape_is(forget_health($made), {%endpoint, secret => qr/\Awhsec_[\w+\/]{43}=\z/},
    'every field and no other');
  is length decode_base64($made->{secret} =~ s/whsec_//r), 32, '32 random bytes';
  is $made->{application_id}, undef, 'organization-wide';
  my $found = answer_is($client->get("$endpoints/$made->{id}"), 200);
  shape_is(forget_health($found), \%endpoint, 'retrieve: without secret');
  my $list = answer_is($client->get($endpoints), 200);
  shape_is($list, {object => ['list'], url => [$endpoints], has_more => [$false],
    data => 'array', 'total_count?' => 'integer'}, 'list of endpoints');
  is_deeply $list->{data}, [$found], 'without secrets';
  remove($made);
};

subtest 'create: parameters' => sub {
  my $send = sub { my $answer = create(%{$_[0]}); remove($answer->json); $answer };
  my $long = 'https://receiver.example/' . 'a' x (2048 - 25);
  parameters_are($send, (map { [name => $_, 'ok'] } 'n', 'n' x 100, "\x{1F600}" x 100),
    (map { [name => $_, $invalid] } 'n' x 101, 1, ['n']),
    (map { [url => $_, 'ok'] } $long, 'https://receiver.example:8443/x?y=z'),
    (map { [url => $_, $invalid] } "${long}a", 'http://receiver.example/',
      'http://localhost/', 'receiver.example', '', undef, 1, ['https://x.example'],
      'https://user:pass@receiver.example/', "https://receiver.example/\n"),
    (map { [enabled_events => $_, 'ok'] } ['*'], [@types], map { [$_] } @types),
    (map { [enabled_events => $_, $invalid] } [], '*', undef, 1, {}),
    [enabled_events => ['x'], $invalid, 'enabled_events[0]'],
    [enabled_events => [@types[0, 1], 'verification_session.*'], $invalid,
      'enabled_events[2]'],
    [enabled_events => [$types[0], 1], $invalid, 'enabled_events[1]'],
    [enabled_events => [uc $types[0]], $invalid, 'enabled_events[0]'],
    [enabled_events => [$types[0], $types[0]], $invalid, 'enabled_events[1]'],
    (map { [description => $_, 'ok'] } 'd', ''), [description => 1, $invalid],
    (map { [metadata => $_, 'ok'] } {}, {a => 'b'},
      {map { ("k$_" => 'v') } 1 .. 50}),
    [metadata => {a => 1}, $invalid, 'metadata.a'], [metadata => [], 'ok'],
    [metadata => {map { ("k$_" => 'v') } 1 .. 51}, $invalid],
    map { [$_ => 'x', $invalid] } qw(secret id application_id created events));
  error_is($client->post($endpoints, {url => $least{url}}), 400,
    'parameter_invalid', 'enabled_events', 'required');
  error_is($client->post($endpoints, {enabled_events => ['*']}), 400,
    'parameter_invalid', 'url', 'required');
  my $mixed = create(enabled_events => ['*', $types[0]]);
  like $mixed->error->{param} // '', qr/\Aenabled_events/, 'the single value *';
};

subtest 'update' => sub {
  my $made = create(name => 'n', description => 'd', metadata => {a => 'b', c => 'd'})
    ->json;
  my $path = "$endpoints/$made->{id}";
  my $update = sub { $client->post($path, $_[0]) };
  my $changed = answer_is($update->({metadata => {c => 'e'}}), 200);
  is_deeply $changed->{metadata}, {c => 'e'}, 'metadata replaces all';
  is $changed->{name}, 'n', 'what is not sent stays';
  is $changed->{secret}, undef, 'no secret';
  is_deeply answer_is($update->({enabled_events => [$types[3]]}), 200)
    ->{enabled_events}, [$types[3]], 'enabled_events replaces';
  is answer_is($update->({$_ => undef}), 200)->{$_}, undef, "$_: string or null"
    for qw(name description);
  is answer_is($update->({status => 'disabled'}), 200)->{status}, 'disabled', 'status';
  is answer_is($update->({status => 'enabled'}), 200)->{status}, 'enabled', 'and back';
  is answer_is($update->({url => 'https://new.example/'}), 200)->{url},
    'https://new.example/', 'url';
  answer_is($update->({}), 200, 'nothing');
  parameters_are($update, (map { [status => $_, $invalid] } 'Enabled', '', 1), [name => 'n' x 101, $invalid],
    [secret => 'x', $invalid], [application_id => 'x', $invalid]);
  error_is($other->{client}->post($path, {name => 'x'}), 404, 'resource_missing',
    undef, 'another organization\'s');
  remove($made);
};

subtest 'delete' => sub {
  my $made = create()->json;
  my $path = "$endpoints/$made->{id}";
  error_is($other->{client}->delete($path), 404, 'resource_missing', undef,
    'another organization\'s');
  is_deeply answer_is($client->delete($path), 200), {id => $made->{id},
    object => 'webhook_endpoint', deleted => $true}, 'the answer';
  error_is($client->request($_->[0], $path . ($_->[1] // ''), {}), 404,
    'resource_missing', undef, "then $_->[0] " . ($_->[1] // ''))
    for ['GET'], ['DELETE'], ['POST'], ['POST', '/rotate-secret'], ['POST', '/test'],
    ['GET', '/deliveries'], ['GET', '/deliveries/whd_00000000000000000000000000'];
};

subtest 'at most 50 endpoints' => sub {
  my @made = map { next_millisecond(); create()->json } 1 .. 50;
  ok !(grep { !$_->{id} } @made), 'fifty';
  my $answer = create();
  like $answer->status, qr/\A4(00|09)\z/, 'not one more' or diag $answer->body;
  pages_are($client, $endpoints, 20, reverse map { $_->{id} } @made);
  remove($made[0]);
  my $again = create();
  is $again->status, 201, 'but after a deletion';
  my $gone = $made[0]{id};
  my ($by_gone, $by_none) = map {
    $client->get("$endpoints?starting_after=$_")->status } $gone,
    'we_00000000000000000000000000';
  is $by_gone, $by_none, "cursor of a gone endpoint as of an unknown: $by_gone";
  remove(@made, $again->json);
};

my $endpoint = create(url => $receiver->url, name => 'Live')->json;
$receiver->forget;
my $session = create_session();
my $request = $receiver->wait_for_request(sub { 1 });
my $path = "$endpoints/$endpoint->{id}";
my %record = (id => qr/\Awhd_[0-9a-z]+\z/, object => ['webhook_delivery'],
  webhook_endpoint_id => [$endpoint->{id}], event_id => qr/\Aevt_/,
  event_type => 'string', status => ['delivered'], attempt => [1],
  max_attempts => [5], next_attempt_at => 'null',
  request => {url => [$receiver->url], headers => 'object', body => 'string'},
  response => {status_code => [200], headers => 'object', body => 'string',
    duration_ms => 'number'}, last_error => 'null', delivered_at => $seconds,
  created => $seconds, updated => $seconds);

subtest 'request headers of a delivery; signature' => sub {
  my %got = %{$request->{headers}};
  is $request->{method}, 'POST', 'an HTTP POST';
  is $got{'content-type'}, 'application/json', 'Content-Type';
  ok length $got{'user-agent'}, 'User-Agent: ' . ($got{'user-agent'} // '');
  my ($time, $value) = $got{'service-signature'} =~ /\At=([0-9]+),v1=([0-9a-f]{64})\z/;
  is $value, hmac_sha256_hex("$time.$request->{body}", $endpoint->{secret}),
    'HMAC-SHA256 over <timestamp>.<raw_body>, keyed with the signing secret';
  cmp_ok abs(time - $time), '<', 60, 'timestamp';
  like $got{'service-webhook-id'}, qr/\Awhd_/, 'Service-Webhook-Id';
  is $got{'webhook-timestamp'}, $time, 'webhook-timestamp';
  my $key = decode_base64($endpoint->{secret} =~ s/whsec_//r);
  is $got{'webhook-signature'}, 'v1,' . encode_base64(hmac_sha256(
      "$got{'webhook-id'}.$time.$request->{body}", $key), ''), 'webhook-signature';
  ok !(grep { /authorization|cookie|x-request/ } keys %got), 'and no others'
    or diag join ' ', keys %got;
  my $event = $client->get("/v1/events/$request->{event}{id}")->json;
  is_deeply $event, $request->{event}, 'the event as it is retrieved';
};

subtest 'delivery records' => sub {
  my $id = $request->{headers}{'service-webhook-id'};
  my $found = wait_for { my $record = $client->get("$path/deliveries/$id")->json;
    $record->{status} eq 'delivered' && $record };
  shape_is($found, \%record, 'its id is also sent; every field and no other');
  is $found->{request}{body}, $request->{body}, 'holds the request payload';
  ok !(grep { /signature/i } keys %{$found->{request}{headers}}),
    'headers without the signature';
  my $list = answer_is($client->get("$path/deliveries"), 200);
  shape_is($list, {object => ['list'], url => ["$path/deliveries"],
    has_more => [$false], data => 'array', 'total_count?' => 'integer'}, 'list');
  is $list->{data}[0]{id}, $id, 'of the record';
  create_session() for 1 .. 4;
  wait_for { @{$client->get("$path/deliveries?status=delivered")->json->{data}} == 5 };
  my @ids = identities($client->get("$path/deliveries?limit=100")->json);
  is @ids, 5, 'one record per event-endpoint pair';
  pages_are($client, "$path/deliveries", 2, @ids);
  is @{$client->get("$path/deliveries?$_")->json->{data}}, 5, $_
    for 'status=delivered', 'event_type=verification_session.created';
  is @{$client->get("$path/deliveries?$_")->json->{data}}, 0, $_
    for 'status=failed', 'status=pending', 'event_type=verification_session.verified';
  error_is($client->get("$path/deliveries?$_->[0]"), 400, 'parameter_invalid',
    $_->[1], $_->[0]) for ['status=ok', 'status'], ['status=', 'status'],
    ['event_type=x', 'event_type'], ['limit=0', 'limit'], ['search=x', 'search'],
    ['starting_after=x', 'starting_after'], ['ending_before=x', 'ending_before'];
  is $client->get("$path/deliveries?starting_after=$ids[0]&ending_before=$ids[1]")
    ->status, 400, 'use only one cursor';
  my $second = create(url => $receiver->url('/second'))->json;
  error_is($client->get("$endpoints/$second->{id}/deliveries/$id"), 404,
    'resource_missing', undef, 'not under another endpoint');
  remove($second);
};

subtest 'retry delivery' => sub {
  my $id = $request->{headers}{'service-webhook-id'};
  $receiver->forget;
  my $record = answer_is($client->post("$path/deliveries/$id/retry"), 200);
  shape_is($record, {%record, status => ['pending'], attempt => 'integer',
    next_attempt_at => 'integer|null', response => 'null', delivered_at => 'null'},
    're-queues; latest-response fields are reset; answers the record');
  my $again = $receiver->wait_for_request(sub { 1 });
  is $again->{headers}{'service-webhook-id'}, $id, 'the same Service-Webhook-Id';
  is $again->{event}{id}, $request->{event}{id}, 'the same event id';
  my $after = wait_for { my $now = $client->get("$path/deliveries/$id")->json;
    $now->{status} eq 'delivered' && $now };
  is $after->{attempt}, 1, 'its attempt counter was reset';
  error_is($client->post("$path/deliveries/whd_00000000000000000000000000/retry"), 404,
    'resource_missing', undef, 'unknown');
};

subtest 'retries happen on 429, on 5xx; other 4xx is permanent' => sub {
  for my $status (400, 401, 404, 410, 422, 429, 500, 503, 302) {
    $receiver->forget;
    $receiver->behave({status => $status, body => 'b' x 5000});
    my $made = create_session();
    my $wanted = $status =~ /429|5../ ? 'pending' : 'failed';
    my $record = wait_for {
      my ($found) = grep { $_->{request}{body} =~ /$made->{id}/ }
        @{$client->get("$path/deliveries?limit=1")->json->{data}};
      $found && $found->{response} && $found;
    };
    is $record->{status}, $wanted, "$status: $wanted";
    is $record->{response}{status_code}, $status, 'the latest response';
    is $record->{last_error}{code}, 'http_status', 'last_error';
    is length $record->{response}{body}, 4096, 'body cut at 4 KiB';
    is $record->{delivered_at}, undef, 'not delivered';
    next unless $wanted eq 'pending';
    my $wait = $record->{next_attempt_at} - $record->{updated};
    ok $wait >= 299 && $wait <= 331, "attempt 2 after 5 minutes: $wait";
  }
  $receiver->behave({});
};

subtest 'rotate secret' => sub {
  my $rotated = answer_is($client->post("$path/rotate-secret"), 200);
  like $rotated->{secret}, qr/\Awhsec_/, 'new secret';
  isnt $rotated->{secret}, $endpoint->{secret}, 'another one';
  is $client->get($path)->json->{secret}, undef, 'returned once';
  $receiver->forget;
  create_session();
  my $got = $receiver->wait_for_request(sub { 1 });
  my ($time, $value) = $got->{headers}{'service-signature'} =~ /t=(\d+),v1=(\w+)/;
  is $value, hmac_sha256_hex("$time.$got->{body}", $rotated->{secret}),
    'takes effect immediately';
};

subtest 'send test event' => sub {
  for my $type (undef, @types) {
    $receiver->forget;
    my $answer = answer_is($client->post("$path/test",
      $type ? {event_type => $type} : undef), 200, $type // 'default');
    shape_is($answer, {id => qr/\Aevt_/, object => ['event'],
      type => [$type // 'verification_session.verified'], created => $seconds,
      delivery_id => qr/\Awhd_/}, 'id, object, type, created, delivery_id');
    my $got = $receiver->wait_for_request(
      sub { $_[0]{headers}{'service-webhook-id'} eq $answer->{delivery_id} });
    is $got->{event}{id}, $answer->{id}, 'arrives';
    is kind($got->{event}{data}{object}), 'object', 'a complete object';
  }
  error_is($client->post("$path/test", {event_type => $_}), 400,
    'parameter_invalid', 'event_type', "event_type $_") for '*', 'x', '';
};

subtest 'disabled endpoints receive no deliveries' => sub {
  $client->post($path, {status => 'disabled'});
  $receiver->forget;
  my $made = create_session();
  my ($event) = @{$client->get("/v1/events?object_id=$made->{id}")->json->{data}};
  $client->post($path, {status => 'enabled'});
  create_session();
  $receiver->wait_for_request(sub { 1 });
  ok !(grep { $_->{event}{id} eq $event->{id} } $receiver->requests), 'none';
  $client->post($path, {enabled_events => ['verification_session.cancelled']});
  $receiver->forget;
  my $cancelled = create_session();
  $client->post("/v1/verification_sessions/$cancelled->{id}/cancel");
  my $got = $receiver->wait_for_request(sub { 1 });
  is $got->{event}{type}, 'verification_session.cancelled', 'only what is subscribed';
};

subtest 'GET /v1/events' => sub {
  my $lister = $service->organization(sandbox => 1, workflow => 1);
  my @made = map { $lister->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $lister->{workflow_id}, jurisdiction => 'US'})
    ->json } 1 .. 5;
  $lister->{client}->post("/v1/verification_sessions/$made[0]{id}/cancel");
  my $ask = sub { $lister->{client}->get("/v1/events?$_[0]") };
  my $list = answer_is($lister->{client}->get('/v1/events'), 200);
  shape_is($list, {object => ['list'], url => ['/v1/events'], has_more => [$false],
    data => 'array', 'total_count?' => 'integer'}, 'list');
  shape_is($list->{data}[0], {id => qr/\Aevt_/, object => ['event'],
    type => ['verification_session.cancelled'], created => $seconds,
    data => 'object'}, 'newest first; id, object, type, created, data');
  is_deeply [keys %{$list->{data}[0]{data}}], ['object'], 'data.object';
  pages_are($lister->{client}, '/v1/events', 2, identities($list));
  is @{$ask->('type=verification_session.created')->json->{data}}, 5, 'type';
  is @{$ask->("object_id=$made[0]{id}")->json->{data}}, 2, 'object_id';
  is @{$ask->('object_id=vks_00000000000000000000000000')->json->{data}}, 0, 'unknown';
  my $now = time;
  is @{$ask->('created_gte=' . ($now - 600))->json->{data}}, 6, 'created_gte';
  is @{$ask->('created_lt=' . ($now - 600))->json->{data}}, 0, 'created_lt';
  is @{$ask->('created_lt=' . ($now + 600))->json->{data}}, 6, 'created_lt';
  is @{$ask->("created_lt=0$_")->json->{data}}, 0, "before 1970$_"
    for '', '&created_gte=0', '&limit=1';
  is @{$ask->('created_gte=0')->json->{data}}, 6, 'and after it';
  error_is($ask->("$_->[0]=$_->[1]"), 400, 'parameter_invalid', $_->[0],
    "$_->[0]=$_->[1]") for [type => 'x'], [type => '*'], [type => ''],
    [created_gte => 'x'], [created_gte => ''], [created_lt => '1.5'],
    [created_lt => '-1'], [created => 1], [limit => 101], [object_id => ''];
  error_is($lister->{client}->get("/v1/events/$_"), 404, 'resource_missing', undef,
    'unknown') for 'evt_00000000000000000000000000', 'x', $made[0]{id};
  my ($theirs) = identities($client->get('/v1/events?limit=1')->json);
  error_is($lister->{client}->get("/v1/events/$theirs"), 404, 'resource_missing',
    undef, 'another organization\'s');
};

finish($service);
