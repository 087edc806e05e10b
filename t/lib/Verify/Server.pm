package Verify::Server;
# Base class of the servers that tests start: one process per connection, which
# ends with the test and records in files of <directory>.
# <directory>/behaviour.json sets its behaviour: one, or a list of which each
# turn uses the next (the last one stays).
#
# A subclass adds serve_connection(socket, number), which runs in the process of
# the connection; if it dies, the connection ends.
use v5.32;
use warnings;
use Fcntl qw(:flock :DEFAULT);
use IO::Socket::INET;
use JSON::PP ();
use POSIX ();

my $json = JSON::PP->new->utf8->canonical;

# directory, [port]; and options of the class.
sub new {
  my ($class, %options) = @_;
  my $self = bless {%options, owner => $$}, $class;
  mkdir $self->{directory};
  $self->{listener} = IO::Socket::INET->new(
    LocalAddr => '127.0.0.1', LocalPort => $self->{port} // 0,
    Listen => 1024, ReuseAddr => 1) or die "$class: cannot listen: $@\n";
  $self->{port} = $self->{listener}->sockport;
  return $self;
}

sub start {
  my ($self) = @_;
  $self->{pid} = fork // die ref($self) . ": cannot fork: $!\n";
  if (!$self->{pid}) {
    $self->serve;
    POSIX::_exit(0);
  }
  close delete $self->{listener};
  return $self;
}

sub stop {
  my ($self) = @_;
  return unless $self->{pid} && $self->{owner} == $$;
  kill TERM => -$self->{pid};
  kill TERM => $self->{pid};
  waitpid delete $self->{pid}, 0;
}
sub DESTROY { local ($?, $@); $_[0]->stop }

# Ends with SIGTERM, together with its connections.
sub serve {
  my ($self) = @_;
  setpgrp;
  local $SIG{CHLD} = 'IGNORE';
  local $SIG{PIPE} = 'IGNORE';
  $SIG{INT} = 'IGNORE';
  $SIG{TERM} = sub { local $SIG{TERM} = 'IGNORE'; kill TERM => -$$; POSIX::_exit(0) };
  my $connections = 0;
  while (1) {
    my $socket = $self->{listener}->accept or next;
    $connections++;
    my $pid = fork // next;
    next if $pid;
    $SIG{TERM} = 'DEFAULT';
    close $self->{listener};
    eval { $self->serve_connection($socket, $connections) };
    POSIX::_exit(0);
  }
}

# --- files ---

# Concurrent readers see the old value or the new one.
sub write_file {
  my ($self, $name, $value) = @_;
  my $path = "$self->{directory}/$name";
  open my $file, '>', "$path.new" or die "$path: $!\n";
  print $file $json->encode($value);
  close $file or die "$path: $!\n";
  rename "$path.new", $path or die "$path: $!\n";
}
sub read_file {
  my ($self, $name) = @_;
  open my $file, '<', "$self->{directory}/$name" or return;
  local $/;
  return $json->decode(<$file>);
}

# In one write, so that lines of several processes do not mix.
sub append {
  my ($self, $name, $record) = @_;
  sysopen my $file, "$self->{directory}/$name", O_WRONLY | O_APPEND | O_CREAT
    or return;
  syswrite $file, $json->encode($record) . "\n";
}
sub records {
  my ($self, $name) = @_;
  open my $file, '<', "$self->{directory}/$name" or return;
  return map { $json->decode($_) } grep { /\n\z/ } <$file>;
}

# --- behaviour ---

sub behave {
  my ($self, @behaviours) = @_;
  unlink "$self->{directory}/turn";
  $self->write_file('behaviour.json', \@behaviours);
}

sub next_behaviour {
  my ($self) = @_;
  my $behaviours = $self->read_file('behaviour.json') or return {};
  return $behaviours->[0] // {} if @$behaviours < 2;
  sysopen my $turn, "$self->{directory}/turn", O_RDWR | O_CREAT or return {};
  flock $turn, LOCK_EX;
  my $index = <$turn> // 0;
  seek $turn, 0, 0;
  syswrite $turn, $index + 1 . "\n";
  return $behaviours->[$index < @$behaviours ? $index : -1];
}

1;
