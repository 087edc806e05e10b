package Verify::Disclosure;
# Searches logs for data that they must not contain: keys, secrets, tokens and
# personal data. It reports only the kind and the masked line of a finding. Also
# searches texts and databases for the possible forms of a known secret.
use v5.32;
use warnings;
use Digest::SHA qw(sha1_hex sha256_hex);
use Digest::MD5 qw(md5_hex);
use Exporter 'import';
use MIME::Base64 qw(encode_base64);

our @EXPORT_OK = qw(disclosures known_in);

my %kinds = (
  'an API key' => qr/\bsvc_[sp]k_[\w-]{8,}/,
  'a client secret' => qr/_secret_[\w-]{8,}/,
  'a signing secret' => qr/\bwhsec_[\w+\/=-]{8,}/,
  'a person token' => qr/\bvpt_[\w-]{8,}/,
  'an e-mail address' => qr/[\w.+-]+(?:@|%40)[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}/,
  'a phone number' => qr/(?<![\d:.])(?:\+|%2B)[1-9]\d{9,14}\b/,
  'a bearer token' => qr/\bBearer\s+[\w-]{16,}/i,
);

# The findings in the file at PATH after its first OFFSET bytes, one text each;
# none if there is no such file.
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

# A digest without a key reveals the text if few texts are possible.
my %forms = (
  'as it is' => sub { lc $_[0] },
  'in hexadecimal' => sub { unpack 'H*', $_[0] },
  'in base64' => sub {
    my $text = lc encode_base64($_[0], '');
    return $text =~ s/.{0,2}=*\z//r; # what follows may change the end
  },
  'escaped' => sub { lc $_[0] =~ s/([^\w.~-])/sprintf '%%%02X', ord $1/ger },
  'as its SHA-256' => sub { sha256_hex($_[0]) },
  'as its SHA-1' => sub { sha1_hex($_[0]) },
  'as its MD5' => sub { md5_hex($_[0]) },
);
# Digests of values as random as a key reveal nothing.
my %digests = map { ($_ => 1) } grep { /SHA|MD5/ } keys %forms;

# The %secrets (name => text) that the text contains, with their forms; those
# whose names begin with "person" also as digests. Case is ignored.
sub known_in {
  my ($text, %secrets) = @_;
  my $lower = lc $text;
  my @found;
  for my $name (sort keys %secrets) {
    length($secrets{$name} // '') > 5 or die "$name is no secret\n";
    for my $form (sort keys %forms) {
      next if $digests{$form} && $name !~ /\Aperson/;
      my $needle = $forms{$form}->($secrets{$name});
      next if $form eq 'escaped' && $needle eq lc $secrets{$name};
      push @found, "$name $form" if index($lower, $needle) >= 0;
    }
  }
  return @found;
}

1;
