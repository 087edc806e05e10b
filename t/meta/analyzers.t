# What make check does not look for: each check that is off says why, and each
# place that is excepted names its check and gives a reason beside it.
use v5.32;
use warnings;
use File::Find qw(find);
use FindBin;
use Test::More;

chdir "$FindBin::Bin/../.." or die "no root: $!\n";
sub text_of {
  open my $file, '<', $_[0] or die "$_[0]: $!\n";
  local $/;
  return <$file>;
}
my $text = text_of('.clang-tidy');
my ($checks) = $text =~ /^Checks: >-\n((?:  \S+\n)+)/m;
my @off = grep { $_ ne '*' } $checks =~ /^  -(\S+?),?$/mg;
my %reasons = $text =~ /^# ([a-z]\w*-[\w.-]+):\s+(.+(?:\n#   .+)*)/mg;
cmp_ok scalar @off, '>', 5, 'checks are off';
is_deeply [sort keys %reasons], [sort @off], 'each has its reason, and no other';
like $checks, qr/^  \Q$_\E,$/m, "$_ is on" for qw(bugprone-* clang-analyzer-* cert-*);

my @bare;
find({no_chdir => 1, wanted => sub {
  return unless /\.(?:c|h|cpp)\z/;
  my $source = text_of($_);
  while ($source =~ /^(.*NOLINT.*)$/mg) {
    my ($line, $before) = ($1, substr $source, 0, $-[0]);
    push @bare, "$_: $line"
      unless $line =~ m{\A\s+\* NOLINTNEXTLINE\([\w.,-]+\) \*/\z}
      && $before =~ m{/\* \w.*\.\n\z};
  }
}}, 'mod_verify');
is_deeply \@bare, [], 'each exception has its check and its reason';
done_testing;
