# The case of an open review: which failed checks an approval overrules, notes,
# assignments, and the queue by workflow, reason, deadline and assignee.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use JSON::PP ();
use Verify::Dashboard;
use Verify::Specimen;
use Verify::Test;

my $service = Verify::Instance->start(start => 0);
sub workflow { {name => $_[0], required_age_tier => 'min_age_21', start => 'id', nodes => {
  id => {type => 'methods', methods => ['document_capture'], max_attempts => 1,
    next => {passed => 'hold', exhausted => 'hold'}},
  hold => {type => 'review', next => {approved => 'granted', rejected => 'denied'}},
  granted => {type => 'outcome', status => 'verified'},
  denied => {type => 'outcome', status => 'failed'}}} }
my $who = $service->organization(sandbox => 1, workflow => workflow('Held'));
my $other = $service->organization(sandbox => 1);
my %role = (anna => 'reviewer', Anna => 'reviewer', bert => 'reviewer', olga => 'auditor');
my $dashboard = Verify::Dashboard->prepare($service,
  map { $_ => "$role{$_} $who->{id}" } keys %role);
$service->start_httpd;
my %client = map { $_ => $dashboard->client($_) } keys %role;
my $own = "/dashboard/v1/organizations/$who->{id}";
my $year = (localtime)[5] + 1900;
my $expired = Verify::Specimen::photograph('--born', '1980-02-03', '--expires', $year - 2);

sub held {
  my ($photograph, @more) = @_;
  my $session = answer_is($who->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $who->{workflow_id}, jurisdiction => 'US-CA', @more}),
    201, 'a session');
  is show_specimen($service, $session, photograph => $photograph)->{status},
    'under_review', 'is held';
  return $session->{id};
}
sub entries { @{answer_is($client{olga}->get("$own/reviews/$_[0]"), 200)->{entries}} }
my %approval = (decision => 'approve', reason_code => 'evidence_convincing');

subtest 'an approval names the failed checks that it overrules' => sub {
  my $id = held($expired);
  my $review = "$own/reviews/$id";
  my $known = answer_is($client{olga}->get($review), 200);
  is_deeply $known->{failed_checks}, [{check => 'expiry', reason => 'expired',
    method => 'document_capture'}], 'which failed';
  is $known->{decisions}[0]{assurance}, 'decoded', 'and what the evidence is worth';
  ok((grep { $_->{is_silent} } @{$known->{decisions}[0]{checks}}), 'notes are told from doubts');
  for my $wrong ([], ['age'], ['expiry', 'age'], ['expiry', 'expiry']) {
    error_is($client{anna}->post("$review/decide", {%approval, overruled_checks => $wrong}), 400,
      'parameter_invalid', 'overruled_checks');
  }
  my $refusal = $client{anna}->post("$review/decide", {%approval, overruled_checks => []});
  like $refusal->json->{error}{message}, qr/`expiry`/, 'the message names them';
  error_is($client{anna}->post("$review/decide", {decision => 'reject',
    reason_code => 'document_forged', overruled_checks => ['expiry']}), 400, 'parameter_invalid',
    'overruled_checks');
  is answer_is($client{anna}->post("$review/decide", {%approval,
    overruled_checks => ['expiry']}), 200)->{status}, 'verified', 'named';
  is_deeply((entries($id))[-1]{overruled_checks}, ['expiry'], 'in the record');
  my ($event) = grep { $_->{type} eq 'session_review.approved' }
    @{answer_is($who->{client}->get("/v1/events?object_id=$id"), 200)->{data}};
  is_deeply $event->{data}{object}{decision_evidence}{overruled_checks}, ['expiry'],
    'in the evidence of the decision';
  is_deeply answer_is($client{olga}->get("$own/audit?limit=1"), 200)->{data}[0]{details}
    {overruled_checks}, ['expiry'], 'and in the audit';
};

subtest 'a client that does not know the parameter decides as before' => sub {
  my $id = held($expired);
  is answer_is($client{anna}->post("$own/reviews/$id/decide", {%approval}), 200)->{status},
    'verified', 'approved';
  is((entries($id))[-1]{overruled_checks}, undef, 'and the record says that it named none');
};

