# Webhook endpoints: changing, deleting, their secrets and their health.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Test;

my $service = Verify::Instance->start;
my $organization = $service->organization(workflow => 1);
my $client = $organization->{client};
my $receiver = $service->receiver;
my $path = '/v1/webhook_endpoints';
my %least = (url => 'https://receiver.example/hook', enabled_events => ['*']);

sub create {
  my (%parameters) = @_;
  return answer_is($client->post($path, {%least, %parameters}), 201, 'created');
}
sub retrieve { return $client->get("$path/$_[0]")->json }

subtest 'update' => sub {
  my $created = create(name => 'Orders', description => 'for orders',
    metadata => {team => 'checkout', tier => 'one'});
  my $own = "$path/$created->{id}";
  delete $created->{secret};
  my $same = answer_is($client->post($own, {}), 200, 'nothing given');
  is_deeply {%$same, updated => 0}, {%$created, updated => 0}, 'changes nothing';

  my $changed = answer_is($client->post($own, {name => "\x{e9}" x 100,
    url => 'https://other.example/hook', status => 'disabled',
    enabled_events => ['verification_session.failed'],
    description => 'elsewhere', metadata => {tier => 'two'}}), 200, 'all');
  is $changed->{name}, "\x{e9}" x 100, 'name';
  is $changed->{url}, 'https://other.example/hook', 'url';
  is $changed->{status}, 'disabled', 'status';
  is_deeply $changed->{enabled_events}, ['verification_session.failed'],
    'events are replaced';
  is_deeply $changed->{metadata}, {tier => 'two'}, 'metadata is replaced whole';
  ok !exists $changed->{secret}, 'without the secret';
  is_deeply retrieve($created->{id}), $changed, 'and kept';

  my $cleared = answer_is($client->post($own, {name => undef,
    description => undef, metadata => {}, enabled_events => ['*']}), 200);
  is $cleared->{$_}, undef, "null clears $_" for qw(name description);
  is_deeply $cleared->{metadata}, {}, 'empty metadata';
  is $cleared->{status}, 'disabled', 'the rest stays';
};

subtest 'refused updates' => sub {
  my $created = create(name => 'Kept');
  my $own = "$path/$created->{id}";
  my @faults = (
    [{url => 'http://receiver.example/'}, 'url'],
    [{enabled_events => []}, 'enabled_events'],
    [{enabled_events => ['verification_session.failed', 'magic']},
      'enabled_events[1]'],
    [{name => 'n' x 101}, 'name'],
    [{description => 'n' x 501}, 'description'],
    [{status => 'paused'}, 'status'],
    [{metadata => {a => 1}}, 'metadata.a'],
    [{metadata => {map { $_ => '' } 1 .. 51}}, 'metadata'],
    [{secret => 'whsec_mine'}, 'secret'],
    [{application_id => 'app_1'}, 'application_id'],
  );
  for my $fault (@faults) {
    my ($parameters, $param) = @$fault;
    error_is($client->post($own, {name => 'New', %$parameters}), 400,
      'parameter_invalid', $param);
  }
  is retrieve($created->{id})->{name}, 'Kept', 'nothing changed';
  my $before = retrieve($created->{id});
  my $same = answer_is($client->post($own, {map { $_ => undef }
    qw(url enabled_events status metadata)}), 200, 'null for what is not nullable');
  is_deeply {%$same, updated => 0}, {%$before, updated => 0}, 'changes nothing';
  error_is($client->post("$path/we_unknown", {}), 404, 'resource_missing');
};

subtest 'rotate-secret' => sub {
  my $created = create(url => $receiver->url('/rotated'));
  my $own = "$path/$created->{id}";
  my $rotated = answer_is($client->post("$own/rotate-secret"), 200);
  like $rotated->{secret}, qr{\Awhsec_[A-Za-z0-9+/]{43}=\z}, 'a secret';
  isnt $rotated->{secret}, $created->{secret}, 'a new one';
  is_deeply [sort keys %$rotated], [sort keys %$created], 'the whole endpoint';
  ok !exists retrieve($created->{id})->{secret}, 'shown once';
  $client->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US'});
  my $request = $receiver->wait_for_request(sub { $_[0]{path} eq '/rotated' });
  ok $request, 'a delivery';
  is signature_fault($rotated->{secret},
    $request->{headers}{'service-signature'}, $request->{body}), undef,
    'signed with the new one';
  is signature_fault($created->{secret},
    $request->{headers}{'service-signature'}, $request->{body}), 'mismatch',
    'and not with the old one';
  error_is($client->post("$own/rotate-secret", {now => 1}), 400,
    'parameter_invalid', 'now');

  my @replays = map { $client->post("$own/rotate-secret", undef,
    'Idempotency-Key' => 'rotate') } 1, 2;
  is $replays[1]->body, $replays[0]->body, 'a replay has the same secret';
  is $replays[1]->header('Idempotent-Replayed'), 'true', 'and says so';
  answer_is($client->delete($own), 200);
};

