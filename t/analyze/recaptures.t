# Traces of recaptures and pastes through the whole of verify-analyze, on a few
# generated pictures. What the rates are is scripts/bench-recaptures's.
use v5.32;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use Test::More;
use lib "$FindBin::Bin/../lib";
use Barcodes;
use JSON::PP qw(decode_json);
use Verify::Made;

plan skip_all => 'needs .models, without which no zone is read' unless -d '.models';

my $directory = tempdir(CLEANUP => 1);

# The findings of the pictures of a kind that are read.
sub read_of {
  my ($kind, $count, $seed) = @_;
  Verify::Made::into("$directory/$kind", 't/lib/recaptures.py', '{}', $count, $seed, $kind);
  open my $manifest, '<', "$directory/$kind/manifest.jsonl" or die "manifest: $!\n";
  my @files = map { "$directory/$kind/" . decode_json($_)->{file} } <$manifest>;
  return grep { $_->{readable} }
    Barcodes::findings_of_files(\@files, '--models', '.models');
}

# [kind, pictures, seed, the trace, how many it is seen in at least]
for my $row (['genuine', 4, 5, undef], ['screen', 4, 5, 'raster', 2],
  ['halftone', 3, 4, 'raster', 2], ['portrait', 4, 5, 'paste', 2]) {
  my ($kind, $count, $seed, $trace, $least) = @$row;
  my @found = read_of($kind, $count, $seed);
  my %seen;
  for my $findings (@found) {
    for my $name (qw(raster paste)) {
      my $score = $findings->{traces}{$name};
      ok !defined $score || ($score >= 0 && $score < 1), "$kind: a share";
      $seen{$name}++ if ($score // 0) >= .5;
    }
  }
  if ($trace) {
    cmp_ok $seen{$trace} // 0, '>=', $least, "$kind: the trace of a $trace";
  }
  else {
    cmp_ok scalar @found, '>', 1, "$kind: read";
    is_deeply \%seen, {}, "$kind: no trace";
  }
}

done_testing;
