# Several logins of one person, as a directory takes them, are one person wherever two
# people are needed: claims, flagged sessions, second reviews, erasures, publishing.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use JSON::PP ();
use Verify::Dashboard;
use Verify::Specimen;
use Verify::Test;

# How somebody spells himself, in bytes of UTF-8, who begins with the first.
my $first = "r\xc3\xa9v";
my %spelling = (
  'in capitals' => "R\xc3\x89V",
  'with a no-break space' => "$first\xc2\xa0",
  'with a zero width space' => "r\xe2\x80\x8b\xc3\xa9v",
  'with a soft hyphen' => "r\xc2\xad\xc3\xa9v",
  'decomposed' => "re\xcc\x81v",
  'with another accent' => "r\xc3\xa8v",
  'without the accent' => 'rev',
  'in full width' => "\xef\xbd\x92\xef\xbd\x85\xcc\x81\xef\xbd\x96",
);
my $service = Verify::Instance->start(start => 0);
my $shop = $service->organization(sandbox => 1, workflow => {name => 'Held',
  start => 'id', nodes => {
    id => {type => 'methods', methods => ['document_capture'], max_attempts => 1,
      next => {passed => 'hold', exhausted => 'hold'}},
    hold => {type => 'review', next => {approved => 'granted', rejected => 'denied'}},
    granted => {type => 'outcome', status => 'verified'},
    denied => {type => 'outcome', status => 'failed'}}});
my @users = ('bert', 'carl', $first, values %spelling);
my $dashboard = Verify::Dashboard->prepare($service,
  map { $_ => "admin $shop->{id}" } @users);
$service->start_httpd;
my %client = map { $_ => $dashboard->client($_) } @users;
my $own = "/dashboard/v1/organizations/$shop->{id}";
my %approval = (decision => 'approve', reason_code => 'evidence_convincing');
my %rejection = (decision => 'reject', reason_code => 'document_forged');
my $photograph = Verify::Specimen::photograph();

# The others do what the first must not do again: POST, by each, is refused so.
sub one_person {
  my ($status, $code, $post) = @_;
  for my $how (sort keys %spelling) {
    error_is($post->($client{$spelling{$how}}), $status, $code, undef, $how);
  }
}
answer_is($client{$_}->get('/dashboard/v1/me'), 200, 'each logs in') for @users;

my $session = answer_is($shop->{client}->post('/v1/verification_sessions',
  {type => 'age', workflow_id => $shop->{workflow_id}, jurisdiction => 'US-CA'}), 201);
is show_specimen($service, $session, photograph => $photograph)->{status},
  'under_review', 'a held session';
my $review = "$own/reviews/$session->{id}";
sub decide { my ($client, %what) = @_; return $client->post("$review/decide", {%what}) }

subtest 'a claim that had its time' => sub {
  answer_is($client{$first}->post("$review/claim", {}), 200, 'claimed');
  $service->sql('UPDATE review_claim SET claimed_at = ?::bigint - 1800000, expires_at = ?',
    (1000 * (time - 1)) x 2);
  one_person(409, 'review_claimed', sub { $_[0]->post("$review/claim", {}) });
  answer_is($client{carl}->post("$review/claim", {}), 200, 'another person may');
  answer_is($client{carl}->post("$review/release", {}), 200);
};

subtest 'a second review' => sub {
  $service->verifyctl(qw(review sample --org), $shop->{id}, qw(--percent 100));
  is answer_is(decide($client{$first}, %approval), 200)->{status}, 'verified', 'decided';
  my ($second) = @{answer_is($client{bert}->get("$own/second_reviews"), 200)->{data}};
  my $path = "$own/second_reviews/$second->{id}";
  for my $how (sort keys %spelling) {
    is_deeply answer_is($client{$spelling{$how}}->get("$own/second_reviews"), 200)->{data},
      [], "$how, nobody is asked";
  }
  one_person(403, 'reviewer_not_independent', sub { $_[0]->get($path) });
  one_person(403, 'reviewer_not_independent',
    sub { $_[0]->post("$path/decide", {%approval}) });
  answer_is($client{bert}->post("$path/decide", {%rejection}), 200, 'another decides');
  one_person(403, 'reviewer_not_independent',
    sub { $_[0]->post("$path/settle", {decision => 'approve'}) });
};

subtest 'who flagged it' => sub {
  $service->verifyctl(qw(org four-eyes), $shop->{id}, qw(--reject on --erase on --publish on));
  my $flag = "$own/session_reviews/sessions/$session->{id}/flag";
  answer_is($client{$first}->post($flag, {}), 200, 'flagged');
  one_person(403, 'reviewer_not_independent', sub { decide($_[0], %approval) });
  one_person(403, 'reviewer_not_independent', sub { $_[0]->post("$review/claim", {}) });
  one_person(403, 'reviewer_not_independent',
    sub { $_[0]->post("$own/verification_sessions/$session->{id}/cancel", {}) });
  answer_is(decide($client{bert}, %approval), 200, 'another decides');
};

subtest 'who is against it alone' => sub {
  answer_is($shop->{client}->post("/v1/session_reviews/sessions/$session->{id}/flag", {}),
    200, 'flagged by a server');
  answer_is(decide($client{$first}, decision => 'escalate', reason_code => 'second_opinion'),
    200, 'escalated');
  one_person(403, 'four_eyes_required', sub { decide($_[0], %rejection) });
  is answer_is(decide($client{bert}, %rejection), 200)->{status}, 'failed',
    'another rejects it';
};

subtest 'an erasure' => sub {
  answer_is($shop->{client}->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $shop->{workflow_id}, jurisdiction => 'US-CA',
    email => 'erased@example.com', skip_verification => JSON::PP::true}), 201);
  my $person = answer_is($shop->{client}->post('/v1/verified_person/lookup',
    {email => 'erased@example.com'}), 200)->{verified_person_id};
  my $erase = "$own/persons/$person/erase";
  is answer_is($client{$first}->post($erase, {}), 200)->{status}, 'requested', 'asked for';
  one_person(403, 'four_eyes_required', sub { $_[0]->post($erase, {}) });
  is answer_is($client{bert}->post($erase, {}), 200)->{status}, 'erased',
    'another confirms it';
};

subtest 'a draft' => sub {
  my $draft = $client{$first}->post("$own/workflow_drafts",
    {workflow_id => $shop->{workflow_id}});
  my $publish = "$own/workflow_drafts/" . answer_is($draft, 201)->{id} . '/publish';
  my @seen = ('If-Match' => $draft->header('ETag'));
  one_person(403, 'four_eyes_required', sub { $_[0]->post($publish, {}, @seen) });
  answer_is($client{bert}->post($publish, {}, @seen), 200, 'another publishes it');
};

finish($service);
