#!/usr/bin/perl
# An age gate in a browser, walked as visitors do: three lines guard a static site and a
# proxied application. Who is of age gets in; who is under age, declines, is too late, was
# revoked, comes by another host or runs no JavaScript is led as the manual says.
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
my ($port) = Verify::Instance::free_ports(1);
# The application is another server. The test is shown what the gate sends to it. Proofs
# are checked anew with each request, so that no test waits.
$service->{conf} = <<"CONF";
<IfModule !proxy_module>
  LoadModule proxy_module \${VERIFY_MODULES}/mod_proxy.so
  LoadModule proxy_http_module \${VERIFY_MODULES}/mod_proxy_http.so
</IfModule>
<Directory "$htdocs">
  Require all granted
</Directory>
VerifyGateRecheck 0
VerifyGateSessions 1000
VerifyGateHeaders on
LogLevel authz_core:crit
VerifyGate shop $shop->{id} $shop->{workflow_id} US-CA
<Location "/whisky">
  VerifyGateUse shop
  Require verified-age 18
  ForceType text/html
</Location>
<Location "/application">
  VerifyGateUse shop
  Require verified-age 18
  ProxyPass http://127.0.0.1:$port/backend
  Header set X-Sent-Age "expr=%{req:Verify-Age}"
</Location>
Listen 127.0.0.1:$port
<VirtualHost 127.0.0.1:$port>
  <Location "/backend">
    ForceType text/html
  </Location>
</VirtualHost>
CONF
for my $folder (qw(whisky backend)) {
  system 'mkdir', '-p', "$htdocs/$folder";
  open my $file, '>', "$htdocs/$folder/page.html" or die "$folder: $!\n";
  print $file <<'HTML';
<!DOCTYPE html><title>Inside</title><h1>Inside</h1>
<script>fetch(location.pathname).then(({ status, headers }) => {
  document.body.dataset.fetched = `${status} ${headers.get('X-Sent-Age') ?? ''}`; })</script>
HTML
  close $file;
}
$service->start_httpd;

my $browser = Browser->start(width => 390, height => 844);
my $base = $service->base_url_tls;
my ($page, $start); # that is guarded; its path

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
  my ($at) = @_;
  $browser->wait_for('the guarded page', sub { $browser->url eq ($at // $page) });
  is $browser->text('h1'), 'Inside', 'is shown';
}
# From a page that asks for nothing: the answer to what a page has still asked for could bring a proof
# again.
sub forget {
  $browser->go("$base/v1/health/live");
  $browser->chromium('Network.clearBrowserCookies');
}
# Whoever is of age waits for the page to lead back, or presses its button.
sub be_verified {
  my ($id, %how) = @_;
  set_outcome($id, 'passed');
  $browser->command(POST => '/refresh', {});
  $browser->click('[data-screen=verified] .actions a') if !$how{waits};
  is_inside($how{at});
}
# A visitor who is inside; returns the session.
sub enter {
  forget();
  my $id = begin();
  be_verified($id, @_);
  return $id;
}
# The gate's own page says TEXT, also when the guarded page is opened again, and leads to a
# session other than ID.
sub is_kept_out {
  my ($id, $text) = @_;
  like $browser->text('main'), $text, 'says so';
  $browser->go($page);
  like $browser->text('main'), $text, 'also at the guarded page';
  $browser->click('main a');
  $browser->wait_for('another session', sub { $browser->url =~ m{/verify/vks_} });
  unlike $browser->url, qr/\Q$id/, 'leads to a new one';
}

sub walk {
  subtest 'of age' => sub {
    enter(waits => 1);
    my $fetched = $start =~ /application/ ? '200 21' : '200 ';
    $browser->wait_for('its script, and the age that an application learns', sub {
      ($browser->run('return document.body.dataset.fetched') // '') eq $fetched });
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
    is_kept_out($id, qr/was not successful/);
  };

  subtest 'declined' => sub {
    forget();
    my $id = begin();
    $browser->wait_until_shown('#cancel');
    $browser->click('#cancel');
    $browser->wait_until_shown('[data-screen=leave]');
    $browser->click('#confirm-cancel');
    $browser->wait_until_shown('[data-screen=cancelled] a.button');
    $browser->click('.outcome a.button');
    $browser->wait_for('the page of the gate', sub { $browser->url =~ m{/return} });
    is_kept_out($id, qr/stopped/);
  };

  subtest 'expired before the verification' => sub {
    forget();
    my $id = begin();
    $service->sql('UPDATE verification_session SET expires_at = 1 WHERE id = ?', $id);
    ok wait_for { $service->sql_value('SELECT status FROM verification_session WHERE id = ?',
      $id) eq 'expired' }, 'the session expires';
    $browser->go($page);
    is_kept_out($id, qr/stopped/);
  };

  subtest 'expired afterwards' => sub {
    my $id = enter();
    $service->sql('UPDATE credential SET expires_at = ? WHERE session_id = ?', time * 1000, $id);
    isnt begin(), $id, 'the proof ends with the credential: another session';
  };

  subtest 'revoked' => sub {
    my $id = enter();
    $service->verifyctl(qw(credential revoke), $_->{id})
      for @{$service->verifyctl(qw(credential list --session), $id)};
    isnt begin(), $id, 'the proof ends: another session';
  };

  subtest 'another host' => sub {
    my $id = enter();
    my $other = $page =~ s{//127\.0\.0\.1}{//localhost}r;
    my $there = begin($other);
    isnt $there, $id, 'the proof is not one there: another session';
    be_verified($there, at => $other);
    $browser->go($page);
    is_inside();
  };

  subtest 'without JavaScript' => sub {
    forget();
    $browser->chromium('Emulation.setScriptExecutionDisabled', value => JSON::PP::true);
    my $id = begin();
    set_outcome($id, 'passed');
    $browser->go($page);
    is_inside();
    forget();
    $id = begin();
    set_outcome($id, 'under_age');
    $browser->go($page);
    like $browser->text('main'), qr/was not successful/, 'or is told why not';
    like $browser->text('main a'), qr/Try again/, 'with a link';
    $browser->chromium('Emulation.setScriptExecutionDisabled', value => JSON::PP::false);
  };
}

for my $site (['a static site', '/whisky/page.html'],
  ['a proxied application', '/application/page.html']) {
  (my $name, $start) = @$site;
  $page = $base . $start;
  subtest $name => \&walk;
}

$browser->stop;
finish $service;
