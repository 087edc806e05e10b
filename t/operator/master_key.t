# A node with another master key than the database has been used with: it serves
# nobody and changes nothing, until it has the right one.
use v5.32;
use warnings;
use File::Copy qw(copy);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Verify::Test;

my $service = Verify::Instance->start;
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $client = $organization->{client};
my $list = '/v1/verification_sessions';
my $session = {type => 'age', workflow_id => $organization->{workflow_id},
  jurisdiction => 'US-CA', email => 'specimen@example.com'};
answer_is $client->post($list, $session), 201, 'a node with the right key';

my $other = Verify::Instance->start(beside => $service, start => 0);
my $wrong = qr/the master key is not the one that this database has been used with/;
$other->make_master_key;
$other->allow_log(qr/IDV0010: $wrong/, qr/IDV0304: .*$wrong/,
  qr/IDV0020: service_unavailable/);
{
  local $ENV{VERIFY_READY_SECONDS} = 2;
  ok !eval { $other->start_httpd; 1 }, 'a node with another does not get ready';
}
my $there = $other->client($organization->{secret_key});
error_is $there->get('/v1/health/ready'), 503, 'service_unavailable';
error_is $there->post($list, $session), 503, 'service_unavailable', undef,
  'it creates nothing';
ok $other->{log}->matching(qr/IDV0010: $wrong/), 'its log says why';
my $said = wait_for { $other->{log}->matching(qr/IDV0304: .*$wrong/) };
ok $said, 'and that its watchdog waits';
ok !eval { $other->verifyctl(qw(review decide vks_1 approve --by tester)); 1 },
  'verifyctl refuses, too';
like $@, $wrong, 'what needs the key';
ok $other->verifyctl(qw(org list)), 'and does what does not';
is $service->sql_value('SELECT count(*) FROM verification_session'), 1,
  'there is what there was';

$other->stop_httpd;
copy "$service->{directory}/master.key", "$other->{directory}/master.key";
$other->start_httpd;
answer_is $there->with->post($list, $session), 201, 'with the right key it serves';

finish $other, $service;
