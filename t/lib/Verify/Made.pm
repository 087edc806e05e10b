package Verify::Made;
# Pictures that scripts of t/lib make out of a seed, made once and kept in the build
# directory for all tests and for later runs.
#
#   Verify::Made::into($directory, 't/lib/mrz_images.py', '{}', 3, 1, '0');
#
# runs the script with a new directory in place of "{}", and copies what it wrote there
# to $directory. A second call with the same arguments only copies. What is kept has
# the digest of the arguments and of all scripts of t/lib as its name, so that a change
# of a script makes everything anew; `make clean` removes it.
#
# Only for scripts whose output depends on their arguments alone: paths of other
# files, randomness and the time of the day must not be among what they read, unless
# the caller adds what it depends on as `also`:
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

sub into {
  my $options = ref $_[0] eq 'HASH' ? shift : {};
  my ($directory, @command) = @_;
  make_path($directory);
  my $kept = kept($options, @command);
  for my $file (glob "$kept/*") {
    copy($file, $directory) or die "$file: $!\n";
  }
}

# The directory with what COMMAND makes, which nobody may change.
sub kept {
  my ($options, @command) = @_;
  state $scripts = sha256_hex(map { bytes_of($_) } sort glob "$root/t/lib/*.py");
  my $kept = "$build/t/made/" . sha256_hex(join "\0", $scripts, @command,
    map { sha256_hex($_) } @{$options->{also} // []});
  return $kept if -d $kept;
  make_path(dirname($kept));
  my $new = File::Temp::tempdir('new-XXXXXXXX', DIR => dirname($kept));
  system(map { s/\{\}/$new/r } @command) == 0 or die "@command: $?\n";
  chmod 0755, $new;
  # Whoever else made it at the same time made the same.
  rename $new, $kept or remove_tree($new);
  return $kept;
}

1;
