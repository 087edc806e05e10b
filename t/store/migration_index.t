# An index of a large table is built while everybody writes to it: nobody waits for
# the migration, however long it waits for somebody; cut off at any moment, it is
# done by the next; and several take turns.
use v5.32;
use warnings;
use File::Copy qw(copy);
use POSIX ();
use Verify::FullTables qw(fill);
use Verify::Test;
use Verify::Upgrade;
use Verify::Wait;

use constant BEFORE => 55; # migrations; the next is marked
my ($name) = (migrations())[BEFORE];
like $name, qr/\A0056_/, 'the migration with the index of credentials';

# A service before it, and what its credentials are written by: somebody who has
# begun a transaction and leaves it open.
sub prepare {
  my $service = Verify::Instance->start(start => 0, migrate => 0);
  my $directory = older_schema($service, BEFORE);
  copy "sql/migrations/$name", "$directory/" or die "$name: $!\n";
  my ($writer, $watcher) = map { $service->connect_database } 1 .. 2;
  fill($watcher, 'credential', 'org_large', 1, 100);
  my $self = {service => $service, directory => $directory, writer => $writer,
    watcher => $watcher};
  hold($self);
  return $self;
}
sub hold {
  my ($of) = @_;
  $of->{writer}->begin_work;
  fill($of->{writer}, 'credential', 'org_writer', 1, 1);
}
sub release {
  $_[0]{writer}->rollback;
}
# A process that migrates; what it says goes to a file.
sub migrate {
  my ($of) = @_;
  my $said = "$of->{directory}/said." . ++$of->{runs};
  my $pid = fork // die "cannot fork: $!\n";
  if (!$pid) {
    %ENV = ($of->{service}->environment, VERIFY_MIGRATIONS => $of->{directory});
    open STDOUT, '>', $said;
    open STDERR, '>&', \*STDOUT;
    exec 'scripts/verifyctl', 'migrate' or POSIX::_exit(127);
  }
  return {pid => $pid, said => $said};
}
sub ended {
  my ($run) = @_;
  my $status = wait_for { waitpid($run->{pid}, POSIX::WNOHANG()) ? [$?] : undef };
  kill KILL => $run->{pid} unless $status;
  open my $file, '<', $run->{said} or die;
  local $/;
  return ($status ? $status->[0] : 'goes on', <$file>);
}
# The backends of those that migrate, of which the last statement is such a one.
sub backends {
  my ($of, $pattern) = @_;
  return @{$of->{watcher}->selectcol_arrayref(q{SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'verifyctl'
      AND query ~ ?}, undef, $pattern)};
}
sub builds {
  my ($of) = @_;
  return wait_for { $of->{watcher}->selectrow_array(q{SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND query ~ 'CREATE INDEX'
      AND application_name = 'verifyctl' AND wait_event_type = 'Lock'}) };
}
sub is_whole { $_[0]{watcher}->selectrow_array(q{SELECT indisvalid FROM pg_index
  WHERE indexrelid = to_regclass('credential_ended')}) }
sub version { $_[0]{watcher}->selectrow_array('SELECT max(version) FROM schema_migration') }
sub done_ok {
  my ($of, $what) = @_;
  ok is_whole($of), "$what: the index is whole";
  is $of->{watcher}->selectrow_array('SELECT count(*) FROM schema_migration WHERE name = ?',
    undef, $name), 1, '... and written down once';
  like $of->{watcher}->selectrow_array(q{SELECT pg_get_indexdef('credential_ended'::regclass)}),
    qr/\(organization_id, LEAST\(expires_at, revoked_at\)\)\z/, '... as the one that it is';
}

my @services;
subtest 'nobody waits for it' => sub {
  my $of = prepare();
  push @services, $of->{service};
  my $run = migrate($of);
  ok builds($of), 'it waits for who is writing';
  my $other = $of->{service}->connect_database;
  $other->do(q{SET lock_timeout = '2s'});
  ok eval { fill($other, 'credential', 'org_other', 1, 1); 1 }, 'others write at once'
    or diag $@;
  ok eval { $other->do('UPDATE credential SET revoked_at = 1'); 1 }, 'and change'
    or diag $@;
  is version($of), BEFORE, 'it is not written down before it is there';
  release($of);
  my ($status, $said) = ended($run);
  is $status, 0, 'then it is done' or diag $said;
  like $said, qr/\Q$name\E/, 'and said';
  done_ok($of, 'after a writer');
  $of->{watcher}->do(q{SET enable_seqscan = off});
  is $of->{watcher}->selectrow_array(q{SELECT count(*) FROM credential
    WHERE organization_id = 'org_large' AND least(expires_at, revoked_at) = 1}), 100,
    'what was changed meanwhile is in it';
};

subtest 'cut off half way' => sub {
  my $of = prepare();
  push @services, $of->{service};
  my $run = migrate($of);
  my $backend = builds($of);
  ok $backend, 'it waits for who is writing';
  $of->{watcher}->do('SELECT pg_terminate_backend(?)', undef, $backend);
  my ($status, $said) = ended($run);
  isnt $status, 0, 'it fails';
  like $said, qr/\Q$name\E: .*the index credential_ended is incomplete.*Run the command again/,
    'and says with what';
  release($of);
  is is_whole($of), 0, 'half an index is left';
  is version($of), BEFORE, 'of which nothing is written down';
  ($status, $said) = ended(migrate($of));
  is $status, 0, 'the next run does it' or diag $said;
  done_ok($of, 'after half an index');
  $of->{watcher}->do('DELETE FROM schema_migration WHERE name = ?', undef, $name);
  my ($file) = $of->{watcher}->selectrow_array(
    q{SELECT pg_relation_filenode('credential_ended')});
  ($status) = ended(migrate($of));
  is $status, 0, 'cut off before it was written down';
  done_ok($of, 'after that');
  is $of->{watcher}->selectrow_array(q{SELECT pg_relation_filenode('credential_ended')}),
    $file, 'and was not built twice';
};

subtest 'two at once' => sub {
  my $of = prepare();
  push @services, $of->{service};
  # So that two who wait for each other are told at once.
  $of->{watcher}->do(qq{ALTER DATABASE "$of->{service}{database}" SET deadlock_timeout = '50ms'});
  my @runs = migrate($of);
  ok builds($of), 'one waits for who is writing';
  push @runs, migrate($of);
  ok &wait_for(sub { backends($of, '^ROLLBACK') }), 'another waits for its turn';
  release($of);
  for (@runs) {
    my ($status, $said) = ended($_);
    is $status, 0, 'ends well' or diag $said;
  }
  done_ok($of, 'after two');
};

subtest 'who migrates is killed, and PostgreSQL goes on' => sub {
  my $of = prepare();
  push @services, $of->{service};
  my $run = migrate($of);
  ok builds($of), 'it waits for who is writing';
  kill KILL => $run->{pid};
  waitpid $run->{pid}, 0;
  my $next = migrate($of);
  ok &wait_for(sub { backends($of, 'pg_stat_progress') }),
    'the next sees that it is being built, and waits';
  release($of);
  my ($status, $said) = ended($next);
  is $status, 0, 'and finds it done, or does it' or diag $said;
  done_ok($of, 'after that');
};
finish @services;
