# Pictures that were not taken by a camera for this challenge: what binds them to it.
# scripts/bench-injection measures the same attacks, and those in a browser.
use v5.32;
use warnings;
use Verify::Face;
use Verify::Injection;
use Verify::Test;

plan skip_all => $_ for face_models_missing() // ();

my $service = Verify::Instance->start(settings => "VerifyTestIssuers on\n");
my $organization = $service->organization(sandbox => 1,
  workflow => Verify::Injection::workflow());

my ($code) = present($service, $organization, bona_fide(), 0);
is $code, '', 'a person who follows the prompts';
for my $species (injections()) {
  my ($code, $guessed) = present($service, $organization, $species, 1);
  my $refused = $species->{refused};
  is $code, $refused && !$guessed ? $refused->[0] : '',
    "$species->{name}: $species->{what}" . ($refused ? '' : ' (not detected)');
}

subtest 'what the page says about the camera' => sub {
  my $submit = sub {
    my ($virtual) = @_;
    my $session = Verify::Injection::new_session($service, $organization);
    take_challenge($service, $session, person_before_camera('woman'));
    my $client = $service->client($session->{client_secret});
    my $path = "/v1/widget/sessions/$session->{id}";
    answer_is($client->post("$path/submissions", {method => 'selfie_liveness',
      defined $virtual ? (virtual_camera => $virtual) : ()}), 200);
    wait_for { Verify::Injection::is_live($client->get($path)->json) } 40;
    return scalar grep { $_ eq 'virtual_camera' }
      Verify::Injection::signals_of($organization, $session);
  };
  ok $submit->(JSON::PP::true), 'is a risk signal of a session that passes';
  ok !$submit->(JSON::PP::false), 'unless it is a camera';
  ok !$submit->(undef), '... or says nothing';
};

finish($service);
