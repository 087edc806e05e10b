# The provider that looks at liveness challenges, too: one of the tests' own, over
# TLS with certificates on both sides, that answers as it should and as it should
# not.
use v5.32;
use warnings;
use IO::Socket::INET;
use JSON::PP ();
use Verify::Face;
use Verify::LivenessProvider;
use Verify::Specimen;
use Verify::Test;

plan skip_all => $_ for face_models_missing() // ();

my $service = Verify::Instance->start(start => 0);
my $provider = Verify::LivenessProvider->create(
  directory => "$service->{directory}/provider")->start;
$service->{conf} = $provider->directives;
$service->start_httpd;

# Two workflows: what is undetermined is for a person, as by default, or refused.
my ($who, $strict) = map { $service->organization(sandbox => 1, workflow => {
  name => 'Somebody', %$_, required_age_tier => 'min_age_18', start => 'id', nodes => {
    id => {type => 'methods', methods => ['document_capture'],
      next => {passed => 'face', exhausted => 'denied'}},
    face => {type => 'methods', methods => ['selfie_liveness'], max_attempts => 10,
      next => {passed => 'granted', exhausted => 'denied'}},
    granted => {type => 'outcome', status => 'verified'},
    denied => {type => 'outcome', status => 'failed'}}}) }
  {}, {on_undetermined => 'requires_input'};
my $woman = person_before_camera('woman');
my %evaluation = (standard => 'Standard X', level => '2', laboratory => 'Lab Y',
  valid_until => '2027-05-01');

my $photograph = Verify::Specimen::photograph();
# On a connection of its own: httpd may end one that was idle for long.
sub session {
  my ($who) = @_;
  my $session = answer_is($who->{client}->with->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $who->{workflow_id}, jurisdiction => 'US-VA'}),
    201, 'a session');
  is show_pictures($service, $session, $photograph)
    ->{current_method}, 'selfie_liveness', '... of somebody with a document';
  return $session;
}
sub look {
  my ($session, %options) = @_;
  take_challenge($service, $session, $woman, provider => 'Second Look', %options);
  return submit_method($service, $session, 'selfie_liveness');
}
sub check_of {
  my ($who, $session) = @_;
  my $result = $who->{client}->get(
    "/v1/verification_sessions/$session->{id}?expand[]=results")->json->{results}[-1];
  my ($check) = grep { $_->{name} eq 'liveness_provider' } @{$result->{checks}};
  return $check && "$check->{result} " . ($check->{reason} // 'for no reason');
}
# What the provider leaves undecided, for this reason in the log.
my $open;
sub is_undetermined {
  my ($why, $reason) = @_;
  $service->expect_log(qr/IDV0840: .*: \Q$reason\E/);
  $open //= session($strict);
  is look($open)->{last_error}{code}, 'liveness_undetermined', "$why: nothing passes";
  is check_of($strict, $open), 'undetermined provider_unavailable',
    '... for want of an answer that counts';
}

subtest 'an honest answer' => sub {
  $provider->behave({evaluation => \%evaluation});
  my $session = session($who);
  my $view = look($session);
  is $view->{status}, 'verified', 'passes' or diag explain $view;
  is check_of($who, $session), 'passed for no reason', '... as a check of its own';
  my ($question) = $provider->questions;
  is scalar @{$question->{pictures}}, 17, 'it was sent all pictures';
  is scalar @{$question->{prompts}}, 4, '... and what was asked for';
  is $question->{client}, 'client', '... by who showed a certificate';
  is_deeply [grep { !/\A(?:answer|challenge|client|evidence_sha256|nonce|path|pictures|prompts|version)\z/ }
    keys %$question], [], '... and nothing else';
  my $events = answer_is($who->{client}->get(
    "/v1/events?type=verification_session.verified&object_id=$session->{id}"), 200,
    'its event');
  my $result =
    $events->{data}[0]{data}{object}{verification_result}{liveness};
  is $result->{assurance}, 'provider', 'the result says by whom';
  is_deeply $result->{provider}, {name => 'Second Look', version => '4.2',
    score => 0.97, evaluation => \%evaluation}, '... and what that states of itself';
  my ($record) = grep { $_->{method} eq 'selfie_liveness' }
    @{$service->verifyctl(qw(session explain), $session->{id})->{decisions}};
  is_deeply [grep { $_->{kind} eq 'liveness_provider' } @{$record->{basis}}],
    [{kind => 'liveness_provider', id => 'Second Look', version => '4.2'}],
    'the decision rests on this version';
};

subtest 'other verdicts' => sub {
  $provider->behave({result => 'failed'});
  my $session = session($who);
  my $view = look($session);
  is $view->{last_error}{code}, 'liveness_declined', 'is not passed';
  is $view->{attempts_remaining}, 9, '... which takes an attempt';
  $provider->behave({result => 'undetermined'});
  is look($session)->{status}, 'under_review',
    'a provider that does not know: a person decides';
  is check_of($who, $session), 'undetermined provider_undetermined', '... and sees why';
};

subtest 'answers that do not count' => sub {
  $provider->behave({signer => 'forger'});
  is_undetermined('signed by another', 'has a wrong signature');
  $provider->behave({replay => 1});
  is_undetermined('the answer of another session', 'answers a different request');
  $provider->behave({flood => 200_000});
  is_undetermined('an endless answer', 'response_too_large');
};

subtest 'who is not asked' => sub {
  $provider->behave({});
  $provider->forget;
  my $session = session($who);
  my $client = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}";
  is answer_is($client->get($path), 200, 'the view')->{liveness_provider},
    'Second Look', 'the page learns whom to name';
  error_is($client->post("$path/liveness", {consent => JSON::PP::true}), 400,
    'parameter_invalid', 'provider', 'no camera without consent to it');
  error_is($client->post("$path/liveness", {consent => JSON::PP::true,
    provider => 'Somebody Else'}), 400, 'parameter_invalid', 'provider',
    '... or with consent to another');
  is look($session, follow => sub { $_[0] eq 'up' ? 'down' : 'up' })->{last_error}{code},
    'challenge_failed', 'what fails here';
  is look($session, assisted => 1)->{status}, 'under_review',
    'and who cannot move';
  is scalar(() = $provider->questions), 0, '... is not sent';
};

