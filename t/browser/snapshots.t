#!/usr/bin/perl
# Every screen of the widget looks as it did: texts, colours of both schemes, and
# places in three sizes of window are those of t/browser/snapshots/, a file for each
# screen that t/lib/WidgetLayout.pm explains. After a change that is meant:
#
#   VERIFY_RENEW_SNAPSHOTS=1 scripts/test t/browser/snapshots.t
#
# and then a look at the difference, and at the screen.
use v5.32;
use warnings;
use utf8;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use Browser;
use WidgetLayout;
use WidgetMock;
use WidgetScreens;

binmode $_, ':encoding(UTF-8)'
  for map { Test::More->builder->$_ } qw(output failure_output todo_output);
plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

my $folder = "$FindBin::Bin/snapshots";
my $MOST = 400_000; # bytes of all files
my $mock = WidgetMock->start;
my $browser = Browser->start(width => 390, height => 844,
  arguments => [WidgetScreens->camera_arguments]);
my $layout = WidgetLayout->new($browser);
my $screens = WidgetScreens->new($browser, $mock);
my %screen = map { $_->{name} => $_ } $screens->all;

sub kept {
  my ($name) = @_;
  open my $file, '<:encoding(UTF-8)', path($name) or return '';
  local $/;
  return readline $file;
}

sub path {
  my ($name) = @_;
  return "$folder/" . ($name =~ tr/ /-/r) . '.txt';
}

sub keep {
  my ($name, $text) = @_;
  mkdir $folder;
  open my $file, '>:encoding(UTF-8)', path($name) or die "$name: $!\n";
  print $file $text;
  close $file or die "$name: $!\n";
}

# Where the first action of the screen is, or the first of those to choose from: in the
# window, whole and on top of all; at the end of the page it covers nothing.
my $FIRST_ACTION = <<'JS';
  const first = document.querySelector('#screen .primary, #screen .offer');
  if (!first) return 'none';
  const box = () => first.getBoundingClientRect();
  const on = (x, y) => first.contains(document.elementFromPoint(x, y));
  scrollTo(0, 0);
  if (box().bottom > innerHeight || !on(box().left + 9, box().bottom - 9))
    return `not in view: ${box().bottom} of ${innerHeight} pixels`;
  scrollTo(0, document.documentElement.scrollHeight);
  const covered = [...document.querySelectorAll('#screen :is(p, li, label, img)')]
    .filter((e) => !first.parentElement.contains(e)).map((e) =>
      e.getBoundingClientRect()).some(({ left, right, bottom }) => bottom > 0
        && on((left + right) / 2, bottom - 4));
  return covered ? 'covers something' : 'in view';
JS

for my $name (sort keys %screen) {
  $browser->size(390, 844);
  $screens->visit($screen{$name});
  my ($text, @faint) = $layout->taken;
  keep($name, $text) if $ENV{VERIFY_RENEW_SNAPSHOTS};
  is_deeply [WidgetLayout::differences(kept($name), $text)], [], $name;
  is_deeply \@faint, [], 'with letters that can be read';
  # In a window of another size the page measures its actions a frame later.
  my %places = map { my $place = '';
    $browser->size(@$_);
    eval { $browser->wait_for('the first action', sub {
      ($place = $browser->run($FIRST_ACTION)) =~ /\A(?:in view|none)\z/ }) };
    ("@$_" => $place) } [390, 844], [360, 640], [1280, 800];
  is_deeply [grep { $places{$_} !~ /\A(?:in view|none)\z/ } sort keys %places], [],
    '... and its first action in view' or diag join ', ', %places;
}

my %known = map { path($_) => 1 } keys %screen;
my @files = glob "$folder/*.txt";
is_deeply [grep { !$known{$_} } @files], [], 'no snapshot without its screen';
my $size = 0;
$size += -s for @files;
cmp_ok $size, '<', $MOST, 'and all of them are small';

subtest 'a change is seen' => sub {
  my %changes = (
    'a button that moves' => ['.actions { translate: 6px }',
      qr/^moved: button#agree/],
    'a button of another height' => ['#agree { padding-block: 1rem }',
      qr/^moved: button#agree/],
    'another colour' => ['#agree { background: #1d4f90 }',
      qr/^gone: button#agree {2}ground #1d4f91/],
    'a colour of the dark scheme alone' => ['@media (prefers-color-scheme: dark)'
      . '{ :root { --card: #181f29 !important } }', qr/^new: main#screen.*#181f29/],
    'a text that disappears' => ['h1 { display: none }', qr/^gone: h1 /],
    'a text that cannot be read' => ['.lead { color: #aaa }',
      qr/^new: p#said-0 .*#aaaaaa on/],
    'what is larger at a desk alone' => ['@media (min-width: 60rem)'
      . '{ h1 { font-size: 2rem } }', qr/^moved: h1 .* at 1280 pixels/]);
  for my $name (sort keys %changes) {
    my ($style, $expected) = @{$changes{$name}};
    $browser->size(390, 844);
    $screens->visit($screen{consent});
    $browser->run('const sheet = new CSSStyleSheet();'
      . 'sheet.replaceSync(arguments[0]);'
      . 'document.adoptedStyleSheets.push(sheet)', $style);
    my ($text, @faint) = $layout->taken;
    my @found = WidgetLayout::differences(kept('consent'), $text);
    ok scalar(grep { $_ =~ $expected } @found), $name or diag join "\n", @found;
    ok scalar(@faint), 'and that it is faint' if $name =~ /cannot be read/;
  }
};

subtest 'the fonts of the machine move nothing' => sub {
  $browser->size(390, 844);
  $screens->visit($screen{consent});
  $browser->run('document.body.style.fontFamily = "monospace"');
  is_deeply [WidgetLayout::differences(kept('consent'), ($layout->taken)[0])], [],
    'another family';
};

done_testing;
