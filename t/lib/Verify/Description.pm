package Verify::Description;
# The API description (mod_verify/api/openapi.json), and the check of requests
# and answers against it.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use JSON::PP ();
use Verify::Schema;

my $json = JSON::PP->new->utf8->allow_nonref;
my $file = abs_path(dirname(__FILE__) . '/../../..') . '/mod_verify/api/openapi.json';

# The description in this checkout; read once.
sub load {
  my ($class) = @_;
  state $loaded = $class->new(do {
    open my $in, '<:raw', $file or die "$file: $!\n";
    local $/;
    $json->decode(readline $in);
  });
  return $loaded;
}
sub new {
  my ($class, $document) = @_;
  my $self = bless {document => $document,
    schema => Verify::Schema->new($document)}, $class;
  for my $path (sort keys %{$document->{paths}}) {
    my $pattern = join '[^/]+', map { quotemeta } split /\{\w+\}/, $path, -1;
    push @{$self->{patterns}}, [$path, qr{\A$pattern\z}];
  }
  return $self;
}
sub document { $_[0]{document} }
sub resolve { $_[0]{schema}->resolve($_[1]) }

# "METHOD path" => the operation, for all.
sub operations {
  my ($self) = @_;
  my $paths = $self->{document}{paths};
  return map {
    my $path = $_;
    map { (uc($_) . " $path" => $paths->{$path}{$_}) } keys %{$paths->{$path}};
  } keys %$paths;
}

# The operations for keys and client secrets. Those only for operators are below
# /dashboard, where t/http/account/dashboard_roles.t tries all with each role.
sub api_operations {
  my %operations = $_[0]->operations;
  return map { ($_ => $operations{$_}) } grep { !m{\A\S+ /dashboard} }
    keys %operations;
}

# The path of the description that PATH fits, or undef; literal ones first.
sub template {
  my ($self, $path) = @_;
  return $path if $self->{document}{paths}{$path};
  my ($found) = grep { $path =~ $_->[1] } @{$self->{patterns}};
  return $found && $found->[0];
}

# The path for a key that corresponds to one of an operator's organization.
sub as_of_key {
  $_[0] =~ s{\A/dashboard/v1/organizations/[^/]+(?:/applications/[^/]+)?/}{/v1/}r;
}

# The faults of an exchange: method, path (with its query), request (body),
# status, headers (lower case), body. None for paths of other modules.
sub faults {
  my ($self, %exchange) = @_;
  my ($path) = $exchange{path} =~ m{\A([^?]*)};
  return unless $path =~ m{\A/(?:v1|verify|dashboard/v1)/};
  my $template = $self->template($path) // $self->template(as_of_key($path));
  my $method = $exchange{method} eq 'HEAD' ? 'get' : lc $exchange{method};
  my $operation = $template && $self->{document}{paths}{$template}{$method};
  # Answers outside of routes, by httpd and the dispatcher.
  my $response = $operation ? $operation->{responses}{$exchange{status}} : undef;
  my @faults;
  if ($exchange{status} >= 400) {
    @faults = $self->error_faults($operation, %exchange);
  } elsif (!$response) {
    return if $exchange{method} eq 'OPTIONS';
    @faults = ('this status is not described');
  } else {
    @faults = ($self->success_faults($response, %exchange),
      $self->request_faults($operation, %exchange));
  }
  push @faults, $self->header_faults($response // $operation->{responses}{default},
    $exchange{headers}) if $operation;
  my $where = "$exchange{method} " . ($template // $path) . ": $exchange{status}";
  return map { "$where: $_" } @faults;
}

# The answer must have the headers in the description, too.
sub header_faults {
  my ($self, $response, $headers) = @_;
  my $described = $self->resolve($response)->{headers} // {};
  return map { "header $_ is not described" }
    grep { defined $headers->{lc $_} && !$described->{$_} }
    sort keys %{$self->{document}{components}{headers}};
}

sub decoded {
  my ($text) = @_;
  return eval { [$json->decode($text)] };
}

sub error_faults {
  my ($self, $operation, %exchange) = @_;
  return if $exchange{method} eq 'HEAD';
  # Persons read pages, and clients of OAuth its errors, where that is described.
  my $described = $operation && $self->resolve($operation->{responses}{$exchange{status}} // {});
  my $content = $described ? $described->{content} // {} : {};
  return if $content->{'text/html'}
    && ($exchange{headers}{'content-type'} // '') =~ m{\Atext/html};
  my $body = decoded($exchange{body}) or return 'no JSON';
  my $components = $self->{document}{components};
  my $schema = ($content->{'application/json'} // {})->{schema};
  return $self->{schema}->faults($body->[0], $schema, '')
    if $schema && ref $body->[0] eq 'HASH' && !ref $body->[0]{error};
  my @faults = $self->{schema}->faults($body->[0], $components->{schemas}{Error}, '');
  return @faults if @faults || !$operation;
  my $code = $body->[0]{error}{code};
  my ($path) = $exchange{path} =~ m{\A([^?]*)};
  my @known = (@{$operation->{'x-error-codes'}},
    $path eq as_of_key($path) ? () : 'resource_missing', # its organization
    @{$components->{responses}{Unexpected}{'x-error-codes'}});
  return (grep { $_ eq $code } @known) ? () : "code $code is not listed";
}

sub success_faults {
  my ($self, $response, %exchange) = @_;
  return if $exchange{method} eq 'HEAD' || $exchange{status} == 304;
  my $content = $self->resolve($response)->{content};
  my ($type) = ($exchange{headers}{'content-type'} // '') =~ m{\A([^;]*)};
  my $media = $content->{$type} or return "media type $type is not described";
  return if $type ne 'application/json' || $exchange{headers}{'content-encoding'};
  my $body = decoded($exchange{body}) or return 'no JSON';
  return $self->{schema}->faults($body->[0], $media->{schema}, '');
}

# The faults in the body of a delivery.
sub event_faults {
  my ($self, $text) = @_;
  my $event = decoded($text) or return 'no JSON';
  return $self->{schema}->faults($event->[0],
    $self->{document}{components}{schemas}{Event}, '');
}

# A request without parameters that mean nothing: null, and an empty array for
# an empty object (the description says so in general).
sub without_nothing {
  my ($request) = @_;
  return {} if ref $request eq 'ARRAY' && !@$request;
  return $request if ref $request ne 'HASH';
  my %given = map { defined $request->{$_} ? ($_ => $request->{$_}) : () }
    keys %$request;
  $given{metadata} = {}
    if ref $given{metadata} eq 'ARRAY' && !@{$given{metadata}};
  return \%given;
}

# Accepted requests must be described, too.
sub request_faults {
  my ($self, $operation, %exchange) = @_;
  my $media = $operation->{requestBody}
    && $operation->{requestBody}{content}{'application/json'} or return;
  return unless length($exchange{request} // '');
  my $body = decoded($exchange{request}) or return;
  $body->[0] = without_nothing($body->[0]);
  return map { "accepted request: $_" }
    $self->{schema}->faults($body->[0], $media->{schema}, '');
}

1;
