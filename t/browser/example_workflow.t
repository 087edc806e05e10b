#!/usr/bin/perl
# The example workflow of the operator's interface, from the creation of a session
# to the signed webhook, in a real browser: with a wallet, begun at a desk and
# carried on with a phone; with a document; and, where its `id` offers it, with the
# chip of a passport on a reader. Each time the person's face follows. The service,
# the models, the wallet and the chip's protocol are real; the camera is a canvas
# that shows the head as the page says it should turn.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp ();
use JSON::PP ();
use MIME::Base64 qw(encode_base64);
use Browser;
use Verify::ChipReader;
use Verify::Face;
use Verify::Test;
use Verify::WalletTest;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();
plan skip_all => $_ for face_models_missing() // ();

# As the operator's interface has it, to the letter.
my $example = JSON::PP->new->decode(<<'JSON');
{
  "name": "Alcohol delivery",
  "session_types": ["age", "identity"],
  "use_case": "alcohol_delivery",
  "jurisdictions": ["US", "GB", "DE"],
  "expires_after_seconds": 86400,
  "require_email_otp": false,
  "trust_reuse": { "accept": false },
  "start": "screen",
  "nodes": {
    "screen":  { "type": "checks",  "checks": ["ip_analysis", "device_risk"],
                 "next": { "low": "id", "medium": "hold", "high": "denied" } },
    "hold":    { "type": "review",  "timeout_hours": 72,
                 "next": { "approved": "id", "rejected": "denied" } },
    "id":      { "type": "methods", "mode": "any_of", "methods": ["mdl", "document_capture"], "max_attempts": 3,
                 "next": { "passed": "face", "exhausted": "denied" } },
    "face":    { "type": "methods", "mode": "all_of", "methods": ["selfie_liveness", "selfie_match"], "max_attempts": 3,
                 "next": { "passed": "granted", "exhausted": "denied" } },
    "granted": { "type": "outcome", "status": "verified" },
    "denied":  { "type": "outcome", "status": "failed" }
  }
}
JSON

my $app = 'https://apps.example.com/passport';
my $test = Verify::WalletTest->start(workflow => $example,
  conf => "VerifyTestIssuers on\nVerifyPassportApp $app\n");
my ($service, $wallet, $shop) = @$test{qw(service wallet organization)};
my $server = $shop->{client};
my $receiver = $service->receiver;
my $endpoint = answer_is($server->post('/v1/webhook_endpoints',
  {url => $receiver->url('/shop'), enabled_events => ['*']}), 201, 'an endpoint');
$receiver->expect_secret('/shop', $endpoint->{secret});

# Browsers of persons: none that say that a program drives them.
my @of_a_person = ('--disable-blink-features=AutomationControlled',
  '--user-agent=Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like '
    . 'Gecko) Chrome/140.0.0.0 Safari/537.36');
my $desk = Browser->start(width => 1280, height => 900, arguments => \@of_a_person);
my $phone = Browser->start(width => 390, height => 844, arguments => \@of_a_person);

# The phone's browser knows wallets: what it is asked waits in the page until the
# test has the wallet answer it.
$phone->chromium('Page.addScriptToEvaluateOnNewDocument', source => <<'SCRIPT');
window.DigitalCredential = { userAgentAllowsProtocol: () => true };
if (window.isSecureContext) navigator.credentials.get = ({ digital }) => new Promise((resolve) => {
  window.asked = digital.requests;
  window.answer = (protocol, data) => resolve({ protocol, data });
});
SCRIPT

# What the camera's canvas shows follows what the page asks for.
my $camera = <<'SCRIPT';
const [pictures, done] = arguments;
const names = {'\u2190': 'left', '\u2192': 'right', '\u2191': 'up',
  '\u2193': 'down', '\u25cf': 'neutral'};
