# The simulator: past sessions through another workflow, risk policy or law,
# against a recomputation that knows nothing of the service; as a job that
# survives its process, can be stopped, and writes nothing but itself.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use JSON::PP ();
use Storable qw(dclone);
use Verify::Command;
use Verify::Dashboard;
use Verify::Test;
use Verify::Wait;

my $json = JSON::PP->new->utf8->canonical;
my $own_definition = {name => 'Two steps', start => 'id', on_undetermined => 'review',
  nodes => {
    id => {type => 'methods', methods => ['document_capture'], max_attempts => 2,
      next => {passed => 'face', exhausted => 'late'}},
    face => {type => 'methods', mode => 'all_of',
      methods => ['selfie_liveness', 'selfie_match'], max_attempts => 2,
      next => {passed => 'yes', exhausted => 'no'}},
    late => {type => 'review', next => {approved => 'face', rejected => 'no'}},
    yes => {type => 'outcome', status => 'verified'},
    no => {type => 'outcome', status => 'failed'}}};
my $service = Verify::Instance->start(start => 0);
my $command = Verify::Command->new($service);
my $who = $service->organization(sandbox => 1, workflow => $own_definition);
my $screened = {name => 'Screened', start => 'screen', nodes => {
  screen => {type => 'checks', checks => ['ip_analysis'],
    next => {low => 'id', medium => 'id', high => 'no'}},
  id => {type => 'methods', methods => ['document_capture'], max_attempts => 2,
    next => {passed => 'yes', exhausted => 'no'}},
  yes => {type => 'outcome', status => 'verified'},
  no => {type => 'outcome', status => 'failed'}}};
my $screened_id = $service->publish($who->{id}, $screened)->{id};
my %role = (olga => 'auditor', rita => 'reviewer', dora => 'developer');
my $dashboard = Verify::Dashboard->prepare($service,
  map { $_ => "$role{$_} $who->{id}" } keys %role);
$service->start_httpd;
my ($olga, $rita, $dora) = map { $dashboard->client($_) } qw(olga rita dora);
my $own = "/dashboard/v1/organizations/$who->{id}";
my $sessions = '/v1/verification_sessions';
my $id = $who->{workflow_id};

# --- what the sessions go through ---

my %candidates = ('the same' => dclone($own_definition));
{
  my $one = $candidates{'one attempt'} = dclone($own_definition);
  $one->{nodes}{id}{max_attempts} = 1;
  my $three = $candidates{'three attempts'} = dclone($own_definition);
  $three->{nodes}{id}{max_attempts} = 3;
  my $strict = $candidates{'no reviews'} = dclone($own_definition);
  $strict->{on_undetermined} = 'failed';
  $strict->{nodes}{id}{next}{exhausted} = 'no';
  delete $strict->{nodes}{late};
  my $lax = $candidates{'no face'} = dclone($own_definition);
  $lax->{nodes}{id}{next}{passed} = 'yes';
  $lax->{nodes}{late}{next}{approved} = 'yes';
  delete $lax->{nodes}{face};
  my $again = $candidates{'doubts cost an attempt'} = dclone($own_definition);
  $again->{on_undetermined} = 'requires_input';
  my $chip = $candidates{'another method'} = dclone($own_definition);
  $chip->{nodes}{id}{methods} = ['nfc_passport'];
  my $checked = $candidates{'a review of all'} = dclone($own_definition);
  $checked->{nodes}{face}{next}{passed} = 'look';
  $checked->{nodes}{look} = {type => 'review', next => {approved => 'yes', rejected => 'no'}};
}

# --- the past ---

