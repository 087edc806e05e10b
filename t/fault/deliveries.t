# Killing any process in the middle of deliveries loses none: every event that
# was committed arrives at the receiver, repeated at worst under the same ids.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Test;

my $service = Verify::Instance->start(own_cluster => 1);
$service->allow_log(qr/IDV0010|IDV0020: service_unavailable|IDV0775/,
  qr/IDV03\d\d: (?:the|a statement of the) watchdog/);
my $receiver = $service->receiver;
$receiver->behave({delay => 0.02});
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $client = $organization->{client};
my $endpoint = answer_is $client->post('/v1/webhook_endpoints',
  {url => $receiver->url, enabled_events => ['*']}), 201, 'an endpoint';

# Sessions that are verified at once: two events each.
sub create_sessions {
  my ($count) = @_;
  my $created = 0;
  for (1 .. $count) {
    my $answer = $client->with->post('/v1/verification_sessions',
      {type => 'age', workflow_id => $organization->{workflow_id},
        jurisdiction => 'US-CA', skip_verification => JSON::PP::true});
    $created++ if $answer->status == 201;
  }
  return $created;
}

# Deliveries are leased at this moment; more are made where the others were
# faster than this look.
sub in_flight {
  my $leased = sub { $service->sql_value(
    'SELECT count(*) FROM webhook_delivery WHERE leased_by IS NOT NULL') };
  return wait_for { $leased->() || create_sessions(1) && $leased->() };
}

# Waits until all that is committed has arrived, sooner than leases end, and
# checks it.
sub all_arrive {
  my ($name) = @_;
  my $events = $service->sql('SELECT id FROM event');
  my %missing;
  my $done = wait_for {
    my %arrived = map { $_->{event}{id} => 1 } $receiver->requests;
    %missing = map { $_->{id} => 1 } grep { !$arrived{$_->{id}} } @$events;
    !%missing;
  } 60;
  ok $done, "$name: each of " . @$events . ' events arrives'
    or diag keys(%missing) . ' did not';
  my $settled = wait_for {
    !$service->sql_value("SELECT count(*) FROM webhook_delivery WHERE status <> 'delivered'")
  } 60;
  ok $settled, "$name: every delivery is settled";
  my (%ids, @faults);
  for my $request ($receiver->requests) {
    $ids{$request->{event}{id}}{$request->{headers}{'service-webhook-id'}} = 1;
    my $fault = signature_fault($endpoint->{secret},
      $request->{headers}{'service-signature'}, $request->{body},
      $request->{time});
    push @faults, $fault if $fault;
  }
  is_deeply [grep { keys %{$ids{$_}} != 1 } keys %ids], [],
    "$name: a repeated event keeps its delivery id";
  is_deeply \@faults, [], "$name: every signature is right";
  is $service->sql_value('SELECT max(attempt) FROM webhook_delivery'), 1,
    "$name: no attempt was used up";
}

subtest 'kill -9 of the watchdog' => sub {
  for my $round (1 .. 3) {
    is create_sessions(15), 15, 'sessions are created';
    ok in_flight(), 'deliveries are in flight';
    my $pid = wait_for { $service->watchdog_pid };
    ok $service->kill_hard($pid), 'the watchdog is killed';
    ok wait_for { ($service->watchdog_pid // $pid) != $pid }, 'it comes back';
  }
  all_arrive('watchdog');
};

subtest 'kill -9 of a child' => sub {
  is create_sessions(10), 10, 'sessions are created';
  my $watchdog = $service->watchdog_pid;
  my ($child) = grep { $_ != $watchdog } $service->child_pids($service->httpd_pid);
  $service->allow_log(qr/AH00051|AH00052/);
  ok $service->kill_hard($child), 'a child is killed';
  ok create_sessions(10) >= 9, 'the others go on';
  all_arrive('child');
};

subtest 'graceful restarts under load' => sub {
  my $created = 0;
  for (1 .. 3) {
    $created += create_sessions(5);
    $service->graceful;
    $created += create_sessions(10);
  }
  is $created, 45, 'no request fails';
  all_arrive('graceful');
};

subtest 'the database connections are cut' => sub {
  for my $round (1 .. 3) {
    is create_sessions(10), 10, 'sessions are created';
    ok in_flight(), 'deliveries are in flight';
    $service->sql(q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'verify-watchdog'});
  }
  all_arrive('connections');
};

subtest 'kill -9 of the backends' => sub {
  is create_sessions(10), 10, 'sessions are created';
  # The server takes it for a crash: it ends all connections and recovers.
  my $backends = $service->sql(q{SELECT pid FROM pg_stat_activity
    WHERE application_name = 'verify-watchdog'});
  $service->kill_hard($_->{pid}) for @$backends;
  my $recovered = wait_for { return eval { create_sessions(1) } } 30;
  ok $recovered, 'the service recovers';
  all_arrive('backends');
};

subtest 'kill -9 of PostgreSQL' => sub {
  is create_sessions(15), 15, 'sessions are created';
  ok $service->kill_hard($service->postgresql_pid), 'PostgreSQL is killed';
  my $started = wait_for { return eval { $service->postgresql('start'); 1 } } 60;
  ok $started, 'it starts again';
  my $recovered = wait_for { return create_sessions(1) } 30;
  ok $recovered, 'the service recovers';
  all_arrive('PostgreSQL');
};
finish($service);
