# Second reviews are blind: who had to do with a session does not decide it again, and
# nothing that a reviewer may read leads from a second review to its session.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use JSON::PP ();
use List::Util qw(uniq);
use Verify::Dashboard;
use Verify::Specimen;
use Verify::Test;

my $service = Verify::Instance->start(start => 0);
my $shop = $service->organization(sandbox => 1, workflow => {name => 'Held',
  start => 'screen', nodes => {
    screen => {type => 'checks', checks => ['ip_analysis', 'device_risk'],
      next => {low => 'id', medium => 'id', high => 'id'}},
    id => {type => 'methods', methods => ['document_capture'], max_attempts => 1,
      next => {passed => 'hold', exhausted => 'hold'}},
    hold => {type => 'review', next => {approved => 'granted', rejected => 'denied'}},
    granted => {type => 'outcome', status => 'verified'},
    denied => {type => 'outcome', status => 'failed'}}});
my @reviewers = qw(anna carl Carl dora emil gina hugo ivan);
my $dashboard = Verify::Dashboard->prepare($service,
  map { $_ => "reviewer $shop->{id}" } @reviewers);
$service->start_httpd;
my %client = map { $_ => $dashboard->client($_) } @reviewers;
my $own = "/dashboard/v1/organizations/$shop->{id}";
my $list = "$own/second_reviews";
my %approval = (decision => 'approve', reason_code => 'evidence_convincing');
my $photograph = Verify::Specimen::photograph();
sub held {
  my $session = answer_is($shop->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $shop->{workflow_id}, jurisdiction => 'US-CA'}),
    201, 'a session');
  is show_specimen($service, $session, photograph => $photograph)->{status},
    'under_review', 'is held';
  return $session->{id};
}
sub waiting { answer_is($client{$_[0]}->get($list), 200)->{data} }
$service->verifyctl(qw(review sample --org), $shop->{id}, qw(--percent 100));

# One had it and gave it back, one looked at the evidence, one escalated it.
my $session = held();
my $review = "$own/reviews/$session";
answer_is($client{carl}->post("$review/$_", {}), 200, "carl: $_") for qw(claim release);
is $client{dora}->post("$own/sessions/$session/evidence/front", {reason => 'complaint'})
  ->status, 200, 'dora looks at it';
answer_is($client{emil}->post("$review/decide", {decision => 'escalate',
  reason_code => 'second_opinion'}), 200, 'emil escalates it');
$service->sql(q{INSERT INTO evidence SELECT organization_id, session_id, 'still', media_type,
  sealed, created_at FROM evidence WHERE session_id = ?}, $session);
answer_is($client{anna}->post("$review/decide", {%approval}), 200, 'anna decides');
my ($item) = @{waiting('gina')};
my $path = "$list/$item->{id}";

subtest 'who had to do with the session' => sub {
  for my $who (qw(anna carl Carl dora emil)) {
    is_deeply waiting($who), [], "$who is not asked";
    error_is($client{$who}->get($path), 403, 'reviewer_not_independent');
    error_is($client{$who}->post("$path/evidence/front", {reason => 'review'}), 403,
      'reviewer_not_independent');
    error_is($client{$who}->post("$path/decide", {%approval}), 403,
      'reviewer_not_independent');
  }
  is scalar @{waiting('hugo')}, 1, 'another is asked';
  answer_is($client{hugo}->post("$own/session_reviews/sessions/$session/flag", {}), 200,
    'until hugo flags it');
  is_deeply waiting('hugo'), [], '... later on';
  error_is($client{hugo}->get($path), 403, 'reviewer_not_independent');
  answer_is($client{anna}->post("$review/decide", {%approval}), 200, 'approved again');
};

# Ids and times that a text has: what one answer can be found in another by. Those of
# organization and workflow are of all sessions.
sub traces {
  my ($text) = @_;
  return uniq grep { !/\A(?:org|wf|wfv)_/ }
    $text =~ /\b([a-z]{2,4}_[0-9a-z]{26}|1[5-9]\d{8}(?:\d{3})?)\b/g;
}
# The milliseconds in an id.
sub time_of {
  my ($id) = @_;
  my $time = 0;
  $time = 32 * $time + index('0123456789abcdefghjkmnpqrstvwxyz', $_)
    for split //, substr $id =~ s/.*_//r, 0, 10;
  return $time;
}

