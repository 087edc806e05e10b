# The texts of the gate's pages: each page in each language of the widget.
use v5.32;
use warnings;
use utf8;
use Cwd qw(abs_path);
use File::Basename qw(basename);
use FindBin;
use Test::More;

chdir abs_path("$FindBin::Bin/../..") or die "no root: $!\n";
my @languages = sort map { basename($_, '.json') } glob 'mod_verify/web/texts/*.json';

sub content_of {
  open my $file, '<:encoding(UTF-8)', $_[0] or die "$_[0]: $!\n";
  local $/;
  return scalar <$file>;
}

my @pages = content_of('mod_verify/domain/gate/gate.h') =~ /^ +X\((\w+), [0-9]{3}\)/mg;
cmp_ok @pages, '>', 5, 'the pages are found';

my $string = qr/"(?:[^"\\]|\\.)*"/;
my $strings = qr/$string(?:\s+$string)*/;
my %text; # {language}{page}
my $first;
my $source = content_of('mod_verify/httpd/gate/gate_texts.def');
while ($source =~ /^IDV_GATE_TEXT\((\w+), "(\w+)",\s*($strings),\s*($strings),\s*($strings)\)/mg) {
  my ($page, $language, @parts) = ($1, $2, map { s/"\s*"//gr =~ s/\A"|"\z//gr } $3, $4, $5);
  fail "$language $page: once" if $text{$language}{$page};
  $text{$language}{$page} = \@parts;
  $first //= $language;
}
is scalar(() = $source =~ /^IDV_GATE_TEXT/mg), @pages * @languages, 'every text is read';
is $first, 'en', 'English is for everybody whose language is missing';
is_deeply [sort keys %text], \@languages, 'the languages of the widget';
for my $language (@languages) {
  is_deeply [sort keys %{$text{$language}}], [sort @pages], "$language: each page";
  is_deeply [grep { (() = $text{$language}{$_}[1] =~ /%s/g) != 1 } @pages], [],
    "$language: names the organization once in each text";
  is_deeply [grep { "@{$text{$language}{$_}}" =~ /[<>&]|%(?!s)/
      || "@{$text{$language}{$_}}[0, 2]" =~ /%/ } @pages], [],
    "$language: no markup, no other place for a value";
  is_deeply [grep { my $page = $_; $language ne 'en'
      && grep { $text{$language}{$page}[$_] eq $text{en}{$page}[$_] } 0 .. 2 } @pages], [],
    "$language: nothing is left in English";
}
done_testing;
