# All that can happen to sessions, credentials and endpoints, at once and in no
# order; then the books have to balance. The seed is printed, VERIFY_SEED=N
# repeats its choices.
use v5.32;
use warnings;
use List::Util qw(sum0);
use POSIX ();
use Verify::Books qw(book_faults);
use Verify::Conformance;
use Verify::Specimen;

use constant {ROUNDS => $ENV{VERIFY_RACE_ROUNDS} // 4, SESSIONS => 10, FREE => 2,
  CREDITS => 60};
my $seed = $ENV{VERIFY_SEED} // time % 100_000;
srand $seed;
diag "seed $seed" if $ENV{VERIFY_SEED};

my $service = Verify::Instance->start(conf => <<'END');
VerifyTestIssuers on
VerifyRateLimit secret 100000
END
my $sessions = '/v1/verification_sessions';
my $shop = $service->organization(workflow => {name => 'Races', start => 'id',
  nodes => {id => {type => 'methods', methods => ['document_capture'],
      next => {passed => 'yes', exhausted => 'no'}},
    yes => {type => 'outcome', status => 'verified'},
    no => {type => 'outcome', status => 'failed'}}});
my $client = $shop->{client};
my $receiver = $service->receiver;
my @endpoints = map { answer_is($client->post('/v1/webhook_endpoints',
  {url => $receiver->url("/$_"), enabled_events => ['*']}), 201, 'endpoint') } 1, 2;
$service->verifyctl(qw(org update), $shop->{id}, '--free-allotment', FREE);
$service->verifyctl(qw(credits add --org), $shop->{id}, '--amount', CREDITS,
  qw(--note Invoice));

sub create {
  return answer_is($client->post($sessions, {type => 'age', jurisdiction => 'US-CA',
    workflow_id => $shop->{workflow_id}, @_}), 201, 'session');
}
my $first = create(email => 'specimen@example.com');
my $token = show_specimen($service, $first)->{vp_token};
like $token, qr/\Avpt_/, 'a token that may be redeemed';
my @all = $first;

