#!/usr/bin/perl
# Decisions that the dashboard has people make: a held session is taken and decided,
# evidence is looked at for as long as one may, a decision is made again by somebody else,
# and a person is erased by two.
use v5.32;
use warnings;
use File::Temp ();
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use Browser::Axe;
use Browser::Dashboard;
use Browser::Held;
use JSON::PP ();
use Verify::Dashboard;
use Verify::Made;
use Verify::Test;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

my $service = Verify::Instance->start(start => 0, conf => "VerifyRateLimit secret 1000000\n");
my $organization = $service->organization(workflow => 1, sandbox => 1);
my $id = $organization->{id};
my $dashboard = Verify::Dashboard->prepare($service, chief => 'admin *',
  deputy => "admin $id", third => "reviewer $id", looker => "auditor $id");
$service->start_httpd;
my $server = $organization->{client};
my $held = answer_is($server->post('/v1/verification_sessions', {type => 'age',
  workflow_id => $organization->{workflow_id}, jurisdiction => 'US-VA',
  client_reference_id => 'order-4', skip_verification => \1}), 201, 'a session')->{id};
answer_is $server->post("/v1/session_reviews/sessions/$held/flag", {reason => 'Doubts.'}), 200,
  'held';
answer_is $server->post('/v1/verification_sessions', {type => 'age', jurisdiction => 'US-VA',
  workflow_id => $organization->{workflow_id}, skip_verification => \1,
  email => 'known@example.com'}), 201, 'of a person who is known';
my $person = answer_is($server->post('/v1/verified_person/lookup',
  {email => 'known@example.com'}), 200)->{verified_person_id};

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

my $escape = "\x{e00c}";
my $browser = Browser->start(width => 1280, height => 900);
my $clock = Browser::Held->new($browser);
at_dashboard($browser, $service, $dashboard, $id);
log_in('chief');

