# A receiver that speaks HTTP/2 and answers before it has read the body, as
# servers may (RFC 9113, 8.1): every delivery counts as delivered.
# A stream that ends before its answer was seen is tried once over HTTP/1.1.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Test;

my $service = Verify::Instance->start(conf => <<'END');
LoadModule alias_module ${VERIFY_MODULES}/mod_alias.so
RedirectMatch 204 ^/receive$
LogFormat "%H %>s" protocol
CustomLog "${VERIFY_RUN}/logs/receiver.log" protocol "expr=%{REQUEST_URI} == '/receive'"
END
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $client = $organization->{client};
answer_is $client->post('/v1/webhook_endpoints',
  {url => $service->base_url_tls . '/receive', enabled_events => ['*']}), 201,
  'an endpoint';

for my $number (1 .. 60) {
  my $answer = $client->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US-CA'});
  die $answer->body if $answer->status != 201;
}
ok wait_for {
  !$service->sql_value(q{SELECT count(*) FROM webhook_delivery
    WHERE status = 'pending' AND last_error IS NULL})
}, 'every delivery was tried';
my $rows = $service->sql(q{SELECT status, attempt, response->>'status_code' AS code,
  last_error->>'code' AS error, count(*) FROM webhook_delivery GROUP BY 1, 2, 3, 4});
is_deeply $rows, [{status => 'delivered', attempt => 1, code => '204',
  error => undef, count => 60}], 'and delivered at once' or diag explain $rows;
open my $log, '<', "$service->{directory}/logs/receiver.log" or die "log: $!";
my @lines = <$log>;
ok +(grep { $_ eq "HTTP/2.0 204\n" } @lines) >= 40, 'most of them over HTTP/2'
  or diag @lines;

finish($service);
