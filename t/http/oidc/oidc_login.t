# OpenID Connect: a login from the client's request through the hosted page to an
# ID token that the client checks.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::OidcTest;
use Verify::Test;

my $test = Verify::OidcTest->start;
my ($service, $organization) = @$test{qw(service organization)};
my $client = $test->client;

subtest 'the way' => sub {
  my $browser = $test->browser;
  my $page = $browser->visit($client->authorize);
  is $page->status, 303, 'the request is accepted';
  is $page->header('Cache-Control'), 'no-store', 'and nobody keeps that';
  like $page->header('Set-Cookie'),
    qr/\A__Host-verify-login=[\w-]{43}; Path=\/; Max-Age=2592000; Secure; HttpOnly; SameSite=Lax\z/,
    'the browser gets a cookie';
  is $service->sql_value('SELECT count(*) FROM verification_session'), 0,
    'no session for a browser without cookies';
  my $id = $test->begin($browser, $page->location);
  is $service->sql_value('SELECT count(*) FROM verification_session'), 1, 'a session';
  is $test->begin($browser, $page->location), $id, 'the same one for a second look';
  $test->set_outcome($id, 'passed');
  my $returned = $test->come_back($browser, $client, $id);
  is_deeply [sort keys %$returned], [qw(code iss state)], 'what comes back';
  ok $client->is_answer($returned), 'it is the answer of the request';
  my ($status, $tokens) = $client->exchange($returned->{code});
  is $status, 200, 'tokens' or diag explain $tokens;
  is_deeply [sort keys %$tokens], [qw(access_token expires_in id_token scope token_type)],
    'their members';
  is $tokens->{scope}, 'openid age', 'the scope';
  is $client->{last}{headers}{'cache-control'}, 'no-store', 'nobody keeps them';
  my ($claims, $header) = $client->check($tokens->{id_token});
  is $header->{alg}, 'RS256', 'signed as the client wants it';
  is_deeply [grep { /\Aage_over/ } sort keys %$claims],
    [qw(age_over_13 age_over_16 age_over_18 age_over_21)], 'the ages';
  ok $claims->{age_over_18} == 1, 'are true';
  ok !exists $claims->{verified_claims}, 'and no identity';
  ok abs($claims->{auth_time} - time) < 60, 'auth_time';
};

subtest 'identity' => sub {
  my $client = $test->client(alg => 'ES256');
  my ($claims, $header) = $test->claims($client, scope => 'openid identity');
  is_deeply $claims->{verified_claims}{claims}{identity_verified}, JSON::PP::true,
    'the identity was verified';
  my $verification = $claims->{verified_claims}{verification};
  is $verification->{trust_framework}, 'mod_verify', 'trust framework';
  is $verification->{verification_process}, $test->{session}, 'the session';
  like $verification->{time}, qr/\A20\d\d-\d\d-\d\dT[\d:.]+Z\z/, 'the time';
  ok !exists $claims->{age_over_18}, 'the age is not asked for';
};

subtest 'one login, one sub; one event each' => sub {
  my @claims = map { $test->claims($client) } 1, 2;
  isnt $claims[0]{sub}, $claims[1]{sub}, 'another login has another sub';
  is $service->sql_value(q{SELECT count(*) FROM event
    WHERE type = 'verification_session.verified' AND object_id = ?}, $test->{session}), 1,
    'an event as for any session';
};

finish $service;
