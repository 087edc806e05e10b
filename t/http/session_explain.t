# verifyctl session explain: the checks of each submission and what its decision
# rests on, as JSON and on a terminal, without personal data.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP ();
use Verify::Command;
use Verify::Specimen;
use Verify::Test;

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

my $session = create();
is_deeply explanation($session)->{decisions}, [], 'nothing was decided at first';
is show_pictures($service, $session, $forgery{bare})->{status}, 'verified',
  'a forged code passes for an age';
my $explanation = explanation($session);
is $explanation->{status}, 'verified', 'the session as it is';
is scalar @{$explanation->{decisions}}, 1, 'one submission';
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
  like $shown, qr/^1\. document_capture: passed /m, '... the submission';
  like $shown, qr/^  check +result +reason/m, '... a table of its checks';
  like $shown, qr/^  workflow +\Q$who->{workflow_id}\E +wfv_/m, '... and its basis';
}
$command->refuses([qw(session explain vks_none)], qr/No such verification session/);

subtest 'each submission has its own' => sub {
  my $other = answer_is($who->{client}->post('/v1/verification_sessions',
    {type => 'identity', workflow_id => $who->{workflow_id}, jurisdiction => 'US-VA'}),
    201, 'an identity');
  show_pictures($service, $other, $forgery{zone}) for 1, 2;
  is_deeply [map { join ' ', @$_{qw(submission verdict session_verdict session_error)} }
    @{explanation($other)->{decisions}}], ['1 passed failed assurance_insufficient',
    '2 passed failed assurance_insufficient'],
    'decided twice, on evidence of too little worth, and what the session made of it';
  local %ENV = $service->environment;
  like `script -qec "scripts/verifyctl session explain $other->{id}" /dev/null </dev/null`,
    qr/^  the session took it as failed: assurance_insufficient/m, '... on a terminal';
};

subtest 'a person who is erased' => sub {
  my $person = $service->sql_value(
    'SELECT verified_person_id FROM verification_session WHERE id = ?', $session->{id});
  $command->prints(['person', 'erase', $person]);
  is_deeply explanation($session)->{decisions}, [], 'takes the record along';
};
finish($service);
