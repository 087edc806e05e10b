# Trying a definition without a service: a session that nobody has is led through
# it, all ways through it are listed and held against a recomputation, and two
# definitions are compared. Needs no database, but for the comparison.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP ();
use Storable qw(dclone);
use Verify::Command;
use Verify::Rules qw(country rule write_rules);
use Verify::Test;

my $json = JSON::PP->new->utf8->canonical;
my $rules = write_rules(country('GB', {}), country('US', {alcohol_delivery =>
  rule(prohibited => JSON::PP::false, minimum_age => 21,
    allowed_methods => ['mdl'])}));
my $directory = File::Temp->newdir;

sub file {
  my ($name, $value) = @_;
  open my $out, '>', "$directory/$name" or die "$name: $!\n";
  print $out $json->encode($value);
  close $out;
  return "$directory/$name";
}
# (status, answer, standard error)
sub run {
  my (@words) = @_;
  local %ENV = (PATH => $ENV{PATH});
  my $build = $ENV{VERIFY_BUILD} // 'build';
  open my $out, '-|', "$build/verifyctl " . join(' ', map { "'$_'" } @words)
    . " 2>$directory/err </dev/null" or die "verifyctl: $!\n";
  my $text = do { local $/; <$out> };
  close $out;
  return ($? >> 8, scalar(eval { $json->decode($text) }),
    Verify::Instance::read_text("$directory/err"));
}
my %ends = (yes => {type => 'outcome', status => 'verified'},
  no => {type => 'outcome', status => 'failed'});
my $definition = {name => 'Trial', start => 'screen',
  use_case => 'alcohol_delivery', jurisdictions => ['GB', 'US'], nodes => {%ends,
    screen => {type => 'checks', checks => ['ip_analysis'],
      next => {low => 'id', medium => 'hold', high => 'no'}},
    hold => {type => 'review', timeout_hours => 10,
      next => {approved => 'id', rejected => 'no'}},
    id => {type => 'methods', methods => ['mdl', 'document_capture'],
      max_attempts => 2, next => {passed => 'face', exhausted => 'late'}},
    face => {type => 'methods', mode => 'all_of',
      methods => ['selfie_liveness', 'selfie_match'], max_attempts => 1,
      next => {passed => 'yes', exhausted => 'no'}},
    late => {type => 'review', next => {approved => 'yes', rejected => 'no'}}}};
my $workflow = file('workflow.json', $definition);

sub simulate {
  my ($scenario, @options) = @_;
  my ($status, $answer, $errors) = run('workflow', 'simulate', $workflow, '--type', 'age',
    '--jurisdiction', 'GB', '--rules', $rules, '--scenario',
    file('scenario.json', {scenario => $scenario}), @options);
  return $answer ? $answer->{steps} : $errors;
}

