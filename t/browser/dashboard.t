#!/usr/bin/perl
# The dashboard against the service itself, behind a Basic login of httpd: every
# page with what the service has, in both schemes and three widths, by keyboard, and
# for who may less. The page of all parts shows the states that a service seldom has.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use Browser::Axe;
use Browser::Dashboard;
use JSON::PP ();
use Verify::Authority;
use Verify::Dashboard;
use Verify::Test;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

# How often an operator may ask is not the question: the browser asks as fast as it can.
my $service = Verify::Instance->start(start => 0, conf => "VerifyRateLimit secret 1000000\n");
my $organization = $service->organization(workflow => 1, sandbox => 1);
my $id = $organization->{id};
my $dashboard = Verify::Dashboard->prepare($service, chief => 'admin *',
  looker => "auditor $id", nobody => undef);
$service->start_httpd;
my $server = $organization->{client};
my @sessions = map { answer_is $server->post('/v1/verification_sessions', {type => 'age',
  workflow_id => $organization->{workflow_id}, jurisdiction => 'US-VA',
  client_reference_id => "order-$_", skip_verification => $_ == 2 ? \0 : \1}), 201,
  "session $_" } 1 .. 4;
my $held = $sessions[3]{id};
my $endpoint = answer_is $server->post('/v1/webhook_endpoints', {name => 'Shop',
  url => 'https://127.0.0.1:1/webhooks', enabled_events => ['*']}), 201, 'an endpoint';
my $test = answer_is $server->post("/v1/webhook_endpoints/$endpoint->{id}/test", {}), 200,
  'a delivery';
answer_is $server->post("/v1/session_reviews/sessions/$held/flag", {reason => 'Doubts.'}), 200,
  'held';
answer_is $server->post("/v1/verification_sessions/$sessions[1]{id}/test_outcome",
  {value => 'passed'}), 200, 'the second goes its way';
answer_is $server->post('/v1/verification_sessions', {type => 'age', jurisdiction => 'US-VA',
  workflow_id => $organization->{workflow_id}, skip_verification => \1,
  email => 'known@example.com'}), 201, 'of a person who is known';
my $person = answer_is($server->post('/v1/verified_person/lookup',
  {email => 'known@example.com'}), 200)->{verified_person_id};
mkdir "$service->{directory}/$_" or die "$_: $!\n" for qw(authority iaca);
my $authority = Verify::Authority->new("$service->{directory}/authority");
$authority->authority('first', country => 'UT');
$authority->copy_pem('first', "$service->{directory}/iaca/first.pem");
my $trust = $service->verifyctl(qw(trust import --kind iaca --org), $id,
  "$service->{directory}/iaca");
my $event = $server->get('/v1/events')->json->{data}[0];
my %event_words = ('verification_session.verified' => 'Session verified',
  'verification_session.created' => 'Session created', 'verification_session.failed' => 'Session failed');

open my $design, '>:raw', "$service->{directory}/design.html" or die "design.html: $!\n";
print $design scalar qx{"$^X" "$FindBin::Bin/design/page.pl"};
is $?, 0, 'the page of all parts is made';
close $design or die "design.html: $!\n";

my ($enter, $escape) = ("\x{e007}", "\x{e00c}");
my $browser = Browser->start(width => 1280, height => 900);
at_dashboard($browser, $service, $dashboard, $id);

my @pages = (
  [start => 'Overview'],
  [reviews => 'Reviews'],
  [second_reviews => 'Second reviews'],
  [review => 'order-4', id => $held],
  [sessions => 'Sessions'],
  [session => 'order-1', id => $sessions[0]{id}],
  [persons => 'Persons'],
  [person => 'Person', id => $person],
  [endpoints => 'Webhooks'],
  [endpoint => 'Shop', id => $endpoint->{id}],
  [delivery => 'Delivery', id => $test->{delivery_id}, endpoint => $endpoint->{id}],
  [events => 'Events'],
  [keys => 'API keys'],
  [deliveries => 'Deliveries'],
  [usage => 'Usage'],
  [event => $event_words{$event->{type}}, id => $event->{id}],
  [trust_reuse => 'Trust reuse'],
  [trust_lists => 'Trust lists'],
  [trust_list => 'iaca', id => $trust->{id}],
  [audit => 'Audit'],
  [health => 'Health'],
  [settings => 'Settings'],
  [compliance => 'Compliance', place => 'US-VA', use => 'alcohol_delivery'],
);

