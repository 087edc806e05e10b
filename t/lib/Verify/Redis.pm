package Verify::Redis;
# A private Redis server without persistence: on a Unix socket, and with TLS on
# a free port. Debian's package redis-tools contains the server under the name
# of a tool.
use v5.32;
use warnings;
use IO::Socket::UNIX;
use POSIX ();
use Verify::Instance ();
use Verify::Wait;

# The program and its argv[0], or nothing.
sub program {
  for my $name (qw(redis-server valkey-server redis-check-rdb valkey-check-rdb)) {
    for my $directory (split /:/, "$ENV{PATH}:/usr/bin") {
      return "$directory/$name" if -x "$directory/$name";
    }
  }
  return;
}

# directory, password, certificate, key
sub new {
  my ($class, %options) = @_;
  my ($port) = Verify::Instance::free_ports(1);
  my $self = bless {%options, port => $port, owner => $$}, $class;
  mkdir $self->{directory};
  open my $file, '>', "$self->{directory}/redis.conf" or die "redis.conf: $!\n";
  print $file <<CONF;
dir $self->{directory}
save ""
port 0
bind 127.0.0.1
tls-port $self->{port}
tls-cert-file $self->{certificate}
tls-key-file $self->{key}
tls-auth-clients no
unixsocket $self->{directory}/socket
unixsocketperm 777
requirepass $self->{password}
logfile $self->{directory}/log
CONF
  close $file;
  return $self;
}

sub path { "$_[0]{directory}/socket" }

sub start {
  my ($self) = @_;
  my $program = program() // die "no Redis\n";
  $self->{pid} = fork // die "cannot fork: $!\n";
  if (!$self->{pid}) {
    open STDIN, '<', '/dev/null';
    open STDOUT, '>', '/dev/null';
    exec {$program} $program =~ s/check-rdb/server/r, "$self->{directory}/redis.conf"
      or POSIX::_exit(127);
  }
  wait_for { IO::Socket::UNIX->new(Peer => $self->path) }
    or die "Redis does not start\n";
  return $self;
}

# Kills it at any moment.
sub stop {
  my ($self) = @_;
  return unless $self->{pid} && $self->{owner} == $$;
  kill KILL => $self->{pid};
  waitpid delete $self->{pid}, 0;
  unlink $self->path;
}
sub DESTROY { local ($?, $@); $_[0]->stop }

1;
