# What the settling statement makes of the results of a batch: the records, and
# how many attempts in a row have failed.
use v5.32;
use warnings;
use Verify::Queries qw(query_text);
use Verify::Test;

my $service = Verify::Instance->start(start => 0);
my $handle = $service->connect_database;
my $now = 1_000_000;

sub endpoint {
  my ($id, $failures, $since) = @_;
  $handle->do(q{INSERT INTO webhook_endpoint (organization_id, id, url,
    enabled_events, status, metadata, sealed_secret, consecutive_failures,
    failing_since, created_at, updated_at)
    VALUES ('org_1', ?, 'https://receiver.example/', '{*}', 'enabled', '{}', '',
      ?, ?, 1, 1)}, undef, $id, $failures, $since);
}
my $number = 0;
sub leased {
  my ($endpoint) = @_;
  my $id = sprintf 'whd_%026d', ++$number;
  $handle->do(q{INSERT INTO webhook_delivery (organization_id, id,
    webhook_endpoint_id, event_id, event_type, leased_by, leased_until,
    request_url, response, next_attempt_at, last_error, created_at, updated_at)
    VALUES ('org_1', ?, ?, 'evt_1', 'verification_session.created', 'node', 5,
      'https://before.example/', '{"status_code": 500}', 7, '{"code": "before"}',
      1, 1)},
    undef, $id, $endpoint);
  return $id;
}

# Results as [endpoint, delivered|pending|failed|skipped|returned]; returns how
# many were settled.
sub settle {
  my @results = @_;
  my @columns = map { [] } 1 .. 9;
  for my $result (@results) {
    my ($endpoint, $status, $lease) = @$result;
    my $tried = $status !~ /skipped|returned/;
    my @row = ('org_1', leased($endpoint), $lease // 5,
      $tried ? $status : $status eq 'returned' ? 'pending' : 'failed',
      $status eq 'pending' ? $now + 300 : 0,
      $tried ? 'https://receiver.example/' : '', $tried ? '{}' : '',
      $tried ? '{"status_code": 1}' : '', $status eq 'delivered' ? '' : '{}');
    push @{$columns[$_]}, $row[$_] for 0 .. $#row;
  }
  my $prepared = $handle->prepare(query_text('delivery/settle'));
  my @values = ($now, 'node', @columns);
  $prepared->bind_param("\$$_", $values[$_ - 1]) for 1 .. @values;
  $prepared->execute;
  return ($prepared->fetchrow_array)[0];
}
sub health {
  my ($row) = @{$handle->selectall_arrayref(q{SELECT consecutive_failures,
    failing_since FROM webhook_endpoint WHERE id = ?}, undef, $_[0])};
  return $row;
}

endpoint('we_well', 0, undef);
endpoint('we_ill', 3, 77);
is settle(['we_well', 'delivered'], ['we_ill', 'failed'], ['we_ill', 'pending']),
  3, 'three results';
is_deeply health('we_well'), [0, undef], 'a healthy one stays so';
is_deeply health('we_ill'), [5, 77], 'failures add up';
is settle(['we_ill', 'failed'], ['we_ill', 'delivered'], ['we_ill', 'failed'],
    ['we_well', 'failed'], ['we_well', 'delivered']), 5, 'five';
is_deeply health('we_ill'), [1, $now], 'a success begins anew';
is_deeply health('we_well'), [0, undef], 'failures before it do not count';
settle(['we_ill', 'delivered']);
is_deeply health('we_ill'), [0, undef], 'all is well again';
is settle(['we_well', 'failed', 6], ['we_well', 'skipped']), 1,
  'who has lost the lease settles nothing';
is_deeply health('we_well'), [0, undef], 'nor does it count';

my ($skipped) = @{$handle->selectall_arrayref(q{SELECT status, attempt,
  request_url, response->>'status_code' AS code FROM webhook_delivery
  WHERE id = ?}, {Slice => {}}, sprintf 'whd_%026d', $number)};
is_deeply $skipped, {status => 'failed', attempt => 0,
  request_url => 'https://before.example/', code => 500},
  'without an attempt the record keeps the last one';
is settle(['we_well', 'returned']), 1, 'what was not begun is given back';
my ($returned) = @{$handle->selectall_arrayref(q{SELECT status, attempt,
  next_attempt_at, leased_by, leased_until, last_error->>'code' AS code
  FROM webhook_delivery WHERE id = ?}, {Slice => {}}, sprintf 'whd_%026d', $number)};
is_deeply $returned, {status => 'pending', attempt => 0, next_attempt_at => 7,
  leased_by => undef, leased_until => undef, code => 'before'}, 'as it was';
is_deeply health('we_well'), [0, undef], 'and no failure';
is settle(['we_gone', 'failed']), 1, 'an endpoint that is gone';

$handle->disconnect;
finish($service);
