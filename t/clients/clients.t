# The client libraries of conf/clients against the running service, each by a program of
# its language that is next to this file. The program prints "ok - NAME" and "not ok -
# NAME", as all of them do the same steps:
#
#   the operations; a session; the same idempotency key; lists; errors; retries through
#   Verify::FaultyProxy; webhooks that the service signed, and forged ones
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Digest::SHA qw(hmac_sha256 hmac_sha256_hex);
use JSON::PP ();
use MIME::Base64 qw(decode_base64 encode_base64);
use Verify::Clients;
use Verify::FaultyProxy;
use Verify::Test;

my $json = JSON::PP->new->utf8->canonical;
my $service = Verify::Instance->start;
my $sandbox = $service->organization(sandbox => 1, workflow => 1);
my $client = $sandbox->{client};
my $proxy = Verify::FaultyProxy->new(directory => "$service->{directory}/proxy",
  to => $service->{http_port})->start;

# --- webhooks: name, headers, body, secrets, and the id of the event or the reason ---

my $receiver = $service->receiver;
sub delivered {
  my ($endpoint) = @_;
  my $event = answer_is($client->post("/v1/webhook_endpoints/$endpoint->{id}/test", {}), 200);
  my $request = $receiver->wait_for_request(sub { ($_[0]{event}{id} // '') eq $event->{id} });
  return (headers => {map { $_ => $request->{headers}{$_} } qw(service-signature webhook-id
    webhook-timestamp webhook-signature)}, body => $request->{body}, expected => $event->{id});
}
my $secret = 'whsec_' . encode_base64('0123456789abcdef01234567', '');
my $body = '{"id":"evt_1","object":"event","type":"verification_session.verified","created":1,'
  . '"data":{"object":{"id":"vks_1"}}}';
sub own {
  my ($age, $key, $signed) = @_;
  my $time = time - $age;
  return {'Service-Signature' => "t=$time,v1=" . hmac_sha256_hex("$time." . ($signed // $body), $key)};
}
sub standard {
  my ($age, @keys) = @_;
  my $time = time - $age;
  return {'webhook-id' => 'evt_1', 'webhook-timestamp' => "$time", 'webhook-signature' => join ' ',
    map { 'v1,' . encode_base64(hmac_sha256("evt_1.$time.$body", decode_base64(s/\Awhsec_//r)), '') } @keys};
}
# Made for each program, because their time matters.
sub webhooks {
  my $endpoint = answer_is($client->post('/v1/webhook_endpoints',
    {url => $receiver->url, enabled_events => ['*']}), 201);
  my @webhooks = ({name => 'a delivery of the service', secrets => [$endpoint->{secret}],
    delivered($endpoint)});
  my $rotated = $service->verifyctl(qw(endpoint rotate-secret --overlap-minutes 60), $endpoint->{id},
    '--org', $sandbox->{id});
  my %during = delivered($endpoint);
  is split(/ /, $during{headers}{'webhook-signature'}), 2, 'two signatures during a rotation';
  push @webhooks, map { {%during, %$_} }
    {name => 'during a rotation, with the earlier secret', secrets => [$endpoint->{secret}]},
    {name => 'during a rotation, with the new secret', secrets => [$rotated->{secret}]},
    {name => 'with both secrets', secrets => [$endpoint->{secret}, $rotated->{secret}]};
  my $other = 'whsec_' . encode_base64('another key, another key', '');
  my %standard = %{standard(0, $secret)};
  push @webhooks, map { {body => $body, secrets => [$secret], name => $_->[0],
    headers => $_->[1], expected => $_->[2]} }
    ['Service-Signature', own(0, $secret), 'evt_1'],
    ['Standard Webhooks', standard(0, $secret), 'evt_1'],
    ['the second signature is right', standard(0, $other, $secret), 'evt_1'],
    ['just young enough', own(240, $secret), 'evt_1'],
    ['too old', own(400, $secret), 'too_old'],
    ['too old by Standard Webhooks', standard(400, $secret), 'too_old'],
    ['from the future', own(-400, $secret), 'too_old'],
    ['forged', own(0, $other), 'mismatch'],
    ['forged by Standard Webhooks', standard(0, $other), 'mismatch'],
    ['of another body', own(0, $secret, "$body "), 'mismatch'],
    ['of another event', {%standard, 'webhook-id' => 'evt_2'}, 'mismatch'],
    ['no signature', {}, 'missing'],
    ['half a signature', {'Service-Signature' => 't=1,v1=00'}, 'malformed'],
    ['a time that is none', {%standard, 'webhook-timestamp' => 'now'}, 'malformed'],
    ['an unknown scheme', {%standard, 'webhook-signature' => 'v2,AAAA'}, 'malformed'],
    ['a very long header', {%standard, 'webhook-signature' => join ' ',
      ($standard{'webhook-signature'}) x 100}, 'malformed'];
  push @webhooks, {name => 'any of several secrets', body => $body, headers => own(0, $secret),
    secrets => [$other, $secret], expected => 'evt_1'};
  return @webhooks;
}

my $input = "$service->{directory}/input.json";
sub write_input {
  open my $file, '>', $input or die "$input: $!\n";
  print $file $json->encode({url => $service->base_url, proxy => $proxy->url,
    key => $sandbox->{secret_key}, workflow => $sandbox->{workflow_id},
    operations => [map { $_->{id} } Verify::Clients->new->operations],
    webhooks => [webhooks()]});
  close $file or die "$input: $!\n";
}

# --- the programs ---

# The first command says whether the language is on this machine, the last is the program.
my %programs = (
  java => ["java --list-modules | grep -q jdk.compiler", 'javac -Xlint:all -Werror -d "$VERIFY_CLIENT_BUILD"'
    . ' conf/clients/java/src/main/java/modverify/*.java t/clients/ClientTest.java',
    'java -cp "$VERIFY_CLIENT_BUILD" modverify.ClientTest'],
  node => ['node --version', 'node t/clients/node.mjs'],
  php => ['php --version', 'php t/clients/php.php'],
  python => ['python3 --version', 'python3 t/clients/python.py'],
);
for my $language (sort keys %programs) {
  my ($asked, @commands) = @{$programs{$language}};
  SKIP: {
    skip "$language is not on this machine", 1 if system("$asked >/dev/null 2>&1");
    subtest $language => sub {
      local $ENV{VERIFY_CLIENT_TEST} = $input;
      local $ENV{VERIFY_CLIENT_BUILD} = "$service->{directory}/classes";
      for my $command (@commands) {
        write_input() if $command eq $commands[-1];
        my $output = qx($command 2>&1);
        is $?, 0, $command or diag $output;
        my $failed;
        for (split /\n/, $output) {
          if (/\A(not )?ok - (.*)/) { ok !($failed = $1), $2 } elsif ($failed) { diag $_ }
        }
        unlike $output, qr/\Q$sandbox->{secret_key}\E|whsec_/, 'no secret is printed';
      }
      my %keys;
      push @{$keys{$_->{mark}}}, $_->{key} // 'none'
        for grep { $_->{mark} =~ /-$language\d/ } $proxy->records('requests.jsonl');
      for my $kind (qw(drop hang busy unavailable page)) {
        my ($mark) = grep { /fault-$kind-/ } keys %keys;
        is_deeply $keys{$mark // ''}, [($keys{$mark // ''}[0]) x 2],
          "$kind: two requests with the same key";
      }
      is_deeply [map { scalar @$_ } @keys{grep { /fault-(?:closed|moved)-/ } sort keys %keys}], [1, 1],
        'no others are repeated';
    };
  }
}

$proxy->stop;
finish $service;
