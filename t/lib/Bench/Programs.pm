package Bench::Programs;
# What a benchmark is measured with is there before it begins: most of it is asked for
# only after minutes of preparing.
#
#   use Bench::Programs;
#   Bench::Programs::demand(Bench::Programs::service(), 't/bench/mod_floor.so', 'wrk');
use v5.32;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(basename dirname);

my $root = abs_path(dirname(__FILE__) . '/../../..');
my $build = $ENV{VERIFY_BUILD} // 'build';

# What each private service of a benchmark is started with.
sub service {
  return qw(mod_verify.so verifyctl verify-analyze t/lib/reaper t/lib/wait_recorder.so);
}

# Ends the benchmark, with what to run, when one of these is missing: files below the
# build directory, and programs of the machine.
my %of_machine = map { $_ => 1 } qw(wrk pgbench);
sub demand {
  my @missing = grep { !is_there($_) } @_;
  my @machine = grep { $of_machine{$_} } @missing;
  my @built = map { "$build/$_" } grep { !$of_machine{$_} } @missing;
  my $who = basename($0);
  my @faults;
  push @faults, "$who: not built: @built; run `make all models bench-programs`\n" if @built;
  push @faults, "$who: not on this machine: @machine; run `scripts/install-dependencies "
    . "run bench`\n" if @machine;
  die @faults if @faults;
}

sub is_there {
  my ($name) = @_;
  return grep { -x "$_/$name" } split /:/, $ENV{PATH} if $of_machine{$name};
  return -e ($build =~ m{\A/} ? "$build/$name" : "$root/$build/$name");
}

1;
