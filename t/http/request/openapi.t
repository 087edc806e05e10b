# The service describes itself: the documents of this checkout, for anybody.
use v5.32;
use warnings;
use Digest::SHA qw(sha256_base64);
use File::Temp qw(tempdir);
use JSON::PP ();
use Verify::Description;
use Verify::Test;

my $service = Verify::Instance->start;
my $client = $service->client(undef);
my $answer = $client->get('/v1/openapi.json');
my $made = tempdir(CLEANUP => 1);
is system('perl', 'scripts/api-documents', $made), 0, 'the documents are made';
sub made { JSON::PP->new->utf8->decode(Verify::Instance::read_text("$made/$_[0]")) }
is_deeply answer_is($answer, 200, 'no credential is needed'), made('openapi.json'),
  'it is the one of this checkout';
is_deeply answer_is($client->get("/v1/$_"), 200, $_), made($_), "$_ is the one of this checkout"
  for 'openapi.widget.json', 'openapi.dashboard.json';
like $answer->header('Cache-Control'), qr/max-age/, 'it may be kept';
my $tag = $answer->header('ETag');
is $client->get('/v1/openapi.json', 'If-None-Match' => $tag)->status, 304,
  'who has it is told so';
is $client->get('/v1/openapi.json', 'If-Match' => $tag)->status, 200,
  'who demands it gets it';
error_is $client->get('/v1/openapi.json', @$_), 412, 'precondition_failed', undef,
  "$_->[0], which does not hold" for ['If-Match', '"another"'],
  ['If-Match', '"another"', 'If-None-Match', $tag];
is $client->get('/v1/openapi.json', 'If-None-Match' => '"another"')->status, 200,
  'another than one has';
is $client->get('/v1/openapi.json', 'Accept-Encoding' => 'gzip')
  ->header('Content-Encoding'), 'gzip', 'it can come compressed';
for my $path (map { "/v1/$_" } qw(openapi.json docs postman.json)) {
  my $packed = $client->get($path, 'Accept-Encoding' => 'gzip, deflate, br, zstd');
  like $packed->header('Content-Encoding'), qr/\A(?:gzip|br)\z/, "$path, too";
  is $packed->unpacked, $client->get($path)->body, 'and is the same';
}
error_is $client->get('/v1/openapi.json?format=yaml'), 400, 'parameter_invalid',
  'format';

# What is made of it: a page that runs nothing, and a collection.
my %operations = Verify::Description->load->operations;
my $page = $client->get('/v1/docs');
is $page->status, 200, 'the page';
like $page->header('Content-Type'), qr{\Atext/html}, 'is one';
my $policy = $page->header('Content-Security-Policy');
my ($style) = $page->body =~ m{<style>(.*?)</style>}s;
my $hash = sha256_base64($style) . '=';
is_deeply [sort split /; /, $policy], [sort "default-src 'none'",
  "style-src 'sha256-$hash'", "form-action 'none'", "base-uri 'none'",
  "frame-ancestors 'none'"], 'its policy allows its own style and nothing else';
unlike $page->body, qr/<script|<link|<img|\bon\w+=|\bstyle=/, 'which it keeps to';
for my $operation (values %operations) {
  my $title = quotemeta $operation->{summary};
  like $page->body, qr{<h3 id="[\w-]+">$title</h3>}, "it tells: $operation->{summary}";
}
# It looks like the dashboard and the start page, and is for somebody who writes a shop.
like $page->body, qr{<header class="bar">.*<span>Verification</span>.*href="/dashboard/"}s,
  'it has the head of the product, and a way back';
my ($colours) = Verify::Instance::read_text('mod_verify/web/dashboard/dashboard.css')
  =~ /^(:root \{.*?^\})/ms;
like $style, qr/\Q$colours/, 'the colours of the dashboard, light and dark';
like $page->body, qr{<h1[^>]*>[^<]*</h1>\s*<p>With this API, your server}, 'what it is, first';
unlike $page->body, qr{scripts/|<!--}, 'nothing about how it is made';
my %ids = map { $_ => 1 } $page->body =~ /\bid="([\w-]+)"/g;
is_deeply [grep { !$ids{$_} } $page->body =~ /href="#([\w-]+)"/g], [],
  'its links lead somewhere';
error_is $client->get('/v1/docs?lang=de'), 400, 'parameter_invalid', 'lang';

my $collection = answer_is($client->get('/v1/postman.json'), 200, 'the collection');
like $collection->{info}{schema}, qr{/v2\.1\.0/}, 'of the format that it names';
my %called = map { my $url = $_->{request}{url}{raw} =~ s/\A\Q{{base_url}}\E//r;
  ("$_->{request}{method} " . $url =~ s/:(\w+)/{$1}/gr => $_) }
  map { @{$_->{item}} } @{$collection->{item}};
is_deeply [sort keys %called], [sort grep { m{ /v1/} }
  keys %operations], 'it has every call';
my $creation = $called{'POST /v1/verification_sessions'};
is $creation->{request}{auth}{bearer}[0]{value}, '{{secret_key}}',
  'with the key of a variable';
is $creation->{response}[0]{code}, 201, 'and what was answered once';
finish($service);
