package Verify::Changes;
# What differs between two descriptions of the API, and whether a client of the old one
# could fail with the new one. A client sends requests: they must stay valid. It reads
# responses and webhooks: what it relies on must stay there. New fields, new codes of an
# open list and new operations are compatible, as the reference promises.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Description;

my $json = JSON::PP->new->canonical->allow_nonref;

# Clients get only the events that they name, and must ignore other types.
my %is_open = map { $_ => 1 } qw(Event EventType);

# {incompatible => [lines], compatible => [lines]}, each line once.
sub between {
  my ($old, $new) = @_;
  my $self = bless {old => Verify::Description->new($old), new => Verify::Description->new($new),
    found => {incompatible => {}, compatible => {}}, compared => {}}, __PACKAGE__;
  $self->compare_operations;
  $self->compare_events;
  return {map { $_ => [sort keys %{$self->{found}{$_}}] } keys %{$self->{found}}};
}
sub note {
  my ($self, $is_compatible, $line) = @_;
  $self->{found}{$is_compatible ? 'compatible' : 'incompatible'}{$line} = 1;
}

sub server_operations {
  my %operations = $_[0]->operations;
  return map { ($_ => $operations{$_}) }
    grep { grep { $_->{secretKey} } @{$operations{$_}{security} // []} } keys %operations;
}
sub compare_operations {
  my ($self) = @_;
  my %old = server_operations($self->{old});
  my %new = server_operations($self->{new});
  $self->note(1, "`$_`: new") for grep { !$old{$_} } keys %new;
  $self->note(0, "`$_`: removed") for grep { !$new{$_} } keys %old;
  $self->compare_operation($_, $old{$_}, $new{$_}) for grep { $new{$_} } keys %old;
}
sub compare_operation {
  my ($self, $name, $old, $new) = @_;
  for my $field (qw(operationId x-key-scope)) {
    my ($before, $now) = map { $_->{$field} // 'none' } $old, $new;
    # A key without scopes may call every operation.
    $self->note($field eq 'x-key-scope' && $before eq 'none',
      "`$name`: $field was $before, is $now") if $before ne $now;
  }
  my ($before, $now) = map { {map { %$_ } @{$_->{security}}} } $old, $new;
  $self->note(0, "`$name`: does not accept $_") for grep { !$now->{$_} } keys %$before;
  $self->compare_parameters($name, $old, $new);
  my ($old_body, $new_body) = map { json_of($_->{requestBody} // {}) } $old, $new;
  $self->compare_schema("`$name`", 'request', $old_body, $new_body) if $old_body && $new_body;
  $self->note(!$new->{requestBody}{required} && !!$new_body, "`$name`: the body changed its type")
    if !!$old_body ne !!$new_body;
  for my $status (grep { /\A2/ } keys %{$old->{responses}}) {
    my ($was, $is) = map { $self->{$_->[0]}->resolve($_->[1]{responses}{$status} // {}) }
      [old => $old], [new => $new];
    if (!$new->{responses}{$status}) { $self->note(0, "`$name`: never answers $status") }
    elsif (json_of($was)) {
      $self->compare_schema("`$name`", 'response', json_of($was), json_of($is) // {});
    }
  }
}
sub json_of { ($_[0]{content}{'application/json'} // {})->{schema} }

sub compare_parameters {
  my ($self, $name, @operations) = @_;
  my ($old, $new) = map { my $side = qw(old new)[$_];
    +{map { ("$_->{in} $_->{name}" => $_) } map { $self->{$side}->resolve($_) }
      @{$operations[$_]{parameters} // []}} } 0, 1;
  for my $parameter (keys %$new) {
    my ($was, $is) = ($old->{$parameter}, $new->{$parameter});
    my $label = "`$name`: `$is->{name}`";
    if (!$was) { $self->note(!$is->{required}, "$label: new") }
    else {
      $self->note(0, "$label: required now") if $is->{required} && !$was->{required};
      $self->compare_schema($label, 'request', $was->{schema}, $is->{schema});
    }
  }
  $self->note(0, "`$name`: `$old->{$_}{name}`: removed") for grep { !$new->{$_} } keys %$old;
}

# --- schemas, in the DIRECTION request or response ---

sub compare_events {
  my ($self) = @_;
  my ($old, $new) = map { $self->{$_}->document->{components}{schemas}{Event} } qw(old new);
  $self->compare_schema('Event', 'response', map { {'$ref' => '#/components/schemas/Event'} } 1, 2)
    if $old && $new;
}

# Named schemas are compared once for each direction, and called by their names.
sub compare_schema {
  my ($self, $label, $direction, $old, $new) = @_;
  my $name = ($new->{'$ref'} // '') =~ m{([^/]+)\z} ? $1 : undef;
  if ($name) {
    return if $self->{compared}{"$direction $name"}++;
    $label = "`$name`" . ($direction eq 'request' ? ' in requests' : '');
  }
  my ($was, $is) = ($self->{old}->resolve($old), $self->{new}->resolve($new));
  $is = {%$is, is_open => 1} if $name && $is_open{$name};
  if ($was->{anyOf} || $is->{anyOf}) { return $self->compare_alternatives($label, $direction, $was, $is) }
  $self->compare_types($label, $direction, $was, $is);
  $self->compare_values($label, $direction, $was, $is);
  $self->compare_limits($label, $direction, $was, $is) if $direction eq 'request';
  $self->compare_schema("$label items", $direction, $was->{items}, $is->{items})
    if $was->{items} && $is->{items};
  $self->compare_fields($label, $direction, $was, $is);
}

# Alternatives pair off by their types: null, and one of each other kind, by name.
sub compare_alternatives {
  my ($self, $label, $direction, @sides) = @_;
  my ($old, $new) = map { my $side = qw(old new)[$_];
    +{map { (key_of($self->{$side}, $_) => $_) } @{$sides[$_]{anyOf} // [$sides[$_]]}} } 0, 1;
  $self->note($direction eq 'request' || $sides[1]{is_open}, "$label: can be $_ now")
    for grep { !$old->{$_} } keys %$new;
  $self->note($direction eq 'response', "$label: is never $_ now") for grep { !$new->{$_} } keys %$old;
  $self->compare_schema($label, $direction, $old->{$_}, $new->{$_}) for grep { $old->{$_} } keys %$new;
}
sub key_of {
  my ($description, $schema) = @_;
  return $1 if ($schema->{'$ref'} // '') =~ m{([^/]+)\z};
  my $constant = ($schema->{properties}{object} // {})->{const};
  return $constant // join '|', types_of($schema);
}
sub types_of {
  my ($schema) = @_;
  my $type = $schema->{type} // (exists $schema->{const} ? 'constant' : 'any');
  return sort ref $type ? @$type : $type;
}

sub compare_types {
  my ($self, $label, $direction, $old, $new) = @_;
  my ($was, $is) = map { {map { $_ => 1 } types_of($_)} } $old, $new;
  $self->note($direction eq 'request', "$label: can be $_ now") for grep { !$was->{$_} } keys %$is;
  $self->note($direction eq 'response', "$label: is never $_ now") for grep { !$is->{$_} } keys %$was;
}

# A list in `x-extensible-enum` is open: clients must expect other values.
sub compare_values {
  my ($self, $label, $direction, $old, $new) = @_;
  my ($was, $is) = map { my $values = $_->{enum} // $_->{'x-extensible-enum'}
    // (exists $_->{const} ? [$_->{const}] : undef);
    $values && {map { $json->encode($_) => 1 } @$values} } $old, $new;
  my $is_open = $new->{is_open} || $new->{'x-extensible-enum'} && $old->{'x-extensible-enum'};
  if (!$was || !$is) {
    $self->note($direction eq ($was ? 'request' : 'response'), "$label: its list of values "
      . ($was ? 'is gone' : 'is new')) if $was || $is;
    return;
  }
  $self->note($is_open || $direction eq 'request', "$label: `$_` is new") for grep { !$was->{$_} } keys %$is;
  $self->note($direction eq 'response', "$label: `$_` is gone") for grep { !$is->{$_} } keys %$was;
}

# A request that was within the old limits must be within the new ones.
my %wider = (maximum => 1, maxLength => 1, maxItems => 1, minimum => -1, minLength => -1, minItems => -1);
sub compare_limits {
  my ($self, $label, undef, $old, $new) = @_;
  for my $limit (sort keys %wider) {
    my ($was, $is) = ($old->{$limit}, $new->{$limit});
    next if ($was // '') eq ($is // '');
    my $is_wider = !defined $is || defined $was && ($is - $was) * $wider{$limit} > 0;
    $self->note($is_wider, "$label: $limit was " . ($was // 'none') . ', is ' . ($is // 'none'));
  }
  my ($was, $is) = map { $_->{pattern} // 'none' } $old, $new;
  $self->note($is eq 'none', "$label: pattern was `$was`, is `$is`") if $was ne $is;
}

sub compare_fields {
  my ($self, $label, $direction, $old, $new) = @_;
  my ($was, $is) = map { $_->{properties} // {} } $old, $new;
  my ($demanded, $demands) = map { {map { $_ => 1 } @{$_->{required} // []}} } $old, $new;
  for my $field (keys %$is) {
    if (!$was->{$field}) {
      $self->note($direction eq 'response' || !$demands->{$field}, "$label: `$field` is new");
      next;
    }
    my ($before, $now) = map { !!$_->{$field} } $demanded, $demands;
    $self->note($direction eq ($now ? 'response' : 'request'), "$label: `$field` is "
      . ($now ? 'always there' : $direction eq 'request' ? 'optional' : 'not always there'))
      if $before ne $now;
    $self->compare_schema("$label: `$field`", $direction, $was->{$field}, $is->{$field});
  }
  $self->note(0, "$label: `$_` is removed") for grep { !$is->{$_} } keys %$was;
}

1;
