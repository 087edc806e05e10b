# Who gets in below /dashboard: logins of httpd and no keys, roles by
# VerifyOperator, and nothing that a page of another site causes.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use IO::Socket::INET;
use JSON::PP ();
use MIME::Base64 qw(encode_base64);
use Verify::Test;

my @roles = qw(auditor reviewer developer publisher admin);
my $service = Verify::Instance->start(start => 0);
my $here = $service->organization(sandbox => 1, workflow => 1);
my $there = $service->organization(sandbox => 1);
my $application =
  $service->verifyctl(qw(app create --org), $here->{id}, qw(--name Shop))->{id};

my $directory = $service->{directory};
my %password = map { $_ => "pass-$_" } @roles, qw(nobody outsider everywhere twin);
open my $passwords, '>', "$directory/passwords" or die "passwords: $!\n";
for my $user (sort keys %password) {
  chomp(my $hash = `openssl passwd -apr1 '$password{$user}'`);
  print $passwords "$user:$hash\n";
}
close $passwords;
chmod 0644, "$directory/passwords";

# One rule for each role, by four providers of httpd's.
sub rules {
  my ($id) = @_;
  return <<"CONF";
VerifyOperator auditor $id user auditor
VerifyOperator reviewer $id group reviewers
VerifyOperator developer $id expr "%{REMOTE_USER} == 'developer'"
VerifyOperator publisher $id user publisher
VerifyOperator admin $id named-admin
VerifyOperator auditor $there->{id} user twin
VerifyOperator reviewer $id user twin
VerifyOperator admin $there->{id} user outsider
VerifyOperator auditor * user everywhere
CONF
}
open my $groups, '>', "$directory/groups" or die "groups: $!\n";
print $groups "reviewers: reviewer\n";
close $groups;
chmod 0644, "$directory/groups";
sub module { "LoadModule $_[0]_module \${VERIFY_MODULES}/mod_$_[0].so\n" }
my $login = <<"CONF";
    AuthType Basic
    AuthName dashboard
    AuthBasicProvider file
    AuthUserFile "$directory/passwords"
    AuthGroupFile "$directory/groups"
    Require valid-user
CONF
my $modules = join '', map { module($_) } qw(auth_basic authn_file authz_user authz_groupfile);
$service->{conf} = <<"CONF" . rules($here->{id});
$modules
VerifyDashboardLogout /dashboard/logout
VerifyOperatorName "The %{REMOTE_USER}"
VerifyCORSOrigins https://shop.example
<AuthzProviderAlias user named-admin admin>
</AuthzProviderAlias>
<Location "/dashboard">
$login</Location>
CONF
$service->allow_log(qr/AH01614: client used wrong authentication scheme/);
$service->start_httpd;
my $own = '/dashboard/v1/organizations/' . $here->{id};

sub client_of {
  my ($user, %headers) = @_;
  return $service->client(undef, headers => {
    defined $user
      ? (Authorization => 'Basic ' . encode_base64("$user:$password{$user}", '')) : (),
    'Sec-Fetch-Site' => 'same-origin', %headers});
}
my %client = map { $_ => client_of($_) } keys %password;

# --- logins ---

my $answer = client_of(undef)->get('/dashboard/v1/me');
error_is $answer, 401, 'operator_login_required', undef, 'without a login';
like $answer->header('WWW-Authenticate'), qr/\ABasic /, '... httpd asks for one';
my @browser = (Accept => 'text/html,application/xhtml+xml,*/*;q=0.8');
for my $wish (['fr, de-AT;q=0.8, en', 'de', qr/Erneut versuchen/], ['pl', 'en', qr/Try again/]) {
  my ($languages, $language, $again) = @$wish;
  my $page = client_of(undef, @browser, 'Accept-Language' => $languages)->get('/dashboard/');
  is $page->status, 401, "a browser: $languages";
  like $page->header('WWW-Authenticate'), qr/\ABasic /, '... is asked for the login';
  like $page->body, qr{<html lang="$language">.*<a href="/dashboard/">$again</a>}s,
    '... and gets a page';
  like $page->header('Content-Type'), qr{\Atext/html; charset=utf-8\z}i, '... of HTML';
  my ($nonce) = $page->body =~ /<style nonce="([^"]+)">/;
  like $page->header('Content-Security-Policy'),
    qr/\Adefault-src 'none'; style-src 'nonce-\Q$nonce\E';/, '... with a style of its own';
  unlike $page->body, qr/<script|demo\.env/, '... no script, nothing of a demonstration';
}
error_is client_of(undef, @browser)->get('/dashboard/v1/me'), 401,
  'operator_login_required', undef, 'the API answers in JSON whatever is accepted';