subtest 'page, files and their headers' => sub {
  my $client = $service->client(undef, headers => {
    Authorization => $dashboard->login('looker')});
  my $moved = $client->get('/dashboard?org=x');
  is $moved->status, 308, 'without its slash it is elsewhere';
  is $moved->header('Location'), '/dashboard/?org=x', 'there, with its state';
  my $page = $client->get('/dashboard/?lang=de');
  is $page->status, 200, 'the page';
  like $page->body, qr/<html lang="de">.*id="texts"/s, 'in the language asked for';
  like $page->header('Content-Security-Policy'),
    qr/\Ascript-src 'self'; default-src 'none';.*require-trusted-types-for/,
    'its policy';
  my ($assets) = $page->body =~ m{"(assets/[0-9a-f]{16})/dashboard\.js"};
  my $script = $client->get("/dashboard/$assets/dashboard.js");
  is $script->header('Cache-Control'), 'public, max-age=31536000, immutable', 'kept';
  my $packed = $client->get("/dashboard/$assets/dashboard.js",
    'Accept-Encoding' => 'gzip, deflate, br, zstd');
  is $packed->header('Content-Encoding'), 'br', 'as small as the browser can read it';
  is $packed->unpacked, $script->body, 'the same';
  is $client->get("/dashboard/$assets/licences.txt")->status, 200, 'the licences';
  error_is $client->get("/dashboard/$assets/none.js"), 404, 'resource_missing';
  my $stranger = $service->client(undef)->get('/dashboard/');
  is $stranger->status, 401, 'nobody without a login';
};

log_in('chief');

subtest 'every page' => sub {
  for my $case (@pages) {
    my ($name, $heading, %state) = @$case;
    go_to(page => $name, %state);
    $browser->wait_for($heading, sub { heading() eq $heading });
    is heading(), $heading, $name;
    ok !$browser->find('main [role=alert]'), 'nothing failed';
    for my $width (390, 1920, 1280) {
      $browser->size($width, 900);
      cmp_ok $browser->run('return document.documentElement.scrollWidth'), '<=', $width,
        "fits $width pixels";
      is $browser->run('return [...document.querySelectorAll(".code-box pre")].filter('
        . '(box) => box.scrollWidth > box.clientWidth).length'), 0, '... and its code the boxes';
    }
    axe_ok($browser, $name);
  }
  is_deeply [map { $_->{message} } $browser->console], [], 'the console is quiet';
  $browser->go("file://$service->{directory}/design.html");
  $browser->wait_for('all parts', sub { $browser->find('main h1') });
  is_deeply $browser->run('return [...document.querySelectorAll(".charted progress")].map('
    . '(bar) => bar.offsetHeight <= 8 && bar.offsetWidth <= 400)'), [(JSON::PP::true) x 15],
    'no bar is huge, be it of twelve months, two or one';
  axe_ok($browser, 'design');
  is_deeply [map { $_->{message} } $browser->console], [], 'the console is quiet';
};

