# The age gate: the way of a visitor from a guarded page through a session and
# back, and what a guarded page says to others.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Test;
use Verify::Visitor;

my $service = Verify::Instance->start(start => 0);
my $shop = $service->organization(sandbox => 1, workflow => 1);
my $htdocs = "$service->{directory}/httpd/htdocs";
my $gate = '/.verify-gate/shop';
my $nowhere = reverse substr $shop->{id}, 4;
my $unknown_workflow = substr($shop->{workflow_id}, 0, 3)
  . reverse substr $shop->{workflow_id}, 3;
$service->{conf} = <<"CONF";
<IfModule !proxy_module>
  LoadModule proxy_module \${VERIFY_MODULES}/mod_proxy.so
  LoadModule proxy_http_module \${VERIFY_MODULES}/mod_proxy_http.so
</IfModule>
<IfModule !mime_module>
  LoadModule mime_module \${VERIFY_MODULES}/mod_mime.so
  TypesConfig /dev/null
</IfModule>
<IfModule !alias_module>
  LoadModule alias_module \${VERIFY_MODULES}/mod_alias.so
</IfModule>
LoadModule asis_module \${VERIFY_MODULES}/mod_asis.so
LoadModule include_module \${VERIFY_MODULES}/mod_include.so
AddType text/html .shtml
AddOutputFilter INCLUDES .shtml
AddHandler send-as-is asis
<Directory "$htdocs">
  Options +Includes
  Require all granted
</Directory>
LogLevel authz_core:crit
VerifyGate shop $shop->{id} $shop->{workflow_id} US-CA
VerifyGate bar $shop->{id} $shop->{workflow_id} US-CA
VerifyGate lost $shop->{id} $unknown_workflow US-CA
VerifyGate closed org_$nowhere $unknown_workflow US-CA
VerifyGateHeaders on
<Location "/whisky">
  VerifyGateUse shop
  VerifyGateSkip "expr=%{HTTP_USER_AGENT} == 'Crawler'"
  Require verified-age 18
  Header set X-Age "%{VERIFY_AGE}e"
  Header set X-Gate "%{VERIFY_GATE}e"
  Header set X-Sent-Age "expr=%{req:Verify-Age}"
</Location>
<Location "/open">
  Header set X-Sent-Age "expr=%{req:Verify-Age}%{req:VERIFY_AGE}%{req:Verify.Age}"
  Header set Cache-Control "public, max-age=60, s-maxage=600"
</Location>
<Location "/proxied">
  VerifyGateUse shop
  Require verified-age 18
  Header set X-Sent-Age "expr=%{req:Verify-Age}"
  ProxyPass http://127.0.0.1:$service->{http_port}/open
</Location>
<Location "/older">
  VerifyGateUse shop
  Require verified-age 40
</Location>
<Location "/named">
  VerifyGateUse shop
  Require verified-identity
</Location>
<Location "/lawful">
  VerifyGateUse shop
  Require verified-age lawful
</Location>
<Location "/bar">
  VerifyGateUse bar
  Require verified-age 18
</Location>
<Location "/either">
  VerifyGateUse shop
  <RequireAny>
    Require expr "%{HTTP:X-Member} == 'yes'"
    Require verified-age 18
  </RequireAny>
</Location>
<Location "/shared">
  VerifyGateUse shop
  <RequireAny>
    Require expr "%{HTTP:X-Member} == 'yes'"
    Require verified-age 18
  </RequireAny>
  ProxyPass http://127.0.0.1:$service->{http_port}/open
</Location>
<Location "/whisky/moved">
  Redirect 301 https://shop.example/a-secret-page
</Location>
<Location "/pages/private.shtml">
  VerifyGateUse shop
</Location>
<Location "/both">
  VerifyGateUse shop
  <RequireAll>
    Require expr "%{HTTP:X-Member} == 'yes'"
    Require verified-age 18
  </RequireAll>
</Location>
<Location "/unverified">
  VerifyGateUse shop
  <RequireAll>
    Require all granted
    Require not verified-age 18
  </RequireAll>
</Location>
CONF
for my $folder ('', qw(/whisky /open /older /named /lawful /bar /either /both
  /unverified)) {
  system 'mkdir', '-p', "$htdocs$folder";
  open my $file, '>', "$htdocs$folder/page.html" or die;
  print $file "<!DOCTYPE html><title>inside</title>inside $folder\n";
  close $file;
}
sub write_page {
  my ($path, $content) = @_;
  system 'mkdir', '-p', $htdocs . ($path =~ s{[^/]+\z}{}r);
  open my $file, '>', "$htdocs$path" or die "$path: $!\n";
  print $file $content;
  close $file;
}
write_page('/whisky/script.asis', "Content-Type: text/html\n"
  . "Cache-Control: public, max-age=60, s-maxage=600\nCDN-Cache-Control: max-age=600\n\n"
  . "inside\n");
