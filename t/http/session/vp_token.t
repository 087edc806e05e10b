# A person with a VP token of an earlier verification finishes an open session.
use v5.32;
use warnings;
use JSON::PP ();
use POSIX ();
use Verify::Test;

my $service = Verify::Instance->start;
my $shop = $service->organization(sandbox => 1, workflow => 1);
my $other = $service->organization(sandbox => 1, workflow => 1);
my $yes = JSON::PP::true;

sub create_for {
  my ($organization, %more) = @_;
  my $session = answer_is($organization->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $organization->{workflow_id},
      jurisdiction => 'US-CA', %more}), 201, 'session created');
  $session->{person} = $service->client($session->{client_secret});
  $session->{path} = "/v1/widget/sessions/$session->{id}";
  return $session;
}
sub create { create_for($shop, @_) }
sub redeem {
  my ($session, $token) = @_;
  return $session->{person}->post("$session->{path}/vp_token", {vp_token => $token});
}
sub refused_ok {
  my ($session, $token, $status, $code, $name) = @_;
  my $before = row_of($session);
  error_is(redeem($session, $token), $status, $code, undef, $name);
  is_deeply row_of($session), $before, "$name: nothing has changed";
}
sub row_of {
  return $service->sql('SELECT * FROM verification_session WHERE id = ?',
    $_[0]{id})->[0];
}
sub events_of {
  return map { $_->{type} } @{$service->sql(
    'SELECT type FROM event WHERE object_id = ? ORDER BY id', $_[0]{id})};
}
sub used {
  return $service->sql_value('SELECT coalesce(sum(free + charged + sandbox), 0)
    FROM monthly_usage WHERE organization_id = ?', $_[0]{id});
}

my $first = create(skip_verification => $yes, email => 'specimen@example.com');
my $token = answer_is($first->{person}->get($first->{path}), 200)->{vp_token};
my $set = sub { $service->sql("UPDATE credential SET $_[0] WHERE session_id = ?",
  $first->{id}) };
my %workflow = (start => 'id', nodes => {
  id => {type => 'methods', methods => ['document_capture'],
    next => {passed => 'yes', exhausted => 'no'}},
  yes => {type => 'outcome', status => 'verified'},
  no => {type => 'outcome', status => 'failed'}});

subtest 'a session that was not opened' => sub {
  my $used = used($shop);
  my $session = create(client_reference_id => 'order 7');
  my $view = answer_is(redeem($session, $token), 200);
  is $view->{status}, 'verified', 'verified';
  is $view->{vp_token}, undef, 'no new token: proofs do not renew themselves';
  is_deeply [events_of($session)],
    ['verification_session.created', 'verification_session.verified'],
    'one verified event';
  my $seen = answer_is($shop->{client}->get("/v1/verification_sessions/$session->{id}"),
    200);
  is $seen->{verification_path}, 'vp_token', 'verification_path';
  ok $seen->{completed_at}, 'completed_at';
  my $snapshot = JSON::PP::decode_json($service->sql_value(q{SELECT body FROM event
    WHERE object_id = ? AND type = 'verification_session.verified'},
    $session->{id}))->{data}{object};
  is $snapshot->{verification_path}, 'vp_token', 'and in the event';
  is row_of($session)->{verified_person_id}, row_of($first)->{verified_person_id},
    'it is about the same person';
  is $service->sql_value('SELECT count(*) FROM credential WHERE session_id = ?',
    $session->{id}), 0, 'no credential is minted';
  is used($shop), $used + 1, 'counted as any verification';
  refused_ok($session, $token, 409, 'session_not_redeemable', 'a second time');
};

subtest 'one that waits for the person' => sub {
  my $session = create();
  answer_is($session->{person}->post("$session->{path}/open", {}), 200);
  is answer_is(redeem($session, $token), 200)->{status}, 'verified', 'opened';
  $session = create();
  $session->{person}->post("$session->{path}/open", {});
  $session->{person}->post("$session->{path}/consent", {consent => $yes});
  $session->{person}->put("$session->{path}/images/front", "\xff\xd8\xffjunk",
    'Content-Type' => 'image/jpeg');
  $session->{person}->post("$session->{path}/submissions",
    {method => 'document_capture', images => ['front']});
  wait_for { row_of($session)->{status} eq 'requires_input' };
  is answer_is(redeem($session, $token), 200)->{status}, 'verified',
    'after an attempt with a document';
  is $service->sql_value('SELECT count(*) FROM evidence WHERE session_id = ?',
    $session->{id}), 0, 'its images are purged';
};

subtest 'sessions that cannot be redeemed against' => sub {
  my $session = create();
  $session->{person}->post("$session->{path}/open", {});
  my $status = sub { $service->sql('UPDATE verification_session SET status = ?
    WHERE id = ?', $_[0], $session->{id}) };
  for my $state (qw(processing under_review verified failed cancelled expired)) {
    $status->($state);
    $service->sql('DELETE FROM reuse_attempt');
    $service->sql('UPDATE verification_session SET runner =
      (runner::jsonb || jsonb_build_object(?::text, updated_at))::json WHERE id = ?',
      'ended_at', $session->{id});
    refused_ok($session, $token, 409, 'session_not_redeemable', $state);
  }
  my $screened = create(workflow_id => $service->publish($shop->{id},
    {name => 'Screened', start => 'hold', nodes => {%{$workflow{nodes}},
      hold => {type => 'review', next => {approved => 'id', rejected => 'no'}}}})->{id});
  refused_ok($screened, $token, 409, 'session_not_redeemable', 'a review comes first');
  answer_is($screened->{person}->post("$screened->{path}/open", {}), 200);
  refused_ok($screened, $token, 409, 'session_not_redeemable', 'under review');
  $service->verifyctl(qw(review decide), $screened->{id}, qw(approve --by tester));
  is answer_is(redeem($screened, $token), 200)->{status}, 'verified', 'approved';
};

subtest 'tokens that are not valid' => sub {
  my $session = create();
  refused_ok($session, 'x', 400, 'vp_token_invalid', 'malformed');
  refused_ok($session, $token . 'A', 400, 'vp_token_invalid', 'changed');
  refused_ok(create_for($other), $token, 400, 'vp_token_invalid',
    'of another organization');
  my $row = sub { $service->sql("UPDATE vp_token SET $_[0] WHERE session_id = ?",
    $first->{id}) };
  my $expiry = $service->sql_value('SELECT expires_at FROM vp_token
    WHERE session_id = ?', $first->{id});
  $row->('expires_at = 1');
  refused_ok($session, $token, 400, 'vp_token_invalid', 'expired');
  $row->("expires_at = $expiry, revoked_at = 1");
  refused_ok($session, $token, 400, 'vp_token_invalid', 'revoked');
  $row->('revoked_at = NULL');
  $set->('revoked_at = 1');
  refused_ok($session, $token, 400, 'vp_token_invalid', 'its credential revoked');
  $set->('revoked_at = NULL');
  error_is(redeem($session, undef), 400, 'parameter_invalid', 'vp_token', 'none');
  error_is($session->{person}->post("$session->{path}/vp_token",
    {vp_token => $token, more => 1}), 400, 'parameter_invalid', 'more', 'and more');
  error_is(redeem({%$session, person => $first->{person}}, $token), 401,
    'client_secret_invalid', undef, "another session's secret");
  error_is(redeem({%$session, person => $shop->{client}}, $token), 401,
    'client_secret_invalid', undef, 'an API key');
  is answer_is(redeem($session, $token), 200)->{status}, 'verified', 'the valid one';
};

subtest 'what its credential must satisfy, as at creation' => sub {
  refused_ok(create(min_strength => 'mdl'), $token, 400, 'no_matching_vp', 'strength');
  refused_ok(create(required_methods => ['mdl']), $token, 400, 'no_matching_vp',
    'methods');
  $set->('verified_at = verified_at - 864000000');
  refused_ok(create(max_age => '9d'), $token, 400, 'no_matching_vp', 'age of the proof');
  my $session = create(max_age => '11d', min_strength => 'document_capture',
    required_methods => ['document_capture']);
  is answer_is(redeem($session, $token), 200)->{status}, 'verified', 'all of them';
  my $adults = $service->publish($shop->{id},
    {%workflow, name => 'Adults', required_age_tier => 'min_age_18'})->{id};
  $set->("age_tier = 'min_age_16', age_over = 17");
  refused_ok(create(workflow_id => $adults), $token, 400, 'no_matching_vp', 'too young');
  $set->("age_tier = 'min_age_16', age_over = NULL");
  refused_ok(create(workflow_id => $adults), $token, 400, 'no_matching_vp', 'the tier');
  $set->("age_tier = 'min_age_21', age_over = 21");
  is answer_is(redeem(create(workflow_id => $adults), $token), 200)->{status},
    'verified', 'old enough';
};

subtest 'proof of the e-mail address' => sub {
  my $proof = $service->publish($shop->{id},
    {%workflow, name => 'Proof', require_email_otp => $yes})->{id};
  my $session = create(workflow_id => $proof);
  refused_ok($session, $token, 400, 'otp_not_proven', 'demanded');
  refused_ok($session, 'x', 400, 'vp_token_invalid', 'of a valid token only');
  $service->sql(q{UPDATE verification_session SET runner = (runner::jsonb
    || '{"email_otp_proven": true}')::json WHERE id = ?}, $session->{id});
  is answer_is(redeem($session, $token), 200)->{status}, 'verified', 'brought';
};

subtest 'the limit of attempts' => sub {
  my $session = create();
  error_is(redeem($session, "vpt_$_"), 400, 'vp_token_invalid', undef, "attempt $_")
    for 1 .. 10;
  my $answer = redeem($session, $token);
  error_is($answer, 429, 'rate_limit_exceeded', undef, 'the eleventh fails');
  my $wait = $answer->header('Retry-After') // 0;
  ok $wait > 880 && $wait <= 900, 'Retry-After';
  is redeem(create(), $token)->status, 200, 'other sessions are free';
  $service->sql('UPDATE reuse_attempt SET attempted_at =
    (SELECT array_agg(t - 900000) FROM unnest(attempted_at) t)');
  is redeem($session, $token)->status, 200, 'after 15 minutes it is over';
};

subtest 'several at once' => sub {
  my ($session, $used) = (create(), used($shop));
  my @pids = map {
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
      my $person = $service->client($session->{client_secret});
      my $answer = redeem({%$session, person => $person}, $token);
      my $code = $answer->error->{code} // '';
      POSIX::_exit($answer->status == 200 ? 20
        : $code eq 'session_not_redeemable' ? 49 : 1);
    }
    $pid;
  } 1 .. 8;
  my %ends;
  for (@pids) { waitpid $_, 0; $ends{$? >> 8}++ }
  is_deeply \%ends, {20 => 1, 49 => 7}, 'one redeems, the others are told';
  is grep({ /verified/ } events_of($session)), 1, 'one verified event';
  is used($shop), $used + 1, 'counted once';
};

subtest 'billing' => sub {
  my $live = $service->organization(workflow => 1);
  my $receiver = $service->receiver;
  my $endpoint = answer_is($live->{client}->post('/v1/webhook_endpoints',
    {url => $receiver->url, enabled_events => ['*']}), 201);
  $receiver->expect_secret($endpoint->{secret});
  $service->sql('UPDATE organization SET sandbox = true WHERE id = ?', $live->{id});
  my $known = create_for($live, skip_verification => $yes);
  my $own = answer_is($known->{person}->get($known->{path}), 200)->{vp_token};
  $service->sql('UPDATE organization SET sandbox = false WHERE id = ?', $live->{id});
  my @sessions = map { create_for($live) } 1, 2;
  $service->verifyctl(qw(org update), $live->{id}, qw(--free-allotment 1));
  is redeem($sessions[0], $own)->status, 200, 'within the free allotment';
  $service->verifyctl(qw(credits add --org), $live->{id}, qw(--amount 5 --note test));
  is redeem($sessions[1], $own)->status, 200, 'beyond it';
  my $shown = $service->verifyctl(qw(org show), $live->{id});
  is $shown->{credit_balance}, 4, 'it costs one credit, as at creation';
  is_deeply [@{$shown->{usage}}{qw(free charged sandbox)}], [1, 1, 1],
    'once, and what was of the sandbox took no free place';
};

finish($service);
