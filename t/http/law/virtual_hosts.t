# Virtual hosts that name the same files share what was read from them; one that names
# files of its own has its own rules.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Rules qw(country rule write_rules);
use Verify::Test;

sub law {
  my ($age) = @_;
  return write_rules(country('DE', {
    alcohol_delivery => rule(prohibited => JSON::PP::false, minimum_age => $age)}));
}
my ($others, $own) = Verify::Instance::free_ports(2);
my ($rules, $stricter) = (law(18), law(21));
my $hosts = join '', map { <<"CONF" } 1 .. 16;
<VirtualHost 127.0.0.1:$others>
  ServerName site-$_.example
  VerifyPublicURL https://site-$_.example
</VirtualHost>
CONF
# Resident memory of httpd's first process in kB.
sub memory {
  my ($service) = @_;
  my ($memory) = Verify::Instance::read_text('/proc/' . $service->httpd_pid . '/status')
    =~ /^VmRSS:\s+(\d+) kB/m;
  return $memory;
}

my $single = Verify::Instance->start;
my $one = memory($single);
$single->stop;
my $many = Verify::Instance->start(conf => "Listen 127.0.0.1:$others\n$hosts");
cmp_ok memory($many), '<', 1.5 * $one, "16 more hosts need no memory for laws: $one kB";
$many->stop;

my $service = Verify::Instance->start(conf => <<"CONF");
VerifyComplianceRules $rules
Listen 127.0.0.1:$others
Listen 127.0.0.1:$own
$hosts
<VirtualHost 127.0.0.1:$own>
  ServerName strict.example
  VerifyComplianceRules $stricter
</VirtualHost>
CONF
my $organization = $service->organization;
for my $case ([$service->base_url, 18], ["http://127.0.0.1:$others", 18],
  ["http://127.0.0.1:$own", 21]) {
  my ($url, $age) = @$case;
  my $client = Verify::Client->new(base_url => $url, token => $organization->{secret_key});
  is answer_is($client->get('/v1/compliance/check?use_cases=alcohol_delivery&jurisdiction=DE'),
    200)->{results}[0]{required_age}, $age, "the law of its host: $age";
}
finish $service;
