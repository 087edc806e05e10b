# Verifications that are counted, flagged, decided, cancelled and timed out in
# random order, several at each moment, credits and allotments that change
# meanwhile, and months that end: the ledger, the counters and the sessions say
# the same after each round. VERIFY_SEED=N repeats
# the choices of the seed N.
use v5.32;
use warnings;
use POSIX ();
use Verify::Books qw(book_faults);
use Verify::Conformance;

use constant {ROUNDS => $ENV{VERIFY_LEDGER_ROUNDS} // 6, NEW => 8, RIVALS => 24};
my $seed = $ENV{VERIFY_SEED} // time % 100_000;
srand $seed;

my $service = Verify::Instance->start(conf => "VerifyRateLimit secret 100000\n");
my $sessions = '/v1/verification_sessions';
my %nodes = (hold => {type => 'review', next => {approved => 'yes', rejected => 'no'}},
  yes => {type => 'outcome', status => 'verified'},
  no => {type => 'outcome', status => 'failed'},
  id => {type => 'methods', methods => ['document_capture'],
    next => {passed => 'hold', exhausted => 'no'}});
my %shops = map { ($_ => $service->organization($_ eq 'sandbox' ? (sandbox => 1) : (),
  workflow => {name => 'Ledger', start => 'id', nodes => \%nodes})) } qw(live sandbox);
answer_is($shops{live}{client}->post('/v1/webhook_endpoints',
  {url => 'https://receiver.example/', enabled_events => ['session_review.escalated']}),
  201, 'endpoint');
$service->verifyctl(qw(org update), $shops{live}{id}, qw(--free-allotment 5));
$service->verifyctl(qw(credits add --org), $shops{live}{id}, qw(--amount 500
  --note Invoice));

# A new session behind its document, which has passed in every other one, or in a
# sandbox perhaps born verified.
sub create {
  my ($kind, $passed) = @_;
  my $shop = $shops{$kind};
  my $born = !$passed && $kind eq 'sandbox' && rand() < 0.5;
  my $session = answer_is($shop->{client}->post($sessions, {type => 'age',
    workflow_id => $shop->{workflow_id}, jurisdiction => 'US-CA',
    $born ? (skip_verification => $true) : ()}), 201, 'session');
  $service->sql(q{UPDATE verification_session SET status = 'under_review',
      review_opened_at = created_at, review_deadline_at = expires_at,
      runner = (runner::jsonb || ?::jsonb)::json WHERE id = ?},
    $passed || rand() < 0.5 ? '{"node": "hold", "verified": ["document_capture"]}'
      : '{"node": "hold"}', $session->{id}) unless $born;
  $session->{kind} = $kind;
  return $session;
}

# What a server and a person may ask of a session at the same moment.
sub rivals {
  my ($session) = @_;
  my %request = (
    cancel => ['POST', "$sessions/$session->{id}/cancel", {}],
    flag => ['POST', "/v1/session_reviews/sessions/$session->{id}/flag", {}],
    leave => ['POST', "/v1/widget/sessions/$session->{id}/cancel", {},
      Authorization => "Bearer $session->{client_secret}"],
  );
  return $request{(qw(flag flag flag flag leave cancel))[rand 6]};
}

# The reviewer, the clock and the operator, each in a process of its own.
sub meanwhile {
  my @all = @_;
  my @work = (
    (map { my ($session, $decision) = ($all[rand @all],
        (qw(approve approve approve reject escalate))[rand 5]);
      sub { $service->verifyctl(qw(review decide), $session->{id}, $decision,
        qw(--by reviewer)) } } 1 .. 12),
    (map { my $session = $all[rand @all];
      sub { $service->connect_database->do('UPDATE verification_session
        SET review_deadline_at = 1 WHERE id = ? AND review_deadline_at IS NOT NULL',
        undef, $session->{id}) } } 1 .. 2),
    sub { $service->verifyctl(qw(credits add --org), $shops{live}{id}, '--amount',
      1 + int rand 5, qw(--note Invoice)) },
    sub { $service->verifyctl(qw(org update), $shops{live}{id}, '--free-allotment',
      int rand 12) });
  my @parts;
  push @{$parts[rand 4]}, $_ for @work;
  return map {
    my $part = $_;
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
      for my $one (@{$part // []}) { eval { $one->() } }
      POSIX::_exit(0);
    }
    $pid;
  } @parts;
}

# All that has been counted becomes that of a month earlier.
sub end_month {
  my $earlier = 'CASE WHEN month % 100 = 1 THEN month - 89 ELSE month - 1 END';
  $service->sql("UPDATE monthly_usage SET month = -($earlier)");
  $service->sql('UPDATE monthly_usage SET month = -month');
  $service->sql("UPDATE ledger_entry SET month = $earlier WHERE month IS NOT NULL");
  $service->sql(q{UPDATE verification_session SET completed_at = (extract(epoch FROM
      (to_timestamp(completed_at / 1000) AT TIME ZONE 'UTC' - interval '1 month')
      AT TIME ZONE 'UTC') * 1000)::bigint WHERE completed_at IS NOT NULL});
}

sub count_of {
  my ($shop, $condition) = @_;
  return $service->sql_value("SELECT count(*) FROM verification_session s
    WHERE organization_id = ? AND $condition", $shop->{id});
}

# Nothing moves any more by itself: reviews that are late have timed out.
sub is_settled {
  return !$service->sql_value(q{SELECT count(*) FROM verification_session
    WHERE status = 'under_review' AND review_deadline_at = 1});
}

# What chance may leave out, of sessions that it does not touch.
for my $kind (sort keys %shops) {
  my $passed = create($kind, 1);
  answer_is($shops{$kind}{client}->post("$sessions/$passed->{id}/cancel", {}), 200,
    'cancelled after a document had passed');
  for my $end (qw(verified rejected cancelled)) {
    my $session = create($kind);
    $service->verifyctl(qw(review decide), $session->{id}, qw(approve --by reviewer))
      if $shops{$kind}{client}->get("$sessions/$session->{id}")->json->{status}
        eq 'under_review';
    next if $end eq 'verified';
    answer_is($shops{$kind}{client}->post(
      "/v1/session_reviews/sessions/$session->{id}/flag", {}), 200, 'flagged');
    if ($end eq 'cancelled') {
      answer_is($shops{$kind}{client}->post("$sessions/$session->{id}/cancel", {}),
        200, 'cancelled');
    } else {
      $service->verifyctl(qw(review decide), $session->{id}, qw(reject --by reviewer));
    }
  }
}

my @all;
for my $round (1 .. ROUNDS) {
  push @all, map { create($_) } map { ('live', 'sandbox') } 1 .. NEW;
  my @pids = meanwhile(@all);
  my (%requests, %statuses);
  for (1 .. RIVALS) {
    my $session = $all[rand @all];
    push @{$requests{$session->{kind}}}, rivals($session);
  }
  for my $kind (sort keys %requests) {
    $statuses{$_->status}++
      for at_once($shops{$kind}{client}, @{$requests{$kind}});
  }
  waitpid $_, 0 for @pids;
  is_deeply [grep { !/\A(?:200|401|409)\z/ } keys %statuses], [],
    "seed $seed, round $round: every request is answered";
  ok wait_for { is_settled() }, 'what was late has timed out';
  for my $kind (sort keys %shops) {
    is_deeply [book_faults($service, $shops{$kind}{id})], [], "the books: $kind";
    is $service->sql_value('SELECT coalesce(sum(free + charged + sandbox), 0)
      FROM monthly_usage WHERE organization_id = ?', $shops{$kind}{id}),
      count_of($shops{$kind}, q{(EXISTS (SELECT FROM event e
          WHERE e.organization_id = s.organization_id AND e.object_id = s.id
            AND e.type = 'verification_session.verified')
        AND NOT EXISTS (SELECT FROM review_entry r
          WHERE r.organization_id = s.organization_id AND r.session_id = s.id
            AND r.action = 'rejected')
        OR status = 'cancelled' AND completed_at IS NULL
          AND runner -> 'verified' ->> 0 IS NOT NULL)}),
      'what was announced and not rejected, or cancelled after a document had passed';
  }
  end_month() if $round % 2;
}
for my $kind (sort keys %shops) {
  cmp_ok count_of($shops{$kind}, $_->[1]), '>', 0, "$kind: there are $_->[0]"
    for ['verified ones', q{status = 'verified'}],
      ['cancelled ones that had passed', q{status = 'cancelled'
        AND completed_at IS NULL AND (runner ->> 'counted')::boolean}],
      ['cancelled and timed out ones that stay counted',
        q{status IN ('cancelled', 'failed') AND (runner ->> 'counted')::boolean}];
}
cmp_ok $service->sql_value(q{SELECT count(*) FROM ledger_entry
  WHERE verifications < 0}), '>', 0, 'there are undone ones';
is $service->sql_value(q{SELECT count(*) FROM ledger_entry
  WHERE kind = 'sandbox' AND organization_id = ?}, $shops{live}{id}), 0,
  'no sandbox among the live';

finish($service);
