# Sessions and credentials that ended long ago are removed with all that hangs on
# them, however many there are, and nothing else is; no table is forgotten.
use v5.32;
use warnings;
use FindBin;
use Verify::FullTables qw(fill tables_with);
use Verify::Queries qw(plan_nodes query_plan query_text);
use Verify::Test;

use constant ROWS => $ENV{VERIFY_PLAN_ROWS} // 30_000;
use constant PAGE => 100;

my $service = Verify::Instance->start(start => 0);
my $handle = $service->connect_database;

# What knows a session and is not removed with it, and why.
my %stays = (
  session_data_key => 'is removed before: until then the session stays',
  vp_token_presentation => 'is older than 30 days then, and gone',
  credential => 'is reused, and has a retention of its own',
  vp_token => 'is removed with its credential',
  trust_reuse_grant => 'says who accepted what',
  ledger_entry => 'is about money',
  removed_session => 'says of a removed one whose it was',
);
my %removed = map { $_ => 1 }
  query_text('retention/remove_sessions') =~ /\bDELETE FROM (\w+)/g;
my @knowing = tables_with($handle, 'session_id');
is_deeply [grep { !$removed{$_} && !$stays{$_} } @knowing], [],
  'of each table that knows sessions is said whether its rows go with them';
is_deeply [grep { $removed{$_} } sort keys %stays], [], '... one or the other';
my %knows = map { $_ => 1 } @knowing;
is_deeply [grep { !$knows{$_} } sort keys %stays], [], 'the list is of now';
is_deeply [sort grep { !$knows{$_} } keys %removed],
  [qw(risk_observation verification_session)], 'what goes besides';
# The directives promise what the words above rest on.
{
  open my $file, '<', "$FindBin::Bin/../../mod_verify/core/settings.def" or die;
  like do { local $/; <$file> }, qr/VerifyIdempotencyRetention, idempotency_retention, 24, 1, 720,/,
    'no answer is kept for longer than the least retention of sessions';
}

sub session { sprintf 'vks_%026d', $_[0] }
my $first_left; # before which nothing stays, as the last page has told
sub remove {
  my ($on, %with) = @_;
  my $text = query_text('retention/remove_sessions');
  my $statement = $on->prepare_cached($text);
  $statement->execute($with{organization} // 'org_large', $with{position} // 'vks_',
    $with{bound} // 'vks_~', $with{limit} // PAGE, $with{cutoff} // 1_000_000);
  my @row = @{$statement->fetchall_arrayref->[0]};
  $first_left = pop @row;
  return \@row;
}
# The numbers of the sessions that a table knows in an organization.
sub left {
  my ($table, $organization) = @_;
  my $column = $table eq 'verification_session' ? 'id' : 'session_id';
  return [map { s/vks_0*//r } @{$handle->selectcol_arrayref(
    "SELECT DISTINCT $column FROM $table WHERE organization_id = ? ORDER BY 1", undef,
    $organization)}];
}

subtest 'all that hangs on a session goes with it' => sub {
  $handle->begin_work;
  my @tables = ('verification_session', grep { $_ ne 'session_data_key' } @knowing);
  for my $organization (qw(org_large org_other)) {
    fill($handle, $_, $organization, 1, 3) for @tables, 'risk_observation', 'workflow_replay';
  }
  # A review is settled, else its session stays.
  $handle->do(q{UPDATE second_review SET lapsed_at = 1});
  $handle->do(q{UPDATE verification_session SET updated_at = 1000000 WHERE id = ?}, undef,
    session(3));
  is_deeply remove($handle), [2, session(3), 3], 'two of three are old enough';
  for my $table (@tables) {
    is_deeply left($table, 'org_large'), [$stays{$table} ? (1, 2, 3) : 3], "of $table";
    is_deeply left($table, 'org_other'), [1, 2, 3], '... and none of another organization';
  }
  is $handle->selectrow_array(q{SELECT string_agg(assessment_id, ' ') FROM risk_observation
    WHERE organization_id = 'org_large'}), 'rsk_3', 'what was counted of them';
  is_deeply remove($handle), [0, session(3), 1], 'and no more the next time';
  $handle->rollback;
};

