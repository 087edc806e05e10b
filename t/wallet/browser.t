# The Digital Credentials API: both protocols in one call, each with its own
# nonce, key and transcript, answered by libraries that others wrote.
use v5.32;
use warnings;
use FindBin;
use JSON::PP ();
use MIME::Base64 qw(decode_base64 decode_base64url encode_base64);
use lib "$FindBin::Bin/../lib";
use Verify::Test;
use Verify::WalletTest;

my $test = Verify::WalletTest->start;
my ($service, $wallet) = @$test{qw(service wallet)};
my $origin = $service->base_url_tls;

subtest 'openid4vp-v1-signed' => sub {
  my $session = $test->session;
  my ($response, $answer, $asked) =
    $test->answer_by_browser($session, 'openid4vp-v1-signed');
  is_deeply [map { $_->{protocol} } @{$asked->{requests}}],
    [qw(openid4vp-v1-signed org-iso-mdoc)], 'both are offered at once';
  is_deeply [sort keys %{$answer->{request}}], [sort qw(aud client_id client_metadata
    dcql_query expected_origins nonce response_mode response_type)], 'no other parameter';
  is_deeply $answer->{request}{expected_origins}, [$origin], 'for our page alone';
  is $answer->{request}{response_mode}, 'dc_api.jwt', 'encrypted';
  is answer_is($response, 200)->{status}, 'verified', 'verified'
    or diag explain $test->reasons($session);
};

subtest 'org-iso-mdoc' => sub {
  my $session = $test->session;
  my ($response, $answer) = $test->answer_by_browser($session, 'org-iso-mdoc');
  is_deeply $answer->{asked}, {'org.iso.18013.5.1.mDL' => {'org.iso.18013.5.1' =>
    {age_over_21 => JSON::PP::false}}}, 'one statement, not to be retained';
  is_deeply $answer->{signed}, [JSON::PP::true], 'signed by the reader';
  is answer_is($response, 200)->{status}, 'verified', 'verified'
    or diag explain $test->reasons($session);
};

subtest 'another page' => sub {
  for (['openid4vp-v1-signed', 'device_signature_wrong'],
    ['org-iso-mdoc', 'response_not_decrypted']) {
    my ($protocol, $reason) = @$_;
    my $session = $test->session;
    my ($response) = $test->answer_by_browser($session, $protocol,
      faults => {origin => 'https://phishing.example'});
    isnt answer_is($response, 200)->{status}, 'verified', "$protocol: not verified";
    is_deeply $test->reasons($session), [$reason], '... says why';
  }
};

# Each is told to the person, and none uses an attempt.
subtest 'the wallet declines' => sub {
  my $session = $test->session;
  my $status = 'a2' . '6776657273696f6e' . '63312e30' . '66737461747573';
  my $hand_in = sub {
    my ($protocol, $data) = @_;
    return $session->{person}->post("$session->{path}/mdl/responses", {
      request_id => $test->ask($session, 'dc_api')->{id}, protocol => $protocol,
      data => $data});
  };
  my $answer = sub {
    my ($protocol, $faults) = @_;
    my ($response) = $test->answer_by_browser($session, $protocol, faults => $faults);
    return $response;
  };
  for (['in the clear', $hand_in->('openid4vp-v1-signed', {error => 'access_denied'})],
    ['encrypted', $answer->('openid4vp-v1-signed',
      {payload => {error => 'access_denied'}})],
    ['org-iso-mdoc, status 10', $answer->('org-iso-mdoc', {plain => $status . '0a'})],
    ['org-iso-mdoc, no documents', $answer->('org-iso-mdoc', {plain => $status . '00'})]) {
    my ($form, $response) = @$_;
    my $view = answer_is($response, 200);
    is $view->{status}, 'requires_input', "$form: the person is asked again";
    is $view->{hint}, 'wallet_declined', '... and told why';
    is $view->{attempts_remaining}, 3, '... with every attempt';
  }
  is answer_is($hand_in->('openid4vp-v1-signed', {error => 'invalid_request'}),
    200)->{hint}, 'document_not_provided', 'another error is told apart';
  my ($response) = $test->answer_by_browser($session, 'openid4vp-v1-signed');
  is answer_is($response, 200)->{status}, 'verified', 'a good answer is taken afterwards';
};

