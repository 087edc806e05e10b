# Writes what the codes of the API's description mean, for verifyctl
# (cli/session/code_meaning.h). Called with openapi.json.
use v5.32;
use warnings;
use JSON::PP ();

my ($path) = @ARGV;
open my $file, '<', $path or die "$path: $!\n";
my $schemas = JSON::PP->new->utf8->decode(do { local $/; <$file> })->{components}{schemas};

sub literal {
  my ($text) = @_;
  utf8::encode($text);
  return '"' . $text =~ s/`//gr =~ s/(["\\])/\\$1/gr =~ s/([^ -~])/sprintf '\\%03o', ord $1/ger
    . '"';
}

print "#include \"cli/session/code_meaning.h\"\n\n",
  "const idv_code_meaning_t idv_code_meanings[] = {\n";
for my $kind (['FAILURE', 'FailureCode'], ['HINT', 'Hint'], ['CHECK', 'CheckName'],
    ['REASON', 'CheckReason']) {
  my $codes = $schemas->{$kind->[1]}{'x-codes'} or die "$path: $kind->[1] has no x-codes\n";
  printf "    {IDV_CODE_%s, %s, %s},\n", $kind->[0], literal($_), literal($codes->{$_}{meaning})
    for sort keys %$codes;
}
print "    {0, NULL, NULL}};\n";
