# Names that others read have one rule, whoever gives them and by whichever way: nothing in
# them turns the text around them or shows nothing.
use v5.32;
use warnings;
use utf8;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Encode qw(encode);
use Verify::Command;
use Verify::Test;

my $service = Verify::Instance->start;
my $command = Verify::Command->new($service);
my $shop = $service->organization(sandbox => 1, workflow => 1);
my %names = ('text direction' => "\x{202e}gpj", 'an isolate' => "Shop\x{2069}",
  'a control character' => "Shop\x{9b}", 'no width' => "\x{200b}\x{2060}",
  'only a filler' => "\x{3164}");
my @ways = ([qw(org create --name)], [qw(org update), $shop->{id}, '--name'],
  [qw(app create --org), $shop->{id}, '--name'],
  ['oidc', 'client', 'create', '--org', $shop->{id}, '--workflow', $shop->{workflow_id},
    '--redirect-uri', 'https://shop.example/', '--name'],
  ['trust', 'import', $service->ca_file, '--kind', 'iaca', '--name']);
for my $way (@ways) {
  my @words = @$way;
  for my $kind (sort keys %names) {
    my ($status, $output, $errors) = $command->run(@words, encode('UTF-8', $names{$kind}));
    isnt $status, 0, "@words[0, 1]: $kind";
    like $errors, qr/name\b.*(?:control characters|1 to \d+ characters)/s, '... and why' or diag $errors;
  }
  my ($status, undef, $errors) = $command->run(@words, encode('UTF-8', 'Café שלום'));
  is $status, 0, "@words[0, 1]: a name" or diag $errors;
}

finish $service;
