#!/usr/bin/perl
# A page of another origin calls the API itself: a real browser's preflight, and
# what it lets the page read.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use Verify::Test;
use WidgetMock;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

my $shop = WidgetMock->start;
my $stranger = $shop->base =~ s/localhost/127.0.0.1/r;
my $service = Verify::Instance->start(conf => 'VerifyCORSOrigins ' . $shop->base . "\n");
my $organization = $service->organization(workflow => 1, sandbox => 1);
my $key = $service->key($organization->{id}, 'publishable');
my $session = answer_is($organization->{client}->post('/v1/verification_sessions',
  {type => 'age', workflow_id => $organization->{workflow_id}, jurisdiction => 'US-VA'}),
  201);
my $browser = Browser->start(width => 800, height => 600);

# What the page at ORIGIN learns from a request; {} where the browser hides it.
sub call_from {
  my ($origin, $path, %options) = @_;
  $browser->go("$origin/shop?script=/verify/embed.js");
  $browser->run(<<'JS', $service->base_url . $path, \%options);
    window.answer = null;
    fetch(arguments[0], arguments[1])
      .then(async (answer) => window.answer = { status: answer.status,
        id: answer.headers.get('X-Request-Id'),
        limit: answer.headers.get('X-RateLimit-Limit'),
        deprecation: answer.headers.get('Service-Deprecation'),
        body: await answer.json() })
      .catch(() => window.answer = {});
JS
  return $browser->wait_for('an answer', sub { $browser->run('return window.answer') });
}

my %headers = (Authorization => "Bearer $key");
my %retrieve = (headers => {%headers,
  'X-Service-Session-Secret' => $session->{client_secret}});
my $path = "/v1/verification_sessions/$session->{id}";

my $answer = call_from($shop->base, $path, %retrieve);
is $answer->{status}, 200, 'a listed page retrieves the session';
is $answer->{body}{id}, $session->{id}, 'and reads it';
like $answer->{id}, qr/\Areq_/, 'with the id of the request';
ok $answer->{limit}, 'and the limit';
$answer = call_from($shop->base, '/v1/verification_sessions', method => 'POST',
  headers => {%headers, 'Content-Type' => 'application/json', 'Idempotency-Key' => 'a'},
  body => '{}');
is $answer->{status}, 400, 'it creates a session, or learns why not';
is $answer->{deprecation}, 'publishable-key-session-create', 'and that it should not';
is_deeply call_from($shop->base, '/v1/verification_sessions', headers => \%headers), {},
  'the list of sessions is closed to it';
is_deeply call_from($stranger, $path, %retrieve), {}, 'so is all to another page';

undef $browser; # before what it inherited is waited for
finish $service;
