#!/usr/bin/perl
# The dashboard against the service itself, behind a Basic login of httpd: every
# page with what the service has, in both schemes and three widths, by keyboard, and
# for who may less. Its design page shows the states that a service seldom has.
use v5.32;
use warnings;
use File::Temp ();
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use Browser::Axe;
use JSON::PP ();
use Verify::Authority;
use Verify::Dashboard;
use Verify::Made;
use Verify::Test;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

# How often an operator may ask is not the question: the browser asks as fast as it can.
my $service = Verify::Instance->start(start => 0, conf => "VerifyRateLimit secret 1000000\n");
my $organization = $service->organization(workflow => 1, sandbox => 1);
my $id = $organization->{id};
my $dashboard = Verify::Dashboard->prepare($service, chief => 'admin *',
  deputy => "admin $id", third => "reviewer $id", looker => "auditor $id", nobody => undef);
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

# A session whose document waits for a reviewer.
my %reviewed = (name => 'Held', required_age_tier => 'min_age_21', start => 'id', nodes => {
  id => {type => 'methods', methods => ['document_capture'], max_attempts => 1,
    next => {passed => 'hold', exhausted => 'hold'}},
  hold => {type => 'review', next => {approved => 'granted', rejected => 'denied'}},
  granted => {type => 'outcome', status => 'verified'},
  denied => {type => 'outcome', status => 'failed'}});
sub photographed {
  my $workflow = $service->publish($id, \%reviewed)->{id};
  my $images = File::Temp->newdir;
  Verify::Made::into("$images", '/usr/bin/python3', 't/lib/specimen_barcodes.py', '--each', 1,
    '--only', 'straight', '--issuer', 'test', '{}');
  my ($file) = (sort glob("$images/*.jpg"), glob("$images/*.png"));
  my $session = answer_is $server->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $workflow, jurisdiction => 'US-CA'}), 201, 'a session';
  my $client = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}";
  $client->post("$path/open", {});
  $client->post("$path/consent", {consent => JSON::PP::true});
  answer_is $client->put("$path/images/front", Verify::Instance::read_text($file),
    'Content-Type' => 'image/jpeg'), 200, 'photographed';
  answer_is $client->post("$path/submissions",
    {method => 'document_capture', images => ['front']}), 200, 'submitted';
  ok wait_for { $client->get($path)->json->{status} eq 'under_review' }, 'held';
  return $session->{id};
}

my ($tab, $enter, $escape) = ("\x{e004}", "\x{e007}", "\x{e00c}");
my $browser = Browser->start(width => 1280, height => 900);
my $base = $service->base_url_tls;

sub page {
  my (%state) = @_;
  return "/dashboard/?" . join '&', map { "$_=$state{$_}" } sort keys %state;
}
sub shown { $browser->wait_for('the page', sub {
  $browser->run('return !!document.querySelector("main h1")'
    . ' && !document.querySelector("main:not(:has(.design)) .skeleton")') }) }
sub go_to {
  my ($path) = @_;
  $browser->go("$base$path");
  shown();
}
sub heading { $browser->text('main h1') }
# Chromium may begin the next page in another process, which learns of the header a
# little later: asked until the service knows the user.
sub log_in {
  my ($user) = @_;
  $browser->chromium('Network.enable');
  $browser->chromium('Network.setExtraHTTPHeaders', headers => {
    Authorization => $dashboard->login($user)});
  $browser->wait_for("the login of $user", sub {
    $browser->go("$base/dashboard/v1/me");
    $browser->run('return document.body.textContent') =~ /"user":\s*"$user"/ });
  $browser->console;
}

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
  [event => $event->{type}, id => $event->{id}],
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
  is $client->get("/dashboard/$assets/licences.txt")->status, 200, 'the licences';
  error_is $client->get("/dashboard/$assets/none.js"), 404, 'resource_missing';
  my $stranger = $service->client(undef)->get('/dashboard/');
  is $stranger->status, 401, 'nobody without a login';
};

log_in('chief');

