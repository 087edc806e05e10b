#!/usr/bin/perl
# The dashboard's overview with its charts, the list of sessions with its filters and its
# export, and what is around all pages: entries, commands, the view of another role.
use v5.32;
use warnings;
use utf8;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use Browser::Axe;
use Browser::Dashboard;
use JSON::PP ();
use Verify::Dashboard;
use Verify::Test;
use Verify::Wait;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

my $service = Verify::Instance->start(start => 0, conf => "VerifyRateLimit secret 1000000\n");
my $organization = $service->organization(workflow => 1, sandbox => 1);
my $id = $organization->{id};
my $fresh = $service->organization(workflow => 1, sandbox => 1);
my $dashboard = Verify::Dashboard->prepare($service, chief => 'admin *',
  own => "admin $id", look => 'reviewer *');
$service->start_httpd;
my $server = $organization->{client};
my @sessions = map { answer_is $server->post('/v1/verification_sessions', {type => 'age',
  workflow_id => $organization->{workflow_id}, jurisdiction => 'US-VA',
  client_reference_id => $_ == 3 ? '=cmd()' : "order-$_",
  skip_verification => $_ == 2 ? \0 : \1}), 201, "session $_" } 1 .. 4;
answer_is $server->post("/v1/session_reviews/sessions/$sessions[3]{id}/flag",
  {reason => 'Doubts.'}), 200, 'held';

my $browser = Browser->start(width => 1280, height => 900);
at_dashboard($browser, $service, $dashboard, $id);
log_in('chief');

subtest 'how today went, and the days before' => sub {
  go_to(page(org => $id, page => 'start'));
  $browser->wait_for('the charts', sub { $browser->find('main .charts svg') });
  my $today = $browser->run('const card = [...document.querySelectorAll("main .card")].find('
    . '(card) => card.querySelector("h2").textContent === "Today");'
    . 'return [card.querySelector("p").textContent,'
    . ' ...[...card.querySelectorAll(".legend strong")].map((n) => Number(n.textContent))]');
  my ($all, @parts) = @$today;
  my $sum = 0;
  $sum += $_ for @parts;
  is scalar @parts, 5, 'five outcomes';
  like $all, qr/\A$sum sessions\z/, 'whose sum is the number of sessions, none of them live';
  is $browser->run('return document.querySelectorAll(".charts svg[role=img]").length'), 4,
    'sessions, pass rate, time and funnel';
  like $browser->text('.charts .card:first-child .latest'), qr/\A$sum\s+\w+ \d+, so far\z/,
    'the current number, of a day that is not over';
  like $browser->text('.charts .card:nth-child(2) .latest'), qr/\A100%\s+\w+ \d+, so far\z/,
    'the current pass rate, without a change: few sessions say nothing';
  like $browser->text('.of-charts'), qr/Passed or verified.*Simulated in the sandbox\s+–\s+–\s+2/s,
    'simulated sessions are found again in the funnel';
  my $stages = $browser->run('const card = [...document.querySelectorAll("main .card")].find('
    . '(card) => card.querySelector("h2").textContent === "Funnel");'
    . 'return [...card.querySelectorAll("tbody tr")].map((row) => [row.cells[0].textContent,'
    . ' Number(row.cells[1].textContent), Number(row.querySelector("rect").getAttribute("width"))])');
  is_deeply [map { $_->[0] } @$stages], ['All', 'Started', 'With a result', 'Verified'], 'its stages';
  is_deeply [map { $_->[2] * $sum / 100 } @$stages], [map { $_->[1] } @$stages],
    '... are drawn to their shares';
  is $stages->[0][1], $sum, '... of all sessions';
  is $browser->run('return [...document.querySelectorAll(".of-charts table")].filter((table) =>'
    . '/Time taken/.test(table.tHead.textContent)).length'), 2, 'time by method and by place';
  for my $scheme ('light', 'dark') {
    $browser->media('prefers-color-scheme' => $scheme);
    my $inks = $browser->run('return [...document.querySelectorAll(".legend i")].map('
      . '(e) => getComputedStyle(e).backgroundColor)');
    is scalar(keys %{{map { $_ => 1 } @$inks}}), 7, "each in its colour, $scheme";
  }
  $browser->click('.charts summary');
  $browser->wait_until_shown('.charts tbody tr');
  is $browser->run('return document.querySelectorAll(".charts tbody tr").length'), 30,
    'its table has thirty days';
  is $browser->run('return document.querySelector(".charts tbody td").textContent'),
    $browser->run('return document.querySelector(".axis.across span:last-child").textContent'),
    'the newest first';
  is $browser->text('.charts summary'), 'Hide table', 'which can be hidden';
  $browser->run('const s = document.querySelector(".period select");'
    . 's.value = "day"; s.dispatchEvent(new Event("change", { bubbles: true }))');
  $browser->wait_for('24 hours', sub {
    $browser->run('return document.querySelectorAll(".charts svg .catch").length') == 96 });
  like $browser->url, qr/period=day/, 'the period is in the address';
  $browser->click('.charts summary');
  $browser->wait_until_shown('.charts tbody tr');
  axe_ok($browser, 'charts with their table');
};

