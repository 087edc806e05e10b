# "POST /v1/verification_sessions", sentence by sentence.
use v5.32;
use warnings;
use utf8;
use Verify::Conformance;

my $service = Verify::Instance->start;
my $organization = $service->organization(sandbox => 1);
my $client = $organization->{client};
my $sessions = '/v1/verification_sessions';
my %nodes = (id => {type => 'methods', methods => ['document_capture'],
    next => {passed => 'yes', exhausted => 'no'}},
  yes => {type => 'outcome', status => 'verified'},
  no => {type => 'outcome', status => 'failed'});
sub workflow {
  return $service->publish($organization->{id},
    {name => 'Conformance', start => 'id', nodes => {%nodes}, @_})->{id};
}
my $any = workflow(session_types => [qw(identity age student)]);
my %least = (type => 'age', workflow_id => $any, jurisdiction => 'US-CA');

sub create {
  my ($parameters, %headers) = @_;
  my %body = (%$parameters);
  $body{$_} //= $least{$_} for grep { !exists $body{$_} } keys %least;
  delete $body{$_} for grep { ref $body{$_} eq 'REF' } keys %body;
  return $client->post($sessions, \%body, %headers);
}
my $nothing = \\1;
my $invalid = '400 parameter_invalid';

my %session = (id => qr/\Avks_[0-9a-z]+\z/, object => ['verification_session'],
  status => ['created'], type => ['age'], methods => 'strings',
  current_method => 'string|null', client_reference_id => 'string|null',
  return_url => 'string|null', cancel_url => 'string|null',
  client_secret => 'string', metadata => 'object', expires_at => 'integer',
  completed_at => 'null', cancelled_at => 'null', created => $seconds,
  updated => $seconds, verification_path => 'null', active_device => 'null',
  device_locked_at => 'null', age_tier => 'string|null',
  jurisdiction => ['US-CA'], jurisdiction_audit_declared => ['US-CA'],
  jurisdiction_audit_ip_derived => 'string|null',
  jurisdiction_audit_resolved => ['US-CA'],
  jurisdiction_audit_source => ['explicit'],
  jurisdiction_audit_mismatch => 'boolean|null',
  physical_check_required => 'boolean', user_message => 'string|null',
  compliance => 'object|null', requires_email_otp => 'boolean');

subtest 'Creates a session and returns the full session object' => sub {
  my $session = answer_is(create({}), 201);
  shape_is($session, {%session, url => 'string'},
    'every field, its type, and no other, but the page\'s address');
  is $session->{expires_at} - $session->{created}, 86400,
    'default 24 hours after creation';
  my $short = create({workflow_id => workflow(expires_after_seconds => 600)})->json;
  is $short->{expires_at} - $short->{created}, 600,
    'a workflow can configure another timeout';
  ok !(grep { $_ ne lc } @{$session->{methods}}), 'lowercase method values';
};

subtest 'the type is one of the three, and one of the workflow\'s' => sub {
  parameters_are(\&create, [type => 'identity', 'ok'], [type => 'age', 'ok'],
    [type => 'student', 'ok'], map { [type => $_, $invalid] } 'Age', 'AGE', '',
    'age ', undef, 1, $true, ['age'], {});
  error_is(create({type => $nothing}), 400, 'parameter_invalid', 'type', 'required');
  my $only = workflow(session_types => ['identity']);
  error_is(create({workflow_id => $only}), 400, 'parameter_invalid', 'type',
    'a type that the workflow does not have');
  is create({workflow_id => workflow(), type => 'student'})->status, 201,
    'session_types are optional';
};

subtest 'workflow_id: published workflow' => sub {
  parameters_are(\&create, (map { [workflow_id => $_, $invalid] } 1, undef,
      ['wf_00000000000000000000000000'], {}, $true));
  error_is(create({workflow_id => 'wf_00000000000000000000000000'}), 404,
    'resource_missing', 'workflow_id', 'unknown');
  error_is(create({workflow_id => $nothing}), 400, 'parameter_invalid',
    'workflow_id', 'required');
  like create({workflow_id => uc $any})->status, qr/\A40[04]\z/,
    'an id in upper case is another id';
};

