# A page that waits for a change of its session does not keep httpd from ending
# in order, which is asserted when the service is stopped.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use IO::Socket::INET;
use Verify::Test;

my $service = Verify::Instance->start;
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $session = answer_is($organization->{client}->post('/v1/verification_sessions',
  {type => 'age', workflow_id => $organization->{workflow_id},
    jurisdiction => 'US-CA'}), 201);
my $path = "/v1/widget/sessions/$session->{id}";
my $revision = answer_is($service->client($session->{client_secret})->get($path),
  200)->{revision};

my ($port) = $service->base_url =~ /:(\d+)/;
my $waiting = IO::Socket::INET->new(PeerAddr => "127.0.0.1:$port")
  or die "no connection: $!\n";
print $waiting "GET $path?after_revision=$revision&wait_seconds=25 HTTP/1.1\r\n",
  "Host: a\r\nAuthorization: Bearer $session->{client_secret}\r\n\r\n";
ok wait_for {
  $service->sql_value(q{SELECT count(*) FROM pg_stat_activity
    WHERE application_name = 'mod_verify' AND datname = current_database()
      AND query ~ '^SELECT revision'});
}, 'the page waits';
$service->stop;
done_testing;
