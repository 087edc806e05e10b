# Reloads with a delivery under way: it ends beside the new watchdog, and is not
# sent again; what takes longer than the grace, or meets a stop, is.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Test;

sub session {
  my ($who) = @_;
  return answer_is $who->{client}->with->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $who->{workflow_id}, jurisdiction => 'US-CA',
      skip_verification => JSON::PP::true}), 201, 'a session';
}

# A service with one endpoint, at a receiver that holds its first answer.
sub begin {
  my (%options) = @_;
  my $service = Verify::Instance->start(%options);
  my $who = $service->organization(sandbox => 1, workflow => 1);
  my $receiver = $service->receiver;
  $receiver->behave({hold => 1}, {});
  answer_is $who->{client}->post('/v1/webhook_endpoints', {url => $receiver->url,
    enabled_events => ['verification_session.verified']}), 201, 'an endpoint';
  session($who);
  ok $receiver->wait_for_request, 'a delivery is under way';
  return ($service, $who, $receiver);
}
sub new_watchdog {
  my ($service, $old) = @_;
  return wait_for { my $pid = $service->watchdog_pid;
    $pid && $pid != $old && -d "/proc/$pid" && $pid };
}
# Ended, waited for or not.
sub has_ended {
  my ($pid) = @_;
  return wait_for { !-d "/proc/$pid"
    || Verify::Instance::read_text("/proc/$pid/stat") =~ /\) Z / };
}
# The watchdogs that there are, by their process ids.
sub watchdogs {
  my ($service) = @_;
  my @pids = sort { $a <=> $b } grep {
    Verify::Instance::read_text("/proc/$_/comm") =~ /watchdog/
  } $service->child_pids($service->httpd_pid);
  return @pids;
}
sub statuses {
  my ($service) = @_;
  return join ' ', map { "$_->{status}:$_->{attempt}" }
    @{$service->sql('SELECT status, attempt FROM webhook_delivery ORDER BY id')};
}

subtest 'a reload waits for it' => sub {
  my ($service, $who, $receiver) = begin();
  my $old = $service->watchdog_pid;
  $service->graceful;
  ok wait_for { 2 == watchdogs($service) }, 'the old watchdog and a new one';
  ok -d "/proc/$old", 'the old one departs';
  session($who);
  ok $receiver->wait_for_request(sub { $_[0]{event}{id} ne
    ($receiver->requests)[0]{event}{id} }), 'the new one delivers meanwhile';
  is scalar($receiver->requests), 2, 'but not what the old one has';
  $service->graceful;
  # Numbers of processes begin anew at their limit, so the old one may be last.
  ok wait_for { 2 == watchdogs($service) && grep { $_ == $old } watchdogs($service) },
    'another reload does not end it either';
  $receiver->release;
  ok wait_for { statuses($service) eq 'delivered:1 delivered:1' },
    'its answer counts' or diag statuses($service);
  ok has_ended($old), 'then it ends';
  ok wait_for { 1 == watchdogs($service) }, 'and is waited for';
  is scalar($receiver->requests), 2, 'each was delivered once';
  $service->stop;
};

subtest 'a stop does not' => sub {
  my ($service, $who, $receiver) = begin();
  my $old = $service->watchdog_pid;
  $service->graceful;
  ok wait_for { 2 == watchdogs($service) }, 'the old watchdog departs';
  $service->note_processes;
  $service->stop_httpd;
  ok !-d "/proc/$old", 'and ends with the server';
  $service->start_httpd;
  ok wait_for { 2 == $receiver->requests }, 'it is delivered once more';
  $receiver->release;
  ok wait_for { statuses($service) =~ /^delivered/ }, 'in the end'
    or diag statuses($service);
  $service->stop;
};

subtest 'none to wait' => sub {
  my ($service, $who, $receiver) = begin(conf => 'VerifyReloadGrace 0');
  my $old = $service->watchdog_pid;
  $service->graceful;
  ok new_watchdog($service, $old), 'a new watchdog';
  ok has_ended($old), 'the old one has ended';
  ok wait_for { 2 == $receiver->requests }, 'what it had is delivered once more';
  $receiver->release;
  $service->stop;
};

subtest 'one that is killed while it departs' => sub {
  my ($service, $who, $receiver) = begin();
  $service->expect_log(qr/IDV0778/);
  my $old = $service->watchdog_pid;
  $service->graceful;
  ok wait_for { 2 == watchdogs($service) }, 'the old watchdog departs';
  $service->kill_hard($old);
  ok wait_for { 2 == $receiver->requests }, 'the new one delivers what it had';
  $receiver->release;
  $service->stop;
};
# Old and new overlap: whichever reports last, both are known to the nodes that ask
# who lacks a master key.
subtest 'who is there' => sub {
  my $service = Verify::Instance->start;
  my $ids = sub { [map { $_->{id} } @{$service->sql(
    'SELECT id FROM server_node ORDER BY id')}] };
  ok wait_for { 1 == @{$ids->()} }, 'a watchdog says that it is there';
  my ($old) = @{$ids->()};
  $service->sql(q{INSERT INTO server_node
    SELECT 'beside ' || age, node, host, key_fingerprints, sends_mail, seen_at - age
      FROM server_node, unnest(ARRAY[-60000, 21000]) age});
  $service->graceful;
  ok wait_for { my ($new) = grep { !/\Abeside/ && $_ ne $old } @{$ids->()}; $new },
    'so does its successor';
  ok wait_for { !grep { $_ eq $old } @{$ids->()} }, '... and the old one leaves';
  is_deeply [grep { /\Abeside/ } @{$ids->()}], ['beside -60000'],
    'who still reports stays, who does not is removed';
  $service->stop;
};
done_testing;
