# Creations of what a child knows already read nothing but what may have changed:
# they go on while nobody can read the versions of workflows.
use v5.32;
use warnings;
use Verify::Test;

my $service = Verify::Instance->start(conf => "StartServers 1\nMaxRequestWorkers 64\n");
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $client = $organization->{client};
my $keys = 0;

sub create {
  my (@headers) = @_;
  return $client->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US-CA',
    client_reference_id => 'known', metadata => {order => '1'}}, @headers);
}
sub key { ('Idempotency-Key' => 'known-' . ++$keys) }

for my $headers (sub { () }, \&key) {
  answer_is create($headers->()), 201, 'known from now on' for 1 .. 3;
}
my $handle = $service->connect_database;
$handle->begin_work;
$handle->do('LOCK TABLE workflow_version IN ACCESS EXCLUSIVE MODE');
my $plain = answer_is create(), 201, 'without a key';
my @key = key();
my $keyed = answer_is create(@key), 201, 'with a key';
$handle->rollback;
is_deeply answer_is(create(@key), 201, 'replayed'), $keyed, 'as it was';
is $client->get("/v1/verification_sessions/$_->{id}")->status, 200, 'both are there'
  for $plain, $keyed;

$handle->disconnect;

finish($service);
