# What a stranger sends to where a link is answered, who has seen the link: it is no
# answer, and changes nothing but the number of tries that are left.
use v5.32;
use warnings;
use FindBin;
use JSON::PP ();
use lib "$FindBin::Bin/../lib";
use Verify::Conformance;
use Verify::SlowClients;
use Verify::WalletTest;

use constant TRIES => 5;

my $test = Verify::WalletTest->start;
my ($service, $wallet) = @$test{qw(service wallet)};
my $stranger = $service->client('');

# A request by a link that a wallet has fetched, with an answer that is not sent.
sub ready {
  my ($session, %options) = @_;
  my $asked = delete $options{asked} // $test->ask($session, 'redirect');
  my $fetched = $wallet->does('fetch_request', url => $asked->{url});
  my $made = $wallet->does('answer_request', request => $fetched->{request},
    documents => ['licence'], is_kept => JSON::PP::true, %options);
  return {%$asked, response_uri => $fetched->{request}{response_uri},
    response => $made->{response}};
}
sub fetched { $wallet->does('fetch_request', url => $_[0]{url})->{status} }
sub sent {
  my ($asked, %body) = @_;
  return $wallet->does('send', response_uri => $asked->{response_uri}, body => \%body);
}
sub code_of { $_[0]{body}{error}{code} // 'ok' }
# For at_once.
sub form {
  my ($asked, $response) = @_;
  return ['POST', $asked->{response_uri} =~ s{\Ahttps://[^/]+}{}r,
    \"response=$response", 'Content-Type' => 'application/x-www-form-urlencoded'];
}
sub verifies {
  my ($session, $asked, $name) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  my $answer = sent($asked, response => $asked->{response});
  is $answer->{status}, 200, "$name: accepted" or diag explain $answer;
  is answer_is($test->come_back($session, $answer->{body}{redirect_uri}), 200)->{status},
    'verified', '... verified' or diag explain $test->reasons($session);
}
sub state_of {
  my ($session) = @_;
  return $service->sql('SELECT s.status, s.runner, s.revision, s.results::text,
    (SELECT count(*) FROM analysis_job j WHERE j.session_id = s.id) AS jobs,
    (SELECT count(*) FROM evidence e WHERE e.session_id = s.id) AS parts,
    (SELECT count(*) FROM mdl_request m WHERE m.session_id = s.id
      AND answered_at IS NULL) AS open
    FROM verification_session s WHERE id = ?', $session->{id})->[0];
}
sub refusals {
  my ($asked) = @_;
  return $service->sql_value(q(SELECT refused FROM mdl_request WHERE id = ?
    AND protocol = 'redirect'), $asked->{id});
}
# The reader does not begin with what comes then.
sub hold {
  my ($when) = @_;
  $service->sql(q{CREATE OR REPLACE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN new.due_at := 9223372036854775807; RETURN new; END'});
  $service->sql('CREATE TRIGGER hold BEFORE INSERT ON analysis_job
    FOR EACH ROW ' . ($when // '') . ' EXECUTE FUNCTION hold()');
}
sub let_go {
  $service->sql('DROP TRIGGER hold ON analysis_job');
  $service->sql('UPDATE analysis_job SET due_at = 0');
}

subtest 'nonsense' => sub {
  my $session = $test->session(jurisdiction => 'DE');
  my @open = map { ready($session) } 1, 2;
  my $asked = ready($session, asked => $test->ask($session, 'redirect'));
  my $strange = ready($test->session)->{response};
  my $junk = sub {
    return ready($session, asked => $asked, faults => {payload => $_[0]})->{response};
  };
  my $request = $wallet->does('fetch_request', url => $asked->{url})->{request};
  my $before = state_of($session);
  for ([response => 'a.b.c.d.e', 'five letters'],
    [response => $strange, 'the answer to another session'],
    [response => $junk->({vp_token => {mdl => ['AAAA']}}), 'a sealed presentation of noughts'],
    [vp_token => '{"proof_of_age": ["AAAA"]}', 'noughts in the clear']) {
    my ($name, $value, $what) = @$_;
    my $answer = sent($asked, $name => $value);
    is $answer->{status}, 400, "$what: 400";
    is code_of($answer), 'wallet_response_unreadable', '... and why';
    is_deeply state_of($session), $before, '... nothing has changed';
  }
  is refusals($asked), 3, 'counted for the form that was answered';
  is $service->sql_value('SELECT count(*) FROM mdl_request WHERE session_id = ?
    AND (offered IS NOT NULL OR return_digest IS NOT NULL)', $session->{id}), 0,
    'nothing of it is kept';
  is sent($asked, response => $junk->({state => $request->{state},
    error => 'access_denied'}))->{status}, 200, 'a sealed error is taken';
  is_deeply state_of($session), $before, '... and nothing has changed';
  is refusals($asked), 3, '... nor is it counted';
  is $service->sql_value('SELECT count(*) FROM mdl_request WHERE session_id = ?
    AND offered IS NOT NULL', $session->{id}), 0, '... nor kept';
  is fetched($_), 200, 'the requests are open' for @open, $asked;
  verifies($session, $asked, 'the wallet that was asked');
};

subtest 'so many tries' => sub {
  my $session = $test->session;
  my ($asked, $other) = map { ready($session) } 1, 2;
  is code_of(sent($asked, response => 'x')), 'wallet_response_unreadable', "try $_"
    for 1 .. TRIES;
  my $before = state_of($session);
  my $late = sent($asked, response => $asked->{response});
  is $late->{status}, 404, 'then it is void, for everybody';
  is code_of($late), 'resource_missing', '... as if there were none';
  is fetched($asked), 404, '... and is not fetched any more';
  is_deeply state_of($session), $before, '... which is all';
  is refusals($asked), TRIES, 'counted in its row';
  verifies($session, $other, 'another request of the session');
};

subtest 'tries at once' => sub {
  my $session = $test->session;
  my $asked = ready($session);
  my @answers = at_once($stranger, map { form($asked, 'x') } 1 .. 8);
  my @codes = map { $_->error->{code} } @answers;
  ok !(grep { !/\A(?:wallet_response_unreadable|resource_missing|rate_limit_exceeded)\z/ }
    @codes), "refused: @codes";
  is refusals($asked), (grep { $_ eq 'wallet_response_unreadable' } @codes),
    'each that was opened is counted';
  ok refusals($asked) <= TRIES, '... and no more than may be';
  is $test->status($session), 'pending', 'and nothing comes of it';
};

subtest 'a wallet and a stranger at once' => sub {
  for (1 .. 4) {
    my $session = $test->session;
    my $asked = ready($session);
    my ($answer, @strange) = at_once($stranger,
      sort { $_ % 2 ? 1 : -1 } form($asked, $asked->{response}), form($asked, 'x'));
    ($answer) = grep { $_->status == 200 } $answer, @strange;
    ok $answer, 'the wallet is heard' or next;
    is answer_is($test->come_back($session, $answer->json->{redirect_uri}), 200)->{status},
      'verified', '... verified';
  }
};

# What a wallet has to say is an answer, whatever is to be said of that.
subtest 'answers that are refused' => sub {
  $test->issue('young', elements => {birth_date => '2009-01-01',
    age_over_21 => JSON::PP::false});
  my $session = $test->session;
  my $other = ready($session);
  for (['young', {}, 'under_age'], ['licence', {nonce => 'other'}, 'device_signature_wrong'],
    ['licence', {device_key => 1}, 'device_signature_wrong']) {
    my ($document, $faults, $reason) = @$_;
    my $answer = $test->answer_by_link($session, documents => [$document],
      faults => $faults);
    is code_of($answer), 'wallet_response_refused', "$reason: refused";
    is_deeply $test->reasons($session), [$reason], '... with a result';
  }
  is fetched($other), 404, 'the other request has ended with the first';
  is $test->status($session), 'failed', 'and the attempts are used up';
};

subtest 'not opened yet' => sub {
  my %session = map { $_ => $test->session } qw(back ended moved lost broken);
  my %asked = map { $_ => ready($session{$_}) } keys %session;
  hold();
  my @names = sort keys %session;
  my @answers = at_once($stranger, map { form($asked{$_}, $asked{$_}{response}) } @names);
  is join(' ', map { $_->status } @answers), '200 200 200 200 200', 'nothing is known yet';
  my %back = map { $names[$_] => $answers[$_]->json->{redirect_uri} } 0 .. $#names;
  is $test->status($session{$_}), 'pending', "$_: nothing has happened" for @names;

  answer_is($session{ended}{person}->post("$session{ended}{path}/cancel", {}), 200,
    'one session ends');
  my $offer = answer_is($session{moved}{person}->post("$session{moved}{path}/handoff", {}),
    200);
  answer_is($stranger->post('/v1/widget/handoffs', {token => $offer->{url} =~ s/.*#//r,
    pairing => $offer->{pairing}}, Authorization => undef), 200, 'one moves');
  $service->sql('DELETE FROM analysis_job WHERE session_id = ?', $session{lost}{id});
  # Its reading fails each time.
  $service->expect_log(qr/IDV0351: the analysis of session/);
  $service->sql(q(UPDATE mdl_request SET offered = '\x00' WHERE session_id = ?
    AND opening IS NOT NULL), $session{broken}{id});
  $service->sql('UPDATE analysis_job SET attempts = 2 WHERE session_id = ?',
    $session{broken}{id});
  let_go();
  is answer_is($test->come_back($session{back}, $back{back}), 200)->{status}, 'verified',
    'a person who is back before it is opened';
  is $test->status($session{ended}), 'cancelled', 'ended is ended';
  ok wait_for { !$service->sql_value('SELECT count(*) FROM analysis_job
    WHERE submission = 0') },
    'everything is opened';
  is $test->status($session{moved}), 'pending', 'moved: what was offered is void';
  is fetched($asked{moved}), 404, '... with its request';
  is $test->status($session{broken}), 'pending', 'broken: nothing has happened';
  is refusals($asked{broken}), 1, '... but that it counts';
  verifies($session{$_}, $asked{$_}, "$_: sent again") for qw(lost broken);
};

# Whoever has a link to any session can have pages wait, but not in place of wallets:
# what a wallet is told of its answer is what came of it.
subtest 'pages that wait' => sub {
  my ($session, $other) = map { $test->session } 1, 2;
  my $asked = ready($session);
  my $revision = $other->{person}->get($other->{path})->json->{revision};
  my $pages = Verify::SlowClients->new(port => $service->{http_port}, count => 60,
    addresses => 60, head => "GET $other->{path}?after_revision=$revision&wait_seconds=25"
      . " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer $other->{client_secret}\r\n\r\n");
  ok +(wait_for { $pages->answers->{none} <= 32 }), 'as many as can wait'
    or diag explain $pages->answers;
  is code_of(sent($asked, response => 'x')), 'wallet_response_unreadable',
    'a wallet waits besides';
  is $pages->answers->{none}, 4, 'of one session four wait' or diag explain $pages->answers;
  $pages->close;
};

# The submission that was faster is the one.
subtest 'another answer meanwhile' => sub {
  my $session = $test->session;
  my ($asked, $other) = map { ready($session) } 1, 2;
  hold();
  my @answers = at_once($stranger, form($asked, $asked->{response}),
    form($other, $other->{response}));
  let_go();
  ok wait_for { !$service->sql_value('SELECT count(*) FROM analysis_job
    WHERE submission = 0') }, 'both are opened';
  is $service->sql_value("SELECT (runner->>'submission')::int FROM verification_session
    WHERE id = ?", $session->{id}), 1, 'one submission';
  is $service->sql_value('SELECT count(*) FROM mdl_request WHERE session_id = ?',
    $session->{id}), 1, 'the other request has ended';
  my @back = map { $test->come_back($session, $_->json->{redirect_uri})->status } @answers;
  is join(' ', sort @back), '200 404', 'and one way back';
  is $test->status($session), 'verified', 'verified';
};

# A stranger's own document: nobody has come back with it, which the person does not
# have to wait out.
sub again { $_[0]{person}->post("$_[0]{path}/mdl/requests", {channel => 'redirect', @_[1 .. $#_]}) }
subtest 'a document of their own' => sub {
  my $session = $test->session;
  my @replace = (replace => JSON::PP::true);
  my $answer = $test->answer_by_link($session);
  is $answer->{status}, 200, 'is taken';
  is $test->status($session), 'processing', '... and holds the session';
  error_is again($session), 409, 'session_state_conflict', undef, 'no other is asked';
  my $asked = answer_is again($session, @replace), 200, 'but in place of that one';
  is answer_is($session->{person}->get($session->{path}), 200)->{hint},
    'wallet_not_returned', 'which has ended';
  is_deeply [map { $_->{status} } @{$test->retrieve($session)->{results}}],
    ['unreadable'], '... and used up no attempt';
  error_is $test->come_back($session, $answer->{body}{redirect_uri}), 404,
    'resource_missing', undef, '... its code is void';
  verifies($session, ready($session, asked => $asked), 'the person');
};

# An answer that is not decided on yet may be one that is refused: that is no way out.
subtest 'what is refused counts' => sub {
  my $session = $test->session;
  my $asked = ready($session, documents => ['young']);
  hold('WHEN (new.submission > 0)');
  is sent($asked, response => $asked->{response})->{status}, 200, 'not known yet';
  is $test->status($session), 'processing', 'submitted';
  $service->sql('DROP TRIGGER hold ON analysis_job');
  answer_is again($session, replace => JSON::PP::true), 200, 'asked again';
  is_deeply $test->reasons($session), ['under_age'], '... once it was refused';
  is answer_is($session->{person}->get($session->{path}), 200)->{attempts_remaining}, 2,
    '... and has used up an attempt';
};

subtest 'fetched too often' => sub {
  my $session = $test->session;
  my ($asked, $other) = map { $test->ask($session, 'redirect') } 1, 2;
  is join(' ', map { fetched($asked) } 1 .. 21), join(' ', (200) x 20, 429),
    'a request is fetched so often';
  is fetched($other), 200, 'another has its own count';
};

finish($service);
