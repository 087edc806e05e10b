# Texts by number: a script that asks for a text by a name that it writes out in full
# (t('editor.help')) asks by number instead, and the name is not served. Loaded by
# embed_dashboard.pl.
#
#   my @numbered = number_texts(\%scripts, $texts);
#   my $served = served_texts($texts, @numbered);
#
# A text keeps its name if a script can put that name together (`settings.${name}`), or
# if no script writes out the name of some other text of the same list: code asks for
# members of this list in another way (`${list}.${value}`).
#
# The served form is [names, texts by number, texts in the order of the names], which
# opened() in view.js reads.
use v5.32;
use warnings;

my $PLURAL = qr/\A(?:zero|one|two|few|many|other)\z/;
my $VALUE = qr/\$(?<braces>\{(?:[^{}`]++|`[^`]*+`|(?&braces))*+\})/;

# A text, a list of texts, or a text by the plural categories of the language.
sub is_text {
  my ($node) = @_;
  return ref $node ne 'HASH' || !grep { !/$PLURAL/ } keys %$node;
}

# The texts of TREE by their names, with dots.
sub texts_in {
  my ($tree, @path) = @_;
  return map { is_text($tree->{$_}) ? (join('.', @path, $_) => $tree->{$_})
    : texts_in($tree->{$_}, @path, $_) } keys %$tree;
}

# The names that SCRIPT can put together, as regular expressions. A template without a
# word of its own says nothing.
sub composed_in {
  my ($script) = @_;
  my %composed;
  while ($script =~ /`(?=((?:[\w.]++|$VALUE)++)`)/g) {
    my $template = $1 =~ s/$VALUE/\0/gr;
    $composed{join '.+', map { quotemeta } split /\0/, $template, -1} = 1
      if $template =~ /\0/ && $template =~ /\w/;
  }
  while ($script =~ /`((?:\w+\.)+)\$\{/g) {
    my $begin = quotemeta $1;
    grep { /\A\Q$begin/ } keys %composed or die "What is put together after $1?\n";
  }
  return keys %composed, map { quotemeta($_) . '.+' } $script =~ /"((?:\w+\.)+)"/g;
}

# Replaces names in SCRIPTS, whose TEXTS are a tree; the names that have a number, in
# order.
sub number_texts {
  my ($scripts, $texts) = @_;
  my %texts = texts_in($texts);
  my $composed = join '|', map { composed_in($_) } values %$scripts;
  my %written = map { $_ => 1 } map { /"([\w.]+)"/g } values %$scripts;
  my %is_asked_for = map { s/\.[^.]*\z//r => 1 }
    grep { !$written{$_} && !/\A(?:$composed)\z/ } keys %texts;
  my (%number, @numbered);
  for my $name (sort keys %$scripts) {
    $scripts->{$name} =~ s{"([a-z][\w.]*)"}{
      my $key = $1;
      my $has_number = exists $texts{$key} && $key !~ /\A(?:$composed)\z/
        && !$is_asked_for{$key =~ s/\.[^.]*\z//r};
      $number{$key} //= push(@numbered, $key) - 1 if $has_number;
      $has_number ? qq("$number{$key}") : qq("$key")}ge;
  }
  return @numbered;
}

# The names in NODE, as "list{name,list{name}},name"; appends its texts to TEXTS.
sub names_of {
  my ($node, $texts) = @_;
  my @names;
  for my $name (sort keys %$node) {
    die "$name: no name of a text\n" if $name =~ /[{},]/;
    my $below = $node->{$name};
    push @$texts, $below if ref $below ne 'HASH';
    push @names, ref $below eq 'HASH' ? "$name\{" . names_of($below, $texts) . '}' : $name;
  }
  return join ',', @names;
}

sub without_numbered {
  my ($tree, $is_numbered, @path) = @_;
  my %rest;
  for my $name (keys %$tree) {
    my $node = $tree->{$name};
    if (is_text($node)) {
      $rest{$name} = $node unless $is_numbered->{join '.', @path, $name};
      next;
    }
    my $below = without_numbered($node, $is_numbered, @path, $name);
    $rest{$name} = $below if %$below;
  }
  return \%rest;
}

sub served_texts {
  my ($texts, @numbered) = @_;
  my %texts = texts_in($texts);
  my %is_numbered = map { $_ => 1 } @numbered;
  my @rest;
  my $names = names_of(without_numbered($texts, \%is_numbered), \@rest);
  return [$names, [@texts{@numbered}], \@rest];
}

1;
