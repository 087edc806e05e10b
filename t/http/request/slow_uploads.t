# Places for images are shared, between organizations and between addresses, and
# who is too slow loses the place; on the server as it is shipped (2 children
# with 16 places each).
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use JSON::PP ();
use Verify::SlowClients;
use Verify::Test;

# Nobody is late while the shares are looked at.
my $service = Verify::Instance->start(conf => "VerifyUploadStart 120\n");
my @organizations = map { $service->organization(sandbox => 1, workflow => 1) } 1 .. 4;

sub ready {
  my ($organization) = @_;
  my $session = answer_is($organization->{client}->post(
    '/v1/verification_sessions', {type => 'age', jurisdiction => 'US-CA',
      workflow_id => $organization->{workflow_id}}), 201, 'session created');
  $session->{person} = $service->client($session->{client_secret}, timeout => 20);
  $session->{path} = "/v1/widget/sessions/$session->{id}";
  $session->{person}->post("$session->{path}/open", {});
  $session->{person}->post("$session->{path}/consent", {consent => JSON::PP::true});
  return $session;
}
sub put {
  my ($session) = @_;
  return $session->{person}->put("$session->{path}/images/front", "\xff\xd8\xff",
    'Content-Type' => 'image/jpeg');
}
sub head_of {
  my ($session, $length) = @_;
  return join "\r\n", "PUT $session->{path}/images/front HTTP/1.1", 'Host: a',
    "Authorization: Bearer $session->{client_secret}", 'Content-Type: image/jpeg',
    "Content-Length: $length", '', "\xff\xd8\xff";
}
sub metric {
  my ($name) = @_;
  my $text = $service->client->{http}->get($service->base_url . '/metrics')->{content};
  return $text =~ /^verify_$name\{kind="upload"\} ([0-9]+)$/m ? $1 : -1;
}
# Two uploads of each session, from this many addresses.
sub slow_uploads {
  my ($addresses, @sessions) = @_;
  return Verify::SlowClients->new(port => $service->{http_port},
    count => 2 * @sessions, addresses => $addresses,
    head => sub { head_of($sessions[$_[0] / 2], 20_000_000) });
}
sub all_are_decided {
  my ($slow, $held) = @_;
  return $slow->pulse_until('x', sub {
    $_->{none} == $held && metric('bodies_under_way') == $held;
  });
}

subtest 'one organization leaves places to others' => sub {
  my @sessions = map { ready($organizations[0]) } 1 .. 12;
  my $newcomer = ready($organizations[1]);
  my $refused = metric('bodies_refused_total');
  my $slow = slow_uploads(24, @sessions);
  ok all_are_decided($slow, 16), 'it comes to half of the places'
    or diag explain $slow->answers;
  is $slow->answers->{503}, 8, 'and is told to come again';
  is 8, (grep { $_->{answer} =~ /^Retry-After: [1-9].*"code":"service_unavailable"/ms }
    $slow->clients), 'in a moment';
  is metric('bodies_refused_total') - $refused, 8, 'which is counted';
  is put($newcomer)->status, 200, 'another organization uploads';
  answer_is($newcomer->{person}->get($newcomer->{path}), 200, 'all else is served');
  my $others = slow_uploads(24, map { ready($organizations[2]) } 1 .. 12);
  ok $others->pulse_until('x', sub { $_->{none} == 8 && $_->{503} == 16 }),
    'a second one to half of the rest' or diag explain $others->answers;
  is put($newcomer)->status, 200, 'and still another uploads';
  $_->close for $slow, $others;
  ok wait_for { metric('bodies_under_way') == 0 }, 'places of who has gone are free';
};

subtest 'so does one address' => sub {
  my @sessions = map { my $one = $_; map { ready($one) } 1 .. 3 } @organizations;
  my $newcomer = ready($organizations[0]);
  my $slow = slow_uploads(1, @sessions);
  ok all_are_decided($slow, 16), 'it comes to half of the places'
    or diag explain $slow->answers;
  is $slow->answers->{429}, 8, 'and is told to come again';
  error_is put($newcomer), 429, 'rate_limit_exceeded';
  # The second of two comes from the second address.
  my $far = Verify::SlowClients->new(port => $service->{http_port},
    count => 2, addresses => 2,
    head => sub { $_[0] ? head_of($newcomer, 3) : '' });
  ok $far->pulse_until('', sub { $_->{200} }), 'another address uploads'
    or diag explain $far->answers;
  $_->close for $slow, $far;
};

$service->{conf} = "VerifyUploadStart 2\n";
$service->start_httpd;

subtest 'ten client secrets with eleven kilobytes a second' => sub {
  my @sessions = map { ready($organizations[0]) } 1 .. 10;
  my $newcomer = ready($organizations[1]);
  my $slow = slow_uploads(20, @sessions);
  $slow->pulse('x' x 100);
  is put($newcomer)->status, 200, 'another organization uploads';
  my $own = ready($organizations[0]);
  ok $slow->pulse_until('x' x 100, sub { !$_->{none} }), 'they lose their places'
    or diag explain $slow->answers;
  is_deeply [grep { !/\A(?:408|503|none|closed)\z/ } keys %{$slow->answers}], [],
    'for their slowness';
  is metric('bodies_under_way'), 0, 'none is held any more';
  cmp_ok metric('bodies_late_total'), '>=', $slow->answers->{408}, 'which is counted';
  is put($own)->status, 200, 'their organization uploads, too';
  $slow->close;
};

subtest 'a steady image may take longer than the start' => sub {
  my $session = ready($organizations[0]);
  my $length = 1_500_003;
  my $steady = Verify::SlowClients->new(port => $service->{http_port}, count => 1,
    head => head_of($session, $length));
  ok $steady->pulse_until('x' x 25_000, sub { !$_->{none} }), 'it arrives';
  is $steady->answers->{200}, 1, 'and is taken' or diag explain $steady->answers;
  $steady->close;
};

subtest 'silence is slow as well' => sub {
  my $silent = slow_uploads(1, ready($organizations[0]));
  ok $silent->pulse_until('', sub { ($_->{408} // 0) == 2 }), 'however it began'
    or diag explain $silent->answers;
};

finish($service);
