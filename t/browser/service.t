#!/usr/bin/perl
# The widget against the service itself: the files as httpd serves them, and a
# person who photographs a specimen card.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use Browser;
use Picture;
use Verify::Test;
use WidgetMock;

# Of the mock only the page of a shop is used.
my $shop = WidgetMock->start;
my $service = Verify::Instance->start(
  conf => "VerifyWidgetFrameAncestors 'self' " . $shop->base . "\n");
my $organization = $service->organization(workflow => 1, sandbox => 1);
my $server = $organization->{client};
my $anyone = $service->client(undef);

subtest 'the files and their headers' => sub {
  my $page = $anyone->get('/verify/vks_01jd0000000000000000000000?lang=de');
  is $page->status, 200, 'the page';
  is $page->header('Content-Type'), 'text/html; charset=utf-8', 'its type';
  like $page->header('Vary'), qr/Accept-Language/, 'in the language asked for';
  like $page->body, qr/<html lang="de">.*id="texts".*"Bevor es losgeht"/s,
    'with the texts of it';
  my ($assets) = $page->body =~ m{"(assets/[0-9a-f]{16})/widget\.js"};
  my $policy = $page->header('Content-Security-Policy');
  like $policy, qr/\Adefault-src 'none'; script-src 'self'; style-src 'self'/,
    'its policy';
  like $policy, qr/; script-src-elem 'self' 'sha256-[^' ]+';/,
    'for one script in the page';
  like $policy, qr{; frame-ancestors 'self' http://localhost:\d+\z},
    'with the configured ancestors';
  my $revoke = $anyone->get('/verify/revoke');
  like $revoke->header('Content-Security-Policy'), qr{; frame-ancestors 'none'\z},
    'the page that ends sharing is framed by nobody';
  isnt $revoke->body, $page->body, 'and another one';
  is $page->header('X-Content-Type-Options'), 'nosniff', 'no guessing';
  is $page->header('Referrer-Policy'), 'no-referrer', 'no referrer';
  like $page->header('Permissions-Policy'), qr/camera=\(self\)/, 'camera';

  for my $path ('embed.js', "$assets/widget.js", "$assets/texts/de.json",
    "$assets/methods/document_capture.js") {
    my $plain = $anyone->get("/verify/$path");
    is $plain->status, 200, $path;
    my $etag = $plain->header('ETag');
    my $again = $anyone->get("/verify/$path", 'If-None-Match' => $etag);
    is $again->status, 304, 'not again';
    is $again->body // '', '', 'without a body';
    is $again->header('ETag'), $etag, 'with the tag';
    is $plain->header('Content-Encoding'), undef, 'plain, where nothing else is accepted';
    is $plain->header('Cache-Control'), $path eq 'embed.js' ? 'no-cache'
      : 'public, max-age=31536000, immutable', 'kept as long as it is true';
    for my $case (['gzip', 'gzip'], ['gzip, deflate, br, zstd', 'br']) {
      my ($accepted, $coding) = @$case;
      my @wish = ('Accept-Encoding' => $accepted);
      my $packed = $anyone->get("/verify/$path", @wish);
      is $packed->header('Content-Encoding'), $coding, "$coding on request";
      is $packed->unpacked, $plain->body, 'the same text';
      is $packed->header('ETag'), $etag =~ s/"\z/-$coding"/r, 'another tag';
      is $packed->header('Vary'), $plain->header('Vary'), 'the same Vary';
      my $tag = $packed->header('ETag');
      is $anyone->get("/verify/$path", @wish, 'If-None-Match' => $tag)->status, 304,
        'not again';
      is $anyone->get("/verify/$path", @wish, 'If-None-Match' => $etag)->status, 200,
        'who has the plain one gets it';
      is $anyone->get("/verify/$path", @wish, Range => 'bytes=10-29')->body,
        $packed->body, 'whole, also to who wants a part';
      is $anyone->request('HEAD', "/verify/$path", {}, @wish)
        ->header('Content-Length'), length $packed->body, 'HEAD';
    }
    my $head = $anyone->request('HEAD', "/verify/$path", {});
    is $head->header('Content-Length'), length $plain->body, 'HEAD';
  }
  my $old = $anyone->get('/verify/assets/0123456789abcdef/widget.js');
  is $old->status, 200, 'a page of before an upgrade goes on';
  is $old->header('Cache-Control'), 'no-cache', 'and what it gets is not kept';
  error_is $anyone->get("/verify/$assets/none.js"), 404, 'resource_missing';
  error_is $anyone->post('/verify/embed.js', {}), 405, 'method_not_allowed';
};

