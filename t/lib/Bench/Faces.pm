package Bench::Faces;
# Processor time of a face pair and of a liveness challenge, as verify-analyze
# counts it in its findings, and the memory of the zygote with all models, which
# its children share.
use v5.32;
use warnings;
use File::Temp ();
use JSON::PP ();
use POSIX ();
use Socket qw(AF_UNIX SOCK_SEQPACKET PF_UNSPEC);
use Verify::Face;

my $rounds = 5;
my $control = 3;    # the zygote's descriptor
my $build = $ENV{VERIFY_BUILD} // 'build';
my @command = ("$build/verify-analyze", '--models', $ENV{MODELS} // '.models');

sub missing { face_models_missing() }

sub put_file {
  my ($path, $bytes) = @_;
  open my $file, '>:raw', $path or die "$path: $!\n";
  print $file $bytes;
  close $file or die "$path: $!\n";
  return $path;
}

# Milliseconds in the median of some submissions of METHOD with the same parts.
sub time_of {
  my ($method, %files) = @_;
  my $directory = File::Temp->newdir;
  my @parts = map { ('--part', "$_=" . put_file("$directory/$_.jpg", $files{$_})) }
    sort keys %files;
  my @times;
  for (1 .. $rounds) {
    open my $pipe, '-|', @command, '--method', $method, @parts or die "$!\n";
    my $findings = JSON::PP::decode_json(scalar <$pipe>);
    close $pipe or die "verify-analyze: status $?\n";
    push @times, $findings->{milliseconds};
  }
  return (sort { $a <=> $b } @times)[$rounds / 2];
}

# Kilobytes of the zygote that has all models loaded and is ready.
sub memory {
  socketpair(my $ours, my $theirs, AF_UNIX, SOCK_SEQPACKET, PF_UNSPEC)
    or die "socketpair: $!\n";
  my $pid = fork // die "fork: $!\n";
  if (!$pid) {
    close $ours;
    POSIX::dup2(fileno $theirs, $control) // POSIX::_exit(126);
    local $^F = $control;
    exec @command, '--zygote' or POSIX::_exit(127);
  }
  close $theirs;
  defined recv $ours, my $ready, 4096, 0 or die "the zygote: $!\n";
  open my $file, '<', "/proc/$pid/smaps_rollup" or die "smaps_rollup: $!\n";
  my ($kilobytes) = map { /\APss:\s+([0-9]+)/ ? $1 : () } <$file>;
  close $file;
  close $ours;    # which ends it
  waitpid $pid, 0;
  die "the zygote ended with $?\n" if $?;
  return $kilobytes + 0;
}

sub measure {
  my $woman = person_before_camera('woman');
  my @prompts = qw(left up neutral down);
  my %challenge = (still => $woman->{still}, map { my $step = $_;
    map { ("step_${step}_$_" => $woman->{"$prompts[$step - 1]_$_"}) } 1 .. 4 } 1 .. 4);
  return {
    pair_ms => time_of('selfie_match', still => $woman->{still},
      front => portrait_of('same_woman')),
    challenge_ms => time_of('selfie_liveness', %challenge),
    memory_kb => memory(),
  };
}

sub show {
  my ($result) = @_;
  printf "\nfaces\n  a pair %d ms, a challenge %d ms of processor time; "
    . "verify-analyze with all models %.0f MB\n", @$result{qw(pair_ms challenge_ms)},
    $result->{memory_kb} / 1024;
}

1;
