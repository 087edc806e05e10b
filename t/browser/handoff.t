#!/usr/bin/perl
# A person begins at a desk and goes on with a phone: two browsers against the
# service itself, with the proof of the e-mail address on the way.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use JSON::PP ();
use Verify::MailReceiver;
use Verify::Specimen;
use Verify::Test;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

my $service = Verify::Instance->start(start => 0);
my $mail = Verify::MailReceiver->new(directory => "$service->{directory}/mail",
  login => undef)->start;
$service->{conf} = join "\n", 'VerifyTestIssuers on', 'VerifySMTPTLS off',
  'VerifySMTP ' . $mail->url, 'VerifySMTPFrom verify@example.com',
  'VerifyPublicURL ' . $service->base_url, '';
$service->start_httpd;
my $shop = $service->organization(sandbox => 1, workflow => 1);
my %simple = (start => 'id', nodes => {
  id => {type => 'methods', methods => ['document_capture'],
    next => {passed => 'yes', exhausted => 'no'}},
  yes => {type => 'outcome', status => 'verified'},
  no => {type => 'outcome', status => 'failed'}});
my $proof = $service->publish($shop->{id}, {%simple, name => 'Proof',
  require_email_otp => JSON::PP::true})->{id};
my $desk = Browser->start(width => 1280, height => 900);
my $phone = Browser->start(width => 390, height => 844);

my @sessions;
sub create {
  my $session = answer_is($shop->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $shop->{workflow_id}, jurisdiction => 'US-CA',
      @_}), 201, 'a session');
  push @sessions, $session;
  return $session;
}
sub begin {
  my ($session) = @_;
  $desk->visit($service->base_url . "/verify/$session->{id}?lang=en"
    . "#$session->{client_secret}");
  screen($desk, 'consent');
  $desk->click('#agree');
}
sub screen { $_[0]->wait_until_shown("[data-screen=$_[1]]") }
sub shows { $_[0]->run('return document.getElementById("screen").dataset.screen') }
sub complaints {
  my ($expected, @browsers) = @_;
  return grep { $_->{level} eq 'SEVERE' && $_->{message} !~ $expected }
    map { $_->console } @browsers;
}
# Has the page keep what is copied.
sub copied_link {
  $desk->run('navigator.clipboard.writeText = (text) => { window.__link = text;
    return Promise.resolve(); };');
  $desk->click('#copy-link');
  return wait_for { $desk->run('return window.__link || null') };
}

