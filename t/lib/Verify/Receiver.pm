package Verify::Receiver;
# A webhook receiver with TLS, one process a connection, for tests and for the
# demonstration. It appends every request to <directory>/requests.jsonl and
# behaves as <directory>/behaviour.json says at that moment: one behaviour, or
# a list of them of which each request takes the next (the last one stays).
#
#   status  200          headers {}        body ""
#   delay   seconds before the answer      hang  seconds without any answer
#   drip    seconds between the bytes      flood bytes of body, unannounced
#   trickle the same, of the body alone
#   endless 1: header lines without end
#   close   1: ends the connection instead of answering
#
# <directory>/secrets.json maps paths to signing secrets; a request to one of
# them whose signature is wrong gets 400 and is recorded with the fault.
use v5.32;
use warnings;
use Fcntl qw(:flock :DEFAULT);
use IO::Socket::SSL;
use JSON::PP ();
use POSIX ();
use Time::HiRes qw(sleep time);
use Verify::Signature qw(signature_fault);
use Verify::Wait;

my $json = JSON::PP->new->utf8->canonical;

# directory, certificate, key, [port]
sub new {
  my ($class, %options) = @_;
  my $self = bless {%options, owner => $$}, $class;
  mkdir $self->{directory};
  $self->{listener} = IO::Socket::INET->new(
    LocalAddr => '127.0.0.1', LocalPort => $self->{port} // 0,
    Listen => 1024, ReuseAddr => 1) or die "receiver: cannot listen: $@\n";
  $self->{port} = $self->{listener}->sockport;
  return $self;
}

sub start {
  my ($self) = @_;
  $self->{pid} = fork // die "receiver: cannot fork: $!\n";
  if (!$self->{pid}) {
    $self->serve;
    POSIX::_exit(0);
  }
  close delete $self->{listener};
  return $self;
}

sub stop {
  my ($self) = @_;
  return unless $self->{pid} && $self->{owner} == $$;
  kill TERM => -$self->{pid};
  kill TERM => $self->{pid};
  waitpid delete $self->{pid}, 0;
}
sub DESTROY { local ($?, $@); $_[0]->stop }

