package Bench::Cpu;
# Processor time, user and system, that processes have used, from /proc. A
# parent counts for its children too, those that have ended included.
use v5.32;
use warnings;
use POSIX qw(sysconf _SC_CLK_TCK);

my $microseconds_a_tick = 1_000_000 / sysconf(_SC_CLK_TCK);

sub read_text {
  open my $file, '<', $_[0] or return '';
  local $/;
  return <$file> // '';
}

# After the command in parentheses: fields 14 to 17 of proc(5).
sub ticks {
  my ($pid, $with_ended_children) = @_;
  my @fields = split ' ', read_text("/proc/$pid/stat") =~ s/\A.*\) //sr;
  return 0 unless @fields;
  return $fields[11] + $fields[12]
    + ($with_ended_children ? $fields[13] + $fields[14] : 0);
}

sub children {
  return split ' ', read_text("/proc/$_[0]/task/$_[0]/children");
}

# The microseconds of one process.
sub of_process { ticks($_[0]) * $microseconds_a_tick }

# The microseconds of a process and its children, those in %except not counted.
sub of_family {
  my ($parent, %except) = @_;
  my $ticks = ticks($parent, 1);
  $ticks += ticks($_, 1) for grep { !$except{$_} } children($parent);
  return $ticks * $microseconds_a_tick;
}

# The minor page faults of a process and its children, ended ones included: the
# 10th and 11th field of proc(5).
sub faults {
  my ($pid) = @_;
  my @fields = split ' ', read_text("/proc/$pid/stat") =~ s/\A.*\) //sr;
  return @fields ? $fields[7] + $fields[8] : 0;
}
sub faults_of_family {
  my ($parent) = @_;
  my $sum = faults($parent);
  $sum += faults($_) for children($parent);
  return $sum;
}

# Proportional set size in kB.
sub pss {
  my ($kilobytes) = read_text("/proc/$_[0]/smaps_rollup") =~ /^Pss:\s+([0-9]+)/m;
  return $kilobytes;
}

1;
