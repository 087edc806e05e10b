package Verify::OidcClient;
# A client of the OpenID Connect provider, independent of the service's own code:
# it makes authorization requests, exchanges codes, and checks ID tokens with
# openssl and the published keys.
use v5.32;
use warnings;
use Digest::SHA qw(sha256);
use File::Temp ();
use JSON::PP ();
use MIME::Base64 qw(encode_base64 encode_base64url decode_base64url);
use PromptHTTP;

my $json = JSON::PP->new->utf8->canonical;

# issuer, ca_file, client_id, redirect_uri; client_secret, or key (a file with a
# private key) with alg and kid; alg: of ID tokens
sub new {
  my ($class, %options) = @_;
  my $http = PromptHTTP->new(agent => 'mod_verify-tests', timeout => 60,
    max_redirect => 0, verify_SSL => 1,
    SSL_options => {SSL_ca_file => $options{ca_file}});
  return bless {http => $http, %options}, $class;
}

sub random_text { encode_base64url(Verify::Instance::random_bytes(32)) }

sub escape {
  my ($text) = @_;
  return $text =~ s/([^A-Za-z0-9_.~-])/sprintf '%%%02X', ord $1/ger;
}
sub query {
  my (%parameters) = @_;
  return join '&', map { "$_=" . escape($parameters{$_}) }
    grep { defined $parameters{$_} } sort keys %parameters;
}

sub get {
  my ($self, $path) = @_;
  my $answer = $self->{http}->get($self->{issuer} . $path);
  die "$path: $answer->{status} $answer->{content}\n" unless $answer->{success};
  return $json->decode($answer->{content});
}
sub configuration { $_[0]->get('/.well-known/openid-configuration') }

# Begins a login and remembers what has to come back; returns the path with its
# query. Parameters that are undef are left out.
sub authorize {
  my ($self, %parameters) = @_;
  $self->{verifier} = random_text();
  $self->{state} = random_text();
  $self->{nonce} = random_text();
  return '/v1/oidc/authorize?' . query(client_id => $self->{client_id},
    redirect_uri => $self->{redirect_uri}, response_type => 'code',
    scope => 'openid age', state => $self->{state}, nonce => $self->{nonce},
    code_challenge => encode_base64url(sha256($self->{verifier})),
    code_challenge_method => 'S256', %parameters);
}

# The parameters of LOCATION, if it is the redirect URI.
sub returned {
  my ($self, $location) = @_;
  my $uri = $self->{redirect_uri};
  my ($query) = $location =~ /\A\Q$uri\E[?&](.*)\z/ or return;
  return {map { my ($name, $value) = split /=/, $_, 2;
    $name => $value =~ tr/+/ /r =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ger } split /&/, $query};
}

