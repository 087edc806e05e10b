# GET /v1/compliance/check: every field and every sentence of the interface; and what
# its answers rest on, for operators.
use v5.32;
use warnings;
use utf8;
use JSON::PP ();
use POSIX qw(strftime);
use Verify::Dashboard;
use Verify::Rules qw(common country rule write_rules @products);
use Verify::Test;

my ($true, $false) = (JSON::PP::true, JSON::PP::false);
my @methods = qw(mdl document_capture nfc_passport selfie_liveness selfie_match
  self_attestation);
my $rules = write_rules(
  country('DE', {
    alcohol_delivery => rule(prohibited => $false, minimum_age => 19,
      mdl_acceptance_status => 'not_recognized', governing_regulator => 'Amt für Prüfung',
      consent_required => $true, penalty_description => 'A fine.',
      penalty_type => 'CIVIL', credential_validity_days => 90,
      data_retention_days => 30, physical_check_required => $true,
      user_message => 'Bring it along.'),
    cannabis_delivery => rule(prohibited => $true, prohibited_reason => 'Forbidden.',
      minimum_age => 21, consent_required => $true, data_retention_days => 7),
    adult_content => rule(prohibited => $false, minimum_age => 18,
      allowed_methods => [qw(selfie_match document_capture mdl)],
      mdl_acceptance_status => 'full'),
    social_media => rule(prohibited => $false, minimum_age => undef,
      consent_age => 16, civil_age => 18),
    alcohol_in_person => [
      rule(prohibited => $false, minimum_age => 16, until => '2024-03-01'),
      rule(prohibited => $false, minimum_age => 18, from => '2024-03-01',
        until => '2030-01-01', credential_validity_minutes => 90),
      rule(prohibited => $false, minimum_age => 18, from => '2030-01-01',
        born_before => '2009-01-01', status => 'enacted'),
      rule(article => ['beer', 'wine'], minimum_age => 14)],
    tobacco_nicotine => [rule(prohibited => $false, minimum_age => 18),
      rule(article => 'vape', prohibited => $true, prohibited_reason => 'No vapes.'),
      rule(article => 'cigarette', channel => 'remote', minimum_age => 21)],
    firearms => rule(prohibited => 'unknown', minimum_age => 'unknown'),
    gambling_in_person => rule(prohibited => $false, minimum_age => 25,
      mdl_acceptance_status => 'supplementary'),
  }, regions => {
    BY => {name => 'Region', all => common(consent_required => $true),
      rules => {gambling_online => rule(minimum_age => 21),
        cannabis_delivery => rule(prohibited => $false)}},
  }));
my $service = Verify::Instance->start(start => 0, conf => <<"CONF");
VerifyComplianceRules $rules
VerifyGeoHeaders X-Country X-Region
CONF
my $organization = $service->organization;
my $dashboard = Verify::Dashboard->prepare($service, olga => "auditor $organization->{id}");
$service->start_httpd;
my $client = $organization->{client};

sub check {
  my ($query, %headers) = @_;
  return $client->get("/v1/compliance/check?$query", %headers);
}
sub result_of {
  my ($use_case, $jurisdiction) = @_;
  return check("use_cases=$use_case&jurisdiction=$jurisdiction")->json->{results}[0];
}

subtest 'every field of an answer' => sub {
  my $answer = check('use_cases=alcohol_delivery&jurisdiction=de');
  my $body = answer_is($answer, 200);
  is_deeply [sort keys %$body],
    [qw(article as_of channel disclaimer jurisdiction jurisdiction_source
    most_restrictive object results)],
    'top level';
  is $body->{jurisdiction}, 'DE', 'in the normal form';
  is $body->{jurisdiction_source}, 'explicit', 'source';
  is_deeply $body->{results}, [{
    use_case => 'alcohol_delivery', jurisdiction => 'DE', known => $true,
    confidence => 'high', note => undef, prohibited => $false,
    prohibited_reason => undef, required_age_tier => 'min_age_21',
    required_age => 19, born_before => undef, parental_consent_from => undef,
    consent_age => undef, physical_check_required => $true,
    civil_age => undef, allowed_methods => [grep { $_ ne 'mdl' } @methods],
    mdl_acceptance_status => 'not_recognized', governing_regulator => 'Amt für Prüfung',
    consent_required => $true, penalty_description => 'A fine.',
    penalty_type => 'CIVIL', credential_validity_days => 90,
    credential_validity_minutes => undef, data_retention_days => 30,
    articles => {}, in_force_from => undef,
    in_force_until => undef, rule_version => 'DE-7'}], 'the result';
  is_deeply $body->{most_restrictive}, {
    required_age_tier => 'min_age_21', required_age => 19,
    allowed_methods => [grep { $_ ne 'mdl' } @methods], any_prohibited => $false,
    prohibited_use_cases => [], any_unknown => $false, unknown_use_cases => [],
    consent_required => $true,
    data_retention_days => 30}, 'most restrictive';
};

