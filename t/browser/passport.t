#!/usr/bin/perl
# The widget where the chip of a passport is asked for: it opens an app, or shows
# it as a QR code, and goes on when the app is done.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use Verify::Passport;
use Verify::Test;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

my $app = 'https://apps.example.com/passport';
my $service = Verify::Instance->start(conf => "VerifyPassportApp $app\n");
my $passports = Verify::Passport->new;
my $browser = Browser->start(width => 1280, height => 800);

sub organization {
  my (@methods) = @_;
  my $who = $service->organization(sandbox => 1, workflow => {name => 'Chip',
    start => 'id', nodes => {
      id => {type => 'methods', methods => \@methods,
        accept_unknown_revocation => JSON::PP::true,
        next => {passed => 'granted', exhausted => 'denied'}},
      granted => {type => 'outcome', status => 'verified'},
      denied => {type => 'outcome', status => 'failed'}}});
  $passports->trust($service, '--org', $who->{id});
  return $who;
}
# The page of a new session, after consent.
sub visit {
  my ($who) = @_;
  my $session = answer_is($who->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $who->{workflow_id}, jurisdiction => 'DE'}),
    201, 'a session');
  $browser->visit($service->base_url . "/verify/$session->{id}?lang=en#"
    . $session->{client_secret});
  $browser->wait_until_shown('[data-screen=consent]');
  $browser->click('#agree');
  return $session;
}

subtest 'the app is offered, and the page waits for it' => sub {
  my $session = visit(organization('nfc_passport'));
  $browser->wait_until_shown('[data-screen=nfcPassport]');
  is $browser->text('#screen h1'), 'Read the chip of your passport', 'what for';
  $browser->click('#app');
  $browser->wait_until_shown('[data-screen=nfcPassportOffered]');
  ok $browser->wait_until_shown('#screen img'), 'a QR code';
  ok $browser->run('const i = document.querySelector("#screen img");
    return i.complete && i.naturalWidth > 50'), 'which is a picture';
  like $browser->text('#pairing'), qr/\A\d\d\z/, 'and the number';
  is $service->client($session->{client_secret})->get(
    "/v1/widget/sessions/$session->{id}")->json->{handoff}, 'offered',
    'a handoff';
  is $passports->show($service, $session, 'good')->{status}, 'verified',
    'the chip is read';
  $browser->wait_until_shown('[data-screen=verified]');
};

subtest 'what an app could not read' => sub {
  my $session = visit(organization('nfc_passport'));
  $browser->wait_until_shown('[data-screen=nfcPassport]');
  $passports->show($service, $session, 'without_sod');
  $browser->go($service->base_url . "/verify/$session->{id}?lang=de#"
    . $session->{client_secret});
  $browser->run('location.reload()');
  $browser->wait_until_shown('[data-screen=nfcPassport]');
  like $browser->text('#screen'), qr/Der Chip wurde nicht vollst.*ndig gelesen/,
    'is told in the words of the language';
};

subtest 'one of several' => sub {
  visit(organization('nfc_passport', 'document_capture'));
  $browser->wait_until_shown('[data-screen=chooseMethod]');
  $browser->click('#method-nfc_passport');
  $browser->wait_until_shown('[data-screen=nfcPassport]');
  $browser->click('#screen .more summary');
  like $browser->text('#screen .actions'), qr/another way/,
    'the person may choose photos instead';
};

finish($service);
