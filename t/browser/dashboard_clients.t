#!/usr/bin/perl
# The clients of OpenID Connect in the dashboard, against the service itself: the empty
# list, a client that is added, changed, given another secret and deleted, what is wrong
# with a field next to it, and the page for somebody who may only look.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use Browser::Axe;
use Browser::Dashboard;
use Browser::Held;
use JSON::PP ();
use Verify::Dashboard;
use Verify::OidcTest;
use Verify::Test;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

my $service = Verify::Instance->start(start => 0, conf => "VerifyRateLimit secret 1000000\n");
my $organization = $service->organization(sandbox => 1, workflow => Verify::OidcTest::workflow());
my $id = $organization->{id};
my $dashboard = Verify::Dashboard->prepare($service, dev => "developer $id",
  looker => "auditor $id");
$service->start_httpd;
my $api = "/dashboard/v1/organizations/$id";
my $browser = Browser->start(width => 1280, height => 900);
my $held = Browser::Held->new($browser);
at_dashboard($browser, $service, $dashboard, $id);

sub rows { ask('document.querySelectorAll("tbody tr").length') }
# The field, in the dialog, of the label that begins with TEXT.
sub field { $browser->run(<<'JS', @_) }
  const label = [...document.querySelectorAll('dialog[open] label')].find((one) =>
    one.textContent.startsWith(arguments[0]));
  const field = document.getElementById(label.htmlFor);
  if (arguments.length > 1) {
    field.value = arguments[1];
    field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input',
      { bubbles: true }));
  }
  const fault = document.getElementById(`${field.id}-fault`);
  return { value: field.value, fault: fault && fault.textContent, disabled: field.disabled,
    invalid: field.getAttribute('aria-invalid') === 'true',
    focused: document.activeElement === field };
JS
sub press_of { $browser->run('[...document.querySelectorAll(".head button, .state button")]'
  . '.find((one) => one.textContent.trim() === arguments[0]).click()', $_[0]);
  $browser->wait_until_shown('dialog[open]') }
sub yes { $browser->click('dialog[open] .actions button:last-child') }
sub leave_dialog {
  $browser->press("\x{e00c}");
  $browser->wait_for('no dialog', sub { !$browser->find('dialog[open]') });
}
sub kept { $service->sql('SELECT * FROM oidc_client WHERE organization_id = ? ORDER BY id', $id) }
sub fits {
  my ($name) = @_;
  for my $width (390, 1920, 1280) {
    $browser->size($width, 900);
    cmp_ok ask('document.documentElement.scrollWidth'), '<=', $width, "$name fits $width pixels";
    my $dialog = ask('(() => { const box = document.querySelector("dialog[open] .dialog");'
      . 'return box ? box.scrollWidth - box.clientWidth : 0 })()');
    is $dialog, 0, '... and so does its dialog';
  }
}

log_in('dev');

subtest 'an empty list offers the first client' => sub {
  go_to(page => 'oidc_clients');
  is heading(), 'Login clients', 'the page';
  is $browser->text('.state strong'), 'No client yet', 'without clients';
  ok !$browser->find('.head .actions'), 'the creation is offered once';
  fits('the empty page');
  axe_ok($browser, 'the empty page');
  press_of('Add client');
  fits('the form');
  axe_ok($browser, 'the form');
};

