# "POST requests accept an Idempotency-Key header", and the decisions about it:
# what is replayed, what is refused, what a key belongs to.
use v5.32;
use warnings;
use utf8;
use POSIX ();
use Verify::Conformance;
use Verify::Description;

my $service = Verify::Instance->start;
my $organization = $service->organization(workflow => 1);
my $client = $organization->{client};
my $sandbox = $service->organization(sandbox => 1, workflow => 1);
my ($sessions, $endpoints) = ('/v1/verification_sessions', '/v1/webhook_endpoints');
my %least = (type => 'age', workflow_id => $organization->{workflow_id},
  jurisdiction => 'US-CA');
my %endpoint = (url => 'https://127.0.0.1:1/', enabled_events => ['*']);

sub post {
  my ($key, $path, $body, $who) = @_;
  return ($who // $client)->post($path, $body, 'Idempotency-Key' => $key);
}
sub is_replay_of {
  my ($again, $first, $name) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  my @differs = grep { $again->$_ ne $first->$_ } qw(status body);
  push @differs, 'Idempotent-Replayed'
    if ($again->header('Idempotent-Replayed') // '') ne 'true';
  push @differs, 'Content-Type'
    if $again->header('Content-Type') ne $first->header('Content-Type');
  push @differs, 'the first is marked' if $first->header('Idempotent-Replayed');
  ok !@differs, $name or diag "@differs: ", $again->status, ' ',
    substr $again->body, 0, 300;
}
sub reuse_is {
  my ($answer, $name) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  error_is($answer, 400, 'idempotency_key_reuse', undef, $name);
  is $answer->header('Idempotent-Replayed'), undef, "$name: no replay";
}

my $endpoint = answer_is(post('endpoint', $endpoints, \%endpoint), 201);
my $session = answer_is(post('session', $sessions, \%least), 201);

subtest 'every POST of the interface' => sub {
  my $verified = answer_is($sandbox->{client}->post($sessions, {%least,
    workflow_id => $sandbox->{workflow_id}, skip_verification => $true}), 201);
  my $tried = answer_is($sandbox->{client}->post($sessions, {%least,
    workflow_id => $sandbox->{workflow_id}}), 201);
  my $test = $client->post("$endpoints/$endpoint->{id}/test")->json;
  my %requests = (
    "POST $sessions" => [$sessions, \%least, {%least, type => 'identity'}],
    "POST $sessions/{id}/cancel" => ["$sessions/$session->{id}/cancel"],
    "POST $sessions/{id}/test_outcome" => ["$sessions/$tried->{id}/test_outcome",
      {value => 'passed'}, {value => 'document_expired'}, $sandbox->{client}],
    'POST /v1/session_reviews/sessions/{id}/flag' => [
      "/v1/session_reviews/sessions/$verified->{id}/flag", {reason => 'a'},
      {reason => 'b'}, $sandbox->{client}],
    'POST /v1/verified_person/lookup' => ['/v1/verified_person/lookup',
      {email => 'a@example.com'}, {email => 'b@example.com'}],
    'POST /v1/risk/score' => ['/v1/risk/score', {device_id => 'a'},
      {device_id => 'b'}],
    "POST $endpoints" => [$endpoints, \%endpoint, {%endpoint, name => 'n'}],
    "POST $endpoints/{id}" => ["$endpoints/$endpoint->{id}", {name => 'a'},
      {name => 'b'}],
    "POST $endpoints/{id}/rotate-secret" => ["$endpoints/$endpoint->{id}/rotate-secret"],
    "POST $endpoints/{id}/test" => ["$endpoints/$endpoint->{id}/test", {},
      {event_type => 'session_review.flagged'}],
    "POST $endpoints/{id}/deliveries/{delivery_id}/retry" => [
      "$endpoints/$endpoint->{id}/deliveries/$test->{delivery_id}/retry"]);
  my %operations = Verify::Description->load->api_operations;
  for my $operation (sort grep { /\APOST / && !m{/(?:widget|wallet|oidc)/} } keys %operations) {
    my ($path, $body, $other, $who) = @{$requests{$operation}
      // do { fail("$operation: no request"); next }};
    my $first = post('each', $path, $body, $who);
    like $first->status, qr/\A20[01]\z/, $operation or diag $first->body;
    is_replay_of(post('each', $path, $body, $who), $first, "$operation: replayed");
    reuse_is(post('each', $path, $other, $who), "$operation: another body") if $other;
    reuse_is(post('each', $path, {unknown => 1}, $who),
      "$operation: an invalid one");
    error_is(post($_, $path, $body, $who), 400, 'parameter_invalid', 'Idempotency-Key',
      "$operation: a key of " . length) for '', 'k' x 256;
    isnt post('k' x 255, $path, $body, $who)->error->{param} // '', 'Idempotency-Key',
      "$operation: a key of 255";
  }
};

subtest 'a different body, whatever is wrong with it' => sub {
  my $reuse = sub { reuse_is(post('session', $sessions, $_[0]), $_[1]) };
  $reuse->({%least, type => 'x'}, 'a value out of range');
  $reuse->({%least, metadata => {a => 1}}, 'a wrong type');
  $reuse->({type => 'age'}, 'a missing parameter');
  $reuse->({%least, workflow_id => 'wf_00000000000000000000000000'}, 'an unknown id');
  $reuse->({}, 'an empty object');
  $reuse->('{', 'no JSON');
  $reuse->('[]', 'no object');
  error_is(post('another', $sessions, {%least, type => 'x'}), 400,
    'parameter_invalid', 'type', 'with a key of its own it is what it is');
  error_is($client->post($sessions, {%least, type => 'x'}), 400, 'parameter_invalid',
    'type', 'without a key too');
  error_is(post('session', "$sessions?type=age", \%least), 400, 'parameter_invalid',
    'type', 'the same body with a query');
};

subtest 'the original response is replayed, whatever happened since' => sub {
  my @made = map { $_->[1]->($_->[0]) } my @requests = (
    ['r1', sub { post($_[0], $sessions, \%least) }],
    ['r2', sub { post($_[0], $endpoints, {%endpoint, name => 'gone'}) }]);
  my ($one, $other) = map { $_->json } @made;
  my $update = post('r3', "$endpoints/$other->{id}", {name => 'changed'});
  $client->post("$sessions/$one->{id}/cancel");
  $client->delete("$endpoints/$_") for $endpoint->{id},
    identities($client->get($endpoints)->json);
  error_is($client->post($sessions, \%least), 400, 'webhook_required', undef,
    'a new request is judged as things are now');
  is_replay_of($requests[0][1]->('r1'), $made[0], 'a creation, of a cancelled session');
  is $requests[0][1]->('r1')->json->{status}, 'created', 'with its status of then';
  is_replay_of($requests[1][1]->('r2'), $made[1], 'of an endpoint that was deleted');
  is_replay_of(post('r3', "$endpoints/$other->{id}", {name => 'changed'}), $update,
    'an update of it');
  $service->verifyctl(qw(org update), $organization->{id},
    qw(--billing-status suspended));
  is_replay_of($requests[0][1]->('r1'), $made[0], 'while billing is suspended');
  $service->verifyctl(qw(org update), $organization->{id}, qw(--billing-status active));
};

subtest 'a failure is not stored' => sub {
  for my $body ({%least, type => 'x'}, {%least, workflow_id =>
      'wf_00000000000000000000000000'}, \%least) {
    my @answers = map { post('failed', $sessions, $body) } 1, 2;
    like $answers[0]->status, qr/\A40[04]\z/, $answers[0]->error->{code};
    is $answers[1]->header('Idempotent-Replayed'), undef, 'is not replayed';
  }
  $client->post($endpoints, \%endpoint);
  is post('failed', $sessions, \%least)->status, 201, 'the last is evaluated anew';
  error_is(post('failed', $sessions, {%least, type => 'identity'}), 400,
    'idempotency_key_reuse', undef, 'once a success is stored');
};

subtest 'what a key belongs to' => sub {
  my $first = post('scope', $sessions, \%least);
  my $second = $service->client($service->key($organization->{id}, 'secret'));
  is_replay_of(post('scope', $sessions, \%least, $second), $first,
    'the organization, not one API key');
  my $browser = $service->client($service->key($organization->{id}, 'publishable'));
  error_is(post('scope', $sessions, \%least, $browser), 400, 'captcha_required', undef,
    'a browser is not shown what a server was answered');
  my $cancel = post('scope', "$sessions/" . $first->json->{id} . '/cancel');
  is $cancel->status, 200, 'another route has keys of its own';
  my $another = $client->post($sessions, \%least)->json;
  reuse_is(post('scope', "$sessions/$another->{id}/cancel"),
    'the same route with another session');
  is $client->get("$sessions/$another->{id}")->json->{status}, 'created',
    'which is not touched';
  is post(' scope ', $sessions, \%least)->header('Idempotent-Replayed'), 'true',
    'spaces around a header are not of its value';
  isnt post('scope x', $sessions, \%least)->json->{id}, $first->json->{id},
    'those within are';
};

subtest 'other methods take no notice of it' => sub {
  my @keys = ('Idempotency-Key' => 'k' x 256);
  is $client->get($sessions, @keys)->status, 200, 'GET';
  my $made = $client->post($endpoints, \%endpoint)->json;
  is $client->delete("$endpoints/$made->{id}", @keys)->status, 200, 'DELETE';
  my $app = $service->verifyctl(qw(app create --org), $organization->{id}, qw(--name A));
  my $scoped = $service->client($service->key($organization->{id}, 'secret', '--app',
    $app->{id}));
  is $scoped->patch('/v1/trust_reuse/settings', {}, @keys)->status, 200, 'PATCH';
};

# The key of the newest record: what is stored is an HMAC.
sub newest_key {
  return $service->sql_value('SELECT key FROM idempotency_record
    ORDER BY created_at DESC LIMIT 1');
}

subtest 'while the first request is still running' => sub {
  my $first = $service->connect_database;
  # The key of an earlier request, which is forgotten.
  my $stored = sub {
    my ($key, $path, $body) = @_;
    cmp_ok post($key, $path, $body)->status, '<', 300, "$path: a request of before";
    my $kept = newest_key();
    $service->sql('DELETE FROM idempotency_record WHERE key = ?', $kept);
    return $kept;
  };
  # What a request that has not ended has written.
  my $run = sub {
    my ($route, $key) = @_;
    $first->begin_work;
    $first->do("INSERT INTO idempotency_record (organization_id, application_id,
      route, key, request_digest, status, sealed_response, created_at)
      VALUES (?, '', ?, ?, '', 201, '', ?)", undef, $organization->{id}, "POST $route",
      $key, time * 1000);
  };
  my $waiting = sub { wait_for { $service->sql_value("SELECT count(*)
    FROM pg_stat_activity WHERE datname = current_database()
    AND wait_event_type = 'Lock'") } };
  for my $case ([$sessions, \%least], [$endpoints, \%endpoint],
    ["$sessions/{id}/cancel", undef, "$sessions/$session->{id}/cancel"]) {
    my ($route, $body, $path) = @$case;
    my $kept = $stored->('running', $path // $route, $body);
    $run->($route =~ s/\{id\}/:id/r, $kept);
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
      my $answer = $service->client($client->{token})->post($path // $route, $body,
        'Idempotency-Key' => 'running');
      POSIX::_exit($answer->status =~ /\A20[01]\z/ ? 0 : 1);
    }
    ok $waiting->(), "$route: a second waits for it";
    $first->rollback;
    waitpid $pid, 0;
    is $?, 0, 'and does the work when the first has failed';
  }
  my @routes = ([$sessions, \%least], [$endpoints, \%endpoint]);
  my @pids = map {
    my ($route, $body) = @$_;
    my $other = $service->connect_database;
    $first = $other;
    $run->($route, $stored->('long', $route, $body));
    push @$_, $other;
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
      my $answer = $service->client($client->{token})->post($route, $body,
        'Idempotency-Key' => 'long');
      POSIX::_exit($answer->status == 409
        && $answer->error->{code} eq 'idempotency_in_progress' ? 0 : 1);
    }
    $pid;
  } @routes;
  for (@pids) {
    waitpid $_, 0;
    is $?, 0, 'if it still runs, 409 idempotency_in_progress';
  }
  for (@routes) {
    my ($route, $body, $other) = @$_;
    $other->rollback;
    is post('long', $route, $body)->status, 201, 'and later the key can be used';
  }
};

subtest 'kept 24 hours' => sub {
  my $first = post('kept', $sessions, \%least);
  my $kept = newest_key();
  my $age = sub { $service->sql('UPDATE idempotency_record
    SET created_at = created_at - ? WHERE key = ?', $_[0] * 1000, $kept) };
  $age->(86_400 - 120);
  is_replay_of(post('kept', $sessions, \%least), $first, 'almost a day later');
  $age->(240);
  my $later = post('kept', $sessions, {%least, type => 'identity'});
  is $later->status, 201, 'after a day the key is new, for any body' or diag $later->body;
  is_replay_of(post('kept', $sessions, {%least, type => 'identity'}), $later,
    'and kept again');
};

finish($service);
