# The records of webhook deliveries: listing, retrieving, repeating, test
# events.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Test;

my $json = JSON::PP->new->utf8;
# A proxy of the environment, where nobody listens: neither the service nor its scripts
# ask it.
my $service = do {
  local @ENV{qw(http_proxy https_proxy all_proxy)} = ('http://127.0.0.1:9') x 3;
  Verify::Instance->start;
};
my $organization = $service->organization(workflow => 1);
my $client = $organization->{client};
my $receiver = $service->receiver;
my $path = '/v1/webhook_endpoints';

sub endpoint {
  my ($name, %parameters) = @_;
  my $endpoint = answer_is($client->post($path, {url => $receiver->url("/$name"),
    enabled_events => ['*'], %parameters}), 201, "endpoint $name");
  $endpoint->{deliveries} = "$path/$endpoint->{id}/deliveries";
  return $endpoint;
}
sub session {
  return answer_is($client->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US'}), 201);
}
sub listed { return answer_is($client->get($_[0]{deliveries} . ($_[1] // '')), 200) }
sub settled {
  my ($endpoint, $id, $status) = @_;
  return wait_for {
    my $record = $client->get("$endpoint->{deliveries}/$id")->json;
    $record->{status} eq $status && $record;
  };
}
my @fields = qw(id object webhook_endpoint_id event_id event_type status attempt
  max_attempts next_attempt_at request response last_error delivered_at created
  updated);

my $healthy = endpoint('healthy');
my $failing = endpoint('failing', enabled_events => ['verification_session.created']);
$receiver->expect_secret('/failing', 'whsec_another');
session();
my ($delivered) = @{(wait_for { my $list = listed($healthy, '?status=delivered');
  @{$list->{data}} && $list })->{data}};

subtest 'a delivered record' => sub {
  is_deeply [sort keys %$delivered], [sort @fields], 'all fields';
  my ($request) = $receiver->requests(sub { $_[0]{path} eq '/healthy' });
  is $delivered->{object}, 'webhook_delivery', 'object';
  like $delivered->{id}, qr/\Awhd_[0-9a-z]{26}\z/, 'id';
  is $delivered->{id}, $request->{headers}{'service-webhook-id'},
    'which was sent as Service-Webhook-Id';
  is $delivered->{event_id}, $request->{event}{id}, 'event_id';
  is $delivered->{event_type}, 'verification_session.created', 'event_type';
  is $delivered->{webhook_endpoint_id}, $healthy->{id}, 'webhook_endpoint_id';
  is $delivered->{attempt}, 1, 'one attempt';
  is $delivered->{max_attempts}, 5, 'of five';
  is $delivered->{next_attempt_at}, undef, 'no other';
  is $delivered->{request}{url}, $receiver->url('/healthy'), 'request.url';
  is $delivered->{request}{body}, $request->{body}, 'request.body';
  is $delivered->{request}{headers}{'Service-Webhook-Id'}, $delivered->{id},
    'request.headers';
  ok !(grep { /signature/i } keys %{$delivered->{request}{headers}}),
    'without signatures';
  is $delivered->{response}{status_code}, 200, 'response.status_code';
  is $delivered->{response}{body}, '', 'response.body';
  ok exists $delivered->{response}{$_}, "response.$_" for qw(headers duration_ms);
  is $delivered->{last_error}, undef, 'no last_error';
  ok $delivered->{$_} > 1_500_000_000, $_ for qw(delivered_at created updated);
  is_deeply answer_is($client->get("$healthy->{deliveries}/$delivered->{id}"), 200),
    $delivered, 'retrieved as listed';
};

my ($failed) = @{(wait_for { my $list = listed($failing, '?status=failed');
  @{$list->{data}} && $list })->{data}};
subtest 'a failed record' => sub {
  is $failed->{event_id}, $delivered->{event_id}, 'of the same event';
  isnt $failed->{id}, $delivered->{id}, 'is another record';
  is $failed->{response}{status_code}, 400, 'its response';
  is $failed->{last_error}{code}, 'http_status', 'its error';
  ok length $failed->{last_error}{message}, 'in words';
  is $failed->{delivered_at}, undef, 'not delivered';
  is $failed->{next_attempt_at}, undef, 'a 4xx is final';
};

subtest 'retry' => sub {
  my $own = "$failing->{deliveries}/$failed->{id}/retry";
  $receiver->expect_secret('/failing', $failing->{secret});
  $receiver->behave({status => 200, delay => 1});
  my $queued = answer_is($client->post($own), 200);
  is $queued->{id}, $failed->{id}, 'the same record';
  is $queued->{status}, 'pending', 'waits';
  is $queued->{attempt}, 0, 'the attempts are counted anew';
  is $queued->{$_}, undef, "no $_" for qw(response last_error delivered_at);
  is $queued->{event_id}, $failed->{event_id}, 'the same event';
  my $record = settled($failing, $failed->{id}, 'delivered');
  ok $record, 'delivered at once';
  is $record->{attempt}, 1, 'at the first attempt';
  my @requests = $receiver->requests(sub { $_[0]{path} eq '/failing' });
  is scalar @requests, 2, 'sent twice';
  is $requests[1]{headers}{'service-webhook-id'}, $failed->{id},
    'under the same id';
  is $requests[1]{body}, $requests[0]{body}, 'with the same event';
  is @{listed($failing)->{data}}, 1, 'one record';

  $receiver->behave({status => 200});
  my @replays = map { $client->post($own, undef, 'Idempotency-Key' => 'again') }
    1, 2;
  is $replays[1]->body, $replays[0]->body, 'a replay';
  ok settled($failing, $failed->{id}, 'delivered'), 'delivered again';
  is scalar(() = $receiver->requests(sub { $_[0]{path} eq '/failing' })), 3,
    'once for both';
  error_is($client->post($own, {when => 'now'}), 400, 'parameter_invalid', 'when');
};

subtest 'an exhausted delivery' => sub {
  my $endpoint = endpoint('exhausted');
  $receiver->behave({status => 503});
  session();
  my $pending = wait_for { my ($first) = @{listed($endpoint)->{data}};
    $first && $first->{attempt} == 1 && $first };
  is $pending->{status}, 'pending', 'a 503 is repeated';
  ok $pending->{next_attempt_at} >= time + 280, 'in five minutes';
  $service->sql(q{UPDATE webhook_delivery SET attempt = 4, next_attempt_at = 0
    WHERE id = ?}, $pending->{id});
  my $record = settled($endpoint, $pending->{id}, 'failed');
  ok $record, 'the fifth attempt is the last';
  is $record->{attempt}, 5, 'and counted';
  is $record->{response}{status_code}, 503, 'the latest response';
  $receiver->behave({status => 200});
  $client->post("$endpoint->{deliveries}/$pending->{id}/retry");
  ok settled($endpoint, $pending->{id}, 'delivered'), 'it can be retried';
  $client->delete("$path/$endpoint->{id}");
};

subtest 'pages and filters' => sub {
  my $endpoint = endpoint('many');
  my @sessions = map { session() } 1 .. 4;
  $client->post("/v1/verification_sessions/$_->{id}/cancel") for @sessions[0, 1];
  ok wait_for { @{listed($endpoint, '?status=delivered')->{data}} == 6 },
    'six deliveries';
  my $all = listed($endpoint);
  my @ids = map { $_->{id} } @{$all->{data}};
  is_deeply \@ids, [sort { $b cmp $a } @ids], 'newest first';
  is $all->{object}, 'list', 'the envelope';
  is $all->{url}, $endpoint->{deliveries}, 'its url';
  ok !$all->{has_more}, 'no more';
  my $first = listed($endpoint, '?limit=4');
  is_deeply [map { $_->{id} } @{$first->{data}}], [@ids[0 .. 3]], 'a page';
  ok $first->{has_more}, 'and more';
  my $second = listed($endpoint, "?limit=4&starting_after=$ids[3]");
  is_deeply [map { $_->{id} } @{$second->{data}}], [@ids[4, 5]], 'the next';
  ok !$second->{has_more}, 'the last';
  my $back = listed($endpoint, "?limit=3&ending_before=$ids[4]");
  is_deeply [map { $_->{id} } @{$back->{data}}], [@ids[1 .. 3]], 'back';
  ok $back->{has_more}, 'and one more';
  # As many of another endpoint that page by page nothing of this one is near.
  $service->sql(q{INSERT INTO webhook_delivery (organization_id, id,
    webhook_endpoint_id, event_id, event_type, status, created_at, updated_at)
    SELECT organization_id, 'whd_z' || n, webhook_endpoint_id, event_id,
           event_type, status, created_at, updated_at
      FROM webhook_delivery, generate_series(1, 200) n WHERE id = ?},
    $delivered->{id});
  is_deeply listed($endpoint, '?limit=4')->{data}, $first->{data},
    'the same page behind many of others';
  is_deeply [map { $_->{id} } @{listed($healthy, '?limit=2')->{data}}],
    [qw(whd_z99 whd_z98)], 'which are of another list';
  $service->sql(q{DELETE FROM webhook_delivery WHERE id LIKE 'whd_z%'});
  my $cancelled = listed($endpoint, '?event_type=verification_session.cancelled');
  is @{$cancelled->{data}}, 2, 'of one type';
  is @{listed($endpoint, '?status=failed')->{data}}, 0, 'of one status';
  is @{listed($endpoint,
    '?status=delivered&event_type=verification_session.created&limit=3')
    ->{data}}, 3, 'of both';
  my @faults = (
    ['limit=0', 'limit'], ['limit=101', 'limit'], ['limit=x', 'limit'],
    ['status=done', 'status'], ['event_type=magic', 'event_type'],
    ["starting_after=$ids[1]&ending_before=$ids[0]", 'ending_before'],
    ['starting_after=evt_1', 'starting_after'], ['order=asc', 'order'],
  );
  error_is($client->get("$endpoint->{deliveries}?$_->[0]"), 400,
    'parameter_invalid', $_->[1]) for @faults;
};

subtest 'test events' => sub {
  my $endpoint = endpoint('tested', enabled_events => ['session_review.flagged'],
    metadata => {});
  my $answer = answer_is($client->post("$path/$endpoint->{id}/test"), 200);
  is_deeply [sort keys %$answer], [sort qw(id object type created delivery_id)],
    'the answer';
  is $answer->{object}, 'event', 'object';
  is $answer->{type}, 'verification_session.verified', 'the default type';
  my $record = settled($endpoint, $answer->{delivery_id}, 'delivered');
  ok $record, 'delivered though not subscribed';
  is $record->{event_id}, $answer->{id}, 'the event';
  my $request = $receiver->wait_for_request(sub {
    $_[0]{event}{id} eq $answer->{id} });
  is $request->{path}, '/tested', 'sent';
  is signature_fault($endpoint->{secret},
    $request->{headers}{'service-signature'}, $request->{body}), undef, 'signed';
  my $object = $request->{event}{data}{object};
  ok $object->{test}, 'the object is marked';
  is $object->{status}, 'verified', 'and complete:';
  ok exists $object->{$_}, $_ for qw(id object status type client_reference_id
    current_method age_tier jurisdiction jurisdiction_audit_declared
    jurisdiction_audit_ip_derived jurisdiction_audit_resolved
    jurisdiction_audit_source jurisdiction_audit_mismatch verification_path
    workflow_version_id livemode completed_at created verification_result
    last_error);
  is_deeply answer_is($client->get("/v1/events/$answer->{id}"), 200),
    $request->{event}, 'the event can be retrieved';
  is scalar(() = $receiver->requests(sub { $_[0]{event}{id} eq $answer->{id} })),
    1, 'sent to that endpoint only';

  my @types = map { "verification_session.$_" }
    qw(created verified failed cancelled expired);
  push @types, map { "session_review.$_" } qw(flagged approved rejected escalated);
  push @types, 'trust_reuse_grant.created', 'trust_reuse_grant.revoked',
    'trust_reuse_consent.revoked_by_user', 'workflow_law.changes',
    'workflow_law.review_due';
  for my $type (@types) {
    my $sent = answer_is($client->post("$path/$endpoint->{id}/test",
      {event_type => $type}), 200, $type);
    is $sent->{type}, $type, 'its type';
    my $body = $receiver->wait_for_request(sub { $_[0]{event}{id} eq $sent->{id} })
      ->{event};
    ok $body->{data}{object}{test}, 'marked';
    ok $body->{data}{object}{object}, 'a resource';
  }
  error_is($client->post("$path/$endpoint->{id}/test", {event_type => 'magic'}),
    400, 'parameter_invalid', 'event_type');
  error_is($client->post("$path/$endpoint->{id}/test", {event_type => '*'}),
    400, 'parameter_invalid', 'event_type');
  error_is($client->post("$path/$endpoint->{id}/test", {type => 'x'}), 400,
    'parameter_invalid', 'type');
  my @replays = map { $client->post("$path/$endpoint->{id}/test", {},
    'Idempotency-Key' => 'test') } 1, 2;
  is $replays[1]->body, $replays[0]->body, 'a replay';
};

subtest 'disabled endpoints' => sub {
  my $endpoint = endpoint('paused');
  $receiver->behave({status => 503});
  session();
  my $pending = wait_for { my ($first) = @{listed($endpoint)->{data}};
    $first && $first->{attempt} == 1 && $first };
  $receiver->behave({status => 200});
  answer_is($client->post("$path/$endpoint->{id}", {status => 'disabled'}), 200);
  session();
  is @{listed($endpoint)->{data}}, 1, 'no delivery for an event of that time';
  $service->sql('UPDATE webhook_delivery SET next_attempt_at = 0 WHERE id = ?',
    $pending->{id});
  my $record = settled($endpoint, $pending->{id}, 'failed');
  is $record->{last_error}{code}, 'endpoint_disabled', 'what falls due then ends';
  is $record->{attempt}, 1, 'without an attempt';
  is $record->{response}{status_code}, 503, 'the latest response stays';
  my $tested = answer_is($client->post("$path/$endpoint->{id}/test"), 200);
  is settled($endpoint, $tested->{delivery_id}, 'failed')->{last_error}{code},
    'endpoint_disabled', 'a test event is not sent';
  is $client->get("$path/$endpoint->{id}")->json->{consecutive_failures}, 1,
    'neither counts as a failure of the receiver';
  answer_is($client->post("$path/$endpoint->{id}", {status => 'enabled'}), 200);
  $client->post("$endpoint->{deliveries}/$pending->{id}/retry");
  ok settled($endpoint, $pending->{id}, 'delivered'), 'a retry later';
};

subtest 'scope' => sub {
  my $id = $delivered->{id};
  my $application = $service->verifyctl(qw(app create --org),
    $organization->{id}, qw(--name Shop))->{id};
  my $scoped = $service->client(
    $service->key($organization->{id}, 'secret', '--app', $application));
  my $other = $service->organization->{client};
  for my $stranger ($scoped, $other) {
    error_is($stranger->get($healthy->{deliveries} . $_), 404, 'resource_missing')
      for '', '?limit=1';
    error_is($stranger->get("$healthy->{deliveries}/$id"), 404,
      'resource_missing');
    error_is($stranger->post("$healthy->{deliveries}/$id/retry"), 404,
      'resource_missing');
    error_is($stranger->post("$path/$healthy->{id}/test"), 404,
      'resource_missing');
  }
  my $own = answer_is($scoped->post($path, {url => $receiver->url('/shop'),
    enabled_events => ['*']}), 201);
  my $sent = answer_is($scoped->post("$path/$own->{id}/test"), 200);
  is answer_is($scoped->get("$path/$own->{id}/deliveries"), 200)
    ->{data}[0]{id}, $sent->{delivery_id}, 'its own deliveries';
  error_is($client->get("$failing->{deliveries}/$id"), 404, 'resource_missing',
    undef, 'of another endpoint');
  error_is($client->post("$failing->{deliveries}/$id/retry"), 404,
    'resource_missing');
  error_is($client->get("$failing->{deliveries}/whd_none"), 404,
    'resource_missing');
  my $publishable = $service->client(
    $service->key($organization->{id}, 'publishable'));
  error_is($publishable->get($healthy->{deliveries}), 403,
    'publishable_key_scope');
  error_is($publishable->post("$path/$healthy->{id}/test"), 403,
    'publishable_key_scope');
};

finish($service);
