# Faulty workflow definitions are refused by verifyctl with one line for each
# fault: its JSON pointer and what is wrong there; nothing is published.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP ();
use Storable qw(dclone);
use Verify::Test;

my $root = "$FindBin::Bin/../..";
my $build = $ENV{VERIFY_BUILD} // 'build';
my $service = Verify::Instance->start(start => 0);
my $directory = $service->{directory};
my $organization = $service->organization->{id};
my $json = JSON::PP->new->utf8->canonical;

sub write_definition {
  my ($text) = @_;
  open my $file, '>', "$directory/workflow.json" or die "workflow.json: $!\n";
  print $file $text;
  close $file;
}

# Without a database or anything else of the service: (status, answer).
sub check {
  my ($file) = @_;
  local %ENV = (PATH => $ENV{PATH});
  my $output = `$root/$build/verifyctl workflow check $file 2>$directory/err </dev/null`;
  my $status = $? >> 8;
  my $errors = Verify::Instance::read_text("$directory/err");
  is $errors, '', 'nothing on standard error';
  return ($status, $json->decode($output));
}

# (status, standard output, lines of standard error)
sub publish {
  my ($text) = @_;
  write_definition($text);
  local %ENV = $service->environment;
  my $output = `$root/scripts/verifyctl workflow publish --org $organization \\
    $directory/workflow.json 2>$directory/err </dev/null`;
  return ($? >> 8, $output,
    split /\n/, Verify::Instance::read_text("$directory/err"));
}

my $fit = {
  name => 'Check', start => 'id', nodes => {
    id => {type => 'methods', methods => ['document_capture'],
      next => {passed => 'hold', exhausted => 'no'}},
    hold => {type => 'review', next => {approved => 'yes', rejected => 'no'}},
    yes => {type => 'outcome', status => 'verified'},
    no => {type => 'outcome', status => 'failed'}}};
my ($status, $output) = publish($json->encode($fit));
is $status, 0, 'a fit definition is published';
my $published = $json->decode($output);

# What is done to it, and the lines that answer.
my @cases = (
  ['a loop', sub { $_->{nodes}{hold}{next}{approved} = 'id' },
    qr{^/nodes/hold/next/approved: .*loop}],
  ['an unreachable node', sub {
      $_->{nodes}{island} = {type => 'outcome', status => 'failed'} },
    qr{^/nodes/island: .*reached}],
  ['an unknown method', sub { $_->{nodes}{id}{methods} = ['palm_reading'] },
    qr{^/nodes/id/methods/0: Unknown method}],
  ['a reserved method', sub {
      $_->{nodes}{id}{methods} = [qw(document_capture bank_id)] },
    qr{^/nodes/id/methods/1: .*(?:reserved|Unknown)}],
  ['self-attestation alone', sub {
      $_->{nodes}{id}{methods} = ['self_attestation'] },
    qr{^/nodes/(?:id/methods/0|yes): }],
  ['no outcome that verifies', sub {
      $_->{nodes}{yes}{status} = 'failed' }, qr{^/nodes(?:/hold/next/approved)?: }],
  ['an assurance that no method reaches', sub {
      $_->{nodes}{id}{min_assurance} = 'signed' },
    qr{^/nodes/id/min_assurance: Cannot be reached: document_capture gives}],
  ['an unknown action on a doubt', sub { $_->{on_undetermined} = 'noted' },
    qr{^/on_undetermined: Must be review}],
  ['a review of more than seven days', sub {
      $_->{nodes}{hold}{timeout_hours} = 169 },
    qr{^/nodes/hold/timeout_hours: .*to 168 hours}],
  ['a start that is nowhere', sub { $_->{start} = 'there' }, qr{^/start: }],
  ['an exit to nowhere', sub { $_->{nodes}{id}{next}{passed} = 'there' },
    qr{^/nodes/id/next/passed: }],
  ['a missing exit', sub { delete $_->{nodes}{id}{next}{exhausted} },
    qr{^/nodes/id/next/exhausted: }],
  ['no name', sub { delete $_->{name} }, qr{^/name: Is missing}],
  ['no start', sub { delete $_->{start} }, qr{^/start: Is missing}],
  ['no nodes', sub { delete $_->{nodes} }, qr{^/nodes: Is missing}],
  ['an unknown setting', sub { $_->{colour} = 'red' }, qr{^/colour: Unknown key}],
  ['an unknown use case', sub { $_->{use_case} = 'x' }, qr{^/use_case: }],
  ['an unknown session type', sub { $_->{session_types} = ['age', 'x'] },
    qr{^/session_types/1: }],
  ['a country that is none', sub { $_->{jurisdictions} = ['US', 'XX'] },
    qr{^/jurisdictions/1: }],
  ['no attempts', sub { $_->{nodes}{id}{max_attempts} = 0 },
    qr{^/nodes/id/max_attempts: }],
  ['a name with a slash', sub { $_->{nodes}{'a/b'} = {type => 'x'} },
    qr{^/nodes/a~1b/type: }],
  ['two faults', sub { $_->{start} = 'there'; $_->{nodes}{id}{mode} = 'some' },
    qr{^/nodes/id/mode: }, qr{^/start: }],
);
for my $case (@cases) {
  my ($name, $change, @expected) = @$case;
  my $definition = dclone($fit);
  $change->() for $definition;
  my ($refused, $printed, @lines) = publish($json->encode($definition));
  my $last = pop @lines // '';
  ok $refused == 1 && $printed eq '' && $last =~ /does not validate/,
    "$name is refused" or diag "$refused: $printed$last";
  my @missing = grep { my $line = $_; !grep { /$line/ } @lines } @expected;
  ok !@missing, 'with the place of each fault' or diag join "\n", @lines;
  my ($checked, $answer) = check("$directory/workflow.json");
  is_deeply [sort keys %$answer], [qw(faults methods valid warnings)], 'check answers';
  ok $checked == 1 && !$answer->{valid} && !@{$answer->{methods}},
    "and finds $name, too";
  is_deeply [map { "$_->{pointer}: $_->{message}" } @{$answer->{faults}}], \@lines,
    'with the same faults';
}

