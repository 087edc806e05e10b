# Somebody before the camera: the challenge, and the comparison with the portrait
# of the document, with the real models.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Dashboard;
use Verify::Face;
use Verify::Specimen;
use Verify::Test;

plan skip_all => $_ for face_models_missing() // ();

my $service = Verify::Instance->start(start => 0, settings => "VerifyTestIssuers on\n");
my $receiver = $service->receiver;
my $yes = JSON::PP::true;

sub organization {
  my (%settings) = @_;
  my @face = @{delete $settings{methods} // [qw(selfie_liveness selfie_match)]};
  my $self = $service->organization(sandbox => 1, workflow => {
    name => 'Document and face', required_age_tier => 'min_age_18', %settings,
    start => 'id', nodes => {
      id => {type => 'methods', methods => ['document_capture'],
        next => {passed => 'face', exhausted => 'denied'}},
      face => {type => 'methods', mode => 'all_of', methods => \@face,
        max_attempts => 2, next => {passed => 'granted', exhausted => 'denied'}},
      granted => {type => 'outcome', status => 'verified'},
      denied => {type => 'outcome', status => 'failed'}}});
  my $endpoint = answer_is($self->{client}->post('/v1/webhook_endpoints',
    {url => $receiver->url("/$self->{id}"), enabled_events => ['*']}), 201,
    'an endpoint');
  $receiver->expect_secret("/$self->{id}", $endpoint->{secret});
  return $self;
}
# On a connection of its own: httpd may end one that was idle for long.
sub session {
  my ($who, $card) = @_;
  my $session = answer_is($who->{client}->with->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $who->{workflow_id}, jurisdiction => 'US-VA'}),
    201, 'a session');
  is show_pictures($service, $session, $card)->{current_method},
    'selfie_liveness', 'the document is passed';
  return $session;
}
sub parts_of {
  my ($session) = @_;
  return $service->sql_value(q{SELECT coalesce(string_agg(side, ' ' ORDER BY side),
    '') FROM evidence WHERE session_id = ?}, $session->{id});
}
sub result_of {
  my ($who, $session) = @_;
  return $who->{client}->get(
    "/v1/verification_sessions/$session->{id}?expand[]=results")->json->{results}[-1];
}

# Reviewed after the face, and then matched again.
my ($reviewed, $strict) = map { $service->organization(sandbox => 1, workflow => {
  name => 'Reviewed', required_age_tier => 'min_age_18', start => 'id', %$_, nodes => {
    id => {type => 'methods', methods => ['document_capture'],
      next => {passed => 'face', exhausted => 'denied'}},
    face => {type => 'methods', mode => 'all_of', max_attempts => 1,
      methods => [qw(selfie_liveness selfie_match)],
      next => {passed => 'granted', exhausted => 'hold'}},
    hold => {type => 'review', next => {approved => 'again', rejected => 'denied'}},
    again => {type => 'methods', methods => ['selfie_match'],
      next => {passed => 'granted', exhausted => 'denied'}},
    granted => {type => 'outcome', status => 'verified'},
    denied => {type => 'outcome', status => 'failed'}}})
} {}, {on_undetermined => 'requires_input'};
my $dashboard = Verify::Dashboard->prepare($service, anna => "reviewer $reviewed->{id}",
  olga => "auditor $reviewed->{id}", bert => "reviewer $strict->{id}");
$service->start_httpd;
my $who = organization();
my $card = card_with_portrait('same_woman');

subtest 'a live person with a document of hers' => sub {
  my $session = session($who, $card);
  my $last = answer_is(take_challenge($service, $session,
    person_before_camera('woman'), waits => 1), 200, 'a challenge');
  is $last->{step}, undef, 'all steps have arrived';
  my $view = submit_method($service, $session, 'selfie_liveness');
  is $view->{current_method}, 'selfie_match', 'is live'
    or diag explain $view, result_of($who, $session);
  is parts_of($session), 'front still', 'the still is kept for the match alone';
  $view = submit_method($service, $session, 'selfie_match');
  is $view->{status}, 'verified', 'and the one of the portrait'
    or diag explain $view, result_of($who, $session);
  is parts_of($session), '', 'nothing is kept';
  my ($request) = $receiver->wait_for_request(sub {
    my $event = $_[0]{event} or return 0;
    return $event->{type} eq 'verification_session.verified'
      && $event->{data}{object}{id} eq $session->{id};
  });
  my $result = $request->{event}{data}{object}{verification_result};
  is $result->{method}, 'document_capture', 'the summary is the document\'s';
  ok $result->{age_verified}, '... with the age';
  cmp_ok $result->{liveness_score}, '>', 0.4, '... and the score';
  is $result->{liveness}{assurance}, 'basic', 'which claims no more than it is';
  ok $result->{face_match_passed}, 'the match';
  is $result->{portrait_source}, 'document_portrait', 'with what';
};


