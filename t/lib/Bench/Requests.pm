package Bench::Requests;
# Requests of one kind through the service, beside their floors and a rival.
use v5.32;
use warnings;
use Bench::Floor;
use Bench::Service;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp ();
use JSON::PP ();
use List::Util qw(sum);
use Time::HiRes qw(time);

my $root = abs_path(dirname(__FILE__) . '/../../..');
my $runs = 0;

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
sub through_http {
  my ($service, $kind, $url, $connections, $seconds) = @_;
  my $before = $service->cpu;
  my $output = run({BENCH_KIND => $kind, BENCH_ROWS => $service->{rows},
      BENCH_RUN => $$ . '-' . ++$runs,
      BENCH_KEY => $service->{organization}{secret_key},
      BENCH_WORKFLOW => $service->{organization}{workflow_id},
      BENCH_ENDPOINT => $service->{endpoint}},
    'wrk', '-t1', "-c$connections", "-d${seconds}s", '--timeout', '10s',
    '-s', "$root/t/bench/requests.lua", $url);
  my ($line) = $output =~ /^BENCH (.*)$/m or die "wrk said: $output\n";
  my $result = JSON::PP::decode_json($line);
  die "$kind: no request was answered\n" unless $result->{requests};
  return finished($service, $before, $result);
}

# One run of pgbench, the same figures. Nothing when there is no script.
sub through_pgbench {
  my ($service, $kind, $connections, $seconds) = @_;
  my ($text, $options) = Bench::Floor::through_pgbench($service, $kind);
  return unless defined $text;
  my $directory = File::Temp->newdir;
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
  return if $output =~ /actually processed: 0\n/;
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

# Who answers a kind of request, in the order in which they are printed: name,
# what is sent, where. The last one is the service.
sub competitors {
  my ($service, $kind) = @_;
  my $floor = Bench::Floor::through_httpd($kind);
  my $rival = $service->{rival};
  return ([$floor, $floor, Bench::Floor::url($service, $floor)],
    $rival && $rival->can_answer($kind) ? ['rival', $kind, $rival->url] : (),
    ['service', $kind, Bench::Floor::url($service, $kind)]);
}

# All in turns, so that what else happens on the machine meets all; of each the
# run in the median. The first second of each is not counted: connections are
# made then, and the rival's code is compiled.
sub in_turns {
  my ($service, $competitors, $connections, $seconds, $rounds) = @_;
  my %runs;
  through_http($service, @$_[1, 2], $connections, 1) for @$competitors;
  for (1 .. $rounds) {
    push @{$runs{$_->[0]}},
      through_http($service, @$_[1, 2], $connections, $seconds)
      for @$competitors;
  }
  return map {
    $_->[0] => (sort { $a->{rate} <=> $b->{rate} } @{$runs{$_->[0]}})[$rounds / 2]
  } @$competitors;
}

# Of two results: their rates, and their CPU.
sub compare {
  my ($result, $floor) = @_;
  return undef unless $floor;
  return {rate => $result->{rate} / $floor->{rate},
    cpu => total($result) / (total($floor) || 1)};
}

# The kinds wanted at each number of connections, beside their floors and the
# rival; $row is told of every line of the result.
sub measure {
  my ($service, $kinds, $seconds, $row) = @_;
  my $text = Bench::Floor::seed($service);
  $service->configure(Bench::Floor::configuration($service, $text));
  $service->pause_watchdog;
  $service->{rival}->serve if $service->{rival};
  $service->sql('CREATE SEQUENCE bench_number CACHE 1000');
  for my $connections (1, 16, 64) {
    my $rounds = $connections == 1 ? 1 : 3;
    for my $kind (@$kinds) {
      my @competitors = competitors($service, $kind);
      my $pgbench = through_pgbench($service, $kind, $connections, $seconds);
      my %result = in_turns($service, \@competitors, $connections, $seconds,
        $rounds);
      my $ours = $result{service};
      $ours->{ratio} = {pgbench => compare($ours, $pgbench),
        floor => compare($ours, $result{$competitors[0][0]}),
        rival => compare($ours, $result{rival})};
      $row->($kind, 'pgbench', $connections, $pgbench) if $pgbench;
      $row->($kind, $_, $connections, $result{$_})
        for map { $_->[0] } @competitors;
    }
  }
  $service->{rival}->end('server') if $service->{rival};
  $service->resume_watchdog;
}

sub total {
  my ($result) = @_;
  return sum @{$result->{cpu}}{qw(httpd postgresql rival)};
}

1;
