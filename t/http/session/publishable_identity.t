# What a browser says of a person is no proof: an e-mail address or phone number
# that was named by a publishable key is bound to nobody, selects nobody and
# shares nothing, and a jurisdiction that it names makes the law no milder.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Participant;
use Verify::Rules qw(country rule write_rules);
use Verify::Specimen;
use Verify::Test;

my ($yes, $no) = (JSON::PP::true, JSON::PP::false);
my $rules = write_rules(
  country('DE', {alcohol_delivery => rule(prohibited => $no, minimum_age => 16)}),
  country('US', {alcohol_delivery => rule(prohibited => $no, minimum_age => 21)},
    regions => {UT => {name => 'Region', rules => {alcohol_delivery =>
      rule(prohibited => $yes, prohibited_reason => 'Dry.')}}}));
my $service = Verify::Instance->start(start => 0);
my $provider = $service->receiver;
my $secret_file = "$service->{directory}/captcha.secret";
open my $out, '>', $secret_file or die "captcha.secret: $!\n";
chmod 0600, $secret_file;
print $out "provider-secret\n";
close $out;
$service->{conf} = join "\n", 'VerifyCaptcha turnstile', 'VerifyTestIssuers on',
  "VerifyCaptchaSecretFile $secret_file",
  'VerifyCaptchaURL ' . $provider->url('/siteverify'),
  'VerifyCaptchaCAFile ' . $service->ca_file, 'VerifyGeoHeaders X-Country X-Region',
  "VerifyComplianceRules $rules", '';
$service->start_httpd;
$provider->behave({headers => {'Content-Type' => 'application/json'},
  body => JSON::PP::encode_json({success => $yes})});

my $shop = participant($service);
my $stranger = participant($service);
my $browser = $service->client(
  $service->key($shop->{id}, 'publishable', '--app', $shop->{app_id}));
my @email = (email => 'victim@example.com');
my @phone = (phone => '+15550104477');

sub browse {
  my ($parameters, %headers) = @_;
  return $browser->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $shop->{workflow_id}, jurisdiction => 'US-CA',
    captcha_token => 'token', %$parameters}, %headers);
}
sub lookup {
  return answer_is($shop->{client}->post('/v1/verified_person/lookup', {@_}), 200);
}
sub nobody_is_known {
  my ($name, @who) = @_;
  is lookup(@who)->{verified}, $no, "$name: a look-up knows nobody";
  error_is(create_session($shop, @who, accept_existing => $yes), 400,
    'no_matching_vp', undef, "$name: nor does accept_existing");
  is answer_is(create_session($stranger, @who), 201)->{verification_path}, undef,
    "$name: nor does another organization";
}
sub token_of {
  my ($session) = @_;
  return $service->client($session->{client_secret})
    ->get("/v1/widget/sessions/$session->{id}")->json->{vp_token};
}

subtest 'a stranger verifies under the names of a victim' => sub {
  my $session = answer_is(browse({@email, @phone}), 201);
  ok !$service->client($session->{client_secret})
    ->get("/v1/widget/sessions/$session->{id}")->json->{trust_reuse_available},
    'the widget does not ask to share';
  is show_specimen($service, $session, share => $yes)->{status}, 'verified',
    'verified with a document of their own';
  nobody_is_known('by e-mail', @email);
  nobody_is_known('by phone', @phone);
  is $service->sql_value('SELECT count(*) FROM person_identifier'), 0,
    'nothing is bound';
  is $service->sql_value('SELECT count(*) FROM shared_credential'), 0,
    'nothing is shared';
  is answer_is(create_session($shop, vp_token => token_of($session)),
    201)->{status}, 'verified', 'what was verified can be shown by its token';
  is answer_is(create_session($shop, credential_hash =>
      $shop->{client}->get("/v1/verification_sessions/$session->{id}?expand[]=results")
        ->json->{results}[0]{credential_hash}), 201)->{status}, 'verified',
    'and be named by its hash';
};

subtest 'nor does a sandbox without a document' => sub {
  is answer_is(browse({@email, skip_verification => $yes}), 201)->{status},
    'verified', 'skipped';
  nobody_is_known('by e-mail', @email);
};

subtest 'what a server names is bound as ever' => sub {
  answer_is(create_session($shop, @email, skip_verification => $yes), 201);
  is lookup(@email)->{verified}, $yes, 'found';
};

