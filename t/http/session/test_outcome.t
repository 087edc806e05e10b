# Test values of sandboxes: each outcome without a camera, by the API and by
# verifyctl, and none of it in a live organization.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Command;
use Verify::Description;
use Verify::Test;

my $json = JSON::PP->new->utf8;
my $yes = JSON::PP::true;
my $service = Verify::Instance->start;
my $list = '/v1/verification_sessions';
my %two_steps = (name => 'Two steps', start => 'id', nodes => {
  id => {type => 'methods', methods => ['document_capture'], max_attempts => 2,
    next => {passed => 'face', exhausted => 'no'}},
  face => {type => 'methods', mode => 'all_of',
    methods => ['selfie_liveness', 'selfie_match'], max_attempts => 2,
    next => {passed => 'yes', exhausted => 'no'}},
  yes => {type => 'outcome', status => 'verified'},
  no => {type => 'outcome', status => 'failed'}});
my %screened = (name => 'Screened', start => 'screen', nodes => {
  screen => {type => 'checks', checks => ['ip_analysis'],
    next => {low => 'id', medium => 'id', high => 'id'}},
  id => {type => 'methods', methods => ['document_capture'],
    next => {passed => 'yes', exhausted => 'no'}},
  yes => {type => 'outcome', status => 'verified'},
  no => {type => 'outcome', status => 'failed'}});
my $sandbox = $service->organization(sandbox => 1, workflow => 1);
my $live = $service->organization(workflow => 1);
my $client = $sandbox->{client};
my $receiver = $service->receiver;
answer_is $live->{client}->post('/v1/webhook_endpoints',
  {url => $receiver->url, enabled_events => ['*']}), 201, 'an endpoint';

sub create {
  my ($who, %more) = @_;
  return answer_is $who->{client}->post($list, {type => 'age',
    workflow_id => $who->{workflow_id}, jurisdiction => 'US-CA', %more}), 201,
    'a session';
}
sub set {
  my ($session, $value, %more) = @_;
  return $client->post("$list/$session->{id}/test_outcome",
    {value => $value, %more});
}
sub events {
  my ($session) = @_;
  return join ' ', sort map { $_->{type} =~ s/.*[.]//r } @{$client->get(
    "/v1/events?object_id=$session->{id}")->json->{data}};
}

subtest 'verified' => sub {
  my $session = create($sandbox);
  my $done = answer_is set($session, 'passed'), 200, 'passed';
  is $done->{status}, 'verified', 'the session is verified';
  ok !$done->{livemode}, 'and no live one';
  is events($session), 'created verified', 'with its events';
  error_is set($session, 'passed'), 409, 'session_terminal';
};

subtest 'failed, for each reason' => sub {
  my $spoken = $service->client->get('/v1/openapi.json')->json->{components}{schemas};
  my @codes = @{$spoken->{FailureCode}{'x-extensible-enum'}};
  my @others = grep {
    my $session = create($sandbox);
    my $done = set($session, $_, final => $yes)->json;
    $done->{status} ne 'failed' || $done->{last_error}{code} ne $_
  } @codes;
  is "@others", '', scalar(@codes) . ' codes';
  my @unasked = grep {
    my $session = create($sandbox);
    set($session, $_)->json->{status} ne 'requires_input'
  } @{$spoken->{Hint}{'x-extensible-enum'}};
  is "@unasked", '', 'and each hint asks again';
};

subtest 'an attempt at a time' => sub {
  my $who = {%$sandbox, workflow_id =>
    $service->publish($sandbox->{id}, \%two_steps)->{id}};
  my $session = create($who);
  is set($session, 'document_expired')->json->{status}, 'requires_input', 'one';
  is set($session, 'blurred')->json->{status}, 'requires_input', 'no attempt';
  is set($session, 'passed')->json->{status}, 'requires_input', 'the next step';
  error_is set($session, 'passed', method => 'document_capture'), 400,
    'parameter_invalid', 'method', 'a method of before';
  answer_is set($session, 'passed', method => 'selfie_match'), 200, 'any order';
  is set($session, 'passed')->json->{status}, 'verified', 'the last step';
  my $other = create($who);
  answer_is set($other, 'passed'), 200, 'the first step';
  is set($other, 'face_mismatch', final => $yes)->json->{status}, 'failed', 'final';
};

subtest 'checks before it' => sub {
  my $who = {%$sandbox, workflow_id =>
    $service->publish($sandbox->{id}, \%screened)->{id}};
  is set(create($who), 'passed')->json->{status}, 'verified', 'are run';
};