subtest 'an organization that has nothing to show yet' => sub {
  my $start = page(org => $fresh->{id}, page => 'start');
  go_to($start);
  like $browser->text('main'), qr/No sessions in this period\.\s+Create the first one/, 'no session';
  answer_is $fresh->{client}->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $fresh->{workflow_id}, jurisdiction => 'US-VA', skip_verification => \0}), 201;
  answer_is $fresh->{client}->post('/v1/webhook_endpoints', {name => 'Shop',
    url => 'https://shop.example/webhooks', enabled_events => ['verification_session.verified']}), 201;
  go_to($start);
  $browser->wait_for('the endpoint', sub { $browser->text('main') =~ /Webhooks/ });
  my $text = $browser->text('main');
  like $text, qr/No decided sessions yet\.\s+All sessions/, 'no decision, with the way to the sessions';
  like $text, qr/No verified sessions yet\./, '... no verification';
  is $browser->run('return document.querySelectorAll(".charts svg[role=img]").length'), 2,
    'sessions and funnel, and no chart without a value';
  like $text, qr/Shop\s+None yet/, 'no delivery';
  unlike $text, qr/of 0|\d %/, 'no share of nothing, and one form of percentages';
  for ([390, 844], [1280, 900], [1920, 1080]) {
    $browser->size(@$_);
    is $browser->run('return document.documentElement.scrollWidth'), $_->[0], "$_->[0] pixels are enough";
    axe_ok($browser, "at $_->[0] pixels");
    is $browser->run('const card = [...document.querySelectorAll("main .card")].find((card) =>'
      . 'card.querySelector("h2").textContent === "By place"), range = new Range();'
      . 'range.selectNodeContents(card.querySelector("td"));'
      . 'return new Set([...range.getClientRects()].map(({ top }) => top)).size'),
      $_->[0] < 1920 ? 2 : 1, 'bars leave a place its room';
  }
  $browser->size(1280, 900);
};

sub choose {
  my ($selector, $value) = @_;
  $browser->run('const s = document.querySelector(arguments[0]); s.value = arguments[1];'
    . 's.dispatchEvent(new Event("change", { bubbles: true }))', $selector, $value);
}
sub rows { $browser->run('return document.querySelectorAll("main tbody tr").length') }

