# The chip of a passport, from an app's challenge to the outcome: a good one is
# verified, and each forged one refused for what is wrong with it.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use IO::Socket::INET;
use JSON::PP ();
use POSIX ();
use MIME::Base64 qw(encode_base64);
use Verify::Face;
use Verify::Passport;
use Verify::Specimen;
use Verify::Test;

my $app = 'https://apps.example.com/passport';
my $service = Verify::Instance->start(conf => "VerifyPassportApp $app\n");
my $receiver = $service->receiver;

# Where a state publishes what it has revoked: the files "clean" and "revoked".
my $lists = "$service->{directory}/lists";
my $listener = IO::Socket::INET->new(Listen => 8, LocalAddr => '127.0.0.1')
  or die "listen: $!\n";
my $publisher = fork // die "fork: $!\n";
if (!$publisher) {
  while (my $client = $listener->accept) {
    my $line = <$client> // '';
    while (defined(my $header = <$client>)) { last if $header =~ /\A\r?\n\z/ }
    my ($name) = $line =~ m{\AGET /(\w+) };
    my $body = Verify::Specimen::read_bytes("$lists/$name");
    print $client "HTTP/1.1 200 OK\r\nContent-Length: " . length($body)
      . "\r\nConnection: close\r\n\r\n$body";
    close $client;
  }
  POSIX::_exit(0);
}
my $passports = Verify::Passport->new('http://127.0.0.1:' . $listener->sockport);
mkdir $lists or die "$lists: $!\n";
for my $name (keys %{$passports->{lists}}) {
  open my $out, '>:raw', "$lists/$name" or die "$lists/$name: $!\n";
  print $out $passports->{lists}{$name};
  close $out or die "$lists/$name: $!\n";
}
my $page = do {
  my $file = "$service->{directory}/page.jpg";
  system('/usr/bin/python3', 't/lib/passport_dumps.py', '--page', $file) == 0
    or die "no page\n";
  if (!face_models_missing()) {
    open my $portrait, '>:raw', "$file.portrait.jpg" or die $!;
    print $portrait portrait_of('woman');
    close $portrait or die $!;
    system('t/lib/portrait_pages.py', 'lines', $file, $file, "$file.portrait.jpg") == 0
      or die "no portrait\n";
  }
  Verify::Specimen::read_bytes($file);
};
my ($yes, $no) = (JSON::PP::true, JSON::PP::false);
my $json = JSON::PP->new->utf8;

# An organization with a node of these settings, which trusts the issuer.
sub organization {
  my (%node) = @_;
  my $workflow = delete $node{workflow} // {};
  my $who = $service->organization(workflow => {name => 'Passport', %$workflow,
    required_age_tier => 'min_age_18', start => 'id', nodes => {
      id => {type => 'methods', methods => ['nfc_passport'], max_attempts => 2,
        accept_unknown_revocation => $yes, %node,
        next => {passed => 'granted', exhausted => 'denied'}},
      granted => {type => 'outcome', status => 'verified'},
      denied => {type => 'outcome', status => 'failed'}}});
  my $endpoint = answer_is($who->{client}->post('/v1/webhook_endpoints',
    {url => $receiver->url("/$who->{id}"), enabled_events => ['*']}), 201,
    'an endpoint');
  $receiver->expect_secret("/$who->{id}", $endpoint->{secret});
  $passports->trust($service, '--org', $who->{id});
  return $who;
}
sub create {
  my ($who, %more) = @_;
  return answer_is($who->{client}->post('/v1/verification_sessions',
    {type => 'identity', workflow_id => $who->{workflow_id},
      jurisdiction => 'DE', %more}), 201, 'a session');
}
sub retrieve {
  my ($who, $session) = @_;
  return $who->{client}->get(
    "/v1/verification_sessions/$session->{id}?expand[]=results")->json;
}
# What the webhook says of a verified session.
sub arrived {
  my ($session) = @_;
  my ($request) = $receiver->wait_for_request(sub {
    my $event = $_[0]{event} or return 0;
    return $event->{type} eq 'verification_session.verified'
      && $event->{data}{object}{id} eq $session->{id};
  });
  return $request && $request->{event}{data}{object}{verification_result};
}
sub reason_of {
  my ($who, $session, $name) = @_;
  my ($check) = grep { $_->{name} eq $name }
    @{retrieve($who, $session)->{results}[-1]{checks}};
  return $check && ($check->{passed} ? 'passed' : $check->{reason});
}

