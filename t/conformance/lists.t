# "List endpoints use cursor pagination": the same rules on every list.
use v5.32;
use warnings;
use Verify::Conformance;
use Verify::Participant;
use Verify::Specimen;

my $service = Verify::Instance->start(conf => "VerifyTestIssuers on\n");
my ($source, $target) = map { participant($service) } 1 .. 2;
my $other = participant($service);
my $client = $target->{client};
my ($sessions, $endpoints) = ('/v1/verification_sessions', '/v1/webhook_endpoints');

sub endpoint { answer_is($_[0]{client}->post($endpoints, {url => 'https://127.0.0.1:1/',
  enabled_events => ['*']}), 201)->{id} }
my $endpoint = endpoint($target);
$client->post("$endpoints/" . endpoint($target), {status => 'disabled'}) for 1 .. 12;
my ($shared) = verify_sharing($service, $source, email => 'shared@example.com');
is create_session($target, email => 'shared@example.com')->json->{status}, 'verified',
  'a grant';
create_session($target, client => $client) for 1 .. 13;
my ($cancelled) = (identities($client->get($sessions)->json))[5];
answer_is($client->post("$sessions/$cancelled/cancel"), 200);
# More grants than a page, without as many persons.
$service->sql(<<'SQL');
INSERT INTO trust_reuse_grant SELECT (jsonb_populate_record(g, jsonb_build_object('id',
  left(g.id, -2) || lpad(i::text, 2, '0'), 'verified_person_id',
  left(g.verified_person_id, -2) || lpad(i::text, 2, '0')))).*
  FROM trust_reuse_grant g, generate_series(10, 21) i
SQL

my %lists = ($sessions => 'vks', '/v1/events' => 'evt', $endpoints => 'we',
  "$endpoints/$endpoint/deliveries" => 'whd', '/v1/trust_reuse/grants' => 'trg');
for my $path (sort keys %lists) {
  my $name = $path =~ s/we_\w+/{id}/r;
  my $ask = sub { $client->get($path . ($_[0] ? "?$_[0]" : '')) };
  my $ids = sub { [identities(answer_is($ask->($_[0]), 200, $_[0])) ] };

  subtest "GET $name: pages" => sub {
    my @all = @{$ids->('limit=100')};
    cmp_ok scalar(@all), '>', 11, 'more than a page';
    my $first = answer_is($ask->(), 200);
    shape_is($first, {object => ['list'], url => [$path], has_more => [$true],
      data => 'array', 'total_count?' => 'integer'}, 'the envelope');
    is_deeply [identities($first)], [@all[0 .. 9]], 'default 10, newest first';
    is_deeply $ids->('limit=1'), [$all[0]], 'limit 1';
    my @created = map { $_->{created} // () } @{$ask->('limit=100')->json->{data}};
    is_deeply \@created, [sort { $b <=> $a } @created], 'by creation';
    is_deeply $ids->("starting_after=$all[3]&limit=2"), [@all[4, 5]],
      'starting_after: the older records that follow it';
    is_deeply $ids->("ending_before=$all[7]&limit=2"), [@all[5, 6]],
      'ending_before: the newer records that precede it';
    is_deeply $ids->("ending_before=$all[0]"), [], 'nothing is newer than the newest';
    is_deeply $ids->("starting_after=$all[-1]"), [], 'nothing older than the oldest';
    is $ask->("$_->[0]=$all[$_->[1]]&limit=2")->json->{has_more}, $_->[2] ? $true : $false,
      "has_more: $_->[0] $_->[1]" for ['starting_after', -4, 1], ['starting_after', -3, 0],
      ['starting_after', -1, 0], ['ending_before', 3, 1], ['ending_before', 2, 0],
      ['ending_before', 0, 0];
    is $ask->("limit=" . @all)->json->{has_more}, $false, 'has_more: exactly all';
    is $ask->("limit=" . (@all - 1))->json->{has_more}, $true, 'has_more: but one';
    pages_are($client, $path, 4, @all);
  };

  subtest "GET $name: parameters" => sub {
    my $refused = sub { error_is($ask->($_[0]), 400, 'parameter_invalid', $_[1],
      "?$_[0]") };
    $refused->("limit=$_", 'limit') for 0, 101, -1, 'abc', '', '1.0', '1e1', '%2B1',
      '%201', '1%20', '0x1', 99999999999999999999, 'true', '10,20', "%D9%A1";
    answer_is($ask->("limit=$_"), 200, "limit=$_") for 1, 2, 99, 100;
    $refused->($_, 'limit') for 'limit=1&limit=2', 'limit=1&limit=1', 'limit[]=1';
    my @all = @{$ids->('')};
    my $body = $ask->("starting_after=$all[1]&ending_before=$all[5]");
    error_is($body, 400, 'parameter_invalid', 'ending_before', 'both cursors');
    error_is($ask->("ending_before=$all[5]&starting_after=$all[1]"), 400,
      'parameter_invalid', $body->error->{param}, 'in whichever order');
    my $unknown = "$lists{$path}_" . '0' x 26;
    for my $cursor (qw(starting_after ending_before)) {
      $refused->("$cursor=$_", $cursor) for '', 'x', 'null', $all[0] . 'x',
        substr($all[0], 0, -1), uc $all[0], 'xyz_' . '0' x 26, "%20$all[0]", 'c' x 100;
      my @answers = map { $ask->("$cursor=$_") } $unknown, map { $_->{client}->get(
        $sessions)->json->{data}[0]{id} // () } $other;
      like $_->status, qr/\A(?:200|400)\z/, "$cursor unknown: " . $_->status for @answers;
    }
    $refused->("$_=1", $_) for qw(page offset cursor before after order sort Limit
      starting_After);
  };
}

subtest 'cursors with filters: a place in the list, whatever it is filtered by' => sub {
  my @all = identities($client->get("$sessions?limit=100")->json);
  my @open = grep { $_ ne $cancelled && $_ ne $all[-1] } @all;
  pages_are($client, "$sessions?status=created", 3, @open);
  my $ask = sub { [identities(answer_is($client->get("$sessions?limit=3&$_[0]"), 200))] };
  is_deeply $ask->("status=created&starting_after=$cancelled"), [@all[6 .. 8]],
    'a cursor that the filter leaves out';
  is_deeply $ask->("status=created&ending_before=$cancelled"), [@all[2 .. 4]],
    'from the other side';
  is_deeply $ask->("status=cancelled&starting_after=$all[0]"), [$cancelled], 'after';
  is_deeply $ask->("status=cancelled&starting_after=$all[9]"), [], 'behind it';
  is_deeply $ask->("status=cancelled&ending_before=$all[9]"), [$cancelled], 'before';
  my $of = sub { [map { $_->{data}{object}{id} } @{answer_is($client->get(
    "/v1/events?limit=100&$_[0]"), 200)->{data}}] };
  my ($event) = identities($client->get("/v1/events?object_id=$cancelled"
    . '&type=verification_session.cancelled')->json);
  is_deeply $of->("type=verification_session.created&starting_after=$event"),
    $of->('type=verification_session.created'),
    'events after an event of another type';
  my $scoped = $target->{app};
  is $scoped->get("$sessions?starting_after=$all[2]")->status,
    $scoped->get("$sessions?starting_after=vks_" . '0' x 26)->status,
    'an application\'s cursor is one of its own';
};

finish($service);
