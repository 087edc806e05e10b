# make install below DESTDIR: everything where apxs says, nothing unresolved in
# the sample configuration, and an edited configuration survives the next one.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use File::Find qw(find);
use File::Path qw(make_path remove_tree);
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use Verify::Make;

my $root = abs_path("$FindBin::Bin/../..");
my $build = $ENV{VERIFY_BUILD} // 'build';
my $destination = tempdir(CLEANUP => 1);

sub makes {
  my ($goal, $name) = @_;
  my ($status, $said) = Verify::Make::run($goal, "DESTDIR=$destination");
  is $status, 0, $name or diag $said;
}
sub installed { # by apxs' name of the directory
  my ($variable, $file) = @_;
  chomp(my $directory = `apxs -q $variable`);
  return "$destination$directory/$file";
}
sub text_of {
  open my $file, '<', $_[0] or return '';
  local $/;
  return <$file>;
}

# A directory of rules that a package brings, and that make takes for one of its own.
my $rules = "$root/$build/deb/t-operator-install/logrotate.d";
$rules = "$build/deb/t-operator-install/logrotate.d" if $build =~ m{\A/};
make_path($rules);
makes('install', 'make install succeeds');
remove_tree($rules =~ s{/[^/]+\z}{}r);
ok -f installed('LIBEXECDIR', 'mod_verify.so'), 'the module';
ok -x installed('LIBEXECDIR', '../verify-analyze'), 'verify-analyze';
ok -x installed('exp_bindir', 'verifyctl'), 'verifyctl';
ok -f installed('exp_datadir', 'mod_verify/sql/0001_initial.sql'), 'migrations';
ok -f installed('exp_datadir', 'mod_verify/README.md'), 'the page for administrators';
ok -f installed('exp_datadir', "mod_verify/$_"), $_
  for qw(CHANGES.md manual/install.md);
ok -f installed('exp_datadir', 'mod_verify/modsecurity.conf'), "exclusions for ModSecurity";
ok -f installed('exp_datadir', 'mod_verify/monitoring/alerts.yml'), 'rules of alerts';
ok -f installed('exp_datadir', 'mod_verify/apache2-verify.service.conf'), "systemd's drop-in";
ok -f installed('exp_datadir', "mod_verify/$_"), $_
  for qw(logrotate.conf verify-analyze.apparmor systemd/verify-doctor.timer);
ok -f installed('exp_datadir', 'mod_verify/models/mrz_classifier.bin'), 'models';
my $conf = installed('SYSCONFDIR', 'verify/verify.conf');
unlike text_of($conf), qr/\@[A-Z_]+\@/, 'the configuration names real paths';
my @paths = text_of($conf) =~ /^\s*Define VERIFY_(?:MODULE|ANALYZER|MODELS|COMPLIANCE_RULES) (\S+)/mg;
is_deeply [grep { !-e "$destination$_" } @paths], [], 'which are there';
is @paths, 4, 'all four of them';

# What a2enmod links, or httpd of RHEL includes.
chomp(my $progname = `apxs -q progname`);
my $debian = $progname eq 'apache2';
SKIP: {
  skip "no mods-available for $progname", 2 unless $debian;
  like text_of(installed('SYSCONFDIR', 'mods-available/verify.load')),
    qr/^# Depends: .*\nLoadModule verify_module \/\S+\/mod_verify\.so\n\z/, 'a2enmod loads it';
  like text_of(installed('SYSCONFDIR', 'mods-available/verify.conf')),
    qr/^ +Include \/\S+\/verify\/verify\.conf$/m, 'with its configuration';
}
# Of an httpd that is laid out as on RHEL: whose user, and where modules are loaded.
subtest 'beside another httpd' => sub {
  my $there = tempdir(CLEANUP => 1);
  my $etc = "$there/etc/httpd";
  make_path("$etc/conf", "$etc/conf.modules.d", "$etc/conf.d");
  open my $out, '>', "$etc/conf/httpd.conf" or die "$etc: $!\n";
  print $out "Listen 80\nUser webserver\nGroup webserver\n";
  close $out;
  my @there = ("SYSCONFDIR=$etc/conf", 'PROGNAME=httpd', "LIBEXECDIR=$there/modules",
    "HELPERDIR=$there", "DATADIR=$there/share", "BINDIR=$there/bin", "MANDIR=$there/man",
    'DESTDIR=');
  my ($status, $said) = Verify::Make::run('install', @there);
  is $status, 0, 'installs' or diag $said;
  like text_of("$etc/conf.modules.d/10-verify.conf"), qr{^LoadModule verify_module \Q$there\E/modules/}m,
    'conf.modules.d loads it';
  like text_of("$etc/conf.d/verify.conf"), qr{^ +Include \Q$etc\E/conf/verify/verify\.conf$}m,
    'conf.d includes its configuration';
  like text_of("$etc/conf/verify/verify.conf"), qr/user=webserver"/, "the user is that of httpd.conf";
  ($status, $said) = Verify::Make::run('uninstall', @there);
  is $status, 0, 'and goes' or diag $said;
  ok !-e "$etc/conf.modules.d/10-verify.conf", 'so that nothing loads it';
};

