package Verify::Clients::Java;
# conf/clients/java: Operations.java with a method for each operation, and Types.java with
# a record for each result, a class for the parameters of each operation, and the codes.
use v5.32;
use warnings;
use Verify::Clients;

my $head = "// SPDX-License-Identifier: Apache-2.0\n"
  . "// Generated from the description of the API by scripts/api-clients.\npackage modverify;\n\n";
my $folder = 'java/src/main/java/modverify';
my %is_reserved = map { $_ => 1 } qw(abstract assert boolean break case catch class const
  continue default do double else enum extends final finally float for goto if implements
  import int interface long native new package private protected public return short static
  super switch synchronized this throw throws transient try void volatile while);

sub files {
  my ($api) = @_;
  my %alias = map { ($_->{name} => $_->{shape}) } grep { $_->{shape}{kind} ne 'record' } $api->types;
  return ("$folder/Operations.java" => operations($api, \%alias), "$folder/Types.java" => types($api, \%alias));
}

sub identifier {
  my $name = Verify::Clients::camel($_[0]);
  die "$_[0]: its name in Java does not lead back\n" if Verify::Clients::snake($name) ne $_[0];
  return $is_reserved{$name} ? $name . '_' : $name;
}
sub name_of { $_[0] . ucfirst Verify::Clients::camel($_[1]) }
sub comment {
  my ($indent, @paragraphs) = @_;
  s/&/&amp;/g, s/</&lt;/g, s/>/&gt;/g, s/(?<!\{)@(?!param)/&#64;/g, s/`([^`]*)`/{\@code $1}/g
    for @paragraphs = map { $_ // '' } @paragraphs;
  return Verify::Clients::block_comment($indent, @paragraphs);
}

# NAME is that of a record without one of its own. PRIMITIVE: it is always there.
sub type_of {
  my ($shape, $name, $alias, $primitive) = @_;
  my $kind = $shape->{kind};
  if ($kind eq 'ref') {
    my $target = $alias->{$shape->{name}} or return $shape->{name};
    return 'Event' if $target->{kind} eq 'any';
    return type_of({%$target, nullable => $shape->{nullable} || $target->{nullable}}, $name, $alias, $primitive);
  }
  return $name if $kind eq 'record';
  return 'List<' . type_of($shape->{of}, $name, $alias) . '>' if $kind eq 'array';
  return 'Map<String, ' . ($shape->{of} ? type_of($shape->{of}, $name, $alias) : 'Object') . '>' if $kind eq 'map';
  my $is_boolean = $kind eq 'boolean' || $kind eq 'constant' && $shape->{value} eq '1';
  my ($small, $box) = $is_boolean ? qw(boolean Boolean) : $kind eq 'integer' ? qw(long Long)
    : $kind eq 'number' ? qw(double Double) : qw(String String);
  return $primitive && !$shape->{nullable} ? $small : $box;
}

sub types {
  my ($api, $alias) = @_;
  # Event.java replaces them.
  my %is_event = map { $_->{name} => 1 } @{$alias->{Event}{alternatives}};
  my %is_body = map { ($_->{body} // '') => 1 } $api->operations;
  my @parts = map { parameters("\u$_->{id}Params", "The parameters of $_->{id}.", $_->{query}, $alias) }
    grep { @{$_->{query}} } $api->operations;
  for my $type (grep { !$is_event{$_->{name}} } $api->types) {
    my ($name, $text, $shape) = @$type{qw(name text shape)};
    push @parts, $is_body{$name} ? parameters($name, $text, $shape->{fields}, $alias)
      : $shape->{kind} eq 'record' ? record($name, $text, $shape->{fields}, $alias)
      : $shape->{kind} eq 'enum' ? constants($name, $text, $shape->{values}) : ();
  }
  return "${head}import java.util.List;\nimport java.util.Map;\n\n"
    . comment('', 'The parameters and results of operations, and the codes in them. A member that the '
      . 'service did not send is null.')
    . "public final class Types {\n    private Types() {\n    }\n" . join('', map { "\n$_" } @parts) . "}\n";
}
sub record {
  my ($name, $text, $fields, $alias) = @_;
  my $nested = join '', map { nested($name, $_, $alias) } @$fields;
  my @documents = map { $_->{text} ? '@param ' . identifier($_->{name}) . " $_->{text}" : () } @$fields;
  return comment('    ', $text // 'A part of a result.', @documents) . "    public record $name(\n"
    . join(",\n", map { '        ' . type_of($_->{shape}, name_of($name, $_->{name}), $alias, $_->{required})
      . ' ' . identifier($_->{name}) } @$fields) . ") {\n" . short_text($name, $fields) . "    }\n" . ($nested && "\n$nested");
}
# What is logged by mistake has no secret.
sub short_text {
  my ($name, $fields) = @_;
  return '' unless grep { $_->{name} =~ /secret/ } @$fields;
  return qq(        \@Override\n        public String toString() {\n)
    . qq(            return "$name\[id=" + id + "]";\n        }\n);
}
sub nested {
  my ($name, $field, $alias) = @_;
  my $shape = $field->{shape};
  $shape = $shape->{of} while $shape->{of};
  return '' if $shape->{kind} ne 'record';
  return record(name_of($name, $field->{name}), $field->{text}, $shape->{fields}, $alias);
}
sub parameters {
  my ($name, $text, $fields, $alias) = @_;
  return comment('    ', $text // 'Parameters.') . "    public static final class $name extends Parameters {\n"
    . join("\n", map { my $method = identifier($_->{name});
      comment('        ', $_->{text})
        . "        public $name $method(" . type_of($_->{shape}, undef, $alias, 1) . " value) {\n"
        . qq(            put("$_->{name}", value);\n            return this;\n        }\n) } @$fields)
    . "    }\n";
}
sub constants {
  my ($name, $text, $values) = @_;
  return comment('    ', $text // 'Values.') . "    public static final class $name {\n"
    . join('', map { '        public static final String ' . uc(s/\W/_/gr) . qq( = "$_";\n) } @$values)
    . "\n        private $name() {\n        }\n    }\n";
}

sub operations {
  my ($api, $alias) = @_;
  return "${head}import modverify.Types.*;\n\n" . comment('', 'A method for each operation that a server calls.')
    . "public abstract class Operations {\n" . <<'BASE' . join('', map { method($_) } $api->operations) . "}\n";
    Operations() {
    }

    abstract <T> T request(Class<T> type, String method, String path, Parameters query,
        Parameters body, RequestOptions options);

    abstract <T> ObjectList<T> list(Class<T> type, String path, Parameters query,
        RequestOptions options);

    private static String id(String id) {
        return Path.id(id);
    }
BASE
}
sub method {
  my ($operation) = @_;
  my $parameters = $operation->{body} // (@{$operation->{query}} ? "\u$operation->{id}Params" : undef);
  my @ids = map { Verify::Clients::camel($_) } @{$operation->{ids}};
  my @declared = ((map { "String $_" } @ids), $parameters ? "$parameters parameters" : ());
  my $result = $operation->{list} ? "ObjectList<$operation->{result}>" : $operation->{result};
  my @parts = split /\{(\w+)\}/, $operation->{path};
  my $path = join ' + ', map { $_ % 2 ? 'id(' . Verify::Clients::camel($parts[$_]) . ')' : qq("$parts[$_]") } 0 .. $#parts;
  my $call = $operation->{list} ? "list($operation->{result}.class, $path,\n            "
    . ($parameters ? 'parameters' : 'null') . ', options)'
    : qq{request($operation->{result}.class, "$operation->{method}",\n            $path,\n            }
    . ($operation->{body} ? 'null, parameters' : $parameters ? 'parameters, null' : 'null, null') . ', options)';
  my $method = sub {
    my ($comment, $own, $code) = @_;
    return "\n$comment    public $result $operation->{id}(" . join(', ', @$own) . ") {\n        return $code;\n    }\n";
  };
  return $method->(comment('    ', "$operation->{summary}.", $operation->{text}), \@declared,
      "$operation->{id}(" . join(', ', @ids, $parameters ? 'parameters' : (), 'null') . ')')
    . ($parameters && !$operation->{required} ? $method->(comment('    ', 'The same without parameters.'),
      [@declared[0 .. $#ids]], "$operation->{id}(" . join(', ', @ids, "new $parameters()", 'null') . ')') : '')
    . $method->(comment('    ', 'The same with options of its own.'), [@declared, 'RequestOptions options'], $call);
}

1;
