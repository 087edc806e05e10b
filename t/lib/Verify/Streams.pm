package Verify::Streams;
# One HTTP/2 connection (RFC 9113) with many requests, whose bodies are sent as
# slowly as the test chooses. Only the necessary part of the protocol is
# implemented: headers are sent as literals, and only the bodies of answers are
# kept.
use v5.32;
use warnings;
use IO::Select;
use IO::Socket::SSL;
use Verify::Wait;

use constant {DATA => 0, HEADERS => 1, RST_STREAM => 3, SETTINGS => 4, PING => 6,
  GOAWAY => 7, WINDOW_UPDATE => 8, ACK => 1, END_STREAM => 1, END_HEADERS => 4};

# port, ca_file; local_address
sub new {
  my ($class, %options) = @_;
  my $socket = IO::Socket::SSL->new(PeerAddr => '127.0.0.1',
    PeerPort => $options{port}, SSL_ca_file => $options{ca_file},
    $options{local_address} ? (LocalAddr => $options{local_address}) : (),
    SSL_alpn_protocols => ['h2']) or die "cannot connect: $SSL_ERROR\n";
  die "no HTTP/2\n" unless ($socket->alpn_selected // '') eq 'h2';
  $socket->blocking(0);
  my $self = bless {socket => $socket, next => 1, buffer => '', answers => {},
    ended => {}, complete => {}}, $class;
  $self->send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  $self->frame(SETTINGS, 0, 0, '');
  return $self;
}

# Enlarges the window of the connection, so that one stalled stream does not
# block the others.
sub widen {
  my ($self) = @_;
  $self->frame(WINDOW_UPDATE, 0, 0, pack 'N', 1 << 24);
  return $self;
}

sub send {
  my ($self, $bytes) = @_;
  while (length $bytes) {
    my $written = syswrite $self->{socket}, $bytes;
    if ($written) { substr $bytes, 0, $written, '' }
    elsif (!$!{EAGAIN}) { return }
    else { IO::Select->new($self->{socket})->can_write(5) or return }
  }
}
sub frame {
  my ($self, $type, $flags, $stream, $payload) = @_;
  my $length = length $payload;
  $self->send(pack('CnCCN', $length >> 16, $length & 0xffff, $type, $flags, $stream)
    . $payload);
}

# RFC 7541, 6.2.2, texts shorter than 127 bytes or one byte more of length.
sub text_of {
  my ($text) = @_;
  my $length = length $text;
  return ($length < 127 ? chr $length : chr(127) . chr($length - 127)) . $text;
}

# Begins a request whose body follows; returns its stream.
sub request {
  my ($self, @request) = @_;
  return $self->begin(END_HEADERS, @request);
}
# Sends a request without a body. Windows are never enlarged, so that long or
# many answers stall.
sub ask {
  my ($self, @request) = @_;
  return $self->begin(END_HEADERS | END_STREAM, @request);
}
sub begin {
  my ($self, $flags, $method, $path, @headers) = @_;
  my $stream = $self->{next};
  $self->{next} += 2;
  my @all = (':method' => $method, ':scheme' => 'https', ':authority' => 'localhost',
    ':path' => $path, @headers);
  my $block = '';
  while (my ($name, $value) = splice @all, 0, 2) {
    $block .= "\0" . text_of($name) . text_of($value);
  }
  $self->{answers}{$stream} = '';
  $self->{complete}{$stream} = $flags & END_STREAM;
  $self->frame(HEADERS, $flags, $stream, $block);
  return $stream;
}

# Sends a piece of body on each stream whose request is incomplete and that the
# service has not ended. On a complete one it would end the connection (RFC
# 9113, 5.1).
sub pulse {
  my ($self, $piece) = @_;
  $self->frame(DATA, 0, $_, $piece)
    for grep { !$self->{ended}{$_} && !$self->{complete}{$_} }
      sort { $a <=> $b } keys %{$self->{answers}};
  $self->read_frames;
}

sub read_frames {
  my ($self) = @_;
  1 while sysread $self->{socket}, $self->{buffer}, 65536, length $self->{buffer};
  while (length $self->{buffer} >= 9) {
    my ($high, $low, $type, $flags, $stream) = unpack 'CnCCN', $self->{buffer};
    my $length = $high << 16 | $low;
    last if length $self->{buffer} < 9 + $length;
    my $payload = substr substr($self->{buffer}, 0, 9 + $length, ''), 9;
    $self->take($type, $flags, $stream, $payload);
  }
}
sub take {
  my ($self, $type, $flags, $stream, $payload) = @_;
  $self->{answers}{$stream} .= $payload if $type == DATA;
  $self->{ended}{$stream} = 1 if $type == RST_STREAM
    || ($type == DATA || $type == HEADERS) && $flags & END_STREAM;
  $self->frame(SETTINGS, ACK, 0, '') if $type == SETTINGS && !($flags & ACK);
  $self->frame(PING, ACK, 0, $payload) if $type == PING && !($flags & ACK);
  $self->{gone} = 1 if $type == GOAWAY;
}

# The error codes of the answers so far; `none`: the number without one.
sub codes {
  my ($self) = @_;
  $self->read_frames;
  my %count = (none => 0);
  for (values %{$self->{answers}}) {
    $count{/"code":"(\w+)"/ ? $1 : length ? 'other' : 'none'}++;
  }
  return \%count;
}

# Keeps sending PIECE until CONDITION, which gets the codes, is true.
sub pulse_until {
  my ($self, $piece, $condition, $seconds) = @_;
  return wait_for {
    $self->pulse($piece);
    local $_ = $self->codes;
    $condition->();
  } $seconds // 30;
}

1;