# Whether the response is the one to the request that was made last.
sub is_answer {
  my ($self, $returned) = @_;
  return ($returned->{state} // '') eq $self->{state}
    && ($returned->{iss} // '') eq $self->{issuer};
}

# Exchanges CODE; the status and the decoded answer. `headers` replaces the
# authentication.
sub exchange {
  my ($self, $code, %change) = @_;
  my $headers = delete $change{headers};
  my %form = (grant_type => 'authorization_code', code => $code,
    redirect_uri => $self->{redirect_uri}, code_verifier => $self->{verifier});
  if ($headers) {
    # as given
  } elsif ($self->{client_secret}) {
    $headers = {Authorization => 'Basic '
      . encode_base64("$self->{client_id}:$self->{client_secret}", '')};
  } elsif ($self->{key}) {
    %form = (%form, $self->assertion);
  } else {
    $form{client_id} = $self->{client_id};
  }
  my $answer = $self->{http}->request('POST', "$self->{issuer}/v1/oidc/token", {
    headers => {'Content-Type' => 'application/x-www-form-urlencoded', %{$headers // {}}},
    content => query(%form, %change)});
  $self->{last} = $answer;
  return ($answer->{status}, eval { $json->decode($answer->{content}) } // {});
}

# --- tokens ---

sub openssl {
  my ($input, @arguments) = @_;
  my $file = File::Temp->new;
  binmode $file;
  print $file $input;
  $file->flush;
  open my $out, '-|', 'openssl', @arguments, "$file" or die "openssl: $!\n";
  local $/;
  binmode $out;
  my $text = <$out>;
  close $out;
  return wantarray ? ($text, $?) : $text;
}
sub in_file {
  my ($bytes) = @_;
  my $file = File::Temp->new;
  binmode $file;
  print $file $bytes;
  $file->flush;
  return $file;
}

sub der { my ($tag, $bytes) = @_;
  my $length = length $bytes;
  return chr($tag) . ($length < 128 ? chr $length
    : $length < 256 ? "\x81" . chr $length : "\x82" . pack 'n', $length) . $bytes;
}
sub der_number { my ($bytes) = @_;
  $bytes =~ s/\A\0+(?=.)//s;
  return der(2, ord($bytes) & 0x80 ? "\0$bytes" : $bytes);
}

# SubjectPublicKeyInfo of a JWK.
sub public_key {
  my ($jwk) = @_;
  return pack('H*', '3059301306072a8648ce3d020106082a8648ce3d030107034200') . "\x04"
    . decode_base64url($jwk->{x}) . decode_base64url($jwk->{y}) if $jwk->{kty} eq 'EC';
  my $key = der(0x30, der_number(decode_base64url($jwk->{n}))
    . der_number(decode_base64url($jwk->{e})));
  return der(0x30, pack('H*', '300d06092a864886f70d0101010500') . der(3, "\0$key"));
}

# A signed token with these CLAIMS.
sub sign {
  my ($claims, %options) = @_;
  my $header = {alg => $options{alg}, typ => 'JWT', %{$options{header} // {}},
    $options{kid} ? (kid => $options{kid}) : ()};
  my $text = join '.', map { encode_base64url($json->encode($_)) } $header, $claims;
  my $signature = openssl($text, qw(dgst -sha256 -sign), $options{key});
  if ($options{alg} eq 'ES256') {
    my ($r, $s) = $signature =~ /\A\x30.\x02(.)(.*)\z/s ? do {
      my $length = ord $1;
      (substr($2, 0, $length), substr $2, $length + 2);
    } : die "no signature\n";
    $signature = join '', map { substr "\0" x 32 . $_, -32 } $r, $s;
  }
  return "$text." . encode_base64url($signature);
}

sub assertion {
  my ($self, %claims) = @_;
  return (client_assertion_type => 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion => sign({iss => $self->{client_id}, sub => $self->{client_id},
      aud => "$self->{issuer}/v1/oidc/token", jti => random_text(), iat => time,
      exp => time + 60, %claims}, key => $self->{key}, alg => $self->{key_alg}, kid => $self->{kid}));
}

# The claims of TOKEN and its header; dies if it is not signed by a published key
# for this client.
sub check {
  my ($self, $token) = @_;
  my ($header, $claims, $signature) = map { decode_base64url($_) } split /\./, $token;
  $_ = $json->decode($_) for $header, $claims;
  die "alg $header->{alg}\n" if $header->{alg} ne ($self->{alg} // 'RS256');
  my ($jwk) = grep { $_->{kid} eq $header->{kid} } @{$self->get('/v1/oidc/jwks')->{keys}}
    or die "no key $header->{kid}\n";
  die "the key is for $jwk->{alg}\n" if $jwk->{alg} ne $header->{alg};
  $signature = der(0x30, join '', map { der_number($_) } unpack 'a32 a32', $signature)
    if $header->{alg} eq 'ES256';
  my ($text) = $token =~ /\A(.*)\./;
  my ($key, $signed) = (in_file(public_key($jwk)), in_file($signature));
  my ($said) = openssl($text, qw(dgst -sha256 -keyform DER -verify), "$key", '-signature', "$signed");
  die "wrong signature\n" unless $said =~ /Verified OK/;
  die "iss $claims->{iss}\n" if $claims->{iss} ne $self->{issuer};
  die "aud $claims->{aud}\n" if $claims->{aud} ne $self->{client_id};
  die "expired\n" if $claims->{exp} <= time || $claims->{iat} > time + 5;
  die "nonce\n" if ($claims->{nonce} // '') ne ($self->{nonce} // '');
  return wantarray ? ($claims, $header) : $claims;
}

1;