const canvas = document.createElement('canvas');
canvas.width = canvas.height = 640;
const context = canvas.getContext('2d');
const images = {};
const loaded = Object.entries(pictures).map(async ([name, text]) => {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  images[name] = await createImageBitmap(new Blob([bytes], {type: 'image/jpeg'}));
});
let shown = '';
let stalledUntil = 0;
const show = () => {
  const arrow = document.querySelector('.direction');
  const name = (arrow && names[arrow.textContent]) || 'neutral';
  // As on a slow device, the camera shows one picture for the first 1.5 s of a movement.
  if (performance.now() < stalledUntil) return;
  if (name !== shown) stalledUntil = performance.now() + 1500;
  shown = name;
  context.drawImage(images[name], 0, 0);
  // No camera takes the same picture twice.
  for (let i = 0; i < 400; i++) {
    context.fillStyle = `rgba(${(Math.random() * 256) | 0}, 128, 128, 0.05)`;
    context.fillRect(Math.random() * 640, Math.random() * 640, 8, 8);
  }
};
Promise.all(loaded).then(() => {
  show();
  setInterval(show, 60);
  navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(20);
  done(true);
});
SCRIPT
my $woman = person_before_camera('woman');
my %shown = map { $_ => encode_base64($woman->{"${_}_4"}, '') }
  qw(left right up down neutral);

sub create {
  return answer_is($server->post('/v1/verification_sessions', {
    workflow_id => $shop->{workflow_id}, @_}), 201, 'a session');
}
sub screen { $_[0]->wait_until_shown("[data-screen=$_[1]]") }

# The page of a new session, after consent.
sub begin {
  my ($browser, $session) = @_;
  $browser->visit($service->base_url_tls . "/verify/$session->{id}?lang=en#"
    . $session->{client_secret});
  screen($browser, 'consent');
  $browser->click('#agree');
}

# The choice of a method, what is easiest on this device first, each with its time.
sub offers_are {
  my ($browser, @offers) = @_;
  screen($browser, 'chooseMethod');
  is_deeply $browser->run('return [...document.querySelectorAll(".offer")].map((e) =>'
    . ' `${e.querySelector("strong").textContent}, ${e.querySelector(".takes").textContent}`)'),
    \@offers, 'what is easiest is offered first';
}

# The face, which the page asks for by itself once the document is passed.
sub show_face {
  my ($browser, $session) = @_;
  screen($browser, 'selfieLiveness');
  ok $browser->find('.facts'), 'what is processed, why and how long is said first';
  ok $browser->run_async($camera, \%shown), 'a camera';
  $browser->click('#open-camera');
  screen($browser, 'selfieCamera');
  $browser->wait_until_shown('#begin:enabled');
  $browser->click('#begin');
  # Four movements of two and a half seconds, and two analyses.
  wait_for { $browser->find('[data-screen=verified]')
      || $browser->find('[data-screen=selfieLiveness] .alert')
      || $browser->find('[data-screen=underReview]') } 60;
  ok $browser->find('[data-screen=verified]'), 'the page says verified'
    or diag $browser->text('#screen');
}

# The results by their methods, and what the webhook, which is signed, says.
sub verified_with {
  my ($session, $method, $assurance, $portrait) = @_;
  my $results = answer_is($server->get(
    "/v1/verification_sessions/$session->{id}?expand[]=results"), 200)->{results};
  is_deeply [map { "$_->{method} $_->{status}" } @$results],
    ['ip_analysis low', 'device_risk low', "$method passed",
      'selfie_liveness passed', 'selfie_match passed'], 'every step is passed'
    or diag explain $results;
  my ($request) = $receiver->wait_for_request(sub {
    my $event = $_[0]{event} or return 0;
    return $event->{type} eq 'verification_session.verified'
      && $event->{data}{object}{id} eq $session->{id};
  });
  ok $request, 'the webhook' or return;
  is $request->{fault}, undef, '... whose signature is right';
  my $result = $request->{event}{data}{object}{verification_result};
  is_deeply [@$result{qw(method assurance portrait_source face_match_passed)}],
    [$method, $assurance, $portrait, JSON::PP::true], '... says what it is worth'
    or diag explain $result;
  cmp_ok $result->{liveness_score}, '>', 0, '... with a score of liveness';
  return $result;
}

