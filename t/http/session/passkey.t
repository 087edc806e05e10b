# A person saves a verification as a passkey and finishes later sessions with it: the
# ceremonies of WebAuthn with an authenticator in software, and each way to forge one.
use v5.32;
use warnings;
use JSON::PP ();
use MIME::Base64 qw(encode_base64url decode_base64url);
use POSIX ();
use Verify::Passkey;
use Verify::Test;

my $origin = 'https://verify.example';
my $service = Verify::Instance->start(conf => "VerifyPublicURL $origin/\n"
  . "VerifyWidgetFrameAncestors 'self' https://*.shop.example\n");
my $shop = $service->organization(sandbox => 1, workflow => 1);
my $other = $service->organization(sandbox => 1, workflow => 1);
my ($yes, $no) = (JSON::PP::true, JSON::PP::false);

sub create_for {
  my ($organization, %more) = @_;
  my $session = answer_is($organization->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $organization->{workflow_id}, jurisdiction => 'US-CA',
      %more}), 201, 'session created');
  $session->{person} = $service->client($session->{client_secret});
  $session->{path} = "/v1/widget/sessions/$session->{id}";
  return $session;
}
sub create { create_for($shop, @_) }
sub view { answer_is($_[0]{person}->get($_[0]{path}), 200) }
sub ask { $_[0]{person}->post("$_[0]{path}/passkeys/$_[1]", $_[2] // {}) }
sub options { answer_is(ask(@_), 200, "options of the $_[1]") }
sub device { Verify::Passkey->new(origin => $origin, @_) }

# A verified person with a device on which the verification is saved.
sub saved {
  my ($session, %device) = @_;
  my $device = device(%device);
  answer_is(ask($session, 'registration/finish',
    $device->create(options($session, 'registration'))), 201, 'the passkey is saved');
  return $device;
}
sub person { my ($email) = @_;
  return create(skip_verification => $yes, $email ? (email => $email) : ()) }
sub row_of {
  return $service->sql('SELECT * FROM verification_session WHERE id = ?', $_[0]{id})->[0] }
# The response of the service to DEVICE in a session of its own, or in SESSION.
sub use_in {
  my ($session, $device, %with) = @_;
  return ask($session, 'assertion/finish', $device->get(options($session, 'assertion'), %with));
}
sub refused_ok {
  my ($session, $body, $code, $why, $name) = @_;
  my $before = row_of($session);
  my $answer = ask($session, 'assertion/finish', $body);
  error_is($answer, 400, $code, undef, $name);
  like $answer->error->{message}, $why, '... for this reason' if $why;
  is_deeply row_of($session), $before, '... and nothing has changed';
}
sub shown { @{$service->verifyctl(qw(credential list --session), $_[0]{id})->[0]{passkeys}} }

my $first = person('returning@example.com');
my $device;

subtest 'saving a verification' => sub {
  is view($first)->{passkey}, 'save', 'the page can offer it';
  is view(create())->{passkey}, undef, 'nobody is offered to use one while there is none';
  my $options = options($first, 'registration');
  is $options->{object}, 'passkey_options', 'the options';
  my $key = $options->{public_key};
  is_deeply $key->{rp}, {id => 'verify.example', name => 'Test organization'}, 'the party';
  is length decode_base64url($key->{challenge}), 32, 'a challenge of 32 bytes';
  is length decode_base64url($key->{user}{id}), 32, 'a user handle of 32 bytes';
  is_deeply [@{$key->{user}}{qw(name displayName)}], [('Test organization') x 2],
    'a name that says nothing about the person';
  is_deeply [map { $_->{alg} } @{$key->{pubKeyCredParams}}], [-8, -7, -257], 'algorithms';
  is $key->{attestation}, 'none', 'no attestation';
  is_deeply $key->{authenticatorSelection}, {residentKey => 'required',
    requireResidentKey => $yes, userVerification => 'required'}, 'the authenticator';
  $device = device();
  my $body = $device->create($options);
  my $saved = answer_is(ask($first, 'registration/finish', $body), 201);
  is $saved->{object}, 'passkey', 'saved';
  error_is(ask($first, 'registration/finish', $body), 400, 'passkey_invalid', undef,
    'the same response again');
  my @shown = shown($first);
  is @shown, 1, 'verifyctl shows it';
  like $shown[0]{id}, qr/\A[0-9a-f]{32}\z/, '... by a digest';
  is $shown[0]{last_used_at}, undef, '... not used yet';
  is view($first)->{passkey}, 'save', 'another device can be added';
};

# A phone takes SESSION over.
sub take_over {
  my ($session) = @_;
  my $offer = answer_is($session->{person}->post("$session->{path}/handoff", {}), 200);
  my ($token) = $offer->{url} =~ m{/verify/handoff#([\w-]+)\z};
  my $taken = answer_is($service->client('')->post('/v1/widget/handoffs',
    {token => $token, pairing => $offer->{pairing}}, Authorization => undef), 200, 'taken over');
  return {%$session, person => $service->client($taken->{client_secret})};
}

subtest 'only the device that holds the session' => sub {
  my $session = create();
  is view($session)->{passkey}, 'use', 'the first device before the handoff';
  answer_is($session->{person}->post("$session->{path}/open", {}), 200, 'opened');
  my $phone = take_over($session);
  is view($session)->{passkey}, undef, 'the first device meanwhile';
  error_is(ask($session, 'assertion'), 409, 'session_locked_to_other_device');
  is view($phone)->{passkey}, 'use', 'the phone';
  answer_is($shop->{client}->post("/v1/verification_sessions/$session->{id}/test_outcome",
    {value => 'passed'}), 200, 'verified');
  for my $device ($phone, $session) {
    is view($device)->{passkey}, 'save', 'afterwards, without evidence, both may save it';
    answer_is(ask($device, 'registration'), 200, '... and may');
  }
};

# The same session in other browsers, each with a link: a secret per browser.
sub browser_of {
  my ($session, $digit) = @_;
  return {%$session, person => $session->{person}->with(
    headers => {'Verify-Browser' => $digit x 32})};
}
sub upload {
  answer_is($_[0]{person}->put("$_[0]{path}/images/front", 'x', 'Content-Type' => 'image/jpeg'),
    200, 'a photo');
}
sub pass {
  my ($session) = @_;
  wait_for { view($session)->{status} ne 'processing' } if $session->{is_submitted};
  answer_is($shop->{client}->post("/v1/verification_sessions/$session->{id}/test_outcome",
    {value => 'passed'}), 200, 'verified');
}
sub opened {
  my $session = create();
  answer_is($session->{person}->post("$session->{path}/open", {}), 200, 'opened');
  answer_is($session->{person}->post("$session->{path}/consent", {consent => $yes}), 200,
    'agreed');
  return $session;
}
# Who is offered to save SESSION, and may: `yes` or `no` for each browser.
sub savers_are {
  my ($session, %expected) = @_;
  for my $digit (sort keys %expected) {
    my $browser = $digit ? browser_of($session, $digit) : $session;
    my $may = $expected{$digit} eq 'yes';
    is view($browser)->{passkey}, $may ? 'save' : undef,
      "browser $digit: " . ($may ? 'is offered to save it' : 'is offered nothing');
    my $begun = ask($browser, 'registration');
    if ($may) { answer_is($begun, 200, '... and may') }
    else { error_is($begun, 409, 'session_state_conflict', undef, '... nor may it') }
  }
}

subtest 'only the browser that gave the evidence' => sub {
  my $session = opened();
  upload(browser_of($session, 'a'));
  pass($session);
  savers_are($session, a => 'yes', b => 'no', 0 => 'no');
  my ($giver, $other) = map { browser_of($session, $_) } qw(a b);
  my $body = device()->create(options($giver, 'registration'));
  error_is(ask($other, 'registration/finish', $body), 409, 'session_state_conflict', undef,
    'another browser cannot finish what the giver began');
  answer_is(ask($giver, 'registration/finish', device()->create(options($giver,
    'registration'))), 201, 'the giver can');

  for my $digit ('A', "'", 'g') {
    $session = opened();
    upload(browser_of($session, $digit));
    pass($session);
    savers_are($session, $digit => 'no');
  }

  $session = opened();
  upload(browser_of($session, $_)) for qw(a b a);
  pass($session);
  savers_are($session, a => 'no', b => 'no', 0 => 'no');

  $session = opened();
  upload(browser_of($session, 'a'));
  answer_is($session->{person}->post("$session->{path}/submissions",
    {method => 'document_capture', images => ['front']}), 200, 'submitted by an unknown one');
  $session->{is_submitted} = 1;
  pass($session);
  savers_are($session, a => 'no', 0 => 'no');

  $session = opened();
  my $giver_client = browser_of($session, 'c');
  upload($giver_client);
  answer_is($giver_client->{person}->post("$session->{path}/submissions",
    {method => 'document_capture', images => ['front']}), 200, 'submitted by the same');
  $session->{is_submitted} = 1;
  pass($session);
  savers_are($session, c => 'yes', 0 => 'no');

  $session = opened();
  my $taken = take_over($session);
  upload(browser_of($taken, 'd'));
  pass($session);
  savers_are($session, 0 => 'no', b => 'no');
  savers_are($taken, d => 'yes', 0 => 'no');
};

subtest 'a return' => sub {
  my $session = create();
  is view($session)->{passkey}, 'use', 'the page can offer it';
  my $options = options($session, 'assertion');
  is_deeply [sort keys %{$options->{public_key}}],
    [qw(challenge rpId timeout userVerification)], 'the options name no passkey';
  is $options->{public_key}{userVerification}, 'required', 'the person is verified';
  my $view = answer_is(ask($session, 'assertion/finish', $device->get($options)), 200);
  is $view->{status}, 'verified', 'verified';
  is $view->{vp_token}, undef, 'no new token';
  is $view->{passkey}, undef, 'nothing to save';
  my $seen = answer_is($shop->{client}->get("/v1/verification_sessions/$session->{id}"), 200);
  is $seen->{verification_path}, 'vp_token', 'verification_path';
  is row_of($session)->{verified_person_id}, row_of($first)->{verified_person_id},
    'about the same person';
  my ($shown) = shown($first);
  ok $shown->{last_used_at}, 'verifyctl shows the use';
};

subtest 'all algorithms' => sub {
  for my $alg (-8, -257) {
    my $one = saved(person(), alg => $alg);
    is answer_is(use_in(create(), $one), 200)->{status}, 'verified', "algorithm $alg";
  }
};

subtest 'forged registrations' => sub {
  my $session = person();
  my $try = sub {
    my ($name, $why, %with) = @_;
    my $answer = ask($session, 'registration/finish',
      device()->create(options($session, 'registration'), %with));
    error_is($answer, 400, 'passkey_invalid', undef, $name);
    like $answer->error->{message}, $why, '... for this reason';
  };
  $try->('another challenge', qr/challenge/, client => {challenge => 'A' x 43});
  $try->('another origin', qr/origin/, client => {origin => 'https://evil.example'});
  $try->('a port', qr/origin/, client => {origin => "$origin:8443"});
  $try->('an assertion', qr/ceremony/, client => {type => 'webauthn.get'});
  $try->('another relying party', qr/relying party/, rp_id => 'example');
  $try->('UV missing', qr/did not verify/, flags => 0x41);
  $try->('UP missing', qr/not present/, flags => 0x44);
  $try->('no credential', qr/credential is missing/, flags => 0x05);
  $try->('an algorithm that was not offered', qr/offered/, key => device()->public_key(-35));
  $try->('the algorithm of another key', qr/offered/, key => device()->public_key(-8));
  $try->('truncated CBOR', qr/not readable/, object => sub { substr $_[0], 0, -1 });
  $try->('more CBOR', qr/not readable/, object => sub { "$_[0]\0" });
  $try->('other CBOR', qr/incomplete/, object => sub { "\xa0" });
  $try->('a frame of another site', qr/may not embed/,
    client => {crossOrigin => $yes, topOrigin => 'https://evil.example'});
  error_is(ask($session, 'registration/finish', {%{device()->create(
    options($session, 'registration'))}, attestation_object => 'A' x 43693}), 400,
    'parameter_invalid', 'attestation_object', 'oversized');
  error_is(ask($session, 'registration/finish', {%{device()->create(
    options($session, 'registration'))}, client_data => 'A+/='}), 400,
    'parameter_invalid', 'client_data', 'no base64url');
  is shown($session), 0, 'none was saved';
  answer_is(ask($session, 'registration/finish', device()->create(
    options($session, 'registration'),
    client => {crossOrigin => $yes, topOrigin => 'https://www.shop.example'})), 201,
    'a frame of the shop');
  my $twin = device(id => $device->{id});
  error_is(ask($session, 'registration/finish', $twin->create(
    options($session, 'registration'))), 400, 'passkey_invalid', undef, 'a known id');
};

subtest 'forged returns' => sub {
  my $session = create();
  my $get = sub { $device->get(options($session, 'assertion'), @_) };
  refused_ok($session, $get->(client => {challenge => 'A' x 43}), 'passkey_invalid',
    qr/challenge/, 'another challenge');
  refused_ok($session, $get->(client => {origin => 'https://evil.example'}),
    'passkey_invalid', qr/origin/, 'another origin');
  refused_ok($session, $get->(rp_id => 'evil.example'), 'passkey_invalid',
    qr/relying party/, 'another relying party');
  refused_ok($session, $get->(flags => 0x01), 'passkey_invalid', qr/did not verify/,
    'UV missing');
  refused_ok($session, $get->(flags => 0x04), 'passkey_invalid', qr/not present/,
    'UP missing');
  refused_ok($session, $get->(signature => "\x30\x06\2\1\1\2\1\1"), 'passkey_invalid',
    qr/signature/, 'another signature');
  refused_ok($session, {%{device(id => $device->{id}, user => $device->{user})->get(
    options($session, 'assertion'))}}, 'passkey_invalid', qr/signature/, 'another key');
  refused_ok($session, $get->(user => encode_base64url('x' x 32)), 'passkey_invalid',
    undef, 'the user handle of another person');
  refused_ok($session, device(user => $device->{user})->get(options($session,
    'assertion')), 'passkey_unknown', undef, 'an unknown passkey');
  refused_ok($session, $get->(client => {crossOrigin => $yes,
    topOrigin => 'https://evil.example'}), 'passkey_invalid', qr/may not embed/,
    'a frame of another site');
  my $body = $get->();
  my $later = create();
  options($later, 'assertion');
  refused_ok($later, $body, 'passkey_invalid', qr/challenge/, 'the response of another session');
  $service->sql('UPDATE passkey_challenge SET expires_at = 1 WHERE session_id = ?',
    $session->{id});
  refused_ok($session, $body, 'passkey_invalid', qr/expired/, 'an expired challenge');
  refused_ok($session, $get->(signature => 'x' x 1025), 'passkey_invalid', qr/signature/,
    'an oversized signature');
  error_is(ask($session, 'assertion/finish', {%$body, authenticator_data => 'A' x 5465}),
    400, 'parameter_invalid', 'authenticator_data', 'oversized');
  $body = $get->();
  is answer_is(ask($session, 'assertion/finish', $body), 200)->{status}, 'verified',
    'the right one';
  my $again = ask($session, 'assertion/finish', $body);
  error_is($again, 400, 'passkey_invalid', undef, 'the same response again');
};

subtest 'another organization' => sub {
  my $session = create_for($other);
  is view($session)->{passkey}, undef, 'is not offered one';
  error_is(ask($session, 'assertion'), 409, 'session_not_redeemable', undef, 'nor gets options');
  my $known = create_for($other, skip_verification => $yes);
  my $own = device();
  answer_is(ask($known, 'registration/finish', $own->create(options($known,
    'registration'))), 201, 'once it has one');
  refused_ok($session, $device->get(options($session, 'assertion')), 'passkey_unknown',
    undef, 'a passkey of the shop is refused');
  is answer_is(use_in($session, $own), 200)->{status}, 'verified', 'its own is not';
};

subtest 'counters' => sub {
  my $one = saved(my $session = person(), count => 4);
  is answer_is(use_in(create(), $one, count => 5), 200)->{status}, 'verified', 'goes up';
  $service->allow_log(qr/the signature counter of passkey [0-9a-f]{32} of \w+ went back/);
  my $next = create();
  refused_ok($next, $one->get(options($next, 'assertion'), count => 5), 'passkey_invalid',
    qr/copied/, 'the same again');
  ok((shown($session))[0]{cloned_at}, 'is recorded');
  refused_ok($next, $one->get(options($next, 'assertion'), count => 9), 'passkey_unknown',
    undef, 'from then on the passkey is refused');
  my $none = saved(person());
  is answer_is(use_in(create(), $none, count => 0), 200)->{status}, 'verified',
    "without a counter, time $_" for 1, 2;
  is answer_is(use_in(create(), $none, count => 1), 200)->{status}, 'verified', 'it begins';
  $next = create();
  refused_ok($next, $none->get(options($next, 'assertion'), count => 0), 'passkey_invalid',
    qr/copied/, 'and must not end');
};

subtest 'the rules of the token apply' => sub {
  my $session = create(min_strength => 'mdl');
  refused_ok($session, $device->get(options($session, 'assertion')), 'no_matching_vp',
    undef, 'requirements of the session');
  my $known = person();
  my $one = saved($known);
  my $next = create();
  my ($credential) = @{$service->verifyctl(qw(credential list --session), $known->{id})};
  $service->verifyctl(qw(token revoke), $credential->{tokens}[0]{id});
  refused_ok($next, $one->get(options($next, 'assertion')), 'vp_token_invalid', undef,
    'a revoked token');
  $known = person();
  $one = saved($known);
  ($credential) = @{$service->verifyctl(qw(credential list --session), $known->{id})};
  $service->verifyctl(qw(credential revoke), $credential->{id});
  refused_ok($next, $one->get(options($next, 'assertion')), 'vp_token_invalid', undef,
    'a revoked credential');
  $one = saved($known = person());
  $service->sql('UPDATE vp_token SET expires_at = 1 WHERE session_id = ?', $known->{id});
  refused_ok($next, $one->get(options($next, 'assertion')), 'vp_token_invalid', undef,
    'an expired token');
  error_is(ask($known, 'registration'), 409, 'session_state_conflict', undef,
    'with which nothing can be saved');
  is answer_is(use_in($next, $device), 200)->{status}, 'verified', 'a valid one';
};

subtest 'removed and erased' => sub {
  my $one = saved(my $known = person('removed@example.com'));
  my $person = row_of($known)->{verified_person_id};
  my ($passkey) = @{$service->verifyctl(qw(person show), $person)->{credentials}[0]{passkeys}};
  is_deeply $service->verifyctl(qw(passkey remove), $passkey->{id})->{passkeys}, [],
    'removed by its id';
  my $next = create();
  refused_ok($next, $one->get(options($next, 'assertion')), 'passkey_unknown', undef,
    'it is unknown');
  $one = saved($known);
  my $two = saved($known);
  is $one->{user}, $two->{user}, 'a second one of a person has the same user handle';
  my $later = person('removed@example.com');
  is saved($later)->{user}, $one->{user}, 'also after another verification';
  is $service->verifyctl(qw(person erase), $person)->{erased}{passkeys}, 3, 'all are erased';
  is $service->sql_value(q{SELECT count(*) FROM passkey WHERE user_handle = decode(?, 'hex')},
    unpack 'H*', decode_base64url($one->{user})), 0, 'erased';
  refused_ok($next, $one->get(options($next, 'assertion')), 'passkey_unknown', undef,
    'that of an erased person is unknown');
};

subtest 'challenges that nobody answers' => sub {
  my ($old, $young) = map { my $session = create(); options($session, 'assertion'); $session } 1, 2;
  my $left = sub { $service->sql_value('SELECT count(*) FROM passkey_challenge WHERE session_id = ?',
    $_[0]{id}) };
  $service->sql('UPDATE passkey_challenge SET expires_at = ? WHERE session_id = ?',
    (time - 3601) * 1000, $old->{id});
  $service->kill_hard($service->watchdog_pid);
  $service->allow_log(qr/IDV0320/);
  ok wait_for { !$left->($old) }, 'are deleted an hour after their end';
  is $left->($young), 1, 'a valid one stays';
};

subtest 'several at once' => sub {
  my $session = create();
  my $body = $device->get(options($session, 'assertion'));
  my @pids = map {
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
      my $person = $service->client($session->{client_secret});
      my $answer = ask({%$session, person => $person}, 'assertion/finish', $body);
      POSIX::_exit($answer->status == 200 ? 20 : $answer->status == 400 ? 40 : 1);
    }
    $pid;
  } 1 .. 6;
  my %ends;
  for (@pids) { waitpid $_, 0; $ends{$? >> 8}++ }
  is_deeply \%ends, {20 => 1, 40 => 5}, 'a response is used once';
};

subtest 'limits' => sub {
  my $session = person();
  saved($session) for 1 .. 10;
  error_is(ask($session, 'registration/finish', device()->create(options($session,
    'registration'))), 400, 'passkey_invalid', undef, 'an eleventh passkey');
  $session = create();
  options($session, 'assertion') for 1 .. 20;
  error_is(ask($session, 'assertion'), 429, 'rate_limit_exceeded', undef,
    'a twenty-first attempt');
  error_is(ask({%$session, person => $shop->{client}}, 'assertion'), 401,
    'client_secret_invalid', undef, 'an API key');
  error_is(ask($session, 'assertion', {more => 1}), 400, 'parameter_invalid', 'more', 'and more');
};

finish($service);
