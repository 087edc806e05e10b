# Turns the description of the API into what is served of it, as a table that
# api/web_asset.h describes: openapi.json itself, the page for persons made from
# the reference in Markdown, and the Postman collection. Called with the table's
# name, openapi.json, the reference and the collection.
#
# The page needs no script. Its style stands in it, and the hash of that goes
# into the content security policy, as a constant beside the table.
use v5.32;
use warnings;
use utf8;
use Digest::SHA qw(sha256_base64);
use Encode qw(decode_utf8 encode_utf8);
use FindBin;
require "$FindBin::Bin/web_table.pl";

my $STYLE = <<'CSS';
:root { color-scheme: light dark; }
body {
  display: grid;
  grid-template-columns: minmax(12rem, 18rem) minmax(0, 60rem);
  gap: 2rem;
  margin: 0 1rem;
  font: 1rem/1.5 system-ui, sans-serif;
}
nav {
  position: sticky;
  top: 0;
  max-height: 100vh;
  overflow: auto;
  font-size: 0.875rem;
}
nav ul { padding-left: 1rem; list-style: none; }
h2 { margin-top: 3rem; border-top: 1px solid; padding-top: 1rem; }
h3 { margin-top: 2.5rem; }
pre, table { overflow: auto; }
pre { padding: 0.75rem; background: #8882; }
code { font-family: ui-monospace, monospace; font-size: 0.9em; }
table { border-collapse: collapse; display: block; }
th, td { padding: 0.25rem 0.75rem 0.25rem 0; text-align: left; vertical-align: top; }
td { border-top: 1px solid #8886; }
@media (max-width: 60rem) {
  body { display: block; }
  nav { position: static; max-height: none; }
}
CSS

sub escaped {
  my ($text) = @_;
  my %entity = ('&' => '&amp;', '<' => '&lt;', '>' => '&gt;', '"' => '&quot;');
  return $text =~ s/([&<>"])/$entity{$1}/gr;
}

# What stands in a line: code, links within the page, and words that are bold.
sub inline {
  my ($text) = @_;
  return join '', map { /\A`(.*)`\z/s ? '<code>' . escaped($1) . '</code>'
    : escaped($_) =~ s{\*\*(.+?)\*\*}{<strong>$1</strong>}gr
      =~ s{\[([^\]]+)\]\((#[^)\s]+)\)}{<a href="$2">$1</a>}gr }
    split /(`[^`]*`)/, $text =~ s/\\\|/|/gr;
}

sub anchor { lc($_[0]) =~ s/[^a-z0-9 -]//gr =~ tr/ /-/r }

sub table {
  my ($head, undef, @rows) = map {
    [map { s/\A\s+|\s+\z//gr } split /(?<!\\)\|/, s/\A\||\|\z//gr, -1] } @_;
  my $row = sub { my ($cell, $cells) = @_;
    '<tr>' . join('', map { "<$cell>" . inline($_) . "</$cell>" } @$cells) . '</tr>' };
  return join "\n", '<table><thead>', $row->(th => $head), '</thead><tbody>',
    (map { $row->(td => $_) } @rows), '</tbody></table>';
}

# Of the lines of a block in Markdown, as scripts/api-reference writes it.
sub block {
  my (@lines) = @_;
  return heading(length $1, $2) if $lines[0] =~ /\A(#+) (.*)/;
  return table(@lines) if $lines[0] =~ /\A\|/;
  return '<pre><code>' . escaped(join "\n", map { s/\A {4}//r } @lines) . '</code></pre>'
    if $lines[0] =~ /\A {4}/;
  for my $list ([ol => qr/\A\d+\. /], [ul => qr/\A- /]) {
    next if $lines[0] !~ $list->[1];
    return "<$list->[0]>" . join('', map { '<li>' . inline(s/$list->[1]//r) . '</li>' } @lines)
      . "</$list->[0]>";
  }
  return '<p>' . inline(join ' ', @lines) . '</p>';
}

my @contents; # [level, id, title], of the headings in order
my %ids;
sub heading {
  my ($level, $title) = @_;
  my $id = anchor($title);
  $id .= "-$ids{$id}" if $ids{$id}++;
  push @contents, [$level, $id, $title];
  return qq(<h$level id="$id">) . inline($title) . "</h$level>";
}

sub contents {
  my $html = '';
  for my $entry (@contents) {
    my ($level, $id, $title) = @$entry;
    my $link = qq(<a href="#$id">) . escaped($title) . '</a>';
    $html .= $level == 2 ? "</ul>\n<p>$link</p>\n<ul>" : "<li>$link</li>\n" if $level > 1;
  }
  return "<nav aria-label=\"Contents\">\n<ul>$html</ul>\n</nav>";
}

sub page {
  my ($markdown) = @_;
  my @blocks = map { block(split /\n/) } grep { /\S/ } split /\n\n+/, $markdown;
  return join "\n", '<!doctype html>', '<html lang="en">', '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<title>' . escaped($contents[0][2]) . '</title>',
    "<style>$STYLE</style>", '</head>', '<body>', contents(), '<main>', @blocks,
    '</main>', '</body>', '</html>', '';
}

my ($table, $openapi, $reference, $collection) = @ARGV;
print_table($table, $openapi, sub { $_[0] },
  'openapi.json' => content($openapi),
  'docs.html' => encode_utf8(page(decode_utf8(content($reference)))),
  'postman.json' => content($collection));
my $hash = sha256_base64(encode_utf8($STYLE));
$hash .= '=' while length($hash) % 4;
print "const char idv_api_page_style_hash[] = \"'sha256-$hash'\";\n";
