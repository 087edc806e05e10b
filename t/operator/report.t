# The report for auditors: figures of a period, each with its denominator and its
# interval, and never a verdict.
use v5.32;
use utf8;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP ();
use Verify::Command;
use Verify::Test;

my $service = Verify::Instance->start(start => 0);
my $command = Verify::Command->new($service);
my $json = JSON::PP->new->utf8;
my $organization = $command->prints([qw(org create --name), 'Shop <b>"&'])->{id};
my $other = $command->prints([qw(org create --name Other)])->{id};
my ($signing) = map { $_->{id} } @{$command->prints([qw(oidc key rotate)])};
my $secret = $command->prints([qw(key create --type secret --org), $organization])->{key};

# Ids begin with their time of creation: here with that of a session of a day.
my @digits = split //, '0123456789abcdefghjkmnpqrstvwxyz';
sub id {
  my ($prefix, $day, $number) = @_;
  my $milliseconds = $day * 86_400_000 + $number;
  my $text = join '', map { $digits[($milliseconds >> 5 * $_) & 31] } reverse 0 .. 9;
  return $prefix . $text . '0' x 16;
}
my $day = 20_454; # 2026-01-01
sub add_session {
  my ($owner, $on, $number, $status, $verdict) = @_;
  my $id = id('vks_', $on, $number);
  $service->sql(<<'SQL', $owner, $id, $status, $status eq 'verified' ? '{"assurance": "signed"}' : undef);
INSERT INTO verification_session (organization_id, id, workflow_id, workflow_version_id, livemode,
  revision, status, type, methods, metadata, created_at, updated_at, expires_at, runner,
  client_secret_digest, verification_result)
VALUES (?, ?, 'wf_1', 'wfv_1', true, 1, ?, 'age', '{mdl}', '{}', 1, 1, 1, '{}', '', ?)
SQL
  $service->sql(<<'SQL', $owner, $id, $verdict) if $verdict;
INSERT INTO decision_record (organization_id, session_id, submission, method, verdict, record, decided_at)
VALUES (?, ?, 1, 'mdl', ?, '{"basis": [{"kind": "law", "id": "US-VA", "version": "7"}]}', 1)
SQL
  return $id;
}
add_session($organization, $day + 30, $_, 'verified', 'passed') for 1 .. 38;
add_session($organization, $day + 30, $_, 'failed', 'failed') for 39 .. 40;
add_session($organization, $day, 1, 'expired');
# Of other days, and of another organization.
add_session($organization, $day - 1, 1, 'verified', 'passed');
add_session($organization, $day + 31, 1, 'verified', 'passed');
add_session($other, $day + 30, 1, 'verified', 'passed');
my $reviewed = add_session($organization, $day + 1, 1, 'verified', 'undetermined');
$service->sql(<<'SQL', $organization, $reviewed, 'rve_1');
INSERT INTO review_entry (organization_id, session_id, number, id, action, created_at)
VALUES (?, ?, 1, ?, 'approved', 1)
SQL
$service->sql(<<'SQL', $organization, 'rve_1', $reviewed);
INSERT INTO second_review (organization_id, id, session_id, first_reviewer, first_decision, chosen_at,
  deadline_at, second_reviewer, second_decision, decided_at)
VALUES (?, ?, ?, 'a', 'approve', 1, 1, 'b', 'reject', 1)
SQL

my @period = (qw(--from 2026-01-01 --to 2026-01-31 --org), $organization);
my $report = $command->prints([qw(report assurance), @period]);
my %section = map { $_->{section} => {map { $_->{figure} => $_ } @{$_->{figures}}} } @{$report->{sections}};
sub figure {
  my ($section, $figure, @expected) = @_;
  my $found = $section{$section}{$figure};
  is_deeply [@$found{qw(value of)}], \@expected, "$section: $figure" or diag explain $section{$section};
  return $found;
}

subtest 'figures' => sub {
  figure('sessions', 'created', 42, undef);
  figure('sessions', 'verified', 39, 42);
  figure('sessions', 'expired', 1, 42);
  my $passed = figure('methods', 'mdl passed', 38, 41);
  is_deeply [@$passed{qw(share low high)}, !!$passed->{too_few_cases}], [0.9268, 0.8057, 0.9748, !!0],
    'a share has an interval';
  figure('methods', 'mdl undetermined', 1, 41);
  figure('assurance', 'signed', 39, 39);
  figure('basis', 'law US-VA 7', 41, 41);
  my $agreed = figure('second_reviews', 'agreed', 0, 1);
  is_deeply [@$agreed{qw(share low high)}, !!$agreed->{too_few_cases}], [undef, 0, 0.7935, !!1],
    'few cases have no share';
  figure('reviews', 'approved', 1, 1);
  figure('kept', 'sessions', 44, undef);
  figure('kept', 'days_of_oldest_session', int(time / 86_400), undef);
  figure('kept', 'days_of_oldest_evidence', 0, undef);
  like $section{keys}{"id_token $signing"}{value}, qr/\ARS256, created on \d{4}-\d\d-\d\d\z/, 'a signing key';
  figure('events', 'deliveries_failed', 0, 0);
  figure('keys', 'restricted_secret_keys', 0, 1);
  is $section{record}{chain}{value}, 'valid', 'the record is verified';
  is_deeply [grep { !$_->{note} } @{$report->{sections}}], [], 'each section says what is counted';
  is_deeply [grep { !$section{$_} } map { @{$_->{sections}} } @{$report->{clauses}}], [],
    'what clauses ask for is there';
};

subtest 'words' => sub {
  my ($status, $page) = $command->run(qw(report assurance --html), @period);
  is $status, 0, 'a page';
  my $text = $json->encode($report) . $page;
  unlike $text, qr/certif(?!icate)|compliant|conforms|\Q$secret\E/i, 'no verdict, no secret';
  like $page, qr/Shop &lt;b&gt;&quot;&amp;/, 'names are texts';
  like $page, qr/<td>mdl passed<td>38<td>41<td>92\.7 % \(80\.6 % to 97\.5 %\)/, 'a share';
  like $page, qr/<td>agreed<td>0<td>1<td>too few cases \(0\.0 % to 79\.[34] %\)/, 'too few cases';
  unlike $page, qr/<script|src=|href="(?!#)/, 'it loads nothing';
};

$command->refuses([qw(report assurance --from 2026-01 --to 2026-01-31 --org), $organization], qr/YYYY-MM-DD/);
$command->refuses([qw(report assurance --from 2026-02-01 --to 2026-01-31 --org), $organization], qr/before/);
finish($service);
