# A person proves the e-mail address of a session by a code: what is sent to whom,
# what everybody else is told, the limits, and what depends on the proof.
use v5.32;
use warnings;
use JSON::PP ();
use MIME::Base64 qw(decode_base64);
use MIME::QuotedPrint qw(decode_qp);
use Verify::MailReceiver;
use Verify::Specimen;
use Verify::Test;

my $service = Verify::Instance->start(start => 0);
my $directory = $service->{directory};
my $server = Verify::MailReceiver->new(directory => "$directory/mail",
  login => undef)->start;
$service->{conf} = join "\n", 'VerifyTestIssuers on',
  'VerifyPublicURL https://verify.example/', 'VerifySMTPTLS off',
  'VerifySMTP ' . $server->url, 'VerifySMTPFrom "Checks <verify@example.com>"', '';
$service->start_httpd;

my $yes = JSON::PP::true;
my $shop = $service->organization(sandbox => 1, workflow => 1);
my %simple = (start => 'id', nodes => {
  id => {type => 'methods', methods => ['document_capture'],
    next => {passed => 'yes', exhausted => 'no'}},
  yes => {type => 'outcome', status => 'verified'},
  no => {type => 'outcome', status => 'failed'}});
my $proof = $service->publish($shop->{id}, {%simple, name => 'Proof',
  require_email_otp => $yes})->{id};
my $people = 0;

