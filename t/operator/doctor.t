# `verifyctl doctor`: each thing that can be wrong is made wrong, and the one
# finding that it leads to is told, with what to do, and by the exit status.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp ();
use JSON::PP ();
use Verify::Command;
use Verify::Test;

my $root = "$FindBin::Bin/../..";
my $service = Verify::Instance->start(start => 0);
my $directory = $service->{directory};
my $shop = $service->organization(workflow => 1);
my $test = $service->organization(sandbox => 1, workflow => 1);

# (status, report) of an examination with these changes of the environment.
sub examine {
  my ($environment, @arguments) = @_;
  local %ENV = ($service->environment, VERIFY_COMPLIANCE_RULES => "$root/conf/compliance",
    VERIFY_MIGRATIONS => "$root/sql/migrations",
    VERIFY_ANALYZER => $ENV{VERIFY_BUILD} ? "$ENV{VERIFY_BUILD}/verify-analyze"
      : "$root/build/verify-analyze",
    %$environment);
  my $build = $ENV{VERIFY_BUILD} // "$root/build";
  open my $output, '-|', "$build/verifyctl", 'doctor', @arguments or die "verifyctl: $!\n";
  my $text = do { local $/; <$output> };
  close $output;
  return ($? >> 8, JSON::PP->new->utf8->decode($text));
}
# What a finding tells somebody to write, he can write: commands with their options,
# and directives.
subtest 'deeds' => sub {
  my $read = sub { open my $file, '<', "$root/$_[0]" or die "$_[0]: $!\n"; local $/; <$file> };
  my $texts = $read->('mod_verify/domain/trust/health_checks.def') =~ s/\A.*?\*\///sr
    =~ s/"\s*\n\s*"//gr;
  my $build = $ENV{VERIFY_BUILD} // "$root/build";
  my %commands = map { $_ => 1 } $texts =~ /verifyctl ([a-z-]+(?: [a-z-]+)*)/g;
  cmp_ok scalar keys %commands, '>', 15, 'commands are named';
  for my $command (sort keys %commands) {
    my ($noun, $verb) = split / /, $command;
    my $help = `$build/verifyctl help $noun 2>&1`;
    next if $command =~ /\A(?:was not told|and)\b/;
    ok $help =~ /^  \Q$noun\E\b/m && (!defined $verb || $verb =~ /\A--/
      || $help =~ /^  \Q$noun $verb\E\b/m), "verifyctl $command";
  }
  while ($texts =~ /`verifyctl ([a-z-]+) ([a-z-]+) (--[a-z-]+)/g) {
    like scalar(`$build/verifyctl help $1 $2`), qr/\Q$3\E\b/, "... $1 $2 $3";
  }
  my $settings = $read->('mod_verify/core/settings.def') . $read->('conf/verify.conf');
  is_deeply [grep { $settings !~ /\b$_\b/ } $texts =~ /\b(Verify[A-Z]\w+)/g], [], 'directives';
};

# What is found beyond what a service without lists of certificates has, as texts.
sub found {
  my ($report) = @_;
  return [map { $_->{severity} . ' ' . $_->{code} } grep { $_->{code} !~ /_none\z/
    && $_->{code} !~ /\A(?:compliance_change_soon|workflow_law_changes)\z/ }
    @{$report->{findings}}];
}
sub finds {
  my ($environment, $expected, $status, $name) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  my ($got, $report) = examine($environment);
  is_deeply found($report), $expected, $name
    or diag(JSON::PP->new->pretty->encode($report->{findings}));
  is $got, $status, '... by the exit status';
  is $report->{status}, qw(ok warning error)[$status], '... and the report';
  for my $finding (@{$report->{findings}}) {
    ok length $finding->{wrong} && length $finding->{deed}, "$finding->{code} says what to do";
  }
  return $report;
}
sub sql { $service->sql(@_) }
my $second = 1000;
my $now = time * $second;

finds {}, [], 0, 'a new service is well';

# Rules whose review is overdue by the overlay's record, for a workflow that uses them.
subtest 'the law of workflows' => sub {
  my ($overlay, $files) = (File::Temp->newdir, File::Temp->newdir);
  my $write = sub {
    my ($file, $data) = @_;
    open my $out, '>', $file or die "$file: $!\n";
    print $out JSON::PP->new->encode($data);
    close $out or die "$file: $!\n";
  };
  $write->("$files/guns.json", {name => 'Guns', use_case => 'firearms',
    jurisdictions => ['DE', 'FR'], start => 'id',
    nodes => {id => {type => 'methods', mode => 'any_of', methods => ['document_capture'],
        next => {passed => 'yes', exhausted => 'no'}},
      yes => {type => 'outcome', status => 'verified'},
      no => {type => 'outcome', status => 'failed'}}});
  my $workflow = $service->verifyctl(qw(workflow publish --org), $shop->{id},
    "$files/guns.json")->{id};
  my $reviewed = sub {
    my ($due) = @_;
    $write->("$overlay/DE.json", {rule_version => 'shop-1', rules => {firearms =>
      {review => {by => 'Legal', on => '2020-01-01', next_due => $due}}}});
  };
  $reviewed->('2099-01-01');
  finds {VERIFY_COMPLIANCE_OVERLAY => "$overlay"}, [], 0, 'rules that are reviewed in time';
  $reviewed->('2021-01-01');
  my $report = finds {VERIFY_COMPLIANCE_OVERLAY => "$overlay"},
    ['warning workflow_law_review'], 1, 'rules that are not';
  my ($finding) = grep { $_->{code} eq 'workflow_law_review' } @{$report->{findings}};
  is $finding->{subject}, $workflow, '... of which workflow';
  is $finding->{organization_id}, $shop->{id}, '... of which organization';
  is $finding->{detail}, 'First DE, 2021-01-01.', '... and which rule first';
  $service->verifyctl(qw(workflow retire), $workflow, '--org', $shop->{id});
  finds {VERIFY_COMPLIANCE_OVERLAY => "$overlay"}, [], 0, 'nobody uses a retired workflow';
};

subtest 'this machine' => sub {
  finds {VERIFY_MASTER_KEY_FILE => ''}, ['note master_key_not_looked_at'], 0, 'no key';
  chmod 0644, "$directory/master.key";
  my $report = finds {}, ['error master_key_unusable'], 2, 'a key for all to read';
  unlike join(' ', map { $_->{detail} // '' } @{$report->{findings}}), qr/[0-9a-f]{40}/,
    '... of which nothing is told';
  chmod 0600, "$directory/master.key";
  open my $other, '>', "$directory/other.key" or die "other.key: $!\n";
  print $other '5a' x 32, "\n";
  close $other;
  chmod 0600, "$directory/other.key";
  finds {VERIFY_MASTER_KEY_FILE => "$directory/other.key"}, ['error database_not_usable'],
    2, 'the key of another database';
  finds {VERIFY_COMPLIANCE_RULES => '/nowhere'}, ['error compliance_unusable'], 2,
    'no rules';
  finds {VERIFY_ANALYZER => ''}, ['note analyzer_missing'], 0, 'no program';
  finds {VERIFY_ANALYZER => '/nowhere'}, ['error analyzer_not_runnable'], 2,
    'a program that is not there';
  finds {VERIFY_ANALYZER => '/bin/false'}, ['error analyzer_not_runnable'], 2,
    'a program that fails';
  my $unknown = finds {VERIFY_ANALYZER => "/bin/true"}, ['error analyzer_not_runnable'], 2,
    'any other program, though it ends well';
  open my $endless, '>', "$directory/endless" or die "endless: $!\n";
  print $endless "#!/bin/sh\nexec tail -f /dev/null\n";
  close $endless or die "endless: $!\n";
  chmod 0700, "$directory/endless";
  finds {VERIFY_ANALYZER => "$directory/endless"}, ['error analyzer_not_runnable'], 2,
    'a program that does not end';
  like +(grep { $_->{code} eq 'analyzer_not_runnable' } @{$unknown->{findings}})[0]{detail},
    qr{\A/bin/true is not verify-analyze \d}, '... and what was expected is said';
  finds {VERIFY_MODELS => $directory}, ['error models_missing'], 2, 'no models';
  # Every model that is fetched, but lists and samples, which are of others.
  my @models = map { s{.*/}{}r } grep { -f && !/_domains\.json\z/ } glob '.models/*';
  cmp_ok scalar @models, '>=', 7, 'there are models';
  mkdir "$directory/models" or die "models: $!\n";
  my $copy = sub { symlink abs_path(".models/$_"), "$directory/models/$_" or die "$_: $!\n" };
  $copy->() for @models;
  finds {VERIFY_MODELS => "$directory/models"}, [], 0, 'all models';
  for my $model (@models) {
    unlink "$directory/models/$model";
    finds {VERIFY_MODELS => "$directory/models"}, ['error models_missing'], 2, "no $model";
    $copy->() for $model;
  }
  unlink map { "$directory/models/$_" } grep { /face/ } @models;
  finds {VERIFY_MODELS => "$directory/models"}, [], 0, 'without those of faces';
};

subtest 'an organization that is not there' => sub {
  my $command = Verify::Command->new($service);
  my ($status, $output, $errors) = $command->run(qw(doctor --org org_nobody));
  is_deeply [$status, $output], [2, ''], 'is a wrong command, and no warning';
  like $errors, qr/No such organization\. \(--org org_nobody\)/, '... which is said';
};

subtest 'the database' => sub {
  my ($unreachable) = $service->{conninfo} =~ s/port=[0-9]+/port=1/r;
  finds {VERIFY_DATABASE => $unreachable}, ['error database_unreachable'], 2,
    'nobody there';
  finds {VERIFY_DATABASE => ''}, ['error database_unreachable'], 2, 'none named';
  my $version = $service->sql_value('SELECT max(version) FROM schema_migration');
  my ($row) = @{sql('DELETE FROM schema_migration WHERE version = ? RETURNING *', $version)};
  finds {}, ['error database_not_usable'], 2, 'an older schema';
  sql('INSERT INTO schema_migration (' . join(', ', sort keys %$row) . ') VALUES ('
    . join(', ', map { '?' } keys %$row) . ')', map { $row->{$_} } sort keys %$row);
  finds {}, [], 0, 'as before';
};

# Rows as they are without a watchdog.
my ($late, $held, $ended) = map { "vks_$_" } qw(late held ended);
sql(<<'SQL', $shop->{id}, ($now) x 2, $now + 600 * $second, $_) for $late, $held, $ended;
INSERT INTO verification_session (organization_id, id, workflow_id,
  workflow_version_id, livemode, revision, status, type, methods, metadata,
  created_at, updated_at, expires_at, runner, client_secret_digest)
SELECT v.org, v.id, 'wf_1', 'wfv_1', true, 1, 'created', 'age', '{document_capture}',
       '{}', v.created, v.updated, v.expires, '{}', ''
  FROM (SELECT ?::text AS org, ?::bigint AS created, ?::bigint AS updated,
               ?::bigint AS expires, ?::text AS id) v
SQL
finds {}, [], 0, 'sessions in their time';

subtest 'work that nobody does' => sub {
  sql('UPDATE verification_session SET expires_at = ? WHERE id = ?',
    $now - 600 * $second, $late);
  my $report = finds {}, ['error sessions_late'], 2, 'a session past its end';
  is $report->{findings}[0]{count}, 1, '... one';
  is $report->{findings}[0]{at}, ($now - 600 * $second) / $second, '... since then';
  sql('UPDATE verification_session SET expires_at = ? WHERE id = ?',
    $now + 600 * $second, $late);
  sql("UPDATE verification_session SET status = 'under_review', review_opened_at = ?,"
    . ' review_deadline_at = ? WHERE id = ?', $now, $now + 3600 * $second, $held);
  $report = finds {}, ['warning reviews_due'], 1, 'a review that ends soon';
  is $report->{findings}[0]{organization_id}, $shop->{id}, '... whose';
  sql('UPDATE verification_session SET review_deadline_at = ? WHERE id = ?',
    $now - 600 * $second, $held);
  finds {}, ['error reviews_late'], 2, 'a review past its end';
  sql('UPDATE verification_session SET review_deadline_at = ? WHERE id = ?',
    $now + 7 * 86400 * $second, $held);
  sql("INSERT INTO analysis_job (organization_id, session_id, id, method, submission,"
    . " sides, due_at, created_at) VALUES (?, ?, 'ajb_1', 'document_capture', 1,"
    . " '{front}', ?, ?)", $shop->{id}, $late, $now - 600 * $second, $now);
  finds {}, ['error submissions_late'], 2, 'a submission that nobody takes';
  sql('DELETE FROM analysis_job');
  sql("UPDATE verification_session SET status = 'expired', updated_at = ? WHERE id = ?",
    $now - 7200 * $second, $ended);
  sql("INSERT INTO session_data_key (organization_id, session_id, wrapped_key)"
    . " VALUES (?, ?, 'x')", $shop->{id}, $ended);
  finds {}, ['warning evidence_purge_late'], 1, 'evidence that is left';
  sql('DELETE FROM session_data_key WHERE session_id = ?', $ended);
};

subtest 'endpoints' => sub {
  my $endpoint = $service->verifyctl(qw(endpoint list --org), $shop->{id});
  is_deeply $endpoint, [], 'there is none';
  sql("INSERT INTO webhook_endpoint (organization_id, id, url, enabled_events, status,"
    . " metadata, sealed_secret, failing_since, created_at, updated_at)"
    . " VALUES (?, 'we_1', 'https://shop.test/hook', '{}', 'enabled', '{}', 'x', ?, ?, ?)",
    $shop->{id}, $now - 7200 * $second, $now, $now);
  my $report = finds {}, ['warning endpoint_failing'], 1, 'one that fails';
  is $report->{findings}[0]{subject}, 'we_1', '... which';
  unlike(JSON::PP->new->encode($report), qr/shop\.test/, '... without its address');
  sql('UPDATE webhook_endpoint SET failing_since = NULL');
  for my $attempt (0, 1) {
    sql('INSERT INTO webhook_delivery (organization_id, id, webhook_endpoint_id, event_id,'
      . ' event_type, attempt, next_attempt_at, created_at, updated_at)'
      . " VALUES (?, ?, 'we_1', 'evt_1', 'x', ?, ?, ?, ?)", $shop->{id}, "del_$attempt",
      $attempt, ($now - 600 * $second) x 3);
  }
  $report = finds {}, ['warning deliveries_late'], 1, 'deliveries that nobody makes';
  is $report->{findings}[0]{count}, 2, '... both';
  # As a recovery queues them: old, and due just now.
  sql('UPDATE webhook_delivery SET attempt = 0, next_attempt_at = ?', $now - 60 * $second);
  finds {}, [], 0, 'old ones that were queued again a minute ago';
  sql('UPDATE webhook_delivery SET next_attempt_at = ?, created_at = ?',
    $now - 600 * $second, $now - 86400 * $second);
  $report = finds {}, ['warning deliveries_late'], 1, '... and that nobody makes either';
  is $report->{findings}[0]{at}, ($now - 600 * $second) / $second, '... since then';
  sql('DELETE FROM webhook_delivery');
  sql("UPDATE webhook_endpoint SET status = 'disabled'");
  finds {}, ['note endpoint_disabled'], 0, 'one that is disabled';
  sql('DELETE FROM webhook_endpoint');
};

subtest 'workflows that nobody can pass' => sub {
  my $definition = {name => 'Signed', start => 'prove', nodes => {
    prove => {type => 'methods', methods => [qw(mdl nfc_passport)],
      next => {passed => 'granted', exhausted => 'denied'}},
    granted => {type => 'outcome', status => 'verified'},
    denied => {type => 'outcome', status => 'failed'}}};
  my $asks = $service->publish($shop->{id}, $definition)->{id};
  $service->publish($test->{id}, $definition);
  my @all = map { "warning $_" } qw(passport_trust_missing wallet_trust_missing reader_missing);
  my $report = finds {}, [@all], 1, 'no list and no identity';
  my %subjects = map { $_->{subject} => $_->{organization_id} }
    grep { $_->{code} =~ /_missing\z/ } @{$report->{findings}};
  is_deeply \%subjects, {$asks => $shop->{id}}, '... of the one that is live';
  my $list = 'INSERT INTO trust_list VALUES (?, ?, ?, ?, ?, 1, 1)';
  sql($list, $test->{id}, 'tl_other', 'csca', 'Other', 'tlv_1');
  finds {}, [@all], 1, 'what another organization trusts';
  sql($list, $shop->{id}, 'tl_removed', 'csca', 'Removed', undef);
  finds {}, [@all], 1, 'a list that was removed';
  sql($list, $shop->{id}, 'tl_own', 'csca', 'Own', 'tlv_1');
  finds {}, [@all[1, 2]], 1, 'its own list';
  sql($list, '', 'tl_all', 'vical', 'All', 'tlv_1');
  finds {}, [$all[2]], 1, 'a list for all';
  sql(q{INSERT INTO reader_identity VALUES ('', 'rdr_1', 'haip', 'active', 'p256', 'x', '{x}',
    NULL, ?, 1, 1)}, $now + 90 * 86400 * $second);
  finds {}, [], 0, 'an identity of the server';
  sql('DELETE FROM reader_identity');
  $service->verifyctl(qw(workflow retire), $asks, '--org', $shop->{id});
  finds {}, [], 0, 'a workflow that is retired';
  sql('DELETE FROM trust_list');
};

subtest 'codes by e-mail that nobody sends' => sub {
  my $definition = {name => 'Codes', require_email_otp => JSON::PP::true, start => 'prove',
    nodes => {
      prove => {type => 'methods', methods => ['document_capture'],
        next => {passed => 'granted', exhausted => 'denied'}},
      granted => {type => 'outcome', status => 'verified'},
      denied => {type => 'outcome', status => 'failed'}}};
  my $asks = $service->publish($shop->{id}, $definition)->{id};
  $service->publish($test->{id}, $definition);
  finds {}, [], 0, 'no server has said what it has';
  my $seen = q{INSERT INTO server_node VALUES (?, 'node', 'host', '{}', ?,
    (extract(epoch FROM clock_timestamp()) * 1000)::bigint - ?)};
  sql($seen, 'sends', 1, 0);
  sql($seen, 'gone', 0, 120_000);
  finds {}, [], 0, 'one that sends e-mail, and one that was here before';
  sql($seen, 'silent', 0, 30_000);
  my $report = finds {}, ['warning email_missing'], 1, 'one that sends none';
  is_deeply [map { @$_{qw(organization_id subject)} } grep { $_->{code} eq 'email_missing' }
    @{$report->{findings}}], [$shop->{id}, $asks], '... what a live organization asks for';
  my $published = $service->publish($shop->{id}, $definition);
  like join(' ', map { $_->{pointer} } @{$published->{warnings}}), qr{/require_email_otp\b},
    'publishing warns of it';
  sql(q{DELETE FROM server_node WHERE id = 'silent'});
  $published = $service->publish($shop->{id}, $definition);
  unlike join(' ', map { $_->{pointer} } @{$published->{warnings}}), qr{/require_email_otp\b},
    '... only then';
  sql('DELETE FROM server_node');
  $service->verifyctl(qw(workflow retire), $_->{id}, '--org', $shop->{id})
    for grep { $_->{name} eq 'Codes' }
      @{$service->verifyctl(qw(workflow list --live --org), $shop->{id})};
};

subtest 'accounts and keys' => sub {
  $service->verifyctl(qw(org update), $shop->{id}, qw(--free-allotment 0));
  my $report = finds {}, ['error credits_exhausted'], 2, 'nothing to pay with';
  is $report->{findings}[0]{organization_id}, $shop->{id}, '... whose';
  my ($status, $other) = examine({}, '--org', $test->{id});
  is_deeply found($other), [], 'of another organization nothing is said';
  $service->verifyctl(qw(credits add --amount 5 --note x --org), $shop->{id});
  finds {}, [], 0, 'credits';
  $service->verifyctl(qw(org update), $shop->{id}, qw(--billing-status suspended));
  finds {}, ['warning billing_suspended'], 1, 'suspended';
  $service->verifyctl(qw(org update), $shop->{id}, qw(--billing-status active));
  my @month = (gmtime)[5, 4];
  sql('INSERT INTO monthly_usage (organization_id, month, sandbox) VALUES (?, ?, 500)',
    $test->{id}, (1900 + $month[0]) * 100 + $month[1] + 1);
  finds {}, ['warning sandbox_exhausted'], 1, 'a sandbox that is used up';
  sql('DELETE FROM monthly_usage');
  $service->verifyctl(qw(org disable), $test->{id});
  finds {}, ['note organization_disabled'], 0, 'disabled';
  $service->verifyctl(qw(org enable), $test->{id});
  my $made = $service->verifyctl(qw(key create --type secret --org), $shop->{id},
    '--expires-at', time + 86400);
  finds {}, ['warning key_ends'], 1, 'a key that ends';
  $service->verifyctl(qw(key revoke), $made->{id});
  finds {}, [], 0, 'a revoked one does not';
};

subtest 'more sessions than buffers' => sub {
  my $first = $service;
  local $ENV{VERIFY_POSTGRESQL_OPTIONS} = '-c shared_buffers=2MB';
  $service = Verify::Instance->start(own_cluster => 1, start => 0);
  finds {}, [], 0, 'few';
  # Rows of 8 kB, which stay in the table.
  sql(<<'SQL', ($now) x 2, $now + 600 * $second);
INSERT INTO verification_session (organization_id, id, workflow_id,
  workflow_version_id, livemode, revision, status, type, methods, metadata,
  created_at, updated_at, expires_at, runner, client_secret_digest)
SELECT 'org_1', 'vks_' || n, 'wf_1', 'wfv_1', true, 1, 'created', 'age',
       '{document_capture}', json_build_object('a', repeat('b', 7000)),
       ?::bigint, ?::bigint, ?::bigint, '{}', ''
  FROM generate_series(1, 300) n
SQL
  my $report = finds {}, ['note database_buffers'], 0, 'more than that';
  my ($found) = grep { $_->{code} eq 'database_buffers' } @{$report->{findings}};
  like $found->{detail}, qr/\A2 MB of sessions, shared_buffers of 2 MB\.\z/,
    '... with how many';
  $service->stop;
  $service = $first;
};

finish $service;
