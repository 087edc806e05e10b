package Verify::Disclosure;
# What no log may hold: keys, secrets and tokens that open something, and what
# names a person. Of a finding only its kind and the masked line are told.
use v5.32;
use warnings;
use Exporter 'import';

our @EXPORT_OK = qw(disclosures);

my %kinds = (
  'an API key' => qr/\bsvc_[sp]k_[\w-]{8,}/,
  'a client secret' => qr/_secret_[\w-]{8,}/,
  'a signing secret' => qr/\bwhsec_[\w+\/=-]{8,}/,
  'a person token' => qr/\bvpt_[\w-]{8,}/,
  'an e-mail address' => qr/[\w.+-]+(?:@|%40)[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}/,
  'a phone number' => qr/(?<![\d:.])(?:\+|%2B)[1-9]\d{9,14}\b/,
  'a bearer token' => qr/\bBearer\s+[\w-]{16,}/i,
);

# The findings in the file at PATH behind its first OFFSET bytes, one text
# each; a file that is not there holds nothing.
sub disclosures {
  my ($path, $offset) = @_;
  open my $file, '<', $path or return;
  seek $file, $offset // 0, 0;
  my @findings;
  while (my $line = <$file>) {
    chomp $line;
    my @held = grep { $line =~ $kinds{$_} } sort keys %kinds or next;
    $line =~ s/$kinds{$_}/[$_]/g for @held;
    push @findings, "$path: $line";
  }
  return @findings;
}

1;
