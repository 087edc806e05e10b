# Billing and quotas: what is counted, charged, given back and refused.
use v5.32;
use warnings;
use JSON::PP ();
use POSIX ();
use Verify::Books qw(book_faults);
use Verify::Test;

my $service = Verify::Instance->start;
my $path = '/v1/verification_sessions';

# The reader of documents is not what is tested here: sessions are put behind
# their document, where a person decides.
my $workflow = {name => 'Decided by hand', start => 'id', nodes => {
  id => {type => 'methods', methods => ['document_capture'],
    next => {passed => 'hold', exhausted => 'denied'}},
  hold => {type => 'review', next => {approved => 'granted', rejected => 'denied'}},
  granted => {type => 'outcome', status => 'verified'},
  denied => {type => 'outcome', status => 'failed'}}};

sub live {
  my (@settings) = @_;
  my $organization = $service->organization(workflow => $workflow);
  answer_is($organization->{client}->post('/v1/webhook_endpoints',
    {url => 'https://receiver.example/hook',
      enabled_events => ['session_review.escalated']}), 201, 'endpoint created');
  $service->verifyctl(qw(org update), $organization->{id}, @settings)
    if @settings;
  return $organization;
}
sub create {
  my ($organization, @more) = @_;
  return $organization->{client}->post($path, {type => 'age', @more,
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US-CA'});
}
# A session that awaits its decision.
sub held {
  my ($organization) = @_;
  my $session = answer_is(create($organization), 201, 'created');
  $service->sql(q{UPDATE verification_session SET status = 'under_review',
      review_opened_at = created_at, review_deadline_at = expires_at,
      runner = (runner::jsonb || '{"node": "hold"}')::json
    WHERE id = ?}, $session->{id});
  return $session;
}
sub decide {
  my ($session, $decision) = @_;
  return $service->verifyctl(qw(review decide), $session->{id}, $decision,
    qw(--by reviewer))->{status};
}
sub usage { $service->verifyctl(qw(org show), $_[0]{id})->{usage} }
sub balance { $service->verifyctl(qw(org show), $_[0]{id})->{credit_balance} }
sub ledger { @{$service->verifyctl(qw(credits --org), $_[0]{id})} }
sub add { $service->verifyctl(qw(credits add --org), $_[0]{id},
  '--amount', $_[1], qw(--note Invoice)) }
sub set_used {
  my ($organization, $count) = @_;
  my ($year, $month) = (gmtime)[5, 4];
  my @of_month = ($organization->{id}, ($year + 1900) * 100 + $month + 1);
  $service->sql('INSERT INTO monthly_usage (organization_id, month, sandbox)
    VALUES (?, ?, ?) ON CONFLICT (organization_id, month)
    DO UPDATE SET sandbox = excluded.sandbox', @of_month, $count);
  $service->sql(q{INSERT INTO ledger_entry (organization_id, month, position, id,
      kind, verifications, amount, balance, note, created_at)
    SELECT $1, $2, 1 + count(*), 'led_set_' || count(*), 'sandbox',
      $3 - coalesce(sum(verifications) FILTER (WHERE month = $2), 0), 0, 0, 'set', 0
      FROM ledger_entry WHERE organization_id = $1}, @of_month, $count);
}

# The books are right, and these are the month's verifications and the balance.
sub books_are {
  my ($organization, $verifications, $charged, $balance) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  my $usage = usage($organization);
  is $usage->{verifications}, $verifications, "$verifications counted";
  is $usage->{charged}, $charged, "$charged charged";
  is balance($organization), $balance, "balance $balance";
  is_deeply [book_faults($service, $organization->{id})], [], 'the books are right';
}

# All that an organization has done was a year ago; [verifications, charged] of
# each month, the oldest first.
sub a_year_ago {
  my ($organization) = @_;
  $service->sql("UPDATE $_ SET month = month - 100 WHERE organization_id = ?",
    $organization->{id}) for qw(monthly_usage ledger_entry);
  $service->sql('UPDATE verification_session SET completed_at = completed_at
      - 31536000000 WHERE organization_id = ?', $organization->{id});
}
sub months {
  my ($organization) = @_;
  return [map { [@$_{qw(verifications charged)}] } @{$service->sql(
    'SELECT free + charged + sandbox AS verifications, charged
       FROM monthly_usage WHERE organization_id = ? ORDER BY month',
    $organization->{id})}];
}

# Runs each piece of work in a process of its own, all at the same time;
# returns what they printed.
sub in_parallel {
  my (@work) = @_;
  pipe my $go, my $start;
  my @running = map {
    my $work = $_;
    pipe my $read, my $write;
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
      close $start;
      sysread $go, my $ignored, 1;
      my $said = eval { $work->() } // "died: $@";
      syswrite $write, $said;
      POSIX::_exit(0);
    }
    close $write;
    [$pid, $read];
  } @work;
  close $go;
  close $start;
  return map {
    my ($pid, $read) = @$_;
    local $/;
    my $said = <$read>;
    waitpid $pid, 0;
    $said;
  } @running;
}

subtest 'the free allotment' => sub {
  my $organization = live();
  is $organization->{free_allotment}, 100, '100 by default';
  is usage($organization)->{month}, POSIX::strftime('%Y-%m', gmtime),
    'of the calendar month';
  my $session = held($organization);
  books_are($organization, 0, 0, 0);
  is decide($session, 'approve'), 'verified', 'verified';
  books_are($organization, 1, 0, 0);
  my ($entry, @others) = ledger($organization);
  is_deeply [@$entry{qw(kind verifications amount balance session_id)}],
    ['free', 1, 0, 0, $session->{id}], 'which the ledger says';
  is $entry->{month}, POSIX::strftime('%Y-%m', gmtime), 'of this month';
  is_deeply \@others, [], 'and costs nothing';
};

subtest 'failed, cancelled and expired sessions are not counted' => sub {
  my $organization = live(qw(--free-allotment 0));
  add($organization, 10);
  is decide(held($organization), 'reject'), 'failed', 'failed';
  my $cancelled = held($organization);
  answer_is($organization->{client}->post("$path/$cancelled->{id}/cancel", {}),
    200, 'cancelled');
  my $expired = answer_is(create($organization), 201);
  $service->sql('UPDATE verification_session SET expires_at = 1000 WHERE id = ?',
    $expired->{id});
  ok wait_for { $organization->{client}->get("$path/$expired->{id}")
    ->json->{status} eq 'expired' }, 'expired';
  books_are($organization, 0, 0, 10);
};

subtest 'beyond the allotment a credit is taken' => sub {
  my $organization = live(qw(--free-allotment 1));
  add($organization, 5);
  my @sessions = map { held($organization) } 1 .. 3;
  is decide($_, 'approve'), 'verified', 'verified' for @sessions;
  books_are($organization, 3, 2, 3);
  my @entries = ledger($organization);
  is scalar(@entries), 4, 'four lines';
  is_deeply [map { $_->{session_id} } @entries],
    [(map { $_->{id} } reverse @sessions), undef], 'newest first, with sessions';
  is_deeply [map { $_->{kind} } @entries], [qw(charged charged free credits)],
    'what each is';
  is_deeply [map { $_->{verifications} } @entries], [1, 1, 1, 0], 'counted';
  is_deeply [map { $_->{amount} } @entries], [-1, -1, 0, 5], 'amounts';
  is_deeply [map { $_->{balance} } @entries], [3, 4, 5, 5], 'running balance';
  is $entries[3]{note}, 'Invoice', 'the note of the operator';
  is $entries[3]{month}, undef, 'which is of no month';
  like $entries[0]{id}, qr/\Aled_/, 'id';
  my $page = $service->verifyctl(qw(credits --limit 2 --org), $organization->{id},
    '--starting-after', $entries[0]{id});
  is_deeply $page, [@entries[1, 2]], 'in pages';
  ok !eval { $service->verifyctl(qw(credits --org), $organization->{id},
    qw(--starting-after led_nothing)); 1 }, 'from an unknown entry';
  like $@, qr/No such entry.*starting-after/, 'is refused';
};

subtest 'without credits nothing more is begun' => sub {
  my $organization = live(qw(--free-allotment 1));
  my @sessions = map { held($organization) } 1 .. 2;
  is decide($sessions[0], 'approve'), 'verified', 'the free one';
  error_is(create($organization), 402, 'billing_suspended');
  is decide($sessions[1], 'approve'), 'verified',
    'what was under way is not failed for money';
  books_are($organization, 2, 1, -1);
  add($organization, 1);
  error_is(create($organization), 402, 'billing_suspended', undef,
    'the debt is paid, no more');
  add($organization, 1);
  answer_is(create($organization), 201, 'with a credit it goes on');
  books_are($organization, 2, 1, 1);
};

subtest 'suspended billing' => sub {
  my $organization = live();
  my $session = held($organization);
  $service->verifyctl(qw(org update), $organization->{id},
    qw(--billing-status suspended));
  error_is(create($organization), 402, 'billing_suspended');
  answer_is($organization->{client}->get("$path/$session->{id}"), 200,
    'sessions can still be read');
  is decide($session, 'approve'), 'verified', 'and end';
  $service->verifyctl(qw(org update), $organization->{id},
    qw(--billing-status active));
  answer_is(create($organization), 201, 'active again');
};

subtest 'a rejection in a later review gives back' => sub {
  my $organization = live(qw(--free-allotment 1));
  add($organization, 2);
  my @sessions = map { held($organization) } 1 .. 2;
  is decide($_, 'approve'), 'verified', 'verified' for @sessions;
  books_are($organization, 2, 1, 1);
  my $flag = sub {
    answer_is($organization->{client}->post(
      "/v1/session_reviews/sessions/$_[0]{id}/flag", {}), 200, 'flagged');
  };
  $flag->($sessions[0]);
  is decide($sessions[0], 'approve'), 'verified', 'approved anew';
  books_are($organization, 2, 1, 1);
  $flag->($sessions[1]);
  is decide($sessions[1], 'reject'), 'failed', 'the charged one is rejected';
  books_are($organization, 1, 0, 2);
  my ($entry) = ledger($organization);
  is $entry->{session_id}, $sessions[1]{id}, 'with a line for the session';
  is $entry->{amount}, 1, 'that gives a credit back';
  $flag->($sessions[0]);
  is decide($sessions[0], 'reject'), 'failed', 'the free one is rejected';
  books_are($organization, 0, 0, 2);
};

# How a review that was opened on a verified session ends without a reviewer.
my %unreviewed = (
  'cancelled by the customer' => sub {
    my ($organization, $session) = @_;
    is answer_is($organization->{client}->post("$path/$session->{id}/cancel", {}),
      200)->{status}, 'cancelled', 'cancelled';
  },
  'timed out' => sub {
    my ($organization, $session) = @_;
    $service->sql('UPDATE verification_session SET review_deadline_at = 1
      WHERE id = ?', $session->{id});
    ok wait_for { $organization->{client}->get("$path/$session->{id}")
      ->json->{status} eq 'failed' }, 'failed';
  });
sub flag {
  my ($organization, $session) = @_;
  answer_is($organization->{client}->post(
    "/v1/session_reviews/sessions/$session->{id}/flag", {}), 200, 'flagged');
}

for my $way (sort keys %unreviewed) {
  subtest "what was verified stays charged: $way" => sub {
    my $organization = live(qw(--free-allotment 1));
    add($organization, 1);
    my @sessions = map { held($organization) } 1 .. 2;
    for my $session (@sessions) {
      is decide($session, 'approve'), 'verified', 'verified';
      flag($organization, $session);
      $unreviewed{$way}->($organization, $session);
    }
    books_are($organization, 2, 1, 0);
    error_is(create($organization), 402, 'billing_suspended', undef,
      'a free one and a credit are two verifications');

    my $sandbox = $service->organization(sandbox => 1, workflow => 1);
    for (1 .. 3) {
      my $session = answer_is(create($sandbox,
        skip_verification => JSON::PP::true), 201, 'born verified');
      flag($sandbox, $session);
      $unreviewed{$way}->($sandbox, $session);
    }
    books_are($sandbox, 3, 0, 0);
  };
}

subtest 'a rejection gives back once' => sub {
  my $organization = live(qw(--free-allotment 0));
  add($organization, 2);
  my $session = held($organization);
  is decide($session, 'approve'), 'verified', 'verified';
  for (1 .. 2) {
    flag($organization, $session);
    is decide($session, 'approve'), 'verified', 'approved anew';
    books_are($organization, 1, 1, 1);
  }
  flag($organization, $session);
  is decide($session, 'reject'), 'failed', 'rejected';
  books_are($organization, 0, 0, 2);
  ok !eval { decide($session, 'reject'); 1 }, 'not twice';
  error_is($organization->{client}->post("$path/$session->{id}/cancel", {}),
    409, 'session_terminal');
  books_are($organization, 0, 0, 2);

  my $sandbox = $service->organization(sandbox => 1, workflow => 1);
  $session = answer_is(create($sandbox, skip_verification => JSON::PP::true), 201);
  flag($sandbox, $session);
  is decide($session, 'reject'), 'failed', 'in a sandbox';
  books_are($sandbox, 0, 0, 0);
};

subtest 'a rejection and a cancel at the same moment' => sub {
  my $organization = live(qw(--free-allotment 0));
  add($organization, 20);
  my @sessions = map { held($organization) } 1 .. 6;
  for my $session (@sessions) {
    is decide($session, 'approve'), 'verified', 'verified';
    flag($organization, $session);
  }
  in_parallel(map { my $session = $_;
    sub { eval { decide($session, 'reject') } // 'refused' },
    sub { $service->client($organization->{secret_key})
      ->post("$path/$session->{id}/cancel", {})->status } } @sessions);
  my $rejected = $service->sql_value(q{SELECT count(*) FROM verification_session
    WHERE organization_id = ? AND status = 'failed'}, $organization->{id});
  is $service->sql_value(q{SELECT count(*) FROM verification_session
    WHERE organization_id = ? AND status = 'cancelled'}, $organization->{id}),
    6 - $rejected, "$rejected rejected, the others cancelled";
  books_are($organization, 6 - $rejected, 6 - $rejected, 14 + $rejected);
};

subtest 'a rejection in a later month' => sub {
  my $organization = live(qw(--free-allotment 1));
  add($organization, 3);
  my @sessions = map { held($organization) } 1 .. 2;
  is decide($_, 'approve'), 'verified', 'verified' for @sessions;
  a_year_ago($organization);
  books_are($organization, 0, 0, 2);
  is decide(held($organization), 'approve'), 'verified', 'free in the new month';
  flag($organization, $sessions[1]);
  is decide($sessions[1], 'reject'), 'failed', 'the old one is rejected';
  books_are($organization, 1, 0, 3);
  is_deeply months($organization)->[0], [1, 0], 'which its own month shows';
};

subtest 'a place in the free allotment that becomes free' => sub {
  my $organization = live(qw(--free-allotment 1));
  add($organization, 2);
  my @sessions = map { held($organization) } 1 .. 2;
  is decide($_, 'approve'), 'verified', 'verified' for @sessions;
  answer_is($organization->{client}->post(
    "/v1/session_reviews/sessions/$sessions[0]{id}/flag", {}), 200, 'flagged');
  is decide($sessions[0], 'reject'), 'failed', 'the free one is rejected';
  books_are($organization, 1, 0, 2);
};

subtest 'many at the same time' => sub {
  my $organization = live(qw(--free-allotment 4));
  add($organization, 20);
  my @sessions = map { held($organization) } 1 .. 12;
  my @states = in_parallel(map { my $session = $_;
    sub { decide($session, 'approve') } } @sessions);
  is scalar(grep { $_ eq 'verified' } @states), 12, 'all are verified';
  books_are($organization, 12, 8, 12);
  my %seen;
  $seen{$_->{session_id} // 'bought'}++ for ledger($organization);
  is scalar(keys %seen), 13, 'twelve sessions are counted, each once';
  is scalar(grep { $_ > 1 } values %seen), 0, 'none twice';
};

subtest 'the sandbox quota' => sub {
  my $organization = $service->organization(sandbox => 1, workflow => 1);
  my @skip = (skip_verification => JSON::PP::true);
  set_used($organization, 499);
  $service->verifyctl(qw(org update), $organization->{id},
    qw(--billing-status suspended --free-allotment 0));
  answer_is(create($organization, @skip), 201, 'the 500th, unbilled');
  error_is(create($organization, @skip), 402, 'test_quota_exceeded');
  error_is(create($organization), 402, 'test_quota_exceeded', undef,
    'nothing more is begun');
  books_are($organization, 500, 0, 0);
  a_year_ago($organization);
  answer_is(create($organization, @skip), 201, 'another month, another quota');

  # What its own key can do gives no place back.
  my $simulated = $service->organization(sandbox => 1, workflow => 1);
  set_used($simulated, 498);
  my @own = map { answer_is(create($simulated, @skip), 201) } 1 .. 2;
  for my $session (@own) {
    flag($simulated, $session);
    is answer_is($simulated->{client}->post("$path/$session->{id}/test_outcome",
      {value => 'review_rejected'}), 200)->{status}, 'failed', 'rejected by a test value';
  }
  books_are($simulated, 500, 0, 0);
  error_is(create($simulated, @skip), 402, 'test_quota_exceeded', undef,
    'the quota is used up');

  set_used($organization, 492);
  my $token = $organization->{secret_key};
  my @answers = in_parallel(map { sub {
    my $client = $service->client($token);
    return create({%$organization, client => $client}, @skip)->status;
  } } 1 .. 16);
  is scalar(grep { $_ == 201 } @answers), 8, 'eight of sixteen at once';
  is scalar(grep { $_ == 402 } @answers), 8, 'the others are refused';
  is usage($organization)->{verifications}, 500, 'exactly 500';
  is $service->sql_value(q{SELECT count(*) FROM verification_session
    WHERE organization_id = ? AND status = 'verified'}, $organization->{id}),
    10, 'refused ones left no session';
};

subtest 'other organizations' => sub {
  my $one = live(qw(--free-allotment 0));
  my $other = live();
  add($one, 3);
  is decide(held($other), 'approve'), 'verified', 'verified';
  books_are($one, 0, 0, 3);
  books_are($other, 1, 0, 0);
};

finish($service);
