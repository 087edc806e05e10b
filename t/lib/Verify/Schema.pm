package Verify::Schema;
# Validates decoded JSON by the keywords of JSON Schema 2020-12 that the API
# description uses. It dies on an unknown keyword, so that none is ignored.
# Objects with `properties` are closed: an undescribed field is a fault,
# although the description tells callers to expect more.
use v5.32;
use warnings;
use B ();

# root: the document that `$ref` refers to.
sub new {
  my ($class, $root) = @_;
  return bless {root => $root}, $class;
}

sub resolve {
  my ($self, $schema) = @_;
  while (ref $schema eq 'HASH' && defined(my $target = $schema->{'$ref'})) {
    my ($way) = $target =~ m{\A#/(.*)\z} or die "$target: not in this document\n";
    $schema = $self->{root};
    for my $step (split m{/}, $way) {
      $step =~ s{~1}{/}g;
      $step =~ s{~0}{~}g;
      $schema = $schema->{$step} // die "$target: leads nowhere\n";
    }
  }
  return $schema;
}

sub type_of {
  my ($value) = @_;
  return 'null' unless defined $value;
  return 'object' if ref $value eq 'HASH';
  return 'array' if ref $value eq 'ARRAY';
  return 'boolean' if ref $value;
  my $flags = B::svref_2object(\$value)->FLAGS;
  return 'string' if $flags & B::SVf_POK;
  return $value == int $value ? 'integer' : 'number';
}
sub is_of_type {
  my ($value, $type) = @_;
  my $own = type_of($value);
  return $own eq $type || $own eq 'integer' && $type eq 'number';
}

# Values that can be compared: null, strings, numbers, booleans.
sub is_same {
  my ($one, $other) = @_;
  return type_of($one) eq type_of($other)
    && (!defined $one || "$one" eq "$other");
}
sub text_of { defined $_[0] ? "$_[0]" : 'null' }

my %rules = (
  type => sub {
    my ($self, $value, $types) = @_;
    my @types = ref $types ? @$types : $types;
    return if grep { is_of_type($value, $_) } @types;
    return 'is ' . type_of($value) . ', not ' . join ' or ', @types;
  },
  const => sub { is_same($_[1], $_[2]) ? () : 'is not ' . text_of($_[2]) },
  enum => sub {
    my ($self, $value, $values) = @_;
    return (grep { is_same($value, $_) } @$values) ? () : 'is none of the enum';
  },
  anyOf => sub {
    my ($self, $value, $schemas) = @_;
    my @all;
    for my $schema (@$schemas) {
      my @faults = $self->faults($value, $schema, '');
      return unless @faults;
      push @all, @faults;
    }
    return 'fits none: ' . join ' | ', @all;
  },
);
my %string_rules = (
  minLength => sub { length $_[1] < $_[2] ? 'is too short' : () },
  maxLength => sub { length $_[1] > $_[2] ? 'is too long' : () },
  'x-extensible-enum' => sub {
    my ($self, $value, $values) = @_;
    return (grep { $_ eq $value } @$values) ? () : "$value is not listed";
  },
  pattern => sub { $_[1] =~ /$_[2]/ ? () : "does not match $_[2]" },
);
my %number_rules = (
  minimum => sub { $_[1] < $_[2] ? 'is too small' : () },
  maximum => sub { $_[1] > $_[2] ? 'is too large' : () },
);
my %array_rules = (
  minItems => sub { @{$_[1]} < $_[2] ? 'has too few items' : () },
  maxItems => sub { @{$_[1]} > $_[2] ? 'has too many items' : () },
  uniqueItems => sub {
    my %seen;
    return (grep { $seen{text_of($_)}++ } @{$_[1]}) ? 'repeats an item' : ();
  },
  items => sub {
    my ($self, $value, $schema, $whole, $path) = @_;
    return map { $self->faults($value->[$_], $schema, "$path\[$_]") }
      0 .. $#$value;
  },
);
my %object_rules = (
  required => sub {
    my ($self, $value, $names) = @_;
    return map { "lacks $_" } grep { !exists $value->{$_} } @$names;
  },
  maxProperties => sub { keys %{$_[1]} > $_[2] ? 'has too many members' : () },
  propertyNames => sub {
    my ($self, $value, $schema, $whole, $path) = @_;
    return map { $self->faults($_, {type => 'string', %$schema}, "$path.$_") }
      sort keys %$value;
  },
  properties => sub {
    my ($self, $value, $properties, $whole, $path) = @_;
    my @faults;
    for my $name (sort keys %$value) {
      if ($properties->{$name}) {
        push @faults, $self->faults($value->{$name}, $properties->{$name},
          "$path.$name");
      } elsif (!$whole->{additionalProperties}) {
        push @faults, "$path.$name is not described";
      }
    }
    return @faults;
  },
  additionalProperties => sub {
    my ($self, $value, $schema, $whole, $path) = @_;
    return unless ref $schema eq 'HASH';
    return map { $self->faults($value->{$_}, $schema, "$path.$_") }
      grep { !$whole->{properties} || !$whole->{properties}{$_} } sort keys %$value;
  },
);
my %rules_of = (string => \%string_rules, integer => \%number_rules,
  number => \%number_rules, array => \%array_rules, object => \%object_rules);
my %known = map { $_ => 1 } qw($ref description default format x-codes),
  keys %rules, map { keys %$_ } values %rules_of;

# The faults of VALUE, one text each with the path from PATH on.
sub faults {
  my ($self, $value, $schema, $path) = @_;
  $schema = $self->resolve($schema);
  my %of_type = (%rules, %{$rules_of{type_of($value)} // {}});
  my @faults;
  for my $keyword (sort keys %$schema) {
    die "keyword $keyword is not known\n" unless $known{$keyword};
    my $rule = $of_type{$keyword} or next;
    # A text that starts with the path of a member is about that one.
    push @faults, map { /\A\Q$path\E[.\[]/ ? $_ : ($path || 'it') . " $_" }
      $rule->($self, $value, $schema->{$keyword}, $schema, $path);
  }
  return @faults;
}

1;