subtest 'Passing a methods array is rejected; so is what is not known' => sub {
  parameters_are(\&create, map { [$_ => ['mdl'], $invalid] } qw(methods
    min_strenght status id object client_secret created expires_at livemode
    verification_path age_tier Type));
  error_is($client->post("$sessions?type=age", {%least}), 400,
    'parameter_invalid', 'type', 'a query parameter on a POST');
};

subtest 'return_url and cancel_url' => sub {
  for my $name (qw(return_url cancel_url)) {
    my $long = 'https://shop.example/' . 'a' x (2048 - 21);
    parameters_are(\&create, (map { [$name => $_, 'ok'] }
        'https://shop.example', 'https://shop.example/a?b=c&d=%20#e', $long,
        'http://localhost:3000/x', 'http://127.0.0.1/x', 'http://[::1]:8/x'),
      map { [$name => $_, $invalid] } "${long}a", 'http://shop.example/',
      'javascript:alert(1)', 'shop.example', '/done', '//shop.example/', '', 1,
      $false, ['https://shop.example/'], 'https://', 'https:///x',
      "https://shop.example/\r\nX: y", 'https://shop.example/ x',
      'http://127.0.0.1.shop.example/', 'http://localhost.shop.example/',
      'https://user:pass@shop.example/', 'data:text/html,x');
    is create({$name => 'https://shop.example/a?b=c'})->json->{$name},
      'https://shop.example/a?b=c', "$name comes back";
  }
};

subtest 'client_reference_id: up to 255, characters' => sub {
  parameters_are(\&create, (map { [client_reference_id => $_, 'ok'] } 'a',
      'r' x 255, "\x{1F600}" x 255, 'ä ß "\\/'),
    map { [client_reference_id => $_, $invalid] } 'r' x 256,
    "\x{e9}" x 256, 17, $true, ['a'], {});
  is create({client_reference_id => "\x{1F600}" x 255})->json->{client_reference_id},
    "\x{1F600}" x 255, 'comes back';
};

subtest 'metadata: up to 50 pairs, keys 1 to 255, values up to 500' => sub {
  sub pairs { +{map { ("key_$_" => 'v') } 1 .. $_[0]} }
  parameters_are(\&create, (map { [metadata => $_, 'ok'] } {}, pairs(50),
      {"\x{1F600}" x 255 => "\x{1F600}" x 500}, {'k' x 255 => 'v' x 500},
      {a => ''}),
    [metadata => pairs(51), $invalid], [metadata => [], 'ok'],
    [metadata => 'a', $invalid], [metadata => 1, $invalid],
    [metadata => {a => 1}, $invalid, 'metadata.a'],
    [metadata => {a => undef}, $invalid, 'metadata.a'],
    [metadata => {a => $true}, $invalid, 'metadata.a'],
    [metadata => {a => {b => 'c'}}, $invalid, 'metadata.a'],
    [metadata => {a => ['c']}, $invalid, 'metadata.a'],
    [metadata => {a => 'v' x 501}, $invalid, 'metadata.a'],
    [metadata => {a => "\x{e9}" x 501}, $invalid, 'metadata.a']);
  for my $key ('', 'k' x 256) {
    my $answer = create({metadata => {$key => 'v'}});
    is $answer->status, 400, 'a key of ' . length $key;
    like $answer->error->{param} // '', qr/\Ametadata/, 'param';
  }
  my $session = create({metadata => {order => '1', a => 'b'}})->json;
  is_deeply $session->{metadata}, {order => '1', a => 'b'}, 'as attached at creation';
  is_deeply create({})->json->{metadata}, {}, 'an empty object without';
};

