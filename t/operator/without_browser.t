# What the dashboard can do for persons, assessments, workflows and the record of
# actions, from the shell: the same answers, the same rules, the same record.
use v5.32;
use warnings;
use File::Temp ();
use JSON::PP ();
use Verify::Command;
use Verify::Test;

my $service = Verify::Instance->start;
my $command = Verify::Command->new($service);
my $who = $service->organization(sandbox => 1, workflow => 1);
my $other = $service->organization(sandbox => 1, workflow => 1);
my ($client, @org) = ($who->{client}, '--org', $who->{id});
my @elsewhere = ('--org', $other->{id});
my $directory = File::Temp->newdir;
my $json = JSON::PP->new->utf8->canonical;

sub session {
  return answer_is($client->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $who->{workflow_id}, jurisdiction => 'US-CA', @_}), 201, 'a session');
}
# What script(1) shows is what a terminal would.
sub shown {
  my (@words) = @_;
  local %ENV = $service->environment;
  return scalar `script -qec "scripts/verifyctl @words" /dev/null </dev/null`;
}
sub recorded {
  my ($action) = @_;
  return grep { $_->{action} eq $action } @{$command->prints(['audit', 'list', @org])};
}

subtest 'who is verified' => sub {
  my $proof = session(email => 'jane@example.com', phone => '+14155550123',
    skip_verification => JSON::PP::true);
  my $find = sub {
    local $command->{input} = shift;
    return $command->prints(['person', 'find', @_, @org]);
  };
  my $known = answer_is($client->post('/v1/verified_person/lookup',
    {email => 'jane@example.com'}), 200, 'as a key finds her');
  ok $known->{verified}, '... verified';
  is_deeply $find->("Jane\@Example.com\n", 'email'), $known, 'by an address';
  is_deeply $find->("+1 415 555 0123\n", 'phone'), $known, 'by a number';
  is_deeply $find->("+14155550123\njane\@example.com", qw(phone email)), $known, 'by both';
  ok !$find->("mary\@example.com\n", 'email')->{verified}, 'nobody else';
  my ($credential) = @{$known->{credentials}};
  my $method = lc $credential->{method};
  ok $find->("jane\@example.com\n", qw(email --methods), $method)->{verified},
    'by this method';
  ok !$find->("jane\@example.com\n", qw(email --methods self_attestation))->{verified},
    '... by no other';
  for (['', qr/names of methods/], [',', qr/names of methods/], ["\xff", qr/UTF-8/]) {
    my ($none, $expected) = @$_;
    local $command->{input} = "jane\@example.com\n";
    $command->refuses(['person', 'find', 'email', '--methods', $none, @org], $expected,
      'no method is not any method');
  }
  my @entries = recorded('person find');
  is scalar @entries, 6, 'each look is recorded';
  unlike $json->encode(\@entries), qr/jane|mary|5550123/i, '... not for whom';

  my $refused = sub {
    my ($input, $expected, @words) = @_;
    local $command->{input} = $input;
    $command->refuses(['person', 'find', @words], $expected);
  };
  $refused->('', qr/is empty.*email/, 'email', @org);
  $refused->("nonsense\n", qr/email must be an email address/, 'email', @org);
  $refused->("5550123\n", qr/phone must be/, 'phone', @org);
  $refused->(('x' x 5000) . "\n", qr/too long/, 'email', @org);
  $refused->("\xff\@example.com\n", qr/UTF-8/, 'email', @org);
  $refused->("jane\@example.com\n", qr/email, phone, or both/, 'name', @org);
  $refused->("a\@b.cd\na\@b.cd\n", qr/email, phone, or both/, 'email', 'email', @org);
  $refused->("jane\@example.com\n", qr/methods\[0\] must be/, 'email', '--methods', 'magic', @org);
  $refused->("jane\@example.com\n", qr/max_age must be/, qw(email --max-age-days 0), @org);
  $refused->("jane\@example.com\n", qr/No such organization/, qw(email --org org_nobody));
  is scalar(recorded('person find')), 6, 'of these nothing is recorded';
  local $command->{input} = "jane\@example.com\n";
  ok !$command->prints(['person', 'find', 'email', @elsewhere])->{verified},
    'of another organization nothing is told';
  is $command->prints(['person', 'show', $known->{verified_person_id}])->{credentials}[0]
    {session_id}, $proof->{id}, 'who it is';
};

