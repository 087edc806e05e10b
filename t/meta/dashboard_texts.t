# The dashboard's texts by number (apxs/number_texts.pl), and that its scripts name only
# texts that there are.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use JSON::PP ();
use Test::More;

my $root = abs_path("$FindBin::Bin/../..");
require "$root/apxs/number_texts.pl";

my $texts = {direction => 'ltr',
  list => {one => 'One', two => 'Two', days => {one => 'day', other => 'days'}},
  state => {good => 'Good', 'a b' => 'A, b'}, kinds => {x => 'X', y => 'Y', 0 => 'None'},
  more => {text => 'Text'},
  deep => {of => {it => {now => 'Now'}}, more => 'More', page => {title => 'Title'}}};
my %scripts = ('b.js' => 't("list.two"),t("deep.of.it.now"),t("list.two")',
  'a.js' => 't("list.one"),h`<p x="list.none">${t(`state.${f({a:`${b}`})}`)}`,t("kinds.x"),'
    . 't("state.good"),t("list.days",{n:2}),w("kinds",`${l}.${v}`),t("deep.more"),'
    . 't(`deep.${p}.title`),t("deep.page.title"),t("more."+x),t("more.text")');
my @numbered = number_texts(\%scripts, $texts);
is_deeply \@numbered, [qw(list.one list.days deep.more list.two deep.of.it.now)],
  'what is written out has a number, but not what scripts put together';
is $scripts{'b.js'}, 't("3"),t("4"),t("3")', 'of which scripts have the number';
is $scripts{'a.js'}, 't("0"),h`<p x="list.none">${t(`state.${f({a:`${b}`})}`)}`,t("kinds.x"),'
  . 't("state.good"),t("1",{n:2}),w("kinds",`${l}.${v}`),t("2"),t(`deep.${p}.title`),'
  . 't("deep.page.title"),t("more."+x),t("more.text")', 'and no more';
is_deeply served_texts($texts, @numbered),
  ['deep{page{title}},direction,kinds{0,x,y},more{text},state{a b,good}',
    ['One', {one => 'day', other => 'days'}, 'More', 'Two', 'Now'],
    ['Title', 'ltr', 'None', 'X', 'Y', 'Text', 'A, b', 'Good']], 'texts come without the names';
ok !eval { served_texts({'a,b' => 'A'}); 1 }, 'a name must not look like several';

sub content { local (@ARGV, $/) = @_; return scalar <> }

my $web = "$root/mod_verify/web/dashboard";
my %in = map { $_ => {texts_in(JSON::PP->new->utf8->decode(content("$web/texts/$_.json")))} }
  qw(en de);
is_deeply [sort keys %{$in{de}}], [sort keys %{$in{en}}], 'the same texts in both languages';
my %unknown = map { my $file = $_; map { ("$_ in $file" =~ s/\Q$web\E\///r) => 1 }
  grep { !exists $in{en}{$_} } content($file) =~ /\b(?:t|named)\('([^']+)'/g }
  glob "$web/*.js $web/pages/*.js";
is_deeply [sort keys %unknown], [], 'scripts name no others';
done_testing;
