# A database that the first schema made and people used: migrated to the newest
# by two nodes at once, it serves on. A dump of it, with the master key, is a
# service elsewhere.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP ();
use POSIX ();
use Verify::Test;
use Verify::Upgrade;

my @migrations = migrations();
my ($pg_dump) = grep { -x } (sort { $b cmp $a } glob '/usr/lib/postgresql/*/bin/pg_dump'),
  map { "$_/pg_dump" } split /:/, $ENV{PATH};
my $list = '/v1/verification_sessions';

sub create_session {
  my ($organization) = @_;
  return answer_is $organization->{client}->post($list, {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US-CA',
    skip_verification => JSON::PP::true}), 201, 'a session';
}
# The same organization, asked at another service.
sub at {
  my ($organization, $service) = @_;
  return {%$organization, client => $service->client($organization->{secret_key})};
}
sub delivered {
  my ($receiver, $session) = @_;
  return wait_for { grep { $_->{event}{type} eq 'verification_session.verified'
    && $_->{event}{data}{object}{id} eq $session } $receiver->requests };
}

# What is used, with a delivery that nobody has taken yet.
my $first = Verify::Instance->start;
my $organization = $first->organization(sandbox => 1, workflow => 1);
my $receiver = $first->receiver;
my $endpoint = answer_is $organization->{client}->post('/v1/webhook_endpoints',
  {url => $receiver->url, enabled_events => ['*']}), 201, 'an endpoint';
$receiver->behave({status => 503});
my $session = create_session($organization);
ok wait_for { $first->sql_value(q{SELECT count(*) FROM webhook_delivery
  WHERE attempt > 0}) }, 'its webhook failed';
$first->stop_httpd;
$receiver->behave({status => 200});

my $old = beside($first);
subtest 'the first schema' => sub {
  local $ENV{VERIFY_MIGRATIONS} = older_schema($old, 1);
  is_deeply $old->verifyctl('migrate'), {applied => [], version => 1}, 'is there';
  copy_rows($first, $old);
  # The lease is of a column that came later.
  $old->sql('UPDATE webhook_delivery SET leased_by = NULL');
  is $old->sql_value('SELECT count(*) FROM verification_session'), 1, 'with data';
  ok !eval { $old->verifyctl(qw(org list)); 1 }, 'and too old for verifyctl';
  like $@, qr/schema has version 1, this needs \d+: run verifyctl migrate/,
    'which says so';
};

subtest 'two migrations of the same number' => sub {
  open my $file, '>', "$old->{directory}/sql/0001_other.sql" or die;
  close $file;
  local $ENV{VERIFY_MIGRATIONS} = "$old->{directory}/sql";
  ok !eval { $old->verifyctl('migrate'); 1 }, 'are not taken for one';
  like $@, qr/0001_initial\.sql and 0001_other\.sql have the same number/, 'but named';
};

subtest 'a table that somebody holds' => sub {
  my $holder = $old->connect_database;
  $holder->begin_work;
  $holder->do('LOCK TABLE webhook_delivery IN ACCESS SHARE MODE');
  ok !eval { $old->verifyctl('migrate'); 1 }, 'is not waited for without end';
  like $@, qr/\.sql: .*55P03: another process has locked a table/, 'but named';
  $holder->rollback;
};

subtest 'the newest schema' => sub {
  my @pids = map {
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
      $old->{owner} = $first->{owner} = 0;
      my $done = eval { $old->verifyctl('migrate'); 1 };
      POSIX::_exit($done ? 0 : 1);
    }
    $pid;
  } 1 .. 2;
  is_deeply [map { waitpid $_, 0; $? } @pids], [0, 0], 'from two nodes at once';
  is_deeply $old->verifyctl('migrate'),
    {applied => [], version => $migrations[-1] =~ s/_.*//r + 0}, 'and again';
};

sub goes_on {
  my ($service) = @_;
  my $there = at($organization, $service);
  my $found = answer_is $there->{client}->get("$list/$session->{id}"), 200,
    'what there was';
  is $found->{status}, $session->{status}, 'as it was';
  my $later = create_session($there);
  ok delivered($receiver, $later->{id}), 'new webhooks arrive';
  my ($request) = grep { $_->{event}{data}{object}{id} eq $later->{id} }
    $receiver->requests;
  is signature_fault($endpoint->{secret}, $request->{headers}{'service-signature'},
    $request->{body}, $request->{time}), undef, 'signed with the old secret';
}

subtest 'the service after the upgrade' => sub {
  $old->start_httpd;
  $old->sql('UPDATE webhook_delivery SET next_attempt_at = 1
    WHERE status = ? AND attempt > 0', 'pending');
  ok delivered($receiver, $session->{id}), 'what was due arrives';
  goes_on($old);
  $old->stop_httpd;
};

subtest 'the service from a backup' => sub {
  plan skip_all => 'no pg_dump' unless $pg_dump;
  my $dump = "$old->{directory}/dump";
  is system($pg_dump, '-Fc', '-f', $dump, '-d', $old->{conninfo}), 0, 'is dumped';
  my $restored = beside($first);
  is system($pg_dump =~ s/dump\z/restore/r, '--exit-on-error', '-d',
    $restored->{conninfo}, $dump), 0, 'and restored';
  is_deeply $restored->verifyctl('migrate')->{applied}, [], 'with its versions';
  $restored->start_httpd;
  goes_on($restored);
  $restored->stop;
};

finish $old, $first;
