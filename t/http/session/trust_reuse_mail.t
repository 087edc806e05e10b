# The e-mail that tells a person of a grant: queued with it, sealed, sent once,
# tried again or given up, and gone afterwards; its link works.
use v5.32;
use warnings;
use Browser;
use JSON::PP ();
use MIME::QuotedPrint qw(decode_qp);
use Verify::MailReceiver;
use Verify::Participant;
use Verify::Specimen;
use Verify::Test;

my ($yes, $no) = (JSON::PP::true, JSON::PP::false);
my $service = Verify::Instance->start(start => 0);
my $directory = $service->{directory};
$service->script('certificate', qw(issue mail), 'DNS:localhost,IP:127.0.0.1');
my @tls = (certificate => "$directory/tls/mail.pem", key => "$directory/tls/mail.key");
my $login = 'verify:correct horse';
my $server = Verify::MailReceiver->new(directory => "$directory/mail", @tls,
  login => $login)->start;
open my $password, '>', "$directory/smtp.password" or die "smtp.password: $!\n";
chmod 0600, $password;
print $password "correct horse\n";
close $password;

# The service with this mail server.
sub configure {
  my ($mail, @more) = @_;
  $service->{conf} = join "\n", 'VerifyTestIssuers on',
    'VerifyPublicURL https://verify.example/',
    ($mail ? ('VerifySMTP ' . $mail->url,
      'VerifySMTPFrom "Prüfstelle <verify@example.com>"',
      "VerifySMTPCAFile $directory/tls/ca.pem") : ()), @more, '';
}
my @login = ('VerifySMTPUser verify', "VerifySMTPPasswordFile $directory/smtp.password");
configure($server, @login);
$service->start_httpd;

my $source = participant($service);
my $target = participant($service);
my $third = participant($service);
$service->sql('UPDATE organization SET name = ? WHERE id = ?',
  "Caf\x{e9} <i>SPECIMEN</i> & Co\r\nBcc: other\@example.com", $target->{id});

$service->sql('UPDATE organization SET brand = ? WHERE id = ?',
  '{"accent":"#7a1f3d"}', $target->{id});

