# Generated photos of cards through the whole of verify-analyze: decoder,
# sandbox, barcode, parser, findings. The full run is make bench-documents.
use v5.32;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use Test::More;
use lib "$FindBin::Bin/../lib";
use Barcodes;
use Picture;

my $directory = tempdir(CLEANUP => 1);
my $now = 1_790_000_000;

sub write_file {
  my ($name, $bytes) = @_;
  open my $file, '>:raw', "$directory/$name" or die "$name: $!\n";
  print $file $bytes;
  close $file;
  return "$directory/$name";
}

my @labels = Barcodes::make($directory);
my @files = map { "$directory/$_->{file}" } @labels;
my @findings = Barcodes::findings_of_files(\@files, '--now', $now);
is @findings, @labels, 'every photo has findings';
for my $i (0 .. $#labels) {
  my ($label, $found) = ($labels[$i], $findings[$i]);
  is Barcodes::verdict($label, $found), 'read', "$label->{condition} is read right"
    or next;
  is $found->{source}, 'pdf417_aamva', '... from its barcode';
  ok $found->{readers_agree}, '... by two reads that agree';
  is_deeply [map { $_->{passed} ? () : $_->{name} } @{$found->{checks}}], [],
    '... and all checks pass';
}

# A photo as two_documents.py changes it; the bytes.
sub altered {
  my ($how, $photo) = @_;
  my $file = "$directory/$how.jpg";
  system("$FindBin::Bin/../lib/two_documents.py", $how, $file, $photo) == 0
    or die "no photo\n";
  open my $bytes, '<:raw', $file or die "$file: $!\n";
  local $/;
  return <$bytes>;
}

# A symbol that is no licence's.
sub boarding_pass {
  system(qw(zint --barcode=PDF417 --scale=4 --quietzones --cols=8),
    "--output=$directory/pass.png", '--data=M1SPECIMEN/ERIKA  EABC123 VIEMUC 0001') == 0
    or die "no symbol\n";
  return altered('again', "$directory/pass.png");
}

my %pictures = (
  other_barcode => boarding_pass(),
  no_document_code => Picture::png('sharp', 800, 600),
  unsupported_image => "%PDF-1.7\nno image at all",
  too_small => Picture::png('sharp', 200, 150),
  too_dark => Picture::png('dark', 800, 600),
  blurred => altered('blurred', $files[0]),
  code_covered => altered('covered-high', $files[0]),
);
# A table on which nothing lies is neither blurred nor a reflection.
for my $kind (qw(blurred glare)) {
  my ($found) = Barcodes::findings('--now', $now, '--file',
    write_file("empty-$kind", Picture::png($kind eq 'glare' ? 'white' : $kind, 800, 600)));
  is $found->{hint}, 'no_document_code', "an empty picture is not called $kind";
}
for my $hint (sort keys %pictures) {
  my ($found) =
    Barcodes::findings('--now', $now, '--file', write_file($hint, $pictures{$hint}));
  ok !$found->{readable}, "$hint: not readable";
  is $found->{hint}, $hint, '... and the hint says why';
  is $found->{document}, undef, '... without a document';
}

my ($found) = Barcodes::findings('--now', $now, '--file',
  "$directory/no_document_code", '--back', $files[0]);
is Barcodes::verdict($labels[0], $found), 'read', 'a barcode on the back is found';
is $found->{barcode_cross_ref_match}, undef, '... with nothing to compare it with';
($found) = Barcodes::findings('--now', $now, '--file', $files[0], '--back', $files[1]);
ok !$found->{barcode_cross_ref_match}, 'two cards in one submission do not match';
ok((grep { $_->{name} eq 'barcode_cross_reference' && !$_->{passed} }
    @{$found->{checks}}), '... which is a failed check');

is system($ENV{VERIFY_BUILD} ? "$ENV{VERIFY_BUILD}/verify-analyze"
    : "$FindBin::Bin/../../build/verify-analyze", '--file', '/nonexistent'), 1 << 8,
  'a file that is not there is an error';
done_testing;