subtest 'filters are the address, and the way back leads back' => sub {
  go_to(page => 'sessions');
  my $rows = sub { $browser->run('return document.querySelectorAll("tbody tr").length') };
  is $rows->(), 5, 'all sessions';
  $browser->run('const s = document.querySelector(".filters select");'
    . 's.value = "verified"; s.dispatchEvent(new Event("change", { bubbles: true }))');
  $browser->wait_for('four rows', sub { $rows->() == 4 });
  like $browser->url, qr/status=verified/, 'in the address';
  $browser->command(POST => '/back');
  $browser->wait_for('five rows', sub { $rows->() == 5 });
  is $rows->(), 5, 'and back';
  $browser->command(POST => '/refresh');
  shown();
  $browser->press('s');
  $browser->wait_for('the search', sub {
    $browser->run('return document.activeElement.type') eq 'search' });
  $browser->press(split(//, 'order-3'), $enter);
  $browser->wait_for('one row', sub { $rows->() == 1 });
  like $browser->url, qr/search=order-3/, 'what is searched for, too';
};

subtest 'the way of a session' => sub {
  go_to(page => 'session', id => $sessions[1]{id});
  $browser->wait_for('the graph', sub { $browser->find('main svg.graph .taken') });
  like $browser->text('main'), qr/Path.*Passed/s, 'its nodes and exits';
  unlike $browser->text('main'), qr/not recorded completely/, 'all of it';
  axe_ok($browser, 'a session with its way');
  for my $width (390, 1920, 1280) {
    $browser->size($width, 900);
    cmp_ok $browser->run('return document.documentElement.scrollWidth'), '<=', $width,
      "fits $width pixels";
  }
};

subtest 'by keyboard alone' => sub {
  go_to(page => 'sessions');
  $browser->press('j') for 1 .. 3;
  my $second = $browser->run('return document.activeElement.closest("tr")'
    . '.querySelectorAll("td")[2].textContent.trim()');
  is $second, 'order-3', 'j goes from row to row';
  $browser->press($enter);
  $browser->wait_for('the session', sub { heading() eq $second });
  $browser->wait_for('its heading', sub {
    $browser->run('return document.activeElement.tagName') eq 'H1' });
  pass 'the heading has the focus';
  $browser->press('?');
  $browser->wait_until_shown('dialog[open]');
  $browser->press($escape);
  $browser->wait_for('no dialog', sub { !$browser->find('dialog[open]') });
  is $browser->run('return document.activeElement.tagName'), 'H1',
    'after a dialog the focus is where it was';
  $browser->press('u');
  $browser->wait_for('UTC', sub { $browser->text('main') =~ /UTC/ });
  $browser->press('u');
  pass 'help and UTC by their keys';
};

subtest 'an endpoint is added, tested and deleted' => sub {
  go_to(page => 'endpoints');
  $browser->click('.head .primary');
  $browser->wait_until_shown('dialog[open]');
  $browser->send_keys('dialog input[type=url]', 'https://added.invalid/');
  $browser->click('dialog .primary');
  $browser->wait_for('its secret', sub { $browser->text('dialog[open]') =~ /whsec_/ });
  $browser->click('dialog .primary');
  $browser->wait_for('two endpoints', sub {
    $browser->run('return document.querySelectorAll("tbody tr").length') == 2 });
  $browser->click('tbody tr:first-child a.row');
  $browser->wait_for('the endpoint', sub { heading() eq 'added.invalid' });
  $browser->click('.head .danger');
  $browser->wait_until_shown('dialog[open]');
  $browser->click('dialog .danger');
  $browser->wait_for('one endpoint', sub { heading() eq 'Webhooks'
    && $browser->run('return document.querySelectorAll("tbody tr").length') == 1 });
  pass 'one is left';
};

subtest 'what an endpoint has missed is recovered' => sub {
  $service->sql(q{UPDATE webhook_delivery SET status = 'failed', next_attempt_at = NULL,
    leased_by = NULL, leased_until = NULL WHERE webhook_endpoint_id = ?}, $endpoint->{id});
  go_to(page => 'endpoint', id => $endpoint->{id});
  my $open = sub {
    $browser->run('[...document.querySelectorAll(".head button")].find('
      . '(one) => one.textContent === "Recover").click()');
    $browser->wait_until_shown('dialog[open]');
  };
  my $field = sub { $browser->run(
    'return document.querySelectorAll("dialog input")[arguments[0]].value', $_[0]) };
  $open->();
  like $field->(0), qr/\A\d{4}-\d\d-\d\dT\d\d:\d\d/, 'since it fails';
  like $field->(1), qr/\A\d{4}-\d\d-\d\dT\d\d:\d\d/, 'until now';
  $browser->wait_for('the address', sub { $browser->url =~ /[?&]from=\d/ });
  axe_ok($browser, 'the window');
  $browser->run('const field = document.querySelector("dialog input");'
    . 'field.value = "2020-01-01T00:00"; field.dispatchEvent(new Event("change"))');
  $browser->wait_for('the other time', sub { $browser->url =~ /from=20(?:19|20)/ });
  $browser->click('dialog .primary');
  $browser->wait_for('what is wrong', sub {
    $browser->text('dialog [role=alert]') =~ /at most 31 days earlier than until/ });
  $browser->press($escape);
  $browser->wait_for('no dialog', sub { !$browser->find('dialog[open]') });
  $open->();
  $browser->click('dialog .primary');
  $browser->wait_for('its end', sub { !$browser->find('dialog[open]')
    && $browser->text('main') =~ /Last recovery\s+Finished.*?: [1-9]\d* queued/s });
  pass 'as it is told';
};

subtest 'a key is made and revoked, a setting changed' => sub {
  go_to(page => 'keys');
  $browser->click('.head .primary');
  $browser->wait_until_shown('dialog[open]');
  $browser->send_keys('dialog input', 'Till');
  $browser->click('dialog .primary');
  $browser->wait_for('its text', sub { $browser->text('dialog[open]') =~ /svc_sk_/ });
  $browser->press($escape, $escape, $escape);
  $browser->run('document.querySelector("dialog").click()');
  like $browser->text('dialog[open]'), qr/svc_sk_/, 'a secret goes by its button alone';
  $browser->click('dialog .actions .primary');
  $browser->wait_for('the row', sub { $browser->text('tbody tr:first-child') =~ /Till/ });
  $browser->click('tbody tr:first-child .danger');
  $browser->wait_until_shown('dialog[open]');
  $browser->click('dialog .danger');
  $browser->wait_for('its end', sub { $browser->text('tbody tr:first-child') =~ /Revoked/ });
  go_to(page => 'settings');
  $browser->wait_until_shown('fieldset');
  $browser->click('fieldset label:nth-of-type(2) input');
  $browser->click('form .primary');
  $browser->wait_for('saved', sub { $browser->text('main') =~ /Saved/ });
  is $service->verifyctl(qw(org four-eyes), $id)->{reject}, JSON::PP::true, 'kept';
  $service->verifyctl(qw(org four-eyes), $id, qw(--reject off));
};

subtest 'every fault of a form is shown' => sub {
  go_to(page => 'endpoints');
  for my $param ('url', 'application_id', 'enabled_events[0]') {
    $browser->click('.head .primary');
    $browser->wait_until_shown('dialog[open]');
    $browser->send_keys('dialog input[type=url]', 'https://refused.invalid/');
    refuse('webhook_endpoints', qq({"error": {"message": "Wrong $param.", "param": "$param"}}));
    $browser->click('dialog .primary');
    $browser->wait_for("the fault of $param", sub {
      $browser->text('dialog[open]') =~ /Wrong \Q$param\E\./ });
    is $browser->run('return document.querySelectorAll("dialog .fault, dialog [role=alert]").length'),
      1, "what is wrong with $param is said, once";
    answer_again();
    $browser->press($escape);
    $browser->wait_for('no dialog', sub { !$browser->find('dialog[open]') });
  }
};

subtest 'long names push nothing out of its table' => sub {
  my $name = 'Donaudampfschiffahrtselektrizitaetenhauptbetriebswerk' x 2;
  my $session = answer_is $server->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US-VA',
    client_reference_id => $name, skip_verification => \1}), 201, 'a session';
  answer_is $server->post("/v1/session_reviews/sessions/$session->{id}/flag",
    {reason => 'undetermined'}), 200, 'held';
  my $long = answer_is $server->post('/v1/webhook_endpoints', {name => substr($name, 0, 100),
    url => 'https://127.0.0.1:1/long', enabled_events => ['*']}), 201, 'an endpoint';
  for my $language (qw(de en)) {
    $browser->run('localStorage.setItem("idv-dashboard-language", arguments[0])', $language);
    for my $page (qw(reviews endpoints keys start sessions)) {
      go_to(page => $page);
      $browser->wait_for('its rows', sub { $browser->find('tbody tr') });
      for my $width (390, 1280) {
        $browser->size($width, 900);
        is $browser->run('return [...document.querySelectorAll(".table")].filter('
          . '(table) => table.scrollWidth > table.clientWidth).length'), 0,
          "$page, $language, $width";
      }
    }
    for my $at ([endpoint => $long->{id}], [review => $session->{id}]) {
      $browser->size(390, 900);
      go_to(page => $at->[0], id => $at->[1]);
      $browser->wait_for('its heading', sub { heading() =~ /\ADonau/ });
      cmp_ok $browser->run('return document.documentElement.scrollWidth'), '<=', 390,
        "its heading fits, $at->[0]";
    }
  }
  $browser->size(1280, 900);
  unlike $browser->text('main .stakes'), qr/undetermined/, 'a doubt is told in words';
  answer_is $server->delete("/v1/webhook_endpoints/$long->{id}"), 200, 'it is deleted';
  answer_is $server->post("/v1/verification_sessions/$session->{id}/cancel", {}), 200, 'and ended';
};

