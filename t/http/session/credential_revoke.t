# verifyctl person show, credential list and revoke, token revoke: what rests on
# a revoked credential or token ends at once.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Test;

my $service = Verify::Instance->start;
my $shop = $service->organization(sandbox => 1, workflow => 1);
my ($yes, $no) = (JSON::PP::true, JSON::PP::false);
my $email = 'specimen@example.com';

sub create {
  return $shop->{client}->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $shop->{workflow_id}, jurisdiction => 'US-CA', @_});
}
sub verify { answer_is(create(skip_verification => $yes, @_), 201) }
sub lookup {
  return answer_is($shop->{client}->post('/v1/verified_person/lookup',
    {email => $email}), 200);
}
sub token_of {
  my ($session) = @_;
  return $service->client($session->{client_secret})
    ->get("/v1/widget/sessions/$session->{id}")->json->{vp_token};
}
sub refused_ok {
  my ($command, @ids) = @_;
  for my $id (@ids) {
    eval { $service->verifyctl(@$command, $id) };
    like $@, qr/No such|does not exist/i, "@$command $id is refused";
  }
}

my $first = verify(email => $email, phone => '+15550109988');
my $second = verify(email => $email);
my $person = lookup()->{verified_person_id};
my $token = token_of($first);

subtest 'person show' => sub {
  my $shown = $service->verifyctl(qw(person show), $person);
  is $shown->{id}, $person, 'the person';
  is $shown->{object}, 'verified_person', 'object';
  is $shown->{organization_id}, $shop->{id}, 'organization';
  is_deeply $shown->{identifiers}, ['email', 'phone'], 'which identifiers, not whose';
  is $shown->{erased_at}, undef, 'not erased';
  is_deeply [map { $_->{session_id} } @{$shown->{credentials}}],
    [$second->{id}, $first->{id}], 'credentials, newest first';
  my $credential = $shown->{credentials}[1];
  is_deeply [sort keys %$credential], [sort qw(id object organization_id
    verified_person_id session_id method strength assurance age_tier verified_at
    expires_at revoked_at shared tokens passkeys)], 'fields of a credential';
  is_deeply $credential->{passkeys}, [], 'no passkey';
  is $credential->{revoked_at}, undef, 'not revoked';
  my ($its) = @{$credential->{tokens}};
  like $its->{id}, qr/\A[0-9a-f]{64}\z/, 'the id of its token';
  ok $its->{expires_at} > time, 'which is valid';
  my $text = JSON::PP::encode_json($shown);
  unlike $text, qr/vpt_|specimen|5550109988/i, 'no secret and nobody in it';
  my $digest = $service->sql_value(q{SELECT encode(digest, 'hex')
    FROM person_identifier WHERE kind = 'email'});
  unlike $text, qr/$digest/, 'nor a digest of an identifier';
  refused_ok([qw(person show)], 'vp_00000000000000000000000000', 'x', $first->{id});
};

sub credential_of {
  my ($session) = @_;
  my ($credential, @more) = @{$service->verifyctl(qw(credential list --session),
    $session->{id})};
  is @more, 0, 'one credential';
  return $credential;
}

subtest 'token revoke' => sub {
  my $credential = credential_of($first);
  my $revoked = $service->verifyctl(qw(token revoke), $credential->{tokens}[0]{id});
  is $revoked->{id}, $credential->{id}, 'answers its credential';
  is $revoked->{revoked_at}, undef, 'which stays';
  my $at = $revoked->{tokens}[0]{revoked_at};
  like $at, qr/\A\d{10}\z/, 'the token does not';
  error_is(create(vp_token => $token), 400, 'vp_token_invalid', undef,
    'it cannot be redeemed');
  is token_of($first), undef, 'nor is it shown any more';
  ok lookup()->{verified}, 'the person is still verified';
  is create(accept_existing => $yes, email => $email)->json->{status}, 'verified',
    'and known by e-mail';
  $service->sql('UPDATE vp_token SET revoked_at = 1700000000000
    WHERE revoked_at IS NOT NULL');
  is $service->verifyctl(qw(token revoke), $credential->{tokens}[0]{id})
    ->{tokens}[0]{revoked_at}, 1700000000, 'a second time changes nothing';
  refused_ok([qw(token revoke)], 'ab' x 32, 'x', $token, uc $credential->{tokens}[0]{id});
};

subtest 'credential revoke' => sub {
  my $other = token_of($second);
  my $hash = answer_is($shop->{client}->get(
    "/v1/verification_sessions/$second->{id}?expand[]=results"), 200)
    ->{results}[0]{credential_hash};
  ok $hash, 'a hash names it';
  my $credential = credential_of($second);
  my $revoked = $service->verifyctl(qw(credential revoke), $credential->{id});
  like $revoked->{revoked_at}, qr/\A\d{10}\z/, 'revoked';
  like $revoked->{tokens}[0]{revoked_at}, qr/\A\d{10}\z/, 'with its token';
  is $revoked->{grants_revoked}, 0, 'there were no grants';
  error_is(create(vp_token => $other), 400, 'vp_token_invalid', undef, 'the token');
  error_is(create(credential_hash => $hash), 400, 'no_matching_vp', undef, 'the hash');
  is token_of($second), undef, 'the widget';
  is scalar @{lookup()->{credentials}}, 1, 'the lookup finds the other one only';
  answer_is($shop->{client}->get("/v1/verification_sessions/$second->{id}"), 200);
  $service->verifyctl(qw(credential revoke), credential_of($first)->{id});
  ok !lookup()->{verified}, 'without credentials nobody is verified';
  error_is(create(accept_existing => $yes, email => $email), 400, 'no_matching_vp',
    undef, 'nor reused');
  my $again = $service->verifyctl(qw(credential revoke), $credential->{id});
  is $again->{revoked_at}, $revoked->{revoked_at}, 'a second time changes nothing';
  is $service->sql_value('SELECT status FROM verification_session WHERE id = ?',
    $second->{id}), 'verified', 'past sessions stay valid';
  refused_ok([qw(credential revoke)], 'cred_00000000000000000000000000', 'x', $person);
};

subtest 'an erased person' => sub {
  $service->verifyctl(qw(person erase), $person);
  my $shown = $service->verifyctl(qw(person show), $person);
  like $shown->{erased_at}, qr/\A\d{10}\z/, 'when';
  is_deeply [@$shown{qw(identifiers credentials created)}], [[], [], undef],
    'nothing else';
};

finish($service);
