# What an operator looks up and repairs without SQL: sessions, endpoints and
# deliveries, as JSON and on a terminal, and nothing personal unasked.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Command;
use Verify::Test;

my $service = Verify::Instance->start;
my $command = Verify::Command->new($service);
my $who = $service->organization(sandbox => 1, workflow => 1);
my $other = $service->organization(sandbox => 1, workflow => 1);
my @org = ('--org', $who->{id});
my $receiver = $service->receiver;

sub endpoint {
  my ($path) = @_;
  my $endpoint = answer_is($who->{client}->post('/v1/webhook_endpoints',
    {url => $receiver->url($path), enabled_events => ['*']}), 201, 'an endpoint');
  $receiver->expect_secret($path, $endpoint->{secret});
  return $endpoint->{id};
}
my ($first, $second) = (endpoint('/first'), endpoint('/second'));
my @sessions = map {
  answer_is($who->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $who->{workflow_id}, jurisdiction => 'US-CA',
      client_reference_id => "order-\e[31m-$_", metadata => {secret => "pet-$_"},
      skip_verification => JSON::PP::true}), 201, 'a session')->{id}
} 1 .. 3;

# What script(1) shows is what a terminal would.
sub shown {
  my (@words) = @_;
  local %ENV = $service->environment;
  return scalar `script -qec "scripts/verifyctl @words" /dev/null </dev/null`;
}

subtest 'sessions' => sub {
  my $list = $command->prints(['session', 'list', @org]);
  is_deeply [map { $_->{id} } @$list], [reverse @sessions], 'newest first';
  unlike(JSON::PP->new->encode($list), qr/order|pet/, 'nothing personal');
  is_deeply [map { $_->{id} } @{$command->prints(['session', 'list', @org,
    '--limit', 1, '--starting-after', $sessions[2]])}], [$sessions[1]], 'page by page';
  is scalar @{$command->prints(['session', 'list', @org, '--status', 'failed'])}, 0,
    'by status';
  is scalar @{$command->prints(['session', 'list', @org, '--search', 'ORDER',
    '--personal'])}, 3, 'by a reference';
  is_deeply $command->prints(['session', 'list', '--org', $other->{id}]), [],
    'of no other organization';
  my $session = $command->prints(['session', 'show', $sessions[0]]);
  is $session->{status}, 'verified', 'one as the API shows it';
  is $session->{organization_id}, $who->{id}, 'with its organization';
  unlike(JSON::PP->new->encode($session), qr/order|pet/, 'nothing personal');
  $session = $command->prints(['session', 'show', $sessions[0], '--personal']);
  is $session->{metadata}{secret}, 'pet-1', 'unless it is asked for';
  $command->refuses(['session', 'list', @org, '--status', 'lost'], qr/Expected one of/);
  $command->refuses(['session', 'list', @org, '--limit', 10_001], qr/whole number/);
  $command->refuses(['session', 'show', 'vks_none'], qr/No such verification session/);
};

subtest 'on a terminal' => sub {
  my $table = shown('session', 'list', @org, '--personal');
  like $table, qr/^  id +status +type +node/m, 'a table';
  like $table, qr/^  \Q$sessions[0]\E +verified +age /m, 'of sessions';
  like $table, qr/order-\\u001b\[31m-1/, 'with what strangers wrote';
  unlike $table, qr/\e/, '... as it commands no terminal';
  like shown('session', 'list', '--org', $other->{id}), qr/^  \(none\)/, 'an empty one';
  like shown('org', 'list'), qr/^  \Q$who->{id}\E /m, 'organizations';
};

# Sequences of C0 and C1 (in UTF-8 and as a byte), and what turns text around: in
# tables, in JSON and in messages. Names with them are refused now; older rows may
# have some.
subtest 'what would command a terminal' => sub {
  my $commands = qr/\e|\xc2[\x80-\x9f]|\x9b|\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]/;
  my $name = "Shop \xc2\x9b31m \xe2\x80\xaegpj.exe\xe2\x81\xa6 \x7f \xc3\xbc";
  my $shop = $command->prints(['org', 'create', '--name', 'Shop']);
  $service->sql('UPDATE organization SET name = ? WHERE id = ?',
    JSON::PP->new->utf8->decode(qq(["$name"]))->[0], $shop->{id});
  (my $visible = $name) =~ s/\xc2\x9b/\\u009b/;
  $visible =~ s/\xe2\x80\xae/\\u202e/;
  $visible =~ s/\xe2\x81\xa6/\\u2066/;
  $visible =~ s/\x7f/\\u007f/;
  for my $row (['a table', 'org', 'list'], ['JSON', 'org', 'show', $shop->{id}]) {
    my ($what, @words) = @$row;
    my $shown = shown(@words);
    unlike $shown, $commands, "$what commands nothing";
    like $shown, qr/\Q$visible\E/, '... and shows what there is';
  }
  for my $word ("org_\e[2J", "org_\xc2\x9b", "org_\x9b", "org_\xe2\x80\xae") {
    for my $words (['org', 'show', $word], ['org', 'show', "--$word"], ['org', $word],
        [$word], ['org', 'list', $word], ['workflow', 'check', $word],
        ['session', 'list', '--org', $word], ['trust', 'import', '--kind', 'iaca', $word]) {
      my (undef, $output, $errors) = $command->run(@$words);
      ok $errors ne '' && "$output$errors" !~ $commands, 'a message commands nothing'
        or diag "@$words";
    }
  }
};

