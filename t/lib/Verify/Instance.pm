package Verify::Instance;
# A private, throw-away service: own run directory, ports and database, made by
# the same scripts as those of `make run`, and removed when the test ends. When
# the test is over (or the object is destroyed), every process of httpd must
# have ended with status 0, its error log must contain nothing undeclared, and
# none of its logs a secret or personal data.
#
# `make test` provides one PostgreSQL cluster for all (VERIFY_TEST_CLUSTER, a
# run directory); a test that harms the database requests its own. VERIFY_KEEP=1
# keeps the run directory. VERIFY_CORES=DIRECTORY makes httpd's processes leave
# core dumps there, for rare crashes; every user must be able to write to it,
# and `ulimit -c` must allow them.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use DBI;
use Fcntl qw(:flock);
use File::Basename qw(dirname);
use File::Path qw(remove_tree);
use File::Temp ();
use JSON::PP ();
use Test::More;
use Verify::Client;
use Verify::Disclosure qw(disclosures);
use Verify::ErrorLog;
use Verify::Exits;
use Verify::Wait;

my $root = abs_path(dirname(__FILE__) . '/../../..');
my $json = JSON::PP->new->utf8->canonical;
my %running;

# conf: httpd configuration included last; own_cluster: 1; start: 0 prepares
# everything but does not start httpd; migrate: 0 leaves the database empty;
# beside: another instance, whose database and master key this one shares;
# slow_names: 1 gives httpd names that hang while the file of that name exists
# in its run directory (t/lib/slow_names.c); behind: a command that starts
# httpd; tree: the built checkout of an older release that provides module and
# tools.
sub start {
  my ($class, %options) = @_;
  my $directory = File::Temp::tempdir('verify-t-XXXXXXXX', TMPDIR => 1);
  chmod 0755, $directory;
  my $self = bless {%options, directory => $directory, owner => $$}, $class;
  $running{$directory} = $self;
  my $first = $options{beside};
  $self->{cluster} = $first ? $first->{cluster}
    : $self->{own_cluster} ? $directory
    : $ENV{VERIFY_TEST_CLUSTER} // $directory;
  $self->{database} = $first ? $first->{database}
    : $directory =~ s/.*verify-t-/t_/r;
  # The log of a shared cluster contains messages caused by earlier tests.
  my $database_log = "$self->{cluster}/logs/postgresql.log";
  $self->{logs} = {map({ ("$directory/logs/$_.log" => 0) } qw(error access)),
    "$directory/httpd/start.log" => 0, $database_log => -s $database_log};
  $self->{log} = Verify::ErrorLog->new("$directory/logs/error.log");
  $self->{exits} = Verify::Exits->new("$directory/exits");
  $self->postgresql('start') if $self->{cluster} eq $directory;
  $self->make_master_key($first && read_text("$first->{directory}/master.key"));
  my $is_empty = defined $options{migrate} && !$options{migrate};
  my $is_copy = !$first && !$is_empty && !$options{tree}
    && $self->{cluster} ne $directory;
  $self->postgresql('createdb', $self->{database}, $is_copy ? $self->schema : ())
    unless $first;
  $self->{conninfo} = $self->conninfo($self->{database});
  $self->verifyctl('migrate') unless $first || $is_empty || $is_copy;
  $self->share_certificates unless $self->{cluster} eq $directory;
  ($self->{http_port}, $self->{https_port}) = free_ports(2);
  $self->start_httpd unless defined $options{start} && !$options{start};
  return $self;
}

# The template database of the shared cluster. The first instance applies the
# migrations, which take longer than the rest of PostgreSQL's work for a start.
# It contains nothing that depends on a master key.
sub schema {
  my ($self) = @_;
  my $name = 't_schema';
  $self->once_per_cluster($name, sub {
    $self->postgresql('createdb', $name);
    local $self->{conninfo} = $self->conninfo($name);
    $self->verifyctl('migrate');
  });
  return $name;
}

# How to connect to a database. All of a cluster differ in their names.
sub conninfo {
  my ($self, $database) = @_;
  state %of;
  my $known = $of{$self->{cluster}} //= $self->postgresql('conninfo', 'NAME') =~ s/\n//r;
  delete $of{$self->{cluster}} if $self->{cluster} eq $self->{directory};
  return $known =~ s/\bdbname=NAME\b/dbname=$database/r;
}

# The throw-away authority and the certificate of the service, made by the first
# instance of a shared cluster: openssl takes longer for them than all others
# take for a copy.
sub share_certificates {
  my ($self) = @_;
  my $kept = "$self->{cluster}/shared_tls";
  $self->once_per_cluster('certificates', sub {
    $self->script('certificate', 'issue', 'service', 'DNS:localhost,IP:127.0.0.1');
    system('cp', '-a', "$self->{directory}/tls", $kept) == 0 or die "no copy in $kept\n";
  });
  return if -d "$self->{directory}/tls";
  system('cp', '-a', $kept, "$self->{directory}/tls") == 0 or die "no copy of $kept\n";
}