# All that is installed, where it is: what is new is written here.
my %at = (bin => installed('exp_bindir', ''), modules => installed('LIBEXECDIR', ''),
  conf => installed('SYSCONFDIR', 'verify/'),
  etc => installed('SYSCONFDIR', ''), data => installed('exp_datadir', 'mod_verify/'),
  man => installed('mandir', ''));
$at{helpers} = abs_path(installed('LIBEXECDIR', '..')) . '/';
my $places = join '|', map { quotemeta $at{$_} } sort { length $at{$b} <=> length $at{$a} } keys %at;
my %place = reverse %at;
# Of the client libraries, all that the checkout has.
chdir $root or die "$root: $!\n";
my @clients = map { s{\Aconf/}{}r } split /\0/, `git ls-files -z conf/clients`;
my %found;
find(sub { $found{$File::Find::name =~ s/\A($places)/$place{$1}:/r
  =~ s{(compliance|workflows)/\w+\.json\z}{$1/*.json}r =~ s{sql/\d+_\w+\.sql\z}{sql/*.sql}r
  =~ s{models/.*}{models/*}r =~ s{manual/[\w-]+\.md\z}{manual/*.md}r}++ if -f }, $destination);
is_deeply [sort keys %found], [sort qw(bin:verifyctl bin:verify-read-passport
  modules:mod_verify.so helpers:verify-analyze conf:verify.conf conf:risk.json
  conf:workflows/*.json man:man1/verifyctl.1 man:man1/verify-read-passport.1
  man:man5/mod_verify.5 man:man8/verify-analyze.8), ($debian ? map { "etc:mods-available/verify.$_" }
  qw(load conf) : ()), map { "data:$_" } @clients, qw(
  README.md CHANGES.md manual/*.md apache2-verify.service.conf modsecurity.conf
  logrotate.conf verify-analyze.apparmor compliance/*.json compliance/README.md
  compliance/hosts.txt models/*
  monitoring/alerts.yml monitoring/alerts_test.yml monitoring/grafana.json
  monitoring/json-errors.conf monitoring/spans.conf
  quickstart/README.md quickstart/Shop.java quickstart/shop.mjs quickstart/shop.php
  quickstart/shop.py selinux/mod_verify.te sql/*.sql systemd/verify-doctor.service systemd/verify-doctor.timer
  workflows/README.md)], 'nothing else is installed, and all of it';
like text_of("$at{man}man1/verifyctl.1"), qr/^\.TH VERIFYCTL 1 /m, 'manual pages';
my @pages = grep { /\.md\z/ } glob "$at{data}*.md $at{data}*/*.md $at{data}clients/*/*.md";
ok @pages > 20, 'the manual';
for my $page (@pages) {
  my ($text, $folder) = (text_of($page), $page =~ s{[^/]*\z}{}r);
  is_deeply [grep { !-e "$folder$_" } $text =~ /\]\((?!https?:|#)([^)#]+)/g], [],
    substr($page, length $at{data}) . ' links to what is installed';
}
my $quickstart = text_of("$at{data}quickstart/README.md");
is_deeply [grep { !-f "$at{data}quickstart/$_" } $quickstart =~ m{[\w/]*[sS]hop\.\w+}g], [],
  'the quick start starts shops that are there';

my @edited = ($conf, map { installed('SYSCONFDIR', "verify/$_") }
  qw(risk.json workflows/demonstration.json));
for my $path (@edited) {
  open my $file, '>>', $path or die "$path: $!\n";
  print $file "# edited\n";
  close $file;
}
makes('install', 'installing again succeeds');
for my $path (@edited) {
  my ($name) = $path =~ m{([^/]+)\z};
  like text_of($path), qr/^# edited$/m, "an edited $name stays";
  ok -f "$path.dist", 'the new one lies beside it';
}

my $key = installed('SYSCONFDIR', 'verify/master.key');
open my $file, '>', $key or die "$key: $!\n";
close $file;
makes('uninstall', 'make uninstall succeeds');
my @left;
find(sub { push @left, $File::Find::name if -f }, $destination);
my $configuration = quotemeta installed('SYSCONFDIR', 'verify');
is_deeply [grep { !m{^$configuration/} && !m{/mods-available/verify\.conf\z} } @left], [],
  'and leaves nothing but the configuration';
is_deeply [grep { /\.dist\z/ } @left], [], 'without what lay beside it';
ok !(grep { !-f } @edited, $key), 'what was edited, and the key, are there';
makes('uninstall', 'it may be run again');
done_testing;
