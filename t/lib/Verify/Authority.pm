package Verify::Authority;
# Certificates and signatures for tests, made by openssl: authorities, the
# certificates that they sign, and signatures by these.
use v5.32;
use warnings;
use POSIX qw(strftime);

sub new {
  my ($class, $directory) = @_;
  return bless {directory => $directory, serial => 100}, $class;
}

sub path { "$_[0]{directory}/$_[1].$_[2]" }

sub openssl {
  my (@arguments) = @_;
  my $pid = open my $output, '-|';
  die "cannot fork: $!\n" unless defined $pid;
  if (!$pid) {
    open STDERR, '>', '/dev/null';
    exec 'openssl', @arguments or CORE::exit(127);
  }
  binmode $output;
  local $/;
  my $text = <$output> // '';
  close $output or die "openssl @arguments: status $?\n";
  return $text;
}

sub bytes_of {
  my ($path) = @_;
  open my $file, '<:raw', $path or die "$path: $!\n";
  local $/;
  return <$file>;
}

sub write_bytes {
  my ($path, $bytes) = @_;
  open my $file, '>:raw', $path or die "$path: $!\n";
  print $file $bytes;
  close $file or die "$path: $!\n";
}

# Options for the term of a certificate: it ends in so many days. If that is in the past,
# OpenSSL from 3.4 on wants a beginning before it, which earlier ones cannot be told.
sub term {
  my ($days) = @_;
  my ($major, $minor) = openssl('version') =~ /\AOpenSSL ([0-9]+)\.([0-9]+)/;
  return ('-days', $days) if $days >= 0 || "$major.$minor" < 3.4;
  my ($from, $until) = map { strftime('%Y%m%d%H%M%SZ', gmtime(time + 86400 * $_)) }
    $days - 1, $days;
  return ('-not_before', $from, '-not_after', $until);
}

# A key and a certificate with these extensions. `issuer` is the authority
# (without one it is self-signed), `key` is "rsa" or a curve, `days` the term.
sub certificate {
  my ($self, $name, %options) = @_;
  my ($key, $request, $file) = map { $self->path($name, $_) } qw(key csr pem);
  my $kind = $options{key} // 'P-256';
  openssl(qw(genpkey -out), $key, $kind eq 'rsa'
    ? qw(-algorithm RSA -pkeyopt rsa_keygen_bits:2048)
    : (qw(-algorithm EC -pkeyopt), "ec_paramgen_curve:$kind"));
  my $country = $options{country} // 'UT';
  my $config = $self->path($name, 'cnf');
  write_bytes($config, "[x]\n" . join '', map { "$_\n" } @{$options{extensions}});
  openssl(qw(req -new -key), $key, '-subj', "/C=$country/CN=$name", '-out', $request);
  my @issuer = $options{issuer}
    ? ('-CA', $self->path($options{issuer}, 'pem'),
      '-CAkey', $self->path($options{issuer}, 'key'))
    : ('-signkey', $key);
  openssl(qw(x509 -req -in), $request, @issuer, '-set_serial', ++$self->{serial},
    term($options{days} // 365), '-extfile', $config, qw(-extensions x -sha256
    -out), $file);
  return $self;
}

# A root that may sign certificates and revocation lists.
sub authority {
  my ($self, $name, %options) = @_;
  return $self->certificate($name, extensions => [
    'basicConstraints=critical,CA:TRUE,pathlen:0',
    'keyUsage=critical,keyCertSign,cRLSign', 'subjectKeyIdentifier=hash'], %options);
}

# A certificate below ISSUER with an extended key usage.
sub signer {
  my ($self, $name, $issuer, $purpose, %options) = @_;
  return $self->certificate($name, issuer => $issuer, extensions => [
    'keyUsage=critical,digitalSignature', "extendedKeyUsage=critical,$purpose",
    'subjectKeyIdentifier=hash', 'authorityKeyIdentifier=keyid'], %options);
}

sub der { openssl('x509', '-in', $_[0]->path($_[1], 'pem'), '-outform', 'DER') }
sub pem { openssl('x509', '-in', $_[0]->path($_[1], 'pem')) }
sub copy_der { write_bytes($_[2], $_[0]->der($_[1])) }
sub copy_pem { write_bytes($_[2], $_[0]->pem($_[1])) }

# SHA-256 of the certificate, hexadecimal.
sub fingerprint {
  my ($self, $name) = @_;
  my $line = openssl('x509', '-in', $self->path($name, 'pem'), qw(-noout -sha256
    -fingerprint));
  return lc $line =~ s/.*=//sr =~ s/[:\n]//gr;
}

# The signature of BYTES by the key of a certificate on P-256: r and s, 32 bytes
# each, as in COSE and JOSE.
sub sign_raw {
  my ($self, $name, $bytes) = @_;
  my $file = $self->path($name, 'tbs');
  write_bytes($file, $bytes);
  my $der = openssl('dgst', '-sha256', '-sign', $self->path($name, 'key'), $file);
  my ($at, $raw) = (2, '');
  for (1 .. 2) {
    my $length = ord substr $der, $at + 1, 1;
    my $number = substr($der, $at + 2, $length) =~ s/\A\0+//r;
    $raw .= ("\0" x (32 - length $number)) . $number;
    $at += 2 + $length;
  }
  return $raw;
}

1;
