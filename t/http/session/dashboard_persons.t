# What operators do with a person whom the organization knows: look, ask for the
# erasure, confirm it, where two are needed for it and where one is enough.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use JSON::PP ();
use Verify::Dashboard;
use Verify::Test;

my $service = Verify::Instance->start(start => 0);
my $shop = $service->organization(sandbox => 1, workflow => 1);
my $other = $service->organization(sandbox => 1, workflow => 1);
my $dashboard = Verify::Dashboard->prepare($service, olga => "auditor $shop->{id}",
  rita => "reviewer $shop->{id}", pia => "publisher $shop->{id}",
  ada => "admin $shop->{id}", adam => "admin $shop->{id}", root => 'admin *',
  mallory => "admin $other->{id}");
$service->start_httpd;
my %client = map { $_ => $dashboard->client($_) } qw(olga rita pia ada adam root mallory);
my $own = "/dashboard/v1/organizations/$shop->{id}";
my $yes = JSON::PP::true;

# The id of a person who is known by NAME@example.com from now on, and the session.
sub person {
  my ($name, $whose) = @_;
  my $client = ($whose // $shop)->{client};
  my $session = answer_is($client->post('/v1/verification_sessions', {type => 'age',
    workflow_id => ($whose // $shop)->{workflow_id}, jurisdiction => 'US-CA',
    email => "$name\@example.com", skip_verification => $yes}), 201, $name);
  return (answer_is($client->post('/v1/verified_person/lookup',
    {email => "$name\@example.com"}), 200)->{verified_person_id}, $session);
}
sub is_known {
  my ($name, $whose) = @_;
  return answer_is(($whose // $shop)->{client}->post('/v1/verified_person/lookup',
    {email => "$name\@example.com"}), 200)->{verified};
}
sub actions { $service->sql_value(
  q{SELECT count(*) FROM operator_action WHERE entry::text LIKE '%/erase%'}) }
sub requests { answer_is($client{olga}->get("$own/erasure_requests"), 200)->{data} }

subtest 'a person' => sub {
  my ($id, $session) = person('seen');
  my $seen = answer_is($client{olga}->get("$own/persons/$id"), 200, 'an auditor reads');
  is_deeply [@$seen{qw(id object identifiers erasure_request erased_at)}],
    [$id, 'verified_person', ['email'], undef, undef], 'kinds of identifiers, no more';
  is_deeply [map { [@$_{qw(session_id revoked_at)}] } @{$seen->{credentials}}],
    [[$session->{id}, undef]], 'the credentials, with their sessions';
  unlike $client{olga}->get("$own/persons/$id")->body, qr/example\.com/, 'no address';
  error_is $client{olga}->get("$own/persons/$_"), 404, 'resource_missing', undef, $_
    for 'vp_01arz3ndektsv4rrffq69g5fav', 'vp_', $session->{id};
  error_is $client{mallory}->get("/dashboard/v1/organizations/$other->{id}/persons/$id"),
    404, 'resource_missing', undef, 'in another organization it is nobody';
};

subtest 'the sessions of a person' => sub {
  my $create = sub {
    my ($whose, %more) = @_;
    return answer_is($whose->{client}->post('/v1/verification_sessions', {type => 'age',
      workflow_id => $whose->{workflow_id}, jurisdiction => 'US-CA', %more}), 201);
  };
  my @known = (email => 'regular@example.com', client_reference_id => 'customer-7');
  my $failed = $create->($shop, @known);
  answer_is($shop->{client}->post("/v1/verification_sessions/$failed->{id}/test_outcome",
    {value => 'document_not_accepted'}), 200, 'one fails') for 1 .. 3;
  my $passed = $create->($shop, @known, skip_verification => $yes);
  my $open = $create->($shop, client_reference_id => 'customer-7');
  $create->($shop, email => 'regular@example.com', client_reference_id => 'customer-8');
  $create->($shop);
  $create->($other, client_reference_id => 'customer-7');
  my $id = answer_is($shop->{client}->post('/v1/verified_person/lookup',
    {email => 'regular@example.com'}), 200)->{verified_person_id};
  my $seen = answer_is($client{olga}->get("$own/persons/$id"), 200);
  is_deeply [map { [@$_{qw(session_id status client_reference_id linked_by)}] }
      @{$seen->{sessions}}],
    [[$open->{id}, 'created', 'customer-7', ['reference']],
     [$passed->{id}, 'verified', 'customer-7', ['credential', 'reference']],
     [$failed->{id}, 'failed', 'customer-7', ['reference']]],
    'those of the credentials, and those of this organization with their reference';
  ok $seen->{sessions}[2]{error_code}, '... why it failed';
  is_deeply $service->verifyctl(qw(person show), $id)->{sessions}, $seen->{sessions},
    'verifyctl shows the same';
  my ($nobody) = person('without_reference');
  is_deeply [map { $_->{linked_by} }
      @{answer_is($client{olga}->get("$own/persons/$nobody"), 200)->{sessions}}],
    [['credential']], 'no reference links nothing';
  answer_is($client{ada}->post("$own/persons/$id/erase", {}), 200);
  is_deeply answer_is($client{olga}->get("$own/persons/$id"), 200)->{sessions}, [],
    'an erased person has none';
};

subtest 'the path of a session' => sub {
  my ($id, $session) = person('walker');
  my $path = answer_is($client{olga}->get("$own/sessions/$session->{id}/path"), 200,
    'an auditor reads');
  is_deeply [@$path{qw(object session_id verified_person_id workflow_id)}],
    ['session_path', $session->{id}, $id, $shop->{workflow_id}], 'whose, and of what';
  is_deeply [$path->{is_whole}, $path->{nodes}], [$yes, []],
    'who is not asked for anything goes nowhere';
  my $asked = answer_is($shop->{client}->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $shop->{workflow_id}, jurisdiction => 'US-CA'}), 201);
  answer_is($shop->{client}->post("/v1/verification_sessions/$asked->{id}/test_outcome",
    {value => 'passed'}), 200);
  $path = answer_is($client{olga}->get("$own/sessions/$asked->{id}/path"), 200);
  my @nodes = @{$path->{nodes}};
  cmp_ok scalar @nodes, '>=', 2, 'one that is passed goes through the workflow';
  is_deeply [$nodes[0]{exits}, $nodes[-1]{type}, $nodes[-1]{exits}, $path->{is_whole}],
    [['passed'], 'outcome', [], $yes], '... to its end';
  my $definition = answer_is($client{olga}->get("$own/workflows/$path->{workflow_id}"
    . "/versions/$path->{workflow_version_id}/definition"), 200);
  is_deeply [grep { !$definition->{nodes}{$_->{node}} } @nodes], [], '... of its version';
  error_is $client{mallory}->get(
    "/dashboard/v1/organizations/$other->{id}/sessions/$asked->{id}/path"), 404,
    'session_not_found', undef, 'of another organization there is none';
  answer_is($client{ada}->post("$own/persons/$id/erase", {}), 200);
  is answer_is($client{olga}->get("$own/sessions/$session->{id}/path"), 200)
    ->{verified_person_id}, undef, 'an erased person is named by none';
};

