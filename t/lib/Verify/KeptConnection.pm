package Verify::KeptConnection;
# One HTTP/1 connection, sent byte by byte as the test chooses, which is kept
# between requests and never reopened: a missing answer is noticed.
use v5.32;
use warnings;
use IO::Select;
use IO::Socket::INET;
use IO::Socket::SSL;
use Socket qw(IPPROTO_TCP TCP_CORK TCP_NODELAY);
use Time::HiRes qw(time);
use Verify::Wait;

# port; ca_file: by TLS; local_address; timeout: seconds for an answer (20)
sub new {
  my ($class, %options) = @_;
  my @to = (PeerAddr => '127.0.0.1', PeerPort => $options{port},
    $options{local_address} ? (LocalAddr => $options{local_address}) : ());
  my $socket = $options{ca_file}
    ? IO::Socket::SSL->new(@to, SSL_ca_file => $options{ca_file})
    : IO::Socket::INET->new(@to);
  die 'cannot connect: ' . ($@ || $SSL_ERROR) . "\n" unless $socket;
  setsockopt $socket, IPPROTO_TCP, TCP_NODELAY, 1;
  return bless {timeout => 20, %options, socket => $socket, buffer => '',
    used => time}, $class;
}

# Sends the pieces one by one, each when the server has taken the previous one,
# and returns the answer's status, or 'none' if the connection ends without one.
# A list of pieces arrives at once, with TLS in one record each.
sub request {
  my ($self, @pieces) = @_;
  while (defined(my $piece = shift @pieces)) {
    $self->send($piece);
    wait_for { $self->is_taken } if @pieces;
  }
  return $self->answer;
}

sub send {
  my ($self, $bytes) = @_;
  local $SIG{PIPE} = 'IGNORE';
  return syswrite $self->{socket}, $bytes unless ref $bytes;
  setsockopt $self->{socket}, IPPROTO_TCP, TCP_CORK, 1;
  syswrite $self->{socket}, $_ for @$bytes;
  setsockopt $self->{socket}, IPPROTO_TCP, TCP_CORK, 0;
}

# Whether the server has taken everything sent, or has answered or ended.
sub is_taken {
  my ($self) = @_;
  return 1 if IO::Select->new($self->{socket})->can_read(0);
  my $ends = sprintf '0100007F:%04X 0100007F:%04X', $self->{port},
    $self->{socket}->sockport;
  open my $file, '<', '/proc/net/tcp' or die "/proc/net/tcp: $!\n";
  return scalar grep { /: \Q$ends\E [0-9A-F]{2} [0-9A-F]{8}:00000000 / } <$file>;
}

sub answer {
  my ($self) = @_;
  my $deadline = time + $self->{timeout};
  until ($self->{buffer} =~ /\A(.*?\r\n\r\n)/s
    && length $self->{buffer} >= length($1) + length_of($1)) {
    return 'none' unless $self->read_more($deadline);
  }
  my ($head) = $self->{buffer} =~ /\A(.*?\r\n\r\n)/s;
  $self->{content} = substr substr($self->{buffer}, 0,
    length($head) + length_of($head), ''), length $head;
  $self->{head} = $head;
  $self->{used} = time;
  return $head =~ m{\AHTTP/1\.[01] ([0-9]{3})} ? $1 : 'none';
}
sub length_of { $_[0] =~ /^Content-Length: ([0-9]+)/mi ? $1 : 0 }

sub read_more {
  my ($self, $deadline) = @_;
  my $socket = $self->{socket};
  my $pending = $socket->can('pending') && $socket->pending;
  return unless $pending
    || IO::Select->new($socket)->can_read($deadline - time);
  return sysread $socket, $self->{buffer}, 65536, length $self->{buffer};
}

# Waits until SECONDS have passed since the last answer.
sub idle {
  my ($self, $seconds) = @_;
  my $rest = $self->{used} + $seconds - time;
  Time::HiRes::sleep($rest) if $rest > 0;
  return $self;
}

# How the server ended the connection: after how many seconds since the last
# answer, and with which bytes.
sub end {
  my ($self, $seconds) = @_;
  my $deadline = $self->{used} + $seconds;
  1 while $self->read_more($deadline);
  return (time - $self->{used}, $self->{buffer});
}

sub close { CORE::close $_[0]{socket} }

1;
