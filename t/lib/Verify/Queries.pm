package Verify::Queries;
# The statements of sql/queries as the build embeds them, and their plans.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use Exporter 'import';
use File::Basename qw(dirname);
use JSON::PP ();

our @EXPORT_OK = qw(query_names query_parameters query_text query_plan plan_nodes);
my $root = abs_path(dirname(__FILE__) . '/../../..');
require "$root/apxs/embed_sql.pl";

# The statements by name: those of sql/queries/session/session/list.sql are
# session/list and any others that the file defines.
sub statements {
  state $statements = {
    map {
      my ($aggregate) = m{/([a-z_]+)/[a-z_]+\.sql\z};
      map { $_->{name} =~ s{\A\Q$aggregate\E_}{$aggregate/}r => $_ }
        EmbedSql::read_query($_)
    } glob "$root/sql/queries/*/*/*.sql",
  };
  return $statements;
}
sub statement {
  my ($name) = @_;
  return statements()->{$name} // die "there is no statement $name\n";
}

sub query_names { return sort keys %{statements()} }
# The names of a statement's parameters, in order.
sub query_parameters { return @{statement($_[0])->{parameters}} }
# Its text with $1, $2, ... for the parameters, and with all fragments.
sub query_text { return statement($_[0])->{text} }

# The values for a statement's parameters, in order: from a list unchanged, or
# from one hash by name, which must have exactly these names.
sub ordered_values {
  my ($name, @values) = @_;
  return @values unless @values == 1 && ref $values[0] eq 'HASH';
  my %left = %{$values[0]};
  my @ordered = map {
    exists $left{$_} or die "$name has a parameter $_\n";
    delete $left{$_};
  } query_parameters($name);
  die "$name has no parameter $_\n" for sort keys %left;
  return @ordered;
}

# Runs the statement with these parameters inside a transaction that is rolled
# back, and returns the plan. mode: generic (as after a few calls), custom, or
# bound (with the settings of connection/bound). The parameters are a list in
# order, or a hash by name.
sub query_plan {
  my ($handle, $name, $mode, @parameters) = @_;
  @parameters = ordered_values($name, @parameters);
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