subtest 'jurisdiction: ISO 3166-1 alpha-2, optionally with a region' => sub {
  parameters_are(\&create, (map { [jurisdiction => $_, 'ok'] } qw(US US-MD GB
      GB-SCT DE DE-BY FR)),
    map { [jurisdiction => $_, $invalid] } 'USA', 'ZZ', '', 'US-', 'US_MD', 'U',
    'US-ABCD', 1, ['US'], 'US-MD ', "US\n", 'US-ZZ');
};

subtest 'custom_user_message: 500 characters maximum' => sub {
  parameters_are(\&create, [custom_user_message => 'm' x 500, 'ok'],
    [custom_user_message => "\x{1F600}" x 500, 'ok'],
    [custom_user_message => 'm' x 501, $invalid],
    [custom_user_message => "\x{1F600}" x 501, $invalid],
    [custom_user_message => 5, $invalid], [custom_user_message => ['a'], $invalid]);
  is create({custom_user_message => "Grüße \x{1F600}"})->json->{user_message},
    "Grüße \x{1F600}", 'user_message reflects custom_user_message';
};

subtest 'email and phone' => sub {
  parameters_are(\&create, (map { [email => $_, 'ok'] } 'a@example.com',
      ' Specimen@EXAMPLE.com ', 'a+b.c@sub.example.com', "a\@b\x{fc}cher.example"),
    (map { [email => $_, $invalid] } '', 'a', 'a@', '@example.com', 'a@b@c.de',
      'a b@example.com', 1, ['a@example.com']),
    (map { [phone => $_, 'ok'] } '+15550100123', '+1 (555) 010-0123',
      '+49 30 123456', '+1.555.010.0123'),
    map { [phone => $_, $invalid] } '15550100123', '0301234', '+', '', '+0155',
    '+1234567890123456', '+1555abc', 15550100123, ['+15550100123']);
};

subtest 'accept_existing requires email or phone' => sub {
  error_is(create({accept_existing => $true}), 400, 'parameter_invalid',
    'accept_existing', 'without either');
  parameters_are(\&create, [accept_existing => $false, 'ok'],
    map { [accept_existing => $_, $invalid] } 'true', 1, 0, [], {});
  error_is(create({accept_existing => $true, email => 'nobody@example.com'}), 400,
    'no_matching_vp', undef,
    'accept_existing found no reusable verification');
};

subtest 'min_strength: lowercase method value' => sub {
  parameters_are(\&create, (map { [min_strength => $_, 'ok'] }
      qw(self_attestation facial_age carrier_lookup open_banking
      document_capture mdl mid eudi_pid)),
    map { [min_strength => $_, $invalid] } 'MDL', 'Document_Capture', '', 5,
    'iron', ['mdl'], 'ip_analysis', 'mdl ');
};

subtest 'max_age: format <number>d, 1 to 3650' => sub {
  parameters_are(\&create, (map { [max_age => $_, 'ok'] } '1d', '30d', '3650d'),
    map { [max_age => $_, $invalid] } '0d', '3651d', '30', 30, 'd', '', '-1d',
    '30D', '30days', '1.5d', ' 30d', '30d ', '1e3d', '99999999999999999999d',
    ['30d'], '٣d');
};

subtest 'required_methods: string[]' => sub {
  parameters_are(\&create, [required_methods => ['mdl', 'document_capture'], 'ok'],
    [required_methods => 'mdl', $invalid], [required_methods => {}, $invalid],
    [required_methods => [1], $invalid, 'required_methods[0]'],
    [required_methods => ['MDL'], $invalid, 'required_methods[0]'],
    [required_methods => ['mdl', 'magic'], $invalid, 'required_methods[1]'],
    [required_methods => ['mdl', undef], $invalid, 'required_methods[1]']);
};

subtest 'credential_hash, vp_token, captcha_token, skip_verification' => sub {
  parameters_are(\&create, [skip_verification => $false, 'ok'],
    (map { [credential_hash => $_, $invalid] } 1, ['a'], $true),
    (map { [vp_token => $_, $invalid] } 1, ['a'], $true),
    (map { [captcha_token => $_, $invalid] } 1, ['a']),
    (map { [vp_token => $_, '400 vp_token_invalid'] } 'vpt_' . 'a' x 43, 'abc'),
    map { [skip_verification => $_, $invalid] } 'true', 1, 0, ['a']);
};

