# The work of reviewers: the queue by deadlines, who has which session, and who
# may decide, also when two want the same at once.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Command;
use Verify::Test;

my $service = Verify::Instance->start;
my $command = Verify::Command->new($service);
my $who = $service->organization(sandbox => 1, workflow => 1);
my @org = ('--org', $who->{id});

sub held {
  my $session = answer_is($who->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $who->{workflow_id}, jurisdiction => 'US-CA',
      email => 'jane@example.com', skip_verification => JSON::PP::true, @_}), 201,
    'a session');
  answer_is($who->{client}->post(
    "/v1/session_reviews/sessions/$session->{id}/flag", {}), 200, 'is held');
  return $session->{id};
}
sub deadline_of {
  my ($id, $seconds) = @_;
  $service->sql('UPDATE verification_session SET review_deadline_at = ?
    WHERE id = ?', (time + $seconds) * 1000, $id);
}
sub claim { $command->prints(['review', 'claim', $_[0], '--by', $_[1]]) }
sub decide {
  my ($id, $by, $decision, @options) = @_;
  return ['review', 'decide', $id, $decision, '--by', $by, @options];
}
sub queue { $command->prints(['review', 'list', @org, @_]) }

subtest 'the queue' => sub {
  my @ids = map { held() } 1 .. 3;
  deadline_of($ids[0], 3000);
  deadline_of($ids[1], 1000);
  deadline_of($ids[2], 2000);
  my $queue = queue();
  is_deeply [map { $_->{session_id} } @$queue], [@ids[1, 2, 0]], 'the next first';
  is_deeply [map { $_->{session_id} } @{queue('--limit', 1, '--cursor',
    $queue->[0]{cursor})}], [$ids[2]], 'page by page';
  $command->prints(decide($ids[1], 'anna', 'approve'));
  is_deeply [map { $_->{session_id} } @{queue('--cursor', $queue->[0]{cursor})}],
    [@ids[2, 0]], 'also behind one that was decided';
  claim($ids[2], 'anna');
  is_deeply [map { $_->{session_id} } @{queue('--unclaimed')}], [$ids[0]],
    'what nobody has';
  is_deeply [map { $_->{claimed_by} } @{queue()}], ['anna', undef], 'and who has it';
  $command->refuses(['review', 'list', @org, '--cursor', $_], qr/cursor of an entry/)
    for 'x', '1', '1.vks_x', "-1.$ids[0]";
};

subtest 'claims' => sub {
  my $id = held();
  my $claim = claim($id, 'anna');
  is $claim->{expires_at} - $claim->{claimed_at}, 600, 'hold for ten minutes';
  $command->refuses(['review', 'claim', $id, '--by', 'bert'],
    qr/Another reviewer has claimed/);
  is claim($id, 'anna')->{claimed_at}, $claim->{claimed_at}, 'are prolonged';
  $command->refuses(decide($id, 'bert', $_), qr/Another reviewer has claimed/)
    for qw(approve reject escalate);
  $command->prints(['review', 'release', $id, '--by', 'bert']);
  is $command->prints(['review', 'show', $id])->{claim}{reviewer}, 'anna',
    'nobody gives back what another has';
  $command->prints(['review', 'release', $id, '--by', 'anna']);
  claim($id, 'bert');
  $service->sql('UPDATE review_claim SET expires_at = 1 WHERE session_id = ?', $id);
  is $command->prints(['review', 'show', $id])->{claim}, undef, 'end with their time';
  is claim($id, 'anna')->{reviewer}, 'anna', 'then another takes it';
  $command->refuses(decide($id, 'bert', 'approve'), qr/Another reviewer/);
  $command->prints(decide($id, 'anna', 'escalate'));
  is $command->prints(['review', 'show', $id])->{claim}, undef,
    'what was done ends a claim';
  $command->prints(decide($id, 'bert', 'approve'));
  $command->refuses(['review', 'claim', $id, '--by', 'anna'], qr/not in a state|state/);
  $command->refuses(['review', 'claim', 'vks_none', '--by', 'anna'], qr/No such/);
  $command->refuses(['review', 'claim', $id, '--by', ''], qr/1 to 255/);
};

subtest 'a deadline takes a claim along' => sub {
  my $id = held();
  claim($id, 'anna');
  deadline_of($id, -1);
  ok wait_for {
    $service->sql_value('SELECT status FROM verification_session WHERE id = ?', $id)
      eq 'failed' }, 'the timer decides';
  is $service->sql_value('SELECT count(*) FROM review_claim WHERE session_id = ?', $id),
    0, 'nobody has it any more';
  $command->refuses(decide($id, 'anna', 'approve'), qr/state/);
};

subtest 'reasons' => sub {
  my $id = held();
  $command->refuses(decide($id, 'anna', 'approve', '--reason', 'document_forged'),
    qr/reason_code must be a reason of this decision/);
  $command->refuses(decide($id, 'anna', 'reject', '--reason', 'other_rejection'),
    qr/note is required .* Say why/);
  $command->prints(decide($id, 'anna', 'reject', '--reason', 'document_forged',
    '--note', 'the hologram'));
  my ($entry) = grep { $_->{action} eq 'rejected' }
    @{$command->prints(['review', 'show', $id])->{entries}};
  is_deeply [@$entry{qw(by reason_code note)}],
    ['anna', 'document_forged', 'the hologram'], 'stand in the record';
  my $event = JSON::PP->new->decode($service->sql_value(q{SELECT body FROM event
    WHERE object_id = ? AND type = 'session_review.rejected'}, $id));
  is $event->{data}{object}{decision_evidence}{reason_code}, 'document_forged',
    'and in the event';
};

subtest 'who caused a review' => sub {
  my $id = held();
  my ($key) = map { $_->{by} } @{$command->prints(['review', 'show', $id])->{entries}};
  $command->refuses(decide($id, $key, $_), qr/cannot decide it/)
    for qw(approve reject);
  $command->prints(decide($id, $key, 'escalate'));
  $command->prints(decide($id, 'anna', 'approve'));
};

subtest 'a session is flagged and cancelled' => sub {
  my $id = answer_is($who->{client}->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $who->{workflow_id}, jurisdiction => 'US-CA',
    client_reference_id => 'jane', skip_verification => JSON::PP::true}), 201)->{id};
  my $flag = ['session', 'flag', $id, '--by', 'anna', '--reason', 'a chargeback'];
  is_deeply $command->prints($flag), {id => $id, object => 'verification_session',
    status => 'under_review'}, 'held, and nothing personal is told';
  my ($entry) = @{$command->prints(['review', 'show', $id])->{entries}};
  is_deeply [@$entry{qw(action by note)}], ['flagged', 'anna', 'a chargeback'],
    'with who and why on record';
  $command->refuses($flag, qr/flag/);
  $command->refuses(decide($id, 'anna', 'approve'), qr/cannot decide it/);
  claim($id, 'bert');
  my $cancel = ['session', 'cancel', $id, '--by', 'carl'];
  $command->refuses($cancel, qr/Another reviewer has claimed/);
  $command->prints(['review', 'release', $id, '--by', 'bert']);
  is $command->prints($cancel)->{status}, 'cancelled', 'cancelled by who may';
  is $command->prints($cancel)->{status}, 'cancelled', 'and again is no change';
  is_deeply [map { "$_->{action} $_->{subject}" } @{$service->sql(q{SELECT
      entry::json ->> 'action' AS action, entry::json ->> 'subject' AS subject
    FROM operator_action WHERE organization_id = ? AND entry::json ->> 'action' LIKE
      'session %' ORDER BY sequence}, $who->{id})}],
    ["session flag $id", ("session cancel $id") x 2], 'each is recorded';
  $command->refuses(['session', 'cancel', 'vks_00000000000000000000000000', '--by', 'x'],
    qr/No such|not exist|not found/i);
};