subtest 'a session that nobody has' => sub {
  my $steps = simulate([{input => 'open'}, {input => 'checks', risk => 'low'},
    {input => 'consent'},
    {input => 'method', method => 'document_capture', result => 'failed'},
    {input => 'method', method => 'document_capture', result => 'passed', age => 19},
    {input => 'method', method => 'selfie_liveness', result => 'passed'},
    {input => 'method', method => 'selfie_match', result => 'passed'}]);
  is_deeply [map { "$_->{input} $_->{status} " . ($_->{node} // '') } @$steps],
    ['create created ', 'open pending screen', 'checks pending id', 'consent pending id',
      'method requires_input id', 'method requires_input face',
      'method requires_input face', 'method verified yes'], 'goes its way';
  is_deeply [grep { defined $_->{error} } @$steps], [], 'is refused nothing';
  my @events = map { @{$_->{events}} } @$steps;
  is_deeply [map { $_->{type} } @events],
    [qw(verification_session.created verification_session.verified)],
    'what would be sent';
  my $body = $json->decode($events[1]{body});
  is $body->{data}{object}{status}, 'verified', '... whole';
  like $body->{id}, qr/\Aevt_0+2\z/, '... with an id that never exists';
  is $body->{data}{object}{livemode}, JSON::PP::false, '... of no money';
  ok scalar(grep { $_ eq 'count_verification' } @{$steps->[-1]{effects}}),
    'and what would be done';
};

subtest 'reviews and time' => sub {
  my $steps = simulate([{input => 'open'}, {input => 'checks', risk => 'medium'},
    {input => 'escalate'}, {input => 'wait', seconds => 35_999},
    {input => 'approve'}, {input => 'wait', seconds => 86_400}]);
  is_deeply [map { $_->{status} } @$steps[2 .. 5]],
    [qw(under_review under_review under_review requires_input)], 'is held';
  is $steps->[4]{status}, 'under_review', 'a second before its deadline it still is';
  is $steps->[6]{status}, 'expired', 'and expires later';
  $steps = simulate([{input => 'open'}, {input => 'checks', risk => 'medium'},
    {input => 'wait', seconds => 36_000}]);
  is $steps->[-1]{status}, 'failed', 'nobody decided';
  is_deeply [map { $_->{type} } @{$steps->[-1]{events}}],
    [qw(session_review.rejected verification_session.failed)], 'which is told';
};

subtest 'what a session refuses' => sub {
  my $steps = simulate([{input => 'approve'},
    {input => 'method', method => 'mdl', result => 'passed'}]);
  is $steps->[1]{error}{code}, 'session_state_conflict', 'has the error';
  is $steps->[2]{error}{code}, 'session_state_conflict', '... of the API';
  is $steps->[2]{status}, 'created', 'and changes nothing';
  like simulate([{input => 'dance'}]), qr/scenario\[0\]\.input/, 'no input';
  like simulate([{input => 'open'}, {input => 'checks'}]), qr/scenario\[1\]\.risk/,
    'half an input';
  like simulate([{input => 'open', speed => 1}]), qr/scenario\[0\]\.speed/,
    'an unknown member';
  like simulate([5]), qr/scenario\[0\]/, 'a number';
  like simulate({}), qr/scenario/, 'no list';
  like simulate([map { {input => 'open'} } 1 .. 201]), qr/at most 200/, 'too many';
};

# All ways by a plain walk over the definition.
sub ways {
  my ($nodes, $name, $usable) = @_;
  my $node = $nodes->{$name};
  return [[$name, undef]] if $node->{type} eq 'outcome';
  my @found;
  for my $exit (sort keys %{$node->{next}}) {
    next if $exit eq 'passed' && !$usable->($node);
    push @found, map { [[$name, $exit], @$_] }
      ways($nodes, $node->{next}{$exit}, $usable);
  }
  return @found;
}
sub paths {
  my ($file, $jurisdiction, @options) = @_;
  my ($status, $answer, $errors) = run('workflow', 'paths', $file, '--type', 'age',
    '--rules', $rules, @options);
  is $status, 0, "$jurisdiction is answered" or diag $errors;
  return (grep { ($_->{jurisdiction} // '') eq $jurisdiction } @$answer)[0];
}
sub words { join ' ', map { "$_->[0]:" . ($_->[1] // '') } @_ }

subtest 'all ways' => sub {
  my @expected = map { words(@$_) } ways($definition->{nodes}, 'screen', sub { 1 });
  my $paths = paths($workflow, 'GB');
  is $paths->{count}, @expected, 'are counted';
  is_deeply [sort map { words(map { [@$_{qw(node exit)}] } @{$_->{steps}}) }
    @{$paths->{paths}}], [sort @expected], 'and listed';
  is $paths->{verifying}, scalar(grep { /yes:\z/ } @expected), 'those that verify';
  is_deeply $paths->{dead_ends}, [], 'none ends for the law';
  my ($longest) = sort { $b <=> $a } map { scalar split / / } @expected;
  is scalar @{$paths->{longest}{steps}}, $longest, 'the longest';
  is $paths->{weakest}{status}, 'verified', 'the weakest that verifies';
  is $paths->{weakest}{evidence}{method}, undef, '... rests on a reviewer alone';
};

subtest 'the weakest evidence' => sub {
  my $strict = dclone($definition);
  $strict->{nodes}{id}{next}{exhausted} = 'no';
  delete $strict->{nodes}{late};
  my $paths = paths(file('strict.json', $strict), 'GB');
  is $paths->{weakest}{evidence}{method}, 'document_capture', 'is the weaker method';
  is $paths->{weakest}{evidence}{assurance}, 'decoded', '... by what an age demands';
  my $us = paths(file('strict.json', $strict), 'US');
  is $us->{weakest}{evidence}{method}, undef, 'which the law of another place';
  is_deeply $us->{dead_ends}, ['face'], '... leaves no way';
};

subtest 'more ways than can be listed' => sub {
  my %nodes = (%ends, last => {type => 'methods', methods => ['document_capture'],
    next => {passed => 'yes', exhausted => 'no'}});
  for my $i (0 .. 29) {
    my $next = $i == 29 ? 'last' : 'c' . ($i + 1);
    $nodes{"c$i"} = {type => 'checks', checks => ['ip_analysis'],
      next => {low => $next, medium => $next, high => $next}};
  }
  my $paths = paths(file('wide.json',
    {name => 'Wide', start => 'c0', nodes => \%nodes}), '');
  is $paths->{count}, 2 * 3**30, 'are counted';
  is scalar @{$paths->{paths}}, 200, 'the first are listed';
  ok $paths->{truncated}, '... which is said';
  is scalar @{$paths->{longest}{steps}}, 32, 'and the longest is known';
};

subtest 'what would change' => sub {
  my $service = Verify::Instance->start(start => 0);
  my $command = Verify::Command->new($service);
  my $organization = $service->organization->{id};
  my $id = $command->prints(['workflow', 'publish', '--org', $organization,
    $workflow])->{id};
  is_deeply $command->prints(['workflow', 'diff', $id, $workflow])->{changes}, [],
    'nothing';
  my $other = dclone($definition);
  $other->{nodes}{id}{max_attempts} = 3;
  $other->{require_email_otp} = JSON::PP::true;
  delete $other->{nodes}{hold}{timeout_hours};
  is_deeply [sort map { "$_->{change} $_->{pointer}" } @{$command->prints(
    ['workflow', 'diff', $id, file('other.json', $other)])->{changes}}],
    ['added /require_email_otp', 'changed /nodes/id/max_attempts',
      'removed /nodes/hold/timeout_hours'], 'each member by its pointer';
  $command->refuses(['workflow', 'diff', 'wf_none', $workflow], qr/No such resource/);
  $service->stop;
};

done_testing;
