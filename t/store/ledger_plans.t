# The ledger and the records of reviews and of what operators did are read and
# written by indexes alone, however much an organization has of them.
use v5.32;
use warnings;
use Verify::Queries qw(plan_nodes query_plan);
use Verify::Test;

use constant ROWS => $ENV{VERIFY_PLAN_ROWS} // 100_000;

my $service = Verify::Instance->start(start => 0);
my $handle = $service->connect_database;
$handle->do(<<'SQL');
INSERT INTO organization (id, name, created_at, updated_at)
SELECT o, o, 1, 1 FROM unnest(ARRAY['org_large', 'org_other']) o
SQL
$handle->do(<<'SQL', undef, ROWS);
INSERT INTO ledger_entry (organization_id, position, id, kind, verifications, month,
                          amount, balance, note, session_id, created_at)
SELECT o, i, 'led_' || lpad(i::text, 26, '0'), 'free', 1, 202601, 0, 0,
       'verification', 'vks_' || i, i
  FROM generate_series(1, ?::integer) i, unnest(ARRAY['org_large', 'org_other']) o
SQL
$handle->do(<<'SQL', undef, ROWS / 2);
INSERT INTO review_entry (organization_id, session_id, number, id, action,
                          deadline_at, created_at)
SELECT o, 'vks_' || i, number,
       'rve_' || lpad(i::text, 20, '0') || lpad(number::text, 6, '0'),
       CASE number WHEN 1 THEN 'held' ELSE 'approved' END,
       CASE number WHEN 1 THEN 1 END, i
  FROM generate_series(1, ?::integer) i, generate_series(1, 2) number,
       unnest(ARRAY['org_large', 'org_other']) o
SQL
$handle->do(<<'SQL', undef, ROWS);
INSERT INTO operator_action (organization_id, sequence, id, entry, hash)
SELECT o, i, 'opa_' || lpad(i::text, 26, '0'),
       json_build_object('actor', CASE i % 1000 WHEN 0 THEN 'rare' ELSE 'usual' END,
                         'action', CASE i % 1000 WHEN 0 THEN 'rare' ELSE 'usual' END,
                         'subject', 'vks_' || i / 2)::text,
       sha256('')
  FROM generate_series(1, ?::integer) i, unnest(ARRAY['org_large', 'org_other']) o
SQL
$handle->do('VACUUM ANALYZE');

my ($middle, $entry) = (ROWS / 2, 'led_' . sprintf '%026d', ROWS / 2);
my %statements = (
  'ledger/list' => ['org_large', undef, undef, 100],
  'ledger/list_newer' => ['org_large', undef, ROWS / 2, 100],
  'ledger/find_position' => ['org_large', $entry],
  'ledger/append' => [{organization_id => 'org_large', id => 'led_new',
    kind => 'charged', verifications => 1, free => 0, charged => 1, sandbox => 0,
    amount => -1, balance => -1, month => 202601, note => 'verification',
    session_id => 'vks_new', created_at => 1}],
  'review/insert' => ['org_large', 'vks_' . ROWS / 4, 'rve_new', 'rejected',
    'reviewer', undef, undef, 1, 'document_forged', undef, undef],
  'review/list_of_session' => ['org_large', 'vks_' . ROWS / 4],
  (map { my $direction = $_;
    ("operator_action/list$direction" => ['org_large', 'opa_', 'opa_z', 100],
     map { ("operator_action/list_of_$_->[0]$direction" =>
       ['org_large', $_->[1], 'opa_', 'opa_z', 100]) }
       (['actor', 'rare'], ['action', 'usual'], ['subject', 'vks_77']))
  } '', '_newer'),
  'review/list_ended' => ['org_large', undef, 100],
);
for my $mode (qw(generic custom)) {
  for my $statement (sort keys %statements) {
    my @scans = grep { $_->{'Node Type'} =~ /Scan/
      && ($_->{'Relation Name'} // '') =~ /_(?:entry|action)\z/ }
      plan_nodes(query_plan($handle, $statement, $mode, @{$statements{$statement}}));
    ok @scans && !grep({ $_->{'Node Type'} eq 'Seq Scan'
      || $_->{'Actual Rows'} > 100 || ($_->{'Rows Removed by Filter'} // 0) > 100 } @scans),
      "$mode plan: $statement"
      or diag join "\n", map { "$_->{'Node Type'} $_->{'Actual Rows'} "
        . ($_->{'Rows Removed by Filter'} // 0) } @scans;
  }
}

finish($service);
