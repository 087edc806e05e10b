# The watchdog tells of trust lists, certificates in them and reader certificates
# that end: in the log when it starts, and by gauges. verifyctl tells, too.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use Verify::Authority;
use Verify::Command;
use Verify::Test;

my $service = Verify::Instance->start(start => 0);
my $command = Verify::Command->new($service);
my $folder = "$service->{directory}/expiry";
mkdir $folder or die "$folder: $!\n";
my $authority = Verify::Authority->new($folder);
my $organization = $command->prints([qw(org create --name Shop)])->{id};

# A list for all and an identity of the organization, in use.
$authority->authority('root');
$authority->copy_pem('root', "$folder/iaca.pem");
my $list = $command->prints([qw(trust import --kind iaca), "$folder/iaca.pem"])->{id};
my $reader = $command->prints([qw(reader create --kind haip --org), $organization])->{id};
$command->write_file("$folder/csr", $command->prints([qw(reader csr), $reader,
  qw(--common-name shop)])->{csr});
$command->write_file("$folder/leaf.cnf", "keyUsage=critical,digitalSignature\n");
Verify::Authority::openssl(qw(x509 -req -days 10 -set_serial 5 -sha256 -in),
  "$folder/csr", '-CA', $authority->path('root', 'pem'), '-CAkey',
  $authority->path('root', 'key'), '-extfile', "$folder/leaf.cnf", '-out',
  "$folder/leaf.pem");
$command->prints([qw(reader install), $reader, "$folder/leaf.pem"]);
# Plain certificates promise no edition: this one does, and is late.
$service->sql("update trust_list_version set next_update_at = 86400000");

# A list without a next edition, of certificates of which one ends; and one of a
# publisher, with a certificate that has ended, which is the publisher's to remove.
Verify::Authority::openssl(qw(req -x509 -newkey ec -pkeyopt
  ec_paramgen_curve:prime256v1 -nodes -keyout), "$folder/short.key", '-out',
  "$folder/short.pem", qw(-days 20 -subj /C=UT/CN=Short));
$command->write_file("$folder/two.pem", join '', map {
  Verify::Authority::bytes_of($_) } "$folder/short.pem", "$folder/iaca.pem");
my $certificates = $command->prints([qw(trust import --kind csca --org),
  $organization, "$folder/two.pem"])->{id};
my $status = sub { return {map { ("$_->{id} $_->{kind}" => $_) }
  @{$command->prints(['trust', 'status'])}} };
my $told = $status->();
is_deeply [sort keys %$told], [sort "$list trust_list",
  "$certificates trust_certificates", "$reader reader_identity"],
  'verifyctl tells the same';
is $told->{"$certificates trust_certificates"}{certificates}, 1,
  'of two certificates one';
is $told->{"$certificates trust_certificates"}{status}, 'due', '... ends soon';
is $told->{"$certificates trust_certificates"}{organization_id}, $organization,
  '... of the organization';
is $told->{"$list trust_list"}{status}, 'overdue', 'the list is late';
$service->sql(q{UPDATE trust_certificate SET not_after = 86400000
  WHERE not_after < (SELECT max(not_after) FROM trust_certificate)});
is $status->()->{"$certificates trust_certificates"}{status}, 'overdue',
  'what has ended counts';
$service->sql(q{UPDATE trust_list SET kind = 'csca-master-list' WHERE id = ?},
  $certificates);
is $status->()->{"$certificates trust_certificates"}, undef,
  'but in a list of others';
$service->sql(q{UPDATE trust_list SET kind = 'csca' WHERE id = ?}, $certificates);
# An imported revocation list of a trusted authority, which has ended, and one of
# an authority that is trusted no more.
my $crl = sub { $service->sql(q{INSERT INTO revocation_list (address_digest,
  address, body, fetched_at, tried_at, ends_at, issuer)
  VALUES (sha256(?::text::bytea), ?, 'x', 1, 1, 86400000, 'C=UT')}, "csca:$_[0]",
  "csca:$_[0]") };
my $known = $service->sql_value(q{SELECT encode(c.digest, 'hex')
  FROM trust_list_certificate c JOIN trust_list l
    ON l.current_version_id = c.trust_list_version_id
 WHERE l.id = ? LIMIT 1}, $certificates);
$crl->($known);
$crl->('ab' x 32);
is_deeply [grep { /revocation_list/ } keys %{$status->()}],
  ["$known revocation_list"], 'a revocation list of an authority in use';
my (undef, $report) = $command->run(qw(doctor));
is_deeply [map { $_->{subject} } grep { $_->{code} eq 'revocation_list_overdue' }
  @{JSON::PP::decode_json($report)->{findings}}], [$known], '... and doctor says so';
# As certificates stand there that an earlier release imported.
$service->sql('UPDATE trust_certificate SET not_after = NULL');

$service->expect_log(qr/IDV0810: .* \Q$certificates\E \(csca two\) of organization \Q$organization\E has certificates \(1\) to be replaced, the first is valid until/);
$service->expect_log(qr/IDV0787: .* \Q$list\E \(iaca iaca\) was due at 1970-01-02T00/);
$service->expect_log(qr/IDV0788: .* \Q$reader\E \(haip\) of organization \Q$organization\E is valid until/);
$service->expect_log(qr/IDV0960: .* \Q$known\E \(C=UT\) was valid until 1970-01-02T00/);
$service->start_httpd;
my $metrics = sub { $service->client->get('/metrics')->body };
ok wait_for(sub { $metrics->() =~ /^verify_trust_lists_ending 1$/m }, 30),
  'a list is late';
like $metrics->(), qr/^verify_trust_certificates_ending 1$/m,
  'a certificate of a list ends within 30 days';
like $metrics->(), qr/^verify_reader_identities_ending 1$/m,
  'an identity ends within 30 days';
like $metrics->(), qr/^verify_revocation_lists_ending 1$/m,
  'a revocation list has ended';
finish($service);
