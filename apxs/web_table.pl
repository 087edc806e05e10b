# What is common to tables of files as api/http/web_asset.h describes them: reading a
# file, and printing the table. Loaded by embed_web.pl,
# embed_dashboard.pl and embed_api.pl.
use v5.32;
use warnings;
use Digest::SHA qw(sha256_base64);
use File::Temp ();
use IO::Compress::Gzip qw(gzip $GzipError);

my %MEDIA_TYPES = (
  css  => 'text/css; charset=utf-8',
  html => 'text/html; charset=utf-8',
  js   => 'text/javascript; charset=utf-8',
  json => 'application/json',
  mjs  => 'text/javascript; charset=utf-8',
  svg  => 'image/svg+xml',
  txt  => 'text/plain; charset=utf-8',
);

sub content {
  my ($file) = @_;
  open my $in, '<:raw', $file or die "$file: $!\n";
  local $/;
  return scalar readline $in;
}

sub has_program {
  my ($name) = @_;
  return scalar grep { -x "$_/$name" } split /:/, $ENV{PATH};
}

# What PROGRAM, which is called with a file, makes of DATA.
sub packed_by {
  my ($data, $program, @options) = @_;
  my $file = File::Temp->new;
  binmode $file;
  print $file $data;
  close $file or die "$file: $!\n";
  open my $out, '-|:raw', $program, @options, "$file" or die "$program: $!\n";
  local $/;
  my $packed = readline $out;
  close $out or die "$program failed\n";
  return $packed;
}

# For clients without brotli. Browsers have it, so a slower compressor that saves three
# per cent here is not worth its time.
sub gzipped {
  my ($data) = @_;
  gzip \$data => \my $packed, -Minimal => 1, -Level => 9
    or die "gzip: $GzipError\n";
  return $packed;
}

# A tenth smaller. undef for the API documents, for which it takes seconds and which no
# visitor loads, and where the machine has no brotli.
my $BROTLI_BYTES_MAX = 288 << 10;
sub brotlied {
  my ($data) = @_;
  return undef if length $data > $BROTLI_BYTES_MAX || !has_program('brotli');
  return packed_by($data, qw(brotli --quality=11 --lgwin=22 --stdout));
}

# An array of bytes and the initializer of its idv_web_body_t.
sub body {
  my ($name, $data, $etag, $coding) = @_;
  return '{NULL, 0, NULL, NULL}' unless defined $data;
  my @bytes = unpack 'C*', $data;
  print "static const unsigned char ${name}[] = {\n";
  while (my @line = splice @bytes, 0, 18) {
    print '    ', join(', ', @line), ",\n";
  }
  print "};\n";
  return sprintf '{%s, sizeof(%s), "\"%s\"", %s}', $name, $name, $etag,
    $coding ? qq("$coding") : 'NULL';
}

# The table NAME of the files in SERVED, a hash of contents by name; PATH_OF
# makes the path of a name, FOLDER is named as their source.
sub print_table {
  my ($table, $folder, $path_of, %served) = @_;
  my @entries;
  print "/* Generated from $folder; do not edit. */\n",
    "#include \"api/http/web_asset.h\"\n";
  for my $name (sort keys %served) {
    my ($suffix) = $name =~ /\.([a-z]+)\z/;
    my $type = $MEDIA_TYPES{$suffix || ''} or die "$name: unknown type\n";
    my $data = $served{$name};
    my $etag = substr sha256_base64($data), 0, 27;
    my $plain = body('plain_' . @entries, $data, $etag);
    my $gzip = body('gzip_' . @entries, gzipped($data), "$etag-gzip", 'gzip');
    my $brotli = body('brotli_' . @entries, brotlied($data), "$etag-br", 'br');
    push @entries, sprintf qq(    {"%s", "%s",\n     %s,\n     %s,\n     %s},\n),
      $path_of->($name), $type, $plain, $gzip, $brotli;
  }
  print "const idv_web_asset_t ${table}[", @entries + 1, "] = {\n",
    @entries, '    {NULL, NULL', ', {NULL, 0, NULL, NULL}' x 3, "},\n};\n";
}

1;