# A count of attempts that browsers could use up, or read, would tell who is
# being asked for.
subtest 'a browser asks for a person' => sub {
  for my $who ('victim@example.com', 'nobody@example.com') {
    error_is(browse({email => $who, accept_existing => $yes}), 400,
      'email_not_verified', undef, "the same answer, $who, time $_") for 1 .. 12;
  }
  is answer_is(create_session($shop, @email, accept_existing => $yes),
    201)->{verification_path}, 'credential_reuse', 'the server can ask still';
  error_is(browse({credential_hash => 'ab' x 32}), 400, 'email_not_verified');
};

subtest 'another organization shares the person' => sub {
  verify_sharing($service, $stranger, email => 'shared@example.com');
  is answer_is(create_session($shop, email => 'shared@example.com'),
    201)->{verification_path}, 'trust_reuse', 'with its server';
  is answer_is(browse({email => 'shared@example.com'}), 201)->{status}, 'created',
    'not with its browsers';
};

subtest 'an erasure reaches what browsers made under the name' => sub {
  my $session = answer_is(browse({@email, skip_verification => $yes}), 201);
  my $token = token_of($session);
  answer_is(create_session($shop, vp_token => $token), 201);
  my $stays = token_of(answer_is(browse({email => 'other@example.com',
    skip_verification => $yes}), 201));
  $service->verifyctl(qw(person erase), lookup(@email)->{verified_person_id});
  error_is(create_session($shop, vp_token => $token), 400, 'vp_token_invalid', undef,
    'its token is gone');
  is $service->sql_value("SELECT count(*) FROM $_ WHERE session_id = ?", $session->{id}),
    0, "no $_" for qw(credential vp_token);
  is $service->sql_value('SELECT count(*) FROM vp_token_presentation p
    WHERE NOT EXISTS (SELECT FROM credential c WHERE c.id = p.credential_id)'), 0,
    'nor any use of it';
  is answer_is(create_session($shop, vp_token => $stays), 201)->{status}, 'verified',
    'those of others stay';
};

# --- the jurisdiction ---

my $selling = $service->publish($shop->{id},
  sharing_workflow(use_case => 'alcohol_delivery'))->{id};
sub place {
  my ($declared, $country, $region, $client) = @_;
  my @geo = ($country ? ('X-Country' => $country) : (),
    $region ? ('X-Region' => $region) : ());
  my %more = (workflow_id => $selling,
    $declared ? (jurisdiction => $declared) : ());
  return $client
    ? $client->post('/v1/verification_sessions', {type => 'age', %more}, @geo)
    : browse(\%more, @geo);
}
sub placed_ok {
  my ($name, $answer, @expected) = @_;
  my $session = answer_is($answer, 201, $name);
  is_deeply [@$session{qw(jurisdiction age_tier jurisdiction_audit_declared
    jurisdiction_audit_ip_derived jurisdiction_audit_resolved
    jurisdiction_audit_source jurisdiction_audit_mismatch)}], \@expected, $name;
  return $session;
}
sub signals_of {
  my ($session) = @_;
  return map { @{JSON::PP::decode_json($_->{body})->{triggered_signals}} }
    @{$service->sql('SELECT body FROM risk_assessment WHERE session_id = ?',
      $session->{id})};
}

subtest 'the stricter of two jurisdictions decides' => sub {
  my $evading = placed_ok('a milder one is named', place('DE', 'US'),
    'US', 'min_age_21', 'DE', 'US', 'US', 'geo_header', $yes);
  is_deeply [signals_of($evading)], ['claimed_country_ip_mismatch'],
    'which is a risk signal';
  my $honest = placed_ok('a stricter one is named', place('US', 'DE'),
    'US', 'min_age_21', 'US', 'DE', 'US', 'explicit', $yes);
  is_deeply [signals_of($honest)], ['claimed_country_ip_mismatch'],
    'which is one too';
  my $same = placed_ok('the same', place('DE', 'DE'), 'DE', 'min_age_16', 'DE',
    'DE', 'DE', 'explicit', $no);
  is_deeply [signals_of($same)], [], 'which is none';
  placed_ok('a place that nobody knows', place('DE'), 'DE', 'min_age_16', 'DE',
    undef, 'DE', 'explicit', undef);
  placed_ok('as strict', place('US-CA', 'US', 'NV'), 'US-CA', 'min_age_21',
    'US-CA', 'US-NV', 'US-CA', 'explicit', $yes);
  error_is(place('DE', 'US', 'UT'), 422, 'use_case_prohibited', undef,
    'a prohibition is strictest');
  error_is(place('US', 'US', 'UT'), 422, 'use_case_prohibited', undef,
    'and is not evaded by leaving out the region');
  placed_ok("a server's word stands", place('DE', 'US', undef, $shop->{app}),
    'DE', 'min_age_16', 'DE', 'US', 'DE', 'explicit', $yes);
};

finish($service);
