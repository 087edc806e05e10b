# Publishable keys: deprecated creation with a captcha, retrieval with the
# session's secret, and nothing else. A local receiver stands in for the
# provider.
use v5.32;
use warnings;
use IO::Socket::INET;
use JSON::PP ();
use Verify::Test;

my $service = Verify::Instance->start(start => 0);
my $provider = $service->receiver;
my $secret_file = "$service->{directory}/captcha.secret";
open my $out, '>', $secret_file or die "captcha.secret: $!\n";
chmod 0600, $out;
print $out "provider-secret\n";
close $out;
$service->{conf} = join "\n", 'VerifyCaptcha turnstile',
  "VerifyCaptchaSecretFile $secret_file", 'VerifyCaptchaTimeout 1000',
  'VerifyCaptchaURL ' . $provider->url('/siteverify'),
  'VerifyCaptchaCAFile ' . $service->ca_file, '';
$service->start_httpd;

my $path = '/v1/verification_sessions';
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $key = $service->key($organization->{id}, 'publishable');
my $browser = $service->client($key);
my %least = (type => 'age', workflow_id => $organization->{workflow_id},
  jurisdiction => 'US-CA');

sub provider_says {
  my ($answer, %more) = @_;
  $provider->forget;
  $provider->behave({%more, headers => {'Content-Type' => 'application/json'},
    body => ref $answer ? JSON::PP::encode_json($answer) : $answer});
}
sub create {
  my ($parameters, %headers) = @_;
  my $answer = $browser->post($path, {%least, captcha_token => 'token-1',
    %$parameters}, %headers);
  is_deprecated($answer);
  return $answer;
}
sub is_deprecated {
  my ($answer, $name) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  is $answer->header('Service-Deprecation'), 'publishable-key-session-create',
    $name // 'deprecated';
}
sub session_count {
  return $service->sql_value('SELECT count(*) FROM verification_session');
}
my ($yes, $no) = ({success => JSON::PP::true}, {success => JSON::PP::false});

subtest 'a solved captcha' => sub {
  provider_says($yes);
  my $session = answer_is(create({captcha_token => 'tok&n =%'}), 201);
  is $session->{status}, 'created', 'a session';
  my ($request) = $provider->requests;
  is $request->{method}, 'POST', 'the provider was asked';
  is $request->{path}, '/siteverify', 'at its address';
  like $request->{headers}{'content-type'},
    qr{\Aapplication/x-www-form-urlencoded}, 'with a form';
  is $request->{body}, 'secret=provider-secret&response=tok%26n+%3d%25'
    . '&remoteip=127.0.0.1', 'of secret, token and address';
};

# A browser can name any address, so it has to be proved, known or not.
subtest 'reuse from a browser' => sub {
  provider_says({%$yes});
  for my $email ('specimen@example.com', 'nobody@example.com') {
    error_is(create({accept_existing => JSON::PP::true, email => $email}), 400,
      'email_not_verified');
  }
  error_is(create({credential_hash => 'ab' x 32}), 400, 'email_not_verified');
  error_is(create({vp_token => 'vpt_x'}), 400, 'vp_token_invalid', undef,
    'a token is proof by itself');
};

subtest 'without a token' => sub {
  my $answer = $browser->post($path, {%least});
  error_is($answer, 400, 'captcha_required');
  is_deprecated($answer);
};

subtest 'tokens that are refused' => sub {
  my $before = session_count();
  provider_says({%$no, 'error-codes' => ['timeout-or-duplicate']});
  error_is(create({}), 400, 'parameter_invalid', 'captcha_token');
  provider_says({%$yes, score => 0.1});
  error_is(create({}), 400, 'parameter_invalid', 'captcha_token', 'a low score');
  error_is(create({captcha_token => ''}), 400, 'parameter_invalid',
    'captcha_token', 'an empty one');
  error_is(create({captcha_token => 't' x 4097}), 400, 'parameter_invalid',
    'captcha_token', 'a long one');
  provider_says({%$yes, score => 0.9});
  answer_is(create({}), 201, 'a good score');
  answer_is(create({captcha_token => "\x{4e2d}" x 4096}), 201,
    'the longest token');
  is session_count(), $before + 2, 'refusals left no session';
};

$service->allow_log(qr/IDV0360|could not be checked/);
subtest 'no verdict' => sub {
  my $before = session_count();
  my @silences = (
    ['the provider faults our secret',
      {%$no, 'error-codes' => ['invalid-input-secret']}],
    ['no JSON', 'not json'], ['no such answer', {}], ['an error', $yes,
      status => 500], ['a closed connection', $yes, close => 1],
    ['silence', $yes, hang => 8], ['byte after byte', $yes, drip => 0.5]);
  for my $silence (@silences) {
    my ($name, @behaviour) = @$silence;
    provider_says(@behaviour);
    my $answer = create({});
    error_is($answer, 503, 'service_unavailable', undef, $name);
    ok $answer->header('Retry-After'), 'worth another try';
  }
  is session_count(), $before, 'no session without a verdict';
  provider_says($yes);
  answer_is(create({}), 201, 'and then again');
};

subtest 'one token, one session' => sub {
  provider_says($yes);
  my %once = ('Idempotency-Key' => 'browser-1');
  my $first = create({}, %once);
  is $first->status, 201, 'created';
  my $again = create({}, %once);
  is $again->body, $first->body, 'a repetition is answered the same';
  is scalar(my @asked = $provider->requests), 1, 'without another check';
};