subtest 'deliveries' => sub {
  ok wait_for { 6 == grep { $_->{status} eq 'delivered' }
    @{$command->prints(['delivery', 'list', @org])} }, 'all arrive, of both endpoints';
  my $list = $command->prints(['delivery', 'list', @org]);
  my @ids = map { $_->{id} } @$list;
  is_deeply \@ids, [reverse sort @ids], 'newest first';
  is_deeply [map { $_->{id} } @{$command->prints(['delivery', 'list', @org,
    '--limit', 2, '--starting-after', $ids[1]])}], [@ids[2, 3]], 'page by page';
  is_deeply [map { $_->{id} } @{$command->prints(['delivery', 'list', @org,
    '--endpoint', $first])}], [map { $_->{id} }
      grep { $_->{webhook_endpoint_id} eq $first } @$list], 'of one endpoint';
  unlike(JSON::PP->new->encode($list), qr/order|pet/, 'nothing of what was sent');
  is scalar @{$command->prints(['delivery', 'list', @org, '--status', 'failed'])}, 0,
    'by status';
  my $count = grep { $_->{path} eq '/first' } $receiver->requests;
  my ($one) = grep { $_->{webhook_endpoint_id} eq $first } @$list;
  is $command->prints(['delivery', 'retry', $one->{id}, @org])->{id}, $one->{id},
    'one is queued anew';
  ok wait_for { $count < grep { $_->{path} eq '/first' } $receiver->requests },
    'and sent again';
  $command->refuses(['delivery', 'retry', $one->{id}, '--org', $other->{id}],
    qr/No such resource/);
  $command->refuses(['delivery', 'list', @org, '--status', 'lost'], qr/pending/);
};

subtest 'endpoints' => sub {
  my $list = $command->prints(['endpoint', 'list', @org]);
  is_deeply [map { "$_->{id} $_->{status}" } @$list],
    ["$second enabled", "$first enabled"], 'are listed';
  unlike(JSON::PP->new->encode($list), qr/whsec/, 'without their secrets');
  is $command->prints(['endpoint', 'disable', $second, @org])->{status}, 'disabled',
    'disabled';
  is answer_is($who->{client}->get("/v1/webhook_endpoints/$second"), 200)->{status},
    'disabled', '... as the customer sees';
  is $command->prints(['endpoint', 'enable', $second, @org])->{status}, 'enabled',
    'and enabled again';
  $command->refuses(['endpoint', 'disable', $second, '--org', $other->{id}],
    qr/No such resource/);
};

subtest 'any answer on a terminal' => sub {
  my $shown = shown('org', 'show', $who->{id});
  like $shown, qr/^id +\Q$who->{id}\E\s/m, 'a line a member';
  like $shown, qr/^  secret +-\s.*^  verifications +\d+\s/ms, 'what is in it, and numbers';
  like shown('org', 'list'), qr/^  \Q$who->{id}\E .* active +0 +\d{4}-/m, '... of tables';
  like shown(qw(key create --type publishable), @org), qr/^key +svc_pk_[\w-]{40,}\s/m,
    'a secret is whole';
  like shown('workflow', 'show', $who->{workflow_id}), qr/^definition\s+\{\s+"name"/m,
    'a definition is as it is written';
  my $session = answer_is($who->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $who->{workflow_id}, jurisdiction => 'US-CA',
      metadata => {"\x{9b}31m" => "\e[31m", pet => 'x' x 300}}), 201, 'a session');
  $shown = shown('session', 'show', '--personal', $session->{id});
  like $shown, qr/^  pet +x{300}\s/m, 'a text is whole';
  unlike $shown, qr/\e|\xc2\x9b/, '... and commands no terminal';
};

finish($service);
