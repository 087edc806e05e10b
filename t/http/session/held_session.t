# A session that is held for review, and who may do what with it: the person's
# client secret neither ends it nor is good again through it; the customer's
# cancel ends it, and the review's record stays.
use v5.32;
use warnings;
use Verify::Conformance;

my $service = Verify::Instance->start;
my $organization = $service->organization(sandbox => 1, workflow => {
  name => 'Held', start => 'hold', nodes => {
    hold => {type => 'review', next => {approved => 'id', rejected => 'no'}},
    id => {type => 'methods', methods => ['document_capture'],
      next => {passed => 'yes', exhausted => 'no'}},
    yes => {type => 'outcome', status => 'verified'},
    no => {type => 'outcome', status => 'failed'}}});
my $client = $organization->{client};
my $publishable = $service->key($organization->{id}, 'publishable');
my $sessions = '/v1/verification_sessions';
my $unknown = [401, 'client_secret_invalid'];

sub create {
  my $session = answer_is($client->post($sessions, {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US-CA', @_}),
    201, 'created');
  $session->{person} = $service->client($session->{client_secret});
  $session->{widget} = "/v1/widget/sessions/$session->{id}";
  return $session;
}
sub verified { create(skip_verification => $true, @_) }
sub held {
  my $session = create();
  is answer_is($session->{person}->post("$session->{widget}/open", {}), 200)
    ->{status}, 'under_review', 'held';
  return $session;
}
sub flag {
  is answer_is($client->post("/v1/session_reviews/sessions/$_[0]{id}/flag",
    {reason => 'chargeback'}), 200)->{status}, 'under_review', 'flagged';
}
sub decide {
  my ($session, @decision) = @_;
  return $service->verifyctl(qw(review decide), $session->{id}, @decision,
    qw(--by reviewer-7));
}
sub stored {
  return $service->sql('SELECT * FROM verification_session WHERE id = ?',
    $_[0]{id})->[0];
}
# As if SECONDS more had passed since the session ended.
sub ended_ago {
  my ($session, $seconds) = @_;
  $service->sql(q{UPDATE verification_session SET runner = (runner::jsonb
    || jsonb_build_object('ended_at', ?::bigint))::json WHERE id = ?},
    (time - $seconds) * 1000, $session->{id});
}
# What each request of the widget is answered: [status, code], or undef for 200.
sub answers_are {
  my ($session, $name, %expected) = @_;
  my ($person, $widget) = @$session{qw(person widget)};
  my $unchanged = delete $expected{unchanged} // 1;
  my %request = (
    view => sub { $person->get($widget) },
    open => sub { $person->post("$widget/open", {}) },
    consent => sub { $person->post("$widget/consent",
      {consent => $true, share => $true}) },
    image => sub { $person->put("$widget/images/front", 'bytes',
      'Content-Type' => 'image/jpeg') },
    submit => sub { $person->post("$widget/submissions",
      {method => 'document_capture', images => ['front']}) },
    redeem => sub { $person->post("$widget/vp_token",
      {vp_token => 'vpt_' . 'x' x 43}) },
    cancel => sub { $person->post("$widget/cancel", {}) },
    browser => sub { $service->client($publishable)->get(
      "$sessions/$session->{id}",
      'X-Service-Session-Secret' => $session->{client_secret}) },
  );
  my $before = stored($session);
  for my $what (sort keys %request) {
    my $expected = exists $expected{$what} ? $expected{$what} : $expected{other};
    my $answer = $request{$what}->();
    $expected ? error_is($answer, @$expected, undef, "$name: $what")
      : answer_is($answer, 200, "$name: $what");
  }
  is_deeply stored($session), $before, "$name: nothing has changed"
    if $unchanged;
}
my $conflict = [409, 'session_state_conflict'];
my $terminal = [409, 'session_terminal'];
my $not_redeemable = [409, 'session_not_redeemable'];
my %reading = (view => undef, open => undef, browser => undef,
  redeem => $not_redeemable);
my %under_review = (%reading, consent => $conflict, other => $conflict);
my %ended = (%reading, other => $terminal);
my %invalid = (other => $unknown);

subtest 'a session that its workflow holds' => sub {
  my $session = held();
  $service->sql(q{INSERT INTO evidence VALUES (?, ?, 'front', 'image/jpeg', 'x', 0)},
    $organization->{id}, $session->{id});
  error_is($session->{person}->post("$session->{widget}/cancel", {}), 409,
    'session_state_conflict', undef, 'the person cannot end it');
  is stored($session)->{status}, 'under_review', 'it is held still';
  is $service->sql_value('SELECT count(*) FROM evidence WHERE session_id = ?',
    $session->{id}), 1, 'with its evidence';
  is $client->get("/v1/events?object_id=$session->{id}&type="
    . 'verification_session.cancelled')->json->{data}[0], undef, 'nothing is announced';
  is decide($session, 'approve')->{status}, 'requires_input', 'approved';
  is answer_is($session->{person}->post("$session->{widget}/cancel", {}), 200)
    ->{status}, 'cancelled', 'then the person may cancel';
};

subtest 'a flag within the hour of the outcome' => sub {
  my $session = verified();
  answers_are($session, 'verified', %ended);
  flag($session);
  answers_are($session, 'flagged', %under_review);
  is answer_is($session->{person}->get($session->{widget}), 200)->{vp_token},
    undef, 'no token is shown meanwhile';
  ended_ago($session, 3601);
  answers_are($session, 'the hour is over', %invalid);
};

subtest 'a flag after the hour of the outcome' => sub {
  my $session = verified();
  ended_ago($session, 3601);
  answers_are($session, 'over', %invalid);
  flag($session);
  answers_are($session, 'flagged', %invalid);
  is decide($session, 'escalate')->{status}, 'under_review', 'escalated';
  answers_are($session, 'escalated', %invalid);
  is decide($session, 'approve')->{status}, 'verified', 'approved';
  answers_are($session, 'approved', %invalid);
  flag($session);
  answers_are($session, 'flagged again', %invalid);
  is decide($session, 'reject')->{status}, 'failed', 'rejected';
  answers_are($session, 'rejected', %invalid);
  for my $end ('cancelled', 'failed') {
    my $other = verified();
    ended_ago($other, 3601);
    flag($other);
    $end eq 'cancelled' ? $client->post("$sessions/$other->{id}/cancel", {})
      : $service->sql('UPDATE verification_session SET review_deadline_at = 1
          WHERE id = ?', $other->{id});
    ok wait_for { stored($other)->{status} eq $end }, $end;
    answers_are($other, $end, %invalid);
  }
};

subtest 'a hold before any outcome' => sub {
  my $session = held();
  answers_are($session, 'held', %under_review, consent => undef, unchanged => 0);
  is stored($session)->{status}, 'under_review', 'consent alone is taken';
  is decide($session, 'reject')->{status}, 'failed', 'rejected';
  answers_are($session, 'the outcome', %ended);
  ended_ago($session, 3601);
  answers_are($session, 'an hour later', %invalid);
};

finish($service);
