# A VP token is a bearer: whoever has it can show it. Shown with another e-mail
# address or phone number than its person's, that is noted and a signal of risk,
# and refused where the workflow demands the same person; shown in many sessions
# it is a signal, too. What is no token is an invalid one.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Test;

my ($yes, $no) = (JSON::PP::true, JSON::PP::false);
my $service = Verify::Instance->start(start => 0);
my $provider = $service->receiver;
my $secret_file = "$service->{directory}/captcha.secret";
open my $out, '>', $secret_file or die "captcha.secret: $!\n";
chmod 0600, $secret_file;
print $out "provider-secret\n";
close $out;
$service->{conf} = join "\n", 'VerifyCaptcha turnstile',
  "VerifyCaptchaSecretFile $secret_file",
  'VerifyCaptchaURL ' . $provider->url('/siteverify'),
  'VerifyCaptchaCAFile ' . $service->ca_file, '';
# Long ago: what the watchdog has to forget when it starts.
$service->sql(q{INSERT INTO vp_token_presentation (organization_id, credential_id,
  presented_at, session_id) VALUES ('org_old', 'crd_old', 1, 'vks_old')});
$service->start_httpd;
$provider->behave({headers => {'Content-Type' => 'application/json'},
  body => JSON::PP::encode_json({success => $yes})});

my $shop = $service->organization(sandbox => 1, workflow => 1);
my $browser = $service->client($service->key($shop->{id}, 'publishable'));
sub definition {
  return {name => 'Bearer', start => 'id', @_, nodes => {
    id => {type => 'methods', methods => ['document_capture'],
      next => {passed => 'yes', exhausted => 'no'}},
    yes => {type => 'outcome', status => 'verified'},
    no => {type => 'outcome', status => 'failed'}}};
}
my @strict = (workflow_id => $service->publish($shop->{id},
  definition(vp_token => {same_person => 'required'}))->{id});

