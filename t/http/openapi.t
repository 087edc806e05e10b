# The service describes itself: the document of this checkout, for anybody.
use v5.32;
use warnings;
use Verify::Description;
use Verify::Test;

my $service = Verify::Instance->start;
my $client = $service->client(undef);
my $answer = $client->get('/v1/openapi.json');
is_deeply answer_is($answer, 200, 'no credential is needed'),
  Verify::Description->load->document, 'it is the one of this checkout';
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
error_is $client->get('/v1/openapi.json?format=yaml'), 400, 'parameter_invalid',
  'format';
finish($service);
