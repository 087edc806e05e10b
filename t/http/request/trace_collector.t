# One trace from the API request to the delivered webhook, and from the submitted picture
# over its reader to the outcome, as a collector of OTLP/HTTP gets it. The messages are
# checked with the definitions of OpenTelemetry (npm). A collector that fails, rejects or
# is full delays nobody.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use JSON::PP ();
use Verify::Specimen;
use Verify::Test;

my $json = JSON::PP->new->utf8->canonical;
my $root = abs_path("$FindBin::Bin/../../..");

package Collector {
  use parent 'Verify::Server';

  sub url { "http://127.0.0.1:$_[0]{port}/v1/traces" }
  sub serve_connection {
    my ($self, $socket) = @_;
    while (defined(my $line = <$socket>)) {
      my ($path) = $line =~ m{\APOST (\S+) HTTP/1\.1\r\n\z} or return;
      my %headers;
      while (defined(my $header = <$socket>)) {
        last if $header eq "\r\n";
        $headers{lc $1} = $2 if $header =~ /\A([^:]+): *(.*?)\r\n\z/;
      }
      read $socket, my $body, $headers{'content-length'};
      my $status = $self->next_behaviour->{status} // 200;
      $self->append('requests.jsonl', {path => $path, type => $headers{'content-type'},
        status => $status, body => JSON::PP->new->utf8->decode($body)});
      syswrite $socket, "HTTP/1.1 $status Said\r\nContent-Type: application/json\r\n"
        . "Content-Length: 2\r\n\r\n{}";
    }
  }
  # The spans that were accepted, each with its attributes as members.
  sub spans {
    my ($self) = @_;
    return map { my $span = $_; +{%$span, map { ($_->{key} => (values %{$_->{value}})[0]) }
      @{$span->{attributes}}} }
      map { @{$_->{spans}} } map { @{$_->{scopeSpans}} } map { @{$_->{body}{resourceSpans}} }
      grep { $_->{status} == 200 } $self->records('requests.jsonl');
  }
}
package main;

my $service = Verify::Instance->start(start => 0);
my $collector = Collector->new(directory => "$service->{directory}/collector")->start;
$service->{conf} = "VerifyTestIssuers on\nVerifyTraceCollector " . $collector->url . "\n";
$service->start_httpd;
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $client = $organization->{client};
my $receiver = $service->receiver;
my $endpoint = answer_is($client->post('/v1/webhook_endpoints',
  {url => $receiver->url, enabled_events => ['*']}), 201);
my $parent = 'b7ad6b7169203331';
my $number = 0;
sub new_trace { sprintf '%032x', ++$number + 0xabcdef }

# The spans of TRACE, once TEST holds for them.
sub spans_of {
  my ($trace, $test) = @_;
  return wait_for {
    my @spans = grep { $_->{traceId} eq $trace } $collector->spans;
    $test->(@spans) && \@spans;
  } 20;
}
sub named { my ($name, @spans) = @_; return grep { $_->{name} eq $name } @spans }

