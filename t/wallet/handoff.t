# Wallets that were asked before a session moves to another device: what belongs to
# a device that has the session no more is answered in vain.
use v5.32;
use warnings;
use FindBin;
use JSON::PP ();
use lib "$FindBin::Bin/../lib";
use Verify::Conformance;
use Verify::WalletTest;

use constant ROUNDS => 4;

my $test = Verify::WalletTest->start;
my ($service, $wallet) = @$test{qw(service wallet)};
my $stranger = $service->client('');

sub offer {
  my ($session) = @_;
  my $offer = answer_is($session->{person}->post("$session->{path}/handoff", {}), 200);
  return {token => $offer->{url} =~ s/\A[^#]*#//r, pairing => $offer->{pairing}};
}
# The session as a phone has it that has taken it.
sub take {
  my ($session) = @_;
  my $view = answer_is($stranger->post('/v1/widget/handoffs', offer($session),
    Authorization => undef), 200, 'a phone takes it');
  return {%$session, person => $service->client($view->{client_secret})};
}
sub give_back {
  my ($session) = @_;
  answer_is($session->{person}->delete("$session->{path}/handoff"), 200, 'given back');
}
sub silence {
  my ($session) = @_;
  $service->sql('UPDATE handoff SET idle_at = 1 WHERE session_id = ?', $session->{id});
  ok wait_for {
    $session->{person}->get($session->{path})->json->{handoff} eq 'idle' }, 'silence';
}
# A request by a link that a wallet has fetched, with the answer that it would give.
sub ready {
  my ($session) = @_;
  my $asked = $test->ask($session, 'redirect');
  my $fetched = $wallet->does('fetch_request', url => $asked->{url});
  my $made = $wallet->does('answer_request', request => $fetched->{request},
    documents => ['licence'], is_kept => JSON::PP::true);
  return {%$asked, response_uri => $fetched->{request}{response_uri},
    response => $made->{response}};
}
sub fetched { $wallet->does('fetch_request', url => $_[0]{url})->{status} }
sub answered {
  my ($asked) = @_;
  return $wallet->does('send', response_uri => $asked->{response_uri},
    body => {response => $asked->{response}});
}
# What a session is, but for what looking at it changes.
sub state_of {
  my ($session) = @_;
  return $service->sql('SELECT s.status, s.runner, s.revision,
    (SELECT count(*) FROM analysis_job j WHERE j.session_id = s.id) AS jobs,
    (SELECT count(*) FROM evidence e WHERE e.session_id = s.id) AS parts
    FROM verification_session s WHERE id = ?', $session->{id})->[0];
}
sub is_void {
  my ($session, $asked, $name) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  my $before = state_of($session);
  is fetched($asked), 404, "$name: not fetched any more";
  my $answer = answered($asked);
  is $answer->{status}, 404, '... nor answered';
  is $answer->{body}{error}{code}, 'resource_missing', '... as if there were none';
  is_deeply state_of($session), $before, '... and nothing has changed';
}

subtest 'a desktop that has handed the session over' => sub {
  my $session = $test->session;
  my @asked = map { ready($session) } 1 .. 2;
  my $browser = $test->ask($session, 'dc_api');
  my $data = $wallet->does('answer_browser', documents => ['licence'],
    origin => $service->base_url_tls, requests => $browser->{requests},
    protocol => 'org-iso-mdoc')->{data};
  my @late = ("$session->{path}/mdl/responses", {request_id => $browser->{id},
    protocol => 'org-iso-mdoc', data => $data});
  my $phone = take($session);
  is_void($session, $_, 'a link') for @asked;
  error_is($session->{person}->post(@late), 409, 'session_locked_to_other_device', undef,
    'nor does its browser hand anything in');
  error_is($phone->{person}->post(@late), 404, 'resource_missing', undef,
    'or the phone in its place');
  my $answer = $test->answer_by_link($phone);
  is $answer->{status}, 200, 'the wallet of the phone is accepted';
  is answer_is($test->come_back($phone, $answer->{body}{redirect_uri}), 200)->{status},
    'verified', 'verified';
};

subtest 'a phone that has given it back' => sub {
  for my $who (qw(desktop phone)) {
    my $session = $test->session;
    my $phone = take($session);
    my $asked = ready($phone);
    give_back($who eq 'phone' ? $phone : $session);
    is_void($session, $asked, "by the $who");
    my $answer = $test->answer_by_link($session);
    $test->come_back($session, $answer->{body}{redirect_uri});
    is $test->status($session), 'verified', 'the desktop goes on';
  }
};

subtest 'a link that nobody has taken' => sub {
  my $session = $test->session;
  my $asked = ready($session);
  my $offer = offer($session);
  answer_is($stranger->post('/v1/widget/handoffs', {token => $offer->{token}},
    Authorization => undef), 200, 'scanned');
  is fetched($asked), 200, 'the desktop still has the session';
  give_back($session);
  is fetched($asked), 200, 'also when it withdraws the link';
  $offer = offer($session);
  error_is($stranger->post('/v1/widget/handoffs', {token => $offer->{token},
    pairing => $offer->{pairing} == 99 ? 10 : $offer->{pairing} + 1},
    Authorization => undef), 400, 'handoff_pairing_wrong');
  is answered($asked)->{status}, 200, 'or after a wrong number: its wallet is accepted';
};

# The page stands still behind the wallet.
subtest 'a phone that is silent' => sub {
  my $session = $test->session;
  my $phone = take($session);
  my $asked = ready($phone);
  silence($session);
  is fetched($asked), 200, 'is still whose wallet was asked';
  my $answer = answered($asked);
  is $answer->{status}, 200, '... and answers';
  is answer_is($test->come_back($phone, $answer->{body}{redirect_uri}), 200)->{status},
    'verified', '... and comes back';

  $session = $test->session;
  $phone = take($session);
  $asked = ready($phone);
  silence($session);
  my $own = ready($session);
  is_void($session, $asked, 'once the desktop has acted');
  is answered($own)->{status}, 200, 'whose own wallet is accepted';

  $session = $test->session;
  $phone = take($session);
  $asked = $test->ask($phone, 'dc_api');
  silence($session);
  my $data = $wallet->does('answer_browser', documents => ['licence'],
    origin => $service->base_url_tls, requests => $asked->{requests},
    protocol => 'org-iso-mdoc')->{data};
  error_is($session->{person}->post("$session->{path}/mdl/responses",
    {request_id => $asked->{id}, protocol => 'org-iso-mdoc', data => $data}), 404,
    'resource_missing', undef, 'the desktop hands in no answer to the phone');
};

# Whoever took the session cannot come back with a code that another browser has.
subtest 'a wallet that has answered before' => sub {
  my $session = $test->session;
  my $answer = $test->answer_by_link($session);
  is $answer->{status}, 200, 'accepted, and the person is not back';
  is $test->status($session), 'processing', 'yet';
  my $phone = take($session);
  ok wait_for { $test->status($phone) eq 'requires_input' }, 'the phone is asked anew';
  is $phone->{person}->get($session->{path})->json->{hint}, 'wallet_not_returned',
    '... and told why';
  is_deeply $test->retrieve($session)->{results}[-1]{checks} // [], [],
    'nothing counts of what was found';
  give_back($session);
  error_is($test->come_back($session, $answer->{body}{redirect_uri}), 404,
    'resource_missing', undef, 'nor is the code good for anything afterwards');
  $answer = $test->answer_by_link($session);
  $test->come_back($session, $answer->{body}{redirect_uri});
  is $test->status($session), 'verified', 'the session goes on';
};

# The person did it all while the desktop had the session: that is no other device's.
subtest 'a person who is back before' => sub {
  my $session = $test->session;
  $service->sql(q{CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN new.due_at := 9223372036854775807; RETURN new; END'});
  $service->sql('CREATE TRIGGER hold BEFORE INSERT ON analysis_job
    FOR EACH ROW EXECUTE FUNCTION hold()');
  my ($response) = $test->answer_by_browser($session, 'org-iso-mdoc');
  is answer_is($response, 200)->{status}, 'processing', 'being read';
  my $phone = take($session);
  $service->sql('DROP TRIGGER hold ON analysis_job');
  $service->sql('UPDATE analysis_job SET due_at = 0 WHERE session_id = ?', $session->{id});
  ok wait_for { $test->status($phone) eq 'verified' }, 'what was submitted counts';
};

subtest 'a wallet that answers while the phone takes the session' => sub {
  for (1 .. ROUNDS) {
    my $session = $test->session;
    my $asked = ready($session);
    my $path = $asked->{response_uri} =~ s{\Ahttps://[^/]+}{}r;
    my ($taken, $answer) = at_once($stranger, ['POST', '/v1/widget/handoffs',
      offer($session)], ['POST', $path, \"response=$asked->{response}",
      'Content-Type' => 'application/x-www-form-urlencoded']);
    is $taken->status, 200, 'the phone takes it';
    like $answer->status, qr/\A(?:200|404)\z/, 'the wallet was before it, or is refused: '
      . $answer->status;
    my $phone = {%$session,
      person => $service->client($taken->json->{client_secret})};
    ok wait_for { $test->status($phone) =~ /\A(?:pending|requires_input)\z/ },
      'and the phone is asked';
    is fetched($asked), 404, '... not by that request';
    $answer = $test->answer_by_link($phone);
    $test->come_back($phone, $answer->{body}{redirect_uri});
    is $test->status($phone), 'verified', 'the session goes on';
  }
};

finish($service);
