# Pictures that are work for the reader and hold nothing end as unreadable, each
# within the processor time of a submission: 2 seconds a side, which the reader
# keeps itself, and soon where nothing looks like a code: after 480 ms of processor
# time no further look is begun. What the last look may take is held against what
# Pillow takes to decode and scale the same picture four times, since seconds say as
# much about the machine.
use v5.32;
use warnings;
use File::Temp ();
use FindBin;
use Test::More;
use lib "$FindBin::Bin/../lib";
use Barcodes;
use Verify::Made;

my $side_seconds = 2;
my $empty_milliseconds = 480;
my $directory = File::Temp->newdir;
Verify::Made::into("$directory", 't/lib/heavy_pictures.py', '{}');
my @models = -d '.models' ? ('--models', '.models') : ();

# The processor time of the program and its child.
sub spend {
  my ($work) = @_;
  my @before = times;
  my @result = $work->();
  my @after = times;
  return $after[2] + $after[3] - $before[2] - $before[3], @result;
}

my $reference = <<'PYTHON';
import sys
from PIL import Image
for turn in range(4):
    Image.open(sys.argv[1]).convert("L").resize((1600, 1200), Image.LANCZOS)
PYTHON
sub reference_milliseconds {
  my ($name) = @_;
  my ($seconds) = spend(sub {
    system('/usr/bin/python3', '-c', $reference, "$directory/$name.jpg") == 0
      or die "Pillow: status $?\n";
  });
  return 1000 * $seconds;
}

# What it takes to start, with the models, and to read what is no picture.
open my $nothing, '>', "$directory/nothing.jpg" or die $!;
print $nothing 'nothing';
close $nothing;
my ($start) = spend(sub { Barcodes::findings(@models, '--file', "$directory/nothing.jpg") });

# The hint, or "too long".
sub read_pictures {
  my (@names) = @_;
  my ($seconds, $found) = spend(sub {
    Barcodes::findings(@models, '--file', "$directory/$names[0].jpg",
      map { ('--back', "$directory/$_.jpg") } @names[1 .. $#names]);
  });
  ok !($found && $found->{readable}), "@names: not readable";
  cmp_ok $seconds - $start, '<', $side_seconds * @names + 0.2, '... within its time';
  cmp_ok $found->{milliseconds}, '<',
    $empty_milliseconds + reference_milliseconds($names[0]),
    '... soon'
    if $found && $found->{hint} eq 'no_document_code';
  return $found ? $found->{hint} : 'too long';
}

is -s "$directory/noise.jpg" > 3_400_000, 1, 'there is much noise';
is read_pictures('noise'), 'no_document_code', '... in which there is nothing';
is read_pictures('bars'), 'too long', '... where all looks like a code';
is read_pictures('bars', 'bars'), 'too long', '... on both sides';
is read_pictures('scans'), 'too_large', '... because of its scans';
is read_pictures('usual'), 'no_document_code', '... not because of its scans';
done_testing;
