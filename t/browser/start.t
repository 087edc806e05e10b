#!/usr/bin/perl
# The start page of `make run`'s server, over httpd and the service itself: a person
# presses its button, shows a specimen and is verified, and the webhook is seen to
# arrive; what the page tells nobody, and whom it does not serve.
use v5.32;
use utf8;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use HTTP::Tiny;
use IO::Socket::INET;
use Browser;
use Verify::Test;

my $root = "$FindBin::Bin/../..";
my $service = Verify::Instance->start(start => 0);
my $run = $service->{directory};
my $server = start_page();
END { # whatever the test dies of
  my $status = $?;
  kill TERM => $server if $server;
  $? = $status;
}
{ # a login for the dashboard, as `make run` makes it
  open my $logins, '>', "$run/dashboard.passwords" or die "dashboard.passwords: $!\n";
  print $logins "demo:{SHA}none\n";
  close $logins;
}
{
  local $ENV{VERIFY_START_PORT} = read_line("$run/start/port");
  $service->start_httpd;
}
my $base = $service->base_url;
my $tls = $service->base_url_tls;
my $http = HTTP::Tiny->new(timeout => 30);

sub read_line {
  open my $file, '<', $_[0] or return '';
  chomp(my $line = <$file> // '');
  return $line;
}

sub start_page {
  my $pid = fork // die "cannot fork: $!\n";
  if (!$pid) {
    open STDOUT, '>', "$run/logs/start.log";
    exec $^X, "$root/scripts/demonstration/server", $run or CORE::exit(127);
  }
  wait_for { read_line("$run/start/pid") eq $pid }
    or die "the start page does not start\n";
  return $pid;
}

sub create { # as the page asks for it, unless the headers are others
  my (%headers) = @_;
  my %all = (Origin => $base, %headers);
  delete @all{grep { !defined $all{$_} } keys %all};
  return $http->post("$base/start/sessions", {content => '{}', headers => \%all});
}

subtest 'before there are keys' => sub {
  my $page = $http->get("$base/");
  is $page->{status}, 200, 'the page is there';
  like $page->{content}, qr/id="start"/, 'with its button';
  my @named = $page->{content} =~ m{<code>([^<]*/demo\.env)</code>}g;
  is_deeply \@named, [("$run/demo.env") x 2], 'where keys and passwords are'
    or diag "@named";
  like $page->{content}, qr{<code>VERIFY_RUN_DIR=\Q$run\E make stop</code>},
    'and how it is ended';
  is create()->{status}, 503, 'and says so';
  my $login = $http->get("$tls/dashboard/", {headers => {Accept => 'text/html'}});
  is $login->{status}, 401, 'the dashboard wants a login';
  like $login->{content}, qr{<code>\Q$run\E/demo\.env</code>}, 'and says where it is';
};

my $organization = $service->organization(workflow => 1);
my $receiver = $service->receiver;
symlink $receiver->{directory}, "$run/receiver" or die "receiver: $!\n";
my $endpoint = answer_is($organization->{client}->post('/v1/webhook_endpoints',
  {url => $receiver->url, enabled_events => ['*']}), 201, 'an endpoint');
$receiver->expect_secret('/webhooks', $endpoint->{secret});
open my $demo, '>', "$run/demo.env" or die "demo.env: $!\n";
print $demo "BASE_URL=$base\nBASE_URL_TLS=$tls\nSECRET_KEY=$organization->{secret_key}\n"
  . "WORKFLOW_ID=$organization->{workflow_id}\n";
close $demo;

subtest 'whom it serves, and what it keeps' => sub {
  my $created = create();
  is $created->{status}, 201, 'a session';
  like $created->{content}, qr/"client_secret"/, 'with the secret of the widget';
  my ($id) = $created->{content} =~ /"id":"(vks_\w+)"/;
  my @told = ($created->{content}, map { $http->get("$base$_")->{content} } '/',
    '/start/page.js', "/start/sessions/$id?status=created&after=0");
  ok !grep({ /\Q$organization->{secret_key}/ } @told), 'and never the key';
  is create(Origin => 'https://elsewhere.example')->{status}, 403,
    'not for the page of another site';
  is create(Origin => undef)->{status}, 403, 'nor for one that does not say';
  is raw_status("Host: rebound.example:$service->{http_port}"), 403,
    'nor under the name of a stranger';
  is $http->get("$base/start/$_")->{status}, 404, "no $_"
    for qw(server demo.env index.html specimens/none.jpg);
  for my $path ('/start/nothing', '/nothing') {
    my $answer = $http->get("$base$path");
    is $answer->{status}, 404, "nothing at $path";
    like $answer->{content}, qr{page\.css.*<header.*There is no such page}s,
      'which a page of the same style says';
    like $answer->{content}, qr{<li><a href="\Q$_\E">}, "with a link to $_"
      for '/', '/dashboard/', '/v1/docs', "$tls/gate/";
  }
  unlike $http->get("$base/v1/nothing")->{content}, qr/<html/, 'the API answers for itself';
  is $http->delete("$base/start/page.js")->{status}, 405, 'nothing is changed';
};

sub raw_status {
  my ($host) = @_;
  my $answer = $service->client(undef)->raw("GET / HTTP/1.1\r\n$host\r\n"
    . "Connection: close\r\n\r\n");
  return +(split / /, $answer)[1];
}

SKIP: {
  skip 'chromium and chromedriver are not installed'
    unless Browser::is_available();
  system('/usr/bin/python3', "$root/scripts/demonstration/specimens.py",
    "$run/start/specimens") == 0 or skip 'no specimens can be made';
  my $browser = Browser->start(width => 1280, height => 800);
  my $screen = sub { $browser->wait_until_shown("[data-screen=$_[0]]") };
  for my $path ('/nothing', '/') {
    $browser->go("$base$path");
    $browser->wait_until_shown('.top');
    cmp_ok $browser->run('return document.querySelector(".top").offsetWidth'), '>', 1200,
      "the head of $path spans the page";
  }
  $browser->console; # which says that there is no such page

  # The button, for SPECIMEN in WAY.
  my $press = sub {
    my ($specimen, $way) = @_;
    $browser->go("$base/");
    $browser->click("label[for=specimen-$specimen]");
    $browser->click(".segments label:has([value=$way])");
    $browser->click('#start');
  };
  my $shown = sub {
    my ($what, $where) = @_;
    $browser->wait_for($what, sub { $browser->text($where // '.live') =~ $what });
  };

  # Whether the log is longer than its room, and its last entry seen in it.
  my $log_place = <<'JS';
    const log = document.getElementById('log'), room = log.getBoundingClientRect();
    const { bottom } = log.lastElementChild.getBoundingClientRect();
    return { scrolls: log.scrollHeight > log.clientHeight,
      end: bottom <= Math.min(room.bottom, innerHeight) + 1 };
JS

  subtest 'from the button to the webhook' => sub {
    $press->('good', 'dialog');
    $browser->enter_frame('dialog iframe');
    $browser->click('#agree');
    # The front, then the back, of the specimen.
    for my $place ('choose', 'otherSide') {
      $screen->($place);
      like $browser->text('#hint'), qr/Choose a picture/,
        'what is to be pressed is said where the dialog covers the page';
      ok $browser->run('const hint = document.getElementById("hint"), place = '
        . 'hint.getBoundingClientRect(); return document.elementFromPoint(place.x + 9, '
        . 'place.bottom - 9) === hint'), '... in view';
      ok $browser->run('return document.querySelector("label[for=file]").getBoundingClientRect()'
        . '.bottom < innerHeight'), '... with the button that it names';
      $browser->click('label[for=file]');
      $screen->('preview');
      $browser->click('#use');
    }
    $screen->('verified');
    $browser->leave_frames;
    ok $shown->(qr/The session is verified\nServer\nWebhook verification_session\.verified.*signature right/),
      'the webhook is shown, its signature checked';
    is $browser->text('#status'), 'verified', 'with what it came to';
    like $browser->text('#log'), qr/\AThe session was created\nServer\nPOST.*asked for consent.*passed/s,
      'from the beginning on, in words, the newest last';
    ok $shown->(qr/\AThe session was created\n.*Webhook verification_session\.created/s, '#log'),
      'the webhook of the request joins it';
    is +(() = $browser->text('#log') =~ /session was created/ig), 1, 'said once';
    my $sides = $browser->run('return [...document.querySelectorAll("#log li")].map((one) => '
      . 'one.querySelector(".side").textContent + (/POST|Webhook/.test(one.textContent) ? "+" : ""))');
    is_deeply [sort keys %{{map { $_ => 1 } @$sides}}], ['Page', 'Server+'],
      'and who knows each thing: the page or the server';
    unlike $browser->run('return document.documentElement.outerHTML'),
      qr/_secret_/, 'no secret stands in the page';
    my $seen = $browser->run($log_place);
    ok $seen->{scrolls} && $seen->{end}, 'the newest entry is in sight'
      or diag join ', ', map { "$_ $seen->{$_}" } sort keys %$seen;
    $browser->run('document.getElementById("log").scrollTop = 0');
    $browser->wait_for('the reader at the top', sub { !$browser->run($log_place)->{end} });
    # Two frames later the page has heard of it.
    $browser->run_async('const done = arguments[0]; requestAnimationFrame(() => '
      . 'requestAnimationFrame(done))');
    $browser->click('dialog button');
    ok $shown->(qr/The widget was closed/), 'another entry';
    is $browser->run('return document.getElementById("log").scrollTop'), 0,
      'does not move a reader who has scrolled up';
  };

  subtest 'a widget that is closed too early' => sub {
    $press->('expired', 'dialog');
    $browser->enter_frame('dialog iframe');
    $browser->click('#agree');
    for my $place ('choose', 'otherSide') {
      $screen->($place);
      $browser->wait_until_shown('#hint'); # with which the page hands it the specimen
      $browser->click('label[for=file]');
      $screen->('preview');
      $browser->click('#use');
    }
    $screen->('tryAgain');
    $browser->leave_frames;
    ok $shown->(qr/did not pass\. The widget says why and offers another/), 'the widget helps';
    ok !$browser->run('return document.getElementById("again").offsetHeight'),
      'while it is open';
    $browser->click('dialog button');
    ok $shown->(qr/did not pass\. The widget is closed, but the session is still open/),
      'after that the page says so';
    $browser->click('#again');
    $browser->enter_frame('dialog iframe');
    $screen->('tryAgain');
    $browser->leave_frames;
    ok $shown->(qr/offers another/), 'and opens it again, where it was';
  };

  subtest 'on a page of its own, and back' => sub {
    $press->('good', 'hosted');
    my $opened = $browser->wait_for('the window', sub {
      my $all = $browser->command(GET => '/window/handles');
      @$all == 2 && $all });
    my $first = $browser->command(GET => '/window');
    my ($other) = grep { $_ ne $first } @$opened;
    $browser->command(POST => '/window', {handle => $other});
    $browser->click('#cancel');
    $browser->click('#confirm-cancel');
    $screen->('cancelled');
    $browser->click('.actions a');
    ok $shown->(qr/verification_session\.cancelled/), 'the page knows the session';
    like $browser->url, qr{/\?session_id=vks_\w+\z}, 'which it was led back with';
    $browser->command(DELETE => '/window');
    $browser->command(POST => '/window', {handle => $first});
    ok $shown->(qr/verification_session\.cancelled/), 'as does the one before';
  };

  subtest 'it fits each window, in either scheme' => sub {
    for my $width (320, 390, 1280, 1920) {
      $browser->size($width, 844);
      $browser->go("$base/");
      $browser->wait_until_shown('#specimen-own');
      is $browser->run('return document.documentElement.scrollWidth'), $width,
        "$width pixels";
      cmp_ok $browser->run('return document.querySelector(".top")'
        . '.getBoundingClientRect().top'), '<', 24, 'from the top on';
    }
    $browser->size(1280, 900);
    $press->('good', 'inline');
    $browser->wait_for('the widget', sub { $browser->run(
      'return parseFloat(document.querySelector("#place iframe").style.height)'
      . ' > 320') });
    is $browser->run('return document.documentElement.scrollWidth'), 1280,
      'with the widget in it';
  };

  subtest 'nothing of the API\'s page is out of reach of the keyboard' => sub {
    for my $width (390, 1280) {
      $browser->size($width, 844);
      $browser->go("$base/v1/docs");
      is_deeply $browser->run(<<'JS'), [], "$width pixels";
        return [...document.querySelectorAll('*')].filter((one) =>
          /auto|scroll/.test(getComputedStyle(one).overflowX) && one.tabIndex < 0
          && !one.querySelector('a') && one.scrollWidth > one.clientWidth)
          .map((one) => one.outerHTML.slice(0, 80));
JS
      is $browser->run('return document.documentElement.scrollWidth'), $width,
        'and nothing is wider than the window';
    }
  };

  subtest 'in a dialog on a phone the head is one row' => sub {
    $browser->size(390, 844);
    $press->('good', 'dialog');
    $browser->enter_frame('dialog iframe');
    $browser->wait_until_shown('#agree');
    cmp_ok $browser->run('return document.querySelector(".bar").offsetHeight'), '<=', 60,
      'name, help and language';
    $browser->leave_frames;
    $browser->size(1280, 900);
  };

  subtest 'in German' => sub {
    my $german = Browser->start(width => 1280, height => 900, languages => 'de');
    $german->go("$base/");
    $german->wait_until_shown('#specimen-own');
    is $german->run('return document.documentElement.lang'), 'de', 'whose browser asks for it';
    unlike $german->text('body'), qr/\b(?:the|and|with|is|at)\b/i, 'nothing is left in English';
    ok $german->run('return [...document.querySelectorAll(".specimen")].every((one) => '
      . 'one.querySelector("input").getBoundingClientRect().top >= '
      . 'one.querySelector(".pictures").getBoundingClientRect().bottom)'),
      'what chooses a specimen does not lie on it';
    $german->click('#start');
    $german->enter_frame('dialog iframe');
    $german->click('#agree');
    $german->wait_until_shown('[data-screen=choose]');
    like $german->text('#hint'), qr/„Bild auswählen“/, 'the button is named as it is there';
  };

  is_deeply [map { $_->{message} } $browser->console], [], 'the console is quiet';
  $browser->go('about:blank'); # asks for no more news
}

kill TERM => $server;
waitpid $server, 0;
is $?, 0, 'the start page ends in order';
undef $server;
finish $service;
