# POST /v1/risk/score and GET /v1/risk/:id: every signal by what fires it.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::AddressDatabase;
use Verify::Test;

my $service = Verify::Instance->start(start => 0);
my $directory = $service->{directory};
sub write_list {
  my ($name, @domains) = @_;
  open my $out, '>', "$directory/$name" or die "$name: $!\n";
  print $out JSON::PP::encode_json(\@domains);
  close $out;
  return "$directory/$name";
}
Verify::AddressDatabase::write("$directory/geo.mmdb",
  '203.0.113.0/24' => ['US', 'CA'], '198.51.100.0/24' => ['DE'],
  '8.8.8.0/24' => ['US']);
my $vectors = '../shared/vectors/mmdb/GeoIP2-Anonymous-IP-Test.mmdb';
my $conf = join "\n", "VerifyGeoDatabase $directory/geo.mmdb",
  'VerifyRiskDisposableDomains '
    . write_list('disposable.json', 'throwaway.example'),
  'VerifyRiskFreeDomains '
    . write_list('free.json', 'free.example', 'throwaway.example'), '';
$conf .= "VerifyRiskAnonymizers $directory/anonymizers.mmdb\n" if -e $vectors;
if (-e $vectors) {
  require File::Copy;
  File::Copy::copy($vectors, "$directory/anonymizers.mmdb") or die "copy: $!\n";
}
$service->{conf} = $conf;
$service->start_httpd;

my $organization = $service->organization(sandbox => 1, workflow => 1);
my $client = $organization->{client};
my $path = '/v1/risk/score';
sub score {
  my (%parameters) = @_;
  return answer_is($client->post($path, \%parameters), 200,
    'scored ' . join ' ', sort keys %parameters);
}
sub fired {
  my ($assessment, $signal) = @_;
  return scalar grep { $_ eq $signal } @{$assessment->{triggered_signals}};
}
sub detail {
  my ($assessment, $signal) = @_;
  return (grep { $_->{name} eq $signal } @{$assessment->{signal_details}})[0];
}
my $number = 0;
sub device { 'device-' . ++$number }

subtest 'the assessment' => sub {
  my $assessment = score(email => 'specimen@throwaway.example');
  is_deeply [sort keys %$assessment], [sort qw(id object risk_score risk_level
    recommendation triggered_signals reasons signal_details created)],
    'exactly the fields of the interface';
  like $assessment->{id}, qr/\Arsk_[0-9a-z]{26}\z/, 'id';
  is $assessment->{object}, 'risk_assessment', 'object';
  is $assessment->{risk_score}, 45, 'the points of the policy';
  is $assessment->{risk_level}, 'medium', 'level';
  is $assessment->{recommendation}, 'review', 'recommendation';
  is_deeply $assessment->{triggered_signals}, ['email_disposable'], 'signals';
  is scalar @{$assessment->{reasons}}, 1, 'with a reason each';
  ok abs($assessment->{created} - time) < 60, 'created';
  for my $detail (@{$assessment->{signal_details}}) {
    is_deeply [sort keys %$detail], [qw(metadata name points reason triggered)],
      "$detail->{name} has its five members";
    is $detail->{points}, $detail->{triggered} ? 45 : 0, 'and its points';
  }
  my $found = answer_is($client->get("/v1/risk/$assessment->{id}"), 200);
  is_deeply $found, $assessment, 'can be retrieved as it was';
};

subtest 'low and high' => sub {
  my $low = score(email => 'specimen@company.example', ip => '8.8.8.9',
    claimed_country => 'US');
  is $low->{risk_score}, 0, 'nothing unusual';
  is $low->{risk_level}, 'low', 'low';
  is $low->{recommendation}, 'allow', 'allow';
  my $high = score(email => 'specimen2@throwaway.example',
    user_agent => 'curl/8.5.0');
  is $high->{risk_score}, 100, 'at most 100';
  is $high->{risk_level}, 'high', 'high';
  is $high->{recommendation}, 'block', 'block';
};

subtest 'addresses' => sub {
  ok fired(score(ip => $_), 'ip_reserved'), "$_ is reserved"
    for qw(10.1.2.3 127.0.0.1 192.168.0.1 169.254.1.1 100.64.0.1 ::1 fe80::1
      fd00::1 ::ffff:10.0.0.1 0.0.0.0 224.0.0.1);
  ok !fired(score(ip => $_), 'ip_reserved'), "$_ is public"
    for qw(8.8.8.8 2606:4700::1);
};

subtest 'hosting and anonymizers' => sub {
  plan skip_all => 'no ../shared/vectors/mmdb' unless -e $vectors;
  my %listed = ('71.160.223.1' => 'ip_hosting', '1.2.0.1' => 'ip_anonymizer',
    '186.30.236.1' => 'ip_anonymizer', '65.0.0.1' => 'ip_tor');
  ok fired(score(ip => $_), $listed{$_}), "$listed{$_}" for sort keys %listed;
  my $clean = score(ip => '8.8.8.8');
  ok !fired($clean, $_), "no $_" for qw(ip_hosting ip_anonymizer ip_tor);
  ok detail($clean, 'ip_tor'), 'but looked at';
};

