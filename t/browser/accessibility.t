#!/usr/bin/perl
# WCAG 2.2 AA, as far as a machine can tell: axe-core on every screen in light
# and dark, and by hand what it does not look at: keyboard, focus, reflow,
# target size, motion, reading direction.
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

my $true = JSON::PP::true;
my ($tab, $enter, $space) = ("\x{e004}", "\x{e007}", ' ');
my $mock = WidgetMock->start;
my $browser = Browser->start(width => 390, height => 844,
  arguments => ['--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream']);
my $sharp = Picture::file(Picture::png('sharp', 1400, 900), 'png');
my $blurred = Picture::file(Picture::png('blurred', 900, 600), 'png');

my %agreed = (consented => $true);
# Screen, fields of the session, and what leads to it from there.
my @screens = (
  [consent => {trust_reuse_available => $true, user_message => 'Prove it.',
    passive_checks => ['ip_analysis']}],
  [choose => {%agreed}],
  [otherSide => {%agreed}, sub {
    $browser->send_keys('#file', $sharp->filename);
    $browser->click('#use');
  }],
  [preview => {%agreed}, sub {
    $browser->send_keys('#file', $blurred->filename);
  }],
  [camera => {%agreed}, sub {
    $browser->click('#camera');
    $browser->wait_for('the camera', sub { $browser->run(
      'return !document.getElementById("shoot").disabled') });
  }],
  [tryAgain => {%agreed, status => 'requires_input', hint => 'glare'}],
  [leave => {}, sub { $browser->click('#cancel') }],
  [processing => {status => 'processing'}],
  [underReview => {status => 'under_review'}],
  # Without a place to return to, or it would go there.
  [verified => {status => 'verified', return_url => undef}],
  [failed => {status => 'failed',
    checks_failed => ['document_expired', 'under_age']}],
  [cancelled => {status => 'cancelled'}],
  [expired => {status => 'expired'}],
  [methodUnavailable => {%agreed, current_method => 'facial_age',
    methods => ['facial_age']}],
  # The page that ends sharing, with a grant in this state.
  [active => {grant => 'active'}],
  [revoked => {grant => 'revoked'}],
  [expired => {grant => 'expired'}],
  [stopped => {grant => 'active'}, sub { $browser->click('#stop') }],
  [allStopped => {grant => 'active'}, sub { $browser->click('#stop-all') }],
);

sub visit {
  my ($screen, $fields, $lead) = @_;
  $browser->go('about:blank');
  $browser->go($fields->{grant} ? $mock->grant(status => $fields->{grant})
    : $mock->reset(%$fields));
  $browser->wait_until_shown('#screen h1');
  $lead->() if $lead;
  $browser->wait_until_shown("[data-screen=$screen]");
}

sub axe_source {
  my $file = "$FindBin::Bin/node_modules/axe-core/axe.min.js";
  system("$FindBin::Bin/../../scripts/fetch-test-modules >&2") == 0
    or return;
  open my $in, '<:raw', $file or die "$file: $!";
  local $/;
  return readline $in;
}

# What axe finds on the page, one line each.
sub violations {
  my ($axe) = @_;
  $browser->run($axe) unless $browser->run('return !!window.axe');
  my $found = $browser->run_async(<<'JS');
    const done = arguments[arguments.length - 1];
    axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa',
      'wcag22aa', 'best-practice'] }).then((r) => done(r.violations.flatMap(
        (v) => v.nodes.map((n) => v.id + ': ' + n.target + ': '
          + n.failureSummary))), (e) => done([String(e)]));
JS
  return @$found;
}

SKIP: {
  my $axe = axe_source()
    or skip 'axe-core could not be fetched: npm is not reachable';
  my %still = ('prefers-reduced-motion' => 'reduce');
  $browser->media(%still);
  for my $case (@screens) {
    visit(@$case);
    for my $scheme ('light', 'dark') {
      $browser->media(%still, 'prefers-color-scheme' => $scheme);
      is_deeply [violations($axe)], [], "axe: $case->[0], $scheme";
    }
  }
  $browser->media;
}

# Texts of the widest language, the narrowest window, and mirrored.
my $measure = <<'JS';
  const small = [];
  for (const e of document.querySelectorAll('a, button, select, label.kind,'
    + 'label.button, .choice label')) {
    const box = e.getBoundingClientRect();
    if (box.width && (box.width < 44 || box.height < 44))
      small.push(`${e.id || e.className}: ${box.width}x${box.height}`);
  }
  const wide = [...document.querySelectorAll('body *')].filter((e) =>
    e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 1
    && getComputedStyle(e).overflow === 'visible'
    && getComputedStyle(e).display !== 'inline').map((e) => e.tagName
      + '.' + e.className);
  return { small, wide, page: document.documentElement.scrollWidth };