my $shop = organization(require_genuine_chip => $yes);

for my $case (qw(good rsa)) {
  subtest "$case: verified" => sub {
    my $session = create($shop);
    my $view = $passports->show($service, $session, $case);
    is $view->{status}, 'verified', 'verified' or diag explain $view;
    my $result = arrived($session);
    is $result->{method}, 'nfc_passport', 'by its chip';
    is $result->{assurance}, 'signed', 'which its issuer signed';
    is_deeply [@$result{qw(chip_passive_auth_passed chip_active_auth_passed
      identity_verified age_verified)}], [($yes) x 4], 'in all it says';
    is $service->sql_value('SELECT count(*) FROM evidence WHERE session_id = ?',
      $session->{id}), 0, 'and nothing of it is kept';
  };
}

# Case, last_error, check, reason.
my @forged = (
  [zone_altered => 'document_unverified', 'data_group_hashes',
    'data_group_hash_wrong'],
  [portrait_altered => 'document_unverified', 'data_group_hashes',
    'data_group_hash_wrong'],
  [key_swapped => 'document_unverified', 'data_group_hashes',
    'data_group_hash_wrong'],
  [cloned => 'document_unverified', 'active_authentication',
    'challenge_signature_wrong'],
  [replayed => 'document_unverified', 'active_authentication',
    'challenge_mismatch'],
  [abroad => 'document_unverified', 'issuing_state', 'issuing_state_mismatch'],
  [signer_expired => 'document_certificate_expired', 'certificate_validity',
    'document_signer_expired'],
  [document_expired => 'document_expired', 'expiry', 'expired'],
  [minor => 'under_age', 'age', 'under_age'],
);
for my $row (@forged) {
  my ($case, $code, $check, $reason) = @$row;
  subtest "$case: refused" => sub {
    my $session = create($shop);
    my $view = $passports->show($service, $session, $case);
    is $view->{status}, 'requires_input', 'an attempt is used up'
      or diag explain $view;
    is $view->{last_error}{code}, $code, "as $code";
    is reason_of($shop, $session, $check), $reason, "because of $check";
    is $view->{attempts_remaining}, 1, 'of two';
  };
}

subtest 'nobody is trusted yet: in doubt' => sub {
  my $who = organization();
  my ($list) = @{$service->verifyctl(qw(trust list --org), $who->{id})};
  $service->verifyctl(qw(trust remove), $list->{id});
  my $session = create($who, type => 'age');
  is $passports->show($service, $session, 'good')->{status}, 'under_review',
    'a person decides';
  is reason_of($who, $session, 'certificate_chain'), 'csca_unknown',
    'as the issuer is unknown';
};

