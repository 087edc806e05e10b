# Turns the dashboard into a table as api/http/web_asset.h describes it:
#
#   perl apxs/embed_dashboard.pl WEB LIBRARIES OPENAPI FILES…
#
# WEB is the folder of the widget, in which dashboard/ stands (what both share is
# imported from there), LIBRARIES the folder of Preact, hooks and htm. The modules are
# joined (minify.pl), with the libraries; pages that are imported later stay apart. The
# page has no script inside. What
# the codes of checks and errors mean is taken out of OPENAPI.
use v5.32;
use warnings;
use Digest::SHA qw(sha256_hex);
use FindBin;
use JSON::PP ();
require "$FindBin::Bin/dashboard_libraries.pl";
require "$FindBin::Bin/minify.pl";
require "$FindBin::Bin/number_texts.pl";
require "$FindBin::Bin/web_table.pl";

my ($web, $libraries, $openapi, @names) = @ARGV;
s{^\Q$web\E/}{} for @names;
my %files = map { $_ => content("$web/$_") } @names;
my $json = JSON::PP->new->utf8->canonical;

# The lists of what was found about somebody, which reviewers read.
my %FOUND = map { $_ => 1 } qw(CheckName CheckReason FailureCode);

# What MEANING, of a code of LIST, says of what was found, without what it says of other
# codes, which is for readers of the API's reference: whole sentences, or what is in
# brackets. Of a check, the first sentence: the others say when it is made.
sub told {
  my ($list, $meaning) = @_;
  $meaning =~ s/ \([^()]*`[^()]*\)//g;
  my @sentences = grep { !/`\w+_\w+`/ } split /(?<=\.) (?=[`\p{Lu}])/, $meaning;
  die "Only other codes say it: $meaning\n" unless @sentences;
  return $list eq 'CheckName' ? $sentences[0] : join ' ', @sentences;
}

