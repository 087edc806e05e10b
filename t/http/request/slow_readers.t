# Clients that ask for long answers and do not read them, as many as there are threads
# and more: all others are served, who does not read is cut off, and an ordinary reader
# gets the whole.
use v5.32;
use warnings;
use Digest::SHA qw(sha256_hex);
use FindBin;
use lib "$FindBin::Bin/../../lib";
use Time::HiRes ();
use Verify::Dashboard;
use Verify::Httpd qw(no_waiting);
use Verify::SlowReaders;
use Verify::Streams;
use Verify::Test;

plan skip_all => no_waiting() if no_waiting();

# What the kernel takes of an answer is what it takes of one that goes far.
my $conf = "SendBufferSize 16384\nVerifyAnswerStart 5\n"
  . "VerifyRateLimit secret 1000000\n";
my $service = Verify::Instance->start(conf => $conf, start => 0);
$service->allow_log(qr/AH00484: server reached MaxRequestWorkers/);
$service->allow_log(qr/AH03490: scoreboard is full/);
$service->allow_log(qr/IDV0020: .* no database connection became free/);
my ($organization, $other, $busy) =
  map { $service->organization(sandbox => 1, workflow => 1) } 1 .. 3;
my $dashboard = Verify::Dashboard->prepare($service,
  eve => "auditor $organization->{id}", mallory => "auditor $organization->{id}",
  bob => "auditor $other->{id}", dave => "auditor $busy->{id}");
$service->start_httpd;
my $export = "/dashboard/v1/organizations/$organization->{id}/audit/export";
my $of_other = "/dashboard/v1/organizations/$other->{id}/audit/export";

# Up to MANY entries of LENGTH bytes and some.
sub record {
  my ($id, $many, $length) = @_;
  my $handle = $service->connect_database;
  my ($hash, $sequence) = $handle->selectrow_array(q{SELECT encode(hash, 'hex'), sequence
    FROM operator_action_head WHERE organization_id = ?}, undef, $id);
  $handle->begin_work;
  for my $number ($sequence + 1 .. $many) {
    my $name = sprintf 'opa_%026d', $number;
    my $text = qq({"id":"$name","organization":"$id","actor":"somebody",)
      . qq("reason":"@{['x' x $length]}"});
    $hash = sha256_hex(pack('H*', $hash) . $text);
    $handle->do(q{INSERT INTO operator_action VALUES (?, ?, ?, ?, decode(?, 'hex'))}, undef,
      $id, $number, $name, $text, $hash);
  }
  $handle->do(q{UPDATE operator_action_head SET sequence = ?, hash = decode(?, 'hex')
    WHERE organization_id = ?}, undef, $many, $hash, $id);
  $handle->commit;
  $handle->disconnect;
}
# More than is read at once, in entries so long that no buffer takes them.
my $many = 80;
record($_->{id}, $many, 12_000) for $organization, $other;
sub is_whole {
  my ($answer, $name) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  is scalar(() = $answer->body =~ /^\{.*\}$/mg), $many, $name
    or diag $answer->status, ' ', substr $answer->body, 0, 200;
}

