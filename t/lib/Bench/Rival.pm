package Bench::Rival;
# The same operations in another stack (t/bench/rival): what somebody would
# write who knows Node and PostgreSQL well. It has a schema of its own in the
# database of the service, with as many sessions under the same ids, and takes
# the key of the same organization, so that it is sent the same requests.
use v5.32;
use warnings;
use Bench::Cpu;
use Cwd qw(abs_path);
use Digest::SHA qw(sha256_hex);
use File::Basename qw(dirname);
use IPC::Open2 qw(open2);
use Verify::Instance;

my $root = abs_path(dirname(__FILE__) . '/../../..');
my $directory = "$root/t/bench/rival";
my $node_version = 20;    # the least that its packages run with
my @running;

# Why there is no rival on this machine, or nothing.
sub missing {
  my ($major) = (`node --version 2>/dev/null` // '') =~ /\Av([0-9]+)/;
  return 'node is not installed' unless $major;
  return "node $major is older than $node_version" if $major < $node_version;
  return system("$root/scripts/fetch-test-modules", 't/bench/rival')
    ? 'its packages could not be installed' : ();
}

sub start {
  my ($class, $service) = @_;
  my $self = bless {service => $service, programs => {}}, $class;
  push @running, $self;
  $service->sql($_) for split /;\s*\n(?=\n|CREATE)/, read_text('schema.sql');
  $self->add_account;
  $self->add_sessions;
  return $self;
}

sub read_text {
  open my $file, '<', "$directory/$_[0]" or die "$_[0]: $!\n";
  local $/;
  return <$file>;
}

sub add_account {
  my ($self) = @_;
  my $organization = $self->{service}{organization};
  $self->{service}->sql(
    q(INSERT INTO rival.account VALUES (decode(?, 'hex'), ?, ?, true)),
    sha256_hex($organization->{secret_key}),
    @$organization{qw(id workflow_id)});
}

# The answers are the service's, so that both send as many bytes.
sub add_sessions {
  my ($self) = @_;
  my $service = $self->{service};
  my ($organization, $rows) = ($service->{organization}{id}, $service->{rows});
  my $answer = $service->client->get('/v1/verification_sessions?limit=1')
    ->json->{data}[0];
  my $body = JSON::PP->new->canonical->encode($answer);
  $service->sql(<<'SQL', $organization, $body, $answer->{id}, $rows);
INSERT INTO rival.session
SELECT ?, id, CASE WHEN n % 10 = 0 THEN 'created' ELSE 'verified' END,
       'customer-' || n % 100000, sha256(id::bytea), 0, replace(?, ?, id)
  FROM generate_series(1, ?::bigint) n,
       LATERAL (SELECT 'vks_00' || lpad(n::text, 24, '0')) i (id)
SQL
  $service->sql('VACUUM (ANALYZE) rival.session');
  $service->sql('CHECKPOINT');
}

sub environment {
  my ($self) = @_;
  my $instance = $self->{service}->instance;
  my %field = map { split /=/, $_, 2 } split ' ', $instance->{conninfo};
  return (%ENV, PGHOST => $field{host}, PGPORT => $field{port},
    PGUSER => $field{user}, PGPASSWORD => $field{password},
    PGDATABASE => $field{dbname}, CA_FILE => $instance->ca_file,
    RIVAL_SEALING_KEY => sha256_hex($$ . time), NODE_ENV => 'production');
}

# Runs one of its programs; back when it says that it is ready.
sub run {
  my ($self, $name, @arguments) = @_;
  my %program = (name => $name);
  local %ENV = $self->environment;
  $program{pid} = open2($program{output}, $program{input}, 'node',
    "$directory/$name.mjs", @arguments);
  defined readline $program{output} or die "the rival's $name did not start\n";
  $self->{programs}{$name} = \%program;
}
sub end {
  my ($self, $name) = @_;
  my $program = delete $self->{programs}{$name} or return;
  close $program->{input};
  waitpid $program->{pid}, 0;
}

# Requests are answered from now on; returns where.
sub serve {
  my ($self) = @_;
  ($self->{port}) = Verify::Instance::free_ports(1);
  $self->run(server => $self->{port});
  return $self->url;
}
sub url { "http://127.0.0.1:$_[0]{port}" }

# Only these operations are in it, and deliveries.
sub can_answer { $_[1] =~ /\A(?:retrieve|list|create|create_idempotent)\z/ }

# Microseconds used so far by all that it runs.
sub cpu {
  my ($self) = @_;
  my $sum = 0;
  $sum += Bench::Cpu::of_family($_->{pid}) for values %{$self->{programs}};
  return $sum;
}

# $count deliveries of $body to the endpoint $url, due at once.
sub queue_deliveries {
  my ($self, $url, $body, $count) = @_;
  my $service = $self->{service};
  my $organization = $service->{organization}{id};
  $service->sql("TRUNCATE rival.$_") for qw(delivery event endpoint);
  $service->sql(q(INSERT INTO rival.endpoint VALUES (?, 'we_1', ?, 'whsec_1')),
    $organization, $url);
  $service->sql(<<'SQL', $organization, $body, $count);
INSERT INTO rival.event
SELECT ?, 'evt_00' || lpad(n::text, 24, '0'), 'verification_session.created', ?, 0
  FROM generate_series(1, ?::integer) n
SQL
  $service->sql(<<'SQL');
INSERT INTO rival.delivery (organization_id, id, endpoint_id, event_id, due_at)
SELECT organization_id, 'whd' || substr(id, 4), 'we_1', id, 0 FROM rival.event
SQL
  $service->sql("VACUUM (ANALYZE) rival.$_") for qw(delivery event);
}
sub is_settled {
  my ($self) = @_;
  return !$self->{service}->sql_value(
    q(SELECT count(*) FROM rival.delivery WHERE status = 'pending'));
}

sub stop {
  my ($self) = @_;
  $self->end($_) for keys %{$self->{programs}};
}

# Also when the benchmark dies, and before its database goes.
END {
  my $status = $?;
  $_->stop for @running;
  $? = $status;
}

1;
