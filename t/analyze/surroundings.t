# Pages that lie on what looks like text or like edges: the document is cut out
# and read by itself. A wrong read fails whatever else is read.
use v5.32;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use Test::More;
use lib "$FindBin::Bin/../lib";
use Barcodes;

my $models = $ENV{MODELS} // '.models';
plan skip_all => "no models in $models: run `make models`"
  unless -f "$models/mrz_classifier.bin" && -f "$models/ocrb_int.traineddata";

my $directory = tempdir(CLEANUP => 1);
my @labels = Barcodes::make_pages($directory, 4, 7, 'text', 'tiles');
my @findings = Barcodes::findings_of_files([map {"$directory/$_->{file}"} @labels],
  '--models', $models, '--now', 1_790_000_000);
is @findings, @labels, 'every photo has findings';
for my $i (0 .. $#labels) {
  is Barcodes::verdict($labels[$i], $findings[$i]), 'read',
    "$labels[$i]{file} is read right" or diag $findings[$i]{hint};
}
done_testing;
