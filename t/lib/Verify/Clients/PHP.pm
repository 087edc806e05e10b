package Verify::Clients::PHP;
# conf/clients/php: Operations.php with a method for each operation, and Types.php with
# the shapes of their arrays.
use v5.32;
use warnings;
use Verify::Clients;

my $head = "<?php\n// SPDX-License-Identifier: Apache-2.0\n"
  . "// Generated from the description of the API by scripts/api-clients.\n\n"
  . "declare(strict_types=1);\n\nnamespace ModVerify;\n\n";

sub files {
  my ($api) = @_;
  return ('php/src/Operations.php' => operations($api), 'php/src/Types.php' => types($api));
}

sub type_of {
  my ($shape, $indent) = @_;
  my $kind = $shape->{kind};
  my $text = $kind eq 'ref' ? $shape->{name}
    : $kind eq 'record' ? record($shape->{fields}, $indent)
    : $kind eq 'enum' ? ($shape->{open} ? 'string' : join '|', map { "'$_'" } @{$shape->{values}})
    : $kind eq 'constant' ? ($shape->{value} eq '1' ? 'true' : "'$shape->{value}'")
    : $kind eq 'any' ? join('|', map { type_of($_, $indent) } @{$shape->{alternatives}})
    : $kind eq 'array' ? 'list<' . type_of($shape->{of}, $indent) . '>'
    : $kind eq 'map' ? 'array<string, ' . ($shape->{of} ? type_of($shape->{of}, $indent) : 'mixed') . '>'
    : {string => 'string', integer => 'int', number => 'int|float', boolean => 'bool'}->{$kind};
  return $shape->{nullable} ? "$text|null" : $text;
}
sub record {
  my ($fields, $indent) = @_;
  return join '', "array{\n", (map { "$indent    $_->{name}" . ($_->{required} ? '' : '?') . ': '
    . type_of($_->{shape}, "$indent    ") . ",\n" } @$fields), "$indent}";
}

sub types {
  my ($api) = @_;
  my @parameters = map { {name => "\u$_->{id}Params", shape => {kind => 'record', fields => $_->{query}}} }
    grep { @{$_->{query}} } $api->operations;
  return "$head/**\n * The shapes of parameters and results, for static analysis:\n"
    . " * `\@phpstan-import-type VerificationSession from Types`.\n *\n"
    . join('', map { "\@phpstan-type $_->{name} " . type_of($_->{shape}, '') . "\n" }
      @parameters, $api->types) =~ s/^/ * /mgr
    . " */\ninterface Types\n{\n}\n";
}

sub operations {
  my ($api) = @_;
  my %used = map { $_ => 1 } map { ($_->{result}, parameters_of($_) // ()) } $api->operations;
  return "$head/**\n * A method for each operation that a server calls.\n *\n"
    . join('', map { " * \@phpstan-import-type $_ from Types\n" } sort keys %used)
    . " */\nabstract class Operations\n{\n" . <<'BASE' . join('', map { method($_) } $api->operations) . "}\n";
    /**
     * @param array<string, mixed> $query
     * @param ?array<string, mixed> $body
     * @return array<string, mixed>
     */
    abstract public function request(string $method, string $path, array $query = [],
        ?array $body = null, ?string $idempotencyKey = null, ?float $timeout = null): array;

    /** @param array<string, mixed> $query */
    abstract public function list(string $path, array $query = [], ?float $timeout = null): ObjectList;
BASE
}
sub parameters_of {
  my ($operation) = @_;
  return $operation->{body} // (@{$operation->{query}} ? "\u$operation->{id}Params" : undef);
}
sub method {
  my ($operation) = @_;
  my $parameters = parameters_of($operation);
  my $writes = $operation->{method} eq 'POST';
  my @ids = map { Verify::Clients::camel($_) } @{$operation->{ids}};
  my $result = $operation->{list} ? 'ObjectList' : 'array';
  my @arguments = ((map { "string \$$_" } @ids),
    $parameters ? 'array $params' . ($operation->{required} ? '' : ' = []') : (),
    $writes ? '?string $idempotencyKey = null' : (), '?float $timeout = null');
  my $path = path($operation->{path});
  my @call = $operation->{list} ? ($path, '$params', '$timeout')
    : ("'$operation->{method}'", $path, $operation->{body} ? 'body: $params'
      : $parameters ? 'query: $params' : (),
      $writes ? 'idempotencyKey: $idempotencyKey' : (), 'timeout: $timeout');
  return "\n" . Verify::Clients::block_comment('    ', "$operation->{summary}.", $operation->{text},
    ($parameters ? "\@param $parameters \$params" : ()),
    '@return ' . ($operation->{list} ? "ObjectList<$operation->{result}>" : $operation->{result}))
    . "    public function $operation->{id}(" . wrapped('    ', @arguments) . "): $result"
    . (length(join ', ', @arguments) < 60 ? "\n    {\n" : " {\n") . '        return $this->'
    . ($operation->{list} ? 'list' : 'request') . '(' . wrapped('        ', @call) . ");\n    }\n";
}
sub path {
  my ($path) = @_;
  my @parts = split /\{(\w+)\}/, $path;
  return join ' . ', map { $_ % 2 ? 'Path::id($' . Verify::Clients::camel($parts[$_]) . ')' : "'$parts[$_]'" } 0 .. $#parts;
}
sub wrapped {
  my ($indent, @parts) = @_;
  my $line = join ', ', @parts;
  return $line if length $line < 60;
  return "\n" . join('', map { "$indent    $_,\n" } @parts) . $indent;
}

1;
