# Beside what a site has already: a proxy for everything, logins, headers of the
# whole site, rewriting. What verify.conf can keep apart it does; what would come
# between is told by configtest, with file and line.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Verify::Test;

my $list = '/v1/verification_sessions';
my ($site, $other, $backend, $older, $open) = Verify::Instance::free_ports(5);
my $modules = join '', map { "LoadModule ${_}_module \${VERIFY_MODULES}/mod_$_.so\n" }
  qw(access_compat alias allowmethods auth_basic authn_anon authz_user dir negotiation proxy
    proxy_http rewrite expires);
my $own = 'Include "${VERIFY_RUN}/service/conf/verify.conf"';
my $login = <<'CONF';
AuthType Basic
AuthName site
AuthBasicProvider anon
Anonymous *
Require valid-user
CONF
my $headers = <<'CONF';
Header always set Content-Security-Policy "default-src 'none'"
Header set Content-Security-Policy "default-src https:"
Header always set Permissions-Policy "camera=(), microphone=()"
Header always set Referrer-Policy "unsafe-url"
Header always unset X-Robots-Tag
Header always edit Cross-Origin-Opener-Policy same-origin unsafe-none
Header always set Cache-Control "public, max-age=3600"
Header set Cache-Control "public, max-age=3600"
Header always set X-Request-Id site
Header always set Strict-Transport-Security "max-age=31536000"
CONF

my $without = join "\n", map { "<Location /$_>\nSetHandler none\nAuthType None\n"
  . "Require all granted\n</Location>" } qw(v1 verify dashboard metrics);
my $service = Verify::Instance->start(conf => <<CONF);
$modules
Header always set Cross-Origin-Opener-Policy unsafe-none
Listen 127.0.0.1:$site
Listen 127.0.0.1:$other
Listen 127.0.0.1:$backend
Listen 127.0.0.1:$older
Listen 127.0.0.1:$open
# A site that was there before.
<VirtualHost 127.0.0.1:$site>
    ProxyPass / http://127.0.0.1:$backend/
    $headers
    ExpiresActive on
    ExpiresDefault "access plus 1 day"
    <Location "/">
        $login
    </Location>
    $own
</VirtualHost>
# One that keeps to an older way of writing who is let in.
<VirtualHost 127.0.0.1:$older>
    <Location "/">
        Order deny,allow
        Deny from all
        Allow from 192.0.2.0/24
    </Location>
    $own
</VirtualHost>
<VirtualHost 127.0.0.1:$open>
    FallbackResource /elsewhere
    <Location "/">
        Options +MultiViews
        Allow from all
        Satisfy Any
        AllowMethods GET HEAD POST
        <LimitExcept GET HEAD POST>
            Require all denied
        </LimitExcept>
    </Location>
    $own
    <Location "/metrics">
        Require ip 192.0.2.1
    </Location>
</VirtualHost>
# One that proxies without being a reverse proxy of everything.
<VirtualHost 127.0.0.1:$other>
    RewriteEngine on
    RewriteRule "^/(v1|verify|dashboard|metrics)(/|\$)" "-" [END]
    RewriteRule "^/(.*)" "http://127.0.0.1:$backend/\$1" [P]
    $own
</VirtualHost>
<VirtualHost 127.0.0.1:$backend>
$without
    CustomLog "\${VERIFY_RUN}/logs/backend.log" "%U"
    RewriteEngine on
    RewriteRule "^" "-" [R=410,L]
</VirtualHost>
CONF
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $client = $organization->{client};
my %login = (Authorization => 'Basic bWU6bWVAZXhhbXBsZS5jb20=');
sub backend_log { Verify::Instance::read_text("$service->{directory}/logs/backend.log") }

for my $port ($site, $other) {
  my $base = "http://127.0.0.1:$port";
  my $there = $client->with(base_url => $base);
  answer_is $there->get($list), 200, 'the API answers beside a proxy';
  error_is $there->get('/v1/nothing'), 404, 'resource_missing', undef,
    'also on paths that it has not';
  is $client->{http}->get("$base/verify/vs_1")->{status}, 200, 'so does the page';
  like $client->{http}->get("$base/metrics")->{content}, qr/^verify_/m,
    'and the metrics';
  is $client->{http}->get("$base/elsewhere", {headers => \%login})->{status}, 410,
    'the rest is proxied';
}
is $client->{http}->get("http://127.0.0.1:$site/elsewhere")->{status}, 401,
  'and asks for its own login';
is backend_log(), "/elsewhere\n/elsewhere\n", 'the other server got nothing else';

subtest 'Order, Allow, Deny and Satisfy of the whole site' => sub {
  my $base = "http://127.0.0.1:$older";
  $service->allow_log(qr/client denied by server configuration/);
  answer_is $client->with(base_url => $base)->get($list), 200, 'do not close the API';
  is $client->{http}->get("$base/verify/vs_1")->{status}, 200, 'nor the page';
  is $client->{http}->get("$base/elsewhere")->{status}, 403, 'but the rest';
  is $client->{http}->get("http://127.0.0.1:$open/metrics")->{status}, 403,
    'nor do they open the metrics';
};

