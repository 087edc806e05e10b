#!/usr/bin/perl
# The widget from the first page to every outcome, in a real browser against a
# service that plays back what the test wants.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use JSON::PP;
use Browser;
use Picture;
use WidgetMock;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

my ($true, $false) = (JSON::PP::true, JSON::PP::false);
my $mock = WidgetMock->start;
my $browser = Browser->start(width => 390, height => 844,
  arguments => ['--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream']);
my $sharp = Picture::file(Picture::png('sharp', 1400, 900), 'png');
my $blurred = Picture::file(Picture::png('blurred', 1400, 900), 'png');

sub visit { $browser->visit($_[0]) }

sub screen { $browser->wait_until_shown("[data-screen=$_[0]]") }
sub heading { $browser->text('#screen h1') }

sub paths {
  return map { "$_->{method} $_->{path}" }
    grep { $_->{method} ne 'GET' } $mock->requests;
}

subtest 'a person with an identity card, from the link to the end' => sub {
  visit($mock->reset);
  $mock->plan({status => 'verified'});
  screen('consent');
  is $browser->url, $mock->page, 'the secret has left the address bar';
  ok !$browser->find('#share'), 'nothing to share is offered';
  $browser->click('#agree');
  screen('choose');
  $browser->send_keys('#file', $sharp->filename);
  screen('preview');
  like $browser->text('.verdict'), qr/looks good/, 'the photo is praised';
  $browser->click('#use');
  screen('otherSide');
  $browser->send_keys('#file', $sharp->filename);
  $browser->click('#use');
  screen('verified');
  is $browser->run('return document.getElementById("announcer").textContent'), '',
    'nothing is left to be heard of the screens before';
  is $browser->run('return document.querySelector(".actions a").href'),
    'https://shop.example/done?session_id=vks_01jd0000000000000000000000',
    'the way on leads to return_url, with the session';
  is_deeply [paths()], ['POST /open', 'POST /consent', 'PUT /images/front',
    'PUT /images/back', 'POST /submissions'], 'in this order';
  my ($front) = grep { $_->{path} eq '/images/front' } $mock->requests;
  is $front->{bytes}, -s $sharp->filename, 'the picture is sent as it is';
  is $front->{type}, 'image/png', 'with its type';
  my ($submission) = grep { $_->{path} eq '/submissions' } $mock->requests;
  is_deeply $submission->{body}, {method => 'document_capture',
    images => ['front', 'back']}, 'the submission names the sides';
  ok !(grep { "$_->{path}$_->{query}" =~ /secret/ } $mock->requests),
    'no address carries the secret';
};

subtest 'the device is named where it is looked at, and only there' => sub {
  my $opening = sub { # what all of them say
    return {map { %{$_->{body}} } grep { $_->{path} eq '/open' } $mock->requests};
  };
  visit($mock->reset);
  screen('consent');
  is_deeply $opening->(), {unless_checked => $true},
    'without the check nothing is said';
  is scalar($mock->requests), 1, 'and one request opens the session';
  ok !$browser->run('return localStorage.getItem("idv:device")'), 'or kept';
  my $words = sub { $browser->run(
    'return document.getElementById("screen").textContent') };
  unlike $words->(), qr/Fraud prevention/, 'or spoken of';
  visit($mock->reset(passive_checks => ['ip_analysis', 'device_risk']));
  screen('consent');
  like $words->(), qr/Fraud prevention/, 'the person is told';
  my $device = $opening->();
  like $device->{device_id}, qr/\A[0-9a-f]{32}\z/, 'an identifier';
  is $device->{webdriver}, $true, 'and that a program drives the browser';
  visit($mock->reset(passive_checks => ['device_risk']));
  screen('consent');
  is $opening->()->{device_id}, $device->{device_id}, 'the same again';
};

subtest 'sharing is asked for where it is possible, and off' => sub {
  visit($mock->reset(trust_reuse_available => $true));
  screen('consent');
  ok !$browser->run('return document.getElementById("share").checked'),
    'off by default';
  $browser->click('label[for=share]');
  $browser->click('#agree');
  screen('choose');
  my ($consent) = grep { $_->{path} eq '/consent' } $mock->requests;
  my $version = delete $consent->{body}{text_version};
  is_deeply $consent->{body}, {consent => $true, share => $true}, 'sent';
  like $version, qr/\A\d{4}-\d\d-\d\d(?:\.\d)? en\z/, 'with the text that was shown';
};