my $includes = join ' ', map { qq(<!--#include virtual="$_" -->) }
  qw(/whisky/page.html /open/page.html);
write_page("/pages/$_.shtml", "before $includes") for qw(shared private);
$service->start_httpd;

sub visitor {
  my ($host) = @_;
  return Verify::Visitor->new(ca_file => $service->ca_file,
    base => 'https://' . ($host // '127.0.0.1') . ":$service->{https_port}");
}
sub sessions {
  return $service->sql_value('SELECT count(*) FROM verification_session');
}
# Goes from PATH to the page of a session, whose id it returns.
sub begin {
  my ($visitor, $path) = @_;
  my $page = $visitor->follow($path);
  my ($id) = $page->location =~ m{/verify/(vks_\w+)[?#]};
  ok $id, "$path leads to a session" or diag "$page->{status} $page->{content}";
  return $id;
}
sub set_outcome {
  my ($id, $value, %more) = @_;
  return answer_is $shop->{client}->post(
    "/v1/verification_sessions/$id/test_outcome", {value => $value, %more}), 200,
    "the session: $value";
}
# A visitor who has been verified, at PATH.
sub verified {
  my ($path, $host) = @_;
  my $visitor = visitor($host);
  set_outcome(begin($visitor, $path), 'passed');
  my $page = $visitor->visit("$gate/return");
  is $page->status, 303, 'the return leads on';
  is $page->location, $path, 'to the page that was asked for';
  return $visitor;
}

subtest 'the way' => sub {
  my $visitor = visitor();
  my $page = $visitor->visit('/whisky/page.html?a=1&b=%20');
  is $page->status, 303, 'a guarded page leads to the gate';
  is $page->header('Cache-Control'), 'no-store', 'and nobody keeps that';
  is $page->location, "$gate/start?to=%2fwhisky%2fpage.html%3fa%3d1%26b%3d%2520",
    'with the page that was asked for';
  $page = $visitor->visit($page->location);
  is sessions(), 0, 'no session for a browser without cookies';
  my $id = begin($visitor, $page->location);
  is sessions(), 1, 'a session for one that has them';
  my $session = answer_is $shop->{client}->get("/v1/verification_sessions/$id"), 200;
  is $session->{return_url}, "$visitor->{base}$gate/return", 'its return_url';
  is begin($visitor, '/whisky/other.html'), $id, 'one session for each browser';
  is $visitor->visit("$gate/return")->status, 403, 'it is not over yet';
  set_outcome($id, 'passed');
  $page = $visitor->visit("$gate/return?session_id=$id");
  is $page->status, 303, 'the return';
  is $page->location, '/whisky/other.html', 'leads to the page';
  is $page->header('Cache-Control'), 'no-store', 'and nobody keeps that';
  my $cookies = $page->header('Set-Cookie');
  like $cookies, qr/\A__Host-verify-gate-shop=[\w-]+; Path=\/; Max-Age=[0-9]+; Secure; HttpOnly; SameSite=Lax/,
    'the proof is a cookie of this host';
  unlike $cookies, qr/Domain/i, 'and no other';
  is_deeply [keys %{$visitor->{cookies}}], ['__Host-verify-gate-shop'],
    'nothing is left of the visit';
  $page = $visitor->visit('/whisky/page.html');
  is $page->status, 200, 'the page is open';
  like $page->body, qr/inside/, 'and shown';
  is $page->header('X-Age'), 21, 'VERIFY_AGE';
  is $page->header('X-Gate'), 'shop', 'VERIFY_GATE';
  is $page->header('X-Sent-Age'), 21, 'the header of a backend';
  like $page->header('Cache-Control'), qr/\Aprivate/, 'it is private';
  like $page->header('Vary'), qr/Cookie/, 'and varies';
  is $visitor->request('GET', '/whisky/page.html')->status, 200,
    'for what is no navigation, too';
  is $visitor->request('POST', '/whisky/page.html')->status, 200, 'or no GET';
};

subtest 'what is no navigation' => sub {
  my $visitor = visitor();
  my $before = sessions();
  my %kinds = ('a program' => ['GET', Accept => 'application/json'],
    'an image' => ['GET', 'Sec-Fetch-Mode' => 'no-cors', 'Sec-Fetch-Dest' => 'image'],
    'a frame' => ['GET', 'Sec-Fetch-Mode' => 'navigate', 'Sec-Fetch-Dest' => 'iframe'],
    'a prefetch' => ['GET', Accept => 'text/html', 'Sec-Purpose' => 'prefetch'],
    'an XHR' => ['GET', Accept => 'text/html', 'X-Requested-With' => 'XMLHttpRequest'],
    'curl' => ['GET', Accept => '*/*'], 'a form' => ['POST', Accept => 'text/html']);
  for my $kind (sort keys %kinds) {
    my $page = $visitor->request(@{$kinds{$kind}}[0], '/whisky/page.html',
      @{$kinds{$kind}}[1 .. $#{$kinds{$kind}}],
      Referer => "$visitor->{base}/whisky/app.html");
    is $page->status, 403, "$kind: 403";
    is JSON::PP::decode_json($page->body)->{error}{code}, 'access_denied',
      "$kind: the envelope";
    is $page->header('Link'), "<$gate/start?to=%2fwhisky%2fapp.html>; rel=\"related\"; title=\"verification\"",
      "$kind: the way";
    is $page->header('Cache-Control'), 'no-store', "$kind: nobody keeps it";
  }
  is $visitor->visit("$gate/start", 'Sec-Fetch-Dest' => 'image')->status, 403,
    'and so at the gate';
  is sessions(), $before, 'no session comes of it';
  is_deeply $visitor->{cookies}, {}, 'and no cookie';
};

subtest 'who is not let in' => sub {
  my $visitor = visitor();
  set_outcome(begin($visitor, '/whisky/page.html'), 'under_age', final => JSON::PP::true);
  my $before = sessions();
  for my $path ("$gate/return", '/whisky/page.html', "$gate/start") {
    my $page = $visitor->follow($path);
    is $page->status, 403, "$path: refused";
    like $page->body, qr/Test organization/, 'by the organization';
    is +(() = $page->body =~ /<a /g), 1, 'with one next step';
    unlike $page->body, qr/<script/, 'and no script';
    is $page->header('Cache-Control'), 'no-store', 'nobody keeps it';
  }
  is sessions(), $before, 'no session without being asked for';
  like $visitor->visit("$gate/return", 'Accept-Language' => 'de-AT,en')->body,
    qr/lang="de"/, 'in the language of the browser';
  ok begin($visitor, "$gate/start?again=1"), 'another try';
  is sessions(), $before + 1, 'is another session';
};

subtest 'a proof that is not enough' => sub {
  my $visitor = verified('/whisky/page.html');
  for my $path ('/older/page.html', '/named/page.html') {
    my $page = $visitor->follow($path);
    is $page->status, 403, "$path: refused";
    like $page->body, qr/again=1/, 'with another try';
  }
  is $visitor->visit('/lawful/page.html')->status, 200, 'lawful';
  is $visitor->visit('/bar/page.html')->status, 303, 'another gate wants its own';
};

subtest 'together with other conditions' => sub {
  my ($stranger, $known) = (visitor(), verified('/whisky/page.html'));
  my @member = ('X-Member' => 'yes');
  is $stranger->visit('/either/page.html', @member)->status, 200, 'any: the other';
  is $known->visit('/either/page.html')->status, 200, 'any: the gate';
  is $stranger->visit('/either/page.html')->status, 303, 'any: none';
  is $known->visit('/both/page.html', @member)->status, 200, 'all: both';
  is $stranger->visit('/both/page.html', @member)->status, 303, 'all: the other alone';
  is $known->visit('/both/page.html')->status, 403, 'all: the gate alone';
  is $stranger->visit('/unverified/page.html')->status, 200, 'not: without';
  is $known->visit('/unverified/page.html')->status, 403, 'not: with';
  is $stranger->visit('/whisky/page.html', 'User-Agent' => 'Crawler')->status, 200,
    'a crawler';
};

subtest 'caches, where something other than a proof lets in' => sub {
  my %granted = ('/whisky/page.html' => ['User-Agent' => 'Crawler'],
    '/either/page.html' => ['X-Member' => 'yes'],
    '/shared/page.html' => ['X-Member' => 'yes']);
  for my $path (sort keys %granted) {
    my $page = visitor()->visit($path, @{$granted{$path}});
    is $page->status, 200, "$path: is open";
    like $page->header('Cache-Control') // '', qr/\Aprivate/, 'no cache shares it';
    unlike $page->header('Cache-Control') // '', qr/public|s-maxage/, 'not even partly';
    like $page->header('Vary') // '', qr/Cookie/, 'and it varies';
  }
  like visitor()->visit('/open/page.html')->header('Cache-Control'), qr/\Apublic/,
    'pages without a gate are left alone';
};

subtest 'caches, whatever a guarded address answers' => sub {
  my $visitor = verified('/whisky/page.html');
  # httpd keeps the headers of scripts and of such files apart from others.
  my %answers = ('script.asis' => 200, 'moved' => 301, 'nothing' => 404);
  for my $name (sort keys %answers) {
    my $answer = $visitor->visit("/whisky/$name");
    is $answer->status, $answers{$name}, $name;
    like $answer->header('Cache-Control') // '', qr/\Aprivate(?:, max-age=60)?\z/,
      'no cache shares it';
    is $answer->header('CDN-Cache-Control'), undef, 'of no kind';
    like $answer->header('Vary') // '', qr/Cookie/, 'and it varies';
  }
};

subtest 'caches, where a page includes guarded content' => sub {
  my $visitor = verified('/whisky/page.html');
  my ($inside, $open) = (qr{inside /whisky}, qr{inside /open});
  $service->expect_log(qr{IDV0104: /pages/shared.shtml includes guarded content});
  $service->allow_log(qr{unable to include.*/whisky/page.html});
  my $shared = $visitor->visit('/pages/shared.shtml');
  unlike $shared->body, $inside, 'a page for everybody does not get it';
  like $shared->body, qr/before.*an error occurred.*$open/s, 'but what else it includes';
  my $private = $visitor->visit('/pages/private.shtml');
  like $private->body, qr/before.*$inside.*$open/s, 'a page with VerifyGateUse does';
  like $private->header('Cache-Control') // '', qr/\Aprivate/, 'which is private';
  unlike visitor()->visit("/pages/$_.shtml")->body, $inside, "$_: nothing without a proof"
    for qw(shared private);
};

subtest 'what is asked of the database' => sub {
  my $visitor = verified('/whisky/page.html');
  $service->sql('UPDATE credential SET revoked_at = ?', time * 1000);
  is $visitor->visit('/whisky/page.html')->status, 200,
    'nothing, before VerifyGateRecheck';
};

$service->expect_log(map { qr/IDV0305: VerifyGate $_/ } qw(lost closed));
subtest 'what operators see of it' => sub {
  my $count = sub {
    return $service->client->get('/metrics')->body =~ /^verify_gate_\Q$_[0]\E_total (\d+)$/m
      ? $1 : undef;
  };
  my @counters = qw(admissions skips refusals sessions proofs);
  my %before = map { ($_ => $count->($_)) } @counters;
  my $visitor = verified('/whisky/page.html');
  $visitor->visit('/whisky/page.html');
  $visitor->request('GET', '/older/page.html');
  visitor()->visit('/whisky/page.html', 'User-Agent' => 'Crawler');
  # The first request is a refusal, too.
  is_deeply {map { ($_ => $count->($_) - $before{$_}) } @counters},
    {admissions => 1, skips => 1, refusals => 2, sessions => 1, proofs => 1},
    'what visitors do is counted';
  my $log = $service->{log};
  ok wait_for(sub { $log->matching(qr/IDV0305/) == 2 }, 30), 'gates without a workflow';
  like +($log->matching(qr/IDV0305: VerifyGate lost/))[0], qr/the organization has no such workflow/,
    'of an organization';
  like +($log->matching(qr/IDV0305: VerifyGate closed/))[0], qr/the organization does not exist/,
    'and without one';
  ok wait_for(sub { $service->client->get('/metrics')->body =~ /^verify_gates_faulty 2$/m }, 30),
    'are counted';
};

subtest 'a proxied application' => sub {
  my $visitor = verified('/proxied/page.html');
  my $page = $visitor->visit('/proxied/page.html');
  is $page->status, 200, 'is open';
  is $page->header('X-Sent-Age'), 21, 'and learns the age';
  is $page->header('Cache-Control'), 'private, max-age=60', 'no cache shares it';
  my %forged = ('Verify-Age' => 99, 'verify_age' => 99, 'VERIFY.AGE' => 99);
  is visitor()->request('GET', '/open/page.html', %forged)->header('X-Sent-Age'), '',
    'nobody else says it';
  is $visitor->request('GET', '/proxied/page.html', %forged)->header('X-Sent-Age'), 21,
    'nor a visitor';
};

finish $service;
