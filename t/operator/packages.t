# The Debian packages: their manual pages name every directive and command, their
# bill of materials every model, lintian finds no fault, and in a clean root they
# install, serve and purge. The packages are make deb's, the root is make deb-root's,
# which fetches by apt, so here they are taken when they are there.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP ();
use Test::More;
use Verify::Make;

my $root = abs_path("$FindBin::Bin/../..");
chdir $root or die "$root: $!\n";
my $build = $ENV{VERIFY_BUILD} // 'build';
my $directory = tempdir(CLEANUP => 1);
sub text_of {
  open my $file, '<', $_[0] or return '';
  local $/;
  return <$file>;
}

# Pages and bill are made of the programs, which another test may be about to build.
my ($made, $maker_said) = Verify::Make::run('all');
is $made, 0, 'the programs are built' or diag $maker_said;

subtest 'manual pages' => sub {
  is system('apxs/manuals', '1.2.3', $directory, $build), 0, 'are written';
  my $module = text_of("$directory/mod_verify.5");
  my @directives = text_of('mod_verify/core/settings.def')
    =~ /^IDV_\w+\((Verify\w+),/mg;
  ok @directives > 50, 'the table of directives is read';
  is_deeply [grep { $module !~ /^\.B $_\b/m } @directives], [],
    'mod_verify(5) has every directive';
  my $tool = text_of("$directory/verifyctl.1");
  my @commands = `$build/verifyctl --help` =~ /^  ([a-z]+(?:-[a-z]+)*(?: [a-z]+)?)/mg;
  ok @commands > 30, 'the help is read';
  is_deeply [grep { my $c = s/-/\\-/gr; $tool !~ /^\.B \Q$c\E/m } @commands], [],
    'verifyctl(1) has every command';
  like text_of("$directory/verify-analyze.8"), qr/\\-\\-zygote/,
    'verify-analyze(8) has its options';
  like text_of("$directory/verify-read-passport.1"), qr/\\-\\-session/,
    'and so has verify-read-passport(1)';
  for my $page (qw(mod_verify.5 verifyctl.1 verify-analyze.8 verify-read-passport.1)) {
    like text_of("$directory/$page"), qr/^\.TH \S+ [158] \S+ "mod_verify 1\.2\.3"/,
      "$page has its heading";
    SKIP: {
      skip 'no groff', 1 unless grep { -x "$_/groff" } split /:/, $ENV{PATH};
      my $said = `groff -man -Tutf8 -ww -z $directory/$page 2>&1`;
      is $said, '', 'groff has nothing to say';
    }
    SKIP: {
      skip 'no mandoc', 1 unless grep { -x "$_/mandoc" } split /:/, $ENV{PATH};
      my $said = `mandoc -Tlint -Wwarning $directory/$page 2>&1`;
      is $said, '', 'nor has mandoc';
    }
  }
};

subtest 'bill of materials' => sub {
  my $models = tempdir(CLEANUP => 1);
  my @files = map { [split /\t/] } split /\n/, `apxs/third-parties`;
  ok @files >= 8, 'what is fetched has a licence';
  for my $file (@files, ['mrz_classifier.bin']) {
    make_path(dirname("$models/$file->[0]"));
    open my $out, '>', "$models/$file->[0]" or die "$file->[0]: $!\n";
  }
  my $bill = JSON::PP::decode_json(scalar
    `SOURCE_DATE_EPOCH=0 apxs/bill-of-materials 1.2.3 $build $models`);
  is $bill->{spdxVersion}, 'SPDX-2.3', 'SPDX 2.3';
  is $bill->{creationInfo}{created}, '1970-01-01T00:00:00Z', 'of the time it is told';
  my %package = map { $_->{name} => $_ } @{$bill->{packages}};
  is $package{mod_verify}{versionInfo}, '1.2.3', 'the service';
  for my $file (@files) {
    my ($name, $sha256, $from, $version, $licence) = @$file;
    is_deeply [@{$package{$name}}{qw(versionInfo licenseDeclared)}],
      [$version, $licence], "$name, with its licence";
    is $package{$name}{checksums}[0]{checksumValue}, $sha256, 'and its checksum';
  }
  for my $case (['mrz_classifier.bin', 'fonts-ocr-b'], ['time_zones.def', 'tz database']) {
    my ($made, $from) = @package{@$case};
    is_deeply [map { $_->{relatedSpdxElement} } grep { $_->{spdxElementId} eq $made->{SPDXID}
      && $_->{relationshipType} eq 'GENERATED_FROM' } @{$bill->{relationships}}],
      [$from->{SPDXID}], "$case->[0] is made from $case->[1]";
  }
  is_deeply [grep { /i386/ } keys %package], [], 'nothing of another architecture';
  my %known = map { $_->{SPDXID} => 1 } @{$bill->{packages}}, {SPDXID => 'SPDXRef-DOCUMENT'};
  is scalar keys %known, @{$bill->{packages}} + 1, 'every name is one thing';
  is_deeply [grep { !$known{$_} } map { @$_{qw(spdxElementId relatedSpdxElement)} }
    @{$bill->{relationships}}], [], 'and every relation between two of them';
  ok grep({ ($_->{primaryPackagePurpose} // '') eq 'LIBRARY' } @{$bill->{packages}}) > 5,
    'with the libraries';
  SKIP: {
    skip 'no dpkg, which knows whose a library is', 1
      unless grep { -x "$_/dpkg-query" } split /:/, $ENV{PATH};
    like $package{libjansson4}{versionInfo}, qr/^\d/, 'by their packages and versions';
  }
};

# The group `serve`, the page that lists it, and what the programs link: one list.
subtest 'what a machine needs that only serves' => sub {
  my @lines = map { /^serve +(\S+)/ ? $1 : () } split /\n/, text_of('apxs/packages.txt');
  ok @lines > 15, 'is listed';
  my $page = text_of('conf/manual/install.md') =~ s/\s+/ /gr;
  my $listed = join ', ', map { join ' or ', map { "`$_`" } split /\|/ } @lines;
  ok index($page, "$listed.") >= 0, 'and stands in conf/manual/install.md'
    or diag "there it should read: $listed.";
  plan skip_all => 'no dpkg, which knows whose a library is'
    unless grep { -x "$_/dpkg-query" } split /:/, $ENV{PATH};
  my @here = map { my ($name) = grep { installed($_) } split /\|/; $name // () } @lines;
  my %linked = map { $_ => 1 } linked_packages();
  ok keys %linked > 10, 'the programs link libraries of packages';
  my $kinds = join ' ', map { "--no-$_" } qw(recommends suggests conflicts breaks replaces enhances);
  my %brought = map { $_ => 1 }
    grep { /\A[a-z0-9]/ } split /\n/, `apt-cache depends --recurse --installed $kinds @here`;
  is_deeply [grep { !$brought{$_} } sort keys %linked], [], 'which the list brings';
  is_deeply [grep { /^lib/ && !/dbd/ && !$linked{$_} } @here], [], 'and none that nobody links';
};

sub installed {
  my ($name) = @_;
  return `dpkg-query -W -f '\${db:Status-Abbrev}' '$name' 2>/dev/null` =~ /^ii/;
}
# Of the libraries that the programs name themselves, not of those below them.
sub linked_packages {
  my %path;
  for my $program (map { "$build/$_" } qw(mod_verify.so verify-analyze verifyctl)) {
    my %of = `ldd $program` =~ /^\s*(\S+) => (\S+)/mg;
    $path{$_} = 1
      for grep { defined } @of{`objdump -p $program` =~ /^\s*NEEDED\s+(\S+)/mg};
  }
  # Asked once, which takes dpkg a while. Where /lib is a link to /usr/lib, it knows either.
  my @paths = map { ($_, s{^/usr}{}r, "/usr$_") } sort keys %path;
  my %package = map { /^([^:]+):/ ? ($1 => 1) : () } `dpkg-query -S @paths 2>/dev/null`;
  return keys %package;
}

my @packages = glob "$build/deb/*.deb";
subtest 'the packages' => sub {
  plan skip_all => 'no packages: make deb' unless @packages;
  my %name = map { m{/([a-z0-9-]+)_} => $_ } @packages;
  is_deeply [sort keys %name], [qw(libapache2-mod-verify mod-verify-data
    mod-verify-faces mod-verify-reader mod-verify-tools)], 'are five';
  my $control = `dpkg-deb -f $name{'libapache2-mod-verify'}`;
  like $control, qr/^Depends:.*\bapache2-api-\d/m, "httpd's interface";
  like $control, qr/^Depends:.*\blibaprutil1-dbd-pgsql\b/m, 'the driver of PostgreSQL';
  like $control, qr/^Depends:.*\blibpq5\b/m, 'and what it links';
  SKIP: {
    skip 'no lintian', 1 unless grep { -x "$_/lintian" } split /:/, $ENV{PATH};
    # Who maintains them is whoever publishes them: DEBEMAIL, else this machine.
    my $said = 'lintian --allow-root --fail-on error,warning --suppress-tags '
      . 'bogus-mail-host,bogus-mail-host-in-debian-changelog';
    $said = `$said @packages 2>&1`;
    is $?, 0, 'lintian finds neither errors nor warnings' or diag $said;
  }
};

subtest 'in a clean root' => sub {
  my $tar = "$build/deb-root.tar";
  plan skip_all => 'no packages: make deb' unless @packages;
  plan skip_all => 'no clean root: make deb-root' unless -e $tar;
  plan skip_all => 'not root' if $>;
  plan skip_all => 'namespaces are refused here'
    if system 'unshare --mount --pid --net --fork true 2>/dev/null';
  my $where = tempdir(CLEANUP => 1);
  is system("tar -C $where -xf $tar --exclude=./dev"), 0, 'the root is unpacked';
  mkdir "$where/$_" for qw(root/packages dev);
  is system("cp @packages $where/root/packages"), 0, 'with the packages';
  is system("cp t/lib/try_packages.sh $where/root/try"), 0, 'and what is done';
  # Devices are those of this machine; all mounts end with their namespace.
  my $inside = join ' && ', "mount --bind $where $where",
    "mount --rbind /dev $where/dev", "mount -t proc proc $where/proc",
    "mount -t tmpfs tmpfs $where/dev/shm",
    "chroot $where /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "
      . 'sh /root/try';
  my $said = `unshare --mount --propagation private --pid --net --uts --ipc --fork sh -c '$inside' 2>&1`;
  is $?, 0, 'all of it' or diag $said;
  my @steps = $said =~ /^ok: (.*)/mg;
  is_deeply \@steps, ['installed with what they depend on',
    'nothing is enabled by itself', 'manual pages', 'the bill of materials',
    'enabled, and not yet in service', 'the schema is applied', 'it serves',
    'a session', 'the widget', 'the doctor, whose timer nobody has enabled',
    'its log is rotated, and goes on', 'the log',
    'removed: the configuration stays, the server starts without it',
    'purged: nothing of theirs is left', 'but the master key',
    'dpkg knows nothing of them', 'done'], 'step by step';
};

done_testing;
