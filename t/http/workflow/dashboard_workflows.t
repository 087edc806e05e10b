# Workflows in the dashboard: what is published, drafts that several people have
# open, what is asked of a definition, scenarios, and publishing by two people.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use JSON::PP ();
use Storable qw(dclone);
use Verify::Dashboard;
use Verify::Test;

my $json = JSON::PP->new->utf8->canonical;
my ($true, $false) = (JSON::PP::true, JSON::PP::false);
my $definition = {name => 'Shop', session_types => ['age'], jurisdictions => ['GB', 'DE'],
  start => 'screen', nodes => {
    screen => {type => 'checks', checks => ['ip_analysis'],
      next => {low => 'id', medium => 'hold', high => 'denied'}},
    hold => {type => 'review', next => {approved => 'id', rejected => 'denied'}},
    id => {type => 'methods', mode => 'any_of', methods => ['mdl', 'document_capture'],
      max_attempts => 2, next => {passed => 'granted', exhausted => 'denied'}},
    granted => {type => 'outcome', status => 'verified'},
    denied => {type => 'outcome', status => 'failed'}}};
my $service = Verify::Instance->start(start => 0);
my $who = $service->organization(sandbox => 1, workflow => $definition);
my $other = $service->organization(sandbox => 1);
my %role = (olga => 'auditor', dora => 'developer', paul => 'publisher', Paul => 'publisher',
  petra => 'publisher');
my $dashboard = Verify::Dashboard->prepare($service,
  map { $_ => "$role{$_} $who->{id}" } keys %role);
$service->start_httpd;
my %client = map { $_ => $dashboard->client($_) } keys %role;
my ($olga, $dora, $paul, $petra) = @client{qw(olga dora paul petra)};
my $own = "/dashboard/v1/organizations/$who->{id}";
my $id = $who->{workflow_id};

# --- what is published ---

subtest 'what is published' => sub {
  my $list = answer_is($olga->get("$own/workflows"), 200);
  is_deeply [map { $_->{id} } @{$list->{data}}], [$id], 'the one that there is';
  my $workflow = answer_is($olga->get("$own/workflows/$id"), 200);
  is_deeply [@$workflow{qw(name version_number drafts scenarios)}], ['Shop', 1, 0, 0],
    'with its numbers';
  is_deeply $workflow->{methods}, ['ip_analysis', 'mdl', 'document_capture'], 'its methods and checks';
  is_deeply $workflow->{trust_reuse},
    {accept => $false, applications => [], effective => $false}, 'accepts nothing';
  my $versions = answer_is($olga->get("$own/workflows/$id/versions"), 200)->{data};
  is_deeply [map { [@$_{qw(id number is_live published_by)}] } @$versions],
    [[$workflow->{version_id}, 1, $true, $ENV{SUDO_USER} // (getpwuid $<)[0]]], 'one version';
  my $path = "$own/workflows/$id/versions/$workflow->{version_id}";
  my $version = answer_is($olga->get($path), 200);
  is_deeply $version->{definition}, $definition, 'as it was published';
  is_deeply $version->{warnings}, answer_is($dora->post("$own/workflows/check",
    {definition => $definition}), 200)->{warnings}, 'with its warnings';
  is_deeply answer_is($olga->get("$path/definition"), 200), $definition, 'the export';
  error_is $olga->get("$own/workflows/wf_00000000000000000000000000"), 404,
    'resource_missing';
  error_is $olga->get("$own/workflows/wf_00000000000000000000000000/versions"), 404,
    'resource_missing';
  error_is $olga->get("$own/workflows/$id/versions/wfv_00000000000000000000000000"), 404,
    'resource_missing';
};

subtest 'retiring' => sub {
  my $old = $service->publish($who->{id}, {%$definition, name => 'Old'})->{id};
  my $create = sub { $who->{client}->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $old, jurisdiction => 'GB'}) };
  my $running = answer_is($create->(), 201, 'a session');
  answer_is $create->(), 201, 'another, on what is remembered';
  error_is $dora->post("$own/workflows/$old/retire", {}), 403, 'operator_role_required';
  my $since = answer_is($paul->post("$own/workflows/$old/retire", {}), 200, 'retired')
    ->{retired_at};
  ok $since, 'since when';
  is answer_is($paul->post("$own/workflows/$old/retire", {}), 200, 'again')->{retired_at},
    $since, '... as before';
  error_is $create->(), 409, 'workflow_retired', 'workflow_id', 'takes no new session';
  my $person = $service->client($running->{client_secret});
  is $person->post("/v1/widget/sessions/$running->{id}/open", {})->status, 200,
    'what runs goes on';
  my @lists = map { [map { $_->{id} } @{$service->verifyctl(qw(workflow list --org),
    $who->{id}, @$_)}] } [], ['--live'];
  is_deeply [map { scalar grep { $_ eq $old } @$_ } @lists], [1, 0], 'lists can leave it out';
  is answer_is($paul->post("$own/workflows/$old/restore", {}), 200, 'restored')
    ->{retired_at}, undef, 'not any more';
  answer_is $create->(), 201, 'sessions begin again';
  is $service->verifyctl(qw(workflow retire), $old, '--org', $who->{id})->{id}, $old,
    'verifyctl does it, too';
  error_is $create->(), 409, 'workflow_retired', 'workflow_id';
  $service->verifyctl(qw(workflow restore), $old, '--org', $who->{id});
  error_is $paul->post("$own/workflows/wf_00000000000000000000000000/retire", {}), 404,
    'resource_missing';
};

