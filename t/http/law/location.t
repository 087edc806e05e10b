# Where a client is: by geo headers, else by its address as mod_remoteip says.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use Verify::AddressDatabase;
use Verify::Test;

my $service = Verify::Instance->start(start => 0);
my $database = "$service->{directory}/addresses.mmdb";
Verify::AddressDatabase::write($database, '192.0.2.0/25' => ['US', 'MD'],
  '192.0.2.128/25' => ['DE'], '198.51.100.7/32' => ['GB', 'SCT']);
$service->{conf} = <<"CONF";
LoadModule remoteip_module \${VERIFY_MODULES}/mod_remoteip.so
RemoteIPHeader X-Forwarded-For
RemoteIPInternalProxy 127.0.0.0/8
VerifyGeoDatabase $database
VerifyGeoHeaders X-Country X-Region
CONF
$service->start_httpd;
my $organization = $service->organization(sandbox => 1, workflow => {
  name => 'Anywhere', start => 'id', nodes => {
    id => {type => 'methods', mode => 'any_of', methods => ['document_capture'],
      next => {passed => 'yes', exhausted => 'no'}},
    yes => {type => 'outcome', status => 'verified'},
    no => {type => 'outcome', status => 'failed'}}});

sub located {
  my (%headers) = @_;
  my $answer = $organization->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $organization->{workflow_id}}, %headers);
  my $session = $answer->json;
  return $answer->error->{code} if $answer->status != 201;
  return join ' ', map { $_ // 'null' }
    @$session{qw(jurisdiction_audit_ip_derived jurisdiction_audit_source)};
}

my %addresses = ('192.0.2.1' => 'US-MD ip_database',
  '192.0.2.200' => 'DE ip_database', '198.51.100.7' => 'GB-SCT ip_database',
  '203.0.113.1' => 'jurisdiction_unresolvable',
  '2001:db8::1' => 'jurisdiction_unresolvable');
is located('X-Forwarded-For' => $_), $addresses{$_}, $_ for sort keys %addresses;
my @from = ('X-Forwarded-For' => '192.0.2.200');
is located(@from, 'X-Country' => 'gb'), 'GB geo_header', 'a header wins';
is located(@from, 'X-Country' => 'US', 'X-Region' => 'CA'), 'US-CA geo_header',
  'with a region';
is located(@from, 'X-Country' => 'US', 'X-Region' => 'US-CA'), 'US-CA geo_header',
  'as ISO 3166-2 writes it';
is located(@from, 'X-Country' => 'GB', 'X-Region' => 'US-CA'), 'GB geo_header',
  'a region of another country is left away';
is located(@from, 'X-Country' => $_), 'DE ip_database', "the header says nothing: $_"
  for 'XX', 'T1', 'Germany';
finish $service;