subtest 'another person than the one on the portrait' => sub {
  my $session = session($who, $card);
  take_challenge($service, $session, person_before_camera('man'));
  is submit_method($service, $session, 'selfie_liveness')->{current_method},
    'selfie_match', 'is live as well';
  my $view = submit_method($service, $session, 'selfie_match');
  is $view->{status}, 'requires_input', 'and is not passed'
    or diag explain $view, result_of($who, $session);
  is $view->{last_error}{code}, 'face_mismatch', 'as somebody else';
  is parts_of($session), 'front', 'whose pictures are gone';
  my $client = $service->client($session->{client_secret});
  error_is($client->post("/v1/widget/sessions/$session->{id}/submissions",
    {method => 'selfie_match'}), 400, 'parameter_invalid', 'method',
    'a further attempt takes a further challenge');
  error_is($client->put("/v1/widget/sessions/$session->{id}/images/front", $card,
      'Content-Type' => 'image/jpeg'), 409, 'session_state_conflict', undef,
    'the document that was passed cannot be replaced');
  take_challenge($service, $session, person_before_camera('woman'));
  $view = submit_method($service, $session, 'selfie_match');
  is $view->{status}, 'verified', 'of the person herself, with a challenge of its own'
    or diag explain $view, result_of($who, $session);
};

subtest 'a reviewer sees the face that did not match' => sub {
  my %client = map { $_ => $dashboard->client($_) } qw(anna olga);
  my $own = "/dashboard/v1/organizations/$reviewed->{id}";
  my $session = session($reviewed, $card);
  take_challenge($service, $session, person_before_camera('man'));
  is submit_method($service, $session, 'selfie_liveness')->{current_method}, 'selfie_match',
    'a man is live';
  is submit_method($service, $session, 'selfie_match')->{status}, 'under_review', 'and held';
  is parts_of($session), 'front still', 'one picture of him is kept for the review';
  my $review = "$own/reviews/$session->{id}";
  is_deeply answer_is($client{olga}->get($review), 200)->{evidence}, [qw(front still)],
    'which names it';
  my $picture = "$own/sessions/$session->{id}/evidence/still";
  error_is($client{olga}->post($picture, {reason => 'law'}), 403, 'operator_role_required');
  error_is($client{anna}->post($picture, {}), 400, 'parameter_invalid', 'reason');
  error_is($client{anna}->post($picture, {reason => 'review'}), 409, 'review_claim_required');
  answer_is($client{anna}->post("$review/claim", {}), 200, 'claimed');
  like $client{anna}->post($picture, {reason => 'review'})->body, qr/\A\xff\xd8/,
    'whoever decides looks at it';
  answer_is($client{anna}->post("$review/decide", {decision => 'approve',
    reason_code => 'evidence_convincing'}), 200, 'approved');
  is parts_of($session), 'front', 'and it is gone, though a match is to come';
  error_is($service->client($session->{client_secret})->post(
    "/v1/widget/sessions/$session->{id}/submissions", {method => 'selfie_match'}), 400,
    'parameter_invalid', 'method', '... which takes a challenge of its own');
  answer_is($reviewed->{client}->with->post("/v1/verification_sessions/$session->{id}/cancel",
    {}), 200, 'over');
  is parts_of($session), '', '... and nothing is kept';
};

subtest 'a still that no match may take goes with the review' => sub {
  my $client = $dashboard->client('bert');
  my $held = sub {
    my $session = session($strict, $card);
    take_challenge($service, $session, person_before_camera('woman'), assisted => 1);
    is submit_method($service, $session, 'selfie_liveness')->{status}, 'under_review',
      'a challenge in doubt was the last attempt';
    is parts_of($session), 'front still', 'the reviewer sees it';
    answer_is($client->post(
      "/dashboard/v1/organizations/$strict->{id}/reviews/$session->{id}/claim", {}), 200);
    return $session;
  };
  my $decide = sub {
    my ($session, %decision) = @_;
    return $client->post("/dashboard/v1/organizations/$strict->{id}/reviews/$session->{id}/decide",
      \%decision);
  };
  my $session = $held->();
  answer_is($decide->($session, decision => 'approve', reason_code => 'evidence_convincing'),
    200, 'approved');
  is parts_of($session), 'front', 'it is gone, though a match is to come';
  error_is($service->client($session->{client_secret})->post(
    "/v1/widget/sessions/$session->{id}/submissions", {method => 'selfie_match'}), 400,
    'parameter_invalid', 'method', '... which takes a challenge that counts');
  $session = $held->();
  answer_is($decide->($session, decision => 'reject', reason_code => 'person_not_present'), 200,
    'rejected');
  is parts_of($session), '', 'nothing is kept';
  $session = $held->();
  $service->sql('UPDATE verification_session SET review_deadline_at = 1 WHERE id = ?',
    $session->{id});
  ok wait_for { parts_of($session) eq '' }, 'nor after a review that timed out';
};

