package Bench::Floor;
# What each kind of request is compared with: its own main statement through
# pgbench, and the cheapest statement that does such a job through mod_dbd and
# nothing else in the same httpd (t/bench/mod_floor.c), on tables of the
# benchmark's own with no column and no index that could be left out: `select`
# of one text by a key of 16 bytes, for all that reads and for risk scores;
# `insert` of a session, its event, a delivery and a stored answer, for
# creations. What needs no database is compared with a file, `static`.
use v5.32;
use warnings;
use Bench::Statement;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use Verify::Instance;

my $root = abs_path(dirname(__FILE__) . '/../../..');
my $connections = 8;    # as VerifyDatabaseConnections
my ($text_version) = read_text("$root/mod_verify/domain/session/session_view.h")
  =~ /^#define IDV_SESSION_TEXT_VERSION ([0-9]+)$/m or die "no version of texts\n";

sub read_text {
  my ($path) = @_;
  open my $file, '<', $path or die "$path: $!\n";
  local $/;
  return <$file>;
}

# pgbench's scripts; ids of new rows grow, as the service's do.
my %script_of = (retrieve => \&retrieve_script, list => \&list_script,
  lookup => \&lookup_script, deliveries => \&deliveries_script,
  create => sub { create_script(@_, 0) },
  create_idempotent => sub { create_script(@_, 1) });
my %floor_of = (compliance => 'static', create => 'insert',
  create_idempotent => 'insert');