subtest 'whether others\' verifications are accepted' => sub {
  my $application =
    $service->verifyctl(qw(app create --org), $who->{id}, qw(--name Till))->{id};
  my $accepting = $service->publish($who->{id}, {%$definition, name => 'Reuse',
    trust_reuse => {accept => $true}})->{id};
  my $reuse = sub { $olga->get("$own/workflows/$accepting")->json->{trust_reuse} };
  is_deeply $reuse->(), {accept => $true, effective => $false,
    applications => [{id => $application, name => 'Till', enabled => $false}]},
    'accepted by the workflow, and by no application: without effect';
  $service->sql(<<'SQL', $who->{id}, $application);
    INSERT INTO trust_reuse_settings
    VALUES (?, ?, true, 90, true, '{}', 1, 1)
SQL
  is_deeply [@{$reuse->()}{qw(accept effective)}], [$true, $true], 'and by one';
};

subtest 'a retired application' => sub {
  my $application =
    $service->verifyctl(qw(app create --org), $who->{id}, qw(--name Kiosk))->{id};
  my $client = $service->client($service->key($who->{id}, 'secret', '--app', $application));
  my $create = sub { $_[0]->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $id, jurisdiction => 'GB'}) };
  my $running = answer_is($create->($client), 201, 'a session');
  ok $service->verifyctl(qw(app retire), $application, '--org', $who->{id})->{retired_at},
    'retired';
  error_is $create->($client), 409, 'application_retired', undef, 'its keys begin none';
  answer_is $client->get("/v1/verification_sessions/$running->{id}"), 200, 'they read theirs';
  answer_is $create->($who->{client}), 201, 'others begin some';
  is_deeply [grep { $_->{id} eq $application } @{$service->verifyctl(qw(app list --live --org),
    $who->{id})}], [], 'lists can leave it out';
  is $service->verifyctl(qw(app restore), $application, '--org', $who->{id})->{retired_at},
    undef, 'restored';
  answer_is $create->($client), 201, 'and begins some again';
};

# --- questions about definitions ---