subtest 'sessions by workflow and time, with filters that are kept' => sub {
  my $workflow_name = $dashboard->client('chief')->get(
    "/dashboard/v1/organizations/$id/workflows")->json->{data}[0]{name};
  go_to(page(org => $id, page => 'sessions'));
  is rows(), 4, 'all';
  is $browser->run('return [...document.querySelectorAll("main tbody tr")].filter('
    . '(row) => row.offsetHeight > 45).length'), 0, 'each on one line';
  $browser->size(390, 844);
  is $browser->run('for (const time of document.querySelectorAll("td.time time"))'
    . ' time.textContent = "Nov 28, 03:32\u00a0PM"; return Math.max('
    . '...[...document.querySelectorAll("td a.row")].map((one) => one.getClientRects().length))'),
    1, 'on a phone an id is on one line, also next to a longer time';
  $browser->size(1280, 900);
  $browser->wait_for('the workflow', sub {
    $browser->find(".filters option[value='$organization->{workflow_id}']") });
  is $browser->run('const at = [...document.querySelectorAll("main th")].findIndex('
    . '(cell) => cell.textContent === "Workflow");'
    . 'return document.querySelectorAll("main tbody tr td")[at].textContent.trim()'),
    $workflow_name, 'each with its workflow';
  choose('.folded .field:nth-of-type(2) select', $organization->{workflow_id});
  $browser->wait_for('the address', sub { $browser->url =~ /workflow=wf_/ });
  choose('.folded .field:nth-of-type(1) select', 'verified');
  $browser->wait_for('those verified', sub { rows() == 2 });
  $browser->size(390, 844);
  is $browser->text('.unfold'), "Filters\n2", 'a narrow window says how many are set';
  like $browser->text('.set'), qr/outcome: Verified.*Workflow: .*Clear filters/s, '... and which';
  ok !$browser->run('return document.querySelector(".folded select").offsetHeight'), 'folded';
  $browser->click('.unfold');
  ok $browser->run('return document.querySelector(".folded select").offsetHeight'), 'unfolded';
  axe_ok($browser, 'the filters of a phone');
  $browser->size(1280, 900);
  $browser->click('.kept .quiet');
  $browser->wait_until_shown('dialog[open]');
  $browser->send_keys('dialog input', 'Passed');
  axe_ok($browser, 'the name of filters');
  $browser->click('dialog .primary');
  $browser->wait_for('the filter', sub { $browser->text('.kept') =~ /Passed/ });
  go_to(page(org => $id, page => 'sessions', until => '2026-01-01T00:00'));
  ok !$browser->find('main tbody tr'), 'none are that old';
  $browser->click('.kept a');
  $browser->wait_for('the filter', sub { rows() == 2 });
  like $browser->url, qr/status=verified.*workflow=wf_|workflow=wf_.*status=verified/,
    'the address has what was kept';
  $browser->click('.kept .badge button');
  ok !$browser->find('.kept a'), 'it is removed';
  go_to(page(org => $id, page => 'sessions', within => 'week', status => 'failed'));
  ok !$browser->find('main tbody tr'), 'none of the last days failed';
  $browser->click('.set a[aria-label^="Remove filter Status"]');
  $browser->wait_for('those of the last days', sub { rows() == 4 });
  choose('.folded .field:nth-of-type(4) select', 'chosen');
  $browser->wait_until_shown('.folded input[type=date]');
  unlike $browser->url, qr/within=week/, 'other times instead';
  my $today = $browser->run('const now = new Date();'
    . 'return new Date(now - 60000 * now.getTimezoneOffset()).toISOString().slice(0, 10)');
  choose('.folded input[type=date]', $today);
  $browser->wait_for('the day', sub { $browser->url =~ /from=/ });
  choose('.folded .field:last-child input[type=date]', $today);
  $browser->wait_for('the last day', sub { $browser->url =~ /until=/ });
  is_deeply $browser->run('return [...document.querySelectorAll("input[type=date]")].map('
    . '(one) => one.value)'), [$today, $today], 'days, of which the last one counts, too';
  $browser->wait_for('those of today', sub { rows() == 4 });
  $browser->click('.kept .quiet');
  $browser->wait_until_shown('dialog[open]');
  $browser->send_keys('dialog input', 'That day');
  $browser->click('dialog .primary');
  $browser->wait_for('the filter', sub { $browser->find('.kept a') });
  go_to(page(org => $id, page => 'sessions'));
  $browser->click('.kept a');
  $browser->wait_for('the days', sub { $browser->url =~ /from=.*until=|until=.*from=/ });
  is_deeply $browser->run('return [...document.querySelectorAll("input[type=date]")].map('
    . '(one) => one.value)'), [$today, $today], 'which are kept';
  $browser->press('/');
  $browser->wait_until_shown('dialog[open] .found');
  pass 'also here / leads to the commands';
};

