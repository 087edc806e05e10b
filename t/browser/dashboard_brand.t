#!/usr/bin/perl
# The form for an organization's brand in the dashboard's settings, against the service
# itself: the preview follows each change, and what is saved is what verifyctl prints.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Browser;
use Browser::Dashboard;
use Verify::Dashboard;
use Verify::Test;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

my $service = Verify::Instance->start(start => 0, conf => "VerifyRateLimit secret 1000000\n");
my $organization = $service->organization(sandbox => 1);
my $id = $organization->{id};
my $dashboard = Verify::Dashboard->prepare($service, chief => "admin $id");
$service->start_httpd;
my $browser = Browser->start(width => 1280, height => 900);
at_dashboard($browser, $service, $dashboard, $id);


log_in('chief');

subtest 'the looks of the organization, with their preview' => sub {
  go_to(page => 'settings');
  $browser->wait_until_shown('.brand-preview');
  my $form = 'form:has(.brand-preview)';
  my $field = sub { my ($label) = @_;
    $browser->run('return [...document.querySelectorAll(`${arguments[0]} label`)].find('
      . '(one) => one.textContent === arguments[1]).htmlFor', $form, $label) };
  $browser->send_keys('#' . $field->('Accent colour, such as #1d4f91'), '#0a5c36');
  $browser->send_keys('#' . $field->('Name shown to people'), 'SPECIMEN Shop');
  my $preview = $browser->text('.brand-preview');
  like $preview, qr/SPECIMEN Shop/, 'it follows';
  is $browser->run('return getComputedStyle(document.querySelector(".brand-preview div"))'
    . '.backgroundColor'), 'rgb(10, 92, 54)', 'and the colour';
  $browser->click("$form .actions .primary");
  $browser->wait_for('saved', sub { $browser->text($form) =~ /Saved/ });
  is_deeply $service->verifyctl(qw(org brand), $id)->{brand}, {accent => '#0a5c36',
    name => 'SPECIMEN Shop'}, 'kept';
};

is_deeply [map { $_->{message} } $browser->console], [], 'the console is quiet';
$browser->go('about:blank');
finish($service);
