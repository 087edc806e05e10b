package Verify::Clients::Node;
# conf/clients/node: operations.js with a method for each operation, and operations.d.ts
# with their types.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Clients;

my $json = JSON::PP->new->allow_nonref;
my $head = "// SPDX-License-Identifier: Apache-2.0\n"
  . "// Generated from the description of the API by scripts/api-clients.\n";

sub files {
  my ($api) = @_;
  return ('node/operations.js' => code($api), 'node/operations.d.ts' => types($api));
}

sub quoted { "'" . $_[0] . "'" }
sub member { $_[0] =~ /\A\w+\z/ ? $_[0] : quoted($_[0]) }

sub code {
  my ($api) = @_;
  return "${head}import { pathOf } from './path.js';\n\nexport class Operations {\n"
    . join("\n", map { method($_) } $api->operations) . "}\n";
}
sub method {
  my ($operation) = @_;
  my $has_parameters = $operation->{body} || @{$operation->{query}};
  my $names = join ', ', (map { Verify::Clients::camel($_) } @{$operation->{ids}}), $has_parameters ? 'params' : (), 'options';
  my $path = "pathOf`$operation->{path}`" =~ s/\{(\w+)\}/'${' . Verify::Clients::camel($1) . '}'/ger;
  my $call = $operation->{list} ? "this.list($path, params, options)"
    : "this.request(" . quoted($operation->{method}) . ", $path, "
    . ($operation->{body} ? '{ body: params }' : @{$operation->{query}} ? '{ query: params }' : '{}')
    . ', options)';
  $call =~ s/, options\)/,\n      options)/ if length $call > 78;
  return "  $operation->{id}($names) {\n    return $call;\n  }\n";
}

sub type_of {
  my ($shape, $indent) = @_;
  my $kind = $shape->{kind};
  my $text = $kind eq 'ref' ? $shape->{name}
    : $kind eq 'enum' ? union($indent, (map { quoted($_) } @{$shape->{values}}),
      $shape->{open} ? '(string & {})' : ())
    : $kind eq 'constant' ? $json->encode($shape->{value}) =~ tr/"/'/r
    : $kind eq 'any' ? join(' | ', map { type_of($_, $indent) } @{$shape->{alternatives}})
    : $kind eq 'array' ? "Array<" . type_of($shape->{of}, $indent) . ">"
    : $kind eq 'map' ? 'Record<string, ' . ($shape->{of} ? type_of($shape->{of}, $indent) : 'unknown') . '>'
    : $kind eq 'record' ? "{\n" . fields($shape->{fields}, "$indent  ") . "$indent}"
    : $kind eq 'integer' ? 'number' : $kind;
  return $text . ($shape->{nullable} ? ' | null' : '');
}
sub union {
  my ($indent, @values) = @_;
  my $line = join ' | ', @values;
  return $line if length $line < 70;
  my @lines = Verify::Clients::wrap(join(' ', map { "|\x01$_" } @values), 86 - length $indent);
  return join '', map { "\n$indent  " . tr/\x01/ /r } @lines;
}
sub fields {
  my ($fields, $indent) = @_;
  return join '', map { Verify::Clients::block_comment($indent, $_->{text})
    . $indent . member($_->{name}) . ($_->{required} ? '' : '?') . ': '
    . type_of($_->{shape}, $indent) . ";\n" } @$fields;
}
sub declaration {
  my ($type) = @_;
  my $comment = Verify::Clients::block_comment('', $type->{text});
  return "${comment}export interface $type->{name} {\n" . fields($type->{shape}{fields}, '  ') . "}\n"
    if $type->{shape}{kind} eq 'record';
  my $text = type_of($type->{shape}, '');
  return "${comment}export type $type->{name} =" . ($text =~ /\A\n/ ? '' : ' ') . "$text;\n";
}

sub types {
  my ($api) = @_;
  my @parameters = map { {name => "\u$_->{id}Params", text => "The parameters of $_->{id}.",
    shape => {kind => 'record', fields => $_->{query}}} } grep { @{$_->{query}} } $api->operations;
  return $head . <<'TYPES' . join("\n", (map { declaration($_) } @parameters, $api->types), methods($api));
import type { List, RequestOptions, WriteOptions } from './index.js';

TYPES
}
sub methods {
  my ($api) = @_;
  return "/** A method for each operation that a server calls. */\nexport class Operations {\n"
    . join("\n", map { signature($_) } $api->operations) . "}\n";
}
sub signature {
  my ($operation) = @_;
  my $parameters = $operation->{body} // (@{$operation->{query}} ? "\u$operation->{id}Params" : undef);
  my $options = $operation->{method} eq 'POST' ? 'WriteOptions' : 'RequestOptions';
  my @arguments = ((map { Verify::Clients::camel($_) . ': string' } @{$operation->{ids}}),
    $parameters ? 'params' . ($operation->{required} ? '' : '?') . ": $parameters" : (),
    "options?: $options");
  my $result = $operation->{list} ? "List<$operation->{result}>" : "Promise<$operation->{result}>";
  return Verify::Clients::block_comment('  ', "$operation->{summary}.", $operation->{text})
    . "  $operation->{id}(" . join(', ', @arguments) . "): $result;\n";
}

1;
