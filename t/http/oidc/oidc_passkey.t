# A returning person logs in with a passkey: the login depends on the credential that the
# passkey leads to, also where the person has no e-mail address.
use v5.32;
use warnings;
use MIME::Base64 qw(decode_base64url);
use Verify::OidcTest;
use Verify::Passkey;
use Verify::Test;

# Passkeys need a host name, so the pages name one that the test replaces.
my $origin = 'https://verify.example';
my $test = Verify::OidcTest->start(conf => "VerifyPublicURL $origin\n");
my ($service, $organization) = @$test{qw(service organization)};
my $client = $test->client;

sub local_part { $_[0] =~ s/\A\Q$origin\E//r }
sub ask {
  my ($session, $what, $body) = @_;
  return $service->client($session->{secret})->post(
    "/v1/widget/sessions/$session->{id}/passkeys/$what", $body // {});
}

sub begin {
  my ($browser, %parameters) = @_;
  my $page = $browser->visit($client->authorize(%parameters));
  $page = $browser->visit(local_part($page->location));
  my ($id, $secret) = $page->location =~ m{/verify/(vks_\w+)#(.+)\z};
  ok $id, 'the login leads to a session' or diag $page->status;
  return {id => $id, secret => $secret};
}

# What the client gets when BROWSER comes back from the page.
sub come_back {
  my ($browser, $session) = @_;
  return $client->returned(
    $browser->visit(local_part($test->return_url($session->{id})))->location) // {};
}

for my $scope ('openid age', 'openid identity') {
  subtest $scope => sub {
    my $first = begin($test->browser, scope => $scope);
    $test->set_outcome($first->{id}, 'passed');
    my $device = Verify::Passkey->new(origin => $origin);
    answer_is(ask($first, 'registration/finish', $device->create(
      answer_is(ask($first, 'registration'), 200))), 201, 'a verification is saved');
    my $browser = $test->browser;
    my $next = begin($browser, scope => $scope);
    is answer_is(ask($next, 'assertion/finish', $device->get(
      answer_is(ask($next, 'assertion'), 200))), 200)->{status}, 'verified',
      'and used in another browser';
    my $returned = come_back($browser, $next);
    ok $returned->{code}, 'which is logged in' or diag explain $returned;
    my ($status, $tokens) = $client->exchange($returned->{code} // '');
    is $status, 200, 'and gets tokens';
    my $claims = decode_base64url((split /\./, $tokens->{id_token} // '.')[1]);
    like $claims, qr/"age_over_18":true/, 'with the age';
    my $again = sub { $client->returned($browser->visit($client->authorize(
      scope => $scope, prompt => 'none'))->location) };
    ok $again->()->{code}, 'also later';
    $service->sql('UPDATE credential SET revoked_at = ? WHERE session_id = ?', time * 1000,
      $first->{id});
    is $again->()->{error}, 'login_required', 'but not after the credential is revoked';
  };
}

finish $service;
