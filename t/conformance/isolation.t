# What belongs to another organization, or to another application, is exactly
# as missing as what never was: for every route and parameter of openapi.json
# that takes an id, so that a new one is held by itself.
use v5.32;
use warnings;
use Verify::Conformance;
use Verify::Description;
use Verify::Specimen;

my $service = Verify::Instance->start(conf => "VerifyTestIssuers on\n");
my $description = Verify::Description->load;
my %operations = $description->api_operations;
my $sessions = '/v1/verification_sessions';

sub workflow {
  return {name => 'Isolation', start => 'id', trust_reuse => {accept => $true},
    nodes => {id => {type => 'methods', methods => ['document_capture'],
        next => {passed => 'yes', exhausted => 'no'}},
      yes => {type => 'outcome', status => 'verified'},
      no => {type => 'outcome', status => 'failed'}}};
}
sub application {
  my ($organization) = @_;
  my $app = $service->verifyctl(qw(app create --org), $organization->{id},
    qw(--name App))->{id};
  my $client = $service->client($service->key($organization->{id}, 'secret',
    '--app', $app));
  $client->patch('/v1/trust_reuse/settings', {enabled => $true,
    accept_liability => $true});
  return ($app, $client);
}

# Everything that has an id, made by CLIENT.
sub make_all {
  my ($client, $workflow_id, $email) = @_;
  my %made;
  my $create = sub { answer_is($client->post($sessions, {type => 'age',
    jurisdiction => 'US-CA', workflow_id => $workflow_id, @_}), 201, 'session') };
  my $endpoint = answer_is($client->post('/v1/webhook_endpoints',
    {url => 'https://127.0.0.1:1/closed', enabled_events => ['*']}), 201, 'endpoint');
  my $session = $create->(email => $email, client_reference_id => 'victims-own');
  show_specimen($service, $session, share => $true);
  my $open = $create->();
  my $view = $service->client($session->{client_secret})
    ->get("/v1/widget/sessions/$session->{id}")->json;
  my $risk = answer_is($client->post('/v1/risk/score', {device_id => 'd',
    session_id => $session->{id}}), 200, 'assessment');
  my $path = "/v1/webhook_endpoints/$endpoint->{id}/deliveries";
  my ($delivery) = identities(wait_for { my $list = $client->get($path)->json;
    @{$list->{data}} && $list });
  my ($event) = identities($client->get('/v1/events')->json);
  return (vks => $open->{id}, verified => $session->{id}, we => $endpoint->{id},
    rsk => $risk->{id}, whd => $delivery, evt => $event, wf => $workflow_id,
    vp_token => $view->{vp_token}, client_secret => $open->{client_secret});
}

my $victim = $service->organization(sandbox => 1, workflow => workflow());
my ($victim_app, $victim_client) = application($victim);
my $source = $service->organization(sandbox => 1, workflow => workflow());
my (undef, $source_client) = application($source);
make_all($source_client, $source->{workflow_id}, 'shared@example.com');
my %theirs = make_all($victim_client, $victim->{workflow_id}, 'victim@example.com');
answer_is($victim_client->post($sessions, {type => 'age', jurisdiction => 'US-CA',
  workflow_id => $victim->{workflow_id}, email => 'shared@example.com'}), 201);
($theirs{trg}) = identities($victim->{client}->get('/v1/trust_reuse/grants')->json);
like $theirs{trg}, qr/\Atrg_/, 'the victim holds a grant';
$theirs{lvc} = 'lvc_' . '1' x 26;  # of a session of theirs, which decides
my %wide = make_all($victim->{client}, $victim->{workflow_id}, 'wide@example.com');

my $attacker = $service->organization(sandbox => 1, workflow => workflow());
my (undef, $attackers_app) = application($attacker);
my %own = make_all($attacker->{client}, $attacker->{workflow_id}, 'own@example.com');
my $live = $service->organization(workflow => workflow());
my (undef, $beside) = application($victim);

# The same shape, but never given to anything.
sub unknown {
  my ($id) = @_;
  my ($prefix, $rest) = $id =~ /\A([a-z]+_)(.*)\z/;
  return $prefix . '0' x length $rest;
}

# Which kind of id a parameter of a route is; a new one has to be told here.
sub kind_of_id {
  my ($template, $name) = @_;
  return 'whd' if $name eq 'delivery_id';
  return 'lvc' if $name eq 'challenge';
  return if $name ne 'id';
  my @kinds = (vks => qr{/sessions?/|/verification_sessions/|\A/verify/},
    rsk => qr{/risk/}, we => qr{/webhook_endpoints/}, evt => qr{/events/},
    trg => qr{/grants/});
  while (my ($kind, $pattern) = splice @kinds, 0, 2) {
    return $kind if $template =~ $pattern;
  }
  return;
}

