# The RPM packages of httpd as RHEL 9 has it: rpm understands the specification,
# rpmlint has nothing against it, and what make install puts below DESTDIR is in one
# package each, at the places of that httpd. They are built here with the programs of
# this machine, and installed beside these, into a copy that does not last: there they
# serve below an httpd that is laid out as that of RHEL, and are removed. What they
# require, their scriptlets and SELinux are not tried.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use File::Find qw(find);
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use Verify::Make;

my $root = abs_path("$FindBin::Bin/../..");
chdir $root or die "$root: $!\n";
my $build = $ENV{VERIFY_BUILD} // 'build';
my $spec = 'apxs/rpm/mod_verify.spec';
sub has_program {
  my ($name) = @_;
  return grep { -x "$_/$name" } split /:/, $ENV{PATH};
}
plan skip_all => 'no rpm, which reads the specification' unless has_program('rpmspec');
plan skip_all => 'packages are not made of sanitizers' if $build =~ /asan|tsan/;

my $parsed = `rpmspec -P $spec 2>&1`;
is $?, 0, 'rpm understands the specification' or diag $parsed;
my ($version) = do { local (@ARGV, $/) = 'apxs/version.mk'; <> } =~ /^VERIFY_VERSION := (\S+)/m;
like $parsed, qr/^Version: +\Q$version\E$/m, 'which has the version of the tree';
SKIP: {
  skip 'no rpmlint', 1 unless has_program('rpmlint');
  # A build root has not been declared since RHEL 6.
  my @said = grep { /: [WE]: / && !/no-buildroot-tag/ } `rpmlint $spec 2>&1`;
  is_deeply \@said, [], 'rpmlint has nothing against it';
}

# What the build needs is in one list, by Debian's names: here are those of RHEL.
# Nothing stands for what only fetches models.
my %name = (gcc => 'gcc', 'g++' => 'gcc-c++', make => 'make', perl => 'perl-interpreter',
  'pkg-config' => 'pkgconf-pkg-config', 'apache2-dev' => 'httpd-devel',
  'libapr1-dev' => 'apr-devel', 'libaprutil1-dev' => 'apr-util-devel',
  'libjansson-dev' => 'jansson-devel', 'libssl-dev' => 'openssl-devel',
  'libcurl4-openssl-dev' => 'libcurl-devel', 'libpq-dev' => 'libpq-devel',
  'libmaxminddb-dev' => 'libmaxminddb-devel', 'libidn2-dev' => 'libidn2-devel',
  'libunistring-dev' => 'libunistring-devel',
  'libhiredis-dev' => 'hiredis-devel', 'libpcsclite-dev' => 'pcsc-lite-devel',
  'libturbojpeg0-dev' => 'turbojpeg-devel', 'libpng-dev' => 'libpng-devel',
  'libwebp-dev' => 'libwebp-devel', 'libopenjp2-7-dev' => 'openjpeg2-devel',
  'libzxing-dev' => 'zxing-cpp-devel', 'libtesseract-dev' => 'tesseract-devel',
  'libleptonica-dev' => 'leptonica-devel', 'libseccomp-dev' => 'libseccomp-devel',
  'libxmlsec1-dev' => 'xmlsec1-devel', 'libyaml-dev' => 'libyaml-devel',
  'zlib1g-dev' => 'zlib-devel', brotli => 'brotli',
  esbuild => 'esbuild', minify => 'minify', 'libqrencode-dev' => 'qrencode-devel', python3 => 'python3',
  'python3-phonenumbers' => 'python3-phonenumbers',
  curl => undef, 'ca-certificates' => undef);
my @needed = map { /^build +([^ |\n]+)/ ? $1 : () } do { local @ARGV = 'apxs/packages.txt'; <> };
is_deeply [grep { !exists $name{$_} } @needed], [], 'what is needed has a name there';
is_deeply [sort $parsed =~ /^BuildRequires: +(\S+)/mg],
  [sort 'systemd-rpm-macros', 'xmlsec1-openssl-devel', grep { defined } @name{@needed}],
  'and is asked for';
my $without = `rpmspec -P --without esbuild $spec 2>&1`;
unlike $without, qr/^BuildRequires: +(?:esbuild|minify)$/m,
  'but for what makes scripts, where it is said so';
like $without, qr/^\S*make .*\\\n +PREPARED=1 all/m, 'and what it makes is taken from elsewhere';

plan_files();
done_testing;

