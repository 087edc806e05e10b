# Pictures that are work for the reader and hold nothing end as unreadable, each
# within the processor time of a submission.
use v5.32;
use warnings;
use File::Temp ();
use FindBin;
use Test::More;
use lib "$FindBin::Bin/../lib";
use Barcodes;

# The kernel kills a child after nine seconds of it; more is the program's own
# start with its models.
my $most_seconds = 12;
my $directory = File::Temp->newdir;
system("$FindBin::Bin/../lib/heavy_pictures.py", "$directory") == 0
  or die "no pictures\n";
my @models = -d '.models' ? ('--models', '.models') : ();

# The hint, or "too long"; and the seconds of processor time.
sub read_pictures {
  my (@names) = @_;
  my @before = times;
  my ($found) = Barcodes::findings(@models, '--file', "$directory/$names[0].jpg",
    map { ('--back', "$directory/$_.jpg") } @names[1 .. $#names]);
  my @after = times;
  ok !$found->{readable}, "@names: not readable";
  cmp_ok $after[2] + $after[3] - $before[2] - $before[3], '<', $most_seconds,
    '... within its time';
  return $found ? $found->{hint} : 'too long';
}

is -s "$directory/noise.jpg" > 3_400_000, 1, 'there is much noise';
is read_pictures('noise'), 'no_document_code', '... in which there is nothing';
read_pictures('bars', 'bars');
is read_pictures('scans'), 'too_large', '... because of its scans';
is read_pictures('usual'), 'blurred', '... not because of its scans';
done_testing;
