# A signer that is pinned for a sandbox (trust import --kind sandbox-signer): accepted
# there with notes, and nowhere else.
use v5.32;
use warnings;
use FindBin;
use JSON::PP ();
use lib "$FindBin::Bin/../lib";
use Verify::Command;
use Verify::Test;
use Verify::WalletTest;

my $test = Verify::WalletTest->start;
my ($service, $authority) = @$test{qw(service authority)};
my $command = Verify::Command->new($service);
my $sandbox = $test->{organization};
my $list = $test->pin_suite_signer;
my $file = $authority->path('suite', 'pem');
my @import = (qw(trust import --kind sandbox-signer));
$test->issue('suite', issuer => 'suite');

my $live = $service->organization(workflow => Verify::WalletTest::workflow());
my $receiver = $service->receiver;
answer_is($_->{client}->post('/v1/webhook_endpoints', {url => $receiver->url,
  enabled_events => ['*']}), 201, 'an endpoint, which live organizations need')
  for $live, $sandbox;
{
  local $test->{organization} = $live;
  $test->give_identity;
}
my $other = $service->organization(sandbox => 1, workflow => Verify::WalletTest::workflow());
{
  local $test->{organization} = $other;
  $test->give_identity;
}

sub anchors {
  my ($organization) = @_;
  return grep { $_->{source} =~ /\Asandbox-signer / } @{$service->verifyctl(
    qw(trust anchors --for wallets --org), $organization->{id})};
}
# The status after an answer with DOCUMENT at ORGANIZATION.
sub verified {
  my ($organization, $document, $reasons, $name, %options) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  local $test->{organization} = $organization;
  my $session = $test->session;
  my $answer = $test->answer_by_link($session, documents => [$document], %options);
  my $status = $answer->{status} == 200
    ? answer_is($test->come_back($session, $answer->{body}{redirect_uri}), 200)->{status}
    : $answer->{status};
  is_deeply $test->reasons($session), $reasons, "$name: reasons" if $reasons;
  return $status;
}
my @notes = qw(issuer_self_signed issuer_is_authority issuer_key_usage_wrong
  issuer_purpose_missing);

subtest 'a sandbox' => sub {
  is $list->{kind}, 'sandbox-signer', 'the kind';
  is_deeply [map { $_->{change} . " $_->{role}" } @{$list->{difference}{changes}}],
    ['added signer'], 'a signer, although it is an authority';
  is verified($sandbox, 'suite', \@notes, 'with notes'), 'verified', 'verified';
  is verified($other, 'suite', [qw(issuer_certificate_profile_wrong issuer_not_trusted)],
    'another sandbox'), 400, 'but in no other sandbox';
  is verified($sandbox, 'licence', [], 'another signer'), 'verified', 'others as before';
};

subtest 'the trust policy applies to the notes' => sub {
  $service->verifyctl(qw(trust policy --deviations undetermined --org), $sandbox->{id});
  is verified($sandbox, 'suite'), 'under_review', 'undetermined';
  $service->verifyctl(qw(trust policy --deviations passed --org), $sandbox->{id});
};

subtest 'it certifies no other signer' => sub {
  $authority->signer('below', 'suite', '1.0.18013.5.1.2');
  $test->issue('below', issuer => 'below');
  is verified($sandbox, 'below', ['issuer_not_trusted'], 'below'), 400, 'refused';
};

subtest 'other faults remain' => sub {
  $test->issue('resigned', issuer => 'suite', faults => {issuer_key => 1});
  is verified($sandbox, 'resigned', [@notes, 'issuer_signature_wrong'], 'a signature'), 400,
    'another signature';
  $test->issue('ended', issuer => 'suite', valid_until_days => -0.5, valid_from_days => -1,
    signed_days_ago => 1);
  is verified($sandbox, 'ended'), 400, 'an expired document';
  $authority->authority('old', days => -1);
  my $old = $service->verifyctl(@import, '--org', $sandbox->{id}, $authority->path('old', 'pem'));
  like "@{$old->{warnings}}", qr/CN=old\S* expired on 20/, 'an expired certificate: a warning';
  $test->issue('old', issuer => 'old');
  is verified($sandbox, 'old'), 400, '... and no trust';
  $service->verifyctl(qw(trust remove), $old->{id});
  $test->issue('pid', issuer => 'suite', doctype => 'eu.europa.ec.eudi.pid.1',
    only => [qw(family_name birth_date)]);
  is verified($sandbox, 'pid', ['other_document_type'], 'identification data',
    faults => {unasked => ['birth_date']}), 400, 'a document that was not requested';
};

