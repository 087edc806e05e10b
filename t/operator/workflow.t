# Faulty workflow definitions are refused by verifyctl with one line for each
# fault: its JSON pointer and what is wrong there; nothing is published.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP ();
use Storable qw(dclone);
use Verify::Test;

my $root = "$FindBin::Bin/../..";
my $service = Verify::Instance->start(start => 0);
my $directory = $service->{directory};
my $organization = $service->organization->{id};
my $json = JSON::PP->new->utf8->canonical;

# (status, standard output, lines of standard error)
sub publish {
  my ($text) = @_;
  open my $file, '>', "$directory/workflow.json" or die "workflow.json: $!\n";
  print $file $text;
  close $file;
  local %ENV = $service->environment;
  my $output = `$root/scripts/verifyctl workflow publish --org $organization \\
    $directory/workflow.json 2>$directory/err </dev/null`;
  return ($? >> 8, $output,
    split /\n/, Verify::Instance::read_text("$directory/err"));
}

my $fit = {
  name => 'Check', start => 'id', nodes => {
    id => {type => 'methods', methods => ['document_capture'],
      next => {passed => 'hold', exhausted => 'no'}},
    hold => {type => 'review', next => {approved => 'yes', rejected => 'no'}},
    yes => {type => 'outcome', status => 'verified'},
    no => {type => 'outcome', status => 'failed'}}};
my ($status, $output) = publish($json->encode($fit));
is $status, 0, 'a fit definition is published';
my $published = $json->decode($output);

# What is done to it, and the lines that answer.
my @cases = (
  ['a loop', sub { $_->{nodes}{hold}{next}{approved} = 'id' },
    qr{^/nodes/hold/next/approved: .*loop}],
  ['an unreachable node', sub {
      $_->{nodes}{island} = {type => 'outcome', status => 'failed'} },
    qr{^/nodes/island: .*reached}],
  ['an unknown method', sub { $_->{nodes}{id}{methods} = ['palm_reading'] },
    qr{^/nodes/id/methods/0: Unknown method}],
  ['a reserved method', sub {
      $_->{nodes}{id}{methods} = [qw(document_capture bank_id)] },
    qr{^/nodes/id/methods/1: .*(?:reserved|Unknown)}],
  ['self-attestation alone', sub {
      $_->{nodes}{id}{methods} = ['self_attestation'] },
    qr{^/nodes/(?:id/methods/0|yes): }],
  ['no outcome that verifies', sub {
      $_->{nodes}{yes}{status} = 'failed' }, qr{^/nodes(?:/hold/next/approved)?: }],
  ['an assurance that no method reaches', sub {
      $_->{nodes}{id}{min_assurance} = 'signed' },
    qr{^/nodes/id/min_assurance: Cannot be reached: document_capture brings}],
  ['an unknown action on a doubt', sub { $_->{on_undetermined} = 'noted' },
    qr{^/on_undetermined: Must be review}],
  ['a review of more than seven days', sub {
      $_->{nodes}{hold}{timeout_hours} = 169 },
    qr{^/nodes/hold/timeout_hours: .*168 at most}],
  ['a start that is nowhere', sub { $_->{start} = 'there' }, qr{^/start: }],
  ['an exit to nowhere', sub { $_->{nodes}{id}{next}{passed} = 'there' },
    qr{^/nodes/id/next/passed: }],
  ['a missing exit', sub { delete $_->{nodes}{id}{next}{exhausted} },
    qr{^/nodes/id/next/exhausted: }],
  ['no name', sub { delete $_->{name} }, qr{^/name: Is missing}],
  ['no start', sub { delete $_->{start} }, qr{^/start: Is missing}],
  ['no nodes', sub { delete $_->{nodes} }, qr{^/nodes: Is missing}],
  ['an unknown setting', sub { $_->{colour} = 'red' }, qr{^/colour: Unknown key}],
  ['an unknown use case', sub { $_->{use_case} = 'x' }, qr{^/use_case: }],
  ['an unknown session type', sub { $_->{session_types} = ['age', 'x'] },
    qr{^/session_types/1: }],
  ['a country that is none', sub { $_->{jurisdictions} = ['US', 'XX'] },
    qr{^/jurisdictions/1: }],
  ['no attempts', sub { $_->{nodes}{id}{max_attempts} = 0 },
    qr{^/nodes/id/max_attempts: }],
  ['a name with a slash', sub { $_->{nodes}{'a/b'} = {type => 'x'} },
    qr{^/nodes/a~1b/type: }],
  ['two faults', sub { $_->{start} = 'there'; $_->{nodes}{id}{mode} = 'some' },
    qr{^/nodes/id/mode: }, qr{^/start: }],
);
for my $case (@cases) {
  my ($name, $change, @expected) = @$case;
  my $definition = dclone($fit);
  $change->() for $definition;
  my ($refused, $printed, @lines) = publish($json->encode($definition));
  my $last = pop @lines // '';
  ok $refused == 1 && $printed eq '' && $last =~ /does not validate/,
    "$name is refused" or diag "$refused: $printed$last";
  my @missing = grep { my $line = $_; !grep { /$line/ } @lines } @expected;
  ok !@missing, 'with the place of each fault' or diag join "\n", @lines;
}

for my $text ('', '[]', '{"name": "x", "name": "y"}', '{', "\xff") {
  my ($refused, $printed, @lines) = publish($text);
  ok $refused == 1 && $printed eq '' && @lines, 'refused: ' . ($text || 'nothing')
    or diag "$refused: $printed";
}
is $service->sql_value('SELECT count(*) FROM workflow_version'), 1,
  'nothing of it was published';
is $service->sql_value('SELECT id FROM workflow_version'),
  $published->{version_id}, 'but the fit one';

finish $service;
