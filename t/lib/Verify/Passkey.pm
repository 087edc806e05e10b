package Verify::Passkey;
# A WebAuthn authenticator and the browser around it, in software: it answers the options
# of the service, and each part of an answer can be changed.
#
#   my $device = Verify::Passkey->new(origin => $origin);     # alg => -7, -8, -257
#   my $body = $device->create($options);                     # registration/finish
#   $body = $device->get($options, count => 7);               # assertion/finish
# `client` changes members of the client data, `text` its JSON, `object` the bytes of the
# attestation object.
use v5.32;
use warnings;
use Digest::SHA qw(sha256);
use File::Temp ();
use JSON::PP ();
use MIME::Base64 qw(encode_base64url decode_base64url);

my $json = JSON::PP->new->utf8->canonical;

sub new {
  my ($class, %self) = @_;
  my $self = bless {alg => -7, count => 0, directory => File::Temp->newdir, %self}, $class;
  $self->{key} = "$self->{directory}/key.pem";
  $self->{id} //= join '', map { chr rand 256 } 1 .. 32;
  $self->_openssl('genpkey', '-out', $self->{key}, $self->{alg} == -257
      ? qw(-algorithm RSA -pkeyopt rsa_keygen_bits:2048)
    : $self->{alg} == -8 ? qw(-algorithm ED25519)
    : qw(-algorithm EC -pkeyopt ec_paramgen_curve:P-256));
  return $self;
}

sub _openssl {
  my ($self, @arguments) = @_;
  my $pid = open my $output, '-|' // die "fork: $!\n";
  if (!$pid) {
    open STDERR, '>', '/dev/null';
    exec 'openssl', @arguments or CORE::exit(127);
  }
  binmode $output;
  my $bytes = do { local $/; <$output> };
  close $output or die "openssl @arguments: status $?\n";
  return $bytes;
}

# --- CBOR ---

sub head {
  my ($major, $value) = @_;
  return $value < 24 ? chr($major << 5 | $value)
    : $value < 256 ? pack('CC', $major << 5 | 24, $value) : pack 'Cn', $major << 5 | 25, $value;
}
sub integer { $_[0] < 0 ? head(1, -1 - $_[0]) : head(0, $_[0]) }
sub bytes { head(2, length $_[0]) . $_[0] }
sub text { head(3, length $_[0]) . $_[0] }

# The COSE_Key; ALG is what it claims.
sub public_key {
  my ($self, $alg) = @_;
  my $der = $self->_openssl(qw(pkey -pubout -outform DER -in), $self->{key});
  my $head = sub { head(5, $_[0]) . integer(1) . integer($_[1]) . integer(3)
    . integer($alg // $self->{alg}) };
  return $head->(4, 1) . integer(-1) . integer(6) . integer(-2) . bytes(substr $der, -32)
    if $self->{alg} == -8;
  return $head->(4, 3) . integer(-1) . bytes(substr $der, -261, 256) . integer(-2)
    . bytes("\1\0\1") if $self->{alg} == -257;
  return $head->(5, 2) . integer(-1) . integer(1) . integer(-2)
    . bytes(substr $der, -64, 32) . integer(-3) . bytes(substr $der, -32);
}

# --- the two ceremonies ---

sub client_data {
  my ($self, $type, $options, %with) = @_;
  my $text = $json->encode({type => $type, challenge => $options->{public_key}{challenge},
    origin => $self->{origin}, crossOrigin => JSON::PP::false, %{$with{client} // {}}});
  return $with{text} ? $with{text}->($text) : $text;
}

sub authenticator_data {
  my ($self, $rp_id, $flags, $more) = @_;
  return sha256($rp_id) . pack('CN', $flags, $self->{count}) . $more;
}

sub create {
  my ($self, $options, %with) = @_;
  my $given = $options->{public_key};
  $self->{user} = $given->{user}{id};
  my $data = $self->authenticator_data($with{rp_id} // $given->{rp}{id},
    $with{flags} // 0x45, "\0" x 16 . pack('n', length $self->{id}) . $self->{id}
      . ($with{key} // $self->public_key));
  my $object = head(5, 3) . text('fmt') . text('none') . text('attStmt') . head(5, 0)
    . text('authData') . bytes($data);
  $object = $with{object}->($object) if $with{object};
  return {client_data => encode_base64url($self->client_data('webauthn.create', $options, %with)),
    attestation_object => encode_base64url($object)};
}

sub sign {
  my ($self, $text) = @_;
  my $path = "$self->{directory}/text";
  open my $file, '>:raw', $path or die "$path: $!\n";
  print $file $text;
  close $file or die "$path: $!\n";
  return $self->_openssl(qw(pkeyutl -sign -rawin -inkey), $self->{key}, '-in', $path)
    if $self->{alg} == -8;
  return $self->_openssl(qw(dgst -sha256 -sign), $self->{key}, $path);
}

sub get {
  my ($self, $options, %with) = @_;
  $self->{count} = $with{count} // $self->{count};
  my $client = $self->client_data('webauthn.get', $options, %with);
  my $data = $self->authenticator_data($with{rp_id} // $options->{public_key}{rpId},
    $with{flags} // 0x05, $with{more} // '');
  return {credential => encode_base64url($self->{id}), client_data => encode_base64url($client),
    authenticator_data => encode_base64url($data), user_handle => $with{user} // $self->{user},
    signature => encode_base64url($with{signature} // $self->sign($data . sha256($client)))};
}

1;
