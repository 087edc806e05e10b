# How many sessions a live organization may have under way: as many as its credits and
# free verifications pay for, and VerifyCreditOverdraft more, whoever creates how many
# at once and however they end.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use JSON::PP ();
use Verify::Books qw(book_faults);
use Verify::Conformance;
use Verify::Test;

use constant {AT_ONCE => 64, OVERDRAFT => 10};
my $service = Verify::Instance->start(conf => "VerifyRateLimit secret 100000\n");
my $path = '/v1/verification_sessions';
my $workflow = {name => 'Decided by hand', start => 'id', nodes => {
  id => {type => 'methods', methods => ['document_capture'],
    next => {passed => 'hold', exhausted => 'denied'}},
  hold => {type => 'review', next => {approved => 'granted', rejected => 'denied'}},
  granted => {type => 'outcome', status => 'verified'},
  denied => {type => 'outcome', status => 'failed'}}};

sub live {
  my ($free, $credits) = @_;
  my $organization = $service->organization(workflow => $workflow);
  answer_is($organization->{client}->post('/v1/webhook_endpoints',
    {url => 'https://receiver.example/hook',
      enabled_events => ['session_review.escalated']}), 201, 'endpoint');
  $service->verifyctl(qw(org update), $organization->{id}, '--free-allotment', $free);
  add($organization, $credits) if $credits;
  return $organization;
}
sub add { $service->verifyctl(qw(credits add --org), $_[0]{id}, '--amount', $_[1],
  qw(--note Invoice)) }
sub request { +{type => 'age', workflow_id => $_[0]{workflow_id}, jurisdiction => 'US-CA'} }
sub create { $_[0]{client}->post($path, request($_[0])) }
sub balance { $service->verifyctl(qw(org show), $_[0]{id})->{credit_balance} }
sub open_sessions {
  my ($organization) = @_;
  return map { $_->{id} } @{$service->sql(q{SELECT id FROM verification_session
    WHERE organization_id = ? AND status = 'created' ORDER BY id}, $organization->{id})};
}
# Puts sessions where a person decides, and has them verified.
sub verify {
  my ($organization, @ids) = @_;
  $service->sql(q{UPDATE verification_session SET status = 'under_review',
      review_opened_at = created_at, review_deadline_at = expires_at,
      runner = (runner::jsonb || '{"node": "hold"}')::json WHERE id = ANY (?)}, \@ids);
  is_deeply [grep { $service->verifyctl(qw(review decide), $_,
    qw(approve --by reviewer))->{status} ne 'verified' } @ids], [], 'all are verified';
}
# Creates AT_ONCE sessions at the same moment; how many were created.
sub burst {
  my ($organization, $key) = @_;
  my %statuses;
  my @answers = at_once($organization->{client}, map { ['POST', $path,
    request($organization), $key ? ('Idempotency-Key' => "$key $_") : ()] } 1 .. AT_ONCE);
  $statuses{$_->status}++ for @answers;
  is_deeply [grep { !/\A(?:201|402)\z/ } keys %statuses], [], 'each is answered';
  return $statuses{201} // 0;
}

for ([0, 1], [1, 0], [3, 2], [100, 0]) {
  my ($free, $credits) = @$_;
  my $bound = $free + $credits + OVERDRAFT;
  subtest "$free free verifications and $credits credits, @{[AT_ONCE]} at once" => sub {
    my $organization = live($free, $credits);
    my $created = burst($organization, $credits && 'burst');
    $created += burst($organization) if $created == AT_ONCE;
    is $created, $bound, "$bound are created";
    is scalar(open_sessions($organization)), $bound, 'and no more are there';
    is $service->sql_value('SELECT count(*) FROM event WHERE organization_id = ?',
      $organization->{id}), $bound, 'nor announced';
    my $refused = create($organization);
    error_is($refused, 402, 'billing_suspended');
    like $refused->json->{error}{message}, qr/\AAt least $bound sessions are under way.*add credits/,
      'says how many there are, and what to do';
    return if $bound > AT_ONCE;
    verify($organization, open_sessions($organization));
    is balance($organization), -OVERDRAFT, 'the balance is not below';
    is_deeply [book_faults($service, $organization->{id})], [], 'the books are right';
  };
}

subtest 'an end makes room, being counted makes none' => sub {
  my $organization = live(0, 2);
  is burst($organization), OVERDRAFT + 2, 'all that may be';
  my ($cancelled, $verified, $expired) = open_sessions($organization);
  verify($organization, $verified);
  error_is(create($organization), 402, 'billing_suspended', undef, 'one was counted');
  answer_is($organization->{client}->post("$path/$cancelled/cancel", {}), 200, 'cancelled');
  answer_is(create($organization), 201, 'in its place');
  error_is(create($organization), 402, 'billing_suspended');
  $service->sql('UPDATE verification_session SET expires_at = 1000 WHERE id = ?', $expired);
  ok wait_for { $organization->{client}->get("$path/$expired")->json->{status}
    eq 'expired' }, 'expired';
  answer_is(create($organization), 201, 'in its place');
  answer_is($organization->{client}->post(
    "/v1/session_reviews/sessions/$verified/flag", {}), 200, 'a counted one is flagged');
  error_is(create($organization), 402, 'billing_suspended');
  add($organization, 1);
  answer_is(create($organization), 201, 'a credit is one more');
  error_is(create($organization), 402, 'billing_suspended');
};

subtest 'a refused creation leaves its key unused' => sub {
  my $organization = live(0, 1);
  is burst($organization), OVERDRAFT + 1, 'all that may be';
  my @key = ('Idempotency-Key' => 'later');
  error_is($organization->{client}->post($path, request($organization), @key), 402,
    'billing_suspended');
  add($organization, 1);
  answer_is($organization->{client}->post($path, request($organization), @key), 201,
    'done later');
};

subtest 'far from the bound' => sub {
  my $organization = live(0, 100_000);
  is burst($organization) + burst($organization), 2 * AT_ONCE, 'all at once';
  my $id = $organization->{id};
  add($organization, 1 - 100_000);
  ok wait_for { create($organization)->status == 402 },
    'when credits are taken away, what was remembered of them does not last';
};

subtest 'a sandbox' => sub {
  my $organization = $service->organization(sandbox => 1, workflow => $workflow);
  my ($year, $month) = (gmtime)[5, 4];
  $service->sql('INSERT INTO monthly_usage (organization_id, month, sandbox)
    VALUES (?, ?, 499)', $organization->{id}, ($year + 1900) * 100 + $month + 1);
  is burst($organization), AT_ONCE, 'is not billed, and not bounded';
};

subtest 'a database that is serializable' => sub {
  my $organization = live(0, 1);
  my $database = $service->sql_value('SELECT current_database()');
  $service->sql(qq{ALTER DATABASE "$database"
    SET default_transaction_isolation = 'repeatable read'});
  $service->stop_httpd;
  $service->start_httpd;
  is burst($organization), OVERDRAFT + 1, 'holds the bound, too';
};

finish($service);
