# What is asked many times at the same moment happens once: "exactly one
# event", exact counters, one answer for one idempotency key.
use v5.32;
use warnings;
use POSIX ();
use Time::HiRes ();
use Verify::Conformance;
use Verify::Specimen;

my $service = Verify::Instance->start(conf => <<'END');
VerifyTestIssuers on
VerifyRateLimit secret 100000
END
my $sessions = '/v1/verification_sessions';
my %outcomes = (yes => {type => 'outcome', status => 'verified'},
  no => {type => 'outcome', status => 'failed'});
my $plain = {name => 'Once', start => 'id', trust_reuse => {accept => $true},
  nodes => {%outcomes, id => {type => 'methods', methods => ['document_capture'],
    next => {passed => 'yes', exhausted => 'no'}}}};
my $organization = $service->organization(sandbox => 1, workflow => $plain);
my $client = $organization->{client};

sub body {
  my ($who, %more) = @_;
  return {type => 'age', workflow_id => $who->{workflow_id},
    jurisdiction => 'US-CA', %more};
}
sub create {
  my ($who, @more) = @_;
  return answer_is($who->{client}->post($sessions, body($who, @more)), 201);
}
sub events_of {
  my ($who, $id) = @_;
  return sort map { $_->{type} =~ s/verification_//r } @{$who->{client}
    ->get("/v1/events?limit=100&object_id=$id")->json->{data}};
}
sub status_counts {
  my %count;
  $count{$_->status . ' ' . ($_->error->{code} // '')}++ for @_;
  return {map { (s/ \z//r => $count{$_}) } keys %count};
}
sub usage { $service->verifyctl(qw(org show), $_[0]{id})->{usage} }
sub set_used {
  my ($who, $count) = @_;
  my ($year, $month) = (gmtime)[5, 4];
  $service->sql('INSERT INTO monthly_usage (organization_id, month, sandbox)
    VALUES (?, ?, ?) ON CONFLICT (organization_id, month)
    DO UPDATE SET sandbox = excluded.sandbox',
    $who->{id}, ($year + 1900) * 100 + $month + 1, $count);
}
# verifyctl in processes of their own, while this one goes on with $meanwhile.
sub beside {
  my ($meanwhile, @commands) = @_;
  my @pids = map {
    my $command = $_;
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
      eval { $service->verifyctl(@$command) };
      POSIX::_exit(0);
    }
    $pid;
  } @commands;
  $meanwhile->() if $meanwhile;
  waitpid $_, 0 for @pids;
}

subtest 'twenty cancels of one session' => sub {
  my $session = create($organization);
  my @answers = at_once($client,
    (['POST', "$sessions/$session->{id}/cancel", {}]) x 20);
  is_deeply status_counts(@answers), {200 => 20}, 'all are answered 200';
  my %bodies = map { ($_->body => 1) } @answers;
  is keys %bodies, 1, 'the session unchanged, original cancelled_at kept';
  is_deeply [events_of($organization, $session->{id})],
    ['session.cancelled', 'session.created'], 'exactly one event';
};

subtest 'cancel while the session expires' => sub {
  for (1 .. 6) {
    my $session = create($organization);
    $service->sql('UPDATE verification_session SET expires_at = ? WHERE id = ?',
      int(Time::HiRes::time() * 1000) + 300, $session->{id});
    my @answers;
    wait_for {
      push @answers, at_once($client,
        (['POST', "$sessions/$session->{id}/cancel", {}]) x 2)
        if Time::HiRes::time() * 1000 > $session->{created} * 1000 + 250 * $_;
      $client->get("$sessions/$session->{id}")->json->{status} ne 'created';
    };
    my $status = $client->get("$sessions/$session->{id}")->json->{status};
    like $status, qr/\A(?:cancelled|expired)\z/, $status;
    is_deeply [events_of($organization, $session->{id})],
      [sort 'session.created', "session.$status"], 'one event of its end';
  }
};

subtest 'cancelled by server and person while submitted and verified' => sub {
  my $lone = $service->organization(sandbox => 1, workflow => $plain);
  my $verified = 0;
  for my $delay (0 .. 5) {
    my $session = create($lone);
    my $person = $service->client($session->{client_secret});
    my $path = "/v1/widget/sessions/$session->{id}";
    $person->post("$path/open", {});
    $person->post("$path/consent", {consent => $true});
    $person->put("$path/images/front", Verify::Specimen::photograph(),
      'Content-Type' => 'image/jpeg');
    my @submit = ('POST', "$path/submissions",
      {method => 'document_capture', images => ['front']});
    my @cancel = (['POST', "$path/cancel", {}],
      ['POST', "$sessions/$session->{id}/cancel", {},
        Authorization => "Bearer $lone->{secret_key}"]);
    $person->post(@submit[1, 2]) if $delay;
    $person->get("$path?after_revision=0") for 1 .. 4 * $delay;
    at_once($person, $delay ? () : \@submit, @cancel);
    my $end = wait_for {
      my $found = $lone->{client}->get("$sessions/$session->{id}")->json->{status};
      $found =~ /cancelled|verified|failed/ && $found;
    };
    ok wait_for { !$service->sql_value('SELECT count(*) FROM analysis_job
      WHERE session_id = ?', $session->{id}) }, 'the analysis has ended';
    is_deeply [events_of($lone, $session->{id})],
      [sort 'session.created', "session.$end"], "$end, once";
    $verified++ if $end eq 'verified';
    is usage($lone)->{verifications}, $verified, 'counted only when verified';
    is $service->sql_value('SELECT count(*) FROM evidence WHERE session_id = ?',
      $session->{id}), 0, 'no image is kept';
  }
};

subtest 'reviews decided at once, cancelled, timed out' => sub {
  my $held = {%$plain, nodes => {%{$plain->{nodes}}, hold => {type => 'review',
    next => {approved => 'yes', rejected => 'no'}},
    id => {%{$plain->{nodes}{id}}, next => {passed => 'hold', exhausted => 'no'}}}};
  my $reviewed = $service->organization(sandbox => 1, workflow => $held);
  my @cases = (['approve twice', [qw(approve approve)]],
    ['approve and reject', [qw(approve reject)]],
    ['reject twice', [qw(reject reject)]],
    ['approve and cancel', ['approve'], 'cancel'],
    ['approve and the timeout', ['approve'], 'timeout'],
    ['reject and the timeout', ['reject'], 'timeout']);
  my $verified = 0;
  for my $case (@cases) {
    my ($name, $decisions, $rival) = @$case;
    my $session = create($reviewed);
    $service->sql(q{UPDATE verification_session SET status = 'under_review',
      review_opened_at = created_at, review_deadline_at = expires_at,
      runner = (runner::jsonb || '{"node": "hold"}')::json WHERE id = ?},
      $session->{id});
    beside(sub {
      my $path = "$sessions/$session->{id}/cancel";
      at_once($reviewed->{client}, (['POST', $path, {}]) x 3)
        if ($rival // '') eq 'cancel';
      $service->sql('UPDATE verification_session SET review_deadline_at = 1000
        WHERE id = ? AND status = ?', $session->{id}, 'under_review')
        if ($rival // '') eq 'timeout';
    }, map { ['review', 'decide', $session->{id}, $_, '--by', 'reviewer'] }
      @$decisions);
    my $end = wait_for {
      my $status = $reviewed->{client}->get("$sessions/$session->{id}")->json->{status};
      $status ne 'under_review' && $status;
    };
    my %wanted = (verified => ['session.verified', 'session_review.approved'],
      failed => ['session.failed', 'session_review.rejected'],
      cancelled => ['session.cancelled']);
    is_deeply [events_of($reviewed, $session->{id})],
      [sort 'session.created', @{$wanted{$end}}], "$name: $end, once";
    $verified++ if $end eq 'verified';
    is usage($reviewed)->{verifications}, $verified, 'counted only when verified';
  }
};

subtest 'flagged ten times' => sub {
  my $session = create($organization, skip_verification => $true);
  my @answers = at_once($client,
    (['POST', "/v1/session_reviews/sessions/$session->{id}/flag", {}]) x 10);
  is_deeply status_counts(@answers), {200 => 1, '409 session_not_flaggable' => 9},
    'one holds it';
  is_deeply [events_of($organization, $session->{id})],
    ['session.verified', 'session_review.flagged'], 'one event';
};

subtest 'twenty creations with one idempotency key' => sub {
  my $lone = $service->organization(sandbox => 1, workflow => $plain);
  my @request = ('POST', $sessions, body($lone), 'Idempotency-Key', 'one');
  my @answers = at_once($lone->{client}, (\@request) x 20);
  is_deeply status_counts(@answers), {201 => 20}, 'all are answered 201';
  my %bodies = map { ($_->body => 1) } @answers;
  is keys %bodies, 1, 'byte-identical';
  is scalar(grep { ($_->header('Idempotent-Replayed') // '') eq 'true' } @answers), 19,
    'nineteen are replayed';
  is @{$lone->{client}->get("$sessions?limit=100")->json->{data}}, 1, 'one session';
  is @{$lone->{client}->get('/v1/events?limit=100')->json->{data}}, 1, 'one event';
  @answers = at_once($lone->{client}, map { ['POST', $sessions,
    body($lone, client_reference_id => "r$_"), 'Idempotency-Key', 'two'] } 1 .. 10);
  is_deeply status_counts(@answers), {201 => 1, '400 idempotency_key_reuse' => 9},
    'ten bodies for one key';
};

subtest 'twenty with a quota of one left' => sub {
  my $lone = $service->organization(sandbox => 1, workflow => $plain);
  set_used($lone, 499);
  my @answers = at_once($lone->{client},
    (['POST', $sessions, body($lone, skip_verification => $true)]) x 20);
  is_deeply status_counts(@answers), {201 => 1, '402 test_quota_exceeded' => 19},
    'one is verified';
  is usage($lone)->{verifications}, 500, 'the counter is exact';
  is @{$lone->{client}->get("$sessions?limit=100")->json->{data}}, 1, 'one session';
  is @{$lone->{client}->get('/v1/events?limit=100')->json->{data}}, 1, 'one event';
};

subtest 'twenty persons of one e-mail' => sub {
  my $lone = $service->organization(sandbox => 1, workflow => $plain);
  my @answers = at_once($lone->{client}, (['POST', $sessions, body($lone,
    skip_verification => $true, email => 'same@example.com')]) x 20);
  is_deeply status_counts(@answers), {201 => 20}, 'all verified';
  is usage($lone)->{verifications}, 20, 'all counted';
  is $service->sql_value('SELECT count(*) FROM verified_person
    WHERE organization_id = ?', $lone->{id}), 1, 'are one person';
};

subtest 'twenty attempts of accept_existing' => sub {
  my @answers = at_once($client, (['POST', $sessions, body($organization,
    accept_existing => $true, email => 'many@example.com')]) x 20);
  is_deeply status_counts(@answers), {'400 no_matching_vp' => 10,
    '429 accept_existing_rate_limited' => 10}, 'ten are looked at';
};

subtest 'sixty endpoints' => sub {
  my $lone = $service->organization(sandbox => 1);
  my @answers = at_once($lone->{client}, (['POST', '/v1/webhook_endpoints',
    {url => 'https://receiver.example/', enabled_events => ['*']}]) x 60);
  my $counts = status_counts(@answers);
  is $counts->{201}, 50, 'fifty are made';
  is @{$lone->{client}->get('/v1/webhook_endpoints?limit=100')->json->{data}}, 50,
    'and are there';
};

subtest 'a grant revoked ten times, by reuses at once made once' => sub {
  my @taking = map {
    my $who = $service->organization(sandbox => 1, workflow => $plain);
    my $app = $service->verifyctl(qw(app create --org), $who->{id}, qw(--name A));
    $who->{app} = $service->client($service->key($who->{id}, 'secret', '--app',
      $app->{id}));
    $who->{app}->patch('/v1/trust_reuse/settings', {enabled => $true,
      accept_liability => $true});
    $who;
  } 1 .. 2;
  my ($source, $target) = @taking;
  my $session = answer_is($source->{app}->post($sessions,
    body($source, email => 'shared@example.com')), 201);
  is show_specimen($service, $session, share => $true)->{status}, 'verified',
    'verified at the source';
  my @answers = at_once($target->{app}, (['POST', $sessions,
    body($target, email => 'shared@example.com')]) x 10);
  is scalar(grep { ($_->json->{verification_path} // '') eq 'trust_reuse' }
    @answers),
    10, 'ten reuses';
  my @grants = identities($target->{client}->get('/v1/trust_reuse/grants')->json);
  is @grants, 1, 'one grant';
  @answers = at_once($target->{client},
    (['DELETE', "/v1/trust_reuse/grants/$grants[0]"]) x 10);
  my %bodies = map { ($_->body => 1) } @answers;
  is_deeply status_counts(@answers), {200 => 10}, 'ten revocations';
  is keys %bodies, 1, 'of one moment';
  is_deeply [events_of($target, $grants[0])],
    [map { "trust_reuse_grant.$_" } qw(created revoked)], 'one event each';
};

subtest 'submitted and opened ten times' => sub {
  my $session = create($organization);
  my $person = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}";
  is_deeply status_counts(at_once($person, (['POST', "$path/open", {}]) x 10)),
    {200 => 10}, 'open is idempotent';
  $person->post("$path/consent", {consent => $true});
  $person->put("$path/images/front", Verify::Specimen::photograph(),
    'Content-Type' => 'image/jpeg');
  my $counts = status_counts(at_once($person, (['POST', "$path/submissions",
    {method => 'document_capture', images => ['front']}]) x 10));
  is $counts->{200}, 1, 'one submission is taken';
  is_deeply [grep { !/\A(?:200|409)/ } keys %$counts], [], 'the others conflict';
  ok wait_for { $person->get($path)->json->{status} eq 'verified' }, 'verified';
  is_deeply [events_of($organization, $session->{id})],
    ['session.created', 'session.verified'], 'once';
};

subtest 'a person erased while verified and reused' => sub {
  my $lone = $service->organization(sandbox => 1, workflow => $plain);
  my %person = (email => 'erased@example.com');
  for (1 .. 6) {
    $lone->{client}->post($sessions, body($lone, %person, skip_verification => $true));
    my $id = $lone->{client}->post('/v1/verified_person/lookup', \%person)
      ->json->{verified_person_id};
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
      POSIX::_exit(!eval { $service->verifyctl(qw(person erase), $id); 1 });
    }
    until (waitpid $pid, POSIX::WNOHANG()) {
      at_once($lone->{client}, (['POST', $sessions,
        body($lone, %person, skip_verification => $true)]) x 3, (['POST', $sessions,
        body($lone, %person, accept_existing => $true)]) x 2);
      $service->sql('DELETE FROM reuse_attempt');
    }
    is $?, 0, 'erased';
  }
  is $service->sql_value("SELECT count(*) FROM $_ t JOIN person_erasure e
    ON e.organization_id = t.organization_id
    AND e.verified_person_id = t.verified_person_id"), 0, "$_: nothing is left"
    for qw(credential person_identifier verification_session);
  is $service->sql_value('SELECT count(*) FROM person_identifier i WHERE NOT EXISTS
    (SELECT FROM verified_person p WHERE p.organization_id = i.organization_id
    AND p.id = i.verified_person_id)'), 0, 'every identifier is somebody\'s';
};

subtest 'rate limit to the request' => sub {
  my $browser = $service->client($service->key($organization->{id}, 'publishable'));
  wait_for { time % 60 < 50 } 30;
  my @answers = map { at_once($browser, (['GET',
    '/v1/compliance/check?use_cases=firearms&jurisdiction=US']) x 40) } 1 .. 3;
  is_deeply status_counts(@answers), {200 => 100, '429 rate_limit_exceeded' => 20},
    'one hundred and no more';
};

finish($service);
