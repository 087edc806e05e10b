# Reviews in the dashboard: the queue, what is known of a session, claims,
# decisions, pictures of what was shown, and what happened in which order.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use JSON::PP ();
use Verify::Dashboard;
use Verify::Specimen;
use Verify::Test;

my $service = Verify::Instance->start(start => 0);
sub workflow { {name => 'Held', required_age_tier => 'min_age_21',
  start => 'id', nodes => {
    id => {type => 'methods', methods => ['document_capture'], max_attempts => 1,
      next => {passed => 'hold', exhausted => 'hold'}},
    hold => {type => 'review', next => {approved => 'granted', rejected => 'denied'}},
    granted => {type => 'outcome', status => 'verified'},
    denied => {type => 'outcome', status => 'failed'}}} }
my $who = $service->organization(sandbox => 1, workflow => workflow());
my $other = $service->organization(sandbox => 1);
my %role = (anna => 'reviewer', Anna => 'reviewer', bert => 'reviewer', carl => 'reviewer', olga => 'auditor',
  dora => 'developer');
my $live = $service->organization(workflow => workflow());
$service->{conf} = "VerifyTestIssuers off\n";
my $dashboard = Verify::Dashboard->prepare($service, lisa => "reviewer $live->{id}",
  root => 'admin *',
  map { $_ => "$role{$_} $who->{id}" } keys %role);
$service->start_httpd;
my %client = map { $_ => $dashboard->client($_) } keys %role, qw(lisa root);
my $own = "/dashboard/v1/organizations/$who->{id}";

# A session whose document waits for a reviewer, and the picture of it.
my $photograph = Verify::Specimen::photograph();
sub held {
  my $whose = shift // $who;
  my $session = answer_is($whose->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $whose->{workflow_id}, jurisdiction => 'US-CA'}),
    201, 'a session');
  is show_specimen($service, $session, photograph => $photograph)->{status},
    'under_review', 'is held';
  return $session->{id};
}
my $id = held();
my ($review, $evidence) = ("$own/reviews/$id", "$own/sessions/$id/evidence/front");
my %rejection = (decision => 'reject', reason_code => 'document_forged');

subtest 'the queue and what is known' => sub {
  my $page = answer_is($client{olga}->get("$own/reviews"), 200, 'an auditor reads it');
  is_deeply [map { $_->{session_id} } @{$page->{data}}], [$id], 'one waits';
  is $page->{data}[0]{claim}, undef, 'nobody has it';
  my $known = answer_is($client{olga}->get($review), 200, 'what is known');
  is $known->{session}{status}, 'under_review', 'the session';
  is_deeply $known->{evidence}, ['front'], 'its evidence, by name';
  is $known->{decisions}[0]{method}, 'document_capture', 'its checks';
  ok @{$known->{decisions}[0]{checks}}, '... with their codes';
  is_deeply [@$known{qw(required_age is_old_enough)}], [21, JSON::PP::true],
    'which age is demanded, and that the one that was read is enough';
  is_deeply [grep { /birth|\Aage\z/ } keys %$known, keys %{$known->{session}}], [],
    '... which itself is not told';
  error_is($client{olga}->get("$own/reviews?cursor=x"), 400, 'parameter_invalid',
    'cursor');
  error_is($client{olga}->get("$own/reviews/vks_none"), 404, 'session_not_found');
};

subtest 'who may not' => sub {
  for my $user (qw(olga dora)) {
    error_is($client{$user}->post("$review/claim", {}), 403, 'operator_role_required');
    error_is($client{$user}->post("$review/decide", {%rejection}), 403,
      'operator_role_required');
    error_is($client{$user}->post($evidence, {reason => 'review'}), 403,
      'operator_role_required');
  }
  error_is($client{anna}->get("/dashboard/v1/organizations/$other->{id}/reviews"),
    403, 'operator_role_required');
};

