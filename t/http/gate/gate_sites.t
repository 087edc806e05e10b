# Age gates in sites of several kinds: where the law decides, behind a proxy that
# terminates TLS, in virtual hosts, beside a login, before a cache, and over HTTP/2.
use v5.32;
use warnings;
use JSON::PP ();
use MIME::Base64 qw(encode_base64);
use Verify::Rules qw(country rule write_rules);
use Verify::Test;
use Verify::Visitor;

my $service = Verify::Instance->start(start => 0);
my $directory = $service->{directory};
my $shop = $service->organization(sandbox => 1);
my $workflow = $service->publish($shop->{id}, {name => 'Wine by post',
  session_types => ['age'], jurisdictions => [qw(DE FR AT)],
  use_case => 'alcohol_delivery', required_age_tier => 'min_age_18', start => 'id',
  nodes => {
    id => {type => 'methods', methods => ['document_capture'],
      next => {passed => 'yes', exhausted => 'no'}},
    yes => {type => 'outcome', status => 'verified'},
    no => {type => 'outcome', status => 'failed'}}})->{id};
my $rules = write_rules(country('DE', {}),
  country('FR', {alcohol_delivery => rule(prohibited => JSON::PP::false,
    minimum_age => 60)}),
  country('AT', {alcohol_delivery => rule(prohibited => JSON::PP::true,
    prohibited_reason => 'Dry.', minimum_age => 18)}));
my ($shop_port, $bar_port) = Verify::Instance::free_ports(2);
chomp(my $password = `openssl passwd -apr1 opensesame`);
open my $passwords, '>', "$directory/passwords" or die;
print $passwords "alice:$password\n";
close $passwords;
my $htdocs = "$directory/httpd/htdocs";
for my $folder (qw(shop bar member)) {
  system 'mkdir', '-p', "$htdocs/$folder";
  open my $file, '>', "$htdocs/$folder/page.html" or die;
  print $file "<!DOCTYPE html><title>inside</title>inside\n";
  close $file;
}
mkdir "$directory/cache";
chmod 0777, "$directory/cache";
chomp(my $modules = `apxs -q LIBEXECDIR`);
my $has_cache = -e "$modules/mod_cache_disk.so";
my $cache = $has_cache ? <<"CONF" : '';
LoadModule cache_module \${VERIFY_MODULES}/mod_cache.so
LoadModule cache_disk_module \${VERIFY_MODULES}/mod_cache_disk.so
CacheRoot "$directory/cache"
CONF
$service->{conf} = <<"CONF" . $cache;
<IfModule !dir_module>
  LoadModule dir_module \${VERIFY_MODULES}/mod_dir.so
</IfModule>
<IfModule !negotiation_module>
  LoadModule negotiation_module \${VERIFY_MODULES}/mod_negotiation.so
</IfModule>
LoadModule auth_basic_module \${VERIFY_MODULES}/mod_auth_basic.so
LoadModule authn_file_module \${VERIFY_MODULES}/mod_authn_file.so
LoadModule authz_user_module \${VERIFY_MODULES}/mod_authz_user.so
VerifyComplianceRules $rules
VerifyGeoHeaders X-Country
LogLevel authz_core:crit
<Directory "$htdocs">
  Require all granted
</Directory>
VerifyGate shop $shop->{id} $workflow
<Location "/shop">
  VerifyGateUse shop
  Require verified-age lawful
</Location>
<Location "/member">
  AuthType Basic
  AuthName "Members"
  AuthBasicProvider file
  AuthUserFile "$directory/passwords"
  VerifyGateUse shop
  <RequireAny>
    Require valid-user
    Require verified-age 18
  </RequireAny>
</Location>
Listen 127.0.0.1:$shop_port
<VirtualHost 127.0.0.1:$shop_port>
  ServerName shop.example
  VerifyGateOrigin https://shop.example
@{[$has_cache ? "  CacheEnable disk /\n  CacheDefaultExpire 3600\n  CacheIgnoreNoLastMod On" : '']}
</VirtualHost>
Listen 127.0.0.1:$bar_port
<VirtualHost 127.0.0.1:$bar_port>
  ServerName https://bar.example:8443
  ServerAlias 127.0.0.1
  FallbackResource /bar/page.html
  <Location "/">
    Options +MultiViews
  </Location>
  VerifyGate bar $shop->{id} $workflow
  <Location "/bar">
    VerifyGateUse bar
    Require verified-age 18
  </Location>
</VirtualHost>
CONF
$service->start_httpd;
$service->allow_log(qr/AH01618|AH01617|IDV0102/);

