package Verify::LivenessProvider;
# A provider of liveness checks, for tests and as an example: HTTPS with a
# client certificate, and signed answers. A Verify::Server that records each
# question, without its pictures, in <directory>/questions.jsonl; each question
# uses the next of its behaviours:
#
#   result   passed          score, evaluation, name, version
#   claims   members of the payload that take the place of others
#   signer   another key than its own      replay  the number of an earlier answer
#   hang     seconds without any answer    flood   bytes of an endless answer
#   text     an answer that is no signature
use v5.32;
use warnings;
use parent 'Verify::Server';
use Digest::SHA qw(sha256 sha256_hex);
use IO::Socket::SSL;
use JSON::PP ();
use MIME::Base64 qw(decode_base64 encode_base64url);
use Time::HiRes qw(sleep time);
use Verify::Authority;
use Verify::Receiver;

my $json = JSON::PP->new->utf8->canonical;

# directory: receives its certificates and the files for the service
# (client.pem, client.key, root.pem, answers.pub).
sub create {
  my ($class, %options) = @_;
  mkdir $options{directory};
  my $self = $class->SUPER::new(%options);
  my $authority = $self->{authority} = Verify::Authority->new($self->{directory});
  $authority->authority('root');
  $authority->certificate('server', issuer => 'root', extensions => [
    'keyUsage=critical,digitalSignature', 'extendedKeyUsage=serverAuth',
    'subjectAltName=DNS:localhost,IP:127.0.0.1']);
  $authority->certificate('stranger', extensions => [
    'extendedKeyUsage=serverAuth', 'subjectAltName=DNS:localhost,IP:127.0.0.1']);
  $authority->signer('client', 'root', 'clientAuth');
  $authority->certificate($_) for qw(answers forger);
  Verify::Authority::openssl(qw(pkey -in), $authority->path('answers', 'key'),
    qw(-pubout -out), $authority->path('answers', 'pub'));
  $self->{certificate} = 'server';
  return $self;
}

sub url { "https://127.0.0.1:$_[0]{port}/liveness" }

# The directives that make a service use it.
sub directives {
  my ($self, %others) = @_;
  my $path = sub { $self->{authority}->path(@_) };
  my %words = (Name => 'Second Look', Signer => $path->(qw(answers pub)),
    Certificate => $path->(qw(client pem)), KeyFile => $path->(qw(client key)),
    CAFile => $path->(qw(root pem)), Timeout => 15000, %others);
  return join '', 'VerifyLivenessProvider ' . $self->url . "\n",
    map { qq(VerifyLivenessProvider$_ "$words{$_}"\n) }
    grep { defined $words{$_} } sort keys %words;
}

sub questions { $_[0]->records('questions.jsonl') }
sub forget { unlink "$_[0]{directory}/questions.jsonl" }

sub token {
  my ($self, $signer, $payload) = @_;
  my $text = join '.', map { encode_base64url($json->encode($_)) }
    {alg => 'ES256', typ => 'liveness+jwt'}, $payload;
  # Each connection is a process with its own files for signing.
  my $own = "$signer.$$";
  link $self->{authority}->path($signer, 'key'), $self->{authority}->path($own, 'key');
  return "$text." . encode_base64url($self->{authority}->sign_raw($own, $text));
}

sub evidence_of {
  my ($question) = @_;
  return sha256_hex(join '',
    map { sha256(decode_base64($_->{jpeg})) } @{$question->{pictures}});
}

sub answer_to {
  my ($self, $question, $behaviour) = @_;
  my $payload = {nonce => $question->{nonce}, challenge => $question->{challenge},
    evidence_sha256 => evidence_of($question), iat => int time,
    result => $behaviour->{result} // 'passed', score => $behaviour->{score} // 0.97,
    provider => {name => 'Second Look', version => $behaviour->{version} // '4.2'},
    $behaviour->{evaluation} ? (evaluation => $behaviour->{evaluation}) : (),
    %{$behaviour->{claims} // {}}};
  return $self->token($behaviour->{signer} // 'answers', $payload);
}

sub serve_connection {
  my ($self, $socket) = @_;
  local $SIG{CHLD} = 'DEFAULT'; # openssl is waited for
  my $path = sub { $self->{authority}->path(@_) };
  IO::Socket::SSL->start_SSL($socket, SSL_server => 1,
    SSL_cert_file => $path->($self->{certificate}, 'pem'),
    SSL_key_file => $path->($self->{certificate}, 'key'),
    SSL_ca_file => $path->('root', 'pem'),
    SSL_verify_mode => SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT)
    or return;
  my $buffer = '';
  while (my $request = Verify::Receiver::read_request($socket, \$buffer)) {
    my $behaviour = $self->next_behaviour // {};
    my $question = eval { $json->decode($request->{body}) } or return;
    my $answer = $behaviour->{text} // $self->answer_to($question, $behaviour);
    $answer = [$self->questions]->[$behaviour->{replay} - 1]{answer}
      if $behaviour->{replay};
    my @pictures = map { $_->{name} } @{delete $question->{pictures}};
    $self->append('questions.jsonl', {%$question, pictures => \@pictures,
      client => $socket->peer_certificate('commonName'), answer => $answer,
      path => $request->{path}});
    Verify::Receiver::answer($socket, {hang => $behaviour->{hang},
      flood => $behaviour->{flood}, body => $answer,
      headers => {'Content-Type' => 'application/jose'}}) or return;
  }
}

1;
