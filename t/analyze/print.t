# The print of a front, held against the code.
use v5.32;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use Test::More;
use lib "$FindBin::Bin/../lib";
use Barcodes;
use Verify::Face;
use Verify::Made;

my $models = $ENV{MODELS} // '.models';
plan skip_all => "no models in $models: run `make models`"
  unless -f "$models/mrz_classifier.bin" && -f "$models/ocrb_int.traineddata";

my $directory = tempdir(CLEANUP => 1);
my $lib = "$FindBin::Bin/../lib";
my $build = $ENV{VERIFY_BUILD} // "$FindBin::Bin/../../build";
Verify::Made::into($directory, 't/lib/mrz_images.py', '{}', 6, 7, '1');
my @pages = grep { !/td1/ } glob "$directory/*.jpg";

# What the prints of pages say about the codes of pages.
sub compare {
  my (@arguments) = @_;
  open my $lines, '-|', "$build/t/lib/print_read", @arguments or die "print_read: $!\n";
  my @rows = map { chomp; [split /\t/] } <$lines>;
  close $lines or die "print_read failed\n";
  return @rows;
}

my @pairs = compare($models, 1_790_000_000, @pages);
is scalar @pairs, @pages ** 2, 'each print is held against each code';
my @own = grep { $_->[0] eq $_->[1] } @pairs;
my @foreign = grep { $_->[0] ne $_->[1] } @pairs;
is scalar(grep { $_->[2] eq 'consistent' } @own), @pages,
  'the print of each page agrees with its code';
is scalar(grep { $_->[2] eq 'consistent' } @foreign), 0,
  'none agrees with the code of another page';
cmp_ok scalar(grep { $_->[2] eq 'contradicted' } @foreign), '>=', @foreign / 2,
  'most contradict it';
cmp_ok scalar(grep { $_->[9] eq 'contradicted' } @foreign), '>=', @foreign / 2,
  'most are of another holder; some have the same surname';
is scalar(grep { $_->[9] ne 'consistent' } @own), 0, 'and of the same as its own';

# The same within the time of a submission, and behind the sandbox.
my ($found) = Barcodes::findings('--models', $models, '--now', 1_790_000_000,
  '--file', $pages[0]);
is_deeply $found->{print},
  {surname => 'consistent', given_names => 'consistent', number => 'consistent',
    date_of_birth => 'consistent', date_of_issue => 'undetermined',
    date_of_expiry => 'consistent', holder => 'consistent'},
  'findings have a verdict for each field';
my ($without) = Barcodes::findings('--now', 1_790_000_000, '--file', $pages[0]);
is $without->{print}, undef, 'without models nobody looks at print';

# The front of a licence, whose code is on its back.
my ($licence) = Barcodes::make("$directory/licence", '--only', 'straight');
my $back = "$directory/licence/$licence->{file}";

sub front {
  my ($name, %printed) = @_;
  my $file = "$directory/$name.jpg";
  system("$lib/licence_fronts.py", $file, map { "$_=$printed{$_}" } sort keys %printed) == 0
    or die "no front\n";
  return $file;
}

sub licence_says {
  my ($front) = @_;
  my ($found) = Barcodes::findings('--models', $models, '--now', 1_790_000_000,
    '--file', $front, '--back', $back);
  return $found->{print};
}

my ($year, $month, $day) = split /-/, $licence->{date_of_birth};
my %printed = (surname => $licence->{surname}, number => $licence->{number},
  born => "$month/$day/$year");
my $agrees = licence_says(front('own', %printed));
is_deeply [@{$agrees}{qw(surname number date_of_birth)}], [('consistent') x 3],
  'the front of a licence agrees with the code on its back';
my $younger = licence_says(front('younger', %printed, born => "$month/$day/1969"));
is $younger->{date_of_birth}, $year == 1969 ? 'consistent' : 'contradicted',
  'another day of birth does not';
my $turned = licence_says(front('turned', %printed, turn => 3));
is $turned->{surname}, 'consistent', 'nor does it have to lie straight';

# The front of a licence above a barcode on the same photo.
my $portrait = "$directory/portrait.jpg";
sub holder_above {
  my ($name, $surname) = @_;
  my ($one, $both) = map { "$directory/$name-$_.jpg" } qw(front both);
  system("$lib/portrait_pages.py", 'front', $one, $portrait, $surname) == 0
    && system("$lib/two_documents.py", 'above', $both, $one, $back) == 0
    or die "no photo\n";
  my ($found) = Barcodes::findings('--models', $models, '--now', 1_790_000_000,
    '--file', $both);
  return ($found->{source} // '', $found->{portrait} ? 1 : 0, $found->{print}{holder});
}

SKIP: {
  skip face_models_missing(), 2 if face_models_missing();
  open my $out, '>:raw', $portrait or die "portrait.jpg: $!\n";
  print $out portrait_of('woman');
  close $out or die "portrait.jpg: $!\n";
  is_deeply [holder_above('same', $licence->{surname})], ['pdf417_aamva', 1, 'consistent'],
    'both sides of a licence on one photo';
  is_deeply [holder_above('another', 'ODENTHAL')], ['pdf417_aamva', 1, 'contradicted'],
    'the portrait of somebody else on the photo of a barcode';
}

done_testing;
