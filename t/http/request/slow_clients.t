# Clients that send slowly or nothing, as many as there are threads and more, on
# the server as it is shipped (2 children of 64 threads): all others are served.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use Time::HiRes ();
use Verify::Httpd qw(no_waiting);
use Verify::SlowClients;
use Verify::Test;

plan skip_all => no_waiting() if no_waiting();

# Only the limits of requests are raised, so that they refuse nobody here.
my $limits = "VerifyRateLimit secret 1000000\nVerifyRateLimit publishable 1000000\n";
my $service = Verify::Instance->start(conf => $limits);
# What httpd says of its threads while hundreds of connections come at once, on a
# slow machine; that all are served is asserted.
$service->allow_log(qr/AH00484: server reached MaxRequestWorkers/);
$service->allow_log(qr/AH03490: scoreboard is full/);
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $other = $service->organization(sandbox => 1, workflow => 1);
my $publishable = $service->key($organization->{id}, 'publishable');

# What others get, from another address and with another key, each on a connection
# of its own; none waits long.
sub client_of {
  return $service->client($_[0], timeout => 10, local_address => '127.9.9.9');
}
sub all_is_served {
  my ($name) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  my @faults;
  for my $round (1 .. 3) {
    for ([undef, '/v1/health/live'], [undef, '/v1/health/ready'],
      [$other->{secret_key}, '/v1/verification_sessions']) {
      my ($token, $path) = @$_;
      my $answer = client_of($token)->get($path);
      push @faults, "$path: " . $answer->status . ' ' . substr $answer->body, 0, 80
        if $answer->status != 200;
    }
    my $created = client_of($other->{secret_key})
      ->post('/v1/verification_sessions', {type => 'age', jurisdiction => 'US-CA',
        workflow_id => $other->{workflow_id}});
    push @faults, 'creation: ' . $created->status if $created->status != 201;
  }
  ok !@faults, $name or diag join "\n", @faults;
}

sub metric {
  my ($name, $kind) = @_;
  my $text = $service->client->{http}->get($service->base_url . '/metrics')->{content};
  return $text =~ /^verify_$name\{kind="$kind"\} ([0-9]+)$/m ? $1 : -1;
}

sub head_of {
  my ($method, $path, $token) = @_;
  return "$method $path HTTP/1.1\r\nHost: a\r\n"
    . (defined $token ? "Authorization: Bearer $token\r\n" : '')
    . "Content-Type: application/json\r\nContent-Length: 65000\r\n\r\n{";
}

sub session {
  my $session = answer_is($organization->{client}->post(
    '/v1/verification_sessions', {type => 'age', jurisdiction => 'US-CA',
      workflow_id => $organization->{workflow_id}}), 201, 'session created');
  return $session;
}

