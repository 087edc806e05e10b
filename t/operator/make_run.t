# make run and make stop as operator.md promises them: a service that proved
# itself, the files of the run directory, data that survives a second run, and
# no process left after make stop, each of httpd's ended in order.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use File::Path qw(remove_tree);
use File::Temp qw(tempdir);
use FindBin;
use HTTP::Tiny;
use MIME::Base64 qw(encode_base64);
use lib "$FindBin::Bin/../lib";
use Test::More;
use Verify::Client;
use Verify::Exits;
use Verify::Instance;
use Verify::Make;
use Verify::Wait;

my $root = abs_path("$FindBin::Bin/../..");
my $directory = tempdir('verify-r-XXXXXXXX', TMPDIR => 1);
chmod 0755, $directory;
my $run = "$directory/run";
my ($http, $https) = Verify::Instance::free_ports(2);
my $exits = Verify::Exits->new("$directory/exits");
my %environment = ($exits->environment, VERIFY_RUN_DIR => $run, VERIFY_HTTP_PORT => $http,
  VERIFY_HTTPS_PORT => $https, VERIFY_EXTRA_CONF => "$directory/extra.conf",
  MAKE => Verify::Make::command());
open my $extra, '>', "$directory/extra.conf" or die "extra.conf: $!\n";
print $extra "TraceEnable on\n";
close $extra;

sub run_script {
  my ($name) = @_;
  local @ENV{keys %environment} = values %environment;
  delete local $ENV{MAKEFLAGS};
  my ($parent) = Verify::Instance::read_text("$run/httpd/httpd.pid") =~ /([0-9]+)/;
  $exits->note($parent) if $parent;
  my ($page) = Verify::Instance::read_text("$run/start/pid") =~ /([0-9]+)/;
  $exits->note_other($page, 'start page') if $page;
  my $command = join ' ', $exits->command, "$root/scripts/$name";
  my $status = system "$command >$directory/$name.log 2>&1 </dev/null";
  open my $file, '<', "$directory/$name.log" or die "$name.log: $!\n";
  local $/;
  return ($status, scalar <$file>);
}
sub demo {
  open my $file, '<', "$run/demo.env" or return {};
  return {map { chomp; split /=/, $_, 2 } <$file>};
}
# Pids of processes whose command line names the run directory.
sub processes {
  my @pids;
  for my $path (glob '/proc/[0-9]*/cmdline') {
    open my $file, '<', $path or next;
    my $line = <$file> // '';
    push @pids, $path =~ m{/proc/([0-9]+)/} if $line =~ /\Q$directory\E/;
  }
  return grep { $_ != $$ } @pids;
}
END {
  my $status = $?;
  if ($directory && $root) {
    run_script('stop');
    remove_tree($directory);
  }
  $? = $status;
}

my ($status, $output) = run_script('run');
is $status, 0, 'make run succeeds' or diag substr $output, -2000;
like $output, qr/verification_session\.verified \(evt_\w+\), signature right/,
  'one verification went through to a checked webhook';
$exits->started;
like $output, qr/make stop/, 'it says how to stop';
my @steps = $output =~ /^== (.*)/mg;
is scalar(() = $output =~ /^   \([0-9]+\.[0-9] s\)$/mg), $#steps,
  'each step says how long it took' or diag $output;
like $output, qr/^make run took [0-9]+\.[0-9] s$/m, 'and the end how long all of them';
my $first = demo();
is_deeply [sort keys %$first], [sort qw(BASE_URL BASE_URL_TLS CA_FILE ORG_ID
  SECRET_KEY WORKFLOW_ID SANDBOX_ORG_ID SANDBOX_SECRET_KEY SANDBOX_WORKFLOW_ID
  DASHBOARD_USER DASHBOARD_PASSWORD)],
  'demo.env has what operator.md names, and a login';
like $output, qr{^Dashboard +https://127\.0\.0\.1:[0-9]+/dashboard/}m,
  'it says where the dashboard is';
unlike $output, qr/\Q$first->{DASHBOARD_PASSWORD}/, '... and not the password';
my $start = HTTP::Tiny->new->get("$first->{BASE_URL}/");
like $start->{content}, qr/Start a verification/, 'the start page is at /';
my @specimens = glob "$run/start/specimens/*.jpg";
is scalar(@specimens), 8, 'with both sides of four specimens';
my $me = Verify::Client->new(base_url => $first->{BASE_URL}, headers => {Authorization =>
    'Basic ' . encode_base64("$first->{DASHBOARD_USER}:$first->{DASHBOARD_PASSWORD}", '')})
  ->get('/dashboard/v1/me');
is_deeply $me->json->{roles}, [{organization => '*', role => 'admin'}],
  'whose login may do everything';
ok -s "$run/tls/ca.pem" && -s "$run/tls/ca.key", 'the authority lies in tls/';
ok -e "$run/logs/error.log" && -e "$run/logs/postgresql.log", 'logs lie in logs/';
for my $file (qw(demo.env tls/ca.key master.key httpd/httpd.conf)) {
  is((stat "$run/$file")[2] & 077, 0, "$file is its owner's alone");
}

my $client = Verify::Client->new(base_url => $first->{BASE_URL_TLS},
  ca_file => $first->{CA_FILE}, token => $first->{SECRET_KEY});
my $created = $client->post('/v1/verification_sessions',
  {type => 'age', workflow_id => $first->{WORKFLOW_ID}});
is $created->status, 201, 'the live organization creates sessions';
my $sandbox = $client->with(token => $first->{SANDBOX_SECRET_KEY})
  ->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $first->{SANDBOX_WORKFLOW_ID},
    skip_verification => JSON::PP::true});
is +($sandbox->json // {})->{status}, 'verified', 'the sandbox skips verification';
is $client->request('TRACE', '/anywhere', {})->status, 200,
  'VERIFY_EXTRA_CONF comes last in the configuration';

($status, $output) = run_script('run');
is $status, 0, 'make run again succeeds' or diag substr $output, -2000;
is_deeply demo(), $first, 'organizations and keys are kept';
my $path = '/v1/verification_sessions/' . $created->json->{id};
is $client->with->get($path)->status, 200, 'the data is kept';

($status, $output) = run_script('stop');
is $status, 0, 'make stop succeeds' or diag $output;
is $output, "stop: stopped; the data stays in $run\n", 'and says so, nothing else';
ok wait_for { !processes() }, 'no process is left' or diag join ' ', processes();
ok -s "$run/demo.env", 'the data stays';
my @faults = $exits->faults(noted => 1);
is_deeply \@faults, [], 'httpd and the start page ended with status 0'
  or diag explain \@faults;
is +(run_script('stop'))[0], 0, 'make stop again is fine';
done_testing;
