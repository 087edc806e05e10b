# Beside ModSecurity with OWASP's core rule set, and mod_evasive, as Debian packages
# them: what conf/modsecurity.conf lets through, and that it lets nothing else.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP ();
use Verify::Test;

my $root = abs_path("$FindBin::Bin/../..");
my $build = $ENV{VERIFY_BUILD} // 'build';
$build = "$root/$build" unless $build =~ m{^/};
my $debian = "$build/t/debian";
plan skip_all => 'the sanitizers would find the leaks of modules of others'
  if $build =~ /asan/;
plan skip_all => "Debian's packages of ModSecurity cannot be had here"
  if system("$root/scripts/fetch-apache-modules", $debian) != 0;
my $true = JSON::PP::true;
my $list = '/v1/verification_sessions';

# In the order in which Debian's files have it, blocking.
sub with_rules {
  my ($exclusions) = @_;
  my ($library) = glob "$debian/usr/lib/*/liblua5.1.so.0";
  $library =~ s{/[^/]+\z}{};
  return <<CONF;
LoadFile $library/liblua5.1.so.0
LoadFile $library/libyajl.so.2
LoadModule unique_id_module \${VERIFY_MODULES}/mod_unique_id.so
LoadModule security2_module $debian/usr/lib/apache2/modules/mod_security2.so
SecDataDir "\${VERIFY_RUN}/httpd"
Include "\${VERIFY_RUN}/modsecurity/modsecurity.conf"
SecTmpDir "\${VERIFY_RUN}/httpd"
@{[$exclusions ? "Include $root/conf/modsecurity.conf" : '']}
Include $debian/etc/modsecurity/crs/crs-setup.conf
Include $debian/usr/share/modsecurity-crs/rules/*.conf
Alias "/site" "\${VERIFY_RUN}/httpd/htdocs"
<Directory "\${VERIFY_RUN}/httpd/htdocs">
    Require all granted
</Directory>
CONF
}
my $alias = "LoadModule alias_module \${VERIFY_MODULES}/mod_alias.so\n";
sub start {
  my ($conf) = @_;
  my $service = Verify::Instance->start(start => 0, conf => "$alias$conf");
  # What Debian recommends, but blocking, and with a log of this test's.
  my ($from, $to) = ("$debian/etc/modsecurity", "$service->{directory}/modsecurity");
  mkdir $to;
  symlink "$from/unicode.mapping", "$to/unicode.mapping";
  open my $file, '>', "$to/modsecurity.conf" or die "$to: $!\n";
  print $file Verify::Instance::read_text("$from/modsecurity.conf-recommended")
    =~ s/^SecRuleEngine .*/SecRuleEngine On/mr
    =~ s{^SecAuditLog .*}{SecAuditLog "$service->{directory}/logs/modsec_audit.log"}mr;
  close $file;
  $service->start_httpd;
  $service->allow_log(qr/ModSecurity: (?:Warning|Access denied)/);
  return $service;
}
sub audit_log { Verify::Instance::read_text("$_[0]{directory}/logs/modsec_audit.log") }