error_is client_of(undef, Accept => '*/*')->get('/dashboard/'), 401,
  'operator_login_required', undef, 'as does the page for a program';
error_is $service->client($here->{secret_key})->get("$own/events"), 401,
  'operator_login_required', undef, 'a secret key is no login';
error_is client_of('admin')->get('/v1/events'), 401, 'api_key_invalid', undef,
  'and an operator has no key';
is_deeply $client{nobody}->get('/dashboard/v1/me')->json, {object => 'operator',
  user => 'nobody', name => 'The nobody', authentication => 'Basic', roles => [],
  logout_url => '/dashboard/logout',
  advice => 'You have no role on this server. To grant one, its administrator writes'
    . ', for example, VerifyOperator reviewer * user nobody'},
  'somebody without a role is told what to write';
error_is $client{nobody}->get($_), 403, 'operator_role_required', undef, $_
  for '/dashboard/v1/organizations', $own, "$own/events";
is_deeply $client{twin}->get('/dashboard/v1/me')->json->{roles},
  [{organization => $there->{id}, role => 'auditor'},
    {organization => $here->{id}, role => 'reviewer'}], 'roles of two organizations';

# --- organizations ---

sub ids { join ' ', map { $_->{id} } @{$_[0]->json->{data}} }
my $list = '/dashboard/v1/organizations';
is ids($client{everywhere}->get($list)), "$there->{id} $here->{id}", 'all, newest first';
is ids($client{everywhere}->get("$list?limit=1&starting_after=$there->{id}")), $here->{id},
  'in pages';
is ids($client{everywhere}->get("$list?ending_before=$here->{id}")), $there->{id},
  '... and back';
is ids($client{auditor}->get($list)), $here->{id}, 'only where one has a role';
is ids($client{twin}->get("$list?search=TEST%20org")), "$there->{id} $here->{id}",
  'by the beginning of a name';
is ids($client{twin}->get("$list?search=organization")), '', '... not by its end';
is ids($client{twin}->get("$list?search=$here->{id}")), $here->{id}, 'by an id';
is_deeply $client{twin}->get("$list/$there->{id}")->json->{roles}, ['auditor'],
  'one organization, with the roles in it';
error_is $client{auditor}->get("$list/$there->{id}"), 403, 'operator_role_required',
  undef, 'one in which there is no role';
error_is $client{everywhere}->get("$list/org_0"), 404, 'resource_missing', undef,
  'one that is none';
error_is $client{auditor}->get("$list/org_0"), 403, 'operator_role_required', undef,
  '... which others are not told';

# --- the routes of keys ---

my $session = $client{developer}->post("$own/verification_sessions",
  {type => 'age', workflow_id => $here->{workflow_id}, jurisdiction => 'US-VA'});
is $session->status, 201, 'a session is created';
my $id = $session->json->{id};
is $client{auditor}->get("$own/verification_sessions/$id")->json->{id}, $id, 'and read';
is $here->{client}->get("/v1/verification_sessions/$id")->json->{id}, $id,
  'as its key does';
is $client{reviewer}->post("$own/verification_sessions/$id/cancel", {})->json->{status},
  'cancelled', 'and cancelled';
error_is $client{outsider}->get("$list/$there->{id}/verification_sessions/$id"), 404,
  'session_not_found', undef, 'not by another organization';
error_is $client{admin}->get("$own/trust_reuse/settings"), 403,
  'application_credential_required', undef, 'settings belong to an application';
is $client{admin}->get("$own/applications/$application/trust_reuse/settings")
  ->json->{application_id}, $application, 'which a path names';
error_is $client{admin}->get("$own/applications/app_0/trust_reuse/settings"), 404,
  'resource_missing', undef, 'one that is none';
error_is $client{outsider}->get(
  "$list/$there->{id}/applications/$application/trust_reuse/settings"), 404,
  'resource_missing', undef, 'one of another organization';

my %key = ('Idempotency-Key' => 'once');
my %endpoint = (url => 'https://127.0.0.1:9/hook', enabled_events => ['*']);
my $first = $client{developer}->post("$own/webhook_endpoints", \%endpoint, %key);
is $first->status, 201, 'an endpoint with an Idempotency-Key';
is $client{developer}->post("$own/webhook_endpoints", \%endpoint, %key)->body,
  $first->body, '... again';
isnt $client{$_}->post("$own/webhook_endpoints", \%endpoint, %key)->json->{id},
  $first->json->{id}, "another operator, $_, is not shown what that one was answered"
  for qw(publisher admin);
isnt $here->{client}->post('/v1/webhook_endpoints', \%endpoint, %key)->json->{id},
  $first->json->{id}, 'nor is a key';

# --- other sites ---

