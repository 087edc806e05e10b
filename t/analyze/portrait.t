# Whether a submission shows the portrait of a holder, where a document has one.
use v5.32;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use Test::More;
use lib "$FindBin::Bin/../lib";
use Barcodes;
use Verify::Face;
use Verify::Made;

plan skip_all => $_ for face_models_missing() // ();

my $models = $ENV{MODELS} // '.models';
my $directory = tempdir(CLEANUP => 1);
my $lib = "$FindBin::Bin/../lib";

sub find {
  my ($front, $back) = @_;
  my ($found) = Barcodes::findings('--models', $models, '--now', 1_790_000_000,
    '--file', $front, $back ? ('--back', $back) : ());
  return $found;
}

sub make_picture {
  my ($how, $name, @arguments) = @_;
  system("$lib/portrait_pages.py", $how, "$directory/$name.jpg", @arguments) == 0
    or die "no picture\n";
  return "$directory/$name.jpg";
}

my $portrait = "$directory/portrait.jpg";
open my $out, '>:raw', $portrait or die $!;
print $out portrait_of('woman');
close $out or die $!;
Verify::Made::into("$directory/pages", 't/lib/mrz_images.py', '{}', 2, 5, '0');
my $passport = "$directory/pages/0_td3_000.jpg";
my ($licence) = Barcodes::make("$directory/licence", '--only', 'straight');
my $back = "$directory/licence/$licence->{file}";

# Photographs, and whether there is a portrait where portraits are.
my @submissions = (
  ['a page without', 0, $passport],
  ['a page', 1, make_picture('page', 'upright', $passport, $portrait)],
  ['a page on its side', 1, make_picture('page', 'side', $passport, $portrait, 90)],
  ['a page on its head', 1, make_picture('page', 'head', $passport, $portrait, 180)],
  ['a page askew', 1, make_picture('page', 'askew', $passport, $portrait, -20)],
  ['a face below the zone', 0, make_picture('below', 'below', $passport, $portrait)],
  ['the back of a licence', 0, $back],
  ['both of its sides', 1, make_picture('front', 'front', $portrait), $back],
  ['a selfie with it', 0, make_picture('selfie', 'selfie', $portrait), $back],
);
for my $submission (@submissions) {
  my ($name, $has_portrait, @pictures) = @$submission;
  my $found = find(@pictures);
  ok $found->{readable}, "$name is read";
  is $found->{portrait} ? 1 : 0, $has_portrait,
    $has_portrait ? '... and shows a portrait' : '... and shows none';
  is $found->{sides}, scalar @pictures, '... on so many pictures';
}

my ($found) = Barcodes::findings('--now', 1_790_000_000, '--file', $back);
is $found->{portrait}, undef, 'without models none is looked for';
done_testing;
