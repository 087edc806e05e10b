# scripts/fetch-models against registries and mirrors of the test's own: what it
# installs, what it refuses, and what it says to someone without internet access.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use Digest::SHA qw(sha256_hex);
use File::Copy qw(copy);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use FindBin;
use IO::Socket::INET;
use POSIX ();
use Test::More;
use Time::HiRes qw(time);

my $root = abs_path("$FindBin::Bin/../..");
my $top = tempdir(CLEANUP => 1);
sub write_file {
  my ($path, $text) = @_;
  make_path($path =~ s{/[^/]*\z}{}r);
  open my $file, '>', $path or die "$path: $!\n";
  print $file $text;
  close $file or die "$path: $!\n";
}
sub read_file {
  open my $file, '<', $_[0] or return undef;
  local $/;
  return scalar <$file>;
}

# A checkout with a list of its own, and a PATH without npm.
make_path("$top/checkout/scripts", "$top/bin", "$top/home");
copy("$root/scripts/fetch-models", "$top/checkout/scripts/") or die "$!\n";
for my $tool (qw(bash awk cat cp curl dirname head install mkdir mktemp mv rm sed
  sha256sum tail tar gzip timeout tr)) {
  my ($path) = grep { -x } map { "$_/$tool" } split /:/, $ENV{PATH};
  symlink $path, "$top/bin/$tool" or die "$tool: $!\n";
}
my %content = ('whole.bin' => "all of it\n", 'part.bin' => 'middle',
  'dashboard/lib.mjs' => "export {}\n", 'zipped.bin' => "in an archive\n");
my $list = '';
for my $row (['dashboard/lib.mjs', 'plain@1.2.3', 'package/lib.js', '-'],
  ['whole.bin', '@scope/models@4.5.6', 'package/whole', '-'],
  ['part.bin', '@scope/models@4.5.6', 'package/parts', '7+6'],
  ['zipped.bin', '@scope/models@4.5.6', 'package/a.zip', 'inner/file']) {
  $list .= join(' ', $row->[0], sha256_hex($content{$row->[0]}), @$row[1 .. 3]) . "\n";
}
write_file("$top/checkout/apxs/models.txt", "# A comment.\n\n$list");

# The two packages, as a registry has them, and a mirror of the files.
write_file("$top/plain/package/lib.js", $content{'dashboard/lib.mjs'});
write_file("$top/models/package/whole", $content{'whole.bin'});
write_file("$top/models/package/parts", 'before middle after');
write_file("$top/models/inner/file", $content{'zipped.bin'});
system("cd $top/models && /usr/bin/python3 -m zipfile -c package/a.zip inner") == 0
  or die "no zip archive\n";
make_path("$top/registry/plain/-", "$top/registry/\@scope/models/-");
system('tar', '-C', "$top/plain", '-czf', "$top/registry/plain/-/plain-1.2.3.tgz",
  'package') == 0 or die "no tarball\n";
system('tar', '-C', "$top/models", '-czf',
  "$top/registry/\@scope/models/-/models-4.5.6.tgz", 'package') == 0
  or die "no tarball\n";
write_file("$top/mirror/$_", $content{$_}) for keys %content;

