# Forty searches at once that do not end: their organization has its share of the
# connections, and nobody else waits for it.
use v5.32;
use warnings;
use POSIX ();
use Verify::Test;

use constant SEARCHERS => 40;

my $service = Verify::Instance->start(conf => 'VerifyRateLimit secret 1000000');
my $path = '/v1/verification_sessions';
my ($attacker, $other) = map { $service->organization(sandbox => 1, workflow => 1) } 1, 2;
$service->allow_log(qr/IDV0020: service_unavailable: session_search: SQLSTATE 57014/);

# In the place of the function that searches call first: it waits for us.
my $gate = $service->connect_database;
$gate->do('CREATE SCHEMA verify');
$gate->do(<<'SQL');
CREATE FUNCTION verify.show_trgm(searched text) RETURNS text[] LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(42);
  RETURN public.show_trgm(searched);
END $$
SQL
$gate->do('SELECT pg_advisory_lock(42)');

sub create {
  my ($organization) = @_;
  return $organization->{client}->post($path, {type => 'age', jurisdiction => 'US',
      client_reference_id => 'a' x 255, workflow_id => $organization->{workflow_id}});
}
# The status of ANSWER; what went wrong when there is none.
sub outcome {
  my ($answer) = @_;
  return $answer->status == 599 ? $answer->body : $answer->status;
}
sub waiting_searches {
  return $service->sql_value(q{SELECT count(*) FROM pg_stat_activity
    WHERE wait_event = 'advisory' AND application_name = 'mod_verify'});
}

is create($attacker)->status, 201, 'there is something to find';

my (@searchers, @reports);
for (1 .. SEARCHERS) {
  pipe my $report, my $write or die;
  my $pid = fork // die;
  if (!$pid) {
    my ($ended, %seen) = 0;
    local $SIG{TERM} = sub { $ended = 1 };
    my $client = $service->client($attacker->{secret_key}, timeout => 60);
    while (!$ended) {
      my $answer = $client->get("$path?search=" . 'a' x 255);
      my $again = $answer->header('Retry-After') // '';
      $seen{join ' ', $answer->status, ($answer->error // {})->{code} // '',
        $again ? 'again' : 'final'}++;
    }
    syswrite $write, join "\n", keys %seen;
    POSIX::_exit(0);
  }
  close $write;
  push @searchers, $pid;
  push @reports, $report;
}
ok wait_for { waiting_searches() >= 2 }, 'searches are under way';
ok wait_for {
  $other->{client}->get('/metrics')->body =~ /^verify_searches_refused_total [1-9]\d/m
}, 'more than may wait';

my %status;
$status{outcome(create($other))}++ for 1 .. 60;
is_deeply \%status, {201 => 60}, 'another organization creates sessions';
is $other->{client}->get("$path?client_reference_id=x")->status, 200, 'and lists them';
is $other->{client}->get('/v1/health/ready')->status, 200, 'health answers';
error_is $service->client('sk_test_' . 'x' x 43)->get($path), 401, 'api_key_invalid',
  undef, 'so does a look for a key';
%status = ();
$status{outcome(create($attacker))}++ for 1 .. 20;
is_deeply \%status, {201 => 20}, 'even its own creations';
cmp_ok waiting_searches(), '<=', 2 * 2, 'a quarter of the connections of two children';

$gate->do('SELECT pg_advisory_unlock(42)');
kill TERM => @searchers;
waitpid $_, 0 for @searchers;
my %seen = map { chomp; $_ => 1 } map { readline $_ } @reports;
delete @seen{'200  final', '503 service_unavailable again'};
is_deeply [keys %seen], ['429 rate_limit_exceeded again'],
  'who did not get one was told when to ask again';
ok wait_for { $attacker->{client}->get("$path?search=aaa")->status == 200 },
  'and then searches';
$gate->disconnect;
finish($service);
