# Returning users: accept_existing, credential_hash and vp_token at the
# creation of a session.
use v5.32;
use warnings;
use JSON::PP ();
use POSIX ();
use Verify::Queries qw(query_text);
use Verify::Test;

my $service = Verify::Instance->start;
my $shop = $service->organization(sandbox => 1, workflow => 1);
my $other = $service->organization(sandbox => 1, workflow => 1);
my $yes = JSON::PP::true;
my $email = 'specimen@example.com';
my $phone = '+15550109988';

sub create_for {
  my ($organization, %more) = @_;
  return $organization->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $organization->{workflow_id},
      jurisdiction => 'US-CA', %more});
}
sub create { create_for($shop, @_) }
sub verify {
  my (%who) = @_;
  return answer_is(create(skip_verification => $yes, %who), 201);
}
sub widget_of {
  my ($session) = @_;
  return $service->client($session->{client_secret})
    ->get("/v1/widget/sessions/$session->{id}")->json;
}
# Attempts are limited; most subtests are about something else.
sub forget_attempts { $service->sql('DELETE FROM reuse_attempt') }
sub refused_ok {
  my ($code, $name, %more) = @_;
  forget_attempts();
  error_is(create(%more), 400, $code, undef, $name);
}
sub reused_ok {
  my ($path, $name, %more) = @_;
  forget_attempts();
  my $answer = create(%more);
  my $session = answer_is($answer, 201, $name) // return;
  is $session->{status}, 'verified', "$name: verified at once";
  is $session->{verification_path}, $path, "$name: verification_path $path";
  return $session;
}

refused_ok('no_matching_vp', 'nobody is known at first',
  accept_existing => $yes, email => $email);
my $first = verify(email => $email, phone => $phone);

