# Lists of trusted certificates are found by indexes alone, however many
# organizations have lists of their own and however many editions are kept: by each
# decision, by the pages of the dashboard and by verifyctl.
use v5.32;
use warnings;
use Verify::Queries qw(plan_nodes query_plan);
use Verify::Test;

use constant ORGANIZATIONS => $ENV{VERIFY_PLAN_ORGANIZATIONS} // 5_000;
use constant EDITIONS => 6; # of each list
use constant CERTIFICATES => 40; # of the newest edition of each list

my $service = Verify::Instance->start(start => 0);
my $handle = $service->connect_database;

# Two lists of each organization, and two that hold for all (the empty id).
$handle->do(<<'SQL', undef, ORGANIZATIONS);
CREATE TEMPORARY TABLE wanted AS
SELECT CASE WHEN i = 0 THEN '' ELSE 'org_' || lpad(i::text, 26, '0') END AS organization_id,
       'tls_' || lpad(i::text, 20, '0') || '00000' || n AS id, i, n
  FROM generate_series(0, ?::integer) i, generate_series(1, 2) n
SQL
$handle->do(<<'SQL', undef, EDITIONS);
INSERT INTO trust_list_version (organization_id, id, trust_list_id, source_digest,
  certificate_count, passed_over, created_at)
SELECT w.organization_id, 'tlv_' || substr(w.id, 5) || e, w.id,
       sha256((w.id || e)::bytea), 1, 0, e
  FROM wanted w, generate_series(1, ?::integer) e
SQL
$handle->do(<<'SQL', undef, EDITIONS);
INSERT INTO trust_list (organization_id, id, kind, name, current_version_id, created_at,
  updated_at)
SELECT organization_id, id, CASE n WHEN 1 THEN 'iaca' ELSE 'csca' END, 'iaca',
       'tlv_' || substr(id, 5) || ?::integer, 1, 1
  FROM wanted
SQL
$handle->do(<<'SQL', undef, CERTIFICATES);
INSERT INTO trust_certificate (digest, certificate)
SELECT sha256(c::text::bytea), c::text::bytea FROM generate_series(1, ?::integer) c
SQL
$handle->do(<<'SQL', undef, CERTIFICATES);
INSERT INTO trust_list_certificate (organization_id, trust_list_version_id, position, digest,
  is_signer, doc_types)
SELECT l.organization_id, l.current_version_id, c, sha256(c::text::bytea), true, '{}'
  FROM trust_list l, generate_series(1, ?::integer) c
 WHERE l.id < 'tls_00000000000000000500'
SQL
$handle->do('VACUUM ANALYZE');

my $organization = sprintf 'org_%026d', 300;
my ($iaca, $csca) = map { sprintf 'tls_%020d00000%d', 300, $_ } 1, 2;
my $current = 'tlv_' . substr($iaca, 4) . EDITIONS;
my $of_all = sprintf 'tlv_%020d000001%d', 0, EDITIONS;

# What is found, and that no more is read for it.
sub plan_ok {
  my ($what, $rows, $pages, $name, @parameters) = @_;
  for my $mode (qw(generic custom)) {
    my $plan = query_plan($handle, "trust_list/$name", $mode, @parameters);
    my @nodes = plan_nodes($plan);
    my @faults = map { "$_->{'Node Type'} of $_->{'Relation Name'}" } grep {
      ($_->{'Relation Name'} // '') =~ /\Atrust_list/ && ($_->{'Node Type'} eq 'Seq Scan'
        || ($_->{'Rows Removed by Filter'} // 0) > 10) } @nodes;
    my $read = $plan->{'Shared Hit Blocks'} + $plan->{'Shared Read Blocks'};
    is $plan->{'Actual Rows'}, $rows, "$name, $mode: $what";
    ok !@faults && $read <= $pages, "... and $read pages" or diag join "\n", @faults;
  }
}
plan_ok('what a decision asks for', 2, 40, 'find_anchors', $organization, '{iaca}');
plan_ok('... of several kinds', 4, 60, 'find_anchors', $organization, '{iaca,csca}');
plan_ok('their certificates', 2 * CERTIFICATES, 400, 'certificates',
  sprintf('{"",%s}', $organization), "{$of_all,$current}");
plan_ok('what an organization uses', 4, 60, 'find_current', $organization);
plan_ok('one by its name', 1, 20, 'find_by_name', $organization, 'iaca', 'iaca');
plan_ok('the editions of one', EDITIONS, 60, 'find_versions', $iaca);
plan_ok('one edition', 1, 20, 'find_version', $current);
plan_ok('the one before', 1, 40, 'find_to_restore', $iaca);
plan_ok('one that is named', 1, 60, 'find_to_restore', $current);

finish($service);