for my $text ('', '[]', '{"name": "x", "name": "y"}', '{', "\xff") {
  my ($refused, $printed, @lines) = publish($text);
  ok $refused == 1 && $printed eq '' && @lines, 'refused: ' . ($text || 'nothing')
    or diag "$refused: $printed";
  my ($checked, $answer) = check("$directory/workflow.json");
  my @faults = @{$answer->{faults}};
  ok $checked == 1 && !$answer->{valid} && @faults == 1 && $faults[0]{pointer} eq ''
    && length $faults[0]{message}, 'the whole document is the fault';
}

subtest 'what cannot be checked' => sub {
  write_definition($json->encode({%$fit, description => 'd' x (1 << 20)}));
  for my $file ("$directory/none.json", "$directory/workflow.json", $directory) {
    local %ENV = (PATH => $ENV{PATH});
    my $output = `$root/$build/verifyctl workflow check $file 2>$directory/err`;
    is $? >> 8, 1, 'status 1';
    is $output, '', 'no answer';
    like Verify::Instance::read_text("$directory/err"), qr/\Averifyctl: .+\n\z/,
      'but an error';
  }
};

# A definition with this done to it, and the places of the warnings.
my @warned = (
  ['no age is asked for', sub { delete $_->{required_age_tier} },
    '/required_age_tier'],
  ['none either, with no type named', sub {
      delete @$_{qw(required_age_tier session_types)} }, '/required_age_tier'],
  ['the law asks for one', sub {
      delete $_->{required_age_tier}; $_->{use_case} = 'firearms' }],
  ['identities need none', sub {
      delete $_->{required_age_tier}; $_->{session_types} = ['identity'] }],
  ['hardly any time', sub { $_->{expires_after_seconds} = 299 },
    '/expires_after_seconds'],
  ['time enough', sub { $_->{expires_after_seconds} = 300 }],
  ['a document of others', sub { $_->{on_document_reused} = 'noted' },
    '/on_document_reused'],
  ['an identity by one code', sub { $_->{session_types} = ['student'];
      $_->{nodes}{id}{min_assurance} = 'decoded' }, '/nodes/id/min_assurance'],
  ['an age by one code', sub { $_->{nodes}{id}{min_assurance} = 'decoded' }],
  ['checks for nothing', sub { $_->{start} = 'a/b';
      $_->{nodes}{'a/b'} = {type => 'checks', checks => ['ip_analysis'],
        next => {map { $_ => 'id' } qw(low medium high)}} }, '/nodes/a~1b/next'],
);
for my $case (@warned) {
  my ($name, $change, @expected) = @$case;
  my $definition = {%{dclone($fit)}, session_types => ['age'],
    required_age_tier => 'min_age_18'};
  $change->() for $definition;
  write_definition($json->encode($definition));
  my ($status, $answer) = check("$directory/workflow.json");
  ok $status == 0 && $answer->{valid} && !@{$answer->{faults}}, "$name: valid";
  is_deeply [map { $_->{pointer} } @{$answer->{warnings}}], \@expected,
    @expected ? 'with a warning' : 'without a warning';
}

# --- the reference ---

