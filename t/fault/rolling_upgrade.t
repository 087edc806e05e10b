# An upgrade that nobody notices: two nodes of an older release, whose database is
# migrated while both serve, of which one after the other becomes the release of
# now. What customers ask for meanwhile is done, at whichever node they ask; older
# and newer read each other's sessions, answers, secrets and queues.
#
# The older release is built from the repository's history; Verify::Release says which
# commit stands for it. What lies between the two is several migrations, as between
# releases, and none of them may take away what the older one uses
# (conf/manual/upgrade.md).
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Load;
use Verify::Release;
use Verify::Test;

my $release = Verify::Release::before();
my $tree = Verify::Release::tree($release->{commit});
plan skip_all => Verify::Release::reason() unless $tree;
note "the older release is $release->{commit}";

my $path = '/v1/verification_sessions';
# Customers' servers ask as fast as they are answered: how often is not the question.
my $often = "VerifyRateLimit secret 1000000\n";
my $first = Verify::Instance->start(tree => $tree, conf => $often);
my $second = Verify::Instance->start(tree => $tree, beside => $first, start => 0);
$second->{conf} = "${often}VerifyWebhookCAFile $first->{directory}/tls/ca.pem\n";
$second->start_httpd;
sub version { $first->sql_value('SELECT max(version) FROM schema_migration') }
my $before = version();
is $before, $release->{schema} // $before, "whose schema is $before";
my $organization = $first->organization(workflow => 1);
# Hundreds of its sessions are under way at once (VerifyCreditOverdraft).
$first->sql('UPDATE organization SET free_allotment = 100000 WHERE id = ?',
  $organization->{id});
my $receiver = $first->receiver;
# As of the older release until said otherwise.
my ($at_first, $at_second) = my @clients =
  map { $_->client($organization->{secret_key}, older => 1) } $first, $second;
sub endpoint {
  my ($client, $way) = @_;
  my $endpoint = answer_is $client->with->post('/v1/webhook_endpoints',
    {url => $receiver->url($way), enabled_events => ['*']}), 201, "an endpoint, $way";
  $receiver->expect_secret($way, $endpoint->{secret});
}
endpoint($at_first, '/of-older');
my %age = (type => 'age', workflow_id => $organization->{workflow_id},
  jurisdiction => 'US-CA');
my $load = Verify::Load->start(\@clients, \%age);
ok $load->reaches(10, 0, 1), 'two nodes of an older release serve';

# --- the schema, while both serve ---

delete $first->{tree};
my $applied = $first->verifyctl('migrate')->{applied};
cmp_ok scalar @$applied, '>=', 1, 'the schema becomes newer: ' . @$applied . ' migrations';
cmp_ok version(), '>', $before, "than $before";
ok $load->reaches(10, 0, 1), 'both of the older release go on with it';
is_deeply [map { $_->with->get('/v1/health/ready')->status } @clients], [200, 200],
  'and are ready';

# --- one node of each ---