subtest 'accept_existing' => sub {
  my $events = $service->sql_value('SELECT count(*) FROM event');
  my $session = reused_ok('credential_reuse', 'by e-mail', accept_existing => $yes,
    email => 'SPECIMEN@Example.com', client_reference_id => 'order 7');
  ok $session->{completed_at}, 'completed_at';
  ok $session->{client_secret}, 'the same shape as any created session';
  is $session->{client_reference_id}, 'order 7', 'with what was attached';
  my $types = $service->sql('SELECT type FROM event WHERE object_id = ?', $session->{id});
  is_deeply [map { $_->{type} } @$types], ['verification_session.verified'],
    'one event: verified';
  is $service->sql_value('SELECT count(*) FROM event'), $events + 1, 'and no other';
  my $person = $service->sql_value(
    'SELECT verified_person_id FROM verification_session WHERE id = ?', $first->{id});
  is $service->sql_value('SELECT verified_person_id FROM verification_session
    WHERE id = ?', $session->{id}), $person, 'it is about the same person';
  is $service->sql_value('SELECT count(*) FROM credential WHERE session_id = ?',
    $session->{id}), 0, 'and mints no credential: proofs do not renew themselves';
  is answer_is($shop->{client}->get("/v1/verification_sessions/$session->{id}"),
    200)->{verification_path}, 'credential_reuse', 'also when retrieved';
  reused_ok('credential_reuse', 'by phone', accept_existing => $yes, phone => $phone);
  refused_ok('no_matching_vp', 'an unknown user', accept_existing => $yes,
    email => 'nobody@example.com');
  my $plain = answer_is(create(email => $email), 201);
  is $plain->{status}, 'created', 'an e-mail alone asks for no reuse';
  $plain = answer_is(create(email => $email, accept_existing => JSON::PP::false), 201);
  is $plain->{status}, 'created', 'nor does accept_existing false';
  forget_attempts();
  error_is(create_for($other, accept_existing => $yes, email => $email), 400,
    'no_matching_vp', undef, 'nor does another organization find it');
};

subtest 'what a credential must satisfy' => sub {
  my %by = (accept_existing => $yes, email => $email);
  reused_ok('credential_reuse', 'strong enough', %by, min_strength => 'document_capture');
  reused_ok('credential_reuse', 'stronger', %by, min_strength => 'facial_age');
  refused_ok('no_matching_vp', 'too weak', %by, min_strength => 'mdl');
  reused_ok('credential_reuse', 'the method', %by,
    required_methods => ['document_capture']);
  refused_ok('no_matching_vp', 'ALL methods', %by,
    required_methods => ['document_capture', 'mdl']);
  reused_ok('credential_reuse', 'fresh enough', %by, max_age => '1d');
  my $set = sub { $service->sql("UPDATE credential SET $_[0] WHERE session_id = ?",
    $first->{id}) };
  $set->('verified_at = verified_at - 864000000');
  refused_ok('no_matching_vp', 'too old', %by, max_age => '9d');
  reused_ok('credential_reuse', 'not too old', %by, max_age => '11d');
  my $expiry = $service->sql_value('SELECT expires_at FROM credential
    WHERE session_id = ?', $first->{id});
  $set->('expires_at = 1');
  refused_ok('no_matching_vp', 'expired', %by);
  $set->("expires_at = $expiry, revoked_at = 1");
  refused_ok('no_matching_vp', 'revoked', %by);
  $set->('revoked_at = NULL');
  reused_ok('credential_reuse', 'and valid again', %by);
};

subtest 'the age that the workflow demands' => sub {
  my $definition = {name => 'Adults', required_age_tier => 'min_age_18', start => 'id',
    nodes => {id => {type => 'methods', methods => ['document_capture'],
        next => {passed => 'yes', exhausted => 'no'}},
      yes => {type => 'outcome', status => 'verified'},
      no => {type => 'outcome', status => 'failed'}}};
  my $workflow = $service->publish($shop->{id}, $definition)->{id};
  my %by = (accept_existing => $yes, email => $email, workflow_id => $workflow);
  my $set = sub { $service->sql("UPDATE credential SET $_[0] WHERE session_id = ?",
    $first->{id}) };
  $set->("age_tier = 'min_age_18', age_over = 18");
  reused_ok('credential_reuse', 'old enough', %by);
  $set->("age_tier = 'min_age_21', age_over = NULL");
  reused_ok('credential_reuse', 'a higher tier satisfies a lower one', %by);
  $set->("age_tier = 'min_age_16', age_over = NULL");
  refused_ok('no_matching_vp', 'never the reverse', %by);
  $set->("age_tier = 'min_age_16', age_over = 17");
  refused_ok('no_matching_vp', 'too young', %by);
  $set->("age_tier = 'min_age_21', age_over = 21");
};

subtest 'credential_hash' => sub {
  my $seen = answer_is($shop->{client}->get(
    "/v1/verification_sessions/$first->{id}?expand[]=results"), 200);
  my ($hash) = map { $_->{credential_hash} // () } @{$seen->{results}};
  like $hash, qr/\A[0-9a-f]{64}\z/, "a verified session's results show it";
  reused_ok('credential_reuse', 'by the hash', credential_hash => $hash);
  reused_ok('credential_reuse', 'with its person', credential_hash => $hash,
    accept_existing => $yes, email => $email);
  verify(email => 'second@example.com');
  refused_ok('no_matching_vp', 'with another person', credential_hash => $hash,
    accept_existing => $yes, email => 'second@example.com');
  refused_ok('no_matching_vp', 'too weak', credential_hash => $hash,
    min_strength => 'mdl');
  refused_ok('no_matching_vp', 'an unknown hash', credential_hash => 'ab' x 32);
  error_is(create_for($other, credential_hash => $hash), 400, 'no_matching_vp', undef,
    'the hash of another organization');
};

subtest 'VP tokens' => sub {
  my $token = widget_of($first)->{vp_token};
  like $token, qr/\Avpt_/, 'a verified person has one';
  my $session = reused_ok('vp_token', 'redeemed', vp_token => $token);
  reused_ok('vp_token', 'again: it is reusable', vp_token => $token);
  refused_ok('no_matching_vp', 'not at a higher strength', vp_token => $token,
    min_strength => 'mdl');
  refused_ok('vp_token_invalid', 'malformed', vp_token => 'vpt_');
  refused_ok('vp_token_invalid', 'changed', vp_token => $token . 'A');
  error_is(create_for($other, vp_token => $token), 400, 'vp_token_invalid', undef,
    'in another organization');
  my $anonymous = widget_of(verify())->{vp_token};
  reused_ok('vp_token', 'of a person without identifiers', vp_token => $anonymous);
  my $row = sub { $service->sql("UPDATE vp_token SET $_[0] WHERE session_id = ?",
    $first->{id}) };
  my ($limits) = @{$service->sql('SELECT t.expires_at AS token, t.created_at AS created,
    c.expires_at AS credential FROM vp_token t JOIN credential c ON c.id = t.credential_id
    WHERE t.session_id = ?', $first->{id})};
  is $limits->{token}, $limits->{created} + 90 * 86_400_000, 'valid for 90 days';
  ok $limits->{token} <= $limits->{credential}, 'never longer than its credential';
  $row->('expires_at = 1');
  refused_ok('vp_token_invalid', 'expired', vp_token => $token);
  $row->("expires_at = $limits->{token}, revoked_at = 1");
  refused_ok('vp_token_invalid', 'revoked', vp_token => $token);
  $row->('revoked_at = NULL');
  $service->sql('UPDATE credential SET revoked_at = 1 WHERE session_id = ?', $first->{id});
  refused_ok('vp_token_invalid', 'its credential revoked', vp_token => $token);
  $service->sql('UPDATE credential SET revoked_at = NULL WHERE session_id = ?', $first->{id});
  is $service->sql_value('SELECT count(*) FROM vp_token WHERE encode(digest, ?) LIKE ?',
    'escape', '%vpt_%'), 0, 'the store holds digests only';
};

subtest 'proof of the e-mail address' => sub {
  my $definition = {name => 'Proof', require_email_otp => $yes, start => 'id',
    nodes => {id => {type => 'methods', methods => ['document_capture'],
        next => {passed => 'yes', exhausted => 'no'}},
      yes => {type => 'outcome', status => 'verified'},
      no => {type => 'outcome', status => 'failed'}}};
  my $workflow = $service->publish($shop->{id}, $definition)->{id};
  my %in = (workflow_id => $workflow);
  refused_ok('email_not_verified', 'a known user', %in, accept_existing => $yes,
    email => $email);
  refused_ok('email_not_verified', 'an unknown user is told the same', %in,
    accept_existing => $yes, email => 'nobody@example.com');
  refused_ok('email_not_verified', 'a token', %in,
    vp_token => widget_of($first)->{vp_token});
  my $session = answer_is(create(%in, email => $email), 201);
  is $session->{status}, 'created', 'a fresh verification needs none';
  ok $session->{requires_email_otp}, 'but the session says what it would need';
};

subtest 'the limit of attempts' => sub {
  forget_attempts();
  my $attempt = sub { create(accept_existing => $yes, email => 'limit@example.com') };
  error_is($attempt->(), 400, 'no_matching_vp', undef, "attempt $_") for 1 .. 10;
  my $answer = $attempt->();
  error_is($answer, 429, 'accept_existing_rate_limited', undef, 'the eleventh fails');
  my $wait = $answer->header('Retry-After') // 0;
  ok $wait > 880 && $wait <= 900, 'Retry-After';
  error_is(create(accept_existing => $yes, email => 'LIMIT@example.com'), 429,
    'accept_existing_rate_limited', undef, 'however it is spelt');
  is create(email => 'limit@example.com')->status, 201,
    'a fresh verification is possible';
  error_is(create(accept_existing => $yes, email => 'free@example.com'), 400,
    'no_matching_vp', undef, 'another address is free');
  error_is(create_for($other, accept_existing => $yes, email => 'limit@example.com'),
    400, 'no_matching_vp', undef, 'and so is another organization');
  $service->sql('UPDATE reuse_attempt SET attempted_at =
    (SELECT array_agg(t - 900000) FROM unnest(attempted_at) t)');
  error_is($attempt->(), 400, 'no_matching_vp', undef, 'after 15 minutes it is over');
};

subtest 'attempts at once are counted exactly' => sub {
  forget_attempts();
  my @pids = map {
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
      my $answer = $service->client($shop->{secret_key})
        ->post('/v1/verification_sessions', {type => 'age', jurisdiction => 'US-CA',
          workflow_id => $shop->{workflow_id}, accept_existing => $yes,
          email => 'many@example.com'});
      POSIX::_exit($answer->status == 429 ? 29 : 0);
    }
    $pid;
  } 1 .. 16;
  my $refused = grep { waitpid $_, 0; $? >> 8 == 29 } @pids;
  is $refused, 6, 'ten of sixteen were let through';
};

subtest 'idempotency' => sub {
  forget_attempts();
  my $body = {type => 'age', workflow_id => $shop->{workflow_id},
    jurisdiction => 'US-CA', accept_existing => $yes, email => $email};
  my @answers = map { $shop->{client}->post('/v1/verification_sessions', $body,
      'Idempotency-Key' => 'reuse') } 1 .. 12;
  is $answers[$_]->body, $answers[0]->body, "replay $_" for 1 .. 11;
  is $answers[11]->status, 201, 'replays count as no attempts';
};

# What the session minted that is valid, by the statement of that name.
sub minted_by {
  my ($session, $statement) = @_;
  return $service->sql_value(query_text("credential/$statement"), $shop->{id},
    $session->{id}, time * 1000);
}

subtest 'a credential in doubt is not reused' => sub {
  my @finding = qw(find_of_session find_token_of_session);
  my $held = verify(email => 'held@example.com');
  my %by = (accept_existing => $yes, email => 'held@example.com');
  my $token = widget_of($held)->{vp_token};
  reused_ok('credential_reuse', 'before', %by);
  ok minted_by($held, $_), "$_: before" for @finding;
  answer_is($shop->{client}->post("/v1/session_reviews/sessions/$held->{id}/flag", {}), 200);
  refused_ok('no_matching_vp', 'held for review', %by);
  refused_ok('vp_token_invalid', 'nor its token', vp_token => $token);
  is minted_by($held, $_), undef, "$_: held for review" for @finding;
  $service->verifyctl(qw(review decide), $held->{id}, qw(approve --by tester));
  reused_ok('credential_reuse', 'approved', %by);
  ok minted_by($held, $_), "$_: approved" for @finding;
  answer_is($shop->{client}->post("/v1/session_reviews/sessions/$held->{id}/flag", {}), 200);
  $service->verifyctl(qw(review decide), $held->{id}, qw(reject --by tester));
  refused_ok('no_matching_vp', 'rejected', %by);
  refused_ok('vp_token_invalid', 'nor its token', vp_token => $token);
};

finish($service);
