package Verify::Made;
# Pictures generated from a seed by scripts of t/lib, made once and cached in
# the build directory for all tests and later runs.
#
#   Verify::Made::into($directory, 't/lib/mrz_images.py', '{}', 3, 1, '0');
#
# runs the script with a new directory in place of "{}", and copies its output
# to $directory. A second call with the same arguments only copies. The cache is
# named by the digest of the arguments and of all scripts of t/lib, so that a
# changed script makes everything anew; `make clean` removes it.
#
# Only for scripts whose output depends only on their arguments. They must not
# use other files, randomness or the time of day, unless the caller passes these
# inputs as `also`:
#
#   Verify::Made::into({also => [$bytes]}, $directory, ...);
use v5.32;
use warnings;
use Cwd qw(abs_path);
use Digest::SHA qw(sha256_hex);
use File::Basename qw(dirname);
use File::Copy qw(copy);
use File::Path qw(make_path remove_tree);
use File::Temp ();

my $root = abs_path(dirname(__FILE__) . '/../../..');
my $build = $ENV{VERIFY_BUILD} // 'build';
$build = "$root/$build" unless $build =~ m{\A/};

sub bytes_of {
  open my $file, '<:raw', $_[0] or die "$_[0]: $!\n";
  local $/;
  return <$file> // '';
}

# Runs a script that makes pictures. numpy's arrays of whole photos come and go, and the
# kernel would clear new pages each time if their memory were given back.
sub generate {
  local @ENV{qw(MALLOC_MMAP_THRESHOLD_ MALLOC_TRIM_THRESHOLD_)} = (1 << 30, 1 << 31);
  system(@_) == 0 or die "@_: $?\n";
}

sub into {
  my $options = ref $_[0] eq 'HASH' ? shift : {};
  my ($directory, @command) = @_;
  make_path($directory);
  my $kept = kept($options, @command);
  for my $file (glob "$kept/*") {
    copy($file, $directory) or die "$file: $!\n";
  }
}

# The directory with the output of COMMAND, which must not be changed.
sub kept {
  my ($options, @command) = @_;
  state $scripts = sha256_hex(map { bytes_of($_) } sort glob "$root/t/lib/*.py");
  my $kept = "$build/t/made/" . sha256_hex(join "\0", $scripts, @command,
    map { sha256_hex($_) } @{$options->{also} // []});
  return $kept if -d $kept;
  make_path(dirname($kept));
  my $new = File::Temp::tempdir('new-XXXXXXXX', DIR => dirname($kept));
  generate(map { s/\{\}/$new/r } @command);
  chmod 0755, $new;
  # If another process made it at the same time, it is the same.
  rename $new, $kept or remove_tree($new);
  return $kept;
}

1;
