# API keys: what authenticates, what does not, and what the limits count.
use v5.32;
use warnings;
use JSON::PP ();
use FindBin;
use lib "$FindBin::Bin/../../lib";
use Verify::Test;
use Digest::SHA qw(sha256_hex);

my $service = Verify::Instance->start(conf => <<'CONF');
VerifyRateLimit secret 20
VerifyRateLimit publishable 5
VerifyRateLimitKeys 1024
LoadModule remoteip_module ${VERIFY_MODULES}/mod_remoteip.so
RemoteIPHeader X-Forwarded-For
RemoteIPInternalProxy 127.0.0.0/8
<Location "/v1/webhook_endpoints">
    AuthType VerifyKey
    Require verify-key secret
</Location>
CONF
my $list = '/v1/verification_sessions';
my $organization = $service->organization(sandbox => 1);
my $id = $organization->{id};

sub refused {
  my ($token, $name) = @_;
  my $answer = $service->client($token)->get($list);
  error_is $answer, 401, 'api_key_invalid', undef, $name;
  my @challenge = split /, (?=Bearer)/, $answer->header('WWW-Authenticate') // '';
  is @challenge, 1, 'one challenge';
}

subtest 'what does not authenticate' => sub {
  refused undef, 'no key';
  refused 'svc_sk_', 'an empty key';
  refused 'nonsense', 'something else';
  refused 'svc_sk_' . 'A' x 43, 'an unknown key';
  refused $organization->{secret_key} =~ s/svc_sk/svc_pk/r, 'another prefix';
  my $basic = $service->client->get($list, Authorization =>
    "Basic $organization->{secret_key}");
  error_is $basic, 401, 'api_key_invalid';
  my $expired = $service->expired_key($id, 'secret');
  refused $expired, 'an expired key';
};

subtest 'revocation holds from the next request on' => sub {
  my $key = $service->verifyctl(qw(key create --org), $id, qw(--type secret));
  my $client = $service->client($key->{key});
  is $client->get($list)->status, 200, 'a new key works';
  $service->verifyctl(qw(key revoke), $key->{id});
  error_is $client->get($list), 401, 'api_key_invalid';
};