subtest 'a prohibition' => sub {
  my $result = result_of('cannabis_delivery', 'DE');
  ok $result->{prohibited}, 'prohibited';
  is $result->{prohibited_reason}, 'Forbidden.', 'the reason';
  is $result->{required_age_tier}, undef, 'no age makes it legal';
  is_deeply $result->{allowed_methods}, [], 'no method either';
};

subtest 'ages and tiers' => sub {
  is result_of('social_media', 'DE')->{required_age_tier}, undef, 'no age';
  is result_of('social_media', 'DE')->{required_age}, undef, 'no exact age';
  is result_of('social_media', 'DE')->{consent_age}, 16, 'an age of consent apart';
  is result_of('social_media', 'DE')->{civil_age}, 18, 'and one of majority';
  is result_of('gambling_online', 'DE-HH')->{required_age_tier}, 'min_age_18', 'age 18';
  my $high = result_of('gambling_in_person', 'DE');
  is $high->{required_age_tier}, 'min_age_21', 'the highest tier for 25';
  is $high->{required_age}, 25, 'the exact age is kept';
};

subtest 'what is not known' => sub {
  for (['firearms', 'DE'], ['firearms', 'FR']) {
    my $result = result_of(@$_);
    ok !$result->{prohibited}, "$_->[1]: not prohibited";
    ok defined $result->{known} && !$result->{known}, 'and not known';
    is $result->{confidence}, 'low', 'with a low confidence';
    ok length $result->{note}, 'and a note';
    is $result->{$_}, undef, "$_ is null" for qw(required_age_tier required_age
      prohibited_reason governing_regulator penalty_description penalty_type
      rule_version);
    is $result->{mdl_acceptance_status}, 'unknown', 'mdl_acceptance_status';
    is $result->{credential_validity_days}, 365, 'the default validity';
    is $result->{consent_required}, undef, 'whether consent is needed neither';
    is_deeply $result->{allowed_methods}, \@methods, 'every method';
  }
};

subtest 'regions inherit' => sub {
  my $result = result_of('gambling_online', 'de-by');
  is $result->{jurisdiction}, 'DE-BY', 'the region';
  is $result->{required_age}, 21, 'its own age';
  ok $result->{consent_required}, 'for all its products';
  ok !result_of('gambling_online', 'DE')->{consent_required}, 'not the country';
  is result_of('alcohol_delivery', 'DE-BY')->{required_age}, 19, 'inherited';
  is result_of('alcohol_delivery', 'DE-XX')->{required_age}, 19, 'unknown region';
  my $legal = result_of('cannabis_delivery', 'DE-BY');
  ok !$legal->{prohibited}, 'lifts the prohibition';
  is $legal->{prohibited_reason}, undef, 'and its reason';
  is $legal->{required_age}, 21, 'and keeps the age';
};