subtest 'one is enough' => sub {
  my ($id) = person('alone');
  my $before = actions();
  for my $who (qw(olga rita pia mallory)) {
    error_is $client{$who}->post("$own/persons/$id/erase", {}), 403,
      'operator_role_required', undef, "not $who";
  }
  error_is $client{mallory}->post("/dashboard/v1/organizations/$other->{id}/persons/$id/erase",
    {}), 404, 'resource_missing', undef, 'nor an admin of another, by his own path';
  error_is $client{ada}->post("$own/persons/$id/erase", {force => $yes}), 400,
    'parameter_invalid', 'force';
  ok is_known('alone'), 'nothing happened';
  is actions(), $before, 'nothing is recorded';
  my @same = ('Idempotency-Key' => 'erase-1');
  my $first = $client{ada}->post("$own/persons/$id/erase", {}, @same);
  my $erased = answer_is($first, 200, 'an admin erases');
  is_deeply [@$erased{qw(id object status by expires_at)}],
    [$id, 'person_erasure', 'erased', 'ada', undef], 'at once';
  is $erased->{erased}{$_}, 1, "one of $_" for qw(identifiers credentials sessions);
  ok !is_known('alone'), 'nobody is found';
  is $client{ada}->post("$own/persons/$id/erase", {}, @same)->body, $first->body,
    'a repetition is the same';
  is actions(), $before + 1, 'recorded once';
  my $action = answer_is($client{olga}->get("$own/audit?limit=1"), 200)->{data}[0];
  is_deeply [@$action{qw(actor role subject)}], ['ada', 'admin', $id], '... by whom, whom';
  unlike(JSON::PP->new->encode($action), qr/example/, '... and no address');
  is answer_is($client{ada}->post("$own/persons/$id/erase", {}), 200)->{erased}{sessions},
    0, 'a second time nothing is left';
  my $gone = answer_is($client{olga}->get("$own/persons/$id"), 200, 'it stays known');
  is_deeply [@$gone{qw(identifiers credentials created erased_at)}],
    [[], [], undef, $erased->{erased_at}], '... that there was one';
};

