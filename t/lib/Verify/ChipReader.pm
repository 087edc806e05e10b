package Verify::ChipReader;
# A PC/SC reader without hardware, with chips simulated by
# t/lib/simulated_chip.py: pcscd in the foreground with the driver of
# vsmartcard, at a local port.
use v5.32;
use warnings;
use File::Temp ();
use IO::Socket::UNIX;
use Verify::Instance ();
use Verify::Wait;

my $driver = '/usr/lib/pcsc/drivers/serial/libifdvpcd.so';
my $socket = '/run/pcscd/pcscd.comm';

# Why no reader can be started; undef: it can.
sub obstacle {
  my ($pcscd) = grep { -x } map { "$_/pcscd" } qw(/usr/sbin /usr/bin);
  return 'no pcscd (Debian: pcscd)' unless $pcscd;
  return 'no driver (Debian: vsmartcard-vpcd)' unless -e $driver;
  return 'pcscd needs root' if $>;
  return 'pcscd of this machine is in use'
    if IO::Socket::UNIX->new(Peer => $socket);
  return;
}

sub start {
  my ($class) = @_;
  my $directory = File::Temp->newdir;
  my ($port) = Verify::Instance::free_ports(1);
  my $self = bless {directory => $directory, port => $port}, $class;
  mkdir "$directory/conf" or die "$directory/conf: $!\n";
  open my $out, '>', "$directory/conf/vpcd" or die "$directory: $!\n";
  printf $out qq(FRIENDLYNAME "Virtual reader"\nDEVICENAME /dev/null:0x%X\n)
    . "LIBPATH $driver\nCHANNELID 0x%X\n", $port, $port;
  close $out or die "$directory: $!\n";
  $self->{pcscd} = run("$directory/pcscd.log", 'pcscd', '--foreground',
    '--config', "$directory/conf");
  wait_for { IO::Socket::UNIX->new(Peer => $socket) }
    or die "pcscd does not answer\n";
  return $self;
}

sub run {
  my ($log, @command) = @_;
  my $pid = fork // die "fork: $!\n";
  return $pid if $pid;
  open STDIN, '<', '/dev/null';
  open STDOUT, '>', $log;
  open STDERR, '>&', \*STDOUT;
  exec @command or CORE::exit(127);
}

sub contents {
  my ($path) = @_;
  open my $in, '<', $path or return "$path: $!\n";
  local $/;
  return <$in> // '';
}

# Puts a chip on the reader; returns the files of its issuer and its zone.
sub lay {
  my ($self, @options) = @_;
  my $number = ++$self->{chips};
  my ($trust, $zone) = map { "$self->{directory}/$_$number" } qw(trust zone);
  $self->{chip} = run("$self->{directory}/chip$number.log", '/usr/bin/python3',
    't/lib/simulated_chip.py', '--port', $self->{port}, '--trust', $trust,
    '--zone', $zone, @options);
  $self->{zone} = $zone;
  wait_for { -s $zone } or die 'no chip: '
    . contents("$self->{directory}/chip$self->{chips}.log")
    . contents("$self->{directory}/pcscd.log") . "\n";
  return ($trust, $zone);
}

# Removes the chip, and waits until the reader has noticed.
sub take_away {
  my ($self) = @_;
  my $pid = delete $self->{chip} // return;
  kill 'TERM', $pid;
  waitpid $pid, 0;
  wait_for { ($self->read_chip('--wait', 0))[1] =~ /no document is on/ }
    or die "the chip stays on the reader\n";
}

# Runs verify-read-passport with ARGUMENTS and the zone of the last chip;
# returns its status and its output.
sub read_chip {
  my ($self, @arguments) = @_;
  my $log = "$self->{directory}/read";
  my $pid = run($log, ($ENV{VERIFY_BUILD} // 'build') . '/verify-read-passport',
    '--zone', $self->{zone}, @arguments);
  waitpid $pid, 0;
  return ($?, contents($log));
}

sub DESTROY {
  my ($self) = @_;
  local ($., $@, $!, $?);
  for my $pid (grep { $_ } delete @$self{qw(chip pcscd)}) {
    kill 'TERM', $pid;
    waitpid $pid, 0;
  }
}

1;
