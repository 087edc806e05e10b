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
    . write_list('disposable.json', 'throwaway.example', 'throwaway.test'),
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
  is $assessment->{risk_level}, 'low', 'level';
  is $assessment->{recommendation}, 'allow', 'recommendation';
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

subtest 'low, medium and high' => sub {
  my $low = score(email => 'specimen@company.example', ip => '8.8.8.9',
    claimed_country => 'US');
  is $low->{risk_score}, 0, 'nothing unusual';
  is $low->{risk_level}, 'low', 'low';
  is $low->{recommendation}, 'allow', 'allow';
  my $medium = score(email => 'specimen3@throwaway.example', ip => '8.8.8.3',
    claimed_country => 'DE');
  is $medium->{risk_score}, 65, 'two things that are unusual';
  is $medium->{risk_level}, 'medium', 'medium';
  is $medium->{recommendation}, 'review', 'review';
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
  my $tagged = score(email => 'specimen+shop@company.example');
  is_deeply $tagged->{triggered_signals}, ['email_tagged'], 'a plus-tag';
  is_deeply score(email => 'x7f9k2m4q1@company.example')->{triggered_signals},
    ['email_random'], 'a made-up one';
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
  my $internet = score(phone => '+44 56 1234 5678');
  ok fired($internet, 'phone_voip'), 'of internet telephony';
  ok !fired($internet, 'phone_service'), 'and of no service';
  ok fired(score(phone => '+1 900 234 5678'), 'phone_service'), 'of a premium rate';
  ok !fired(score(phone => '+4915123456789'), 'phone_voip'), 'of a mobile phone';
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

# What counts are persons, whoever asks how often.
subtest 'velocity' => sub {
  my %limit = (email => 5, phone => 5, device_id => 10, ip => 30);
  my %value = (email => 'often@company.example', phone => '+4930999999',
    device_id => 'often', ip => '198.51.100.77');
  # By what persons are told apart with each.
  my %other = (email => sub { (device_id => "laptop-$_[0]") },
    phone => sub { (email => "caller$_[0]\@company.example") },
    device_id => sub { (email => "tablet$_[0]\@company.example") },
    ip => sub { (email => "guest$_[0]\@company.example") });
  for my $name (sort keys %limit) {
    my $signal = ($name =~ s/_id//r) . '_velocity';
    my ($limit, $other) = ($limit{$name}, $other{$name});
    my $last;
    $last = score($name => $value{$name}) for 1 .. $limit + 1;
    ok !fired($last, $signal), "$name alone is nobody, however often";
    $last = score($name => $value{$name}, $other->(1)) for 1 .. $limit + 1;
    ok !fired($last, $signal), 'one person is not many, however often';
    is detail($last, $signal)->{metadata}{persons}, 1, 'and is one';
    $last = score($name => $value{$name}, $other->($_)) for 2 .. $limit;
    ok !fired($last, $signal), "$limit persons are not too many";
    is detail($last, $signal)->{metadata}{persons}, $limit, 'counted';
    $last = score($name => $value{$name}, $other->($limit + 1));
    ok fired($last, $signal), 'one more is';
    is detail(score($name => $value{$name}, $other->($limit + 2)),
      $signal)->{metadata}{persons}, $limit + 1, 'counted no further';
  }
  my $stranger = $service->organization(sandbox => 1);
  my $answer = answer_is($stranger->{client}->post($path,
    {email => $value{email}}), 200);
  ok !fired($answer, 'email_velocity'), 'organizations are counted apart';
  $service->sql('UPDATE risk_observation SET created_at = created_at - 3601000
    WHERE organization_id = ?', $organization->{id});
  ok !fired(score(email => $value{email}), 'email_velocity'),
    'an hour later it is forgotten';
  score(ip => "2001:db8:1:2::$_", email => "six$_\@company.example") for 1 .. 30;
  ok fired(score(ip => '2001:db8:1:2:ffff::1', email => 'six@company.example'),
    'ip_velocity'), 'IPv6 is counted by its network';
};

# Thousands share the address of a carrier, and each has a device of their own.
subtest 'the address of a carrier' => sub {
  my %carrier = (ip => '198.51.100.99');
  my $last;
  $last = score(%carrier, email => "subscriber$_\@company.example",
    device_id => "phone-$_") for 1 .. 40;
  ok !fired($last, 'ip_velocity'), 'is no attack';
  is detail($last, 'ip_velocity')->{metadata}{persons}, 0, 'nobody counts';
  $last = score(%carrier, device_id => "nameless-$_") for 1 .. 40;
  ok !fired($last, 'ip_velocity'), 'nor are those without a name';
  $last = score(%carrier, email => "mule$_\@company.example",
    device_id => 'farm') for 1 .. 31;
  ok fired($last, 'ip_velocity'), 'many at one device in it are';
};

subtest 'one device, several persons' => sub {
  my %device = (device_id => 'shared');
  score(%device, email => "person$_\@company.example") for 1, 1, 2, 3, 4;
  my $last = score(%device, email => 'person2@company.example');
  ok !fired($last, 'device_shared'), 'four persons';
  $last = score(%device, phone => '+4930777777');
  ok fired($last, 'device_shared'), 'the fifth';
  is detail($last, 'device_shared')->{metadata}{persons}, 5, 'counted';
  is $last->{recommendation}, 'review', 'is worth a look';
};

subtest 'what an operator lists' => sub {
  my @org = ('--org' => $organization->{id}, '--by' => 'operator-3');
  my %value = (ip => '198.51.100.200', email => 'Barred@Company.example',
    phone => '+49 30 5555555', device => 'stolen-tablet',
    email_domain => 'Barred.Example');
  my %parameters = (ip => [ip => '198.51.100.200'],
    email => [email => 'barred@company.example'], phone => [phone => '+49305555555'],
    device => [device_id => 'stolen-tablet'],
    email_domain => [email => 'anybody@barred.example']);
  my %entry;
  for my $kind (sort keys %value) {
    my $signal = $kind =~ s/_domain//r . '_blocked';
    ok !fired(score(@{$parameters{$kind}}), $signal), "$kind: not listed";
    my $entry = $entry{$kind} = $service->verifyctl('risk', 'block', $kind,
      $value{$kind}, @org, '--note', 'chargebacks');
    is_deeply [@$entry{qw(object kind listing note by expires_at)}],
      ['risk_list_entry', $kind, 'block', 'chargebacks', 'operator-3', undef],
      'listed';
    is $entry->{value}, $kind eq 'email_domain' ? 'barred.example' : undef,
      'only what is not personal is shown';
    my $blocked = score(@{$parameters{$kind}});
    ok fired($blocked, $signal), 'it fires';
    is $blocked->{recommendation}, 'block', 'and is blocked';
    ok detail($blocked, $signal)->{reason} =~ /operator blocks/, 'for that reason';
  }
  my $stranger = $service->organization(sandbox => 1);
  ok !fired(answer_is($stranger->{client}->post($path, {ip => $value{ip}}), 200),
    'ip_blocked'), "another organization's lists are its own";

  my $kept = join "\n", map { $_->{t} }
    map { @{$service->sql("SELECT t::text AS t FROM $_ t")} }
    qw(risk_list_entry risk_list_change);
  unlike $kept, qr/198\.51|company|5555555|tablet/i, 'no personal value is kept';
  like $kept, qr/barred\.example/, 'but the domain';

  # An address is found by its value, and goes by its entry.
  my $found = $service->verifyctl(qw(risk list --kind email --value),
    'barred@company.example', '--org' => $organization->{id});
  is_deeply [map { $_->{id} } @$found], [$entry{email}{id}], 'found by its value';
  is scalar @{$service->verifyctl(qw(risk list --org), $organization->{id})}, 5,
    'all of them';
  is scalar @{$service->verifyctl(qw(risk list --limit 2 --org),
    $organization->{id}, '--starting-after', $entry{email}{id})}, 2, 'page by page';
  my $gone = $service->verifyctl('risk', 'remove', $entry{email}{id}, @org);
  ok $gone->{deleted}, 'removed';
  ok !fired(score(email => 'barred@company.example'), 'email_blocked'),
    'and counts no more';

  # One address of a domain that is blocked may be allowed.
  $service->verifyctl(qw(risk allow email vip@barred.example), @org);
  my $vip = score(email => 'vip@barred.example');
  ok !fired($vip, 'email_blocked'), 'an address has an entry of its own';
  $service->verifyctl(qw(risk allow email_domain throwaway.example), @org);
  my $allowed = score(email => 'x@throwaway.example', user_agent => 'curl/8');
  ok !fired($allowed, 'email_disposable'), 'what is allowed does not count';
  ok detail($allowed, 'email_disposable')->{metadata}{allowed}, 'which is told';
  ok fired($allowed, 'user_agent_automation'), 'other signals do';
  my $again = $service->verifyctl(qw(risk block email_domain throwaway.example),
    @org);
  ok fired(score(email => 'x@throwaway.example'), 'email_blocked'),
    'the last word counts';

  # Some entries end by themselves.
  my $brief = $service->verifyctl(qw(risk block ip 198.51.100.201 --days 2), @org);
  ok abs($brief->{expires_at} - time - 2 * 86400) < 60, 'for two days';
  ok fired(score(ip => '198.51.100.201'), 'ip_blocked'), 'now';
  $service->sql('UPDATE risk_list_entry SET expires_at = 1 WHERE id = ?',
    $brief->{id});
  ok !fired(score(ip => '198.51.100.201'), 'ip_blocked'), 'not after them';

  my @log = map { "$_->{action} $_->{kind} $_->{by}" } reverse @{$service->verifyctl(
    qw(risk changes --org), $organization->{id})};
  is_deeply \@log, [(map { "block $_ operator-3" } sort keys %value),
    'remove email operator-3', 'allow email operator-3',
    'allow email_domain operator-3', 'block email_domain operator-3',
    'block ip operator-3'], 'everything is written down';
  is scalar @{$service->verifyctl(qw(risk changes --org), $stranger->{id})}, 0,
    'for each organization';

  for my $bad ([qw(risk block ip 10.0.0)], [qw(risk block email nobody)],
    [qw(risk block phone 030)], [qw(risk block email_domain a@b.example)],
    [qw(risk block country DE)], [qw(risk block device), ''],
    [qw(risk block ip 192.0.2.1 --days 0)]) {
    ok !eval { $service->verifyctl(@$bad, @org); 1 }, "refused: @$bad";
  }
  ok !eval { $service->verifyctl('risk', 'remove', 'rle_' . '0' x 26, @org); 1 },
    'an unknown entry cannot be removed';
  ok !eval { $service->verifyctl(qw(risk block ip 192.0.2.1 --by x --org),
    'org_' . '0' x 26); 1 }, 'nor listed for nobody';
  is scalar @{$service->verifyctl(qw(risk changes --org), $organization->{id})},
    scalar @log, 'refusals changed nothing';
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
    [review => email => 'b@throwaway.test', ip => '8.8.8.4',
      claimed_country => 'DE'],
    [block => email => 'c@throwaway.test', phone => '+1202555012'],
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

subtest 'a policy in the shadow' => sub {
  my $policy = JSON::PP::decode_json(do { local (@ARGV, $/) = 'conf/risk.json'; <> });
  $policy->{shadow} = {all => JSON::PP::true, signals => []};
  open my $out, '>', "$directory/shadow.json" or die "shadow.json: $!\n";
  print $out JSON::PP::encode_json($policy);
  close $out;
  $service->stop_httpd;
  $service->{conf} = "${conf}VerifyRiskPolicy $directory/shadow.json\n";
  $service->start_httpd;
  my $session = answer_is($client->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $organization->{workflow_id},
      jurisdiction => 'US-CA'}), 201);
  my $assessment = score(email => 'z@throwaway.test', user_agent => 'curl/8',
    session_id => $session->{id});
  is $assessment->{recommendation}, 'block', 'what it is worth is told';
  is $service->sql_value('SELECT risk_tier FROM verification_session WHERE id = ?',
    $session->{id}), 'clear', 'and nothing follows for the session';
  $service->stop_httpd;
  $service->{conf} = $conf;
  $service->start_httpd;
};

subtest 'observations are forgotten' => sub {
  $service->sql('UPDATE risk_observation SET created_at = 1');
  $service->sql(q{INSERT INTO age_failure SELECT 'org_1', int4send(n),
    'vks_1', CASE n WHEN 1 THEN 1 ELSE ?::bigint END FROM generate_series(1, 2) n},
    time * 1000);
  $service->graceful;
  my $gone = wait_for {
    !$service->sql_value('SELECT count(*) FROM risk_observation')
      && $service->sql_value('SELECT count(*) FROM age_failure') == 1;
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
