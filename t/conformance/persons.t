# Verified person lookup, reuse within an organization, VP tokens.
use v5.32;
use warnings;
use Time::Piece ();
use Verify::Conformance;
use Verify::Specimen;

my $service = Verify::Instance->start(conf => "VerifyTestIssuers on\n");
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $other = $service->organization(sandbox => 1, workflow => 1);
my $client = $organization->{client};
my $lookup = '/v1/verified_person/lookup';
my $sessions = '/v1/verification_sessions';
my $invalid = '400 parameter_invalid';
my $email = 'specimen@example.com';
my $phone = '+15550100123';

sub create {
  my (%more) = @_;
  return $client->post($sessions, {type => 'age', jurisdiction => 'US-CA',
      workflow_id => $organization->{workflow_id}, %more});
}
sub verify {
  my (%who) = @_;
  my $session = answer_is(create(%who), 201);
  is show_specimen($service, $session)->{status}, 'verified', 'verified';
  return $session;
}
sub found { answer_is($client->post($lookup, {@_}), 200) }
my $none = {object => 'verified_person_lookup', verified => $false,
  verified_person_id => undef, credentials => []};

is_deeply found(email => $email), $none, 'When nothing matches';
my $session = verify(email => $email, phone => $phone);

subtest 'verified person lookup result' => sub {
  my $result = found(email => $email);
  shape_is($result, {object => ['verified_person_lookup'], verified => [$true],
    verified_person_id => qr/\Avp_[0-9a-z]+\z/, credentials => 'array'}, 'fields');
  is @{$result->{credentials}}, 1, 'one credential';
  shape_is($result->{credentials}[0], {method => ['DOCUMENT_CAPTURE'],
    strength => ['DOCUMENT_CAPTURE'], verified_at => $iso_ms,
    expires_at => $iso_ms}, 'uppercase values, ISO 8601 with milliseconds');
  is_deeply found(%$_), $result, join ' ', %$_ for {phone => $phone},
    {email => $email, phone => $phone}, {email => ' Specimen@EXAMPLE.com '},
    {phone => '+1 (555) 010-0123'}, {email => $email, min_strength => 'open_banking'},
    {email => $email, min_strength => 'document_capture'},
    {email => $email, methods => ['document_capture']},
    {email => $email, max_age => '1'}, {email => $email, max_age => '3650'};
  is_deeply found(%$_), $none, 'no match' for {email => 'other@example.com'},
    {email => $email, min_strength => 'mdl'}, {email => $email, min_strength => 'mid'},
    {email => $email, methods => ['mdl']},
    {email => $email, methods => ['document_capture', 'mdl']};
  is_deeply answer_is($other->{client}->post($lookup, {email => $email}), 200), $none,
    'organization-scoped';
};

