# Two photos of one submission: each is read to the end, whatever the other one
# shows, so that the documents of two persons are never taken for one.
use v5.32;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use Test::More;
use lib "$FindBin::Bin/../lib";
use Barcodes;
use Verify::Made;

my $models = $ENV{MODELS} // '.models';
plan skip_all => "no models in $models: run `make models`"
  unless -f "$models/mrz_classifier.bin" && -f "$models/ocrb_int.traineddata";

my $directory = tempdir(CLEANUP => 1);
my $lib = "$FindBin::Bin/../lib";

sub find {
  my ($front, $back) = @_;
  my ($found) = Barcodes::findings('--models', $models, '--now', 1_790_000_000,
    '--file', $front, $back ? ('--back', $back) : ());
  return $found;
}

sub make_photo {
  my ($how, @photos) = @_;
  my $file = "$directory/$how-" . join('-', map {s{.*/}{}r} @photos) . '.jpg';
  system("$lib/two_documents.py", $how, $file, @photos) == 0 or die "no photo\n";
  return $file;
}

my @licences = Barcodes::make("$directory/licences");
Verify::Made::into("$directory/zones", 't/lib/mrz_images.py', '{}', 3, 5, '12');
my @zones = glob "$directory/zones/*.jpg";

subtest 'the document of one person in front, that of another on the back' => sub {
  for my $i (0 .. $#licences) {
    my $licence = "$directory/licences/$licences[$i]{file}";
    my @sides = ($zones[$i % @zones], $licence);
    my $found = find($i % 2 ? reverse @sides : @sides);
    is $found->{barcode_cross_ref_match}, JSON::PP::false,
      "$licences[$i]{condition} and " . $sides[0] =~ s{.*/}{}r . ' differ';
  }
};

subtest 'two documents on one photo' => sub {
  for my $pair ([$zones[0], $zones[2]], [$zones[1], "$directory/licences/turned-000.jpg"],
    ["$directory/licences/straight-000.jpg", "$directory/licences/small-000.jpg"],
    ["$directory/licences/turned-000.jpg", "$directory/licences/tilted-000.jpg"])
  {
    my $name = join ' and ', map {s{.*/}{}r} @$pair;
    my $found = find(make_photo('beside', @$pair));
    ok !$found->{readable}, "$name: which one is it?";
    is $found->{hint}, 'another_code', '... and the hint says so';
  }
};

subtest 'one picture as both sides' => sub {
  for my $photo ($zones[0], "$directory/licences/turned-000.jpg") {
    my $name = $photo =~ s{.*/}{}r;
    is find($photo, $photo)->{hint}, 'same_picture', "$name twice";
    is find($photo, make_photo('again', $photo))->{hint}, 'same_picture',
      "$name in two files";
    my $found = find($photo, make_photo('shaken', $photo));
    ok $found->{readable}, "$name photographed twice is two pictures";
    is $found->{confirmed_by}, undef, '... of which none confirms the other';
  }
};

subtest 'a zone that is seen from too far' => sub {
  is find(make_photo('far', $zones[2]))->{hint}, 'come_closer', 'the person comes closer';
};

# Driving licences have zones without a date of birth: one row of 30, or, in
# Switzerland, rows of 9, 30 and 30 without check digits.
my %kinds = (
  swiss => ['AAA001D<<', 'FACHE305142128097<<800126<<<<<', 'SPECIMEN<<ERIKA<<<<<<<<<<<<<<<'],
  french => ['D1FRA13AA000026181231MARTIN<<9'],
  dutch => ['D1NLD15094962111659VW87Z78NB84'],
  wrong => ['D1FRA13AA000026181231MARTIN<<8'],
);

sub make_lines {
  my ($kind, @rows) = @_;
  my $file = "$directory/$kind.jpg";
  system('/usr/bin/python3', '-c', 'import sys; sys.path.insert(0, sys.argv[1]); '
    . 'import forgeries; forgeries.lines_on_grey(sys.argv[3:]).save(sys.argv[2], quality=95)',
    $lib, $file, map { $_ . (' ' x (30 - length)) } @rows) == 0 or die "no picture\n";
  return $file;
}

subtest 'a kind of document that is not read' => sub {
  my %file = map { $_ => make_lines($_, @{$kinds{$_}}) } sort keys %kinds;
  for my $kind (qw(swiss french dutch)) {
    my $found = find($file{$kind});
    ok !$found->{readable}, "nothing is read of a $kind licence";
    is $found->{hint}, 'unsupported_document', '... which the hint says';
    is find($file{$kind}, make_lines("$kind-back", 'NOTHING'))->{hint},
      'unsupported_document', '... whichever side has the zone';
  }
  my $found = find($file{wrong});
  ok !$found->{readable}, 'a wrong check digit is one that was misread';
  isnt $found->{hint}, 'unsupported_document', '... so another photo is asked for';
};

subtest 'a zone that is not whole' => sub {
  is find(make_photo('cut', $zones[1]))->{hint}, 'cut_off', 'goes on beyond the edge';
  is find(make_photo('covered-low', $zones[1]))->{hint}, 'code_covered',
    'or goes on below a finger';
};

subtest 'a document that is not whole, with a code that is' => sub {
  my $straight = "$directory/licences/straight-000.jpg";
  my ($beyond, $close) = map { make_photo($_, $straight) } qw(beyond close);
  my $found = find($beyond);
  ok $found->{readable}, 'is read';
  is_deeply [@$found{qw(cut side)}], [JSON::PP::true, 'front'], '... and said to be cut';
  $found = find($zones[0], $beyond);
  is_deeply [@$found{qw(cut side)}], [JSON::PP::true, 'back'], '... on that side';
  $found = find($beyond, make_photo('beyond-2', $straight));
  is_deeply [@$found{qw(cut side)}], [JSON::PP::true, undef], '... on both';
  for my $turns (1 .. 3) {
    $found = find(make_photo("beyond-$turns", $straight));
    is_deeply [@$found{qw(readable cut)}], [(JSON::PP::true) x 2], "... turned $turns times";
  }
  $found = find($close);
  ok $found->{readable}, 'one close to the edge is read';
  is_deeply [@$found{qw(cut side)}], [JSON::PP::false, undef], '... and is whole';
  $found = find("$directory/licences/blurred-000.jpg", make_photo('blurred', $straight));
  is $found->{side}, $found->{hint} ? 'back' : undef, 'a hint names its picture';
};

done_testing;
