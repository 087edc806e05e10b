# Session reviews: every transition of the interface's table that opens, holds
# or resolves one, with the webhooks that arrive.
use v5.32;
use warnings;
use File::Temp ();
use JSON::PP ();
use Verify::Made;
use Verify::Test;

my $service = Verify::Instance->start(conf => "VerifyTestIssuers on\n");
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $client = $organization->{client};
my $receiver = $service->receiver;
my $endpoint = answer_is($client->post('/v1/webhook_endpoints',
  {url => $receiver->url, enabled_events => ['*']}), 201);
$receiver->expect_secret('/webhooks', $endpoint->{secret});

my %outcomes = (granted => {type => 'outcome', status => 'verified'},
  denied => {type => 'outcome', status => 'failed'});
sub review_node {
  my ($next, @settings) = @_;
  return {type => 'review', @settings,
    next => {approved => $next, rejected => 'denied'}};
}
sub document_node {
  my ($next) = @_;
  return {type => 'methods', mode => 'all_of', methods => ['document_capture'],
    next => {passed => $next, exhausted => 'denied'}};
}
sub publish {
  my ($start, %nodes) = @_;
  return $service->publish($organization->{id}, {name => 'Review',
    start => $start, nodes => {%nodes, %outcomes}})->{id};
}
my $before_methods = publish('hold', hold => review_node('id'),
  id => document_node('granted'));
my $after_methods = publish('id', id => document_node('hold'),
  hold => review_node('granted', timeout_hours => 168));
my $between_methods = publish('id', id => document_node('hold'),
  hold => review_node('more'), more => document_node('granted'));

