#!/usr/bin/perl
# A person with a document and a face, from the link to the end: the widget in a
# real browser, the service, and the real models. The camera is a canvas that
# shows the head as the page says it should turn.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp ();
use MIME::Base64 qw(encode_base64);
use Browser;
use Verify::Face;
use Verify::Test;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();
plan skip_all => $_ for face_models_missing() // ();

my $service = Verify::Instance->start(settings => "VerifyTestIssuers on\n");
my $who = $service->organization(sandbox => 1, workflow => {
  name => 'Document and face', start => 'id', nodes => {
    id => {type => 'methods', methods => ['document_capture'],
      next => {passed => 'face', exhausted => 'denied'}},
    face => {type => 'methods', mode => 'all_of',
      methods => [qw(selfie_liveness selfie_match)],
      next => {passed => 'granted', exhausted => 'denied'}},
    granted => {type => 'outcome', status => 'verified'},
    denied => {type => 'outcome', status => 'failed'}}});
my $session = answer_is($who->{client}->post('/v1/verification_sessions',
  {type => 'age', workflow_id => $who->{workflow_id}, jurisdiction => 'US-VA'}),
  201, 'a session');

my $card = File::Temp->new(SUFFIX => '.jpg');
print {$card} card_with_portrait('same_woman');
close $card or die $!;
my $woman = person_before_camera('woman');
my $browser = Browser->start(width => 390, height => 844);

# The camera: what its canvas shows follows what the page asks for.
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
const show = () => {
  const arrow = document.querySelector('.direction');
  const name = (arrow && names[arrow.textContent]) || 'neutral';
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

sub screen { $browser->wait_until_shown("[data-screen=$_[0]]") }

subtest 'a document and a face' => sub {
  $browser->go($service->base_url . "/verify/$session->{id}#"
    . $session->{client_secret});
  $browser->wait_until_shown('#agree');
  $browser->click('#agree');
  $browser->wait_until_shown('h1');
  # The document is sent as a program would: its screens have tests of their own.
  my $person = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}";
  ok wait_for { $person->get($path)->json->{consented} }, 'consent is given';
  open my $file, '<:raw', $card->filename or die $!;
  my $bytes = do { local $/; <$file> };
  is $person->put("$path/images/front", $bytes, 'Content-Type' => 'image/jpeg')
    ->status, 200, 'a document';
  $person->post("$path/submissions",
    {method => 'document_capture', images => ['front']});
  ok wait_for { $person->get($path)->json->{current_method} eq 'selfie_liveness' },
    'it is passed';
  $browser->go('about:blank');
  $browser->go($service->base_url . "/verify/$session->{id}#"
    . $session->{client_secret});

  screen('selfieLiveness');
  ok $browser->find('.facts'), 'what is processed, why and how long is said first';
  my %shown = map { $_ => encode_base64($woman->{"${_}_4"}, '') }
    qw(left right up down neutral);
  ok $browser->run_async($camera, \%shown), 'a camera';
  $browser->click('#open-camera');
  screen('selfieCamera');
  $browser->wait_until_shown('#begin:enabled');
  $browser->click('#begin');
  # Four movements of two and a half seconds, and two analyses.
  wait_for { ($browser->find('[data-screen=verified]')
      || $browser->find('[data-screen=selfieLiveness] .alert')) } 60;
  ok $browser->find('[data-screen=verified]'), 'verified'
    or diag $browser->text('#screen'), explain $who->{client}->get(
      "/v1/verification_sessions/$session->{id}?expand[]=results")
      ->json->{results}[-1];
  my $result = $who->{client}->get(
    "/v1/verification_sessions/$session->{id}?expand[]=results")->json->{results};
  is_deeply [map { "$_->{method} $_->{status}" } @$result],
    ['document_capture passed', 'selfie_liveness passed', 'selfie_match passed'],
    'all three are passed';
};

finish($service);
