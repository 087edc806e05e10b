# Mistakes in the configuration: found by `httpd -t`, with file and line.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use Verify::Rules qw(country write_rules);
use Verify::Test;

my $service = Verify::Instance->start;
my $directory = $service->{directory};
chomp(my $program = `command -v apache2 || command -v httpd`);

sub test_configuration {
  my ($lines) = @_;
  open my $file, '>', "$directory/extra.conf" or die;
  print $file $lines;
  close $file;
  local $ENV{LD_PRELOAD} = $ENV{VERIFY_PRELOAD} // '';
  local $ENV{ASAN_OPTIONS} = 'detect_leaks=0';
  return `$program -t -d $directory/httpd -f $directory/httpd/httpd.conf 2>&1`;
}

like test_configuration(''), qr/Syntax OK/, 'the sample configuration';
open my $key, '>', "$directory/short.key";
print $key "abc\n";
close $key;
chmod 0600, "$directory/short.key";
# A secret that others can read, and a service that would otherwise be content.
for my $name (qw(open.key open.secret)) {
  open my $open, '>', "$directory/$name";
  print $open 'ab' x 32, "\n";
  close $open;
  chmod 0640, "$directory/$name";
}
my $open = qr{open\.\w+: must be accessible to its owner only};

for my $name (qw(risk.json upgraded.json upgraded.json.dist)) {
  open my $risk, '>', "$directory/$name";
  print $risk '{"signals": {}}';
  close $risk;
}
my $rules = write_rules(country('DE', {firearms => {}}, colour => 'red'));

my ($org, $flow) = map { "${_}_01arz3ndektsv4rrffq69g5fav" } qw(org wf);

