# Age gates on a server with several owners of sites, who write .htaccess files and virtual
# hosts of their own: no site can harm the server or speak for a gate.
use v5.32;
use warnings;
use IO::Socket::INET ();
use Verify::KeptConnection;
use Verify::Test;
use Verify::Visitor;

my $service = Verify::Instance->start(start => 0);
my $shop = $service->organization(sandbox => 1, workflow => 1);
my $htdocs = "$service->{directory}/httpd/htdocs";
my ($shop_port, $plain_port, $fcgi_port) = Verify::Instance::free_ports(3);
$service->{conf} = <<"CONF";
<IfModule !dir_module>
  LoadModule dir_module \${VERIFY_MODULES}/mod_dir.so
</IfModule>
<IfModule !proxy_module>
  LoadModule proxy_module \${VERIFY_MODULES}/mod_proxy.so
  LoadModule proxy_http_module \${VERIFY_MODULES}/mod_proxy_http.so
</IfModule>
<IfModule !proxy_fcgi_module>
  LoadModule proxy_fcgi_module \${VERIFY_MODULES}/mod_proxy_fcgi.so
</IfModule>
<IfModule !access_compat_module>
  LoadModule access_compat_module \${VERIFY_MODULES}/mod_access_compat.so
</IfModule>
<IfModule !filter_module>
  LoadModule filter_module \${VERIFY_MODULES}/mod_filter.so
</IfModule>
LoadModule deflate_module \${VERIFY_MODULES}/mod_deflate.so
<Directory "$htdocs">
  AllowOverride AuthConfig
  Require all granted
</Directory>
<Directory "$htdocs/any">
  Satisfy Any
</Directory>
LogLevel authz_core:crit
VerifyGateHeaders on
MergeTrailers on
Listen 127.0.0.1:$shop_port
<VirtualHost 127.0.0.1:$shop_port>
  ServerName shop.example
  DocumentRoot "$htdocs"
  VerifyGateOrigin https://shop.example
  VerifyGate shop $shop->{id} $shop->{workflow_id} US-CA
  <Location "/used">
    VerifyGateUse shop
  </Location>
  ProxyPass "/fcgi" "fcgi://127.0.0.1:$fcgi_port/"
  ProxyPass "/used/fcgi" "fcgi://127.0.0.1:$fcgi_port/"
  <Location "/used/fcgi">
    Require verified-age 18
  </Location>
  <Location "/folder/index.html">
    VerifyGateUse shop
    Require verified-age 18
    SetOutputFilter DEFLATE
  </Location>
  <Location "/any">
    VerifyGateUse shop
    Require verified-age 18
  </Location>
  <Location "/any/index.html">
    Satisfy All
  </Location>
  ProxyPass "/app" "http://127.0.0.1:$plain_port/open" upgrade=websocket
  <Location "/app">
    VerifyGateUse shop
    Require verified-age 18
  </Location>
</VirtualHost>
Listen 127.0.0.1:$plain_port
<VirtualHost 127.0.0.1:$plain_port>
  ServerName plain.example
  DocumentRoot "$htdocs"
  DirectoryIndex index.html
  ProxyPass "/fcgi" "fcgi://127.0.0.1:$fcgi_port/"
  <Location "/open">
    Header set X-Sent-Age "expr=%{req:Verify-Age}%{req:VERIFY_AGE}%{req:Verify.Gate}"
  </Location>
</VirtualHost>
CONF
for my $folder (qw(open unused used folder any)) {
  system 'mkdir', '-p', "$htdocs/$folder";
  for my $name (qw(page index)) {
    open my $file, '>', "$htdocs/$folder/$name.html" or die "$folder: $!\n";
    print $file '<!DOCTYPE html><title>inside</title>', 'inside ' x 100;
    close $file;
  }
}
for my $folder (qw(unused used)) {
  open my $file, '>', "$htdocs/$folder/.htaccess" or die "$folder: $!\n";
  print $file "Require verified-age 18\n";
  close $file;
}
$service->start_httpd;

