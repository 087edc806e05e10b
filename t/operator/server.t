# In servers as administrators have them: each MPM, other virtual hosts beside
# and with settings of their own, proxies in front, pages for errors, content
# that is compressed, logins for other places.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP ();
use Verify::Test;

my $list = '/v1/verification_sessions';

# A session that is verified at once, and its webhooks.
sub serves {
  my ($service, $name) = @_;
  my $organization = $service->organization(sandbox => 1, workflow => 1);
  my $receiver = $service->receiver;
  answer_is $organization->{client}->post('/v1/webhook_endpoints',
    {url => $receiver->url, enabled_events => ['*']}), 201, "$name: an endpoint";
  answer_is $organization->{client}->post($list, {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US-CA',
    skip_verification => JSON::PP::true}), 201, "$name: a session";
  ok wait_for { grep { $_->{event}{type} eq 'verification_session.verified' }
    $receiver->requests }, "$name: its webhook";
  return $organization;
}

for my $mpm (qw(worker prefork)) {
  local $ENV{VERIFY_MPM} = $mpm;
  my $service = Verify::Instance->start;
  # HTTP/2 is nothing that prefork has.
  $service->allow_log(qr/AH10034/);
  my $client = serves($service, $mpm)->{client};
  my $parent = $service->httpd_pid;
  # A worker process waits for the connections that it keeps alive.
  delete $client->{http};
  $service->graceful;
  ok wait_for { $client->with->get($list)->status == 200 },
    "$mpm: goes on after a graceful restart";
  ok wait_for { $client->with->get('/v1/health/ready')->status == 200 },
    "$mpm: with its watchdog";
  my @processes = ($parent, $service->child_pids($parent));
  $service->stop;
  ok wait_for { !grep { -d "/proc/$_" } @processes },
    "$mpm: no process is left";
}

my ($other, $plain) = Verify::Instance::free_ports(2);
my $service = Verify::Instance->start(conf => <<CONF);
LoadModule alias_module \${VERIFY_MODULES}/mod_alias.so
LoadModule auth_basic_module \${VERIFY_MODULES}/mod_auth_basic.so
LoadModule authn_anon_module \${VERIFY_MODULES}/mod_authn_anon.so
LoadModule authz_user_module \${VERIFY_MODULES}/mod_authz_user.so
LoadModule brotli_module \${VERIFY_MODULES}/mod_brotli.so
LoadModule deflate_module \${VERIFY_MODULES}/mod_deflate.so
LoadModule filter_module \${VERIFY_MODULES}/mod_filter.so
LoadModule remoteip_module \${VERIFY_MODULES}/mod_remoteip.so
LoadModule unique_id_module \${VERIFY_MODULES}/mod_unique_id.so
ErrorDocument 400 /page.html
ErrorDocument 401 /page.html
ErrorDocument 403 /page.html
ErrorDocument 404 /page.html
ErrorDocument 413 /page.html
ErrorDocument 503 /page.html
LimitRequestBody 65536
AddOutputFilterByType BROTLI_COMPRESS;DEFLATE application/json text/html application/javascript
RemoteIPHeader X-Forwarded-For
RemoteIPInternalProxy 127.0.0.1
CustomLog "\${VERIFY_RUN}/logs/addresses.log" "%a %U"
<Directory "\${VERIFY_RUN}/httpd/htdocs">
    Require all granted
</Directory>
<Location "/v1/events">
    <RequireAll>
        Require verify-key
        Require ip 198.51.100.0/24
    </RequireAll>
</Location>
<Location "/private">
    AuthType Basic
    AuthName private
    AuthBasicProvider anon
    Anonymous *
    Require valid-user
</Location>
Listen 127.0.0.1:$other
<VirtualHost 127.0.0.1:$other>
    VerifyPublicURL https://other.example
    VerifyRateLimit secret 2
    VerifyCORSOrigins https://other.example
</VirtualHost>
Listen 127.0.0.1:$plain
<VirtualHost 127.0.0.1:$plain>
    <Location "/v1">
        SetHandler none
        AuthType None
        Require all granted
    </Location>
</VirtualHost>
CONF
open my $page, '>', "$service->{directory}/httpd/htdocs/page.html" or die;
print $page "a page of the site\n";
close $page;
my $organization = serves($service, 'among others');
my $client = $organization->{client};

subtest 'pages for errors' => sub {
  is $client->get('/elsewhere')->body, "a page of the site\n", 'are shown elsewhere';
  error_is $client->get('/v1/nothing'), 404, 'resource_missing';
  error_is $service->client('nonsense')->get($list), 401, 'api_key_invalid';
  $service->expect_log(qr/AH01630: client denied.*\/v1\/events/);
  my $answer = $client->get('/v1/events');
  is $answer->status, 403, 'refused by Require ip';
  ok $answer->error->{request_id}, 'with the envelope';
  $service->allow_log(qr/AH01588: Requested content-length/);
  error_is $client->post($list, {metadata => {a => 'x' x 100_000}}), 413,
    'body_too_large', undef, 'a limit of httpd';
};

subtest 'proxies' => sub {
  is $client->get('/v1/events', 'X-Forwarded-For' => '198.51.100.7')->status, 200,
    'the address that a proxy tells counts';
  ok wait_for { Verify::Instance::read_text("$service->{directory}/logs/addresses.log")
    =~ m{^198\.51\.100\.7 /v1/events$}m }, 'and is logged';
};

subtest 'compression' => sub {
  my $answer = $service->client->{http}->get($service->base_url
    . '/v1/openapi.json', {headers => {'Accept-Encoding' => 'gzip'}});
  is $answer->{headers}{'content-encoding'}, 'gzip', 'of an answer';
  is $client->get('/v1/openapi.json')->status, 200, 'none where none is wanted';
  my $page = "/verify/vks_01jd0000000000000000000000";
  my $plain = $client->get($page);
  for my $coding (qw(gzip br)) {
    my $packed = $client->get($page, 'Accept-Encoding' => $coding);
    is $packed->header('Content-Encoding'), $coding, "$coding once";
    is $packed->unpacked, $plain->body, 'of the page';
    is $packed->header('ETag'), $plain->header('ETag') =~ s/"\z/-$coding"/r, 'with its tag';
  }
};

subtest 'logins elsewhere' => sub {
  is $service->client->get('/private')->status, 401, 'are asked for';
  like $service->client->get('/private')->header('WWW-Authenticate'), qr/^Basic/,
    'in their own way';
};

subtest 'virtual hosts' => sub {
  my $there = $client->with(base_url => "http://127.0.0.1:$other");
  my @limits = map { $there->get($list)->header('X-RateLimit-Limit') } 1, 2;
  is_deeply \@limits, [2, 2], 'one with a limit of its own';
  is $client->get($list)->header('X-RateLimit-Limit'), 1000, 'that is only there';
  is $client->{http}->get("http://127.0.0.1:$plain/v1/health/live")->{status},
    404, 'one without the service';
  is $service->sql_value(q{SELECT count(*) FROM pg_stat_activity
    WHERE application_name = 'mod_verify' AND datname = ?}, $service->{database}),
    16, 'all share the connections of two children';
};

finish $service;
