#!/usr/bin/perl
# The workbench of a review: everything for a decision on one screen, pictures that are
# moved by mouse, touch and keyboard, what is overruled, notes, assignments and the queue.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use Browser::Axe;
use Browser::Dashboard;
use JSON::PP ();
use Picture;
use Verify::Dashboard;
use Verify::Passport;
use Verify::Specimen;
use Verify::Test;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

my $service = Verify::Instance->start(start => 0, conf => "VerifyRateLimit secret 1000000\n");
my $organization = $service->organization(sandbox => 1, workflow => {name => 'Wine shop',
  required_age_tier => 'min_age_21', start => 'id', nodes => {
    id => {type => 'methods', methods => ['document_capture'], max_attempts => 1,
      next => {passed => 'hold', exhausted => 'hold'}},
    hold => {type => 'review', next => {approved => 'granted', rejected => 'denied'}},
    granted => {type => 'outcome', status => 'verified'},
    denied => {type => 'outcome', status => 'failed'}}});
my $id = $organization->{id};
my $dashboard = Verify::Dashboard->prepare($service, anna => "reviewer $id",
  bert => "reviewer $id", olga => "auditor $id");
$service->start_httpd;
my %client = map { $_ => $dashboard->client($_) } qw(anna bert olga);
my $own = "/dashboard/v1/organizations/$id";
my $expired = Verify::Specimen::photograph('--born', '1980-02-03', '--expires',
  (localtime)[5] + 1898);

sub held {
  my ($reference, $photograph) = @_;
  my $session = answer_is $organization->{client}->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US-CA',
    client_reference_id => $reference}), 201, $reference;
  is show_specimen($service, $session, photograph => $photograph // $expired)->{status},
    'under_review', 'is held';
  return $session->{id};
}
my $long = 'a-customer-reference-that-is-longer-than-a-column-of-the-queue';
my ($first, $second, $third) = map { held($_) } 'order-1', 'order-2', $long;

my ($enter, $escape) = ("\x{e007}", "\x{e00c}");
my $browser = Browser->start(width => 1280, height => 800);
at_dashboard($browser, $service, $dashboard, $id);
sub look {
  $browser->wait_until_shown('[name=look] option[value=review]');
  $browser->click('[name=look] option[value=review]');
  $browser->click('.look button');
  $browser->wait_for('the picture', sub { $browser->run(
    'const i = document.querySelector(".picture img"); return !!i && i.naturalWidth > 0') });
}
sub style { $browser->run('return document.querySelector(".picture img").style.transform') }
# Which words of the picture of other cases are wider than their boxes, or whether it
# touches the edge of its card.
sub fits {
  return $browser->run('const at = (one) => one.getBoundingClientRect();'
    . 'const svg = document.querySelector("svg.ties"); const card = svg.closest(".card");'
    . 'return [...(at(svg).left < at(card).left + 8 || at(svg).right > at(card).right - 8'
    . '? ["card"] : []), ...[...svg.querySelectorAll("g")].filter((one) =>'
    . 'at(one.querySelector("text")).width > at(one.querySelector("rect")).width - 4)'
    . '.map((one) => one.textContent)].join()');
}
sub focused { $browser->run('return document.activeElement.textContent.trim()') }

# Goes to the panel with this name by arrow keys, from the first.
sub panel {
  my ($name) = @_;
  $browser->run('document.querySelector("[role=tab]").focus()');
  for (1 .. 5) {
    last if focused() =~ /\A$name/;
    $browser->press("\x{e014}");
  }
  $browser->wait_for($name, sub { $browser->run(
    'return document.activeElement.getAttribute("aria-selected")') eq 'true' });
}