# A request to OPERATION with these ids; its body is the least that fits.
my %bodies = (Consent => {consent => $true},
  Submission => {method => 'document_capture', images => ['front']},
  Redemption => {vp_token => 'vpt_' . 'a' x 43});
sub ask {
  my ($client, $operation, $path, %headers) = @_;
  my ($method) = $operation =~ /\A(\w+)/;
  my $request = $operations{$operation}{requestBody}
    or return $client->request($method, $path, {}, %headers);
  my ($media) = sort keys %{$request->{content}};
  return $client->request_with_body($method, $path, "\xff\xd8\xff",
    'Content-Type' => $media, %headers) if $media =~ /image/;
  my ($schema) = ($request->{content}{$media}{schema}{'$ref'} // '') =~ m{(\w+)\z};
  return $client->request_with_body($method, $path, $bodies{$schema} // {}, %headers);
}

# All of an answer that may tell something, the id and the request's aside.
sub told {
  my ($answer, @ids) = @_;
  my %headers = %{$answer->{headers}};
  delete @headers{qw(date x-request-id x-ratelimit-remaining x-ratelimit-reset
    connection keep-alive)};
  my $text = join "\n", $answer->status, (map { "$_: " . join ',',
    ref $headers{$_} ? @{$headers{$_}} : $headers{$_} } sort keys %headers),
    $answer->body;
  $text =~ s/req_[0-9a-z]+/REQUEST/g;
  $text =~ s/\Q$_\E/ID/g for @ids;
  return $text;
}
sub snapshot {
  return [map { [$_, $service->sql("SELECT md5(coalesce(string_agg(t::text, ''
    ORDER BY t::text), '')) AS rows FROM $_ t WHERE organization_id = ?",
    $victim->{id})->[0]{rows}] } qw(verification_session event webhook_endpoint
    trust_reuse_grant risk_assessment evidence credential vp_token
    trust_reuse_settings verified_person)];
}

my $revoked = $service->verifyctl(qw(key create --org), $victim->{id},
  qw(--type secret));
$service->verifyctl(qw(key revoke), $revoked->{id});
my %keys = ('another organization' => $attacker->{secret_key},
  'an application of another' => $attackers_app->{token},
  'a live organization' => $live->{secret_key},
  'another publishable key' => $service->key($attacker->{id}, 'publishable'),
  'its own publishable key' => $service->key($victim->{id}, 'publishable'),
  'a revoked key' => $revoked->{key},
  'an expired key' => $service->expired_key($victim->{id}, 'secret'),
  'no key' => undef, 'garbage' => 'svc_sk_garbage',
  'another session\'s secret' => $own{client_secret},
  'a token of a person' => $own{vp_token});

my $before = snapshot();
subtest 'ids in paths' => sub {
  my $held = 0;
  for my $operation (sort keys %operations) {
    my ($template) = $operation =~ / (.+)/;
    my @names = $template =~ /\{(\w+)\}/g or next;
    # The handle of a request to a wallet is a secret of its own (t/wallet).
    next if $template =~ m{/assets/|/wallet/};
    my %kinds = map { ($_ => kind_of_id($template, $_)) } grep { !/\A(?:side|step)\z/ } @names;
    if (my @new = grep { !$kinds{$_} } sort keys %kinds) {
      fail "$operation: this test has to know what @new is";
      next;
    }
    for my $who (sort keys %keys) {
      my @answers = map {
        my $known = $_;
        my $path = $template =~ s/\{side\}/front/r =~ s/\{step\}/1/r;
        $path =~ s/\{$_\}/$known ? $theirs{$kinds{$_}} : unknown($theirs{$kinds{$_}})/e
          for keys %kinds;
        ask($service->client($keys{$who}), $operation, $path,
          'X-Service-Session-Secret' => $own{client_secret});
      } 1, 0;
      my @ids = map { ($_, unknown($_)) } @theirs{values %kinds};
      # Within its organization it may be told that the secret is missing.
      next if $who eq 'its own publishable key' && $answers[0]->status == 401;
      is told($answers[0], @ids), told($answers[1], @ids), "$operation by $who: "
        . $answers[0]->status;
      like $answers[0]->status, qr/\A40[0134]\z/, 'refused'
        unless $template =~ m{\A/verify/};
      $held++;
    }
  }
  cmp_ok $held, '>', 150, "$held requests";
};