my %mistakes = (
  'VerifyDatabaseConnections 0' => qr/must be a number between 1 and 256/,
  'VerifyDatabaseWait 2s' => qr/must be a number/,
  'VerifySessionRetention 29' => qr/must be 0 \(no limit\) or at least 30 days/,
  'VerifySessionRetention 400d' => qr/must be a number between 0 and 3650/,
  'VerifySessionRetention 1' => qr/VerifySessionRetention \(.*extra.conf:\d+\)/,
  'VerifyCredentialRetention 29' => qr/must be 0 \(no limit\) or at least 30 days/,
  'VerifyDatabaseShare half' => qr/must be a number/,
  'VerifyDatabase "host=a nonsense=1"' => qr/not a connection string/,
  'VerifyWebhookAllow 10.0.0.0/99' => qr/is not a network/,
  'VerifyWebhookAllow 10.0.0.1/8' => qr/is not a network/,
  'VerifyPublicURL ftp://example.com' => qr/not an http or https address/,
  'VerifyGeoHeaders "X Country"' => qr/not the name of a header field/,
  'VerifyRateLimit private 10' => qr/must be secret or publishable/,
  'VerifyRateLimit secret -1' => qr/must be a number/,
  'VerifyWidgetFrameAncestors "a; script-src *"' => qr/not a source/,
  'VerifyCORSOrigins *' => qr/not an origin/,
  'VerifyCORSOrigins null' => qr/not an origin/,
  'VerifyCORSOrigins https://shop.example http://shop.example' => qr/not an origin/,
  'VerifyTestIssuers maybe' => qr/must be On or Off/,
  'VerifyWebhookInFlight 0' => qr/must be a number between 1 and 16384/,
  'VerifyWebhookEndpointInFlight many' => qr/must be a number/,
  'VerifyEventRetention 0' => qr/must be a number/,
  'VerifyMasterKeyFile /nowhere/key' => qr/VerifyMasterKeyFile \(\S+extra\.conf:2\)/,
  "VerifyMasterKeyFile $directory/short.key" => qr/VerifyMasterKeyFile \(\S+extra\.conf:2\)/,
  "VerifyMasterKeyFile $directory/open.key" => qr/VerifyMasterKeyFile \(\S+:2\): \S+$open/,
  "VerifyMasterKeyFile $directory/httpd" => qr/httpd: is not a regular file/,
  "VerifyRateStorePasswordFile $directory/open.secret" =>
    qr/VerifyRateStorePasswordFile \(\S+:2\): \S+$open/,
  "VerifyCaptcha turnstile\nVerifyCaptchaSecretFile $directory/open.secret" =>
    qr/VerifyCaptchaSecretFile \(\S+:3\): \S+$open/,
  "VerifySMTP smtp://mail.example.com\nVerifySMTPFrom a\@b.example\nVerifySMTPUser me\n"
    . "VerifySMTPPasswordFile $directory/open.secret" =>
    qr/VerifySMTPPasswordFile \(\S+:5\): \S+$open/,
  'VerifyWebhookCAFile /nowhere/ca.pem' => qr/VerifyWebhookCAFile \(\S+extra\.conf:2\): \S+ cannot be read/,
  'VerifyWebhookCAFile /etc/passwd' => qr/VerifyWebhookCAFile \(\S+:2\): \S+ contains no certificate/,
  "VerifyModels $directory/logs" => qr/VerifyModels \(\S+:2\): \S+logs contains no readable mrz_classifier\.bin.*make models/,
  'VerifyDatabaseShare 9' => qr/VerifyDatabaseShare \(\S+:2\): is more than VerifyDatabaseConnections, 8/,
  'VerifyTrustReuseDaily 499' => qr/VerifyTrustReuseDaily \(\S+:2\): the limit per day.*lower than the limit per hour/,
  'VerifyTrustReuseHourly 5001' => qr/VerifyTrustReuseHourly \(\S+:2\): the limit per day.*lower than the limit per hour/,
  (map { ("VerifyRateStore $_" => qr/VerifyRateStore: the port must be a number from 1 to 65535/) }
    qw(redis://127.0.0.1:99999 rediss://redis.example:0)),
  'VerifyPublicURL https://verify.example:99999' => qr/VerifyPublicURL: the port must be/,
  'VerifySMTP smtp://mail.example.com:65536' => qr/VerifySMTP: the port must be/,
  # Of features that are off.
  "VerifyCaptchaSecretFile $directory/open.secret" => qr/VerifyCaptchaSecretFile \(\S+:2\): \S+$open/,
  "VerifySMTPPasswordFile $directory/open.secret" => qr/VerifySMTPPasswordFile \(\S+:2\): \S+$open/,
  'VerifyCaptchaSecretFile /nowhere' => qr/VerifyCaptchaSecretFile \(\S+:2\): /,
  'VerifyModels /etc/passwd' => qr/VerifyModels \(\S+:2\): \S+ is not a directory/,
  "VerifyRateStorePasswordFile /nowhere" => qr/VerifyRateStorePasswordFile \(\S+:2\): /,
  "VerifyRiskPolicy $directory/risk.json" => qr{VerifyRiskPolicy \(\S+:2\): \S+/risk\.json: /thresholds: is missing},
  "VerifyRiskPolicy $directory/upgraded.json" =>
    qr{upgraded\.json: /thresholds: is missing.*; \S+/upgraded\.json\.dist has what this release needs},
  'VerifyAnalyzer /nowhere/verify-analyze' => qr/VerifyAnalyzer \(\S+extra\.conf:2\): \S+ cannot be read/,
  'VerifyComplianceRules /nowhere' => qr/VerifyComplianceRules \(\S+extra\.conf:2\)/,
  "VerifyComplianceRules $directory/logs" => qr/contains no country/,
  "VerifyComplianceRules $rules" =>
    qr{DE\.json: /colour: .*DE\.json: /rules/firearms/sources: }s,
  'VerifySMTP mail.example.com' => qr/not smtp:/,
  'VerifySMTP http://mail.example.com' => qr/not smtp:/,
  'VerifySMTP smtp://user:secret@mail.example.com' => qr/not smtp:/,
  'VerifySMTP smtp://mail.example.com/x' => qr/not smtp:/,
  'VerifySMTP smtp://mail.example.com' => qr/needs VerifySMTPFrom/,
  'VerifySMTPFrom "Somebody"' => qr/not an address/,
  'VerifySMTPTLS sometimes' => qr/must be required, optional or off/,
  "VerifySMTP smtps://mail.example.com\nVerifySMTPFrom a\@b.example\nVerifySMTPUser me" =>
    qr/set both .* or neither/,
  "VerifySMTP smtp://mail.example.com\nVerifySMTPFrom a\@b.example\nVerifySMTPUser me\n"
    . "VerifySMTPPasswordFile $directory/short.key\nVerifySMTPTLS optional" =>
    qr/passwords are only sent encrypted/,
  "VerifySMTP smtp://mail.example.com\nVerifySMTPFrom a\@b.example\nVerifySMTPUser me\n"
    . 'VerifySMTPPasswordFile /nowhere/password' => qr/VerifySMTPPasswordFile .* cannot be read/,
  'VerifyGeoDatabase /etc/passwd' => qr/VerifyGeoDatabase \(\S+extra\.conf:2\)/,
  "<Location /x>\nRequire verify-key private\n</Location>" => qr/only secret and publishable/,
  "<VirtualHost *:1>\nVerifyDatabase dbname=other\n</VirtualHost>" =>
    qr/VerifyDatabase \(\S+extra\.conf:3\): applies to the whole server process/,
  "<VirtualHost *:1>\nVerifyWebhookAllow 10.0.0.0/8\nVerifyEventRetention 7\n</VirtualHost>" =>
    qr/VerifyWebhookAllow \(\S+:3\): applies to.*VerifyEventRetention \(\S+:4\): applies to/s,
  "VerifyGate Shop $org $flow" => qr/VerifyGate: "Shop" is not a name of a gate/,
  "VerifyGate shop acme $flow" => qr/VerifyGate: "acme" is not the id of an organization/,
  "VerifyGate shop $org 18plus" => qr/VerifyGate: "18plus" is not the id of a workflow/,
  "VerifyGate shop $org $flow adult" => qr/"adult" is neither age nor identity/,
  "VerifyGate a $org $flow\nVerifyGate a $org $flow" => qr/another gate named a/,
  'VerifyGateMaxAge 59' => qr/must be a number between 60 and/,
  'VerifyGateOrigin shop.example' => qr/is not an origin such as/,
  "<Location /x>\nVerifyGateUse shop\n</Location>" =>
    qr/IDV0100: VerifyGateUse \(\S+:3\): this server has no gate named shop; it has no VerifyGate/,
  "VerifyGate bar $org $flow\n<Location /x>\nVerifyGateUse shop\n</Location>" =>
    qr/VerifyGateUse \(\S+:4\): this server has no gate named shop; it has bar/,
  "VerifyGate bar $org $flow\nVerifyGateOrigin http://127.0.0.1:8080\n<Location /x>\n"
    . "VerifyGateUse bar\n</Location>" => qr/VerifyGateUse \(\S+:5\): a gate needs HTTPS/,
  "VerifyGate bar $org $flow\n<VirtualHost *:1>\n<Location /x>\nVerifyGateUse bar\n"
    . "</Location>\n</VirtualHost>" => qr/VerifyGateUse \(\S+:5\): a gate needs HTTPS/,
  "<Location /x>\nRequire verified-age 18\n</Location>" =>
    qr/Require \(\S+:3\): needs VerifyGateUse NAME/,
  "<Location /x>\nRequire verified-age\n</Location>" => qr/needs an age from 1 to 99, or lawful/,
  "<Location /x>\nRequire verified-age 0\n</Location>" => qr/needs an age from 1 to 99/,
  "<Location /x>\nRequire verified-age 18 21\n</Location>" => qr/takes one word/,
  "<Location /x>\nRequire verified-identity 1\n</Location>" => qr/takes no words/,
  "<Location /x>\nVerifyGateSkip \"expr=%{\"\n</Location>" => qr/VerifyGateSkip: /,
  'VerifyReloadGrace 301' => qr/VerifyReloadGrace: must be a number between 0 and 300/,
);
for my $line (sort keys %mistakes) {
  my $answer = test_configuration("# first line\n$line\n");
  like $answer, $mistakes{$line}, $line;
  like $answer, qr/extra\.conf/, 'with the file';
  unlike $answer, qr/Syntax OK/, 'refused';
}
like test_configuration("<VirtualHost *:1>\n$_\n</VirtualHost>\n"), qr/Syntax OK/,
  "a virtual host may have: $_"
  for 'VerifyPublicURL https://other.example', 'VerifyRateLimit secret 7';
like test_configuration("LoadModule dbd_module \${VERIFY_MODULES}/mod_dbd.so\n"
  . "DBDriver pgsql\nDBDPrepareSQL \"SELECT 1\" one\n"), qr/Syntax OK/,
  'something else may use mod_dbd';
# libpq quotes what it stumbles over.
for my $string ('host=a password=one secret', 'postgresql://me:secret%zz@host/x') {
  my $answer = test_configuration(qq(VerifyDatabase "$string"\n));
  like $answer, qr/not a connection string/, 'a wrong string with a password';
  unlike $answer, qr/secret/, 'of which the message says nothing';
}
like test_configuration("<Directory />\nVerifyTestIssuers on\n</Directory>\n"),
  qr/not allowed/, 'no directive in a directory';
for my $good ('VerifyDatabaseShare 8', "VerifyTrustReuseHourly 9\nVerifyTrustReuseDaily 9",
  "VerifyGate shop $org $flow identity US-CA\n<Location /x>\nVerifyGateUse shop\n"
    . "Require verified-identity\n</Location>",
  "VerifyGate shop $org $flow\n<VirtualHost *:1>\nVerifyGateOrigin https://shop.example\n"
    . "<Location /x>\nVerifyGateUse shop\nRequire verified-age lawful\n</Location>\n</VirtualHost>",
  "VerifyGate shop $org $flow\n<VirtualHost *:1>\nServerName https://shop.example\n"
    . "<Location /x>\nVerifyGateUse shop\n</Location>\n</VirtualHost>",
  'VerifyRateStore redis://127.0.0.1:65535', 'VerifyRateStore redis://127.0.0.1') {
  like test_configuration($good), qr/Syntax OK/, "good: $good";
}

# What httpd accepts although it guards nothing.
my $gate = "VerifyGate bar $org $flow\n<Location /x>\nVerifyGateUse bar\n";
my $bypass = qr/IDV0105: Require all granted \(\S+:5\) lets in visitors without proof, .* Require verified-age 18 \(line 4\)/;
my %open = (
  "Require verified-age 18\nRequire all granted\n" => $bypass,
  "<RequireAny>\nRequire verified-age 18\n</RequireAny>\nRequire all granted\n" =>
    qr/IDV0105: Require all granted \(\S+:7\)/,
  '' => qr/IDV0106: VerifyGateUse bar \(\S+:3\) guards nothing/,
);
for my $lines (sort keys %open) {
  my $answer = test_configuration("$gate$lines</Location>");
  like $answer, $open{$lines}, "warned of: VerifyGateUse bar $lines";
  like $answer, qr/Syntax OK/, 'and accepted';
}
like test_configuration("LoadModule access_compat_module"
  . " \${VERIFY_MODULES}/mod_access_compat.so\n$gate"
  . "Require verified-age 18\nSatisfy Any\n</Location>"),
  qr/IDV0105: Satisfy Any \(\S+:6\) .* Require verified-age 18 \(line 5\)/,
  'warned of Satisfy Any';
for my $lines ("Require verified-age 18\n",
  "<RequireAll>\nRequire verified-age 18\nRequire all granted\n</RequireAll>\n") {
  unlike test_configuration("$gate$lines</Location>"), qr/IDV010[56]/,
    "not warned of: $lines";
}

# What was forgotten, in the files around.
sub test_without {
  my ($file, $pattern) = @_;
  my $text = Verify::Instance::read_text($file);
  my $write = sub { open my $out, '>', $file or die; print $out $_[0] };
  $write->($text =~ s/$pattern//r) if $text =~ $pattern or die "$file: no $pattern\n";
  my $answer = test_configuration('');
  $write->($text);
  return $answer;
}
my ($conf, $sample) = ("$directory/httpd/httpd.conf", "$directory/service/conf/verify.conf");
like test_without($conf, qr/^Define VERIFY_PUBLIC_URL.*/m),
  qr/VerifyPublicURL \(not set\): .*Define VERIFY_PUBLIC_URL/, 'no public address';
like test_without($sample, qr/^VerifyDatabase .*/m),
  qr/IDV0766: SetHandler verify \(\S+verify\.conf:[0-9]+\): needs VerifyDatabase/, 'no database';

like test_configuration(''), qr/IDV0174: VerifyTestIssuers is on/, 'test issuers are told of';
unlike test_configuration("VerifyTestIssuers off\n"), qr/IDV0174/, 'where they are accepted';
like test_configuration("VerifyPublicURL https://localhost\n"),
  qr/IDV0765: VerifyPublicURL is https:\/\/localhost.*Syntax OK/s, 'so is an address of nobody';
unlike test_configuration(''), qr/IDV0765/, 'which others are not';
like test_configuration("VerifyPublicURL http://verify.example\n"),
  qr/IDV0930: VerifyPublicURL is http:\/\/verify\.example, without TLS.*Syntax OK/s,
  'an address without TLS is told of';
like test_configuration("VerifyPublicURL $_\n"), qr/IDV0930/, "so is $_"
  for 'http://127.0.0.1.verify.example', 'http://10.0.0.1:8080', 'http://[2001:db8::1]';
unlike test_configuration("VerifyPublicURL $_\n"), qr/IDV0930/, "$_ is not"
  for 'https://verify.example', 'http://127.0.0.1:8080', 'http://[::1]:8080',
    'http://localhost:8080';
{
  my $answer = test_configuration(join '', map {
    "<VirtualHost *:$_>\nVerifyPublicURL http://site-$_.example\n</VirtualHost>\n" } 1 .. 3);
  like $answer, qr/IDV0930: VerifyPublicURL is http:\/\/site-$_\.example,/,
    "of several hosts each is named, $_" for 1 .. 3;
  is scalar(() = test_configuration("VerifyPublicURL http://verify.example\n"
    . "<VirtualHost *:1>\n</VirtualHost>\n") =~ /IDV0930/g), 1, '... an address once';
}
test_configuration('');
finish $service;
