# GET /v1/compliance/check, POST /v1/risk/score, GET /v1/risk/:id.
use v5.32;
use warnings;
use Verify::Conformance;

my $service = Verify::Instance->start;
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $other = $service->organization(sandbox => 1, workflow => 1);
my $client = $organization->{client};
my $check = '/v1/compliance/check';
my @products = qw(alcohol_delivery alcohol_in_person cannabis_dispensary
  cannabis_delivery gambling_online gambling_in_person tobacco_nicotine
  adult_content social_media firearms);
my @tiers = (undef, map { "min_age_$_" } 13, 16, 18, 21);

my %result = (use_case => \@products, jurisdiction => 'string',
  prohibited => 'boolean', prohibited_reason => 'string|null',
  required_age_tier => \@tiers, allowed_methods => 'strings',
  mdl_acceptance_status => [qw(full supplementary not_recognized unknown)],
  governing_regulator => 'string|null', consent_required => 'boolean|null',
  penalty_description => 'string|null',
  penalty_type => [undef, qw(CIVIL CRIMINAL BOTH)],
  credential_validity_days => 'integer', rule_version => 'string|null',
  required_age => 'integer|null',
  # additive: the day and the other ages
  born_before => 'string|null', consent_age => 'integer|null',
  civil_age => 'integer|null', credential_validity_minutes => 'integer|null',
  in_force_from => 'string|null', in_force_until => 'string|null',
  # additive: what is known, and what differs by article and channel
  known => 'boolean', confidence => [undef, qw(low medium high)], note => 'string|null',
  parental_consent_from => 'integer|null', data_retention_days => 'integer|null',
  physical_check_required => 'boolean', 'articles?' => 'object', 'channels?' => 'object');
my %restrictive = (required_age_tier => \@tiers, allowed_methods => 'strings',
  any_prohibited => 'boolean', prohibited_use_cases => 'strings',
  consent_required => 'boolean|null', data_retention_days => 'integer|null',
  required_age => 'integer|null', any_unknown => 'boolean', unknown_use_cases => 'strings');

