# A cancel after evidence had passed counts as one verification: by the customer's
# server, an operator in the dashboard and verifyctl, in a live organization and in
# a sandbox. What expires, what the person leaves and what fails counts nothing.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use JSON::PP ();
use Verify::Books qw(book_faults);
use Verify::Conformance;
use Verify::Dashboard;
use Verify::Specimen;
use Verify::Test;

use constant AT_ONCE => 64;
my $service = Verify::Instance->start(start => 0,
  conf => "VerifyTestIssuers on\nVerifyRateLimit secret 100000\n");
my $path = '/v1/verification_sessions';
my %ends = (
  granted => {type => 'outcome', status => 'verified'},
  denied => {type => 'outcome', status => 'failed'});
my $reviewed = {name => 'Reviewed', start => 'id', nodes => {%ends,
  hold => {type => 'review', next => {approved => 'granted', rejected => 'denied'}},
  id => {type => 'methods', methods => ['document_capture'],
    next => {passed => 'hold', exhausted => 'denied'}}}};
my $two_steps = {name => 'Two steps', start => 'id', nodes => {%ends,
  id => {type => 'methods', methods => ['document_capture'],
    next => {passed => 'face', exhausted => 'denied'}},
  face => {type => 'methods', methods => ['selfie_liveness'],
    next => {passed => 'granted', exhausted => 'denied'}}}};
my $declared = {name => 'Declared', start => 'word', nodes => {%ends,
  word => {type => 'methods', methods => ['self_attestation'],
    next => {passed => 'id', exhausted => 'denied'}},
  id => {type => 'methods', methods => ['document_capture'],
    next => {passed => 'granted', exhausted => 'denied'}}}};

my $live = $service->organization(workflow => $reviewed);
my $sandbox = $service->organization(sandbox => 1, workflow => $reviewed);
my $stepwise = $service->organization(sandbox => 1, workflow => $two_steps);
my $dashboard = Verify::Dashboard->prepare($service,
  chief => ["admin $live->{id}", "admin $sandbox->{id}", "admin $stepwise->{id}"]);
$service->start_httpd;
my $chief = $dashboard->client('chief');
answer_is($live->{client}->post('/v1/webhook_endpoints',
  {url => 'https://receiver.example/hook',
    enabled_events => ['session_review.escalated']}), 201, 'endpoint');
$service->verifyctl(qw(org update), $live->{id}, qw(--free-allotment 1));
$service->verifyctl(qw(credits add --org), $live->{id}, qw(--amount 10 --note Invoice));

