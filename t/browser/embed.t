#!/usr/bin/perl
# The widget in a customer's page of another origin: dialog, container, events,
# and messages from those who should not send any.
use v5.32;
use warnings;
use utf8;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use JSON::PP;
use Browser;
use WidgetMock;
use WidgetScreens;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

my $mock = WidgetMock->start;
my $browser = Browser->start(width => 1000, height => 800,
  arguments => [WidgetScreens->camera_arguments]);
my $service = $mock->base;
my $shop = $service =~ s/localhost/127.0.0.1/r;
my $id = 'vks_01jd0000000000000000000000';

# Opens the shop of another origin and the widget in it.
sub open_widget {
  my (%options) = @_;
  $browser->leave_frames;
  $browser->go("$shop/shop?script=$service/verify/embed.js");
  my %all = (sessionId => $id, clientSecret => $mock->secret, %options);
  $browser->run(<<'JS', \%all);
    window.events = [];
    document.getElementById('start').focus();
    window.widget = IdvWidget.open({ ...arguments[0],
      onEvent: (e) => window.events.push(e) });
JS
}

sub events {
  $browser->leave_frames;
  return @{$browser->run('return window.events')};
}

sub wait_for_event {
  my ($type) = @_;
  return $browser->wait_for($type, sub {
    (grep { $_->{type} eq $type } events())[0] });
}

subtest 'in a dialog' => sub {
  $mock->reset;
  open_widget();
  is wait_for_event('ready')->{status}, 'pending', 'ready';
  ok $browser->run('return document.querySelector("dialog").matches(":modal")'),
    'the page behind is out of reach';
  my $frame = $browser->run('const f = document.querySelector("iframe");'
    . 'return { src: f.src, title: f.title, allow: f.allow }');
  is_deeply $frame, {src => $mock->page . '?theme=light', title => 'Verification',
    allow => 'camera; digital-credentials-get; publickey-credentials-create; '
      . 'publickey-credentials-get'}, 'a named frame without a secret in its address';
  $mock->change(status => 'verified', vp_token => 'vpt_x');
  $browser->enter_frame('iframe');
  $browser->click('#agree');
  $browser->wait_until_shown('[data-screen=verified]');
  is_deeply wait_for_event('completed'), {type => 'completed',
    sessionId => $id, status => 'verified', vpToken => 'vpt_x'}, 'completed';
  $browser->enter_frame('iframe');
  ok !$browser->find('.actions a'), 'the frame leads nowhere by itself';
  $browser->click('#close');
  wait_for_event('closed');
  ok !$browser->find('iframe'), 'closed';
  is $browser->run('return document.activeElement.id'), 'start',
    'the focus is back where it was';
};

subtest 'left by the close button and by Escape' => sub {
  $mock->reset;
  open_widget();
  wait_for_event('ready');
  $browser->click('dialog button');
  wait_for_event('closed');
  open_widget();
  wait_for_event('ready');
  $browser->run('document.querySelector("dialog button").focus()');
  $browser->press("\x{e00c}");
  wait_for_event('closed');
  ok !$browser->find('dialog'), 'gone';
  is scalar(grep { $_->{type} eq 'closed' } events()), 1, 'told once';
  open_widget(lang => 'ar');
  wait_for_event('ready');
  ok $browser->run('const at = (css) => document.querySelector(css).getBoundingClientRect();'
    . 'return at("dialog button").right < at("iframe").left + 100'),
    'in Arabic the button is where the head of the widget has room for it';
};

subtest 'left by Escape inside of the frame' => sub {
  $mock->reset;
  open_widget();
  wait_for_event('ready');
  $browser->enter_frame('dialog iframe');
  $browser->wait_until_shown('[data-screen=consent]');
  # Not by WebDriver: it may wait for the frame that the key takes away.
  $browser->run('setTimeout(() => document.dispatchEvent('
    . 'new KeyboardEvent("keydown", { key: "Escape" })), 50)');
  ok wait_for_event('closed'), 'closed';
};

