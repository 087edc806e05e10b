# Turns the description of the API into what is served of it, as a table that
# api/http/web_asset.h describes: the page made from the reference in Markdown, and the
# documents for machines as they are. Called with the table's name, the reference, the
# dashboard's style and these documents.
#
# The page needs no script. Its style stands in it, and the hash of that goes
# into the content security policy, as a constant beside the table.
use v5.32;
use warnings;
use utf8;
use Digest::SHA qw(sha256_base64);
use Encode qw(decode_utf8 encode_utf8);
use File::Basename qw(basename);
use FindBin;
require "$FindBin::Bin/web_table.pl";

my ($table, $reference, $dashboard, @documents) = @ARGV;

# The colours by their job are the dashboard's, so that it looks like one product.
my ($colours) = decode_utf8(content($dashboard)) =~ /^(:root \{.*?^\}\n)/ms
  or die "$dashboard has no colours\n";

my $STYLE = $colours . <<'CSS';
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%;
  scroll-padding-top: 4.5rem; }
body { margin: 0; background: var(--ground); color: var(--text);
  font: .9375rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto,
    "Helvetica Neue", "Noto Sans", Arial, sans-serif;
  overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: .15em;
  text-decoration-thickness: 1px; }
a:hover { color: var(--accent-deep); text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px;
  border-radius: .25rem; }
.skip { position: absolute; left: .75rem; top: -4rem; z-index: 9;
  background: var(--card); padding: .5rem 1rem; border-radius: 0 0 .5rem .5rem; }
.skip:focus { top: 0; }
.bar { position: sticky; top: 0; z-index: 5; display: flex; align-items: center;
  justify-content: space-between; gap: .5rem 1rem; min-height: 3.5rem;
  padding: .375rem 1.25rem; background: var(--card);
  border-bottom: 1px solid var(--line); }
.bar a { display: inline-flex; align-items: center; gap: .5rem;
  min-height: 2.75rem; padding: 0 .625rem; border-radius: .5rem;
  font-weight: 600; text-decoration: none; white-space: nowrap; }
.bar a:hover { background: var(--accent-soft); }
.bar .brand { padding-left: 0; }
.bar .brand:hover { background: none; }
.brand span { color: var(--text); }
.brand svg { width: 1.625rem; height: 1.625rem; fill: none;
  stroke: currentColor; stroke-width: 1.75; stroke-linecap: round;
  stroke-linejoin: round; }
.ways { display: flex; }
.frame { display: grid; align-items: start; max-width: 96rem; margin: 0 auto;
  grid-template-columns: 17rem minmax(0, 1fr); }
.side { position: sticky; top: 3.5rem; max-height: calc(100vh - 3.5rem);
  overflow: auto; padding: 1rem .75rem 2rem 1.25rem; font-size: .875rem; }
.side ul { list-style: none; margin: 0; padding: 0; }
.side > ul > li { margin-bottom: .5rem; }
.side a { display: block; padding: .25rem .625rem; border-radius: .5rem;
  color: var(--muted); text-decoration: none; }
.side a:hover { background: var(--soft); color: var(--text); }
.side > ul > li > a { color: var(--text); font-weight: 600; }
.side ul ul a { padding-left: 1.25rem; }
main { min-width: 0; max-width: 66rem; padding: 1.75rem 1.75rem 4rem; }
h1, h2, h3 { line-height: 1.3; letter-spacing: -.01em; }
h1 { margin: 0 0 1rem; font-size: 1.75rem; }
h2 { margin: 3.5rem 0 .75rem; font-size: 1.375rem; }
h3 { margin: 0 0 .75rem; font-size: 1.0625rem; }
p, ol, ul, pre, .wide { margin: 0 0 .875rem; }
ol, ul { padding-left: 1.5rem; }
li { margin-bottom: .25rem; }
section { margin: 0 0 1.25rem; padding: 1.25rem; background: var(--card);
  border: 1px solid var(--line); border-radius: .875rem; }
section > :last-child { margin-bottom: 0; }
code, pre { font-family: var(--mono); font-size: .875em; }
/* Code wraps: what scrolls sideways would need a stop for the keyboard each. */
pre { padding: .75rem .875rem; background: var(--soft); white-space: pre-wrap;
  border: 1px solid var(--line); border-radius: .5rem; overflow-wrap: anywhere;
  line-height: 1.5; font-size: .8125rem; }
