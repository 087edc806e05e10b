# What a reviewer's approval makes of an age: of one that the document leaves open,
# and of one that it surely shows to be too low, by a law and without.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use File::Temp ();
use JSON::PP ();
use Verify::Dashboard;
use Verify::Specimen;
use Verify::Test;

my $service = Verify::Instance->start(start => 0);
sub workflow { {name => 'Held', start => 'id', @_, nodes => {
  id => {type => 'methods', methods => ['document_capture'], max_attempts => 1,
    next => {passed => 'granted', exhausted => 'look'}},
  look => {type => 'review', next => {approved => 'granted', rejected => 'denied'}},
  granted => {type => 'outcome', status => 'verified'},
  denied => {type => 'outcome', status => 'failed'}}} }
my %who = (
  'by law' => $service->organization(sandbox => 1,
    workflow => workflow(use_case => 'alcohol_in_person')),
  'by the workflow' => $service->organization(sandbox => 1,
    workflow => workflow(required_age_tier => 'min_age_21')));
my $dashboard = Verify::Dashboard->prepare($service, anna => 'reviewer *');
$service->start_httpd;
my $anna = $dashboard->client('anna');

my $images = File::Temp->newdir;
sub picture {
  my ($pattern) = @_;
  my ($file) = sort glob("$images/$pattern") or die "no $pattern\n";
  return Verify::Instance::read_text($file);
}
my $year = (localtime)[5] + 1900;
# Of somebody of 16: a licence that may be true, and one that was issued before
# anybody may drive, which is false besides.
my %minor = map {
  my ($name, $expires) = @$_;
  system('/usr/bin/python3', 't/lib/specimen_barcodes.py', '--issuer', 'test', '--each', '1',
    '--only', 'straight', '--born', ($year - 16) . '-01-01', '--expires', $expires,
    "$images/$name") == 0
    or die "no specimen\n";
  ($name => picture("$name/*.{jpg,png}"));
} ['honest', $year + 6], ['false', $year + 3];
# A passport that says of the birth the year alone: 20 or 21 years of age.
my $birth = sprintf '%02d<<<<', ($year - 21) % 100;
system('/usr/bin/python3', '-c', <<'PYTHON', "$images/zones", '1', '7', '1', $birth) == 0
import sys
sys.path.insert(0, 't/lib')
import mrz_images
birth, date = sys.argv.pop(), mrz_images.date
mrz_images.date = lambda rng, first, last: (
    birth if (first, last) == (40, 105) else date(rng, first, last))
mrz_images.printed_date = lambda text, century: 'XX XXX 20' + text[:2]
mrz_images.main()
PYTHON
  or die "no passport\n";
my $open = picture('zones/1_td3_*.jpg');

sub held {
  my ($whose, $photograph) = @_;
  my $session = answer_is($whose->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $whose->{workflow_id}, jurisdiction => 'US-CA'}),
    201, 'a session');
  is show_specimen($service, $session, photograph => $photograph)->{status},
    'under_review', 'is held';
  return $session->{id};
}
sub approve {
  my ($whose, $review) = @_;
  answer_is($anna->post("$review/claim", {}), 200, 'claimed');
  return answer_is($anna->post("$review/decide", {decision => 'approve',
    reason_code => 'evidence_convincing'}), 200, 'approved');
}

for my $law (sort keys %who) {
  my $whose = $who{$law};
  my $reviews = "/dashboard/v1/organizations/$whose->{id}/reviews";
  subtest "an open age, $law" => sub {
    my $id = held($whose, $open);
    my $known = answer_is($anna->get("$reviews/$id"), 200, 'what is known');
    is_deeply [@$known{qw(required_age is_old_enough held_method)}],
      [21, undef, 'document_capture'], 'whether it suffices is open';
    is approve($whose, "$reviews/$id")->{status}, 'verified', 'the reviewer decides it';
    my ($credential) = @{$service->sql(
      'SELECT * FROM credential WHERE session_id = ?', $id)};
    is $credential->{age_tier}, 'min_age_21', '... for what is demanded';
    my $result = JSON::PP::decode_json($service->sql(
      'SELECT verification_result FROM verification_session WHERE id = ?', $id)
      ->[0]{verification_result});
    is_deeply [@$result{qw(age_verified age_estimate reviewed)}],
      [JSON::PP::true, 21, JSON::PP::true], '... which the result says, and who decided';
  };
  for my $which (sort keys %minor) {
    subtest "too young, $which, $law" => sub {
      my $id = held($whose, $minor{$which});
      my $known = answer_is($anna->get("$reviews/$id"), 200, 'what is known');
      is_deeply [@$known{qw(required_age is_old_enough held_method)}],
        [21, JSON::PP::false, undef], 'it does not suffice';
      is approve($whose, "$reviews/$id")->{status}, 'failed', 'no approval mends that';
      is $whose->{client}->get("/v1/verification_sessions/$id")->json->{last_error}{code},
        'under_age', '... which is said';
      is_deeply $service->sql('SELECT id FROM credential WHERE session_id = ?', $id), [],
        'nothing is minted';
    };
  }
}

finish($service);
