#!/usr/bin/perl
# An age gate in a browser: the verification page leads back by itself, whoever does not
# pass reads why, and without JavaScript a visitor who was verified is let in as well.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use JSON::PP ();
use Verify::Test;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

my $service = Verify::Instance->start(start => 0);
my $shop = $service->organization(sandbox => 1, workflow => 1);
my $htdocs = "$service->{directory}/httpd/htdocs";
$service->{conf} = <<"CONF";
<Directory "$htdocs">
  Require all granted
</Directory>
VerifyGate shop $shop->{id} $shop->{workflow_id} US-CA
<Location "/whisky">
  VerifyGateUse shop
  Require verified-age 18
  LogLevel authz_core:crit
  ForceType text/html
</Location>
CONF
system 'mkdir', '-p', "$htdocs/whisky";
open my $file, '>', "$htdocs/whisky/page.html" or die;
print $file "<!DOCTYPE html><title>Whisky</title><h1>Inside</h1>\n"
  . "<script>fetch('/whisky/page.html').then(({status}) =>"
  . " { document.body.dataset.fetched = status; })</script>\n";
close $file;
$service->start_httpd;

my $browser = Browser->start(width => 390, height => 844);
my $page = $service->base_url_tls . '/whisky/page.html';

# Opens the guarded page; the session of the page that it leads to.
sub begin {
  $browser->go($_[0] // $page);
  my $id;
  $browser->wait_for('the verification page', sub {
    ($id) = $browser->url =~ m{/verify/(vks_\w+)} });
  return $id;
}
sub set_outcome {
  my ($id, $value) = @_;
  answer_is $shop->{client}->post("/v1/verification_sessions/$id/test_outcome",
    {value => $value, final => JSON::PP::true}), 200, $value;
}
sub is_inside {
  $browser->wait_for('the guarded page', sub { $browser->url eq $page });
  is $browser->text('h1'), 'Inside', 'is shown';
}
sub forget { $browser->chromium('Network.clearBrowserCookies') }

subtest 'of age' => sub {
  my $id = begin();
  set_outcome($id, 'passed');
  $browser->command(POST => '/refresh', {});
  is_inside();
  $browser->wait_for('its script', sub {
    $browser->run('return document.body.dataset.fetched') eq '200' });
  is $browser->run('return document.cookie'), '', 'no script sees the proof';
  $browser->go($page);
  is_inside();
};

subtest 'under age' => sub {
  forget();
  my $id = begin();
  set_outcome($id, 'under_age');
  $browser->command(POST => '/refresh', {});
  $browser->wait_until_shown('.outcome a.button');
  $browser->click('.outcome a.button');
  $browser->wait_for('the page of the gate', sub { $browser->url =~ m{/return} });
  like $browser->text('main'), qr/was not successful/, 'says so';
  $browser->go($page);
  like $browser->text('main'), qr/was not successful/, 'also at the guarded page';
  $browser->click('main a');
  $browser->wait_for('another session', sub { $browser->url =~ m{/verify/vks_} });
  unlike $browser->url, qr/\Q$id/, 'is a new one';
};

subtest 'stopped' => sub {
  forget();
  my $id = begin();
  answer_is $shop->{client}->post("/v1/verification_sessions/$id/cancel", {}), 200,
    'cancelled';
  $browser->go($page);
  like $browser->text('h1'), qr/stopped/, 'the gate says so';
};

subtest 'without JavaScript' => sub {
  forget();
  $browser->chromium('Emulation.setScriptExecutionDisabled', value => JSON::PP::true);
  my $id = begin();
  set_outcome($id, 'passed');
  $browser->go($page);
  is_inside();
  $browser->chromium('Emulation.setScriptExecutionDisabled', value => JSON::PP::false);
};

$browser->stop;
finish $service;
