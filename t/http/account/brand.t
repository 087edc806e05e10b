#!/usr/bin/perl
# What persons see of an organization: set by verifyctl, shown by the widget's
# view, and what the view says of evidence that is there and of reviews.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use File::Temp;
use Picture;
use Verify::Test;

my $service = Verify::Instance->start(
  conf => "VerifyPublicURL https://verify.example\n");
my $organization = $service->organization(workflow => 1, sandbox => 1);
my $server = $organization->{client};

sub session {
  return answer_is $server->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US-VA', @_}),
    201, 'a session';
}

sub widget { $service->client($_[0]{client_secret}) }

sub view {
  my ($session) = @_;
  return answer_is widget($session)->get("/v1/widget/sessions/$session->{id}"),
    200, 'its view';
}

sub brand { $service->verifyctl('org', 'brand', $organization->{id}, @_) }

subtest 'without a brand the name of the organization is shown' => sub {
  my $view = view(session());
  ok length $view->{organization_name}, 'a name';
  is $view->{brand}, undef, 'no brand';
  is $view->{jurisdiction}, 'US-VA', 'the place';
  ok !$view->{review_possible}, 'nobody looks at it';
};

subtest 'a brand belongs to the organization' => sub {
  my $logo = Picture::file(Picture::png('dark', 8, 8), 'png');
  my $set = brand('--name', 'SPECIMEN Shop', '--accent', '#0a5c36',
    '--logo', $logo->filename, '--support', 'mailto:help@shop.example',
    '--privacy', 'https://shop.example/privacy', '--theme', 'light');
  my $brand = view(session())->{brand};
  is_deeply $brand, $set->{brand}, 'what was set is shown';
  is $brand->{name}, 'SPECIMEN Shop', 'the name';
  like $brand->{logo}, qr{\Adata:image/png;base64,iVBOR}, 'the picture';
  brand('--name', '');
  ok !exists view(session())->{brand}{name}, 'a part is taken away';
  is brand()->{brand}{theme}, 'light', 'and the rest printed';
};

subtest 'who answers, who runs it, and how long a result is kept' => sub {
  brand('--controller', 'SPECIMEN Shop Ltd, 1 Example Street', '--operator',
    'SPECIMEN Verification Ltd', '--result-days', 365);
  my $view = view(session());
  is $view->{brand}{controller}, 'SPECIMEN Shop Ltd, 1 Example Street',
    'the controller';
  is $view->{brand}{operator}, 'SPECIMEN Verification Ltd', 'the operator';
  is $view->{brand}{result_days}, 365, 'the days';
  is_deeply $view->{kept_days}, {sightings => 30, risk => 90},
    'and what the service keeps by itself';
  brand('--controller', '', '--operator', '', '--result-days', '');
  $view = view(session());
  ok !exists $view->{brand}{$_}, "$_ is taken away"
    for qw(controller operator result_days);
};

subtest 'looks and words of its own' => sub {
  my $words = Picture::file('{"en": {"verified.title": "Welcome aboard"}}', 'json');
  my %looks = (background => '#fbf7f0', font => 'serif', radius => 'none',
    density => 'compact');
  brand('--wording', $words->filename, map { ("--$_", $looks{$_}) } sort keys %looks);
  my $brand = view(session())->{brand};
  is $brand->{$_}, $looks{$_}, $_ for sort keys %looks;
  is $brand->{wording}{en}{'verified.title'}, 'Welcome aboard', 'the wording';
  my $consent = Picture::file('{"en": {"consent.title": "Win a prize"}}', 'json');
  ok !eval { brand('--wording', $consent->filename); 1 },
    'what people agree to has no wording of its own';
  brand('--wording', '', map { ("--$_", '') } sort keys %looks);
  ok !exists view(session())->{brand}{$_}, "$_ is taken away"
    for 'wording', sort keys %looks;
};