subtest 'no live organization' => sub {
  my $refused = qr/only for a sandbox organization/;
  $command->refuses([@import, '--org', $live->{id}, $file], $refused, 'an import for it');
  $command->refuses([@import, $file], $refused, 'an import for all');
  $command->refuses([@import, '--org', 'org_unknown', $file], qr/No such organization|sandbox/,
    'for none');
  is verified($live, 'suite', [qw(issuer_certificate_profile_wrong issuer_not_trusted)],
    'the document'), 400, 'the document is refused';
  $service->verifyctl(qw(trust import --kind iaca --org), $live->{id}, $file);
  is verified($live, 'suite', [qw(issuer_certificate_profile_wrong
    issuer_purpose_not_critical)], 'as an authority'), 400,
    'also where it is trusted as an authority';
};

subtest "a sandbox's settings for a live organization" => sub {
  # Names in a file are unique, unlike those of the test's organizations.
  $service->sql('UPDATE organization SET name = id');
  my $text = ($command->run('export', '--json', '--org', $sandbox->{id}))[1];
  my $set_up = JSON::PP->new->utf8->decode($text);
  my ($organization) = @{$set_up->{organizations}};
  is_deeply [map { $_->{kind} } @{$organization->{trust_lists}}], ['sandbox-signer'],
    'the export has the list';
  is scalar @{$organization->{trust_lists}[0]{certificates}}, 1, '... with its certificate';
  @$organization{qw(name sandbox)} = ('Moved', JSON::PP::false);
  my $path = "$service->{directory}/moved.json";
  Verify::Authority::write_bytes($path, JSON::PP->new->utf8->encode($set_up));
  $command->refuses(['apply', $path], qr/only for a sandbox organization/, 'apply');
  ok !(grep { $_->{name} eq 'Moved' } @{$service->verifyctl(qw(org list))}),
    'nothing of it is created';
  @$organization{qw(name sandbox)} = ('Moved', JSON::PP::true);
  Verify::Authority::write_bytes($path, JSON::PP->new->utf8->encode($set_up));
  $service->verifyctl('apply', $path, '--secrets-dir', $service->{directory});
  my ($moved) = grep { $_->{name} eq 'Moved' } @{$service->verifyctl(qw(org list))};
  is scalar(anchors($moved)), 1, 'another sandbox has it from the file';
  $organization->{sandbox} = JSON::PP::false;
  Verify::Authority::write_bytes($path, JSON::PP->new->utf8->encode($set_up));
  $command->refuses(['apply', $path], qr/cannot be changed/, 'and stays a sandbox');
};

# No command makes an organization live. If its record says so, the list is void.
subtest 'an organization that was a sandbox' => sub {
  is scalar(anchors($sandbox)), 1, 'a sandbox has the list';
  $service->sql('UPDATE organization SET sandbox = false WHERE id = ?', $sandbox->{id});
  is scalar(anchors($sandbox)), 0, 'a live organization does not';
  is verified($sandbox, 'suite', [qw(issuer_certificate_profile_wrong issuer_not_trusted)],
    'the document'), 400, 'the document is refused';
  $command->refuses([@import, '--org', $sandbox->{id}, $file], qr/only for a sandbox/,
    'imported again');
  $service->verifyctl(qw(trust remove), $list->{id});
  $service->verifyctl(qw(trust rollback), $list->{id});
  is scalar(anchors($sandbox)), 0, 'and restored: still none';
};

finish($service);