subtest 'to the phone, and the end on both screens' => sub {
  my $session = create();
  begin($session);
  screen($desk, 'choose');
  ok $desk->run('const phone = document.getElementById("phone"); return !phone.closest('
    . '"details") && phone.getBoundingClientRect().bottom <= window.innerHeight'),
    'the way to a phone is in view';
  $desk->click('#phone');
  screen($desk, 'handoffOffer');
  my $number = $desk->text('#pairing');
  like $number, qr/\A\d\d\z/, 'a number';
  ok wait_for { $desk->run('const i = document.querySelector("img.qr");
    return i.complete && i.naturalWidth > 0') }, 'a picture that is drawn';
  my $link = copied_link();
  like $link, qr{/verify/handoff#}, 'the link';
  unlike $link, qr/secret/, 'without the secret';

  $phone->visit($link);
  screen($phone, 'join');
  unlike $phone->url, qr/#/, 'the token has left the address bar';
  ok wait_for { $desk->text('#handoff-state') =~ /has opened/ },
    'the desk is told at once';
  $phone->click("#pairing-$number");
  ok wait_for { $phone->url =~ m{/verify/\Q$session->{id}\E} },
    'the phone has the session';
  screen($desk, 'handoffWaiting');
  $phone->run('location.reload()');
  ok wait_for { (shows($phone) // '') =~ /^(?!join)/ && !$phone->find('#phone') },
    'a reload keeps it, and offers no further phone';
  my $view = show_specimen($service, {%$session,
    client_secret => $phone->run("return sessionStorage.getItem('idv:$session->{id}')")});
  is $view->{status}, 'verified', 'it is verified there';
  screen($desk, 'verified');
  ok 1, 'and the desk says so';
  $service->sql('UPDATE verification_session SET runner = (runner::jsonb
    || \'{"ended_at": 1000}\')::json WHERE id = ?', $session->{id});
  $desk->visit($service->base_url . "/verify/$session->{id}#$session->{client_secret}");
  screen($desk, 'linkInvalid');
  is $desk->text('#brand'), 'Test organization', 'later a link still says whose it is';
  is_deeply [complaints(qr/ 40[19] /, $desk)], [], 'which its page asks for';
};

subtest 'another number' => sub {
  begin(create());
  $desk->click('#phone');
  screen($desk, 'handoffOffer');
  my $number = $desk->text('#pairing');
  my $link = copied_link();
  $phone->visit($link);
  screen($phone, 'join');
  my ($wrong) = grep { $_ ne "pairing-$number" }
    @{$phone->run('return [...document.querySelectorAll(".pairings button")].map((b) => b.id)')};
  $phone->click("#$wrong");
  screen($phone, 'joinFailed');
  ok wait_for { $desk->find('#new-link') }, 'the desk is told';
  $phone->visit($link);
  screen($phone, 'joinFailed');
  is $phone->text('#brand'), 'Test organization', 'a spent link says whose it is';
  $desk->click('#new-link');
  ok wait_for { $desk->find('#pairing') }, 'and has a new link'
    or diag shows($desk);
};

subtest 'back to the desk' => sub {
  begin(create());
  $desk->click('#phone');
  screen($desk, 'handoffOffer');
  my $number = $desk->text('#pairing');
  $phone->visit(copied_link());
  screen($phone, 'join');
  $phone->click("#pairing-$number");
  screen($desk, 'handoffWaiting');
  $desk->click('#stay');
  ok wait_for { shows($desk) !~ /^handoff/ }, 'the desk goes on';
  $phone->run('location.reload()');
  screen($phone, 'elsewhere');
  ok 1, 'the phone says where';
};

subtest 'the address is proved by one field' => sub {
  my $session = create(workflow_id => $proof, email => 'person@example.com');
  begin($session);
  screen($desk, 'emailOtpAddress');
  $desk->send_keys('#email', 'Person@example.com');
  $desk->click('#send-code');
  screen($desk, 'emailOtpCode');
  is $desk->run('const i = document.getElementById("code");
    return `${i.autocomplete} ${i.inputMode}`'), 'one-time-code numeric',
    'filled in by browsers';
  my $sent = $mail->wait_for_mail(sub { $_[0]{recipients}[0] eq 'person@example.com' });
  my ($code) = $sent->{message} =~ /^Subject: (\d{6})/m;
  $desk->send_keys('#code', $code eq '000000' ? '000001' : '000000');
  $desk->click('#check-code');
  ok wait_for { $desk->find('.alert') }, 'a wrong one is told';
  $desk->send_keys('#code', substr($code, 0, 3) . ' ' . substr($code, 3));
  $desk->click('#check-code');
  ok wait_for { shows($desk) !~ /^emailOtp/ }, 'the right one leads on';
  ok !answer_is($shop->{client}->get("/v1/verification_sessions/$session->{id}"),
    200)->{requires_email_otp}, 'and proves the address';

  begin(create(workflow_id => $proof, email => 'other@example.com'));
  screen($desk, 'emailOtpAddress');
  $desk->click('#skip-email');
  ok wait_for { shows($desk) !~ /^emailOtp/ }, 'or one goes on without';
};

is_deeply [complaints(qr/ 40[09] /, $desk, $phone)], [], 'no complaint in the consoles';
# So that no request waits for a change of one when the server stops.
$shop->{client}->post("/v1/verification_sessions/$_->{id}/cancel", {}) for @sessions;
finish($service);
