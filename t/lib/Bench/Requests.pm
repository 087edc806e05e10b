package Bench::Requests;
# Requests of one kind through the service, and their floors: the same
# statement through pgbench, and a file of the same size from the same httpd.
use v5.32;
use warnings;
use Bench::Service;
use Bench::Statement;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp ();
use JSON::PP ();
use Time::HiRes qw(time);

my $root = abs_path(dirname(__FILE__) . '/../../..');
my $runs = 0;

# What pgbench runs beside each kind: the main statement of the request, in one
# script. Ids of new rows grow, as the service's do.
my %floor_of = (retrieve => \&retrieve_floor, list => \&list_floor,
  create => sub { create_floor(@_, 0) },
  create_idempotent => sub { create_floor(@_, 1) });

my $seeded_id = q{'vks_00' || lpad((:n)::text, 24, '0')};
sub with_random_id {
  my ($service, $script) = @_;
  return "\\set n random(1, $service->{rows})\n$script;\n";
}
sub retrieve_floor {
  my ($service) = @_;
  my ($text, $options) = Bench::Statement::script('session/find',
    1 => $service->{organization}{id}, 2 => \$seeded_id);
  return (with_random_id($service, $text), $options);
}
sub list_floor {
  my ($service) = @_;
  my ($text, $options) = Bench::Statement::script('session/list',
    1 => $service->{organization}{id}, 3 => \$seeded_id, 4 => 11);
  return (with_random_id($service, $text), $options);
}

my @columns = Bench::Statement::read_text("$root/sql/fragments/session_columns.sql")
  =~ s/^\s*--.*\n//gmr =~ /(\w+)/g;

# The parameters are those of a session that the service made.
sub create_floor {
  my ($service, $idempotent) = @_;
  my $session = $service->create_session->json->{id};
  my ($row) = @{$service->sql('SELECT ' . join(', ', map { "$_\::text" } @columns)
    . ' FROM verification_session WHERE id = ?', $session)};
  my ($event) = @{$service->sql('SELECT type, body FROM event WHERE object_id = ?',
    $session)};
  my %parameters = map { $_ + 1 => $row->{$columns[$_]} } 0 .. $#columns;
  my $next = q{lpad(nextval('bench_number')::text, };
  my $next_session = "'vks_01' || $next 24, '0')";
  my $next_event = "'evt_01' || $next 24, '0')";
  my $time_part = "$next 10, '0')";
  my $next_key = "'floor-' || nextval('bench_number')";
  my $count = keys %parameters;
  %parameters = (%parameters, 2 => \$next_session, $count + 1 => \$next_event,
    $count + 2 => $event->{type}, $count + 3 => $event->{body},
    $count + 4 => \$time_part);
  %parameters = (%parameters, $count + 5 => '/v1/verification_sessions',
    $count + 6 => \$next_key, $count + 7 => '\x' . 'ab' x 32,
    $count + 8 => 201, $count + 9 => '\x' . 'ab' x length $event->{body},
    $count + 10 => 0) if $idempotent;
  my ($text, $options) = Bench::Statement::script('session/create', %parameters);
  # Each use of the key has to be the same one.
  $text =~ s/\(\Q$next_key\E\)::text IS (NOT )?NULL/$1 ? 'true' : 'false'/ge;
  return ("$text;\n", $options);
}

sub run {
  my ($environment, @command) = @_;
  local %ENV = (%ENV, %$environment);
  open my $pipe, '-|', @command or die "$command[0]: $!\n";
  local $/;
  my $output = <$pipe>;
  close $pipe or die "$command[0] failed: $output\n";
  return $output;
}

sub finished {
  my ($service, $before, $result) = @_;
  my $cpu = Bench::Service::cpu_between($before, $service->cpu,
    $result->{requests});
  return {%$result, cpu => $cpu,
    rate => $result->{requests} / ($result->{microseconds} / 1e6)};
}

# One run of wrk: rate, p50 and p99 in ms, CPU microseconds a request.
sub through_httpd {
  my ($service, $kind, $connections, $seconds) = @_;
  my $before = $service->cpu;
  my $output = run({BENCH_KIND => $kind, BENCH_ROWS => $service->{rows},
      BENCH_RUN => $$ . '-' . ++$runs,
      BENCH_KEY => $service->{organization}{secret_key},
      BENCH_WORKFLOW => $service->{organization}{workflow_id}},
    'wrk', '-t1', "-c$connections", "-d${seconds}s", '--timeout', '10s',
    '-s', "$root/t/bench/requests.lua", $service->instance->base_url);
  my ($line) = $output =~ /^BENCH (.*)$/m or die "wrk said: $output\n";
  my $result = JSON::PP::decode_json($line);
  die "$kind: no request was answered\n" unless $result->{requests};
  return finished($service, $before, $result);
}

# One run of pgbench, the same figures; latencies from a sample of its log.
sub through_pgbench {
  my ($service, $kind, $connections, $seconds) = @_;
  my $directory = File::Temp->newdir;
  my ($text, $options) = $floor_of{$kind}->($service);
  open my $script, '>', "$directory/script.sql" or die "$directory: $!\n";
  print $script $text;
  close $script or die "$directory: $!\n";
  my %field = map { split /=/, $_, 2 } split ' ', $service->instance->{conninfo};
  my $before = $service->cpu;
  my $start = time;
  my $output = run({PGPASSWORD => $field{password}}, 'pgbench', '-n',
    '-M', 'prepared', '-c', $connections, '-j', 1, '-T', $seconds,
    '-h', $field{host}, '-p', $field{port}, '-U', $field{user},
    '--log', "--log-prefix=$directory/log", '-f', "$directory/script.sql",
    @$options, $field{dbname});
  my ($requests, $rate) =
    $output =~ /actually processed: ([0-9]+)\n.*^tps = ([0-9.]+)/ms
    or die "pgbench said: $output\n";
  my @latencies = sort { $a <=> $b } map {
    open my $log, '<', $_ or die "$_: $!\n";
    map { (split ' ')[2] / 1000 } <$log>;
  } glob "$directory/log*";
  return finished($service, $before, {requests => $requests, failed => 0,
    microseconds => 1e6 * $requests / $rate,
    p50 => percentile(0.50, \@latencies), p99 => percentile(0.99, \@latencies)});
}

sub percentile {
  my ($share, $sorted) = @_;
  return @$sorted ? $sorted->[$share * $#$sorted] : undef;
}

# The kinds wanted at each number of connections, beside their floors; $row is
# told of every line of the result.
sub measure {
  my ($service, $kinds, $seconds, $row) = @_;
  $service->pause_watchdog;
  $service->sql('CREATE SEQUENCE bench_number CACHE 1000');
  for my $connections (1, 16, 64) {
    my $static = through_httpd($service, 'static', $connections, $seconds);
    $row->('static', 'service', $connections, $static);
    for my $kind (@$kinds) {
      my $floor = through_pgbench($service, $kind, $connections, $seconds);
      my $result = through_httpd($service, $kind, $connections, $seconds);
      $result->{ratio} = {
        rate => $result->{rate} / $floor->{rate},
        cpu => total($result) / ((total($static) + total($floor)) || 1)};
      $row->($kind, 'pgbench', $connections, $floor);
      $row->($kind, 'service', $connections, $result);
    }
  }
  $service->resume_watchdog;
}

sub total {
  my ($result) = @_;
  return $result->{cpu}{httpd} + $result->{cpu}{postgresql};
}

1;
