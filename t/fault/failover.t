# A database with a synchronous standby: the first host dies under load, the other
# is promoted, and the service goes on there by itself. Nothing that was answered
# is lost, and what was asked again under its key is there once.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use POSIX ();
use Verify::Standby;
use Verify::Test;

my $service = Verify::Instance->start(own_cluster => 1, start => 0);
$service->allow_log(qr/IDV0020: service_unavailable|IDV0775|IDV0776/,
  qr/IDV030[0-9]/, qr/IDV0010/);
my $standby = Verify::Standby->start($service);
$service->sql(q{ALTER SYSTEM SET synchronous_standby_names = '*'});
$service->sql('SELECT pg_reload_conf()');
ok wait_for { $service->sql_value(q{SELECT count(*) FROM pg_stat_replication
  WHERE sync_state = 'sync'}) }, 'the other confirms each commit';

$service->start_httpd;
my $organization = $service->organization(workflow => 1);
my $receiver = $service->receiver;
my $endpoint = answer_is $organization->{client}->post('/v1/webhook_endpoints',
  {url => $receiver->url, enabled_events => ['verification_session.created']}),
  201, 'an endpoint';
$receiver->expect_secret('/webhooks', $endpoint->{secret});

# Creates sessions until it is told to end, each again until it is answered; says
# of each that it was.
sub create_until_told {
  my ($number) = @_;
  open my $answered, '>', "$service->{directory}/answered$number" or die;
  $answered->autoflush;
  my $client = $organization->{client}->with;
  for (my $i = 1; !-e "$service->{directory}/enough"; $i++) {
    my $name = "load-$number-$i";
    while (1) {
      my $answer = $client->post('/v1/verification_sessions', {type => 'age',
        workflow_id => $organization->{workflow_id}, jurisdiction => 'US-CA',
        client_reference_id => $name}, 'Idempotency-Key' => $name);
      if ($answer->status == 201) {
        print $answered "$name " . $answer->json->{id} . "\n";
        last;
      }
      return 1 if $answer->status != 503;
      select undef, undef, undef, 0.05; # as Retry-After asks, but sooner
    }
  }
  return 0;
}
my @workers = map {
  my $number = $_;
  my $pid = fork // die "cannot fork: $!\n";
  if (!$pid) {
    $service->{owner} = 0;
    POSIX::_exit(create_until_told($number));
  }
  $pid;
} 1 .. 2;
sub answered {
  return map { /\A(\S+) (\S+)\n\z/ ? [$1, $2] : () } map {
    split /(?<=\n)/, Verify::Instance::read_text("$service->{directory}/answered$_")
  } 1 .. 2;
}

ok wait_for { answered() > 20 }, 'sessions are created';
kill QUIT => $service->postgresql_pid; # at once, as when the power fails
my $before = wait_for {
  $organization->{client}->get('/v1/verification_sessions')->status == 503
    && answered() };
ok $before, 'the first host is gone';
ok wait_for { $organization->{client}->get('/v1/health/ready')->status == 503 },
  'which the service says of itself';
$standby->promote;
ok wait_for { answered() > $before + 20 }, 'sessions are created at the other';
ok wait_for { $organization->{client}->get('/v1/health/ready')->status == 200 },
  'and the service is ready';
open my $file, '>', "$service->{directory}/enough" or die;
close $file;
is_deeply [map { waitpid $_, 0; $? } @workers], [0, 0],
  'answers were successes, or 503';

my %there = map { $_->{client_reference_id} => $_ } @{$service->sql(
  q{SELECT client_reference_id, min(id) AS id, count(*) AS count
      FROM verification_session GROUP BY client_reference_id})};
my @answered = answered();
my @lost = grep { ($there{$_->[0]}{id} // '') ne $_->[1] } @answered;
is scalar(@lost), 0, 'all of ' . @answered . ' answered sessions are there';
is_deeply [grep { $there{$_}{count} != 1 } sort keys %there], [], 'each once';
my $announced = wait_for {
  my %sent = map { $_->{event}{data}{object}{id} => 1 } $receiver->requests;
  !grep { !$sent{$_->[1]} } @answered
} 60;
ok $announced, 'and each was announced';

finish $service;
