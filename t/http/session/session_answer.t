# The answers that rows keep: they are what the columns say, and void as soon as
# anything else has written the row.
use v5.32;
use warnings;
use Encode qw(encode_utf8);
use FindBin;
use lib "$FindBin::Bin/../../lib";
use JSON::PP ();
use Verify::Queries qw(query_names query_text);
use Verify::Test;

my $service = Verify::Instance->start;
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $client = $organization->{client};
my $sessions = '/v1/verification_sessions';

sub create {
  my (%parameters) = @_;
  return answer_is $client->post($sessions, {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US-CA',
    %parameters}), 201, 'created';
}
sub retrieved { answer_is($client->get("$sessions/$_[0]"), 200, 'retrieved') }
sub listed {
  my ($id) = @_;
  my $page = answer_is($client->get($sessions), 200, 'listed');
  return (grep { $_->{id} eq $id } @{$page->{data}})[0];
}
sub source_of {
  my ($path) = @_;
  open my $file, '<', "$FindBin::Bin/../../../mod_verify/$path" or die "$path: $!\n";
  local $/;
  return <$file>;
}
my ($version, $least) = map {
  source_of('domain/session/session_view.h') =~ /^#define IDV_SESSION_TEXT_VERSION$_ (\d+)$/m
    ? $1 : die "session_view.h: no version of the text\n"
} '', '_LEAST';
# What characters stand for in answers that rows keep.
my %part = source_of('store/session/session_answer.def')
  =~ /^IDV_ANSWER_PART\(0x(..), "(.*?)"\)\n/msg;
