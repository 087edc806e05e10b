# "States and transitions": every row of the table, out of every status; what
# the session shows then, and its events: these, each once.
use v5.32;
use warnings;
use Verify::Conformance;
use Verify::Specimen;

my $service = Verify::Instance->start;
my $organization = $service->organization(sandbox => 1);
my $client = $organization->{client};
my $sessions = '/v1/verification_sessions';
my $unread = 'unread bytes, which are no image';

sub publish {
  my ($start, %settings) = @_;
  my %hold = $start eq 'hold' ? (hold => {type => 'review',
    $settings{hours} ? (timeout_hours => delete $settings{hours}) : (),
    next => {approved => 'id', rejected => 'no'}}) : ();
  return $service->publish($organization->{id}, {name => 'States',
    start => $start, nodes => {%hold,
      id => {type => 'methods', methods => ['document_capture'],
        max_attempts => 2, next => {passed => 'yes', exhausted => 'no'}},
      yes => {type => 'outcome', status => 'verified'},
      no => {type => 'outcome', status => 'failed'}}, %settings})->{id};
}
my ($plain, $reviewed) = (publish('id'), publish('hold'));

sub create {
  my ($workflow, %more) = @_;
  my $session = answer_is($client->post($sessions, {type => 'age',
    workflow_id => $workflow, jurisdiction => 'US-CA', %more}), 201, 'created');
  $session->{person} = $service->client($session->{client_secret});
  $session->{widget} = "/v1/widget/sessions/$session->{id}";
  return $session;
}
sub images {
  return $service->sql_value('SELECT count(*) FROM evidence WHERE session_id = ?',
    $_[0]{id});
}
sub retrieve {
  return answer_is($client->get("$sessions/$_[0]{id}"), 200, 'retrieved');
}
sub reaches {
  my ($session, $status) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  my $found = wait_for {
    my $now = $client->get("$sessions/$session->{id}")->json;
    $now->{status} eq $status && $now;
  };
  ok $found, "then $status" or diag explain retrieve($session);
  return $found;
}
sub cancel { $client->post("$sessions/$_[0]{id}/cancel") }
sub flag { $client->post("/v1/session_reviews/sessions/$_[0]{id}/flag", $_[1]) }
sub decide {
  return $service->verifyctl(qw(review decide), $_[0]{id}, $_[1], qw(--by me));
}
sub events {
  return map { {%$_, type => $_->{type} =~ s/verification_//r} }
    @{$client->get("/v1/events?limit=100&object_id=$_[0]{id}")->json->{data}};
}
sub events_are {
  my ($session, @types) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  is_deeply [sort map { $_->{type} } events($session)], [sort @types],
    "its events: @types";
}
sub open_widget {
  my ($session) = @_;
  answer_is($session->{person}->post("$session->{widget}/open", {}), 200, 'opened');
  return $session;
}
sub submit {
  my ($session, $image) = @_;
  $session->{person}->post("$session->{widget}/consent", {consent => $true});
  $session->{person}->put("$session->{widget}/images/front", $image,
    'Content-Type' => 'image/jpeg');
  return answer_is($session->{person}->post("$session->{widget}/submissions",
    {method => 'document_capture', images => ['front']}), 200, 'submitted');
}

# Makes a session of each open status.
my %in = (
  created => sub { create($plain, @_) },
  pending => sub { open_widget(create($plain, @_)) },
  requires_input => sub {
    my $session = open_widget(create($plain, @_));
    submit($session, "\xff\xd8\xff$unread");
    reaches($session, 'requires_input');
    return $session;
  },
  # A worker is about to be at it: no analysis is that slow.
  processing => sub {
    my $session = open_widget(create($plain, @_));
    $service->sql("UPDATE verification_session SET status = 'processing'
      WHERE id = ?", $session->{id});
    return $session;
  },
  under_review => sub { open_widget(create($reviewed, @_)) },
);
sub history {
  return ('session.created',
    $_[0] eq 'under_review' ? 'session_review.flagged' : ());
}

# What a session shows in each status.
my %open = (completed_at => 'null', cancelled_at => 'null',
  verification_path => 'null', active_device => 'null',
  device_locked_at => 'null', client_secret => 'null', current_method => 'null',
  expires_at => $seconds, created => $seconds, updated => $seconds);
my %asking = (%open, current_method => ['document_capture']);
my %shows = (created => \%open, pending => \%asking, requires_input => \%asking,
  processing => \%asking, under_review => \%open, expired => \%open,
  cancelled => {%open, cancelled_at => $seconds},
  verified => {%open, completed_at => $seconds, verification_path => ['sandbox']},
  failed => {%open, completed_at => $seconds});
sub shows {
  my ($session) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  my %wanted = %{$shows{$session->{status}}};
  shape_is({map { ($_ => $session->{$_}) } keys %wanted}, \%wanted,
    "what a $session->{status} session shows");
  cmp_ok $session->{updated}, '>=', $session->{created}, 'updated';
}

subtest 'the open statuses' => sub {
  for my $status (sort keys %in) {
    my $session = $in{$status}->();
    is retrieve($session)->{status}, $status, $status;
    shows(retrieve($session));
    events_are($session, history($status));
    ok grep({ $_ eq $session->{id} } identities($client->get(
      "$sessions?status=$status&limit=100")->json)), 'listed by it';
    error_is(flag($session), 409, 'session_not_flaggable', undef,
      'only a completed session is flagged');
    is retrieve($session)->{status}, $status, 'which changes nothing';
  }
};

subtest 'open statuses: cancelled by the server, and by the user' => sub {
  for my $status (sort keys %in) {
    for my $who (qw(server user)) {
      my $session = $in{$status}->();
      is images($session), 1, 'an image is kept' if $status eq 'requires_input';
      if ($who eq 'user' && $status eq 'under_review') {
        my $before = retrieve($session);
        error_is($session->{person}->post("$session->{widget}/cancel", {}), 409,
          'session_state_conflict', undef, 'a review is not the user\'s to end');
        is_deeply retrieve($session), $before, 'unchanged';
        events_are($session, history($status));
        next;
      }
      my $answer = answer_is($who eq 'server' ? cancel($session)
        : $session->{person}->post("$session->{widget}/cancel", {}), 200,
        "$status, by the $who");
      is $answer->{status}, 'cancelled', 'cancelled';
      is images($session), 0, 'no image is kept';
      my $found = retrieve($session);
      shows($found);
      is_deeply answer_is(cancel($session), 200), $found,
        'again: 200 with the session unchanged';
      error_is(flag($session), 409, 'session_not_flaggable');
      events_are($session, history($status), 'session.cancelled');
      my ($event) = grep { $_->{type} eq 'session.cancelled' } events($session);
      is_deeply [@{$event->{data}{object}}{qw(status completed_at last_error
        current_method)}], ['cancelled', undef, undef, undef], 'its snapshot';
    }
  }
};

subtest 'open statuses: expiry passes' => sub {
  my %made = map { ($_ => $in{$_}->()) } keys %in;
  $service->sql('UPDATE verification_session SET expires_at = ?
    WHERE id = ?', time * 1000 - 1, $_->{id}) for values %made;
  my $held = delete $made{under_review};
  for my $status (sort keys %made) {
    my $session = $made{$status};
    my $found = reaches($session, 'expired');
    shows($found);
    is images($session), 0, 'no image is kept';
    error_is(cancel($session), 409, 'session_terminal', undef, 'cancel');
    error_is(flag($session), 409, 'session_not_flaggable');
    is_deeply retrieve($session), $found, 'unchanged';
    events_are($session, history($status), 'session.expired');
  }
  is retrieve($held)->{status}, 'under_review',
    'a held session waits for its review event';
};

subtest 'a workflow can configure another timeout' => sub {
  my $session = create(publish('id', expires_after_seconds => 1));
  is $session->{expires_at} - $session->{created}, 1, 'of a second';
  my $found = reaches($session, 'expired');
  is $found->{expires_at}, $session->{expires_at}, 'expires_at stays';
  cmp_ok $found->{updated}, '>=', $found->{expires_at}, 'not before';
};

subtest 'all methods exhausted' => sub {
  my $photograph = Verify::Specimen::photograph('--expires', 2020);
  my $session = open_widget(create($plain, client_reference_id => 'exhausted'));
  submit($session, $photograph);
  shows(reaches($session, 'requires_input'));
  events_are($session, 'session.created');
  submit($session, $photograph);
  my $found = reaches($session, 'failed');
  shows($found);
  is images($session), 0, 'no image is kept';
  events_are($session, 'session.created', 'session.failed');
  my ($event) = events($session);
  shape_is($event->{data}{object}{last_error}, {code => ['document_expired'],
    message => 'string', category => ['verification_declined']}, 'last_error');
  is $event->{data}{object}{client_reference_id}, 'exhausted', 'echoed';
  is_deeply [map { $_->{status} } @{$client->get(
    "$sessions/$session->{id}?expand[]=results")->json->{results}}],
    [qw(failed failed)], 'both attempts are in the results';
  error_is(cancel($session), 409, 'session_terminal', undef, 'cancel');
  error_is(flag($session), 409, 'session_not_flaggable');
  is_deeply retrieve($session), $found, 'unchanged';
  is $service->verifyctl(qw(org show), $organization->{id})->{usage}
    {verifications}, 0, 'a failed verification does not count';
};

subtest 'the review timeout elapses undecided' => sub {
  my %days = (default => 3, maximum => 7);
  for my $which (sort keys %days) {
    my $session = open_widget(create($which eq 'default' ? $reviewed
      : publish('hold', hours => 168)));
    my ($open) = grep { $_->{session_id} eq $session->{id} }
      @{$service->verifyctl(qw(review list --org), $organization->{id})};
    is $open->{deadline} - $open->{opened_at}, $days{$which} * 86400,
      "$which: $days{$which} days";
  }
  my $session = open_widget(create(publish('hold', hours => 0.0005)));
  my $found = reaches($session, 'failed');
  shows($found);
  events_are($session, qw(session.created session_review.flagged
    session_review.rejected session.failed));
  my ($rejected) = grep { $_->{type} =~ /rejected/ } events($session);
  is $rejected->{data}{object}{decision_evidence}{decided_by}, 'system_timeout',
    'decided_by';
  is $rejected->{data}{object}{session_id}, $session->{id}, 'session_id';
};

subtest 'verified: terminal unless a later review hold is opened' => sub {
  my $session = create($plain, skip_verification => $true);
  is $session->{status}, 'verified', 'skip_verification';
  my $found = retrieve($session);
  shows($found);
  error_is(cancel($session), 409, 'session_terminal', undef, 'cancel');
  is_deeply retrieve($session), $found, 'unchanged';
  events_are($session, 'session.verified');
  my $held = answer_is(flag($session, {reason => 'doubt'}), 200);
  is $held->{status}, 'under_review', 'flagged';
  is_deeply {%$held, status => 'verified', updated => 1}, {%$found, updated => 1},
    'everything else as it was';
  error_is(flag($session), 409, 'session_not_flaggable', undef, 'once');
  is decide($session, 'escalate')->{status}, 'under_review', 'escalated';
  is decide($session, 'approve')->{status}, 'verified', 'approved';
  is_deeply {%{retrieve($session)}, updated => 1}, {%$found, updated => 1},
    'verified as before';
  events_are($session, ('session.verified') x 2, map { "session_review.$_" }
    qw(flagged escalated approved));
  answer_is(flag($session), 200, 'and again');
  my $end = answer_is(cancel($session), 200);
  is $end->{status}, 'cancelled', 'a held session can be cancelled';
  like $end->{cancelled_at}, $seconds, 'cancelled_at';
};

subtest 'skip_verification: real webhooks fire' => sub {
  my $receiver = $service->receiver;
  my $endpoint = answer_is($client->post('/v1/webhook_endpoints',
    {url => $receiver->url, enabled_events => ['*']}), 201);
  $receiver->expect_secret($endpoint->{secret});
  my $session = create($plain, skip_verification => $true);
  my $request = $receiver->wait_for_request(
    sub { $_[0]{body} =~ /$session->{id}/ });
  is $request->{event}{type}, 'verification_session.verified', 'verified';
  is $request->{event}{data}{object}{livemode}, $false, 'livemode false';
};

finish($service);
