package Verify::Upgrade;
# A service with an older schema that holds the data of another one.
use v5.32;
use warnings;
use Exporter 'import';
use File::Copy qw(copy);
use FindBin;
use Verify::Test;

our @EXPORT = qw(migrations beside older_schema copy_rows);
my $sql = "$FindBin::Bin/../../sql/migrations";

# Expressions for newer columns in the older schema; a table that lacked some
# rows.
my %was = (monthly_usage => {verifications => 'free + charged + sandbox'});
my %rows = (ledger_entry => 'amount <> 0');

# The names of all migrations, in order.
sub migrations { return map { s{.*/}{}r } sort glob "$sql/*.sql" }

# A service with its own database and the master key of $first.
sub beside {
  my ($first) = @_;
  my $service = Verify::Instance->start(start => 0, migrate => 0);
  copy "$first->{directory}/$_", "$service->{directory}/$_" for 'master.key';
  system 'cp', '-r', "$first->{directory}/tls", $service->{directory};
  return $service;
}

# Creates the schema of the first $count migrations; returns their directory.
sub older_schema {
  my ($service, $count) = @_;
  my $directory = "$service->{directory}/sql";
  mkdir $directory;
  copy "$sql/$_", "$directory/" for (migrations())[0 .. $count - 1];
  local $ENV{VERIFY_MIGRATIONS} = $directory;
  $service->verifyctl('migrate');
  return $directory;
}

sub columns {
  my ($service, $table) = @_;
  return map { $_->{column_name} } @{$service->sql(q{SELECT column_name
    FROM information_schema.columns WHERE table_schema = 'public'
    AND table_name = ? AND is_generated = 'NEVER' ORDER BY ordinal_position}, $table)};
}

# Copies the rows of $newer into each table of $older, column by column.
sub copy_rows {
  my ($newer, $older) = @_;
  my ($from, $to) = map { $_->connect_database } $newer, $older;
  for my $row (@{$older->sql(q{SELECT table_name FROM information_schema.tables
      WHERE table_schema = 'public'
        AND table_name NOT IN ('schema_migration', 'master_key')})}) {
    my $table = $row->{table_name};
    my @names = columns($older, $table);
    my $values = join ', ', map { $was{$table}{$_} // qq("$_") } @names;
    my $where = $rows{$table} ? "WHERE $rows{$table}" : '';
    $from->do("COPY (SELECT $values FROM $table $where) TO STDOUT");
    $to->do("COPY $table (" . join(', ', map { qq("$_") } @names) . ') FROM STDIN');
    my $line;
    $to->pg_putcopydata($line) while $from->pg_getcopydata($line) >= 0;
    $to->pg_putcopyend;
  }
  return;
}

1;
