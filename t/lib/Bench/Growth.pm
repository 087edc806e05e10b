package Bench::Growth;
# What a request costs among few sessions and among many: two services in turns,
# so that what else happens on the machine meets both. Each turn of the one has a
# neighbour of the other, and the ratio is the median of the neighbours' ratios:
# what a noisy minute does to both of them cancels out.
use v5.32;
use warnings;
use Bench::Cpu;
use Bench::Floor;
use Bench::Requests;
use List::Util qw(min);
use Verify::Queries qw(query_parameters query_text);

# What is measured, in the order in which it is printed, and whether of any of all
# sessions or of as many of the newest as the few are. `row` and `page` are the
# floors of a retrieval and a list: the cheapest statements that read the same,
# through mod_floor.
my @operations = (
  {name => 'retrieve', of => 'newest'},
  {name => 'list', of => 'newest'},
  {name => 'retrieve', of => 'any'},
  {name => 'list', of => 'any'},
  {name => 'row', of => 'any'},
  {name => 'page', of => 'any'},
  {name => 'create'},
  {name => 'create_idempotent'},
);

# The operations of these names; of none: all.
sub operations {
  my %wanted = map { $_ => 1 } @_;
  return @operations unless %wanted;
  my @found = grep { $wanted{$_->{name}} } @operations;
  delete @wanted{map { $_->{name} } @found};
  die "there is no operation @{[sort keys %wanted]}\n" if %wanted;
  return @found;
}

# services: few, many; connections, seconds of a turn, rounds. Returns the
# medians of each service, in microseconds of the processor, what the many cost
# more, and the quartiles of the ratio.
sub measure {
  my ($operation, $how) = @_;
  my $services = $how->{services};
  turn($operation, $how, $_) for @$services;    # warms up
  my @before = map { counted($_) } @$services;
  my @turns;
  for my $round (1 .. $how->{rounds}) {
    for my $at ($round % 2 ? (0, 1) : (1, 0)) {
      push @{$turns[$at]}, turn($operation, $how, $services->[$at]);
    }
  }
  my @after = map { counted($_) } @$services;
  my @of = map { side($turns[$_], $before[$_], $after[$_]) } 0, 1;
  my @pairs = map {
    [Bench::Requests::total($turns[0][$_]), Bench::Requests::total($turns[1][$_])]
  } 0 .. $how->{rounds} - 1;
  return {
    few => $of[0], many => $of[1],
    more => median(map { $_->[1] - $_->[0] } @pairs),
    ratio => [quartiles(map { $_->[1] / $_->[0] } @pairs)],
  };
}

