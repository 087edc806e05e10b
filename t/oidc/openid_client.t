# A client that others wrote (openid-client of npm) discovers the provider and logs
# people in, with each way to authenticate and each algorithm.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use IPC::Open2 qw(open2);
use JSON::PP ();
use lib "$FindBin::Bin/../lib";
use Verify::OidcTest;
use Verify::Test;

my $root = abs_path("$FindBin::Bin/../..");
plan skip_all => 'openid-client cannot be had from npm here'
  if system("$root/scripts/fetch-test-modules", "$root/t/oidc") != 0;

my $test = Verify::OidcTest->start;
my $service = $test->{service};
my $json = JSON::PP->new->utf8->canonical;
my ($out, $in);
my $pid = do {
  local $ENV{NODE_EXTRA_CA_CERTS} = $service->ca_file;
  open2($out, $in, 'node', "$root/t/oidc/client.mjs");
};
sub does {
  my ($operation, %options) = @_;
  print {$in} $json->encode({operation => $operation, %options}), "\n";
  $in->flush;
  return $json->decode(scalar readline($out) // '{"failed":"it has ended"}');
}

my $folder = $service->{directory};
system("openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt -out $folder/client.key") == 0
  or die;
my $public = qx(openssl pkey -in $folder/client.key -pubout -outform DER);
my ($x, $y) = map { MIME::Base64::encode_base64url($_) } unpack 'a32 a32', substr $public, -64;
open my $file, '>', "$folder/jwks.json" or die;
print $file $json->encode({keys => [{kty => 'EC', crv => 'P-256', x => $x, y => $y, kid => 'mine'}]});
close $file;

my %ways = (
  client_secret_basic => sub { (secret => $_[0]{client_secret}) },
  private_key_jwt => sub { (key => Verify::Instance::read_text("$folder/client.key"), keyId => 'mine') },
  none => sub { () });
sub begin {
  my ($client, %options) = @_;
  return does('begin', issuer => $service->base_url_tls, clientId => $client->{client_id},
    redirectUri => $client->{redirect_uri}, scope => 'openid age', algorithm => $client->{alg}, %options);
}
for my $way (sort keys %ways) {
  for my $algorithm (qw(RS256 ES256)) {
    subtest "$way, $algorithm" => sub {
      my $client = $test->client(auth => $way, alg => $algorithm,
        with => $way eq 'private_key_jwt' ? ['--jwks', "$folder/jwks.json"] : []);
      my %proof = $ways{$way}->($client);
      my $begun = begin($client, %proof);
      ok $begun->{url}, 'it discovers the provider' or return diag explain $begun;
      my $browser = $test->browser;
      my $id = $test->begin($browser, $begun->{url});
      $test->set_outcome($id, 'passed');
      my $location = $browser->visit($test->return_url($id))->location;
      my $login = does('finish', url => $location, state => $begun->{state});
      ok $login->{claims}{age_over_18}, 'and logs in' or diag explain $login;
      is $login->{claims}{aud}, $client->{client_id}, 'for this client';
      my $again = begin($client, %proof, parameters => {prompt => 'none', max_age => 1000});
      $location = $browser->visit($again->{url})->location;
      $login = does('finish', url => $location, state => $again->{state}, maxAge => 1000);
      ok $login->{claims}{age_over_18}, 'again without a person' or diag explain $login;
      $again = begin($client, %proof, parameters => {prompt => 'none'});
      $location = $test->browser->visit($again->{url})->location;
      is does('finish', url => $location, state => $again->{state})->{failed}, 'login_required',
        'an error is understood';
      $again = begin($client, %proof);
      my $forged = $browser->visit($again->{url})->location =~ s/iss=[^&]*/iss=https%3A%2F%2Fevil.example/r;
      ok does('finish', url => $forged, state => $again->{state})->{failed},
        'a response of another provider is refused';
    };
  }
}

close $in;
waitpid $pid, 0;
is $?, 0, 'the client ended with status 0';
finish $service;
