# What make test ends with: the totals, and a status that is not zero when
# anything failed, also a test that dies or keeps no plan.
use v5.32;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

my $root = "$FindBin::Bin/../..";
my $directory = tempdir(CLEANUP => 1);

# (status, last line) of the tests with these texts.
sub totals {
  my @files;
  for my $text (@_) {
    push @files, "$directory/" . @files . '.t';
    open my $file, '>', $files[-1] or die "$files[-1]: $!\n";
    print $file $text;
    close $file;
  }
  my @lines = `$root/scripts/test @files 2>/dev/null </dev/null`;
  my $status = $?;
  chomp(my $last = $lines[-1] // '');
  return ($status ? 'failure' : 'success', $last);
}

my $passes = "print qq(1..2\\nok 1\\nok 2 # SKIP no time\\n);";
is_deeply [totals($passes)], ['success', '1 passed, 0 failed, 1 skipped'],
  'all is well';
is_deeply [totals($passes, "print qq(1..1\\nnot ok 1\\n);")],
  ['failure', '1 passed, 1 failed, 1 skipped'], 'one fails';
is_deeply [totals($passes, "print qq(1..1\\nok 1\\n); exit 3;")],
  ['failure', '2 passed, 1 failed, 1 skipped'], 'one dies after its last line';
is_deeply [totals($passes, "print qq(1..2\\nok 1\\n);")],
  ['failure', '2 passed, 1 failed, 1 skipped'], 'one ends too early';
is_deeply [totals("print qq(1..0 # SKIP nothing\\n);")],
  ['failure', '0 passed, 0 failed, 1 skipped'], 'nothing was tested';
done_testing;
