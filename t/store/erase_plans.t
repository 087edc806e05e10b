# Erasing a person finds events, deliveries, evidence and risk assessments by
# indexes alone, however many there are of others.
use v5.32;
use warnings;
use Verify::Queries qw(plan_nodes query_plan);
use Verify::Test;

use constant ROWS => $ENV{VERIFY_PLAN_ROWS} // 100_000;

my $service = Verify::Instance->start(start => 0);
my $handle = $service->connect_database;

# Sessions with two events each and the deliveries of these, at the same moments
# in another organization too; each session of the large one with an image.
$handle->do(<<'SQL', undef, ROWS);
WITH event AS (
  INSERT INTO event (organization_id, id, type, object_id, body, created_at)
  SELECT o, 'evt_' || lpad(i::text, 10, '0') || repeat('0', 16),
         'verification_session.verified', 'vks_' || i / 2,
         '{"data": {"object": {"client_reference_id": "SPECIMEN"}}}', i
    FROM generate_series(1, ?::integer) i, unnest(ARRAY['org_large', 'org_other']) o
  RETURNING *
)
INSERT INTO webhook_delivery (organization_id, id, webhook_endpoint_id, event_id,
                              event_type, status, attempt, response, created_at,
                              updated_at)
SELECT organization_id, 'whd_' || substr(id, 5, 10) || repeat(n, 16), 'we_' || n, id,
       type, 'delivered', 1, '{"body": "SPECIMEN"}', created_at, created_at
  FROM event, unnest(ARRAY['a', 'b']) n
SQL
$handle->do(<<'SQL', undef, ROWS / 2);
INSERT INTO verification_session (organization_id, id, workflow_id,
  workflow_version_id, livemode, revision, status, type, methods, metadata,
  created_at, updated_at, expires_at, runner, client_secret_digest, email_digest,
  verified_person_id)
SELECT 'org_large', 'vks_' || i, 'wf_1', 'wfv_1', false, 1, 'verified', 'age', '{}',
       '{}', i, i, i, '{}', '', int4send(i / 2), 'vp_' || i / 2
  FROM generate_series(1, ?::integer) i
SQL
$handle->do(<<'SQL');
INSERT INTO review_entry (organization_id, session_id, number, id, action, note,
                          deadline_at, created_at)
SELECT organization_id, id, number, 'rve_' || number || substr(id, 5),
       CASE number WHEN 1 THEN 'flagged' ELSE 'approved' END, 'SPECIMEN',
       CASE number WHEN 1 THEN 1 END, 1
  FROM verification_session, generate_series(1, 2) number
SQL
$handle->do(<<'SQL');
INSERT INTO session_data_key (organization_id, session_id, wrapped_key)
SELECT organization_id, id, '' FROM verification_session
SQL
$handle->do(<<'SQL');
INSERT INTO evidence (organization_id, session_id, side, media_type, sealed, created_at)
SELECT organization_id, id, 'front', 'image/jpeg', '', 1 FROM verification_session
SQL
$handle->do(<<'SQL');
INSERT INTO verified_person (organization_id, id, created_at)
SELECT DISTINCT organization_id, verified_person_id, 1 FROM verification_session
SQL
$handle->do(<<'SQL');
INSERT INTO person_identifier (organization_id, kind, digest, verified_person_id,
                               created_at)
SELECT DISTINCT organization_id, 'email', email_digest, verified_person_id, 1
  FROM verification_session
SQL
# An assessment of each session by its device, and one of each e-mail address.
$handle->do(<<'SQL', undef, ROWS / 2);
WITH assessment AS (
  INSERT INTO risk_assessment (organization_id, id, session_id, body, created_at)
  SELECT 'org_large', 'rsk_' || kind || i,
         CASE WHEN kind = 'device' THEN 'vks_' || i END, '{}', i
    FROM generate_series(1, ?::integer) i, unnest(ARRAY['device', 'email']) kind
  RETURNING id, created_at AS i, session_id
)
INSERT INTO risk_observation (organization_id, assessment_id, created_at,
                              email_digest, device_digest, person_digest)
