#!/usr/bin/perl
# The page behind the link of the notification e-mail: what it asks of the
# service, what it says of each state, and that the secret stays in it.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use Browser;
use WidgetMock;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

my $mock = WidgetMock->start;
my $browser = Browser->start(width => 390, height => 844);
my ($tab, $enter) = ("\x{e004}", "\x{e007}");

sub visit {
  my ($screen, %grant) = @_;
  $browser->visit($mock->grant(%grant));
  $browser->wait_until_shown("[data-screen=$screen]");
}
sub screen { $browser->wait_until_shown("[data-screen=$_[0]]") }
sub said { $browser->text('#screen') }
sub asked { map { "$_->{method} $_->{path}" . ($_->{body} ? " $_->{body}{scope}" : '') } $mock->requests }

subtest 'stop this organization' => sub {
  visit(active => status => 'active');
  like said(), qr/SPECIMEN Shop/, 'names the organization';
  like said(), qr/2026/, 'says when';
  like said(), qr/at least 21 years old/, 'and what it learned';
  is $browser->url, $mock->base . '/verify/revoke', 'the secret has left the address bar';
  is_deeply [asked()], ['GET /grant'], 'looking changes nothing';
  is_deeply [grep { $_->{query} } $mock->requests], [], 'nothing stands in an address';
  $browser->click('#stop');
  screen('stopped');
  is_deeply [asked()], ['GET /grant', 'POST /revocations grant'], 'one revocation';
  like said(), qr/SPECIMEN Shop\W* receives a notice/, 'and says so, whole';
  ok $browser->find('#stop-all'), 'the rest can still be stopped';
};

subtest 'stop all sharing' => sub {
  visit(active => revoked => 3);
  $browser->click('#stop-all');
  screen('allStopped');
  is_deeply [asked()], ['GET /grant', 'POST /revocations all'], 'one revocation';
  like said(), qr/3 acceptances/, 'how many';
  visit(active => revoked => 1);
  $browser->click('#stop-all');
  screen('allStopped');
  like said(), qr/One organization/, 'one';
  visit(active => revoked => 0);
  $browser->click('#stop-all');
  screen('allStopped');
  like said(), qr/No organization/, 'or none';
};

subtest 'links that are used up' => sub {
  visit(revoked => status => 'revoked');
  like said(), qr/already been stopped/, 'used';
  ok !$browser->find('#stop'), 'nothing to stop';
  $browser->click('#stop-all');
  screen('allStopped');
  visit(expired => status => 'expired');
  like said(), qr/already ended/, 'expired';
  ok $browser->find('#stop-all'), 'all sharing can be stopped';
  visit('unknown');
  like said(), qr/does not work/, 'unknown';
  ok !$browser->find('button'), 'nothing to do';
  $browser->visit($mock->base . '/verify/revoke#something');
  screen('unknown');
  is_deeply [map { $_->{message} } grep { $_->{message} !~ /401/ } $browser->console], [],
    'the console is quiet';
};

subtest 'a name is text, in its own direction' => sub {
  my $name = "<img src=x onerror=alert(1)> \x{202e}Ltd";
  visit(active => organization_name => $name);
  like said(), qr/<img src=x/, 'no element';
  is $browser->run('return document.querySelectorAll("#screen img").length'), 0, 'none';
};

subtest 'reload, language, failures' => sub {
  visit(active => age_tier => undef);
  like said(), qr/learned that you have been verified/, 'no age was told';
  $browser->command(POST => '/refresh');
  screen('active');
  $browser->run('const s = document.getElementById("language"); s.value = "de";'
    . 's.dispatchEvent(new Event("change"))');
  $browser->wait_for('German', sub {
    $browser->run('return document.documentElement.lang') eq 'de' });
  like said(), qr/Weitergabe beenden/, 'in German';
  $mock->faults({path => '/revocations', status => 400});
  $browser->click('#stop');
  screen('problem');
  $browser->click('#again');
  screen('stopped');
};

subtest 'by keyboard' => sub {
  visit(active => status => 'active');
  my $focus = sub { $browser->run('const e = document.activeElement; return e.id || e.tagName') };
  is $focus->(), 'H1', 'the heading has the focus';
  $browser->press($tab);
  is $focus->(), 'stop', 'then the button';
  $browser->press($tab);
  is $focus->(), 'stop-all', 'then the second choice';
  $browser->press($enter);
  screen('allStopped');
  is $focus->(), 'H1', 'the outcome is read out';
  like $browser->run('return document.title'), qr/^All sharing has stopped/, 'and the title';
};

done_testing;
