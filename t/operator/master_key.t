# A node with another master key than the database has been used with: it serves
# nobody and changes nothing, until it has the right one. The key is changed for
# another while nodes serve: nothing that it has sealed is lost, whatever ends
# in between.
use v5.32;
use warnings;
use File::Copy qw(copy);
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP ();
use POSIX ();
use Verify::Command;
use Verify::Specimen;
use Verify::Test;

my $conf = "VerifyTestIssuers on\n";
my ($port) = Verify::Instance::free_ports(1);
# A virtual host with a directive of its own.
my $service = Verify::Instance->start(conf => <<"CONF");
$conf
Listen 127.0.0.1:$port
<VirtualHost 127.0.0.1:$port>
  ServerName second.example
  VerifyPublicURL http://127.0.0.1:$port
</VirtualHost>
CONF
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $client = $organization->{client};
my $list = '/v1/verification_sessions';
my $session = {type => 'age', workflow_id => $organization->{workflow_id},
  jurisdiction => 'US-CA', email => 'specimen@example.com'};
answer_is $client->post($list, $session), 201, 'a node with the right key';

my $other = Verify::Instance->start(beside => $service, start => 0,
  conf => $conf);
my $wrong = qr/this database was used with a different master key/;
$other->make_master_key;
$other->allow_log(qr/IDV0010: $wrong/, qr/IDV0304: .*$wrong/,
  qr/IDV0020: service_unavailable/);
{
  local $ENV{VERIFY_READY_SECONDS} = 2;
  ok !eval { $other->start_httpd; 1 }, 'a node with another does not get ready';
}
my $there = $other->client($organization->{secret_key});
error_is $there->get('/v1/health/ready'), 503, 'service_unavailable';
error_is $there->post($list, $session), 503, 'service_unavailable', undef,
  'it creates nothing';
ok $other->{log}->matching(qr/IDV0010: $wrong/), 'its log says why';
my $said = wait_for { $other->{log}->matching(qr/IDV0304: .*$wrong/) };
ok $said, 'and that its watchdog waits';
ok !eval { $other->verifyctl(qw(review decide vks_1 approve --by tester)); 1 },
  'verifyctl refuses, too';
like $@, $wrong, 'what needs the key';
ok $other->verifyctl(qw(org list)), 'and does what does not';
is $service->sql_value('SELECT count(*) FROM verification_session'), 1,
  'there is what there was';

$other->stop_httpd;
copy "$service->{directory}/master.key", "$other->{directory}/master.key";
$other->start_httpd;
answer_is $there->with->post($list, $session), 201, 'with the right key it serves';


# --- another key ---

my $command = Verify::Command->new($service);
my $key_file = "$service->{directory}/master.key";
my $receiver = $service->receiver;
my $endpoint = answer_is $client->post('/v1/webhook_endpoints',
  {url => $receiver->url, enabled_events => ['*']}), 201, 'an endpoint';
$receiver->expect_secret('/webhooks', $endpoint->{secret});

my (%created, $sequence);
# One more session; its answer can be repeated by its key.
sub create {
  my ($at) = @_;
  my $key = 'key-' . ++$sequence;
  my $answer = $at->post($list, $session, 'Idempotency-Key' => $key);
  $created{$key} = $answer->body if $answer->status == 201;
  return $answer;
}
sub repeat_all {
  my ($at) = @_;
  my @others = grep {
    my $answer = $at->post($list, $session, 'Idempotency-Key' => $_);
    $answer->status != 201 || $answer->body ne $created{$_}
      || !$answer->header('Idempotent-Replayed');
  } sort keys %created;
  return "@others";
}
sub sealed_by {
  my ($version) = @_;
  my ($found) = grep { $_->{version} == $version }
    @{$service->verifyctl(qw(master-key list))};
  return $found->{sealed};
}
sub total { my $sum = 0; $sum += $_ for values %{$_[0]}; return $sum }
my $request; # of the newest session: those of others may come later
sub deliver_one {
  my ($name) = @_;
  my $id = create($client)->json->{id};
  $request = $receiver->wait_for_request(sub {
    $_[0]{event}{data}{object}{id} eq $id });
  ok $request && !$request->{fault}, $name or diag $request->{fault} // 'nothing';
}

is create($client)->status, 201, 'a session' for 1 .. 12;
my $pictured = create($client)->json;
my $widget = $service->client($pictured->{client_secret});
my $page = "/v1/widget/sessions/$pictured->{id}";
$widget->post("$page/open", {});
$widget->post("$page/consent", {consent => JSON::PP::true});
answer_is $widget->put("$page/images/front", Verify::Specimen::photograph(),
  'Content-Type' => 'image/jpeg'), 200, 'a picture';
deliver_one('a webhook signed by the endpoint\'s secret');
# Its former secret signs besides, whatever version has sealed it.
my @signing = ($endpoint->{secret});
unshift @signing, $service->verifyctl(qw(endpoint rotate-secret --overlap-minutes 1440),
  $endpoint->{id}, '--org', $organization->{id})->{secret};
