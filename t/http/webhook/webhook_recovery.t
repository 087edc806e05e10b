# What an endpoint has missed is queued again by an operator: who may, what is
# refused, what it leaves in the record, and how far it is.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use Verify::Dashboard;
use Verify::Test;

my $service = Verify::Instance->start(start => 0);
my $who = $service->organization(sandbox => 1, workflow => 1);
my $other = $service->organization(sandbox => 1);
my $dashboard = Verify::Dashboard->prepare($service, olga => "auditor $who->{id}",
  dora => "developer $who->{id}", oscar => "developer $other->{id}");
$service->start_httpd;
my %client = map { $_ => $dashboard->client($_) } qw(olga dora oscar);
my $own = "/dashboard/v1/organizations/$who->{id}";
my $receiver = $service->receiver;
my $hooks = '/v1/webhook_endpoints';

sub endpoint {
  my ($name, %with) = @_;
  return answer_is($who->{client}->post($hooks, {url => $receiver->url("/$name"),
    enabled_events => ['verification_session.created'], %with}), 201, $name);
}
sub session {
  return answer_is $who->{client}->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $who->{workflow_id}, jurisdiction => 'US-CA'}), 201;
}
sub failed {
  my ($id) = @_;
  return scalar @{$who->{client}->get("$hooks/$id/deliveries?status=failed")->json->{data}};
}
sub finished {
  my ($path) = @_;
  return wait_for { my $now = $client{olga}->get($path)->json;
    $now->{status} ne 'running' && $now };
}

my $endpoint = endpoint('missed')->{id};
my $path = "$own/webhook_endpoints/$endpoint/recoveries";
my $since = time - 60;
$receiver->behave({status => 410});
session() for 1 .. 2;
ok wait_for { failed($endpoint) == 2 }, 'two have failed';
$receiver->behave({status => 200});

subtest 'who may' => sub {
  error_is $client{olga}->post($path, {since => $since}), 403, 'operator_role_required',
    undef, 'not an auditor';
  error_is $client{oscar}->post($path, {since => $since}), 403, 'operator_role_required',
    undef, 'nor another organization\'s developer';
  error_is $client{oscar}->post($path =~ s/\Q$who->{id}/$other->{id}/r, {since => $since}),
    404, 'resource_missing', undef, 'who finds nothing in his own';
  error_is $who->{client}->post("$hooks/$endpoint/recoveries", {since => $since}), 404,
    'resource_missing', undef, 'a secret key has no such route';
};

subtest 'statistics' => sub {
  my ($one) = @{answer_is($client{olga}->get("$own/webhook_statistics"), 200)->{endpoints}};
  is_deeply [@$one{qw(id url name deliveries delivered failed pending)}],
    [$endpoint, $receiver->url('/missed'), undef, 2, 0, 2, 0], 'how the deliveries ended';
  like $one->{$_}, qr/\A\d+\z/, $_ for qw(median_ms p95_ms);
  is_deeply answer_is($client{oscar}->get("/dashboard/v1/organizations/$other->{id}"
    . '/webhook_statistics'), 200), {object => 'webhook_statistics', endpoints => []},
    'of nobody else';
  is_deeply $service->verifyctl(qw(endpoint statistics --org), $who->{id}), [$one],
    'verifyctl counts the same';
};

subtest 'what is refused' => sub {
  my $post = sub { $client{dora}->post($path, $_[0]) };
  error_is $post->(@$_[0]), 400, 'parameter_invalid', $_->[1], $_->[2] for (
    [{}, 'since', 'no window'], [{since => 'x'}, 'since', 'no time'],
    [{since => $since, more => 1}, 'more', 'what is not known'],
    [{since => time + 3600}, 'since', 'the future'],
    [{since => $since, until => $since}, 'since', 'an empty one'],
    [{since => $since, until => $since - 1}, 'since', 'one that ends before it begins'],
    [{since => time - 31 * 86_400 - 10}, 'since', 'more than 31 days'],
    [{since => -1}, 'since', 'before all times']);
  error_is $client{dora}->post("$own/webhook_endpoints/we_none/recoveries",
    {since => $since}), 404, 'resource_missing', undef, 'no such endpoint';
  my $off = endpoint('off')->{id};
  answer_is $who->{client}->post("$hooks/$off", {status => 'disabled'}), 200;
  error_is $client{dora}->post("$own/webhook_endpoints/$off/recoveries",
    {since => $since}), 409, 'webhook_endpoint_disabled', undef, 'a disabled one';
  is_deeply $client{olga}->get($path)->json->{data}, [], 'nothing was done';
  is failed($endpoint), 2, 'nor queued';
};

# While so many deliveries of the endpoint were not tried, it waits.
$service->sql(q{INSERT INTO webhook_delivery (organization_id, id, webhook_endpoint_id,
    event_id, event_type, next_attempt_at, leased_by, leased_until, created_at, updated_at)
  SELECT ?, 'whd_held' || i, ?, 'evt_held', 'verification_session.created', 1, 'nobody.1',
    4000000000000, 1, 1 FROM generate_series(1, 1001) i}, $who->{id}, $endpoint);
