# A person logs in at another Apache httpd, whose mod_auth_openidc is Debian's, with
# the age that a wallet proved.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use JSON::PP ();
use lib "$FindBin::Bin/../lib";
use Verify::Test;
use Verify::Visitor;
use Verify::Wait;
use Verify::WalletTest;

my $root = abs_path("$FindBin::Bin/../..");
my $build = $ENV{VERIFY_BUILD} // 'build';
$build = "$root/$build" unless $build =~ m{^/};
my $debian = "$build/t/debian-openidc";
plan skip_all => 'the sanitizers would find the leaks of modules of others'
  if $build =~ /asan/;
plan skip_all => "Debian's package of mod_auth_openidc cannot be had here"
  if system("$root/scripts/fetch-apache-modules", $debian,
    qw(libapache2-mod-auth-openidc libcjose0)) != 0;

my $test = Verify::WalletTest->start(workflow => {jurisdictions => ['US-CA']});
my ($service, $organization) = @$test{qw(service organization)};
my ($port) = Verify::Instance::free_ports(1);
my $site = "http://127.0.0.1:$port";
my $client = $service->verifyctl(qw(oidc client create --org), $organization->{id},
  qw(--name Site --workflow), $organization->{workflow_id}, '--redirect-uri', "$site/callback");

# The other httpd.
my $folder = "$service->{directory}/site";
mkdir $folder or die "$folder: $!\n";
mkdir "$folder/htdocs" or die;
my ($library) = glob "$debian/usr/lib/*/libcjose.so.0";
chomp(my $modules = `apxs -q LIBEXECDIR`);
chomp(my $program = `apxs -q sbindir` . '/' . `apxs -q progname`);
$program =~ s/\n//g;
sub write_file {
  my ($path, $text) = @_;
  open my $file, '>', $path or die "$path: $!\n";
  print $file $text;
  close $file;
  chmod 0644, $path;
}
write_file("$folder/htdocs/bar.html", "the bar\n");
write_file("$folder/htdocs/index.html", "the street\n");
chmod 0755, $folder, "$folder/htdocs";
my $user = $> ? '' : "User www-data\nGroup www-data\n";
write_file("$folder/httpd.conf", <<"CONF");
ServerRoot "$folder"
ServerName 127.0.0.1
PidFile "$folder/httpd.pid"
Listen 127.0.0.1:$port
LoadModule mpm_event_module $modules/mod_mpm_event.so
LoadModule authn_core_module $modules/mod_authn_core.so
LoadModule authz_core_module $modules/mod_authz_core.so
LoadModule authz_user_module $modules/mod_authz_user.so
LoadModule headers_module $modules/mod_headers.so
LoadModule mime_module $modules/mod_mime.so
LoadFile $library
LoadModule auth_openidc_module $debian/usr/lib/apache2/modules/mod_auth_openidc.so
TypesConfig /dev/null
AddType text/html .html
ErrorLog "$folder/error.log"
LogLevel auth_openidc:info
${user}DocumentRoot "$folder/htdocs"
OIDCProviderMetadataURL @{[$service->base_url_tls]}/.well-known/openid-configuration
OIDCCABundlePath @{[$service->ca_file]}
OIDCClientID $client->{id}
OIDCClientSecret $client->{client_secret}
OIDCRedirectURI $site/callback
OIDCCryptoPassphrase a-passphrase-of-this-test
OIDCScope "openid age"
OIDCPKCEMethod S256
<Location "/bar.html">
  AuthType openid-connect
  Require claim age_over_18:true
  Header set X-Age "%{OIDC_CLAIM_age_over_18}e"
  Header set X-Sub "%{OIDC_CLAIM_sub}e"
</Location>
<Location "/callback">
  AuthType openid-connect
  Require valid-user
</Location>
<Location "/club.html">
  AuthType openid-connect
  Require claim age_over_65:true
</Location>
CONF
chmod 0755, $service->{directory};
my $pid = fork // die "cannot fork: $!\n";
if (!$pid) {
  open STDERR, '>>', "$folder/start.log";
  exec $program, '-DFOREGROUND', '-f', "$folder/httpd.conf" or CORE::exit(127);
}
my $visitor = Verify::Visitor->new(ca_file => $service->ca_file, base => $site);
my $browser = Verify::Visitor->new(ca_file => $service->ca_file,
  base => $service->base_url_tls);
ok wait_for { $visitor->visit('/index.html')->status == 200 }, 'the other server answers'
  or diag Verify::Instance::read_text("$folder/start.log"),
    Verify::Instance::read_text("$folder/error.log");

subtest 'a login' => sub {
  my $page = $visitor->visit('/bar.html');
  is $page->status, 302, 'the bar asks for a login';
  my $authorize = $page->location;
  like $authorize, qr{\A\Q@{[$service->base_url_tls]}\E/v1/oidc/authorize\?}, 'at the service';
  $page = $browser->follow($authorize);
  my ($id, $secret) = $page->location =~ m{/verify/(vks_\w+)(?:\?[^#]*)?#(.+)\z};
  ok $secret, 'which leads to a session' or diag $page->status . $page->location;
  my $session = {id => $id, path => "/v1/widget/sessions/$id", person => $service->client($secret)};
  answer_is($session->{person}->post("$session->{path}/open", {}), 200, 'opened');
  answer_is($session->{person}->post("$session->{path}/consent",
    {consent => JSON::PP::true}), 200, 'agreed to');
  my $answer = $test->answer_by_link($session);
  is $answer->{status}, 200, 'the wallet has answered';
  my $view = answer_is($test->come_back($session, $answer->{body}{redirect_uri}), 200);
  is $view->{status}, 'verified', 'the session is verified';
  my $back = $service->sql_value('SELECT return_url FROM verification_session WHERE id = ?', $id);
  $page = $browser->visit($back);
  like $page->location, qr{\A\Q$site\E/callback\?code=[\w-]+&state=}, 'a code for the site';
  $page = $visitor->visit($page->location);
  is $page->status, 302, 'the site accepts it'
    or diag Verify::Instance::read_text("$folder/error.log");
  is $page->location, "$site/bar.html", 'and leads to the bar';
  $page = $visitor->visit('/bar.html');
  is $page->status, 200, 'which is open'
    or diag Verify::Instance::read_text("$folder/error.log");
  is $page->body, "the bar\n", 'for this person';
  ok $page->header('X-Age'), 'age_over_18: ' . $page->header('X-Age');
  like $page->header('X-Sub'), qr/\A[\w-]{43}/, 'and a name for this login alone';
  isnt $visitor->visit('/club.html')->status, 200, 'no more than was proved';
};

kill TERM => $pid;
waitpid $pid, 0;
is $?, 0, 'the other server ended with status 0';
finish $service;
