# Events: listing, retrieving, scope, retention.
use v5.32;
use warnings;
use Verify::Command;
use Verify::Test;

my $service = Verify::Instance->start(conf => "VerifyEventRetention 1\n");
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $client = $organization->{client};
my $receiver = $service->receiver;
my $path = '/v1/events';

sub session {
  my ($caller) = @_;
  return answer_is(($caller // $client)->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $organization->{workflow_id},
      jurisdiction => 'US'}), 201);
}
sub listed { return answer_is($client->get($path . ($_[0] // '')), 200) }
sub ids { return [map { $_->{id} } @{$_[0]{data}}] }

is_deeply listed()->{data}, [], 'none at first';
my $endpoint = answer_is($client->post('/v1/webhook_endpoints',
  {url => $receiver->url, enabled_events => ['*']}), 201);
my $started = time;
my @sessions = map { session() } 1 .. 3;
$client->post("/v1/verification_sessions/$sessions[0]{id}/cancel");

subtest 'retrieve' => sub {
  my $sent = $receiver->wait_for_request(sub {
    $_[0]{event}{type} eq 'verification_session.cancelled' })->{event};
  my $found = answer_is($client->get("$path/$sent->{id}"), 200);
  is_deeply $found, $sent, 'as it was sent';
  is_deeply [sort keys %$found], [sort qw(id object type created data)], 'fields';
  is $found->{object}, 'event', 'object';
  is $found->{data}{object}{id}, $sessions[0]{id}, 'the snapshot';
  error_is($client->get("$path/evt_none"), 404, 'resource_missing');
  error_is($client->get("$path/$sent->{id}?expand=1"), 400, 'parameter_invalid',
    'expand');
};

my @all = @{ids(listed('?limit=100'))};
subtest 'list' => sub {
  my $list = listed();
  is $list->{object}, 'list', 'object';
  is $list->{url}, $path, 'url';
  is @all, 4, 'all of them';
  is_deeply \@all, [sort { $b cmp $a } @all], 'newest first';
  is $list->{data}[0]{type}, 'verification_session.cancelled', 'whole events';
  my $page = listed('?limit=2');
  is_deeply ids($page), [@all[0, 1]], 'a page';
  ok $page->{has_more}, 'and more';
  $page = listed("?limit=2&starting_after=$all[1]");
  is_deeply ids($page), [@all[2, 3]], 'the next';
  ok !$page->{has_more}, 'the last';
  $page = listed("?limit=2&ending_before=$all[3]");
  is_deeply ids($page), [@all[1, 2]], 'back';
  ok $page->{has_more}, 'with one before';
};

subtest 'by verifyctl' => sub {
  my $command = Verify::Command->new($service);
  my @org = ('--org', $organization->{id});
  my $listed = $command->prints(['event', 'list', @org]);
  is_deeply [map { $_->{id} } @$listed], \@all, 'the same, newest first';
  is_deeply $listed->[0], {(map { $_ => listed()->{data}[0]{$_} } qw(id object type created)),
    object_id => $sessions[0]{id}, status => 'cancelled'}, 'without what is in them';
  is_deeply [map { $_->{id} } @{$command->prints(['event', 'list', @org, @$_[0, 1]])}],
    $_->[2], "of one $_->[0]"
    for ['--type', 'verification_session.cancelled', [$all[0]]],
      ['--about', $sessions[1]{id}, [$all[2]]], ['--starting-after', $all[1], [@all[2, 3]]],
      ['--until', $started - 1, []];
  my $whole = listed()->{data}[0];
  is_deeply $command->prints(['event', 'show', $all[0], @org, '--personal']), $whole,
    'whole, when that is asked for';
  is_deeply $command->prints(['event', 'show', $all[0], @org]), {%$whole, data => {object => {
    map { $_ => $whole->{data}{object}{$_} } qw(id object status)}}}, 'else what it is about';
  my $other = $service->organization(sandbox => 1)->{id};
  is_deeply $command->prints(['event', 'list', '--org', $other]), [], 'not of another';
  $command->refuses(['event', 'show', $all[0], '--org', $other],
    qr/No such|not exist|not found/i);
  $command->refuses(['event', 'list', @org, '--type', 'none'], qr/type/);
};

subtest 'filters' => sub {
  is_deeply ids(listed('?type=verification_session.cancelled')), [$all[0]], 'type';
  is_deeply ids(listed('?type=session_review.flagged')), [], 'of which is none';
  is @{listed("?object_id=$sessions[0]{id}")->{data}}, 2, 'object_id';
  is @{listed("?object_id=$sessions[0]{id}&type=verification_session.created")
    ->{data}}, 1, 'both';
  is @{listed('?object_id=vks_none')->{data}}, 0, 'an unknown object';
  is @{listed("?created_gte=$started")->{data}}, 4, 'created_gte';
  is @{listed("?created_lt=$started")->{data}}, 0, 'created_lt';
  is @{listed('?created_gte=' . (time + 60))->{data}}, 0, 'in the future';
  my $cut = listed()->{data}[0]{created} + 1;
  is @{listed("?created_gte=$started&created_lt=$cut&limit=100"
    . "&starting_after=$all[1]")->{data}}, 2, 'with a cursor';
  my @faults = (
    ['limit=0', 'limit'], ['type=magic', 'type'], ['created_gte=x', 'created_gte'],
    ['created_lt=-1', 'created_lt'], ['object_id=', 'object_id'],
    ['created=1', 'created'], ['starting_after=vks_1', 'starting_after'],
    ["starting_after=$all[0]&ending_before=$all[1]", 'ending_before'],
  );
  error_is($client->get("$path?$_->[0]"), 400, 'parameter_invalid', $_->[1])
    for @faults;
};

subtest 'scope' => sub {
  my $other = $service->organization->{client};
  is_deeply answer_is($other->get($path), 200)->{data}, [], 'not another\'s';
  error_is($other->get("$path/$all[0]"), 404, 'resource_missing');
  my $application = $service->verifyctl(qw(app create --org),
    $organization->{id}, qw(--name Shop))->{id};
  my $scoped = $service->client(
    $service->key($organization->{id}, 'secret', '--app', $application));
  is_deeply answer_is($scoped->get($path), 200)->{data}, [],
    'not the organization\'s';
  error_is($scoped->get("$path/$all[0]"), 404, 'resource_missing');
  my @own = map { session($scoped) } 1 .. 3;
  my $list = answer_is($scoped->get("$path?limit=2"), 200);
  is_deeply [map { $_->{data}{object}{id} } @{$list->{data}}],
    [$own[2]{id}, $own[1]{id}], 'its own, newest first';
  ok $list->{has_more}, 'and more';
  $list = answer_is($scoped->get(
      "$path?ending_before=" . answer_is($scoped->get($path), 200)->{data}[2]{id}),
    200);
  is @{$list->{data}}, 2, 'backwards';
  is @{answer_is($scoped->get("$path?object_id=$own[0]{id}"), 200)->{data}}, 1,
    'of an object';
  is @{answer_is($scoped->get("$path?object_id=$sessions[0]{id}"), 200)->{data}},
    0, 'not of the organization\'s';
  is @{answer_is($scoped->get("$path?type=verification_session.expired"), 200)
    ->{data}}, 0, 'of a type';
  is @{listed("?object_id=$own[0]{id}")->{data}}, 1, 'the organization sees all';
  error_is($service->client($service->key($organization->{id}, 'publishable'))
    ->get($path), 403, 'publishable_key_scope');
};

subtest 'retention' => sub {
  my ($kept, $waiting, $gone) = @all;
  ok wait_for { !$service->sql_value(
      q{SELECT count(*) FROM webhook_delivery WHERE status = 'pending'}) },
    'all is delivered';
  my $age = 2 * 86_400_000;
  for my $table (['event', 'id'], ['webhook_delivery', 'event_id']) {
    $service->sql("UPDATE $table->[0] SET created_at = created_at - ?
      WHERE $table->[1] IN (?, ?)", $age, $waiting, $gone);
  }
  $service->sql(q{UPDATE webhook_delivery SET status = 'pending', attempt = 1,
    next_attempt_at = ? WHERE event_id = ?}, (time + 3600) * 1000, $waiting);
  $service->kill_hard($service->watchdog_pid);
  $service->allow_log(qr/IDV0320/);
  ok wait_for { $client->get("$path/$gone")->status == 404 }, 'the old one goes';
  ok wait_for { !$service->sql_value(
      'SELECT count(*) FROM webhook_delivery WHERE event_id = ?', $gone) },
    'with its delivery';
  is $client->get("$path/$kept")->status, 200, 'the young one stays';
  is $client->get("$path/$waiting")->status, 200, 'so does what still waits';
  $receiver->forget;
  $service->sql('UPDATE webhook_delivery SET next_attempt_at = 0
    WHERE event_id = ?', $waiting);
  ok $receiver->wait_for_request(sub { ($_[0]{event}{id} // '') eq $waiting }),
    'which is delivered';
};

finish($service);
