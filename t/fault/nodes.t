# Two nodes with one database and one Redis are one service: they count the
# requests of a key together, a revoked key ends on both, and of their two
# watchdogs each delivery and each timer has one.
use v5.32;
use warnings;
use JSON::PP ();
use POSIX ();
use Verify::Description;
use Verify::Redis;
use Verify::Test;

plan skip_all => 'there is no Redis here' unless Verify::Redis::program();

my $limit = 60;
my $path = '/v1/verification_sessions';
my $first = Verify::Instance->start(start => 0);
my $directory = $first->{directory};
$first->script('certificate', qw(issue redis), 'DNS:localhost,IP:127.0.0.1');
my $redis = Verify::Redis->new(directory => "$directory/redis",
  password => 'open-sesame', certificate => "$directory/tls/redis.pem",
  key => "$directory/tls/redis.key")->start;
my $second = Verify::Instance->start(start => 0, beside => $first);
for ([$first, 'password', 'open-sesame'], [$second, 'password', "open-sesame\n"]) {
  my ($node, $name, $text) = @$_;
  open my $file, '>', "$node->{directory}/$name" or die "$name: $!\n";
  chmod 0600, $file;
  print $file $text;
  close $file;
}

# One speaks over the socket, the other with TLS.
sub configure {
  my ($node, $url, @more) = @_;
  $node->{conf} = join "\n", "VerifyRateLimit secret $limit",
    "VerifyWebhookCAFile $directory/tls/ca.pem", "VerifyRateStore $url",
    "VerifyRateStorePasswordFile $node->{directory}/password", @more, '';
  $node->start_httpd;
}
configure($first, 'unix:' . $redis->path);
configure($second, "rediss://127.0.0.1:$redis->{port}/0",
  "VerifyRateStoreCAFile $directory/tls/ca.pem");
my @nodes = ($first, $second);

# The clients of one new key on both nodes.
sub new_key {
  my ($organization) = @_;
  my $key = $first->verifyctl(qw(key create --org), $organization->{id},
    '--type', 'secret');
  return ($key->{id}, map { $_->client($key->{key}) } @nodes);
}

# Asks over and over from several processes at once, within one minute; returns
# how many were let through.
sub let_through {
  my ($organization, $clients_of) = @_;
  while (1) {
    my (undef, @clients) = $clients_of->();
    my $begin = $clients[0]->get("$path?limit=1")->header('X-RateLimit-Reset');
    my @pipes;
    for my $worker (0 .. 3) {
      my $pid = open(my $pipe, '-|') // die "cannot fork: $!\n";
      if (!$pid) {
        my $client = $clients[$worker % 2]->with;
        my $count = grep { $client->get("$path?limit=1")->status == 200 } 1 .. $limit / 2;
        syswrite STDOUT, $count;
        POSIX::_exit(0);
      }
      push @pipes, $pipe;
    }
    my $sum = 1; # the one above
    $sum += readline $_ for @pipes;
    close $_ for @pipes;
    my $end = $clients[1]->get("$path?limit=1")->header('X-RateLimit-Reset');
    return $sum if $begin == $end;
  }
}

my $organization = $first->organization(sandbox => 1, workflow => 1);

subtest 'limits hold over both nodes' => sub {
  is let_through($organization, sub { new_key($organization) }), $limit,
    'four processes at two nodes get through exactly as often as one may';
  my (undef, @clients) = new_key($organization);
  my @left = map { $clients[$_ % 2]->get("$path?limit=1")
    ->header('X-RateLimit-Remaining') } 1 .. 4;
  ok((!grep { $left[$_] != $left[$_ - 1] - 1 } 1 .. 3)
    || grep({ $_ == $limit - 1 } @left), 'each node counts on from the other')
    or diag "@left";
};

subtest 'Redis goes away and comes back' => sub {
  my @logs = map { $_->{log} } @nodes;
  $_->expect_log(qr/IDV0060/) for @nodes;
  my (undef, @clients) = new_key($organization);
  $redis->stop;
  is_deeply [map { $_->get("$path?limit=1")->status } @clients, @clients],
    [(200) x 4], 'requests are answered without it';
  is let_through($organization, sub { new_key($organization) }), 2 * $limit,
    'limits hold for each node meanwhile';
  ok !$_->matching(qr/open-sesame/), 'no log has the password' for @logs;
  my %lines;
  $lines{$_}++ for map { /\[pid ([0-9]+)/ } map { $_->matching(qr/IDV0060/) } @logs;
  is_deeply [grep { $_ != 1 } values %lines], [], 'each child says so once';
  $redis->start;
  my $again = wait_for {
    my (undef, $one, $other) = new_key($organization);
    my ($before) = $one->get("$path?limit=1")->header('X-RateLimit-Remaining');
    $other->get("$path?limit=1")->header('X-RateLimit-Remaining') == $before - 1;
  };
  ok $again, 'they count together again, with a server that knows no script';
};

subtest 'a revoked key' => sub {
  my ($id, @clients) = new_key($organization);
  is_deeply [map { $_->get("$path?limit=1")->status } @clients], [200, 200], 'is good';
  $first->verifyctl(qw(key revoke), $id);
  error_is $_->get("$path?limit=1"), 401, 'api_key_invalid' for @clients;
};

my $receiver = $first->receiver;
my (undef, @clients) = new_key($organization);
subtest 'each delivery once' => sub {
  answer_is $clients[0]->post('/v1/webhook_endpoints',
    {url => $receiver->url, enabled_events => ['*']}), 201, 'an endpoint';
  for my $number (1 .. 20) {
    my $answer = $clients[$number % 2]->post($path, {type => 'age',
      workflow_id => $organization->{workflow_id}, jurisdiction => 'US-CA',
      skip_verification => JSON::PP::true});
    is $answer->status, 201, 'a session at node ' . (1 + $number % 2);
  }
  my $settled = wait_for {
    !$first->sql_value("SELECT count(*) FROM webhook_delivery WHERE status <> 'delivered'")
  } 60;
  ok $settled, 'all are delivered';
  my $events = $first->sql_value('SELECT count(*) FROM event');
  my %times;
  $times{$_->{headers}{'service-webhook-id'}}++ for $receiver->requests;
  is keys %times, $events, 'every event has come';
  is_deeply [grep { $_ != 1 } values %times], [], 'and none of them twice';
  is_deeply [map { Verify::Description->load->event_faults($_->{body}) }
    $receiver->requests], [], 'each as openapi.json describes it';
};

subtest 'each timer once' => sub {
  my (undef, @clients) = new_key($organization);
  my @sessions = map {
    answer_is($clients[$_ % 2]->post($path, {type => 'age', jurisdiction => 'US-CA',
      workflow_id => $organization->{workflow_id}}), 201)->{id}
  } 1 .. 12;
  $first->sql("UPDATE verification_session SET expires_at = 1000 WHERE status = 'created'");
  my $expired = wait_for {
    !$first->sql_value("SELECT count(*) FROM verification_session WHERE status = 'created'")
  } 60;
  ok $expired, 'both watchdogs look for sessions that have expired';
  is $first->sql_value(
    "SELECT count(*) FROM event WHERE type = 'verification_session.expired'"),
    scalar @sessions, 'and each is announced once';
};
subtest 'a Redis that nobody vouches for' => sub {
  configure($second, "rediss://127.0.0.1:$redis->{port}");
  my (undef, undef, $client) = new_key($organization);
  is $client->get("$path?limit=1")->status, 200, 'the node counts alone';
  ok $second->{log}->matching(qr/IDV0060.*certificate is not trusted/),
    'rather than tell the password to a stranger';
};
finish($second, $first);
