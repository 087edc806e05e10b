# What a search reads is limited by how it is written: whatever is looked for,
# whatever references a customer has chosen, and whatever the statistics say of
# them, be they missing, old or of a few rows.
use v5.32;
use warnings;
use Verify::Queries qw(plan_nodes query_plan);
use Verify::Test;

use constant ROWS => $ENV{VERIFY_PLAN_ROWS} // 30_000;
use constant WALK => 5001; # candidates, and rows of one walk

my $service = Verify::Instance->start(start => 0);
my $handle = $service->connect_database;
my $table = 'verification_session';
# Nothing but this test decides when statistics are made.
$handle->do("ALTER TABLE $table SET (autovacuum_enabled = off)");

sub add_sessions {
  my ($organization, $first, $last, $reference) = @_;
  $handle->do(<<"SQL", undef, $organization, $first, $last);
INSERT INTO verification_session (organization_id, id, application_id,
  workflow_id, workflow_version_id, livemode, revision, status, type, methods,
  client_reference_id, risk_tier, metadata, created_at, updated_at, expires_at,
  runner, client_secret_digest)
SELECT ?, 'vks_' || lpad(i::text, 10, '0') || substr(md5(i::text), 1, 16),
       CASE WHEN i <= 5 THEN 'app_rare' WHEN i % 2 = 0 THEN 'app_busy' END,
       'wf_1', 'wfv_1', true, 1,
       CASE WHEN i <= 20 THEN 'failed' WHEN i % 3 = 0 THEN 'created'
            ELSE 'verified' END,
       'age', '{document_capture}', $reference,
       CASE WHEN i <= 7 THEN 'bot' WHEN i % 10 = 0 THEN 'clear' END,
       '{}', i, i, i, '{}', ''
  FROM generate_series(?::integer, ?::integer) i
SQL
}

my $middle = sprintf 'vks_%010d', ROWS / 2;
my $list;

# What a plan reads: its pages, and of each scan the rows.
sub plan_ok {
  my ($state, $what, $pages, @parameters) = @_;
  my $plan = query_plan($handle, $list, 'bound', @parameters);
  my @faults;
  for (plan_nodes($plan)) {
    next unless $_->{'Relation Name'};
    my $thrown = ($_->{'Rows Removed by Filter'} // 0)
      + ($_->{'Rows Removed by Index Recheck'} // 0);
    my $index = $_->{'Index Name'} // '';
    push @faults, "$_->{'Node Type'} of $index" if $_->{'Node Type'} eq 'Seq Scan';
    push @faults, "$_->{'Node Type'} of $index threw $thrown rows away" if $thrown;
    push @faults, "$_->{'Node Type'} of $index read $_->{'Actual Rows'} rows"
      if $_->{'Actual Rows'} > WALK;
  }
  my $read = $plan->{'Shared Hit Blocks'} + $plan->{'Shared Read Blocks'};
  ok !@faults && $read <= $pages, "$state, $list: $what, $read pages"
    or diag join "\n", @faults;
}

sub search_ok {
  my ($state, $organization, $range, $what, $text, %filter) = @_;
  my $pattern = (length $text < 3 ? '' : '%') . ($text =~ s/([%_\\])/\\$1/gr) . '%';
  my @ids = $text =~ /\A[a-z0-9_]+\z/i
    ? map { $_, "$_~" } lc $text =~ s/\A(?!vks_)/vks_/r : (undef, undef);
  # A walk reads a page a row at the worst, and there are two.
  plan_ok("$state, in @$range",
    join(' ', $what, map { "$_=$filter{$_}" } sort keys %filter), 16_000,
    $organization, $filter{application}, @$range, 11, @filter{qw(status reference tier workflow)},
    $pattern, @ids, $text);
}

sub searches_ok {
  my ($state) = @_;
  for (['session/search', ['vks_', 'vks_~'], ['vks_', $middle]],
    ['session/search_newer', ["$middle!", 'vks_~']]) {
    ($list, my @ranges) = @$_;
    for my $range (@ranges) {
      my $large = sub { search_ok($state, 'org_large', $range, @_) };
      $large->('of all', 'CUSTOMER');
      $large->('of some', 'ER-77');
      $large->('of one', 'er-7777');
      $large->('of none', 'nobody');
      $large->('of two characters', 'zz');
      $large->('of one character', 'c');
      $large->('of punctuation', '--- %_\\ ---');
      $large->('by an id', "${middle}0123456789abcdef");
      $large->('by the beginning of many ids', 'vks_0');
      for my $text ('er-7777', 'customer', '0') {
        $large->($text, $text, status => $_) for qw(verified failed cancelled);
        $large->($text, $text, tier => $_) for qw(clear bot block);
        $large->($text, $text, application => $_) for qw(app_busy app_rare app_none);
        $large->($text, $text, application => 'app_busy', status => 'failed',
          tier => 'block');
        $large->($text, $text, reference => $_, status => 'verified')
          for 'Customer-77', 'nobody';
      }
      # Everywhere the same trigrams; and words that pg_trgm alone cannot tell
      # from what is looked for.
      for my $text ('a' x 255, 'a' x 254 . 'b', 'b' . 'a' x 253, 'aaa', 'aa',
        '77-er', 'er-77', 'r-7', '-77', 'abcdefghij' x 25, 'abcdefghik' x 25) {
        search_ok($state, "org_$_", $range, "of $_ by "
          . (length $text > 12 ? substr($text, 0, 10) . '…' : $text), $text)
          for qw(same turned varied);
      }
    }
  }
}

my %references = (
  same => q{repeat('a', 50 + i % 200)},
  turned => q{'77-er' || CASE WHEN i % 2 = 0 THEN '-' ELSE '.' END || i},
  varied => q{substr(repeat('abcdefghij', 26), 1 + i % 10, 250)},
);
# Of this time, every session was the same customer's: who looks for it finds it
# everywhere, the statistics say.
add_sessions('org_large', 1, 5, q{'Customer-7777'});
$handle->do("ANALYZE $table");
$handle->do("DELETE FROM $table");
add_sessions("org_$_", 1, ROWS / 2, $references{$_}) for sort keys %references;
add_sessions($_, 1, ROWS, q{'Customer-' || i % 10000}) for qw(org_large org_other);
searches_ok('statistics of other rows');
$handle->do("DELETE FROM pg_statistic WHERE starelid = '$table'::regclass")
  if $handle->selectrow_array(q{SELECT usesuper FROM pg_user WHERE usename = current_user});
searches_ok('no statistics');
$handle->do("VACUUM $table");
for my $target (1, 1000) {
  $handle->do("SET default_statistics_target = $target");
  $handle->do("ANALYZE $table");
  searches_ok("statistics of target $target");
}
$handle->disconnect;
finish($service);
