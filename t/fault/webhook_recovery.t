# verifyctl webhook recover: what an endpoint has missed in a window of time
# comes after all, once, to that endpoint only, whatever dies in between.
use v5.32;
use warnings;
use Verify::Test;

my $service = Verify::Instance->start;
my $organization = $service->organization(workflow => 1);
my $client = $organization->{client};
my $receiver = $service->receiver;
my $path = '/v1/webhook_endpoints';

sub endpoint {
  my ($name, @events) = @_;
  return answer_is($client->post($path, {url => $receiver->url("/$name"),
    enabled_events => [@events ? @events : '*']}), 201, "endpoint $name");
}
sub session {
  return answer_is($client->post('/v1/verification_sessions', {type => 'age',
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

subtest 'an endpoint that goes' => sub {
  my $gone = endpoint('gone');
  my $job = recover($gone, '--since', $start - 3700);
  answer_is($client->delete("$path/$gone->{id}"), 200);
  my $done = finished($job);
  like $done->{status}, qr/\A(?:cancelled|finished)\z/, 'the job ends';
  ok wait_for { !deliveries($gone, 'pending') }, 'and so do its deliveries';
};

finish($service);
