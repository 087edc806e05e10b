# A wallet that is reached by a link on the same phone: OpenID4VP 1.0 as HAIP 1.0
# profiles it, with wallets' libraries that others wrote.
use v5.32;
use warnings;
use FindBin;
use JSON::PP ();
use MIME::Base64 qw(decode_base64url);
use lib "$FindBin::Bin/../lib";
use Verify::Test;
use Verify::WalletTest;

my $test = Verify::WalletTest->start;
my ($service, $wallet) = @$test{qw(service wallet)};

subtest 'from the link to verified' => sub {
  my $session = $test->session;
  my $asked = $test->ask($session, 'redirect');
  is $asked->{object}, 'mdl_request', 'a request';
  like $asked->{url}, qr{\Aopenid4vp://\?client_id=x509_hash%3[aA]}, 'its link';
  my $fetched = $wallet->does('fetch_request', url => $asked->{url});
  is $fetched->{status}, 200, 'fetched';
  my $answer = $wallet->does('answer_request', request => $fetched->{request},
    documents => ['licence']);
  is_deeply $answer->{elements}, ['age_over_21'], 'one statement is asked for';
  is $answer->{status}, 200, 'accepted' or diag explain $test->reasons($session);
  is $test->status($session), 'processing', 'nothing counts before the person is back';
  my $back = answer_is($test->come_back($session, $answer->{body}{redirect_uri}), 200);
  is $back->{status}, 'verified', 'verified' or diag explain $test->reasons($session);
  my $result = $test->retrieve($session);
  is $result->{results}[0]{assurance}, 'signed', 'by the issuer\'s signature';
  like $service->sql_value('SELECT record::text FROM decision_record
    WHERE session_id = ?', $session->{id}), qr/"trust_list".*"iaca /s,
    'and the record names the list that it rests on';
  error_is($test->come_back($session, $answer->{body}{redirect_uri}), 404,
    'resource_missing', undef, 'the code is good for once');
};

subtest 'not while the organization is disabled' => sub {
  my $session = $test->session;
  my $asked = $test->ask($session, 'redirect');
  my $fetched = $wallet->does('fetch_request', url => $asked->{url});
  is $fetched->{status}, 200, 'fetched before';
  my $id = $service->sql_value('SELECT organization_id FROM verification_session
    WHERE id = ?', $session->{id});
  $service->verifyctl(qw(org disable), $id);
  is $wallet->does('fetch_request', url => $asked->{url})->{status}, 404, 'no request';
  is $wallet->does('answer_request', request => $fetched->{request},
    documents => ['licence'])->{status}, 404, 'no answer';
  $service->verifyctl(qw(org enable), $id);
  is $test->status($session), 'pending', 'and the session waits as it did';
};

subtest 'the request object, by HAIP 1.0' => sub {
  my $session = $test->session;
  my $asked = $test->ask($session, 'redirect');
  my $got = $wallet->does('fetch_request', url => $asked->{url});
  my $posted = $wallet->does('fetch_request', url => $asked->{url}, method => 'post',
    wallet_nonce => 'of-the-wallet');
  my $request = $got->{request};
  is $got->{type}, 'application/oauth-authz-req+jwt', 'its type';
  is $got->{header}{typ}, 'oauth-authz-req+jwt', 'and in its header';
  is $got->{header}{alg}, 'ES256', 'ES256';
  is scalar @{$got->{header}{x5c}}, 1, 'the leaf, without the anchor';
  is $got->{prefix}, 'x509_hash', 'x509_hash, which the library has checked';
  is $got->{version}, 100, 'OpenID4VP 1.0';
  is_deeply [sort keys %$request], [sort qw(aud client_id client_metadata dcql_query
    nonce response_mode response_type response_uri)], 'no other parameter';
  is $request->{aud}, 'https://self-issued.me/v2', 'aud';
  is $request->{response_mode}, 'direct_post.jwt', 'response_mode';
  my $metadata = $request->{client_metadata};
  is_deeply $metadata->{encrypted_response_enc_values_supported},
    [qw(A128GCM A256GCM)], 'both encryptions';
  is_deeply [sort keys %{$metadata->{jwks}{keys}[0]}],
    [sort qw(kty use alg kid crv x y)], 'the key';
  is_deeply $request->{dcql_query}, {credentials => [{id => 'mdl', format => 'mso_mdoc',
    meta => {doctype_value => 'org.iso.18013.5.1.mDL'}, claims => [
      {id => 'e0', path => ['org.iso.18013.5.1', 'age_over_21'],
        intent_to_retain => JSON::PP::false},
      {id => 'e1', path => ['org.iso.18013.5.1', 'birth_date'],
        intent_to_retain => JSON::PP::false}],
    claim_sets => [['e0'], ['e1']]}]}, 'one claim, or the other';
  is $posted->{request}{wallet_nonce}, 'of-the-wallet', 'the nonce of the wallet';
  is $posted->{request}{nonce}, $request->{nonce}, 'fetched twice: the same nonce';
  is_deeply $posted->{request}{client_metadata}, $metadata, '... and key';
  my $other = $wallet->does('fetch_request',
    url => $test->ask($session, 'redirect')->{url});
  isnt $other->{request}{nonce}, $request->{nonce}, 'another nonce for another request';
  isnt $other->{request}{client_metadata}{jwks}{keys}[0]{x},
    $metadata->{jwks}{keys}[0]{x}, '... and another key';
};

subtest 'an identity' => sub {
  my $session = $test->session(type => 'identity');
  my $answer = $test->answer_by_link($session, enc => 'A256GCM');
  is_deeply [sort @{$answer->{elements}}], [sort qw(family_name given_name birth_date
    document_number issuing_country issuing_authority)], 'who somebody is, no more';
  is $answer->{status}, 200, 'accepted' or diag explain $test->reasons($session);
  $test->come_back($session, $answer->{body}{redirect_uri});
  is $test->status($session), 'verified', 'verified';
};

# What is looked at then may have been found without the return, and would be put
# back until the person's time is over.
subtest 'back while the answer is looked at' => sub {
  my $session = $test->session;
  my $answer = $test->answer_by_link($session);
  $service->sql(q(UPDATE analysis_job SET due_at = 9223372036854775807,
    leased_by = 'another node' WHERE session_id = ?), $session->{id});
  is answer_is($test->come_back($session, $answer->{body}{redirect_uri}), 200)->{status},
    'verified', 'it is looked at once more';
};

subtest 'another browser' => sub {
  my $session = $test->session;
  my $answer = $test->answer_by_link($session);
  my $stranger = $test->session;
  error_is($test->come_back($stranger, $answer->{body}{redirect_uri}), 404,
    'resource_missing', undef, 'its code is worth nothing in another session');
  is $test->status($session), 'processing', 'and nothing counts';
  error_is($test->come_back($session,
    $answer->{body}{redirect_uri} =~ s/.{4}\z/AAAA/r), 404, 'resource_missing', undef,
    'nor does another code');
  # Ten minutes later nobody has come.
  $service->sql(q(UPDATE mdl_request SET answered_at = answered_at - 600000
    WHERE session_id = ?), $session->{id});
  $service->sql('UPDATE analysis_job SET due_at = 0 WHERE session_id = ?', $session->{id});
  wait_for { $test->status($session) eq 'requires_input' };
  is answer_is($session->{person}->get($session->{path}), 200)->{hint},
    'wallet_not_returned', 'the person is asked again';
};

subtest 'once only' => sub {
  my $session = $test->session;
  my $asked = $test->ask($session, 'redirect');
  my $fetched = $wallet->does('fetch_request', url => $asked->{url});
  my $answer = $wallet->does('answer_request', request => $fetched->{request},
    documents => ['licence']);
  is $answer->{status}, 200, 'answered';
  my $again = $wallet->does('send', response_uri => $fetched->{request}{response_uri},
    body => {response => $answer->{response}});
  is $again->{status}, 404, 'a replay finds nothing';
  is $wallet->does('fetch_request', url => $asked->{url})->{status}, 404,
    'nor can the request be fetched any more';
  my $stranger = $test->session;
  my $theirs = $wallet->does('fetch_request',
    url => $test->ask($stranger, 'redirect')->{url});
  is $wallet->does('send', response_uri => $theirs->{request}{response_uri},
    body => {response => $answer->{response}})->{status}, 400,
    'the answer to one session is none to another';
  is $test->status($stranger), 'pending', '... and nothing comes of it';
  error_is($session->{person}->post("$session->{path}/submissions",
    {method => 'mdl'}), 400, 'parameter_invalid', 'method',
    'nor is there another way to hand it in');
};

# By each of the ways, and more often than what is no answer may be tried.
subtest 'the wallet declines' => sub {
  my $session = $test->session;
  my $asked = $test->ask($session, 'redirect');
  my $fetched = $wallet->does('fetch_request', url => $asked->{url});
  my $page = $service->base_url_tls . "/verify/$session->{id}#wallet=$asked->{id}";
  my $encrypted = sub {
    my ($payload) = @_;
    return $wallet->does('answer_request', request => $fetched->{request},
      documents => ['licence'], faults => {payload => $payload});
  };
  my $device_response = sub {
    return {vp_token => {mdl => [MIME::Base64::encode_base64url(pack 'H*',
      'a2' . '6776657273696f6e' . '63312e30' . '66737461747573' . $_[0])]}};
  };
  for my $round (1, 2) {
    for (['in the clear', $wallet->does('send',
        response_uri => $fetched->{request}{response_uri},
        body => {error => 'access_denied'})],
      ['encrypted', $encrypted->({error => 'access_denied'})],
      ['status 10', $encrypted->($device_response->('0a'))],
      ['status 0 without documents', $encrypted->($device_response->('00'))]) {
      my ($form, $answer) = @$_;
      is $answer->{status}, 200, "$form: taken";
      is $answer->{body}{redirect_uri}, $page, '... and leads back, without a code';
    }
  }
  for (['in the clear', $wallet->does('send',
      response_uri => $fetched->{request}{response_uri},
      body => {error => 'invalid_request'})],
    ['encrypted', $encrypted->({error => 'invalid_request'})]) {
    my ($form, $answer) = @$_;
    is $answer->{status}, 200, "another error, $form: taken";
    is $answer->{body}{redirect_uri}, "$page!", '... and told apart';
  }
  is $test->status($session), 'pending', 'nothing has happened';
  my $answer = $wallet->does('answer_request', request => $fetched->{request},
    documents => ['licence']);
  is $answer->{status}, 200, 'a good answer is taken afterwards';
  is answer_is($test->come_back($session, $answer->{body}{redirect_uri}), 200)->{status},
    'verified', '... and verified';
};

subtest 'what a document has instead of the statement' => sub {
  for (['older', {age_over_18 => undef}, 'age_over_21'],
    ['birthday', {age_over_18 => undef, age_over_21 => undef, age_over_65 => undef},
      'birth_date']) {
    my ($name, $elements, $given) = @$_;
    $test->issue($name, elements => $elements);
    my $session = $test->session(jurisdiction => 'DE');
    my $answer = $test->answer_by_link($session, documents => [$name]);
    is_deeply $answer->{elements}, [$given], "$given, and no more";
    is $answer->{status}, 200, '... is accepted' or diag explain $test->reasons($session);
    is answer_is($test->come_back($session, $answer->{body}{redirect_uri}), 200)->{status},
      'verified', '... and verified';
  }
};

subtest 'a phone that was handed the session' => sub {
  my $session = $test->session;
  my $offer = answer_is($session->{person}->post("$session->{path}/handoff", {}), 200);
  my ($token) = $offer->{url} =~ /#([^&]+)/;
  my $taken = answer_is($service->client(undef)->post('/v1/widget/handoffs',
    {token => $token, pairing => $offer->{pairing}}), 200);
  my $phone = {%$session, person => $service->client($taken->{client_secret})};
  error_is($session->{person}->post("$session->{path}/mdl/requests",
    {channel => 'redirect'}), 409, 'session_locked_to_other_device', undef,
    'asks, and no other');
  my $answer = $test->answer_by_link($phone);
  is $answer->{status}, 200, 'its wallet is accepted';
  error_is($test->come_back($session, $answer->{body}{redirect_uri}), 409,
    'session_locked_to_other_device', undef, 'the other screen does not come back');
  is answer_is($test->come_back($phone, $answer->{body}{redirect_uri}), 200)->{status},
    'verified', 'but the phone does';
};

# Its link has the request itself, and its answer is sent in the clear.
subtest 'an app for the EU\'s proofs of age' => sub {
  $test->issue('proof', doctype => 'eu.europa.ec.av.1', only => ['age_over_18']);
  my $session = $test->session(jurisdiction => 'DE');
  my $asked = $test->ask($session, 'redirect');
  like $asked->{url}, qr{\Aopenid4vp://}, 'beside the link of a wallet';
  like $asked->{age_app_url}, qr{\Aav://\?}, 'there is the app\'s';
  my $answer = $wallet->does('answer_age_app', url => $asked->{age_app_url},
    documents => ['proof']);
  is $answer->{prefix}, 'redirect_uri', 'client id';
  is_deeply [sort keys %{$answer->{parameters}}], [sort qw(client_id client_metadata
    dcql_query nonce response_mode response_type response_uri)], 'no other parameter';
  is $answer->{parameters}{response_mode}, 'direct_post', 'response_mode';
  is $answer->{parameters}{client_id}, "redirect_uri:$answer->{parameters}{response_uri}",
    'of where it answers';
  is_deeply [sort keys %{$answer->{request}{client_metadata}}],
    ['vp_formats_supported'], 'no key to encrypt for';
  is_deeply $answer->{request}{dcql_query}, {credentials => [{id => 'proof_of_age',
    format => 'mso_mdoc', meta => {doctype_value => 'eu.europa.ec.av.1'}, claims => [{
      path => ['eu.europa.ec.av.1', 'age_over_18'],
      intent_to_retain => JSON::PP::false}]}]}, 'one claim';
  is $answer->{status}, 200, 'accepted' or diag explain $test->reasons($session);
  is $test->status($session), 'processing', 'nothing counts before the person is back';
  is answer_is($test->come_back($session, $answer->{body}{redirect_uri}), 200)->{status},
    'verified', 'verified' or diag explain $test->reasons($session);
  my $response_uri = $answer->{parameters}{response_uri};
  is $wallet->does('send', response_uri => $response_uri,
    body => {vp_token => $answer->{vp_token}})->{status}, 404, 'a replay finds nothing';

  my $other = $test->session(jurisdiction => 'DE');
  my $theirs = $test->ask($other, 'redirect');
  my ($address) = $theirs->{age_app_url} =~ /response_uri=([^&]+)/;
  is $wallet->does('send', response_uri => $address =~ s/%([0-9a-f]{2})/chr hex $1/gier,
    body => {vp_token => $answer->{vp_token}})->{status}, 400,
    'the answer to one session is none to another';
  is_deeply $test->reasons($other), ['device_signature_wrong'], '... which says why';

  my $wrong = $test->session(jurisdiction => 'DE');
  is $wallet->does('answer_age_app', url => $test->ask($wrong, 'redirect')->{age_app_url},
    documents => ['proof'], faults => {nonce => 'other'})->{status}, 400,
    'another nonce is refused';
  my $plain = $test->session(jurisdiction => 'DE');
  my $encrypted = $test->ask($plain, 'redirect');
  my $fetched = $wallet->does('fetch_request', url => $encrypted->{url});
  my $made = $wallet->does('answer_age_app', url => $encrypted->{age_app_url}
      =~ s/nonce=[^&]+/nonce=$fetched->{request}{nonce}/r, documents => ['proof']);
  is $made->{status}, 400, 'nor does the request of a wallet take one in the clear';
  for my $parameters ([jurisdiction => 'US-CA'], [jurisdiction => 'DE', type => 'identity']) {
    is $test->ask($test->session(@$parameters), 'redirect')->{age_app_url}, undef,
      "not asked for: @$parameters";
  }
};

subtest 'limits of a session' => sub {
  my $session = $test->session;
  my $ask = sub { $session->{person}->post("$session->{path}/mdl/requests",
    {channel => 'redirect'}) };
  is scalar(grep { $ask->()->status == 200 } 1 .. 60), 60, 'sixty requests';
  my $refused = $ask->();
  error_is($refused, 429, 'rate_limit_exceeded', undef, '... and no more');
  like $refused->json->{error}{message}, qr/too many requests to wallets/, '... says which';
};

subtest 'bad input' => sub {
  my $session = $test->session;
  my $client = $service->client('');
  my $asked = $test->ask($session, 'redirect');
  error_is($session->{person}->post("$session->{path}/mdl/requests", {channel => 'fax'}),
    400, 'parameter_invalid', 'channel');
  error_is($session->{person}->post("$session->{path}/mdl/responses",
    {request_id => $asked->{id}}), 400, 'parameter_invalid', 'protocol');
  error_is($client->get('/v1/wallet/requests/mdr_x', Authorization => undef), 404,
    'resource_missing');
  error_is($client->get("/v1/wallet/requests/$asked->{id}", Authorization => undef), 404,
    'resource_missing', undef, 'the id is not the handle');
  my $fetched = $wallet->does('fetch_request', url => $asked->{url});
  is $wallet->does('send', response_uri => $fetched->{request}{response_uri},
    body => {nonsense => 1})->{status}, 400, 'an answer without a response';
};

finish($service);
