package Verify::FaultyProxy;
# A Verify::Server between a client and the service that harms the first request with each
# mark. A mark is a word "fault-KIND-ANYTHING" anywhere in the request, and KIND says how:
#
#   drop         the service gets the request, the client no answer
#   hang         neither the service gets the request nor the client an answer
#   busy         429, to be retried after a second
#   unavailable  503, the same
#   page         502 with a page of HTML, without a time to retry
#   closed       429, to be retried after a quarter of an hour; every request of the mark
#   moved        a redirect to another host, every time
#
# All other requests are forwarded as they are. <directory>/requests.jsonl records mark and
# idempotency key of each request that has a mark.
use v5.32;
use warnings;
use parent 'Verify::Server';
use IO::Socket::INET;
use List::Util qw(any);

my %refusals = (
  busy => ['429 Too Many Requests', 'application/json', 1,
    '{"error":{"type":"rate_limit_error","code":"rate_limit_exceeded","message":"Too many."}}'],
  unavailable => ['503 Service Unavailable', 'application/json', 1,
    '{"error":{"type":"api_error","code":"service_unavailable","message":"Later."}}'],
  page => ['502 Bad Gateway', 'text/html', undef, '<h1>Bad gateway</h1>'],
  closed => ['429 Too Many Requests', 'application/json', 900,
    '{"error":{"type":"rate_limit_error","code":"accept_existing_rate_limited",'
      . '"message":"Too many.","request_id":"req_0proxy"}}'],
  moved => ['307 Temporary Redirect', 'text/html', undef, ''],
);
my %is_lasting = map { $_ => 1 } qw(closed moved);

sub url { "http://127.0.0.1:$_[0]{port}" }

sub serve_connection {
  my ($self, $client) = @_;
  my $request = read_message($client) // return;
  my ($mark, $kind) = $request =~ /(fault-([a-z]+)-\w+)/;
  return $self->forward($client, $request) unless $mark;
  my $is_first = !any { $_->{mark} eq $mark } $self->records('requests.jsonl');
  my ($key) = $request =~ /^Idempotency-Key: *(.*?)\r$/mi;
  $self->append('requests.jsonl', {mark => $mark, key => $key});
  return $self->forward($client, $request) unless $is_first || $is_lasting{$kind};
  return $self->forward(undef, $request) if $kind eq 'drop';
  return refuse($client, @{$refusals{$kind}}) if $refusals{$kind};
  sysread $client, my $nothing, 1; # until the client gives up
}

sub refuse {
  my ($client, $status, $type, $seconds, $body) = @_;
  print $client join "\r\n", "HTTP/1.1 $status", "Content-Type: $type",
    defined $seconds ? "Retry-After: $seconds" : (), 'Location: http://127.0.0.2:9/stolen',
    'Content-Length: ' . length $body, 'Connection: close', '', $body;
}

sub forward {
  my ($self, $client, $request) = @_;
  my $service = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $self->{to})
    or return;
  $request =~ s/^Connection: [^\r]*\r\n//mi;
  $request =~ s/\r\n/\r\nConnection: close\r\n/;
  print $service $request;
  $service->flush;
  while (sysread $service, my $bytes, 65536) { syswrite $client, $bytes if $client }
}

# The head and the body, which has a length or does not exist.
sub read_message {
  my ($socket) = @_;
  my $text = '';
  until (index($text, "\r\n\r\n") >= 0) {
    sysread $socket, $text, 65536, length $text or return;
  }
  my $end = 4 + index $text, "\r\n\r\n";
  my ($length) = $text =~ /^Content-Length: *([0-9]+)\r$/mi;
  while (length $text < $end + ($length // 0)) {
    sysread $socket, $text, 65536, length $text or return;
  }
  return $text;
}

1;