subtest 'a held session is taken, looked at and decided' => sub {
  go_to(page => 'start');
  $browser->wait_for('how much waits', sub { $browser->text('#ways .count') eq '1' });
  go_to(page => 'reviews');
  $browser->click('.head .primary');
  $browser->wait_for('the session', sub { heading() eq 'order-4' });
  $browser->wait_for('the claim', sub { $browser->find('.head .actions .danger') });
  like $browser->text('main'), qr/Doubts\./, 'why it is held';
  like $browser->text('main'), qr/No pictures: no document was shown\./, 'and why there are no pictures';
  go_to(page => 'session', id => $held);
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
  like $browser->text('.stakes'), qr/Claimed until/, 'and until when it is his';
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
  go_to(page => 'audit');
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
  go_to(page => 'audit', by => 'actor', search => 'chief',
    from => '2026-01-01T00:00');
  like $export->(), qr/export\?actor=chief&created_gte=\d+\z/, 'or what is looked at';
  go_to(page => 'audit');
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

subtest 'evidence is shown whole, and a fault leaves with what it was about' => sub {
  my $session = photographed();
  answer_is $dashboard->client('chief')->post("/dashboard/v1/organizations/$id/reviews/"
    . "$session/claim", {}), 200, 'claimed';
  go_to(page => 'review', id => $session);
  like $browser->text('main'), qr/Required age\s+21\s+Age as read\s+old enough/,
    'the age that is demanded, and whether it was read to be enough';
  my $choose = sub { $browser->run('const s = document.querySelector("[name=look]");'
    . 's.value = arguments[0]; s.dispatchEvent(new Event("change", { bubbles: true }))', $_[0]);
    $browser->click('.look button') if $_[0] };
  $browser->wait_until_shown('[name=look]');
  refuse('/evidence/', '{"error": {"message": "Not now."}}');
  $choose->('review');
  $browser->wait_for('the refusal', sub { $browser->text('.picture') eq 'The request was refused' });
  $choose->('');
  $browser->wait_for('no fault', sub { $browser->text('.picture') =~ /Hidden until/ });
  answer_again();
  $choose->('complaint');
  $browser->wait_for('the picture', sub { $browser->run(
    'const i = document.querySelector(".picture img"); return !!i && i.naturalWidth > 0') });
  is $browser->run('const [b, i] = ["div.picture", ".picture img"].map((s) => '
    . 'document.querySelector(s).getBoundingClientRect());'
    . 'return i.top >= b.top && i.bottom <= b.bottom && i.left >= b.left && i.right <= b.right'),
    JSON::PP::true, 'nothing of it is cut off';
  my $press = sub { $browser->run('[...document.querySelectorAll(".head button")].find('
    . '(one) => one.textContent.startsWith(arguments[0])).click()', $_[0]) };
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
  is $clock->tick(15), 1, 'the page asks every 15 seconds';
  $gone->('run out');
  $browser->wait_for('it is free', sub { $browser->text('.head .actions') =~ /Claim/ });
  $press->('Claim');
  $look->();
  $service->sql('UPDATE review_claim SET expires_at = ? WHERE session_id = ?',
    1000 * (time + 8), $session);
  go_to(page => 'review', id => $session);
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
  go_to(page => 'session', id => $session);
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
  go_to(page => 'session', id => $late->{id});
  $browser->wait_for('that', sub { $browser->text('.note.bad') =~ /^Timed out/m });
};

subtest 'how reviews ended' => sub {
  go_to(page => 'reviews');
  $browser->click('.tabs a:last-child');
  $browser->wait_for('some', sub { $browser->find('tbody tr') });
  like $browser->url, qr/tab=decided/, 'as the address says';
  like $browser->text('main table'), qr/Cancelled|Approved|Rejected/, 'how';
  ok !$browser->find('main input[type=checkbox]'), 'nobody takes them any more';
  axe_ok($browser, 'reviews that ended');
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
  go_to(page => 'second_reviews');
  $browser->wait_for('none', sub { $browser->text('main') =~ /No open reviews/ });
  pass 'who has decided is not asked again';
  log_in('deputy');
  my $decide = sub {
    my ($button, $reason) = @_;
    go_to(page => 'reviews');
    $browser->click('.head a[href*=second_reviews]');
    $browser->wait_until_shown('tbody a.row');
    $browser->click('tbody tr:last-child a.row');
    $browser->wait_until_shown('[name=look]');
    my $seen = $browser->run('return document.querySelector("main").innerHTML');
    unlike $seen, qr/$_/, 'nothing tells of the first decision' for @reviews, 'chief', 'Approved';
    $browser->click('[name=look] option[value=review]');
    $browser->click('.look button');
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
  go_to(page => 'second_reviews', tab => 'disagreed');
  $browser->wait_for('what differs', sub { $browser->find('tbody td') });
  ok !$browser->find('tbody button'), 'who decided either is not asked which was right';
  like $browser->text('tbody'), qr/third person/, 'and told why';
  log_in('third');
  go_to(page => 'second_reviews', tab => 'disagreed');
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
  go_to(page => 'second_reviews');
  $browser->wait_for('the figures', sub { $browser->text('main') =~ /Compared pairs\s+2/ });
  ok !$browser->find('.tabs'), 'an auditor sees the figures alone';
  log_in('chief');
};

subtest 'a person is erased by two' => sub {
  $service->verifyctl(qw(org four-eyes), $id, qw(--erase on));
  my $erase = sub {
    my ($what, $done) = @_;
    go_to(page => 'persons');
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
  go_to(page => 'person', id => $person);
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
  go_to(page => 'persons');
  $browser->wait_for('what waits', sub { $browser->text('main') =~ /need a second.*chief/s });
  axe_ok($browser, 'what waits');
  $erase->('Confirm the erasure', qr/Erased/);
  is $service->verifyctl(qw(person show), $person)->{credentials}[0], undef, 'it is done';
  go_to(page => 'persons');
  unlike $browser->text('main'), qr/wait for a second/, 'and nothing waits';
  $service->verifyctl(qw(org four-eyes), $id, qw(--erase off));
};

finish $service;
