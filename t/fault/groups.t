# Creations of several customers are committed together: what one of them waits
# for or fails of is not the others' business.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use IO::Select;
use POSIX ();
use Time::HiRes qw(time);
use Verify::Conformance qw(at_once);
use Verify::Test;

my $limits = "VerifyRateLimit secret 100000\n";
my $path = '/v1/verification_sessions';
my $first = Verify::Instance->start(conf => $limits);
my $second = Verify::Instance->start(conf => $limits, beside => $first);
my $organization = $first->organization(sandbox => 1, workflow => 1);

sub body {
  return {type => 'age', jurisdiction => 'US-CA',
    workflow_id => $_[0]{workflow_id}};
}
# So many connections that each child has created sessions of the workflow.
sub warm {
  my ($who, @tokens) = @_;
  for my $node ($first, $second) {
    for my $token (@tokens) {
      my @clients = map { $node->client($token) } 1 .. 16;
      $_->post($path, body($who)) for @clients, @clients;
    }
  }
}

# Each record takes a while, so that the groups of two nodes meet.
subtest 'one key of two applications' => sub {
  my @tokens = map {
    my $application = $first->verifyctl(qw(app create --org),
      $organization->{id}, '--name', "Shop $_");
    $first->key($organization->{id}, 'secret', '--app', $application->{id});
  } 1, 2;
  warm($organization, @tokens);
  $first->sql(q{CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN PERFORM pg_sleep(0.02); RETURN new; END'});
  $first->sql('CREATE TRIGGER linger BEFORE INSERT ON idempotency_record
    FOR EACH ROW EXECUTE FUNCTION linger()');
  my $deadlocks = sub {
    $first->sql_value('SELECT pg_stat_get_db_deadlocks(oid) FROM pg_database
      WHERE datname = current_database()');
  };
  # Rows of sessions that were made, and those that the statistics know of.
  my $made = sub { $first->sql_value('SELECT count(*) FROM verification_session') };
  my $told = sub {
    $first->sql_value(q{SELECT pg_stat_get_tuples_inserted('verification_session'::regclass)});
  };
  ok wait_for(sub { $told->() >= $made->() }, 60), 'what was done before is known';
  my $before = $deadlocks->();
  my $records = sub { $first->sql_value('SELECT count(*) FROM idempotency_record') };
  my $kept = $records->();
  my @statuses;
  for my $round (1 .. 6) {
    my @pipes = map {
      my ($node, @order) = @$_;
      open my $pipe, '-|' or do {
        my $request = sub {
          my ($token, $key) = @_;
          return ['POST', $path, body($organization),
            Authorization => "Bearer $token", 'Idempotency-Key' => $key];
        };
        my @alone = map { $request->($tokens[0], "$round $_ $$") } 1 .. 8;
        my @both = map { $request->($_, "both $round") } (@order) x 8;
        print join(' ', map { $_->status }
          at_once($node->client($tokens[0]), @alone, @both));
        close STDOUT;
        POSIX::_exit(0);
      };
      $pipe;
    } [$first, @tokens], [$second, reverse @tokens];
    push @statuses, map { split ' ', readline $_ } @pipes;
  }
  my %count;
  $count{$_}++ for @statuses;
  is_deeply \%count, {201 => 6 * 2 * 24}, 'all are answered';
  # Each connection tells of all that it has met at once, some time later.
  ok wait_for(sub { $told->() >= $made->() }, 60), 'what was done is known';
  is $deadlocks->(), $before, 'no group waited for one that waited for it';
  $first->sql('DROP TRIGGER linger ON idempotency_record');
  # In each of six rounds: eight keys of each node, and one key of both applications.
  is $records->() - $kept, 6 * (2 * 8 + 2), 'one record for each application and key';
};

# A transaction of a node that is gone may hold a key until it is ended.
subtest 'a key that somebody else holds' => sub {
  my $other = $first->organization(sandbox => 1, workflow => 1);
  warm($_, $_->{secret_key}) for $organization, $other;
  my $holder = $first->connect_database;
  # What is stored is the HMAC of a key: an earlier request tells it, and is forgotten.
  is $organization->{client}->post($path, body($organization),
    'Idempotency-Key' => 'held')->status, 201, 'a request of before';
  my $held = $first->sql_value('SELECT key FROM idempotency_record
    WHERE organization_id = ? ORDER BY created_at DESC LIMIT 1', $organization->{id});
  $first->sql('DELETE FROM idempotency_record WHERE key = ?', $held);
  $holder->begin_work;
  $holder->do(q{INSERT INTO idempotency_record (organization_id,
    application_id, route, key, request_digest, status, sealed_response,
    created_at) SELECT organization_id, '', route, ?, '', 201, '',
    created_at FROM idempotency_record WHERE organization_id = ? LIMIT 1},
    undef, $held, $organization->{id});
  open my $pipe, '-|' or do {
    my $begin = time;
    my @answers = at_once($organization->{client}, (['POST', $path,
      body($organization), 'Idempotency-Key' => 'held']) x 6);
    print join(' ', time - $begin, map { $_->status } @answers);
    close STDOUT;
    POSIX::_exit(0);
  };
  my ($slowest, %count) = 0;
  my @clients = map { $first->client($other->{secret_key}) } 1 .. 8;
  my $told = IO::Select->new($pipe);
  until ($told->can_read(0.05)) {
    for my $client (@clients) {
      my $begin = time;
      $count{$client->post($path, body($other))->status}++;
      my $took = time - $begin;
      $slowest = $took if $took > $slowest;
    }
  }
  is_deeply [keys %count], [201], 'others are served';
  cmp_ok $slowest, '<', 4, 'without waiting for it' or diag "took $slowest s";
  my ($took, @statuses) = split ' ', readline $pipe;
  is_deeply \@statuses, [(409) x 6], 'who asks with it is told';
  cmp_ok $took, '<', 13, 'within the ten seconds' or diag "took $took s";
  $holder->rollback;
};

finish $second, $first;
