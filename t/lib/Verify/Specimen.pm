package Verify::Specimen;
# A specimen licence that a person shows in the widget, through its endpoints
# and the real reader. The service needs "VerifyTestIssuers on".
use v5.32;
use warnings;
use Exporter 'import';
use File::Temp ();
use JSON::PP ();
use Verify::Wait;

our @EXPORT = qw(show_specimen);
my $photograph;

# A photograph of it; of another with the script's --born or --expires.
sub photograph {
  my (@options) = @_;
  my $images = File::Temp->newdir;
  system('/usr/bin/python3', 't/lib/specimen_barcodes.py', '--each', 1,
    '--only', 'straight', @options, "$images") == 0 or die "no specimen\n";
  my ($file) = sort glob("$images/*.jpg"), glob("$images/*.png");
  open my $in, '<:raw', $file or die "$file: $!\n";
  local $/;
  return <$in>;
}

# Takes a created session to its end; returns the widget's last view. %consent
# goes into the consent; `photograph`, of another specimen, is shown instead.
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
    $view->{status} =~ /verified|failed/ && $view;
  };
}

1;
