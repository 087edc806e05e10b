# Passive checks in workflows: a person comes by an address and a browser, and
# the session goes on by how risky they look.
use v5.32;
use warnings;
use JSON::PP ();
use POSIX qw(strftime);
use Verify::AddressDatabase;
use Verify::Face;
use Verify::Specimen;
use Verify::Test;

my $service = Verify::Instance->start(start => 0);
my $directory = $service->{directory};
Verify::AddressDatabase::write("$directory/addresses.mmdb",
  '8.8.8.0/24' => ['US', 'CA'], '9.9.9.0/24' => ['DE']);
# Without the shared vectors, nothing is known of hosting and proxies.
my $vectors = '../shared/vectors/mmdb/GeoIP2-Anonymous-IP-Test.mmdb';
my %anonymizer = (hosting => '71.160.223.1', tor => '65.0.0.1');
$service->{conf} = <<"CONF";
LoadModule remoteip_module \${VERIFY_MODULES}/mod_remoteip.so
RemoteIPHeader X-Forwarded-For
RemoteIPInternalProxy 127.0.0.0/8
VerifyGeoDatabase $directory/addresses.mmdb
VerifyTestIssuers on
VerifyRiskRetention 40
CONF
if (-e $vectors) {
  require File::Copy;
  File::Copy::copy($vectors, "$directory/anonymizers.mmdb") or die "copy: $!\n";
  $service->{conf} .= "VerifyRiskAnonymizers $directory/anonymizers.mmdb\n";
}
$service->start_httpd;
my $organization = $service->organization;
my $client = $organization->{client};
my $receiver = $service->receiver;
my $endpoint = answer_is($client->post('/v1/webhook_endpoints',
  {url => $receiver->url, enabled_events => ['*']}), 201);
$receiver->expect_secret('/webhooks', $endpoint->{secret});

# operator.md's example with the methods that there are.
sub example {
  my (%settings) = @_;
  return {name => 'Alcohol delivery', session_types => ['age', 'identity'],
    jurisdictions => ['US', 'GB', 'DE'], start => 'screen',
    nodes => {
      screen => {type => 'checks', checks => ['ip_analysis', 'device_risk'],
        next => {low => 'id', medium => 'hold', high => 'denied'}},
      hold => {type => 'review', timeout_hours => 72,
        next => {approved => 'id', rejected => 'denied'}},
      id => {type => 'methods', mode => 'any_of',
        methods => ['document_capture'], max_attempts => 3,
        next => {passed => 'granted', exhausted => 'denied'}},
      granted => {type => 'outcome', status => 'verified'},
      denied => {type => 'outcome', status => 'failed'}}, %settings};
}
my $published = $service->publish($organization->{id}, example());
is_deeply $published->{methods}, [qw(ip_analysis device_risk document_capture)],
  'passive checks are among the methods of the workflow';

