# What an operator runs an organization with: keys, deliveries, applications and
# their trust reuse, usage and credits.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use Digest::SHA qw(hmac_sha256_hex hmac_sha256_base64);
use JSON::PP ();
use MIME::Base64 qw(decode_base64);
use Verify::Authority;
use Verify::Dashboard;
use Verify::Test;

my $service = Verify::Instance->start(start => 0);
my $who = $service->organization(sandbox => 1, workflow => 1);
my $other = $service->organization(sandbox => 1);
my $dashboard = Verify::Dashboard->prepare($service, olga => "auditor $who->{id}",
  dora => ["auditor $who->{id}", "developer $who->{id}"], ada => "admin $who->{id}", root => 'admin *');
$service->start_httpd;
my %client = map { $_ => $dashboard->client($_) } qw(olga dora ada root);
my $own = "/dashboard/v1/organizations/$who->{id}";
sub last_action { $client{olga}->get("$own/audit?limit=1")->json->{data}[0] }
my $application = $service->verifyctl(qw(app create --org), $who->{id}, qw(--name Shop));

subtest 'a disabled organization' => sub {
  my $place = "/dashboard/v1/organizations/$other->{id}";
  is answer_is($client{root}->get($place), 200)->{disabled_at}, undef, 'not yet';
  my $since = $service->verifyctl(qw(org disable), $other->{id})->{disabled_at};
  is answer_is($client{root}->get($place), 200, 'it is shown')->{disabled_at}, $since,
    'since when';
  answer_is $client{root}->get("$place/$_"), 200, "$_ are shown" for qw(keys events audit);
  for my $change (["$place/keys", {type => 'secret'}], ["$place/credits", {amount => 1}],
    ["$place/reviews/vks_none/decide", {decision => 'approve', reason => 'other'}],
    ["$place/verification_sessions", {}]) {
    error_is $client{root}->post(@$change), 403, 'operator_role_required', undef,
      "POST $change->[0]";
  }
  error_is $client{root}->patch($place, {name => 'x'}), 403,
    'operator_role_required', undef, 'nor its settings';
  $service->verifyctl(qw(org enable), $other->{id});
  is answer_is($client{root}->get($place), 200)->{disabled_at}, undef, 'enabled';
  answer_is $client{root}->post("$place/keys", {type => 'secret'}), 201, 'as before';
};

