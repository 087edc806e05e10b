# Lists, claims, retention and recoveries of webhooks and events do not slow
# down with the size of their tables: they read them by indexes alone, and few
# pages of those.
use v5.32;
use warnings;
use Verify::Queries qw(plan_nodes query_plan);
use Verify::Test;

use constant ROWS => $ENV{VERIFY_PLAN_ROWS} // 100_000;

my $service = Verify::Instance->start(start => 0);
my $handle = $service->connect_database;

# An organization whose table is large and whose rare rows are the oldest, and
# small ones beside it. Ids are in order of i.
$handle->do(<<'SQL', undef, ROWS);
WITH event AS (
  INSERT INTO event (organization_id, id, application_id, type, object_id, body,
                     created_at)
  SELECT 'org_large', 'evt_' || lpad(i::text, 10, '0') || repeat('0', 16),
         CASE WHEN i <= 5 THEN 'app_rare' WHEN i % 2 = 0 THEN 'app_busy' END,
         CASE WHEN i <= 20 THEN 'session_review.flagged'
              WHEN i % 2 = 0 THEN 'verification_session.created'
              ELSE 'verification_session.verified' END,
         'vks_' || i / 2, '{"object": "event"}', 1000000 + i
    FROM generate_series(1, ?::integer) i
  RETURNING *
)
INSERT INTO webhook_delivery (organization_id, id, webhook_endpoint_id, event_id,
                              event_type, status, attempt, created_at, updated_at)
SELECT organization_id, 'whd_' || substr(id, 5, 26), 'we_large', id, type,
       CASE WHEN created_at <= 1000010 THEN 'failed'
            WHEN created_at <= 1000012 THEN 'pending' ELSE 'delivered' END,
       1, created_at, created_at
  FROM event
SQL
$handle->do(<<'SQL');
INSERT INTO webhook_endpoint (organization_id, id, url, enabled_events, status,
                              metadata, sealed_secret, created_at, updated_at)
SELECT 'org_' || CASE WHEN i = 1 THEN 'large' ELSE i::text END,
       'we_' || CASE WHEN i = 1 THEN 'large' ELSE i::text END,
       'https://receiver.example/', '{*}', 'enabled', '{}', '', i, i
  FROM generate_series(1, 20000) i
SQL
$handle->do(q{UPDATE webhook_delivery SET next_attempt_at = 5 WHERE status = 'pending'});
$handle->do(q{UPDATE webhook_delivery SET leased_by = 'node', leased_until = 5
  WHERE event_id = 'evt_00000000120000000000000000'});
# Two endpoints that have failed for long.
$handle->do(<<'SQL', undef, ROWS);
INSERT INTO webhook_delivery (organization_id, id, webhook_endpoint_id, event_id,
                              event_type, attempt, next_attempt_at, created_at,
                              updated_at)
SELECT 'org_' || e, 'whd_' || e || '_' || lpad(i::text, 10, '0'), 'we_' || e,
       'evt_1', 'verification_session.created', a, 5, 1000000 + i, 1000000 + i
  FROM generate_series(1, ?::integer / 20) i, (VALUES (2, 1), (3, 0)) f (e, a)
SQL
$handle->do(q{INSERT INTO webhook_recovery (organization_id, id,
  webhook_endpoint_id, since_at, until_at, position, last_position, created_at,
  updated_at) VALUES ('org_large', 'whr_1', 'we_large', 0, 1, 'evt_00000001',
  'evt_~', 1, 1)});
$handle->do(q{INSERT INTO webhook_recovery (organization_id, id,
  webhook_endpoint_id, since_at, until_at, status, position, last_position,
  created_at, updated_at, finished_at)
  SELECT 'org_large', 'whr_old' || i, 'we_large', 0, 1, 'finished', 'evt_', 'evt_~',
         1, 1, 1000000 + i FROM generate_series(1, 20000) i});
$handle->do('VACUUM ANALYZE');

my %large = map { $_ => 1 }
  qw(event webhook_delivery webhook_endpoint webhook_recovery);
my $types = '{' . join(',', (map { "verification_session.$_" }
  qw(created verified failed cancelled expired)),
  (map { "session_review.$_" } qw(flagged approved rejected escalated)),
  qw(trust_reuse_grant.created trust_reuse_grant.revoked
  trust_reuse_consent.revoked_by_user workflow_law.changes workflow_law.review_due)) . '}';