my @key = ('Idempotency-Key' => 'once');
my $made = $client{dora}->post($path, {since => $since}, @key);
my $job = answer_is $made, 201, 'it is made';
subtest 'one at a time' => sub {
  is $job->{status}, 'running', 'it runs';
  is_deeply [@$job{qw(object webhook_endpoint_id since examined_until finished_at
    deliveries_requeued)}], ['webhook_recovery', $endpoint, $since, undef, undef, 0],
    'as ordered';
  cmp_ok $job->{until}, '<=', time, 'until now';
  error_is $client{dora}->post($path, {since => $since}), 409, 'webhook_recovery_running',
    undef, 'another one is refused';
  my $again = $client{dora}->post($path, {since => $since}, @key);
  is $again->body, $made->body, 'the same by its key is the same';
  is $again->header('Idempotent-Replayed'), 'true', 'replayed';
  error_is $client{dora}->post($path, {since => $since + 1}, @key), 400,
    'idempotency_key_reuse', undef, 'with another body';
  is_deeply $client{olga}->get("$path/$job->{id}")->json, $job, 'one is shown';
  is_deeply $client{olga}->get($path)->json->{data}, [$job], 'in the list, too';
};
$service->sql(q{DELETE FROM webhook_delivery WHERE event_id = 'evt_held'});

subtest 'it is done' => sub {
  my $done = finished("$path/$job->{id}");
  is $done->{status}, 'finished', 'finished';
  is $done->{deliveries_requeued}, 2, 'what has failed is queued';
  is $done->{deliveries_created}, 0, 'nothing else was missed';
  cmp_ok $done->{examined_until}, '>=', $since, 'up to the last event';
  ok wait_for { 2 == @{$who->{client}->get("$hooks/$endpoint/deliveries?status=delivered")
    ->json->{data}} }, 'and arrives';
};

subtest 'the record' => sub {
  my @done = grep { $_->{action} =~ /recoveries/ }
    @{$client{olga}->get("$own/audit?limit=20")->json->{data}};
  is scalar @done, 1, 'once, for what was done';
  is $done[0]{action}, 'POST ' . ($path =~ s/\Q$who->{id}/:org/r =~ s/\Q$endpoint/:id/r),
    'the deed';
  is $done[0]{subject}, $endpoint, 'to which endpoint';
  is $done[0]{actor}, 'dora', 'by whom';
  is $done[0]{details}{since}, $since, 'of which time';
  is $done[0]{details}{recovery_id}, $client{olga}->get($path)->json->{data}[0]{id},
    'and what came of it';
};

subtest 'what is there to see' => sub {
  my $second = answer_is $client{dora}->post($path, {since => $since}), 201, 'after its end';
  is finished("$path/$second->{id}")->{deliveries_requeued}, 0, 'with nothing to do';
  my $list = $client{olga}->get("$path?limit=1")->json;
  is_deeply [map { $_->{id} } @{$list->{data}}], [$second->{id}], 'newest first';
  ok $list->{has_more}, 'there are more';
  is_deeply [map { $_->{id} } @{$client{olga}->get("$path?starting_after=$second->{id}")
    ->json->{data}}], [$job->{id}], 'the next page';
  is_deeply [map { $_->{id} } @{$client{olga}->get("$path?ending_before=$job->{id}")
    ->json->{data}}], [$second->{id}], 'and back';
  my $another = endpoint('another')->{id};
  my $there = "$own/webhook_endpoints/$another/recoveries";
  is_deeply $client{olga}->get($there)->json->{data}, [], 'another endpoint has none';
  error_is $client{olga}->get("$there/$job->{id}"), 404, 'resource_missing', undef,
    'nor shows it those of this one';
  error_is $client{olga}->get("$path/$_"), 404, 'resource_missing', undef, $_
    for 'whr_none', 'x';
  answer_is $who->{client}->delete("$hooks/$endpoint"), 200;
  error_is $client{olga}->get($path), 404, 'resource_missing', undef, 'of a deleted one';
};

# What happened while it was disabled, of an application's endpoint.
subtest 'an application' => sub {
  my $app = $service->verifyctl(qw(app create --org), $who->{id}, qw(--name Shop))->{id};
  my $shop = $service->client($service->key($who->{id}, 'secret', '--app', $app));
  my $its = answer_is($shop->post($hooks, {url => $receiver->url('/shop'),
    enabled_events => ['*']}), 201)->{id};
  answer_is $shop->post("$hooks/$its", {status => 'disabled'}), 200;
  my $one = answer_is $shop->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $who->{workflow_id}, jurisdiction => 'US-CA'}), 201;
  session();
  answer_is $shop->post("$hooks/$its", {status => 'enabled'}), 200;
  my $there = "$own/webhook_endpoints/$its/recoveries";
  my $missed = answer_is $client{dora}->post($there, {since => $since}), 201;
  is finished("$there/$missed->{id}")->{deliveries_created}, 1,
    'gets the events of its application alone';
  ok wait_for { 1 == grep { $_->{path} eq '/shop' && $_->{body} =~ /\Q$one->{id}/ }
    $receiver->requests }, 'which arrive';
};

finish($service);
