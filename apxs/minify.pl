# Scripts and style sheets as they are served: a module joined with what it
# imports, so that a page needs one request where its source has twenty files, and
# without what only its readers need. The work is esbuild's, and minify's, whose names
# compress better. Loaded by embed_web.pl and embed_dashboard.pl.
#
#   my $text = minified_module("$folder/widget.js", './methods/*.js');
#   my %texts = minified_modules("$folder/dashboard.js");
#   my $text = minified_file("$folder/widget.css");
#   my $text = renamed($module);
#
# The arguments after a module are those that stay apart, as seen from its folder,
# or bare names: the result imports them. A file is a style sheet, or a script that
# is no module.
use v5.32;
use warnings;
use Cwd qw(getcwd);
use File::Basename qw(fileparse);
use File::Temp ();

sub esbuild {
  my ($file, @options) = @_;
  my ($name, $folder) = fileparse($file);
  my $from = getcwd;
  # Addresses of what stays apart are written as seen from the working directory,
  # which therefore has to be the module's.
  chdir $folder or die "$folder: $!\n";
  open my $out, '-|:raw', 'esbuild', $name, '--minify', '--charset=utf8',
    '--log-level=warning', @options or die "esbuild: $!\n";
  my $text = do { local $/; readline $out };
  close $out or die "$file: esbuild failed\n";
  chdir $from or die "$from: $!\n";
  return $text;
}

sub minified_module {
  my ($file, @apart) = @_;
  return esbuild($file, '--bundle', '--format=esm', map { "--external:$_" } @apart);
}

# The module and those that it imports later, by their names: what several have in
# common is in files called chunk-….
sub minified_modules {
  my ($file) = @_;
  my $folder = File::Temp->newdir;
  esbuild($file, '--bundle', '--splitting', '--format=esm', "--outdir=$folder");
  return map { (fileparse $_)[0] => content($_) } glob "$folder/*.js";
}

sub minified_file {
  my ($file) = @_;
  return esbuild($file);
}

# A module with shorter names: 2 % less than with esbuild's once it is compressed.
sub renamed {
  my ($module) = @_;
  my $file = File::Temp->new(SUFFIX => '.js');
  binmode $file;
  print $file $module;
  close $file or die "$file: $!\n";
  open my $out, '-|:raw', qw(minify --type js), "$file" or die "minify: $!\n";
  my $text = do { local $/; readline $out };
  close $out or die "minify failed\n";
  return $text;
}

1;
