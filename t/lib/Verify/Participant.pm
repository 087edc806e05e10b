package Verify::Participant;
# Organizations that take part in trust reuse, and persons who consent to it.
# The service needs "VerifyTestIssuers on".
use v5.32;
use warnings;
use Exporter 'import';
use JSON::PP ();
use Verify::Specimen;

our @EXPORT = qw(sharing_workflow participant create_session verify_sharing);
my $yes = JSON::PP::true;

sub sharing_workflow {
  return {name => 'Trust', trust_reuse => {accept => $yes}, start => 'id', @_,
    nodes => {id => {type => 'methods', methods => ['document_capture'],
        next => {passed => 'yes', exhausted => 'no'}},
      yes => {type => 'outcome', status => 'verified'},
      no => {type => 'outcome', status => 'failed'}}};
}

# A sandbox organization with an application that takes part; `app` is the
# client of its key.
sub participant {
  my ($service, %options) = @_;
  my $self = $service->organization(sandbox => 1,
    workflow => sharing_workflow(), %options);
  my $app = $service->verifyctl(qw(app create --org), $self->{id}, qw(--name App));
  $self->{app_id} = $app->{id};
  $self->{app} = $service->client(
    $service->key($self->{id}, 'secret', '--app', $app->{id}));
  $self->{app}->patch('/v1/trust_reuse/settings',
    {enabled => $yes, accept_liability => $yes});
  return $self;
}

# The answer to a creation by the application of $who, or by `client`.
sub create_session {
  my ($who, %more) = @_;
  return (delete $more{client} // $who->{app})->post(
    '/v1/verification_sessions', {type => 'age', jurisdiction => 'US-CA',
      workflow_id => $who->{workflow_id}, %more});
}

# A person verified at $who who agrees to share: the session, and the widget's
# last view.
sub verify_sharing {
  my ($service, $who, %person) = @_;
  my $session = create_session($who, %person)->json;
  return ($session, show_specimen($service, $session, share => $yes));
}

1;