subtest 'Escape leaves no more than what is on top' => sub {
  my $escape = sub { $browser->run('document.activeElement.dispatchEvent(new '
    . 'KeyboardEvent("keydown", { key: "Escape", bubbles: true }))') };
  my %methods = (document_capture => ['#camera', 'camera', 'choose'],
    selfie_liveness => ['#open-camera', 'selfieCamera', 'selfieStart']);
  for my $options ({}, {container => '#place'}) {
    my $where = $options->{container} ? 'in a container' : 'in a dialog';
    for my $method (sort keys %methods) {
      my ($button, $camera, $before) = @{$methods{$method}};
      $mock->reset(consented => JSON::PP::true, methods => [$method]);
      open_widget(%$options);
      wait_for_event('ready');
      $browser->enter_frame('iframe');
      $browser->click($button);
      $browser->wait_until_shown("[data-screen=$camera]");
      $escape->();
      ok $browser->wait_until_shown("[data-screen=$before]"),
        "one step back from $camera, $where";
      ok !(grep { $_->{type} eq 'closed' } events()), 'and open';
    }
  }
  $mock->reset;
  open_widget();
  wait_for_event('ready');
  $browser->enter_frame('iframe');
  $browser->click('#help');
  $browser->wait_until_shown('dialog.help');
  $browser->press("\x{e00c}");
  $browser->wait_for('no help', sub { !$browser->find('dialog.help') });
  ok $browser->find('[data-screen=consent]'), 'from the help to the screen';
  ok !(grep { $_->{type} eq 'closed' } events()), 'and open';
};

subtest 'in a container' => sub {
  $mock->reset(consented => JSON::PP::true);
  open_widget(container => '#place', lang => 'de');
  wait_for_event('ready');
  $browser->enter_frame('#place iframe');
  is $browser->text('#screen h1'), 'Zeigen Sie Ihr Dokument', 'in German';
  is $browser->run('return sessionStorage.length'), 0,
    'the secret is not stored';
  my $height = $browser->run('return document.body.scrollHeight');
  $browser->leave_frames;
  ok $browser->wait_for('the height', sub { $browser->run(
    'return parseFloat(document.querySelector("iframe").style.height)')
    == $height && $browser->run('return document.querySelector("iframe").offsetHeight')
    == $height }), 'as high as it needs';
  $browser->enter_frame('#place iframe');
  $browser->click('#cancel');
  $browser->click('#confirm-cancel');
  $browser->wait_until_shown('[data-screen=cancelled]');
  is wait_for_event('cancelled')->{status}, 'cancelled', 'cancelled';
  ok $browser->wait_for('a lower frame', sub {
    $browser->leave_frames;
    my $outside = $browser->run('return document.querySelector("iframe").offsetHeight');
    $browser->enter_frame('#place iframe');
    return $outside < 500
      && $outside == $browser->run('return document.body.scrollHeight') }),
    'and no higher than a short screen';
};

