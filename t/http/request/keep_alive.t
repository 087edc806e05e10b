# A connection that is kept open serves the next request, whatever it served
# before and however long it was idle: no time that was given to a request holds
# for the one behind it. No request here is sent twice.
use v5.32;
use warnings;
use FindBin;
use IO::Socket::INET ();
use Time::HiRes qw(time);
use lib "$FindBin::Bin/../../lib";
use Verify::Httpd qw(no_waiting);
use Verify::KeptConnection;
use Verify::Test;

# All times but that of idle connections are shorter than these are idle.
my $conf = <<'CONF';
VerifyRateLimit secret 1000000
VerifyHeadTime 3
VerifySmallBodyTime 3
RequestReadTimeout handshake=3 header=3 body=3
<Directory "${VERIFY_RUN}/httpd/htdocs">
    Require all granted
</Directory>
CONF
my $longer = 3.5;

my $service = Verify::Instance->start(conf => "${conf}KeepAliveTimeout 60\n");
my $organization = $service->organization(sandbox => 1, workflow => 1);
open my $file, '>', "$service->{directory}/httpd/htdocs/file.txt" or die "file.txt: $!\n";
print $file "text\n";
close $file or die "file.txt: $!\n";

my $body = qq({"workflow_id":"$organization->{workflow_id}","type":"age",)
  . qq("jurisdiction":"US-MD"});
my $key = "Host: a\r\nAuthorization: Bearer $organization->{secret_key}\r\n";
my $length = 'Content-Length: ' . length($body) . "\r\n";
my $kept = "Connection: keep-alive\r\n";

