# More clients than threads, all of which keep their connections and send at
# once: whatever httpd has accepted is answered, and nobody waits for ever.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use Verify::Burst;
use Verify::Httpd qw(no_waiting);
use Verify::Test;

plan skip_all => no_waiting() if no_waiting();

my $limits = "VerifyRateLimit secret 1000000\n";
my $service = Verify::Instance->start(conf => $limits);
# That all threads are busy is what is tested, and with httpd's own factor.
$service->allow_log(qr/AH00484: server reached MaxRequestWorkers/, qr/IDV0970/);
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $body = qq({"workflow_id":"$organization->{workflow_id}","type":"age",)
  . qq("jurisdiction":"US-MD"});
my $create = "POST /v1/verification_sessions HTTP/1.1\r\nHost: a\r\n"
  . "Authorization: Bearer $organization->{secret_key}\r\n"
  . 'Content-Type: application/json' . "\r\nContent-Length: " . length($body)
  . "\r\n\r\n$body";

sub nothing_is_lost {
  my ($name, $clients, $requests, $conf) = @_;
  subtest $name => sub {
    $service->{conf} = $limits . $conf;
    $service->start_httpd;
    my $before = $service->sql_value('SELECT count(*) FROM verification_session');
    my $burst = Verify::Burst->new(port => $service->{http_port}, clients => $clients,
      requests => $requests, text => $create);
    my $status = $burst->run(60);
    is_deeply $status, {201 => $clients * $requests}, 'each request is answered'
      or diag join "\n", splice @{$burst->{lost}}, 0, 10;
    is $service->sql_value('SELECT count(*) FROM verification_session') - $before,
      $clients * $requests, 'and done once';
    note sprintf 'connections %d, of which the service said to end %d', $burst->{opened},
      $burst->{announced} // 0;
  };
}

nothing_is_lost('128 clients for 2 times 64 threads', 128, 8, "AsyncRequestWorkerFactor 2\n");
nothing_is_lost('100 clients for 2 times 25 threads', 100, 8, <<'CONF');
ThreadsPerChild 25
MaxRequestWorkers 50
AsyncRequestWorkerFactor 2
CONF
finish($service);