my $base = $service->base_url;
my %attempts = (
  'a page of another site' => {'Sec-Fetch-Site' => 'cross-site'},
  'a page of another host of the site' => {'Sec-Fetch-Site' => 'same-site'},
  'a bookmark' => {'Sec-Fetch-Site' => 'none'},
  'a page of another site in an old browser' =>
    {'Sec-Fetch-Site' => undef, Origin => 'https://evil.example'},
  'a file' => {'Sec-Fetch-Site' => undef, Origin => 'null'},
  'another port' => {'Sec-Fetch-Site' => undef, Origin => 'http://127.0.0.1:1'},
  'another scheme' => {'Sec-Fetch-Site' => undef, Origin => $base =~ s/http/https/r},
  'an origin that only begins so' => {'Sec-Fetch-Site' => undef, Origin => $base . '0'},
  'nobody who says so' => {'Sec-Fetch-Site' => undef},
  'a page that sends both' =>
    {'Sec-Fetch-Site' => 'cross-site', Origin => $base},
);
my $count = $service->sql_value('select count(*) from webhook_endpoint');
for my $name (sort keys %attempts) {
  error_is $client{admin}->post("$own/webhook_endpoints", \%endpoint, %{$attempts{$name}}),
    403, 'cross_site_refused', undef, $name;
  error_is $client{admin}->delete("$own/webhook_endpoints/" . $first->json->{id},
    %{$attempts{$name}}), 403, 'cross_site_refused', undef, '... nor by DELETE';
}
error_is $client{admin}->post("$own/webhook_endpoints", 'url=x', 'Content-Type' => $_),
  415, 'unsupported_media_type', undef, "a body as $_"
  for 'application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data',
    'application/jsonp';
is $service->sql_value('select count(*) from webhook_endpoint'), $count, 'nothing changed';
error_is $client{admin}->get("$own/events", 'Sec-Fetch-Site' => $_), 403,
  'cross_site_refused', undef, "data is not read by pages of others ($_)"
  for qw(cross-site same-site);
is $client{admin}->get("$own/events", 'Sec-Fetch-Site' => undef)->status, 200,
  'a program without such headers reads';
is $client{admin}->post("$own/webhook_endpoints", \%endpoint,
  'Sec-Fetch-Site' => undef, Origin => $base)->status, 201, 'and writes with its Origin';
# The same under another Host, which clients of Perl do not send.
my $port = $base =~ s/.*://r;
sub posts_to {
  my ($host) = @_;
  my $body = JSON::PP->new->encode(\%endpoint);
  my $login = $client{admin}{headers}{Authorization};
  my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port) or die "$!\n";
  print $socket join "\r\n", "POST $own/webhook_endpoints HTTP/1.1", "Host: $host",
    "Origin: http://$host", "Authorization: $login", 'Content-Type: application/json',
    'Content-Length: ' . length($body), 'Connection: close', '', $body;
  my ($status) = (readline($socket) // '') =~ m{\AHTTP/1\.1 (\d+)};
  return $status;
}
is posts_to('evil.example'), 403, 'a name that somebody else lets lead here';
is posts_to("evil.example:$port"), 403, '... with the port, too';
is posts_to("LOCALHOST:$port"), 201, 'the name of the server';
is posts_to("127.0.0.1:$port"), 201, 'and its address';
$answer = $client{auditor}->request('OPTIONS', "$own/compliance/check", {},
  Origin => 'https://shop.example', 'Access-Control-Request-Method' => 'GET');
is $answer->header('Access-Control-Allow-Origin'), undef, 'no CORS, whatever is configured';
$answer = $client{auditor}->get("$own/events");
is $answer->header($_->[0]), $_->[1], $_->[0] for ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'], ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'], ['X-Frame-Options', 'DENY'];
like $answer->header('Content-Security-Policy'),
  qr/default-src 'none'.*frame-ancestors 'none'.*require-trusted-types-for 'script'/,
  'Content-Security-Policy';

# --- what is refused counts ---

# As fast as a client can, and after a restart, as no other limit would let it: more
# than two minutes' worth, since a minute may end meanwhile.
$service->stop_httpd;
$service->{conf} .= "VerifyRateLimit secret 20\n";
$service->start_httpd;
my %statuses;
my $last;
for (1 .. 45) {
  $last = $client{nobody}->get("$own/events");
  $statuses{$last->status}++;
  last if $last->status == 429;
}
error_is $last, 429, 'rate_limit_exceeded', undef, 'who may not do it may not try for ever';
cmp_ok $last->header('Retry-After'), '>=', 1, '... and is told when again';
is join(' ', grep { !/\A4(?:03|29)\z/ } keys %statuses), '', '... after refusals alone';

finish $service;
