# How the build reads sql/queries (apxs/embed_sql.pl): parameters by name,
# fragments, lists in two directions, and what it refuses.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use Verify::Release;

require(abs_path("$FindBin::Bin/../..") . '/apxs/embed_sql.pl');
my $directory = tempdir(CLEANUP => 1);
make_path("$directory/queries/part/thing", "$directory/fragments");

sub write_text {
  my ($path, $text) = @_;
  open my $file, '>', "$directory/$path" or die "$path: $!\n";
  print $file $text;
  close $file or die "$path: $!\n";
}
sub read_thing {
  my ($text) = @_;
  write_text('queries/part/thing/find.sql', $text);
  return EmbedSql::read_query("$directory/queries/part/thing/find.sql");
}
# What becomes of a statement with the parameters a and b.
sub becomes {
  my ($text, $numbered, $name) = @_;
  my ($statement) = read_thing("\@parameters a, b\n$text\n");
  is $statement->{text}, "$numbered\n", $name;
}
sub is_refused {
  my ($text, $why, $name) = @_;
  eval { read_thing($text) };
  like $@, $why, $name;
}

my ($statement) = read_thing(<<'SQL');
-- What it is: no :parameter.
@parameters
    second,  -- in whole seconds; :not one either
    first
SELECT :first::text, :second -- "behind
  FROM thing
SQL
is $statement->{name}, 'thing_find', 'named after its file';
is_deeply $statement->{parameters}, ['second', 'first'], 'in the declared order';
is $statement->{text}, "SELECT \$2::text, \$1\n  FROM thing\n",
  'names are numbered and comments go';
($statement) = read_thing("SELECT 1\n");
is_deeply $statement->{parameters}, [], 'a statement may have none';

becomes('SELECT :a::text::bytea, :b', 'SELECT $1::text::bytea, $2', 'casts');
becomes(q{SELECT ':c', 'it''s :c', E'\':c', ":c" = :a, :b},
  q{SELECT ':c', 'it''s :c', E'\':c', ":c" = $1, $2}, 'literals');
becomes(q{SELECT $$:c$$, $tag$ :c $1 $tag$, :a, :b},
  q{SELECT $$:c$$, $tag$ :c $1 $tag$, $1, $2}, 'literals between dollar signs');
becomes("SELECT :a, -- it's :c\n /* ' :c */ :b", "SELECT \$1,\n \$2", 'comments');
becomes('SELECT x[1:n], x[:a:n], (x)[f(1):g], x[n :m], ARRAY[:a, :b]',
  'SELECT x[1:n], x[$1:n], (x)[f(1):g], x[n :m], ARRAY[$1, $2]', 'slices');
