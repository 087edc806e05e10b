package Verify::RoundTrip;
# Sends text and bytes through the whole service and checks that they come back
# from the API, in a signed webhook and from verifyctl, and that the database
# holds UTF-8. For tests of components between the service and its database.
use v5.32;
use warnings;
use utf8;
use Encode qw(encode);
use Exporter 'import';
use Test::More;
use Verify::Command;
use Verify::Test ();

our @EXPORT_OK = qw(round_trip);

my $text = q{Größe \\ "é" 'x' 世界};

# $of: a database handle that reads the service's data.
sub round_trip {
  my ($service, $of) = @_;
  my $command = Verify::Command->new($service);
  my $name = encode('UTF-8', $text);
  my $org = $command->prints(['org', 'create', '--sandbox', '--name', $name]);
  my $key = $command->prints(['key', 'create', '--org', $org->{id}, '--type', 'secret']);
  my $workflow = $command->prints(['workflow', 'publish', '--org', $org->{id},
    'conf/workflows/demonstration.json']);
  my $client = $service->client($key->{key});
  my $receiver = $service->receiver;
  my $endpoint = Verify::Test::answer_is($client->post('/v1/webhook_endpoints',
    {url => $receiver->url, enabled_events => ['*'], description => $text}), 201,
    'an endpoint');
  $receiver->expect_secret('/webhooks', $endpoint->{secret});
  is $endpoint->{description}, $text, '... with its text';
  my $session = Verify::Test::answer_is($client->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $workflow->{id}, jurisdiction => 'US-CA',
      skip_verification => JSON::PP::true, metadata => {text => $text},
      client_reference_id => $text},
    'Idempotency-Key' => "key $org->{id}"), 201, 'a session');
  is $session->{status}, 'verified', '... verified';
  my $path = "/v1/verification_sessions/$session->{id}";
  is Verify::Test::answer_is($client->get($path), 200, 'read again')->{metadata}{text},
    $text, '... with its text';
  my $events = Verify::Test::answer_is($client->get('/v1/events'), 200, 'its events');
  my $has_text = sub { ($_[0]{data}{object}{client_reference_id} // '') eq $text };
  ok scalar(grep { $has_text->($_) } @{$events->{data}}), '... with its text'
    or diag explain [map { [$_->{type}, sort keys %{$_->{data}{object}}] } @{$events->{data}}];
  my $sent = $receiver->wait_for_request(sub { $has_text->($_[0]{event}) });
  ok $sent && !$sent->{fault}, 'a signed webhook has it, too' or diag $sent && $sent->{fault};
  is $command->prints(['org', 'show', $org->{id}])->{name}, $text, 'verifyctl reads it';
  is $of->selectrow_array(q{SELECT encode(convert_to(name, 'UTF8'), 'hex')
    FROM public.organization WHERE id = ?}, undef, $org->{id}), unpack('H*', $name),
    'the database holds it';
  return {org => $org, client => $client, workflow_id => $workflow->{id}, session => $session};
}

1;