log_in('anna');
subtest 'one screen holds what is decided, the evidence and the findings' => sub {
  answer_is $client{anna}->post("$own/reviews/$first/claim", {}), 200, 'claimed';
  go_to(page => 'review', id => $first);
  $browser->wait_for('the fields', sub { $browser->find('.read') });
  like $browser->text('.read'), qr/Surname\s+\x{2022}{4}.*Expires\s+\x{2022}{4}/s,
    'fields are named beside the masked pictures';
  ok $browser->run('const [a, b] = [".picture", ".read"].map((one) =>'
    . 'document.querySelector(one).getBoundingClientRect()); return a.right <= b.left'
    . '&& b.top < a.bottom'), '... next to them';
  look();
  for ([1280, 800], [1920, 1080]) {
    $browser->size(@$_);
    is $browser->run('return document.documentElement.scrollHeight - innerHeight'), 0,
      "nothing scrolls at $_->[0] pixels";
    is $browser->run('return [".stakes", ".picture", ".read", ".read > dl > :last-child",'
      . '".checks .failed", "[role=tablist]", ".head .primary"].filter((one) => {'
      . 'const at = document.querySelector(one).getBoundingClientRect();'
      . 'return at.top < 0 || at.bottom > innerHeight || at.right > innerWidth }).join()'), '',
      '... and each part is seen';
    my ($width, $share) = @{$browser->run('const at = (one) => document.querySelector(one)'
      . '.getBoundingClientRect(); const of = ({ width, height }) => width * height;'
      . 'return [at(".picture").width, of(at(".picture")) / of(at(".pane"))]')};
    cmp_ok $width, '>=', 600, '... the picture large';
    cmp_ok $share, '>', 1, '... and larger than what is beside it';
    for my $theme (qw(light dark)) {
      $browser->media('prefers-color-scheme' => $theme);
      axe_ok($browser, "the workbench at $_->[0] pixels, $theme");
    }
  }
  $browser->size(390, 844);
  is $browser->run('return document.documentElement.scrollWidth'), 390, 'a phone scrolls one way';
  axe_ok($browser, 'the workbench of a phone');
  ok $browser->run('const at = (one) => document.querySelector(one).getBoundingClientRect();'
    . 'const [bar, picture, stakes] = [".decide", ".picture", ".stakes"].map(at);'
    . 'return bar.bottom === innerHeight && picture.bottom <= bar.top && picture.top < stakes.top'),
    '... has the evidence first, and the decision at its lower edge';
  is $browser->run('return [...document.querySelectorAll("kbd, .for-keys")].filter((one) =>'
    . 'one.getClientRects().length).length'), 0, '... and no keys';
  ok $browser->run('scrollTo(0, document.documentElement.scrollHeight);'
    . 'const last = document.querySelector(".panels").getBoundingClientRect().bottom;'
    . 'return last <= document.querySelector(".decide").getBoundingClientRect().top'),
    '... which hides nothing at the end';
  $browser->run('scrollTo(0, 0)');
  $browser->size(1280, 800);
  like $browser->text('.stakes'), qr/Required age\s+21.*Age as read\s+\d\d, old enough by the document.*Evidence\s+Read.*Risk\s+Not assessed/s,
    'what is decided';
  like $browser->text('.stakes'), qr/Failed checks\s+1: The last day of validity has passed\./,
    '... and the failed checks';
  is $browser->text('[role=tablist]') =~ s/\s+/ /gr, 'Checks 1 Notes Related 2 History 1',
    '... and how many notes and other cases there are';
  like $browser->text('.head'), qr/Due in 3 days/, 'when it is due';
};

subtest 'an approval without a look is warned of' => sub {
  my $choose = sub { $browser->run('const s = document.querySelector("[name=look]");'
    . 's.value = arguments[0]; s.dispatchEvent(new Event("change", { bubbles: true }));'
    . 's.blur()', $_[0]) };
  $choose->('');
  $browser->wait_for('masked', sub { !$browser->find('.picture img') });
  $browser->press('a');
  $browser->wait_until_shown('dialog[open] .note');
  like $browser->text('dialog .note'), qr/The evidence is still hidden/, 'in words';
  like $browser->text('.stakes'), qr/Age as read\s+old enough/, 'the age is as hidden as the fields';
  like $browser->text('dialog .restated'), qr/Date of birth\s+hidden; choose a reason/, 'nor is the date of birth told';
  $browser->press($escape);
  $browser->wait_for('no dialog', sub { !$browser->find('dialog[open]') });
  look();
};

subtest 'what was read stands beside the pictures' => sub {
  $browser->wait_for('the fields', sub { $browser->find('.read button') });
  like $browser->text('.read'), qr{Front, PDF417\s+Kind.*Date of birth\s+1980-02-03\s+Expires}s, 'and where';
  ok !$browser->find('.mark'), 'no place is marked';
  my $whole = style();
  $browser->run('[...document.querySelectorAll(".read button.as-link")].pop().focus()');
  $browser->wait_for('its place', sub { $browser->find('#picture-front .mark polygon') });
  ok $browser->find('.mark path'), 'the rest is darkened';
  $browser->run('document.activeElement.blur()');
  $browser->wait_for('no place', sub { !$browser->find('.mark') });
  $browser->run('[...document.querySelectorAll(".read button.as-link")].pop().click()');
  $browser->wait_for('the way to it', sub { $browser->find('.mark') && style() ne $whole
    && $browser->run('return !!document.activeElement.closest("figure")') });
  ok !$browser->find('.mark path'), '... without shade';
  is $browser->run('return document.activeElement.closest("figure").id'), 'picture-front',
    '... to which it leads';
  my $near = style();
  $browser->run('document.querySelector(".read button").focus()');
  $browser->wait_for('all of it, whatever was near', sub { style() eq $whole });
  $browser->run('document.querySelector(".movable").focus()');
  $browser->wait_for('as near as before', sub { style() eq $near });
  $browser->press('0');
  $browser->wait_for('the whole picture', sub { style() eq $whole });
  axe_ok($browser, 'with the fields');
};