subtest 'another server in its place' => sub {
  $provider->stop;
  is_undetermined('a dead provider', 'connection_refused');
  my $stranger = bless {%$provider}, ref $provider;
  $stranger->{listener} = IO::Socket::INET->new(LocalAddr => '127.0.0.1',
    LocalPort => $provider->{port}, Listen => 16, ReuseAddr => 1) or die "$@\n";
  $stranger->{certificate} = 'stranger';
  $stranger->start;
  is_undetermined('a certificate of its own', 'tls_error');
  is scalar(() = $stranger->questions), 0, '... learns nothing';
  $stranger->stop;
};

subtest 'a slow provider' => sub {
  my $slow = Verify::LivenessProvider->create(
    directory => "$service->{directory}/slow")->start;
  $slow->behave({hang => 600});
  $service->stop_httpd;
  $service->{conf} = $slow->directives(Timeout => 500);
  $service->start_httpd;
  is_undetermined('no answer in time', 'timeout');
};

subtest 'files that do not fit together' => sub {
  $service->stop_httpd;
  my $authority = $provider->{authority};
  for ([KeyFile => $authority->path(qw(forger key)), qr/is not the key of/],
      [Signer => $authority->path(qw(client key)), qr/contains neither a public key/],
      [Name => undef, qr/needs VerifyLivenessProviderName/]) {
    my ($name, $word, $complaint) = @$_;
    $service->{conf} = $provider->directives($name => $word);
    ok !eval { $service->start_httpd; 1 }, "$name is refused";
    like $@, $complaint, '... with the reason';
  }
};
finish($service);
