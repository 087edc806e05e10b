# Every directive of core/settings.def stands, with advice, in the sample that
# administrators read, and the sample names no others.
use v5.32;
use warnings;
use FindBin;
use Test::More;

my $root = "$FindBin::Bin/../..";
sub text_of {
  my ($path) = @_;
  open my $file, '<', $path or return '';
  local $/;
  return <$file>;
}

my $settings = text_of("$root/mod_verify/core/settings.def")
  or plan skip_all => 'no settings yet';
$settings =~ s{/\*.*?\*/}{}gs;
my %known = map { $_ => 1 } $settings =~ /^IDV_\w+\((Verify\w+)/mg;
ok keys %known > 10, 'settings.def has directives';

my $sample = text_of("$root/conf/verify.conf");
my (%documented, @bare);
my $previous = '';
for my $line (split /\n/, $sample) {
  if ($line =~ /^#?(Verify[A-Z]\w+)\s/) {
    $documented{$1} = 1;
    push @bare, $1 unless $previous =~ /^#\s|^#?Verify/;
  }
  $previous = $line;
}
is_deeply [grep { !$documented{$_} } sort keys %known], [],
  'conf/verify.conf documents each';
is_deeply [grep { !$known{$_} } sort keys %documented], [], 'and no other';
is_deeply \@bare, [], 'each has a comment above it';

my $development = text_of("$root/conf/development.conf");
is_deeply [grep { !$known{$_} } $development =~ /^\s*(Verify[A-Z]\w+)/mg], [],
  'conf/development.conf uses known directives only';
done_testing;
