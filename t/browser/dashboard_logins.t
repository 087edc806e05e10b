#!/usr/bin/perl
# The dashboard behind logins other than Basic. OpenID Connect as mod_auth_openidc
# has it (t/lib/mod_fake_openid.c stands in its place) in a real browser: the way to
# the provider and back, roles by claims, and a login that ends over a change. Client
# certificates, as conf/manual/dashboard.md recommends them: over HTTP with curl and our own
# client, since Chromium presents one only from the system's store of keys and by
# the system's policy (AutoSelectCertificateForUrls), which no test may change.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use Verify::Test;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

my $build = abs_path($ENV{VERIFY_BUILD} // "$FindBin::Bin/../../build");
my $service = Verify::Instance->start(start => 0);
my $organization = $service->organization(workflow => 1, sandbox => 1);
my $id = $organization->{id};
my $api = "/dashboard/v1/organizations/$id";
my ($certificate_port) = Verify::Instance::free_ports(1);
my $certificate_base = "https://127.0.0.1:$certificate_port";
my $tls = "$service->{directory}/tls";
my ($plain, $base) = ($service->base_url, $service->base_url_tls);

# --- certificates of persons ---

sub run_openssl {
  my (@arguments) = @_;
  my $said = '';
  open my $pipe, '-|', 'sh', '-c', 'exec openssl "$@" 2>&1', 'sh', @arguments
    or die "openssl: $!\n";
  $said .= $_ while <$pipe>;
  close $pipe or die "openssl @arguments: $said\n";
}

# A certificate of NAME for USE by AUTHORITY, as a file; its key is beside it.
sub certificate {
  my ($file, $name, $authority, $use) = @_;
  my $path = "$tls/$file";
  open my $extensions, '>', "$path.ext" or die "$path.ext: $!\n";
  print $extensions "basicConstraints=CA:FALSE\nextendedKeyUsage=$use\n";
  close $extensions;
  run_openssl(qw(req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes),
    '-keyout', "$path.key", '-out', "$path.csr", '-subj', "/OU=Identity team/CN=$name");
  run_openssl(qw(x509 -req -days 2 -set_serial), '0x' . unpack('H*', $file), '-in',
    "$path.csr", '-CA', "$authority.pem", '-CAkey', "$authority.key", '-extfile',
    "$path.ext", '-out', "$path.pem");
  return "$path.pem";
}
$service->script('certificate', 'authority');
run_openssl(qw(req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2),
  '-subj', '/CN=Authority of others', '-keyout', "$tls/others.key", '-out', "$tls/others.pem");
my %certificate = (
  alice => certificate('alice', 'Alice Example', "$tls/ca", 'clientAuth'),
  guest => certificate('guest', 'Guest Example', "$tls/ca", 'clientAuth'),
  machine => certificate('machine', 'Alice Example', "$tls/ca", 'serverAuth'),
  forged => certificate('forged', 'Alice Example', "$tls/others", 'clientAuth'),
);

# --- the server ---

$service->{conf} = <<"CONF";
LoadModule authz_user_module \${VERIFY_MODULES}/mod_authz_user.so
LoadModule fake_openid_module $build/t/lib/mod_fake_openid.so
FakeOpenIDProvider $plain/provider $base
FakeOpenIDLogin dora "Dora Maar" staff,dev
FakeOpenIDLogin paul "Paul Klee" staff,devil
VerifyOperator developer * expr "reqenv('OIDC_CLAIM_groups') =~ /(^|,)dev(,|\$)/"
VerifyOperator admin $id user "Alice Example"
VerifyOperatorName "%{reqenv:OIDC_CLAIM_name}%{SSL_CLIENT_S_DN_OU}"
VerifyDashboardLogout /dashboard/oidc?logout=1
<Location "/provider">
    SetHandler fake-openid-provider
    Require all granted
</Location>
<Location "/dashboard">
    AuthType openid-connect
    Require valid-user
</Location>
Listen 127.0.0.1:$certificate_port
<VirtualHost 127.0.0.1:$certificate_port>
    Protocols h2 http/1.1
    SSLEngine on
    SSLCertificateFile "$tls/service.pem"
    SSLCertificateKeyFile "$tls/service.key"
    SSLVerifyClient require
    SSLCACertificateFile "$tls/ca.pem"
    SSLUserName SSL_CLIENT_S_DN_CN
    <Location "/dashboard">
        AuthType None
        Require expr "%{SSL_CLIENT_VERIFY} == 'SUCCESS'"
    </Location>
    <Location "/dashboard/ssl-verify-client">
        Require ssl-verify-client
    </Location>
</VirtualHost>
CONF
$service->allow_log(qr/AH01630: client denied by server configuration: \S+\/favicon\.ico/);
$service->expect_log(qr/AH02039: Certificate Verification: Error \(26\)/);
$service->expect_log(qr/AH02039: Certificate Verification: Error \(20\)/);
$service->expect_log(qr{AH01630: client denied by server configuration: \S+/ssl-verify-client});
$service->start_httpd;

# --- OpenID Connect ---

sub asks {
  my ($address, %headers) = @_;
  return $service->client(undef, base_url => $address, headers => \%headers);
}

subtest 'somebody who is not logged in' => sub {
  my %from_page = ('Sec-Fetch-Site' => 'same-origin', 'Sec-Fetch-Mode' => 'cors');
  error_is asks($base, %from_page)->get("$api/events"), 401, 'operator_login_required',
    undef, 'a page is answered 401, and not sent to where it cannot go';
  is asks($base, %from_page, 'OIDC_CLAIM_groups' => 'dev', 'OIDC-CLAIM-groups' => 'dev')
    ->get("$api/events")->status, 401, 'claims in headers are none';
  my $sent = asks($base, 'Sec-Fetch-Mode' => 'navigate')->get('/dashboard/?page=keys');
  is $sent->status, 302, 'a navigation';
  is $sent->header('Location'),
    "$plain/provider?state=%2fdashboard%2f%3fpage%3dkeys", '... is led to the provider';
};

my $browser = Browser->start(width => 1280, height => 900);
sub shown {
  $browser->wait_for('the page', sub { $browser->run(
    'return !!document.querySelector("main h1") && !document.querySelector(".skeleton")') });
}
sub at_provider {
  $browser->wait_for('the provider', sub { $browser->run('return document.title') eq 'Provider' });
}
sub choose {
  my ($user) = @_;
  at_provider();
  $browser->click("#$user");
  $browser->wait_for('the way back', sub { $browser->url =~ m{\A\Q$base\E/dashboard/} });
}
sub forget_login { $browser->command(DELETE => '/cookie/fake_openid') }
sub me { $browser->run_async(<<'JS') }
const done = arguments[0];
fetch('/dashboard/v1/me').then((answer) => answer.json()).then(done);
JS

subtest 'a login, and a role by a claim' => sub {
  $browser->go("$base/dashboard/?org=$id&page=keys");
  choose('dora');
  shown();
  is $browser->url, "$base/dashboard/?org=$id&page=keys", 'it ends where it began';
  is $browser->text('main h1'), 'API keys', 'with the page that was asked for';
  my $me = me();
  is $me->{user}, 'dora', 'the login';
  is $me->{name}, 'Dora Maar', 'the name is that of the claim';
  is $me->{authentication}, 'openid-connect', 'by what';
  is_deeply $me->{roles}, [{organization => '*', role => 'developer'}], 'the role of the group';
  ok $browser->find('a[href$="/dashboard/oidc?logout=1"]'), 'there is a way out';
};

subtest 'a group of another name' => sub {
  forget_login();
  $browser->go("$base/dashboard/?org=$id");
  choose('paul');
  $browser->wait_for('the advice', sub { $browser->text('main') =~ /VerifyOperator/ });
  is_deeply me()->{roles}, [], 'gives no role';
  my $refused = asks($base, Cookie => 'fake_openid=paul', 'Sec-Fetch-Site' => 'same-origin',
    'OIDC_CLAIM_groups' => 'dev')->get("$api/events");
  error_is $refused, 403, 'operator_role_required', undef, 'nor by a header of its name';
  forget_login();
};

subtest 'a login that ends over a change' => sub {
  my $dora = asks($base, Cookie => 'fake_openid=dora', 'Sec-Fetch-Site' => 'same-origin');
  my $draft = answer_is $dora->post("$api/workflow_drafts",
    {workflow_id => $organization->{workflow_id}}), 201, 'a draft';
  my $address = "$base/dashboard/?id=$draft->{id}&org=$id&page=draft";
  $browser->go($address);
  choose('dora');
  shown();
  $browser->wait_for('no faults', sub { $browser->text('.head') =~ /Valid/ });
  forget_login();
  $browser->send_keys('[data-pointer="/name"]', ' of mine');
  $browser->click('.toolbar .primary');
  my $link = 'main [role=alert] a.button';
  $browser->wait_until_shown($link);
  like $browser->text('main [role=alert]'), qr/signed out/, 'it says so';
  is $browser->run('return document.querySelector(arguments[0]).href', $link), $address,
    'with a link to this very page';
  is $browser->run('return document.querySelector(arguments[0]).target', $link), '',
    'in its own tab';
  is $browser->run('return document.querySelector(\'[data-pointer="/name"]\').value'),
    "$draft->{definition}{name} of mine", 'what was written is still there';
  is answer_is($dora->get("$api/workflow_drafts/$draft->{id}"), 200)->{etag}, $draft->{etag},
    'nothing was saved';
  $browser->click($link);
  choose('dora');
  shown();
  is $browser->url, $address, 'after the login the same page';
  like $browser->text('main'), qr/unsaved changes were restored/, 'the change is brought back';
  like $browser->text('main h1'), qr/ of mine\z/, 'as it was written';
  $browser->click('.toolbar .primary');
  $browser->wait_for('it is saved', sub { $browser->text('.head') =~ /Saved/
    && $browser->text('.head') !~ /Not saved/ });
  like answer_is($dora->get("$api/workflow_drafts/$draft->{id}"), 200)->{definition}{name},
    qr/ of mine\z/, 'and is saved';
  my $entry = answer_is($dora->get("$api/audit"), 200)->{data}[0];
  is_deeply [@$entry{qw(actor authentication role)}], ['dora', 'openid-connect', 'developer'],
    'the record says who it was, and how she was let in';
};

# --- client certificates ---

sub with_certificate {
  my ($who, %headers) = @_;
  return $service->client(undef, base_url => $certificate_base, certificate =>
    $certificate{$who}, headers => {'Sec-Fetch-Site' => 'same-origin', %headers});
}

subtest 'client certificates' => sub {
  my $alice = with_certificate('alice');
  my $me = answer_is $alice->get('/dashboard/v1/me'), 200, 'a certificate of the authority';
  is $me->{user}, 'Alice Example', 'is somebody';
  is $me->{name}, 'Identity team', 'VerifyOperatorName reads of it';
  is $me->{authentication}, 'ClientCertificate', 'by what';
  is_deeply $me->{roles}, [{organization => $id, role => 'admin'}], 'with a role';
  is $alice->post("$api/webhook_endpoints", {url => 'https://127.0.0.1:9/hook',
    enabled_events => ['*']})->status, 201, 'which changes something';
  error_is with_certificate('alice', 'Sec-Fetch-Site' => 'cross-site')->post(
    "$api/webhook_endpoints", {url => 'https://127.0.0.1:9/hook', enabled_events => ['*']}),
    403, 'cross_site_refused', undef, 'a page of another site has the certificate, too';
  is_deeply answer_is(with_certificate('guest')->get('/dashboard/v1/me'), 200)->{roles}, [],
    'another one has no role';
  error_is with_certificate('guest')->get("$api/events"), 403, 'operator_role_required';
  for my $who (qw(machine forged)) {
    is with_certificate($who)->get('/dashboard/v1/me')->status, 599,
      "no connection with one that is $who";
  }
  is $service->client(undef, base_url => $certificate_base)->get('/dashboard/v1/me')->status,
    599, 'nor without any';
  is $service->client(undef, base_url => $base, certificate => $certificate{alice}, headers =>
    {'Sec-Fetch-Site' => 'same-origin', 'Sec-Fetch-Mode' => 'cors'})
    ->get('/dashboard/v1/me')->status, 401, 'where none is asked for it counts nothing';
  for my $version (qw(1.1 2)) {
    open my $curl, '-|', qw(curl -s --cacert), "$tls/ca.pem", "--http$version", '--cert',
      $certificate{alice}, '--key', "$tls/alice.key", '-w', '%{http_version} %{http_code}',
      "$certificate_base/dashboard/v1/me" or die "curl: $!\n";
    local $/;
    my $answer = <$curl>;
    like $answer, qr/"user":"Alice Example".*"ClientCertificate".*\}$version 200\z/s, "over HTTP/$version";
  }
  open my $refused, '-|', qw(curl -s -o /dev/null --http2 --cacert), "$tls/ca.pem", '--cert',
    $certificate{alice}, '--key', "$tls/alice.key", '-w', '%{http_version} %{http_code}',
    "$certificate_base/dashboard/ssl-verify-client" or die "curl: $!\n";
  is scalar <$refused>, '2 403', 'Require ssl-verify-client knows no certificate there';
};

finish $service;
