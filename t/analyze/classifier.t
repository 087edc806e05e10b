# The classifier of MRZ glyphs is a file of the source: its checksum, its format, and
# how many unseen cells it names rightly. Training takes minutes, so that `make check`
# does it, not `make test`: VERIFY_TRAINED names a freshly trained file, which must be
# as good as that of the source.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use Digest::SHA ();
use FindBin;
use Test::More;

chdir abs_path("$FindBin::Bin/../..") or die "no root: $!\n";
my $build = $ENV{VERIFY_BUILD} // 'build';
my $program = "$build/analyze/document/training/mrz_classifier";
my $classifier = 'mod_verify/analyze/document/mrz_classifier.bin';

sub read_file {
  open my $file, '<:raw', $_[0] or die "$_[0]: $!\n";
  local $/;
  return scalar <$file>;
}
sub sha256_of { return Digest::SHA::sha256_hex(read_file($_[0])) }
my $bytes = read_file($classifier);
is read_file($classifier =~ s/bin\z/sha256/r),
  sha256_of($classifier) . "  mrz_classifier.bin\n", 'it has its checksum';
like $bytes, qr/\AIDV-MRZ-NETWORK-2\n/, 'and the format of this version';
cmp_ok length $bytes, '<', 100_000, 'a byte a weight';
my $models = $ENV{MODELS} // '.models';
SKIP: {
  skip "no models in $models: run `make models`", 1 unless -d $models;
  is sha256_of("$models/mrz_classifier.bin"), sha256_of($classifier),
    "make models has put it into $models";
}

# The cells are drawn by the FreeType of this machine, so that another one has others.
use constant {LEAST_ACCURACY => 93.2, LARGEST_DIFFERENCE => 0.5};
sub accuracy {
  my ($file) = @_;
  my $said = `$program --measure $file 2>&1`;
  return $said =~ /^([0-9.]+) % of unseen, distorted cells/ ? $1
    : die "$program --measure $file: $said\n";
}
SKIP: {
  skip 'no fonts to draw cells with: fonts-ocr-b', 2
    unless -d '/usr/share/fonts/opentype/ocr-b';
  my $accuracy = accuracy($classifier);
  cmp_ok $accuracy, '>=', LEAST_ACCURACY, "it names $accuracy % of unseen cells rightly";
  skip 'nothing freshly trained: `make check` trains', 1 unless $ENV{VERIFY_TRAINED};
  my $trained = accuracy($ENV{VERIFY_TRAINED});
  cmp_ok abs($trained - $accuracy), '<=', LARGEST_DIFFERENCE,
    "training again gives the same accuracy: $trained %";
}
done_testing;