sub create {
  my ($workflow, %parameters) = @_;
  my $session = answer_is($client->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $workflow, jurisdiction => 'US-CA',
      %parameters}), 201, 'session created');
  $session->{person} = $service->client($session->{client_secret});
  $session->{path} = "/v1/widget/sessions/$session->{id}";
  return $session;
}
sub verified {
  return create($organization->{workflow_id},
    skip_verification => JSON::PP::true, @_);
}
sub retrieve {
  return answer_is($client->get("/v1/verification_sessions/$_[0]{id}"), 200,
    'retrieved');
}
sub flag_path { "/v1/session_reviews/sessions/$_[0]{id}/flag" }
sub flag { $client->post(flag_path($_[0]), $_[1] // {}) }
sub decide {
  my ($session, $decision, @options) = @_;
  return $service->verifyctl(qw(review decide), $session->{id}, $decision,
    '--by', 'reviewer-7', @options);
}
sub is_refused {
  my ($pattern, $name, @arguments) = @_;
  eval { $service->verifyctl(@arguments); 1 };
  like $@, $pattern, $name;
}

# Photographs of a specimen licence through the widget, up to $status.
my $images = File::Temp->newdir;
my $photograph;
sub specimen {
  Verify::Made::into("$images", '/usr/bin/python3', 't/lib/specimen_barcodes.py', '--each', 1,
    '--only', 'straight', '--issuer', 'test', '{}');
  my ($file) = sort glob("$images/*.jpg"), glob("$images/*.png");
  open my $in, '<:raw', $file or die "$file: $!\n";
  local $/;
  return <$in>;
}
sub open_widget {
  my ($session) = @_;
  $session->{person}->post("$session->{path}/open", {});
  return answer_is($session->{person}->post("$session->{path}/consent",
    {consent => JSON::PP::true}), 200, 'consent given');
}
sub show_document {
  my ($session, $status) = @_;
  $photograph //= specimen();
  answer_is($session->{person}->put("$session->{path}/images/front",
    $photograph, 'Content-Type' => 'image/jpeg'), 200, 'photographed');
  answer_is($session->{person}->post("$session->{path}/submissions",
    {method => 'document_capture', images => ['front']}), 200, 'submitted');
  my $view = wait_for {
    my $view = $session->{person}->get($session->{path})->json;
    $view->{status} eq $status && $view;
  };
  ok $view, "then $status";
  return $view;
}

# The objects of the events of $type that arrived for a session.
sub arrived {
  my ($session, $type) = @_;
  return map { $_->{event}{data}{object} } $receiver->requests(sub {
    my $event = $_[0]{event} or return 0;
    my $object = $event->{data}{object};
    return $event->{type} eq $type
      && ($object->{session_id} // $object->{id}) eq $session->{id};
  });
}
# Exactly these events are written for the session, and arrive.
sub announced_are {
  my ($session, @types) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  my $rows = $service->sql(
    'SELECT type FROM event WHERE object_id = ? ORDER BY type', $session->{id});
  is_deeply [map { $_->{type} } @$rows], [sort @types],
    "announced: @types";
  for my $type (@types) {
    ok wait_for { arrived($session, $type) }, "$type arrives";
  }
  return;
}
sub evidence_count {
  return $service->sql_value('SELECT (SELECT count(*) FROM evidence
      WHERE session_id = ?) + (SELECT count(*) FROM session_data_key
      WHERE session_id = ?)', $_[0]{id}, $_[0]{id});
}
# Skipping mints a session that is verified at once, with that event alone.
my @born = ('verification_session.verified');
my @walked = ('verification_session.created', @born);

subtest 'flagging a verified session' => sub {
  my $session = verified(client_reference_id => 'order-9');
  my $answer = answer_is(flag($session, {reason => 'chargeback'}), 200);
  is $answer->{id}, $session->{id}, 'answers the session';
  is $answer->{object}, 'verification_session', 'as the interface shows it';
  is $answer->{status}, 'under_review', 'which is under review';
  is $answer->{client_secret}, undef, 'without its secret';
  is retrieve($session)->{status}, 'under_review', 'and stays so';
  announced_are($session, @born, 'session_review.flagged');
  my ($object) = arrived($session, 'session_review.flagged');
  is $object->{session_id}, $session->{id}, 'the event names the session';
  is $object->{reason}, 'chargeback', 'with the reason';
  is $object->{client_reference_id}, 'order-9', 'and the reference';
  is $object->{decision_evidence}, undef, 'nobody has decided';
  is $object->{deadline_at} - $object->{opened_at}, 72 * 3600,
    'it times out after 72 hours';
  my ($listed) = grep { $_->{session_id} eq $session->{id} }
    @{$service->verifyctl(qw(review list --org), $organization->{id})};
  is $listed->{reason}, 'chargeback', 'the list of reviews shows it';
};

subtest 'what cannot be flagged' => sub {
  my $session = verified();
  answer_is(flag($session), 200, 'the reason is optional');
  error_is(flag($session), 409, 'session_not_flaggable', undef, 'not twice');
  my $open = create($organization->{workflow_id});
  error_is(flag($open), 409, 'session_not_flaggable', undef, 'not an open one');
  answer_is($client->post("/v1/verification_sessions/$open->{id}/cancel", {}),
    200);
  error_is(flag($open), 409, 'session_not_flaggable', undef,
    'not a cancelled one');
  announced_are($open, map { "verification_session.$_" } qw(created cancelled));
};

subtest 'the request' => sub {
  my $session = verified();
  answer_is(flag($session, {reason => undef}), 200, 'null is no reason');
  $session = verified();
  my @faults = ([{reason => 'r' x 501}, 'reason'], [{reason => 7}, 'reason'],
    [{reason => ''}, 'reason'], [{note => 'x'}, 'note']);
  error_is(flag($session, $_->[0]), 400, 'parameter_invalid', $_->[1])
    for @faults;
  error_is($client->get(flag_path($session)), 405, 'method_not_allowed');
  error_is($client->post(flag_path({id => 'vks_' . '0' x 26}), {}), 404,
    'session_not_found');
  my $stranger = $service->organization(sandbox => 1);
  error_is($stranger->{client}->post(flag_path($session), {}), 404,
    'session_not_found', undef, "another organization's");
  my $publishable = $service->client(
    $service->key($organization->{id}, 'publishable'));
  error_is($publishable->post(flag_path($session), {}), 403,
    'publishable_key_scope');
  is retrieve($session)->{status}, 'verified', 'refusals changed nothing';
  my %once = ('Idempotency-Key' => 'flag-1');
  my $first = $client->post(flag_path($session), {reason => 'a'}, %once);
  is $first->status, 200, 'with an idempotency key';
  my $again = $client->post(flag_path($session), {reason => 'a'}, %once);
  is $again->body, $first->body, 'the same answer again';
  is $again->header('Idempotent-Replayed'), 'true', 'replayed';
  error_is($client->post(flag_path($session), {reason => 'b'}, %once), 400,
    'idempotency_key_reuse');
  announced_are($session, @born, 'session_review.flagged');
};

subtest 'approved, and nothing remains: verified again' => sub {
  my $session = verified();
  flag($session);
  my $decided = decide($session, 'approve', '--note', 'seen the originals');
  is $decided->{status}, 'verified', 'verified';
  is $decided->{completed_at}, $session->{completed_at}, 'completed as before';
  announced_are($session, @born, qw(session_review.flagged
    session_review.approved verification_session.verified));
  my ($object) = arrived($session, 'session_review.approved');
  is $object->{session_id}, $session->{id}, 'session_id';
  my $evidence = $object->{decision_evidence};
  is $evidence->{decided_by}, 'reviewer-7', 'decided_by';
  is $evidence->{note}, 'seen the originals', 'note';
  ok abs($evidence->{decided_at} - time) < 120, 'decided_at';
  is $service->sql_value('SELECT count(*) FROM credential
    WHERE session_id = ? AND revoked_at IS NULL', $session->{id}), 1,
    'its credential stays';
  answer_is(flag($session), 200, 'and can be flagged again');
};

subtest 'rejected by a person: failed' => sub {
  my $session = verified();
  flag($session);
  my $decided = decide($session, 'reject');
  is $decided->{status}, 'failed', 'failed';
  announced_are($session, @born, qw(session_review.flagged
    session_review.rejected verification_session.failed));
  my ($object) = arrived($session, 'session_review.rejected');
  is $object->{decision_evidence}{decided_by}, 'reviewer-7', 'decided_by';
  is $object->{decision_evidence}{note}, undef, 'no note';
  my ($failed) = arrived($session, 'verification_session.failed');
  is $failed->{status}, 'failed', 'the failed event shows it failed';
  is $failed->{last_error}{code}, 'verification_declined', 'and why';
  is $service->sql_value('SELECT count(*) FROM credential
    WHERE session_id = ? AND revoked_at IS NULL', $session->{id}), 0,
    'its credential is revoked';
  error_is(flag($session), 409, 'session_not_flaggable', undef, 'it is over');
  error_is($client->post("/v1/verification_sessions/$session->{id}/cancel", {}),
    409, 'session_terminal');
};

subtest 'escalated: stays under review' => sub {
  my $session = verified();
  flag($session);
  is decide($session, 'escalate', '--note', 'second pair of eyes')->{status},
    'under_review', 'under review';
  announced_are($session, @born, qw(session_review.flagged
    session_review.escalated));
  my ($object) = arrived($session, 'session_review.escalated');
  is $object->{decision_evidence}{note}, 'second pair of eyes', 'note';
  my ($listed) = grep { $_->{session_id} eq $session->{id} }
    @{$service->verifyctl(qw(review list --org), $organization->{id})};
  ok $listed->{escalated}, 'the list says so';
  is decide($session, 'approve')->{status}, 'verified', 'and is still decided';
};

subtest 'decisions that are refused' => sub {
  my $session = verified();
  my @decide = (qw(review decide), $session->{id});
  is_refused(qr/session_state_conflict|state of the verification session does not allow/, 'not under review',
    @decide, qw(approve --by me));
  flag($session);
  is_refused(qr/approve, reject or escalate/, 'an unknown decision', @decide,
    qw(ignore --by me));
  is_refused(qr/by/, 'nobody', @decide, 'approve');
  is_refused(qr/by.*1 to 255/s, 'an empty name', @decide, 'approve', '--by', '');
  is_refused(qr/note.*500/s, 'a long note', @decide, qw(approve --by me --note),
    'n' x 501);
  is_refused(qr/note.*UTF-8/s, 'bytes that are no text', @decide,
    qw(approve --by me --note), "\xff");
  is retrieve($session)->{status}, 'under_review', 'nothing was changed';
};

subtest 'undecided: the timeout rejects' => sub {
  my $session = verified();
  flag($session);
  $service->sql('UPDATE verification_session SET review_deadline_at = 1
    WHERE id = ?', $session->{id});
  ok wait_for { retrieve($session)->{status} eq 'failed' }, 'failed';
  announced_are($session, @born, qw(session_review.flagged
    session_review.rejected verification_session.failed));
  my ($object) = arrived($session, 'session_review.rejected');
  is $object->{decision_evidence}{decided_by}, 'system_timeout',
    'decided by system_timeout';
  is_refused(qr/session_state_conflict|state of the verification session does not allow/, 'too late',
    qw(review decide), $session->{id}, qw(approve --by me));
};

subtest 'a review before any method: approved, the person goes on' => sub {
  my $session = create($before_methods);
  my $view = open_widget($session);
  is $view->{status}, 'under_review', 'held when the widget opens';
  ok $view->{review}, 'which the widget shows';
  announced_are($session, qw(verification_session.created
    session_review.flagged));
  # An hour's hold, in which its time has run out.
  my $now = time * 1000;
  $service->sql('UPDATE verification_session SET expires_at = ?,
    review_opened_at = ? WHERE id = ?', $now - 1000, $now - 3600_000,
    $session->{id});
  is decide($session, 'approve')->{status}, 'requires_input',
    'a held session does not expire, and gets the time of the hold back';
  announced_are($session, qw(verification_session.created
    session_review.flagged session_review.approved));
};

subtest 'steps remain: verified only after them' => sub {
  my $session = create($between_methods);
  open_widget($session);
  show_document($session, 'under_review');
  ok evidence_count($session), 'the imagery is kept for the review';
  is decide($session, 'approve')->{status}, 'requires_input', 'goes on';
  is evidence_count($session), 0, 'the imagery is purged with the decision';
  is scalar(arrived($session, 'verification_session.verified')), 0,
    'not verified yet';
  show_document($session, 'verified');
  announced_are($session, qw(session_review.flagged session_review.approved),
    @walked);
};

subtest 'a review as the last step' => sub {
  my $session = create($after_methods);
  open_widget($session);
  show_document($session, 'under_review');
  my ($object) = wait_for { (arrived($session, 'session_review.flagged'))[0] };
  is $object->{deadline_at} - $object->{opened_at}, 168 * 3600,
    "the node's own timeout, of at most seven days";
  is decide($session, 'approve')->{status}, 'verified', 'verified';
  announced_are($session, qw(session_review.flagged session_review.approved),
    @walked);
  is evidence_count($session), 0, 'the imagery is purged';

  my $rejected = create($after_methods);
  open_widget($rejected);
  show_document($rejected, 'under_review');
  is decide($rejected, 'reject')->{status}, 'failed', 'or failed';
  announced_are($rejected, qw(verification_session.created
    session_review.flagged session_review.rejected verification_session.failed));
  is evidence_count($rejected), 0, 'the imagery is purged as well';

  my $late = create($after_methods);
  open_widget($late);
  show_document($late, 'under_review');
  $service->sql('UPDATE verification_session SET review_deadline_at = 1
    WHERE id = ?', $late->{id});
  ok wait_for { retrieve($late)->{status} eq 'failed' }, 'or nobody decided';
  is evidence_count($late), 0, 'and it is purged then';
};

subtest 'cancelling while under review' => sub {
  my $session = create($before_methods);
  open_widget($session);
  my $cancel = "/v1/verification_sessions/$session->{id}/cancel";
  my $answer = answer_is($client->post($cancel, {}), 200);
  is $answer->{status}, 'cancelled', 'cancelled';
  is answer_is($client->post($cancel, {}), 200)->{cancelled_at},
    $answer->{cancelled_at}, 'once';
  announced_are($session, qw(verification_session.created
    session_review.flagged verification_session.cancelled));
};

subtest 'the record of reviews' => sub {
  my $session = verified();
  flag($session, {reason => 'chargeback'});
  decide($session, 'escalate', '--note', 'second pair of eyes');
  decide($session, 'approve');
  flag($session);
  $client->post("/v1/verification_sessions/$session->{id}/cancel", {});
  my $shown = $service->verifyctl(qw(review show), $session->{id});
  is_deeply [@$shown{qw(session_id organization_id status)}],
    [$session->{id}, $organization->{id}, 'cancelled'], 'of the session';
  my @entries = @{$shown->{entries}};
  is_deeply [map { $_->{action} } @entries],
    [qw(flagged escalated approved flagged cancelled)], 'what was done';
  my ($key) = map { $_->{id} } grep { $_->{type} eq 'secret' }
    @{$service->verifyctl(qw(key list --org), $organization->{id})};
  is_deeply [map { $_->{by} } @entries], [$key, 'reviewer-7', 'reviewer-7', $key, $key],
    'by whom';
  is_deeply [map { $_->{note} } @entries],
    ['chargeback', 'second pair of eyes', undef, undef, undef], 'why';
  is_deeply [map { defined $_->{deadline} ? 1 : 0 } @entries], [1, 0, 0, 1, 0],
    'until when what was opened';
  is scalar(grep { abs($_->{created} - time) > 120 } @entries), 0, 'when';
  is $entries[0]{deadline} - $entries[0]{created}, 72 * 3600, '72 hours';

  my $late = create($before_methods);
  open_widget($late);
  $service->sql('UPDATE verification_session SET review_deadline_at = 1
    WHERE id = ?', $late->{id});
  ok wait_for { retrieve($late)->{status} eq 'failed' }, 'nobody decided';
  my @timed_out = @{$service->verifyctl(qw(review show), $late->{id})->{entries}};
  is_deeply [map { [@$_{qw(action by)}] } @timed_out],
    [['held', undef], ['timed_out', 'system_timeout']], 'held by its workflow';

  my @ended = @{$service->verifyctl(qw(review ended --limit 2 --org),
    $organization->{id})};
  is_deeply \@ended, [$timed_out[1], $entries[4]], 'what ended, newest first';
  is_deeply $service->verifyctl(qw(review ended --limit 1 --org),
    $organization->{id}, '--starting-after', $ended[1]{id})->[0], $entries[2],
    'in pages';
};

subtest 'a timeout over seven days' => sub {
  is_refused(qr{timeout_hours}, 'is refused by the publisher',
    qw(workflow publish --org), $organization->{id}, long_review());
};
my @kept;
sub long_review {
  my $file = File::Temp->new(SUFFIX => '.json');
  print $file JSON::PP::encode_json({name => 'Long', start => 'hold', nodes =>
    {hold => review_node('id', timeout_hours => 169),
      id => document_node('granted'), %outcomes}});
  close $file;
  push @kept, $file;
  return "$file";
}

finish($service);
