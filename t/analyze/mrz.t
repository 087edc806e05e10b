#!/usr/bin/perl
# Photographs of machine-readable zones through both readers. A wrong read fails
# whatever else is read; what is known to be readable must be read.
use v5.32;
use warnings;
use File::Temp ();
use FindBin;
use Test::More;
use lib "$FindBin::Bin/../lib";
use Barcodes;
use Verify::Made;

my $build = $ENV{VERIFY_BUILD} // 'build';
my $models = $ENV{MODELS} // '.models';
my $vectors = $ENV{IDV_VECTORS} // "../shared/vectors";
$vectors .= "/mrz-images";

plan skip_all => "no models in $models: run `make models`"
  unless -f "$models/mrz_classifier.bin" && -f "$models/ocrb_int.traineddata";

# file => [outcome, lines]
sub read_images {
  my (@files) = @_;
  my %read;
  open my $reads, '-|', "$build/t/lib/mrz_read", $models, @files
    or die "mrz_read: $!\n";
  while (<$reads>) {
    chomp;
    my ($path, $outcome, $lines) = split /\t/;
    $read{$path =~ s{.*/}{}r} = [$outcome, $lines];
  }
  ok close($reads), 'mrz_read ends well';
  return %read;
}

subtest 'made photographs' => sub {
  my $directory = File::Temp->newdir;
  Verify::Made::into("$directory", 't/lib/mrz_images.py', '{}', 3, 1, '0123456');
  open my $truth, '<', "$directory/truth.tsv" or die "truth.tsv: $!\n";
  my %truth = map { chomp; split /\t/, $_, 2 } <$truth>;
  my %read = read_images(map {"$directory/$_"} sort keys %truth);
  for my $file (sort keys %truth) {
    my ($outcome, $lines) = @{ $read{$file} };
    if ($file =~ /^5/) {
      is $outcome, 'no_document_code', "$file: there is no zone";
    } elsif ($file =~ /^6/) {
      is $outcome, 'checks_wrong', "$file: a check digit is wrong";
      is $lines, $truth{$file}, '... on what is printed';
    } else {
      is $outcome, 'read', "$file is read";
      is $lines, $truth{$file}, "$file is read right" if $outcome eq 'read';
    }
  }
};

# Specimen documents of many states. In place of lines: the check digits printed on
# the specimen are wrong, or it has too few pixels, and must not be read. By which of
# the two it is refused lies with single cells, in which versions of Tesseract may
# differ.
my %specimens = (
  '0_id-esp.png' => 'refused',
  '24_pass-egy.jpg' => 'refused',
  '33_id-usa.jpg' => 'refused',
  '77_card-cmw.png' => 'refused',
  '100_id-mac.jpg' => 'I<MAC12281507<0<<<<<<<<0212300'
    . ' 6106225M1212307<<<<<<<<<<<<<<6 CHONG<<KA<KEONG<<<<<<<<<<<<<<<',
  '100_id-usa.jpg' => 'IAUSA0000000033LIN1044750079<<'
    . ' 5808175F1004027COD<<<<<<<<<<<7 SPECIMEN<<TEST<VOID<<<<<<<<<<<',
  '100_pass-cze.jpg' => 'P<CZESPECIMEN<<VZOR<<<<<<<<<<<<<<<<<<<<<<<<<'
    . ' 99003853<1CZE1101018M1207046110101111<<<<<94',
  '100_pass-hrv.jpg' => 'P<HRVSPECIMEN<<SPECIMEN<<<<<<<<<<<<<<<<<<<<<'
    . ' 0070070071HRV8212258F1407019<<<<<<<<<<<<<<06',
  '100_pass-lux.jpg' => 'P<LUXMAUS<<KETTY<<<<<<<<<<<<<<<<<<<<<<<<<<<<'
    . ' S998527<<4LUX7806201F110808403060021041<<<96',
  '100_pass2-uto.jpg' => 'I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<'
    . ' D231458907UTO7408122F1204159<<<<<<<6',
  '53_id-d.jpg' => 'IDD<<T220001293<<<<<<<<<<<<<<<'
    . ' 6408125<2010315D<<<<<<<<<<<<<4 MUSTERMANN<<ERIKA<<<<<<<<<<<<<',
  '98_pass-nld.jpg' => 'P<NLDMEULENDIJK<<LOES<ALBERTINE<<<<<<<<<<<<<'
    . ' XA00000148NLD7110195F0604121123456782<<<<<02',
);

# Pictures of public reports: source, number, surname, given names, birth, sex. The
# first shows the zone of one person below the print of another.
my %reported = (
  'm1-fra.jpg' => ['mrz_id_fra', '180675001234', 'SPECIMENNE', 'ALIX MARIE', '1990-07-15',
    'F', 'contradicted'],
  'm2-ind.jpg' => ['mrz_td3', 'K2578285', undef, 'ALEXISQUINN', '1988-09-11', 'F',
    'consistent'],
  'M9-MEX-INE-H-back.jpg' => ['mrz_td1', '123456789', 'GOMEZ SAMPLE', 'MARGARITA',
    '1980-01-01', 'M', 'undetermined'],
);
my $cases = '../shared/cases/documents';
SKIP: {
  skip "no pictures of reports in $cases", 1 unless -d $cases;
  my @files = sort keys %reported;
  my @found = Barcodes::findings('--models', $models, '--now', 1_790_000_000,
    map { ('--file', "$cases/$_") } @files);
  for my $i (0 .. $#files) {
    my ($document, $print) = @{$found[$i]}{qw(document print)};
    is_deeply [$found[$i]{source}, @{$document // {}}{qw(number surname given_names
      date_of_birth sex)}, $print->{holder}], $reported{$files[$i]}, "$files[$i] is read";
  }
}

SKIP: {
  skip "no specimen images in $vectors", 1 unless -d $vectors;
  subtest 'specimens of states' => sub {
    my %read = read_images(map {"$vectors/$_"} sort keys %specimens);
    for my $file (sort keys %specimens) {
      my ($outcome, $lines) = @{ $read{$file} };
      if ($specimens{$file} =~ /</) {
        is $lines, $specimens{$file}, "$file is read right";
        is $outcome, 'read', '... and believed';
      } else {
        like $outcome, qr/\A(?:checks_wrong|readers_disagree)\z/,
          "$file is not believed";
      }
    }
  };

  # As a photo comes in: decoded, made gray and read by the program itself.
  subtest 'specimens of states from the file on' => sub {
    my @files = grep { $specimens{$_} =~ /</ } sort keys %specimens;
    my @found = Barcodes::findings('--models', $models, '--now', 1_200_000_000,
      map { ('--file', "$vectors/$_") } @files);
    for my $i (0 .. $#files) {
      my $number = $found[$i]{document}{number} // 'nothing';
      ok index($specimens{$files[$i]} =~ s/<//gr, $number) >= 0,
        "$files[$i] is read"
        or diag $found[$i]{hint} // $number;
    }
  };
}

done_testing;
