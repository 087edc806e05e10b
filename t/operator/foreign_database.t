# Another user of mod_dbd beside the service, at the top level and in a virtual
# host: each has its own database, settings and connections, and one whose
# database is not there takes nothing from the service.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use MIME::Base64 qw(encode_base64);
use Verify::Test;

my ($login, $broken) = Verify::Instance::free_ports(2);
my $service = Verify::Instance->start(start => 0);
my ($host, $port) = $service->{conninfo} =~ /host=(\S+) port=(\S+)/;
my $foreign = "$service->{conninfo} application_name=another";
$service->{conf} = <<CONF;
LoadModule dbd_module \${VERIFY_MODULES}/mod_dbd.so
LoadModule auth_basic_module \${VERIFY_MODULES}/mod_auth_basic.so
LoadModule authn_dbd_module \${VERIFY_MODULES}/mod_authn_dbd.so
LoadModule authz_user_module \${VERIFY_MODULES}/mod_authz_user.so
DBDriver pgsql
DBDParams "$foreign"
DBDMin 1
DBDKeep 1
DBDMax 3
DBDPersist On
DBDPrepareSQL "SELECT 1" another
DBDInitSQL "SET application_name TO 'another'"
<Location "/private">
    AuthType Basic
    AuthName private
    AuthBasicProvider dbd
    AuthDBDUserPWQuery "SELECT password FROM another_user WHERE name = %s"
    Require valid-user
</Location>
Listen 127.0.0.1:$login
<VirtualHost 127.0.0.1:$login>
    VerifyRateLimit secret 7
</VirtualHost>
Listen 127.0.0.1:$broken
<VirtualHost 127.0.0.1:$broken>
    DBDParams "host=/nonexistent dbname=nothing"
    <Location "/broken">
        AuthType Basic
        AuthName broken
        AuthBasicProvider dbd
        AuthDBDUserPWQuery "SELECT password FROM nowhere WHERE name = %s"
        Require valid-user
    </Location>
</VirtualHost>
CONF
# What mod_dbd says of the database that is not there, and httpd of the login.
$service->allow_log(qr/\[dbd:(?:error|crit)\]/, qr/\[authn_dbd:error\]/,
  qr/\[auth_basic:error\]/);
$service->sql('CREATE TABLE another_user (name text, password text)');
# Of "secret", in the form of htpasswd -s.
$service->sql(q{INSERT INTO another_user
  VALUES ('somebody', '{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=')});
$service->start_httpd;

my $organization = $service->organization(sandbox => 1, workflow => 1);
my $list = '/v1/verification_sessions';

sub connections {
  my ($name) = @_;
  return $service->sql_value(q{SELECT count(*) FROM pg_stat_activity
    WHERE application_name = ? AND datname = current_database()}, $name);
}
sub log_in {
  my ($at, $path) = @_;
  return $service->client->with(base_url => "http://127.0.0.1:$at")
    ->get($path, Authorization => 'Basic ' . encode_base64('somebody:secret', ''))
    ->status;
}

is connections('mod_verify'), 16, 'the connections of the service are its own';
is log_in($service->{http_port}, '/private'), 404, 'a login of the main server';
is log_in($login, '/private'), 404, 'and of a virtual host in service';
ok connections('another') >= 1, 'is looked up by connections of its own';
is log_in($broken, '/broken'), 500, 'one whose database is not there fails';
for my $at ($service->{http_port}, $login, $broken) {
  my $client = $organization->{client}->with(base_url => "http://127.0.0.1:$at");
  answer_is $client->post($list, {type => 'age', jurisdiction => 'US-CA',
    workflow_id => $organization->{workflow_id}}), 201, 'a session there all the same'
    for 1 .. 3;
}
is connections('mod_verify'), 16, 'by no more connections';

$service->graceful;
ok wait_for { $organization->{client}->with->get($list)->status == 200 },
  'and after a graceful restart';
finish $service;