subtest 'in a container it has no head, foot or card of its own' => sub {
  # Behind the widget: what its letters can be read on, and what not.
  my $host = 'rgba(0, 0, 0, 0)';
  my $own = 'rgb(255, 255, 255)';
  my %grounds = (en => ['', $host], de => ['#8fa3b8', $own], fr => ['#f3f6fa', $host],
    ar => ['linear-gradient(#fff, #000)', $own]);
  for my $lang (sort keys %grounds) {
    my ($behind, $ground) = @{$grounds{$lang}};
    $mock->reset(consented => JSON::PP::true, brand => {name => 'SPECIMEN Shop',
      background => '#fbf7f0'});
    $browser->go("$shop/shop?script=$service/verify/embed.js");
    $browser->run(<<'JS', {sessionId => $id, clientSecret => $mock->secret,
      window.events = [];
      document.getElementById('place').style.width = '350px';
      document.getElementById('place').style.background = arguments[1];
      IdvWidget.open({ ...arguments[0], container: '#place',
        onEvent: (e) => window.events.push(e) });
JS
      lang => $lang}, $behind);
    wait_for_event('step');
    $browser->enter_frame('#place iframe');
    my $seen = $browser->run(<<'JS');
      const shown = (css) => document.querySelector(css).checkVisibility();
      const card = getComputedStyle(document.getElementById('screen'));
      const at = (css) => document.querySelector(css).getBoundingClientRect();
      return { head: shown('.bar'), foot: shown('.foot'),
        border: card.borderTopWidth, ground: card.backgroundColor,
        inset: card.paddingInlineStart,
        tools: shown('#help') && shown('#language')
          && at('.bar-tools').top >= at('#screen').bottom,
        overflow: document.documentElement.scrollWidth > innerWidth };
JS
    is_deeply $seen, {head => JSON::PP::false, foot => JSON::PP::false,
      border => '0px', ground => $ground, inset => $ground eq $host ? '6px' : '20px', tools => JSON::PP::true,
      overflow => JSON::PP::false}, "help and language are below, $lang";
  }
  # The last one shows through; then its page becomes dark in several ways, first on a
  # ground of no use, then so that nothing but its colors tells.
  my ($light, $dark) = ('rgb(20, 32, 46)', 'rgb(233, 238, 244)');
  for my $case (['style.background = "#8fa3b8"; page.style.colorScheme = "dark"', $dark, 'rgb(23, 31, 41)'],
      ['style.background = "#111"', $dark, $host], ['style.background = ""; page.style.colorScheme = ""; '
        . 'document.body.style.background = "#111"', $light, $own],
      ['parentElement.style.cssText = "background: #f3f6fa; transition: background .2s"', $light, $host],
      ['parentElement.style.background = "#111"', $light, $own],
      ['style.background = ""; const css = document.createElement("style");'
        . 'setTimeout(() => document.head.append(css), 800); css.textContent = "#place { background: #f3f6fa }"', $light, $host]) {
    my ($change, $letters, $ground) = @$case;
    $browser->leave_frames;
    $browser->run('const page = document.documentElement, place = document.getElementById("place");'
      . "place.$change");
    $browser->enter_frame('#place iframe');
    ok eval { $browser->wait_for($change, sub { $browser->run('const card = getComputedStyle('
      . 'document.getElementById("screen")); return card.color === arguments[0]'
      . ' && card.backgroundColor === arguments[1]', $letters, $ground) }) }, $change;
  }
};

subtest 'a dialog is no higher than its end' => sub {
  for my $status (qw(verified under_review)) {
    $mock->reset;
    open_widget();
    wait_for_event('ready');
    my $height = sub { $browser->leave_frames;
      $browser->run('return document.querySelector("iframe").clientHeight') };
    cmp_ok $height->(), '>', 700, 'all of the window while something is to do';
    $mock->change(status => $status);
    $browser->enter_frame('iframe');
    $browser->click('#agree');
    wait_for_event('completed');
    ok $browser->wait_for('a lower frame', sub { $height->() < 640 }),
      "and $status what it takes";
    $browser->enter_frame('iframe');
    cmp_ok $browser->run('return document.documentElement.scrollHeight'
      . ' - innerHeight'), '<=', 1, 'with nothing out of sight';
  }
};

subtest 'strangers are not listened to' => sub {
  $mock->reset;
  open_widget();
  wait_for_event('ready');
  $browser->run(<<'JS', $id);
    window.postMessage({ source: 'idv-widget', version: 1, type: 'completed',
      sessionId: arguments[0], status: 'verified' }, '*');
    const other = document.createElement('iframe');
    document.body.append(other);
    other.contentWindow.parent.postMessage({ source: 'idv-widget', version: 1,
      type: 'close', sessionId: arguments[0] }, '*');
JS
  $browser->enter_frame('dialog iframe');
  $browser->click('#cancel');
  $browser->leave_frames;
  ok !(grep { $_->{type} !~ m{^(?:ready|step)\z} } events()),
    'the page believes nobody';

  my @wrong = ({sessionId => $id}, {sessionId => 'x', clientSecret => 'y'},
    {sessionId => $id, clientSecret => 'vks_other_secret_x'},
    {sessionId => $id, clientSecret => $mock->secret, container => '#none'});
  for my $options (@wrong) {
    is $browser->run('try { IdvWidget.open(arguments[0]); return "opened" }'
      . ' catch (e) { return e.name }', $options), 'TypeError',
      'refused: ' . join ' ', sort keys %$options;
  }
};

subtest 'the same session is one widget, another one takes its place' => sub {
  $mock->reset;
  open_widget();
  wait_for_event('ready');
  ok $browser->run('return IdvWidget.open(arguments[0]) === window.widget',
    {sessionId => $id, clientSecret => $mock->secret}), 'the same handle';
  is $browser->run('return document.querySelectorAll("iframe").length'), 1,
    'one frame';
  my $other = 'vks_01jd0000000000000000000001';
  $browser->run('IdvWidget.open(arguments[0])',
    {sessionId => $other, clientSecret => "${other}_secret_x"});
  is $browser->run('return document.querySelectorAll("dialog").length'), 1,
    'one dialog';
  wait_for_event('closed');
};

