package Verify::Face;
# Persons before a camera, generated during tests from the public pictures that
# come with a model (scripts/fetch-models), and their actions in the widget.
use v5.32;
use warnings;
use Exporter 'import';
use File::Temp ();
use JSON::PP ();
use MIME::Base64 qw(encode_base64);
use Time::HiRes qw(sleep time);
use Verify::Made;
use Verify::Specimen;
use Verify::Wait;

our @EXPORT = qw(face_models_missing person_before_camera take_challenge
  submit_method card_with_portrait portrait_of);

my $models = $ENV{MODELS} // '.models';
my $build = $ENV{VERIFY_BUILD} // 'build';
# Faces by the picture and their number on it. The first two are one woman.
my %faces = (woman => [3, 0], same_woman => [1, 2], man => [5, 1]);
# Yaw and pitch of each prompt, in degrees.
my %poses = (left => [26, 0], right => [-26, 0], up => [0, 20], down => [0, -20],
  neutral => [0, 0]);

# Why there are no faces; nothing if there are.
sub face_models_missing {
  return if -f "$models/mobile_face_net.tflite" && -f "$models/samples/sample6.jpg";
  return "no models of faces in $models: run `make models`";
}

# Pictures of a face in the poses "name:yaw:pitch", by name.
sub pictures {
  my ($face, @poses) = @_;
  my ($sample, $number) = @{$faces{$face}};
  my $directory = File::Temp->newdir;
  my $photo = "$models/samples/sample$sample.jpg";
  open my $mesh, '>', "$directory/mesh" or die $!;
  open my $output, '-|', "$build/t/lib/face_read", $models, 'mesh', $photo or die $!;
  print {$mesh} <$output>;
  close $output or die "face_read: $?\n";
  close $mesh or die $!;
  Verify::Made::generate('/usr/bin/python3', 't/lib/face_video.py', $photo, "$directory/mesh", $number,
    "$directory", @poses);
  return jpegs_of($directory);
}

sub jpegs_of {
  return map { m{([^/]+)\.jpg\z} => Verify::Specimen::read_bytes($_) } glob "$_[0]/*.jpg";
}

# Shared by all tests and runs, until a model or the generator changes. No test
# requests them twice, so that no two pictures in a test are the same.
sub kept_pictures {
  my ($face, @poses) = @_;
  my $sample = "$models/samples/sample$faces{$face}[0].jpg";
  return jpegs_of(Verify::Made::kept({
    also => [map { Verify::Specimen::read_bytes($_) } $sample, "$build/t/lib/face_read"]},
    $^X, '-It/lib', '-MVerify::Face', '-e', 'Verify::Face::write_pictures(@ARGV)', '{}',
    $face, @poses));
}
sub write_pictures {
  my ($directory, $face, @poses) = @_;
  my %pictures = pictures($face, @poses);
  for my $name (keys %pictures) {
    open my $file, '>:raw', "$directory/$name.jpg" or die "$name: $!\n";
    print {$file} $pictures{$name};
    close $file or die "$name: $!\n";
  }
}

# A person before a camera: the still, and four pictures on the way to each
# pose. %options: `dark`. They are generated once.
my %persons;
sub person_before_camera {
  my ($face, %options) = @_;
  my $light = $options{dark} ? ':dark' : '';
  return $persons{"$face$light"} if $persons{"$face$light"};
  my @wanted = "still:0:0$light";
  for my $prompt (sort keys %poses) {
    my ($yaw, $pitch) = @{$poses{$prompt}};
    my @way = (0.2, 0.6, 0.9, 1);
    push @wanted, map { sprintf '%s_%d:%.1f:%.1f%s', $prompt, $_ + 1,
      $yaw * $way[$_], $pitch * $way[$_], $light } 0 .. $#way;
  }
  return $persons{"$face$light"} = {kept_pictures($face, @wanted)};
}

# The picture as a distinct file, with a unique comment.
my $taken = 0;
sub taken_anew {
  my ($picture) = @_;
  my $comment = sprintf '%d %d %.6f', $$, $taken++, time;
  return "\xff\xd8\xff\xfe" . pack('n', 2 + length $comment) . $comment
    . substr $picture, 2;
}