subtest 'two are needed' => sub {
  answer_is($client{ada}->patch($own, {four_eyes_erase => $yes}), 200, 'from now on');
  my ($id) = person('four');
  my ($next) = person('eyes');
  my $before = actions();
  my @same = ('Idempotency-Key' => 'ask-1');
  my $asked = answer_is($client{ada}->post("$own/persons/$id/erase", {}, @same), 200);
  is_deeply [@$asked{qw(status by erased_at erased)}], ['requested', 'ada', undef, undef],
    'the first only asks';
  ok is_known('four'), 'the person is still there';
  is_deeply [map { [@$_{qw(id requested_by expires_at)}] } @{requests()}],
    [[$id, 'ada', $asked->{expires_at}]], 'which an auditor sees';
  is_deeply $client{olga}->get("$own/persons/$id")->json->{erasure_request}, requests()->[0],
    '... at the person, too';
  is_deeply [map { [@$_{qw(id requested_by)}] }
    @{$service->verifyctl(qw(person erasures --org), $shop->{id})}], [[$id, 'ada']],
    'and verifyctl lists it';
  is actions(), $before + 1, 'recorded';
  error_is $client{ada}->post("$own/persons/$id/erase", {}), 403, 'four_eyes_required',
    undef, 'the same one does not confirm';
  is answer_is($client{ada}->post("$own/persons/$id/erase", {}, @same), 200)->{status},
    'requested', 'a repetition of the asking is no confirmation';
  ok is_known('four'), 'the person is still there';
  is actions(), $before + 1, 'what is refused is not recorded';

  answer_is($client{adam}->post("$own/persons/$next/erase", {}), 200, 'another is asked for');
  my ($newest, $rest) = map { $client{olga}->get("$own/erasure_requests?limit=1$_")->json }
    '', "&starting_after=$next";
  is_deeply [$newest->{has_more}, map { $_->{data}[0]{id} } $newest, $rest],
    [$yes, $next, $id], 'page by page';
  is_deeply answer_is($client{mallory}->get(
    "/dashboard/v1/organizations/$other->{id}/erasure_requests"), 200)->{data}, [],
    'others see none of it';

  my $erased = answer_is($client{adam}->post("$own/persons/$id/erase", {}, @same), 200,
    'a key of one operator is not that of another');
  is $erased->{status}, 'erased', 'another one confirms';
  ok !is_known('four'), 'nobody is found';
  is_deeply [map { $_->{id} } @{requests()}], [$next], 'one request is used up';
  is_deeply [map { [@$_{qw(actor subject)}, $_->{details}{status}] }
    grep { $_->{subject} eq $id } @{answer_is($client{olga}->get("$own/audit?limit=5"),
    200)->{data}}], [['adam', $id, 'erased'], ['ada', $id, 'requested']],
    'the record tells asking from erasing';
  is answer_is($client{ada}->post("$own/persons/$id/erase", {}), 200)->{status}, 'erased',
    'who was erased is not asked for again';
  is $service->verifyctl(qw(person erase), $id)->{object}, 'person_erasure',
    '... by verifyctl either';
  is_deeply [map { $_->{id} } @{requests()}], [$next], '... so that nothing waits';
  is $service->verifyctl(qw(person show), $next)->{erasure_request}{requested_by}, 'adam',
    'verifyctl knows what the dashboard asked';
  $service->sql('UPDATE erasure_request SET created_at = created_at - 7 * 86400 * 1000000::bigint');
  is_deeply requests(), [], 'after seven days it is over';
  is $client{olga}->get("$own/persons/$next")->json->{erasure_request}, undef,
    '... at the person, too';
  is answer_is($client{ada}->post("$own/persons/$next/erase", {}), 200)->{status},
    'requested', '... so that it is asked for anew';
  ok eval { $service->verifyctl(qw(audit verify --org), $shop->{id}); 1 }, 'the chain holds';
};

