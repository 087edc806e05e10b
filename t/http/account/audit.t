# The record of what operators and keys did: in the transaction of the change,
# chained by hashes, without what persons or secrets are.
use v5.32;
use warnings;
use Digest::SHA qw(sha256_hex);
use FindBin;
use IO::Socket::INET;
use lib "$FindBin::Bin/../../lib";
use JSON::PP ();
use Socket qw(SOL_SOCKET SO_RCVBUF);
use Verify::Dashboard;
use Verify::Test;

my $service = Verify::Instance->start(start => 0);
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $application =
  $service->verifyctl(qw(app create --org), $organization->{id}, qw(--name Shop))->{id};
my $application_client = $service->client(
  $service->key($organization->{id}, 'secret', '--app', $application));
my $long = $service->organization(sandbox => 1)->{id};
my $dashboard = Verify::Dashboard->prepare($service, ada => "admin $organization->{id}",
  eve => "auditor $long");
$service->start_httpd;
my $ada = $dashboard->client('ada');
my $own = "/dashboard/v1/organizations/$organization->{id}";

sub actions { @{$ada->get("$own/audit?limit=100")->json->{data}} }
sub count { $service->sql_value('select count(*) from operator_action where organization_id = ?',
  $organization->{id}) }
my $known = count();
sub recorded {
  my ($answer, $action, $actor, $name) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  my ($last) = actions();
  is_deeply [count() - $known, @$last{qw(action actor request)}],
    [1, $action, $actor, $answer->header('X-Request-Id')], $name
    or diag $answer->status, ' ', $answer->body;
  $known = count();
  return $last;
}

# --- operators ---

my %session = (type => 'age', workflow_id => $organization->{workflow_id},
  jurisdiction => 'US-VA', metadata => {who => 'Grace Hopper'});
my $answer = $ada->post("$own/verification_sessions", \%session, 'Idempotency-Key' => 'one');
my $id = $answer->json->{id};
my $entry = recorded($answer, 'POST /v1/verification_sessions', 'ada', 'a creation');
is_deeply {map { $_ => $entry->{$_} } qw(subject actor_type authentication role rule address)},
  {subject => $id, actor_type => 'operator', authentication => 'Basic', role => 'admin',
    rule => "admin $organization->{id} user ada", address => '127.0.0.1'},
  'with the object, who it was, and how he was let in';
is_deeply $entry->{details}, {type => 'age',
  parameters => [qw(jurisdiction metadata type workflow_id)]},
  'and of the parameters the names, and what is nobody\'s';
$ada->post("$own/verification_sessions", \%session, 'Idempotency-Key' => 'one');
is count(), $known, 'a replay is not recorded again';
error_is $ada->post("$own/verification_sessions", {%session, type => 'none'}), 400,
  'parameter_invalid', 'type', 'what is refused';
is count(), $known, '... is not recorded';
recorded($ada->post("$own/verification_sessions", {%session, skip_verification => \1}),
  'POST /v1/verification_sessions', 'ada', 'a creation with effects');
my $verified = (actions())[0]{subject};
recorded($ada->post("$own/verification_sessions/$id/cancel", {}),
  'POST /v1/verification_sessions/:id/cancel', 'ada', 'a cancellation');
error_is $ada->post("$own/verification_sessions/$verified/cancel", {}), 409,
  'session_terminal', undef, 'one that fails';
is count(), $known, '... leaves none';
recorded($ada->post("$own/session_reviews/sessions/$verified/flag", {reason => 'odd'}),
  'POST /v1/session_reviews/sessions/:id/flag', 'ada', 'a flag');
recorded($ada->post("$own/verified_person/lookup", {email => 'grace@example.com'}),
  'POST /v1/verified_person/lookup', 'ada', 'a look for somebody');
recorded($ada->post("$own/risk/score", {ip => '192.0.2.1'}), 'POST /v1/risk/score', 'ada',
  'an assessment');
my %endpoint = (url => 'https://127.0.0.1:9/hook?token=hidden', enabled_events => ['*']);
$answer = $ada->post("$own/webhook_endpoints", \%endpoint);
my $endpoint = $answer->json->{id};
is recorded($answer, 'POST /v1/webhook_endpoints', 'ada', 'an endpoint')->{subject},
  $endpoint, '... by the id of the answer';
