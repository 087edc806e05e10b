# Images before they are read: who may not send one is told so at once, and no
# session takes the memory, the threads or the database of all.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use IO::Socket::INET;
use JSON::PP ();
use Verify::Test;

my $service = Verify::Instance->start(conf => <<'CONF');
StartServers 1
ServerLimit 1
MaxRequestWorkers 64
VerifyBodyTime 1
CONF
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $true = JSON::PP::true;

sub create {
  my $session = answer_is($organization->{client}->post(
    '/v1/verification_sessions', {type => 'age', jurisdiction => 'US-CA',
      workflow_id => $organization->{workflow_id}}), 201, 'session created');
  $session->{person} = $service->client($session->{client_secret});
  $session->{path} = "/v1/widget/sessions/$session->{id}";
  return $session;
}
sub ready {
  my $session = create();
  $session->{person}->post("$session->{path}/open", {});
  $session->{person}->post("$session->{path}/consent", {consent => $true});
  return $session;
}
sub head {
  my ($session, $length, @more) = @_;
  return join "\r\n", "PUT $session->{path}/images/front HTTP/1.1", 'Host: a',
    "Authorization: Bearer $session->{client_secret}", 'Content-Type: image/jpeg',
    "Content-Length: $length", @more, '', '';
}
sub put {
  my ($session) = @_;
  return $session->{person}->put("$session->{path}/images/front", "\xff\xd8\xff",
    'Content-Type' => 'image/jpeg');
}

# A socket on which an upload waits for its body: the service asked for it.
sub begin_upload {
  my ($session) = @_;
  my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1',
    PeerPort => $service->{http_port}) or die "cannot connect: $@\n";
  print $socket head($session, 1000, 'Expect: 100-continue');
  my $line = <$socket>;
  return $line =~ m{\AHTTP/1\.1 100 } ? $socket : $line =~ s/\s+\z//r;
}

subtest 'a stranger is refused before the body' => sub {
  my $session = ready();
  my %stranger = (%$session, client_secret => $session->{client_secret} =~ s/.\z/_/r);
  # What the service would read if it waited for it never comes.
  like $service->client->raw(head(\%stranger, 20_000_000)),
    qr{\AHTTP/1\.1 401 .*"client_secret_invalid"}s, 'with a wrong secret';
  like $service->client->raw(head({%stranger, client_secret => 'x'}, 20_000_000)),
    qr{\AHTTP/1\.1 401 .*"client_secret_invalid"}s, 'with none';
  my $other = ready();
  like $service->client->raw(head({%$other, path => $session->{path}}, 20_000_000)),
    qr{\AHTTP/1\.1 401 .*"client_secret_invalid"}s, 'with another session\'s';
};

subtest 'and so is who has no use for it' => sub {
  my $session = create();
  like $service->client->raw(head($session, 20_000_000)),
    qr{\AHTTP/1\.1 409 .*"session_state_conflict"}s, 'before the consent';
  $session->{person}->post("$session->{path}/cancel", {});
  like $service->client->raw(head($session, 20_000_000)),
    qr{\AHTTP/1\.1 409 .*"session_terminal"}s, 'after the end';
  my $late = ready();
  $service->sql('UPDATE verification_session SET expires_at = 1 WHERE id = ?',
    $late->{id});
  like $service->client->raw(head($late, 20_000_000)),
    qr{\AHTTP/1\.1 409 .*"session_terminal"}s, 'when its time is over';
};

subtest 'two at a time of a session, eight in a child' => sub {
  my @sessions = map { ready() } 1 .. 5;
  my @open = map { begin_upload($sessions[0]) } 1, 2;
  ok ref $_, 'a place for each of two' for @open;
  my $third = put($sessions[0]);
  error_is($third, 429, 'rate_limit_exceeded');
  cmp_ok $third->header('Retry-After'), '>', 0, 'for a moment';
  push @open, map { (begin_upload($_), begin_upload($_)) } @sessions[1 .. 3];
  is grep({ ref } @open), 8, 'others have theirs';
  my $ninth = put($sessions[4]);
  error_is($ninth, 503, 'service_unavailable');
  cmp_ok $ninth->header('Retry-After'), '>', 0, 'for a moment';
  answer_is($sessions[4]{person}->get($sessions[4]{path}), 200, 'all else is served');
  close $_ for @open;
  ok wait_for { put($sessions[4])->status == 200 }, 'places become free';
};

subtest 'thirty in a quarter of an hour' => sub {
  my $session = ready();
  my %count;
  $count{put($session)->status}++ for 1 .. 30;
  is_deeply \%count, {200 => 30}, 'thirty pass';
  my $more = put($session);
  error_is($more, 429, 'rate_limit_exceeded');
  cmp_ok $more->header('Retry-After'), '>', 2, 'until the first is forgotten';
  is put(ready())->status, 200, 'other sessions go on';
};

subtest 'what never ends is ended' => sub {
  my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1',
    PeerPort => $service->{http_port}) or die "cannot connect: $@\n";
  local $SIG{PIPE} = 'IGNORE';
  print $socket head(ready(), 1_000_000);
  my $ready = '';
  vec($ready, fileno $socket, 1) = 1;
  my $answer = '';
  for (1 .. 200) {
    syswrite $socket, 'x' x 100;
    next unless select my $read = $ready, undef, undef, 0.05;
    sysread $socket, $answer, 65536;
    last;
  }
  like $answer, qr{\AHTTP/1\.1 408 .*"request_timeout"}s, 'however steadily it comes';
};

finish($service);
