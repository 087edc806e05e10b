package Bench::Declines;
# Whether the time of an answer tells that trust reuse was declined: sessions
# are created for a person whom another organization verified, but whose
# verification does not satisfy, and for persons whom nobody knows, in turns.
#
# How well somebody could tell them apart is the chance that an answer about
# the known person took longer than one about an unknown person: 0.5 is none at
# all (the area under the receiver operating characteristic, which is the
# Mann-Whitney statistic). What chance alone makes of that is seen by comparing
# two unknown persons, and as the width of two standard errors.
use v5.32;
use warnings;
use Bench::Service;
use IO::Select;
use IO::Socket::INET;
use JSON::PP ();
use List::Util qw(shuffle);
use Time::HiRes qw(time);
use Verify::Participant;

my $known = 'known@example.com';
my @unknown = qw(nobody@example.com noone@example.com);
my $creations_a_second = 300;

# What declines: more of the request, or what is so in the database meanwhile.
my @reasons = (
  ['too weak', {min_strength => 'mdl'}],
  ['another jurisdiction', {jurisdiction => 'US-NV'}],
  ['verified too long ago', {max_age => '9d'},
    'UPDATE credential SET verified_at = verified_at - 864000000',
    'UPDATE credential SET verified_at = verified_at + 864000000'],
  ['credential revoked', {}, 'UPDATE credential SET revoked_at = 1',
    'UPDATE credential SET revoked_at = NULL'],
  ['source takes no part', {},
    q(UPDATE trust_reuse_settings SET enabled = false WHERE organization_id = ?),
    q(UPDATE trust_reuse_settings SET enabled = true WHERE organization_id = ?)],
);

# Writes a request at once and reads its answer: HTTP::Tiny sends head and body
# apart, and waits for the acknowledgement in between.
sub exchange {
  my ($socket, $request) = @_;
  my $begin = time;
  $socket->syswrite($request) == length $request or die "writing: $!\n";
  my $answer = '';
  until ($answer =~ /\r\nContent-Length: (\d+)\r\n.*?\r\n\r\n/si
      && length($answer) >= $+[0] + $1) {
    $socket->sysread($answer, 65536, length $answer) or die "reading: $!\n";
  }
  return (time - $begin, $answer);
}

sub creator {
  my ($service, $who) = @_;
  my $connect = sub { IO::Socket::INET->new(PeerAddr => '127.0.0.1',
    PeerPort => $service->instance->{http_port}) // die "connecting: $@\n" };
  my $socket = $connect->();
  return sub {
    my ($email, $more) = @_;
    # What can be read of a connection on which nothing was asked is its end.
    $socket = $connect->() if IO::Select->new($socket)->can_read(0);
    my $body = JSON::PP::encode_json({type => 'age', jurisdiction => 'US-CA',
      workflow_id => $who->{workflow_id}, email => $email, %$more});
    my ($took, $answer) = exchange($socket, join "\r\n",
      'POST /v1/verification_sessions HTTP/1.1', 'Host: 127.0.0.1',
      "Authorization: Bearer $who->{app}{token}", 'Content-Type: application/json',
      'Content-Length: ' . length $body, '', $body);
    die "not declined: $answer\n" unless $answer =~ m{^HTTP/1.1 201 }
      && $answer =~ /"verification_path": ?null/;
    return $took;
  };
}

# The chance that one of @$slow is larger than one of @$fast.
sub chance {
  my ($slow, $fast) = @_;
  my @all = sort { $a->[0] <=> $b->[0] } map({ [$_, 1] } @$slow),
    map({ [$_, 0] } @$fast);
  my ($below, $pairs) = (0, 0);
  for (@all) {
    if ($_->[1]) { $pairs += $below } else { $below++ }
  }
  return $pairs / (@$slow * @$fast);
}

sub compare {
  my ($create, $count, $more) = @_;
  my %took;
  for (1 .. $count) {
    push @{$took{$_}}, $create->($_, $more) for shuffle $known, @unknown;
  }
  my $median = sub { 1000 * (sort { $a <=> $b } @{$_[0]})[$count / 2] };
  return {
    known_ms => $median->($took{$known}),
    unknown_ms => $median->($took{$unknown[0]}),
    chance => chance($took{$known}, [map { @$_ } @took{@unknown}]),
    chance_of_unknown => chance(@took{@unknown}),
    twice_error => 2 * sqrt((3 * $count + 1) / (12 * $count * 2 * $count)),
  };
}

sub measure {
  my ($service, $seconds) = @_;
  $service->configure(join "\n", 'VerifyTestIssuers on',
    'VerifyTrustReuseHourly 1000000', 'VerifyTrustReuseDaily 10000000', '');
  my $instance = $service->instance;
  my ($source, $target) = map { participant($instance) } 1 .. 2;
  my ($session, $view) = verify_sharing($instance, $source, email => $known);
  die "the specimen was not verified\n" unless $view->{status} eq 'verified';
  my $create = creator($service, $target);
  my @result;
  for (@reasons) {
    my ($reason, $more, $before, $after) = @$_;
    my @of = map { /\?/ ? $source->{id} : () } $before // ();
    $service->sql($before, @of) if $before;
    push @result, {reason => $reason,
      %{compare($create, $seconds * $creations_a_second, $more)}};
    $service->sql($after, @of) if $after;
  }
  return \@result;
}

sub show {
  my ($result) = @_;
  printf "\n%-24s %8s %10s   %s\n", 'trust reuse declined', 'known/ms',
    'unknown/ms', 'chance to tell by time (by chance alone)';
  printf "%-24s %8.3f %10.3f   %.3f (%.3f, +- %.3f)\n", @$_{
    qw(reason known_ms unknown_ms chance chance_of_unknown twice_error)} for @$result;
}

1;