subtest 'delivery_jurisdiction: the response includes two more' => sub {
  parameters_are(\&create, [delivery_jurisdiction => 'DE', 'ok'],
    map { [delivery_jurisdiction => $_, $invalid] } 'ZZ', '', 1, ['DE'], 'DEU');
  my $session = create({delivery_jurisdiction => 'US-NY'}, 'CF-IPCountry' => 'DE')
    ->json;
  ok exists $session->{$_}, "$_ is there" for qw(ip_jurisdiction
    jurisdiction_mismatch);
  ok !exists create({})->json->{ip_jurisdiction}, 'not without the parameter';
  my $again = $client->get("$sessions/$session->{id}")->json;
  ok !exists $again->{$_}, "$_: create response only" for qw(ip_jurisdiction
    jurisdiction_mismatch);
};

subtest '422 jurisdiction_unresolvable: pass jurisdiction' => sub {
  error_is(create({jurisdiction => $nothing}), 422, 'jurisdiction_unresolvable',
    undef, 'of a loopback address, without a header');
  my $one = workflow(jurisdictions => ['DE']);
  my $session = answer_is(create({workflow_id => $one, jurisdiction => $nothing}),
    201, 'the workflow\'s only jurisdiction');
  is $session->{jurisdiction}, 'DE', 'jurisdiction';
  is $session->{jurisdiction_audit_source}, 'workflow', 'source';
  is $session->{jurisdiction_audit_declared}, undef, 'none was declared';
  my $two = workflow(jurisdictions => ['DE', 'US']);
  error_is(create({workflow_id => $two, jurisdiction => $nothing}), 422,
    'jurisdiction_unresolvable', undef, 'two of them decide nothing');
  my $outside = create({workflow_id => $one, jurisdiction => 'FR'});
  like $outside->status, qr/\A4(00|22)\z/, 'outside of the workflow\'s'
    or diag $outside->body;
};

subtest '422 use_case_prohibited' => sub {
  my $cannabis = workflow(use_case => 'cannabis_delivery');
  error_is(create({workflow_id => $cannabis, jurisdiction => 'SG'}), 422,
    'use_case_prohibited', undef, 'in Singapore');
  my $alcohol = workflow(use_case => 'alcohol_delivery');
  my $session = answer_is(create({workflow_id => $alcohol}), 201);
  is $session->{age_tier}, 'min_age_21', 'age_tier is resolved';
  shape_is($session->{compliance}, {jurisdiction => ['US-CA'],
      age_tier => ['min_age_21'],
      mdl_acceptance_status => [qw(full supplementary not_recognized unknown)],
      mdl_legally_recognized => 'boolean|null',
      physical_check_required => 'boolean', user_message => 'string|null',
      governing_regulator => 'string|null', rule_version => 'string',
      as_of => 'string|null'},
    'the compliance block: every field and no other');
  is $session->{compliance}{physical_check_required},
    $session->{physical_check_required}, 'both say whether of a physical check';
};

subtest 'skip_verification: instantly mints a verified session' => sub {
  my $session = answer_is(create({skip_verification => $true}), 201);
  shape_is($session, {%session, status => ['verified'],
      completed_at => $seconds, verification_path => ['sandbox']},
    'response has the same shape as a real verified session');
  my $live = $service->organization;
  my $workflow = $service->publish($live->{id},
    {name => 'Live', start => 'id', nodes => \%nodes})->{id};
  error_is($live->{client}->post($sessions, {%least, workflow_id => $workflow,
        skip_verification => $true}), 400, 'parameter_invalid',
    'skip_verification', 'live organization only refuses');
  error_is($live->{client}->post($sessions, {%least, workflow_id => $workflow}),
    400, 'webhook_required', undef, 'at least one active webhook endpoint');
};

finish($service);