my $reference = Verify::Instance::read_text("$root/conf/workflows/README.md");
my @examples = map { m{([^/]+)\z} } glob "$root/conf/workflows/*.json";
cmp_ok scalar @examples, '>=', 6, 'there are six examples';
for my $example (@examples) {
  my $file = "$root/conf/workflows/$example";
  like $reference, qr/^### .*: `\Q$example\E`$/m, "$example is explained";
  my ($status, $answer) = check($file);
  is_deeply [$status, @$answer{qw(faults warnings)}], [0, [], []],
    'it compiles without a warning';
  my ($done, $printed) = publish(Verify::Instance::read_text($file));
  is $done, 0, 'it is published';
  is_deeply $json->decode($printed)->{methods}, $answer->{methods}, 'with its methods';
  $service->sql('DELETE FROM workflow_version WHERE id = ?',
    $json->decode($printed)->{version_id});
}
sub source { Verify::Instance::read_text(glob "$root/mod_verify/domain/*/$_[0]") }
sub words_of {
  my ($header, $macro) = @_;
  my ($list) = source($header) =~ /#define \Q$macro\E\(X\)((?:[^\n]*\\\n)+[^\n]*\n)/
    or die "$macro: not in $header\n";
  return $list =~ /X\(\w+,\s*"(\w+)"/g;
}
my @words = (map({ source($_) =~ /\{"(\w+)", [01], /g } qw(workflow_compile.c workflow_nodes.c)),
  words_of('method_outcome.h', 'IDV_METHOD_DOUBTS'), words_of('method.h', 'IDV_ASSURANCES'),
  words_of('compliance.h', 'IDV_USE_CASES'), words_of('compliance.h', 'IDV_AGE_TIERS'),
  words_of('session_type.h', 'IDV_SESSION_TYPES'),
  map { words_of('workflow.h', $_) } qw(IDV_NODE_TYPES IDV_NODE_EXITS IDV_DOUBT_ACTIONS));
cmp_ok scalar @words, '>', 40, 'the compiler knows words';
push @words, grep { !/mid|eudi|facial|carrier|banking|parental|\Astudent|wallet/ }
  words_of('method.h', 'IDV_METHODS');
is_deeply [grep { $reference !~ /[`"]$_[`"]/ } @words], [],
  'the reference explains each of them';
my %numbers = source('workflow.h') =~ /#define IDV_WORKFLOW_(\w+) ([0-9]+)\b(?! \*)/g;
for my $name (grep { !/FAULTS/ } sort keys %numbers) {
  my $number = $numbers{$name} =~ s/(?<=\d)(?=(?:\d{3})+\z)/,/gr;
  like $reference, qr/\b$number\b/, "and the limit $name";
}
is $service->sql_value('SELECT count(*) FROM workflow_version'), 1,
  'nothing of it was published';
is $service->sql_value('SELECT id FROM workflow_version'),
  $published->{version_id}, 'but the fit one';

subtest 'drafts and scenarios' => sub {
  my $sandbox = $service->organization(sandbox => 1)->{id};
  # (status, answer, standard error) of verifyctl with --org.
  my %also;
  my $run = sub {
    local %ENV = ($service->environment, %also);
    my $output = `$root/scripts/verifyctl @_ --org $sandbox 2>$directory/err </dev/null`;
    my $status = $? >> 8;
    return ($status, scalar(eval { $json->decode($output) }),
      Verify::Instance::read_text("$directory/err"));
  };
  my $done = sub {
    my ($status, $answer, $errors) = $run->(@_);
    is $status, 0, "@_[0, 1]" or diag $errors;
    return $answer;
  };
  my $refused = sub {
    my ($message, @words) = @_;
    my ($status, undef, $errors) = $run->(@words);
    is $status, 1, "@words[0, 1] is refused";
    like $errors, $message, '... with the reason';
  };
  my $file = "$directory/workflow.json";
  write_definition($json->encode({%$fit, jurisdictions => ['GB']}));
  my $draft = $done->('draft', 'create', $file);
  ok $draft->{is_new} && $draft->{valid}, 'a draft of a new workflow';
  my $id = $draft->{workflow_id};
  my $with_tag = sub { ('--etag', $draft->{etag} =~ tr/"//dr) };
  write_definition('{"name": "Half"}');
  my $half = $done->('draft', 'save', $draft->{id}, $file, $with_tag->());
  ok !$half->{valid}, 'with faults';
  $refused->(qr/changed since/, 'draft', 'save', $draft->{id}, $file, $with_tag->());
  $draft = $half;
  $refused->(qr/does not validate/, 'draft', 'publish', $draft->{id}, $with_tag->());
  write_definition($json->encode({%$fit, jurisdictions => ['GB']}));
  $draft = $done->('draft', 'save', $draft->{id}, $file, $with_tag->());
  is_deeply [map { $_->{id} } @{$done->('draft', 'list')}], [$draft->{id}], 'is listed';
  is_deeply $done->('draft', 'show', $draft->{id})->{definition}{jurisdictions}, ['GB'],
    'and shown';

  write_definition($json->encode({name => 'Opened', type => 'age', scenario =>
    [{input => 'open'}], expected => {status => 'pending', node => 'id'}}));
  my $scenario = $done->('scenario', 'add', $id, $file);
  my @seen = ('--etag', $scenario->{etag} =~ tr/"//dr);
  my $kept = $done->('scenario', 'save', $id, $scenario->{id}, $file, @seen);
  isnt $kept->{etag}, $scenario->{etag}, 'replaced by the same, which is a change';
  $refused->(qr/changed since/, 'scenario', 'save', $id, $scenario->{id}, $file, @seen);
  is $done->('draft', 'publish', $draft->{id}, $with_tag->())->{scenarios}{passed}, 1,
    'published, with the scenario';

  # The same first step under another name.
  my $lasting = "$directory/lasting.json";
  open my $out, '>', $lasting or die "$lasting: $!\n";
  print $out $json->encode({%$fit, jurisdictions => ['GB'], start => 'other', nodes => {
    other => $fit->{nodes}{id}, map { $_ => $fit->{nodes}{$_} } qw(hold yes no)}});
  close $out;
  my ($status, $report) = $run->('scenario', 'run', $id, $lasting);
  is_deeply [$status, $report->{changed}, $report->{results}[0]{differences}],
    [1, 1, ['node']], 'what comes out otherwise';
  $refused->(qr/\Q$scenario->{id}\E/, 'workflow', 'publish', '--id', $id, $lasting);

  # The law is the server's, with the administrator's overlay.
  my $overlay = "$directory/overlay";
  mkdir $overlay or die "$overlay: $!\n";
  open $out, '>', "$overlay/GB.json" or die "GB.json: $!\n";
  print $out $json->encode({rule_version => 'own', rules => {tobacco_nicotine => []}});
  close $out;
  $also{VERIFY_COMPLIANCE_OVERLAY} = $overlay;
  $refused->(qr{^GB\.json: .*rules are not usable}s, @$_)
    for ['scenario', 'run', $id, $lasting], ['workflow', 'publish', '--id', $id, $lasting];
  %also = ();

  $draft = $done->('draft', 'create', $lasting, '--id', $id);
  $refused->(qr/\Q$scenario->{id}\E/, 'draft', 'publish', $draft->{id}, $with_tag->());
  is_deeply $done->('draft', 'publish', $draft->{id}, $with_tag->(), '--accept',
    $scenario->{id})->{scenarios}{accepted}, [$scenario->{id}], 'is accepted';
  is $done->('scenario', 'list', $id)->[0]{expected}{node}, 'other', 'and expected since';
  my $versions = do {
    local %ENV = $service->environment;
    $json->decode(scalar `$root/scripts/verifyctl workflow versions $id`);
  };
  is_deeply [map { $_->{number} } @$versions], [2, 1], 'both versions, newest first';
  ok $versions->[0]{is_live} && !$versions->[1]{is_live} && length $versions->[0]{published_by}
    && abs($versions->[0]{created} - time) < 600, 'which is live, by whom, since when';
  is_deeply [sort @{$versions->[0]{changed}}],
    ['/nodes/id', '/nodes/other', '/start'], 'what the newest changed';
  ok !exists $versions->[1]{changed}, '... of the newest alone';
  my $newest = do {
    local %ENV = $service->environment;
    $json->decode(scalar `$root/scripts/verifyctl workflow versions $id --limit 1`);
  };
  is_deeply $newest, [$versions->[0]], '... also when it alone is listed';
  $done->('scenario', 'delete', $id, $scenario->{id});
  $done->('workflow', 'publish', '--id', $id, $lasting);

  is_deeply $service->verifyctl(qw(org four-eyes), $sandbox, qw(--publish on))->{publish},
    JSON::PP::true, 'four eyes';
  $refused->(qr/second person/, 'workflow', 'publish', '--id', $id, $lasting);
  $refused->(qr/second person/, 'workflow', 'publish', $lasting);
  $draft = $done->('draft', 'create', '--id', $id);
  $refused->(qr/second person/, 'draft', 'publish', $draft->{id}, $with_tag->());
  ok $done->('draft', 'delete', $draft->{id}, $with_tag->())->{deleted}, 'is deleted';
  is $service->sql_value('SELECT count(*) FROM workflow_version WHERE workflow_id = ?',
    $id), 3, 'nothing was published by what was refused';
};

finish $service;
