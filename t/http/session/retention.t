# VerifySessionRetention and VerifyCredentialRetention: sessions and credentials
# that ended long ago are gone for good, and to everybody they are what never was;
# what others need stays.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use JSON::PP ();
use Verify::Dashboard;
use Verify::FullTables qw(fill tables_with);
use Verify::Test;

use constant DAY => 86_400_000;

my $service = Verify::Instance->start(start => 0);
my $shop = $service->organization(sandbox => 1, workflow => 1);
my $quiet = $service->organization(sandbox => 1, workflow => 1);
my $dashboard = Verify::Dashboard->prepare($service, ada => "admin $shop->{id}");
$service->start_httpd;
my $operator = $dashboard->client('ada');
my $yes = JSON::PP::true;
my $receiver = $service->receiver;
answer_is($shop->{client}->post('/v1/webhook_endpoints',
  {url => $receiver->url, enabled_events => ['*']}), 201, 'an endpoint');

sub create {
  my ($whose, %more) = @_;
  return answer_is($whose->{client}->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $whose->{workflow_id}, jurisdiction => 'US-CA', %more}), 201);
}
# What an id of this moment begins with.
sub id_time {
  my ($time) = @_;
  my @alphabet = split //, '0123456789abcdefghjkmnpqrstvwxyz';
  return join '', map { $alphabet[($time >> 5 * $_) & 31] } reverse 0 .. 9;
}
my $handle = $service->connect_database;
my @knowing = tables_with($handle, 'session_id');
# The session as if all of it had happened so many days before: its new id.
sub age {
  my ($session, $days) = @_;
  my $time = int(time * 1000 - $days * DAY);
  my $id = 'vks_' . id_time($time) . substr $session->{id}, 14;
  $handle->do('UPDATE verification_session SET id = ?, created_at = ?, updated_at = ?
    WHERE id = ?', undef, $id, $time, $time, $session->{id});
  $handle->do("UPDATE $_ SET session_id = ? WHERE session_id = ?", undef, $id,
    $session->{id}) for @knowing;
  $handle->do('UPDATE event SET object_id = ? WHERE object_id = ?', undef, $id,
    $session->{id});
  return $id;
}
sub status_of { $shop->{client}->get("/v1/verification_sessions/$_[0]")->status }
# A watchdog that starts looks for what is old after two seconds.
sub new_watchdog {
  $service->allow_log(qr/IDV0320: the watchdog ended/);
  $service->kill_hard($service->watchdog_pid);
}

my @verified = (skip_verification => $yes, email => 'kept@example.com');
my $verified = create($shop, @verified, client_reference_id => 'old-order');
my $failed = create($shop, email => 'kept@example.com', client_reference_id => 'old-try');
answer_is($shop->{client}->post("/v1/verification_sessions/$failed->{id}/cancel", {}), 200);
my $reviewed = create($shop, skip_verification => $yes);
answer_is($shop->{client}->post("/v1/session_reviews/sessions/$reviewed->{id}/flag",
  {reason => 'SPECIMEN'}), 200);
$service->verifyctl(qw(review decide), $reviewed->{id}, qw(approve --by anna));
my $open = create($shop);
my $held = create($shop, skip_verification => $yes);
answer_is($shop->{client}->post("/v1/session_reviews/sessions/$held->{id}/flag",
  {reason => 'SPECIMEN'}), 200);
my $ending = create($shop, skip_verification => $yes);
my $young = create($shop, skip_verification => $yes);
my $elsewhere = create($quiet, skip_verification => $yes);
my $events = sub { answer_is($shop->{client}->get('/v1/events?limit=100'), 200)->{data} };
my $ledger = sub { $service->verifyctl(qw(credits --org), $shop->{id}) };
ok &wait_for(sub { !$service->sql_value(
  q{SELECT count(*) FROM webhook_delivery WHERE status = 'pending'}) }), 'events are sent';
my $happened = $events->();

# Open ones, whenever they began, and those that ended 29 days ago, stay.
my @old = (age($verified, 31), age($failed, 40), age($reviewed, 400));
my @staying = ((map { age($_, 33) } $open, $held), age($ending, 29), $young->{id});
$handle->do('UPDATE verification_session SET expires_at = ?, review_deadline_at = ?
  WHERE id = ANY (?)', undef, (time() * 1000 + DAY) x 2, \@staying);
my $elsewhere_id = age($elsewhere, 31);
my $booked = $ledger->();
is status_of($_), 200, 'it is there' for @old, @staying;
# Not before there is what is old: the first look comes two seconds after a start.
$service->stop_httpd;
$service->{conf} .= <<'CONF';
VerifySessionRetention 30
VerifyCredentialRetention 40
CONF
$service->start_httpd;
ok &wait_for(sub { !grep { status_of($_) != 404 } @old }, 60), 'they are removed';
ok &wait_for(sub { !$handle->selectrow_array(
  'SELECT count(*) FROM verification_session WHERE id = ?', undef, $elsewhere_id) }),
  'and those of others';
is status_of($_), 200, 'others stay' for @staying;
my ($removed) = $service->client->get('/metrics')->body
  =~ /^verify_sessions_removed_total (\d+)/m;
is $removed, 4, 'they are counted';

subtest 'a session that is gone is one that never was' => sub {
  my $never = 'vks_' . '0' x 26;
  my $client = $shop->{client};
  for my $id (@old) {
    for my $ask (
      sub { $client->get("/v1/verification_sessions/$_[0]") },
      sub { $client->get("/v1/verification_sessions/$_[0]?expand[]=results") },
      sub { $client->post("/v1/verification_sessions/$_[0]/cancel", {}) },
      sub { $client->post("/v1/session_reviews/sessions/$_[0]/flag", {reason => 'SPECIMEN'}) },
      sub { $client->post('/v1/risk/score', {device_id => 'SPECIMEN', session_id => $_[0]}) },
      sub { $service->client($verified->{client_secret})->get("/v1/widget/sessions/$_[0]") },
      map({ my $page = $_;
        sub { $operator->get("/dashboard/v1/organizations/$shop->{id}/$page" =~ s/ID/$_[0]/r) }
      } qw(sessions/ID/path sessions/ID/timeline reviews/ID))) {
      my ($gone, $unknown) = map { $ask->($_) } $id, $never;
      is $gone->status, $unknown->status, "status $unknown->{status}";
      delete $_->json->{error}{request_id} for $gone, $unknown;
      is_deeply $gone->json, $unknown->json, '... and the same words';
    }
    for my $command (['session', 'show'], ['session', 'explain'], ['review', 'show']) {
      my @said = map {
        my $asked = $_;
        eval { $service->verifyctl(@$command, $asked) };
        $@ =~ s/\Q$asked\E/ID/gr;
      } $id, $never;
      ok $said[0], "verifyctl @$command fails";
      is $said[0], $said[1], '... as for what never was';
    }
  }
};

subtest 'a page goes on where the session was' => sub {
  my $list = sub { [map { $_->{id} } @{answer_is($shop->{client}->get(
    "/v1/verification_sessions?limit=100$_[0]"), 200)->{data}}] };
  my @all = reverse sort @staying;
  is_deeply $list->(''), \@all, 'all that are left';
  for my $id (@old) {
    is_deeply $list->("&starting_after=$id"), [grep { $_ lt $id } @all], 'behind it';
    is_deeply $list->("&ending_before=$id"), [grep { $_ gt $id } @all], 'before it';
  }
  is_deeply $list->('&client_reference_id=old-order'), [], 'nothing by its reference';
  is_deeply $list->('&search=' . substr $old[0], 0, 16), [], 'nor by its id';
  is_deeply [map { $_->{id} } @{$service->verifyctl(qw(session list --org), $shop->{id},
    '--starting-after', $old[0])}], [grep { $_ lt $old[0] } @all], 'on the command line, too';
};

subtest 'what has a retention of its own stays' => sub {
  is_deeply $events->(), $happened, 'events';
  my ($of_old) = grep { ($_->{data}{object}{id} // '') eq $verified->{id} } @$happened;
  answer_is($shop->{client}->get("/v1/events/$of_old->{id}"), 200, 'one by its id');
  is_deeply $ledger->(), $booked, 'the ledger';
  my $known = answer_is($shop->{client}->post('/v1/verified_person/lookup',
    {email => 'kept@example.com'}), 200);
  ok $known->{verified}, 'the person is still verified';
  my $again = create($shop, accept_existing => $yes, email => 'kept@example.com');
  is $again->{status}, 'verified', '... and need not do it again';
  is scalar @{$service->verifyctl(qw(credential list --session), $old[0])}, 1,
    'the credential is found by the session';
  ok eval { $service->verifyctl(qw(audit verify)) }, 'the record of actions is whole';
};

subtest 'and what hung on it is gone' => sub {
  my %left = map { $_ => $handle->selectrow_array(
    "SELECT count(*) FROM $_ WHERE session_id = ANY (?)", undef, \@old) } @knowing;
  is_deeply [sort grep { $left{$_} } keys %left],
    [qw(credential ledger_entry removed_session vp_token)],
    'but what is about money and reuse, and whose it was';
  is scalar @{$service->verifyctl(qw(review ended --org), $shop->{id})}, 0,
    'decisions of reviewers';
};

subtest 'credentials that ended long ago' => sub {
  my %person = map { $_ => "$_\@example.com" } qw(expired revoked lately);
  my %session = map { $_ => create($shop, skip_verification => $yes, email => $person{$_}) }
    sort keys %person;
  my ($token) = map { $service->client($_->{client_secret})
    ->get("/v1/widget/sessions/$_->{id}")->json->{vp_token} } $session{expired};
  ok $token, 'a token';
  my %credential = map { $_ => $service->verifyctl(qw(credential list --session),
    $session{$_}{id})->[0]{id} } sort keys %person;
  my $days_ago = sub { int(time * 1000 - $_[0] * DAY) };
  my $end = sub {
    my ($name, $column, $days) = @_;
    $handle->do("UPDATE credential SET $column = ? WHERE id = ?", undef,
      $days_ago->($days), $credential{$name});
  };
  $end->(qw(expired expires_at 41));
  $end->(qw(revoked revoked_at 300));
  $end->(qw(lately expires_at 39));
  my $is_kept = sub { $handle->selectrow_array('SELECT count(*) FROM credential WHERE id = ?',
    undef, $credential{$_[0]}) };
  my $reuse = sub { $shop->{client}->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $shop->{workflow_id}, jurisdiction => 'US-CA', @_}) };
  my @asks = ([vp_token => $token], map { [accept_existing => $yes, email => $person{$_}] }
    qw(expired revoked));
  my @before = map { [$_->status, $_->error->{code}] } map { $reuse->(@$_) } @asks;
  $handle->do('DELETE FROM reuse_attempt');
  new_watchdog();
  ok &wait_for(sub { !$is_kept->('expired') && !$is_kept->('revoked') }, 60), 'are removed';
  ok $is_kept->('lately'), 'one that ended less long ago is not';
  is_deeply [map { [$_->status, $_->error->{code}] } map { $reuse->(@$_) } @asks], \@before,
    'who comes with one hears what was heard before';
  is $handle->selectrow_array('SELECT count(*) FROM vp_token WHERE credential_id = ?', undef,
    $credential{expired}), 0, 'its token is gone';
  is status_of($session{expired}{id}), 200, 'its session is there';
  ok !eval { $service->verifyctl(qw(credential revoke), $credential{expired}) },
    'none to revoke';
  ok answer_is($shop->{client}->post('/v1/verified_person/lookup',
    {email => 'kept@example.com'}), 200)->{verified}, 'valid ones are reused as before';
  my $again = create($shop, skip_verification => $yes, email => $person{expired});
  is $again->{status}, 'verified', 'who comes back is verified anew';
  is $handle->selectrow_array(q{SELECT count(DISTINCT verified_person_id) FROM
    verification_session WHERE id = ANY (?)}, undef, [$again->{id}, $session{expired}{id}]),
    1, '... and the same person';
  like $service->client->get('/metrics')->body, qr/^verify_credentials_removed_total 2$/m,
    'they are counted';
};

# Whose sessions are gone is erased from what these left behind.
subtest 'the person is erased afterwards' => sub {
  my %old = map { $_->{id} => 1 } $verified, $failed;
  my $of_old = sub {
    [grep { $old{$_->{data}{object}{id} // ''} } @{$events->()}] };
  my $handed = sub { join ' ', sort map { $_->{data}{object}{client_reference_id} // () }
    @{$of_old->()} };
  is $handed->(), 'old-order old-try old-try', 'events tell of the person';
  my $count = @{$of_old->()};
  my $person = answer_is($shop->{client}->post('/v1/verified_person/lookup',
    {email => 'kept@example.com'}), 200)->{verified_person_id};
  # Not by its credential alone, which may be gone as well.
  $handle->do('UPDATE credential SET session_id = ? WHERE session_id = ?', undef,
    'vks_' . '0' x 26, $old[0]);
  cmp_ok $service->verifyctl(qw(person erase), $person)->{erased}{events}, '>=', 3, 'erased';
  is scalar @{$of_old->()}, $count, 'the events are there';
  is $handed->(), '', '... and say nothing of the person';
  is $handle->selectrow_array(q{SELECT count(*) FROM webhook_delivery
    WHERE response IS NOT NULL AND event_id = ANY (?)}, undef,
    [map { $_->{id} } @{$of_old->()}]), 0,
    'nor do the receiver\'s answers';
  my ($event) = grep { $_->{data}{object}{id} eq $verified->{id} } @{$of_old->()};
  my $delivery = $handle->selectrow_array('SELECT id FROM webhook_delivery WHERE event_id = ?',
    undef, $event->{id});
  my $before = () = $receiver->requests;
  $service->verifyctl(qw(delivery retry), $delivery, '--org', $shop->{id});
  my $sent;
  ok &wait_for(sub { my @all = $receiver->requests; @all > $before && ($sent = $all[-1]) }),
    'one is sent again';
  unlike $sent->{body}, qr/old-order/, '... without the person';
  is $handle->selectrow_array('SELECT count(*) FROM removed_session WHERE session_id = ANY (?)',
    undef, [@old[0, 1]]), 0, 'nothing tells whose they were';
};

# 1000 sessions of long ago are ten pages; each is taken by one of both. The second node
# stands still from its first page until the first has one, too, so that both are at it.
my $second = Verify::Instance->start(beside => $service, conf => <<'CONF', start => 0);
VerifySessionRetention 30
CONF
subtest 'two nodes at once' => sub {
  my $removed = sub {
    my ($count) = $_[0]->client->get('/metrics')->body
      =~ /^verify_sessions_removed_total (\d+)/m;
    return $count // 0;
  };
  my $before = $removed->($service);
  fill($handle, $_, $quiet->{id}, 1, 1000) for qw(verification_session decision_record);
  my $left = sub { $handle->selectrow_array("SELECT count(*) FROM $_[0]
    WHERE organization_id = ?", undef, $quiet->{id}) };
  is $left->('decision_record'), 1000, 'there is much to do';
  $handle->do($_) for 'CREATE TABLE gone (id text, pid integer)',
    q{CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
      INSERT INTO gone VALUES (old.id, pg_backend_pid()); RETURN NULL; END'},
    'CREATE TRIGGER note AFTER DELETE ON verification_session
      FOR EACH ROW EXECUTE FUNCTION note()';
  my @by;
  my $nodes = sub {
    return scalar(@by = @{$handle->selectcol_arrayref(
      'SELECT count(*) FROM gone GROUP BY pid')});
  };
  $second->start_httpd;
  my $standing = $second->watchdog_pid;
  ok &wait_for(sub { $nodes->() == 1 }, 60), 'the second has begun';
  kill STOP => $standing;
  ok $left->('verification_session'), '... and is not done';
  new_watchdog();
  ok &wait_for(sub { $nodes->() == 2 }, 60), 'the first takes what that has left';
  kill CONT => $standing;
  ok &wait_for(sub { !$left->('verification_session') }, 60), 'it is done';
  is $left->('decision_record'), 0, 'with what hung on it';
  is join(' ', $handle->selectrow_array('SELECT count(*), count(DISTINCT id) FROM gone')),
    '1000 1000', 'each once';
  is $nodes->(), 2, '... by both';
  my @told;
  ok &wait_for(sub {
    @told = ($removed->($service) - $before, $removed->($second));
    return "@{[sort @told]}" eq "@{[sort @by]}";
  }), 'as both tell' or diag "@told, not @by";
};
finish $second, $service;