subtest 'a passport by camera' => sub {
  visit($mock->reset(consented => $true));
  $mock->plan({status => 'under_review'});
  screen('choose');
  $browser->click('label[for=kind-passport]');
  $browser->click('#camera');
  $browser->wait_for('the camera', sub { $browser->run(
    'return !document.getElementById("shoot").disabled') });
  $browser->run('window.track = document.querySelector("video").srcObject'
    . '.getTracks()[0]');
  $browser->click('#shoot');
  screen('preview');
  is $browser->run('return window.track.readyState'), 'ended',
    'the camera is let go';
  $browser->click('#use');
  screen('underReview');
  my ($image) = grep { $_->{path} eq '/images/front' } $mock->requests;
  is $image->{type}, 'image/jpeg', 'a JPEG is sent';
  like $image->{magic}, qr/^ffd8/, 'and it is one';
  ok !(grep { $_->{path} eq '/images/back' } $mock->requests),
    'one page only';
  $mock->change(status => 'verified');
  screen('verified');
  pass 'the decision of the review appears by itself';
};

# Two cameras, both of which show a canvas: a card on a table, whose middle lies at
# window.lies of the picture's width. What is said aloud is kept in window.heard,
# what cameras were asked for in window.asked.
my $TABLE = <<'JS';
window.lies = 0.5;
window.heard = [];
window.asked = [];
const canvas = document.createElement('canvas');
[canvas.width, canvas.height] = [1600, 2132];
const c = canvas.getContext('2d');
const card = document.createElement('canvas');
[card.width, card.height] = [650, 410];
const p = card.getContext('2d');
p.fillStyle = '#c9d3dc';
p.fillRect(0, 0, 650, 410);
p.fillStyle = '#1a2430';
for (let y = 30; y < 380; y += 12)
  for (let x = 30; x < 620; x += 7 + (x * y) % 5) p.fillRect(x, y, 3, 7);
let turn = 0;
const paint = () => {
  c.fillStyle = '#4a2f1c';
  c.fillRect(0, 0, 1600, 2132);
  c.drawImage(card, Math.round(window.lies * 1600) - 325, 860);
  c.fillStyle = '#4b301d';
  c.fillRect(0, (turn++ % 90) * 2, 8, 2); // a camera's picture never rests
};
paint();
setInterval(paint, 60);
navigator.mediaDevices.getUserMedia = async ({ video }) => {
  window.asked.push(video.deviceId ? video.deviceId.exact : video.facingMode.ideal);
  const stream = canvas.captureStream(15);
  window.first = stream.getVideoTracks()[0].getSettings().deviceId;
  return stream;
};
navigator.mediaDevices.enumerateDevices = async () => [window.first, 'second'].map(
  (deviceId) => ({ kind: 'videoinput', deviceId, label: '' }));
new MutationObserver(() => {
  const text = document.getElementById('announcer').textContent;
  if (text) window.heard.push(text);
}).observe(document.getElementById('announcer'),
  { childList: true, characterData: true, subtree: true });
window.BarcodeDetector = class {
  static async getSupportedFormats() { return ['pdf417']; }
  async detect() { return [{}]; }
};
JS