subtest 'what leads from a second review to its session' => sub {
  is $service->sql_value('SELECT count(*) FROM evidence WHERE session_id = ?', $session), 1,
    'the evidence is kept, but no face';
  my $subject = $client{gina}->get($path);
  answer_is $subject, 200, 'what gina sees';
  ok @{$subject->json->{decisions}} && @{$subject->json->{risk_assessments}}
    && @{$subject->json->{evidence}}, '... has checks, signals and evidence';
  my $page = $client{gina}->get($list);
  is scalar @{$page->json->{data}}, 2, 'both decisions wait';
  my @traces = uniq map { traces($_->body) } $subject, $page;
  ok +(grep { $_ eq $item->{id} } @traces), 'there are ids';
  is_deeply [grep { /\A\d/ && $_ % 86400 } @traces], [], 'all times are days';
  is_deeply [grep { /_/ && time_of($_) % 86_400_000 } @traces], [], '... in ids, too';

  # Whatever else a reviewer may read.
  my %others = map { $_ => undef } '', '/reviews', '/reviews/SESSION',
    '/verification_sessions?limit=100', '/audit?limit=100', '/audit/export',
    (map { "/verification_sessions/SESSION$_" } '', '?expand[]=results'),
    (map { "/sessions/SESSION/$_" } 'timeline?limit=100', 'path'), '/events?limit=100',
    '/webhook_deliveries', '/usage', '/ledger', '/review_agreement';
  for my $other (sort keys %others) {
    my $answer = $client{gina}->get("$own$other" =~ s/SESSION/$session/r);
    is $answer->status, 200, "gina reads $other";
    $others{$other} = $answer->body;
  }
  my $what = JSON::PP->new->decode($others{'/reviews/SESSION'});
  is_deeply [@$what{'claim', 'evidence'}], [undef, []],
    'the review does not show that evidence is kept';
  ok +(grep { $_->{action} eq 'approved' } @{$what->{entries}}), '... but the decision';
  for my $other (sort keys %others) {
    my %known = map { $_ => 1 } traces($others{$other});
    is_deeply [grep { $known{$_} } @traces], [], "nothing of it is in $other";
  }
  my @entries = map { $_->{id} } @{$what->{entries}};
  error_is($client{gina}->get("$list/$_"), 404, 'resource_missing', undef,
    'an entry of the review is no second review') for @entries;
};

