# POST /v1/verification_sessions: every parameter and every field.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Test;

my $service = Verify::Instance->start;
my $sandbox = $service->organization(sandbox => 1, workflow => 1);
my $client = $sandbox->{client};
my %least = (type => 'age', workflow_id => $sandbox->{workflow_id},
  jurisdiction => 'US-CA');

sub create { return $client->post('/v1/verification_sessions', {%least, @_}) }

sub refused {
  my ($answer, $code, $param, $name, $status) = @_;
  return error_is($answer, $status // 400, $code, $param, $name);
}

subtest 'the least that is possible' => sub {
  my $before = time;
  my $answer = create();
  my $session = $answer->json;
  is $answer->status, 201, 'status';
  like $answer->header('Content-Type'), qr{\Aapplication/json}, 'JSON';
  my @fields = sort qw(id object status type methods current_method
    client_reference_id return_url cancel_url client_secret url metadata expires_at
    completed_at cancelled_at created updated verification_path active_device
    device_locked_at age_tier jurisdiction jurisdiction_audit_declared
    jurisdiction_audit_ip_derived jurisdiction_audit_resolved
    jurisdiction_audit_source jurisdiction_audit_mismatch
    physical_check_required user_message compliance requires_email_otp);
  is_deeply [sort keys %$session], \@fields, 'exactly the fields of the interface';
  like $session->{id}, qr/\Avks_[0-9a-z]{26}\z/, 'id';
  is $session->{object}, 'verification_session', 'object';
  is $session->{status}, 'created', 'status';
  is $session->{type}, 'age', 'type';
  is_deeply $session->{methods}, ['document_capture'], 'methods';
  like $session->{client_secret}, qr/\A$session->{id}_secret_[\w-]{32,}\z/,
    'client secret';
  is_deeply $session->{metadata}, {}, 'metadata';
  ok $session->{created} >= $before && $session->{created} <= time, 'created';
  is $session->{updated}, $session->{created}, 'updated';
  is $session->{expires_at}, $session->{created} + 86400, 'expires in 24 hours';
  is $session->{$_}, undef, "$_ is null" for qw(client_reference_id return_url
    cancel_url completed_at cancelled_at verification_path active_device
    device_locked_at user_message current_method
    jurisdiction_audit_ip_derived jurisdiction_audit_mismatch);
  is $session->{jurisdiction}, 'US-CA', 'jurisdiction';
  is $session->{jurisdiction_audit_declared}, 'US-CA', 'declared';
  is $session->{jurisdiction_audit_resolved}, 'US-CA', 'resolved';
  is $session->{jurisdiction_audit_source}, 'explicit', 'source';
  ok !$session->{physical_check_required}, 'no physical check';
  ok !$session->{requires_email_otp}, 'no one-time code';
};

subtest 'everything that can be attached comes back' => sub {
  my $session = create(return_url => 'https://shop.example/done?a=1',
    cancel_url => 'http://localhost:3000/back', client_reference_id => 'r' x 255,
    metadata => {order => '17', "\x{e9}" x 255 => "\x{4e2d}" x 500},
    custom_user_message => 'm' x 500)->json;
  is $session->{return_url}, 'https://shop.example/done?a=1', 'return_url';
  is $session->{cancel_url}, 'http://localhost:3000/back', 'cancel_url';
  is $session->{client_reference_id}, 'r' x 255, 'client_reference_id';
  is $session->{metadata}{order}, '17', 'metadata';
  is $session->{metadata}{"\x{e9}" x 255}, "\x{4e2d}" x 500,
    'lengths count characters';
  is $session->{user_message}, 'm' x 500, 'user_message';
};

subtest 'delivery_jurisdiction asks for two more fields' => sub {
  my $session = create(delivery_jurisdiction => 'DE')->json;
  ok exists $session->{ip_jurisdiction}, 'ip_jurisdiction';
  ok exists $session->{jurisdiction_mismatch}, 'jurisdiction_mismatch';
  my $found = $client->get("/v1/verification_sessions/$session->{id}")->json;
  ok !exists $found->{ip_jurisdiction}, 'create response only';
};

# Parameters that are refused, and where.
my @faults = (
  [{type => 'adult'}, 'type'],
  [{type => 1}, 'type'],
  [{type => undef}, 'type'],
  [{workflow_id => 17}, 'workflow_id'],
  [{return_url => 'ftp://shop.example/'}, 'return_url'],
  [{return_url => 'http://shop.example/'}, 'return_url'],
  [{return_url => 'javascript:alert(1)'}, 'return_url'],
  [{return_url => 'https://shop.example/' . 'a' x 2048}, 'return_url'],
  [{cancel_url => '//shop.example/'}, 'cancel_url'],
  [{client_reference_id => 'r' x 256}, 'client_reference_id'],
  [{metadata => [1]}, 'metadata'],
  [{metadata => {'k' x 256 => ''}}, 'metadata'],
  [{metadata => {order => 17}}, 'metadata.order'],
  [{metadata => {order => 'v' x 501}}, 'metadata.order'],
  [{metadata => {map { ("k$_" => '') } 1 .. 51}}, 'metadata'],
  [{jurisdiction => 'Narnia'}, 'jurisdiction'],
  [{jurisdiction => 'ZZ'}, 'jurisdiction'],
  [{custom_user_message => 'm' x 501}, 'custom_user_message'],
  [{email => 'nobody'}, 'email'],
  [{phone => '030 123456'}, 'phone'],
  [{accept_existing => 'yes'}, 'accept_existing'],
  [{min_strength => 'iron'}, 'min_strength'],
  [{max_age => '30'}, 'max_age'],
  [{max_age => '0d'}, 'max_age'],
  [{max_age => '3651d'}, 'max_age'],
  [{required_methods => 'mdl'}, 'required_methods'],
  [{required_methods => ['mdl', 'magic']}, 'required_methods[1]'],
  [{delivery_jurisdiction => 'X'}, 'delivery_jurisdiction'],
  [{methods => ['mdl']}, 'methods'],
  [{min_strenght => 'mdl'}, 'min_strenght'],
);
for my $fault (@faults) {
  my ($parameters, $param) = @$fault;
  my ($name) = keys %$parameters;
  refused(create(%$parameters), 'parameter_invalid', $param, "$param is refused");
}

refused(create(accept_existing => JSON::PP::true), 'parameter_invalid', 'accept_existing',
  'accept_existing needs an e-mail or a phone');
refused($client->post('/v1/verification_sessions', {type => 'age'}),
  'parameter_invalid', 'workflow_id', 'workflow_id is required');
refused($client->post('/v1/verification_sessions', {}), 'parameter_invalid',
  'type', 'the first missing parameter is named');
refused(create(workflow_id => 'wf_00000000000000000000000000'),
  'resource_missing', 'workflow_id', 'an unknown workflow', 404);
refused(create(vp_token => 'vpt_unknown'), 'vp_token_invalid', undef,
  'an unknown token');

my $foreign = $service->organization(sandbox => 1, workflow => 1);
refused(create(workflow_id => $foreign->{workflow_id}), 'resource_missing',
  'workflow_id', 'the workflow of another organization', 404);

subtest 'refusals changed nothing' => sub {
  is $service->sql_value('SELECT count(*) FROM verification_session'), 3,
    'three sessions';
  is $service->sql_value('SELECT count(*) FROM event'), 3, 'three events';
};

subtest 'a live organization' => sub {
  my $live = $service->organization(workflow => 1);
  my %request = (%least, workflow_id => $live->{workflow_id});
  refused($live->{client}->post('/v1/verification_sessions', \%request),
    'webhook_required', undef, 'needs an enabled endpoint');
  refused($live->{client}->post('/v1/verification_sessions',
      {%request, skip_verification => JSON::PP::true}),
    'parameter_invalid', 'skip_verification', 'cannot skip');
  my $endpoint = $live->{client}->post('/v1/webhook_endpoints',
    {url => 'https://receiver.example/hook', enabled_events => ['*']});
  is $endpoint->status, 201, 'endpoint created' or diag $endpoint->body;
  is $live->{client}->post('/v1/verification_sessions', \%request)->status, 201,
    'then sessions can be created';
  is $service->sql_value('SELECT count(*) FROM webhook_delivery'), 1,
    'with a delivery for the endpoint';
  $service->verifyctl(qw(org update), $live->{id}, qw(--billing-status suspended));
  refused($live->{client}->post('/v1/verification_sessions', \%request),
    'billing_suspended', undef, 'suspended billing', 402);
};

subtest 'skip_verification in a sandbox' => sub {
  my $answer = create(skip_verification => JSON::PP::true,
    email => ' Specimen@Example.COM ');
  is $answer->status, 201, 'status' or diag $answer->body;
  my $session = $answer->json;
  is $session->{status}, 'verified', 'verified at once';
  is $session->{verification_path}, 'sandbox', 'verification_path';
  ok $session->{completed_at}, 'completed_at';
  my $types = $service->sql('SELECT type FROM event WHERE object_id = ? ORDER BY id',
    $session->{id});
  ok((grep { $_->{type} eq 'verification_session.verified' } @$types),
    'the verified event');
  is $service->sql_value('SELECT count(*) FROM person_identifier'), 1,
    'a verified person is known by the e-mail';
  is $service->sql_value('SELECT method FROM credential WHERE session_id = ?',
    $session->{id}), 'document_capture', 'with a credential';
  my $widget = $service->client($session->{client_secret})
    ->get("/v1/widget/sessions/$session->{id}")->json;
  like $widget->{vp_token}, qr/\Avpt_/, 'and a token for the person';
};

subtest 'the sandbox quota' => sub {
  my ($year, $month) = (gmtime)[5, 4];
  $service->sql('INSERT INTO monthly_usage (organization_id, month, sandbox)
    VALUES (?, ?, 500)
    ON CONFLICT (organization_id, month) DO UPDATE SET sandbox = 500',
    $sandbox->{id}, ($year + 1900) * 100 + $month + 1);
  refused(create(), 'test_quota_exceeded', undef, 'is used up', 402);
};

subtest 'the created event' => sub {
  my $session = $foreign->{client}->post('/v1/verification_sessions',
    {%least, workflow_id => $foreign->{workflow_id}})->json;
  my $body = $service->sql_value('SELECT body FROM event WHERE object_id = ?',
    $session->{id});
  my $event = JSON::PP->new->utf8(0)->decode($body);
  is $event->{object}, 'event', 'object';
  like $event->{id}, qr/\Aevt_/, 'id';
  is $event->{type}, 'verification_session.created', 'type';
  is $event->{created}, $session->{created}, 'created';
  my @fields = sort qw(id object status type client_reference_id current_method
    age_tier jurisdiction jurisdiction_audit_declared
    jurisdiction_audit_ip_derived jurisdiction_audit_resolved
    jurisdiction_audit_source jurisdiction_audit_mismatch verification_path
    workflow_version_id livemode completed_at created verification_result
    last_error);
  my $snapshot = $event->{data}{object};
  is_deeply [sort keys %$snapshot], \@fields, 'exactly the snapshot';
  ok !$snapshot->{livemode}, 'livemode is false in a sandbox';
  like $snapshot->{workflow_version_id}, qr/\Awfv_/, 'workflow_version_id';
};

finish($service);
