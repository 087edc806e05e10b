# What there is not is one error in every command of verifyctl, with the name that
# was given, and never an empty answer: each command of the help, and each id in it,
# is tried with one that nothing has.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP ();
use Verify::Command;
use Verify::Test;

my $root = "$FindBin::Bin/../..";
my $service = Verify::Instance->start(start => 0);
my $command = Verify::Command->new($service);

sub text_of {
  my ($path) = @_;
  open my $file, '<', "$root/$path" or die "$path: $!\n";
  return do { local $/; <$file> };
}

# What the help calls an id, and the prefix that it has (none: any).
my %prefix = text_of('mod_verify/core/id.h') =~ /^    X\((\w+), "(\w+)"\)/mg;
my %form = text_of('mod_verify/cli/command/names.c') =~ /^    \{"(\w+)", "[\w ]+", (\w+),/mg;
$_ = s/^IDV_ID_//r for values %form;
cmp_ok scalar keys %form, '>', 20, 'ids that commands are given';
is_deeply [grep { $_ ne 'ANY_TYPE' && !$prefix{$_} } values %form], [], '... are of a type';
sub nothing { return ($prefix{$form{$_[0]}} // 'tok_') . '0' x 26 }

my $definition = 'conf/workflows/alcohol_delivery.json';
my $scenario = "$service->{directory}/scenario.json";
$command->write_file($scenario, JSON::PP->new->encode({name => 'x', type => 'age',
  jurisdiction => 'US-CA', scenario => [{input => 'open'}],
  expected => {status => 'created'}}));
my $organization = $command->prints([qw(org create --name Shop)])->{id};
my %there = (ORG => $organization, 'ORG|*' => $organization, N => 5, UNIX => time, NAME => 'x', TEXT => 'x',
  WHO => 'me', URL => 'https://receiver.example/',
  URI => 'https://client.example/back', CURSOR => 'x', KIND => 'email',
  VALUE => 'somebody@example.com', TYPE => 'age', TAG => '"1"', 'TYPE,TYPE' => '*',
  CODE => 'evidence_convincing');
$there{APP} = $command->prints([qw(app create --name Shop --org), $organization])->{id};
$there{WF_ID} = $command->prints([qw(workflow publish --org), $organization,
  $definition])->{id};

# What changes what a command does before it looks, by its words.
my %given = (
  'org update' => [qw(--name x)], 'org brand' => [qw(--name x)],
  'draft create' => [$definition], 'endpoint update' => [qw(--name x)],
);
# A filter by any object, which may be gone.
my %may_be_gone = map { $_ => 1 } 'event list --about', 'audit list --subject',
  'audit export --subject';

# The words, the ids that must be given, those that may be, of a line of the help.
sub read_line {
  my ($line) = @_;
  my (@words, @must, @may);
  my @parts = $line =~ /(\[[^\]]*\]|\S+)/g;
  push @words, shift @parts while @parts && $parts[0] =~ /\A[a-z]/;
  while (defined(my $part = shift @parts)) {
    if ($part =~ /\A\[(?:--(\S+) )?(\S+)\]\z/) { push @may, [$1, $2] if $form{$2} }
    elsif ($part =~ /\A--/) { push @must, [$part =~ s/--//r, shift @parts] }
    elsif ($part !~ /\A\[/) { push @must, [undef, $part] }
  }
  return (\@words, \@must, \@may);
}

sub word_for {
  my ($words, $form) = @_;
  return $there{$form} if exists $there{$form};
  return nothing($form) if $form{$form};
  return "@$words" =~ /\Ascenario (?:add|save)/ ? $scenario : $definition if $form eq 'FILE';
  return $form =~ s/\|.*//sr;
}

# The call with the value NOTHING for the id TRIED.
sub is_one_error {
  my ($words, $must, $tried, $nothing) = @_;
  my @call = (@$words, @{$given{"@$words"} // []});
  for my $one (@$must, grep { !grep { $_ == $tried } @$must } $tried) {
    my ($option, $form) = @$one;
    push @call, defined $option ? "--$option" : (),
      $one == $tried ? $nothing : word_for($words, $form);
  }
  my ($status, $output, $errors) = $command->run(@call);
  my $expected = $words->[0] eq 'doctor' ? 2 : 1;
  ok $status == $expected && $output eq '' && $errors =~ /\Averifyctl: [^\n]+\n\z/
    && $errors =~ /\Q$nothing\E/, "@$words: " . ($tried->[0] // $tried->[1])
    or diag "@call: $status: $output$errors";
  like $errors, qr/No such organization\./, '... as any other'
    if $tried->[1] eq 'ORG' && $nothing ne 'no-id';
}

my (undef, $help) = $command->run('--help');
# The running service answers the commands that are left out.
my @lines = grep { !/\A(?:--|listen|trigger|session create|session outcome|risk score)/ }
  $help =~ /^  (\S.*)$/mg;
cmp_ok scalar @lines, '>', 100, 'commands';
my (@unknown, $tried);
for my $line (@lines) {
  my ($words, $must, $may) = read_line($line);
  push @unknown, grep { /(?:\A|_)ID\z/ && !$form{$_} } $line =~ /([A-Z_]+)/g;
  for my $one (grep { $form{$_->[1]} } @$must, @$may) {
    my ($option, $form) = map { $_ // '' } @$one;
    next if $may_be_gone{"@$words --$option"};
    my $is_cursor = $option =~ /after\z/;
    next if $is_cursor && $form{$form} eq 'ANY_TYPE';
    is_one_error($words, $must, $one, $is_cursor ? 'no-id' : nothing($form));
    $tried++;
  }
}
is_deeply \@unknown, [], 'cli/command/names.c has what the help calls an id';
cmp_ok $tried, '>', 120, "$tried ids were tried";

subtest 'what may be gone' => sub {
  is_deeply $command->prints([qw(delivery list --org), $organization, '--starting-after',
    nothing('DELIVERY_ID')]), [], 'a cursor';
  is_deeply $command->prints([qw(event list --org), $organization, '--about',
    nothing('SESSION_ID')]), [], 'what events are about';
};
finish($service);
