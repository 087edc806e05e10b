#!/usr/bin/perl
# A person saves a verification on the device and proves it again with two taps: the
# widget, the service and an authenticator of the browser, on the hosted page and in the
# page of a shop.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use JSON::PP ();
use Picture;
use Verify::Test;
use WidgetMock;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

# Of the mock only the page of a shop is used, which is another site.
my $mock = WidgetMock->start;
my $shop_page = $mock->base =~ s/localhost/127.0.0.1/r;
my $service = Verify::Instance->start(start => 0);
my $origin = $service->base_url =~ s/127\.0\.0\.1/localhost/r;
$service->{conf} = "VerifyPublicURL $origin\nVerifyWidgetFrameAncestors 'self' $shop_page\n";
$service->allow_log(qr/IDV0765: VerifyPublicURL is http:/);
$service->start_httpd;
my $shop = $service->organization(sandbox => 1, workflow => 1);
my $yes = JSON::PP::true;
my $browser = Browser->start(width => 390, height => 844);
my $device = $browser->authenticator;

sub create {
  return answer_is($shop->{client}->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $shop->{workflow_id}, jurisdiction => 'US-CA', @_}), 201, 'a session');
}
sub visit {
  my ($session) = @_;
  $browser->visit("$origin/verify/$session->{id}?lang=en#$session->{client_secret}");
}
sub screen { $browser->wait_until_shown("[data-screen=$_[0]]") }
sub path_of {
  return $shop->{client}->get("/v1/verification_sessions/$_[0]{id}")->json->{verification_path};
}
sub embed {
  my ($session) = @_;
  $browser->leave_frames;
  $browser->go("$shop_page/shop?script=$origin/verify/embed.js");
  $browser->run(<<'JS', {sessionId => $session->{id}, clientSecret => $session->{client_secret}});
    window.events = [];
    window.widget = IdvWidget.open({ ...arguments[0], lang: 'en',
      onEvent: (e) => window.events.push(e) });
JS
  $browser->enter_frame('iframe');
}

my $first = create(skip_verification => $yes, email => 'returning@example.com');

subtest 'saved on the device' => sub {
  visit($first);
  screen('verified');
  like $browser->text('.passkey'), qr/Save this verification on your device.*public key/s,
    'offered, with what is stored';
  $browser->click('#save-passkey');
  $browser->wait_for('the end', sub { $browser->text('.passkey') =~ /Saved on your device/ });
  my @held = $browser->credentials($device);
  is @held, 1, 'the device holds a passkey';
  is $held[0]{rpId}, 'localhost', 'for this host';
  ok $held[0]{isResidentCredential}, 'which it can offer by itself';
};

subtest 'a return in two taps' => sub {
  my $session = create();
  visit($session);
  screen('passkeyUse');
  like $browser->text('#screen'), qr/receives the result of your earlier verification/,
    'before everything else, with what is shared';
  $browser->click('#use-passkey'); # the second tap is the device's
  screen('verified');
  is path_of($session), 'vp_token', 'verified by the token';
  ok !$browser->find('.passkey'), 'nothing more to save';
};

subtest 'without the person' => sub {
  my $session = create();
  $browser->verifies($device, 0);
  visit($session);
  screen('passkeyUse');
  $browser->click('#use-passkey');
  $browser->wait_until_shown('.alert');
  like $browser->text('.alert'), qr/was not used/, 'said in plain words';
  $browser->click('#no-passkey');
  screen('consent');
  $browser->click('#have-passkey');
  screen('passkeyUse');
  $browser->verifies($device, 1);
  $browser->click('#use-passkey');
  screen('verified');
  is path_of($session), 'vp_token', 'the person comes back to it';
};

subtest 'too late' => sub {
  my $session = create();
  visit($session);
  screen('passkeyUse');
  $browser->run(<<'JS');
    const get = navigator.credentials.get.bind(navigator.credentials);
    navigator.credentials.get = async (options) => {
      const response = await get(options);
      await new Promise((resolve) => { window.goOn = resolve; });
      return response;
    };
JS
  $browser->click('#use-passkey');
  $browser->wait_for('the device', sub { $browser->run('return !!window.goOn') });
  $service->sql('UPDATE passkey_challenge SET expires_at = 1 WHERE session_id = ?', $session->{id});
  $browser->run('navigator.credentials.get = Object.getPrototypeOf(navigator.credentials).get;'
    . 'window.goOn()');
  $browser->wait_until_shown('.alert');
  like $browser->text('.alert'), qr/was not used\. Try again/, 'the challenge has expired';
  $browser->click('#use-passkey');
  screen('verified');
  is path_of($session), 'vp_token', 'another attempt just works';
};

subtest 'only in the browser that gave the evidence' => sub {
  my $session = create();
  visit($session);
  screen('passkeyUse');
  $browser->click('#no-passkey');
  screen('consent');
  $browser->click('#agree');
  screen('choose');
  my $photo = Picture::file(Picture::png('sharp', 1400, 900), 'png');
  $browser->send_keys('#file', $photo->filename);
  $browser->click('#use');
  $browser->click('#skip');
  screen('tryAgain');
  answer_is($shop->{client}->post("/v1/verification_sessions/$session->{id}/test_outcome",
    {value => 'passed'}), 200, 'passed');
  visit($session);
  screen('verified');
  ok $browser->find('#save-passkey'), 'is offered there';
  $browser->run('localStorage.clear(); sessionStorage.clear()');
  visit($session);
  screen('verified');
  ok !$browser->find('#save-passkey'), 'not in another browser with the link';
};

subtest 'in a frame of a shop' => sub {
  my $session = create();
  embed($session);
  screen('consent'); # what the page keeps in a frame is kept for the shop alone
  $browser->click('#have-passkey');
  screen('passkeyUse');
  $browser->click('#use-passkey');
  screen('verified');
  is path_of($session), 'vp_token', 'used there';
  my $known = create(skip_verification => $yes);
  embed($known);
  screen('verified');
  $browser->click('#save-passkey');
  $browser->wait_for('the end', sub { $browser->text('.passkey') =~ /Saved on your device/ });
  is $browser->credentials($device), 2, 'and saved there';
  $browser->leave_frames;
};

subtest 'revoked meanwhile' => sub {
  $service->verifyctl(qw(credential revoke), $_->{id})
    for @{$service->verifyctl(qw(credential list --session), $first->{id})};
  # The device asks which of several; here it has one again.
  $browser->command(DELETE => "/webauthn/authenticator/$device");
  $device = $browser->authenticator;
  my $known = create(skip_verification => $yes);
  visit($known);
  screen('verified');
  $browser->click('#save-passkey');
  $browser->wait_for('the end', sub { $browser->text('.passkey') =~ /Saved on your device/ });
  $service->verifyctl(qw(credential revoke), $_->{id})
    for @{$service->verifyctl(qw(credential list --session), $known->{id})};
  my $session = create();
  visit($session);
  screen('passkeyUse');
  $browser->click('#use-passkey');
  $browser->wait_until_shown('.alert');
  like $browser->text('.alert'), qr/no longer valid. Please verify again/, 'said in plain words';
  ok !$browser->find('#use-passkey'), 'not offered again';
  $browser->click('#no-passkey');
  screen('consent');
  visit(create());
  screen('consent');
  ok $browser->find('#have-passkey'), 'from then on it is offered aside only';
};

$browser->stop;
finish $service;
