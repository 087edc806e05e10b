package Bench::Service;
# The service that is measured: a private instance with its own PostgreSQL
# cluster, an organization, and as many sessions as wanted.
use v5.32;
use warnings;
use Bench::Cpu;
use JSON::PP ();
use Test::More ();
use Verify::Instance;

my $columns = 'organization_id, id, application_id, workflow_id,
  workflow_version_id, livemode, revision, status, type, methods,
  current_method, client_reference_id, return_url, cancel_url, metadata,
  user_message, created_at, updated_at, expires_at, completed_at, age_tier,
  jurisdiction, jurisdiction_audit_declared, jurisdiction_audit_source,
  compliance, runner, client_secret_digest, answer, answer_version,
  answer_xid';

# The commit timestamps are what a delivery's latency is measured from. $options
# are PostgreSQL's, and come last.
sub start {
  my ($class, $options) = @_;
  # The instance checks its error log with an assertion; keep that quiet.
  Test::More->builder->output(\my $passed);
  Test::More->builder->no_ending(1);
  local $ENV{VERIFY_POSTGRESQL_OPTIONS} =
    '-c track_commit_timestamp=on -c max_wal_size=8GB -c checkpoint_timeout=15min '
      . ($options // '');
  my $instance = Verify::Instance->start(own_cluster => 1, conf => <<'CONF');
VerifyRateLimit secret 1000000000
LogLevel error
<Directory "${VERIFY_RUN}/httpd/htdocs">
    Require all granted
</Directory>
CONF
  my $self = bless {instance => $instance}, $class;
  $self->{organization} = $instance->organization(workflow => 1);
  return $self;
}
sub instance { $_[0]{instance} }
sub client { $_[0]{organization}{client} }
sub sql { shift->{instance}->sql(@_) }
sub sql_value { shift->{instance}->sql_value(@_) }

# Starts httpd anew with these lines of configuration besides.
sub configure {
  my ($self, $lines) = @_;
  my $instance = $self->{instance};
  $self->resume_watchdog;
  $instance->stop_httpd;
  $instance->{conf} .= $lines;
  $instance->start_httpd;
  delete $self->{watchdog_pid};
}

sub create_session {
  my ($self, %more) = @_;
  my $answer = $self->client->post('/v1/verification_sessions', {
    workflow_id => $self->{organization}{workflow_id}, type => 'age',
    client_reference_id => 'bench', jurisdiction => 'US-MD',
    metadata => {order => '1000'}, %more});
  die 'creating a session: ' . $answer->body . "\n" unless $answer->status == 201;
  return $answer;
}

sub create_endpoint {
  my ($self, $url) = @_;
  my $answer = $self->client->post('/v1/webhook_endpoints',
    {url => $url, enabled_events => ['*']});
  die 'creating an endpoint: ' . $answer->body . "\n" unless $answer->status == 201;
  return $answer->json->{id};
}

# $count copies of a session, one in ten of them still open, with ids
# vks_00<number> that are older than any real one. Secondary indexes are made
# anew afterwards, which is much faster than keeping them. The organization has
# an endpoint then, without which it could not create sessions.
sub seed {
  my ($self, $count) = @_;
  $self->pause_watchdog;
  $self->{endpoint} = $self->create_endpoint('https://127.0.0.1:9/nobody');
  my $answer = $self->create_session;
  my $id = $answer->json->{id};
  my $indexes = $self->sql(<<'SQL');
SELECT indexname, indexdef FROM pg_indexes
 WHERE tablename = 'verification_session' AND indexdef NOT LIKE '%UNIQUE%'
SQL
  $self->sql("DROP INDEX $_->{indexname}") for @$indexes;
  my $selected = $columns =~ s/\bid\b(?!_)/'vks_00' || lpad(n::text, 24, '0')/r
    =~ s/\bstatus\b/CASE WHEN n % 10 = 0 THEN 'created' ELSE 'verified' END/r
    =~ s/\bclient_reference_id\b/'customer-' || n % 100000/r
    =~ s/\banswer\b/replace(answer, substr(s.id, 5), '00' || lpad(n::text, 24, '0'))/r
    =~ s/\banswer_xid\b/pg_current_xact_id()::xid/r
    =~ s/\bcompleted_at\b/CASE WHEN n % 10 = 0 THEN NULL ELSE updated_at END/r;
  $self->sql(<<SQL, $count, $id);
INSERT INTO verification_session ($columns)
SELECT $selected
  FROM generate_series(1, ?::bigint) n, verification_session s
 WHERE s.id = ?
 ORDER BY n
SQL
  $self->sql($_->{indexdef}) for @$indexes;
  # As far from VerifyCreditOverdraft as a customer's who pays; the tenth that is
  # under way counts, too.
  $self->sql('UPDATE organization SET free_allotment = 1000000 + ? WHERE id = ?',
    $count, $self->{organization}{id});
  $self->sql('VACUUM (ANALYZE) verification_session');
  $self->sql('CHECKPOINT');
  $self->{rows} = $count;
  my $static = "$self->{instance}{directory}/httpd/htdocs/session.json";
  open my $file, '>', $static or die "$static: $!\n";
  print $file $self->client->get("/v1/verification_sessions/$id")->body;
  close $file or die "$static: $!\n";
  chmod 0644, $static;
}

# Deliveries are queued while the watchdog is paused, and measured by themselves.
sub pause_watchdog { kill STOP => $_[0]->watchdog_pid }
sub resume_watchdog { kill CONT => $_[0]->watchdog_pid }
sub watchdog_pid {
  my ($self) = @_;
  return $self->{watchdog_pid} //= $self->{instance}->watchdog_pid
    // die "no watchdog\n";
}
sub httpd_children {
  my ($self) = @_;
  my $instance = $self->{instance};
  return grep { $_ != $self->watchdog_pid }
    $instance->child_pids($instance->httpd_pid);
}

# Microseconds used so far by the server's children, by PostgreSQL with all its
# processes, by the watchdog, and by what runs of the rival.
sub cpu {
  my ($self) = @_;
  my $instance = $self->{instance};
  my $watchdog = $self->watchdog_pid;
  return {
    httpd => Bench::Cpu::of_family($instance->httpd_pid, $watchdog => 1),
    postgresql => Bench::Cpu::of_family($instance->postgresql_pid),
    watchdog => Bench::Cpu::of_process($watchdog),
    rival => $self->{rival} ? $self->{rival}->cpu : 0,
  };
}

# $per units of work between two readings: microseconds of each.
sub cpu_between {
  my ($before, $after, $per) = @_;
  return {map { $_ => ($after->{$_} - $before->{$_}) / ($per || 1) } keys %$after};
}

# kB of proportional set size.
sub memory {
  my ($self) = @_;
  return {httpd => [map { Bench::Cpu::pss($_) } $self->httpd_children],
    watchdog => Bench::Cpu::pss($self->watchdog_pid)};
}

sub stop {
  my ($self) = @_;
  $self->{rival}->stop if $self->{rival};
  $self->{instance}->stop;
}

1;
