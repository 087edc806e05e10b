# A session moves to a phone and back: the link, the number, the lock, and what
# both screens are told.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Test;

my $service = Verify::Instance->start(conf => "VerifyTestIssuers on\n");
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $server = $organization->{client};
my $stranger = $service->client('');

sub create {
  my $session = answer_is($server->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $organization->{workflow_id},
      jurisdiction => 'US-CA', @_}), 201, 'a session');
  $session->{desktop} = $service->client($session->{client_secret});
  $session->{path} = "/v1/widget/sessions/$session->{id}";
  answer_is($session->{desktop}->post("$session->{path}/open", {}), 200, 'opened');
  return $session;
}
sub offer {
  my ($session) = @_;
  my $offer = answer_is($session->{desktop}->post("$session->{path}/handoff", {}),
    200, 'a link');
  ($offer->{token}) = $offer->{url} =~ m{/verify/handoff#([\w-]+)\z};
  return $offer;
}
sub redeem { $stranger->post('/v1/widget/handoffs', {@_}, Authorization => undef) }
sub take {
  my ($session, $offer) = @_;
  my $view = answer_is(redeem(token => $offer->{token},
    pairing => $offer->{pairing}), 200, 'the phone has it');
  $session->{phone} = $service->client($view->{client_secret});
  return $view;
}
sub silence {
  my ($session) = @_;
  $service->sql('UPDATE handoff SET idle_at = 1 WHERE session_id = ?',
    $session->{id});
  return wait_for {
    $session->{desktop}->get($session->{path})->json->{handoff} eq 'idle' };
}
my $yes = {consent => JSON::PP::true};

subtest 'a link' => sub {
  my $session = create();
  my $offer = offer($session);
  is $offer->{object}, 'handoff', 'a handoff';
  like $offer->{token}, qr/\A[0-9a-z]{26}[\w-]{22}\z/,
    'the organization and 128 random bits';
  unlike $offer->{url}, qr/secret/, 'not the secret';
  like $offer->{qr_svg}, qr/\A<svg xmlns=[^>]+><path [^>]+><path [^>]+><\/svg>\z/,
    'a picture';
  is $offer->{organization}, 'Test organization', 'who asks';
  ok abs($offer->{expires_at} - time - 300) < 20, 'for five minutes';
  is $service->sql_value('SELECT count(*) FROM handoff
    WHERE encode(token_digest, \'hex\') = encode(sha256(?::bytea), \'hex\')',
    $offer->{token}), 1, 'kept as its digest';
  my $view = answer_is($session->{desktop}->get($session->{path}), 200);
  is $view->{handoff}, 'offered', 'offered';
  is $view->{device}, 'desktop', 'seen from the desktop';
  is $view->{active_device}, undef, 'which still has it';
  my $next = offer($session);
  error_is(redeem(token => $offer->{token}), 400, 'handoff_invalid', undef,
    'a new one voids it');
  answer_is(redeem(token => $next->{token}), 200, 'the new one is good');
};

subtest 'from the scan to the end' => sub {
  my $session = create();
  my $offer = offer($session);
  my $before = $session->{desktop}->get($session->{path})->json->{revision};
  my $scan = answer_is(redeem(token => $offer->{token}), 200, 'opened');
  is $scan->{object}, 'handoff', 'nothing of the session';
  ok !exists $scan->{client_secret}, 'and no secret';
  is scalar(grep { $_ == $offer->{pairing} } @{$scan->{choices}}), 1,
    'the number is among three';
  is_deeply answer_is(redeem(token => $offer->{token}), 200)->{choices},
    $scan->{choices}, 'which stay the same';
  my $view = answer_is($session->{desktop}->get("$session->{path}"
    . "?wait_seconds=20&after_revision=$before"), 200);
  is $view->{handoff}, 'scanned', 'the desktop is told';

  $view = take($session, $offer);
  is $view->{object}, 'widget_session', 'the session';
  is $view->{device}, 'mobile', 'seen from the phone';
  is $view->{active_device}, 'mobile', 'which has it';
  isnt $view->{client_secret}, $session->{client_secret}, 'a secret of its own';
  is_deeply $service->sql('SELECT token_digest, encode(secret_digest, \'hex\') AS
    secret FROM handoff WHERE session_id = ?', $session->{id})->[0],
    {token_digest => undef, secret => $service->sql_value(
      "SELECT encode(sha256(?::bytea), 'hex')", $view->{client_secret})},
    'the link is used up, the secret kept as its digest';
  error_is(redeem(token => $offer->{token}, pairing => $offer->{pairing}), 400,
    'handoff_invalid', undef, 'once');
  $view = answer_is($session->{phone}->get($session->{path}), 200);
  ok !exists $view->{client_secret}, 'shown once';

  my $seen = answer_is($server->get("/v1/verification_sessions/$session->{id}"), 200);
  is $seen->{active_device}, 'mobile', 'the server sees who has it';
  ok abs($seen->{device_locked_at} - time) < 20, 'and since when';
  $view = answer_is($session->{desktop}->get($session->{path}), 200);
  is $view->{handoff}, 'held', 'the desktop reads';
  for (['post', 'consent', $yes], ['post', 'vp_token', {vp_token => 'x'}],
    ['post', 'submissions', {method => 'document_capture', images => ['front']}],
    ['post', 'handoff', {}]) {
    my ($method, $what, $body) = @$_;
    error_is($session->{desktop}->$method("$session->{path}/$what", $body), 409,
      'session_locked_to_other_device', undef, "and does not write: $what");
  }
  answer_is($session->{desktop}->post("$session->{path}/open", {}), 200,
    'it may be loaded again');
  answer_is($session->{phone}->post("$session->{path}/consent", $yes), 200,
    'the phone writes');
  error_is($session->{desktop}->put("$session->{path}/images/front", 'x',
    'Content-Type' => 'image/jpeg'), 409, 'session_locked_to_other_device', undef,
    'no image');
  answer_is($session->{phone}->put("$session->{path}/images/front", 'x',
    'Content-Type' => 'image/jpeg'), 200, 'an image of the phone');
  error_is($session->{phone}->post("$session->{path}/handoff", {}), 409,
    'session_state_conflict', undef, 'a phone hands nothing over');

  answer_is($server->post("/v1/verification_sessions/$session->{id}/cancel", {}),
    200, 'the end');
  for my $device (qw(desktop phone)) {
    $view = answer_is($session->{$device}->get($session->{path}), 200,
      "is told to the $device");
    is_deeply [@$view{qw(status active_device handoff)}], ['cancelled', undef, undef],
      'both see it';
  }
  is $service->sql_value('SELECT held FROM handoff WHERE session_id = ?',
    $session->{id}), 0, 'and nothing waits for the phone';
};

subtest 'the wrong number' => sub {
  my $session = create();
  my $offer = offer($session);
  my $scan = answer_is(redeem(token => $offer->{token}), 200);
  my ($wrong) = grep { $_ != $offer->{pairing} } @{$scan->{choices}};
  error_is(redeem(token => $offer->{token}, pairing => $wrong), 400,
    'handoff_pairing_wrong');
  error_is(redeem(token => $offer->{token}, pairing => $offer->{pairing}), 400,
    'handoff_invalid', undef, 'there is no second try');
  is $session->{desktop}->get($session->{path})->json->{handoff}, undef,
    'the desktop is told';
  answer_is($session->{desktop}->post("$session->{path}/consent", $yes), 200,
    'and has the session');
};

subtest 'links that are none' => sub {
  error_is(redeem(token => 'x'), 400, 'handoff_invalid');
  error_is(redeem(token => 'a' x 48), 400, 'handoff_invalid');
  error_is(redeem(), 400, 'parameter_invalid', 'token');
  error_is(redeem(token => 'x', pairing => 9), 400, 'parameter_invalid', 'pairing');
  error_is(redeem(token => 'x', who => 'me'), 400, 'parameter_invalid', 'who');
  my $session = create();
  my $offer = offer($session);
  $service->sql('UPDATE handoff SET expires_at = 1 WHERE session_id = ?',
    $session->{id});
  error_is(redeem(token => $offer->{token}), 400, 'handoff_invalid', undef,
    'one that is too old');
  $offer = offer($session);
  my $other = $service->organization(sandbox => 1);
  my $foreign = substr($other->{id}, 4) . substr $offer->{token}, 26;
  error_is(redeem(token => $foreign), 400, 'handoff_invalid', undef,
    'one of another organization');
  answer_is($session->{desktop}->post("$session->{path}/cancel", {}), 200);
  error_is(redeem(token => $offer->{token}), 400, 'handoff_invalid', undef,
    'one of a session that has ended');
  error_is($session->{desktop}->post("$session->{path}/handoff", {}), 409,
    'session_terminal');
};

subtest 'back to the desktop' => sub {
  my $session = create();
  take($session, offer($session));
  my $view = answer_is($session->{desktop}->delete("$session->{path}/handoff"), 200);
  is_deeply [@$view{qw(handoff active_device)}], [undef, undef], 'given back';
  error_is($session->{phone}->get($session->{path}), 409,
    'session_locked_to_other_device', undef, 'the phone reads no more');
  error_is($session->{phone}->post("$session->{path}/consent", $yes), 409,
    'session_locked_to_other_device', undef, 'nor writes');
  error_is($session->{phone}->put("$session->{path}/images/front", 'x',
    'Content-Type' => 'image/jpeg'), 409, 'session_locked_to_other_device');
  error_is($session->{phone}->post("$session->{path}/cancel", {}), 409,
    'session_locked_to_other_device', undef, 'nor ends it');
  error_is($session->{phone}->delete("$session->{path}/handoff"), 409,
    'session_locked_to_other_device');
  answer_is($session->{desktop}->delete("$session->{path}/handoff"), 200,
    'twice is no error');
  answer_is($session->{desktop}->post("$session->{path}/consent", $yes), 200,
    'the desktop writes');
  my $first = $session->{phone};
  take($session, offer($session));
  error_is($first->get($session->{path}), 401, 'client_secret_invalid', undef,
    'the next phone takes the place of the first');
  answer_is($session->{phone}->delete("$session->{path}/handoff"), 200,
    'a phone gives it back, too');
  take($session, offer($session));
  $view = answer_is($session->{desktop}->post("$session->{path}/cancel", {}), 200,
    'the desktop may end it while the phone has it');
  is $view->{status}, 'cancelled', 'cancelled';
  is $session->{phone}->get($session->{path})->json->{status}, 'cancelled',
    'which the phone sees';
};

subtest 'a phone that falls silent' => sub {
  my $session = create();
  take($session, offer($session));
  ok silence($session), 'has the session no more';
  is $session->{desktop}->get($session->{path})->json->{active_device}, undef,
    'nobody has it';
  my $view = answer_is($session->{phone}->post("$session->{path}/consent", $yes),
    200, 'it may come back');
  is_deeply [@$view{qw(handoff active_device)}], ['held', 'mobile'], 'and has it';
  ok silence($session), 'silent again';
  answer_is($session->{phone}->put("$session->{path}/images/front", 'x',
    'Content-Type' => 'image/jpeg'), 200, 'an image');
  is $session->{desktop}->get($session->{path})->json->{handoff}, 'held',
    'brings it back, too';
  ok silence($session), 'silent for the last time';
  answer_is($session->{desktop}->put("$session->{path}/images/front", 'x',
    'Content-Type' => 'image/jpeg'), 200, 'the desktop acts first');
  error_is($session->{phone}->post("$session->{path}/submissions",
    {method => 'document_capture', images => ['front']}), 409,
    'session_locked_to_other_device', undef, 'then it is the phone\'s no more');

  take($session, offer($session));
  $service->sql('UPDATE handoff SET idle_at = idle_at - 60000 WHERE session_id = ?',
    $session->{id});
  my $idle_at = $service->sql_value('SELECT idle_at FROM handoff
    WHERE session_id = ?', $session->{id});
  answer_is($session->{phone}->get($session->{path}), 200, 'a look of the phone');
  ok $service->sql_value('SELECT idle_at FROM handoff WHERE session_id = ?',
    $session->{id}) >= $idle_at + 50000, 'counts as a sign of life';
  answer_is($session->{desktop}->get($session->{path}), 200);
};

subtest 'a chip' => sub {
  my $workflow = $service->publish($organization->{id}, {name => 'Chip', start => 'id',
    nodes => {id => {type => 'methods', methods => ['nfc_passport'],
        next => {passed => 'yes', exhausted => 'no'}},
      yes => {type => 'outcome', status => 'verified'},
      no => {type => 'outcome', status => 'failed'}}})->{id};
  my $session = create(workflow_id => $workflow);
  answer_is($session->{desktop}->post("$session->{path}/consent", $yes), 200);
  answer_is($session->{desktop}->post("$session->{path}/chip/challenge", {}), 200,
    'a challenge for the desktop');
  take($session, offer($session));
  error_is($session->{desktop}->post("$session->{path}/chip/challenge", {}), 409,
    'session_locked_to_other_device', undef, 'none while the phone has the session');
  answer_is($session->{phone}->post("$session->{path}/chip/challenge", {}), 200,
    'one for the phone');
};

subtest 'so many links' => sub {
  my $session = create();
  offer($session) for 1 .. 20;
  my $refused = $session->{desktop}->post("$session->{path}/handoff", {});
  error_is($refused, 429, 'rate_limit_exceeded');
  ok $refused->header('Retry-After') > 0, 'for a while';
};

# A secret that opens nothing still says whose page it led to, and nothing else.
sub brand_of { $stranger->post('/v1/widget/brand', {secret => $_[0]},
  Authorization => undef) }
sub is_known {
  my ($secret, $name) = @_;
  is_deeply brand_of($secret)->json, {object => 'widget_brand', brand => undef,
    organization => 'Test organization'}, $name;
}
sub is_unknown {
  my ($secret, $name) = @_;
  my $answer = brand_of($secret);
  error_is($answer, 401, 'client_secret_invalid', undef, $name);
  return $answer->body =~ s/req_\w+//gr;
}

subtest 'whose page a spent link leads to' => sub {
  my $session = create();
  my $secret = $session->{client_secret};
  my ($void, $offer) = map { offer($session) } 1, 2;
  is_known($_->{token}, 'of a link, void or not') for $void, $offer;
  my $phone = take($session, $offer)->{client_secret};
  is_known($offer->{token}, 'of a link that is used up');
  answer_is($session->{desktop}->delete("$session->{path}/handoff"), 200);
  take($session, offer($session));
  error_is($service->client($phone)->get($session->{path}), 401,
    'client_secret_invalid', undef, 'a phone whose place another one took');
  is_known($phone, 'is told');
  is_known($secret, 'so is the first device, as long as its secret is good');
  answer_is($session->{desktop}->post("$session->{path}/cancel", {}), 200);
  $service->sql('UPDATE verification_session SET runner = (runner::jsonb
    || \'{"ended_at": 1000}\')::json WHERE id = ?', $session->{id});
  error_is($session->{desktop}->get($session->{path}), 401, 'client_secret_invalid',
    undef, 'later that opens nothing');
  is_known($secret, 'and still says whose page it is');
  $service->sql('DELETE FROM handoff WHERE session_id = ?', $session->{id});
  is_known($_, 'also when the handoff is long gone') for $phone, $offer->{token};
  error_is(redeem(token => $_->{token}), 400, 'handoff_invalid', undef,
    'none of it opens anything') for $void, $offer;
  error_is($service->client($phone)->get($session->{path}), 401,
    'client_secret_invalid');

  # Strangers learn nothing: all answers are one.
  my $turned = $secret =~ s/(.)\z/$1 eq 'x' ? 'y' : 'x'/er;
  my $other = $service->organization(sandbox => 1);
  my $foreign = substr $other->{id}, 4;
  my %guesses = ('another end' => $turned, 'no end' => substr($secret, 0, -1),
    'another session' => $secret =~ s/\Avks_../vks_00/r,
    'the session of another' => create()->{id} . ($secret =~ s/\Avks_[^_]+//r),
    'another organization' => $secret =~ s/_secret_.{26}/_secret_$foreign/r,
    'a token of another organization' => $foreign . substr($offer->{token}, 26),
    'a token' => substr($offer->{token}, 0, 26) . 'x' x 22,
    'the id of the session' => $session->{id}, 'no secret' => 'x');
  my %answers = map { is_unknown($guesses{$_}, $_) => 1 } sort keys %guesses;
  is scalar(keys %answers), 1, 'with the same words';
  error_is(brand_of(''), 400, 'parameter_invalid', 'secret');
  error_is($stranger->post('/v1/widget/brand', {secret => $secret, id => 'x'},
    Authorization => undef), 400, 'parameter_invalid', 'id');
  my $set = 'UPDATE organization SET disabled_at = ? WHERE id = ?';
  $service->sql($set, 1, $organization->{id});
  is_unknown($_, 'while the organization is disabled') for $secret, $phone, $void->{token};
  $service->sql($set, undef, $organization->{id});
  is_known($secret, 'afterwards again');
};

subtest 'what is left of it' => sub {
  my $session = create();
  offer($session);
  answer_is($session->{desktop}->post("$session->{path}/cancel", {}), 200);
  is $service->sql_value('SELECT count(*) FROM handoff WHERE session_id = ? AND
    token_digest IS NULL', $session->{id}), 1, 'no token';
};

finish($service);