subtest 'once, and by this session alone' => sub {
  my $session = $test->session;
  my ($response, $answer, $asked) = $test->answer_by_browser($session, 'org-iso-mdoc');
  is answer_is($response, 200)->{status}, 'verified', 'verified';
  my $other = $test->session;
  error_is($other->{person}->post("$other->{path}/mdl/responses",
    {request_id => $asked->{id}, protocol => 'org-iso-mdoc', data => $answer->{data}}),
    404, 'resource_missing', undef, 'a request of another session');
  my $theirs = $test->ask($other, 'dc_api');
  my $view = answer_is($other->{person}->post("$other->{path}/mdl/responses",
    {request_id => $theirs->{id}, protocol => 'org-iso-mdoc', data => $answer->{data}}),
    200);
  isnt $view->{status}, 'verified', 'the answer to another request is none';
  is_deeply $test->reasons($other), ['response_not_decrypted'], '... says why';
};

subtest 'the EU\'s proof of age' => sub {
  my $namespace = 'eu.europa.ec.av.1';
  $test->issue('proof', doctype => $namespace, only => ['age_over_18']);
  my $session = $test->session(jurisdiction => 'DE');
  my ($response, $answer) =
    $test->answer_by_browser($session, 'openid4vp-v1-signed', documents => ['proof']);
  is $answer->{query}, 'proof_of_age', 'is an alternative in the EU';
  is answer_is($response, 200)->{status}, 'verified', 'and verifies'
    or diag explain $test->reasons($session);
  my $american = $test->session;
  my $asked = $test->ask($american, 'dc_api');
  is_deeply [map { $_->{doctype_value} } map { $_->{meta} }
    @{$wallet->does('answer_browser', documents => ['licence'], origin => $origin,
      requests => $asked->{requests}, protocol => 'openid4vp-v1-signed')
      ->{request}{dcql_query}{credentials}}], ['org.iso.18013.5.1.mDL'],
    'elsewhere it is not asked for';
};

# Apple's wallet knows org-iso-mdoc alone, and asks for a certificate of Apple's;
# wallets of the EU for one of the EU, with what registers the reader.
subtest 'identities of other kinds' => sub {
  my $names = sub {
    my ($asked, $certificate) = @_;
    my %data = map { $_->{protocol} => $_->{data} } @{$asked->{requests}};
    my ($header, $claims) = map { decode_base64url($_) }
      split /\./, $data{'openid4vp-v1-signed'}{request};
    return [(index($header, encode_base64($certificate, '')) >= 0 ? 'openid4vp' : ()),
      (index(decode_base64url($data{'org-iso-mdoc'}{deviceRequest}), $certificate) >= 0
        ? 'iso' : ()), ($claims =~ /verifier_info/ ? 'registered' : ())];
  };
  my (undef, $apple) = $test->give_identity('apple');
  is_deeply $names->($test->ask($test->session, 'dc_api'), $apple), ['iso'],
    'Apple\'s is for org-iso-mdoc';
  my $session = $test->session;
  my ($response, $answer) = $test->answer_by_browser($session, 'org-iso-mdoc');
  is_deeply $answer->{signed}, [JSON::PP::true], '... which is signed with its key';
  is answer_is($response, 200)->{status}, 'verified', '... and answered';
  my $jwt = "$service->{directory}/registration.jwt";
  Verify::Authority::write_bytes($jwt, join '.', map {
    MIME::Base64::encode_base64url($_) } '{"alg":"ES256"}', '{"sub":"x"}', 'x' x 64);
  my (undef, $eudi) = $test->give_identity('eudi', '--registration', $jwt);
  is_deeply $names->($test->ask($test->session(jurisdiction => 'DE'), 'dc_api'), $eudi),
    ['openid4vp', 'registered'], 'that of the EU is for OpenID4VP in the EU';
  is_deeply $names->($test->ask($test->session, 'dc_api'), $eudi), [],
    '... and elsewhere only beside another';
  my $european = $test->session(jurisdiction => 'DE');
  my $link = $test->answer_by_link($european);
  is $link->{status}, 200, '... by a link, too'
    or diag explain $test->reasons($european);
  is answer_is($test->come_back($european, $link->{body}{redirect_uri}), 200)->{status},
    'verified', '... which is verified';
};

