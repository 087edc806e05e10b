package Verify::Wait;
# Waits by polling: wait_for { condition } returns the first true value, or
# nothing after the deadline. No test sleeps in order to wait for something.
use v5.32;
use warnings;
use Exporter 'import';
use Time::HiRes qw(sleep time);

our @EXPORT = qw(wait_for);

sub wait_for (&;$) {
  my ($condition, $seconds) = @_;
  my $deadline = time + ($seconds // 20);
  my $pause = 0.005;
  while (1) {
    my $value = $condition->();
    return $value if $value;
    return if time >= $deadline;
    sleep $pause;
    $pause *= 1.5 if $pause < 0.1;
  }
}

1;
