# verifyctl person erase: nothing personal remains, the trail does.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::FullTables qw(fill);
use Verify::Test;

my $service = Verify::Instance->start;
my $shop = $service->organization(sandbox => 1, workflow => 1);
my $yes = JSON::PP::true;
my ($email, $phone) = ('erased@example.com', '+15550109988');

sub create_by_key {
  my ($key, @parameters) = @_;
  return $shop->{client}->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $shop->{workflow_id}, jurisdiction => 'US-CA', @parameters},
    'Idempotency-Key' => $key);
}
sub create { create_by_key(undef, @_) }
sub lookup { answer_is($shop->{client}->post('/v1/verified_person/lookup', {@_}), 200) }

my %personal = (client_reference_id => 'CUSTOMER-4711', metadata => {name => 'SPECIMEN'},
  return_url => 'https://shop.example/SPECIMEN', custom_user_message => 'Hello SPECIMEN');
my @verified = ('verified', skip_verification => $yes, email => $email,
  phone => $phone, %personal);
my @unverified = ('unverified', email => $email, %personal);
my $session = answer_is(create_by_key(@verified), 201);
my $failed = answer_is(create_by_key(@unverified), 201);
my @cancel = ("/v1/verification_sessions/$failed->{id}/cancel", {},
  'Idempotency-Key' => 'cancel');
answer_is($shop->{client}->post(@cancel), 200);
answer_is(create_by_key('nobody'), 201);
# Reviewed, with words about the person.
answer_is($shop->{client}->post("/v1/session_reviews/sessions/$session->{id}/flag",
  {reason => 'SPECIMEN wrote'}), 200);
$service->verifyctl(qw(review decide), $session->{id},
  qw(approve --by reviewer --note SPECIMEN));
my $token = $service->client($session->{client_secret})
  ->get("/v1/widget/sessions/$session->{id}")->json->{vp_token};
# Known by an address of their own first: then that decides who they are.
answer_is(create(skip_verification => $yes, email => 'neighbour@example.com'), 201);
my $neighbour = answer_is(create(skip_verification => $yes,
    email => 'neighbour@example.com', phone => $phone, %personal), 201);
my $person = lookup(email => $email)->{verified_person_id};
# Answers that show somebody, whatever the route.
my $endpoint = answer_is($shop->{client}->post('/v1/webhook_endpoints',
  {url => 'https://127.0.0.1:9/', enabled_events => ['*']}), 201);
my $open = answer_is(create(email => $email, %personal), 201);
my $deliveries = "/v1/webhook_endpoints/$endpoint->{id}/deliveries";
my $delivery = wait_for { $shop->{client}->get($deliveries)->json->{data}[0] };
my @answers = (["/v1/verification_sessions/$open->{id}/test_outcome",
    {value => 'document_unreadable'}],
  ["$deliveries/$delivery->{id}/retry", {}],
  ['/v1/verified_person/lookup', {email => $email}],
  ['/v1/risk/score', {email => $email, ip => '8.8.8.8'}],
  ['/v1/risk/score', {device_id => 'SPECIMEN', session_id => $open->{id}}]);
sub ask_again { my ($number) = @_;
  return $shop->{client}->post(@{$answers[$number]}, 'Idempotency-Key' => "ask $number") }
answer_is(ask_again($_), 200, "$answers[$_][0]: is answered") for 0 .. $#answers;
# Assessed by the address alone, for the session that failed, and of a neighbour.
sub score { answer_is($shop->{client}->post('/v1/risk/score', {@_}), 200)->{id} }
my @assessments = (score(email => $email, ip => '8.8.8.8'),
  score(device_id => 'SPECIMEN', session_id => $failed->{id}));
my $kept = score(email => 'neighbour@example.com', ip => '8.8.8.8');
my $digest = $service->sql_value(q{SELECT encode(digest, 'hex') FROM person_identifier
  WHERE kind = 'email' AND verified_person_id = ?}, $person);
ok $digest, 'the person is known';

# It waits for a shadow, into whose list it would come. The shadow ends later, so that the
# watchdog, which cleans up once an hour, leaves those that wait.
fill($service->connect_database, 'workflow_replay', $shop->{id}, 1, 1, id => q{'sim_waiting'},
  ended_at => (time + 3600) * 1000);
$service->sql('INSERT INTO workflow_shadow_session VALUES (?, ?, ?, ?)', $shop->{id},
  'sim_waiting', $_->{id}, 'verified') for $session, $neighbour;

# Whose page the secrets led to is known, also that of a link for a phone.
sub brand_of { $service->client('')->post('/v1/widget/brand', {secret => $_[0]},
  Authorization => undef)->status }
my $link = answer_is($service->client($open->{client_secret})
  ->post("/v1/widget/sessions/$open->{id}/handoff", {}), 200)->{url} =~ s/.*#//r;
