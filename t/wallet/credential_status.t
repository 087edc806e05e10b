# A document that its issuer has revoked, in a wallet, from what it shows to what the
# customer is told: the issuer's list is fetched when it is needed, and of a list that
# could not be had, or says nothing for certain, the workflow says what follows.
use v5.32;
use warnings;
use FindBin;
use IO::Socket::INET;
use JSON::PP ();
use MIME::Base64 qw(decode_base64);
use POSIX ();
use lib "$FindBin::Bin/../lib";
use Verify::Test;
use Verify::WalletTest;

my $test = Verify::WalletTest->start;
my ($service, $authority, $wallet, $shop) =
  @$test{qw(service authority wallet organization)};
my $folder = "$service->{directory}/issuers";
my $receiver = $service->receiver;
my $endpoint = answer_is($shop->{client}->post('/v1/webhook_endpoints',
  {url => $receiver->url('/shop'), enabled_events => ['*']}), 201, 'an endpoint');
$receiver->expect_secret('/shop', $endpoint->{secret});

# A publisher, which answers with the file of the name that is asked for.
my $listener = IO::Socket::INET->new(Listen => 8, LocalAddr => '127.0.0.1')
  or die "listen: $!\n";
my $address = 'http://127.0.0.1:' . $listener->sockport;
my $publisher = fork // die "fork: $!\n";
if (!$publisher) {
  while (my $client = $listener->accept) {
    my $line = <$client> // '';
    while (defined(my $header = <$client>)) { last if $header =~ /\A\r?\n\z/ }
    my ($name) = $line =~ m{\AGET /(\w+) };
    Verify::Authority::write_bytes("$folder/$name.asked", '') if $name;
    my $body = $name && -e "$folder/$name.cwt"
      ? Verify::Authority::bytes_of("$folder/$name.cwt") : undef;
    print $client defined $body
      ? "HTTP/1.1 200 OK\r\nContent-Length: " . length($body) . "\r\n"
        . "Connection: close\r\n\r\n$body"
      : "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    close $client;
  }
  POSIX::_exit(0);
}
# Also when the test dies: what it started would keep its output open.
my $owner = $$;
END {
  if ($publisher && $owner == $$) {
    local $?;
    kill TERM => $publisher;
    waitpid $publisher, 0;
  }
}