subtest 'until when' => sub {
  my ($chosen, $deadline) = @$item{qw(chosen_at deadline_at)};
  is $chosen, 86400 * int($chosen / 86400), 'chosen on a day';
  is $deadline - $chosen, 3 * 86400, 'there are three days for it';
  is $service->sql_value('SELECT count(*) FROM second_review
    WHERE chosen_at % 86400000 <> 0 OR deadline_at % 86400000 <> 0'), 0, 'kept so, too';
};

subtest 'of a release before' => sub {
  # As it was written: the entry's id alone, and times to the millisecond.
  $service->sql('UPDATE second_review SET shown_id = NULL, chosen_at = chosen_at + 12345678,
    deadline_at = deadline_at + 12345678 WHERE id = (SELECT min(id) FROM second_review)');
  my ($old) = grep { $_->{id} =~ /\Arve_/ } @{waiting('gina')};
  is_deeply [map { $_ % 86400 } @$old{qw(chosen_at deadline_at)}], [0, 0],
    'is listed, with days';
  is_deeply [map { $_->{id} } @{answer_is($client{gina}->get("$list?limit=1&starting_after="
    . waiting('gina')->[0]{id}), 200)->{data}}], [$old->{id}], '... behind those of now';
  is answer_is($client{gina}->get("$list/$old->{id}"), 200)->{id}, $old->{id}, 'is shown';
  is answer_is($client{gina}->post("$list/$old->{id}/decide", {decision => 'reject',
    reason_code => 'document_forged'}), 200)->{agrees}, JSON::PP::false, 'and decided';
  is answer_is($client{hugo}->get("$list?state=disagreed"), 200)->{data}[0]{id}, $old->{id},
    'it differs';
  error_is($client{hugo}->post("$list/$old->{id}/settle", {decision => 'approve'}), 403,
    'reviewer_not_independent', undef, 'who has flagged it does not settle it');
  is answer_is($client{carl}->post("$list/$old->{id}/settle", {decision => 'approve'}), 200)
    ->{settled_by}, 'carl', 'who only had it does';
  error_is($client{gina}->get("$list?starting_after=$_"), 400, 'parameter_invalid',
    'starting_after') for $session, 'srv_x';
};

subtest 'page by page' => sub {
  # A day each, every other decided by the reader, under another name.
  my @digits = split //, '0123456789abcdefghjkmnpqrstvwxyz';
  my @ids;
  for my $day (1 .. 260) {
    my ($rest, $id) = (86_400_000 * (20_000 + $day), 'a' x 16);
    for (1 .. 10) {
      $id = $digits[$rest % 32] . $id;
      $rest = int $rest / 32;
    }
    $service->sql('INSERT INTO second_review (organization_id, id, shown_id, session_id,
      first_reviewer, first_decision, chosen_at, deadline_at)
      VALUES (?, ?, ?, ?, ?, ?, 1, 9000000000000)', $shop->{id}, "rve_$id", "srv_$id",
      "vks_$id", 'somebody', 'approve');
    $service->sql('INSERT INTO review_entry (organization_id, session_id, number, id, action,
      actor, created_at) VALUES (?, ?, 1, ?, ?, ?, 1)', $shop->{id}, "vks_$id", "rve_$id",
      'approved', $day % 2 && $day != 1 || $day > 20 && $day < 240 ? 'Hu go' : 'somebody');
    unshift @ids, "srv_$id" unless $day % 2 && $day != 1 || $day > 20 && $day < 240;
  }
  unshift @ids, map { $_->{id} } grep { time_of($_->{id}) > 86_400_000 * 20_300 }
    @{answer_is($client{hugo}->get("$list?limit=100"), 200)->{data}};
  my (@walked, @back);
  my $page = answer_is($client{hugo}->get("$list?limit=3"), 200);
  while (1) {
    push @walked, map { $_->{id} } @{$page->{data}};
    last unless $page->{has_more};
    $page = answer_is($client{hugo}->get("$list?limit=3&starting_after=$walked[-1]"), 200);
  }
  is_deeply \@walked, \@ids, 'newest first, without what the reader has decided';
  $page = answer_is($client{hugo}->get("$list?limit=3&ending_before=$walked[-1]"), 200);
  while (1) {
    unshift @back, map { $_->{id} } @{$page->{data}};
    last unless $page->{has_more};
    $page = answer_is($client{hugo}->get("$list?limit=3&ending_before=$back[0]"), 200);
  }
  is_deeply \@back, [@walked[0 .. $#walked - 1]], 'and back';
  is scalar @{answer_is($client{hugo}->get("$list?limit=100"), 200)->{data}}, scalar @ids,
    'or at once';
};

# Whoever has decided one of a session's has been told how its review ended.
subtest 'two of one session' => sub {
  my $twice = held();
  my $at = "$own/reviews/$twice/decide";
  answer_is($client{anna}->post($at, {%approval}), 200, 'approved');
  answer_is($client{hugo}->post("$own/session_reviews/sessions/$twice/flag", {}), 200,
    'flagged');
  answer_is($client{dora}->post($at, {%approval}), 200, 'approved again');
  my @before = map { $_->{id} } grep { time_of($_->{id}) > 86_400_000 * 20_300 }
    @{waiting('ivan')};
  my (@told, @done);
  while (my ($one) = grep { time_of($_->{id}) > 86_400_000 * 20_300 } @{waiting('ivan')}) {
    push @done, $one->{id};
    push @told, answer_is($client{ivan}->post("$list/$one->{id}/decide", {%approval}), 200)
      ->{session_id};
  }
  ok +(grep { $_ eq $twice } @told), 'one is decided';
  is_deeply [sort @told], [sort { $a cmp $b } uniq(@told)], 'and no session a second time';
  my %is_done = map { $_ => 1 } @done;
  my @others = grep { !$is_done{$_} } @before;
  ok scalar @others, 'there was another';
  error_is($client{ivan}->post("$list/$_/decide", {%approval}), 403,
    'reviewer_not_independent') for @others;
};

finish($service);
