# The examples of conf/workflows/README.md do what that page says of them.
use v5.32;
use warnings;
use FindBin;
use JSON::PP ();
use Verify::AddressDatabase;
use Verify::Specimen;
use Verify::Test;

my $root = "$FindBin::Bin/../../..";
my $service = Verify::Instance->start(start => 0);
my $directory = $service->{directory};
Verify::AddressDatabase::write("$directory/addresses.mmdb",
  '8.8.8.0/24' => ['US', 'CA'], '9.9.9.0/24' => ['GB']);
$service->{conf} = <<"CONF";
LoadModule remoteip_module \${VERIFY_MODULES}/mod_remoteip.so
RemoteIPHeader X-Forwarded-For
RemoteIPInternalProxy 127.0.0.0/8
VerifyGeoDatabase $directory/addresses.mmdb
VerifyTestIssuers on
CONF
$service->start_httpd;
my $organization = $service->organization(sandbox => 1);
my $client = $organization->{client};
my %id = map { m{(\w+)\.json\z} => $service->publish($organization->{id}, $_)->{id} }
  glob "$root/conf/workflows/*.json";
my $sessions = '/v1/verification_sessions';
my $browser = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/120.0.0.0 Safari/537.36';
my $count = 0;

sub create {
  my ($example, %parameters) = @_;
  return $client->post($sessions, {type => 'age', workflow_id => $id{$example},
    jurisdiction => 'US-CA', %parameters});
}
# The session after its widget was opened, by a program's browser or a person's.
sub opened {
  my ($session, $agent) = @_;
  my $person = $service->client($session->{client_secret})->with(headers => {
    'User-Agent' => $agent // $browser, 'X-Forwarded-For' =>
      ($session->{jurisdiction} eq 'GB' ? '9.9.9.' : '8.8.8.') . ++$count});
  my $path = "/v1/widget/sessions/$session->{id}";
  answer_is($person->post("$path/open", {device_id => "device-$count",
    webdriver => $agent ? JSON::PP::true : JSON::PP::false}), 200);
  return wait_for {
    my $now = $client->get("$sessions/$session->{id}")->json;
    my $stands = $now->{current_method} || $now->{status} =~ /under_review|failed/;
    $stands && $now;
  };
}

subtest 'the least' => sub {
  my $session = answer_is(create('demonstration'), 201);
  is $session->{age_tier}, 'min_age_18', '18, as it says';
  my $view = show_specimen($service, $session);
  is $view->{status}, 'verified', 'one document is enough';
};

subtest 'who somebody is' => sub {
  my $session = answer_is(create('identity', type => 'identity'), 201);
  my $photograph = Verify::Specimen::photograph();
  for my $attempt (1 .. 3) {
    my $view = show_pictures($service, $session, $photograph);
    is_deeply $view->{checks_failed}, ['assurance_insufficient'],
      "one code is not, for the $attempt. time" if $attempt < 3;
    is $view->{status}, $attempt < 3 ? 'requires_input' : 'under_review', 'the status';
  }
  is $service->verifyctl(qw(review decide), $session->{id}, qw(approve --by reviewer))
    ->{status}, 'verified', 'approved after a try: verified';
  error_is(create('identity'), 400, 'parameter_invalid', 'type', 'ages are not its matter');
};

subtest 'the law decides' => sub {
  is answer_is(create('alcohol_delivery', jurisdiction => $_->[0]), 201)->{age_tier},
    $_->[1], "the age in $_->[0]" for ['US-CA', 'min_age_21'], ['DE', 'min_age_18'];
  error_is(create('alcohol_delivery', jurisdiction => 'US-UT'), 422,
    'use_case_prohibited', undef, 'and where it is forbidden');
  error_is(create('alcohol_delivery', jurisdiction => 'FR'), 400, 'parameter_invalid',
    'jurisdiction', 'and where it is not offered');
  my $quiet = opened(answer_is(create('alcohol_delivery'), 201));
  is $quiet->{current_method}, 'document_capture', 'low: the document';
};

subtest 'stricter where the risk is higher' => sub {
  my $quiet = answer_is(create('risk_based', jurisdiction => 'GB'), 201);
  is opened($quiet)->{current_method}, 'document_capture', 'low: the document';
  is show_pictures($service, $quiet, Verify::Specimen::photograph())->{status},
    'verified', 'of which one code is enough';
  my $risky = answer_is(create('risk_based', jurisdiction => 'GB'), 201);
  is opened($risky, 'HeadlessChrome/120.0')->{current_method}, 'document_capture',
    'a program: the document';
  my $view = show_pictures($service, $risky, Verify::Specimen::photograph());
  is_deeply $view->{checks_failed}, ['assurance_insufficient'],
    'of which one code is not';
  is show_pictures($service, $risky, Verify::Specimen::photograph())->{status},
    'under_review', 'twice tried: a person looks';
};

subtest 'returning customers' => sub {
  my %known = (email => 'returning@example.com');
  my $first = answer_is(create('returning_customers', %known,
    skip_verification => JSON::PP::true), 201);
  is $first->{status}, 'verified', 'verified before';
  my $again = answer_is(create('returning_customers', %known,
    accept_existing => JSON::PP::true), 201);
  is_deeply [@$again{qw(status verification_path)}], [qw(verified credential_reuse)],
    'verified at creation';
  my $view = answer_is($service->client($first->{client_secret})
    ->get("/v1/widget/sessions/$first->{id}"), 200);
  ok my $token = $view->{vp_token}, 'a token';
  error_is(create('returning_customers', vp_token => $token,
    email => 'other@example.com'), 400, 'vp_token_invalid', undef,
    'of which somebody else has nothing');
  is answer_is(create('returning_customers', vp_token => $token, %known), 201)
    ->{verification_path}, 'vp_token', 'but its person has';
};

subtest 'at the counter' => sub {
  my $session = answer_is(create('at_the_counter'), 201);
  is $session->{age_tier}, 'min_age_21', 'of age for anything';
  is $session->{expires_at} - $session->{created}, 600, 'in ten minutes';
};

finish($service);