sub create {
  my (%more) = @_;
  return answer_is($who->{client}->post($sessions, {type => 'age', workflow_id => $id,
    jurisdiction => 'US-CA', %more}), 201)->{id};
}
sub show {
  my ($method, $status) = @_;
  my %value = (failed => 'verification_declined', unreadable => 'try_again');
  return sub {
    my ($session) = @_;
    answer_is($who->{client}->post("$sessions/$session/test_outcome",
      {method => $method, value => $value{$status} // $status}), 200, "$method $status");
    return [$method => $status];
  };
}
sub decide {
  my ($decision) = @_;
  return sub {
    my ($session) = @_;
    answer_is($rita->post("$own/reviews/$session/claim", {}), 200);
    answer_is($rita->post("$own/reviews/$session/decide", {decision => $decision,
      reason_code => $decision eq 'approve' ? 'person_known' : 'fraud_suspected'}), 200,
      $decision);
    return [review => $decision];
  };
}
my $cancel = sub {
  my ($session) = @_;
  answer_is($who->{client}->post("$sessions/$session/cancel"), 200, 'cancelled');
  return [left => 'cancelled'];
};
my ($document, $liveness, $match) = map { my $method = $_; sub { show($method, @_) } }
  qw(document_capture selfie_liveness selfie_match);
my @face = ($liveness->('passed'), $match->('passed'));
my @histories = (
  [$document->('passed'), @face],
  [$document->('unreadable'), $document->('passed'), @face],
  [$document->('failed'), $document->('passed'), @face],
  [$document->('failed'), $document->('failed'), decide('approve'), @face],
  [$document->('failed'), $document->('failed'), decide('reject')],
  [$document->('undetermined'), decide('approve'), @face],
  [$document->('undetermined'), decide('reject')],
  [$document->('passed'), $liveness->('failed'), $liveness->('failed')],
  [$document->('passed'), $liveness->('failed'), @face],
  [$document->('passed'), $liveness->('passed'), $match->('failed'), $match->('failed')],
  [$document->('failed'), $cancel], [$document->('passed'), $cancel], [$cancel],
  [$document->('failed'), $document->('failed'), $cancel]);
my (%history, %end);
my $shadow = answer_is($dora->post("$own/simulations", {workflow_id => $id, kind => 'shadow',
  definition => $candidates{'no reviews'}}), 201)->{id};
subtest 'the past' => sub {
  for my $history (@histories, @histories[0, 2, 3, 7]) {
    my $session = create();
    $history{$session} = [map { $_->($session) } @$history];
    my $kept = answer_is($who->{client}->get("$sessions/$session"), 200);
    $end{$session} = $kept->{status};
  }
  # As a release left it that did not record by which exit a rejection leaves.
  $service->sql(q{UPDATE verification_session
    SET runner = (runner::jsonb || '{"node": "late"}')::json
    WHERE id = (SELECT max(e.session_id) FROM review_entry e
      JOIN verification_session s ON s.id = e.session_id
      WHERE e.action = 'rejected' AND s.runner ->> 'node' = 'no')});
  is_deeply [sort keys %{{map { $_ => 1 } values %end}}], [qw(cancelled failed verified)],
    'sessions have come to all ends';
};

# --- the recomputation ---

# Goes through DEFINITION with what is left of HISTORY. DECIDED are the decisions
# that are known, by what had been shown; undef: they are found out here. Returns
# how it ends: a status, or '?' where that cannot be told.
sub recompute {
  my ($definition, $history, $decided, $asked) = @_;
  my @left = map { [@$_] } @$history;
  my ($shown, $at, %passed, $attempts) = ('', $definition->{start});
  my $own = !$asked->{others};
  return $left[0][1] if $left[0][0] eq 'left'; # it was never opened
  my $hold = sub {
    my ($kind, $reason) = @_;
    if ($own) {
      my $entry = shift @left or die 'no decision';
      return $decided->{"$kind$shown"} = $entry->[0] eq 'left' ? 'cancel' : $entry->[1];
    }
    return $decided->{"$kind$shown"};
  };
  my $enter = sub { $at = $_[0]; %passed = (); $attempts = 0 };
  $enter->($at);
  while (1) {
    my $node = $definition->{nodes}{$at};
    return $node->{status} if $node->{type} eq 'outcome';
    if ($node->{type} eq 'review') {
      my $decision = $hold->('node') // return 'under_review';
      return 'cancelled' if $decision eq 'cancel';
      $enter->($node->{next}{$decision eq 'approve' ? 'approved' : 'rejected'});
      next;
    }
    my $all = ($node->{mode} // 'any_of') eq 'all_of';
    my @asked = grep { !$passed{$_} } @{$node->{methods}};
    my ($index) = grep { my $method = $left[$_][0]; grep { $_ eq $method } @asked } 0 .. $#left;
    if (!defined $index) {
      my ($gone) = grep { $_->[0] eq 'left' } @left;
      my $state = "$shown: @asked";
      $asked->{state} = $state if $own;
      return $gone->[1] if $gone && ($own || ($asked->{state} // '') eq $state);
      return '?';
    }
    my ($method, $status) = @{splice @left, $index, 1};
    $shown .= " $method=$status";
    next if $status eq 'unreadable';
    my $doubt = $definition->{on_undetermined} // 'requires_input';
    if ($status eq 'undetermined') {
      if ($doubt eq 'review') {
        my $decision = $hold->('doubt') // return 'under_review';
        return 'cancelled' if $decision eq 'cancel';
        return 'failed' if $decision eq 'reject';
        $status = 'passed';
      }
    }
    if ($status eq 'passed') {
      $passed{$method} = 1;
      $enter->($node->{next}{passed}) if !$all || keys %passed == @{$node->{methods}};
    } elsif (++$attempts >= ($node->{max_attempts} // 3)
      || ($status eq 'undetermined' && $doubt eq 'failed')) {
      $enter->($node->{next}{exhausted});
    }
  }
}
sub expected {
  my ($definition) = @_;
  my %after;
  for my $session (keys %history) {
    my (%decided, %asked);
    my $same = recompute($own_definition, $history{$session}, \%decided, \%asked);
    $same eq $end{$session} or die "$session: $same, and it was $end{$session}";
    $after{$session} =
      recompute($definition, $history{$session}, \%decided, {%asked, others => 1});
  }
  return \%after;
}
sub simulate {
  my (%what) = @_;
  my $job = answer_is($dora->post("$own/simulations", {workflow_id => $id, %what}), 201);
  return wait_for {
    my $now = $olga->get("$own/simulations/$job->{id}")->json;
    $now->{status} =~ /\A(?:queued|running)\z/ ? undef : $now
  };
}
sub listed {
  my ($job, $result) = @_;
  return {map { $_->{session_id} => $_ } @{answer_is($olga->get(
    "$own/simulations/$job->{id}/sessions?limit=100&result=$result"), 200)->{data}}};
}

# Whether SESSION counts by ending so: verified, or cancelled after a method had
# passed.
sub is_counted {
  my ($session, $end) = @_;
  return $end eq 'verified'
    || $end eq 'cancelled' && grep { $_->[1] eq 'passed' } @{$history{$session}};
}

# Whether JOB has found what a recomputation by DEFINITION says.
sub found_ok {
  my ($job, $definition) = @_;
  my $after = expected($definition);
  my (%matrix, %count);
  for my $session (keys %end) {
    my $to = $after->{$session};
    $matrix{"$end{$session} " . ($to eq '?' ? 'null' : $to)}++;
    $count{$to eq '?' ? 'undetermined' : $to eq $end{$session} ? 'same' : 'changed'}++;
  }
  is_deeply {map { ("$_->{before} " . ($_->{after} // 'null')) => $_->{count} }
    @{$job->{matrix}}}, \%matrix, 'the matrix';
  is_deeply {map { $_ => $job->{$_} } qw(processed same changed undetermined)},
    {processed => scalar keys %end, map { $_ => $count{$_} // 0 }
      qw(same changed undetermined)}, 'the sums';
  my %listed = (%{listed($job, 'changed')}, %{listed($job, 'undetermined')});
  my %wanted = map { $_ => {object => 'workflow_replay_session', session_id => $_,
    result => $after->{$_} eq '?' ? 'undetermined' : 'changed', before => $end{$_},
    after => $after->{$_} eq '?' ? undef : $after->{$_}} }
    grep { $after->{$_} ne $end{$_} } keys %end;
  my %reasons;
  for my $session (values %listed) {
    my $reason = delete $session->{reason};
    is defined $reason, $session->{result} eq 'undetermined', 'a reason where it is needed';
    $reasons{$reason}++ if defined $reason;
  }
  is_deeply \%listed, \%wanted, 'each session';
  is_deeply {map { $_->{reason} => $_->{count} } @{$job->{undetermined_reasons}}},
    \%reasons, 'the reasons';
  my $before = grep { is_counted($_, $end{$_}) } keys %end;
  my ($least, $most) = (0, 0);
  for my $session (keys %$after) {
    my $is_counted = is_counted($session, $after->{$session});
    $least++ if $is_counted;
    $most++ if $is_counted || $after->{$session} =~ /\A(?:under_review|[?])\z/;
  }
  is_deeply $job->{verifications}, {before => $before,
    after => {least => $least, most => $most}}, 'verifications';
  is_deeply $job->{credits}, {before => 0, after => {least => 0, most => 0}},
    'a sandbox pays nothing';
}

for my $name (sort keys %candidates) {
  subtest $name => sub {
    my $job = simulate(definition => $candidates{$name});
    is $job->{status}, 'done', 'is done' or return diag $json->encode($job // {});
    found_ok($job, $candidates{$name});
  };
}

subtest 'a shadow has found the same, while the sessions ended' => sub {
  my $job = wait_for { my $now = $olga->get("$own/simulations/$shadow")->json;
    $now->{processed} == keys %end && $now };
  is_deeply [@$job{qw(kind status ended)}], ['shadow', 'running', undef], 'and goes on'
    or return;
  found_ok($job, $candidates{'no reviews'});
  is answer_is($dora->post("$own/simulations/$shadow/stop", {}), 200)->{status}, 'stopped',
    'until it is stopped';
};

# --- the job ---

# COUNT more sessions like the first, without the requests that made them.
sub multiply {
  my ($count) = @_;
  my ($like) = grep { @{$history{$_}} == 3 && $end{$_} eq 'verified' } sort keys %end;
  $service->sql(<<'SQL', $count, $like);
    INSERT INTO verification_session
    SELECT (json_populate_record(v, json_build_object(
             'id', left(v.id, 14) || translate(left(md5(n::text), 16), 'ilou', 'zzzz')))).*
      FROM verification_session v
     CROSS JOIN generate_series(1, ?::integer) n
     WHERE v.id = ?
SQL
  return $count;
}
sub order { answer_is($dora->post("$own/simulations", {workflow_id => $id,
  definition => $candidates{'no face'}, @_}), 201)->{id} }
sub state_of { $olga->get("$own/simulations/$_[0]")->json }
sub ended { my $job = $_[0] // die 'no job'; wait_for { my $now = state_of($job); $now->{ended} && $now } 60 }

subtest 'writes nothing but itself' => sub {
  my @names = map { $_->{relname} } @{$service->sql(q{SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
      AND relname NOT IN ('workflow_replay', 'workflow_replay_session',
        'operator_action', 'operator_action_head') ORDER BY 1})};
  my $tables = sub {
    return {map {
      $_ => $service->sql_value("SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text,
        '' ORDER BY t::text)), '') FROM $_ t")
    } @names};
  };
  my $before = $tables->();
  cmp_ok scalar @names, '>', 40, 'all tables are looked at';
  is ended(order())->{status}, 'done', 'a job is done';
  is_deeply $tables->(), $before, 'and no row of another table is another';
};

# Orders jobs until one is on its way when ACTION has happened to it, whatever else
# the machine does meanwhile.
sub interrupt {
  my ($action) = @_;
  for (1 .. 20) {
    my $job = order();
    wait_for { state_of($job)->{processed} };
    my $interrupted = $action->($job);
    return $job if $interrupted;
    ended($job);
  }
  return fail('every job was faster');
}

$service->allow_log(qr/IDV0320: the watchdog ended [(]wait status 9[)]/);
subtest 'goes on where it was' => sub {
  my $all = keys(%end) + multiply(600);
  my $job = interrupt(sub {
    $service->kill_hard($service->watchdog_pid);
    my $now = state_of($_[0]);
    return !$now->{ended} && $now->{processed} > 0 && $now->{processed} < $all;
  });
  my $done = ended($job);
  is_deeply [@$done{qw(status processed progress)}], ['done', $all, 1],
    'all are counted, and each once';
  is $done->{same} + $done->{changed} + $done->{undetermined}, $all, 'in one way';
  is_deeply ended(order())->{matrix}, $done->{matrix}, 'as without an interruption';
};

subtest 'is stopped' => sub {
  my $stopped;
  my $job = interrupt(sub {
    $stopped = answer_is($dora->post("$own/simulations/$_[0]/stop", {}), 200);
    return $stopped->{status} eq 'stopped';
  });
  is ended(order())->{status}, 'done', 'another one is done meanwhile';
  is_deeply state_of($job), $stopped, 'and it has not moved';
  is_deeply answer_is($dora->post("$own/simulations/$job/stop", {}), 200), $stopped,
    'a second time changes nothing';
  my @jobs = map { order() } 1, 2;
  error_is $dora->post("$own/simulations", {workflow_id => $id,
    definition => $own_definition}), 409, 'simulation_limit_reached';
  $dora->post("$own/simulations/$_/stop", {}) for @jobs;
};

$service->sql(q{DELETE FROM verification_session WHERE NOT id = ANY (?)}, [keys %end]);

subtest 'a fault ends the job alone' => sub {
  $service->allow_log(qr/IDV0850/);
  my $whole = order();
  my $broken = $whole =~ s/.{4}\z/0000/r;
  $service->sql(<<'SQL', $broken, $whole);
    INSERT INTO workflow_replay (organization_id, id, workflow_id, compiled, law, since_at,
      until_at, position, last_position, created_by, created_at, updated_at)
    SELECT organization_id, ?, workflow_id, '{}', law, since_at, until_at,
           left(last_position, 4), last_position, created_by, created_at, updated_at
      FROM workflow_replay WHERE id = ?
SQL
  is_deeply [@{ended($broken)}{qw(status error)}], ['failed', 'internal_error'], 'fails';
  is ended($whole)->{status}, 'done', 'the other one does not';
};

# --- who may, and what is refused ---

subtest 'who may, and bad input' => sub {
  my $job = order();
  error_is $olga->post("$own/simulations", {workflow_id => $id,
    definition => $own_definition}), 403, 'operator_role_required';
  error_is $olga->post("$own/simulations/$job/stop", {}), 403, 'operator_role_required';
  ended($job);
  is $olga->get("$own/simulations?limit=1")->json->{data}[0]{id}, $job, 'the list';
  my $refused = sub {
    my ($code, $param, %what) = @_;
    error_is $dora->post("$own/simulations", {workflow_id => $id, %what}),
      {parameter_invalid => 400, resource_missing => 404, workflow_invalid => 422}->{$code},
      $code, $param;
  };
  $refused->('parameter_invalid', 'definition');
  $refused->('parameter_invalid', 'to', definition => $own_definition, from => 2, to => 2);
  $refused->('parameter_invalid', 'law', definition => $own_definition, law => 'none');
  $refused->('parameter_invalid', 'risk', definition => $own_definition, risk => {});
  $refused->('workflow_invalid', 'definition', definition => {});
  $refused->('resource_missing', undef, draft_id => 'wfd_00000000000000000000000000');
  $refused->('resource_missing', undef, definition => $own_definition,
    workflow_id => 'wf_00000000000000000000000000');
  error_is $olga->get("$own/simulations/sim_00000000000000000000000000"), 404,
    'resource_missing';
};

# --- what is not kept ---

sub only { # what becomes of these sessions of the screened workflow
  my (%what) = @_;
  my $job = ended(order(workflow_id => $screened_id, definition => $screened, %what));
  return {(map { ("$_->{before} " . ($_->{after} // 'null')) => $_->{count} }
    @{$job->{matrix}}), map { $_->{reason} => $_->{count} } @{$job->{undetermined_reasons}}};
}

subtest 'another risk.json, and what was purged' => sub {
  my $session = create(workflow_id => $screened_id);
  $service->sql(q{UPDATE verification_session SET status = 'failed', completed_at = created_at,
    runner = (runner::jsonb || '{"node": "no"}')::json, results = json_build_array(
      json_build_object('method', 'ip_analysis', 'status', 'high', 'checks', '[]'::json,
        'risk_assessment_id', 'rsk_1', 'completed_at', created_at / 1000)) WHERE id = ?},
    $session);
  $service->sql(q{INSERT INTO risk_assessment SELECT organization_id, 'rsk_1', NULL, id,
    '{"signal_details": [{"name": "ip_tor", "triggered": true, "points": 60,
        "reason": "The IP address is a Tor exit.", "metadata": {}},
      {"name": "ip_velocity", "triggered": false, "points": 0, "reason": "Nothing unusual.",
        "metadata": {"persons": 7, "limit": 10, "window_seconds": 3600}}]}', created_at
    FROM verification_session WHERE id = ?}, $session);
  open my $file, '<', "$FindBin::Bin/../../../conf/risk.json" or die $!;
  my $risk = $json->decode(join '', <$file>);
  is_deeply only(), {'failed failed' => 1}, 'the same without another one';
  $risk->{signals}{ip_tor} = 1;
  is_deeply only(risk => $risk), {'failed null' => 1, method_not_run => 1},
    'let in by another one, to a method that was not run';
  $risk->{signals}{ip_tor} = 100;
  is_deeply only(risk => $risk), {'failed failed' => 1}, 'refused by one';
  $service->sql(q{DELETE FROM risk_assessment WHERE id = 'rsk_1'});
  is_deeply only(risk => $risk), {'failed null' => 1, risk_not_kept => 1},
    'and not known once that was purged';
  is_deeply only(), {'failed failed' => 1}, 'which the level outlives';
  $service->sql(q{UPDATE verification_session SET results = NULL WHERE id = ?}, $session);
  is_deeply only(), {'failed null' => 1, record_incomplete => 1}, 'nothing of what was erased';
};

subtest 'by verifyctl' => sub {
  my $version = $olga->get("$own/workflows/$id")->json->{version_id};
  my $job = $command->prints(['simulation', 'create', '--org', $who->{id}, '--id', $id,
    '--version', $version]);
  ended($job->{id});
  my $shown = $command->prints(['simulation', 'show', $job->{id}, '--org', $who->{id}]);
  is_deeply $shown, state_of($job->{id}), 'shows what the route shows';
  is $shown->{changed}, 0, 'which changes nothing';
  is $command->prints(['simulation', 'list', '--org', $who->{id}, '--limit', 1])->[0]{id},
    $job->{id}, 'lists it';
  is_deeply $command->prints(['simulation', 'sessions', $job->{id}, '--org', $who->{id}]), [],
    'and no session';
  is $command->prints(['simulation', 'stop', $job->{id}, '--org', $who->{id}])->{status},
    'done', 'which has ended';
};

$service->stop;
finish;
