package Verify::Clients;
# The operations that a customer's server calls, with the types that they use, as the
# generators of the client libraries need them (Verify::Clients::Node and its siblings).
# The source is the description of the API.
use v5.32;
use warnings;
use Verify::Description;

# The languages, each with a module of that name that has `files`.
our @languages = qw(Java Node PHP Python);

sub new {
  my ($class, $description) = @_;
  $description //= Verify::Description->load;
  my $self = bless {schemas => $description->document->{components}{schemas},
    description => $description}, $class;
  my %operations = $description->operations;
  $self->{operations} = [sort { $a->{id} cmp $b->{id} } map { $self->operation($_, $operations{$_}) }
    grep { has_secret_key($operations{$_}) } keys %operations];
  return $self;
}
sub operations { @{$_[0]{operations}} }

sub has_secret_key { !!grep { $_->{secretKey} } @{$_[0]{security} // []} }

# id, method, path, summary, description, ids (parameters of the path), query (fields),
# body (the name of a schema, if it has parameters), required (whether there are
# required parameters), list, result (the name of a schema; for a list, of its items).
sub operation {
  my ($self, $route, $operation) = @_;
  my ($method, $path) = split / /, $route;
  my @parameters = map { $self->{description}->resolve($_) } @{$operation->{parameters} // []};
  my %named = map { $_->{name} => $_ } @parameters;
  my @ids = $path =~ /\{(\w+)\}/g;
  for my $id (@ids) {
    $named{$id}{schema}{pattern} =~ /\A\^(?:\[a-z\]\+|[a-z]+)_\[0-9a-zA-Z\]\+\$\z/
      or die "$route: $id is not an id\n";
  }
  die "$route: no Idempotency-Key\n" if ($method eq 'POST') != !!$named{'Idempotency-Key'};
  my @query = map { {name => $_->{name} =~ s/\[\]\z//r, required => $_->{required},
    text => $_->{description} // $_->{schema}{description}, shape => $self->shape($_->{schema})} }
    sort_fields(grep { $_->{in} eq 'query' } @parameters);
  my $body = ref_of($operation->{requestBody}{content}{'application/json'}{schema});
  undef $body if $body && $body eq 'Empty';
  my ($success) = grep { /\A2/ } sort keys %{$operation->{responses}};
  my $result = ref_of($operation->{responses}{$success}{content}{'application/json'}{schema});
  my $items = $self->{schemas}{$result}{properties}{data};
  my $is_list = $items && ($self->{schemas}{$result}{properties}{object}{const} // '') eq 'list';
  return {id => $operation->{operationId}, method => $method, path => $path,
    summary => $operation->{summary}, text => $operation->{description}, ids => \@ids,
    query => \@query, body => $body, list => $is_list,
    required => $body ? !!$self->{schemas}{$body}{required} : !!grep({ $_->{required} } @query),
    result => $is_list ? ref_of($items->{items}) : $result};
}
sub ref_of { ($_[0]{'$ref'} // '') =~ m{\A#/components/schemas/(\w+)\z} ? $1 : undef }
sub sort_fields {
  return sort { !!$b->{required} <=> !!$a->{required} || $a->{name} cmp $b->{name} } @_;
}

# A schema as: kind (ref, enum, array, map, record, any, or the JSON type), nullable, and
# by kind: name, values with open, of, fields, alternatives.
sub shape {
  my ($self, $schema) = @_;
  if (my $name = ref_of($schema)) { return {kind => 'ref', name => $name} }
  if (my $alternatives = $schema->{anyOf}) {
    my @others = grep { ($_->{type} // '') ne 'null' } @$alternatives;
    my @shapes = map { $self->shape($_) } @others;
    return {nullable => @others < @$alternatives,
      @shapes == 1 ? %{$shapes[0]} : (kind => 'any', alternatives => \@shapes)};
  }
  return {kind => 'constant', value => $schema->{const}} if exists $schema->{const};
  my @types = ref $schema->{type} ? @{$schema->{type}} : $schema->{type} // 'object';
  my $type = (grep { $_ ne 'null' } @types)[0];
  my %shape = (kind => $type, nullable => !!grep({ $_ eq 'null' } @types));
  if (my $values = $schema->{'x-extensible-enum'}) {
    return {%shape, kind => 'enum', open => 1, values => $values};
  }
  return {%shape, kind => 'enum', values => [grep { defined } @{$schema->{enum}}]}
    if $schema->{enum};
  return {%shape, kind => 'array', of => $self->shape($schema->{items})} if $type eq 'array';
  return \%shape if $type ne 'object';
  my $properties = $schema->{properties};
  if ($properties && %$properties) {
    my %required = map { $_ => 1 } @{$schema->{required} // []};
    return {%shape, kind => 'record', fields => [sort_fields(map { {name => $_,
      required => $required{$_}, text => $properties->{$_}{description},
      shape => $self->shape($properties->{$_})} } keys %$properties)]};
  }
  my $of = ref $schema->{additionalProperties} ? $self->shape($schema->{additionalProperties})
    : undef;
  return {%shape, kind => 'map', of => $of && $of->{kind} ne 'map' ? $of : undef};
}

sub fields_of { $_[0]->shape($_[0]{schemas}{$_[1]})->{fields} }

# The types of operations, and those that errors and webhooks use, by name: name, text,
# shape.
sub types {
  my ($self) = @_;
  my %found;
  my @open = ('ErrorCode', 'ErrorType', 'Event',
    map { $_->{result}, $_->{body} // (), map { references($_->{shape}) } @{$_->{query}} } $self->operations);
  while (defined(my $name = shift @open)) {
    next if $found{$name};
    my $schema = $self->{schemas}{$name} or die "no schema $name\n";
    $found{$name} = {name => $name, text => $schema->{description}, shape => $self->shape($schema)};
    push @open, references($found{$name}{shape});
  }
  return map { $found{$_} } sort keys %found;
}
sub references {
  my ($shape) = @_;
  return $shape->{name} if $shape->{kind} eq 'ref';
  return map { references($_) } $shape->{of} // (), @{$shape->{alternatives} // []},
    map { $_->{shape} } @{$shape->{fields} // []};
}

# TEXT in lines of at most WIDTH characters.
sub wrap {
  my ($text, $width) = @_;
  my @lines = ('');
  for my $word (split ' ', $text // '') {
    push @lines, '' if length $lines[-1] && length($lines[-1]) + length($word) >= $width;
    $lines[-1] .= (length $lines[-1] ? ' ' : '') . $word;
  }
  return grep { length } @lines;
}
# As a comment between /** and */, indented by INDENT.
sub block_comment {
  my ($indent, @paragraphs) = @_;
  my @lines = map { wrap($_ =~ s{\*/}{*\\/}gr, 88 - length $indent) } grep { length } @paragraphs;
  return '' unless @lines;
  return "$indent/** $lines[0] */\n" if @lines == 1;
  return "$indent/**\n" . join('', map { "$indent * $_\n" } @lines) . "$indent */\n";
}
sub snake { $_[0] =~ s/(?<=[a-z0-9])([A-Z])/_\l$1/gr }
sub camel { $_[0] =~ s/_(\w)/\u$1/gr }

1;