$authority->signer('lists', 'iaca', '1.3.6.1.5.5.7.3.30');
$authority->authority('foreign_iaca');
$authority->signer('foreign', 'foreign_iaca', '1.3.6.1.5.5.7.3.30');
# What the list NAME says, signed by the issuer's signer of lists or another.
sub publish {
  my ($name, %says) = @_;
  my $list = $wallet->does('status_list', uri => $says{uri} // "$address/$name",
    issuer => $test->issuer(delete $says{by} // 'lists'), %says);
  Verify::Authority::write_bytes("$folder/$name.cwt", decode_base64($list->{bytes}));
}
publish('statuses', statuses => [0, 1, 2, 3]);
publish('identifiers', identifiers => ['gone']);
publish('foreign', statuses => [1], by => 'foreign');
publish('ended', statuses => [1], expires_in => -60);
publish('moved', statuses => [1], uri => "$address/statuses");
Verify::Authority::write_bytes("$folder/broken.cwt", "no list\n");

# One attempt, so that what follows is an outcome.
sub workflow {
  my (%options) = @_;
  return $service->publish($shop->{id}, Verify::WalletTest::workflow(nodes => {
    id => {type => 'methods', methods => ['mdl'], max_attempts => 1,
      next => {passed => 'granted', exhausted => 'denied'}},
    granted => {type => 'outcome', status => 'verified'},
    denied => {type => 'outcome', status => 'failed'}}, %options))->{id};
}
my $with_review = workflow();

# A session in which the wallet shows the document NAME, which names STATUS, and its
# status then as the person sees it.
sub show {
  my ($name, $status, $workflow) = @_;
  $test->issue($name, status => $status);
  my $session = $test->session(workflow_id => $workflow // $with_review);
  my $answer = $test->answer_by_link($session, documents => [$name]);
  answer_is($test->come_back($session, $answer->{body}{redirect_uri}), 200)
    if $answer->{status} == 200;
  $session->{answered} = $answer->{status};
  wait_for { $test->status($session) !~ /^(?:pending|processing)$/ };
  return $session;
}
sub at { return {uri => "$address/$_[0]", idx => $_[1]} }

sub view { answer_is($_[0]{person}->get($_[0]{path}), 200, 'the widget asks') }

# The check of the document's status in the only decision of SESSION.
sub check_of {
  my ($session) = @_;
  my $decisions = $service->verifyctl('session', 'explain', $session->{id})
    ->{decisions};
  is scalar @$decisions, 1, 'explained: one decision';
  my @checks = @{$decisions->[0]{checks}};
  my @others = grep { $_->{result} ne 'passed' && $_->{check} ne 'credential_status' }
    @checks;
  is_deeply \@others, [], '... in which nothing else is amiss';
  my ($check) = grep { $_->{check} eq 'credential_status' } @checks;
  return join ' ', grep { defined } @$check{qw(result reason)};
}

# What the customer's endpoint was told of SESSION's end.
sub told {
  my ($session, $type) = @_;
  my ($request) = $receiver->wait_for_request(sub {
    my $event = $_[0]{event} or return 0;
    return $event->{type} eq "verification_session.$type"
      && $event->{data}{object}{id} eq $session->{id};
  });
  ok $request && !$request->{fault}, "the customer is told that it is $type";
  return $request->{event}{data}{object};
}

subtest 'what the issuer says is good passes' => sub {
  for my $status (at(statuses => 0), {uri => "$address/identifiers", id => 'here'}) {
    my $session = show('good', $status);
    is view($session)->{status}, 'verified', 'verified' or diag explain
      $test->retrieve($session);
    is check_of($session), 'passed', '... because the list was read';
    ok told($session, 'verified')->{verification_result}{age_verified}, '... of age';
  }
};

# Whoever has seen a document has the certificate of its signer, and can name any
# address below it.
subtest 'no address is called that no issuer has signed for this device' => sub {
  my %forged = (issuer => [faults => {issuer_key => 1}], holder => []);
  for my $name (sort keys %forged) {
    $test->issue("forged_$name", status => at("forged_$name", 0), @{$forged{$name}});
    my $session = $test->session(workflow_id => $with_review);
    my $answer = $test->answer_by_link($session, documents => ["forged_$name"],
      $name eq 'holder' ? (faults => {device_key => 1}) : ());
    is $answer->{status}, 400, "a document of a false $name is refused";
    ok !-e "$folder/forged_$name.asked", '... and nobody is asked about it';
  }
  ok -e "$folder/statuses.asked", 'others were asked about';
};

my %revoked = (revoked => at(statuses => 1), suspended => at(statuses => 2),
  named => {uri => "$address/identifiers", id => 'gone'});
for my $name (sort keys %revoked) {
  subtest "a document that is $name is refused" => sub {
    my $session = show($name, $revoked{$name});
    is $session->{answered}, 400, 'the wallet is told so';
    my $view = view($session);
    is $view->{status}, 'failed', 'the session has failed';
    is $view->{last_error}{code}, 'document_revoked', '... for that';
    is check_of($session), 'failed credential_revoked', '... as the list says';
    my $object = told($session, 'failed');
    is $object->{last_error}{code}, 'document_revoked', '... why';
    ok !($object->{verification_result} || {})->{age_verified}, '... and no age';
    my $text = JSON::PP->new->encode($object);
    ok $text !~ /Vera|Specimen|UT-1234567/, '... and nothing of whom it names';
  };
}

subtest 'an attempt is left for another document' => sub {
  my $session = show('revoked', at(statuses => 1), $shop->{workflow_id});
  my $view = view($session);
  is $view->{status}, 'requires_input', 'asked again';
  is $view->{last_error}{code}, 'document_revoked', '... and told why';
  my $answer = $test->answer_by_link($session, documents => ['licence']);
  answer_is($test->come_back($session, $answer->{body}{redirect_uri}), 200);
  ok wait_for { $test->status($session) eq 'verified' }, 'one that is good is taken';
};

# Never "revoked" for what is not certain, and never "good".
my %unknown = ('not there' => at(nowhere => 1), 'no list' => at(broken => 1),
  'another authority\'s' => at(foreign => 0), 'out of date' => at(ended => 0),
  'another address\'s' => at(moved => 0), 'too short' => at(statuses => 4),
  'without a meaning' => at(statuses => 3));
for my $name (sort keys %unknown) {
  subtest "of a list that is $name nothing is known" => sub {
    my $session = show('unknown', $unknown{$name});
    is view($session)->{status}, 'under_review', 'a person looks at it'
      or diag explain $test->retrieve($session);
    is check_of($session), 'undetermined credential_status_unknown', '... for that';
  };
}

subtest 'what follows is the workflow\'s choice' => sub {
  my $strict = workflow(on_undetermined => 'failed');
  my $session = show('unknown', at(nowhere => 1), $strict);
  is view($session)->{status}, 'failed', 'a refusal';
  is told($session, 'failed')->{last_error}{code}, 'document_status_unknown',
    '... which says that it is not known';
  is check_of($session), 'undetermined credential_status_unknown',
    '... and does not claim that it is revoked';
  my $again = workflow(on_undetermined => 'requires_input');
  $session = show('unknown', at(nowhere => 1), $again);
  is view($session)->{last_error}{code}, 'document_status_unknown', 'asked again'
    or diag explain view($session);
};

subtest 'a review decides' => sub {
  my %ends = (approve => 'verified', reject => 'failed');
  for my $decision (sort keys %ends) {
    my $session = show('unknown', at(nowhere => 1));
    is view($session)->{status}, 'under_review', 'a person looks at it';
    my $read = $service->verifyctl(qw(session fields), $session->{id},
      qw(--by reviewer --reason law));
    is_deeply [map { [$_->{method}, @{$_->{fields}}{qw(kind surname)}, $_->{ages}] }
      @{$read->{signed}}], [['mdl', 'mobile_driver_license', undef, {21 => JSON::PP::true}]],
      'and sees what the wallet has said' or diag explain $read;
    $service->verifyctl(qw(review decide), $session->{id}, $decision,
      qw(--by reviewer));
    told($session, $ends{$decision});
    is $service->sql_value('SELECT count(fields) FROM decision_record WHERE session_id = ?',
      $session->{id}), 0, 'which is gone with the review';
  }
};

finish($service);
