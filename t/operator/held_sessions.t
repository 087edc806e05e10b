# Held sessions without a browser: what happened to one, its way, its pictures in
# files, and second reviews, under the rules of the dashboard.
use v5.32;
use warnings;
use File::Temp ();
use JSON::PP ();
use Verify::Command;
use Verify::Specimen;
use Verify::Test;

my $service = Verify::Instance->start;
my $command = Verify::Command->new($service);
my $who = $service->organization(sandbox => 1, workflow => {name => 'Held',
  required_age_tier => 'min_age_21', start => 'id', nodes => {
    id => {type => 'methods', methods => ['document_capture'], max_attempts => 1,
      next => {passed => 'hold', exhausted => 'hold'}},
    hold => {type => 'review', next => {approved => 'granted', rejected => 'denied'}},
    granted => {type => 'outcome', status => 'verified'},
    denied => {type => 'outcome', status => 'failed'}}});
my @org = ('--org', $who->{id});
my $directory = File::Temp->newdir;

my $photograph = Verify::Specimen::photograph();

sub held {
  my $session = answer_is($who->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $who->{workflow_id}, jurisdiction => 'US-CA',
      client_reference_id => 'order-of-jane'}), 201, 'a session');
  my $person = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}";
  $person->post("$path/open", {});
  $person->post("$path/consent", {consent => JSON::PP::true});
  answer_is($person->put("$path/images/front", $photograph,
    'Content-Type' => 'image/jpeg'), 200, 'photographed');
  answer_is($person->post("$path/submissions",
    {method => 'document_capture', images => ['front']}), 200, 'submitted');
  ok wait_for { $person->get($path)->json->{status} eq 'under_review' }, 'is held';
  return $session->{id};
}

# What script(1) shows is what a terminal would.
sub shown {
  my (@words) = @_;
  local %ENV = $service->environment;
  return scalar `script -qec "scripts/verifyctl @words" /dev/null </dev/null`;
}

# Entries of the record of looks, oldest first, as they are kept.
sub looks {
  my ($status, $text) = $command->run('audit', 'export', @org);
  return grep { $_->{action} =~ /evidence/ }
    map { JSON::PP->new->utf8->decode(JSON::PP->new->utf8->decode($_)->{entry}) }
    split /\n/, $text;
}

my $id = held();
my $count = 0;
sub new_file { return "$directory/picture" . $count++ }
sub look {
  my ($side, $file, %options) = @_;
  return ['session', 'evidence', $id, $side, '--output', $file,
    map { ("--$_", $options{$_}) } sort keys %options];
}

subtest 'what happened' => sub {
  my $entries = $command->prints(['session', 'timeline', $id]);
  is $entries->[0]{kind}, 'created', 'from the beginning';
  ok +(grep { $_->{kind} eq 'decision' && $_->{detail}{method} eq 'document_capture' }
    @$entries), '... what was decided';
  is_deeply [map { $_->{kind} } @{$command->prints(['session', 'timeline', $id,
    '--limit', 1, '--cursor', $entries->[0]{cursor}])}], [$entries->[1]{kind}],
    'page by page';
  unlike(JSON::PP->new->encode($entries), qr/order-of-jane/, 'nothing of the person');
  $command->refuses(['session', 'timeline', $id, '--cursor', 'x'], qr/cursor of an entry/);
  $command->refuses(['session', 'timeline', 'vks_none'], qr/No such verification session/);
  like shown('session', 'timeline', $id),
    qr/^  at +kind +what +id\s.*^  \d{4}-\S+Z +decision +document_capture passed/ms,
    'as a table';
};

subtest 'its way' => sub {
  my $path = $command->prints(['session', 'path', $id]);
  is_deeply [map { $_->{node} } @{$path->{nodes}}], ['id', 'hold'], 'the nodes';
  is $path->{verified_person_id}, undef, 'nobody yet';
  is $path->{workflow_id}, $who->{workflow_id}, 'of the workflow';
  like shown('session', 'path', $id), qr/^  id +methods +\d{4}-/m, 'as a table';
  $command->refuses(['session', 'path', 'vks_none'], qr/No such verification session/);
};

