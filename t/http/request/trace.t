# Traces of requests: the caller's, or one that begins here, in lines of the error
# log and in spans, by the files of conf/monitoring as they are; and these files
# against what the service counts.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use JSON::PP ();
use Verify::Test;

my $json = JSON::PP->new->utf8;
my $directory = abs_path("$FindBin::Bin/../../../conf/monitoring");
my $service = Verify::Instance->start(start => 0);
my $spans = "$service->{directory}/logs/spans.jsonl";
$service->{conf} = <<"CONF";
Define VERIFY_SPAN_LOG "$spans"
Include "$directory/spans.conf"
CONF
$service->start_httpd;
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $client = $organization->{client};
my $trace = '0af7651916cd43dd8448eb211c80319c';
my $parent = 'b7ad6b7169203331';
my $list = '/v1/verification_sessions';

sub spans { return map { $json->decode($_) } split /\n/,
  Verify::Instance::read_text($spans) }
# The span of the request with this id.
sub span_of {
  my ($answer) = @_;
  my $id = $answer->header('X-Request-Id');
  my $found = wait_for { (grep { $_->{'verify.request_id'} eq $id } map {
    my $span = $_->{resourceSpans}[0]{scopeSpans}[0]{spans}[0];
    +{%$span, map { my ($value) = values %{$_->{value}}; $_->{key} => $value }
      @{$span->{attributes}}} } spans())[0] } 5;
  return $found // {};
}
sub ask { $client->get($list, defined $_[0] ? (traceparent => $_[0]) : ()) }

subtest 'the trace of a caller' => sub {
  my $answer = ask("00-$trace-$parent-01");
  my $span = span_of($answer);
  is $span->{traceId}, $trace, 'is the one of the span';
  is $span->{parentSpanId}, $parent, 'below the one of the caller';
  like $span->{spanId}, qr/\A(?!0{16})[0-9a-f]{16}\z/, 'with a number of its own';
  isnt $span->{spanId}, $parent, 'another one';
  is $span->{name}, "GET $list", 'its name is the route';
  is $span->{'http.response.status_code'}, 200, 'with the status';
  like "$span->{startTimeUnixNano} $span->{endTimeUnixNano}",
    qr/\A[0-9]{19} [0-9]{19}\z/, 'and times';
  cmp_ok $span->{startTimeUnixNano}, '<=', $span->{endTimeUnixNano}, 'in order';
  $answer = $client->get("$list/vks_0000000000000000000000000a",
    traceparent => "00-$trace-$parent-03");
  is span_of($answer)->{'http.route'}, "$list/:id", 'no id is in a name';
  my $later = span_of(ask("cc-$trace-$parent-01-what.comes"));
  is $later->{traceId}, $trace, 'a later version of the header';
};

subtest 'no trace, or none that can be believed' => sub {
  my %seen;
  my $bad = ("00-$trace-$parent-01" =~ s/7/G/r);
  for my $header (undef, '', 'x', $bad, uc "00-$trace-$parent-01",
    "00-" . ('0' x 32) . "-$parent-01", "00-$trace-" . ('0' x 16) . '-01',
    "ff-$trace-$parent-01", "00-$trace-$parent-01-more", "00-$trace-$parent-0",
    "00-$trace-$parent-01,00-$trace-$parent-01", "00-$trace-${parent}0-1",
    '00-' . ('a' x 5000)) {
    my $span = span_of(ask($header));
    ok +($span->{traceId} // '') =~ /\A[0-9a-f]{32}\z/ && $span->{traceId} ne $trace
      && !$seen{$span->{traceId}}++ && $span->{parentSpanId} eq '',
      'begins one: ' . substr $header // 'none', 0, 60
      or diag $json->encode($span);
  }
};

subtest 'what the caller does not want recorded' => sub {
  my $unrecorded = ask("00-$trace-$parent-00")->header('X-Request-Id');
  span_of(ask("00-$trace-$parent-01"));
  unlike Verify::Instance::read_text($spans), qr/$unrecorded/, 'has no span';
};

subtest 'figures' => sub {
  my $metrics = $service->client->request('GET', '/metrics', {})->body;
  my %is_there = map { $_ => 1 } $metrics =~ /^# TYPE (\w+)/mg;
  for my $file (qw(alerts.yml grafana.json)) {
    my $text = Verify::Instance::read_text("$directory/$file");
    my @strange = grep { !$is_there{s/_bucket\z//r} } $text =~ /\b(verify_\w+)/g;
    is "@strange", '', "$file has none that there is not";
  }
  my ($status) = $metrics =~ /^verify_requests_total\{[^}]*status="(\w+)"/m;
  like $status, qr/\A[2-5]xx\z/, 'the classes of status are those of the files';
  ok $json->decode(Verify::Instance::read_text("$directory/grafana.json")), 'JSON';
  SKIP: {
    skip 'promtool is not on this machine (Debian: prometheus)', 2
      if system('promtool --version >/dev/null 2>&1') != 0;
    my $said = `cd $directory && promtool check rules alerts.yml 2>&1`;
    is $?, 0, 'promtool takes the rules' or diag $said;
    $said = `cd $directory && promtool test rules alerts_test.yml 2>&1`;
    is $?, 0, 'and they alert' or diag $said;
  }
};

# Last, since it changes the form of the error log, by which tests judge it.
subtest 'the error log as JSON' => sub {
  $service->stop_httpd;
  my $log = "$service->{directory}/logs/error.json";
  $service->{conf} = <<"CONF";
ErrorLog "$log"
Include "$directory/json-errors.conf"
LogLevel verify:info
VerifyTestIssuers on
CONF
  $service->start_httpd;
  my @lines = map { $json->decode($_) } split /\n/, Verify::Instance::read_text($log);
  ok @lines > 1, 'every line is JSON';
  ok scalar(grep { $_->{message} =~ /\AIDV0174/ && $_->{level} } @lines),
    'with the tag at the beginning of its message';
  $service->sql('ALTER TABLE event RENAME TO gone');
  my $answer = $client->get('/v1/events', traceparent => "00-$trace-$parent-01");
  is $answer->status, 500, 'an error';
  my ($line) = grep { $_->{request} eq $answer->header('X-Request-Id') }
    map { $json->decode($_) } split /\n/, Verify::Instance::read_text($log);
  is $line->{trace}, $trace, 'is in the trace';
  like $line->{message}, qr/\AIDV0020/, 'with its tag';
  $service->sql('ALTER TABLE gone RENAME TO event');
};

finish $service;