# Does WORK unless an instance of the cluster has done it under this NAME.
sub once_per_cluster {
  my ($self, $name, $work) = @_;
  open my $lock, '>', "$self->{cluster}/$name.lock" or die "$name.lock: $!\n";
  flock $lock, LOCK_EX or die "$name.lock: $!\n";
  return if -e "$self->{cluster}/$name";
  $work->();
  open my $made, '>', "$self->{cluster}/$name" or die "$name: $!\n";
}

sub free_ports {
  require "$root/scripts/free-port";
  return FreePort::free_ports(@_);
}

sub environment {
  my ($self, $run_directory) = @_;
  return (%ENV, VERIFY_RUN_DIR => $run_directory // $self->{directory},
    VERIFY_DATABASE => $self->{conninfo} // '',
    VERIFY_HTTP_PORT => $self->{http_port} // 0,
    VERIFY_HTTPS_PORT => $self->{https_port} // 0,
    VERIFY_MASTER_KEY_FILE => "$self->{directory}/master.key",
    VERIFY_EXTRA_CONF => "$self->{directory}/extra.conf",
    $self->{exits}->environment,
    $self->{slow_names} ? $self->slow_names : ());
}

# A sanitizer's library must come first.
sub slow_names {
  my ($self) = @_;
  my $build = $ENV{VERIFY_BUILD} // 'build';
  return (VERIFY_HANGING_NAMES => "$self->{directory}/slow_names",
    VERIFY_PRELOAD => join ' ', grep { length } $ENV{VERIFY_PRELOAD} // '',
      "$root/$build/t/lib/slow_names.so");
}
# Makes names below ".names.test" hang, or ends that.
sub hang_names {
  my ($self) = @_;
  open my $file, '>', "$self->{directory}/slow_names" or die "slow_names: $!\n";
  chmod 0666, $file;
}
sub release_names { unlink "$_[0]{directory}/slow_names" }
# The names that were looked up since.
sub hanging_names { split /\n/, read_text("$_[0]{directory}/slow_names") }

