package Bench::Webhooks;
# Deliveries: how many a second beside a bare libcurl sender to the same
# receiver, and beside what its connections allow with a receiver that takes its
# time, with thousands due and the memory that takes; and how long from the
# commit of an event to its arrival: when the system is idle, when half of the
# endpoints never answer, and when many answer slowly and have a backlog.
use v5.32;
use warnings;
use Bench::Service;
use IO::Socket::INET;
use IPC::Open2 qw(open2);
use List::Util qw(max min sum);
use Time::HiRes qw(sleep time);
use Verify::Wait;

my $endpoints = 16;
my $connections = 128;    # of the bare sender to receivers that answer at once
my $deliveries_a_second = 4000;
my $slow_endpoints = 4;
my $slow_deliveries = 10_000;
my $slow_milliseconds = 50;
my $endpoint_connections = 32;    # VerifyWebhookEndpointInFlight
my $lazy_endpoints = 45;
my $lazy_milliseconds = 5000;
my $lazy_first = 1200;    # of their deliveries are sent before the measurement
my $idle_events = 200;
my $line_length = length "evt_00000000000000000000000000 1700000000000000\n";

my $build = $ENV{VERIFY_BUILD} // 'build';
my $receiver_program = "$build/t/bench/receiver";
my $sender_program = "$build/t/bench/sender";

sub start_receiver {
  my ($service, @delay) = @_;
  my $directory = $service->instance->{directory};
  $service->instance->script('certificate', qw(issue receiver),
    'DNS:localhost,IP:127.0.0.1');
  my $self = {log => join '.', "$directory/arrivals", @delay};
  $self->{pid} = open2($self->{output}, $self->{input}, $receiver_program,
    "$directory/tls/receiver.pem", "$directory/tls/receiver.key", $self->{log},
    @delay);
  chomp(my $port = readline $self->{output});
  $self->{url} = "https://127.0.0.1:$port";
  return $self;
}
sub stop_receiver {
  my ($self) = @_;
  close $self->{input};
  waitpid $self->{pid}, 0;
}

# Pairs of event id and microseconds, once there are $count of them.
sub arrivals {
  my ($receiver, $count, $meanwhile) = @_;
  wait_for { $meanwhile->() if $meanwhile;
    -s $receiver->{log} >= $count * $line_length } 60
    or die 'only ' . (-s $receiver->{log}) / $line_length
      . " of $count deliveries arrived\n";
  open my $log, '<', $receiver->{log} or die "$receiver->{log}: $!\n";
  my @arrived = map { chomp; [split ' '] } <$log>;
  die "a line of $receiver->{log} is incomplete\n" if grep { @$_ != 2 } @arrived;
  return @arrived;
}
sub forget_arrivals {
  my ($receiver) = @_;
  truncate $receiver->{log}, 0 or die "$receiver->{log}: $!\n";
}

sub use_endpoints {
  my ($service, @urls) = @_;
  # One by one: the watchdog locks them in another order.
  $service->sql("TRUNCATE $_") for qw(webhook_delivery webhook_endpoint);
  return map { $service->create_endpoint($_) } @urls;
}

# Deliveries of $count copies of the session's events, to the endpoints in turn,
# queued by SQL; the watchdog is paused then.
sub queue_deliveries {
  my ($service, $session, $count, @endpoints) = @_;
  $service->pause_watchdog;
  $service->sql("DELETE FROM event WHERE id LIKE 'evt_00%'");
  $service->sql(<<'SQL', $count, $session);
INSERT INTO event (organization_id, id, application_id, type, object_id, body,
                   created_at)
SELECT organization_id, 'evt_00' || lpad(n::text, 24, '0'), application_id, type,
       object_id, body, created_at
  FROM event, generate_series(1, ?::integer) n
 WHERE object_id = ?
SQL
  $service->sql(<<'SQL', \@endpoints, scalar @endpoints);
INSERT INTO webhook_delivery (organization_id, id, webhook_endpoint_id,
                              event_id, event_type, next_attempt_at,
                              created_at, updated_at)
SELECT organization_id, 'whd' || substr(id, 4),
       (?::text[])[1 + substr(id, 7)::integer % ?::integer], id, type, created_at,
       created_at, created_at
  FROM event
 WHERE id LIKE 'evt_00%'
SQL
  $service->sql('VACUUM (ANALYZE) webhook_delivery, event');
}

