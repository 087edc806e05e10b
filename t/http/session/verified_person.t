# POST /v1/verified_person/lookup: who of an organization's users is verified.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Queries qw(query_text);
use Verify::Test;

my $service = Verify::Instance->start;
my $shop = $service->organization(sandbox => 1, workflow => 1);
my $other = $service->organization(sandbox => 1, workflow => 1);

sub verify {
  my ($organization, %who) = @_;
  my $session = answer_is($organization->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $organization->{workflow_id},
      jurisdiction => 'US-CA', skip_verification => JSON::PP::true, %who}), 201);
  return $session->{id};
}
sub lookup { $shop->{client}->post('/v1/verified_person/lookup', {@_}) }

my %nobody = (object => 'verified_person_lookup', verified => JSON::PP::false,
  verified_person_id => undef, credentials => []);
sub unknown_ok {
  my ($name, @parameters) = @_;
  is_deeply answer_is(lookup(@parameters), 200), \%nobody, $name;
}
sub known_ok {
  my ($name, @parameters) = @_;
  my $found = answer_is(lookup(@parameters), 200);
  ok $found->{verified} && @{$found->{credentials}}, $name;
  return $found;
}

my $email = 'specimen@example.com';
my $phone = '+15550109988';
unknown_ok('nobody is known at first', email => $email);
my $session = verify($shop, email => $email);

subtest 'a verified person' => sub {
  my $found = answer_is(lookup(email => $email), 200);
  is_deeply [sort keys %$found],
    [qw(credentials object verified verified_person_id)], 'the fields';
  is $found->{object}, 'verified_person_lookup', 'object';
  is $found->{verified}, JSON::PP::true, 'verified';
  like $found->{verified_person_id}, qr/\Avp_[0-9a-z]{26}\z/, 'the id';
  my ($credential, @more) = @{$found->{credentials}};
  is @more, 0, 'one credential';
  is_deeply [sort keys %$credential], [qw(expires_at method strength verified_at)],
    'its fields';
  is $credential->{method}, 'DOCUMENT_CAPTURE', 'method in upper case';
  is $credential->{strength}, 'DOCUMENT_CAPTURE', 'strength in upper case';
  like $credential->{$_}, qr/\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\z/,
    "$_ in ISO 8601 with milliseconds" for qw(verified_at expires_at);
  ok $credential->{verified_at} lt $credential->{expires_at}, 'in order';
};

subtest 'who is meant' => sub {
  known_ok('the spelling of an address does not matter',
    email => ' Specimen@EXAMPLE.com ');
  unknown_ok('another address', email => 'other@example.com');
  unknown_ok('a phone that nobody gave', phone => $phone);
  known_ok('the address decides', email => $email, phone => $phone);
  my $id = verify($shop, email => 'both@example.com', phone => $phone);
  my $by_phone = known_ok('by phone', phone => '+1 (555) 010-9988');
  is $by_phone->{verified_person_id},
    answer_is(lookup(email => 'both@example.com'), 200)->{verified_person_id},
    'the same person by both';
  known_ok('by phone when the address is unknown',
    email => 'new@example.com', phone => $phone);
};

