# The queue of reviews is read in the order of deadlines by one index, how reviews
# ended by another, and what is known of a held session by its own rows, however many of each there are and
# whatever the statistics say.
use v5.32;
use warnings;
use Verify::Queries qw(plan_nodes query_plan);
use Verify::Test;

use constant ROWS => $ENV{VERIFY_PLAN_ROWS} // 60_000; # one in three is held

my $service = Verify::Instance->start(start => 0);
my $handle = $service->connect_database;
$handle->do("ALTER TABLE $_ SET (autovacuum_enabled = off)")
  for qw(verification_session review_claim document_sighting credential
  risk_assessment risk_observation review_entry person_identifier);

sub add_sessions {
  my ($first, $last) = @_;
  $handle->do(<<'SQL', undef, $first, $last);
INSERT INTO verification_session (organization_id, id, workflow_id,
  workflow_version_id, livemode, revision, status, type, methods, metadata,
  created_at, updated_at, expires_at, review_opened_at, review_deadline_at,
  verified_person_id, runner, client_secret_digest)
SELECT 'org_' || o, 'vks_' || lpad(i::text, 26, '0'), 'wf_1', 'wfv_1', true, 1,
       CASE WHEN i % 3 = 0 THEN 'under_review' ELSE 'verified' END, 'age',
       '{document_capture}', '{}', i, i, i, i,
       CASE WHEN i % 3 = 0 THEN (i * 7919) % 1000003 END, 'vp_' || i % 100,
       '{"review_flagged": true}', ''
  FROM generate_series(?::integer, ?::integer) i, (VALUES ('large'), ('other')) t (o)
SQL
}

my $state;
sub plan_ok {
  my ($what, $pages, $name, @parameters) = @_;
  for my $mode ($name eq 'review/queue' ? 'bound' : qw(generic custom)) {
    my $plan = query_plan($handle, $name, $mode, @parameters);
    my @faults = map { "$_->{'Node Type'} of $_->{'Relation Name'}" }
      grep { $_->{'Node Type'} eq 'Seq Scan'
        && $_->{'Relation Name'} !~ /\A(?:review_claim|organization)\z/ } plan_nodes($plan);
    my $read = $plan->{'Shared Hit Blocks'} + $plan->{'Shared Read Blocks'};
    ok !@faults && $read <= $pages, "$state, $name, $mode: $what, $read pages"
      or diag join "\n", @faults;
  }
}
my @large = ('org_large');
my $one = sprintf 'vks_%026d', 3 * int ROWS / 6;
sub queue_ok {
  $state = shift;
  plan_ok('the first page', 1600, 'review/queue', @large, 0, '', 5, 'f', 101,
    (undef) x 4);
  plan_ok('from the middle', 1600, 'review/queue', @large, 500_000, $one, 5, 'f', 101,
    (undef) x 4);
  plan_ok('what nobody has', 3400, 'review/queue', @large, 0, '', 5, 't', 101,
    (undef) x 4);
  plan_ok('whose it is', 20, 'review/assignee', @large, $one);
  plan_ok('how many notes', 20, 'review/count_entries', @large, $one, 'noted');
  plan_ok('who has it', 20, 'review/find_claim', @large, $one, 5);
  plan_ok('who opened it', 20, 'review/opened_by', @large, $one);
  plan_ok('others', 1500, 'review/related', @large, $one, 20);
  plan_ok('of a person', 1500, 'person/list_sessions', @large, 'vp_1', 50);
  plan_ok('assessments', 20, 'risk/of_session', @large, $one, 20);
  # Four blocks of each session besides, for what the customer calls it.
  plan_ok('how they ended', 300 + 4 * 101, 'review/list_ended', @large, $_, 101)
    for undef, sprintf('rve_%026d', ROWS / 2);
}

# The examination of the service reads what is late or ends soon, not all sessions.
sub health_ok {
  for (['health/late_work', 'generic', 100, 1, 1, 1, 1, 10_000],
    ['health/reviews', 'custom', 1200, undef, 0, 5000, 101],
    ['health/reviews', 'custom', 1200, '{org_other}', 0, 5000, 101]) {
    my ($name, $mode, $pages, @parameters) = @$_;
    my $plan = query_plan($handle, $name, $mode, @parameters);
    my $read = $plan->{'Shared Hit Blocks'} + $plan->{'Shared Read Blocks'};
    ok $read <= $pages && !grep({ $_->{'Node Type'} eq 'Seq Scan'
        && $_->{'Relation Name'} eq 'verification_session' } plan_nodes($plan)),
      "$state, $name, $read pages";
  }
}

add_sessions(1, 20);
$handle->do('ANALYZE');
add_sessions(21, ROWS);
# Reviewers have the five hundred that are due next.
$handle->do(<<'SQL');
INSERT INTO review_claim
SELECT organization_id, id, 'anna', 1, 10
  FROM verification_session
 WHERE organization_id = 'org_large' AND status = 'under_review'
 ORDER BY review_deadline_at, id
 LIMIT 500
SQL
$handle->do($_, undef, ROWS) for <<'SQL', <<'SQL', <<'SQL', <<'SQL', <<'SQL', <<'SQL', <<'SQL';
INSERT INTO review_entry (organization_id, session_id, number, id, action,
  actor, deadline_at, created_at)
SELECT 'org_large', 'vks_' || lpad(i::text, 26, '0'), 1,
       'rve_' || lpad(i::text, 26, '0'),
       CASE WHEN i % 10 = 0 THEN 'rejected' ELSE 'flagged' END, 'key_1',
       CASE WHEN i % 10 > 0 THEN i END, i
  FROM generate_series(1, ?::integer) i
SQL
INSERT INTO person_identifier
SELECT 'org_large', 'email', decode(lpad(to_hex(i), 8, '0'), 'hex'),
       'vp_' || i % 100, i
  FROM generate_series(1, ?::integer) i
SQL
INSERT INTO document_sighting
SELECT 'org_large', decode(lpad(to_hex(i % 50), 8, '0'), 'hex'),
       'vks_' || lpad(i::text, 26, '0'), i
  FROM generate_series(1, ?::integer) i
SQL
INSERT INTO credential (organization_id, id, verified_person_id, session_id,
  method, strength, methods, verified_at, expires_at)
SELECT 'org_large', 'cred_' || lpad(i::text, 26, '0'), 'vp_' || i % 100,
       'vks_' || lpad(i::text, 26, '0'), 'document_capture', 'document_capture',
       '{}', i, i
  FROM generate_series(1, ?::integer) i
SQL
INSERT INTO risk_assessment (organization_id, id, session_id, body, created_at)
SELECT 'org_large', 'rsk_' || lpad(i::text, 26, '0'),
       'vks_' || lpad(i::text, 26, '0'), '{}', i
  FROM generate_series(1, ?::integer) i
SQL
INSERT INTO risk_observation (organization_id, assessment_id, created_at, device_digest)
SELECT 'org_large', 'rsk_' || lpad(i::text, 26, '0'), i, sha256((i % 100)::text::bytea)
  FROM generate_series(1, ?::integer) i
SQL
INSERT INTO operator_action (organization_id, sequence, id, entry, hash)
SELECT 'org_large', i, 'opa_' || lpad(i::text, 26, '0'),
       json_build_object('actor', 'ada', 'subject', 'key_' || i)::text, sha256('')
  FROM generate_series(1, ?::integer) i
SQL
queue_ok('statistics of the first');
health_ok();
$handle->do('ANALYZE');
queue_ok('statistics of all');
health_ok();
$handle->disconnect;
finish($service);