subtest 'made and removed by verifyctl' => sub {
  my @org = ('--org', $organization->{id});
  my @url = ('--url', $receiver->url('/command'));
  my $made = $service->verifyctl(qw(endpoint create), @org, @url, qw(--name Shop --events),
    'verification_session.cancelled,verification_session.created');
  my %shown = %{answer_is($client->get("$path/$made->{id}"), 200, 'is there')};
  is_deeply [@shown{qw(name url status enabled_events)}], ['Shop', $url[1], 'enabled',
    ['verification_session.cancelled', 'verification_session.created']], 'as it was made';
  $receiver->forget;
  $client->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US'});
  my $request = $receiver->wait_for_request(sub { $_[0]{path} eq '/command' });
  is signature_fault($made->{secret}, $request->{headers}{'service-signature'},
    $request->{body}), undef, 'what it is sent is signed by the secret that was printed';
  my $all = $service->verifyctl(qw(endpoint create), @org, @url);
  is_deeply $all->{enabled_events}, ['*'], 'all events unless told';
  for my $bad (['url', 'http://shop.example/'], ['events', 'none'], ['events', ''],
    ['events', 'verification_session.created,verification_session.created'],
    ['name', 'x' x 101]) {
    my %options = (url => $url[1], @$bad);
    ok !eval { $service->verifyctl(qw(endpoint create), @org, map { ("--$_", $options{$_}) }
      sort keys %options); 1 }, "no $bad->[0] '" . substr($bad->[1], 0, 30) . "'";
    like $@, qr/\b$bad->[0]\b/, '... which is named';
  }
  my $other = $service->organization;
  ok !eval { $service->verifyctl(qw(endpoint delete), $made->{id}, '--org', $other->{id}); 1 },
    'nobody removes that of another';
  is $service->verifyctl(qw(endpoint delete), $_->{id}, @org)->{deleted}, JSON::PP::true,
    'removed' for $made, $all;
  error_is $client->get("$path/$made->{id}"), 404, 'resource_missing';
  ok !eval { $service->verifyctl(qw(endpoint delete), $made->{id}, @org); 1 }, 'once';
  unlike $service->sql_value(q{SELECT string_agg(entry, '') FROM operator_action
    WHERE organization_id = ?}, $organization->{id}), qr{/command|whsec_},
    'neither address nor secret is on record';
};