subtest 'what was found' => sub {
  my $plain = $command->prints(['session', 'show', $id]);
  ok !exists $plain->{results}, 'is not told unasked';
  my $shown = $command->prints(['session', 'show', $id, '--results']);
  my $client = $who->{client};
  is_deeply $shown->{results}, answer_is($client->get(
    "/v1/verification_sessions/$id?expand[]=results"), 200)->{results}, 'as a key has it';
  is_deeply $command->prints(['session', 'show', $id, qw(--document --personal)])
    ->{document}, answer_is($client->get(
    "/v1/verification_sessions/$id?expand[]=document"), 200)->{document},
    'and what the document says';
  $command->refuses(['session', 'show', $id, '--document'], qr/add --personal/);
};

subtest 'evidence' => sub {
  my $file = new_file();
  my %review = (by => 'anna', reason => 'review');
  $command->refuses(look('front', $file, %review), qr/Claim the review first/, 'nobody has claimed it');
  $command->prints(['review', 'claim', $id, '--by', 'bert']);
  $command->refuses(look('front', $file, %review), qr/Claim the review first/, 'another has');
  $command->refuses(look('front', $file, by => 'anna', reason => 'curiosity'),
    qr/Expected one of: review, complaint, law/);
  $command->refuses(look('front', $file, by => '', reason => 'law'), qr/1 to 255/);
  $command->refuses(look('back', $file, by => 'bert', reason => 'review'),
    qr/No such resource\. \(back\)/, 'what is not there');
  $command->refuses(look('front', "$directory/none/x", by => 'bert',
    reason => 'review'), qr/No such file/, 'where nothing can be');
  ok !-e $file, 'no refusal leaves a file';
  is_deeply [looks()], [], '... nor an entry';

  my $answer = $command->prints(look('front', $file, by => 'bert', reason => 'review'));
  is_deeply [@$answer{qw(side media_type size file)}],
    ['front', 'image/jpeg', length $photograph, $file], 'who has claimed it looks';
  ok Verify::Instance::read_text($file) eq $photograph, '... at what was shown';
  is sprintf('%o', (stat $file)[2] & 0777), '600', '... which others cannot';
  my ($entry) = looks();
  is_deeply [@$entry{qw(action subject reason)}, $entry->{details}{side}],
    ['session evidence', $id, 'review', 'front'], 'it is recorded';

  for my $taken ($file, '/dev/null', '/dev/tty', '/dev/stdout') {
    $command->refuses(look('front', $taken, by => 'bert', reason => 'review'),
      qr/File exists/, "$taken is there");
  }
  symlink "$directory/elsewhere", "$directory/link";
  $command->refuses(look('front', "$directory/link", by => 'bert', reason => 'review'),
    qr/File exists/, 'nor through a link');
  $command->refuses(look('front', '-', by => 'bert', reason => 'review'),
    qr/name of a new file/);
  is scalar(looks()), 1, 'of these nothing is recorded';

  my $unrecorded = new_file();
  $service->sql('DELETE FROM operator_action_head WHERE organization_id = ?', $who->{id});
  $command->refuses(look('front', $unrecorded, by => 'bert', reason => 'review'),
    qr/audit repair/, 'nothing is shown that cannot be recorded');
  ok !-e $unrecorded, '... and no file is left';
  $command->prints(['audit', 'repair', $who->{id}]);
  $command->prints(look('front', new_file(), by => 'anna', reason => 'complaint'),
    'a complaint needs no claim');
  $command->prints(['review', 'decide', $id, 'reject', '--by', 'bert', '--reason',
    'document_forged']);
  $command->refuses(look('front', new_file(), by => 'bert', reason => 'law'),
    qr/state/, 'then it is gone');
};

