# make install below DESTDIR: everything where apxs says, nothing unresolved in
# the sample configuration, and an edited configuration survives the next one.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use File::Find qw(find);
use File::Temp qw(tempdir);
use FindBin;
use Test::More;

my $root = abs_path("$FindBin::Bin/../..");
my $build = $ENV{VERIFY_BUILD} // 'build';
my $destination = tempdir(CLEANUP => 1);
my $sanitize = $build =~ /asan/ ? 'SANITIZE=1' : '';

sub install {
  local %ENV = %ENV;
  delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL)};
  return system "make -s -C $root BUILD=$build $sanitize install "
    . "DESTDIR=$destination >$destination/log 2>&1 </dev/null";
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

is install(), 0, 'make install succeeds' or diag text_of("$destination/log");
ok -f installed('LIBEXECDIR', 'mod_verify.so'), 'the module';
ok -x installed('LIBEXECDIR', '../verify-analyze'), 'verify-analyze';
ok -x installed('exp_bindir', 'verifyctl'), 'verifyctl';
ok -f installed('exp_datadir', 'mod_verify/sql/0001_initial.sql'), 'migrations';
ok -f installed('exp_datadir', 'mod_verify/README.md'), 'the page for administrators';
ok -f installed('exp_datadir', 'mod_verify/modsecurity.conf'), "exclusions for ModSecurity";
ok -f installed('exp_datadir', 'mod_verify/apache2-verify.service.conf'), "systemd's drop-in";
ok -f installed('exp_datadir', 'mod_verify/models/mrz_classifier.bin'), 'models';
my $conf = installed('SYSCONFDIR', 'verify/verify.conf');
unlike text_of($conf), qr/\@[A-Z]+\@/, 'the configuration names real paths';
my @paths = text_of($conf) =~ /^\s*Define VERIFY_(?:MODULE|ANALYZER|MODELS|COMPLIANCE_RULES) (\S+)/mg;
is_deeply [grep { !-e "$destination$_" } @paths], [], 'which are there';
is @paths, 4, 'all four of them';

open my $file, '>>', $conf or die "$conf: $!\n";
print $file "# edited\n";
close $file;
is install(), 0, 'installing again succeeds';
like text_of($conf), qr/^# edited$/m, 'an edited configuration stays';
ok -f "$conf.dist", 'the new one lies beside it';
done_testing;
