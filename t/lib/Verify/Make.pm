package Verify::Make;
# Runs make in the build directory, which tests share: one make at a time over
# all tests. Two at once would write the same objects, samples and manual pages,
# and each would take the other's unfinished files for finished.
#
#   my ($status, $said) = Verify::Make::run('install', "DESTDIR=$directory");
#   my $said = Verify::Make::alone(sub { `rpmbuild …` });    # what calls make by itself
#   my $make = Verify::Make::command();      # for a shell that will call make
use v5.32;
use warnings;
use Cwd qw(abs_path);
use Fcntl qw(:flock);
use File::Basename qw(dirname);
use File::Path qw(make_path);

my $root = abs_path(dirname(__FILE__) . '/../../..');
my $build = $ENV{VERIFY_BUILD} // 'build';
my $sanitize = $build =~ /asan/ ? 'SANITIZE=1' : '';

sub lock_file {
  my $directory = $build =~ m{\A/} ? $build : "$root/$build";
  make_path($directory);
  return "$directory/make.lock";
}

# Calls WORK while no other test runs make, without the variables of a
# surrounding make; returns its result.
sub alone {
  my ($work) = @_;
  my $path = lock_file();
  open my $lock, '>', $path or die "$path: $!\n";
  flock $lock, LOCK_EX or die "$path: $!\n";
  local %ENV = %ENV;
  delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL)};
  return $work->();
}

# Makes these goals; returns the status and output of make.
sub run {
  my @words = map { s/'/'\\''/gr } @_;
  return alone(sub {
    chomp(my $cores = `nproc`);
    my $said = `make -s -C '$root' -j$cores BUILD='$build' $sanitize @{[map { "'$_'" } @words]} 2>&1 </dev/null`;
    return ($?, $said);
  });
}

# The shell command that does the same, for use in other commands.
sub command {
  return 'flock ' . lock_file() . " make --no-print-directory BUILD=$build $sanitize";
}

1;
