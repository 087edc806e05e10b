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

# What follows from certificates that deviate from their profile.
subtest 'the policy of an organization' => sub {
  my $policy_of = sub { $service->sql_value(
    'SELECT trust_policy FROM organization WHERE id = ?', $_[0]) };
  my $before = $policy_of->($other);
  is_deeply prints([qw(trust policy --deviations undetermined --org), $organization]),
    {object => 'trust_policy', organization_id => $organization,
      deviations => 'undetermined'}, 'is printed';
  isnt $policy_of->($organization), $before, '... and kept';
  is $policy_of->($other), $before, '... of this organization only';
  is prints([qw(trust policy --deviations passed --org), $organization])->{deviations},
    'passed', 'it can be taken back';
  is $policy_of->($organization), $before, '... which is what holds at first';
  refuses([qw(trust policy --deviations refused --org), $organization], qr/deviations/,
    'no other policy');
  refuses([qw(trust policy --deviations passed --org org_none)], qr/organization|missing/i,
    'no unknown organization');
};

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
  refuses(['trust', 'rollback', $list->{id}], qr/no earlier version/);
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
  refuses([qw(trust import --kind iaca), "$folder/garbage.pem"], qr/certificate/);
  refuses([qw(trust import --kind iaca), "$folder/cut.cer"], qr/is incomplete/);
  refuses([qw(trust import --kind iaca), "$folder/missing"], qr/No such file/);
  refuses([qw(trust import --kind csca --org), $organization, "$folder/garbage.pem"],
    qr/certificate/);
  refuses([qw(trust diff), "$folder/own.pem"], qr/pass --kind/);
  refuses([qw(trust rollback tls_none)], qr/No such list/);
  is_deeply prints(['trust', 'list']), [], 'no list is in use';
};
# CBOR (RFC 8949) of texts, byte strings (references to scalars), numbers,
# arrays, and maps as arrays of pairs behind a 'map'.
sub head {
  my ($type, $number) = @_;
  return chr($type << 5 | $number) if $number < 24;
  return $number < 256 ? pack('CC', $type << 5 | 24, $number)
    : $number < 65536 ? pack('Cn', $type << 5 | 25, $number)
    : pack('CN', $type << 5 | 26, $number);
}
sub cbor {
  my ($value) = @_;
  return head(2, length $$value) . $$value if ref $value eq 'SCALAR';
  return head(4, scalar @$value) . join '', map { cbor($_) } @$value if ref $value eq 'ARRAY';
  return head(5, @{$value->{map}} / 2) . join '', map { cbor($_) } @{$value->{map}}
    if ref $value eq 'HASH' && $value->{map};
  return head(6, 0) . cbor($value->{time}) if ref $value;
  return $value < 0 ? head(1, -1 - $value) : head(0, $value) if $value =~ /\A-?[0-9]+\z/;
  return head(3, length $value) . $value;
}
sub vical {
  my ($signer, $number, @names) = @_;
  my $payload = cbor({map => ['version', '1.0', 'vicalProvider', 'Test',
    'date', {time => sprintf '2026-01-%02dT00:00:00Z', $number},
    'nextUpdate', {time => '2026-02-01T00:00:00Z'}, 'vicalIssueID', $number,
    'certificateInfos', [map { my $der = $authority->der($_);
      {map => ['certificate', \$der, 'docType', ['org.iso.18013.5.1.mDL']]} } @names]]});
  my ($protected, $none) = (cbor({map => [1, -7]}), '');
  my $signature = $authority->sign_raw($signer,
    cbor(['Signature1', \$protected, \$none, \$payload]));
  my $der = $authority->der($signer);
  return cbor([\$protected, {map => [33, \$der]}, \$payload, \$signature]);
}