subtest 'compliance check result' => sub {
  for my $place (qw(US US-CA US-UT GB GB-SCT DE AT FR CA-QC AU-NSW JP KR SG IN IN-BR
      AE BR MX ZA NZ CH US-PR US-DC)) {
    my $list = join ',', @products;
    my $answer = answer_is($client->get("$check?use_cases=$list&jurisdiction=$place"),
      200, $place);
    shape_is($answer, {object => ['compliance_check'], jurisdiction => [$place],
      jurisdiction_source => ['explicit'], as_of => 'string',
      article => 'string|null', channel => 'string|null', disclaimer => 'string',
      results => 'array', most_restrictive => \%restrictive},
      "$place: top level");
    my @results = @{$answer->{results}};
    is_deeply [map { $_->{use_case} } @results], \@products, 'one per product type';
    my @allowed = grep { !$_->{prohibited} } @results;
    shape_is($_, \%result, "$place $_->{use_case}") for @results;
    my $most = $answer->{most_restrictive};
    my ($tier) = sort { $b cmp $a } grep { defined } map { $_->{required_age_tier} }
      @allowed;
    is $most->{required_age_tier}, $tier, 'highest tier across non-prohibited';
    my %count;
    $count{$_}++ for map { @{$_->{allowed_methods}} } @allowed;
    is_deeply [sort @{$most->{allowed_methods}}],
      [sort grep { $count{$_} == @allowed } keys %count], 'intersection';
    is_deeply [sort @{$most->{prohibited_use_cases}}],
      [sort map { $_->{use_case} } grep { $_->{prohibited} } @results],
      'prohibited_use_cases';
    is !!$most->{any_prohibited}, @allowed < @results, 'any_prohibited';
    is !!$most->{consent_required}, !!grep({ $_->{consent_required} } @results),
      'consent_required if any product requires it';
    is_deeply [grep { $_->{jurisdiction} ne $place } @results], [],
      'the jurisdiction in each';
    for my $one (@results) {
      my ($age, $of) = ($one->{required_age},
        ($one->{required_age_tier} // '') =~ /(\d+)/);
      ok !defined $age || !defined $of || $of >= $age || $of == 21, 'tier not below the legal age';
      ok $one->{prohibited} || !defined $one->{prohibited_reason}, 'no reason without';
      ok !(grep { $_ ne lc } @{$one->{allowed_methods}}), 'lowercase methods';
    }
  }
};

subtest 'compliance check: parameters' => sub {
  my $ask = sub { $client->get("$check?$_[0]") };
  error_is($ask->('jurisdiction=US'), 400, 'parameter_invalid', 'use_cases', 'required');
  for my $bad ('', 'x', 'firearms,', ',firearms', 'firearms,,social_media', 'Firearms',
    'firearms%20,social_media', 'firearms%00') {
    my $answer = $ask->("use_cases=$bad&jurisdiction=US");
    like $answer->error->{param} // '', qr/\Ause_cases/, "use_cases=$bad";
    is $answer->status, 400, 'is refused';
  }
  my $eleven = join ',', @products, 'firearms';
  like $ask->("use_cases=$eleven&jurisdiction=US")->error->{param}, qr/\Ause_cases/,
    'at most 10';
  for my $bad ('', 'ZZ', 'USA', 'US-', 'us_ca', 'US%00') {
    error_is($ask->("use_cases=firearms&jurisdiction=$bad"), 400,
      'parameter_invalid', 'jurisdiction', "jurisdiction=$bad");
  }
  error_is($ask->('use_cases=firearms&jurisdiction=US&x=1'), 400,
    'parameter_invalid', 'x', 'unknown parameter');
  error_is($ask->('use_cases=firearms&use_cases=firearms&jurisdiction=US'), 400,
    'parameter_invalid', 'use_cases', 'twice');
  error_is($ask->('use_cases=firearms'), 422, 'jurisdiction_unresolvable', undef,
    'auto-detected from nothing');
};

subtest 'risk assessment' => sub {
  my $score = sub { $client->post('/v1/risk/score', $_[0]) };
  my %assessment = (id => qr/\Arsk_[0-9a-z]+\z/, object => ['risk_assessment'],
    risk_score => 'number', risk_level => [qw(low medium high)],
    recommendation => [qw(allow review block)], triggered_signals => 'strings',
    reasons => 'strings', signal_details => 'array', created => $seconds);
  my %advice = (low => 'allow', medium => 'review', high => 'block');
  my @inputs = ({ip => '192.0.2.7'}, {ip => '2001:db8::1'}, {ip => '::ffff:192.0.2.7'},
    {email => 'specimen@mailinator.com'}, {phone => '+15550100123'},
    {device_id => 'device-1'}, {ip => '10.0.0.1', user_agent => 'HeadlessChrome',
      claimed_country => 'DE', doc_country => 'US', doc_region => 'MD',
      required_jurisdiction => 'FR', email => 'a@example.com',
      phone => '+4930123456', device_id => 'device-1'},
    {device_id => 'x', claimed_country => 'US-CA', required_jurisdiction => 'US-CA'});
  for my $input (@inputs) {
    my $made = answer_is($score->($input), 200, join ' ', %$input);
    shape_is($made, \%assessment, 'every field and no other');
    is $made->{recommendation}, $advice{$made->{risk_level}}, 'recommendation';
    for my $detail (@{$made->{signal_details}}) {
      shape_is($detail, {name => 'string', triggered => 'boolean',
        points => 'number', reason => 'string', metadata => 'object'}, 'detail')
        or last;
    }
    my @fired = grep { $_->{triggered} } @{$made->{signal_details}};
    is_deeply $made->{triggered_signals}, [map { $_->{name} } @fired],
      'keys that fired';
    is_deeply $made->{reasons}, [map { $_->{reason} } @fired], 'and why, in order';
    my $points = 0;
    $points += $_->{points} for @{$made->{signal_details}};
    is $made->{risk_score}, $points > 100 ? 100 : $points, 'the score adds up';
    ok !(grep { $_->{points} } grep { !$_->{triggered} }
      @{$made->{signal_details}}), 'what did not fire has no points';
    cmp_ok abs(time - $made->{created}), '<', 60, 'created now';
    is_deeply answer_is($client->get("/v1/risk/$made->{id}"), 200), $made,
      'a previously computed assessment';
    error_is($other->{client}->get("/v1/risk/$made->{id}"), 404, 'resource_missing',
      undef, 'of another organization');
    unlike $client->get("/v1/risk/$made->{id}")->body,
      qr/192\.0\.2\.7|specimen\@|device-1|15550100123/, 'without identifiers';
  }
  error_is($client->get("/v1/risk/$_"), 404, 'resource_missing', undef, $_)
    for 'rsk_00000000000000000000000000', 'x';
  my $invalid = '400 parameter_invalid';
  error_is($score->({user_agent => 'x'}), 400, 'parameter_invalid',
    $score->({user_agent => 'x'})->error->{param}, 'at least one of four');
  answer_is($score->({device_id => 'd', %$_}), 200, 'each for itself: ' . join ' ', %$_)
    for {user_agent => 'u'}, {claimed_country => 'US'}, {doc_country => 'US'},
    {doc_region => 'MD'}, {required_jurisdiction => 'US'};
  parameters_are(sub { $score->({device_id => 'd', doc_country => 'US', %{$_[0]}}) },
    (map { [ip => $_, $invalid] } '', 'x', '1.2.3', '256.1.1.1', '1.2.3.4/24',
      '::1%eth0', 1, '01.2.3.4', '1.2.3.4 '),
    (map { [email => $_, $invalid] } '', 'x', 1), [phone => '555', $invalid],
    (map { [device_id => $_, $invalid] } '', 1, ['x']),
    (map { [user_agent => $_, $invalid] } 1, ['x']),
    (map { [session_id => $_, $invalid] } 1),
    (map { [claimed_country => $_, 'ok'] } 'US', 'US-CA'),
    (map { [claimed_country => $_, $invalid] } 'USA', '', 'ZZ', 1),
    (map { [doc_country => $_, $invalid] } 'US-CA', 'USA', '', 'ZZ', 1),
    (map { [doc_region => $_, 'ok'] } 'M', 'MD', 'NSW'),
    (map { [doc_region => $_, $invalid] } '', 'ABCD', 'M D', 1),
    (map { [required_jurisdiction => $_, $invalid] } 'USA', '', 'ZZ'),
    (map { [$_ => 'x', $invalid] } qw(country IP device)));
  for my $id ('vks_00000000000000000000000000', 'x', map { $_->{id} }
    $other->{client}->post('/v1/verification_sessions', {type => 'age',
      workflow_id => $other->{workflow_id}, jurisdiction => 'US'})->json) {
    my $answer = $score->({device_id => 'd', session_id => $id});
    error_is($answer, 404, 'session_not_found', 'session_id', 'session unknown');
  }
};

subtest 'the assessment rolls up into its session' => sub {
  my $session = $client->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US'})->json;
  my $tiers = sub { grep { my $tier = $_; grep { $_ eq $session->{id} } identities(
    $client->get("/v1/verification_sessions?limit=100&risk_tier=$tier")->json) }
    qw(clear review block bot) };
  my $score = sub { $client->post('/v1/risk/score',
    {session_id => $session->{id}, @_})->json };
  is_deeply [$tiers->()], [], 'no tier before';
  my $first = $score->(email => 'specimen@example.com');
  is $first->{risk_level}, 'low', 'an unsuspicious one';
  is_deeply [$tiers->()], ['clear'], 'clear';
  $score->(device_id => 'd', user_agent => 'Mozilla/5.0 HeadlessChrome/120.0');
  is_deeply [$tiers->()], ['bot'], 'bot when an automation signal fired';
  $score->(email => 'specimen@example.com');
  is_deeply [$tiers->()], ['bot'], 'the highest assessment counts';
};

finish($service);