my $browser = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/120.0.0.0 Safari/537.36';
my $number = 0;
sub create {
  my (%parameters) = @_;
  my $session = answer_is($client->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $published->{id}, jurisdiction => 'US-CA',
      %parameters}, 'X-Forwarded-For' => '9.9.9.9'), 201, 'session created');
  $session->{path} = "/v1/widget/sessions/$session->{id}";
  return $session;
}
# A person of a fresh device at a quiet address, unless said otherwise.
sub person {
  my ($session, %headers) = @_;
  return $session->{person} //= $service->client($session->{client_secret})
    ->with(headers => {'User-Agent' => $browser,
      'X-Forwarded-For' => '8.8.8.' . (1 + $number++ % 250), %headers});
}
sub open_widget {
  my ($session, $body, %headers) = @_;
  return answer_is(person($session, %headers)->post("$session->{path}/open",
    $body // {device_id => 'device-' . ++$number}), 200, 'opened');
}
sub retrieve {
  return answer_is($client->get(
    "/v1/verification_sessions/$_[0]{id}?expand[]=results"), 200, 'retrieved');
}
sub tier { $service->sql_value('SELECT risk_tier FROM verification_session
  WHERE id = ?', $_[0]{id}) }
sub assessment {
  my ($session) = @_;
  my ($item) = grep { $_->{risk_assessment_id} } @{retrieve($session)->{results}};
  return answer_is($client->get("/v1/risk/$item->{risk_assessment_id}"), 200);
}
sub events {
  return map { $_->{type} } @{$service->sql('SELECT type FROM event
    WHERE object_id = ? ORDER BY id', $_[0]{id})};
}
sub decide {
  return $service->verifyctl(qw(review decide), $_[0]{id}, $_[1],
    qw(--by reviewer-7));
}
# Shows the document after the widget was opened.
sub show_document {
  my ($session) = @_;
  local $session->{client_secret} = $session->{client_secret};
  return show_specimen($service, $session);
}

subtest 'low: the document is asked for' => sub {
  my $session = create();
  is_deeply $session->{methods}, $published->{methods}, 'the methods';
  my $view = answer_is(person($session)->get($session->{path}), 200);
  is_deeply $view->{passive_checks}, ['ip_analysis', 'device_risk'],
    'the widget is told what is looked at';
  $view = open_widget($session);
  is $view->{status}, 'pending', 'pending';
  is $view->{current_method}, 'document_capture', 'at the document';
  is_deeply $view->{methods}, ['document_capture'], 'no check is to be chosen';
  is tier($session), 'clear', 'the tier';
  my $seen = retrieve($session);
  is_deeply [map { "$_->{method} $_->{status}" } @{$seen->{results}}],
    ['ip_analysis low', 'device_risk low'], 'the results';
  my $assessment = assessment($session);
  is $assessment->{risk_level}, 'low', 'the assessment';
  is_deeply [sort map { $_->{name} } @{$assessment->{signal_details}}],
    [sort qw(ip_reserved ip_velocity ip_failed_age claimed_country_ip_mismatch
      device_velocity device_shared device_failed_age user_agent_automation),
      -e $vectors ? qw(ip_hosting ip_anonymizer ip_tor) : ()],
    'has the signals of these checks that something is known of';
  is_deeply [@$seen{qw(jurisdiction jurisdiction_audit_declared
      jurisdiction_audit_ip_derived jurisdiction_audit_resolved
      jurisdiction_audit_source)}],
    ['US-CA', 'US-CA', 'DE', 'US-CA', 'explicit'],
    'the jurisdiction is what creation found';
  ok $seen->{jurisdiction_audit_mismatch}, 'with its mismatch';
  is show_document($session)->{status}, 'verified', 'verified';
  is_deeply [events($session)], [qw(verification_session.created
    verification_session.verified)], 'the events';
  is $service->sql_value('SELECT array_to_string(methods, $$ $$) FROM credential
    WHERE session_id = ?', $session->{id}), 'document_capture',
    'the credential rests on the document alone';
  my $listed = answer_is($client->get(
    '/v1/verification_sessions?risk_tier=clear'), 200)->{data};
  ok grep({ $_->{id} eq $session->{id} } @$listed), 'listed by its tier';
};

subtest 'medium: held, approved, and on' => sub {
  my $device = {device_id => 'family-tablet'};
  for my $name (qw(first second third fourth)) {
    my $session = create(email => "$name\@company.example");
    is open_widget($session, $device)->{status}, 'pending', "$name person";
  }
  my $session = create(email => 'fifth@company.example');
  my $view = open_widget($session, $device);
  is $view->{status}, 'under_review', 'the fifth is held';
  ok $view->{review}, 'as the widget shows';
  is tier($session), 'review', 'the tier';
  is_deeply assessment($session)->{triggered_signals}, ['device_shared'], 'why';
  my ($flagged) = $receiver->wait_for_request(sub {
    $_[0]{event} && $_[0]{event}{type} eq 'session_review.flagged'
      && $_[0]{event}{data}{object}{session_id} eq $session->{id} });
  ok $flagged, 'session_review.flagged arrives';
  error_is(person($session)->post("$session->{path}/submissions",
    {method => 'document_capture', images => ['front']}), 409,
    'session_state_conflict', undef, 'nothing is taken meanwhile');
  is decide($session, 'approve')->{status}, 'requires_input',
    'approved: the person goes on';
  is_deeply [events($session)], [qw(verification_session.created
    session_review.flagged session_review.approved)], 'not yet verified';
  is show_document($session)->{status}, 'verified', 'then verified';
  is scalar(grep { $_ eq 'verification_session.verified' } events($session)), 1,
    'one event of it';
  is tier($session), 'review', 'the tier stays';

  my $rejected = create(email => 'sixth@company.example');
  open_widget($rejected, $device);
  is decide($rejected, 'reject')->{status}, 'failed', 'rejected: failed';
};

subtest 'high: declined' => sub {
  my $session = create();
  my $view = open_widget($session, {device_id => 'bot', webdriver => JSON::PP::true});
  is $view->{status}, 'failed', 'failed at once';
  is $view->{last_error}{code}, 'verification_declined', 'declined';
  is tier($session), 'bot', 'a bot';
  ok grep({ $_ eq 'webdriver_automation' }
    @{assessment($session)->{triggered_signals}}), 'as the browser said';
  is_deeply [events($session)], [qw(verification_session.created
    verification_session.failed)], 'one event of it';
  my ($failed) = $receiver->wait_for_request(sub {
    $_[0]{event} && $_[0]{event}{type} eq 'verification_session.failed'
      && $_[0]{event}{data}{object}{id} eq $session->{id} });
  is $failed->{event}{data}{object}{last_error}{code}, 'verification_declined',
    'which says why';
  is $service->sql_value('SELECT free + charged + sandbox FROM monthly_usage
    WHERE organization_id = ?', $organization->{id}) , 2,
    'failures are not counted';
  my $program = create();
  open_widget($program, {}, 'User-Agent' => 'curl/8.5.0');
  is tier($program), 'bot', 'a program that names itself';
};

subtest 'addresses' => sub {
  my $abroad = create();
  open_widget($abroad, undef, 'X-Forwarded-For' => '9.9.9.20');
  is_deeply assessment($abroad)->{triggered_signals},
    ['claimed_country_ip_mismatch'], 'not where it was declared';
  is retrieve($abroad)->{status}, 'pending', 'alone not too much';
  my $private = create();
  open_widget($private, undef, 'X-Forwarded-For' => '10.1.2.3');
  is_deeply assessment($private)->{triggered_signals}, ['ip_reserved'],
    'a private address';
  SKIP: {
    skip 'no ../shared/vectors/mmdb', 1 unless -e $vectors;
    for my $kind (sort keys %anonymizer) {
      my $session = create();
      open_widget($session, undef, 'X-Forwarded-For' => $anonymizer{$kind});
      ok grep({ $_ eq "ip_$kind" }
        @{assessment($session)->{triggered_signals}}), $kind;
    }
  }
};

subtest 'each check looks at its own' => sub {
  my %expected = (ip_analysis => ['claimed_country_ip_mismatch', 'ip_reserved'],
    device_risk => ['user_agent_automation', 'webdriver_automation'],
    geolocation => ['ip_outside_jurisdiction']);
  my %kept;
  for my $check (sort keys %expected) {
    my $definition = example();
    $definition->{nodes}{screen} = {type => 'checks', checks => [$check],
      next => {low => 'id', medium => 'id', high => 'id'}};
    delete $definition->{nodes}{hold};
    my $workflow = $service->publish($organization->{id}, $definition);
    my $session = create(workflow_id => $workflow->{id});
    # A program, at a German and at a private address.
    my %bad = ('User-Agent' => 'curl/8.5.0', 'X-Forwarded-For' => '9.9.9.77');
    $bad{'X-Forwarded-For'} = '10.9.9.9' if $check eq 'ip_analysis';
    my $view = open_widget($session, {device_id => 'x', webdriver =>
        JSON::PP::true}, %bad);
    is $view->{status}, 'pending', "$check decides nothing here";
    my @fired = sort @{assessment($session)->{triggered_signals}};
    ok @fired && !grep({ my $name = $_;
      !grep { $_ eq $name } @{$expected{$check}} } @fired),
      "$check: @fired";
    $kept{$check} = JSON::PP::decode_json($service->sql_value(
      q{SELECT runner->>'signals' FROM verification_session WHERE id = ?},
      $session->{id}));
  }
  ok !defined $kept{geolocation}{address} && !defined $kept{geolocation}{device},
    'geolocation keeps no identifier';
  ok !defined $kept{ip_analysis}{device}, 'ip_analysis keeps no device';
  ok !defined $kept{device_risk}{address} && !defined $kept{device_risk}{place},
    'device_risk keeps no address';
};

# An app goes by the name of its HTTP library unless it sets one, and sends from
# no page.
subtest 'an app is no program' => sub {
  my $named = sub {
    my ($name, %headers) = @_;
    my $session = create();
    open_widget($session, {}, 'User-Agent' => $name, %headers);
    return grep { $_ eq 'user_agent_automation' }
      @{assessment($session)->{triggered_signals}};
  };
  ok !$named->($_), $_ for 'okhttp/4.12.0', 'Java/17.0.9',
    'Apache-HttpClient/5.3 (Java/17.0.9)', 'PassApp/2.1 (Android 15)',
    'Dalvik/2.1.0 (Linux; U; Android 15)', 'PassApp/1 CFNetwork/1568 Darwin/24';
  ok $named->($_), "$_ is one" for 'axios/1.7.2', 'curl/8.5.0';
  ok $named->('okhttp/4.12.0', 'Sec-Fetch-Site' => 'same-origin'),
    'no page is in such a library';
};

subtest 'a device is the same here and in the risk API' => sub {
  my %email = (email => 'one@company.example');
  answer_is($client->post('/v1/risk/score', {device_id => 'till', %email}), 200);
  my $session = create(%email);
  open_widget($session, {device_id => 'till'});
  my %detail = map { $_->{name} => $_->{metadata} }
    @{assessment($session)->{signal_details}};
  is $detail{device_shared}{persons}, 1, 'the person is one';
  my $other = create(email => 'two@company.example');
  open_widget($other, {device_id => 'till'});
  %detail = map { $_->{name} => $_->{metadata} }
    @{assessment($other)->{signal_details}};
  is $detail{device_velocity}{persons}, 2, 'counted together';
};

subtest 'the clock of the browser' => sub {
  my $abroad = create();
  open_widget($abroad, {time_zone => 'Asia/Tokyo'});
  is_deeply assessment($abroad)->{triggered_signals}, ['time_zone_mismatch'],
    'is not where the address is';
  my $home = create();
  open_widget($home, {time_zone => 'America/Los_Angeles'});
  is_deeply assessment($home)->{triggered_signals}, [], 'is';
  my $unknown = create();
  open_widget($unknown, {time_zone => 'Mars/Olympus'});
  ok !grep({ $_->{name} eq 'time_zone_mismatch' }
    @{assessment($unknown)->{signal_details}}), 'is nowhere that is known';
};

# At the same device and at the same address.
subtest 'somebody found too young comes again' => sub {
  my $workflow = $service->publish($organization->{id},
    example(required_age_tier => 'min_age_21'));
  my %parameters = (workflow_id => $workflow->{id});
  my %address = ('X-Forwarded-For' => '8.8.8.252');
  my $young = create(%parameters);
  open_widget($young, {device_id => 'of-a-pupil'}, %address);
  my $person = person($young);
  $person->post("$young->{path}/consent", {consent => JSON::PP::true});
  $person->put("$young->{path}/images/front",
    Verify::Specimen::photograph('--born', strftime('%Y-01-01',
      gmtime(time - 18 * 365 * 86400))), 'Content-Type' => 'image/jpeg');
  my $failures = sub { $service->sql_value(
    'SELECT count(*) FROM age_failure WHERE session_id = ?', $_[0]{id}) };
  is $failures->($young), 0, 'nothing is noted of who was not judged';
  $person->post("$young->{path}/submissions",
    {method => 'document_capture', images => ['front']});
  my @codes = map { $_->{error_code} // () } @{(wait_for {
    my $seen = retrieve($young);
    $seen->{status} ne 'processing' && $seen;
  })->{results}};
  is_deeply \@codes, ['under_age'], 'found too young';
  is $failures->($young), 2, 'device and address are noted';

  my $again = create(%parameters);
  open_widget($again, {device_id => 'of-a-pupil'});
  is_deeply assessment($again)->{triggered_signals}, ['device_failed_age'],
    'at the same device';
  is retrieve($again)->{status}, 'under_review', 'which is looked at';
  my $beside = create(%parameters);
  open_widget($beside, {device_id => 'of-a-teacher'}, %address);
  is_deeply assessment($beside)->{triggered_signals}, ['ip_failed_age'],
    'at the same address';
  is retrieve($beside)->{status}, 'pending', 'which proves little';
  ok !grep({ /failed_age/ } @{assessment($_)->{triggered_signals}}), 'elsewhere'
    for map { my $session = create(%parameters); open_widget($session);
      $session } 1;
  my $api = answer_is($client->post('/v1/risk/score',
    {device_id => 'of-a-pupil', ip => '8.8.8.252'}), 200);
  is_deeply $api->{triggered_signals}, ['ip_failed_age', 'device_failed_age'],
    'the API knows it, too';
  is $api->{risk_score}, 65, 'as one thing';
  my $other = $service->organization;
  ok !grep({ /failed_age/ } @{answer_is($other->{client}->post('/v1/risk/score',
    {device_id => 'of-a-pupil'}), 200)->{triggered_signals}}),
    'other organizations do not';
  $service->sql('UPDATE age_failure SET failed_at = failed_at - 2 * 86400000');
  $api = answer_is($client->post('/v1/risk/score',
    {device_id => 'of-a-pupil', ip => '8.8.8.252'}), 200);
  is_deeply $api->{triggered_signals}, ['device_failed_age'],
    'an address is forgotten after a day';
};

# Who is blocked by the operator comes no further, and who is allowed does.
subtest 'what an operator lists' => sub {
  my @org = ('--org' => $organization->{id}, '--by' => 'operator-3');
  my %listed = (ip => '8.8.8.253', device => 'barred-device',
    email => 'barred@company.example', phone => '+493012345678');
  $service->verifyctl('risk', 'block', $_, $listed{$_}, @org) for keys %listed;
  my %session = (ip => create(), device => create(),
    email => create(email => $listed{email}), phone => create(phone => $listed{phone}));
  open_widget($session{ip}, undef, 'X-Forwarded-For' => $listed{ip});
  open_widget($session{device}, {device_id => $listed{device}});
  open_widget($session{$_}) for qw(email phone);
  for my $kind (sort keys %session) {
    is_deeply assessment($session{$kind})->{triggered_signals}, ["${kind}_blocked"],
      "$kind is blocked";
    is retrieve($session{$kind})->{status}, 'failed', 'declined';
    is tier($session{$kind}), 'block', 'its tier';
  }
  $service->verifyctl(qw(risk allow device family-tablet), @org);
  my $seventh = create(email => 'seventh@company.example');
  is open_widget($seventh, {device_id => 'family-tablet'})->{status}, 'pending',
    'a device that many may share';
};

# The same document under ever another name.
subtest 'one document, several persons' => sub {
  my $definition = example(start => 'id', on_document_reused => 'noted');
  delete $definition->{nodes}{hold};
  $definition->{nodes}{id}{next}{passed} = 'screen';
  $definition->{nodes}{screen} = {type => 'checks', checks => ['device_risk'],
    next => {low => 'granted', medium => 'granted', high => 'denied'}};
  my $workflow = $service->publish($organization->{id}, $definition);
  my @issuer = ('--issuer', 'MD');
  my $document = face_models_missing() ? Verify::Specimen::photograph(@issuer)
    : card_with_portrait('woman', @issuer);
  my @status;
  for my $name (qw(one two three three)) {
    my $session = create(workflow_id => $workflow->{id},
      email => "$name\@document.example");
    open_widget($session);
    push @status, show_specimen($service, $session, photograph => $document)
      ->{status};
    is_deeply [grep { /document/ } @{assessment($session)->{triggered_signals}}],
      {one => [], two => ['document_reused'],
        three => ['document_reused', 'document_shared']}->{$name}, "$name";
  }
  is_deeply \@status, [qw(verified verified failed failed)],
    'the third person is not verified';
  my @specimen = map { my $session = create(workflow_id => $workflow->{id},
    email => "$_\@specimen.example"); open_widget($session);
    show_specimen($service, $session)->{status} } 1 .. 4;
  is_deeply \@specimen, [('verified') x 4], 'what is for trying out is shared';
  my $owner = create(workflow_id => $workflow->{id},
    email => 'one@document.example');
  open_widget($owner);
  is show_specimen($service, $owner, photograph => $document)->{status},
    'verified', 'whose it was first passes still';
};

# What a picture looks like is a risk among others, and never alone a verdict.
subtest 'a picture of a screen' => sub {
  plan skip_all => 'needs .models, without which no zone is read' unless -d '.models';
  my $definition = example(start => 'id');
  delete $definition->{nodes}{hold};
  $definition->{nodes}{id}{next}{passed} = 'screen';
  $definition->{nodes}{screen} = {type => 'checks', checks => ['device_risk'],
    next => {low => 'granted', medium => 'denied', high => 'denied'}};
  my $workflow = $service->publish($organization->{id}, $definition);
  my $images = File::Temp->newdir;
  system('/usr/bin/python3', 't/lib/mrz_images.py', "$images", 1, 3, 0) == 0
    or die "no page\n";
  system('/usr/bin/python3', 't/lib/two_documents.py', 'raster', "$images/raster.jpg",
    glob "$images/0_*.jpg") == 0 or die "no picture\n";
  my $session = create(workflow_id => $workflow->{id});
  open_widget($session);
  is show_specimen($service, $session,
    photograph => Verify::Specimen::read_bytes("$images/raster.jpg"))->{status},
    'verified', 'decides nothing alone';
  my $seen = retrieve($session);
  my ($check) = grep { $_->{name} eq 'picture_recapture' }
    map { @{$_->{checks} // []} } @{$seen->{results}};
  is $check->{result}, 'undetermined', 'is told of';
  is $check->{reason}, 'picture_has_raster', 'with what was seen';
  is $seen->{risk_tier} // 'clear', 'clear', 'and raises no tier';
  my $risk = assessment($session);
  is_deeply [grep { /document/ } @{$risk->{triggered_signals}}],
    ['document_recaptured'], 'a signal of risk';
  cmp_ok $risk->{risk_score}, '>', 0, 'with points';
  is $risk->{risk_level}, 'low', 'which are few';
  ok grep({ ($_->{reason} // '') eq 'picture_has_raster' } map { @{$_->{checks}} }
    @{$service->verifyctl(qw(session explain), $session->{id})->{decisions}}),
    'and explained';
};

subtest 'geolocation' => sub {
  my $definition = example();
  $definition->{nodes}{screen}{checks} = ['geolocation'];
  my $workflow = $service->publish($organization->{id}, $definition);
  my %status = ('8.8.8.9' => 'pending', '9.9.9.9' => 'under_review',
    '203.0.113.9' => 'pending');
  for my $address (sort keys %status) {
    my $session = create(workflow_id => $workflow->{id});
    is open_widget($session, {}, 'X-Forwarded-For' => $address)->{status},
      $status{$address}, "$address: $status{$address}";
  }
};

subtest 'what is kept' => sub {
  my $session = create();
  open_widget($session, {device_id => 'SPECIMEN-DEVICE'},
    'X-Forwarded-For' => '8.8.8.251');
  my ($row) = @{$service->sql('SELECT s::text AS text FROM verification_session s
    WHERE id = ?', $session->{id})};
  unlike $row->{text}, qr/8\.8\.8\.251|SPECIMEN-DEVICE|Chrome/,
    'no address, device or user agent in the session';
  my $signals = sub { $service->sql_value(q{SELECT runner->>'signals'
    FROM verification_session WHERE id = ?}, $session->{id}) };
  like $signals->(), qr/"device": ?"[0-9a-f]{64}"/, 'a keyed hash';
  my $tables = join "\n", map { $_->{t} }
    @{$service->sql('SELECT t::text AS t FROM risk_assessment t')},
    @{$service->sql('SELECT t::text AS t FROM risk_observation t')};
  unlike $tables, qr/8\.8\.8\.251|SPECIMEN-DEVICE/, 'nor with the assessments';
  answer_is(person($session)->post("$session->{path}/cancel", {}), 200);
  is $signals->(), undef, 'an ended session forgets them';
  my $plain = example();
  $plain->{start} = 'id';
  delete @{$plain->{nodes}}{qw(screen hold)};
  my $workflow = $service->publish($organization->{id}, $plain);
  $session = create(workflow_id => $workflow->{id});
  my $view = open_widget($session, {device_id => 'SPECIMEN-DEVICE'});
  is_deeply $view->{passive_checks}, [], 'without checks nothing is asked for';
  is $signals->(), undef, 'and nothing is kept';
  is tier($session), undef, 'nor judged';
};

subtest 'the opening request' => sub {
  my $session = create();
  my @faults = ([{device_id => ''}, 'device_id'],
    [{device_id => 'd' x 256}, 'device_id'], [{device_id => 7}, 'device_id'],
    [{webdriver => 'yes'}, 'webdriver'], [{time_zone => ''}, 'time_zone'],
    [{time_zone => 'x' x 65}, 'time_zone'], [{time_zone => '<b>'}, 'time_zone'],
    [{time_zone => 1}, 'time_zone'], [{unless_checked => 1}, 'unless_checked'],
    [{plugins => []}, 'plugins']);
  error_is(person($session)->post("$session->{path}/open", $_->[0]), 400,
    'parameter_invalid', $_->[1]) for @faults;
  is retrieve($session)->{status}, 'created', 'refusals changed nothing';
  my $count = sub { $service->sql_value('SELECT count(*) FROM risk_assessment
    WHERE session_id = ?', $session->{id}) };
  is $count->(), 0, 'and assessed nothing';
  my $view = open_widget($session, {unless_checked => JSON::PP::true});
  is $view->{status}, 'created', 'a page that says nothing only looks';
  is_deeply $view->{passive_checks}, ['ip_analysis', 'device_risk'],
    'and hears what it has to say';
  is $count->(), 0, 'nothing was assessed';
  open_widget($session);
  is open_widget($session, {unless_checked => JSON::PP::true})->{status},
    'pending', 'and later it looks, too';
  my $again = open_widget($session, {device_id => 'x', webdriver => JSON::PP::true});
  is $again->{status}, 'pending', 'opened again, nothing changes';
  is $count->(), 1, 'checked once';
};

subtest 'checks after the document' => sub {
  my $definition = example(start => 'id');
  my $nodes = $definition->{nodes};
  $nodes->{id}{next}{passed} = 'hold';
  $nodes->{hold}{next}{approved} = 'screen';
  $nodes->{screen}{next} = {low => 'granted', medium => 'late', high => 'denied'};
  $nodes->{late} = {type => 'review',
    next => {approved => 'granted', rejected => 'denied'}};
  my $workflow = $service->publish($organization->{id}, $definition);
  my $reach = sub {
    my ($session, $status) = @_;
    return wait_for { retrieve($session)->{status} eq $status };
  };
  my $start = sub {
    my ($body) = @_;
    my $session = create(workflow_id => $workflow->{id});
    open_widget($session, $body);
    my $person = person($session);
    $person->post("$session->{path}/consent", {consent => JSON::PP::true});
    $person->put("$session->{path}/images/front", Verify::Specimen::photograph(),
      'Content-Type' => 'image/jpeg');
    $person->post("$session->{path}/submissions",
      {method => 'document_capture', images => ['front']});
    ok $reach->($session, 'under_review'), 'held after the document';
    return $session;
  };
  my $session = $start->();
  is decide($session, 'approve')->{status}, 'processing',
    'approved where nobody knows the policy: the checks wait';
  ok $reach->($session, 'verified'), 'the watchdog runs them';
  is scalar(grep { $_ eq 'verification_session.verified' } events($session)), 1,
    'one event of it';
  is tier($session), 'clear', 'the tier';
  my $bot = $start->({device_id => 'late-bot', webdriver => JSON::PP::true});
  decide($bot, 'approve');
  ok $reach->($bot, 'failed'), 'what the browser said at first is remembered';
  is tier($bot), 'bot', 'a bot';
};

subtest 'checks in the watchdog, right after the analysis' => sub {
  my $definition = example(start => 'id');
  delete $definition->{nodes}{hold};
  $definition->{nodes}{id}{next}{passed} = 'screen';
  $definition->{nodes}{screen}{next} = {low => 'granted', medium => 'granted',
    high => 'denied'};
  my $workflow = $service->publish($organization->{id}, $definition);
  my $session = create(workflow_id => $workflow->{id});
  open_widget($session);
  is show_document($session)->{status}, 'verified', 'verified';
  my @results = map { "$_->{method} $_->{status}" }
    @{retrieve($session)->{results}};
  is_deeply \@results, ['document_capture passed', 'ip_analysis low',
    'device_risk low'], 'in that order';
};

subtest 'what cannot be published' => sub {
  my $refused = sub {
    my ($pattern, $name, %changes) = @_;
    my $definition = example();
    $definition->{nodes} = {%{$definition->{nodes}}, %changes};
    delete $definition->{nodes}{$_}
      for grep { !$definition->{nodes}{$_} } keys %changes;
    eval { $service->publish($organization->{id}, $definition); 1 };
    like $@, $pattern, $name;
  };
  my %next = (low => 'granted', medium => 'hold', high => 'denied');
  $refused->(qr{/nodes/granted.*without a primary method}s,
    'checks that lead to verified by themselves',
    screen => {type => 'checks', checks => ['ip_analysis'], next => \%next});
  $refused->(qr{/nodes/screen/checks/0.*can only have passive checks}s,
    'a method among the checks',
    screen => {type => 'checks', checks => ['document_capture'], next => \%next});
  $refused->(qr{/nodes/id/methods/1.*A passive check must be in}s,
    'a check among the methods',
    id => {type => 'methods', methods => ['document_capture', 'geolocation'],
      next => {passed => 'granted', exhausted => 'denied'}});
  $refused->(qr{/nodes/screen/next/high.*required}s, 'an exit that is missing',
    screen => {type => 'checks', checks => ['ip_analysis'],
      next => {low => 'id', medium => 'hold'}});
  $refused->(qr{/nodes/screen/checks.*non-empty}s, 'no checks',
    screen => {type => 'checks', checks => [], next => \%next});
  $refused->(qr{/nodes/id/methods/0.*reserved and not implemented}s, "$_ is reserved",
    id => {type => 'methods', methods => [$_, 'document_capture'],
      next => {passed => 'granted', exhausted => 'denied'}})
    for qw(eudi_pid facial_age);
};

subtest 'a person is erased' => sub {
  my %email = (email => 'erased@company.example');
  my $verified = create(%email);
  open_widget($verified);
  show_document($verified);
  my $open = create(%email);
  open_widget($open);
  my $other = create(email => 'neighbour@company.example');
  open_widget($other);
  my $count = sub { $service->sql_value(
    'SELECT coalesce(sum(num_nonnulls(ip_digest, device_digest)), 0)
       FROM risk_assessment a JOIN risk_observation o ON a.id = o.assessment_id
      WHERE session_id = ?', $_[0]{id}) };
  is $count->($_), 2, 'address and device are counted' for $verified, $open, $other;
  my $person = answer_is($client->post('/v1/verified_person/lookup', \%email),
    200)->{verified_person_id};
  my $device = $service->sql_value(q{SELECT runner->'signals'->>'device'
    FROM verification_session WHERE id = ?}, $open->{id});
  $service->verifyctl(qw(person erase), $person);
  is $count->($_), 0, 'no more' for $verified, $open;
  is $count->($other), 2, q{but the neighbour's};
  for my $table (qw(verification_session risk_observation)) {
    is $service->sql_value("SELECT count(*) FROM $table t WHERE t::text LIKE ?",
      "%$device%"), 0, "the device is not in $table";
  }
  is retrieve($verified)->{status}, 'verified', 'the trail remains';
  is show_document($open)->{status}, 'verified', 'an open session goes on';
};

subtest 'assessments are forgotten' => sub {
  my $before = $service->sql_value('SELECT count(*) FROM risk_assessment');
  $service->sql('UPDATE risk_assessment SET created_at = ? WHERE ctid = ANY(
    ARRAY(SELECT ctid FROM risk_assessment LIMIT 3))',
    (time - 40 * 86400 - 60) * 1000);
  $service->graceful;
  ok wait_for { $service->sql_value('SELECT count(*) FROM risk_assessment')
    == $before - 3 }, 'after the configured days, and no others';
};

finish($service);