subtest 'a card before the camera is found and taken, and that is heard' => sub {
  visit($mock->reset(consented => $true));
  screen('choose');
  $browser->run($TABLE . 'window.lies = 0.402;');
  $browser->click('#camera');
  my $heard = sub { my ($text) = @_; grep { /$text/ } @{$browser->run(
    'return window.heard')} };
  $browser->wait_for('the direction', sub { $heard->(qr/phone to the left/) });
  ok $heard->(qr/taken automatically/), 'that nothing need be pressed is said first';
  ok $browser->find('.overlay.found .outline'), 'the outline is drawn';
  ok !$browser->run('return document.querySelector(".code-seen").offsetWidth'),
    'no code is looked for on the front';
  $browser->run('window.lies = 0.5');
  screen('preview');
  $browser->wait_for('the word', sub { $heard->(qr/Photo taken/) });
  my $size = $browser->wait_for('the picture', sub { $browser->run(
    'const i = document.querySelector(".photo img");'
    . 'return i.naturalWidth && [i.naturalWidth, i.naturalHeight]') });
  cmp_ok abs($size->[0] / $size->[1] - 650 / 410), '<', 0.06,
    "the card alone is sent, of @$size pixels";
  cmp_ok abs($size->[0] - 650 * 1.07), '<', 30, 'with a little around it';
  ok $browser->run('return document.querySelector("#enlarge").getBoundingClientRect().top'
    . ' >= document.querySelector(".photo").getBoundingClientRect().bottom'),
    'what enlarges it covers no corner';
  $browser->click('#enlarge');
  ok $browser->run('const f = document.querySelector(".photo");'
    . 'return f.scrollWidth > f.clientWidth && f.scrollLeft > 0'),
    'and can be looked at from near by';
  $browser->click('#use');
  screen('otherSide');
  $browser->run('window.lies = 0.402');
  $browser->click('#camera');
  ok $browser->wait_until_shown('.code-seen'), 'the browser sees the code';
  $browser->wait_for('the news of it', sub { $heard->(qr/barcode is visible/) });
  $browser->click('#other-camera');
  $browser->wait_for('the camera', sub {
    @{$browser->run('return window.asked')} == 3 });
  is_deeply $browser->run('return window.asked'),
    ['environment', 'environment', 'second'], 'the other camera can be chosen';
};

subtest 'nothing cancels while a review holds the session' => sub {
  visit($mock->reset(status => 'under_review', consented => $true));
  screen('underReview');
  ok !$browser->run('return !!document.getElementById("cancel")'),
    'no way to cancel';
  visit($mock->reset(status => 'processing', consented => $true));
  screen('processing');
  $browser->click('#cancel');
  screen('leave');
  $mock->change(status => 'under_review');
  screen('underReview');
  pass 'the question goes when a review begins';
  visit($mock->reset(consented => $true));
  screen('choose');
  $browser->click('#cancel');
  screen('leave');
  $mock->change(status => 'under_review');
  $browser->click('#confirm-cancel');
  screen('underReview');
  ok !$browser->run('return !!document.getElementById("cancel")'),
    'a refusal shows the review';
};

subtest 'a doubtful photo may be replaced or sent anyway' => sub {
  visit($mock->reset(consented => $true));
  $mock->plan({status => 'requires_input', hint => 'blurred',
    attempts_remaining => 2}, {status => 'failed',
    checks_failed => ['document_expired'], last_error => undef});
  $browser->send_keys('#file', $blurred->filename);
  screen('preview');
  like $browser->text('.alert'), qr/blurred/, 'the doubt is explained';
  $browser->click('#retake');
  screen('choose');
  $browser->send_keys('#file', $blurred->filename);
  $browser->click('#use');
  $browser->click('#skip');
  screen('tryAgain');
  like $browser->text('#screen'), qr/Hold the phone still/, 'with help';
  like $browser->text('#screen'), qr/2 attempts left/, 'and the attempts';
  ok !$browser->find('#country, [name=kind]'), 'the document is not asked for again';
  like $browser->text('.chosen'), qr/Driver.s license.*United States/s, 'but named';
  like $browser->text('.shots'), qr/Front of the document\s*Take this photo again/,
    'with the photo that failed';
  $browser->click('#change-document');
  is $browser->run('return document.activeElement.id'), 'country', 'it may be changed';
  ok $browser->find('#kind-licence:checked') && !$browser->find('.shots'),
    '... and begins with the one chosen';
  $browser->send_keys('#file', $sharp->filename);
  $browser->click('#use');
  $browser->click('#skip');
  screen('failed');
  like $browser->text('#screen'), qr/document has expired/, 'the reason';
};

subtest 'cancelling asks once more and leads back' => sub {
  visit($mock->reset);
  screen('consent');
  $browser->click('#cancel');
  screen('leave');
  $browser->click('#back');
  screen('consent');
  $browser->click('#cancel');
  $browser->click('#confirm-cancel');
  screen('cancelled');
  is $browser->run('return document.querySelector(".actions a").href'),
    'https://shop.example/cancelled?session_id=vks_01jd0000000000000000000000',
    'to cancel_url';
};

