# verifyctl reader: keys as which wallets are asked, how they are certified, and
# whose is used.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Digest::SHA qw(sha256_hex);
use JSON::PP ();
use MIME::Base64 qw(encode_base64url);
use Verify::Authority;
use Verify::Command;
use Verify::Queries qw(query_text);
use Verify::Test;

my $service = Verify::Instance->start(start => 0);
my $command = Verify::Command->new($service);
my $folder = "$service->{directory}/reader";
mkdir $folder or die "$folder: $!\n";
my $authority = Verify::Authority->new($folder);
sub prints { local $Test::Builder::Level = $Test::Builder::Level + 1;
  return $command->prints(@_) }
sub refuses { local $Test::Builder::Level = $Test::Builder::Level + 1;
  return $command->refuses(@_) }

my $organization = prints([qw(org create --name Shop)])->{id};
my $other = prints([qw(org create --name Other)])->{id};
$authority->authority($_) for qw(root stranger);
$authority->certificate('intermediate', issuer => 'root', extensions => [
  'basicConstraints=critical,CA:TRUE,pathlen:0', 'keyUsage=critical,keyCertSign',
  'subjectKeyIdentifier=hash', 'authorityKeyIdentifier=keyid']);

# The request of an identity, and what it says.
sub request {
  my ($id, @options) = @_;
  my $answer = prints([qw(reader csr), $id, '--common-name', 'shop.example.com',
    @options]);
  $command->write_file("$folder/$id.csr", $answer->{csr});
  return Verify::Authority::openssl(qw(req -noout -verify -text -in), "$folder/$id.csr");
}

# Has ISSUER certify the request, for some days.
sub certify {
  my ($id, $issuer, %options) = @_;
  my @extensions = @{$options{extensions} // ['keyUsage=critical,digitalSignature',
    'authorityKeyIdentifier=keyid']};
  $command->write_file("$folder/leaf.cnf", join "\n", '[x]', @extensions, '');
  state $serial = 7000;
  Verify::Authority::openssl(qw(x509 -req -in), "$folder/$id.csr",
    '-CA', $authority->path($issuer, 'pem'), '-CAkey', $authority->path($issuer, 'key'),
    '-set_serial', ++$serial, Verify::Authority::term($options{days} // 90), '-extfile',
    "$folder/leaf.cnf", qw(-extensions x -sha256 -out), "$folder/$id.pem");
  return "$folder/$id.pem";
}
sub chain {
  my ($name, @files) = @_;
  my $path = "$folder/$name";
  $command->write_file($path, join '', map { Verify::Instance::read_text($_) } @files);
  return $path;
}
sub used_by {
  my ($org, $kind) = @_;
  my ($owner, $id) = $service->connect_database->selectrow_array(
    query_text('reader_identity/find_active') =~ s/\$1/'$org'/gr =~ s/\$2/'$kind'/gr);
  return $id;
}

my $first;
subtest 'from a key to an identity' => sub {
  $first = prints([qw(reader create --kind haip --org), $organization]);
  like $first->{id}, qr/\Ardr_\w{26}\z/, 'an id';
  is_deeply [@$first{qw(status key not_after)}], ['pending', 'p256', undef],
    'not in use yet';
  is used_by($organization, 'haip'), undef, '... indeed';
  my $text = request($first->{id}, qw(--organization Shop --country UT --dns-name
    shop.example.com --state Upper --email dns@shop.example.com));
  like $text, qr/ASN1 OID: prime256v1/, 'a request for a key on P-256';
  # Debian 13 prints no spaces around the signs.
  like $text, qr/Subject: C ?= ?UT, ST ?= ?Upper, O ?= ?Shop, CN ?= ?shop\.example\.com, emailA/,
    'of that name';
  like $text, qr/DNS:shop\.example\.com/, 'and that host';
  refuses([qw(reader csr), $first->{id}, qw(--common-name x --country Utopia)],
    qr/1 to 2/);
  my @registrar = ('--extension', '1.3.6.1.4.1.11129.10.1=0420' . 'ab' x 32);
  like request($first->{id}, @registrar), qr/1\.3\.6\.1\.4\.1\.11129\.10\.1: *\n\s+\. /,
    "a registrar's extension";
  $text = request($first->{id}, @registrar, qw(--dns-name shop.example.com));
  like $text, qr/DNS:shop\.example\.com/, 'beside the host';
  like $text, qr/11129\.10\.1/, '... in one list';
  is +(() = $text =~ /Requested Extensions/g), 1, '... of extensions';
  refuses([qw(reader csr), $first->{id}, qw(--common-name x --extension), $_],
    qr/Write the object identifier in numbers/) for '1.3.6', 'a=0400', '1.3.6=', '1.3.6=04',
    '1.3.6=0420ab', '1.3.6=040000', '1.3.6=xx', '=0400', 'commonName=0400';
  my $leaf = certify($first->{id}, 'intermediate');
  my ($intermediate, $root) = map { $authority->path($_, 'pem') } qw(intermediate root);
  my $installed = prints([qw(reader install), $first->{id},
    chain('chain.pem', $leaf, $intermediate, $root)]);
  is_deeply [@$installed{qw(status certificates registered)}], ['current', 2,
    JSON::PP::false], 'in use, without the anchor';
  is $installed->{chain}[1]{fingerprint}, $authority->fingerprint('intermediate'),
    '... the leaf first';
  is $installed->{not_after}, $installed->{chain}[0]{not_after}, 'until the leaf ends';
  is used_by($organization, 'haip'), $first->{id}, 'the organization asks as it';
  is used_by($other, 'haip'), undef, '... and no other';
};