subtest 'a disabled organization' => sub {
  my $other = $service->organization(sandbox => 1, workflow => 1);
  my $client = $other->{client};
  my $session = answer_is $client->post($list, {type => 'age',
    workflow_id => $other->{workflow_id}, jurisdiction => 'US-CA'}), 201, 'a session';
  my $person = $service->client($session->{client_secret});
  my $page = "/v1/widget/sessions/$session->{id}";
  is $person->get($page)->status, 200, 'which its person sees';
  is $client->get("$list/$session->{id}")->status, 200, 'and its server';
  answer_is $person->post("$page/open", {}), 200, 'opened';
  answer_is $person->post("$page/consent", {consent => JSON::PP::true}), 200, 'agreed to';
  my $offer = answer_is $person->post("$page/handoff", {}), 200, 'and shown to a phone';
  my %link = (token => $offer->{url} =~ s/.*#//r);
  ok $service->verifyctl(qw(org disable), $other->{id})->{disabled_at}, 'disabled';
  error_is $client->get("$list/$session->{id}"), 401, 'api_key_invalid', undef,
    'its keys are refused from the next request on';
  error_is $client->get($list), 401, 'api_key_invalid', undef, 'in lists, too';
  error_is $client->post($list, {type => 'age', workflow_id => $other->{workflow_id},
    jurisdiction => 'US-CA'}), 401, 'api_key_invalid', undef, 'and creations';
  error_is $person->get($page), 401, 'client_secret_invalid', undef, 'its persons';
  for my $take ({%link}, {%link, pairing => $offer->{pairing}}) {
    error_is $service->client->post('/v1/widget/handoffs', $take), 400,
      'handoff_invalid', undef, 'their phones';
  }
  error_is $service->client($service->key($other->{id}, 'secret'))->get($list), 401,
    'api_key_invalid', undef, 'and keys that are made later';
  is $service->client($organization->{secret_key})->get($list)->status, 200,
    'others notice nothing';
  my $since = $service->verifyctl(qw(org show), $other->{id})->{disabled_at};
  is $service->verifyctl(qw(org disable), $other->{id})->{disabled_at}, $since,
    'disabling twice is disabling once';
  is $service->verifyctl(qw(org enable), $other->{id})->{disabled_at}, undef, 'enabled';
  is $client->get("$list/$session->{id}")->status, 200, 'all is there again';
  is $person->get($page)->status, 200, 'for its persons, too';
  answer_is $service->client->post('/v1/widget/handoffs', {%link}), 200,
    'and for their phones';
};

subtest 'legacy prefixes' => sub {
  for my $segment (qw(test live)) {
    my $text = "svc_sk_${segment}_" . 'b' x 43;
    $service->sql(q{INSERT INTO api_key (organization_id, id, type, digest,
      last_characters, created_at) VALUES (?, ?, 'secret', decode(?, 'hex'),
      'bbbb', 1)}, $id, "key_legacy$segment", sha256_hex($text));
    is $service->client($text)->get($list)->status, 200, $segment;
  }
};

$service->expect_log(qr/AH01631: user key_\w+: authorization failure/);
subtest 'legacy prefixes of publishable keys' => sub {
  for my $segment (qw(test live)) {
    my $text = "svc_pk_${segment}_" . 'c' x 43;
    $service->sql(q{INSERT INTO api_key (organization_id, id, type, digest,
      last_characters, created_at) VALUES (?, ?, 'publishable', decode(?, 'hex'),
      'cccc', 1)}, $id, "key_legacypk$segment", sha256_hex($text));
    my $client = $service->client($text);
    is $client->get('/v1/compliance/check?use_cases=firearms&jurisdiction=US')->status,
      200, $segment;
    error_is $client->get($list), 403, 'publishable_key_scope';
    my $answer = $client->post($list, {});
    error_is $answer, 400, 'parameter_invalid', 'type';
    is $answer->header('Service-Deprecation'), 'publishable-key-session-create',
      'deprecated as any';
  }
};

subtest 'publishable keys' => sub {
  my $client = $service->client($service->key($id, 'publishable'));
  error_is $client->get($list), 403, 'publishable_key_scope';
  error_is $client->get('/v1/webhook_endpoints'), 403, 'publishable_key_scope',
    undef, 'refused by Require as well';
  my $answer = $client->post($list, {});
  is $answer->header('Service-Deprecation'), 'publishable-key-session-create',
    'creation is deprecated, refusals included';
};

sub quota {
  my ($answer) = @_;
  return map { $answer->header("X-RateLimit-$_") } qw(Limit Remaining Reset);
}

# Two windows may be met when a minute ends in between; then once more.
sub spent {
  my ($key, $requests) = @_;
  my (@answers, %resets);
  for my $attempt (1, 2) {
    my @children;
    for (1 .. 4) {
      pipe my $read, my $write;
      my $pid = fork // die;
      if (!$pid) {
        my $client = $service->client($key);
        for (1 .. $requests / 4) {
          my $answer = $client->get($list);
          syswrite $write, join(' ', $answer->status, quota($answer),
            $answer->header('Retry-After') // '-') . "\n";
        }
        close $write;
        require POSIX;
        POSIX::_exit(0);
      }
      close $write;
      push @children, [$pid, $read];
    }
    @answers = map { my $read = $_->[1]; map { chomp; [split] } <$read> } @children;
    waitpid $_->[0], 0 for @children;
    %resets = map { $_->[3] => 1 } @answers;
    last if keys %resets == 1;
    $key = $service->key($id, 'secret');
  }
  return @answers;
}

subtest 'limits are exact over all children' => sub {
  my @answers = spent($service->key($id, 'secret'), 40);
  is scalar(grep { $_->[0] == 200 } @answers), 20, 'as many as allowed pass';
  my @limited = grep { $_->[0] == 429 } @answers;
  is @limited, 20, 'all others do not';
  is_deeply [sort { $a <=> $b } map { $_->[2] } grep { $_->[0] == 200 } @answers],
    [0 .. 19], 'each remainder is given once';
  ok !(grep { $_->[4] < 1 || $_->[4] > 60 } @limited), 'Retry-After within the minute';
  ok !(grep { $_->[1] != 20 || $_->[3] % 60 } @answers), 'limit and reset';
};

sub shared_counts {
  return $service->client->get('/metrics')->body
    =~ /^verify_rate_shared_requests_total (\d+)/m ? $1 : -1;
}

subtest 'whoever fills the table of addresses does not affect keys' => sub {
  my @addresses = map { sprintf '198.18.%d.%d', $_ >> 8, $_ & 255 } 1 .. 5000;
  while (my @some = splice @addresses, 0, 50) {
    my @requests = map { "POST /v1/oidc/token HTTP/1.1\r\nHost: localhost\r\n"
      . "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\n"
      . "Authorization: Basic eDp5\r\nX-Forwarded-For: $_\r\n" } @some;
    $service->client->raw(join("\r\n", @requests) . "Connection: close\r\n\r\n");
  }
  my $before = shared_counts();
  cmp_ok $before, '>', 0, 'the table is full';
  for (1 .. 5) {
    my @quota = quota($service->client($service->key($id, 'secret'))->get($list));
    is $quota[1], 19, 'a new key has its limit';
  }
  is shared_counts(), $before, 'no key shares its count';
};

subtest 'a restart does not start a window anew' => sub {
  my $key = $service->key($id, 'secret');
  my $client = $service->client($key);
  my (undef, $before, $window) = quota($client->get($list));
  $service->graceful;
  my (undef, $after, $later) = quota($service->client($key)->get($list));
  ok $after == $before - 1 || $later != $window, 'the count goes on'
    or diag "$before, then $after";
};

subtest 'log and metrics' => sub {
  ok wait_for { open my $log, '<', "$service->{directory}/logs/access.log";
    grep { / key_[0-9a-z]+ / } <$log> }, 'the access log names the key'
    if `grep -c '%u' conf/development.conf` > 0;
  my $metrics = $service->client->get('/metrics')->body;
  like $metrics, qr/^verify_rate_limited_requests_total [1-9]/m, 'limited requests';
  like $metrics, qr/^verify_authentication_failures_total [1-9]/m, 'failures';
  my %typed = map { $_ => 1 } $metrics =~ /^# TYPE (\w+)/mg;
  my @lines = grep { !/^#/ } split /\n/, $metrics;
  ok !(grep { !/\A\w+(?:\{[^}]*\})? -?[0-9.e+]+\z/ } @lines), 'well-formed lines';
  ok !(grep { my ($name) = /\A(\w+)/;
    !$typed{$name} && !$typed{$name =~ s/_(?:bucket|sum|count)\z//r} } @lines),
    'every metric has a type';
  unlike $metrics, qr/svc_|key_|org_/, 'nobody is named';
  like $service->client->get('/server-status?auto')->body,
    qr/^verify_rate_limited_requests_total: [1-9]/m, 'a section of mod_status';
};

finish $service;