subtest 'a lost connection and an overloaded service are bridged' => sub {
  $mock->reset(consented => $true);
  $mock->plan({status => 'verified'});
  $mock->faults({path => '/images', drop => $true},
    {path => '/images', status => 503, retry_after => 1},
    {path => '/submissions', drop => $true});
  visit($mock->link);
  $browser->send_keys('#file', $sharp->filename);
  $browser->click('#use');
  $browser->click('#skip');
  screen('verified');
  is scalar(grep { $_->{path} eq '/images/front' } $mock->requests), 3,
    'the picture arrived at the third attempt';
  is scalar(grep { $_->{path} eq '/submissions' } $mock->requests), 2,
    'the submission at the second';
  ok $browser->run('return document.getElementById("connection").hidden'),
    'and the warning is gone';
};

subtest 'files that are no pictures are refused with a word' => sub {
  my $text = Picture::file("not a picture\n", 'jpg');
  visit($mock->reset(consented => $true));
  $browser->send_keys('#file', $text->filename);
  like $browser->text('.alert'), qr/cannot be used/, 'said';
  is scalar(grep { $_->{method} eq 'PUT' } $mock->requests), 0, 'not sent';
};

# A JPEG of this size with an Exif orientation, as phones make them, chosen as
# if it were a file; the size of its preview.
sub preview_of_photo {
  my ($width, $height, $orientation) = @_;
  visit($mock->reset(consented => $true));
  screen('choose');
  $browser->run(<<'JS', $width, $height, $orientation);
    const [width, height, orientation] = arguments;
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    canvas.getContext('2d').fillRect(0, 0, width / 2, height);
    canvas.toBlob((jpeg) => {
      const exif = Uint8Array.from([0xff, 0xe1, 0, 34, 69, 120, 105, 102, 0, 0,
        77, 77, 0, 42, 0, 0, 0, 8, 0, 1,
        1, 18, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]);
      const choice = new DataTransfer();
      choice.items.add(new File([jpeg.slice(0, 2), exif, jpeg.slice(2)],
        'photo.jpg', { type: 'image/jpeg' }));
      const input = document.getElementById('file');
      input.files = choice.files;
      input.dispatchEvent(new Event('change'));
    }, 'image/jpeg');
JS
  screen('preview');
  return $browser->wait_for('the picture', sub { $browser->run(
    'const i = document.querySelector(".photo img");'
    . 'return i.naturalWidth && [i.naturalWidth, i.naturalHeight]') });
}

subtest 'photos stay upright and become no larger than needed' => sub {
  is_deeply preview_of_photo(600, 400, 1), [600, 400], 'as it is';
  is_deeply preview_of_photo(600, 400, 6), [400, 600], 'turned, kept';
  is_deeply preview_of_photo(5120, 2000, 1), [4096, 1600], 'reduced';
  is_deeply preview_of_photo(5120, 2000, 6), [1600, 4096],
    'turned and reduced';
};

subtest 'every ending has its screen' => sub {
  my %screens = (verified => 'verified', failed => 'failed',
    cancelled => 'cancelled', expired => 'expired',
    under_review => 'underReview', processing => 'processing');
  for my $status (sort keys %screens) {
    visit($mock->reset(status => $status));
    ok screen($screens{$status}), $status;
  }
  visit($mock->reset(expires_at => time + 1));
  screen('consent');
  $mock->change(status => 'expired');
  ok screen('expired'), 'expiry while the page is open';
};

subtest 'links without a right secret open nothing' => sub {
  $mock->reset;
  visit($mock->page . '#vks_01jd0000000000000000000000_secret_wrong');
  ok screen('linkInvalid'), 'a wrong secret';
  visit($mock->page . '#something');
  ok screen('linkInvalid'), 'something else';
  visit($mock->link);
  screen('consent');
  $browser->command(POST => '/refresh');
  ok screen('consent'), 'but a reload of the tab keeps the right one';
  $browser->go($mock->page . '?lang=de');
  screen('consent');
  is heading(), 'Bevor es losgeht', 'in German when asked';
  is $browser->run('return document.documentElement.lang'), 'de',
    'and marked as such';
};

subtest 'texts of the customer and the service are never markup' => sub {
  visit($mock->reset(user_message => '<b id="injected">x</b>',
    return_url => 'javascript:alert(1)'));
  screen('consent');
  ok !$browser->find('#injected'), 'not in the message';
  $mock->reset(status => 'verified', return_url => 'javascript:alert(1)');
  visit($mock->link);
  screen('verified');
  ok !$browser->find('.actions a'), 'and no link but to the web';
};

