package Verify::Clients::Samples;
# A program for each operation in each language of the client libraries: the call that
# scripts/api-examples recorded. scripts/api-samples prints them all, and
# t/clients/samples.t runs them.
use v5.32;
use warnings;
use JSON::PP ();
use Verify::Clients;

# The languages, as `lang` of x-codeSamples names them, and their labels.
our %labels = (javascript => 'Node', python => 'Python', php => 'PHP', java => 'Java');
my %sample = (javascript => \&javascript, python => \&python, php => \&php, java => \&java);

# Operation => [{lang, label, source}], of the recorded EXAMPLES.
sub all {
  my ($api, $examples) = @_;
  return {map {
    my $call = call_of($api, $_, $examples->{"$_->{method} $_->{path}"});
    ($_->{id} => [map { {lang => $_, label => $labels{$_}, source => $sample{$_}->($call)} }
      qw(javascript python php java)]);
  } $api->operations};
}

# An operation with ids (values for its path), given ([name, value, shape] of its
# parameters) and parameters (the name of their type in Java).
sub call_of {
  my ($api, $operation, $example) = @_;
  my $fields = $operation->{body} ? $api->fields_of($operation->{body}) : $operation->{query};
  my %values = $operation->{body} ? %{$example->{request} // {}} : values_of($example->{query} // '', $fields);
  return {%$operation,
    ids => [map { id_of($_, $example->{response}) } $operation->{path} =~ m{(\w+)/\{\w+\}}g],
    given => [map { [$_->{name}, $values{$_->{name}}, $_->{shape}] }
      grep { exists $values{$_->{name}} } @$fields],
    parameters => $operation->{body} // "\u$operation->{id}Params"};
}
# The parameters of QUERY ("?limit=2&expand[]=results") with the types of FIELDS.
sub values_of {
  my ($query, $fields) = @_;
  my %kinds = map { $_->{name} => $_->{shape}{kind} } @$fields;
  my %values;
  for (split /&/, $query =~ s/\A\?//r) {
    my ($name, $value) = split /=/, s/%(..)/chr hex $1/ger, 2;
    $name =~ s/\[\]\z//;
    if ($kinds{$name} eq 'array') { push @{$values{$name}}, $value }
    else { $values{$name} = $kinds{$name} eq 'integer' ? 0 + $value : $value }
  }
  return %values;
}
# The prefixes of ids, by the part of the path before them.
my %prefixes = (verification_sessions => 'vks', sessions => 'vks', events => 'evt',
  risk => 'rsk', webhook_endpoints => 'we', deliveries => 'whd', grants => 'trg');
sub id_of {
  my ($about, $response) = @_;
  my $prefix = $prefixes{$about} // die "no prefix for the ids of $about\n";
  my ($recorded) = grep { /\A${prefix}_/ } map { $response->{$_} // '' }
    qw(id webhook_endpoint_id session_id);
  return $recorded || "${prefix}_04393ef4862f063a274961af5b";
}

sub is_boolean { JSON::PP::is_bool($_[0]) }
# VALUE as a literal: words has `true`, `false`, `quote`, and what opens, separates and
# closes an array and an object.
sub literal {
  my ($value, $words) = @_;
  return $words->{array}[0] . join(', ', map { literal($_, $words) } @$value) . $words->{array}[1]
    if ref $value eq 'ARRAY';
  return $words->{object}[0] . join(', ', map { $words->{key}->($_) . literal($value->{$_}, $words) }
    sort keys %$value) . $words->{object}[1] if ref $value eq 'HASH';
  return $value ? $words->{true} : $words->{false} if is_boolean($value);
  return $value if $value =~ /\A-?[0-9]+\z/ && !is_text($value);
  return $words->{quote} . $value . $words->{quote};
}
sub is_text { JSON::PP->new->allow_nonref->encode($_[0]) =~ /\A"/ }

my %javascript = (true => 'true', false => 'false', quote => "'", array => ['[', ']'],
  object => ['{ ', ' }'], key => sub { "$_[0]: " });
my %python = (true => 'True', false => 'False', quote => '"', array => ['[', ']'],
  object => ['{', '}'], key => sub { qq("$_[0]": ) });
my %php = (true => 'true', false => 'false', quote => "'", array => ['[', ']'],
  object => ['[', ']'], key => sub { "'$_[0]' => " });
my %java = (true => 'true', false => 'false', quote => '"', array => ['List.of(', ')'],
  object => ['Map.of(', ')'], key => sub { qq("$_[0]", ) });

# CALL of ARGUMENTS in a line, or with each of them in its own.
sub arguments {
  my ($indent, @arguments) = @_;
  my $line = join ', ', @arguments;
  return $line if length $line < 64;
  return "\n" . join(",\n", map { "$indent  $_" } @arguments) . "\n$indent";
}
sub members { my ($call, $words) = @_;
  return map { $words->{key}->($_->[0]) . literal($_->[1], $words) } @{$call->{given}} }

sub javascript {
  my ($call) = @_;
  my @members = members($call, \%javascript);
  my $record = join ', ', @members;
  $record = length $record < 56 ? "{ $record }" : "{\n" . join('', map { "  $_,\n" } @members) . '}';
  my $text = "client.$call->{id}(" . join(', ', (map { "'$_'" } @{$call->{ids}}), @members ? $record : ()) . ')';
  return <<"HEAD" . ($call->{list} ? <<"LIST" : "const result = await $text;\nconsole.log(result);\n");
import { VerifyClient } from 'mod-verify-client';

const client = new VerifyClient({
  url: process.env.VERIFY_URL, secretKey: process.env.VERIFY_SECRET_KEY });
HEAD
for await (const item of $text) {
  console.log(item);
}
LIST
}

sub python {
  my ($call) = @_;
  my $text = 'client.' . Verify::Clients::snake($call->{id}) . '(' . arguments('',
    (map { qq("$_") } @{$call->{ids}}), map { "$_->[0]=" . literal($_->[1], \%python) } @{$call->{given}}) . ')';
  $text =~ s/\n  /\n    /g;
  return <<"HEAD" . ($call->{list} ? "for item in $text:\n    print(item)\n" : "result = $text\nprint(result)\n");
import os
from mod_verify_client import VerifyClient

client = VerifyClient(os.environ["VERIFY_URL"], os.environ["VERIFY_SECRET_KEY"])
HEAD
}

sub php {
  my ($call) = @_;
  my @members = members($call, \%php);
  my $array = join ', ', @members;
  $array = length $array < 56 ? "[$array]" : "[\n" . join('', map { "    $_,\n" } @members) . ']';
  my $text = "\$client->$call->{id}(" . join(', ', (map { "'$_'" } @{$call->{ids}}), @members ? $array : ()) . ')';
  return <<"HEAD" . ($call->{list} ? <<"LIST" : "\$result = $text;\nprint_r(\$result);\n");
<?php
require 'mod-verify-client/autoload.php';

\$client = new ModVerify\\VerifyClient(
    getenv('VERIFY_URL'), getenv('VERIFY_SECRET_KEY'));
HEAD
foreach ($text as \$item) {
    print_r(\$item);
}
LIST
}

sub java {
  my ($call) = @_;
  my $parameters = join '', map { "\n        ." . Verify::Clients::camel($_->[0]) . '('
    . literal($_->[1], \%java) . ')' } @{$call->{given}};
  my $text = "client.$call->{id}(" . join(', ', (map { qq("$_") } @{$call->{ids}}),
    length $parameters ? "new Types.$call->{parameters}()$parameters" : $call->{required} ? "new Types.$call->{parameters}()" : ())
    . ')';
  my @imports = map { "import $_;\n" } ($text =~ /List\.of/ ? 'java.util.List' : ()),
    ($text =~ /Map\.of/ ? 'java.util.Map' : ()), ($text =~ /Types\./ ? 'modverify.Types' : ()), 'modverify.VerifyClient';
  my $use = $call->{list} ? "for (var item : $text) {\n    System.out.println(item);\n}\n"
    : "var result = $text;\nSystem.out.println(result);\n";
  return join '', @imports, <<'HEAD', $use =~ s/^(?=.)/        /gmr, "    }\n}\n";

public class Sample {
    public static void main(String[] arguments) {
        var client = new VerifyClient(
            System.getenv("VERIFY_URL"), System.getenv("VERIFY_SECRET_KEY"));
HEAD
}

1;
