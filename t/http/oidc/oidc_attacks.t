# OpenID Connect, attacked: by another site, another client, another browser, and by
# whoever has seen a code.
use v5.32;
use warnings;
use Digest::SHA qw(hmac_sha256 sha256);
use JSON::PP ();
use MIME::Base64 qw(encode_base64 encode_base64url decode_base64url);
use Verify::OidcTest;
use Verify::Test;

my $test = Verify::OidcTest->start;
my ($service, $organization) = @$test{qw(service organization)};
my $client = $test->client(redirect_uri =>
  'https://shop.example/callback https://shop.example/other?from=verify');
$service->allow_log(qr/IDV0020: parameter_invalid: a code of oic_\w+ was presented again/);

sub refuses {
  my ($client, $code, $name, %change) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  my $error = delete $change{error} // 'invalid_grant';
  my ($status, $answer) = $client->exchange($code, %change);
  is $answer->{error}, $error, $name or diag explain [$status, $answer];
  is $status, $error eq 'invalid_client' ? 401 : 400, '... its status';
  is ref $answer->{error_description} || length $answer->{error_description} > 5, 1, '... and why';
}
sub code {
  my (%parameters) = @_;
  return $test->log_in($test->browser, $client, %parameters)->{code};
}

subtest 'redirect URIs match byte by byte' => sub {
  my $uri = $client->{redirect_uri};
  my @tricks = ("$uri/", "$uri/../other", 'https://shop.example/callback/..', "$uri#fragment",
    "$uri?x=1", 'https://shop.example', 'https://shop.example/', 'https://shop.example:443/callback',
    'https://shop.example:8443/callback', 'http://shop.example/callback',
    'https://SHOP.example/callback', 'https://shop.example/Callback', 'HTTPS://shop.example/callback',
    'https://shop.example./callback', 'https://shop.example@evil.example/callback',
    'https://evil.example/https://shop.example/callback', 'https://evil.example/callback',
    'https://shop.example.evil.example/callback', 'https://shop.example/%63allback',
    'https://shop.example//callback', "$uri\@evil.example", 'https://evil.example\\@shop.example/callback',
    '//shop.example/callback', 'javascript:alert(1)', 'https://shop.example/other',
    'https://shop.example/other?from=verify&to=evil', " $uri", "$uri ", "$uri\t", "$uri\0", '');
  for my $trick (@tricks) {
    my $page = $test->browser->visit($client->authorize(redirect_uri => $trick));
    is $page->status, 400, 'refused: ' . ($trick =~ s/[^!-~]/?/gr);
    is $page->location, '', '... and not redirected';
  }
  my $page = $test->browser->visit($client->authorize(redirect_uri => undef));
  is $page->status, 400, 'none';
  like $page->header('Content-Type'), qr{\Atext/html}, 'a person sees a page';
  like $page->header('Content-Security-Policy'), qr/default-src 'none'.*frame-ancestors 'none'/,
    'that runs nothing and is in no frame';
  like $page->body, qr/This login cannot continue/, 'which says so';
  unlike $page->body, qr/evil/, 'and repeats nothing';
  for my $id ('oic_00000000000000000000000000', 'x', '', "$client->{client_id}x", undef) {
    is $test->browser->visit($client->authorize(client_id => $id))->status, 400,
      'no such client';
  }
  $page = $test->browser->visit($client->authorize(scope => 'openid age',
    redirect_uri => 'https://shop.example/other?from=verify', response_type => 'token'));
  like $page->location,
    qr{\Ahttps://shop\.example/other\?from=verify&error=unsupported_response_type&},
    'a query of the URI stays';
};

subtest 'errors go to the client' => sub {
  for my $case ([unsupported_response_type => response_type => 'id_token'],
    [unsupported_response_type => response_type => 'code id_token'],
    [invalid_request => response_type => undef], [invalid_scope => scope => 'age'],
    [invalid_scope => scope => undef], [invalid_request => code_challenge => undef],
    [invalid_request => code_challenge_method => undef],
    [invalid_request => code_challenge_method => 'plain'],
    [invalid_request => code_challenge => 'short'],
    [invalid_request => code_challenge => '=' x 43],
    [invalid_request => prompt => 'none login'], [invalid_request => prompt => 'other'],
    [invalid_request => max_age => '-1'], [invalid_request => max_age => '1' x 20],
    [invalid_request => response_mode => 'fragment'],
    [invalid_request => response_mode => 'form_post'],
    [request_not_supported => request => 'eyJhbGciOiJub25lIn0.e30.'],
    [request_uri_not_supported => request_uri => 'https://evil.example/'],
    [registration_not_supported => registration => '{}'],
    [login_required => prompt => 'none'], [invalid_request => nonce => 'n' x 600]) {
    my ($error, $name, $value) = @$case;
    my $page = $test->browser->visit($client->authorize($name => $value));
    my $returned = $client->returned($page->location) // {};
    is $returned->{error}, $error, "$name " . ($value // 'missing');
    ok $client->is_answer($returned), '... with state and iss';
    is $page->header('Cache-Control'), 'no-store', '... kept by nobody';
  }
  my $page = $test->browser->visit($client->authorize(state => "a&iss=https://evil.example#\r\nX: y"));
  like $page->location, qr{\Ahttps://127\.0\.0\.1:\d+/v1/oidc/continue\?}, 'a state is only text';
  is $service->sql_value('SELECT count(*) FROM verification_session'), 0,
    'nothing was created for any of them';
};

subtest 'a code works once' => sub {
  my $code = code();
  my ($status, $tokens) = $client->exchange($code);
  is $status, 200, 'the first time';
  refuses($client, $code, 'the second time');
  refuses($client, $code, 'the third time');
  is $service->sql_value('SELECT count(*) FROM oidc_login WHERE code_reused_at IS NOT NULL'), 1,
    'which is recorded';
};

subtest 'at the same time' => sub {
  my $code = code();
  my @pids;
  my $folder = File::Temp::tempdir(CLEANUP => 1);
  for my $number (1 .. 64) {
    my $pid = fork // die;
    if (!$pid) {
      my ($status) = $client->exchange($code);
      open my $file, '>', "$folder/$number" or die;
      print $file $status;
      close $file;
      require POSIX;
      POSIX::_exit(0);
    }
    push @pids, $pid;
  }
  waitpid $_, 0 for @pids;
  is_deeply [sort map { Verify::Instance::read_text("$folder/$_") } 1 .. 64],
    [200, (400) x 63], 'one of 64 gets tokens';
};

subtest 'expired codes' => sub {
  my $code = code();
  $service->sql('UPDATE oidc_login SET code_expires_at = code_expires_at - 61000000');
  refuses($client, $code, 'after a minute');
};

subtest 'PKCE' => sub {
  refuses($client, code(), 'another verifier', code_verifier => 'x' x 43);
  refuses($client, code(), 'none', code_verifier => undef, error => 'invalid_request');
  refuses($client, code(), 'the challenge itself',
    code_verifier => encode_base64url(sha256($client->{verifier})));
  refuses($client, code(), 'too short', code_verifier => substr $client->{verifier}, 0, 42);
  my $code = code();
  refuses($client, $code, 'a wrong one', code_verifier => 'y' x 43);
  refuses($client, $code, 'spends the code');
};

subtest 'mixed-up clients and URIs' => sub {
  my $other = $test->client(name => 'Other');
  my $public = $test->client(name => 'App', auth => 'none');
  my $code = code();
  $_->{verifier} = $client->{verifier} for $other, $public;
  refuses($other, $code, 'another client with its own secret');
  refuses($public, $code, 'a public client');
  refuses($client, $code, 'another redirect URI',
    redirect_uri => 'https://shop.example/other?from=verify');
  my $stranger = $service->organization(sandbox => 1, workflow => Verify::OidcTest::workflow());
  my $theirs = $test->client(organization => $stranger);
  $theirs->{verifier} = $client->{verifier};
  refuses($theirs, code(), 'a client of another organization');
};

subtest 'clients authenticate' => sub {
  my $code = code();
  my %basic = (Authorization => 'Basic '
    . encode_base64("$client->{client_id}:wrong", ''));
  my %no = (error => 'invalid_client');
  refuses($client, $code, 'a wrong secret', headers => \%basic, %no);
  like $client->{last}{headers}{'www-authenticate'}, qr/\ABasic/, 'the challenge';
  refuses($client, $code, 'none', headers => {}, client_id => $client->{client_id}, %no);
  refuses($client, $code, 'the secret in the form', headers => {}, %no,
    client_id => $client->{client_id}, client_secret => $client->{client_secret});
  refuses($client, $code, 'a bearer token', headers => {Authorization => "Bearer $organization->{secret_key}"}, %no);
  refuses($client, $code, 'no client', headers => {}, %no);
  refuses($client, $code, "another's name", client_id => 'oic_00000000000000000000000000', %no);
  my ($status) = $client->exchange($code);
  is $status, 200, 'the code is still good';
  my $public = $test->client(auth => 'none');
  $code = $test->log_in($test->browser, $public)->{code};
  refuses($public, $code, 'a secret that a public client has not', %no,
    headers => {Authorization => 'Basic ' . encode_base64("$public->{client_id}:x", '')});
  ($status) = $public->exchange($code);
  is $status, 200, 'a public client needs none';
  my ($with_scope, $answer) = $client->exchange(code(), grant_type => 'refresh_token');
  is $answer->{error}, 'unsupported_grant_type', 'no refresh tokens';
  ($status, $answer) = $client->exchange('x', grant_type => undef);
  is $answer->{error}, 'invalid_request', 'no grant type';
};

# TOKEN without its signature.
sub unsigned { $_[0] =~ s/[^.]*\z//r }

subtest 'private_key_jwt and algorithm confusion' => sub {
  my $folder = "$service->{directory}";
  my $key = "$folder/client.key";
  system('openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out ' . $key
    . ' 2>/dev/null || openssl ecparam -name prime256v1 -genkey -noout -out ' . $key) == 0 or die;
  my $public = qx(openssl pkey -in $key -pubout -outform DER);
  my ($x, $y) = map { encode_base64url($_) } unpack 'a32 a32', substr $public, -64;
  my $jwk = {kty => 'EC', crv => 'P-256', x => $x, y => $y, kid => 'one', alg => 'ES256', use => 'sig'};
  open my $file, '>', "$folder/jwks.json" or die;
  print $file JSON::PP->new->encode({keys => [$jwk]});
  close $file;
  my $signer = $test->client(auth => 'private_key_jwt', with => ['--jwks', "$folder/jwks.json"],
    of => {key => $key, key_alg => 'ES256', kid => 'one', client_secret => undef});
  my $claims = $test->claims($signer);
  ok $claims->{age_over_18}, 'an assertion authenticates';
  my $code = $test->log_in($test->browser, $signer)->{code};
  my %no = (error => 'invalid_client');
  my %spent = $signer->assertion;
  refuses($signer, 'x', 'a code that is none', %spent);
  refuses($signer, $code, 'the same assertion again', %spent, %no);
  for my $case (['another audience', aud => 'https://other.example'], ['expired', exp => time - 120],
    ['too long', exp => time + 3600], ['no jti', jti => undef], ['another issuer', iss => 'x'],
    ['another subject', sub => $client->{client_id}], ['from tomorrow', nbf => time + 86400],
    ['no expiry', exp => undef], ['a text as expiry', exp => 'soon']) {
    my ($name, %change) = @$case;
    refuses($signer, $code, $name, $signer->assertion(%change), %no);
  }
  my $secret = "$client->{client_id}:$client->{client_secret}";
  my $body = sub { join '.', map { encode_base64url(JSON::PP->new->encode($_)) } {alg => $_[0], typ => 'JWT'},
    {iss => $signer->{client_id}, sub => $signer->{client_id}, aud => $service->base_url_tls,
     exp => time + 60, jti => Verify::OidcClient::random_text()} };
  my $made = sub { my %form = $signer->assertion; return $form{client_assertion} };
  my $none = $body->('none');
  my $mac = $body->('HS256');
  for my $case (['alg none', "$none."], ['alg none without dot', $none],
    ['HS256 with the public key', "$mac." . encode_base64url(hmac_sha256($mac, $public))],
    ['HS256 with the JWK', "$mac." . encode_base64url(hmac_sha256($mac, JSON::PP->new->encode($jwk)))],
    ['RS256 with an EC signature', do {
      my ($header, @rest) = split /\./, $made->();
      join '.', encode_base64url('{"alg":"RS256"}'), @rest }],
    ['a key of its own', do {
      my $other = "$folder/other.key";
      system("openssl ecparam -name prime256v1 -genkey -noout -out $other") == 0 or die;
      local $signer->{key} = $other;
      $made->() }],
    ['zeros as signature', unsigned($made->()) . encode_base64url("\0" x 64)],
    ['garbage', 'a.b.c'], ['too long', 'a' x 20000]) {
    my ($name, $assertion) = @$case;
    refuses($signer, $code, $name, %no, client_assertion => $assertion,
      client_assertion_type => 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
  }
  my ($status) = $signer->exchange($code);
  is $status, 200, 'the code is still good';
  # Also with the secret of another client.
  $code = $test->log_in($test->browser, $signer)->{code};
  refuses($signer, $code, 'two ways at once', %no, $signer->assertion,
    headers => {Authorization => 'Basic ' . encode_base64($secret, '')});
};

subtest "another visitor's browser" => sub {
  my ($mine, $theirs) = ($test->browser, $test->browser);
  my $id = $test->begin($mine, $client->authorize);
  my $return = $test->return_url($id);
  my $page = $theirs->visit($return);
  is $page->status, 403, 'a browser without a cookie';
  is $page->location, '', 'is not led on';
  $test->begin($theirs, $client->authorize);
  $page = $theirs->visit($return);
  is $page->status, 400, 'one with a cookie of its own';
  is $page->location, '', 'neither';
  $test->set_outcome($id, 'passed');
  is $theirs->visit($return)->location, '', 'nor when the session is verified';
  my %parts = $return =~ /(\w+)=(\w+)/g;
  my $other = $test->client;
  is $mine->visit("/v1/oidc/continue?client_id=$other->{client_id}&login=$parts{login}")->location,
    '', 'nor for another client';
  my $returned = $client->returned($mine->visit($return)->location);
  ok $returned->{code}, 'the browser that began gets the code';
  $returned = $client->returned($mine->visit($return)->location);
  is $returned->{error}, 'login_required', 'once';
  ok !$returned->{code}, 'and no other code';
};

subtest 'an earlier login belongs to its browser and client' => sub {
  my $browser = $test->browser;
  $test->claims($client, browser => $browser);
  my $silent = $client->returned($browser->visit($client->authorize(prompt => 'none'))->location);
  ok $silent->{code}, 'prompt=none in the same browser';
  is $client->returned($test->browser->visit($client->authorize(prompt => 'none'))->location)->{error},
    'login_required', 'in another';
  my $other = $test->client;
  is $other->returned($browser->visit($other->authorize(prompt => 'none'))->location)->{error},
    'login_required', 'at another client';
  is $client->returned($browser->visit($client->authorize(prompt => 'none',
    scope => 'openid identity'))->location)->{error}, 'login_required', 'for another scope';
};

subtest 'nothing tells that two logins are from one person' => sub {
  my $browser = $test->browser;
  my $first = $test->claims($client, browser => $browser);
  my $silent = $client->returned($browser->visit($client->authorize(prompt => 'none'))->location);
  my ($status, $tokens) = $client->exchange($silent->{code});
  is $status, 200, 'a later login by the same verification';
  isnt $client->check($tokens->{id_token})->{sub}, $first->{sub}, 'has another sub';
  $browser->visit($test->client->authorize);
  is $service->sql_value(q{SELECT count(DISTINCT browser_digest)
    FROM (SELECT * FROM oidc_login ORDER BY id DESC LIMIT 2) l}), 2,
    'nor does the database, at two clients';
};

subtest 'a client that changes during a login' => sub {
  my ($old, $new) = map { "https://$_.example/callback" } qw(old new);
  my $client = $test->client(redirect_uri => "$old $new");
  my $browser = $test->browser;
  my $id = $test->begin($browser, $client->authorize(redirect_uri => $old));
  $test->set_outcome($id, 'passed');
  $service->verifyctl(qw(oidc client update), $client->{client_id}, '--redirect-uri', $new);
  my $page = $browser->visit($test->return_url($id));
  is $page->status, 400, 'a redirect URI that it has no longer';
  is $page->location, '', 'gets no code';
  $client = $test->client;
  my ($before, $during) = map { $test->browser } 1, 2;
  $test->log_in($before, $client);
  $id = $test->begin($during, $client->authorize);
  my $workflow = $service->publish($organization->{id},
    Verify::OidcTest::workflow(name => 'Stricter'))->{id};
  $service->verifyctl(qw(oidc client update), $client->{client_id}, '--workflow', $workflow);
  $test->set_outcome($id, 'passed');
  is $client->returned($during->visit($test->return_url($id))->location)->{error},
    'access_denied', 'a verification by another workflow is none';
  is $client->returned($before->visit($client->authorize(prompt => 'none'))->location)->{error},
    'login_required', 'nor is an earlier one';
  $id = $test->begin($during, $client->authorize);
  $test->set_outcome($id, 'passed');
  ok $test->come_back($during, $client, $id)->{code}, 'one by its workflow is';
};

subtest 'an ended verification yields nothing' => sub {
  my $code = code();
  $service->sql(q{UPDATE verification_session SET status = 'failed' WHERE id = ?}, $test->{session});
  refuses($client, $code, 'the session is not verified any more');
  my $browser = $test->browser;
  $test->log_in($browser, $client);
  $service->sql('UPDATE organization SET disabled_at = 1 WHERE id = ?', $organization->{id});
  is $client->returned($browser->visit($client->authorize(prompt => 'none'))->location)->{error},
    'login_required', 'a disabled organization';
  $service->sql('UPDATE organization SET disabled_at = NULL WHERE id = ?', $organization->{id});
};

subtest 'the form of a POST' => sub {
  my $browser = $test->browser;
  my ($query) = $client->authorize =~ /\?(.*)/;
  my $post = sub { $browser->{http}->request('POST', $browser->{base} . '/v1/oidc/authorize',
    {headers => {'Content-Type' => $_[1] // 'application/x-www-form-urlencoded'}, content => $_[0]}) };
  my $answer = $post->($query);
  is $answer->{status}, 303, 'becomes a query';
  like $test->begin($browser, $answer->{headers}{location}), qr/\Avks_/, 'that logs in';
  is $post->("$query\r\nX: y")->{status}, 400, 'without lines';
  is $post->("$query&state=2")->{status}, 400, 'without repetitions';
  is $post->($query . '&x=' . 'y' x 9000)->{status}, 400, 'not too long';
  is $post->($query . '&x=' . 'y' x 70000)->{status}, 413, 'by far';
  is $post->('{}', 'application/json')->{status}, 415, 'no JSON';
  is $post->('')->{status}, 400, 'not empty';
  is $post->("$query&x=$_")->{status}, 400, 'only characters of a query'
    for "\1", "\x0b", "\x7f", "\xc3\xa9", '"', '\\';
  is $browser->visit($client->authorize . '&state=2')->status, 400, 'no repetitions in a query';
};

finish $service;