subtest 'without a camera a file is enough' => sub {
  my %cases = (
    'is blocked' => ['--use-fake-device-for-media-stream',
      '--deny-permission-prompts'],
    'No camera' => ['--use-fake-ui-for-media-stream']);
  for my $words (sort keys %cases) {
    my $other = Browser->start(prompts => 1, arguments => $cases{$words});
    $other->go($mock->reset(consented => $true));
    $other->click('#camera');
    like $other->text('.alert'), qr/$words/, "says: $words";
    ok !!$other->find('#camera') == ($words eq 'is blocked'),
      'the camera is offered where it may still come';
    ok $other->find('#file'), 'and a file in any case';
  }
};

subtest 'the page is the organization\'s, and says who asks' => sub {
  visit($mock->reset(organization_name => 'Organization', brand => {
    name => 'SPECIMEN Shop', accent => '#0a5c36', theme => 'dark',
    logo => 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcv'
      . 'MjAwMC9zdmciIHZpZXdCb3g9IjAgMCAxIDEiLz4=',
    support => 'mailto:help@shop.example',
    privacy_url => 'https://shop.example/privacy'}));
  screen('consent');
  is $browser->text('#brand'), 'SPECIMEN Shop', 'its name';
  ok $browser->find('.logo'), 'its picture';
  is $browser->run('return document.documentElement.dataset.theme'), 'dark',
    'its theme';
  like $browser->text('.lead'), qr/SPECIMEN Shop.* asks you/, 'who asks';
  ok !$browser->run('return document.querySelector(".details").open'),
    'details are folded';
  $browser->click('.details summary');
  my $details = $browser->text('.details');
  like $details, qr/Legal basis.*Your rights.*Withdrawing/s, 'what is needed';
  like $details, qr/Privacy information/, 'with the links';
  unlike $details, qr/a person decides/, 'nobody looks where nobody does';
  unlike $browser->text('.points'), qr/a person/, 'nor is it said before';
  $browser->click('#help');
  ok $browser->run('return document.querySelector("dialog.help a").href'
    . ' === "mailto:help@shop.example"'), 'help leads to its support';
  $browser->click('#close-help');
  visit($mock->reset(review_possible => $true));
  screen('consent');
  $browser->click('.details summary');
  like $browser->text('.details'), qr/a person decides/, 'but where one does';
  like $browser->text('.points'), qr/may be looked at by a person/,
    'which the first lines say, too';
};

subtest 'the button to agree is in view' => sub {
  for my $size ([390, 844], [360, 640], [844, 390]) {
    $browser->size(@$size);
    visit($mock->reset(trust_reuse_available => $true,
      user_message => 'Prove it.'));
    screen('consent');
    cmp_ok $browser->run('return document.getElementById("agree")'
      . '.getBoundingClientRect().bottom'), '<=', $size->[1], "at @$size";
  }
  $browser->size(390, 844);
  visit($mock->reset(user_message => 'Only our own words. ' x 25,
    organization_name => 'SPECIMEN Verification and Wine ' x 3));
  screen('consent');
  my ($first, $agree) = map { $browser->run("return document.querySelector('$_')"
    . '.getBoundingClientRect().top') } '.points li span', '.actions';
  cmp_ok $first, '<', $agree, 'and what is agreed to, whatever the customer says';
};

subtest 'who is verified is taken back' => sub {
  visit($mock->reset(status => 'verified',
    return_url => $mock->base . '/shop?script=x'));
  screen('verified');
  like $browser->text('.countdown'), qr/^[1-5] seconds?$/, 'after some seconds';
  $browser->wait_for('the shop', sub { $browser->url
    =~ m{/shop\?script=x&session_id=vks_01jd0000000000000000000000\z} });
  pass 'with the session in the address';
  visit($mock->reset(status => 'verified', return_url => $mock->base . '/shop'));
  screen('verified');
  $browser->click('#stay');
  ok !$browser->find('.countdown') && !$browser->find('#stay'), 'or stays';
  is $browser->run('return document.activeElement.href'), $mock->base
    . '/shop?session_id=vks_01jd0000000000000000000000', 'with the way on at hand';
};