subtest 'who has no credential is refused before the body' => sub {
  my $session = session();
  my $wrong = $session->{client_secret} =~ s/.\z/_/r;
  for (['none', "POST", '/v1/widget/sessions/x/open', undef],
    ['no secret', 'POST', '/v1/widget/sessions/x/open', 'x'],
    ['a wrong secret', 'POST', "/v1/widget/sessions/$session->{id}/open", $wrong],
    ['no link', 'POST', '/v1/widget/trust_reuse/revocations', 'x'],
    ['no key', 'POST', '/v1/verification_sessions', "svc_sk_" . 'x' x 43],
    ['a key of another type', 'POST', '/v1/risk/score', $publishable]) {
    my ($name, $method, $path, $token) = @$_;
    my $slow = Verify::SlowClients->new(port => $service->{http_port}, count => 140,
      head => head_of($method, $path, $token));
    my $status = $path =~ /risk/ ? 403 : 401;
    ok $slow->pulse_until('x' x 100, sub {
      ($_->{$status} // 0) == 140 && $_->{closed} == 140;
    }), "$name: all are refused, and their connections closed"
      or diag explain $slow->answers;
    all_is_served("and others are served");
    $slow->close;
  }
};

# 500 connections that hold whatever they can.
sub attack {
  my ($name, $addresses, $head, $piece) = @_;
  my $slow = Verify::SlowClients->new(port => $service->{http_port}, count => 500,
    addresses => $addresses, head => $head);
  $slow->pulse($piece);
  all_is_served("$name: all others are served");
  $slow->pulse($piece);
  return $slow;
}

for my $addresses (1, 500) {
  my $from = $addresses == 1 ? 'from one address' : 'from many addresses';

  subtest "500 bodies $from" => sub {
    my $session = session();
    for (['with one client secret', "/v1/widget/sessions/$session->{id}/open",
        sub { $session->{client_secret} }],
      ['with one secret key', '/v1/risk/score', sub { $organization->{secret_key} }],
      ['with publishable keys', '/v1/verification_sessions', sub { $publishable }]) {
      my ($name, $path, $token) = @$_;
      my $refused = metric('bodies_refused_total', 'parked_body');
      my $slow = attack($name, $addresses, sub { head_of('POST', $path, $token->()) }, 'x');
      # A slow machine may still have one of them to answer. What had a place and
      # lost it by its time is answered 408 and does not count here.
      $slow->pulse_until('x', sub { ($_->{429} // 0) >= 372 });
      my $answers = $slow->answers;
      cmp_ok $answers->{none}, '<=', 128, "$name: at most 128 are under way";
      cmp_ok $answers->{429}, '>=', 372, 'the others are refused at once'
        or diag explain $answers;
      my @with_wait = grep { $_->{answer} =~ /^Retry-After: [1-9]/m
        && $_->{answer} =~ /"code":"rate_limit_exceeded"/ }
        grep { $_->{answer} =~ m{\AHTTP/1\.1 429 } } $slow->clients;
      is @with_wait, $answers->{429}, 'with the envelope and Retry-After';
      cmp_ok metric('bodies_refused_total', 'parked_body'), '>', $refused, 'and counted';
      ok $slow->pulse_until('x', sub { !$_->{none} && $_->{closed} == 500 }),
        'the rest has its time and no more' or diag explain $slow->answers;
      ok !(grep { $_ !~ /\A(?:429|408|none|closed)\z/ } keys %{$slow->answers}),
        'with 408';
      $slow->close;
    }
  };

  subtest "500 headers $from" => sub {
    for (['half a header', "GET /v1/health/live HTTP/1.1\r\nHost: a\r\nX-A: ", 'x'],
      ['a line a time', "GET /v1/health/live HTTP/1.1\r\n", "X: y\r\n"],
      ['half a first line', 'GET /v1/hea', 'x'],
      ['empty lines', "\r\n", "\r\n"],
      ['one byte', 'G', ''], ['nothing', '', '']) {
      my ($name, $head, $piece) = @$_;
      my $slow = attack($name, $addresses, $head, $piece);
      $slow->close;
    }
  };
}

# Bytes in which the service finds the end of a header, or gives up, and httpd
# would wait for more.
subtest 'headers that end elsewhere for httpd' => sub {
  my $line = 'GET /v1/health/live HTTP/1.1';
  my $long = join '', map { "X-$_: " . 'x' x 7000 . "\r\n" } 1 .. 10;
  for (['a line of CR', "$line\r\nHost: a\r\n\r\r\n", 140, 400],
    ['a first line that is too long', 'GET /v1/' . 'x' x 8185, 140, 414],
    ['more than any header has', "$line\r\nHost: a\r\n$long", 20, 400]) {
    my ($name, $head, $count, $status) = @$_;
    my $slow = Verify::SlowClients->new(port => $service->{http_port},
      count => $count, addresses => $count, head => $head);
    ok $slow->pulse_until('', sub { ($_->{$status} // 0) == $count }, 5),
      "$name: refused at once" or diag explain $slow->answers;
    all_is_served("$name: all others are served");
    $slow->close;
  }
};

# What httpd answers before or beside the service, and nobody reads.
subtest 'bodies that are not for the service' => sub {
  $service->{conf} = $limits . '<Directory "${VERIFY_RUN}/httpd/htdocs">'
    . "\nRequire all granted\n</Directory>\n";
  $service->start_httpd;
  my $file = "$service->{directory}/httpd/htdocs/file.txt";
  open my $handle, '>', $file or die "$file: $!\n";
  print $handle "text\n";
  close $handle or die "$file: $!\n";
  my $rest = "Host: a\r\nContent-Length: 60000\r\n\r\n{";
  for (['another path', 'POST /x HTTP/1.1', 404],
    ['a file', 'GET /file.txt HTTP/1.1', 200],
    ['metrics', 'POST /metrics HTTP/1.1', 405],
    ['OPTIONS *', 'OPTIONS * HTTP/1.1', 200],
    ['a slash in a segment', 'POST /v1/a%2fb HTTP/1.1', 404],
    ['another host', 'POST http://other/v1/risk/score HTTP/1.1', 401],
    ['two slashes', 'POST //v1/risk/score HTTP/1.1', 401],
    ['an expectation', "POST /v1/risk/score HTTP/1.1\r\nExpect: x", 417]) {
    my ($name, $line, $status) = @$_;
    my $slow = Verify::SlowClients->new(port => $service->{http_port}, count => 140,
      addresses => 140, head => "$line\r\n$rest");
    ok $slow->pulse_until('', sub {
      ($_->{$status} // 0) == 140 && $_->{closed} == 140;
    }, 5), "$name: all are refused at once" or diag explain $slow->answers;
    like +($slow->clients)[0]{answer}, qr/"request_id":"req_/, 'with the envelope'
      if $line =~ m{/v1};
    all_is_served("$name: all others are served");
    $slow->close;
  }
};

subtest 'bodies of many callers' => sub {
  $service->stop_httpd;
  $service->{conf} = "${limits}VerifyBodyPlaces 4\n";
  $service->start_httpd;
  my @sessions = map { session() } 1 .. 10;
  my $slow = attack('with ten client secrets', 500, sub {
    my $session = $sessions[$_[0] % 10];
    return head_of('POST', "/v1/widget/sessions/$session->{id}/open",
      $session->{client_secret});
  }, 'x');
  my $answers = $slow->answers;
  cmp_ok $answers->{none}, '<=', 64, 'no more are under way than there are places';
  cmp_ok $answers->{503} // 0, '>', 0, 'the others find no place'
    or diag explain $answers;
  $slow->close;
  ok wait_for { metric('bodies_under_way', 'parked_body') == 0 }, 'closed ones give theirs back';
};

subtest 'TLS handshakes' => sub {
  for my $addresses (1, 500) {
    my $slow = Verify::SlowClients->new(port => $service->{https_port}, count => 500,
      addresses => $addresses, head => "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03");
    $slow->pulse('x');
    all_is_served('all others are served');
    is $service->client(undef, base_url => $service->base_url_tls, timeout => 10)
      ->get('/v1/health/live')->status, 200, 'by TLS, too';
    $slow->close;
  }
};

subtest 'a body may come in pieces' => sub {
  my $body = '{"type":"age","jurisdiction":"US-CA","workflow_id":"'
    . $organization->{workflow_id} . '"}';
  my $length = length $body;
  my $slow = Verify::SlowClients->new(port => $service->{http_port}, count => 4,
    head => sub { "POST /v1/verification_sessions HTTP/1.1\r\nHost: a\r\n"
      . "Authorization: Bearer $organization->{secret_key}\r\n"
      . 'Content-Type: application/json' });
  ok wait_for { metric('bodies_under_way', 'parked_body') == 0 }, 'a header is awaited';
  $slow->pulse("\r\nContent-Length: $length\r\n\r\n");
  ok wait_for { metric('bodies_under_way', 'parked_body') == 4 }, 'four bodies are awaited';
  $slow->pulse($_) for unpack '(a10)*', $body;
  ok $slow->pulse_until('', sub { ($_->{201} // 0) == 4 }), 'and handled';
  is metric('bodies_under_way', 'parked_body'), 0, 'without a trace';
  # The connections are as good as new, and may bring two requests at once.
  $slow->pulse("GET /v1/health/live HTTP/1.1\r\nHost: a\r\n\r\n" x 2);
  ok wait_for {
    $slow->read_answers;
    4 == grep { 2 == (() = $_->{answer} =~ m{"object":"health"}g) } $slow->clients
  }, 'one after another';
  $slow->close;
};

subtest 'a late header is answered' => sub {
  $service->{conf} = "${limits}VerifyHeadTime 1\n";
  $service->start_httpd;
  for (["GET /v1/health/live HTTP/1.1\r\nHost: a\r\nX-A: ", 'x'],
    ["GET /v1/health/live HTTP/1.1\r\nHost: a\r\n", '']) {
    my ($head, $piece) = @$_;
    my $slow = Verify::SlowClients->new(port => $service->{http_port}, count => 3,
      head => $head);
    ok $slow->pulse_until($piece, sub { ($_->{408} // 0) == 3 && $_->{closed} == 3 }),
      'with 408' or diag explain $slow->answers;
    like +($slow->clients)[0]{answer}, qr/"code":"request_timeout"/, 'and the envelope';
  }
  my $silent = Verify::SlowClients->new(port => $service->{http_port}, count => 3,
    head => '');
  my $idle = Verify::SlowClients->new(port => $service->{http_port}, count => 3,
    head => "GET /v1/health/live HTTP/1.1\r\nHost: a\r\n\r\n");
  ok $idle->pulse_until('', sub { ($_->{200} // 0) == 3 }), 'a fast one is not';
  $idle->pulse("GET /v1/health/live HTTP/1.1\r\nHo");
  ok $idle->pulse_until('', sub { $_->{closed} == 3 }), 'the time of each begins anew';
  like +($idle->clients)[0]{answer}, qr{\AHTTP/1\.1 200 .*HTTP/1\.1 408 }s,
    'with its first byte';
};

# As a proxy's after a restart, here all in one child.
subtest 'a burst of connections of one address' => sub {
  $service->{conf} = "${limits}StartServers 1\nMaxRequestWorkers 64\n";
  $service->start_httpd;
  is $service->child_pids($service->httpd_pid), 2, 'a child beside the watchdog';
  my $burst = Verify::SlowClients->new(port => $service->{http_port}, count => 60,
    head => "GET /v1/health/live HTTP/1.1\r\nHo");
  $burst->pulse("st: a\r\n\r\n");
  ok $burst->pulse_until('', sub { ($_->{200} // 0) == 60 }), 'all are answered'
    or diag explain $burst->answers;
  $burst->close;
  my $slow = Verify::SlowClients->new(port => $service->{http_port}, count => 40,
    head => "GET /v1/health/live HTTP/1.1\r\nHo");
  my $settled = Time::HiRes::time() + 1.5;
  ok $slow->pulse_until('', sub { Time::HiRes::time() > $settled }), 'slow ones';
  my $last = Verify::SlowClients->new(port => $service->{http_port}, count => 4,
    head => 'GET /v1/hea');
  ok $slow->pulse_until('', sub { ($_->{408} // 0) == 4 }),
    'make room for each that comes when they have half of it'
    or diag explain $slow->answers;
  all_is_served('all are served');
  $_->close for $slow, $last;
};

subtest 'half a header holds up no restart' => sub {
  # There is room for two children, so the next ones wait for these.
  $service->allow_log(qr/AH03490: scoreboard is full/);
  $service->{conf} = "${limits}VerifyHeadTime 60\n";
  $service->start_httpd;
  my @children = $service->child_pids($service->httpd_pid);
  my $slow = Verify::SlowClients->new(port => $service->{http_port}, count => 8,
    head => 'GET /v1/hea');
  $service->graceful;
  ok wait_for(sub { !grep { -d "/proc/$_" } @children }, 15),
    'children of before have ended long before its time';
  all_is_served('all are served');
  $slow->close;
};

subtest 'who waits holds no restart and no end' => sub {
  $service->{conf} = "${limits}VerifySmallBodyTime 3\n";
  $service->start_httpd;
  my %head = (body => head_of('POST', '/v1/risk/score', $organization->{secret_key}),
    header => "GET /v1/health/live HTTP/1.1\r\nX-A: ");
  my @children = $service->child_pids($service->httpd_pid);
  my @slow = map { Verify::SlowClients->new(port => $service->{http_port}, count => 8,
    head => $_) } values %head;
  ok wait_for { metric('bodies_under_way', 'parked_body') == 8 }, 'eight bodies are awaited';
  $service->graceful;
  ok wait_for { !grep { -d "/proc/$_" } @children }, 'children of before have ended';
  ok wait_for { metric('bodies_under_way', 'parked_body') == 0 }, 'their places are free';
  all_is_served('all are served');
  $_->close for @slow;
  @slow = map { Verify::SlowClients->new(port => $service->{http_port}, count => 8,
    head => $_) } values %head;
  ok wait_for { metric('bodies_under_way', 'parked_body') == 8 }, 'eight bodies are awaited';
  # finish() looks at how each process ends.
};

finish($service);