my @german = ('X-Country' => 'DE');
sub visitor {
  my ($base) = @_;
  return Verify::Visitor->new(ca_file => $service->ca_file,
    base => $base // $service->base_url_tls);
}
# Goes from PATH to a session and is verified; the gate's name is NAME.
sub verified {
  my ($visitor, $path, $name) = @_;
  my $page = $visitor->visit($path, @german);
  for (1 .. 3) {
    last if $page->location !~ m{\A/};
    $page = $visitor->visit($page->location, @german);
  }
  my ($id) = $page->location =~ m{/verify/(vks_\w+)[?#]}
    or diag "$page->{status} $page->{content}";
  answer_is $shop->{client}->post("/v1/verification_sessions/$id/test_outcome",
    {value => 'passed'}), 200, 'passed';
  is $visitor->visit('/.verify-gate/' . ($name // 'shop') . '/return')->location, $path,
    'and led back';
  return $id;
}

subtest 'the law of the place' => sub {
  my $visitor = visitor();
  verified($visitor, '/shop/page.html');
  is $visitor->visit('/shop/page.html', @german)->status, 200, 'where it is lawful';
  is $visitor->visit('/shop/page.html')->status, 200, 'where the place is not known';
  my $page = $visitor->follow('/shop/page.html');
  $page = $visitor->visit('/shop/page.html', 'X-Country' => 'FR');
  is $page->status, 403, 'where it takes more years';
  like $page->body, qr/asks for more/, 'is told so';
  $page = $visitor->visit('/shop/page.html', 'X-Country' => 'AT');
  is $page->status, 403, 'where it is prohibited';
  like $page->body, qr/Not available where you are/, 'is told so';
  my $stranger = visitor();
  $page = $stranger->visit('/.verify-gate/shop/start', 'X-Country' => 'AT');
  $page = $stranger->visit($page->location, 'X-Country' => 'AT');
  is $page->status, 403, 'nobody is verified there';
  like $page->body, qr/Not available where you are/, 'and reads why';
};

subtest 'behind a proxy that terminates TLS' => sub {
  my $visitor = visitor("http://127.0.0.1:$shop_port");
  my $id = verified($visitor, '/shop/page.html');
  is $visitor->visit('/shop/page.html')->status, 200, 'is open';
  is answer_is($shop->{client}->get("/v1/verification_sessions/$id"), 200)->{return_url},
    'https://shop.example/.verify-gate/shop/return', 'the origin is the configured one';
  my $other = visitor();
  $other->{cookies} = {%{$visitor->{cookies}}};
  is $other->visit('/shop/page.html')->status, 303, 'the proof is for that origin';
  SKIP: {
    skip 'mod_cache_disk is not installed', 1 unless $has_cache;
    is visitor("http://127.0.0.1:$shop_port")->visit('/shop/page.html')->status, 303,
      'a cache keeps nothing for others';
  }
};

subtest 'a virtual host with gates of its own' => sub {
  my $visitor = visitor("http://127.0.0.1:$bar_port");
  verified($visitor, '/bar/page.html', 'bar');
  is $visitor->visit('/bar/page.html')->status, 200, 'is open';
  is $visitor->visit('/shop/page.html')->status, 500, 'a gate of others is a mistake';
  is visitor()->visit('/.verify-gate/bar/start')->status, 404, 'and the other way round';
};

subtest 'beside a login' => sub {
  my @alice = (Authorization => 'Basic ' . encode_base64('alice:opensesame', ''));
  my @wrong = (Authorization => 'Basic ' . encode_base64('alice:guess', ''));
  my $visitor = visitor();
  is $visitor->visit('/member/page.html', @alice)->status, 200, 'members pass';
  is $visitor->visit('/member/page.html', @wrong)->status, 401, 'a wrong login is one';
  my $page = $visitor->visit('/member/page.html');
  is $page->status, 303, 'others are led to the gate';
  is $page->header('WWW-Authenticate'), undef, 'and asked for no login';
  is $visitor->request('GET', '/member/page.html')->status, 401, 'programs are';
  verified($visitor, '/member/page.html');
  is $visitor->visit('/member/page.html')->status, 200, 'a proof will do';
};

subtest 'a verification of long ago' => sub {
  my $visitor = visitor();
  my $page = $visitor->visit('/.verify-gate/shop/start', @german);
  $page = $visitor->visit($page->location, @german);
  my ($id) = $page->location =~ m{/verify/(vks_\w+)[?#]};
  answer_is $shop->{client}->post("/v1/verification_sessions/$id/test_outcome",
    {value => 'passed'}), 200, 'passed';
  $service->sql('UPDATE verification_session SET completed_at = ? WHERE id = ?',
    (time - 31 * 86400) * 1000, $id);
  is $visitor->visit('/.verify-gate/shop/return', @german)->status, 403, 'lets nobody in';
  $page = $visitor->visit('/.verify-gate/shop/start', @german);
  like $page->location, qr{/verify/vks_}, 'another session does';
  unlike $page->location, qr/\Q$id/, 'a new one';
};

subtest 'over HTTP/2' => sub {
  plan skip_all => 'curl knows no HTTP/2' if `curl --version` !~ /HTTP2/;
  my $visitor = visitor();
  verified($visitor, '/shop/page.html');
  my $cookie = join '; ', map { "$_=$visitor->{cookies}{$_}" } keys %{$visitor->{cookies}};
  for ([$cookie, '2 200'], ['a=b', '2 403']) {
    my ($sent, $expected) = @$_;
    my $answer = do {
      open my $curl, '-|', 'curl', '-s', '--http2', '--cacert', $service->ca_file, '-o',
        '/dev/null', '-w', '%{http_version} %{http_code}', '-H', "Cookie: $sent",
        $service->base_url_tls . '/shop/page.html' or die "curl: $!\n";
      local $/;
      <$curl>;
    };
    is $answer, $expected, $expected eq '2 200' ? 'with a proof' : 'without';
  }
};

finish $service;