SELECT 'org_large', id, i,
       CASE WHEN session_id IS NULL THEN int4send(i::integer) END,
       CASE WHEN session_id IS NOT NULL THEN int4send(i::integer) END,
       int4send(CASE WHEN session_id IS NULL THEN i ELSE i / 2 END::integer)
  FROM assessment
SQL
# Removed sessions, each of which left an event, a tenth of the digests of nobody.
$handle->do(<<'SQL', undef, ROWS);
WITH removed AS (
  INSERT INTO removed_session (organization_id, session_id, verified_person_id,
                               email_digest, has_credential, changed_at)
  SELECT 'org_large', 'vks_gone' || i, CASE WHEN i % 2 = 0 THEN 'vp_' || i / 4 END,
         CASE WHEN i % 2 = 1 THEN int4send(i / 4) END, i % 2 = 1, i
    FROM generate_series(1, ?::integer) i
  RETURNING *
), event AS (
  INSERT INTO event (organization_id, id, type, object_id, body, created_at)
  SELECT organization_id, 'evt_g' || substr(session_id, 5), 'verification_session.verified',
         session_id, '{"data": {"object": {}}}', changed_at
    FROM removed
)
INSERT INTO credential (organization_id, id, session_id, method, strength, methods,
                        verified_at, expires_at)
SELECT organization_id, 'cred_' || session_id, session_id, 'mdl', 'strong', '{}',
       changed_at, changed_at
  FROM removed
 WHERE has_credential
SQL
$handle->do(<<'SQL', undef, ROWS / 10);
INSERT INTO erasure_request (organization_id, verified_person_id, requested_by, created_at)
SELECT o, 'vp_' || lpad(i::text, 26, '0'), 'somebody', 10
  FROM generate_series(1, ?::integer) i, unnest(ARRAY['org_large', 'org_other']) o
SQL
$handle->do('VACUUM ANALYZE');

my @erased = ('org_large', 'vp_' . ROWS / 8, 5);
my %rows = (event => 8, webhook_delivery => 8, removed_session => 4, evidence => 2, session_data_key => 2,
  review_entry => 4,  risk_assessment => 3, risk_observation => 3);
for my $mode (qw(generic custom)) {
  my @nodes = plan_nodes(query_plan($handle, 'person/erase', $mode, @erased));
  for my $table (sort keys %rows) {
    my @of_table = grep { ($_->{'Relation Name'} // '') eq $table } @nodes;
    my ($write) = grep { $_->{'Node Type'} eq 'ModifyTable' } @of_table;
    my ($rows) = grep { $_->{'Parent Relationship'} eq 'Outer' } @{$write->{Plans}};
    is $rows->{'Actual Rows'}, $rows{$table}, "$mode plan: what $table has of the person";
    my @scans = grep { $_->{'Node Type'} =~ /Scan/ } @of_table;
    ok @scans && !grep({ $_->{'Node Type'} eq 'Seq Scan'
      || ($_->{'Rows Removed by Filter'} // 0) > 10 } @scans),
      "$mode plan: and nothing else is read of it";
  }
}

# What waits for a second person is read a page at a time.
for my $statement (qw(list_erasure_requests list_erasure_requests_newer)) {
  for my $mode (qw(generic custom)) {
    my @nodes = plan_nodes(query_plan($handle, "person/$statement", $mode, 'org_large', 0,
      sprintf('vp_%026d', 100), 'vp_z', 11));
    is $nodes[0]{'Actual Rows'}, 11, "$mode plan: a page of $statement";
    ok !grep({ $_->{'Node Type'} =~ /Seq Scan|Sort/
      || ($_->{'Rows Removed by Filter'} // 0) > 0 } @nodes), '... and no more is read'
      or diag explain(\@nodes);
  }
}
finish($service);
