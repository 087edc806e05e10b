# Trust reuse: settings, acceptance at session creation, grants, their events,
# and everything that revokes them.
use v5.32;
use warnings;
use Digest::SHA qw(hmac_sha256 hmac_sha256_hex);
use JSON::PP ();
use Time::HiRes qw(time);
use Verify::Command;
use Verify::Participant;
use Verify::Specimen;
use Verify::Test;

my ($yes, $no) = (JSON::PP::true, JSON::PP::false);
my $service = Verify::Instance->start(conf => "VerifyTestIssuers on\n");

my $source = participant($service);
my $target = participant($service);
my $third = participant($service);

sub settings { $target->{app}->patch('/v1/trust_reuse/settings', {@_}) }
sub create { create_session(@_) }
# A person verified at the source, who shares.
sub verify {
  my ($session, $view) = verify_sharing($service, $source, @_);
  is $view->{status}, 'verified', 'verified at the source';
  return $session;
}
sub reused_ok {
  my ($name, %more) = @_;
  my $session = answer_is(create($target, %more), 201, $name);
  is $session->{status}, 'verified', "$name: verified";
  is $session->{verification_path}, 'trust_reuse', "$name: by trust_reuse";
  return $session;
}
sub fresh_ok {
  my ($name, %more) = @_;
  my $session = answer_is(create($target, %more), 201);
  is_deeply [@$session{qw(status verification_path)}], ['created', undef],
    "$name: as an unknown user";
}
sub grants {
  my ($who) = @_;
  return @{answer_is(($who // $target)->{client}->get('/v1/trust_reuse/grants?limit=100'),
    200)->{data}};
}
sub events {
  my ($who, $type) = @_;
  return map { JSON::PP->new->decode($_->{body})->{data}{object} } @{$service->sql(
    'SELECT body FROM event WHERE organization_id = ? AND type = ? ORDER BY id',
    $who->{id}, $type)};
}
sub revoked_ok {
  my ($grant, $reason) = @_;
  my ($now) = grep { $_->{id} eq $grant->{id} } grants();
  like $now->{revoked_at}, qr/\A\d{4}-\d\d-\d\dT.*Z\z/, "revoked: $reason";
  is $now->{revoked_reason}, $reason, 'for that reason';
  my @told = grep { $_->{id} eq $grant->{id} } events($target, 'trust_reuse_grant.revoked');
  is_deeply \@told, [$now], 'the event carries the grant, once';
}

subtest 'settings' => sub {
  my $path = '/v1/trust_reuse/settings';
  my $app = $service->verifyctl(qw(app create --org), $third->{id}, qw(--name New));
  my $client = $service->client($service->key($third->{id}, 'secret', '--app', $app->{id}));
  my $first = answer_is($client->get($path), 200);
  is_deeply $first, {object => 'trust_reuse_settings', application_id => $app->{id},
    enabled => $no, max_age_days => 90, require_same_jurisdiction => $yes,
    accepted_methods => [], updated => undef}, 'off by default';
  error_is($client->patch($path, {enabled => $yes}), 400, 'parameter_invalid',
    'accept_liability');
  error_is($client->patch($path, {enabled => $yes, accept_liability => $no}), 400,
    'parameter_invalid', 'accept_liability');
  ok !$client->get($path)->json->{enabled}, 'a refusal changes nothing';
  my $on = answer_is($client->patch($path, {enabled => $yes, accept_liability => $yes,
      max_age_days => 30, accepted_methods => ['document_capture']}), 200);
  is $on->{enabled}, $yes, 'switched on';
  is $on->{max_age_days}, 30, 'max_age_days';
  is_deeply $on->{accepted_methods}, ['document_capture'], 'accepted_methods';
  is $on->{require_same_jurisdiction}, $yes, 'what is not given stays';
  ok $on->{updated}, 'updated';
  ok !exists $on->{accept_liability}, 'accept_liability is not stored';
  answer_is($client->patch($path, {enabled => $yes}), 200,
    'staying on needs no acceptance');
  ok !answer_is($client->patch($path, {enabled => $no}), 200)->{enabled}, 'off';
  error_is($client->patch($path, {enabled => $yes}), 400, 'parameter_invalid',
    'accept_liability', 'every off-to-on change needs it');
  error_is($client->patch($path, {@{$_->[0]}}), 400, 'parameter_invalid', $_->[1])
    for [[max_age_days => 0], 'max_age_days'], [[max_age_days => '30'], 'max_age_days'],
    [[enabled => 1], 'enabled'], [[accepted_methods => ['magic']], 'accepted_methods[0]'],
    [[accepted_methods => ['selfie_match']], 'accepted_methods[0]'],
    [[accepted_methods => ['mdl', 'mdl']], 'accepted_methods[1]'],
    [[max_age => 3], 'max_age'];
  for my $method (qw(get patch)) {
    error_is($third->{client}->$method($path, $method eq 'patch' ? {} : ()), 403,
      'application_credential_required');
    my $publishable = $service->client($service->key($third->{id}, 'publishable'));
    error_is($publishable->$method($path, $method eq 'patch' ? {} : ()), 403,
      'publishable_key_scope');
  }
};

my $email = 'traveller@example.com';
my $first;
subtest 'the consent in the first verification' => sub {
  my $session = answer_is(create($source, email => $email), 201);
  my $person = $service->client($session->{client_secret});
  ok $person->get("/v1/widget/sessions/$session->{id}")->json->{trust_reuse_available},
    'the widget may ask';
  my $nameless = answer_is(create($source), 201);
  ok !$service->client($nameless->{client_secret})
    ->get("/v1/widget/sessions/$nameless->{id}")->json->{trust_reuse_available},
    'not whom nothing could find again';
  my $plain = answer_is(create($source, client => $source->{client},
      email => $email), 201);
  ok !$service->client($plain->{client_secret})
    ->get("/v1/widget/sessions/$plain->{id}")->json->{trust_reuse_available},
    'not without an application that takes part';
  show_specimen($service, $session);
  fresh_ok('it is off by default', email => $email);
  $first = verify(email => $email, phone => '+15550104477');
};

my $grant;
subtest 'a reuse' => sub {
  my $session = reused_ok('by e-mail', email => $email);
  ok $session->{completed_at}, 'completed_at';
  my @types = map { $_->{type} } @{$service->sql('SELECT type FROM event
    WHERE object_id = ?', $session->{id})};
  is_deeply \@types, ['verification_session.verified'], 'verification_session.verified';
  my @grants = grants();
  is @grants, 1, 'one grant';
  $grant = $grants[0];
  is_deeply [sort keys %$grant], [sort qw(object id source_org_id target_org_id session_id
    verified_person_id method age_tier strength granted_at expires_at revoked_at
    revoked_reason)], 'its fields';
  is $grant->{object}, 'trust_reuse_grant', 'object';
  like $grant->{id}, qr/\Atrg_/, 'id';
  is $grant->{source_org_id}, $source->{id}, 'source';
  is $grant->{target_org_id}, $target->{id}, 'target';
  is $grant->{session_id}, $session->{id}, 'session';
  like $grant->{verified_person_id}, qr/\Avp_/, 'person';
  is $grant->{method}, 'DOCUMENT_CAPTURE', 'method';
  is $grant->{strength}, 'DOCUMENT_CAPTURE', 'strength';
  like $grant->{age_tier}, qr/\AMIN_AGE_(?:13|16|18|21)\z/, 'age tier';
  like $grant->{$_}, qr/\A\d{4}-\d\d-\d\dT[\d:.]+Z\z/, $_ for qw(granted_at expires_at);
  is $grant->{$_}, undef, "no $_" for qw(revoked_at revoked_reason);
  is_deeply [events($target, 'trust_reuse_grant.created')], [$grant],
    'the event carries it';
  is_deeply [events($source, 'trust_reuse_grant.created')], [],
    'the source is not told who uses it';
  reused_ok('again', email => $email);
  is scalar(grants()), 1, 'under the same grant';
  reused_ok('by phone', phone => '+1 555 010 4477');
  reused_ok('with accept_existing', email => $email, accept_existing => $yes);
};

subtest 'every condition' => sub {
  my $set = sub { $service->sql("UPDATE credential SET $_[0] WHERE session_id = ?",
    $first->{id}) };
  my $declined = sub {
    my ($name, $do, $undo, %more) = @_;
    $do->() if $do;
    fresh_ok($name, email => $email, %more);
    $undo->() if $undo;
  };
  $declined->('an unknown user', undef, undef, email => 'nobody@example.com');
  $declined->('an organization-wide key', undef, undef, client => $target->{client});
  my $plain = $service->publish($target->{id}, sharing_workflow(trust_reuse => {accept => $no}));
  $declined->('a workflow that does not accept', undef, undef,
    workflow_id => $plain->{id});
  my $proving = $service->publish($target->{id}, sharing_workflow(require_email_otp => $yes));
  $declined->('a workflow that wants the address proved', undef, undef,
    workflow_id => $proving->{id});
  my $adult = $service->publish($target->{id}, sharing_workflow(required_age_tier => 'min_age_21'));
  $declined->('too young', sub { $set->("age_tier = 'min_age_18', age_over = 19") },
    sub { $set->("age_tier = 'min_age_21', age_over = 21") }, workflow_id => $adult->{id});
  reused_ok('old enough', email => $email, workflow_id => $adult->{id});
  $declined->('too weak', undef, undef, min_strength => 'mdl');
  $declined->('a method that is missing', undef, undef, required_methods => ['mdl']);
  $declined->('another jurisdiction', undef, undef, jurisdiction => 'US-NV');
  settings(require_same_jurisdiction => $no);
  reused_ok('unless the settings let it in', email => $email, jurisdiction => 'US-NV');
  settings(require_same_jurisdiction => $yes);
  settings(accepted_methods => ['mdl']);
  fresh_ok('a method that the settings refuse', email => $email);
  settings(accepted_methods => []);
  $set->('verified_at = verified_at - 864000000');
  settings(max_age_days => 9);
  fresh_ok('verified too long ago for the settings', email => $email);
  settings(max_age_days => 90);
  fresh_ok('and for the request', email => $email, max_age => '9d');
  reused_ok('and not so', email => $email, max_age => '11d');
  settings(enabled => $no);
  fresh_ok('the target has it switched off', email => $email);
  settings(enabled => $yes, accept_liability => $yes);
  $source->{app}->patch('/v1/trust_reuse/settings', {enabled => $no});
  fresh_ok('the source has it switched off', email => $email);
  $source->{app}->patch('/v1/trust_reuse/settings',
    {enabled => $yes, accept_liability => $yes});
  $service->sql('UPDATE organization SET sandbox = false WHERE id = ?', $source->{id});
  fresh_ok('a live organization and a sandbox', email => $email);
  $service->sql('UPDATE organization SET sandbox = true WHERE id = ?', $source->{id});
  $set->('revoked_at = 1');
  fresh_ok('a revoked credential', email => $email);
  $set->('revoked_at = NULL');
  reused_ok('all conditions met', email => $email);
  error_is(create($target, email => 'nobody@example.com', accept_existing => $yes), 400,
    'no_matching_vp', undef, 'accept_existing without a match');
};

subtest 'a decline looks like an unknown user' => sub {
  settings(accepted_methods => ['mdl']);
  my %shape;
  for my $who ($email, 'nobody@example.com') {
    my $answer = create($target, email => $who);
    my %body = %{$answer->json};
    delete @body{qw(id client_secret url created updated expires_at)};
    my %headers = %{$answer->{headers}};
    $shape{$who} = [$answer->status, \%body,
      [sort grep { !/x-ratelimit|^date$|request-id/i } keys %headers],
      length $answer->body];
  }
  is_deeply $shape{$email}, $shape{'nobody@example.com'},
    'status, body, headers and length';
  # What the time tells is measured by `make bench`. Written at once, because a
  # client that writes head and body apart waits in between.
  my $hasty = sub {
    my $body = JSON::PP::encode_json({type => 'age', jurisdiction => 'US-CA',
      workflow_id => $target->{workflow_id}, email => $_[0]});
    my $start = time;
    my $answer = $target->{app}->raw(join "\r\n",
      'POST /v1/verification_sessions HTTP/1.1', 'Host: 127.0.0.1',
      "Authorization: Bearer $target->{app}{token}", 'Connection: close',
      'Content-Type: application/json', 'Content-Length: ' . length $body, '', $body);
    my $took = time - $start;
    like $answer, qr{\AHTTP/1.1 201 }, 'created';
    return $took;
  };
  ok !(grep { $_ < 0.009 } map { $hasty->($_) } ($email, 'nobody@example.com') x 5),
    'and none is answered before its time';
  is scalar(events($target, 'trust_reuse_grant.created')), 1, 'and leaves no event';
  settings(accepted_methods => []);
};

subtest 'the routes of grants' => sub {
  my $path = '/v1/trust_reuse/grants';
  error_is($target->{app}->get($path), 403, 'org_credential_required');
  error_is($target->{app}->delete("$path/$grant->{id}"), 403, 'org_credential_required');
  my $publishable = $service->client($service->key($target->{id}, 'publishable'));
  error_is($publishable->get($path), 403, 'publishable_key_scope');
  error_is($target->{client}->delete("$path/trg_00000000000000000000000000"), 404,
    'resource_missing');
  error_is($target->{client}->delete("$path/x"), 404, 'resource_missing');
  error_is($source->{client}->delete("$path/$grant->{id}"), 404, 'resource_missing', undef,
    'not even the source sees it');
  is scalar(grants($source)), 0, 'nor lists it';
  my $list = answer_is($target->{client}->get("$path?limit=1"), 200);
  is $list->{object}, 'list', 'a list envelope';
  is $list->{url}, $path, 'its url';
  is $list->{has_more}, $no, 'has_more';
  error_is($target->{client}->get("$path?starting_after=$grant->{id}&ending_before=$grant->{id}"),
    400, 'parameter_invalid', 'ending_before');
  error_is($target->{client}->get("$path?limit=0"), 400, 'parameter_invalid', 'limit');
  is_deeply answer_is($target->{client}->get("$path?starting_after=$grant->{id}"),
    200)->{data}, [], 'nothing older';
};

subtest 'by verifyctl' => sub {
  my $command = Verify::Command->new($service);
  my @org = ('--org', $target->{id});
  is_deeply $command->prints(['trust-reuse', 'grants', @org]), [grants()],
    'lists what the route lists';
  is_deeply $command->prints(['trust-reuse', 'grants', @org, '--starting-after',
    $grant->{id}]), [], '... in pages';
  is_deeply $command->prints(['trust-reuse', 'grants', '--org', $source->{id}]), [],
    'not of the source';
  $command->refuses(['trust-reuse', 'revoke', $grant->{id}, '--org', $source->{id}],
    qr/No such|not exist|not found/i);
  my $mail = 'by-command@example.com';
  verify(email => $mail);
  my $reused = reused_ok('one more', email => $mail);
  my ($held) = grep { $_->{session_id} eq $reused->{id} } grants();
  is $command->prints(['trust-reuse', 'revoke', $held->{id}, @org])->{id}, $held->{id},
    'revokes';
  revoked_ok($held, 'TARGET_OPERATOR_REVOKED');
  fresh_ok('no reuse after it', email => $mail);
};

subtest 'revoked by the accepting operator' => sub {
  my $path = "/v1/trust_reuse/grants/$grant->{id}";
  my $answer = answer_is($target->{client}->delete($path), 200);
  is $answer->{id}, $grant->{id}, 'answers the grant';
  revoked_ok($grant, 'TARGET_OPERATOR_REVOKED');
  is_deeply answer_is($target->{client}->delete($path), 200), $answer,
    'a second time changes nothing';
  revoked_ok($grant, 'TARGET_OPERATOR_REVOKED');
  is answer_is($target->{client}->get("/v1/verification_sessions/$grant->{session_id}"),
    200)->{status}, 'verified', 'past sessions stay valid';
  fresh_ok('future reuse does not fire', email => $email);
};

subtest 'the source credential is revoked' => sub {
  my $session = verify(email => 'rejected@example.com');
  my $reused = reused_ok('reused', email => 'rejected@example.com');
  my ($held) = grep { $_->{session_id} eq $reused->{id} } grants();
  answer_is($source->{client}->post("/v1/session_reviews/sessions/$session->{id}/flag", {}),
    200);
  fresh_ok('held for review', email => 'rejected@example.com');
  $service->verifyctl(qw(review decide), $session->{id}, qw(reject --by tester));
  revoked_ok($held, 'SOURCE_CREDENTIAL_REVOKED');
  fresh_ok('and after it', email => 'rejected@example.com');
};

subtest 'the operator of the source revokes the credential' => sub {
  my $session = verify(email => 'withdrawn@example.com');
  my $reused = reused_ok('reused', email => 'withdrawn@example.com');
  my ($held) = grep { $_->{session_id} eq $reused->{id} } grants();
  my ($listed) = @{$service->verifyctl(qw(credential list --session), $session->{id})};
  is $listed->{shared}, $yes, 'verifyctl shows that it is shared';
  my $revoked = $service->verifyctl(qw(credential revoke), $listed->{id});
  is $revoked->{grants_revoked}, 1, 'and that its grant ends with it';
  is $revoked->{shared}, $no, 'it is shared no more';
  revoked_ok($held, 'SOURCE_CREDENTIAL_REVOKED');
  is answer_is($target->{client}->get("/v1/verification_sessions/$reused->{id}"),
    200)->{status}, 'verified', 'past sessions stay valid';
  fresh_ok('future reuse does not fire', email => 'withdrawn@example.com');
  is $service->verifyctl(qw(credential revoke), $listed->{id})->{grants_revoked}, 0,
    'a second time there is none';
  revoked_ok($held, 'SOURCE_CREDENTIAL_REVOKED');
};

subtest 'the person is erased' => sub {
  verify(email => 'gone@example.com');
  my $reused = reused_ok('reused', email => 'gone@example.com');
  my ($held) = grep { $_->{session_id} eq $reused->{id} } grants();
  my $erased = $service->verifyctl(qw(person erase), $held->{verified_person_id});
  is $erased->{erased}{grants_revoked}, 1, 'verifyctl says so';
  revoked_ok($held, 'ERASURE_REQUEST');
  fresh_ok('nothing is left', email => 'gone@example.com');
};

# The secret of the link that a person is sent: an HMAC by a key that HKDF makes
# of the server's master key.
sub link_secret {
  my ($held) = @_;
  open my $file, '<', "$service->{directory}/master.key" or die "master.key: $!\n";
  chomp(my $master = <$file>);
  my $extracted = hmac_sha256(pack('H*', $master), "\0" x 32);
  my $key = hmac_sha256("mod_verify secret v1\x01", $extracted);
  return "$held->{id}_revoke_" . ($held->{target_org_id} =~ s/\Aorg_//r)
    . hmac_sha256_hex("trust_reuse_link:$held->{target_org_id}:$held->{id}", $key);
}
sub revoke_by_person {
  my ($held, $scope) = @_;
  return $service->client(link_secret($held))
    ->post('/v1/widget/trust_reuse/revocations', {scope => $scope});
}

sub linked {
  my ($held) = @_;
  return answer_is($service->client(link_secret($held))->get('/v1/widget/trust_reuse/grant'),
    200);
}

subtest 'the person revokes a grant' => sub {
  my $email = 'careful@example.com';
  my $session = verify(email => $email);
  my $reused = reused_ok('reused', email => $email);
  my ($held) = grep { $_->{session_id} eq $reused->{id} } grants();
  my $path = '/v1/widget/trust_reuse/revocations';
  my $secret = link_secret($held);
  error_is($service->client($_)->post($path, {scope => 'grant'}), 401,
    'client_secret_invalid') for substr($secret, 0, -1) . 'x', 'x', "${secret}0",
    $session->{client_secret}, $target->{secret_key};
  error_is($service->client($_)->get('/v1/widget/trust_reuse/grant'), 401,
    'client_secret_invalid') for substr($secret, 0, -1) . 'x', 'x', $session->{client_secret};
  my $shown = linked($held);
  like delete $shown->{$_}, qr/\A\d{10}\z/, $_ for qw(granted_at expires_at);
  is_deeply $shown, {object => 'trust_reuse_link', status => 'active',
    organization_name => 'Test organization', age_tier => lc $held->{age_tier}},
    'what the person is shown, and no more';
  my $person = $service->client($secret);
  error_is($person->post($path, {scope => 'some'}), 400, 'parameter_invalid', 'scope');
  error_is($person->post($path, {}), 400, 'parameter_invalid', 'scope');
  is_deeply answer_is($person->post($path, {scope => 'grant'}), 200),
    {object => 'trust_reuse_revocation', scope => 'grant', grants_revoked => 1}, 'done';
  revoked_ok($held, 'USER_REVOKED');
  is linked($held)->{status}, 'revoked', 'and shown as such';
  is answer_is($person->post($path, {scope => 'grant'}), 200)->{grants_revoked}, 0,
    'a second time there is none';
  fresh_ok('future reuse does not fire', email => $email);
  $service->sql('UPDATE trust_reuse_grant SET revoked_at = NULL, revoked_reason = NULL, expires_at = 1 WHERE id = ?',
    $held->{id});
  is linked($held)->{status}, 'expired', 'one that has expired is shown as such';
};

subtest 'the person withdraws all sharing' => sub {
  my $email = 'private@example.com';
  verify(email => $email);
  my $reused = reused_ok('reused', email => $email);
  is answer_is(create($third, email => $email), 201)->{verification_path}, 'trust_reuse',
    'by a third organization too';
  my ($held) = grep { $_->{session_id} eq $reused->{id} } grants();
  is answer_is(revoke_by_person($held, 'all'), 200)->{grants_revoked}, 2, 'both end';
  revoked_ok($held, 'USER_REVOKED_CONSENT');
  for my $operator ($target, $third) {
    my @told = events($operator, 'trust_reuse_consent.revoked_by_user');
    is @told, 1, 'every operator that held one is told';
    is_deeply [@{$told[0]}{qw(object target_org_id verified_person_id revoked_reason)}],
      ['trust_reuse_consent', $operator->{id}, $held->{verified_person_id},
        'USER_REVOKED_CONSENT'], 'what';
  }
  fresh_ok('nothing is shared any more', email => $email);
  verify(email => $email);
  reused_ok('until the person agrees again', email => $email);
};

finish($service);
