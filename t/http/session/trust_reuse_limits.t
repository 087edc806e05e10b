# Trust reuse as an oracle: nobody is present, and an application asks for one
# address after the other. Who is met is told and charged each time, and asking
# has a limit that is the same for known and unknown persons.
use v5.32;
use warnings;
use JSON::PP ();
use POSIX ();
use Verify::MailReceiver;
use Verify::Participant;
use Verify::Specimen;
use Verify::Test;

my ($yes, $no) = (JSON::PP::true, JSON::PP::false);
my $service = Verify::Instance->start(start => 0);
my $directory = $service->{directory};
$service->script('certificate', qw(issue mail), 'DNS:localhost,IP:127.0.0.1');
my $server = Verify::MailReceiver->new(directory => "$directory/mail",
  certificate => "$directory/tls/mail.pem", key => "$directory/tls/mail.key")->start;
sub configure {
  my ($hourly, $daily) = @_;
  $service->stop_httpd if $service->{conf};
  $service->{conf} = join "\n", 'VerifyTestIssuers on',
    'VerifyPublicURL https://verify.example/', 'VerifySMTP ' . $server->url,
    'VerifySMTPFrom verify@example.com', "VerifySMTPCAFile $directory/tls/ca.pem",
    "VerifyTrustReuseHourly $hourly", "VerifyTrustReuseDaily $daily", '';
  $service->start_httpd;
}
configure(1000, 1000);

my $source = participant($service);
my $target = participant($service);
my $third = participant($service);
my $sharing = 'person13@example.com';
forget();
verify_sharing($service, $source, email => $sharing, phone => '+15550104477');

