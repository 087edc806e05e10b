# Sessions are found and listed by indexes alone, and few pages of those are
# read, however many sessions there are: whatever is filtered, from either
# side, and for keys of applications.
use v5.32;
use warnings;
use Digest::SHA qw(sha256_hex);
use Verify::Queries qw(plan_nodes query_plan query_text);
use Verify::Test;

# Where one row in a hundred is found, reading on is the best way to find ten.
use constant PASSED_OVER => 100;
use constant ROWS => $ENV{VERIFY_PLAN_ROWS} // 100_000;

my $service = Verify::Instance->start(start => 0);
my $handle = $service->connect_database;

# Nothing but this test decides when statistics are made.
$handle->do('ALTER TABLE verification_session SET (autovacuum_enabled = off)');

# Organizations and keys, of which the answers look at one: key 7 is the large
# one's.
$handle->do($_) for <<'SQL', <<'SQL', 'ANALYZE organization, api_key';
INSERT INTO organization (id, name, created_at, updated_at)
SELECT CASE WHEN i = 7 THEN 'org_large' ELSE 'org_' || i END, 'One of many', 1, 1
  FROM generate_series(1, 5000) i
SQL
INSERT INTO api_key (organization_id, id, type, digest, last_characters, created_at)
SELECT CASE WHEN i = 7 THEN 'org_large' ELSE 'org_' || i END, 'key_' || i,
       'secret', sha256(i::text::bytea), 'kkkk', 1
  FROM generate_series(1, 5000) i
SQL
my @key = ('\\x' . sha256_hex('7'), 'key_7', 'secret', undef, 'f', 'f', 'f', undef);

# A large organization and one of the same client reference ids beside it.
# Ids are in order of i, what is rare is the oldest.
sub add_sessions {
  my ($first, $last) = @_;
  $handle->do(<<'SQL', undef, $first, $last);
INSERT INTO verification_session (organization_id, id, application_id,
  workflow_id, workflow_version_id, livemode, revision, status, type, methods,
  client_reference_id, risk_tier, metadata, created_at, updated_at, expires_at,
  runner, client_secret_digest)
SELECT 'org_' || o, 'vks_' || lpad(i::text, 10, '0') || substr(md5(i::text), 1, 16),
       CASE WHEN i <= 5 THEN 'app_rare' WHEN i % 2 = 0 THEN 'app_busy' END,
       CASE WHEN i <= 6 THEN 'wf_rare' ELSE 'wf_1' END, 'wfv_1', true, 1,
       CASE WHEN i <= 20 THEN 'failed' WHEN i % 3 = 0 THEN 'created'
            ELSE 'verified' END,
       'age', '{document_capture}', 'Customer-' || i % 10000,
       CASE WHEN i <= 7 THEN 'bot' WHEN i % 10 = 0 THEN 'clear' END,
       '{}', i, i, i, '{}', ''
  FROM generate_series(?::integer, ?::integer) i, (VALUES ('large'), ('other')) t (o)
SQL
}

my $state; # of the statistics
my $middle = sprintf 'vks_%010d', ROWS / 2;

# What is read, and how many rows a filter may have thrown away.
sub plan_ok {
  my ($what, $pages, $name, $mode, @parameters) = @_;
  my $plan = query_plan($handle, $name, $mode, @parameters);
  my @faults = map {
    ($_->{'Node Type'} eq 'Seq Scan' ? "Seq Scan on $_->{'Relation Name'}" : (),
      ($_->{'Rows Removed by Filter'} // 0) > PASSED_OVER
      ? "$_->{'Node Type'} threw $_->{'Rows Removed by Filter'} rows away" : ())
  } plan_nodes($plan);
  my $read = $plan->{'Shared Hit Blocks'} + $plan->{'Shared Read Blocks'};
  ok !@faults && $read <= $pages, "$state, $name: $what, $read pages"
    or diag join "\n", @faults;
}

my @large = ('org_large');

sub lists_ok {
  $state = shift;
  plan_ok('one', 20, "session/$_", 'generic', @large, $middle, undef)
    for qw(find lock);
  plan_ok('all', 100, 'session/list_answers', 'generic', @large, undef, 1, 1, undef, @key);
  plan_ok('from the middle', 100, 'session/list_answers', 'generic', @large, $middle, 1, 1, undef, @key);
  plan_ok('one', 20, 'session/find_answer', 'generic', @large, $middle, 1, 1, undef, @key);
  like query_text('session/list_answers'), qr/LIMIT 11\b/, 'a page and one more';
  for my $mode (qw(generic custom)) {
    plan_ok("all, $mode", 300, "session/$_", $mode, @large, 'vks_', 'vks_~', 101)
      for qw(list list_newer);
    plan_ok("from the middle, $mode", 300, 'session/list', $mode, @large, 'vks_',
      $middle, 101);
    plan_ok("from the middle, $mode", 300, 'session/list_newer', $mode, @large,
      "$middle!", 'vks_~', 101);
  }

  for my $mode (qw(generic custom)) {
    plan_ok("sessions under way, $mode", 130, 'ledger/under_way', $mode, @large, $_)
      for 1, 111;
    plan_ok("none, $mode", 20, 'ledger/under_way', $mode, 'org_none', 111);
  }

  # Newest sessions, and index entries of up to 60,000, which is not vacuumed here.
  plan_ok('how a day went', 6000, 'session/funnel', 'bound', @large, '{vks_}', 5000, 60_000,
    '{ip_analysis}');
  plan_ok('how ten days went', 6000, 'session/funnel', 'bound', @large,
    '{' . join(',', map { sprintf 'vks_%010d', $_ * ROWS / 10 } 0 .. 9) . '}', 500, 6000,
    '{ip_analysis}');

  for (['session/list_filtered', ['vks_', 'vks_~'], ['vks_', $middle]],
    ['session/list_filtered_newer', ['vks_', 'vks_~'], ["$middle!", 'vks_~']]) {
    my ($list, @ranges) = @$_;
    for my $range (@ranges) {
      my $filtered = sub {
        my ($what, $application, @filters) = @_;
        plan_ok("$what in @$range", 300, $list, 'bound', @large, $application,
          @$range, 11, @filters, (undef) x (4 - @filters));
      };
      $filtered->('status', undef, 'verified');
      $filtered->('rare status', undef, 'failed');
      $filtered->('status of none', undef, 'cancelled');
      $filtered->('client reference id', undef, undef, 'Customer-77');
      $filtered->('client reference id of none', undef, undef, 'nobody');
      $filtered->('risk tier', undef, undef, undef, 'clear');
      $filtered->('rare risk tier', undef, undef, undef, 'bot');
      for my $application (qw(app_busy app_rare app_none)) {
        $filtered->($application, $application);
        $filtered->("$application, status", $application, 'verified');
        $filtered->("$application, rare status", $application, 'failed');
        $filtered->("$application, client reference id", $application, undef,
          'Customer-78');
      }
    }
  }
}

# The oldest sessions are the ones that statistics know of at first.
add_sessions(1, 20);
$handle->do('ANALYZE verification_session');
add_sessions(21, ROWS);
lists_ok('statistics of the oldest');
$handle->do(q{DELETE FROM pg_statistic
  WHERE starelid = 'verification_session'::regclass});
lists_ok('no statistics');
$handle->do('VACUUM verification_session');
for my $target (1, 100, 1000) {
  $handle->do("SET default_statistics_target = $target");
  $handle->do('ANALYZE verification_session');
  lists_ok("statistics of target $target");
}
$handle->disconnect;
finish($service);
