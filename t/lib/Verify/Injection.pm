package Verify::Injection;
# Attacks on the way from a camera to the service, and bona fide presentations, in the
# words of CEN/TS 18099: pictures are injected into a liveness challenge instead of
# being taken by a camera. The people are generated (Verify::Face). Used by
# t/http/method/injection.t and scripts/bench-injection.
use v5.32;
use warnings;
use Exporter 'import';
use File::Temp ();
use JSON::PP ();
use MIME::Base64 qw(encode_base64);
use Verify::Face;
use Verify::Specimen;

our @EXPORT = qw(injections bona_fide present);

my @people = qw(woman man same_woman);

# A species: what is injected, by which method, and what refuses it (a code of
# last_error, or of the response that refuses the upload; undef: nothing does).
#
#   still, frame   which picture is sent, of the name "prompt_frame" or "still"
#   pace           seconds between a prompt and its pictures
#   before         runs with the session before it begins
sub injections {
  return (
    {name => 'recorded files', method => 'upload', refused => ['replayed_frames'],
      what => 'the files of an earlier session, chosen by the prompts',
      still => sub { $_[0]{files}{still} }, frame => \&recorded, before => \&record},
    {name => 'recorded session', method => 'upload', refused => ['challenge_failed'],
      what => 'an earlier session, compressed again, in its own order',
      frame => \&in_recorded_order, before => \&record},
    {name => 'one picture', method => 'upload', refused => ['challenge_failed'],
      what => 'one picture for all, each a file of its own',
      frame => sub { anew($_[0]{pictures}{neutral_4}) }},
    {name => 'one file', method => 'upload', refused => ['replayed_frames'],
      what => 'one file for all', frame => sub { $_[0]{file} },
      before => sub { $_[0]{file} = anew($_[0]{pictures}{neutral_4}) }},
    {name => 'still replaced', method => 'upload', refused => ['person_changed'],
      what => 'a picture of another person instead of the still',
      still => sub { anew($_[0]{other}{still}) }},
    {name => 'person replaced', method => 'upload', refused => ['person_changed'],
      what => 'another person from the third prompt on',
      frame => sub { anew($_[0]{$_[2] > 2 ? 'other' : 'pictures'}{$_[1]}) }},
    {name => 'prepared answers', method => 'upload', refused => ['challenge_failed'],
      what => 'the right pictures, sooner than a head turns', pace => 0.2},
    {name => 'late answers', method => 'upload', refused => ['challenge_expired'],
      what => 'the right pictures, made after the prompt', pace => 9},
    {name => 'challenge of another', method => 'upload', refused => ['resource_missing'],
      what => 'the pictures for the challenge of another session',
      address => sub { $_[0]{victim} }, before => \&begin_elsewhere},
    {name => 'next step first', method => 'upload', refused => ['session_state_conflict'],
      what => 'pictures for a prompt that was not shown yet', skips => 1},
    {name => 'puppet', method => 'upload', refused => undef,
      what => 'pictures of the right person that follow the prompts in time'},
  );
}

# A person before a real camera, as far as the service can tell.
sub bona_fide {
  return {name => 'bona fide', method => 'camera', refused => undef,
    what => 'a person who follows the prompts'};
}

# --- pictures ---

# Another file with the same picture.
my $made = 0;
sub anew {
  my ($jpeg) = @_;
  my $comment = sprintf 'injected %d %d', $$, $made++;
  return "\xff\xd8\xff\xfe" . pack('n', 2 + length $comment) . $comment
    . substr $jpeg, 2;
}

