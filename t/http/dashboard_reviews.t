# Reviews in the dashboard: the queue, what is known of a session, claims,
# decisions, pictures of what was shown, and what happened in which order.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp ();
use JSON::PP ();
use MIME::Base64 qw(encode_base64);
use Verify::Test;

my $service = Verify::Instance->start(start => 0);
my $who = $service->organization(sandbox => 1, workflow => {name => 'Held',
  start => 'id', nodes => {
    id => {type => 'methods', methods => ['document_capture'],
      next => {passed => 'hold', exhausted => 'hold'}},
    hold => {type => 'review', next => {approved => 'granted', rejected => 'denied'}},
    granted => {type => 'outcome', status => 'verified'},
    denied => {type => 'outcome', status => 'failed'}}});
my $other = $service->organization(sandbox => 1);
my $directory = $service->{directory};
my %role = (anna => 'reviewer', Anna => 'reviewer', bert => 'reviewer', olga => 'auditor',
  dora => 'developer');
open my $passwords, '>', "$directory/passwords" or die "passwords: $!\n";
for my $user (sort keys %role) {
  chomp(my $hash = `openssl passwd -apr1 'pass-$user'`);
  print $passwords "$user:$hash\n";
}
close $passwords;
chmod 0644, "$directory/passwords";
sub module { "LoadModule $_[0]_module \${VERIFY_MODULES}/mod_$_[0].so\n" }
$service->{conf} = join '', "VerifyTestIssuers on\n",
  map({ module($_) } qw(auth_basic authn_file authz_user)),
  map({ "VerifyOperator $role{$_} $who->{id} user $_\n" } sort keys %role), <<"CONF";
<Location "/dashboard">
    AuthType Basic
    AuthName dashboard
    AuthBasicProvider file
    AuthUserFile "$directory/passwords"
    Require valid-user
</Location>
CONF
$service->start_httpd;
my %client = map {
  $_ => $service->client(undef, headers => {
    Authorization => 'Basic ' . encode_base64("$_:pass-$_", ''),
    'Sec-Fetch-Site' => 'same-origin'})
} keys %role;
my $own = "/dashboard/v1/organizations/$who->{id}";

# A session whose document waits for a reviewer, and the picture of it.
my $images = File::Temp->newdir;
system('/usr/bin/python3', 't/lib/specimen_barcodes.py', '--issuer', 'test', '--only',
  'straight', "$images") == 0 or die "no specimen\n";
my ($file) = (sort glob("$images/*.jpg"), glob("$images/*.png"));
my $photograph = Verify::Instance::read_text($file);
sub held {
  my $session = answer_is($who->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $who->{workflow_id}, jurisdiction => 'US-CA'}),
    201, 'a session');
  my $person = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}";
  $person->post("$path/open", {});
  $person->post("$path/consent", {consent => JSON::PP::true});
  answer_is($person->put("$path/images/front", $photograph,
    'Content-Type' => 'image/jpeg'), 200, 'photographed');
  answer_is($person->post("$path/submissions",
    {method => 'document_capture', images => ['front']}), 200, 'submitted');
  ok wait_for { $person->get($path)->json->{status} eq 'under_review' }, 'is held';
  return $session->{id};
}
my $id = held();
my ($review, $evidence) = ("$own/reviews/$id", "$own/sessions/$id/evidence/front");
my %rejection = (decision => 'reject', reason_code => 'document_forged');

subtest 'the queue and what is known' => sub {
  my $page = answer_is($client{olga}->get("$own/reviews"), 200, 'an auditor reads it');
  is_deeply [map { $_->{session_id} } @{$page->{data}}], [$id], 'one waits';
  is $page->{data}[0]{claim}, undef, 'nobody has it';
  my $known = answer_is($client{olga}->get($review), 200, 'what is known');
  is $known->{session}{status}, 'under_review', 'the session';
  is_deeply $known->{evidence}, ['front'], 'its evidence, by name';
  is $known->{decisions}[0]{method}, 'document_capture', 'its checks';
  ok @{$known->{decisions}[0]{checks}}, '... with their codes';
  error_is($client{olga}->get("$own/reviews?cursor=x"), 400, 'parameter_invalid',
    'cursor');
  error_is($client{olga}->get("$own/reviews/vks_none"), 404, 'session_not_found');
};

