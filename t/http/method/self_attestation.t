# A declaration of the person beside a document: what is asked where, what is
# kept of it, and that it is never enough.
use v5.32;
use warnings;
use Digest::SHA qw(sha256_hex);
use JSON::PP ();
use Verify::Specimen;
use Verify::Test;

my $service = Verify::Instance->start(conf => "VerifyTestIssuers on\n");
my $shop = $service->organization(sandbox => 1);
my %graph = (start => 'declare', nodes => {
  declare => {type => 'methods', methods => ['self_attestation'],
    next => {passed => 'id', exhausted => 'no'}},
  id => {type => 'methods', methods => ['document_capture'],
    next => {passed => 'yes', exhausted => 'no'}},
  yes => {type => 'outcome', status => 'verified'},
  no => {type => 'outcome', status => 'failed'}});
my $workflow = $service->publish($shop->{id}, {%graph, name => 'Declared',
  statements => [
    {name => 'age_21', version => '2026-11', jurisdictions => ['US'],
      texts => {en => 'I am 21 or older.'}},
    {name => 'age_18', version => '2026-10',
      texts => {en => 'I am 18 or older.', de => 'Ich bin mindestens 18.'}}]})->{id};
my $yes = JSON::PP::true;

sub create {
  my $session = answer_is($shop->{client}->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $workflow, jurisdiction => 'US-CA', @_}), 201);
  $session->{person} = $service->client($session->{client_secret});
  $session->{path} = "/v1/widget/sessions/$session->{id}";
  $session->{person}->post("$session->{path}/open", {});
  return $session;
}
sub submit {
  my ($session, %more) = @_;
  return $session->{person}->post("$session->{path}/submissions",
    {method => 'self_attestation', %more});
}

subtest 'from the statement to the result' => sub {
  my $session = create(jurisdiction => 'DE');
  error_is(submit($session, statement => 'age_18'), 409, 'session_state_conflict',
    undef, 'not before the consent');
  my $view = answer_is($session->{person}->post("$session->{path}/consent",
    {consent => $yes}), 200);
  is_deeply $view->{statement}, {name => 'age_18', version => '2026-10',
    texts => {en => 'I am 18 or older.', de => 'Ich bin mindestens 18.'}},
    'what is to be declared';
  error_is(submit($session), 400, 'parameter_invalid', 'statement');
  error_is(submit($session, statement => 'age_21'), 400, 'parameter_invalid',
    'statement', 'no other');
  error_is(submit($session, statement => 'age_18', language => 'fr'), 400,
    'parameter_invalid', 'language');
  error_is(submit($session, statement => 'age_18', images => ['front']), 400,
    'parameter_invalid', 'images');
  $view = answer_is(submit($session, statement => 'age_18', language => 'de'), 200);
  is $view->{current_method}, 'document_capture', 'then the document';
  is $view->{statement}, undef, 'nothing more is to be declared';
  error_is(submit($session, statement => 'age_18'), 400, 'parameter_invalid', 'method');
};

subtest 'what is kept' => sub {
  my $session = create();
  $session->{person}->post("$session->{path}/consent", {consent => $yes});
  is answer_is(submit($session, statement => 'age_21'), 200)->{status},
    'requires_input', 'the one of the place';
  is show_specimen($service, $session)->{status}, 'verified', 'and a document';
  my $seen = answer_is($shop->{client}->get(
    "/v1/verification_sessions/$session->{id}?expand[]=results"), 200);
  my ($result) = grep { $_->{method} eq 'self_attestation' } @{$seen->{results}};
  is_deeply $result->{statement}, {name => 'age_21', version => '2026-11',
    language => 'en', sha256 => sha256_hex('I am 21 or older.')}, 'what was declared';
  ok abs($result->{completed_at} - time) < 60, 'and when';
};

subtest 'a workflow without statements of its own' => sub {
  my $plain = $service->publish($shop->{id}, {%graph, name => 'Plain'})->{id};
  my $session = create(workflow_id => $plain);
  my $view = answer_is($session->{person}->post("$session->{path}/consent",
    {consent => $yes}), 200);
  is $view->{statement}{name}, 'truthful', 'has ours';
  answer_is(submit($session, statement => 'truthful'), 200);
};

finish($service);
