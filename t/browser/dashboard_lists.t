#!/usr/bin/perl
# Lists of the dashboard that lead on: the sessions of a person, and of a reference.
use v5.32;
use warnings;
use utf8;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use Browser::Axe;
use Browser::Dashboard;
use Verify::Dashboard;
use Verify::Test;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

my $service = Verify::Instance->start(start => 0, conf => "VerifyRateLimit secret 1000000\n");
my $organization = $service->organization(workflow => 1, sandbox => 1);
my $id = $organization->{id};
my $dashboard = Verify::Dashboard->prepare($service, chief => "admin $id");
$service->start_httpd;
my $server = $organization->{client};
sub session {
  return answer_is $server->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US-VA', @_}), 201;
}

my $browser = Browser->start(width => 1280, height => 900);
at_dashboard($browser, $service, $dashboard, $id);
sub rows { $browser->run('return document.querySelectorAll("main tbody tr").length') }
log_in('chief');

subtest 'the sessions of a person' => sub {
  my @known = (client_reference_id => 'customer-7');
  my $failed = session(@known);
  answer_is($server->post("/v1/verification_sessions/$failed->{id}/test_outcome",
    {value => 'document_not_accepted'}), 200) for 1 .. 3;
  session(@known, email => 'known@example.com', skip_verification => \1);
  session(client_reference_id => 'customer-8');
  my $person = answer_is($server->post('/v1/verified_person/lookup',
    {email => 'known@example.com'}), 200)->{verified_person_id};
  go_to(page => 'person', id => $person);
  $browser->wait_until_shown('main table a[href*=customer-7]');
  like $browser->text('main'),
    qr/may be somebody else’s.*Verified\s+Credential.*Failed.*Reference only/s,
    'what links them is said of each';
  axe_ok($browser, 'the person');
  $browser->click('main table a[href*=customer-7]');
  $browser->wait_for('the list', sub { $browser->text('main') =~ /Reference: customer-7/ });
  $browser->wait_for('both', sub { rows() == 2 });
  axe_ok($browser, 'the list');
  $browser->click('main tbody tr a.row');
  $browser->wait_until_shown('main a[href*="reference=customer-7"]');
  $browser->click('main a[href*="reference=customer-7"]');
  $browser->wait_for('the list again', sub { rows() == 2 });
  $browser->click('main .set a[aria-label="Remove filter Reference"]');
  $browser->wait_for('all', sub { rows() == 3 });
};

$browser->stop;
finish $service;
