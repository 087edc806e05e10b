#!/usr/bin/perl
# WCAG 2.2 AA, as far as a machine can tell: axe-core on every screen in light
# and dark, and by hand what it does not look at: keyboard, focus, reflow,
# target size, motion, reading direction.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use Browser;
use Picture;
use WidgetMock;
use WidgetScreens;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

my ($tab, $enter, $space) = ("\x{e004}", "\x{e007}", ' ');
my $mock = WidgetMock->start;
my $browser = Browser->start(width => 390, height => 844,
  arguments => [WidgetScreens->camera_arguments]);
my $screens = WidgetScreens->new($browser, $mock);
my @screens = $screens->all;
my %screen = map { $_->{name} => $_ } @screens;
my $sharp = Picture::file(Picture::png('sharp', 1400, 900), 'png');

sub axe_source {
  my $file = "$FindBin::Bin/node_modules/axe-core/axe.min.js";
  system("$FindBin::Bin/../../scripts/fetch-test-modules >&2") == 0
    or return;
  open my $in, '<:raw', $file or die "$file: $!";
  local $/;
  return readline $in;
}

# What axe finds on the page, one line each; of a second scheme only what colours
# can change.
sub violations {
  my ($axe, $only) = @_;
  $browser->run($axe) unless $browser->run('return !!window.axe');
  my $found = $browser->run_async(<<'JS', $only);
    const [only, done] = arguments;
    axe.run(document, { runOnly: only || ['wcag2a', 'wcag2aa', 'wcag21a',
      'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'] }).then(
        (r) => done(r.violations.flatMap((v) => v.nodes.map((n) => v.id + ': '
          + n.target + ': ' + n.failureSummary))), (e) => done([String(e)]));
JS
  return @$found;
}

# Texts of a wide language in the narrowest window, mirrored, too.
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
# Presses Tab until the focus is where it was before: what it came to, what shows no
# ring there, and what lies below something else, as those may who only look.
my $FOCUS = <<'JS';
const e = document.activeElement;
if (!e || e === document.body) return null;
const area = e.closest('.kind') || (e.classList.contains('visually-hidden')
  && e.nextElementSibling) || e;
const box = area.getBoundingClientRect();
const top = document.elementFromPoint(box.left + box.width / 2,
  box.top + Math.min(box.height / 2, 20));
const { outlineStyle, outlineWidth } = getComputedStyle(area);
return { name: e.id || e.className || e.textContent.slice(0, 20),
  isCovered: !(top && (area.contains(top) || top.contains(area))),
  hasRing: outlineStyle === 'auto' || parseFloat(outlineWidth) >= 2 };
JS
my $REACHABLE = <<'JS';
const all = [...document.querySelectorAll('a[href], button, input, select, summary,'
  + '[tabindex="0"]')].filter((e) => !e.disabled && e.checkVisibility()
  && (e.type !== 'radio' || e.checked));
return all.map((e) => e.id || e.className || e.textContent.slice(0, 20));
JS
sub is_reached_by_keyboard {
  my ($name) = @_;
  for my $size ([390, 844], [195, 422]) {
    $browser->size(@$size);
    # Where a screen that has just come begins.
    $browser->run('scrollTo(0, 0); document.querySelector("#screen h1").focus()');
    my %left = map { $_ => 1 } @{$browser->run($REACHABLE)};
    my (@bad, %seen);
    for (1 .. 2 + 2 * keys %left) {
      $browser->press($tab);
      my $at = $browser->run($FOCUS) or next;
      delete $left{$at->{name}};
      last if $seen{$at->{name}}++;
      push @bad, "$at->{name} is covered" if $at->{isCovered};
      push @bad, "$at->{name} has no ring" if !$at->{hasRing};
    }
    is_deeply [@bad, sort keys %left], [],
      "$name, $size->[0] pixels: all is reached by keyboard, and seen there";
  }
}

my $axe = axe_source();
my %still = ('prefers-reduced-motion' => 'reduce');
for my $case (@screens) {
  $browser->size(390, 844);
  $browser->media(%still);
  $screens->visit($case, lang => 'de');
  for my $scheme ('light', 'dark') {
    SKIP: {
      skip 'axe-core could not be fetched: npm is not reachable' unless $axe;
      $browser->media(%still, 'prefers-color-scheme' => $scheme);
      is_deeply [violations($axe, $scheme eq 'dark'
        ? ['color-contrast', 'link-in-text-block'] : undef)],
        [], "axe: $case->{name}, $scheme";
    }
  }
  is_reached_by_keyboard($case->{name});
  $browser->size(320, 640);
  for my $direction ('ltr', 'rtl') {
    $browser->run("document.documentElement.dir = '$direction'");
    is_deeply $browser->run($measure), {small => [], wide => [], page => 320},
      "$case->{name} fits 320 pixels, $direction, and is easy to hit";
  }
}
$browser->media;
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
  $screens->visit($screen{consent});
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

