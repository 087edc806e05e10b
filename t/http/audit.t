# The record of what operators and keys did: in the transaction of the change,
# chained by hashes, without what persons or secrets are.
use v5.32;
use warnings;
use Digest::SHA qw(sha256_hex);
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP ();
use MIME::Base64 qw(encode_base64);
use Verify::Test;

my $service = Verify::Instance->start(start => 0);
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $application =
  $service->verifyctl(qw(app create --org), $organization->{id}, qw(--name Shop))->{id};
my $application_client = $service->client(
  $service->key($organization->{id}, 'secret', '--app', $application));
my $directory = $service->{directory};
open my $passwords, '>', "$directory/passwords" or die "passwords: $!\n";
chomp(my $hash = `openssl passwd -apr1 correct-horse`);
print $passwords "ada:$hash\n";
close $passwords;
chmod 0644, "$directory/passwords";
$service->{conf} = join('', map { "LoadModule ${_}_module \${VERIFY_MODULES}/mod_$_.so\n" }
  qw(auth_basic authn_file authz_user)) . <<"CONF";
VerifyOperator admin $organization->{id} user ada
<Location "/dashboard">
    AuthType Basic
    AuthName dashboard
    AuthBasicProvider file
    AuthUserFile "$directory/passwords"
    Require valid-user
</Location>
CONF
$service->start_httpd;
my $ada = $service->client(undef, headers => {'Sec-Fetch-Site' => 'same-origin',
  Authorization => 'Basic ' . encode_base64('ada:correct-horse', '')});
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
for my $change ("update operator_action set entry = ''", 'delete from operator_action',
  'truncate operator_action') {
  ok !eval { $service->sql($change); 1 },
    "no $change";
  like $@, qr/append-only/, '... by the database';
}
finish $service;