subtest 'every answer to a creation says so' => sub {
  provider_says($yes);
  my @bodies = (['malformed JSON', '{', 400], ['no object', '[]', 400],
    ['a missing parameter', {captcha_token => 'x'}, 400],
    ['a large body', '{"type":"' . 'x' x 70000 . '"}', 413]);
  for my $case (@bodies) {
    my ($name, $body, $status) = @$case;
    my $answer = $browser->post($path, $body);
    is $answer->status, $status, $name;
    is_deprecated($answer);
  }
  my $answer = $browser->post($path, 'x', 'Content-Type' => 'text/plain');
  is $answer->status, 415, 'another media type';
  is_deprecated($answer);
  $answer = $browser->post("$path?type=age", {%least});
  is $answer->status, 400, 'a query';
  is_deprecated($answer);
  my $other = $service->verifyctl(qw(key create --type publishable --org),
    $organization->{id});
  $service->verifyctl(qw(key revoke), $other->{id});
  $answer = $service->client($other->{key})->post($path, {%least});
  error_is($answer, 401, 'api_key_invalid');
  is_deprecated($answer);
  $answer = $organization->{client}->post($path, {%least});
  is $answer->status, 201, 'a secret key needs no captcha';
  is $answer->header('Service-Deprecation'), undef, 'and is not deprecated';
  $answer = $organization->{client}->post($path, {%least,
    captcha_token => 'x'});
  is $answer->status, 201, 'nor is its token looked at';
};

subtest 'retrieval' => sub {
  provider_says($yes);
  my $session = answer_is(create({}), 201);
  my $one = "$path/$session->{id}";
  my %secret = ('X-Service-Session-Secret' => $session->{client_secret});
  my $answer = $browser->get($one, %secret);
  my $found = answer_is($answer, 200, 'with the secret of the session');
  is $found->{id}, $session->{id}, 'the session';
  is $found->{client_secret}, undef, 'which is not told again';
  is $answer->header('Service-Deprecation'), undef, 'retrieval is current';
  error_is($browser->get($one), 401, 'client_secret_invalid', undef,
    'without the secret');
  error_is($browser->get($one, 'X-Service-Session-Secret' => 'x'), 401,
    'client_secret_invalid', undef, 'with a wrong one');
  my $other = answer_is(create({}), 201);
  error_is($browser->get($one,
    'X-Service-Session-Secret' => $other->{client_secret}), 401,
    'client_secret_invalid', undef, "with another session's");
  error_is($browser->get("$one?expand[]=results", %secret), 403,
    'publishable_key_scope', undef, 'no evidence');
  error_is($browser->get("$one?expand[]=document", %secret), 403,
    'publishable_key_scope', undef, 'no document');
  error_is($browser->get("$path/vks_" . '0' x 26, %secret), 404,
    'session_not_found');
  my $stranger = $service->organization(sandbox => 1);
  my $foreign = $service->client(
    $service->key($stranger->{id}, 'publishable'));
  error_is($foreign->get($one, %secret), 404, 'session_not_found', undef,
    'not for another organization');
  answer_is($organization->{client}->get("$one?expand[]=results"), 200,
    'a secret key needs no such header');
};

$service->allow_log(qr/AH01631: user key_\w+: authorization failure/);
subtest 'the scope on every route' => sub {
  open my $file, '<', 'mod_verify/api/routes.def' or die "routes.def: $!\n";
  my $text = do { local $/; <$file> };
  $text =~ s{/\*.*?\*/}{}gs;
  my %sample = (id => 'vks_' . '0' x 26);
  my $count = 0;
  while ($text =~ /IDV_ROUTE\((\w+),\s*"([^"]+)",\s*(\w+),\s*\w+,\s*(\w+)/g) {
    my ($method, $pattern, $credential, $body) = ($1, $2, $3, $4);
    next if $credential ne 'SECRET';
    my $route = $pattern =~ s/:(\w+)/$sample{$1} \/\/ 'x'/ger;
    my $answer = $body eq 'NO' ? $browser->request($method, $route, {})
      : $browser->request_with_body($method, $route, {});
    error_is($answer, 403, 'publishable_key_scope', undef, "$method $pattern");
    $count++;
  }
  ok $count > 5, "$count routes";
};

subtest 'an organization that creates from its servers only' => sub {
  my $before = session_count();
  provider_says($yes);
  $service->verifyctl(qw(org update), $organization->{id},
    qw(--publishable-session-create blocked));
  error_is(create({}), 403, 'publishable_session_create_blocked');
  my $answer = $browser->post($path, {%least});
  error_is($answer, 403, 'publishable_session_create_blocked', undef,
    'with or without a token');
  is scalar(my @asked = $provider->requests), 0, 'the provider is not asked';
  answer_is($organization->{client}->post($path, {%least}), 201,
    'its servers can');
  is session_count(), $before + 1, 'no other session';
  $service->verifyctl(qw(org update), $organization->{id},
    qw(--publishable-session-create allowed));
};

subtest 'the limit of requests' => sub {
  my $answer;
  for (1 .. 202) {
    $answer = $browser->post($path, '{');
    last if $answer->status == 429;
  }
  error_is($answer, 429, 'rate_limit_exceeded');
  is_deprecated($answer);
};

subtest 'a server without captcha' => sub {
  $service->stop_httpd;
  $service->{conf} = '';
  $service->start_httpd;
  my $client = $service->client($service->key($organization->{id},
    'publishable'));
  my $answer = $client->post($path, {%least, captcha_token => 'x'});
  error_is($answer, 403, 'publishable_session_create_blocked');
  is_deprecated($answer);
  error_is($client->post($path, {%least}), 400, 'captcha_required');
};

finish($service);
