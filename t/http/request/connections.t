# Many connections of one address that do nothing: everybody else is served, and
# whoever has a share of a child's connections keeps it.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use Time::HiRes qw(sleep time);
use Verify::Httpd qw(no_waiting);
use Verify::KeptConnection;
use Verify::SlowClients;
use Verify::Test;

plan skip_all => no_waiting() if no_waiting();

# A child with room for 24 connections, of which a quarter is six.
my $small = <<'CONF';
StartServers 1
ThreadsPerChild 8
MaxRequestWorkers 8
AsyncRequestWorkerFactor 2
KeepAliveTimeout 60
Protocols h2c http/1.1
CONF
my $service = Verify::Instance->start(conf => $small);
$service->expect_log(qr/IDV0970: AsyncRequestWorkerFactor is 2: .* 24 connections.*Factor 4$/);
$service->allow_log(qr/AH00484: server reached MaxRequestWorkers/);
my $get = "GET /v1/health/live HTTP/1.1\r\nHost: a\r\n";

# The slowest of ten other clients, each on a connection of its own.
sub slowest_probe {
  my $slowest = 0;
  for (1 .. 10) {
    my $begun = time;
    my $connection = Verify::KeptConnection->new(port => $service->{http_port},
      local_address => '127.9.9.9', timeout => 8);
    return 'no answer' if $connection->request("$get\r\n") ne '200';
    $connection->close;
    $slowest = time - $begun if time - $begun > $slowest;
  }
  return $slowest;
}
sub others_are_served {
  my ($name) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  my $slowest = slowest_probe();
  ok $slowest ne 'no answer' && $slowest < 2, "$name: others are served" or diag $slowest;
}
sub open_ones {
  my ($clients) = @_;
  $clients->read_answers;
  return scalar grep { $_->{open} } $clients->clients;
}
sub restart {
  $service->{conf} = $small . $_[0];
  $service->start_httpd;
}
sub clients {
  my ($count, $head, $from) = @_;
  return map {
    Verify::KeptConnection->new(port => $service->{http_port}, local_address => $from)
  } 1 .. $count if !defined $head;
  return Verify::SlowClients->new(port => $service->{http_port}, count => $count, head => $head);
}

my $ping = pack 'CnCCNa8', 0, 8, 6, 0, 0, 'pingping';
my $begin = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" . pack 'CnCCN', 0, 0, 4, 0, 0;
for (['kept connections of HTTP/1', "$get\r\n", ''], ['HTTP/2 that only pings', $begin, $ping],
  ['half a header', 'GET /v1/hea', '']) {
  my ($name, $head, $piece) = @$_;
  subtest $name => sub {
    my $many = clients(60, $head);
    for my $round (1 .. 3) {
      my $until = time + 1.2;
      $many->pulse_until($piece, sub { time > $until });
      others_are_served("round $round");
    }
    ok wait_for { $many->pulse($piece); open_ones($many) <= 12 },
      'they have half of the room at most' or diag open_ones($many);
    cmp_ok open_ones($many), '>=', 4, 'and some of it';
    $many->close;
  };
}

# Kept connections of one address, which were used one after another: with pauses, as
# a thread stays some milliseconds with each before it counts as idle.
sub kept {
  my ($count, $request) = @_;
  my @kept = clients($count, undef, '127.0.0.1');
  for my $client (@kept) {
    is $client->request($request), 200, 'answered';
    sleep 0.03;
  }
  return @kept;
}
sub is_open { !IO::Select->new($_[0]{socket})->can_read(0) }

subtest 'the one idle longest goes first' => sub {
  restart('');
  my @kept = kept(14, "$get\r\n");
  my ($used, $idle) = ([@kept[0 .. 2]], [@kept[3 .. 13]]);
  my $until = time + 2.5;
  while (time < $until) {
    is $_->request("$get\r\n"), 200, 'used' for @$used;
    sleep 0.2;
  }
  is scalar(grep { is_open($_) } @$used), 3, 'those in use stay';
  is scalar(grep { is_open($_) } @$idle), 9, 'of the others only as many go as have to';
  ok !is_open($idle->[0]) && !is_open($idle->[1]), 'the first ones';
  $_->close for @kept;
};

subtest 'a client that was told to keep a connection has a second to use it' => sub {
  restart('');
  my @kept = kept(14, "$get\r\n");
  my $slow = clients(8, 'GET /v1/hea');
  my @early;
  ok wait_for {
    push @early, grep { !is_open($_) && time - $_->{used} < 1 } @kept;
    open_ones($slow) <= 4;
  }, 'connections without a request make room sooner';
  is scalar @early, 0, 'than those';
  $_->close for @kept, $slow;
};

subtest 'a client with more than its share is told to end its connections' => sub {
  restart('');
  my ($ends, @kept) = 0;
  until ($ends || @kept == 100) {
    push @kept, clients(1, undef, '127.0.0.1');
    is $kept[-1]->request("$get\r\n"), 200, 'answered';
    $ends = $kept[-1]{head} =~ /^Connection:.*\bclose\b/mi;
  }
  ok $ends, 'when there is little room';
  cmp_ok scalar @kept, '>', 18, 'and not before';
  $_->close for @kept;
};

subtest 'a proxy that mod_remoteip trusts has no share' => sub {
  restart(<<'CONF');
LoadModule remoteip_module ${VERIFY_MODULES}/mod_remoteip.so
RemoteIPHeader X-Forwarded-For
RemoteIPTrustedProxy 127.0.0.1
CONF
  my @kept = kept(14, "${get}X-Forwarded-For: 192.0.2.1\r\n\r\n");
  sleep 2;
  is scalar(grep { is_open($_) } @kept), 14, 'it keeps its connections';
  $_->close for @kept;
};

subtest 'VerifyConnectionsPerAddress' => sub {
  restart("VerifyConnectionsPerAddress 0\n");
  my @kept = kept(14, "$get\r\n");
  sleep 2;
  is scalar(grep { is_open($_) } @kept), 14, '0: there are no shares';
  others_are_served('as long as there is room');
  $_->close for @kept;
};

subtest 'connections of many addresses' => sub {
  restart('');
  my @kept = map { Verify::KeptConnection->new(port => $service->{http_port},
    local_address => "127.1.1.$_") } 1 .. 22;
  is $_->request("$get\r\n"), 200, 'answered' for @kept;
  ok wait_for { 22 > grep { is_open($_) } @kept }, 'one goes before there is no room';
  others_are_served('so');
  $_->close for @kept;
};

finish($service);