subtest 'the export' => sub {
  go_to(page(org => $id, page => 'sessions'));
  $browser->run('window.made = []; URL.createObjectURL = (blob) => {'
    . ' blob.text().then((text) => window.made.push(text)); return "blob:none"; };'
    . 'HTMLAnchorElement.prototype.click = () => {}');
  $browser->click('.head .secondary');
  $browser->wait_for('the text', sub { $browser->run('return window.made.length') });
  my @lines = split /\n/, $browser->run('return window.made[0]');
  is scalar @lines, 5, 'a line each, and their names';
  like $lines[0], qr/\A\x{feff}?"id","status","type","reference","workflow","workflow_name",/, 'the names';
  like "@lines", qr/"'=cmd\(\)"/, 'no spreadsheet takes a text for a formula';
  like $lines[4], qr/\A"\Q$sessions[0]{id}\E","verified","age","order-1","\Q$organization->{workflow_id}\E","[^"…]+","US-VA",/, 'the oldest';
};

subtest 'commands and entries' => sub {
  go_to(page(org => $id, page => 'start'));
  cmp_ok $browser->run('return document.querySelectorAll("#ways > ul > li").length'), '<=', 8,
    'at most eight entries';
  $browser->press('/');
  $browser->wait_until_shown('dialog[open]');
  axe_ok($browser, 'commands');
  $browser->send_keys('dialog input', 'audi');
  $browser->press("\x{e007}");
  $browser->wait_for('the audit', sub { $browser->text('main h1') eq 'Audit' });
  ok $browser->find('#ways ul ul a[aria-current=page]'), 'in the list of its entry';
  $browser->click('.bar-tools .tool');
  $browser->wait_until_shown('dialog[open]');
  $browser->send_keys('dialog input', $sessions[0]{id});
  $browser->press("\x{e007}");
  $browser->wait_for('the session', sub { $browser->text('main h1') eq 'order-1' });
  for (['crea', 'API keys', 'Create key'], ['new', 'Workflows', 'Templates'],
      ['endp', 'Webhooks', 'Add endpoint'], ['add c', 'Login clients', 'Add client'],
      ['add a l', 'Trust lists', 'Add a list']) {
    my ($typed, $page, $form) = @$_;
    command($typed);
    $browser->wait_until_shown('dialog[open] header');
    $browser->wait_for($page, sub { heading() eq $page
      && $browser->text('dialog[open] h2') eq $form });
    pass "$typed leads to the form of $page";
  }
  command('team');
  $browser->wait_for('the team', sub { heading() eq 'Team' });
  $browser->run('window.saved = null; HTMLAnchorElement.prototype.click = function () {'
    . 'if (this.download) window.saved = this.download; }');
  command('csv');
  $browser->wait_for('the sessions', sub { heading() eq 'Sessions' });
  ok !ask('window.saved'), 'a way to the export, which a link could be, exports nothing';
  $browser->click('.head .actions .button');
  $browser->wait_for('the file', sub { ask('window.saved') });
  is ask('window.saved'), 'sessions.csv', 'sessions are exported';
  command('sign');
  $browser->wait_until_shown('details.menu .sign-out');
  command('take');
  $browser->wait_for('the review', sub { $browser->url =~ /page=review&id=/ });
  like $browser->url, qr/\Q$sessions[3]{id}\E/, 'the next review is taken';
  $browser->run('localStorage.setItem("idv-dashboard-language", "de")');
  go_to(page(org => $id, page => 'start'));
  command('ssel a');
  $browser->wait_for('the form', sub { $browser->find('dialog[open] select') });
  is $browser->text('dialog[open] h2'), 'Schlüssel anlegen', 'in German';
  $browser->run('localStorage.setItem("idv-dashboard-language", "en")');
};