sub asks_of {
  my ($who) = @_;
  return (grep { $_->{application_id} eq $who->{app_id} }
    @{$service->verifyctl(qw(trust-reuse asks --org), $who->{id})})[0];
}
sub asked { return (asks_of($_[0]) // {asked => 0})->{asked} }
sub used {
  return $service->sql_value('SELECT coalesce(sum(free + charged + sandbox), 0)
    FROM monthly_usage WHERE organization_id = ?', $_[0]{id});
}
# Begins anew, with enough of an hour left that none ends within a subtest.
sub forget {
  wait_for { time % 3600 < 3540 } 61;
  $service->sql('DELETE FROM trust_reuse_tally');
}
sub set_asked {
  my ($who, $count, $hours_ago) = @_;
  $service->sql(q{INSERT INTO trust_reuse_tally (organization_id, application_id,
      kind, hour, count)
    VALUES (?, ?, 'asked', ?, ?)
    ON CONFLICT (organization_id, application_id, kind, hour) DO UPDATE
    SET count = excluded.count}, $who->{id}, $who->{app_id},
    int(time / 3600) - $hours_ago, $count);
}

subtest 'twenty addresses, one of which shares' => sub {
  my $before = used($target);
  my @met = grep { answer_is(create_session($target, email => $_),
    201)->{verification_path} } map { "person$_\@example.com" } 1 .. 20;
  is_deeply \@met, [$sharing], 'it is found, as the interface wants it';
  is answer_is(create_session($target, email => $sharing), 201)->{status},
    'verified', 'and again' for 1 .. 2;
  is used($target), $before + 3, 'each time is charged';
  ok wait_for(sub { 3 == grep { $_->{recipients}[0] eq $sharing } $server->mails }),
    'each time is told to the person';
  my %seen;
  ok !(grep { $seen{$_->{message} =~ /^Message-ID: (\S+)/m ? $1 : ''}++ }
    $server->mails), 'in e-mails of their own';
  is_deeply [map { $_->{revoked_at} } @{$target->{client}->get(
    '/v1/trust_reuse/grants')->json->{data}}], [undef], 'under one grant';
  my $asks = asks_of($target);
  is_deeply [@$asks{qw(object organization_id application_name asked met unmet
    most_in_an_hour)}], ['trust_reuse_asks', $target->{id}, 'App', 22, 3, 19, 22],
    'the operator sees who asks much and meets little';
  is $asks->{last_hour} % 3600, 0, 'and when';
};

subtest 'what was announced is not free again' => sub {
  my $session = answer_is(create_session($target, email => $sharing), 201);
  my $used = used($target);
  answer_is($target->{client}->post(
    "/v1/session_reviews/sessions/$session->{id}/flag", {}), 200);
  answer_is($target->{client}->post("/v1/verification_sessions/$session->{id}/cancel",
    {}), 200);
  is used($target), $used, 'by flagging and cancelling it';
};

subtest 'whom nothing could tell is not looked for' => sub {
  is answer_is(create_session($target, phone => '+15550104477'),
    201)->{verification_path}, undef, 'by phone alone';
  is asked($target), 23, 'which is no asking';
};

subtest 'what counts' => sub {
  forget();
  my $plain = $service->publish($target->{id},
    sharing_workflow(trust_reuse => {accept => $no}))->{id};
  my $proving = $service->publish($target->{id},
    sharing_workflow(require_email_otp => $yes))->{id};
  answer_is(create_session($target, @{$_->[0]}), 201, "not $_->[1]") for
    [[email => $sharing, workflow_id => $plain], 'a workflow that does not accept'],
    [[email => $sharing, workflow_id => $proving], 'one that wants a proof'],
    [[email => $sharing, client => $target->{client}], 'an organization-wide key'],
    [[email => $sharing, skip_verification => $yes], 'a skipped verification'],
    [[], 'a session about nobody'];
  is asked($target), 0, 'none of these';
  $third->{app}->patch('/v1/trust_reuse/settings', {enabled => $no});
  answer_is(create_session($third, email => $sharing), 201);
  is asked($third), 0, 'nor an application that does not take part';
  $third->{app}->patch('/v1/trust_reuse/settings',
    {enabled => $yes, accept_liability => $yes});
  error_is(create_session($target, email => 'nobody@example.com',
    accept_existing => $yes), 400, 'no_matching_vp');
  is asked($target), 1, 'a creation that is refused';
  my %request = (type => 'age', jurisdiction => 'US-CA', email => $sharing,
    workflow_id => $target->{workflow_id});
  my @answers = map { $target->{app}->post('/v1/verification_sessions', {%request},
    'Idempotency-Key' => 'once') } 1 .. 3;
  is $answers[2]->body, $answers[0]->body, 'a repetition is replayed';
  is asked($target), 2, 'and is no asking of its own';
};

# Creates a session while others use up what could pay for it: the decision does
# not know yet, the ledger does.
sub create_at_the_last {
  my (%more) = @_;
  my $other = $service->connect_database;
  $other->begin_work;
  $other->do('UPDATE organization SET updated_at = updated_at WHERE id = ?', {},
    $target->{id});
  $other->do(q{UPDATE monthly_usage SET sandbox = sandbox + 500
    WHERE organization_id = ?}, {}, $target->{id});
  pipe my $out, my $in or die "pipe: $!\n";
  my $pid = fork // die "fork: $!\n";
  if (!$pid) {
    my $answer = create_session($target, %more);
    syswrite $in, join ' ', $answer->status, $answer->json->{status}
      // $answer->error->{code};
    POSIX::_exit(0);
  }
  close $in;
  wait_for { waits_for_a_lock() || waitpid($pid, POSIX::WNOHANG()) } 10;
  $other->commit;
  waitpid $pid, 0;
  $other->do(q{UPDATE monthly_usage SET sandbox = sandbox - 500
    WHERE organization_id = ?}, {}, $target->{id});
  $other->disconnect;
  return scalar <$out>;
}
sub waits_for_a_lock {
  return $service->sql_value(q{SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'});
}

sub grants {
  return $service->sql_value('SELECT count(*) FROM trust_reuse_grant
    WHERE organization_id = ?', $target->{id});
}

subtest 'who is met by what cannot be paid for' => sub {
  my $elsewhere = 'elsewhere@example.com';
  verify_sharing($service, $source, email => $elsewhere);
  my ($used, $granted) = (used($target), grants());
  is create_at_the_last(email => $elsewhere), '201 created', 'is not told apart';
  is create_at_the_last(email => 'nobody@example.com'), '201 created',
    'from who is not known';
  is create_at_the_last(email => $elsewhere, accept_existing => $yes),
    '400 no_matching_vp', 'nor where only who is known is wanted';
  is used($target), $used, 'is not charged';
  is grants(), $granted, 'nor granted, of which the person is told';
};

sub refused_until {
  my ($name, $unit, %more) = @_;
  my $answer = create_session($target, %more);
  error_is($answer, 429, 'accept_existing_rate_limited', undef, $name);
  my $left = $unit - time % $unit;
  my $after = $answer->header('Retry-After');
  ok $after >= 1 && $after <= $unit && abs($after - $left) % $unit <= 5,
    "$name: Retry-After" or diag "$after, $left are left";
  return $answer;
}

subtest 'the limits' => sub {
  configure(5, 8);
  forget();
  set_asked($target, 4, 0);
  answer_is(create_session($target, email => 'nobody@example.com'), 201,
    'the fifth in an hour');
  my %shape = map { my $body = refused_until($_, 3600, email => $_)->json;
    delete $body->{error}{request_id}; ($_ => $body) } $sharing, 'nobody@example.com';
  is_deeply $shape{$sharing}, $shape{'nobody@example.com'},
    'the sixth, the same for known and unknown';
  refused_until('with accept_existing', 3600, email => $sharing,
    accept_existing => $yes);
  is asked($target), 5, 'what is refused is not counted';
  answer_is(create_session($target), 201, 'sessions about nobody go on');
  answer_is(create_session($third, email => $sharing), 201,
    'so do other applications');
  SKIP: {
    skip 'the day is too young to have earlier hours', 2 if (gmtime)[2] == 0;
    set_asked($target, 1, 0);
    set_asked($target, 6, 1);
    answer_is(create_session($target, email => $sharing), 201, 'the eighth of a day');
    refused_until('the ninth', 86400, email => $sharing);
  }
};

subtest 'many at once' => sub {
  configure(10, 1000);
  forget();
  pipe my $out, my $in or die "pipe: $!\n";
  my @children = map {
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
      my $count = grep { create_session($target,
        email => "crowd$_-$$\@example.com")->status == 201 } 1 .. 5;
      syswrite $in, "$count\n";
      POSIX::_exit(0);
    }
    $pid;
  } 1 .. 6;
  waitpid $_, 0 for @children;
  close $in;
  my $passed = 0;
  $passed += $_ while <$out>;
  is $passed, 10, 'exactly as many as the limit lets pass';
  is asked($target), 10, 'are counted';
};

subtest 'what operators see' => sub {
  forget();
  set_asked($target, 300, 0);
  set_asked($third, 7, 0);
  my $metrics = sub { $service->client->get('/metrics')->body };
  ok wait_for(sub { $metrics->() =~ /^verify_trust_reuse_asked_day 307$/m }, 30),
    'how often is asked';
  like $metrics->(), qr/^verify_trust_reuse_met_day 0$/m, 'how often one is met';
  like $metrics->(), qr/^verify_trust_reuse_unmet_day_most 300$/m,
    'how often one application asks in vain';
  my $all = $service->verifyctl(qw(trust-reuse asks));
  is_deeply [map { [@$_{qw(application_id unmet)}] } @$all],
    [[$target->{app_id}, 300], [$third->{app_id}, 7]], 'who, most in vain first';
  is scalar @{$service->verifyctl(qw(trust-reuse asks --limit 1))}, 1, '--limit';
  set_asked($third, 999, 30);
  is $service->verifyctl(qw(trust-reuse asks --hours 31))->[0]{asked}, 1006,
    '--hours';
};

finish($service);
