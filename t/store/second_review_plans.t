# Second reviews are listed in the order of their ids, by indexes of those that wait or
# differ, and who had to do with each is found by its session, however many there are
# of each and whatever the statistics say.
use v5.32;
use warnings;
use Verify::Queries qw(plan_nodes query_plan);
use Verify::Test;

use constant ROWS => $ENV{VERIFY_PLAN_ROWS} // 40_000;

my $service = Verify::Instance->start(start => 0);
my $handle = $service->connect_database;
my @tables = qw(second_review review_entry review_claim operator_action);
my %is_large = map { $_ => 1 } @tables;
$handle->do("ALTER TABLE $_ SET (autovacuum_enabled = off)") for @tables;

# One in a hundred waits, and one differs; a tenth is of a release before.
sub add {
  my ($first, $last) = @_;
  $handle->do($_, undef, $first, $last) for <<'SQL', <<'SQL', <<'SQL', <<'SQL';
INSERT INTO second_review (organization_id, id, shown_id, session_id, first_reviewer,
  first_decision, chosen_at, deadline_at, second_reviewer, second_decision, decided_at)
SELECT o, 'rve_' || lpad(i::text, 26, '0'),
       CASE WHEN i % 10 <> 0 THEN 'srv_' || lpad((i / 50)::text, 10, '0') || substr(md5(i::text), 1, 16) END,
       'vks_' || lpad(i::text, 26, '0'), 'anna', 'approve', i, 9000000,
       CASE WHEN i % 100 <> 7 THEN 'bert' END,
       CASE WHEN i % 100 = 8 THEN 'reject' WHEN i % 100 <> 7 THEN 'approve' END,
       CASE WHEN i % 100 <> 7 THEN i END
  FROM generate_series(?::integer, ?::integer) i, (VALUES ('org_large'), ('org_other')) t (o)
SQL
INSERT INTO review_entry (organization_id, session_id, number, id, action, actor,
  deadline_at, created_at)
SELECT 'org_large', 'vks_' || lpad(i::text, 26, '0'), n, 'rve_' || n || lpad(i::text, 25, '0'),
       'escalated', 'anna', NULL, i
  FROM generate_series(?::integer, ?::integer) i, generate_series(1, 3) n
SQL
INSERT INTO review_claim
SELECT 'org_large', 'vks_' || lpad(i::text, 26, '0'), 'carl', 1, 10
  FROM generate_series(?::integer, ?::integer) i
SQL
INSERT INTO operator_action (organization_id, sequence, id, entry, hash)
SELECT 'org_large', 4 * i + n, 'opa_' || n || lpad(i::text, 25, '0'),
       json_build_object('actor', 'ada', 'subject', 'vks_' || lpad(i::text, 26, '0'))::text, sha256('')
  FROM generate_series(?::integer, ?::integer) i, generate_series(0, 3) n
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
my %all = (lower => 'rve_', upper => 'srv_~');
sub plans_ok {
  $state = shift;
  for my $way ('', '_newer') {
    plan_ok('a page', 2500, "second_review/list$way", {%of, %all, now => 5, limit => 101});
    plan_ok('a short one', 400, "second_review/list$way", {%of, %all, now => 5, limit => 11});
    plan_ok('of what differs', 300, "second_review/list_disagreed$way",
      {%of, %all, limit => 101});
  }
  plan_ok('one', 10, 'second_review/find', {%of, id => 'rve_' . sprintf '%026d', 10});
  plan_ok('who had to do with one', 30, 'second_review/involved',
    {%of, session_id => 'vks_' . sprintf '%026d', 1000});
  plan_ok('who decided', 10, 'second_review/deciders',
    {%of, session_id => 'vks_' . sprintf '%026d', 1000});
}

add(1, 20);
$handle->do('ANALYZE');
add(21, ROWS);
plans_ok('statistics of the first');
$handle->do('ANALYZE');
plans_ok('statistics of all');
$handle->disconnect;
finish($service);
