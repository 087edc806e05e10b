#!/usr/bin/perl
# What a person finds on the screens whichever method they use: a way to leave, the
# way's names, help, and what is left of a link that is no longer valid.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP ();
use Test::More;
use Browser;
use WidgetMock;
use WidgetScreens;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

my $mock = WidgetMock->start;
my $browser = Browser->start(width => 390, height => 844,
  arguments => [WidgetScreens->camera_arguments]);
my $screens = WidgetScreens->new($browser, $mock);
my %screen = map { $_->{name} => $_ } $screens->all;
my @STEPS = map { "#screen .steps li:nth-child($_) > span:nth-child(2)" } 1 .. 3;

subtest 'what is waited for can be left' => sub {
  for my $name ('preview', 'wallet has answered', 'comparison', 'problem',
    'link that is too old') {
    $screens->visit($screen{$name});
    ok $browser->find('#cancel'), $name;
    ok $browser->find('.spinner'), 'and it shows that it works'
      if $name =~ /answered|comparison/;
  }
  $screens->visit($screen{comparison});
  $browser->click('#cancel');
  $browser->wait_until_shown('[data-screen=leave]');
  $browser->click('#back');
  $browser->wait_until_shown('[data-screen=selfieCompare]');
  is scalar(grep { $_->{path} eq '/submissions' } $mock->requests), 1,
    'coming back begins nothing anew';
};

subtest 'another code has its time, and ends the one before' => sub {
  my $case = $screen{'e-mail code'};
  $screens->visit({%$case, fields => {%{$case->{fields}}, resend_in => 3}});
  ok $browser->find('#resend:disabled'), 'not yet';
  like $browser->text('#resend-when > [aria-hidden]'), qr/new code in 0:0[1-3]\.\z/,
    'the time is counted down';
  like $browser->text('#resend-when > .visually-hidden'), qr/in [1-3] seconds?\.\z/,
    'and said as a sentence that stays the same';
  is $browser->text('#announcer'), '', 'nothing is announced meanwhile';
  ok $browser->wait_until_shown('#resend:enabled'), 'now';
  ok $browser->wait_for('the words', sub {
    $browser->text('#announcer') eq 'You can now request a new code.' }), 'which is said';
  $mock->faults({path => '/email_otp', status => 429, code => 'rate_limit_exceeded',
    retry_after => 120});
  $browser->click('#resend');
  $browser->wait_until_shown('#screen .alert');
  like $browser->text('#resend-when > [aria-hidden]'), qr/in (?:2:00|1:5\d)\.\z/,
    'a refusal says when, and leaves the person where they are';
  $screens->visit($screen{'another e-mail code'});
  like $browser->text('#screen .note'), qr/earlier e.mails no longer work/,
    'what became of the one before';
  $browser->run('history.back()');
  ok $browser->wait_until_shown('[data-screen=emailOtpAddress]'),
    'Back leads to the address';
};

subtest 'the organization chooses font, corners, room and words' => sub {
  my %words = ('methods.title' => 'Pick <b>one</b>', 'consent.title' => 'Win a prize');
  my $looks = sub { $browser->run(<<'JS') };
    const button = getComputedStyle(document.querySelector('.button'));
    return { font: getComputedStyle(document.body).fontFamily.slice(0, 6),
      corner: parseFloat(button.borderTopLeftRadius),
      height: parseFloat(button.minHeight),
      ground: getComputedStyle(document.body).backgroundColor };
JS
  my $look = sub { my ($name, %fields) = @_;
    $screens->visit({%{$screen{$name}}, fields => {%{$screen{$name}{fields}}, %fields}}) };
  $look->(consent => brand => {font => 'serif', radius => 'none',
    density => 'compact', background => '#fbf7f0', wording => {en => \%words}});
  is $browser->text('#screen h1'), 'Before we start', 'consent stays as it is';
  my $seen = $looks->();
  is_deeply $seen, {font => '"Iowan', corner => 0, height => 44,
    ground => 'rgb(251, 247, 240)'}, 'as it asked for';
  $look->('choice of the method', brand => {wording => {en => \%words}});
  is $browser->text('#screen h1'), 'Pick <b>one</b>', 'its words, as text only';
  cmp_ok $looks->()->{corner}, '>', 10, 'round corners by default';
};

subtest 'what is easiest on this device comes first, with its time' => sub {
  my $case = $screen{'choice of the method'};
  my $offers = sub { $browser->run(<<'JS') };
    return [...document.querySelectorAll('.offer')].map((offer) =>
      `${offer.id} ${offer.querySelector('.takes').textContent}`);
JS
  my @usual = ('method-self_attestation About 10 seconds',
    'method-mdl About 30 seconds', 'method-selfie_liveness About 30 seconds',
    'method-document_capture About 2 minutes', 'method-nfc_passport About 3 minutes');
  $screens->visit($case);
  is_deeply $offers->(), \@usual, 'whatever the workflow names first';
  $screens->visit({%$case, fields => {%{$case->{fields}}, passkey => 'use'}});
  is_deeply $offers->(), ['have-passkey About 5 seconds', @usual],
    'a saved verification before all';
  $browser->click('#have-passkey');
  ok $browser->wait_until_shown('[data-screen=passkeyUse]'), 'which is used';
};

