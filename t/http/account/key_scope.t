# Restricted keys: each route of a secret key needs its scope, and a key never exceeds
# the roles of the operator who created it.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use Verify::Dashboard;
use Verify::Test;

sub code_of {
  open my $file, '<', $_[0] or die "$_[0]: $!\n";
  my $text = do { local $/; <$file> };
  return $text =~ s{/\*.*?\*/}{}gsr;
}
my @scopes = map { [split /\s*,\s*/, s/"//gr] }
  code_of('mod_verify/domain/account/key_scope.h') =~ /X\((\w+, "[^"]+", \w+)\)/g;
my %value = map { @$_[0, 1] } @scopes;
my @routes = grep { $_->[2] =~ /\A(?:PUBLISHABLE_OR_)?SECRET\z/ }
  map { [split /\s*,\s*/, s/"//gr] }
  code_of('mod_verify/api/routes.def') =~ /IDV_ROUTE\(([^()]*)\)/g;
cmp_ok scalar @routes, '>', 20, 'routes of secret keys';

my $service = Verify::Instance->start(start => 0);
my $shop = $service->organization(sandbox => 1, workflow => 1);
my $application =
  $service->verifyctl(qw(app create --org), $shop->{id}, qw(--name Till))->{id};
my %roles = (dora => ["developer $shop->{id}"], root => ["admin $shop->{id}"],
  rose => ["developer $shop->{id}", "reviewer $shop->{id}"]);
my $dashboard = Verify::Dashboard->prepare($service, %roles);
$service->start_httpd;
my %client = map { $_ => $dashboard->client($_) } keys %roles;
my $own = "/dashboard/v1/organizations/$shop->{id}";
my %rights = (dora => 'AUDITOR DEVELOPER', rose => 'AUDITOR DEVELOPER REVIEWER');
sub make { my ($who, %more) = @_; $client{$who}->post("$own/keys", {type => 'secret', %more}) }
my @restricted = (qw(--type secret --scope), 'sessions:write,events:read');
sub ctl { $service->verifyctl(qw(key create --org), $shop->{id}, @_) }

# What a key does at each route: nothing of it exists, so nothing is changed.
sub opens_exactly {
  my ($key, $name, @allowed) = @_;
  my $client = $service->client($key);
  my %allowed = map { $_ => 1 } @allowed;
  my @wrong;
  for my $route (@routes) {
    my ($method, $pattern, $scope) = (@$route[0, 1], $value{$route->[6]});
    my $path = $pattern =~ s/:(\w+)/x/gr;
    my $answer = $method =~ /\A(?:GET|DELETE)\z/ ? $client->request($method, $path, {})
      : $client->request_with_body($method, $path, {});
    my $is_refused = $answer->status == 403
      && $answer->json->{error}{code} eq 'key_scope_required';
    push @wrong, "$method $path: " . $answer->status if $is_refused == !!$allowed{$scope};
    push @wrong, "$method $path: does not name $scope"
      if $is_refused && $answer->json->{error}{message} !~ /\Q$scope\E/;
  }
  is_deeply \@wrong, [], $name;
}

for my $who (sort keys %rights) {
  subtest "keys of $who" => sub {
    my @mine = map { $_->[1] } grep { $rights{$who} =~ /\b$_->[2]\b/ } @scopes;
    my @others = map { $_->[1] } grep { $rights{$who} !~ /\b$_->[2]\b/ } @scopes;
    my $made = answer_is(make($who), 201, 'a key');
    is_deeply [sort @{$made->{scopes}}], [sort @mine], 'has what the roles allow';
    opens_exactly($made->{key}, 'and opens that', @mine);
    is_deeply answer_is(make($who, application_id => $application), 201)->{scopes},
      $made->{scopes}, 'an application\'s, too';
    is_deeply answer_is(make($who, scopes => undef), 201)->{scopes}, $made->{scopes},
      'null asks for no more';
    for my $scope (@others) {
      my $answer = make($who, scopes => ['sessions:read', $scope]);
      error_is($answer, 403, 'operator_role_required');
      like $answer->json->{error}{message}, qr/\Q$scope\E/, "$scope is named";
    }
  };
}

subtest 'keys of an admin' => sub {
  my $made = answer_is(make('root'), 201, 'a key');
  is $made->{scopes}, undef, 'without restrictions';
  opens_exactly($made->{key}, 'opens everything', values %value);
  my $few = answer_is(make('root', scopes => ['events:read', 'sessions:write']), 201);
  is_deeply $few->{scopes}, ['sessions:write', 'events:read'], 'or with some';
  opens_exactly($few->{key}, 'which open some', qw(sessions:write events:read));
  my ($listed) = grep { $_->{id} eq $few->{id} }
    @{$client{dora}->get("$own/keys")->json->{data}};
  is_deeply $listed->{scopes}, $few->{scopes}, 'as the list shows';
  error_is(make('root', scopes => ['sessions:everything']), 400, 'parameter_invalid',
    'scopes[0]');
  error_is(make('root', scopes => []), 400, 'parameter_invalid', 'scopes');
  error_is($client{root}->post("$own/keys", {type => 'publishable',
    scopes => ['sessions:read']}), 400, 'parameter_invalid', 'scopes');
};

subtest 'verifyctl' => sub {
  my $made = ctl(@restricted);
  is_deeply $made->{scopes}, ['sessions:write', 'events:read'], 'scopes';
  opens_exactly($made->{key}, 'which are all', qw(sessions:write events:read));
  is ctl(qw(--type secret))->{scopes}, undef, 'none: everything';
  for (['unknown', 'sessions:write,no'], ['empty', ','], ['no list', 'sessions:write events:read']) {
    ok !eval { ctl(qw(--type secret --scope), $_->[1]); 1 }, "$_->[0]: refused";
    like $@, qr/scope/, 'by its name';
  }
  ok !eval { ctl(qw(--type publishable --scope sessions:read)); 1 }, 'not of a browser\'s key';
  my ($listed) = grep { $_->{id} eq $made->{id} }
    @{$service->verifyctl(qw(key list --org), $shop->{id})};
  is_deeply $listed->{scopes}, $made->{scopes}, 'listed';
};

subtest 'a restricted key works as any other within its scopes' => sub {
  my $client = $service->client(ctl(qw(--type secret --scope sessions:write))->{key});
  my %age = (type => 'age', workflow_id => $shop->{workflow_id}, jurisdiction => 'US-CA');
  my $id;
  for (1 .. 3) { # the second and third time it is remembered
    $id = answer_is($client->post('/v1/verification_sessions', {%age}), 201, 'creates')->{id};
    error_is($client->get("/v1/verification_sessions/$id"), 403, 'key_scope_required');
    error_is($client->post("/v1/verification_sessions/$id/cancel", {}), 403,
      'key_scope_required');
  }
  is $shop->{client}->get("/v1/verification_sessions/$id")->json->{status}, 'created',
    'nothing was changed';
  my $revoked = ctl(qw(--type secret --scope sessions:write));
  my $late = $service->client($revoked->{key});
  error_is($late->get('/v1/events'), 403, 'key_scope_required');
  $service->verifyctl(qw(key revoke), $revoked->{id});
  error_is($late->get('/v1/events'), 401, 'api_key_invalid');
};

subtest 'where two people are needed' => sub {
  $service->verifyctl(qw(org four-eyes), $shop->{id}, qw(--reject on));
  error_is(make('rose'), 403, 'operator_role_required');
  answer_is(make('rose', scopes => ['sessions:read']), 201, 'a key that ends no review');
};

subtest 'doctor' => sub {
  my $unrestricted = sub { sort map { $_->{subject} }
    grep { $_->{code} eq 'key_unrestricted' }
    @{$service->verifyctl('doctor')->{findings}} };
  is_deeply [$unrestricted->()], [], 'knows that admins made those without scopes';
  my ($known) = @{$service->sql(q{SELECT id FROM api_key WHERE scopes IS NULL
    AND type = 'secret' AND revoked_at IS NULL ORDER BY id LIMIT 1})};
  $service->sql('UPDATE api_key SET by_admin = NULL'); # as an upgrade leaves them
  my @found = $unrestricted->();
  ok scalar(grep { $_ eq $known->{id} } @found), 'lists those of which it does not know';
  is_deeply [grep { $service->sql_value(q{SELECT scopes IS NOT NULL OR type <> 'secret'
    FROM api_key WHERE id = ?}, $_) } @found], [], 'and no others';
  $service->sql('UPDATE api_key SET by_admin = true');
};

finish($service);
