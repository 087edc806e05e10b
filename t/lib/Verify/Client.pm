package Verify::Client;
# A client of the service: JSON in, JSON out, one Bearer token. Every answer is
# a Verify::Client::Response and must match the API description (openapi.json);
# otherwise the test fails.
use v5.32;
use warnings;
use IO::Socket::INET;
use JSON::PP ();
use PromptHTTP;
use Test::Builder;
use Verify::Description;

my $json = JSON::PP->new->utf8->canonical->allow_nonref;

# base_url, [token], [ca_file], [headers], [timeout], [local_address],
# [certificate]: path of a client certificate, with its key next to it as .key;
# [older]: 1 for a release before openapi.json, which does not describe it
sub new {
  my ($class, %options) = @_;
  my $http = PromptHTTP->new(
    agent => 'mod_verify-tests', timeout => $options{timeout} // 60,
    keep_alive => 1, max_redirect => 0, verify_SSL => 1,
    local_address => $options{local_address},
    ($options{ca_file} ? (SSL_options => {SSL_ca_file => $options{ca_file},
      $options{certificate} ? (SSL_cert_file => $options{certificate},
        SSL_key_file => $options{certificate} =~ s/\.pem\z/.key/r) : ()}) : ()));
  return bless {%options, http => $http}, $class;
}

# The same service with another token or other headers.
sub with {
  my ($self, %options) = @_;
  return ref($self)->new(%$self, %options);
}

sub get {
  my ($self, $path, %headers) = @_;
  return $self->request('GET', $path, {}, %headers);
}
sub delete {
  my ($self, $path, %headers) = @_;
  return $self->request('DELETE', $path, {}, %headers);
}

# A reference as body is sent as JSON, anything else unchanged.
sub post { $_[0]->request_with_body('POST', @_[1 .. $#_]) }
sub put { $_[0]->request_with_body('PUT', @_[1 .. $#_]) }
sub patch { $_[0]->request_with_body('PATCH', @_[1 .. $#_]) }

sub request_with_body {
  my ($self, $method, $path, $body, %headers) = @_;
  my %options;
  if (defined $body) {
    $options{content} = ref $body ? $json->encode($body) : $body;
    $headers{'Content-Type'} //= 'application/json';
  }
  return $self->request($method, $path, \%options, %headers);
}

sub request {
  my ($self, $method, $path, $options, %headers) = @_;
  my %all = (%{$self->{headers} // {}}, %headers);
  $all{Authorization} //= "Bearer $self->{token}" if defined $self->{token};
  delete @all{grep { !defined $all{$_} } keys %all};
  my $answer = $self->{http}->request($method, $self->{base_url} . $path,
    {%$options, headers => \%all});
  check_description($method, $path, $options->{content}, $answer)
    unless $answer->{status} == 599 # the client's own word for no answer
    || $self->{older};
  return Verify::Client::Response->new($answer);
}

# Prints nothing on success, so that tests need not count these checks.
sub check_description {
  my ($method, $path, $content, $answer) = @_;
  my @faults = Verify::Description->load->faults(method => $method,
    path => $path, request => ref $content ? undef : $content,
    status => $answer->{status}, headers => $answer->{headers},
    body => $answer->{content});
  return unless @faults;
  my $level = 0;
  $level++ while caller($level) =~ /\AVerify::Client/;
  local $Test::Builder::Level = $Test::Builder::Level + $level;
  my $builder = Test::Builder->new;
  $builder->ok(0, 'the answer is as openapi.json describes it');
  $builder->diag(join "\n", splice @faults, 0, 5);
}

# Sends raw bytes over a new connection and returns everything received until
# the service closes it or is silent for `timeout` seconds.
sub raw {
  my ($self, $bytes, $timeout) = @_;
  my ($host, $port) = $self->{base_url} =~ m{\Ahttp://([^:/]+):([0-9]+)}
    or die "raw() needs a plain http base_url\n";
  my $socket = IO::Socket::INET->new(PeerAddr => $host, PeerPort => $port)
    or die "cannot connect: $@\n";
  local $SIG{PIPE} = 'IGNORE';
  syswrite $socket, $bytes;
  my $answer = '';
  my $ready = '';
  vec($ready, fileno $socket, 1) = 1;
  while (select my $read = $ready, undef, undef, $timeout // 10) {
    sysread $socket, $answer, 65536, length $answer or last;
  }
  return $answer;
}

package Verify::Client::Response;
use File::Temp ();
use IO::Uncompress::Gunzip qw(gunzip);

sub new {
  my ($class, $answer) = @_;
  return bless {%$answer}, $class;
}
sub status { $_[0]{status} }
sub body { $_[0]{content} }
sub header {
  my $value = $_[0]{headers}{lc $_[1]};
  return ref $value ? join ', ', @$value : $value;
}

# The body without its Content-Encoding, or undef if it is not encoded so.
sub unpacked {
  my ($self) = @_;
  my $coding = $self->header('Content-Encoding') // 'identity';
  if ($coding eq 'gzip') {
    my ($packed, $text) = $self->body;
    return gunzip(\$packed => \$text) ? $text : undef;
  }
  return $coding eq 'identity' ? $self->body : undef if $coding ne 'br';
  my $file = File::Temp->new;
  binmode $file;
  print $file $self->body;
  close $file or die "$file: $!\n";
  open my $out, '-|:raw', qw(brotli --decompress --stdout), "$file" or die "brotli: $!\n";
  my $text = do { local $/; readline $out };
  return close $out ? $text : undef;
}

# The decoded body, or undef if it is not JSON.
sub json {
  my ($self) = @_;
  $self->{json} //= eval { $json->decode($self->{content}) };
  return $self->{json};
}

# The members of the error envelope, or an empty hash.
sub error {
  my $body = $_[0]->json;
  return ref $body eq 'HASH' && ref $body->{error} eq 'HASH' ? $body->{error} : {};
}

1;
