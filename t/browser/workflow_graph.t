#!/usr/bin/perl
# The graph in which a workflow is edited: steps are chosen, added, connected, moved and
# removed by mouse, by touch and by keyboard.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP qw(encode_json);
use Browser;
use Browser::Axe;
use Browser::Dashboard;
use Verify::Dashboard;
use Verify::Test;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

my $service = Verify::Instance->start(start => 0, conf => "VerifyRateLimit secret 1000000\n");
my $organization = $service->organization(workflow => 1, sandbox => 1);
my $id = $organization->{id};
my $dashboard = Verify::Dashboard->prepare($service, maker => "developer $id",
  looker => "auditor $id");
$service->start_httpd;
my $client = $dashboard->client('maker');
my $api = "/dashboard/v1/organizations/$id";
my $browser = Browser->start(width => 1280, height => 900);
at_dashboard($browser, $service, $dashboard, $id);
my %key = (enter => "\x{e007}", delete => "\x{e017}", up => "\x{e013}", down => "\x{e015}",
  left => "\x{e012}", right => "\x{e014}", tab => "\x{e004}", alt => "\x{e00a}",
  control => "\x{e009}", escape => "\x{e00c}");

my $definition = {nodes => {
  checks => {type => 'checks', checks => ['ip_analysis'],
    next => {low => 'document', medium => 'document', high => 'denied'}},
  document => {type => 'methods', methods => ['document_capture'],
    next => {passed => 'granted', exhausted => 'denied'}},
  granted => {type => 'outcome', status => 'verified'},
  denied => {type => 'outcome', status => 'failed'}}};

