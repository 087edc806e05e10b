# Embeds sql/queries: writes the table that store/db/db.h describes. Each file
# sql/queries/<subject>/<aggregate>/<name>.sql is the statement <aggregate>_<name>,
# whose parameters have names; PostgreSQL is given numbers.
#
# Called with `header` or `source`, and the files in order. t/lib takes the
# statements from read_query().
#
# What a file has besides SQL stands on lines of its own:
#
#   @parameters organization_id, now
#       The parameters in the order in which C passes them. The list goes on
#       behind a comma at the end of a line; an item may have a comment, and an
#       item @name stands for the names in sql/fragments/name.sql. The statement
#       has them as :organization_id and :now, all of them and no others.
#   @name
#       Stands for the text of sql/fragments/name.sql, which may have such lines
#       again, and parameters that the file declares.
#   @reversed other
#       The file makes a second statement, <aggregate>_<other>, which lists the
#       same in the opposite order: without each DESC.
#   @only name text
#       The text is a line of that one of the two statements alone.
#
# A colon inside of brackets that follows a value is an array slice's, as in
# [1:n]; one behind a bracket, a comma or an operator begins a parameter.
package EmbedSql;
use v5.32;
use warnings;

# Reports a fault, of a line that is an array of its text, file and number.
sub refuse {
  my ($line, $why) = @_;
  die "$line->[1]:$line->[2]: $why\n";
}

sub read_lines {
  my ($path, $used_at) = @_;
  open my $file, '<', $path
    or ($used_at ? refuse($used_at, "there is no $path") : die "$path: $!\n");
  my @lines = map { [s/\n\z//r] } <$file>;
  $lines[$_][1] = $path, $lines[$_][2] = $_ + 1 for 0 .. $#lines;
  return @lines;
}

sub fragment_path {
  my ($line, $name) = @_;
  return $line->[1] =~ s{queries(?:/[^/]+){3}\z}{fragments/$name.sql}r
    if $line->[1] =~ m{queries(?:/[^/]+){3}\z};
  return $line->[1] =~ s{[^/]+\z}{$name.sql}r;
}

# The names in one item of a declaration.
sub declared_names {
  my ($line, $item) = @_;
  return $item if $item =~ /\A[a-z][a-z0-9_]*\z/;
  $item =~ /\A@([a-z_]+)\z/ or refuse($line, "no name of a parameter: '$item'");
  my $text = join ' ', map { $_->[0] =~ s/--.*//r }
    read_lines(fragment_path($line, $1), $line);
  return map { declared_names($line, $_) } $text =~ /[^\s,]+/g;
}

# Takes the declaration off @$lines, which begin with what follows @parameters.
sub read_declaration {
  my ($lines, @names) = @_;
  my $goes_on = 1;
  while ($goes_on) {
    my $line = shift @$lines // die "a declaration has no end\n";
    my $text = $line->[0] =~ s/--.*//r =~ s/\A\s+|\s+\z//gr;
    $goes_on = $text eq '' || $text =~ s/,\z//;
    push @names, map { declared_names($line, $_) } split /\s*,\s*/, $text;
  }
  return @names;
}

# The lines of a query with its fragments in place of their names; what the
# directives say goes to %$query.
sub expand {
  my ($query, $depth, @lines) = @_;
  my @expanded;
  while (my $line = shift @lines) {
    my ($text) = @$line;
    if ($text =~ /\A\s*\@parameters\b(.*)/) {
      refuse($line, 'a second declaration') if $query->{parameters};
      refuse($line, 'a fragment declares no parameters') if $depth;
      unshift @lines, [$1, @$line[1, 2]];
      $query->{declared_at} = $line;
      $query->{parameters} = [read_declaration(\@lines)];
    } elsif ($text =~ /\A\s*\@reversed ([a-z_]+)\s*\z/) {
      $query->{reversed} = $1;
    } elsif ($text =~ /\A\s*\@only ([a-z_]+) (.*)/) {
      push @expanded, [$2, @$line[1, 2], $1];
    } elsif ($text =~ /\A\s*\@([a-z_]+)\s*\z/) {
      my $path = fragment_path($line, $1);
      refuse($line, "$path includes itself") if $depth > 4;
      push @expanded, expand($query, $depth + 1, read_lines($path, $line));
    } elsif ($text =~ /\A\s*\@[a-z]/) {
      refuse($line, "no directive: $text");
    } else {
      push @expanded, $line;
    }
  }
  return @expanded;
}

# What may contain a colon or a dollar sign and is no parameter.
my $literal = qr{
    [eE]'(?:[^'\\]|\\.|'')*'        # with escapes
  | '(?:[^']|'')*'
  | "(?:[^"]|"")*"
  | \$([A-Za-z_][A-Za-z0-9_]*|)\$.*?\$\g{-1}\$
}xs;

