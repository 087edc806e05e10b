# Turns files into a table as api/web_asset.h describes it. Called with the
# table's name, the files' folder and the files in order.
use v5.32;
use warnings;
use Digest::SHA qw(sha256_base64);
use IO::Compress::Gzip qw(gzip $GzipError);

my %MEDIA_TYPES = (
  css  => 'text/css; charset=utf-8',
  html => 'text/html; charset=utf-8',
  js   => 'text/javascript; charset=utf-8',
  json => 'application/json',
  svg  => 'image/svg+xml',
);
# Those with an address of their own; all others are below assets/.
my %PATHS = map { $_ => $_ } qw(index.html revoke.html embed.js openapi.json);

sub content {
  my ($file) = @_;
  open my $in, '<:raw', $file or die "$file: $!\n";
  local $/;
  return scalar readline $in;
}

sub compressed {
  my ($data) = @_;
  gzip \$data => \my $packed, -Minimal => 1, -Level => 9
    or die "gzip: $GzipError\n";
  return $packed;
}

# An array of bytes and the initializer of its idv_web_body_t.
sub body {
  my ($name, $data, $etag) = @_;
  my @bytes = unpack 'C*', $data;
  print "static const unsigned char ${name}[] = {\n";
  while (my @line = splice @bytes, 0, 18) {
    print '    ', join(', ', @line), ",\n";
  }
  print "};\n";
  return sprintf '{%s, sizeof(%s), "\"%s\""}', $name, $name, $etag;
}

my ($table, $folder, @files) = @ARGV;
my @entries;
print "/* Generated from $folder; do not edit. */\n",
  "#include \"api/web_asset.h\"\n";
for my $file (@files) {
  my $name = substr $file, 1 + length $folder;
  my ($suffix) = $name =~ /\.([a-z]+)\z/;
  my $type = $MEDIA_TYPES{$suffix || ''} or die "$file: unknown type\n";
  my $data = content($file);
  my $etag = substr sha256_base64($data), 0, 27;
  my $plain = body('plain_' . @entries, $data, $etag);
  my $gzip = body('gzip_' . @entries, compressed($data), "$etag-gzip");
  push @entries, sprintf qq(    {"%s", "%s",\n     %s,\n     %s},\n),
    $PATHS{$name} || "assets/$name", $type, $plain, $gzip;
}
print "const idv_web_asset_t ${table}[", @entries + 1, "] = {\n",
  @entries, "    {NULL, NULL, {NULL, 0, NULL}, {NULL, 0, NULL}},\n};\n";
