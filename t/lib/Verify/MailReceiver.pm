package Verify::MailReceiver;
# A mail server for tests: SMTP with STARTTLS or TLS from the start, and AUTH
# PLAIN. It is a Verify::Server that records every complete e-mail in
# <directory>/mails.jsonl; each connection uses the next of its behaviours:
#
#   greeting, ehlo, mail, rcpt, data, text   replies instead of the good ones
#   hang     the name of one of these steps: no reply to it, for a minute
use v5.32;
use warnings;
use parent 'Verify::Server';
use IO::Socket::SSL;
use MIME::Base64 qw(decode_base64);
use Time::HiRes qw(sleep time);
use Verify::Wait;

sub url { ($_[0]{tls} ? 'smtps' : 'smtp') . "://127.0.0.1:$_[0]{port}" }

# The e-mails so far: time, encrypted, login, from, recipients, message.
sub mails {
  my ($self, $filter) = @_;
  my @mails = $self->records('mails.jsonl');
  return $filter ? grep { $filter->($_) } @mails : @mails;
}
sub wait_for_mail {
  my ($self, $filter, $seconds) = @_;
  return wait_for { ($self->mails($filter))[0] } $seconds;
}
# The number of connections so far.
sub connections {
  my ($self) = @_;
  return scalar(() = $self->records('connections.jsonl'));
}
sub forget {
  my ($self) = @_;
  unlink map { "$self->{directory}/$_.jsonl" } qw(mails connections);
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

# Sends the reply of a step, or the behaviour's instead; true if the step may
# continue.
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
    $self->append('mails.jsonl', {time => time, message => $message,
      login => $state->{login}, encrypted => $state->{encrypted} ? 1 : 0,
      from => $state->{from}, recipients => $state->{recipients}});
    reply($state, text => '250 taken');
  },
  QUIT => sub { reply($_[1], quit => '221 bye'); die "bye\n" },
);

sub serve_connection {
  my ($self, $socket, $number) = @_;
  my %state = (socket => $socket, behaviour => $self->next_behaviour);
  $self->append('connections.jsonl', {number => $number});
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
