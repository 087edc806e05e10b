#!/usr/bin/perl
# A session of several steps, or of several attempts at one: the way above each
# screen, and what is asked for again.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use JSON::PP;
use Browser;
use Picture;
use WidgetMock;

plan skip_all => 'chromium and chromedriver are not installed'
  unless Browser::is_available();

my ($true, $false) = (JSON::PP::true, JSON::PP::false);
my $mock = WidgetMock->start;
my $browser = Browser->start(width => 390, height => 844);
my $sharp = Picture::file(Picture::png('sharp', 1400, 900), 'png');

sub visit { $browser->visit($_[0]) }

sub screen { $browser->wait_until_shown("[data-screen=$_[0]]") }

subtest 'both sides are not asked for where both were shown' => sub {
  for my $sides (1, 2) {
    visit($mock->reset(consented => $true));
    $mock->plan({status => 'requires_input', attempts_remaining => 2,
      checks_failed => ['assurance_insufficient']});
    screen('choose');
    $browser->send_keys('#file', $sharp->filename);
    $browser->click('#use');
    screen('otherSide');
    if ($sides == 2) {
      $browser->send_keys('#file', $sharp->filename);
      $browser->click('#use');
    }
    else {
      $browser->click('#skip');
    }
    for my $time ('at once', 'after a reload') {
      screen('tryAgain');
      like $browser->text('.alert'), $sides == 1 ? qr/Please show both sides/
        : qr/You have shown both sides/, "$sides shown, $time";
      $browser->command(POST => '/refresh');
    }
  }
};

subtest 'a way of several steps is told from the beginning' => sub {
  my @done = ($false) x 3;
  my $steps = sub { my @all = qw(document_capture selfie_liveness selfie_match);
    return [map { {methods => [$all[$_]], done => $done[$_]} } 0 .. 2] };
  my $way = sub { join ' ', map { s/\s+/ /gr } @{$browser->run(
    'return [...document.querySelectorAll(".steps li")].map((e) =>'
    . ' (e.matches("[aria-current]") ? ">" : "") + e.innerText)')} };
  visit($mock->reset(steps => $steps->(), methods => ['document_capture']));
  screen('consent');
  is $way->(), '>1 Consent 2 Document 3 Selfie 4 Check', 'with its end';
  $browser->click('#agree');
  screen('choose');
  @done = ($true, $false, $false);
  $mock->plan({status => 'pending', methods => ['selfie_liveness'],
    current_method => 'selfie_liveness', steps => $steps->()});
  $browser->click('label[for=kind-passport]');
  $browser->send_keys('#file', $sharp->filename);
  $browser->click('#use');
  screen('processing');
  is $way->(), 'Consent (done) >2 Document 3 Selfie 4 Check',
    'a part that is looked at is not the last';
  screen('selfieLiveness');
  is $way->(), 'Consent (done) Document (done) >3 Selfie 4 Check',
    'and nothing that was done is lost';
};

is_deeply [grep { !/Failed to load resource/ } map { $_->{message} }
  $browser->console], [], 'the console is quiet';

done_testing;
