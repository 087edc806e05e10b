#!/usr/bin/perl
# The pages of workflows against the service itself: a workflow is changed, tried in
# the sandbox and published by keyboard alone, two people save one draft, a login ends
# over a change that was not saved, and each role sees what it may.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP ();
use Browser;
use Browser::Axe;
use Browser::Dashboard;
use Verify::Dashboard;
use Verify::Test;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

# How often an operator may ask is not the question: the browser asks as fast as it can.
my $service = Verify::Instance->start(start => 0, conf => "VerifyRateLimit secret 1000000\n");
my $organization = $service->organization(workflow => 1, sandbox => 1);
my $id = $organization->{id};
my $workflow = $organization->{workflow_id};
my $dashboard = Verify::Dashboard->prepare($service, boss => "publisher $id",
  maker => "developer $id", looker => "auditor $id");
$service->start_httpd;
my %client = map { $_ => $dashboard->client($_) } qw(boss maker looker);
my $api = "/dashboard/v1/organizations/$id";

my ($tab, $enter, $control) = ("\x{e004}", "\x{e007}", "\x{e009}");
my $browser = Browser->start(width => 1280, height => 900);
at_dashboard($browser, $service, $dashboard, $id);

# --- by keyboard ---

# What has the focus: where it stands in the definition, else what it says.
my $FOCUS = 'const e = document.activeElement; return e.dataset.pointer || e.getAttribute('
  . '"aria-label") || (e.labels && e.labels[0] && e.labels[0].textContent) || e.textContent';

# Goes on by Tab until what has the focus is WANTED, a pattern.
sub tab_to {
  my ($wanted) = @_;
  for (1 .. 80) {
    $browser->press($tab);
    my $focus = $browser->run($FOCUS) // '';
    return 1 if $focus =~ $wanted;
  }
  die "$wanted: nothing of the kind can be reached by Tab\n";
}
sub press_with_control {
  my ($key) = @_;
  $browser->command(POST => '/actions', {actions => [{type => 'key', id => 'keyboard',
    actions => [{type => 'keyDown', value => $control}, {type => 'keyDown', value => $key},
      {type => 'keyUp', value => $key}, {type => 'keyUp', value => $control}]}]});
}


sub new_draft {
  my ($user) = @_;
  return answer_is $client{$user}->post("$api/workflow_drafts",
    {workflow_id => $workflow}), 201, "a draft of $user";
}

log_in('boss');
subtest 'every page' => sub {
  my $draft = new_draft('boss');
  my @pages = (
    [workflows => 'Workflows'],
    [workflow => qr/Demonstration/, id => $workflow],
    [draft => qr/Demonstration/, id => $draft->{id}],
    [draft => qr/Demonstration/, id => $draft->{id}, tab => 'json'],
    [sandbox => 'Sandbox', id => $workflow, place => 'US-VA', type => 'age', steps =>
      'open,consent,method;method=document_capture;result=passed;age=30'],
    [sandbox => 'Sandbox', id => $workflow, tab => 'scenarios'],
    [sandbox => 'Sandbox', id => $workflow, tab => 'paths', type => 'age', place => 'US-VA'],
    [simulations => 'Simulator', id => $workflow],
  );
  for my $case (@pages) {
    my ($name, $heading, %state) = @$case;
    my $title = join ' ', $name, $state{tab} // ();
    go_to(page => $name, %state);
    like heading(), qr/\A(?:$heading)/, $title;
    $browser->wait_for("the graph of $title", sub { $browser->find('svg.graph') })
      if $browser->find('.canvas');
    ok !$browser->find('main [role=alert]'), 'nothing failed';
    for my $width (390, 1920, 1280) {
      $browser->size($width, 900);
      cmp_ok $browser->run('return document.documentElement.scrollWidth'), '<=', $width,
        "fits $width pixels";
    }
    is ask('Math.max(0, ...[...document.querySelectorAll(".canvas")].map((one) =>'
      . ' one.scrollWidth - one.clientWidth))'), 0, '... and so does its graph';
    axe_ok($browser, $title);
  }
  is_deeply [map { $_->{message} } $browser->console], [], 'the console is quiet';
  answer_is $client{boss}->delete("$api/workflow_drafts/$draft->{id}",
    'If-Match' => $draft->{etag}, 'Content-Type' => 'application/json'), 200, 'the draft is deleted';
};

