# The whole way of a counter: a chip on a reader of PC/SC, verify-read-passport,
# and the service, which has the chip prove itself by challenge and by relay.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use File::Temp ();
use IO::Socket::UNIX;
use JSON::PP ();
use Verify::ChipReader;
use Verify::Test;

my $obstacle = Verify::ChipReader::obstacle();
plan skip_all => $obstacle if $obstacle;
my $json = JSON::PP->new->utf8;
my $yes = JSON::PP::true;

is system('/usr/bin/python3', 't/lib/simulated_chip.py', '--check'), 0,
  'the chip computes as the worked examples of 9303-11';
my $reader = Verify::ChipReader->start;
my $service = Verify::Instance->start;
my $receiver = $service->receiver;
my $shop = $service->organization(workflow => {name => 'Counter',
  start => 'id', nodes => {
    id => {type => 'methods', methods => ['nfc_passport'], max_attempts => 2,
      accept_unknown_revocation => $yes, require_genuine_chip => $yes,
      next => {passed => 'granted', exhausted => 'denied'}},
    granted => {type => 'outcome', status => 'verified'},
    denied => {type => 'outcome', status => 'failed'}}});
my $endpoint = answer_is($shop->{client}->post('/v1/webhook_endpoints',
  {url => $receiver->url('/counter'), enabled_events => ['*']}), 201);
$receiver->expect_secret('/counter', $endpoint->{secret});

# The view of a session after the chip on the reader was read for it.
sub show {
  my $session = answer_is($shop->{client}->post('/v1/verification_sessions',
    {type => 'identity', workflow_id => $shop->{workflow_id},
      jurisdiction => 'DE'}), 201, 'a session');
  my $person = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}";
  $person->post("$path/open", {});
  $person->post("$path/consent", {consent => $yes});
  local $ENV{VERIFY_CLIENT_SECRET} = $session->{client_secret};
  my ($status, $text) = $reader->read_chip('--wait', 20, '--session',
    $service->base_url . $path);
  my ($printed) = $text =~ /^(\{.*\})$/m;
  my $view = $person->get($path)->json;
  is $json->decode($printed // '{}')->{status}, $view->{status},
    'the program waits and prints how the session stands' or diag $text;
  is $status, $view->{status} eq 'requires_input' ? 3 << 8 : 0,
    '... which its status says, too' or diag $text;
  my $results = $shop->{client}->get(
    "/v1/verification_sessions/$session->{id}?expand[]=results")->json->{results};
  my %check = map { $_->{name} => $_->{reason} // 'passed' }
    @{$results->[-1]{checks}};
  return ($session, $view, \%check, $text);
}

# A portrait of KIB KiB, as a codestream of JPEG 2000 with padding behind its end.
my $pictures = File::Temp->newdir;
sub portrait_of_size {
  my ($kib) = @_;
  my $file = "$pictures/$kib.j2k";
  is system('/usr/bin/python3', '-c', 'import sys; from PIL import Image; '
    . 'Image.new("RGB", (320, 400)).save(sys.argv[1], "JPEG2000"); '
    . 'file = open(sys.argv[1], "ab"); '
    . 'file.write(bytes(i * i // 97 & 255 for i in range(int(sys.argv[2]) * 1024)))',
    $file, $kib), 0, "a portrait of $kib KiB";
  return $file;
}

# Options of the chip, how access is given, the two proofs.
for my $row (
  # Offsets of more than 15 bits, and of more than 16.
  [[qw(--access pace --chip aes --active ec --portrait), portrait_of_size(70)],
    'pace', 'passed', 'passed'],
  [[qw(--access bac --chip 3des --active none --portrait), portrait_of_size(41)],
    'bac',
    'active_authentication_unsupported', 'passed'],
  [[qw(--access pace --chip none --active rsa --further)], 'pace', 'passed',
    'chip_authentication_unsupported']) {
  my ($options, $access, $active, $chip) = @$row;
  subtest "@$options" => sub {
    my ($trust, $zone) = $reader->lay(@$options);
    $service->verifyctl(qw(trust import --kind csca --org), $shop->{id}, $trust);
    my ($session, $view, $check, $text) = show();
    like $text, qr/^access by $access$/m, "access by $access";
    my ($left) = $text =~ /^not read, .*: (.*)$/m;
    is $left, grep({ $_ eq '--further' } @$options) ? 'DG12, DG16' : undef,
      'what is left on it is named';
    is $view->{status}, 'verified', 'verified' or diag explain $view;
    is $check->{active_authentication}, $active, 'active authentication';
    is $check->{chip_authentication}, $chip, 'chip authentication';
    is $check->{chip_cloning}, 'passed', 'a genuine chip';
    is $check->{portrait}, 'passed', 'with a portrait';
    my ($event) = $receiver->wait_for_request(sub {
      my $event = $_[0]{event} or return 0;
      return $event->{type} eq 'verification_session.verified'
        && $event->{data}{object}{id} eq $session->{id};
    });
    is $event && $event->{event}{data}{object}{verification_result}
      {chip_active_auth_passed}, $yes, 'which the webhook says';
    $reader->take_away;
  };
}

# A copy has no key: it signs wrongly, and does not understand what is protected
# with the key of the genuine chip, which proves nothing and is a doubt.
for my $row ([[qw(--chip aes --active none)], 'under_review', undef,
    'chip_authentication', 'chip_authentication_refused',
    'chip_not_proven_genuine'],
  [[qw(--chip none --active ec)], 'requires_input', 'document_unverified',
    'active_authentication', 'challenge_signature_wrong', 'chip_not_genuine']) {
  my ($options, $status, $code, $name, $reason, $cloning) = @$row;
  subtest "a copy, @$options" => sub {
    my ($trust, $zone) = $reader->lay(@$options, '--clone');
    $service->verifyctl(qw(trust import --kind csca --org), $shop->{id}, $trust);
    my ($session, $view, $check) = show();
    is $view->{status}, $status, 'is not verified';
    is $view->{last_error} && $view->{last_error}{code}, $code, 'but refused'
      if $code;
    is $check->{$name}, $reason, "because of $name";
    is $check->{chip_cloning}, $cloning, 'as what it is';
    $reader->take_away;
  };
}

subtest 'without a service the dump is printed' => sub {
  my ($trust, $zone) = $reader->lay('--chip', 'aes');
  my ($status, $text) = $reader->read_chip('--wait', 20, '--challenge',
    'AQIDBAUGBwg=');
  is $status, 0, 'the program succeeds' or diag $text;
  my ($dump) = $text =~ /^(\{.*\})$/m;
  is_deeply [sort keys %{$json->decode($dump)}], [sort qw(COM SOD DG1 DG2 DG14
    DG15 AAChallenge AASignature reader)], 'with every file';
  my $wrong = "$reader->{directory}/wrong";
  open my $out, '>', $wrong or die;
  print $out Verify::Instance::read_text($zone) =~ s/C01X/C02X/r;
  close $out;
  ($status, $text) = $reader->read_chip('--wait', 20, '--zone', $wrong);
  isnt $status, 0, 'a zone of another passport';
  like $text, qr/Check that the zone is/, 'gives no access';
  $reader->take_away;
  $reader->lay('--portrait', portrait_of_size(384));
  ($status, $text) = $reader->read_chip('--wait', 20);
  isnt $status, 0, 'a file that is too long';
  like $text, qr/DG2 has 39\d{4} bytes. The service accepts at most 393216/,
    '... is named with the limit';
  $reader->take_away;
};

finish($service);
