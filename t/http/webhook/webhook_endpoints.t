# Webhook endpoints: creating, retrieving, listing.
use v5.32;
use warnings;
use Verify::Test;

my $service = Verify::Instance->start;
my $organization = $service->organization(workflow => 1);
my $client = $organization->{client};
my $path = '/v1/webhook_endpoints';
my %least = (url => 'https://receiver.example/hook', enabled_events => ['*']);

my $created = answer_is($client->post($path, {%least}), 201, 'the least');
subtest 'fields' => sub {
  is_deeply [sort keys %$created], [sort qw(id object application_id name url
    enabled_events status description metadata secret created updated
    consecutive_failures failing_since next_attempt_at)],
    'all of them';
  like $created->{id}, qr/\Awe_/, 'id';
  is $created->{object}, 'webhook_endpoint', 'object';
  is $created->{status}, 'enabled', 'enabled';
  is_deeply $created->{enabled_events}, ['*'], 'events';
  is_deeply $created->{metadata}, {}, 'metadata';
  like $created->{secret}, qr{\Awhsec_[A-Za-z0-9+/]{43}=\z}, 'secret';
  is $created->{application_id}, undef, 'organization-wide';
  is $created->{consecutive_failures}, 0, 'it has not failed';
  is $created->{$_}, undef, "no $_" for qw(failing_since next_attempt_at);
};

subtest 'the secret is shown once and kept sealed' => sub {
  my $found = answer_is($client->get("$path/$created->{id}"), 200);
  ok !exists $found->{secret}, 'not retrieved';
  delete $created->{secret};
  is_deeply $found, $created, 'all else is';
  ok !exists $_->{secret}, 'not listed'
    for @{answer_is($client->get($path), 200)->{data}};
};

my $full = answer_is($client->post($path, {%least, name => "\x{e9}" x 100,
  description => 'for orders', metadata => {team => 'checkout'},
  enabled_events => [qw(verification_session.verified
    verification_session.failed)]}), 201, 'everything');
is $full->{name}, "\x{e9}" x 100, 'a name of 100 characters';
is_deeply $full->{metadata}, {team => 'checkout'}, 'metadata';

my @faults = (
  [{url => 'http://receiver.example/'}, 'url'],
  [{url => 'https://user:word@receiver.example/'}, 'url'],
  [{url => 'https://receiver.example/#part'}, 'url'],
  [{url => 'https://'}, 'url'],
  [{url => 7}, 'url'],
  [{enabled_events => []}, 'enabled_events'],
  [{enabled_events => '*'}, 'enabled_events'],
  [{enabled_events => ['*', 'verification_session.failed']}, 'enabled_events[0]'],
  [{enabled_events => ['verification_session.failed', 'magic']},
    'enabled_events[1]'],
  [{name => 'n' x 101}, 'name'],
  [{metadata => {a => {}}}, 'metadata.a'],
  [{status => 'disabled'}, 'status'],
  [{secret => 'whsec_mine'}, 'secret'],
);
for my $fault (@faults) {
  my ($parameters, $param) = @$fault;
  error_is($client->post($path, {%least, %$parameters}), 400,
    'parameter_invalid', $param);
}
error_is($client->post($path, {enabled_events => ['*']}), 400,
  'parameter_invalid', 'url', 'url is required');
is $service->sql_value('SELECT count(*) FROM webhook_endpoint'), 2,
  'refusals created nothing';

