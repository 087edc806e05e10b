#!/usr/bin/perl
# Answers that come when whoever has asked is elsewhere already, and answers that never
# come: what was left is left, and a deed that is pressed again is done once.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use Browser::Dashboard;
use Browser::Held;
use JSON::PP ();
use Verify::Dashboard;
use Verify::Test;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

my $service = Verify::Instance->start(start => 0, conf => "VerifyRateLimit secret 1000000\n");
my $organization = $service->organization(workflow => 1, sandbox => 1);
my $id = $organization->{id};
my $workflow = $organization->{workflow_id};
my $dashboard = Verify::Dashboard->prepare($service, boss => [map { "$_ $id" }
  qw(admin publisher)]);
$service->start_httpd;
my $client = $dashboard->client('boss');
my $api = "/dashboard/v1/organizations/$id";
my $escape = "\x{e00c}";

my $browser = Browser->start(width => 1280, height => 900);
my $held = Browser::Held->new($browser);
at_dashboard($browser, $service, $dashboard, $id);
log_in('boss');

sub count { ask('document.querySelectorAll(arguments[0]).length', $_[0]) }
# The question of the row with TEXT.
sub open_of {
  $browser->run('[...document.querySelectorAll("tbody tr")].find((row) =>'
    . 'row.textContent.includes(arguments[0])).querySelector("button").click()', $_[0]);
  $browser->wait_until_shown('dialog[open]');
}
sub leave_dialog {
  $browser->press($escape);
  $browser->wait_for('no dialog', sub { !$browser->find('dialog[open]') });
}
sub choose {
  $browser->run('const s = document.querySelector(arguments[0]); s.value = arguments[1];'
    . 's.dispatchEvent(new Event("change", { bubbles: true }))', @_);
}
# A session that waits for a reviewer.
sub held_session {
  my $session = answer_is $organization->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $workflow, jurisdiction => 'US-VA',
      skip_verification => JSON::PP::true}), 201, 'a session';
  answer_is $organization->{client}->post("/v1/session_reviews/sessions/$session->{id}/flag",
    {reason => 'Doubts.'}), 200, 'held';
  return $session->{id};
}

# --- what was left ---

subtest 'a dialog that was left closes no other' => sub {
  answer_is $client->post("$api/keys", {type => 'secret', label => $_}), 201, $_
    for 'Till', 'Shop';
  go_to(page => 'keys');
  $held->hold('POST .*/revoke');
  open_of('Till');
  $browser->click('dialog .danger');
  $held->wait_for('the first');
  leave_dialog();
  open_of('Shop');
  ok $browser->wait_for('the next', sub { !$browser->find('dialog[open] [aria-busy]') }),
    'the next can be answered';
  my $title = $browser->text('dialog h2');
  $held->let_in;
  is eval { $browser->text('dialog[open] h2') } // 'none', $title, 'and stays';
  is $service->sql_value(q{SELECT count(*) FROM api_key WHERE label = 'Till'
    AND revoked_at IS NOT NULL}), 1, 'the first was done';
  $browser->wait_for('its state', sub { $browser->text('tbody') =~ /Revoked/ });
  leave_dialog();
  $held->hold('POST .*/revoke');
  open_of('Shop');
  $browser->click('dialog .danger');
  $held->wait_for('another');
  leave_dialog();
  $browser->click('.head .primary');
  $browser->wait_until_shown('dialog[open]');
  $held->let_in(instead => '{"error": {"message": "Not now."}}');
  ok $browser->find('dialog[open] input'), 'a refusal closes nothing';
  unlike $browser->text('dialog[open]'), qr/Not now/, 'and is not said there';
  leave_dialog();
};

subtest 'a fault leaves with its dialog' => sub {
  answer_is $client->post("$api/keys", {type => 'secret', label => $_}), 201, $_
    for qw(One Other);
  go_to(page => 'keys');
  open_of('One');
  $held->hold('POST .*/revoke');
  $browser->click('dialog .danger');
  $held->wait_for('the deed');
  $held->let_in(instead => '{"error": {"message": "Not now."}}');
  $browser->wait_for('the fault', sub { $browser->text('dialog [role=alert]') =~ /Not now/ });
  leave_dialog();
  open_of('Other');
  ok !$browser->find('dialog [role=alert]'), 'it is not that of another row';
  leave_dialog();
};

