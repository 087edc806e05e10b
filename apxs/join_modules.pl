# Joins JavaScript modules into one, so that a page needs one request where its
# source has twenty files. Loaded by embed_web.pl.
#
#   my $text = join_modules('widget.js', sub { content of a module });
#   my $text = join_modules('methods/mdl.js', $read, 'widget.js');
#
# The last arguments are modules that stay apart: the result imports them; a bare
# name among them ('preact') stays as it is, for the page's import map. Each
# module becomes a function that is called once and returns what it exports. Of
# the language's forms of import and export the joiner knows those that the
# widget uses, and ends with an error at any other, at a circle, and at `export
# let`, whose changes importers could not see.
use v5.32;
use warnings;

my $NAMES = qr/\{([^}]*)\}/;
my $FROM = qr/\s*from\s*'([^']+)'\s*;/;

# './dom.js' as seen from methods/mdl.js: methods/dom.js.
sub resolve_module {
  my ($from, $address, $apart) = @_;
  return $address if $apart->{$address};
  die "$from: '$address' is no relative address\n" if $address !~ m{^\.\.?/};
  my @path = split m{/}, $from;
  pop @path;
  for my $part (split m{/}, $address) {
    if ($part eq '..') { pop @path }
    elsif ($part ne '.') { push @path, $part }
  }
  return join '/', @path;
}

sub variable_of {
  my ($module) = @_;
  return 'module_' . $module =~ s/\.js\z//r =~ s/\W/_/gr;
}

# "a, b as c" as a list of [a, c].
sub names_of {
  my ($text) = @_;
  return map { /^(\w+)(?:\s+as\s+(\w+))?$/ ? [$1, $2 // $1]
    : die "no list of names: $text\n" } grep { length }
    map { s/^\s+|\s+\z//gr } split /,/, $text;
}

sub pattern_of {
  return join ', ', map { $_->[0] eq $_->[1] ? $_->[0] : "$_->[0]: $_->[1]" }
    @_;
}

# The names at the beginning of exported declarations.
sub take_declarations {
  my ($text, $exports) = @_;
  $$text =~ s{^export\s+((?:async\s+)?function\*?|class|const)\s+(\w+)}
    {push @$exports, [$2, $2]; "$1 $2"}gme;
  $$text =~ s{^export\s+default\s+}
    {push @$exports, ['module_default', 'default']; 'const module_default = '}gme;
  $$text =~ s{^export\s*$NAMES\s*;}
    {push @$exports, names_of($1); ''}gme;
}

# One module as the text that defines its variable; NEED is called with the
# name of each that it needs, before.
sub wrap_module {
  my ($module, $text, $need, $apart) = @_;
  my (@imports, @exports);
  my $take = sub {
    my ($address) = @_;
    return $need->(resolve_module($module, $address, $apart));
  };
  $text =~ s{^\s*//.*\n}{}gm;
  # Nobody reads the indentation, unless a template goes on over several lines.
  $text =~ s/^ +//gm if !grep { tr/`// % 2 } split /\n/, $text;
  $text =~ s{^import\s*$NAMES$FROM}{push @imports,
    'const { ' . pattern_of(names_of($1)) . ' } = ' . $take->($2) . ';'; ''}gme;
  $text =~ s{^import\s*\*\s*as\s+(\w+)$FROM}{push @imports,
    "const $1 = " . $take->($2) . ';'; ''}gme;
  $text =~ s{^import\s*'([^']+)'\s*;}{$take->($1); ''}gme;
  $text =~ s{^export\s*$NAMES$FROM}{
    my ($names, $variable) = ($1, $take->($2));
    push @exports, map { ["$variable.$_->[0]", $_->[1]] } names_of($names);
    ''}gme;
  take_declarations(\$text, \@exports);
  die "$module: cannot join \"$1\"\n" if $text =~ /^((?:import\s*[^\s(.]|export\b).*)/m;
  my $result = join ', ', map { $_->[1] eq $_->[0] ? $_->[0] : "$_->[1]: $_->[0]" }
    @exports;
  return 'const ' . variable_of($module) . " = (() => {\n"
    . join('', map { "$_\n" } @imports) . $text =~ s/\n{2,}/\n/gr
    . "return { $result };\n})();\n", map { $_->[1] } @exports;
}

sub join_modules {
  my ($entry, $read, @apart) = @_;
  my %apart = map { $_ => 1 } @apart;
  my (%done, %begun, @order, %outside, @exported);
  my $visit;
  $visit = sub {
    my ($module) = @_;
    my $variable = variable_of($module);
    if ($apart{$module} && $module ne $entry) {
      my $up = '../' x ($entry =~ tr{/}{});
      $outside{$variable} = $module =~ /\.js\z/ ? ($up || './') . $module
        : $module;
      return $variable;
    }
    return $variable if $done{$module};
    die "$module: a circle of imports\n" if $begun{$module}++;
    my ($text, @names) = wrap_module($module, $read->($module), $visit,
      \%apart);
    push @order, $text;
    @exported = @names if $module eq $entry;
    $done{$module} = 1;
    return $variable;
  };
  $visit->($entry);
  my @default = grep { $_ eq 'default' } @exported;
  my @named = grep { $_ ne 'default' } @exported;
  return join '',
    (map { "import * as $_ from '$outside{$_}';\n" } sort keys %outside),
    @order,
    @named ? 'export const { ' . join(', ', @named) . ' } = '
      . variable_of($entry) . ";\n" : '',
    @default ? 'export default ' . variable_of($entry) . ".default;\n" : '';
}

1;