subtest 'methods that the whole site allows, and where it looks for files' => sub {
  $service->allow_log(qr/AH01623: client method denied .* to \S+elsewhere/);
  my $there = $client->with(base_url => "http://127.0.0.1:$open");
  error_is $there->delete('/v1/webhook_endpoints/x'), 404, 'resource_missing', undef,
    'do not narrow the API';
  is $client->{http}->request('DELETE', "http://127.0.0.1:$open/elsewhere")->{status}, 403,
    'but the rest';
};

subtest 'headers of the whole site' => sub {
  my $base = "http://127.0.0.1:$site";
  my $page = $client->{http}->get("$base/verify/vs_1")->{headers};
  my $plain = $client->{http}->get($service->base_url . '/verify/vs_1')->{headers};
  is $plain->{'cross-origin-opener-policy'}, 'same-origin', 'of all sites';
  my @second = grep { /^cross-origin-opener-policy:/i }
    split /\r?\n/, `curl -s --http2 --cacert @{[$service->ca_file]} -I @{[$service->base_url_tls]}/verify/vs_1`;
  is "@second", 'cross-origin-opener-policy: same-origin', 'by HTTP/2, too';
  is $page->{$_}, $plain->{$_}, "the page has its own $_, once"
    for qw(content-security-policy permissions-policy referrer-policy x-robots-tag
      cross-origin-opener-policy x-content-type-options);
  like $page->{'content-security-policy'}, qr/script-src 'self'/, 'with its scripts';
  # mod_expires adds to what is there.
  like $page->{'cache-control'}, qr/\Ano-cache(?:,|\z)/, 'its caching';
  is $page->{'strict-transport-security'}, 'max-age=31536000', "and the site's others";
  my $there = $client->with(base_url => $base);
  for my $path ($list, '/v1/nothing') {
    my $answer = $there->get($path);
    like $answer->header('Cache-Control'), qr/\Ano-store(?:,|\z)/, "$path is for no cache";
    like $answer->header('X-Request-Id'), qr/\Areq_\w+\z/, 'and has its id';
  }
  my $unchanged = $client->{http}->get("$base/verify/vs_1",
    {headers => {'If-None-Match' => $page->{etag}}});
  is $unchanged->{status}, 304, 'a page that did not change';
  is $unchanged->{headers}{'content-security-policy'}, $plain->{'content-security-policy'},
    'has its own headers, too';
  my $elsewhere = $client->{http}->get("$base/elsewhere", {headers => \%login})->{headers};
  is $elsewhere->{'permissions-policy'}, 'camera=(), microphone=()',
    "the rest of the site has the site's";
};

# --- configtest ---

