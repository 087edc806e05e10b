package Verify::SlowReaders;
# Many connections that send a request and read the answer as slowly as the test
# chooses: small buffers, from one loopback address or from many, plain or
# encrypted.
use v5.32;
use warnings;
use Errno qw(EAGAIN EWOULDBLOCK);
use IO::Socket::INET;
use IO::Socket::SSL ();
use Socket qw(SOL_SOCKET SO_RCVBUF);
use Verify::SlowClients;
use Verify::Wait;

use constant BEGINNING => 1500; # bytes: the head, and of an error all

# port, count, head; addresses: how many (1); ca_file: for TLS; buffer: bytes
# that the kernel receives by itself (4096)
sub new {
  my ($class, %options) = @_;
  my $self = bless {addresses => 1, buffer => 4096, %options, clients => []}, $class;
  for my $number (0 .. $self->{count} - 1) {
    my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $self->{port},
      LocalAddr => Verify::SlowClients::address($number % $self->{addresses}),
      Sockopts => [[SOL_SOCKET, SO_RCVBUF, $self->{buffer}]]) or die "cannot connect: $@\n";
    if ($self->{ca_file}) {
      IO::Socket::SSL->start_SSL($socket, SSL_ca_file => $self->{ca_file},
        SSL_verifycn_name => '127.0.0.1', SSL_alpn_protocols => ['http/1.1'])
        or die "no TLS: $IO::Socket::SSL::SSL_ERROR\n";
    }
    $socket->blocking(0);
    push @{$self->{clients}}, {socket => $socket, answer => '', open => 1};
    syswrite $socket, $self->{head};
  }
  return $self;
}

sub clients { @{$_[0]{clients}} }

# Reads at most LENGTH bytes of CLIENT's answer.
sub take {
  my ($client, $length) = @_;
  while ($client->{open} && $length > 0) {
    my $taken = sysread $client->{socket}, $client->{answer}, $length,
      length $client->{answer};
    return if !defined $taken && ($! == EAGAIN || $! == EWOULDBLOCK);
    $client->{open} = 0 if !$taken;
    $length -= $taken // 0;
  }
}

# The number of answers by status, from the beginnings of the answers.
sub answers {
  my ($self) = @_;
  my %count = (none => 0);
  for my $client ($self->clients) {
    my ($status) = $client->{answer} =~ m{\AHTTP/1\.1 ([0-9]{3})};
    $count{$status // 'none'}++;
  }
  return \%count;
}

# Reads the beginnings until CONDITION, which gets the answers, is true.
sub begin_until {
  my ($self, $condition, $seconds) = @_;
  return wait_for {
    take($_, BEGINNING - length $_->{answer}) for $self->clients;
    local $_ = $self->answers;
    $condition->();
  } $seconds // 20;
}

# Reads LENGTH bytes of each repeatedly until CONDITION, which gets the number
# of finished ones, is true.
sub read_until {
  my ($self, $length, $condition, $seconds) = @_;
  return wait_for {
    take($_, $length) for $self->clients;
    local $_ = grep { !$_->{open} || $_->{answer} =~ /\r\n0\r\n\r\n\z/ } $self->clients;
    $condition->();
  } $seconds // 60;
}

# The rest of each answer, to its end.
sub read_rest {
  my ($self) = @_;
  take($_, 1 << 30) for $self->clients;
}

sub close {
  my ($self) = @_;
  CORE::close $_->{socket} for $self->clients;
}

1;