subtest 'the host hears what goes wrong, and how far the person is' => sub {
  $mock->reset;
  open_widget(clientSecret => "${id}_secret_wrong");
  is wait_for_event('error')->{code}, 'client_secret_invalid',
    'a wrong secret';
  ok !(grep { $_->{type} eq 'ready' } events()), 'is not ready';
  $mock->reset;
  open_widget();
  $browser->enter_frame('iframe');
  $browser->click('#agree');
  $browser->wait_until_shown('[data-screen=choose]');
  is_deeply [map { [@$_{'screen', 'step'}] } grep { $_->{type} eq 'step' }
    events()], [['consent', 1], ['choose', 2]], 'each screen';
  # A page whose policy is to be framed by nobody.
  $browser->go("$shop/shop?script=$service/verify/embed.js");
  $browser->run(<<'JS', {sessionId => $id, clientSecret => $mock->secret,
    window.events = [];
    IdvWidget.open({ ...arguments[0], onEvent: (e) => window.events.push(e) });
JS
    baseUrl => "$service/refused"});
  ok wait_for_event('blocked'), 'a frame that says nothing';
};

subtest 'a frame that is refused gives way to a window' => sub {
  my %label = (en => 'Open in a new window', de => 'In neuem Fenster öffnen');
  for my $options ({}, {container => '#place'}) {
    for my $lang (sort keys %label) {
      $browser->leave_frames;
      $browser->go("$shop/shop?script=$service/verify/embed.js");
      $browser->run(<<'JS', {sessionId => $id, clientSecret => $mock->secret,
        window.outcome = undefined;
        IdvWidget.verify(arguments[0]).then((o) => { window.outcome = o },
          (e) => { window.outcome = e.code });
JS
        baseUrl => "$service/refused", lang => $lang, %$options});
      my $where = ($options->{container} ? 'in the page' : 'in a dialog') . ", $lang";
      my $link = $browser->wait_for('the offer', sub { $browser->run(<<'JS') });
        const link = document.querySelector('[role=alert] a');
        return link && { text: link.textContent, href: link.href,
          target: link.target, rel: link.rel, high: link.offsetHeight >= 44,
          frame: document.querySelector('iframe').checkVisibility() };
JS
      is_deeply $link, {text => $label{$lang}, target => '_blank',
        href => "$service/refused/verify/$id?lang=$lang#" . $mock->secret,
        rel => 'noopener noreferrer', high => JSON::PP::true,
        frame => JSON::PP::false}, $where;
      next if $options->{container};
      $browser->click('dialog button');
      is_deeply $browser->wait_for('the outcome', sub {
        $browser->run('return window.outcome') }), {status => undef,
        vpToken => undef}, 'whoever closes it has no outcome yet';
    }
  }
};

subtest 'a promise of the outcome' => sub {
  my $begin = sub {
    $browser->leave_frames;
    $browser->go("$shop/shop?script=$service/verify/embed.js");
    $browser->run('window.outcome = null; IdvWidget.verify(arguments[0]).then('
      . '(o) => { window.outcome = o }, (e) => { window.outcome = e.code })',
      {sessionId => $id, clientSecret => $_[0]});
  };
  my $outcome = sub { $browser->leave_frames;
    $browser->wait_for('the outcome', sub {
      $browser->run('return window.outcome') }) };
  $mock->reset(status => 'verified', vp_token => 'vpt_x');
  $begin->($mock->secret);
  $browser->enter_frame('iframe');
  $browser->click('#close');
  is_deeply $outcome->(), {status => 'verified', vpToken => 'vpt_x'}, 'kept';
  $begin->("${id}_secret_wrong");
  is $outcome->(), 'client_secret_invalid', 'broken, with the reason';
  ok !$browser->find('iframe'), 'and cleared away';
};