subtest 'faults and warnings' => sub {
  my $broken = dclone($definition);
  $broken->{nodes}{id}{methods} = ['palm_reading'];
  $broken->{nodes}{id}{next}{passed} = 'nowhere';
  my $check = answer_is($dora->post("$own/workflows/check", {definition => $broken}), 200);
  is $check->{valid}, $false, 'is not valid';
  is_deeply [sort map { $_->{pointer} } @{$check->{faults}}],
    ['/nodes/id/methods/0', '/nodes/id/next/passed'], 'each fault has its place';
  is answer_is($dora->post("$own/workflows/check", {definition => $definition}), 200)
    ->{valid}, $true, 'the other is';
  error_is $dora->post("$own/workflows/check", {}), 400, 'parameter_invalid', 'definition';
  error_is $dora->post("$own/workflows/check", {definition => {}, draft_id =>
    'wfd_00000000000000000000000000'}), 400, 'parameter_invalid', 'definition', 'two';
  error_is $dora->post("$own/workflows/check",
    {version_id => 'wfv_00000000000000000000000000'}), 404, 'resource_missing';
  error_is $dora->post("$own/workflows/paths", {definition => $broken, type => 'age'}),
    422, 'workflow_invalid', 'definition', 'no ways through faults';
  error_is $olga->post("$own/workflows/check", {definition => $definition}), 403,
    'operator_role_required';
};

subtest 'ways' => sub {
  my $report = answer_is($dora->post("$own/workflows/paths",
    {definition => $definition, type => 'age'}), 200);
  is_deeply [map { $_->{jurisdiction} } @{$report->{jurisdictions}}], ['GB', 'DE'],
    'each jurisdiction';
  my $one = answer_is($dora->post("$own/workflows/paths",
    {definition => $definition, type => 'age', jurisdiction => 'GB'}), 200)
    ->{jurisdictions}[0];
  is_deeply [$one->{count}, $one->{verifying}, scalar @{$one->{paths}}], [6, 2, 6],
    'six ways, two of which verify';
  is_deeply $report->{jurisdictions}[0], {%$one, paths => [], truncated => $true},
    'the same without the list';
  is $one->{weakest}{evidence}{method}, 'document_capture', 'the weakest evidence';
};

subtest 'what changes' => sub {
  my $after = dclone($definition);
  $after->{nodes}{id}{max_attempts} = 5;
  delete $after->{jurisdictions};
  my $live = $olga->get("$own/workflows/$id")->json->{version_id};
  my $diff = answer_is($olga->post("$own/workflows/diff",
    {before => {version_id => $live}, after => {definition => $after}}), 200);
  is_deeply $diff->{changes}, [
    {pointer => '/jurisdictions', change => 'removed', before => ['GB', 'DE'],
      after => undef},
    {pointer => '/nodes/id/max_attempts', change => 'changed', before => 2, after => 5}],
    'two members';
  error_is $olga->post("$own/workflows/diff", {before => {}, after => {definition => {}}}),
    400, 'parameter_invalid', 'before.definition';
  error_is $olga->post("$own/workflows/diff",
    {before => {definition => {}}, after => {version_id => 'x'}}), 400,
    'parameter_invalid', 'after.version_id';
};

# --- the sandbox ---

my @passes = ({input => 'open'}, {input => 'checks', risk => 'low'}, {input => 'consent',
  }, {input => 'method', method => 'document_capture', result => 'passed'});
