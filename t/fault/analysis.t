# What reads documents dies while it reads one: the submission is read again
# and nobody is told of it. What takes too long to read is not read again, and
# keeps no other organization waiting.
use v5.32;
use warnings;
use File::Temp ();
use JSON::PP ();
use Verify::Made;
use Verify::Specimen;
use Verify::Test;

# Made before anything is asked: httpd ends a connection that idles meanwhile.
my $heavy = heavy_picture();
my $service = Verify::Instance->start(conf => "VerifyTestIssuers on\n");
my $organization = $service->organization(sandbox => 1, workflow => 1);
$service->allow_log(qr/IDV0320: the watchdog ended/,
  qr/IDV0351: the analysis of session|IDV0353: verify-analyze/);
my $receiver = $service->receiver;
answer_is($organization->{client}->post('/v1/webhook_endpoints',
  {url => $receiver->url, enabled_events => ['*']}), 201, 'an endpoint');

sub read_file {
  my ($file) = @_;
  open my $in, '<:raw', $file or die "$file: $!\n";
  local $/;
  return <$in>;
}
sub heavy_picture {
  my $images = File::Temp->newdir;
  Verify::Made::into("$images", 't/lib/heavy_pictures.py', '{}');
  return read_file("$images/bars.jpg");
}
my $image = Verify::Specimen::photograph();

