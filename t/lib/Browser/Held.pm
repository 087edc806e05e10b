package Browser::Held;

# Answers of the service that wait in the page until the test lets them in, or are lost:
# nothing depends on how fast anybody is then.
#
#   my $held = Browser::Held->new($browser);
#   $held->hold('POST .*/decide');
#   $browser->click('dialog .primary');
#   $held->wait_for('the decision');
#   …
#   $held->let_in;
#
# A pattern is of method and address. What is held was sent, and the service has done it.

use v5.32;
use warnings;

# What the page would do from time to time is in `ticks`, with the seconds between.
my $SCRIPT = <<'JS';
window.holding = sessionStorage.getItem('holding');
window.losing = null;
window.held = [];
window.ticks = [];
const [ask, repeat] = [window.fetch, window.setInterval];
window.fetch = (address, options = {}) => {
  const answer = ask(address, options);
  answer.catch(() => {}); // one that is held may be given up by the page
  const fits = (pattern) => pattern
    && new RegExp(pattern).test(`${options.method || 'GET'} ${address}`);
  if (fits(window.losing)) {
    window.losing = null;
    return answer.then(() => { throw new TypeError('Failed to fetch'); });
  }
  return fits(window.holding) ? new Promise((resolve) =>
    window.held.push((other) => resolve(other || answer))) : answer;
};
window.setInterval = (tick, time) => {
  window.ticks.push({ tick, seconds: time / 1000 });
  return repeat(tick, time);
};
JS

# For every page that BROWSER opens from now on.
sub new {
  my ($class, $browser) = @_;
  $browser->chromium('Page.addScriptToEvaluateOnNewDocument', source => $SCRIPT);
  return bless {browser => $browser}, $class;
}

# From now on, over the beginning of another page, too.
sub hold {
  my ($self, $pattern) = @_;
  $self->{browser}->run(
    'sessionStorage.setItem("holding", window.holding = arguments[0])', $pattern);
}

# The answer to the next that fits is lost.
sub lose {
  my ($self, $pattern) = @_;
  $self->{browser}->run('window.losing = arguments[0]', $pattern);
}

# Until COUNT answers (one, by default) are held.
sub wait_for {
  my ($self, $what, $count) = @_;
  $self->{browser}->wait_for("$what is asked for", sub {
    $self->{browser}->run('return window.held.length') >= ($count // 1) });
}

# What the page does every SECONDS, or all that it does from time to time, at once; how
# much that is.
sub tick { $_[0]{browser}->run('const due = window.ticks.filter(({ seconds }) =>'
  . ' !arguments[0] || seconds === arguments[0]); for (const { tick } of due) tick();'
  . 'return due.length', $_[1]) }

# Lets the answers in, the newest first if `backwards`, or a refusal with the JSON text
# `instead`; comes back when the page has made of them what it makes.
sub let_in {
  my ($self, %how) = @_;
  $self->{browser}->run_async(<<'JS', $how{instead}, $how{backwards} ? 1 : 0);
const [instead, isBackwards, done] = arguments;
window.holding = null;
sessionStorage.removeItem('holding');
const held = window.held.splice(0);
for (const one of isBackwards ? held.reverse() : held)
  one(instead && new Response(instead, { status: 400 }));
setTimeout(() => fetch('v1/me').then((answer) => answer.json()).then(() => setTimeout(done)));
JS
}

1;
