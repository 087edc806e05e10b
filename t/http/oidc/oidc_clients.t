# The clients of OpenID Connect in the dashboard: who may change them, that each belongs
# to its organization, and that their secrets are shown once.
use v5.32;
use warnings;
use JSON::PP ();
use POSIX ();
use Verify::Dashboard;
use Verify::OidcClient;
use Verify::OidcTest;
use Verify::Test;
use Verify::Wait;

my $service = Verify::Instance->start(start => 0);
my @organizations = map { $service->organization(sandbox => 1,
  workflow => Verify::OidcTest::workflow()) } 1, 2;
my ($mine, $theirs) = @organizations;
my $dashboard = Verify::Dashboard->prepare($service, dev => "developer $mine->{id}",
  eye => "auditor $mine->{id}", other => "admin $theirs->{id}");
$service->start_httpd;
my $path = "/dashboard/v1/organizations/$mine->{id}/oidc_clients";
my ($dev, $eye) = map { $dashboard->client($_) } qw(dev eye);
my %wanted = (name => 'Shop', workflow_id => $mine->{workflow_id},
  redirect_uris => ['https://shop.example/callback']);

my $made = answer_is $dev->post($path, \%wanted, 'Idempotency-Key' => 'one'), 201, 'created';
like $made->{client_secret}, qr/\Asvc_oidc_[\w-]{43}\z/, 'with its secret';
is $made->{token_endpoint_auth_method}, 'client_secret_basic', 'for the usual way';
is $made->{id_token_signed_response_alg}, 'RS256', 'and the usual algorithm';
is_deeply answer_is($dev->post($path, \%wanted, 'Idempotency-Key' => 'one'), 201), $made,
  'once for one key';
is $service->sql_value('SELECT count(*) FROM oidc_client'), 1, 'it is one client';
my $listed = answer_is($eye->get($path), 200, 'an auditor sees it')->{data};
is_deeply [map { $_->{id} } @$listed], [$made->{id}], 'in the list';
ok !exists $listed->[0]{client_secret}, 'without the secret';
ok !exists answer_is($eye->get("$path/$made->{id}"), 200)->{client_secret}, 'alone, too';
error_is $eye->post($path, \%wanted), 403, 'operator_role_required', undef, 'but creates none';
error_is $eye->delete("$path/$made->{id}"), 403, 'operator_role_required', undef, 'nor deletes one';

subtest 'another organization' => sub {
  my $other = $dashboard->client('other');
  my $elsewhere = "/dashboard/v1/organizations/$theirs->{id}/oidc_clients";
  for my $method (qw(get delete)) {
    error_is $other->$method("$elsewhere/$made->{id}"), 404, 'resource_missing', undef, $method;
  }
  error_is $other->patch("$elsewhere/$made->{id}", {name => 'x'}), 404, 'resource_missing', undef, 'patch';
  error_is $other->post($elsewhere, \%wanted), 400, 'parameter_invalid', 'workflow_id',
    'the workflow of another';
  is_deeply answer_is($other->get($elsewhere), 200)->{data}, [], 'its list';
};

subtest 'faults' => sub {
  for my $case (['redirect_uris[0]', redirect_uris => ['http://shop.example/']],
    ['redirect_uris[1]', redirect_uris => ['https://a.example/', 'https://a.example/#b']],
    [redirect_uris => redirect_uris => []], [name => name => ''],
    [token_endpoint_auth_method => token_endpoint_auth_method => 'client_secret_post'],
    [id_token_signed_response_alg => id_token_signed_response_alg => 'none'],
    [jwks => token_endpoint_auth_method => 'private_key_jwt'],
    [scope => scope => 'openid email'], [scope => scope => 'age'],
    [jwks => jwks => {keys => []}], [jwks => jwks => {a => 1}],
    [unknown => unknown => 1]) {
    my ($param, $name, $value) = @$case;
    error_is $dev->post($path, {%wanted, $name => $value}), 400, 'parameter_invalid', $param, $param;
  }
};