# The zygote of verify-analyze for pictures, and its children, one for each
# submission.
sub zygote { $service->reader_pid('pictures') }
sub reader { ($service->child_pids(zygote() // return))[0] }

sub submit {
  my ($of, $picture) = @_;
  my $session = answer_is($of->{client}->post(
    '/v1/verification_sessions', {type => 'age',
      workflow_id => $of->{workflow_id}, jurisdiction => 'US-CA'}),
    201, 'a session');
  my $person = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}";
  $person->post("$path/open", {});
  $person->post("$path/consent", {consent => JSON::PP::true});
  answer_is($person->put("$path/images/front", $picture,
    'Content-Type' => 'image/jpeg'), 200, 'an image');
  is answer_is($person->post("$path/submissions",
    {method => 'document_capture', images => ['front']}), 200)->{status},
    'processing', 'it is submitted';
  return $session->{id};
}
sub metric {
  my ($name) = @_;
  return $service->client->get('/metrics')->body =~ /^verify_$name (\S+)$/m
    ? $1 : undef;
}
# Whether a picture takes all of its time is a matter of the machine.
sub outcomes_read {
  return metric('analyses_finished_total') + metric('analyses_too_long_total');
}
sub ends_well {
  my ($session) = @_;
  my $status = sub { $organization->{client}->get(
    "/v1/verification_sessions/$session")->json->{status} };
  ok &wait_for(sub { $status->() eq 'verified' }, 60), 'it is verified'
    or diag 'but ' . $status->();
  is $service->sql_value(q{SELECT count(*) FROM event WHERE object_id = ?
    AND type = 'verification_session.verified'}, $session), 1, 'once';
  is $service->sql_value('SELECT count(*) FROM analysis_job'), 0,
    'no job is left';
  ok $receiver->wait_for_request(sub {
    $_[0]{event}{data}{object}{id} eq $session
      && $_[0]{event}{type} eq 'verification_session.verified' }),
    'and the webhook arrives';
}

ok &wait_for(\&zygote), 'verify-analyze runs';
my %victims = ('the process that reads' => \&reader,
  'verify-analyze' => \&zygote, 'the watchdog' => sub { $service->watchdog_pid });
for my $victim (sort keys %victims) {
  subtest "kill -9 of $victim" => sub {
    ok &wait_for(\&zygote), 'all are there';
    my $session = submit($organization, $image);
    ok &wait_for(\&reader), 'it is being read';
    ok $service->kill_hard($victims{$victim}->()), 'killed';
    ends_well($session);
  };
}

# A submission at whose reading the process stands still, until wake().
sub hang {
  my ($of) = @_;
  my %before = map { $_ => 1 } $service->child_pids(zygote());
  my $session = submit($of, $image);
  my $reader;
  ok &wait_for(sub { ($reader) = grep { !$before{$_} }
    $service->child_pids(zygote()); $reader && kill STOP => $reader }, 30),
    '... which hangs';
  return ($session, $reader);
}
sub wake { return kill CONT => @_ }
sub status_of {
  my ($of, $session) = @_;
  return $of->{client}->get("/v1/verification_sessions/$session")
    ->json->{status};
}

# Two hang in a row: neither others of the same organization nor those of another
# wait until that is noticed, however many the node has served lately.
subtest 'readers that hang' => sub {
  my $other = $service->organization(sandbox => 1, workflow => 1);
  my $overdue = metric('analyses_overdue_total');
  my @hanging = map { [hang($organization)] } 1 .. 2;
  my @readers = map { $_->[1] } @hanging;
  my %waiting = ($other->{id} => [$other, submit($other, $image)],
    $organization->{id} => [$organization, submit($organization, $image)]);
  for my $who ($other, $organization) {
    my ($of, $session) = @{$waiting{$who->{id}}};
    ok &wait_for(sub { status_of($of, $session) eq 'verified' }, 90),
      'another person is verified';
  }
  is scalar(grep { my $pid = $_; grep { $_ == $pid } @readers }
    $service->child_pids(zygote())), 2, '... while both still hang';
  is metric('analyses_overdue_total') - $overdue, 2, '... which is counted';
  is wake(@readers), 2, 'they go on';
  for my $session (map { $_->[0] } @hanging) {
    ok &wait_for(sub { status_of($organization, $session) eq 'verified' }, 60),
      'a person whose reader had hung is verified';
  }
};

# A reader that gets none of the machine until its wall clock has run out. That says
# nothing about the pictures, so they are read again and the person does not notice.
subtest 'a reader that gets too little of the machine' => sub {
  my ($too_long, $crashed) =
    map { metric($_) } qw(analyses_too_long_total analyses_crashed_total);
  my ($session, $reader) = hang($organization);
  ok &wait_for(sub { status_of($organization, $session) ne 'processing' }, 120),
    'its wall clock runs out, and another reader takes over';
  my $after = $organization->{client}->get("/v1/verification_sessions/$session")->json;
  is $after->{status}, 'verified', 'the person is verified';
  is $after->{last_error}, undef, '... without an error';
  is scalar(grep { $_ == $reader } $service->child_pids(zygote())), 0,
    '... and the starved reader has ended';
  is metric('analyses_too_long_total'), $too_long,
    'the pictures do not count as too heavy';
  is metric('analyses_crashed_total'), $crashed + 1, 'it counts as a technical failure';
};

# Four submissions take more than their time, two at once.
subtest 'heavy pictures beside another organization' => sub {
  my $other = $service->organization(sandbox => 1, workflow => 1);
  ok &wait_for(\&zygote), 'verify-analyze runs';
  my ($read, $crashed) = (outcomes_read(), metric('analyses_crashed_total'));
  submit($organization, $heavy) for 1 .. 4;
  my $good = submit($other, $image);
  my $outcomes = sub { $service->sql_value(q{SELECT count(*) FROM verification_session
    WHERE organization_id = ? AND status = 'requires_input'}, $organization->{id}) };
  my $status = sub { $other->{client}->get("/v1/verification_sessions/$good")
    ->json->{status} };
  ok &wait_for(sub { $status->() ne 'processing' }, 120), 'the other is read';
  is $status->(), 'verified', '... well';
  cmp_ok $service->sql_value(q{SELECT count(*) FROM verification_session h,
      verification_session g
    WHERE h.organization_id = ? AND h.status = 'requires_input' AND g.id = ?
      AND h.updated_at < g.updated_at}, $organization->{id}, $good), '<=', 2,
    '... after one in each place at most';
  ok &wait_for(sub { $outcomes->() == 4 }, 240), 'all have an outcome';
  is outcomes_read() - $read, 5, '... each of them one';
  is metric('analyses_crashed_total'), $crashed, '... and none is read again';
  is $service->sql_value('SELECT count(*) FROM analysis_job'), 0,
    'no job is left';
};
finish $service;
