# The image of apxs/container/Containerfile, built and run by podman: a root that is
# read-only, an unprivileged user without capabilities, secrets in files, the schema
# as a step before, a verified session, and an orderly end. Its base is the clean root
# of make deb-root and its first stage the packages of make deb, so that nothing is
# fetched from a registry.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Cwd qw(abs_path);
use File::Copy qw(copy);
use File::Path qw(remove_tree);
use File::Temp qw(tempdir);
use JSON::PP ();
use Verify::Test;

my $root = abs_path("$FindBin::Bin/../..");
chdir $root or die "$root: $!\n";
my $build = $ENV{VERIFY_BUILD} // 'build';
my @packages = glob "$build/deb/*.deb";
my $base = "$build/deb-root.tar";
plan skip_all => 'no podman' unless grep { -x "$_/podman" } split /:/, $ENV{PATH};
plan skip_all => 'not root' if $>;
plan skip_all => 'no packages: make deb' unless @packages;
plan skip_all => 'no clean root: make deb-root' unless -e $base;

# A storage of its own: the base has a name that somebody's may have, too.
my $where = tempdir();
chmod 0755, $where;
my @podman = ('podman', '--root', "$where/storage", '--runroot', "$where/run");
my @runtime;
my $made = 'localhost/mod_verify';
my $json = JSON::PP->new->utf8;
END {
  if ($where && -d $where) {
    my $status = $?;
    system "@podman rm -af >/dev/null 2>&1; @podman rmi -af >/dev/null 2>&1";
    system "umount $where/storage/overlay 2>/dev/null";
    remove_tree($where, {safe => 1});
    $? = $status;
  }
}
# (status, what it said)
sub podman {
  my (@words) = @_;
  my $said = '';
  my $pid = open(my $output, '-|') // die "cannot fork: $!\n";
  if (!$pid) {
    open STDERR, '>&', \*STDOUT;
    exec @podman, @runtime, @words or CORE::exit(127);
  }
  { local $/; $said = <$output> // '' }
  close $output;
  return ($? >> 8, $said);
}
sub podman_ok {
  my ($name, @words) = @_;
  my ($status, $said) = podman(@words);
  is $status, 0, $name or diag length $said > 3000 ? substr $said, -3000 : $said;
  return $said;
}

# --- the image ---

open my $file, '<', 'apxs/container/Containerfile' or die "Containerfile: $!\n";
my $text = do { local $/; <$file> };
my ($last) = $text =~ /.*^(FROM .*)/ms or die "no stages\n";
my ($name) = $last =~ /\AFROM (\S+)/;
$name = "docker.io/library/$name" if $name !~ m{/};
mkdir "$where/context";
mkdir "$where/context/$_" for qw(deb apxs apxs/container);
copy $_, "$where/context/deb/" for @packages;
copy 'apxs/container/httpd.conf', "$where/context/apxs/container/";
open my $out, '>', "$where/context/Containerfile" or die "$where: $!\n";
print $out "FROM scratch AS build\nCOPY deb /source/build/deb\n$last";
close $out;
podman_ok 'the base', 'import', $base, $name;
podman_ok 'the image is built', 'build', '--isolation', 'chroot', '--pull=never', '-t',
  $made, "$where/context";
if ((podman('image', 'exists', $made))[0]) {
  done_testing;
  exit;
}
my ($status) = podman(qw(run --rm --network none), $made, 'true');
if ($status) {
  @runtime = ('--runtime', "$root/t/lib/plain_runtime.sh");
  my $said;
  ($status, $said) = podman(qw(run --rm --network none), $made, 'true');
  if ($status) {
    diag "no container runs here: $said";
    done_testing;
    exit;
  }
  note 'run without resource limits, which this machine refuses to set';
}

# --- what it does ---

my $service = Verify::Instance->start(start => 0, migrate => 0);
my ($socket, $port, $password) =
  $service->{conninfo} =~ m{host=(/\S+) port=(\S+) .*password=(\S+)};
SKIP: {
  skip 'PostgreSQL has no socket here, and the container no network' unless $socket;
  make_secrets();
  my @options = (qw(--network none --read-only --read-only-tmpfs=false --cap-drop all
    --security-opt no-new-privileges --tmpfs /run/verify:mode=1777 --tmpfs /tmp:mode=1777),
    '-v', "$where/secrets/service:/run/verify-secrets:ro", '-v', "$socket:/run/postgresql",
    '-v', "$root/apxs/container/compose.conf:/etc/apache2/verify/container.d/compose.conf:ro",
    '-e', 'VERIFY_PUBLIC_URL=http://localhost:8080', '-e',
    "VERIFY_DATABASE=host=/run/postgresql port=$port dbname=$service->{database} user=verify"
      . ' passfile=/run/verify-secrets/pgpass');
  is +(podman('run', '--rm', @options, $made, 'sh', '-c',
    'command -v cc gcc g++ clang ld make'))[1], '', 'it has no compiler';
  like podman_ok('its verifyctl applies the schema', 'run', '--rm', @options, $made,
    qw(verifyctl migrate)), qr/"version":\s*[0-9]+/, '... to a version';
  podman_ok 'it begins', 'run', '-d', '--name', 'verify', @options, $made;
  # Images of OCI's format have no check of health, so it is carried out.
  my ($check) = $last =~ /^HEALTHCHECK\b.*?CMD\s+(\[.*?\])/ms;
  ok &wait_for(sub { !(podman(qw(exec verify), @{$json->decode($check)}))[0] }, 120),
    'it is healthy, as the image says' or diag +(podman('logs', 'verify'))[1];
  like podman_ok('its user', qw(exec verify id)), qr/\Auid=33\(www-data\)/, '... is not root';
  isnt +(podman(qw(exec verify touch /etc/new)))[0], 0, 'its root is read-only';
  my $ctl = sub { $json->decode(podman_ok("verifyctl $_[0] $_[1]", qw(exec verify verifyctl), @_)) };
  my $org = $ctl->(qw(org create --name Shop --sandbox))->{id};
  my $key = $ctl->(qw(key create --type secret --org), $org)->{key};
  my $workflow = $ctl->(qw(workflow publish --org), $org,
    '/etc/apache2/verify/workflows/demonstration.json')->{id};
  my $session = podman_ok('a session', qw(exec verify curl -fsS
    http://127.0.0.1:8080/v1/verification_sessions -H), "Authorization: Bearer $key", '-H',
    'Content-Type: application/json', '-d', $json->encode({type => 'age',
      workflow_id => $workflow, jurisdiction => 'US-CA', skip_verification => \1}));
  like $session, qr/"status":"verified"/, '... is verified';
  ok &wait_for(sub { (podman(qw(exec verify curl -sS http://127.0.0.1:8080/v1/health/ready)))[1]
    =~ /"reader":"ready"/ }, 60), 'it reads documents';
  podman_ok 'it is stopped', qw(stop -t 60 verify);
  like podman_ok('its end', qw(inspect -f {{.State.ExitCode}} verify)), qr/\A0$/,
    '... is in order';
  my (undef, $logs) = podman(qw(logs verify));
  like $logs, qr/POST \/v1\/verification_sessions/, 'its logs go to the container\'s';
  unlike $logs, qr/:(?:error|crit|alert|emerg)\]/, '... without an error' or diag $logs;
}
sub make_secrets {
  is system('apxs/container/make-secrets', "$where/secrets"), 0, 'the secrets';
  chmod 0755, "$where/secrets";
  open my $pgpass, '>', "$where/secrets/service/pgpass" or die "pgpass: $!\n";
  print $pgpass "*:*:*:verify:$password\n";
  close $pgpass;
}
finish $service;
