# The test modules of the OpenID Foundation's plan for a Basic OP
# (oidcc-basic-certification-test-plan, server_metadata=discovery,
# client_registration=static_client), each under its name, with PKCE added, which
# every client needs here. The provider has no UserInfo endpoint, refresh tokens or
# client_secret_post: the subtests of these modules show that.
use v5.32;
use warnings;
use JSON::PP ();
use MIME::Base64 qw(decode_base64url);
use Verify::Command;
use Verify::OidcTest;
use Verify::Test;

my $test = Verify::OidcTest->start;
my $service = $test->{service};
my $client = $test->client(redirect_uri => 'https://rp.example/test/a/callback');
$service->allow_log(qr/IDV0020: parameter_invalid: a code of oic_\w+ was presented again/);

sub returned { $client->returned($_[0]->visit($_[1])->location) // {} }
# With scope age each login has a sub of its own; the plan expects one for a person.
my %person = (scope => 'openid identity');
# A login that must succeed, with these parameters.
sub succeeds { return $test->claims($client, @_) }
# The same browser again, without a person.
sub again {
  my ($browser, %parameters) = @_;
  my $returned = returned($browser, $client->authorize(%parameters));
  my ($status, $tokens) = $client->exchange($returned->{code} // return $returned);
  return $client->check($tokens->{id_token});
}

subtest 'oidcc-server' => sub {
  my $metadata = $client->configuration;
  is $metadata->{issuer}, $service->base_url_tls, 'issuer';
  is $metadata->{"$_->[0]"}, "$metadata->{issuer}$_->[1]", $_->[0]
    for ['authorization_endpoint', '/v1/oidc/authorize'], ['token_endpoint', '/v1/oidc/token'],
      ['jwks_uri', '/v1/oidc/jwks'];
  ok((grep { $_ eq 'RS256' } @{$metadata->{id_token_signing_alg_values_supported}}), 'RS256');
  ok((grep { $_ eq 'openid' } @{$metadata->{scopes_supported}}), 'openid');
  ok !exists $metadata->{userinfo_endpoint}, 'no UserInfo endpoint';
  my $keys = $client->get('/v1/oidc/jwks')->{keys};
  is_deeply [sort map { $_->{alg} } @$keys], [qw(ES256 RS256)], 'a key for each algorithm';
  ok !(grep { exists $_->{d} || exists $_->{p} } @$keys), 'and nothing private';
  my $claims = succeeds(scope => 'openid');
  ok !exists $claims->{$_}, "no $_ without its scope" for qw(age_over_18 verified_claims);
  ok length $claims->{sub} <= 255, 'sub';
  ok $claims->{exp} > $claims->{iat}, 'exp';
};
subtest 'oidcc-response-type-missing' => sub {
  is returned($test->browser, $client->authorize(response_type => undef))->{error},
    'invalid_request', 'an error for the client';
};
# The client's registration says nothing about an algorithm.
subtest 'oidcc-idtoken-signature' => sub {
  my $returned = $test->log_in($test->browser, $client);
  my ($status, $tokens) = $client->exchange($returned->{code});
  my ($header) = split /\./, $tokens->{id_token};
  $header = JSON::PP->new->utf8->decode(decode_base64url($header));
  is $header->{alg}, 'RS256', 'RS256';
  is_deeply [map { $_->{alg} } grep { $_->{kid} eq $header->{kid} }
    @{$client->get('/v1/oidc/jwks')->{keys}}], ['RS256'], 'kid names its key';
  ok $client->check($tokens->{id_token})->{sub}, 'which verifies it';
  is lc $tokens->{token_type}, 'bearer', 'token_type';
  like $client->{last}{headers}{'cache-control'}, qr/\bno-store\b/, 'is not stored';
};
subtest 'oidcc-idtoken-unsigned' => sub {
  ok !(grep { $_ eq 'none' } @{$client->configuration->{id_token_signing_alg_values_supported}}),
    'skipped by the suite: none is not offered';
  my ($status, $output, $errors) = Verify::Command->new($service)->run(qw(oidc client update),
    $client->{client_id}, qw(--alg none));
  ok $status && $errors =~ /RS256/, 'and no client can have it';
};
subtest 'oidcc-userinfo-get, -post-header, -post-body' => sub {
  my $token = 'x' x 43;
  for my $method ('GET', 'POST') {
    my $answer = $client->{http}->request($method, "$client->{issuer}/v1/oidc/userinfo",
      {headers => {Authorization => "Bearer $token"}});
    is $answer->{status}, 404, "not applicable: $method finds no UserInfo";
  }
};
subtest 'oidcc-server-client-secret-post' => sub {
  ok !(grep { $_ eq 'client_secret_post' }
    @{$client->configuration->{token_endpoint_auth_methods_supported}}), 'not applicable: not offered';
  my $code = $test->log_in($test->browser, $client)->{code};
  my ($status, $answer) = $client->exchange($code, headers => {}, client_id => $client->{client_id},
    client_secret => $client->{client_secret});
  is "$status $answer->{error}", '401 invalid_client', 'and refused';
};
subtest 'oidcc-refresh-token' => sub {
  is_deeply $client->configuration->{grant_types_supported}, ['authorization_code'],
    'skipped by the suite: not offered';
  my $returned = $test->log_in($test->browser, $client, scope => 'openid age offline_access');
  my ($status, $tokens) = $client->exchange($returned->{code});
  ok $tokens->{id_token} && !exists $tokens->{refresh_token}, 'and none is given';
};
# The module of oidcc-config-certification-test-plan.
subtest 'oidcc-discovery-endpoint-verification' => sub {
  my $metadata = $client->configuration;
  ok ref $metadata->{$_} eq 'ARRAY' && @{$metadata->{$_}}, $_ for qw(response_types_supported
    subject_types_supported scopes_supported claims_supported grant_types_supported);
  is_deeply [grep { /_(?:endpoint|uri)\z/ && $metadata->{$_} !~ m{\Ahttps://} } keys %$metadata], [],
    'all by HTTPS';
  is_deeply [grep { ref $metadata->{$_} eq 'ARRAY' && !@{$metadata->{$_}} } keys %$metadata], [],
    'no empty list';
  is $metadata->{"${_}_parameter_supported"} ? 1 : 0, 0, "$_ is said to be unsupported"
    for qw(claims request request_uri);
  my %seen;
  ok !(grep { !$_->{kid} || $seen{$_->{kid}}++ } @{$client->get('/v1/oidc/jwks')->{keys}}),
    'keys with a kid of their own';
};
subtest 'oidcc-ensure-request-without-nonce-succeeds-for-code-flow' => sub {
  my $browser = $test->browser;
  my $path = $client->authorize(nonce => undef);
  $client->{nonce} = undef;
  my $id = $test->begin($browser, $path);
  $test->set_outcome($id, 'passed');
  my ($status, $tokens) = $client->exchange($test->come_back($browser, $client, $id)->{code});
  my $claims = $client->check($tokens->{id_token});
  ok !exists $claims->{nonce}, 'no nonce';
};
subtest 'oidcc-scope-all, -profile, -email, -address, -phone' => sub {
  my $claims = succeeds(scope => 'openid age profile email address phone');
  ok $claims->{age_over_18}, 'scopes that are not known do no harm';
  is_deeply [grep { /name|email|phone|address|birthdate/ } keys %$claims], [], 'and release nothing';
};
subtest 'oidcc-alternate-happy-flow' => sub {
  my $browser = $test->browser;
  my ($path, $query) = split /\?/, $client->authorize(scope => 'email age openid'), 2;
  my $id = $test->begin($browser, "$path?" . join '&', reverse split /&/, $query);
  $test->set_outcome($id, 'passed');
  my ($status, $tokens) = $client->exchange($test->come_back($browser, $client, $id)->{code});
  ok $client->check($tokens->{id_token})->{age_over_18}, 'scopes and parameters in another order';
};
for my $case (['oidcc-display-page', display => 'page'], ['oidcc-display-popup', display => 'popup'],
  ['oidcc-login-hint', login_hint => 'someone@example.com'], ['oidcc-ui-locales', ui_locales => 'de en'],
  ['oidcc-claims-locales', claims_locales => 'se'],
  ['oidcc-ensure-request-with-acr-values-succeeds', acr_values => '1 2'],
  ['oidcc-ensure-request-with-unknown-parameter-succeeds', extra => 'foobar'],
  ['oidcc-claims-essential', claims => '{"userinfo":{"name":{"essential":true}}}'],
  ['oidcc-ensure-request-with-valid-pkce-succeeds', display => 'page']) {
  my ($module, $name, $value) = @$case;
  subtest $module => sub { ok succeeds($name => $value)->{age_over_18}, "$name: ignored" };
}
subtest 'oidcc-prompt-login' => sub {
  my $browser = $test->browser;
  my $first = succeeds(browser => $browser);
  $service->sql('UPDATE verification_session SET completed_at = completed_at - 5000');
  my $second = succeeds(browser => $browser, prompt => 'login');
  cmp_ok $second->{auth_time}, '>', $first->{auth_time} - 5, 'another verification';
  isnt $second->{sub}, $first->{sub}, 'of its own';
};
subtest 'oidcc-prompt-none-not-logged-in' => sub {
  is returned($test->browser, $client->authorize(prompt => 'none'))->{error}, 'login_required',
    'login_required';
};
subtest 'oidcc-prompt-none-logged-in' => sub {
  my $browser = $test->browser;
  my $first = succeeds(browser => $browser, %person);
  my $second = again($browser, prompt => 'none', %person);
  is $second->{sub}, $first->{sub}, 'the same login';
  is $second->{auth_time}, $first->{auth_time}, 'the same time';
};
subtest 'oidcc-max-age-1' => sub {
  my $browser = $test->browser;
  succeeds(browser => $browser);
  $service->sql('UPDATE verification_session SET completed_at = completed_at - 3000');
  my $first = $test->{session};
  my $claims = succeeds(browser => $browser, max_age => 1);
  isnt $test->{session}, $first, 'another verification';
  ok time - $claims->{auth_time} < 30, 'auth_time is of now';
};
subtest 'oidcc-max-age-10000' => sub {
  my $browser = $test->browser;
  my $first = succeeds(browser => $browser, max_age => 15000, %person);
  my $second = again($browser, max_age => 10000, %person);
  is $second->{auth_time}, $first->{auth_time}, 'the same verification';
  is $second->{sub}, $first->{sub}, 'and sub';
};
subtest 'oidcc-id-token-hint' => sub {
  my $browser = $test->browser;
  my $returned = $test->log_in($browser, $client, %person);
  my ($status, $tokens) = $client->exchange($returned->{code});
  my $first = $client->check($tokens->{id_token});
  my $second = again($browser, prompt => 'none', id_token_hint => $tokens->{id_token}, %person);
  is $second->{sub}, $first->{sub}, 'the same person';
};
subtest 'oidcc-codereuse, oidcc-codereuse-30seconds' => sub {
  my $code = $test->log_in($test->browser, $client)->{code};
  my ($status) = $client->exchange($code);
  is $status, 200, 'once';
  for my $when ('at once', '30 seconds later') {
    my ($again, $answer) = $client->exchange($code);
    is "$again $answer->{error}", '400 invalid_grant', $when;
    $service->sql('UPDATE oidc_login SET code_used_at = code_used_at - 30000');
  }
};
subtest 'oidcc-ensure-registered-redirect-uri' => sub {
  my $page = $test->browser->visit($client->authorize(redirect_uri => "$client->{redirect_uri}x"));
  is $page->status, 400, 'an error page';
  is $page->location, '', 'and no redirect';
};
subtest 'oidcc-ensure-post-request-succeeds' => sub {
  my $browser = $test->browser;
  my ($query) = $client->authorize =~ /\?(.*)/;
  my $answer = $browser->{http}->request('POST', $browser->{base} . '/v1/oidc/authorize',
    {headers => {'Content-Type' => 'application/x-www-form-urlencoded'}, content => $query});
  my $id = $test->begin($browser, $answer->{headers}{location});
  $test->set_outcome($id, 'passed');
  my ($status, $tokens) = $client->exchange($test->come_back($browser, $client, $id)->{code});
  ok $client->check($tokens->{id_token})->{age_over_18}, 'a login by a form';
};
subtest 'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported' => sub {
  is returned($test->browser, $client->authorize(request => 'eyJhbGciOiJub25lIn0.e30.'))->{error},
    'request_not_supported', 'rejected';
};
subtest 'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported' => sub {
  is returned($test->browser, $client->authorize(request_uri => 'https://rp.example/r'))->{error},
    'request_uri_not_supported', 'rejected';
};
subtest 'oidcc-ensure-request-object-with-redirect-uri' => sub {
  my $page = $test->browser->visit($client->authorize(request => 'eyJhbGciOiJub25lIn0.e30.',
    redirect_uri => undef));
  is $page->status, 400, 'no redirect URI is taken from a request object';
};

finish $service;
