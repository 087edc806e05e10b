# Handoffs that meet each other: two phones at one link, a desktop that writes
# while a phone takes the session, a return while the phone submits. Whatever the
# order, one device has the session, and nobody wrote who had it not.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Conformance;

use constant ROUNDS => 6;

my $service = Verify::Instance->start(conf => "VerifyTestIssuers on\n");
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $server = $organization->{client};
my $stranger = $service->client('');
my $yes = {consent => JSON::PP::true};

sub create {
  my $session = answer_is($server->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $organization->{workflow_id},
      jurisdiction => 'US-CA'}), 201, 'a session');
  $session->{desktop} = $service->client($session->{client_secret});
  $session->{path} = "/v1/widget/sessions/$session->{id}";
  $session->{desktop}->post("$session->{path}/open", {});
  return $session;
}
sub offer {
  my ($session) = @_;
  my $offer = $session->{desktop}->post("$session->{path}/handoff", {})->json;
  ($offer->{token}) = $offer->{url} =~ m{#([\w-]+)\z};
  return $offer;
}
sub redemption {
  my ($offer, $pairing) = @_;
  return ['POST', '/v1/widget/handoffs',
    {token => $offer->{token}, pairing => $pairing // $offer->{pairing}}];
}
sub as {
  my ($secret, $method, $path, $body) = @_;
  return [$method, $path, $body, Authorization => "Bearer $secret"];
}
sub codes { join ' ', sort map { $_->status == 200 ? 'ok' : $_->error->{code} } @_ }
sub row {
  return $service->sql("SELECT s.active_device, s.runner->'handoff'->>'state' AS
    state, (s.runner->'handoff'->>'phones')::int AS phones, h.held, h.phone,
    (SELECT count(*) FROM analysis_job j WHERE j.session_id = s.id) AS jobs
    FROM verification_session s JOIN handoff h ON h.session_id = s.id
    WHERE s.id = ?", $_[0]{id})->[0];
}
# The row of a handoff and its session tell the same.
sub agree {
  my ($session, $name) = @_;
  my $row = row($session);
  is $row->{held} ? 'mobile' : undef, $row->{active_device}, $name;
  return $row;
}

subtest 'phones at one link' => sub {
  for (1 .. ROUNDS) {
    my $session = create();
    my $offer = offer($session);
    my @answers = at_once($stranger, map { redemption($offer) } 1 .. 4);
    my @taken = grep { $_->status == 200 } @answers;
    is @taken, 1, 'one of four phones takes it: ' . codes(@answers);
    is codes(grep { $_->status != 200 } @answers),
      'handoff_invalid handoff_invalid handoff_invalid', 'the others are told';
    my $row = agree($session, 'held by it');
    is $row->{phones}, 1, 'counted once';
    my $phone = $service->client($taken[0]->json->{client_secret});
    answer_is($phone->post("$session->{path}/consent", $yes), 200,
      'its secret is the one that is kept');
  }
};

subtest 'the right and the wrong number' => sub {
  for (1 .. ROUNDS) {
    my $session = create();
    my $offer = offer($session);
    my @answers = at_once($stranger, redemption($offer),
      redemption($offer, $offer->{pairing} == 99 ? 10 : $offer->{pairing} + 1));
    like codes(@answers),
      qr/\A(?:handoff_invalid ok|handoff_invalid handoff_pairing_wrong)\z/,
      'one of them decides: ' . codes(@answers);
    agree($session, 'and both rows say which');
  }
};

subtest 'a desktop that writes meanwhile' => sub {
  for (1 .. ROUNDS) {
    my $session = create();
    my $offer = offer($session);
    my @answers = at_once($stranger, redemption($offer),
      map { as($session->{client_secret}, 'POST', "$session->{path}/consent", $yes) }
        1 .. 3);
    is $answers[0]->status, 200, 'the phone takes it';
    like codes(@answers[1 .. 3]), qr/\A(?:(?:ok|session_locked_to_other_device) ?)+\z/,
      'the desktop was before it, or is refused: ' . codes(@answers[1 .. 3]);
    error_is($session->{desktop}->post("$session->{path}/consent", $yes), 409,
      'session_locked_to_other_device', undef, 'and is refused afterwards');
    agree($session, 'the phone has it');
  }
};

subtest 'a new link while the old one is used' => sub {
  for (1 .. ROUNDS) {
    my $session = create();
    my $offer = offer($session);
    my ($taken, $made) = at_once($stranger, redemption($offer),
      as($session->{client_secret}, 'POST', "$session->{path}/handoff", {}));
    like codes($taken, $made),
      qr/\A(?:ok session_locked_to_other_device|handoff_invalid ok)\z/,
      'either, and not both: ' . codes($taken, $made);
    is row($session)->{state}, $taken->status == 200 ? 'held' : 'offered',
      'as was answered';
    agree($session, 'in both rows');
  }
};

subtest 'a return while the phone submits' => sub {
  # What was read already could be submitted again, by either of them.
  $service->sql(q{CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN new.due_at := 9223372036854775807; RETURN new; END'});
  $service->sql('CREATE TRIGGER wait BEFORE INSERT ON analysis_job
    FOR EACH ROW EXECUTE FUNCTION wait()');
  for (1 .. ROUNDS) {
    my $session = create();
    my $offer = offer($session);
    my $view = answer_is($stranger->post('/v1/widget/handoffs',
      redemption($offer)->[2]), 200, 'taken');
    my $phone = $service->client($view->{client_secret});
    $phone->post("$session->{path}/consent", $yes);
    $phone->put("$session->{path}/images/front", 'x', 'Content-Type' => 'image/jpeg');
    my ($submitted, $returned, $mine) = at_once($stranger,
      as($view->{client_secret}, 'POST', "$session->{path}/submissions",
        {method => 'document_capture', images => ['front']}),
      as($session->{client_secret}, 'DELETE', "$session->{path}/handoff"),
      as($session->{client_secret}, 'POST', "$session->{path}/submissions",
        {method => 'document_capture', images => ['front']}));
    is $returned->status, 200, 'it is given back';
    my $count = grep { $_->status == 200 } $submitted, $mine;
    ok $count <= 1, 'one submission at most: ' . codes($submitted, $mine);
    is $service->sql_value("SELECT (runner->>'submission')::int
      FROM verification_session WHERE id = ?", $session->{id}), $count,
      'which is the one that was answered';
    error_is($phone->post("$session->{path}/consent", $yes), 409,
      'session_locked_to_other_device', undef, 'the phone has it no more');
    agree($session, 'in both rows');
  }
};

subtest 'both after a silence' => sub {
  for (1 .. ROUNDS) {
    my $session = create();
    my $view = $stranger->post('/v1/widget/handoffs',
      redemption(offer($session))->[2])->json;
    $service->sql('UPDATE handoff SET idle_at = 1 WHERE session_id = ?',
      $session->{id});
    ok wait_for { row($session)->{state} eq 'idle' }, 'the phone fell silent';
    my ($phone, $desktop) = at_once($stranger,
      map { as($_, 'POST', "$session->{path}/consent", $yes) }
        $view->{client_secret}, $session->{client_secret});
    my $state = row($session)->{state} // 'none';
    is codes($phone, $desktop), 'ok session_locked_to_other_device',
      'one of them has it';
    is $state, $phone->status == 200 ? 'held' : 'none', "as was answered: $state";
    agree($session, 'in both rows');
  }
};

finish($service);
