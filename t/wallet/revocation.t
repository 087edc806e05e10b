# Whether the issuer has revoked who signed a document: its revocation list is
# fetched when it is needed, and what could not be had is not known.
use v5.32;
use warnings;
use FindBin;
use IO::Socket::INET;
use POSIX ();
use lib "$FindBin::Bin/../lib";
use Verify::Test;
use Verify::WalletTest;

my $test = Verify::WalletTest->start;
my ($service, $authority) = @$test{qw(service authority)};
my $folder = "$service->{directory}/issuers";

# A publisher, which answers with a file of the name that is asked for.
my $listener = IO::Socket::INET->new(Listen => 8, LocalAddr => '127.0.0.1')
  or die "listen: $!\n";
my $address = 'http://127.0.0.1:' . $listener->sockport;
my $publisher = fork // die "fork: $!\n";
if (!$publisher) {
  while (my $client = $listener->accept) {
    my $line = <$client> // '';
    while (defined(my $header = <$client>)) { last if $header =~ /\A\r?\n\z/ }
    my ($name) = $line =~ m{\AGET /(\w+) };
    my $body = $name && -e "$folder/$name.crl"
      ? Verify::Authority::bytes_of("$folder/$name.crl") : undef;
    print $client defined $body
      ? "HTTP/1.1 200 OK\r\nContent-Length: " . length($body) . "\r\n"
        . "Connection: close\r\n\r\n$body"
      : "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    close $client;
  }
  POSIX::_exit(0);
}

# A signer whose certificate names the list NAME, and that list with or without it.
sub signer {
  my ($name) = @_;
  $authority->certificate($name, issuer => 'iaca', extensions => [
    'keyUsage=critical,digitalSignature', 'extendedKeyUsage=critical,1.0.18013.5.1.2',
    'subjectKeyIdentifier=hash', 'authorityKeyIdentifier=keyid',
    "crlDistributionPoints=URI:$address/$name"]);
  $test->issue($name, issuer => $name);
}
sub publish {
  my ($name, $is_revoked) = @_;
  my $serial = Verify::Authority::openssl(qw(x509 -noout -serial -in),
    $authority->path($name, 'pem')) =~ s/.*=|\n//gr;
  Verify::Authority::write_bytes("$folder/index", $is_revoked
    ? "R\t360101000000Z\t250101000000Z\t$serial\tunknown\t/C=UT/CN=$name\n" : '');
  Verify::Authority::write_bytes("$folder/ca.cnf", "[ca]\ndefault_ca=x\n[x]\n"
    . "database=$folder/index\ndefault_md=sha256\ndefault_crl_days=1\n");
  Verify::Authority::openssl(qw(ca -gencrl -config), "$folder/ca.cnf",
    '-cert', $authority->path('iaca', 'pem'), '-keyfile',
    $authority->path('iaca', 'key'), '-out', "$folder/$name.pem.crl");
  Verify::Authority::openssl(qw(crl -outform DER -in), "$folder/$name.pem.crl",
    '-out', "$folder/$name.crl");
}
signer($_) for qw(good revoked silent);
publish('good', 0);
publish('revoked', 1);
for my $name (qw(good revoked silent)) {
  my $session = $test->session;
  my $answer = $test->answer_by_link($session, documents => [$name]);
  if ($name eq 'revoked') {
    is $answer->{status}, 400, 'a signer that was revoked is refused';
    my ($decision) = @{$service->verifyctl('session', 'explain', $session->{id})
      ->{decisions}};
    is_deeply [map { "$_->{check} $_->{result}" } grep { $_->{result} ne 'passed' }
      @{$decision->{checks}}], ['issuer_revocation failed'], '... for that alone'
      or diag explain $decision;
    next;
  }
  is $answer->{status}, 200, "$name: the wallet's answer is taken";
  my $back = answer_is($test->come_back($session, $answer->{body}{redirect_uri}), 200);
  my ($decision) = @{$service->verifyctl('session', 'explain', $session->{id})
    ->{decisions}};
  my ($check) = grep { $_->{check} eq 'issuer_revocation' } @{$decision->{checks}};
  is $check->{result}, $name eq 'good' ? 'passed' : 'undetermined',
    "$name: what is known of its signer" or diag explain $decision;
  is $back->{status}, $name eq 'good' ? 'verified' : 'under_review',
    '... and what follows';
}
is_deeply [map { "@$_" } @{$service->connect_database->selectall_arrayref(
  "SELECT substring(address FROM '[a-z]+\$'), coalesce(error, 'kept')
     FROM revocation_list ORDER BY 1")}],
  ['good kept', 'revoked kept', 'silent http_status'], 'copies are kept';
kill TERM => $publisher;
waitpid $publisher, 0;
finish($service);
