# An operator of the service adds a list of plain certificates in the dashboard: which
# roles may, what is accepted, and that a refusal changes nothing. Administrators of an
# organization may not: by trust reuse, others rely on what its wallets have proved.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use Verify::Authority;
use Verify::Dashboard;
use Verify::Test;

my $service = Verify::Instance->start(start => 0);
my $who = $service->organization(sandbox => 1);
my $other = $service->organization(sandbox => 1);
my $dashboard = Verify::Dashboard->prepare($service, olga => "auditor $who->{id}",
  dora => "developer $who->{id}", pia => "publisher $who->{id}", rosa => "admin $who->{id}",
  otto => "admin $other->{id}", ada => 'admin *');
$service->start_httpd;
my %client = map { $_ => $dashboard->client($_) } qw(olga dora pia rosa otto ada);
my $lists = "/dashboard/v1/organizations/$who->{id}/trust_lists";

my $folder = "$service->{directory}/added";
mkdir $folder or die "$folder: $!\n";
my $authority = Verify::Authority->new($folder);
$authority->authority($_, country => 'UT') for qw(first second);
$authority->signer('leaf', 'first', '1.0.18013.5.1.2');
my ($first, $second, $leaf) = map { $authority->pem($_) } qw(first second leaf);
my $key = Verify::Authority::bytes_of($authority->path('first', 'key'));
$authority->authority('old', days => -1);
my $expired = $authority->pem('old');
my %list = (name => 'Utopia', kind => 'iaca', certificates => $first);

sub kept {
  return $service->sql('SELECT (SELECT count(*) FROM trust_list) AS lists,
    (SELECT count(*) FROM trust_list_version) AS versions,
    (SELECT count(*) FROM operator_action) AS actions')->[0];
}

subtest 'who may' => sub {
  my $before = kept();
  error_is($client{$_}->post($lists, \%list), 403, 'operator_role_required', undef, $_)
    for qw(olga dora pia rosa);
  isnt $client{otto}->post($lists, \%list)->status, 201, 'nor who is it elsewhere';
  error_is($client{ada}->post($lists, \%list, 'Sec-Fetch-Site' => 'cross-site'), 403,
    'cross_site_refused');
  is_deeply kept(), $before, 'nothing has changed';
};

subtest 'what is refused' => sub {
  my $before = kept();
  my $damaged = $second =~ s/\n[^\n]{20}/\n!!!!!!!!!!!!!!!!!!!!/r;
  my %bad = (
    'no text' => '', 'no certificate' => 'Hello', 'DER in text' => '0abc',
    'a private key' => $key, 'a private key behind a certificate' => $first . $key,
    'an expired one' => $first . $expired, 'not an authority' => $first . $leaf,
    'one twice' => $first . $second . $first, 'too many' => $first x 101,
    'a damaged block' => $first . $damaged, 'cut off' => $first . substr($second, 0, 200),
    'another block' => $first . "-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----\n",
    'not a certificate' => "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    'too long' => $first . ' ' x 65_536);
  for my $kind (qw(iaca csca)) {
    error_is($client{ada}->post($lists, {%list, kind => $kind, certificates => $bad{$_}}), 400,
      'parameter_invalid', 'certificates', "$kind: $_") for sort keys %bad;
  }
  error_is($client{ada}->post($lists, {%list, kind => $_}), 400, 'parameter_invalid', 'kind', $_)
    for qw(vical etsi csca-master-list sandbox-signer other);
  error_is($client{ada}->post($lists, {%list, name => $_}), 400, 'parameter_invalid', 'name',
    'a name that is not one') for '', 'x' x 201, "a\nb";
  is_deeply kept(), $before, 'nothing has changed';
};

subtest 'a list' => sub {
  my @key = ('Idempotency-Key' => 'one');
  my $made = answer_is($client{ada}->post($lists, {%list, certificates => $first . $second},
    @key), 201);
  is_deeply [@$made{qw(object organization_id kind name status certificates signer)}],
    ['trust_list', $who->{id}, 'iaca', 'Utopia', 'current', 2, undef], 'is in use';
  my $again = answer_is($client{ada}->post($lists, {%list, certificates => $first . $second},
    @key), 201);
  is_deeply $again, $made, 'the same request again';
  is_deeply answer_is($client{olga}->get($lists), 200)->{data}, [$made], 'it is listed';
  is_deeply $client{otto}->get($lists =~ s/$who->{id}/$other->{id}/r)->json->{data}, [],
    'only in its organization';
  my $record = $client{olga}->get("/dashboard/v1/organizations/$who->{id}/audit?limit=1")
    ->json->{data}[0];
  like $record->{action}, qr{\APOST .*trust_lists\z}, 'it is recorded';
  is $record->{subject}, $made->{id}, '... with its id';
  my $before = kept();
  error_is($client{ada}->post($lists, {%list, certificates => $_}), 400, 'parameter_invalid',
    'name', 'a name that is taken') for $first, $second, $first . $second;
  is_deeply kept(), $before, 'and its certificates stay';
  is answer_is($client{ada}->post($lists, {%list, kind => 'csca'}), 201)->{kind}, 'csca',
    'the name of another kind is free';
};

finish($service);