subtest 'whose it was is noted, where something is left of it' => sub {
  $handle->begin_work;
  fill($handle, 'verification_session', 'org_large', 1, 8,
    email_digest => 'int4send(i)', phone_digest => 'int4send(-i)',
    verified_person_id => q{CASE WHEN i IN (2, 4) THEN 'vp_' || i END}, updated_at => 'i');
  $handle->do('UPDATE verification_session SET email_digest = NULL, phone_digest = NULL
    WHERE id = ?', undef, session(5));
  fill($handle, 'event', 'org_large', 1, 5, object_id => q{'vks_' || lpad(i::text, 26, '0')},
    id => q{'evt_' || i});
  fill($handle, 'event', 'org_other', 6, 8, object_id => q{'vks_' || lpad(i::text, 26, '0')},
    id => q{'evt_' || i});
  fill($handle, 'credential', 'org_large', 6, 7,
    verified_person_id => q{CASE WHEN i = 7 THEN 'vp_7' END});
  is_deeply remove($handle), [8, session(8), 8], 'all go';
  my $noted = sub { $handle->selectcol_arrayref(q{SELECT concat_ws(' ',
    replace(session_id, 'vks_', '')::integer, coalesce(verified_person_id, '-'),
    encode(email_digest, 'hex'), encode(phone_digest, 'hex'), has_credential, changed_at)
    FROM removed_session WHERE organization_id = 'org_large' ORDER BY session_id}) };
  is_deeply $noted->(), ['1 - 00000001 ffffffff f 1', '2 vp_2 f 2',
    '3 - 00000003 fffffffd f 3', '4 vp_4 f 4', '6 - 00000006 fffffffa t 6'],
    'by the person, or else by the digests';
  my $purge = sub { 0 + $handle->do(query_text('retention/purge_removed_sessions')
    =~ s/\$1\b/$_[0]/gr =~ s/\$2\b/100/gr) };
  is $purge->(100), 0, 'the notes stay with the events';
  $handle->do(q{DELETE FROM event WHERE object_id <> ?}, undef, session(4));
  is $purge->(3), 2, 'and go after them, when they are old';
  is $purge->(100), 1, '... not that of a credential';
  remove_credentials($handle);
  is $purge->(100), 1, '... until that has gone';
  is_deeply $noted->(), ['4 vp_4 f 4'], 'those with events are left';
  $handle->rollback;
};

subtest 'what the law lets be kept for some days only' => sub {
  $handle->begin_work;
  my $day = 86_400_000;
  my $law = sub { qq{CASE WHEN i < 7 THEN json_build_object('data_retention_days',
    CASE WHEN i < 4 THEN 30 ELSE 0 END) END} };
  fill($handle, 'verification_session', 'org_large', 1, 7, compliance => $law->(),
    status => q{CASE WHEN i = 6 THEN 'under_review' ELSE 'verified' END},
    results => q{'[]'}, verification_result => q{'{}'}, updated_at => 'i');
  fill($handle, $_, 'org_large', 1, 7) for qw(decision_record document_sighting);
  $handle->do(q{DELETE FROM credential});
  fill($handle, 'credential', 'org_large', 1, 7, id => q{'crd_' || i});
  fill($handle, $_, 'org_large', 1, 7, credential_id => q{'crd_' || i},
    $_ eq 'vp_token_presentation' ? () : (digest => q{('token ' || i)::bytea}))
    for qw(vp_token passkey shared_credential vp_token_presentation);
  fill($handle, 'event', 'org_large', 1, 7,
    object_id => q{'vks_' || lpad(i::text, 26, '0')});
  my $purge = sub { $handle->selectrow_array(query_text('retention/purge_by_law')
    =~ s/\$1\b/$_[0]/gr =~ s/\$2\b/100/gr) };
  is $purge->(3_600_000), 0, 'nothing goes within an hour';
  is $purge->($day), 2, 'nothing may be kept: an hour after it was decided it goes';
  is $purge->(30 * $day + 3), 2, 'thirty days: after these';
  my $left = $handle->selectcol_arrayref(q{SELECT id FROM verification_session
    WHERE results IS NOT NULL AND verification_result IS NOT NULL ORDER BY id});
  is_deeply [map { s/vks_0*//r } @$left], [3, 6, 7],
    'what is under review stays, and where the law sets no limit';
  for my $table (qw(decision_record document_sighting credential)) {
    is_deeply left($table, 'org_large'), [3, 6, 7], "so do the rows of $table";
  }
  for my $table (qw(vp_token passkey shared_credential vp_token_presentation)) {
    is_deeply $handle->selectcol_arrayref(qq{SELECT credential_id FROM $table
      WHERE credential_id LIKE 'crd_%' ORDER BY 1}), [qw(crd_3 crd_6 crd_7)],
      "... and those of $table";
  }
  is $handle->selectrow_array(q{SELECT count(*) FROM event WHERE object_id LIKE 'vks_%'}),
    3, 'and the events';
  is $purge->(60 * $day), 1, 'the last of them';
  is $purge->(60 * $day), 0, 'and no more the next time';
  $handle->rollback;
};

subtest 'nothing is removed beside an erasure' => sub {
  fill($handle, 'verification_session', 'org_large', 1, 3);
  my $other = $service->connect_database;
  $other->begin_work;
  $other->do(query_text('person/lock_removal') =~ s/\$1\b/'org_large'/r);
  is_deeply remove($handle), [0, session(3), 3], 'a page is left, and not waited for';
  $other->rollback;
  is_deeply remove($handle), [3, session(3), 3], 'the next time it goes';
};

subtest 'a page is what was said' => sub {
  $handle->begin_work;
  fill($handle, 'verification_session', 'org_large', 1, 9, updated_at => 'i');
  is_deeply remove($handle, limit => 2), [2, session(2), 2], 'of so many';
  is_deeply remove($handle, position => session(4), limit => 2), [2, session(6), 2],
    'behind the position';
  is_deeply remove($handle, bound => session(9)), [4, session(8), 4], 'before the bound';
  is_deeply remove($handle, cutoff => 9), [0, session(9), 1], 'what ended before the cutoff';
  is_deeply remove($handle, organization => 'org_none'), [0, undef, 0], 'of nobody, nothing';
  $handle->rollback;
};

# Each session of these numbers is what its name says; only that of 1 goes.
my @staying = (
  ['is open', q{UPDATE verification_session SET status = 'processing' WHERE id = ?}],
  ['is under review', q{UPDATE verification_session SET status = 'under_review' WHERE id = ?}],
  ['has evidence', q{INSERT INTO session_data_key VALUES ('org_large', ?, '')}],
  ['waits for a second review', second_review('NULL, NULL, NULL')],
  ['has two decisions that differ', second_review(q{'reject', 1, NULL})],
);
my @going = (
  ['has expired', q{UPDATE verification_session SET status = 'expired' WHERE id = ?}],
  ['has failed', q{UPDATE verification_session SET status = 'failed' WHERE id = ?}],
  ['was cancelled', q{UPDATE verification_session SET status = 'cancelled' WHERE id = ?}],
  ['has a second review that lapsed', second_review('NULL, NULL, 1')],
  ['has two decisions that agree', second_review(q{'approve', 1, NULL})],
  ['has two that differ, and a third', second_review(q{'reject', 1, NULL}, q{'approve', 1})],
);
sub second_review {
  my ($second, $settled) = @_;
  $settled //= 'NULL, NULL';
  return qq{WITH entry AS (
      INSERT INTO review_entry (organization_id, session_id, number, id, action, created_at)
      VALUES ('org_large', ?, 1, 'rve_' || random(), 'approved', 1)
      RETURNING organization_id, id, session_id)
    INSERT INTO second_review (organization_id, id, session_id, first_reviewer,
      first_decision, chosen_at, deadline_at, second_decision, decided_at, lapsed_at,
      settled_decision, settled_at)
    SELECT organization_id, id, session_id, 'one', 'approve', 1, 2, $second, $settled
      FROM entry};
}
subtest 'a session that something needs stays' => sub {
  $handle->begin_work;
  fill($handle, 'verification_session', 'org_large', 1, @staying + @going);
  my $number = 0;
  for my $case (@staying, @going) {
    $handle->do($case->[1], undef, session(++$number));
  }
  is_deeply remove($handle), [@going + 0, session($number), $number], 'others go';
  my %left = map { $_ => 1 } @{left('verification_session', 'org_large')};
  $number = 0;
  ok $left{++$number}, "one that $_->[0] stays" for @staying;
  ok !$left{++$number}, "one that $_->[0] goes" for @going;
  $handle->rollback;

  $handle->begin_work;
  fill($handle, 'verification_session', 'org_large', 1, 9);
  fill($handle, 'workflow_replay', 'org_large', 1, 1, status => q{'running'},
    ended_at => 'NULL', position => $handle->quote(session(3)),
    last_position => $handle->quote(session(7)));
  is_deeply remove($handle), [6, session(9), 9], 'a simulation is under way';
  is_deeply left('verification_session', 'org_large'), [4, 5, 6],
    'what it has not come to stays';
  is $first_left, substr(session(4), 0, 14), 'and is told of';
  $handle->do('SAVEPOINT under_way');
  $handle->do(q{UPDATE workflow_replay SET status = 'done', ended_at = 1});
  is_deeply remove($handle), [3, session(6), 3], 'one that has ended needs none';
  $handle->do('ROLLBACK TO under_way');
  $handle->do(q{UPDATE workflow_replay SET is_shadow = true});
  is_deeply remove($handle), [3, session(6), 3], 'and a shadow neither';
  is $first_left, undef, '... so that nothing is left';
  $handle->rollback;
};

subtest 'who is at it is not waited for' => sub {
  fill($handle, 'verification_session', 'org_large', 1, 6);
  fill($handle, 'decision_record', 'org_large', 1, 6);
  my $other = $service->connect_database;
  $_->do(q{SET lock_timeout = '5s'}) for $handle, $other;
  $other->begin_work;
  $other->do('SELECT FROM verification_session WHERE id = ? FOR UPDATE', undef, session(2));
  $handle->begin_work;
  is_deeply remove($handle, limit => 3), [2, session(3), 3], 'one that somebody changes is left';
  is_deeply remove($other), [4, session(6), 6], 'another node takes the others at once';
  $handle->commit;
  $other->commit;
  is $handle->selectrow_array('SELECT count(*) FROM verification_session'), 0, 'each once';
  is $handle->selectrow_array('SELECT count(*) FROM decision_record'), 0,
    'with what hung on them';
};

subtest 'nobody looks below what was left' => sub {
  my $find = sub { $handle->selectrow_array(query_text("retention/find_organization_of_$_[0]"),
    undef, '', @_[1, 2]) };
  $handle->begin_work;
  $handle->do(q{INSERT INTO organization (id, name, created_at, updated_at)
    VALUES ('org_large', '', 1, 1)});
  fill($handle, $_, 'org_large', 1, 5) for qw(verification_session credential);
  is $find->('sessions', session(4), 'vks_~'), 'org_large', 'a session above';
  is $find->('sessions', session(5), 'vks_~'), undef, 'none';
  is $find->('credentials', 5, 100), 'org_large', 'a credential from then on';
  is $find->('credentials', 6, 100), undef, 'none';
  $handle->rollback;
  my @cleaned = sort keys %{{%removed, map { $_ => 1 } qw(credential vp_token
    passkey vp_token_presentation shared_credential)}};
  is_deeply $handle->selectcol_arrayref(q{SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relname = ANY (?)
      AND NOT coalesce('autovacuum_vacuum_scale_factor=0.01' = ANY (reloptions), false)
      AND relname !~ '^workflow_'}, undef, \@cleaned), [],
    'each table is cleaned when a hundredth of it is dead';
};

subtest 'a page is found by indexes, however much there is' => sub {
  my @tables = grep { !$stays{$_} } sort keys %removed;
  fill($handle, $_, 'org_large', 1, ROWS) for @tables;
  fill($handle, 'workflow_replay', 'org_large', 1, 1);
  $handle->do(q{UPDATE second_review SET lapsed_at = 1});
  $handle->do('INSERT INTO organization (id, name, created_at, updated_at)
    SELECT $$org_$$ || i, $$$$, 1, 1 FROM generate_series(1, 1000) i
    UNION ALL SELECT $$org_large$$, $$$$, 1, 1');
  $handle->do('VACUUM ANALYZE');
  my $half = ROWS / 2;
  for my $mode (qw(generic custom)) {
    my @nodes = plan_nodes(query_plan($handle, 'retention/remove_sessions', $mode,
      'org_large', session($half), 'vks_~', PAGE, 1_000_000));
    for my $table (@tables) {
      my @of_table = grep { ($_->{'Relation Name'} // '') eq $table } @nodes;
      my ($write) = grep { $_->{'Node Type'} eq 'ModifyTable' } @of_table;
      my ($rows) = grep { $_->{'Parent Relationship'} eq 'Outer' } @{$write->{Plans}};
      is $rows->{'Actual Rows'}, PAGE, "$mode plan: what $table has of the page";
      my @scans = grep { $_->{'Node Type'} =~ /Scan/ } @of_table;
      ok @scans && !grep({ $_->{'Node Type'} eq 'Seq Scan'
        || ($_->{'Rows Removed by Filter'} // 0) > 10 } @scans), '... and no more is read'
        or diag explain(\@scans);
    }
    my @finding = plan_nodes(query_plan($handle, 'retention/find_organization_of_sessions',
      $mode, '', 'vks_', 'vks_~'));
    is $finding[0]{'Actual Rows'}, 1, "$mode plan: an organization that has old ones";
    ok !grep({ $_->{'Node Type'} eq 'Seq Scan' && $_->{'Relation Name'} ne 'organization'
      || $_->{'Actual Rows'} > 1100 } @finding), '... of whose sessions one is looked at'
      or diag explain(\@finding);
  }
};

subtest 'what a disabled organization has is kept' => sub {
  $handle->begin_work;
  fill($handle, 'credential', 'org_large', 1, 1);
  for (['sessions', 'vks_', 'vks_~'], ['credentials', 0, 1_000_000]) {
    my ($kind, @range) = @$_;
    my $found = sub { scalar $handle->selectrow_array(
      query_text("retention/find_organization_of_$kind"), undef, '', @range) };
    is $found->(), 'org_large', "$kind: its turn comes";
    $handle->do(q{UPDATE organization SET disabled_at = 1 WHERE id = 'org_large'});
    is $found->(), undef, '... not while it is disabled';
    $handle->do(q{UPDATE organization SET disabled_at = NULL WHERE id = 'org_large'});
  }
  $handle->rollback;
};

# --- credentials ---

$handle->do("TRUNCATE $_") for sort keys %removed, 'workflow_replay', 'organization';
sub remove_credentials {
  my ($on, %with) = @_;
  my $statement = $on->prepare_cached(query_text('retention/remove_credentials'));
  $statement->execute($with{organization} // 'org_large', $with{position} // '0',
    $with{bound} // 1_000_000, $with{limit} // PAGE);
  my @row = @{$statement->fetchall_arrayref->[0]};
  $first_left = pop @row;
  return \@row;
}
my %goes = map { $_ => 1 }
  query_text('retention/remove_credentials') =~ /\bDELETE FROM (\w+)/g;
is_deeply [sort keys %goes], [sort 'credential', tables_with($handle, 'credential_id')],
  'what knows a credential goes with it';

subtest 'credentials go with all that hangs on them' => sub {
  $handle->begin_work;
  for my $organization (qw(org_large org_other)) {
    fill($handle, $_, $organization, 1, 5) for sort keys %goes;
  }
  # They expire at 1 to 5; one is revoked before that, one is young, one valid.
  $handle->do(q{UPDATE credential SET expires_at = 2000000, revoked_at = 3 WHERE id = 'cred_3'});
  $handle->do(q{UPDATE credential SET expires_at = 1000000 WHERE id = 'cred_4'});
  $handle->do(q{UPDATE credential SET expires_at = 9999999999999 WHERE id = 'cred_5'});
  is_deeply remove_credentials($handle, limit => 2), [2, 2, 2], 'a page, and when it ended';
  is_deeply remove_credentials($handle, position => 2), [1, 3, 1], 'what is behind it';
  is $first_left, undef, 'and nothing stays';
  is_deeply remove_credentials($handle), [0, undef, 0], 'and no more';
  for my $table (sort keys %goes) {
    my $column = $table eq 'credential' ? 'id' : 'credential_id';
    my @left = map { $handle->selectrow_array(
      "SELECT string_agg($column, ' ' ORDER BY $column) FROM $table
        WHERE organization_id = ?", undef, $_) } qw(org_large org_other);
    is_deeply \@left, ['cred_4 cred_5', 'cred_1 cred_2 cred_3 cred_4 cred_5'], "of $table";
  }
  $handle->rollback;
};

subtest 'who reuses one is not waited for' => sub {
  fill($handle, 'credential', 'org_large', 1, 3);
  my $other = $service->connect_database;
  $other->begin_work;
  $other->do(q{SELECT FROM credential WHERE id = 'cred_2' FOR SHARE});
  is_deeply remove_credentials($handle), [2, 3, 3], 'what is held is left';
  is $first_left, 2, 'and told of';
  $other->rollback;
  is_deeply remove_credentials($handle), [1, 2, 1], 'until the next time';
};

subtest 'they are found by indexes' => sub {
  fill($handle, $_, 'org_large', 1, ROWS) for sort keys %goes;
  $handle->do('UPDATE credential SET revoked_at = 1 WHERE expires_at % 2 = 0');
  $handle->do('INSERT INTO organization (id, name, created_at, updated_at)
    SELECT $$org_$$ || i, $$$$, 1, 1 FROM generate_series(1, 1000) i
    UNION ALL SELECT $$org_large$$, $$$$, 1, 1');
  $handle->do('VACUUM ANALYZE');
  for my $mode (qw(generic custom)) {
    my @nodes = plan_nodes(query_plan($handle, 'retention/remove_credentials', $mode,
      'org_large', ROWS / 2, 1_000_000_000, PAGE));
    for my $table (sort keys %goes) {
      my @of_table = grep { ($_->{'Relation Name'} // '') eq $table } @nodes;
      my ($write) = grep { $_->{'Node Type'} eq 'ModifyTable' } @of_table;
      my ($rows) = grep { $_->{'Parent Relationship'} eq 'Outer' } @{$write->{Plans}};
      is $rows->{'Actual Rows'}, PAGE, "$mode plan: what $table has of the page";
      ok !grep({ $_->{'Node Type'} =~ /Seq Scan|Sort/
        || ($_->{'Rows Removed by Filter'} // 0) > 10 } @of_table), '... and no more is read'
        or diag explain(\@of_table);
    }
    my @finding = plan_nodes(query_plan($handle,
      'retention/find_organization_of_credentials', $mode, '', 0, 1_000_000_000));
    is $finding[0]{'Actual Rows'}, 1, "$mode plan: an organization that has old ones";
    ok !grep({ $_->{'Node Type'} eq 'Seq Scan' && $_->{'Relation Name'} ne 'organization'
      || $_->{'Actual Rows'} > 1100 } @finding), '... of whose credentials one is looked at'
      or diag explain(\@finding);
  }
};
finish($service);