sub tables {
  my $handle = $service->connect_database;
  my $names = $handle->selectcol_arrayref(q{SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1});
  return {map {
    $_ => $handle->selectrow_array(
      "SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, '' ORDER BY t::text)), '')
         FROM $_ t")
  } @$names};
}

subtest 'a session that nobody has' => sub {
  my $before = tables();
  cmp_ok scalar keys %$before, '>', 30, 'all tables are looked at';
  my $simulation = answer_is($dora->post("$own/workflows/simulate",
    {definition => $definition, type => 'age', jurisdiction => 'GB', scenario => \@passes}),
    200);
  is_deeply [map { $_->{status} } @{$simulation->{steps}}],
    [qw(created pending pending pending verified)], 'goes its way';
  my $event = $simulation->{steps}[-1]{events}[0];
  is $event->{type}, 'verification_session.verified', 'would be announced';
  my $body = $json->decode($event->{body});
  is $body->{data}{object}{status}, 'verified', 'with this body';
  my $live = $olga->get("$own/workflows/$id")->json->{version_id};
  answer_is($dora->post("$own/workflows/simulate", {version_id => $live, type => 'age',
    jurisdiction => 'DE', scenario => [{input => 'open'}, {input => 'approve'}]}), 200,
    'a version');
  error_is $dora->post("$own/workflows/simulate", {definition => $definition,
    type => 'age', scenario => []}), 422, 'jurisdiction_unresolvable';
  error_is $dora->post("$own/workflows/simulate", {definition => $definition,
    type => 'age', jurisdiction => 'GB', scenario => [{input => 'dance'}]}), 400,
    'parameter_invalid', 'scenario[0].input';
  is_deeply tables(), $before, 'and no row of any table is another';
};

# --- drafts ---

my ($draft, $tag);
subtest 'a draft' => sub {
  my $answer = $dora->post("$own/workflow_drafts", {workflow_id => $id},
    'Idempotency-Key' => 'begin');
  $draft = answer_is($answer, 201);
  $tag = $answer->header('ETag');
  is $draft->{etag}, $tag, 'has a tag';
  is_deeply $draft->{definition}, $definition, 'begins with the live version';
  is_deeply [@$draft{qw(is_new base_is_live valid created_by updated_by name)}],
    [$false, $true, $true, 'dora', 'dora', 'Shop'], 'and says so';
  is $dora->post("$own/workflow_drafts", {workflow_id => $id},
    'Idempotency-Key' => 'begin')->json->{id}, $draft->{id}, 'is begun once by one key';
  is_deeply [map { $_->{id} } @{$olga->get("$own/workflow_drafts?workflow_id=$id")
    ->json->{data}}], [$draft->{id}], 'is listed';
  is $olga->get("$own/workflows/$id")->json->{drafts}, 1, 'and counted';
  error_is $olga->post("$own/workflow_drafts", {workflow_id => $id}), 403,
    'operator_role_required';
  error_is $dora->post("$own/workflow_drafts", {workflow_id =>
    'wf_00000000000000000000000000'}), 404, 'resource_missing';
  error_is $dora->post("$own/workflow_drafts", {application_id =>
    'app_00000000000000000000000000'}), 400, 'parameter_invalid', 'application_id';
};

subtest 'two people at one draft' => sub {
  my $path = "$own/workflow_drafts/$draft->{id}";
  my $changed = dclone($definition);
  $changed->{nodes}{id}{next}{passed} = 'nowhere';
  error_is $dora->put($path, {definition => $changed}), 428, 'if_match_required';
  error_is $dora->put($path, {definition => $changed}, 'If-Match' => '*'), 428,
    'if_match_required';
  error_is $dora->put($path, {definition => $changed}, 'If-Match' => '"9"'), 412,
    'precondition_failed';
  error_is $dora->put($path, {definition => $changed}, 'If-Match' => "W/$tag"), 412,
    'precondition_failed', undef, 'a weak tag';
  my $saved = $petra->put($path, {definition => $changed}, 'If-Match' => $tag);
  is answer_is($saved, 200)->{valid}, $false, 'a draft may have faults';
  isnt $saved->header('ETag'), $tag, 'the tag is another';
  is_deeply [@{$saved->json}{qw(updated_by created_by)}], ['petra', 'dora'], 'by whom';
  error_is $dora->put($path, {definition => $definition}, 'If-Match' => $tag), 412,
    'precondition_failed', undef, 'who did not see that';
  $tag = $saved->header('ETag');
  my $same = $dora->put($path, {definition => $changed},
    'If-Match' => '"9", ' . $tag =~ s/"\z/-gzip"/r);
  is answer_is($same, 200)->{updated_by}, 'petra', 'who changes nothing has not edited';
  is $same->header('ETag'), $tag, 'and the tag is the same';
  error_is $paul->post("$path/publish", {}, 'If-Match' => $tag), 422, 'workflow_invalid',
    'definition', 'faults are not published';
  error_is $dora->put($path, {definition => {name => 'x' x 300_000}}, 'If-Match' => $tag),
    413, 'body_too_large', 'definition';
  my $mended = $petra->put($path, {definition => {%$definition,
    name => 'Shop 2'}}, 'If-Match' => $tag);
  is answer_is($mended, 200)->{name}, 'Shop 2', 'mended';
  $tag = $mended->header('ETag');
};

# --- scenarios ---

my $scenario;
subtest 'scenarios' => sub {
  my $path = "$own/workflows/$id/scenarios";
  my %what = (name => 'A licence', type => 'age', jurisdiction => 'GB',
    scenario => \@passes, expected => {status => 'verified', node => 'granted'});
  $scenario = answer_is($dora->post($path, \%what), 201);
  is_deeply [@$scenario{keys %what}], [values %what], 'is kept';
  my $longer = {%what, name => 'Two', expected => {status => 'failed', node => undef,
    events => ['verification_session.created', 'verification_session.verified']}};
  my $second = answer_is($dora->post($path, $longer), 201);
  is_deeply [map { $_->{id} } @{$olga->get($path)->json->{data}}],
    [$second->{id}, $scenario->{id}], 'newest first';
  my $run = answer_is($dora->post("$path/run", {definition => $definition}), 200);
  is_deeply [@$run{qw(passed changed)}], [1, 1], 'one is as expected';
  is_deeply [sort @{$run->{results}[0]{differences}}], [qw(node status)], 'the other in two things';
  $longer->{expected} = $run->{results}[0]{actual};
  error_is $dora->put("$path/$second->{id}", $longer), 428, 'if_match_required';
  error_is $dora->put("$path/$second->{id}", $longer, 'If-Match' => '"1"'), 412,
    'precondition_failed';
  my $seen = $olga->get("$path/$second->{id}");
  is $seen->header('ETag'), $second->{etag}, 'its tag, which the object has as well';
  my $put = $dora->put("$path/$second->{id}", $longer, 'If-Match' => $second->{etag});
  is answer_is($put, 200)->{etag}, $put->header('ETag'), 'replaced, and of another tag';
  error_is $dora->put("$path/$second->{id}", $longer, 'If-Match' => $second->{etag}), 412,
    'precondition_failed', undef, 'what was seen before is over';
  error_is $dora->put("$path/wfs_00000000000000000000000000", $longer,
    'If-Match' => $second->{etag}), 404, 'resource_missing';
  is $dora->post("$path/run", {draft_id => $draft->{id}})->json->{passed}, 2,
    'replaced by what comes: both';
  is answer_is($dora->delete("$path/$second->{id}"), 200)->{deleted}, $true, 'deleted';
  error_is $olga->get("$path/$second->{id}"), 404, 'resource_missing';
  error_is $dora->post($path, {%what, expected => {}}), 400, 'parameter_invalid',
    'expected.status';
  error_is $dora->post($path, {%what, expected => {status => 'verified', mood => 1}}), 400,
    'parameter_invalid', 'expected.mood';
  error_is $dora->post("$own/workflows/wf_00000000000000000000000000/scenarios", \%what),
    404, 'resource_missing';
  answer_is($dora->post($path, {%what, name => "No. $_"}), 201) for 2 .. 50;
  error_is $dora->post($path, \%what), 409, 'scenario_limit_reached';
  $service->sql('DELETE FROM workflow_scenario WHERE id <> ?', $scenario->{id});
};

# --- publishing ---

subtest 'publishing' => sub {
  my $path = "$own/workflow_drafts/$draft->{id}";
  my $session = answer_is($who->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $id, jurisdiction => 'GB'}), 201, 'a session under way');
  error_is $dora->post("$path/publish", {}, 'If-Match' => $tag), 403,
    'operator_role_required', undef, 'a developer publishes nothing';
  error_is $paul->post("$path/publish", {}), 428, 'if_match_required';
  error_is $paul->post("$path/publish", {}, 'If-Match' => '"1"'), 412,
    'precondition_failed';

  my $changed = {%$definition, name => 'Shop 2', nodes => {%{$definition->{nodes}},
    id => {%{$definition->{nodes}{id}}, methods => ['mdl']}}};
  my $saved = $petra->put($path, {definition => $changed}, 'If-Match' => $tag);
  answer_is($saved, 200);
  $tag = $saved->header('ETag');
  my $refusal = $paul->post("$path/publish", {}, 'If-Match' => $tag);
  error_is $refusal, 409, 'workflow_scenarios_changed', undef, 'a scenario comes out otherwise';
  like $refusal->error->{message}, qr/\Q$scenario->{id}\E/, '... and is named';
  error_is $paul->post("$path/publish", {accept_changed_scenarios =>
    ['wfs_00000000000000000000000000']}, 'If-Match' => $tag), 400, 'parameter_invalid',
    'accept_changed_scenarios[0]';

  # Petra has written it; with four eyes she does not publish it.
  is $service->verifyctl(qw(org four-eyes), $who->{id}, qw(--publish on))->{publish}, $true,
    'four eyes';
  is_deeply $olga->get($own)->json->{four_eyes}, {publish => $true,
    reject => JSON::PP::false, erase => JSON::PP::false}, '... are seen';
  error_is $_->post("$path/publish", {accept_changed_scenarios => [$scenario->{id}]},
    'If-Match' => $tag), 403, 'four_eyes_required' for $petra;
  my $mine = $paul->post("$own/workflow_drafts", {workflow_id => $id});
  error_is $client{Paul}->post("$own/workflow_drafts/" . $mine->json->{id} . '/publish', {},
    'If-Match' => $mine->header('ETag')), 403, 'four_eyes_required', undef,
    'by whatever case of the name';

  my $published = answer_is($paul->post("$path/publish",
    {accept_changed_scenarios => [$scenario->{id}]}, 'If-Match' => $tag), 200);
  is_deeply $published->{scenarios}, {passed => 0, accepted => [$scenario->{id}]},
    'published';
  my $workflow = $olga->get("$own/workflows/$id")->json;
  is_deeply [@$workflow{qw(version_id version_number name)}],
    [$published->{version_id}, 2, 'Shop 2'], 'is live';
  is $olga->get("$own/workflows/$id/versions")->json->{data}[0]{published_by}, 'paul',
    'by whom';
  error_is $olga->get($path), 404, 'resource_missing', undef, 'the draft is gone';
  is $olga->get("$own/workflows/$id/scenarios/$scenario->{id}")->json->{expected}{status},
    'pending', 'what was accepted is expected';
  is $service->sql_value('SELECT workflow_version_id FROM verification_session WHERE id = ?',
    $session->{id}), $olga->get("$own/workflows/$id/versions")->json->{data}[1]{id},
    'the session under way keeps its version';
  my $later = answer_is($who->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $id, jurisdiction => 'GB'}), 201);
  is_deeply $later->{methods}, ['ip_analysis', 'mdl'], 'the next one has the new one';

  # Paul's draft was begun before that.
  is $olga->get("$own/workflow_drafts/" . $mine->json->{id})->json->{base_is_live}, $false,
    'another draft is told';
  $path = "$own/workflow_drafts/" . $mine->json->{id} . '/publish';
  error_is $petra->post($path, {}, 'If-Match' => $mine->header('ETag')), 409,
    'draft_outdated';
  is answer_is($petra->post($path, {replace_version_id => $published->{version_id},
    accept_changed_scenarios => [$scenario->{id}]}, 'If-Match' => $mine->header('ETag'),
    'Idempotency-Key' => 'back'), 200)->{name}, 'Shop', 'knowingly it goes';
  is $petra->post($path, {replace_version_id => $published->{version_id},
    accept_changed_scenarios => [$scenario->{id}]}, 'If-Match' => $mine->header('ETag'),
    'Idempotency-Key' => 'back')->header('Idempotent-Replayed'), 'true', 'once';
};