subtest 'a photograph after the face that was live' => sub {
  my $session = session($who, $card);
  take_challenge($service, $session, person_before_camera('man'));
  is submit_method($service, $session, 'selfie_liveness')->{current_method},
    'selfie_match', 'a man is live';
  my $last = take_challenge($service, $session, person_before_camera('woman'),
    assisted => 1, steps => 1);
  is $last->json->{step}, 2, 'and shows a picture of the woman without movements';
  my $view = submit_method($service, $session, 'selfie_match');
  isnt $view->{status}, 'verified', 'which nobody has approved of'
    or diag explain $view, result_of($who, $session);
  is result_of($who, $session)->{error_code}, 'challenge_failed', 'and is no match';
};

subtest 'a match before there is a document' => sub {
  my $all = $service->organization(sandbox => 1, workflow => {
    name => 'All at once', required_age_tier => 'min_age_18',
    start => 'all', nodes => {
      all => {type => 'methods', mode => 'all_of',
        methods => ['selfie_match', 'document_capture'],
        next => {passed => 'granted', exhausted => 'denied'}},
      granted => {type => 'outcome', status => 'verified'},
      denied => {type => 'outcome', status => 'failed'}}});
  my $session = answer_is($all->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $all->{workflow_id}, jurisdiction => 'US-VA'}),
    201, 'a session');
  my $client = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}";
  $client->post("$path/open", {});
  my $view = $client->post("$path/consent", {consent => $yes})->json;
  is_deeply [$view->{current_method}, @{$view->{methods}}],
    ['document_capture', 'document_capture'], 'is not to be chosen';
  error_is($client->post("$path/submissions", {method => 'selfie_match'}), 400,
    'parameter_invalid', 'method', '... nor submitted');
  error_is($client->post("$path/liveness", {consent => $yes}), 409,
    'session_state_conflict', undef, '... nor is a face looked at');
  $view = show_pictures($service, $session, $card);
  is_deeply [$view->{current_method}, @{$view->{methods}}],
    ['selfie_match', 'selfie_match'], 'until the document is passed';
};

subtest 'a picture that came after the document was passed' => sub {
  my $twice = $service->organization(sandbox => 1, workflow => {
    name => 'Asked again', required_age_tier => 'min_age_18',
    start => 'id', nodes => {
      id => {type => 'methods', methods => ['document_capture'],
        next => {passed => 'more', exhausted => 'denied'}},
      more => {type => 'methods', mode => 'any_of',
        methods => ['document_capture', 'self_attestation'],
        next => {passed => 'face', exhausted => 'denied'}},
      face => {type => 'methods', mode => 'all_of',
        methods => ['selfie_liveness', 'selfie_match'],
        next => {passed => 'granted', exhausted => 'denied'}},
      granted => {type => 'outcome', status => 'verified'},
      denied => {type => 'outcome', status => 'failed'}}});
  my $session = answer_is($twice->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $twice->{workflow_id}, jurisdiction => 'US-VA'}),
    201, 'a session');
  is show_pictures($service, $session, $card)->{current_method},
    'document_capture', 'the document of a woman is passed';
  my $client = $service->client($session->{client_secret});
  my $widget = "/v1/widget/sessions/$session->{id}";
  answer_is($client->put("$widget/images/front", card_with_portrait('man'),
    'Content-Type' => 'image/jpeg'), 200, 'a man sends his, and does not submit it');
  answer_is($client->post("$widget/submissions", {method => 'self_attestation',
    statement => 'truthful', language => 'en'}), 200, 'but agrees');
  take_challenge($service, $session, person_before_camera('man'));
  is submit_method($service, $session, 'selfie_liveness')->{current_method},
    'selfie_match', 'he is live';
  my $view = submit_method($service, $session, 'selfie_match');
  isnt $view->{status}, 'verified', 'and is not taken for the woman'
    or diag explain $view, result_of($twice, $session);
};

