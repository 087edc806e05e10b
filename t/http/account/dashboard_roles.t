# Each role tries every route that operators have, by each login that httpd knows:
# what it may do is what routes.def and the table of roles say, and nothing else.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use MIME::Base64 qw(encode_base64);
use Verify::Test;

# What a role may do, as the house has decided; domain/account/operator.h has to agree.
my %rights = (
  auditor => [qw(any auditor)],
  reviewer => [qw(any auditor reviewer)],
  developer => [qw(any auditor developer)],
  publisher => [qw(any auditor developer publisher)],
  admin => [qw(any auditor reviewer developer publisher admin)],
  # an admin of all organizations: whoever runs the service
  service => [qw(any auditor reviewer developer publisher admin service)],
  nobody => ['any'],
);
my @routes = do {
  open my $file, '<', 'mod_verify/api/routes.def' or die "routes.def: $!\n";
  my $text = do { local $/; <$file> };
  $text =~ s{/\*.*?\*/}{}gs;
  map { [split /\s*,\s*/, s/"//gr] } $text =~ /IDV_ROUTE\(([^()]*)\)/g;
};

my $service = Verify::Instance->start(start => 0);
my $organization = $service->organization(sandbox => 1);
my $other = $service->organization(sandbox => 1);
my $id = $organization->{id};
my $directory = $service->{directory};
# [role, organization] as VerifyOperator has them.
sub grant { $_[0] eq 'service' ? qw(admin *) : ($_[0], $id) }
open my $passwords, '>', "$directory/passwords" or die "passwords: $!\n";
chomp(my $hash = `openssl passwd -apr1 secret-word`);
print $passwords "$_:$hash\n" for sort keys %rights;
close $passwords;
chmod 0644, "$directory/passwords";

# The three logins: Basic; a module that leaves claims in the environment, as
# mod_auth_openidc does, of which the roles are read by expr; and certificates.
$service->allow_log(qr/AH01614: client used wrong authentication scheme/,
  qr/AH02227: Failed to set r->user/, qr/AH01630: client denied by server configuration/);
my ($port) = Verify::Instance::free_ports(1);
my $openidc = join "\n", map {
  "VerifyOperator @{[grant($_)]} expr \"reqenv('OIDC_CLAIM_groups') =~ /(^|,)$_(,|\$)/\""
} grep { $_ ne 'nobody' } sort keys %rights;
my $modules = join '', map { "LoadModule ${_}_module \${VERIFY_MODULES}/mod_$_.so\n" }
  qw(auth_basic authn_file authz_user env);
# How often an operator may ask is not the question: here it is each route, three times.
$service->{conf} = <<"CONF";
VerifyRateLimit secret 1000000
$modules
<Location "/dashboard">
    AuthType Basic
    AuthName dashboard
    AuthBasicProvider file
    AuthUserFile "$directory/passwords"
    Require valid-user
    SetEnvIf X-Test-Groups "(.*)" OIDC_CLAIM_groups=\$1
</Location>
$openidc
@{[map { "VerifyOperator @{[grant($_)]} user $_\n" } grep { $_ ne 'nobody' } sort keys %rights]}
Listen 127.0.0.1:$port
<VirtualHost 127.0.0.1:$port>
    SSLEngine on
    SSLCertificateFile "\${VERIFY_RUN}/tls/service.pem"
    SSLCertificateKeyFile "\${VERIFY_RUN}/tls/service.key"
    SSLCACertificateFile "\${VERIFY_RUN}/tls/ca.pem"
    SSLVerifyClient optional
    SSLUserName SSL_CLIENT_S_DN_CN
    <Location "/dashboard">
        AuthType None
        Require ssl-verify-client
    </Location>
</VirtualHost>
CONF
$service->script('certificate', 'authority');
for my $role (sort keys %rights) {
  my ($file, $tls) = ("$directory/$role", "$directory/tls");
  system("openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
    . " -keyout $file.key -out $file.csr -subj /CN=$role 2>/dev/null && openssl x509"
    . " -req -in $file.csr -CA $tls/ca.pem -CAkey $tls/ca.key -days 2"
    . " -set_serial 0x" . unpack('H*', $role) . " -out $file.pem 2>/dev/null") == 0
    or die "no certificate for $role\n";
}
$service->start_httpd;
my @same = ('Sec-Fetch-Site' => 'same-origin');
sub basic { (Authorization => 'Basic ' . encode_base64("$_[0]:secret-word", '')) }
my %login = (
  'Basic' => sub { $service->client(undef, headers => {@same, basic($_[0])}) },
  'OpenID Connect' => sub {
    $service->client(undef,
      headers => {@same, basic('nobody'), 'X-Test-Groups' => "staff,$_[0],other"});
  },
  'client certificate' => sub {
    $service->client(undef, base_url => "https://127.0.0.1:$port", headers => {@same},
      certificate => "$directory/$_[0].pem");
  },
);

# [method, path in the organization ID, needed role, body] of each route that
# operators have; some value for each parameter.
sub operator_routes {
  my ($id) = @_;
  return map {
    my ($method, $path, $credential, $role, $body) = @$_;
    $path =~ s{\A/v1/}{/dashboard/v1/organizations/:org/} unless $credential eq 'OPERATOR';
    $path =~ s{:org\b}{$id};
    $path =~ s{:\w+}{x}g;
    [$method, $path, lc $role, $body];
  } grep { $_->[3] ne 'NONE' } @routes;
}
sub try_route {
  my ($client, $method, $path, undef, $body) = @_;
  return $body eq 'NO' ? $client->request($method, $path, {})
    : $client->request_with_body($method, $path, {});
}
my @operator_routes = operator_routes($id);
cmp_ok scalar @operator_routes, '>', 25, @operator_routes . ' routes';
my %seen = map { $_->[2] => 1 } @operator_routes;
ok $seen{$_}, "a route for $_" for qw(any auditor reviewer developer admin service);

for my $how (sort keys %login) {
  for my $role (sort keys %rights) {
    my $client = $login{$how}->($role);
    my %may = map { $_ => 1 } @{$rights{$role}};
    my @faults;
    for my $route (@operator_routes) {
      my $answer = try_route($client, @$route);
      my $code = $answer->error->{code} // '';
      my $refused = $answer->status == 403 && $code eq 'operator_role_required';
      push @faults, "$route->[0] $route->[1] needs $route->[2]: " . $answer->status . " $code"
        if $may{$route->[2]} ? $answer->status =~ /\A(?:401|403|5..)\z/
          && $code !~ /\A(?:application|org)_credential_required\z/ : !$refused;
    }
    is_deeply \@faults, [], "$how: $role may do what it may, and nothing else";
    my $me = $client->get('/dashboard/v1/me')->json;
    my ($granted, $where) = grant($role);
    is_deeply $me->{roles}, $role eq 'nobody' ? [] : [{organization => $where, role => $granted}],
      '... and is told so';
  }
}

# --- elsewhere ---

my $admin = $login{Basic}->('admin');
is_deeply [map { "$_->[0] $_->[1]" } grep {
    $_->[1] =~ m{/organizations/\Q$other->{id}\E}
      && (try_route($admin, @$_)->error->{code} // '') ne 'operator_role_required';
  } operator_routes($other->{id})], [], 'an admin is nobody in another organization';
my @outside = grep { $_->[3] eq 'NONE' && $_->[1] =~ m{\A/v1/} } @routes;
is_deeply [map { "$_->[0] $_->[1]" } grep {
    my ($method, $path) = @$_;
    $path =~ s{\A/v1/}{/dashboard/v1/organizations/$id/};
    $path =~ s{:\w+}{x}g;
    my $answer = $admin->request($method, $path, {});
    $answer->status !~ /\A40[45]\z/;
  } @outside], [], 'what is no operator\'s route is none for an admin';
is_deeply [map { "$_->[0] $_->[1]" } grep {
    my ($method, $path, $credential) = @$_;
    $path =~ s{:\w+}{x}g;
    $credential =~ /\A(?:PUBLISHABLE_OR_)?SECRET\z/
      && $admin->request($method, $path, {})->status != 401;
  } @routes], [], 'an operator opens nothing of the keys\'';
is_deeply [map { "$_->[0] $_->[1]" } grep {
    (try_route($organization->{client}, @$_)->error->{code} // '') ne 'operator_login_required';
  } @operator_routes], [], 'and a key nothing of the operators\'';
my $bare = $service->client(undef, base_url => "https://127.0.0.1:$port", headers => {@same});
error_is $bare->get('/dashboard/v1/me'), 403, 'access_denied', undef, 'without a certificate';

finish $service;