# Opens the commands, over a dialog that is closed before, and does the first that fits.
sub command {
  my ($text) = @_;
  $browser->wait_for('no dialog', sub {
    $browser->run('document.querySelector("dialog[open] header button")?.click()');
    !$browser->find('dialog[open]') });
  $browser->click('.bar-tools .tool');
  $browser->wait_until_shown('dialog[open]');
  $browser->send_keys('dialog input', $text);
  $browser->press("\x{e007}");
}

sub actions { ask('[...document.querySelectorAll("dialog[open] .found button")].map('
  . '(one) => one.textContent.trim())') }

sub set_up { ask('[...document.querySelectorAll("main .steps li")].map((one) => ['
  . 'one.querySelector(".verdict").textContent.trim(), one.querySelector("a")?.textContent || ""])') }

subtest 'what is still to be set up' => sub {
  my $at = $service->organization(workflow => 1, sandbox => 1)->{id};
  go_to(page(org => $at, page => 'start'));
  $browser->wait_for('the steps', sub { $browser->find('main .steps') });
  is_deeply set_up(), [['Passed', ''], ['Passed', ''], ['Pending', 'Add endpoint'],
    ['Pending', 'How your server creates it']], 'its key and its workflow are there';
  $browser->click('main .steps a');
  $browser->wait_until_shown('dialog[open] input');
  is heading(), 'Webhooks', 'an action opens its form';
  $browser->run('document.querySelector("dialog[open] header button").click()');
  $browser->wait_for('its end', sub { !$browser->find('dialog[open]') });
  unlike $browser->url, qr/form=/, '... which the address forgets with it';
  go_to(page(org => $at, page => 'start'));
  $browser->wait_for('the steps', sub { $browser->find('main .steps') });
  $browser->run('[...document.querySelectorAll("main .steps a")].at(-1).click()');
  $browser->wait_for('what a server asks for', sub { ask('document.activeElement.parentElement.open') });
  is ask('document.activeElement.textContent'), 'How your server creates it', '... or what it names';
  go_to(page(org => $at, page => 'sessions'));
  $browser->wait_for('the actions', sub { $browser->find('main .state .primary') });
  like $browser->text('main .state .actions'), qr{\ASimulate a session\s+Create key\z},
    'what one can do without a session';
  $browser->click('main .state .primary');
  $browser->wait_for('the sandbox', sub { heading() eq 'Sandbox' });
  $browser->run('sessionStorage.setItem(`idv-dashboard-role-${arguments[0]}`, "auditor")', $at);
  go_to(page(org => $at, page => 'start'));
  $browser->wait_for('the steps', sub { $browser->find('main .steps') });
  is_deeply [map { $_->[1] } @{set_up()}], [('') x 4], 'an auditor is offered none of it';
  like $browser->text('main'), qr/This needs the role Developer/, '... and told why';
  go_to(page(org => $at, page => 'sessions'));
  $browser->wait_for('the request', sub { $browser->find('main .state details') });
  ok !$browser->find('main .state .actions'), '... nor among the sessions';
  go_to(page(org => $at, page => 'keys', form => 'new'));
  ok !$browser->find('dialog[open]'), '... nor by an address';
  $browser->click('.bar-tools .tool');
  $browser->wait_until_shown('dialog[open]');
  my $actions = join "\n", @{actions()};
  like $actions, qr/^Sessions: Export CSV$/m, '... but what an auditor may do is among the commands';
  unlike $actions, qr/Create|^New |Add |Take/m, '... and nothing else';
  $browser->run('sessionStorage.clear()');
};