subtest 'a secret is told all the same' => sub {
  go_to(page => 'keys');
  $held->hold('POST .*/keys');
  $browser->click('.head .primary');
  $browser->send_keys('dialog input', 'Late');
  $browser->click('dialog .primary');
  $held->wait_for('the key');
  leave_dialog();
  $browser->click('.head .primary');
  $browser->send_keys('dialog input', 'Next');
  $held->let_in;
  is ask('document.querySelector("dialog input").value'), 'Next', 'nobody is disturbed';
  $browser->press($escape);
  $browser->wait_for('the secret', sub { $browser->text('dialog[open]') =~ /svc_sk_/ });
  $browser->click('dialog .primary');
  $browser->wait_for('no dialog', sub { !$browser->find('dialog[open]') });
  is ask('document.activeElement.matches(".head .primary")'), JSON::PP::true,
    'and the focus is where it was';
};

subtest 'a decision under way is not left' => sub {
  my $session = held_session();
  my $path = "$api/reviews/$session";
  answer_is $client->post("$path/claim", {}), 200, 'claimed';
  go_to(page => 'review', id => $session);
  $held->hold('POST .*/decide');
  $browser->run('document.querySelector(".head .danger").click()');
  $browser->wait_until_shown('dialog[open]');
  choose('dialog select', 'document_forged');
  $browser->click('dialog .danger');
  $held->wait_for('the decision');
  $browser->press($escape);
  ok ask('document.querySelector("dialog[open] .actions button").disabled'),
    'it looks like no withdrawal';
  $held->let_in;
  $browser->wait_for('no dialog', sub { !$browser->find('dialog[open]') });
  $browser->wait_for('its end', sub { $browser->text('main .head') =~ /Failed/ });
  go_to(page => 'reviews', tab => 'decided');
  like $browser->text('tbody'), qr/Rejected/, 'it is among the decided ones';
};

subtest 'who has gone elsewhere stays there' => sub {
  my $elsewhere = sub {
    my ($what) = @_;
    $held->wait_for($what);
    $browser->run('document.querySelector("#ways a[href*=usage]").click()');
    $browser->wait_for('the other page', sub { $browser->text('main h1') eq 'Usage' });
    $held->let_in;
    like $browser->url, qr/page=usage/, $what;
  };
  go_to(page => 'workflows');
  $held->hold('POST .*workflow_drafts');
  $browser->click('.head .primary');
  $elsewhere->('a workflow');
  held_session();
  go_to(page => 'reviews');
  $held->hold('POST .*/claim');
  $browser->click('.head .primary');
  $elsewhere->('a review');
  go_to(page => 'simulations', id => $workflow);
  $held->hold('POST .*/simulations');
  $browser->click('main form .primary');
  $elsewhere->('a simulation');
};

# --- lost ---

subtest 'what is pressed again is done once' => sub {
  go_to(page => 'keys');
  my $make = sub {
    $browser->click('.head .primary');
    $browser->send_keys('dialog input', 'Lost');
    $browser->click('dialog option[value="30"]');
  };
  my $made = sub { $service->sql_value(q{SELECT count(*) FROM api_key WHERE label = 'Lost'}) };
  my $secret = sub {
    $browser->click('dialog .primary');
    $browser->wait_for('the secret', sub { $browser->text('dialog[open]') =~ /svc_sk_/ });
    $browser->click('dialog .primary');
    $browser->wait_for('no dialog', sub { !$browser->find('dialog[open]') });
  };
  $make->();
  $held->lose('POST .*/keys');
  $browser->click('dialog .primary');
  $browser->wait_for('the fault', sub {
    $browser->text('dialog [role=alert]') =~ /cannot be reached/ });
  is $made->(), 1, 'a key was made, which nobody was told';
  $secret->();
  is $made->(), 1, 'now it is told';
  $make->();
  $secret->();
  is $made->(), 2, 'the same again, once that is done, is another';
};

