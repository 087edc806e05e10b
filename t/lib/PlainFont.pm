package PlainFont;

# A font in which every character is a box half as wide as it is high, made of
# nothing but code: what is set in it takes the same room on every machine.
#
#   my $bytes = PlainFont::bytes();

use v5.32;
use warnings;

my $EM = 1000;
my ($WIDTH, $HEIGHT, $ASCENT, $DESCENT) = (500, 500, 930, -240);
my $LAST = 0x10ffff;    # the last code point that there is

# Glyph 1 is the box. Of glyph 0, for what has none, nothing is drawn.
sub _box {
  my @x = (50, 0, $WIDTH - 100, 0);
  my @y = (0, $HEIGHT, 0, -$HEIGHT);
  return pack 'n5 n n C4 s>4 s>4', 1, 50, 0, $WIDTH - 50, $HEIGHT, 3, 0,
    (1) x 4, @x, @y;
}

# One group of format 13 says that all characters are glyph 1.
sub _characters {
  return pack 'n2 n2 N n2 N3 N N3', 0, 1, 3, 10, 12, 13, 0, 28, 0, 1, 0x20, $LAST, 1;
}

sub _tables {
  my $glyph = _box();
  return (
    'OS/2' => pack('n s> n3 s>10 s> C10 N4 a4 n3 s>3 n2 N2', 3, $WIDTH, 400, 5, 0,
      (0) x 10, 0, (0) x 10, (0) x 4, 'none', 0x40, 0x20, 0xffff, $ASCENT,
      $DESCENT, 0, $ASCENT, -$DESCENT, 0, 0) . pack('s>2 n3', $HEIGHT, $HEIGHT,
      0, 0x20, 1),
    cmap => _characters(),
    glyf => $glyph,
    head => pack('N4 n2 N4 s>4 n2 s>3', 0x10000, 0x10000, 0, 0x5f0f3cf5, 3, $EM,
      (0) x 4, 50, 0, $WIDTH - 50, $HEIGHT, 0, 8, 2, 1, 0),
    hhea => pack('N s>3 n s>11 n', 0x10000, $ASCENT, $DESCENT, 0, $WIDTH, 50, 50,
      $WIDTH - 50, 1, (0) x 7, 2),
    hmtx => pack('n s> n s>', $WIDTH, 0, $WIDTH, 50),
    loca => pack('N3', 0, 0, length $glyph),
    maxp => pack('N n14', 0x10000, 2, 4, 1, 0, 0, 1, (0) x 8),
    name => pack('n3', 0, 0, 6),
    post => pack('N2 s>2 N5', 0x30000, 0, -100, 50, 1, 0, 0, 0, 0));
}

sub _sum {
  my ($data) = @_;
  my $sum = 0;
  $sum = ($sum + $_) & 0xffffffff for unpack 'N*', $data . "\0" x (-length($data) % 4);
  return $sum;
}

sub bytes {
  my %tables = _tables();
  my @names = sort keys %tables;
  my $at = 12 + 16 * @names;
  my ($directory, $data) = ('', '');
  for my $name (@names) {
    $directory .= pack 'a4 N3', $name, _sum($tables{$name}), $at + length $data,
      length $tables{$name};
    $data .= $tables{$name} . "\0" x (-length($tables{$name}) % 4);
  }
  my $power = 8;
  return pack('N n4', 0x10000, scalar @names, $power * 16, 3,
    (@names - $power) * 16) . $directory . $data;
}

1;
