package Bench::Documents;
# Documents read in a second and how many of them rightly, by the benchmarks of
# the two readers with a small number of generated photos.
use v5.32;
use warnings;

my $each = 3;    # photos of each kind of distortion

# Where the photos, right and wrong reads and the milliseconds in the median
# stand in the "all" line of each.
my %benchmarks = (
  barcodes => {command => ['scripts/bench-documents', '--each', $each],
    columns => {read => 0, photos => 1, wrong => 2, median_ms => 3}},
  zones => {command => ['scripts/bench-mrz', '--images', $each],
    columns => {photos => 0, read => 1, wrong => 2, median_ms => 3}},
);

sub measure {
  my %result;
  for my $name (sort keys %benchmarks) {
    my ($command, $columns) = @{$benchmarks{$name}}{qw(command columns)};
    open my $pipe, '-|', @$command or die "$command->[0]: $!\n";
    my ($line) = map { /\Aall\s+(.*)/ ? $1 : () } <$pipe>;
    close $pipe;    # its status says whether something was read wrongly
    die "$command->[0] printed no line of totals\n" unless defined $line;
    my @figures = split ' ', $line;
    $result{$name} = {map { $_ => $figures[$columns->{$_}] + 0 } keys %$columns};
    # One thread a document: what one processor reads.
    $result{$name}{rate} = 1000 / ($result{$name}{median_ms} || 1);
  }
  return \%result;
}

sub show {
  my ($result) = @_;
  print "\ndocuments, generated and distorted\n";
  for my $name (sort keys %$result) {
    printf "  %-10s %d of %d read, %d wrong, %.0f ms in the median, "
      . "%.1f a second and processor\n", $name,
      @{$result->{$name}}{qw(read photos wrong median_ms rate)};
  }
}

1;