sub plan_files {
  plan skip_all => 'no rpmbuild' unless has_program('rpmbuild');
  my $top = tempdir(CLEANUP => 1);
  # Neither the debug packages nor the finishing touches of another distribution.
  my $said = Verify::Make::alone(sub {
    `rpmbuild -bb --build-in-place --nodeps --define '_topdir $top' \\
      --define 'verify_build $build' --define 'debug_package %{nil}' \\
      --define '__os_install_post %{nil}' --define '_httpd_apxs apxs' \\
      --define '_build_id_links none' --define '_binary_payload w1.gzdio' \\
      --define '_libdir /usr/lib64' --define '_localstatedir /var' \\
      --define '_unitdir /usr/lib/systemd/system' $spec 2>&1`;
  });
  is $?, 0, 'the packages are built' or return diag substr $said, -3000;
  my (%package_of, %config, @twice);
  my @packages = glob "$top/RPMS/*/*.rpm";
  for my $package (@packages) {
    my ($name) = $package =~ m{([^/]+)-\Q$version\E-[^/]*\z};
    for my $path (split /\n/, `rpm -qlp $package 2>/dev/null`) {
      push @twice, $path if $package_of{$path} && $path !~ m{/licenses/};
      $package_of{$path} = $name;
    }
    $config{$_} = 1 for split /\n/, `rpm -qcp $package 2>/dev/null`;
  }
  is_deeply [sort { $a cmp $b } do { my %names = map { $_ => 1 } values %package_of; keys %names }],
    [qw(mod_verify mod_verify-data mod_verify-faces mod_verify-reader mod_verify-tools)],
    'five of them';
  is_deeply \@twice, [], 'nothing is in two of them';

  my $destination = tempdir(CLEANUP => 1);
  my ($status, $installing) = Verify::Make::run('install', "DESTDIR=$destination",
    qw(LIBEXECDIR=/usr/lib64/httpd/modules HELPERDIR=/usr/lib64/httpd BINDIR=/usr/bin
    SYSCONFDIR=/etc/httpd/conf DATADIR=/usr/share/httpd PROGNAME=httpd HTTPD_USER=apache
    MODULE_LOAD=/etc/httpd/conf.modules.d MODULE_CONF=/etc/httpd/conf.d));
  is $status, 0, 'make install, with the places of RHEL' or diag $installing;
  my @installed;
  find(sub { push @installed, $File::Find::name =~ s/^\Q$destination\E//r if -f },
    $destination);
  ok @installed > 100, 'installs: ' . @installed . ' files';
  is_deeply [grep { !$package_of{$_} } @installed], [], 'each of which is in a package';
  is_deeply [grep { m{^/etc/} && !$config{$_} } sort keys %package_of],
    [grep { -d "$destination$_" } grep { m{^/etc/} } sort keys %package_of],
    'what administrators edit survives an upgrade';
  is $package_of{'/usr/lib64/httpd/modules/mod_verify.so'}, 'mod_verify', 'the module';
  is $package_of{'/etc/httpd/conf.modules.d/10-verify.conf'}, 'mod_verify', 'its LoadModule';
  is $package_of{'/usr/bin/verifyctl'}, 'mod_verify-tools', 'the tool';
  is $package_of{'/usr/share/httpd/mod_verify/models/mrz_classifier.bin'},
    'mod_verify-data', 'data';
  is $package_of{'/usr/share/httpd/mod_verify/models/mobile_face_net.tflite'},
    'mod_verify-faces', 'and faces apart';
  is $package_of{'/usr/share/man/man5/mod_verify.5' . $_}, 'mod_verify', 'manual pages'
    for grep { $package_of{"/usr/share/man/man5/mod_verify.5$_"} } '', '.gz';
  my ($module) = grep { m{/mod_verify-\Q$version\E} } @packages;
  like `rpm -qRp $module 2>/dev/null`, qr/^httpd-mmn = /m, "with httpd's interface";
  subtest 'installed' => sub { try_packages($top, @packages) };
}

# An empty database that is reached without this machine's files.
sub empty_database {
  my ($name) = @_;
  local $ENV{VERIFY_RUN_DIR} = $ENV{VERIFY_TEST_CLUSTER};
  system('scripts/postgresql', 'createdb', $name) == 0 or die "no database\n";
  chomp(my $conninfo = `scripts/postgresql conninfo $name`);
  return $conninfo =~ s/host=\S+/host=127.0.0.1/r;
}

sub try_packages {
  my ($top, @packages) = @_;
  plan skip_all => 'not root' if $>;
  my $inside = join ' && ', "mount -t tmpfs tmpfs $top", "mkdir $top/new $top/work $top/root",
    "mount -t overlay overlay -o lowerdir=/,upperdir=$top/new,workdir=$top/work $top/root",
    map { "mount --rbind /$_ $top/root/$_" } qw(dev proc);
  my @apart = qw(unshare --mount --propagation private --pid --fork sh -c);
  plan skip_all => 'no overlay of files in a namespace here'
    if system "@apart '$inside' 2>/dev/null";
  plan skip_all => 'no apache2, curl or jq'
    if grep { !-x "/usr/sbin/$_" && !has_program($_) } qw(apache2 curl jq);
  my $name = 'rpm_' . $$;
  my ($port) = split ' ', `scripts/free-port 1`;
  my $database = empty_database($name);
  my ($before, $after) = ("mkdir $top.rpms && cp @packages $top.rpms", "rm -rf $top.rpms");
  is system($before), 0, 'the packages are at hand';
  # The copy has what lies in this directory; what is new is seen from outside of it.
  $inside .= " && mkdir $top/root/changes && mount --rbind $top/new $top/root/changes"
    . " && mount --bind $root $top/root/mnt && chroot $top/root /usr/bin/env -i"
    . ' PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root VERIFY_DATABASE="$0"'
    . " sh /mnt/t/lib/try_rpm.sh $top.rpms /changes $port 2>&1";
  open my $said, '-|', @apart, $inside, $database or die "unshare: $!\n";
  my $text = do { local $/; <$said> };
  close $said;
  is $?, 0, 'all of it' or diag $text;
  system $after;
  {
    local $ENV{VERIFY_RUN_DIR} = $ENV{VERIFY_TEST_CLUSTER};
    system 'scripts/postgresql', 'dropdb', $name;
  }
  is_deeply [$text =~ /^ok: (.*)/mg], ['installed',
    'each file with the owner, mode and digest of its package',
    'all are of root, who alone writes', 'programs', 'the timer is not enabled',
    'manual pages', 'no path of another system', 'loaded, and not yet in service',
    'the schema is applied', 'it serves', 'a session', 'the log',
    'installed again: what was edited stays', 'removed', 'nothing of theirs is left',
    'but what was edited, and the master key', 'the server starts without it'],
    'step by step';
}
