package Bench::Gate;
# What an age gate adds to a request: the same file with and without it, in turns,
# by a visitor who has a proof.
use v5.32;
use warnings;
use Bench::Service;
use Verify::Visitor;

my $ROUNDS = 9;
my $CONNECTIONS = 16;
my $ORIGIN = 'https://bench.example'; # as behind a proxy: wrk sends no TLS

sub prepare {
  my ($service) = @_;
  my $instance = $service->instance;
  my $shop = $instance->organization(sandbox => 1, workflow => 1);
  my $htdocs = "$instance->{directory}/httpd/htdocs";
  for my $folder (qw(open guarded)) {
    mkdir "$htdocs/$folder";
    open my $file, '>', "$htdocs/$folder/page.html" or die "$folder: $!\n";
    print $file '<!DOCTYPE html><title>A page</title>', 'text ' x 200;
    close $file or die "$folder: $!\n";
  }
  $service->configure(<<"CONF");
VerifyGate bench $shop->{id} $shop->{workflow_id} US-CA
VerifyGateOrigin $ORIGIN
<Location "/guarded">
  VerifyGateUse bench
  Require verified-age 18
  LogLevel authz_core:crit
</Location>
CONF
  return $shop;
}

# The Cookie header of a visitor who was verified.
sub proof {
  my ($service, $shop) = @_;
  my $visitor = Verify::Visitor->new(base => $service->instance->base_url);
  my ($id) = $visitor->follow('/guarded/page.html')->location
    =~ m{/verify/(vks_\w+)} or die "the gate creates no session\n";
  my $answer = $shop->{client}->post(
    "/v1/verification_sessions/$id/test_outcome", {value => 'passed'});
  die 'the session: ' . $answer->body . "\n" unless $answer->status == 200;
  $visitor->follow('/.verify-gate/bench/return')->status == 200
    or die "the gate lets nobody in\n";
  return join '; ', map { "$_=$visitor->{cookies}{$_}" } keys %{$visitor->{cookies}};
}

# Microseconds of httpd and of PostgreSQL for a request to $folder.
sub run {
  my ($service, $folder, $cookie, $seconds) = @_;
  my $before = $service->cpu;
  open my $pipe, '-|', 'wrk', '-t1', "-c$CONNECTIONS", "-d${seconds}s", '-H',
    "Cookie: $cookie", $service->instance->base_url . "/$folder/page.html"
    or die "wrk: $!\n";
  my $output = do { local $/; <$pipe> };
  close $pipe or die "wrk failed: $output\n";
  my ($requests) = $output =~ /([0-9]+) requests in/ or die "wrk said: $output\n";
  die "refused: $output\n" if $output =~ /Non-2xx/;
  return Bench::Service::cpu_between($before, $service->cpu, $requests);
}

sub middle { return (sort { $a <=> $b } @_)[@_ / 2] }

sub measure {
  my ($service, $seconds) = @_;
  my $cookie = proof($service, prepare($service));
  my %runs;
  run($service, $_, $cookie, 1) for qw(open guarded);
  for (1 .. $ROUNDS) {
    push @{$runs{$_}}, run($service, $_, $cookie, $seconds) for qw(open guarded);
  }
  my %cpu = map { $_ => [map { $_->{httpd} } @{$runs{$_}}] } keys %runs;
  # What else runs on the machine changes more slowly than the turns do.
  my @added = map { $cpu{guarded}[$_] - $cpu{open}[$_] } 0 .. $ROUNDS - 1;
  return {open_us => middle(@{$cpu{open}}), guarded_us => middle(@{$cpu{guarded}}),
    added_us => middle(@added),
    postgresql_us => middle(map { $_->{postgresql} } @{$runs{guarded}})};
}

sub show {
  my ($gate) = @_;
  printf "\na page: CPU %.1f us, guarded %.1f us, so a gate adds %.1f us; PostgreSQL "
    . "%.1f us\n", @$gate{qw(open_us guarded_us added_us postgresql_us)};
}

1;
