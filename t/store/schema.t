# Every migration applies, twice and by two at once; every statement of
# sql/queries prepares against the result.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use lib "$FindBin::Bin/../lib";
use POSIX ();
use Verify::Queries qw(query_names query_parameters query_text);
use Verify::Test;

my $sql = abs_path("$FindBin::Bin/../../sql");
my $service = Verify::Instance->start(start => 0);

my @migrations = glob "$sql/migrations/*.sql";
# One that takes a number below the highest would never be applied where that is.
is_deeply [map { m{/(\d{4})_\w+\.sql\z} } @migrations],
  [map { sprintf '%04d', $_ } 1 .. @migrations], 'they are numbered without a gap';
is $service->sql_value('select count(*) from schema_migration'), @migrations,
  'every migration is recorded';
my $again = $service->verifyctl('migrate');
is $service->sql_value('select count(*) from schema_migration'), @migrations,
  'applying them again changes nothing';

my @faults;
my @statements = query_names();
my $handle = $service->connect_database;
for my $name (@statements) {
  eval {
    $handle->do('prepare checked as ' . query_text($name), {pg_direct => 1});
    my ($count) = $handle->selectrow_array(q{SELECT cardinality(parameter_types)
      FROM pg_prepared_statements WHERE name = 'checked'});
    $handle->do('deallocate checked');
    $count == query_parameters($name) or die "takes $count parameters\n";
    1;
  } or push @faults, "$name: $@";
}
ok @statements > 0, 'there are statements';
ok !@faults, 'every statement prepares, with the parameters that it declares'
  or diag join "\n", @faults;

for (['session_status', 'verified'], ['session_type', 'age'],
  ['risk_tier', 'bot'], ['delivery_status', 'failed']) {
  my ($domain, $value) = @$_;
  is $handle->selectrow_array("select '$value'::$domain"), $value,
    "$domain has $value";
  ok !eval { $handle->do("select 'other'::$domain") }, '... and nothing else';
}

is_deeply $handle->selectcol_arrayref(q{SELECT relname FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
    AND obj_description(oid, 'pg_class') IS NULL}), [],
  'every table says what it holds';

# What the code takes for granted of rows that are seldom written.
for (['trust_reuse_grant', "revoked_at = 1"],
  ['trust_reuse_grant', "revoked_at = 1, revoked_reason = 'OTHER'"],
  ['webhook_recovery', "status = 'finished'"],
  ['webhook_recovery', 'until_at = since_at'],
  ['api_key', "digest = 'short'"]) {
  my ($table, $change) = @$_;
  $handle->begin_work;
  $handle->do($_) for seed($table);
  ok !eval { $handle->do("UPDATE $table SET $change"); 1 }, "no $table with $change";
  like $@, qr/violates check constraint/, '... for that reason';
  $handle->rollback;
}

# One row of a table; other constraints than checks stay as they are.
sub seed {
  my ($table) = @_;
  return {
    trust_reuse_grant => q{INSERT INTO trust_reuse_grant VALUES ('o', 'g', 'a',
      's', 'c', 'v', 'p', 'mdl', NULL, 'mdl', 1, 2, NULL, NULL)},
    webhook_recovery => q{INSERT INTO webhook_recovery (organization_id, id,
      webhook_endpoint_id, since_at, until_at, position, last_position,
      created_at, updated_at) VALUES ('o', 'r', 'w', 0, 1, 'a', 'b', 1, 1)},
    api_key => q{INSERT INTO api_key (organization_id, id, type, digest,
      last_characters, created_at)
      VALUES ('o', 'k', 'secret', sha256('k'), 'kkkk', 1)},
  }->{$table};
}

# Two nodes that start together on an empty database.
my $other = Verify::Instance->start(start => 0, migrate => 0);
my @pids = map {
  my $pid = fork // die "cannot fork: $!\n";
  if (!$pid) {
    $other->{owner} = 0;
    my $done = eval { $other->verifyctl('migrate'); 1 };
    POSIX::_exit($done ? 0 : 1);
  }
  $pid;
} 1 .. 2;
my @statuses = map { waitpid $_, 0; $? } @pids;
is_deeply \@statuses, [0, 0], 'two migrate at once';
is $other->sql_value('select count(*) from schema_migration'), @migrations,
  'and each migration was applied once';
finish($service, $other);
