# Retrieving, listing and cancelling verification sessions.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Test;

my $service = Verify::Instance->start;
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $client = $organization->{client};
my $other = $service->organization(sandbox => 1, workflow => 1);

sub create {
  my (%parameters) = @_;
  my $answer = $client->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US',
    %parameters});
  return $answer->json // die $answer->body;
}
sub ids { return [map { $_->{id} } @{$_[0]{data}}] }

my @sessions = map { create(client_reference_id => "order-$_") } 1 .. 25;
my @newest_first = map { $_->{id} } reverse @sessions;

subtest 'retrieving' => sub {
  my $answer = $client->get("/v1/verification_sessions/$sessions[0]{id}");
  is $answer->status, 200, 'status';
  my %shown = (%{$sessions[0]}, client_secret => undef);
  delete $shown{url}; # the secret is in it
  is_deeply $answer->json, \%shown, 'as created, but for the secret';
  my $expanded = $client->get(
    "/v1/verification_sessions/$sessions[0]{id}?expand[]=results");
  is ref $expanded->json->{results}, 'ARRAY', 'results are an array';
  for my $list ('expand[0]=results', 'expand%5B0%5D=results') {
    is_deeply answer_is($client->get(
      "/v1/verification_sessions/$sessions[0]{id}?$list"), 200, $list),
      $expanded->json, 'the same as expand[]';
  }
  is $client->get("/v1/verification_sessions/$sessions[0]{id}?expand[]=workflow")
    ->json->{workflow_id}, $organization->{workflow_id}, 'the workflow, if asked for';
  my $wrong = $client->get("/v1/verification_sessions/$sessions[0]{id}?expand[]=magic");
  is $wrong->error->{param}, 'expand[0]', 'an unknown expansion is refused';
  is $client->get("/v1/verification_sessions/$sessions[0]{id}?limit=1")
    ->error->{param}, 'limit', 'so is an unknown parameter';
};

subtest 'what is not there' => sub {
  my @missing = ('vks_00000000000000000000000000', 'vks_1', 'magic',
    create()->{id} . '0');
  for my $id (@missing) {
    my $answer = $client->get("/v1/verification_sessions/$id");
    is $answer->status, 404, 'not found';
    is $answer->error->{code}, 'session_not_found', 'session_not_found';
  }
  my $unknown = $client->get("/v1/verification_sessions/$missing[0]");
  my $foreign = $other->{client}->get("/v1/verification_sessions/$sessions[0]{id}");
  delete $_->json->{error}{request_id} for $unknown, $foreign;
  is_deeply $foreign->json, $unknown->json, 'a foreign id is an unknown one';
};

subtest 'pages' => sub {
  my $first = $client->get('/v1/verification_sessions?limit=100')->json;
  is $first->{object}, 'list', 'object';
  is $first->{url}, '/v1/verification_sessions', 'url';
  ok !$first->{has_more}, 'all on one page';
  is_deeply [grep { $_ ne $first->{data}[0]{id} } @{ids($first)}],
    \@newest_first, 'newest first';
  is $_->{client_secret}, undef, 'no secret' for $first->{data}[0];

  is scalar @{$client->get('/v1/verification_sessions')->json->{data}}, 10,
    'ten by default';
  my $expanded = answer_is $client->get('/v1/verification_sessions?expand[]=workflow'), 200;
  is_deeply [map { delete $_->{workflow_id} } @{$expanded->{data}}],
    [($organization->{workflow_id}) x 10], 'each with its workflow, if asked for';
  is_deeply $expanded, $client->get('/v1/verification_sessions')->json, 'nothing else changes';
  is $client->get('/v1/verification_sessions?expand[]=results')->error->{param},
    'expand[0]', 'a list has no results';
  my @seen;
  my $page = $client->get('/v1/verification_sessions?limit=7')->json;
  while (1) {
    push @seen, @{ids($page)};
    last unless $page->{has_more};
    create() if @seen == 14; # what comes meanwhile shifts nothing
    $page = $client->get(
      "/v1/verification_sessions?limit=7&starting_after=$seen[-1]")->json;
  }
  is scalar @seen, 26, 'every session once';
  my %count;
  ok !(grep { $count{$_}++ } @seen), 'none twice';

  my $back = $client->get(
    "/v1/verification_sessions?limit=5&ending_before=$seen[20]")->json;
  is_deeply ids($back), [@seen[15 .. 19]], 'upwards: the ones next to the cursor';
  ok $back->{has_more}, 'and more above';
  is_deeply ids($client->get('/v1/verification_sessions?limit=5'
      . '&starting_after=vks_00000000000000000000000000')->json), [],
    'a cursor need not exist';
};

