# scripts/service stop and start while deliveries in flight keep httpd alive
# beyond its pid file: stop returns when it has gone, and a start waits for it,
# whoever told it to end.
use v5.32;
use warnings;
use IO::Socket::INET;
use JSON::PP ();
use POSIX qw(SIGTERM);
use Verify::Test;

my $service = Verify::Instance->start(conf => <<'CONF');
RequestReadTimeout handshake=10 header=10 body=3
CONF
my $organization = $service->organization(sandbox => 1, workflow => 1);
# It takes connections and never answers, so the watchdog uses its whole grace.
my $silent = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 64)
  or die "no listener: $@\n";
answer_is $organization->{client}->post('/v1/webhook_endpoints',
  {url => 'https://127.0.0.1:' . $silent->sockport . '/', enabled_events => ['*']}),
  201, 'an endpoint';

sub deliver {
  answer_is $organization->{client}->with->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $organization->{workflow_id},
      jurisdiction => 'US-CA', skip_verification => JSON::PP::true}), 201, 'a session';
  ok wait_for { $service->sql_value(
    'SELECT count(*) FROM webhook_delivery WHERE leased_by IS NOT NULL') },
    'deliveries are in flight';
}

subtest 'stop' => sub {
  deliver();
  my $pid = $service->httpd_pid;
  $service->stop_httpd;
  ok !-d "/proc/$pid", 'returns when httpd has gone';
  ok eval { $service->start_httpd; 1 }, 'it starts again' or diag $@;
};

subtest 'start over a running one' => sub {
  deliver();
  my $pid = $service->httpd_pid;
  ok eval { $service->start_httpd; 1 }, 'starts another one' or diag $@;
  ok !-d "/proc/$pid", 'once that has gone';
};

subtest 'start over one that is ending' => sub {
  deliver();
  my $pid = $service->httpd_pid;
  $service->note_processes;
  # A graceful stop waits for a request whose body does not come.
  my $slow = IO::Socket::INET->new(PeerAddr => "127.0.0.1:$service->{http_port}")
    or die "no connection: $@\n";
  print $slow "POST /v1/verification_sessions HTTP/1.1\r\nHost: localhost\r\n",
    "Authorization: Bearer $organization->{secret_key}\r\n",
    "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
  # Beside the one that asks.
  ok wait_for { $service->client->get('/server-status?auto')->body
    =~ /^BusyWorkers: ([2-9])/m }, 'it is read';
  $service->allow_log(qr/AH00045/); # when it is told once more, by the start
  kill WINCH => $pid;
  ok wait_for { !-e "$service->{directory}/httpd/httpd.pid" }, 'its file has gone';
  ok -d "/proc/$pid", 'and it has not';
  ok eval { $service->start_httpd; 1 }, 'waits for it' or diag $@;
  ok !-d "/proc/$pid", 'and it has gone';
};

subtest 'somebody else with its number' => sub {
  my $copy = "$service->{directory}/httpd/process";
  $service->stop_httpd;
  open my $file, '>', $copy or die "$copy: $!\n";
  print $file "$$\n";
  close $file;
  $service->stop_httpd;
  ok kill(0, $$), 'is left alone';
  ok !-e $copy, 'and forgotten';
};
# Whoever runs takes another signal before the one that holds it.
sub hold {
  my ($process) = @_;
  kill STOP => $process;
  ok wait_for { Verify::Instance::read_text("/proc/$process/stat") =~ /\) T / },
    'held';
}
# Signals that wait for PROCESS, among them NUMBER.
sub is_told {
  my ($process, $number) = @_;
  return Verify::Instance::read_text("/proc/$process/status")
    =~ /^ShdPnd:\s*([0-9a-f]+)$/m && hex($1) >> ($number - 1) & 1;
}

# httpd forgets what it is told while it gives up its old configuration, which
# the watchdog keeps it at for as long as the test likes.
subtest 'a stop that httpd forgets' => sub {
  $service->start_httpd;
  my $roles = $service->note_processes;
  my ($parent) = grep { $roles->{$_} eq 'parent' } keys %$roles;
  my ($watchdog) = grep { $roles->{$_} eq 'watchdog' } keys %$roles;
  # It may be held while it connects, and finds then that the time for it is over.
  $service->allow_log(qr/IDV0301.*timeout expired/);
  hold($watchdog);
  kill HUP => $parent;
  ok wait_for { is_told($watchdog, SIGTERM) }, 'it ends its watchdog';
  hold($parent);
  my $stopping = fork // die "cannot fork: $!\n";
  if (!$stopping) {
    my $stopped = eval { $service->stop_httpd; 1 };
    POSIX::_exit($stopped ? 0 : 1);
  }
  $service->{exits}->command; # the script's, of which this process knows nothing
  ok wait_for { is_told($parent, SIGTERM) }, 'and is told to end itself';
  kill CONT => $watchdog;
  ok wait_for { Verify::Instance::read_text("/proc/$watchdog/stat") =~ /\) Z / },
    'the watchdog has ended';
  kill CONT => $parent;
  waitpid $stopping, 0;
  is $?, 0, 'the script has stopped it';
  ok !-d "/proc/$parent", 'and it has gone';
};
finish $service;