subtest 'reviews' => sub {
  my $held = create($sandbox);
  is set($held, 'undetermined')->json->{status}, 'under_review', 'held';
  is set($held, 'review_rejected')->json->{status}, 'failed', 'rejected';
  like events($held), qr/flagged.*rejected/, 'with the events of a review';
  my $other = create($sandbox);
  answer_is set($other, 'undetermined'), 200, 'another';
  is set($other, 'review_approved')->json->{status}, 'verified', 'approved';
  error_is set(create($sandbox), 'review_approved'), 409,
    'session_state_conflict', undef, 'nothing is held';
};

subtest 'what is refused' => sub {
  my $session = create($sandbox);
  my $unknown = set($session, 'nonsense');
  error_is $unknown, 400, 'parameter_invalid', 'value';
  my ($known) = $unknown->json->{error}{message} =~ /must be a test value: (.+)[.]\z/;
  my $schemas = Verify::Description->load->document->{components}{schemas};
  my %described = map { $_ => 1 } qw(passed undetermined review_approved review_rejected),
    map { @{$schemas->{$_}{'x-extensible-enum'}} } qw(FailureCode Hint);
  is_deeply [sort split /, /, $known // ''], [sort keys %described],
    'and told which there are, as they are described';
  error_is set($session, 'passed', method => 'nothing'), 400,
    'parameter_invalid', 'method';
  error_is set($session, 'passed', other => 1), 400, 'parameter_invalid', 'other';
  error_is $client->post("$list/$session->{id}/test_outcome", {}), 400,
    'parameter_invalid', 'value';
  is $client->get("$list/$session->{id}")->json->{status}, 'created',
    'nothing has changed';
  my $key = {'Idempotency-Key' => 'once'};
  my $first = $client->post("$list/$session->{id}/test_outcome",
    {value => 'document_expired'}, %$key);
  is $client->post("$list/$session->{id}/test_outcome",
    {value => 'document_expired'}, %$key)->body, $first->body, 'a replay';
};

# As somebody who wants a verification without showing anything.
subtest 'a live organization' => sub {
  my $session = create($live);
  my $path = "$list/$session->{id}/test_outcome";
  error_is $live->{client}->post($path, {value => 'passed'}), 400,
    'parameter_invalid', 'value', 'its own server';
  error_is $client->post($path, {value => 'passed'}), 404, 'session_not_found',
    undef, 'a sandbox of others';
  my $person = $service->client($session->{client_secret});
  is $person->post($path, {value => 'passed'})->status, 401, 'the person';
  my $publishable = $service->client($service->key($sandbox->{id}, 'publishable'));
  my $mine = create($sandbox);
  error_is $publishable->post("$list/$mine->{id}/test_outcome",
    {value => 'passed'}), 403, 'publishable_key_scope', undef, 'a browser\'s key';
  is $service->client($mine->{client_secret})->post(
    "$list/$mine->{id}/test_outcome", {value => 'passed'})->status, 401,
    'a person in a sandbox';
  # Were a sandbox's flag to change under a session: what it was counts.
  $service->sql('UPDATE organization SET sandbox = true WHERE id = ?', $live->{id});
  ok wait_for { $live->{client}->post($list, {type => 'age', skip_verification =>
    $yes, workflow_id => $live->{workflow_id}, jurisdiction => 'US-CA'})->status
    == 201 }, 'the organization is a sandbox now';
  error_is $live->{client}->post($path, {value => 'passed'}), 400,
    'parameter_invalid', 'value', 'but a session of before it is none';
  $service->sql('UPDATE organization SET sandbox = false WHERE id = ?', $live->{id});
  is $live->{client}->get("$list/$session->{id}")->json->{status}, 'created',
    'nothing has happened to it';
};

# --- verifyctl ---

my $command = Verify::Command->new($service);
$ENV{VERIFY_URL} = $service->base_url;
$ENV{VERIFY_CA_FILE} = $service->ca_file;
$ENV{VERIFY_SECRET_KEY} = $sandbox->{secret_key};

subtest 'listen and trigger' => sub {
  my $output = "$service->{directory}/listener";
  my $pid = fork // die "cannot fork: $!\n";
  if (!$pid) {
    $service->{owner} = 0;
    open STDOUT, '>', $output or die;
    exec 'scripts/verifyctl', 'listen', '--forward-to', $receiver->url('/shop')
      or CORE::exit(127);
  }
  my $first = wait_for { Verify::Instance::read_text($output) =~ /\A(.*)\n/ && $1 };
  my $secret = $json->decode($first)->{secret};
  like $secret, qr/\Awhsec_/, 'it says its secret';
  $receiver->expect_secret('/shop', $secret);
  my %ends = ('verification_session.created' => 'created',
    'verification_session.verified' => 'verified',
    'verification_session.failed' => 'failed',
    'verification_session.cancelled' => 'cancelled',
    'session_review.flagged' => 'under_review',
    'session_review.approved' => 'verified',
    'session_review.rejected' => 'failed');
  for my $event (sort keys %ends) {
    my $session = $command->prints(['trigger', $event, '--workflow',
      $sandbox->{workflow_id}, '--jurisdiction', 'US-CA'], "trigger $event");
    is $session->{status}, $ends{$event}, "is $ends{$event}";
    my $got = $receiver->wait_for_request(sub { my $object = $_[0]{event};
      $object && $object->{type} eq $event
        && ($object->{data}{object}{session_id} // $object->{data}{object}{id})
          eq $session->{id} });
    ok $got && !$got->{fault}, "$event arrives, signed" or diag $got->{fault} // '';
    is standard_signature_fault($secret, $got->{headers}, $got->{body}), undef,
      'in both ways' if $event eq 'verification_session.created';
  }
  kill TERM => $pid;
  waitpid $pid, 0;
  is $?, 0, 'it ends when told to';
  my @ids = map { $_->{event}{id} } $receiver->requests;
  is scalar(@ids), scalar(keys %{{map { $_ => 1 } @ids}}), 'each came once';
};

subtest 'on a terminal' => sub {
  my $shown = "$service->{directory}/terminal";
  my $pid = fork // die "cannot fork: $!\n";
  if (!$pid) {
    $service->{owner} = 0;
    open STDIN, '<', '/dev/null' or die;
    open STDOUT, '>', $shown or die;
    exec 'script', '-qfec', 'exec scripts/verifyctl listen --count 1 --forward-to '
      . $receiver->url('/terminal'), '/dev/null' or CORE::exit(127);
  }
  ok wait_for { Verify::Instance::read_text($shown) =~ /Ctrl-C/ }, 'it listens';
  my $session = $command->prints([qw(trigger verification_session.created --workflow),
    $sandbox->{workflow_id}], 'an event');
  waitpid $pid, 0;
  is $?, 0, 'it ends after one event';
  like Verify::Instance::read_text($shown),
    qr/\AWebhook signing secret: whsec_\S+\R.*\Rverification_session\.created  evt_\w+  2\d\d\R\z/s,
    'the secret and a line for each event, in words';
};

subtest 'what they refuse' => sub {
  $command->refuses([qw(trigger nonsense --workflow wf_1)], qr/Expected verification_/);
  $command->refuses([qw(listen --forward-to ftp://127.0.0.1)], qr/http or https/);
  $command->refuses([qw(listen --forward-to http://127.0.0.1 --url),
    $_], qr/Must begin with https/)
    for 'http://service.test', 'http://127.0.0.1:1@127.0.0.2:1', 'http://localhost.test';
  {
    my @listen = (qw(listen --count 1 --forward-to http://127.0.0.1:1 --url),
      $service->base_url_tls);
    my $nothing = "$service->{directory}/nothing.pem";
    $command->write_file($nothing, "nothing\n");
    my $none = qr/\(VERIFY_CA_FILE\) \Q$nothing\E/;
    local $ENV{VERIFY_CA_FILE} = "$nothing.gone";
    $command->refuses(\@listen, qr/--ca-file \(VERIFY_CA_FILE\) \Q$nothing.gone\E: No such file/);
    $ENV{VERIFY_CA_FILE} = $nothing;
    $command->refuses(\@listen, qr/--ca-file $none has no certificate in PEM/);
    my $other = "$service->{directory}/other.pem";
    is system('openssl', qw(req -x509 -newkey rsa:2048 -nodes -subj /CN=other -keyout), "$other.key",
      '-out', $other, "-batch"), 0, 'another authority';
    $ENV{VERIFY_CA_FILE} = $other;
    $command->refuses(\@listen, qr/not signed by a certificate in --ca-file \(VERIFY_CA_FILE\) \Q$other\E/);
    delete $ENV{VERIFY_CA_FILE};
    $command->refuses(\@listen, qr/an authority that this machine trusts; --ca-file names/);
  }
  local $ENV{VERIFY_SECRET_KEY} = $live->{secret_key};
  $command->refuses(['listen', '--forward-to', $receiver->url], qr/live organization/);
  $command->refuses(['trigger', 'verification_session.verified', '--workflow',
    $live->{workflow_id}], qr/live organization/);
  $ENV{VERIFY_SECRET_KEY} = '';
  $command->refuses(['listen', '--forward-to', $receiver->url], qr/No secret key/);
};

finish $service;