chomp(my $program = `command -v apache2 || command -v httpd`);
my $directory = $service->{directory};
sub test_configuration {
  my ($lines) = @_;
  open my $file, '>', "$directory/extra.conf" or die;
  print $file "$modules$lines";
  close $file;
  local $ENV{LD_PRELOAD} = $ENV{VERIFY_PRELOAD} // '';
  local $ENV{ASAN_OPTIONS} = 'detect_leaks=0';
  my $answer = `$program -t -d $directory/httpd -f $directory/httpd/httpd.conf 2>&1`;
  like $answer, qr/Syntax OK/, 'no warning keeps a server from starting';
  return $answer;
}
sub in_site { "<VirtualHost *:1>\n" . join("\n", @_) . "\n</VirtualHost>\n" }
my $between = qr/IDV0763:/;
my $line = 1 + ($modules =~ tr/\n//);

my $everything = 'ProxyPass / http://127.0.0.1:1/';
my $proxied = "<Location />\nProxyPass http://127.0.0.1:1/\n</Location>";
my $private = "<Location />\n$login</Location>";
my $closed = "<Location />\nRequire all denied\n</Location>";
my $handled = "<Location />\nSetHandler server-info\n</Location>";
my $public = "<Location />\nRequire all granted\n</Location>";
my $rewritten = "RewriteEngine on\nRewriteRule ^/(.*) http://127.0.0.1:1/\$1 [P]";
my $older_way = "<Location />\nOrder deny,allow\nDeny from all\nAllow from 192.0.2.1\n</Location>";
my $apart = 'RewriteCond %{REQUEST_URI} !^/(v1|verify|dashboard|metrics)(/|$)';
my $to_another = qr/to another server/;
my @comes_between = (
  ['ProxyPass, where verify.conf did not know of mod_proxy', $everything,
    qr/$between ProxyPass \(\S+extra\.conf:$line\).*\(\/verify \/v1 \/dashboard \/metrics\).*$to_another.*ProxyPass "!".*verify-metrics.*\/metrics\)/],
  ['ProxyPassMatch', 'ProxyPassMatch ^/v1/(.*) http://127.0.0.1:1/$1',
    qr/$between ProxyPassMatch \(\S+:$line\).*\(\/v1\).*$to_another/],
  ['ProxyPass in a later section', in_site($own, $proxied),
    qr/$between ProxyPass \(\S+:@{[$line + 3]}\).*$to_another.*include verify\.conf after/],
  ['a login in a later section', in_site($own, $private),
    qr/$between Require \(\S+:@{[$line + 7]}\).*\(\/verify \/v1\).*another login/],
  ['a login for all after that of the main server', in_site($private),
    qr/$between Require \(\S+\).*another login.*include verify\.conf after/],
  ['another type of login alone', in_site($own, "<Location /v1>\nAuthType None\n</Location>"),
    qr/$between AuthType \(\S+\).*\(\/v1\).*another login/],
  ['a later section that is closed', in_site($own, $closed),
    qr/$between Require .*\(\/verify \/v1\).*refuses everybody/],
  ['the login of the dashboard before the include',
    in_site($private =~ s{ />}{ /dashboard>}r, $own),
    qr/$between Require .*\(\/dashboard\).*refuses everybody.*after the Include/],
  ['a later section that is open', in_site($own, $public),
    qr/$between Require .*\(\/metrics\).*opens it to everybody/],
  ['a later section with a handler', in_site($own, $handled),
    qr/$between SetHandler .*\(\/verify \/v1 \/dashboard \/metrics\).*another handler/],
  ['a section with a pattern', in_site($own, $private =~ s/<Location/<LocationMatch/gr
    =~ s{</Location}{</LocationMatch}r), qr/$between Require/],
  ['rewriting to a proxy', $rewritten, qr/$between RewriteRule \(\S+:@{[$line + 1]}\).*$to_another.*\[END\]/],
  ['rewriting but for other paths', "$apart\n$rewritten" =~ s/metrics\)/other)/r
    =~ s/v1\|//r, qr/$between RewriteRule .*\(\/v1 \/metrics\)/],
  ['rewriting what is no file', "RewriteCond %{DOCUMENT_ROOT}%{REQUEST_URI} !-f\n"
    . "RewriteCond %{REQUEST_FILENAME} !-d\n$rewritten", qr/$between RewriteRule .*$to_another/],
  ['Deny in a later section', in_site($own, $older_way),
    qr/$between (?i:allow) \(\S+:@{[$line + 5]}\).*\(\/verify \/v1 \/dashboard \/metrics\).*Satisfy All/],
  ['Satisfy Any in a later section', in_site($own, "<Location />\nSatisfy Any\n</Location>"),
    qr/$between (?i:satisfy) \(\S+\).*\(\/verify \/v1 \/dashboard \/metrics\).*Satisfy All/],
);
for (@comes_between) {
  my ($name, $lines, $warning) = @$_;
  my $answer = test_configuration("$lines\n");
  like $answer, $warning, $name or diag $answer;
  unlike $answer, qr/$between.*$between/s, '... once';
}
my @stays_apart = (
  ['nothing', ''],
  ['ProxyPass and the include in one site', in_site($everything, $own)],
  ['... in the other order', in_site($own, $everything)],
  ['ProxyPass of a section before', in_site($proxied, $own)],
  ['ProxyPass of another path', 'ProxyPass /v10 http://127.0.0.1:1/'],
  ['ProxyPass without these paths', join "\n",
    (map { "ProxyPass /$_ !" } qw(v1 verify dashboard metrics)), $everything],
  ['a login of a section before', in_site($private, $own)],
  ['a login of another path', $private =~ s{ />}{ /private>}r],
  ['the login of the dashboard behind the include',
    in_site($own, $private =~ s{ />}{ /dashboard>}r)],
  ['a handler of a section before', in_site($handled, $own)],
  ['Deny in a section before', in_site($older_way, $own)],
  ['Deny in a section of another path', in_site($own, $older_way =~ s{ />}{ /private>}r)],
  ['rewriting what is a file', "RewriteCond %{REQUEST_FILENAME} -f\n$rewritten"],
  ['networks besides', "<Location /v1>\n<RequireAll>\nRequire verify-key\n"
    . "Require ip 10.0.0.0/8\n</RequireAll>\n</Location>"],
  ['a login for the metrics', $private =~ s{ />}{ /metrics>}r],
  ['a site without the service',
in_site($without)],
  ['rewriting without a proxy', $rewritten =~ s{http://127.0.0.1:1}{/x}r =~ s/\[P\]//r],
  ['rewriting that is off', $rewritten =~ s/ on/ off/r],
  ['rewriting with an exception', "RewriteEngine on\nRewriteRule ^/(v1|verify|dashboard|metrics)(/|\$) - [END]\n$rewritten"],
  ['rewriting on a condition', "$apart\n$rewritten"],
  ['rewriting on a condition of headers', "RewriteCond %{HTTP:Upgrade} websocket\n$rewritten"],
);
for (@stays_apart) {
  my ($name, $lines) = @$_;
  my $answer = test_configuration("$lines\n");
  unlike $answer, $between, "no warning: $name";
}
test_configuration($everything);
$service->expect_log(qr/IDV0763: ProxyPass/);
$service->graceful;
ok wait_for { Verify::Instance::read_text("$directory/logs/error.log") =~ $between },
  'each start says so, too';
finish $service;
