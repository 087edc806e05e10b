package Verify::MailReceiver;
# A mail server for tests, one process a connection: SMTP with STARTTLS or TLS
# from the start, and AUTH PLAIN. It appends every e-mail that was sent to its
# end to <directory>/mails.jsonl and behaves as <directory>/behaviour.json says
# when a connection comes: one behaviour, or a list of them of which each
# connection takes the next (the last one stays).
#
#   greeting, ehlo, mail, rcpt, data, text   replies instead of the good ones
#   hang     the name of one of these steps: no reply to it, for a minute
use v5.32;
use warnings;
use Fcntl qw(:flock :DEFAULT);
use IO::Socket::SSL;
use JSON::PP ();
use MIME::Base64 qw(decode_base64);
use POSIX ();
use Time::HiRes qw(sleep time);
use Verify::Wait;

my $json = JSON::PP->new->utf8->canonical;

# directory; certificate and key: STARTTLS is offered; tls => 1: TLS from the
# start; login => 'user:password'.
sub new {
  my ($class, %options) = @_;
  my $self = bless {%options, owner => $$}, $class;
  mkdir $self->{directory};
  $self->{listener} = IO::Socket::INET->new(LocalAddr => '127.0.0.1',
    Listen => 64, ReuseAddr => 1) or die "mail receiver: cannot listen: $@\n";
  $self->{port} = $self->{listener}->sockport;
  return $self;
}

sub start {
  my ($self) = @_;
  $self->{pid} = fork // die "mail receiver: cannot fork: $!\n";
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
  kill TERM => $self->{pid};
  waitpid delete $self->{pid}, 0;
}
sub DESTROY { local ($?, $@); $_[0]->stop }

sub url { ($_[0]{tls} ? 'smtps' : 'smtp') . "://127.0.0.1:$_[0]{port}" }

sub behave {
  my ($self, @behaviours) = @_;
  unlink "$self->{directory}/turn";
  my $path = "$self->{directory}/behaviour.json";
  open my $file, '>', "$path.new" or die "$path: $!\n";
  print $file $json->encode(\@behaviours);
  close $file or die "$path: $!\n";
  rename "$path.new", $path or die "$path: $!\n";
}

# What arrived so far: time, encrypted, login, from, recipients, message.
sub mails {
  my ($self, $filter) = @_;
  open my $file, '<', "$self->{directory}/mails.jsonl" or return;
  my @mails = map { $json->decode($_) } grep { /\n\z/ } <$file>;
  return $filter ? grep { $filter->($_) } @mails : @mails;
}
sub wait_for_mail {
  my ($self, $filter, $seconds) = @_;
  return wait_for { ($self->mails($filter))[0] } $seconds;
}
# Connections that came so far.
sub connections {
  my ($self) = @_;
  return -s "$self->{directory}/connections" // 0;
}
sub forget {
  my ($self) = @_;
  unlink map { "$self->{directory}/$_" } qw(mails.jsonl connections);
}

sub append {
  my ($self, $name, $text) = @_;
  sysopen my $file, "$self->{directory}/$name", O_WRONLY | O_APPEND | O_CREAT
    or return;
  syswrite $file, $text;
}

sub next_behaviour {
  my ($self) = @_;
  open my $file, '<', "$self->{directory}/behaviour.json" or return {};
  my $behaviours = do { local $/; $json->decode(<$file>) };
  return $behaviours->[0] // {} if @$behaviours < 2;
  sysopen my $turn, "$self->{directory}/turn", O_RDWR | O_CREAT or return {};
  flock $turn, LOCK_EX;
  my $index = <$turn> // 0;
  seek $turn, 0, 0;
  syswrite $turn, $index + 1 . "\n";
  return $behaviours->[$index < @$behaviours ? $index : -1];
}

# The server itself: ends with SIGTERM, and its children with it.
sub serve {
  my ($self) = @_;
  setpgrp;
  local $SIG{CHLD} = 'IGNORE';
  local $SIG{PIPE} = 'IGNORE';
  $SIG{INT} = 'IGNORE';
  $SIG{TERM} = sub { local $SIG{TERM} = 'IGNORE'; kill TERM => -$$; POSIX::_exit(0) };
  while (1) {
    my $socket = $self->{listener}->accept or next;
    $self->append(connections => '.');
    my $pid = fork // next;
    next if $pid;
    $SIG{TERM} = 'DEFAULT';
    close $self->{listener};
    eval { $self->serve_connection($socket) };
    POSIX::_exit(0);
  }
}

