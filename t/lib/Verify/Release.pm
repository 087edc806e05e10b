package Verify::Release;
# An older release, built from the history of the repository: a checkout of its
# commit below the build directory, made once, with its module, tools and
# reader. It is not available in a tree without that history (a tarball, a
# shallow clone).
#
#   my $release = Verify::Release::before();
#   my $tree = Verify::Release::tree($release->{commit}) // skip Verify::Release::reason()
use v5.32;
use warnings;
use Cwd qw(abs_path);
use Fcntl qw(:flock);
use File::Basename qw(basename dirname);
use File::Path qw(make_path remove_tree);

my $root = abs_path(dirname(__FILE__) . '/../../..');
my $reason;
sub reason { $reason }

# Stand-ins for the previous release until one is published: commits, and the
# newest migration of each. The first one in the history is upgraded from. No
# migration after the oldest of them removes anything (t/meta/sql.t). The first
# release's tag will replace all rows.
my @stand_ins = (
  {commit => '0402e35', schema => 58},
  {commit => 'd049d2e', schema => 52},
  {commit => '4d14302', schema => 41},
);
sub stand_ins { @stand_ins }
# The commit whose API every later one must stay compatible with, until a release is
# published.
sub api_baseline { '9801a8cf' }

# VERIFY_RELEASE=COMMIT selects another, whose schema is not known beforehand.
sub before {
  return {commit => $ENV{VERIFY_RELEASE}} if $ENV{VERIFY_RELEASE};
  my ($known) = grep { is_known($_->{commit}) } @stand_ins;
  return $known // $stand_ins[0];
}

sub refuse {
  $reason = $_[0];
  return;
}

sub is_known {
  my ($commit) = @_;
  return system("git -C '$root' cat-file -e '$commit^{commit}' 2>/dev/null") == 0;
}

# Today's data, except for the classifier of machine-readable zones: these
# releases trained their own, which takes minutes, and refuse today's format.
# They get an untrained one in their format, so no test reads a zone with them.
my $NETWORK_BYTES = 346304;
sub link_models {
  my ($tree) = @_;
  make_path("$tree/.models");
  for my $file (glob "$root/.models/*") {
    my $name = basename($file);
    next if $name eq 'mrz_classifier.bin';
    symlink $file, "$tree/.models/$name" or die "$tree/.models/$name: $!\n";
  }
  open my $network, '>:raw', "$tree/.models/mrz_classifier.bin"
    or die "$tree/.models: $!\n";
  print $network "IDV-MRZ-NETWORK-1\n", "\0" x $NETWORK_BYTES;
  close $network or die "$tree/.models: $!\n";
}

# A folder of programs that stand before the others: the pages of older releases may be
# four per cent larger, which takes seconds less than zopfli, where that is installed.
sub gzip_for_zopfli {
  my ($tree) = @_;
  make_path("$tree/programs");
  my $file = "$tree/programs/zopfli";
  open my $script, '>', $file or die "$file: $!\n";
  print $script qq{#!/bin/sh\n# zopfli -c --gzip FILE\nexec gzip -9nc "\$3"\n};
  close $script or die "$file: $!\n";
  chmod 0755, $file;
  return "$tree/programs";
}

sub tree {
  my ($commit) = @_;
  my $build = $ENV{VERIFY_BUILD} // 'build';
  return refuse('an older release is built without the sanitizers')
    if $build =~ /asan|tsan/;
  $build = "$root/$build" unless $build =~ m{^/};
  is_known($commit) or return refuse('there is no older release to upgrade from: the '
    . "repository's history is not here (a tarball, a shallow clone), or lacks $commit");
  my $tree = "$build/t/releases/$commit";
  make_path(dirname($tree));
  open my $lock, '>', "$tree.lock" or die "$tree.lock: $!\n";
  flock $lock, LOCK_EX or die "$tree.lock: $!\n";
  return $tree if -e "$tree/build/complete";
  remove_tree($tree);
  make_path($tree);
  system("git -C '$root' archive '$commit' | tar -C '$tree' -xf -") == 0
    or die "no checkout of $commit\n";
  link_models($tree);
  local %ENV = %ENV;
  $ENV{PATH} = gzip_for_zopfli($tree) . ":$ENV{PATH}";
  delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL VERIFY_BUILD)};
  # Its speed and compiler warnings are not tested.
  system("make -s -j2 -C '$tree' OPTIMIZE=-O0 WARNINGS=-w build/mod_verify.so "
    . "build/verify-analyze build/verifyctl >'$tree/log' 2>&1 </dev/null") == 0
    or die "the release $commit cannot be built, see $tree/log\n";
  open my $complete, '>', "$tree/build/complete" or die "$tree/build: $!\n";
  return $tree;
}

1;