# A portrait of FACE as signed by issuers: 400 pixels a side, some 15 KB, a
# JPEG, or, by its SUFFIX, a file (jp2) or codestream (j2k) of JPEG 2000.
sub portrait_of {
  my ($face, $suffix) = @_;
  my $file = File::Temp->new(SUFFIX => '.jpg');
  my $made = File::Temp->new(SUFFIX => '.' . ($suffix // 'jpg'));
  print {$file} {pictures($face, 'portrait:0:0')}->{portrait};
  close $file or die $!;
  Verify::Made::generate('/usr/bin/python3', '-c', 'import sys; from PIL import Image; '
    . 'how = {"quality": 80} if sys.argv[2].endswith("jpg") else '
    . '{"quality_mode": "rates", "quality_layers": [32], "irreversible": True}; '
    . 'Image.open(sys.argv[1]).resize((400, 400)).save(sys.argv[2], **how)',
    $file->filename, $made->filename);
  return Verify::Specimen::read_bytes($made->filename);
}

# A document of the test issuer with the portrait of FACE; of another issuer with
# the options of Verify::Specimen::photograph().
sub card_with_portrait {
  my ($face, @options) = @_;
  my $directory = File::Temp->newdir;
  my %portrait = pictures($face, 'portrait:0:0');
  my ($code, $surname) = Verify::Specimen::photograph_and_surname(@options);
  my %files = (portrait => $portrait{portrait}, code => $code);
  for my $name (keys %files) {
    open my $file, '>:raw', "$directory/$name.jpg" or die $!;
    print {$file} $files{$name};
    close $file or die $!;
  }
  Verify::Made::generate('/usr/bin/python3', 't/lib/face_video.py', '--card', "$directory/code.jpg",
    "$directory/portrait.jpg", "$directory/card.jpg", $surname);
  return Verify::Specimen::read_bytes("$directory/card.jpg");
}

# Lets MS milliseconds pass for the face data of SESSION, without waiting.
sub let_time_pass {
  my ($service, $session, $ms) = @_;
  $service->sql('UPDATE liveness_challenge SET created_at = created_at - ?,
    arrived_at = ARRAY(SELECT a - ? FROM unnest(arrived_at) WITH ORDINALITY AS t (a, n)
      ORDER BY n) WHERE session_id = ?', $ms, $ms, $session->{id});
  $service->sql('UPDATE document_sighting SET created_at = created_at - ?
    WHERE session_id = ?', $ms, $session->{id});
}

# Completes a challenge of the session with the pictures of PERSON, at the pace
# of a moving person; returns the last answer. %options: `assisted`, `provider`,
# `pace` in seconds, which only passes in real time with `waits`, `follow` =>
# code that chooses a prompt's pictures, `same_still` sends the file of PERSON
# and no new one, `steps` are those that are answered.
sub take_challenge {
  my ($service, $session, $person, %options) = @_;
  my $client = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}/liveness";
  my $follow = $options{follow} // sub { $_[0] };
  my $answer = $client->post($path, {consent => JSON::PP::true,
    $options{provider} ? (provider => $options{provider}) : (),
    $options{assisted} ? (assisted => JSON::PP::true) : ()});
  my $take = sub { encode_base64($options{same_still} && $_[0] eq 'still'
    ? $person->{still} : taken_anew($person->{$_[0]}), '') };
  while ($answer->status < 300 && defined $answer->json->{step}
    && $answer->json->{step} <= ($options{steps} // 4)) {
    my $challenge = $answer->json;
    my $prompt = $follow->($challenge->{prompt}, $challenge->{step});
    my $body = {frames => [map { $take->("${prompt}_$_") } 1 .. 4],
      $challenge->{step} == 1 ? (still => $take->('still')) : ()};
    my $pace = $options{pace} // 1.7;
    if ($options{waits}) { sleep $pace }
    else { let_time_pass($service, $session, int($pace * 1000)) }
    $answer = $client->put("$path/$challenge->{id}/steps/$challenge->{step}",
      $body);
  }
  return $answer;
}

# Submits METHOD; returns the widget's view after the decision.
sub submit_method {
  my ($service, $session, $method) = @_;
  my $client = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}";
  my $answer = $client->post("$path/submissions", {method => $method});
  die 'submission: ' . $answer->body . "\n" unless $answer->status == 200;
  return wait_for {
    my $view = $client->get($path)->json;
    $view->{status} ne 'processing' && $view;
  } 40;
}

1;