subtest 'e-mail' => sub {
  my $free = score(email => 'specimen@free.example');
  ok fired($free, 'email_free'), 'a free service';
  ok !fired($free, 'email_disposable'), 'is not disposable';
  my $below = score(email => 'Specimen@Inbox.Throwaway.EXAMPLE');
  ok fired($below, 'email_disposable'), 'below a listed domain, any case';
  ok !fired($below, 'email_free'), 'disposable alone';
  ok !fired(score(email => 'specimen@notthrowaway.example'),
    'email_disposable'), 'not what only ends so';
};

subtest 'phone numbers' => sub {
  ok !fired(score(phone => $_), 'phone_implausible'), "$_ is plausible"
    for '+1 202 555 0123', '+49 30 123456', '+33123456789';
  ok fired(score(phone => $_), 'phone_implausible'), "$_ is not"
    for '+1 202 555 012', '+1 102 555 0123', '+21012345678', '+331234567';
  my $abroad = score(phone => '+4930123457', claimed_country => 'US');
  ok fired($abroad, 'phone_country_mismatch'), 'of another country';
  ok !fired(score(phone => '+4930123458', claimed_country => 'DE'),
    'phone_country_mismatch'), 'of the one claimed';
};

subtest 'automation' => sub {
  my $agent = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/120.0.0.0 Safari/537.36';
  ok !fired(score(device_id => device(), user_agent => $agent),
    'user_agent_automation'), 'a browser';
  ok fired(score(device_id => device(), user_agent => $agent
    =~ s/Chrome/HeadlessChrome/r), 'user_agent_automation'), 'a headless one';
};

subtest 'countries' => sub {
  my %us = (ip => '203.0.113.20');
  my %cases = (
    claimed_country_ip_mismatch => [{%us, claimed_country => 'DE'},
      {%us, claimed_country => 'US'}],
    document_country_ip_mismatch => [{%us, doc_country => 'DE'},
      {%us, doc_country => 'US', doc_region => 'CA'}],
    document_claimed_country_mismatch => [
      {%us, doc_country => 'US', doc_region => 'MD', claimed_country => 'US-CA'},
      {%us, doc_country => 'US', claimed_country => 'US-CA'}],
    required_jurisdiction_mismatch => [{%us, required_jurisdiction => 'US-MD'},
      {%us, required_jurisdiction => 'US'}],
  );
  for my $signal (sort keys %cases) {
    my ($differs, $agrees) = @{$cases{$signal}};
    ok fired(score(%$differs), $signal), "$signal";
    my $quiet = score(%$agrees);
    ok !fired($quiet, $signal), "no $signal";
    ok detail($quiet, $signal), 'but compared';
  }
  ok !detail(score(ip => '192.0.2.200', claimed_country => 'DE'),
    'claimed_country_ip_mismatch'), 'an unknown place is not compared';
};