# As the guide has it, and the other one by a stop, as a new machine has it.
sub openapi { $_[0]->with->get('/v1/openapi.json')->body // '' }
my $older_description = openapi($at_first);
delete $second->{tree};
# What the older start had written down for its places stays until a real start.
$second->allow_log(qr/AH00513|ServerLimit/);
$second->graceful;
$at_second = $second->client($organization->{secret_key});
my $is_newer = &wait_for(sub { openapi($at_second) ne $older_description }, 60);
ok $is_newer, 'one becomes the newer, gracefully';
ok $load->reaches(10, 0, 1), 'an older and a newer node serve';
is openapi($at_first), $older_description, 'the other is what it was';

# What the older one says of an object, the newer one says too; it may say more.
sub differences {
  my ($older, $newer, $where) = @_;
  if (ref $older eq 'HASH' && ref $newer eq 'HASH') {
    return map { differences($older->{$_}, $newer->{$_}, "$where/$_") } sort keys %$older;
  }
  my $json = JSON::PP->new->canonical->allow_nonref;
  my ($one, $other) = map { $json->encode($_) } $older, $newer;
  return $one eq $other ? () : "$where: $one, $other";
}
my ($older, $newer) = ($at_first->with, $at_second->with);
for my $case (['the older', $older, $newer], ['the newer', $newer, $older]) {
  my ($who, $here, $there) = @$case;
  subtest "what $who begins" => sub {
    my @asked = ({%age, client_reference_id => 'order-1', metadata => {shop => 'a'}},
      'Idempotency-Key' => "same-$who");
    my $session = answer_is $here->post($path, @asked), 201, 'a session';
    my $again = answer_is $there->post($path, @asked), 201, 'asked again at the other';
    is_deeply [differences($session, $again, '')], [], 'is the one of before';
    my @told = map { $_->get("$path/$session->{id}")->json } $older, $newer;
    is_deeply [differences(@told, '')], [], 'both tell the same of it';
    is answer_is($there->post("$path/$session->{id}/cancel", {}), 200,
      'the other cancels it')->{status}, 'cancelled', 'with success';
    is $here->get("$path/$session->{id}")->json->{status}, 'cancelled',
      'which is known here';
    my $timed = answer_is $here->post($path, \%age), 201, 'one that waits';
    $first->sql('UPDATE verification_session SET expires_at = 1000 WHERE id = ?',
      $timed->{id});
    ok wait_for { $there->get("$path/$timed->{id}")->json->{status} eq 'expired' },
      'expires';
  };
}
endpoint($at_second, '/of-newer');
my $newest = $first->publish($organization->{id}, 1);
my $of_newest = answer_is $older->post($path, {%age, workflow_id => $newest->{id}}), 201,
  'the older one begins sessions of a workflow that the newer tools have published';

# A session is led to its end by the nodes in turn.
subtest 'a person meets both' => sub {
  my $sandbox = $first->organization(sandbox => 1, workflow => 1);
  my $session = answer_is $first->client($sandbox->{secret_key}, older => 1)
    ->post($path, {%age, workflow_id => $sandbox->{workflow_id}}), 201,
    'a session of the older';
  my @persons = ($second->client($session->{client_secret}),
    $first->client($session->{client_secret}, older => 1));
  my $widget = "/v1/widget/sessions/$session->{id}";
  is $persons[0]->post("$widget/open", {})->status, 200, 'is opened at the newer';
  is $persons[1]->post("$widget/consent", {consent => JSON::PP::true})->status, 200,
    'consents at the older';
  is $persons[0]->get($widget)->status, 200, 'and goes on at the newer';
};

# Each of the two watchdogs may have to sign what the other's node has queued.
ok $load->reaches(10, 0, 1), 'all the while customers are served';

# --- both newer ---

# A connection that comes while httpd closes its poll sets.
$first->allow_log(qr/AH10503: process_socket: apr_pollset_add failure/);
$first->stop_httpd;
$first->start_httpd;
$at_first = $first->client($organization->{secret_key});
ok $load->reaches(10, 0, 1), 'two nodes of the release of now serve';
is $load->end, '', 'every request was answered in the end, with success';

my @answered = $load->answered;
my %there;
push @{$there{$_->{client_reference_id}}}, $_->{id} for @{$first->sql(
  q{SELECT client_reference_id, id FROM verification_session
    WHERE client_reference_id LIKE 'load-%'})};
is_deeply [grep { ($there{$_->{name}}[0] // '') ne $_->{id} } @answered], [],
  'each of ' . @answered . ' sessions that were answered is there';
is_deeply [grep { @{$there{$_}} != 1 } sort keys %there], [], 'once';
my $settled = &wait_for(sub { !$first->sql_value(
  "SELECT count(*) FROM webhook_delivery WHERE status <> 'delivered'") }, 60);
ok $settled, 'every delivery is settled';
my (%came, %faults);
for my $request ($receiver->requests) {
  $came{$request->{path}}{$request->{event}{id}} = 1;
  $faults{$request->{fault}}++ if $request->{fault};
}
my @queued = @{$first->sql(q{SELECT d.event_id, e.url FROM webhook_delivery d
  JOIN webhook_endpoint e ON e.id = d.webhook_endpoint_id})};
is_deeply [grep { !$came{$_->{url} =~ s{\Ahttps://[^/]*}{}r}{$_->{event_id}} } @queued],
  [], 'each of ' . @queued . ' has come';
is_deeply \%faults, {}, 'with a signature that holds';
is $first->sql_value(q{SELECT count(*) FROM event
  WHERE type = 'verification_session.expired'}), 2, 'each timer ran out once';
finish $second, $first;