subtest 'evidence' => sub {
  error_is($client{anna}->post($evidence, {}), 400, 'parameter_invalid', 'reason');
  error_is($client{anna}->post($evidence, {reason => 'review'}), 409,
    'review_claim_required', undef, 'nobody decides who has not claimed it');
  answer_is($client{bert}->post("$review/claim", {}), 200, 'another has it');
  error_is($client{anna}->post($evidence, {reason => 'review'}), 409,
    'review_claim_required', undef, 'nor while another has it');
  is $client{bert}->post($evidence, {reason => 'review'})->status, 200, 'who has it looks';
  answer_is($client{bert}->post("$review/release", {}), 200, 'given back');
  answer_is($client{anna}->post("$review/claim", {}), 200, 'claimed');
  error_is($client{anna}->post($evidence, {reason => 'curiosity'}), 400,
    'parameter_invalid', 'reason');
  is $client{anna}->get($evidence)->status, 405, 'is not to be got by GET';
  my $answer = $client{anna}->post($evidence, {reason => 'review'});
  is $answer->status, 200, 'a reviewer looks';
  is $answer->header('Content-Type'), 'image/jpeg', 'at a picture';
  like $answer->header('Cache-Control'), qr/no-store/, '... that nobody keeps';
  ok $answer->body eq $photograph, '... the one that was shown';
  my $actions = answer_is($client{olga}->get("$own/audit"), 200)->{data};
  is_deeply [map { "$_->{actor} $_->{subject} $_->{reason}" }
    grep { $_->{action} =~ /evidence/ } @$actions], ["anna $id review", "bert $id review"],
    'each look is recorded, refusals are none';
  is((grep { $_->{action} =~ /evidence/ } @$actions)[0]{details}{side}, 'front',
    '... with what was looked at');
  error_is($client{anna}->post("$own/sessions/$id/evidence/back",
    {reason => 'review'}), 404, 'resource_missing', undef, 'what is not there');
  answer_is($client{anna}->post("$review/release", {}), 200, 'given back');
  is $client{anna}->post($evidence, {reason => 'complaint'})->status, 200,
    'a complaint needs no claim';
};

subtest 'claims and decisions' => sub {
  ok answer_is($client{anna}->post("$review/claim", {}), 200)->{claim}{is_own},
    'one has it';
  error_is($client{bert}->post("$review/claim", {}), 409, 'review_claimed');
  error_is($client{bert}->post("$review/decide", {%rejection}), 409, 'review_claimed');
  my ($item) = @{answer_is($client{bert}->get("$own/reviews"), 200)->{data}};
  is_deeply [@{$item->{claim}}{qw(reviewer is_own)}], ['anna', JSON::PP::false],
    'others see who';
  is_deeply answer_is($client{bert}->get("$own/reviews?unclaimed=true"), 200)->{data},
    [], 'and what is left';
  is answer_is($client{bert}->post("$review/release", {}), 200)->{claim}{reviewer},
    'anna', 'nobody gives back what another has';
  is answer_is($client{anna}->post("$review/release", {}), 200)->{claim}, undef,
    'given back';
  error_is($client{anna}->post("$review/decide", {decision => 'approve',
    reason_code => 'document_forged'}), 400, 'parameter_invalid', 'reason_code');
  error_is($client{anna}->post("$review/decide", {decision => 'reject',
    reason_code => 'other_rejection'}), 400, 'parameter_invalid', 'note');
  my @same = ('Idempotency-Key' => 'decide-1');
  is answer_is($client{bert}->post("$review/decide", {%rejection,
    note => 'the hologram'}, @same), 200)->{status}, 'failed', 'decided';
  is answer_is($client{olga}->get("$own/audit?limit=1"), 200)->{data}[0]{details}{reason_code},
    'document_forged', '... with its reason in the record, and the note by name alone';
  my $path = answer_is($client{olga}->get("$own/sessions/$id/path"), 200);
  is_deeply [$path->{is_whole}, map { [$_->{node}, @{$_->{exits}}] } @{$path->{nodes}}],
    [JSON::PP::true, ['id', qw(passed exhausted)], ['hold', 'rejected'], ['denied']],
    '... and its path goes through the rejection to its outcome';
  is answer_is($client{bert}->post("$review/decide", {%rejection,
    note => 'the hologram'}, @same), 200)->{status}, 'failed', 'and replayed';
  error_is($client{anna}->post("$review/decide", {%rejection}), 409,
    'session_state_conflict', undef, 'who comes second is told');
  error_is($client{anna}->post($evidence, {reason => 'review'}), 409,
    'session_state_conflict', undef, 'the evidence is gone');
  my $actions = answer_is($client{olga}->get("$own/audit"), 200)->{data};
  is scalar(grep { $_->{action} =~ /decide/ } @$actions), 1, 'recorded once';
  unlike(JSON::PP->new->encode($actions), qr/hologram/, '... without the note');
};

