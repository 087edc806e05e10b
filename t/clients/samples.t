# The code samples of the description (mod_verify/api/samples.json): each of them, run with
# the client library of its language, sends the request that was recorded and understands
# its response.
use v5.32;
use warnings;
use Cwd qw(getcwd);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use FindBin;
use JSON::PP ();
use Test::More;
use lib "$FindBin::Bin/../lib";
use Verify::Clients;

chdir "$FindBin::Bin/../.." or die;
my $root = getcwd();
my $json = JSON::PP->new->utf8->canonical;
sub read_json {
  open my $file, '<:raw', $_[0] or die "$_[0]: $!\n";
  local $/;
  return $json->decode(readline $file);
}
sub write_text {
  my ($path, $text) = @_;
  open my $file, '>:utf8', $path or die "$path: $!\n";
  print $file $text;
  close $file or die "$path: $!\n";
}
my ($examples, $samples) = map { read_json("mod_verify/api/$_.json") } qw(examples samples);
my @operations = Verify::Clients->new->operations;
my $directory = tempdir(CLEANUP => 1);

# --- a service that answers as recorded ---

package RecordedService {
  use parent 'Verify::Server';

  sub serve_connection {
    my ($self, $socket) = @_;
    while (defined(my $line = <$socket>)) {
      my ($method, $target) = $line =~ m{\A(\w+) (\S+) HTTP/1\.1\r\n\z} or return;
      my %headers;
      while (defined(my $header = <$socket>)) {
        last if $header eq "\r\n";
        $headers{lc $1} = $2 if $header =~ /\A([^:]+): *(.*?)\r\n\z/;
      }
      read $socket, my $body, $headers{'content-length'} // 0;
      my ($path, $query) = split /\?/, $target, 2;
      $self->append('requests.jsonl', {method => $method, path => $path, query => $query,
        body => $body, key => $headers{authorization}});
      $self->answer($socket, $method, $path);
      return if lc($headers{connection} // '') eq 'close';
    }
  }
  sub answer {
    my ($self, $socket, $method, $path) = @_;
    my ($name) = grep { my ($verb, $template) = split / /;
      my $pattern = join '[^/]+', map { quotemeta } split /\{\w+\}/, $template, -1;
      $verb eq $method && $path =~ /\A$pattern\z/ } @{$self->{names}};
    my $example = $self->{examples}{$name // ''} // {status => 200, response => {id => 'none'}};
    my $text = JSON::PP->new->utf8->encode({%{$example->{response}},
      exists $example->{response}{has_more} ? (has_more => JSON::PP::false) : ()});
    syswrite $socket, "HTTP/1.1 $example->{status} OK\r\nContent-Type: application/json\r\n"
      . 'Content-Length: ' . length($text) . "\r\n\r\n$text";
  }
}
my $service = RecordedService->new(directory => "$directory/service", examples => $examples,
  names => [map { "$_->{method} $_->{path}" } @operations])->start;

# --- the programs: all samples of a language, one after the other ---

sub node {
  my ($folder, @sources) = @_;
  make_path("$folder/node_modules");
  symlink "$root/conf/clients/node", "$folder/node_modules/mod-verify-client" or die "$!\n";
  write_text("$folder/$_.mjs", $sources[$_]) for 0 .. $#sources;
  write_text("$folder/all.mjs", join '', map { "await import('./$_.mjs');\n" } 0 .. $#sources);
  return 'node all.mjs';
}
sub python {
  my ($folder, @sources) = @_;
  symlink "$root/conf/clients/python/mod_verify_client", "$folder/mod_verify_client" or die "$!\n";
  write_text("$folder/sample_$_.py", $sources[$_]) for 0 .. $#sources;
  write_text("$folder/all.py", join '', map { "import sample_$_\n" } 0 .. $#sources);
  return 'python3 -B all.py';
}
sub php {
  my ($folder, @sources) = @_;
  symlink "$root/conf/clients/php", "$folder/mod-verify-client" or die "$!\n";
  write_text("$folder/$_.php", $sources[$_]) for 0 .. $#sources;
  write_text("$folder/all.php", join '', "<?php\n", map { "require '$_.php';\n" } 0 .. $#sources);
  return 'php all.php';
}
sub java {
  my ($folder, @sources) = @_;
  write_text("$folder/Sample$_.java", $sources[$_] =~ s/class Sample\b/class Sample$_/r)
    for 0 .. $#sources;
  write_text("$folder/All.java", join '', "class All {\n    public static void main(String[] none) {\n",
    (map { "        Sample$_.main(none);\n" } 0 .. $#sources), "    }\n}\n");
  return "javac -Xlint:all -Werror -d . $root/conf/clients/java/src/main/java/modverify/*.java *.java"
    . ' && java All';
}
my %languages = (javascript => [\&node, 'node --version'], python => [\&python, 'python3 --version'],
  php => [\&php, 'php --version'], java => [\&java, 'java --list-modules | grep -q jdk.compiler']);

# --- what they send ---

sub decoded {
  my ($query) = @_;
  return [sort map { tr/+/ /r =~ s/%(..)/chr hex $1/ger } split /&/, ($query // '') =~ s/\A\?//r];
}
# What was recorded of OPERATION, with what stands for ids.
sub expected {
  my ($operation) = @_;
  my $example = $examples->{"$operation->{method} $operation->{path}"} // {};
  my @query = @{decoded($example->{query})};
  # The libraries read lists in the largest pages.
  push @query, 'limit=100' if $operation->{list} && !grep { /\Alimit=/ } @query;
  my $path = join '[a-z]+_[0-9a-f]+', map { quotemeta } split /\{\w+\}/, $operation->{path}, -1;
  return {method => $operation->{method}, path => qr/\A$path\z/, query => [sort @query],
    body => $example->{request}};
}

for my $language (sort keys %languages) {
  my ($prepare, $asked) = @{$languages{$language}};
  SKIP: {
    skip "$language is not on this machine", 1 if system("$asked >/dev/null 2>&1");
    subtest $language => sub {
      my @sources = map { my ($sample) = grep { $_->{lang} eq $language } @{$samples->{$_->{id}}};
        $sample->{source} } @operations;
      make_path("$directory/$language");
      my $command = $prepare->("$directory/$language", @sources);
      local @ENV{qw(VERIFY_URL VERIFY_SECRET_KEY)} = ("http://127.0.0.1:$service->{port}", 'svc_sk_sample');
      unlink "$service->{directory}/requests.jsonl";
      my $output = qx(cd '$directory/$language' && ($command) 2>&1);
      is $?, 0, $command or diag substr $output, -2000;
      my @requests = $service->records('requests.jsonl');
      is @requests, @operations, 'each sends one request';
      for my $operation (@operations) {
        my ($request, $expected) = (shift @requests, expected($operation));
        is $request->{method}, $expected->{method}, "$operation->{id}: method";
        like $request->{path}, $expected->{path}, '... path';
        is_deeply decoded($request->{query}), $expected->{query}, '... query';
        is $request->{key}, 'Bearer svc_sk_sample', '... key';
        my $body = length $request->{body} ? $json->decode($request->{body}) : undef;
        is_deeply $body // {}, $expected->{body} // {}, '... body';
      }
    };
  }
}

$service->stop;
is $?, 0, 'the service ends well';
done_testing;
