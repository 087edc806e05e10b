# Declarative set-up: `verifyctl apply` brings an installation to what files say,
# and `verifyctl export` writes such a file.
use v5.32;
use utf8;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP ();
use POSIX ();
use Verify::Authority;
use Verify::Command;
use Verify::Test;
use Verify::Wait;

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output todo_output);

my $service = Verify::Instance->start(start => 0);
my $command = Verify::Command->new($service);
my $json = JSON::PP->new->utf8->canonical;
my $directory = $service->{directory};
my $number = 0;

sub file {
  my ($text, $name) = @_;
  my $path = "$directory/" . ($name // 'setup' . ++$number . '.yaml');
  utf8::encode($text) if utf8::is_utf8($text);
  $command->write_file($path, $text);
  return $path;
}
sub apply { return $command->prints(['apply', @_]) }
sub refuses { return $command->refuses(['apply', $_[0], @_[2 .. $#_]], $_[1]) }
# What changes, as "create webhook_endpoint Orders".
sub changes {
  my ($answer) = @_;
  return [map { "$_->{action} $_->{kind} $_->{name}" }
    grep { $_->{action} ne 'unchanged' } @{$answer->{objects}}];
}
sub export_text {
  my ($status, $text, $errors) = $command->run('export', @_);
  is $status, 0, 'an export' or diag $errors;
  return ($text, $errors);
}
# Standard error tells what is left out.
sub exported {
  my ($of, @options) = @_;
  return $json->decode(($of->run('export', '--json', @options))[1]);
}
# What script(1) shows is what a terminal would.
sub on_terminal {
  local %ENV = $service->environment;
  my $shown = `script -qec "scripts/verifyctl @_" /dev/null </dev/null`;
  utf8::decode($shown);
  return $shown;
}

my $shop = <<'YAML';
# A shop.
organizations:
  - name: Shop ☂
    limits: {secret: 600}
    applications:
      - name: Bar
    workflows:
      - definition:
          name: Age
          session_types: [age]
          start: id
          nodes:
            id: {type: methods, mode: any_of, methods: [mdl],
                 next: {passed: yes, exhausted: no}}
            yes: {type: outcome, status: verified}
            no: {type: outcome, status: failed}
    api_keys:
      - {name: server, type: secret, application: Bar, scopes: ["sessions:write", "sessions:read"]}
    webhook_endpoints:
      - name: Orders
        url: https://SHOP.example/hooks
        enabled_events: ["*"]
YAML

subtest 'an organization' => sub {
  my $path = file($shop);
  my $plan = apply('--dry-run', $path);
  ok !$plan->{applied} && !@{$plan->{secrets}}, 'a plan has no secrets';
  is_deeply $command->prints([qw(org list)]), [], '... and changes nothing';
  my $done = apply($path);
  is_deeply changes($done), changes($plan), 'what is done is what was planned';
  is_deeply [sort @{changes($done)}], ['create api_key server', 'create application Bar',
    'create organization Shop ☂', 'create webhook_endpoint Orders', 'create workflow Age'],
    'all is created';
  is_deeply [map { $_->{kind} } @{$done->{secrets}}], [qw(api_key webhook_endpoint)],
    'secrets are printed once';
  like $done->{secrets}[0]{secret}, qr/\Asvc_sk_/, '... the key';
  my $again = apply($path);
  is_deeply [$again->{summary}{unchanged}, changes($again), $again->{secrets}], [5, [], []],
    'a second apply finds nothing to change';
  is_deeply changes(apply('--dry-run', '--prune', $path)), [], '... also with --prune';
};

subtest 'changes' => sub {
  my $text = $shop =~ s/secret: 600/secret: 700/r =~ s{SHOP.example/hooks}{shop.example/events}r
    =~ s/mode: any_of, methods: \[mdl\]/mode: any_of, methods: [mdl, document_capture]/r;
  my $plan = apply('--plan', file($text));
  my %fields = map { $_->{kind} => $_->{fields} } @{$plan->{objects}};
  is_deeply $fields{organization}, [{field => 'limits.secret', old => 600, new => 700}],
    'a number, old and new';
  is_deeply $fields{webhook_endpoint}, [{field => 'url', old => 'https://SHOP.example/hooks',
    new => 'https://shop.example/events'}], 'a URL';
  is_deeply [map { $_->{field} } @{$fields{workflow}}], ['definition/nodes/id/methods'],
    'a member of a definition';
  is_deeply $fields{api_key}, [], 'what is not changed has no fields';
  is $plan->{summary}{change}, 3, 'three changes are planned';
  my $organization = $command->prints([qw(org list)])->[0]{id};
  is @{$command->prints([qw(key list --org), $organization])}, 1, 'and none made';
  apply(file($text));
  is $command->prints([qw(org show), $organization])->{rate_limit}{secret}, 700, 'then all are';
  is_deeply changes(apply(file($text))), [], 'once';
  my $part = "organizations:\n- name: Shop ☂\n  billing_status: suspended\n";
  is_deeply changes(apply('--prune', file($part))), ['change organization Shop ☂'],
    'what a file leaves out stays as it is, also with --prune';
  my @actions = map { $_->{action} } @{$command->prints([qw(audit list --org), $organization])};
  is_deeply [grep { $_ eq 'endpoint create' } @actions], ['endpoint create'],
    'each change is in the record of its organization, as that of a command';
  my ($entry) = @{$command->prints([qw(audit list --org *)])};
  is_deeply [$entry->{action}, $entry->{details}{summary}], ['apply',
    {create => 0, change => 1, delete => 0, unchanged => 0}], 'and each apply in that of the server';
};

subtest 'what a file no longer names' => sub {
  my $organization = $command->prints([qw(org list)])->[0]{id};
  my @nameless = map { $command->prints([qw(key create --type secret --org), $organization])->{id} } 1, 2;
  my $text = $shop =~ s/^    api_keys:\n.*\n/    api_keys: []\n/mr =~ s/^    webhook_endpoints:.*//smr;
  my $kept = apply(file($text));
  is_deeply changes($kept), ['change workflow Age', 'change organization Shop ☂'],
    'stays without --prune';
  is_deeply [sort map { "$_->{kind} $_->{id}" } @{$kept->{unmanaged}}],
    [sort map { "api_key $_" } @nameless], 'keys without a label are told';
  my $plan = apply('--prune', '--dry-run', file($text));
  is_deeply changes($plan), ['delete api_key server'], 'a plan says what --prune would delete';
  is_deeply changes(apply('--prune', file($text))), changes($plan), 'it does that alone';
  my %revoked = map { $_->{label} // $_->{id} => $_->{revoked_at} }
    @{$command->prints([qw(key list --org), $organization])};
  ok $revoked{server}, 'the key is revoked';
  is $revoked{$_}, undef, '... and one without a label is not' for @nameless;
  is @{$command->prints([qw(endpoint list --org), $organization])}, 1,
    'a list that is not in the file is left alone';
  is_deeply changes(apply(file($shop =~ s/SHOP.example.hooks/shop.example\/events/r)) ),
    ['create api_key server'], 'a revoked key is made anew';
};

subtest 'faults' => sub {
  my $before = (export_text())[0];
  my $named = sub { my ($from, $to) = @_; my $text = $shop; $text =~ s/$from/my $first = $1; $to =~ s{\$1}{$first}r/e or die $from; return $text };
  my $other = "organizations: [{name: New}]\n";
  for (
    ['an unknown field', $named->(qr/url:/, 'ulr:'),
      qr{setup\d+\.yaml:21: /organizations/0/webhook_endpoints/0/ulr: Unknown field\. Is this meant: url\?}],
    ['a field of another kind', $named->(qr/name: Bar$/m, "name: Bar\n        scopes: []"), qr{:7: .*scopes: Unknown field\.}],
    ['a wrong type', $named->(qr/secret: 600/, 'secret: many'), qr{:4: .*/limits/secret: Must be a whole number}],
    ['a fault in a definition', $named->(qr/status: failed/, 'status: fialed'), qr{:16: .*/definition/nodes/no/status: }],
    ['what a command refuses', $named->(qr{https://SHOP}, 'ftp://SHOP'), qr{:21: .*/webhook_endpoints/0/url: }],
    ['an unknown application', $named->(qr/Shop(.*)application: Bar/s, 'New shop$1application: Pub'), qr{:18: .*/api_keys/0/application: .*No application}],
    ['a name that occurs twice', $named->(qr/name: Bar$/m, "name: Bar\n      - name: Bar"), qr{:7: .*This name occurs twice}],
    ['a missing field', $named->(qr/Shop(.*)^        url:.*?\n/sm, 'New shop$1'), qr{webhook_endpoints/0/url: .*missing}],
    ['what cannot be changed', $named->(qr/type: secret/, 'type: publishable'), qr{/api_keys/0/type: .*cannot be changed}],
    ['an unknown word of what cannot be changed', $named->(qr/type: secret/, 'type: sceret'), qr{/api_keys/0/type: .*"sceret" is unknown\. Use one of: secret, publishable}],
    ['an unknown scope of a key', $named->(qr/sessions:read/, 'sessions:raed'), qr{/api_keys/0/scopes: .*"sessions:raed" is unknown}],
    ['an alias', "a: &a [x]\norganizations: *a\n", qr{:1: Anchors, aliases and tags}],
    ['nesting', 'a: ' . '[' x 40 . "\n", qr{:1: .*(?:nested|Not valid)}],
    ['a tag', "organizations: !!python/object x\n", qr{:1: Anchors, aliases and tags}],
    ['two documents', "organizations: []\n---\norganizations: []\n", qr{:2: .*more than one document}],
    ['a key that occurs twice', "organizations: []\norganizations: []\n", qr{:2: A name occurs twice}],
    ['no mapping', "- 1\n", qr{:1: .*must be a mapping}],
    ['nothing', '', qr{:1: The file is empty}],
    ['a large file', '#' x (4 * 1024 * 1024 + 1), qr{Larger than 4194304}],
    ['what is no UTF-8', "organizations: [{name: \xff}]\n" , qr{Not valid YAML|UTF-8}],
    ['control characters', "organizations: [{nam\\e: x, \"n\\e[31mame\": y}]\n", qr{\A[^\e]*\z}],
  ) {
    my ($name, $text, $expected) = @$_;
    refuses(file($other), $expected, file($text));
    is((export_text())[0], $before, "$name changes nothing, in any file");
  }
  refuses("$directory/none.yaml", qr{none\.yaml}, );
  refuses(file($other), qr/This name occurs twice/, file($other));
};

subtest 'secrets in files' => sub {
  my $folder = "$directory/secrets";
  mkdir $folder, 0700;
  my $text = <<'YAML';
organizations:
  - name: ../../etc/Pässe
    api_keys:
      - {name: "a/b.c", type: secret}
    webhook_endpoints:
      - {url: "https://receiver.example/"}
YAML
  my $path = file($text);
  my $trial = apply('--dry-run', '--secrets-dir', $folder, $path);
  is_deeply [glob "$folder/*"], [], 'a trial writes none';
  is_deeply [grep { defined } map { $_->{id} } @{$trial->{objects}}], [],
    'and names no id that would be another later';
  symlink "$directory/elsewhere", "$folder/%2E%2E%2F%2E%2E%2Fetc%2FP%C3%A4sse.api_key.a%2Fb%2Ec" or die;
  refuses($path, qr/secrets-dir/, '--secrets-dir', $folder);
  refuses($path, qr/File exists.*secrets-dir/, '--dry-run', '--secrets-dir', $folder);
  refuses($path, qr/secrets-dir/, '--dry-run', '--secrets-dir', "$folder/none");
  ok !-e "$directory/elsewhere", 'no link is followed';
  is_deeply [glob "$folder/*"], ["$folder/%2E%2E%2F%2E%2E%2Fetc%2FP%C3%A4sse.api_key.a%2Fb%2Ec"],
    'what was written before the fault is removed';
  unlink glob "$folder/*";
  my $answer = apply('--secrets-dir', $folder, $path);
  is_deeply [grep { exists $_->{secret} } @{$answer->{secrets}}], [], 'no secret is printed';
  my ($key, $secret) = map { $_->{file} } @{$answer->{secrets}};
  is $key, "$folder/%2E%2E%2F%2E%2E%2Fetc%2FP%C3%A4sse.api_key.a%2Fb%2Ec", 'the name of a file';
  like Verify::Instance::read_text($key), qr/\Asvc_sk_[\w-]+\n\z/, 'a key';
  like Verify::Instance::read_text($secret), qr/\Awhsec_\S+\n\z/, 'a signing secret';
  is sprintf('%o', (stat $_)[2] & 07777), '600', 'only for its owner' for $key, $secret;
  chmod 0777, $folder;
  refuses($path, qr/others can write/, '--secrets-dir', $folder);
};

subtest 'JSON' => sub {
  my $path = file(qq({"organizations": [{"name": "\\ud83c\\udf7a bar",\n"sandbox": true, "billing_status": "x"}]}), 'setup.json');
  refuses($path, qr{setup\.json.*/organizations/0/billing_status});
  $path = file(qq({"organizations": [{"name": "\\ud83c\\udf7a bar",\n"sandbox": true}]}), 'setup.json');
  is_deeply changes(apply($path)), ['create organization 🍺 bar'], 'is read, with escaped halves';
  $path = file(qq({"organizations": [\n{"name": "x", "sandbx": true}]}), 'setup.json');
  refuses($path, qr{setup\.json:2: .*sandbx: Unknown field\. Is this meant: sandbox});
};

subtest 'at the same time, and cut off' => sub {
  my $text = join '', "organizations:\n- name: Race\n  api_keys:\n",
    map { "  - {name: k$_, type: secret}\n" } 1 .. 20;
  my $path = file($text);
  my @pids = map {
    my $number = $_;
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
      local %ENV = $service->environment;
      open STDOUT, '>', "$directory/race$number" or POSIX::_exit(127);
      exec 'scripts/verifyctl', 'apply', $path or POSIX::_exit(127);
    }
    $pid;
  } 1 .. 3;
  is_deeply [map { waitpid $_, 0; $? } @pids], [0, 0, 0], 'three at once succeed';
  my @made = map { $json->decode(Verify::Instance::read_text("$directory/race$_"))->{summary}{create} } 1 .. 3;
  is_deeply [sort { $a <=> $b } @made], [0, 0, 21], '... and one of them creates';
  my ($race) = grep { $_->{name} eq 'Race' } @{$command->prints([qw(org list)])};
  is @{$command->prints([qw(key list --org), $race->{id}])}, 20, '... each key once';

  # Another session holds the lock of the organization's record, so that the apply has
  # made its first changes and waits when it is killed.
  my $before = exported($command);
  my $folder = "$directory/cut";
  mkdir $folder, 0700 or die;
  my $late = file($text =~ s/k20/k21/r =~ s/name: Race/name: Race\n  limits: {secret: 5}/r);
  my $holder = $service->connect_database;
  $holder->begin_work;
  $holder->do('SELECT 1 FROM organization WHERE id = ? FOR UPDATE', undef, $race->{id});
  my $pid = fork // die "fork: $!\n";
  if (!$pid) {
    local %ENV = $service->environment;
    exec 'scripts/verifyctl', 'apply', '--secrets-dir', $folder, $late or POSIX::_exit(127);
  }
  ok((wait_for { -e "$folder/Race.api_key.k21" || $service->sql_value(
    q{SELECT count(*) FROM pg_stat_activity WHERE application_name = 'verifyctl' AND wait_event_type = 'Lock'}) }),
    'an apply is in the middle');
  kill KILL => $pid;
  waitpid $pid, 0;
  $holder->rollback;
  is_deeply exported($command), $before, 'nothing of it remains';
  unlink glob "$folder/*";
  is apply('--secrets-dir', $folder, $late)->{summary}{create}, 1, 'and it can be repeated';
};

subtest 'on a terminal' => sub {
  my $path = file("organizations:\n- name: \"evil\\u200ename\"\n  api_keys:\n  - {name: \"x\\e[2J\\ny\", type: secret}\n");
  my $shown = on_terminal('apply', '--dry-run', $path);
  like $shown, qr/^  \+ organization evil\\u200ename\r?$/m, 'a name is escaped';
  like $shown, qr/^  \+ api_key evil\S+ \/ x\\u001b\[2J\\u000ay\r?$/m, '... also one of two lines';
  like $shown, qr/^      type: secret\r?$/m, 'fields are shown';
  like $shown, qr/^Plan: 2 created, 0 changed, 0 deleted, 0 unchanged\.\r?$/m, 'and a sum';
  like on_terminal('apply', '--dry-run', file("organizations:\n- name: \"evil\\e[2Jname\"\n")),
    qr/^[^\e]*name must not contain control characters/, 'a name that would turn the text is refused';
  unlike $shown, qr/svc_sk|\e/, 'no secret, nothing that the terminal obeys';
  like on_terminal('apply', file($shop =~ s/SHOP.example.hooks/shop.example\/events/r)), qr/^  \? api_key Shop ☂ \/ key_\w+ is left as it is: it has no name\r?\nNothing to change\.\r?\n\z/m,
    'nothing to change';
};

subtest 'trust lists and addresses' => sub {
  my $authority = Verify::Authority->new($directory);
  $authority->authority($_, country => 'UT') for qw(one two);
  $authority->copy_pem($_, "$directory/$_.pem") for qw(one two);
  my $path = file(<<'YAML');
trust_lists:
  - {name: from file, kind: iaca, file: list.pem}
organizations:
  - name: Addresses
    webhook_endpoints:
      - url: https://Bücher.example:443/a?q=1
YAML
  my $write = sub { file(join('', map { Verify::Instance::read_text("$directory/$_.pem") } @_), 'list.pem') };
  $write->('one');
  is apply($path)->{summary}{create}, 3, 'a list from a file, and an endpoint without a name';
  is_deeply changes(apply('--prune', $path)), [], '... are found again';
  my @entries = @{$command->prints([qw(audit list --org *)])};
  $write->('one', 'two');
  is_deeply changes(apply('--dry-run', $path)), ['change trust_list from file'], 'another file';
  is_deeply changes(apply($path)), ['change trust_list from file'], '... is imported';
  is_deeply changes(apply($path)), [], '... once';
  is @{$command->prints([qw(audit list --org *)])}, @entries + 2, 'which is recorded once';
  is_deeply changes(apply('--prune', file("trust_lists: []\n"))), ['delete trust_list from file'],
    'and taken out of use';
  refuses(file("trust_lists: [{name: x, kind: iaca, file: list.pem, certificates: []}]\n"), qr/one of them is enough/);
  refuses(file("trust_lists: [{name: x, kind: iaca, file: none.pem}]\n"), qr{setup\d+\.yaml:1: /trust_lists/0.*none\.pem});
  refuses(file("trust_lists: [{name: x, kind: iaca, certificates: [AAAA]}]\n"), qr{setup\d+\.yaml:1: /trust_lists/0: An entry of the list is not});
  refuses(file("trust_lists: [{name: x, kind: iaca}]\n"), qr{/trust_lists/0/certificates: The value is missing});
  refuses(file("organizations: [{name: x, workflows: [{name: y}]}]\n"), qr{/workflows/0/definition: The value is missing});
  my $own = file("organizations:\n- name: Thief\n  api_keys: [{name: k, type: secret, application: Bar}]\n");
  refuses($own, qr{/api_keys/0/application: No application of this organization}, );
};

subtest 'what is delivered and documented' => sub {
  my $root = "$FindBin::Bin/../..";
  is apply('--dry-run', "$root/$_")->{summary}{delete}, 0, $_
    for qw(apxs/container/setup.yaml scripts/demonstration/setup.yaml);
  my $kinds = Verify::Instance::read_text("$root/mod_verify/cli/setup/setup_kinds.c");
  my $page = Verify::Instance::read_text("$root/conf/manual/declarative-setup.md");
  my @names = map { split /\./ } $kinds =~ /^    \{(?:\.name = )?"([\w.]+)"/mg;
  cmp_ok scalar @names, '>', 40, 'fields and lists';
  is_deeply [grep { index($page, "`$_") < 0 } @names], [], 'the manual has them all';
};

subtest 'an export' => sub {
  my $authority = Verify::Authority->new($directory);
  $authority->authority($_, country => 'UT') for qw(first second);
  $authority->copy_pem($_, "$directory/$_.pem") for qw(first second);
  my $path = file(<<'YAML');
organizations:
  - name: Full
    sandbox: true
    billing_status: active
    free_allotment: 12
    publishable_session_create: blocked
    trust_deviations: undetermined
    limits: {secret: 10, publishable: 20}
    brand: {name: Full House, accent: "#004488", result_days: 30}
    four_eyes: {publish: true, erase: true}
    disabled: true
    applications:
      - {name: one, reuse: {enabled: true, accept_liability: true, max_age_days: 5, methods: [mdl]}}
      - {name: "007", retired: true}
    workflows:
      - application: one
        definition:
          name: "yes"
          session_types: [age]
          start: id
          nodes:
            id: {type: methods, mode: any_of, methods: [mdl], next: {passed: a, exhausted: b}}
            a: {type: outcome, status: verified}
            b: {type: outcome, status: failed}
      - retired: true
        definition:
          name: former
          session_types: [age]
          start: id
          nodes:
            id: {type: methods, mode: any_of, methods: [mdl], next: {passed: a, exhausted: b}}
            a: {type: outcome, status: verified}
            b: {type: outcome, status: failed}
    api_keys:
      - {name: k, type: publishable, application: one}
      - {name: l, type: secret, expires_at: 4102444800}
    webhook_endpoints:
      - {url: "https://one.example/", metadata: {a: "1", b: "null"}, disabled: true}
      - {name: two, url: "https://two.example/", description: "# no: comment", enabled_events: [verification_session.verified], application: one}
    oidc_clients:
      - {name: web, workflow: "yes", redirect_uris: ["https://client.example/back", "https://client.example/a"], scope: openid age}
      - {name: spa, workflow: "yes", redirect_uris: ["https://client.example/spa"], token_endpoint_auth_method: none, id_token_signed_response_alg: ES256}
      - {name: old, workflow: former, redirect_uris: ["https://client.example/old"]}
    trust_lists:
      - {name: own, kind: iaca, file: first.pem}
trust_lists:
  - {name: common, kind: csca, file: second.pem}
YAML
  my $done = apply($path);
  is $done->{summary}{create}, 14, 'all kinds are created';
  is_deeply changes(apply('--prune', $path)), [], 'and found unchanged';
  my ($text, $remarks) = export_text();
  unlike $_, qr/svc_|whsec_|_secret:|\b(?:org|key|we|wf|app|oic|tls)_\w{26}/, 'without ids and secrets' for $text =~ s/^#.*\n//mgr;
  like $remarks, qr/api_key key_\w+ of Shop .* is left out: it has no name/, 'what is left out is told';
  is((export_text())[0], $text, 'an export is the same again');
  my $exported = file($text);
  is_deeply changes(apply('--prune', $exported)), [], 'apply of it changes nothing';
  my $data = exported($command);
  is_deeply changes(apply('--prune', file($json->encode($data), 'export.json'))), [], '... as JSON';
  my ($one) = grep { $_->{name} eq 'Full' } @{$command->prints([qw(org list)])};
  is_deeply [map { $_->{name} } @{exported($command, '--org', $one->{id})->{organizations}}],
    ['Full'], 'of one organization';
  is_deeply $data->{trust_lists}, [{name => 'common', kind => 'csca', certificates =>
    $data->{trust_lists}[0]{certificates}}], 'certificates are in it';

  my $other = Verify::Instance->start(start => 0);
  my $elsewhere = Verify::Command->new($other);
  my $rebuilt = $elsewhere->prints(['apply', $exported]);
  is $rebuilt->{summary}{create}, @{$rebuilt->{objects}}, 'an empty installation is rebuilt';
  is_deeply changes($elsewhere->prints([qw(apply --prune), $exported])), [], '... once';
  is_deeply exported($elsewhere), $data, '... as it was';
  $other->stop;
};
finish($service);