# An operator has the former secret sign besides, for a while.
subtest 'a former secret' => sub {
  my $created = create(url => $receiver->url('/overlap'));
  my $own = "$path/$created->{id}";
  my @rotate = ('endpoint', 'rotate-secret', $created->{id}, '--org', $organization->{id});
  my $kept = sub { $service->sql_value('SELECT count(*) FROM webhook_overlap
    WHERE webhook_endpoint_id = ?', $created->{id}) };
  my $deliver = sub {
    $receiver->forget;
    $client->post('/v1/verification_sessions', {type => 'age',
      workflow_id => $organization->{workflow_id}, jurisdiction => 'US'});
    return $receiver->wait_for_request(sub { $_[0]{path} eq '/overlap' });
  };
  my $signs_ok = sub {
    my ($name, @secrets) = @_; # that have signed; the first is the present one
    my $request = $deliver->() or return fail($name);
    my ($headers, $body) = @$request{qw(headers body)};
    is scalar(my @all = split / /, $headers->{'webhook-signature'}, -1), scalar @secrets,
      "$name: so many signatures";
    is standard_signature_fault($_, $headers, $body), undef, '... of each' for @secrets;
    is signature_fault($secrets[0], $headers->{'service-signature'}, $body), undef,
      '... and the header that holds one has that of now';
    return $request;
  };
  $signs_ok->('at first', $created->{secret});
  for my $bad (qw(0 -1 1441 1.5 1h), '') {
    ok !eval { $service->verifyctl(@rotate, '--overlap-minutes', $bad); 1 }, "not '$bad'";
    like $@, qr/whole number from 1 to 1440.*overlap-minutes/s, '... which is said';
  }
  my $other = $service->organization;
  for (['endpoint', 'rotate-secret', 'we_unknown', '--org', $organization->{id}],
    ['endpoint', 'rotate-secret', $created->{id}, '--org', $other->{id}]) {
    ok !eval { $service->verifyctl(@$_, qw(--overlap-minutes 5)); 1 }, "no @$_[2, 4]";
  }
  $signs_ok->('nothing was changed', $created->{secret});
  is $kept->(), 0, '... nor kept';

  my $begun = time;
  my $second = $service->verifyctl(@rotate, qw(--overlap-minutes 1440));
  like $second->{secret}, qr{\Awhsec_[A-Za-z0-9+/]{43}=\z}, 'a new secret';
  cmp_ok abs($second->{former_secret_signs_until} - $begun - 86_400), '<=', 30,
    'and until when the former one signs';
  $signs_ok->('a day at most', $second->{secret}, $created->{secret});
  my $third = $service->verifyctl(@rotate, qw(--overlap-minutes 1));
  my $request = $signs_ok->('replaced within that time', $third->{secret}, $second->{secret});
  is standard_signature_fault($created->{secret}, @$request{qw(headers body)}), 'mismatch',
    'no secret signs that was replaced twice';
  my ($action) = map { JSON::PP::decode_json($_->{entry}) } @{$service->sql(
    'SELECT entry FROM operator_action ORDER BY id DESC LIMIT 1')};
  is_deeply [@$action{qw(action subject)}, $action->{details}],
    ['endpoint rotate-secret', $created->{id},
      {options => [qw(org overlap-minutes)], 'overlap-minutes' => '1'}],
    'it is recorded, without a secret';
  ok !exists retrieve($created->{id})->{former_secret_signs_until}, 'the API says nothing';

  $service->sql('UPDATE webhook_overlap SET ends_at = ?', (time - 1) * 1000);
  $signs_ok->('after its time', $third->{secret});
  $service->kill_hard($service->watchdog_pid);
  $service->allow_log(qr/IDV0320/);
  ok wait_for { !$kept->() }, 'then it is removed';

  my $now = $service->verifyctl(@rotate, qw(--overlap-minutes 60));
  is $kept->(), 1, 'kept';
  my $next = answer_is($client->post("$own/rotate-secret"), 200);
  is $kept->(), 0, 'the API lets nothing sign besides';
  $signs_ok->('from then on', $next->{secret});
  is $service->verifyctl(@rotate, qw(--overlap-minutes 60))->{status}, 'enabled', 'once more';
  my $without = $service->verifyctl(@rotate);
  is $without->{former_secret_signs_until}, undef, 'none unless it is said';
  is $kept->(), 0, '... at once';
  $signs_ok->('alone', $without->{secret});
  my $last = $service->verifyctl(@rotate, qw(--overlap-minutes 60));
  $service->sql(q{UPDATE webhook_overlap
    SET sealed_secret = set_byte(sealed_secret, 40, get_byte(sealed_secret, 40) # 1)});
  $service->allow_log(qr/IDV0950: .* signed with the new secret only/);
  $signs_ok->('one that does not open keeps nothing back', $last->{secret});
  ok wait_for { $service->{log}->matching(qr/IDV0950/) }, '... the log says so';
  answer_is($client->delete($own), 200);
  is $kept->(), 0, 'with its endpoint it goes';
};

subtest 'delete' => sub {
  my $created = create(url => 'https://127.0.0.1:1/closed');
  my $own = "$path/$created->{id}";
  $client->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US'});
  my $pending = q{SELECT count(*) FROM webhook_delivery
    WHERE webhook_endpoint_id = ? AND status = 'pending'};
  ok wait_for { $service->sql_value("$pending AND attempt = 1 AND leased_by IS NULL",
    $created->{id}) }, 'a delivery waits for its next attempt';
  my $answer = $client->delete($own);
  is_deeply answer_is($answer, 200), {id => $created->{id},
    object => 'webhook_endpoint', deleted => JSON::PP::true}, 'the answer';
  is $service->sql_value($pending, $created->{id}), 0, 'no delivery waits';
  error_is($client->get($own), 404, 'resource_missing');
  error_is($client->delete($own), 404, 'resource_missing');
  error_is($client->post($own, {}), 404, 'resource_missing');
  error_is($client->post("$own/rotate-secret"), 404, 'resource_missing');
  ok !(grep { $_->{id} eq $created->{id} }
    @{$client->get("$path?limit=100")->json->{data}}), 'not listed';
};

subtest 'idempotency' => sub {
  my %key = ('Idempotency-Key' => 'one');
  my $first = $client->post($path, {%least}, %key);
  my $second = $client->post($path, {%least}, %key);
  is $second->body, $first->body, 'a creation is replayed';
  error_is($client->post($path, {%least, name => 'x'}, %key), 400,
    'idempotency_key_reuse');
  my $own = "$path/" . $first->json->{id};
  my $update = $client->post($own, {name => 'A'}, %key);
  is $update->json->{name}, 'A', 'another route has keys of its own';
  $client->post($own, {name => 'B'});
  is $client->post($own, {name => 'A'}, %key)->body, $update->body,
    'an update is replayed';
  is $client->get($own)->json->{name}, 'B', 'and not done again';
};

subtest 'scope' => sub {
  my $created = create();
  my $own = "$path/$created->{id}";
  my $application = $service->verifyctl(qw(app create --org),
    $organization->{id}, qw(--name Shop))->{id};
  my $scoped = $service->client(
    $service->key($organization->{id}, 'secret', '--app', $application));
  my $other = $service->organization->{client};
  my $publishable = $service->client(
    $service->key($organization->{id}, 'publishable'));
  for my $stranger ($scoped, $other) {
    error_is($stranger->post($own, {name => 'x'}), 404, 'resource_missing');
    error_is($stranger->post("$own/rotate-secret"), 404, 'resource_missing');
    error_is($stranger->delete($own), 404, 'resource_missing');
  }
  error_is($publishable->post($own, {}), 403, 'publishable_key_scope');
  error_is($publishable->delete($own), 403, 'publishable_key_scope');
  is retrieve($created->{id})->{name}, undef, 'nothing happened';
  my $theirs = answer_is($scoped->post($path, {%least}), 201);
  is answer_is($client->post("$path/$theirs->{id}", {name => 'Shop'}), 200)
    ->{name}, 'Shop', 'the organization may change what is an application\'s';
};

subtest 'an endpoint that fails' => sub {
  $receiver->behave({status => 500});
  my $created = create(url => $receiver->url('/failing'));
  my $own = "$path/$created->{id}";
  my $session = sub { $client->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US'}) };
  my $before = time;
  $session->() for 1 .. 3;
  my $failing = wait_for { my $found = retrieve($created->{id});
    $found->{consecutive_failures} == 3 && $found };
  ok $failing, 'three failures in a row';
  ok $failing->{failing_since} >= $before && $failing->{failing_since} <= time,
    'since when';
  ok $failing->{next_attempt_at} >= $before + 300
    && $failing->{next_attempt_at} <= time + 330, 'the next attempt';
  is answer_is($client->post($own, {status => 'disabled'}), 200)
    ->{next_attempt_at}, undef, 'none while it is disabled';
  $client->post($own, {status => 'enabled'});
  $receiver->behave({status => 200});
  $session->();
  my $healthy = wait_for { my $found = retrieve($created->{id});
    !$found->{consecutive_failures} && $found };
  ok $healthy, 'one success ends it';
  is $healthy->{failing_since}, undef, 'it fails no longer';
  ok $healthy->{next_attempt_at}, 'what failed is still repeated';
  $receiver->behave({status => 500});
  $session->();
  ok wait_for { retrieve($created->{id})->{consecutive_failures} == 1 },
    'it fails again';
  my $moved = answer_is($client->post($own,
    {url => $receiver->url('/elsewhere')}), 200);
  is $moved->{consecutive_failures}, 0, 'another receiver begins anew';
};

finish($service);