my $statuses = '{pending,delivered,failed}';
my $middle = sprintf '%010d%s', ROWS / 2, '0' x 16;
my @key = ('org_large', 'we_large');
my @all = ('evt_', 'evt_~', 11);

sub plan_ok {
  my ($what, $pages, $name, $mode, @parameters) = @_;
  my $plan = query_plan($handle, $name, $mode, @parameters);
  my @scans = grep { $_->{'Node Type'} eq 'Seq Scan'
    && $large{$_->{'Relation Name'}} } plan_nodes($plan);
  my $read = $plan->{'Shared Hit Blocks'} + $plan->{'Shared Read Blocks'};
  ok !@scans && $read <= $pages, "$name: $what, $read pages"
    or diag map { "Seq Scan on $_->{'Relation Name'}\n" } @scans;
}

# The examination of the service: endpoints of some, or each endpoint once, and of
# their deliveries those that are due.
plan_ok('endpoints of two', 1000, 'health/endpoints', 'custom', '{org_2,org_3}',
  10_000_000, 1, 101);
ok !grep({ $_->{'Node Type'} eq 'Seq Scan' && $_->{'Relation Name'} eq 'webhook_delivery' }
  plan_nodes(query_plan($handle, 'health/endpoints', 'custom', undef, 10_000_000, 1, 101))),
  'endpoints of all: their deliveries by indexes';

for (['delivery/list', 'whd_', "whd_$middle"],
  ['delivery/list_newer', "whd_$middle", 'whd_~']) {
  my ($list, @from_middle) = @$_;
  my @all_ids = ('whd_', 'whd_~');
  plan_ok('all', 1000, $list, 'generic', @key, $types, $statuses, @all_ids, 11);
  plan_ok('from the middle', 1000, $list, 'generic', @key, $types, $statuses,
    @from_middle, 11);
  plan_ok('a rare status', 300, $list, 'generic', @key, $types, '{failed}',
    @all_ids, 11);
  plan_ok('a rare type', 300, $list, 'generic', @key, '{session_review.flagged}',
    $statuses, @all_ids, 11);
  plan_ok('a type in a status', 150, $list, 'generic', @key,
    '{verification_session.created}', '{delivered}', @all_ids, 11);
  plan_ok('the largest page', 6000, $list, 'generic', @key, $types, $statuses,
    @all_ids, 101);
}
my @near = ('org_large', 'we_large', undef, 11, 220, undef);
plan_ok('how they went', 1000, 'webhook_endpoint/statistics', 'bound', 'org_large', 100);
plan_ok('all', 120, 'delivery/list_near', 'generic', @near);
plan_ok('from the middle', 120, 'delivery/list_near', 'generic', @near[0, 1],
  "whd_$middle", @near[3 .. 5]);
plan_ok('another endpoint', 300, 'delivery/list_near', 'generic', 'org_large',
  'we_none', @near[2 .. 5]);
plan_ok('the largest page', 1000, 'delivery/list_near', 'generic', @near[0 .. 2],
  101, 2020, undef);
my @endpoints = ('{we_large,' . join(',', map { "we_none$_" } 1 .. 49) . '}');
for (['', 'whd_', "whd_$middle"], ['_newer', "whd_$middle", 'whd_~']) {
  my ($direction, @from_middle) = @$_;
  for (['all', $types, $statuses], ['a rare status', $types, '{failed}'],
    ['a rare type', '{session_review.flagged}', $statuses]) {
    my ($what, @kind) = @$_;
    plan_ok("$what, of fifty endpoints", 9000, "delivery/list_all_of_kind$direction",
      'generic', 'org_large', @endpoints, @kind, @from_middle, 26);
  }
  plan_ok('of one event', 100, "delivery/list_all_of_event$direction", 'generic',
    'org_large', @endpoints, $types, $statuses, 'whd_', 'whd_~', 26, "evt_$middle");
  plan_ok('a class, of fifty endpoints', 16_000, "delivery/list_all_of_answer$direction",
    'generic', 'org_large', @endpoints, 500, 599, @from_middle, 26, 'f');
  plan_ok('one, of one endpoint', 100, "delivery/list_all_of_answer$direction",
    'generic', 'org_large', '{we_large}', 404, 404, @from_middle, 26, 'f');
  plan_ok('failing, of one endpoint', 2000, "delivery/list_all_of_answer$direction",
    'generic', 'org_large', '{we_large}', 0, 599, @from_middle, 26, 't');
}
plan_ok('one', 20, 'delivery/find', 'generic', @key, "whd_$middle");
plan_ok('one', 60, 'delivery/requeue', 'generic', @key, "whd_$middle", 1);
plan_ok('an endpoint\'s', 300, 'delivery/end_pending', 'generic', @key, $types,
  100, '{}', 1);
