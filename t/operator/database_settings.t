# The service does not depend on settings of its database, of its role or of its
# environment. What it cannot override it refuses with the line that puts it right,
# and it is not ready while writes are refused.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use DBI;
use Verify::Command;
use Verify::RoundTrip qw(round_trip);
use Verify::Test;

# The server's messages in another language, where the machine has one.
my ($language) = map { /^(\w+\.utf-?8)$/i && !/^(?:C|en)\b/i ? $1 : () } `locale -a`;
my %hostile = (
  client_encoding => 'LATIN1',
  bytea_output => 'escape',
  DateStyle => 'German, DMY',
  IntervalStyle => 'sql_standard',
  TimeZone => 'Asia/Kathmandu',
  standard_conforming_strings => 'off',
  search_path => 'nowhere',
  default_transaction_read_only => 'on',
  lc_messages => $language // 'POSIX',
);

# The role of the service is no superuser and owns its database, as that of an
# administrator does.
my $service = Verify::Instance->start(own_cluster => 1, start => 0, migrate => 0);
my $admin = $service->connect_database;
$admin->do(q{CREATE ROLE service LOGIN PASSWORD 'test'});
my ($host, $port) = $service->{conninfo} =~ /host=(\S+) port=(\S+)/;
sub make_database {
  my ($name, @options) = @_;
  $admin->do(qq{CREATE DATABASE "$name" OWNER service @options});
  return "host=$host port=$port dbname=$name user=service password=test";
}
$service->{conninfo} = make_database($service->{database} = 'settings');
my $command = Verify::Command->new($service);
my $reader = $service->connect_database; # before anything is changed

my $database = '"settings"';
my %places = (
  'the database' => "ALTER DATABASE $database",
  'the role' => 'ALTER ROLE service',
  'the role in the database' => "ALTER ROLE service IN DATABASE $database",
);
for my $place (sort keys %places) {
  subtest "hostile settings of $place" => sub {
    $admin->do("$places{$place} SET $_ TO " . $admin->quote($hostile{$_}))
      for sort keys %hostile;
    $command->prints(['migrate'], 'the schema');
    $service->start_httpd;
    round_trip($service, $reader);
    is $service->client->get('/v1/health/ready')->status, 200, 'it is ready';
    $service->stop_httpd;
    $admin->do("$places{$place} RESET ALL");
  };
}

subtest 'hostile settings of the environment' => sub {
  my %environment = (
    PGOPTIONS => join(' ', map { "-c $_=" . $hostile{$_} =~ s/ //gr }
      grep { $_ ne 'lc_messages' } sort keys %hostile),
    PGCLIENTENCODING => 'LATIN1',
    PGDATESTYLE => 'German, DMY',
    PGTZ => 'Asia/Kathmandu',
    PGGEQO => 'off',
  );
  {
    local @ENV{keys %environment} = values %environment;
    $service->start_httpd;
    like Verify::Instance::read_text('/proc/' . $service->httpd_pid . '/environ'),
      qr/PGOPTIONS=/, 'httpd has them';
    round_trip($service, $reader);
    $service->stop_httpd;
  }
};

subtest 'another encoding' => sub {
  my $last = $service->{conninfo};
  for my $encoding (qw(LATIN1 SQL_ASCII)) {
    local $service->{conninfo} = make_database("as_\L$encoding\E",
      "ENCODING '$encoding' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'");
    my $said = qr/has the encoding $encoding and needs UTF8.*createdb --encoding=UTF8/;
    $command->refuses(['migrate'], $said, "migrate refuses $encoding");
    $command->refuses(['org', 'list'], $said, 'so do other commands');
    next if $encoding ne 'LATIN1';
    local $ENV{VERIFY_READY_SECONDS} = 2;
    $service->expect_log(qr/IDV0010: .*$said/, qr/IDV0304: .*$said/);
    $service->allow_log(qr/IDV0020: service_unavailable/);
    ok !eval { $service->start_httpd; 1 }, 'a server does not get ready';
    error_is $service->client->get('/v1/health/ready'), 503, 'service_unavailable', undef,
      'and says so';
    $service->stop_httpd;
  }
};

# As a pooler leaves them that drops startup options; here the connection string is
# what says them.
subtest 'settings that are not overridden' => sub {
  my $last = $service->{conninfo};
  local $service->{conninfo} = "$last options='-c bytea_output=escape'";
  my $line = qr/ALTER ROLE service IN DATABASE settings SET bytea_output = hex/;
  $command->refuses(['org', 'list'], $line, 'another form of bytes');
  $command->refuses(['migrate'], $line, '... nor is it migrated');
  $service->{conninfo} = "$last options='-c search_path=nowhere'";
  $line = qr/schema public, but search_path is nowhere\. .*SET search_path = public/;
  $command->refuses(['org', 'list'], $line, 'tables that are not found');
  $command->refuses(['migrate'], $line, '... no second set is made');
  $service->{conninfo} = "$last options='-c default_transaction_read_only=on'";
  like join(' ', $command->run('doctor')), qr/database_read_only/,
    'a read-only database is found by doctor';
  local $ENV{VERIFY_READY_SECONDS} = 2;
  $service->allow_log(qr/SQLSTATE 25006/, qr/IDV0020: service_unavailable/);
  ok !eval { $service->start_httpd; 1 }, 'a server on it does not get ready';
  error_is $service->client->get('/v1/health/ready'), 503, 'service_unavailable', undef,
    '... and says so';
  $service->stop_httpd;
};

subtest 'a schema of its own' => sub {
  my $last = $service->{conninfo};
  local $service->{conninfo} = make_database('with_schema');
  my $of = DBI->connect("dbi:Pg:host=$host;port=$port;dbname=with_schema", 'service', 'test',
    {RaiseError => 1, PrintError => 0});
  $of->do('CREATE SCHEMA service');
  $command->prints(['migrate'], 'the schema');
  is $of->selectrow_array(q{SELECT to_regclass('service.schema_migration') IS NOT NULL}), 1,
    'which is named as the role, is used';
  $command->prints(['org', 'list']);
  $of->disconnect;
};

subtest 'writes fail' => sub {
  $service->start_httpd;
  my $client = $service->client;
  $reader->do($_) for q{SET search_path TO public},
    q{CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$BEGIN RAISE EXCEPTION USING ERRCODE = '53100'; END$$},
    q{CREATE TRIGGER refuse BEFORE INSERT ON server_node
      FOR EACH ROW EXECUTE FUNCTION refuse()};
  $service->expect_log(qr/IDV0303: .*SQLSTATE 53100/);
  $service->allow_log(qr/IDV0020: service_unavailable/);
  ok &wait_for(sub { $client->get('/v1/health/ready')->status == 503 }, 40),
    'as on a full disk: not ready';
  $reader->do('DROP TRIGGER refuse ON server_node');
  ok wait_for { $client->get('/v1/health/ready')->status == 200 }, 'until they succeed';
};
$reader->disconnect;
$admin->disconnect;
finish $service;
