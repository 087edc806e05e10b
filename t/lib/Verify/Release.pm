package Verify::Release;
# An older release, built from the history of the repository: a checkout of its
# commit below the build directory, made once, with its module, tools and reader.
#
#   my $tree = Verify::Release::tree($commit) // skip Verify::Release::reason()
use v5.32;
use warnings;
use Cwd qw(abs_path);
use Fcntl qw(:flock);
use File::Basename qw(dirname);
use File::Path qw(make_path remove_tree);

my $root = abs_path(dirname(__FILE__) . '/../../..');
my $reason;
sub reason { $reason }

sub refuse {
  $reason = $_[0];
  return;
}

sub is_known {
  my ($commit) = @_;
  return system("git -C '$root' cat-file -e '$commit^{commit}' 2>/dev/null") == 0;
}

sub tree {
  my ($commit) = @_;
  my $build = $ENV{VERIFY_BUILD} // 'build';
  return refuse('an older release is built without the sanitizers')
    if $build =~ /asan|tsan/;
  $build = "$root/$build" unless $build =~ m{^/};
  is_known($commit) or return refuse("the history of the repository lacks the release, $commit");
  my $tree = "$build/t/releases/$commit";
  make_path(dirname($tree));
  open my $lock, '>', "$tree.lock" or die "$tree.lock: $!\n";
  flock $lock, LOCK_EX or die "$tree.lock: $!\n";
  return $tree if -e "$tree/build/complete";
  remove_tree($tree);
  make_path($tree);
  system("git -C '$root' archive '$commit' | tar -C '$tree' -xf -") == 0
    or die "no checkout of $commit\n";
  symlink "$root/.models", "$tree/.models" or die "$tree/.models: $!\n";
  local %ENV = %ENV;
  delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL VERIFY_BUILD)};
  system("make -s -j2 -C '$tree' build/mod_verify.so build/verify-analyze "
    . "build/verifyctl >'$tree/log' 2>&1 </dev/null") == 0
    or die "the release $commit cannot be built, see $tree/log\n";
  open my $complete, '>', "$tree/build/complete" or die "$tree/build: $!\n";
  return $tree;
}

1;