# The kind of request that one of another kind is compared with.
sub through_httpd { $floor_of{$_[0]} // 'select' }

# A script of pgbench and its options; nothing when there is none.
sub through_pgbench {
  my ($service, $kind) = @_;
  my $script = $script_of{$kind} or return;
  return $script->($service);
}

my $seeded_id = q{'vks_00' || lpad((:n)::text, 24, '0')};
sub with_random_id {
  my ($service, $script) = @_;
  return "\\set n random(1, $service->{rows})\n$script;\n";
}
# Of a random session, by the organization's key.
sub answer_parameters {
  my ($service) = @_;
  my ($key) = @{$service->sql(q{SELECT digest::text, id, type FROM api_key
    WHERE organization_id = ? AND type = 'secret'}, $service->{organization}{id})};
  return (organization_id => $service->{organization}{id},
    answer_version_least => $text_version, answer_version => $text_version,
    key_digest => $key->{digest},
    key_id => $key->{id}, key_type => $key->{type}, sandbox => 'f',
    billing_suspended => 'f', publishable_create_blocked => 'f');
}
sub retrieve_script {
  my ($service) = @_;
  my ($text, $options) = Bench::Statement::script('session/find_answer',
    answer_parameters($service), id => \$seeded_id);
  return (with_random_id($service, $text), $options);
}
sub list_script {
  my ($service) = @_;
  my ($text, $options) = Bench::Statement::script('session/list_answers',
    answer_parameters($service), cursor => \$seeded_id);
  return (with_random_id($service, $text), $options);
}

sub lookup_script {
  my ($service) = @_;
  my $digest = $service->sql_value(
    'SELECT email_digest::text FROM verification_session WHERE organization_id = ?
       AND email_digest IS NOT NULL LIMIT 1', $service->{organization}{id});
  my ($text, $options) = Bench::Statement::script(
    'verified_person/find_by_identifier',
    organization_id => $service->{organization}{id}, now => time * 1000,
    email_digest => $digest, limit => 100);
  return ("$text;\n", $options);
}
sub deliveries_script {
  my ($service) = @_;
  my $types = join ',', map { "verification_session.$_" }
    qw(created verified failed cancelled expired);
  my ($text, $options) = Bench::Statement::script('delivery/list',
    organization_id => $service->{organization}{id},
    webhook_endpoint_id => $service->{endpoint}, event_types => "{$types}",
    statuses => '{pending,delivered,failed}',
    lower => 'whd_', upper => \($seeded_id =~ s/vks/whd/r), limit => 11);
  return (with_random_id($service, $text), $options);
}

my @columns = read_text("$root/sql/fragments/session_columns.sql")
  =~ s/^\s*--.*\n//gmr =~ /(\w+)/g;
push @columns, qw(answer answer_version);

# The parameters are those of a session that the service made, but for ids.
sub create_parameters {
  my ($service, $ids) = @_;
  my $session = $service->create_session->json->{id};
  my ($row) = @{$service->sql('SELECT ' . join(', ', map { "$_\::text" } @columns)
    . ' FROM verification_session WHERE id = ?', $session)};
  my ($event) = @{$service->sql('SELECT type, body FROM event WHERE object_id = ?',
    $session)};
  return (%$row, id => $ids->{session}, event_id => $ids->{event},
    event_type => $event->{type}, event_body => $event->{body});
}

sub create_script {
  my ($service, $idempotent) = @_;
  my $next = q{lpad(nextval('bench_number')::text, };
  my $next_key = "'floor-' || nextval('bench_number')";
  my %parameters = create_parameters($service, {
    session => \"'vks_01' || $next 24, '0')",
    event => \"'evt_01' || $next 24, '0')"});
  %parameters = (%parameters, route => '/v1/verification_sessions',
    idempotency_key => \$next_key, request_digest => '\x' . 'ab' x 32,
    response_status => 201, sealed_response => '\x' . 'ab' x 1000,
    outdated_until => 0) if $idempotent;
  my ($text, $options) = Bench::Statement::script('session/create', %parameters);
  # Each use of the key has to be the same one.
  $text =~ s/\(\Q$next_key\E\)::text IS (NOT )?NULL/$1 ? 'true' : 'false'/ge;
  return ("$text;\n", $options);
}

# The tables, with as many sessions as the service has. Their texts are the
# service's, so that as many bytes are written and sent.
sub seed {
  my ($service) = @_;
  my $answer = $service->create_session;
  $service->sql($_) for 'CREATE SCHEMA floor',
    map { "CREATE TABLE floor.$_ (id uuid PRIMARY KEY, body text)" }
    qw(session event delivery answer);
  $service->sql(<<'SQL', $answer->body, $service->{rows});
INSERT INTO floor.session
SELECT ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, ?
  FROM generate_series(1, ?::bigint) n
SQL
  $service->sql('VACUUM (ANALYZE) floor.session');
  $service->sql('CHECKPOINT');
  my $event = $service->sql_value('SELECT body FROM event WHERE object_id = ?',
    $answer->json->{id});
  return {session => $answer->body, event => $event};
}

# The configuration of mod_floor over these tables.
sub configuration {
  my ($service, $text) = @_;
  return virtual_host($service,
    directives('select_row',
      'SELECT body FROM floor.session WHERE id = %s::uuid', '@last'),
    directives('insert_row', join(' ',
      'WITH s AS (INSERT INTO floor.session VALUES (%s::uuid, %s)),',
      'e AS (INSERT INTO floor.event VALUES (%s::uuid, %s)),',
      'd AS (INSERT INTO floor.delivery VALUES (%s::uuid, NULL))',
      'INSERT INTO floor.answer VALUES (%s::uuid, %s) RETURNING body'),
      '@id', $text->{session}, '@id', $text->{event}, '@id', '@id',
      $text->{session}));
}

# The configuration of mod_floor over the service's own sessions: the cheapest
# statements that read what a retrieval and a list read.
sub configuration_of_sessions {
  my ($service) = @_;
  my $organization = $service->{organization}{id};
  return virtual_host($service,
    directives('row', 'SELECT answer FROM verification_session '
      . 'WHERE organization_id = %s AND id = %s', $organization, '@last'),
    directives('page', 'SELECT answer FROM verification_session '
      . 'WHERE organization_id = %s AND id < %s ORDER BY id DESC LIMIT 11',
      $organization, '@last'));
}

# Has a port of its own, and as many connections as the service has: those are the
# service's alone.
sub virtual_host {
  my ($service, @statements) = @_;
  my $module = ($ENV{VERIFY_BUILD} // "$root/build") . '/t/bench/mod_floor.so';
  ($service->{floor_port}) = Verify::Instance::free_ports(1);
  my $address = "127.0.0.1:$service->{floor_port}";
  return join '', "LoadModule dbd_module \${VERIFY_MODULES}/mod_dbd.so\n",
    'LoadModule floor_module ' . abs_path($module) . "\n",
    "Listen $address\n<VirtualHost $address>\n", connections($service),
    @statements,
    "<Location \"/floor\">\nSetHandler floor\nRequire all granted\n</Location>\n",
    "</VirtualHost>\n";
}

# A statement of mod_floor under this label, with its parameters.
sub directives {
  my ($label, $statement, @parameters) = @_;
  return 'DBDPrepareSQL ' . quoted($statement) . " $label\n"
    . join(' ', 'FloorStatement', $label, map { quoted($_) } @parameters) . "\n";
}
sub quoted { '"' . $_[0] =~ s/(["\\])/\\$1/gr . '"' }

sub connections {
  my ($service) = @_;
  my %value = (DBDriver => 'pgsql', DBDExptime => 0,
    DBDParams => qq{"$service->{instance}{conninfo} }
      . q{options='-c plan_cache_mode=force_generic_plan'"},
    map { $_ => $connections } qw(DBDMin DBDKeep DBDMax));
  return map { "$_ $value{$_}\n" } sort keys %value;
}

# Where wrk finds a kind of request.
sub url {
  my ($service, $kind) = @_;
  return $service->instance->base_url
    unless $kind =~ /\A(?:select|insert|row|page)\z/;
  return "http://127.0.0.1:$service->{floor_port}";
}

1;