subtest 'filters' => sub {
  is_deeply ids($client->get('/v1/verification_sessions?client_reference_id=order-7')
    ->json), [$sessions[6]{id}], 'client_reference_id';
  is_deeply ids($client->get('/v1/verification_sessions?search=ORDER-1&limit=100')
    ->json), [map { $sessions[$_ - 1]{id} } reverse 1, 10 .. 19],
    'search ignores case';
  is_deeply ids($client->get('/v1/verification_sessions?search=r%25-1')->json), [],
    'and knows no wildcards';
  is_deeply ids($client->get('/v1/verification_sessions?search='
    . uc $sessions[3]{id})->json), [$sessions[3]{id}], 'searches ids';
  is_deeply ids($client->get("/v1/verification_sessions?search=$_")->json),
    [$sessions[3]{id}], "by $_"
    for $sessions[3]{id}, substr $sessions[3]{id}, 4;
  for (qw(v vks VKS_ o Or Ord rder-)) {
    my %found = map { $_ => 1 }
      @{ids($client->get("/v1/verification_sessions?search=$_&limit=100")->json)};
    ok !(grep { !$found{$_->{id}} } @sessions), "all by $_";
  }
  is_deeply ids($client->get("/v1/verification_sessions?search=$_")->json), [],
    "none by $_" for qw(%25 %C3%BC vks_order _ rd), substr $sessions[3]{id}, 8;
  is_deeply ids($client->get('/v1/verification_sessions?status=verified')->json),
    [], 'status';
  is_deeply ids($client->get('/v1/verification_sessions?risk_tier=bot')->json),
    [], 'risk_tier';
  my $list = '/v1/verification_sessions?limit=100';
  my $all = ids($client->get($list)->json);
  my $workflow = $sessions[0]{workflow_id} // $organization->{workflow_id};
  is_deeply ids($client->get("$list&workflow_id=$workflow")->json), $all, 'workflow_id';
  is_deeply ids($client->get("$list&workflow_id=wf_none")->json), [], 'of none';
  my $from = $sessions[0]{created};
  is_deeply ids($client->get("$list&created_gte=$from")->json), $all, 'created_gte';
  for my $query ("created_lt=$from", 'created_gte=' . (time + 60), 'created_lt=0') {
    is_deeply ids($client->get("$list&$query$_")->json), [], "$query$_"
      for '', "&workflow_id=$workflow", '&status=created', '&search=order';
  }
};

subtest 'refused parameters' => sub {
  my %param = ('limit=0' => 'limit', 'limit=101' => 'limit', 'limit=x' => 'limit',
    'limit=' => 'limit', 'status=done' => 'status', 'risk_tier=high' => 'risk_tier',
    'starting_after=x' => 'starting_after', 'sort=asc' => 'sort',
    'starting_after=' . $sessions[0]{id} . '&ending_before=' . $sessions[1]{id}
      => 'ending_before', 'limit=1&limit=2' => 'limit', 'search=%00' => 'search',
    'workflow_id=x' => 'workflow_id', 'created_gte=-1' => 'created_gte',
    'search=%ff' => 'search');
  for my $query (sort keys %param) {
    my $answer = $client->get("/v1/verification_sessions?$query");
    is $answer->status, 400, $query;
    is $answer->error->{code}, 'parameter_invalid', "$query: code";
    is $answer->error->{param}, $param{$query}, "$query: param";
  }
};

subtest 'cancelling' => sub {
  my $id = $sessions[0]{id};
  my $answer = $client->post("/v1/verification_sessions/$id/cancel", undef);
  is $answer->status, 200, 'status' or diag $answer->body;
  my $cancelled = $answer->json;
  is $cancelled->{status}, 'cancelled', 'cancelled';
  ok $cancelled->{cancelled_at} >= $cancelled->{created}, 'cancelled_at';
  is $cancelled->{client_secret}, undef, 'no secret';
  my $again = $client->post("/v1/verification_sessions/$id/cancel", undef);
  is $again->status, 200, 'again: 200';
  is_deeply $again->json, $cancelled, 'again: unchanged';
  is $service->sql_value('SELECT count(*) FROM event WHERE object_id = ?
    AND type = ?', $id, 'verification_session.cancelled'), 1, 'one event';
  is $other->{client}->post("/v1/verification_sessions/$sessions[1]{id}/cancel",
    undef)->error->{code}, 'session_not_found', 'not a foreign one';
  my $verified = create(skip_verification => JSON::PP::true);
  my $late = $client->post("/v1/verification_sessions/$verified->{id}/cancel", undef);
  is $late->status, 409, 'an ended session is a conflict';
  is $late->error->{code}, 'session_terminal', 'session_terminal';
};

finish($service);
