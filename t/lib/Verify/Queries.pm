package Verify::Queries;
# The statements of sql/queries as the build embeds them, and what the database
# would do for them.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use Exporter 'import';
use File::Basename qw(dirname);
use JSON::PP ();

our @EXPORT_OK = qw(query_text query_plan plan_nodes);
my $root = abs_path(dirname(__FILE__) . '/../../..');

# The text of sql/queries/<name>.sql, fragments and all.
sub query_text {
  my ($name) = @_;
  my @lines = map { /^     "(.*)\\n"$/ ? $1 =~ s/\\(.)/$1/gr : () }
    `cd $root && awk -v mode=source -f apxs/embed_sql.awk sql/queries/$name.sql`;
  return join("\n", @lines) =~ s/;\s*\z//r;
}

# Runs the statement with these parameters inside a transaction that is rolled
# back, and returns the plan. mode: generic (as after a few calls), custom, or
# bound (by the settings of connection/bound).
sub query_plan {
  my ($handle, $name, $mode, @parameters) = @_;
  my $values = join ', ', map { defined $_ ? $handle->quote($_) : 'NULL' } @parameters;
  $values = "($values)" if @parameters;
  $handle->begin_work;
  my $plan = eval {
    if ($mode eq 'bound') {
      $handle->do(query_text('connection/bound'));
    } else {
      $handle->do("SET LOCAL plan_cache_mode = force_${mode}_plan");
    }
    $handle->do('PREPARE explained AS ' . query_text($name), {pg_direct => 1});
    my ($text) = $handle->selectrow_array(
      "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE explained$values");
    JSON::PP->new->decode($text)->[0]{Plan};
  };
  my $error = $@;
  $handle->rollback;
  eval { $handle->do('DEALLOCATE explained') };
  die "$name: $error" unless $plan;
  return $plan;
}

# All nodes of a plan, in one list.
sub plan_nodes {
  my ($plan) = @_;
  return ($plan, map { plan_nodes($_) } @{$plan->{Plans} // []});
}

1;