subtest 'pictures that do not show what is asked for' => sub {
  my $session = session($who, $card);
  my $person = person_before_camera('woman');
  my %opposite = (left => 'right', right => 'left', up => 'down', down => 'up',
    neutral => 'left');
  take_challenge($service, $session, $person, same_still => 1,
    follow => sub { $_[1] == 2 ? $opposite{$_[0]} : $_[0] });
  my $view = submit_method($service, $session, 'selfie_liveness');
  is $view->{last_error}{code}, 'challenge_failed', 'one wrong movement fails';
  is $view->{attempts_remaining}, 1, 'and takes an attempt';
  is parts_of($session), 'front', 'nothing of the face is kept';
  take_challenge($service, $session, $person, same_still => 1);
  $view = submit_method($service, $session, 'selfie_liveness');
  is $view->{last_error}{code}, 'replayed_frames', 'pictures do not count twice';
  is $view->{status}, 'failed', 'with the last attempt';

  $session = session($who, $card);
  take_challenge($service, $session, $person, same_still => 1);
  $view = submit_method($service, $session, 'selfie_liveness');
  is $view->{last_error}{code}, 'replayed_frames', 'nor in another session';
  take_challenge($service, $session, person_before_camera('woman'), pace => 0);
  is_deeply submit_method($service, $session, 'selfie_liveness')->{checks_failed},
    [], 'too fast is the last attempt';
  is result_of($who, $session)->{error_code}, 'challenge_failed', '... and fails';
};

subtest 'somebody else takes over' => sub {
  my $session = session($who, $card);
  my $woman = person_before_camera('woman');
  my $man = person_before_camera('man');
  my %both = map { $_ => $woman->{$_} } keys %$woman;
  $both{still} = $man->{still};
  take_challenge($service, $session, \%both);
  is submit_method($service, $session, 'selfie_liveness')->{last_error}{code},
    'person_changed', 'the person changed';
  take_challenge($service, $session, person_before_camera('woman', dark => 1));
  my $view = submit_method($service, $session, 'selfie_liveness');
  is $view->{hint}, 'poor_light', 'in poor light it is asked for again';
  is $view->{attempts_remaining}, 1, '... which takes no attempt';
};

subtest 'who cannot move is looked at by somebody' => sub {
  my $session = session($who, $card);
  my $last = take_challenge($service, $session, person_before_camera("woman"),
    assisted => 1);
  ok $last->json->{assisted}, 'a challenge without movements';
  my $view = submit_method($service, $session, 'selfie_liveness');
  is $view->{status}, 'under_review', 'is not decided by itself';
  $service->verifyctl(qw(review decide), $session->{id},
    qw(approve --by reviewer));
  $view = submit_method($service, $session, 'selfie_match');
  is $view->{status}, 'verified', 'and goes on once it was approved'
    or diag explain $view, result_of($who, $session);
};

subtest 'requests that do not fit' => sub {
  my $session = session($who, $card);
  my $client = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}/liveness";
  my $false = JSON::PP::false;
  error_is($client->post($path, {consent => $false}), 400, 'parameter_invalid',
    'consent', 'no camera without consent');
  my $challenge = answer_is($client->post($path, {consent => $yes}), 201,
    'a challenge');
  my %body = (frames => [('/9j/AAAA') x 4]);
  error_is($client->put("$path/$challenge->{id}/steps/1", \%body), 400,
    'parameter_invalid', 'still', 'the first step needs the still');
  error_is($client->put("$path/$challenge->{id}/steps/2", \%body), 409,
    'session_state_conflict', undef, 'steps come in their order');
  error_is($client->put("$path/$challenge->{id}/steps/1",
    {%body, still => 'AAAAAAAA'}), 400, 'parameter_invalid',
    'still', 'JPEG only');
  error_is($client->put("$path/$challenge->{id}/steps/5", \%body), 404,
    'resource_missing', undef, 'there are four');
  error_is($client->post("/v1/widget/sessions/$session->{id}/submissions",
    {method => 'selfie_liveness'}), 400, 'parameter_invalid', 'method',
    'a challenge that was not answered is no evidence');
  is $client->post($path, {consent => $yes})->status, 201, "begun again, $_"
    for 1 .. 9;
  error_is($client->post($path, {consent => $yes}), 429, 'rate_limit_exceeded',
    undef,     'ten challenges are enough to guess with');
};
finish($service);