subtest 'only what failed has to be done again' => sub {
  my $shots = sub { $browser->run(<<'JS') };
    return [...document.querySelectorAll('.shots li')].map((shot) => [shot.className,
      shot.querySelector('.state').textContent, shot.querySelector('img').src !== '']);
JS
  $screens->visit($screen{'another try of one side'});
  is_deeply $shots->(), [['', 'This photo is fine', JSON::PP::true],
    ['wrong', 'Take this photo again', JSON::PP::true]], 'which photo failed is shown';
  ok !$browser->find('#kind-passport'), 'and nothing else is asked';
  $browser->send_keys('#file', $screens->{sharp}->filename);
  $browser->click('#use');
  $browser->wait_until_shown('[data-screen=processing]');
  my @sent = grep { $_->{path} =~ /images|submissions/ } $mock->requests;
  is_deeply [sort map { $_->{path} } @sent[3 .. 5]], ['/images/back', '/images/front',
    '/submissions'], 'one photo is taken, and both are sent';
  $screens->visit($screen{'another try of one side'});
  $browser->send_keys('#file', $screens->{sharp}->filename);
  $mock->plan({status => 'requires_input', hint => 'cut_off', hint_side => 'front'});
  $browser->click('#use');
  $browser->wait_until_shown('.shots li:first-child.wrong');
  is_deeply [map { $_->[0] } @{$shots->()}], ['wrong', ''],
    'the service says which photo failed';
  like $browser->text('.alert'), qr/Not all of the document is in the picture/, 'and why';
  is $browser->text('h1'), 'Show the whole document', '... in its heading too';
  unlike $browser->text('.alert'), qr/both photos/, 'of one photo';
  $screens->visit($screen{'another try of one side'});
  $browser->send_keys('#file', $screens->{sharp}->filename);
  $mock->plan({status => 'requires_input', hint => 'cut_off'});
  $browser->click('#use');
  $browser->wait_for('both', sub { $browser->text('h1') eq 'Show the whole document' });
  like $browser->text('.alert'), qr/both photos, front and back/, 'both are named';
  $screens->visit($screen{'another try of one side'});
  $browser->click('#all-again');
  $browser->wait_until_shown('[data-screen=choose]');
  $screens->visit($screen{'another try'});
  is_deeply $shots->(), [], 'a page that was loaded again has no photos to keep';
  ok $browser->find('#kind-passport'), 'and asks for the document';
};

# On how many lines each word of the element stands.
my $LINES = <<'JS';
const range = document.createRange(), lines = {};
const texts = document.createTreeWalker(document.querySelector(arguments[0]),
  NodeFilter.SHOW_TEXT);
while (texts.nextNode())
  for (const word of texts.currentNode.data.matchAll(/[^\s-]+/g)) {
    range.setStart(texts.currentNode, word.index);
    range.setEnd(texts.currentNode, word.index + word[0].length);
    lines[word[0]] = new Set([...range.getClientRects()].map((box) =>
      Math.round(box.top))).size;
  }
return lines;
JS
subtest 'words stay whole' => sub {
  for my $width (390, 195) {
    $browser->size($width, 422);
    $screens->visit($screen{'e-mail address'});
    is_deeply $browser->run($LINES, '#brand'), {SPECIMEN => 1, Shop => 1},
      "those of a name, $width pixels";
    is $browser->run($LINES, 'h1')->{"e\x{2011}mail"}, 1, 'and of the heading';
    is $browser->run('return document.documentElement.scrollWidth'), $width,
      'within the page';
  }
  $browser->size(390, 844);
};

subtest 'nothing is shown of a link that is no longer valid' => sub {
  $screens->visit($screen{'link that is too old'});
  like $browser->text('h1'), qr/has expired/, 'it says why';
  ok !$browser->find("$_"), "without $_" for '#copy-link', '.qr', '#pairing';
  ok $browser->find('#new-link'), 'but another one can be had';
  $screens->visit($screen{'link for a phone'});
  $mock->change(handoff => undef);
  $browser->wait_until_shown('[data-screen=handoffVoid]');
  like $browser->text('h1'), qr/A different number/, 'nor when it was declined';
};

subtest 'each method has its own words' => sub {
  my %words = ('choice of the document' => ['Document', qr/dark, plain/],
    'declaration' => ['Declaration', qr/whole sentence/],
    'e-mail address' => ['E-mail', qr/spam folder/],
    'wallet' => ['Wallet', qr/app on your phone/],
    'chip' => ['Chip', qr/NFC/], 'selfie' => ['Selfie', qr/sunglasses/]);
  for my $name (sort keys %words) {
    my ($step, $help) = @{$words{$name}};
    $screens->visit($screen{$name});
    is $browser->text($STEPS[1]), $step, "$name: the step";
    $browser->click('#help');
    like $browser->text('dialog.help'), $help, 'and the help';
  }
  $screens->visit($screen{'choice of the method'});
  is $browser->text($STEPS[1]), 'Proof', 'which one is not known yet';
  my %doing = (document_capture => qr/your document/, mdl => qr/your wallet/,
    selfie_liveness => qr/your pictures/, self_attestation => qr/declaration/);
  for my $method (sort keys %doing) {
    $screens->visit({%{$screen{processing}}, fields => {status => 'processing',
      current_method => $method, methods => [$method]}});
    like $browser->text('h1'), $doing{$method}, "$method: what is being done";
  }
};