becomes(q{SELECT x ? :a, x ?| :b, x #>> '{a:b}', x @> '{"a":1}', x->'a:b'},
  q{SELECT x ? $1, x ?| $2, x #>> '{a:b}', x @> '{"a":1}', x->'a:b'},
  'operators of JSON');
becomes("SELECT '{\"a\": 1,\n  \"b\": 2}', :a, :b",
  "SELECT '{\"a\": 1,\n  \"b\": 2}', \$1, \$2", 'a literal of two lines');

is_refused("SELECT :a\n", qr/find\.sql:1: there is no parameter a/, 'undeclared');
is_refused("\@parameters a, b\nSELECT :a\n", qr/find\.sql:1: the parameter b is not used/,
  'declared and not used');
is_refused("\@parameters a, a\nSELECT :a\n", qr/declared twice/, 'declared twice');
is_refused("\@parameters a\nSELECT :a,\n \$2\n", qr/find\.sql:3: parameters have names/,
  'a number');
is_refused("\@parameters a\nSELECT :a, : b\n", qr/a colon before no name/, 'a lost colon');
is_refused("\@parameters A\nSELECT 1\n", qr/no name of a parameter: 'A'/, 'no name');
is_refused("\@parameters a,\n", qr/a declaration has no end/, 'no end');
is_refused("\@parameter a\nSELECT 1\n", qr/no directive/, 'a misspelt directive');
is_refused("\@nothing\n", qr{find\.sql:1: there is no .*/fragments/nothing\.sql},
  'no such fragment');

write_text('fragments/columns.sql', "-- The columns.\n  id, name\n");
write_text('fragments/mine.sql', "id = :id AND\n\@same_name\n");
write_text('fragments/same_name.sql', "-- Of :nobody.\nname = :name\n");
($statement) = read_thing("\@parameters \@columns, now\nSELECT\n\@columns\n WHERE\n"
  . "\@mine\n AND :now\n");
is $statement->{text},
  "SELECT\n  id, name\n WHERE\nid = \$1 AND\nname = \$2\n AND \$3\n",
  'fragments in fragments, with parameters of the statement';
is_refused("\@parameters id\n\@mine\n", qr{fragments/same_name\.sql:2: .* parameter name},
  'a fault in a fragment has its place');
write_text('fragments/endless.sql', "\@endless\n");
is_refused("\@endless\n", qr/includes itself/, 'no end of fragments');

my @statements = read_thing(<<'SQL');
@reversed find_newer
SELECT x
@only find  WHERE id < 'DESC'
@only find_newer  WHERE id > 'DESC'
 ORDER BY x DESC, y desc, description
SQL
is_deeply [map { $_->{name} } @statements], ['thing_find', 'thing_find_newer'],
  'two statements of one file';
is $statements[0]{text},
  "SELECT x\n WHERE id < 'DESC'\n ORDER BY x DESC, y desc, description\n",
  'the first is as written';
is $statements[1]{text}, "SELECT x\n WHERE id > 'DESC'\n ORDER BY x, y, description\n",
  'the second goes the other way';
is_refused("SELECT x\n\@only other y\n", qr/find\.sql:2: no statement other/,
  'a line of no statement');

# The parameters that C numbers by this list are those of the statements.
my $root = abs_path("$FindBin::Bin/../..");
open my $header, '<', "$root/mod_verify/store/session/session_record.h" or die;
my ($list) = join('', <$header>) =~ /define IDV_SESSION_COLUMNS\(X\)(.*?[^\\])\n/s;
my @columns = $list =~ /X\((\w+)\)/g;
for my $name (qw(save create)) {
  my ($writing) = EmbedSql::read_query("$root/sql/queries/session/session/$name.sql");
  is_deeply [@{$writing->{parameters}}[0 .. $#columns]], \@columns,
    "session/$name begins with the columns of a session";
}


# Of a new session, C passes first the columns that a statement's sessions share
# and then the others, both in the order of the list.
open my $writer, '<', "$root/mod_verify/store/transaction/session_create.c" or die;
my %kind = join('', <$writer>) =~ /\[IDV_COLUMN_(\w+)\] = (SHARED|NOT_SET),/g;
my ($new) = EmbedSql::read_query("$root/sql/queries/session/session/create_guessed.sql");
my @passed = grep { /\A(?:@{[join '|', @columns]})\z/ } @{$new->{parameters}};
is_deeply \@passed,
  [(grep { ($kind{$_} // '') eq 'SHARED' } @columns), grep { !$kind{$_} } @columns],
  'session/create_guessed takes the columns of a new session in the order of C';
sub names_of {
  open my $file, '<', "$root/sql/fragments/$_[0].sql" or die "$_[0]: $!\n";
  return join('', grep { !/^--/ } <$file>) =~ /$_[1]/g;
}
my @written = names_of('new_session_columns', qr/(\w+)/);
is_deeply \@written, [grep { ($kind{$_} // '') ne 'NOT_SET' } @columns],
  'it writes all columns that a new session has';
is_deeply [names_of('new_session_values', qr/(?<!:):(\w+)/)], \@written,
  'each with its own value';
my %is_array = map { $_ => 1 } names_of('new_session_values', qr/\(:(\w+)::\w+\[\]\)\[n\]/);
is_deeply [grep { !$is_array{$_} } @written],
  [grep { ($kind{$_} // '') eq 'SHARED' } @columns], 'an element of an array unless it is shared';

# The lists of C that statements have in their text, too.
sub list_of {
  my ($header, $list) = @_;
  open my $file, '<', "$root/mod_verify/$header" or die "$header: $!\n";
  my ($text) = join('', <$file>) =~ /define $list\(X\)(.*?[^\\])\n/s
    or die "$header has no $list\n";
  return map { [/([^,]+)/g] } map { s/["\s]//gr } $text =~ /X\(([^)]*)\)/g;
}
sub values_of_fragment {
  my ($name) = @_;
  open my $file, '<', "$root/sql/fragments/$name.sql" or die "$name: $!\n";
  my $text = join '', grep { !/^--/ } <$file>;
  return $text =~ s/::.*//sr =~ /(\w+)/g;
}
my @statuses = list_of('domain/session/session.h', 'IDV_SESSION_STATUSES');
ok @statuses > 0, 'there are statuses';
is_deeply [values_of_fragment('session_ended')],
  [map { $_->[1] } grep { !$_->[2] } @statuses], 'the statuses that have ended';
is_deeply [values_of_fragment('session_expiring')],
  [map { $_->[1] } grep { $_->[2] && $_->[1] ne 'under_review' } @statuses],
  'the statuses that expire';
my @tiers = list_of('domain/risk/risk.h', 'IDV_RISK_TIERS');
ok @tiers > 0, 'there are tiers of risk';
is_deeply [values_of_fragment('risk_tiers')], [map { $_->[1] } @tiers],
  'the tiers of risk, in order';

# What a verification costs and who may begin one is decided in one place; others
# compare an account with the numbers that it gives them.
my $account = qr{(?:\b(?:o\.|account\.|account->)(?:credit_balance|free_allotment)
  |\bu\.\w+(?:,\ 0\))?|IDV_LEDGER_\w+\])}x;
my @judges = grep {
  my $path = $_;
  open my $file, '<', $path or die "$path: $!\n";
  my $text = join '', <$file>;
  $path !~ m{/domain/account/billing\.c\z}
    && $text =~ m{$account\s*(?:[<>]=?|[!=]=|=)\s*[0-9]|[0-9]\s*[<>]=?\s*\S*$account
      |$account\s*[<>]=?\s*\S*$account}x;
} glob "$root/sql/queries/*/*/*.sql $root/sql/fragments/*.sql $root/mod_verify/*/*.[ch] $root/mod_verify/*/*/*.[ch]";
is_deeply \@judges, [], 'only domain/account/billing.c judges an account';
# Rows of an organization are found by it, so that they can be distributed by it
# (sql/README.md): every statement names the organization, but these.
my %everywhere = (
  'the watchdog takes what is due, whosoever it is' => [qw(analysis_job_claim
    delivery_claim_due delivery_claim_new law_announcement_subscribed outgoing_mail_claim session_due_checks
    session_due_expiries session_due_handoffs session_due_reviews
    webhook_recovery_advance workflow_replay_claim)],
  'a node gives back what it holds' => [qw(analysis_job_release
    outgoing_mail_release)],
  'retention removes what is old' => [map { "retention_purge_$_" } qw(age_failures
    attempts by_law deliveries document_sightings email_otps events evidence passkey_challenges
    former_secrets handoffs
    idempotency mail oidc_logins recoveries removed_sessions risk_assessments risk_observations
    second_reviews shadow_sessions trust_reuse_tallies vp_token_presentations workflow_replays)],
  'the state of the whole service is counted' => [qw(statistics_backlog
    statistics_trust_reuse expiry_list sealed_count health_server
    health_late_work)],
  'a key says whose it is, no organization before it' => [qw(api_key_find
    oidc_client_find vp_token_revoke)],
  'trust reuse is between organizations' => [
    qw(trust_reuse_grant_revoke_of_credential)],
  'verifyctl is given an id alone' => [qw(credential_find_any
    credential_list_minted passkey_remove person_find_organization person_show
    reader_identity_find session_find_by_id trust_list_find_to_restore
    trust_list_find_version trust_list_find_versions
    webhook_endpoint_find_organization webhook_recovery_find_any workflow_show)],
);
my %tables;
for my $path (sort glob "$root/sql/migrations/*.sql") {
  open my $file, '<', $path or die "$path: $!\n";
  my $text = join '', <$file>;
  $tables{$1} = $2 while $text =~ /^CREATE TABLE (\w+) \((.*?)\n\)/msg;
}
my @of_organizations = grep { $tables{$_} =~ /^\s*organization_id\b/m } sort keys %tables;
ok @of_organizations > 30, 'tables of organizations';
is_deeply [grep { $tables{$_} !~ /PRIMARY KEY \(organization_id\b/
    && $tables{$_} !~ /^\s*organization_id\s.*PRIMARY KEY/m } @of_organizations],
  ['shared_credential'], 'their keys begin with it, but of one';
my %is_of_organizations = map { $_ => 1 } @of_organizations;
my @nameless;
for my $statement (map { EmbedSql::read_query($_) } glob "$root/sql/queries/*/*/*.sql") {
  my @used = $statement->{text} =~ /\b(?:FROM|JOIN|INTO|UPDATE)\s+(\w+)/g;
  push @nameless, $statement->{name} if grep({ $is_of_organizations{$_} } @used)
    && !grep { /\A(?:after_)?organization_ids?\z/ } @{$statement->{parameters}};
}
is_deeply [sort @nameless], [sort map { @$_ } values %everywhere],
  'statements that name no organization are listed, with the reason';
# Nodes of the release before go on with the schema of the next (conf/manual/upgrade.md):
# what they read and write stays as it is for one release. Later than
# that, a column may go; the migration then stands here, with the reason.
my ($oldest) = sort { $a <=> $b } map { $_->{schema} } Verify::Release::stand_ins();
my %narrows = ( # file => why no module of the release before minds
  '0048_master_key_versions.sql' => 'where one key was allowed, more are',
  '0055_workflow_shadow.sql' => 'it makes no shadows, among which this is unique',
);
my $narrowing = qr/\b(?:DROP\s+(?:TABLE|COLUMN|VIEW|TYPE|DOMAIN|FUNCTION|SEQUENCE|INDEX)
  | RENAME | SET\s+NOT\s+NULL | ALTER\s+(?:COLUMN\s+)?\w+\s+(?:SET\s+DATA\s+)?TYPE
  | (?:SET|DROP)\s+DEFAULT | CREATE\s+UNIQUE | TRUNCATE | CREATE\s+(?:RULE|TRIGGER)
  | REVOKE | SET\s+SCHEMA | ENABLE\s+ROW
  | ADD\s+(?:CHECK|UNIQUE|PRIMARY|FOREIGN|EXCLUDE))\b/xi;
# The values that a column was last allowed before FILE; nothing where none were listed.
sub values_before {
  my ($table, $column, $file) = @_;
  my @values;
  for my $path (grep { !defined $file || $_ lt $file } sort glob "$root/sql/migrations/*.sql") {
    my $text = read_text($path) =~ s/--.*//gr;
    my ($made) = $text =~ /CREATE\s+TABLE\s+$table\s*\((.*?)\n\)/si;
    ($made) = $text =~ /CREATE\s+DOMAIN\s+$table\s+AS\s+\w+\s*(.*?;)/si if $column eq 'VALUE';
    my $check = $column eq 'VALUE' ? "${table}_check" : "${table}_${column}_check";
    my ($added) = $text =~ /CONSTRAINT\s+$check\s+(CHECK[^;]*)/si;
    for my $part (grep { defined } $made, $added) {
      @values = listed($1)
        if $part =~ /CHECK\s*\(\s*$column\s+IN\s*\(([^)]*)\)/si;
    }
  }
  return @values;
}
sub listed { return $_[0] =~ /'([^']*)'/g }
# A constraint that takes the place of another and demands more.
sub is_narrower {
  my ($name, $check, $text, $file) = @_;
  my ($table) = grep { $name =~ /\A${_}_/ } $text =~ /ALTER\s+(?:TABLE|DOMAIN)\s+(\w+)/gi
    or return 1;
  # A domain's constraint is about its value.
  my ($column) = $text =~ /ALTER\s+DOMAIN\s+$table\b/i ? 'VALUE'
    : $name =~ /\A${table}_(\w+)_check\z/ or return 1;
  my ($list) = $check =~ /\A\s*\(\s*$column\s+IN\s*\(([^)]*)\)\s*\)/si or return 1;
  my %is_allowed = map { $_ => 1 } listed($list);
  my @before = values_before($table, $column, $file) or return 1;
  return scalar grep { !$is_allowed{$_} } @before;
}
# A new column that has to be written, or a constraint that was not there before.
sub narrowings {
  my ($text, $file) = @_;
  $text =~ s/--.*//g;
  my @narrower = map { "narrower $_->[0]" } grep { is_narrower(@$_, $text, $file) }
    map { [$_, $text =~ /ADD\s+CONSTRAINT\s+$_\s+CHECK\s*([^;]*)/si] }
    $text =~ /DROP\s+CONSTRAINT\s+(\w+)(?=.*ADD\s+CONSTRAINT\s+\g1\b)/sgi;
  $text =~ s/'(?:[^']|'')*'/''/g;
  # What nobody knows yet may be as narrow as it likes.
  $text =~ s/CREATE\s+UNIQUE\s+INDEX\s+\w+\s+ON\s+$_\b//gi
    for $text =~ /CREATE\s+TABLE\s+(\w+)/gi;
  my @found = $text =~ /($narrowing)/g;
  push @found, grep { /NOT\s+NULL/i && !/DEFAULT|GENERATED/i }
    $text =~ /(ADD\s+(?!CONSTRAINT)(?:COLUMN\s)?[^;]*?(?=,\s*(?:ADD|DROP|ALTER)\s|;))/gi;
  my %dropped = map { $_ => 1 } $text =~ /DROP\s+CONSTRAINT\s+(\w+)/gi;
  push @found, map { "ADD CONSTRAINT $_" } grep { !$dropped{$_} }
    $text =~ /ADD\s+CONSTRAINT\s+(\w+)/gi;
  push @found, @narrower;
  return @found;
}
is_deeply [map { scalar narrowings($_) }
  'ALTER TABLE a DROP COLUMN b;', 'ALTER TABLE a RENAME b TO c;',
  'ALTER TABLE a ALTER COLUMN b SET NOT NULL;', 'ALTER TABLE a ADD COLUMN b int NOT NULL;',
  'ALTER TABLE a ADD CONSTRAINT b CHECK (c > 0);', 'CREATE UNIQUE INDEX a ON b (c);',
  'ALTER TABLE a ADD COLUMN b int NOT NULL, ADD COLUMN c int DEFAULT 1;',
  'ALTER TABLE a ADD b int NOT NULL;', 'ALTER TABLE a ADD CHECK (c > 0);',
  'ALTER TABLE a ALTER b TYPE text;', 'ALTER TABLE a ALTER b SET DEFAULT 2;',
  'DROP INDEX a;',
  q{ALTER TABLE mdl_request DROP CONSTRAINT mdl_request_protocol_check,
    ADD CONSTRAINT mdl_request_protocol_check CHECK (protocol IN ('openid4vp'));},
  q{ALTER DOMAIN review_action DROP CONSTRAINT review_action_check;
    ALTER DOMAIN review_action ADD CONSTRAINT review_action_check CHECK (VALUE IN ('held'));},
  ], [(1) x 14],
  'what an older module would trip over is found';
is_deeply [map { scalar narrowings($_) }
  "ALTER TABLE a ADD COLUMN b int NOT NULL DEFAULT 0; -- DROP COLUMN c\n",
  q{ALTER TABLE mdl_request DROP CONSTRAINT mdl_request_protocol_check,
    ADD CONSTRAINT mdl_request_protocol_check CHECK (protocol IN ('another', }
    . join(', ', map { "'$_'" } values_before('mdl_request', 'protocol')) . '));',
  q{ALTER DOMAIN review_action DROP CONSTRAINT review_action_check;
    ALTER DOMAIN review_action ADD CONSTRAINT review_action_check CHECK (VALUE IN ('another', }
    . join(', ', map { "'$_'" } values_before('review_action', 'VALUE')) . '));',
  'CREATE TABLE a (b int NOT NULL); CREATE UNIQUE INDEX c ON a (b);',
  q{COMMENT ON TABLE a IS 'RENAME';}], [(0) x 5],
  'and what it does not notice is not';
my %narrow;
for my $file (glob "$root/sql/migrations/*.sql") {
  my ($name, $number) = $file =~ m{((\d+)_[^/]*)\z};
  next unless $number > $oldest;
  open my $in, '<', $file or die "$file: $!\n";
  my @found = narrowings(do { local $/; <$in> }, $file);
  $narrow{$name} = "@found" if @found;
}
is_deeply [grep { !$narrows{$_} } sort keys %narrow], [],
  'migrations leave the release before what it needs' or diag explain \%narrow;
is_deeply [grep { !$narrow{$_} } sort keys %narrows], [], 'the list is of now';
my ($newest) = sort { $b <=> $a } map { $_->{schema} } Verify::Release::stand_ins();
like read_text("$root/conf/manual/upgrade.md"), qr/module of schema $newest\b/,
  'the guide says which module stands for the release before';

# Who builds an index in a transaction keeps all waiting who write to the table: none
# of a table that grows with the service, since the first that was built otherwise.
my $concurrent_since = 56;
my %grows = map { $_ => 1 } qw(verification_session credential vp_token
  vp_token_presentation event webhook_delivery idempotency_record ledger_entry
  decision_record document_sighting risk_assessment risk_observation review_entry
  verified_person person_identifier shared_credential trust_reuse_grant
  operator_action);
sub index_faults {
  my ($text) = @_;
  my ($marked) = $text =~ /\A-- \@concurrently (\w+)\n/;
  $text =~ s/--.*//g;
  return "$marked alone" if defined $marked
    && $text !~ /\A\s*CREATE INDEX CONCURRENTLY IF NOT EXISTS $marked\s[^;]*;\s*\z/;
  return defined $marked ? () : grep { $grows{$_} }
    $text =~ /CREATE\s+(?:UNIQUE\s+)?INDEX\b[^;]*?\sON\s+(\w+)/gi;
}
is_deeply [map { scalar(my @found = index_faults($_)) }
  'CREATE INDEX a ON credential (b);', "SELECT 1;\nCREATE UNIQUE INDEX a\n ON event (b);",
  "-- \@concurrently a\nCREATE INDEX CONCURRENTLY IF NOT EXISTS b ON event (c);",
  "-- \@concurrently a\nCREATE INDEX CONCURRENTLY IF NOT EXISTS a ON event (c); SELECT 1;",
  "-- \@concurrently a\nCREATE INDEX CONCURRENTLY IF NOT EXISTS a ON event (c);\n",
  'CREATE INDEX a ON workflow_replay (b);'], [1, 1, 1, 1, 0, 0],
  'what would keep others waiting is found';
my %waited_for = map { m{([^/]*)\z} => [index_faults(read_text($_))] }
  grep { m{/(\d+)_[^/]*\z} && $1 >= $concurrent_since } glob "$root/sql/migrations/*.sql";
is_deeply {map { $_ => $waited_for{$_} } grep { @{$waited_for{$_}} } keys %waited_for}, {},
  'indexes of large tables are built while everybody writes';

# That an organization is disabled is asked in one place for persons and wallets, one
# for keys and one for operators; others need it in their own terms.
sub read_text {
  open my $file, '<', $_[0] or die "$_[0]: $!\n";
  local $/;
  return scalar <$file>;
}
my @asking = map { s{.*/sql/}{}r } grep { read_text($_) =~ /disabled_at IS (?:NOT )?NULL/ }
  sort glob "$root/sql/queries/*/*/*.sql $root/sql/fragments/*.sql";
is_deeply \@asking, [
  'fragments/organization_as_expected.sql',   # keys, within the write itself
  'fragments/organization_open.sql',          # persons, their phones and wallets
  'queries/account/organization/standing.sql',     # operators
  'queries/gate/gate/target.sql',             # whose visitors cannot be verified
  'queries/session/trust_reuse/find_shared.sql',   # whose persons are offered to others
  'queries/transaction/law_announcement/subscribed.sql',                # who is told
  'queries/transaction/retention/find_organization_of_credentials.sql', # whose are kept
  'queries/transaction/retention/find_organization_of_sessions.sql',
  'queries/trust/health/law.sql',                  # whose are told of
  'queries/trust/health/server.sql',               # counts
  'queries/trust/health/workflows.sql',            # whose are told of
], 'whether an organization is disabled is asked nowhere else';
done_testing;