sub get { "GET /v1/verification_sessions?limit=1 HTTP/1.1\r\n$key\r\n" }
sub post {
  my ($headers, $version) = @_;
  return 'POST /v1/verification_sessions HTTP/' . ($version // '1.1')
    . "\r\n${key}Content-Type: application/json\r\n$headers\r\n";
}
sub chunk { sprintf "%x\r\n%s\r\n", length $_[0], $_[0] }
my ($begin, $rest) = unpack 'a20 a*', $body;

# What G and P stand for: the pieces in which each is sent.
my %forms = (
  'a body with its head' => {G => [get()], P => [post($length) . $body]},
  'a body behind its head' => {G => [get()], P => [post($length), $body]},
  'a body in segments' => {G => [get()], P => [post($length) . $begin, $rest]},
  'a chunked body' => {G => [get()],
    P => [post("Transfer-Encoding: chunked\r\n") . chunk($body) . "0\r\n\r\n"]},
  'chunks in segments' => {G => [get()],
    P => [post("Transfer-Encoding: chunked\r\n") . chunk($begin), chunk($rest),
      "0\r\n\r\n"]},
  'HTTP/1.0' => {P => [post($length . $kept, '1.0') . $body],
    G => ["GET /v1/verification_sessions?limit=1 HTTP/1.0\r\n$key$kept\r\n"]},
  'files of httpd' => {G => ["GET /file.txt HTTP/1.1\r\nHost: a\r\n\r\n"],
    P => [post($length) . $body]},
  'TLS' => {G => [get()], P => [post($length) . $body]},
  'TLS, a body behind its head' => {G => [get()], P => [post($length), $body]},
  # mod_ssl reads both records from the network at once.
  'TLS, a record for the body' => {G => [get()], P => [[post($length), $body]]},
  'TLS, a record for each chunk' => {G => [get()],
    P => [[post("Transfer-Encoding: chunked\r\n"), chunk($begin), chunk($rest),
      "0\r\n\r\n"]]},
);
my %status = (G => 200, P => 201);

sub connection {
  my ($form) = @_;
  return Verify::KeptConnection->new($form =~ /\ATLS/
    ? (port => $service->{https_port}, ca_file => $service->ca_file)
    : (port => $service->{http_port}));
}

# Every sequence of one to four requests.
my @sequences = ('');
for my $size (1 .. 4) {
  push @sequences, map { ("${_}G", "${_}P") } grep { length == $size - 1 } @sequences;
}
shift @sequences;
is @sequences, 30, 'thirty sequences';

# Sends the requests of a round on each connection, which is opened for the first;
# returns those that were not answered.
sub faults {
  my ($connections, @round) = @_;
  my @faults;
  for my $connection (@$connections) {
    my $form = $connection->{form};
    $connection->{kept} //= connection($form);
    for my $letter (@round ? @round : split //, $connection->{sequence}) {
      my $status = $connection->{kept}->request(@{$forms{$form}{$letter}});
      next if $status eq $status{$letter};
      push @faults, "$form, $connection->{sequence}: $status for $letter";
      last;
    }
  }
  return @faults;
}
# Each has been idle for so long then.
sub idle {
  my ($connections, $seconds) = @_;
  $_->{kept} && $_->{kept}->idle($seconds) for @$connections;
}

# All sequences in the forms that differ for httpd's connection, short ones in all.
subtest 'after every sequence of requests' => sub {
  my %all = map { ($_ => 1) } 'a body with its head', 'a body in segments', 'TLS',
    'TLS, a record for the body', 'TLS, a body behind its head';
  my @connections = map {
    my $form = $_;
    map { {form => $form, sequence => $_} } grep { $all{$form} || 2 >= length } @sequences;
  } sort keys %forms;
  my @faults = faults(\@connections);
  ok !@faults, 'each is answered' or diag join "\n", @faults;
  for my $letter (qw(P P G P)) {
    idle(\@connections, $longer);
    @faults = faults(\@connections, $letter);
    ok !@faults, "so is a $letter, after more time than a request has"
      or diag join "\n", splice @faults, 0, 20;
  }
  $_->{kept}->close for @connections;
};

# Idle for less than each time, and for more than some.
sub is_kept {
  my ($connections, @idle) = @_;
  for my $seconds (0, @idle) {
    idle($connections, $seconds);
    my @faults = faults($connections, qw(P G P));
    ok !@faults, "idle for $seconds seconds" or diag join "\n", @faults;
  }
}
sub one_of_each { map { {form => $_, sequence => ''} } sort keys %forms }

# A client with 24 connections that sends a request on each a moment after the last answer.
# A response that announces the end (Connection: close) is followed by another connection.
subtest 'a graceful restart' => sub {
  plan skip_all => no_waiting() if no_waiting();
  $service->allow_log(qr/AH03490: scoreboard is full/);
  my $head = "GET /file.txt HTTP/1.1\r\nHost: a\r\n\r\n";
  my $open = sub { IO::Socket::INET->new(PeerAddr => "127.0.0.1:$service->{http_port}", Timeout => 10)
    // die "no connection: $!\n" };
  my ($answered, $lost, $closed) = (0, 0, 0);
  my @clients = map { {socket => $open->(), text => '', due => 0} } 1 .. 24;
  my $load = sub {
    my ($end) = @_;
    while (time < $end) {
      for my $client (@clients) {
        next unless $client->{due} && time >= $client->{due} || !$client->{begun};
        @$client{qw(due begun text)} = (0, 1, '');
        syswrite $client->{socket}, $head;
      }
      my $set = '';
      vec($set, fileno $_->{socket}, 1) = 1 for grep { !$_->{due} } @clients;
      select $set, undef, undef, 0.002;
      for my $client (grep { !$_->{due} && vec $set, fileno $_->{socket}, 1 } @clients) {
        my $read = sysread $client->{socket}, $client->{text}, 65536, length $client->{text};
        if (!$read) { $lost++ }
        elsif ($client->{text} !~ /\r\n\r\ntext\n\z/) { next }
        else { $answered++ }
        my $ends = $client->{text} =~ /^Connection: close/mi;
        $closed += $read && $ends;
        $client->{socket} = $open->() if !$read || $ends;
        $client->{due} = time + rand 0.01;
      }
    }
  };
  for (1 .. 6) {
    $load->(time + 0.3);
    $service->note_processes;
    kill USR1 => $service->httpd_pid;
    $load->(time + 1.2);
  }
  is $lost, 0, "loses no request on a kept connection ($answered were answered)";
  cmp_ok $closed, '>', 0, 'clients are told to open another';
};

subtest 'until KeepAliveTimeout' => sub {
  plan skip_all => no_waiting() if no_waiting();
  $service->{conf} = "${conf}KeepAliveTimeout 5\n";
  $service->start_httpd;
  my @connections = one_of_each();
  is_kept(\@connections, 0.5, $longer);
  for (@connections) {
    my ($after, $bytes) = $_->{kept}->end(20);
    ok $after > 4.9 && $after < 12 && $bytes eq '', "$_->{form}: then it ends"
      or diag "after $after seconds with '$bytes'";
  }
};

subtest 'longer than Timeout' => sub {
  $service->{conf} = "${conf}KeepAliveTimeout 60\nTimeout 3\n";
  # It says what only matters where the service keeps connections itself.
  $service->expect_log(qr/IDV0971: KeepAliveTimeout \(60 s\) .*Write: KeepAliveTimeout 3$/)
    unless no_waiting();
  $service->start_httpd;
  is_kept([one_of_each()], $longer);
};

finish($service);
