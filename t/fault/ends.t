# How processes end: that every instance's check of it notices a crash of each
# kind of process, also where httpd says nothing, and that stops of all kinds
# end all of them in order.
use v5.32;
use warnings;
use Verify::Test;

# Everybody is there.
sub whole {
  my ($service) = @_;
  return wait_for {
    my $role = $service->note_processes or return;
    my %pid = reverse %$role;
    return 4 == keys %pid ? \%pid : undef;
  };
}
sub recorded {
  my ($service, $pid) = @_;
  return grep { /^$pid / } $service->{exits}->record;
}

subtest 'a crash is noticed' => sub {
  my $service = Verify::Instance->start;
  $service->expect_log(qr/IDV0320/, qr/IDV0353.*\(signal 6\)/,
    qr/AH0005[12]: child pid \d+ exit signal/);
  my %crashed;
  for my $role (qw(child zygote watchdog)) {
    my $pid = whole($service)->{$role};
    ok $pid, "$role is there";
    kill ABRT => $pid;
    ok wait_for { recorded($service, $pid) }, "$role has gone";
    $crashed{$pid} = $role;
  }
  my $parent = whole($service)->{parent};
  $service->stop_httpd;
  my @faults = sort $service->{exits}->faults;
  is_deeply \@faults, [sort map { "$crashed{$_} $_: signal 6" } keys %crashed],
    'and named, and nothing else' or diag explain \@faults;
  $service->{exits}->expect($_, 6, 6 | 128) for keys %crashed;
  $service->stop;
};

subtest 'a crash of the parent while it stops is noticed' => sub {
  my $service = Verify::Instance->start;
  my $pid = whole($service);
  # Without its memory it cannot stop in order. Its children go with it.
  kill STOP => $pid->{parent};
  kill TERM => $pid->{parent};
  kill ABRT => $pid->{parent};
  kill CONT => $pid->{parent};
  ok wait_for { recorded($service, $pid->{parent}) }, 'it has gone';
  # Whom it leaves behind goes on serving.
  my $noted = $service->{exits}{noted};
  $service->kill_hard($_) for grep { $noted->{$_} eq 'child' } keys %$noted;
  my @faults = grep { /^parent/ } $service->{exits}->faults;
  is_deeply \@faults, ["parent $pid->{parent}: signal 6"], 'and named';
  $service->{exits}->expect($pid->{parent}, 6, 6 | 128);
  $service->stop;
};

subtest 'a process that was never seen' => sub {
  my $exits = Verify::Exits->new('/nonexistent/record');
  is_deeply [$exits->faults], [], 'is none when nothing was started';
  $exits->{begun} = 1;
  $exits->started;
  no warnings 'redefine';
  local *Verify::Exits::wait_for_end = sub { 0 };
  is_deeply [$exits->faults], ['something of httpd still runs',
    'no parent was seen alive', 'no child was seen alive'], 'is a fault otherwise';
};

for my $mpm (qw(event worker prefork)) {
  subtest "all end in order, $mpm" => sub {
    local $ENV{VERIFY_MPM} = $mpm;
    my $service = Verify::Instance->start;
    $service->allow_log(qr/AH10034/); # HTTP/2 is nothing that prefork has.
    my $pid = whole($service);
    ok $pid, 'all are there';
    # A restart, a graceful one, and one that meets verify-analyze at its start.
    for my $restart (sub { kill HUP => $pid->{parent} },
      sub { kill USR1 => $pid->{parent} }, sub { kill HUP => $pid->{parent} }) {
      my $watchdog = $service->watchdog_pid;
      $restart->();
      ok wait_for { recorded($service, $watchdog) }, 'the watchdog has gone';
      ok wait_for { $service->watchdog_pid }, 'and another one come';
    }
    ok whole($service), 'all are there again';
    kill WINCH => $pid->{parent};
    ok wait_for { recorded($service, $pid->{parent}) }, 'a graceful stop';
    $service->stop;
  };
}
done_testing;
