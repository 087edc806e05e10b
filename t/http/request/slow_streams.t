# Slow bodies over HTTP/2: whoever is refused is told so at once, and a body has
# the same time as over HTTP/1, however steadily it comes.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use JSON::PP ();
use Time::HiRes qw(time);
use Verify::Streams;
use Verify::Test;

my $service = Verify::Instance->start(conf => "VerifyBodyTime 2\n");
my $organization = $service->organization(sandbox => 1, workflow => 1);

sub session {
  my $session = answer_is($organization->{client}->post(
    '/v1/verification_sessions', {type => 'age', jurisdiction => 'US-CA',
      workflow_id => $organization->{workflow_id}}), 201, 'session created');
  my $person = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}";
  $person->post("$path/open", {});
  $person->post("$path/consent", {consent => JSON::PP::true});
  return ($path, $session->{client_secret});
}
sub connection {
  return Verify::Streams->new(port => $service->{https_port},
    ca_file => $service->ca_file, @_);
}
sub under_way {
  my ($kind) = @_;
  my $text = $service->client->{http}->get($service->base_url . '/metrics')->{content};
  return $text =~ /^verify_\w+_under_way\{kind="$kind"\} ([0-9]+)$/m ? $1 : -1;
}
my @json = ('content-type' => 'application/json');
my @image = ('content-type' => 'image/jpeg');
# Far more than the time that is right, far less than these bodies would take.
my $soon = 10;

subtest 'a refusal does not wait for the body' => sub {
  my ($path, $secret) = session();
  for (['POST', "$path/open", 'x', 'client_secret_invalid', @json],
    ['PUT', "$path/images/front", $secret =~ s/.\z/_/r, 'client_secret_invalid', @image],
    ['POST', '/v1/risk/score', 'x', 'api_key_invalid', @json],
    ['POST', '/v1/nothing', 'x', '(?:resource_missing|api_key_invalid)', @json]) {
    my ($method, $to, $token, $code, @headers) = @$_;
    my $streams = connection();
    $streams->request($method, $to, authorization => "Bearer $token", @headers);
    ok $streams->pulse_until('x', sub { grep { /\A$code\z/ } keys %$_ }, $soon),
      "$method $to" or diag explain $streams->codes;
  }
};

subtest 'VerifyBodyTime holds' => sub {
  my ($path, $secret) = session();
  for (['POST', '/v1/risk/score', $organization->{secret_key}, @json],
    ['POST', "$path/open", $secret, @json],
    ['PUT', "$path/images/front", $secret, @image]) {
    my ($method, $to, $token, @headers) = @$_;
    for my $piece ('x', '') {
      my $streams = connection();
      my $begun = time;
      $streams->request($method, $to, authorization => "Bearer $token", @headers);
      $streams->pulse('x');
      ok $streams->pulse_until($piece, sub { $_->{request_timeout} }, $soon),
        "$method $to " . ($piece ? 'that dribbles' : 'that is silent')
        or diag explain $streams->codes;
      cmp_ok time - $begun, '>=', 1.9, 'and not before';
    }
  }
};

subtest 'streams count as connections do' => sub {
  my $streams = connection();
  $streams->request('POST', '/v1/risk/score',
    authorization => "Bearer $organization->{secret_key}", @json) for 1 .. 90;
  my $most = 0;
  ok $streams->pulse_until('x', sub {
    my $now = under_way('body');
    $most = $now if $now > $most;
    $_->{rate_limit_exceeded};
  }, $soon), 'too many of a key are refused' or diag explain $streams->codes;
  is $most, 16, 'sixteen are under way';
  my $other = $service->organization(sandbox => 1);
  is $other->{client}->with(base_url => $service->base_url_tls, timeout => $soon)
    ->get('/v1/verification_sessions')->status, 200, 'others are served';
  ok $streams->pulse_until('x', sub { !$_->{none} }, $soon), 'the rest is late';
};

# Of each stream no more is taken than its first window, and nobody takes gzip. Which
# child has a connection is chance: in one of 16 places, one client gets eight and the
# next one four, which leaves four.
subtest 'documents that two clients leave standing' => sub {
  my @standing = map {
    my $address = $_;
    map { connection(local_address => $address)->widen } 1 .. 6;
  } '127.0.1.1', '127.0.1.2';
  for my $streams (@standing) {
    $streams->ask('GET', '/v1/openapi.json') for 1 .. 8;
  }
  ok wait_for { $_->read_frames for @standing; under_way('public_answer') >= 12 },
    'each has as many places as an address gets' or diag under_way('public_answer');
  my @others = map { connection(local_address => "127.0.2.$_") } 1 .. 4;
  $_->ask('GET', '/v1/openapi.json') for @others;
  for my $other (@others) {
    ok $other->pulse_until('', sub { $_->{other} }), 'others get theirs'
      or diag explain $other->codes;
  }
};

finish($service);
