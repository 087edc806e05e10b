package Verify::FullTables;
# Fills rows of any table from the column definitions in the database, so that
# tests also cover tables that they do not know.
use v5.32;
use warnings;
use Exporter 'import';

our @EXPORT_OK = qw(fill tables_with);

# The value for a column that must not be empty: for row i, as SQL.
my %filling = (
  text => q{'x' || i}, int4 => 'i', int8 => 'i', int2 => '1', bool => 'false',
  bytea => 'sha256(i::text::bytea)', json => q{'{}'},
);
# Exceptions. Ids of sessions are in the order of i.
my $session = q{'vks_' || lpad(i::text, 26, '0')};
my %known = (
  verification_session => {id => $session, status => q{'verified'}, type => q{'age'}},
  review_entry => {id => q{'rve_' || i}, action => q{'approved'}},
  second_review => {id => q{'rve_' || i}, first_decision => q{'approve'}},
  decision_record => {verdict => q{'passed'}},
  oidc_login => {type => q{'age'}},
  mdl_request => {protocol => q{'redirect'}},
  workflow_replay => {id => q{'sim_' || i}, law => q{'kept'}, since_at => '0', status => q{'done'},
    ended_at => '1'},
  workflow_replay_session => {replay_id => q{'sim_1'}, result => q{'changed'}},
  workflow_shadow_session => {replay_id => q{'sim_1'}},
  ledger_entry => {kind => q{'charged'}},
  risk_assessment => {id => q{'rsk_' || i}},
  risk_observation => {assessment_id => q{'rsk_' || i}},
  credential => {id => q{'cred_' || i}},
  vp_token => {credential_id => q{'cred_' || i}},
  passkey => {credential_id => q{'cred_' || i}},
  passkey_challenge => {ceremony => q{'assertion'}},
  vp_token_presentation => {credential_id => q{'cred_' || i}},
  shared_credential => {credential_id => q{'cred_' || i}},
);

# Inserts rows i from the first to the last into a table, for an organization;
# given values of columns are SQL.
sub fill {
  my ($handle, $table, $organization, $first, $last, %given) = @_;
  my $columns = $handle->selectall_arrayref(<<'SQL', {Slice => {}}, $table);
SELECT column_name AS name, udt_name AS type,
       is_nullable = 'NO' AND column_default IS NULL AND is_generated = 'NEVER' AS needed
  FROM information_schema.columns
 WHERE table_schema = 'public' AND table_name = ?
SQL
  my %of = (organization_id => $handle->quote($organization), %{$known{$table} // {}});
  for my $column (@$columns) {
    $of{session_id} //= $session if $column->{name} eq 'session_id';
    $of{$column->{name}} //= $filling{$column->{type}} // ($column->{type} =~ /^_/ && q{'{}'})
      || die "$table.$column->{name}: what is $column->{type}?\n" if $column->{needed};
  }
  %of = (%of, %given);
  my @names = sort keys %of;
  $handle->do("INSERT INTO $table (" . join(', ', @names) . ') SELECT '
    . join(', ', @of{@names}) . ' FROM generate_series(?::integer, ?::integer) i',
    undef, $first, $last);
}

# The tables that have a column of this name.
sub tables_with {
  my ($handle, $column) = @_;
  return @{$handle->selectcol_arrayref(<<'SQL', undef, $column)};
SELECT c.table_name
  FROM information_schema.columns c
  JOIN information_schema.tables t USING (table_schema, table_name)
 WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
   AND c.column_name = ?
 ORDER BY 1
SQL
}

1;
