# The examples of the reference are what the service answers today.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use File::Temp ();
use FindBin;
use Test::More;
use lib "$FindBin::Bin/../lib";
use Verify::Instance;

my $root = abs_path("$FindBin::Bin/../..");
my $folder = File::Temp->newdir;
is system("$root/scripts/api-examples", "$folder/examples.json"), 0, 'recorded';
my ($kept, $recorded) = map { [split /\n/, Verify::Instance::read_text($_)] }
  "$root/mod_verify/api/examples.json", "$folder/examples.json";
is_deeply $recorded, $kept,
  'as in mod_verify/api/examples.json (after a change of the interface: scripts/api-examples)';
done_testing;
