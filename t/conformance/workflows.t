# "Verification methods" and what else the interface says of workflows: what
# the validator takes, what it rejects, and what sessions show of it.
use v5.32;
use warnings;
use Verify::Conformance;

my $service = Verify::Instance->start;
my $organization = $service->organization(sandbox => 1);
my $client = $organization->{client};

sub definition {
  my (%nodes) = @_;
  return {name => 'Workflow', start => 'id', nodes => {
    yes => {type => 'outcome', status => 'verified'},
    no => {type => 'outcome', status => 'failed'}, %nodes}};
}
sub methods {
  my (@methods) = @_;
  return (type => 'methods', methods => \@methods,
    next => {passed => 'yes', exhausted => 'no'});
}
sub rejected {
  my ($definition, $pattern, $name) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  my $published = eval { $service->publish($organization->{id}, $definition) };
  ok !$published, "$name is rejected";
  like $@, $pattern, 'by name and place';
}
sub published {
  my ($definition) = @_;
  return $service->publish($organization->{id}, $definition);
}
sub create {
  my ($workflow) = @_;
  return answer_is($client->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $workflow->{id}, jurisdiction => 'US'}), 201);
}

subtest 'what is published' => sub {
  my $workflow = published(definition(id => {methods('document_capture')}));
  like $workflow->{id}, qr/\Awf_[0-9a-z]+\z/, 'wf_';
  is_deeply create($workflow)->{methods}, ['document_capture'],
    'session.methods is compiled from it';
};

subtest 'reserved values are rejected as not implemented' => sub {
  rejected(definition(id => {methods('document_capture', $_)}),
    qr{/nodes/id/methods/1: .*not implemented}, $_)
    for qw(mid eudi_pid facial_age carrier_lookup open_banking parental_consent
      student);
  rejected(definition(id => {methods('document_capture', $_)}),
    qr{/nodes/id/methods/1: }, $_)
    for qw(wallet_pass DOCUMENT_CAPTURE verified_person);
};

subtest 'self_attestation must not be the only path' => sub {
  rejected(definition(id => {methods('self_attestation')}), qr{/nodes/},
    'self_attestation alone');
};

subtest 'passive checks' => sub {
  my @checks = qw(ip_analysis device_risk geolocation);
  my %to_method = (low => 'id', medium => 'id', high => 'no');
  for my $check (@checks) {
    rejected(definition(id => {methods($check)}), qr{/nodes/id/methods/0},
      "$check as a primary");
    rejected(definition(id => {type => 'checks', checks => [$check],
      next => {low => 'yes', medium => 'no', high => 'no'}}),
      qr{without a primary method}, "$check in place of a primary");
    my $workflow = published({%{definition(
      screen => {type => 'checks', checks => [$check], next => \%to_method},
      id => {methods('document_capture')})}, start => 'screen'});
    is_deeply create($workflow)->{methods}, [$check, 'document_capture'],
      "$check appears in session.methods";
  }
};

subtest 'timeouts' => sub {
  my $review = sub {
    my (@hours) = @_;
    return {%{definition(id => {methods('document_capture')},
      hold => {type => 'review', @hours, next => {approved => 'id',
        rejected => 'no'}})}, start => 'hold'};
  };
  ok published($review->(timeout_hours => $_))->{id}, "a review of $_ hours"
    for 0.5, 1, 72, 168;
  rejected($review->(timeout_hours => $_), qr{/nodes/hold/timeout_hours},
    "a review of $_ hours") for 168.5, 169, 0, -1;
  my $workflow = definition(id => {methods('document_capture')});
  for my $seconds (1, 60, 604_800) {
    my $session = create(published({%$workflow,
      expires_after_seconds => $seconds}));
    is $session->{expires_at} - $session->{created}, $seconds,
      "expires after $seconds seconds";
  }
  rejected({%$workflow, expires_after_seconds => $_}, qr{/expires_after_seconds},
    "an expiry of $_") for 0, -1, 1.5;
};

subtest 'a new version is for new sessions' => sub {
  my $workflow = published(definition(id => {methods('document_capture')}));
  my $before = create($workflow);
  my $next = $service->publish($organization->{id}, {%{definition(
      screen => {type => 'checks', checks => ['ip_analysis'],
        next => {low => 'id', medium => 'id', high => 'no'}},
      id => {methods('document_capture')})}, start => 'screen'},
    '--id', $workflow->{id});
  is $next->{id}, $workflow->{id}, 'the same workflow';
  isnt $next->{version_id}, $workflow->{version_id}, 'another version';
  is_deeply create($next)->{methods}, ['ip_analysis', 'document_capture'],
    'its methods';
  is_deeply $client->get("/v1/verification_sessions/$before->{id}")
    ->json->{methods}, ['document_capture'], 'a session keeps its own';
};

finish($service);