subtest 'no claim is for ever' => sub {
  my $long = held();
  my $claim = "$own/reviews/$long/claim";
  # MINUTES ago it was claimed, and it holds for LEFT seconds more.
  my $since = sub {
    my ($minutes, $left) = @_;
    $service->sql('UPDATE review_claim SET claimed_at = ?, expires_at = ? WHERE session_id = ?',
      1000 * (time - 60 * $minutes), 1000 * (time + $left), $long);
  };
  my $first = answer_is($client{anna}->post($claim, {}), 200)->{claim};
  $since->(25, 60);
  my $late = answer_is($client{anna}->post($claim, {}), 200, 'prolonged')->{claim};
  is $late->{expires_at} - $late->{claimed_at}, 1800, '... to half an hour in all';
  is answer_is($client{anna}->post($claim, {}), 200)->{claim}{expires_at},
    $late->{expires_at}, '... and not again';
  $since->(31, -60);
  $service->sql('UPDATE review_claim SET expires_at = claimed_at + 1800000
    WHERE session_id = ?', $long);
  answer_is($client{anna}->post($claim, {}), 200, 'after a while it can be had anew');
  my $release = "$own/reviews/$long/release";
  for my $end (sub { answer_is($client{anna}->post($release, {}), 200, 'given back') },
    sub { $since->(25, -1) }, sub { answer_is($client{anna}->post(
      "$own/reviews/$long/decide", {decision => 'escalate',
        reason_code => 'second_opinion'}), 200, 'escalated') }) {
    $since->(25, 60);
    $end->();
    my $again = answer_is($client{anna}->post($claim, {}), 200, 'had again')->{claim};
    is $again->{expires_at} - $again->{claimed_at}, 1800, '... for what was left';
  }
  $since->(30, -1);
  error_is($client{$_}->post($claim, {}), 409, 'review_claimed', undef,
    "$_ had it until a second before the longest") for qw(anna Anna);
  $since->(25, -61);
  my $new = answer_is($client{anna}->post($claim, {}), 200, 'nobody came')->{claim};
  is $new->{expires_at} - $new->{claimed_at}, 600, '... and so it begins anew';
  $service->sql('UPDATE review_claim SET claimed_at = ?::bigint - 1800000, expires_at = ?
    WHERE session_id = ?', (1000 * (time - 5)) x 2, $long);
  error_is($client{anna}->post($claim, {}), 409, 'review_claimed', undef,
    'at once others come first');
  ok answer_is($client{bert}->post($claim, {}), 200)->{claim}{is_own}, 'who get it';
};

subtest 'a specimen in a live organization' => sub {
  answer_is($live->{client}->post('/v1/webhook_endpoints',
    {url => 'https://receiver.example/hook',
      enabled_events => ['session_review.escalated']}), 201, 'an endpoint');
  my $specimen = held($live);
  my $path = "/dashboard/v1/organizations/$live->{id}/reviews/$specimen";
  my ($check) = grep { $_->{check} eq 'test_issuer' }
    @{answer_is($client{lisa}->get($path), 200)->{decisions}[0]{checks}};
  is $check->{reason}, 'test_issuer_refused', 'was refused by its method';
  error_is($client{lisa}->post("$path/decide", {decision => 'approve',
    reason_code => 'evidence_convincing'}), 409, 'test_issuer_refused', undef,
    'and is by a reviewer');
  ok !eval { $service->verifyctl(qw(review decide), $specimen, qw(approve --by carl)); 1 },
    'nor does verifyctl approve it';
  is answer_is($client{lisa}->post("$path/decide", {%rejection}), 200)->{status},
    'failed', 'it is rejected';
};

subtest 'who flagged a session' => sub {
  my $flagged = held();
  answer_is($client{anna}->post("$own/reviews/$flagged/decide", {decision => 'approve',
    reason_code => 'person_known'}), 200, 'approved');
  answer_is($client{anna}->post("$own/session_reviews/sessions/$flagged/flag", {}),
    200, 'flagged');
  error_is($client{anna}->post("$own/reviews/$flagged/decide", {%rejection}), 403,
    'reviewer_not_independent');
  error_is($client{Anna}->post("$own/reviews/$flagged/decide", {%rejection}), 403,
    'reviewer_not_independent', undef, 'whatever the case of the login');
  error_is($client{anna}->post("$own/reviews/$flagged/claim", {}), 403,
    'reviewer_not_independent', undef, 'nor keeps others from it');
  error_is($client{anna}->post("$own/verification_sessions/$flagged/cancel", {}), 403,
    'reviewer_not_independent', undef, 'nor ends it by cancelling');
  answer_is($client{bert}->post("$own/reviews/$flagged/decide", {%rejection}), 200,
    'another decides');
};

subtest 'four eyes on what was verified' => sub {
  is $service->verifyctl(qw(org four-eyes), $who->{id}, qw(--reject on))->{reject},
    JSON::PP::true, 'switched on';
  my $held = held();
  answer_is($client{anna}->post("$own/reviews/$held/decide", {decision => 'approve',
    reason_code => 'person_known'}), 200, 'approved, and so verified');
  answer_is($who->{client}->post("/v1/session_reviews/sessions/$held/flag", {}), 200,
    'flagged by a server');
  for my $name (qw(anna Anna bert)) {
    error_is($client{$name}->post("$own/reviews/$held/decide", {%rejection}), 403,
      'four_eyes_required', undef, "$name does not reject it alone");
    error_is($client{$name}->post("$own/verification_sessions/$held/cancel", {}), 403,
      'four_eyes_required', undef, '... nor ends it by cancelling');
  }
  ok !eval { $service->verifyctl(qw(review decide), $held, qw(reject --by carl)); 1 },
    'nor does verifyctl';
  answer_is($client{anna}->post("$own/reviews/$held/decide", {decision => 'escalate',
    reason_code => 'second_opinion'}), 200, 'escalated');
  error_is($client{$_}->post("$own/reviews/$held/decide", {%rejection}), 403,
    'four_eyes_required', undef, "$_ has escalated it") for qw(anna Anna);
  is answer_is($client{bert}->post("$own/reviews/$held/decide", {%rejection}), 200)
    ->{status}, 'failed', 'another rejects it';
  my $made = answer_is($client{root}->post("$own/keys", {type => 'secret'}), 201,
    'an admin makes a key');
  my $own_key = $service->client($made->{key});
  my $flagged = held();
  answer_is($client{bert}->post("$own/reviews/$flagged/decide", {decision => 'approve',
    reason_code => 'person_known'}), 200, 'approved');
  answer_is($own_key->post("/v1/session_reviews/sessions/$flagged/flag", {}), 200,
    'flagged with it');
  error_is($client{root}->post("$own/reviews/$flagged/decide", {decision => 'approve',
    reason_code => 'person_known'}), 403, 'reviewer_not_independent', undef,
    'what a key has flagged, its maker has');
  answer_is($client{anna}->post("$own/reviews/$flagged/decide", {decision => 'approve',
    reason_code => 'person_known'}), 200, 'others decide');
  my $first = held();
  is answer_is($client{anna}->post("$own/reviews/$first/decide", {%rejection}), 200)
    ->{status}, 'failed', 'what never was verified needs one';
  $service->verifyctl(qw(org four-eyes), $who->{id}, qw(--reject off));
};

subtest 'who cancels' => sub {
  my $held = held();
  my $cancel = "$own/verification_sessions/$held/cancel";
  answer_is($client{anna}->post("$own/reviews/$held/claim", {}), 200, 'one has it');
  error_is($client{bert}->post($cancel, {}), 409, 'review_claimed', undef,
    'another does not end it');
  is answer_is($client{anna}->post($cancel, {}), 200)->{status}, 'cancelled',
    'who has it does';
  is answer_is($client{bert}->post($cancel, {}), 200)->{status}, 'cancelled',
    'and again is no change';
  my $theirs = held();
  answer_is($client{anna}->post("$own/reviews/$theirs/claim", {}), 200, 'claimed');
  is answer_is($who->{client}->post("/v1/verification_sessions/$theirs/cancel", {}),
    200)->{status}, 'cancelled', 'a server cancels whatever is claimed';
};

subtest 'a second, blind review' => sub {
  my ($list, $agreement) = ("$own/second_reviews", "$own/review_agreement");
  is answer_is($client{olga}->get($agreement), 200, 'by default')->{percent}, 0, 'none is';
  error_is($client{olga}->get($list), 403, 'operator_role_required');
  my %approval = (decision => 'approve', reason_code => 'evidence_convincing');
  $service->verifyctl(qw(review sample --org), $who->{id}, qw(--percent 100));
  # Decided by anna, and so in the sample: (session, path of the second review).
  my $decided = sub {
    my $session = held();
    answer_is($client{anna}->post("$own/reviews/$session/decide", {@_}), 200, 'decided');
    my ($one) = @{answer_is($client{bert}->get($list), 200, 'bert is asked')->{data}};
    return ($session, "$list/$one->{id}", $one);
  };
  my $kept = sub { $service->sql_value('SELECT count(*) FROM evidence WHERE session_id = ?', $_[0]) };
  my ($session, $path, $item) = $decided->(%approval);
  is_deeply [sort keys %$item], [qw(chosen_at deadline_at id object)], 'not told what was decided';
  is $item->{deadline_at} - $item->{chosen_at}, 3 * 86400, 'there are three days for it';
  is_deeply answer_is($client{$_}->get($list), 200)->{data}, [], "$_ is not asked"
    for qw(anna Anna);
  error_is($client{$_}->get($path), 403, 'reviewer_not_independent') for qw(anna Anna);
  error_is($client{anna}->post("$path/decide", {%approval}), 403, 'reviewer_not_independent');
  my $subject = $client{bert}->get($path);
  answer_is $subject, 200, 'what is known';
  unlike $subject->body, qr/\Q$session\E|anna|verified|evidence_convincing/,
    'neither the decision nor the session';
  is_deeply $subject->json->{evidence}, ['front'], 'the evidence is kept';
  is $client{bert}->post("$path/evidence/front", {reason => 'review'})->body, $photograph,
    'and seen';
  error_is($client{bert}->post("$path/evidence/back", {reason => 'review'}), 404,
    'resource_missing');
  error_is($client{anna}->post("$path/evidence/front", {reason => 'review'}), 403,
    'reviewer_not_independent');
  error_is($client{bert}->post("$path/decide", {decision => 'approve',
    reason_code => 'document_forged'}), 400, 'parameter_invalid', 'reason_code');
  error_is($client{bert}->post("$path/settle", {decision => 'approve'}), 409,
    'session_state_conflict', undef, 'nothing to settle yet');
  my $done = answer_is($client{bert}->post("$path/decide", {%approval}), 200, 'decided again');
  is_deeply [@$done{qw(session_id first_reviewer first_decision second_reviewer)},
    $done->{agrees}], [$session, 'anna', 'approve', 'bert', JSON::PP::true], 'and told';
  is $kept->($session), 0, 'the evidence is gone';
  error_is($client{bert}->post("$path/decide", {%approval}), 409, 'session_state_conflict');
  error_is($client{bert}->post("$path/evidence/front", {reason => 'review'}), 409,
    'session_state_conflict');

  ($session, $path) = $decided->(%rejection);
  is answer_is($client{bert}->post("$path/decide", {%approval}), 200)->{agrees},
    JSON::PP::false, 'two differ';
  is answer_is($who->{client}->get("/v1/verification_sessions/$session"), 200)->{status},
    'failed', 'which changes nothing';
  is_deeply [map { $_->{session_id} } @{answer_is(
    $client{carl}->get("$list?state=disagreed"), 200)->{data}}], [$session], 'and is shown';
  error_is($client{$_}->post("$path/settle", {decision => 'reject'}), 403,
    'reviewer_not_independent', undef, "$_ is no third person") for qw(anna bert);
  is answer_is($client{carl}->post("$path/settle", {decision => 'reject'}), 200)
    ->{settled_decision}, 'reject', 'a third person settles it';
  error_is($client{carl}->post("$path/settle", {decision => 'approve'}), 409,
    'session_state_conflict');

  ($session, $path) = $decided->(%rejection);
  is $kept->($session), 1, 'kept';
  $service->sql('UPDATE second_review SET deadline_at = 1 WHERE session_id = ?', $session);
  error_is($client{bert}->get($path), 409, 'session_state_conflict', undef, 'too late');
  is_deeply answer_is($client{bert}->get($list), 200)->{data}, [], 'nobody is asked';

  my $figures = answer_is($client{olga}->get($agreement), 200, 'the figures');
  is_deeply [@$figures{qw(percent n agreed agreement kappa)}, $figures->{matrix}],
    [100, 2, 1, 0.5, 0, {approve => {approve => 1, reject => 0},
      reject => {approve => 1, reject => 0}}], 'count, agreement and kappa';
  is_deeply [map { [@$_{qw(reason_code n agreed)}] } @{$figures->{reasons}}],
    [['evidence_convincing', 1, 1], ['document_forged', 1, 0]], '... by reason';
  is_deeply $service->verifyctl(qw(review agreement --org), $who->{id}), $figures,
    'as verifyctl has them';
  is answer_is($client{root}->patch($own, {second_review_percent => 0}), 200)->{object},
    'organization', 'switched off';
  $session = held();
  answer_is($client{anna}->post("$own/reviews/$session/decide", {%approval}), 200);
  is $kept->($session), 0, 'then nothing is kept';
};

subtest 'how reviews ended' => sub {
  my $ended = sub { answer_is($client{olga}->get("$own/reviews?state=decided$_[0]"), 200) };
  my $all = $ended->('&limit=100')->{data};
  my ($mine) = grep { $_->{session_id} eq $id } @$all;
  is_deeply [@$mine{qw(object action by reason_code)}],
    ['review_entry', 'rejected', 'bert', 'document_forged'], 'who decided what, and why';
  is_deeply [map { $_->{id} } @$all], [sort { $b cmp $a } map { $_->{id} } @$all],
    'the newest first';
  is_deeply [grep { $_->{action} !~ /\A(?:approved|rejected|timed_out|cancelled)\z/ } @$all],
    [], 'nothing but ends';
  my @walked;
  for (my $at = '';; $at = "&cursor=$walked[-1]{cursor}") {
    my $page = $ended->("&limit=1$at");
    push @walked, @{$page->{data}};
    last unless $page->{has_more};
  }
  is_deeply \@walked, $all, 'page by page';
  is_deeply [map { $_->{id} } @{$service->verifyctl(qw(review ended --org), $who->{id})}], [map { $_->{id} } @$all], 'as verifyctl has them';
  error_is($client{olga}->get("$own/reviews?state=decided&cursor=$_"), 400,
    'parameter_invalid', 'cursor') for 'x', $id;
  error_is($client{olga}->get("$own/reviews?state=decided&unclaimed=true"), 400,
    'parameter_invalid', 'unclaimed');
  error_is($client{olga}->get("$own/reviews?state=all"), 400, 'parameter_invalid', 'state');
  is_deeply [grep { $_->{object} ne 'review' }
    @{answer_is($client{olga}->get("$own/reviews?state=open"), 200)->{data}}], [],
    'open ones are what they were';
};

subtest 'what happened' => sub {
  my $path = "$own/sessions/$id/timeline";
  my $page = answer_is($client{olga}->get("$path?limit=100"), 200, 'to a session');
  my @kinds = map { $_->{kind} } @{$page->{data}};
  is $kinds[0], 'created', 'first its creation';
  my @times = map { $_->{at} } @{$page->{data}};
  is_deeply \@times, [sort { $a <=> $b } @times], 'in order';
  my %seen = map { $_ => 1 } @kinds;
  is_deeply [grep { !$seen{$_} } qw(created consented completed event review decision)],
    [], 'of each kind';
  my ($entry) = grep { $_->{kind} eq 'review' && $_->{detail}{action} eq 'rejected' }
    @{$page->{data}};
  is_deeply [@{$entry->{detail}}{qw(by reason_code)}], ['bert', 'document_forged'],
    'who decided and why';
  my @walked;
  my $at = '';
  while (my $one = answer_is($client{olga}->get("$path?limit=2$at"), 200)) {
    push @walked, @{$one->{data}};
    last unless $one->{has_more};
    $at = "&cursor=$one->{data}[-1]{cursor}";
  }
  is_deeply \@walked, $page->{data}, 'page by page';
  error_is($client{olga}->get("$path?cursor=1.A"), 400, 'parameter_invalid', 'cursor');
  error_is($client{olga}->get("$own/sessions/vks_none/timeline"), 404,
    'session_not_found');
};

finish($service);
