package Browser;

# A headless Chromium, driven through chromedriver's WebDriver protocol.
#
#   my $browser = Browser->start(width => 390, height => 844);
#   my $browser = Browser->start(prompts => 1);    # one that can refuse a permission
#   $browser->go($url);
#   $browser->visit($link);    # anew, whatever page was shown
#   $browser->click('#agree');
#
# Everything that was started and the profile folder end with the object, or
# with the test, however that ends: see _guard.

use v5.32;
use warnings;
use File::Temp ();
use JSON::PP;
use MIME::Base64 qw(decode_base64);
use POSIX ();
use PromptHTTP;
use Scalar::Util qw(weaken);
use Time::HiRes qw(sleep time);

my $ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
my $PATIENCE = 30;    # seconds that a condition may take to come true
my $DRAWN_MOST = 5;   # seconds that are waited for the first drawing of a page
my %running;

# The same engine without windows, menus and a permission prompt: it starts with half the
# work, and each page costs a third less. Wished for; chromedriver brings the other.
my $SHELL = '/usr/bin/chromium-headless-shell';

sub is_available {
  return !grep { !-x } '/usr/bin/chromium', '/usr/bin/chromedriver';
}

sub start {
  my ($class, %options) = @_;
  my $profile = File::Temp->newdir;
  my $self = bless {
    json => JSON::PP->new->utf8->allow_nonref,
    http => PromptHTTP->new(timeout => 60),
    profile => $profile, owner => $$,
  }, $class;
  my @said;
  until ($self->{port}) {
    die "chromedriver did not start: @said" if @said == 3;
    push @said, $self->_launch;
  }
  $self->_open(%options);
  return $self;
}

# What chromedriver said until it was ready or had ended. It takes any port of
# IPv4, then the same of IPv6, and ends when some other process has that one.
sub _launch {
  my ($self) = @_;
  my $said = '';
  $self->{group} = open $self->{output}, '-|';
  die "chromedriver: $!" unless defined $self->{group};
  _guard($self->{owner}, "$self->{profile}") if !$self->{group};
  setpgrp $self->{group}, $self->{group};
  weaken($running{$self->{group}} = $self);
  while (my $line = readline $self->{output}) {
    $said .= $line;
    return $said
      if ($self->{port}) = $line =~ /started successfully on port (\d+)/;
  }
  $self->stop;
  return $said;
}

# Leads the process group of chromedriver, in which chromium and all of its
# processes stay, and ends the group when the test is gone without having done
# so itself. Killed, they leave their temporary files behind: those go with the
# PROFILE.
sub _guard {
  my ($test, $profile) = @_;
  setpgrp;
  $ENV{TMPDIR} = $profile;
  @SIG{qw(INT TERM HUP __DIE__)} = ('DEFAULT') x 4;
  my $pid = fork;
  if (defined $pid && !$pid) {
    open STDERR, '>&', \*STDOUT;
    exec '/usr/bin/chromedriver', '--port=0' or POSIX::_exit(127);
  }
  open $_, '>', '/dev/null' for \*STDOUT, \*STDERR;
  # A pipe of the test whose end some other process waits for, too.
  POSIX::close($_) for grep { $_ > 2 } map { m{/([0-9]+)\z} } glob '/proc/self/fd/*';
  sleep 0.2 while getppid == $test;
  kill KILL => -$$;
  POSIX::_exit(1);
}

