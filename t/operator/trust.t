# verifyctl trust: lists of certificates are imported with their signatures,
# compared, brought back, and each organization sees its own and those for all.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Verify::Authority;
use Verify::Command;
use Verify::Test;

my $service = Verify::Instance->start(start => 0);
my $command = Verify::Command->new($service);
my $folder = "$service->{directory}/trust";
mkdir $folder or die "$folder: $!\n";
my $authority = Verify::Authority->new($folder);
sub prints { local $Test::Builder::Level = $Test::Builder::Level + 1;
  return $command->prints(@_) }
sub refuses { local $Test::Builder::Level = $Test::Builder::Level + 1;
  return $command->refuses(@_) }

my $organization = prints([qw(org create --name Shop)])->{id};
my $other = prints([qw(org create --name Other)])->{id};
$authority->authority($_, country => 'UT') for qw(first second third);

sub fingerprints {
  my ($org, $purpose) = @_;
  return [sort map { $_->{fingerprint} } @{prints(['trust', 'anchors', '--org',
    $org, '--for', $purpose // 'wallets'])}];
}
sub changes {
  return {map { $_->{fingerprint} => $_->{change} }
    @{$_[0]{difference}{changes}}};
}
my %print = map { $_ => $authority->fingerprint($_) } qw(first second third);

subtest 'plain certificates' => sub {
  is_deeply fingerprints($organization), [], 'nobody is trusted at first';
  mkdir "$folder/iaca" or die;
  $authority->copy_pem('first', "$folder/iaca/first.pem");
  $authority->copy_der('second', "$folder/iaca/second.cer");
  my $difference = prints([qw(trust diff --kind iaca), "$folder/iaca"]);
  is $difference->{in_use}, undef, 'nothing is in use';
  is_deeply changes($difference), {$print{first}, 'added',
    $print{second}, 'added'}, 'what an import would add';
  is_deeply prints(['trust', 'list']), [], 'which it only said';
  my $list = prints([qw(trust import --kind iaca), "$folder/iaca/"]);
  is_deeply changes($list), changes($difference), 'and now did';
  is $list->{name}, 'iaca', 'named after the directory';
  like $list->{version_id}, qr/\Atlv_\w{26}\z/, 'a version';
  is_deeply fingerprints($_), [sort @print{qw(first second)}], 'for all'
    for $organization, $other;
  is_deeply fingerprints($organization, 'passports'), [], 'of wallets only';

  my $again = prints([qw(trust import --kind iaca), "$folder/iaca"]);
  is $again->{version_id}, $list->{version_id}, 'the same is no new version';
  is_deeply $again->{difference}, {kept => 2, changes => []}, '... all is kept';

  unlink "$folder/iaca/first.pem" or die;
  $authority->copy_pem('third', "$folder/iaca/third.pem");
  my $next = prints([qw(trust import --kind iaca), "$folder/iaca"]);
  is_deeply changes($next), {$print{third}, 'added', $print{first}, 'removed'},
    'another edition takes the place of the first';
  is $next->{id}, $list->{id}, '... in the same list';
  is_deeply fingerprints($organization), [sort @print{qw(second third)}],
    '... and is in use';

  my $back = prints(['trust', 'rollback', $list->{id}]);
  is $back->{version_id}, $list->{version_id}, 'a list goes one version back';
  is_deeply changes($back), {$print{first}, 'added', $print{third}, 'removed'},
    '... which says what changes';
  is_deeply fingerprints($organization), [sort @print{qw(first second)}], '... for all';
  refuses(['trust', 'rollback', $list->{id}], qr/none before it/);
  is prints(['trust', 'rollback', $next->{version_id}])->{version_id},
    $next->{version_id}, 'a version is used again by its own id';
  is_deeply [map { "$_->{version_id} $_->{status}" }
      @{prints(['trust', 'list', $list->{id}])}],
    ["$next->{version_id} current", "$list->{version_id} replaced"],
    'all versions are there';
  is prints(['trust', 'remove', $list->{id}])->{status}, 'replaced', 'removed';
  is_deeply fingerprints($organization), [], '... nobody is trusted';
  refuses(['trust', 'remove', $list->{id}], qr/not in use/);
  prints(['trust', 'rollback', $list->{id}]);
  is_deeply fingerprints($organization), [sort @print{qw(second third)}],
    '... until a rollback brings the last version back';
  prints(['trust', 'remove', $list->{id}]);
};

subtest 'of one organization' => sub {
  $authority->copy_pem('first', "$folder/own.pem");
  my $list = prints([qw(trust import --kind iaca --org), $organization,
    "$folder/own.pem"]);
  is $list->{organization_id}, $organization, 'a list of its own';
  is_deeply fingerprints($organization), [$print{first}], '... is trusted';
  is_deeply fingerprints($other), [], '... not by another';
  is_deeply prints(['trust', 'list', '--org', $other]), [], '... nor listed';
  refuses([qw(trust import --kind iaca --org org_unknown), "$folder/own.pem"],
    qr/No such organization/);
  prints(['trust', 'remove', $list->{id}]);
};

subtest 'what is refused changes nothing' => sub {
  $command->write_file("$folder/garbage.pem", "no certificate\n");
  $authority->copy_der('first', "$folder/cut.cer");
  truncate "$folder/cut.cer", 100 or die;
  refuses([qw(trust import --kind iaca), "$folder/$_"], qr/certificate/)
    for qw(garbage.pem cut.cer);
  refuses([qw(trust import --kind iaca), "$folder/missing"], qr/No such file/);
  refuses([qw(trust import --kind csca --org), $organization, "$folder/garbage.pem"],
    qr/certificate/);
  refuses([qw(trust diff), "$folder/own.pem"], qr/give --kind/);
  refuses([qw(trust rollback tls_none)], qr/No such list/);
  is_deeply prints(['trust', 'list']), [], 'no list is in use';
};
finish($service);