subtest 'velocity' => sub {
  my %limit = (email => 5, phone => 5, device_id => 10, ip => 30);
  my %value = (email => 'often@company.example', phone => '+4930999999',
    device_id => 'often', ip => '198.51.100.77');
  for my $name (sort keys %limit) {
    my $signal = ($name =~ s/_id//r) . '_velocity';
    my $last;
    $last = score($name => $value{$name}) for 1 .. $limit{$name};
    ok !fired($last, $signal), "$limit{$name} of $name are not too many";
    $last = score($name => $value{$name});
    ok fired($last, $signal), 'one more is';
    is detail($last, $signal)->{metadata}{count}, $limit{$name} + 1, 'counted';
    is detail(score($name => $value{$name}), $signal)->{metadata}{count},
      $limit{$name} + 1, 'no further';
  }
  my $stranger = $service->organization(sandbox => 1);
  my $answer = answer_is($stranger->{client}->post($path,
    {email => $value{email}}), 200);
  ok !fired($answer, 'email_velocity'), 'organizations are counted apart';
  $service->sql('UPDATE risk_observation SET created_at = created_at - 3601000
    WHERE organization_id = ?', $organization->{id});
  ok !fired(score(email => $value{email}), 'email_velocity'),
    'an hour later it is forgotten';
  score(ip => "2001:db8:1:2::$_") for 1 .. 30;
  ok fired(score(ip => '2001:db8:1:2:ffff::1'), 'ip_velocity'),
    'IPv6 is counted by its network';
};

subtest 'one device, several persons' => sub {
  my %device = (device_id => 'shared');
  score(%device, email => "person$_\@company.example") for 1, 1, 2;
  my $last = score(%device, email => 'person2@company.example');
  ok !fired($last, 'device_shared'), 'two persons';
  $last = score(%device, phone => '+4930777777');
  ok fired($last, 'device_shared'), 'the third';
  is detail($last, 'device_shared')->{metadata}{persons}, 3, 'counted';
};

subtest 'what is kept' => sub {
  my @digests = grep { defined } map { values %$_ } @{$service->sql(
    'SELECT ip_digest, email_digest, phone_digest, device_digest, person_digest
       FROM risk_observation')};
  ok @digests && !grep({ length != 32 } @digests), 'digests only';
  my $text = join '', map { $_->{body} }
    @{$service->sql('SELECT body::text AS body FROM risk_assessment')};
  ok $text !~ /\@|specimen|198\.51|\+4930|company/i, 'and no identifier';
  $service->sql('UPDATE risk_observation SET created_at = 1');
  is $service->sql_value(q{SELECT count(*) FROM risk_observation
    WHERE email_digest = sha256('email:often@company.example')}),
    0, 'under a key of the server';
};

subtest 'the session' => sub {
  my $session = answer_is($client->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $organization->{workflow_id},
      jurisdiction => 'US-CA'}), 201);
  my %of = (session_id => $session->{id});
  my $listed = sub {
    return scalar grep { $_->{id} eq $session->{id} } @{answer_is(
      $client->get("/v1/verification_sessions?risk_tier=$_[0]"), 200)->{data}};
  };
  ok !$listed->('clear'), 'no tier at first';
  my @steps = ([clear => email => 'a@company.example'],
    [review => email => 'b@throwaway.example'],
    [block => email => 'c@throwaway.example', phone => '+1202555012'],
    [bot => device_id => 'bot', user_agent => 'curl/8']);
  for my $step (@steps) {
    my ($tier, @parameters) = @$step;
    score(%of, @parameters);
    ok $listed->($tier), $tier;
    score(%of, email => 'd@company.example');
    ok $listed->($tier), 'and a lower one later leaves it';
  }
  error_is($client->post($path, {email => 'a@company.example',
    session_id => 'vks_' . '0' x 26}), 404, 'session_not_found', 'session_id');
  my $stranger = $service->organization(sandbox => 1);
  error_is($stranger->{client}->post($path, {email => 'a@company.example', %of}),
    404, 'session_not_found', 'session_id', "another organization's");
};

subtest 'the request' => sub {
  my $before = $service->sql_value('SELECT count(*) FROM risk_assessment');
  error_is($client->post($path, {}), 400, 'parameter_invalid', 'ip');
  error_is($client->post($path, {user_agent => 'curl/8'}), 400,
    'parameter_invalid', 'ip', 'one identifier is needed');
  my @faults = (ip => '1.2.3', ip => '1.2.3.4.5', ip => 'host.example',
    ip => 7, email => 'nobody', phone => '030 1', device_id => '',
    device_id => 'd' x 256, user_agent => 'u' x 1025, claimed_country => 'ZZ',
    doc_country => 'USA', doc_country => 'QQ', doc_region => 'C-A',
    required_jurisdiction => 'Narnia', device => 'x');
  while (my ($name, $value) = splice @faults, 0, 2) {
    error_is($client->post($path, {device_id => 'd', doc_country => 'US',
      $name => $value}), 400, 'parameter_invalid', $name);
  }
  is $service->sql_value('SELECT count(*) FROM risk_assessment'), $before,
    'refusals kept nothing';
  error_is($client->get('/v1/risk/rsk_' . '0' x 26), 404, 'resource_missing');
  error_is($client->get('/v1/risk/x'), 404, 'resource_missing');
  my $own = score(device_id => 'mine');
  my $stranger = $service->organization(sandbox => 1);
  error_is($stranger->{client}->get("/v1/risk/$own->{id}"), 404,
    'resource_missing', undef, "another organization's");
  error_is($client->get("/v1/risk/$own->{id}?expand=x"), 400,
    'parameter_invalid', 'expand');
  my $publishable = $service->client(
    $service->key($organization->{id}, 'publishable'));
  error_is($publishable->post($path, {ip => '8.8.8.8'}), 403,
    'publishable_key_scope');
  my %once = ('Idempotency-Key' => 'risk-1');
  my $first = $client->post($path, {device_id => 'once'}, %once);
  is $client->post($path, {device_id => 'once'}, %once)->body, $first->body,
    'an idempotent repetition';
  error_is($client->post($path, {device_id => 'twice'}, %once), 400,
    'idempotency_key_reuse');
};

subtest 'observations are forgotten' => sub {
  $service->sql('UPDATE risk_observation SET created_at = 1');
  $service->graceful;
  my $gone = wait_for {
    !$service->sql_value('SELECT count(*) FROM risk_observation');
  };
  ok $gone, 'after 30 days';
};

$service->allow_log(qr/IDV0001/);
subtest 'a policy with a fault' => sub {
  $service->stop_httpd;
  open my $out, '>', "$directory/bad.json" or die "bad.json: $!\n";
  print $out '{"thresholds": {"medium": 70, "high": 30}}';
  close $out;
  $service->{conf} = "VerifyRiskPolicy $directory/bad.json\n";
  ok !eval { $service->start_httpd; 1 }, 'the server does not start';
  $service->{conf} = $conf;
  $service->start_httpd;
  answer_is($client->post($path, {ip => '8.8.8.8'}), 200, 'mended, it does');
};

finish($service);
