# Restarts with deliveries in flight, to receivers that never answer: by the
# same module, and by one of another size, layout, table of routes and list of
# counters, at another address, as an upgrade has it.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use File::Copy qw(copy);
use FindBin;
use IO::Socket::INET;
use JSON::PP ();
use Verify::Test;

my $build = $ENV{VERIFY_BUILD} // 'build';
my %module = (this => abs_path("$build/mod_verify.so"),
  other => abs_path("$build/t/variant/mod_verify.so"));
my $silent_each = 40; # endpoints of each of two organizations

# Connections to it are made, and that is all.
sub silent_receiver {
  return IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 1024)
    // die "no listener: $@\n";
}

my $service = Verify::Instance->start(conf => <<'CONF');
VerifyWebhookInFlight 2048
<Location "/metrics">
    SetHandler verify-metrics
    Require local
</Location>
CONF
# Children of several generations, of which some take their time to end.
$service->allow_log(qr/AH03490: scoreboard is full/);
my $client = $service->client;
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $receiver = $service->receiver;
my $endpoint = answer_is $organization->{client}->post('/v1/webhook_endpoints',
  {url => $receiver->url, enabled_events => ['*']}), 201, 'an endpoint';

sub create_session {
  my ($who) = @_;
  return answer_is $who->{client}->with->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $who->{workflow_id}, jurisdiction => 'US-CA',
      skip_verification => JSON::PP::true}), 201, 'a session';
}
sub metric {
  my ($name) = @_;
  my ($value) = $client->with->get('/metrics')->body
    =~ /^verify_\Q$name\E ([0-9]+)$/m;
  return $value // 0;
}
my $created = 'requests_total{method="POST",route="/v1/verification_sessions",'
  . 'status="2xx"}';
sub in_flight {
  my ($least) = @_;
  return &wait_for(sub { metric('webhook_deliveries_in_flight') >= $least }, 20);
}
sub arrives {
  my ($session) = @_;
  return $receiver->wait_for_request(sub {
    ($_[0]{event}{data}{object}{id} // '') eq $session->{id} }, 60);
}

# Puts a module in the place of the one that runs, as make install does: a new
# file under the old name.
sub install_module {
  my ($which) = @_;
  my $path = "$service->{directory}/service/mod_verify.so";
  copy $module{$which}, "$path.new" or die "$path: $!\n";
  rename "$path.new", $path or die "$path: $!\n";
}
sub restart_with {
  my ($which, $signal) = @_;
  $service->note_processes;
  # One of the configuration before may still be there, departing.
  my $watchdog = $service->watchdog_pid;
  install_module($which);
  $service->rest;
  kill $signal => $service->httpd_pid;
  ok &wait_for(sub { ($service->watchdog_pid // $watchdog) != $watchdog }, 30),
    'a new watchdog';
  ok wait_for { my $is_other = $client->with->get('/metrics')->body
    =~ /^verify_variant_total /m; !$is_other == ($which eq 'this') },
    "the $which module serves";
}

# Everybody has as many as an endpoint may have that is not proved.
my @busy = map { $service->organization(sandbox => 1, workflow => 1) } 1, 2;
my @silent;
for my $who (@busy) {
  for (1 .. $silent_each) {
    push @silent, silent_receiver();
    answer_is $who->{client}->post('/v1/webhook_endpoints', {url =>
      'https://127.0.0.1:' . $silent[-1]->sockport . '/', enabled_events => ['*']}),
      201, 'an endpoint that never answers';
  }
}
sub keep_busy { create_session($_) for (@busy) x 8 }

my $parent = $service->httpd_pid;
my @steps = ([this => 'USR1'], [other => 'USR1'], [this => 'HUP'],
  [other => 'HUP']);
for my $step (@steps) {
  my ($which, $signal) = @$step;
  subtest "$signal with the $which module" => sub {
    keep_busy();
    ok in_flight(500), 'hundreds of deliveries are in flight'
      or diag metric('webhook_deliveries_in_flight');
    my $session = create_session($organization);
    # What old children count once the new module has looked is lost with its
    # layout, so nothing is created meanwhile.
    my ($count, $starts) = map { metric($_) } $created, 'watchdog_starts_total';
    ok $count && $starts, 'there is something to be kept';
    restart_with($which, $signal);
    is $service->httpd_pid, $parent, 'the parent is the same';
    ok -d "/proc/$parent", 'and alive';
    is metric($created), $count, 'the requests of a route are kept';
    is metric('watchdog_starts_total'), $starts + 1, 'the counters of the watchdog';
    ok arrives($session), 'what was in flight arrives';
    ok arrives(create_session($organization)), 'and what comes later';
    is metric($created), $count + 1, 'which is counted for its route';
  };
}
keep_busy();
ok in_flight(500), 'hundreds of deliveries are in flight when it stops';
finish $service;
