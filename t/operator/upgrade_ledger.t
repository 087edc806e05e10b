# Accounts and reviews of before the ledger held each verification, and of
# before reviews left a record: after the upgrade they add up, and go on.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Verify::Books qw(book_faults);
use Verify::Conformance;
use Verify::Upgrade;

use constant BEFORE => 20; # migrations
my $sessions = '/v1/verification_sessions';
my $workflow = {name => 'Before', start => 'id', nodes => {
  id => {type => 'methods', methods => ['document_capture'],
    next => {passed => 'hold', exhausted => 'no'}},
  hold => {type => 'review', next => {approved => 'yes', rejected => 'no'}},
  yes => {type => 'outcome', status => 'verified'},
  no => {type => 'outcome', status => 'failed'}}};
my $first = Verify::Instance->start;
my %shops = (live => $first->organization(workflow => $workflow),
  sandbox => $first->organization(sandbox => 1, workflow => $workflow));
answer_is $shops{live}{client}->post('/v1/webhook_endpoints',
  {url => 'https://receiver.example/', enabled_events => ['session_review.escalated']}),
  201, 'endpoint';
$first->verifyctl(qw(org update), $shops{live}{id}, qw(--free-allotment 1));
$first->verifyctl(qw(credits add --org), $shops{live}{id}, qw(--amount 5 --note Old));

sub verified {
  my ($service, $kind) = @_;
  my $shop = $shops{$kind};
  my $session = answer_is $service->client($shop->{secret_key})->post($sessions,
    {type => 'age', workflow_id => $shop->{workflow_id}, jurisdiction => 'US-CA'}), 201,
    'created';
  $service->sql(q{UPDATE verification_session SET status = 'under_review',
      review_opened_at = created_at, review_deadline_at = expires_at,
      runner = (runner::jsonb || '{"node": "hold"}')::json
    WHERE id = ?}, $session->{id});
  is decide($service, $session, 'approve')->{status}, 'verified', 'verified';
  return $session;
}
sub decide {
  my ($service, $session, $decision) = @_;
  return $service->verifyctl(qw(review decide), $session->{id}, $decision,
    qw(--by reviewer));
}
sub flag {
  my ($kind, $session) = @_;
  answer_is $shops{$kind}{client}->post(
    "/v1/session_reviews/sessions/$session->{id}/flag", {reason => 'doubt'}), 200,
    'flagged';
}
sub usage { $_[0]->verifyctl(qw(org show), $shops{$_[1]}{id})->{usage} }

# Three of the live organization, of which one was undone, and two others.
my ($undone, @live) = map { verified($first, 'live') } 1 .. 3;
flag('live', $undone);
is decide($first, $undone, 'reject')->{status}, 'failed', 'rejected';
my @sandbox = map { verified($first, 'sandbox') } 1 .. 2;
flag('live', $live[1]);
flag('sandbox', $sandbox[1]);
$first->stop_httpd;

my $old = beside($first);
older_schema($old, BEFORE);
copy_rows($first, $old);
# A flag made the client secret good for as long as the review took.
$old->sql(q{UPDATE verification_session
  SET runner = (runner::jsonb || '{"ended_at": 0}')::json
  WHERE (runner ->> 'review_flagged')::boolean});
is_deeply $old->sql('SELECT verifications, charged FROM monthly_usage
  ORDER BY charged'), [{verifications => 2, charged => 0},
  {verifications => 2, charged => 1}], 'counted before';
is_deeply [map { $_->{amount} } @{$old->sql('SELECT amount FROM ledger_entry
  ORDER BY id')}], [5, -1, -1, 1], 'with credits alone in the ledger';
$old->verifyctl('migrate');

# Sessions of before have no entries of their own: what they say together is in
# those of the upgrade.
sub faults { grep { !/\Avks_/ } book_faults($_[0], $shops{$_[1]}{id}) }

subtest 'the books after the upgrade' => sub {
  for my $kind (sort keys %shops) {
    is_deeply [faults($old, $kind)], [], "are right: $kind";
    is usage($old, $kind)->{verifications}, 2, 'with what was counted';
  }
  is usage($old, 'live')->{charged}, 1, 'and charged';
  is usage($old, 'sandbox')->{sandbox}, 2, 'or of a sandbox';
  my @entries = @{$old->verifyctl(qw(credits --org), $shops{live}{id})};
  is_deeply [map { [@$_{qw(kind verifications amount balance)}] } @entries],
    [['free', 1, 0, 4], ['charged', 1, 0, 4], ['charged', 0, 1, 4],
      ['charged', 0, -1, 3], ['charged', 0, -1, 4], ['credits', 0, 5, 5]],
    'in the ledger, behind what it had';
  like $_->{id}, qr/\Aled_[0-9a-hjkmnp-tv-z]{26}\z/, 'an id' for @entries;
};

subtest 'reviews that were open' => sub {
  my ($entry, @others) = @{$old->verifyctl(qw(review show), $live[1]{id})->{entries}};
  is_deeply [@$entry{qw(action by note)}], ['flagged', undef, 'doubt'],
    'have their beginning in the record';
  like $entry->{id}, qr/\Arve_[0-9a-hjkmnp-tv-z]{26}\z/, 'an id';
  is_deeply \@others, [], 'alone';
  $old->start_httpd;
  my $client = $old->client($live[1]{client_secret});
  answer_is $client->get("/v1/widget/sessions/$live[1]{id}"), 200,
    'the hour of the outcome is not over';
  $old->sql(q{UPDATE verification_session SET runner = (runner::jsonb
    || jsonb_build_object('ended_at', (runner ->> 'ended_at')::bigint - 3600001))::json
    WHERE id = ?}, $live[1]{id});
  error_is $client->get("/v1/widget/sessions/$live[1]{id}"), 401,
    'client_secret_invalid', undef, 'then it is';
};

subtest 'what is undone after the upgrade' => sub {
  is decide($old, $live[1], 'reject')->{status}, 'failed', 'a live one';
  is decide($old, $sandbox[1], 'reject')->{status}, 'failed', 'a sandbox one';
  is_deeply [@{usage($old, 'live')}{qw(free charged sandbox)}], [1, 0, 0],
    'a credit comes back';
  is usage($old, 'sandbox')->{sandbox}, 1, 'or a place';
  is $old->verifyctl(qw(org show), $shops{live}{id})->{credit_balance}, 5, 'once';
  verified($old, 'live');
  verified($old, 'sandbox');
  is_deeply [faults($old, $_)], [], "the books are right: $_" for sort keys %shops;
  is_deeply [map { $_->{action} } @{$old->verifyctl(qw(review show), $live[1]{id})
    ->{entries}}], [qw(flagged rejected)], 'the record goes on';
};
$old->stop_httpd;

finish $old, $first;
