# Every C and C++ file without a warning by gcc and by clang.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use Verify::Make;

chdir abs_path("$FindBin::Bin/../..") or die "no root: $!\n";
for my $compiler (qw(gcc g++ clang clang++)) {
  plan skip_all => "$compiler is not installed"
    unless grep { -x "$_/$compiler" } split /:/, $ENV{PATH};
}
my ($status, $output) = Verify::Make::run('-k', 'check-compilers');
is $status, 0, 'no warning' or diag $output;
like $output, qr/^[1-9][0-9]{2,} files, gcc and clang$/m, 'every file';
# clang reads one file after the other: what a header says would go on in all.
is `grep -rlE --include='*.h' '^ *# *pragma +(GCC|clang) +diagnostic' mod_verify t`, '',
  'no header changes what is warned of';
done_testing;
