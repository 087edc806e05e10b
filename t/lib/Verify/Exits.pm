package Verify::Exits;
# Checks how the processes of a service ended. httpd runs below a reaper, which
# gets the status of the parent, and with a library that records the processes
# that parent and watchdog wait for (reaper.c, wait_recorder.c). Both write to
# one file; processes that are missing in it, or did not exit with status 0, are
# faults.
#
# The record is meaningful only for processes that were seen alive: once httpd
# has started, a parent and one of its children must be noted before they are
# told to end.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use Verify::Wait;

my $root = abs_path(dirname(__FILE__) . '/../../..');
my $build = $ENV{VERIFY_BUILD} // 'build';
$build = "$root/$build" unless $build =~ m{^/};
my ($reaper, $recorder) = map { "$build/t/lib/$_" } qw(reaper wait_recorder.so);

sub new {
  my ($class, $path) = @_;
  -e or die "no $_: run make test-programs\n" for $reaper, $recorder;
  return bless {path => $path, begun => 0, noted => {}, expected => {}}, $class;
}

# The command prefix for starting httpd, and its environment.
sub command { $_[0]{begun}++; return ($reaper, $_[0]{path}) }
sub environment {
  return (VERIFY_EXIT_RECORD => $_[0]{path}, VERIFY_WAIT_RECORDER => $recorder);
}

sub children {
  my ($pid) = @_;
  open my $file, '<', "/proc/$pid/task/$pid/children" or return;
  return split ' ', <$file> // '';
}
sub name_of {
  open my $file, '<', "/proc/$_[0]/comm" or return '';
  chomp(my $name = <$file> // '');
  return $name;
}

# The kind of evidence that a process of verify-analyze reads: signed or
# pictures.
sub evidence_of {
  open my $file, '<', "/proc/$_[0]/cmdline" or return 'reader';
  local $/;
  return (<$file> // '') =~ /\0--evidence\0([a-z]+)\0/ ? $1 : 'reader';
}

# The current processes of this httpd: pid => role.
sub processes {
  my ($parent) = @_;
  my %role = ($parent => 'parent');
  for my $pid (children($parent)) {
    my $is_watchdog = name_of($pid) eq 'verify-watchdog';
    $role{$pid} = $is_watchdog ? 'watchdog' : 'child';
    next unless $is_watchdog;
    for my $reader (grep { name_of($_) eq 'verify-analyze' } children($pid)) {
      $role{$reader} = evidence_of($reader);
    }
  }
  return \%role;
}

# httpd with this parent has started, so there are processes to note.
sub started {
  my ($self, $parent) = @_;
  $self->{started} = 1;
  $self->{children} = defined $parent ? present(processes($parent)) : 0;
}

# Notes them, to be searched in the record.
sub note {
  my ($self, $parent) = @_;
  my $role = processes($parent);
  $self->{noted}{$_} = $role->{$_} for keys %$role;
  return $role;
}

# Notes another process, by the name of a role, that must end in the same way.
sub note_other {
  my ($self, $pid, $role) = @_;
  $self->{noted}{$pid} = $role;
}

# The number of context switches of all threads of these processes; nothing
# while one of them runs.
sub switches {
  my ($sum, $seen) = (0, 0);
  for my $status (map { glob "/proc/$_/task/*/status" } @_) {
    open my $file, '<', $status or return; # a thread that ends, or begins
    local $/;
    my $text = <$file> // '';
    return unless $text =~ /^State:\s*S/m; # it runs, or waits for a disk
    $sum += $_ for $text =~ /ctxt_switches:\s*([0-9]+)/g;
    $seen++;
  }
  return $seen ? "$seen threads, $sum" : undef;
}

# The start time of a process, in ticks since boot.
sub begun_at {
  open my $file, '<', "/proc/$_[0]/stat" or return 0;
  return ((<$file> // '') =~ s/.*\) //r =~ /(\S+)/g)[19] // 0;
}

# Children of the current configuration, which start after its watchdog.
sub present {
  my ($role) = @_;
  my ($since) = sort { $b <=> $a } map { begun_at($_) }
    grep { $role->{$_} eq 'watchdog' } keys %$role;
  return grep { $role->{$_} eq 'child' && begun_at($_) >= ($since // 0) }
    keys %$role;
}

# Waits until httpd has all its initial children and none of their threads did
# anything between two looks. Before that it is not safe to end httpd at once. A
# starting child takes SIGTERM by a handler that frees all memory, whatever
# function it interrupts (just_die() in the MPMs), and crashes now and then. A
# busy child closes the connections of its threads from its main thread, and if
# one of them gives its connection back at that moment, httpd logs AH03093
# (close_worker_sockets() in the event MPM). If requests are deliberately under
# way, this waits in vain, for SECONDS, by default three.
sub rest {
  my ($self, $parent, $seconds) = @_;
  my $before = '';
  return wait_for {
    my $role = processes($parent);
    my @children = present($role);
    my $now = @children < ($self->{children} // 0) ? ''
      : switches(@children) // '';
    my $rests = !-d "/proc/$parent" || $now ne '' && $now eq $before;
    $before = $now;
    $rests;
  } $seconds // 3;
}

# The test ends this process itself: these statuses are not faults.
sub expect {
  my ($self, $pid, @statuses) = @_;
  push @{$self->{expected}{$pid}}, @statuses;
}

sub record {
  my ($self) = @_;
  open my $file, '<', $self->{path} or return;
  chomp(my @lines = <$file>);
  return @lines;
}

# Waits until all reapers have seen the end of their processes.
sub wait_for_end {
  my ($self) = @_;
  return wait_for { $self->{begun} == grep { $_ eq 'end' } $self->record } 40;
}

sub describe {
  my ($status) = @_;
  return 'signal ' . ($status & 127) if $status & 127;
  return 'status ' . ($status >> 8);
}

# The noted processes that have not ended: "child 12 (apache2, parent 1)".
sub left {
  my ($self) = @_;
  my @left;
  for my $pid (sort { $a <=> $b } keys %{$self->{noted}}) {
    open my $file, '<', "/proc/$pid/stat" or next;
    my ($name, $state, $parent) = <$file> =~ /\((.*)\) (\S) ([0-9]+)/ or next;
    push @left, "$self->{noted}{$pid} $pid ($name, state $state, parent $parent)";
  }
  return @left;
}

# The faults of the exits, one text each; call it once httpd is stopped. noted:
# 1 ignores processes that were not noted, if others than httpd's are adopted.
sub faults {
  my ($self, %options) = @_;
  return unless $self->{begun};
  my @faults;
  push @faults, join ': ', 'something of httpd still runs',
    join(', ', $self->left) || () unless $self->wait_for_end;
  my %roles = map { $_ => 1 } values %{$self->{noted}};
  push @faults, map { "no $_ was seen alive" } grep { !$roles{$_} }
    $self->{started} ? qw(parent child) : ();
  my (%status, %name);
  for ($self->record) {
    /^([0-9]+) ([0-9]+)(?: (.+))?\z/ or next;
    $status{$1} = $2;
    $name{$1} = $3 if defined $3;
  }
  for my $pid (sort { $a <=> $b } keys %{{%status, %{$self->{noted}}}}) {
    my $role = $self->{noted}{$pid} 
      // ($options{noted} ? next : $name{$pid} // 'process');
    my $status = $status{$pid};
    push @faults, "$role $pid: no status" unless defined $status;
    next if !$status || grep { $_ == $status } @{$self->{expected}{$pid}};
    push @faults, "$role $pid: " . describe($status);
  }
  return @faults;
}

1;
