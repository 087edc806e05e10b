#!/usr/bin/perl
# What somebody types while the service is about to answer stays as it was typed: in
# drafts, orders, settings, notes and searches. The answers are held in the page until
# the test lets them in, so nothing here depends on how fast anybody is.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP ();
use Browser;
use Browser::Dashboard;
use Browser::Held;
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
my ($tab, $enter) = ("\x{e004}", "\x{e007}");

my $browser = Browser->start(width => 1280, height => 900);
at_dashboard($browser, $service, $dashboard, $id);


my $held = Browser::Held->new($browser);
log_in('boss');

sub hold { $held->hold(@_) }
sub is_held { $held->wait_for(@_) }
sub let_in { $held->let_in }
sub value { ask('document.querySelector(arguments[0]).value', @_) }
sub new_draft {
  return answer_is $client->post("$api/workflow_drafts", {workflow_id => $workflow}), 201,
    'a draft';
}
# The workflow gets one version more.
sub publish_again {
  my $draft = new_draft();
  answer_is $client->post("$api/workflow_drafts/$draft->{id}/publish", {},
    'If-Match' => $draft->{etag}), 200, 'another version';
}
my $name = '[data-pointer="/name"]';

subtest 'a draft, while it is checked and saved' => sub {
  my $draft = new_draft();
  go_to(page => 'draft', id => $draft->{id});
  my $before = value($name);
  hold('workflows/check');
  $browser->send_keys($name, ' one');
  is_held('the check');
  $browser->send_keys($name, ' two');
  let_in();
  is value($name), "$before one two", 'a check says nothing of the text';
  hold("PUT .*$draft->{id}");
  $browser->click('.toolbar .primary');
  is_held('what is saved');
  $browser->send_keys($name, ' three');
  let_in();
  $browser->wait_for('it is saved', sub { !$browser->find('.toolbar [aria-busy]') });
  is value($name), "$before one two three", 'what was typed meanwhile stays';
  like $browser->text('.head'), qr/Not saved/, 'and is not taken for saved';
  $browser->click('.toolbar .primary');
  $browser->wait_for('the rest', sub { $browser->text('.head') !~ /Not saved/ });
  is answer_is($client->get("$api/workflow_drafts/$draft->{id}"), 200)->{definition}{name},
    "$before one two three", 'the next saves it';
};

subtest 'a draft is kept at once, not when there is time to draw' => sub {
  my $draft = new_draft();
  go_to(page => 'draft', id => $draft->{id});
  like $browser->run_async(<<'JS', $name), qr/ at once"/, 'before anything else can happen';
const [selector, done] = arguments;
const field = document.querySelector(selector);
field.value += ' at once';
field.dispatchEvent(new InputEvent('input', { bubbles: true }));
Promise.resolve().then(() => {}).then(() => done(JSON.stringify({ ...localStorage })
  .replaceAll('\\', '')));
JS
};

subtest 'a step that is renamed, and what is typed behind it' => sub {
  my $draft = new_draft();
  go_to(page => 'draft', id => $draft->{id});
  my $attempts = '[data-pointer="/nodes/%s/max_attempts"]';
  $browser->click('[data-step="id"]:not([data-exit])');
  $browser->wait_until_shown('[data-pointer="/nodes/id"]');
  my $old = value(sprintf $attempts, 'id');
  $browser->send_keys('[data-pointer="/nodes/id"]', 'entity');
  $browser->run('document.querySelector(arguments[0]).focus()', sprintf $attempts, 'id');
  $browser->press('7');
  is value(sprintf $attempts, 'identity'), "${old}7", 'is where one has gone to';
  $browser->send_keys('[data-pointer="/nodes/identity"]', "x$tab");
  $browser->wait_for('its new name', sub { $browser->find('[data-pointer="/nodes/identityx"]') });
  is ask('document.activeElement.type'), 'checkbox', 'Tab goes on behind the name';
  $browser->send_keys('[data-pointer="/nodes/identityx"]', "y$enter");
  $browser->wait_for('its new name', sub { $browser->find('[data-pointer="/nodes/identityxy"]') });
  is ask('document.activeElement.dataset.pointer'), '/nodes/identityxy', 'Enter stays there';
};

subtest 'a simulation that is ordered' => sub {
  publish_again();
  my $days = 'main form [name=days]';
  hold('workflow_drafts');
  go_to(page => 'simulations', id => $workflow);
  $browser->run('const f = document.querySelector(arguments[0]); f.select()', $days);
  $browser->send_keys($days, '90');
  $browser->run('const s = document.querySelector("main form [name=through]");'
    . 's.selectedIndex = 1; s.dispatchEvent(new Event("change", { bubbles: true }))');
  my $through = value('main form [name=through]');
  $held->tick;
  is_held('what drafts there are');
  let_in();
  $browser->wait_for('the draft', sub { ask('document.querySelector('
    . '"main form [name=through]").options[0].value.startsWith("wfd_")') });
  is value($days), '90', 'the days';
  is value('main form [name=through]'), $through, 'and the version that was chosen';
};