subtest 'a reason is chosen without a look for each that is passed' => sub {
  my $looks = sub { $service->sql_value("SELECT count(*) FROM operator_action
    WHERE entry LIKE '%sessions/:id/%'") };
  my $before = $looks->();
  $browser->click('[name=look] option[value=""]');
  $browser->wait_for('masked', sub { !$browser->find('.picture img') });
  $browser->run('document.activeElement.blur()');
  $browser->press('v');
  is $browser->run('return document.activeElement.name'), 'look', 'a key leads to it';
  $browser->press("\x{e015}") for 1, 2;
  is $browser->run('return document.activeElement.value'), 'complaint', 'arrows choose';
  $browser->press("\x{e013}");
  ok !$browser->find('.picture img'), '... and show nothing';
  $browser->press($enter);
  $browser->wait_for('the picture', sub { $browser->find('.picture img') });
  $browser->wait_for('the fields', sub { $browser->find('.read button') });
  is $looks->() - $before, 2, 'one record of the picture, one of the fields';
  ok !$browser->find('.look button'), 'nothing more is to be shown';
  $browser->press('+', '+');
  $browser->wait_for('larger', sub { style() =~ /scale\(1\.5625\)/ });
  $browser->press("\x{e014}");
  $browser->wait_for('arrows move it, wherever the focus is', sub { style() =~ /translate\(-48px/ });
  $browser->press('0');
};

subtest 'findings are sentences' => sub {
  my $text = $browser->text('.checks');
  like $text, qr/\AFailed\s+The last day of validity has passed\.\s+expired/, 'what failed, and its code';
  my $day = (localtime)[5] + 1898;
  like $text, qr/Expires: \Q$day\E-\d\d-\d\d/, 'the date that it is about';
  my $choose = sub { $browser->run('const s = document.querySelector("[name=look]");'
    . 's.value = arguments[0]; s.dispatchEvent(new Event("change", { bubbles: true }))', $_[0]) };
  $choose->('');
  $browser->wait_for('masked', sub { $browser->text('.checks') =~ /Expires: \x{2022}{4}/ });
  unlike $browser->text('main'), qr/1980-02-03|\Q$day\E-\d\d/,
    'nothing is shown without a reason for viewing';
  look();
  $browser->wait_for('the date again', sub { $browser->text('.checks') =~ /Expires: \d/ });
  unlike $text, qr/valid today/, 'and nothing that says the opposite';
  like $browser->text('main'), qr/\d+ checks passed\s+\d+ notes? without consequence/,
    'the others are folded, notes are no doubts';
  ok !$browser->find('.checks .doubt'), 'no doubt is left open';
  $browser->click('.found-by details summary');
  $browser->wait_for('groups', sub { $browser->text('.found-by') =~ /Dates and age \(\d+\)/ });
  is_deeply $browser->run('return [...document.querySelectorAll(".checks span")].filter((one) =>'
    . '!one.closest(".print, .badge, .verdict") && /[a-z]_[a-z]/.test(one.textContent)'
    . ').map((one) => one.textContent)'), [], 'no sentence names a code';
};

subtest 'a picture is moved by keys, wheel and fingers' => sub {
  my $still = style();
  $browser->run('document.querySelector(".movable").focus()');
  $browser->press('+', '+');
  $browser->wait_for('larger', sub { style() =~ /scale\(1\.5625\)/ });
  $browser->press("\x{e014}");
  $browser->wait_for('moved', sub { style() =~ /translate\(-48px/ });
  $browser->press('t');
  $browser->wait_for('turned', sub { style() =~ /rotate\(90deg\)/ });
  $browser->press('0');
  $browser->wait_for('whole again', sub { style() eq $still });
  $browser->run('document.querySelector(".movable").dispatchEvent(new WheelEvent("wheel",'
    . '{ deltaY: -100, clientX: 400, clientY: 500, cancelable: true }))');
  $browser->wait_for('larger by the wheel', sub { style() =~ /scale\(1\.25\)/ });
  $browser->run(<<'JS');
const at = document.querySelector('.movable');
const touch = (type, pointerId, clientX) => (type === 'pointerdown' ? at : window).dispatchEvent(
  new PointerEvent(type, { pointerId, clientX, clientY: 500, bubbles: true }));
touch('pointerdown', 1, 400);
touch('pointerdown', 2, 450);
touch('pointermove', 2, 500);
touch('pointerup', 1, 400);
touch('pointerup', 2, 500);
JS
  $browser->wait_for('larger by two fingers', sub { style() =~ /scale\(2\.5\)/ });
  $browser->run('document.querySelector(".movable").focus()');
  $browser->press('f');
  $browser->wait_until_shown('dialog .movable img');
  axe_ok($browser, 'a large picture');
  $browser->press($escape);
  $browser->wait_for('no dialog', sub { !$browser->find('dialog[open]') });
  $browser->run('document.activeElement.blur()');
  $browser->press('0');
  $browser->wait_for('whole, wherever the focus is', sub { style() eq $still });
  $browser->press('+');
  $browser->wait_for('larger', sub { style() =~ /scale\(1\.25\)/ });
  $browser->press('t');
  $browser->wait_for('turned', sub { style() =~ /rotate\(90deg\)/ });
  $browser->press('t', 't', 't', '-');
  $browser->wait_for('as before', sub { style() =~ /scale\(1\) rotate\(360deg|rotate\(0deg/ });
  $browser->press('f');
  $browser->wait_until_shown('dialog .movable img');
  $browser->press('+');
  $browser->wait_for('the large one is larger', sub { $browser->run('return document'
    . '.querySelector("dialog .movable img").style.transform') =~ /scale\(1\.25\)/ });
  ok style() !~ /scale\(1\.25\)/, '... and that behind it is not';
  $browser->press($escape);
  $browser->wait_for('no dialog', sub { !$browser->find('dialog[open]') });
  $browser->run('dispatchEvent(new KeyboardEvent("keydown", { key: "+", ctrlKey: true }))');
  $browser->run('document.querySelector("[name=look]").focus()');
  $browser->press('+', 't');
  ok style() !~ /scale\(1\.25\)|rotate\(90deg/, 'keys of fields and of the browser are theirs';
  $browser->run('document.activeElement.blur()');
};

subtest 'an approval says what it overrules' => sub {
  $browser->wait_for('no dialog', sub { !$browser->find('dialog[open]') });
  $browser->run('document.activeElement.blur()');
  $browser->press('a');
  $browser->wait_until_shown('dialog[open]');
  is $browser->run('return document.activeElement.type'), 'checkbox',
    'the focus is on what speaks against it';
  ok !$browser->find('dialog .note'), 'who has looked is not warned';
  axe_ok($browser, 'an approval');
  my $told = $browser->text('dialog .restated');
  like $told, qr/Required age\s+21\s+Age as read\s+old enough by the document/, 'which age is required, and was read';
  like $told, qr/Date of birth\s+1980-02-03 \(\d\d years old\)\s+Front, PDF417/, '... from which date of birth, and where';
  like $told, qr/Evidence\s+Read\s+Risk\s+Not assessed/, 'what it is worth, and the risk';
  like $told, qr/Failed checks\s+1\b/, 'failed checks are counted above, and named once';
  like $browser->text('dialog .overruled'), qr/last day of validity.*expired/s, 'in words, with its code';
  $browser->click('dialog option[value=person_known]');
  $browser->click('dialog .primary');
  ok $browser->find('dialog[open]'), 'nothing is approved before it is ticked';
  $browser->click('dialog [name=expiry]');
  $browser->click('dialog .primary');
  $browser->wait_for('approved', sub { $browser->text('.head .title') =~ /Verified/ });
  like $browser->text('.steps'), qr/Overruled:.*The last day of validity has passed\.\s+expired/s,
    'it stands in the history, in words';
  my ($entry) = grep { $_->{action} eq 'approved' }
    @{answer_is($client{olga}->get("$own/reviews/$first"), 200)->{entries}};
  is_deeply $entry->{overruled_checks}, ['expiry'], 'as it was sent';
};

subtest 'the next case in one key' => sub {
  $browser->wait_for('the focus on the way on', sub { focused() =~ /Back to reviews/ });
  $browser->press('n');
  $browser->wait_for('the next', sub { $browser->text('main h1') eq 'order-2' });
  $browser->wait_for('claimed', sub { $browser->find('.head .actions .danger') });
  isnt focused(), 'Approve', 'an approval never has the focus';
  $browser->run('document.activeElement.blur()');
  $browser->press('c');
  $browser->wait_for('given back', sub { $browser->text('.head .actions') =~ /Claim/ });
  $browser->press('c');
  $browser->wait_for('claimed again', sub { $browser->text('.head .actions') =~ /Release/ });
};

subtest 'notes and assignments' => sub {
  $browser->run('document.activeElement.blur()');
  $browser->press('m');
  $browser->wait_for('the note', sub { $browser->run('return document.activeElement.name') eq 'note' });
  $browser->send_keys('[name=note]', 'I called the shop.');
  $browser->run('document.querySelector("[name=note]").form.requestSubmit()');
  $browser->wait_for('noted', sub { $browser->find('.notes')
    && $browser->text('.notes') =~ /I called the shop\.\s+anna/ });
  is $browser->run('return document.querySelector("[name=note]").value'), '', 'and the field is empty';
  $browser->run('document.activeElement.blur()');
  $browser->press('g');
  $browser->wait_until_shown('dialog [name=assignee]');
  axe_ok($browser, 'an assignment');
  $browser->send_keys('dialog [name=assignee]', 'bert');
  $browser->click('dialog .primary');
  $browser->wait_for('assigned', sub { $browser->text('.head') =~ /For bert/ });
  like $browser->text('.head .actions'), qr/Claim/, 'and given back';
  panel('Related');
  is $browser->run('return document.activeElement.textContent.trim()') =~ s/\s+/ /gr, 'Related 2',
    'other cases with the same document, by the keys of tabs';
  ok $browser->find('svg.ties'), '... as a picture';
  is_deeply $browser->run('return [...document.querySelectorAll("svg.ties text")].map((e) => e.textContent)'),
    ['This', 'Document', "a-customer-\x{2026}", 'order-1'],
    '... of this case, what is shared, and the others';
  is $browser->run('return document.querySelectorAll("svg.ties path").length'), 3, '... joined by lines';
  is fits(), '', '... which fits its card, as words fit their boxes';
};

subtest 'the queue' => sub {
  go_to(page => 'reviews');
  $browser->wait_for('numbers', sub { $browser->find('.sla') });
  like $browser->text('.sla'), qr/0\s*due within 4 h.*2\s*due within 72 h.*2\s*All/s, 'by deadline';
  is $browser->run('return [...document.querySelectorAll("main td *")].filter((one) =>'
    . 'one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflow !== "visible").length'),
    0, 'nothing is cut off';
  like $browser->text('tbody'), qr/$long/, 'not even a long reference';
  for ([390, 844], [1280, 800], [1920, 1080]) {
    $browser->size(@$_);
    is $browser->run('return document.querySelector(".table").scrollWidth'
      . ' - document.querySelector(".table").clientWidth'), 0, "and all columns fit $_->[0] pixels";
    like $browser->text('tbody'), qr/For bert/, 'who has each is told';
    cmp_ok $browser->run('return document.querySelector("tbody").getBoundingClientRect().top'),
      '<', $_->[1] / 2 + 40, '... in the upper half';
    axe_ok($browser, "the queue at $_->[0] pixels");
  }
  $browser->size(1280, 800);
  is $browser->run('const words = document.createRange();'
    . 'words.selectNodeContents([...document.querySelectorAll("tbody td")].find((one) =>'
    . 'one.textContent === "Wine shop")); return words.getClientRects().length'), 1,
    'the name of a workflow is in one line';
  $browser->click('.sla a:first-child');
  $browser->wait_for('nothing that soon', sub { $browser->text('main') =~ /No open reviews/ });
  log_in('bert');
  go_to(page => 'reviews', mine => 'bert');
  $browser->wait_for('his', sub { $browser->find('tbody tr') });
  is $browser->run('return document.querySelectorAll("tbody tr").length'), 1, 'of one reviewer';
  like $browser->text('tbody'), qr/order-2.*For you/s, '... what is assigned to him';
  $browser->press('?');
  $browser->wait_until_shown('dialog .shortcuts');
  like $browser->text('dialog'), qr/Take the next review/, 'the keys are told';
  $browser->press($escape);
  log_in('anna');
  go_to(page => 'reviews');
  $browser->press('n');
  $browser->wait_for('the one that is nobody\'s', sub { $browser->text('main h1') eq $long });
};

subtest 'what decides most comes first, and no approval hides it' => sub {
  my $year = (localtime)[5] + 1900;
  my $young = held('young', Verify::Specimen::photograph('--born', $year - 16 . '-02-03',
    '--expires', $year - 2));
  answer_is $client{anna}->post("$own/reviews/$young/claim", {}), 200, 'claimed';
  go_to(page => 'review', id => $young);
  $browser->wait_for('alternatives', sub { $browser->text('.checks') =~ /too young for the document, or/ });
  look();
  $browser->wait_for('the one that holds, with values', sub { $browser->text('.checks') =~
    /Issue date is impossible: \d{4}-\d\d-\d\d is before the holder.s 14th birthday\./ });
  $browser->wait_for('the values', sub { $browser->text('.checks') =~ /Expires: \d{4}-/ });
  is_deeply $browser->run('return [...document.querySelectorAll(".checks .failed code, .checks .failed .code")]'
    . '.map((one) => one.textContent)'), [qw(under_age expired date_of_issue_implausible)],
    'three failed checks, the age first';
  cmp_ok $browser->run('return Math.max(...[...document.querySelectorAll(".checks .failed")]'
    . '.map((one) => one.getBoundingClientRect().bottom))'), '<=', $browser->run(
    'return document.querySelector(".panel").getBoundingClientRect().bottom'),
    '... which are all seen at 1280 x 800 pixels';
  cmp_ok $browser->run('return document.querySelector(".stakes").offsetHeight'), '<', 80,
    '... below a bar of two lines';
  is $browser->run('const one = document.querySelector(".worst");'
    . 'return one.scrollWidth - one.clientWidth'), 0, '... which cuts nothing';
  like $browser->text('.stakes'), qr/too young; an approval will fail\s.*Failed checks\s+3: Under age by/s,
    '... which names that one';
  ok !$browser->find('.head .primary'), 'an approval that will fail is not the usual way';
  $browser->run('document.activeElement.blur()');
  $browser->press('e');
  $browser->wait_until_shown('dialog[open]');
  is $browser->run('return new Set([...document.querySelectorAll("dialog .failed li")].map((one) =>'
    . 'one.getBoundingClientRect().top)).size'), 3, 'another decision lists them';
  like $browser->text('dialog .failed'), qr/Issue date is impossible: .*14th birthday/,
    '... with the alternative that holds';
  $browser->press($escape);
  $browser->wait_for('no dialog', sub { !$browser->find('dialog[open]') });
  answer_is $client{anna}->post("$own/reviews/$young/decide", {decision => 'approve', reason_code =>
    'person_known', overruled_checks => [qw(age expiry date_of_issue)]}), 200, 'approved';
  go_to(page => 'review', id => $young);
  $browser->wait_for('why it failed', sub { $browser->find('.note.bad') && $browser->text('.note.bad')
    =~ /the person is younger than the session requires/ });
  unlike $browser->text('main'), qr/will fail/, '... which it does no more';
};

subtest 'several pictures' => sub {
  my $session = answer_is $organization->{client}->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US-CA'}), 201, 'of two sides';
  is Verify::Specimen::show_pictures($service, $session, Picture::png('sharp', 700, 450),
    $expired)->{status}, 'under_review', 'is held';
  answer_is $client{anna}->post("$own/reviews/$session->{id}/claim", {}), 200, 'claimed';
  go_to(page => 'review', id => $session->{id});
  look();
  my $seen = sub { join ' ', @{$browser->run('return [...document.querySelectorAll(".evidence")]'
    . '.filter((one) => one.getClientRects().length).map((one) => one.id)')} };
  is $seen->(), 'picture-front', 'one is large';
  $browser->wait_for('all in the strip', sub { $browser->run(
    'return document.querySelectorAll(".strip img").length') == 2 });
  $browser->run('document.activeElement.blur()');
  $browser->press('2');
  $browser->wait_for('the other', sub { $seen->() eq 'picture-back' });
  $browser->press('1');
  $browser->wait_for('the first', sub { $seen->() eq 'picture-front' });
  $browser->wait_for('the fields', sub { $browser->find('.read button') });
  $browser->run('document.querySelector(".read button").focus()');
  $browser->wait_for('that with the place', sub { $seen->() eq 'picture-back'
    && $browser->find('#picture-back .mark') });
  $browser->run('document.activeElement.blur()');
  $browser->wait_for('the first again', sub { $seen->() eq 'picture-front' });
  $browser->run('document.querySelector(".read button").click()');
  $browser->wait_for('where the value leads', sub { $seen->() eq 'picture-back'
    && $browser->run('return document.activeElement.closest("figure")?.id') eq 'picture-back' });
  $browser->run('document.activeElement.blur()');
  $browser->press('b');
  $browser->wait_for('both', sub { $seen->() eq 'picture-front picture-back' });
  ok $browser->run('const [a, b] = [...document.querySelectorAll(".picture")].map((one) =>'
    . 'one.getBoundingClientRect()); return a.right <= b.left && a.top === b.top'), 'side by side';
  is $browser->run('return document.documentElement.scrollHeight - innerHeight'), 0, 'without scrolling';
  axe_ok($browser, 'several pictures');
  my @of = ($id, $session->{id});
  $service->sql(q{UPDATE decision_record SET verdict = 'passed', record = replace(record::text,
    '"failed"', '"passed"')::json WHERE organization_id = ? AND session_id = ?}, @of);
  my @later = ([2, selfie_liveness => passed => {check => 'liveness', result => 'passed'}],
    [3, selfie_match => failed => {check => 'face_match', result => 'failed', reason => 'face_mismatch'}]);
  $service->sql(q{INSERT INTO decision_record (organization_id, session_id, submission, method,
    verdict, record, decided_at) VALUES (?, ?, ?, ?, ?, ?, extract(epoch FROM now()))}, @of,
    @$_[0 .. 2], JSON::PP::encode_json({checks => [$_->[3]]})) for @later;
  go_to(page => 'review', id => $session->{id});
  $browser->wait_for('all methods', sub { $browser->run(
    'return document.querySelectorAll(".found-by").length') == 3 });
  is $browser->run('return [...document.querySelectorAll(".found-by h3")].map((one) =>'
    . 'one.textContent.trim()).join()'), 'Selfie match,Document,Liveness',
    'of several methods, the one with a failed check is the first';
  ok $browser->run('return document.querySelector(".checks .failed").getBoundingClientRect()'
    . '.bottom < innerHeight'), '... and seen without scrolling';
  like $browser->text('.desk'), qr/The selfie was deleted after the comparison\./,
    'why there is no selfie';
  $service->sql(q{UPDATE verification_session SET runner = (runner::jsonb
    || '{"review_reason": "undetermined"}')::json WHERE organization_id = ? AND id = ?}, @of);
  $service->sql(q{UPDATE decision_record SET record = ? WHERE organization_id = ? AND
    session_id = ? AND submission = 3}, JSON::PP::encode_json({checks => [{check => 'printed_front',
    result => 'undetermined', reason => 'printed_holder_differs'}]}), @of);
  $service->sql(q{INSERT INTO evidence (organization_id, session_id, side, media_type, sealed,
    created_at) SELECT organization_id, session_id, 'still', media_type, sealed, created_at
    FROM evidence WHERE organization_id = ? AND session_id = ? AND side = 'front'}, @of);
  go_to(page => 'review', id => $session->{id});
  $browser->wait_for('a doubt', sub { $browser->find('.checks .doubt') });
  like $browser->text('.panel'), qr/Reason for the hold: Undetermined \(Print, pictures and faces\)/,
    'what is undetermined is said';
  is $seen->(), 'picture-front picture-still', 'a selfie is next to the portrait at once';
  answer_is $organization->{client}->post("/v1/verification_sessions/$session->{id}/cancel", {}),
    200, 'and over';
};

# Of a chip there is no picture, but what it says, behind a reason, too.
subtest 'a chip' => sub {
  my $passports = Verify::Passport->new;
  $passports->trust($service, '--org', $id);
  my $workflow = $service->publish($id, {name => 'Chip', required_age_tier => 'min_age_21',
    start => 'id', nodes => {id => {type => 'methods', methods => ['nfc_passport'],
      max_attempts => 1, accept_unknown_revocation => \1,
      next => {passed => 'hold', exhausted => 'hold'}},
    hold => {type => 'review', next => {approved => 'granted', rejected => 'denied'}},
    granted => {type => 'outcome', status => 'verified'},
    denied => {type => 'outcome', status => 'failed'}}})->{id};
  my $session = answer_is $organization->{client}->post('/v1/verification_sessions', {
    type => 'age', workflow_id => $workflow, jurisdiction => 'DE'}), 201, 'a session';
  is $passports->show($service, $session, 'good')->{status}, 'under_review', 'held';
  answer_is $client{anna}->post("$own/reviews/$session->{id}/claim", {}), 200, 'claimed';
  go_to(page => 'review', id => $session->{id});
  $browser->wait_until_shown('.read');
  like $browser->text('.read'), qr/\APassport chip\s+Reason for viewing/, 'a reason is asked for first';
  unlike $browser->text('.read'), qr/1964/, '... and nothing told';
  unlike $browser->text('.stakes'), qr/Doubts/, 'a sound chip leaves no doubt';
  $browser->wait_for('the checks', sub { $browser->find('.found-by details.more') });
  is $browser->run('document.querySelectorAll(".found-by details").forEach((one) => { one.open = true });'
    . 'return document.documentElement.scrollHeight - innerHeight'), 0, 'what is unfolded scrolls in its place';
  $browser->press('v');
  $browser->press("\x{e015}", "\x{e007}");
  $browser->wait_for('what it says', sub { $browser->text('.read') =~
    /\APassport chip.*Issuer\s+Germany.*Date of birth\s+1964-08-12\s+Expires\s+\d{4}-/s });
  axe_ok($browser, 'a chip');
  $browser->press('a');
  $browser->wait_until_shown('dialog[open]');
  like $browser->text('dialog .restated'), qr/1964-08-12 \(\d\d years old\)\s+Passport chip/,
    'an approval restates it';
  my $claim = sub { $service->sql('UPDATE review_claim SET reviewer = ?, expires_at = ?
    WHERE session_id = ?', @_, $session->{id}) };
  $claim->('bert', 1000 * (time + 3)); # the page asks again when it ends
  $browser->click('dialog option[value=person_known]');
  $browser->click('dialog .actions .primary');
  $browser->wait_for('who has it now', sub { $browser->find('dialog .note.bad')
    && $browser->text('dialog') =~ /bert is working on it/ });
  $browser->wait_for('nothing to press', sub { $browser->find('dialog .actions .primary:disabled') });
  cmp_ok $browser->run('return document.querySelector("dialog .note.bad").getBoundingClientRect().bottom'),
    '<=', $browser->run('return document.querySelector("dialog").getBoundingClientRect().bottom'),
    'the refusal is in view';
  $browser->wait_for('a way to claim it again', sub { $browser->find('dialog .note.warn button') });
  $browser->click('dialog .note.warn button');
  $browser->wait_for('it is hers', sub { !$browser->find('dialog .note.warn, dialog .actions .primary:disabled') });
  $browser->press($escape);
  $browser->wait_for('no dialog', sub { !$browser->find('dialog[open]') });
};

subtest 'in German' => sub {
  $browser->run('localStorage.setItem("idv-dashboard-language", "de")');
  go_to(page => 'review', id => $third);
  $browser->wait_for('words', sub { $browser->find('.checks')
    && $browser->text('.checks') =~ /Der letzte Tag der G\x{fc}ltigkeit ist vorbei/ });
  is $browser->run('return document.querySelectorAll(".checks [lang=en]").length'), 0,
    'no check is told in English';
  panel('Verwandte');
  is fits(), '', 'and the other cases fit';
  is $browser->run('return new Set([...document.querySelectorAll("[role=tab]")].map((one) =>'
    . 'one.getBoundingClientRect().top)).size'), 1, 'the tabs are in one line at 1280 pixels';
  cmp_ok $browser->run('document.querySelector("h1").textContent = "order-2026-1";'
    . 'return document.querySelector(".head .crumbs").closest("div").offsetHeight'),
    '<', 60, '... and the head has two, with a usual reference';
};

# Here, nobody is told which of them have consequences.
subtest 'the session calls no check a doubt' => sub {
  $browser->size(390, 844);
  go_to(page => 'session', id => $third);
  $browser->wait_for('the results', sub { $browser->find('.checks .open') });
  $browser->wait_for('what failed first, in words', sub { $browser->text('.found-by')
    =~ /\AAusweisfoto\s+Fehlgeschlagen.*?Nicht bestanden\s+Der letzte Tag/s });
  like $browser->text('.found-by > p'), qr/\ADer letzte Tag.*vorbei\.\s+document_expired/,
    '... and the failure of the session, whose code is another one, too';
  like $browser->text('.found-by'), qr/vorbei\.\s+expired\s+Nicht best\x{e4}tigt \(\d\)/,
    '... what is not confirmed is folded';
  my $workflow = $organization->{workflow_id};
  $browser->wait_for('the workflow', sub { $browser->text('main') =~ /Ablauf\s+Wine shop\s+$workflow/ });
  unlike $browser->text('main'), qr/Zweifel/, '... and none is doubtful';
  is $browser->run('const right = (e) => e.getBoundingClientRect().right;
    return [...document.querySelectorAll(".checks *")].filter((e) =>
      right(e) > right(e.closest(".card"))).length'), 0, 'all are within their card';
  $browser->size(1280, 800);
};

subtest 'who only reads' => sub {
  log_in('olga');
  go_to(page => 'review', id => $second);
  ok !$browser->find('.head .actions button, [name=note], [name=look]'), 'does nothing';
};

is_deeply [grep { $_->{level} eq 'SEVERE' } $browser->console], [], 'no page complained';
$browser->stop;
finish($service);
