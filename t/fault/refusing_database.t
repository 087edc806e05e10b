# A database that refuses to be changed, as on a full disk, is said once a
# minute for each cause, however many sessions wait for their timers; and those
# go on when it takes changes again.
use v5.32;
use warnings;
use Verify::Test;

my $service = Verify::Instance->start;
my $organization = $service->organization(workflow => 1);
my $client = $organization->{client};

my $receiver = $service->receiver;
answer_is($client->post('/v1/webhook_endpoints',
  {url => $receiver->url, enabled_events => ['*']}), 201, 'an endpoint');

my $sessions = 40;
answer_is($client->post('/v1/verification_sessions',
  {type => 'age', workflow_id => $organization->{workflow_id},
    jurisdiction => 'US'}), 201, 'a session') for 1 .. $sessions;

# They are due when nothing can be changed any more; this is what the server
# says when a file cannot grow.
$service->sql(q{CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
  $$BEGIN RAISE EXCEPTION USING ERRCODE = '53100'; END$$});
$service->sql(q{CREATE TRIGGER refuse BEFORE UPDATE ON verification_session
  FOR EACH ROW WHEN (OLD.expires_at = 1) EXECUTE FUNCTION refuse()});
$service->sql('UPDATE verification_session SET expires_at = 1');

sub count_failures {
  my ($value) = $service->client->get('/metrics')->body
    =~ /^verify_watchdog_database_failures_total (\d+)$/m or die "no such metric\n";
  return $value;
}
$service->expect_log(qr/IDV0340: a timer of session \S+ failed: .*SQLSTATE 53100/,
  qr/IDV0303: .*SQLSTATE 53100/);
ok wait_for { count_failures() >= 24 }, 'changes are refused, over and over';
for my $tag (qw(IDV0340 IDV0303)) {
  my @lines = $service->{log}->matching(qr/$tag/);
  cmp_ok scalar @lines, '>=', 1, "$tag is said";
  cmp_ok scalar @lines, '<=', 2, 'but not each time' or diag @lines;
}

$service->sql('DROP TRIGGER refuse ON verification_session');
ok wait_for { $service->sql_value(q{SELECT count(*) FROM verification_session
  WHERE status = 'expired'}) == $sessions }, 'then all of them expire';
finish $service;