subtest 'a wallet, from a desk to a phone' => sub {
  $test->issue('licence', elements => {
    portrait => encode_base64(portrait_of('same_woman'), '')});
  my $session = create(type => 'identity', jurisdiction => 'US-CA');
  begin($desk, $session);
  $desk->click('#phone');
  screen($desk, 'handoffOffer');
  my $number = $desk->text('#pairing');
  $desk->run('navigator.clipboard.writeText = (text) => { window.link = text;
    return Promise.resolve(); };');
  $desk->click('#copy-link');
  $phone->go(wait_for { $desk->run('return window.link || null') });
  screen($phone, 'join');
  $phone->click("#pairing-$number");
  offers_are($phone, 'Wallet, About 30 seconds', 'Photos of a document, About 2 minutes');
  $phone->click('#method-mdl');
  screen($phone, 'mdlWallet');
  $phone->click('#wallet');
  wait_for { $phone->run('return !!window.answer') };
  my $answer = $wallet->does('answer_browser', protocol => 'openid4vp-v1-signed',
    requests => $phone->run('return window.asked'), documents => ['licence'],
    origin => $service->base_url_tls);
  $phone->run('window.answer(arguments[0], arguments[1])', 'openid4vp-v1-signed',
    $answer->{data});
  show_face($phone, $session);
  screen($desk, 'verified');
  ok 1, 'and so does the desk';
  ok verified_with($session, 'mdl', 'signed_and_present', 'mdoc')
    ->{identity_verified}, 'who it is is known';
};

subtest 'a document and a face' => sub {
  my $card = File::Temp->new(SUFFIX => '.jpg');
  print {$card} card_with_portrait('same_woman');
  close $card or die $!;
  my $session = create(type => 'age', jurisdiction => 'US-VA');
  begin($phone, $session);
  screen($phone, 'chooseMethod');
  $phone->click('#method-mdl');
  screen($phone, 'mdlWallet');
  $phone->click('#other-method');
  $phone->click('#method-document_capture');
  screen($phone, 'choose');
  $phone->command(POST => '/refresh');
  screen($phone, 'choose');
  $phone->send_keys('#file', $card->filename);
  $phone->click('#use');
  $phone->click('#skip');
  show_face($phone, $session);
  verified_with($session, 'document_capture', 'decoded', 'document_portrait');
};

# The example with one method more: its `id` has no chip.
subtest 'the chip of a passport and a face' => sub {
  my $obstacle = Verify::ChipReader::obstacle();
  plan skip_all => $obstacle if $obstacle;
  my %nodes = %{$example->{nodes}};
  my $workflow = $service->publish($shop->{id}, {%$example, nodes => {%nodes,
    id => {%{$nodes{id}}, methods => ['nfc_passport', @{$nodes{id}{methods}}]}}});
  my $portrait = File::Temp->new(SUFFIX => '.jp2');
  print {$portrait} portrait_of('same_woman', 'jp2');
  close $portrait or die $!;
  my $reader = Verify::ChipReader->start;
  my ($trust) = $reader->lay('--portrait', $portrait->filename);
  $service->verifyctl(qw(trust import --kind csca --org), $shop->{id}, $trust);
  $service->verifyctl(qw(trust crl --org), $shop->{id}, "$trust.crl");
  my $session = create(type => 'identity', jurisdiction => 'DE',
    workflow_id => $workflow->{id});
  begin($phone, $session);
  offers_are($phone, 'Wallet, About 30 seconds', 'Photos of a document, About 2 minutes',
    'Chip of your passport, About 3 minutes');
  $phone->click('#method-nfc_passport');
  screen($phone, 'nfcPassport');
  local $ENV{VERIFY_CLIENT_SECRET} = $session->{client_secret};
  my ($status, $text) = $reader->read_chip('--wait', 20, '--session',
    $service->base_url . "/v1/widget/sessions/$session->{id}");
  is $status, 0, 'the chip is read' or diag $text;
  $phone->command(POST => '/refresh');
  show_face($phone, $session);
  my $result = verified_with($session, 'nfc_passport', 'signed_and_present', 'chip');
  ok $result->{$_}, $_ for qw(chip_passive_auth_passed chip_active_auth_passed
    identity_verified);
  my ($decision) = @{$service->verifyctl('session', 'explain', $session->{id})
    ->{decisions}};
  is_deeply [map { $_->{kind} } grep { $_->{kind} =~ /list/ } @{$decision->{basis}}],
    [qw(trust_list revocation_list)], 'by lists that are named';
  $reader->take_away;
};

is_deeply [map { $_->{message} } grep { $_->{level} eq 'SEVERE'
  && $_->{message} !~ / 40[09] / } $desk->console, $phone->console], [],
  'no complaint in the consoles';
$_->stop for $desk, $phone;
finish($service);
