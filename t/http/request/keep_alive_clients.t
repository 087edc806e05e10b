# Clients that others wrote keep their connections between requests, for longer
# than any request may take, and lose nothing. They repeat no POST by themselves.
use v5.32;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use IPC::Open2;
use JSON::PP ();
use Verify::Test;

my $lib = "$FindBin::Bin/../../lib";
my $idle = 2.5;
my $service = Verify::Instance->start(conf => <<'CONF');
VerifyRateLimit secret 1000000
VerifyHeadTime 2
VerifySmallBodyTime 2
RequestReadTimeout handshake=2 header=2 body=2
CONF
my $organization = $service->organization(sandbox => 1, workflow => 1);
my $body = qq({"workflow_id":"$organization->{workflow_id}","type":"age",)
  . qq("jurisdiction":"US-MD"});

sub has_command { system("command -v $_[0] >/dev/null 2>&1") == 0 }

# Sixteen runs at once, each on a connection of its own.
sub losses_of {
  my (@command) = @_;
  my $pid = open2(my $out, my $in, @command, $service->{http_port}, $idle, 16);
  print $in JSON::PP::encode_json({body => $body, headers => {
    Authorization => "Bearer $organization->{secret_key}",
    'Content-Type' => 'application/json'}});
  close $in;
  my $result = JSON::PP::decode_json(do { local $/; <$out> } || '{}');
  waitpid $pid, 0;
  is $?, 0, 'it ends';
  is $result->{sent}, 160, 'all was sent';
  ok !@{$result->{lost}}, 'nothing is lost' or diag join "\n", @{$result->{lost}};
}

subtest 'http.client of Python' => sub {
  plan skip_all => 'there is no python3' unless has_command('python3');
  losses_of('python3', "$lib/kept_client.py");
};

subtest 'the agent of node' => sub {
  plan skip_all => 'there is no node' unless has_command('node');
  losses_of('node', "$lib/kept_client.mjs");
};

# Its transfers come one after another, each a pause behind the one before.
subtest 'curl' => sub {
  my $url = $service->base_url . '/v1/verification_sessions';
  my @options = ('-s', '-o', '/dev/null', '-w', '%{http_code} %{num_connects}\n',
    '-H', "Authorization: Bearer $organization->{secret_key}");
  my @create = (@options, '-H', 'Content-Type: application/json', '-d', $body, $url);
  my @read = (@options, $url);
  open my $curl, '-|', 'curl', '--rate', '24/m',
    map({ @$_, '--next' } \@create, \@create, \@read, \@read), @create
    or die "curl: $!\n";
  my @lines = <$curl>;
  close $curl;
  is join('', @lines), "201 1\n201 0\n200 0\n200 0\n201 0\n", 'nothing is lost, on one connection';
};

finish($service);
