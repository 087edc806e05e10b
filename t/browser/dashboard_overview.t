#!/usr/bin/perl
# The dashboard's overview with its charts, and the list of sessions with its filters
# and its export.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use Browser::Axe;
use JSON::PP ();
use Verify::Dashboard;
use Verify::Test;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

my $service = Verify::Instance->start(start => 0, conf => "VerifyRateLimit secret 1000000\n");
my $organization = $service->organization(workflow => 1, sandbox => 1);
my $id = $organization->{id};
my $dashboard = Verify::Dashboard->prepare($service, chief => 'admin *');
$service->start_httpd;
my $server = $organization->{client};
my @sessions = map { answer_is $server->post('/v1/verification_sessions', {type => 'age',
  workflow_id => $organization->{workflow_id}, jurisdiction => 'US-VA',
  client_reference_id => $_ == 3 ? '=cmd()' : "order-$_",
  skip_verification => $_ == 2 ? \0 : \1}), 201, "session $_" } 1 .. 4;
answer_is $server->post("/v1/session_reviews/sessions/$sessions[3]{id}/flag",
  {reason => 'Doubts.'}), 200, 'held';

my $browser = Browser->start(width => 1280, height => 900);
my $base = $service->base_url_tls;
sub page {
  my (%state) = @_;
  return "/dashboard/?" . join '&', map { "$_=$state{$_}" } sort keys %state;
}
sub go_to {
  $browser->go("$base$_[0]");
  $browser->wait_for('the page', sub {
    $browser->run('return !!document.querySelector("main h1")'
      . ' && !document.querySelector("main .skeleton")') });
}
# A page of another process learns of the header a little later.
$browser->chromium('Network.enable');
$browser->chromium('Network.setExtraHTTPHeaders', headers => {
  Authorization => $dashboard->login('chief')});
$browser->wait_for('the login', sub {
  $browser->go("$base/dashboard/v1/me");
  $browser->run('return document.body.textContent') =~ /"user":\s*"chief"/ });
$browser->console;

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
  like $all, qr/\A$sum sessions/, 'whose sum is the number of sessions';
  is $browser->run('return document.querySelectorAll(".charts svg[role=img]").length'), 3,
    'sessions, pass rate and time';
  for my $scheme ('light', 'dark') {
    $browser->media('prefers-color-scheme' => $scheme);
    my $inks = $browser->run('return [...document.querySelectorAll(".legend i")].map('
      . '(e) => getComputedStyle(e).backgroundColor)');
    is scalar(keys %{{map { $_ => 1 } @$inks}}), 5, "each in its colour, $scheme";
  }
  $browser->click('.charts summary');
  $browser->wait_until_shown('.charts tbody tr');
  is $browser->run('return document.querySelectorAll(".charts tbody tr").length'), 30,
    'its table has thirty days';
  $browser->run('const s = document.querySelector(".period select");'
    . 's.value = "day"; s.dispatchEvent(new Event("change", { bubbles: true }))');
  $browser->wait_for('24 hours', sub {
    $browser->run('return document.querySelectorAll(".charts svg .catch").length') == 72 });
  like $browser->url, qr/period=day/, 'the period is in the address';
  $browser->click('.charts summary');
  $browser->wait_until_shown('.charts tbody tr');
  axe_ok($browser, 'charts with their table');
};

is_deeply [map { $_->{message} } $browser->console], [], 'the console is quiet';
$browser->stop;
finish($service);