my $id = held($expired, client_reference_id => 'order-1');
my $review = "$own/reviews/$id";

subtest 'notes' => sub {
  error_is($client{olga}->post("$review/notes", {text => 'x'}), 403, 'operator_role_required');
  error_is($client{anna}->post("$review/notes", {text => ''}), 400, 'parameter_invalid', 'text');
  error_is($client{anna}->post("$review/notes", {text => 'x' x 501}), 400, 'parameter_invalid',
    'text');
  answer_is($client{bert}->post("$review/claim", {}), 200, 'bert works on it');
  answer_is($client{anna}->post("$review/notes", {text => 'The card is scratched.'}), 200, 'noted');
  my $last = (entries($id))[-1];
  is_deeply [@$last{qw(action by note)}], ['noted', 'anna', 'The card is scratched.'], 'by whom';
  is answer_is($client{olga}->get($review), 200)->{claim}{reviewer}, 'bert', 'the claim stays';
  my $record = answer_is($client{olga}->get("$own/audit?limit=1"), 200)->{data}[0];
  like $record->{action}, qr{reviews/:id/notes}, 'recorded';
  my $text = JSON::PP->new->encode($record);
  unlike $text, qr/scratched/, '... without its text';
  my $events = $who->{client}->get("/v1/events?object_id=$id")->body;
  unlike $events, qr/scratched/,
    'no customer sees it';
  my $timeline = $client{olga}->get("$own/sessions/$id/timeline")->body;
  unlike $timeline, qr/noted/, 'nor the timeline';
  answer_is($client{anna}->post("$review/notes", {text => "Note $_"}), 200) for 2 .. 50;
  error_is($client{anna}->post("$review/notes", {text => $_}), 400, 'parameter_invalid',
    'text') for 'one more', ' ', "\n\t";
  answer_is($client{bert}->post("$review/release", {}), 200, 'given back');
};

subtest 'an expired document is a reason of its own' => sub {
  my $id = held($expired);
  error_is($client{anna}->post("$own/reviews/$id/decide", {decision => 'approve',
    reason_code => 'other_approval', note => $_}), 400, 'parameter_invalid', 'note')
    for ' ', "\t\n", "\x{200b} ";
  error_is($client{anna}->post("$own/reviews/$id/decide", {decision => 'approve',
    reason_code => 'document_not_accepted', overruled_checks => ['expiry']}), 400,
    'parameter_invalid', 'reason_code');
  is answer_is($client{anna}->post("$own/reviews/$id/decide", {decision => 'reject',
    reason_code => 'document_not_accepted'}), 200)->{status}, 'failed', 'rejected';
  is((entries($id))[-1]{reason_code}, 'document_not_accepted', 'in the record');
};

subtest 'what was read of the document' => sub {
  my $fields = "$own/sessions/$id/fields";
  error_is($client{olga}->post($fields, {reason => 'law'}), 403, 'operator_role_required');
  error_is($client{anna}->post($fields, {}), 400, 'parameter_invalid', 'reason');
  error_is($client{anna}->post($fields, {reason => 'review'}), 409, 'review_claim_required');
  answer_is($client{anna}->post("$review/claim", {}), 200, 'claimed');
  my $read = answer_is($client{anna}->post($fields, {reason => 'review'}), 200, 'read');
  is_deeply [@{$read->{fields}}{qw(kind date_of_birth issuing_country)}],
    ['driver_license', '1980-02-03', 'UT'], 'the values of the code';
  is_deeply [@$read{qw(source side)}], ['pdf417_aamva', 'front'], 'and where they were read';
  my @place = @{$read->{places}{date_of_birth}};
  ok @place == 8 && $place[0] + .1 < $place[4] && $place[1] + .1 < $place[5] && $place[4] < .9,
    'and the place in the picture' or diag "@place";
  my $record = answer_is($client{olga}->get("$own/audit?limit=1"), 200)->{data}[0];
  is_deeply [$record->{action} =~ m{(sessions/:id/fields)}, @$record{qw(subject reason)}],
    ['sessions/:id/fields', $id, 'review'], 'recorded';
  unlike $client{olga}->get($review)->body, qr/1980/, 'nothing else tells them';
  my $stored = $service->sql_value('SELECT fields FROM decision_record WHERE session_id = ?', $id);
  unlike $stored, qr/1980/, 'sealed';
  answer_is($client{anna}->post("$review/release", {}), 200, 'given back');
  is $service->verifyctl(qw(session fields), $id, qw(--by root --reason law))->{fields}
    {date_of_birth}, '1980-02-03', 'verifyctl reads them, too';
};

