# Traffic as no honest client sends it: the answer is the envelope with a 4xx,
# or none, nothing changes, and nothing reaches the error log.
use v5.32;
use warnings;
use Verify::Conformance;
use Verify::Description;

my $service = Verify::Instance->start;
# httpd's own words about targets that are none.
$service->allow_log(qr/AH10244: invalid URI path/);
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $client = $organization->{client};
my $key = $organization->{secret_key};
my $other = $service->organization(sandbox => 1)->{secret_key};
my %operations = Verify::Description->load->api_operations;
my $sessions = '/v1/verification_sessions';
my $body = JSON::PP->new->canonical->encode({type => 'age',
  workflow_id => $organization->{workflow_id}, jurisdiction => 'US-CA'});
my $session = answer_is($client->post($sessions, $body), 201);

# Sends a request's lines and a body; returns [status, headers, body] of each
# answer on the connection.
sub send_lines {
  my ($line, $headers, $content) = @_;
  my $bytes = join "\r\n", $line, @$headers, '', $content // '';
  return answers($client->raw($bytes, 5));
}
sub answers {
  my ($text) = @_;
  my @answers;
  while ($text =~ s{\AHTTP/1\.[01] (\d{3})[^\r\n]*\r\n(.*?)\r\n\r\n}{}s) {
    my ($status, $head) = ($1, $2);
    my ($length) = $head =~ /^Content-Length: (\d+)/im;
    push @answers, [$status, $head, defined $length ? substr $text, 0, $length, '' : $text];
    $text = '' unless defined $length;
  }
  return @answers;
}
my @usual = ('Host: localhost', "Authorization: Bearer $key", 'Connection: close');
my @json = (@usual, 'Content-Type: application/json');

