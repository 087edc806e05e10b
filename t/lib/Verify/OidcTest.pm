package Verify::OidcTest;
# The common start of the tests of the OpenID Connect provider: a service with a
# sandbox organization, its clients, and browsers that log in.
use v5.32;
use warnings;
use Verify::OidcClient;
use Verify::Test;
use Verify::Visitor;

sub workflow {
  my (%options) = @_;
  return {name => 'Login', session_types => ['age', 'identity'],
    use_case => 'alcohol_delivery', jurisdictions => ['US-CA'], start => 'id', nodes => {
      id => {type => 'methods', mode => 'any_of', methods => ['document_capture', 'mdl'],
        max_attempts => 3, next => {passed => 'granted', exhausted => 'denied'}},
      granted => {type => 'outcome', status => 'verified'},
      denied => {type => 'outcome', status => 'failed'}}, %options};
}

sub start {
  my ($class, %options) = @_;
  my $self = bless {}, $class;
  $self->{service} = Verify::Instance->start(
    conf => "VerifyGateSessions 10000\n" . ($options{conf} // ''));
  $self->{organization} = $self->{service}->organization(sandbox => 1,
    workflow => $options{workflow} // workflow());
  return $self;
}

# A client; `auth`, `alg`, `redirect_uri`, `organization`, and more options of
# verifyctl oidc client create in `with`.
sub client {
  my ($self, %options) = @_;
  my $service = $self->{service};
  my $organization = $options{organization} // $self->{organization};
  my $made = $service->verifyctl(qw(oidc client create --org), $organization->{id},
    '--name', $options{name} // 'Shop', '--workflow', $organization->{workflow_id},
    '--redirect-uri', $options{redirect_uri} // 'https://shop.example/callback',
    $options{auth} ? ('--auth', $options{auth}) : (),
    $options{alg} ? ('--alg', $options{alg}) : (), @{$options{with} // []});
  return Verify::OidcClient->new(issuer => $service->base_url_tls,
    ca_file => $service->ca_file, client_id => $made->{id}, made => $made,
    redirect_uri => $made->{redirect_uris}[0], client_secret => $made->{client_secret},
    alg => $made->{id_token_signed_response_alg}, %{$options{of} // {}});
}

sub browser {
  my ($self) = @_;
  return Verify::Visitor->new(ca_file => $self->{service}->ca_file,
    base => $self->{service}->base_url_tls);
}

# Follows PATH to the page of a session; returns its id.
sub begin {
  my ($self, $browser, $path) = @_;
  my $page = $browser->follow($path);
  my ($id) = $page->location =~ m{/verify/(vks_\w+)[?#]};
  ok $id, 'the login leads to a session'
    or diag "$page->{status} " . $page->location . " $page->{content}";
  return $id;
}

sub set_outcome {
  my ($self, $id, $value, %more) = @_;
  my $organization = $more{organization} // $self->{organization};
  delete $more{organization};
  return answer_is($organization->{client}->post(
    "/v1/verification_sessions/$id/test_outcome", {value => $value, %more}), 200,
    "the session: $value");
}

# Where the hosted page of a session leads back to.
sub return_url {
  my ($self, $id) = @_;
  return $self->{service}->sql_value(
    'SELECT return_url FROM verification_session WHERE id = ?', $id);
}

# Comes back from the page of the session; returns what the client gets.
sub come_back {
  my ($self, $browser, $client, $id) = @_;
  my $page = $browser->visit($self->return_url($id));
  is $page->status, 303, 'the page leads back';
  return $client->returned($page->location)
    // (diag($page->location), {})[1];
}

# A whole login; returns what the client gets. The browser must be new.
sub log_in {
  my ($self, $browser, $client, %parameters) = @_;
  my $outcome = delete $parameters{outcome} // 'passed';
  my $id = $self->begin($browser, $client->authorize(%parameters));
  $self->set_outcome($id, $outcome);
  my $returned = $self->come_back($browser, $client, $id);
  $self->{session} = $id;
  return $returned;
}

# A whole login with its tokens; returns the checked claims.
sub claims {
  my ($self, $client, %parameters) = @_;
  my $browser = delete $parameters{browser} // $self->browser;
  my $returned = $self->log_in($browser, $client, %parameters);
  ok $client->is_answer($returned), 'the response belongs to the request';
  my ($status, $tokens) = $client->exchange($returned->{code} // '');
  is $status, 200, 'the code is exchanged' or diag explain $tokens;
  return $client->check($tokens->{id_token});
}

1;
