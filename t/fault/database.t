# The database goes away, comes back, is full, or has an old schema: requests
# get 503 with the envelope, and the service recovers without a restart.
use v5.32;
use warnings;
use FindBin;
use POSIX qw(WNOHANG);
use lib "$FindBin::Bin/../lib";
use Verify::Test;

my $service = Verify::Instance->start(own_cluster => 1, conf => <<'CONF');
VerifyDatabaseConnections 2
VerifyDatabaseWait 300
StartServers 1
MaxRequestWorkers 64
CONF
my $client = $service->organization(sandbox => 1)->{client};
my $list = '/v1/verification_sessions';
$service->allow_log(qr/IDV0010|IDV0020: service_unavailable|IDV0775/,
  qr/IDV0301: the watchdog has lost the database/,
  qr/IDV0304: the watchdog waits: the database schema has version \d/);

sub unavailable {
  my ($answer, $name) = @_;
  error_is $answer, 503, 'service_unavailable', undef, $name;
  ok +($answer->header('Retry-After') // 0) >= 1, 'with Retry-After';
}

is $client->get($list)->status, 200, 'it works';

subtest 'connections ended by the server' => sub {
  for (1 .. 3) {
    $client->get($list) for 1 .. 4;
    $service->sql(q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'mod_verify'});
    wait_for { !$service->sql_value(q{SELECT count(*) FROM pg_stat_activity
      WHERE application_name = 'mod_verify'}) };
    my %status;
    $status{$client->get($list)->status}++ for 1 .. 8;
    is_deeply \%status, {200 => 8}, 'no request notices';
  }
};

subtest 'a stopped server' => sub {
  my $gone = () = $service->{log}->matching(qr/IDV0775/);
  my $back = () = $service->{log}->matching(qr/IDV0776/);
  my $lines = () = $service->{log}->matching(qr/IDV00|\[dbd:/);
  my $told = () = $service->{log}->matching(qr/IDV0302/);
  my $lost = () = $service->{log}->matching(qr/IDV0301/);
  $service->postgresql('stop');
  unavailable $client->with->get($list), 'a request meanwhile' for 1 .. 16;
  is scalar(() = $service->{log}->matching(qr/IDV0775: the database cannot be reached/)),
    $gone + 1, 'the log says so once for all of them';
  is scalar(() = $service->{log}->matching(qr/IDV00|\[dbd:/)), $lines,
    'and nothing of each';
  unavailable $client->get('/v1/health/ready'), 'not ready';
  is $client->get('/v1/health/live')->status, 200, 'but alive';
  ok wait_for { my $all = () = $service->{log}->matching(qr/IDV0301/); $all > $lost },
    'the watchdog has noticed, too';
  $service->postgresql('start');
  ok wait_for { $client->get($list)->status == 200 }, 'it recovers by itself';
  ok wait_for { $client->get('/v1/health/ready')->status == 200 }, 'all of it';
  is scalar(() = $service->{log}->matching(qr/IDV0776: the database is back/)),
    $back + 1, 'which the log says once, too';
  # Both of its connections are there again before it says so.
  ok wait_for { my $all = () = $service->{log}->matching(qr/IDV0302/); $all > $told },
    'the watchdog is connected again';
  is scalar(() = $service->{log}->matching(qr/IDV0301/)), $lost + 1,
    'that it was lost is one line, whatever connections it has';
  is scalar(() = $service->{log}->matching(qr/IDV0302/)), $told + 1,
    'and that it is back another';
};

subtest 'all connections in use' => sub {
  my $fresh = $service->organization(sandbox => 1)->{secret_key};
  my $blocker = $service->connect_database;
  $blocker->begin_work;
  $blocker->do('LOCK TABLE api_key IN ACCESS EXCLUSIVE MODE');
  my @waiting;
  # More than there are connections. There is one child, which knows the client's
  # key: what a child asks to get to know a key has no owner yet.
  my $ask_often = sub {
    my ($token) = @_;
    for (1 .. 12) {
      my $pid = fork // die;
      if (!$pid) {
        $service->client($token, timeout => 30)->get($list);
        require POSIX;
        POSIX::_exit(0);
      }
      push @waiting, $pid;
    }
  };
  $ask_often->($client->{token});
  ok wait_for { $service->sql_value(q{SELECT count(*) FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND application_name = 'mod_verify'}) },
    'an organization waits';
  # Those that waited in vain look at their key before they are refused.
  my ($refusals, %status) = (0);
  while ($refusals < @waiting - 1) {
    $status{$client->get('/v1/health/ready')->status}++;
    $refusals += grep { waitpid($_, WNOHANG) == $_ } @waiting;
  }
  is_deeply [keys %status], [200], 'the last one is for others';
  # Keys that are to be looked up are nobody's yet.
  $ask_often->($fresh);
  my $refused = wait_for {
    my $answer = $client->get('/v1/health/ready');
    $answer->status == 503 && $answer;
  };
  unavailable $refused, 'a request that found none';
  $blocker->rollback;
  waitpid $_, 0 for @waiting;
  is $client->get($list)->status, 200, 'the others went on';
  like $client->get('/metrics')->body,
    qr/^verify_database_wait_timeouts_total [1-9]/m, 'counted';
};

subtest 'an old schema' => sub {
  my ($row) = @{$service->sql('SELECT * FROM schema_migration ORDER BY version DESC LIMIT 1')};
  $service->sql('UPDATE schema_migration SET version = 0 WHERE version = ?', $row->{version});
  kill USR1 => $service->httpd_pid;
  my $answer = wait_for {
    my $refused = $service->client($client->{token})->get($list);
    $refused->status == 503 && $refused;
  };
  unavailable $answer, 'work is refused';
  ok scalar($service->{log}->matching(qr/IDV0010: the database schema has version \d/)),
    'the log says why';
  ok wait_for { $service->{log}->matching(qr/IDV0304: .*run verifyctl migrate/) },
    'the watchdog, too';
  $service->sql('UPDATE schema_migration SET version = ? WHERE version = 0', $row->{version});
  ok wait_for { $client->get($list)->status == 200 }, 'until it is migrated';
  ok wait_for { $client->get('/metrics')->body =~ /^verify_watchdog_database_up 1/m },
    'and the watchdog works again';
};

subtest 'no schema at all' => sub {
  my $empty = Verify::Instance->start(migrate => 0, start => 0);
  $empty->allow_log(qr/IDV0010|IDV0020: service_unavailable|IDV0304/);
  # It does not get ready: the script gives up waiting for that.
  ok !eval { local $ENV{VERIFY_READY_SECONDS} = 2; $empty->start_httpd; 1 }, 'not ready';
  my $answer = $empty->client->get('/v1/health/ready');
  unavailable $answer, 'so a load balancer hears';
  ok wait_for { $empty->client->get('/metrics')->body
    =~ /^verify_watchdog_database_up 0/m }, 'the watchdog waits';
  my @lines = $empty->{log}->matching(qr/IDV03/);
  ok @lines && @lines <= 2, 'and says so once on each of its connections';
  $empty->verifyctl('migrate');
  ok wait_for { $empty->client->get('/v1/health/ready')->status == 200 },
    'until the schema is there';
  $empty->stop;
};

finish $service;
