# The Idempotency-Key header.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Test;

my $service = Verify::Instance->start(conf => "VerifyIdempotencyRetention 30\n");
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $client = $organization->{client};
my %body = (type => 'age', workflow_id => $organization->{workflow_id},
  jurisdiction => 'US');
my $path = '/v1/verification_sessions';

sub count { return $service->sql_value('SELECT count(*) FROM verification_session') }

subtest 'a replay' => sub {
  my $first = $client->post($path, \%body, 'Idempotency-Key' => 'one');
  is $first->status, 201, 'the first is done' or diag $first->body;
  is $first->header('Idempotent-Replayed'), undef, 'and not marked';
  my $second = $client->post($path, \%body, 'Idempotency-Key' => 'one');
  is $second->status, 201, 'same status';
  is $second->body, $first->body, 'same bytes, secret included';
  is $second->header('Idempotent-Replayed'), 'true', 'marked';
  is count(), 1, 'one session';
  my $stored = $service->sql_value(
    q{SELECT encode(sealed_response, 'escape') FROM idempotency_record});
  unlike $stored, qr/secret/, 'the stored answer is sealed';
};

subtest 'keys are stored as an HMAC only' => sub {
  my $named = 'order of alice@example.com';
  my $first = $client->post($path, {%body, client_reference_id => 'a'},
    'Idempotency-Key' => $named);
  my $session = $first->json->{id};
  my @ways = ([$path, {%body, client_reference_id => 'a'}, $first],
    (map { my $at = "$path/$session/$_"; [$at, {}, $client->post($at, {},
      'Idempotency-Key' => $named)] } 'cancel'));
  is $client->post($_->[0], $_->[1], 'Idempotency-Key' => $named)->body, $_->[2]->body,
    "$_->[0]: replayed" for @ways;
  my $keys = $service->connect_database->selectcol_arrayref(
    'SELECT key FROM idempotency_record');
  is_deeply [grep { !/\A[0-9a-f]{64}\z/ } @$keys], [], 'each is a digest';
  is scalar(grep { $_ eq $keys->[0] } @$keys), 1, 'equal keys of two routes look different';
  require Digest::SHA;
  ok !(grep { $_ eq Digest::SHA::sha256_hex($named) } @$keys), 'and have a key of the server';
  $service->sql(q{UPDATE verification_session SET status = 'failed' WHERE id = ?}, $session);
  $service->sql('DELETE FROM verification_session WHERE id = ?', $session);
  $service->sql('DELETE FROM event WHERE object_id = ?', $session);
  $service->sql('DELETE FROM idempotency_record WHERE session_id = ?', $session);
};

subtest 'a record of an earlier release, with the text of its key' => sub {
  my $first = $client->post($path, {%body, client_reference_id => 'former'},
    'Idempotency-Key' => 'former');
  my $session = $first->json->{id};
  $service->sql(q{UPDATE idempotency_record SET key = 'former' WHERE session_id = ?},
    $session);
  for (1 .. 2) {
    error_is($client->post($path, {%body, client_reference_id => 'other'},
      'Idempotency-Key' => 'former'), 400, 'idempotency_key_reuse', undef,
      'is found, with another body too');
  }
  is $service->sql_value(q{SELECT count(*) FROM verification_session
    WHERE client_reference_id IN ('former', 'other')}), 1, 'and no second session is made';
  $service->sql('DELETE FROM verification_session WHERE id = ?', $session);
  $service->sql('DELETE FROM event WHERE object_id = ?', $session);
  $service->sql('DELETE FROM idempotency_record WHERE session_id = ?', $session);
};

subtest 'another body' => sub {
  my $answer = $client->post($path, {%body, type => 'identity'},
    'Idempotency-Key' => 'one');
  is $answer->status, 400, "refused";
  is $answer->error->{code}, 'idempotency_key_reuse', 'code';
  is count(), 1, 'nothing created';
};

subtest 'a failure is not stored' => sub {
  my $answer = $client->post($path, {%body, type => 'nothing'},
    'Idempotency-Key' => 'two');
  is $answer->status, 400, 'refused';
  is $client->post($path, \%body, 'Idempotency-Key' => 'two')->status, 201,
    'the same key can be used again';
};

