# What an operator does to webhooks without SQL and without a browser: endpoints
# made, changed and tried, deliveries looked at, explained and recovered.
use v5.32;
use warnings;
use Digest::SHA qw(hmac_sha256_hex);
use JSON::PP ();
use Verify::Command;
use Verify::Test;

my $service = Verify::Instance->start;
my $command = Verify::Command->new($service);
my $who = $service->organization(sandbox => 1, workflow => 1);
my $other = $service->organization(sandbox => 1);
my @org = ('--org', $who->{id});
my @theirs = ('--org', $other->{id});
my $receiver = $service->receiver;
my $app = $command->prints(['app', 'create', @org, '--name', 'Shop'])->{id};

sub shown {
  my (@words) = @_;
  local %ENV = $service->environment;
  return scalar `script -qec "scripts/verifyctl @words" /dev/null </dev/null`;
}
sub file {
  my ($name, $bytes) = @_;
  $command->write_file("$service->{directory}/$name", $bytes);
  return "$service->{directory}/$name";
}
sub ended {
  my ($id) = @_;
  return wait_for { my $now = $command->prints(['delivery', 'show', $id, @org]);
    $now->{status} ne 'pending' && $now };
}
sub last_action {
  return (map { JSON::PP->new->decode($_) } map { $_->{entry} // () }
    map { JSON::PP->new->decode($_) } grep { /\S/ }
    split /\n/, $service->script(qw(verifyctl audit export --org), $who->{id}))[-1];
}

my $made = $command->prints(['endpoint', 'create', @org, '--url', $receiver->url('/all'),
  '--name', 'All', '--description', 'Notes']);
my $endpoint = $made->{id};
$receiver->expect_secret('/all', $made->{secret});

subtest 'an endpoint of one application' => sub {
  my $its = $command->prints(['endpoint', 'create', @org, '--app', $app, '--url',
    $receiver->url('/shop'), '--events', 'verification_session.created']);
  is $its->{application_id}, $app, 'is made';
  my $shown = $command->prints(['endpoint', 'show', $its->{id}, @org]);
  is $shown->{application_id}, $app, 'and shown';
  is $shown->{secret}, undef, 'without its secret';
  answer_is $who->{client}->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $who->{workflow_id}, jurisdiction => 'US-CA'}), 201, 'a session of none';
  my $shop = $service->client($service->key($who->{id}, 'secret', '--app', $app));
  answer_is $shop->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $who->{workflow_id}, jurisdiction => 'US-CA'}), 201, 'one of its own';
  ok wait_for { 2 == @{$command->prints(['delivery', 'list', @org, '--endpoint', $endpoint])} },
    'the whole organization\'s has both';
  is scalar @{$command->prints(['delivery', 'list', @org, '--endpoint', $its->{id}])}, 1,
    'it has its own';
  $command->refuses(['endpoint', 'create', @org, '--app', 'app_none', '--url',
    $receiver->url('/x')], qr/No such application\. \(--app app_none\)/);
  $command->refuses(['endpoint', 'show', $its->{id}, @theirs], qr/No such resource/);
  $command->refuses(['delivery', 'list', @org, '--endpoint', 'we_none'],
    qr/No such endpoint\. \(--endpoint we_none\)/);
};