subtest 'assignments' => sub {
  error_is($client{olga}->post("$review/assign", {assignee => 'anna'}), 403,
    'operator_role_required');
  error_is($client{anna}->post("$review/assign", {assignee => $_}), 400, 'parameter_invalid',
    'assignee') for '', ' ', "\t\n ", "bert\n", "\x{202e}treb", "\x{200b}";
  answer_is($client{anna}->post("$review/claim", {}), 200, 'anna works on it');
  error_is($client{bert}->post("$review/assign", {assignee => 'olga'}), 409, 'review_claimed');
  answer_is($client{anna}->post("$review/assign", {assignee => 'bert'}), 200, 'to bert');
  my $known = answer_is($client{olga}->get($review), 200);
  is_deeply [@$known{qw(assignee claim)}], ['bert', undef], 'who has it, and no claim is in the way';
  is answer_is($client{bert}->get("$own/reviews?assignee=bert"), 200)->{data}[0]{session_id}, $id,
    'in his queue';
  is_deeply answer_is($client{anna}->get("$own/reviews?assignee=anna"), 200)->{data}, [],
    'and in no other';
  is answer_is($client{olga}->get("$own/audit?limit=1"), 200)->{data}[0]{details}{assignee}, 'bert',
    'recorded';
  answer_is($client{anna}->post("$review/claim", {}), 200, 'it reserves nothing');
  answer_is($client{anna}->post("$review/assign", {assignee => undef}), 200, 'to nobody');
  is answer_is($client{olga}->get($review), 200)->{assignee}, undef, 'as it says';
  my $others = $service->sql_value(q{SELECT count(*) FROM review_entry WHERE session_id = ?
    AND action = 'assigned'}, $id);
  $client{anna}->post("$review/assign", {assignee => 'bert'}) for $others + 1 .. 49;
  answer_is($client{anna}->post("$review/assign", {assignee => 'bert'}), 200, 'the fiftieth time');
  error_is($client{anna}->post("$review/assign", {assignee => 'bert'}), 400, 'parameter_invalid',
    'assignee', 'and no more');
  answer_is($client{anna}->post("$review/assign", {assignee => undef}), 200, 'but to nobody')
    for 1 .. 2;
  is $service->sql_value(q{SELECT count(*) FROM review_entry WHERE session_id = ?
    AND action = 'assigned'}, $id), 51, 'which is recorded once';
  $service->sql(q{DELETE FROM review_entry WHERE session_id = ? AND action = 'assigned'}, $id);
};

subtest 'other sessions of the device' => sub {
  my $other = answer_is($who->{client}->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $who->{workflow_id} // $service->publish($who->{id}, workflow('Other'))->{id},
    jurisdiction => 'US-CA'}), 201)->{id};
  my @seen = ([$id, 'rsk_one'], [$other, 'rsk_two'], [undef, 'rsk_none']);
  for (@seen) {
    $service->sql(q{INSERT INTO risk_assessment (organization_id, id, session_id, body, created_at)
      VALUES (?, ?, ?, '{}', 1)}, $who->{id}, @$_[1, 0]);
    $service->sql(q{INSERT INTO risk_observation (organization_id, assessment_id, created_at,
      device_digest) VALUES (?, ?, 1, 'device')}, $who->{id}, $_->[1]);
  }
  my $related = answer_is($client{olga}->get($review), 200)->{related_sessions};
  is_deeply [map { [$_->{session_id}, @{$_->{shared}}] } grep { $_->{session_id} eq $other }
    @$related], [[$other, 'device']], 'are named, without the device';
  $service->sql(q{DELETE FROM risk_assessment WHERE id LIKE 'rsk_%' AND body = '{}'});
  $service->sql(q{DELETE FROM risk_observation WHERE device_digest = 'device'});
};