# A wallet trusts one of the identities. Its answer is bound to the page, whichever it
# was.
subtest 'several identities in one request' => sub {
  my $metadata = "$service->{directory}/metadata";
  my $inner = "\xa1\x6eschema_version\x62v1";
  my $bytes = "\xd8\x18" . chr(0x40 | length $inner) . $inner;
  Verify::Authority::write_bytes($metadata, $bytes);
  my (undef, $haip) = $test->give_identity('haip', '--metadata', $metadata);
  my (undef, $eudi) = $test->give_identity('eudi', '--registration',
    "$service->{directory}/registration.jwt");
  my %trusts = (haip => $haip, eudi => $eudi);
  for my $kind (sort keys %trusts) {
    my $session = $test->session;
    my ($response, $answer, $asked) = $test->answer_by_browser($session,
      'openid4vp-v1-multisigned', trusts => encode_base64($trusts{$kind}, ''));
    is_deeply [map { $_->{protocol} } @{$asked->{requests}}],
      [qw(openid4vp-v1-multisigned openid4vp-v1-signed org-iso-mdoc)],
      "$kind: offered before the request of one identity";
    is_deeply [map { decode_base64($_->{x5c}[0]) } @{$answer->{readers}}],
      [$haip, $eudi], '... the preferred one first';
    is_deeply [map { exists $_->{verifier_info} } @{$answer->{readers}}], ['', 1],
      '... each with its own registration';
    is_deeply [map { exists $answer->{claims}{$_} ? $_ : () }
      qw(client_id verifier_info)], [], '... what names a reader is in the headers only';
    is $answer->{claims}{client_metadata}{gw_rp_metadata_bytes},
      MIME::Base64::encode_base64url($bytes), '... with the metadata for Google Wallet';
    is answer_is($response, 200)->{status}, 'verified', '... verified'
      or diag explain $test->reasons($session);
  }
  my $signed = $test->session;
  my ($response, $answer) = $test->answer_by_browser($signed, 'openid4vp-v1-signed');
  is $answer->{request}{client_metadata}{gw_rp_metadata_bytes},
    MIME::Base64::encode_base64url($bytes), 'also in the request of one identity';
  is answer_is($response, 200)->{status}, 'verified', '... which is verified';
  ($response, $answer) = $test->answer_by_browser($test->session(jurisdiction => 'DE'),
    'openid4vp-v1-multisigned');
  is_deeply [map { decode_base64($_->{x5c}[0]) } @{$answer->{readers}}],
    [$eudi, $haip], 'in the EU, its identity comes first';
  my $elsewhere = $test->session;
  my ($refused) = $test->answer_by_browser($elsewhere, 'openid4vp-v1-multisigned',
    faults => {transcript => 'dc_api', nonce => 'another'});
  isnt answer_is($refused, 200)->{status}, 'verified', 'the answer to another nonce';
  is_deeply $test->reasons($elsewhere), ['device_signature_wrong'], '... is none';
  my $other = $test->session;
  ($refused) = $test->answer_by_browser($other, 'openid4vp-v1-multisigned',
    faults => {origin => 'https://phishing.example'});
  isnt answer_is($refused, 200)->{status}, 'verified', 'one for another page';
  is_deeply $test->reasons($other), ['device_signature_wrong'], '... neither';
};

my $plain = Verify::WalletTest->start(no_identity => 1);
subtest 'without a reader identity' => sub {
  my $session = $plain->session;
  my $asked = $plain->ask($session, 'dc_api');
  is_deeply [map { $_->{protocol} } @{$asked->{requests}}],
    ['openid4vp-v1-unsigned', 'org-iso-mdoc'], 'nothing is signed';
  my ($response, $answer) = $plain->answer_by_browser($session, 'openid4vp-v1-unsigned',
    asked => $asked);
  ok !exists $asked->{requests}[0]{data}{client_id}, 'under the origin of the page alone';
  is answer_is($response, 200)->{status}, 'verified', 'a wallet answers'
    or diag explain $plain->reasons($session);
  my $other = $plain->session;
  ($response) = $plain->answer_by_browser($other, 'openid4vp-v1-unsigned',
    faults => {origin => 'https://phishing.example'});
  isnt answer_is($response, 200)->{status}, 'verified', '... to that origin only';
  $session = $plain->session;
  error_is($session->{person}->post("$session->{path}/mdl/requests",
    {channel => 'redirect'}), 409, 'reader_identity_missing');
  my $european = $plain->ask($plain->session(jurisdiction => 'DE'), 'redirect');
  is $european->{url}, undef, 'no wallet is asked by a link';
  like $european->{age_app_url}, qr{\Aav://}, '... but an app for proofs of age';
};

finish($service, $plain->{service});
