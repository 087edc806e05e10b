package WidgetLayout;

# What a screen looks like as a file that persons can read and tests can compare: one
# line for each thing that is seen, with its colours in the light and in the dark
# scheme, and its box (left, top, width x height) on a phone, on a phone that lies on
# its side, and at a desk. All texts are set in PlainFont, so that the fonts of a
# machine move nothing; what differs by less than TOLERANCE pixels is the same.
#
#   my $layout = WidgetLayout->new($browser);    # before the first page
#   my $layout = WidgetLayout->new($browser, [[390, 844], [1920, 1080]]);
#   my ($text, @faint) = $layout->taken;
#   my @differences = WidgetLayout::differences($expected, $text);

use v5.32;
use warnings;
use File::Basename qw(dirname);
use MIME::Base64 qw(encode_base64);
use PlainFont;

my $TOLERANCE = 2;
my @SIZES = ([390, 844], [844, 390], [1280, 800]); # unless others are given
my %STILL = ('prefers-reduced-motion' => 'reduce');

# A style sheet and a font that are made by a script are none of those that the
# page's policy speaks of.
my $FONT = <<'JS';
{
  const face = new FontFace('Plain', Uint8Array.from(atob('%s'), (c) =>
    c.charCodeAt(0)));
  document.fonts.add(face);
  face.load();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { font-family: Plain !important;'
    + ' font-synthesis: none !important; }');
  document.adoptedStyleSheets.push(sheet);
  window.isPlain = () => face.status === 'loaded';
}
JS

sub new {
  my ($class, $browser, $sizes) = @_;
  @SIZES = @$sizes if $sizes;
  open my $file, '<:encoding(UTF-8)', dirname(__FILE__) . '/layout.js'
    or die "layout.js: $!\n";
  local $/;
  my $script = readline($file) . "\nreturn layout();";
  $browser->chromium('Page.addScriptToEvaluateOnNewDocument', source =>
    sprintf $FONT, encode_base64(PlainFont::bytes(), ''));
  $browser->chromium('Emulation.setTimezoneOverride', timezoneId => 'UTC');
  return bless {browser => $browser, script => $script}, $class;
}

# The screen that the browser shows: its text, and what can hardly be read on it.
sub taken {
  my ($self) = @_;
  my $browser = $self->{browser};
  $browser->wait_for('the font', sub { $browser->run('return isPlain()') });
  # What led here has left the pointer on something, perhaps.
  $browser->chromium('Input.dispatchMouseEvent', type => 'mouseMoved', x => 0,
    y => 0);
  my (%boxes, @order, @faint);
  for my $place (0 .. $#SIZES) {
    my ($light, $dark) = map { $self->_seen($SIZES[$place], $_) } qw(light dark);
    push @faint, map { @{$_->{faint}} } $light, $dark;
    my %count;
    for my $item (_both($light->{items}, $dark->{items})) {
      my ($line, $box) = @$item;
      my $key = join "\0", $line, $count{$line}++;
      push @order, $key if !$boxes{$key};
      $boxes{$key}[$place] = $box;
    }
  }
  $browser->size(@{$SIZES[0]});
  return (join('', map { my $key = $_; ($key =~ s/\0.*//r) . "\n  "
    . join(' | ', map { $boxes{$key}[$_] // '-' } 0 .. $#SIZES) . "\n" } @order),
    @faint);
}

sub _seen {
  my ($self, $size, $scheme) = @_;
  my $browser = $self->{browser};
  $browser->size(@$size);
  $browser->media(%STILL, 'prefers-color-scheme' => $scheme);
  # What a script does about the size is done in the next frames.
  $browser->run_async('const [done] = arguments; scrollTo(0, 0);'
    . 'requestAnimationFrame(() => requestAnimationFrame(() => done()))');
  return $browser->run($self->{script});
}

# Of both schemes, which have to have the same things in the same places: [line, box].
sub _both {
  my ($light, $dark) = @_;
  return map {
    my ($l, $d) = ($light->[$_], $dark->[$_]);
    my ($what, $colours) = @$l{qw(what colours)};
    $what .= ' (not in the dark)' if !$d || $d->{what} ne $what
      || "@{$d->{box}}" ne "@{$l->{box}}";
    $colours .= " / $d->{colours}" if $d && $d->{colours} ne $colours;
    [$what . ($colours && "  $colours"), sprintf '%d,%d %dx%d', @{$l->{box}}];
  } 0 .. $#$light;
}

sub _read {
  my ($text) = @_;
  my (%boxes, %count);
  while ($text =~ /^(\S.*)\n  (.*)$/mg) {
    my ($line, $all) = ($1, $2);
    $boxes{$line . ($count{$line}++ ? " ($count{$line})" : '')} = [split / \| /, $all];
  }
  return \%boxes;
}

# What is not as it was, a line each.
sub differences {
  my ($expected, $taken) = map { _read($_) } @_;
  my @found = map { "gone: $_" } grep { !$taken->{$_} } sort keys %$expected;
  push @found, map { "new: $_" } grep { !$expected->{$_} } sort keys %$taken;
  for my $line (grep { $expected->{$_} } sort keys %$taken) {
    for my $place (0 .. $#SIZES) {
      my ($was, $is) = map { $_->{$line}[$place] } $expected, $taken;
      push @found, "moved: $line: $was to $is at $SIZES[$place][0] pixels"
        if !_is_near($was, $is);
    }
  }
  return @found;
}

sub _is_near {
  my ($was, $is) = @_;
  return $was eq $is if $was eq '-' || $is eq '-';
  my @was = $was =~ /-?\d+/g;
  my @is = $is =~ /-?\d+/g;
  return !grep { abs($was[$_] - $is[$_]) > $TOLERANCE } 0 .. 3;
}

1;
