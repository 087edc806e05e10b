# A shadow: a version beside the live one of a workflow, which every session is also
# led through that ends. What it finds is compared with a recomputation in
# simulator.t; here is when it takes which sessions, and that nobody notices.
use v5.32;
use warnings;
use Digest::SHA qw(sha256_hex);
use FindBin;
use lib "$FindBin::Bin/../../lib";
use JSON::PP ();
use Storable qw(dclone);
use Verify::Command;
use Verify::Dashboard;
use Verify::Test;
use Verify::Wait;

my $service = Verify::Instance->start(start => 0);
my $command = Verify::Command->new($service);
my $live = {name => 'Document', start => 'id', nodes => {
  id => {type => 'methods', methods => ['document_capture'], max_attempts => 2,
    next => {passed => 'yes', exhausted => 'no'}},
  yes => {type => 'outcome', status => 'verified'},
  no => {type => 'outcome', status => 'failed'}}};
my $strict = dclone($live); # no second attempt
$strict->{nodes}{id}{max_attempts} = 1;
my $who = $service->organization(sandbox => 1, workflow => $live);
my $id = $who->{workflow_id};
my $other = $service->publish($who->{id}, {%$live, name => 'Other'})->{id};
my $dashboard = Verify::Dashboard->prepare($service, olga => "auditor $who->{id}",
  rita => "reviewer $who->{id}", dora => "developer $who->{id}",
  petra => "publisher $who->{id}");
$service->start_httpd;
my ($olga, $rita, $dora, $petra) = map { $dashboard->client($_) } qw(olga rita dora petra);
my $own = "/dashboard/v1/organizations/$who->{id}";

