# The manual for administrators is complete and names what there is: every table with its
# retention, and no metric, log line, directive or command that is not. Its index has
# every page, and none is too long to be read at once.
use v5.32;
use warnings;
use FindBin;
use Test::More;

my $root = "$FindBin::Bin/../..";
sub text_of {
  return join '', map {
    open my $file, '<', $_ or die "$_: $!\n";
    local $/;
    <$file>;
  } @_;
}
my @pages = glob "$root/conf/manual/*.md";
my $page = text_of(@pages);
my ($retention) = text_of("$root/conf/manual/privacy.md") =~ /^(\| Table .*?)\n\n/sm;

my %there = (schema_migration => 1);
for (sort glob "$root/sql/migrations/*.sql") {
  my $text = text_of($_);
  $there{$1} = 1 while $text =~ /^CREATE TABLE (\w+)/mg;
  delete $there{$1} while $text =~ /^DROP TABLE (\w+)/mg;
}
my %named;
for my $row (split /\n/, $retention) {
  my ($tables) = $row =~ /^\| ([^|]*) \|/ or next;
  $named{$_}++ for $tables =~ /`(\w+)`/g;
}
is_deeply [sort keys %named], [sort keys %there], 'each table has its retention';
is_deeply [grep { $named{$_} > 1 } sort keys %named], [], 'once';

my $source = text_of(map { glob "$root/mod_verify/$_" }
  qw(*/*.c */*.h */*.def */*/*.c */*/*.h */*/*.def));
sub unknown {
  my ($text, @words) = @_;
  my %seen;
  return [grep { !$seen{$_}++ && index($text, $_) < 0 } @words];
}
is_deeply unknown($source, $page =~ /`(IDV\d{4})/g), [], 'log lines are there';
is_deeply unknown($source, $page =~ /`verify_(\w+)`/g), [], 'metrics are there';
is_deeply unknown($source, $page =~ /`(Verify[A-Z]\w+)/g), [], 'directives are there';
is_deeply unknown(text_of("$root/mod_verify/api/routes.def") =~ s/:\w+/:/gr,
  $page =~ m{`(?:GET )?(/v1/[\w/]+)`}g), [], 'routes are there';

my $commands = text_of(glob "$root/mod_verify/cli/*/*_commands.c")
  =~ s/\s+/ /gr;
my @called = map { s/ \z//r =~ s/\A(migrate|apply|export) .*/$1/r }
  $page =~ /verifyctl ((?:[a-z]+(?:-[a-z]+)* ?){1,3})/g;
my @strange = grep { my ($noun, $verb, $third) = split / /;
  # A noun may have two words.
  ($noun, $verb) = ("$noun $verb", $third)
    if $verb && index($commands, qq(noun = "$noun $verb",)) >= 0;
  my $entry = qq(noun = "$noun",) . ($verb ? qq( .verb = "$verb",) : '');
  index($commands, $entry) < 0 } @called;
is_deeply \@strange, [], 'commands are there';

my $index = text_of("$root/conf/README.md");
is_deeply [grep { index($index, "](manual/$_)") < 0 } map { s{.*/}{}r } @pages], [],
  'the index has every page';
is_deeply [grep { (() = text_of($_) =~ /\n/g) > 250 } @pages], [], 'no page over 250 lines';
done_testing;
