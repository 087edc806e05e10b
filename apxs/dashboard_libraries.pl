# Preact, its hooks and htm as modules that the dashboard's source imports by their bare
# names. Loaded after web_table.pl by embed_dashboard.pl and t/browser/design/page.pl.
#
#   my $modules = library_modules($libraries);
use v5.32;
use warnings;
use File::Temp ();

# Bare name => file of the libraries.
my %JOINED = (preact => 'preact.mjs', 'preact/hooks' => 'hooks.mjs', htm => 'htm.mjs');

sub library {
  my ($file) = @_;
  # The map of the source is not served.
  return content($file) =~ s{^//# sourceMappingURL=.*\n?}{}mr;
}

sub put {
  my ($file, $text) = @_;
  open my $out, '>:raw', $file or die "$file: $!\n";
  print $out $text;
  close $out or die "$file: $!\n";
}

# A folder, for NODE_PATH, in which esbuild finds the libraries of the folder LIBRARIES.
sub library_modules {
  my ($libraries) = @_;
  my $folder = File::Temp->newdir;
  for my $name (keys %JOINED) {
    my $place = "$folder/$name";
    mkdir $_ for $place =~ s{/[^/]+\z}{}r, $place;
    put("$place/index.js", library("$libraries/$JOINED{$name}"));
  }
  return $folder;
}

1;