subtest 'who may not' => sub {
  for my $user (qw(olga dora)) {
    error_is($client{$user}->post("$review/claim", {}), 403, 'operator_role_required');
    error_is($client{$user}->post("$review/decide", {%rejection}), 403,
      'operator_role_required');
    error_is($client{$user}->post($evidence, {reason => 'review'}), 403,
      'operator_role_required');
  }
  error_is($client{anna}->get("/dashboard/v1/organizations/$other->{id}/reviews"),
    403, 'operator_role_required');
};

subtest 'evidence' => sub {
  error_is($client{anna}->post($evidence, {}), 400, 'parameter_invalid', 'reason');
  error_is($client{anna}->post($evidence, {reason => 'curiosity'}), 400,
    'parameter_invalid', 'reason');
  is $client{anna}->get($evidence)->status, 405, 'is not to be got by GET';
  my $answer = $client{anna}->post($evidence, {reason => 'review'});
  is $answer->status, 200, 'a reviewer looks';
  is $answer->header('Content-Type'), 'image/jpeg', 'at a picture';
  like $answer->header('Cache-Control'), qr/no-store/, '... that nobody keeps';
  ok $answer->body eq $photograph, '... the one that was shown';
  my $actions = answer_is($client{olga}->get("$own/audit"), 200)->{data};
  is_deeply [map { "$_->{actor} $_->{subject} $_->{reason}" }
    grep { $_->{action} =~ /evidence/ } @$actions], ["anna $id review"],
    'each look is recorded, refusals are none';
  is((grep { $_->{action} =~ /evidence/ } @$actions)[0]{details}{side}, 'front',
    '... with what was looked at');
  error_is($client{anna}->post("$own/sessions/$id/evidence/back",
    {reason => 'review'}), 404, 'resource_missing', undef, 'what is not there');
};

subtest 'claims and decisions' => sub {
  ok answer_is($client{anna}->post("$review/claim", {}), 200)->{claim}{is_own},
    'one has it';
  error_is($client{bert}->post("$review/claim", {}), 409, 'review_claimed');
  error_is($client{bert}->post("$review/decide", {%rejection}), 409, 'review_claimed');
  my ($item) = @{answer_is($client{bert}->get("$own/reviews"), 200)->{data}};
  is_deeply [@{$item->{claim}}{qw(reviewer is_own)}], ['anna', JSON::PP::false],
    'others see who';
  is_deeply answer_is($client{bert}->get("$own/reviews?unclaimed=true"), 200)->{data},
    [], 'and what is left';
  is answer_is($client{bert}->post("$review/release", {}), 200)->{claim}{reviewer},
    'anna', 'nobody gives back what another has';
  is answer_is($client{anna}->post("$review/release", {}), 200)->{claim}, undef,
    'given back';
  error_is($client{anna}->post("$review/decide", {decision => 'approve',
    reason_code => 'document_forged'}), 400, 'parameter_invalid', 'reason_code');
  error_is($client{anna}->post("$review/decide", {decision => 'reject',
    reason_code => 'other_rejection'}), 400, 'parameter_invalid', 'note');
  my @same = ('Idempotency-Key' => 'decide-1');
  is answer_is($client{bert}->post("$review/decide", {%rejection,
    note => 'the hologram'}, @same), 200)->{status}, 'failed', 'decided';
  is answer_is($client{bert}->post("$review/decide", {%rejection,
    note => 'the hologram'}, @same), 200)->{status}, 'failed', 'and replayed';
  error_is($client{anna}->post("$review/decide", {%rejection}), 409,
    'session_state_conflict', undef, 'who comes second is told');
  error_is($client{anna}->post($evidence, {reason => 'review'}), 409,
    'session_state_conflict', undef, 'the evidence is gone');
  my $actions = answer_is($client{olga}->get("$own/audit"), 200)->{data};
  is scalar(grep { $_->{action} =~ /decide/ } @$actions), 1, 'recorded once';
  unlike(JSON::PP->new->encode($actions), qr/hologram/, '... without the note');
};