# What the watchdog can do when there is much to do.
sub throughput {
  my ($service, $receiver, $count, $receivers) = @_;
  my @ids = use_endpoints($service, map { "$receiver->{url}/$_" } 1 .. $receivers);
  my $session = $service->create_session->json->{id};
  arrivals($receiver, $receivers);
  forget_arrivals($receiver);
  queue_deliveries($service, $session, $count, @ids);
  my $before = $service->cpu;
  $service->resume_watchdog;
  my $memory = 0;
  my @arrived = map { $_->[1] } arrivals($receiver, $count,
    sub { $memory = max($memory, Bench::Cpu::pss($service->watchdog_pid)) });
  wait_for { !$service->sql_value(
    "SELECT count(*) FROM webhook_delivery WHERE status = 'pending'") }
    or die "deliveries arrived and were not settled\n";
  my $cpu = Bench::Service::cpu_between($before, $service->cpu, $count);
  my ($bytes) = $service->sql_value(
    'SELECT max(octet_length(body)) FROM event WHERE object_id = ?', $session);
  forget_arrivals($receiver);
  return {deliveries => $count, bytes => $bytes, cpu => $cpu, memory_kb => $memory,
    rate => $count / ((max(@arrived) - min(@arrived)) / 1e6)};
}

# The same by the rival's dispatcher, to one endpoint.
sub rival_throughput {
  my ($service, $receiver, $count, $bytes) = @_;
  my $rival = $service->{rival} or return;
  $rival->queue_deliveries("$receiver->{url}/1", 'x' x $bytes, $count);
  my $before = $service->cpu;
  $rival->run(dispatcher => $endpoint_connections);
  my @arrived = map { $_->[1] } arrivals($receiver, $count);
  wait_for { $rival->is_settled } or die "the rival did not settle\n";
  my $cpu = Bench::Service::cpu_between($before, $service->cpu, $count);
  $rival->end('dispatcher');
  forget_arrivals($receiver);
  return {cpu => $cpu, rate => $count / ((max(@arrived) - min(@arrived)) / 1e6)};
}

sub bare_throughput {
  my ($service, $receiver, $count, $bytes, $at_once) = @_;
  open my $pipe, '-|', $sender_program, "$receiver->{url}/0",
    $service->instance->ca_file, $bytes, $count, $at_once
    or die "$sender_program: $!\n";
  my ($done, $failed, $microseconds, $cpu) = split ' ', <$pipe>;
  close $pipe or die "$sender_program failed\n";
  die "$failed deliveries of the bare sender failed\n" if $failed;
  # The receiver writes down some of them only now, and not into the next log.
  arrivals($receiver, $count);
  forget_arrivals($receiver);
  return {rate => $done / ($microseconds / 1e6), cpu => $cpu / $done};
}