# The one that asks for permissions, or the shell. Chromedriver waits for a first page,
# which the shell opens only when told to.
sub _program {
  my ($self, $prompts) = @_;
  return '/usr/bin/chromium' if $prompts || !-x $SHELL;
  my $file = "$self->{profile}/program";
  open my $script, '>', $file or die "$file: $!\n";
  print $script qq(#!/bin/sh\nexec $SHELL "\$@" about:blank\n);
  close $script or die "$file: $!\n";
  chmod 0755, $file;
  return $file;
}

# A page that was left goes, and no process is started for one that may come: both
# take a tenth of a second of each page, and no person goes back and forth here.
sub _open {
  my ($self, %options) = @_;
  my @arguments = (
    qw(--headless --no-sandbox --disable-gpu --disable-quic
      --no-first-run --disable-background-networking
      --disable-component-update --disable-sync
      --disable-back-forward-cache --disable-features=SpareRendererForSitePerProcess
      --disable-dev-shm-usage --hide-scrollbars --font-render-hinting=none),
    '--lang=en', "--user-data-dir=$self->{profile}",
    '--accept-lang=' . ($options{languages} || 'en'), # the shell has no preferences
    @{$options{arguments} || []});
  my %chrome = (binary => $self->_program($options{prompts}), args => \@arguments,
    prefs => {'intl.accept_languages' => $options{languages} || 'en'});
  my $session = $self->_call(POST => '/session', {capabilities =>
    {alwaysMatch => {'goog:chromeOptions' => \%chrome,
      'goog:loggingPrefs' => {browser => 'ALL'},
      acceptInsecureCerts => JSON::PP::true}}});
  $self->{session} = "/session/$session->{sessionId}";
  $self->size($options{width} || 390, $options{height} || 844);
}

sub _call {
  my ($self, $method, $path, $body) = @_;
  my $answer = $self->{http}->request($method,
    "http://127.0.0.1:$self->{port}$path", {
      headers => {'Content-Type' => 'application/json'},
      $method eq 'POST'
        ? (content => $self->{json}->encode($body || {})) : ()});
  my $value = eval { $self->{json}->decode($answer->{content})->{value} };
  return $value if $answer->{success};
  my $text = ref $value ? "$value->{error}: $value->{message}"
    : $answer->{content};
  die "WebDriver $method $path: $text\n";
}

sub command {
  my ($self, $method, $path, $body) = @_;
  return $self->_call($method, $self->{session} . $path, $body);
}

# Chromium's own protocol, for what WebDriver does not know.
sub chromium {
  my ($self, $command, %parameters) = @_;
  return $self->command(POST => '/goog/cdp/execute',
    {cmd => $command, params => \%parameters});
}

# The size of the page's own area in CSS pixels.
sub size {
  my ($self, $width, $height, $scale) = @_;
  # Chromium takes no strings for numbers, which these are once a test named one.
  $self->chromium('Emulation.setDeviceMetricsOverride', width => $width + 0,
    height => $height + 0, deviceScaleFactor => ($scale || 1) + 0,
    mobile => $width < 600 ? JSON::PP::true : JSON::PP::false);
}

# media(prefers-color-scheme => 'dark', ...)
sub media {
  my ($self, %features) = @_;
  $self->chromium('Emulation.setEmulatedMedia', features =>
    [map { {name => $_, value => $features{$_}} } sort keys %features]);
}

sub go {
  my ($self, $url) = @_;
  $self->command(POST => '/url', {url => $url});
}

# Opens URL anew, also where only its fragment differs from the address of the page. The
# way there is a page of the same site that asks for nothing: after about:blank Chromium
# starts another process, which takes a tenth of a second.
sub visit {
  my ($self, $url) = @_;
  my ($site) = $url =~ m{\A(https?://[^/]+)} or die "not of a site: $url\n";
  $self->go("$site/v1/health/live");
  $self->go($url);
}

sub url { $_[0]->command(GET => '/url') }

sub run {
  my ($self, $script, @arguments) = @_;
  return $self->command(POST => '/execute/sync',
    {script => $script, args => \@arguments});
}

# SCRIPT gets its arguments and a callback as the last one.
sub run_async {
  my ($self, $script, @arguments) = @_;
  return $self->command(POST => '/execute/async',
    {script => $script, args => \@arguments});
}

# By a script: WebDriver's own search does twice the work, and tests search all the time.
sub find {
  my ($self, $selector) = @_;
  my $element = eval { $self->run('return document.querySelector(arguments[0])', $selector) };
  return $element && $element->{$ELEMENT};
}

# Polls until CONDITION holds; dies with WHAT when it does not in time.
sub wait_for {
  my ($self, $what, $condition) = @_;
  my $end = time + $PATIENCE;
  while (time < $end) {
    my $value = eval { $condition->() };
    return $value if $value;
    sleep 0.05;
  }
  die "waited in vain for $what\n";
}

sub wait_until_shown {
  my ($self, $selector) = @_;
  return $self->wait_for($selector, sub {
    my $element = $self->find($selector) or return;
    $self->command(GET => "/element/$element/displayed") && $element;
  });
}

# Whether an element stays where it is: WebDriver clicks on the place where it
# was when it was asked for.
sub rests {
  my ($self, $element) = @_;
  return $self->run_async(<<'JS', {$ELEMENT => $element});
const [element, done] = arguments;
const place = () => JSON.stringify(element.getBoundingClientRect());
const before = place();
setTimeout(() => done(place() === before), 30);
JS
}

# Finds the element and opens what it is folded in, as a person would first.
my $UNFOLD = <<'JS';
const element = document.querySelector(arguments[0]);
const fold = element && element.closest('details.more:not([open])');
if (fold && !element.matches('summary')) fold.querySelector('summary').click();
return element;
JS

# A page that is just being redrawn may cover, move or replace the element: again.
sub click {
  my ($self, $selector) = @_;
  $self->wait_for("a click on $selector", sub {
    my $element = ($self->run($UNFOLD, $selector) or return)->{$ELEMENT};
    $self->command(GET => "/element/$element/displayed") or return;
    $self->rests($element) or return;
    # A click that closes the frame it was made in has been made.
    eval { $self->command(POST => "/element/$element/click"); 1 }
      or $@ =~ /target frame detached/ or die $@;
    return 1;
  });
}

# Chromium drops keys that come before a page was drawn for the first time, which on
# a busy machine is a while after its elements are there. A frame may stay empty.
sub _wait_until_drawn {
  my ($self) = @_;
  my $end = time + $DRAWN_MOST;
  sleep 0.02 until time >= $end
    || $self->run('return performance.getEntriesByType("paint").length > 0');
}

sub send_keys {
  my ($self, $selector, $text) = @_;
  my $element = $self->wait_for($selector, sub { $self->find($selector) });
  $self->_wait_until_drawn;
  $self->command(POST => "/element/$element/value", {text => $text});
}

# Keys to whatever has the focus, such as "\x{e004}" for Tab.
sub press {
  my ($self, @keys) = @_;
  $self->_wait_until_drawn;
  my @steps = map { ({type => 'keyDown', value => $_},
    {type => 'keyUp', value => $_}) } @keys;
  $self->command(POST => '/actions', {actions =>
    [{type => 'key', id => 'keyboard', actions => \@steps}]});
}

# The text that is seen, a line for each block or more. WebDriver's own way to it takes five
# times as long, and differs in blanks only.
my $TEXT = <<'JS';
const element = document.querySelector(arguments[0]);
if (!element) return null;
const isSeen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
return { text: isSeen ? element.innerText.replace(/[\t\u00a0]/g, ' ')
  .replace(/ *\n+/g, '\n').trim() : '' };
JS

sub text {
  my ($self, $selector) = @_;
  return $self->wait_for($selector, sub { $self->run($TEXT, $selector) })->{text};
}

sub enter_frame {
  my ($self, $selector) = @_;
  my $element = $self->wait_for($selector, sub { $self->find($selector) });
  $self->command(POST => '/frame', {id => {$ELEMENT => $element}});
}

# Gives the browser an authenticator of the platform, with a person who agrees and is
# verified at once; its id. credentials() are what it holds, verifies() whether it verifies.
sub authenticator {
  my ($self) = @_;
  return $self->command(POST => '/webauthn/authenticator', {protocol => 'ctap2',
    transport => 'internal', map { $_ => JSON::PP::true }
      qw(hasResidentKey hasUserVerification isUserConsenting isUserVerified)});
}
sub credentials { @{$_[0]->command(GET => "/webauthn/authenticator/$_[1]/credentials")} }
sub verifies {
  my ($self, $id, $does) = @_;
  $self->command(POST => "/webauthn/authenticator/$id/uv",
    {isUserVerified => $does ? JSON::PP::true : JSON::PP::false});
}

sub leave_frames { $_[0]->command(POST => '/frame', {id => undef}) }

# What the page and the browser wrote to the console since the last call.
sub console {
  my ($self) = @_;
  return @{$self->command(POST => '/se/log', {type => 'browser'})};
}

sub screenshot {
  my ($self, $file) = @_;
  my $shot = $self->chromium('Page.captureScreenshot', format => 'png',
    captureBeyondViewport => JSON::PP::true);
  open my $out, '>:raw', $file or die "$file: $!";
  print $out decode_base64($shot->{data});
  close $out or die "$file: $!";
}

# Processes that are left of the group; of the dead nobody may have asked yet.
sub _is_alive {
  my ($group) = @_;
  for my $path (glob '/proc/[0-9]*/stat') {
    open my $file, '<', $path or next;
    my ($state, $of) = (readline($file) // '') =~ /\) (\S) \d+ (\d+)/ or next;
    return 1 if $of == $group && $state !~ /[ZX]/;
  }
  return 0;
}

sub stop {
  my ($self) = @_;
  my $group = delete $self->{group};
  return if !$group || $self->{owner} != $$;
  delete $running{$group};
  eval { $self->_call(DELETE => $self->{session}) } if $self->{session};
  kill KILL => -$group;
  close $self->{output};
  my $end = time + $PATIENCE;
  sleep 0.02 while _is_alive($group) && time < $end;
}

sub DESTROY {
  my ($self) = @_;
  local ($@, $?, $!);
  $self->stop;
}

# An object that lives until the end of the program would be destroyed when
# what it needs may be gone already. The service's harness has the same.
$SIG{$_} ||= sub { exit 130 } for qw(INT TERM HUP);
END {
  my $status = $?;
  $_->stop for grep { $_ } values %running;
  $? = $status;
}

1;
