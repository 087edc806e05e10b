# Retrieving, cancelling and listing sessions; states; the snapshot in events.
use v5.32;
use warnings;
use utf8;
use Verify::Conformance;
use Verify::Specimen;

my $service = Verify::Instance->start(conf => "VerifyTestIssuers on\n");
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $other = $service->organization(sandbox => 1, workflow => 1);
my $client = $organization->{client};
my $sessions = '/v1/verification_sessions';
my $unknown = 'vks_00000000000000000000000000';

sub create {
  my ($who, %more) = @_;
  return answer_is($who->{client}->post($sessions, {type => 'age',
        workflow_id => $who->{workflow_id}, jurisdiction => 'US-CA', %more}), 201,
    'created');
}
sub events_of {
  my ($session, $type) = @_;
  return grep { !$type || $_->{type} eq $type }
    @{$client->get("/v1/events?limit=100&object_id=$session->{id}")->json->{data}};
}

my %session = (id => qr/\Avks_[0-9a-z]+\z/, object => ['verification_session'],
  status => ['created'], type => ['age'], methods => 'strings',
  current_method => 'string|null', client_reference_id => 'string|null',
  return_url => 'string|null', cancel_url => 'string|null',
  client_secret => 'null', metadata => 'object', expires_at => $seconds,
  completed_at => 'null', cancelled_at => 'null', created => $seconds,
  updated => $seconds, verification_path => 'null', active_device => 'null',
  device_locked_at => 'null', age_tier => 'string|null',
  jurisdiction => 'string', jurisdiction_audit_declared => 'string|null',
  jurisdiction_audit_ip_derived => 'string|null',
  jurisdiction_audit_resolved => 'string', jurisdiction_audit_source => 'string',
  jurisdiction_audit_mismatch => 'boolean|null',
  physical_check_required => 'boolean', user_message => 'string|null',
  compliance => 'object|null', requires_email_otp => 'boolean');

subtest 'GET /v1/verification_sessions/:id returns the session object' => sub {
  my $session = create($organization, client_reference_id => 'order-1',
    metadata => {a => 'b'}, custom_user_message => 'Hello');
  my $path = "$sessions/$session->{id}";
  my $found = answer_is($client->get($path), 200);
  shape_is($found, \%session, 'client_secret null, no results');
  delete $session->{url};  # the page with the secret, shown once
  is_deeply {%$found, client_secret => 1}, {%$session, client_secret => 1},
    'else as it was created';
  error_is($client->get("$sessions/$unknown"), 404, 'session_not_found', undef,
    'when the session does not exist');
  error_is($other->{client}->get($path), 404, 'session_not_found', undef,
    'for the organization');
  error_is($client->get("$path?verbose=1"), 400, 'parameter_invalid', 'verbose',
    'an unknown query parameter');
  is $client->get($path, 'X-Service-Session-Secret' => 'anything')->status, 200,
    'secret-key requests need not send that header';
};

subtest 'expand[]: a session retrieve supports results and document' => sub {
  my $path = "$sessions/" . create($organization)->{id};
  my $results = answer_is($client->get("$path?expand[]=results"), 200);
  is kind($results->{results}), 'array', 'results is an array';
  is answer_is($client->get("$path?expand%5B%5D=results"), 200)->{results} &&
    1, 1, 'with escaped brackets';
  my $both = answer_is($client->get("$path?expand[]=results&expand[]=document"), 200);
  ok exists $both->{results} && exists $both->{document}, 'both';
  error_is($client->get("$path?$_"), 400, 'parameter_invalid',
    $_ =~ /\[\]/ ? 'expand[0]' : 'expand', "?$_ is refused")
    for 'expand[]=secrets', 'expand[]=Results', 'expand[]=', 'expand=results';
  error_is($client->get("$path?expand[]=results&expand[]=x"), 400,
    'parameter_invalid', 'expand[1]', 'param is the path of the parameter');
};

subtest 'cancel' => sub {
  my $session = create($organization);
  my $path = "$sessions/$session->{id}/cancel";
  my $first = answer_is($client->post($path), 200, 'no body');
  is $first->{status}, 'cancelled', 'returns the session with status cancelled';
  like $first->{cancelled_at}, $seconds, 'cancelled_at set';
  is $first->{client_secret}, undef, 'without the secret';
  is_deeply answer_is($client->post($path, {}), 200), $first,
    'already cancelled: 200 with the session unchanged';
  is events_of($session, 'verification_session.cancelled'), 1, 'exactly one event';
  error_is($client->post($path, {reason => 'x'}), 400, 'parameter_invalid',
    'reason', 'an unknown parameter');
  error_is($client->post("$sessions/$unknown/cancel"), 404, 'session_not_found',
    undef, 'unknown');
  error_is($other->{client}->post($path), 404, 'session_not_found', undef,
    'of another organization');
  my $verified = create($organization, skip_verification => $true);
  my $before = $client->get("$sessions/$verified->{id}")->body;
  error_is($client->post("$sessions/$verified->{id}/cancel"), 409,
    'session_terminal', undef, 'a verified session');
  is $client->get("$sessions/$verified->{id}")->body, $before, 'is unchanged';
};