subtest 'methods, strength and age' => sub {
  known_ok('the method', email => $email, methods => ['document_capture']);
  known_ok('no method', email => $email, methods => []);
  unknown_ok('ALL methods are needed', email => $email,
    methods => ['document_capture', 'mdl']);
  known_ok("at $_", email => $email, min_strength => $_)
    for qw(self_attestation facial_age carrier_lookup open_banking
      document_capture selfie_match selfie_liveness student parental_consent);
  unknown_ok("not at $_", email => $email, min_strength => $_)
    for qw(mdl mid eudi_pid);
  known_ok('fresh enough', email => $email, max_age => '1');
  $service->sql('UPDATE credential SET verified_at = verified_at - 864000000
    WHERE session_id = ?', $session);
  unknown_ok('verified ten days ago is not within 9', email => $email, max_age => '9');
  known_ok('but within 11', email => $email, max_age => '11');
};

subtest 'methods may come from several credentials' => sub {
  my $second = verify($shop, email => $email);
  is @{answer_is(lookup(email => $email), 200)->{credentials}}, 2, 'two';
  $service->sql("UPDATE credential SET method = 'mdl', strength = 'mdl',
    methods = '{mdl}' WHERE session_id = ?", $second);
  my $found = known_ok('both together', email => $email,
    methods => ['mdl', 'document_capture']);
  is_deeply [map { $_->{method} } @{$found->{credentials}}],
    [qw(MDL DOCUMENT_CAPTURE)], 'newest first';
  $found = known_ok('strength picks', email => $email, min_strength => 'mdl');
  is_deeply [map { $_->{method} } @{$found->{credentials}}], ['MDL'], 'the strong one';
  unknown_ok('a method of a credential that is too weak', email => $email,
    min_strength => 'mdl', methods => ['document_capture']);
  $service->sql('DELETE FROM credential WHERE session_id = ?', $second);
};

subtest 'what never matches' => sub {
  my ($old) = map { $_->{expires_at} } @{$service->sql(
    'SELECT expires_at FROM credential WHERE session_id = ?', $session)};
  my $set = sub { $service->sql("UPDATE credential SET $_[0] WHERE session_id = ?",
    $session) };
  $set->('expires_at = 1');
  unknown_ok('an expired credential', email => $email);
  $set->("expires_at = $old, revoked_at = 1");
  unknown_ok('a revoked credential', email => $email);
  $set->('revoked_at = NULL');
  $service->sql("UPDATE verification_session SET status = 'under_review'
    WHERE id = ?", $session);
  unknown_ok('a session that is held for review', email => $email);
  $service->sql("UPDATE verification_session SET status = 'verified'
    WHERE id = ?", $session);
  known_ok('and again when it is not', email => $email);
  is_deeply $other->{client}->post('/v1/verified_person/lookup',
    {email => $email})->json, \%nobody, "another organization's user";
};

subtest 'an application sees the persons of its organization' => sub {
  my $app = $service->verifyctl(qw(app create --org), $shop->{id}, qw(--name Shop));
  my $client = $service->client(
    $service->key($shop->{id}, 'secret', '--app', $app->{id}));
  ok $client->post('/v1/verified_person/lookup', {email => $email})->json->{verified},
    'verified';
};

subtest 'faults' => sub {
  error_is(lookup(), 400, 'parameter_invalid', 'email');
  error_is(lookup(methods => ['mdl']), 400, 'parameter_invalid', 'email');
  error_is(lookup(email => $email, @{$_->[0]}), 400, 'parameter_invalid', $_->[1])
    for [[methods => 'mdl'], 'methods'], [[methods => ['mdl', 'magic']], 'methods[1]'],
    [[methods => ['MDL']], 'methods[0]'], [[min_strength => 'iron'], 'min_strength'],
    [[min_strength => 'MDL'], 'min_strength'], [[max_age => '30d'], 'max_age'],
    [[max_age => 30], 'max_age'], [[max_age => '0'], 'max_age'],
    [[max_age => '3651'], 'max_age'], [[max_age => ''], 'max_age'],
    [[min_strenght => 'mdl'], 'min_strenght'], [[phone => '030 123'], 'phone'],
    [[email => 'nobody'], 'email'], [[email => undef], 'email'];
  my $publishable = $service->client($service->key($shop->{id}, 'publishable'));
  error_is($publishable->post('/v1/verified_person/lookup', {email => $email}), 403,
    'publishable_key_scope');
  error_is($service->client->post('/v1/verified_person/lookup', {email => $email}),
    401, 'api_key_invalid');
};

subtest 'the plan uses indexes' => sub {
  my $handle = $service->connect_database;
  $handle->do('SET enable_seqscan = off');
  my $text = query_text('verified_person/find_by_identifier');
  $handle->do("PREPARE looked AS $text", {pg_direct => 1});
  my $plan = join "\n", map { $_->[0] } @{$handle->selectall_arrayref(
    q{EXPLAIN EXECUTE looked ('org_a', 1, '\x00', '\x01', 100)})};
  unlike $plan, qr/Seq Scan|Sort/, 'no table is read whole' or diag $plan;
};

finish($service);
