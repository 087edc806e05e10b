# Trust reuse, session review, billing and quotas: what ends how, what it
# costs, and who is told.
use v5.32;
use warnings;
use Verify::Conformance;
use Verify::Participant;
use Verify::Specimen;

my $service = Verify::Instance->start(conf => "VerifyTestIssuers on\n");
my $sessions = '/v1/verification_sessions';
my $settings = '/v1/trust_reuse/settings';
my $grants = '/v1/trust_reuse/grants';
my $invalid = '400 parameter_invalid';
my ($source, $target) = map { participant($service) } 1 .. 2;

sub events_of {
  my ($who, $id, $type) = @_;
  my @events = @{$who->{client}->get("/v1/events?limit=100&object_id=$id")
    ->json->{data}};
  return $type ? grep { $_->{type} eq $type } @events
    : sort map { $_->{type} =~ s/verification_//r } @events;
}
sub usage { $service->verifyctl(qw(org show), $_[0]{id})->{usage} }
sub answered {
  my ($answer) = @_;
  my $text = $answer->body =~ s/"(?:id|client_secret|url|request_id|created|updated|expires_at)":(?:"[^"]*"|\d+)//gr;
  return join "\n", $answer->status, (map { "$_: $answer->{headers}{$_}" }
    grep { !/date|request-id|ratelimit|keep|connection/ }
    sort keys %{$answer->{headers}}), $text;
}

subtest 'trust reuse settings' => sub {
  my $fresh = $service->organization(sandbox => 1);
  my $app = $service->verifyctl(qw(app create --org), $fresh->{id}, qw(--name A));
  my $client = $service->client($service->key($fresh->{id}, 'secret', '--app',
      $app->{id}));
  my %shape = (object => ['trust_reuse_settings'], application_id => [$app->{id}],
    enabled => 'boolean', max_age_days => 'integer|null',
    require_same_jurisdiction => 'boolean', accepted_methods => 'strings',
    updated => 'integer|null');
  my $first = answer_is($client->get($settings), 200);
  shape_is($first, {%shape, enabled => [$false]}, 'off by default');
  error_is($client->patch($settings, {enabled => $true}), 400, 'parameter_invalid',
    'accept_liability', 'without accept_liability');
  error_is($client->patch($settings, {enabled => $true, accept_liability => $false}),
    400, 'parameter_invalid', 'accept_liability', 'with a false one');
  is $client->get($settings)->json->{enabled}, $false, 'changed nothing';
  shape_is(answer_is($client->patch($settings, {enabled => $true,
    accept_liability => $true}), 200), {%shape, enabled => [$true]}, 'on');
  parameters_are(sub { $client->patch($settings, $_[0]) },
    (map { [max_age_days => $_, 'ok'] } 1, 30, 90, 365, 3650),
    (map { [max_age_days => $_, $invalid] } 0, -1, 3651, '30', 1.5, $true),
    (map { [require_same_jurisdiction => $_, 'ok'] } $true, $false),
    (map { [require_same_jurisdiction => $_, $invalid] } 1, 'true'),
    [accepted_methods => [], 'ok'], [accepted_methods => ['document_capture'], 'ok'],
    [accepted_methods => ['x'], $invalid, 'accepted_methods[0]'],
    [accepted_methods => 'mdl', $invalid], [enabled => 'true', $invalid],
    [accept_liability => 'true', $invalid], [unknown => 1, $invalid],
    [application_id => 'x', $invalid], [updated => 1, $invalid]);
  error_is($fresh->{client}->get($settings), 403, 'application_credential_required',
    undef, 'an organization-wide key');
  error_is($fresh->{client}->patch($settings, {}), 403,
    'application_credential_required', undef, 'nor to change them');
  error_is($client->get($grants), 403, 'org_credential_required', undef,
    'an application\'s key on the grants');
  error_is($client->delete("$grants/trg_00000000000000000000000000"), 403,
    'org_credential_required', undef, 'nor to revoke one');
};

my %who = (email => 'shared@example.com');
my ($shared) = verify_sharing($service, $source, %who);
subtest 'a decline is as an unknown user' => sub {
  $target->{app}->patch($settings, {enabled => $false});
  my $declined = create_session($target, %who);
  my $unknown = create_session($target, email => 'nobody@example.com');
  is answered($declined), answered($unknown), 'body and headers';
  my @existing = map { create_session($target, accept_existing => $true, email => $_) }
    $who{email}, 'nobody@example.com';
  is answered($existing[0]), answered($existing[1]), 'with accept_existing';
  $target->{app}->patch($settings, {enabled => $true, accept_liability => $true});
};

subtest 'a reuse, its grant, its revocation' => sub {
  my @endpoints = map { answer_is($_->post('/v1/webhook_endpoints',
    {url => 'https://127.0.0.1:1/', enabled_events => ['*']}), 201) }
    $target->{app}, $target->{client}, $source->{app}, $source->{client};
  my $session = answer_is(create_session($target, %who), 201);
  is_deeply [@$session{qw(status verification_path)}], ['verified', 'trust_reuse'],
    'verified by trust_reuse';
  is_deeply [events_of($target, $session->{id})], ['session.verified'], 'one event';
  my $list = answer_is($target->{client}->get($grants), 200);
  shape_is($list, {object => ['list'], url => [$grants], has_more => [$false],
    data => 'array', 'total_count?' => 'integer'}, 'list');
  my $grant = $list->{data}[0];
  my %shape = (object => ['trust_reuse_grant'], id => qr/\Atrg_[0-9a-z]+\z/,
    source_org_id => [$source->{id}], target_org_id => [$target->{id}],
    session_id => [$session->{id}], verified_person_id => qr/\Avp_/,
    method => ['DOCUMENT_CAPTURE'], age_tier => qr/\AMIN_AGE_(?:13|16|18|21)\z/,
    strength => ['DOCUMENT_CAPTURE'], granted_at => $iso, expires_at => $iso,
    revoked_at => 'null', revoked_reason => 'null');
  shape_is($grant, \%shape, 'every field and no other');
  ok $grant->{granted_at} lt $grant->{expires_at}, 'granted before it expires';
  my ($created) = events_of($target, $grant->{id}, 'trust_reuse_grant.created');
  is_deeply $created->{data}{object}, $grant, 'data.object is the grant';
  my $revoked = answer_is($target->{client}->delete("$grants/$grant->{id}"), 200);
  shape_is($revoked, {%shape, revoked_at => $iso,
    revoked_reason => ['TARGET_OPERATOR_REVOKED']}, 'answers the grant');
  is_deeply answer_is($target->{client}->delete("$grants/$grant->{id}"), 200),
    $revoked, 'again: unchanged';
  my @told = events_of($target, $grant->{id}, 'trust_reuse_grant.revoked');
  is @told, 1, 'one event';
  is_deeply $told[0]{data}{object}, $revoked, 'with the grant';
  is $target->{client}->get("$sessions/$session->{id}")->json->{status}, 'verified',
    'does not invalidate sessions already verified';
  my @sent = map {
    my $client = $_->{application_id} ? $target->{app} : $target->{client};
    [sort map { $_->{event_type} } @{$client->get(
      "/v1/webhook_endpoints/$_->{id}/deliveries")->json->{data}}];
  } @endpoints[0, 1];
  is_deeply $_, [qw(trust_reuse_grant.created trust_reuse_grant.revoked
    verification_session.verified)], 'sent to its endpoints' for @sent;
  is_deeply [map { @{$source->{client}->get(
    "/v1/webhook_endpoints/$_->{id}/deliveries")->json->{data}} } @endpoints[2, 3]],
    [], 'and not to the source\'s';
  is create_session($target, %who)->json->{status}, 'created',
    'future reuse with that person does not fire';
  error_is($source->{client}->delete("$grants/$grant->{id}"), 404,
    'resource_missing', undef, 'the source cannot revoke it');
  error_is($target->{client}->get("$grants?$_"), 400, 'parameter_invalid',
    (split /=/)[0], $_) for 'limit=0', 'limit=101', 'status=x', 'starting_after=x';
};

my $workflow = {name => 'Reviewed', start => 'id', nodes => {
  id => {type => 'methods', methods => ['document_capture'],
    next => {passed => 'hold', exhausted => 'no'}},
  hold => {type => 'review', next => {approved => 'yes', rejected => 'no'}},
  yes => {type => 'outcome', status => 'verified'},
  no => {type => 'outcome', status => 'failed'}}};
my $first = {%$workflow, start => 'hold', nodes => {%{$workflow->{nodes}},
  hold => {type => 'review', timeout_hours => 168,
    next => {approved => 'id', rejected => 'no'}},
  id => {%{$workflow->{nodes}{id}}, next => {passed => 'yes', exhausted => 'no'}}}};

sub decide {
  my ($session, @decision) = @_;
  return $service->verifyctl(qw(review decide), $session->{id}, @decision,
    qw(--by reviewer-1));
}

subtest 'session review' => sub {
  my $reviewed = $service->organization(sandbox => 1, workflow => $workflow);
  my $early = $service->publish($reviewed->{id}, $first)->{id};
  my $create = sub { answer_is($reviewed->{client}->post($sessions, {type => 'age',
    jurisdiction => 'US-CA', workflow_id => $reviewed->{workflow_id}, @_}), 201) };
  my $held = sub {
    my $session = $create->(@_);
    my $person = $service->client($session->{client_secret});
    my $path = "/v1/widget/sessions/$session->{id}";
    $person->post("$path/open", {});
    $person->post("$path/consent", {consent => $true});
    if (!@_) {
      $person->put("$path/images/front", Verify::Specimen::photograph(),
        'Content-Type' => 'image/jpeg');
      $person->post("$path/submissions", {method => 'document_capture',
        images => ['front']});
    }
    ok wait_for { $reviewed->{client}->get("$sessions/$session->{id}")->json->{status}
      eq 'under_review' }, 'under_review';
    return $session;
  };
  my $status = sub { $reviewed->{client}->get("$sessions/$_[0]{id}")->json->{status} };
  my $images = sub { $service->sql_value('SELECT count(*) FROM evidence
    WHERE session_id = ?', $_[0]{id}) };

  my $approved = $held->();
  is_deeply [events_of($reviewed, $approved->{id})],
    ['session.created', 'session_review.flagged'], 'neither granted nor denied';
  my ($flagged) = events_of($reviewed, $approved->{id}, 'session_review.flagged');
  is $flagged->{data}{object}{session_id}, $approved->{id}, 'session_id';
  ok $images->($approved), 'with imagery';
  decide($approved, 'escalate');
  is $status->($approved), 'under_review', 'escalated: stays under review';
  decide($approved, 'approve');
  is $status->($approved), 'verified', 'approved, nothing remains: verified';
  is_deeply [events_of($reviewed, $approved->{id})], [sort qw(session.created
    session.verified session_review.flagged session_review.escalated
    session_review.approved)], 'one event each';
  is $images->($approved), 0, 'imagery is purged when a review resolves';

  my $rejected = $held->();
  decide($rejected, 'reject');
  is $status->($rejected), 'failed', 'rejected by a person: failed';
  my ($event) = events_of($reviewed, $rejected->{id}, 'session_review.rejected');
  is $event->{data}{object}{decision_evidence}{decided_by}, 'reviewer-1', 'decided_by';
  my ($failed) = events_of($reviewed, $rejected->{id}, 'verification_session.failed');
  shape_is($failed->{data}{object}{last_error}, {code => 'string', message => 'string',
    category => [qw(verification_declined technical_error)]}, 'last_error');
  is_deeply $reviewed->{client}->get("$sessions/$rejected->{id}")->json->{last_error},
    $failed->{data}{object}{last_error}, 'the same as retrieved';
  my ($listed) = grep { $_->{id} eq $rejected->{id} }
    @{$reviewed->{client}->get("$sessions?status=failed")->json->{data}};
  is_deeply $listed->{last_error}, $failed->{data}{object}{last_error}, 'and as listed';
  ok !exists $reviewed->{client}->get("$sessions/$approved->{id}")->json->{last_error},
    'none where nothing failed';

  my $late = $held->();
  $service->sql('UPDATE verification_session SET review_deadline_at = 1000
    WHERE id = ?', $late->{id});
  ok wait_for { $status->($late) eq 'failed' }, 'timeout elapses undecided: failed';
  ($event) = events_of($reviewed, $late->{id}, 'session_review.rejected');
  is $event->{data}{object}{decision_evidence}{decided_by}, 'system_timeout',
    'decided_by system_timeout';
  is $images->($late), 0, 'imagery is purged';

  my $before = $held->(workflow_id => $early);
  decide($before, 'approve');
  is $status->($before), 'requires_input', 'approved with steps left: requires_input';
  ok !(grep { /verified/ } events_of($reviewed, $before->{id})), 'no verified event yet';
  my $cancelled = $held->(workflow_id => $early);
  is answer_is($reviewed->{client}->post("$sessions/$cancelled->{id}/cancel"), 200)
    ->{status}, 'cancelled', 'under_review can be cancelled';

  my $flag = '/v1/session_reviews/sessions/%s/flag';
  my $post = sub { $reviewed->{client}->post(sprintf($flag, $_[0]), $_[1]) };
  is answer_is($post->($approved->{id}, {reason => 'again'}), 200)->{status},
    'under_review', 'a verified one is flagged';
  error_is($post->($_->{id}), 409, 'session_not_flaggable', undef, 'others are not')
    for $approved, $rejected, $cancelled, $before;
  error_is($post->('vks_00000000000000000000000000'), 404, 'session_not_found',
    undef, 'unknown');
  my $skipped = $create->(skip_verification => $true);
  error_is($post->($skipped->{id}, {reason => $_}), 400, 'parameter_invalid',
    'reason', 'reason') for 1, ['x'];
  error_is($post->($skipped->{id}, {why => 'x'}), 400, 'parameter_invalid', 'why');
  decide($approved, 'reject');
  is $status->($approved), 'failed', 'and rejected: failed';
};

subtest 'billing' => sub {
  my $live = $service->organization(workflow => $workflow);
  my $client = $live->{client};
  my %least = (type => 'age', workflow_id => $live->{workflow_id},
    jurisdiction => 'US-CA');
  error_is($client->post($sessions, \%least), 400, 'webhook_required', undef,
    'at least one active endpoint');
  my $endpoint = answer_is($client->post('/v1/webhook_endpoints',
    {url => 'https://127.0.0.1:1/', enabled_events => ['session_review.escalated']}),
    201);
  my $session = answer_is($client->post($sessions, \%least), 201);
  my ($created) = events_of($live, $session->{id}, 'verification_session.created');
  is $created->{data}{object}{livemode}, $true, 'livemode';
  $client->post("/v1/webhook_endpoints/$endpoint->{id}", {status => 'disabled'});
  error_is($client->post($sessions, \%least), 400, 'webhook_required', undef,
    'a disabled one is not active');
  my $app = $service->verifyctl(qw(app create --org), $live->{id}, qw(--name A));
  my $scoped = $service->client($service->key($live->{id}, 'secret', '--app', $app->{id}));
  my $owned = answer_is($scoped->post('/v1/webhook_endpoints',
    {url => 'https://127.0.0.1:1/', enabled_events => ['*']}), 201);
  answer_is($_->post($sessions, \%least), 201, 'an application\'s is the organization\'s')
    for $client, $scoped;
  $scoped->delete("/v1/webhook_endpoints/$owned->{id}");
  error_is($_->post($sessions, \%least), 400, 'webhook_required', undef, 'gone again')
    for $client, $scoped;
  $client->post("/v1/webhook_endpoints/$endpoint->{id}", {status => 'enabled'});
  is $service->verifyctl(qw(org show), $live->{id})->{free_allotment}, 100,
    'the first 100 are free';
  $service->verifyctl(qw(org update), $live->{id}, qw(--free-allotment 0));
  error_is($client->post($sessions, \%least), 402, 'billing_suspended', undef,
    'beyond that, without credits');
  $service->verifyctl(qw(credits add --org), $live->{id}, qw(--amount 2 --note x));
  my @held = map {
    my $one = answer_is($client->post($sessions, \%least), 201);
    $service->sql(q{UPDATE verification_session SET status = 'under_review',
      review_opened_at = created_at, review_deadline_at = expires_at,
      runner = (runner::jsonb || '{"node": "hold"}')::json WHERE id = ?}, $one->{id});
    $one;
  } 1 .. 3;
  my $balance = sub { $service->verifyctl(qw(org show), $live->{id})->{credit_balance} };
  decide($held[0], 'reject');
  is $balance->(), 2, 'failed verifications are never charged';
  is usage($live)->{verifications}, 0, 'and do not count';
  decide($held[1], 'approve');
  is $balance->(), 1, 'a verified one is charged';
  answer_is($client->post("/v1/session_reviews/sessions/$held[1]{id}/flag"), 200);
  decide($held[1], 'reject');
  is $balance->(), 2, 'given back when a review undoes it';
  my $sum = 0;
  $sum += $_->{amount} for @{$service->verifyctl(qw(credits --org), $live->{id})};
  is $sum, 2, 'the ledger adds up';
  $service->verifyctl(qw(org update), $live->{id}, qw(--billing-status suspended));
  error_is($client->post($sessions, \%least), 402, 'billing_suspended', undef,
    'suspended');
  is $client->get($sessions)->status, 200, 'but everything can be read';
  is answer_is($client->post("$sessions/$held[2]{id}/cancel"), 200)->{status},
    'cancelled', 'and cancelled';
};

finish($service);
