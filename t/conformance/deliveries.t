# Delivery: what counts as a failure, the schedule of attempts, what retries
# keep, what several endpoints are sent.
use v5.32;
use warnings;
use Verify::Conformance;

my $service = Verify::Instance->start;
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $client = $organization->{client};
my $endpoints = '/v1/webhook_endpoints';

sub endpoint {
  my ($url, @events) = @_;
  my $made = answer_is($client->post($endpoints, {url => $url,
    enabled_events => @events ? \@events : ['*']}), 201, $url);
  return {%$made, path => "$endpoints/$made->{id}/deliveries"};
}
sub create_session {
  return answer_is($client->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US-CA'}), 201);
}
# The newest record of an endpoint, once CONDITION holds of it.
sub record {
  my ($endpoint, $condition, $seconds) = @_;
  return wait_for {
    my ($record) = @{$client->get("$endpoint->{path}?limit=1")->json->{data}};
    $record && $condition->($record) && $record;
  } $seconds;
}
sub attempted {
  my ($count) = @_;
  return sub { $_[0]{attempt} >= $count };
}
sub signed_at { $_[0]{headers}{'service-signature'} =~ /\At=(\d+),v1=/ ? $1 : undef }

# These take their 30 seconds while all else goes on.
my ($late, $slow) = map { $service->receiver } 1 .. 2;
$late->behave({delay => 60});
$slow->behave({delay => 26});
my %waiting = (late => endpoint($late->url), slow => endpoint($slow->url));
create_session();

my %failing = (
  dns_error => endpoint('https://receiver.invalid/'),
  connection_refused => endpoint('https://127.0.0.1:1/'),
  tls_error => endpoint("https://127.0.0.1:$service->{http_port}/"),
  address_forbidden => endpoint('https://moved.invalid/'));
# The API takes no such address; a name may come to stand for one.
$service->sql_value(q{UPDATE webhook_endpoint SET url = 'https://169.254.169.254/'
  WHERE id = ? RETURNING id}, $failing{address_forbidden}{id});
create_session();

subtest 'every enabled endpoint subscribed to the event type' => sub {
  my ($receiver, $other) = map { $service->receiver } 1 .. 2;
  my $all = endpoint($receiver->url('/all'));
  my $one = endpoint($other->url('/one'), 'verification_session.created');
  my $none = endpoint($other->url('/none'), 'verification_session.failed');
  my $session = create_session();
  my @got = map { $_->wait_for_request(sub { $_[0]{body} =~ /$session->{id}/ }) }
    $receiver, $other;
  is $got[0]{event}{id}, $got[1]{event}{id}, 'the same event';
  is $got[0]{body}, $got[1]{body}, 'in the same bytes';
  isnt $got[0]{headers}{'service-webhook-id'}, $got[1]{headers}{'service-webhook-id'},
    'another endpoint gets a different delivery id';
  is $got[0]{headers}{'webhook-id'}, $got[1]{headers}{'webhook-id'},
    'of one message, for Standard Webhooks';
  $client->post("/v1/verification_sessions/$session->{id}/cancel");
  ok $receiver->wait_for_request(sub { $_[0]{event}{type} =~ /cancelled/ }), '* is all';
  is_deeply [map { $_->{path} } $other->requests], ['/one'], 'others what they named';
  is_deeply $client->get("$none->{path}")->json->{data}, [], 'not even a record';
  $client->delete("$endpoints/$_->{id}") for $all, $one, $none;
};

subtest 'attempts: immediate, 5 minutes, 30 minutes, 2 hours, 8 hours' => sub {
  my $receiver = $service->receiver;
  my @statuses = (500, 429, undef, 503, 599);
  my $behave = sub { $receiver->behave($_[0] ? {status => $_[0], body => "is $_[0]"}
    : {close => 1}) };
  $behave->($statuses[0]);
  my $endpoint = endpoint($receiver->url);
  create_session();
  my ($id, @times);
  for my $attempt (1 .. 5) {
    my $record = record($endpoint, attempted($attempt));
    $id //= $record->{id};
    is $record->{attempt}, $attempt, "attempt $attempt";
    my $status = $statuses[$attempt - 1];
    is_deeply $record->{response} && [@{$record->{response}}{qw(status_code body)}],
      $status && [$status, "is $status"], 'its response, and none of an earlier one';
    is $record->{last_error}{code}, $status ? 'http_status' : 'connection_refused',
      'its error';
    push @times, signed_at(($receiver->requests)[-1]);
    if ($attempt == 5) {
      is $record->{status}, 'failed', 'permanently failed';
      is $record->{next_attempt_at}, undef, 'and not tried again';
      next;
    }
    my $delay = (0, 300, 1800, 7200, 28800)[$attempt];
    my $wait = $record->{next_attempt_at} - $record->{updated};
    ok $record->{status} eq 'pending' && $wait >= $delay - 1 && $wait <= 1.1 * $delay + 1,
      "then $wait seconds";
    my $made = time;
    wait_for { time > $made };
    $behave->($statuses[$attempt]);
    $service->sql('UPDATE webhook_delivery SET next_attempt_at = 1 WHERE id = ?', $id);
  }
  # A kept connection that dies unanswered is followed by a fresh one at once,
  # within the attempt.
  my %seen;
  my @requests = grep { !$seen{$_->{headers}{'service-signature'}}++ } $receiver->requests;
  is @requests, 5, 'five attempts in total';
  my %kept = map { my $request = $_; map { ("$_ $request->{headers}{$_}" => 1) }
    qw(service-webhook-id webhook-id) } @requests;
  is keys %kept, 2, 'automatic retries reuse both ids';
  is scalar(keys %{{map { ($_->{body} => 1) } @requests}}), 1, 'and the body';
  is_deeply [sort @times], \@times, 'each is signed anew';
  cmp_ok $times[-1], '>', $times[0], 'at its own time';
  is_deeply [grep { signature_fault($endpoint->{secret},
    $_->{headers}{'service-signature'}, $_->{body}, $_->{time}) } @requests], [],
    'rightly';
  is answer_is($client->get("$endpoint->{path}/$id"), 200)->{status}, 'failed',
    'it stays visible';
  my $rotated = answer_is($client->post("$endpoints/$endpoint->{id}/rotate-secret"), 200);
  $receiver->behave({});
  my $retried = answer_is($client->post("$endpoint->{path}/$id/retry"), 200);
  is_deeply [@$retried{qw(id status response last_error)}], [$id, 'pending', undef, undef],
    'and can be retried manually';
  my $delivered = record($endpoint, sub { $_[0]{status} eq 'delivered' });
  is_deeply [@$delivered{qw(id attempt last_error)}, $delivered->{response}{status_code}],
    [$id, 1, undef, 200], 'counted from the first, without a trace of the failures';
  my $last = ($receiver->requests)[-1];
  is "$last->{headers}{'service-webhook-id'} $last->{event}{id}",
    "$id $requests[0]{event}{id}", 'manual retries reuse both ids';
  is signature_fault($rotated->{secret}, $last->{headers}{'service-signature'},
    $last->{body}), undef, 'signed with the secret of now';
  $client->delete("$endpoints/$endpoint->{id}");
};

subtest 'a deleted endpoint: its pending deliveries end' => sub {
  my $receiver = $service->receiver;
  $receiver->behave({status => 503});
  my $endpoint = endpoint($receiver->url);
  create_session();
  my $record = record($endpoint, attempted(1));
  answer_is($client->delete("$endpoints/$endpoint->{id}"), 200);
  is $service->sql_value(q{SELECT count(*) FROM webhook_delivery
    WHERE id = ? AND status = 'pending'}, $record->{id}), 0, 'nothing is pending';
};

subtest 'network failures are retried, and say what they were' => sub {
  for my $code (sort keys %failing) {
    my $record = record($failing{$code}, attempted(1), 60);
    is_deeply [@$record{qw(status attempt response delivered_at)}],
      ['pending', 1, undef, undef], "$code: pending, without a response";
    is $record->{last_error}{code}, $code, 'last_error.code' or diag
      explain $record->{last_error};
    ok length $record->{last_error}{message}, 'last_error.message';
    ok $record->{next_attempt_at} > time + 200, 'in five minutes again';
  }
};

subtest '2xx within 30 seconds; a slower response is a failure' => sub {
  my $delivered = record($waiting{slow}, sub { $_[0]{status} eq 'delivered' }, 60);
  ok $delivered, '26 seconds are in time'
    or diag explain(record($waiting{slow}, attempted(0)));
  my $failed = record($waiting{late}, attempted(1), 60);
  is_deeply [@$failed{qw(status attempt response)}], ['pending', 1, undef],
    'longer is none, and retried';
  is $failed->{last_error}{code}, 'timeout', 'last_error.code';
  cmp_ok $failed->{updated} - $failed->{created}, '>=', 29, 'not sooner';
};

finish($service);
