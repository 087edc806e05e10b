package Bench::Goals;
# What the figures of one run have to be, and whether they are.
use v5.32;
use warnings;
use List::Util qw(max);

# The line of a report for an operation at a number of connections.
sub request {
  my ($report, $operation, $connections) = @_;
  my ($line) = grep { $_->{operation} eq $operation
    && $_->{connections} == $connections && $_->{through} eq 'service' }
    @{$report->{requests}};
  return $line;
}
sub ratio_at_16 {
  my ($operation, $to, $of) = @_;
  return sub {
    my $line = request($_[0], $operation, 16) or return;
    return ($line->{ratio}{$to} // return)->{$of};
  };
}
sub rate_at_64_over_16 {
  my ($report, $operation) = @_;
  my ($few, $many) = map { request($report, $operation, $_) } 16, 64;
  return $few && $many ? $many->{rate} / $few->{rate} : undef;
}
sub webhooks {
  my ($of) = @_;
  return sub { $_[0]{webhooks} && $of->($_[0]{webhooks}) };
}

sub faces {
  my ($of) = @_;
  return sub { $_[0]{faces} && $_[0]{faces}{$of} };
}

sub evidence {
  my ($of) = @_;
  return sub { $_[0]{evidence} && $_[0]{evidence}{$of}{ms} };
}

# Text, whether the value is a least or a most, the goal, how to find the value
# in a report: nothing when it was not measured.
my @goals = (
  ['retrieve: rate over the rival', least => 1.5,
    ratio_at_16(qw(retrieve rival rate))],
  ['retrieve: CPU over the floor', most => 1.2,
    ratio_at_16(qw(retrieve floor cpu))],
  ['list of 10: rate over the rival', least => 3,
    ratio_at_16(qw(list rival rate))],
  ['create with key: rate over the rival', least => 1.5,
    ratio_at_16(qw(create_idempotent rival rate))],
  ['create with key: CPU over the floor', most => 1.3,
    ratio_at_16(qw(create_idempotent floor cpu))],
  ['create with key: rate at 64 connections over 16', least => 1,
    sub { rate_at_64_over_16($_[0], 'create_idempotent') }],
  ['webhooks, one endpoint: rate over bare libcurl', least => 0.7,
    webhooks(sub { $_[0]{one}{rate} / $_[0]{one_bare}{rate} })],
  ['webhooks, one endpoint: rate over the rival', least => 1.5,
    webhooks(sub { $_[0]{one_rival} && $_[0]{one}{rate} / $_[0]{one_rival}{rate} })],
  ['webhooks, idle: commit to arrival, p99 in ms', most => 25,
    webhooks(sub { $_[0]{idle}{p99} })],
  ['a photo of a document: CPU in ms, median', most => 300,
    sub { $_[0]{documents} && max(map { $_->{median_ms} } values %{$_[0]{documents}}) }],
  ['a gate, added to a request: CPU in us', most => 15,
    sub { $_[0]{gate} && $_[0]{gate}{added_us} }],
  ['a mobile document, to its decision: CPU in ms', most => 5, evidence('mdoc')],
  ['a passport, to its decision: CPU in ms', most => 15, evidence('passport')],
  ['a face pair: processor time in ms', most => 400, faces('pair_ms')],
  ['a liveness challenge: processor time in ms', most => 2000,
    faces('challenge_ms')],
  ['verify-analyze with all models, MB', most => 350,
    sub { $_[0]{faces} && $_[0]{faces}{memory_kb} / 1024 }],
);

# The goals with the values of a report: text, bound, goal, value, met.
sub judged {
  my ($report) = @_;
  return map {
    my ($text, $bound, $goal, $find) = @$_;
    my $value = $find->($report);
    {goal => $text, bound => $bound, wanted => $goal, value => $value,
      met => !defined $value ? undef
        : ($bound eq 'least' ? $value >= $goal : $value <= $goal) ? 1 : 0}
  } @goals;
}

sub show {
  print "\ngoals\n";
  printf "  %-50s at %-5s %6.2f   %s\n", @$_{qw(goal bound wanted)},
    defined $_->{value}
      ? sprintf('%8.2f   %s', $_->{value}, $_->{met} ? 'met' : 'MISSED')
      : 'not measured' for @_;
}

1;
