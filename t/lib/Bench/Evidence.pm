package Bench::Evidence;
# Processor time of an answer of a wallet and of a passport's chip, each from its
# submission to the decision, through the whole service: what the zygote of signed
# evidence spent and the children that it has forked and seen end, and what the
# watchdog spent, on the queue and on its side of the database, too. PostgreSQL and
# httpd are not in it.
use v5.32;
use warnings;
use JSON::PP ();
use POSIX ();
use Test::More ();
use Verify::Passport;
use Verify::WalletTest;

my $rounds = 40;
my $tick = 1000 / POSIX::sysconf(POSIX::_SC_CLK_TCK());

sub first_line {
  my ($path) = @_;
  open my $in, '<', $path or die "$path: $!\n";
  return scalar readline $in;
}

# The fields of a process behind its name (proc(5)); the first is number 3.
sub fields { return split ' ', first_line("/proc/$_[0]/stat") =~ s/.*\) //r }

sub zygote_of {
  my ($watchdog) = @_;
  for my $pid (map { m{(\d+)\z} } glob '/proc/[0-9]*') {
    my @fields = eval { fields($pid) } or next;
    return $pid if $fields[1] == $watchdog
      && first_line("/proc/$pid/cmdline") =~ /verify-analyze.*\0signed\0/;
  }
  die "no verify-analyze\n";
}

# Milliseconds that a process itself has run.
sub own { return (split ' ', first_line("/proc/$_[0]/schedstat"))[0] / 1e6 }

# Those of its children that have ended.
sub of_children { my @fields = fields($_[0]); return ($fields[13] + $fields[14]) * $tick }

# Milliseconds of one round of WORK, after one that nobody counts.
sub time_of {
  my ($service, $work) = @_;
  $work->();
  my ($watchdog) =
    $service->client->get('/metrics')->body =~ /^verify_watchdog_pid ([1-9]\d*)$/m
    or die "no watchdog\n";
  my $zygote = zygote_of($watchdog);
  my @before = (own($zygote) + of_children($zygote), own($watchdog));
  $work->() for 1 .. $rounds;
  my @after = (own($zygote) + of_children($zygote), own($watchdog));
  my ($analyze, $decide) = map { ($after[$_] - $before[$_]) / $rounds } 0, 1;
  return {analyze_ms => $analyze, watchdog_ms => $decide, ms => $analyze + $decide};
}

sub measure {
  # What the tests' helpers assert is kept quiet.
  Test::More->builder->output(\my $passed);
  Test::More->builder->no_ending(1);
  my $test = Verify::WalletTest->start(own_cluster => 1);
  my $service = $test->{service};
  my $passports = Verify::Passport->new;
  my $counter = $service->organization(sandbox => 1, workflow => {name => 'Chip',
    start => 'id', nodes => {
      id => {type => 'methods', methods => ['nfc_passport'],
        accept_unknown_revocation => JSON::PP::true,
        next => {passed => 'granted', exhausted => 'denied'}},
      granted => {type => 'outcome', status => 'verified'},
      denied => {type => 'outcome', status => 'failed'}}});
  $passports->trust($service, '--org', $counter->{id});
  my $result = {
    mdoc => time_of($service, sub {
      my ($answer) = $test->answer_by_browser($test->session, 'openid4vp-v1-signed');
      die 'not verified: ' . $answer->body unless $answer->json->{status} eq 'verified';
    }),
    passport => time_of($service, sub {
      my $session = $counter->{client}->post('/v1/verification_sessions', {type => 'age',
        workflow_id => $counter->{workflow_id}, jurisdiction => 'DE'})->json;
      my $view = $passports->show($service, $session, 'good');
      die "not verified: $view->{status}\n" unless $view->{status} eq 'verified';
    }),
  };
  $service->stop;
  return $result;
}

sub show {
  my ($result) = @_;
  print "\nsigned evidence, ms of processor time\n";
  printf "  %-10s verify-analyze %6.2f, watchdog %6.2f\n", $_,
    @{$result->{$_}}{qw(analyze_ms watchdog_ms)} for qw(mdoc passport);
}

1;
