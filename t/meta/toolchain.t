# How a user's build meets a compiler and libraries that nobody here has seen: a
# warning ends nothing but `make check-compilers`, what a compiler cannot do is not
# asked of it, and a library that is too old is named before the first file.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

my $root = abs_path("$FindBin::Bin/../..");
chdir $root or die "$root: $!\n";
delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL WERROR)};

# A tree with one source, which has a variable too many, and all that builds it.
my $tree = tempdir(CLEANUP => 1);
for my $name (qw(Makefile apxs sql scripts conf t .models)) {
  symlink "$root/$name", "$tree/$name" or die "$name: $!\n";
}
make_path("$tree/mod_verify/core", "$tree/bin");
symlink "$root/mod_verify/api", "$tree/mod_verify/api" or die "api: $!\n";
write_file("$tree/mod_verify/core/hasty.c",
  "int idv_hasty(void);\nint idv_hasty(void)\n{\n    int unused;\n    return 0;\n}\n");

sub write_file {
  my ($path, $text, $mode) = @_;
  open my $file, '>', $path or die "$path: $!\n";
  print $file $text;
  close $file or die "$path: $!\n";
  chmod $mode, $path if $mode;
}
# The status of make in the tree, and all that it has said.
sub make {
  my $said = `make --no-print-directory -C $tree BUILD=build @_ 2>&1 </dev/null`;
  return ($?, $said);
}

my ($status, $said) = make('build/core/hasty.o');
is $status, 0, 'a warning does not end the build' or diag $said;
like $said, qr/warning: unused variable/, 'but is printed';
($status, $said) = make('build/check/gcc/mod_verify/core/hasty.c.o', 'CC=gcc', 'CXX=g++');
isnt $status, 0, 'make check-compilers ends with it';
like $said, qr/warning: unused variable/, 'and says which, though gcc had built the file before';
unlink "$tree/build/core/hasty.o";
($status, $said) = make('build/core/hasty.o', 'WERROR=-Werror');
isnt $status, 0, 'WERROR=-Werror ends the build with it';
like $said, qr/error: unused variable/, 'as an error';

# A compiler that is told of level 3 as gcc 11 is, whose C library warns.
write_file("$tree/bin/gcc-old", <<'SH', 0755);
#!/bin/sh
case "$*" in *-D_FORTIFY_SOURCE=3*) echo 'warning: level 3' >&2; exit 1 ;; esac
exec gcc "$@"
SH
for my $case (['gcc', 3], ["$tree/bin/gcc-old", 2]) {
  my ($compiler, $level) = @$case;
  (undef, $said) = make('-n', 'V=1', '-W', 'mod_verify/core/hasty.c', 'build/core/hasty.o',
    "CC=$compiler");
  is_deeply [$said =~ /-D_FORTIFY_SOURCE=(\d) .* -c -o/g], [$level],
    ($compiler =~ s{.*/}{}r) . " compiles with level $level";
}

for my $case (['zxing', '1.2.0'], ['tesseract', '4.1.1'], ['libpq', '13.9']) {
  my ($library, $version) = @$case;
  my $where = tempdir(CLEANUP => 1);
  write_file("$where/$library.pc", "Name: $library\nDescription: old\nVersion: $version\n");
  local $ENV{PKG_CONFIG_PATH} = $where;
  ($status, $said) = make('-n', 'all');
  isnt $status, 0, "$library $version is too old";
  like $said, qr/\A\S+\ \*\*\*\ This\ system\ cannot\ build\ mod_verify:\ .*\Q$library\E\ >=\ [\d.]+.*
    \Q$version\E.*README/sx, 'which is the first and only thing said';
  ($status, $said) = make('-n', 'uninstall');
  is $status, 0, 'and no reason to leave the service where it is' or diag $said;
}
done_testing;
