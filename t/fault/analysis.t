# What reads documents dies while it reads one: the submission is read again
# and nobody is told of it.
use v5.32;
use warnings;
use File::Temp ();
use JSON::PP ();
use Verify::Test;

my $service = Verify::Instance->start(conf => "VerifyTestIssuers on\n");
my $organization = $service->organization(sandbox => 1, workflow => 1);
$service->allow_log(qr/IDV0320: the watchdog ended/,
  qr/IDV0351: the analysis of session|IDV0353: verify-analyze/);
my $receiver = $service->receiver;
answer_is($organization->{client}->post('/v1/webhook_endpoints',
  {url => $receiver->url, enabled_events => ['*']}), 201, 'an endpoint');

sub specimen {
  my $images = File::Temp->newdir;
  system('/usr/bin/python3', 't/lib/specimen_barcodes.py', '--each', 1,
    '--only', 'straight', "$images") == 0 or die "no specimen\n";
  my ($file) = glob("$images/*.jpg $images/*.png");
  open my $in, '<:raw', $file or die "$file: $!\n";
  local $/;
  return <$in>;
}
my $image = specimen();

# The zygote of verify-analyze, and its children, one for each submission.
sub zygote { ($service->child_pids($service->watchdog_pid // return))[0] }
sub reader { ($service->child_pids(zygote() // return))[0] }

sub submit {
  my $session = answer_is($organization->{client}->post(
    '/v1/verification_sessions', {type => 'age',
      workflow_id => $organization->{workflow_id}, jurisdiction => 'US-CA'}),
    201, 'a session');
  my $person = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}";
  $person->post("$path/open", {});
  $person->post("$path/consent", {consent => JSON::PP::true});
  answer_is($person->put("$path/images/front", $image,
    'Content-Type' => 'image/jpeg'), 200, 'an image');
  is answer_is($person->post("$path/submissions",
    {method => 'document_capture', images => ['front']}), 200)->{status},
    'processing', 'it is submitted';
  return $session->{id};
}
sub ends_well {
  my ($session) = @_;
  my $status = sub { $organization->{client}->get(
    "/v1/verification_sessions/$session")->json->{status} };
  ok &wait_for(sub { $status->() eq 'verified' }, 60), 'it is verified'
    or diag 'but ' . $status->();
  is $service->sql_value(q{SELECT count(*) FROM event WHERE object_id = ?
    AND type = 'verification_session.verified'}, $session), 1, 'once';
  is $service->sql_value('SELECT count(*) FROM analysis_job'), 0,
    'no job is left';
  ok $receiver->wait_for_request(sub {
    $_[0]{event}{data}{object}{id} eq $session
      && $_[0]{event}{type} eq 'verification_session.verified' }),
    'and the webhook arrives';
}

ok &wait_for(\&zygote), 'verify-analyze runs';
my %victims = ('the process that reads' => \&reader,
  'verify-analyze' => \&zygote, 'the watchdog' => sub { $service->watchdog_pid });
for my $victim (sort keys %victims) {
  subtest "kill -9 of $victim" => sub {
    ok &wait_for(\&zygote), 'all are there';
    my $session = submit();
    ok &wait_for(\&reader), 'it is being read';
    ok $service->kill_hard($victims{$victim}->()), 'killed';
    ends_well($session);
  };
}
finish $service;
