# What the compiler and the linker were told to do against faults of memory, as
# the built programs show it, and which libraries come with them.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use Test::More;

chdir abs_path("$FindBin::Bin/../..") or die "no root: $!\n";
my $build = $ENV{VERIFY_BUILD} // 'build';
plan skip_all => 'sanitizers replace what is looked for' if $build =~ /asan/;
my $is_x86 = `uname -m` =~ /x86_64/;

sub readelf {
  my ($options, @files) = @_;
  # It says of each function that the loader chooses (analyze/vector.h) that debug
  # information of such a kind is passed over.
  open my $output, '-|', 'sh', '-c', 'exec readelf -W "$@" 2>/dev/null', 'readelf',
    $options, @files or die "readelf: $!\n";
  local $/;
  my $text = <$output>;
  close $output or die "readelf $options @files: status $?\n";
  return $text;
}

# The notes of the C library's own beginnings of a program: the linker grants a
# protection to a program when all parts of it have it.
my $begin = `gcc -print-file-name=crti.o` =~ s/\n//r;
my $protected = qr/x86 feature: IBT, SHSTK/;
my $libc_is_protected = readelf('-n', $begin) =~ $protected;

for my $name (qw(mod_verify.so verifyctl verify-analyze)) {
  my $file = "$build/$name";
  subtest $name => sub {
    like readelf('-h', $file), qr/Type:\s+DYN/, 'loads at any address';
    my $dynamic = readelf('-d', $file);
    like $dynamic, qr/\bBIND_NOW\b/, 'binds all names before it begins';
    unlike $dynamic, qr/R(?:UN)?PATH/, 'names no folder for libraries';
    unlike $dynamic, qr/TEXTREL/, 'changes no code of its own';
    my $segments = readelf('-l', $file);
    like $segments, qr/GNU_RELRO/, 'what is bound is read-only';
    like $segments, qr/GNU_STACK(?:\s+0x\w+){5}\s+RW\s/, 'the stack is no code';
    unlike $segments, qr/LOAD(?:\s+0x\w+){5}\s+RWE/, 'no memory is data and code';
    my $symbols = readelf('--dyn-syms', $file);
    like $symbols, qr/__stack_chk_fail/, 'stacks are guarded';
    my @checked = $symbols =~ /\b__(\w+)_chk\b/g;
    cmp_ok scalar @checked, '>=', 3, "functions are checked: @checked";
    if ($is_x86 && $libc_is_protected && $name eq 'mod_verify.so') {
      like readelf('-n', $file), $protected, 'branches and returns are tracked';
    }
    my @unused = map { /^\s+(\S+)$/ ? $1 : () } `ldd -u $file`;
    is_deeply [grep { !m{/(?:libm|libgcc_s|ld-linux\S*)\.so} } @unused], [],
      'calls each library that it names';
  };
}
diag "$begin is without IBT and SHSTK, and so are all programs linked with it"
  if $is_x86 && !$libc_is_protected;

# By what was recorded of each compilation, in each object of ours. What is left
# of a source that is gone is in nothing that is linked. An older release is built
# without optimization and only to be upgraded from (t/lib/Verify/Release.pm).
my @objects = grep {
  my $source = s{\A\Q$build\E/}{}r =~ s/\.o\z//r;
  -e "$build/$source.c" || grep { -e "mod_verify/$source.$_" } qw(c cpp)
} split /\n/, `find $build -path '*/t/releases' -prune -o -name '*.o' -print`;
cmp_ok scalar @objects, '>', 100, 'there are objects';
my %without;
for my $object (@objects) {
  my $producer = join ' ',
    readelf('--debug-dump=info', $object) =~ /DW_AT_producer.*/g;
  for my $flag (qw(-fstack-protector-strong -fstack-clash-protection),
    $is_x86 ? '-fcf-protection=full' : ()) {
    push @{$without{$flag}}, $object if index($producer, $flag) < 0;
  }
  push @{$without{'IBT, SHSTK'}}, $object
    if $is_x86 && readelf('-n', $object) !~ $protected;
}
is_deeply \%without, {}, 'each object is built with all protections';
like `make --no-print-directory -n -W mod_verify/mod_verify.c BUILD=$build all`,
  qr/-D_FORTIFY_SOURCE=3\b.* -O2\b/, 'functions are checked at the highest level';

# What the reader of photos maps is within reach of a photo that took it over.
# libcrypto is there for the signatures of chips and wallets.
SKIP: {
  my $static = `gcc -print-file-name=libtesseract.a`;
  skip 'there is no static Tesseract on this machine', 1 unless $static =~ m{^/};
  my $mapped = `ldd $build/verify-analyze`;
  my @libraries = $mapped =~ /^\s+(\S+?)\.so/mg;
  cmp_ok scalar @libraries, '>', 5, 'verify-analyze has libraries';
  is_deeply [grep { /curl|ldap|krb5|gss|ssl|gnutls|archive|xml|ssh|nghttp/ }
      @libraries], [], 'none of them is for networks or archives';
}
done_testing;
