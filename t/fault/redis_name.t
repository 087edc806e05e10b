# A Redis whose name server hangs: requests are counted on this node alone, and
# none waits for the name, neither at a start nor later.
use v5.32;
use warnings;
use Verify::Redis;
use Verify::Test;

plan skip_all => 'there is no Redis here' unless Verify::Redis::program();

my $path = '/v1/verification_sessions?limit=1';
my $service = Verify::Instance->start(start => 0, slow_names => 1);
my $directory = $service->{directory};
$service->script('certificate', qw(issue redis), 'DNS:redis.names.test');
my $redis = Verify::Redis->new(directory => "$directory/redis",
  password => 'open-sesame', certificate => "$directory/tls/redis.pem",
  key => "$directory/tls/redis.key")->start;
open my $file, '>', "$directory/password" or die "password: $!\n";
print $file 'open-sesame';
close $file;
chmod 0600, "$directory/password";
$service->{conf} = <<"END";
VerifyRateStore rediss://redis.names.test:$redis->{port}
VerifyRateStorePasswordFile $directory/password
VerifyRateStoreCAFile $directory/tls/ca.pem
END
$service->expect_log(qr/IDV0060/);

$service->hang_names;
$service->start_httpd;
# A look-up that hangs takes twice as long.
my $client = $service->client($service->organization->{secret_key},
  timeout => 15);
is $client->get($path)->status, 200, 'a request is answered' for 1 .. 5;
cmp_ok scalar(() = $service->hanging_names), '>=', 1, 'while the name hangs';
ok $service->{log}->matching(qr/IDV0060.*no known address/),
  'which is said';
ok !$service->{log}->matching(qr/IDV0061/), 'and has not changed';

$service->release_names;
ok wait_for { $client->get($path); $service->{log}->matching(qr/IDV0061/) },
  'Redis counts as soon as its address is known';
finish $service;
