# One make at a time in the build directory that tests share: the lock keeps others
# waiting, and no test goes past it.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use File::Find qw(find);
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use Verify::Make;

chdir abs_path("$FindBin::Bin/../..") or die "no root: $!\n";
my $build = $ENV{VERIFY_BUILD} // 'build';
$build = abs_path('.') . "/$build" unless $build =~ m{\A/};

# What another test would find: flock ends with 1 where it would have to wait.
sub is_free { return system('flock', '--nonblock', "$build/make.lock", 'true') == 0 }
my @during = Verify::Make::alone(sub { (is_free(), $ENV{MAKEFLAGS}, 'done') });
is_deeply \@during, ['', undef, 'done'], 'others wait while one makes';
ok is_free(), 'and no longer';
like Verify::Make::command(), qr/\Aflock \Q$build\E\/make\.lock make /,
  'who makes from a shell waits, too';
my ($status, $said) = Verify::Make::run('--version', 'a goal');
like $said, qr/GNU Make/, 'what make says is told';
($status, $said) = Verify::Make::run('no-such-goal');
isnt $status, 0, 'and its status';
like $said, qr/no-such-goal/, 'with the reason';

# Of a directory of its own somebody may make what he likes; -n makes nothing.
my @past;
find({no_chdir => 1, wanted => sub {
  $File::Find::prune = 1 if m{/(?:node_modules|corpus)\z};
  return unless /\.(?:t|pm)\z/;
  my ($path, $text) = ($_, do { local (@ARGV, $/) = $_; <> });
  $text =~ s/^\s*#.*//mg;
  push @past, map { "$path: $_" } grep { !/ -n / && !/Verify::Make/ }
    $text =~ /^(.*\bmake\b.*\bBUILD=\$build.*)/mg;
  push @past, "$path: rpmbuild" if $text =~ /`rpmbuild /
    && $text !~ /Verify::Make::alone\(sub \{\s*`rpmbuild /;
}}, 't');
is_deeply [grep { !m{\At/(?:lib/Verify/Make\.pm|meta/making\.t):} } @past], [], 'no test goes past it';

# A benchmark that lacks its programs says so before it prepares anything. That of the
# capture measures scripts of the widget, which are not built.
my $empty = tempdir(CLEANUP => 1);
my @benchmarks = grep { $_ ne 'scripts/bench-capture' } glob 'scripts/bench scripts/bench-*';
cmp_ok scalar @benchmarks, '>=', 7, 'there are benchmarks';
for my $benchmark (@benchmarks) {
  local $ENV{VERIFY_BUILD} = $empty;
  my $told = `timeout 30 $benchmark 2>&1 </dev/null`;
  isnt $?, 0, "$benchmark does not begin without programs";
  like $told, qr/\A\S+:\ not\ built:\ .*;\ run\ `make\ all\ models\ bench-programs`\n
    (?:\S+:\ not\ on\ this\ machine:\ .*\n)?\z/x, 'and says what to run';
}
done_testing;