subtest 'a new workflow' => sub {
  my $new = answer_is($dora->post("$own/workflow_drafts", {}), 201);
  is_deeply [@$new{qw(is_new valid base_version_id base_is_live)}],
    [$true, $true, undef, undef], 'begins as one that has no faults';
  error_is $olga->get("$own/workflows/$new->{workflow_id}"), 404, 'resource_missing';
  my $path = "$own/workflows/$new->{workflow_id}/scenarios";
  answer_is($dora->post($path, {name => 'Opened', type => 'age', jurisdiction => 'FR',
    scenario => [{input => 'open'}], expected => {status => 'pending'}}), 201,
    'has scenarios already');
  my $gone = answer_is($dora->post("$own/workflow_drafts", {definition => {}}), 201);
  is $gone->{valid}, $false, 'one with nothing in it';
  error_is $dora->delete("$own/workflow_drafts/$gone->{id}"), 428, 'if_match_required';
  is answer_is($dora->delete("$own/workflow_drafts/$gone->{id}",
    'If-Match' => $gone->{etag}), 200)->{deleted}, $true, 'is deleted';
  my $published = answer_is($petra->post("$own/workflow_drafts/$new->{id}/publish", {},
    'If-Match' => $new->{etag}), 200);
  is $published->{workflow_id}, $new->{workflow_id}, 'published under the id it had';
  is $published->{scenarios}{passed}, 1, 'with its scenario';
  is $olga->get("$own/workflows/$new->{workflow_id}")->json->{version_number}, 1,
    'as version 1';
  my $dropped = answer_is($dora->post("$own/workflow_drafts", {}), 201);
  answer_is($dora->post("$own/workflows/$dropped->{workflow_id}/scenarios", {name => 'x',
    type => 'age', jurisdiction => 'FR', scenario => [],
    expected => {status => 'created'}}), 201);
  answer_is($dora->delete("$own/workflow_drafts/$dropped->{id}",
    'If-Match' => $dropped->{etag}), 200);
  is $service->sql_value('SELECT count(*) FROM workflow_scenario WHERE workflow_id = ?',
    $dropped->{workflow_id}), 0, 'what is never published leaves no scenarios';
};

subtest 'how many drafts' => sub {
  answer_is($dora->post("$own/workflow_drafts", {workflow_id => $id}), 201) for 1 .. 20;
  error_is $dora->post("$own/workflow_drafts", {workflow_id => $id}), 409,
    'draft_limit_reached';
  my $page = answer_is($olga->get("$own/workflow_drafts?limit=5"), 200);
  is_deeply [scalar @{$page->{data}}, $page->{has_more}], [5, $true], 'a page';
  ok !exists $page->{data}[0]{definition}, 'without definitions';
};

subtest 'the record' => sub {
  my @actions = @{$olga->get("$own/audit?limit=100")->json->{data}};
  my ($publish) = grep { $_->{action} =~ m{/publish\z} } @actions;
  is_deeply [@$publish{qw(actor role)}], ['petra', 'publisher'], 'who published';
  like $publish->{subject}, qr/\Awfv_/, 'which version';
  is_deeply [grep { $_->{action} =~ m{/(?:check|paths|simulate|diff|run)\z} } @actions], [],
    'questions leave no trace';
  is $service->verifyctl(qw(audit verify --org), $who->{id})->{valid} // $true, $true,
    'the chain holds';
};

finish $service;
