# Turns the dashboard into a table as api/web_asset.h describes it:
#
#   perl apxs/embed_dashboard.pl WEB LIBRARIES OPENAPI FILES…
#
# WEB is the folder of the widget, in which dashboard/ stands (what both share is
# imported from there), LIBRARIES the folder of Preact, hooks, htm and dagre. The
# modules are joined into one (minify.pl), with Preact, hooks and htm, of which every
# page has use; dagre stays as it was published, and the page's import map says where it
# is. The map is the only script inside of the page: its hash goes into the content
# security policy, as a constant beside the table. What the codes of checks and errors
# mean is taken out of OPENAPI.
use v5.32;
use warnings;
use Digest::SHA qw(sha256_base64 sha256_hex);
use File::Temp ();
use FindBin;
use JSON::PP ();
require "$FindBin::Bin/minify.pl";
require "$FindBin::Bin/web_table.pl";

# Bare name => file: what is joined, and what is fetched when a graph is drawn.
my %JOINED = (preact => 'preact.mjs', 'preact/hooks' => 'hooks.mjs', htm => 'htm.mjs');
my %APART = (dagre => 'dagre.mjs');

my ($web, $libraries, $openapi, @names) = @ARGV;
s{^\Q$web\E/}{} for @names;
my %files = map { $_ => content("$web/$_") } @names;
my $json = JSON::PP->new->utf8->canonical;

# What each code means: those lists, by the name of their schema, that a page asks
# for.
sub codes {
  my $schemas = $json->decode(content($openapi))->{components}{schemas};
  my %asked = map { $_ => 1 } map { /\bcodes\('(\w+)'/g } values %files;
  my %lists;
  for my $name (keys %asked) {
    my $codes = $schemas->{$name}{'x-codes'} // die "$name: no such list of codes\n";
    for my $code (keys %$codes) {
      my %said = %{$codes->{$code}};
      # Of each code what the pages say of it, in plain sentences: the reference of the
      # API marks `names`.
      $lists{$name}{$code} = {map { $_ => $said{$_} =~ tr/`//dr } grep { exists $said{$_} }
        qw(meaning do)};
    }
  }
  return $json->encode(\%lists);
}

sub library {
  my ($file) = @_;
  # The map of the source is not served.
  return content("$libraries/$file") =~ s{^//# sourceMappingURL=.*\n?}{}mr;
}

sub licences {
  return join "\n\n", map { my $name = s/\.licence\z//r;
    "$name\n" . '=' x length($name) . "\n\n" . content("$libraries/$_")
  } qw(preact.licence htm.licence dagre.licence);
}

# A folder in which esbuild finds what is joined by its bare name.
sub modules {
  my $folder = File::Temp->newdir;
  for my $name (keys %JOINED) {
    my $place = "$folder/$name";
    mkdir $_ for $place =~ s{/[^/]+\z}{}r, $place;
    open my $out, '>:raw', "$place/index.js" or die "$place: $!\n";
    print $out library($JOINED{$name});
    close $out or die "$place: $!\n";
  }
  return $folder;
}

# The joined modules without the indentation of their templates: htm passes it over
# at the beginning and end of a text, and inside of one it is shown as one space. What
# a string has behind a line feed would be lost, so there must be none. Between two
# elements, or an element and a value, htm passes over the line feed as well.
sub script {
  /\\n[ \t]/ and die "a string with an indented line\n" for @files{grep { /\.js\z/ } keys %files};
  my $modules = modules();
  local $ENV{NODE_PATH} = "$modules";
  return minified_module("$web/dashboard/dashboard.js", keys %APART)
    =~ s/\n[ \t]+/\n/gr =~ s/>\n(?=<|\$\{)|\}\n(?=<)/substr $&, 0, 1/ger;
}

my %served = (
  'dashboard.js' => script(),
  'dashboard.css' => minified_file("$web/dashboard/dashboard.css"),
  'codes.json' => codes(), 'licences.txt' => licences(),
  map { $_ => library($_) } values %APART);
for my $name (keys %files) {
  $served{"texts-$1.json"} = $json->encode($json->decode($files{$name}))
    if $name =~ m{^dashboard/texts/(\w+)\.json\z};
}
my $version = substr sha256_hex(map { "$_\0$served{$_}\0" }
  sort keys %served), 0, 16;
my $map = $json->encode({imports => {map {
  $_ => "./assets/$version/$APART{$_}" } keys %APART}});

for my $language (map { /^texts-(\w+)\.json\z/ } keys %served) {
  my $texts = $served{"texts-$language.json"} =~ s{</}{<\\/}gr;
  my $page = $files{'dashboard/index.html'};
  $page =~ s{<!-- icons -->\n}{$files{'dashboard/icons.svg'}};
  $page =~ s{<!-- texts -->\n}{<script type="application/json" id="texts"
data-language="$language">$texts</script>\n};
  $page =~ s{<!-- import map -->}{<script type="importmap">$map</script>};
  $page =~ s{<html lang="\w+">}{<html lang="$language">};
  $served{"index.$language.html"} = $page =~ s{"assets/}{"assets/$version/}gr;
}
print_table('idv_dashboard_assets', "$web/dashboard", sub {
  my ($name) = @_;
  return $name =~ /\.html\z/ ? $name : "assets/$name";
}, %served);
print "const char idv_dashboard_assets_version[] = \"$version\";\n",
  "const char idv_dashboard_script_hash[] = \"'sha256-",
  sha256_base64($map), "='\";\n";
