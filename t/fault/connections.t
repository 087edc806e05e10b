# What a receiver sees of us: one connection that is kept.
use v5.32;
use warnings;
use Verify::Test;

my $service = Verify::Instance->start;
my $organization = $service->organization(workflow => 1);

sub create_endpoint {
  my ($url) = @_;
  return answer_is($organization->{client}->post('/v1/webhook_endpoints',
    {url => $url, enabled_events => ['*']}), 201, 'an endpoint')->{id};
}
sub create_session {
  return answer_is($organization->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $organization->{workflow_id},
      jurisdiction => 'US'}), 201, 'a session');
}
sub delivered {
  return $service->sql_value(q{SELECT count(*) FROM webhook_delivery
    WHERE webhook_endpoint_id = ? AND status = 'delivered'}, $_[0]);
}

subtest 'keep-alive' => sub {
  my $receiver = $service->receiver;
  my $endpoint = create_endpoint($receiver->url);
  for my $count (1 .. 5) {
    create_session();
    ok &wait_for(sub { delivered($endpoint) == $count }), "delivery $count";
  }
  my %connections = map { $_->{connection} => 1 } $receiver->requests;
  is scalar(keys %connections), 1, 'all on one connection';
};

finish $service;
