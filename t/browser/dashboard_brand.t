#!/usr/bin/perl
# The form for an organization's brand in the dashboard's settings, against the service
# itself: the preview follows each change, and what is saved is what verifyctl prints.
use v5.32;
use warnings;
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
my $organization = $service->organization(sandbox => 1);
my $id = $organization->{id};
my $dashboard = Verify::Dashboard->prepare($service, chief => "admin $id");
$service->start_httpd;
my $browser = Browser->start(width => 1280, height => 900);
at_dashboard($browser, $service, $dashboard, $id);


log_in('chief');

my $form = 'form:has(input[type=color])';
my $field = sub { my ($label) = @_;
  '#' . $browser->run('return [...document.querySelectorAll(`${arguments[0]} label`)].find('
    . '(one) => one.textContent === arguments[1]).htmlFor', $form, $label) };
my $type = sub { my ($label, $text) = @_; $browser->run('const field = document.querySelector('
  . 'arguments[0]); field.value = arguments[1]; field.dispatchEvent(new Event("input",'
  . ' { bubbles: true })); field.dispatchEvent(new Event("change", { bubbles: true }));',
  $field->($label), $text) };
my $look = sub { my ($selector, $name) = @_;
  $browser->run('return getComputedStyle(document.querySelector(`.brand-preview${arguments[0]}`'
    . '))[arguments[1]]', $selector, $name) };
my $screens = sub { $browser->run('return document.querySelectorAll(".brand-preview").length') };

subtest 'the looks of the organization, with their preview' => sub {
  go_to(page => 'settings');
  $browser->wait_for('the words', sub {
    $browser->text('.brand-preview') =~ /Show your document/ });
  is $screens->(), 2, 'in light and in dark, as the device of the person has it';
  cmp_ok $browser->run('return document.querySelector(".beside:has(.brand-preview)")'
    . '.getBoundingClientRect().height'), '<', 800 - 72, 'both are seen next to the form';
  $type->('Accent color', '0A5C36');
  $type->('Name shown to people', 'SPECIMEN Shop');
  like $browser->text('.brand-preview'), qr/SPECIMEN Shop.*Continue to SPECIMEN Shop/s,
    'it follows';
  is $look->(' .press', 'backgroundColor'), 'rgb(10, 92, 54)', 'and the colour';
  unlike $look->(':nth-child(3) .press', 'backgroundColor'), qr/rgb\(10, 92, 54\)/,
    'which is lighter in the dark';
  is $look->(' .entry', 'borderRadius'), '9.75px', 'round';
  $type->('Corners', 'none');
  is $look->(' .entry', 'borderRadius'), '0px', 'or not';
  $type->('Corners', '');
  $type->('Font', 'rounded');
  like $look->('', 'fontFamily'), qr/\Aui-rounded/, 'in its letters';
  $type->('Font', '');
  $type->('Theme', 'dark');
  is $screens->(), 1, 'one theme';
  is $look->(' .screen', 'backgroundColor'), 'rgb(23, 31, 41)', 'the dark one';
  $type->('Theme', '');
  $type->('Accent color', '#ffee00');
  like $browser->text("$form .field:has([aria-invalid=true]) .fault"),
    qr/contrast of 1\.2 to 1.*darker/, 'what cannot be read is said at once';
  $browser->click("$form .actions .primary:not(.file)");
  is $browser->run('return document.activeElement.getAttribute("aria-invalid")'), 'true',
    'and is not saved';
  $type->('Accent color', '#0a5c36');
  ok !$browser->find("$form .fault"), 'until it is corrected';
  $type->('Background color', '#333333');
  like $browser->text("$form .fault"), qr/Too dark/, 'a background, too';
  $type->('Background color', '');
  $browser->click("$form summary");
  $type->('Choice of the document: title', 'Your card, please');
  like $browser->text('.brand-preview'), qr/Your card, please/, 'own words';
  $type->('Where people get help', 'http://shop.example');
  $browser->click("$form .primary");
  $browser->wait_for('a refusal', sub { $browser->find("$form .fault") });
  like $browser->text("$form .field:has([aria-invalid=true])"), qr/Where people get help.*https:/s,
    'what the service refuses is said at its field';
  $type->('Where people get help', 'help@shop.example');
  ok !$browser->find("$form .fault"), 'until it changes';
  $type->('Days the result is kept', '365');
  $browser->run('const data = new DataTransfer();'
    . 'data.items.add(new File(["<svg xmlns=\"http://www.w3.org/2000/svg\"/>" + " ".repeat(48000)],'
    . ' "logo.svg", { type: "image/svg+xml" }));'
    . 'const file = document.querySelector(`${arguments[0]} input[type=file]`);'
    . 'file.files = data.files; file.dispatchEvent(new Event("change", { bubbles: true }));', $form);
  $browser->wait_for('the logo', sub { $browser->find('.brand-preview img') });
  axe_ok($browser, 'the form of the brand');
  $browser->click("$form .primary");
  $browser->wait_for('saved', sub { $browser->text($form) =~ /Saved/ });
  my $brand = $service->verifyctl(qw(org brand), $id)->{brand};
  like delete $brand->{logo}, qr{\Adata:image/svg\+xml;base64,}, 'the logo is kept';
  is_deeply $brand, {accent => '#0a5c36', name => 'SPECIMEN Shop',
    support => 'mailto:help@shop.example', result_days => 365,
    wording => {en => {'choose.title' => 'Your card, please'}}}, 'and the rest';
};

subtest 'a refusal in German' => sub {
  $browser->run('localStorage.setItem("idv-dashboard-language", "de")');
  go_to(page => 'settings');
  $browser->wait_for('the form', sub { $browser->find($form) });
  $type->('Datenschutzhinweise', 'http://shop.example');
  $browser->click("$form .primary");
  $browser->wait_for('a refusal', sub { $browser->find("$form .fault") });
  is $browser->run('const [words, print] = document.querySelector(arguments[0]).childNodes;'
    . 'return `${words.data}|${document.querySelector(`${arguments[0]} [lang=en]`).textContent}`',
    "$form .fault"), 'Dieser Wert wird nicht angenommen.|'
    . 'brand.privacy_url must be an https: address.', 'in its words, the service\'s as small print';
};

is_deeply [grep { !/status of 400/ } map { $_->{message} } $browser->console], [],
  'the console is quiet';
$browser->go('about:blank');
finish($service);
