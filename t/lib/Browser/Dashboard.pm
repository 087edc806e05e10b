package Browser::Dashboard;
# The dashboard of a service in a browser: who is logged in, and the page that is shown.
#
#   my $browser = Browser->start(width => 1280, height => 900);
#   at_dashboard($browser, $service, $dashboard, $organization->{id});
#   log_in('chief');
#   go_to(page => 'keys');                # of that organization
#   go_to(page(page => 'design'));        # any path of the service
#   is heading(), 'API keys';
#
# DASHBOARD is a Verify::Dashboard. One browser at a time.
use v5.32;
use warnings;
use Exporter qw(import);

our @EXPORT = qw(at_dashboard log_in page go_to shown heading ask refuse answer_again);
my ($browser, $base, $dashboard, $organization);

sub at_dashboard {
  ($browser, my $service, $dashboard, $organization) = @_;
  $base = $service->base_url_tls;
}

# Chromium may begin the next page in another process, which learns of the header a
# little later: asked until the service knows the user.
sub log_in {
  my ($user) = @_;
  $browser->chromium('Network.enable');
  $browser->chromium('Network.setExtraHTTPHeaders', headers => {
    Authorization => $dashboard->login($user)});
  $browser->wait_for("the login of $user", sub {
    $browser->go("$base/dashboard/v1/me");
    $browser->run('return document.body.textContent') =~ /"user":\s*"$user"/ });
  $browser->console;
}

sub page {
  my (%state) = @_;
  return '/dashboard/?' . join '&', map { "$_=$state{$_}" } sort keys %state;
}

# Until the page has what it asked for. The design page shows what waits for ever.
sub shown { $browser->wait_for('the page', sub {
  $browser->run('return !!document.querySelector("main h1")'
    . ' && !document.querySelector("main:not(:has(.design)) .skeleton")') }) }

# A path, or the state of a page.
sub go_to {
  my (@where) = @_;
  $browser->go($base . (@where == 1 ? $where[0] : page(org => $organization, @where)));
  shown();
}

sub heading { $browser->text('main h1') }
sub ask { $browser->run("return $_[0]", @_[1 .. $#_]) }

# Answers for the service until answer_again or until the page is left: the next requests
# that have PART in their address fail with BODY.
sub refuse {
  my ($part, $body) = @_;
  $browser->run('const [part, body] = arguments; window.asked = window.asked || window.fetch;'
    . 'window.fetch = (...all) => String(all[0]).includes(part) ? Promise.resolve('
    . 'new Response(body, { status: 400 })) : window.asked(...all)', $part, $body);
}
sub answer_again { $browser->run('window.fetch = window.asked') }

1;
