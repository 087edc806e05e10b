package Verify::Load;
# Customers' servers that keep working while the test stops nodes: several
# processes create sessions at all nodes in turn, trying one node after the
# other under the same Idempotency-Key until there is an answer. Each process
# records the answers and their nodes in a file.
#
#   my $load = Verify::Load->start(\@clients, {type => 'age', …});
#   $load->answered   {name, id, node} of each, node being the client's number
#   $load->reaches(N, NODE…)  waits until N more are answered by each of the nodes
#   $load->end        what the processes ended with: '' or what a request came to
#                     that is neither success, nor no answer, nor "ask again"
use v5.32;
use warnings;
use File::Temp ();
use POSIX ();
use Time::HiRes qw(sleep);
use Verify::Wait;

use constant WORKERS => 3;

sub start {
  my ($class, $clients, $session) = @_;
  my $self = bless {clients => $clients, session => $session,
    directory => File::Temp->newdir('verify-l-XXXXXXXX', TMPDIR => 1)}, $class;
  for my $number (1 .. WORKERS) {
    my $pid = fork // die "cannot fork: $!\n";
    $self->{workers}{$pid} = $number, next if $pid;
    # Skips the destructors of objects that belong to the test.
    POSIX::_exit(eval { $self->create_until_told($number); 1 } ? 0 : 1);
  }
  return $self;
}

sub create_until_told {
  my ($self, $number) = @_;
  my $directory = $self->{directory};
  open my $answered, '>', "$directory/answered$number" or die;
  open my $refused, '>', "$directory/refused$number" or die;
  $_->autoflush for $answered, $refused;
  my @clients = map { $_->with(timeout => 20) } @{$self->{clients}};
  for (my $i = 1; !-e "$directory/enough"; $i++) {
    my $name = "load-$number-$i";
    for (my $turn = $i; ; $turn++) {
      my $node = $turn % @clients;
      my $answer = $clients[$node]->post('/v1/verification_sessions',
        {%{$self->{session}}, client_reference_id => $name}, 'Idempotency-Key' => $name);
      if ($answer->status == 201) {
        print $answered "$name " . $answer->json->{id} . " $node\n";
        sleep 0.01;
        last;
      }
      # 599: no answer; 409: the previous node has not finished yet.
      if ($answer->status !~ /\A(?:599|503|409)\z/) {
        print $refused "$name: " . $answer->status . "\n";
        return;
      }
      sleep 0.02;
    }
  }
}

sub lines {
  my ($self, $name) = @_;
  my @lines;
  for my $number (1 .. WORKERS) {
    open my $file, '<', "$self->{directory}/$name$number" or next;
    push @lines, grep { /\n\z/ } <$file>; # the last may be under way
  }
  return @lines;
}
sub answered {
  return map { /\A(\S+) (\S+) ([0-9]+)$/ ? {name => $1, id => $2, node => $3} : () }
    $_[0]->lines('answered');
}

sub reaches {
  my ($self, $more, @nodes) = @_;
  my $count = sub {
    my %count;
    $count{$_->{node}}++ for $self->answered;
    return \%count;
  };
  my $before = $count->();
  return wait_for {
    my $now = $count->();
    !grep { ($now->{$_} // 0) < ($before->{$_} // 0) + $more } @nodes
  } 60;
}

sub end {
  my ($self) = @_;
  open my $file, '>', "$self->{directory}/enough" or die;
  close $file;
  my @failed = grep { waitpid($_, 0) && $? } keys %{$self->{workers}};
  return join '', $self->lines('refused'), map { "a process died\n" } @failed;
}

1;
