# Secrets and persons are in no answer of a list or retrieval, no event, no
# delivery, no column of the database, no log, even at its most talkative.
use v5.32;
use warnings;
use Verify::Conformance;
use Verify::Description;
use Verify::Disclosure qw(known_in);
use Verify::MailReceiver;
use Verify::Participant;
use Verify::Specimen;

my $service = Verify::Instance->start(start => 0);
my $directory = $service->{directory};
$service->script('certificate', qw(issue mail), 'DNS:localhost,IP:127.0.0.1');
my $mail = Verify::MailReceiver->new(directory => "$directory/mail",
  certificate => "$directory/tls/mail.pem", key => "$directory/tls/mail.key",
  login => 'verify:smtp-password-1')->start;
my $captcha = $service->receiver;
sub put {
  my ($name, $text) = @_;
  open my $file, '>', "$directory/$name" or die "$name: $!\n";
  chmod 0600, $file;
  print $file "$text\n";
  close $file;
  return "$directory/$name";
}
$service->{conf} = join "\n", 'VerifyTestIssuers on', 'LogLevel debug verify:trace8',
  'VerifyPublicURL https://verify.example/', 'VerifySMTP ' . $mail->url,
  'VerifySMTPFrom verify@example.org', "VerifySMTPCAFile $directory/tls/ca.pem",
  'VerifySMTPUser verify',
  'VerifySMTPPasswordFile ' . put('smtp.password', 'smtp-password-1'),
  'VerifyCaptcha turnstile',
  'VerifyCaptchaSecretFile ' . put('captcha.secret', 'captcha-secret-1'),
  'VerifyCaptchaURL ' . $captcha->url('/siteverify'),
  'VerifyCaptchaCAFile ' . $service->ca_file, '';
$service->start_httpd;

my $source = participant($service);
my $target = participant($service);
my $client = $target->{client};
my $sessions = '/v1/verification_sessions';
my %least = (type => 'age', workflow_id => $target->{workflow_id},
  jurisdiction => 'US-CA');
my %secrets = ('smtp password' => 'smtp-password-1',
  'captcha secret' => 'captcha-secret-1', 'captcha token' => 'captcha-token-1',
  'person: e-mail' => 'Person.One@example.com', 'person: phone' => '+12025550143',
  'person: address' => '203.0.113.77', 'person: address 6' => '2001:db8:77::77',
  'person: device' => 'device-of-person-1', 'person: scored' => 'scored@example.com',
  'person: unknown' => 'unknown@example.com',
  'person: proxy' => '198.51.100.33', 'a garbage key' => 'svc_sk_' . 'x' x 40,
  'person: name 1' => 'MUSTERMANN', 'person: name 2' => 'SAMPLE-CARD',
  'person: name 3' => 'TESTPERSON', 'person: town' => 'TESTVILLE', 'person: street' => 'SPECIMEN STREET',
  map { ("key $_" => $service->key($target->{id}, $_)) } qw(secret publishable));
chomp($secrets{'master key'} = do {
  open my $file, '<', "$directory/master.key" or die; readline $file });
$secrets{'key source'} = $source->{secret_key};
$secrets{'key target'} = $target->{secret_key};

subtest 'everything is exercised' => sub {
  my $receiver = $service->receiver;
  my $endpoint = answer_is($client->post('/v1/webhook_endpoints',
    {url => $receiver->url, enabled_events => ['*']}), 201);
  $secrets{'signing secret'} = $endpoint->{secret};
  $secrets{'rotated secret'} = answer_is($client->post(
    "/v1/webhook_endpoints/$endpoint->{id}/rotate-secret"), 200)->{secret};
  answer_is($client->post("/v1/webhook_endpoints/$endpoint->{id}/test"), 200);
  # A token in a receiver's address is shown to its owner, but not logged.
  my $closed = answer_is($client->post('/v1/webhook_endpoints',
    {url => 'https://127.0.0.1:1/hook?token=receiver-token-1',
      enabled_events => ['session_review.escalated']}), 201);
  answer_is($client->post("/v1/webhook_endpoints/$closed->{id}/test"), 200);
  ok wait_for { my ($one) = @{$client->get("/v1/webhook_endpoints/$closed->{id}"
    . '/deliveries')->json->{data}}; $one && $one->{last_error} }, 'a failed delivery';
  my %who = (email => $secrets{'person: e-mail'}, phone => $secrets{'person: phone'});
  my ($shared) = verify_sharing($service, $source, %who);
  $secrets{'client secret'} = $shared->{client_secret};
  my $reused = answer_is(create_session($target, %who), 201);
  is $reused->{verification_path}, 'trust_reuse', 'reused';
  $secrets{'reused secret'} = $reused->{client_secret};
  my $own = answer_is($client->post($sessions, {%least, %who},
    'Idempotency-Key' => 'kept', 'X-Forwarded-For' => $secrets{'person: proxy'}), 201);
  $secrets{'session secret'} = $own->{client_secret};
  is $client->post($sessions, {%least, %who}, 'Idempotency-Key' => 'kept')->json
    ->{client_secret}, $own->{client_secret}, 'replayed';
  is show_specimen($service, $own, share => $true)->{status}, 'verified', 'verified';
  $secrets{'token of one'} = $service->client($own->{client_secret})
    ->get("/v1/widget/sessions/$own->{id}")->json->{vp_token};
  ok $secrets{'token of one'}, 'a token';
  answer_is($client->post($sessions, {%least, vp_token => $secrets{'token of one'}}), 201);
  $client->post($sessions, {%least, accept_existing => $true,
    email => $secrets{$_}}) for 'person: e-mail', 'person: unknown';
  answer_is($client->post('/v1/verified_person/lookup', {%who}), 200);
  answer_is($client->post('/v1/risk/score', {ip => $secrets{'person: address'},
    email => $secrets{'person: scored'}, phone => $secrets{'person: phone'},
    device_id => $secrets{'person: device'}, session_id => $own->{id},
    user_agent => 'curl/8'}), 200);
  answer_is($client->post('/v1/risk/score', {ip => $secrets{'person: address 6'}}), 200);
  $captcha->behave({headers => {'Content-Type' => 'application/json'},
    body => '{"success": true}'});
  my $browser = $service->client($secrets{'key publishable'});
  my $made = answer_is($browser->post($sessions, {%least,
    captcha_token => $secrets{'captcha token'}}), 201);
  $secrets{'browser secret'} = $made->{client_secret};
  answer_is($browser->get("$sessions/$made->{id}",
    'X-Service-Session-Secret' => $made->{client_secret}), 200);
  # Faults, in whose messages and logs the values must not be.
  $client->post($sessions, {%least, $_->[0] => $_->[1]}) for
    [email => "$secrets{'person: e-mail'}\n"], [phone => "$secrets{'person: phone'}x"],
    [vp_token => "$secrets{'token of one'}x"], [return_url => $own->{client_secret}],
    [$secrets{'token of one'} => 1];
  $client->get("$sessions?search=$secrets{'person: phone'}");
  $client->get("/v1/none/$_") for 'x';
  $service->client($secrets{'a garbage key'})->get($sessions);
  $client->request_with_body('POST', $sessions, "{\"email\":\"$who{email}\"");
  ok $mail->wait_for_mail(sub { 1 }), 'the person was told of the grant';
  ok wait_for { !$service->sql_value('SELECT count(*) FROM outgoing_mail') }, 'sent';
  ok wait_for { !@{$client->get("/v1/webhook_endpoints/$endpoint->{id}/deliveries"
    . '?status=pending')->json->{data}} }, 'delivered';
  $service->verifyctl(qw(review decide), $own->{id}, 'approve', '--by', 'x')
    if answer_is($client->post("/v1/session_reviews/sessions/$own->{id}/flag",
    {reason => 'checked'}), 200);
  is_deeply [map { known_in($_->{body}, %secrets) } $receiver->requests], [],
    'no webhook holds any';
  cmp_ok scalar($receiver->requests), '>', 6, 'of many';
};