# --- what went wrong once ---

sub uploads { grep { $_->{method} eq 'PUT' } $mock->requests }

subtest 'a service that is away for long is waited for, and can be left' => sub {
  $mock->reset(consented => $true);
  $mock->plan({status => 'verified'});
  $mock->faults(map { {path => '/images', drop => $true} } 1 .. 400);
  visit($mock->link);
  $browser->send_keys('#file', $sharp->filename);
  $browser->click('#use');
  $browser->click('#skip');
  screen('sending');
  # More than the six attempts after which it was given up; each is hurried by
  # the news that the connection is back.
  $browser->wait_for('attempts', sub {
    $browser->run('window.dispatchEvent(new Event("online"))');
    uploads() > 8 });
  ok !$browser->run('return document.getElementById("connection").hidden'),
    'the person is told';
  is $browser->run('return document.querySelector("#screen").dataset.screen'),
    'sending', 'and it goes on';
  $browser->click('#cancel');
  screen('leave');
  $browser->click('#back');
  screen('sending');
  $mock->faults();
  $browser->wait_for('the end', sub {
    $browser->run('window.dispatchEvent(new Event("online"))');
    $browser->find('[data-screen=verified]') });
  pass 'it recovers by itself';
};

subtest 'Back leads to the screen before, then asks, then leaves' => sub {
  visit($mock->reset);
  $browser->click('#agree');
  screen('choose');
  $browser->send_keys('#file', $sharp->filename);
  screen('preview');
  $browser->command(POST => '/back');
  screen('choose');
  $browser->command(POST => '/back');
  screen('leave');
  $browser->click('#back');
  screen('choose');
  $mock->change(status => 'cancelled');
  ok $browser->find('#screen'), 'still on the page';
};

subtest 'a reload keeps what was sent, the document and the language' => sub {
  visit($mock->reset(consented => $true, jurisdiction => 'DE'));
  screen('choose');
  $browser->run('const s = document.getElementById("country");'
    . 's.value = "US"; s.dispatchEvent(new Event("change"))');
  $browser->run('const s = document.getElementById("language");'
    . 's.value = "de"; s.dispatchEvent(new Event("change"))');
  $browser->wait_for('German', sub { heading() =~ /Zeigen Sie/ });
  $browser->send_keys('#file', $sharp->filename);
  $browser->click('#use');
  screen('otherSide');
  $browser->wait_for('the front', sub { uploads() == 1 });
  $browser->command(POST => '/refresh');
  screen('otherSide');
  like heading(), qr{^Jetzt die R.{1,2}ckseite}, 'the back is next, in German';
  like $browser->text('#screen'), qr/Strichcode/, 'of the same document';
  $mock->plan({status => 'verified'});
  $browser->send_keys('#file', $sharp->filename);
  $browser->click('#use');
  screen('verified');
  is scalar(uploads()), 2, 'nothing was sent twice';
  my ($submission) = grep { $_->{path} eq '/submissions' } $mock->requests;
  is_deeply $submission->{body}{images}, ['front', 'back'], 'both count';
};

# --- what is kept over a reload ---

my $KEPT = 'idv:vks_01jd0000000000000000000000:view';
sub kept { $browser->run('return sessionStorage.getItem(arguments[0])', $KEPT) }

# Loads the page again, whose first request is answered when faults() is called.
sub reload_unanswered {
  $mock->faults({path => '/open', hold => $true});
  $browser->command(POST => '/refresh');
}

# Puts a mark on the screen that is shown, which goes with it.
sub mark_screen {
  $browser->run('document.querySelector("#screen h1").dataset.marked = ""');
}

sub is_marked { $browser->run(
  'return Boolean(document.querySelector("[data-marked]"))') }

sub answered { $browser->wait_for('the answer', sub { $browser->run(
  'return performance.getEntriesByType("resource")'
  . '.some((e) => e.name.endsWith("/open") && e.responseEnd)') }) }