subtest 'from an event to its deliveries' => sub {
  go_to(page => 'event', id => $event->{id});
  $browser->click('.head .actions a');
  $browser->wait_for('its own', sub { heading() eq 'Deliveries'
    && $browser->find("tbody a[href*='id=$event->{id}']") });
  like $browser->url, qr/event=$event->{id}/, 'which its address says';
  my $of = sub { $browser->run('return [...new Set([...document.querySelectorAll('
    . '"tbody a[href*=\'page=event\']")].map((a) => new URL(a.href).searchParams.get("id")))]') };
  is_deeply $of->(), [$event->{id}], 'and of no other event';
  $browser->run('const search = document.querySelector("[data-search]");'
    . 'search.value = arguments[0]; search.form.requestSubmit()', 'evt_' . 'z' x 26);
  $browser->wait_for('none', sub { $browser->find('main .state') });
  like $browser->text('main'), qr/Nothing matches/, 'of one that is not there none';
};

subtest 'a way that is wider than its place' => sub {
  my %wide = (name => 'Wide', start => 'screen', nodes => {
    screen => {type => 'checks', checks => ['ip_analysis'],
      next => {map { $_ => "id-$_" } qw(low medium high)}},
    (map { my $risk = $_;
      ("id-$risk" => {type => 'methods', methods => ['document_capture'],
        next => {passed => "granted-$risk", exhausted => "denied-$risk"}},
      "granted-$risk" => {type => 'outcome', status => 'verified'},
      "denied-$risk" => {type => 'outcome', status => 'failed'}) } qw(low medium high))});
  my $session = answer_is $server->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $service->publish($id, \%wide)->{id}, jurisdiction => 'US-CA'}), 201, 'wide';
  answer_is $server->post("/v1/verification_sessions/$session->{id}/test_outcome",
    {value => 'passed'}), 200, 'which goes its way';
  go_to(page => 'session', id => $session->{id});
  $browser->wait_for('its graph', sub { $browser->find('main svg.graph .taken') });
  ok $browser->run('const canvas = document.querySelector(".canvas");'
    . 'return canvas.scrollWidth > canvas.clientWidth'), 'it is scrolled at 1280 pixels';
  ok $browser->run('const [canvas, step] = [".canvas", ".canvas .on"].map((one) =>'
    . ' document.querySelector(one).getBoundingClientRect());'
    . 'return step.left >= canvas.left && step.right <= canvas.right'), 'to where it ended';
  like $browser->run('return getComputedStyle(document.querySelector(".canvas"))'
    . '.backgroundAttachment'), qr/local.*scroll/, '... with a shade where there is more';
};

