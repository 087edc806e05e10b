# Events about the law of a workflow: once for a change and for an overdue review, and
# only to endpoints that name their types.
use v5.32;
use warnings;
use JSON::PP ();
use POSIX qw(strftime);
use Verify::Rules qw(country rule write_rules);
use Verify::Test;

my $false = JSON::PP::false;
sub day { return strftime '%Y-%m-%d', gmtime time + 86400 * $_[0] }
# 18 until the day, 21 from then on, also for beer.
sub raised {
  my ($day) = @_;
  return [rule(prohibited => $false, minimum_age => 18, until => $day),
    rule(prohibited => $false, minimum_age => 21, from => $day),
    rule(article => 'beer', minimum_age => 16, until => $day),
    rule(article => 'beer', minimum_age => 18, from => $day)];
}
my ($soon, $late, $overdue) = (day(30), day(120), day(-10));
my $rules = write_rules(
  country('DE', {alcohol_delivery => raised($soon), alcohol_in_person => raised($late)}),
  country('AT', {alcohol_delivery => rule(prohibited => $false, minimum_age => 18,
    review => {by => 'Legal', on => '2025-01-01', next_due => $overdue})}),
  country('FR', {alcohol_delivery => raised($soon)}));
my $service = Verify::Instance->start(conf => "VerifyComplianceRules $rules\n");
my $receiver = $service->receiver;
my ($organization, $other) = map { $service->organization } 1, 2;

sub workflow {
  my ($of, $use_case, @places) = @_;
  return $service->publish($of->{id}, {name => "$use_case @places",
    use_case => $use_case, jurisdictions => \@places, start => 'id', nodes => {
      id => {type => 'methods', methods => ['document_capture'],
        next => {passed => 'granted', exhausted => 'denied'}},
      granted => {type => 'outcome', status => 'verified'},
      denied => {type => 'outcome', status => 'failed'}}})->{id};
}
sub endpoint {
  my ($of, $name, @types) = @_;
  return answer_is($of->{client}->post('/v1/webhook_endpoints',
    {url => $receiver->url("/$name"), enabled_events => \@types}), 201, "endpoint $name");
}
sub events {
  return @{answer_is($_[0]{client}->get('/v1/events?limit=100'), 200)->{data}};
}
# Each notice as it came to the endpoint NAME.
sub told {
  my ($name) = @_;
  my @told = sort map {
    my $object = $_->{event}{data}{object};
    join ' ', $_->{event}{type}, @$object{qw(workflow_id use_case jurisdiction notice day)};
  } $receiver->requests(sub { $_[0]{path} eq "/$name" });
  return @told;
}
# What the watchdog does when it starts, and once an hour.
sub look_anew {
  my $watchdog = $service->watchdog_pid;
  $service->graceful;
  return wait_for { ($service->watchdog_pid // $watchdog) != $watchdog };
}

my $germany = workflow($organization, 'alcohol_delivery', 'DE');
my $both = workflow($organization, 'alcohol_delivery', 'AT', 'DE');
workflow($organization, 'alcohol_in_person', 'DE');
workflow($other, 'alcohol_delivery', 'DE');
endpoint($organization, 'all', '*');
endpoint($organization, 'sessions', 'verification_session.created');
endpoint($other, 'others', '*');

look_anew();
endpoint($organization, 'changes', 'workflow_law.changes', 'verification_session.created');
look_anew();
my @changes = sort map { "workflow_law.changes $_ alcohol_delivery DE change $soon" }
  $germany, $both;
ok wait_for { told('changes') == 2 }, 'an endpoint that names the type is told';
is_deeply [told('changes')], \@changes,
  '... of each workflow once, and of nothing that is far off';
my ($first) = events($organization);
is $first->{data}{object}{object}, 'workflow_law_notice', 'an object of its own';
is_deeply [sort keys %{$first->{data}{object}}], [sort qw(object workflow_id
  workflow_version_id use_case jurisdiction notice day)], '... with its members';
is $first->{type}, 'workflow_law.changes', 'listed among the events';
is_deeply [map { $_->{data}{object}{notice} } events($organization)], [qw(change) x 2],
  '... and no review, which nobody asked for';

endpoint($organization, 'reviews', 'workflow_law.review_due');
look_anew();
ok wait_for { told('reviews') == 1 }, 'an endpoint that is added later is told';
is_deeply [told('reviews')],
  ["workflow_law.review_due $both alcohol_delivery AT review $overdue"],
  '... of the review that is overdue';
look_anew();
my $france = workflow($organization, 'alcohol_delivery', 'FR');
look_anew();
ok wait_for { told('changes') == 3 }, 'another workflow is another notice';
is_deeply [told('changes')], [sort @changes,
  "workflow_law.changes $france alcohol_delivery FR change $soon"],
  '... and what was told is not told again';
is scalar(told('reviews')), 1, '... of reviews, too';
is scalar(told($_)), 0, "nothing came to $_" for qw(all sessions others);
is scalar(events($other)), 0, 'an organization that asked for none has none';
is $service->sql_value('SELECT count(*) FROM law_announcement'), 4, 'each is noted';

finish($service);