# One answer, one of these statuses, and the envelope.
sub refused {
  my ($name, $wanted, @answers) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  my ($status, undef, $text) = @{$answers[0] // [0, '', '']};
  my $error = eval { JSON::PP->new->utf8->decode($text)->{error} };
  ok @answers == 1 && $status =~ /\A(?:$wanted)\z/ && $error && $error->{code}
    && $error->{type} && $error->{message}, "$name: $status "
    . ($error->{code} // 'without a code') or diag scalar(@answers), ' answers: ',
    substr join("\n", map { @$_ } @answers), 0, 500;
}
sub count { $service->sql_value('SELECT (SELECT count(*) FROM verification_session)
  + (SELECT count(*) FROM event)') }
my $before = count();

subtest 'HEAD and OPTIONS on every route' => sub {
  my %paths = map { my ($method, $path) = split / /; ($path => 1) } keys %operations;
  for my $template (sort keys %paths) {
    my $path = $template =~ s/\{side\}/front/r =~ s/\{\w+\}/x/gr;
    my $gets = $operations{"GET $template"};
    my $head = $client->request('HEAD', $path, {});
    if ($template =~ m{/oidc/(?:authorize|continue)\z}) {
      is $head->status, 405, "HEAD $template, of which a GET changes something";
    }
    elsif ($gets) {
      my $got = $client->get($path);
      is $head->status, $got->status, "HEAD $template: " . $head->status;
      is $head->header('Content-Type'), $got->header('Content-Type'), 'the same type';
    }
    else { is $head->status, 405, "HEAD $template"; }
    is length($head->body // ''), 0, 'without a body';
    my $options = $client->request('OPTIONS', $path, {});
    like $options->status, qr/\A(?:20[04]|405)\z/, "OPTIONS $template: " . $options->status;
    ok $options->header('Allow') || $options->status == 204, 'Allow';
    for my $method (qw(TRACE CONNECT PROPFIND get FOO), 'G' x 200) {
      my ($answer) = send_lines("$method $path HTTP/1.1", \@usual);
      like $answer->[0] // 0, qr/\A(?:40[0345]|501)\z/, substr($method, 0, 9)
        . " $template: " . ($answer->[0] // 'none');
    }
  }
};

subtest 'ids that are no text on every route' => sub {
  for my $operation (sort grep { /\{(?:id|delivery_id)\}/ } keys %operations) {
    my ($method, $template) = split / /, $operation;
    my ($media) = sort keys %{($operations{$operation}{requestBody} // {})->{content} // {}};
    my @headers = (@usual[0, 2], defined $media ? ("Content-Type: $media",
      'Content-Length: 2') : ());
    for my $token ($key, $session->{client_secret}) {
      for my $id ('%ff%fe', 'vks_%80', 'trg_%c0%80') {
        my $path = $template =~ s/\{side\}/front/r =~ s/\{\w+\}/$id/gr;
        my ($answer) = send_lines("$method $path HTTP/1.1",
          [@headers, "Authorization: Bearer $token"], defined $media ? '{}' : '');
        like $answer->[0] // 0, $template =~ m{\A/verify/} ? qr/\A200\z/
          : qr/\A40[0134]\z/, "$method $path: " . ($answer->[0] // 'none');
      }
    }
  }
};

subtest 'headers' => sub {
  my $get = "GET $sessions HTTP/1.1";
  refused('two Authorization headers', '400|401', send_lines($get,
    [@usual, "Authorization: Bearer $other"]));
  refused('the same twice', '400|401', send_lines($get, [@usual, $usual[1]]));
  refused('folded, with another key', '400|401', send_lines($get, ['Host: localhost',
    "Authorization: Bearer $key\r\n $other", 'Connection: close']));
  refused('a space before the colon', '400', send_lines($get,
    [@usual, 'X-Other : x']));
  refused('no name', '400', send_lines($get, [@usual, ': x']));
  refused('no Host', '400', send_lines($get, [@usual[1, 2]]));
  refused('two Hosts', '400', send_lines($get, [@usual, 'Host: other']));
  refused('a control character', '400', send_lines($get, [@usual, "X-A: a\x01b"]));
  refused('a NUL', '400', send_lines($get, [@usual, "X-A: a\0b"]));
  refused('a large header', '400|431', send_lines($get, [@usual, 'X-A: ' . 'a' x 70000]));
  refused('many headers', '400|431', send_lines($get, [@usual, map { "X-$_: a" } 1 .. 500]));
  my @post = ("POST $sessions HTTP/1.1", [@json, 'Content-Length: ' . length $body]);
  refused('two types', '400|415', send_lines($post[0], [@{$post[1]},
    'Content-Type: text/plain'], $body));
  refused('two session secrets', '400|401|403|404', send_lines(
    "GET $sessions/$session->{id} HTTP/1.1", [$usual[0], $usual[2],
    'Authorization: Bearer ' . $service->key($organization->{id}, 'publishable'),
    "X-Service-Session-Secret: $session->{client_secret}",
    'X-Service-Session-Secret: x']));
};

subtest 'targets' => sub {
  for my $id ('%00', 'a%00b', '%2F', '..%2F..%2Fetc', '%2e%2e', '%252F', 'a%2Fb',
    '%ff%fe', '%E2%80%AE', "$session->{id}%00", "$session->{id}%20", '%', '%2', '%zz',
    "$session->{id};x=1", 'a' x 300, 'a' x 8000, "'", '%27%20OR%201%3D1--', '%5C',
    uc $session->{id}, '*', '%2A', '$1', '{id}', '%0d%0aX-Injected:%20y') {
    my @answers = send_lines("GET $sessions/$id HTTP/1.1", \@usual);
    refused(length $id > 40 ? length($id) . ' characters' : $id, '400|404|414', @answers);
    unlike $answers[0][1], qr/^X-Injected/mi, 'no header is injected';
  }
  for my $path ('/v1/../v1/events', '/v1//events', '//v1/events', '/v1/./events',
    '/v1/events/', '/v1/events%2F', '/v1/%65vents', '/v1/events#x',
    '/v1/verification_sessions/../events',
    '/v1/events/%2e%2e/events') {
    my ($answer) = send_lines("GET $path HTTP/1.1", \@usual);
    like $answer->[0], qr/\A(?:200|400|404)\z/, "$path: $answer->[0]";
  }
  my ($absolute) = send_lines("GET http://localhost/v1/events HTTP/1.1", \@usual);
  is $absolute->[0], 200, 'an absolute target is the same';
  for my $target ('http://other.example/v1/events', 'https://localhost/v1/events',
    'ftp://localhost/v1/events', 'localhost:443', '*', 'v1/events', '') {
    my ($answer) = send_lines("GET $target HTTP/1.1", \@usual);
    like $answer->[0] // 0, qr/\A(?:200|40[0345])\z/, "target '$target': "
      . ($answer->[0] // 'none');
  }
  my $get = sub { send_lines("GET $sessions?$_[0] HTTP/1.1", \@usual) };
  refused("query $_", '400|414', $get->($_)) for 'limit=%00', 'limit=1%00', 'limit=%',
    'limit=%zz', '=1', '&&=', 'limit', 'limit[]=1', 'limit[a]=1', 'status=%ff',
    'search=%c3%28', 'search=%ed%a0%80', 'search=a%00b', 'starting_after=%27',
    '%6cimi%74=1&limit=1', 'search=' . 'a' x 300;
  refused('a long query', '400|414', $get->('search=' . 'a' x 9000));
  refused('many parameters', '400|414', $get->(join '&', map { "a$_=1" } 1 .. 500));
  is +($get->('%6cimi%74=1'))[0][0], 200, 'an escaped name is its name';
};

subtest 'bodies' => sub {
  my $post = sub {
    my ($headers, $content, $version) = @_;
    return send_lines("POST $sessions HTTP/" . ($version // '1.1'),
      [@json, @$headers], $content);
  };
  my $length = length $body;
  my $chunk = sprintf '%x', $length;
  my ($chunked) = $post->(['Transfer-Encoding: chunked'],
    "$chunk\r\n$body\r\n0\r\n\r\n");
  is $chunked->[0], 201, 'chunked is well';
  $before = count();
  refused($_->[0], '400|408|411|413|501', $post->($_->[1], $_->[2])) for
    ['a chunk of no number', ['Transfer-Encoding: chunked'], "zz\r\n$body\r\n0\r\n\r\n"],
    ['a negative chunk', ['Transfer-Encoding: chunked'], "-1\r\n$body\r\n0\r\n\r\n"],
    ['a huge chunk', ['Transfer-Encoding: chunked'], "ffffffffffffffffff\r\n$body"],
    ['a chunk that is longer', ['Transfer-Encoding: chunked'],
      "5\r\n$body\r\n0\r\n\r\n"],
    ['an unknown coding', ['Transfer-Encoding: gzip'], $body],
    ['two lengths', ["Content-Length: $length", 'Content-Length: 5'], $body],
    ['a length of two numbers', ["Content-Length: $length, 5"], $body],
    ['a negative length', ['Content-Length: -1'], $body],
    ['a length of no number', ['Content-Length: x'], $body],
    ['a huge length', ['Content-Length: 99999999999999999999'], $body],
    ['a length over the limit', ['Content-Length: 70000'], 'a' x 70000],
    ['chunks over the limit', ['Transfer-Encoding: chunked'],
      join '', map({ "1000\r\n" . ' ' x 4096 . "\r\n" } 1 .. 17), "0\r\n\r\n"];
  refused('gzip', '400|415', $post->(["Content-Length: 20", 'Content-Encoding: gzip'],
    "\x1f\x8b\x08\0\0\0\0\0\0\x03\xab\xae\x05\0\x43\xbf\xa6\xa3\x02\0"));
  refused('an encoding of plain JSON', '400|415', $post->(["Content-Length: $length",
    'Content-Encoding: gzip'], $body));
  refused('a body on GET', '400|413', send_lines("GET $sessions HTTP/1.1",
    [@json, 'Content-Length: 11'], '{"limit":1}'));
  refused('a body on DELETE', '400|404|413', send_lines(
    'DELETE /v1/webhook_endpoints/x HTTP/1.1', [@json, 'Content-Length: 2'], '{}'));
  refused('Expect of something', '400|417', $post->(["Content-Length: $length",
    'Expect: 200-maybe'], $body));
  my $short = $client->raw(join("\r\n", "POST $sessions HTTP/1.1", @json,
    'Content-Length: ' . ($length + 10), '', $body), 1);
  unlike $short, qr/\AHTTP\S* 20/, 'a body that does not come is no request';
  is count(), $before, 'nothing was created';
};

subtest 'smuggling: one connection, two requests' => sub {
  my $inner = "GET /v1/webhook_endpoints HTTP/1.1\r\nHost: localhost\r\n"
    . "Authorization: Bearer $other\r\nConnection: close\r\n\r\n";
  my @keep = grep { !/Connection/ } @json;
  my @answers = answers($client->raw(join("\r\n", "POST $sessions HTTP/1.1", @keep,
    'Transfer-Encoding: chunked', 'Content-Length: 4', '', "0\r\n\r\n$inner"), 3));
  is @answers, 1, 'a chunked body with a length: ' . join ' ', map { $_->[0] } @answers;
  @answers = answers($client->raw(join("\r\n", "GET $sessions/none HTTP/1.1", @keep,
    'Content-Length: ' . length $inner, '', $inner), 3));
  is @answers, 1, 'a request in the body of a GET: ' . join ' ', map { $_->[0] } @answers;
  my $pipeline = join '', map { "GET $_ HTTP/1.1\r\nHost: localhost\r\n"
    . "Authorization: Bearer $key\r\n" . ($_ =~ /live/ ? "Connection: close\r\n" : '')
    . "\r\n" } $sessions, '/v1/none', '/v1/health/live';
  is join(' ', map { $_->[0] } answers($client->raw($pipeline, 3))), '200 404 200',
    'a pipeline is answered in order';
};

subtest 'HTTP/1.0, HTTP/0.9, HTTP/2, nonsense' => sub {
  my ($old) = send_lines("GET $sessions HTTP/1.0", [$usual[1]]);
  is $old->[0], 200, 'HTTP/1.0 without a Host';
  my ($post) = send_lines("POST $sessions HTTP/1.0", [@json,
    'Content-Length: ' . length $body], $body);
  is $post->[0], 201, 'and with a body';
  $before = count();
  for my $line ("GET $sessions", "GET $sessions HTTP/1.1 x",
    "GET  $sessions  HTTP/1.1", "GET $sessions HTTP/1.1\0", "\x16\x03\x01\x02\0",
    'PRI * HTTP/2.0', "GET\t$sessions\tHTTP/1.1") {
    my ($answer) = send_lines($line, \@usual);
    (my $name = $line) =~ s/[^ -~]/./g;
    like $answer->[0] // 400, qr/\A(?:40[0-9]|505)\z/, "$name: "
      . ($answer->[0] // 'none');
  }
  my $curl = sub {
    open my $pipe, '-|', 'curl', '-sS', '--cacert', $service->ca_file, '--http2',
      '-o', '/dev/null', '-w', '%{http_code} %{http_version}', @_,
      $service->base_url_tls . $sessions or return '';
    return scalar readline($pipe) // '';
  };
  is $curl->('-H', "Authorization: Bearer $key"), '200 2', 'HTTP/2';
  is $curl->('-H', "Authorization: Bearer $key", '-H', "Authorization: Bearer $other"),
    '401 2', 'two Authorization headers';
  is $curl->('-H', "Authorization: Bearer $key", '-H', 'Content-Type: application/json',
    '-d', '{}'), '400 2', 'POST';
  is $curl->('-H', "Authorization: Bearer $key", '-X', 'GET', '-d', '{}'), '400 2',
    'a body on GET';
};

is count(), $before, 'nothing was created';
finish($service);