subtest 'open statuses; expiry passes; the person cancels' => sub {
  my $session = create($organization);
  my $person = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}";
  answer_is($person->post("$path/open", {}), 200);
  is $client->get("$sessions/$session->{id}")->json->{status}, 'pending',
    'user has opened the verification UI';
  is events_of($session), 1, 'without an event';
  answer_is($client->post("$sessions/$session->{id}/cancel"), 200, 'open: cancelled');

  my $late = create($organization);
  $service->sql('UPDATE verification_session SET expires_at = created_at + 1
    WHERE id = ?', $late->{id});
  my $gone = wait_for {
    my $found = $client->get("$sessions/$late->{id}")->json;
    $found->{status} eq 'expired' && $found;
  };
  is $gone->{status}, 'expired', 'the configured expiry passed before completion';
  is events_of($late, 'verification_session.expired'), 1, 'one event';
  error_is($client->post("$sessions/$late->{id}/cancel"), 409, 'session_terminal',
    undef, 'cancel of an expired session');

  my $left = create($organization);
  $service->client($left->{client_secret})
    ->post("/v1/widget/sessions/$left->{id}/cancel", {});
  my $cancelled = $client->get("$sessions/$left->{id}")->json;
  is $cancelled->{status}, 'cancelled', 'cancelled by the user';
  like $cancelled->{cancelled_at}, $seconds, 'cancelled_at';
};

my %snapshot = (id => 'string', object => ['verification_session'],
  status => 'string', type => ['age'], client_reference_id => 'string|null',
  current_method => 'string|null', age_tier => 'string|null',
  jurisdiction => 'string|null', jurisdiction_audit_declared => 'string|null',
  jurisdiction_audit_ip_derived => 'string|null',
  jurisdiction_audit_resolved => 'string|null',
  jurisdiction_audit_source => 'string|null',
  jurisdiction_audit_mismatch => 'boolean|null',
  verification_path => 'string|null', workflow_version_id => 'string',
  livemode => 'boolean', completed_at => 'integer|null', created => $seconds,
  verification_result => 'object|null', last_error => 'object|null');

subtest 'a real verification, and what its events show' => sub {
  my $session = create($organization, client_reference_id => 'order-2',
    metadata => {secret => 'of-the-shop'});
  is show_specimen($service, $session)->{status}, 'verified', 'verified';
  my $found = $client->get(
    "$sessions/$session->{id}?expand[]=results&expand[]=document")->json;
  shape_is($found, {%session, status => ['verified'], completed_at => $seconds,
      verification_path => [undef], results => 'array', document => 'object',
      consent => 'object'}, 'every field and no other, but the consent beside');
  is $found->{age_tier}, 'min_age_18', 'age_tier';
  my ($event) = events_of($session, 'verification_session.verified');
  shape_is($event, {id => qr/\Aevt_/, object => ['event'],
      type => ['verification_session.verified'], created => $seconds,
      data => {object => {%snapshot, status => ['verified'],
          completed_at => $seconds, livemode => [$false],
          verification_result => {method => ['document_capture'],
            assurance => ['decoded'], confidence => 'number', age_verified => [$true],
            age_estimate => 'number|null', identity_verified => [$false],
            liveness_score => 'number|null', face_match_passed => 'boolean|null',
            barcode_cross_ref_match => 'boolean|null'},
          last_error => 'null'}}}, 'the verified event');
  my ($created) = events_of($session, 'verification_session.created');
  shape_is($created->{data}{object}, {%snapshot, status => ['created'],
      verification_result => 'null', last_error => 'null'}, 'the created event');
  is events_of($session), 2, 'no other event';
  my $text = $client->get("/v1/events?object_id=$session->{id}")->body;
  unlike $text, qr/of-the-shop|_secret_|vpt_|MUSTERMANN|SPECIMEN/i,
    'no metadata, secrets, collected data';
};