# One of them is full.
my @claim = (9_000_000, 'node.1', 256, '{we_2,we_3}', '{0,0}', 8, '', 10,
  'node.', 0);
plan_ok('a full endpoint', 100, "delivery/claim_$_", 'generic', @claim)
  for qw(new due);
$claim[4] = '{16,16}';
plan_ok('a batch', 16 * 60, "delivery/claim_$_", 'generic', @claim)
  for qw(new due);
$handle->do('SET enable_seqscan = off'); # as the watchdog has it
plan_ok('some', 100, 'statistics/backlog', 'generic', 1000);
$handle->do('RESET enable_seqscan');
plan_ok('a result', 200, 'delivery/settle', 'generic', 1, 'node', '{org_large}',
  '{whd_00000000120000000000000000}', '{5}', '{failed}', '{0}', '{x}', '{}', '{}', '{}');

for my $list ('event/list', 'event/list_newer') {
  plan_ok('all', 100, $list, 'custom', 'org_large', @all, undef, undef, undef);
  plan_ok('from the middle', 100, $list, 'custom', 'org_large', 'evt_',
    "evt_$middle", 11, undef, undef, undef);
  plan_ok('a rare type', 100, $list, 'custom', 'org_large', @all,
    'session_review.flagged', undef, undef);
  plan_ok('an object', 100, $list, 'custom', 'org_large', @all, undef, 'vks_7',
    undef);
  plan_ok('an object of an application', 100, $list, 'custom', 'org_large', @all,
    undef, 'vks_7', 'app_busy');
}
for my $list ('event/list_of_application', 'event/list_of_application_newer') {
  plan_ok($_, 400, $list, 'generic', 'org_large', @all, $_, $types)
    for qw(app_busy app_rare app_none);
}
plan_ok('one', 20, 'event/find', 'generic', 'org_large', "evt_$middle", undef);
plan_ok('an event', 200, 'event/insert', 'generic', 'org_large', 'evt_z', undef,
  'verification_session.created', 'vks_z', '{}', 1, undef);
plan_ok('a test event', 100, 'event/insert_test', 'generic', 'org_large', 'evt_z',
  undef, 'verification_session.created', 'vks_z', '{}', 1, 'we_large', undef);
plan_ok('one', 100, "webhook_endpoint/$_", 'generic', @key, undef)
  for qw(find lock);
plan_ok('a page', 100, "webhook_endpoint/$_", 'generic', 'org_large', undef,
  'we_', 'we_~', 11) for qw(list list_newer);
plan_ok('a batch', 250 * 60, 'webhook_recovery/advance', 'generic', 1, 250, 1000,
  100_000, 2);
plan_ok('while one is running', 20, 'webhook_recovery/create', 'generic', @key, 'whr_2',
  0, 1, 'evt_', 'evt_~', 1);
plan_ok('one', 20, 'webhook_recovery/find', 'generic', @key, 'whr_1');
plan_ok('a page', 100, $_, 'generic', @key, 'whr_', 'whr_~', 11)
  for qw(webhook_recovery/list webhook_recovery/list_newer);

# Nothing is old enough: to know that must not take reading everything.
plan_ok('nothing', 500, "retention/purge_$_", 'generic', 1000, 500)
  for qw(events deliveries recoveries);
plan_ok('a batch', 500 * 40, "retention/purge_$_", 'generic', 1_001_000, 500)
  for qw(events deliveries recoveries);

# Many jobs are held, and older: a step looks at one of them, and then no more
# until its next look.
$handle->do(<<"SQL");
INSERT INTO webhook_recovery (organization_id, id, webhook_endpoint_id, since_at,
                              until_at, position, last_position, created_at,
                              updated_at)
SELECT 'org_3', 'whr_held' || i, 'we_3', 0, 1, 'evt_', 'evt_~', 0, 0
  FROM generate_series(1, 1000) i
SQL
plan_ok('one of many that are held', 300, 'webhook_recovery/advance', 'generic', 1, 250,
  1000, 100_000, 2);
$handle->do(q{UPDATE webhook_recovery SET updated_at = 2 WHERE id ~ 'whr_held'});
plan_ok('a batch beside them', 250 * 60, 'webhook_recovery/advance', 'generic', 1, 250,
  1000, 100_000, 2);

$handle->disconnect;
finish($service);
