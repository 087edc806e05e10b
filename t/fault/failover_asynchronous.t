# A database with an asynchronous standby, which falls behind before the first host
# dies: what it had is there, whole, and what it did not have is gone, whole. Who was
# answered learns which is which, by asking again under the same key.
use v5.32;
use warnings;
use Verify::Books qw(book_faults);
use Verify::Standby;
use Verify::Test;

my $service = Verify::Instance->start(own_cluster => 1, start => 0);
$service->allow_log(qr/IDV0020: service_unavailable|IDV0775|IDV0776/,
  qr/IDV030[0-9]/, qr/IDV0010/);
my $standby = Verify::Standby->start($service);
is $service->sql_value('SHOW synchronous_standby_names'), '',
  'no commit waits for the other';

$service->start_httpd;
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $client = $organization->{client};
my $receiver = $service->receiver;
my $endpoint = answer_is $client->post('/v1/webhook_endpoints',
  {url => $receiver->url, enabled_events => ['*']}), 201, 'an endpoint';
$receiver->expect_secret('/webhooks', $endpoint->{secret});

my $path = '/v1/verification_sessions';
sub create {
  my ($name) = @_;
  my $answer = $client->post($path, {type => 'age', jurisdiction => 'US-CA',
    workflow_id => $organization->{workflow_id}, client_reference_id => $name,
    skip_verification => JSON::PP::true}, 'Idempotency-Key' => $name);
  return $answer->status == 201 ? $answer->json : undef;
}
sub announced {
  my %sent = map { ($_->{event}{data}{object}{id} // '') => 1 } $receiver->requests;
  return !grep { !$sent{$_->{id}} } @_;
}

my @kept = map { create("kept-$_") } 1 .. 8;
is scalar(grep { $_ } @kept), 8, 'sessions that the other gets to know';
my $sent = wait_for { announced(@kept) };
ok $sent, 'they are announced';
my $position = $service->sql_value('SELECT pg_current_wal_lsn()');
my $caught_up = wait_for {
  $standby->sql("SELECT pg_last_wal_replay_lsn() >= '$position'::pg_lsn AS is_there")
    ->[0]{is_there} };
ok $caught_up, 'the other has them';

# From here on it learns nothing.
$standby->sql(q{ALTER SYSTEM SET primary_conninfo = ''});
$standby->sql('SELECT pg_reload_conf()');
my $is_apart = wait_for {
  !$service->sql_value('SELECT count(*) FROM pg_stat_replication') };
ok $is_apart, 'the other falls behind';
my @lost = map { create("lost-$_") } 1 .. 5;
is scalar(grep { $_ } @lost), 5, 'customers are answered all the same';
$sent = wait_for { announced(@lost) };
ok $sent, 'and told by webhooks';
my $before = $client->get("$path/$kept[0]{id}")->json;

kill QUIT => $service->postgresql_pid; # at once, as when the power fails
my $is_gone = wait_for { $client->get('/v1/health/ready')->status == 503 };
ok $is_gone, 'the first host is gone';
$standby->promote;
my $is_ready = wait_for { $client->get('/v1/health/ready')->status == 200 };
ok $is_ready, 'the service goes on at the other';

is_deeply [map { $client->get("$path/$_->{id}")->status } @kept], [(200) x 8],
  'what the other had is there';
is_deeply $client->get("$path/$kept[0]{id}")->json, $before, 'as it was';
is_deeply [map { $client->get("$path/$_->{id}")->status } @lost], [(404) x 5],
  'what it had not is not';
my $events = $client->get('/v1/events?limit=100')->json->{data};
my %known = map { ($_->{data}{object}{id} // '') => 1 } @$events;
is_deeply [map { $known{$_->{id}} ? 1 : 0 } @kept, @lost], [(1) x 8, (0) x 5],
  'events tell of the ones, not of the others';
sub booked {
  my $ids = join ', ', map { "'$_->{id}'" } @_;
  return $service->sql_value("SELECT count(*) FROM ledger_entry WHERE session_id IN ($ids)");
}
is_deeply [booked(@kept), booked(@lost)], [8, 0], 'nor does the ledger';
is_deeply [book_faults($service, $organization->{id})], [], 'the books are right';

# The key tells which: the same session, or a new one.
is_deeply [map { create($_->{client_reference_id})->{id} } @kept],
  [map { $_->{id} } @kept], 'asked again, what was kept is answered as before';
my @again = map { create($_->{client_reference_id}) } @lost;
is scalar(grep { $again[$_] && $again[$_]{id} ne $lost[$_]{id} } 0 .. $#lost), 5,
  'what was lost is made anew';
my %names;
$names{$_->{client_reference_id}}++ for @{$service->sql(
  'SELECT client_reference_id FROM verification_session')};
is_deeply \%names, {map { $_->{client_reference_id} => 1 } @kept, @lost}, 'each is there once';
$sent = wait_for { announced(@again) };
ok $sent, 'and announced';
is_deeply [book_faults($service, $organization->{id})], [], 'the books are right still';

finish $service;
