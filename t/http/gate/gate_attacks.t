# The age gate, attacked: by visitors with forged and borrowed proofs, by other
# sites, and by strangers who want to be sent elsewhere or to fill the database.
use v5.32;
use warnings;
use IO::Socket::SSL ();
use Verify::Test;
use Verify::Visitor;

my $service = Verify::Instance->start(start => 0);
my $shop = $service->organization(sandbox => 1, workflow => 1);
my $htdocs = "$service->{directory}/httpd/htdocs";
my $gate = '/.verify-gate/shop';
my ($wild_port) = Verify::Instance::free_ports(1);
$service->{conf} = <<"CONF";
<Directory "$htdocs">
  Require all granted
</Directory>
LogLevel authz_core:crit
VerifyGate shop $shop->{id} $shop->{workflow_id} US-CA
VerifyGate bar $shop->{id} $shop->{workflow_id} US-CA
VerifyGateRecheck 0
VerifyGateSessions 30
VerifyRateLimitKeys 1024
LoadModule remoteip_module \${VERIFY_MODULES}/mod_remoteip.so
RemoteIPHeader X-Forwarded-For
RemoteIPInternalProxy 127.0.0.0/8
<Location "/whisky">
  VerifyGateUse shop
  Require verified-age 18
</Location>
<Location "/bar">
  VerifyGateUse bar
  Require verified-age 18
</Location>
Listen 127.0.0.1:$wild_port
<VirtualHost 127.0.0.1:$wild_port>
  ServerName https://wild.example
  ServerAlias *.wild.example
  HttpProtocolOptions Unsafe
</VirtualHost>
CONF
for my $folder ('', '/whisky', '/bar') {
  system 'mkdir', '-p', "$htdocs$folder";
  open my $file, '>', "$htdocs$folder/page.html" or die;
  print $file "<!DOCTYPE html><title>inside</title>inside\n";
  close $file;
}
$service->start_httpd;
# A Host that the server does not have, and pages without HTTPS.
$service->allow_log(qr/IDV0101: /);

