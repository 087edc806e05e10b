# What the watchdog does when time has passed: sessions expire once, their
# evidence goes with them, and what is old enough is removed in small batches.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Test;

my $service = Verify::Instance->start(conf => <<'CONF');
VerifyEventRetention 2
VerifyIdempotencyRetention 3
VerifyRecoveryRetention 4
CONF
my $organization = $service->organization(workflow => 1);
my $client = $organization->{client};
my $receiver = $service->receiver;
answer_is($client->post('/v1/webhook_endpoints',
  {url => $receiver->url, enabled_events => ['*']}), 201, 'an endpoint');

sub create_session {
  return answer_is($client->with->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $organization->{workflow_id},
      jurisdiction => 'US'}), 201, 'a session');
}
sub status_of { $client->get("/v1/verification_sessions/$_[0]")->json->{status} }
sub count_rows {
  my ($table, $column, $value) = @_;
  return $service->sql_value("SELECT count(*) FROM $table WHERE $column = ?",
    $value);
}

subtest 'a session expires' => sub {
  my $session = create_session();
  my $other = create_session();
  my $person = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}";
  $person->post("$path/open", {});
  $person->post("$path/consent", {consent => JSON::PP::true});
  answer_is($person->put("$path/images/front", "\xff\xd8\xff image",
    'Content-Type' => 'image/jpeg'), 200, 'an image is uploaded');
  is count_rows('evidence', 'session_id', $session->{id}), 1, 'and kept';
  $service->sql('UPDATE verification_session SET expires_at = 1000 WHERE id = ?',
    $session->{id});
  ok &wait_for(sub { status_of($session->{id}) eq 'expired' }), 'it expires';
  is status_of($other->{id}), 'created', 'the other does not';
  is count_rows('evidence', 'session_id', $session->{id}), 0,
    'its image is purged';
  is count_rows('session_data_key', 'session_id', $session->{id}), 0,
    'and the key of it';
  my $mine = sub { $_[0]{event}{data}{object}{id} eq $session->{id}
    && $_[0]{event}{type} eq 'verification_session.expired' };
  ok $receiver->wait_for_request($mine), 'the webhook arrives';
  # By the next sweep a second event would be there.
  my $late = create_session();
  $service->sql('UPDATE verification_session SET expires_at = 1000 WHERE id = ?',
    $late->{id});
  ok &wait_for(sub { status_of($late->{id}) eq 'expired' }), 'so does another';
  is $service->sql_value(q{SELECT count(*) FROM event
    WHERE object_id = ? AND type = 'verification_session.expired'},
    $session->{id}), 1, 'there is one event of it';
};

subtest 'old rows are removed' => sub {
  my $session = create_session();
  my $event = sub { $service->sql_value(
    'SELECT id FROM event WHERE object_id = ?', $session->{id}) };
  my $young = $event->();
  ok &wait_for(sub { $service->sql_value(q{SELECT status = 'delivered'
    FROM webhook_delivery WHERE event_id = ?}, $young) }), 'its event is sent';
  # More than two batches of each; hours and days as configured above.
  $service->sql(<<'SQL', $young);
INSERT INTO event (organization_id, id, application_id, type, object_id, body,
                   created_at)
SELECT organization_id, 'evt_old' || n, application_id, type, object_id, body,
       created_at - 172800000 - 60000
  FROM event, generate_series(1, 1200) n
 WHERE id = ?
SQL
  $service->sql(<<'SQL', $young);
INSERT INTO webhook_delivery (organization_id, id, webhook_endpoint_id,
  event_id, event_type, status, attempt, created_at, updated_at)
SELECT organization_id, 'whd_old' || n, webhook_endpoint_id, 'evt_old' || n,
       event_type, 'delivered', 1, created_at - 172800000 - 60000, updated_at
  FROM webhook_delivery, generate_series(1, 1200) n
 WHERE event_id = ?
SQL
  $service->sql(<<'SQL', $young);
INSERT INTO idempotency_record (organization_id, application_id, route, key,
  request_digest, status, sealed_response, created_at)
SELECT organization_id, '', 'test', (CASE WHEN n > 1200 THEN 'young' ELSE 'old'
       END) || n, '\x00', 200, '\x00',
       created_at - 10800000 + CASE WHEN n > 1200 THEN 60000 ELSE -60000 END
  FROM event, generate_series(1, 1203) n
 WHERE id = ?
SQL
  $service->sql(<<'SQL', $young);
INSERT INTO webhook_recovery (organization_id, id, webhook_endpoint_id, since_at,
  until_at, status, position, last_position, created_at, updated_at, finished_at)
SELECT organization_id, (CASE WHEN n > 1200 THEN 'whr_young' ELSE 'whr_old' END) || n,
       'we_none', 0, 1, CASE WHEN n % 2 = 0 THEN 'finished' ELSE 'cancelled' END,
       'evt_', 'evt_', 1, 1,
       created_at - 345600000 + CASE WHEN n > 1200 THEN 60000 ELSE -60000 END
  FROM event, generate_series(1, 1203) n
 WHERE id = ?
SQL
  # A watchdog that starts looks at once, and then every ten minutes.
  $service->allow_log(qr/IDV0320: the watchdog ended/);
  $service->kill_hard($service->watchdog_pid);
  for my $table (['event', 'id'], ['webhook_delivery', 'id'],
    ['idempotency_record', 'key'], ['webhook_recovery', 'id']) {
    my ($name, $column) = @$table;
    ok &wait_for(sub { !$service->sql_value(
      "SELECT count(*) FROM $name WHERE $column ~ 'old'") }), "of $name";
  }
  is $event->(), $young, 'a younger event stays';
  is count_rows('webhook_delivery', 'event_id', $young), 1, 'and its delivery';
  is $service->sql_value(q{SELECT count(*) FROM idempotency_record
    WHERE key ~ 'young'}), 3, 'and younger answers';
  is $service->sql_value(q{SELECT count(*) FROM webhook_recovery
    WHERE id ~ 'young'}), 3, 'and younger recoveries';
};
finish $service;
