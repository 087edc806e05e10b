package WidgetScreens;

# Every screen of the widget and of the page that ends sharing, for tests that look
# at all of them.
#
#   my $screens = WidgetScreens->new($browser, $mock);
#   for my $case ($screens->all) {
#     $screens->visit($case, lang => 'de');
#   }
#
# A case is a name, the screen that it ends on, the fields of the session, and what
# leads there. BROWSER needs a camera (its arguments are camera_arguments).

use v5.32;
use warnings;
use JSON::PP ();
use Picture;

my $true = JSON::PP::true;
my %agreed = (consented => $true, device => 'desktop');
my %brand = (name => 'SPECIMEN Shop', support => 'mailto:help@shop.example',
  privacy_url => 'https://shop.example/privacy');
my %look = (accent => '#0a5c36', font => 'serif', radius => 'large');
my $SESSION = 'vks_01jd0000000000000000000000';
my $TOKEN = '01jd0000000000000000000000abcdefghijklmnopqrstuv';
my %statement = (statement => {name => 'adult', version => '1',
  texts => {en => 'I am at least 18 years old and order for myself.'}});
my %methods = map { $_ => {%agreed, methods => [$_], current_method => $_} }
  qw(mdl nfc_passport self_attestation selfie_liveness selfie_match);
$methods{nfc_passport}{passport_apps} = ['https://apps.example.com/p'];
$methods{self_attestation} = {%{$methods{self_attestation}}, %statement};

# A browser that knows wallets and never gets an answer, unless the page asks it
# to make one by window.answerWallet().
my $WALLET = <<'JS';
window.DigitalCredential = { userAgentAllowsProtocol: () => true };
if (navigator.credentials) navigator.credentials.get = () => new Promise((resolve) => {
  window.answerWallet = () => resolve({ protocol: 'org-iso-mdoc', data: {} });
});
JS

sub camera_arguments {
  return ('--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream');
}

sub new {
  my ($class, $browser, $mock) = @_;
  $browser->chromium('Page.addScriptToEvaluateOnNewDocument',
    source => $WALLET);
  return bless {browser => $browser, mock => $mock,
    sharp => Picture::file(Picture::png('sharp', 1400, 900), 'png'),
    blurred => Picture::file(Picture::png('blurred', 900, 600), 'png')}, $class;
}

sub _camera {
  my ($self, $button, $enabled) = @_;
  $self->{browser}->click($button);
  $self->{browser}->wait_until_shown("$enabled:enabled");
}

sub _choose {
  my ($self, $which) = @_;
  $self->{browser}->send_keys('#file', $self->{$which}->filename);
}