# Runs a script in this instance's environment; dies with its output.
sub script {
  my ($self, $name, @arguments) = @_;
  local %ENV = $self->environment(
    $name eq 'postgresql' ? $self->{cluster} : $self->{directory});
  my @before = $name eq 'service'
    ? ($self->{exits}->command, @{$self->{behind} // []}) : ();
  my $of = $name =~ /\A(?:service|verifyctl)\z/ && $self->{tree} || $root;
  $ENV{VERIFY_BUILD} = "$of/build" if $of ne $root;
  my $program = $name eq 'verifyctl' && $of eq $root ? tool() : "$of/scripts/$name";
  # A file, not a pipe: processes that the script leaves running keep it open.
  my $output = File::Temp->new(TEMPLATE => 'verify-o-XXXXXXXX', TMPDIR => 1);
  my $pid = fork // die "cannot fork: $!\n";
  if (!$pid) {
    open STDIN, '<', '/dev/null';
    open STDOUT, '>&', $output;
    open STDERR, '>', "$output.err";
    exec @before, $program, @arguments or CORE::exit(127);
  }
  waitpid $pid, 0;
  my $status = $?;
  my $errors = read_text("$output.err");
  unlink "$output.err";
  die "scripts/$name @arguments: $errors" . read_text("$output") . "\n"
    if $status;
  # It succeeded by force; the statuses of the processes show that.
  diag $errors if $errors =~ /does not end, killing it/;
  return read_text("$output");
}

# verifyctl, with the environment that scripts/verifyctl would make. Thousands are started,
# and the shell takes as long as most of them.
sub tool {
  $ENV{VERIFY_MIGRATIONS} //= "$root/sql/migrations";
  $ENV{VERIFY_COMPLIANCE_RULES} //= "$root/conf/compliance";
  my $build = $ENV{VERIFY_BUILD} // 'build';
  return $build =~ m{\A/} ? "$build/verifyctl" : "$root/$build/verifyctl";
}

sub read_text {
  open my $file, '<', $_[0] or return '';
  local $/;
  return <$file> // '';
}

sub postgresql { $_[0]->script('postgresql', @_[1 .. $#_]) }

# The decoded JSON output of verifyctl; dies if it refuses.
sub verifyctl {
  my ($self, @arguments) = @_;
  return $json->decode($self->script('verifyctl', @arguments));
}

sub make_master_key {
  my ($self, $text) = @_;
  open my $file, '>', "$self->{directory}/master.key" or die "master.key: $!\n";
  chmod 0600, $file;
  print $file $text || unpack('H*', random_bytes(32)) . "\n";
  close $file;
}
sub random_bytes {
  open my $file, '<:raw', '/dev/urandom' or die "no random bytes: $!\n";
  read $file, my $bytes, $_[0];
  return $bytes;
}

sub start_httpd {
  my ($self) = @_;
  open my $file, '>', "$self->{directory}/extra.conf" or die "extra.conf: $!\n";
  print $file $self->{conf} // '';
  print $file "\nCoreDumpDirectory $ENV{VERIFY_CORES}\n" if $ENV{VERIFY_CORES};
  close $file;
  $self->note_processes;
  $self->script('service', 'start');
  $self->{exits}->started($self->httpd_pid);
}
sub stop_httpd {
  my ($self) = @_;
  $self->note_processes;
  $self->rest;
  $self->script('service', 'stop');
}
# Call it before an immediate end: see Verify::Exits.
sub rest {
  my ($self) = @_;
  return $self->{exits}->rest($self->httpd_pid // return);
}
sub graceful {
  my ($self) = @_;
  $self->note_processes;
  # Until the children of the previous configuration have ended, which hold both
  # places of this server; httpd looks again a second later.
  $self->allow_log(qr/AH03490: scoreboard is full/);
  $self->script('service', 'graceful');
}
# Requires the running processes to end in order.
sub note_processes {
  my ($self) = @_;
  my $parent = $self->httpd_pid // return;
  return $self->{exits}->note($parent);
}

sub base_url { "http://127.0.0.1:$_[0]{http_port}" }
sub base_url_tls { "https://127.0.0.1:$_[0]{https_port}" }
sub ca_file { "$_[0]{directory}/tls/ca.pem" }

sub client {
  my ($self, $token, %options) = @_;
  return Verify::Client->new(base_url => $self->base_url, token => $token,
    ca_file => $self->ca_file, %options);
}

# An organization with a secret key, a client for it and, with `workflow` (a
# definition, a file name, or 1 for the demonstration's), a published workflow.
sub organization {
  my ($self, %options) = @_;
  my $organization = $self->verifyctl(qw(org create --name), 'Test organization',
    $options{sandbox} ? '--sandbox' : ());
  $organization->{secret_key} = $self->key($organization->{id}, 'secret');
  $organization->{client} = $self->client($organization->{secret_key});
  $organization->{workflow_id} =
    $self->publish($organization->{id}, $options{workflow})->{id}
    if $options{workflow};
  return $organization;
}
sub key {
  my ($self, $organization, $type, @options) = @_;
  return $self->verifyctl(qw(key create --org), $organization, '--type', $type,
    @options)->{key};
}
# A key that has already expired; the service cannot create one.
sub expired_key {
  my ($self, $organization, $type) = @_;
  my $key = $self->verifyctl(qw(key create --org), $organization, '--type', $type,
    '--expires-at', time + 3600);
  $self->sql('UPDATE api_key SET expires_at = created_at WHERE organization_id = ? AND id = ?',
    $organization, $key->{id});
  return $key->{key};
}
sub publish {
  my ($self, $organization, $definition, @options) = @_;
  my $file = $definition;
  $file = "$root/conf/workflows/demonstration.json" if $definition eq '1';
  if (ref $definition) {
    $file = "$self->{directory}/workflow.json";
    open my $out, '>', $file or die "$file: $!\n";
    print $out $json->encode($definition);
    close $out;
  }
  return $self->verifyctl(qw(workflow publish --org), $organization, @options,
    $file);
}

# A TLS receiver whose certificate the service trusts, unless it is for other
# names.
sub receiver {
  my ($self, $names) = @_;
  require Verify::Receiver; # TLS takes longer to load than all else here
  my $number = ++$self->{receivers};
  my $certificate = $names ? "receiver$number" : 'receiver';
  $self->script('certificate', 'issue', $certificate,
    $names // 'DNS:localhost,IP:127.0.0.1');
  return Verify::Receiver->new(
    directory => "$self->{directory}/receiver$number",
    certificate => "$self->{directory}/tls/$certificate.pem",
    key => "$self->{directory}/tls/$certificate.key")->start;
}

# Rows (array of hashes) of a statement run directly on the database.
sub sql {
  my ($self, $statement, @parameters) = @_;
  my $handle = $self->{dbi} && $self->{dbi}->ping ? $self->{dbi}
    : ($self->{dbi} = $self->connect_database);
  my $prepared = $handle->prepare($statement);
  $prepared->execute(@parameters);
  return $prepared->{NUM_OF_FIELDS} ? $prepared->fetchall_arrayref({}) : [];
}
sub sql_value {
  my ($row) = @{shift->sql(@_)};
  return $row && (values %$row)[0];
}
sub connect_database {
  my ($self) = @_;
  my %field = map { split /=/, $_, 2 } split ' ', $self->{conninfo};
  return DBI->connect(
    "dbi:Pg:host=$field{host};port=$field{port};dbname=$field{dbname}",
    $field{user}, $field{password},
    {RaiseError => 1, PrintError => 0, AutoCommit => 1, pg_server_prepare => 0});
}

# Pids: of httpd's parent, of its children by role, of PostgreSQL.
sub httpd_pid {
  my ($self) = @_;
  my ($pid) = read_text("$self->{directory}/httpd/httpd.pid") =~ /([0-9]+)/;
  return $pid;
}
sub child_pids {
  my ($self, $parent) = @_;
  my $task = read_text("/proc/$parent/task/$parent/children");
  return split ' ', $task;
}
# The watchdog names itself in its process title or thread name. After a reload
# an older one may be departing: the youngest is the one that works.
sub watchdog_pid {
  my ($self) = @_;
  for my $pid (reverse $self->child_pids($self->httpd_pid // return)) {
    return $pid if read_text("/proc/$pid/comm") =~ /watchdog/
      || read_text("/proc/$pid/cmdline") =~ /watchdog/;
  }
  return;
}
# The pid of the reader of this kind of evidence, signed or pictures.
sub reader_pid {
  my ($self, $kind) = @_;
  my $watchdog = $self->watchdog_pid // return;
  my ($pid) = grep { Verify::Exits::evidence_of($_) eq $kind }
    $self->child_pids($watchdog);
  return $pid;
}
sub postgresql_pid {
  my ($self) = @_;
  my ($pid) = read_text("$self->{cluster}/postgresql/data/postmaster.pid")
    =~ /\A([0-9]+)/;
  return $pid;
}
# kill -9, and waits until it is gone, together with its sandboxed readers. The
# parent must also have waited for a process of httpd: if httpd learns of a
# killed child only after a graceful restart, it starts another one of the new
# generation for it, beyond MaxRequestWorkers (server_main_loop() of the event
# MPM), and the next restart or stop ignores that one.
sub kill_hard {
  my ($self, $pid) = @_;
  $self->{exits}->expect($_, 9) for $pid,
    grep { read_text("/proc/$_/comm") =~ /verify-analyze/ } $self->child_pids($pid);
  my $httpd = $self->httpd_pid // 0;
  my ($parent) = read_text("/proc/$pid/stat") =~ /\) \S ([0-9]+)/;
  my $zombie_is_enough = ($parent // 0) != $httpd;
  kill KILL => $pid or return;
  return wait_for { !-d "/proc/$pid"
    || $zombie_is_enough && read_text("/proc/$pid/stat") =~ /\) Z / };
}

sub allow_log { shift->{log}->allow(@_) }
sub expect_log { shift->{log}->expect(@_) }

# Ends everything and checks the error log; done once, at the latest at exit.
sub stop {
  my ($self) = @_;
  return unless delete $running{$self->{directory}} && $self->{owner} == $$;
  eval { $self->stop_httpd; 1 } or diag "stopping: $@";
  my @ends = $self->{exits}->faults;
  ok !@ends, 'every process of httpd ended with status 0'
    or diag join "\n", splice @ends, 0, 20;
  my @faults = $self->{log}->faults;
  ok !@faults, 'the error log holds nothing undeclared'
    or diag join "\n", splice @faults, 0, 20;
  my @disclosed = map { disclosures($_, $self->{logs}{$_}) }
    sort keys %{$self->{logs}};
  ok !@disclosed, 'no log discloses a secret or a person'
    or diag join "\n", splice @disclosed, 0, 20;
  $self->{dbi}->disconnect if $self->{dbi};
  my @end = $self->{beside} ? ()
    : $self->{cluster} eq $self->{directory} ? ('stop')
    : ('dropdb', $self->{database});
  !@end || eval { $self->postgresql(@end); 1 } or diag "stopping: $@";
  if ($ENV{VERIFY_KEEP}) { diag "kept $self->{directory}" }
  else { remove_tree($self->{directory}) }
}

# Leaves no process running if a test dies or is interrupted.
@SIG{qw(INT TERM HUP PIPE)} = (sub { exit 130 }) x 4;
END {
  my $status = $?;
  local @SIG{qw(INT TERM HUP PIPE)} = ('IGNORE') x 4;
  $_->stop for values %running;
  $? = $status if $status;
}

1;
