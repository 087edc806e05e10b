package Verify::Command;
# Runs verifyctl for a test, and checks its output or its refusal.
use v5.32;
use warnings;
use JSON::PP ();
use Test::More;
use Verify::Instance;

my $json = JSON::PP->new->utf8;

sub new {
  my ($class, $service) = @_;
  return bless {service => $service, directory => $service->{directory}}, $class;
}

# (status, standard output, standard error); standard input is $self->{input}.
sub run {
  my ($self, @arguments) = @_;
  $self->write_file("$self->{directory}/in", $self->{input} // '');
  local %ENV = $self->{service}->environment;
  my $pid = fork // die "cannot fork: $!\n";
  if (!$pid) {
    open STDIN, '<', "$self->{directory}/in";
    open STDOUT, '>', "$self->{directory}/out";
    open STDERR, '>', "$self->{directory}/err";
    exec 'scripts/verifyctl', @arguments or CORE::exit(127);
  }
  waitpid $pid, 0;
  return ($? >> 8, map { Verify::Instance::read_text("$self->{directory}/$_") }
    qw(out err));
}

# The answer of a command that succeeds and prints nothing on standard error.
sub prints {
  my ($self, $command, $name) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  my ($status, $output, $errors) = $self->run(@$command);
  my $answer = eval { $json->decode($output) };
  ok $status == 0 && ref $answer && $errors eq '', $name // "@$command[0, 1]"
    or diag "@$command: $status: $output$errors";
  return $answer;
}

# The command ends with status 1, prints nothing and gives the reason.
sub refuses {
  my ($self, $command, $expected, $name) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  my ($status, $output, $errors) = $self->run(@$command);
  ok $status == 1 && $output eq '' && $errors =~ $expected,
    $name // "@$command[0, 1] is refused" or diag "@$command: $status: $output$errors";
}

sub write_file {
  my ($self, $path, $bytes) = @_;
  open my $file, '>:raw', $path or die "$path: $!\n";
  print $file $bytes;
  close $file or die "$path: $!\n";
}

1;
