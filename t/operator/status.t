# What an operator watches: health for a load balancer, metrics of the queues,
# the section of mod_status, log lines that name ids and nobody.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Verify::Test;

my $service = Verify::Instance->start;
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $client = $organization->{client};
my $receiver = $service->receiver;
$receiver->behave({status => 500});
answer_is $client->post('/v1/webhook_endpoints',
  {url => $receiver->url, enabled_events => ['*']}), 201, 'an endpoint';

subtest 'health' => sub {
  my $nobody = $service->client;
  for my $path (qw(/v1/health/live /v1/health/ready)) {
    my $answer = answer_is $nobody->get($path), 200, "$path needs no key";
    my $reader = delete $answer->{reader};
    is_deeply $answer, {object => 'health', status => 'ok'}, 'and says ok';
    is defined $reader, $path =~ /ready/, 'of the reader, where it is asked';
    is $nobody->request('HEAD', $path, {})->status, 200, 'also to HEAD';
  }
  ok wait_for { $nobody->get('/v1/health/ready')->json->{reader} eq 'ready' },
    'the reader is ready';
  my $watchdog = $service->watchdog_pid;
  kill STOP => $watchdog;
  my $tired = wait_for {
    my $answer = $nobody->get('/v1/health/ready');
    $answer->status == 503 && $answer } 40;
  kill CONT => $watchdog;
  error_is $tired, 503, 'service_unavailable', undef, 'not with a watchdog that hangs'
    if ok $tired, 'it notices';
  $service->allow_log(qr/IDV0020: service_unavailable: the watchdog does not run/);
  ok wait_for { $nobody->get('/v1/health/ready')->status == 200 }, 'until it goes on';
};

sub value_of {
  my ($metric) = @_;
  my ($value) = $service->client->get('/metrics')->body =~ /^verify_$metric (\S+)$/m;
  return $value;
}

subtest 'queues' => sub {
  is value_of("webhook_deliveries_$_"), 0, "no delivery is $_"
    for qw(waiting repeating in_flight);
  answer_is $client->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US-CA'}), 201,
    'a session';
  ok wait_for { (value_of('webhook_deliveries_retried_total') // 0) > 0 },
    'its webhook fails';
  my $repeating = wait_for {
    (value_of('webhook_deliveries_repeating') // 0) == 1 } 30;
  ok $repeating, 'and waits to be repeated';
  is value_of("$_"), 0, "$_: none" for qw(analyses_waiting mails_waiting);
  my $page = $service->client->{http}->get($service->base_url . '/server-status');
  like $page->{content}, qr{<dt>Deliveries to be retried[^<]*</dt><dd>1</dd>},
    'mod_status shows it, too';
};

subtest 'logs' => sub {
  my $id = $client->get('/v1/verification_sessions?client_reference_id=SPECIMEN-1')
    ->header('X-Request-Id');
  my $line = &wait_for(sub { (grep { /\Q$id\E/ } split /\n/,
    Verify::Instance::read_text("$service->{directory}/logs/access.log"))[0] });
  like $line, qr{ key_\w+ .*"GET /v1/verification_sessions HTTP/1\.1" 200 },
    'a request with its key and its id';
  unlike $line, qr/SPECIMEN|svc_/, 'without what it asked for';
};

finish $service;