subtest 'what is wrong is said next to its field' => sub {
  ok field('Name')->{focused}, 'the first field has the focus';
  is field('Workflow')->{value}, $organization->{workflow_id}, 'the first workflow is chosen';
  field('Name', 'Wine shop');
  field('Redirect URIs', "https://shop.example/callback\n\nhttp://shop.example/callback");
  yes();
  $browser->wait_for('the fault', sub { field('Redirect URIs')->{fault} });
  like field('Redirect URIs')->{fault}, qr{\A\W+http://shop\.example/callback\W+ must be an https},
    'with the line';
  ok field('Redirect URIs')->{invalid}, 'also for who listens';
  ok !$browser->find('dialog [role=alert]'), 'and only there';
  axe_ok($browser, 'the form with a fault');
  field('Redirect URIs', 'https://shop.example/callback');
  field('Authentication', 'private_key_jwt');
  $browser->wait_for('keys', sub { ask('!!document.querySelector("dialog textarea[rows=\"4\"]")') });
  field('Public keys', '{');
  yes();
  $browser->wait_for('the fault', sub { field('Public keys')->{fault} });
  is field('Public keys')->{fault}, 'Enter a JWK set in JSON.', 'no JSON';
  field('Public keys', '{"keys": [{"kty": "oct"}]}');
  yes();
  $browser->wait_for('the other fault', sub { (field('Public keys')->{fault} // 'Enter') !~ /Enter/ });
  is_deeply kept(), [], 'nothing was stored';
  field('Authentication', 'client_secret_basic');
};

my $secret;
subtest 'a client is added, and its secret shown once' => sub {
  field('Scope', 'openid age');
  yes();
  $browser->wait_for('its secret', sub { $browser->text('dialog[open]') =~ /svc_oidc_/ });
  ($secret) = $browser->text('dialog[open]') =~ /(svc_oidc_[\w-]{43})/;
  ok $secret, 'the secret';
  ok $browser->find('dialog[open] .code-box button'), 'can be copied';
  axe_ok($browser, 'the secret');
  $browser->click('dialog[open] .actions .primary');
  $browser->wait_for('the client', sub { heading() eq 'Wine shop' });
  $browser->wait_for('the issuer', sub { $browser->text('main') =~ m{Issuer\s+\Q@{[$service->base_url_tls]}\E} });
  like $browser->text('main'), qr/Client ID\s+oic_.*Age only.*openid age.*Client secret/s, 'its page';
  unlike $browser->text('main'), qr/svc_oidc_/, 'without the secret';
  fits('the client');
  axe_ok($browser, 'the client');
  my ($client, @more) = @{kept()};
  is_deeply [@$client{qw(name scope authentication algorithm workflow_id)}, scalar @more],
    ['Wine shop', 'openid age', 'client_secret_basic', 'RS256', $organization->{workflow_id}, 0],
    'one, as it was typed';
  go_to(page => 'oidc_clients');
  is rows(), 1, 'it is listed';
  like $browser->text('tbody'), qr{Wine shop\s+https://shop\.example/callback}, 'with its address';
  ok $browser->find('.head .primary'), 'others can be added';
  fits('the list');
  axe_ok($browser, 'the list');
};

subtest 'it is changed' => sub {
  $browser->click('tbody a.row');
  $browser->wait_for('the client', sub { heading() eq 'Wine shop' });
  press_of('Edit');
  is field('Name')->{value}, 'Wine shop', 'the form has what is stored';
  ok field('Authentication')->{disabled}, 'the authentication stays';
  field('Name', 'Bar');
  field('Redirect URIs', "https://bar.example/a\nhttp://localhost:3000/b");
  field('ID token signature', 'ES256');
  yes();
  $browser->wait_for('the new name', sub { !$browser->find('dialog[open]') && heading() eq 'Bar' });
  my ($client) = @{kept()};
  is $client->{algorithm}, 'ES256', 'stored';
  like $browser->text('main'), qr{bar\.example/a.*localhost:3000/b}s, 'and shown';
};

subtest 'another secret, of which a lost response makes no second one' => sub {
  press_of('New secret');
  axe_ok($browser, 'the question');
  is field('Old secret')->{value}, '60', 'the old one stays valid for an hour';
  $held->lose('POST .*/rotate-secret');
  yes();
  $browser->wait_for('the failure', sub { $browser->find('dialog [role=alert]') });
  my ($first) = @{kept()};
  yes();
  $browser->wait_for('the secret', sub { $browser->text('dialog[open]') =~ /svc_oidc_/ });
  my ($other) = $browser->text('dialog[open]') =~ /(svc_oidc_[\w-]{43})/;
  isnt $other, $secret, 'another one';
  my ($second) = @{kept()};
  is $second->{secret_digest}, $first->{secret_digest}, 'made once';
  is $second->{updated_at}, $first->{updated_at}, 'so that the old one stays valid';
  $browser->click('dialog[open] .actions .primary');
  $browser->wait_for('its page', sub { !$browser->find('dialog[open]') });
  like $browser->text('main'), qr/Old secret\s+Valid until/, 'as the page says';
  axe_ok($browser, 'a client with an old secret');
};

subtest 'deleted, and what was done is in the audit' => sub {
  press_of('Delete');
  like $browser->text('dialog[open] h2'), qr/Delete Bar\?/, 'the question';
  yes();
  $browser->wait_for('the list', sub { heading() eq 'Login clients' });
  $browser->wait_for('none', sub { $browser->find('.state') });
  is_deeply kept(), [], 'gone';
  go_to(page => 'audit');
  my $deeds = join '.*', 'Login client deleted', 'Client secret rotated',
    'Login client changed', 'Login client created';
  like $browser->text('tbody'), qr/$deeds/s, 'in words';
  unlike $browser->text('main'), qr/svc_oidc_|dashboard\/v1/, 'without secrets and routes';
};

subtest 'somebody who may only look' => sub {
  my $made = answer_is $dashboard->client('dev')->post("$api/oidc_clients", {name => 'Till',
    workflow_id => $organization->{workflow_id}, token_endpoint_auth_method => 'none',
    redirect_uris => ['https://till.example/']}), 201, 'a public client';
  go_to(page => 'oidc_client', id => $made->{id});
  $browser->wait_for('the client', sub { heading() eq 'Till' });
  is ask('[...document.querySelectorAll(".head button")].map((one) => one.textContent.trim())')
    ->[0], 'Edit', 'a developer can change it';
  is ask('document.querySelectorAll(".head .actions button").length'), 2, 'but it has no secret';
  log_in('looker');
  go_to(page => 'oidc_clients');
  is rows(), 1, 'sees the list';
  ok !$browser->find('.head .actions'), 'adds none';
  go_to(page => 'oidc_client', id => $made->{id});
  ok !$browser->find('.head .actions'), 'and changes none';
  $service->verifyctl(qw(oidc client delete), $made->{id});
  go_to(page => 'oidc_clients');
  $browser->wait_for('none', sub { $browser->find('.state') });
  ok !$browser->find('.state button'), 'nor the first';
};

subtest 'in German' => sub {
  log_in('dev');
  $browser->run('localStorage.setItem("idv-dashboard-language", "de")');
  go_to(page => 'oidc_clients');
  $browser->wait_for('German', sub { heading() eq 'Login-Clients' });
  press_of('Client anlegen');
  like $browser->text('dialog[open]'), qr/Weiterleitungs-URIs.*Umfang.*Authentifizierung/s, 'the form';
  fits('the form');
  axe_ok($browser, 'the form in German');
  leave_dialog();
};

is_deeply [map { $_->{message} } grep { $_->{message} !~ / 400 / } $browser->console], [],
  'the console is quiet';
finish $service;