subtest 'credential strength ranking' => sub {
  my %rank = (self_attestation => 1, facial_age => 2, carrier_lookup => 3,
    open_banking => 4, document_capture => 5, mdl => 6, mid => 7, eudi_pid => 8,
    selfie_match => 5, selfie_liveness => 5, student => 1, parental_consent => 1);
  my $held = $service->sql_value('SELECT strength FROM credential
    WHERE session_id = ?', $session->{id});
  for my $have (qw(self_attestation open_banking document_capture mdl eudi_pid)) {
    $service->sql('UPDATE credential SET strength = ? WHERE session_id = ?', $have,
      $session->{id});
    for my $want (sort keys %rank) {
      my $result = found(email => $email, min_strength => $want);
      is !!$result->{verified}, $rank{$have} >= $rank{$want},
        "$have for $want";
      is $result->{credentials}[0]{strength}, uc $have, 'its strength'
        if $result->{verified};
    }
  }
  $service->sql('UPDATE credential SET strength = ? WHERE session_id = ?', $held,
    $session->{id});
};

subtest 'days until a credential expires' => sub {
  my $workflow = $service->publish($organization->{id}, {name => 'Wine',
    use_case => 'alcohol_delivery', start => 'id', nodes => {
      id => {type => 'methods', methods => ['document_capture'],
        next => {passed => 'yes', exhausted => 'no'}},
      yes => {type => 'outcome', status => 'verified'},
      no => {type => 'outcome', status => 'failed'}}})->{id};
  my $made = answer_is(create(workflow_id => $workflow, email => 'days@example.com',
    skip_verification => $true), 201);
  my ($rule) = @{$client->get('/v1/compliance/check?jurisdiction=US-CA'
    . '&use_cases=alcohol_delivery')->json->{results}};
  my ($credential) = @{found(email => 'days@example.com')->{credentials}};
  my ($from, $to) = map { Time::Piece->strptime($credential->{$_} =~ s/\.\d+Z//r,
    '%Y-%m-%dT%H:%M:%S')->epoch } qw(verified_at expires_at);
  is $to - $from, $rule->{credential_validity_days} * 86400,
    'as the compliance check says';
  is $from, $made->{completed_at}, 'from the verification on';
};

subtest 'an e-mail and a phone of two persons' => sub {
  verify(email => 'second@example.com');
  my $first = found(phone => $phone)->{verified_person_id};
  my $both = found(email => 'second@example.com', phone => $phone);
  note $both->{verified} ? 'matched ' . ($both->{verified_person_id} eq $first
    ? 'the phone' : 'the e-mail') : 'no match';
  pass 'is an answer';
};

subtest 'lookup: parameters' => sub {
  my $send = sub { $client->post($lookup, {email => $email, %{$_[0]}}) };
  error_is($client->post($lookup, {min_strength => 'mdl'}), 400, 'parameter_invalid',
    $client->post($lookup, {min_strength => 'mdl'})->error->{param},
    'at least one of email or phone');
  parameters_are($send,
    (map { [email => $_, $invalid] } 'x', '', 1, ['a@example.com']),
    (map { [phone => $_, $invalid] } '5550100', '', 15550100123),
    (map { [min_strength => $_, 'ok'] } qw(self_attestation facial_age
      carrier_lookup open_banking document_capture mdl mid eudi_pid)),
    (map { [min_strength => $_, $invalid] } 'MDL', '', 1, 'passport'),
    (map { [max_age => $_, 'ok'] } '1', '30', '3650'),
    (map { [max_age => $_, $invalid] } '0', '3651', '30d', 30, '', '-1', '1.5',
      ' 30', '030' x 9),
    [methods => 'mdl', $invalid],
    [methods => ['MDL'], $invalid, 'methods[0]'],
    [methods => ['mdl', 'x'], $invalid, 'methods[1]'],
    (map { [$_ => 'x', $invalid] } qw(required_methods jurisdiction session_id
      min_strenght)));
};

subtest 'accept_existing' => sub {
  my $reused = answer_is(create(accept_existing => $true, email => $email), 201);
  is $reused->{status}, 'verified', 'accept an existing credential';
  is $reused->{verification_path}, 'credential_reuse', 'verification_path';
  like $reused->{completed_at}, $seconds, 'completed_at';
  my @types = map { $_->{type} } @{$client->get(
    "/v1/events?object_id=$reused->{id}")->json->{data}};
  is_deeply \@types, ['verification_session.verified'],
    'one transition, one event';
  is answer_is(create(accept_existing => $true, email => $email, %$_), 201,
    join ' ', %$_)->{status}, 'verified', 'verified' for {max_age => '30d'},
    {min_strength => 'open_banking'}, {min_strength => 'document_capture'},
    {phone => $phone};
  error_is(create(accept_existing => $true, email => $email, %$_), 400,
    'no_matching_vp', undef, 'not at the required strength') for
    {min_strength => 'mdl'}, {required_methods => ['document_capture', 'mdl']};
  my $ignored = answer_is(create(email => $email), 201);
  is $ignored->{status}, 'created', 'only when accept_existing is true';
};

subtest '10 per email per 15-minute window (the eleventh fails)' => sub {
  my $address = 'eleven@example.com';
  for my $count (1 .. 11) {
    my $answer = create(accept_existing => $true,
      email => $count % 2 ? $address : ' Eleven@Example.COM ');
    if ($count < 11) {
      error_is($answer, 400, 'no_matching_vp', undef, "attempt $count");
      next;
    }
    error_is($answer, 429, 'accept_existing_rate_limited', undef, 'the eleventh');
    like $answer->header('Retry-After'), qr/\A[1-9][0-9]{0,2}\z/, 'Retry-After';
    cmp_ok $answer->header('Retry-After'), '<=', 900, 'within the window';
  }
  is create(email => $address)->status, 201, 'only accept_existing';
  is create(accept_existing => $true, email => 'twelve@example.com')->status, 400,
    'per email';
};

subtest 'vp_token' => sub {
  my $view = $service->client($session->{client_secret})
    ->get("/v1/widget/sessions/$session->{id}")->json;
  my $token = $view->{vp_token};
  ok $token, 'the widget\'s own status answer carries it';
  my $reused = answer_is(create(vp_token => $token), 201);
  is $reused->{status}, 'verified', 'a reusable vp_token';
  is $reused->{verification_path}, 'vp_token', 'verification_path';
  my $answer = $other->{client}->post($sessions, {type => 'age',
    jurisdiction => 'US-CA', workflow_id => $other->{workflow_id},
    vp_token => $token});
  error_is($answer, 400, 'vp_token_invalid', undef, 'of the same organization');
  error_is(create(vp_token => $_), 400, 'vp_token_invalid', undef, 'malformed')
    for uc $token, "${token}a", substr($token, 0, -1), 'vpt_';
  unlike $client->get("$sessions/$session->{id}?expand[]=results")->body,
    qr/vpt_/, 'never on the server\'s side';
};

subtest 'email_not_verified' => sub {
  my $workflow = $service->publish($organization->{id}, {name => 'Proof',
    require_email_otp => $true, start => 'id', nodes => {
      id => {type => 'methods', methods => ['document_capture'],
        next => {passed => 'yes', exhausted => 'no'}},
      yes => {type => 'outcome', status => 'verified'},
      no => {type => 'outcome', status => 'failed'}}})->{id};
  my $fresh = answer_is(create(workflow_id => $workflow), 201);
  is $fresh->{requires_email_otp}, $true, 'requires_email_otp';
  error_is(create(workflow_id => $workflow, accept_existing => $true,
      email => $email), 400, 'email_not_verified', undef,
    'a returning user must prove email ownership first');
};

subtest 'skip_verification with an email mints a person' => sub {
  create(skip_verification => $true, email => 'skip@example.com');
  my $result = found(email => 'skip@example.com');
  is $result->{verified}, $true, 'lookups can be tried in a sandbox';
};

subtest 'erasure' => sub {
  my $id = found(email => $email)->{verified_person_id};
  $service->verifyctl(qw(person erase), $id);
  is_deeply found(email => $email), $none, 'nobody is known any more';
  is_deeply found(phone => $phone), $none, 'by phone neither';
  is $client->get("$sessions/$session->{id}")->json->{status}, 'verified',
    'past sessions stay valid';
};

finish($service);