subtest 'amid a page it takes neither focus nor place' => sub {
  $mock->reset;
  $browser->go("$shop/shop?script=$service/verify/embed.js");
  $browser->run(<<'JS', {sessionId => $id, clientSecret => $mock->secret});
    document.getElementById('place').style.marginTop = '3000px';
    document.getElementById('start').focus();
    window.events = [];
    IdvWidget.open({ ...arguments[0], container: '#place',
      onEvent: (e) => window.events.push(e) });
JS
  $browser->wait_for('the screen', sub {
    grep { $_->{type} eq 'step' } events() });
  is $browser->run('return document.activeElement.id'), 'start',
    'the focus stays';
  is $browser->run('return window.scrollY'), 0, 'and the page where it is';
};

subtest 'the policies that a host is told to have are enough' => sub {
  my $open = sub {
    my ($path, %options) = @_;
    $mock->reset;
    $browser->leave_frames;
    $browser->go("$shop$path");
    $browser->run('window.events = []; IdvWidget.open({ ...arguments[0],'
      . ' onEvent: (e) => window.events.push(e) })',
      {sessionId => $id, clientSecret => $mock->secret, %options});
    wait_for_event('ready');
  };
  my $may = sub {
    $browser->enter_frame('iframe');
    return $browser->run('return document.featurePolicy.allowsFeature("camera")');
  };
  $browser->console;
  for my $options ({}, {container => '#place'}) {
    $open->("/shop?strict&script=$service/verify/embed.js", %$options);
    is $browser->run('return document.querySelector("iframe")'
      . '.getBoundingClientRect().width > 300'), JSON::PP::true,
      'the widget is shown, and laid out';
    is $may->(), JSON::PP::true, 'and may use the camera';
  }
  is_deeply [grep { /policy/i && !/favicon/ } map { $_->{message} } $browser->console],
    [], 'the browser refuses nothing';
};

subtest 'it is light in a light page, and dark in a dark one' => sub {
  $browser->media('prefers-color-scheme' => 'dark');
  my $ground = sub {
    my ($scheme, %options) = @_;
    $mock->reset;
    $browser->leave_frames;
    $browser->go("$shop/shop?script=$service/verify/embed.js");
    $browser->run('document.documentElement.style.colorScheme = arguments[0];'
      . 'window.events = []; IdvWidget.open({ ...arguments[1], onEvent: (e) =>'
      . ' window.events.push(e) })', $scheme, {sessionId => $id,
        clientSecret => $mock->secret, %options});
    wait_for_event('ready');
    $browser->enter_frame('iframe');
    $browser->wait_until_shown('[data-screen=consent]');
    my ($red) = $browser->run('return getComputedStyle(document.body)'
      . '.backgroundColor') =~ /(\d+)/;
    return $red < 128 ? 'dark' : 'light';
  };
  is $ground->('normal'), 'light', 'a page that knows no dark';
  is $ground->('light dark'), 'dark', 'one that follows the person';
  is $ground->('light dark', theme => 'light'), 'light', 'or as it asks';
  is $ground->('light dark'), 'dark', 'of a person';
  my $become = sub {
    my ($wanted, $what) = @_;
    $browser->wait_for($what, sub { my ($red) = $browser->run('return getComputedStyle('
      . 'document.body).backgroundColor') =~ /(\d+)/; ($red < 128 ? 'dark' : 'light') eq $wanted });
    ok 1, $what;
  };
  $browser->media('prefers-color-scheme' => 'light');
  $become->('light', 'who makes it light while it is open');
  $browser->leave_frames;
  $browser->run('document.documentElement.style.colorScheme = "dark"');
  $browser->enter_frame('iframe');
  $become->('dark', 'or whose page becomes dark');
  # Messages come in their order: once the second is here, the first has been.
  is $browser->run_async(<<'JS', $id), 'dark', '... and nobody else says so';
    const [sessionId, done] = arguments;
    addEventListener('message', ({ data }) => data === 'mark'
      && done(document.documentElement.dataset.theme));
    postMessage({ source: 'idv-host', version: 1, type: 'theme', sessionId, theme: 'light',
      clear: false }, '*');
    postMessage('mark', '*');
JS
  $browser->media;
  is $ground->('dark'), 'dark', 'a page that is always dark';
};

my @complaints = grep { $_->{message} !~ /40[14] \(/ } grep { $_->{message} !~ /favicon/ } $browser->console;
is_deeply \@complaints, [], 'the console is quiet';

done_testing;