# The instance allows 127.0.0.0/8 as `make run` does, and nothing else.
subtest 'addresses that no delivery may go to' => sub {
  for my $host (qw(10.0.0.1 172.16.3.4 192.168.1.1 169.254.169.254 0.0.0.0
    100.64.0.1 [::1] [fe80::1] [fd00::1] [::ffff:127.0.0.1] [64:ff9b::a00:1])) {
    for my $url ("https://$host/", "https://$host:8443/hook?a=b") {
      my $answer = $client->post($path, {%least, url => $url});
      error_is($answer, 400, 'parameter_invalid', 'url', "$url is not created");
      unlike $answer->body, qr/\Q$host/, 'and not repeated';
      error_is($client->post("$path/$created->{id}", {url => $url}), 400,
        'parameter_invalid', 'url', 'nor updated');
    }
  }
  is answer_is($client->get("$path/$created->{id}"), 200)->{url}, $least{url},
    'the endpoint has its old URL';
  for my $url (qw(https://127.0.0.1:8443/ https://localhost/ https://8.8.8.8/
    https://[2606:4700::1111]/)) {
    my $allowed = answer_is($client->post($path, {%least, url => $url}), 201, $url);
    answer_is($client->delete("$path/$allowed->{id}"), 200);
  }
};

subtest 'hosts in other alphabets' => sub {
  my $endpoint = answer_is($client->post($path,
    {%least, url => "https://b\x{fc}cher.example:8443/hook"}), 201, 'a host with an umlaut');
  is $endpoint->{url}, 'https://xn--bcher-kva.example:8443/hook',
    'is kept in its ASCII form';
  is answer_is($client->post("$path/$endpoint->{id}",
    {url => "https://stra\x{df}e.example/"}), 200)->{url},
    'https://xn--strae-oqa.example/', 'after an update, too';
  my $answer = $client->post($path, {%least, url => 'https://a_b.example/'});
  like $answer->error->{message}, qr/letters, digits, hyphens and dots/,
    'a refusal says what is wrong with the host';
  answer_is($client->delete("$path/$endpoint->{id}"), 200);
};

subtest 'what a refusal says' => sub {
  my %url = (url => $least{url});
  for ([{%url}, 'enabled_events', 'is required. Pass a list of event types or `["*"]`.'],
    [{%url, enabled_events => 'x'}, 'enabled_events',
      'must be a list of event types or `["*"]`.'],
    [{%least, color => 'red'}, 'color', 'is unknown. Check its name, or omit it.']) {
    my ($body, $param, $message) = @$_;
    my $answer = $client->post($path, $body);
    error_is $answer, 400, 'parameter_invalid', $param;
    is $answer->error->{message}, "`$param` $message",
      "the parameter, what is wrong and what to do: $message";
  }
};

subtest 'other organizations' => sub {
  my $other = $service->organization;
  error_is($other->{client}->get("$path/$created->{id}"), 404,
    'resource_missing');
  is_deeply answer_is($other->{client}->get($path), 200)->{data}, [],
    'see nothing';
};

subtest 'applications' => sub {
  my $application = $service->verifyctl(qw(app create --org),
    $organization->{id}, qw(--name Shop))->{id};
  my $scoped = $service->client(
    $service->key($organization->{id}, 'secret', '--app', $application));
  my $own = answer_is($scoped->post($path, {%least}), 201);
  is $own->{application_id}, $application, 'owned by the application';
  error_is($scoped->get("$path/$created->{id}"), 404, 'resource_missing');
  is scalar @{answer_is($scoped->get($path), 200)->{data}}, 1, 'sees its own';
  is scalar @{answer_is($client->get($path), 200)->{data}}, 3,
    'the organization sees all';
};

subtest 'pages' => sub {
  my $first = answer_is($client->get("$path?limit=2"), 200);
  ok $first->{has_more}, 'more than two';
  my $rest = answer_is($client->get(
      "$path?limit=2&starting_after=$first->{data}[1]{id}"), 200);
  is $rest->{data}[0]{id}, $created->{id}, 'the oldest last';
  ok !$rest->{has_more}, 'and no more';
  error_is($client->get("$path?starting_after=vks_1"), 400,
    'parameter_invalid', 'starting_after');
};

subtest 'fifty of them' => sub {
  $client->post($path, {%least}) for 1 .. 45;
  is $service->sql_value('SELECT count(*) FROM webhook_endpoint'), 48, 'nearly';
  my @pids = map {
    my $pid = fork // die "fork: $!";
    if (!$pid) {
      my $answer = $service->client($organization->{secret_key})
        ->post($path, {%least});
      require POSIX;
      POSIX::_exit($answer->status == 201 ? 0 : 1);
    }
    $pid;
  } 1 .. 6;
  my $created = grep { waitpid $_, 0; $? == 0 } @pids;
  is $created, 2, 'of six at once two fit';
  is $service->sql_value('SELECT count(*) FROM webhook_endpoint'), 50,
    'no more than fifty';
  error_is($client->post($path, {%least}), 400, 'parameter_invalid', undef,
    'and no more later');
};

finish($service);