sub create {
  my (%more) = @_;
  my $email = exists $more{email} ? $more{email} : 'Person' . ++$people . '@Example.com';
  my $session = answer_is($shop->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $proof, jurisdiction => 'US-CA', %more,
      email => $email}), 201, 'a session') if defined $email;
  $session //= answer_is($shop->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $proof, jurisdiction => 'US-CA'}), 201,
    'a session without an address');
  $session->{email} = $email && lc $email;
  $session->{person} = $service->client($session->{client_secret});
  $session->{path} = "/v1/widget/sessions/$session->{id}";
  $session->{person}->post("$session->{path}/open", {});
  return $session;
}
sub ask {
  my ($session, $email, @headers) = @_;
  return $session->{person}->post("$session->{path}/email_otp",
    ref $email ? $email : {email => $email // $session->{email}}, @headers);
}
sub check {
  my ($session, $code) = @_;
  return $session->{person}->post("$session->{path}/email_otp/check", {code => $code});
}
sub mails_to {
  my ($email) = @_;
  return $server->mails(sub { $_[0]{recipients}[0] eq $email });
}
sub mail_of {
  my ($session, $number) = @_;
  return wait_for { (mails_to($session->{email}))[($number // 1) - 1] };
}
sub code_of { ($_[0]{message} =~ /^Subject: (\d{6}) /m)[0] }
# The session's codes were sent a minute earlier, and are asked for anew.
sub later {
  my ($session) = @_;
  $service->sql('UPDATE email_otp SET sent_at = sent_at - 60000 WHERE session_id = ?',
    $session->{id});
  $service->sql('DELETE FROM reuse_attempt');
}

subtest 'from the address to the proof' => sub {
  my $session = create();
  ok $session->{requires_email_otp}, 'the session waits for the proof';
  ok $session->{person}->get($session->{path})->json->{requires_email_otp},
    'and says so to the person';
  error_is(check($session, '123456'), 400, 'otp_not_proven', undef, 'nothing was sent');
  my $asked = answer_is(ask($session), 202, 'a code');
  is $asked->{object}, 'email_otp', 'is asked for';
  is $asked->{sent_to}, "p\x{2022}\x{2022}\x{2022}\@example.com", 'for whom is hinted at';
  ok abs($asked->{expires_at} - time - 600) < 20, 'ten minutes';
  ok abs($asked->{resend_at} - time - 60) < 20, 'one a minute';
  my $mail = mail_of($session);
  my $code = code_of($mail);
  like $mail->{message}, qr/^Subject: $code is your code for Test organization\r$/m,
    'the code comes first';
  my ($text) = map { decode_qp($_) } $mail->{message} =~ m{text/plain.*?\r\n\r\n(.*?)\r\n--}s;
  like $text, qr/\@verify\.example #$code\s*\z/, 'and last, bound to the host';
  unlike $mail->{message}, qr/http/, 'without a link';
  is $service->sql_value("SELECT count(*) FROM email_otp WHERE email_otp::text LIKE '%' || ? || '%'",
    $code), 0, 'the code is not kept';
  is scalar(mails_to($session->{email})), 1, 'once';

  my ($wrong) = grep { $_ ne $code } '000000', '000001';
  error_is(check($session, $wrong), 400, 'otp_not_proven', undef, 'a wrong code');
  my $view = answer_is(check($session, substr($code, 0, 3) . ' ' . substr($code, 3)),
    200, 'the right one, as it was pasted');
  is $view->{object}, 'widget_session', 'the session';
  ok !$view->{requires_email_otp}, 'waits no more';
  ok !answer_is($shop->{client}->get("/v1/verification_sessions/$session->{id}"),
    200)->{requires_email_otp}, 'as its server sees';
  is $service->sql_value('SELECT count(*) FROM email_otp WHERE session_id = ?',
    $session->{id}), 0, 'the code is used up';
  error_is(check($session, $code), 409, 'session_not_redeemable', undef, 'once');
  error_is(ask($session), 409, 'session_not_redeemable', undef, 'nor is another sent');
};

subtest 'an address that is not the session\'s' => sub {
  my $session = create();
  my $answer = answer_is(ask($session, 'somebody@example.com'), 202, 'is answered alike');
  is_deeply [sort keys %$answer], [qw(expires_at object resend_at sent_to)], 'the same';
  my $right = create();
  answer_is(ask($right), 202);
  ok mail_of($right), 'an e-mail that was queued later has come';
  is scalar(mails_to('somebody@example.com')), 0, 'nobody is sent anything';
  error_is(check($session, '000000'), 400, 'otp_not_proven', undef,
    'and tries are counted alike') for 1 .. 5;
  error_is(check($session, '000000'), 429, 'otp_attempts_exceeded');
  my $without = create(email => undef);
  answer_is(ask($without, 'somebody@example.com'), 202,
    'so is one of a session without an address');
  error_is(check($without, '000000'), 400, 'otp_not_proven');
  is scalar(mails_to('somebody@example.com')), 0, 'nothing again';
};

# Who can prove no address is asked for none; what the server is told stays.
subtest 'no address to prove' => sub {
  for (['an address', create(), $yes, 'email_otp'],
    ['none', create(email => undef), JSON::PP::false, 'document_capture']) {
    my ($name, $session, $required, $first) = @$_;
    my $view = answer_is $session->{person}->get($session->{path}), 200, $name;
    is $view->{requires_email_otp}, $required, '... whether it is to be proved';
    is $view->{steps}[0]{methods}[0], $first, '... what comes first';
    ok answer_is($shop->{client}->get("/v1/verification_sessions/$session->{id}"), 200)
      ->{requires_email_otp}, '... the workflow demands it';
  }
};

# Whoever guesses the code that a foreign address would have had proves nothing.
subtest 'a code of a foreign address' => sub {
  my $session = create();
  answer_is(ask($session), 202);
  my $code = code_of(mail_of($session));
  $service->sql('UPDATE verification_session SET email_digest = ? WHERE id = ?',
    "\\x" . '00' x 32, $session->{id});
  error_is(check($session, $code), 400, 'otp_not_proven');
};

subtest 'again' => sub {
  my $session = create();
  answer_is(ask($session), 202);
  my $code = code_of(mail_of($session));
  my $refused = ask($session);
  error_is($refused, 429, 'rate_limit_exceeded', undef, 'not within a minute');
  ok $refused->header('Retry-After') > 50, 'which it says';
  later($session);
  answer_is(ask($session), 202, 'later');
  is code_of(mail_of($session, 2)), $code, 'it is the same code';
  later($session);
  $service->sql('UPDATE email_otp SET expires_at = 1 WHERE session_id = ?', $session->{id});
  error_is(check($session, $code), 400, 'otp_expired', undef, 'after ten minutes');
  answer_is(ask($session), 202);
  my $next = code_of(mail_of($session, 3));
  isnt $next, $code, 'it is another one';
  my ($wrong) = grep { $_ ne $next } '000000', '000001';
  error_is(check($session, $wrong), 400, 'otp_not_proven') for 1 .. 5;
  $refused = check($session, $next);
  error_is($refused, 429, 'otp_attempts_exceeded', undef, 'after five wrong ones');
  ok $refused->header('Retry-After') > 0, 'until when';
  later($session);
  answer_is(ask($session), 202);
  my $last = code_of(mail_of($session, 4));
  isnt $last, $next, 'then there is a new one';
  answer_is(check($session, $last), 200, 'which is good');
};

subtest 'limits' => sub {
  my $session = create();
  my $count = sub { $service->sql('UPDATE email_otp SET sent_at = 1 WHERE session_id = ?',
    $_[0]{id}) };
  $service->sql('DELETE FROM reuse_attempt');
  for (1 .. 5) { answer_is(ask($session), 202, "e-mail $_"); $count->($session) }
  error_is(ask($session), 429, 'rate_limit_exceeded', undef, 'five an hour');
  $service->sql('DELETE FROM reuse_attempt');
  my @sessions = map { create(email => 'same@example.com') } 1 .. 11;
  answer_is(ask($_), 202, 'an address') for @sessions[0 .. 9];
  error_is(ask($sessions[10]), 429, 'rate_limit_exceeded', undef,
    'ten in a quarter of an hour');
  $service->sql('DELETE FROM reuse_attempt');
  my @strangers = map { create(email => 'stranger@example.com') } 1 .. 11;
  answer_is(ask($_, 'same@example.com'), 202, 'typed by a stranger')
    for @strangers[0 .. 9];
  error_is(ask($strangers[10], 'same@example.com'), 429, 'rate_limit_exceeded', undef,
    'whom the same limit stops');
  answer_is(ask(create(email => 'same@example.com')), 202,
    'but not the person whose address it is');
  $service->sql('DELETE FROM reuse_attempt');
  $_ = create() for my @many = (undef) x 31;
  is scalar(grep { ask($_)->status == 202 } @many), 30, 'thirty for a network';
};

subtest 'in the person\'s language' => sub {
  $service->sql('DELETE FROM reuse_attempt');
  my $session = create();
  answer_is(ask($session, undef, 'Accept-Language' => 'ja-JP, de-AT;q=0.8, en;q=0.5'), 202);
  my ($subject) = mail_of($session)->{message} =~ /^Subject: =\?UTF-8\?B\?([^?]+)/m;
  like decode_base64($subject), qr/\A\d{6} ist Ihr Code f/, 'of the browser';
  $session = create();
  answer_is(ask($session, {email => $session->{email}, language => 'en'},
    'Accept-Language' => 'de'), 202);
  like mail_of($session)->{message}, qr/^Subject: \d{6} is your code/m, 'or of the page';
};

subtest 'what is refused' => sub {
  $service->sql('DELETE FROM reuse_attempt');
  my $session = create();
  error_is(ask($session, 'x'), 400, 'parameter_invalid', 'email');
  error_is(ask($session, {}), 400, 'parameter_invalid', 'email');
  error_is($session->{person}->post("$session->{path}/email_otp/check", {}), 400,
    'parameter_invalid', 'code');
  my $free = answer_is($shop->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $shop->{workflow_id}, jurisdiction => 'US-CA',
      email => 'free@example.com'}), 201);
  error_is($service->client($free->{client_secret})->post(
    "/v1/widget/sessions/$free->{id}/email_otp", {email => 'free@example.com'}), 409,
    'session_not_redeemable', undef, 'where no proof is asked for');
  answer_is($session->{person}->post("$session->{path}/cancel", {}), 200);
  error_is(ask($session), 409, 'session_not_redeemable', undef, 'of an ended session');
};

subtest 'what is bound to whom' => sub {
  $service->sql('DELETE FROM reuse_attempt');
  my $lookup = sub { answer_is($shop->{client}->post('/v1/verified_person/lookup',
    {@_}), 200)->{verified} ? 1 : 0 };
  my $unproven = create(phone => '+15550100');
  is show_specimen($service, $unproven)->{status}, 'verified', 'without the proof';
  is $lookup->(email => $unproven->{email}), 0, 'nobody is known by the address';
  is $lookup->(phone => '+15550100'), 0, 'nor by the number';

  my $proven = create(phone => '+15550101');
  answer_is(ask($proven), 202);
  answer_is(check($proven, code_of(mail_of($proven))), 200, 'with the proof');
  my $view = show_specimen($service, $proven);
  is $view->{status}, 'verified', 'verified';
  is $lookup->(email => $proven->{email}), 1, 'the person is known by the address';
  is $lookup->(phone => '+15550101'), 1, 'and the number that the server named';

  my $next = create(email => $proven->{email});
  error_is($next->{person}->post("$next->{path}/vp_token",
    {vp_token => $view->{vp_token}}), 400, 'otp_not_proven', undef,
    'a token waits for the proof');
  $service->sql('DELETE FROM reuse_attempt');
  answer_is(ask($next), 202);
  answer_is(check($next, code_of(mail_of($next, 2))), 200);
  is answer_is($next->{person}->post("$next->{path}/vp_token",
    {vp_token => $view->{vp_token}}), 200)->{status}, 'verified', 'and is good then';
};

subtest 'while a phone has the session' => sub {
  $service->sql('DELETE FROM reuse_attempt');
  my $session = create();
  my $offer = answer_is($session->{person}->post("$session->{path}/handoff", {}), 200);
  my ($token) = $offer->{url} =~ /#(.+)/;
  my $view = answer_is($service->client('')->post('/v1/widget/handoffs',
    {token => $token, pairing => $offer->{pairing}}), 200);
  error_is(ask($session), 409, 'session_locked_to_other_device');
  error_is(check($session, '123456'), 409, 'session_locked_to_other_device');
  $session->{person} = $service->client($view->{client_secret});
  answer_is(ask($session), 202, 'the phone asks');
  answer_is(check($session, code_of(mail_of($session))), 200, 'and proves');
};

subtest 'an e-mail that comes too late' => sub {
  $service->sql('DELETE FROM reuse_attempt');
  $server->behave({mail => '451 later'});
  my $session = create();
  answer_is(ask($session), 202);
  ok wait_for { $service->sql_value('SELECT count(*) FROM outgoing_mail
    WHERE session_id = ? AND attempts = 1 AND leased_by IS NULL
      AND due_at BETWEEN ? AND ?', $session->{id}, time * 1000, time * 1000 + 20_000) },
    'is tried again within seconds';
  $service->sql('UPDATE outgoing_mail SET useless_at = 1, due_at = 1
    WHERE session_id = ?', $session->{id});
  ok wait_for { !$service->sql_value('SELECT count(*) FROM outgoing_mail
    WHERE session_id = ?', $session->{id}) }, 'and is given up in the end';
  is scalar(mails_to($session->{email})), 0, 'unsent';
  $service->allow_log(qr/IDV0370/);
};

# Last, since the service starts anew.
subtest 'a service that sends no mail asks for no address' => sub {
  my $session = create();
  $service->stop_httpd;
  $service->{conf} =~ s/^VerifySMTP.*\n//mg;
  $service->start_httpd;
  my $view = answer_is $session->{person}->get($session->{path}), 200;
  is $view->{requires_email_otp}, JSON::PP::false, 'the step is hidden';
  is $view->{steps}[0]{methods}[0], 'document_capture', 'the document comes first';
  ok answer_is($shop->{client}->get("/v1/verification_sessions/$session->{id}"), 200)
    ->{requires_email_otp}, 'the server still sees that the proof is missing';
};

finish($service);