subtest 'changes' => sub {
  my $changed = answer_is $dev->patch("$path/$made->{id}", {name => 'Bar'}), 200;
  is $changed->{name}, 'Bar', 'a name';
  is_deeply $changed->{redirect_uris}, $made->{redirect_uris}, 'the rest stays';
  ok !exists $changed->{client_secret}, 'without a secret';
  is $changed->{scope}, 'openid age identity', 'all scopes';
  is answer_is($dev->patch("$path/$made->{id}", {scope => 'openid age'}), 200)->{scope},
    'openid age', '... or fewer';
  my $key = {kty => 'EC', crv => 'P-256', x => 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
    y => 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0'};
  my $signer = answer_is $dev->post($path, {%wanted, token_endpoint_auth_method => 'private_key_jwt',
    jwks => {keys => [$key]}}), 201, 'a client with keys';
  ok !exists $signer->{client_secret}, 'has no secret';
  is_deeply $signer->{jwks}, {keys => [$key]}, 'and shows its keys';
  error_is $dev->post("$path/$signer->{id}/rotate-secret", {}), 400, 'parameter_invalid', undef,
    'and gets none';
  is answer_is($dev->delete("$path/$signer->{id}"), 200)->{deleted}, JSON::PP::true, 'deleted';
  error_is $dev->delete("$path/$signer->{id}"), 404, 'resource_missing', undef, 'once';
};

subtest 'a new secret' => sub {
  my $rotate = "$path/$made->{id}/rotate-secret";
  my $at_once = answer_is $dev->post($rotate, {}), 200, 'rotated';
  like $at_once->{client_secret}, qr/\Asvc_oidc_[\w-]{43}\z/, 'another secret';
  isnt $at_once->{client_secret}, $made->{client_secret}, '... than the first';
  is $at_once->{former_secret_valid_until}, undef, 'which ended at once';
  my $later = answer_is $dev->post($rotate, {overlap_minutes => 60}, 'Idempotency-Key' => 'two'), 200;
  cmp_ok abs($later->{former_secret_valid_until} - time - 3600), '<', 60, 'or in an hour';
  is_deeply answer_is($dev->post($rotate, {overlap_minutes => 60}, 'Idempotency-Key' => 'two'), 200),
    $later, 'once for one key';
  error_is $dev->post($rotate, {overlap_minutes => $_}), 400, 'parameter_invalid', 'overlap_minutes',
    "an overlap of $_" for -1, 1441;
  error_is $eye->post($rotate, {}), 403, 'operator_role_required', undef, 'an auditor rotates none';
  error_is $dashboard->client('other')->post(
    "/dashboard/v1/organizations/$theirs->{id}/oidc_clients/$made->{id}/rotate-secret", {}),
    404, 'resource_missing', undef, 'nor another organization';
};

subtest 'a new secret during another change' => sub {
  my $rotation = $service->connect_database;
  my $digest = 'f' x 64;
  my @changes = (
    ['the dashboard' => sub { $dev->patch("$path/$made->{id}", {name => 'Inn'})->status }, 200],
    ['verifyctl' => sub { eval { $service->verifyctl(qw(oidc client update), $made->{id},
      '--name', 'Inn'); 200 } // 400 }, 200]);
  for (@changes) {
    my ($by, $change, $expected) = @$_;
    $digest =~ s/f/e/;
    $rotation->begin_work;
    $rotation->do(q(UPDATE oidc_client SET secret_digest = decode(?, 'hex') WHERE id = ?), undef,
      $digest, $made->{id});
    my $pid = fork // die "fork: $!\n";
    POSIX::_exit($change->() != $expected) if !$pid;
    ok((wait_for { $service->sql_value(
      q{SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'}) }),
      "$by waits for the rotation");
    $rotation->commit;
    waitpid $pid, 0;
    is $?, 0, 'and then changes the client';
    is $service->sql_value(q(SELECT encode(secret_digest, 'hex') FROM oidc_client WHERE id = ?),
      $made->{id}), $digest, '... without bringing back the former secret';
  }
  $rotation->disconnect;
};

subtest 'the audit trail' => sub {
  my $actions = $service->sql(q(SELECT * FROM operator_action WHERE organization_id = ?), $mine->{id});
  my $text = JSON::PP->new->encode($actions);
  like $text, qr/oidc_clients/, 'has the changes';
  unlike $text, qr/svc_oidc_/, 'and no secret';
};

finish $service;
