package WidgetMock;

# The service of t/lib/widget_mock.mjs: one session that the test puts into
# any state.

use v5.32;
use warnings;
use File::Basename qw(dirname);
use IPC::Open2;
use JSON::PP;
use PromptHTTP;

sub start {
  my ($class) = @_;
  my $self = bless {http => PromptHTTP->new(timeout => 30),
    json => JSON::PP->new->utf8, owner => $$}, $class;
  $self->{pid} = open2($self->{output}, $self->{input}, 'node',
    dirname(__FILE__) . '/widget_mock.mjs');
  my $port = readline $self->{output};
  die "the mock did not start" unless defined $port;
  chomp $port;
  $self->{base} = "http://localhost:$port";
  return $self;
}

sub base { $_[0]->{base} }

sub _mock {
  my ($self, $method, $wish) = @_;
  my $answer = $self->{http}->request($method, "$self->{base}/mock",
    {$wish ? (content => $self->{json}->encode($wish)) : ()});
  die "mock: $answer->{content}" unless $answer->{success};
  return $self->{json}->decode($answer->{content});
}

# A fresh session with these fields; its hosted page.
sub reset {
  my ($self, %fields) = @_;
  $self->_mock(POST => {reset => \%fields});
  return $self->link;
}

sub secret { 'vks_01jd0000000000000000000000_secret_test' }

sub page { "$_[0]->{base}/verify/vks_01jd0000000000000000000000" }

sub link { $_[0]->page . '#' . $_[0]->secret }

# A fresh grant with these fields (`revoked`: how many a revocation ends), or
# none; the page that ends it.
sub grant {
  my ($self, %fields) = @_;
  $self->_mock(POST => {reset => {}, %fields ? (grant => \%fields) : ()});
  return "$self->{base}/verify/revoke#" . $self->revoke_secret;
}

sub revoke_secret { 'trg_01jd0000000000000000000000_revoke_test' }

# Changes the session as if the service had.
sub change {
  my ($self, %fields) = @_;
  $self->_mock(POST => {change => \%fields});
}

# What the next submissions lead to, one set of fields each.
sub plan {
  my ($self, @outcomes) = @_;
  $self->_mock(POST => {plan => \@outcomes});
}

# Failures that replace the next answers: {status, code, retry_after}, {drop},
# {delay} (milliseconds, then the answer) or {hold} (until the next faults), for paths
# that start with {path}.
sub faults {
  my ($self, @faults) = @_;
  $self->_mock(POST => {faults => \@faults});
}

sub session { $_[0]->_mock('GET')->{session} }

# The requests so far: {method, path, bytes, type, magic, body, query}.
sub requests { @{$_[0]->_mock('GET')->{log}} }

sub DESTROY {
  my ($self) = @_;
  return if !$self->{pid} || $self->{owner} != $$;
  local ($@, $?, $!);
  close $self->{input};
  waitpid $self->{pid}, 0;
}

1;