# The text of a statement with numbers for names. Comments go, and lines that
# have nothing else.
sub number {
  my ($query, $is_reversed, @lines) = @_;
  my $text = join '', map { "$_->[0]\n" } @lines;
  my %number = map { $query->{parameters}[$_] => $_ + 1 } 0 .. $#{$query->{parameters}};
  my ($out, $brackets, %used) = ('', 0);
  my $refuse = sub { refuse($lines[substr($text, 0, pos $text) =~ tr/\n//], shift) };
  pos($text) = 0;
  while (pos $text < length $text) {
    if ($text =~ m{\G(?:--[^\n]*|/\*.*?\*/)}gcs) {
      $out =~ s/[ \t]+\z//;
    } elsif ($text =~ /\G$literal/gc) {
      $out .= $&;
    } elsif ($text =~ /\G\$/gc) {
      $refuse->('parameters have names');
    } elsif ($text =~ /\G(?:::|:=)/gc) {
      $out .= $&;
    } elsif ($text =~ /\G:/gc) {
      if ($brackets && $out =~ /[\w)\]"']\s*\z/) {
        $out .= ':';
        next;
      }
      $text =~ /\G[a-z][a-z0-9_]*/gc or $refuse->('a colon before no name');
      my $name = $&;
      $number{$name} or $refuse->("there is no parameter $name");
      $used{$name} = 1;
      $out .= "\$$number{$name}";
    } elsif ($text =~ /\G\w+/gc) {
      my $word = $&;
      if ($is_reversed && uc $word eq 'DESC') {
        $out =~ s/[ \t]+\z//;
      } else {
        $out .= $word;
      }
    } else {
      $text =~ /\G./gcs;
      $brackets += ($& eq '[') - ($& eq ']');
      $out .= $&;
    }
  }
  for (grep { !$used{$_} } @{$query->{parameters}}) {
    refuse($query->{declared_at}, "the parameter $_ is not used");
  }
  return $out =~ s/^\s*\n//gmr;
}

# The statements of a file, as hashes of name, text and parameters.
sub read_query {
  my ($path) = @_;
  my ($aggregate, $name) = $path =~ m{([a-z_]+)/([a-z_]+)\.sql\z}
    or die "$path: not sql/queries/<subject>/<aggregate>/<name>.sql\n";
  my %query;
  my @lines = expand(\%query, 0, read_lines($path));
  my @names = ($name, $query{reversed} // ());
  my %seen;
  $query{parameters} //= [];
  for (@{$query{parameters}}) {
    refuse($query{declared_at}, "the parameter $_ is declared twice") if $seen{$_}++;
  }
  for my $line (@lines) {
    refuse($line, "no statement $line->[3]")
      if defined $line->[3] && !grep { $_ eq $line->[3] } @names;
  }
  return map {
    my $statement = $_;
    {
      name => "${aggregate}_$statement",
      parameters => $query{parameters},
      text => number(\%query, $statement ne $name,
        grep { !defined $_->[3] || $_->[3] eq $statement } @lines),
    }
  } @names;
}

sub print_header {
  my (@statements) = @_;
  print "/* Generated from sql/queries; do not edit. */\n",
    "#ifndef IDV_GEN_SQL_STATEMENTS_H\n#define IDV_GEN_SQL_STATEMENTS_H\n",
    "typedef enum {\n", (map { "    IDV_SQL_\U$_->{name}\E,\n" } @statements),
    "    IDV_SQL_COUNT\n} idv_sql_t;\n#endif\n";
}

sub print_source {
  my (@statements) = @_;
  print "/* Generated from sql/queries; do not edit. */\n",
    "#include \"store/db/db.h\"\n",
    "const idv_sql_text_t idv_sql_texts[IDV_SQL_COUNT + 1] = {\n";
  for my $statement (@statements) {
    print "    {\"$statement->{name}\", ", scalar @{$statement->{parameters}}, ",\n";
    for my $line (split /\n/, $statement->{text}) {
      print '     "', $line =~ s/([\\"])/\\$1/gr, "\\n\"\n";
    }
    print "    },\n";
  }
  print "    {0, 0, 0},\n};\n";
}

if (!caller) {
  my ($mode, @files) = @ARGV;
  my %modes = (header => \&print_header, source => \&print_source);
  my $print = $modes{$mode // ''} or die "usage: embed_sql.pl header|source FILE...\n";
  $print->(map { read_query($_) } @files);
}
1;
