package Verify::SlowClients;
# Many connections that send slowly, or nothing: opens them from one loopback
# address or from many, sends one piece at a time on each, and keeps the
# answers.
use v5.32;
use warnings;
use Errno qw(EAGAIN EWOULDBLOCK);
use IO::Socket::INET;
use Socket qw(MSG_NOSIGNAL);
use Verify::Wait;

# port, count, head (text, or code that gets the number); addresses: how many
# (1); host
sub new {
  my ($class, %options) = @_;
  my $self = bless {addresses => 1, %options, clients => []}, $class;
  for my $number (0 .. $self->{count} - 1) {
    my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1',
      PeerPort => $self->{port}, LocalAddr => address($number % $self->{addresses}))
      or die "cannot connect: $@\n";
    $socket->blocking(0);
    push @{$self->{clients}}, {socket => $socket, answer => '', open => 1};
    my $head = ref $self->{head} ? $self->{head}->($number) : $self->{head};
    send $socket, $head, MSG_NOSIGNAL if length $head;
  }
  return $self;
}

sub address {
  my ($number) = @_;
  return '127.0.0.1' if $number == 0;
  return sprintf '127.0.%d.%d', 1 + int($number / 250), 1 + $number % 250;
}

sub clients { @{$_[0]{clients}} }

# Sends TEXT on each connection that is still open, and collects answers.
sub pulse {
  my ($self, $text) = @_;
  for my $client (grep { $_->{open} } $self->clients) {
    send $client->{socket}, $text, MSG_NOSIGNAL if length($text // '');
  }
  $self->read_answers;
}

sub read_answers {
  my ($self) = @_;
  for my $client (grep { $_->{open} } $self->clients) {
    while (1) {
      my $length = sysread $client->{socket}, $client->{answer}, 16384,
        length $client->{answer};
      last if $length;
      last if !defined $length && ($! == EAGAIN || $! == EWOULDBLOCK);
      $client->{open} = 0;
      last;
    }
  }
}

# The number of answers by status, and of unanswered connections; `closed`: the
# number of ended connections.
sub answers {
  my ($self) = @_;
  $self->read_answers;
  my %count = (none => 0, closed => scalar grep { !$_->{open} } $self->clients);
  for my $client ($self->clients) {
    my ($status) = $client->{answer} =~ m{\AHTTP/1\.1 ([0-9]{3})};
    $count{$status // 'none'}++;
  }
  return \%count;
}

# Keeps sending TEXT until CONDITION, which gets the answers, is true.
sub pulse_until {
  my ($self, $text, $condition, $seconds) = @_;
  return wait_for {
    $self->pulse($text);
    local $_ = $self->answers;
    $condition->();
  } $seconds // 30;
}

sub close {
  my ($self) = @_;
  CORE::close $_->{socket} for $self->clients;
}

1;
