# Three nodes with one database, and one of them loses its power under load: what
# it had answered is there, each request that it left without an answer is done
# once when another node is asked again under its key, what its watchdog had under
# way is sent by another one under the same ids when the lease has ended, and
# timers go on.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Load;
use Verify::Test;

my $path = '/v1/verification_sessions';
# Customers' servers ask as fast as they are answered: how often is not the question.
my $often = "VerifyRateLimit secret 1000000\n";
my $first = Verify::Instance->start(conf => $often);
my @nodes = ($first, map { Verify::Instance->start(beside => $first, start => 0) } 1, 2);
my $victim = $nodes[2];
my $organization = $first->organization(sandbox => 1, workflow => 1);
my $receiver = $first->receiver;
# All nodes trust who has issued the receiver's certificate.
for my $node (@nodes[1, 2]) {
  $node->{conf} = "${often}VerifyWebhookCAFile $first->{directory}/tls/ca.pem\n";
  $node->start_httpd;
}
my @clients = map { $_->client($organization->{secret_key}) } @nodes;
my $endpoint = answer_is $clients[0]->post('/v1/webhook_endpoints',
  {url => $receiver->url, enabled_events => ['*']}), 201, 'an endpoint';
$receiver->expect_secret('/webhooks', $endpoint->{secret});
$receiver->behave({delay => 0.05}); # so that deliveries are under way at any time

my %age = (type => 'age', workflow_id => $organization->{workflow_id},
  jurisdiction => 'US-CA');
my $load = Verify::Load->start(\@clients, {%age, skip_verification => JSON::PP::true});
ok $load->reaches(10, 0 .. 2), 'sessions are created at each of three nodes';

# --- the power fails ---

# A parent and all below it.
sub tree_of {
  my ($pid) = @_;
  return ($pid, map { tree_of($_) } $victim->child_pids($pid));
}
sub leased {
  return map { $_->{event_id} => $_->{leased_by} } @{$first->sql(
    'SELECT event_id, leased_by FROM webhook_delivery WHERE leased_by IS NOT NULL')};
}
$victim->note_processes;
my @gone = tree_of($victim->httpd_pid);
my %lost;
# Held first, so that what it has under way is known when it goes: what the others
# have under way they settle, and it stays.
my $has_work = &wait_for(sub {
  kill STOP => @gone;
  %lost = leased();
  my $is_of_one = wait_for {
    my %now = leased();
    delete @lost{grep { !$now{$_} } keys %lost};
    my %owners = map { $_ => 1 } values %lost;
    keys %owners < 2;
  };
  return 1 if $is_of_one && %lost;
  kill CONT => @gone;
  return 0;
}, 60);
ok $has_work, 'one has deliveries under way: ' . keys %lost;
# The kernel sends SIGHUP to those of whom only held ones are left.
$victim->{exits}->expect($_, 9, 1) for @gone;
kill KILL => @gone;
ok wait_for { !grep { -d "/proc/$_" } @gone }, 'all of its processes are killed';
my %still = leased();
delete @lost{grep { !$still{$_} } keys %lost}; # committed as it was held

ok $load->reaches(30, 0, 1), 'sessions are created at the others';
is_deeply [map { $_->with->get('/v1/health/ready')->status } @clients],
  [200, 200, 599], 'which are ready';

# --- timers ---

my $timed = answer_is $clients[0]->post($path, \%age), 201, 'a session that waits';
$first->sql('UPDATE verification_session SET expires_at = 1000 WHERE id = ?',
  $timed->{id});
ok wait_for { $clients[1]->get("$path/$timed->{id}")->json->{status} eq 'expired' },
  'expires while a node is away';
is $load->end, '', 'every request was answered in the end, with success';

# --- the books ---

my @answered = $load->answered;
my %there;
push @{$there{$_->{client_reference_id}}}, $_ for @{$first->sql(
  'SELECT client_reference_id, id, status FROM verification_session
    WHERE client_reference_id IS NOT NULL')};
is_deeply [grep { ($there{$_->{name}}[0]{id} // '') ne $_->{id} } @answered], [],
  'each of ' . @answered . ' sessions that were answered is there';
is_deeply [grep { @{$there{$_}} != 1 } sort keys %there], [], 'once';
is_deeply [grep { $there{$_}[0]{status} ne 'verified' } sort keys %there], [],
  'as it was answered';

# The leases end 90 seconds after the claim: thirty of the exchange, sixty of slack.
# That is not waited for.
my ($longest) = $first->sql_value(q{SELECT max(leased_until)
  - 1000 * extract(epoch FROM now()) FROM webhook_delivery});
cmp_ok $longest, '<=', 90_000, 'what the lost node had under way is free soon';
my %now = leased();
is_deeply [grep { !$now{$_} } sort keys %lost], [], 'and nobody takes it before';
$first->sql('UPDATE webhook_delivery SET leased_until = 1000 WHERE event_id = ?', $_)
  for keys %lost;
my $settled = &wait_for(sub { !$first->sql_value(
  "SELECT count(*) FROM webhook_delivery WHERE status <> 'delivered'") }, 60);
ok $settled, 'then every delivery is settled';
my (%times, %ids, %faults);
for my $request ($receiver->requests) {
  my $id = $request->{event}{id};
  $times{$id}++;
  $ids{$id}{$request->{headers}{'service-webhook-id'}} = 1;
  $faults{$request->{fault}}++ if $request->{fault};
}
my @events = map { $_->{id} } @{$first->sql('SELECT id FROM event')};
is_deeply [grep { !$times{$_} } @events], [], 'each of ' . @events . ' events has come';
is_deeply [grep { keys %{$ids{$_}} != 1 } sort keys %ids], [], 'under one delivery id';
is_deeply \%faults, {}, 'with a signature that holds';
is_deeply [grep { $times{$_} > 1 && !$lost{$_} } sort keys %times], [],
  'and none came twice but of what the lost node had under way';
is $first->sql_value('SELECT max(attempt) FROM webhook_delivery'), 1,
  'no attempt was used up by it';
is $first->sql_value(q{SELECT count(*) FROM event
  WHERE type = 'verification_session.expired'}), 1, 'the timer ran out once';

# --- it comes back ---

my ($of_it) = grep { $_->{node} == 2 } @answered;
$victim->start_httpd;
is answer_is($clients[2]->with->get("$path/$of_it->{id}"), 200,
  'the node comes back')->{status}, 'verified', 'and knows what it had done';
finish $nodes[1], $victim, $first;