subtest 'enlarged to 200 %, words stay whole and apart' => sub {
  $browser->size(195, 422);
  for my $name ('consent', 'preview', 'sending', 'joining', 'leaving', 'chip',
    'verified') {
    $screens->visit($screen{$name}, lang => 'de');
    is_deeply $browser->run(<<'JS'), [], $name;
      const found = [];
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT,
        (node) => (node.parentElement.closest('h1, .brand, .steps')
          && node.parentElement.checkVisibility() ? 1 : 2));
      const range = document.createRange(), places = [];
      while (texts.nextNode()) {
        const { currentNode: node } = texts;
        const isName = node.parentElement.closest('.steps')
          && getComputedStyle(node.parentElement).position !== 'absolute';
        if (isName) {
          range.selectNodeContents(node);
          places.push(range.getBoundingClientRect());
        }
        if (node.parentElement.closest('.steps')) continue;
        for (const word of node.data.matchAll(/[^\s-]+/g)) {
          range.setStart(node, word.index);
          range.setEnd(node, word.index + word[0].length);
          if (new Set([...range.getClientRects()].map((b) => Math.round(b.top))).size > 1)
            found.push(`${word[0]} is broken`);
        }
      }
      places.forEach((a, i) => places.slice(i + 1).forEach((b) => {
        if (a.left < b.right && b.left < a.right && a.top < b.bottom
            && b.top < a.bottom) found.push('names of steps lie over each other');
      }));
      return found;
JS
  }
  $screens->visit($screen{'selfie camera'}, lang => 'de');
  my ($back, $begin) = map { $browser->run('return document.getElementById('
    . 'arguments[0]).getBoundingClientRect().toJSON()', $_) } qw(leave-camera begin);
  cmp_ok $back->{right}, '<=', $begin->{left}, 'Back stands beside Begin';
  $browser->size(390, 844);
};

subtest 'in forced colours edges stay' => sub {
  $browser->media('forced-colors' => 'active', 'prefers-reduced-motion' => 'reduce');
  $screens->visit($screen{sending});
  my $edge = sub { $browser->run('return getComputedStyle(document.querySelector('
    . 'arguments[0])).borderTopWidth', $_[0]) };
  is $edge->('progress'), '1px', 'of what was sent';
  isnt $edge->('.button'), '0px', 'of buttons';
  $browser->media;
};

# What begins or ends what the camera does.
my %triggers = (camera => ['shoot', 'leave-camera'],
  'selfie camera' => ['begin', 'leave-camera']);
subtest 'the shutter is at hand in every window' => sub {
  # Upright, on its side, both at 200 % zoom, and a desk, also zoomed.
  for my $name (sort keys %triggers) {
    $screens->visit($screen{$name});
    for my $size ([390, 844], [844, 390], [195, 422], [422, 195], [1280, 800],
      [640, 400]) {
      $browser->size(@$size);
      is_in_view($_, $name, @$size) for @{$triggers{$name}};
      ok $browser->run('const s = document.querySelector(".stage")'
        . '.getBoundingClientRect(); return s.width * s.height'
        . ' > 0.3 * innerWidth * innerHeight'), 'with room for the picture';
    }
  }
  $browser->size(390, 844);
};

sub is_in_view {
  my ($id, $name, $width, $height) = @_;
  my $box = $browser->run('const b = document.getElementById(arguments[0])'
    . '.getBoundingClientRect(); return { left: b.left, top: b.top,'
    . ' right: b.right, bottom: b.bottom }', $id);
  ok $box->{left} >= 0 && $box->{top} >= 0 && $box->{right} <= $width
    && $box->{bottom} <= $height, "$name: $id is in view at $width x $height";
  cmp_ok $box->{right} - $box->{left}, '>=', 44, 'and large';
}

subtest 'nothing moves for who does not want it' => sub {
  $browser->media('prefers-reduced-motion' => 'reduce');
  $screens->visit($screen{processing});
  is $browser->run('return document.getAnimations().length'), 0, 'still';
  $browser->media;
  $screens->visit($screen{processing});
  isnt $browser->run('return document.getAnimations().length'), 0,
    'for others it turns';
};

done_testing;
