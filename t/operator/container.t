# The container file: each instruction is one that builders know, what it copies is
# in the tree and not left out, and its last stage, carried out in a clean root with
# the packages of make deb, serves without root and ends when it is told. A builder
# itself would fetch its base; the clean root of make deb-root is that base here.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use FindBin;
use JSON::PP ();
use Test::More;

my $root = abs_path("$FindBin::Bin/../..");
chdir $root or die "$root: $!\n";
my $build = $ENV{VERIFY_BUILD} // 'build';
my $file = 'apxs/container/Containerfile';
sub text_of {
  open my $in, '<', $_[0] or return '';
  local $/;
  return <$in>;
}

# --- what it says ---

my $text = text_of($file);
$text =~ s/^\s*#.*\n//mg;
$text =~ s/\\\n//g;
my @instructions = map { /^([A-Z]+)\s+(.*?)\s*\z/ ? [$1, $2] : [$_, ''] }
  grep { /\S/ } split /\n/, $text;
my %known = map { $_ => 1 } qw(FROM RUN COPY ENV USER EXPOSE WORKDIR STOPSIGNAL
  HEALTHCHECK CMD);
is_deeply [grep { !$known{$_->[0]} } @instructions], [], 'instructions are known';
my @stages;
for my $instruction (@instructions) {
  push @stages, [] if $instruction->[0] eq 'FROM';
  push @{$stages[-1]}, $instruction;
}
is scalar @stages, 2, 'it has two stages';
sub of { # the last one of that name of the last stage
  my ($name) = @_;
  my ($value) = map { $_->[1] } grep { $_->[0] eq $name } reverse @{$stages[-1]};
  return $value // '';
}
is of('USER'), 'www-data', 'it does not run as root';
like of('EXPOSE'), qr/\A[0-9]{4,5}\z/, 'at a port that needs no root';
my $port = of('EXPOSE');
like text_of('apxs/container/httpd.conf'), qr/^Listen $port$/m, 'which httpd listens on';
my $command = eval { JSON::PP::decode_json(of('CMD')) };
my ($check) = of('HEALTHCHECK') =~ /CMD\s+(\[.*\])/;
$check = eval { JSON::PP::decode_json($check) };
ok $command && $check, 'command and check of health are lists, without a shell';
like "@$command", qr/FOREGROUND/, 'httpd stays in the foreground';

my %ignored = map { $_ => 1 } grep { /\S/ && !/^#/ } split /\n/,
  text_of("$file.dockerignore");
is_deeply [grep { $ignored{$_} } qw(apxs conf mod_verify scripts sql .models LICENSE
  Makefile README.md)], [], 'what is built from is not left out';
is_deeply [grep { !$ignored{$_} } qw(.git build .run)], [], 'what is of this machine is';
for my $stage (@stages) {
  for (map { $_->[1] } grep { $_->[0] eq 'COPY' } @$stage) {
    my @paths = split ' ';
    pop @paths;
    is_deeply [grep { !-e } @paths], [], "what is copied is there: @paths";
  }
}

# --- what comes of it ---

subtest 'in a clean root' => sub {
  my @packages = glob "$build/deb/*.deb";
  my $tar = "$build/deb-root.tar";
  plan skip_all => 'no packages: make deb' unless @packages;
  plan skip_all => 'no clean root: make deb-root' unless -e $tar;
  plan skip_all => 'not root' if $>;
  plan skip_all => 'namespaces are refused here'
    if system 'unshare --mount --pid --net --fork true 2>/dev/null';
  my $where = tempdir(CLEANUP => 1);
  is system("tar -C $where -xf $tar --exclude=./dev"), 0, 'the root is unpacked';
  mkdir "$where/$_" for qw(root/deb dev);
  is system("cp @packages $where/root/deb"), 0, 'with what the first stage makes';
  write_image($where);
  is system("cp t/lib/try_container.sh $where/root/try"), 0, 'and what is done';
  my $inside = join ' && ', "mount --bind $where $where",
    "mount --rbind /dev $where/dev", "mount -t proc proc $where/proc",
    "mount -t tmpfs tmpfs $where/dev/shm",
    "chroot $where /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "
      . 'sh /root/try';
  my $said = `unshare --mount --propagation private --pid --net --uts --ipc --fork sh -c '$inside' 2>&1`;
  is $?, 0, 'all of it' or diag $said;
  is_deeply [$said =~ /^ok: (.*)/mg], ['the image is made',
    'of it nothing runs as root', 'its verifyctl applies the schema',
    'it is healthy, as the file asks', 'httpd is not root', 'nor may it become so',
    'a session', 'the reader of documents', 'it ends as the file says', 'its logs',
    'done'], 'step by step';
};

# The last stage as a script, with what a builder would do for each instruction.
sub write_image {
  my ($where) = @_;
  my %out = ('make-image' => '', environment => '', user => '', stop => '');
  for (@{$stages[-1]}) {
    my ($name, $value) = @$_;
    if ($name eq 'RUN') {
      # The packages are where the first stage has left them.
      my ($target) = $value =~ s/^--mount=type=bind,(\S+)\s+// ? $1 =~ /target=([^,]+)/ : ();
      $out{'make-image'} .= "ln -s /root/deb $target\n" if $target;
      $out{'make-image'} .= "($value)\n";
      $out{'make-image'} .= "rm $target\n" if $target;
    }
    elsif ($name eq 'COPY') {
      my ($from, $to) = split ' ', $value;
      system "cp $from $where/root/copied-" . ($from =~ s{/}{-}gr);
      $out{'make-image'} .= 'cp /root/copied-' . ($from =~ s{/}{-}gr) . " $to\n";
    }
    elsif ($name eq 'ENV') { $out{environment} .= "export $value\n" }
    elsif ($name eq 'USER') { $out{user} = $value }
    elsif ($name eq 'STOPSIGNAL') { $out{stop} = $value =~ s/^SIG//r }
  }
  my $quoted = sub { join ' ', map { "'" . s/'/'\\''/gr . "'" } @_ };
  $out{command} = 'set -- ' . $quoted->(@$command) . "\n";
  $out{health} = $quoted->(@$check) . "\n";
  for my $name (keys %out) {
    open my $file, '>', "$where/root/$name" or die "$name: $!\n";
    print $file $out{$name};
    close $file;
  }
}
done_testing;