sub create {
  return $shop->{client}->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $shop->{workflow_id}, jurisdiction => 'US-CA', @_});
}
sub browse {
  return $browser->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $shop->{workflow_id}, jurisdiction => 'US-CA',
    captcha_token => 'token', @_});
}
sub widget { return $service->client($_[0]{client_secret}) }
sub path { return "/v1/widget/sessions/$_[0]{id}" }
sub person {
  my $session = answer_is(create(skip_verification => $yes, @_), 201);
  return widget($session)->get(path($session))->json->{vp_token};
}
sub checks_of {
  my ($session) = @_;
  my $found = answer_is($shop->{client}->get(
    "/v1/verification_sessions/$session->{id}?expand[]=results"), 200);
  my ($result) = grep { $_->{method} eq 'vp_token' } @{$found->{results}};
  is $result->{status}, 'passed', 'the result of the token';
  return $result->{checks};
}
sub signals_of {
  my ($session) = @_;
  return [map { @{JSON::PP::decode_json($_->{body})->{triggered_signals}} }
    @{$service->sql('SELECT body FROM risk_assessment WHERE session_id = ?',
      $session->{id})}];
}
sub tier_of {
  return $service->sql_value('SELECT risk_tier FROM verification_session
    WHERE id = ?', $_[0]{id});
}
my $same = [{name => 'vp_token_same_person', passed => $yes, result => 'passed',
  reason => undef}];
my $other = [{name => 'vp_token_same_person', passed => $no, result => 'failed',
  reason => 'other_person'}];
sub shown_ok {
  my ($name, $session, $checks) = @_;
  is $session->{status}, 'verified', "$name: verified";
  is_deeply checks_of($session), $checks, "$name: the check";
  my $doubted = @$checks && !$checks->[0]{passed};
  is_deeply signals_of($session), $doubted ? ['vp_token_other_person'] : [],
    "$name: the signal";
  is tier_of($session), $doubted ? 'review' : undef, "$name: the tier";
}
sub forget { $service->sql('DELETE FROM vp_token_presentation') }

my $token = person(email => 'owner@example.com', phone => '+15550104477');
person(email => 'thief@example.com');
my $mailed = person(email => 'mailed@example.com');
my $anonymous = person();

subtest 'with the creation of a session' => sub {
  my $with = sub { answer_is(create(vp_token => $_[1] // $token, @{$_[0]}), 201) };
  shown_ok('its own address', $with->([email => 'Owner@Example.com']), $same);
  shown_ok('its own number', $with->([phone => '+1 555 010 4477']), $same);
  shown_ok('the address of another', $with->([email => 'thief@example.com']), $other);
  shown_ok('an address of nobody', $with->([email => 'nobody@example.com']), $other);
  shown_ok('its address, but another number', $with->([email => 'owner@example.com',
      phone => '+15550104488']), $other);
  shown_ok('nobody is named', $with->([]), []);
  shown_ok('a number where none is known', $with->([phone => '+15550104488'], $mailed),
    []);
  shown_ok('a token of nobody', $with->([email => 'owner@example.com'], $anonymous), []);
};

sub redeem {
  my ($session, $shown) = @_;
  return widget($session)->post(path($session) . '/vp_token', {vp_token => $shown});
}
subtest 'in the widget' => sub {
  forget();
  for (['its own address', [email => 'owner@example.com'], $same],
    ['the address of another', [email => 'thief@example.com'], $other],
    ['nobody is named', [], []]) {
    my ($name, $who, $checks) = @$_;
    my $session = answer_is(create(@$who), 201);
    shown_ok($name, {%$session, %{answer_is(redeem($session, $token), 200)},
      id => $session->{id}}, $checks);
  }
};

subtest 'a workflow that demands the same person' => sub {
  forget();
  is answer_is(create(@strict, vp_token => $token, @$_), 201)->{status}, 'verified',
    "@$_" for [email => 'owner@example.com'], [phone => '+15550104477'],
    [email => 'owner@example.com', phone => '+15550104477'];
  for my $who ([email => 'thief@example.com'], [email => 'nobody@example.com'],
    [email => 'owner@example.com', phone => '+15550104488'], []) {
    my $before = $service->sql_value('SELECT count(*) FROM verification_session');
    error_is(create(@strict, vp_token => $token, @$who), 400, 'vp_token_invalid', undef,
      "not @$who");
    is $service->sql_value('SELECT count(*) FROM verification_session'), $before,
      'and nothing is written';
    my $session = answer_is(create(@strict, @$who), 201);
    error_is(redeem($session, $token), 400, 'vp_token_invalid', undef,
      'nor in the widget');
    is widget($session)->get(path($session))->json->{status}, 'created', 'which goes on';
    is_deeply signals_of($session), [], 'nothing came of it';
  }
  my $session = answer_is(create(@strict, email => 'owner@example.com'), 201);
  is answer_is(redeem($session, $token), 200)->{status}, 'verified',
    'its own person in the widget';
};

# The answer to a browser must not tell whose token it is.
subtest 'what a browser names proves nothing' => sub {
  forget();
  error_is(browse(@strict, vp_token => $token, email => $_), 400, 'vp_token_invalid',
    undef, $_) for 'owner@example.com', 'thief@example.com';
  shown_ok('the right address', answer_is(browse(vp_token => $token,
    email => 'owner@example.com'), 201), []);
  shown_ok('a wrong one', answer_is(browse(vp_token => $token,
    email => 'thief@example.com'), 201), $other);
  my $session = answer_is(browse(@strict, email => 'owner@example.com'), 201);
  error_is(redeem($session, $token), 400, 'vp_token_invalid', undef, 'in the widget');
};

subtest 'one token in many sessions' => sub {
  forget();
  my @sessions = map { answer_is(create(vp_token => $token,
    email => 'owner@example.com'), 201) } 1 .. 11;
  is_deeply signals_of($_), [], 'up to ten a day' for @sessions[0 .. 9];
  is_deeply signals_of($sessions[10]), ['vp_token_velocity'], 'and one more';
  is tier_of($sessions[10]), 'review', 'its tier';
  my $session = answer_is(create(email => 'thief@example.com'), 201);
  redeem($session, $token);
  is_deeply signals_of($session), [qw(vp_token_other_person vp_token_velocity)],
    'in the widget, too, and with the other signal';
  is tier_of($session), 'block', 'which together are more';
  is_deeply signals_of(answer_is(create(vp_token => $mailed), 201)), [],
    'another token is not concerned';
  $service->sql('UPDATE vp_token_presentation SET presented_at = presented_at - 86400000');
  is_deeply signals_of(answer_is(create(vp_token => $token), 201)), [], 'nor a day later';
};

subtest 'what is no token' => sub {
  my @malformed = ('', 'x', 'vpt_', $token . 'A', substr($token, 0, -1), $token x 2,
    'vpt_' . '!' x 43, "\x{4e2d}" x 4097, 'v' x 4097, 'vpt_' . 'a' x 60_000);
  for my $text (@malformed) {
    my $name = length($text) . ' characters: ' . substr $text =~ s/[^ -~]/?/gr, 0, 12;
    error_is(create(vp_token => $text), 400, 'vp_token_invalid', undef, $name);
    error_is(redeem(answer_is(create(), 201), $text), 400, 'vp_token_invalid', undef,
      'nor in the widget');
  }
  error_is(create(vp_token => $_), 400, 'parameter_invalid', 'vp_token', 'no text')
    for 7, {};
};

subtest 'what is kept' => sub {
  is $service->sql_value(q{SELECT count(*) FROM vp_token_presentation
    WHERE organization_id = 'org_old'}), 0, 'uses are forgotten';
  my $person = $service->sql_value('SELECT verified_person_id FROM credential
    WHERE verified_person_id IS NOT NULL ORDER BY id LIMIT 1');
  my $count = sub { $service->sql_value('SELECT count(*) FROM vp_token_presentation p
    JOIN credential c ON c.id = p.credential_id WHERE c.verified_person_id = ?', $person) };
  ok $count->() > 0, 'a person has used a token';
  my $all = $service->sql_value('SELECT count(*) FROM vp_token_presentation');
  my $theirs = $count->();
  $service->verifyctl(qw(person erase), $person);
  is $service->sql_value('SELECT count(*) FROM vp_token_presentation'), $all - $theirs,
    'and is erased with that';
};

finish($service);
