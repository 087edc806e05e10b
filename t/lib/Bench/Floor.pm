package Bench::Floor;
# What each kind of request is compared with: its main statement through
# pgbench, and a statement through mod_dbd and nothing else in the same httpd
# (t/bench/mod_floor.c): `select` of one session by its id, for all that reads
# and for risk scores; `insert` of a session with its event and deliveries, for
# creations. What needs no database is compared with a file, `static`.
use v5.32;
use warnings;
use Bench::Statement;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use Verify::Instance;

my $root = abs_path(dirname(__FILE__) . '/../../..');
my $connections = 8;    # as VerifyDatabaseConnections

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
sub retrieve_script {
  my ($service) = @_;
  my ($text, $options) = Bench::Statement::script('session/find',
    1 => $service->{organization}{id}, 2 => \$seeded_id);
  return (with_random_id($service, $text), $options);
}
sub list_script {
  my ($service) = @_;
  my ($text, $options) = Bench::Statement::script('session/list_default',
    1 => $service->{organization}{id}, 2 => \$seeded_id);
  return (with_random_id($service, $text), $options);
}

sub lookup_script {
  my ($service) = @_;
  my $digest = $service->sql_value(
    'SELECT email_digest::text FROM verification_session WHERE organization_id = ?
       AND email_digest IS NOT NULL LIMIT 1', $service->{organization}{id});
  my ($text, $options) = Bench::Statement::script(
    'verified_person/find_by_identifier', 1 => $service->{organization}{id},
    2 => time * 1000, 3 => $digest, 4 => undef, 5 => 100);
  return ("$text;\n", $options);
}
sub deliveries_script {
  my ($service) = @_;
  my $types = join ',', map { "verification_session.$_" }
    qw(created verified failed cancelled expired);
  my ($text, $options) = Bench::Statement::script('delivery/list',
    1 => $service->{organization}{id}, 2 => $service->{endpoint},
    3 => "{$types}", 4 => '{pending,delivered,failed}',
    5 => \($seeded_id =~ s/vks/whd/r), 6 => 11);
  return (with_random_id($service, $text), $options);
}

my @columns = Bench::Statement::read_text("$root/sql/fragments/session_columns.sql")
  =~ s/^\s*--.*\n//gmr =~ /(\w+)/g;

# The parameters are those of a session that the service made, but for ids.
sub create_parameters {
  my ($service, $ids) = @_;
  my $session = $service->create_session->json->{id};
  my ($row) = @{$service->sql('SELECT ' . join(', ', map { "$_\::text" } @columns)
    . ' FROM verification_session WHERE id = ?', $session)};
  my ($event) = @{$service->sql('SELECT type, body FROM event WHERE object_id = ?',
    $session)};
  my %parameters = map { $_ + 1 => $row->{$columns[$_]} } 0 .. $#columns;
  my $count = keys %parameters;
  return (%parameters, 2 => $ids->{session}, $count + 1 => $ids->{event},
    $count + 2 => $event->{type}, $count + 3 => $event->{body},
    $count + 4 => $ids->{time});
}

sub create_script {
  my ($service, $idempotent) = @_;
  my $next = q{lpad(nextval('bench_number')::text, };
  my $next_key = "'floor-' || nextval('bench_number')";
  my %parameters = create_parameters($service, {
    session => \"'vks_01' || $next 24, '0')",
    event => \"'evt_01' || $next 24, '0')", time => \"$next 10, '0')"});
  my $count = keys %parameters;
  %parameters = (%parameters, $count + 1 => '/v1/verification_sessions',
    $count + 2 => \$next_key, $count + 3 => '\x' . 'ab' x 32,
    $count + 4 => 201, $count + 5 => '\x' . 'ab' x 1000, $count + 6 => 0)
    if $idempotent;
  my ($text, $options) = Bench::Statement::script('session/create', %parameters);
  # Each use of the key has to be the same one.
  $text =~ s/\(\Q$next_key\E\)::text IS (NOT )?NULL/$1 ? 'true' : 'false'/ge;
  return ("$text;\n", $options);
}

# The configuration of mod_floor, on a port of its own and with as many
# connections of its own as the service has: the service's are its alone.
sub configuration {
  my ($service) = @_;
  my $module = ($ENV{VERIFY_BUILD} // "$root/build") . '/t/bench/mod_floor.so';
  ($service->{floor_port}) = Verify::Instance::free_ports(1);
  my $address = "127.0.0.1:$service->{floor_port}";
  return join '', 'LoadModule floor_module ' . abs_path($module) . "\n",
    "Listen $address\n<VirtualHost $address>\n", connections($service),
    Bench::Statement::directives('select_row', 'session/find',
      1 => $service->{organization}{id}, 2 => '@last'),
    Bench::Statement::directives('insert_row', 'session/create',
      create_parameters($service,
        {session => '@session', event => '@event', time => '@time'})),
    "<Location \"/floor\">\nSetHandler floor\nRequire all granted\n</Location>\n",
    "</VirtualHost>\n";
}

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
  return $service->instance->base_url unless $kind =~ /\A(?:select|insert)\z/;
  return "http://127.0.0.1:$service->{floor_port}";
}

1;
