# Forged and faulty mobile documents, beyond those of the OpenID Foundation's suite, the
# modules of which are in haip_plan.t.
use v5.32;
use warnings;
use FindBin;
use JSON::PP ();
use lib "$FindBin::Bin/../lib";
use Verify::Test;
use Verify::WalletTest;

my $test = Verify::WalletTest->start;
my ($service, $wallet, $authority) = @$test{qw(service wallet authority)};

# The answer is refused with 400, and the results say why.
sub refused {
  my ($reasons, $name, %options) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  my $session = $test->session(%{delete $options{session} // {}});
  my $answer = $test->answer_by_link($session, %options);
  is $answer->{status}, 400, "$name: 400";
  is $answer->{body}{error}{code}, 'wallet_response_refused', '... refused';
  is_deeply $test->reasons($session), $reasons, '... with its reasons';
  isnt $test->status($session), 'verified', '... and nothing verified';
}
sub accepted {
  my ($name, %options) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  my $session = $test->session(%{delete $options{session} // {}});
  my $answer = $test->answer_by_link($session, %options);
  is $answer->{status}, 200, "$name: 200" or diag explain $test->reasons($session);
  my $back = answer_is($test->come_back($session, $answer->{body}{redirect_uri}), 200);
  is $back->{status}, 'verified', '... verified';
  return $session;
}

subtest 'nothing wrong' => sub { accepted('a good document') };

subtest 'bound to this request' => sub {
  refused(['device_signature_wrong'], 'another response_uri',
    faults => {response_uri => 'https://other.example/'});
};

subtest 'a signature by another key' => sub {
  $test->issue('resigned', faults => {issuer_key => 1});
  refused(['issuer_signature_wrong'], 'another key', documents => ['resigned']);
};

subtest 'forged values' => sub {
  refused(['digest_wrong'], 'another age',
    faults => {values => {age_over_21 => JSON::PP::true, given_name => 'Other'},
      more_elements => []}, session => {type => 'identity'});
};

subtest 'swapped device' => sub {
  refused(['device_signature_wrong'], 'a copy on another device',
    faults => {device_key => 1});
};

subtest 'more than was asked for' => sub {
  refused(['element_not_requested'], 'a name', faults => {more_elements => ['family_name']});
};

subtest 'a foreign issuer' => sub {
  $authority->authority('stranger')->signer('foreign', 'stranger', '1.0.18013.5.1.2');
  $test->issue('foreign', issuer => 'foreign');
  refused(['issuer_not_trusted'], 'no list has it', documents => ['foreign']);
  $authority->signer('reader_like', 'iaca', '1.0.18013.5.1.6');
  $test->issue('of_a_reader', issuer => 'reader_like');
  refused(['issuer_certificate_profile_wrong'], 'a certificate for something else',
    documents => ['of_a_reader']);
};

# As signers of states in use have it: the purpose is there, but not critical.
subtest 'a certificate that deviates from its profile' => sub {
  my @organization = ('--org', $test->{organization}{id});
  $authority->certificate('lax', issuer => 'iaca', extensions => [
    'keyUsage=critical,digitalSignature', 'extendedKeyUsage=1.0.18013.5.1.2',
    'subjectKeyIdentifier=hash', 'authorityKeyIdentifier=keyid']);
  $test->issue('lax', issuer => 'lax');
  for (['passed', 'verified'], ['undetermined', 'under_review']) {
    my ($policy, $status) = @$_;
    $test->{service}->verifyctl(qw(trust policy --deviations), $policy, @organization);
    my $session = $test->session;
    my $answer = $test->answer_by_link($session, documents => ['lax']);
    is $answer->{status}, 200, "$policy: accepted" or next;
    is answer_is($test->come_back($session, $answer->{body}{redirect_uri}), 200)->{status},
      $status, "... $status";
    is_deeply $test->reasons($session), ['issuer_purpose_not_critical'], '... and told'
      if $status eq 'verified';
    like $test->{service}->script('verifyctl', qw(session explain), $session->{id}),
      qr/"issuer_purpose_not_critical"/, '... and explained';
  }
  like $test->{service}->client->get('/metrics')->body,
    qr/^verify_wallet_deviations_total\{code="issuer_purpose_not_critical"\} 2$/m,
    '... and counted, whatever the policy';
  $test->{service}->verifyctl(qw(trust policy --deviations passed), @organization);
};

subtest 'expired' => sub {
  $test->issue('ended', valid_until_days => -0.5, valid_from_days => -1,
    signed_days_ago => 1);
  refused(['signed_outside_certificate', 'credential_expired'], 'no longer valid',
    documents => ['ended']);
  $test->issue('early', valid_from_days => 3);
  refused(['credential_not_yet_valid'], 'not valid yet', documents => ['early']);
};

subtest 'under age' => sub {
  $test->issue('young', elements => {birth_date => '2009-01-01',
    age_over_21 => JSON::PP::false});
  refused(['under_age'], 'too young', documents => ['young']);
};

# What is none to this request is refused, and has no result.
subtest 'the key of another request' => sub {
  my $session = $test->session;
  my $answer = $test->answer_by_link($session, faults => {encryption_key => 1});
  is $answer->{status}, 400, 'not decrypted: 400';
  is $answer->{body}{error}{code}, 'wallet_response_unreadable', '... which says so';
  is_deeply $test->retrieve($session)->{results}, [], '... without a result';
  is $test->status($session), 'pending', '... and nothing has changed';
};

subtest 'wallets of draft 18' => sub {
  accepted('their transcript', faults => {transcript => 'draft_18'});
};

finish($service);
