# "Verification session", field by field: values that depend on the workflow,
# on the place of the request, on the law, on the person; and who is shown what.
use v5.32;
use warnings;
use Verify::Conformance;
use Verify::Specimen;

my $service = Verify::Instance->start(conf => "VerifyGeoHeaders X-Country X-Region\n");
my $organization = $service->organization(sandbox => 1);
my $client = $organization->{client};
my $sessions = '/v1/verification_sessions';

sub publish {
  my (%settings) = @_;
  return $service->publish($organization->{id}, {name => 'Fields', start => 'id',
    nodes => {
      id => {type => 'methods', methods => ['document_capture'], max_attempts => 1,
        next => {passed => 'yes', exhausted => 'no'}},
      yes => {type => 'outcome', status => 'verified'},
      no => {type => 'outcome', status => 'failed'},
      @{delete $settings{nodes} // []}}, %settings})->{id};
}
my $plain = publish();

# A body of { ... }, and the headers of the request.
sub ask {
  my ($body, %headers) = @_;
  return $client->post($sessions, {type => 'age', workflow_id => $plain,
      %$body}, %headers);
}
sub create { return answer_is(ask(@_), 201, 'created') }
sub retrieve {
  return answer_is($client->get("$sessions/$_[0]{id}" . ($_[1] // '')), 200,
    'retrieved');
}
sub snapshots {
  return map { $_->{data}{object} } @{$client->get(
    "/v1/events?limit=100&object_id=$_[0]{id}")->json->{data}};
}
sub years_ago {
  my ($years, $days) = @_;
  my @day = gmtime(time - 86400 * ($days // 0));
  return sprintf '%04d-%02d-%02d', $day[5] + 1900 - $years, $day[4] + 1, $day[3];
}

subtest 'type, methods, current_method' => sub {
  is create({type => $_, jurisdiction => 'US'})->{type}, $_, "type $_"
    for qw(identity age student);
  my $checked = publish(start => 'screen', nodes => [screen => {type => 'checks',
    checks => [qw(ip_analysis device_risk geolocation)],
    next => {low => 'id', medium => 'id', high => 'no'}}]);
  my $session = create({workflow_id => $checked, jurisdiction => 'US'});
  is_deeply $session->{methods},
    [qw(ip_analysis device_risk geolocation document_capture)],
    'passive checks appear in methods';
  is $session->{current_method}, undef, 'null when none is active';
  $service->client($session->{client_secret})->post(
    "/v1/widget/sessions/$session->{id}/open", {});
  is retrieve($session)->{current_method}, 'document_capture',
    'the method that the user is working through';
};

my @places = qw(jurisdiction jurisdiction_audit_declared
  jurisdiction_audit_ip_derived jurisdiction_audit_resolved
  jurisdiction_audit_source jurisdiction_audit_mismatch);
subtest 'jurisdiction and its audit' => sub {
  my $german = publish(jurisdictions => ['DE']);
  my @cases = ( # parameters, headers, the six fields
    ['US-CA', [], 'US-CA', 'US-CA', undef, 'US-CA', 'explicit', undef],
    ['US-CA', ['DE'], 'US-CA', 'US-CA', 'DE', 'US-CA', 'explicit', $true],
    ['US-CA', ['US', 'CA'], 'US-CA', 'US-CA', 'US-CA', 'US-CA', 'explicit', $false],
    ['US-CA', ['US', 'MD'], 'US-CA', 'US-CA', 'US-MD', 'US-CA', 'explicit', $true],
    ['US', ['US', 'MD'], 'US', 'US', 'US-MD', 'US', 'explicit', $false],
    [undef, ['US', 'MD'], 'US-MD', undef, 'US-MD', 'US-MD', 'geo_header', undef],
    [undef, [], 'DE', undef, undef, 'DE', 'workflow', undef, $german],
    [undef, ['DE', 'BY'], 'DE-BY', undef, 'DE-BY', 'DE-BY', 'geo_header', undef,
      $german]);
  for my $case (@cases) {
    my ($declared, $place, @wanted) = @$case;
    my $workflow = @wanted > 6 ? pop @wanted : $plain;
    my %headers;
    @headers{qw(X-Country X-Region)} = @$place if @$place;
    my $session = create({workflow_id => $workflow,
      $declared ? (jurisdiction => $declared) : ()}, %headers);
    is_deeply [@$session{@places}], \@wanted, join ' ', $declared // 'none',
      'from', @$place;
    is_deeply [@{retrieve($session)}{@places}], \@wanted, 'as retrieved';
    is_deeply [@{(snapshots($session))[0]}{@places}], \@wanted, 'as announced';
  }
};

subtest 'delivery_jurisdiction' => sub {
  my @cases = ( # delivery, place; ip_jurisdiction, jurisdiction_mismatch
    ['US-NY', ['DE'], 'DE', $true], ['DE', ['DE'], 'DE', $false],
    ['US', ['US', 'NY'], 'US-NY', $false], ['US-NY', ['US'], 'US', $false],
    ['US-NY', ['US', 'CA'], 'US-CA', $true], ['US-NY', [], undef, $false]);
  for my $case (@cases) {
    my ($delivery, $place, @wanted) = @$case;
    my %headers;
    @headers{qw(X-Country X-Region)} = @$place if @$place;
    my $session = create({jurisdiction => 'US', delivery_jurisdiction => $delivery},
      %headers);
    is_deeply [@$session{qw(ip_jurisdiction jurisdiction_mismatch)}], \@wanted,
      "$delivery from @$place";
    is $session->{jurisdiction}, 'US', 'decides nothing else';
    for my $other (retrieve($session),
      $client->get("$sessions?limit=1")->json->{data}[0],
      $client->post("$sessions/$session->{id}/cancel")->json) {
      ok !grep({ exists $other->{$_} } qw(ip_jurisdiction jurisdiction_mismatch)),
        'create response only';
    }
  }
};

subtest 'compliance is populated once an age tier is resolved' => sub {
  my $none = create({jurisdiction => 'US'});
  is_deeply [@$none{qw(age_tier compliance user_message physical_check_required)}],
    [undef, undef, undef, $false], 'no tier, no compliance';
  my $own = create({workflow_id => publish(required_age_tier => 'min_age_16'),
    jurisdiction => 'US', custom_user_message => 'Ours.'});
  is $own->{age_tier}, 'min_age_16', 'the tier of the workflow';
  is_deeply [@{$own->{compliance}}{qw(age_tier jurisdiction user_message)}],
    ['min_age_16', 'US', 'Ours.'], 'and its compliance';
  is $own->{user_message}, 'Ours.', 'user_message';
  my $law = create({workflow_id => publish(required_age_tier => 'min_age_16',
    use_case => 'alcohol_delivery'), jurisdiction => 'US-CA'});
  is $law->{age_tier}, 'min_age_21', 'the higher of the two holds';
  is $law->{compliance}{physical_check_required}, $law->{physical_check_required},
    'physical_check_required';
  is $law->{compliance}{user_message}, $law->{user_message}, 'user_message';
  my ($checked) = @{$client->get('/v1/compliance/check?use_cases=alcohol_delivery'
    . '&jurisdiction=US-CA')->json->{results}};
  is_deeply [@{$law->{compliance}}{qw(mdl_acceptance_status governing_regulator
    rule_version)}], [@$checked{qw(mdl_acceptance_status governing_regulator
    rule_version)}], 'the same as GET /v1/compliance/check says';
  is_deeply [@{retrieve($law)}{qw(age_tier compliance)}],
    [@$law{qw(age_tier compliance)}], 'as retrieved';
};

subtest 'requires_email_otp is recomputed on every retrieve' => sub {
  is create({jurisdiction => 'US'})->{requires_email_otp}, $false, 'not required';
  my $session = create({workflow_id => publish(require_email_otp => $true),
    jurisdiction => 'US', email => 'specimen@example.com'});
  is $session->{requires_email_otp}, $true, 'required';
  is retrieve($session)->{requires_email_otp}, $true, 'still';
  $service->sql(q{UPDATE verification_session SET runner = (runner::jsonb
    || '{"email_otp_proven": true}')::json WHERE id = ?}, $session->{id});
  is retrieve($session)->{requires_email_otp}, $false, 'until it was brought';
};

subtest 'who is shown what' => sub {
  my $session = create({jurisdiction => 'US'});
  show_specimen($service, $session);
  my $held = $client->post("/v1/session_reviews/sessions/$session->{id}/flag")->json;
  my $listed = $client->get("$sessions?limit=1")->json->{data}[0];
  my $found = retrieve($session);
  is_deeply $_, $found, 'the same object by every route' for $held, $listed;
  ok !grep({ exists $found->{$_} } qw(results document)), 'nothing expanded';
  my $full = retrieve($session, '?expand[]=results&expand[]=document');
  is_deeply {%$full, results => 1, document => 1, consent => 1}, {%$found,
    results => 1, document => 1, consent => 1},
    'expanded: results, document and the text of the consent besides';
  is_deeply [sort grep { /result|document/ } keys %{retrieve($session,
    '?expand[]=document')}], ['document'], 'only what is asked for';
  my $skipped = create({jurisdiction => 'US', skip_verification => $true});
  shape_is($skipped, {client_secret => 'string', status => ['verified'],
    verification_path => ['sandbox'],
    map { my $name = $_; ($name => sub { kind($_[0]) eq kind($found->{$name}) }) }
    grep { !/client_secret|status|verification_path/ } keys %$found},
    'a skipped session has the same shape as a real verified one');
};

# A fresh verification is decided on the exact age, a reuse on the tier or on
# the age that the credential knows: the legal age in Japan is 20.
subtest 'ages that are no tier' => sub {
  my $sake = publish(use_case => 'alcohol_in_person');
  my $verify = sub {
    my ($born, %more) = @_;
    my $session = create({workflow_id => $sake, jurisdiction => 'JP', %more});
    is $session->{age_tier}, 'min_age_21', 'the smallest tier not below 20';
    return show_specimen($service, $session, photograph =>
      Verify::Specimen::photograph('--born', $born))->{status};
  };
  is $verify->(years_ago(20, 2), email => 'twenty@example.com'), 'verified',
    'twenty years and two days';
  is $verify->(years_ago(20, -3)), 'failed', 'twenty years in three days';
  my $reuse = sub {
    my $answer = ask({workflow_id => $sake, accept_existing => $true,
      email => 'twenty@example.com', @_});
    return $answer->json->{status} // $answer->error->{code};
  };
  is $reuse->(jurisdiction => 'JP'), 'verified', 'reused at twenty';
  is $reuse->(jurisdiction => 'GB'), 'verified', 'and at eighteen';
  is $reuse->(jurisdiction => 'US-CA'), 'no_matching_vp', 'not at twenty-one';
};

finish($service);
