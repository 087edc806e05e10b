# Turns files into a table as api/http/web_asset.h describes it. Called with the
# table's name, the files' folder and the files in order.
#
# The widget is made small on the way: the modules that a page needs are joined
# (minify.pl), its icons stand in the page, and so do its texts, in one
# page for each language, and the script that runs first (early.js). What a page
# loads stands in a folder that is named after the contents of all of them, which is
# why it may be kept for ever.
use v5.32;
use warnings;
use Digest::SHA qw(sha256_base64 sha256_hex);
use FindBin;
use JSON::PP ();
require "$FindBin::Bin/minify.pl";
require "$FindBin::Bin/web_table.pl";

# The one with an address of its own; all others are below assets/.
my %PATHS = ('embedding/embed.js' => 'embed.js');

my ($table, $folder, @names) = @ARGV;
s{^\Q$folder\E/}{} for @names;
my %files = map { $_ => content("$folder/$_") } @names;
# The script that stands in the page, and whose hash is in its policy.
my $early = exists $files{'early.js'} ? minified_file("$folder/early.js") : '';

# --- the widget's files as they are served ---

# Of the texts in JSON those that the page NAME can show: the page that ends
# sharing and the others have little in common.
sub texts_of {
  my ($name, $text) = @_;
  my $json = JSON::PP->new->utf8->canonical;
  my $texts = $json->decode($text);
  my %of_revoke = map { $_ => 1 } qw(direction page problem revoke);
  for my $key (keys %$texts) {
    delete $texts->{$key}
      if $name =~ /^revoke\./ ? !$of_revoke{$key} : $key eq 'revoke';
  }
  return $json->encode($texts) =~ s{</}{<\\/}gr;
}

# The page NAME in LANGUAGE, which leads to its other files in the folder VERSION.
sub page {
  my ($name, $files, $version, $language) = @_;
  my $text = $files->{$name};
  my $texts = texts_of($name, $files->{"texts/$language.json"});
  $text =~ s{<!-- icons -->\n}{$files->{'icons.svg'}};
  $text =~ s{<!-- texts -->\n}{<script type="application/json" id="texts"
data-language="$language">$texts</script>\n};
  $text =~ s{<script src="assets/early\.js"></script>}
    {<script>$early</script>};
  $text =~ s{<html lang="\w+">}{<html lang="$language">};
  return $text =~ s{"assets/}{"assets/$version/}gr;
}

# Name and contents of what is served, of the files as they were written.
sub served {
  my (%files) = @_;
  # What a page loads at once, and what methods.js loads when it is needed.
  my @entries = grep { exists $files{$_} } 'widget.js', 'revoke.js',
    ($files{'methods.js'} // '') =~ m{import\('\./(methods/\w+\.js)'\)}g;
  my %served = map { $_ => minified_module("$folder/$_", m{/} ? '../widget.js'
    : './methods/*.js') } @entries;
  $served{$_} = minified_file("$folder/$_") for grep {
    /\.css\z/ || $PATHS{$_} } keys %files;
  $served{$_} = $files{$_} for grep { /\.json\z/ } keys %files;
  my $version = substr sha256_hex(map { "$_\0$served{$_}\0" }
    sort keys %served), 0, 16;
  for my $name (grep { /\.html\z/ } keys %files) {
    for my $language (map { m{^texts/(\w+)\.json\z} } keys %files) {
      $served{$name =~ s/\./.$language./r} = page($name, \%files,
        $version, $language);
    }
  }
  return ($version, %served);
}

my ($version, %served) = served(%files);
print_table($table, $folder, sub {
  my ($name) = @_;
  return $PATHS{$name} || ($name =~ /\.html\z/ ? $name : "assets/$name");
}, %served);
print "const char ${table}_version[] = \"$version\";\n",
  "const char idv_web_script_hash[] = \"'sha256-",
  sha256_base64($early), "='\";\n";