subtest 'an answer about the law' => sub {
  go_to(page => 'compliance');
  my $place = 'main form [name=place]';
  $browser->send_keys($place, 'US-VA');
  hold('compliance/check');
  $browser->press($enter);
  is_held('the law');
  $browser->run('document.querySelector(arguments[0]).select()', $place);
  $browser->send_keys($place, 'DE');
  $browser->click('main form [name=firearms]');
  let_in();
  $browser->wait_for('the answer', sub { $browser->text('main') =~ /Virginia|US-VA|· VA/ });
  is value($place), 'DE', 'leaves the next question as it is';
  ok ask('document.querySelector("main form [name=firearms]").checked'), 'and its boxes';
  $browser->click('main form .primary');
  $browser->wait_for('Germany', sub { $browser->text('main') =~ /Germany/ });
  like $browser->url, qr/place=DE&use=\S*firearms/, 'which can be asked';
};

subtest 'settings' => sub {
  go_to(page => 'settings');
  my $field = 'main form input';
  my $before = value($field);
  $browser->send_keys($field, ' A');
  hold('PATCH');
  $browser->click('main form .primary');
  is_held('what is saved');
  $browser->send_keys($field, 'B');
  let_in();
  $browser->wait_for('the end', sub { !$browser->find('main form [aria-busy]') });
  is value($field), "$before AB", 'stay';
  unlike $browser->text('main'), qr/Saved/, 'and are not said to be saved';
};

subtest 'the next input of the sandbox' => sub {
  go_to(page => 'sandbox', id => $workflow, type => 'age', place => 'US-VA');
  $browser->wait_for('the first step', sub { $browser->find('ol.steps > li') });
  hold('workflows/simulate');
  $browser->click('main .steps + form .primary');
  is_held('the step');
  $browser->run('const s = document.querySelector(".steps + form select"); s.value = "wait";'
    . 's.dispatchEvent(new Event("change", { bubbles: true }))');
  $browser->wait_for('its field', sub { $browser->find('.steps + form input') });
  let_in();
  $browser->wait_for('the step', sub { ask('document.querySelectorAll("ol.steps > li").length') == 2 });
  is value('.steps + form select'), 'wait', 'is what was chosen meanwhile';
  my $draft = new_draft();
  go_to(page => 'sandbox', id => $workflow, type => 'age', place => 'US-VA');
  $browser->wait_for('what can be tried', sub {
    $browser->find(".filters.top select option[value=$draft->{id}]") });
  hold("workflow_drafts/$draft->{id}");
  $browser->run(<<'JS', $draft->{id});
const subject = document.querySelector('.filters.top select');
subject.focus();
subject.value = arguments[0];
subject.dispatchEvent(new Event('change', { bubbles: true }));
JS
  is_held('the draft');
  is ask('document.activeElement.value'), $draft->{id}, 'who chooses what is tried stays there';
  let_in();
  $browser->wait_for('its first step', sub { $browser->find('ol.steps > li') });
  is ask('document.activeElement.value'), $draft->{id}, '... when it has come, too';
};

subtest 'a search that goes on' => sub {
  go_to(page => 'sessions');
  is $browser->run_async(<<'JS'), 'order-1', 'what follows Enter at once is not lost';
const done = arguments[0];
const field = document.querySelector('input[type=search]');
const type = (text) => {
  field.value += text;
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
};
type('order');
field.form.requestSubmit();
queueMicrotask(() => queueMicrotask(() => {
  type('-1');
  setTimeout(() => done(field.value), 300);
}));
JS
};

subtest 'a review and its note' => sub {
  my $session = answer_is $organization->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $workflow, jurisdiction => 'US-VA',
      skip_verification => JSON::PP::true}), 201, 'a session';
  answer_is $organization->{client}->post("/v1/session_reviews/sessions/$session->{id}/flag",
    {reason => 'Doubts.'}), 200, 'held';
  answer_is $client->post("$api/reviews/$session->{id}/claim", {}), 200, 'claimed';
  go_to(page => 'review', id => $session->{id});
  $browser->click('.head .actions .danger');
  $browser->send_keys('dialog textarea', 'It looks');
  hold("GET .*reviews/$session->{id}");
  $held->tick;
  is_held('the review');
  $browser->send_keys('dialog textarea', ' forged.');
  let_in();
  is value('dialog textarea'), 'It looks forged.', 'which is asked for again meanwhile';
  $browser->click('dialog select option[value=document_forged]');
  hold('POST .*/decide');
  $browser->click('dialog .danger');
  is_held('the decision');
  let_in();
  $browser->wait_for('the decision', sub { $browser->text('main') =~ /It looks forged\./ });
};

subtest 'an endpoint that is refused' => sub {
  go_to(page => 'endpoints');
  $browser->click('.head .primary');
  $browser->send_keys('dialog input[type=url]', 'http://shop.example/');
  $browser->send_keys('dialog textarea', 'Till');
  hold('POST .*webhook_endpoints');
  $browser->click('dialog .primary');
  is_held('the endpoint');
  let_in();
  $browser->wait_for('the answer', sub { !$browser->find('dialog [aria-busy]') });
  is value('dialog textarea'), 'Till', 'keeps what was written';
  $browser->send_keys('dialog textarea', ' 2');
  is value('dialog textarea'), 'Till 2', 'and can be changed';
};

is_deeply [grep { !/status of 4/ } map { $_->{message} } $browser->console], [],
  'the console is quiet';
finish $service;