subtest 'the view of another role' => sub {
  go_to(page(org => $id, page => 'keys'));
  ok $browser->find('.head .primary'), 'a key can be made';
  $browser->click('details.menu summary');
  like $browser->text('details.menu'), qr/chief\s+Administrator\s+Signed in by: Name and password/,
    'who is signed in, with which role';
  like $browser->text('details.menu'), qr/Sign out\s+Close all windows of this browser/,
    'how a login ends that no page can end';
  axe_ok($browser, 'the menu');
  choose('details.menu select', 'auditor');
  $browser->wait_for('the view', sub { $browser->text('main') =~ /the role Auditor sees/ });
  ok !$browser->find('.head .primary'), 'an auditor makes none';
  unlike $browser->text('#ways'), qr/Persons/, 'and looks nobody up';
  go_to(page(org => $id, page => 'keys'));
  ok !$browser->find('.head .primary'), 'nor after a reload';
  $browser->click('main .note .as-link');
  $browser->wait_for('the own roles', sub { $browser->find('.head .primary') });
  pass 'and back';
};

subtest 'an application, and who made it' => sub {
  go_to(page(org => $id, page => 'trust_reuse'));
  $browser->click('main .primary');
  $browser->wait_until_shown('dialog[open]');
  $browser->send_keys('dialog input', 'Till');
  $browser->click('dialog .primary');
  $browser->wait_for('it', sub { $browser->text('main') =~ /Till/ });
  go_to(page(org => $id, page => 'team'));
  like $browser->text('main tbody tr'), qr/chief\s+Administrator\s+Login chief, in all organizations\s+admin \* user chief/,
    'by which role and rule, in words';
  axe_ok($browser, 'the team');
  for (['en', qr/Organization created\s.*Command line/s], ['de', qr/Organisation angelegt\s.*Kommandozeile/s]) {
    $browser->run('localStorage.setItem("idv-dashboard-language", arguments[0])', $_->[0]);
    go_to(page(org => $id, page => 'audit'));
    like $browser->text('main tbody'), $_->[1], "a command in words, $_->[0]";
    unlike $browser->text('main tbody'), qr/verifyctl/, '... not as a code';
  }
  $browser->run('localStorage.setItem("idv-dashboard-language", "en")');
  go_to(page(org => $id, page => 'events'));
  like $browser->text('main tbody tr'), qr/\ASession \w.*verification_session\.|\ASession held.*session_review/s,
    'an event in words, with its code';
  axe_ok($browser, 'the events');
};

subtest 'a workflow from a template, and in words' => sub {
  my $empty = $service->organization(sandbox => 1)->{id};
  go_to(page(org => $empty, page => 'workflows'));
  is $browser->run('return document.querySelectorAll(".templates .note svg.graph").length'), 7,
    'templates instead of a command, each with its picture';
  like $browser->text('.templates .note:nth-child(4)'), qr/People\ aged\ 18\ or\ over\ pass\ if\ one\ of\ these\ is\ true:
    .*The\ risk\ is\ low\ and\ they\ succeed\ with\ a\ photo\ of\ an\ ID\ document\.\s
    .*The\ risk\ is\ medium,\ a\ reviewer\ approves\ the\ case,\ and\ they\ succeed\ with\ a\ photo/sx,
    'and with the paths that verify';
  is $browser->run('return new Set([...document.querySelectorAll(".templates .small")].map('
    . '(one) => one.textContent)).size'), 7, 'no two of which are described alike';
  is $browser->run('return document.querySelector(".templates .note:nth-child(2) .gist").textContent'),
    "Mobile driver\x{2019}s license, Document", 'a step of which shows all its methods';
  axe_ok($browser, 'templates');
  log_in('look');
  go_to(page(org => $empty, page => 'workflows'));
  like $browser->text('main'), qr/Someone with the role Developer/, 'a reviewer reads who creates one';
  unlike $browser->text('main'), qr/Begin with a template/, 'and is offered nothing';
  log_in('chief');
  go_to(page(org => $empty, page => 'workflows', form => 'new'));
  $browser->wait_until_shown('dialog[open] .graph');
  is ask('new Set([...document.querySelectorAll("dialog .note")].slice(0, 3).map((one) =>'
    . ' one.getBoundingClientRect().top)).size'), 1, 'three of them share a row';
  for my $template (1 .. 7) {
    go_to(page(org => $empty, page => 'workflows'));
    $browser->click(".head .actions .secondary");
    $browser->wait_until_shown('dialog[open]');
    $browser->click("dialog .templates .note:nth-child($template) button");
    $browser->wait_for('the draft', sub { $browser->url =~ /page=draft/ });
    my ($draft) = $browser->url =~ /id=(wfd_\w+)/;
    is_deeply $dashboard->client('chief')->get(
      "/dashboard/v1/organizations/$empty/workflow_drafts/$draft")->json->{faults} // [], [],
      "template $template has no fault";
  }
  open my $example, '<', "$FindBin::Bin/../../conf/workflows/alcohol_delivery.json" or die $!;
  my $published = $service->publish($empty, JSON::PP->new->decode(do { local $/; <$example> }));
  go_to(page(org => $empty, page => 'sandbox', id => $published->{id}));
  $browser->wait_for('the first step', sub { $browser->text('main') =~ /Session is created/ });
  ok !$browser->find('main [role=alert]'), 'the sandbox opens at a place of the workflow';
  is $browser->run('return [...document.querySelector(".steps + form select").options]'
    . '.map((one) => one.value).join(" ")'), 'open wait cancel', 'and offers what is possible';
  go_to(page(org => $empty, page => 'sandbox', id => $published->{id}, tab => 'paths'));
  $browser->wait_for('all paths', sub { $browser->find('main tbody tr') });
  ok !$browser->find('main [role=alert]'), 'all paths open, too';
  go_to(page(org => $id, page => 'workflow', id => $organization->{workflow_id}));
  $browser->wait_for('the words', sub { $browser->text('main .narrow') =~ / pass with / });
  like $browser->text('main .narrow'), qr/: People aged \d+ or over pass with a photo of an ID document\./,
    'a published one, too';
};