subtest 'no list or retrieval shows any' => sub {
  my %operations = Verify::Description->load->operations;
  my %ids = ("$sessions/{id}" => sub { identities($client->get("$sessions?limit=100")->json) },
    '/v1/events/{id}' => sub { identities($client->get('/v1/events?limit=100')->json) },
    '/v1/risk/{id}' => sub { map { $_->{id} } @{$service->sql('SELECT id FROM
      risk_assessment')} });
  my (undef, $endpoint) = identities($client->get('/v1/webhook_endpoints')->json);
  my $deliveries = "/v1/webhook_endpoints/$endpoint/deliveries";
  my @paths = map { "$deliveries/$_" } identities($client->get("$deliveries?limit=100")
    ->json);
  for my $operation (sort grep { /\AGET \/v1/ && !/widget/ } keys %operations) {
    my ($template) = $operation =~ / (.+)/;
    next if $template =~ /delivery_id/;
    if ($ids{$template}) { push @paths, map { $template =~ s/\{id\}/$_/r }
      $ids{$template}->() }
    else { push @paths, ($template =~ s/\{id\}/$endpoint/r)
      . ($operations{$operation}{parameters} && $template !~ /\{id\}\z/
        ? '?limit=100' : '') }
  }
  push @paths, map { "$_?expand[]=results&expand[]=document" }
    grep { m{\A$sessions/} } @paths;
  my @found;
  for my $path (@paths) {
    for my $one ($client, $source->{client}, $target->{app}) {
      my $answer = $one->get($path);
      push @found, map { "$path: $_" } known_in($answer->body, %secrets);
      push @found, map { "$path: header: $_" } known_in(join(' ',
        map { ref ? @$_ : $_ } values %{$answer->{headers}}), %secrets);
    }
  }
  is_deeply \@found, [], scalar(@paths) . ' paths by three keys';
};

subtest 'no column of the database holds any' => sub {
  my %field = map { split /=/, $_, 2 } split ' ', $service->{conninfo};
  local $ENV{PGPASSWORD} = $field{password};
  open my $pipe, '-|', 'pg_dump', '--inserts', '-h', $field{host}, '-p', $field{port},
    '-U', $field{user}, $field{dbname} or die "pg_dump: $!\n";
  my $dump = do { local $/; readline $pipe };
  ok close($pipe) && length $dump > 50_000, 'dumped';
  like $dump, qr/INSERT INTO public\.verification_session /, 'with its rows';
  my @lines = split /\n/, $dump;
  my @found = known_in($dump, %secrets);
  for my $found (@found) {
    my ($name) = grep { $found =~ /\A\Q$_\E / } keys %secrets;
    diag $found, ': ', map { substr($_, 0, 60) . "\n" } grep {
      known_in($_, $name => $secrets{$name}) } @lines;
  }
  is_deeply \@found, [], 'in no form';
};

subtest 'no log holds any' => sub {
  $service->stop_httpd;
  my @found;
  for my $log (sort keys %{$service->{logs}}) {
    open my $file, '<', $log or next;
    seek $file, $service->{logs}{$log} // 0, 0;
    local $/;
    my $text = readline $file // '';
    push @found, map { "$log: $_" } known_in($text, %secrets,
      'receiver token' => 'receiver-token-1');
    ok length $text > 1000, "$log says something" if $log =~ m{/(?:error|access)\.log};
  }
  is_deeply \@found, [], 'in no form';
};

finish($service);