# What each code means: those lists, by the name of their schema, that a page asks
# for, in English or with the words of %own, whose lists `own` names. A list without
# meanings has those of %own alone.
sub codes {
  my (%own) = @_;
  my $schemas = $json->decode(content($openapi))->{components}{schemas};
  my %asked = map { $_ => 1 } map { /\bcodes\('(\w+)'/g } values %files;
  my %lists;
  for my $name (keys %asked) {
    # In English, errors come with a sentence.
    next if $name eq 'ErrorCode' && !$own{$name};
    my $schema = $schemas->{$name} // die "$name: no such list of codes\n";
    my $codes = $schema->{'x-codes'} // {map { $_ => {} } @{$schema->{'x-extensible-enum'}}};
    for my $code (keys %$codes) {
      my %said = %{$codes->{$code}};
      my $word = ($own{$name} // {})->{$code};
      %said = (meaning => $word) if $word || $name eq 'ErrorCode';
      $said{meaning} = told($name, $said{meaning}) if $FOUND{$name};
      # Of each code what the pages say of it, in plain sentences: the reference of the
      # API marks `names`.
      my @kept = grep { defined $said{$_} } qw(meaning do);
      my %kept = map { $_ => $said{$_} =~ tr/`//dr } @kept;
      # Most have a meaning and no more, which then needs no name.
      $lists{$name}{$code} = exists $kept{do} ? \%kept : $kept{meaning} if @kept;
    }
  }
  $lists{own} = {map { $_ => 1 } keys %own};
  return $json->encode(served_texts(\%lists));
}

# The widget's texts that an organization may word itself, and those that the preview of
# its brand shows, in LANGUAGE.
sub wording {
  my ($language) = @_;
  my ($words) = $files{'page/brand.js'} =~ /^export const WORDS = \[(.*?)\]/ms
    or die "no WORDS\n";
  my @keys = ($words =~ /'([\w.]+)'/g, qw(choose.country page.more));
  my $tree = $json->decode($files{"texts/$language.json"});
  my %texts;
  for my $key (@keys) {
    my ($scene, $name) = split /\./, $key;
    $texts{$key} = $tree->{$scene}{$name} // die "$language: no $key\n";
  }
  return $json->encode(\%texts);
}

sub licences {
  return join "\n\n", map { my $name = s/\.licence\z//r;
    "$name\n" . '=' x length($name) . "\n\n" . content("$libraries/$_")
  } qw(preact.licence htm.licence);
}

# SCRIPTS, in which all of dashboard.js is in a chunk, because later pages import it,
# too: without this chunk.
sub in_one {
  my (%scripts) = @_;
  my ($chunk) = $scripts{'dashboard.js'} =~ m{\Aimport"\./(chunk-\w+\.js)";\s*\z}
    or die "dashboard.js has parts that later pages do not import\n";
  $scripts{'dashboard.js'} = delete $scripts{$chunk};
  s{"\./\Q$chunk\E"}{"./dashboard.js"}g for values %scripts;
  die "dashboard.js is in several chunks\n" if grep { /^chunk-/ } keys %scripts;
  return by_version(%scripts);
}

# SCRIPTS, in which the name of a later page has a hash of all sources, not esbuild's, to
# which its temporary folder belongs: the same in every build of them, and in no other one,
# whose texts may have other numbers. A page that is open then asks for one that is gone.
sub by_version {
  my (%scripts) = @_;
  my $version = substr sha256_hex(join "\0", map { ($_, $files{$_}) } sort keys %files), 0, 8;
  for my $old (grep { /-/ } keys %scripts) {
    my $new = $old =~ s/-\w+/-$version/r;
    $scripts{$new} = delete $scripts{$old};
    s/\Q$old\E/$new/g for values %scripts;
  }
  return %scripts;
}

# The joined modules with their templates as if each stood in one line, in which htm
# makes the same of them: it passes over a line feed, with its indentation, at the
# beginning and end of a text and between elements and values; elsewhere in a text one
# is shown as a space, and between the attributes of an element it is one. Strings with
# a line feed become templates, too, so none may have more than that, and those of one
# alone are left as they are. To htm an end is one whatever its name, so all are the same;
# no other string may have one.
sub scripts {
  for my $name (grep { /\.js\z/ } sort keys %files) {
    die "$name: a string with a line feed and more\n" if $files{$name} =~ s/'\\n'//gr =~ /\\n/;
    die "$name: a string with the end of an element\n" if $files{$name} =~ m#['"][^'"`<>{}\n]*</\w#;
  }
  my $modules = library_modules($libraries);
  local $ENV{NODE_PATH} = "$modules";
  my %scripts = in_one(minified_modules("$web/dashboard/dashboard.js"));
  for (values %scripts) {
    s/`\n`/`\0`/g;
    s/\n[ \t]+/\n/g;
    s{>\n(?=<|\$\{)|\}\n(?=<|\$\{)}{substr $&, 0, 1}ge;
    s/(?<=`)\n|\n(?=`|\/?>)//g;
    s/(?<=[}"])\n(?=[\w-]+=|\.\.\.\$)| \n/ /g;
    s/(?<=[^>}])\n(?=[^<\$])/ /g;
    s{</[a-z]\w*>}{<//>}g;
    s{ />}{/>}g;
    tr/\0/\n/;
  }
  return %scripts;
}

my %scripts = scripts();
my @numbered = number_texts(\%scripts, $json->decode($files{'dashboard/texts/en.json'}));
$_ = renamed($_) for values %scripts;
my %served = (
  %scripts,
  'dashboard.css' => minified_file("$web/dashboard/dashboard.css"),
  'codes.json' => codes(), 'licences.txt' => licences());
for my $name (keys %files) {
  $served{"texts-$1.json"} =
    $json->encode(served_texts($json->decode($files{$name}), @numbered))
    if $name =~ m{^dashboard/texts/(\w+)\.json\z};
  $served{"wording-$1.json"} = wording($1) if $name =~ m{^texts/(\w+)\.json\z};
  $served{"codes-$1.json"} = codes(%{$json->decode($files{$name})})
    if $name =~ m{^dashboard/codes/(\w+)\.json\z};
}
my $version = substr sha256_hex(map { "$_\0$served{$_}\0" }
  sort keys %served), 0, 16;

for my $language (map { /^texts-(\w+)\.json\z/ } keys %served) {
  my $texts = $served{"texts-$language.json"} =~ s{</}{<\\/}gr;
  my $page = $files{'dashboard/index.html'};
  $page =~ s{<!-- icons -->\n}{$files{'dashboard/icons.svg'}};
  $page =~ s{<!-- texts -->\n}{<script type="application/json" id="texts"
data-language="$language">$texts</script>\n};
  $page =~ s{<html lang="\w+">}{<html lang="$language">};
  $served{"index.$language.html"} = $page =~ s{"assets/}{"assets/$version/}gr;
}
print_table('idv_dashboard_assets', "$web/dashboard", sub {
  my ($name) = @_;
  return $name =~ /\.html\z/ ? $name : "assets/$name";
}, %served);
print "const char idv_dashboard_assets_version[] = \"$version\";\n";
