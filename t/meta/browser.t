# The harness' own browser: nothing of it outlives the test, however it ends.
use v5.32;
use warnings;
use FindBin;
use Test::More;
use lib "$FindBin::Bin/../lib";
use Browser;
use Verify::Wait;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

# Processes that name the profile of a browser.
sub processes {
  my ($profile) = @_;
  my $names_it = sub {
    open my $file, '<', "$_/cmdline" or return;
    index(readline($file) // '', $profile) >= 0;
  };
  return grep { $names_it->() } glob '/proc/[0-9]*';
}

# Ends a test that has a browser open by DEED; true when nothing is left.
sub leaves_nothing {
  my ($name, $deed) = @_;
  my $script = 'use Browser; my $b = Browser->start; $| = 1;'
    . ' print "$b->{profile}\n"; my $line = <STDIN>;'
    . ' die "as asked\n" if $line =~ /die/';
  pipe my $input, my $order or die "pipe: $!\n";
  my $pid = open my $output, '-|';
  die "fork: $!\n" unless defined $pid;
  if (!$pid) {
    close $order;
    open STDIN, '<&', $input;
    open STDERR, '>', '/dev/null';
    exec $^X, '-It/lib', '-e', $script or CORE::exit(127);
  }
  close $input;
  chomp(my $profile = readline $output);
  ok scalar(processes($profile)), "$name: runs";
  ref $deed ? $deed->($pid) : syswrite $order, "$deed\n";
  ok wait_for { !processes($profile) }, "$name: nothing is left";
  close $output;
}

chdir "$FindBin::Bin/../..";
leaves_nothing('a test that ends', 'end');
leaves_nothing('a test that dies', 'die');
leaves_nothing("a test that gets $_->[0]", $_->[1]) for
  map { my $signal = $_; [$signal, sub { kill $signal => $_[0] }] }
  qw(INT TERM KILL);

# Whom the test tells to end by closing a pipe may not wait for the browser.
pipe my $heard, my $said or die "pipe: $!\n";
my $browser = Browser->start;
close $said;
my $ready = '';
vec($ready, fileno $heard, 1) = 1;
ok select($ready, undef, undef, 5), 'a pipe of the test ends with the test alone';
done_testing;
