#!/usr/bin/env perl
# Finds and compares the faces of public pictures: those of the package that the
# second model comes out of. The figures are of these pictures alone.
use strict;
use warnings;

use File::Temp ();
use FindBin;
use JSON::PP 'decode_json';
use lib "$FindBin::Bin/../lib";
use Test::More;
use Verify::Face;

my $build  = $ENV{VERIFY_BUILD} // 'build';
my $models = $ENV{MODELS}       // '.models';
my @pictures = map { "$models/samples/sample$_.jpg" } 1 .. 6;

plan skip_all => "no models of faces in $models: run `make models`"
  unless -f "$models/mobile_face_net.tflite" && -f $pictures[5];

sub lines_of {
  open my $output, '-|', "$build/t/lib/face_read", $models, @_ or die $!;
  my @lines = <$output>;
  close $output or die "face_read: $? $!";
  return @lines;
}

# All faces that look into the camera are found, once each.
my %count;
for (lines_of('find', @pictures)) {
  my $face = decode_json($_);
  my ($number) = $face->{file} =~ /(\d)\.jpg$/;
  $count{$number}++;
  cmp_ok $face->{eyes}, '>', 45, "sample $number: eyes are far enough apart";
}
is_deeply \%count, { 1 => 3, 2 => 1, 3 => 2, 4 => 2, 5 => 3, 6 => 4 },
  'every face is found once';

# One woman stands in two of the pictures, and another in two: both models put
# the first pair before all others, the first model both.
my (%first, %second);
for (lines_of('compare', @pictures)) {
  my ($one, $other, $by_first, $by_second) = split;
  s/.*sample// for $one, $other;
  ($first{"$one $other"}, $second{"$one $other"}) = ($by_first, $by_second);
}
my @order = sort { $first{$b} <=> $first{$a} } keys %first;
is_deeply [ sort @order[ 0, 1 ] ], [ '1.jpg#1 4.jpg#1', '1.jpg#2 3.jpg#0' ],
  'the same persons come first';
cmp_ok $first{ $order[1] }, '>=', 0.45, 'and are accepted';
cmp_ok $first{ $order[2] }, '<',  0.45, 'nobody else is';
my ($best) = sort { $second{$b} <=> $second{$a} } keys %second;
is $best, '1.jpg#2 3.jpg#0', 'the second model is surest of the same pair';

# Portraits that issuers have signed may be JPEG 2000: files, and codestreams as
# many chips have them. A photo of a person's own is none.
my $directory = File::Temp->newdir;
my $still = person_before_camera('woman')->{still};
sub put_file {
  my ($name, $bytes) = @_;
  open my $file, '>:raw', "$directory/$name" or die $!;
  print {$file} $bytes;
  close $file or die $!;
  return "$directory/$name";
}
sub reference {
  my ($part, $file) = @_;
  open my $output, '-|', "$build/verify-analyze", '--models', $models, '--method',
    'selfie_match', '--part', 'still=' . put_file('still.jpg', $still), '--part',
    "$part=$file" or die $!;
  my $findings = decode_json(do { local $/; <$output> });
  close $output or die "verify-analyze: $?";
  return $findings->{reference};
}
sub chip_with {
  my ($picture) = @_;
  open my $output, '-|', '/usr/bin/python3', '-c', 'import base64, json, sys; '
    . 'sys.path.insert(0, "t/lib"); import passport_chip; '
    . 'file = passport_chip.portrait_file(open(sys.argv[1], "rb").read()); '
    . 'print(json.dumps({"DG2": base64.b64encode(file).decode()}))', $picture or die $!;
  my $dump = do { local $/; <$output> };
  close $output or die "passport_chip: $?";
  return put_file('dump.json', $dump);
}
my %portrait = map { $_ => put_file("portrait.$_", portrait_of('same_woman', $_)) }
  qw(jpg jp2 j2k);
# In thousandths of a cosine.
my $jpeg = reference(mdoc_portrait => $portrait{jpg});
cmp_ok $jpeg->{first}, '>=', 450, 'the portrait in JPEG is of the same person';
for my $suffix (qw(jp2 j2k)) {
  my %found = ('a chip' => reference(chip => chip_with($portrait{$suffix})),
    'a mobile document' => reference(mdoc_portrait => $portrait{$suffix}));
  for my $where (sort keys %found) {
    my $found = $found{$where};
    is $found->{faces}, 1, "$suffix of $where: a face";
    cmp_ok abs($found->{$_} - $jpeg->{$_}), '<', 50, "... as like ($_) as in JPEG"
      for qw(first second);
  }
}
my $other = reference(mdoc_portrait => put_file('man.jp2', portrait_of('man', 'jp2')));
cmp_ok $other->{first}, '<', 450, 'somebody else is not like her';
is reference(front => $portrait{jp2})->{faces}, 0, 'no photo of a document';

done_testing;
