package Verify::Wallet;
# A third-party wallet, t/wallet/wallet.mjs, as a separate process: each call is
# one of its operations and returns its result.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use IPC::Open2 qw(open2);
use JSON::PP ();

my $root = abs_path(dirname(__FILE__) . '/../../..');
my $json = JSON::PP->new->utf8->canonical->allow_nonref;

# CA_FILE: PEM of the authority of the service.
sub start {
  my ($class, $ca_file) = @_;
  system("$root/scripts/fetch-test-modules", "$root/t/wallet") == 0
    or die "no modules for the wallet\n";
  my $self = bless {}, $class;
  local $ENV{NODE_EXTRA_CA_CERTS} = $ca_file;
  $self->{pid} = open2($self->{out}, $self->{in}, 'node',
    "$root/t/wallet/wallet.mjs");
  return $self;
}

# The result of OPERATION; dies if the wallet failed.
sub does {
  my ($self, $operation, %options) = @_;
  print {$self->{in}} $json->encode({operation => $operation, %options}), "\n";
  $self->{in}->flush;
  my $line = readline $self->{out};
  die "the wallet has ended\n" unless defined $line;
  my $result = $json->decode($line);
  die "the wallet failed: $result->{failed}\n" if $result->{failed};
  return $result;
}

sub DESTROY {
  my ($self) = @_;
  local ($?, $!);
  close $self->{in};
  # Processes forked in the meantime have the pipe open, too.
  kill TERM => $self->{pid};
  waitpid $self->{pid}, 0;
}

1;