%part = map {
  chr hex $_ => $part{$_} =~ s/"\n\s+"//gr =~ s/\\(.)/$1/gr
} keys %part;
is keys %part, 28, 'all that no JSON text has';
# The text that stands for the row, or nothing.
sub kept {
  my ($id) = @_;
  my $text = $service->sql_value(q{SELECT CASE WHEN answer_xid = xmin
    AND answer_version = ? THEN answer END FROM verification_session
    WHERE id = ?}, $version, $id);
  return defined $text ? encode_utf8($text =~ s{(.)}{$part{$1} // $1}segr) : undef;
}
# What the service makes of the columns alone, in both places, when they lack what
# says nothing: a later release may leave that out.
sub from_columns {
  my ($id) = @_;
  $service->sql(q{UPDATE verification_session SET answer = NULL, runner =
    (SELECT json_object_agg(key, value) FROM json_each(runner)
      WHERE value::text NOT IN ('null', 'false', '0', '[]')) WHERE id = ?}, $id);
  return (retrieved($id), listed($id));
}
sub is_kept_as_shown {
  my ($id, $name) = @_;
  my $kept = kept($id);
  ok defined $kept, "$name: kept" or return;
  my @shown = (retrieved($id), listed($id));
  is_deeply $_, JSON::PP::decode_json($kept), "$name: shown as kept" for @shown;
  is $client->get("$sessions/$id")->body, $kept, "$name: to the byte";
  my @made = from_columns($id);
  is_deeply $_, $shown[0], "$name: as the columns say" for @made;
  is $client->get("$sessions/$id")->body, $kept, "$name: to the byte from them";
}

subtest 'of a creation' => sub {
  my %all = (client_reference_id => "\x{fc}\"\\", metadata => {order => '1'},
    return_url => 'https://shop.example/back', cancel_url => 'https://shop.example/');
  is_kept_as_shown(create(%$_)->{id}, 'plain') for {}, \%all;
  is_kept_as_shown(create(skip_verification => JSON::PP::true)->{id}, 'verified');
  my $answer = $client->post($sessions, {type => 'age', jurisdiction => 'US-CA',
    workflow_id => $organization->{workflow_id}}, 'Idempotency-Key' => 'one');
  my $session = answer_is $answer, 201, 'with a key';
  is_kept_as_shown($session->{id}, 'with a key');
  unlike kept(create()->{id}), qr/_secret_/, 'without the secret';
};

subtest 'of each change' => sub {
  my $session = create();
  my $person = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}";
  answer_is $person->post("$path/open", {}), 200, 'opened';
  is_kept_as_shown($session->{id}, 'opened');
  answer_is $person->post("$path/consent", {consent => JSON::PP::true}), 200, 'consent';
  answer_is $client->post("$sessions/$session->{id}/cancel", {}), 200, 'cancelled';
  is retrieved($session->{id})->{status}, 'cancelled', 'the new one';
  is_kept_as_shown($session->{id}, 'cancelled');
};

subtest 'of what it does not show' => sub {
  my $session = create();
  my $score = answer_is $client->post('/v1/risk/score', {session_id => $session->{id},
    ip => '198.51.100.7', email => 'kept@example.com'}), 200, 'a score';
  ok defined $service->sql_value('SELECT risk_tier FROM verification_session
    WHERE id = ?', $session->{id}), 'has raised the tier';
  is_kept_as_shown($session->{id}, 'scored');
};

subtest 'void' => sub {
  my $session = create();
  my $set = sub {
    my ($change) = @_;
    $service->sql("UPDATE verification_session SET $change WHERE id = ?",
      $session->{id});
  };
  $set->(q{user_message = 'written by hand'});
  ok !defined kept($session->{id}), 'when anybody has written the row';
  is $_->{user_message}, 'written by hand', 'shown is what the columns say'
    for retrieved($session->{id}), listed($session->{id});
  my $other = kept(create()->{id});
  my $put = sub {
    $set->("answer = '$other', answer_version = $_[0], "
      . 'answer_xid = pg_current_xact_id()::xid');
  };
  for ($least - 1, $version + 1) {
    $put->($_);
    is $_->{user_message}, 'written by hand', 'in another version'
      for retrieved($session->{id}), listed($session->{id});
  }
  for ($least .. $version) {
    $put->($_);
    is $client->get("$sessions/$session->{id}")->body, $other,
      "and in version $_ it is what the row keeps, packed or not";
  }
};

subtest 'who may not see it' => sub {
  my $session = create();
  my $other = $service->organization(sandbox => 1, workflow => 1);
  error_is $other->{client}->get("$sessions/$session->{id}"), 404,
    'session_not_found', undef, 'another organization';
  is_deeply $other->{client}->get($sessions)->json->{data}, [], 'has none';
  my $application = $service->verifyctl(qw(app create --org), $organization->{id},
    qw(--name Other))->{id};
  my $scoped = $service->client($service->key($organization->{id}, 'secret',
    '--app', $application));
  error_is $scoped->get("$sessions/$session->{id}"), 404, 'session_not_found',
    undef, 'a key of an application';
};

subtest 'of a person who is erased' => sub {
  my $session = create(client_reference_id => 'erase me',
    email => 'erase@example.com', skip_verification => JSON::PP::true);
  like kept($session->{id}), qr/erase me/, 'before';
  my $person = $client->post('/v1/verified_person/lookup',
    {email => 'erase@example.com'})->json->{verified_person_id};
  $service->verifyctl(qw(person erase), $person);
  is $service->sql_value('SELECT count(*) FROM verification_session s
    WHERE s::text LIKE ?', '%erase me%'), 0, 'nothing is left';
  is retrieved($session->{id})->{client_reference_id}, undef, 'and shown';
};

# One look finds the answer and that the key still is good.
subtest 'by a key that changes' => sub {
  my $shop = $service->organization(sandbox => 1, workflow => 1);
  my $session = answer_is $shop->{client}->post($sessions, {type => 'age',
    workflow_id => $shop->{workflow_id}, jurisdiction => 'US-CA'}), 201, 'created';
  my $id = $session->{id};
  answer_is $shop->{client}->get("$sessions/$id"), 200, 'seen' for 1 .. 3;
  my @looks = (["$sessions/$id", 'retrieved'], [$sessions, 'listed']);
  my ($key) = map { $_->{id} } grep { $_->{type} eq 'secret' }
    @{$service->verifyctl(qw(key list --org), $shop->{id})};
  my $second = $service->key($shop->{id}, 'secret');
  my $beside = $service->client($second);
  answer_is $beside->get($_->[0]), 200, "$_->[1] by another key" for @looks, @looks;
  $service->sql('UPDATE api_key SET expires_at = ? WHERE id <> ? AND organization_id = ?',
    (time + 3600) * 1000, $key, $shop->{id});
  answer_is $beside->get($_->[0]), 200, "$_->[1] when it is to expire" for @looks;
  $service->verifyctl(qw(key revoke), $key);
  error_is $shop->{client}->get($_->[0]), 401, 'api_key_invalid', undef,
    "not $_->[1] once it is revoked" for @looks;
  answer_is $beside->get($_->[0]), 200, 'the other one is good' for @looks;
  error_is $beside->get("$sessions/vks_00000000000000000000000000"), 404,
    'session_not_found', undef, 'nothing is found that is not there';
};

# Whoever updates sessions either writes the answer anew, or keeps what it holds
# because none of it has changed; erasure takes it away.
subtest 'statements' => sub {
  my %unseen = map { $_ => 1 } qw(verified_person_id risk_tier answer answer_xid
    email_digest phone_digest giver);
  my $updates = 0;
  for my $name (query_names()) {
    my $text = query_text($name);
    while ($text =~ /UPDATE\s+verification_session\b.*?\bSET\b(.*?)\bWHERE\s+organization_id/gs) {
      my %set = map { $_ => 1 } $1 =~ /^\s*(?:SET\s+)?(\w+)\s*=/gm;
      $updates++;
      my @seen = grep { !$unseen{$_} } sort keys %set;
      ok !@seen || $set{answer}, "$name minds the answer" or diag "@seen";
    }
  }
  is $updates, 6, 'all of them';
};

finish($service);