sub create {
  my ($organization) = @_;
  return answer_is($organization->{client}->post($path, {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US-CA'}), 201,
    'session');
}
# A session whose document has passed: a real one, or by a test value.
sub passed {
  my ($organization) = @_;
  my $session = create($organization);
  if ($organization->{sandbox}) {
    answer_is($organization->{client}->post("$path/$session->{id}/test_outcome",
      {value => 'passed'}), 200, 'the document passes');
  } else {
    show_specimen($service, $session);
  }
  return $session;
}
sub status { $_[0]{client}->get("$path/$_[1]{id}")->json->{status} }
sub entry_of {
  my ($organization, $session) = @_;
  my @of = grep { ($_->{session_id} // '') eq $session->{id} }
    @{$service->verifyctl(qw(credits --limit 100 --org), $organization->{id})};
  return map { [@$_{qw(kind verifications amount note)}] } @of;
}
sub counted {
  my ($organization) = @_;
  is_deeply [book_faults($service, $organization->{id})], [], 'the books are right';
  return $service->verifyctl(qw(org show), $organization->{id})->{usage}{verifications};
}

my $note = 'cancelled after evidence had passed';
my %cancel = (
  server => sub { answer_is($_[0]{client}->post("$path/$_[1]{id}/cancel", {}), 200) },
  dashboard => sub { answer_is($chief->post("/dashboard/v1/organizations/$_[0]{id}"
    . "/verification_sessions/$_[1]{id}/cancel", {}), 200) },
  verifyctl => sub { $service->verifyctl(qw(session cancel), $_[1]{id},
    qw(--by operator)) });

for my $who (sort keys %cancel) {
  subtest "cancelled by $who" => sub {
    for my $organization ($live, $sandbox, $stepwise) {
      my $before = counted($organization);
      my $kind = $organization->{sandbox} ? 'sandbox' : $before ? 'charged' : 'free';
      my $session = passed($organization);
      is counted($organization), $before, 'nothing is counted while it is under way';
      $cancel{$who}->($organization, $session);
      is status($organization, $session), 'cancelled', 'cancelled';
      is counted($organization), $before + 1, 'counted';
      is_deeply [entry_of($organization, $session)],
        [[$kind, 1, $kind eq 'charged' ? -1 : 0, $note]], 'with its reason';
      $cancel{$who}->($organization, $session);
      is counted($organization), $before + 1, 'once';
    }
  };
}

subtest 'nothing of what was found is shown' => sub {
  my $session = passed($live);
  $cancel{server}->($live, $session);
  my $shown = $live->{client}->get("$path/$session->{id}?expand[]=results"
    . '&expand[]=document')->json;
  is_deeply [grep { $_->{status} eq 'passed' } @{$shown->{results}}], [], 'no result';
  is $shown->{document}, undef, 'no document';
  is $live->{client}->get("/v1/events?object_id=$session->{id}&type="
    . 'verification_session.cancelled')->json
    ->{data}[0]{data}{object}{verification_result}, undef, 'nor in the event';
};

subtest 'what counts nothing' => sub {
  my $before = counted($stepwise);
  $cancel{server}->($stepwise, create($stepwise));
  my $left = passed($stepwise);
  answer_is($service->client($left->{client_secret})->post(
    "/v1/widget/sessions/$left->{id}/cancel", {}), 200, 'the person leaves');
  is status($stepwise, $left), 'cancelled', 'cancelled, too';
  $cancel{server}->($stepwise, $left);
  my $expired = passed($stepwise);
  $service->sql('UPDATE verification_session SET expires_at = 1000 WHERE id = ?',
    $expired->{id});
  ok wait_for { status($stepwise, $expired) eq 'expired' }, 'expired';
  is_deeply [map { entry_of($stepwise, $_) } $left, $expired], [], 'no entry';
  is counted($stepwise), $before, 'the same count';

  my $word = $service->organization(sandbox => 1, workflow => $declared);
  my $session = create($word);
  answer_is($word->{client}->post("$path/$session->{id}/test_outcome",
    {value => 'passed', method => 'self_attestation'}), 200, 'declared');
  $cancel{server}->($word, $session);
  is counted($word), 0, 'a declaration is no evidence';
};

subtest 'a rejection costs nothing, and the ledger shows it' => sub {
  for my $organization ($live, $sandbox) {
    my $before = counted($organization);
    my $kind = $organization->{sandbox} ? 'sandbox' : 'free';
    my ($rejected, $late) = map { passed($organization) } 1 .. 2;
    $service->verifyctl(qw(review decide), $rejected->{id}, qw(reject --by reviewer));
    $service->sql('UPDATE verification_session SET review_deadline_at = 1 WHERE id = ?',
      $late->{id});
    ok wait_for { status($organization, $late) eq 'failed' }, 'timed out';
    is_deeply [entry_of($organization, $_)],
      [[$kind, 0, 0, 'rejected after evidence had passed']], 'an entry' for $rejected, $late;
    is counted($organization), $before, 'nothing is counted';
  }
  my $before = counted($live);
  my $session = create($live);
  $service->sql(q{UPDATE verification_session SET status = 'under_review',
      review_opened_at = created_at, review_deadline_at = expires_at,
      runner = (runner::jsonb || '{"node": "hold"}')::json WHERE id = ?}, $session->{id});
  $service->verifyctl(qw(review decide), $session->{id}, qw(reject --by reviewer));
  is_deeply [entry_of($live, $session)], [], 'none where nothing had passed';
};

subtest 'what was verified is counted once' => sub {
  my $before = counted($sandbox);
  my $session = passed($sandbox);
  $service->verifyctl(qw(review decide), $session->{id}, qw(approve --by reviewer));
  answer_is($sandbox->{client}->post("/v1/session_reviews/sessions/$session->{id}/flag",
    {}), 200, 'flagged');
  $cancel{server}->($sandbox, $session);
  is counted($sandbox), $before + 1, 'verified, flagged, cancelled: one';
};

subtest "a cancel at the moment of verified, @{[AT_ONCE]} at once" => sub {
  my $before = counted($stepwise);
  my @sessions = map { passed($stepwise) } 1 .. 4;
  my @requests = map { my $id = $_->{id}; my $secret = $_->{client_secret};
    (['POST', "$path/$id/test_outcome", {value => 'passed'}],
      (map { ['POST', "$path/$id/cancel", {}] } 1 .. AT_ONCE / 4 - 2),
      ['POST', "/v1/widget/sessions/$id/cancel", {},
        Authorization => "Bearer $secret"]) } @sessions;
  my @turns = map { my $turn = $_; map { $_ * AT_ONCE / 4 + $turn } 0 .. 3 }
    0 .. AT_ONCE / 4 - 1;
  my %statuses;
  $statuses{$_->status}++ for at_once($stepwise->{client}, @requests[@turns]);
  is_deeply [grep { !/\A(?:200|409)\z/ } keys %statuses], [], 'every request is answered';
  my $left = grep { !entry_of($stepwise, $_) } @sessions;
  is counted($stepwise), $before + 4 - $left, 'each session is counted once, unless left';

  my $one = passed($stepwise);
  at_once($stepwise->{client},
    map { ['POST', "$path/$one->{id}/cancel", {}] } 1 .. AT_ONCE);
  is scalar(entry_of($stepwise, $one)), 1, 'one entry for many cancels of one session';
};

subtest 'the quota of a sandbox ends by cancels, too' => sub {
  my ($year, $month) = (gmtime)[5, 4];
  my $used = counted($sandbox);
  my @month = ($sandbox->{id}, ($year + 1900) * 100 + $month + 1);
  $service->sql('UPDATE monthly_usage SET sandbox = 499
    WHERE organization_id = ? AND month = ?', @month);
  $service->sql(q{INSERT INTO ledger_entry (organization_id, month, position, id, kind,
      verifications, amount, balance, note, created_at)
    SELECT $1, $2, 1 + max(position), 'led_set', 'sandbox', $3, 0, 0, 'set', 0
      FROM ledger_entry WHERE organization_id = $1}, @month, 499 - $used);
  my ($one, $other) = map { passed($sandbox) } 1 .. 2;
  $cancel{server}->($sandbox, $one);
  error_is($sandbox->{client}->post($path, {type => 'age', jurisdiction => 'US-CA',
    workflow_id => $sandbox->{workflow_id}}), 402, 'test_quota_exceeded');
  $cancel{server}->($sandbox, $other);
  is counted($sandbox), 501, 'what was under way is counted all the same';
};

finish($service);