subtest 'an endpoint is changed' => sub {
  my $update = sub { $command->prints(['endpoint', 'update', $endpoint, @org, @_]) };
  is $update->('--name', 'First')->{name}, 'First', 'its name';
  my $now = $update->('--url', $receiver->url('/moved'), '--events',
    'verification_session.verified,verification_session.failed');
  is_deeply [@$now{qw(name description url)}, @{$now->{enabled_events}}], ['First', 'Notes',
    $receiver->url('/moved'), 'verification_session.verified', 'verification_session.failed'],
    'what is not named stays';
  my $action = last_action();
  is $action->{action}, 'endpoint update', 'it is recorded';
  is_deeply $action->{details}, {options => ['org', 'url', 'events']}, '... without values';
  is $update->('--description', '')->{description}, undef, 'notes are taken away';
  is_deeply $update->('--events', '*')->{enabled_events}, ['*'], 'all events';
  my $api = answer_is $who->{client}->get("/v1/webhook_endpoints/$endpoint"), 200;
  is_deeply [@$api{qw(name description url)}], ['First', undef, $receiver->url('/moved')],
    'as the customer sees';
  my $refuses = sub { my $why = pop;
    $command->refuses(['endpoint', 'update', $endpoint, @org, @_], $why) };
  $refuses->(qr/Nothing to change/);
  $refuses->('--url', '', qr/\(url\)/);
  $refuses->('--url', 'http://shop.example/', qr/url must/);
  $refuses->('--events', 'lost', qr/events\[0\] must be an event type/);
  $refuses->('--name', 'x' x 101, qr/1 to 100 characters.*\(name\)/);
  $refuses->('--description', 'x' x 501, qr/1 to 500 characters.*\(description\)/);
  $command->refuses(['endpoint', 'update', $endpoint, @theirs, '--name', 'x'],
    qr/No such resource/);
  is_deeply answer_is($who->{client}->get("/v1/webhook_endpoints/$endpoint"), 200), $api,
    'what is refused changes nothing';
  $update->('--url', $receiver->url('/all'));
};

my $delivery;
subtest 'a test event' => sub {
  my $test = $command->prints(['endpoint', 'test', $endpoint, @org]);
  is_deeply [@$test{qw(object type)}], ['event', 'verification_session.verified'], 'is made';
  $delivery = ended($test->{delivery_id});
  is $delivery->{status}, 'delivered', 'and arrives';
  is $delivery->{webhook_endpoint_id}, $endpoint, 'there';
  is scalar(grep { $_->{path} eq '/all' && $_->{body} =~ /\Q$test->{id}/ }
    $receiver->requests), 1, 'once';
  is last_action()->{action}, 'endpoint test', 'it is recorded';
  is $command->prints(['endpoint', 'test', $endpoint, @org, '--type',
    'session_review.flagged'])->{type}, 'session_review.flagged', 'of another type';
  $command->refuses(['endpoint', 'test', $endpoint, @org, '--type', 'lost'],
    qr/Expected one of/);
  $command->refuses(['endpoint', 'test', $endpoint, @theirs], qr/No such resource/);
};

my ($sent) = grep { $_->{body} =~ /\Q$delivery->{event_id}/ } $receiver->requests;
subtest 'a delivery' => sub {
  my $shown = $command->prints(['delivery', 'show', $delivery->{id}, @org]);
  is $shown->{request}{url}, $receiver->url('/all'), 'where it went';
  is $shown->{request}{headers}{'Service-Webhook-Id'}, $delivery->{id}, 'with its headers';
  is $shown->{response}{status_code}, 200, 'what came back';
  unlike(JSON::PP->new->encode($shown), qr/whsec_|v1=|"body"|data/, 'nothing of what it said');
  my $whole = $command->prints(['delivery', 'show', $delivery->{id}, @org, '--personal']);
  is $whole->{request}{body}, $sent->{body}, 'the exact body, for whoever asks for it';
  ok exists $whole->{response}{body}, 'and the answer\'s';
  $command->refuses(['delivery', 'show', $delivery->{id}, @theirs], qr/No such resource/);
  $command->refuses(['delivery', 'show', 'whd_none', @org], qr/No such resource/);
};