# Doubts go to review, where the session would be content with the rest.
for my $row ([stranger => 'document_issuer_unknown', 'csca_unknown'],
  [namesake => 'document_issuer_unknown', 'csca_unknown'],
  [passive => 'chip_not_proven', 'chip_not_proven_genuine']) {
  my ($case, $code, $reason) = @$row;
  subtest "$case: in doubt" => sub {
    my $session = create($shop, type => 'age');
    my $view = $passports->show($service, $session, $case);
    is $view->{status}, 'under_review', 'a person decides'
      or diag explain $view;
    is $service->sql_value("SELECT results::jsonb -> -1 ->> 'error_code'
      FROM verification_session WHERE id = ?", $session->{id}), $code, $code;
    my $read = $service->verifyctl(qw(session fields), $session->{id},
      qw(--by anna --reason law));
    my ($chip, @others) = @{$read->{signed}};
    is_deeply [$chip->{method}, @{$chip->{fields}}{qw(kind surname)}, $chip->{ages}, @others,
      @$read{qw(source side fields places)}], ['nfc_passport', 'passport', 'MUSTER',
      (undef) x 5], '... who sees what the chip says' or diag explain $read;
    my $stored = $service->sql_value('SELECT fields FROM decision_record WHERE session_id = ?',
      $session->{id});
    ok $stored, '... which is kept until the decision';
    unlike $stored, qr/MUSTER/, '... and sealed';
    $service->verifyctl(qw(review decide), $session->{id}, qw(reject --by anna));
    is $service->sql_value('SELECT count(fields) FROM decision_record WHERE session_id = ?',
      $session->{id}), 0, '... and no longer';
    my $strict = create($shop);
    $view = $passports->show($service, $strict, $case);
    is $view->{status}, $case eq 'passive' ? 'under_review' : 'requires_input',
      'an identity needs a signature that is known';
    is $view->{last_error}{code}, $code, '... and is told why it is none'
      unless $case eq 'passive';
  };
}

# Names in a form that the standard does not have, signed by the state.
subtest 'a chip that deviates from the standard' => sub {
  my $count = sub { $service->client->get('/metrics')->body
    =~ /^verify_chip_deviations_total\{code="names_invalid"\} (\d+)$/m ? $1 : 0 };
  my $before = $count->();
  for (['by default' => {}, 'under_review'],
    ['review' => {on_nonconforming => 'review'}, 'under_review'],
    ['pass' => {on_nonconforming => 'pass'}, 'verified'])
  {
    my ($name, $workflow, $status) = @$_;
    my $who = organization(workflow => $workflow);
    my $session = create($who, type => 'age');
    is $passports->show($service, $session, 'deviating')->{status}, $status,
      "$name: $status";
    is reason_of($who, $session, 'names'), 'names_invalid', '... the results say why';
    like $service->script('verifyctl', qw(session explain), $session->{id}),
      qr/"names_invalid"/, '... and so does session explain';
  }
  is $count->() - $before, 3, 'each is counted';
};

subtest 'what a copy may do is the workflow\'s matter' => sub {
  my $lenient = organization();
  my $session = create($lenient);
  is $passports->show($service, $session, 'passive')->{status}, 'verified',
    'without require_genuine_chip';
  is arrived($session)->{chip_active_auth_passed}, $no,
    'which the result says';
  my $strict = organization(accept_unknown_revocation => $no);
  is $passports->show($service, create($strict), 'good')->{status},
    'under_review', 'a revocation that nobody knows is a doubt';
};

subtest 'an unreadable chip is asked for again' => sub {
  my $view = $passports->show($service, create($shop), 'without_sod');
  is $view->{status}, 'requires_input';
  is $view->{hint}, 'chip_incomplete', 'with a hint';
  is $view->{attempts_remaining}, 2, 'and no attempt less';
};

subtest 'a challenge is for one dump' => sub {
  my $session = create($shop);
  my $person = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}";
  $person->post("$path/open", {});
  $person->post("$path/consent", {consent => $yes});
  my $made = answer_is($person->post("$path/chip/challenge", {}), 200);
  is length(MIME::Base64::decode_base64($made->{challenge})), 8, 'eight bytes';
  ok $made->{expires_at} > time + 280 && $made->{expires_at} < time + 320,
    'for five minutes';
  my $dump = $json->encode($passports->dump('good', $made->{challenge}));
  my @put = ("$path/chip", $dump, 'Content-Type' => 'application/json');
  my $first = answer_is($person->put(@put), 200);
  is_deeply $first, {object => 'chip', challenge_open => $yes,
    files => [qw(COM SOD DG1 DG2 DG14 DG15)]}, 'the first has it';
  is answer_is($person->put(@put), 200)->{challenge_open}, $no,
    'the second has none';
  is Verify::Passport::submit($person, $path)->{status}, 'under_review',
    'and proves nothing by it';

  $session = create($shop);
  $person = $service->client($session->{client_secret});
  $path = "/v1/widget/sessions/$session->{id}";
  $person->post("$path/open", {});
  $person->post("$path/consent", {consent => $yes});
  $made = $person->post("$path/chip/challenge", {})->json;
  my $other = $person->post("$path/chip/challenge", {})->json;
  isnt $other->{challenge}, $made->{challenge}, 'another challenge';
  $person->put("$path/chip", $json->encode($passports->dump('good',
    $made->{challenge})), 'Content-Type' => 'application/json');
  is Verify::Passport::submit($person, $path)->{last_error}{code},
    'document_unverified', 'ends the one before';
};