subtest 'what is known of a session' => sub {
  my $id = held();
  my $shown = $command->prints(['review', 'show', $id]);
  is_deeply [grep { !exists $shown->{$_} } qw(claim entries decisions
    risk_assessments related_sessions evidence status)], [], 'all there is';
  $service->sql(q{INSERT INTO risk_assessment (organization_id, id, session_id, body,
      created_at) SELECT ?, 'risk_' || lpad(n::text, 26, '0'), ?,
        json_build_object('id', n), n FROM generate_series(1, 21) n}, $who->{id}, $id);
  is_deeply [map { $_->{id} } @{$command->prints(['review', 'show', $id])
    ->{risk_assessments}}], [2 .. 21], 'the newest assessments, in their order';
  my ($related) = @{$shown->{related_sessions}};
  is_deeply $related->{shared}, ['person'], 'earlier sessions of the person';
  isnt $related->{session_id}, $id, '... but not itself';
  ok exists $related->{client_reference_id}, '... by the reference of the customer';
  unlike(JSON::PP->new->encode($shown), qr/jane|example\.com/, 'nothing of the person');
};

# All at once: (status of a command, its words)...
sub race {
  my (@commands) = @_;
  local %ENV = $service->environment;
  my @children = map {
my $words = $_;
my $pid = open my $out, '-|' // die "cannot fork: $!\n";
    if (!$pid) {
  open STDERR, '>&', \*STDOUT;
  exec 'scripts/verifyctl', @$words or CORE::exit(127);
}
    $out;
  } @commands;
  return map { local $/; my $text = <$_>; close $_; [$? >> 8, $text] } @children;
}

subtest 'two at once' => sub {
  for my $round (1 .. 3) {
my $id = held();
my @ends = race(map { ['review', 'claim', $id, '--by', $_] } qw(anna bert cleo));
    is scalar(grep { $_->[0] == 0 } @ends), 1, 'one has the claim';
    is scalar(grep { $_->[1] =~ /Another reviewer has claimed/ } @ends), 2,
  'the others are told';
  }
  for my $round (1 .. 3) {
my $id = held();
my @ends = race(decide($id, 'anna', 'approve'), decide($id, 'bert', 'reject'));
    is scalar(grep { $_->[0] == 0 } @ends), 1, 'one decides';
my @entries = grep { $_->{action} =~ /approved|rejected/ }
  @{$command->prints(['review', 'show', $id])->{entries}};
    is scalar(@entries), 1, 'and once';
  }
};

finish($service);
