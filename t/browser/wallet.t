#!/usr/bin/perl
# The widget and a wallet: the Digital Credentials API of the browser, which an
# injected one stands for, and the link that leads back to the page.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use Verify::Test;
use Verify::WalletTest;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

# A browser that knows both protocols: what it is asked waits in the page until
# the test has the wallet answer it.
my $injected = <<'SCRIPT';
window.DigitalCredential = { userAgentAllowsProtocol: () => true };
navigator.credentials.get = ({ digital }) => new Promise((resolve, reject) => {
  window.asked = digital.requests;
  window.answer = (protocol, data) => resolve({ protocol, data });
  window.dismiss = () => reject(new DOMException('', 'NotAllowedError'));
});
SCRIPT

my $test = Verify::WalletTest->start;
my ($service, $wallet) = @$test{qw(service wallet)};
my $server = $test->{organization}{client};
my $browser = Browser->start(width => 390, height => 844);
my $screen = sub { $browser->wait_until_shown("[data-screen=$_[0]]") };

sub create {
  my ($jurisdiction) = @_;
  return answer_is($server->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $test->{organization}{workflow_id}, jurisdiction => $jurisdiction // 'US-CA'}), 201);
}
sub visit {
  my ($session) = @_;
  $browser->visit($service->base_url_tls
    . "/verify/$session->{id}#$session->{client_secret}");
  $screen->('consent');
  $browser->click('#agree');
  $screen->('mdlWallet');
}
sub status_of {
  return answer_is($server->get("/v1/verification_sessions/$_[0]{id}"), 200)->{status};
}

# First, as if this were a phone whose browser knows no wallets.
subtest 'a link on the same phone' => sub {
  $browser->chromium('Page.addScriptToEvaluateOnNewDocument', source => <<'SCRIPT');
delete window.DigitalCredential;
const later = window.setTimeout;
window.setTimeout = (what, ms, ...more) => later(what, ms === 15000 ? 0 : ms, ...more);
const match = window.matchMedia.bind(window);
window.matchMedia = (query) => (query === '(pointer: coarse)'
  ? { matches: true, addEventListener() {} } : match(query));
SCRIPT
  my $session = create();
  visit($session);
  unlike $browser->text('#screen'), qr/date of birth/, 'no more than the age';
  $browser->click('#wallet');
  $screen->('mdlOpened');
  my $url = $browser->run('return document.querySelector("a#wallet").href');
  like $url, qr{\Aopenid4vp://}, 'opens a wallet';
  my $fetched = $wallet->does('fetch_request', url => $url, method => 'post');
  my $answer = $wallet->does('answer_request', request => $fetched->{request},
    documents => ['licence']);
  is $answer->{status}, 200, 'the wallet has answered';
  $screen->('processing');
  is status_of($session), 'processing', 'which is not enough';
  # Another tab has none of what the first one keeps for itself.
  $browser->visit($service->base_url_tls . "/verify/$session->{id}");
  $browser->run('sessionStorage.clear()');
  $browser->visit($answer->{body}{redirect_uri});
  $screen->('verified');
  is status_of($session), 'verified', 'verified once it has led back';
  is $browser->run('return Object.keys(localStorage).filter('
    . '(key) => key.endsWith(":wallet")).length'), 0, 'no secret stays behind';
  ok !$browser->run('return !!document.querySelector("#age-app:not([hidden])")'),
    'no app of the EU outside of it';
  $test->issue('proof', doctype => 'eu.europa.ec.av.1', only => ['age_over_18']);
  $session = create('DE');
  visit($session);
  $browser->wait_until_shown('#age-app:not([hidden])');
  $browser->click('#age-app');
  $screen->('mdlOpened');
  $url = $browser->run('return document.querySelector("a#wallet").href');
  like $url, qr{\Aav://}, 'in the EU an app for proofs of age is opened, too';
  $answer = $wallet->does('answer_age_app', url => $url, documents => ['proof']);
  is $answer->{status}, 200, '... which answers';
  $browser->visit($answer->{body}{redirect_uri});
  $screen->('verified');
};

# As when somebody else has answered the link: nobody comes back to this browser.
subtest 'once more, in place of an answer' => sub {
  my $session = create();
  # By the page itself: the browser's own question about the link takes a click.
  my $press = sub { $browser->run('document.querySelector(arguments[0]).click()', @_) };
  my $opened = sub {
    $press->('#wallet');
    $screen->('mdlOpened');
    my $fetched = $wallet->does('fetch_request', method => 'post',
      url => $browser->run('return document.querySelector("a#wallet").href'));
    return $wallet->does('answer_request', request => $fetched->{request},
      documents => ['licence']);
  };
  visit($session);
  is $opened->()->{status}, 200, 'somebody has answered';
  $browser->wait_until_shown('#wallet-again:not([hidden])');
  $press->('#wallet-again');
  $screen->('mdlWallet');
  my $answer = $opened->();
  is $answer->{status}, 200, 'so does the person';
  $browser->visit($answer->{body}{redirect_uri});
  $screen->('verified');
};

subtest 'the browser asks the wallet' => sub {
  $browser->chromium('Page.addScriptToEvaluateOnNewDocument', source => $injected);
  for my $protocol (qw(openid4vp-v1-signed org-iso-mdoc)) {
    my $session = create();
    visit($session);
    $browser->click('#wallet');
    wait_for { $browser->run('return !!window.dismiss') };
    $browser->run('window.dismiss()');
    wait_for { $browser->text('#screen') =~ /was closed/ };
    $browser->run('delete window.dismiss');
    $browser->click('#wallet');
    wait_for { $browser->run('return !!window.dismiss') };
    my $answer = $wallet->does('answer_browser', protocol => $protocol,
      requests => $browser->run('return window.asked'), documents => ['licence'],
      origin => $service->base_url_tls);
    $browser->run('window.answer(arguments[0], arguments[1])', $protocol,
      $answer->{data});
    $screen->('verified');
    is status_of($session), 'verified', "$protocol: verified";
  }
};

subtest 'what is not accepted' => sub {
  $test->issue('young', elements => {birth_date => '2009-01-01',
    age_over_21 => JSON::PP::false});
  my $session = create();
  visit($session);
  $browser->click('#wallet');
  wait_for { $browser->run('return !!window.dismiss') };
  my $answer = $wallet->does('answer_browser', protocol => 'org-iso-mdoc',
    requests => $browser->run('return window.asked'), documents => ['young'],
    origin => $service->base_url_tls);
  $browser->run('window.answer(arguments[0], arguments[1])', 'org-iso-mdoc',
    $answer->{data});
  wait_for { $browser->text('#screen') =~ /attempts left|could not be accepted/ };
  is status_of($session), 'requires_input', 'and the person may show another';
};

# Safari 26 knows this protocol only, and a browser may refuse a list with others.
subtest 'a browser that knows org-iso-mdoc only' => sub {
  $browser->chromium('Page.addScriptToEvaluateOnNewDocument', source => <<'SCRIPT');
window.DigitalCredential = { userAgentAllowsProtocol: (name) => name === 'org-iso-mdoc' };
const get = navigator.credentials.get;
navigator.credentials.get = (options) => (options.digital.requests
  .every(({ protocol }) => protocol === 'org-iso-mdoc') ? get(options)
  : Promise.reject(new TypeError('unknown protocol')));
SCRIPT
  my $session = create();
  visit($session);
  $browser->click('#wallet');
  wait_for { $browser->run('return !!window.dismiss') };
  is_deeply $browser->run('return window.asked.map(({ protocol }) => protocol)'), ['org-iso-mdoc'],
    'is asked by this protocol only';
  my $answer = $wallet->does('answer_browser', protocol => 'org-iso-mdoc',
    requests => $browser->run('return window.asked'), documents => ['licence'],
    origin => $service->base_url_tls);
  $browser->run('window.answer(arguments[0], arguments[1])', 'org-iso-mdoc', $answer->{data});
  $screen->('verified');
  is status_of($session), 'verified', 'verified';
};

$browser->stop;
finish($service);