subtest 'what is no dump' => sub {
  my $session = create($shop);
  my $person = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}";
  my $put = sub { $person->put("$path/chip", $_[0],
    'Content-Type' => $_[1] // 'application/json') };
  error_is $person->post("$path/chip/challenge", {}), 409,
    'session_state_conflict', undef, 'before consent there is no challenge';
  $person->post("$path/open", {});
  $person->post("$path/consent", {consent => $yes});
  error_is $person->post("$path/submissions", {method => 'nfc_passport'}), 400,
    'parameter_invalid', 'method', 'no chip was sent yet';
  error_is $put->('{"DG3":"AAAA"}'), 400, 'parameter_invalid', 'DG3',
    'fingerprints are refused';
  error_is $put->('{"DG4":"A","SOD":7}'), 400, 'parameter_invalid', 'DG4',
    'unread';
  error_is $put->('{"DG1":"AAA"}'), 400, 'parameter_invalid', 'DG1',
    'broken base64';
  for my $unused (qw(DG7 DG12 DG16)) {
    error_is $put->(qq({"$unused":"AAAA"})), 400, 'parameter_invalid', $unused,
      'a data group that is not used';
    like $put->(qq({"$unused":"AAAA"}))->json->{error}{message}, qr/Omit it from the dump/,
      '... which says what to do';
  }
  error_is $put->('{"DG17":"AAAA"}'), 400, 'parameter_invalid', undef,
    'an unknown member';
  like $put->('{"DG17":"AAAA"}')->json->{error}{message}, qr/COM, SOD, DG1, .*DG15, AAChallenge/,
    '... with those that there are';
  error_is $put->('[]'), 400, 'parameter_invalid', undef, 'no object';
  error_is $put->('{}', 'text/plain'), 415, 'unsupported_media_type';
  error_is $put->('{"DG2":"' . 'A' x (512 * 1024) . '"}'), 413,
    'body_too_large', undef, 'more than 512 KiB';
  error_is $person->post("$path/submissions",
    {method => 'nfc_passport', images => ['front']}), 400, 'parameter_invalid',
    'images', 'a chip has no images';
  error_is $person->post("$path/chip/apdu", {}), 409, 'session_state_conflict',
    undef, 'no relay without a dump';
  my $stranger = create($shop);
  error_is $service->client($stranger->{client_secret})->post(
    "$path/chip/challenge", {}), 401, 'client_secret_invalid', undef,
    'another session\'s secret';
};

# The page first, then the chip of CASE, in one session.
sub show_both {
  my ($who, $case) = @_;
  my $session = create($who, type => 'age');
  my $view = show_pictures($service, $session, $page);
  is $view->{status}, 'requires_input', 'the page was read' or diag explain $view;
  is_deeply $view->{methods}, ['nfc_passport'], 'the chip is asked for';
  return ($session, $passports->show($service, $session, $case));
}
subtest 'the chip and the page are compared' => sub {
  my $both = organization(methods => [qw(document_capture nfc_passport)],
    mode => 'all_of');
  my ($session, $view) = show_both($both, 'page');
  is $view->{status}, 'verified', 'one passport' or diag explain $view;
  is reason_of($both, $session, 'printed_zone'), 'passed', 'both agree';
  $both = organization(methods => [qw(document_capture nfc_passport)],
    mode => 'all_of');
  ($session, $view) = show_both($both, 'good');
  is $view->{last_error}{code}, 'document_unverified', 'two passports';
  is reason_of($both, $session, 'printed_zone'), 'printed_zone_mismatch',
    'do not';
};

subtest 'an app takes the session over' => sub {
  my $session = create($shop);
  my $page = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}";
  $page->post("$path/open", {});
  my $view = answer_is($page->post("$path/consent", {consent => $yes}), 200);
  is_deeply $view->{passport_apps}, [$app], 'the page knows the app';
  error_is $page->post("$path/handoff", {app => 1}), 400, 'parameter_invalid',
    'app', 'and no other';
  my $offer = answer_is($page->post("$path/handoff", {app => 0}), 200);
  like $offer->{url}, qr/\A\Q$app\E#handoff=[\w-]+&service=https?:/,
    'a link to the app, with the token and the service';
  my ($token) = $offer->{url} =~ /handoff=([\w-]+)/;
  my $taken = answer_is($service->client->post('/v1/widget/handoffs',
    {token => $token, pairing => $offer->{pairing}}), 200, 'the app has it');
  error_is $page->post("$path/chip/challenge", {}), 409,
    'session_locked_to_other_device', undef, 'the page has it no more';
  my $reader = $service->client($taken->{client_secret});
  my $made = answer_is($reader->post("$path/chip/challenge", {}), 200);
  $reader->put("$path/chip", $json->encode($passports->dump('good',
    $made->{challenge})), 'Content-Type' => 'application/json');
  is Verify::Passport::submit($reader, $path)->{status}, 'verified',
    'the app submits';
  is $page->get($path)->json->{status}, 'verified', 'and the page sees it';
};

