# httpd in a hardened unit of systemd: what its filter of system calls takes from
# the reader of documents is said in the error log, the metrics and readiness, and
# the drop-in that is shipped takes nothing.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use File::Temp ();
use FindBin;
use lib "$FindBin::Bin/../lib";
use Verify::Test;

my $root = abs_path("$FindBin::Bin/../..");
my $build = $ENV{VERIFY_BUILD} // 'build';
$build = "$root/$build" unless $build =~ m{^/};
my $filter = "$build/t/lib/call_filter";
my $drop_in = "$root/conf/apache2-verify.service.conf";

# The search for leaks needs calls that such a unit forbids.
$ENV{ASAN_OPTIONS} = 'detect_leaks=0';
$ENV{VERIFY_SANITIZER_OPTIONS} = 'detect_leaks=0:abort_on_error=1';

sub layers { # behind a command
  my $said = join ' ', map { "'$_'" } @_, "$build/verify-analyze", '--layers';
  chomp(my $text = `$said 2>&1`);
  return $text;
}
my $usual = layers();
like $usual, qr/system_calls/, 'the reader has its walls';

like layers($filter, qw(errno refuse seccomp)),
  qr/cannot enter the sandbox: the system call seccomp, .*SystemCallFilter.* is refused \(errno 1\): Operation not permitted/,
  'a call that is refused is named, with the reason';
like layers($filter, qw(kill refuse seccomp)),
  qr/enters the sandbox is ended by SIGSYS, .*seccomp.*SystemCallFilter/,
  'so is one that ends the process';
like layers($filter, qw(errno refuse close_range)),
  qr/cannot close descriptors \(close_range, errno 1\)/, 'and another one';
is layers($filter, qw(errno refuse unshare)), $usual =~ s/network_namespace //r,
  'what can be done without is done without';

# --- what systemd knows under the names of the drop-in ---

my $systemd = grep { -x "$_/systemd-analyze" } split /:/, $ENV{PATH};
sub calls_of {
  my ($set) = @_;
  return $set unless $set =~ /^@/;
  my @lines = `systemd-analyze syscall-filter $set 2>/dev/null`;
  die "systemd knows no $set\n" unless @lines;
  s/\e\[[0-9;]*m//g for @lines; # colours, which Ubuntu 24.04 writes to a pipe, too
  return map { calls_of($_) } map { /^ {4}(\S+)$/ ? "$1" : () } @lines;
}
sub allowed { join ',', map { calls_of($_) } @_ }
sub text_of { Verify::Instance::read_text($_[0]) }
my @shipped = map { split ' ' } text_of($drop_in) =~ /^SystemCallFilter=(.*)$/mg;
is_deeply \@shipped, [qw(@system-service seccomp)], 'the drop-in allows little';
SKIP: {
  skip 'no systemd-analyze, which says what @system-service is', 4 unless $systemd;
  is layers($filter, 'errno', 'allow', allowed(@shipped)), $usual,
    'the drop-in takes no wall from the reader';
  # The set of a newer systemd has it, too.
  my @others = grep { $_ ne 'seccomp' } calls_of('@system-service');
  like layers($filter, 'errno', 'allow', join ',', @others),
    qr/the system call seccomp.*errno 1/, 'which it would without seccomp';
  my $units = File::Temp->newdir;
  mkdir "$units/verify-test.service.d";
  open my $unit, '>', "$units/verify-test.service" or die;
  print $unit "[Service]\nType=exec\nExecStart=/bin/true\n";
  close $unit;
  system 'cp', $drop_in, "$units/verify-test.service.d/verify.conf";
  my $answer = `SYSTEMD_UNIT_PATH=$units: systemd-analyze verify --man=no $units/verify-test.service 2>&1`;
  my @about = grep { /verify-test|verify\.conf/ } split /\n/, $answer;
  is_deeply \@about, [], 'systemd understands all of it';
  open my $more, '>>', "$units/verify-test.service.d/verify.conf" or die;
  print $more "SystemCallFiltre=seccomp\n";
  close $more;
  like `SYSTEMD_UNIT_PATH=$units: systemd-analyze verify --man=no $units/verify-test.service 2>&1`,
    qr/verify\.conf.*SystemCallFiltre/, '... and would say what it does not';
}

# --- the service ---

sub metric {
  my ($service, $name) = @_;
  return $service->client->get('/metrics')->body =~ /^verify_$name (\S+)$/m ? $1 : undef;
}
sub reader {
  my ($service) = @_;
  return $service->client->get('/v1/health/ready')->json->{reader};
}
sub error_log { text_of("$_[0]{directory}/logs/error.log") }

subtest 'without a call that the reader needs' => sub {
  my $service = Verify::Instance->start(behind => [$filter, qw(errno refuse seccomp)]);
  $service->expect_log(qr/IDV0353: verify-analyze: a child cannot enter the sandbox: the system call seccomp.*errno 1/);
  ok wait_for { error_log($service) =~ /IDV0353/ }, 'the error log says so';
  is metric($service, 'reader_up'), 0, 'so do the metrics';
  is reader($service), 'not_ready', 'and readiness, which the rest has';
  ok !exists $service->client->get('/v1/health/live')->json->{reader},
    'liveness is not about it';
  $service->stop_httpd;
  # Readers that found no walls; of httpd itself nobody ends so.
  $service->{exits}->expect($_, 256)
    for map { /^([0-9]+) 256\z/ ? $1 : () } $service->{exits}->record;
  $service->stop;
};
subtest 'without a call that it can do without' => sub {
  my $service = Verify::Instance->start(behind => [$filter, qw(errno refuse unshare)]);
  ok wait_for { metric($service, 'reader_up') }, 'the reader is up';
  is reader($service), 'ready', 'ready';
  like error_log($service), qr/:notice\].*IDV0764: .*does not allow them: network_namespace$/m,
    'and the log tells what it lacks';
  $service->stop;
};
subtest 'as the drop-in has it' => sub {
  plan skip_all => 'the search for leaks of the reader needs calls that it forbids'
    if $build =~ /asan/;
  plan skip_all => 'no systemd-analyze, which says what @system-service is' unless $systemd;
  my $service = Verify::Instance->start(behind =>
    [$filter, qw(errno allow), allowed(@shipped)]);
  ok wait_for { metric($service, 'reader_up') }, 'the reader is up';
  unlike error_log($service), qr/IDV0764|IDV0353/, 'with all of its walls';
  answer_is $service->organization(sandbox => 1)->{client}->get('/v1/verification_sessions'),
    200, 'the API answers';
  $service->graceful;
  ok wait_for { (reader($service) // '') eq 'ready' }, 'after a graceful restart, too';
  $service->stop;
};
done_testing;