subtest 'every page' => sub {
  for my $case (@pages) {
    my ($name, $heading, %state) = @$case;
    go_to(page(org => $id, page => $name, %state));
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
  go_to(page(page => 'design'));
  is_deeply $browser->run('return [...document.querySelectorAll(".charted progress")].map('
    . '(bar) => bar.offsetHeight <= 8 && bar.offsetWidth <= 400)'), [(JSON::PP::true) x 15],
    'no bar is huge, be it of twelve months, two or one';
  axe_ok($browser, 'design');
  is_deeply [map { $_->{message} } $browser->console], [], 'the console is quiet';
};

subtest 'filters are the address, and the way back leads back' => sub {
  go_to(page(org => $id, page => 'sessions'));
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
  $browser->press('/');
  $browser->wait_for('the search', sub {
    $browser->run('return document.activeElement.type') eq 'search' });
  $browser->press(split(//, 'order-3'), $enter);
  $browser->wait_for('one row', sub { $rows->() == 1 });
  like $browser->url, qr/search=order-3/, 'what is searched for, too';
};

subtest 'the way of a session' => sub {
  go_to(page(org => $id, page => 'session', id => $sessions[1]{id}));
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
  go_to(page(org => $id, page => 'sessions'));
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
  go_to(page(org => $id, page => 'endpoints'));
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
  go_to(page(org => $id, page => 'endpoint', id => $endpoint->{id}));
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
  like $browser->url, qr/[?&]from=\d/, 'the address has it';
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
  go_to(page(org => $id, page => 'keys'));
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
  go_to(page(org => $id, page => 'settings'));
  $browser->wait_until_shown('fieldset');
  $browser->click('fieldset label:nth-of-type(2) input');
  $browser->click('form .primary');
  $browser->wait_for('saved', sub { $browser->text('main') =~ /Saved/ });
  is $service->verifyctl(qw(org four-eyes), $id)->{reject}, JSON::PP::true, 'kept';
  $service->verifyctl(qw(org four-eyes), $id, qw(--reject off));
};

subtest 'a held session is taken, looked at and decided' => sub {
  go_to(page(org => $id, page => 'start'));
  $browser->wait_for('how much waits', sub { $browser->text('#ways .count') eq '1' });
  go_to(page(org => $id, page => 'reviews'));
  $browser->click('.head .primary');
  $browser->wait_for('the session', sub { heading() eq 'order-4' });
  $browser->wait_for('the claim', sub { $browser->find('.head .actions .danger') });
  like $browser->text('main'), qr/Doubts\./, 'why it is held';
  go_to(page(org => $id, page => 'session', id => $held));
  like $browser->text('main'), qr/shown after the review/, 'of what was found nothing is said';
  $browser->command(POST => '/back');
  $browser->wait_for('the claim', sub { $browser->find('.head .actions .danger') });
  my $focused = 'return document.activeElement.textContent.trim()';
  for (['.quiet', qr/\AClaim/], ['.primary', qr/\ARelease/]) {
    my ($button, $next) = @$_;
    $browser->click(".head .actions $button");
    $browser->wait_for("the focus on $next", sub { $browser->run($focused) =~ $next });
  }
  like $browser->text('.head'), qr/in 3 days/, 'three days are not two';
  like $browser->text('.stakes'), qr/You have claimed it until/, 'and until when it is his';
  my $shortcuts = sub {
    $browser->run('localStorage.setItem("idv-dashboard-shortcuts", arguments[0])', $_[0]);
    $browser->command(POST => '/refresh');
    $browser->wait_for('what can be decided', sub { $browser->find('.head .actions .danger') });
    $browser->press('r');
  };
  $shortcuts->('off');
  is $browser->run('return new Promise((done) => setTimeout(() => done('
    . 'document.querySelectorAll("dialog").length)))'), 0, 'keys that are switched off do nothing';
  $shortcuts->('on');
  $browser->wait_until_shown('dialog[open]');
  $browser->run('document.querySelector("dialog").click()');
  ok $browser->find('dialog[open]'), 'a click beside a dialog closes nothing';
  $browser->click('dialog .danger');
  is $server->get("/v1/verification_sessions/$held")->json->{status}, 'under_review',
    'nothing is decided without a reason';
  $browser->click('dialog select option[value=fraud_suspected]');
  $browser->click('dialog .danger');
  $browser->wait_for('the decision', sub { $browser->text('.head .title') =~ /Failed/ });
  is $server->get("/v1/verification_sessions/$held")->json->{status}, 'failed', 'rejected';
  $browser->wait_for('the focus on the way back', sub {
    $browser->run($focused) eq 'Back to reviews' });
  like $browser->text('.head .actions .primary'), qr{\ATake the next one}, 'and the way on';
  like $browser->text('main'), qr/Reason for the hold/, 'which it is no more';
  go_to(page(org => $id, page => 'audit'));
  like $browser->text('tbody tr:first-child'), qr/\AReview decided\s+Rejected.*chief/s,
    'and recorded, which is told in words';
  unlike $browser->text('tbody'), qr{dashboard/v1}, 'no record speaks in routes';
  ok $browser->find("tbody tr:first-child a[href*='page=review&id=$held']"),
    'and leads to what was decided';
  like $browser->text('main'), qr/audit verify --org $id/, 'how the chain is proven';
  my $export = sub { $browser->run('return document.querySelector("main a[download]")'
    . '.getAttribute("href").replace(/.*\\/v1\\//, "")') };
  is $export->(), "organizations/$id/audit/export", 'all can be exported';
  is $browser->run_async('const done = arguments[0]; fetch(document.querySelector('
    . '"main a[download]").href).then((a) => a.text()).then((text) => done('
    . 'JSON.parse(JSON.parse(text.trim().split("\\n").pop()).entry).actor))'), 'chief',
    'by whoever sees the page';
  go_to(page(org => $id, page => 'audit', by => 'actor', search => 'chief',
    from => '2026-01-01T00:00'));
  like $export->(), qr/export\?actor=chief&created_gte=\d+\z/, 'or what is looked at';
  go_to(page(org => $id, page => 'audit'));
  $browser->size(390, 900);
  is $browser->run('const t = document.querySelector(".table");'
    . 'return t.scrollWidth - t.clientWidth'), 0, 'what is shown on a phone is shown whole';
  $browser->size(1280, 900);
  $browser->click('tbody tr:first-child .as-link');
  $browser->wait_until_shown('dialog[open]');
  like $browser->text('dialog[open]'), qr{reviews/:id/decide}, 'as it was recorded';
  axe_ok($browser, 'a record');
  $browser->click('dialog a[href*="by=action"]');
  $browser->wait_for('others of these', sub { !$browser->find('dialog[open]')
    && $browser->run('return document.querySelectorAll("tbody tr").length') == 1 });
  like $browser->text('tbody'), qr/Review decided/, 'one record is like it';
};

# Answers for the service until the page is left: the next requests that have PART in
# their address fail with BODY.
sub refuse {
  my ($part, $body) = @_;
  $browser->run('const [part, body] = arguments; window.asked = window.asked || window.fetch;'
    . 'window.fetch = (...all) => String(all[0]).includes(part) ? Promise.resolve('
    . 'new Response(body, { status: 400 })) : window.asked(...all)', $part, $body);
}

subtest 'evidence is shown whole, and a fault leaves with what it was about' => sub {
  my $session = photographed();
  answer_is $dashboard->client('chief')->post("/dashboard/v1/organizations/$id/reviews/"
    . "$session/claim", {}), 200, 'claimed';
  go_to(page(org => $id, page => 'review', id => $session));
  like $browser->text('main'), qr/Required age\s+21\s+Age as read\s+old enough/,
    'the age that is demanded, and whether it was read to be enough';
  my $choose = sub { $browser->run('const s = document.querySelector("[name=look]");'
    . 's.value = arguments[0]; s.dispatchEvent(new Event("change", { bubbles: true }))', $_[0]) };
  $browser->wait_until_shown('[name=look]');
  refuse('/evidence/', '{"error": {"message": "Not now."}}');
  $choose->('review');
  $browser->wait_for('the refusal', sub { $browser->text('.picture') eq 'The request was refused' });
  $choose->('');
  $browser->wait_for('no fault', sub { $browser->text('.picture') =~ /Hidden until/ });
  $browser->run('window.fetch = window.asked');
  $choose->('complaint');
  $browser->wait_for('the picture', sub { $browser->run(
    'const i = document.querySelector(".picture img"); return !!i && i.naturalWidth > 0') });
  is $browser->run('const [b, i] = ["div.picture", ".picture img"].map((s) => '
    . 'document.querySelector(s).getBoundingClientRect());'
    . 'return i.top >= b.top && i.bottom <= b.bottom && i.left >= b.left && i.right <= b.right'),
    JSON::PP::true, 'nothing of it is cut off';
  my $press = sub { $browser->run('[...document.querySelectorAll(".head button")].find('
    . '(one) => one.textContent === arguments[0]).click()', $_[0]) };
  my $address;
  my $look = sub {
    $browser->wait_until_shown('[name=look] option[value=review]:not(:disabled)');
    $choose->('review');
    $browser->wait_for('the picture', sub { $address = $browser->run(
      'const i = document.querySelector(".picture img"); return i && i.naturalWidth > 0 && i.src') });
  };
  my $gone = sub {
    my ($why) = @_;
    $browser->wait_for("no picture, $why", sub { $browser->text('.picture') =~ /Hidden until/ });
    ok !$browser->find('main img, dialog'), $why;
    is $browser->run('return document.querySelector("[name=look]").value'), '',
      'another look is asked for';
  };
  $browser->run('window.revoked = []; const end = URL.revokeObjectURL;'
    . 'URL.revokeObjectURL = (one) => { window.revoked.push(one); end.call(URL, one); }');
  $look->();
  $press->('Release');
  $gone->('released');
  ok $browser->run('return window.revoked.includes(arguments[0])', $address), 'nobody can get it';
  $browser->wait_for('it is free', sub { $browser->text('.head .actions') =~ /Claim/ });
  $press->('Claim');
  $look->();
  $browser->click('.lens button:last-child');
  $browser->wait_until_shown('dialog img');
  $service->sql('UPDATE review_claim SET expires_at = 1 WHERE session_id = ?', $session);
  $gone->('run out');
  $browser->wait_for('it is free', sub { $browser->text('.head .actions') =~ /Claim/ });
  $press->('Claim');
  $look->();
  $service->sql('UPDATE review_claim SET expires_at = ? WHERE session_id = ?',
    1000 * (time + 8), $session);
  go_to(page(org => $id, page => 'review', id => $session));
  $look->();
  my $connected = sub { $browser->chromium('Network.emulateNetworkConditions', offline => $_[0],
    latency => 0, downloadThroughput => -1, uploadThroughput => -1) };
  $connected->(JSON::PP::true);
  $gone->('run out, while the service cannot be asked');
  $connected->(JSON::PP::false);
  answer_is $dashboard->client('chief')->post("/dashboard/v1/organizations/$id/reviews/"
    . "$session/claim", {}), 200, 'claimed again';
  answer_is $dashboard->client('chief')->post("/dashboard/v1/organizations/$id/reviews/"
    . "$session/decide", {decision => 'reject', reason_code => 'document_forged'}), 200, 'rejected';
  go_to(page(org => $id, page => 'session', id => $session));
  $browser->wait_for('what came of it', sub { $browser->text('main') =~ /Failed/ });
  unlike $browser->text('main'), qr/Nothing was shown/i, 'what was read is not denied';
  like $browser->text('main'), qr/Source\s+Request/, 'by what its place was found, in words';
  $browser->wait_for('who it was', sub { $browser->text('.note.bad') =~
    /chief \S The document is forged/ });
  unlike $browser->text('.note.bad'), qr/nobody decided/, 'and nothing that did not happen';
  my $late = answer_is $server->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US-VA',
    skip_verification => \1}), 201, 'another';
  answer_is $server->post("/v1/session_reviews/sessions/$late->{id}/flag", {}), 200, 'held';
  $service->sql('UPDATE verification_session SET review_deadline_at = 1 WHERE id = ?', $late->{id});
  ok wait_for { $server->get("/v1/verification_sessions/$late->{id}")->json->{status}
    eq 'failed' }, 'nobody decides';
  go_to(page(org => $id, page => 'session', id => $late->{id}));
  $browser->wait_for('that', sub { $browser->text('.note.bad') =~ /^Timed out/m });
};

subtest 'every fault of a form is shown' => sub {
  go_to(page(org => $id, page => 'endpoints'));
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
    $browser->run('window.fetch = window.asked');
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
      go_to(page(org => $id, page => $page));
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
      go_to(page(org => $id, page => $at->[0], id => $at->[1]));
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
  go_to(page(org => $id, page => 'event', id => $event->{id}));
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
  go_to(page(org => $id, page => 'session', id => $session->{id}));
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
  go_to(page(org => $id, page => 'compliance', place => 'US-VA', use => 'alcohol_delivery'));
  $browser->wait_for('how sure it is', sub {
    $browser->text('main') =~ /Sources and confidence: (?:high|medium|low) confidence/ });
  ok !$browser->find('main details.more[open]'), 'told when it is asked for';
  $browser->click('main details.more summary');
  ok $browser->find('main details.more a[href^="https://"]'), 'its sources, with their addresses';
  like $browser->text('main'), qr{Checked on .*US\.json/}s, 'when, and where that stands';
  axe_ok($browser, 'the sources of a rule');
};

subtest 'how reviews ended' => sub {
  go_to(page(org => $id, page => 'reviews'));
  $browser->click('.tabs a:last-child');
  $browser->wait_for('some', sub { $browser->find('tbody tr') });
  like $browser->url, qr/tab=decided/, 'as the address says';
  like $browser->text('main table'), qr/Cancelled|Approved|Rejected/, 'how';
  ok !$browser->find('main input[type=checkbox]'), 'nobody takes them any more';
  axe_ok($browser, 'reviews that ended');
};

subtest 'the way on' => sub {
  go_to(page(org => $id, page => 'nothing'));
  is heading(), 'Not found', 'a page that is not there';
  $browser->click('main a');
  $browser->wait_for('the overview', sub { heading() eq 'Overview' });
  $browser->click('details.menu summary');
  my $zones = $browser->run('return [...document.querySelectorAll("details.menu label")].find('
    . '(l) => l.textContent === "Time zone").parentNode.querySelector("select").textContent');
  is scalar(() = $zones =~ /UTC/g), 1, 'UTC is offered once';
  my $live = $service->organization;
  $browser->size(390, 900);
  for my $page (qw(trust_lists sessions)) {
    go_to(page(org => $live->{id}, page => $page));
    $browser->wait_for("the command on $page", sub { $browser->find('.code-box pre') });
    is $browser->run('return [...document.querySelectorAll(".code-box pre")].filter('
      . '(box) => box.scrollWidth > box.clientWidth).length'), 0, "it is shown whole on $page";
  }
  for my $page (qw(trust_reuse workflows)) {
    go_to(page(org => $live->{id}, page => $page));
    $browser->wait_for("the action on $page", sub { $browser->find('main .state button') });
    ok !$browser->find('.code-box pre'), "instead of a command on $page";
  }
  $browser->size(1280, 900);
  go_to(page(org => $live->{id}, page => 'start'));
  $browser->wait_for('what is left', sub { $browser->text('.tiles') =~
    /100\s+Free verifications left this month\. Credits: 0/ });
  ok !$browser->find('.tile.bad'), 'none of it is a fault';
};

# Chief decides, deputy decides again, and whoever is third says who was right.
subtest 'a decision is made again by somebody who does not know it' => sub {
  my ($first, $own) = ($dashboard->client('chief'), "/dashboard/v1/organizations/$id");
  my @reviews = map { photographed() } 1 .. 2;
  $service->verifyctl(qw(review sample --org), $id, qw(--percent 100));
  for my $session (@reviews) {
    answer_is $first->post("$own/reviews/$session/claim", {}), 200, 'claimed';
    answer_is $first->post("$own/reviews/$session/decide", {decision => 'approve',
      reason_code => 'evidence_convincing'}), 200, 'decided';
  }
  $service->verifyctl(qw(review sample --org), $id, qw(--percent 0));
  go_to(page(org => $id, page => 'second_reviews'));
  $browser->wait_for('none', sub { $browser->text('main') =~ /No open reviews/ });
  pass 'who has decided is not asked again';
  log_in('deputy');
  my $decide = sub {
    my ($button, $reason) = @_;
    go_to(page(org => $id, page => 'reviews'));
    $browser->click('.head a[href*=second_reviews]');
    $browser->wait_until_shown('tbody a.row');
    $browser->click('tbody tr:last-child a.row');
    $browser->wait_until_shown('[name=look]');
    my $seen = $browser->run('return document.querySelector("main").innerHTML');
    unlike $seen, qr/$_/, 'nothing tells of the first decision' for @reviews, 'chief', 'Approved';
    $browser->click('[name=look] option[value=review]');
    $browser->wait_for('the picture', sub { $browser->run(
      'const i = document.querySelector(".picture img"); return !!i && i.naturalWidth > 0') });
    axe_ok($browser, 'one of them');
    $browser->click(".head .actions .$button");
    $browser->wait_until_shown('dialog[open]');
    ok !$browser->find("dialog $_"), "no $_" for 'textarea', 'option[value^=other_]';
    $browser->click("dialog option[value=$reason]");
    $browser->click("dialog .$button");
    $browser->wait_for('what was decided', sub { $browser->text('main') =~ /First decision/ });
    return $browser->text('main');
  };
  like $decide->(qw(primary signal_explained)), qr/Both decisions are the same.*chief.*deputy/s, 'alike';
  ok !$browser->find('.head .actions button'), 'there is nothing more to decide';
  my ($told) = $browser->url =~ /[?&]id=(\w+)/;
  like $decide->(qw(danger document_forged)),
    qr/two decisions differ.*third person.*Approve\s+chief.*Reject\s+deputy/s, 'differently';
  # As the browser's way back leads from one to another.
  $browser->run('history.pushState(null, "", location.search.replace(/id=\\w+/, "id=" + arguments[0]));'
    . 'dispatchEvent(new PopStateEvent("popstate"))', $told);
  $browser->wait_for('the other', sub { $browser->find('main [role=alert]') });
  unlike $browser->text('main'), qr/decisions differ/, 'what is told of one is not told of another';
  go_to(page(org => $id, page => 'second_reviews', tab => 'disagreed'));
  $browser->wait_for('what differs', sub { $browser->find('tbody td') });
  ok !$browser->find('tbody button'), 'who decided either is not asked which was right';
  like $browser->text('tbody'), qr/third person/, 'and told why';
  log_in('third');
  go_to(page(org => $id, page => 'second_reviews', tab => 'disagreed'));
  $browser->wait_until_shown('tbody td:last-child button');
  like $browser->text('main'), qr/Agreed\s+1 \(50\s?%\)/, 'how far they agree';
  axe_ok($browser, 'what differs');
  $browser->click('tbody td:last-child button');
  $browser->wait_until_shown('dialog[open]');
  like $browser->text('dialog .primary'), qr/\AReject is right\z/, 'it is asked about';
  $browser->click('dialog .primary');
  $browser->wait_for('none', sub { $browser->text('main') =~ /No open reviews/ });
  is $service->sql_value('SELECT settled_decision FROM second_review WHERE settled_by IS NOT NULL'),
    'reject', 'settled';
  log_in('looker');
  go_to(page(org => $id, page => 'second_reviews'));
  $browser->wait_for('the figures', sub { $browser->text('main') =~ /Compared pairs\s+2/ });
  ok !$browser->find('.tabs'), 'an auditor sees the figures alone';
  log_in('chief');
};

subtest 'a person is erased by two' => sub {
  $service->verifyctl(qw(org four-eyes), $id, qw(--erase on));
  my $erase = sub {
    my ($what, $done) = @_;
    go_to(page(org => $id, page => 'persons'));
    $browser->send_keys('main input[type=email]', 'known@example.com');
    $browser->click('main form .primary');
    $browser->wait_until_shown('main .inside a.code');
    $browser->click('main .inside a.code');
    $browser->wait_for('the person', sub { heading() eq 'Person'
      && $browser->find('.head .danger') });
    is $browser->text('.head .danger'), $what, $what;
    $browser->click('.head .danger');
    $browser->wait_until_shown('dialog[open]');
    like $browser->text('dialog[open]'), qr/erases identifiers.*cannot be undone.*remain/s,
      'what goes and what stays is said before';
    axe_ok($browser, $what);
    $browser->click('dialog .danger');
    $browser->wait_for('no dialog', sub { !$browser->find('dialog[open]') });
    $browser->wait_for($done, sub { $browser->text('main') =~ $done });
  };
  $service->verifyctl(qw(org four-eyes), $id, qw(--erase off));
  go_to(page(org => $id, page => 'person', id => $person));
  $browser->wait_until_shown('.head .danger');
  my $question = sub {
    my ($yes, $name) = @_;
    $browser->click('.head .danger');
    $browser->wait_until_shown('dialog[open]');
    is $browser->text('dialog .danger'), $yes, $name;
    my $said = $browser->text('dialog[open]');
    $browser->press($escape);
    $browser->wait_for('no dialog', sub { !$browser->find('dialog[open]') });
    return $said;
  };
  unlike $question->('Erase', 'one is enough'), qr/Somebody else/, 'nobody else is promised';
  $service->verifyctl(qw(org four-eyes), $id, qw(--erase on));
  like $question->('Request the erasure', 'two are needed from now on'), qr/Somebody else must confirm/,
    'though the page was loaded before';
  my $erasure = "/dashboard/v1/organizations/$id/persons/$person/erase";
  answer_is $dashboard->client('deputy')->post($erasure, {}), 200, 'somebody asks meanwhile';
  unlike $question->('Confirm the erasure', 'so it would be confirmed'), qr/Somebody else must confirm/,
    'and nobody after';
  answer_is $dashboard->client('deputy')->delete("/dashboard/v1/organizations/$id"
    . "/erasure_requests/$person", 'Content-Type' => 'application/json'), 200, 'taken back';
  $erase->('Request the erasure', qr/Erasure requested\s+chief/);
  $browser->click('.head .actions .secondary');
  $browser->wait_for('no request', sub { $browser->text('main') !~ /Erasure requested/
    && $browser->text('.head .actions') eq 'Request the erasure' });
  pass 'who has asked takes it back';
  $erase->('Request the erasure', qr/Erasure requested\s+chief/);
  ok !$browser->find('.head .danger'), 'who has asked is not offered to confirm';
  log_in('deputy');
  go_to(page(org => $id, page => 'persons'));
  $browser->wait_for('what waits', sub { $browser->text('main') =~ /need a second.*chief/s });
  axe_ok($browser, 'what waits');
  $erase->('Confirm the erasure', qr/Erased/);
  is $service->verifyctl(qw(person show), $person)->{credentials}[0], undef, 'it is done';
  go_to(page(org => $id, page => 'persons'));
  unlike $browser->text('main'), qr/wait for a second/, 'and nothing waits';
  $service->verifyctl(qw(org four-eyes), $id, qw(--erase off));
};

subtest 'who may less sees less' => sub {
  log_in('looker');
  $browser->go("$base/dashboard/");
  $browser->wait_for('the only organization', sub { $browser->url =~ /org=\Q$id\E/ });
  shown();
  unlike $browser->text('#ways'), qr/Persons/, 'an auditor looks nobody up';
  go_to(page(org => $id, page => 'persons'));
  like $browser->text('main'), qr/Your role does not allow this/, 'and is told so';
  go_to(page(org => $id, page => 'endpoint', id => $endpoint->{id}));
  $browser->wait_for('the endpoint', sub { heading() eq 'Shop' });
  ok !$browser->find('.head .actions button'), 'and changes nothing';
  $service->verifyctl(qw(org disable), $id);
  go_to(page(org => $id, page => 'health'));
  $browser->wait_for('the finding', sub { $browser->text('main') =~ /org enable/ });
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