sub encrypt {
  my ($self, $socket) = @_;
  return IO::Socket::SSL->start_SSL($socket, SSL_server => 1,
    SSL_cert_file => $self->{certificate}, SSL_key_file => $self->{key});
}

sub read_line {
  my ($socket) = @_;
  my $line = readline $socket;
  die "gone\n" unless defined $line;
  return $line =~ s/\r?\n\z//r;
}

# The reply of a step, or the other one that the behaviour has for it; true
# when the step may go on.
sub reply {
  my ($state, $step, $good) = @_;
  my $behaviour = $state->{behaviour};
  sleep 60 if ($behaviour->{hang} // '') eq $step;
  my $reply = $behaviour->{$step} // $good;
  $state->{socket}->print("$reply\r\n");
  $state->{socket}->flush;
  return $reply =~ /\A[23]/;
}

sub extensions {
  my ($self, $state) = @_;
  return join "\r\n", '250-mail.example', ($self->{certificate}
    && !$state->{encrypted} ? '250-STARTTLS' : ()),
    ($self->{login} && $state->{encrypted} ? '250-AUTH PLAIN' : ()), '250 8BITMIME';
}

sub read_text {
  my ($socket) = @_;
  my $text = '';
  while (1) {
    my $line = readline $socket;
    die "gone\n" unless defined $line;
    return $text if $line eq ".\r\n";
    $text .= $line =~ s/\A\.//r;
  }
}

my %commands = (
  EHLO => sub {
    my ($self, $state) = @_;
    reply($state, ehlo => $self->extensions($state));
  },
  HELO => sub { reply($_[1], ehlo => '250 mail.example') },
  STARTTLS => sub {
    my ($self, $state) = @_;
    reply($state, starttls => '220 go ahead');
    $self->encrypt($state->{socket}) or die "no TLS\n";
    $state->{encrypted} = 1;
  },
  AUTH => sub {
    my ($self, $state, $rest) = @_;
    my ($kind, $initial) = split / /, $rest;
    if (!defined $initial) {
      reply($state, challenge => '334 ');
      $initial = read_line($state->{socket});
    }
    my (undef, @login) = split /\0/, decode_base64($initial);
    $state->{login} = join ':', @login;
    reply($state, auth => $state->{login} eq ($self->{login} // '')
      ? '235 welcome' : '535 no');
  },
  MAIL => sub {
    my ($self, $state, $rest) = @_;
    return reply($state, mail => '530 log in first')
      if $self->{login} && !$state->{login};
    ($state->{from}) = $rest =~ /\AFROM:<(.*?)>/;
    $state->{recipients} = [];
    reply($state, mail => '250 ok');
  },
  RCPT => sub {
    my ($self, $state, $rest) = @_;
    my ($recipient) = $rest =~ /\ATO:<(.*?)>/;
    push @{$state->{recipients}}, $recipient
      if reply($state, rcpt => '250 ok');
  },
  DATA => sub {
    my ($self, $state) = @_;
    reply($state, data => '354 go on') or return;
    my $message = read_text($state->{socket});
    $self->append('mails.jsonl', $json->encode({time => time,
      message => $message, login => $state->{login},
      encrypted => $state->{encrypted} ? 1 : 0, from => $state->{from},
      recipients => $state->{recipients}}) . "\n");
    reply($state, text => '250 taken');
  },
  QUIT => sub { reply($_[1], quit => '221 bye'); die "bye\n" },
);

sub serve_connection {
  my ($self, $socket) = @_;
  my %state = (socket => $socket, behaviour => $self->next_behaviour);
  if ($self->{tls}) {
    $self->encrypt($socket) or return;
    $state{encrypted} = 1;
  }
  reply(\%state, greeting => '220 mail.example ESMTP');
  while (1) {
    my ($command, $rest) = split / /, read_line($socket), 2;
    my $run = $commands{uc $command};
    $run ? $run->($self, \%state, $rest // '')
      : reply(\%state, unknown => '502 what?');
  }
}

1;