subtest 'a session\'s secret opens it for its organization alone' => sub {
  my %secret = ('X-Service-Session-Secret' => $theirs{client_secret});
  error_is($service->client($keys{'another publishable key'})
    ->get("$sessions/$theirs{vks}", %secret), 404, 'session_not_found', undef,
    'not with another organization\'s publishable key');
  is $service->client($keys{'its own publishable key'})
    ->get("$sessions/$theirs{vks}", %secret)->status, 200, 'but with its own';
  like $service->client($keys{'its own publishable key'})
    ->get("$sessions/$theirs{verified}", %secret)->status, qr/\A40[134]\z/,
    'and no other session of it';
};

subtest 'a delivery under a strange endpoint, and the reverse' => sub {
  my $client = $attacker->{client};
  for my $suffix ('', '/retry') {
    my $method = $suffix ? 'POST' : 'GET';
    my @answers = map { $client->request($method,
      "/v1/webhook_endpoints/$_->[0]/deliveries/$_->[1]$suffix", {}) }
      [$own{we}, $theirs{whd}], [$theirs{we}, $own{whd}],
      [$own{we}, unknown($own{whd})];
    my %told = map { (told($_) => 1) } @answers;
    is keys %told, 1, "$method $suffix: " . $answers[0]->status;
  }
};

# Parameters of queries and bodies that are ids of something.
my %values = (starting_after => undef, ending_before => undef, object_id => 'vks',
  session_id => 'vks', workflow_id => 'wf', vp_token => 'vp_token',
  search => 'vks', client_reference_id => undef, device_id => undef,
  application_id => undef, credential_hash => undef);
my %cursor_of = ($sessions => 'vks', '/v1/events' => 'evt',
  '/v1/webhook_endpoints' => 'we', '/v1/trust_reuse/grants' => 'trg',
  '/v1/webhook_endpoints/{id}/deliveries' => 'whd');