# Serves DIRECTORY, or with none never answers; writes the paths asked for to $top/asked.
my @servers;
sub serve {
  my ($directory, $tls) = @_;
  my $socket = IO::Socket::INET->new(Listen => 20, LocalAddr => '127.0.0.1')
    or die "no socket: $!\n";
  my $pid = fork // die "fork: $!\n";
  if (!$pid) {
    local $SIG{TERM} = sub { POSIX::_exit(0) };
    answer($socket, $directory, $tls);
    POSIX::_exit(1);
  }
  push @servers, $pid;
  return $socket->sockport;
}
sub answer {
  my ($socket, $directory, $tls) = @_;
  my @held;
  while (my $client = $socket->accept) {
    if ($tls) {
      IO::Socket::SSL->start_SSL($client, SSL_server => 1, %$tls) or next;
    }
    my $request = <$client> // next;
    my ($path) = $request =~ m{^GET /(\S+)};
    while (my $line = <$client>) { last if $line =~ /^\r?\n/ }
    if (!$directory) {
      push @held, $client;
      next;
    }
    open my $asked, '>>', "$top/asked";
    print $asked "$path\n";
    close $asked;
    my $body = read_file("$directory/" . $path =~ s/%40/@/gr);
    printf $client "HTTP/1.1 %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
      defined $body ? '200 OK' : '404 Not Found', length($body // ''), $body // '';
    close $client;
  }
}

my $number = 0;
sub fetch { # environment; what came of it
  my (%environment) = @_;
  my $to = "$top/to" . ++$number;
  make_path($to);
  my $prefix = delete $environment{prefix} // '';
  my $prepare = delete $environment{prepare};
  $prepare->($to) if $prepare;
  unlink "$top/asked";
  my %kept = (PATH => "$top/bin", HOME => "$top/home", %environment);
  my $before = time;
  my $said = do {
    local %ENV = %kept;
    `bash $top/checkout/scripts/fetch-models $to $prefix 2>&1 </dev/null`;
  };
  return {status => $? >> 8, said => $said, seconds => time - $before,
    asked => [split /\n/, read_file("$top/asked") // ''],
    found => {map { my $text = read_file("$to/$_"); defined $text ? ($_ => $text) : () }
      keys %content}};
}
my $by_hand = qr/^fetch-models: To provide the file by hand, .*VERIFY_MODELS_MIRROR=/m;

my $port = serve("$top/registry");
my @packages = ('plain/-/plain-1.2.3.tgz', '@scope/models/-/models-4.5.6.tgz');
my $all = fetch(npm_config_registry => "http://127.0.0.1:$port/");
is $all->{status}, 0, 'from a registry, without npm' or diag $all->{said};
is_deeply $all->{found}, \%content, '... whole files, bytes of one, a file of an archive';
is_deeply $all->{asked}, \@packages, '... each package once';
like $all->{said}, qr/^  FETCH    plain\@1\.2\.3$/m, '... it says what it fetches';
like $all->{said}, qr/^  FETCHED  plain\@1\.2\.3: \d+\.\d MB in \d+\.\d s$/m,
  '... and how long that took';

write_file("$top/home/.npmrc", "fund=false\nregistry = http://127.0.0.1:$port/\n");
my $some = fetch(prefix => 'dashboard/');
is_deeply $some->{found}, {'dashboard/lib.mjs' => $content{'dashboard/lib.mjs'}},
  "from the registry of ~/.npmrc, only what is asked for" or diag $some->{said};
unlink "$top/home/.npmrc";

my $present = fetch(npm_config_registry => "http://127.0.0.1:$port",
  prepare => sub { write_file("$_[0]/$_", $content{$_}) for 'whole.bin', 'part.bin';
    write_file("$_[0]/dashboard/lib.mjs", $content{'dashboard/lib.mjs'});
    write_file("$_[0]/zipped.bin", 'damaged') });
is_deeply $present->{asked}, [$packages[1]], 'what is there and right is not fetched again';
is $present->{found}{'zipped.bin'}, $content{'zipped.bin'}, '... what is damaged is';

my $directory = fetch(VERIFY_MODELS_MIRROR => "$top/mirror");
is $directory->{status}, 0, 'from a directory' or diag $directory->{said};
is_deeply $directory->{found}, \%content, '... all files';
my $mirror_port = serve("$top/mirror");
my $web = fetch(VERIFY_MODELS_MIRROR => "http://127.0.0.1:$mirror_port/");
is_deeply $web->{found}, \%content, 'from a web server' or diag $web->{said};

subtest 'a wrong checksum' => sub {
  write_file("$top/mirror/whole.bin", "forged\n");
  my $wrong = fetch(VERIFY_MODELS_MIRROR => "$top/mirror");
  is $wrong->{status}, 1, 'is an error';
  is $wrong->{found}{'whole.bin'}, undef, 'the file is not installed';
  like $wrong->{said}, qr{to\d+/whole\.bin: .*checksum}, 'it is named';
  like $wrong->{said}, $by_hand, '... with what to do';
};
subtest 'a mirror that lacks a file' => sub {
  unlink "$top/mirror/whole.bin";
  my $lacking = fetch(VERIFY_MODELS_MIRROR => "$top/mirror");
  is $lacking->{status}, 1, 'is an error';
  like $lacking->{said}, qr{whole\.bin: VERIFY_MODELS_MIRROR=\S+ lacks it}, 'it is named';
  my $missing = fetch(VERIFY_MODELS_MIRROR => "http://127.0.0.1:$mirror_port");
  like $missing->{said}, qr{whole\.bin: .*\b404\b}, '... also of a web server';
};
subtest 'a server that does not answer' => sub {
  my $silent = serve(undef);
  my $hung = fetch(npm_config_registry => "http://user:secret\@127.0.0.1:$silent",
    VERIFY_FETCH_SECONDS => 2);
  is $hung->{status}, 1, 'is an error';
  cmp_ok $hung->{seconds}, '<', 20, '... soon';
  like $hung->{said}, qr{dashboard/lib\.mjs:\ plain\@1\.2\.3\ could\ not\ be\ downloaded:
    \ 127\.0\.0\.1:$silent\ sent\ nothing\ for\ 2\ seconds}x, 'file and server are named';
  like $hung->{said}, $by_hand, '... with what to do';
  unlike $hung->{said}, qr/secret/, 'but no password';
};
subtest 'a certificate that nobody trusts' => sub {
  plan skip_all => 'no IO::Socket::SSL' unless eval { require IO::Socket::SSL };
  is system("openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost "
    . "-keyout $top/tls.key -out $top/tls.pem 2>$top/openssl.log"), 0, 'is made';
  my $untrusted = serve("$top/registry",
    {SSL_cert_file => "$top/tls.pem", SSL_key_file => "$top/tls.key"});
  my $refused = fetch(npm_config_registry => "https://127.0.0.1:$untrusted");
  is $refused->{status}, 1, 'is an error';
  cmp_ok $refused->{seconds}, '<', 20, '... at once';
  like $refused->{said}, qr/does not trust the TLS certificate of 127\.0\.0\.1/,
    '... in clear words';
  like $refused->{said}, qr/update-ca-certificates/, '... with what to do';
};

for my $pid (@servers) {
  kill TERM => $pid;
  waitpid $pid, 0;
  is $?, 0, 'a server ends in order';
}
done_testing;