subtest 'what a rule rests on' => sub {
  go_to(page => 'compliance', place => 'US-VA', use => 'alcohol_delivery');
  $browser->wait_for('how sure it is', sub {
    $browser->text('main') =~ /Sources and confidence: (?:high|medium|low) confidence/ });
  ok !$browser->find('main details.more[open]'), 'told when it is asked for';
  $browser->click('main details.more summary');
  ok $browser->find('main details.more a[href^="https://"]'), 'its sources, with their addresses';
  like $browser->text('main'), qr{Checked on .*US\.json/}s, 'when, and where that stands';
  is $browser->text('main h2'), 'Virginia (United States)', 'the place in words';
  axe_ok($browser, 'the sources of a rule');
  $browser->run('const place = document.querySelector("[name=place]"); place.value = "Atlantis";'
    . 'place.dispatchEvent(new Event("input", { bubbles: true }))');
  $browser->click('form .primary');
  $browser->wait_for('the fault', sub { $browser->find('form .fault') });
  is $browser->run('return `${document.activeElement.name}: ${document.querySelector("form .fault")'
    . '.textContent}`'), 'place: This value is not accepted.',
    'what is no place is told in the words of the page';
  go_to(page => 'compliance', place => 'ZZ', use => 'alcohol_delivery');
  $browser->wait_for('the fault', sub { $browser->find('form .fault[role=alert]') });
  is scalar(@{$browser->run('return [...document.querySelectorAll("main [role=alert]")]')}), 1,
    'a place that is not known is told once, at its field';
  go_to(page => 'compliance', place => 'US', use => 'alcohol_delivery');
  $browser->wait_for('the rule', sub { $browser->text('main') =~ /Consent required/ });
  like $browser->text('main'), qr/Consent required\s+Unknown/, 'what is not known is not said to be none';
  like $browser->text('main'), qr/Physical check\s+Yes/, 'what is checked by hand is told';
  like $browser->text('main'), qr/Type of penalty\s+Civil and criminal/, 'penalties have words';
};

