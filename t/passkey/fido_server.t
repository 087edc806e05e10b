# The categories of the FIDO Alliance's conformance tests for servers, each under its name,
# at the service's own interface: the tools need four paths that the service does not
# have. Attestation is not requested (`none`), so no statement of another format is
# evaluated, and the metadata service does not apply. simplewebauthn.t compares the
# verdicts with those of another server.
use v5.32;
use warnings;
use FindBin;
use JSON::PP ();
use MIME::Base64 qw(encode_base64url decode_base64url);
use lib "$FindBin::Bin/../lib";
use Verify::Passkey;
use Verify::Test;

my $origin = 'https://verify.example';
my $service = Verify::Instance->start(conf => "VerifyPublicURL $origin/\n");
my $shop = $service->organization(sandbox => 1, workflow => 1);
my ($yes, $no) = (JSON::PP::true, JSON::PP::false);
my $json = JSON::PP->new->utf8->canonical;

sub create {
  my $session = answer_is($shop->{client}->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $shop->{workflow_id}, jurisdiction => 'US-CA', @_}), 201, 'a session');
  $session->{person} = $service->client($session->{client_secret});
  return $session;
}
sub person { create(skip_verification => $yes) }
sub ask { $_[0]{person}->post("/v1/widget/sessions/$_[0]{id}/passkeys/$_[1]", $_[2] // {}) }
sub options { answer_is(ask(@_), 200, "options of the $_[1]") }
sub device { Verify::Passkey->new(origin => $origin, @_) }

# Both ceremonies: %with changes what the device makes, CHANGED the body.
sub registration {
  my ($session, $device, $with, $changed) = @_;
  my $body = {%{$device->create(options($session, 'registration'), %{$with // {}})},
    %{$changed // {}}};
  defined $body->{$_} or delete $body->{$_} for keys %$body;
  return ask($session, 'registration/finish', $body);
}
sub assertion {
  my ($session, $device, $with, $changed) = @_;
  my $body = {%{$device->get(options($session, 'assertion'), %{$with // {}})},
    %{$changed // {}}};
  defined $body->{$_} or delete $body->{$_} for keys %$body;
  return ask($session, 'assertion/finish', $body);
}
# Each of CASES, [name, with, changed], is refused by CEREMONY, with a reason.
sub all_refused {
  my ($ceremony, $begin, $device, @cases) = @_;
  my ($session, $count);
  for (@cases) {
    my ($name, @how) = @$_;
    $session = $begin->() unless $count++ % 15; # a session has 20 challenges
    my $answer = $ceremony->($session, ref $device eq 'CODE' ? $device->() : $device, @how);
    is $answer->status, 400, "$name: 400" or diag $answer->body;
    like $answer->error->{code}, qr/\A(?:passkey_invalid|parameter_(?:missing|invalid))\z/, '... for a reason';
  }
}
sub saved {
  my $device = device(@_);
  is registration(person(), $device)->status, 201, 'a passkey is saved';
  return $device;
}

# --- what is put into the parts ---

# The client data with MEMBER set (undef: without it).
sub client_with {
  my ($member, $value) = @_;
  return {text => sub {
    my $data = $json->decode($_[0]);
    defined $value ? $data->{$member} = $value : delete $data->{$member};
    return $json->encode($data);
  }};
}
sub client_faults {
  my ($other_type) = @_;
  return ((map { my $member = $_; (["$member is missing", client_with($member)],
      ["$member is a number", client_with($member, 7)],
      ["$member is empty", client_with($member, '')],
      ["$member is an object", client_with($member, {})],
      ["$member is an array", client_with($member, [])]) } qw(type challenge origin)),
    ['another ceremony', client_with(type => $other_type)],
    ['a type in capitals', client_with(type => uc $other_type =~ s/CREATE|GET/X/r)],
    ['another challenge', client_with(challenge => 'B' x 43)],
    ['a challenge with padding', {text => sub { $_[0] =~ s/("challenge":"[^"]*)"/$1="/r }}],
    ['a challenge in base64', {text => sub { $_[0] =~ s/"challenge":"./"challenge":"+/r }}],
    ['another origin', client_with(origin => 'https://other.example')],
    ['an origin with a path', client_with(origin => "$origin/")],
    ['an origin with a suffix', client_with(origin => "$origin.evil.example")],
    ['crossOrigin is a text', client_with(crossOrigin => 'true')],
    ['no JSON', {text => sub { 'no JSON' }}],
    ['an array', {text => sub { "[$_[0]]" }}],
    ['more after the object', {text => sub { "$_[0] {}" }}],
    ['invalid UTF-8', {text => sub { $_[0] =~ s/"origin"/"\xff":1,"origin"/r }}]);
}
# The authenticator data in an attestation object, as bytes.
sub inner { my ($whole) = @_;
  my ($data) = $whole =~ /authData(.*)\z/s;
  my $length = ord($data) & 31;
  return substr $data, $length < 24 ? 1 : $length == 24 ? 2 : 3;
}
# An attestation object with these members in CBOR instead; undef: without one.
sub object {
  my (%changed) = @_;
  return {object => sub {
    my %member = (fmt => Verify::Passkey::text('none'), attStmt => "\xa0",
      authData => Verify::Passkey::bytes(inner($_[0])));
    for (keys %changed) {
      my $new = ref $changed{$_} ? $changed{$_}->(inner($_[0])) : $changed{$_};
      defined $new ? $member{$_} = $new : delete $member{$_};
    }
    return Verify::Passkey::head(5, scalar keys %member) . join '',
      map { Verify::Passkey::text($_) . $member{$_} } sort keys %member;
  }};
}
sub data { my ($change) = @_;
  return object(authData => sub { Verify::Passkey::bytes($change->($_[0])) }) }
my $bytes = \&Verify::Passkey::bytes;
my $text = \&Verify::Passkey::text;

# --- registration ---

subtest 'ServerPublicKeyCredentialCreationOptions' => sub {
  my $session = person();
  my $given = options($session, 'registration')->{public_key};
  is $given->{rp}{id}, 'verify.example', 'rp';
  like $given->{user}{id}, qr/\A[\w-]{43}\z/, 'user: 32 random bytes';
  like $given->{challenge}, qr/\A[\w-]{43}\z/, 'challenge: 32 bytes';
  isnt options($session, 'registration')->{public_key}{challenge}, $given->{challenge},
    'another challenge each time';
  is_deeply [sort map { $_->{alg} } @{$given->{pubKeyCredParams}}], [-257, -7, -8], 'algorithms';
  is_deeply [grep { $_->{type} ne 'public-key' } @{$given->{pubKeyCredParams}}], [], 'type';
  is $given->{attestation} // 'none', 'none', 'attestation';
  is $given->{authenticatorSelection}{userVerification}, 'required', 'userVerification';
};

subtest 'ServerAuthenticatorAttestationResponse-Resp-1: structure' => sub {
  all_refused(\&registration, \&person, \&device, map { my $member = $_; (
    ["no $member", {}, {$member => undef}], ["$member is a number", {}, {$member => 7}],
    ["$member is an object", {}, {$member => {}}], ["$member is empty", {}, {$member => ''}],
    ["$member is in base64", {}, {$member => 'ab+/'}],
    ["$member has padding", {}, {$member => 'YQ=='}]) } qw(client_data attestation_object));
};

subtest 'ServerAuthenticatorAttestationResponse-Resp-2: client data' => sub {
  all_refused(\&registration, \&person, \&device, client_faults('webauthn.get'));
  for (['token binding', client_with(tokenBinding => {status => 'not-supported'})],
    ['a member that is not known', client_with(other => [1, {}])]) {
    is registration(person(), device(), $_->[1])->status, 201, "$_->[0]: ignored";
  }
};

subtest 'ServerAuthenticatorAttestationResponse-Resp-3: attestation object' => sub {
  all_refused(\&registration, \&person, \&device,
    ['no fmt', object(fmt => undef)], ['fmt is a number', object(fmt => "\x07")],
    ['fmt is bytes', object(fmt => $bytes->('none'))],
    ['no attStmt', object(attStmt => undef)], ['attStmt is an array', object(attStmt => "\x80")],
    ['attStmt is a text', object(attStmt => $text->('none'))],
    ['no authData', object(authData => undef)],
    ['authData is a text', object(authData => sub { $text->('a' x 164) })],
    ['authData is empty', object(authData => $bytes->(''))],
    ['authData is an array', object(authData => "\x80")],
    ['an empty object', {object => sub { '' }}], ['an array', {object => sub { "\x80" }}],
    ['an attestation object that is cut', {object => sub { substr $_[0], 0, 80 }}],
    ['bytes after authData', data(sub { "$_[0]\0" })],
    ['authData is cut in the key', data(sub { substr $_[0], 0, -1 })],
    ['authData is cut in the id', data(sub { substr $_[0], 0, 60 })],
    ['authData is cut in the counter', data(sub { substr $_[0], 0, 36 })],
    ['the id is longer than the data', data(sub { my $d = $_[0]; substr $d, 53, 2, "\x03\xff"; $d })],
    ['the id has no bytes', data(sub { my $d = $_[0]; substr $d, 53, 34, "\0\0"; $d })],
    ['AT is not set', {flags => 0x05}], ['UP is not set', {flags => 0x44}],
    ['UV is not set', {flags => 0x41}], ['ED without extensions', {flags => 0xc5}],
    ['extensions without ED', data(sub { "$_[0]\xa0" })],
    ['extensions that are no map', data(sub { my $d = $_[0]; substr $d, 32, 1, "\xc5"; "$d\x80" })],
    ['another relying party', {rp_id => 'other.example'}]);
  is registration(person(), device(), data(sub { my $d = $_[0]; substr $d, 32, 1, "\xc5";
    "$d\xa1" . $text->('credProtect') . "\2" }))->status, 201, 'extensions as they should be';
};

subtest 'ServerAuthenticatorAttestationResponse-Resp-4: algorithms' => sub {
  for my $alg (-7, -8, -257) {
    my $device = saved(alg => $alg);
    is answer_is(assertion(create(), $device), 200)->{status}, 'verified', "algorithm $alg";
  }
  all_refused(\&registration, \&person, \&device, map { ["algorithm $_ (not offered)",
    {key => device()->public_key($_)}] } -35, -36, -37, -257, -258, -65535);
};

subtest 'ServerAuthenticatorAttestationResponse-Resp-7: none' => sub {
  is registration(person(), device())->status, 201, 'an empty statement';
  all_refused(\&registration, \&person, \&device,
    ['a statement', object(attStmt => "\xa1" . $text->('sig') . $bytes->('x'))],
    ['a statement like that of packed', object(attStmt => "\xa2" . $text->('alg') . "\x26"
      . $text->('sig') . $bytes->('x' x 70))]);
};

# Not requested, so nothing of a statement is believed or stored.
subtest 'ServerAuthenticatorAttestationResponse-Resp-5, -6, -8 to -B: other formats' => sub {
  for my $format (qw(packed fido-u2f tpm android-key android-safetynet apple)) {
    is registration(person(), device(), object(fmt => $text->($format),
      attStmt => "\xa1" . $text->('sig') . $bytes->('x')))->status, 201,
      "$format: its statement is not evaluated";
  }
};

# --- authentication ---

my $device = saved();

subtest 'ServerPublicKeyCredentialGetOptionsResponse' => sub {
  my $session = create();
  my $given = options($session, 'assertion')->{public_key};
  like $given->{challenge}, qr/\A[\w-]{43}\z/, 'challenge: 32 bytes';
  isnt options($session, 'assertion')->{public_key}{challenge}, $given->{challenge},
    'another challenge each time';
  is $given->{rpId}, 'verify.example', 'rpId';
  is $given->{userVerification}, 'required', 'userVerification';
};

subtest 'ServerAuthenticatorAssertionResponse-Resp-1: structure' => sub {
  all_refused(\&assertion, \&create, $device, map { my $member = $_; (
    ["no $member", {}, {$member => undef}], ["$member is a number", {}, {$member => 7}],
    ["$member is an object", {}, {$member => {}}], ["$member is empty", {}, {$member => ''}],
    ["$member is in base64", {}, {$member => 'ab+/'}],
    ["$member has padding", {}, {$member => 'YQ=='}])
    } qw(credential client_data authenticator_data signature user_handle));
};

subtest 'ServerAuthenticatorAssertionResponse-Resp-2: client data' => sub {
  all_refused(\&assertion, \&create, $device, client_faults('webauthn.create'));
};

subtest 'ServerAuthenticatorAssertionResponse-Resp-3: authenticator data and signature' => sub {
  all_refused(\&assertion, \&create, $device,
    ['UP is not set', {flags => 0x04}], ['UV is not set', {flags => 0x01}],
    ['neither', {flags => 0}], ['BS without BE', {flags => 0x15}],
    ['ED without extensions', {flags => 0x85}],
    ['extensions that are no map', {flags => 0x85, more => "\x80"}],
    ['extensions without ED', {more => "\xa0"}], ['more bytes', {more => "\0"}],
    ['AT in an assertion', {flags => 0x45, more => "\0" x 18}],
    ['another relying party', {rp_id => 'other.example'}],
    ['a signature of something else', {signature => $device->sign('other')}],
    ['a signature that is cut', {signature => substr $device->sign('other'), 0, 40}],
    ['a signature that goes on', {}, {signature => encode_base64url($device->sign('x') . "\0")}],
    ['another user', {user => encode_base64url('u' x 32)}]);
  is answer_is(assertion(create(), $device, {flags => 0x85, more => "\xa1" . $text->('appid')
    . "\xf4"}), 200)->{status}, 'verified', 'extensions as they should be';
  is answer_is(assertion(create(), $device, {text => sub { $_[0] =~ s/\}\z/,"tokenBinding":{}}/r }}),
    200)->{status}, 'verified', 'token binding is ignored';
  $service->allow_log(qr/the signature counter of passkey [0-9a-f]{32} of \w+ went back/);
  my $counting = saved(count => 9);
  is answer_is(assertion(create(), $counting, {count => 10}), 200)->{status}, 'verified',
    'a counter that goes up';
  all_refused(\&assertion, \&create, $counting, ['a counter that goes back', {count => 3}]);
};

finish $service;
