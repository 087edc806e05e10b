# What is shipped for the machine beside httpd's configuration, as make install writes
# it: the rotation of logs, units of systemd and a profile of AppArmor. The tools that
# read them find no fault, and would find one.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

my $root = abs_path("$FindBin::Bin/../..");
chdir $root or die "$root: $!\n";
my $build = $ENV{VERIFY_BUILD} // 'build';
$ENV{PATH} .= ':/usr/sbin:/sbin';
my $directory = tempdir(CLEANUP => 1);
sub has_program {
  my ($name) = @_;
  return grep { -x "$_/$name" } split /:/, $ENV{PATH};
}
sub text_of {
  open my $file, '<', $_[0] or return '';
  local $/;
  return <$file>;
}
sub write_text {
  my ($path, $text) = @_;
  open my $file, '>', $path or die "$path: $!\n";
  print $file $text;
  close $file or die "$path: $!\n";
}
{
  local %ENV = %ENV;
  delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL)};
  is system("make -s BUILD=$directory/build configured >$directory/log 2>&1"), 0,
    'the files are written' or diag text_of("$directory/log");
}
my $written = "$directory/build/conf";
for my $name (qw(logrotate.conf verify-analyze.apparmor systemd/verify-doctor.service
  systemd/verify-doctor.timer)) {
  unlike text_of("$written/$name"), qr/\@[A-Z_]+\@/, "$name names real paths";
}

subtest 'logrotate' => sub {
  plan skip_all => 'no logrotate' unless has_program('logrotate');
  my $logs = "$directory/verify";
  mkdir $logs or die "$logs: $!\n";
  write_text("$logs/spans.jsonl", "{}\n");
  # With the paths of this test, and what is told to httpd noted.
  my $rules = text_of("$written/logrotate.conf");
  my ($pid) = $rules =~ m{(/run/\S+\.pid)};
  ok $pid, 'it asks whether httpd runs';
  $rules =~ s{/var/log/\w+/verify}{$logs}g;
  $rules =~ s{\Q$pid\E}{$directory/httpd.pid};
  $rules =~ s/apachectl graceful/echo graceful >>$directory\/told/;
  write_text("$directory/rules", $rules);
  chmod 0644, "$directory/rules";
  like `logrotate -d -s $directory/state $directory/rules 2>&1`,
    qr/Handling 1 logs(?!.*error)/s, 'understands it';
  my $rotate = sub {
    return system "logrotate -f -s $directory/state $directory/rules >$directory/log 2>&1";
  };
  is $rotate->(), 0, 'rotates' or diag text_of("$directory/log");
  is text_of("$logs/spans.jsonl.1"), "{}\n", 'what there was';
  ok !-e "$directory/told", 'and starts no httpd that does not run';
  write_text("$directory/httpd.pid", "1\n");
  write_text("$logs/spans.jsonl", "{}\n");
  is $rotate->(), 0, 'again';
  is text_of("$directory/told"), "graceful\n", 'one that runs is told, once';
  ok -e "$logs/spans.jsonl.2.gz", 'and the older one is compressed';
  is +(stat "$logs/spans.jsonl")[2] & 07777, 0640, 'nobody else reads the new one';
};

