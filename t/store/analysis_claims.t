# Submissions are read in turn: whoever sends many waits for them, and not
# everybody else; and no claim reads all that wait.
use v5.32;
use warnings;
use Verify::Queries qw(plan_nodes query_plan query_text);
use Verify::Test;

my $service = Verify::Instance->start(start => 0);
my $handle = $service->connect_database;
my $now = 1_000_000;

sub submit {
  my ($organization, $count, $due_at) = @_;
  $handle->do(q{INSERT INTO analysis_job (organization_id, session_id, id, method,
    submission, sides, due_at, created_at)
    SELECT ?, 'vks_' || i, 'ana_' || i || '_' || ?, 'document_capture', 1,
           '{front}', ?::bigint + i, 1 FROM generate_series(1, ?::integer) i},
    undef, $organization, $due_at, $due_at, $count);
}
$handle->do('PREPARE claim AS ' . query_text('analysis_job/claim'),
  {pg_direct => 1});
# The organizations of what is claimed, in alphabetical order.
sub claim {
  my ($limit, $at, %more) = @_;
  $at //= $now;
  my $share = $more{share} // 1000;
  my $served = join ',', @{$more{served} // []};
  my $rows = $handle->selectall_arrayref(
    "EXECUTE claim ($at, $at + 1000000, 'node', $limit, $share, '{$served}')");
  return join ' ', sort map { $_->[0] } @$rows;
}

is claim(4), '', 'nothing waits';
submit('org_flood', 1000, 1);
is claim(2), 'org_flood org_flood', 'alone, one has all';
submit('org_later', 1, 5000);
is claim(1), 'org_later', 'who comes later does not wait for the other';
submit('org_late', 3, 5000);
is claim(3), 'org_flood org_late org_late', 'as many of each are read at a time';
submit('org_future', 1, $now + 5000);
is claim(1), 'org_late', 'what is not due waits';
is claim(2), 'org_flood org_flood', 'and what is alone again goes on';
is $handle->selectrow_array(q{SELECT count(*) FROM analysis_job
  WHERE leased_by = 'node' AND attempts = 1 AND due_at = ?}, undef,
  $now + 1_000_000), 9, 'each is leased once';
is claim(2, $now + 2_000_000), 'org_flood org_future',
  'leases that end are claimed anew';

# With one place, nothing of an organization is being read when it is claimed
# for: what tells is who was served.
$handle->do('TRUNCATE analysis_job');
submit('org_flood', 10, 1);
submit('org_later', 2, 5000);
my @served;
for my $turn (qw(flood later flood later flood flood)) {
  is claim(1, $now, served => \@served), "org_$turn", "the turn of $turn";
  @served = ((grep { $_ ne "org_$turn" } @served), "org_$turn");
  $handle->do('DELETE FROM analysis_job WHERE leased_by IS NOT NULL');
}

# Where a node serves several, none has all of its places.
$handle->do('TRUNCATE analysis_job');
submit('org_flood', 10, 1);
is claim(4, $now, share => 3), 'org_flood org_flood org_flood', 'a share';
is claim(1, $now, share => 3), '', '... which is all that it gets';
submit('org_later', 2, 5000);
is claim(1, $now, share => 3), 'org_later', 'a place was left for another';

$handle->do('TRUNCATE analysis_job');
submit("org_$_", 10_000, 1) for 1 .. 5;
$handle->do('ANALYZE analysis_job');
my @read = grep { ($_->{'Relation Name'} // '') eq 'analysis_job' }
  plan_nodes(query_plan($handle, 'analysis_job/claim', 'generic', $now, 2 * $now,
    'node', 4, 3, '{org_1,org_2}'));
is_deeply [map { $_->{'Node Type'} } grep { $_->{'Node Type'} =~ /Seq Scan/ } @read],
  [], 'by indexes';
my ($most) = sort { $b <=> $a } map { $_->{'Actual Rows'} } @read;
cmp_ok $most, '<=', 100, 'of fifty thousand few are read';

$handle->disconnect;
finish($service);