subtest 'a step is changed, tried and published by keyboard alone' => sub {
  go_to(page => 'workflow', id => $workflow);
  tab_to(qr/\AEdit\z/);
  $browser->press($enter);
  $browser->wait_for('the draft', sub { $browser->url =~ /page=draft/
    && $browser->find('.editor') });
  shown();
  my ($draft) = $browser->url =~ /id=(wfd_\w+)/;
  tab_to(qr{\ADocument id, Methods});
  $browser->press($enter);
  $browser->wait_for('its fields', sub { $browser->run($FOCUS) eq '/nodes/id' });
  tab_to(qr{\A/nodes/id/max_attempts\z});
  press_with_control('a');
  $browser->press('9', '9');
  $browser->wait_for('the fault at its field', sub {
    ask('document.activeElement.getAttribute("aria-invalid") === "true"') });
  like $browser->text('.step .fault'), qr/whole number from 1 to 20/, 'what the compiler says';
  like $browser->text('.faults a'), qr{\AStep id, Attempts\z}, 'and in the summary';
  press_with_control('z');
  $browser->wait_for('no fault', sub { !$browser->find('[aria-invalid=true]') });
  press_with_control('a');
  $browser->press('5');
  press_with_control('s');
  $browser->wait_for('it is saved', sub {
    $browser->text('.head') =~ /Saved/ && $browser->text('.head') !~ /Not saved/ });
  is answer_is($client{boss}->get("$api/workflow_drafts/$draft"), 200)
    ->{definition}{nodes}{id}{max_attempts}, 5, 'the step is changed';

  go_to(page => 'sandbox', id => $workflow, subject => $draft, place => 'US-VA', type => 'age');
  $browser->wait_for('the first step', sub {
    ask('document.querySelectorAll("ol.steps > li").length') == 1 });
  is ask('(() => { const s = document.querySelector("form select"), whole = s.cloneNode(true);'
    . 'whole.style.width = "auto"; document.body.append(whole);'
    . 'const cut = whole.offsetWidth - s.offsetWidth; whole.remove(); return cut > 0 })()'),
    JSON::PP::false, 'no choice is cut';
  tab_to(qr/\ARun step\z/);
  for my $steps (2 .. 4) {
    $browser->press($enter);
    $browser->wait_for("$steps steps", sub {
      ask('document.querySelectorAll("ol.steps > li").length') == $steps });
    is ask('document.activeElement.textContent'), 'Run step', "the focus stays, $steps";
  }
  like $browser->text('ol.steps'), qr/Verified/, 'it is verified';
  like $browser->text('ol.steps'), qr/verification_session\.verified/, 'with its webhook';
  like $browser->text('ol.steps'), qr/issue a credential/, 'and its effects in words';
  is ask('document.querySelector(".steps + form select").value'), 'flag',
    'after the end no method is proposed';
  $browser->run('document.querySelector("main h1").focus()');
  tab_to(qr/\ASave as scenario\z/);
  $browser->press($enter);
  $browser->wait_until_shown('dialog[open]');
  tab_to(qr/\AName/);
  $browser->press(split(//, 'Adult'), $enter);
  $browser->wait_for('the scenario', sub { $browser->url =~ /tab=scenarios/
    && $browser->text('main') =~ /Adult/ && $browser->text('main') =~ /As expected/ });
  $browser->run('document.querySelector("main h1").focus()');
  tab_to(qr/\AAdult/);
  $browser->press($enter);
  $browser->wait_for('its steps', sub { $browser->find('ol.steps > li:nth-child(4)') });
  $browser->run('document.querySelector("main h1").focus()');
  tab_to(qr/\ASave as scenario\z/);
  $browser->press($enter);
  $browser->wait_until_shown('dialog[open]');
  like $browser->text('dialog[open]'), qr/Replace .Adult./, 'what was opened can be replaced';
  axe_ok($browser, 'replacing a scenario');
  tab_to(qr/\AName/);
  $browser->press(split(//, 'Grown up'), $enter);
  $browser->wait_for('the scenario under its new name', sub {
    $browser->text('main') =~ /Grown up/ && $browser->text('main') =~ /As expected/ });
  is_deeply [map { $_->{name} } @{answer_is($client{boss}->get(
    "$api/workflows/$workflow/scenarios"), 200)->{data}}], ['Grown up'], '... is still one';

  go_to(page => 'draft', id => $draft);
  $browser->wait_for('no faults', sub { $browser->text('.head') =~ /Valid/ });
  tab_to(qr/\APublish/);
  $browser->press($enter);
  $browser->wait_for('the scenario ran', sub {
    $browser->text('dialog[open]') =~ /One scenario ends as expected/ });
  $browser->wait_for('what changes', sub { $browser->text('dialog[open]') =~ /Attempts.*5/s });
  cmp_ok ask('document.querySelector("dialog").offsetWidth'), '<', 800, 'one row needs no hall';
  is ask('(([a, b]) => a.getBoundingClientRect().x - b.getBoundingClientRect().x)('
    . '[document.querySelector("dialog h3"), document.createRange()].map((e, i) => i ? (e.'
    . 'selectNodeContents(document.querySelector("dialog th")), e) : e))'), 0,
    'its columns stand below their heading';
  tab_to(qr/\APublish\z/);
  $browser->press($enter);
  $browser->wait_for('the workflow', sub { $browser->url =~ /page=workflow&/
    && $browser->find('.head .badge') && $browser->text('.head') =~ /Version 2/ });
  is answer_is($client{boss}->get("$api/workflows/$workflow"), 200)->{version_number}, 2,
    'it is live';
};

subtest 'who presses twice edits one draft' => sub {
  my $drafts = sub { answer_is($client{boss}->get(
    "$api/workflow_drafts?workflow_id=$workflow"), 200)->{data} };
  my $edit = sub {
    my ($button, $version) = @_;
    go_to(page => 'workflow', id => $workflow);
    is $browser->text('table:has(.deeds) th'), 'Number', 'a column is not called as its card';
    unlike $browser->text('main'), qr/fault/i, 'no draft is said to have faults, which its list cannot know';
    $browser->wait_until_shown($button);
    # The drafts may come meanwhile and push it away from below a pointer.
    $browser->run('document.querySelector(arguments[0]).click()', $button);
    $browser->wait_for('the draft', sub { $browser->url =~ /page=draft/ && $browser->find('.editor') });
    return $browser->url =~ /id=(wfd_\w+)/;
  };
  my $of_maker = new_draft('maker');
  my $first = ($edit->('.head .primary'))[0];
  isnt $first, $of_maker->{id}, 'nobody is led to the draft of another';
  is(($edit->('.head .primary'))[0], $first, 'the second press opens what the first began');
  my $older = ($edit->('tbody tr:nth-child(2) .deeds button'))[0];
  isnt $older, $first, 'another version is another draft';
  is(($edit->('tbody tr:nth-child(2) .deeds button'))[0], $older, '... and one again');
  is scalar @{$drafts->()}, 3, 'so there are three';
  my ($mine) = grep { $_->{id} eq $first } @{$drafts->()};
  my $definition = answer_is($client{boss}->get("$api/workflow_drafts/$first"), 200)->{definition};
  answer_is $client{boss}->put("$api/workflow_drafts/$first",
    {definition => {%$definition, description => 'Changed.'}}, 'If-Match' => $mine->{etag}),
    200, 'it is changed';
  isnt(($edit->('.head .primary'))[0], $first, 'what was changed is not taken for the live version');
  for (@{$drafts->()}) {
    answer_is $client{boss}->delete("$api/workflow_drafts/$_->{id}",
      'If-Match' => $_->{etag}, 'Content-Type' => 'application/json'), 200, 'deleted';
  }
};

subtest 'two people save one draft' => sub {
  my $draft = new_draft('boss');
  go_to(page => 'draft', id => $draft->{id});
  my $definition = $draft->{definition};
  answer_is $client{maker}->put("$api/workflow_drafts/$draft->{id}",
    {definition => {%$definition, description => 'Theirs.'}},
    'If-Match' => $draft->{etag}), 200, 'maker saves';
  $browser->send_keys('[data-pointer="/name"]', ' of mine');
  $browser->click('.toolbar .primary');
  $browser->wait_until_shown('dialog[open]');
  like $browser->text('dialog[open]'), qr/maker/, 'who it was';
  like $browser->text('dialog[open]'), qr/Theirs\..*of mine/s, 'what each changed';
  $browser->click('dialog .primary');
  $browser->wait_for('both', sub { !$browser->find('dialog[open]') });
  $browser->click('.toolbar .primary');
  $browser->wait_for('it is saved', sub { $browser->text('.head') =~ /Saved/
    && $browser->text('.head') !~ /Not saved/ });
  my $saved = answer_is($client{boss}->get("$api/workflow_drafts/$draft->{id}"), 200)
    ->{definition};
  is $saved->{description}, 'Theirs.', 'theirs is kept';
  like $saved->{name}, qr/ of mine\z/, 'and mine';
  $browser->console;
};

subtest 'who changed a draft alone does not publish it where two have to' => sub {
  $service->verifyctl(qw(org four-eyes), $id, qw(--publish on));
  my $draft = new_draft('boss');
  my $publish = sub {
    go_to(page => 'draft', id => $draft->{id});
    $browser->click('.head .primary:not(:disabled)');
    $browser->wait_for('the question', sub { $browser->find('dialog[open] .actions .primary') });
    return ask('document.querySelector("dialog .actions .primary").disabled');
  };
  ok $publish->(), 'the button is off';
  like $browser->text('dialog[open]'), qr/somebody else must publish it/, 'and why';
  axe_ok($browser, 'publishing alone');
  answer_is $client{maker}->put("$api/workflow_drafts/$draft->{id}", {definition =>
    {%{$draft->{definition}}, description => 'By two.'}}, 'If-Match' => $draft->{etag}), 200,
    'the other saves it, too';
  ok !$publish->(), 'what the page cannot know, the service says';
  $browser->click('dialog .actions .primary');
  $browser->wait_for('the refusal', sub { $browser->text('dialog [role=alert]')
    =~ /A second person is needed/ });
  unlike $browser->text('dialog [role=alert]'), qr/role|erasure/i, 'not of roles or of other deeds';
  $service->verifyctl(qw(org four-eyes), $id, qw(--publish off));
  $browser->console;
};

subtest 'what was not saved outlasts the page' => sub {
  my $draft = new_draft('boss');
  go_to(page => 'draft', id => $draft->{id});
  is ask('[...document.querySelectorAll(".editor select")].filter((one) => new Set([...one'
    . '.options].map((o) => o.textContent)).size < one.options.length).length'), 0,
    'no choice is offered twice';
  $browser->send_keys('[data-pointer="/name"]', ' unsaved');
  $browser->wait_for('it is not saved', sub { $browser->text('.head') =~ /Not saved/ });
  $browser->command(POST => '/refresh');
  shown();
  like $browser->text('main'), qr/unsaved changes were restored/, 'it says so';
  like heading(), qr/ unsaved\z/, 'it is there again';
  $browser->click('.note .button');
  $browser->wait_for('it is dropped', sub { heading() !~ / unsaved\z/ });
  pass 'and can be dropped';
};

subtest 'the sandbox asks about unsaved changes, and tells faults as the editor does' => sub {
  my $draft = new_draft('boss');
  my $path = "$api/workflow_drafts/$draft->{id}";
  my $press = sub {
    $browser->click('.head .actions a');
    $browser->wait_until_shown('dialog[open]');
  };
  my $tried = sub {
    $browser->wait_for('the sandbox', sub { $browser->url =~ /page=sandbox/ && $browser->find('ol.steps > li') });
    return answer_is($client{boss}->get($path), 200)->{definition}{name};
  };
  go_to(page => 'draft', id => $draft->{id});
  $browser->send_keys('[data-pointer="/name"]', ' unsaved');
  $browser->wait_for('it is not saved', sub { $browser->text('.head') =~ /Not saved/ });
  $press->();
  axe_ok($browser, 'unsaved changes');
  $browser->click('dialog a');
  unlike $tried->(), qr/unsaved/, 'the saved draft can be tried';
  go_to(page => 'draft', id => $draft->{id});
  $press->();
  $browser->click('dialog .primary');
  like $tried->(), qr/ unsaved\z/, 'or the draft is saved first';
  is ask('Object.keys(localStorage).filter((one) => one.includes("draft-")).length'), 0,
    'nothing unsaved is left';

  my $saved = answer_is $client{boss}->get($path), 200;
  delete $saved->{definition}{nodes}{id}{next}{passed};
  answer_is $client{boss}->put($path, {definition => $saved->{definition}},
    'If-Match' => $saved->{etag}), 200, 'an exit is open';
  for my $tab ('', 'paths') {
    go_to(page => 'sandbox', id => $workflow, subject => $draft->{id}, tab => $tab);
    $browser->wait_for('the fault', sub { $browser->find('.faults a') });
    like $browser->text('main'), qr/cannot be tried.*Step id: .Passed. leads nowhere\./s, "is told, $tab";
    unlike $browser->text('main'), qr{req_|/next/}, 'in the words of the editor';
  }
  axe_ok($browser, 'a draft with faults');
  $browser->click('.faults a');
  $browser->wait_for('its field', sub { $browser->url =~ /page=draft/
    && $browser->run($FOCUS) eq '/nodes/id/next/passed' });
  answer_is $client{boss}->delete($path, 'If-Match' => answer_is($client{boss}->get($path), 200)
    ->{etag}, 'Content-Type' => 'application/json'), 200, 'the draft is deleted';
};

subtest 'past sessions are led through the live version' => sub {
  my $sessions = '/v1/verification_sessions';
  my ($passed, $skipped) = map { answer_is($organization->{client}->post($sessions,
    {type => 'age', workflow_id => $workflow, jurisdiction => 'US-VA', %$_}), 201)->{id} }
    {}, {skip_verification => JSON::PP::true};
  answer_is $organization->{client}->post("$sessions/$passed/test_outcome",
    {value => 'passed'}), 200, 'a session was verified';
  go_to(page => 'simulations', id => $workflow);
  like $browser->text('main'), qr/No simulations yet/, 'there is none';
  $browser->wait_for('the form', sub { $browser->find('main form select') });
  $browser->click('main form button[type=submit]');
  $browser->wait_for('the end', sub { $browser->find('.head .badge.good') });
  is heading(), 'Simulation', 'a simulation is done';
  like $browser->text('main'), qr/Same 1\b.*Undetermined 1\b/s, 'with its sums';
  axe_ok($browser, 'a simulation');
  for my $width (390, 1280) {
    $browser->size($width, 900);
    cmp_ok $browser->run('return document.documentElement.scrollWidth'), '<=', $width,
      "fits $width pixels";
  }
  ask('[...document.querySelectorAll(".tabs a")].pop().click()');
  my $row = qq{main td a[title="$skipped"]};
  $browser->wait_for('the list', sub { $browser->find($row) });
  like $browser->text('main'), qr/earlier_verification/, 'the reason of one';
  $browser->click($row);
  $browser->wait_for('its session', sub { $browser->text('main') =~ /\Q$skipped\E/ });
  go_to(page => 'simulations', id => $workflow);
  $browser->wait_for('the form', sub { $browser->find('main form select') });
  ask('document.querySelector("main form [name=kind]").value = "shadow"');
  $browser->click('main form button[type=submit]');
  $browser->wait_for('a shadow', sub { heading() eq 'Shadow' });
  my $ends = answer_is($organization->{client}->post($sessions, {type => 'age',
    workflow_id => $workflow, jurisdiction => 'US-VA'}), 201)->{id};
  answer_is $organization->{client}->post("$sessions/$ends/cancel"), 200, 'a session ends';
  $browser->wait_for('its count', sub { $browser->text('main') =~ /(?:Same|Undetermined) 1\b/ });
  axe_ok($browser, 'a shadow');
  $browser->click('.head .danger');
  $browser->wait_for('its end', sub { $browser->text('.head') =~ /Stopped/ });
  is_deeply [map { $_->{message} } $browser->console], [], 'the console is quiet';
};

subtest 'the simulations of one workflow, and of all' => sub {
  my $draft = new_draft('boss');
  my $other = answer_is($client{boss}->post("$api/workflow_drafts",
    {definition => $draft->{definition}}), 201);
  my $published = answer_is $client{boss}->post("$api/workflow_drafts/$other->{id}/publish",
    {}, 'If-Match' => $other->{etag}), 200, 'another workflow';
  go_to(page => 'simulations', id => $published->{workflow_id});
  like $browser->text('main'), qr/No simulations yet/, 'has none';
  go_to(page => 'simulations', id => $workflow);
  ok $browser->find('main tbody tr'), 'the first has some';
  $browser->click('.head .actions a');
  $browser->wait_for('those of all', sub { $browser->url !~ /id=/ && $browser->find('main tbody tr')
    && !$browser->find('main form') });
  ok $browser->find("main tbody a[href*='page=workflow&id=$workflow']"),
    'which say whose they are';
  axe_ok($browser, 'all simulations');
};

subtest 'a shadow on the page of its workflow' => sub {
  my $count = sub { scalar @{answer_is($client{looker}->get(
    "$api/simulations?workflow_id=$workflow&kind=shadow"), 200)->{data}} };
  my $before = $count->();
  go_to(page => 'workflow', id => $workflow);
  $browser->wait_for('the form', sub { $browser->find('main form [name=days]') });
  unlike $browser->text('.head .title'), qr/Shadow/, 'none runs';
  my $live = answer_is($client{boss}->get("$api/workflows/$workflow"), 200)->{version_number};
  unlike ask('document.querySelector("main form [name=through]").textContent'),
    qr/Version $live\b/, 'the live version is no shadow of itself';
  my $through = ask('document.querySelector("main form [name=through]")'
    . '.selectedOptions[0].textContent.trim()');
  $browser->click('main form button[type=submit]');
  $browser->wait_for('its badge', sub { $browser->text('.head .title') =~ /Shadow/ });
  is $count->(), $before + 1, 'one is begun';
  my $card = '.wide-and-narrow > div > .card:first-child';
  like $browser->text($card), qr/\QThrough\E\s+\Q$through\E\s+Since\s.*Sessions compared\s+0\b/s,
    'through what, since when and of how many';
  my $ends = answer_is($organization->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $workflow, jurisdiction => 'US-VA'}), 201)->{id};
  answer_is $organization->{client}->post("/v1/verification_sessions/$ends/cancel"), 200,
    'a session ends';
  $browser->wait_for('what became of it', sub { $browser->text($card)
    =~ /Sessions compared\s+1\b.*(?:Same|Undetermined) 1\b/s });
  for my $width (390, 1280) {
    $browser->size($width, 900);
    cmp_ok $browser->run('return document.documentElement.scrollWidth'), '<=', $width,
      "fits $width pixels";
  }
  axe_ok($browser, 'a workflow with a shadow');
  log_in('looker');
  go_to(page => 'workflow', id => $workflow);
  $browser->wait_for('the shadow', sub { $browser->text($card) =~ /Sessions compared/ });
  ok !$browser->find("$card .danger"), 'an auditor does not stop it';
  $browser->click("$card header a");
  $browser->wait_for('the simulation', sub { heading() eq 'Shadow' });
  log_in('boss');
  go_to(page => 'workflow', id => $workflow);
  $browser->wait_until_shown("$card .danger");
  $browser->click("$card .danger");
  $browser->wait_for('its end', sub { $browser->text('.head .title') !~ /Shadow/
    && $browser->find('main form [name=days]') });
  is_deeply [map { $_->{message} } $browser->console], [], 'the console is quiet';
};

subtest 'each role sees what it may' => sub {
  my $draft = new_draft('maker');
  log_in('maker');
  go_to(page => 'draft', id => $draft->{id});
  ok $browser->find('.toolbar .danger'), 'a developer edits';
  unlike $browser->text('.head'), qr/Publish/, 'and does not publish';
  log_in('looker');
  go_to(page => 'draft', id => $draft->{id});
  ok !$browser->find('.toolbar'), 'an auditor edits nothing';
  ok ask('document.querySelector(\'[data-pointer="/name"]\').matches(":disabled")'),
    'and sees the fields';
  go_to(page => 'workflow', id => $workflow);
  unlike $browser->text('.head'), qr/Edit|Sandbox/, 'nor begins a draft';
  ok $browser->find('main a[download]'), 'but may export';
  ok !$browser->find('main form [name=days]'), 'nor a shadow';
  go_to(page => 'simulations', id => $workflow);
  ok $browser->find('main table') && !$browser->find('main form'),
    'sees simulations and orders none';
};

finish $service;
