# The widget's endpoints, used as the widget uses them, with generated
# specimens and the real reader.
use v5.32;
use warnings;
use File::Temp ();
use JSON::PP ();
use Verify::Made;
use Verify::Test;

my $service = Verify::Instance->start(conf => "VerifyTestIssuers on\n");
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $images = File::Temp->newdir;
my $receiver = $service->receiver;
my $endpoint = answer_is($organization->{client}->post('/v1/webhook_endpoints',
  {url => $receiver->url, enabled_events => ['*']}), 201);
$receiver->expect_secret($endpoint->{secret});

sub create {
  my (%parameters) = @_;
  my $session = answer_is($organization->{client}->post(
    '/v1/verification_sessions', {type => 'age',
      workflow_id => $organization->{workflow_id}, jurisdiction => 'US-CA',
      %parameters}), 201, 'session created');
  $session->{person} = $service->client($session->{client_secret});
  $session->{path} = "/v1/widget/sessions/$session->{id}";
  return $session;
}

# A made photograph of a specimen licence.
sub specimen {
  Verify::Made::into("$images", '/usr/bin/python3', 't/lib/specimen_barcodes.py', '--each', 1,
    '--only', $_[0] // 'straight', '--issuer', 'test', '{}');
  my ($file) = sort glob("$images/*.jpg"), glob("$images/*.png");
  open my $in, '<:raw', $file or die "$file: $!\n";
  local $/;
  return <$in>;
}

sub await {
  my ($session, $condition) = @_;
  my $view;
  wait_for {
    $view = $session->{person}->get($session->{path}
      . '?wait_seconds=2&after_revision=' . ($view ? $view->{revision} : 0))->json;
    $condition->($view);
  };
  return $view;
}

subtest 'the secret' => sub {
  my $session = create();
  my $stranger = create();
  error_is($service->client('')->get($session->{path}, Authorization => undef),
    401, 'client_secret_invalid');
  error_is($stranger->{person}->get($session->{path}), 401,
    'client_secret_invalid', undef, "not another session's");
  error_is($service->client($session->{client_secret} . 'x')
    ->get($session->{path}), 401, 'client_secret_invalid');
  error_is($service->client($organization->{secret_key})->get($session->{path}),
    401, 'client_secret_invalid', undef, 'nor an API key');
};

subtest 'from the first look to verified' => sub {
  my $session = create(email => 'specimen@example.com',
    client_reference_id => 'order-1');
  my $view = answer_is($session->{person}->get($session->{path}), 200);
  is $view->{object}, 'widget_session', 'a widget session';
  is $view->{status}, 'created', 'created';
  $view = answer_is($session->{person}->post("$session->{path}/open",
    {unless_checked => JSON::PP::true}), 200);
  is $view->{status}, 'pending', 'opened';
  ok $view->{consent_required}, 'consent is asked for';
  error_is($session->{person}->put("$session->{path}/images/front", 'x',
    'Content-Type' => 'image/jpeg'), 409, 'session_state_conflict', undef,
    'no image before it');
  $view = answer_is($session->{person}->post("$session->{path}/consent",
    {consent => JSON::PP::true}), 200);
  ok $view->{consented}, 'given';
  error_is($session->{person}->post("$session->{path}/submissions",
    {method => 'document_capture', images => ['front']}), 400,
    'parameter_invalid', 'images[0]', 'an image that is not there');
  my $image = specimen();
  answer_is($session->{person}->put("$session->{path}/images/front", $image,
    'Content-Type' => 'image/jpeg'), 200, 'uploaded');
  my $sealed = $service->sql_value(
    'SELECT octet_length(sealed) FROM evidence WHERE session_id = ?',
    $session->{id});
  is $sealed, length($image) + 29, 'kept sealed';
  $view = answer_is($session->{person}->post("$session->{path}/submissions",
    {method => 'document_capture', images => ['front']}), 200);
  is $view->{status}, 'processing', 'processing';
  $view = await($session, sub { $_[0]{status} ne 'processing' });
  is $view->{status}, 'verified', 'verified' or diag explain $view;
  like $view->{vp_token}, qr/\Avpt_/, 'with a token for the person';

  my $final = answer_is($organization->{client}->get(
    "/v1/verification_sessions/$session->{id}?expand[]=results"), 200);
  is $final->{status}, 'verified', 'the server sees it';
  is $final->{verification_path}, undef, 'a fresh verification';
  ok $final->{completed_at}, 'completed';
  is scalar @{$final->{results}}, 1, 'one result';
  is $service->sql_value('SELECT count(*) FROM evidence'), 0, 'evidence purged';
  is $service->sql_value('SELECT count(*) FROM session_data_key'), 0,
    'and its key destroyed';
  is $service->sql_value('SELECT count(*) FROM person_identifier'), 1,
    'a verified person';
  my ($verified) = grep {
    $_->{type} eq 'verification_session.verified'
      && $_->{data}{object}{id} eq $session->{id}
  } map { JSON::PP::decode_json($_->{body}) } $receiver->wait_for_request(
    sub { $_[0]{body} =~ /session\.verified/ });
  my $result = $verified->{data}{object}{verification_result};
  is $result->{method}, 'document_capture', 'the webhook has the result';
  is $verified->{data}{object}{client_reference_id}, 'order-1', 'and reference';
};

subtest 'what cannot be read uses up nothing' => sub {
  my $session = create();
  $session->{person}->post("$session->{path}/open", {});
  $session->{person}->post("$session->{path}/consent",
    {consent => JSON::PP::true});
  $session->{person}->put("$session->{path}/images/front", "\xff\xd8\xffjunk",
    'Content-Type' => 'image/jpeg');
  my $before = answer_is($session->{person}->get($session->{path}), 200);
  $session->{person}->post("$session->{path}/submissions",
    {method => 'document_capture', images => ['front']});
  my $view = await($session, sub { $_[0]{status} eq 'requires_input' });
  is $view->{status}, 'requires_input', 'again, please';
  is $view->{hint}, 'unsupported_image', 'with a hint';
  is $view->{attempts_remaining}, $before->{attempts_remaining},
    'no attempt used up';
};

subtest 'uploads that are refused' => sub {
  my $session = create();
  $session->{person}->post("$session->{path}/open", {});
  $session->{person}->post("$session->{path}/consent",
    {consent => JSON::PP::true});
  error_is($session->{person}->put("$session->{path}/images/front", 'GIF89a',
    'Content-Type' => 'image/gif'), 415, 'unsupported_media_type');
  error_is($session->{person}->put("$session->{path}/images/left", 'x',
    'Content-Type' => 'image/jpeg'), 404, 'resource_missing');
  error_is($session->{person}->put("$session->{path}/images/front",
    'x' x (20 * 1024 * 1024 + 1), 'Content-Type' => 'image/jpeg'), 413,
    'body_too_large');
  is $service->sql_value('SELECT count(*) FROM evidence WHERE session_id = ?',
    $session->{id}), 0, 'nothing was kept';
};

subtest 'cancelling' => sub {
  my $session = create();
  my $view = answer_is($session->{person}->post("$session->{path}/cancel", {}),
    200);
  is $view->{status}, 'cancelled', 'by the person';
  answer_is($session->{person}->get($session->{path}), 200,
    'the outcome can still be read');
  error_is($session->{person}->post("$session->{path}/consent",
    {consent => JSON::PP::true}), 409, 'session_terminal');
  $service->sql(q{UPDATE verification_session SET
    cancelled_at = cancelled_at - 3700000, updated_at = updated_at - 3700000,
    runner = (runner::jsonb || jsonb_build_object('ended_at',
      (runner->>'ended_at')::bigint - 3700000))::json WHERE id = ?},
    $session->{id});
  error_is($session->{person}->get($session->{path}), 401,
    'client_secret_invalid', undef, 'for an hour');
};

finish($service);
