# A second opinion about passkeys: @simplewebauthn/server of npm judges the same ceremonies
# as the service, good and forged ones, and both must come to the same verdict. Where only
# the service checks something, the test says so.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use IPC::Open2 qw(open2);
use JSON::PP ();
use MIME::Base64 qw(encode_base64url decode_base64url);
use lib "$FindBin::Bin/../lib";
use Verify::Passkey;
use Verify::Test;

my $root = abs_path("$FindBin::Bin/../..");
plan skip_all => '@simplewebauthn/server cannot be had from npm here'
  if system("$root/scripts/fetch-test-modules", "$root/t/passkey") != 0;

my ($origin, $party, $embedder) = ('https://verify.example', 'verify.example',
  'https://www.shop.example');
my ($yes, $no) = (JSON::PP::true, JSON::PP::false);
my $service = Verify::Instance->start(conf => "VerifyPublicURL $origin/\n"
  . "VerifyWidgetFrameAncestors 'self' https://*.shop.example\n");
my $shop = $service->organization(sandbox => 1, workflow => 1);
my $json = JSON::PP->new->utf8->canonical;
my $judge_pid = open2(my $out, my $in, 'node', "$root/t/passkey/judge.mjs");

sub judge {
  my ($ceremony, $options, %given) = @_;
  print {$in} $json->encode({ceremony => $ceremony, origin => $origin, party => $party,
    embedder => $embedder, challenge => $options->{public_key}{challenge}, %given}), "\n";
  $in->flush;
  return $json->decode(scalar readline($out) // '{"reason":"the judge has ended"}');
}
sub create {
  my $session = answer_is($shop->{client}->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $shop->{workflow_id}, jurisdiction => 'US-CA', @_}), 201, 'a session');
  $session->{person} = $service->client($session->{client_secret});
  return $session;
}
sub ask { $_[0]{person}->post("/v1/widget/sessions/$_[0]{id}/passkeys/$_[1]", $_[2] // {}) }
sub options { answer_is(ask(@_), 200, "options of the $_[1]") }
sub device { Verify::Passkey->new(origin => $origin, @_) }

# Both judge one response. ONLY_HERE: why only the service refuses it.
sub agree {
  my ($name, $answer, $verdict, $is_good, $only_here) = @_;
  is $answer->status < 300 ? 1 : 0, $is_good, "$name: the service"
    or diag $answer->body;
  is $answer->error->{code}, 'passkey_invalid', '... for what it is' if !$is_good;
  is $verdict->{verified} ? 1 : 0, $only_here ? 1 : $is_good, '... and the other'
    . ($only_here ? ", which does not check: $only_here" : '') or diag explain $verdict;
}
sub registers {
  my ($name, $session, $device, %how) = @_;
  my $options = options($session, 'registration');
  my $body = $device->create($options, %{$how{with} // {}});
  my $verdict = judge('create', $options, body => $body, id => encode_base64url($device->{id}));
  agree($name, ask($session, 'registration/finish', $body), $verdict, $how{good} // 0, $how{only_here});
  return $verdict->{credential};
}
sub returns {
  my ($name, $session, $device, $credential, %how) = @_;
  my $options = options($session, 'assertion');
  my $body = {%{$device->get($options, %{$how{with} // {}})}, %{$how{changed} // {}}};
  my $verdict = judge('get', $options, body => $body, credential => $credential);
  agree($name, ask($session, 'assertion/finish', $body), $verdict, $how{good} // 0, $how{only_here});
  return $verdict;
}

# Each flag of authenticator data: UP 01, UV 04, BE 08, BS 10, AT 40.
my @forged = (
  ['another challenge', client => {challenge => 'A' x 43}],
  ['a longer challenge', client => {challenge => 'A' x 44}],
  ['another origin', client => {origin => 'https://evil.example'}],
  ['another port', client => {origin => "$origin:8443"}],
  ['another scheme', client => {origin => 'http://verify.example'}],
  ['another relying party', rp_id => 'example'],
  ['no relying party', rp_id => '']);

for my $alg (-7, -8, -257) {
  subtest "algorithm $alg" => sub {
    my $device = device(alg => $alg);
    my $credential = registers('a registration', create(skip_verification => $yes), $device, good => 1);
    is $credential->{id}, encode_base64url($device->{id}), 'the same id';
    returns('a return', create(), $device, $credential, good => 1);
    my $session = create();
    for (@forged) {
      my ($name, %with) = @$_;
      returns($name, $session, $device, $credential, with => \%with);
    }
    returns('a registration', $session, $device, $credential, with => {client => {type => 'webauthn.create'}});
    returns('UP missing', $session, $device, $credential, with => {flags => 0x04});
    returns('UV missing', $session, $device, $credential, with => {flags => 0x01});
    returns('backed up, but cannot be', $session, $device, $credential, with => {flags => 0x15});
    returns('authenticator data that goes on', $session, $device, $credential, with => {more => "\0"});
    returns('extensions that are missing', $session, $device, $credential, with => {flags => 0x85});
    returns('the signature of another key', $session, device(alg => $alg, id => $device->{id},
      user => $device->{user}), $credential);
    returns('no signature', $session, $device, $credential, changed => {signature => 'AA'});
    returns('other client data', $session, $device, $credential, changed => {client_data =>
      encode_base64url($json->encode({type => 'webauthn.get', challenge => 'A' x 43, origin => $origin}))});
    returns('a frame of another site', $session, $device, $credential,
      with => {client => {crossOrigin => $yes, topOrigin => 'https://evil.example'}});
    returns('a frame of the shop', $session, $device, $credential, good => 1,
      with => {client => {crossOrigin => $yes, topOrigin => $embedder}});
    returns('a device that synchronizes', create(), $device, $credential, good => 1, with => {flags => 0x1d});
  };
}

subtest 'forged registrations' => sub {
  my $session = create(skip_verification => $yes);
  for (@forged) {
    my ($name, %with) = @$_;
    registers($name, $session, device(), with => \%with);
  }
  registers('an assertion', $session, device(), with => {client => {type => 'webauthn.get'}});
  registers('UP missing', $session, device(), with => {flags => 0x44});
  registers('UV missing', $session, device(), with => {flags => 0x41});
  registers('backed up, but cannot be', $session, device(), with => {flags => 0x55});
  registers('no credential', $session, device(), with => {flags => 0x05});
  registers('an algorithm that was not offered', $session, device(), with => {key => device()->public_key(-35)});
  registers('truncated CBOR', $session, device(), with => {object => sub { substr $_[0], 0, -1 }},
    only_here => 'a byte string that ends too early');
  registers('other CBOR', $session, device(), with => {object => sub { "\xa0" }});
  registers('no CBOR', $session, device(), with => {object => sub { "\xff" }});
  registers('more CBOR', $session, device(), with => {object => sub { "$_[0]\0" }},
    only_here => 'bytes after the object');
  registers('the algorithm of another key', $session, device(), with => {key => device()->public_key(-8)},
    only_here => 'whether key and algorithm fit, without attestation');
  registers('a frame of another site', $session, device(),
    only_here => 'the frame of a registration',
    with => {client => {crossOrigin => $yes, topOrigin => 'https://evil.example'}});
  registers('a frame of the shop', $session, device(), good => 1,
    with => {client => {crossOrigin => $yes, topOrigin => $embedder}});
};

subtest 'counters' => sub {
  my $device = device(count => 4);
  my $credential = registers('a registration', create(skip_verification => $yes), $device, good => 1);
  is $credential->{counter}, 4, 'the counter';
  my $verdict = returns('it goes up', create(), $device, $credential, good => 1, with => {count => 5});
  is $verdict->{counter}, 5, 'by one';
  $service->allow_log(qr/the signature counter of passkey [0-9a-f]{32} of \w+ went back/);
  returns('it stays', create(), $device, {%$credential, counter => 5}, with => {count => 5});
};

close $in;
waitpid $judge_pid, 0;
is $?, 0, 'the judge ended in order';
finish $service;
