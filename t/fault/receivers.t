# Deliveries to receivers that hang and misbehave: nobody has to wait for
# somebody else's receiver, and each fault is recorded as what it was.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Verify::Test;

my $service = Verify::Instance->start;
my $organization = $service->organization(workflow => 1);
my $client = $organization->{client};

my @receivers;
sub endpoint {
  my (%behaviour) = @_;
  my $receiver = $service->receiver;
  $receiver->behave(\%behaviour) if %behaviour;
  my $endpoint = $client->post('/v1/webhook_endpoints',
    {url => $receiver->url, enabled_events => ['*']})->json;
  $receiver->expect_secret('/webhooks', $endpoint->{secret});
  push @receivers, $receiver;
  return ($endpoint->{id}, $receiver);
}
sub set_status {
  my ($status, @endpoints) = @_;
  $service->sql('UPDATE webhook_endpoint SET status = ? WHERE id = ANY (?)',
    $status, \@endpoints);
}
sub create_sessions {
  my ($count) = @_;
  return map {
    $client->post('/v1/verification_sessions', {type => 'age',
      workflow_id => $organization->{workflow_id}, jurisdiction => 'US'})->json->{id}
  } 1 .. $count;
}
sub delivered {
  my ($endpoint, @sessions) = @_;
  return @sessions == $service->sql_value(
    q{SELECT count(*) FROM webhook_delivery d
        JOIN event e USING (organization_id)
       WHERE e.id = d.event_id AND d.webhook_endpoint_id = ?
         AND e.object_id = ANY (?) AND d.status = 'delivered'},
    $endpoint, \@sessions);
}
sub record {
  my ($endpoint) = @_;
  return $service->sql('SELECT * FROM webhook_delivery
    WHERE webhook_endpoint_id = ? ORDER BY id DESC LIMIT 1', $endpoint)->[0];
}
my ($healthy, $receiver) = endpoint();
my @sessions = create_sessions(3);
ok &wait_for(sub { delivered($healthy, @sessions) }), 'deliveries arrive';
my ($request) = @{[$receiver->requests]};
is $request->{fault}, undef, 'with a signature that is right';
like $request->{headers}{'user-agent'}, qr{\Amod_verify/}, 'and a user agent';
like $request->{headers}{'service-webhook-id'}, qr/\Awhd_/, 'and its id';

subtest 'a hanging endpoint holds up nobody' => sub {
  my ($hanging) = endpoint(hang => 60);
  my @more = create_sessions(40);
  ok &wait_for(sub { delivered($healthy, @more) }), 'the healthy one has all';
  ok !delivered($hanging, @more), 'the hanging one has not';
  set_status(disabled => $hanging);
};

subtest 'what receivers do wrong' => sub {
  my %cases = (
    response_too_large => {flood => 10_000_000},
    connection_refused => {close => 1},
  );
  my %endpoint = map { $_ => (endpoint(%{$cases{$_}}))[0] } keys %cases;
  my ($moved) = endpoint(status => 301, headers => {Location => $receiver->url});
  my ($missing) = endpoint(status => 404);
  my ($busy) = endpoint(status => 503, headers => {'Retry-After' => 500});
  my ($forbidden) = endpoint();
  $service->sql('UPDATE webhook_endpoint SET url = ? WHERE id = ?',
    'https://169.254.169.254/', $forbidden);
  create_sessions(1);
  my $attempted = sub { (record($_[0]) // {attempt => 0})->{attempt} };
  for my $code (sort keys %cases) {
    ok &wait_for(sub { $attempted->($endpoint{$code}) }), "$code is recorded";
    my $record = record($endpoint{$code});
    is $record->{status}, 'pending', 'to be tried again';
    like $record->{last_error}, qr/"code":"$code"/, 'with its code';
  }
  ok &wait_for(sub { $attempted->($forbidden) }), 'a forbidden address is recorded';
  like record($forbidden)->{last_error}, qr/address_forbidden/, 'as such';
  for my $final ($moved, $missing) {
    ok &wait_for(sub { $attempted->($final) }), 'a final answer is recorded';
    is record($final)->{status}, 'failed', 'and is not repeated';
    like record($final)->{last_error}, qr/"code":"http_status"/, 'with its code';
  }
  ok &wait_for(sub { $attempted->($busy) }), 'a busy receiver is recorded';
  my $busy_record = record($busy);
  my $delay = $busy_record->{next_attempt_at} - $busy_record->{updated_at};
  cmp_ok $delay, '>=', 500_000, 'its Retry-After is honoured';
  cmp_ok $delay, '<=', 600_000, 'up to twice the schedule';
  set_status(disabled => values %endpoint, $moved, $missing, $busy, $forbidden);
};

subtest 'a due retry happens' => sub {
  my ($recovering, $its_receiver) = endpoint(status => 500);
  my ($session) = create_sessions(1);
  ok &wait_for(sub { (record($recovering) // {attempt => 0})->{attempt} == 1 }), 'it failed';
  my $first = record($recovering);
  $its_receiver->behave({});
  $service->sql('UPDATE webhook_delivery SET next_attempt_at = 1 WHERE id = ?',
    $first->{id});
  ok &wait_for(sub { delivered($recovering, $session) }), 'it is tried again';
  my @requests = $its_receiver->requests;
  is $requests[0]{headers}{'service-webhook-id'},
    $requests[1]{headers}{'service-webhook-id'}, 'under the same id';
  is $requests[0]{body}, $requests[1]{body}, 'with the same body';
  is record($recovering)->{attempt}, 2, 'as the second attempt';
};
finish $service;