my @led = ($link, map { $_->{client_secret} } $session, $failed);
is_deeply [map { brand_of($_) } @led, $neighbour->{client_secret}], [(200) x 4],
  'links have the looks of the shop';

my $erased = $service->verifyctl(qw(person erase), $person);
is_deeply [map { brand_of($_) } @led], [(401) x 3], 'and then they have not';
is brand_of($_->{client_secret}), 200, 'those of others and what is open still have'
  for $neighbour, $open;
is_deeply $service->sql('SELECT session_id FROM workflow_shadow_session'),
  [{session_id => $neighbour->{id}}], 'no shadow looks at what was erased';
is $erased->{id}, $person, 'what was erased is printed';
is $erased->{organization_id}, $shop->{id}, 'whose it was';
like $erased->{erased_at}, qr/\A\d{10}\z/, 'when';
is $erased->{erased}{identifiers}, 2, 'identifiers';
is $erased->{erased}{credentials}, 1, 'credentials';
is $erased->{erased}{tokens}, 1, 'tokens';
is $erased->{erased}{sessions}, 3, 'sessions, also those that were not verified';
is $erased->{erased}{risk_assessments}, 4, 'risk assessments';
is $erased->{erased}{events}, 7, 'their events';

ok !lookup(email => $email)->{verified}, 'the lookup finds nobody';
error_is(create(vp_token => $token), 400, 'vp_token_invalid', undef, 'the token is gone');
error_is(create(accept_existing => $yes, email => $email), 400, 'no_matching_vp', undef,
  'nothing is left to reuse');
$service->sql('DELETE FROM reuse_attempt');

subtest 'no answer shows it again' => sub {
  is $service->sql_value('SELECT count(*) FROM idempotency_record'), 1,
    'only the record of somebody else is left';
  for my $key ($verified[0], $unverified[0]) {
    my $again = create_by_key($key);
    answer_is($again, 201, "$key: the key is new");
    is $again->header('Idempotent-Replayed'), undef, '... and nothing is replayed';
  }
  is $shop->{client}->post(@cancel)->header('Idempotent-Replayed'), undef,
    'nor is the answer to a change';
  is ask_again($_)->header('Idempotent-Replayed'), undef, "$answers[$_][0]: nor are others"
    for 0 .. 2; # the others would be assessed anew
  is create_by_key('nobody')->header('Idempotent-Replayed'), 'true',
    'those of others are as they were';
};

subtest 'nothing personal remains in any table' => sub {
  my $handle = $service->connect_database;
  my $tables = $handle->selectcol_arrayref(q{SELECT table_name FROM
    information_schema.tables WHERE table_schema = 'public'
      AND table_type = 'BASE TABLE'});
  my $mine = join ',', map { $handle->quote($_->{id}) } $session, $failed, $open;
  for my $table (@$tables) {
    my $found = $handle->selectcol_arrayref(
      qq{SELECT t::text FROM "$table" t WHERE t::text LIKE ?}, {}, "%$digest%");
    is @$found, 0, "$table has no digest of the address";
  }
  my $rows = $handle->selectcol_arrayref(
    "SELECT s::text FROM verification_session s WHERE id IN ($mine)");
  unlike $_, qr/SPECIMEN|CUSTOMER-4711/, 'a session says nothing of the person' for @$rows;
  my $reviews = $service->verifyctl(qw(review show), $session->{id})->{entries};
  is_deeply [map { [@$_{qw(action note)}] } @$reviews],
    [['flagged', undef], ['approved', undef]], 'of its review the words are gone';
  my $bodies = $handle->selectcol_arrayref(
    "SELECT body FROM event WHERE object_id IN ($mine)");
  unlike $_, qr/SPECIMEN|CUSTOMER-4711/, 'nor does an event' for @$bodies;
  my $event = JSON::PP->new->decode($bodies->[0]);
  ok exists $event->{data}{object}{client_reference_id}
    && !defined $event->{data}{object}{client_reference_id}, 'its shape is kept';
};

subtest 'the trail remains' => sub {
  my $seen = answer_is($shop->{client}->get("/v1/verification_sessions/$session->{id}"),
    200);
  is $seen->{status}, 'verified', 'the session';
  is $seen->{completed_at}, $session->{completed_at}, 'its times';
  is_deeply $seen->{metadata}, {}, 'without what was attached';
  my ($record) = @{$service->sql('SELECT * FROM person_erasure')};
  is $record->{verified_person_id}, $person, 'a record of the erasure';
};