sub open_draft {
  my ($settings) = @_; # more of them, with a comma
  # The steps in this order, which a hash would not keep.
  my $nodes = join ',', map { qq("$_":) . encode_json($definition->{nodes}{$_}) }
    qw(checks document granted denied);
  my $draft = answer_is $client->post("$api/workflow_drafts", '{"definition":{"name":"Drawn",'
    . ($settings // '') . qq("start":"checks","nodes":{$nodes}}}), 'Content-Type' => 'application/json'), 201;
  go_to(page => 'draft', id => $draft->{id});
  $browser->wait_for('the graph', sub { $browser->find('svg.edited [aria-pressed]') });
  return $draft;
}
sub step { qq{[data-step="$_[0]"]:not([data-exit])} }
sub exit_of { qq{[data-step="$_[0]"][data-exit="$_[1]"]} }
# The middle of what SELECTOR names, on the screen.
sub place {
  my ($selector) = @_;
  return @{$browser->run('const e = document.querySelector(arguments[0]);'
    . 'e.scrollIntoView({ block: "center", inline: "center" });'
    . 'const b = e.getBoundingClientRect();'
    . 'return [Math.round(b.x + b.width / 2), Math.round(b.y + b.height / 2)]', $selector)};
}
sub point {
  my ($kind, @actions) = @_;
  $browser->command(POST => '/actions', {actions => [{type => 'pointer', id => $kind,
    parameters => {pointerType => $kind}, actions => \@actions}]});
}
sub drag {
  my ($kind, $from, $to) = @_;
  place($to);
  my ($x, $y) = place($from);
  my ($end_x, $end_y) = @{$browser->run('const b = document.querySelector(arguments[0])'
    . '.getBoundingClientRect(); return [Math.round(b.x + b.width / 2),'
    . ' Math.round(b.y + b.height / 2)]', $to)};
  my @way = map { {type => 'pointerMove', duration => 20, origin => 'viewport',
    x => $x + int(($end_x - $x) * $_ / 4), y => $y + int(($end_y - $y) * $_ / 4)} } 0 .. 4;
  point($kind, shift @way, {type => 'pointerDown', button => 0}, @way,
    {type => 'pointerUp', button => 0});
}
sub tap {
  my ($selector) = @_;
  my ($x, $y) = place($selector);
  point(touch => {type => 'pointerMove', duration => 0, origin => 'viewport', x => $x, y => $y},
    {type => 'pointerDown', button => 0}, {type => 'pointerUp', button => 0});
}
sub chord {
  my ($modifier, $name) = @_;
  $browser->command(POST => '/actions', {actions => [{type => 'key', id => 'keyboard',
    actions => [{type => 'keyDown', value => $key{$modifier}}, {type => 'keyDown', value => $name},
      {type => 'keyUp', value => $name}, {type => 'keyUp', value => $key{$modifier}}]}]});
}
# What is edited now, as the draft kept in the browser, or as it was saved.
sub nodes {
  my ($draft) = @_;
  return $browser->run('const kept = JSON.parse(localStorage.getItem('
    . '`idv-dashboard-draft-${arguments[0]}`)); return kept && kept.value.nodes', $draft->{id})
    // $draft->{definition}{nodes};
}
sub order {
  my ($draft) = @_;
  return $browser->run('const kept = JSON.parse(localStorage.getItem('
    . '`idv-dashboard-draft-${arguments[0]}`)); return Object.keys(kept.value.nodes)',
    $draft->{id});
}
sub opened { $browser->run('return document.querySelector(".step header .code")?.textContent') // '' }
sub wait_opened {
  my ($name) = @_;
  $browser->wait_for("$name is open", sub { opened() eq $name });
}
sub focused { $browser->run('const e = document.activeElement;'
  . 'return e.dataset.exit ? `${e.dataset.step} ${e.dataset.exit}`'
  . ' : e.dataset.step ?? e.dataset.pointer ?? e.textContent') }
sub choices { $browser->run('return [...document.querySelector(arguments[0]).options].map('
  . '(one) => one.value)', @_) }
sub wait_said {
  my ($what) = @_;
  $browser->wait_for("$what is said", sub { $browser->text('#announcer') =~ $what });
}

log_in('maker');
subtest 'by mouse' => sub {
  my $draft = open_draft();
  axe_ok($browser, 'the graph');
  my $primary = sub { ask('[...document.querySelectorAll("main .primary")].map((b) =>'
    . ' b.textContent.trim()).join()') };
  my $settings = sub { ask('!!document.querySelector(".beside header button")') };
  is $primary->(), '', 'nothing to save, and no right to publish: no primary button';
  ok !$settings->(), 'no button for the settings next to them';
  $browser->click(step('document'));
  wait_opened('document');
  is focused(), 'document', 'the focus stays in the graph';
  axe_ok($browser, 'a step that is open');
  ok $settings->(), 'next to a step there is one';

  drag(mouse => exit_of(checks => 'medium'), step('denied'));
  $browser->wait_for('it leads there', sub {
    nodes($draft)->{checks}{next}{medium} eq 'denied' });
  is nodes($draft)->{checks}{next}{low}, 'document', 'the other exit stays';
  wait_said(qr/Medium risk of checks leads to denied/);
  is $primary->(), 'Save', 'one primary button';
  ok ask('document.querySelector(".toolbar .danger").getBoundingClientRect().left'
    . ' - [...document.querySelectorAll(".toolbar > *")].at(-2).getBoundingClientRect().right') > 50,
    'what deletes is apart';
  # The button is released where the page does not learn of it.
  my $moved = sub { ask('(() => { const at = document.querySelector(\'' . exit_of(checks => 'low')
    . '\'); const point = (type, buttons, by) => at.dispatchEvent(new PointerEvent(type, {'
    . ' bubbles: true, isPrimary: true, pointerId: 1, pointerType: "mouse", buttons,'
    . ' clientX: 300 + by, clientY: 300 }));'
    . ' const svg = at.closest("svg"); svg.setPointerCapture = () => {};'
    . ' point("pointerdown", 1, 0); point("pointermove", 1, 40); point("pointermove", 0, 80);'
    . ' delete svg.setPointerCapture; return 1 })()') };
  $moved->();
  $browser->wait_for('the drag ends', sub { !$browser->find('.edited .dragged') });

  $browser->click(exit_of(document => 'passed'));
  $browser->wait_until_shown('dialog[open]');
  axe_ok($browser, 'what an exit does');
  unlike $browser->text('dialog .actions'), qr/Outcome/, 'nothing comes after an outcome';
  ask('[...document.querySelectorAll("dialog button")].find((b) =>'
    . ' b.textContent.trim() === "Review").click()');
  wait_opened('review');
  is_deeply nodes($draft)->{review}, {type => 'review',
    next => {approved => 'granted', rejected => 'denied'}}, 'a step is added before the next';
  is nodes($draft)->{document}{next}{passed}, 'review', 'to which the exit leads';
  $browser->wait_for('it is sound', sub { $browser->text('.head') =~ /Valid/ });

  my ($first, $last) = grep { /granted|denied/ } @{order($draft)};
  drag(mouse => step($last), step($first));
  $browser->wait_for('it moves', sub {
    (grep { /granted|denied/ } @{order($draft)})[0] eq $last });
  place('.step header .quiet');
  $browser->click('.step header .quiet');
  $browser->wait_for('the open step is gone', sub { !nodes($draft)->{review} });
  $browser->wait_for('another step has the focus', sub { nodes($draft)->{focused()} });
  is nodes($draft)->{document}{next}{passed}, undef, 'nothing leads to it';
  ok $browser->find('.edited .open'), 'the open exit is drawn';
  chord(control => 'z');
  $browser->wait_for('it is back', sub { nodes($draft)->{review} });
  is nodes($draft)->{document}{next}{passed}, 'review', 'with what leads to it';
  drag(mouse => step('granted'), '.adding');
  $browser->wait_for('the word', sub { $browser->text('.canvas [role=alert]') =~ /Drop it on a step/ });
  is_deeply nodes($draft)->{granted}, $definition->{nodes}{granted},
    'what is dropped beside the steps changes nothing';
};

subtest 'an exit that leads to its own step' => sub {
  my $draft = open_draft();
  my $kept = $draft->{definition};
  $kept->{nodes}{document}{next}{exhausted} = 'document';
  answer_is $client->put("$api/workflow_drafts/$draft->{id}", {definition => $kept},
    'If-Match' => $draft->{etag}), 200;
  go_to(page => 'draft', id => $draft->{id});
  $browser->wait_for('the graph', sub { $browser->find('svg.edited [aria-pressed]') });
  ok $browser->find(exit_of(document => 'exhausted')), 'is drawn';
  $browser->click(exit_of(document => 'exhausted'));
  $browser->wait_until_shown('dialog[open] select');
  is $browser->run('return document.querySelector("dialog select").value'), 'document', 'as it is';
  is_deeply [sort(choices('dialog select')->@*)], [qw(denied document granted)],
    'with all that makes no other loop';
  $browser->click('dialog select option[value=denied]');
  $browser->click('dialog .primary');
  $browser->wait_for('it leads elsewhere', sub {
    nodes($draft)->{document}{next}{exhausted} eq 'denied' });
};

subtest 'places are chosen' => sub {
  my $draft = open_draft();
  my $places = sub { $browser->run('return JSON.parse(localStorage.getItem('
    . '`idv-dashboard-draft-${arguments[0]}`))?.value.jurisdictions', $draft->{id}) };
  my $field = '[data-pointer="/jurisdictions"]';
  ok $browser->run('const field = document.querySelector(arguments[0]);'
    . 'return !!field.list.querySelector("[value=\"US-VA\"]")', $field), 'known ones are offered';
  $browser->send_keys($field, 'us-va, fr');
  $browser->run('document.querySelector(arguments[0]).focus()', $field);
  $browser->press($key{enter});
  $browser->wait_for('both', sub { join(' ', @{$places->() // []}) eq 'US-VA FR' });
  $browser->run('const field = document.querySelector(arguments[0]);'
    . 'Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, "DE");'
    . 'field.dispatchEvent(new InputEvent("input", { bubbles: true,'
    . 'inputType: "insertReplacementText" }))', $field);
  $browser->wait_for('a third', sub { join(' ', @{$places->()}) eq 'US-VA FR DE' });
  axe_ok($browser, 'chosen places');
  $browser->click('.chosen [aria-label="Remove France FR"]');
  $browser->wait_for('one less', sub { join(' ', @{$places->()}) eq 'US-VA DE' });
  is focused(), '/jurisdictions', 'the focus is in the field';
};

subtest 'faults of a statement, in German' => sub {
  $browser->run('localStorage.setItem("idv-dashboard-language", "de")');
  open_draft('"statements":[{"name":"a b","version":"1","texts":{"en":"I am 18."}}],');
  $browser->wait_for('the fault', sub { $browser->find('.faults li') });
  is $browser->text('.faults'), "Erkl\x{e4}rung 1, name: Muss aus 1 bis 64 Buchstaben, Ziffern, _, - oder . "
    . 'bestehen.', 'are told in words';
  $browser->click(exit_of(document => 'passed'));
  $browser->wait_until_shown('dialog[open]');
  $browser->click('dialog .adding button:last-child');
  wait_opened('review');
  ok ask('[...document.querySelectorAll(".edited .label")].every((label) => { const [text, plus] ='
    . ' ["text", ".plus"].map((one) => label.querySelector(one).getBoundingClientRect());'
    . ' return plus.left - text.right > 4 })'), 'no label touches its plus';
  $browser->run('localStorage.setItem("idv-dashboard-language", "en")');
};

subtest 'by touch, on a phone' => sub {
  $browser->size(390, 844);
  my $draft = open_draft();
  cmp_ok $browser->run('return document.documentElement.scrollWidth'), '<=', 390, 'it fits';
  my $sizes = $browser->run('return [...document.querySelectorAll(".edited .label")].map((label) =>'
    . ' [label.querySelector("rect").getBoundingClientRect().height, parseFloat('
    . 'getComputedStyle(label.querySelector("text")).fontSize) * label.getScreenCTM().a])');
  is_deeply [grep { $_->[0] < 24 || $_->[1] < 11.9 } @$sizes], [],
    'with labels that fingers hit and eyes read';
  ok ask('document.querySelector(".graph-and-panel > fieldset").getBoundingClientRect().top'
    . ' > document.querySelector("svg.edited").getBoundingClientRect().top'),
    'the panel is below the graph';
  is_deeply $browser->run('return [...document.querySelectorAll("[data-exit] rect")].filter('
    . '(one) => one.getBoundingClientRect().height < 20).length'), 0, 'labels can be hit';
  tap(step('document'));
  wait_opened('document');
  is focused(), 'Document', 'the focus is at the heading of the form';
  ok ask('(([top, bottom]) => top >= 0 && bottom <= innerHeight)([".step h2", ".step header .quiet"]'
    . '.map((one, i) => document.querySelector(one).getBoundingClientRect()[["top", "bottom"][i]]))'),
    'which is in view, with what removes the step';
  drag(touch => exit_of(document => 'exhausted'), step('granted'));
  $browser->wait_for('it leads there', sub {
    nodes($draft)->{document}{next}{exhausted} eq 'granted' });
  tap(exit_of(checks => 'high'));
  $browser->wait_until_shown('dialog[open]');
  $browser->click('dialog select option[value=granted]');
  $browser->click('dialog .primary');
  $browser->wait_for('it leads there without a drag', sub {
    nodes($draft)->{checks}{next}{high} eq 'granted' });
  my $before = join ' ', @{order($draft)};
  $browser->click('.step header [aria-label="Move later"]');
  $browser->wait_for('its place changes', sub { join(' ', @{order($draft)}) ne $before });
  is opened(), 'document', 'it stays open';
  my $moved = order($draft);
  isnt "@$moved", $before, 'the order is another one';
  chord(control => 's');
  $browser->wait_for('it is saved', sub { $browser->text('.head') =~ /Saved/
    && $browser->text('.head') !~ /Not saved/ });
  $browser->command(POST => '/refresh');
  $browser->wait_for('the graph', sub { $browser->find('svg.edited [aria-pressed]') });
  is order_of_page(), "@$moved", 'it is saved';
  $browser->size(1280, 900);
};

subtest 'by keyboard, with what is said' => sub {
  my $draft = open_draft();
  $browser->run('document.querySelector(arguments[0]).focus()', step('checks'));
  like ask('document.activeElement.getAttribute("aria-label")'),
    qr/\AIP address checks, Passive checks, First, .*Low risk leads to document/, 'a step says all';
  $browser->press($key{down});
  is focused(), 'document', 'down';
  $browser->press($key{up});
  is focused(), 'checks', 'up';
  $browser->press($key{tab});
  is focused(), 'checks low', 'Tab leads to its exits';
  $browser->press($key{enter});
  $browser->wait_until_shown('dialog[open]');
  $browser->press($key{escape});
  $browser->wait_for('it is closed', sub { !$browser->find('dialog[open]') });
  is focused(), 'checks low', 'the focus is where it was';
  $browser->press($key{enter});
  $browser->wait_until_shown('dialog[open]');
  $browser->press($key{down});
  is ask('document.querySelector("dialog[open] select").value'), 'granted', 'an arrow chooses';
  is nodes($draft)->{checks}{next}{low}, 'document', '... and changes nothing';
  $browser->press($key{tab}, $key{enter});
  $browser->wait_for('it leads there', sub { nodes($draft)->{checks}{next}{low} eq 'granted' });
  wait_said(qr/Low risk of checks leads to granted/);
  is focused(), 'checks low', 'the focus is where it was';
  chord(control => 'z');
  $browser->run('document.querySelector(arguments[0]).focus()', exit_of(document => 'passed'));
  $browser->press($key{enter});
  $browser->wait_until_shown('dialog[open]');
  is_deeply choices('dialog[open] select'), [qw(granted denied)], 'no step that leads to a loop is offered';
  $browser->press($key{escape});

  $browser->run('document.querySelector(arguments[0]).focus()', step('document'));
  $browser->press($key{enter});
  wait_opened('document');
  $browser->wait_for('the form', sub { focused() eq '/nodes/document' });
  $browser->run('document.querySelector(arguments[0]).focus()', step('document'));
  my $before = order_of_page();
  chord(alt => $key{right});
  $browser->wait_for('it moves', sub { order_of_page() ne $before });
  wait_said(qr/document is step \d of 4/);
  is focused(), 'document', 'it keeps the focus';
  $browser->press($key{delete});
  $browser->wait_for('it is removed', sub { !nodes($draft)->{document} });
  wait_said(qr/document was removed/);
  $browser->wait_for('another step has the focus', sub { nodes($draft)->{focused()} });
  chord(control => 'z');
  $browser->wait_for('it is back', sub { nodes($draft)->{document} });
  wait_said(qr/\AUndo: .*Step document/);
  is ask('document.querySelectorAll("svg.edited [tabindex=\"0\"][aria-pressed]").length'), 1,
    'one step is in the order of Tab';
};

sub order_of_page {
  return $browser->run('return [...document.querySelectorAll("svg.edited [aria-pressed]")]'
    . '.map((one) => one.dataset.step).join(" ")');
}

subtest 'who may only look changes nothing' => sub {
  my $draft = open_draft();
  log_in('looker');
  go_to(page => 'draft', id => $draft->{id});
  $browser->wait_for('the graph', sub { $browser->find('svg.edited [aria-pressed]') });
  ok !$browser->find('[data-exit]'), 'no exit is a button';
  $browser->click(step('document'));
  wait_opened('document');
  my $before = order_of_page();
  $browser->press($key{delete});
  chord(alt => $key{right});
  $browser->press($key{down});
  isnt focused(), 'document', 'arrows go on';
  is order_of_page(), $before, 'Delete removes nothing, and nothing moves';
  ok ask('document.querySelector(".graph-and-panel > fieldset").disabled'), 'the form is off';
};

is_deeply [map { $_->{message} } $browser->console], [], 'the console is quiet';
finish $service;