# A picture in which nothing is, of this size.
sub picture { "\xff\xd8\xff\xe0" . 'PICTURE-BYTES ' x ($_[0] / 14) }
sub session {
  my ($service, $organization) = @_;
  my $session = answer_is $organization->{client}->post($list, {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US-CA'}), 201, 'a session';
  my $person = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}";
  answer_is $person->post("$path/open", {}), 200, 'it is opened';
  answer_is $person->post("$path/consent", {consent => $true}), 200, 'and agreed to';
  return ($person, $path, $session);
}
sub upload {
  my ($person, $path, $size, $type) = @_;
  return $person->put("$path/images/front", picture($size), 'Content-Type' => $type);
}
sub raw_status { # of a request that the client would not write
  my ($service, $line, @headers) = @_;
  my $answer = $service->client->raw(join "\r\n", "$line HTTP/1.1", 'Host: localhost',
    'User-Agent: test', 'Accept: */*', 'Connection: close', @headers, '', '');
  return $answer =~ m{\AHTTP/1\.1 ([0-9]+)} ? $1 : 'nothing';
}

subtest 'as it is without the exclusions' => sub {
  my $service = start(with_rules(0));
  my $organization = $service->organization(sandbox => 1, workflow => 1);
  my ($person, $path, $session) = session($service, $organization);
  isnt upload($person, $path, 100_000, 'image/jpeg')->status, 200, 'no image';
  is $organization->{client}->delete('/v1/webhook_endpoints/we_1')->status, 403, 'no DELETE';
  ok wait_for { audit_log($service) =~ /_secret_/ }, 'secrets in the audit log';
  $service->stop;
};

my $service = start(with_rules(1));
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $client = $organization->{client};
my $receiver = $service->receiver;
my ($person, $path, $session) = session($service, $organization);
for my $type (qw(image/jpeg image/png image/webp)) {
  for my $size (100_000, 14_000_000, 20_000_000) {
    my $answer = upload($person, $path, $size, $type);
    is $answer->status, 200, "$type of $size bytes" or diag $answer->body;
  }
}
error_is upload($person, $path, 21_000_000, 'image/jpeg'), 413, 'body_too_large', undef,
  'one that is too large for the service';
is upload($person, $path, 100_000, 'text/plain')->status, 415, 'no other type';
my $endpoint = answer_is $client->post('/v1/webhook_endpoints',
  {url => $receiver->url, enabled_events => ['*']}), 201, 'POST';
my $application = $service->verifyctl(qw(app create --name App --org), $organization->{id});
my $key = $service->key($organization->{id}, 'secret', '--app', $application->{id});
answer_is $service->client($key)->patch('/v1/trust_reuse/settings',
  {enabled => JSON::PP::false}), 200, 'PATCH';
answer_is $client->delete("/v1/webhook_endpoints/$endpoint->{id}"), 200, 'DELETE';
my $returning = $client->post($list, {type => 'age', workflow_id => $organization->{workflow_id},
  jurisdiction => 'US-CA', return_url => 'http://127.0.0.1:3000/back?order=1',
  cancel_url => 'https://shop.example/cancelled'});
answer_is $returning, 201, 'return_url at an address';
is $client->get('/verify/vs_1')->status, 200, 'the page';
is $client->get('/v1/openapi.json')->status, 200, 'the description';

subtest 'everything else is still refused' => sub {
  my $attack = '%3Cscript%3Ealert(1)%3C/script%3E';
  my $sql = q{1'%20OR%20'1'='1'%20UNION%20SELECT%20password%20FROM%20users--%20};
  my @with_key = ("Authorization: Bearer $organization->{secret_key}");
  is raw_status($service, "GET /site/?q=$_"), 403, 'an attack elsewhere' for $attack, $sql;
  is raw_status($service, "GET $list?limit=$_", @with_key), 403,
    'an attack in a query of the service' for $attack, $sql;
  is raw_status($service, "GET /verify/vs_1?x=$attack"), 403, 'in one of the page';
  is raw_status($service, "GET $list", @with_key, 'X-Any: () { :;}; /bin/bash -c id',
    'User-Agent: sqlmap/1.0'), 403, 'a scanner';
  is $client->post($list, {type => 'age', workflow_id => $organization->{workflow_id},
    metadata => {note => q{1' OR '1'='1' UNION SELECT password FROM users-- }}})->status,
    403, 'an attack in a body of the service';
  is raw_status($service, "$_ /site/"), 403, "$_ elsewhere" for qw(DELETE PUT PATCH);
  is raw_status($service, "DELETE $_/site/"), 403, "$_ is no way to have it"
    for '/v1/..', '/v1/../v1/%2e%2e', '/verify/.%2e', '//v1/x/../..';
  is $service->client->put('/site/', "\xff\xd8\xff" x 20_000, 'Content-Type' => $_)->status, 403,
    "a body of type $_ elsewhere" for 'image/jpeg', 'application/octet-stream';
};

subtest 'what is written down' => sub {
  # Refused, so that each leaves a record.
  my $stranger = $service->client($session->{client_secret} =~ s/.\z/_/r);
  is $stranger->put("$path/images/front", picture(100_000), 'Content-Type' => 'image/jpeg')->status,
    401, 'an upload of a stranger';
  is $client->post($list, {type => 'age', email => 'somebody@example.com'})->status, 400,
    'a request without a workflow';
  ok wait_for { audit_log($service) =~ /X-Request-Id: req_/ }, 'records have the id of the request';
  my $log = audit_log($service);
  ok $log =~ /^--[0-9a-f]+-H--/m, 'and what matched';
  my @others = split /^(?=--[0-9a-f]+-A--)/m, $log;
  cmp_ok scalar @others, '>', 10, 'of many requests';
  unlike $log, qr/PICTURE-BYTES/, 'no image';
  unlike $log, qr/_secret_/, 'no client secret';
  unlike $log, qr/Bearer [\w-]{16}|svc_sk_/, 'no key';
  unlike $log, qr/^--[0-9a-f]+-[CEI]--\n(?=.*\S)(?=.*"object")/m, 'no answer';
  unlike $log, qr/somebody\@example/, 'no person';
  like $log, qr/^GET \/site\/\?q=/m, 'of the rest of the site all that it had';
};
$service->stop;

# --- mod_evasive ---

sub quick_calls {
  my ($conf) = @_;
  my $service = start("LoadModule evasive20_module $debian/usr/lib/apache2/modules/mod_evasive20.so\n"
    . "DOSLogDir \"\${VERIFY_RUN}/httpd\"\nServerLimit 1\nStartServers 1\nMaxRequestWorkers 64\n$conf");
  my $client = $service->organization(sandbox => 1)->{client};
  my @statuses = map { $client->get($list)->status } 1 .. 40;
  $service->allow_log(qr/client denied by server configuration/);
  $service->stop;
  return join ' ', sort { $a <=> $b } keys %{{map { $_ => 1 } @statuses}};
}
like quick_calls(''), qr/403/, "mod_evasive's defaults refuse quick calls";
my ($advice) = Verify::Instance::read_text("$root/conf/manual/secure.md")
  =~ /mod_evasive.*?`(DOS[^`]*)`/s;
ok $advice, 'the page for administrators says what to write';
is quick_calls(join "\n", split /, /, $advice // ''), 200, '... with which they are answered';
done_testing;
