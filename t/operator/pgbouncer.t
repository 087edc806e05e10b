# The service behind PgBouncer: the schema, a verification to its signed webhook and
# many clients at once, in session mode and, from 1.21 on, in transaction mode.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use POSIX ();
use Verify::Command;
use Verify::Pooler;
use Verify::RoundTrip qw(round_trip);
use Verify::Test;

use constant NEEDED => 1_021_000; # statements prepared by the protocol
my $version = Verify::Pooler::version();
plan skip_all => 'no pgbouncer in PATH' unless $version;
note Verify::Pooler::program(), " $version";

# Creations of several clients at once, each read again: more than the pool has
# connections. Returns the statuses.
sub crowd {
  my ($service, $who) = @_;
  my @children = map {
    my $number = $_;
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
      my $client = $service->client($who->{client}{token});
      my $fails = 0;
      for (1 .. 20) {
        my $answer = $client->post('/v1/verification_sessions', {type => 'age',
          workflow_id => $who->{workflow_id}, jurisdiction => 'US-CA',
          client_reference_id => "crowd $number"}, 'Idempotency-Key' => "$number $_ $$");
        $fails++ unless $answer->status == 201;
        my $id = $answer->json && $answer->json->{id} // 'none';
        $fails++ unless $client->get("/v1/verification_sessions/$id")->status == 200;
        $fails++ unless $client->get('/v1/verification_sessions?limit=3')->status == 200;
      }
      POSIX::_exit($fails > 100 ? 100 : $fails);
    }
    $pid;
  } 1 .. 8;
  return map { waitpid $_, 0; $? >> 8 } @children;
}

my @services;
for my $mode (qw(session transaction)) {
  subtest "$mode mode" => sub {
    plan skip_all => "PgBouncer $version is older than 1.21"
      if $mode eq 'transaction' && $version < NEEDED;
    my $service = Verify::Instance->start(start => 0, migrate => 0);
    push @services, $service;
    my $direct = $service->connect_database;
    # As conf/manual/database.md says.
    $direct->do("ALTER ROLE verify IN DATABASE \"$service->{database}\" SET $_")
      for q{statement_timeout = '15s'}, q{lock_timeout = '10s'},
      q{idle_in_transaction_session_timeout = '30s'}, 'plan_cache_mode = force_generic_plan';
    # In session mode each connection has one of the server's.
    my $pooler = Verify::Pooler->start($service, mode => $mode,
      pool_size => $mode eq 'session' ? 40 : 5);
    my $command = Verify::Command->new($service);
    my $done = $command->prints(['migrate'], 'the schema');
    ok @{$done->{applied}} > 60, '... all of it';
    is_deeply $command->prints(['migrate'], 'again')->{applied}, [], '... is done';
    ok wait_for { !$direct->selectrow_array(q{SELECT count(*) FROM pg_locks
      WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database
        WHERE datname = current_database())}) }, '... and leaves no lock';
    $service->start_httpd;
    my $who = round_trip($service, $direct);
    is_deeply [crowd($service, $who)], [(0) x 8], 'many clients at once';
    is $service->client->get('/v1/health/ready')->status, 200, 'it is ready';
    is $direct->selectrow_array(q{SELECT count(*) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()}), 5,
      'by as many connections as the pool has' if $mode eq 'transaction';
    # What no session may leave behind for the next client of its connection.
    is_deeply settings_of($direct, $pooler), [], 'no setting is left behind';
    refused_settings($service, $direct, $pooler, $command) if $mode eq 'transaction';
    $service->stop_httpd;
    $pooler->stop;
  };
}

# Settings of the server's connections that are not those of the role.
sub settings_of {
  my ($direct, $pooler) = @_;
  local $pooler->{service}{dbi};
  my $of = $pooler->{service}->connect_database;
  return $of->selectcol_arrayref(q{SELECT name || '=' || setting FROM pg_settings
    WHERE source = 'session' AND setting <> reset_val
      AND name NOT IN ('application_name', 'client_encoding', 'DateStyle',
        'IntervalStyle', 'TimeZone', 'standard_conforming_strings')});
}

# PgBouncer drops the startup options, so the role's settings count.
sub refused_settings {
  my ($service, $direct, $pooler, $command) = @_;
  my ($database) = $direct->selectrow_array('SELECT quote_ident(current_database())');
  my $set = "ALTER ROLE verify IN DATABASE $database SET";
  my $renew = sub { # all connections of the server
    $direct->do(q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()});
  };
  $service->allow_log(qr/IDV0303|IDV0301|IDV0304|IDV0775|IDV0010|IDV0020|IDV0340/);
  $direct->do("$set bytea_output = escape");
  $renew->();
  ok wait_for { ($command->run(qw(org list)))[2] =~ /Run: \Q$set\E bytea_output = hex/ },
    'another form of bytes is refused with the line to write';
  ok wait_for { $service->client->get('/v1/health/ready')->status == 503 }, '... not ready';
  $direct->do("$set bytea_output = hex");
  $direct->do("$set default_transaction_read_only = on");
  $renew->();
  ok &wait_for(sub { $service->client->get('/v1/health/ready')->body =~ /refuses changes/ }),
    'a read-only role is not ready';
  $direct->do("$set default_transaction_read_only = off");
  $direct->do("$set search_path = nowhere");
  $renew->();
  ok wait_for { ($command->run(qw(org list)))[2] =~ /run: \Q$set\E search_path = public/ },
    'a schema that is not searched is refused with the line to write';
  $direct->do("$set search_path = public");
  $renew->();
  ok &wait_for(sub { $service->client->get('/v1/health/ready')->status == 200 }, 60),
    'it is ready again';
}
$_->{conninfo} && $_->stop for @services;
done_testing;
