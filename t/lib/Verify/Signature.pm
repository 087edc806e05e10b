package Verify::Signature;
# Checks signatures like a webhook receiver, written from the interface's text
# and without the service's own code:
#   Service-Signature: t=<timestamp>,v1=<hex HMAC-SHA256 of "<timestamp>.<body>">
#   webhook-id, webhook-timestamp, webhook-signature: Standard Webhooks
use v5.32;
use warnings;
use Digest::SHA qw(hmac_sha256 hmac_sha256_hex);
use Exporter 'import';
use MIME::Base64 qw(decode_base64 encode_base64);

our @EXPORT_OK = qw(signature_fault standard_signature_fault);
use constant AGE_MAX => 300;

sub equal_constant_time {
  my ($left, $right) = @_;
  return 0 if length $left != length $right;
  my $difference = 0;
  $difference |= ord(substr $left, $_, 1) ^ ord(substr $right, $_, 1)
    for 0 .. length($left) - 1;
  return !$difference;
}

# Nothing if the header is right for the body, else the fault.
sub signature_fault {
  my ($secret, $header, $body, $now) = @_;
  $now //= time;
  return 'missing header' unless defined $header;
  $header =~ /\At=([0-9]{1,15}),v1=([0-9a-f]{64})\z/ or return 'malformed header';
  my ($timestamp, $signature) = ($1, $2);
  return 'too old' if $now - $timestamp > AGE_MAX;
  return 'from the future' if $timestamp - $now > AGE_MAX;
  return 'mismatch'
    unless equal_constant_time($signature,
    hmac_sha256_hex("$timestamp.$body", $secret));
  return;
}

# The same for the headers of Standard Webhooks (a hash of lower-case names).
sub standard_signature_fault {
  my ($secret, $headers, $body, $now) = @_;
  $now //= time;
  my ($id, $timestamp, $signatures) =
    map { $headers->{"webhook-$_"} // return "missing webhook-$_" }
    qw(id timestamp signature);
  return 'malformed timestamp' unless $timestamp =~ /\A[0-9]{1,15}\z/;
  return 'too old' if abs($now - $timestamp) > AGE_MAX;
  my $key = decode_base64($secret =~ s/\Awhsec_//r);
  my $expected = encode_base64(hmac_sha256("$id.$timestamp.$body", $key), '');
  for my $signature (split / /, $signatures) {
    return if equal_constant_time($signature, "v1,$expected");
  }
  return 'mismatch';
}

1;
