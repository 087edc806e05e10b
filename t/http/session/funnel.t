# How the sessions of a day went, and how far each method brought people: what the
# dashboard and verifyctl count.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use JSON::PP ();
use Verify::Dashboard;
use Verify::Test;

my ($yes, $no) = (JSON::PP::true, JSON::PP::false);
my $service = Verify::Instance->start(start => 0);
my $shop = $service->organization(sandbox => 1);
my $other = $service->organization(sandbox => 1, workflow => 1);
my $dashboard = Verify::Dashboard->prepare($service, olga => "auditor $shop->{id}");
$service->start_httpd;
my $olga = $dashboard->client('olga');
my $place = "/dashboard/v1/organizations/$shop->{id}/funnel";
sub funnel { answer_is($olga->get($place . ($_[0] // '')), 200, $_[1]) }
sub method { my ($name, $of) = @_; (grep { $_->{method} eq $name } @{$of->{methods}})[0] }

my %both = (name => 'Either', start => 'screen', nodes => {
  screen => {type => 'checks', checks => ['ip_analysis'],
    next => {map { $_ => 'id' } qw(low medium high)}},
  id => {type => 'methods', methods => ['document_capture', 'nfc_passport'],
    max_attempts => 2, next => {passed => 'yes', exhausted => 'no'}},
  yes => {type => 'outcome', status => 'verified'},
  no => {type => 'outcome', status => 'failed'}});
my $workflow = $service->publish($shop->{id}, \%both)->{id};
sub session {
  my (@values) = @_;
  my $session = answer_is($shop->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $workflow, jurisdiction => 'US-CA'}), 201, 'a session');
  answer_is($shop->{client}->post("/v1/verification_sessions/$session->{id}/test_outcome",
    {value => $_, method => 'document_capture'}), 200, $_) for @values;
  return $session->{id};
}

subtest 'of none' => sub {
  my $empty = funnel('', 'before there is a session');
  is_deeply [@$empty{qw(object sessions live is_whole methods)}], ['funnel', 0, 0, $yes, []],
    'nothing';
  is $empty->{created_gte} % 86_400, 0, 'of the day of UTC';
};

my @all = (session(), session('document_expired'), session('document_expired', 'passed'),
  session('passed'), session('document_expired', 'document_expired'),
  session('undetermined'));
$shop->{client}->post("/v1/verification_sessions/$all[0]/cancel", {});
answer_is($other->{client}->post('/v1/verification_sessions', {type => 'age',
  workflow_id => $other->{workflow_id}, jurisdiction => 'US-CA'}), 201, 'of somebody else');

subtest 'of a few' => sub {
  my $few = funnel();
  is_deeply [@$few{qw(sessions live verified failed abandoned under_review is_whole)}],
    [6, 0, 2, 1, 1, 1, $yes], 'how they ended';
  is $few->{begun}, 5, 'how many were begun';
  my $document = method('document_capture', $few);
  is_deeply [@$document{qw(offered begun passed)}], [6, 5, 2],
    'a session counts once, however often it was tried';
  like $document->{median_seconds}, qr/\A\d\z/, '... and took seconds';
  is_deeply method('nfc_passport', $few), {method => 'nfc_passport', offered => 6, begun => 0,
    passed => 0, median_seconds => undef}, 'what nobody took';
  is method('ip_analysis', $few), undef, 'a passive check is no method';
  my $since = $service->sql_value('SELECT created_at / 1000 FROM verification_session
    WHERE id = ?', $all[0]);
  is funnel("?created_gte=$since")->{sessions}, 6, 'since a moment';
  is funnel('?created_gte=' . (time + 60))->{sessions}, 0, 'in which nothing has come yet';
  my $told = $service->verifyctl(qw(session funnel --org), $shop->{id}, '--since', $since);
  is_deeply $told, {map { $_ => funnel("?created_gte=$since")->{$_} } keys %$told},
    'verifyctl counts the same';
  error_is $olga->get("$place?created_gte=$_"), 400, 'parameter_invalid', 'created_gte', $_
    for 'yesterday', -1;
  error_is $olga->get("/dashboard/v1/organizations/$other->{id}/funnel"), 403,
    'operator_role_required', undef, 'of others nothing is told';
};

subtest 'per interval, place and issuer' => sub {
  my $from = time - 5 * 3600 + 60;
  my $hours = funnel("?interval=3600&created_gte=$from");
  is scalar @{$hours->{intervals}}, 5, 'five hours';
  is $hours->{intervals}[0]{start}, $from, 'from the beginning on';
  is_deeply [map { $_->{sessions} } @{$hours->{intervals}}], [0, 0, 0, 0, 6], 'in the last one';
  is $hours->{intervals}[4]{total}, 6, 'all of them';
  is_deeply [map { $_->{begun} } @{$hours->{intervals}}, @{$hours->{jurisdictions}}],
    [0, 0, 0, 0, 5, 5], 'those that were begun';
  is_deeply [map { $_->{verified} } $hours, @{$hours->{intervals}}], [2, 0, 0, 0, 0, 2],
    'the parts are the whole';
  is $hours->{intervals}[0]{median_seconds}, undef, 'none took any time';
  like $hours->{median_seconds}, qr/\A\d\z/, 'those verified took seconds';
  is_deeply [map { [@$_{qw(jurisdiction sessions verified)}] } @{$hours->{jurisdictions}}],
    [['US-CA', 6, 2]], 'by place';
  my ($none) = grep { !defined $_->{jurisdiction} } @{$hours->{documents}};
  ok $none->{sessions} >= 1, 'sessions of which no document was read';
  is_deeply [map { [@$_{'kind', 'sessions'}] } @{$hours->{document_kinds}}], [[undef, 6]],
    'simulated outcomes have no document';
  is_deeply [map { [@$_{'browser', 'sessions'}] } @{$hours->{browsers}}], [[undef, 6]],
    'and no browser';
  my $whole = funnel();
  is_deeply [map { $_->{sessions} } @{$whole->{intervals}}], [6], 'one interval by default';
  error_is $olga->get("$place?interval=3600&created_gte=" . ($from - 100 * 3600)), 400,
    'parameter_invalid', 'interval', 'too many';
  error_is $olga->get("$place?interval=60"), 400, 'parameter_invalid', 'interval', 'too short';
  my @cli = (qw(session funnel --org), $shop->{id}, '--hours', 24);
  is_deeply [map { $_->{total} } @{$service->verifyctl(@cli)->{intervals}}], [6],
    'verifyctl counts the same';
};

subtest 'what verified without a method' => sub {
  is_deeply funnel()->{paths}, [], 'none';
  my @given = (type => 'age', jurisdiction => 'US-CA', workflow_id => $service->publish($shop->{id},
    {name => 'Hold', start => 'screen', nodes => {
      screen => {type => 'checks', checks => ['ip_analysis'],
        next => {map { $_ => 'id' } qw(low medium high)}},
      id => {type => 'methods', methods => ['document_capture'], max_attempts => 1,
        next => {passed => 'yes', exhausted => 'hold'}},
      hold => {type => 'review', next => {approved => 'yes', rejected => 'no'}},
      yes => {type => 'outcome', status => 'verified'},
      no => {type => 'outcome', status => 'failed'}}})->{id});
  my @made = map { answer_is($shop->{client}->post('/v1/verification_sessions', {@given,
    skip_verification => $_}), 201)->{id} } $yes, $yes, $no;
  answer_is $shop->{client}->post("/v1/verification_sessions/$made[2]/test_outcome",
    {value => 'document_expired'}), 200, 'not passed';
  $service->verifyctl(qw(review decide), $made[2], qw(approve --by reviewer));
  my $funnel = funnel();
  is_deeply $funnel->{paths}, [{path => 'sandbox', verified => 2}, {path => undef, verified => 1}],
    'simulated ones, and one by a reviewer';
  my $sum = 0;
  $sum += $_ for map({ $_->{passed} } @{$funnel->{methods}}), map { $_->{verified} } @{$funnel->{paths}};
  is $sum, $funnel->{verified}, 'with those that passed a method, they are the verified ones';
};

subtest 'of more than are looked at' => sub {
  $service->sql(q{UPDATE verification_session SET livemode = true WHERE id = ?}, $all[1]);
  is funnel()->{live}, 1, 'those that are no sandbox\'s';
  $service->sql(q{INSERT INTO verification_session (organization_id, id, workflow_id,
    workflow_version_id, livemode, revision, status, type, methods, metadata, created_at,
    updated_at, expires_at, runner, client_secret_digest)
    SELECT organization_id, left(id, 14) || lpad(i::text, 16, '0'), workflow_id,
      workflow_version_id, false, 1, 'expired', type, methods, '{}', created_at,
      updated_at, expires_at, runner, ''
    FROM verification_session, generate_series(1, 5000) i WHERE id = ?}, $all[0]);
  my $many = funnel();
  is_deeply [@$many{qw(sessions is_whole)}], [5000, $no], 'the newest are counted';
  is $many->{intervals}[0]{total}, 5009, 'and all in the total';
  my $days = funnel('?interval=86400&created_gte=' . (time - 9 * 86_400 + 60));
  is_deeply [@$days{qw(sessions is_whole)}], [5000 / 9 | 0, $no], 'each day has its share';
  is $days->{intervals}[8]{total}, 5009, 'and its total';
};

finish($service);