# A photo with a barcode that the service can read.
sub specimen {
  my $directory = tempdir(CLEANUP => 1);
  system('/usr/bin/python3', "$FindBin::Bin/../lib/specimen_barcodes.py",
    '--issuer', 'test', '--only', 'straight', $directory) == 0 or return;
  return (glob "$directory/straight-*.jpg")[0];
}

sub create {
  return answer_is $server->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US-VA',
    return_url => 'https://shop.example/done', @_}), 201, 'a session';
}

sub status_of {
  my ($session) = @_;
  return $server->get("/v1/verification_sessions/$session->{id}")->json
    ->{status};
}

SKIP: {
  skip 'chromium and chromedriver are not installed'
    unless Browser::is_available();
  my $browser = Browser->start(width => 390, height => 844);
  my $screen = sub { $browser->wait_until_shown("[data-screen=$_[0]]") };
  my $visit = sub {
    my ($session) = @_;
    $browser->visit($service->base_url_tls
      . "/verify/$session->{id}#$session->{client_secret}");
    $screen->('consent');
    is status_of($session), 'pending', 'opened';
    $browser->click('#agree');
    $screen->('choose');
  };

  subtest 'a photo that cannot be read, then one that can' => sub {
    my $specimen = specimen() or plan skip_all => 'no specimen card';
    my $session = create();
    $visit->($session);
    my $nothing = Picture::file(Picture::png('sharp', 1400, 900), 'png');
    $browser->send_keys('#file', $nothing->filename);
    $browser->click('#use');
    $browser->click('#skip');
    $screen->('tryAgain');
    like $browser->text('#screen'), qr/no barcode/, 'says what is missing';
    is status_of($session), 'requires_input', 'requires input';
    $browser->send_keys('#file', $specimen);
    $browser->click('#use');
    $browser->click('#skip');
    $screen->('verified');
    is status_of($session), 'verified', 'verified';
    is $browser->run('return document.querySelector(".actions a").href'),
      "https://shop.example/done?session_id=$session->{id}", 'with the way back';
  };

  # What has moved since the page was loaded without the person having done anything.
  my $is_steady = sub {
    my ($after) = @_;
    my $shift = $browser->run_async(<<'JS');
      const done = arguments[arguments.length - 1];
      let sum = 0;
      new PerformanceObserver((list) => { for (const e of list.getEntries())
        if (!e.hadRecentInput) sum += e.value; })
        .observe({ type: 'layout-shift', buffered: true });
      requestAnimationFrame(() => requestAnimationFrame(() => done(sum)));
JS
    note "shift after $after: $shift";
    cmp_ok $shift, '<', 0.02, "nothing jumps after $after";
  };

  subtest 'a connection is called encrypted where it is' => sub {
    for my $page ('vks_01jd0000000000000000000000', 'revoke') {
      for my $base ($service->base_url_tls, $service->base_url) {
        $browser->go("$base/verify/$page");
        $browser->wait_until_shown('#screen h1');
        my $is = $base =~ /^https/ ? 1 : 0;
        my $said = $browser->text('.foot');
        is $said =~ /encrypted/i || 0, $is, "$base, $page: $said";
        is $browser->run('return document.querySelector(".foot .icon")'
          . '.getBoundingClientRect().width > 0') ? 1 : 0, $is, 'with a lock';
      }
    }
  };

  subtest 'what the first screen costs' => sub {
    my $session = create();
    $browser->visit($service->base_url_tls
      . "/verify/$session->{id}#$session->{client_secret}");
    $screen->('consent');
    $is_steady->('the first screen');
    my $cost = $browser->run(<<'JS');
      const entries = [...performance.getEntriesByType('navigation'),
        ...performance.getEntriesByType('resource')];
      return { requests: entries.length, bytes: entries.reduce((sum, e) =>
        sum + e.encodedBodySize, 0), names: entries.map((e) => e.name) };
JS
    note "$cost->{requests} requests, $cost->{bytes} bytes";
    cmp_ok $cost->{requests}, '<=', 4, 'requests'
      or diag join "\n", @{$cost->{names}};
    cmp_ok $cost->{bytes}, '<=', 30 * 1024, 'bytes';
    $browser->click('#agree');
    $screen->('choose');
    $browser->command(POST => '/refresh');
    $screen->('choose');
    # What is kept for ever is not even asked for again.
    my $again = $browser->run('return performance.getEntriesByType("resource")'
      . '.filter((e) => e.name.includes("/assets/") && e.transferSize > 0)'
      . '.map((e) => e.name)');
    is_deeply $again, [], 'a reload loads no file again';
    $is_steady->('a reload');
    # A photo, its preview, and the way on.
    my $photo = Picture::file(Picture::png('sharp', 1400, 900), 'png');
    $browser->send_keys('#file', $photo->filename);
    $screen->('preview');
    $browser->wait_for('the picture', sub { $browser->run(
      'return document.querySelector(".photo img").naturalWidth') });
    $browser->click('#use');
    $screen->('otherSide');
    $is_steady->('a photo');
  };

  subtest 'the session is asked for before the widget is there' => sub {
    my $session = create();
    $browser->chromium('Network.enable');
    $browser->chromium('Network.setBlockedURLs', urls => ['*/widget.js']);
    $browser->visit($service->base_url_tls
      . "/verify/$session->{id}#$session->{client_secret}");
    $browser->wait_for('the opening', sub { status_of($session) eq 'pending' });
    $browser->chromium('Network.setBlockedURLs', urls => []);
    pass 'and opened';
    $browser->command(POST => '/refresh');
    # The address still has the secret: nobody has taken it.
    $screen->('consent');
    my $asked = $browser->run('return performance.getEntriesByType("resource")'
      . '.filter((e) => e.name.includes("/v1/")).length');
    is $asked, 1, 'its answer is not asked for twice';
  };

  subtest 'a person who changes their mind' => sub {
    my $session = create();
    $visit->($session);
    $browser->click('#cancel');
    $browser->click('#confirm-cancel');
    $screen->('cancelled');
    is status_of($session), 'cancelled', 'cancelled';
  };

  subtest 'a browser that a program drives' => sub {
    my $workflow = $service->publish($organization->{id}, {name => 'Screened',
      start => 'screen', nodes => {
        screen => {type => 'checks', checks => ['device_risk'],
          next => {low => 'id', medium => 'id', high => 'denied'}},
        id => {type => 'methods', methods => ['document_capture'],
          next => {passed => 'granted', exhausted => 'denied'}},
        granted => {type => 'outcome', status => 'verified'},
        denied => {type => 'outcome', status => 'failed'}}});
    my $session = create(workflow_id => $workflow->{id});
    $browser->visit($service->base_url_tls
      . "/verify/$session->{id}#$session->{client_secret}");
    $screen->('failed');
    is status_of($session), 'failed', 'is declined when it opens';
    my $bots = answer_is $server->get('/v1/verification_sessions?risk_tier=bot'),
      200;
    is_deeply [map { $_->{id} } @{$bots->{data}}], [$session->{id}], 'as a bot';
    my ($item) = @{answer_is($server->get(
      "/v1/verification_sessions/$session->{id}?expand[]=results"), 200)->{results}};
    my $why = answer_is $server->get("/v1/risk/$item->{risk_assessment_id}"), 200;
    ok grep({ $_ eq 'webdriver_automation' } @{$why->{triggered_signals}}),
      'because it says so itself';
  };

  subtest 'in the page of the shop, and of nobody else' => sub {
    my $session = create();
    my $embed = sub {
      my ($host) = @_;
      $browser->go("$host/shop?script=" . $service->base_url_tls
        . '/verify/embed.js');
      $browser->run('window.events = []; IdvWidget.open({ ...arguments[0],'
        . ' onEvent: (e) => window.events.push(e.type) })',
        {sessionId => $session->{id},
          clientSecret => $session->{client_secret}});
    };
    $embed->($shop->base);
    $browser->wait_for('ready', sub { $browser->run(
      'return window.events.includes("ready")') });
    is status_of($session), 'pending', 'opened';
    is_deeply [grep { !/favicon/ } map { $_->{message} } $browser->console],
      [], 'without complaints';
    $embed->($shop->base =~ s/localhost/127.0.0.1/r);
    ok $browser->wait_for('the refusal', sub {
      grep { $_->{message} =~ /frame-ancestors/ } $browser->console }),
      'the browser refuses to show it elsewhere';
    $browser->wait_for('the event', sub {
      "@{$browser->run('return window.events')}" eq 'blocked' });
    pass 'the page is told';
  };

  my @complaints = map { $_->{message} } $browser->console;
  is_deeply \@complaints, [], 'the console is quiet';
}

finish $service;