subtest 'what is wrong' => sub {
  my @codes = map { $_->{code} }
    @{answer_is($client{root}->get('/dashboard/v1/health'), 200)->{findings}};
  ok +(grep { $_ eq 'trust_lists_none' } @codes), 'of the server';
  unlike "@codes", qr/watchdog_silent|database/, 'which runs';
  $service->verifyctl(qw(org disable), $other->{id});
  my $whose = sub {
    my ($who) = @_;
    my $report = answer_is($client{$who}->get('/dashboard/v1/health'), 200, $who);
    is $report->{status}, 'ok', 'notes are no faults'
      or diag join ' ', map { $_->{code} } @{$report->{findings}};
    return [map { $_->{organization_id} // 'server' }
      grep { $_->{code} =~ /\Aorganization_|_none\z/ } @{$report->{findings}}];
  };
  is_deeply $whose->('olga'), [], 'who has a role in one sees nothing of others';
  is_deeply $whose->('root'), ['server', $other->{id}], 'who has one in all does';
  $service->verifyctl(qw(org enable), $other->{id});
  is_deeply $whose->('root'), ['server'], 'until it is right again';
  error_is $client{olga}->get('/dashboard/v1/health?org=x'), 400, 'parameter_invalid', 'org';
};

subtest 'keys' => sub {
  my $before = answer_is($client{olga}->get("$own/keys"), 200, 'an auditor reads them');
  is scalar @{$before->{data}}, 1, 'there is one';
  is $before->{data}[0]{last_used_at}, undef, 'that nobody has used';
  is $who->{client}->get('/v1/events')->status, 200, 'used';
  my $used = $client{olga}->get("$own/keys")->json->{data}[0]{last_used_at};
  cmp_ok abs(time - $used), '<', 600, '... which is noted';
  is $who->{client}->get('/v1/events')->status, 200, 'used again';
  is $client{olga}->get("$own/keys")->json->{data}[0]{last_used_at}, $used,
    '... which is not, so soon';

  my %wish = (type => 'secret', label => "Caf\x{e9} till", expires_at => time + 3600,
    application_id => $application->{id});
  my @same = ('Idempotency-Key' => 'key-1');
  my $made = answer_is($client{dora}->post("$own/keys", \%wish, @same), 201, 'made');
  like $made->{key}, qr/\Asvc_sk_.{43}\z/, 'with its text';
  is_deeply {map { $_ => $made->{$_} } keys %wish}, \%wish, 'as it was wished';
  is answer_is($client{dora}->post("$own/keys", \%wish, @same), 201)->{key}, $made->{key},
    'a repetition is the same';
  is $service->client($made->{key})->get('/v1/events')->status, 200, 'it opens';
  my $kept = $service->sql_value('SELECT string_agg(r::text, $$ $$) FROM idempotency_record r');
  unlike $kept, qr/\Q@{[substr $made->{key}, 7]}\E/, 'no text of it is kept';
  my $action = last_action();
  is_deeply [@$action{qw(actor subject)}], ['dora', $made->{id}], 'recorded';
  unlike(JSON::PP->new->encode($action), qr/till|\Q@{[substr $made->{key}, 7]}\E/,
    '... without label and text');
  my ($shown) = grep { $_->{id} eq $made->{id} }
    @{$client{olga}->get("$own/keys")->json->{data}};
  is $shown->{key}, undef, 'it is not shown again';
  is $shown->{last_characters}, substr($made->{key}, -4), '... but its end';

  my $revoke = "$own/keys/$made->{id}/revoke";
  error_is($client{olga}->post($revoke, {}), 403, 'operator_role_required');
  my $ended = answer_is($client{dora}->post($revoke, {}), 200, 'revoked');
  ok $ended->{revoked_at}, 'from now on';
  error_is $service->client($made->{key})->get('/v1/events'), 401, 'api_key_invalid';
  is answer_is($client{dora}->post($revoke, {}), 200)->{revoked_at}, $ended->{revoked_at},
    'once is enough';

  error_is($client{dora}->post("$own/keys", {type => 'magic'}), 400, 'parameter_invalid',
    'type');
  error_is($client{dora}->post("$own/keys", {type => 'secret', expires_at => time - 5}),
    400, 'parameter_invalid', 'expires_at');
  error_is($client{dora}->post("$own/keys", {type => 'secret', label => 'x' x 101}), 400,
    'parameter_invalid', 'label');
  error_is($client{dora}->post("$own/keys", {type => 'secret',
    application_id => 'app_01arz3ndektsv4rrffq69g5fav'}), 404, 'resource_missing');
  my $theirs = $service->verifyctl(qw(key list --org), $other->{id})->[0];
  error_is($client{dora}->post("$own/keys/$theirs->{id}/revoke", {}), 404,
    'resource_missing', undef, 'a key of another organization is none');
  is $other->{client}->get('/v1/events')->status, 200, '... and stays';
  my ($first, $rest) = map { $client{olga}->get("$own/keys?limit=1$_")->json }
    '', "&starting_after=$made->{id}";
  is_deeply [$first->{has_more}, map { $_->{data}[0]{id} } $first, $rest],
    [JSON::PP::true, $made->{id}, $before->{data}[0]{id}], 'page by page';
  my $labelled = $service->verifyctl(qw(key create --org), $who->{id},
    qw(--type publishable --label Kiosk));
  is $labelled->{label}, 'Kiosk', 'verifyctl labels, too';
};

subtest 'a sign-in is recorded with its role and rule' => sub {
  my $made = answer_is($client{olga}->post("$own/sign_ins", {}), 200, 'recorded');
  is $made->{user}, 'olga', 'who it was';
  my ($record) = grep { $_->{actor} eq 'olga' } @{answer_is($client{olga}->get(
    "$own/audit?action=POST%20/dashboard/v1/organizations/:org/sign_ins"), 200)->{data}};
  is_deeply [@$record{qw(role rule)}], [@$made{qw(role rule)}], 'by what it was allowed';
  like $made->{rule}, qr/olga/, 'which names the login';
  error_is($client{olga}->post("$own/sign_ins", {user => 'dora'}), 400, 'parameter_invalid',
    'user');
  answer_is($client{olga}->post("$own/sign_ins", {}), 200) for 2 .. 60;
  my $most = $service->sql_value('SELECT count(*) FROM operator_action');
  error_is($client{olga}->post("$own/sign_ins", {}), 429, 'rate_limit_exceeded');
  is $service->sql_value('SELECT count(*) FROM operator_action'), $most,
    'and no more than 60 in an hour';
  my $both = answer_is($client{dora}->post("$own/sign_ins", {}), 200, 'each login by itself');
  is_deeply [map { "$_->{role}: $_->{rule}" } @{$both->{roles}}],
    [map { "$_: $_ $who->{id} user dora" } qw(auditor developer)], 'with all roles, by their rules';
  is_deeply last_action()->{details}{roles}, $both->{roles}, 'which are recorded';
};

subtest 'applications' => sub {
  my $page = answer_is($client{olga}->get("$own/applications"), 200, 'listed');
  is_deeply [map { [@$_{qw(id name)}] } @{$page->{data}}], [[$application->{id}, 'Shop']],
    'with their names';
  my $made = answer_is($client{dora}->post("$own/applications", {name => 'Till'}), 201, 'created');
  is_deeply [@$made{qw(object name)}], ['application', 'Till'], 'as it was asked for';
  is answer_is($client{olga}->get("$own/applications"), 200)->{data}[0]{id}, $made->{id}, 'listed';
  is last_action()->{actor}, 'dora', 'and recorded';
  error_is($client{olga}->post("$own/applications", {name => 'x'}), 403, 'operator_role_required');
  error_is($client{dora}->post("$own/applications", $_), 400, 'parameter_invalid', 'name')
    for {}, {name => ''}, {name => 'n' x 501};
  $service->verifyctl(qw(app retire --org), $who->{id}, $made->{id});
};

subtest 'trust reuse of an application' => sub {
  my $settings = "$own/applications/$application->{id}/trust_reuse/settings";
  is answer_is($client{olga}->get($settings), 200)->{enabled}, JSON::PP::false, 'off';
  error_is($client{dora}->patch($settings, {enabled => \1, accept_liability => \1}), 403,
    'operator_role_required');
  for (1 .. 2) {
    error_is($client{ada}->patch($settings, {enabled => \1}), 400, 'parameter_invalid',
      'accept_liability', 'nobody switches it on without answering for it');
    is answer_is($client{ada}->patch($settings, {enabled => \1, accept_liability => \1}),
      200)->{enabled}, JSON::PP::true, 'switched on';
    is answer_is($client{ada}->patch($settings, {enabled => \0}), 200)->{enabled},
      JSON::PP::false, 'and off';
  }
  is last_action()->{subject}, $application->{id}, 'recorded';
  my @reuse = (qw(app reuse), $application->{id}, '--org', $who->{id});
  ok !eval { $service->verifyctl(@reuse, qw(--enabled on)); 1 }, 'nor by verifyctl';
  my $changed = $service->verifyctl(@reuse, qw(--enabled on --accept-liability
    --max-age-days 90 --same-jurisdiction off --methods mdl));
  is_deeply [@$changed{qw(enabled max_age_days require_same_jurisdiction accepted_methods)}],
    [JSON::PP::true, 90, JSON::PP::false, ['mdl']], 'which does it, too';
  is_deeply answer_is($client{olga}->get($settings), 200), $changed, 'as the page sees';
  is_deeply $service->verifyctl(@reuse), $changed, 'and verifyctl shows';
  ok !eval { $service->verifyctl(@reuse, '--methods', join ',', ('mdl') x 40); 1 },
    'no more methods than there are';
};

my $endpoint = answer_is $who->{client}->post('/v1/webhook_endpoints', {name => 'Shop',
  url => 'https://127.0.0.1:1/webhooks', enabled_events => ['*']}), 201, 'an endpoint';
my $second = answer_is $who->{client}->post('/v1/webhook_endpoints', {name => 'Books',
  url => 'https://127.0.0.1:1/books', enabled_events => ['*']}), 201, 'another';
my @tests = map { answer_is($who->{client}->post("/v1/webhook_endpoints/$_->{id}/test", {}),
  200, 'a delivery')->{delivery_id} } $endpoint, $second, $endpoint;
ok wait_for { !$service->sql_value('SELECT count(*) FROM webhook_delivery WHERE attempt = 0
  OR leased_by IS NOT NULL') }, 'each was tried';
# What came back is made up: no answer, 404 and 503.
$service->sql(q{UPDATE webhook_delivery SET status = 'failed', next_attempt_at = NULL,
  response = ?::json WHERE id = ?}, @$_)
  for ['{"status_code": 404, "headers": {}, "body": "", "duration_ms": 5}', $tests[1]],
    ['{"status_code": 503, "headers": {}, "body": "", "duration_ms": 5}', $tests[2]];

subtest 'deliveries of all endpoints' => sub {
  my $list = sub {
    my $page = answer_is($client{olga}->get("$own/webhook_deliveries?" . ($_[0] // '')), 200);
    return [map { $_->{id} } @{$page->{data}}];
  };
  my @all = sort { $b cmp $a } @tests;
  is_deeply $list->(), \@all, 'all, newest first';
  is_deeply $list->("webhook_endpoint_id=$second->{id}"), [$tests[1]], 'of one endpoint';
  is_deeply $list->('status=failed'), [grep { $_ ne $tests[0] } @all], 'in one state';
  is_deeply $list->('event_type=session_review.flagged'), [], 'of one type';
  my $event = answer_is($client{olga}->get("$own/webhook_endpoints/$second->{id}"
    . "/deliveries/$tests[1]"), 200)->{event_id};
  is_deeply $list->("event_id=$event"), [$tests[1]], 'of one event';
  is_deeply $list->("event_id=$event&$_"), [], '... and of none'
    for "webhook_endpoint_id=$endpoint->{id}", 'status=delivered',
      'event_type=session_review.flagged', 'created_lt=' . (time - 600),
      "starting_after=$tests[1]";
  is_deeply $list->('event_id=evt_' . 'z' x 26), [], 'of one that is not there';
  is_deeply [map { $_->{id} } @{$service->verifyctl(qw(delivery list --org), $who->{id},
    '--event', $event)}], [$tests[1]], 'verifyctl finds it, too';
  error_is($client{olga}->get("$own/webhook_deliveries?event_id=$_"), 400,
    'parameter_invalid', 'event_id', "no event: $_") for 'x', $tests[1];
  is_deeply $list->('http_status=404'), [$tests[1]], 'by the answer';
  is_deeply $list->('http_status=5xx'), [$tests[2]], 'by its class';
  is_deeply $list->('http_status=none'), [$tests[0]], 'without one';
  is_deeply $list->("http_status=4xx&webhook_endpoint_id=$endpoint->{id}"), [],
    'and of one endpoint';
  is_deeply $list->('http_status=failing'), \@all, 'what fails in a row, of any answer';
  $service->sql('UPDATE webhook_delivery d SET updated_at = w.failing_since - 1
    FROM webhook_endpoint w WHERE d.id = ? AND w.id = d.webhook_endpoint_id', $tests[0]);
  is_deeply $list->('http_status=failing'), [grep { $_ ne $tests[0] } @all],
    'but nothing from before the last success';
  is_deeply $list->('created_gte=' . (time + 60)), [], 'from a time on';
  is_deeply $list->("created_lt=$_"), [], "and before $_" for time - 600, 0;
  is_deeply $list->('created_gte=' . (time - 600)), \@all, 'in between';
  is_deeply [map { @{$list->("limit=1$_")} } '', "&starting_after=$all[0]",
    "&starting_after=$all[1]", "&ending_before=$all[1]", "&ending_before=$all[2]"],
    [@all, @all[0, 1]], 'page by page, both ways';
  is_deeply [map { $_->{id} } @{$service->verifyctl(qw(delivery list --org), $who->{id},
    qw(--http-status 5xx))}], [$tests[2]], 'verifyctl finds them, too';
  for my $wrong (qw(200 6xx 4x4 40 xxx 4xxx)) {
    error_is($client{olga}->get("$own/webhook_deliveries?http_status=$wrong"), 400,
      'parameter_invalid', 'http_status', "wrong: $wrong");
  }
  error_is($client{olga}->get("$own/webhook_deliveries?http_status=404&$_"), 400,
    'parameter_invalid', 'http_status', $_) for 'status=failed', "event_id=$event";
};

subtest 'a signature that is not accepted' => sub {
  my $path = "$own/webhook_endpoints/$endpoint->{id}/deliveries/$tests[0]";
  my $body = $who->{client}->get("/v1/webhook_endpoints/$endpoint->{id}/deliveries/$tests[0]")
    ->json->{request}{body};
  my $secret = $endpoint->{secret};
  my $at = time;
  my $right = hmac_sha256_hex("$at.$body", $secret);
  my $ask = sub {
    my (%question) = @_;
    my $answer = $client{dora}->post("$path/diagnosis", {signature => "t=$at,v1=$right",
      body => $body, %question});
    unlike $answer->body, qr/whsec_|\Q$right\E/, 'tells no secret';
    return join ' ', @{answer_is($answer, 200)->{findings}};
  };
  my $good = 'header_genuine body_same';
  is $ask->(computed => $right), "$good computed_right", 'nothing is wrong';
  is $ask->(computed => uc $right), "$good computed_right", 'in capitals';
  is $ask->(computed => hmac_sha256_hex($body, $secret)), "$good computed_without_time",
    'the body alone';
  is $ask->(computed => hmac_sha256_hex("$at$body", $secret)), "$good computed_without_dot",
    'no dot';
  is $ask->(computed => hmac_sha256_base64("$at.$body", $secret) . '='),
    "$good computed_base64", 'in base64';
  my $bare = $secret =~ s/\Awhsec_//r;
  is $ask->(computed => hmac_sha256_hex("$at.$body", $bare)),
    "$good computed_key_without_prefix", 'half of the key';
  is $ask->(computed => hmac_sha256_hex("$at.$body", decode_base64($bare))),
    "$good computed_key_decoded", 'the bytes of the key';
  is $ask->(computed => hmac_sha256_hex("$at.$body", $second->{secret})),
    "$good computed_other", 'the secret of another endpoint';
  my $json = JSON::PP->new->canonical->pretty;
  my $rewritten = $json->encode($json->decode($body));
  is $ask->(body => $rewritten, computed => hmac_sha256_hex("$at.$rewritten", $secret)),
    'header_genuine body_rewritten computed_of_other_body', 'parsed and written again';
  is $ask->(body => "$body\n"), 'header_genuine body_whitespace', 'a new line';
  is $ask->(body => '{}'), 'header_genuine body_other', 'another body';
  my $old = $at - 900;
  is $ask->(signature => "t=$old,v1=" . hmac_sha256_hex("$old.$body", $secret)),
    'header_genuine time_off body_same', 'late';
  is $ask->(signature => "t=$at,v1=" . 'a' x 64), 'header_other body_same', 'not ours';
  is $ask->(signature => $right), 'header_malformed body_same', 'no header';
  is $ask->(signature => "t=99999999999999999999,v1=$right"), 'header_malformed body_same',
    'no time';
  error_is($client{olga}->post("$path/diagnosis", {signature => 'x'}), 403,
    'operator_role_required');
  error_is($client{dora}->post("$path/diagnosis", {}), 400, 'parameter_invalid', 'signature');
};

# The watchdog may look at the list below, whose certificate ends soon, before the test ends.
$service->allow_log(qr/IDV0810: the trust list \S+ \(iaca mine\) .* has certificates \(1\) to be/);
subtest 'trust lists' => sub {
  my $lists = "$own/trust_lists";
  is_deeply answer_is($client{olga}->get($lists), 200)->{data}, [], 'none at first';
  my $folder = "$service->{directory}/trust";
  mkdir $_ or die "$_: $!\n" for $folder, "$folder/wallets";
  my $authority = Verify::Authority->new($folder);
  $authority->authority('first', country => 'UT');
  $authority->authority('second', country => 'UT', days => 20);
  $authority->copy_pem('first', "$folder/wallets/first.pem");
  my @import = qw(trust import --kind iaca);
  my $all = $service->verifyctl(@import, "$folder/wallets");
  my $mine = $service->verifyctl(@import, qw(--name mine --org), $who->{id}, "$folder/wallets");
  my $foreign = $service->verifyctl(@import, qw(--org), $other->{id}, "$folder/wallets");
  my $shown = answer_is($client{olga}->get($lists), 200, 'an auditor reads them')->{data};
  is_deeply [map { [@$_{qw(id organization_id kind name status certificates)}] } @$shown],
    [[$all->{id}, undef, 'iaca', 'wallets', 'current', 1],
     [$mine->{id}, $who->{id}, 'iaca', 'mine', 'current', 1]], 'its own and those for all';
  my %known = map { $_ => $shown->[1]{$_} } grep { !/\A(?:certificates_ending|first_end)\z/ }
    keys %{$shown->[1]};
  is_deeply \%known, $service->verifyctl(qw(trust list --org), $who->{id})->[1],
    'as verifyctl has them';
  is_deeply [@{$shown->[1]}{qw(certificates_ending first_end)}], [0, undef], 'nothing ends';
  $authority->copy_pem('second', "$folder/wallets/second.pem");
  $service->verifyctl(@import, qw(--name mine --org), $who->{id}, "$folder/wallets");
  my $editions = answer_is($client{olga}->get("$lists/$mine->{id}"), 200)->{data};
  is_deeply [map { [@$_{qw(status certificates certificates_ending)}] } @$editions],
    [['current', 2, 1], ['replaced', 1, 0]], 'both editions, and what ends of the one in use';
  cmp_ok abs($editions->[0]{first_end} - time - 20 * 86400), '<', 3600, 'and when';
  answer_is $client{olga}->get("$lists/$all->{id}"), 200, 'one that is for all';
  error_is $client{olga}->get("$lists/$foreign->{id}"), 404, 'resource_missing', undef,
    'and none of others';
  error_is $client{olga}->get("$lists/tls_none"), 404, 'resource_missing';
  error_is $client{olga}->get("$lists?limit=1"), 400, 'parameter_invalid', 'limit';
};

subtest 'usage and credits' => sub {
  answer_is $who->{client}->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $who->{workflow_id}, jurisdiction => 'US-VA', skip_verification => \1}),
    201, 'a verification' for 1 .. 3;
  my $usage = answer_is($client{olga}->get("$own/usage"), 200, 'an auditor reads it');
  is_deeply [map { [@$_{qw(month verifications sandbox)}] } @{$usage->{months}}],
    [[$usage->{month}, 3, 3]], 'the month';
  is_deeply $service->verifyctl(qw(usage --org), $who->{id}), $usage->{months},
    'as verifyctl has it';
  error_is($client{$_}->post("$own/credits", {amount => 5, note => 'x'}), 403,
    'operator_role_required', undef, "$_ gives none") for qw(dora ada);
  my %addition = (amount => 500, note => 'Invoice 17');
  my @same = ('Idempotency-Key' => 'credits-1');
  is answer_is($client{root}->post("$own/credits", \%addition, @same), 201)->{credit_balance},
    500, 'credits';
  my $action = last_action();
  is_deeply [@$action{qw(actor role)}, $action->{details}{amount}], ['root', 'admin', 500],
    'recorded with the amount';
  is answer_is($client{root}->post("$own/credits", \%addition, @same), 201)->{credit_balance},
    500, 'not twice';
  is answer_is($client{root}->post("$own/credits", {amount => -20, note => 'Refund'}),
    201)->{credit_balance}, 480, 'taken away';
  is $client{olga}->get("$own/usage")->json->{credit_balance}, 480, 'what is left';
  error_is($client{root}->post("$own/credits", {amount => 0, note => 'x'}), 400,
    'parameter_invalid', 'amount');
  error_is($client{root}->post("$own/credits", {amount => 5}), 400, 'parameter_invalid', 'note');
  my $ledger = answer_is($client{olga}->get("$own/ledger?limit=2"), 200);
  is_deeply [$ledger->{has_more}, map { [@$_{qw(kind amount balance note)}] } @{$ledger->{data}}],
    [JSON::PP::true, ['credits', -20, 480, 'Refund'], ['credits', 500, 500, 'Invoice 17']],
    'the ledger';
  my $last = $ledger->{data}[1]{id};
  my $rest = answer_is($client{olga}->get("$own/ledger?starting_after=$last"), 200);
  is_deeply [$rest->{has_more}, map { $_->{kind} } @{$rest->{data}}],
    [JSON::PP::false, ('sandbox') x 3], '... to its beginning';
  my $back = answer_is($client{olga}->get(
    "$own/ledger?limit=2&ending_before=$rest->{data}[0]{id}"), 200);
  is_deeply $back->{data}, $ledger->{data}, '... and back';
  error_is($client{olga}->get("$own/ledger?starting_after=led_01arz3ndektsv4rrffq69g5fav"),
    400, 'parameter_invalid', 'starting_after');
};

subtest 'settings of the organization' => sub {
  my $before = answer_is($client{olga}->get($own), 200);
  error_is($client{dora}->patch($own, {name => 'x'}), 403, 'operator_role_required');
  my $after = answer_is($client{ada}->patch($own, {name => 'Wine & Co',
    publishable_session_create => 'blocked', four_eyes_publish => \1, four_eyes_reject => \1,
    four_eyes_erase => \1}),
    200, 'changed');
  is_deeply [@$after{qw(name publishable_session_create billing_status free_allotment)},
    $after->{four_eyes}], ['Wine & Co', 'blocked', @$before{qw(billing_status free_allotment)},
    {publish => JSON::PP::true, reject => JSON::PP::true, erase => JSON::PP::true}], 'as it was wished';
  is_deeply answer_is($client{olga}->get($own), 200)->{four_eyes}, $after->{four_eyes}, 'kept';
  my $restricted = answer_is($client{dora}->post("$own/keys", {type => 'secret'}), 201);
  is_deeply [grep { /cancel|flag/ } @{$restricted->{scopes}}], [],
    'a developer\'s key ends no review';
  answer_is($client{dora}->post("$own/keys", {type => 'publishable'}), 201,
    'one for browsers is not');
  answer_is($client{ada}->patch($own, {second_review_percent => 50}), 200);
  error_is($client{ada}->patch($own, {second_review_percent => 49}), 403,
    'operator_role_required', undef, 'fewer second reviews are not for an admin of one');
  answer_is($client{ada}->patch($own, {name => 'Wine & Co', second_review_percent => 50,
    publishable_session_create => 'blocked', four_eyes_reject => \1}), 200, 'what stays may');
  my $action = last_action();
  is_deeply [@$action{qw(action actor subject)},
    @{$action->{details}}{qw(publishable_session_create four_eyes_reject)}],
    ['PATCH /dashboard/v1/organizations/:org', 'ada', $who->{id}, 'blocked', JSON::PP::true],
    'recorded';
  my $brand = {accent => '#0a5c36', font => 'serif',
    wording => {en => {'verified.title' => 'Welcome aboard'}}};
  is_deeply answer_is($client{ada}->patch($own, {brand => $brand}), 200, 'the brand')->{brand},
    $brand, 'is set';
  ok !exists $_->{brand}, 'and no list has it'
    for @{answer_is($client{ada}->get('/dashboard/v1/organizations'), 200)->{data}};
  answer_is($client{ada}->patch($own, {brand => {font => undef, radius => 'none'}}), 200);
  is_deeply answer_is($client{ada}->get($own), 200)->{brand}, {accent => '#0a5c36',
    radius => 'none', wording => $brand->{wording}}, 'what is not passed is kept';
  error_is($client{ada}->patch($own, {brand => {wording => {en => {'consent.title' => 'x'}}}}),
    400, 'parameter_invalid', 'brand.wording');
  error_is($client{ada}->patch($own, {brand => {accent => '#ffffff'}}), 400,
    'parameter_invalid', 'brand.accent');
  error_is($client{ada}->patch($own, {brand => {typeface => undef}}), 400,
    'parameter_invalid', 'brand.typeface', 'null for what a brand does not have');
  answer_is($client{ada}->patch($own, {brand => {map { $_ => undef } qw(accent radius wording)}}),
    200);
  is answer_is($client{ada}->get($own), 200)->{brand}, undef, 'and it is taken away';
  error_is($client{ada}->patch($own, {billing_status => 'gone'}), 400, 'parameter_invalid',
    'billing_status');
  error_is($client{ada}->patch($own, {free_allotment => -1}), 400, 'parameter_invalid',
    'free_allotment');
  for my $change ({four_eyes_reject => \0}, {four_eyes_publish => \0}, {four_eyes_erase => \0},
    {billing_status => 'suspended'}, {free_allotment => 1_000_000}) {
    error_is($client{ada}->patch($own, {name => 'Mine', %$change}), 403,
      'operator_role_required', undef, "not by an admin of one: @{[%$change]}");
  }
  my %same = map { $_ => $after->{$_} } qw(name billing_status free_allotment);
  is_deeply answer_is($client{ada}->patch($own, {%same, four_eyes_publish => \1}), 200),
    {%$after, updated => answer_is($client{ada}->get($own), 200)->{updated}},
    'what stays as it is may be named, and nothing was changed';
  is answer_is($client{root}->patch($own, {four_eyes_reject => \0}), 200)->{four_eyes}{reject},
    JSON::PP::false, 'switched off by an admin of all';
  is answer_is($client{root}->patch($own, {free_allotment => 7}), 200)->{free_allotment},
    7, 'who decides what is free';
  is_deeply $before->{rate_limit}, {secret => 1000, publishable => 100},
    'the limits of the server';
  $service->verifyctl(qw(org limits), $who->{id}, qw(--publishable 7));
  is_deeply answer_is($client{olga}->get($own), 200)->{rate_limit},
    {secret => 1000, publishable => 7}, 'and one of its own';
  error_is($client{root}->patch($own, {rate_limit => {secret => 5}}), 400,
    'parameter_invalid', 'rate_limit', 'which is set by verifyctl alone');
};

subtest 'the record of what was sent' => sub {
  my $there = "$own/webhook_endpoints/$second->{id}";
  my $tested = answer_is($client{dora}->post("$there/test", {}), 200, 'an event to try');
  answer_is($client{dora}->post("$there/deliveries/$tests[1]/retry", {}), 200,
    'a delivery again');
  is_deeply [map { [@$_{qw(actor subject)}, $_->{action} =~ /(\w+)\z/, $_->{details}] }
    @{answer_is($client{olga}->get("$own/audit?limit=2&subject=$second->{id}"), 200)->{data}}],
    [['dora', $second->{id}, 'retry', {delivery_id => $tests[1]}],
      ['dora', $second->{id}, 'test', {event_id => $tested->{id}}]],
    'which delivery and which event, beside the endpoint';
};

finish $service;
