package Verify::InjectionPages;
# Injection attacks within Chromium: the page of the widget runs, and what it takes for
# a camera or for a picture comes from somewhere else. See Verify::Injection.
use v5.32;
use utf8;
use warnings;
use Browser;
use Exporter 'import';
use File::Temp ();
use JSON::PP ();
use MIME::Base64 qw(encode_base64);
use Time::HiRes qw(sleep time);
use Verify::Injection ();

our @EXPORT = qw(page_injections present_page);

my $patience = 60;    # seconds for a challenge and its analysis
my @prompts = qw(left up neutral down);    # of the recorded session

sub page_injections {
  return (
    {name => 'virtual camera', method => 'camera', refused => ['challenge_failed'],
      what => 'an earlier session as a virtual camera', arguments => \&virtual_camera},
    {name => 'drawn picture', method => 'page', refused => ['challenge_failed'],
      what => 'getUserMedia gives a canvas with one picture', script => \&drawn,
      names => ['still']},
    {name => 'replaced picture', method => 'page', refused => ['replayed_frames'],
      what => 'toDataURL gives one prepared file', script => \&replaced},
    {name => 'drawn puppet', method => 'page', refused => undef,
      what => 'getUserMedia gives a canvas that follows the prompts',
      script => \&drawn, names => undef},
  );
}

# A Motion JPEG of a recorded session, 30 pictures a second, in which no picture is
# followed by the same one.
sub virtual_camera {
  my ($face, $n, $directory) = @_;
  my @takes = map { Verify::Injection::another_take($face, 2 * $n, $_) } 0 .. 2;
  my $count = 0;
  my $show = sub { my ($name, $pictures) = @_;
    return join '', map { $takes[$count++ % @takes]{$name} } 1 .. $pictures };
  open my $file, '>:raw', "$directory/camera.mjpeg" or die "camera.mjpeg: $!\n";
  print {$file} $show->('still', 60);
  for my $prompt (@prompts) {
    print {$file} map({ $show->("${prompt}_$_", 6) } 1 .. 3), $show->("${prompt}_4", 70);
  }
  close $file or die "camera.mjpeg: $!\n";
  return ('--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream',
    "--use-file-for-fake-video-capture=$directory/camera.mjpeg");
}

sub base64_of { return {map { $_ => encode_base64($_[0]{$_}, '') } keys %{$_[0]}} }

# A canvas in the place of the camera: the picture "still", or those of the prompt that
# the page shows.
sub drawn {
  my ($pictures) = @_;
  return 'const files = ' . JSON::PP->new->encode(base64_of($pictures)) . ';' . <<'JS';
const prompts = { '←': 'left', '→': 'right', '↑': 'up', '↓': 'down', '●': 'neutral' };
const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
navigator.mediaDevices.getUserMedia = async () => {
  const pictures = {};
  for (const [name, file] of Object.entries(files))
    pictures[name] = await createImageBitmap(new Blob([bytes(file)]));
  const canvas = Object.assign(document.createElement('canvas'),
    { width: 640, height: 640 });
  const context = canvas.getContext('2d');
  let shown = '', since = 0;
  setInterval(() => {
    const arrow = document.querySelector('.direction')?.textContent || '';
    if (arrow !== shown) [shown, since] = [arrow, performance.now()];
    const part = Math.min(4, 1 + Math.floor((performance.now() - since) / 250));
    context.drawImage(pictures[`${prompts[shown]}_${part}`] || pictures.still, 0, 0);
    for (let i = 0; i < 300; i++) { // the noise of a camera
      context.fillStyle = `rgb(${Math.random() * 255},90,90)`;
      context.fillRect(Math.random() * 640, Math.random() * 40, 2, 2);
    }
  }, 50);
  return canvas.captureStream(20);
};
JS
}

# Whatever the camera shows, the page sends one picture.
sub replaced {
  my ($pictures) = @_;
  return 'const file = ' . JSON::PP->new->allow_nonref->encode(
    'data:image/jpeg;base64,' . encode_base64($pictures->{neutral_4}, '')) . ';' . <<'JS';
HTMLCanvasElement.prototype.toDataURL = () => file;
JS
}

# One presentation of SPECIES. Returns the code that refused it, or '' if the person
# counts as live, and the risk signals of a person who does.
sub present_page {
  my ($service, $organization, $species, $n) = @_;
  my $face = (qw(woman man same_woman))[$n % 3];
  my $directory = File::Temp->newdir;
  my $browser = Browser->start(width => 390, height => 844, arguments => [
    $species->{arguments} ? $species->{arguments}->($face, $n, "$directory")
      : qw(--use-fake-ui-for-media-stream --use-fake-device-for-media-stream)]);
  if ($species->{script}) {
    my $pictures = Verify::Injection::another_take($face, 2 * $n);
    $pictures = {map { $_ => $pictures->{$_} } @{$species->{names}}} if $species->{names};
    $browser->chromium('Page.addScriptToEvaluateOnNewDocument',
      source => $species->{script}->($pictures));
  }
  my $session = Verify::Injection::expect($organization->{client}->with->post(
    '/v1/verification_sessions', {type => 'age', jurisdiction => 'US-VA',
      workflow_id => $organization->{workflow_id}}));
  $browser->go($service->base_url_tls
    . "/verify/$session->{id}#$session->{client_secret}");
  $browser->wait_until_shown('[data-screen=consent]');
  $browser->click('#agree');
  $browser->click('#open-camera');
  $browser->wait_until_shown('#begin:enabled');
  $browser->click('#begin');
  my $code = outcome($service, $session, $browser);
  $browser->stop;
  return ($code, $code eq '' ? Verify::Injection::signals_of($organization, $session) : ());
}

# Waits for the decision, or until the page asks to begin again.
sub outcome {
  my ($service, $session, $browser) = @_;
  my $client = $service->client($session->{client_secret});
  my $end = time + $patience;
  while (time < $end) {
    my $view = $client->get("/v1/widget/sessions/$session->{id}")->json;
    return Verify::Injection::verdict($view) if Verify::Injection::is_live($view)
      || $view->{status} =~ /\A(?:failed|requires_input)\z/;
    return 'challenge_expired' if $browser->find('[data-screen=selfieStart]');
    sleep 0.2;
  }
  return 'no_response';
}

1;
