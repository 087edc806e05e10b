# The watchdog tells of trust lists and reader certificates that end: in the log
# when it starts, and by gauges.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Verify::Authority;
use Verify::Command;
use Verify::Test;

my $service = Verify::Instance->start(start => 0);
my $command = Verify::Command->new($service);
my $folder = "$service->{directory}/expiry";
mkdir $folder or die "$folder: $!\n";
my $authority = Verify::Authority->new($folder);
my $organization = $command->prints([qw(org create --name Shop)])->{id};

# A list for all and an identity of the organization, in use.
$authority->authority('root');
$authority->copy_pem('root', "$folder/iaca.pem");
my $list = $command->prints([qw(trust import --kind iaca), "$folder/iaca.pem"])->{id};
my $reader = $command->prints([qw(reader create --kind haip --org), $organization])->{id};
$command->write_file("$folder/csr", $command->prints([qw(reader csr), $reader,
  qw(--common-name shop)])->{csr});
Verify::Authority::openssl(qw(x509 -req -days 10 -set_serial 5 -sha256 -in),
  "$folder/csr", '-CA', $authority->path('root', 'pem'), '-CAkey',
  $authority->path('root', 'key'), '-out', "$folder/leaf.pem");
$command->prints([qw(reader install), $reader, "$folder/leaf.pem"]);
# Plain certificates promise no edition: this one does, and is late.
$service->sql("update trust_list_version set next_update_at = 86400000");

$service->expect_log(qr/IDV0787: .* \Q$list\E \(iaca iaca\) was due at 1970-01-02T00/);
$service->expect_log(qr/IDV0788: .* \Q$reader\E \(haip\) of organization \Q$organization\E is good until/);
$service->start_httpd;
my $metrics = sub { $service->client->get('/metrics')->body };
ok wait_for(sub { $metrics->() =~ /^verify_trust_lists_ending 1$/m }, 30),
  'a list is late';
like $metrics->(), qr/^verify_reader_identities_ending 1$/m,
  'an identity ends within 30 days';
finish($service);