sub metric {
  my ($name, $kind) = @_;
  my $text = $service->client->{http}->get($service->base_url . '/metrics')->{content};
  return $text =~ /^verify_answers_$name\{kind="$kind"\} ([0-9]+)$/m ? $1 : -1;
}
# From another address, each on a connection of its own; none waits long.
sub all_is_served {
  my ($name) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  my @faults;
  for my $round (1 .. 3) {
    for ([undef, '/v1/health/live'], [$other->{secret_key}, '/v1/verification_sessions']) {
      my ($token, $path) = @$_;
      my $answer = $service->client($token, timeout => 10, local_address => '127.9.9.9')
        ->get($path);
      push @faults, "$path: " . $answer->status . ' ' . substr $answer->body, 0, 80
        if $answer->status != 200;
    }
  }
  ok !@faults, $name or diag join "\n", @faults;
}
sub login { "Authorization: " . $dashboard->login($_[0]) . "\r\nSec-Fetch-Site: same-origin\r\n" }
sub readers {
  my ($path, $headers, %options) = @_;
  return Verify::SlowReaders->new(port => $service->{http_port}, count => 200,
    addresses => 200, head => "GET $path HTTP/1.1\r\nHost: a\r\n$headers\r\n", %options);
}
# One operator has half of the places, his organization no more.
sub export_stalls {
  my ($name, %options) = @_;
  my ($late, $refused) = map { metric($_, 'parked_answer') } qw(late_total refused_total);
  my $readers = readers($export, login('eve'), %options);
  all_is_served("$name: all others are served");
  ok $readers->begin_until(sub { !$_->{none} }), '... each is answered at once'
    or diag explain $readers->answers;
  my ($read, $again, $busy) = map { $_ // 0 } @{$readers->answers}{200, 429, 503};
  # On a slow machine some have had their time before the last came, and some find no
  # connection to the database.
  cmp_ok $read + $busy, '>=', 64, '... as many as there are places'
    or diag explain $readers->answers;
  cmp_ok $read, '<', 200, '... and no more';
  is $read + $again + $busy, 200, '... the others are told to come again'
    or diag explain $readers->answers;
  is scalar(grep { $_->{answer} =~ /^Retry-After: [1-9].*"code":"rate_limit_exceeded"/ms }
    $readers->clients), $again, '... when';
  is metric('refused_total', 'parked_answer') - $refused, $again, '... which is counted';
  is_whole $dashboard->client('bob')->get($of_other), '... another organization reads all';
  ok +(wait_for { metric('under_way', 'parked_answer') == 0 } 20),
    '... who does not read loses the place';
  is metric('late_total', 'parked_answer') - $late, $read, '... which is counted';
  $readers->read_rest;
  is scalar(grep { $_->{answer} =~ /\r\n0\r\n\r\n\z/ } grep { $_->{answer} =~ / 200 / }
    $readers->clients), 0, '... and can tell that this was not all';
  is_whole $dashboard->client('eve')->get($export), '... who reads gets the whole';
}

subtest 'an export' => sub { export_stalls('HTTP/1') };
subtest 'an export, encrypted' => sub {
  export_stalls('TLS', port => $service->{https_port}, ca_file => $service->ca_file);
};

subtest 'documents for everybody' => sub {
  my $kind = 'parked_public_answer';
  for my $path ('/v1/openapi.json', '/v1/docs') {
    my $late = metric('late_total', $kind);
    my $readers = readers($path, '');
    all_is_served("$path: all others are served");
    ok $readers->begin_until(sub { !$_->{none} }), '... each is answered at once'
      or diag explain $readers->answers;
    my ($read, $again) = @{$readers->answers}{200, 503};
    is_deeply [$read, $again], [128, 72], '... as many as there are places read';
    ok +(wait_for { metric('late_total', $kind) == $late + $read } 20),
      '... and not for long' or diag metric('late_total', $kind) - $late;
  }
  my $readers = readers('/v1/docs', '', addresses => 1);
  ok $readers->begin_until(sub { !$_->{none} }), 'from one address';
  is $readers->answers->{200}, 64, '... half of them' or diag explain $readers->answers;
};

subtest 'a long list' => sub {
  my %session = (type => 'age', workflow_id => $organization->{workflow_id},
    jurisdiction => 'US-VA', metadata => {map { ("key_$_" => 'x' x 200) } 1 .. 10});
  $organization->{client}->post('/v1/verification_sessions', \%session) for 1 .. 100;
  my $path = '/v1/verification_sessions?limit=100';
  my $readers = readers($path, "Authorization: Bearer $organization->{secret_key}\r\n");
  all_is_served('all others are served');
  ok $readers->begin_until(sub { !$_->{none} }), 'each is answered' or
    diag explain $readers->answers;
  is $readers->answers->{200}, 64, 'as many as there are places read'
    or diag explain $readers->answers;
  ok +(wait_for { metric('under_way', 'parked_answer') == 0 } 20), 'and not for long';
  is scalar @{$organization->{client}->get($path)->json->{data}}, 100, 'who reads has all';
};

subtest 'a reader who is slow, and steady' => sub {
  my $readers = readers($export, login('mallory'), count => 2);
  my $begun = Time::HiRes::time();
  ok $readers->read_until(10_000, sub { $_ == 2 }), 'comes to the end';
  cmp_ok Time::HiRes::time() - $begun, '>', 5, '... after more than the start';
  is scalar(grep { $_->{answer} =~ /\r\n0\r\n\r\n\z/ } $readers->clients), 2,
    '... and has all';
};

# For longer than the start of a reader, who takes all that there is: his buffer is
# larger than a part, and smaller than a piece, of 500 entries.
subtest 'a database that is slow' => sub {
  record($busy->{id}, 600, 1000);
  my $readers = readers("/dashboard/v1/organizations/$busy->{id}/audit/export",
    login('dave'), count => 1, buffer => 65_536);
  ok $readers->begin_until(sub { $_->{200} }), 'begins';
  my $handle = $service->connect_database;
  $handle->begin_work;
  $handle->do('LOCK TABLE operator_action IN ACCESS EXCLUSIVE MODE');
  my $until = Time::HiRes::time() + 7;
  $readers->read_until(1_000_000, sub { Time::HiRes::time() > $until });
  unlike +($readers->clients)[0]{answer}, qr/\r\n0\r\n\r\n\z/, 'waits for what follows';
  $handle->rollback;
  ok $readers->read_until(1_000_000, sub { $_ }), 'comes to the end';
  like +($readers->clients)[0]{answer}, qr/\r\n0\r\n\r\n\z/, 'and has all';
};

subtest 'answers that follow each other' => sub {
  my $ask = "GET /verify/embed.js HTTP/1.1\r\nHost: a\r\n\r\n";
  my $readers = readers('', '', head => $ask x 60);
  all_is_served('all others are served');
  $readers->close;
};

subtest 'streams of HTTP/2' => sub {
  my $refused = metric('refused_total', 'answer');
  my @connections = map { Verify::Streams->new(port => $service->{https_port},
    ca_file => $service->ca_file) } 1 .. 4;
  for my $streams (@connections) {
    $streams->ask('GET', $export, authorization => $dashboard->login('eve'),
      'sec-fetch-site' => 'same-origin') for 1 .. 60;
  }
  # What is refused cannot be seen where nothing is read.
  ok +(wait_for { $_->read_frames for @connections;
    metric('refused_total', 'answer') > $refused } 20), 'some are refused';
  cmp_ok metric('under_way', 'answer'), '<=', 16, 'one operator has half of the places';
  my $client = $service->client($other->{secret_key}, base_url => $service->base_url_tls,
    timeout => 5);
  is $client->get('/v1/verification_sessions')->status, 200, 'others are served';
  my $one = Verify::Streams->new(port => $service->{https_port}, ca_file => $service->ca_file);
  $one->ask('GET', '/v1/verification_sessions',
    authorization => "Bearer $other->{secret_key}");
  ok +(wait_for { $one->codes->{other} } 5), '... over HTTP/2, too';
};

finish $service;
