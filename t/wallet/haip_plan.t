# The OpenID Foundation's plan oid4vp-1final-verifier-haip-test-plan with
# credential_format=iso_mdl and response_mode=direct_post.jwt (the plan itself sets
# client_id_prefix=x509_hash and request_method=request_uri_signed; the configuration
# has request_object_trust_anchor_pem): each of its modules under its name. Four modules
# apply in the suite's master branch of August 2026. Later builds have a fifth,
# oid4vp-1final-verifier-present-credential-without-status, and
# oid4vp-1final-verifier-present-revoked-credential, for which credential_status.t has the
# publisher of a status list. All others are for SD-JWT VC.
# As the suite does, every module checks the whole request, and the document is signed by
# a self-signed certificate of an authority, which the sandbox has pinned. A negative
# module passes on a 4xx from response_uri.
use v5.32;
use warnings;
use Digest::SHA qw(sha256);
use FindBin;
use MIME::Base64 qw(decode_base64 encode_base64url);
use lib "$FindBin::Bin/../lib";
use Verify::Test;
use Verify::WalletTest;

my $test = Verify::WalletTest->start;
my ($service, $wallet) = @$test{qw(service wallet)};
my @notes = qw(issuer_self_signed issuer_is_authority issuer_key_usage_wrong
  issuer_purpose_missing);
$test->pin_suite_signer;
$test->issue('suite', issuer => 'suite');

sub only_has {
  my ($object, $name, @known) = @_;
  my %known = map { $_ => 1 } @known;
  is_deeply [grep { !$known{$_} } sort keys %$object], [], "$name: nothing unexpected";
}
sub has_unique {
  my ($name, @values) = @_;
  my %seen;
  is_deeply [grep { !defined || $seen{$_}++ } @values], [], "$name: each once";
}