subtest 'why a signature is not accepted' => sub {
  my $diagnose = sub {
    my ($status, @question) = @_;
    my ($ended, $output) =
      $command->run('delivery', 'diagnose', $delivery->{id}, @org, @question);
    is $ended, $status, "exit status $status";
    unlike $output, qr/whsec_\w|v1=[0-9a-f]/, 'tells no secret';
    return join ' ', map { $_->{finding} } @{JSON::PP->new->utf8->decode($output)};
  };
  my @header = ('--signature', $sent->{headers}{'service-signature'});
  my ($at) = $header[1] =~ /t=(\d+)/;
  my $right = hmac_sha256_hex("$at.$sent->{body}", $made->{secret});
  my $file = file(body => $sent->{body});
  is $diagnose->(0, @header), 'header_genuine', 'the header alone';
  is $diagnose->(0, @header, '--body', $file, '--computed', $right),
    'header_genuine body_same computed_right', 'nothing is wrong';
  is $diagnose->(1, @header, '--computed', hmac_sha256_hex($sent->{body}, $made->{secret})),
    'header_genuine computed_without_time', 'a mistake';
  is $diagnose->(1, @header, '--body', file(lines => "$sent->{body}\n")),
    'header_genuine body_whitespace', 'of the body';
  is $diagnose->(1, '--signature', 'x'), 'header_malformed', 'no header';
  like shown('delivery', 'diagnose', $delivery->{id}, @org, '--signature', 'x'),
    qr/^  header_malformed +The header is not `t=<seconds>,v1=/m, 'on a terminal with words';
  my $refuses = sub { my $why = pop;
    $command->refuses(['delivery', 'diagnose', $delivery->{id}, @org, @header, @_], $why) };
  $refuses->('--body', '/nowhere/body', qr{/nowhere/body});
  $refuses->('--body', file(long => 'x' x 400_001), qr/Larger than 400000/);
  $refuses->('--body', file(zero => "a\0b"), qr/a null byte/);
  $command->refuses(['delivery', 'diagnose', $delivery->{id}, @theirs, @header],
    qr/No such resource/);
};

# What the command says is what the description of the API says.
subtest 'what findings mean' => sub {
  my $text = sub { open my $file, '<:raw', $_[0] or die "$_[0]: $!\n"; local $/; <$file> };
  my $codes = JSON::PP->new->utf8->decode($text->('mod_verify/api/openapi.json'))
    ->{components}{schemas}{SignatureFinding}{'x-codes'};
  my %said;
  my $findings = $text->('mod_verify/domain/webhook/signature_findings.def') =~ s{/\*.*?\*/}{}gsr;
  utf8::decode($findings);
  while ($findings =~ /IDV_SIGNATURE_FINDING\(\w+, "(\w+)",\s*((?:"[^"]*"\s*)+)\)/g) {
    my ($code, $parts) = ($1, $2);
    $said{$code} = {meaning => join '', $parts =~ /"([^"]*)"/g};
  }
  is_deeply \%said, $codes, 'is the same everywhere';
};

subtest 'what was missed' => sub {
  my @window = ('--endpoint', $endpoint, '--since', time - 600);
  $service->sql(q{UPDATE webhook_delivery SET status = 'failed', next_attempt_at = NULL
    WHERE id = ?}, $delivery->{id});
  $receiver->forget;
  my $job = $command->prints(['delivery', 'recover', @org, @window]);
  is $job->{webhook_endpoint_id}, $endpoint, 'is recovered';
  is last_action()->{action}, 'delivery recover', 'and that recorded';
  my $done = wait_for {
    my ($now) = @{$command->prints(['delivery', 'recoveries', @org, @window[0, 1]])};
    $now->{status} ne 'running' && $now };
  is_deeply [@$done{qw(id status deliveries_requeued deliveries_created)}],
    [$job->{id}, 'finished', 1, 0], 'what has failed';
  is ended($delivery->{id})->{status}, 'delivered', 'and arrives';
  like shown('delivery', 'recoveries', @org, @window[0, 1]),
    qr/^  \Q$job->{id}\E +finished +20\d\d-/m, 'a table on a terminal';
  $command->refuses(['delivery', 'recover', @theirs, @window], qr/No such endpoint/);
  $command->refuses(['delivery', 'recover', @org, '--endpoint', $endpoint, '--since',
    time - 32 * 86_400], qr/at most 31 days/);
  $command->refuses(['delivery', 'recover', @org, '--endpoint', $endpoint, '--since', 'x'],
    qr/whole number/);
  $command->refuses(['delivery', 'recoveries', @theirs, @window[0, 1]], qr/No such endpoint/);
  $command->prints(['endpoint', 'disable', $endpoint, @org]);
  $command->refuses(['delivery', 'recover', @org, @window], qr/endpoint is disabled/);
};

finish($service);