subtest 'the way on' => sub {
  go_to(page => 'nothing');
  is heading(), 'Not found', 'a page that is not there';
  like $browser->text('main'), qr/no page .nothing.*Overview.*Reviews.*Sessions.*Health/s,
    'is told with those that are';
  axe_ok($browser, 'a page that is not there');
  go_to(page => 'overview');
  is heading(), 'Overview', 'the overview by its own name';
  is $browser->text('#ways [aria-current]'), 'Overview', '... and its entry';
  go_to(page => 'constructor');
  is heading(), 'Not found', 'nor is there one of a name that all objects know';
  $browser->click('main a');
  $browser->wait_for('the overview', sub { heading() eq 'Overview' });
  $browser->click('details.menu summary');
  my $zones = $browser->run('return [...document.querySelectorAll("details.menu label")].find('
    . '(l) => l.textContent === "Time zone").parentNode.querySelector("select").textContent');
  is scalar(() = $zones =~ /UTC/g), 1, 'UTC is offered once';
  my $live = $service->organization;
  $browser->size(390, 900);
  go_to(page(org => $live->{id}, page => 'sessions'));
  $browser->wait_for('the request', sub { $browser->find('.code-box pre') });
  ok $browser->wait_for('the first step', sub {
    $browser->find('main .state .primary[href*="page=workflows"]') }),
    'without a workflow, one is made first';
  $browser->click('main .state summary');
  is $browser->run('return [...document.querySelectorAll(".code-box pre")].filter('
    . '(box) => box.scrollWidth > box.clientWidth).length'), 0, 'it is shown whole';
  my $fresh = answer_is $live->{client}->post('/v1/webhook_endpoints', {name => 'Fresh',
    url => 'https://fresh.example/', enabled_events => ['*']}), 201, 'an endpoint';
  for my $case ((map { [$_] } qw(trust_reuse workflows trust_lists usage oidc_clients)),
      [endpoint => $fresh->{id}]) {
    my ($page, $of) = @$case;
    go_to(page(org => $live->{id}, page => $page, $of ? (id => $of) : ()));
    $browser->wait_for("the action on $page", sub { $browser->find('main .state button') });
    ok !$browser->find('.code-box pre'), "instead of a command on $page";
  }
  go_to(page(org => $live->{id}, page => 'trust_lists'));
  $browser->wait_until_shown('main .state button');
  $browser->click('main .state button');
  $browser->wait_until_shown('dialog[open] textarea');
  $browser->run('document.querySelector("dialog[open] header button").click()');
  answer_is $live->{client}->delete("/v1/webhook_endpoints/$fresh->{id}"), 200, 'no endpoint';
  for my $case ([sessions => 'keys'], [deliveries => 'endpoints'], [events => 'sessions']) {
    go_to(page(org => $live->{id}, page => $case->[0]));
    ok $browser->find("main .state a[href*='page=$case->[1]']"), "the way on from $case->[0]";
  }
  go_to(page(org => $live->{id}, page => 'endpoints'));
  ok $browser->find('main .state button'), 'the action on endpoints';
  $browser->size(1280, 900);
  go_to(page(org => $live->{id}, page => 'start'));
  $browser->wait_for('what is left', sub { $browser->text('.tiles') =~
    /100\s+Free verifications left this month\. Credits: 0/ });
  ok !$browser->find('.tile.bad'), 'none of it is a fault';
};

subtest 'who may less sees less' => sub {
  log_in('looker');
  $browser->go($service->base_url_tls . '/dashboard/');
  $browser->wait_for('the only organization', sub { $browser->url =~ /org=\Q$id\E/ });
  shown();
  unlike $browser->text('#ways'), qr/Persons/, 'an auditor looks nobody up';
  go_to(page => 'persons');
  like $browser->text('main'), qr/Your role does not allow this/, 'and is told so';
  go_to(page => 'endpoint', id => $endpoint->{id});
  $browser->wait_for('the endpoint', sub { heading() eq 'Shop' });
  ok !$browser->find('.head .actions button'), 'and changes nothing';
  $service->verifyctl(qw(org disable), $id);
  go_to(page => 'health');
  $browser->wait_for('the finding', sub { $browser->text('main') =~ /Tell whoever operates this service/ });
  unlike $browser->text('main'), qr/org enable/, 'what only an operator can do is not told to others';
  like $browser->text('main'), qr/\AThis organization is disabled/, 'every page says it first';
  unlike $browser->text('main'), qr/certificates/, 'an auditor of one learns nothing of the server';
  $service->verifyctl(qw(org enable), $id);
  go_to(page(org => 'org_01ARZ3NDEKTSV4RRFFQ69G5FAV'));
  $browser->wait_until_shown('[role=alert]');
  like $browser->text('main'), qr/req_/, 'what is refused names its request';
  log_in('nobody');
  go_to('/dashboard/');
  like $browser->text('main'), qr/VerifyOperator \w+ \S+ user nobody/,
    'nobody has a role: what to write';
};

finish $service;
