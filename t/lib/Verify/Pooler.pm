package Verify::Pooler;
# A private PgBouncer in front of the database of a service that has not started
# yet; the service then connects through it. PATH selects the pgbouncer.
#
#   my $service = Verify::Instance->start(start => 0, migrate => 0);
#   my $pooler = Verify::Pooler->start($service, mode => 'transaction');
#   $pooler->stop
use v5.32;
use warnings;
use File::Path qw(remove_tree);
use File::Temp ();
use POSIX ();
use IO::Socket::INET;
use Verify::Instance ();
use Verify::Wait;

my %running;

# The program, or nothing.
sub program {
  my ($found) = grep { -x } map { "$_/pgbouncer" } split(/:/, $ENV{PATH}), '/usr/sbin';
  return $found;
}
# Its version as a number: 1024001 for 1.24.1.
sub version {
  my $program = program() // return 0;
  return `$program --version` =~ /PgBouncer (\d+)\.(\d+)(?:\.(\d+))?/
    ? $1 * 1e6 + $2 * 1e3 + ($3 // 0) : 0;
}

# mode, and pool_size if one is needed.
sub start {
  my ($class, $service, %options) = @_;
  my $directory = File::Temp::tempdir('verify-t-XXXXXXXX', TMPDIR => 1);
  my ($port) = Verify::Instance::free_ports(1);
  my $self = bless {directory => $directory, port => $port, owner => $$,
    direct => $service->{conninfo}, service => $service}, $class;
  $running{$directory} = $self;
  my %at = map { split /=/, $_, 2 } split ' ', $service->{conninfo};
  $self->write('users', qq{"$at{user}" "$at{password}"\n});
  $self->write('pgbouncer.ini', <<INI);
[databases]
$at{dbname} = host=$at{host} port=$at{port} dbname=$at{dbname}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $port
unix_socket_dir =
auth_type = plain
auth_file = $directory/users
pool_mode = $options{mode}
default_pool_size = @{[$options{pool_size} // 20]}
ignore_startup_parameters = options
@{[version() >= 1_021_000 ? 'max_prepared_statements = 1000' : '']}
logfile = $directory/log
INI
  # It refuses to run as root.
  my ($user) = $> ? () : grep { defined getpwnam $_ } qw(postgres nobody);
  chown +(getpwnam $user)[2, 3], $directory, glob "$directory/*" if $user;
  $self->{pid} = fork // die "cannot fork: $!\n";
  if (!$self->{pid}) {
    open STDIN, '<', '/dev/null';
    open STDOUT, '>', '/dev/null';
    open STDERR, '>&', \*STDOUT;
    exec program(), $user ? ('-u', $user) : (), "$directory/pgbouncer.ini"
      or POSIX::_exit(127);
  }
  wait_for { IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port) }
    or die 'PgBouncer does not start: ' . $self->log . "\n";
  $service->{conninfo} = join ' ', 'host=127.0.0.1', "port=$port",
    map { "$_=$at{$_}" } qw(dbname user password);
  return $self;
}

sub write {
  my ($self, $name, $text) = @_;
  open my $file, '>', "$self->{directory}/$name" or die "$name: $!\n";
  chmod 0600, $file;
  print $file $text;
}
sub log { Verify::Instance::read_text("$_[0]{directory}/log") }

sub stop {
  my ($self) = @_;
  return unless delete $running{$self->{directory}} && $self->{owner} == $$;
  kill TERM => $self->{pid};
  waitpid $self->{pid}, 0;
  $self->{service}{conninfo} = $self->{direct};
  remove_tree($self->{directory});
}

END {
  my $status = $?;
  $_->stop for grep { $_->{owner} == $$ } values %running;
  $? = $status if $status;
}

1;