subtest 'after a reload the screen is there before the service answers' => sub {
  visit($mock->reset);
  $browser->click('#agree');
  screen('choose');
  $browser->send_keys('#file', $sharp->filename);
  $browser->click('#use');
  screen('otherSide');
  $browser->wait_for('the front', sub { kept() =~ /"parts_received":\["front"\]/ });
  reload_unanswered();
  screen('otherSide');
  mark_screen();
  is scalar($mock->requests), 4, 'of which it has heard nothing';
  $browser->send_keys('#file', $sharp->filename);
  $browser->click('#use');
  screen('sending');
  is scalar(uploads()), 1, 'and nothing is sent';
  $mock->plan({status => 'verified'});
  $mock->faults();
  screen('verified');
  is_deeply [paths()], ['POST /open', 'POST /consent', 'PUT /images/front',
    'POST /open', 'PUT /images/back', 'POST /submissions'], 'until it has';
  is kept(), undef, 'of a session that has ended nothing is kept';
  reload_unanswered();
  ok !$browser->run_async('const done = arguments[arguments.length - 1];'
    . 'setTimeout(() => done(document.querySelector("#screen h1")), 300)'),
    'and no outcome shown but the service\'s';
  $mock->faults();
  screen('verified');
};

subtest 'the same answer changes nothing, another one wins' => sub {
  visit($mock->reset(consented => $true));
  screen('choose');
  reload_unanswered();
  screen('choose');
  mark_screen();
  $mock->faults();
  answered();
  is $browser->run_async('const done = arguments[arguments.length - 1];'
    . 'requestAnimationFrame(() => setTimeout(() => done('
    . 'Boolean(document.querySelector("[data-marked]"))), 50))'), $true,
    'the same screen stands';
  my %others = (cancelled => {status => 'cancelled'},
    tryAgain => {status => 'requires_input', hint => 'blurred'});
  for my $name (sort keys %others) {
    visit($mock->reset(consented => $true));
    screen('choose');
    reload_unanswered();
    screen('choose');
    mark_screen();
    $mock->change(%{$others{$name}});
    $mock->faults();
    screen($name);
    ok !is_marked(), "what has become $name is shown";
  }
  like kept(), qr/"hint":"blurred"/, 'and kept from then on';
};

subtest 'what was done on a screen that does not stand is dropped' => sub {
  visit($mock->reset);
  screen('consent');
  reload_unanswered();
  screen('consent');
  $browser->click('#agree');
  is $browser->run('return document.getElementById("agree").ariaBusy'), 'true',
    'the button waits';
  $mock->change(status => 'cancelled');
  $mock->faults();
  screen('cancelled');
  ok !(grep { $_->{path} eq '/consent' } $mock->requests), 'and asks nothing';
  visit($mock->reset);
  screen('consent');
  reload_unanswered();
  screen('consent');
  mark_screen();
  $mock->change(expires_at => time + 3000);
  $mock->faults();
  $browser->wait_for('the other answer', sub {
    !is_marked() && $browser->find('#agree') });
  $browser->click('#agree');
  screen('choose');
  visit($mock->reset);
  screen('consent');
  reload_unanswered();
  $browser->click('#agree');
  $mock->faults();
  screen('choose');
  is scalar(grep { $_->{path} eq '/consent' } $mock->requests), 1,
    'on one that stands it is done, once';
};

subtest 'a kept view that is not this session\'s is ignored' => sub {
  visit($mock->reset(consented => $true));
  screen('choose');
  my $good = kept();
  my %bad = ('broken' => substr($good, 0, 200), 'nothing' => 'null',
    'another session\'s' => $good =~ s/"id":"vks_01jd/"id":"vks_01je/r,
    'an outcome' => $good =~ s/"pending"/"verified"/r,
    'too old' => $good =~ s/("expires_at":)\d+/${1}1000/r,
    'without its methods' => $good =~ s/"methods"/"x"/r
      =~ s/"current_method":null/"current_method":{}/r);
  for my $what (sort keys %bad) {
    isnt $bad{$what}, $good, $what;
    $browser->run('sessionStorage.setItem(...arguments)', $KEPT, $bad{$what});
    $browser->command(POST => '/refresh');
    screen('choose');
    $browser->wait_for('the view', sub { kept() eq $good });
  }
  $browser->run('sessionStorage.setItem("idv:vks_01jd0000000000000000000000",'
    . ' "vks_01jd0000000000000000000000_secret_wrong")');
  $browser->command(POST => '/refresh');
  screen('linkInvalid');
  is kept(), undef, 'with a wrong secret it goes';
  # Its link, opened in the same tab.
  visit($mock->reset(consented => $true));
  screen('choose');
  $browser->run('sessionStorage.setItem(...arguments)', $KEPT,
    $good =~ s/"consented":true/"consented":false/r);
  my $asked = $mock->requests;
  $mock->faults({path => '/open', hold => $true});
  visit($mock->link);
  $browser->wait_for('the request', sub { $mock->requests > $asked });
  is kept(), undef, 'a link is no reload';
  $mock->faults();
  screen('choose');
};

