package Barcodes;
# Photos of cards with an AAMVA barcode (specimen_barcodes.py), and what
# verify-analyze finds on them.

use v5.32;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use JSON::PP qw(decode_json);
use Verify::Made;

my $root = abs_path(dirname(__FILE__) . '/../..');

# Makes photos in a directory; returns their labels in order. Options are those
# of the script.
sub make {
  my ($directory, @options) = @_;
  Verify::Made::into($directory, "$root/t/lib/specimen_barcodes.py", '{}', @options);
  open my $manifest, '<', "$directory/manifest.jsonl" or die "manifest: $!\n";
  return map { decode_json($_) } <$manifest>;
}

# Photos of pages that lie on something (cluttered_pages.py), EACH of each ground;
# returns their labels in order.
sub make_pages {
  my ($directory, $each, $seed, @grounds) = @_;
  Verify::Made::into($directory, "$root/t/lib/cluttered_pages.py", '{}', $each, $seed,
    @grounds ? join ',', @grounds : ());
  open my $truth, '<', "$directory/truth.tsv" or die "truth.tsv: $!\n";
  return map { _label_of_page($_) } <$truth>;
}

sub _label_of_page {
  my ($line) = @_;
  chomp $line;
  my ($file, @rows) = split /[\t ]/, $line;
  my ($names) = grep { /<<[A-Z]/ } reverse @rows;
  my $dates = @rows == 3 ? $rows[1] : substr $rows[1], 13;
  my ($surname) = ($names =~ s/^[PI]<UTO//r) =~ /^(.*?)<</;
  my $number = @rows == 3 ? substr $rows[0], 5, 9 : substr $rows[1], 0, 9;
  my ($year, $month, $day) = $dates =~ /^(..)(..)(..)/;
  return {file => $file, condition => $file =~ s/_.*//r,
    number => $number =~ s/<+$//r, surname => $surname =~ s/</ /gr,
    born => "$year-$month-$day"};
}

# Runs verify-analyze with these arguments; the findings, one for each photo.
sub findings {
  my (@arguments) = @_;
  my $program = ($ENV{VERIFY_BUILD} // "$root/build") . '/verify-analyze';
  open my $output, '-|', $program, @arguments or die "$program: $!\n";
  my @findings = map { decode_json($_) } <$output>;
  close $output;
  return @findings;
}

# The findings of many photos, in batches that one process holds easily.
sub findings_of_files {
  my ($files, @arguments) = @_;
  my @findings;
  for (my $i = 0; $i < @$files; $i += 50) {
    my $last = $i + 49 < $#$files ? $i + 49 : $#$files;
    push @findings,
      findings(@arguments, map { ('--file', $_) } @$files[$i .. $last]);
  }
  return @findings;
}

# Each STEP-th scene of cut_documents.mjs, made in a directory, and whether its document
# is said to go beyond the picture's edge: {group, percent, name, is_cut}.
sub scenes_at_the_edge {
  my ($directory, $step) = @_;
  open my $made, '-|', 'node', "$root/t/lib/cut_documents.mjs", $directory, '--step', $step
    or die "node: $!\n";
  chomp(my @rows = <$made>);
  close $made or die "no scenes\n";
  my @scenes = map { my %scene; @scene{qw(file group percent ratio name)} = split /\t/; \%scene }
    @rows;
  my $program = ($ENV{VERIFY_BUILD} // "$root/build") . '/t/lib/border_read';
  open my $output, '-|', $program, map { @$_{qw(ratio file)} } @scenes
    or die "$program: $!\n";
  my %is_cut = map { my ($file, $word) = split /\t/; ($file => $word eq 'cut' || 0) } <$output>;
  close $output or die "border_read failed\n";
  $_->{is_cut} = $is_cut{$_->{file}} for @scenes;
  return @scenes;
}

# "read", "missed", or "wrong": a read that says something else than the label.
sub verdict {
  my ($label, $findings) = @_;
  return 'missed' unless $findings && $findings->{readable};
  my $document = $findings->{document};
  for my $field (qw(number surname date_of_birth)) {
    return 'wrong'
      if exists $label->{$field} && ($document->{$field} // '') ne $label->{$field};
  }
  # A zone has no century.
  return 'wrong'
    if $label->{born} && substr($document->{date_of_birth}, 2) ne $label->{born};
  return 'read';
}

1;
