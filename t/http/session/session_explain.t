# verifyctl session explain: the checks of each submission and what its decision
# rests on, as JSON and on a terminal, without personal data.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use JSON::PP ();
use Verify::Command;
use Verify::Specimen;
use Verify::Test;

# What a code means, in the words of the API's description.
my $schemas = do {
  open my $file, '<', "$FindBin::Bin/../../../mod_verify/api/openapi.json" or die $!;
  local $/;
  JSON::PP->new->utf8->decode(<$file>)->{components}{schemas};
};
sub meaning {
  my ($list, $code) = @_;
  return $schemas->{$list}{'x-codes'}{$code}{meaning} =~ s/`//gr;
}

my $service = Verify::Instance->start;
my $command = Verify::Command->new($service);
my %forgery = Verify::Specimen::forgeries();
my $who = $service->organization(workflow => {name => 'Document', start => 'id',
  nodes => {
    id => {type => 'methods', methods => ['document_capture'], max_attempts => 2,
      next => {passed => 'granted', exhausted => 'denied'}},
    granted => {type => 'outcome', status => 'verified'},
    denied => {type => 'outcome', status => 'failed'}}});
my $receiver = $service->receiver;
my $endpoint = answer_is($who->{client}->post('/v1/webhook_endpoints',
  {url => $receiver->url("/$who->{id}"), enabled_events => ['*']}), 201, 'an endpoint');
$receiver->expect_secret("/$who->{id}", $endpoint->{secret});
sub create {
  return answer_is($who->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $who->{workflow_id}, jurisdiction => 'US-VA',
      email => 'jane@example.com'}), 201, 'a session');
}
sub explanation { $command->prints(['session', 'explain', $_[0]{id}]) }

# A path as `node exits`, in order; whether it is whole.
sub way {
  my ($path) = @_;
  return [map({ join ' ', $_->{node}, @{$_->{exits}} } @{$path->{nodes}}),
    $path->{is_whole} ? 'whole' : 'not whole'];
}

my $session = create();
is_deeply way(explanation($session)->{path}), ['whole'], 'it stands nowhere at first';
is_deeply explanation($session)->{decisions}, [], 'nothing was decided at first';
is show_pictures($service, $session, $forgery{bare})->{status}, 'verified',
  'a forged code passes for an age';
my $explanation = explanation($session);
is $explanation->{status}, 'verified', 'the session as it is';
is scalar @{$explanation->{decisions}}, 1, 'one submission';
is_deeply way($explanation->{path}), ['id passed', 'granted', 'whole'], 'the way it went';
is_deeply [grep { abs($_->{entered_at} - time) > 600 } @{$explanation->{path}{nodes}}], [],
  '... and when';
my $decision = $explanation->{decisions}[0];
is_deeply [@$decision{qw(submission method verdict error hint session_verdict
  session_error)}], [1, 'document_capture', 'passed', undef, undef, 'passed', undef],
  'its verdict, which the session took as it is';
my %check = map { $_->{check} => $_ } @{$decision->{checks}};
cmp_ok scalar keys %check, '>', 3, 'its checks';
is_deeply [grep { $_->{result} !~ /\A(?:passed|failed|undetermined)\z/ } values %check],
  [], '... with results of three values';
is_deeply [grep { ($_->{result} eq 'passed') == defined $_->{reason} } values %check],
  [], '... and reasons where they did not pass';
my %basis = map { $_->{kind} => $_ } @{$decision->{basis}};
like $basis{program}{version}, qr/\A[0-9]/, 'the program that decided';
is $basis{workflow}{id}, $who->{workflow_id}, 'the workflow';
is $basis{workflow}{version}, $explanation->{workflow_version_id}, '... and its version';
unlike(JSON::PP->new->encode($explanation), qr/jane|example|[0-9]{4}-[0-9]{2}-[0-9]{2}/i,
  'nothing of the person');

# What script(1) shows is what a terminal would.
{
  local %ENV = $service->environment;
  my $shown = `script -qec "scripts/verifyctl session explain $session->{id}" /dev/null </dev/null`;
  like $shown, qr/^\Q$session->{id}\E: verified/m, 'on a terminal: the session';
  like $shown, qr/^  id +methods +\S+ +passed *\r?\n  granted +outcome/m, '... its way';
  like $shown, qr/^1\. document_capture: passed /m, '... the submission';
  like $shown, qr/^  check +result +reason/m, '... a table of its checks';
  like $shown, qr/^  workflow +\Q$who->{workflow_id}\E +wfv_/m, '... and its basis';
}
$command->refuses([qw(session explain vks_none)], qr/No such verification session/);

subtest 'a way that was not recorded is not told' => sub {
  is_deeply way($command->prints(['session', 'show', $session->{id}])->{path}),
    ['id passed', 'granted', 'whole'], 'session show has it, too';
  my $kept = $service->sql_value('SELECT runner FROM verification_session WHERE id = ?',
    $session->{id});
  my $keep = sub { $service->sql('UPDATE verification_session SET runner = ?::json'
    . ' WHERE id = ?', $_[0], $session->{id}) };
  $keep->($kept =~ s/,"way":\[.*?\]\]//r);
  my $bare = explanation($session)->{path};
  is_deeply way($bare), ['granted', 'not whole'], 'where it stands is all that is known';
  is $bare->{nodes}[0]{entered_at}, undef, '... and not since when';
  $keep->($kept =~ s/\["granted",[0-9]+\]/["denied",1]/r);
  is_deeply way(explanation($session)->{path}), ['id exhausted', 'denied', 'not whole'],
    'where it stands is not where the record ends';
  $keep->($kept);
};

subtest 'each submission has its own' => sub {
  my $other = answer_is($who->{client}->post('/v1/verification_sessions',
    {type => 'identity', workflow_id => $who->{workflow_id}, jurisdiction => 'US-VA'}),
    201, 'an identity');
  show_pictures($service, $other, $forgery{zone}) for 1, 2;
  is_deeply [map { join ' ', @$_{qw(submission verdict session_verdict session_error)} }
    @{explanation($other)->{decisions}}], ['1 passed failed assurance_insufficient',
    '2 passed failed assurance_insufficient'],
    'decided twice, on evidence of too little worth, and what the session made of it';
  is_deeply way(explanation($other)->{path}), ['id exhausted', 'denied', 'whole'],
    '... and its way, in which two attempts are one node';
  local %ENV = $service->environment;
  my $shown = `script -qec "scripts/verifyctl session explain $other->{id}" /dev/null </dev/null`;
  like $shown, qr/^  the session took it as failed: assurance_insufficient/m,
    '... on a terminal';
  my $meaning = meaning(FailureCode => 'assurance_insufficient');
  is explanation($other)->{decisions}[0]{session_error_meaning}, $meaning,
    '... with what it means, in the words of the API';
  like $shown, qr/^  > \Q$meaning\E\r?$/m, '... also there';
};

# Which check stood in the way is said, and what that means.
subtest 'a check that failed' => sub {
  my $other = create();
  show_pictures($service, $other, $forgery{impossible}) for 1, 2;
  my $explanation = explanation($other);
  is $explanation->{status}, 'failed', 'a document without what each has';
  is $explanation->{last_error_meaning},
    meaning(FailureCode => $explanation->{last_error}),
    '... is told with what that means';
  my @objected = grep { $_->{result} eq 'failed' } @{$explanation->{decisions}[0]{checks}};
  cmp_ok scalar @objected, '>', 0, '... by checks that failed';
  is_deeply [map { $_->{meaning} } @objected],
    [map { meaning(CheckReason => $_->{reason}) } @objected],
    '... each with what its reason means';
  is_deeply [grep { $_->{result} eq 'passed' && exists $_->{meaning} }
    @{$explanation->{decisions}[0]{checks}}], [], '... and no others';
  local %ENV = $service->environment;
  my $shown = `script -qec "scripts/verifyctl session explain $other->{id}" /dev/null </dev/null`;
  like $shown, qr/^  \Q$_->{check} failed: $_->{meaning}\E\r?$/m, "... $_->{check} on a terminal"
    for @objected;
};

# A node of passive checks has no submission: what it saw explains how it led on.
subtest 'passive checks' => sub {
  my $screened = $service->organization(sandbox => 1, workflow => {name => 'Screened', start => 'screen',
    nodes => {screen => {type => 'checks', checks => ['device_risk'],
        next => {low => 'id', medium => 'id', high => 'denied'}},
      id => {type => 'methods', methods => ['document_capture'],
        next => {passed => 'granted', exhausted => 'denied'}},
      granted => {type => 'outcome', status => 'verified'},
      denied => {type => 'outcome', status => 'failed'}}});
  my $other = answer_is($screened->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $screened->{workflow_id}, jurisdiction => 'US-VA'}), 201, 'a session');
  answer_is($service->client($other->{client_secret})->with(
    headers => {'User-Agent' => 'python-requests/2.31'})
    ->post("/v1/widget/sessions/$other->{id}/open", {device_id => 'device-1'}), 200, 'opened by a program');
  my $explanation = explanation($other);
  is_deeply way($explanation->{path}), ['screen high', 'denied', 'whole'], 'decide by themselves'
    or diag explain $explanation;
  my ($assessment) = @{$explanation->{risk_assessments}};
  is_deeply [map { $_->{name} } @{$assessment->{signals}}], ['user_agent_automation'],
    '... by signals that are named';
  like $assessment->{signals}[0]{reason}, qr/\w+ \w+/, '... with what they mean';
  unlike(JSON::PP->new->encode($explanation), qr/127\.0\.0\.1|python/, '... and nothing of the person');
  local %ENV = $service->environment;
  like `script -qec "scripts/verifyctl session explain $other->{id}" /dev/null </dev/null`,
    qr/^Passive checks: high risk, [0-9]+ of 100 points\r?\n  user_agent_automation, [0-9]+ points: \w/m,
    '... on a terminal';
};

subtest 'a person who is erased' => sub {
  my $person = $service->sql_value(
    'SELECT verified_person_id FROM verification_session WHERE id = ?', $session->{id});
  $command->prints(['person', 'erase', $person]);
  is_deeply explanation($session)->{decisions}, [], 'takes the record along';
};
finish($service);
