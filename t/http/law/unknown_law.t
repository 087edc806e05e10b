# What is not known of the law never passes silently: the compliance check says so, and
# VerifyComplianceUnknown decides what becomes of a session, for products of which nothing
# is known and for countries without rules.
use v5.32;
use warnings;
use File::Temp ();
use JSON::PP ();
use Verify::Rules qw(country rule write_rules @products);
use Verify::Test;

my @held = qw(firearms cannabis_dispensary cannabis_delivery gambling_online
  gambling_in_person adult_content);
my %held = map { $_ => 1 } @held;
my %nothing = map { $_ => rule(prohibited => 'unknown', minimum_age => 'unknown') } @products;
my $rules = write_rules(country('AT', {%nothing}),
  country('DE', {%nothing}, regions => {
    BY => {name => 'Region', rules => {firearms => rule(prohibited => JSON::PP::false,
      minimum_age => 18)}},
  }),
  country('FR', {alcohol_delivery => rule(prohibited => JSON::PP::false,
      minimum_age => undef),
    firearms => rule(prohibited => JSON::PP::true, prohibited_reason => 'No.',
      minimum_age => 'unknown')},
    regions => {ARA => {name => 'Region', rules => {firearms => $nothing{firearms}}}}));
my $directory = File::Temp::tempdir('verify-unknown-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);
chmod 0755, $directory;
sub write_action {
  my ($action) = @_;
  open my $file, '>', "$directory/unknown.conf" or die "unknown.conf: $!\n";
  print $file $action ? "VerifyComplianceUnknown $action\n" : '';
  close $file or die "unknown.conf: $!\n";
}
write_action();
my $service = Verify::Instance->start(conf => "VerifyComplianceRules $rules\n"
  . "Include $directory/unknown.conf\n");
my $organization = $service->organization(sandbox => 1);
my $client = $organization->{client};

my %workflow = map {
  $_ => $service->publish($organization->{id}, {
    name => $_, use_case => $_, start => 'id', nodes => {
      id => {type => 'methods', methods => ['document_capture'],
        next => {passed => 'granted', exhausted => 'denied'}},
      granted => {type => 'outcome', status => 'verified'},
      denied => {type => 'outcome', status => 'failed'}}})->{id}
} @products;

sub create {
  my ($product, $jurisdiction) = @_;
  return $client->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $workflow{$product}, jurisdiction => $jurisdiction});
}
# The end of a session whose evidence passes.
sub ends {
  my ($product, $jurisdiction) = @_;
  my $created = create($product, $jurisdiction);
  return $created->json->{error}{code} if $created->status != 201;
  my $id = $created->json->{id};
  my $shown = answer_is($client->post("/v1/verification_sessions/$id/test_outcome",
    {value => 'passed'}), 200);
  return $shown->{status};
}

# Austria has rules that say nothing, Zimbabwe has none at all.
subtest 'the check says that nothing is known' => sub {
  for my $place (qw(AT ZW)) {
    my $answer = answer_is($client->get('/v1/compliance/check?use_cases='
      . join(',', @products) . "&jurisdiction=$place"), 200);
    for my $result (@{$answer->{results}}) {
      my $product = $result->{use_case};
      ok !$result->{known}, "$place, $product: is not known";
      ok !$result->{prohibited}, '... to be prohibited';
      is $result->{required_age}, undef, '... nor from which age it is lawful';
      is $result->{confidence}, 'low', '... which is no confident answer'
        if $place eq 'ZW';
    }
    ok $answer->{most_restrictive}{any_unknown}, "$place: told of all";
    is_deeply [sort @{$answer->{most_restrictive}{unknown_use_cases}}], [sort @products],
      '... by name';
  }
};

subtest 'without the directive' => sub {
  for my $place (qw(AT ZW)) {
    is ends($_, $place), $held{$_} ? 'under_review' : 'verified', "$place, $_" for @products;
  }
  is ends('firearms', 'DE-BY'), 'verified', 'a region of which it is known';
  is ends('firearms', 'DE-BE'), 'under_review', '... and another one';
  my $germany = $client->get('/v1/compliance/check?use_cases=firearms&jurisdiction=DE')
    ->json->{results}[0];
  is_deeply [@$germany{qw(known required_age)}], [JSON::PP::false, 18],
    'a country without its region demands what is certain of any';
  is ends('firearms', 'FR-ARA'), 'use_case_prohibited',
    'an unknown of a region lifts no prohibition';
  is ends('alcohol_delivery', 'FR'), 'verified', 'lawful without an age is known';
};

for (['review', 'under_review', 'under_review'],
  ['refuse', 'compliance_unknown', 'compliance_unknown'],
  ['allow', 'verified', 'verified']) {
  my ($action, $firearms, $others) = @$_;
  subtest "VerifyComplianceUnknown $action" => sub {
    write_action($action);
    $service->graceful;
    my $known = $action eq 'refuse' ? 422 : 201;
    ok wait_for { create('alcohol_delivery', 'AT')->status == $known
      && ends('social_media', 'AT') eq $others }, 'is read';
    for my $place (qw(AT ZW)) {
      is ends($_, $place), $held{$_} ? $firearms : $others, "$place, $_" for @products;
    }
    is ends('firearms', 'DE-BY'), 'verified', 'what is known is not concerned';
    is ends('firearms', 'FR'), 'use_case_prohibited', '... nor what is prohibited';
  };
}

finish($service);
