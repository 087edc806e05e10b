# Seeing whether a document was shown before reads few pages by indexes alone,
# however many were shown, and how often this one was.
use v5.32;
use warnings;
use Verify::Queries qw(plan_nodes query_plan);
use Verify::Test;

use constant ROWS => $ENV{VERIFY_PLAN_ROWS} // 100_000;

my $service = Verify::Instance->start(start => 0);
my $handle = $service->connect_database;

# One picture that every tenth session was shown, and as many that came once.
$handle->do(<<'SQL', undef, ROWS);
INSERT INTO document_sighting (organization_id, digest, session_id, created_at)
SELECT 'org_large', int4send(CASE WHEN i % 10 = 0 THEN 0 ELSE i END),
       'vks_' || lpad(i::text, 10, '0'), 1000000 + i
  FROM generate_series(1, ?::integer) i
SQL
$handle->do(<<'SQL', undef, ROWS);
INSERT INTO verification_session (organization_id, id, workflow_id,
  workflow_version_id, livemode, revision, status, type, methods, metadata,
  created_at, updated_at, expires_at, runner, client_secret_digest, email_digest)
SELECT 'org_large', 'vks_' || lpad(i::text, 10, '0'), 'wf_1', 'wfv_1', true, 1,
       CASE WHEN i % 20 = 0 THEN 'failed' ELSE 'verified' END, 'age', '{}', '{}',
       i, i, i, '{}', '', int4send(i)
  FROM generate_series(1, ?::integer) i
SQL
$handle->do('VACUUM ANALYZE');

my %large = map { $_ => 1 } qw(document_sighting verification_session);
sub plan_ok {
  my ($what, $pages, $name, @parameters) = @_;
  for my $mode (qw(generic custom)) {
    my $plan = query_plan($handle, $name, $mode, @parameters);
    my @scans = grep { $_->{'Node Type'} eq 'Seq Scan'
      && $large{$_->{'Relation Name'}} } plan_nodes($plan);
    my $read = $plan->{'Shared Hit Blocks'} + $plan->{'Shared Read Blocks'};
    ok !@scans && $read <= $pages, "$name: $what, $mode plan, $read pages"
      or diag map { "Seq Scan on $_->{'Relation Name'}\n" } @scans;
  }
}

my @session = ('org_large', 'vks_0000000011');
plan_ok('a picture that came once', 40, 'document_sighting/find', @session,
  '\x0000000b', undef, '\x00000007', 0, 1000);
plan_ok('one that came without end', 6000, 'document_sighting/find', @session,
  '\x00000000', undef, undef, 0, 1000);
plan_ok('the persons of a picture that came once', 60, 'document_sighting/persons',
  @session, 0, 100);
plan_ok('of one that came without end', 1000, 'document_sighting/persons',
  'org_large', 'vks_0000000020', 0, 100);
plan_ok('remembering it', 60, 'document_sighting/note', @session, '\x00000001',
  undef, '\x00000002', 5);
finish($service);