sub create {
  my ($workflow, %more) = @_;
  return answer_is($who->{client}->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $workflow // $id, jurisdiction => 'US-CA', %more}), 201)->{id};
}
sub show {
  my ($session, @values) = @_;
  answer_is($who->{client}->post("/v1/verification_sessions/$session/test_outcome",
    {method => 'document_capture', value => $_}), 200) for @values;
  return $session;
}
sub order { $dora->post("$own/simulations", {workflow_id => $id, kind => 'shadow',
  definition => $strict, @_}) }
sub start { answer_is(order(@_), 201)->{id} }
sub stop { answer_is($dora->post("$own/simulations/$_[0]/stop", {}), 200) }
sub state_of { answer_is($olga->get("$own/simulations/$_[0]"), 200) }
sub waiting { $service->sql_value('SELECT count(*) FROM workflow_shadow_session') }
sub processed {
  my ($job, $count) = @_;
  my $state = wait_for { my $now = state_of($job); $now->{processed} >= $count && $now };
  is $state->{processed}, $count, "$count sessions";
  return $state;
}
sub listed {
  my ($job, $result) = @_;
  return {map { $_->{session_id} => "$_->{before} " . ($_->{after} // $_->{reason}) }
    @{answer_is($olga->get("$own/simulations/$job/sessions?limit=100&result=$result"),
      200)->{data}}};
}
# Lets a session that has ended wait for the shadow once more.
sub queue {
  my ($job, $session, $status) = @_;
  $service->sql('INSERT INTO workflow_shadow_session VALUES (?, ?, ?, ?)', $who->{id}, $job,
    $session, $status);
}

my $before = show(create(), 'passed');
my $job;
subtest 'takes what ends from then on, in its workflow' => sub {
  my $open = create();
  my $made = answer_is(order(), 201);
  $job = $made->{id};
  is_deeply [@$made{qw(kind status processed law)}], ['shadow', 'queued', 0, 'kept'], 'begins';
  is $made->{to} - $made->{from}, 30 * 86_400, 'for thirty days';
  show($open, 'passed');
  my $second = show(create(), 'verification_declined', 'passed');
  my $refused = show(create(), 'verification_declined', 'verification_declined');
  show(create($other), 'verification_declined', 'passed');
  create();
  my $expired = create();
  $service->sql('UPDATE verification_session SET expires_at = created_at - 1 WHERE id = ?',
    $expired);
  processed($job, 4);
  my $born = create(undef, skip_verification => JSON::PP::true);
  my $state = processed($job, 5);
  is_deeply listed($job, 'undetermined'), {$born => 'verified earlier_verification'},
    'one that was born verified';
  is_deeply {map { ("$_->{before} " . ($_->{after} // '?') => $_->{count}) }
    @{$state->{matrix}}}, {'verified verified' => 1, 'verified failed' => 1,
      'failed failed' => 1, 'expired expired' => 1, 'verified ?' => 1}, 'the matrix';
  is_deeply listed($job, 'changed'), {$second => 'verified failed'}, 'which has changed';
  is_deeply [@$state{qw(same changed undetermined ended)}], [3, 1, 1, undef], 'the sums';
  is waiting(), 0, 'nothing waits any more';
};

subtest 'rests while no session ends' => sub {
  my $turns = sub { $service->sql_value(
    'SELECT updated_at FROM workflow_replay WHERE id = ?', $job) };
  my $last = $turns->();
  my $past = answer_is($dora->post("$own/simulations", {workflow_id => $id,
    definition => $strict}), 201)->{id};
  wait_for { state_of($past)->{ended} };
  is $turns->(), $last, 'while another job has its turns';
};

subtest 'is not noticed' => sub {
  my $names = $service->sql(q{SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname NOT IN
      ('workflow_replay', 'workflow_replay_session', 'workflow_shadow_session')});
  my $tables = sub { return {map {
    $_ => $service->sql_value("SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text,
      '' ORDER BY t::text)), '') FROM $_ t") } map { $_->{relname} } @$names} };
  my $then = $tables->();
  cmp_ok scalar keys %$then, '>', 40, 'all tables are looked at';
  queue($job, $before, 'verified');
  processed($job, 6);
  is_deeply $tables->(), $then, 'no row of another table is another';
};

subtest 'does not guess' => sub {
  my $flagged = show(create(), 'passed');
  my $erased = show(create(), 'passed');
  processed($job, 8);
  answer_is($who->{client}->post("/v1/session_reviews/sessions/$flagged/flag", {}), 200);
  $service->sql('UPDATE verification_session SET results = NULL WHERE id = ?', $erased);
  queue($job, $_, 'verified') for $flagged, $erased;
  my $state = processed($job, 10);
  my $listed = listed($job, 'undetermined');
  is_deeply [@$listed{$flagged, $erased}], [('verified record_incomplete') x 2], 'what was flagged or erased before its turn';
  is_deeply {map { $_->{reason} => $_->{count} } @{$state->{undetermined_reasons}}},
    {record_incomplete => 2, earlier_verification => 1}, 'is counted so';
  answer_is($rita->post("$own/reviews/$flagged/claim", {}), 200);
  answer_is($rita->post("$own/reviews/$flagged/decide", {decision => 'reject',
    reason_code => 'fraud_suspected'}), 200);
  show(create(), 'passed');
  processed($job, 11);
  pass 'a session that a flag had held ends but once';
};

subtest 'is found by its workflow' => sub {
  my $ids = sub { [map { $_->{id} } @{answer_is($olga->get("$own/simulations?$_[0]"), 200)
    ->{data}}] };
  my ($past) = @{$ids->('kind=past')};
  my $of_other = start(workflow_id => $other);
  is_deeply $ids->(''), [$of_other, $past, $job], 'there are three jobs';
  is_deeply $ids->("workflow_id=$id"), [$past, $job], 'two of the workflow';
  is_deeply $ids->("workflow_id=$id&kind=shadow"), [$job], 'one is its shadow';
  is_deeply $ids->("workflow_id=$id&kind=shadow&starting_after=$job"), [], '... in pages';
  is_deeply $ids->("kind=shadow&ending_before=$job"), [$of_other], '... and back';
  is_deeply $ids->('workflow_id=wf_00000000000000000000000000'), [], 'none of another';
  is_deeply [map { $_->{id} } @{$command->prints(['simulation', 'list', '--org', $who->{id},
    '--id', $other])}], [$of_other], 'by verifyctl, too';
  error_is $olga->get("$own/simulations?$_->[0]"), 400, 'parameter_invalid', $_->[1]
    for ['kind=both', 'kind'], ['workflow_id=x', 'workflow_id'];
  stop($of_other);
};

subtest 'stays what it was when it began' => sub {
  my $sum = state_of($job)->{compiled_sha256};
  is $sum, sha256_hex($service->sql_value(
    'SELECT compiled::text FROM workflow_replay WHERE id = ?', $job)), 'by its digest';
  $service->publish($who->{id}, {%$live, name => "Newer"}, "--id", $id);
  my $second = show(create(), 'verification_declined', 'passed');
  my $state = processed($job, 12);
  is $state->{compiled_sha256}, $sum, 'also beside a newer version';
  is listed($job, 'changed')->{$second}, 'verified failed', 'whose sessions it takes';
};

subtest 'who may, and what is refused' => sub {
  error_is $_->post("$own/simulations", {workflow_id => $other, kind => 'shadow',
    definition => $strict}), 403, 'operator_role_required' for $olga, $rita;
  error_is order(), 409, 'simulation_limit_reached';
  error_is order(workflow_id => $other, kind => 'both'), 400, 'parameter_invalid', 'kind';
  error_is order(workflow_id => $other, from => time), 400, 'parameter_invalid', 'from';
  error_is order(workflow_id => $other, to => $_), 400, 'parameter_invalid', 'to'
    for time - 1, time + 367 * 86_400;
  error_is order(workflow_id => $other, definition => {}), 422, 'workflow_invalid', 'definition';
  error_is order(workflow_id => 'wf_00000000000000000000000000'), 404, 'resource_missing';
  my @more = map { start(workflow_id => $_) } map {
    $service->publish($who->{id}, {%$live, name => "More $_"})->{id} } 1 .. 9;
  error_is order(workflow_id => $other), 409, 'simulation_limit_reached';
  is stop($_)->{status}, 'stopped', 'makes room' for @more;
};

subtest 'is stopped, also by who retires the workflow' => sub {
  show(create(), 'passed');
  processed($job, 13);
  my $stopped = stop($job);
  is $stopped->{status}, 'stopped', 'by word';
  show(create(), 'passed');
  is waiting(), 0, 'nothing waits for it';
  is_deeply state_of($job), $stopped, 'and what it has found stays';
  my $next = start();
  answer_is($petra->post("$own/workflows/$id/retire", {}), 200);
  is state_of($next)->{status}, 'stopped', 'by a retirement';
  error_is order(), 409, 'workflow_retired', 'workflow_id';
  answer_is($petra->post("$own/workflows/$id/restore", {}), 200);
};

subtest 'ends when its time is over' => sub {
  my $next = start(to => time + 3600);
  show(create(), 'passed');
  processed($next, 1);
  $service->sql('UPDATE workflow_replay SET since_at = since_at - 7200000,
    until_at = created_at - 60000 WHERE id = ?', $next);
  show(create(), 'passed');
  my $done = wait_for { my $now = state_of($next); $now->{ended} && $now };
  is_deeply [@$done{qw(status progress processed)}], ['done', 1, 1],
    'and takes nothing afterwards';
  is waiting(), 0, 'for which nothing waits';
};

# What waits for a job when it ends, by hand: more than a batch.
sub wait_for_job {
  my ($job) = @_;
  queue($job, sprintf('vks_%026d', $_), 'verified') for 1 .. 60;
}
sub waiting_for { $service->sql_value(
  'SELECT count(*) FROM workflow_shadow_session WHERE replay_id = ?', $_[0]) }
# A shadow that nobody works on, as if another node had it.
sub lease {
  my ($job) = @_;
  $service->sql(q{UPDATE workflow_replay SET status = 'running', leased_by = 'other node',
    leased_until = 9999999999999 WHERE id = ?}, $job);
  return $job;
}
subtest 'nothing waits for one that has ended' => sub {
  my $stopped = lease(start());
  wait_for_job($stopped);
  stop($stopped);
  is waiting_for($stopped), 0, 'stopped';
  my $retired = lease(start());
  wait_for_job($retired);
  answer_is($petra->post("$own/workflows/$id/retire", {}), 200);
  is waiting_for($retired), 0, 'retired';
  answer_is($petra->post("$own/workflows/$id/restore", {}), 200);
  my $failed = lease(start());
  wait_for_job($failed);
  $service->sql(q{UPDATE workflow_replay SET compiled = '{}' WHERE id = ?}, $failed);
  $service->allow_log(qr/IDV085[01]: .*\Q$failed\E/);
  $service->sql(q{UPDATE workflow_replay SET leased_by = NULL WHERE id = ?}, $failed);
  ok &wait_for(sub { state_of($failed)->{status} eq 'failed' }), 'one that cannot be done';
  is waiting_for($failed), 0, 'failed';
  my $full = lease(start());
  wait_for_job($full);
  $service->sql(q{UPDATE workflow_replay SET tally = '{"processed": 1000000}',
    leased_by = NULL WHERE id = ?}, $full);
  ok &wait_for(sub { state_of($full)->{status} eq 'done' }), 'one that has seen a million';
  is waiting_for($full), 0, 'done';
};

subtest 'who ended a session while a shadow was stopped' => sub {
  my $job = lease(start());
  my $session = create();
  my $handle = $service->connect_database;
  $handle->begin_work;
  $handle->do('INSERT INTO workflow_shadow_session VALUES (?, ?, ?, ?)', undef, $who->{id},
    $job, $session, 'verified');
  stop($job);
  $handle->commit;
  my $live = lease(start());
  queue($live, $session, 'verified');
  is waiting_for($job), 1, 'commits what nobody will take';
  # A watchdog that starts looks for it a second later, and then every ten minutes.
  $service->allow_log(qr/IDV0320: the watchdog ended/);
  $service->kill_hard($service->watchdog_pid);
  ok &wait_for(sub { !waiting_for($job) }), 'it is removed';
  is waiting_for($live), 1, 'and nothing that waits for one under way';
  stop($live);
};

subtest 'what waits goes with its job' => sub {
  my $old = $service->sql_value(q{SELECT id FROM workflow_replay
    WHERE ended_at IS NOT NULL ORDER BY id LIMIT 1});
  $service->sql(q{INSERT INTO workflow_replay SELECT (json_populate_record(r,
    json_build_object('id', 'sim_' || lpad(i::text, 26, 'z'), 'is_shadow', false))).*
    FROM workflow_replay r, generate_series(1, 50) i WHERE r.id = ?}, $old);
  wait_for_job($old);
  my $made = start();
  is $service->sql_value('SELECT count(*) FROM workflow_replay WHERE id = ?', $old), 0,
    'one is forgotten for a newer one';
  is waiting_for($old), 0, 'with what waited';
  stop($made);
  $service->sql(q{DELETE FROM workflow_replay WHERE id ~ '^sim_z'});
};

subtest 'by verifyctl' => sub {
  my @of = ('--org', $who->{id}, '--id', $id);
  my $draft = answer_is($dora->post("$own/workflow_drafts", {workflow_id => $id,
    definition => $strict}), 201)->{id};
  my $made = $command->prints(['shadow', 'start', @of, '--draft', $draft, '--days', 2]);
  is_deeply [@$made{qw(kind status draft_id)}], ['shadow', 'queued', $draft], 'starts';
  is $made->{to} - $made->{from}, 2 * 86_400, 'for two days';
  my $second = show(create(), 'verification_declined', 'passed');
  processed($made->{id}, 1);
  my $shown = $command->prints(['shadow', 'show', @of]);
  $command->refuses([@$_, '--org', $who->{id}, '--id', 'wf_none', '--draft', $draft],
    qr/no such workflow\. \(--id wf_none\)/) for [qw(shadow start)], [qw(simulation create)];
  is_deeply {%$shown, progress => 0}, {%{state_of($made->{id})}, progress => 0},
    'shows what the route shows';
  is $command->prints(['simulation', 'sessions', $made->{id}, '--org', $who->{id}])
    ->[0]{session_id}, $second, 'lists the session';
  is $command->prints(['shadow', 'stop', @of])->{status}, 'stopped', 'stops';
  is $command->prints(['shadow', 'show', @of])->{id}, $made->{id}, 'shows the last one';
};

$service->stop;
finish;