sub turn {
  my ($operation, $how, $service) = @_;
  my $few = $how->{services}[0]{rows};
  my $newest = ($operation->{of} // '') eq 'newest' ? min($few, $service->{rows})
    : $service->{rows};
  local $ENV{BENCH_FIRST} = $service->{rows} - $newest + 1;
  my $kind = $operation->{name};
  my $result = Bench::Requests::through_http($service, $kind,
    Bench::Floor::url($service, $kind), @$how{qw(connections seconds)});
  die "$kind: $result->{failed} requests failed\n"
    if $result->{failed};
  return $result;
}

# So far: pages that PostgreSQL's processes have mapped, and blocks that were not
# in its buffers.
sub counted {
  my ($service) = @_;
  return {
    faults => Bench::Cpu::faults_of_family($service->instance->postgresql_pid),
    blocks => $service->sql_value('SELECT blks_read FROM pg_stat_database
      WHERE datname = current_database()'),
  };
}

sub side {
  my ($turns, $before, $after) = @_;
  my $requests = 0;
  $requests += $_->{requests} for @$turns;
  return {
    cpu => median(map { Bench::Requests::total($_) } @$turns),
    postgresql => median(map { $_->{cpu}{postgresql} } @$turns),
    map({ $_ => ($after->{$_} - $before->{$_}) / $requests } qw(faults blocks)),
  };
}

sub quartiles {
  my @sorted = sort { $a <=> $b } @_;
  return ($sorted[$#sorted / 4], median(@sorted), $sorted[$#sorted * 3 / 4]);
}

sub median {
  my @sorted = sort { $a <=> $b } @_;
  return ($sorted[$#sorted / 2] + $sorted[@sorted / 2]) / 2;
}

# The statements that a retrieval and a list consist of, and their floors: the
# cheapest that read the same.
my $answer_of = 'SELECT answer FROM verification_session WHERE
  organization_id = $1 AND id';
my %statements = (
  find_answer => 'session/find_answer',
  row => "$answer_of = \$2",
  list_answers => 'session/list_answers',
  page => "$answer_of < \$2 ORDER BY id DESC LIMIT 11",
);
my $at_once = 200;

# The microseconds of processor time that a backend takes for a statement of any of
# all sessions: the median among few, among many, and the quartiles of what many
# take more. Turns are so short that a noisy moment meets both.
sub measure_statement {
  my ($name, $services, $rounds) = @_;
  my @sides = map { prepared($name, $_) } @$services;
  my @took;
  run_some($_) for (@sides) x 20;
  for my $round (1 .. $rounds) {
    for my $at ($round % 2 ? (0, 1) : (1, 0)) {
      push @{$took[$at]}, run_some($sides[$at]);
    }
  }
  my @more = map { $took[1][$_] - $took[0][$_] } 0 .. $rounds - 1;
  return {few => median(@{$took[0]}), many => median(@{$took[1]}),
    more => [quartiles(@more)]};
}

sub prepared {
  my ($name, $service) = @_;
  my $handle = $service->instance->connect_database;
  $handle->{pg_server_prepare} = 1;
  my ($pid) = $handle->selectrow_array('SELECT pg_backend_pid()');
  my %values = (Bench::Floor::answer_parameters($service));
  my $is_ours = $statements{$name} =~ m{\A\w+/\w+\z};
  my @parameters = $is_ours ? query_parameters($statements{$name})
    : qw(organization_id id);
  my $statement = $handle->prepare($is_ours ? query_text($statements{$name})
    : $statements{$name});
  return {handle => $handle, statement => $statement, rows => $service->{rows},
    file => "/proc/$pid/schedstat", values => [@values{@parameters}],
    at => (grep { $parameters[$_] =~ /\A(?:id|cursor)\z/ } 0 .. $#parameters)[0]};
}

sub run_some {
  my ($side) = @_;
  my ($statement, @values) = ($side->{statement}, @{$side->{values}});
  my $before = Bench::Cpu::read_text($side->{file});
  for (1 .. $at_once) {
    $values[$side->{at}] = sprintf 'vks_00%024d', 1 + int rand $side->{rows};
    $statement->execute(@values);
    $statement->fetchall_arrayref;
  }
  my $after = Bench::Cpu::read_text($side->{file});
  return ((split ' ', $after)[0] - (split ' ', $before)[0]) / $at_once / 1000;
}

sub statement_lines {
  my ($services, $rounds) = @_;
  return map {
    my $result = measure_statement($_, $services, $rounds);
    sprintf "%-24s %9.1f %9.1f %7.1f %15s %7.1f %7.1f\n", $_,
      @$result{qw(few many)}, $result->{more}[1], '', @{$result->{more}}[0, 2];
  } qw(find_answer row list_answers page);
}

sub head {
  my ($few, $many) = @_;
  return sprintf "%-24s %9s %9s %7s %7s %15s  %15s %13s %13s\n", 'operation', $few,
    $many, 'more', 'ratio', 'quartiles', 'PostgreSQL', 'page faults', 'blocks read';
}

sub line {
  my ($operation, $result) = @_;
  my ($few, $many) = @$result{qw(few many)};
  my ($first, $median, $third) = @{$result->{ratio}};
  return sprintf "%-24s %9.1f %9.1f %7.1f %7.3f %7.3f %7.3f  %7.1f %7.1f"
    . " %6.2f %6.2f %6.2f %6.2f\n",
    join(' ', grep { defined } @$operation{qw(name of)}), $few->{cpu},
    $many->{cpu}, $result->{more}, $median, $first, $third,
    map { ($few->{$_}, $many->{$_}) } qw(postgresql faults blocks);
}

1;