subtest 'a service that fails after a reload can be asked again' => sub {
  visit($mock->reset(consented => $true));
  screen('choose');
  $mock->faults({path => '/open', status => 403, code => 'forbidden'});
  $browser->command(POST => '/refresh');
  screen('problem');
  $browser->click('#again');
  screen('choose');
  ok !$browser->run('return document.getElementById("screen").ariaBusy'),
    'and the screen comes back';
};

subtest 'storage that is switched off is done without' => sub {
  my $other = Browser->start;
  $other->chromium('Page.addScriptToEvaluateOnNewDocument', source =>
    'Object.defineProperty(window, "sessionStorage", { get() {'
    . ' throw new DOMException("denied", "SecurityError"); } })');
  $other->go($mock->reset);
  $other->click('#agree');
  $other->wait_until_shown('[data-screen=choose]');
  $other->command(POST => '/refresh');
  ok $other->wait_until_shown('[data-screen=linkInvalid]'),
    'a reload needs the link';
};

subtest 'three taps are one' => sub {
  visit($mock->reset);
  screen('consent');
  $mock->faults({path => '/consent', delay => 400});
  $browser->run('const b = document.getElementById("agree");'
    . 'b.click(); b.click(); b.click(); window.busy = b.ariaBusy');
  is $browser->run('return window.busy'), 'true', 'the button is busy';
  screen('choose');
  is scalar(grep { $_->{path} eq '/consent' } $mock->requests), 1,
    'one request';
};

subtest 'nothing is promised that cannot be kept' => sub {
  visit($mock->reset(consented => $true, status => 'requires_input',
    checks_failed => ['under_age'], attempts_remaining => 2));
  screen('tryAgain');
  unlike $browser->text('#screen'), qr/attempt/,
    'who is too young is not told to try again';
  like $browser->text('#screen'), qr/younger than required/, 'but why';
};

subtest 'a language that cannot be loaded is not chosen' => sub {
  visit($mock->reset);
  screen('consent');
  $mock->faults({path => 'texts/', status => 503});
  $browser->run('const s = document.getElementById("language");'
    . 's.value = "de"; s.dispatchEvent(new Event("change"))');
  $browser->wait_for('the refusal', sub { $browser->run(
    'return document.getElementById("announcer").textContent')
    =~ /could not be loaded/ });
  is $browser->run('return document.getElementById("language").value'), 'en',
    'the choice shows what is spoken';
};

subtest 'of languages chosen one after the other the last counts' => sub {
  visit($mock->reset);
  screen('consent');
  $mock->faults({path => 'texts/fr.json', delay => 500});
  $browser->run('const s = document.getElementById("language");'
    . 'for (const code of ["fr", "de"]) {'
    . ' s.value = code; s.dispatchEvent(new Event("change")); }');
  $browser->wait_for('the late texts', sub { $browser->run(
    'return performance.getEntriesByType("resource")'
    . '.some(({ name }) => name.endsWith("fr.json"))') });
  is $browser->run_async('const done = arguments[arguments.length - 1];'
    . 'setTimeout(() => done(document.documentElement.lang), 100)'), 'de',
    'what comes late changes nothing';
  is $browser->run('return document.getElementById("language").value'), 'de',
    'and the choice stays';
};

subtest 'icons need no connection' => sub {
  visit($mock->reset);
  screen('consent');
  is_deeply $browser->run('return [...document.querySelectorAll("use")]'
    . '.filter((u) => !document.querySelector(u.getAttribute("href")))'
    . '.map((u) => u.getAttribute("href"))'), [], 'each stands in the page';
};

# The failures above were made on purpose; what the browser says of them is
# "Failed to load resource".
my @complaints = grep { $_->{message} !~ /Failed to load resource/ }
  $browser->console;
is_deeply \@complaints, [], 'the console is quiet: no violated policy';

done_testing;
