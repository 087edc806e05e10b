# Sessions of before rows kept their answers: they are shown as they were, by
# themselves and in lists, and keep one from their next change on.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP ();
use Verify::Conformance;
use Verify::Upgrade;

use constant BEFORE => 26; # migrations
my $sessions = '/v1/verification_sessions';
my $first = Verify::Instance->start;
my $shop = $first->organization(sandbox => 1, workflow => 1);
my @created = map {
  answer_is $shop->{client}->post($sessions, {type => 'age',
    workflow_id => $shop->{workflow_id}, jurisdiction => 'US-CA',
    client_reference_id => "before-$_", skip_verification => $_ % 2 ? $true : $false}),
    201, 'created'
} 1 .. 3;
my @shown = map { $shop->{client}->get("$sessions/$_->{id}")->body } @created;
my $page = $shop->{client}->get($sessions)->body;
$first->stop_httpd;

my $old = beside($first);
older_schema($old, BEFORE);
copy_rows($first, $old);
$old->verifyctl('migrate');
$old->start_httpd;
my $client = $old->client($shop->{secret_key});
is $old->sql_value('SELECT count(answer) FROM verification_session'), 0,
  'no row has an answer';
is $client->get("$sessions/$created[$_]{id}")->body, $shown[$_], 'shown as before'
  for 0 .. $#created;
is $client->get($sessions)->body, $page, 'and listed';
my $session = answer_is $client->post($sessions, {type => 'age',
  workflow_id => $shop->{workflow_id}, jurisdiction => 'US-CA'}), 201, 'a new one';
my $mixed = answer_is $client->get($sessions), 200, 'a page of both';
is_deeply [map { $_->{id} } @{$mixed->{data}}],
  [map { $_->{id} } $session, reverse @created], 'has all';
answer_is $client->post("$sessions/$created[1]{id}/cancel", {}), 200, 'a change';
is $client->get("$sessions/$created[1]{id}")->json->{status}, 'cancelled', 'is seen';
is $old->sql_value('SELECT count(answer) FROM verification_session'), 2,
  'rows keep answers from then on';
$old->stop_httpd;

finish $old, $first;