# The pictures of FACE as a camera takes them another time: other light, place and
# compression.
my %takes;
sub another_take {
  my ($face, $seed, $noise) = @_;
  return $takes{join ' ', $face, $seed, $noise // 0} //= make_take(@_);
}
sub make_take {
  my ($face, $seed, $noise) = @_;
  my $pictures = person_before_camera($face);
  my $directory = File::Temp->newdir;
  for my $name (keys %$pictures) {
    open my $file, '>:raw', "$directory/$name.jpg" or die "$name: $!\n";
    print {$file} $pictures->{$name};
    close $file or die "$name: $!\n";
  }
  system('/usr/bin/python3', 't/lib/another_take.py', "$directory", $seed, $noise // 0) == 0
    or die "another_take.py: $?\n";
  return {map { m{([^/]+)\.jpg\z} => Verify::Specimen::read_bytes($_) }
    glob "$directory/*.jpg"};
}

# An earlier session of the same organization, passed with files that are kept.
sub record {
  my ($run) = @_;
  my (%files, @order);
  my $earlier = new_session($run->{service}, $run->{organization});
  my $answer = challenge($run, $earlier, sub {
    my ($prompt, $step) = @_;
    $order[$step - 1] = $prompt;
    return map { $files{"${prompt}_$_"} = anew($run->{pictures}{"${prompt}_$_"}) } 1 .. 4;
  }, $files{still} = anew($run->{pictures}{still}));
  die 'the recorded session: ' . $answer->body . "\n" if $answer->status >= 300;
  my $view = submit_method($run->{service}, $earlier, 'selfie_liveness');
  die "the recorded session: $view->{last_error}{code}\n" unless is_live($view);
  @$run{qw(files order)} = (\%files, \@order);
}

# A prompt that the recording lacks is answered with what comes nearest.
sub recorded {
  my ($run, $name) = @_;
  return $run->{files}{$name} // anew($run->{pictures}{$name});
}

sub in_recorded_order {
  my ($run, $name, $step) = @_;
  my ($prompt, $frame) = split /_/, $name;
  $run->{guessed}++ if $run->{order}[$step - 1] eq $prompt && $frame == 1;
  return anew($run->{again}{"$run->{order}[$step - 1]_$frame"});
}

sub begin_elsewhere {
  my ($run) = @_;
  my $victim = new_session($run->{service}, $run->{organization});
  my $answer = $run->{service}->client($victim->{client_secret})->post(
    "/v1/widget/sessions/$victim->{id}/liveness", {consent => JSON::PP::true});
  $run->{victim} = $answer->json->{id} or die 'a challenge: ' . $answer->body . "\n";
}

# --- sessions ---

# A session at its selfie.
sub new_session {
  my ($service, $organization) = @_;
  my $session = expect($organization->{client}->with->post('/v1/verification_sessions',
    {type => 'age', workflow_id => $organization->{workflow_id}, jurisdiction => 'US-VA'}));
  my $client = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}";
  expect($client->post("$path/open", {}));
  expect($client->post("$path/consent", {consent => JSON::PP::true}));
  return $session;
}

sub expect {
  my ($answer) = @_;
  die 'refused: ' . $answer->body . "\n" if $answer->status >= 300;
  return $answer->json;
}

# A workflow that begins with a selfie, after which it looks at the device and asks for
# a document.
sub workflow {
  return {name => 'Selfie first', required_age_tier => 'min_age_18', start => 'face',
    nodes => {
      face => {type => 'methods', methods => ['selfie_liveness'], max_attempts => 1,
        next => {passed => 'screen', exhausted => 'denied'}},
      screen => {type => 'checks', checks => ['device_risk'],
        next => {low => 'id', medium => 'id', high => 'id'}},
      id => {type => 'methods', methods => ['document_capture'],
        next => {passed => 'granted', exhausted => 'denied'}},
      granted => {type => 'outcome', status => 'verified'},
      denied => {type => 'outcome', status => 'failed'}}};
}

sub is_live { ($_[0]{current_method} // '') eq 'document_capture' }

# The risk signals of SESSION, which was taken for live.
sub signals_of {
  my ($organization, $session) = @_;
  my $client = $organization->{client};
  my ($item) = grep { $_->{risk_assessment_id} } @{expect($client->get(
    "/v1/verification_sessions/$session->{id}?expand[]=results"))->{results}};
  return $item ? @{expect($client->get("/v1/risk/$item->{risk_assessment_id}"))
    ->{triggered_signals}} : ();
}

# Goes through the challenge of SESSION. FRAMES_OF gives the four files of a prompt.
sub challenge {
  my ($run, $session, $frames_of, $still, %how) = @_;
  my $service = $run->{service};
  my $client = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}/liveness";
  my $answer = $client->post($path, {consent => JSON::PP::true});
  while ($answer->status < 300 && defined $answer->json->{step}) {
    my ($id, $step, $prompt) = @{$answer->json}{qw(id step prompt)};
    my $sent = $step + ($how{skips} // 0);
    Verify::Face::let_time_pass($service, $session, int(1000 * ($how{pace} // 1.7)));
    $answer = $client->put("$path/" . ($how{address} // $id) . "/steps/$sent",
      {frames => [map { encode_base64($_, '') } $frames_of->($prompt, $step)],
        $sent == 1 ? (still => encode_base64($still, '')) : ()});
  }
  return $answer;
}

# One presentation of SPECIES; the number N selects the person and the take. Returns
# the code that refused it, or '' if the person counts as live, and whether all prompts
# happened to be those of a recording.
sub present {
  my ($service, $organization, $species, $n) = @_;
  my $face = $people[$n % @people];
  my %run = (service => $service, organization => $organization, guessed => 0,
    pictures => another_take($face, 2 * $n), again => {}, other => {});
  $run{again} = another_take($face, 2 * $n + 1) if $species->{name} eq 'recorded session';
  $run{other} = another_take($face eq 'man' ? 'woman' : 'man', 2 * $n + 1)
    if $species->{name} =~ /replaced/;
  $species->{before}->(\%run) if $species->{before};
  my $session = new_session($service, $organization);
  my $frame = $species->{frame} // sub { anew($_[0]{pictures}{$_[1]}) };
  my $still = $species->{still} // sub { anew($_[0]{pictures}{still}) };
  my $answer = challenge(\%run, $session, sub {
    my ($prompt, $step) = @_;
    return map { $frame->(\%run, "${prompt}_$_", $step) } 1 .. 4;
  }, $still->(\%run), pace => $species->{pace}, skips => $species->{skips},
    address => $species->{address} && $species->{address}->(\%run));
  return $answer->json->{error}{code} if $answer->status >= 300;
  return (verdict(submit_method($service, $session, 'selfie_liveness')),
    $run{guessed} == 4);
}

sub verdict {
  my ($view) = @_;
  return is_live($view) ? '' : $view->{last_error}{code} // $view->{hint} // $view->{status};
}

1;