subtest 'ids in queries' => sub {
  for my $operation (sort grep { /\AGET \/v1/ } keys %operations) {
    my ($template) = $operation =~ / (.+)/;
    next if $template =~ m{/widget/|/oidc/}; # t/http/oidc/oidc_attacks.t
    for my $parameter (map { $description->resolve($_) }
      @{$operations{$operation}{parameters} // []}) {
      next if $parameter->{in} ne 'query';
      my $name = $parameter->{name};
      my $kind = $name =~ /\A(?:starting_after|ending_before)\z/
        ? $cursor_of{$template} // fail("$operation: of what is $name?")
        : $name =~ /_id\z|token|hash|search/ && exists $values{$name} ? $values{$name}
        : $name =~ /_id\z|token|hash|search/ ? fail("$operation: what is $name?") : undef;
      next unless $kind && $theirs{$kind};
      for my $who (sort keys %keys) {
        my $path = $template =~ s/\{id\}/$own{we}/r;
        my $client = $service->client($keys{$who});
        # An id that sorts as theirs does, to tell nothing of the order.
        my $near = $theirs{$kind} =~ s/(.)\z/$1 eq '0' ? '1' : '0'/er;
        my @answers = map { $client->get("$path?$name=$_") } $theirs{$kind}, $near;
        is told($answers[0], $theirs{$kind}, $near),
          told($answers[1], $theirs{$kind}, $near),
          "$operation?$name by $who: " . $answers[0]->status;
      }
    }
  }
};

subtest 'ids in bodies' => sub {
  my %requests = ('POST /v1/verification_sessions' => {type => 'age',
      workflow_id => $attacker->{workflow_id}, jurisdiction => 'US-CA'},
    'POST /v1/risk/score' => {device_id => 'd'});
  for my $operation (sort keys %operations) {
    my $body = $operations{$operation}{requestBody} or next;
    next if $operation =~ m{/widget/|/oidc/};
    my $schema = $description->resolve($body->{content}{'application/json'}{schema});
    for my $name (grep { /_id\z|_token\z|_hash\z/ } sort keys %{$schema->{properties}}) {
      next if $name eq 'captcha_token';
      fail("$operation: what is $name?") unless exists $values{$name};
      my $kind = $values{$name} // next;
      my $base = $requests{$operation} // do { fail("$operation: no request"); next };
      my ($method, $path) = split / /, $operation;
      my $strange = $kind eq 'vp_token' ? 'vpt_' . 'a' x (length($theirs{vp_token}) - 4)
        : unknown($theirs{$kind});
      for my $who ('another organization', 'an application of another') {
        my $client = $service->client($keys{$who});
        my @answers = map { $client->post($path, {%$base, $name => $_}) }
          $theirs{$kind}, $strange;
        is told($answers[0], $theirs{$kind}, $strange),
          told($answers[1], $theirs{$kind}, $strange),
          "$operation $name by $who: " . $answers[0]->status;
        like $answers[0]->status, qr/\A4/, 'refused';
      }
    }
  }
};

subtest 'lists hold nothing of others' => sub {
  my %asked;
  for my $template (sort keys %cursor_of) {
    my $path = $template =~ s/\{id\}/$own{we}/r;
    for my $query ('', $template eq $sessions ? ('&status=verified',
      '&client_reference_id=victims-own', '&search=victims', '&search=vks_',
      '&risk_tier=clear') : $template eq '/v1/events'
      ? ('&type=verification_session.verified', '&created_gte=0',
        "&object_id=$theirs{verified}") : ()) {
      for my $client ($attacker->{client}, $attackers_app, $live->{client}) {
        my $body = $client->get("$path?limit=100$query")->body;
        ok !(grep { index($body, $_) >= 0 } values %theirs, values %wide,
          $victim->{id}, $victim_app), "$path?$query";
      }
    }
  }
  my @listed = grep { /\AGET / && ($description->resolve($operations{$_}{responses}
    {200}{content}{'application/json'}{schema} // {})->{properties} // {})->{has_more} }
    keys %operations;
  is_deeply [sort map { s/GET //r } @listed], [sort keys %cursor_of],
    'every list of the description';
  is_deeply answer_is($attacker->{client}->post('/v1/verified_person/lookup',
    {email => 'victim@example.com'}), 200)->{credentials}, [], 'lookup';
};

subtest 'an application sees only its own' => sub {
  is $victim_client->get("/v1/webhook_endpoints/$theirs{we}")->json
    ->{application_id}, $victim_app, 'application_id: the owning application';
  for my $path ("$sessions/$theirs{vks}", "/v1/risk/$theirs{rsk}",
    "/v1/webhook_endpoints/$theirs{we}", "/v1/events/$theirs{evt}",
    "/v1/webhook_endpoints/$theirs{we}/deliveries",
    "/v1/webhook_endpoints/$theirs{we}/deliveries/$theirs{whd}",
    "$sessions/$wide{vks}", "/v1/risk/$wide{rsk}", "/v1/events/$wide{evt}",
    "/v1/webhook_endpoints/$wide{we}",
    "/v1/webhook_endpoints/$wide{we}/deliveries/$wide{whd}") {
    my $nowhere = $path =~ s/((?:vks|rsk|we|evt|whd)_)([0-9a-z]+)/$1 . '0' x length $2/ger;
    my ($answer, $none) = map { $beside->get($_) } $path, $nowhere;
    is $answer->status, 404, "$path by another application";
    is told($answer), told($none), 'as unknown';
    is $victim->{client}->get($path)->status, 200, 'but by the organization';
  }
  for my $path ($sessions, '/v1/events', '/v1/webhook_endpoints') {
    is_deeply $beside->get("$path?limit=100")->json->{data}, [], "$path: empty";
    my $mine = $victim_client->get("$path?limit=100")->body;
    ok !(grep { index($mine, $_) >= 0 } values %wide), 'nothing of the organization\'s';
  }
};

subtest 'an application\'s endpoint is sent only its own' => sub {
  my $sent = sub { map { $_->{event_id} } @{$victim->{client}->get(
    "/v1/webhook_endpoints/$_[0]/deliveries?limit=100")->json->{data}} };
  my @own = $sent->($theirs{we});
  cmp_ok scalar @own, '>', 2, 'it is sent events';
  is_deeply [grep { $victim_client->get("/v1/events/$_")->status != 200 } @own], [],
    'all of the application';
  ok !(grep { $_ eq $wide{evt} } @own), 'none of the organization\'s own';
  ok +(grep { $victim_client->get("/v1/events/$_")->status == 404 }
    $sent->($wide{we})), 'which the organization\'s endpoint is sent';
  is $service->sql_value('SELECT count(*) FROM webhook_delivery d JOIN
    webhook_endpoint w ON w.id = d.webhook_endpoint_id JOIN event e
    ON e.id = d.event_id WHERE w.organization_id <> e.organization_id'), 0,
    'and nobody is sent another organization\'s';
};

wait_for { !$service->sql_value('SELECT count(*) FROM webhook_delivery
  WHERE attempt = 0') };
is_deeply snapshot(), $before, 'and nothing of the victim has changed';
finish($service);