subtest 'scope' => sub {
  my $other = $service->organization(sandbox => 1, workflow => 1);
  my $answer = $other->{client}->post($path,
    {%body, workflow_id => $other->{workflow_id}}, 'Idempotency-Key' => 'one');
  is $answer->status, 201, 'another organization has keys of its own';
  my $id = $client->post($path, \%body)->json->{id};
  is $client->post("$path/$id/cancel", undef, 'Idempotency-Key' => 'one')->status,
    200, 'so has another route';
  my $replay = $client->post("$path/$id/cancel", undef, 'Idempotency-Key' => 'one');
  is $replay->header('Idempotent-Replayed'), 'true', 'which replays too';
  is $replay->json->{status}, 'cancelled', 'its answer';
};

subtest 'keys' => sub {
  for my $key ('', 'k' x 256, "a\tb") {
    my $answer = $client->post($path, \%body, 'Idempotency-Key' => $key);
    is $answer->status, 400, 'refused';
    is $answer->error->{param}, 'Idempotency-Key', 'param';
  }
  is $client->post($path, \%body, 'Idempotency-Key' => 'k' x 255)->status, 201,
    '255 characters are fine';
};

subtest 'at once' => sub {
  my $before = count();
  my @pids;
  for my $number (1 .. 6) {
    pipe my $read, my $write;
    my $pid = fork // die "fork: $!";
    if (!$pid) {
      my $answer = $service->client($organization->{secret_key})
        ->post($path, \%body, 'Idempotency-Key' => 'together');
      print $write $answer->status, ' ', $answer->json->{id} // '';
      close $write;
      require POSIX;
      POSIX::_exit(0);
    }
    close $write;
    push @pids, [$pid, $read];
  }
  my %answers;
  for (@pids) {
    my ($pid, $read) = @$_;
    $answers{readline $read}++;
    waitpid $pid, 0;
  }
  is scalar keys %answers, 1, 'all get the same answer' or diag explain \%answers;
  like +(keys %answers)[0], qr/\A201 vks_/, 'a session';
  is count(), $before + 1, 'of which there is one';
};

subtest 'after its time a key is new' => sub {
  my $age = sub {
    $service->sql("UPDATE idempotency_record SET created_at = created_at - $_[0] * 3600000");
  };
  $age->(29);
  is $client->post($path, \%body, 'Idempotency-Key' => 'one')->header(
    'Idempotent-Replayed'), 'true', 'within the time that is configured';
  $age->(1);
  my $answer = $client->post($path, {%body, type => 'identity'},
    'Idempotency-Key' => 'one');
  is $answer->status, 201, 'evaluated anew' or diag $answer->body;
  is $answer->header('Idempotent-Replayed'), undef, 'not replayed';
};

# Another creation of the key has stored its record when this one writes, and the
# record is removed before this one reads it: for this one it is as if its row were
# refused, so many times, and nothing found. A child that remembers the workflow
# tries once more than the three times of one that does not.
subtest 'a record that is gone when it is looked for' => sub {
  $service->sql('CREATE SEQUENCE collisions');
  $service->sql('CREATE TABLE collisions_wanted AS SELECT 0 AS count');
  $service->sql(<<'SQL');
CREATE FUNCTION collide() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF nextval('collisions') <= (SELECT count FROM collisions_wanted) THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END $$
SQL
  $service->sql(q{CREATE TRIGGER collide BEFORE INSERT ON idempotency_record
    FOR EACH ROW EXECUTE FUNCTION collide()});
  for my $collisions (1, 2) {
    $service->sql(q{SELECT setval('collisions', 1, false)});
    $service->sql('UPDATE collisions_wanted SET count = ?', $collisions);
    my $answer = $client->post($path, \%body, 'Idempotency-Key' => "gone $collisions");
    is $answer->status, 201, "$collisions times";
    my $id = $answer->json->{id};
    is $client->get("$path/$id")->status, 200, 'the session is there';
    is $service->sql_value('SELECT count(*) FROM event WHERE object_id = ?', $id), 1,
      'announced once';
    my $again = $client->post($path, \%body, 'Idempotency-Key' => "gone $collisions");
    is $again->body, $answer->body, 'and is replayed';
  }
  my $before = count();
  $service->sql(q{SELECT setval('collisions', 1, false)});
  $service->sql('UPDATE collisions_wanted SET count = 1000');
  my $answer = $client->post($path, \%body, 'Idempotency-Key' => 'gone 1000');
  error_is $answer, 409, 'idempotency_in_progress', undef, 'without end';
  is count(), $before, 'nothing is stored, and nothing else is said';
  cmp_ok $service->sql_value(q{SELECT last_value FROM collisions}), '<=', 4,
    'after a few attempts';
  $service->sql('DROP TRIGGER collide ON idempotency_record');
  is $client->post($path, \%body, 'Idempotency-Key' => 'gone 1000')->status, 201,
    'the key is good afterwards';
};

finish($service);
