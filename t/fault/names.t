# Name servers that hang: one organization's hold up no other's deliveries, not
# even right after a start, when no name has proved anything yet.
use v5.32;
use warnings;
use Verify::Test;

my $service = Verify::Instance->start(slow_names => 1);

sub organization { return $service->organization(workflow => 1) }
# At NAME, whatever its certificate says; the API takes no name of a test.
sub endpoint {
  my ($organization, $receiver, $name) = @_;
  my $endpoint = answer_is($organization->{client}->post('/v1/webhook_endpoints',
    {url => $receiver->url, enabled_events => ['*']}), 201, 'an endpoint');
  my ($port) = $receiver->url =~ /:([0-9]+)/;
  $service->sql('UPDATE webhook_endpoint SET url = ? WHERE id = ?',
    "https://$name:$port/", $endpoint->{id});
  return $endpoint->{id};
}
sub create_sessions {
  my ($organization, $count) = @_;
  answer_is($organization->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $organization->{workflow_id},
      jurisdiction => 'US'}), 201, 'a session') for 1 .. $count;
}
sub count_deliveries {
  my ($organization, $condition) = @_;
  return $service->sql_value("SELECT count(*) FROM webhook_delivery
    WHERE organization_id = ? AND $condition", $organization->{id});
}

my $endpoints = 50;
my $slow = organization();
my $slow_receiver = $service->receiver;
$service->hang_names;
endpoint($slow, $slow_receiver, "host$_.names.test") for 1 .. $endpoints;
create_sessions($slow, 2);
ok wait_for { (() = $service->hanging_names) >= 2 }, 'its names hang';

my $other = organization();
my $receiver = $service->receiver;
endpoint($other, $receiver, 'localhost');
create_sessions($other, 20);
ok wait_for { count_deliveries($other, "status = 'delivered'") == 20 },
  'another one has all of its deliveries';
is count_deliveries($slow, 'attempt > 0'), 0, 'while all those names hang';
is scalar(() = $service->hanging_names), 2, 'on two threads, not more';

# They are looked up after all, each once at a time, and no turn is lost.
$service->release_names;
ok +wait_for(sub { count_deliveries($slow, 'attempt > 0') == 2 * $endpoints }, 30),
  'each of its deliveries is tried when its names do no longer hang';
is count_deliveries($slow, q{last_error->>'code' = 'tls_error'}),
  2 * $endpoints, 'at the address that they have';

subtest 'a start while names hang' => sub {
  $service->stop_httpd;
  $service->hang_names;
  $service->sql('UPDATE webhook_delivery SET next_attempt_at = 1
    WHERE organization_id = ?', $slow->{id});
  $service->start_httpd;
  ok wait_for { (() = $service->hanging_names) >= 2 }, 'they hang again';
  create_sessions($other, 20);
  ok wait_for { count_deliveries($other, "status = 'delivered'") == 40 },
    'and hold up nobody';
  is count_deliveries($slow, 'attempt > 1'), 0, 'meanwhile';
  $service->release_names;
};
finish $service;