# Each as often as a person may need it in a quarter of an hour, and no oftener.
subtest 'limits of a session' => sub {
  my $session = create($shop);
  my $person = $service->client($session->{client_secret});
  my $path = "/v1/widget/sessions/$session->{id}";
  $person->post("$path/open", {});
  $person->post("$path/consent", {consent => $yes});
  my $dump = $json->encode($passports->dump('good'));
  my %does = (challenges => sub { $person->post("$path/chip/challenge", {}) },
    chips => sub { $person->put("$path/chip", $dump,
      'Content-Type' => 'application/json') });
  for my $what (sort keys %does) {
    my $done = grep { $does{$what}->()->status == 200 } 1 .. 30;
    is $done, 30, "thirty $what";
    my $refused = $does{$what}->();
    error_is $refused, 429, 'rate_limit_exceeded', undef, '... and no more';
    like $refused->json->{error}{message}, qr/too many .*$what/i, '... says which';
    cmp_ok $refused->header('Retry-After'), '>', 0, '... and until when';
  }
};

subtest 'what the state has revoked' => sub {
  my $strict = organization(accept_unknown_revocation => $no);
  my $ends = sub {
    my ($case, $status, $reason) = @_;
    my $session = create($strict);
    my $view = $passports->show($service, $session, $case);
    is $view->{status}, $status, "$case: $status" or diag explain $view;
    is reason_of($strict, $session, 'certificate_revocation'), $reason,
      "... as the list says";
    return $session;
  };
  my $session = $ends->('published', 'verified', 'passed');
  my ($decision) = @{$service->verifyctl('session', 'explain', $session->{id})
    ->{decisions}};
  is_deeply [map { $_->{kind} } grep { $_->{kind} =~ /list/ } @{$decision->{basis}}],
    [qw(trust_list revocation_list)], 'and the decision names it';
  $ends->('revoked', 'requires_input', 'document_signer_revoked');
  $ends->('good', 'under_review', 'revocation_unknown');
  ok !eval { $service->verifyctl(qw(trust crl --org), $strict->{id},
    "$lists/namesake") }, 'a list of somebody else with the same name';
  like $@, qr/not signed by a trusted and valid authority/, '... is refused';
  ok !eval { $service->verifyctl(qw(trust crl --org), $strict->{id},
    "$service->{directory}/csca.pem") }, 'so is what is no list';
  like $@, qr/not a certificate revocation list/, '... and told';
  my $kept = $service->verifyctl(qw(trust crl --org), $strict->{id}, "$lists/revoked");
  is $kept->{revoked}, 1, 'a list that an operator has';
  is scalar @{$kept->{authorities}}, 1, '... is kept for its authority';
  is $service->sql_value("SELECT count(*) FROM operator_action
    WHERE entry::jsonb ->> 'action' = 'trust crl' AND organization_id = ?",
    $strict->{id}), 1,
    '... which is recorded once, and not what was refused';
  my ($listed) = @{$service->verifyctl(qw(trust crls))};
  is $listed->{authority}, $kept->{authorities}[0], '... listed';
  is $listed->{next_update}, $kept->{next_update}, '... with its end';
  like $listed->{issuer}, qr/C=/, '... and its issuer';
  my $told = sub {
    my ($ends_in) = @_;
    $service->sql('UPDATE revocation_list SET ends_at = ? WHERE ends_at IS NOT NULL',
      1000 * (time + $ends_in)) if defined $ends_in;
    return map { $_->{status} } grep { $_->{kind} eq 'revocation_list'
      && $_->{id} eq $listed->{authority} } @{$service->verifyctl(qw(trust status))};
  };
  $told->(20 * 86400);
  is_deeply [$told->()], [], 'nothing is told of it long before its end';
  is_deeply [$told->(2 * 86400)], ['due'], '... but two days before';
  is_deeply [$told->(-60)], ['overdue'], '... and after';
  $service->verifyctl(qw(trust crl --org), $strict->{id}, "$lists/revoked");
  is_deeply [$told->()], [grep { $_ } $kept->{next_update} < time + 3 * 86400 && 'due'],
    'another import is what counts then';
  $ends->('good', 'verified', 'passed');
  # The older of two editions that are both in force would hide it.
  $ends->('revoked', 'requires_input', 'document_signer_revoked');
};

kill TERM => $publisher;
waitpid $publisher, 0;
finish($service);