subtest 'what does not fit is refused' => sub {
  my $id = prints([qw(reader create --kind haip --org), $organization])->{id};
  request($id);
  my $leaf = certify($id, 'intermediate');
  my ($intermediate, $root) = map { $authority->path($_, 'pem') } qw(intermediate root);
  my @install = (qw(reader install), $id);
  refuses([@install, "$folder/$first->{id}.pem"], qr/not for this identity's key/);
  refuses([@install, chain('wrong.pem', $leaf, $root)], qr/followed by the certificate of its issuer/);
  refuses([@install, chain('order.pem', $intermediate, $leaf)], qr/not for this/);
  refuses([@install, chain('stranger.pem', $leaf, $authority->path('stranger', 'pem'))],
    qr/followed by the certificate of its issuer/);
  refuses([@install, $authority->path('root', 'key')], qr/no certificates/);
  refuses([@install, certify($id, 'intermediate', extensions =>
    ['keyUsage=critical,keyAgreement'])], qr/does not allow signatures/);
  refuses([@install, certify($id, 'intermediate', extensions =>
    ['basicConstraints=critical,CA:TRUE'])], qr/authority/);
  refuses([@install, certify($id, 'intermediate', extensions => [])],
    qr/of version 3 and have the key usage/);
  refuses([@install, certify($id, 'intermediate', days => -1)], qr/not valid at/);
  refuses([qw(reader create --kind haip --key rsa)], qr/only P-256 keys/);
  refuses([qw(reader install rdr_none), $leaf], qr/rdr_none/);
  refuses([qw(reader create --kind haip --org org_none)], qr/No such organization/);
  is used_by($organization, 'haip'), $first->{id}, 'the former one is in use';
};

subtest 'one takes the place of another' => sub {
  my $second = prints([qw(reader create --kind haip --org), $organization])->{id};
  request($second);
  prints([qw(reader install), $second, certify($second, 'intermediate', days => 20)]);
  is used_by($organization, 'haip'), $second, 'the second is in use';
  my %status = map { $_->{id} => $_->{status} }
    @{prints([qw(reader list --org), $organization])};
  is $status{$second}, 'due', '... and ends within 30 days';
  is $status{$first->{id}}, 'retired', 'the first is retired';
  refuses([qw(reader csr), $first->{id}, qw(--common-name x)], qr/its key was destroyed/);
  is $service->sql_value("select count(*) from reader_identity where
    id = '$first->{id}' and sealed_key is null"), 1, '... really';
  my $removed = prints([qw(reader remove), $second]);
  is $removed->{status}, 'retired', 'removed';
  is used_by($organization, 'haip'), undef, 'nobody is left';
};

subtest 'the server and other kinds' => sub {
  my $server = prints([qw(reader create --kind haip)])->{id};
  request($server);
  prints([qw(reader install), $server, certify($server, 'root')]);
  is used_by($_, 'haip'), $server, 'for all that have none' for $organization, $other;
  my $own = prints([qw(reader create --kind haip --org), $organization])->{id};
  request($own);
  prints([qw(reader install), $own, certify($own, 'root')]);
  is used_by($organization, 'haip'), $own, 'an own one comes first';
  is used_by($other, 'haip'), $server, '... for its organization';

  my $apple = prints([qw(reader create --kind apple --org), $organization]);
  is $apple->{key}, 'rsa', 'Apple certifies RSA';
  like request($apple->{id}), qr/Public-Key: \(3072 bit\)/, '... of 3072 bits';
  prints([qw(reader install), $apple->{id}, certify($apple->{id}, 'root')]);
  is used_by($organization, 'apple'), $apple->{id}, '... beside the other kind';

  my $eudi = prints([qw(reader create --kind eudi --org), $organization])->{id};
  request($eudi);
  $command->write_file("$folder/jwt", "eyJh.eyJi.c2ln\n");
  $command->write_file("$folder/no-jwt", "eyJh eyJi\n");
  refuses([qw(reader install), $eudi, certify($eudi, 'root'), '--registration',
    "$folder/no-jwt"], qr/compact form/);
  ok prints([qw(reader install), $eudi, "$folder/$eudi.pem", '--registration',
    "$folder/jwt"])->{registered}, 'a registration is kept';
  my $shown = prints([qw(reader show), $eudi]);
  unlike(JSON::PP->new->encode($shown), qr/PRIVATE KEY/, 'no key is shown');
};
# An identity for Google Wallet: the certificate names what the wallet shows.
subtest 'metadata for Google Wallet' => sub {
  my $inner = "\xa1\x6eschema_version\x62v1";
  my $bytes = "\xd8\x18" . chr(0x40 | length $inner) . $inner;
  $command->write_file("$folder/metadata", $bytes);
  $command->write_file("$folder/metadata.txt", encode_base64url($bytes) . "\n");
  $command->write_file("$folder/other", $bytes =~ s/v1/v2/r);
  $command->write_file("$folder/$_->[0]", $_->[1]) for ['plain', $inner], ['long',
    "\xd8\x18\x59\x20\x01" . "\x00" x 8193], ['list', "\xd8\x18\x41\x80"],
    ['empty', ''];
  my $digest = '0420' . sha256_hex($bytes);
  my $id = prints([qw(reader create --kind haip --org), $other])->{id};
  for my $file (qw(metadata metadata.txt)) {
    request($id, '--metadata', "$folder/$file");
    my $names = Verify::Authority::openssl(qw(asn1parse -in), "$folder/$id.csr");
    like $names, qr/1\.3\.6\.1\.4\.1\.11129\.10\.1\s.*HEX DUMP\]:\Q$digest\E/sia,
      "$file: the request names its digest";
  }
  refuses([qw(reader csr), $id, qw(--common-name x --metadata), "$folder/$_"],
    qr/Expected the CBOR of the metadata/) for qw(plain long list empty);
  refuses([qw(reader csr), $id, qw(--common-name x --extension 1.3.6=0400 --metadata),
    "$folder/metadata"], qr/Omit --extension/);
  my @names = ('keyUsage=critical,digitalSignature', "1.3.6.1.4.1.11129.10.1=DER:$digest");
  my $leaf = certify($id, 'root', extensions => \@names);
  refuses([qw(reader install), $id, $leaf], qr/names metadata\. Pass the file/);
  refuses([qw(reader install), $id, $leaf, '--metadata', "$folder/other"],
    qr/names other metadata/);
  my $installed = prints([qw(reader install), $id, $leaf, '--metadata',
    "$folder/metadata.txt"]);
  is_deeply [@$installed{qw(metadata metadata_bound)}], [JSON::PP::true, JSON::PP::true],
    'with the metadata that the certificate names';
  is $service->sql_value("select encode(metadata, 'hex') from reader_identity
    where id = '$id'"), unpack('H*', $bytes), '... which are kept as bytes';
  ok prints([qw(reader install), $id, $leaf])->{metadata_bound}, '... also when it is '
    . 'certified again';
  my $plain = prints([qw(reader install), $id, certify($id, 'root')]);
  is_deeply [@$plain{qw(metadata metadata_bound)}], [JSON::PP::true, JSON::PP::false],
    'a certificate that names none is said to be without';
};
finish($service);