subtest 'second reviews' => sub {
  my $list = sub { $command->prints(['second-review', 'list', @org, '--by', @_]) };
  my $act = sub { my ($verb, $by, @words) = @_;
    return ['second-review', $verb, @words, @org, '--by', $by] };
  $command->prints(['review', 'sample', @org, '--percent', 100]);
  $id = held();
  $command->prints(['review', $_, $id, '--by', 'dora']) for qw(claim release);
  $command->prints(look('front', new_file(), by => 'emil', reason => 'complaint'));
  $command->prints(['review', 'decide', $id, 'approve', '--by', 'anna', '--reason',
    'evidence_convincing']);
  is_deeply $list->($_), [], "$_ had to do with it, and is not asked" for qw(anna dora Emil);
  my ($one) = @{$list->('bert')};
  is_deeply [sort keys %$one], [qw(chosen_at deadline_at id object)],
    'who is asked is not told what was decided';
  my $second = $one->{id};
  $command->refuses($act->('show', 'anna', $second), qr/cannot decide it/);
  my $subject = $command->prints($act->('show', 'bert', $second));
  is_deeply $subject->{evidence}, ['front'], 'what there is to see';
  unlike(JSON::PP->new->encode($subject), qr/\Q$id\E|anna|evidence_convincing/,
    'neither the decision nor the session');
  unlike shown('second-review', 'show', $second, @org, '--by', 'bert'), qr/\Q$id\E|anna/,
    '... on a terminal';

  my $file = new_file();
  my @output = ('--output', $file);
  $command->refuses($act->('evidence', 'anna', $second, 'front', @output),
    qr/cannot decide it/);
  my $before = looks();
  $command->prints($act->('evidence', 'bert', $second, 'front', @output));
  ok Verify::Instance::read_text($file) eq $photograph, 'the picture';
  my $entry = (looks())[-1];
  is_deeply [@$entry{qw(action subject reason)}],
    ['second-review evidence', $second, 'review'], '... recorded';
  is scalar(looks()), $before + 1, '... once';
  $command->refuses($act->('evidence', 'bert', $second, 'front', @output),
    qr/File exists/);

  $command->refuses($act->('decide', 'bert', $second, 'escalate', '--reason',
    'second_opinion'), qr/Expected approve or reject/);
  $command->refuses($act->('decide', 'bert', $second, 'reject', '--reason',
    'person_known'), qr/reason must be a reason/);
  $command->refuses($act->('decide', 'anna', $second, 'reject', '--reason',
    'document_forged'), qr/cannot decide it/);
  $command->refuses($act->('settle', 'carl', $second, 'reject'), qr/state/,
    'nothing to settle yet');
  my $done = $command->prints($act->('decide', 'bert', $second, 'reject', '--reason',
    'document_forged'));
  is_deeply [@$done{qw(session_id first_reviewer first_decision second_decision agrees)}],
    [$id, 'anna', 'approve', 'reject', JSON::PP::false], 'two differ, and that is told';
  is_deeply [map { $_->{session_id} } @{$list->('carl', '--state', 'disagreed')}], [$id],
    'and listed';
  like shown('second-review', 'list', @org, qw(--by carl --state disagreed)),
    qr/^  \Q$second\E .* \Q$id\E +approve +reject/m, '... as a table';
  $command->refuses($act->('settle', 'bert', $second, 'reject'),
    qr/cannot decide it/);
  is $command->prints($act->('settle', 'carl', $second, 'reject'))->{settled_decision},
    'reject', 'a third person settles it';
  is_deeply [grep { !exists $_->{action} } looks()], [], 'the record is whole';
  is $command->prints(['review', 'agreement', @org])->{n}, 1, 'and counted';
  $command->refuses(['second-review', 'list', '--org', 'org_nobody', '--by', 'x'],
    qr/No such organization/);
  $command->refuses($act->('show', 'bert', 'rve_none'), qr/No such resource/);
  ok $command->prints(['audit', 'verify', @org])->{valid}, 'the chain holds';
};

finish $service;