sub queued { @{$service->sql('SELECT * FROM outgoing_mail ORDER BY id')} }
sub queue_is_empty {
  my ($name) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  ok wait_for(sub { !queued() }), $name // 'nothing is left in the queue';
}
# A grant for a person at $who; the person is verified at the source first.
my $people = 0;
sub grant {
  my (%more) = @_;
  my $email = $more{email} // 'person' . ++$people . '@example.com';
  verify_sharing($service, $source, email => $email) unless $more{known};
  my $session = answer_is(create_session($more{who} // $target, email => $email,
    $more{locale} ? (locale => $more{locale}) : ()), 201);
  is $session->{verification_path}, 'trust_reuse', 'reused';
  return ($email, $session);
}
sub mail_to {
  my ($email) = @_;
  return $server->wait_for_mail(sub { $_[0]{recipients}[0] eq $email });
}
sub parts {
  my ($mail) = @_;
  my ($head, $body) = split /\r\n\r\n/, $mail->{message}, 2;
  my ($boundary) = $head =~ /boundary="([^"]+)"/;
  my @parts = split /(?:^|\r\n)--\Q$boundary\E(?:--)?\r\n/, $body;
  return ($head, map { decode_qp(s/\A.*?\r\n\r\n//sr) } @parts[1, 2]);
}
sub link_of {
  my ($mail) = @_;
  my (undef, $text) = parts($mail);
  return $text =~ m{^(https://verify\.example/verify/revoke#\S+?)\r?$}m ? $1 : '';
}
sub person { $service->client(link_of($_[0]) =~ s/.*#//r) }

my $revocations = '/v1/widget/trust_reuse/revocations';
subtest 'the e-mail' => sub {
  my ($email, $session) = grant();
  my $mail = mail_to($email) or return fail 'no e-mail';
  ok $mail->{encrypted}, 'sent encrypted';
  is $mail->{login}, $login, 'with the login';
  is $mail->{from}, 'verify@example.com', 'from';
  is_deeply $mail->{recipients}, [$email], 'to the person alone';
  my ($head, $text, $html) = parts($mail);
  like $head, qr/^To: \Q$email\E\r$/m, 'To';
  like $head, qr/^From: =\?UTF-8\?B\?\S+\?=\r\n <verify\@example\.com>\r$/m, 'From';
  like $head, qr/^Message-ID: <eml_\w{26}\@example\.com>\r$/m, 'Message-ID';
  like $head, qr/^Auto-Submitted: auto-generated\r$/m, 'Auto-Submitted';
  unlike $head, qr/^Bcc/m, 'no other header';
  like $text, qr/Caf\xc3\xa9 <i>SPECIMEN<\/i> & Co  Bcc: other\@example.com accepted/,
    'who accepted';
  like $text, qr/that you are at least (?:13|16|18|21) years old/, 'what was confirmed';
  like $html, qr/Caf\xc3\xa9 &lt;i&gt;SPECIMEN&lt;/, 'the HTML escapes';
  like $html, qr/color:#7a1f3d/, 'and has the accent';
  unlike $mail->{message}, qr/SPECIMEN.*(?:19|20)\d\d-\d\d-\d\d/, 'no data';
  queue_is_empty();
  my $revoked = answer_is(person($mail)->post($revocations, {scope => 'grant'}), 200);
  is $revoked->{grants_revoked}, 1, 'its link revokes the grant';
  my ($grant) = @{$target->{client}->get('/v1/trust_reuse/grants?limit=1')->json->{data}};
  is $grant->{session_id}, $session->{id}, 'of this session';
  is $grant->{revoked_reason}, 'USER_REVOKED', 'for that reason';
  is scalar(my @all = $server->mails), 1, 'one e-mail';
};

subtest 'the page behind the link' => sub {
  plan skip_all => 'chromium and chromedriver are not installed' unless Browser::is_available();
  my ($email, $session) = grant();
  my $link = link_of(mail_to($email)) =~ s{https://verify.example}{$service->base_url_tls}er;
  my $browser = Browser->start;
  $browser->go($link);
  $browser->wait_until_shown('[data-screen=active]');
  like $browser->text('#screen'), qr/Caf\x{e9} <i>SPECIMEN<\/i> & Co/, 'names the organization';
  $browser->click('#stop');
  $browser->wait_until_shown('[data-screen=stopped]');
  my ($grant) = @{$target->{client}->get('/v1/trust_reuse/grants?limit=1')->json->{data}};
  is_deeply [@$grant{qw(session_id revoked_reason)}], [$session->{id}, 'USER_REVOKED'],
    'the grant is revoked';
  $browser->click('#stop-all');
  $browser->wait_until_shown('[data-screen=allStopped]');
  is answer_is(create_session($third, email => $email), 201)->{status}, 'created',
    'nothing is shared any more';
  is_deeply [map { $_->{message} } $browser->console], [], 'the console is quiet';
};

subtest 'in the language of the session, under the name of the brand' => sub {
  $service->sql('UPDATE organization SET brand = ? WHERE id = ?',
    '{"name":"SPECIMEN Shop"}', $target->{id});
  my ($email) = grant(locale => 'de');
  my (undef, $text, $html) = parts(mail_to($email));
  like $text, qr/hat SPECIMEN Shop eine Pr\xc3\xbcfung anerkannt/, 'German';
  like $html, qr/<html lang="de" dir="ltr">.*>Weitergabe beenden</s, 'in both parts';
  $service->sql('UPDATE organization SET brand = NULL WHERE id = ?', $target->{id});
};

subtest 'an e-mail for each reuse, and for nothing else' => sub {
  $server->forget;
  my ($email) = grant();
  ok mail_to($email), 'the first time';
  my (undef, $again) = grant(email => $email, known => 1);
  ok wait_for(sub { 2 == (my @m = $server->mails) }), 'and the second';
  is scalar(my @links = do { my %seen; grep { !$seen{$_}++ } map { link_of($_) }
    $server->mails }), 1, 'with the link of the one grant';
  $target->{app}->patch('/v1/trust_reuse/settings', {accepted_methods => ['mdl']});
  is answer_is(create_session($target, email => $email), 201)->{status}, 'created',
    'a declined reuse';
  $target->{app}->patch('/v1/trust_reuse/settings', {accepted_methods => []});
  answer_is(create_session($target, email => 'nobody@example.com'), 201,
    'somebody unknown');
  my $phone = '+15550104499';
  my ($session, $view) = verify_sharing($service, $source, phone => $phone);
  is answer_is(create_session($target, phone => $phone), 201)->{verification_path},
    undef, 'by phone alone nothing is reused that nobody could be told of';
  my ($other) = grant();
  ok mail_to($other), 'the next grant tells';
  is scalar(my @all = $server->mails), 3, 'nothing else was sent';
  queue_is_empty();
};

subtest 'the queued e-mail is sealed' => sub {
  $service->allow_log(qr/IDV0370/);
  $server->behave({rcpt => '450 later'});
  my ($email, $session) = grant();
  ok wait_for(sub { my ($row) = queued(); $row && $row->{attempts} && !$row->{leased_by} }),
    'tried, and waiting';
  my ($row) = queued();
  is $row->{organization_id}, $target->{id}, 'it belongs to the organization';
  is $row->{session_id}, $session->{id}, 'to the session';
  my $shown = $service->sql_value('SELECT m::text FROM outgoing_mail m');
  my $local = $email =~ s/@.*//r;
  unlike $shown, qr/$local|example|revoke/i, 'nothing can be read in the row';
  unlike $shown, qr/${\ unpack 'H*', $local}/i, 'not in its bytes either';
  my $held = $row->{due_at} - $row->{created_at};
  cmp_ok $held, '>=', 900_000, 'the next attempt is 15 minutes later';
  cmp_ok $held, '<=', 1_050_000, 'or a little more';
  is $service->verifyctl(qw(person erase), $service->sql_value(
    'SELECT verified_person_id FROM trust_reuse_grant WHERE session_id = ?',
    $session->{id}))->{erased}{grants_revoked}, 1, 'the person is erased';
  is scalar(queued()), 0, 'and the e-mail with them';
};

subtest 'a passing refusal, then the e-mail' => sub {
  $server->forget;
  $server->behave({rcpt => '450 later'}, {text => '451 not now'}, {greeting => '554 away'},
    {mail => '530 log in'}, {});
  my ($email) = grant();
  my $id;
  my @refused;
  for my $attempt (1 .. 4) {
    ok wait_for(sub { my ($row) = queued();
      $row && $row->{attempts} == $attempt && !$row->{leased_by} }), "attempt $attempt fails";
    my ($row) = queued();
    $id //= $row->{id};
    is $row->{id}, $id, 'the same e-mail';
    $service->sql('UPDATE outgoing_mail SET due_at = 1');
  }
  # What was refused after its text is recorded, too.
  ok wait_for(sub { 2 == (my @m = $server->mails) }), 'the fifth one succeeds';
  like $_->{message}, qr/^Message-ID: <$id\@/m, 'under the same Message-ID'
    for $server->mails;
  queue_is_empty();
};

subtest 'given up' => sub {
  my %final = (rcpt => '550 nobody', mail => '553 not you', data => '554 no',
    text => '552 too large');
  for my $step (sort keys %final) {
    $server->behave({$step => $final{$step}});
    grant();
    queue_is_empty("$final{$step}, gone at once");
  }
  $server->behave({rcpt => '450 later'});
  grant();
  for my $attempt (1 .. 5) {
    wait_for { my ($row) = queued(); !$row || $row->{attempts} == $attempt && !$row->{leased_by} };
    $service->sql('UPDATE outgoing_mail SET due_at = 1');
  }
  queue_is_empty('gone after the fifth attempt');
  $server->behave({});
};

subtest 'a mail server that says nothing holds up nobody' => sub {
  $server->forget;
  $server->behave({hang => 'greeting'}, {hang => 'quit'}, {});
  my ($stuck) = grant();
  ok wait_for(sub { $server->connections }), 'the first one waits';
  my ($silent) = grant();
  ok mail_to($silent), 'the second one is sent';
  my ($email) = grant();
  ok mail_to($email), 'and the third';
  my ($row) = queued();
  ok $row && $row->{leased_by}, 'the first one still waits';
  $service->sql('DELETE FROM outgoing_mail');
  $server->behave({});
};

subtest 'a rollback leaves none' => sub {
  my $email = 'rollback@example.com';
  verify_sharing($service, $source, email => $email);
  $service->allow_log(qr/IDV0020/);
  # What the transaction writes last.
  $service->sql(q{CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'refused'; END $$});
  $service->sql(q{CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON trust_reuse_grant
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()});
  $server->forget;
  error_is(create_session($target, email => $email), 500, 'internal_error');
  is scalar(queued()), 0, 'nothing is queued';
  $service->sql('DROP TRIGGER refuse ON trust_reuse_grant');
  grant(email => $email, known => 1);
  ok mail_to($email), 'and with the next success it is';
  is scalar(my @all = $server->mails), 1, 'once';
};

subtest 'kill -9 between sending and settling' => sub {
  $server->forget;
  $service->allow_log(qr/IDV0320/);
  $server->behave({hang => 'text'}, {});
  my ($email) = grant();
  ok mail_to($email), 'the server has the text';
  my ($row) = queued();
  ok $row->{leased_by}, 'the e-mail is leased';
  $service->kill_hard($service->watchdog_pid);
  ok wait_for(sub { 2 == (my @m = $server->mails) }), 'it is sent again';
  my @ids = map { $_->{message} =~ /^(Message-ID: \S+)/m } $server->mails;
  is $ids[0], $ids[1], 'under the same Message-ID';
  queue_is_empty();
};

subtest 'two nodes send each e-mail once' => sub {
  my $count = 12;
  $server->behave({rcpt => '450 later'});
  grant() for 1 .. $count;
  ok wait_for(sub { $count == grep { $_->{attempts} && !$_->{leased_by} } queued() }),
    'all wait';
  $server->forget;
  $server->behave({});
  my $second = Verify::Instance->start(beside => $service, conf => $service->{conf});
  ok wait_for(sub { $second->watchdog_pid }), 'another node';
  $service->sql('UPDATE outgoing_mail SET due_at = 1');
  queue_is_empty('all are sent');
  my %times;
  $times{$_->{message} =~ /^Message-ID: (\S+)/m ? $1 : ''}++ for $server->mails;
  is scalar(keys %times), $count, 'each';
  is_deeply [grep { $_ != 1 } values %times], [], 'once';
  $second->stop;
};

subtest 'what nothing could send goes after two days' => sub {
  $server->behave({rcpt => '450 later'});
  grant() for 1, 2;
  wait_for { 2 == grep { $_->{attempts} && !$_->{leased_by} } queued() };
  my ($old, $young) = queued();
  $service->sql('UPDATE outgoing_mail SET created_at = created_at - ? WHERE id = ?',
    2 * 86_400_000, $old->{id});
  $service->kill_hard($service->watchdog_pid); # the next one looks at once
  ok wait_for(sub { my @left = queued(); @left == 1 && $left[0]{id} eq $young->{id} }),
    'the watchdog removes it';
  $service->sql('DELETE FROM outgoing_mail');
  $server->behave({});
};

subtest 'other ways to the server' => sub {
  my $open = Verify::MailReceiver->new(directory => "$directory/open")->start;
  my $tls = Verify::MailReceiver->new(directory => "$directory/tls-only", @tls, tls => 1,
    login => $login)->start;
  my %ways = (smtps => [$tls, @login], off => [$open, 'VerifySMTPTLS off'],
    optional => [$open, 'VerifySMTPTLS optional']);
  for my $way (sort keys %ways) {
    my ($mail, @more) = @{$ways{$way}};
    $service->stop_httpd;
    configure($mail, @more);
    $service->start_httpd;
    my ($address) = grant();
    my $sent = $mail->wait_for_mail(sub { $_[0]{recipients}[0] eq $address });
    ok $sent, "sent: $way";
    is $sent->{encrypted}, $way eq 'smtps' ? 1 : 0, 'encrypted or not';
    queue_is_empty();
  }
  open my $wrong, '>', "$directory/wrong.password" or die "wrong.password: $!\n";
  chmod 0600, $wrong;
  print $wrong "wrong horse\n";
  close $wrong;
  my %faults = ('without STARTTLS' => [$open],
    'with a wrong password' => [$tls, $login[0],
      "VerifySMTPPasswordFile $directory/wrong.password"],
    'with a stranger for a server' => [$tls, @login, 'VerifySMTPCAFile /etc/ssl/certs/ca-certificates.crt']);
  for my $fault (sort keys %faults) {
    my ($mail, @more) = @{$faults{$fault}};
    $service->stop_httpd;
    configure($mail, @more);
    $service->start_httpd;
    my ($address) = grant();
    ok wait_for(sub { my ($row) = queued(); $row && $row->{attempts} && !$row->{leased_by} }),
      "$fault it waits";
    ok !(grep { $_->{recipients}[0] eq $address } $mail->mails), 'and is not sent';
    $service->sql('DELETE FROM outgoing_mail');
  }
};

subtest 'without a mail server nothing is queued' => sub {
  $service->stop_httpd;
  configure();
  $service->start_httpd;
  grant();
  is scalar(queued()), 0, 'nothing';
};

finish($service);