subtest 'who flagged a session' => sub {
  my $flagged = held();
  answer_is($client{anna}->post("$own/reviews/$flagged/decide", {decision => 'approve',
    reason_code => 'person_known'}), 200, 'approved');
  answer_is($client{anna}->post("$own/session_reviews/sessions/$flagged/flag", {}),
    200, 'flagged');
  error_is($client{anna}->post("$own/reviews/$flagged/decide", {%rejection}), 403,
    'reviewer_not_independent');
  error_is($client{Anna}->post("$own/reviews/$flagged/decide", {%rejection}), 403,
    'reviewer_not_independent', undef, 'whatever the case of the login');
  error_is($client{anna}->post("$own/reviews/$flagged/claim", {}), 403,
    'reviewer_not_independent', undef, 'nor keeps others from it');
  error_is($client{anna}->post("$own/verification_sessions/$flagged/cancel", {}), 403,
    'reviewer_not_independent', undef, 'nor ends it by cancelling');
  answer_is($client{bert}->post("$own/reviews/$flagged/decide", {%rejection}), 200,
    'another decides');
};

subtest 'who cancels' => sub {
  my $held = held();
  my $cancel = "$own/verification_sessions/$held/cancel";
  answer_is($client{anna}->post("$own/reviews/$held/claim", {}), 200, 'one has it');
  error_is($client{bert}->post($cancel, {}), 409, 'review_claimed', undef,
    'another does not end it');
  is answer_is($client{anna}->post($cancel, {}), 200)->{status}, 'cancelled',
    'who has it does';
  is answer_is($client{bert}->post($cancel, {}), 200)->{status}, 'cancelled',
    'and again is no change';
  my $theirs = held();
  answer_is($client{anna}->post("$own/reviews/$theirs/claim", {}), 200, 'claimed');
  is answer_is($who->{client}->post("/v1/verification_sessions/$theirs/cancel", {}),
    200)->{status}, 'cancelled', 'a server cancels whatever is claimed';
};

subtest 'what happened' => sub {
  my $path = "$own/sessions/$id/timeline";
  my $page = answer_is($client{olga}->get("$path?limit=100"), 200, 'to a session');
  my @kinds = map { $_->{kind} } @{$page->{data}};
  is $kinds[0], 'created', 'first its creation';
  my @times = map { $_->{at} } @{$page->{data}};
  is_deeply \@times, [sort { $a <=> $b } @times], 'in order';
  my %seen = map { $_ => 1 } @kinds;
  is_deeply [grep { !$seen{$_} } qw(created consented completed event review decision)],
    [], 'of each kind';
  my ($entry) = grep { $_->{kind} eq 'review' && $_->{detail}{action} eq 'rejected' }
    @{$page->{data}};
  is_deeply [@{$entry->{detail}}{qw(by reason_code)}], ['bert', 'document_forged'],
    'who decided and why';
  my @walked;
  my $at = '';
  while (my $one = answer_is($client{olga}->get("$path?limit=2$at"), 200)) {
    push @walked, @{$one->{data}};
    last unless $one->{has_more};
    $at = "&cursor=$one->{data}[-1]{cursor}";
  }
  is_deeply \@walked, $page->{data}, 'page by page';
  error_is($client{olga}->get("$path?cursor=1.A"), 400, 'parameter_invalid', 'cursor');
  error_is($client{olga}->get("$own/sessions/vks_none/timeline"), 404,
    'session_not_found');
};

finish($service);