# Requests that a session may meet at the same moment.
sub rivals {
  my ($session) = @_;
  my @person = (Authorization => "Bearer $session->{client_secret}");
  my $widget = "/v1/widget/sessions/$session->{id}";
  my $delivery = $service->sql_value('SELECT id FROM webhook_delivery
    WHERE webhook_endpoint_id = ? ORDER BY random() LIMIT 1', $endpoints[0]{id});
  my %request = (
    redeem => ['POST', "$widget/vp_token", {vp_token => $token}, @person],
    open => ['POST', "$widget/open", {}, @person],
    leave => ['POST', "$widget/cancel", {}, @person],
    cancel => ['POST', "$sessions/$session->{id}/cancel", {}],
    cancel_by_key => ['POST', "$sessions/$session->{id}/cancel", {},
      'Idempotency-Key' => "cancel-$session->{id}"],
    flag => ['POST', "/v1/session_reviews/sessions/$session->{id}/flag", {}],
    rotate => ['POST', "/v1/webhook_endpoints/$endpoints[0]{id}/rotate-secret", {}],
    retry => ['POST', "/v1/webhook_endpoints/$endpoints[0]{id}/deliveries/"
      . "$delivery/retry", {}],
  );
  my @kinds = (('redeem') x 5, qw(open leave cancel cancel_by_key flag flag rotate
    retry));
  return map { $request{$kinds[rand @kinds]} } 1 .. 3;
}

# What the operator and the clock do meanwhile, in a process of its own.
sub meanwhile {
  my (@ids) = @_;
  my @decisions = map { [$ids[rand @ids], (qw(approve approve reject))[rand 3]] } 1 .. 4;
  my $pid = fork // die "fork: $!\n";
  return $pid if $pid;
  for my $decision (@decisions) {
    eval { $service->verifyctl(qw(review decide), @$decision, qw(--by reviewer)) };
  }
  POSIX::_exit(0);
}
sub late {
  my ($id) = @_;
  $service->sql('UPDATE verification_session SET expires_at = ?, review_deadline_at =
    CASE WHEN review_deadline_at IS NULL THEN NULL ELSE ?::bigint END WHERE id = ?',
    time * 1000, time * 1000, $id);
}

my %statuses;
for my $round (1 .. ROUNDS) {
  push @all, map { create() } 1 .. SESSIONS;
  my @mine = @all[1 + ($round - 1) / 2 * SESSIONS .. $#all];
  my $pid = meanwhile(map { $_->{id} } @mine);
  for (1 .. 2) {
    my @requests = map { rivals($_) } @mine;
    while (my @some = splice @requests, 0, 24) {
      $statuses{$_->status}++ for at_once($client, @some);
    }
    late($mine[rand @mine]{id});
  }
  waitpid $pid, 0;
}
is_deeply [grep { !/\A(?:200|400|409|429)\z/ } keys %statuses], [],
  'every request is answered: ' . join ', ', map { "$_: $statuses{$_}" }
  sort keys %statuses;
ok wait_for { !$service->sql_value(q{SELECT count(*) FROM verification_session
  WHERE status NOT IN ('verified', 'failed', 'cancelled', 'expired', 'under_review')
    AND expires_at < ? OR status = 'under_review' AND review_deadline_at < ?},
  time * 1000, time * 1000) }, 'what is late has expired';
ok &wait_for(sub { !$service->sql_value(q{SELECT count(*) FROM webhook_delivery
  WHERE status = 'pending'}) }, 60), 'everything is delivered';

subtest 'one event for each transition' => sub {
  my %last = (verified => 'verified', failed => 'failed', cancelled => 'cancelled',
    expired => 'expired');
  my @faults;
  for my $session (@{$service->sql('SELECT id, status FROM verification_session')}) {
    my %count = map { $_->{type} => $_->{count} } @{$service->sql('SELECT type,
      count(*) AS count FROM event WHERE object_id = ? GROUP BY type', $session->{id})};
    my $of = sub { sum0(map { $count{$_} // 0 } @_) };
    my $ends = $of->(map { "verification_session.$_" } qw(failed cancelled expired));
    my $verified = $of->('verification_session.verified');
    my $holds = $of->('session_review.flagged');
    my ($approved, $rejected) = map { $of->("session_review.$_") } qw(approved rejected);
    my $status = $session->{status};
    my $fault = $of->('verification_session.created') != 1 ? 'created'
      : $ends != ($status =~ /failed|cancelled|expired/ ? 1 : 0) ? 'ends'
      : $ends && !$count{"verification_session.$status"} ? 'its end'
      : $status eq 'verified' && $verified != 1 + $approved ? 'verified'
      : $holds > $verified ? 'held without being verified'
      : $holds != $approved + ($status eq 'under_review' ? 1 : 0)
        + ($holds && $ends && $holds > $approved ? 1 : 0) ? 'holds'
      : $rejected != ($status eq 'failed' && $holds > $approved ? 1 : 0) ? 'rejected'
      : next;
    push @faults, "$session->{id} $status: $fault: "
      . join ', ', map { "$_ $count{$_}" } sort keys %count;
  }
  is_deeply \@faults, [], 'of every session';
};

subtest 'deliveries are events times endpoints' => sub {
  my ($events) = map { $_->{n} } @{$service->sql('SELECT count(*) AS n FROM event')};
  cmp_ok $events, '>', @all, 'there are events';
  is $service->sql_value('SELECT count(*) FROM webhook_delivery'), 2 * $events,
    'two for each';
  is $service->sql_value('SELECT count(DISTINCT (event_id, webhook_endpoint_id))
    FROM webhook_delivery'), 2 * $events, 'one at each endpoint';
  my %arrived = map { ($_->{headers}{'service-webhook-id'} // '') => 1 }
    $receiver->requests;
  is keys %arrived, 2 * $events, 'and all have arrived';
};

subtest 'the books balance' => sub {
  my $organization = $service->verifyctl(qw(org show), $shop->{id});
  my $counted = $service->sql_value(q{SELECT count(*) FROM verification_session
    WHERE (runner::jsonb ->> 'counted')::boolean});
  is $service->sql_value(q{SELECT count(*) FROM verification_session s
    WHERE (runner::jsonb ->> 'counted')::boolean
      <> (EXISTS (SELECT FROM event e WHERE e.organization_id = s.organization_id
            AND e.object_id = s.id AND e.type = 'verification_session.verified')
          AND NOT EXISTS (SELECT FROM review_entry r
            WHERE r.organization_id = s.organization_id AND r.session_id = s.id
              AND r.action = 'rejected'))}), 0,
    'what was announced is counted unless a reviewer rejected it';
  is $organization->{usage}{verifications}, $counted, 'as often as the month says';
  my $charged = $counted > FREE ? $counted - FREE : 0;
  is $service->sql_value('SELECT charged FROM monthly_usage'), $charged,
    "$counted verified, $charged charged";
  is_deeply [book_faults($service, $shop->{id})], [], 'the ledger has each';
  is $organization->{credit_balance}, CREDITS - $charged, 'from the balance';
  is $service->sql_value('SELECT sum(amount) FROM ledger_entry'),
    $organization->{credit_balance}, 'which is the sum of the ledger';
};

subtest 'nothing stays of what has ended' => sub {
  is $service->sql_value('SELECT count(*) FROM evidence'), 0, 'no image';
  is $service->sql_value('SELECT count(*) FROM analysis_job'), 0, 'no job';
  is $service->sql_value(q{SELECT count(*) FROM credential c
    JOIN verification_session s ON s.id = c.session_id
    WHERE s.status IN ('failed', 'cancelled') AND c.revoked_at IS NULL}), 0,
    'no credential';
};

finish($service);