subtest 'links for phones bear the name that persons know' => sub {
  my $session = session();
  my $at = "/v1/widget/sessions/$session->{id}";
  answer_is widget($session)->post("$at/open", {}), 200;
  answer_is widget($session)->post("$at/consent", {consent => JSON::PP::true}),
    200;
  my $name = view($session)->{organization_name};
  is answer_is(widget($session)->post("$at/handoff", {}), 200)->{organization},
    $name, 'the organization\'s, without a brand\'s';
  brand('--name', 'SPECIMEN Shop');
  my $offer = answer_is widget($session)->post("$at/handoff", {}), 200;
  is $offer->{organization}, 'SPECIMEN Shop', 'else the brand\'s';
  my $scan = answer_is $service->client->post('/v1/widget/handoffs',
    {token => $offer->{url} =~ s/.*#//r}), 200, 'opened by the phone';
  is $scan->{brand}{name}, 'SPECIMEN Shop', 'whose page looks like it';
  brand('--name', '');
};

subtest 'what cannot be shown is refused and changes nothing' => sub {
  my $before = brand()->{brand};
  my $text = Picture::file("no picture\n", 'txt');
  for my $wrong (['--accent', 'red'], ['--accent', '#ffd000'],
    ['--support', 'javascript:alert(1)'], ['--privacy', 'http://shop.example'],
    ['--theme', 'pink'], ['--logo', $text->filename],
    ['--background', '#222222'], ['--font', 'Comic'], ['--wording', $text->filename],
    ['--controller', 'x' x 301], ['--operator', "two\nlines"],
    ['--result-days', 0], ['--result-days', 'long']) {
    ok !eval { brand(@$wrong); 1 }, "refused: @$wrong[0, 1]" =~ s{/tmp/\S+}{}r;
  }
  is_deeply brand()->{brand}, $before, 'nothing has changed';
};

subtest 'the view tells what was received' => sub {
  my $session = session();
  my $client = widget($session);
  my $at = "/v1/widget/sessions/$session->{id}";
  answer_is $client->post("$at/open", {}), 200;
  answer_is $client->post("$at/consent", {consent => JSON::PP::true}), 200;
  is_deeply view($session)->{parts_received}, [], 'nothing yet';
  my $picture = Picture::png('sharp', 64, 64);
  answer_is $client->put("$at/images/front", $picture,
    'Content-Type' => 'image/png'), 200;
  is_deeply view($session)->{parts_received}, ['front'], 'the front';
};

subtest 'the result says which text was agreed to' => sub {
  my $session = session();
  my $client = widget($session);
  my $at = "/v1/widget/sessions/$session->{id}";
  my $shown = sub { (answer_is $server->get("/v1/verification_sessions/"
    . "$session->{id}?expand[]=results"), 200)->{consent} };
  answer_is $client->post("$at/open", {}), 200;
  is $shown->(), undef, 'none yet';
  my %yes = (consent => JSON::PP::true);
  error_is $client->post("$at/consent", {%yes, text_version => 'x' x 33}), 400,
    'parameter_invalid', 'text_version';
  answer_is $client->post("$at/consent", {%yes, text_version => '2026-11-22 de'}),
    200;
  is $shown->()->{text_version}, '2026-11-22 de', 'the version';
  cmp_ok abs($shown->()->{agreed_at} - time), '<', 60, 'and when';
  answer_is $client->post("$at/consent", {%yes, share => JSON::PP::true,
    text_version => 'later'}), 200;
  is $shown->()->{text_version}, '2026-11-22 de', 'the first one stays';
  ok !exists answer_is($server->get("/v1/verification_sessions/$session->{id}"),
    200)->{consent}, 'only where results are asked for';
};

subtest 'a creation answers with the page to send the person to' => sub {
  my $session = session(locale => 'de-AT');
  is $session->{url}, 'https://verify.example/verify/' . $session->{id}
    . "?lang=de-AT#$session->{client_secret}", 'in the language asked for';
  is session()->{url} =~ s/#.*//r =~ s{.*/verify/vks_\w+}{}r, '',
    'or in the browser\'s';
  my $later = answer_is $server->get("/v1/verification_sessions/$session->{id}"),
    200;
  ok !exists $later->{url}, 'and never again';
  error_is $server->post('/v1/verification_sessions', {type => 'age',
    workflow_id => $organization->{workflow_id}, jurisdiction => 'US-VA',
    locale => 'de"'}), 400, 'parameter_invalid', 'locale';
};

finish $service;