# The link, as a wallet receives it.
sub check_link {
  my ($url) = @_;
  my ($query) = $url =~ /\?([^#]*)\z/;
  my %link = map { my ($name, $value) = split /=/, $_, 2;
    ($name => $value =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ger) } split /&/, $query;
  only_has(\%link, 'the link', qw(client_id request_uri request_uri_method));
  like $link{request_uri}, qr{\Ahttps://[^#]+\z}, 'request_uri';
  is $link{request_uri_method}, 'post', 'request_uri_method';
  return \%link;
}
sub check_header {
  my ($header, $client_id) = @_;
  is $header->{typ}, 'oauth-authz-req+jwt', 'typ';
  is $header->{alg}, 'ES256', 'alg';
  my ($leaf) = map { decode_base64($_) } @{$header->{x5c}};
  is $client_id, 'x509_hash:' . encode_base64url(sha256($leaf)), 'client_id';
  is scalar @{$header->{x5c}}, 1, 'no trust anchor in x5c';
}
sub check_request {
  my ($request, $client_id) = @_;
  is $request->{client_id}, $client_id, 'the client_id of the link';
  is $request->{response_type}, 'vp_token', 'response_type';
  is $request->{response_mode}, 'direct_post.jwt', 'response_mode';
  is $request->{aud}, 'https://self-issued.me/v2', 'aud';
  is $request->{iss} // $client_id, $client_id, 'iss';
  like $request->{response_uri}, qr{\Ahttps://[^#]+\z}, 'response_uri';
  like $request->{nonce}, qr/\A[\w-]{22,43}\z/, 'nonce';
  ok !defined $request->{exp} || $request->{exp} > time, 'exp';
  ok !defined $request->{iat} || abs(time - $request->{iat}) < 300, 'iat';
  ok !exists $request->{$_}, "no $_" for qw(redirect_uri scope client_id_scheme request
    request_uri request_uri_method presentation_definition sub max_age);
}
my %keys_seen;
sub check_metadata {
  my ($metadata) = @_;
  only_has($metadata, 'client_metadata', qw(jwks vp_formats_supported
    encrypted_response_enc_values_supported));
  is_deeply [sort @{$metadata->{encrypted_response_enc_values_supported}}],
    [qw(A128GCM A256GCM)], 'both encryptions of HAIP';
  my $keys = $metadata->{jwks}{keys};
  has_unique('kid', map { $_->{kid} } @$keys);
  is_deeply [map { "@$_{qw(kty crv alg)}" } @$keys], ['EC P-256 ECDH-ES'], 'a key of HAIP';
  ok !(grep { $keys_seen{"$_->{x}.$_->{y}"}++ } @$keys), 'for this request only';
  ok !(grep { exists $_->{d} } @$keys), 'and public';
  my $format = $metadata->{vp_formats_supported}{mso_mdoc};
  for my $name (qw(issuerauth_alg_values deviceauth_alg_values)) {
    next unless exists $format->{$name};
    ok @{$format->{$name}}, "$name is not empty";
    is_deeply [grep { !/\A-\d+\z/ } @{$format->{$name}}], [], "$name: numbers of COSE";
  }
}
sub check_query {
  my ($query) = @_;
  my @credentials = @{$query->{credentials}};
  is_deeply [map { $_->{format} } @credentials], ['mso_mdoc'], 'one document is queried';
  for my $credential (@credentials) {
    my @ids = map { $_->{id} } @{$credential->{claims}};
    has_unique('paths', map { join ' ', @{$_->{path}} } @{$credential->{claims}});
    is_deeply [grep { @{$_->{path}} != 2 } @{$credential->{claims}}], [], 'paths of two steps';
    my $sets = $credential->{claim_sets} or next;
    has_unique('claims', @ids);
    my %used = map { $_ => 1 } map { @$_ } @$sets;
    is_deeply [sort keys %used], [sort @ids], 'claim_sets name all claims, and no other';
  }
}

# Fetches the request, by POST or twice by GET, and checks it.
sub fetched {
  my (%options) = @_;
  my $session = $test->session;
  my $asked = $test->ask($session, 'redirect');
  my $link = check_link($asked->{url});
  my @requests = map { $wallet->does('fetch_request', url => $asked->{url},
    method => $options{method} // 'get', wallet_nonce => $options{wallet_nonce}) }
    1 .. $options{times} // 1;
  for my $one (@requests) {
    is $one->{status}, 200, 'the request object' or return;
    like $one->{type}, qr{\Aapplication/oauth-authz-req\+jwt\b}, 'its content type';
    check_header($one->{header}, $link->{client_id});
    check_request($one->{request}, $link->{client_id});
  }
  check_metadata($requests[-1]{request}{client_metadata});
  check_query($requests[-1]{request}{dcql_query});
  return ($session, $requests[-1]{request}, @requests);
}
# The suite takes the first encryption that the request offers, and adds apu and apv.
sub answered {
  my ($request, %options) = @_;
  return $wallet->does('answer_request', request => $request, documents => ['suite'],
    enc => $request->{client_metadata}{encrypted_response_enc_values_supported}[0],
    parties => {apu => 'Alice0123456789a', apv => 'Bob0123456789abc'}, %options);
}
sub accepted {
  my ($session, $request) = @_;
  my $answer = answered($request);
  is $answer->{status}, 200, 'the response: 200' or diag explain $test->reasons($session);
  like $answer->{content_type}, qr{\Aapplication/json\b}, 'JSON';
  is_deeply [keys %{$answer->{body}}], ['redirect_uri'], 'redirect_uri, and nothing else';
  is answer_is($test->come_back($session, $answer->{body}{redirect_uri}), 200)->{status},
    'verified', 'the result';
  is_deeply $test->reasons($session), \@notes, 'the faults of the signer are notes';
}

subtest 'oid4vp-1final-verifier-happy-flow' => sub { accepted(fetched()) };

subtest 'oid4vp-1final-verifier-request-uri-method-post' => sub {
  my ($session, $request) = fetched(method => 'post', wallet_nonce => 'n-0S6_WzA2Mj');
  is $request->{wallet_nonce}, 'n-0S6_WzA2Mj', 'wallet_nonce comes back';
  accepted($session, $request);
};

subtest 'oid4vp-1final-verifier-request-uri-fetched-twice' => sub {
  my ($session, $request, @both) = fetched(times => 2);
  is $both[0]{request}{nonce}, $both[1]{request}{nonce}, 'one nonce';
  accepted($session, $request);
};

subtest 'oid4vp-1final-verifier-invalid-session-transcript' => sub {
  my ($session, $request) = fetched();
  my $answer = answered($request, faults => {nonce => "$request->{nonce}1"});
  is $answer->{status}, 400, 'refused';
  is_deeply [sort keys %{$answer->{body}}], ['error'], 'and no redirect_uri';
  is_deeply $test->reasons($session), [@notes, 'device_signature_wrong'], 'why';
  isnt $test->status($session), 'verified', 'nothing is verified';
};

subtest 'oid4vp-1final-verifier-present-credential-without-status' => sub {
  my ($session, $request) = fetched();
  accepted($session, $request);
  is_deeply [grep { $_->{name} eq 'credential_status' }
    @{$test->retrieve($session)->{results}[-1]{checks}}], [], 'no status is looked up';
};

# The commands of the page, as an administrator copies them.
subtest 'conf/manual/conformance.md' => sub {
  return plan skip_all => 'needs curl and jq' if system('which curl jq >/dev/null') != 0;
  open my $file, '<', "$FindBin::Bin/../../conf/manual/conformance.md" or die "the page: $!\n";
  my $page = do { local $/; <$file> };
  my ($begin) = $page =~ /^( +url=https.*?jq -r \.url)$/ms;
  my ($end) = $page =~ /^ +(step mdl\/responses .*)$/m;
  my ($base, $workflow) = ($service->base_url_tls, $test->{organization}{workflow_id});
  $begin =~ s{https://verify\.example}{$base};
  $begin =~ s{wf_…}{$workflow};
  my $shell = sub {
    my ($command) = @_;
    local %ENV = (%ENV, CURL_CA_BUNDLE => $service->ca_file,
      SECRET_KEY => $test->{organization}{secret_key});
    open my $out, '-|', 'bash', '-c', $command or die "bash: $!\n";
    local $/;
    return scalar <$out>;
  };
  my $printed = $shell->("$begin; echo \$id \$token");
  my ($url, $id, $token) = split /\s+/, $printed;
  like $url, qr{\Aopenid4vp://\?}, 'a link' or return;
  my $answer = answered($wallet->does('fetch_request', url => $url)->{request});
  my ($request, $code) = $answer->{body}{redirect_uri} =~ /#wallet=(\w+)\.(\S+)/;
  $end =~ s/mdr_…/$request/;
  $end =~ s/"…"/"$code"/;
  my ($functions) = map { "$_->[0]; id=$id token=$token; $_->[1]" }
    [$begin =~ /(url=\S+).*?(step\(\).*?"; \})/s];
  like $shell->("$functions; $end"), qr/"status":"verified"/, 'verified';
};

finish($service);
