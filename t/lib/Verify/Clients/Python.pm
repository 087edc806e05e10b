package Verify::Clients::Python;
# conf/clients/python: operations.py with a method for each operation, and types.py with
# their types.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Clients;

my $json = JSON::PP->new->allow_nonref;
my $head = "# SPDX-License-Identifier: Apache-2.0\n"
  . "# Generated from the description of the API by scripts/api-clients.\n";

sub files {
  my ($api) = @_;
  return map { ("python/mod_verify_client/$_->[0].py" => $_->[1]) }
    ['operations', operations($api)], ['types', types($api)];
}

# --- types ---

sub comment {
  my ($indent, $text) = @_;
  return join '', map { "$indent# $_\n" } Verify::Clients::wrap($text, 86 - length $indent);
}
# NAME is that of a record without one of its own.
sub type_of {
  my ($shape, $name) = @_;
  my $kind = $shape->{kind};
  my $text = $kind eq 'ref' ? $shape->{name} : $kind eq 'record' ? $name
    : $kind eq 'enum' ? ($shape->{open} ? 'str' : literal(@{$shape->{values}}))
    : $kind eq 'constant' ? 'Literal[' . ($shape->{value} eq '1' ? 'True' : $json->encode($shape->{value})) . ']'
    : $kind eq 'any' ? 'Union[' . join(', ', map { type_of($_, $name) } @{$shape->{alternatives}}) . ']'
    : $kind eq 'array' ? 'List[' . type_of($shape->{of}, $name) . ']'
    : $kind eq 'map' ? 'Dict[str, ' . ($shape->{of} ? type_of($shape->{of}, $name) : 'Any') . ']'
    : {string => 'str', integer => 'int', number => 'float', boolean => 'bool'}->{$kind};
  return $shape->{nullable} ? "Optional[$text]" : $text;
}
sub literal {
  my (@values) = @_;
  my $line = 'Literal[' . join(', ', map { $json->encode($_) } @values) . ']';
  return $line if length $line < 70;
  return "Literal[\n" . join('', map { "    $_\n" }
    Verify::Clients::wrap(join(' ', map { $json->encode($_) . ',' } @values), 84)) . ']';
}
sub name_of { $_[0] . ucfirst Verify::Clients::camel($_[1]) }

sub record {
  my ($name, $text, $fields) = @_;
  my @parts = map { my $wanted = $_; [grep { !!$_->{required} == $wanted } @$fields] } 1, 0;
  my $nested = join '', map { nested($name, $_) } @$fields;
  my $document = $text ? qq(    """) . join("\n    ", Verify::Clients::wrap($text, 78)) . qq("""\n\n) : '';
  return "${nested}class $name(TypedDict):\n$document" . fields($name, $parts[0]) . "\n\n"
    unless @{$parts[1]};
  return "${nested}class $name(TypedDict, total=False):\n$document" . fields($name, $parts[1]) . "\n\n"
    unless @{$parts[0]};
  return "${nested}class _$name(TypedDict):\n" . fields($name, $parts[0]) . "\n\n"
    . "class $name(_$name, total=False):\n$document" . fields($name, $parts[1]) . "\n\n";
}
sub nested {
  my ($name, $field) = @_;
  my $shape = $field->{shape};
  $shape = $shape->{of} while $shape->{of};
  return '' if $shape->{kind} ne 'record';
  return record(name_of($name, $field->{name}), $field->{text}, $shape->{fields});
}
sub fields {
  my ($name, $fields) = @_;
  return join '', map { comment('    ', $_->{text}) . "    $_->{name}: "
    . type_of($_->{shape}, name_of($name, $_->{name})) =~ s/\n/\n    /gr . "\n" } @$fields;
}
sub types {
  my ($api) = @_;
  my @types = $api->types;
  my @names = grep { $_->{shape}{kind} ne 'record' } @types;
  # Events are the last that refer to others.
  @names = ((grep { $_->{shape}{kind} ne 'any' } @names), (grep { $_->{shape}{kind} eq 'any' } @names));
  return qq($head"""The parameters and results of operations."""\n)
    . "from __future__ import annotations\n\n"
    . "from typing import Any, Dict, List, Literal, Optional, TypedDict, Union\n\n"
    . join('', map { comment('', $_->{text}) . "$_->{name} = " . type_of($_->{shape}) . "\n" }
      grep { $_->{shape}{kind} ne 'any' } @names)
    . "\n\n" . join('', map { record($_->{name}, $_->{text}, $_->{shape}{fields}) }
      grep { $_->{shape}{kind} eq 'record' } @types)
    . join('', map { comment('', $_->{text}) . "$_->{name} = " . type_of($_->{shape}) . "\n" }
      grep { $_->{shape}{kind} eq 'any' } @names);
}

