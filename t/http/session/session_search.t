# Searching sessions: what is found is what a look at each of them would find, on
# whole pages in order, from either side, with every filter; what cannot be found
# within the limits is refused.
use v5.32;
use warnings;
use utf8;
use Verify::Test;

use constant LIMIT => 5000; # store/session/session_lookup.h

my $service = Verify::Instance->start;
my $handle = $service->connect_database;
my $path = '/v1/verification_sessions';

sub escaped { join '', map { sprintf '%%%02x', $_ } unpack 'C*', $_[0] =~ s/\0//gr }
sub bytes { my ($text) = @_; utf8::encode($text); return $text }
sub ids { return [map { ref ? $_->{id} : $_ } @{($_[0]->json // {})->{data} // [$_[0]->body]}] }

# COUNT sessions like one that was created, of these references and columns, which
# are expressions of `i`.
sub fill {
  my ($organization, $count, $first, $reference, %columns) = @_;
  my $like = $organization->{client}->post($path, {type => 'age',
      workflow_id => $organization->{workflow_id}, jurisdiction => 'US'})->json->{id};
  my $changes = join ', ', map { "'$_', $columns{$_}" } sort keys %columns;
  $handle->do(<<"SQL", undef, $first, $first + $count - 1, $like);
INSERT INTO verification_session
SELECT (json_populate_record(template, json_build_object(
         'id', 'vks_' || lpad(i::text, 10, '0') || substr(md5(i::text), 1, 16),
         'client_reference_id', $reference@{[$changes && ", $changes"]}))).*
  FROM verification_session template, generate_series(?::integer, ?::integer) i
 WHERE template.id = ?
SQL
  $handle->do('DELETE FROM verification_session WHERE id = ?', undef, $like);
}

subtest 'as a look at each would find' => sub {
  my $organization = $service->organization(sandbox => 1, workflow => 1);
  my @marks = map { chr } grep { chr =~ /[^a-z0-9]/i } 0x20 .. 0x7e;
  my @references = (map("er${_}77", @marks), map("${_}x$_", @marks),
    '77-er', 'er 7 77', 'ER77', 'erq77', 'Ärger-Öl', 'ärger', 'a—b—c', '——— x',
    'a', 'ab', 'abc', 'x' x 255, 'x' x 254 . 'y', "\x{1F600}\x{1F601}\x{1F602}",
    'Straße 7', 'Order-2026-000123', 'order-2026-000132');
  $handle->do('CREATE TEMP TABLE reference (i integer, reference text)');
  $handle->do('INSERT INTO reference VALUES (?, ?)', undef, $_, $references[$_])
    for 0 .. $#references;
  fill($organization, scalar @references, 0,
    '(SELECT reference FROM reference r WHERE r.i = i.i)',
    status => q{CASE WHEN i % 2 = 0 THEN 'created' ELSE 'failed' END},
    risk_tier => q{CASE WHEN i % 3 = 0 THEN 'bot' END});
  my $all = $handle->selectall_arrayref('SELECT id, client_reference_id, status,
    risk_tier FROM verification_session WHERE organization_id = ? ORDER BY id DESC',
    {Slice => {}}, $organization->{id});
  my %texts = map { $_ => 1 } @references, map((substr($_, -3), substr($_, 0, 2),
      substr($_, 0, 1), substr($_, 1, 4), uc), @references),
    map(("er$_", "r${_}7", "$_$_$_", "%$_", "er${_}78"), @marks),
    'nobody', '7', 'er-', '-er', 'x' x 100, 'y' . 'x' x 99, 'vks', 'vks_0',
    map { $_->{id}, uc $_->{id}, substr($_->{id}, 4, 20), substr($_->{id}, 1) }
      @$all[0, 20];
  my @wrong;
  for my $text (grep { length } sort keys %texts) {
    my ($low, $is_id) = (lc $text, lc $text);
    my @expected = map { $_->{id} } grep {
      my $at = index lc $_->{client_reference_id}, $low;
      ($at == 0 || $at > 0 && length $text >= 3)
        || $_->{id} =~ /\A(?:vks_)?\Q$is_id\E/;
    } @$all;
    my $found = ids($organization->{client}->get("$path?limit=100&search="
      . escaped(bytes($text))));
    push @wrong, bytes($text) . ': found ' . @$found . ' of ' . @expected
      if "@$found" ne "@expected[0 .. ($#expected < 99 ? $#expected : 99)]";
  }
  ok !@wrong, keys(%texts) . ' texts' or diag join "\n", @wrong;

  my @bots = map { $_->{id} } grep { $_->{status} eq 'failed'
    && ($_->{risk_tier} // '') eq 'bot' && $_->{client_reference_id} =~ /77/ } @$all;
  ok @bots > 3, 'some have both';
  is_deeply ids($organization->{client}->get(
    "$path?search=77&status=failed&risk_tier=bot&limit=100")), [grep {
      my $id = $_; grep { $_->{id} eq $id && $_->{client_reference_id} =~ /\A77/ } @$all
    } @bots], 'filters and a beginning';
  is_deeply ids($organization->{client}->get(
    "$path?search=r&status=failed&risk_tier=bot&limit=100")), [], 'and none';
  is_deeply ids($organization->{client}->get("$path?limit=100&search=er-"
    . '&client_reference_id=er-77')), [map { $_->{id} } grep {
      $_->{client_reference_id} eq 'er-77' } @$all], 'and the whole reference';
  is_deeply ids($organization->{client}->get("$path?search=xyz"
    . '&client_reference_id=er-77')), [], 'which has to look like it';
};

subtest 'more than are looked at' => sub {
  my $organization = $service->organization(sandbox => 1, workflow => 1);
  my $client = $organization->{client};
  fill($organization, LIMIT + 1000, 0, q{'aaaa-' || i || repeat('a', 100)},
    status => q{CASE WHEN i < 3 THEN 'failed' ELSE 'created' END});
  my $all = $handle->selectcol_arrayref('SELECT id FROM verification_session
    WHERE organization_id = ? ORDER BY id DESC', undef, $organization->{id});
  is_deeply ids($client->get("$path?search=AAAA&limit=100")), [@$all[0 .. 99]],
    'the newest of them';
  is_deeply ids($client->get("$path?search=aaaa&limit=100&starting_after=$all->[2999]")),
    [@$all[3000 .. 3099]], 'from the middle';
  is_deeply ids($client->get("$path?search=aaaa&limit=100&ending_before=$all->[2999]")),
    [@$all[2899 .. 2998]], 'upwards';
  is_deeply ids($client->get("$path?search=aaaa&limit=100&starting_after=$all->[-3]")),
    [@$all[-2, -1]], 'the last page';
  is_deeply ids($client->get("$path?search=aaaa&status=failed")), [@$all[-3 .. -1]],
    'the oldest, by a filter';
  is_deeply ids($client->get("$path?search=a-17aa")), [$all->[-18]],
    'one of them by what no other has';
  is_deeply ids($client->get("$path?search=v&status=failed")), [@$all[-3 .. -1]],
    'the beginning of all ids, by a filter';
  my $text = 'a' x 101;
  error_is($client->get("$path?search=$text"), 400, 'search_too_broad', 'search',
    'none of them, which a look at all would tell');
  error_is($client->get("$path?search=$text&ending_before=$all->[-1]"), 400,
    'search_too_broad', 'search', 'from either side');
  is_deeply ids($client->get("$path?search=$text&starting_after=$all->[2000]")), [],
    'few enough are left behind this cursor';
  is_deeply ids($client->get("$path?search=$text&status=failed")), [],
    'and with this filter';

  # Whoever sees few sessions is not told by a refusal that there are more.
  my $application = $service->verifyctl(qw(app create --org),
    $organization->{id}, qw(--name One))->{id};
  my $one = $service->client(
    $service->key($organization->{id}, 'secret', '--app', $application));
  fill($organization, 3, LIMIT + 2000, q{repeat('a', 90 + i % 10)},
    application_id => $handle->quote($application));
  is_deeply ids($one->get("$path?search=$text")), [], 'an application has none';
  is @{ids($one->get("$path?search=aaaa"))}, 3, 'and what it has';
  is @{ids($one->get("$path?search=v"))}, 3, 'by its ids';
};

$handle->disconnect;
finish($service);