sub visitor { Verify::Visitor->new(base => "http://127.0.0.1:" . ($_[0] // $shop_port)) }
# Goes from PATH through a session and back to PATH.
sub verified {
  my ($path) = @_;
  my $visitor = visitor();
  my ($id) = $visitor->follow($path)->location =~ m{/verify/(vks_\w+)[?#]};
  answer_is $shop->{client}->post("/v1/verification_sessions/$id/test_outcome",
    {value => 'passed'}), 200, 'passed';
  is $visitor->visit('/.verify-gate/shop/return')->location, $path, 'and led back';
  return $visitor;
}

# No directive of these virtual hosts requires a proof, only the files do.
subtest 'a condition in .htaccess' => sub {
  $service->expect_log(qr/IDV0102: Require verified-age or verified-identity without a gate/);
  for my $port ($plain_port, $shop_port) {
    my %statuses;
    $statuses{visitor($port)->visit('/unused/page.html')->status}++ for 1 .. 60;
    is_deeply \%statuses, {500 => 60}, 'without a gate, nobody is let in';
  }
  is visitor()->visit('/used/page.html')->status, 303, 'with one, strangers are led to it';
  is verified('/used/page.html')->visit('/used/page.html')->status, 200,
    'and others are let in';
};

subtest 'a folder whose index is guarded' => sub {
  is visitor()->visit('/folder/page.html')->status, 200, 'another page is open';
  my $page = visitor()->visit('/folder/');
  is $page->status, 303, 'the folder leads to the gate';
  is $page->location, '/.verify-gate/shop/start?to=%2ffolder%2f', 'and back to the folder';
  my $visitor = verified('/folder/');
  $page = $visitor->visit('/folder/');
  is $page->status, 200, 'which is open then';
  like $page->header('Cache-Control') // '', qr/\Aprivate/, 'no cache shares it';
  my $packed = $visitor->visit('/folder/index.html', 'Accept-Encoding' => 'gzip');
  is $packed->header('Content-Encoding'), 'gzip', 'mod_deflate packs it';
  is $packed->header('Cache-Control'), 'private', '... which changes nothing';
  is_deeply [sort split /, */, $packed->header('Vary')], ['Accept-Encoding', 'Cookie'],
    '... except for what it varies by';
};

subtest 'Satisfy Any of a folder around the gate' => sub {
  is visitor()->visit('/any/index.html')->status, 303, 'Satisfy All in the section guards it';
  is visitor()->visit('/used/page.html')->status, 303, 'another gate is guarded anyway';
  $service->expect_log(qr{IDV0107: /any/page.html was served without proof, because Satisfy Any});
  is visitor()->visit('/any/page.html')->status, 200, 'without it, the gate is open';
};

subtest 'headers of a gate, where there is none' => sub {
  is visitor($plain_port)->visit('/open/page.html', 'Verify-Age' => 99, 'VERIFY_AGE' => 99,
    'Verify.Gate' => 'shop')->header('X-Sent-Age'), '', 'are removed as well';
};

subtest 'a proxied application' => sub {
  my @websocket = (Upgrade => 'websocket', Connection => 'Upgrade',
    'Sec-WebSocket-Version' => 13, 'Sec-WebSocket-Key' => 'dGhlIHNhbXBsZSBub25jZQ==');
  for my $path ('/app/page.html', '//app/page.html', '/%61pp/page.html', '/open/%2e%2e/app/page.html',
    '/app/./page.html', '/app/x/../page.html') {
    is visitor()->visit($path)->status, 303, "$path: guarded";
    is visitor()->request('GET', $path, @websocket)->status, 403, '... also its websocket';
  }
  my $visitor = verified('/app/page.html');
  is $visitor->visit('/app/page.html')->status, 200, 'is open with a proof';
  for my $name ('Verify-Age', 'verify-gate') {
    is $visitor->visit('/app/page.html', Connection => "close, $name")->status, 400,
      "a visitor cannot make httpd drop $name on the way";
  }
};

# A request with headers in its trailers, which MergeTrailers appends to the others.
sub with_trailers {
  my ($method, $path, $visitor) = @_;
  my $cookie = join '; ', map { "$_=$visitor->{cookies}{$_}" } keys %{$visitor->{cookies}};
  return "$method $path HTTP/1.1\r\nHost: shop.example\r\nCookie: $cookie\r\n"
    . "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\nhello\r\n0\r\n"
    . "Verify-Age: 99\r\nVerify_Gate: pub\r\nX-Other: kept\r\n\r\n";
}
# What a FastCGI backend learns of the next request, which it answers.
sub fcgi_parameters {
  my ($listener) = @_;
  my $socket = $listener->accept or die "accept: $!\n";
  my $take = sub { read($socket, my $bytes, $_[0]) == $_[0] or die "too short\n"; $bytes };
  my $text = '';
  while (1) {
    my ($type, $length, $padding) = unpack 'x C x2 n C', $take->(8);
    my $content = $length ? $take->($length) : '';
    $take->($padding) if $padding;
    $text .= $content if $type == 4;
    last if $type == 5 && !$length;
  }
  my $answer = "Status: 200 OK\r\n\r\n";
  print $socket pack('C2 n2 x2', 1, 6, 1, length $answer), $answer,
    pack('C2 n2 x2 x8', 1, 3, 1, 8);
  close $socket;
  my $size = sub { my $first = ord substr $text, 0, 1;
    return $first < 128 ? unpack 'C', substr $text, 0, 1, ''
      : unpack('N', substr $text, 0, 4, '') & 0x7fffffff };
  my @found;
  while (length $text) {
    my ($name, $value) = map { $size->() } 1, 2;
    push @found, substr($text, 0, $name, ''), substr($text, 0, $value, '');
  }
  return {@found};
}

subtest 'trailers' => sub {
  my $visitor = verified('/used/page.html');
  my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $fcgi_port,
    Listen => 5, ReuseAddr => 1) or die "listen: $!\n";
  for my $method (qw(POST GET HEAD)) {
    for my $case (['/fcgi/x', undef, undef], ['/used/fcgi/x', 21, 'shop']) {
      my ($path, @expected) = @$case;
      my $connection = Verify::KeptConnection->new(port => $shop_port);
      $connection->send(with_trailers($method, $path, $visitor));
      my $learned = fcgi_parameters($listener);
      is_deeply [@$learned{qw(HTTP_VERIFY_AGE HTTP_VERIFY_GATE)}], \@expected,
        "$method $path: say nothing about a gate";
      is $learned->{VERIFY_AGE}, $expected[0], '... as the environment does not';
      is $learned->{HTTP_X_OTHER}, 'kept', '... and whatever else they want';
      is $connection->answer, 200, '... to a backend that answers';
    }
  }
};

# The Cookie header that a FastCGI backend gets for PATH.
sub backend_cookies {
  my ($listener, $path, $cookies, $port) = @_;
  my $connection = Verify::KeptConnection->new(port => $port // $shop_port);
  $connection->send("GET $path HTTP/1.1\r\nHost: shop.example\r\nCookie: $cookies\r\n"
    . "Connection: close\r\n\r\n");
  my $learned = fcgi_parameters($listener);
  is $connection->answer, 200, "$path: the backend answers";
  return $learned;
}

subtest 'the cookies of a gate' => sub {
  my $visitor = verified('/used/page.html');
  my $proof = "__Host-verify-gate-shop=$visitor->{cookies}{'__Host-verify-gate-shop'}";
  my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $fcgi_port,
    Listen => 5, ReuseAddr => 1) or die "listen: $!\n";
  for my $path ('/used/fcgi/x', '/fcgi/x') {
    my $learned = backend_cookies($listener, $path,
      qq(a=1; $proof; __Host-verify-visit-shop=x;b="2" ; __Host-verify-gate-other=c));
    is $learned->{HTTP_COOKIE}, q(a=1;b="2" ; __Host-verify-gate-other=c),
      '... and gets the others as they were sent';
    is $learned->{VERIFY_AGE}, $path =~ /used/ ? 21 : undef, '... and what the proof says';
    is backend_cookies($listener, $path, $proof)->{HTTP_COOKIE}, undef,
      '... and no header if there are none';
  }
  is backend_cookies($listener, '/fcgi/x', "a=1; $proof", $plain_port)->{HTTP_COOKIE}, 'a=1',
    '... also from a virtual host without gates, to which browsers send it';
  for my $lines ("a=1\r\nCookie: $proof", "$proof\r\nCookie: a=1") {
    is backend_cookies($listener, '/fcgi/x', $lines)->{HTTP_COOKIE}, 'a=1',
      '... and from several Cookie headers';
  }
  is $visitor->visit('/folder/')->status, 200, 'internal redirects still find the proof';
};

finish $service;