sub visitor {
  my ($host) = @_;
  return Verify::Visitor->new(ca_file => $service->ca_file,
    base => 'https://' . ($host // '127.0.0.1') . ":$service->{https_port}");
}
sub begin {
  my ($visitor, $path) = @_;
  my ($id) = $visitor->follow($path)->location =~ m{/verify/(vks_\w+)[?#]};
  return $id // '';
}
sub settle {
  my ($id) = @_;
  return answer_is $shop->{client}->post(
    "/v1/verification_sessions/$id/test_outcome", {value => 'passed'}), 200, 'passed';
}
sub verified {
  my ($visitor) = @_;
  settle(my $id = begin($visitor, '/whisky/page.html'));
  is $visitor->visit("$gate/return")->status, 303, 'let in';
  return $id;
}
sub over_tls {
  my ($request) = @_;
  my $socket = IO::Socket::SSL->new(PeerAddr => "127.0.0.1:$service->{https_port}",
    SSL_ca_file => $service->ca_file, SSL_verifycn_name => '127.0.0.1')
    or die "no connection: $IO::Socket::SSL::SSL_ERROR\n";
  print $socket $request;
  local $/;
  return <$socket>;
}
sub sessions { $service->sql_value('SELECT count(*) FROM verification_session') }
my ($proof_name, $visit_name) = map { "__Host-verify-$_-shop" } qw(gate visit);
my $page = '/whisky/page.html';

my $owner = visitor();
my $session = verified($owner);
my $proof = $owner->{cookies}{$proof_name};
is $owner->visit($page)->status, 200, 'the owner of a proof is let in';

subtest 'forged proofs' => sub {
  my $bad = sub {
    my ($value, $name, %more) = @_;
    my $visitor = visitor($more{host});
    $visitor->{cookies}{$more{cookie} // $proof_name} = $value;
    is $visitor->visit($more{path} // $page)->status, 303, $name;
  };
  $bad->('', 'an empty one');
  $bad->('x' x 5000, 'a long one');
  $bad->('AQ', 'a short one');
  $bad->('not base64!', 'another alphabet');
  $bad->(substr($proof, 0, -1), 'a shorter one');
  $bad->("${proof}A", 'a longer one');
  my @places = (0, 1, 2, 20, 40, int(length($proof) / 2), length($proof) - 1);
  for my $place (@places) {
    my $changed = $proof;
    substr($changed, $place, 1) = substr($changed, $place, 1) eq 'A' ? 'B' : 'A';
    next if $place == length($proof) - 1 && length($proof) % 4; # spare bits
    $bad->($changed, "altered at $place");
  }
  $bad->($proof, 'at another host', host => 'localhost');
  $bad->($proof, 'at another gate', path => '/bar/page.html',
    cookie => '__Host-verify-gate-bar');
  my $visiting = visitor();
  begin($visiting, $page);
  $bad->($visiting->{cookies}{$visit_name}, 'a visit is no proof');
  my $other = visitor();
  $other->{cookies}{$visit_name} = $proof;
  is $other->visit("$gate/return")->status, 403, 'and a proof no visit';
};

subtest 'a session of another browser' => sub {
  my ($mallory, $victim) = (visitor(), visitor());
  settle(my $id = begin($mallory, $page));
  my $return = $victim->visit("$gate/return?session_id=$id");
  is $return->status, 403, 'a return link gives nobody a proof';
  is_deeply $victim->{cookies}, {}, 'and no cookie';
  is $victim->visit($page)->status, 303, 'who follows it is not let in';
  # The other way round: the victim is verified, Mallory knows the session.
  my $hers = begin($victim, $page);
  my $spy = visitor();
  isnt begin($spy, $page), $hers, 'each browser has its own';
  settle($hers);
  is $spy->visit("$gate/return?session_id=$hers")->status, 403,
    'another browser gains nothing by knowing the id';
  is $victim->visit("$gate/return?session_id=$id")->status, 303,
    'the browser of the session is let in whatever the address says';
  my $borrowed = visitor('localhost');
  $borrowed->{cookies}{$visit_name} = $mallory->{cookies}{$visit_name};
  is $borrowed->visit("$gate/return")->status, 403, 'a visit at another host';
};

subtest 'where a visitor is led' => sub {
  my $visitor = visitor();
  verified($visitor);
  my @bad = ('https://evil.example/', '//evil.example/', '/\\evil.example',
    '\\\\evil.example', '/%2Fevil.example', '/%5cevil.example', '/%252fevil.example',
    'javascript:alert(1)', '/a/../../evil', '/./x', '/%2e%2e/x', "/a\r\nSet-Cookie: b=c",
    '/%0d%0aSet-Cookie: b=c', "/\tevil.example", '/a b', "/\x{7f}", '/<script>', '/"',
    '@evil.example', 'evil.example', '', '?x', '#x', '/x#y', "/\xc3\xa9",
    '/.verify-gate/shop/start', '/' . 'a' x 1024);
  for my $to (@bad) {
    (my $escaped = $to) =~ s/([^\w.~-])/sprintf '%%%02X', ord $1/ge;
    my $led = $visitor->visit("$gate/start?to=$escaped");
    is $led->status, 303, 'led on';
    is $led->location, '/', 'home instead of ' . ($to =~ s/[^ -~]/?/gr);
    unlike $led->header('Set-Cookie') // '', qr/\bb=c/, 'and no header is added';
  }
  for my $to ('/', '/a?b=c&d=%2F%2Fe', '/%C3%BC', '/a/b.html?x=https://y') {
    (my $escaped = $to) =~ s/([^\w.~-])/sprintf '%%%02X', ord $1/ge;
    is $visitor->visit("$gate/start?to=$escaped")->location, $to, "but to $to";
  }
  my $stranger = visitor();
  is $stranger->visit('/whisky//evil')->status, 303, 'a path with two slashes';
  for my $query ('to', 'to=%', 'to=%00', 'to=a&to=b', '&&&', 'a=' . 'b' x 9000) {
    like $visitor->visit("$gate/start?$query")->status, qr/303|414|400/,
      'a strange query: ' . substr $query, 0, 12;
  }
};

subtest 'a Host that is not of the server' => sub {
  my $before = sessions();
  for my $host ('evil.example', 'evil.example:443', "127.0.0.1.evil.example") {
    my $answer = over_tls("GET $gate/start?to=/ HTTP/1.1\r\nHost: $host\r\n"
      . "Accept: text/html\r\nConnection: close\r\n\r\n");
    like $answer, qr/\AHTTP\/1.1 403 /, "$host: refused";
    unlike $answer, qr/evil/, 'and not named';
  }
  my $over_http = sub {
    my ($host) = @_;
    my $socket = IO::Socket::INET->new(PeerAddr => "127.0.0.1:$wild_port") or die "$@\n";
    print $socket "GET $gate/start?to=/ HTTP/1.1\r\nHost: $host\r\n"
      . "Accept: text/html\r\nConnection: close\r\n\r\n";
    local $/;
    return <$socket>;
  };
  for my $end ('#', '?', '/', '\\', '@', '%', '"', ',', ' ', ':80#', ':x@') {
    like $over_http->("evil.example$end.wild.example"), qr/\AHTTP\/1.1 40[03] /,
      "a name that ends like one of the server, after $end: refused";
  }
  like $over_http->($_), qr/^Set-Cookie: __Host-verify-visit-shop=/m, "$_: is one of the server"
    for 'a.wild.example', 'A-1.b_c.wild.example:443', "a.wild.example:$wild_port";
  like $over_http->($_), qr/\AHTTP\/1.1 403 /, "$_: another port is not"
    for qw(a.wild.example:8443 wild.example:80 wild.example:1);
  is sessions(), $before, 'no session has such a return_url';
  my $plain = $service->client;
  my $answer = $plain->get($page, Accept => 'text/html');
  is $answer->status, 403, 'without HTTPS nobody is let in';
  unlike $answer->header('Set-Cookie') // '', qr/verify/, 'and no cookie is sent';
};

subtest 'a request in the body of another' => sub {
  my $inner = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
  for my $path ($page, "$gate/start", "$gate/nothing") {
    my $answer = over_tls("POST $path HTTP/1.1\r\nHost: 127.0.0.1:$service->{https_port}\r\n"
      . 'Content-Length: ' . length($inner) . "\r\n\r\n$inner");
    is +(() = $answer =~ m{^HTTP/1.1 }mg), 1, "$path: is not answered";
  }
};

subtest 'the paths of a gate' => sub {
  my $visitor = visitor();
  is $visitor->visit("$gate/denied")->status, 404, 'denied is for httpd alone';
  is $visitor->visit("$gate/nothing")->status, 404, 'an unknown path';
  is $visitor->visit('/.verify-gate/nothing/start')->status, 404, 'an unknown gate';
  is $visitor->visit('/.verify-gate/')->status, 404, 'no gate';
  is $visitor->request('POST', "$gate/start")->status, 405, 'another method';
  is $visitor->visit("$gate/start", 'Idempotency-Key' => 'guessed')->status, 303,
    'an Idempotency-Key is not the visitor\'s to choose';
};

subtest 'revoked and erased' => sub {
  my $visitor = visitor();
  my $id = verified($visitor);
  is $visitor->visit($page)->status, 200, 'a proof';
  $service->sql('UPDATE credential SET revoked_at = ? WHERE session_id = ?',
    time * 1000, $id);
  is $visitor->visit($page)->status, 303, 'whose credential is revoked is none';
  $visitor = visitor();
  $id = verified($visitor);
  $service->sql('DELETE FROM vp_token WHERE session_id = ?', $id);
  $service->sql('DELETE FROM credential WHERE session_id = ?', $id);
  is $visitor->visit($page)->status, 200, 'a session that never had one';
  $service->sql('UPDATE verification_session SET verification_result = NULL
    WHERE id = ?', $id);
  is $visitor->visit($page)->status, 303, 'an erased person\'s is none';
  $visitor = visitor();
  $id = verified($visitor);
  $service->sql('UPDATE credential SET expires_at = ? WHERE session_id = ?',
    time * 1000, $id);
  is $visitor->visit($page)->status, 303, 'nor one whose credential has expired';
  answer_is $shop->{client}->post("/v1/session_reviews/sessions/$session/flag",
    {reason => 'A doubt'}), 200, 'a session is flagged';
  is $owner->visit($page)->status, 303, 'and its proof is not accepted';
};

subtest 'many sessions' => sub {
  my $visitor = visitor();
  my $before = sessions();
  $visitor->visit($page) for 1 .. 40;
  visitor()->visit("$gate/start") for 1 .. 40;
  is sessions(), $before, 'no session without the cookie coming back';
  begin($visitor, $page) for 1 .. 5;
  is sessions(), $before + 1, 'one for each browser';
  my $limited = wait_for { begin(visitor(), $page) eq '' } 30;
  ok $limited, 'and a limit for each address';
  my $last = visitor()->follow($page);
  is $last->status, 429, 'which a person reads' or diag $last->location;
  ok $last->header('Retry-After'), 'with the time to wait';
  ok sessions() - $before < 70, 'in time';
};

sub shared_counts {
  return $service->client->get('/metrics')->body
    =~ /^verify_rate_shared_requests_total (\d+)/m ? $1 : -1;
}

# REQUESTS, each from an address of its own in the network 2001:db8:SUBNET::/48, 50 to a
# connection, by SEND; how many are refused. A minute that begins meanwhile lets some in.
sub flood {
  my ($subnet, $request, $send) = @_;
  my @addresses = map { sprintf '2001:db8:%x:%x::1', $subnet, $_ } 1 .. 5000;
  my $refused = 0;
  while (my @some = splice @addresses, 0, 50) {
    my $answers = $send->(join("\r\n", map { "${request}X-Forwarded-For: $_\r\n" } @some)
      . "Connection: close\r\n\r\n");
    $refused += () = $answers =~ / 429 /g;
  }
  return $refused;
}

# A visitor of the bar who looks three times, from an address of its own.
sub at_bar {
  my ($address) = @_;
  my $visitor = visitor();
  my $to = '/bar/page.html';
  $to = $visitor->visit($to, 'X-Forwarded-For' => "198.51.100.$address")->location for 1 .. 3;
  return $to;
}

# Each request has the cookie of one browser and wants a session at the shop.
sub flood_shop {
  my $visitor = visitor();
  my $next = $visitor->visit($visitor->visit($page)->location)->location
    =~ s{\Ahttps://[^/]+}{}r;
  cmp_ok flood(1, "GET $next HTTP/1.1\r\nHost: 127.0.0.1:$service->{https_port}\r\n"
    . "Cookie: $visit_name=$visitor->{cookies}{$visit_name}\r\n"
    . "Sec-Fetch-Mode: navigate\r\nAccept: text/html\r\n", \&over_tls), '>', 2500,
    'whoever attacks the shop is refused';
  is shared_counts(), 0, 'and fills no table';
  like at_bar(1), qr{/verify/vks_}, 'visitors of the bar come in';
}

subtest 'who fills the tables of addresses' => sub {
  flood_shop();
  flood(2, "POST /v1/oidc/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n"
    . "Content-Type: application/x-www-form-urlencoded\r\n",
    sub { $service->client->raw(@_) });
  my $before = shared_counts();
  cmp_ok $before, '>', 0, 'whoever logs in nowhere fills a table';
  like at_bar($_), qr{/verify/vks_}, 'and visitors come in' for 2 .. 5;
  is shared_counts(), $before, 'without sharing a count';
};

subtest 'who fills them while the rate store is away' => sub {
  $service->stop_httpd;
  $service->{conf} .= "VerifyRateStore redis://127.0.0.1:1\n";
  $service->expect_log(qr/IDV0060/);
  $service->start_httpd;
  flood_shop();
};

finish $service;
