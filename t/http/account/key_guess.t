# A child takes a key for what it was at the last request and confirms that
# with the next statement. Whatever that statement is, what has changed since
# holds, on every child.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use Verify::Test;

my $service = Verify::Instance->start(conf => "VerifyRateLimit secret 200\n");
my $list = '/v1/verification_sessions';
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $id = $organization->{id};

# So many connections that each child has seen the key.
sub warm {
  my ($token) = @_;
  my @clients = map { $service->client($token) } 1 .. 24;
  my %statuses = map { $_->get($list)->status => 1 } @clients, @clients;
  is_deeply [keys %statuses], [200], 'the key is known to all children';
  return @clients;
}
sub new_key {
  return $service->verifyctl(qw(key create --org), $id, qw(--type secret));
}

my %requests = (
  'a read' => sub { $_[0]->get($list) },
  'a read that finds nothing' => sub { $_[0]->get("$list/vks_" . '0' x 26) },
  'what fails before any statement' => sub { $_[0]->get("$list?limit=0") },
  'what is too long to be read' => sub {
    $_[0]->post($list, {metadata => {a => 'x' x 200_000}})
  },
  'a creation' => sub {
    $_[0]->post($list, {workflow_id => $organization->{workflow_id},
      type => 'age', jurisdiction => 'US-MD'})
  },
  'a write at once' => sub {
    $_[0]->post('/v1/webhook_endpoints',
      {url => 'https://127.0.0.1:9/x', enabled_events => ['*']})
  },
  'a change' => sub { $_[0]->post("$list/vks_" . '0' x 26 . '/cancel') },
);
for my $name (sort keys %requests) {
  subtest "revoked before $name" => sub {
    my $key = new_key();
    my @clients = warm($key->{key});
    my $before = $service->sql_value('SELECT count(*) FROM webhook_endpoint');
    $service->verifyctl(qw(key revoke), $key->{id});
    my @answers = map { $requests{$name}->($_) } @clients;
    error_is $_, 401, 'api_key_invalid' for @answers;
    is scalar(grep { defined $_->header('X-RateLimit-Limit') } @answers), 0,
      'no window of a key that is none';
    is $service->sql_value('SELECT count(*) FROM webhook_endpoint'), $before,
      'nothing was written';
  };
}

sub limit {
  $service->verifyctl(qw(org limits), $id, @_);
}
sub endpoints { $service->sql_value('SELECT count(*) FROM webhook_endpoint') }
for my $name (sort keys %requests) {
  subtest "another limit before $name" => sub {
    my (@clients, @answers, $before);
    for (1 .. 5) { # until all is within one window
      my $token = new_key()->{key};
      my $first = $service->client($token)->get($list);
      @clients = warm($token);
      limit(qw(--secret 40));
      $before = endpoints();
      @answers = map { $requests{$name}->($_) } @clients;
      my %windows = map { $_->header('X-RateLimit-Reset') => 1 } $first, @answers;
      last if keys %windows == 1;
      limit(qw(--secret server));
    }
    for my $answer (@answers) {
      error_is $answer, 429, 'rate_limit_exceeded';
      is_deeply [map { $answer->header("X-RateLimit-$_") } qw(Limit Remaining)], [40, 0],
        '... by the limit of now';
    }
    is endpoints(), $before, 'nothing was written';
    limit(qw(--secret 100000 --publishable 1));
    for my $answer (map { $requests{$name}->($_) } @clients) {
      isnt $answer->status, 429, 'nobody is refused by the limit of before';
      is $answer->header('X-RateLimit-Limit'), 100_000, '... of which nothing is told';
      cmp_ok $answer->header('X-RateLimit-Remaining'), '>', 99_000, '... nor of its rest';
    }
    limit(qw(--secret server --publishable server));
    is $requests{$name}->($_)->header('X-RateLimit-Limit'), 200, 'the server\'s again'
      for @clients;
  };
}

subtest 'the limit of a publishable key' => sub {
  my $other = $service->organization(sandbox => 1, workflow => 1);
  my @browsers = map { $service->client($service->key($_, 'publishable')) } $id, $other->{id};
  my $told = sub { $_[0]->get('/v1/compliance/check?use_cases=firearms&jurisdiction=US')
    ->header('X-RateLimit-Limit') };
  is $told->($browsers[0]), 100, 'the server\'s';
  limit(qw(--secret 5 --publishable 77));
  is_deeply [map { $told->($_) } @browsers], [77, 100], 'its organization\'s, of no other';
  is $other->{client}->get($list)->header('X-RateLimit-Limit'), 200, 'whatever the key';
  limit(qw(--secret server --publishable server));
  is $told->($browsers[0]), 100, 'the server\'s again';
};

subtest 'beyond its limit' => sub {
  my $key = new_key();
  my ($client) = warm($key->{key});
  1 while $client->get($list)->status == 200;
  error_is $client->get($list), 429, 'rate_limit_exceeded';
  $service->verifyctl(qw(key revoke), $key->{id});
  error_is $client->get($list), 401, 'api_key_invalid';
};

subtest 'what its organization may do' => sub {
  my $publishable = $service->key($id, 'publishable');
  my $client = $service->client($publishable);
  my $create = $requests{'a creation'};
  $requests{'a write at once'}->($organization->{client});
  my $outcome = sub { my $answer = $create->($client);
    $answer->error->{code} // $answer->status };
  isnt $outcome->(), 'publishable_session_create_blocked', 'a publishable key may create';
  $service->verifyctl(qw(org update), $id,
    qw(--publishable-session-create blocked));
  is $outcome->(), 'publishable_session_create_blocked', 'until it is forbidden';
  $service->verifyctl(qw(org update), $id,
    qw(--publishable-session-create allowed));
  isnt $outcome->(), 'publishable_session_create_blocked', 'and allowed again';
};

finish $service;
