# One subject, one name: what a header declares is defined in the source beside
# it, and what a source shares is declared in its header. Handlers of routes are
# declared by the table that names them.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use Test::More;

my $root = abs_path("$FindBin::Bin/../..");
chdir $root or die "$root: $!\n";
my @files = grep { -f } split /\0/,
  `git ls-files -z --cached --others --exclude-standard -- mod_verify`;
plan skip_all => 'not a git checkout' unless @files;

sub text_of {
  my ($path) = @_;
  open my $file, '<', $path or die "$path: $!\n";
  local $/;
  return <$file>;
}

# The code of PATH outside of braces: no comments, literals and directives, each
# body as {}.
sub outline_of {
  my ($path) = @_;
  my $text = text_of($path);
  $text =~ s{/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'}
            { $& =~ m{\A/} ? ' ' : '""' }gsex;
  $text =~ s/^[ \t]*#(?:[^\n\\]|\\.)*//gms;
  $text =~ s/extern\s+""\s*\{//g;
  my ($depth, $outline) = (0, '');
  for (split /([{}])/, $text) {
    if (/\{/) { $outline .= '{' unless $depth++ }
    elsif (/\}/) { $outline .= '}' if $depth && !--$depth }
    elsif (!$depth) { $outline .= $_ }
  }
  return $outline;
}

my (%declared, %defined);
for my $path (grep { /\.(?:[ch]|cpp)\z/ } @files) {
  my $header = $path =~ /\.h\z/;
  for my $part (split /(?<=[;}])/, outline_of($path)) {
    next if $part =~ /\b(?:typedef|static)\b/ || $part !~ /\b(idv_\w+)\s*\(/;
    my $name = $1;
    next if $part =~ /\A[^(]*=/;
    if ($part =~ /\}\z/) { $defined{$name} = $path }
    elsif ($header) { $declared{$name} = $path }
  }
}
my %handler = map { $_ => 1 } map { text_of($_) =~ /\b(idv_\w+)/g }
  grep { /\.def\z/ } @files;
cmp_ok scalar keys %declared, '>', 500, 'declarations were found';
cmp_ok scalar keys %defined, '>', 500, 'definitions were found';

my @faults;
for my $name (sort keys %declared) {
  my $expected = $declared{$name} =~ s{\.h\z}{}r;
  my $place = $defined{$name} // 'no source';
  push @faults, "$declared{$name} declares $name, which $place defines"
    if $place !~ m{\A\Q$expected\E\.c(?:pp)?\z};
}
push @faults, map { "$defined{$_} defines $_, which no header declares" }
  grep { !$declared{$_} && !$handler{$_} } sort keys %defined;
ok !@faults, 'every source implements its own header'
  or diag join "\n", splice @faults, 0, 60;
done_testing;
