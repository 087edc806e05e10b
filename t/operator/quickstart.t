# The quick start's shops, as its page says to run them: an order, a session, its
# outcome by a test value, the webhook through verifyctl listen. Then the first program of
# each client library, as its page says.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Digest::SHA qw(hmac_sha256_hex);
use HTTP::Tiny;
use JSON::PP ();
use Verify::Test;

my $root = abs_path("$FindBin::Bin/../..");
my $service = Verify::Instance->start;
my $sandbox = $service->organization(sandbox => 1, workflow => 1);
my $http = HTTP::Tiny->new(max_redirect => 0, timeout => 30);
my @pids;
local %ENV = (%ENV, VERIFY_URL => $service->base_url,
  VERIFY_SECRET_KEY => $sandbox->{secret_key},
  VERIFY_WORKFLOW => $sandbox->{workflow_id},
  SHOP_ORDERS => $service->{directory});

sub begin {
  my ($output, @command) = @_;
  my $pid = fork // die "cannot fork: $!\n";
  if (!$pid) {
    $service->{owner} = 0;
    open STDIN, '<', '/dev/null';
    open STDOUT, '>', $output or die;
    open STDERR, '>', "$output.err" or die;
    exec @command or CORE::exit(127);
  }
  push @pids, $pid;
  return $pid;
}
sub end {
  my ($pid) = @_;
  @pids = grep { $_ != $pid } @pids;
  kill TERM => $pid;
  waitpid $pid, 0;
}
END { local $?; kill TERM => @pids if @pids }

# A language is here when its command runs; the first has no wrapper in front.
sub has {
  my (@command) = @_;
  return system("@command >/dev/null 2>&1") == 0;
}