subtest 'systemd' => sub {
  plan skip_all => 'no systemd-analyze' unless has_program('systemd-analyze');
  my $service = text_of("$written/systemd/verify-doctor.service");
  # The program of this build, where systemd looks whether it is there.
  my ($program) = $service =~ /^ExecStart=(\S+)/m;
  write_text("$directory/verify-doctor.service",
    $service =~ s/^ExecStart=\S+/ExecStart=\/bin\/true/mr);
  system "cp $written/systemd/verify-doctor.timer $directory";
  my $verify = sub { grep { /verify-doctor/ } split /\n/,
    `SYSTEMD_UNIT_PATH=$directory: systemd-analyze verify --man=no \\
      $directory/verify-doctor.timer $directory/verify-doctor.service 2>&1` };
  is_deeply [$verify->()], [], 'understands the units';
  write_text("$directory/verify-doctor.service",
    $service =~ s/^ExecStart=\S+/NoNewPrivilege=yes\nExecStart=\/bin\/true/mr);
  like join("\n", $verify->()), qr/NoNewPrivilege/, 'and would say what it does not';
  my ($bindir) = `apxs -q exp_bindir` =~ /(\S+)/;
  is $program, "$bindir/verifyctl", 'the program is where make install puts it';
  SKIP: {
    skip 'systemd-analyze knows no --offline', 2
      if system 'systemd-analyze security --help 2>/dev/null | grep -q -- --offline';
    # In tenths; 100 is a unit without any of it.
    is system("systemd-analyze security --offline=yes --threshold=30 --no-pager "
      . "$written/systemd/verify-doctor.service >/dev/null 2>&1"), 0,
      'little is open to the doctor';
    mkdir "$directory/httpd.service.d";
    write_text("$directory/httpd.service", "[Service]\nType=exec\nExecStart=/bin/true\n");
    system "cp conf/apache2-verify.service.conf $directory/httpd.service.d/verify.conf";
    is system("SYSTEMD_UNIT_PATH=$directory: systemd-analyze security --offline=yes "
      . "--threshold=36 --no-pager $directory/httpd.service >/dev/null 2>&1"), 0,
      "nor to httpd with the drop-in, which needs its users and the network";
  }
};

subtest 'the doctor without what its unit takes' => sub {
  plan skip_all => 'not root' if $>;
  plan skip_all => 'no setpriv' unless has_program('setpriv');
  plan skip_all => 'the search for leaks needs more' if $build =~ /asan/;
  my $usual = `$build/verify-analyze --layers`;
  ok $usual, 'the reader has its walls';
  my ($kept) = text_of("$written/systemd/verify-doctor.service")
    =~ /^CapabilityBoundingSet=(.+)$/m;
  my $set = join ',', '-all', map { '+' . lc s/^CAP_//r } split ' ', $kept;
  my $with = sub { `setpriv --no-new-privs --bounding-set=$_[0] --inh-caps=-all \\
    $build/verify-analyze --layers 2>&1` };
  is $with->($set), $usual, 'as root with no other capability, too';
  isnt $with->('-all'), $usual, 'which it has not with none';
};

subtest 'AppArmor' => sub {
  plan skip_all => 'no apparmor_parser' unless has_program('apparmor_parser');
  my $parse = sub { # neither loaded nor kept
    my ($path) = @_;
    my $said = `apparmor_parser --skip-kernel-load --skip-cache $path 2>&1`;
    return ($?, $said =~ s/^Cache read.*\n//mgr);
  };
  my ($status, $said) = $parse->("$written/verify-analyze.apparmor");
  is $status, 0, 'understands the profile' or diag $said;
  my $profile = text_of("$written/verify-analyze.apparmor");
  write_text("$directory/wrong", $profile =~ s/capability sys_admin/capability sys_admn/r);
  isnt +($parse->("$directory/wrong"))[0], 0, 'and would say what it does not';
  my ($helpers) = `apxs -q LIBEXECDIR` =~ m{(\S+)/};
  like $profile, qr{^profile verify-analyze \Q$helpers\E/verify-analyze }m,
    'which is of the program that make install has put there';
};

subtest 'SELinux' => sub {
  plan skip_all => 'no checkmodule' unless has_program('checkmodule');
  my $compile = sub {
    my ($path) = @_;
    my $said = `checkmodule -M -m -o $directory/mod_verify.mod $path 2>&1`;
    return ($?, $said);
  };
  my ($status, $said) = $compile->('conf/selinux/mod_verify.te');
  is $status, 0, 'the policy module is understood' or diag $said;
  write_text("$directory/mod_verify.te",
    text_of('conf/selinux/mod_verify.te') =~ s/allow httpd_t self/allow httpd_u self/r);
  isnt +($compile->("$directory/mod_verify.te"))[0], 0, 'and what is wrong in one is not';
};
done_testing;