is_deeply [map { $_->{message} } $browser->console], [], 'the console is quiet';

subtest 'the health of one organization' => sub {
  my $other = $service->organization(workflow => 1);
  my $health = $dashboard->client('chief')->get('/dashboard/v1/health')->json->{findings};
  ok +(grep { ($_->{organization_id} // '') ne $id } @$health), 'there are findings elsewhere';
  log_in('own');
  go_to(page(org => $id, page => 'health'));
  unlike $browser->text('main'), qr/\Q$other->{id}/, 'which concern whoever runs the service';
  my $failing = answer_is $server->post('/v1/webhook_endpoints', {name => 'Broken shop',
    url => 'https://127.0.0.1:1/webhooks', enabled_events => ['*']}), 201, 'an endpoint';
  answer_is $server->post('/v1/verification_sessions', {type => 'age', jurisdiction => 'US-VA',
    workflow_id => $organization->{workflow_id}}), 201, '... which is told of a session';
  ok +(wait_for { $server->get("/v1/webhook_endpoints/$failing->{id}")->json->{failing_since} }), 'its first failure';
  go_to(page(org => $id, page => 'health'));
  go_to(page => 'overview');
  $browser->wait_for('its state among the others', sub {
    $browser->text('main') =~ /Broken shop\s+First failed/ });
  go_to(page => 'health');
  $browser->wait_for('the note', sub { $browser->text('main') =~ /Note: A webhook endpoint is failing\./ });
  unlike $browser->text('main'), qr/All checks passed/, 'an endpoint that begins to fail is a note';
  axe_ok($browser, 'the health of one organization');
  my $wallet = $service->publish($other->{id}, {name => 'By wallet', required_age_tier => 'min_age_18',
    start => 'ask', nodes => {ask => {type => 'methods', methods => ['mdl'], max_attempts => 1,
      next => {passed => 'yes', exhausted => 'no'}}, yes => {type => 'outcome', status => 'verified'},
      no => {type => 'outcome', status => 'failed'}}});
  log_in('chief');
  go_to(page(org => $other->{id}, page => 'health'));
  $browser->wait_for('the name of a workflow', sub {
    $browser->text('main') =~ /By wallet\s+\Q$wallet->{id}/ });
};

$browser->stop;
finish($service);
