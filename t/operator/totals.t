# What make test ends with: a line for each failed test, the totals, and a status that
# is not zero when anything failed, also a test that dies or keeps no plan.
use v5.32;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

my $root = "$FindBin::Bin/../..";
my $directory = tempdir(CLEANUP => 1);

# What is printed of the tests with these texts.
sub run {
  my @files;
  for my $text (@_) {
    push @files, "$directory/" . @files . '.t';
    open my $file, '>', $files[-1] or die "$files[-1]: $!\n";
    print $file $text;
    close $file;
  }
  return `$root/scripts/test @files 2>/dev/null </dev/null`;
}
# (status, last line)
sub totals {
  my @lines = run(@_);
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

# The lines of failed tests, without the directory.
sub failures {
  return grep { s/\Afailed: // && s/\Q$directory\E\/// } map { s/\n//r } run(@_);
}
my $fails = q{print map { "not ok $_ - name $_\n" } 1 .. 30; print "1..30\n"};
is_deeply [failures($passes, "print qq(1..1\nnot ok 1 - its name\n); exit 1")],
  ['1.t: test 1 - its name'], 'a failed test is named at the end';
# The first one waits for the last one where they run at once, five seconds at most.
my $ends_last = qq(my \$end = time + 5;
  select undef, undef, undef, 0.05 until -e '$directory/ended' || time > \$end;
  print "1..1\\nok 1\\n"; exit 3);
is_deeply [failures($ends_last, "print qq(1..2\nok 1\n)",
    qq(\$| = 1; print "1..1\\nok 1\\n"; mkdir '$directory/ended'; kill 9, \$\$))],
  ['0.t: exit status 3', '1.t: Bad plan.  You planned 2 tests but ran 1.',
    '2.t: ended by signal 9'],
  'and why a file fails whose tests passed, in the order of their start';
my @printed = run(($fails) x 5);
my @end = splice @printed, -20;
is_deeply [scalar(grep { /^failed: / } @end), $end[-2], $end[-1]],
  [19, "failed: 132 more\n", "0 passed, 150 failed, 0 skipped\n"],
  'the last twenty lines tell of several files';
done_testing;