subtest 'the queue' => sub {
  my $second = $service->publish($who->{id}, workflow('Second'))->{id};
  my $verified = answer_is($who->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $second, jurisdiction => 'US-CA', skip_verification => \1}),
    201)->{id};
  answer_is($client{anna}->post("$own/session_reviews/sessions/$verified/flag",
    {reason => 'A doubt.'}), 200, 'flagged by anna');
  $service->sql('UPDATE verification_session SET review_deadline_at = ? WHERE id = ?',
    1000 * (time + 3600), $verified);
  my $numbers = answer_is($client{olga}->get("$own/review_queue"), 200);
  is_deeply [@$numbers{qw(total is_whole)}], [2, JSON::PP::true], 'two are open';
  is_deeply [map { $_->{count} } @{$numbers->{deadlines}}], [1, 1, 2], 'one of them within hours';
  is_deeply [map { "$_->{name} $_->{count}" } @{$numbers->{workflows}}], ['Second 1', 'Held 1'],
    'by workflow, the next deadline first';
  is_deeply [map { "$_->{reason} $_->{count}" } @{$numbers->{reasons}}], ['flagged 1', 'workflow 1'],
    'by reason';
  my $found = sub { [map { $_->{session_id} }
    @{answer_is($client{olga}->get("$own/reviews?$_[0]"), 200)->{data}}] };
  is_deeply $found->("workflow_id=$second"), [$verified], 'of a workflow';
  is_deeply $found->('reason=workflow'), [$id], 'of a reason';
  is_deeply $found->('reason=flagged'), [$verified], '... or of another';
  is_deeply $found->('due_within_hours=4'), [$verified], 'that are due soon';
  is_deeply $found->('due_within_hours=168'), [$verified, $id], '... or later';
  error_is($client{olga}->get("$own/reviews?state=decided&reason=flagged"), 400,
    'parameter_invalid', 'reason');
  error_is($client{$_}->post("$own/reviews/$verified/assign", {assignee => 'Anna'}), 403,
    'reviewer_not_independent', undef, "not to whoever opened it, says $_") for qw(anna bert);
  error_is($client{anna}->post("/dashboard/v1/organizations/$other->{id}/reviews/$id/notes",
    {text => 'x'}), 403, 'operator_role_required');
};

subtest 'an assignment ends with its review, and a decided one has none' => sub {
  answer_is($client{anna}->post("$review/assign", {assignee => 'bert'}), 200, 'to bert');
  answer_is($client{anna}->post("$review/decide", {%approval, overruled_checks => ['expiry']}), 200,
    'decided by another');
  error_is($client{anna}->post("$review/assign", {assignee => 'bert'}), 409,
    'session_state_conflict');
  is $service->sql_value('SELECT count(*) FROM decision_record WHERE session_id = ?
    AND fields IS NOT NULL', $id), 0, 'what was read is purged';
  error_is($client{anna}->post("$review/notes", {text => 'late'}), 409, 'session_state_conflict');
  answer_is($client{anna}->post("$own/session_reviews/sessions/$id/flag", {}), 200,
    'and opened again');
  is answer_is($client{olga}->get($review), 200)->{assignee}, undef, 'it is nobody\'s';
};

subtest 'verifyctl does the same' => sub {
  is $service->verifyctl(qw(review assign), $id, qw(--by root --to bert))->{assignee}, 'bert',
    'assigned';
  is $service->verifyctl(qw(review note), $id, qw(--by root --text), 'A hint.')->{object},
    'review_note', 'noted' if (entries($id)) < 50;
  is $service->verifyctl(qw(review queue --org), $who->{id})->{total}, 2, 'the queue in numbers';
};

finish($service);
