# The rules of compliance in sessions: tier and exact age, prohibition, physical
# check and its message, methods, validity of credentials, the compliance block.
use v5.32;
use warnings;
use File::Temp ();
use JSON::PP ();
use POSIX qw(strftime);
use Verify::Rules qw(country rule write_rules);
use Verify::Specimen;
use Verify::Test;

my ($true, $false) = (JSON::PP::true, JSON::PP::false);

# A day so many from today, where the rules are.
sub day {
  my ($days) = @_;
  return strftime '%Y-%m-%d', gmtime time + 3600 + 86400 * $days;
}
# 16 until the day, 21 from then on.
sub raised {
  my ($day) = @_;
  return [rule(prohibited => $false, minimum_age => 16, until => $day),
    rule(prohibited => $false, minimum_age => 21, from => $day)];
}
my %products = (
  gambling_in_person => raised(day(2)),
  alcohol_in_person => [rule(prohibited => $false, minimum_age => 18),
    rule(article => 'beer', minimum_age => 16)],

  alcohol_delivery => rule(prohibited => $false, minimum_age => 19,
    mdl_acceptance_status => 'supplementary', physical_check_required => $true,
    user_message => 'Bring your card.', governing_regulator => 'Office',
    credential_validity_days => 30),
  gambling_online => rule(prohibited => $false, minimum_age => 16),
  firearms => rule(prohibited => 'unknown', minimum_age => 'unknown'),
  tobacco_nicotine => rule(prohibited => $false, minimum_age => 18,
    allowed_methods => ['mdl', 'nfc_passport']),
);
my $rules = write_rules(country('DE', \%products, regions => {
  BY => {name => 'Region', rules => {
    alcohol_delivery => rule(prohibited => $true, prohibited_reason => 'Dry.')}},
  BE => {name => 'Region', rules => {
    alcohol_delivery => rule(minimum_age => 16, physical_check_required => $false)}},
}), country('AT', {}));
my $overlay = File::Temp::tempdir('verify-overlay-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);
chmod 0755, $overlay;
my %review = (by => 'Legal', on => '2026-11-01', next_due => '2027-11-01');
sub write_overlay {
  my ($version, $age) = @_;
  open my $file, '>', "$overlay/AT.json" or die "AT.json: $!\n";
  print $file JSON::PP->new->encode({rule_version => $version, rules => {
    alcohol_delivery => {minimum_age => $age, review => \%review}}});
  close $file or die "AT.json: $!\n";
}
write_overlay('shop-1', 20);
my $service = Verify::Instance->start(conf => "VerifyComplianceRules $rules\n"
  . "VerifyComplianceOverlay $overlay\nVerifyTestIssuers on\n");
my $organization = $service->organization(sandbox => 1);
my $client = $organization->{client};

# A workflow for a use case; returns what creates sessions in it.
sub workflow {
  my ($use_case, %settings) = @_;
  my $id = $service->publish($organization->{id}, {
    name => "For $use_case", use_case => $use_case, start => 'id',
    nodes => {
      id => {type => 'methods', mode => 'any_of', methods => ['document_capture'],
        max_attempts => 1, next => {passed => 'granted', exhausted => 'denied'}},
      granted => {type => 'outcome', status => 'verified'},
      denied => {type => 'outcome', status => 'failed'},
    }, %settings})->{id};
  return sub {
    return $client->post('/v1/verification_sessions', {type => 'age',
      workflow_id => $id, jurisdiction => 'DE', @_});
  };
}
my $alcohol = workflow('alcohol_delivery');

subtest 'what a rule brings' => sub {
  my $session = answer_is($alcohol->(), 201);
  is $session->{age_tier}, 'min_age_21', 'the smallest tier not below 19';
  ok $session->{physical_check_required}, 'physical check';
  is $session->{user_message}, 'Bring your card.', 'its message';
  is_deeply $session->{compliance}, {jurisdiction => 'DE', age_tier => 'min_age_21',
    mdl_acceptance_status => 'supplementary', mdl_legally_recognized => $true,
    physical_check_required => $true, user_message => 'Bring your card.',
    governing_regulator => 'Office', rule_version => 'DE-7',
    as_of => $session->{compliance}{as_of}}, 'the block';
  like $session->{compliance}{as_of}, qr/\A20\d\d-\d\d-\d\d\z/, 'the day of its law';
  my ($stored) = @{$service->sql(
    q{SELECT compliance->>'required_age' AS age, runner->>'required_age' AS exact
        FROM verification_session WHERE id = $1}, $session->{id})};
  is_deeply [@$stored{qw(age exact)}], [19, 19], 'the exact age is kept';
  my $found = $client->get("/v1/verification_sessions/$session->{id}")->json;
  is_deeply $found->{compliance}, $session->{compliance}, 'the same on retrieval';
  is $found->{user_message}, 'Bring your card.', 'the message too';
};

is $alcohol->(custom_user_message => 'Ours.')->json->{user_message}, 'Ours.',
  'custom_user_message goes before the rule';

subtest 'regions' => sub {
  error_is($alcohol->(jurisdiction => 'DE-BY'), 422, 'use_case_prohibited');
  my $session = $alcohol->(jurisdiction => 'DE-BE')->json;
  is $session->{age_tier}, 'min_age_16', 'their own age';
  ok !$session->{physical_check_required}, 'no physical check';
  is $session->{user_message}, undef, 'and no message';
  is $session->{compliance}{governing_regulator}, 'Office', 'what they inherit';
  is $session->{compliance}{jurisdiction}, 'DE-BE', 'the region itself';
};

subtest "the operator's overlay" => sub {
  my $compliance = sub { $alcohol->(jurisdiction => 'AT')->json->{compliance} };
  my $session = answer_is($alcohol->(jurisdiction => 'AT'), 201);
  is $session->{compliance}{age_tier}, 'min_age_21', 'its age';
  is $session->{compliance}{rule_version}, 'AT-7+shop-1', 'both versions';
  is $alcohol->()->json->{compliance}{rule_version}, 'DE-7', '... only where it has rules';
  is show_specimen($service, $session)->{status}, 'verified', 'a session under it';
  my $law = JSON::PP->new->decode($service->sql_value(
    q{SELECT record->'law' FROM decision_record WHERE session_id = $1}, $session->{id}));
  is $law->{required_age}, 20, 'the decision keeps the text of the rule';
  is $law->{rule_version}, 'AT-7+shop-1', '... with its version';
  is $law->{jurisdiction}, 'AT', '... and jurisdiction';
  is $law->{parts}[0]{sources}[0]{citation}, 'Test Act § 1', '... its sources';
  is_deeply $law->{parts}[0]{review}, \%review, '... and its review record';
  write_overlay('shop-2', 16);
  $service->graceful;
  ok wait_for { $compliance->()->{rule_version} eq 'AT-7+shop-2' },
    'a reload reads it anew';
  is $compliance->()->{age_tier}, 'min_age_16', '... with its age';
};

subtest 'a workflow may demand more, never less' => sub {
  my $more = workflow('gambling_online', required_age_tier => 'min_age_18');
  is $more->()->json->{age_tier}, 'min_age_18', 'the workflow';
  my $less = workflow('alcohol_delivery', required_age_tier => 'min_age_13');
  is $less->()->json->{age_tier}, 'min_age_21', 'the law';
};

subtest 'a workflow may name an article' => sub {
  is workflow('alcohol_in_person')->()->json->{age_tier}, 'min_age_18', 'any';
  is workflow('alcohol_in_person', article => 'beer')->()->json->{age_tier},
    'min_age_16', 'beer';
};

# Writes the rules anew, as a day would change what holds, and waits until the
# condition shows that they are read.
sub change_rules {
  my ($rule, $read) = @_;
  my $file = "$rules/DE.json";
  open my $in, '<', $file or die "$file: $!\n";
  my $country = JSON::PP::decode_json(do { local $/; <$in> });
  close $in;
  $country->{rules}{gambling_in_person} = $rule;
  $country->{rule_version} = 'DE-8';
  open my $out, '>', $file or die "$file: $!\n";
  print $out JSON::PP->new->utf8->encode($country);
  close $out;
  $service->graceful;
  ok wait_for { $read->() }, 'the rules are read anew';
}

subtest 'the law of the day of the check decides' => sub {
  my $bets = workflow('gambling_in_person');
  my ($young, $old, $late) = map { $bets->()->json } 1 .. 3;
  is $young->{age_tier}, 'min_age_16', 'created before the age was raised';
  my $today = day(0);
  change_rules(raised($today), sub { $bets->()->json->{age_tier} eq 'min_age_21' });
  my $nineteen = strftime '%Y-%m-%d', gmtime time - 86400 * 365.25 * 19;
  my $shown = Verify::Specimen::photograph('--born', $nineteen);
  is show_specimen($service, $young, photograph => $shown)->{status}, 'failed',
    'who is 19 does not pass any more';
  my $found = $client->get("/v1/verification_sessions/$young->{id}")->json;
  is $found->{age_tier}, 'min_age_21', 'the session shows the new tier';
  is $found->{compliance}{rule_version}, 'DE-8', 'the new rules';
  cmp_ok $found->{compliance}{as_of}, 'ge', $today, 'and their day';
  is show_specimen($service, $old)->{status}, 'verified', 'who is older passes';
  change_rules(rule(prohibited => $true, prohibited_reason => 'Closed.',
      minimum_age => 'unknown'),
    sub { $bets->()->status == 422 });
  my $view = show_specimen($service, $late);
  is $view->{status}, 'failed', 'a session of before fails at its submission';
  is $client->get("/v1/verification_sessions/$late->{id}")->json->{last_error}{code},
    'use_case_prohibited', 'and says why';
};

subtest 'the law of the day of the approval decides' => sub {
  local $ENV{VERIFY_COMPLIANCE_RULES} = $rules;
  my $bets = workflow('gambling_in_person', start => 'id', nodes => {
    id => {type => 'methods', methods => ['document_capture'],
      next => {passed => 'hold', exhausted => 'denied'}},
    hold => {type => 'review', next => {approved => 'granted', rejected => 'denied'}},
    granted => {type => 'outcome', status => 'verified'},
    denied => {type => 'outcome', status => 'failed'}});
  change_rules(rule(prohibited => $false, minimum_age => 16),
    sub { $bets->()->status == 201 });
  my @held = map { $bets->()->json } 1, 2;
  is show_specimen($service, $_)->{status}, 'under_review', 'held' for @held;
  my $approve = sub {
    return $service->verifyctl(qw(review decide), $_[0]{id}, 'approve',
      '--by', 'reviewer-7')->{status};
  };
  is $approve->($held[0]), 'verified', 'what the law allows';
  change_rules(rule(prohibited => $true, prohibited_reason => 'Closed.',
      minimum_age => 'unknown'),
    sub { $bets->()->status == 422 });
  is $approve->($held[1]), 'failed', 'what it prohibits meanwhile';
  is $client->get("/v1/verification_sessions/$held[1]{id}")->json->{last_error}{code},
    'use_case_prohibited', 'and says why';
};

subtest 'where nothing is known' => sub {
  for my $session (workflow('firearms')->()->json,
    $alcohol->(jurisdiction => 'FR')->json) {
    is $session->{status}, 'created', 'nothing is prohibited';
    is $session->{age_tier}, undef, 'no tier';
    is $session->{compliance}, undef, 'no block';
    ok !$session->{physical_check_required}, 'no physical check';
  }
  my $own = workflow('firearms', required_age_tier => 'min_age_18')->()->json;
  is $own->{compliance}{age_tier}, 'min_age_18', "the workflow's own tier";
  is $own->{compliance}{mdl_acceptance_status}, 'unknown', 'mdl unknown';
  ok !$own->{compliance}{mdl_legally_recognized}, 'not recognized then';
  is $own->{compliance}{rule_version}, undef, 'no rule';
};

is_deeply workflow('tobacco_nicotine')->()->json->{methods}, [],
  'methods that the law does not accept are removed';

subtest 'validity of the credential' => sub {
  answer_is($alcohol->(skip_verification => $true,
    email => 'specimen@shop.example'), 201);
  my $days = $service->sql_value(
    q{SELECT round((expires_at - verified_at) / 86400000.0)
        FROM credential ORDER BY verified_at DESC LIMIT 1});
  is $days, 30, "the rule's days";
};

finish($service);