sub all {
  my ($self) = @_;
  my ($browser, $mock) = @$self{qw(browser mock)};
  my $click = sub { my ($selector) = @_; sub { $browser->click($selector) } };
  my $send_code = sub {
    $browser->send_keys('#email', 'person@example.com');
    $browser->click('#send-code');
    $browser->wait_until_shown('#resend');
  };
  return map { {name => $_->[0], screen => $_->[1], fields => $_->[2],
    lead => $_->[3] || sub {}} } (
    ['consent', consent => {trust_reuse_available => $true,
      user_message => 'Prove it.', passive_checks => ['ip_analysis']}],
    ['consent in full', consent => {type => 'identity', review_possible => $true,
      passive_checks => ['ip_analysis'], kept_days => {sightings => 30,
        risk => 90}, brand => {%brand, operator => 'SPECIMEN Verification Ltd',
        controller => 'SPECIMEN Shop Ltd, 1 Example Street', result_days => 365}},
      sub { $browser->run('document.querySelector("details").open = true') }],
    ['consent with a passkey', consent => {passkey => 'use'}],
    ['passkey', passkeyUse => {passkey => 'use'}, $click->('#have-passkey')],
    ['choice of the method', chooseMethod => {%agreed, current_method => undef,
      methods => [qw(document_capture mdl nfc_passport self_attestation
        selfie_liveness)], %statement,
      passport_apps => ['https://apps.example.com/p']}],
    ['choice of the document', choose => {%agreed}],
    ['back of the document', otherSide => {%agreed}, sub {
      $self->_choose('sharp');
      $browser->click('#use');
    }],
    ['preview', preview => {%agreed}, sub { $self->_choose('sharp') }],
    ['doubtful preview', preview => {%agreed},
      sub { $self->_choose('blurred') }],
    ['camera', camera => {%agreed}, sub { $self->_camera('#camera', '#shoot') }],
    ['another try', tryAgain => {%agreed, status => 'requires_input',
      hint => 'glare'}],
    ['another try of both sides', tryAgain => {%agreed}, sub {
      $mock->plan({status => 'requires_input', hint => 'glare', attempts_remaining => 2});
      for my $side (qw(front back)) {
        $self->_choose($side eq 'front' ? 'sharp' : 'blurred');
        $browser->click('#use');
        $browser->wait_until_shown('[data-screen=otherSide]') if $side eq 'front';
      }
    }],
    ['another try of one side', tryAgain => {%agreed}, sub {
      $mock->plan({status => 'requires_input', hint => 'blurred', hint_side => 'back'});
      $self->_choose('sharp');
      $browser->click('#use');
      $browser->wait_until_shown('[data-screen=otherSide]');
      $self->_choose('blurred');
      $browser->click('#use');
    }],
    ['sending', sending => {%agreed}, sub {
      $mock->faults({path => '/images', delay => 60_000});
      $browser->click('label[for=kind-passport]');
      $self->_choose('sharp');
      $browser->click('#use');
    }],
    ['link for a phone', handoffOffer => {%agreed}, $click->('#phone')],
    ['link that is too old', handoffVoid => {%agreed, link_life => 0},
      $click->('#phone')],
    ['session on a phone', handoffWaiting => {%agreed,
      active_device => 'mobile'}],
    ['joining', join => {joins => $true}],
    ['joining by an old link', joinFailed => {joins => $true,
      join_fault => 'handoff_invalid', spent => $TOKEN, brand => {%brand, %look}}],
    ['e-mail address', emailOtpAddress => {%agreed,
      requires_email_otp => $true}],
    ['e-mail code', emailOtpCode => {%agreed, requires_email_otp => $true,
      resend_in => 0}, $send_code],
    ['another e-mail code', emailOtpCode => {%agreed, requires_email_otp => $true,
      resend_in => 0}, sub {
      $send_code->();
      $browser->click('#resend');
      $browser->wait_until_shown('#screen .note');
    }],
    ['declaration', selfAttestation => $methods{self_attestation}],
    ['wallet', mdlWallet => $methods{mdl}],
    ['wallet has answered', mdlSent => $methods{mdl}, sub {
      $mock->faults({path => '/mdl/responses', delay => 60_000});
      $browser->click('#wallet');
      $browser->wait_for('the wallet', sub {
        $browser->run('return !!window.answerWallet') });
      $browser->run('window.answerWallet()');
    }],
    ['chip', nfcPassport => $methods{nfc_passport}],
    ['selfie', selfieLiveness => $methods{selfie_liveness}],
    ['selfie camera', selfieCamera => $methods{selfie_liveness},
      sub { $self->_camera('#open-camera', '#begin') }],
    ['another selfie', selfieLiveness => $methods{selfie_liveness}, sub {
      $self->_camera('#open-camera', '#begin');
      $mock->change(status => 'requires_input', attempts_remaining => 1,
        checks_failed => ['poor_light']);
      $browser->command(POST => '/refresh');
      $browser->wait_until_shown('#screen .alert');
    }],
    # The answer is awaited on the screen.
    ['comparison', selfieCompare => {%{$methods{selfie_match}},
      fault => {path => '/submissions', delay => 60_000}}],
    ['leaving', leave => {}, $click->('#cancel')],
    ['processing', processing => {status => 'processing'}],
    ['review', underReview => {status => 'under_review'}],
    # Without a place to return to, or it would go there.
    ['verified', verified => {status => 'verified', return_url => undef}],
    ['verified and to be saved', verified => {status => 'verified', return_url => undef,
      passkey => 'save', vp_token => 'vpt_x'}],
    ['failed', failed => {status => 'failed', brand => \%brand,
      checks_failed => ['document_expired', 'under_age']}],
    ['cancelled', cancelled => {status => 'cancelled'}],
    ['expired', expired => {status => 'expired'}],
    ['nothing that works here', methodUnavailable => {%agreed,
      current_method => 'facial_age', methods => ['facial_age']}],
    # A phone that was handed the session cannot hand it on to an app.
    ['chip that works elsewhere', methodUnavailable => {%{$methods{nfc_passport}},
      device => 'mobile', brand => \%brand}],
    ['problem', problem => $methods{self_attestation}, sub {
      $mock->faults({path => '/submissions', status => 400});
      $browser->click('#statement');
      $browser->click('#declare');
    }],
    ['link without a secret', linkInvalid => {lost => $true}],
    ['spent link', linkInvalid => {spent => "${SESSION}_secret_spent",
      brand => {%brand, %look}}],
    # The page that ends sharing, with a grant in this state.
    ['grant', active => {grant => 'active'}],
    ['grant that was revoked', revoked => {grant => 'revoked'}],
    ['grant that has ended', expired => {grant => 'expired'}],
    ['stopped', stopped => {grant => 'active'}, $click->('#stop')],
    ['all stopped', allStopped => {grant => 'active'}, $click->('#stop-all')],
  );
}

# Goes to the screen of CASE, in the language LANG if there is one.
sub visit {
  my ($self, $case, %options) = @_;
  my ($browser, $mock) = @$self{qw(browser mock)};
  my %fields = %{$case->{fields}};
  my ($joins, $lost, $fault) = delete @fields{qw(joins lost fault)};
  # The page before must not ask anything of the next session.
  $browser->go($mock->base . '/v1/health/live');
  my $link = $fields{grant} ? $mock->grant(status => $fields{grant})
    : $mock->reset(%fields);
  $link = $mock->base . "/verify/handoff#$TOKEN" if $joins;
  $link =~ s/#.*/#lost/ if $lost;
  $link =~ s/#.*/#$fields{spent}/ if $fields{spent} && !$joins;
  $mock->faults($fault) if $fault;
  $link =~ s/#/?lang=$options{lang}#/ if $options{lang};
  $browser->go($link);
  $browser->wait_until_shown('#screen h1');
  $case->{lead}->();
  $browser->wait_until_shown("[data-screen=$case->{screen}]");
}

1;