$receiver->expect_secret('/webhooks', $signing[0]);
sub former_signs {
  return !grep { standard_signature_fault($_, @$request{qw(headers body)}) } @signing;
}
deliver_one('one of two secrets');
ok former_signs(), 'by both';

subtest 'a new version waits' => sub {
  my $added = $command->prints([qw(master-key add)]);
  is $added->{version}, 2, 'with the next number';
  like $added->{next}, qr/every node/, 'and says what is next';
  is +(stat $key_file)[2] & 07777, 0600, 'in a file that is private';
  is_deeply [map { "$_->{version} $_->{state}" }
    @{$command->prints([qw(master-key list)])}], ['1 seals', '2 waits'], 'listed';
  copy $key_file, "$service->{directory}/both.key";
  chmod 0600, "$service->{directory}/both.key";
  $service->graceful;
  is create($client)->status, 201, 'it changes nothing for a node that has it';
  ok total(sealed_by(1)) > 14, 'version 1 seals';
  $command->refuses([qw(master-key drop 1)], qr/Only the oldest .* if a newer one seals/);
};

# The other node has the file of before.
subtest 'refused while a node lacks the version' => sub {
  my $holds = q{SELECT count(*) FROM server_node WHERE cardinality(key_fingerprints) = ?};
  ok wait_for { $service->sql_value($holds, 2) == 1
    && $service->sql_value($holds, 1) == 1 }, 'each node says what it has';
  $command->refuses([qw(master-key rotate)], qr/Version 2 of the master key is missing on/);
  is_deeply [map { "$_->{version} $_->{state}" }
    @{$command->prints([qw(master-key list)])}], ['1 seals', '2 waits'], 'nothing has changed';
};

subtest 'ended in the middle' => sub {
  my $holder = $service->connect_database;
  $holder->begin_work;
  $holder->do(q{SELECT 1 FROM idempotency_record
    WHERE key = (SELECT key FROM idempotency_record ORDER BY key
      OFFSET (SELECT count(*) / 2 FROM idempotency_record) LIMIT 1) FOR UPDATE});
  my $pid = fork // die "cannot fork: $!\n";
  if (!$pid) {
    $_->{owner} = 0 for $service, $other;
    local %ENV = $service->environment;
    open STDOUT, '>', '/dev/null';
    open STDERR, '>', '/dev/null';
    exec 'scripts/verifyctl', qw(master-key rotate --force --batch 2) or POSIX::_exit(127);
  }
  ok wait_for { $service->sql_value(q{SELECT count(*) FROM pg_stat_activity
    WHERE application_name = 'verifyctl' AND wait_event_type = 'Lock'
      AND datname = current_database()}) }, 'a batch waits';
  kill KILL => $pid;
  waitpid $pid, 0;
  $holder->rollback;
  $holder->disconnect;
  ok wait_for { !$service->sql_value(q{SELECT count(*) FROM pg_stat_activity
    WHERE application_name = 'verifyctl' AND datname = current_database()}) },
    'the one that ended is gone';
  ok total(sealed_by(1)), 'some values have version 1';
  ok total(sealed_by(2)), 'some have version 2';
  is repeat_all($client), '', 'all of them open';
  $command->refuses([qw(master-key drop 1)], qr/It still seals \d+ values/);
};

subtest 'a node without the version' => sub {
  my $lacks = qr/the master key file lacks version 2/;
  $other->allow_log(qr/IDV0010: $lacks/, qr/IDV0304: .*$lacks/);
  ok wait_for { $there->get('/v1/health/ready')->status == 503 },
    'serves nobody, before it seals or opens anything';
  ok wait_for { $other->{log}->matching(qr/IDV0010: $lacks/) }, 'its log says why';
  copy $key_file, "$other->{directory}/master.key";
  $other->graceful;
  ok wait_for { $there->get('/v1/health/ready')->status == 200 }, 'until it has it';
};

subtest 'gone on with, under load' => sub {
  my @workers = map {
    my $at = $_;
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
      $_->{owner} = 0 for $service, $other;
      my $failed = 0;
      until (-e "$service->{directory}/enough") {
        my $answer = $at->post($list, $session,
          'Idempotency-Key' => "load-$$-" . ++$sequence);
        $failed ||= $answer->status != 201;
      }
      POSIX::_exit($failed);
    }
    $pid;
  } $client, $there;
  my $before = $service->sql_value('SELECT count(*) FROM verification_session');
  my $done = $command->prints([qw(master-key rotate --batch 3)]);
  ok wait_for { $service->sql_value('SELECT count(*) FROM verification_session')
    > $before + 20 }, 'both nodes create sessions meanwhile';
  ok $done->{sealed_anew}{idempotency}, 'what was left is sealed anew';
  is_deeply $done->{unreadable}, [], 'and all of it could be read';
  ok wait_for {
    $service->verifyctl(qw(master-key rotate)) && !total(sealed_by(1)) },
    'soon nothing has version 1';
  open my $file, '>', "$service->{directory}/enough" or die;
  close $file;
  is_deeply [map { waitpid $_, 0; $? } @workers], [0, 0],
    'no request failed at either node';
  # A process that had not asked yet may have sealed by version 1 since.
  ok wait_for {
    $service->verifyctl(qw(master-key rotate)) && !total(sealed_by(1)) },
    'and nothing has it when they have ended';
  is repeat_all($client), '', 'every stored answer opens';
};