sub order_of {
  my ($shop, $value) = @_;
  my $answer = $http->post("$shop/orders");
  is $answer->{status}, 303, 'an order leads away';
  my ($session) = ($answer->{headers}{location} // '') =~ m{/verify/(vks_\w+)#.+};
  ok $session, 'to the page of a session' or diag $answer->{content};
  my $order = $answer->{headers}{'x-order'};
  my $path = "$shop/orders/$order";
  is $http->get($path)->{content}, 'waits', 'nothing is sold yet';
  answer_is $sandbox->{client}->post("/v1/verification_sessions/$session/test_outcome",
    {value => $value, final => JSON::PP::true}), 200, $value;
  return ($path, $order);
}
sub forged_order {
  my ($shop, $secret, $age) = @_;
  my $answer = $http->post("$shop/orders");
  my $order = $answer->{headers}{'x-order'};
  my $body = qq({"id":"evt_1","object":"event","type":"verification_session.verified",)
    . qq("data":{"object":{"client_reference_id":"$order"}}});
  my $time = time - $age;
  my $posted = $http->post("$shop/webhooks", {content => $body, headers => {
    'Content-Type' => 'application/json', 'Service-Signature' => "t=$time,v1="
      . hmac_sha256_hex("$time.$body", $secret)}});
  return ($posted->{status}, $http->get("$shop/orders/$order")->{content});
}

# The program of a client's page, in a folder of its own that has the package: its name,
# and the commands that the page runs.
my %firsts = (
  java => sub {
    my ($folder) = @_;
    return ('First.java', ['sh', '-c', 'javac -d "$0" "$1"/conf/clients/java/src/main/java/modverify/*.java'
      . ' "$0/First.java" && exec java -cp "$0" First', $folder, $root]);
  },
  node => sub {
    my ($folder) = @_;
    mkdir "$folder/node_modules";
    symlink "$root/conf/clients/node", "$folder/node_modules/mod-verify-client";
    return ('first.mjs', ['node', "$folder/first.mjs"]);
  },
  php => sub {
    my ($folder, $port) = @_;
    symlink "$root/conf/clients/php", "$folder/mod-verify-client";
    return ('first.php', ['php', '-S', "127.0.0.1:$port", "$folder/first.php"],
      ['php', "$folder/first.php"]);
  },
  python3 => sub {
    my ($folder) = @_;
    symlink "$root/conf/clients/python/mod_verify_client", "$folder/mod_verify_client";
    return ('first.py', ['python3', '-B', "$folder/first.py"]);
  },
);
sub first_webhook {
  my ($language, $port) = @_;
  my $folder = "$service->{directory}/first-$language";
  mkdir $folder;
  my ($name, @commands) = $firsts{$language}->($folder, $port);
  my $page = 'conf/clients/' . ($language =~ s/\d\z//r) . '/README.md';
  my ($program) = Verify::Instance::read_text($page)
    =~ /as `\Q$name\E`.*?\n( *)```\w+\n(?<code>.*?)\n\1```\n/s ? $+{code} =~ s/^ {3}//mgr : undef;
  ok $program, "$page has $name";
  open my $file, '>', "$folder/$name" or die "$folder: $!\n";
  print $file $program;
  close $file;
  my @started;
  for my $command (@commands) {
    wait_for { $http->get("http://127.0.0.1:$port/")->{status} != 599 } if @started;
    push @started, begin("$folder/output" . @started, @$command);
  }
  my $output = sub { join '', map { Verify::Instance::read_text($_) } reverse glob "$folder/output*" };
  ok +(wait_for { $output->() =~ /^created (vks_\w+)\n(?:.*\n)*.*verification_session\.verified \1$/m } 60),
    'its first verified webhook' or diag $output->();
  end($_) for @started;
}

my %commands = (
  node => sub { ['node', '--version'], ['node', 'conf/quickstart/shop.mjs'] },
  python3 => sub { ['python3', '--version'], ['python3', 'conf/quickstart/shop.py'] },
  php => sub { ['php', '--version'],
    ['php', '-S', "127.0.0.1:$_[0]", 'conf/quickstart/shop.php'] },
  java => sub { ['java', '--list-modules', '|', 'grep', '-q', 'jdk.compiler'],
    ['sh', '-c', 'javac -d "$0" conf/clients/java/src/main/java/modverify/*.java conf/quickstart/Shop.java'
      . ' && exec java -cp "$0" Shop', "$service->{directory}/shop"] },
);
for my $language (sort keys %commands) {
  my ($port) = Verify::Instance::free_ports(1);
  my ($asked, $command) = $commands{$language}->($port);
  SKIP: {
    skip "$language is not on this machine", 1 unless has(@$asked);
    subtest $language => sub {
      my $shop = "http://127.0.0.1:$port";
      my $output = "$service->{directory}/$language";
      my $listener = begin("$output.listen", 'scripts/verifyctl', 'listen',
        '--forward-to', "$shop/webhooks");
      my $line = wait_for {
        Verify::Instance::read_text("$output.listen") =~ /\A(.*)\n/ && $1 };
      local $ENV{VERIFY_WEBHOOK_SECRET} = JSON::PP::decode_json($line)->{secret};
      local $ENV{PORT} = $port;
      my $pid = begin($output, @$command);
      ok +(wait_for { $http->get("$shop/")->{content} =~ /Buy wine/ } 60),
        'it sells wine';
      my ($path) = order_of($shop, 'passed');
      ok wait_for { $http->get($path)->{content} eq 'verified' }, 'sold';
      ($path) = order_of($shop, 'under_age');
      ok wait_for { $http->get($path)->{content} eq 'failed' }, 'refused';
      is_deeply [forged_order($shop, 'whsec_guess', 0)], [400, 'waits'],
        'a forged webhook sells nothing';
      is_deeply [forged_order($shop, $ENV{VERIFY_WEBHOOK_SECRET}, 400)],
        [400, 'waits'], 'nor does an old one';
      is_deeply [forged_order($shop, $ENV{VERIFY_WEBHOOK_SECRET}, 0)],
        [200, 'verified'], 'which a fresh one does';
      is $http->post("$shop/webhooks", {content => '{}'})->{status}, 400,
        'nor one without a signature';
      is $http->get("$shop/orders/0123456789abcdef")->{status}, 404,
        'an order that nobody made';
      end($pid);
      first_webhook($language, $port) if $firsts{$language};
      end($listener);
    };
  }
}

finish $service;
