#!/usr/bin/perl
# The dark scheme differs from the light one in colours only, so that t/lib/Browser/Axe.pm
# need not look for anything else in it: style sheets choose by light-dark(), which takes
# colours, or set custom properties that are colours or shadows.
use v5.32;
use warnings;
use FindBin;
use File::Find qw(find);
use Test::More;

chdir "$FindBin::Bin/../..";
my @files;
find({no_chdir => 1, wanted => sub { push @files, $_ if /\.(?:css|js)\z/ }}, 'mod_verify/web');
cmp_ok scalar(@files), '>', 10, 'style sheets and scripts';

sub read_text {
  open my $file, '<', $_[0] or die "$_[0]: $!\n";
  local $/;
  return readline($file) =~ s{/\*.*?\*/}{}gsr;
}

my $colour = qr/\#[0-9a-f]{3,8}|var\(--[\w-]+, *#[0-9a-f]{3,8}\)|none/;
for my $file (sort @files) {
  my $text = read_text($file);
  next if $file =~ /\.js\z/;
  my @dark = ($text =~ /\@media[^{]*prefers-color-scheme[^{]*\{(.*?)\n\}/gs,
    $text =~ /\[data-theme[^{]*\{([^}]*)\}/g);
  my @other = grep { !/\A(?:--[\w-]+: *$colour|color-scheme: *(?:light|dark))\z/ }
    map { s/\A\s+|\s+\z//gr } map { /([^{;}]+)(?:;|\z)/g }
    map { s/[^{;}]*\{//gr } map { s/\}\s*\z//r } @dark;
  is_deeply [grep { length } @other], [], "$file: colours only";
}
is_deeply [grep { /\.js\z/ && read_text($_) =~ /color-scheme/ } @files],
  ['mod_verify/web/embedding/embed.js'], 'one script asks for it: the frame follows its page';
done_testing;
