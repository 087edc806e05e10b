# What evidence is worth: forgeries that anybody can make with free programs,
# shown to a live organization, end as what they are. None is an identity; an
# age of an unsigned code is passed as `decoded`, and says so.
use v5.32;
use warnings;
use File::Temp ();
use JSON::PP ();
use Picture;
use Verify::Face;
use Verify::Participant;
use Verify::Specimen;
use Verify::Test;

my $service = Verify::Instance->start;
my $receiver = $service->receiver;
my %forgery = Verify::Specimen::forgeries();
my $yes = JSON::PP::true;

sub live {
  my (%settings) = @_;
  my %node = %{delete $settings{node} // {}};
  my $self = $service->organization(workflow => {name => 'Document', %settings,
    start => 'id', nodes => {
      id => {type => 'methods', methods => ['document_capture'],
        max_attempts => 2, %node,
        next => {passed => 'granted', exhausted => 'denied'}},
      granted => {type => 'outcome', status => 'verified'},
      denied => {type => 'outcome', status => 'failed'}}});
  my $endpoint = answer_is($self->{client}->post('/v1/webhook_endpoints',
    {url => $receiver->url("/$self->{id}"), enabled_events => ['*']}), 201,
    'an endpoint');
  $receiver->expect_secret("/$self->{id}", $endpoint->{secret});
  return $self;
}
sub create {
  my ($who, $type, %more) = @_;
  return answer_is($who->{client}->post('/v1/verification_sessions',
    {type => $type, workflow_id => $who->{workflow_id},
      jurisdiction => 'US-VA', %more}), 201, "a session of type $type");
}
sub retrieve {
  my ($who, $session) = @_;
  return $who->{client}->get(
    "/v1/verification_sessions/$session->{id}?expand[]=results")->json;
}
# The webhook's object of the only event of this type of a session.
sub arrived {
  my ($session, $type) = @_;
  my ($request) = $receiver->wait_for_request(sub {
    my $event = $_[0]{event} or return 0;
    my $object = $event->{data}{object};
    return $event->{type} eq $type
      && ($object->{session_id} // $object->{id}) eq $session->{id};
  });
  return $request && $request->{event}{data}{object};
}
sub check_of {
  my ($result, $name) = @_;
  my ($check) = grep { $_->{name} eq $name } @{$result->{checks}};
  return $check;
}

# One organization each, so that none is somebody else's.
for my $name (qw(bare zone changed screenshot)) {
  subtest "$name: an identity" => sub {
    my $who = live();
    my $session = create($who, 'identity');
    my $view = show_pictures($service, $session, $forgery{$name});
    is $view->{status}, 'requires_input', 'is asked for again';
    is $view->{last_error}{code}, 'assurance_insufficient', 'as too little';
    is_deeply $view->{checks_failed}, ['assurance_insufficient'];
    is $view->{attempts_remaining}, 1, 'which uses up an attempt';
    is show_pictures($service, $session, $forgery{$name})->{status}, 'failed',
      'and fails when there is none left';
    my $object = arrived($session, 'verification_session.failed');
    is $object->{last_error}{code}, 'assurance_insufficient', 'with its code';
    is $object->{verification_result}, undef, 'and nothing of what was found';
    my $item = retrieve($who, $session)->{results}[-1];
    is $item->{assurance}, 'decoded', 'a code was read, no more';
    ok !(grep { $_->{passed} } @{$item->{checks}}), 'and no check that passed';
    is_deeply check_of($item, 'assurance'), {name => 'assurance',
      passed => JSON::PP::false, result => 'failed',
      reason => 'assurance_insufficient'};
    is $service->sql_value('SELECT count(*) FROM credential WHERE session_id = ?',
      $session->{id}), 0, 'no credential';
  };

  subtest "$name: an age" => sub {
    my $who = live(required_age_tier => 'min_age_18');
    my $session = create($who, 'age');
    my $status = show_pictures($service, $session, $forgery{$name})->{status};
    # A portrait next to a barcode, to which nothing printed there belongs.
    if ($name eq 'screenshot' && !face_models_missing()) {
      is $status, 'under_review', 'a person decides whose the portrait is';
      is check_of(retrieve($who, $session)->{results}[-1], 'printed_front')->{reason},
        'printed_holder_differs', '... and reads why';
      return;
    }
    is $status, 'verified', 'the code states it';
    my $result = arrived($session,
      'verification_session.verified')->{verification_result};
    is $result->{assurance}, 'decoded', 'and says that it does no more';
    cmp_ok $result->{confidence}, '<=', 0.5, 'half sure at most';
    ok !$result->{identity_verified}, 'an age is no identity';
    ok $result->{age_verified}, 'an age as stated';
    is $service->sql_value('SELECT assurance FROM credential
      WHERE session_id = ?', $session->{id}), 'decoded', 'and so its credential';
  };
}

subtest 'a document on which nobody is seen' => sub {
  plan skip_all => $_ for face_models_missing() // ();
  my $blank = Picture::png('sharp', 800, 600);
  my $who = live();
  my $session = create($who, 'age');
  my $view = show_pictures($service, $session, $forgery{faceless});
  is_deeply [@$view{qw(status hint attempts_remaining)}],
    ['requires_input', 'front_missing', 2], 'its front is asked for, at no cost';
  $view = show_pictures($service, $session, @forgery{qw(faceless faceless-back)});
  is $view->{last_error}{code}, 'document_unverified', 'not that of another card';
  $who = live();
  $session = create($who, 'age');
  $view = show_pictures($service, $session, $forgery{'faceless-back'}, $blank);
  is $view->{status}, 'under_review', 'where the front shows nobody, a person decides';
  is_deeply check_of(retrieve($who, $session)->{results}[-1], 'document_portrait'),
    {name => 'document_portrait', passed => JSON::PP::false,
      result => 'undetermined', reason => 'document_portrait_missing'};
  $session = create(live(on_undetermined => 'failed'), 'age');
  $view = show_pictures($service, $session, $forgery{'faceless-back'}, $blank);
  is $view->{status}, 'failed', 'or the workflow';
  is $view->{last_error}{code}, 'document_undetermined', 'with its code';
};

subtest 'impossible data fails, whatever is asked for' => sub {
  for my $type (qw(identity age)) {
    my $who = live();
    my $session = create($who, $type);
    my $view = show_pictures($service, $session, $forgery{impossible});
    is $view->{status}, 'requires_input', "$type: is not passed";
    is $view->{last_error}{code}, 'document_unverified';
    is_deeply $view->{checks_failed}, ['mandatory_element_missing'];
    is_deeply groups($who, 'document_kinds', 'kind'), {driver_license => [1, 0]},
      'statistics count it';
  }
};

subtest 'the back twice is one code' => sub {
  my $who = live();
  my $session = create($who, 'identity');
  my @backs = @forgery{qw(back back-again)};
  is show_pictures($service, $session, @backs)->{last_error}{code},
    'assurance_insufficient', 'and no agreement';
  $who = live();
  $session = create($who, 'age');
  is show_pictures($service, $session, @backs)->{status}, 'verified',
    'for an age it is what one is';
  my $result = arrived($session, 'verification_session.verified')
    ->{verification_result};
  is $result->{assurance}, 'decoded';
  ok !$result->{barcode_cross_ref_match}, 'nothing was compared';
  $who = live();
  $session = create($who, 'age');
  my $view = show_pictures($service, $session, ($forgery{back}) x 2);
  is $view->{status}, 'requires_input', 'one picture is not both sides';
  is $view->{hint}, 'same_picture', 'and the person learns why';
};

# PHOTO without what is below the lines of the card.
sub beyond {
  my ($photo) = @_;
  my $whole = Picture::file($photo, 'jpg');
  my $part = File::Temp->new(SUFFIX => '.jpg');
  system('t/lib/two_documents.py', 'beyond', "$part", $whole->filename) == 0
    or die "no photo\n";
  return Verify::Specimen::read_bytes("$part");
}

subtest 'a card that goes beyond its picture' => sub {
  my $who = $service->organization(sandbox => 1, workflow => 1);
  my $whole = Verify::Specimen::photograph();
  my $part = beyond($whole);
  my $session = create($who, 'age');
  my $view = show_pictures($service, $session, $part);
  is_deeply [@$view{qw(status hint hint_side)}], ['requires_input', 'cut_off', 'front'],
    'is asked for again, although its code can be read';
  $view = show_pictures($service, $session, $whole);
  is_deeply [@$view{qw(status hint hint_side)}], ['verified', undef, undef],
    'and a whole one is taken';
  $session = create($who, 'age');
  is join(' ', map { show_pictures($service, $session, $part)->{status} } 1 .. 3),
    'requires_input requires_input verified', 'after two tries a part is enough';
};

subtest 'two codes that agree' => sub {
  my $who = live();
  my $session = create($who, 'identity', email => 'specimen@example.com');
  is show_pictures($service, $session, @forgery{qw(front back)})->{status},
    'verified', 'are what an identity needs';
  my $result = arrived($session,
    'verification_session.verified')->{verification_result};
  is $result->{assurance}, 'consistent', 'as consistent';
  cmp_ok $result->{confidence}, '<=', 0.75, 'and no surer than that';
  ok $result->{identity_verified} && $result->{barcode_cross_ref_match},
    'an identity';
  is $service->verifyctl(qw(credential list --session), $session->{id})
    ->[0]{assurance}, 'consistent', 'so is its credential';
  $session = create(live(), 'identity');
  my $view = show_pictures($service, $session, @forgery{qw(changed-front back)});
  is $view->{last_error}{code}, 'document_unverified', 'a changed name does not';
  is_deeply $view->{checks_failed}, ['barcode_mismatch'];
};

subtest 'one picture of two persons' => sub {
  my $who = live();
  my %first = (email => 'first@example.com');
  my $session = create($who, 'age', %first);
  is show_pictures($service, $session, $forgery{back})->{status}, 'verified',
    'the first is verified';
  $session = create($who, 'age', email => 'second@example.com');
  is show_pictures($service, $session, $forgery{back})->{status},
    'under_review', 'the second is reviewed';
  is check_of(retrieve($who, $session)->{results}[-1], 'document_reused')
    ->{reason}, 'picture_of_another_session';
  my ($risk) = @{$service->sql('SELECT body FROM risk_assessment
    WHERE session_id = ?', $session->{id})};
  like $risk->{body}, qr/"document_reused"/, 'a risk signal';
  is $service->sql_value('SELECT risk_tier FROM verification_session
    WHERE id = ?', $session->{id}), 'review', 'that raises the tier';
  my $third = create($who, 'age', email => 'third@example.com');
  is show_pictures($service, $third, $forgery{'back-again'})->{status},
    'under_review', 'another picture of it makes no difference';
  is check_of(retrieve($who, $third)->{results}[-1], 'document_reused')
    ->{reason}, 'document_of_another_person';
  my $again = create($who, 'age', %first);
  is show_pictures($service, $again, $forgery{'back-again'})->{status},
    'verified', 'the first comes again with it';
  is show_pictures($service, create($who, 'age', %first),
    $forgery{back})->{status}, 'verified', 'even with the same picture';
  is $service->verifyctl(qw(review decide), $session->{id},
    qw(approve --by reviewer))->{status}, 'verified', 'a reviewer decides';
  is $service->sql_value('SELECT count(*) FROM credential
    WHERE session_id = ?', $session->{id}), 1, 'as if it had passed';
  my @results = @{retrieve($who, $session)->{results}};
  is_deeply [map { $_->{status} } @results], [qw(undetermined passed)],
    'and the results tell both';
  is $results[1]{assurance}, 'decoded', 'no more than was shown';
  ok $results[1]{credential_hash}, 'with the credential';
  is show_pictures($service, create($who, 'age', email => 'second@example.com'),
    $forgery{back})->{status}, 'verified', 'and then it is theirs, too';
  is $service->verifyctl(qw(review decide), $third->{id},
    qw(reject --by reviewer))->{status}, 'failed', 'or not';
  is show_pictures($service, create(live(), 'age', email => 'x@example.com'),
    $forgery{back})->{status}, 'verified', 'other organizations know nothing';
};

subtest 'nobody is known' => sub {
  my $who = live();
  is show_pictures($service, create($who, 'age'), $forgery{back})->{status},
    'verified', 'the first time';
  is show_pictures($service, create($who, 'age'), $forgery{'back-again'})
    ->{status}, 'verified', 'a new picture may be of the same person';
  is show_pictures($service, create($who, 'age'), $forgery{back})->{status},
    'under_review', 'the same file is not taken twice';
};

subtest 'the workflow may say otherwise' => sub {
  my $who = live(on_document_reused => 'failed');
  show_pictures($service, create($who, 'age', email => 'a@example.com'),
    $forgery{back});
  my $session = create($who, 'age', email => 'b@example.com');
  is show_pictures($service, $session, $forgery{back})->{status}, 'failed';
  is arrived($session, 'verification_session.failed')->{last_error}{code},
    'document_reused', 'with its code';
  $who = live(on_document_reused => 'noted');
  show_pictures($service, create($who, 'age', email => 'a@example.com'),
    $forgery{back});
  $session = create($who, 'age', email => 'b@example.com');
  is show_pictures($service, $session, $forgery{back})->{status}, 'verified',
    'noted alone';
  ok !check_of(retrieve($who, $session)->{results}[-1], 'document_reused')
    ->{passed}, 'but noted';
  $who = live(node => {min_assurance => 'decoded'});
  $session = create($who, 'identity');
  is show_pictures($service, $session, $forgery{bare})->{last_error}{code},
    'assurance_insufficient', 'one code is no identity, whatever the workflow demands';
  ok !retrieve($who, $session)->{completed_at}, '... and verifies none';
  $who = live(node => {min_assurance => 'consistent'});
  is show_pictures($service, create($who, 'age'), $forgery{bare})
    ->{last_error}{code}, 'assurance_insufficient', 'or more, for an age';
};

subtest 'what is noted alone is not shared' => sub {
  my $source = participant($service,
    workflow => sharing_workflow(on_document_reused => 'noted'));
  my $target = participant($service);
  my @paths = map {
    my %person = (email => $_);
    my $session = create_session($source, %person)->json;
    is show_specimen($service, $session, share => $yes,
      photograph => $forgery{back})->{status}, 'verified', 'verified at one';
    answer_is(create_session($target, %person), 201)->{verification_path};
  } qw(its-owner@example.com another@example.com);
  is_deeply \@paths, ['trust_reuse', undef],
    'the document of one person is not that of two at others';
};

subtest 'reuse makes nothing of it' => sub {
  my $who = live();
  my %person = (email => 'reused@example.com');
  my $first = create($who, 'age', %person);
  my $view = show_pictures($service, $first, $forgery{bare});
  is $view->{status}, 'verified', 'verified by one code';
  my %token = (vp_token => $view->{vp_token});
  for my $way ({%person, accept_existing => $yes}, \%token) {
    my %request = (type => 'identity', workflow_id => $who->{workflow_id},
      jurisdiction => 'US-VA', %$way);
    error_is($who->{client}->post('/v1/verification_sessions', \%request), 400,
      'no_matching_vp', undef, 'is no identity later');
    is answer_is($who->{client}->post('/v1/verification_sessions',
      {%request, type => 'age'}), 201)->{status}, 'verified', 'but an age';
  }
  my ($hash) = map { $_->{credential_hash} // () }
    @{retrieve($who, $first)->{results}};
  error_is($who->{client}->post('/v1/verification_sessions',
    {type => 'identity', workflow_id => $who->{workflow_id},
      jurisdiction => 'US-VA', credential_hash => $hash}), 400,
    'no_matching_vp', undef, 'nor by its hash');
  my $session = create($who, 'identity', email => 'reused2@example.com');
  my $person = $service->client($session->{client_secret});
  error_is($person->post("/v1/widget/sessions/$session->{id}/vp_token",
    \%token), 400, 'no_matching_vp', undef, 'nor in the widget');
  is $service->verifyctl(qw(credential list --session), $first->{id})
    ->[0]{assurance}, 'decoded', 'an operator sees why';
  $service->sql(q{UPDATE credential SET assurance = 'consistent'
    WHERE verified_person_id IS NOT NULL});
  is answer_is($who->{client}->post('/v1/verification_sessions',
    {type => 'identity', workflow_id => $who->{workflow_id},
      jurisdiction => 'US-VA', %person, accept_existing => $yes}), 201)
    ->{status}, 'verified', 'a better one is reused';
};

subtest 'what a browser claims' => sub {
  my $who = live();
  my %victim = (email => 'victim@example.com');
  is show_pictures($service, create($who, 'age', %victim), $forgery{back})
    ->{status}, 'verified', 'a person is verified';
  my $session = create($who, 'age', %victim);
  $service->sql(q{UPDATE verification_session SET runner = (runner::jsonb
    || '{"identifiers_claimed": true}')::json WHERE id = ?}, $session->{id});
  is show_pictures($service, $session, $forgery{back})->{status},
    'under_review', 'whose address makes nobody that person';
};

sub sightings {
  my ($who) = @_;
  return $service->sql_value('SELECT count(*) FROM document_sighting
    WHERE organization_id = ?', $who->{id});
}
# What statistics know of an organization's documents and browsers.
sub groups {
  my ($who, $list, $member) = @_;
  my $funnel = $service->verifyctl(qw(session funnel --org), $who->{id});
  return {map { $_->{$member} // 'none' => [@$_{qw(sessions verified)}] } @{$funnel->{$list}}};
}
subtest 'erasure' => sub {
  my $who = live();
  my %person = (email => 'erased@example.com');
  show_pictures($service, create($who, 'age', %person), $forgery{back});
  is sightings($who), 2, 'a picture and a document are remembered';
  is_deeply groups($who, 'document_kinds', 'kind'), {driver_license => [1, 1]},
    'statistics know its kind';
  is_deeply groups($who, 'documents', 'jurisdiction'), {'US-VA' => [1, 1]}, '... its issuer';
  is_deeply groups($who, 'browsers', 'browser'), {other => [1, 1]}, '... and the browser';
  my $id = $who->{client}->post('/v1/verified_person/lookup', \%person)
    ->json->{verified_person_id};
  $service->sql(q{UPDATE verification_session SET giver = 'x' WHERE organization_id = ?},
    $who->{id});
  $service->verifyctl(qw(person erase), $id);
  is $service->sql_value('SELECT count(giver) FROM verification_session
    WHERE organization_id = ?', $who->{id}), 0, 'the browser is forgotten';
  is sightings($who), 0, 'and forgotten with the person';
  is_deeply [map { groups($who, @$_) } ['document_kinds', 'kind'],
    ['documents', 'jurisdiction'], ['browsers', 'browser']], [({none => [1, 1]}) x 3],
    'also by statistics';
};

subtest 'nothing is kept' => sub {
  my $who = live();
  show_pictures($service, create($who, 'age', email => 'a@example.com'),
    $forgery{back});
  is sightings($who), 2, 'sightings of before';
  $service->stop_httpd;
  $service->{conf} = "VerifyDocumentSightings 0\n";
  $service->start_httpd;
  is show_pictures($service, create($who, 'age', email => 'b@example.com'),
    $forgery{back})->{status}, 'verified', 'are not looked at';
  ok wait_for { sightings($who) == 0 }, 'and removed';
  is show_pictures($service, create(live(), 'age'), ($forgery{back}) x 2)
    ->{hint}, 'same_picture', 'one file as both sides is seen all the same';
};

# A session that is cancelled after a method of it has passed is not charged.
subtest 'what is not charged is not delivered' => sub {
  my $self = live();
  my $workflow = {name => 'Twice', start => 'id', nodes => {
    id => {type => 'methods', methods => ['document_capture'],
      next => {passed => 'again', exhausted => 'denied'}},
    again => {type => 'methods', methods => ['document_capture'],
      next => {passed => 'granted', exhausted => 'denied'}},
    granted => {type => 'outcome', status => 'verified'},
    denied => {type => 'outcome', status => 'failed'}}};
  $self->{workflow_id} = $service->publish($self->{id}, $workflow)->{id};
  my $session = create($self, 'age');
  is show_pictures($service, $session, $forgery{bare})->{status},
    'requires_input', 'the first node has passed';
  is $service->sql_value('SELECT json_array_length(results)
      FROM verification_session WHERE id = ?', $session->{id}), 1, 'and is kept';
  is_deeply retrieve($self, $session)->{results}, [], 'nothing is told of it';
  answer_is $self->{client}->post(
    "/v1/verification_sessions/$session->{id}/cancel"), 200, 'cancelled';
  my $object = arrived($session, 'verification_session.cancelled');
  is $object->{id}, $session->{id}, 'and announced';
  is $object->{verification_result}, undef, 'without what was found';
  is_deeply retrieve($self, $session)->{results}, [], 'nor is it told afterwards';
  is $self->{client}->get("/v1/verification_sessions/$session->{id}"
    . '?expand[]=document')->json->{document}, undef, 'nor the document';
};
finish($service);
