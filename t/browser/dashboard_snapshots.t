#!/usr/bin/perl
# Every page of the dashboard looks as it did, as t/browser/snapshots.t has it of the
# widget: what is seen in both colour schemes, on a phone and on two desks, is that of
# t/browser/snapshots/dashboard/. Ids and times are the same word each time. After a
# change that is meant:
#
#   VERIFY_RENEW_SNAPSHOTS=1 scripts/test t/browser/dashboard_snapshots.t
#
# and then a look at the difference, and at the page.
use v5.32;
use warnings;
use utf8;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use Browser::Dashboard;
use Verify::Dashboard;
use Verify::Specimen;
use Verify::Test;
use WidgetLayout;

binmode $_, ':encoding(UTF-8)'
  for map { Test::More->builder->$_ } qw(output failure_output todo_output);
plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

my $folder = "$FindBin::Bin/snapshots/dashboard";
my $MOST = 300_000; # bytes of all files
my @SIZES = ([390, 844], [1280, 800], [1920, 1080]);
my $service = Verify::Instance->start(start => 0, conf => "VerifyRateLimit secret 1000000\n");
my $organization = $service->organization(workflow => 1, sandbox => 1);
my ($id, $workflow) = @$organization{qw(id workflow_id)};
# Two open cases with the same document, which has expired.
my $held = $service->organization(sandbox => 1, workflow => {name => 'Wine',
  required_age_tier => 'min_age_21', start => 'id', nodes => {
    id => {type => 'methods', methods => ['document_capture'], max_attempts => 1,
      next => {passed => 'hold', exhausted => 'hold'}},
    hold => {type => 'review', next => {approved => 'granted', rejected => 'denied'}},
    granted => {type => 'outcome', status => 'verified'},
    denied => {type => 'outcome', status => 'failed'}}});
my $dashboard = Verify::Dashboard->prepare($service, chief => 'admin *');
$service->start_httpd;
my $server = $organization->{client};
my @sessions = map { answer_is $server->post('/v1/verification_sessions', {type => 'age',
  workflow_id => $workflow, jurisdiction => 'US-VA', client_reference_id => "order-$_",
  $_ == 1 ? (email => 'known@example.com') : (), skip_verification => $_ == 2 ? \0 : \1}),
  201, "session $_" } 1 .. 3;
my $person = answer_is($server->post('/v1/verified_person/lookup',
  {email => 'known@example.com'}), 200)->{verified_person_id};
answer_is $server->post("/v1/verification_sessions/$sessions[1]{id}/test_outcome",
  {value => 'document_not_accepted'}), 200, 'one fails';
# As long each time, so that the charts are the same.
$service->sql('UPDATE verification_session SET completed_at = created_at + 45000
  WHERE completed_at IS NOT NULL');
answer_is $server->post("/v1/session_reviews/sessions/$sessions[2]{id}/flag",
  {reason => 'Doubts.'}), 200, 'one is held';
my $endpoint = answer_is $server->post('/v1/webhook_endpoints', {name => 'Shop',
  url => 'https://shop.example/webhooks', enabled_events => ['verification_session.verified']}), 201,
  'an endpoint';
my $draft = answer_is $dashboard->client('chief')->post(
  "/dashboard/v1/organizations/$id/workflow_drafts", {workflow_id => $workflow}), 201, 'a draft';

my $expired = Verify::Specimen::photograph('--born', '1980-02-03', '--expires',
  (localtime)[5] + 1898);
my @cases = map {
  my $session = answer_is $held->{client}->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $held->{workflow_id}, jurisdiction => 'US-CA', client_reference_id => $_}), 201;
  is show_specimen($service, $session, photograph => $expired)->{status}, 'under_review', $_;
  $session->{id} } 'case-1', 'case-2';

my $browser = Browser->start(width => 390, height => 844);
at_dashboard($browser, $service, $dashboard, $id);
my $layout = WidgetLayout->new($browser, \@SIZES);

