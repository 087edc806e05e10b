package Verify::Passport;
# Passports made by t/lib/passport_dumps.py, of an issuer that an organization
# trusts, and the app that presents them in a session: challenge, dump,
# submission.
use v5.32;
use warnings;
use IPC::Open2 ();
use JSON::PP ();
use MIME::Base64 ();
use Verify::Wait;

my $json = JSON::PP->new->utf8;

# ADDRESS: where the revocation lists of signers are published.
sub new {
  my ($class, $address) = @_;
  my $pid = IPC::Open2::open2(my $out, my $in, '/usr/bin/python3',
    't/lib/passport_dumps.py', $address // ());
  my $self = bless {pid => $pid, out => $out, in => $in}, $class;
  my $made = $self->_read;
  $self->{csca} = $made->{csca};
  $self->{lists} = {map { $_ => MIME::Base64::decode_base64($made->{lists}{$_}) }
    keys %{$made->{lists}}};
  return $self;
}

sub _read {
  my ($self) = @_;
  my $line = readline $self->{out} // die "no passports\n";
  return $json->decode($line);
}

# Makes SERVICE trust the issuer, for the organization or for all.
sub trust {
  my ($self, $service, @for) = @_;
  my $file = "$service->{directory}/csca.pem";
  open my $out, '>', $file or die "$file: $!\n";
  print $out $self->{csca};
  close $out or die "$file: $!\n";
  return $service->verifyctl(qw(trust import --kind csca), @for, $file);
}

# An app's dump of the passport CASE; CHALLENGE in base64.
sub dump {
  my ($self, $case, $challenge) = @_;
  my $hex = unpack 'H*', MIME::Base64::decode_base64($challenge // 'AAAAAAAAAAA=');
  print {$self->{in}} "$case $hex\n";
  $self->{in}->flush;
  return $self->_read;
}

# Presents it in a created session; returns the widget's view after the reading.
sub show {
  my ($self, $service, $session, $case) = @_;
  my $person = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}";
  $person->post("$path/open", {});
  $person->post("$path/consent", {consent => JSON::PP::true});
  my $challenge = $person->post("$path/chip/challenge", {});
  die 'challenge: ' . $challenge->body . "\n" unless $challenge->status == 200;
  my $put = $person->put("$path/chip",
    $json->encode($self->dump($case, $challenge->json->{challenge})),
    'Content-Type' => 'application/json');
  die 'chip: ' . $put->body . "\n" unless $put->status == 200;
  return submit($person, $path);
}

sub submit {
  my ($person, $path) = @_;
  my $answer = $person->post("$path/submissions", {method => 'nfc_passport'});
  die 'submission: ' . $answer->body . "\n" unless $answer->status == 200;
  return wait_for {
    my $view = $person->get($path)->json;
    $view->{status} ne 'processing' && $view;
  };
}

sub DESTROY {
  my ($self) = @_;
  local ($., $@, $!, $?);
  close $self->{in};
  waitpid $self->{pid}, 0;
}

1;