subtest 'names keep to their line' => sub {
  $screens->visit({%{$screen{consent}}, fields => {organization_name =>
    'SPECIMEN Shop of the United Wine and Cheese Merchants Ltd'}}, lang => 'de');
  my $top = $browser->run('return ["help", "language", "brand"].map((id) => {'
    . ' const box = document.getElementById(id).getBoundingClientRect();'
    . ' return [box.top, box.bottom, box.right] })');
  my ($help, $language, $name) = @$top;
  cmp_ok $help->[0], '<', $name->[1], 'help stands beside a long name';
  cmp_ok $language->[2], '<=', 390, 'in the window';
  my @broken = grep { $browser->run('const range = document.createRange();'
    . 'range.selectNodeContents(document.querySelector(arguments[0]));'
    . 'return range.getClientRects().length', $_) > 1 } @STEPS;
  is_deeply \@broken, [], 'no name of a step is broken';
};

# Goes through all languages on the screen that is shown: what is wider than its
# place, which names of steps are broken, and what reads in which direction.
my $EVERY_LANGUAGE = <<'JS';
  const done = arguments[arguments.length - 1];
  const select = document.getElementById('language');
  // No frame is drawn for who waits for one while nothing has to be drawn.
  const next = () => new Promise((resolve) => setTimeout(resolve, 10));
  (async () => {
    const found = [];
    const languages = [...select.options].map((option) => option.value);
    for (const language of languages) {
      select.value = language;
      select.dispatchEvent(new Event('change'));
      while (document.documentElement.lang !== language) await next();
      for (const e of document.querySelectorAll('body *'))
        if (e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 1
            && getComputedStyle(e).overflow === 'visible'
            && getComputedStyle(e).display !== 'inline')
          found.push(`${language}: ${e.tagName}.${e.className} is too wide`);
      if (document.documentElement.scrollWidth > window.innerWidth)
        found.push(`${language}: the page is too wide`);
      for (const e of document.querySelectorAll('.steps li')) {
        const range = document.createRange();
        range.selectNodeContents(e.children[1]);
        if (range.getClientRects().length > 1)
          found.push(`${language}: "${e.children[1].textContent}" is broken`);
      }
      const { direction } = getComputedStyle(document.body);
      if (direction !== (language === 'ar' ? 'rtl' : 'ltr'))
        found.push(`${language}: ${direction}`);
    }
    done({ found, languages: languages.length });
  })();
JS

subtest 'every language has room on a phone' => sub {
  for my $name ('consent in full', 'choice of the method', 'another try',
    'link for a phone', 'e-mail code', 'chip', 'selfie', 'selfie camera',
    'failed', 'grant') {
    $screens->visit($screen{$name});
    my $seen = $browser->run_async($EVERY_LANGUAGE);
    is_deeply $seen->{found}, [], $name;
    is $seen->{languages}, 11, 'in all languages';
  }
  # The ways of workflows with several steps, in the narrowest windows.
  my @parts = map { {methods => [$_], done => JSON::PP::false} }
    qw(email_otp document_capture selfie_liveness selfie_match);
  for my $steps ([@parts[1 .. 3]], \@parts) {
    $screens->visit({%{$screen{selfie}}, fields => {%{$screen{selfie}{fields}},
      steps => $steps}});
    for my $width (390, 350, 320) {
      $browser->size($width, 844);
      is_deeply $browser->run_async($EVERY_LANGUAGE)->{found}, [],
        @$steps . " steps in $width pixels";
    }
    $browser->size(390, 844);
  }
};

subtest 'a consent says who, and for how long' => sub {
  $screens->visit($screen{'consent in full'});
  my $facts = $browser->text('.facts');
  like $facts, qr/SPECIMEN Shop Ltd, 1 Example Street/, 'the controller';
  like $facts, qr/SPECIMEN Verification Ltd\W* runs this page at localhost/,
    'the operator';
  like $facts, qr/kept for: 30 days.*kept for: 365 days/s,
    'what remains, and the result';
  like $facts, qr/assessment is kept for: 90 days/, 'and the risk';
  like $facts, qr/Privacy information/, 'with the links';
  $screens->visit({%{$screen{'consent in full'}}, fields => {type => 'age'}});
  $facts = $browser->text('.facts');
  unlike $facts, qr/kept for: \d/, 'no time is made up';
  like $facts, qr/runs at localhost:\d+ on behalf/, 'nor a name';
};

is_deeply [grep { !/Failed to load resource/ } map { $_->{message} }
  $browser->console], [], 'the console is quiet';

done_testing;