recorded($ada->post("$own/webhook_endpoints/$endpoint/rotate-secret", {}),
  'POST /v1/webhook_endpoints/:id/rotate-secret', 'ada', 'a new secret');
is recorded($ada->patch("$own/applications/$application/trust_reuse/settings",
  {enabled => \1, accept_liability => \1}), 'PATCH /v1/trust_reuse/settings', 'ada',
  'settings')->{subject}, $application, '... of an application';
$ada->get("$own/webhook_endpoints/$endpoint");
is count(), $known, 'what only reads is not recorded';

# --- keys ---

my $client = $organization->{client};
my ($key) = grep { !$_->{application_id} }
  @{$service->verifyctl(qw(key list --org), $organization->{id})};
is recorded($client->post("/v1/webhook_endpoints/$endpoint", {status => 'disabled'}),
  'POST /v1/webhook_endpoints/:id', $key->{id}, "a key's change")->{details}{status},
  'disabled', '... and to what';
recorded($client->delete("/v1/webhook_endpoints/$endpoint"),
  'DELETE /v1/webhook_endpoints/:id', $key->{id}, "a key's deletion");
$answer = $application_client->patch('/v1/trust_reuse/settings', {max_age_days => 30});
is $answer->status, 200, "an application's key";
is((actions())[0]{details}{max_age_days}, 30, '... is recorded, too');
$known = count();
$client->post('/v1/verification_sessions', \%session);
is count(), $known, 'what a key works is not recorded';

# --- the chain ---

my $rows = $service->sql(q{select sequence, entry, encode(hash, 'hex') as hash
  from operator_action where organization_id = ? order by sequence}, $organization->{id});
my $hash_before = '';
my @broken = grep {
  my $expected = sha256_hex(pack('H*', $hash_before) . do { my $text = $_->{entry}; utf8::encode($text); $text });
  $hash_before = $_->{hash};
  $expected ne $_->{hash};
} @$rows;
is_deeply \@broken, [], 'each hash is of the one before and the entry';
is_deeply [map { $_->{sequence} } @$rows], [1 .. @$rows], 'without a gap';
unlike join('', map { $_->{entry} } @$rows), qr/Grace|grace|hidden|whsec|svc_/,
  'no person and no secret';
my @page = @{$ada->get("$own/audit?limit=2")->json->{data}};
is $ada->get("$own/audit?limit=1&starting_after=$page[0]{id}")->json->{data}[0]{id},
  $page[1]{id}, 'in pages';
