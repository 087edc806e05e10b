package Verify::Disclosure;
# What no log may hold: keys, secrets and tokens that open something, and what
# names a person. Of a finding only its kind and the masked line are told. And
# the forms in which a known secret may lie in a text or a database.
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

# A digest without a key is as good as the text when few texts are possible.
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
# Digests of what has the randomness of a key tell nothing.
my %digests = map { ($_ => 1) } grep { /SHA|MD5/ } keys %forms;

# Which of %secrets (name => text) are in the text, in which form; those whose
# names begin with "person" also as digests. Lower and upper case are one.
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
