# Assessing, finding sessions whose checks wait, and forgetting assessments read
# few pages by indexes alone, however many assessments and sessions there are.
use v5.32;
use warnings;
use Verify::Queries qw(plan_nodes query_plan);
use Verify::Test;

use constant ROWS => $ENV{VERIFY_PLAN_ROWS} // 100_000;

my $service = Verify::Instance->start(start => 0);
my $handle = $service->connect_database;

# One address that comes often among many that come once; one session of a
# thousand rests at its checks, as many are analysed.
$handle->do(<<'SQL', undef, ROWS);
WITH assessment AS (
  INSERT INTO risk_assessment (organization_id, id, session_id, body, created_at)
  SELECT 'org_large', 'rsk_' || lpad(i::text, 10, '0'), 'vks_' || i, '{}',
         1000000 + i
    FROM generate_series(1, ?::integer) i
  RETURNING id, created_at - 1000000 AS i
)
INSERT INTO risk_observation (organization_id, assessment_id, created_at,
                              ip_digest, email_digest, device_digest, person_digest)
SELECT 'org_large', id, 1000000 + i, digest, digest, digest,
       int4send((i / 7)::integer)
  FROM assessment,
       LATERAL (SELECT int4send(CASE WHEN i % 50 = 0 THEN 0 ELSE i END::integer)
                  AS digest) d
SQL
$handle->do(<<'SQL', undef, ROWS);
INSERT INTO verification_session (organization_id, id, workflow_id,
  workflow_version_id, livemode, revision, status, type, methods, current_method,
  metadata, created_at, updated_at, expires_at, runner, client_secret_digest)
SELECT 'org_large', 'vks_' || i, 'wf_1', 'wfv_1', false, 1,
       CASE WHEN i % 1000 IN (0, 1) THEN 'processing' ELSE 'requires_input' END,
       'age', '{}', CASE WHEN i % 1000 = 1 THEN 'document_capture' END, '{}', i, i,
       i, '{}', ''
  FROM generate_series(1, ?::integer) i
SQL
# Failures for age and an operator's entries, of as many devices.
$handle->do(<<'SQL', undef, ROWS);
INSERT INTO age_failure (organization_id, digest, session_id, failed_at)
SELECT 'org_large', int4send(i), 'vks_' || i, 1000000 + i
  FROM generate_series(1, ?::integer) i
SQL
$handle->do(<<'SQL', undef, ROWS);
INSERT INTO risk_list_entry (organization_id, digest, id, kind, listing, actor,
                             created_at)
SELECT CASE WHEN i % 4 = 0 THEN 'org_large' ELSE 'org_' || i END, int4send(i),
       'rle_' || lpad(i::text, 10, '0'), 'device',
       'block', 'operator', i
  FROM generate_series(1, ?::integer) i
SQL
$handle->do(<<'SQL', undef, ROWS);
INSERT INTO risk_list_change (organization_id, id, entry_id, action, kind,
                              digest, actor, created_at)
SELECT 'org_large', 'rlc_' || lpad(i::text, 10, '0'), 'rle_1', 'block',
       'device', int4send(i), 'operator', i
  FROM generate_series(1, ?::integer) i
SQL
$handle->do('VACUUM ANALYZE');

my %large = map { $_ => 1 } qw(risk_assessment risk_observation age_failure
  risk_list_entry risk_list_change verification_session);
sub plan_ok {
  my ($what, $pages, $rows, $name, @parameters) = @_;
  for my $mode (qw(generic custom)) {
    my $plan = query_plan($handle, $name, $mode, @parameters);
    my @scans = grep { $_->{'Node Type'} eq 'Seq Scan'
      && $large{$_->{'Relation Name'}} } plan_nodes($plan);
    my $read = $plan->{'Shared Hit Blocks'} + $plan->{'Shared Read Blocks'};
    ok !@scans && $read <= $pages, "$name: $what, $mode plan, $read pages"
      or diag map { "Seq Scan on $_->{'Relation Name'}\n" } @scans;
    next unless defined $rows;
    # A DELETE returns nothing; what it removes comes from below it.
    my $node = $plan->{'Node Type'} eq 'ModifyTable'
      ? (grep { $_->{'Parent Relationship'} eq 'Outer' } @{$plan->{Plans}})[0]
      : $plan;
    is $node->{'Actual Rows'}, $rows, 'the rows of it';
  }
}
# Of this hour and the one before, at most a thousand of each kind; and seven
# look-ups of single rows.
my @counted = ('org_large', '\x00000007', '\x00000007', undef, '\x00000007', 1,
  '{0,-1}', 1, '\x00000001', (30) x 4, 1, 1, ('\x00000007') x 5, 1000);
plan_ok('rare identifiers', 60, 1, 'risk/count', @counted);
@counted[1, 2, 4] = ('\x00000000') x 3;
plan_ok('frequent ones', 2500, 1, 'risk/count', @counted);
@counted[1, 2, 4] = ('\x7fffffff') x 3;
plan_ok('unknown ones', 60, 1, 'risk/count', @counted);
plan_ok('an assessment', 100, undef, 'risk/insert', 'org_large', 'rsk_z', undef,
  'vks_7', '{}', 1, '\x01', undef, undef, '\x02', undef, 1);
plan_ok('one', 20, 1, 'risk/find', 'org_large', 'rsk_0000000007', undef);
plan_ok('a batch', 60, 8, 'session/due_checks', 10_000_000, 0, '', 8);
plan_ok('from the middle', 60, 8, 'session/due_checks', 10_000_000, ROWS / 2, '',
  8);
plan_ok('none is due', 20, 0, 'session/due_checks', 1, 0, '', 8);
# Nothing is old enough: to know that must not take reading everything.
for my $kind (qw(risk_assessments risk_observations age_failures)) {
  plan_ok('nothing', 500, 0, "retention/purge_$kind", 1000, 500);
  plan_ok('a batch', 500 * 40, 500, "retention/purge_$kind", 1_001_000, 500);
}
plan_ok('a failure for age', 60, undef, 'age_failure/note', 'org_large', 'vks_x',
  '\x01', '\x02', 5);
my @change = ('rle_x', 'rlc_x', 'device', '\x01', undef, 'block', undef,
  'operator', 5, undef);
plan_ok('an entry more', 60, 1, 'risk_list/put', 'org_other', @change, 10_000);
plan_ok('an entry too many', 1500, 0, 'risk_list/put', 'org_large', @change,
  10_000);
plan_ok('an entry less', 60, 1, 'risk_list/remove', 'org_large',
  'rle_0000000008', 'rlc_x', undef, 'operator', 5);
plan_ok('a page', 60, 100, 'risk_list/list', 'org_large', undef,
  'rle_0000050000', 100);
plan_ok('a page of changes', 60, 100, 'risk_list/changes', 'org_large',
  'rlc_0000050000', 100);
plan_ok('the newest changes', 60, 100, 'risk_list/changes', 'org_large', '~',
  100);

$handle->disconnect;
finish($service);