JS
for my $case (@screens) {
  $browser->size(320, 640);
  visit(@$case);
  $browser->run('const s = document.getElementById("language");'
    . 's.value = "de"; s.dispatchEvent(new Event("change"))')
    if $case->[0] ne 'camera';
  $browser->wait_for('German', sub { $case->[0] eq 'camera'
    || $browser->run('return document.documentElement.lang') eq 'de' });
  for my $direction ('ltr', 'rtl') {
    $browser->run("document.documentElement.dir = '$direction'");
    is_deeply $browser->run($measure), {small => [], wide => [], page => 320},
      "$case->[0] fits 320 pixels, $direction, and is easy to hit";
  }
}
$browser->size(390, 844);

# Presses Tab until the element has the focus.
sub tab_to {
  my ($selector) = @_;
  for (1 .. 20) {
    $browser->press($tab);
    my $state = $browser->run('const e = document.activeElement;'
      . 'const shown = e.classList.contains("visually-hidden")'
      . '  ? e.nextElementSibling : e.closest(".kind") || e;'
      . 'return { here: e.matches(arguments[0]),'
      . '  ring: parseFloat(getComputedStyle(shown).outlineWidth),'
      . '  style: getComputedStyle(shown).outlineStyle }', $selector);
    next if !$state->{here};
    cmp_ok $state->{ring}, '>=', 2, "$selector shows its focus"
      if $state->{style} ne 'auto';
    return 1;
  }
  return 0;
}

subtest 'the whole way by keyboard, the focus where the news is' => sub {
  visit(consent => {trust_reuse_available => $true});
  my $focus = sub { $browser->run('return document.activeElement.tagName') };
  is $focus->(), 'H1', 'the heading has the focus';
  ok tab_to('#share'), 'the check box is reached';
  $browser->press($space);
  ok tab_to('#agree'), 'the button is reached';
  $browser->press($enter);
  $browser->wait_until_shown('[data-screen=choose]');
  is $focus->(), 'H1', 'the next heading has it';
  ok tab_to('#kind-licence'), 'the kind is reached';
  $browser->press("\x{e015}");
  ok $browser->run('return document.getElementById("kind-passport").checked'),
    'and changed by arrow';
  ok tab_to('#file'), 'the file input is reached';
  $browser->send_keys('#file', $sharp->filename);
  $browser->wait_until_shown('[data-screen=preview]');
  is $focus->(), 'H1', 'the preview tells itself';
  ok tab_to('#use'), 'the photo can be used';
  $mock->plan({status => 'verified'});
  $browser->press($enter);
  $browser->wait_until_shown('[data-screen=verified]');
  is $focus->(), 'H1', 'the outcome is read out';
  like $browser->run('return document.title'), qr/^Verification successful/,
    'and is the title of the page';
  ok tab_to('.actions a'), 'the way on is reached';
};

subtest 'the shutter is at hand in every window' => sub {
  # Upright, on its side, both at 200 % zoom, and a desk.
  for my $size ([390, 844], [844, 390], [195, 422], [422, 195], [1280, 800]) {
    $browser->size(@$size);
    visit(camera => {%agreed}, $screens[4][2]);
    my $box = $browser->run('const b = document.getElementById("shoot")'
      . '.getBoundingClientRect(); return { left: b.left, top: b.top,'
      . ' right: b.right, bottom: b.bottom }');
    ok $box->{left} >= 0 && $box->{top} >= 0 && $box->{right} <= $size->[0]
      && $box->{bottom} <= $size->[1], "in view at @$size";
    cmp_ok $box->{right} - $box->{left}, '>=', 44, 'and large';
    ok $browser->run('const s = document.querySelector(".stage")'
      . '.getBoundingClientRect(); return s.width * s.height'
      . ' > 0.3 * innerWidth * innerHeight'), 'with room for the picture';
  }
  $browser->size(390, 844);
};

subtest 'nothing moves for who does not want it' => sub {
  $browser->media('prefers-reduced-motion' => 'reduce');
  visit(processing => {status => 'processing'});
  is $browser->run('return document.getAnimations().length'), 0, 'still';
  $browser->media;
  visit(processing => {status => 'processing'});
  isnt $browser->run('return document.getAnimations().length'), 0,
    'for others it turns';
};

done_testing;