subtest 'a request, its statements and its webhook' => sub {
  my $trace = new_trace();
  my $session = answer_is($client->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $organization->{workflow_id}},
    traceparent => "00-$trace-$parent-01"), 201);
  my @spans = @{spans_of($trace, sub { named('deliver webhook', @_)
    && named('POST /v1/verification_sessions', @_) }) // []};
  my ($request) = named('POST /v1/verification_sessions', @spans);
  is $request->{parentSpanId}, $parent, 'the request is below the caller';
  is $request->{kind}, 2, 'a server';
  is $request->{'http.response.status_code'}, '201', 'its status';
  is $request->{'http.route'}, '/v1/verification_sessions', 'its route';
  like $request->{'verify.request_id'}, qr/\Areq_/, 'its id';
  my @statements = grep { ($_->{'db.system.name'} // '') eq 'postgresql' } @spans;
  cmp_ok @statements, '>=', 1, 'statements';
  is_deeply [grep { $_->{parentSpanId} ne $request->{spanId} } @statements], [],
    'are below the request';
  my ($delivery) = named('deliver webhook', @spans);
  is $delivery->{parentSpanId}, $request->{spanId}, 'the webhook is below the request';
  is $delivery->{'http.response.status_code'}, '200', 'and was accepted';
  my $event = $receiver->wait_for_request(sub { ($_[0]{event}{id} // '')
    eq $delivery->{'verify.event_id'} })->{event};
  is $event->{data}{object}{id}, $session->{id}, 'it is the event of the session';
  my %ids = map { $_->{spanId} => 1 } @spans;
  is keys %ids, @spans, 'every span has an id of its own';
  for my $span (@spans) {
    cmp_ok $span->{startTimeUnixNano}, '<=', $span->{endTimeUnixNano}, "$span->{name} has times";
  }
};

subtest 'a submission, its reader and the outcome' => sub {
  my $session = answer_is($client->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $organization->{workflow_id}, jurisdiction => 'US-CA'}), 201);
  show_specimen($service, $session);
  my $submission = 'POST /v1/widget/sessions/:id/submissions';
  my $found = wait_for {
    my @spans = $collector->spans;
    my ($analysis) = named('analyze document_capture', @spans);
    my @own = grep { $analysis && $_->{traceId} eq $analysis->{traceId} } @spans;
    named($submission, @own) && named('deliver webhook', @own) && \@own;
  } 30;
  my ($analysis) = named('analyze document_capture', @$found);
  my ($request) = named($submission, @$found);
  my ($reader) = named('read evidence', @$found);
  is $analysis->{parentSpanId}, $request->{spanId}, 'the analysis is below the submission';
  is $analysis->{kind}, 5, 'a consumer';
  is $analysis->{'verify.session_id'}, $session->{id}, 'of the session';
  is $reader->{parentSpanId}, $analysis->{spanId}, 'the reader is below the analysis';
  ok !$reader->{status} && !$analysis->{status}, 'neither failed';
  my @below = grep { ($_->{parentSpanId} // '') eq $analysis->{spanId} } @$found;
  ok scalar(grep { $_->{'db.system.name'} } @below), 'statements are below the analysis';
  ok scalar(named('deliver webhook', @below)), 'and the webhook of the outcome';
};

subtest 'what is not recorded' => sub {
  my ($off, $on) = (new_trace(), new_trace());
  answer_is($client->get('/v1/events', traceparent => "00-$off-$parent-00"), 200);
  answer_is($client->get('/v1/events', traceparent => "00-$on-$parent-01"), 200);
  ok spans_of($on, sub { named('GET /v1/events', @_) }), 'the request that wants it';
  is_deeply [grep { $_->{traceId} eq $off } $collector->spans], [], 'the other has no span';
  my $texts = $json->encode([$collector->records('requests.jsonl')]);
  unlike $texts, qr/svc_sk_|_secret_|whsec_|vks_\w+\/|SPECIMEN/, 'no secret and no path with an id';
};

subtest 'the messages' => sub {
  my @messages = $collector->records('requests.jsonl');
  is_deeply [grep { $_->{path} ne '/v1/traces' || $_->{type} ne 'application/json' } @messages],
    [], 'go where they should';
  my %resource = map { $_->{key} => $_->{value}{stringValue} }
    @{$messages[0]{body}{resourceSpans}[0]{resource}{attributes}};
  is $resource{'service.name'}, 'mod_verify', 'with the name of the service';
  SKIP: {
    skip 'no npm modules to be had', 1
      if system("$root/scripts/fetch-test-modules $root/t/trace >&2") != 0;
    my $file = "$service->{directory}/messages.json";
    open my $out, '>', $file or die "$file: $!\n";
    print $out $json->encode([map { $_->{body} } @messages]);
    close $out or die "$file: $!\n";
    is `node $root/t/trace/otlp.mjs $file 2>&1`, "ok\n", "OpenTelemetry's definitions take them";
  }
};

# --- a collector in trouble ---

subtest 'the durations of requests name a trace' => sub {
  my $trace = new_trace();
  answer_is($client->get('/v1/events', traceparent => "00-$trace-$parent-01"), 200);
  my $answer = $client->{http}->get($service->base_url . '/metrics',
    {headers => {Accept => 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5'}});
  is $answer->{headers}{'content-type'},
    'application/openmetrics-text; version=1.0.0; charset=utf-8', 'its type';
  like $answer->{content}, qr/^verify_request_duration_seconds_bucket\{le="[0-9.]+"\} [0-9]+ # \{trace_id="$trace",span_id="[0-9a-f]{16}"\} [0-9.]+ [0-9]+\.[0-9]{3}$/m,
    'the trace';
  like $answer->{content}, qr/\n# EOF\n\z/, 'its end';
  unlike $client->request('GET', '/metrics', {})->body, qr/trace_id|EOF/, 'not in the older format';
  for ('application/openmetrics-text;q=0', 'application/openmetrics-textual',
    'text/html;x="application/openmetrics-text"', '*/*') {
    is $client->{http}->get($service->base_url . '/metrics', {headers => {Accept => $_}})
      ->{headers}{'content-type'}, 'text/plain; version=0.0.4; charset=utf-8', $_;
  }
  SKIP: {
    my $parser = '/usr/bin/python3';
    skip 'there is no parser of OpenMetrics (python3-prometheus-client)', 1
      if system "$parser -c 'import prometheus_client.openmetrics.parser' 2>/dev/null";
    open my $pipe, '|-', $parser, '-c', 'import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
names = [family.name for family in text_string_to_metric_families(sys.stdin.read())]
sys.exit(len(names) < 40)' or die "$parser: $!\n";
    print $pipe $answer->{content};
    ok close $pipe, 'is read by the parser of others';
  }
};

sub counted {
  my $metrics = $service->client->request('GET', '/metrics', {})->body;
  return map { $metrics =~ /^verify_spans_${_}_total (\d+)/m ? $1 : 'none' } qw(sent dropped);
}
subtest 'a collector that fails is asked again' => sub {
  my $trace = new_trace();
  $collector->behave({status => 503}, {status => 200});
  answer_is($client->get('/v1/events', traceparent => "00-$trace-$parent-01"), 200);
  ok spans_of($trace, sub { named('GET /v1/events', @_) }), 'the span arrives later';
  $service->expect_log(
    qr/IDV0973: the trace collector does not accept spans: http_status, status 503/);
  ok wait_for { $service->{log}->matching(qr/IDV0974: /) }, 'the end of the failure is logged';
  is +(counted())[1], 0, 'nothing was dropped';
};
subtest 'what it rejects is dropped' => sub {
  my $trace = new_trace();
  $collector->behave({status => 400});
  answer_is($client->get('/v1/events', traceparent => "00-$trace-$parent-01"), 200);
  ok wait_for { (counted())[1] > 0 }, 'and counted';
  $service->expect_log(qr/IDV0973: .*status 400/);
  $collector->behave({status => 200});
  my $next = new_trace();
  answer_is($client->get('/v1/events', traceparent => "00-$next-$parent-01"), 200);
  ok spans_of($next, sub { named('GET /v1/events', @_) }), 'later ones arrive';
  is_deeply [grep { $_->{traceId} eq $trace } $collector->spans], [], 'the rejected one never';
};
subtest 'a collector that is away' => sub {
  $collector->stop;
  is $?, 0, 'it ended well';
  $service->allow_log(qr/IDV0973: .*connection_refused/);
  my $answer = $client->get('/v1/events');
  is $answer->status, 200, 'requests are answered';
  my $session = answer_is($client->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $organization->{workflow_id}}), 201);
  ok $receiver->wait_for_request(sub { ($_[0]{event}{data}{object}{id} // '') eq $session->{id} }),
    'webhooks are delivered';
};

finish $service;
