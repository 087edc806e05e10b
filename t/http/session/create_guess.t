# A child takes for granted what the last creation of a session depended on, and
# writes the next one in a statement that looks at all of it. Whatever has
# changed since holds, on every child.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use JSON::PP ();
use Verify::Test;

my $service = Verify::Instance->start;
my $path = '/v1/verification_sessions';
my $endpoint = {url => 'https://127.0.0.1:9/x', enabled_events => ['*']};

# So many connections that each child has created sessions of the workflow.
sub warm {
  my ($organization, $key) = @_;
  my @clients = map { $service->client($key // $organization->{secret_key}) }
    1 .. 16;
  my %statuses = map { create($_, $organization)->status => 1 } @clients, @clients;
  is_deeply [keys %statuses], [201], 'known to all children';
  return @clients;
}
sub create {
  my ($client, $organization, $more, @headers) = @_;
  return $client->post($path, {type => 'age', jurisdiction => 'US-MD',
    workflow_id => $organization->{workflow_id}, %{$more // {}}}, @headers);
}
sub sessions {
  my ($organization) = @_;
  return $service->sql_value('SELECT count(*) FROM verification_session
    WHERE organization_id = ?', $organization->{id});
}
sub live {
  my $organization = $service->organization(workflow => 1);
  $organization->{endpoint} = answer_is($organization->{client}->post(
    '/v1/webhook_endpoints', $endpoint), 201, 'endpoint')->{id};
  return $organization;
}

# After $change every creation is refused with @error and leaves nothing behind;
# after $undo they are done again.
sub holds {
  my ($name, $organization, $change, $undo, @error) = @_;
  subtest $name => sub {
    my @clients = warm($organization);
    my $before = sessions($organization);
    $change->();
    error_is create($_, $organization), @error for @clients;
    error_is create($_, $organization, {}, 'Idempotency-Key' => "$name $_"),
      @error for @clients;
    is sessions($organization), $before, 'nothing was written';
    $undo->();
    is create($_, $organization)->status, 201, 'done again' for @clients;
  };
}

my $live = live();
my $id = $live->{id};
# So far from the bound of sessions under way (billing_overdraft.t) that creations need
# not look at it.
$service->verifyctl(qw(org update), $id, qw(--free-allotment 100000));
my $set = sub {
  my ($assignment) = @_;
  return sub { $service->sql("UPDATE organization SET $assignment WHERE id = ?", $id) };
};
holds('no endpoint', $live,
  sub { $service->sql(q{UPDATE webhook_endpoint SET status = 'disabled'}) },
  sub { $service->sql(q{UPDATE webhook_endpoint SET status = 'enabled'}) },
  400, 'webhook_required');
holds('nothing to pay with', $live, $set->('free_allotment = 0'),
  $set->('free_allotment = 100000'), 402, 'billing_suspended');
holds('suspended', $live, $set->(q{billing_status = 'suspended'}),
  $set->(q{billing_status = 'active'}), 402, 'billing_suspended');
holds('no workflow', $live,
  sub { $service->sql(q{UPDATE workflow SET id = 'wf_gone'}) },
  sub { $service->sql(q{UPDATE workflow SET id = ?}, $live->{workflow_id}) },
  404, 'resource_missing', 'workflow_id');
my $sandbox = $service->organization(sandbox => 1, workflow => 1);
my $month = 'extract(year from now() at time zone \'UTC\') * 100
  + extract(month from now() at time zone \'UTC\')';
holds('a sandbox without quota', $sandbox,
  sub { $service->sql("INSERT INTO monthly_usage
    (organization_id, month, sandbox) VALUES (?, $month, 500)", $sandbox->{id}) },
  sub { $service->sql('DELETE FROM monthly_usage') },
  402, 'test_quota_exceeded');

subtest 'a revoked key' => sub {
  my $key = $service->verifyctl(qw(key create --org), $id, qw(--type secret));
  my @clients = warm($live, $key->{key});
  my $before = sessions($live);
  $service->verifyctl(qw(key revoke), $key->{id});
  error_is create($_, $live), 401, 'api_key_invalid' for @clients;
  is sessions($live), $before, 'nothing was written';
};

subtest 'an application\'s key' => sub {
  my $application = $service->verifyctl(qw(app create --org), $id,
    qw(--name), 'One')->{id};
  my $key = $service->key($id, 'secret', '--app', $application);
  my $client = (warm($live, $key))[0];
  $service->sql('UPDATE webhook_endpoint SET application_id = ?', 'app_other');
  my $silent = answer_is(create($client, $live), 201, "another application's is one");
  is $service->sql_value('SELECT count(*) FROM webhook_delivery d JOIN event e
    ON e.id = d.event_id WHERE e.object_id = ?', $silent->{id}), 0, 'and not told';
  $service->sql('UPDATE webhook_endpoint SET application_id = ?', $application);
  my $session = answer_is(create($client, $live), 201, 'its own endpoint');
  is $service->sql_value('SELECT count(*) FROM webhook_delivery d JOIN event e
    ON e.id = d.event_id WHERE e.object_id = ?', $session->{id}), 1, 'told of it';
  $service->sql('UPDATE webhook_endpoint SET application_id = NULL');
};

subtest 'a new version of the workflow' => sub {
  my @clients = warm($live);
  my $version = $service->publish($id, 1, '--id', $live->{workflow_id})
    ->{version_id};
  my @ids = map { answer_is(create($_, $live), 201, 'created')->{id} } @clients;
  is $service->sql_value('SELECT count(*) FROM verification_session
    WHERE workflow_version_id = ? AND id = ANY (?)', $version, \@ids),
    scalar @ids, 'is that of the next session on';
};

subtest 'idempotency keys' => sub {
  my @clients = warm($live);
  my $before = sessions($live);
  my $first = create($clients[0], $live, {}, 'Idempotency-Key' => 'one');
  is $first->status, 201, 'the first';
  for my $client (@clients) {
    my $replay = create($client, $live, {}, 'Idempotency-Key' => 'one');
    is $replay->body, $first->body, 'the same bytes';
    is $replay->header('Idempotent-Replayed'), 'true', 'marked';
    error_is create($client, $live, {type => 'identity'},
      'Idempotency-Key' => 'one'), 400, 'idempotency_key_reuse';
  }
  is sessions($live), $before + 1, 'one session';
  $service->sql(q{UPDATE idempotency_record SET created_at = 0});
  my $again = create($clients[0], $live, {}, 'Idempotency-Key' => 'one');
  is $again->status, 201, 'a day later';
  isnt $again->body, $first->body, 'the key is free again';
  is create($clients[1], $live, {}, 'Idempotency-Key' => 'one')->body,
    $again->body, 'and replays the new answer';
  is sessions($live), $before + 2, 'two sessions';
};

# How often sessions under way were counted, once PostgreSQL has heard of all that
# were written.
sub counts {
  my $written = $service->sql_value('SELECT count(*) FROM verification_session');
  ok +(wait_for { $service->sql_value('SELECT n_tup_ins FROM pg_stat_user_tables
    WHERE relname = ?', 'verification_session') >= $written } 60),
    'all connections have told what they did';
  return $service->sql_value('SELECT idx_scan FROM pg_stat_user_indexes
    WHERE indexrelname = ?', 'verification_session_under_way');
}
subtest 'sessions under way' => sub {
  my @clients = warm($live);
  my $before = counts();
  for my $client (@clients) { # a new version, so that the facts are read anew
    $service->publish($id, 1, '--id', $live->{workflow_id});
    is create($client, $live)->status, 201, 'created';
  }
  my $counts = counts() - $before;
  cmp_ok $counts, '<', @clients / 2,
    "far from the bound they are not counted each time: $counts";
};

subtest 'one event and its deliveries' => sub {
  my $client = (warm($live))[0];
  my $session = answer_is(create($client, $live, {metadata => {a => 'b'}},
    'Idempotency-Key' => 'event'), 201, 'created');
  my $rows = $service->sql('SELECT e.body, d.webhook_endpoint_id FROM event e
    JOIN webhook_delivery d ON d.event_id = e.id WHERE e.object_id = ?',
    $session->{id});
  is @$rows, 1, 'one of each';
  is $rows->[0]{webhook_endpoint_id}, $live->{endpoint}, 'to the endpoint';
  my $event = JSON::PP::decode_json($rows->[0]{body});
  is $event->{type}, 'verification_session.created', 'created';
  is $event->{data}{object}{id}, $session->{id}, 'of this session';
  my $read = answer_is($client->get("$path/$session->{id}"), 200, 'read');
  $session->{client_secret} = undef;
  delete $session->{url};
  is_deeply $read, $session, 'the same session';
};

finish $service;