subtest 'what was asked for is withdrawn' => sub {
  my ($id) = person('kept');
  my $path = "$own/erasure_requests/$id";
  my @json = ('Content-Type' => 'application/json');
  my $withdrawals = sub { $service->sql_value(
    q{SELECT count(*) FROM operator_action WHERE entry::text LIKE '%DELETE%erasure_requests%'
      OR entry::text LIKE '%withdraw-erasure%'}) };
  error_is $client{ada}->delete($path, @json), 404, 'resource_missing', undef,
    'nothing is to be withdrawn';
  answer_is($client{ada}->post("$own/persons/$id/erase", {}), 200, 'asked for');
  for my $who (qw(olga rita pia mallory)) {
    error_is $client{$who}->delete($path, @json), 403, 'operator_role_required', undef, "not $who";
  }
  error_is $client{mallory}->delete("/dashboard/v1/organizations/$other->{id}/erasure_requests/$id",
    @json), 404, 'resource_missing', undef, 'nor an admin of another, by his own path';
  error_is $client{ada}->delete("$path?force=1", @json), 400, 'parameter_invalid', 'force';
  ok $client{olga}->get("$own/persons/$id")->json->{erasure_request}, 'it still waits';
  is $withdrawals->(), 0, 'nothing is recorded';
  is_deeply answer_is($client{ada}->delete($path, @json), 200, 'who asked withdraws'),
    {id => $id, object => 'erasure_request', deleted => $yes}, 'it is gone';
  is $client{olga}->get("$own/persons/$id")->json->{erasure_request}, undef, '... at the person';
  my $action = answer_is($client{olga}->get("$own/audit?limit=1"), 200)->{data}[0];
  is_deeply [@$action{qw(actor subject)}], ['ada', $id], 'recorded, by whom and of whom';
  error_is $client{ada}->delete($path, @json), 404, 'resource_missing', undef, 'once';
  is answer_is($client{adam}->post("$own/persons/$id/erase", {}), 200)->{status}, 'requested',
    'another one who erases then only asks';
  answer_is($client{ada}->delete($path, @json), 200, 'another than who asked withdraws, too');
  answer_is($client{adam}->post("$own/persons/$id/erase", {}), 200);
  my $withdrawn = $service->verifyctl(qw(person withdraw-erasure), $id);
  is_deeply [@$withdrawn{qw(id object organization_id deleted)}],
    [$id, 'person_erasure_request', $shop->{id}, $yes], 'by verifyctl';
  is $withdrawals->(), 3, 'each is recorded';
  is answer_is($client{olga}->get("$own/audit?limit=1"), 200)->{data}[0]{action},
    'person withdraw-erasure', '... in the chain of the organization';
  ok !eval { $service->verifyctl(qw(person withdraw-erasure), $id); 1 }, 'nothing is left';
  answer_is($client{adam}->post("$own/persons/$id/erase", {}), 200);
  $service->sql('UPDATE erasure_request SET created_at = created_at - 7 * 86400 * 1000000::bigint');
  error_is $client{ada}->delete($path, @json), 404, 'resource_missing', undef,
    'what is over is not withdrawn';
  ok is_known('kept'), 'the person stays';
  ok eval { $service->verifyctl(qw(audit verify --org), $shop->{id}); 1 }, 'the chain holds';
};

finish $service;