# --- operations ---

sub operations {
  my ($api) = @_;
  my @methods = map { method($api, $_) } $api->operations;
  my %types = map { $_ => 1 } map { /\b([A-Z][a-z]\w+)/g } map { (split /"""/)[0] } @methods;
  my %known = map { $_->{name} => 1 } $api->types;
  return qq($head"""A method for each operation that a server calls."""\n)
    . "from __future__ import annotations\n\n"
    . "from typing import Any, Dict, List, Literal, Optional, Union, cast\n\n"
    . "from .listing import ObjectList\nfrom .path import UNSET, given, path_of\nfrom .types import (\n"
    . join('', map { "    $_,\n" } Verify::Clients::wrap(join(', ', grep { $known{$_} } sort keys %types), 82))
      =~ s/,,\n/,\n/gr
    . ")\n\n\nclass Operations:\n" . <<'BASE' . join('', @methods);
    def request(
        self, method: str, path: str, *, query: Optional[Dict[str, Any]] = None,
        body: Optional[Dict[str, Any]] = None, idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        raise NotImplementedError

    def list(
        self, path: str, query: Dict[str, Any], timeout: Optional[float] = None,
    ) -> ObjectList[Any]:
        raise NotImplementedError
BASE
}
sub method {
  my ($api, $operation) = @_;
  my $fields = $operation->{body} ? $api->fields_of($operation->{body}) : $operation->{query};
  my $writes = $operation->{method} eq 'POST';
  my @arguments = ('self', (map { "$_: str" } @{$operation->{ids}}), '*',
    (map { "$_->{name}: " . type_of($_->{shape}) =~ s/\n\s*//gr . ($_->{required} ? '' : ' = UNSET') } @$fields),
    $writes ? 'idempotency_key: Optional[str] = None' : (), 'timeout: Optional[float] = None');
  my $result = $operation->{list} ? "ObjectList[$operation->{result}]" : $operation->{result};
  my $given = 'given(' . join(', ', map { "$_->{name}=$_->{name}" } @$fields) . ')';
  my $path = "path_of(" . join(', ', qq("$operation->{path}"), map { "$_=$_" } @{$operation->{ids}}) . ')';
  my @call = $operation->{list} ? ($path, $given, 'timeout')
    : (qq("$operation->{method}"), $path,
      $operation->{body} ? "body=$given" : @$fields ? "query=$given" : (),
      $writes ? 'idempotency_key=idempotency_key' : (), 'timeout=timeout');
  return "\n    def " . Verify::Clients::snake($operation->{id}) . "(\n" . lines(8, @arguments)
    . "    ) -> $result:\n" . document($operation)
    . ($operation->{list} ? "        return self.list(\n" . lines(12, @call) . "        )\n"
      : "        return cast($result, self.request(\n" . lines(12, @call) . "        ))\n");
}
sub lines {
  my ($indent, @parts) = @_;
  my $space = ' ' x $indent;
  # A part is only divided behind the commas in its brackets.
  my @glued = map { s/(?<!,) |(?<=\[).*?(?=\])/$& =~ tr{ }{\x01}r/gre } @parts;
  my @lines = Verify::Clients::wrap(join(', ', @glued) . ',', 90 - $indent);
  return join '', map { $space . tr/\x01/ /r . "\n" } @lines;
}
sub document {
  my ($operation) = @_;
  my @lines = ("$operation->{summary}.", '', Verify::Clients::wrap($operation->{text}, 78));
  return qq(        """) . join("\n", map { length $_ ? "        $_" : '' } @lines) =~ s/\A\s+//r
    . qq(\n        """\n);
}

1;