sub url { "https://127.0.0.1:$_[0]{port}" . ($_[1] // '/webhooks') }

sub write_file {
  my ($self, $name, $value) = @_;
  my $path = "$self->{directory}/$name";
  open my $file, '>', "$path.new" or die "$path: $!\n";
  print $file $json->encode($value);
  close $file or die "$path: $!\n";
  rename "$path.new", $path or die "$path: $!\n";
}
sub read_file {
  my ($self, $name) = @_;
  open my $file, '<', "$self->{directory}/$name" or return;
  local $/;
  return $json->decode(<$file>);
}

sub behave {
  my ($self, @behaviours) = @_;
  unlink "$self->{directory}/turn";
  $self->write_file('behaviour.json', \@behaviours);
}
sub expect_secret {
  my ($self, $path, $secret) = @_;
  my $secrets = $self->read_file('secrets.json') // {};
  $secrets->{$path} = $secret;
  $self->write_file('secrets.json', $secrets);
}

# What arrived so far: time, path, headers, body, event (decoded), fault.
sub requests {
  my ($self, $filter) = @_;
  open my $file, '<', "$self->{directory}/requests.jsonl" or return;
  my @requests = map { $json->decode($_) } grep { /\n\z/ } <$file>;
  for my $request (@requests) {
    $request->{event} = eval { $json->decode($request->{body}) };
  }
  return $filter ? grep { $filter->($_) } @requests : @requests;
}
sub wait_for_request {
  my ($self, $filter, $seconds) = @_;
  return wait_for { ($self->requests($filter))[0] } $seconds;
}
sub forget { unlink "$_[0]{directory}/requests.jsonl" }

# The server itself: ends with its parent's SIGTERM, and its children with it.
sub serve {
  my ($self) = @_;
  setpgrp;
  local $SIG{CHLD} = 'IGNORE';
  local $SIG{PIPE} = 'IGNORE';
  $SIG{INT} = 'IGNORE';
  $SIG{TERM} = sub { local $SIG{TERM} = 'IGNORE'; kill TERM => -$$; POSIX::_exit(0) };
  my $connections = 0;
  while (1) {
    my $socket = $self->{listener}->accept or next;
    $connections++;
    my $pid = fork // next;
    next if $pid;
    $SIG{TERM} = 'DEFAULT';
    close $self->{listener};
    eval { $self->serve_connection($socket, $connections) };
    POSIX::_exit(0);
  }
}

sub serve_connection {
  my ($self, $socket, $number) = @_;
  IO::Socket::SSL->start_SSL($socket, SSL_server => 1,
    SSL_cert_file => $self->{certificate}, SSL_key_file => $self->{key})
    or return;
  my $buffer = '';
  while (my $request = read_request($socket, \$buffer)) {
    $request->{connection} = $number;
    my $behaviour = $self->next_behaviour;
    my $secret = ($self->read_file('secrets.json') // {})->{$request->{path}};
    if ($secret) {
      $request->{fault} = signature_fault($secret,
        $request->{headers}{'service-signature'}, $request->{body});
      $behaviour = {status => 400, body => $request->{fault}}
        if $request->{fault};
    }
    $self->record($request);
    answer($socket, $behaviour) or last;
  }
  $socket->close;
}

sub read_request {
  my ($socket, $buffer) = @_;
  until ($$buffer =~ /\r\n\r\n/) {
    sysread $socket, $$buffer, 65536, length $$buffer or return;
  }
  my ($head, $rest) = split /\r\n\r\n/, $$buffer, 2;
  my ($line, @fields) = split /\r\n/, $head;
  my ($method, $path) = split / /, $line;
  my %headers = map { /\A([^:]+):\s*(.*)\z/s ? (lc $1, $2) : () } @fields;
  my $length = $headers{'content-length'} // 0;
  while (length $rest < $length) {
    sysread $socket, $rest, 65536, length $rest or return;
  }
  $$buffer = substr $rest, $length;
  return {time => time, method => $method, path => $path,
    headers => \%headers, body => substr $rest, 0, $length};
}

sub record {
  my ($self, $request) = @_;
  sysopen my $file, "$self->{directory}/requests.jsonl",
    O_WRONLY | O_APPEND | O_CREAT or return;
  syswrite $file, $json->encode($request) . "\n";
}

sub next_behaviour {
  my ($self) = @_;
  my $behaviours = $self->read_file('behaviour.json') or return {};
  return $behaviours->[0] // {} if @$behaviours < 2;
  sysopen my $turn, "$self->{directory}/turn", O_RDWR | O_CREAT or return {};
  flock $turn, LOCK_EX;
  my $index = <$turn> // 0;
  seek $turn, 0, 0;
  syswrite $turn, $index + 1 . "\n";
  return $behaviours->[$index < @$behaviours ? $index : -1];
}

# Sends the answer; false when the connection is over.
sub answer {
  my ($socket, $behaviour) = @_;
  return 0 if $behaviour->{close};
  if ($behaviour->{hang}) {
    sleep $behaviour->{hang};
    return 0;
  }
  sleep $behaviour->{delay} if $behaviour->{delay};
  my $body = $behaviour->{body} // '';
  my %headers = ('Content-Length' => length $body,
    %{$behaviour->{headers} // {}});
  delete $headers{'Content-Length'} if $behaviour->{flood};
  my $status = $behaviour->{status} // 200;
  my $text = join "\r\n", "HTTP/1.1 $status Answer",
    (map { "$_: $headers{$_}" } sort keys %headers), '', $body;
  return flood($socket, $text, $behaviour->{flood}, 'x' x 16384)
    if $behaviour->{flood};
  return flood($socket, "HTTP/1.1 $status Answer\r\n", 'inf', "X-Line: more\r\n")
    if $behaviour->{endless};
  return drip($socket, $text, $behaviour->{drip}) if $behaviour->{drip};
  if ($behaviour->{trickle}) {
    my $head = substr $text, 0, -length $body;
    defined syswrite $socket, $head or return 0;
    return drip($socket, $body, $behaviour->{trickle});
  }
  return defined syswrite $socket, $text;
}
sub drip {
  my ($socket, $text, $pause) = @_;
  for my $byte (split //, $text) {
    defined syswrite $socket, $byte or return 0;
    sleep $pause;
  }
  return 1;
}
sub flood {
  my ($socket, $text, $bytes, $block) = @_;
  defined syswrite $socket, $text or return 0;
  for (my $sent = 0; $sent < $bytes; $sent += length $block) {
    defined syswrite $socket, $block or return 0;
  }
  return 0;
}

1;
