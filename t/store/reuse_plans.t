# The statements of reuse read no table whole, however large it grows.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Verify::Queries qw(query_text);
use Verify::Test;

my $service = Verify::Instance->start(start => 0);
my $handle = $service->connect_database;
$handle->do('SET enable_seqscan = off');

sub plan_of {
  my ($path, @arguments) = @_;
  my $text = query_text($path);
  $handle->do("PREPARE looked AS $text", {pg_direct => 1});
  my $plan = join "\n", map { $_->[0] } @{$handle->selectall_arrayref(
    'EXPLAIN EXECUTE looked (' . join(', ', @arguments) . ')')};
  $handle->do('DEALLOCATE looked');
  return $plan;
}

my @range = (q{'trg_'}, q{'trg_~'});
my ($id, $digest) = (q{'org_a'}, q{'\x00'});
my %statements = (
  'verified_person/find_by_identifier' => [$id, 1, $digest, $digest, 100],
  'verified_person/find_by_token' => [$id, 1, $digest],
  'verified_person/find_by_hash' => [$id, 1, $digest],
  'credential/lock' => [$id, 1, $id],
  'credential/revoke_of_session' => [$id, $id, 1],
  'credential/revoke' => [$id, $id, 1],
  'credential/find_of_session' => [$id, $id, 1],
  'credential/find_token_of_session' => [$id, $id, 1],
  'credential/list_of_person' => [$id, $id, 10],
  'attempt/oldest' => [$id, $digest, 1],
  'trust_reuse/find_shared' => [$id, 1, $digest, $id, 100],
  'trust_reuse/lock_shared' => [$id, 1, $id, $digest],
  'trust_reuse/unshare_credential' => [$id, $id],
  'trust_reuse/unshare_session' => [$id, $id],
  'trust_reuse/unshare_person' => [$id, $id],
  'trust_reuse/unshare_everywhere' => [$id, $id],
  'trust_reuse_grant/find' => [$id, $id],
  'verified_person/compare' => [$id, $id, $digest, $digest],
  'vp_token_presentation/insert' => [$id, $id, $id, 2, 1, 10],
  'retention/purge_vp_token_presentations' => [1, 500],
  'trust_reuse_grant/find_valid' => [$id, $id, $id, $id],
  'trust_reuse_tally/ask' => [$id, $id, 2, 1, 10, 100],
  'trust_reuse_tally/meet' => [$id, $id, 1],
  'trust_reuse_tally/list' => ['NULL', 1, 10],
  'statistics/trust_reuse' => [1],
  'retention/purge_trust_reuse_tallies' => [1, 500],
  'trust_reuse_grant/list' => [$id, @range, 10],
  'trust_reuse_grant/list_newer' => [$id, @range, 10],
  'trust_reuse_grant/revoke_one' => [$id, $id, 1, q{'X'}],
  'trust_reuse_grant/revoke_of_credential' => [$id, $id, 1, q{'X'}],
  'outgoing_mail/claim' => [1, 2, q{'node'}, 4],
  'outgoing_mail/remove' => [$id, $id, $id, 1, q{'node'}],
  'outgoing_mail/postpone' => [$id, $id, $id, 1, q{'node'}, 2],
  'retention/purge_mail' => [1, 500],
);
for my $path (sort keys %statements) {
  my $plan = plan_of($path, @{$statements{$path}});
  unlike $plan, qr/Seq Scan/, $path or diag $plan;
}
finish($service);
