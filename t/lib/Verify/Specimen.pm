package Verify::Specimen;
# A person's document in the widget, through its endpoints and the real reader:
# a specimen licence of the test issuer, for which the service needs
# "VerifyTestIssuers on", and the forgeries of t/lib/forgeries.py.
use v5.32;
use warnings;
use Exporter 'import';
use File::Temp ();
use JSON::PP ();
use Verify::Made;
use Verify::Wait;

our @EXPORT = qw(show_specimen show_pictures);
my $photograph;

sub read_bytes {
  my ($file) = @_;
  open my $in, '<:raw', $file or die "$file: $!\n";
  local $/;
  return <$in>;
}

# A photograph of it; variants with the script's --born, --expires, --seed or
# --issuer.
sub photograph { return (photograph_and_surname(@_))[0] }

# The same, and the surname in the code.
sub photograph_and_surname {
  my (@options) = @_;
  my $images = File::Temp->newdir;
  Verify::Made::into("$images", '/usr/bin/python3', 't/lib/specimen_barcodes.py',
    '--each', 1, '--only', 'straight', '--issuer', 'test', @options, '{}');
  my ($file) = sort glob("$images/*.jpg"), glob("$images/*.png");
  my ($surname) = read_bytes("$images/manifest.jsonl") =~ /"surname": "([^"]+)"/
    or die "no surname\n";
  return (read_bytes($file), $surname);
}

# The forgeries by name ("bare", "front"); they show a portrait if the service
# has models for faces and searches for it.
sub forgeries {
  my $images = File::Temp->newdir;
  my $portrait = File::Temp->new(SUFFIX => '.jpg');
  require Verify::Face;
  my $has_faces = !Verify::Face::face_models_missing();
  print {$portrait} Verify::Face::portrait_of('woman') if $has_faces;
  close $portrait or die $!;
  Verify::Made::generate('/usr/bin/python3', 't/lib/forgeries.py', "$images",
    $has_faces ? "$portrait" : ());
  return map { m{([^/]+)\.\w+\z} => read_bytes($_) } glob "$images/*";
}

# Uploads a front, and perhaps a back, in a created session; returns the
# widget's view after the reading. May be called repeatedly for one session.
sub show_pictures {
  my ($service, $session, @pictures) = @_;
  my $person = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}";
  my @sides = (qw(front back))[0 .. $#pictures];
  $person->post("$path/open", {});
  $person->post("$path/consent", {consent => JSON::PP::true});
  for my $i (0 .. $#sides) {
    $person->put("$path/images/$sides[$i]", $pictures[$i], 'Content-Type' =>
      $pictures[$i] =~ /\A\x89PNG/ ? 'image/png' : 'image/jpeg');
  }
  my $answer = $person->post("$path/submissions",
    {method => 'document_capture', images => \@sides});
  die 'submission: ' . $answer->body . "\n" unless $answer->status == 200;
  return wait_for {
    my $view = $person->get($path)->json;
    $view->{status} ne 'processing' && $view;
  };
}

# Completes a created session; returns the widget's last view. %consent goes
# into the consent; `photograph`, of another specimen, is uploaded instead.
sub show_specimen {
  my ($service, $session, %consent) = @_;
  my $shown = delete $consent{photograph} // ($photograph //= photograph());
  my $person = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}";
  $person->post("$path/open", {});
  $person->post("$path/consent", {consent => JSON::PP::true, %consent});
  $person->put("$path/images/front", $shown, 'Content-Type' => 'image/jpeg');
  $person->post("$path/submissions",
    {method => 'document_capture', images => ['front']});
  return wait_for {
    my $view = $person->get($path)->json;
    $view->{status} =~ /verified|failed|under_review/ && $view;
  };
}

1;
