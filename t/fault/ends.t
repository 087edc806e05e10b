# How processes end: that every instance's check of it notices a crash of each
# kind of process, also where httpd says nothing, and that stops of all kinds
# end all of them in order.
use v5.32;
use warnings;
use POSIX ();
use Verify::Httpd qw(httpd_before);
use Verify::Test;

# Everybody is there.
sub whole {
  my ($service) = @_;
  return wait_for {
    my $role = $service->note_processes or return;
    my %pid = reverse %$role;
    return 5 == keys %pid ? \%pid : undef;
  };
}
# Children of the worker MPM of httpd 2.4.58 (Ubuntu 24.04) have to be told twice to end,
# also without the module.
sub allow_second_call {
  my ($service, $mpm) = @_;
  $service->allow_log(qr/AH00045: child process \d+ still did not exit/)
    if $mpm eq 'worker' && httpd_before('2.4.63');
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
  for my $role (qw(child signed pictures watchdog)) {
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
  $service->expect_log(qr/IDV0777/);
  ok wait_for { recorded($service, $pid->{parent}) }, 'it has gone';
  my @faults = grep { /^parent/ } $service->{exits}->faults;
  is_deeply \@faults, ["parent $pid->{parent}: signal 6"], 'and named';
  $service->{exits}->expect($pid->{parent}, 6, 6 | 128);
  $service->stop;
};

# A request that waits for the database keeps its child for a moment, in which
# it can be asked.
for my $mpm (qw(event worker prefork)) {
  subtest "children of a parent that is killed, $mpm" => sub {
    local $ENV{VERIFY_MPM} = $mpm;
    my $service = Verify::Instance->start(conf => 'VerifyDatabaseConnections 2');
    $service->allow_log(qr/AH10034|IDV0020: service_unavailable/);
    $service->expect_log(qr/IDV0777: httpd's parent process has gone/);
    allow_second_call($service, $mpm);
    my $organization = $service->organization(sandbox => 1);
    my $pid = whole($service);
    # Each child has an idle connection, which is answered by who has it.
    my @clients = map { $service->client(undef, timeout => 1) }
      1 .. ($mpm eq 'prefork' ? 1 : 3);
    $_->get('/v1/health/live') for @clients;
    my $blocker = $service->connect_database;
    $blocker->begin_work;
    $blocker->do('LOCK TABLE api_key IN ACCESS EXCLUSIVE MODE');
    my $waiting = fork // die "cannot fork: $!\n";
    if (!$waiting) {
      my $answer = $service->client($organization->{secret_key}, timeout => 30)
        ->get('/v1/verification_sessions');
      POSIX::_exit($answer->status == 200 ? 0 : 1);
    }
    ok wait_for { $service->sql_value(q{SELECT count(*) FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND datname = current_database()}) },
      'a request is being answered';
    kill KILL => $pid->{parent};
    $service->{exits}->expect($pid->{parent}, 9);
    ok wait_for { recorded($service, $pid->{parent}) }, 'the parent has gone';
    my %status = map { $_->get('/v1/health/ready')->status => 1 } @clients;
    # The one thread of a process of prefork answers nobody meanwhile.
    ok !$status{200} && ($status{503} || $mpm eq 'prefork'), 'nobody is ready'
      or diag explain \%status;
    $blocker->rollback;
    waitpid $waiting, 0;
    is $?, 0, 'the request is answered';
    ok wait_for { $service->{exits}->wait_for_end }, 'all of them end';
    ok eval { $service->start_httpd; 1 }, 'and another httpd can start' or diag $@;
    $service->stop;
  };
}

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
    allow_second_call($service, $mpm);
    my $pid = whole($service);
    ok $pid, 'all are there';
    # A restart, a graceful one, and one that meets verify-analyze at its start.
    for my $restart (sub { kill HUP => $pid->{parent} },
      sub { kill USR1 => $pid->{parent} }, sub { kill HUP => $pid->{parent} }) {
      my $watchdog = $service->watchdog_pid;
      # The worker MPM of httpd 2.4.58 takes five seconds for a restart.
      ok $service->{exits}->rest($pid->{parent}, 30), 'httpd has all of its children';
      $restart->();
      ok wait_for { recorded($service, $watchdog) }, 'the watchdog has gone';
      ok wait_for { $service->watchdog_pid }, 'and another one come';
    }
    ok whole($service), 'all are there again';
    kill WINCH => $pid->{parent};
    ok wait_for { recorded($service, $pid->{parent}) }, 'a graceful stop';
    $service->stop;
  };

  # As systemd ends a service: first whom it started, or first whom those have.
  for my $order (qw(older younger)) {
    subtest "all are told at once, $order first, $mpm" => sub {
      local $ENV{VERIFY_MPM} = $mpm;
      my $service = Verify::Instance->start;
      $service->allow_log(qr/AH10034/);
      allow_second_call($service, $mpm);
      ok whole($service), 'all are there';
      my @pids = sort { $a <=> $b } keys %{$service->note_processes};
      @pids = reverse @pids if $order eq 'younger';
      kill TERM => @pids;
      ok $service->{exits}->wait_for_end, 'all end';
      is scalar(() = $service->{log}->matching(qr/IDV0320/)), 0,
        'none in the place of another';
      $service->stop;
    };
  }
}
done_testing;