subtest 'VICAL' => sub {
  $authority->authority('root');
  $authority->signer('publisher', 'root', '1.0.18013.5.1.8');
  $authority->signer('impostor', 'root', '1.0.18013.5.1.2');
  $command->write_file("$folder/$_->[0]", vical(@$_[1 .. $#$_])) for
    ['one.cbor', 'publisher', 1, 'first', 'second'],
    ['two.cbor', 'publisher', 2, 'first', 'third'],
    ['forged.cbor', 'impostor', 3, 'first'];
  my @import = (qw(trust import --kind vical --signer), $authority->path('root', 'pem'));
  refuses([qw(trust import --kind vical), "$folder/one.cbor"], qr/--signer.*signer/);
  refuses([qw(trust), $_, qw(--kind sandbox-signer --signer), $authority->path('root', 'pem'),
    $authority->path('root', 'pem')], qr/not a signed list/) for qw(import diff);
  refuses([@import, "$folder/forged.cbor"], qr/may not sign such lists/);
  refuses([qw(trust import --kind vical --signer), $authority->path('first', 'pem'),
    "$folder/one.cbor"], qr/not signed under a certificate/);
  is_deeply prints(['trust', 'list']), [], 'nothing was imported';
  my $one = prints([@import, "$folder/one.cbor"]);
  is $one->{name}, 'Test', 'named after its publisher';
  is $one->{sequence}, 1, 'its number';
  is $one->{status}, 'overdue', 'is late';
  is $one->{signer}, $authority->fingerprint('publisher'), 'who signed it';
  like "@{$one->{warnings}}", qr/newer edition/, '... and says so';
  my $two = prints([qw(trust diff --signer), $authority->path('publisher', 'pem'),
    "$folder/two.cbor"]);
  is $two->{in_use}{version_id}, $one->{version_id}, 'a file says its kind and list';
  is_deeply changes($two), {$print{third}, 'added', $print{second}, 'removed'},
    '... and is compared with what is in use';
  $two = prints([@import, "$folder/two.cbor"]);
  is $two->{id}, $one->{id}, 'the next edition of the list';
  refuses([@import, "$folder/one.cbor"], qr/older than \Q$two->{version_id}\E/);
  is prints(['trust', 'list'])->[0]{version_id}, $two->{version_id}, '... changes nothing';
  is prints(['trust', 'anchors', '--org', $other, '--for', 'wallets'])->[0]{source},
    "vical Test $two->{version_id} #2", 'an anchor names its source';
  prints(['trust', 'rollback', $two->{id}]);
  is prints([@import, "$folder/two.cbor"])->{sequence}, 2,
    'what was rolled back may be imported again';
};

# DER of a tag with its content.
sub der {
  my ($tag, $content) = @_;
  my $length = length $content;
  return chr($tag) . ($length < 128 ? chr $length : pack 'Cn', 0x82, $length) . $content;
}

subtest 'country signing certificates' => sub {
  $authority->authority($_, country => 'DE') for qw(csca next);
  $authority->signer('lister', 'csca', '2.23.136.1.1.3', country => 'DE');
  $command->write_file("$folder/content", der(0x30, "\x02\x01\x00"
    . der(0x31, join '', map { $authority->der($_) } qw(csca next))));
  Verify::Authority::openssl(qw(cms -sign -binary -nodetach -outform DER -md sha256
    -econtent_type 2.23.136.1.1.2 -in), "$folder/content", '-signer',
    $authority->path('lister', 'pem'), '-inkey', $authority->path('lister', 'key'),
    '-out', "$folder/list.ml");
  my @import = (qw(trust import --kind csca-master-list), "$folder/list.ml");
  refuses(\@import, qr/not trusted yet\. Compare/);
  my $list = prints([@import, '--signer', $authority->path('csca', 'pem')]);
  is $list->{name}, 'DE', 'a list of its state';
  my $both = [sort map { $authority->fingerprint($_) } qw(csca next)];
  is_deeply [sort keys %{changes($list)}], $both, 'with all its certificates';
  is_deeply fingerprints($organization, 'passports'), $both, '... for passports';
  is prints([qw(trust diff), "$folder/list.ml"])->{difference}{kept}, 2,
    'the next one needs nobody to vouch for its signer';
  my $own = prints([qw(trust import --kind csca --org), $organization,
    $authority->path('next', 'pem')]);
  is $own->{certificates}, 1, 'a certificate by itself';
  refuses([qw(trust import --kind csca), $authority->path('lister', 'pem')],
    qr/not from a country signing authority/);
};

# A directory has many files: a message names the one that it is about, and what
# has ended is told of, since nothing is believed by it any more.
subtest 'files of a directory' => sub {
  mkdir "$folder/many" or die;
  $authority->authority('ended', days => -1);
  $authority->copy_pem('first', "$folder/many/a.pem");
  $authority->copy_pem('ended', "$folder/many/b.pem");
  my @import = (qw(trust import --kind iaca), "$folder/many");
  my $before = prints(['trust', 'list']);
  for my $row (['a certificate that was cut', substr($authority->der('second'), 0, 100),
      qr/is incomplete/], ['no certificate', "nothing\n", qr/certificate/],
      ['nothing', '', qr/is empty/]) {
    my ($what, $bytes, $told) = @$row;
    $command->write_file("$folder/many/c.pem", $bytes);
    refuses(\@import, qr{\Averifyctl: \Q$folder\E/many/c\.pem\b.*$told},
      "$what among others is named");
  }
  unlink "$folder/many/c.pem" or die;
  mkdir "$folder/many/inner" or die;
  refuses(\@import, qr{many/inner is a directory, not a file}, 'a directory in it');
  rmdir "$folder/many/inner" or die;
  refuses([qw(trust import --kind vical --signer), $authority->path('root', 'pem'),
    "$folder/many"], qr{A list of kind vical is a single file; \Q$folder\E/many has 2},
    'a list is one file');
  refuses([qw(trust import --kind vical --signer), "$folder/forged.cbor",
    "$folder/one.cbor"], qr{\Averifyctl: \Q$folder\E/forged\.cbor: },
    'of two files the one that is wrong');
  is_deeply prints(['trust', 'list']), $before, 'none changes anything';
  my $difference = prints([qw(trust diff --kind iaca), "$folder/many"]);
  is_deeply [grep { /expired/ } @{$difference->{warnings}}],
    [grep { /expired/ } @{prints(\@import)->{warnings}}], 'an import warns as a diff does';
  my @ended = grep { /expired on/ } @{$difference->{warnings}};
  is @ended, 1, 'of one that has ended';
  like $ended[0], qr{\A\Q$folder\E/many/b\.pem: \S*CN=ended\S* expired on 20\d\d-\d\d-\d\d},
    '... with its file, its subject and its day';
  $command->write_file("$folder/ended.cbor", vical('publisher', 9, 'first', 'ended'));
  my $list = prints([qw(trust diff --signer), $authority->path('root', 'pem'),
    "$folder/ended.cbor"]);
  is_deeply [grep { /expired/ } @{$list->{warnings}}],
    ['1 of 2 certificates in the list have expired.'], 'a list of others says how many';
  my $listed = prints(['trust', 'list'])->[-1];
  prints(['trust', 'remove', $_->{id}]) for grep { $_->{name} eq 'many' }
    @{prints(['trust', 'list'])};
};

subtest 'two files' => sub {
  my $before = prints(['trust', 'list']);
  my @signer = ('--signer', $authority->path('root', 'pem'));
  my $answer = prints([qw(trust diff), @signer, "$folder/one.cbor", "$folder/two.cbor"]);
  is_deeply changes($answer), {$print{third}, 'added', $print{second}, 'removed'},
    'what changes from one to the other';
  is $answer->{difference}{kept}, 1, '... and what stays';
  is $answer->{earlier}{sequence}, 1, '... from which edition';
  is $answer->{sequence}, 2, '... to which';
  unlike "@{$answer->{warnings}}", qr/older edition/, '... in their order';
  my $back = prints([qw(trust diff), @signer, "$folder/two.cbor", "$folder/one.cbor"]);
  like "@{$back->{warnings}}", qr/one\.cbor is an older edition than \S*two\.cbor/,
    'in the other order it says so';
  refuses([qw(trust diff), @signer, "$folder/one.cbor", "$folder/list.ml"],
    qr{list\.ml: The file looks like a list of another kind: csca-master-list}, 'two kinds');
  refuses([qw(trust diff), "$folder/one.cbor", "$folder/two.cbor"], qr/--signer/,
    'without a signer');
  my $csca = prints([qw(trust diff --signer), $authority->path('csca', 'pem'),
    "$folder/list.ml", "$folder/list.ml"]);
  is_deeply $csca->{difference}, {kept => 2, changes => []}, 'master lists';
  is prints([qw(trust diff --kind iaca), "$folder/own.pem", "$folder/many"])
    ->{difference}{kept}, 1, 'and certificates of a file and of a directory';
  is_deeply prints(['trust', 'list']), $before, 'nothing is imported';
};

# A list of one authority, signed by it.
sub crl {
  my ($name) = @_;
  my $config = $authority->path($name, 'ca');
  $command->write_file($_->[0], $_->[1]) for ["$folder/index", ''],
    ["$folder/crlnumber", "01\n"], [$config, "[ca]\ndefault_ca=a\n[a]\n"
      . "database=$folder/index\ncrlnumber=$folder/crlnumber\ndefault_md=sha256\n"
      . "default_crl_days=30\n"];
  Verify::Authority::openssl(qw(ca -gencrl -config), $config, '-cert',
    $authority->path($name, 'pem'), '-keyfile', $authority->path($name, 'key'),
    '-out', $authority->path($name, 'crl.pem'));
  Verify::Authority::openssl(qw(crl -outform DER -in), $authority->path($name, 'crl.pem'),
    '-out', $authority->path($name, 'crl'));
  return $authority->path($name, 'crl');
}

subtest 'a revocation list is removed' => sub {
  my $kept = prints([qw(trust crl), crl('csca')]);
  my $print = $authority->fingerprint('csca');
  is_deeply $kept->{authorities}, [$print], 'one is imported';
  is_deeply [map { $_->{authority} } @{prints([qw(trust crls)])}], [$print], '... and listed';
  refuses([qw(trust remove-crl), $authority->fingerprint('next')],
    qr/No revocation list was imported for this authority/, 'none of another authority');
  refuses([qw(trust remove-crl), $_], qr/Expected the fingerprint of an authority/,
    "no fingerprint: $_") for 'csca:%', 'tls_unknown', substr($print, 1);
  is scalar @{prints([qw(trust crls)])}, 1, '... removes nothing';
  my $removed = prints([qw(trust remove-crl), uc $print]);
  is $removed->{authority}, $print, 'it is removed by its authority';
  is $removed->{next_update}, $kept->{next_update}, '... with what it was';
  is_deeply prints([qw(trust crls)]), [], '... and is gone';
  refuses([qw(trust remove-crl), $print], qr/No revocation list was imported/, '... once');
  is_deeply [$service->sql_value("SELECT string_agg(entry::jsonb -> 'details' ->> 'authority',
    ',') FROM operator_action WHERE entry::jsonb ->> 'action' = 'trust remove-crl'")],
    [$print], '... which is recorded once';
};

# What is found where a list was looked for: it is named, and what to do.
subtest 'files that are no lists' => sub {
  my $before = prints(['trust', 'list']);
  my $read = sub { Verify::Authority::bytes_of($_[0]) };
  my $list = $read->("$folder/list.ml");
  my ($size, $half) = (length $list, length($list) >> 1);
  my $vical = $read->("$folder/two.cbor");
  my $certificate = $read->($authority->path('csca', 'pem'));
  my @signer = ('--signer', $authority->path('csca', 'pem'));
  my @publisher = ('--signer', $authority->path('root', 'pem'));
  Verify::Authority::openssl(qw(cms -cmsout -inform DER -outform PEM -in),
    "$folder/list.ml", '-out', "$folder/list.pem");
  for my $row (
    ['csca-master-list', 'a certificate in PEM', $certificate,
      qr/contains plain certificates, but csca-master-list is a signed list/],
    ['vical', 'a certificate in PEM', $certificate,
      qr/contains plain certificates, but vical is/],
    ['etsi', 'a certificate in PEM', $certificate,
      qr/contains plain certificates, but etsi is/],
    ['csca-master-list', 'a page of errors', "\n<!DOCTYPE html>\n<html>404</html>",
      qr/is a web page, not a list/],
    ['etsi', 'a page of errors', "\xef\xbb\xbf<HTML><body>403</body></HTML>",
      qr/is a web page, not a list/],
    ['iaca', 'a page of errors', '<!doctype html>', qr/is a web page, not a list/],
    ['csca-master-list', 'a list in PEM', $read->("$folder/list.pem"),
      qr/Convert it to DER with `openssl cms/],
    ['csca-master-list', 'a list that was cut', substr($list, 0, $half),
      qr/is incomplete: it has $half of $size bytes/],
    ['csca-master-list', 'a list that was cut early', substr($list, 0, 40),
      qr/is incomplete/],
    ['csca', 'a certificate that was cut', substr($authority->der('csca'), 0, 100),
      qr/is incomplete/],
    ['vical', 'a list that was cut', substr($vical, 0, length($vical) / 2),
      qr/The VICAL is damaged or incomplete \(CBOR: ends within/],
    ['csca', 'a master list', $list, qr/looks like a list of another kind: csca-master-list/],
    ['iaca', 'a VICAL', $vical, qr/looks like a list of another kind: vical/],
    ['vical', 'a master list', $list, qr/looks like a list of another kind: csca-master-list/],
    ['csca-master-list', 'an archive', "PK\3\4" . ("\0" x 40), qr/is a ZIP archive\. Unpack it/],
    ['csca-master-list', 'a directory', "version: 1\ndn: dc=data,dc=download\n",
      qr/is an LDIF\./],
    ['csca-master-list', 'blanks', " \n", qr/is empty/],
    ['iaca', 'nothing', '', qr/is empty/]) {
    my ($kind, $name, $bytes, $told) = @$row;
    $command->write_file("$folder/stranger", $bytes);
    refuses([qw(trust import --kind), $kind,
      $kind =~ /csca/ ? @signer : @publisher, "$folder/stranger"], $told);
  }
  is_deeply prints(['trust', 'list']), $before, 'none changes anything';
};
finish($service);