# $count events, one every $pause seconds; from the commit of each to its
# $copies arrivals, in milliseconds.
sub latency {
  my ($service, $receiver, $count, $pause, $copies) = @_;
  forget_arrivals($receiver);
  for (1 .. $count) {
    my $next = time + $pause;
    $service->create_session;
    my $rest = $next - time;
    sleep $rest if $rest > 0;
  }
  my @arrived = arrivals($receiver, $count * $copies);
  my %ids = map { $_->[0] => 1 } @arrived;
  my %committed = map { $_->{id} => $_->{at} } @{$service->sql(<<'SQL', [keys %ids])};
SELECT id, extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000000 AS at
  FROM event
 WHERE id = ANY (?)
SQL
  my @sorted = sort { $a <=> $b }
    map { ($_->[1] - $committed{$_->[0]}) / 1000 } @arrived;
  forget_arrivals($receiver);
  return {deliveries => scalar @sorted, p50 => $sorted[$#sorted * 0.5],
    p99 => $sorted[$#sorted * 0.99], most => $sorted[-1]};
}

# Latency of a new endpoint while others take all they can get: they answer, but
# take their time, and have a backlog.
sub latency_beside_backlog {
  my ($service, $receiver, $lazy, $count) = @_;
  my @ids = use_endpoints($service,
    map { "$lazy->{url}/$_" } 1 .. $lazy_endpoints);
  my $session = $service->create_session->json->{id};
  queue_deliveries($service, $session, $slow_deliveries, @ids);
  $service->resume_watchdog;
  arrivals($lazy, $lazy_first);
  $service->sql("UPDATE webhook_endpoint SET enabled_events = '{}'");
  $service->create_endpoint("$receiver->{url}/new");
  my $result = latency($service, $receiver, $count, 0.02, 1);
  return {%$result, memory_kb => Bench::Cpu::pss($service->watchdog_pid)};
}

# Connections to it are made, by the kernel, and nothing ever comes back.
sub silent_listener {
  return IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 4096)
    // die "no free port: $@\n";
}

sub measure {
  my ($service, $seconds) = @_;
  my $receiver = start_receiver($service);
  my $silent = silent_listener();
  my $silent_url = 'https://127.0.0.1:' . $silent->sockport;
  my %result;
  my $count = $seconds * $deliveries_a_second;
  $result{sent} = throughput($service, $receiver, $count, $endpoints);
  $result{bare} = bare_throughput($service, $receiver, $count,
    $result{sent}{bytes}, $connections);
  $result{one} = throughput($service, $receiver, $count, 1);
  $result{one_bare} = bare_throughput($service, $receiver, $count,
    $result{one}{bytes}, $endpoint_connections);
  $result{one_rival} = rival_throughput($service, $receiver, $count,
    $result{one}{bytes});
  my $slow = start_receiver($service, $slow_milliseconds);
  $result{slow} = throughput($service, $slow, $slow_deliveries, $slow_endpoints);
  $result{slow}{most} =
    $slow_endpoints * $endpoint_connections * 1000 / $slow_milliseconds;
  $result{slow_bare} = bare_throughput($service, $slow, $slow_deliveries,
    $result{slow}{bytes}, $slow_endpoints * $endpoint_connections);
  stop_receiver($slow);
  use_endpoints($service, "$receiver->{url}/idle");
  $service->create_session;    # names, connections, statements
  arrivals($receiver, 1);
  $result{idle} = latency($service, $receiver, $idle_events, 0.02, 1);
  use_endpoints($service, map { ("$receiver->{url}/$_", "$silent_url/$_") }
    1 .. $endpoints / 2);
  $result{half_hanging} =
    latency($service, $receiver, 50 * $seconds, 0.02, $endpoints / 2);
  my $lazy = start_receiver($service, $lazy_milliseconds);
  $result{backlog} =
    latency_beside_backlog($service, $receiver, $lazy, 50 * $seconds);
  use_endpoints($service);
  stop_receiver($_) for $lazy, $receiver;
  return \%result;
}

sub show_throughput {
  my ($title, $ours, $bare, $rival) = @_;
  printf "\nwebhooks to %s, %d deliveries of %d bytes over TLS\n", $title,
    @$ours{qw(deliveries bytes)};
  printf "  %-24s %9.0f/s  CPU: watchdog %.1f + PG %.1f = %.1f us\n",
    'watchdog', $ours->{rate}, $ours->{cpu}{watchdog}, $ours->{cpu}{postgresql},
    total($ours);
  printf "  %-24s %9.0f/s  CPU: %.1f us\n", 'bare libcurl', $bare->{rate}, $bare->{cpu};
  printf "  %-24s %9.0f/s  CPU: dispatcher %.1f + PG %.1f = %.1f us\n", 'rival',
    $rival->{rate}, $rival->{cpu}{rival}, $rival->{cpu}{postgresql}, total($rival)
    if $rival;
  printf "  %-24s %9.2f    CPU: %.2f\n", 'ratio to bare libcurl',
    $ours->{rate} / $bare->{rate}, total($ours) / $bare->{cpu};
}

sub total {
  my ($result) = @_;
  return sum @{$result->{cpu}}{qw(watchdog postgresql rival)};
}

sub show {
  my ($result) = @_;
  show_throughput("$endpoints endpoints", @$result{qw(sent bare)});
  show_throughput('one endpoint', @$result{qw(one one_bare one_rival)});
  my $sent = $result->{sent};
  my ($slow, $slow_bare) = @$result{qw(slow slow_bare)};
  printf "  %-24s %9.0f/s  of %.0f/s: %.2f  CPU: watchdog %.1f + PG %.1f us\n",
    "receiver of $slow_milliseconds ms", @$slow{qw(rate most)},
    $slow->{rate} / $slow->{most}, @{$slow->{cpu}}{qw(watchdog postgresql)};
  printf "  %-24s %9.0f/s  of %.0f/s: %.2f  CPU: %.1f us\n", 'bare libcurl to it',
    $slow_bare->{rate}, $slow->{most}, $slow_bare->{rate} / $slow->{most},
    $slow_bare->{cpu};
  printf "  %-24s PSS %d kB with %d due, %d kB at once, %d kB beside a backlog\n",
    'watchdog, at most', $slow->{memory_kb}, $slow->{deliveries},
    map { $_->{memory_kb} } $sent, $result->{backlog};
  for (['idle', 'idle system'], ['half_hanging', 'half of endpoints hang'],
    ['backlog', "beside $lazy_endpoints slow ones"]) {
    my ($name, $title) = @$_;
    printf "  %-24s commit to arrival p50 %.1f  p99 %.1f  most %.1f ms (%d)\n",
      $title, @{$result->{$name}}{qw(p50 p99 most deliveries)};
  }
}

1;