sub as_of {
  my ($day, $more) = @_;
  return check("use_cases=alcohol_in_person&jurisdiction=DE&as_of=$day"
    . ($more // ''))->json;
}

subtest 'the law of a day' => sub {
  my $before = as_of('2024-02-29');
  is $before->{as_of}, '2024-02-29', 'the answer names the day';
  my $rule = $before->{results}[0];
  is $rule->{required_age}, 16, 'the day before a change';
  is $rule->{in_force_from}, undef, 'since when is not known';
  is $rule->{in_force_until}, '2024-03-01', 'until when it is';
  $rule = as_of('2024-03-01')->{results}[0];
  is $rule->{required_age}, 18, 'the day of the change';
  is $rule->{in_force_from}, '2024-03-01', 'from that day on';
  is $rule->{credential_validity_days}, 0, 'less than a day';
  is $rule->{credential_validity_minutes}, 90, 'in minutes';
  $rule = as_of('2031-06-15')->{results}[0];
  is $rule->{born_before}, '2009-01-01', 'a generation';
  is $rule->{required_age}, 22, 'whose youngest are so old by then';
  is $rule->{in_force_until}, undef, 'and for good';
  is as_of('2020-01-01')->{results}[0]{required_age}, 16, 'the first day';
  my $today = check('use_cases=firearms&jurisdiction=DE')->json->{as_of};
  my @days = map { strftime '%Y-%m-%d', gmtime time + 3600 - $_ } 60, 0;
  ok grep({ $_ eq $today } @days), 'today, unless it is asked otherwise'
    or diag $today;
};

subtest 'articles' => sub {
  my $rule = as_of('2026-01-01', '&article=beer')->{results}[0];
  is $rule->{required_age}, 14, 'an article with a rule of its own';
  is as_of('2026-01-01', '&article=spirits')->{results}[0]{required_age}, 18,
    'one without';
  my $any = result_of('tobacco_nicotine', 'DE');
  ok $any->{prohibited}, 'without an article the strictest holds';
  is $any->{prohibited_reason}, 'No vapes.', 'and says why';
  my $body = check('use_cases=tobacco_nicotine,social_media&jurisdiction=DE'
    . '&article=cigarette')->json;
  is $body->{article}, 'cigarette', 'the answer names it';
  is $body->{results}[0]{required_age}, 18, 'with it the milder one';
  is @{$body->{results}}, 2, 'other products are answered as ever';
  is $any->{articles}{cigarette}{prohibited}, $false,
    'without an article, what differs by article is shown';
  is $any->{articles}{cigarette}{required_age}, 18, 'with its age';
  ok !$any->{articles}{vape}, 'and not what is the same';
  ok !$body->{results}[0]{articles}, 'where one is asked there is no breakdown';
};

subtest 'channels' => sub {
  my $ask = sub { check("use_cases=$_[0]&jurisdiction=DE&article=cigarette$_[1]") };
  my $rule = $ask->('tobacco_nicotine', '')->json->{results}[0];
  is $rule->{required_age}, 18, 'without one, the law of sale in person';
  is_deeply [$rule->{channels}{remote}{required_age}], [21], 'what differs is shown';
  my $body = $ask->('tobacco_nicotine', '&channel=remote')->json;
  is $body->{channel}, 'remote', 'the answer names it';
  is $body->{results}[0]{required_age}, 21, 'its age';
  ok !$body->{results}[0]{channels}, 'and no breakdown';
  for (['tobacco_nicotine', 'mail'], ['alcohol_delivery', 'remote']) {
    my ($use_case, $channel) = @$_;
    my $answer = check("use_cases=$use_case&jurisdiction=DE&channel=$channel");
    is $answer->status, 400, "$use_case by $channel is refused";
    is $answer->json->{error}{param}, 'channel', 'at the channel';
  }
};

subtest 'a country without its region' => sub {
  is result_of('gambling_online', 'DE')->{required_age}, 21,
    'the highest age of a region';
  is result_of('gambling_online', 'DE-HH')->{required_age}, 18,
    "the country's own where the region is another";
  ok result_of('cannabis_delivery', 'DE')->{prohibited},
    'that one of its regions permits a product permits it nowhere else';
};

subtest 'territories' => sub {
  for my $code (qw(PR VI GU AS MP)) {
    my $answer = check("use_cases=firearms&jurisdiction=" . lc $code)->json;
    is $answer->{jurisdiction}, "US-$code", "$code is US-$code";
  }
  is check('use_cases=firearms', 'X-Country' => 'PR', 'X-Region' => 'SJ')
    ->json->{jurisdiction}, 'US-PR', 'as seen, too';
};

subtest 'several products' => sub {
  my @asked = qw(adult_content alcohol_delivery cannabis_delivery social_media);
  my $body = check('use_cases=' . join(',', @asked) . '&jurisdiction=DE')->json;
  is_deeply [map { $_->{use_case} } @{$body->{results}}], \@asked,
    'results in the order of the request';
  my $all = $body->{most_restrictive};
  is $all->{required_age_tier}, 'min_age_21', 'the highest tier';
  is $all->{required_age}, 19, 'the highest age that is not prohibited';
  is_deeply $all->{allowed_methods}, ['document_capture', 'selfie_match'],
    'the intersection, in the order of methods';
  ok $all->{any_prohibited}, 'any_prohibited';
  is_deeply $all->{prohibited_use_cases}, ['cannabis_delivery'], 'which';
  ok $all->{consent_required}, 'consent_required';
  is $all->{data_retention_days}, 7, 'the shortest retention';
  my $none = check('use_cases=cannabis_delivery&jurisdiction=DE')->json->{most_restrictive};
  is $none->{required_age_tier}, undef, 'nothing but prohibited: no tier';
  is_deeply $none->{allowed_methods}, [], 'and no methods';
  my $unlimited = check('use_cases=social_media&jurisdiction=DE')->json->{most_restrictive};
  is $unlimited->{data_retention_days}, undef, 'no limit is known';
  is @{check('jurisdiction=DE&use_cases=' . join ',', @products)->json->{results}},
    10, 'ten at once';
};

subtest 'where no jurisdiction is given' => sub {
  my $body = check('use_cases=firearms', 'X-Country' => 'DE', 'X-Region' => 'BY')->json;
  is $body->{jurisdiction}, 'DE-BY', 'detected from geo headers';
  is $body->{jurisdiction_source}, 'auto_detected', 'and says so';
  is $body->{results}[0]{jurisdiction}, 'DE-BY', 'in the results too';
  is check('use_cases=firearms&jurisdiction=FR', 'X-Country' => 'DE')
    ->json->{jurisdiction_source}, 'explicit', 'the parameter wins';
  error_is(check('use_cases=firearms'), 422, 'jurisdiction_unresolvable');
};

# Query, parameter.
my @faults = (
  ['jurisdiction=DE', 'use_cases'],
  ['use_cases=&jurisdiction=DE', 'use_cases'],
  ['use_cases=whisky&jurisdiction=DE', 'use_cases'],
  ['use_cases=firearms,&jurisdiction=DE', 'use_cases'],
  ['use_cases=,firearms&jurisdiction=DE', 'use_cases'],
  ['use_cases=FIREARMS&jurisdiction=DE', 'use_cases'],
  ['use_cases=firearms,%20tobacco_nicotine&jurisdiction=DE', 'use_cases'],
  ['use_cases=firearms,firearms&jurisdiction=DE', 'use_cases'],
  ['use_cases=' . join(',', @products, 'firearms') . '&jurisdiction=DE', 'use_cases'],
  ['use_cases=' . 'x' x 2000 . '&jurisdiction=DE', 'use_cases'],
  ['use_cases=firearms&jurisdiction=ZZ', 'jurisdiction'],
  ['use_cases=firearms&jurisdiction=', 'jurisdiction'],
  ['use_cases=firearms&jurisdiction=DE-BAYERN', 'jurisdiction'],
  ['jurisdiction=ZZ&use_cases=whisky', 'jurisdiction'],
  ['use_cases=whisky&jurisdiction=ZZ', 'use_cases'],
  ['use_cases=firearms&jurisdiction=DE&country=DE', 'country'],
  ['use_cases=firearms&jurisdiction=PR-SJ', 'jurisdiction'],
  (map { ["use_cases=firearms&jurisdiction=DE&as_of=$_", 'as_of'] }
    '2019-12-31', '2100-01-01', '2026', '2026-02-29', '2026-1-1', 'today', ''),
  (map { ["use_cases=firearms&jurisdiction=DE&article=$_", 'article'] }
    'absinthe', 'beer', ''),
);
error_is(check($_->[0]), 400, 'parameter_invalid', $_->[1],
  substr("refused: $_->[0]", 0, 70)) for @faults;

subtest 'who may ask' => sub {
  my $query = '/v1/compliance/check?use_cases=firearms&jurisdiction=DE';
  my $publishable = $service->client($service->key($organization->{id}, 'publishable'));
  is $publishable->get($query)->status, 200, 'a publishable key';
  error_is($service->client(undef)->get($query), 401, 'api_key_invalid', undef,
    'nobody without a key');
  my $answer = $client->post('/v1/compliance/check', {});
  error_is($answer, 405, 'method_not_allowed');
  is $answer->header('Allow'), 'GET, HEAD, OPTIONS', 'Allow';
};

subtest 'what it rests on' => sub {
  my $place = "/dashboard/v1/organizations/$organization->{id}/compliance/sources";
  my $ask = sub { $dashboard->client('olga')->get("$place?$_[0]") };
  my $parts = sub {
    my $answer = answer_is($ask->("use_cases=$_[0]&jurisdiction=$_[1]"), 200, "@_");
    is_deeply [@$answer{qw(object jurisdiction)}, $answer->{results}[0]{use_case}],
      ['compliance_sources', $_[1], $_[0]], 'of what was asked';
    return $answer->{results}[0]{parts};
  };
  my ($one, @more) = @{$parts->('alcohol_delivery', 'DE')};
  is_deeply [@$one{qw(file pointer confidence looked_up note)}, scalar @more],
    ['DE.json', '/rules/alcohol_delivery', 'high', '2026-01-31', undef, 0],
    'a rule of a country';
  is_deeply [map { [@$_{qw(kind url)}] } @{$one->{sources}}],
    [['statute', 'https://law.example/1']], 'with its sources';
  is_deeply [map { $_->{pointer} } @{$parts->('gambling_online', 'DE-BY')}],
    ['/regions/BY/rules/gambling_online', '/regions/BY/all', '/rules/gambling_online'],
    'of a region, what was laid over what';
  is $parts->('gambling_online', 'DE')->[0]{pointer}, '/regions/BY/rules/gambling_online',
    'of a country without one, the region of the highest age';
  is $parts->('alcohol_in_person', 'DE')->[0]{pointer}, '/rules/alcohol_in_person/1',
    'of several, the one of the day';
  my $then = answer_is($ask->('use_cases=alcohol_in_person,firearms&jurisdiction=DE'
    . '&as_of=2024-01-01'), 200);
  is_deeply [map { $_->{parts}[0]{pointer} } @{$then->{results}}],
    ['/rules/alcohol_in_person/0', '/rules/firearms'], 'of another day, of two';
  is_deeply $parts->('firearms', 'FR'), [], 'of nothing nothing';
  my $told = $service->verifyctl(qw(compliance sources), 'alcohol_in_person,firearms',
    qw(--jurisdiction DE --as-of 2024-01-01 --rules), $rules);
  is_deeply $told, $then, 'verifyctl says the same';
  error_is($ask->($_->[0]), 400, 'parameter_invalid', $_->[1], $_->[0])
    for ['use_cases=firearms', 'jurisdiction'], ['jurisdiction=DE', 'use_cases'],
      ['use_cases=firearms&jurisdiction=DE&as_of=1', 'as_of'],
      ['use_cases=firearms&jurisdiction=DE&article=beer', 'article'];
};

subtest 'a graceful restart reads the rules anew' => sub {
  my $file = "$rules/DE.json";
  open my $in, '<', $file or die "$file: $!\n";
  my $text = do { local $/; <$in> };
  open my $out, '>', $file or die "$file: $!\n";
  print $out $text =~ s/DE-7/DE-8/r;
  close $out;
  is result_of('firearms', 'DE-BY')->{rule_version} // result_of('alcohol_delivery',
    'DE')->{rule_version}, 'DE-7', 'not before';
  $service->graceful;
  ok wait_for {
    result_of('alcohol_delivery', 'DE')->{rule_version} eq 'DE-8'
  }, 'after it';
};

finish($service);
