package Verify::Receiver;
# A webhook receiver with TLS, for tests and for the demonstration: a
# Verify::Server that records every request in <directory>/requests.jsonl; each
# request uses the next of its behaviours:
#
#   status  200          headers {}        body ""
#   delay   seconds before the answer      hang  seconds without any answer
#   drip    seconds between the bytes      flood bytes of body, unannounced
#   trickle the same, of the body only
#   endless 1: header lines without end
#   close   1: ends the connection instead of answering
#   reset   1: resets the connection behind the answer, which has no length
#   cut     bytes that the answer announces and does not send
#   hold    waits for release() before the answer
#
# <directory>/secrets.json maps paths to signing secrets; a request to one of
# them whose signature is wrong gets 400 and is recorded with the fault.
use v5.32;
use warnings;
use parent 'Verify::Server';
use IO::Socket::SSL;
use JSON::PP ();
use Socket qw(IPPROTO_TCP SOL_SOCKET SO_LINGER TCP_NODELAY);
use Time::HiRes qw(sleep time);
use Verify::Signature qw(signature_fault);
use Verify::Wait;

my $json = JSON::PP->new->utf8->canonical;

sub url { "https://127.0.0.1:$_[0]{port}" . ($_[1] // '/webhooks') }

sub expect_secret {
  my ($self, $path, $secret) = @_;
  my $secrets = $self->read_file('secrets.json') // {};
  $secrets->{$path} = $secret;
  $self->write_file('secrets.json', $secrets);
}

# The requests so far: time, path, headers, body, event (decoded), fault.
sub requests {
  my ($self, $filter) = @_;
  my @requests = $self->records('requests.jsonl');
  for my $request (@requests) {
    $request->{event} = eval { $json->decode($request->{body}) };
  }
  return $filter ? grep { $filter->($_) } @requests : @requests;
}
sub wait_for_request {
  my ($self, $filter, $seconds) = @_;
  return wait_for { ($self->requests($filter))[0] } $seconds;
}
# Releases the answers on hold.
sub release { $_[0]->write_file('released', 1) }
sub forget { unlink "$_[0]{directory}/requests.jsonl" }

sub serve_connection {
  my ($self, $socket, $number) = @_;
  IO::Socket::SSL->start_SSL($socket, SSL_server => 1,
    SSL_cert_file => $self->{certificate}, SSL_key_file => $self->{key})
    or return;
  my $buffer = '';
  while (my $request = read_request($socket, \$buffer)) {
    $request->{connection} = $number;
    my $behaviour = $self->next_behaviour;
    my $secret = ($self->read_file('secrets.json') // {})->{$request->{path}};
    if ($secret) {
      $request->{fault} = signature_fault($secret,
        $request->{headers}{'service-signature'}, $request->{body});
      $behaviour = {status => 400, body => $request->{fault}}
        if $request->{fault};
    }
    $self->append('requests.jsonl', $request);
    wait_for { -e "$self->{directory}/released" } 60 if $behaviour->{hold};
    answer($socket, $behaviour) or last;
  }
  $socket->close;
}

sub read_request {
  my ($socket, $buffer) = @_;
  until ($$buffer =~ /\r\n\r\n/) {
    sysread $socket, $$buffer, 65536, length $$buffer or return;
  }
  my ($head, $rest) = split /\r\n\r\n/, $$buffer, 2;
  my ($line, @fields) = split /\r\n/, $head;
  my ($method, $path) = split / /, $line;
  my %headers = map { /\A([^:]+):\s*(.*)\z/s ? (lc $1, $2) : () } @fields;
  my $length = $headers{'content-length'} // 0;
  while (length $rest < $length) {
    sysread $socket, $rest, 65536, length $rest or return;
  }
  $$buffer = substr $rest, $length;
  return {time => time, method => $method, path => $path,
    headers => \%headers, body => substr $rest, 0, $length};
}

# Sends the answer; false if the connection is over.
sub answer {
  my ($socket, $behaviour) = @_;
  return 0 if $behaviour->{close};
  if ($behaviour->{hang}) {
    sleep $behaviour->{hang};
    return 0;
  }
  sleep $behaviour->{delay} if $behaviour->{delay};
  my $body = $behaviour->{body} // '';
  my %headers = ('Content-Length' => length $body,
    %{$behaviour->{headers} // {}});
  delete $headers{'Content-Length'} if $behaviour->{flood} || $behaviour->{reset};
  $headers{'Content-Length'} += $behaviour->{cut} if $behaviour->{cut};
  my $status = $behaviour->{status} // 200;
  my $text = join "\r\n", "HTTP/1.1 $status Answer",
    (map { "$_: $headers{$_}" } sort keys %headers), '', $body;
  return flood($socket, $text, $behaviour->{flood}, 'x' x 16384)
    if $behaviour->{flood};
  return flood($socket, "HTTP/1.1 $status Answer\r\n", 'inf', "X-Line: more\r\n")
    if $behaviour->{endless};
  return drip($socket, $text, $behaviour->{drip}) if $behaviour->{drip};
  if ($behaviour->{trickle}) {
    my $head = substr $text, 0, -length $body;
    defined syswrite $socket, $head or return 0;
    return drip($socket, $body, $behaviour->{trickle});
  }
  # Otherwise the reset could overtake the answer.
  setsockopt $socket, IPPROTO_TCP, TCP_NODELAY, 1 if $behaviour->{reset};
  my $is_sent = defined syswrite $socket, $text;
  setsockopt $socket, SOL_SOCKET, SO_LINGER, pack 'll', 1, 0 if $behaviour->{reset};
  return $is_sent && !$behaviour->{reset} && !$behaviour->{cut};
}
sub drip {
  my ($socket, $text, $pause) = @_;
  for my $byte (split //, $text) {
    defined syswrite $socket, $byte or return 0;
    sleep $pause;
  }
  return 1;
}
sub flood {
  my ($socket, $text, $bytes, $block) = @_;
  defined syswrite $socket, $text or return 0;
  for (my $sent = 0; $sent < $bytes; $sent += length $block) {
    defined syswrite $socket, $block or return 0;
  }
  return 0;
}

1;
