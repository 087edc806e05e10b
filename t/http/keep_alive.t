# A connection that is kept open serves the next request, however long it was
# idle: the time that mod_reqtimeout gives a body is over once the request is.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use IO::Socket::INET;
use Time::HiRes qw(sleep time);
use Verify::Test;

my $service = Verify::Instance->start(conf => <<'CONF');
KeepAliveTimeout 60
RequestReadTimeout handshake=10 header=10 body=1
CONF
my $organization = $service->organization(sandbox => 1, workflow => 1);
my ($port) = $service->base_url =~ /:(\d+)/;

my $body = qq({"workflow_id":"$organization->{workflow_id}","type":"age",)
  . qq("jurisdiction":"US-MD"});
my $head = "Host: a\r\nAuthorization: Bearer $organization->{secret_key}\r\n";
my $get = "GET /v1/verification_sessions HTTP/1.1\r\n$head\r\n";
my $create = "POST /v1/verification_sessions HTTP/1.1\r\n${head}"
  . "Content-Type: application/json\r\nContent-Length: " . length($body)
  . "\r\n\r\n";

# The status of the one answer that comes, which is read whole.
sub answer {
  my ($socket) = @_;
  my $received = '';
  my $deadline = time + 20;
  while (time < $deadline) {
    my $piece;
    last unless sysread $socket, $piece, 65536;
    $received .= $piece;
    next unless $received =~ /\A(.*?\r\n\r\n)(.*)\z/s;
    my ($lines, $content) = ($1, $2);
    my ($length) = $lines =~ /^Content-Length: (\d+)/mi;
    my ($status) = $lines =~ /\AHTTP\/1\.1 (\d+)/;
    return $status if length $content >= ($length // 0);
  }
  return 'none';
}

# Nothing of what was sent waits for httpd any more.
sub is_taken {
  my ($socket) = @_;
  my $ends = sprintf '0100007F:%04X 0100007F:%04X', $port, $socket->sockport;
  return Verify::Instance::read_text('/proc/net/tcp')
    =~ /: \Q$ends\E [0-9A-F]{2} [0-9A-F]{8}:00000000 /;
}

my %first = (
  'a request without a body' => [[$get], 200],
  'a body that came with its head' => [[$create . $body], 201],
  'a body that came behind its head' => [[$create, $body], 201],
);
my %sockets;
for my $name (sort keys %first) {
  my ($pieces, $status) = @{$first{$name}};
  $sockets{$name} = IO::Socket::INET->new(PeerAddr => "127.0.0.1:$port")
    or die "no connection: $!\n";
  for (@$pieces) {
    print {$sockets{$name}} $_;
    my $socket = $sockets{$name};
    ok wait_for { is_taken($socket) }, 'httpd has a piece' if @$pieces > 1;
  }
  is answer($sockets{$name}), $status, "$name is answered";
}
# More than the second that a body has.
sleep 1.5;
for my $name (sort keys %first) {
  print {$sockets{$name}} $create . $body;
  is answer($sockets{$name}), 201, "after $name: so is the next request";
}
$service->stop;
done_testing;
