# A record of an idempotency key is found by its key: by plans that PostgreSQL
# makes before there are rows or statistics, and when an organization has far more
# records than the others, which make the statistics.
use v5.32;
use warnings;
use Verify::Queries qw(plan_nodes query_parameters query_plan);
use Verify::Test;

use constant ROWS => 20_000;

my $service = Verify::Instance->start(start => 0);
my $handle = $service->connect_database;

# Nothing but this test decides when statistics are made.
$handle->do('ALTER TABLE idempotency_record SET (autovacuum_enabled = off)');

sub add_records {
  my ($organizations, $rows) = @_;
  $handle->do(<<'SQL', undef, $organizations, $rows);
INSERT INTO idempotency_record (organization_id, application_id, route, key,
  request_digest, status, sealed_response, created_at, session_id)
SELECT 'org_' || o, '', 'POST /v1/verification_sessions', 'key_' || i,
       sha256('1'), 201, sha256('2'), i, 'vks_' || i
  FROM unnest(?::text[]) o, generate_series(1, ?::integer) i
SQL
}

sub is_by_key {
  my ($state) = @_;
  my $find = query_plan($handle, 'idempotency/find', 'generic', 'org_large', '',
    'POST /v1/verification_sessions', 'key_' . ROWS / 2, 'text of a key', 0);
  cmp_ok $find->{'Shared Hit Blocks'} + $find->{'Shared Read Blocks'}, '<=', 16,
    "$state: found in few pages";
  my $create = query_plan($handle, 'session/create_guessed', 'generic',
    map { undef } query_parameters('session/create_guessed'));
  for my $plan ($find, $create) {
    my @searches = grep { ($_->{'Relation Name'} // '') eq 'idempotency_record'
      && $_->{'Node Type'} =~ /Scan/ } plan_nodes($plan);
    is @searches, 2, "$state: both forms of a key are looked for";
    like $_->{'Index Cond'}, qr/\bkey = /, "$state: by the key" for @searches;
  }
}

# A connection keeps the plan that it made when there was no row.
is_by_key('of an empty table');
add_records(['large'], ROWS);
is_by_key('without statistics');
add_records([1 .. 5_000], 2);
$handle->do('VACUUM ANALYZE idempotency_record');
is_by_key('among many small organizations');

finish($service);
