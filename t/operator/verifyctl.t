# Each command of operator.md as people script against it: one JSON value on
# standard output, or nothing there, a message on standard error and a non-zero
# status; secrets printed once.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP ();
use Verify::Command;
use Verify::Test;

my $root = "$FindBin::Bin/../..";
my $service = Verify::Instance->start(start => 0);
my $command = Verify::Command->new($service);
my $json = JSON::PP->new->utf8;

# (status, standard output, standard error)
sub run { return $command->run(@_) }

# The answer, which has these members.
sub prints {
  my ($command, $members, $name) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  my ($status, $output, $errors) = run(@$command);
  my $answer = eval { $json->decode($output) };
  ok $status == 0 && ref $answer && $errors eq '', $name // join(" ", @$command)
    or diag "$status: $output$errors";
  my ($first) = ref $answer eq 'ARRAY' ? @$answer : $answer;
  is_deeply [grep { !exists $first->{$_} } @$members], [], 'with its members';
  return $answer;
}

sub refuses {
  my ($command, $expected, $status) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  my ($got, $output, $errors) = run(@$command);
  my $fits = $got == ($status // 1) && $output eq '' && $errors =~ $expected;
  ok $fits, join(" ", @$command) . " is refused" or diag "$got: $output$errors";
}

my ($organization, $application, $workflow);
subtest 'organizations and applications' => sub {
  my @members = qw(id name sandbox billing_status free_allotment credit_balance
    publishable_session_create);
  $organization = prints [qw(org create --name), 'Shop ☂'], \@members;
  like $organization->{id}, qr/\Aorg_\w+\z/, 'an id';
  ok !$organization->{sandbox}, 'live';
  my $sandbox = prints [qw(org create --name=Test --sandbox)], \@members,
    'a value may follow a =';
  ok $sandbox->{sandbox}, 'a sandbox';
  my $changed = prints [qw(org update), $organization->{id},
    qw(--billing-status suspended --free-allotment 7
    --publishable-session-create blocked)], \@members;
  is_deeply [@$changed{qw(billing_status free_allotment
    publishable_session_create)}], [qw(suspended 7 blocked)], 'changed';
  is prints([qw(org show), $organization->{id}], [@members, 'usage'])->{name},
    $organization->{name}, 'shown';
  is_deeply [map { $_->{id} } @{+prints [qw(org list)], \@members}],
    [$organization->{id}, $sandbox->{id}], 'listed';
  is_deeply [map { $_->{id} } @{+prints [qw(org list --limit 1 --starting-after),
    $organization->{id}], \@members}], [$sandbox->{id}], 'page by page';
  is_deeply [map { $_->{billing_status} } @{+prints [qw(org list)], ['rate_limit']}],
    [qw(suspended active)], 'as they are';
  $application = prints [qw(app create --name App --org), $organization->{id}],
    [qw(id organization_id name created)];
  like $application->{id}, qr/\Aapp_\w+\z/, 'an application';
  is_deeply prints([qw(app list --org), $organization->{id}], ['id']),
    [$application], 'listed';
};

subtest 'limits of an organization' => sub {
  my $id = $organization->{id};
  my $limits = sub { prints [qw(org limits), $id, @_], [qw(organization_id rate_limit)] };
  my $none = {secret => undef, publishable => undef};
  is_deeply $limits->()->{rate_limit}, $none, 'the server\'s at first';
  is_deeply $limits->(qw(--secret 1 --publishable 1000000000))->{rate_limit},
    {secret => 1, publishable => 1_000_000_000}, 'from the least to the most';
  is_deeply $limits->(qw(--publishable server))->{rate_limit},
    {secret => 1, publishable => undef}, 'one of them the server\'s again';
  for my $bad (qw(0 -1 1000000001 99999999999999999999 many 1.5 1k), '', ' ') {
    refuses [qw(org limits), $id, qw(--publishable 5 --secret), $bad],
      qr/requests a minute, a whole number from 1 to 1000000000, or the word server.*secret/s;
  }
  refuses [qw(org limits org_nobody --secret 5)], qr/No such organization.*org_nobody/;
  refuses [qw(org limits org_nobody)], qr/No such organization.*org_nobody/;
  my ($listed) = @{+prints [qw(org list)], ['rate_limit']};
  for ($limits->(), $listed, prints([qw(org show), $id], ['usage'])) {
    is_deeply $_->{rate_limit}, {secret => 1, publishable => undef}, 'nothing was changed';
  }
  is_deeply $limits->(qw(--secret server))->{rate_limit}, $none, 'taken away';
};

subtest 'keys' => sub {
  my @members = qw(id type organization_id application_id expires_at revoked_at);
  my $key = prints [qw(key create --type secret --org), $organization->{id},
    '--app', $application->{id}, '--expires-at', 4102444800], [@members, 'key'];
  like $key->{id}, qr/\Akey_\w+\z/, 'an id';
  like $key->{key}, qr/\Asvc_sk_\S+\z/, 'a secret key';
  is $key->{expires_at}, 4102444800, 'that expires';
  like prints([qw(key create --type publishable --org), $organization->{id}],
    \@members)->{key}, qr/\Asvc_pk_\S+\z/, 'a publishable key';
  my $listed = prints [qw(key list --org), $organization->{id}], \@members;
  unlike $json->encode($listed), qr/svc_/, 'the list holds no secret';
  ok prints([qw(key revoke), $key->{id}], \@members)->{revoked_at}, 'revoked';
};

subtest 'workflows' => sub {
  my $file = "$root/conf/workflows/demonstration.json";
  $workflow = prints [qw(workflow publish --org), $organization->{id}, $file],
    [qw(id version_id methods)];
  like $workflow->{id}, qr/\Awf_\w+\z/, 'an id';
  like $workflow->{version_id}, qr/\Awfv_\w+\z/, 'and of its version';
  my $again = prints [qw(workflow publish --org), $organization->{id}, '--app',
    $application->{id}, '--id', $workflow->{id}, $file], ['version_id'];
  is $again->{id}, $workflow->{id}, 'published again';
  isnt $again->{version_id}, $workflow->{version_id}, 'as a new version';
  is prints([qw(workflow show), $workflow->{id}], [qw(definition compiled)])
    ->{version_id}, $again->{version_id}, 'which is shown';
  is prints([qw(workflow list --org), $organization->{id}], ['name'])
    ->[0]{version_id}, $again->{version_id}, 'and listed';
};

subtest 'credits' => sub {
  my @add = (qw(credits add --org), $organization->{id}, '--note', 'invoice 1');
  is prints([@add, '--amount', 5], ['credit_balance'])->{credit_balance}, 5,
    'the new balance';
  is prints([@add, '--amount', -2], ['credit_balance'])->{credit_balance}, 3,
    'also after taking some away';
  is_deeply [map { $_->{amount} } @{+prints [qw(credits --org),
    $organization->{id}], ['note']}], [-2, 5], 'the ledger';
};

subtest 'reviews, migrations, rules' => sub {
  is_deeply prints([qw(review list --org), $organization->{id}], []), [],
    'no open review';
  is_deeply prints(['migrate'], ['version'])->{applied}, [],
    'migrating again does nothing';
  prints [qw(compliance check-data)], [qw(countries rules)];
};

subtest 'what is refused' => sub {
  my $id = $organization->{id};
  refuses [qw(org show org_nobody)], qr/No such organization.*org_nobody/;
  refuses [qw(org create), '--name', ''], qr/1 to 500 characters.*name/;
  refuses [qw(org create), '--name', "\xff"], qr/argument 4 is not valid UTF-8/;
  refuses [@$_], qr/\Averifyctl: argument [0-9] is not valid UTF-8\n\z/
    for ["\xff"], ['org', "\xff"], ['org', 'show', "\xff\xfe"], ['key', 'list', '--org', "a\xc3"],
    ['key', 'list', "--org=\xed\xa0\x80"], ["--\xc0\xaf"];
  refuses [qw(org update), $id, qw(--billing-status paused)],
    qr/active, suspended.*billing-status/;
  refuses [qw(org update), $id, qw(--free-allotment -1)], qr/whole number/;
  refuses [qw(key create --type private --org), $id], qr/secret, publishable/;
  refuses [qw(key create --type secret --expires-at 1 --org), $id],
    qr/expires_at must be in the future/;
  refuses [qw(key create --type secret --org org_nobody)], qr/No such/;
  refuses [qw(key create --type secret --app app_nobody --org), $id], qr/No such/;
  refuses [qw(key revoke key_nobody)], qr/No such resource/;
  refuses [qw(workflow show wf_nobody)], qr/No such resource/;
  refuses [qw(workflow publish --org), $id, '/nowhere/file.json'],
    qr{/nowhere/file\.json: No such file};
  refuses [qw(credits add --amount many --note x --org), $id], qr/whole number/;
  refuses [qw(credits add --amount 0 --note x --org), $id], qr/not be 0/;
  refuses [qw(review decide vs_nobody approve --by me)], qr/No such/;
  refuses [qw(review decide vs_nobody maybe --by me)],
    qr/approve, reject or escalate/;
  refuses [qw(--migrations /nowhere migrate)],
    qr{no migrations in /nowhere; --migrations \(VERIFY_MIGRATIONS\)};
  refuses [qw(person erase vp_nobody)], qr/No such resource/;
  refuses [$_, qw(list --org org_nobody)], qr/No such organization/
    for qw(app key workflow review);
};

subtest 'a wrong command line' => sub {
  refuses ['nonsense'], qr/unknown command nonsense/, 2;
  refuses ['org'], qr/org create .*org show ORG/s, 2;
  refuses [qw(org nonsense)], qr/org create .*org show ORG/s, 2;
  refuses [qw(org create)], qr/--name is required.*org create --name NAME/s, 2;
  refuses [qw(org create --name)], qr/--name needs a value/, 2;
  refuses [qw(org create --name x --sandbox=yes)], qr/takes no value/, 2;
  refuses [qw(org create --name x --colour red)], qr/unknown option --colour/, 2;
  refuses [qw(org show)], qr/missing argument: ORG/, 2;
  refuses [qw(org show a b)], qr/wrong arguments, expected: ORG/, 2;
};

subtest 'help' => sub {
  my ($status, $output, $errors) = run('--help');
  is "$status$errors", '0', 'is on standard output';
  my @promised = (
    'org create --name NAME [--sandbox]',
    'org update ORG', '[--billing-status active|suspended]',
    '[--free-allotment N]', '[--publishable-session-create allowed|blocked]',
    'app create --org ORG --name NAME',
    'key create --org ORG [--app APP] --type secret|publishable [--expires-at UNIX]',
    'key list --org ORG', 'key revoke KEY_ID',
    'workflow publish FILE --org ORG [--app APP] [--id WF_ID]',
    'workflow show WF_ID', 'credits add --org ORG --amount N --note TEXT',
    'review list --org ORG',
    'review decide SESSION_ID approve|reject|escalate --by WHO [--note TEXT]',
    'person erase PERSON_ID', 'migrate');
  is_deeply [grep { index($output, $_) < 0 } @promised], [], 'names all';
  ($status, $output) = run(qw(key create --help));
  like $output, qr/\A  key create [^\n]+\n      [^\n]+\n\z/, 'of one command';
  is((run(qw(help key create)))[1], $output, '... asked for in either way');
  is((run(qw(nonsense --help)))[0], 2, 'none of what is not there');
  ($status, $output) = run(qw(review decide --help));
  open my $header, '<', "$root/mod_verify/domain/session/review.h" or die "review.h: $!\n";
  my ($list) = do { local $/; <$header> } =~ /#define IDV_REVIEW_REASONS\(X\)(.*?)\n\n/s;
  my @reasons = $list =~ /X\(\w+, "(\w+)"/g;
  cmp_ok scalar @reasons, '>', 10, 'reasons of a decision';
  is_deeply [grep { $output !~ /\b$_\b/ } @reasons], [], '... are all in its help';
};

subtest 'the database' => sub {
  local $service->{conninfo} = $service->{conninfo};
  $service->{conninfo} =~ s/port=[0-9]+/port=1/;
  refuses [qw(org list)], qr/\Averifyctl: connecting to PostgreSQL: [^\n]+\n\z/;
  for my $string ('host=a password=two words', 'postgresql://me:words%zz@host/x') {
    $service->{conninfo} = $string;
    my ($status, undef, $errors) = run(qw(org list));
    ok $status == 1 && $errors =~ /not a connection string/, 'a wrong string';
    unlike $errors, qr/words/, 'of which the message says nothing';
  }
};

subtest 'output that is lost' => sub {
  local %ENV = $service->environment;
  my $errors = "$service->{directory}/errors";
  for my $command ('org list', "key create --type secret --org $organization->{id}") {
    is system("scripts/verifyctl $command >/dev/full 2>$errors") >> 8, 1, "$command fails";
    like Verify::Instance::read_text($errors), qr/could not be written/, '... and says so';
  }
};

finish $service;