subtest 'GET /v1/verification_sessions' => sub {
  my $lister = $service->organization(sandbox => 1, workflow => 1);
  my @ids = reverse map { next_millisecond();
    create($lister, client_reference_id => "Ref-$_")->{id} } 1 .. 12;
  my $ask = sub { $lister->{client}->get("$sessions?$_[0]") };
  my $page = answer_is($lister->{client}->get($sessions), 200);
  shape_is($page, {object => ['list'], url => [$sessions], has_more => [$true],
      data => 'array', 'total_count?' => 'integer'}, 'list envelope');
  is_deeply [identities($page)], [@ids[0 .. 9]], 'newest first, default 10';
  shape_is($page->{data}[0], \%session, 'of session objects, client_secret null');
  pages_are($lister->{client}, $sessions, 5, @ids);
  pages_are($lister->{client}, $sessions, 1, @ids);
  is @{$ask->("limit=100")->json->{data}}, 12, 'limit 100';
  error_is($ask->("limit=$_"), 400, 'parameter_invalid', 'limit', "limit=$_")
    for 0, 101, -1, 'ten', '', '1.0', '1e1', '+5', '%205', '05' x 20, '0x5';
  error_is($ask->('limit=5&limit=6'), 400, 'parameter_invalid', 'limit', 'twice');
  error_is($ask->("starting_after=$ids[3]&ending_before=$ids[8]"), 400,
    'parameter_invalid', $ask->("starting_after=$ids[3]&ending_before=$ids[8]")
      ->error->{param}, 'both cursors');
  for my $cursor (qw(starting_after ending_before)) {
    my $foreign = create($other)->{id};
    my @answers = map { $ask->("$cursor=$_") } $unknown, $foreign;
    is_deeply [map { $_->status } @answers], [$answers[0]->status,
      $answers[0]->status], "$cursor: of another organization as unknown";
    error_is($ask->("$cursor=$_"), 400, 'parameter_invalid', $cursor,
      "$cursor=$_") for 'evt_00000000000000000000000000', '', 'x', $ids[0] . 'x';
  }
  is_deeply [identities($ask->("ending_before=$ids[11]&limit=3")->json)],
    [@ids[8 .. 10]], 'ending_before: the newer records that precede it';
  is_deeply [identities($ask->("client_reference_id=Ref-3")->json)], [$ids[9]],
    'client_reference_id: exact match';
  is_deeply [identities($ask->("client_reference_id=ref-3")->json)], [],
    'in its case';
  is_deeply [identities($ask->("client_reference_id=Ref-")->json)], [], 'whole';
  is_deeply [identities($ask->("search=rEF-1")->json)], [@ids[0 .. 2, 11]],
    'search: case-insensitive of client reference ids';
  is_deeply [identities($ask->('search=' . uc $ids[4])->json)], [$ids[4]],
    'and of session ids';
  is_deeply [identities($ask->("search=$_")->json)], [], "search=$_ is literal"
    for '%25', '_ef', 'Ref-%25', '%5C', 'Ref.*', 'Ref_1', 'Ref%201';
  is_deeply [identities($ask->('search=' . substr $ids[4], $_->[0], $_->[1])->json)],
    $_->[2] ? [$ids[4]] : [], "characters $_->[0] to " . ($_->[0] + $_->[1])
    . ' of an id' for [0, 30, 1], [0, 28, 1], [4, 26, 1], [4, 24, 1], [14, 16], [14, 12];
  is_deeply [identities($ask->('search=F-1')->json)], [@ids[0 .. 2, 11]],
    'three characters';
  is_deeply [identities($ask->("search=f-$_")->json)], [$ids[12 - $_]],
    'from the middle' for 10, 12;
  is_deeply [identities($ask->("search=$_")->json)], [], "$_ is no beginning"
    for '-9', '-', 'ef';
  is_deeply [identities($ask->("search=$_")->json)], [@ids[0 .. 9]],
    "$_ is the beginning of all" for 'r', 'Re', 'vks', substr $ids[0], 4, 1;
  pages_are($lister->{client}, "$sessions?search=$_", 5, @ids) for 'r', 'EF-', 'v';
  $lister->{client}->post("$sessions/$ids[2]/cancel");
  is_deeply [identities($ask->('status=cancelled')->json)], [$ids[2]], 'status';
  is @{$ask->('status=created&limit=100')->json->{data}}, 11, 'the others';
  answer_is($ask->("status=$_"), 200, $_) for qw(created pending processing
    requires_input under_review verified failed cancelled expired);
  error_is($ask->("status=$_"), 400, 'parameter_invalid', 'status', "status=$_")
    for 'open', 'CREATED', '';
  answer_is($ask->("risk_tier=$_"), 200, $_) for qw(clear review block bot);
  error_is($ask->("risk_tier=$_"), 400, 'parameter_invalid', 'risk_tier',
    "risk_tier=$_") for 'low', 'Clear', '';
  error_is($ask->("$_=1"), 400, 'parameter_invalid', $_, "unknown $_")
    for qw(offset page created expand client_secret);
  is_deeply [identities($ask->("status=cancelled&client_reference_id=Ref-10"
    . '&search=ref')->json)], [$ids[2]], 'filters together';
  is $ask->('status=cancelled&limit=1')->json->{has_more}, $false, 'has_more';
  my $umlaut = create($lister, client_reference_id => "\x{c4}rger-\x{d6}l")->{id};
  is_deeply [identities($ask->("search=$_")->json)], [$umlaut], "in any case: $_"
    for '%C3%A4RGER', '%C3%84', '%C3%A4r', 'r-%C3%B6l', 'R-%C3%96';
  my $front = create($lister, client_reference_id => 'f-0')->{id};
  is_deeply [identities($ask->('search=f-&limit=100')->json)], [$front],
    'two characters: at the beginning of one, not in the middle of others';
};

finish($service);
