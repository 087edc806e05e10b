# Receivers that hang, misbehave, or are changed while a delivery is on its way:
# nobody has to wait for somebody else's receiver, each fault is recorded as
# what it was, and a result is recorded for the attempt it belongs to only.
use v5.32;
use warnings;
use Verify::Test;

# Its own httpd is a receiver that speaks HTTP/2 and answers before it has read
# the body, as servers may (RFC 9113, 8.1).
my $service = Verify::Instance->start(conf => <<'END');
LoadModule alias_module ${VERIFY_MODULES}/mod_alias.so
RedirectMatch 204 ^/receive$
LogFormat "%H %>s" protocol
CustomLog "${VERIFY_RUN}/logs/receiver.log" protocol "expr=%{REQUEST_URI} == '/receive'"
END

# An organization with endpoints of its own.
sub organization { return $service->organization(workflow => 1) }
sub endpoint {
  my ($organization, $behaviour, $names) = @_;
  my $receiver = $service->receiver($names);
  $receiver->behave(ref $behaviour eq 'ARRAY' ? @$behaviour : $behaviour // {});
  my $endpoint = answer_is($organization->{client}->post('/v1/webhook_endpoints',
    {url => $receiver->url, enabled_events => ['*']}), 201, 'an endpoint');
  return {%$endpoint, receiver => $receiver, client => $organization->{client},
    path => "/v1/webhook_endpoints/$endpoint->{id}"};
}
sub create_sessions {
  my ($organization, $count) = @_;
  return map {
    answer_is($organization->{client}->post('/v1/verification_sessions',
      {type => 'age', workflow_id => $organization->{workflow_id},
        jurisdiction => 'US'}), 201, 'a session')->{id}
  } 1 .. $count // 1;
}
sub move_to {
  my ($endpoint, $url) = @_;
  $service->sql('UPDATE webhook_endpoint SET url = ? WHERE id = ?', $url,
    $endpoint->{id});
}
sub delivered {
  my ($endpoint) = @_;
  return $service->sql_value(q{SELECT count(*) FROM webhook_delivery
    WHERE webhook_endpoint_id = ? AND status = 'delivered'}, $endpoint->{id});
}
# The newest delivery, once it was tried.
sub tried {
  my ($endpoint, $attempts, $seconds) = @_;
  return wait_for {
    my $record = $service->sql('SELECT * FROM webhook_delivery
      WHERE webhook_endpoint_id = ? ORDER BY id DESC LIMIT 1', $endpoint->{id})->[0];
    $record && $record->{attempt} == ($attempts // 1) && $record;
  } $seconds;
}
sub make_due {
  my ($record) = @_;
  $service->sql('UPDATE webhook_delivery SET next_attempt_at = 1 WHERE id = ?',
    $record->{id});
}

# These take all the time there is; how they end is looked at last.
my $slow_ones = organization();
my %hanging = (
  'no answer' => endpoint($slow_ones, {hang => 60}),
  'a response byte by byte' =>
    endpoint($slow_ones, {drip => 1, headers => {'X-Long' => 'x' x 100}}),
);
my %trickling = map {
  $_ => endpoint($slow_ones, {trickle => 1, status => $_, body => 'x' x 100})
} 200, 404, 500;
my $late = endpoint($slow_ones, {delay => 25});
create_sessions($slow_ones);

subtest 'a hanging endpoint holds up nobody' => sub {
  my $organization = organization();
  my $healthy = endpoint($organization);
  my $hanging = endpoint($organization, {hang => 60});
  create_sessions($organization, 40);
  ok wait_for { delivered($healthy) == 40 }, 'the healthy one has all';
  is delivered($hanging), 0, 'the hanging one has none';
};

subtest 'one connection is kept' => sub {
  my $organization = organization();
  my $endpoint = endpoint($organization);
  for my $count (1 .. 5) {
    create_sessions($organization);
    ok wait_for { delivered($endpoint) == $count }, "delivery $count";
  }
  my %connections = map { $_->{connection} => 1 } $endpoint->{receiver}->requests;
  is scalar(keys %connections), 1, 'all on one connection';
};

# A stream that ends before its answer was seen is tried once over HTTP/1.1.
subtest 'HTTP/2' => sub {
  my $organization = organization();
  my $endpoint = endpoint($organization);
  move_to($endpoint, $service->base_url_tls . '/receive');
  create_sessions($organization, 60);
  ok wait_for {
    !$service->sql_value(q{SELECT count(*) FROM webhook_delivery
      WHERE webhook_endpoint_id = ? AND status = 'pending' AND last_error IS NULL},
      $endpoint->{id})
  }, 'every delivery was tried';
  my $rows = $service->sql(q{SELECT status, attempt,
    response->>'status_code' AS code, last_error->>'code' AS error, count(*)
    FROM webhook_delivery WHERE webhook_endpoint_id = ? GROUP BY 1, 2, 3, 4},
    $endpoint->{id});
  is_deeply $rows, [{status => 'delivered', attempt => 1, code => '204',
    error => undef, count => 60}], 'and delivered at once' or diag explain $rows;
  open my $log, '<', "$service->{directory}/logs/receiver.log" or die "log: $!";
  my @lines = <$log>;
  ok +(grep { $_ eq "HTTP/2.0 204\n" } @lines) >= 40, 'most of them over HTTP/2'
    or diag @lines;
};

subtest 'what receivers do wrong' => sub {
  my $organization = organization();
  my $nowhere = endpoint($organization);
  move_to($nowhere, 'https://' . 'x' x 64 . '.example/');
  my $forbidden = endpoint($organization);
  move_to($forbidden, 'https://169.254.169.254/');
  my @cases = (
    [response_too_large => 'headers without end',
      endpoint($organization, {endless => 1})],
    [connection_refused => 'no response',
      endpoint($organization, {close => 1})],
    [tls_error => 'a certificate for another name',
      endpoint($organization, {}, 'DNS:receiver.example')],
    [dns_error => 'a name that nobody has', $nowhere],
    [address_forbidden => 'an address that is not public', $forbidden],
  );
  my $refusing = endpoint($organization, {status => 404, flood => 10_000_000});
  my $moved = endpoint($organization, {status => 301,
    headers => {Location => endpoint($organization)->{receiver}->url('/moved')}});
  my $busy = endpoint($organization,
    {status => 503, headers => {'Retry-After' => 500}});
  my $chatty = endpoint($organization, {headers => {'X-Part' =>
    join "\r\nX-Part: ", map { sprintf '%04d', $_ } 1 .. 1000}});
  create_sessions($organization);
  for my $case (@cases) {
    my ($code, $name, $endpoint) = @$case;
    my $record = tried($endpoint) // {};
    is $record->{status}, 'pending', "$name: to be tried again";
    like $record->{last_error}, qr/"code":"$code"/, "as $code";
  }
  is tried($refusing)->{status}, 'failed', 'a final answer that is too long';
  like tried($refusing)->{last_error}, qr/"code":"http_status"/, 'by its status';
  is tried($moved)->{status}, 'failed', 'a redirection';
  my $record = tried($busy);
  my $delay = $record->{next_attempt_at} - $record->{updated_at};
  cmp_ok $delay, '>=', 500_000, 'Retry-After is honoured';
  cmp_ok $delay, '<=', 600_000, 'up to twice the schedule';
  my ($parts) = tried($chatty)->{response} =~ /"x-part":"([^"]*)"/;
  like $parts, qr/\A0001, 0002, /, 'of a header that comes a thousand times';
  cmp_ok length $parts, '<=', 512, 'no more is kept than of one';
};

# The interface asks for a 2xx in time, and for nothing of the body.
subtest 'a status whose body is not whole' => sub {
  my $organization = organization();
  my %bodies = ('too long' => {flood => 10_000_000}, 'cut short' => {cut => 100},
    'reset' => {reset => 1, body => 'thanks'}, 'with broken chunks' =>
      {headers => {'Transfer-Encoding' => 'chunked'}, body => "6\r\nthanks\r\nx\r\n",
        reset => 1});
  my %taken = map { $_ => endpoint($organization, $bodies{$_}) } keys %bodies;
  my %failing = map { $_ => endpoint($organization, {%{$bodies{$_}}, status => 500}) }
    keys %bodies;
  create_sessions($organization);
  for my $name (sort keys %bodies) {
    my $record = tried($taken{$name}) // {};
    is $record->{status}, 'delivered', "200, $name: delivered";
    is $record->{last_error}, undef, 'without an error';
    like $record->{response}, qr/"status_code":200/, 'and its status recorded';
    $record = tried($failing{$name}) // {};
    is $record->{status}, 'pending', "500, $name: to be tried again";
    like $record->{last_error}, qr/"code":"http_status"/, 'for its status';
  }
};

subtest 'a due retry happens' => sub {
  my $organization = organization();
  my $endpoint = endpoint($organization, [{status => 500}, {}]);
  create_sessions($organization);
  make_due(tried($endpoint));
  ok tried($endpoint, 2), 'it is tried again';
  is delivered($endpoint), 1, 'and delivered';
  my @requests = $endpoint->{receiver}->requests;
  is $requests[0]{headers}{'service-webhook-id'},
    $requests[1]{headers}{'service-webhook-id'}, 'under the same id';
  is $requests[0]{body}, $requests[1]{body}, 'with the same body';
};

# Has a delivery on its way, does what $change does, and lets the receiver
# answer; a second delivery shows that the first one's result was seen to.
sub while_on_its_way {
  my ($answer, $change) = @_;
  my $organization = organization();
  my $endpoint = endpoint($organization, [{delay => 1, %$answer}, {}]);
  my $witness = endpoint($organization, [{delay => 2}, {}]);
  create_sessions($organization);
  ok $endpoint->{receiver}->wait_for_request(sub { 1 }), 'it is on its way';
  $change->($endpoint);
  ok wait_for { delivered($witness) }, 'a later answer was recorded';
  my $record = $service->sql('SELECT * FROM webhook_delivery
    WHERE webhook_endpoint_id = ?', $endpoint->{id})->[0];
  return ($endpoint, $record, $endpoint->{receiver}->requests);
}

subtest 'retried while it is on its way' => sub {
  my ($endpoint, $record, @requests) = while_on_its_way({status => 500},
    sub { answer_is($_[0]{client}->post("$_[0]{path}/deliveries/"
      . $service->sql_value('SELECT id FROM webhook_delivery
        WHERE webhook_endpoint_id = ?', $_[0]{id}) . '/retry'), 200, 'queued') });
  is $record->{status}, 'delivered', 'the retry was delivered';
  is $record->{attempt}, 1, 'at its first attempt';
  is $record->{last_error}, undef, 'the lost attempt left nothing';
  is $endpoint->{client}->get($endpoint->{path})->json->{consecutive_failures},
    0, 'not even a failure';
  is scalar @requests, 2, 'each was sent once';
};

subtest 'deleted while it is on its way' => sub {
  my ($endpoint, $record, @requests) = while_on_its_way({},
    sub { answer_is($_[0]{client}->delete($_[0]{path}), 200, 'deleted') });
  is $record->{status}, 'failed', 'the delivery has ended';
  like $record->{last_error}, qr/"code":"endpoint_deleted"/, 'by that';
  is $record->{attempt}, 0, 'whatever is answered';
  is scalar @requests, 1, 'nothing was sent again';
};

subtest 'disabled while it is on its way' => sub {
  my ($endpoint, $record, @requests) = while_on_its_way({status => 500},
    sub { answer_is($_[0]{client}->post($_[0]{path}, {status => 'disabled'}), 200,
      'disabled') });
  is $record->{attempt}, 1, 'what was under way counts';
  make_due($record);
  ok wait_for { $service->sql_value('SELECT status FROM webhook_delivery
    WHERE id = ?', $record->{id}) eq 'failed' }, 'what falls due then ends';
  is scalar(() = $endpoint->{receiver}->requests), 1, 'and is not sent';
};

subtest 'the secret changes while it is on its way' => sub {
  my $rotated;
  my ($endpoint, $record, $first) = while_on_its_way({status => 500}, sub {
    $rotated = answer_is($_[0]{client}->post("$_[0]{path}/rotate-secret"), 200,
      'rotated')->{secret};
  });
  make_due($record);
  ok tried($endpoint, 2), 'it is tried again';
  my (undef, $second) = $endpoint->{receiver}->requests;
  for (['the first attempt', $endpoint->{secret}, $first],
    ['the second one', $rotated, $second]) {
    my ($name, $secret, $request) = @$_;
    is signature_fault($secret, $request->{headers}{'service-signature'},
      $request->{body}, $request->{time}), undef, "$name has its secret";
  }
};

subtest 'receivers that take too long' => sub {
  ok tried($late, 1, 60), 'an answer after 25 seconds';
  is delivered($late), 1, 'is in time';
  for my $name (sort keys %hanging) {
    my $record = tried($hanging{$name}, 1, 60) // {};
    like $record->{last_error}, qr/"code":"timeout"/, $name;
    is $record->{status}, 'pending', 'is tried again';
  }
  my %ends = (200 => 'delivered', 404 => 'failed', 500 => 'pending');
  for my $status (sort keys %trickling) {
    my $record = tried($trickling{$status}, 1, 60) // {};
    is $record->{status}, $ends{$status}, "$status with a body byte by byte";
    like $record->{response}, qr/"status_code":$status,.*"body":"x+"/,
      'what came of it is recorded';
  }
};
finish $service;
