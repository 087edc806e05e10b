# What a job of the simulator reads, and what the end of a session reads to learn
# whether its workflow has a shadow: by indexes, however many sessions, jobs and
# waiting sessions there are and whatever the statistics say.
use v5.32;
use warnings;
use Verify::Queries qw(plan_nodes query_plan);
use Verify::Test;

use constant ROWS => $ENV{VERIFY_PLAN_ROWS} // 40_000;

my $service = Verify::Instance->start(start => 0);
my $handle = $service->connect_database;
my @tables = qw(workflow_replay workflow_replay_session workflow_shadow_session
  verification_session);
my %is_large = map { $_ => 1 } @tables;
$handle->do("ALTER TABLE $_ SET (autovacuum_enabled = off)") for @tables;

# Jobs of many organizations, nearly all of which have ended, two shadows and a past
# one; what waits for one of the shadows; sessions. Besides, shadows that are open and
# that nothing waits for, up to 10,000.
sub add {
  my ($first, $last) = @_;
  $handle->do($_, undef, $first, $last) for <<'SQL', <<'SQL', <<'SQL', <<'SQL', <<'SQL';
INSERT INTO workflow_replay (organization_id, id, workflow_id, compiled, law, since_at,
  until_at, position, last_position, status, created_by, created_at, updated_at,
  ended_at, is_shadow)
SELECT CASE WHEN i <= 50 THEN 'org_large' ELSE 'org_' || i % 1000 END, 'sim_' || lpad(i::text, 26, '0'),
       'wf_' || i % 10, '{}', 'kept', 1, 10, 'vks_0', 'vks_1',
       CASE WHEN i <= 3 THEN 'running' ELSE 'done' END, 'dora', i, i,
       CASE WHEN i > 3 THEN i END, i % 3 <> 0
  FROM generate_series(?::integer, ?::integer) i
SQL
INSERT INTO workflow_replay (organization_id, id, workflow_id, compiled, law, since_at,
  until_at, position, last_position, status, created_by, created_at, updated_at,
  leased_until, is_shadow)
SELECT 'org_' || i % 1000, 'sim_open' || lpad(i::text, 22, '0'), 'wf_open' || i, '{}', 'kept', 1,
       1000, 'vks_0', 'vks_1', 'running', 'dora', i, -i, 9223372036854775807, true
  FROM generate_series(?::integer, ?::integer / 4) i
SQL
INSERT INTO workflow_replay_session
SELECT 'org_large', 'sim_' || lpad('1', 26, '0'), 'vks_' || lpad(i::text, 26, '0'),
       CASE WHEN i % 2 = 0 THEN 'changed' ELSE 'undetermined' END, 'verified'
  FROM generate_series(?::integer, ?::integer) i
SQL
INSERT INTO workflow_shadow_session
SELECT 'org_large', 'sim_' || lpad('2', 26, '0'), 'vks_' || lpad(i::text, 26, '0'), 'verified'
  FROM generate_series(?::integer, ?::integer) i
SQL
INSERT INTO verification_session (organization_id, id, workflow_id,
  workflow_version_id, livemode, revision, status, type, methods, metadata,
  created_at, updated_at, expires_at, runner, client_secret_digest)
SELECT 'org_large', 'vks_' || lpad(i::text, 26, '0'), 'wf_2', 'wfv_1', true, 1,
       'verified', 'age', '{document_capture}', '{}', i, i, i, '{}', ''
  FROM generate_series(?::integer, ?::integer) i
SQL
}

my $state;
sub plan_ok {
  my ($what, $pages, $name, $values) = @_;
  for my $mode (qw(generic custom)) {
    my $plan = query_plan($handle, $name, $mode, $values);
    my @faults = map { "$_->{'Node Type'} of $_->{'Relation Name'}" }
      grep { $_->{'Node Type'} eq 'Seq Scan' && $is_large{$_->{'Relation Name'}} }
      plan_nodes($plan);
    my $read = $plan->{'Shared Hit Blocks'} + $plan->{'Shared Read Blocks'};
    ok !@faults && $read <= $pages, "$state, $name, $mode: $what, $read pages"
      or diag join "\n", @faults;
  }
}
my %of = (organization_id => 'org_large');
my $shadow = 'sim_' . sprintf '%026d', 2;
sub plans_ok {
  $state = shift;
  plan_ok('a session of a shadow', 40, 'workflow_replay/queue', {%of, session_id => 'vks_x',
    workflow_id => 'wf_2', status => 'verified', now => 5});
  plan_ok('of none', 20, 'workflow_replay/queue', {%of, session_id => 'vks_x',
    workflow_id => 'wf_9', status => 'verified', now => 5});
  plan_ok('a turn', 60, 'workflow_replay/claim', {now => 100, node => 'n', lease => 10,
    settled => 5});
  plan_ok('what waits', 900, 'workflow_replay/shadow_sessions', {%of, workflow_id => 'wf_2',
    id => $shadow, batch => 50, assessments => 't'});
  plan_ok('what is past', 900, 'workflow_replay/sessions', {%of, workflow_id => 'wf_2',
    position => sprintf('vks_%026d', ROWS / 2), last_position => 'vks_9', batch => 50,
    assessments => 't'});
  plan_ok('a batch is done', 900, 'workflow_replay/advance', {%of, id => $shadow, node => 'n',
    now => 5, position => '', tally => '{}', finished => 'f',
    (map { $_ => '{vks_x}' } qw(session_ids results befores afters reasons)),
    waited => '{' . join(',', map { sprintf 'vks_%026d', $_ } 1 .. 50) . '}'});
  plan_ok('the shadow of a workflow', 120, 'workflow_replay/find_shadow',
    {%of, workflow_id => 'wf_2'});
}

add(1, 20);
$handle->do('ANALYZE');
add(21, ROWS);
plans_ok('statistics of the first');
$handle->do('ANALYZE');
plans_ok('statistics of all');
$handle->disconnect;
finish($service);