subtest 'the record of actions' => sub {
  my $page = $command->prints(['audit', 'list', @org, '--limit', 2]);
  is scalar @$page, 2, 'a page';
  my ($next) = @{$command->prints(['audit', 'list', @org, '--limit', 1,
    '--starting-after', $page->[0]{id}])};
  is_deeply $next, $page->[1], 'and what is behind it';
  my ($one) = recorded('person find');
  is_deeply [map { $_->{action} } @{$command->prints(['audit', 'list', @org, '--action',
    'person find', '--limit', 1])}], ['person find'], 'by what was done';
  is_deeply [grep { $_->{actor} ne $one->{actor} } @{$command->prints(['audit', 'list',
    @org, '--actor', $one->{actor}])}], [], 'by whom';
  is_deeply $command->prints(['audit', 'list', @org, '--until', 1]), [], 'by time';
  is_deeply $command->prints(['audit', 'list', @org, '--subject', 'key_none']), [],
    'by what it was done to';
  ok @{$command->prints(['audit', 'list', '--org', '*'])} >= 0, 'of the server';
  my ($status, $lines) = $command->run(qw(audit export --action), 'person find', @org);
  is $status, 0, 'some are exported';
  is_deeply [map { $json->decode($json->decode($_)->{entry})->{action} } split /\n/,
    $lines], [('person find') x 6], '... these';
  ($status, $lines) = $command->run(qw(audit export --until 1), @org);
  is "$status$lines", '0', '... or none';
  like shown('audit', 'list', @org), qr/^  created +actor +action .*^  \d{4}-\S+Z +\S+ +/ms,
    'as a table';
  $command->refuses(['audit', 'list', @org, '--actor', 'a', '--action', 'b'],
    qr/action excludes `actor`/);
  $command->refuses(['audit', 'list', @org, '--subject', 'a', '--action', 'b'],
    qr/--subject a excludes/);
  $command->refuses(['audit', 'export', '--action', 'b'], qr/Filters need --org\. \(org\)/);
  $command->refuses(['audit', 'list', @org, '--since', 'x'], qr/whole number.*\(since\)/);
  $command->refuses(['audit', $_, '--org', 'org_nobody', '--actor', 'a'],
    qr/No such organization/) for qw(list export);
};

subtest 'an assessment' => sub {
  my $score = answer_is($client->post('/v1/risk/score', {ip => '127.0.0.1',
    email => 'jane@example.com'}), 200, 'by a key');
  is_deeply $command->prints(['risk', 'show', $score->{id}, @org]), $score, 'is shown';
  like shown('risk', 'show', $score->{id}, @org), qr/^id +\Q$score->{id}\E/m, 'by lines';
  $command->refuses(['risk', 'show', $score->{id}, @elsewhere], qr/No such resource/);
  $command->refuses(['risk', 'show', 'rsk_none', @org], qr/No such resource/);
};

subtest 'organizations by name' => sub {
  my $made = $command->prints(['org', 'create', '--name', 'Seldom Named']);
  is_deeply [map { $_->{id} } @{$command->prints(['org', 'list', '--search', $_])}],
    [$made->{id}], "found by $_" for 'seldom', $made->{id};
  is_deeply $command->prints(['org', 'list', '--search', 'nobody']), [], 'or not';
  $command->refuses(['org', 'list', '--search', ''], qr/1 to 500 characters/);
};

