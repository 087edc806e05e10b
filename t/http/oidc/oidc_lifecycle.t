# OpenID Connect: how logins end that do not succeed at once, how keys and clients
# change, and which pages may call what.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::OidcTest;
use Verify::Test;

my $test = Verify::OidcTest->start;
my ($service, $organization) = @$test{qw(service organization)};
my $client = $test->client;
sub returned { $client->returned($_[0]->visit($_[1])->location) // {} }

subtest 'a login that fails' => sub {
  for my $outcome (qw(failed cancelled expired)) {
    my $browser = $test->browser;
    my $id = $test->begin($browser, $client->authorize);
    if ($outcome eq 'failed') { $test->set_outcome($id, 'under_age', final => JSON::PP::true) }
    elsif ($outcome eq 'cancelled') {
      answer_is $organization->{client}->post("/v1/verification_sessions/$id/cancel", {}), 200, 'cancelled';
    }
    else { $service->sql('UPDATE verification_session SET expires_at = 1 WHERE id = ?', $id) }
    my $returned = $test->come_back($browser, $client, $id);
    is $returned->{error}, 'access_denied', $outcome;
    ok $client->is_answer($returned), '... for this request';
    isnt $test->begin($browser, $client->authorize), $id, '... and another session afterwards';
  }
};

subtest 'a login that goes on' => sub {
  my $browser = $test->browser;
  my $id = $test->begin($browser, $client->authorize);
  my $page = $browser->visit($test->return_url($id));
  like $page->location, qr{/verify/$id}, 'back too early: the page again';
  is $test->begin($browser, $client->authorize(state => 'second')), $id,
    'another request of the browser continues it';
  $test->set_outcome($id, 'passed');
  my $returned = $client->returned($browser->visit($test->return_url($id))->location);
  is $returned->{state}, 'second', 'and gets the answer';
  my ($status) = $client->exchange($returned->{code});
  is $status, 200, 'with tokens';
  is $service->sql_value('SELECT count(*) FROM oidc_login WHERE session_id = ?', $id), 1,
    'one login';
};

subtest 'a login under review' => sub {
  my $browser = $test->browser;
  my $id = $test->begin($browser, $client->authorize);
  $test->set_outcome($id, 'undetermined');
  my $returned = $test->come_back($browser, $client, $id);
  is $returned->{error}, 'interaction_required', 'it waits';
  is returned($browser, $client->authorize)->{error}, 'interaction_required', 'also for another try';
  is returned($browser, $client->authorize(prompt => 'none'))->{error}, 'interaction_required',
    '... without a person';
  is $service->sql_value('SELECT count(*) FROM event WHERE object_id = ?
    AND type = $$verification_session.created$$', $id), 1, 'it is one session';
  $test->set_outcome($id, 'review_approved');
  $returned = returned($browser, $client->authorize);
  ok $returned->{code}, 'after the decision a login succeeds' or diag explain $returned;
  my ($status, $tokens) = $client->exchange($returned->{code});
  ok $client->check($tokens->{id_token}), 'with tokens';
  my $rejected = $test->browser;
  $id = $test->begin($rejected, $client->authorize);
  $test->set_outcome($id, 'undetermined');
  $test->set_outcome($id, 'review_rejected');
  is $test->come_back($rejected, $client, $id)->{error}, 'access_denied', 'or is denied';
};

subtest 'what the workflow or the law does not allow' => sub {
  my $ages = $service->organization(sandbox => 1,
    workflow => Verify::OidcTest::workflow(session_types => ['age']));
  my $only = $test->client(organization => $ages);
  my $page = $test->browser->follow($only->authorize(scope => 'openid identity'));
  is $only->returned($page->location)->{error}, 'invalid_scope', 'no identity from a workflow for ages';
  $service->expect_log(qr/IDV0020: parameter_invalid: the login of oic_\w+ cannot create a session/);
};

subtest 'a place that is unknown' => sub {
  my %workflow = %{Verify::OidcTest::workflow()};
  delete @workflow{qw(use_case jurisdictions)};
  my $anywhere = $service->organization(sandbox => 1, workflow => \%workflow);
  my $only = $test->client(organization => $anywhere);
  my $returned = $only->returned($test->browser->follow($only->authorize)->location);
  is $returned->{error}, 'access_denied', 'nobody can tell which law applies';
  like $returned->{error_description}, qr/location is unknown/, '... and why';
  $service->expect_log(qr/IDV0020: jurisdiction_unresolvable: the login of oic_\w+/);
};

subtest 'HEAD changes nothing' => sub {
  my $browser = $test->browser;
  my $count = sub { $service->sql_value('SELECT count(*) FROM oidc_login') };
  my $before = $count->();
  my $answer = $browser->request('HEAD', $client->authorize);
  is $answer->status, 405, 'a HEAD begins no login';
  is $answer->header('Allow'), 'GET, POST, OPTIONS', 'it says what does';
  is $count->(), $before, 'none was stored';
  my $id = $test->begin($browser, $client->authorize);
  $test->set_outcome($id, 'passed');
  $answer = $browser->request('HEAD', $test->return_url($id));
  is $answer->status, 405, 'nor spends the code of one';
  is $answer->header('Allow'), 'GET, OPTIONS', 'of which the same is said';
  ok $test->come_back($browser, $client, $id)->{code}, 'a GET gets it';
};

subtest 'logins that use one verification' => sub {
  my $browser = $test->browser;
  my $first = $test->claims($client, browser => $browser);
  $service->sql('UPDATE verification_session SET completed_at = completed_at - 5000000 WHERE id = ?',
    $test->{session});
  my $returned = returned($browser, $client->authorize(max_age => 100000));
  my ($status, $tokens) = $client->exchange($returned->{code});
  my $second = $client->check($tokens->{id_token});
  isnt $second->{sub}, $first->{sub}, 'have each a sub';
  is $second->{auth_time}, $second->{iat}, 'and a time of their own';
};

subtest 'id_token_hint' => sub {
  my ($mine, $other) = ($test->browser, $test->browser);
  for my $scope ('openid age', 'openid identity') {
    my $tokens = sub { my ($returned) = @_; ($client->exchange($returned->{code} // ''))[1]{id_token} };
    my $first = $tokens->($test->log_in($mine, $client, scope => $scope));
    my $theirs = $tokens->($test->log_in($other, $client, scope => $scope));
    my $ask = sub { my ($hint, %more) = @_;
      returned($mine, $client->authorize(scope => $scope, id_token_hint => $hint, %more)) };
    my $second = $tokens->($ask->($first, prompt => 'none'));
    ok $second, "$scope: the person is logged in";
    ok $ask->($_)->{code}, '... also by an earlier token' for $first, $second;
    is $ask->($theirs, prompt => 'none')->{error}, 'login_required', '... somebody else is not';
    is $ask->($theirs)->{error}, 'login_required', '... nor verified instead';
    is $ask->($first, prompt => 'login')->{error}, 'login_required', '... nor verified again';
    my $foreign = $test->client;
    my $elsewhere = $foreign->authorize(scope => $scope, id_token_hint => $first);
    is $foreign->returned($mine->visit($elsewhere)->location)->{error}, 'invalid_request',
      "... another client's token is none";
    is $ask->($_)->{error}, 'invalid_request', '... nor is this' for 'x', 'a.b.c',
      $first =~ s/\A[^.]+/eyJhbGciOiJub25lIn0/r;
  }
};

subtest 'a restricted number of requests' => sub {
  my $limited = Verify::OidcTest->start(conf => "VerifyRateLimit secret 8\n");
  my $client = $limited->client;
  my @pages = map { $limited->browser->visit($client->authorize(prompt => 'none')) } 1 .. 20;
  my ($refused) = grep { $_->status == 429 } @pages;
  ok $refused, 'of one address, also of those that begin no login';
  like $refused->body, qr/Too many attempts/, 'the person sees a page';
  ok $refused->header('Retry-After'), 'with a time';
  is $refused->location, '', 'and is not sent away';
  $limited->{service}->stop;
};

subtest 'a restricted number of logins' => sub {
  my $limited = Verify::OidcTest->start(conf => "VerifyGateSessions 2\n");
  my $client = $limited->client;
  my @errors = map { $client->returned($limited->browser->visit($client->authorize)->location)
    // {} } 1 .. 4;
  ok((grep { ($_->{error} // '') eq 'temporarily_unavailable' } @errors), 'for one address');
  $limited->{service}->stop;
};

subtest 'keys' => sub {
  my $kid = sub { my ($claims, $header) = $test->claims($client); $header->{kid} };
  my $published = sub { map { $_->{kid} } grep { $_->{alg} eq 'RS256' }
    @{$client->get('/v1/oidc/jwks')->{keys}} };
  my $first = $kid->();
  is_deeply [$published->()], [$first], 'one key';
  $service->verifyctl(qw(oidc key rotate --alg RS256));
  my ($next) = grep { $_ ne $first } $published->();
  ok $next, 'the next one is published';
  is $kid->(), $first, 'before it signs';
  $service->sql('UPDATE oidc_key SET signs_from = signs_from - 3600000, ends_at = ends_at - 3600000');
  is $kid->(), $next, 'an hour later it signs';
  is scalar(my @both = $published->()), 2, 'while the first is still published';
  $service->sql('UPDATE oidc_key SET ends_at = ends_at - 3600000');
  is_deeply [$published->()], [$next], 'for another hour';
  my $keys = $service->verifyctl(qw(oidc key rotate --alg RS256 --now));
  isnt $kid->(), $next, 'a key that leaked is replaced at once';
  is scalar(my @one = $published->()), 1, 'and withdrawn';
  is $service->sql_value('SELECT count(*) FROM oidc_key'), 3, 'deleted, at the next rotation';
  my $version = $service->verifyctl(qw(oidc key list));
  is_deeply [sort map { $_->{alg} } @$version], [qw(ES256 RS256)], 'verifyctl oidc key list';
  unlike(JSON::PP->new->encode($version), qr/sealed|PRIVATE|"d"/, 'shows nothing private');
};

subtest 'old keys' => sub {
  my $keys = sub { grep { $_->{alg} eq 'ES256' } @{$service->verifyctl(qw(oidc key list))} };
  my ($old, @more) = $keys->();
  is scalar(@more), 0, 'one key';
  $service->sql(q{UPDATE oidc_key SET created_at = created_at - 90 * 86400000::bigint,
    signs_from = signs_from - 90 * 86400000::bigint WHERE algorithm = 'ES256'});
  $service->kill_hard($service->watchdog_pid);
  $service->allow_log(qr/IDV0320/);
  ok wait_for { $keys->() == 2 }, 'the watchdog renews a key of 90 days';
  my ($next) = grep { $_->{id} ne $old->{id} } $keys->();
  my ($kept) = grep { $_->{id} eq $old->{id} } $keys->();
  is $next->{signs_from} - $next->{created}, 86_400, 'the next one is published a day before it signs';
  is $kept->{ends_at} - $next->{signs_from}, 3600, 'the old one an hour longer';
  ok((grep { $_->{kid} eq $next->{id} } @{$client->get('/v1/oidc/jwks')->{keys}}),
    'clients can fetch it');
  my ($claims, $header) = $test->claims($test->client(alg => 'ES256'));
  is $header->{kid}, $old->{id}, 'meanwhile the old one signs';
  is $service->sql_value(q{SELECT count(*) FROM oidc_key WHERE algorithm = 'RS256'
    AND ends_at IS NULL}), 1, 'a young one stays';
  $service->sql('UPDATE oidc_key SET ends_at = 1 WHERE id = ?', $old->{id});
  $service->kill_hard($service->watchdog_pid);
  ok wait_for { !$service->sql_value('SELECT count(*) FROM oidc_key WHERE id = ?', $old->{id}) },
    'one that has ended is deleted';
  $service->sql('UPDATE oidc_key SET signs_from = created_at WHERE id = ?', $next->{id});
  $service->expect_log(qr/IDV0380: the key that signs ID tokens with ES256 was renewed/);
};

subtest 'clients' => sub {
  my $list = $service->verifyctl(qw(oidc client list --org), $organization->{id});
  is_deeply [map { $_->{id} } grep { $_->{id} eq $client->{client_id} } @$list],
    [$client->{client_id}], 'listed';
  ok !(grep { exists $_->{client_secret} } @$list), 'without the secret';
  is $service->sql_value(q{SELECT count(*) FROM oidc_client c
    WHERE c::text LIKE '%' || ? || '%'}, $client->{client_secret}), 0, 'which is not stored';
  is $service->verifyctl(qw(oidc client update), $client->{client_id}, '--name', 'Another name')
    ->{name}, 'Another name', 'a new name';
  my $changed = $service->verifyctl(qw(oidc client rotate-secret), $client->{client_id});
  my $code = $test->log_in($test->browser, $client)->{code};
  my ($status) = $client->exchange($code);
  is $status, 401, 'the former secret is refused';
  $client->{client_secret} = $changed->{client_secret};
  ($status) = $client->exchange($code);
  is $status, 200, 'the new one is accepted';
  my $renewed = $service->verifyctl(qw(oidc client rotate-secret), $client->{client_id},
    '--overlap-minutes', 5);
  cmp_ok abs($renewed->{former_secret_valid_until} - time - 300), '<', 60, 'a third, with an overlap';
  my $with = sub { local $client->{client_secret} = $_[0];
    ($client->exchange($test->log_in($test->browser, $client)->{code}))[0] };
  is $with->($changed->{client_secret}), 200, 'the former one is accepted';
  is $with->($renewed->{client_secret}), 200, 'and the new one';
  $service->sql('UPDATE oidc_client SET former_secret_ends_at = former_secret_ends_at - 300000000
    WHERE id = ?', $client->{client_id});
  is $with->($changed->{client_secret}), 401, 'until the overlap ends';
  $client->{client_secret} = $renewed->{client_secret};
  for my $case (['redirect-uri', 'http://shop.example/x'], ['redirect-uri', 'https://shop.example/#x'],
    ['redirect-uri', 'app:/callback'], ['redirect-uri', 'https://u@shop.example/'],
    ['workflow', 'wf_00000000000000000000000000'], ['name', 'x' x 101]) {
    my $failed = !eval { $service->verifyctl(qw(oidc client update), $client->{client_id},
      "--$case->[0]", $case->[1]) };
    ok $failed, "$case->[0] $case->[1]: refused";
  }
  my $ages = $test->client(with => ['--scope', 'openid age']);
  is returned($test->browser, $ages->authorize(scope => 'openid age identity'))->{error},
    'invalid_scope', 'a scope that the client may not request';
  my $narrowed = $test->client;
  my $pending = $test->log_in($test->browser, $narrowed, scope => 'openid identity');
  $service->verifyctl(qw(oidc client update), $narrowed->{client_id}, '--scope', 'openid age');
  ($status, my $refused) = $narrowed->exchange($pending->{code});
  is "$status $refused->{error}", '400 invalid_grant', 'or may no longer request';
  my $moved = $test->client;
  $pending = $test->log_in($test->browser, $moved);
  $service->verifyctl(qw(oidc client update), $moved->{client_id}, '--redirect-uri',
    'https://shop.example/other');
  ($status, $refused) = $moved->exchange($pending->{code});
  is "$status $refused->{error}", '400 invalid_grant', 'nor a code of a removed redirect URI';
  my $gone = $test->client;
  my $returned = $test->log_in($test->browser, $gone);
  $service->verifyctl(qw(oidc client delete), $gone->{client_id});
  ($status) = $gone->exchange($returned->{code});
  is $status, 401, 'a deleted client';
  is $test->browser->visit($gone->authorize)->status, 400, 'logs nobody in';
  is $service->sql_value('SELECT count(*) FROM oidc_login WHERE client_id = ?', $gone->{client_id}), 0,
    'and its logins are gone';
};

subtest 'pages of other sites' => sub {
  my $http = $client->{http};
  my $ask = sub { my ($method, $path, %headers) = @_;
    $http->request($method, $client->{issuer} . $path, {headers => {Origin => 'https://app.example', %headers}}) };
  for my $path ('/.well-known/openid-configuration', '/v1/oidc/jwks') {
    my $answer = $ask->('GET', $path);
    is $answer->{headers}{'access-control-allow-origin'}, '*', "$path: for all";
    like $answer->{headers}{'cache-control'}, qr/public, max-age=900/, '... and to be kept';
  }
  my $preflight = $ask->('OPTIONS', '/v1/oidc/token', 'Access-Control-Request-Method' => 'POST',
    'Access-Control-Request-Headers' => 'content-type');
  is $preflight->{headers}{'access-control-allow-origin'}, '*', 'the token endpoint: for all';
  like $preflight->{headers}{'access-control-allow-methods'}, qr/POST/, '... to POST';
  ok !$preflight->{headers}{'access-control-allow-credentials'}, '... without cookies';
  my $answer = $ask->('GET', '/v1/oidc/authorize');
  ok !$answer->{headers}{'access-control-allow-origin'}, 'authorize: for none';
  $answer = $ask->('GET', '/v1/health/live');
  ok !$answer->{headers}{'access-control-allow-origin'}, 'nor other routes';
};

subtest 'identity: one sub for a person, on one host' => sub {
  my @claims = map { scalar $test->claims($client, scope => 'openid identity') } 1, 2;
  ok $claims[0]{sub}, 'a sub';
  my $sessions = $service->sql('SELECT verified_person_id AS person FROM verification_session
    WHERE type = $$identity$$ AND status = $$verified$$ ORDER BY created_at');
  my $same = ($sessions->[-1]{person} // 1) eq ($sessions->[-2]{person} // 2);
  is $claims[0]{sub} eq $claims[1]{sub} ? 1 : 0, $same ? 1 : 0, 'as the person is the same';
};

finish $service;
