package Verify::WalletTest;
# The common start of the mdl tests: a service that trusts an issuing authority,
# a customer with a reader identity, and a third-party wallet.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Authority;
use Verify::Test;
use Verify::Wallet;

my %licence = (family_name => 'Specimen', given_name => 'Vera',
  birth_date => '1990-04-01', document_number => 'UT-1234567',
  issuing_country => 'UT', issuing_authority => 'Utopia Transport',
  expiry_date => '2031-05-05', age_over_18 => JSON::PP::true,
  age_over_21 => JSON::PP::true, age_over_65 => JSON::PP::false);

my $serial = 7000;

sub workflow {
  my (%options) = @_;
  return {name => 'Wallet', session_types => ['age', 'identity'],
    use_case => 'alcohol_delivery', start => 'id', nodes => {
      id => {type => 'methods', mode => 'any_of', methods => ['mdl'],
        max_attempts => 3, next => {passed => 'granted', exhausted => 'denied'}},
      granted => {type => 'outcome', status => 'verified'},
      denied => {type => 'outcome', status => 'failed'}}, %options};
}

sub start {
  my ($class, %options) = @_;
  my $self = bless {}, $class;
  my $service = $self->{service} = Verify::Instance->start(conf => $options{conf},
    own_cluster => $options{own_cluster});
  my $folder = "$service->{directory}/issuers";
  mkdir $folder or die "$folder: $!\n";
  my $authority = $self->{authority} = Verify::Authority->new($folder);
  $authority->authority('iaca')->signer('signer', 'iaca', '1.0.18013.5.1.2');
  $authority->authority('reader_ca');
  $authority->copy_pem('iaca', "$folder/trusted.pem");
  $service->verifyctl(qw(trust import --kind iaca), "$folder/trusted.pem");
  $self->{organization} = $service->organization(sandbox => 1,
    workflow => workflow(%{$options{workflow} // {}}));
  $self->give_identity unless $options{no_identity};
  $self->{wallet} = Verify::Wallet->start($service->ca_file);
  $self->issue('licence');
  return $self;
}

# Gives the customer a reader identity of KIND (haip) under a certificate of the
# reader's authority; returns its id and the certificate in DER.
sub give_identity {
  my ($self, $kind, @options) = @_;
  my $service = $self->{service};
  my $folder = "$service->{directory}/issuers";
  my $reader = $service->verifyctl(qw(reader create --kind), $kind // 'haip',
    '--org', $self->{organization}{id});
  my $request = $service->verifyctl(qw(reader csr), $reader->{id},
    qw(--common-name shop.example.com));
  Verify::Authority::write_bytes("$folder/reader.csr", $request->{csr});
  Verify::Authority::write_bytes("$folder/reader.cnf",
    "[x]\nkeyUsage=critical,digitalSignature\nauthorityKeyIdentifier=keyid\n");
  Verify::Authority::openssl(qw(x509 -req -in), "$folder/reader.csr", '-CA',
    $self->{authority}->path('reader_ca', 'pem'), '-CAkey',
    $self->{authority}->path('reader_ca', 'key'), '-set_serial', ++$serial,
    qw(-days 90 -sha256 -extensions x -extfile), "$folder/reader.cnf", '-out',
    "$folder/reader.pem");
  $service->verifyctl(qw(reader install), $reader->{id}, "$folder/reader.pem",
    @options);
  Verify::Authority::openssl(qw(x509 -in), "$folder/reader.pem", qw(-outform DER -out),
    "$folder/reader.der");
  return ($reader->{id}, Verify::Authority::bytes_of("$folder/reader.der"));
}

# The signer of the OpenID Foundation's suite: a self-signed certificate that is an
# authority. It is pinned for the customer.
sub pin_suite_signer {
  my ($self, %options) = @_;
  my $file = $self->{authority}->path('suite', 'pem');
  $self->{authority}->authority('suite', extensions => [
    'basicConstraints=critical,CA:TRUE,pathlen:0',
    'keyUsage=critical,keyCertSign,cRLSign', 'subjectKeyIdentifier=hash',
    'issuerAltName=email:suite@example.com',
    'crlDistributionPoints=URI:http://example.com/suite.crl']) unless -e $file;
  return $self->{service}->verifyctl(qw(trust import --kind sandbox-signer --org),
    $self->{organization}{id}, $file);
}

sub issuer {
  my ($self, $name) = @_;
  return {key => Verify::Authority::bytes_of($self->{authority}->path($name, 'key')),
    certificate => $self->{authority}->pem($name)};
}

# Issues a document to the wallet; undef elements are omitted.
sub issue {
  my ($self, $name, %options) = @_;
  my %elements = (%licence, %{delete $options{elements} // {}});
  delete @elements{grep { !defined $elements{$_} } keys %elements};
  return $self->{wallet}->does('issue', name => $name,
    issuer => $self->issuer(delete $options{issuer} // 'signer'),
    elements => $options{only} ? {map { $_ => $elements{$_} } @{delete $options{only}}}
      : \%elements, %options);
}

# A session at its wallet, with the person's client and path.
sub session {
  my ($self, %parameters) = @_;
  my $organization = $self->{organization};
  my $session = answer_is($organization->{client}->post(
    '/v1/verification_sessions', {type => 'age',
      workflow_id => $organization->{workflow_id}, jurisdiction => 'US-CA',
      %parameters}), 201, 'session created');
  $session->{person} = $self->{service}->client($session->{client_secret});
  $session->{path} = "/v1/widget/sessions/$session->{id}";
  answer_is($session->{person}->post("$session->{path}/open", {}), 200);
  answer_is($session->{person}->post("$session->{path}/consent",
    {consent => JSON::PP::true}), 200);
  return $session;
}

sub ask {
  my ($self, $session, $channel) = @_;
  return answer_is($session->{person}->post("$session->{path}/mdl/requests",
    {channel => $channel}), 200, "asked by $channel");
}

# Opens the wallet by a link and lets it answer; returns the result of its POST.
sub answer_by_link {
  my ($self, $session, %options) = @_;
  my $asked = $options{asked} // $self->ask($session, 'redirect');
  my $fetched = $self->{wallet}->does('fetch_request', url => $asked->{url},
    method => 'post', wallet_nonce => 'n0nce');
  return $self->{wallet}->does('answer_request', documents => ['licence'],
    %options, request => $fetched->{request});
}

# The page's actions after the wallet has led back to it.
sub come_back {
  my ($self, $session, $redirect_uri) = @_;
  my ($request, $code) = $redirect_uri =~ /#wallet=(mdr_\w+)\.([\w-]+)\z/
    or die "no code in $redirect_uri\n";
  return $session->{person}->post("$session->{path}/mdl/responses",
    {request_id => $request, response_code => $code});
}

# The wallet's answer over the Digital Credentials API, and the service's.
sub answer_by_browser {
  my ($self, $session, $protocol, %options) = @_;
  my $asked = $options{asked} // $self->ask($session, 'dc_api');
  my $answer = $self->{wallet}->does('answer_browser', documents => ['licence'],
    origin => $self->{service}->base_url_tls, %options,
    requests => $asked->{requests}, protocol => $protocol);
  return ($session->{person}->post("$session->{path}/mdl/responses",
    {request_id => $asked->{id}, protocol => $protocol, data => $answer->{data}}),
    $answer, $asked);
}

sub retrieve {
  my ($self, $session) = @_;
  return answer_is($self->{organization}{client}->get(
    "/v1/verification_sessions/$session->{id}?expand[]=results"
    ), 200, 'retrieved');
}

sub status {
  my ($self, $session) = @_;
  return answer_is($session->{person}->get($session->{path}), 200, 'looked at')->{status};
}

# The reasons of the last entry in the results: why the last answer was not
# accepted. The wallet learns of a refusal before the session does.
sub reasons {
  my ($self, $session) = @_;
  my $entry = wait_for { $self->retrieve($session)->{results}[-1] };
  return [map { $_->{reason} } grep { $_->{reason} } @{$entry->{checks}}];
}

1;