subtest 'the next review is taken once' => sub {
  held_session() for 1 .. 2;
  my $claims = sub { $service->sql_value('SELECT count(*) FROM review_claim') };
  my $before = $claims->();
  go_to(page => 'reviews');
  $held->lose('POST .*/claim');
  $browser->click('.head .primary');
  $browser->wait_for('the fault', sub {
    $browser->text('main [role=alert]') =~ /cannot be reached/ });
  is $claims->(), $before + 1, 'one is claimed';
  $browser->click('.head .primary');
  $browser->wait_for('the review', sub { $browser->url =~ /page=review&/ });
  is $claims->(), $before + 1, 'and it is that one';
};

subtest 'one\'s own draft is no conflict' => sub {
  my $draft = answer_is $client->post("$api/workflow_drafts", {workflow_id => $workflow}), 201,
    'a draft';
  go_to(page => 'draft', id => $draft->{id});
  $browser->send_keys('[data-pointer="/name"]', ' saved');
  $held->lose('PUT .*workflow_drafts');
  $browser->click('.toolbar .primary');
  $browser->wait_for('the fault', sub {
    $browser->text('main [role=alert]') =~ /cannot be reached/ });
  $browser->click('.toolbar .primary');
  $browser->wait_for('it is saved, or somebody else did', sub {
    $browser->text('.head') !~ /Not saved/ || $browser->find('dialog[open]') });
  ok !$browser->find('dialog[open]'), 'it is what the service has';
};

# --- another question ---

subtest 'live events are those that are asked for' => sub {
  go_to(page => 'events');
  $browser->click('.filters input[type=checkbox]');
  $held->hold('GET .*ending_before');
  my ($other, $words) = ('verification_session.verified', 'Session verified');
  held_session();
  $held->tick;
  $held->wait_for('what is new');
  choose('.filters select', $other);
  $browser->wait_for('the filter', sub { $browser->url =~ /type=\Q$other\E/
    && count('tbody a.row') && ask('[...document.querySelectorAll("tbody a.row")].every((one) =>'
    . 'one.textContent.trim() === arguments[0])', $words) });
  $held->let_in;
  is ask('[...document.querySelectorAll("tbody a.row")].filter((one) =>'
    . 'one.textContent.trim() !== arguments[0]).length', $words), 0, 'none of before is shown';
  my $rows = count('tbody tr');
  held_session();
  $held->tick;
  $browser->wait_for('another', sub { count('tbody tr') == $rows + 1 });
  pass 'those of now come';
};

subtest 'the sandbox answers what is asked now' => sub {
  go_to(page => 'sandbox', id => $workflow, type => 'age', place => 'US-VA', steps => 'open,consent');
  $browser->wait_for('its steps', sub { count('ol.steps > li') == 3 });
  my $type = '.filters.top .field:nth-child(2) select';
  $held->hold('workflows/simulate');
  choose($type, 'identity');
  $held->wait_for('another question');
  is count('ol.steps > li'), 0, 'steps of the former are not those of the next';
  choose($type, 'age');
  $held->wait_for('the former again', 2);
  $held->let_in;
  $browser->wait_for('its steps', sub { count('ol.steps > li') == 3 });
  $held->hold('workflows/simulate');
  $browser->click('main .steps + form .primary');
  $held->wait_for('the next step');
  is count('ol.steps > li'), 3, 'while it comes those before it stay';
  ok ask('[...document.querySelectorAll(".card button")].find((one) =>'
    . 'one.textContent === "Save as scenario").disabled'), 'and are not kept as its outcome';
  $held->let_in;
};

subtest 'what a simulation goes through, by default' => sub {
  answer_is $client->post("$api/workflow_drafts", {workflow_id => $workflow}), 201, 'a draft';
  $held->hold('GET .*workflow_drafts');
  go_to(page => 'simulations', id => $workflow);
  $held->wait_for('the drafts');
  $held->let_in;
  $browser->wait_for('a draft', sub { ask('document.querySelector('
    . '"main form [name=through]").options[0].value.startsWith("wfd_")') });
  like ask('document.querySelector("main form [name=through]").value'), qr/\Awfd_/,
    'is the newest draft, however late the list of these comes';
};

is_deeply [grep { !/status of 4/ } map { $_->{message} } $browser->console], [],
  'the console is quiet';
finish $service;