my @all = actions();
for my $filter (['actor', $key->{id}], ['action', 'PATCH /v1/trust_reuse/settings'],
  ['subject', $endpoint]) {
  my ($name, $value) = @$filter;
  my @wanted = map { $_->{id} } grep { ($_->{$name} // '') eq $value } @all;
  my $query = "$own/audit?$name=" . $value =~ s{/}{%2F}gr =~ s/ /%20/gr;
  ok @wanted, "there are some of one $name";
  is_deeply [map { $_->{id} } @{answer_is($ada->get("$query&limit=100"), 200)->{data}}],
    \@wanted, '... which are found';
  is_deeply [map { $_->{id} } @{$ada->get("$query&limit=1")->json->{data}}], [$wanted[0]],
    '... in pages';
  my $newer = $ada->get("$query&limit=100&ending_before=$wanted[-1]")->json->{data};
  is_deeply [map { $_->{id} } @$newer], [@wanted[0 .. $#wanted - 1]], '... and back';
}
is_deeply answer_is($ada->get("$own/audit?subject=none"), 200)->{data}, [], 'or nothing';
my ($from, $until) = map { $_->{created} } @all[-1, 0];
is scalar @{$ada->get("$own/audit?limit=100&created_gte=$from&created_lt=" . ($until + 1))
  ->json->{data}}, scalar @all, 'by time';
is_deeply $ada->get("$own/audit?created_lt=$_")->json->{data}, [], "... before $_ nothing"
  for $from, 0;
is_deeply $ada->get("$own/audit?created_gte=" . ($until + 1))->json->{data}, [],
  '... and nothing after it';
error_is $ada->get("$own/audit?actor=a&action=b"), 400, 'parameter_invalid', 'action';
error_is $ada->get("$own/audit?actor=a&subject=b"), 400, 'parameter_invalid', 'subject';
error_is $ada->get("$own/audit?actor="), 400, 'parameter_invalid', 'actor';
for my $change ("update operator_action set entry = ''", 'delete from operator_action',
  'truncate operator_action') {
  ok !eval { $service->sql($change); 1 },
    "no $change";
  like $@, qr/append-only/, '... by the database';
}

# --- verifyctl ---

sub verifyctl_records {
  my ($arguments, $expected, $name) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  $known = count();
  my $answer = $service->verifyctl(@$arguments);
  my ($last) = actions();
  is_deeply [count() - $known, @$last{qw(action actor_type subject)}],
    [1, "$arguments->[0] $arguments->[1]", 'verifyctl', $expected // $answer->{id}],
    $name // "@$arguments[0, 1]";
  return ($last, $answer);
}
my $org = $organization->{id};
my ($last, $new) = verifyctl_records([qw(key create --type secret --org), $org]);
is_deeply $last->{details}, {options => [qw(org type)], type => 'secret'},
  'with what was chosen';
like $last->{actor}, qr/\A[a-z_][\w.-]*\z/, '... by the system\'s user';
verifyctl_records(['key', 'revoke', $new->{id}]);
verifyctl_records([qw(app create --name Grace --org), $org]);
($last) = verifyctl_records(['org', 'limits', $org, qw(--secret 7)], $org);
is_deeply [@$last{qw(action subject)}, $last->{details}],
  ['org limits', $org, {options => ['secret'], secret => '7'}], 'limits';
verifyctl_records(['org', 'limits', $org, qw(--secret server)], $org);
($last) = verifyctl_records(['org', 'update', $org, qw(--billing-status suspended)]);
is $last->{details}{'billing-status'}, 'suspended', '... to what';
verifyctl_records(['org', 'update', $org, qw(--billing-status active)]);
verifyctl_records([qw(credits add --amount 5 --note Grace --org), $org]);
($last) = verifyctl_records([qw(risk block email grace@example.com --by Grace --org), $org]);
verifyctl_records(['review', 'decide', $verified, qw(approve --by bert --note Grace)], $verified);
is((actions())[0]{details}{choice}, 'approve', 'which decision');
$known = count();
$service->verifyctl('org', $_, $org) for qw(show brand limits);
ok !eval { $service->verifyctl('key', 'revoke', 'key_0'); 1 }, 'a command that fails';
ok !eval { $service->verifyctl('org', 'update', $org); 1 }, 'one that changes nothing';
like $@, qr/Nothing to change/, '... and says so';
is count(), $known, '... and one that reads leave none';

sub chain { grep { $_->{organization} eq $org } @{$_[0]{chains}} }
ok !eval { $service->verifyctl(qw(key create --org org_mistyped --type secret)); 1 },
  'a key of nobody';
like $@, qr/No such organization\. \(--org org_mistyped\)/, '... names whom';
my $proof = $service->verifyctl(qw(audit verify));
for my $verb (qw(verify export)) {
  ok !eval { $service->verifyctl('audit', $verb, qw(--org org_mistyped)); 1 },
    "audit $verb of nobody";
  like $@, qr/No such organization/, '... says so';
}
my ($chain) = chain($proof);
is_deeply [$proof->{valid} ? 1 : 0, @$chain{qw(entries fault)}], [1, $known, undef],
  'the chain is whole';
is $chain->{head}, (actions())[0]{hash}, '... up to its head';
my @lines = map { JSON::PP->new->utf8->decode($_) }
  split /\n/, $service->script('verifyctl', qw(audit export --org), $org);
$hash_before = '';
is_deeply [grep {
    my $text = $_->{entry};
    utf8::encode($text);
    my $expected = sha256_hex(pack('H*', $hash_before) . $text);
    $hash_before = $_->{hash};
    $expected ne $_->{hash};
  } @lines], [], 'an export can be proved without the service';
is $hash_before, $chain->{head}, '... to the same head';
unlike join('', map { $_->{entry} } @lines), qr/Grace|grace/, 'no person in it';

# --- a file ---

sub lines {
  my ($answer) = @_;
  is $answer->status, 200, 'an export';
  return map { JSON::PP->new->utf8->decode($_) } split /\n/, $answer->body;
}
my $export = $ada->get("$own/audit/export");
is_deeply [lines($export)], \@lines, 'the dashboard gives what verifyctl gives';
is $export->header('Content-Type'), 'application/x-ndjson', '... as lines';
is $export->header('Content-Disposition'), qq(attachment; filename="audit-$org.jsonl"),
  '... in a file';
like $export->header('Content-Security-Policy'), qr/require-trusted-types-for 'script'/,
  '... which is no page';
is $export->header('Cache-Control'), 'no-store', '... and kept nowhere';
is count(), $known, 'what only reads is not recorded here either';
is_deeply [map { $_->{sequence} } lines($ada->get("$own/audit/export?actor=$key->{id}"))],
  [map { $_->{sequence} } grep { index($_->{entry}, qq("actor":"$key->{id}")) > 0 } @lines],
  'of one actor';
is_deeply [map { $_->{hash} } lines($ada->get("$own/audit/export?subject=$endpoint"))],
  [map { $_->{hash} } grep { index($_->{entry}, qq("subject":"$endpoint")) > 0 } @lines],
  'of one object';
is_deeply [lines($ada->get("$own/audit/export?created_lt=$from"))], [], 'of a time: nothing';
is scalar(() = lines($ada->get("$own/audit/export?created_gte=$from"))), scalar @lines,
  '... or all';
is $ada->request('HEAD', "$own/audit/export", {})->body // '', '', 'a head has no lines';
error_is $ada->get("$own/audit/export?$_->[0]"), 400, 'parameter_invalid', $_->[1]
  for ['actor=a&action=b', 'action'], ['created_gte=x', 'created_gte'], ['limit=5', 'limit'];
is $ada->get("$own/audit/export?limit=5")->header('Content-Disposition'), undef,
  'an error is no file';

# --- tampering ---

my $handle = $service->connect_database;
$handle->do('ALTER TABLE operator_action DISABLE TRIGGER ALL');
my $middle = int($known / 2);
my %tampering = (
  'an entry changed' => ["UPDATE operator_action SET entry = replace(entry, 'verifyctl', 'somebody')
    WHERE sequence = 2", qr/entry 2 does not match/],
  'an entry changed with its hash' => ["UPDATE operator_action SET hash = sha256('x'),
    entry = entry || ' ' WHERE sequence = $middle", qr/entry $middle does not match/],
  'an entry removed' => ["DELETE FROM operator_action WHERE sequence = $middle",
    qr/entry $middle is missing/],
  'the first one removed' => ['DELETE FROM operator_action WHERE sequence = 1',
    qr/entry 1 is missing/],
  'the last one removed' => ["DELETE FROM operator_action WHERE sequence = $known",
    qr/entry $known is missing/],
  'all removed' => ['DELETE FROM operator_action', qr/entry $known is missing/],
  'all removed with the head' => ["WITH gone AS (DELETE FROM operator_action WHERE
      sequence > 1) UPDATE operator_action_head SET sequence = 1", qr/the head does not match/],
  'two swapped' => ["UPDATE operator_action a SET entry = b.entry, id = b.id || 'x'
    FROM operator_action b WHERE a.sequence = 3 AND b.sequence = 4
      AND a.organization_id = b.organization_id", qr/entry 3 does not match/],
  'an id changed' => ["UPDATE operator_action SET id = 'opa_x' WHERE sequence = 5",
    qr/entry 5 belongs elsewhere/],
  'one put behind' => ["INSERT INTO operator_action SELECT organization_id, $known + 1,
    'opa_y', entry, hash FROM operator_action WHERE sequence = $known", qr/entry @{[$known + 1]} does not match/],
);
sub verdict {
  my (@more) = @_;
  my $output = $service->{directory} . '/verdict';
  local %ENV = $service->environment;
  my $status = system("scripts/verifyctl audit verify --org $org @more >$output 2>&1") >> 8;
  return ($status, chain(JSON::PP->new->decode(Verify::Instance::read_text($output))));
}
# Cut off together with the head, or written anew: only a head that was kept shows it.
my ($whole) = Verify::Instance::read_text("$service->{directory}/verdict")
  if (verdict())[0] == 0;
my $kept = "$service->{directory}/heads.json";
open my $heads, '>', $kept or die "$kept: $!\n";
print $heads $whole;
close $heads;
is((verdict("--head $kept"))[0], 0, 'a chain is the one whose head was kept');
my %with_head = (
  'the end cut off with the head' => ["DELETE FROM operator_action WHERE sequence > $middle;
    UPDATE operator_action_head SET (sequence, hash) = (SELECT sequence, hash
      FROM operator_action WHERE organization_id = '$org' AND sequence = $middle) WHERE true",
    qr/entry $known, whose head was kept, is missing/],
  'all of it gone' => ['DELETE FROM operator_action WHERE true;
    DELETE FROM operator_action_head WHERE true',
    qr/entry $known, whose head was kept, is missing/],
  'another end' => ["DELETE FROM operator_action WHERE sequence = $known;
    INSERT INTO operator_action SELECT organization_id, $known, 'opa_z', e.entry,
      sha256(a.hash || convert_to(e.entry, 'UTF8')) FROM operator_action a
     CROSS JOIN LATERAL (SELECT replace(a.entry, a.id, 'opa_z') AS entry) e
     WHERE a.sequence = $known - 1;
    UPDATE operator_action_head SET (sequence, hash) = (SELECT sequence, hash
      FROM operator_action WHERE organization_id = '$org' AND sequence = $known) WHERE true",
    qr/entry $known is not the one whose head was kept/],
);
for my $name (sort keys %with_head) {
  my ($statements, $fault) = @{$with_head{$name}};
  $handle->do("CREATE TABLE kept_$_ AS TABLE $_")
    for qw(operator_action operator_action_head);
  for my $statement (split /;\s*/, $statements) {
    $handle->do($statement =~ s/\bWHERE (?=true|sequence|a\.)/WHERE organization_id = '$org' AND /r);
  }
  is((verdict())[0], 0, "$name: nothing is found without the head")
    unless $name eq 'all of it gone';
  my ($status, $found) = verdict("--head $kept");
  is $status, 1, "$name: found by the head";
  like $found->{fault}, $fault, '... where';
  for (qw(operator_action operator_action_head)) {
    $handle->do("DELETE FROM $_");
    $handle->do("INSERT INTO $_ TABLE kept_$_");
    $handle->do("DROP TABLE kept_$_");
  }
}
{
  local %ENV = $service->environment;
  for (['no such file', "$kept.none"], ['no heads', '/dev/null']) {
    isnt system("scripts/verifyctl audit verify --org $org --head $_->[1] >/dev/null 2>&1")
      >> 8, 0, "$_->[0]: refused";
  }
}

for my $name (sort keys %tampering) {
  my ($statement, $fault) = @{$tampering{$name}};
  $handle->do('CREATE TABLE kept AS TABLE operator_action');
  $handle->do('CREATE TABLE kept_head AS TABLE operator_action_head');
  $statement =~ s/\bWHERE\b/WHERE organization_id = '$org' AND/ unless $name eq 'two swapped';
  $statement =~ s/DELETE FROM operator_action\z/$& WHERE organization_id = '$org'/;
  $statement =~ s/SET sequence = 1\z/$& WHERE organization_id = '$org'/;
  $statement .= " AND a.organization_id = '$org'" if $name eq 'two swapped';
  $handle->do($statement);
  my ($status, $found) = verdict();
  is $status, 1, "$name: found";
  like $found->{fault}, $fault, "... where";
  $handle->do('DELETE FROM operator_action');
  $handle->do('DELETE FROM operator_action_head');
  $handle->do('INSERT INTO operator_action TABLE kept');
  $handle->do('INSERT INTO operator_action_head TABLE kept_head');
  $handle->do('DROP TABLE kept, kept_head');
}
is((verdict())[0], 0, 'and nothing without any');
# --- a head that was taken away ---

my $trusted = $service->sql_value('SELECT count(*) FROM operator_action');
$service->sql('DELETE FROM operator_action_head WHERE organization_id = ?', $organization->{id});
my $keys = $service->sql_value('SELECT count(*) FROM api_key');
error_is $ada->post("$own/keys", {type => 'secret'}), 503, 'audit_chain_broken', undef,
  'nothing is done that cannot be recorded';
ok !eval { $service->verifyctl(qw(key create --type secret --org), $organization->{id}); 1 },
  'nor by verifyctl';
like $@, qr/audit repair/, '... which says what to do';
is $service->sql_value('SELECT count(*) FROM api_key'), $keys, 'no key was made';
is $ada->get("$own/audit")->status, 200, 'the record can be read';
my $repaired = $service->verifyctl(qw(audit repair), $organization->{id});
is_deeply [@$repaired{qw(restored fault)}], [JSON::PP::true, undef], 'repaired';
is $ada->post("$own/keys", {type => 'secret'})->status, 201, 'and changes are made again';
is $service->sql_value('SELECT count(*) FROM operator_action'), $trusted + 2,
  'with the repair itself on record';
is $service->verifyctl(qw(audit repair), $organization->{id})->{restored}, JSON::PP::false,
  'there is nothing more to repair';

# --- a long record ---

# More than is read at once, in entries so long that a reader is slower than the
# service.
my $of_long = "/dashboard/v1/organizations/$long/audit/export";
my $many = 1201;
{
  my $insert = $service->connect_database;
  my ($hash, $sequence) = $insert->selectrow_array(q{SELECT encode(hash, 'hex'), sequence
    FROM operator_action_head WHERE organization_id = ?}, undef, $long);
  $insert->begin_work;
  for my $number ($sequence + 1 .. $many) {
    my $text = qq({"id":"opa_) . sprintf('%026d', $number) . qq(","organization":"$long",)
      . qq("actor":"somebody","reason":"@{['x' x 12_000]}"});
    $hash = sha256_hex(pack('H*', $hash) . $text);
    $insert->do(q{INSERT INTO operator_action VALUES (?, ?, ?, ?, decode(?, 'hex'))}, undef,
      $long, $number, 'opa_' . sprintf('%026d', $number), $text, $hash);
  }
  $insert->do(q{UPDATE operator_action_head SET sequence = ?, hash = decode(?, 'hex')
    WHERE organization_id = ?}, undef, $many, $hash, $long);
  $insert->commit;
}
error_is $ada->get($of_long), 403, 'operator_role_required';
my $eve = $dashboard->client('eve');
$hash_before = '';
my @sequence = map {
  my $is_right = $_->{hash} eq sha256_hex(pack('H*', $hash_before) . $_->{entry});
  $hash_before = $_->{hash};
  $is_right ? $_->{sequence} : "not $_->{sequence}";
} lines($eve->get($of_long));
is_deeply \@sequence, [1 .. $many], 'a long record is whole, and can be proved';
# A database that goes away in between: nobody takes a part for the whole.
{
  my $socket = IO::Socket::INET->new(PeerAddr => $service->base_url =~ s{http://}{}r,
    Sockopts => [[SOL_SOCKET, SO_RCVBUF, 65_536]]);
  print $socket join "\r\n", "GET $of_long HTTP/1.1", 'Host: 127.0.0.1',
    'Authorization: ' . $dashboard->login('eve'), 'Sec-Fetch-Site: same-origin', '', '';
  sysread $socket, my $part, 4096;
  like $part, qr/\AHTTP\/1.1 200 /, 'it begins';
  $service->expect_log(qr/operator_action/);
  $service->sql('ALTER TABLE operator_action RENAME TO operator_action_away');
  while (sysread $socket, my $more, 1 << 20) { $part .= $more }
  $service->sql('ALTER TABLE operator_action_away RENAME TO operator_action');
  cmp_ok length $part, '<', $many * 12_000, 'is broken off';
  unlike $part, qr/\r\n0\r\n\r\n\z/, '... without the end of a whole answer';
}

finish $service;
