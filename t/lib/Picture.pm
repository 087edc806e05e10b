package Picture;

# Pictures for tests, made of nothing but code: what looks to the widget like
# a sharp print, a blurred one, one with a reflection. They show no document.
# Each takes a second or two, so it is made once (Verify::Made):
#
#   t/lib/Picture.pm KIND WIDTH HEIGHT DIRECTORY    makes DIRECTORY/picture.png

use v5.32;
use warnings;
use Compress::Zlib qw(compress crc32);
use File::Temp ();

my %PAINTERS = (sharp => \&_print, blurred => \&_gradient, glare => \&_glare,
  dark => sub { "\x10" }, white => sub { "\xfc" });

sub _chunk {
  my ($type, $data) = @_;
  return pack('N', length $data) . "$type$data"
    . pack('N', crc32("$type$data"));
}

# Lines of black and white pieces on grey, as print on a card.
sub _print {
  my ($x, $y, $width, $height) = @_;
  return "\xb4" if $x < $width / 10 || $x > $width * .9
    || $y < $height / 10 || $y > $height * .9 || int($y / 12) % 2;
  return (($x >> 2) * 2654435761 + ($y / 24) * 40503) >> 7 & 1
    ? "\x18" : "\xdc";
}

sub _gradient {
  my ($x, $y, $width, $height) = @_;
  return chr int 90 + 100 * ($x / $width + $y / $height) / 2;
}

sub _glare {
  my ($x, $y, $width, $height) = @_;
  my $distance = (($x - $width / 2) / $width) ** 2
    + (($y - $height / 2) / $height) ** 2;
  return $distance < .02 ? "\xff" : _print(@_);
}

# A grey PNG of this size; the bytes.
sub png {
  my ($kind, $width, $height) = @_;
  require Verify::Made;
  my $kept = Verify::Made::kept({also => [Verify::Made::bytes_of(__FILE__)]},
    $^X, __FILE__, $kind, $width, $height, '{}');
  return Verify::Made::bytes_of("$kept/picture.png");
}

sub _make {
  my ($kind, $width, $height) = @_;
  my $paint = $PAINTERS{$kind};
  my $rows = '';
  for my $y (0 .. $height - 1) {
    $rows .= "\0" . join '',
      map { $paint->($_, $y, $width, $height) } 0 .. $width - 1;
  }
  return "\x89PNG\r\n\x1a\n"
    . _chunk(IHDR => pack 'NNCCCCC', $width, $height, 8, 0, 0, 0, 0)
    . _chunk(IDAT => compress($rows)) . _chunk(IEND => '');
}

# BYTES in a file that lives as long as the returned object.
sub file {
  my ($bytes, $suffix) = @_;
  my $file = File::Temp->new(SUFFIX => ".$suffix");
  binmode $file;
  print $file $bytes;
  close $file or die $!;
  return $file;
}

sub _write {
  my ($kind, $width, $height, $directory) = @_;
  open my $file, '>:raw', "$directory/picture.png" or die "$directory: $!\n";
  print $file _make($kind, $width, $height);
  close $file or die "$directory: $!\n";
}
_write(@ARGV) if !caller;

1;