subtest 'nobody else is touched' => sub {
  error_is($shop->{client}->get("/v1/risk/$_"), 404, 'resource_missing', undef,
    'an assessment is gone') for @assessments;
  answer_is($shop->{client}->get("/v1/risk/$kept"), 200, q{the neighbour's is not});
  is $service->sql_value('SELECT count(*) FROM risk_observation
    WHERE assessment_id = ANY (?)', \@assessments), 0, 'with what was counted for them';
  is $service->sql_value('SELECT count(*) FROM risk_observation
    WHERE assessment_id = ?', $kept), 1, 'which the neighbour keeps';
  my $other = lookup(email => 'neighbour@example.com');
  ok $other->{verified}, 'who shared the phone number is still known';
  is answer_is($shop->{client}->get("/v1/verification_sessions/$neighbour->{id}"),
    200)->{client_reference_id}, 'CUSTOMER-4711', 'with all that is attached';
};

subtest 'again, and wrong' => sub {
  my $again = $service->verifyctl(qw(person erase), $person);
  is $again->{erased}{$_}, 0, "no more $_" for qw(identifiers credentials sessions);
  for my $id ('vp_00000000000000000000000000', 'vp_1', $session->{id}) {
    eval { $service->verifyctl(qw(person erase), $id) };
    like $@, qr/resource_missing|No such/, "$id is refused";
  }
};

my $back = answer_is(create(skip_verification => $yes, email => $email), 201);
isnt lookup(email => $email)->{verified_person_id}, $person,
  'who comes back is a new person';

subtest 'two people, where the organization wants them' => sub {
  my $other = answer_is(create(skip_verification => $yes, email => 'four@example.com'), 201);
  my $person = lookup(email => 'four@example.com')->{verified_person_id};
  my $entries = sub { $service->sql_value(
    q{SELECT count(*) FROM operator_action WHERE entry::text LIKE '%person erase%'}) };
  is_deeply $service->verifyctl(qw(org four-eyes), $shop->{id}, qw(--erase on))->{erase}, $yes,
    'the switch';
  is_deeply $service->verifyctl(qw(org show), $shop->{id})->{four_eyes},
    {publish => JSON::PP::false, reject => JSON::PP::false, erase => $yes}, 'is seen';
  my $before = $entries->();
  my $asked = $service->verifyctl(qw(person erase), $person);
  is $asked->{object}, 'person_erasure_request', 'the first only asks';
  is $asked->{organization_id}, $shop->{id}, 'of whose';
  ok lookup(email => 'four@example.com')->{verified}, 'the person is still there';
  my $shown = $service->verifyctl(qw(person show), $person)->{erasure_request};
  is_deeply [@$shown{qw(requested_by expires_at)}], [@$asked{qw(requested_by expires_at)}],
    'who has asked is shown';
  is $shown->{expires_at} - $shown->{created}, 7 * 86400, 'and until when to confirm it';
  is $entries->(), $before + 1, 'asking is recorded';

  ok !eval { $service->verifyctl(qw(person erase), $person) }, 'the same one does not erase';
  like $@, qr/Another person must confirm it/, '... and is told why';
  # Another spelling of one login: a directory would take it.
  $service->sql('UPDATE erasure_request SET requested_by = upper(requested_by)');
  ok !eval { $service->verifyctl(qw(person erase), $person) }, 'nor by another case of the name';
  ok lookup(email => 'four@example.com')->{verified}, 'the person is still there';
  is $entries->(), $before + 1, 'what is refused is not recorded';

  my $week = 7 * 86400 * 1_000_000;
  $service->sql("UPDATE erasure_request SET created_at = created_at - $week,"
    . " requested_by = 'somebody-else'");
  is $service->verifyctl(qw(person show), $person)->{erasure_request}, undef,
    'a request ends after seven days';
  is $service->verifyctl(qw(person erase), $person)->{object}, 'person_erasure_request',
    '... and confirms nothing: this one asks anew';
  is $service->sql_value('SELECT requested_by FROM erasure_request'), $asked->{requested_by},
    'in the place of the other';

  $service->sql("UPDATE erasure_request SET requested_by = 'somebody-else'");
  my $erased = $service->verifyctl(qw(person erase), $person);
  is $erased->{object}, 'person_erasure', 'another one confirms';
  is $erased->{erased}{sessions}, 1, 'and the person is erased';
  ok !lookup(email => 'four@example.com')->{verified}, 'nobody is found';
  is $service->sql_value('SELECT count(*) FROM erasure_request'), 0, 'the request is used up';
  is $entries->(), $before + 3, 'recorded as well';

  answer_is(create(skip_verification => $yes, email => 'alone@example.com'), 201);
  my $alone = lookup(email => 'alone@example.com')->{verified_person_id};
  $service->verifyctl(qw(org four-eyes), $shop->{id}, qw(--erase off));
  is $service->verifyctl(qw(person erase), $alone)->{object}, 'person_erasure',
    'without the switch one is enough';
};

finish($service);
