#!/usr/bin/env perl
# Finds and compares the faces of public pictures: those of the package that the
# second model comes out of. The figures are of these pictures alone.
use strict;
use warnings;

use JSON::PP 'decode_json';
use Test::More;

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

done_testing;