pre code { font-size: inherit; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
th, td { padding: .5rem .75rem .5rem 0; text-align: left;
  vertical-align: top; border-top: 1px solid var(--line);
  overflow-wrap: break-word; }
thead th { border-top: 0; color: var(--muted); font-weight: 600;
  font-size: .8125rem; }
td:first-child { min-width: 8rem; }
td code { overflow-wrap: anywhere; }
@media (max-width: 60rem) {
  .frame { display: block; }
  .side { position: static; max-height: none; padding: 1rem 1.25rem 0; }
  .side > ul { display: flex; flex-wrap: wrap; gap: .375rem; }
  .side > ul > li { margin: 0; }
  .side > ul > li > a { padding: .5rem .75rem; background: var(--card);
    border: 1px solid var(--line); }
  .side ul ul { display: none; }
  main { padding-inline: 1.25rem; }
}
@media (max-width: 40rem) {
  .bar { padding-inline: 1rem .5rem; gap: 0; }
  .side, main { padding-inline: 1rem; }
  section { padding: 1rem; }
  h1 { font-size: 1.5rem; }
  /* A row is its cells below each other. */
  table, tbody, tr, td { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden;
    clip-path: inset(50%); }
  tr { padding: .625rem 0; border-top: 1px solid var(--line); }
  td { padding: 0 0 .125rem; border: 0; overflow-wrap: anywhere; }
  td:first-child { font-weight: 600; }
  td:nth-child(2) { color: var(--muted); }
}
@media print { .bar, .side, .skip { display: none; } .frame { display: block; } }
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
  return join "\n", '<div class="wide"><table><thead>', $row->(th => $head),
    '</thead><tbody>', (map { $row->(td => $_) } @rows), '</tbody></table></div>';
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
  for my $entry (grep { $_->[0] > 1 } @contents) {
    my ($level, $id, $title) = @$entry;
    my $link = qq(<a href="#$id">) . escaped($title) . '</a>';
    $html .= $level > 2 ? "\n<li>$link</li>"
      : (length $html ? "</ul></li>\n" : '') . "<li>$link<ul>";
  }
  return qq(<nav class="side" aria-label="Contents">\n<ul>$html</ul></li>\n)
    . qq(<li><a href="/v1/openapi.json">OpenAPI: your server</a></li>\n)
    . qq(<li><a href="/v1/openapi.widget.json">OpenAPI: widget</a></li>\n)
    . qq(<li><a href="/v1/openapi.dashboard.json">OpenAPI: dashboard</a></li>\n)
    . qq(<li><a href="/v1/postman.json">Postman collection</a></li></ul>\n</nav>);
}

# The blocks below a heading of the third level are a section, which it opens.
sub sections {
  my (@blocks) = @_;
  my $is_open = 0;
  return (map {
    my $ends = /\A<h[23]/ && $is_open ? "</section>\n" : '';
    $is_open = 0 if $ends;
    $is_open = 1 if /\A<h3/;
    $ends . (/\A<h3/ ? "<section>\n" : '') . $_;
  } @blocks), $is_open ? '</section>' : ();
}

my $HEAD = <<'HTML';
<a class="skip" href="#main">To the content</a>
<header class="bar">
<a class="brand" href="/"><svg viewBox="0 0 24 24" aria-hidden="true"><path
d="M12 3 5 5.5V11c0 4.6 2.9 8 7 10 4.1-2 7-5.4 7-10V5.5z"/><path
d="m8.8 11.8 2.3 2.3 4.3-4.4"/></svg><span>Verification</span></a>
<nav class="ways" aria-label="Elsewhere on this server">
<a href="/dashboard/">Dashboard</a>
</nav>
</header>
HTML

sub page {
  my ($markdown) = @_;
  my @blocks = map { block(split /\n/) }
    grep { /\S/ && !/\A\s*<!--/ } split /\n\n+/, $markdown;
  return join "\n", '<!doctype html>', '<html lang="en">', '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<title>' . escaped($contents[0][2]) . ' – Verification</title>',
    "<style>$STYLE</style>", '</head>', '<body>', $HEAD, '<div class="frame">',
    contents(), '<main id="main" tabindex="-1">', sections(@blocks), '</main>',
    '</div>', '</body>', '</html>', '';
}

print_table($table, $reference, sub { $_[0] },
  'docs.html' => encode_utf8(page(decode_utf8(content($reference)))),
  map { (basename($_) => content($_)) } @documents);
my $hash = sha256_base64(encode_utf8($STYLE));
$hash .= '=' while length($hash) % 4;
print "const char idv_api_page_style_hash[] = \"'sha256-$hash'\";\n";