subtest 'in every virtual host' => sub {
  my $second = Verify::Client->new(base_url => "http://127.0.0.1:$port",
    token => $organization->{secret_key});
  ok wait_for {
    $service->verifyctl(qw(master-key rotate));
    create($second)->status == 201 && !total(sealed_by(1)) },
    'the new version seals';
  is repeat_all($second), '', 'and every stored answer opens';
};

# A process that has not asked yet seals by the old version at this moment.
subtest 'not dropped while something is being sealed by it' => sub {
  my $sealing = $service->connect_database;
  my $mark = sub { $sealing->do('UPDATE webhook_endpoint SET sealed_secret ='
    . " set_byte(sealed_secret, 0, $_[0])") };
  my $constraints = q{SELECT count(*) FROM pg_constraint WHERE conname LIKE '%_key_version'};
  $sealing->begin_work;
  $mark->(1);
  my $pid = fork // die "cannot fork: $!\n";
  if (!$pid) {
    $_->{owner} = 0 for $service, $other;
    my ($status, $output, $errors) = $command->run(qw(master-key drop 1));
    POSIX::_exit($status == 1 && $output eq ''
      && $errors =~ /It still seals 1 values/ ? 0 : 1);
  }
  ok wait_for { $service->sql_value(q{SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'
      AND query LIKE '%webhook_endpoint%'}) }, 'dropping waits for it';
  $sealing->commit;
  waitpid $pid, 0;
  is $?, 0, 'and then is refused, as there is one more value';
  is $service->sql_value($constraints), 0, 'nothing was changed';
  is $service->sql_value('SELECT count(*) FROM master_key WHERE dropped_at IS NOT NULL'), 0,
    '... nor dropped';
  like Verify::Instance::read_text($key_file), qr/^1 [0-9a-f]{64}$/m, 'the file has it still';
  $mark->(2);
  $sealing->disconnect;
};

# What a process that has not asked yet would write.
subtest 'dropped' => sub {
  my $value = $service->sql_value('SELECT encode(sealed_secret, ?)
    FROM webhook_endpoint', 'hex');
  is substr($value, 0, 2), '02', 'a value carries its version';
  my $dropped = $command->prints([qw(master-key drop 1)]);
  ok $dropped->{removed_from_file}, 'out of the file';
  is_deeply $command->prints([qw(master-key drop 1)]), {%$dropped,
    removed_from_file => JSON::PP::false}, 'again: it is done already';
  ok !eval { $service->sql(q{UPDATE webhook_endpoint SET sealed_secret =
    set_byte(sealed_secret, 0, 1)}); 1 }, 'the database takes its seals no more';
  my $text = Verify::Instance::read_text($key_file);
  like $text, qr/^digests [0-9a-f]{192}\n2 [0-9a-f]{64}\n\z/m, 'the file has one key';
  copy $key_file, "$other->{directory}/master.key";
  $_->graceful for $service, $other;
  ok wait_for { $there->get('/v1/health/ready')->status == 200 }, 'nodes serve on';
  ok wait_for { $service->sql_value('SELECT count(*) FROM server_node') == 2 },
    '... each as one, whose predecessors have gone';
  is repeat_all($there), '', 'stored answers open';
  deliver_one('webhooks are signed by the secret of before');
  ok former_signs(), '... and by that which signed besides';
  is $service->sql_value('SELECT get_byte(sealed_secret, 0) FROM webhook_overlap'), 2,
    'sealed by the new version';
  ok !eval { $service->sql(q{UPDATE webhook_overlap SET sealed_secret =
    set_byte(sealed_secret, 0, 1)}); 1 }, '... as the database demands';
  answer_is $widget->post("$page/submissions", {method => 'document_capture',
    images => ['front']}), 200, 'the picture of before the change';
  my $ended = wait_for {
    my $now = $client->get("$list/$pictured->{id}")->json;
    $now->{status} =~ /verified|failed/ && $now };
  is $ended->{status}, 'verified', 'can be read';
  is_deeply [map { "$_->{version} $_->{state}" }
    @{$command->prints([qw(master-key list)])}], ['1 dropped', '2 seals'], 'listed';
  ok $service->sql_value(q{SELECT count(*) FROM operator_action
    WHERE entry LIKE '%master-key %'}) >= 3, 'and recorded';
};

finish $other, $service;
