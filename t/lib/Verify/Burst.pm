package Verify::Burst;
# Clients with kept connections that all send at once, each its next request
# after the last answer. They reconnect if the server announced that it closes a
# connection, or closed an idle one; nothing is sent twice.
use v5.32;
use warnings;
use Errno qw(EAGAIN);
use IO::Select;
use IO::Socket::INET;
use Socket qw(IPPROTO_TCP MSG_NOSIGNAL TCP_NODELAY);
use Time::HiRes qw(time);

# port, clients, requests (of each), text (of a request)
sub new {
  my ($class, %options) = @_;
  my $self = bless {%options, select => IO::Select->new, status => {}, opened => 0,
    lost => []}, $class;
  $self->{all} = [map { {number => $_, left => $self->{requests}} } 1 .. $self->{clients}];
  $self->open_for($_) for @{$self->{all}};
  return $self;
}

sub open_for {
  my ($self, $client) = @_;
  my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $self->{port})
    or die "cannot connect: $@\n";
  $socket->blocking(0);
  setsockopt $socket, IPPROTO_TCP, TCP_NODELAY, 1;
  @$client{qw(socket buffer asked)} = ($socket, '', 0);
  $self->{opened}++;
  $self->{client_of}{fileno $socket} = $client;
  $self->{select}->add($socket);
}
sub close_for {
  my ($self, $client) = @_;
  $self->{select}->remove($client->{socket});
  close $client->{socket};
}

# Sends everything; returns the number of each status, and keeps lost requests.
sub run {
  my ($self, $seconds) = @_;
  my $deadline = time + $seconds;
  $self->ask($_) for @{$self->{all}};
  while (time < $deadline && grep { $_->{left} } @{$self->{all}}) {
    $self->read_from($self->{client_of}{fileno $_}) for $self->{select}->can_read(1);
  }
  push @{$self->{lost}}, map { "client $_->{number} waits" }
    grep { $_->{left} } @{$self->{all}};
  return $self->{status};
}

sub ask {
  my ($self, $client) = @_;
  $client->{asked} = time;
  send $client->{socket}, $self->{text}, MSG_NOSIGNAL;
}

sub read_from {
  my ($self, $client) = @_;
  my $length = sysread $client->{socket}, $client->{buffer}, 65536,
    length $client->{buffer};
  return if !defined $length && $! == EAGAIN;
  return $self->end_of($client, defined $length ? 'an end' : "$!") unless $length;
  return unless $client->{buffer} =~ /\A(.*?\r\n\r\n)/s;
  my $head = $1;
  my $whole = length($head) + ($head =~ /^Content-Length: ([0-9]+)/mi ? $1 : 0);
  return if length $client->{buffer} < $whole;
  substr $client->{buffer}, 0, $whole, '';
  $self->{status}{$head =~ m{\AHTTP/1\.1 ([0-9]+)} ? $1 : 'none'}++;
  $self->{announced}++ if $head =~ /^Connection: close/mi;
  $client->{asked} = 0;
  return $self->close_for($client) unless --$client->{left};
  if ($head =~ /^Connection: close/mi) {
    $self->close_for($client);
    $self->open_for($client);
  }
  $self->ask($client);
}

sub end_of {
  my ($self, $client, $how) = @_;
  push @{$self->{lost}}, sprintf 'client %d: %s %.3f s after its request, %d left',
    $client->{number}, $how, time - $client->{asked}, $client->{left};
  $self->{status}{lost}++;
  $self->close_for($client);
  $self->open_for($client);
  return $client->{left} = 0 unless --$client->{left};
  $self->ask($client);
}

1;
