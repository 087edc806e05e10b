# verifyctl webhook recover: what an endpoint has missed in a window of time
# comes after all, once, to that endpoint only, whatever dies in between.
use v5.32;
use warnings;
use POSIX ();
use Verify::Test;

my $service = Verify::Instance->start;
my $organization = $service->organization(workflow => 1);
my $client = $organization->{client};
# A connection of its own, since long waits outlive one.
sub fresh { $service->client($client->{token}) }
my $receiver = $service->receiver;
my $path = '/v1/webhook_endpoints';

sub endpoint {
  my ($name, @events) = @_;
  return answer_is(fresh->post($path, {url => $receiver->url("/$name"),
    enabled_events => [@events ? @events : '*']}), 201, "endpoint $name");
}
sub session {
  return answer_is(fresh->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US'}), 201);
}
sub deliveries {
  my ($endpoint, $status) = @_;
  return $service->sql_value(q{SELECT count(*) FROM webhook_delivery
    WHERE webhook_endpoint_id = ? AND status = ?}, $endpoint->{id}, $status);
}
sub arrived { my ($name) = @_;
  return scalar(() = $receiver->requests(sub { $_[0]{path} eq "/$name" })) }
sub recover {
  my ($endpoint, @window) = @_;
  return $service->verifyctl(qw(webhook recover --endpoint), $endpoint->{id},
    @window);
}
sub finished {
  my ($job) = @_;
  return wait_for {
    my $now = $service->verifyctl(qw(webhook recovery-status), $job->{id});
    $now->{status} ne 'running' && $now;
  } 40;
}

my $other = endpoint('other');
my $endpoint = endpoint('recovered', 'verification_session.created');
my $start = time;
session();
ok wait_for { deliveries($endpoint, 'delivered') == 1 }, 'one is delivered';
$receiver->behave({status => 410});
session() for 1 .. 2;
ok wait_for { deliveries($endpoint, 'failed') == 2 }, 'two have failed';
answer_is($client->post("$path/$endpoint->{id}", {status => 'disabled'}), 200);
my $missed = session();
answer_is($client->post("/v1/verification_sessions/$missed->{id}/cancel"), 200);
answer_is($client->post("$path/$other->{id}/test",
  {event_type => 'verification_session.created'}), 200);
ok wait_for { !deliveries($other, 'pending') }, 'the other has its own';
my %before = map { $_ => deliveries($other, $_) } qw(delivered failed);

ok !eval { recover($endpoint, '--since', $start) }, 'not while it is disabled';
like $@, qr/endpoint/, 'which it says';
answer_is($client->post("$path/$endpoint->{id}", {status => 'enabled'}), 200);
ok !eval { recover({id => 'we_none'}, '--since', $start) }, 'not for a strange one';
ok !eval { recover($endpoint, '--since', $start - 32 * 86_400) }, 'nor for 32 days';
like $@, qr/at most 31 days earlier than/, 'which it says';
ok !eval { recover($endpoint, '--since', time + 3600) }, 'nor for the future';
ok !eval { recover($endpoint, '--since', $start, '--until', $start - 5) },
  'nor for an empty window';

subtest 'a window' => sub {
  $receiver->behave({status => 200});
  $receiver->forget;
  my $job = recover($endpoint, '--since', $start - 1, '--until', time + 1);
  is $job->{object}, 'webhook_recovery', 'object';
  is $job->{status}, 'running', 'it runs';
  is $job->{webhook_endpoint_id}, $endpoint->{id}, 'for the endpoint';
  my $done = finished($job);
  is $done->{status}, 'finished', 'it ends' or diag explain $done;
  is $done->{deliveries_requeued}, 2, 'what has failed';
  is $done->{deliveries_created}, 1, 'what was missed';
  is $done->{events_examined}, 6, 'of all events';
  ok $done->{finished_at}, 'when';
  ok wait_for { deliveries($endpoint, 'delivered') == 4 }, 'all arrive';
  is arrived('recovered'), 3, 'those three, once';
  is arrived('other'), 0, 'nothing goes elsewhere';
  is deliveries($other, $_), $before{$_}, "the other has no more $_"
    for sort keys %before;
  my ($created) = @{$service->sql(q{SELECT d.created_at, e.created_at AS time,
    d.event_id FROM webhook_delivery d JOIN event e ON e.id = d.event_id
    WHERE e.object_id = ? AND d.webhook_endpoint_id = ?},
    $missed->{id}, $endpoint->{id})};
  is $created->{created_at}, $created->{time}, 'a record belongs to its event\'s time';
  my $again = finished(recover($endpoint, '--since', $start - 1));
  is $again->{deliveries_requeued} + $again->{deliveries_created}, 0,
    'again: nothing to do';
  my $jobs = $service->verifyctl(qw(webhook recoveries --endpoint),
    $endpoint->{id});
  is_deeply [map { $_->{id} } @$jobs], [$again->{id}, $job->{id}], 'the list';
};

# Events of an hour ago, of which nobody got a delivery.
my $count = 3000;
my $old = ($start - 3600) * 1000;
sub seed {
  my ($object) = @_;
  my $alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
  my ($text, $rest) = ('', $old);
  for (1 .. 10) {
    $text = substr($alphabet, $rest % 32, 1) . $text;
    $rest = int($rest / 32);
  }
  $service->sql(q{INSERT INTO event (organization_id, id, type, object_id, body,
      created_at)
    SELECT $1, 'evt_' || $2 || left(encode(sha256(i::text::bytea), 'hex'), 16),
      'verification_session.created', $3, '{"object": "event"}', $4::bigint
    FROM generate_series(1, $5::integer) i} =~ s/\$\d/?/gr,
    $organization->{id}, $text, $object, $old, $count);
}

subtest 'many, and the watchdog dies' => sub {
  seed('vks_old');
  $receiver->forget;
  $service->allow_log(qr/IDV0320/);
  my $job = recover($endpoint, '--since', $start - 3700, '--until', $start - 3500);
  ok wait_for { $service->sql_value('SELECT events_examined FROM webhook_recovery
    WHERE id = ?', $job->{id}) > 0 }, 'it has begun';
  $service->kill_hard($service->watchdog_pid);
  my $done = finished($job);
  is $done->{status}, 'finished', 'it goes on and ends';
  is $done->{events_examined}, $count, 'every event, once';
  is $done->{deliveries_created}, $count, 'a delivery for each';
  my $sent = wait_for { !deliveries($endpoint, 'pending') } 120;
  ok $sent, 'all are sent';
  is deliveries($endpoint, 'delivered'), 4 + $count, 'and delivered';
};

# Deliveries that were not tried and are somebody else's: so many that recoveries of
# the endpoint wait, until they are gone.
sub hold {
  my ($endpoint) = @_;
  $service->sql(q{INSERT INTO webhook_delivery (organization_id, id, webhook_endpoint_id,
      event_id, event_type, next_attempt_at, leased_by, leased_until, created_at, updated_at)
    SELECT ?, 'whd_held' || i, ?, 'evt_held', 'verification_session.created', 1, 'nobody.1',
      4000000000000, 1, 1 FROM generate_series(1, 1001) i}, $organization->{id},
    $endpoint->{id});
}
sub let_go { $service->sql(q{DELETE FROM webhook_delivery WHERE event_id = 'evt_held'}) }
my @old = ('--since', $start - 3700, '--until', $start - 3500);

subtest 'one at a time, and as many as one may queue' => sub {
  my $limited = endpoint('limited', 'verification_session.created');
  hold($limited);
  my @pids = map {
    my $pid = fork // die "fork: $!\n";
    POSIX::_exit(eval { recover($limited, @old); 1 } ? 0 : 1) if !$pid;
    $pid;
  } 1 .. 4;
  my $made = grep { waitpid($_, 0) > 0 && $? == 0 } @pids;
  is $made, 1, 'of four at once, one is made';
  ok !eval { recover($limited, @old) }, 'another is refused';
  like $@, qr/A recovery of this webhook endpoint is running/, 'which it says';
  is finished(recover($endpoint, @old))->{status}, 'finished',
    'one of another endpoint goes on';
  my ($job) = @{$service->verifyctl(qw(delivery recoveries --org), $organization->{id},
    '--endpoint', $limited->{id})};
  is $job->{status}, 'running', 'this one waits';
  is $job->{events_examined}, 0, 'without a step';
  $service->sql('UPDATE webhook_recovery SET deliveries_created = 99700 WHERE id = ?',
    $job->{id});
  let_go();
  my $done = finished($job);
  is $done->{status}, 'limited', 'it ends at the limit';
  is $done->{deliveries_created}, 100_000, 'exactly';
  is $done->{events_examined}, 300, 'which leaves some';
  is $done->{examined_until}, int($old / 1000), 'and says up to when';
  isnt recover($limited, @old)->{id}, $job->{id}, 'then another one can follow';
  my $rest = wait_for { deliveries($limited, 'delivered') == $count } 120;
  ok $rest, 'and does the rest';
};

subtest 'nobody waits for it' => sub {
  my $slow = $service->receiver;
  $slow->behave({hold => 1});
  my $held = answer_is(fresh->post($path, {url => $slow->url('/held'),
    enabled_events => ['verification_session.created']}), 201);
  my $before = deliveries($other, 'delivered');
  my $job = recover($held, @old);
  ok wait_for { deliveries($held, 'pending') > 1000 }, 'a slow one has much to do';
  session();
  ok wait_for { deliveries($other, 'delivered') > $before }, 'another gets what is new';
  my $now = $service->verifyctl(qw(webhook recovery-status), $job->{id});
  is $now->{status}, 'running', '... meanwhile';
  cmp_ok $now->{deliveries_created}, '<=', 1250, 'no more is queued than some work ahead';
  $slow->behave({status => 200});
  $slow->release;
  is finished($job)->{deliveries_created}, $count, 'all are, as they are sent';
  my $sent = wait_for { !deliveries($held, 'pending') } 120;
  ok $sent, 'and arrive';
};

# Each of the receiver's connections takes one delivery of what waits; of the rest the
# fresh one is the newest.
subtest 'what happens now waits for little of it' => sub {
  my $slow = $service->receiver;
  $slow->behave({hold => 1});
  my $held = answer_is(fresh->post($path, {url => $slow->url('/fresh'),
    enabled_events => ['verification_session.created']}), 201);
  my $job = recover($held, @old);
  ok wait_for { deliveries($held, 'pending') > 1000 }, 'much waits';
  my $fresh = session();
  $slow->behave({status => 200});
  $slow->release;
  is finished($job)->{deliveries_created}, $count, 'all are queued in the end';
  ok +(wait_for { !deliveries($held, 'pending') } 120), 'and arrive';
  my @ids = map { $_->{event}{data}{object}{id} // '' } $slow->requests;
  my ($place) = grep { $ids[$_] eq $fresh->{id} } 0 .. $#ids;
  ok defined $place, 'the fresh one arrives';
  # 1,250, and what passes it on the 32 connections: each is a process of the receiver,
  # and the one that reads the fresh one may have to wait for a processor.
  cmp_ok $place // $count, '<=', 1400, '... behind no more than was there';
};

subtest 'an endpoint that fails' => sub {
  my $broken = $service->receiver;
  $broken->behave({status => 500});
  my $failing = answer_is(fresh->post($path, {url => $broken->url('/failing'),
    enabled_events => ['verification_session.created']}), 201);
  session();
  ok wait_for { $service->sql_value('SELECT failing_since FROM webhook_endpoint
    WHERE id = ?', $failing->{id}) }, 'it fails';
  my $job = recover($failing, @old);
  my $held = wait_for { $service->sql_value('SELECT count(*) FROM webhook_delivery
    WHERE webhook_endpoint_id = ? AND attempt > 0', $failing->{id}) > 250 } 40;
  ok $held, 'a batch is tried';
  ok wait_for { $service->sql_value('SELECT updated_at FROM webhook_recovery
    WHERE id = ?', $job->{id}) > time * 1000 }, 'the job is held';
  my $now = $service->verifyctl(qw(webhook recovery-status), $job->{id});
  is $now->{status}, 'running', '... and runs';
  cmp_ok $now->{deliveries_created}, '<=', 500, 'with little of what there is';
  cmp_ok $now->{updated}, '<=', time, 'it was not changed in the future';
  answer_is(fresh->post("$path/$failing->{id}", {status => 'disabled'}), 200);
  my $done = finished($job);
  is $done->{status}, 'cancelled', 'disabling the endpoint cancels it';
  is $done->{events_examined}, $now->{events_examined}, '... without a step';
};

subtest 'an endpoint that goes' => sub {
  my $gone = endpoint('gone');
  my $job = recover($gone, '--since', $start - 3700);
  answer_is(fresh->delete("$path/$gone->{id}"), 200);
  my $done = finished($job);
  like $done->{status}, qr/\A(?:cancelled|finished)\z/, 'the job ends';
  ok wait_for { !deliveries($gone, 'pending') }, 'and so do its deliveries';
};

finish($service);