subtest 'versions of a workflow' => sub {
  my $id = $who->{workflow_id};
  my $first = $command->prints(['workflow', 'show', $id]);
  is_deeply $command->prints(['workflow', 'export', $id]), $first->{definition},
    'its definition';
  my $file = "$directory/workflow.json";
  $command->write_file($file, $json->encode({%{$first->{definition}}, name => 'Another'}));
  my $second = $command->prints(['workflow', 'publish', @org, '--id', $id, $file]);
  my @first = ('--version', $first->{version_id});
  is $command->prints(['workflow', 'export', $id])->{name}, 'Another', 'the live one';
  is_deeply $command->prints(['workflow', 'export', $id, @first]), $first->{definition},
    'or one of before';
  is_deeply $command->prints(['workflow', 'show', $id, @first])->{definition},
    $first->{definition}, '... shown';
  is_deeply $command->prints(['workflow', 'diff', $id, $file])->{changes}, [],
    'nothing differs';
  my $diff = $command->prints(['workflow', 'diff', $id, $file, @first]);
  is_deeply [$diff->{version_id}, map { $_->{pointer} } @{$diff->{changes}}],
    [$first->{version_id}, '/name'], 'the name from before';
  like shown('workflow', 'export', $id), qr/\A\{\s+"/, 'JSON on a terminal, too';
  my $foreign = $command->prints(['workflow', 'show', $other->{workflow_id}])->{version_id};
  $command->refuses(['workflow', $_, $id, '--version', $foreign], qr/\(--version \Q$foreign\E\)/)
    for qw(show export);
  $command->refuses(['workflow', 'export', $id, '--version', 'wfv_none'], qr/\(--version wfv_none\)/);
  $command->refuses(['workflow', 'export', 'wf_none'], qr/No such resource/);
};

subtest 'a scenario' => sub {
  my $file = "$directory/scenario.json";
  $command->write_file($file, $json->encode({name => 'nobody came', type => 'age',
    jurisdiction => 'US-CA', scenario => [{input => 'open'}],
    expected => {status => 'pending'}}));
  my $made = $command->prints(['scenario', 'add', $who->{workflow_id}, $file, @org]);
  is_deeply $command->prints(['scenario', 'show', $who->{workflow_id}, $made->{id}, @org]),
    $made, 'as it was added';
  $command->refuses(['scenario', 'show', $other->{workflow_id}, $made->{id}, @elsewhere],
    qr/No such resource/);
};

subtest 'a decision' => sub {
  my $id = session(client_reference_id => 'order-of-jane',
    skip_verification => JSON::PP::true)->{id};
  $command->prints(['session', 'flag', $id, '--by', 'anna']);
  my $decided = $command->prints(['review', 'decide', $id, 'approve', '--by', 'bert']);
  is_deeply [sort keys %$decided], [qw(completed_at decision id last_error object
    organization_id review_deadline_at status)], 'what came of it, and nothing personal';
  is_deeply [@$decided{qw(id decision status last_error)}],
    [$id, 'approve', 'verified', undef], '... is told';
  $command->prints(['session', 'flag', $id, '--by', 'anna']);
  is $command->prints(['review', 'decide', $id, 'reject', '--by', 'bert'])->{last_error},
    'verification_declined', 'and why one failed';
};

subtest 'the law of a place' => sub {
  my @check = qw(compliance check);
  my $answer = $command->prints([@check, 'alcohol_delivery,tobacco_nicotine', qw(--jurisdiction
    US-CA --as-of 2026-01-01)]);
  is_deeply $answer, answer_is($client->get('/v1/compliance/check?use_cases='
    . 'alcohol_delivery,tobacco_nicotine&jurisdiction=US-CA&as_of=2026-01-01'), 200),
    'as the service says it';
  is $command->prints([@check, qw(firearms --jurisdiction DE)])->{as_of},
    answer_is($client->get('/v1/compliance/check?use_cases=firearms&jurisdiction=DE'),
      200)->{as_of}, 'of today';
  like shown(@check, qw(alcohol_delivery --jurisdiction US-CA)),
    qr/^jurisdiction +US-CA\s.*^most_restrictive\s+required_age_tier/ms, 'by lines';
  $command->refuses([@check, qw(magic --jurisdiction DE)], qr/use_cases must be product types/);
  $command->refuses([@check, qw(firearms --jurisdiction XX)], qr/jurisdiction must be/);
  $command->refuses([@check, qw(firearms --jurisdiction DE --as-of 1999-01-01)],
    qr/as_of must be .*YYYY-MM-DD/);
  $command->refuses([@check, qw(firearms --jurisdiction DE --article magic)],
    qr/article must be an article/);
  $command->refuses([@check, qw(firearms --jurisdiction DE --rules /nowhere)], qr{/nowhere});
  my ($status, undef, $errors) = $command->run(@check, 'firearms');
  ok $status == 2 && $errors =~ /--jurisdiction is required/, 'a shell has no place';
};

subtest 'by the running service' => sub {
  local $ENV{VERIFY_URL} = $service->base_url;
  local $ENV{VERIFY_SECRET_KEY} = $who->{secret_key};
  my @place = ('--workflow', $who->{workflow_id}, qw(--type age --jurisdiction US-CA));
  my $session = $command->prints([qw(session create), @place]);
  like $session->{client_secret}, qr/\A\Q$session->{id}\E_secret_/, 'a session';
  is $command->prints([qw(session show), $session->{id}])->{organization_id}, $who->{id},
    '... of the organization of the key';
  is $command->prints([qw(session outcome), $session->{id}, qw(under_age --final)])
    ->{status}, 'failed', 'comes to the value';
  $command->refuses([qw(session outcome), $session->{id}, 'passed'], qr/409 session_terminal/,
    '... once');
  {
    local $command->{input} = $json->encode({client_reference_id => 'order-of-jane'});
    my $read = $command->prints([qw(session create -), @place]);
    is $read->{client_reference_id}, 'order-of-jane', 'parameters of standard input';
    is $command->prints([qw(session outcome), $read->{id}, qw(passed --method
      document_capture)])->{status}, 'verified', 'by a method';
  }
  my $file = "$directory/parameters.json";
  $command->write_file($file, $json->encode({email => 'jane@example.com', ip => '127.0.0.1'}));
  my $score = $command->prints([qw(risk score), $file]);
  is_deeply $command->prints([qw(risk show), $score->{id}, @org]), $score, 'an assessment';
  $command->refuses([qw(session create), $file, @place], qr/400 parameter_invalid/);
  for my $bad ('[]', 'x', '') {
    local $command->{input} = $bad;
    $command->refuses([@$_, '-'], qr/object|JSON/) for [qw(session create)], [qw(risk score)];
  }
  $command->write_file($file, '{"a": "' . 'x' x 70_000 . '"}');
  $command->refuses([qw(risk score), $file], qr/bytes|too long|larger/i);
  $command->refuses([qw(session outcome), '../../v1/events', 'passed'], qr/SESSION_ID/);
  $command->refuses([qw(session outcome vks_none passed)], qr/SESSION_ID/);
  local $ENV{VERIFY_SECRET_KEY} = '';
  $command->refuses([qw(session create), @place], qr/No secret key/);
};

subtest 'lists on a terminal' => sub {
  $command->prints(['app', 'create', '--name', 'App', @org]);
  local $command->{input} = "203.0.113.9\n";
  $command->prints([qw(risk block ip - --by anna --note seen), @org]);
  my %head_of = ("workflow list @org" => 'id +name +version_id',
    "app list @org" => 'id +name +created', "risk list @org" => 'id +kind +listing',
    "risk changes @org" => 'created +action +kind', "key list @org" => 'id +type',
    "usage @org" => 'month +verifications', 'org list' => 'id +name +sandbox',
    "scenario list $who->{workflow_id} @org" => 'id +name +type',
    "workflow versions $who->{workflow_id}" => 'number +id', "event list @org" => 'id +type');
  for my $list (sort keys %head_of) {
    like shown($list), qr/\A  $head_of{$list}.*\n +\S/, "$list: a table";
  }
  like shown("$_ @org"), qr/\A  \(none\)\s*\z/, "$_: nothing yet"
    for 'person erasures', 'draft list', 'simulation list', 'trust-reuse grants';
  like shown("usage @org"), qr/^  \d{4}-\d\d {10,14}\d+  /m, 'numbers stand to the right';
  unlike shown('session list', @org), qr/client_reference_id/,
    'what was not asked for has no column';
  like shown('compliance upcoming --until 2099-12-31'), qr/^after \d{4}-\d\d-\d\d, until 2099-/,
    'what the law changes';
};

finish $service;