# What differs each time: ids and times, also in what is said of them.
my $SAME = <<'JS';
for (const time of document.querySelectorAll('time')) time.textContent = 'TIME';
document.body.normalize();
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const node = walker.currentNode;
  if (node.parentElement.closest('script')) continue;
  const text = node.data.replace(/\b([a-z]{2,4})_(?:(?:test|live)_)?[0-9a-z_]{12,}/g, '$1_ID')
    .replace(/…[\w-]{4,10}(?![\w-])/g, '…ID').replace(/localhost:\d+/g, 'localhost')
    .replace(/\b[0-9a-f]{16,}\b/g, 'HASH').replace(/127\.0\.0\.1:\d+/g, 'localhost')
    .replace(/\bin \d+ (?:hours?|days?|minutes?)\b|\d+ (?:seconds?|minutes?) ago|\bnow\b/g, 'THEN')
    .replace(/\b[A-Z][a-z]{2,8} \d+(?:, \d{4})?\b/g, 'DAY').replace(/\b20\d\d\b/g, 'YEAR')
    .replace(/\d+(?:\.\d+)? (?:ms|s|sec|min)\b/g, 'LONG');
  if (text !== node.data) node.data = text;
}
JS

sub path { "$folder/" . ($_[0] =~ tr/ /-/r) . '.txt' }
sub kept {
  my ($name) = @_;
  open my $file, '<:encoding(UTF-8)', path($name) or return '';
  local $/;
  return readline $file;
}
sub keep {
  my ($name, $text) = @_;
  mkdir $folder;
  open my $file, '>:encoding(UTF-8)', path($name) or die "$name: $!\n";
  print $file $text;
  close $file or die "$name: $!\n";
}

log_in('chief');

my @pages = (
  (map { [$_ => page => $_] } qw(sessions reviews persons endpoints deliveries events keys
    trust_reuse trust_lists compliance workflows simulations team second_reviews risk
    oidc_clients health overview usage audit settings)),
  [session => page => 'session', id => $sessions[0]{id}],
  [person => page => 'person', id => $person],
  [review => page => 'review', id => $sessions[2]{id}],
  [review_tied => org => $held->{id}, page => 'review', id => $cases[0]],
  [endpoint => page => 'endpoint', id => $endpoint->{id}],
  [workflow => page => 'workflow', id => $workflow],
  [draft => page => 'draft', id => $draft->{id}],
  [sandbox => page => 'sandbox', id => $workflow, place => 'US-VA', type => 'age'],
);
for my $case (@pages) {
  my ($name, %state) = @$case;
  $browser->size(@{$SIZES[0]});
  go_to(org => $id, %state);
  # What comes later than the page: the count of reviews, and what the compiler finds.
  $browser->wait_for('the count', sub { $browser->find('.side .badge, .side .count') });
  $browser->wait_for('all parts', sub { !$browser->find('main .skeleton') });
  $browser->wait_for('the figures', sub { $browser->run('return ![...document'
    . '.querySelectorAll("main strong")].some((e) => e.textContent === "–")') });
  $browser->wait_for('the check', sub { $browser->text('.head') =~ /Valid/ })
    if $name eq 'draft';
  $browser->run($SAME);
  my ($text, @faint) = $layout->taken;
  keep($name, $text) if $ENV{VERIFY_RENEW_SNAPSHOTS};
  is_deeply [WidgetLayout::differences(kept($name), $text)], [], $name;
  is_deeply \@faint, [], 'with letters that can be read';
}

subtest 'in German, on a phone, with the templates open' => sub {
  $browser->size(@{$SIZES[0]});
  $browser->run('localStorage.setItem("idv-dashboard-language", "de")');
  go_to(org => $id, page => 'workflows');
  my $wide = sub { $browser->run('return document.documentElement.scrollWidth') };
  cmp_ok $wide->(), '<=', 390, 'the list fits';
  is $browser->run('return [...document.querySelectorAll(".table")].filter('
    . '(one) => one.scrollWidth > one.clientWidth).length'), 0, '... without being scrolled';
  $browser->click('main .head .actions button');
  $browser->wait_until_shown('dialog[open]');
  cmp_ok $wide->(), '<=', 390, 'the page behind the dialog fits';
  is $browser->run('const d = document.querySelector("dialog[open]");'
    . 'return d.scrollWidth - d.clientWidth'), 0, '... and the dialog';
};

my %known = map { path($_->[0]) => 1 } @pages;
my @files = glob "$folder/*.txt";
is_deeply [grep { !$known{$_} } @files], [], 'no snapshot without its page';
my $size = 0;
$size += -s for @files;
cmp_ok $size, '<', $MOST, "and all of them are small: $size bytes";
finish $service;
