# scripts/install-dependencies, with a Debian of the test's own: what is missing
# is installed, the libraries below it are brought to the same day, nothing else
# is touched.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use File::Copy qw(copy);
use File::Path qw(make_path);
use File::Temp ();
use FindBin;
use Test::More;

my $list = do { local (@ARGV, $/) = "$FindBin::Bin/../../apxs/packages.txt"; <> };
like $list, qr/^build\s+\Q$_\E\b/m, "make install finds its $_"
  for qw(perl curl ca-certificates);
unlike $list, qr/^(?:build|run)\s+(?:npm|nodejs|unzip|fonts-ocr-b)\b/m,
  'neither building nor running needs what only tests and training do';
plan skip_all => 'only root installs without sudo' if $> != 0;
my $root = abs_path("$FindBin::Bin/../..");

# A checkout with the packages of LIST, and a machine that has INSTALLED of
# them; says what apt was asked.
sub install {
  my (%machine) = @_;
  my $checkout = File::Temp->newdir;
  make_path("$checkout/scripts", "$checkout/apxs", "$checkout/bin",
    "$checkout/.git");
  copy("$root/scripts/install-dependencies", "$checkout/scripts/") or die "$!";
  chmod 0755, "$checkout/scripts/install-dependencies";
  write_file("$checkout/apxs/packages.txt",
    $machine{list} // "run server\nrun client\n");
  if ($machine{lists_read}) {
    my $stamp = "$checkout/.git/mod_verify-lists-read";
    write_file($stamp, '');
    utime((time - $machine{lists_read}) x 2, $stamp) or die "$stamp: $!\n";
  }
  my %script = (
    'dpkg-query' => join("\n", map { "echo 'ii  $_'" } @{$machine{installed}}),
    'apt-cache' => <<'SH',
case "$1" in
pkgnames) printf '%s\n' server client server-common ;;
depends) printf '%s\n' server '  Depends: libssl3' libssl3 libc6 libc-bin \
  '<libvirtual>' libpq5 openssl ;;
esac
SH
    'apt-get' => <<"SH",
case "\$*" in
*-s*) for p in $machine{outdated}; do echo "Inst \$p [1] (2 Debian:12)"; done ;;
*--only-upgrade*) exit $machine{upgrade_status} ;;
esac
SH
    'apt-mark' => 'if [ "$1" = showauto ]; then echo libssl3; fi',
  );
  while (my ($name, $body) = each %script) {
    write_file("$checkout/bin/$name", <<"SH");
#!/bin/sh
[ $name = dpkg-query ] || echo "$name \$*" >>"$checkout/calls"
$body
SH
    chmod 0755, "$checkout/bin/$name";
  }
  local $ENV{PATH} = "$checkout/bin:$ENV{PATH}";
  my $output = `"$checkout/scripts/install-dependencies" run 2>&1`;
  return {status => $?, output => $output, calls => read_file("$checkout/calls")};
}
sub write_file {
  my ($path, $text) = @_;
  open my $file, '>', $path or die "$path: $!\n";
  print $file $text;
  close $file or die "$path: $!\n";
}
sub read_file {
  open my $file, '<', $_[0] or return '';
  local $/;
  return <$file>;
}

my $all_there = install(installed => ['server', 'client'],
  outdated => 'libssl3', upgrade_status => 0);
is $all_there->{status}, 0, 'with all there';
is $all_there->{output} . $all_there->{calls}, '', 'nothing is said nor done';

my $missing = install(installed => ['client'], outdated => 'libssl3 libpq5',
  upgrade_status => 0);
is $missing->{status}, 0, 'with one missing' or diag $missing->{output};
my ($installed, $looked, $upgraded) = $missing->{calls} =~ /^apt-get (install .*)$/mg;
like $installed, qr/ server$/, 'that one is installed';
like $looked, qr/^install -s --only-upgrade .* libpq5 libssl3$/,
  'the libraries below it are looked at, but not the C library';
like $upgraded, qr/ --only-upgrade libssl3 libpq5$/,
  'those that are older than that day are brought up to date';
like $missing->{output}, qr/bringing up to date: libssl3 libpq5$/m, 'and named';
like $missing->{calls}, qr/^apt-mark auto libssl3$/m,
  'what nobody had asked for stays so';

is scalar(() = $missing->{calls} =~ /^apt-get update/mg), 1, 'the lists are read once';
is scalar(() = $missing->{calls} =~ /^apt-cache (?:show|pkgnames)/mg), 1,
  'and one call says which packages there are';

my $again = install(installed => ['client'], outdated => '', upgrade_status => 0,
  lists_read => 60);
like $again->{calls}, qr/^apt-get install .* server$/m, 'a minute after another call';
unlike $again->{calls}, qr/^apt-get update/m, '... they are not read again';
my $later = install(installed => ['client'], outdated => '', upgrade_status => 0,
  lists_read => 3600);
like $later->{calls}, qr/^apt-get update/m, '... but an hour after it';

my $unknown = install(installed => [], outdated => '', upgrade_status => 0,
  list => "run nonesuch|server\nrun missing\n");
isnt $unknown->{status}, 0, 'a package that apt does not know is an error';
like $unknown->{output}, qr/apt knows no package missing$/m, '... which names it';
my $alternative = install(installed => [], outdated => '', upgrade_status => 0,
  list => "run nonesuch|server\n");
like $alternative->{calls}, qr/^apt-get install .* server$/m,
  'of alternatives the first that apt knows is taken';

my $current = install(installed => ['client'], outdated => '',
  upgrade_status => 0);
is $current->{status}, 0, 'where all libraries are of the day';
unlike $current->{calls}, qr/^apt-get install (?!-s).*only-upgrade/m,
  'none is upgraded';

my $held = install(installed => ['client'], outdated => 'libssl3',
  upgrade_status => 100);
is $held->{status}, 0, 'a library that cannot be upgraded';
like $held->{output}, qr/they stay as they are/, 'is named and stops nothing';
done_testing;
