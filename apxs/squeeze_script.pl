# Takes out of a JavaScript module what nobody needs who runs it: spaces beside
# punctuation, and lines that end where the language needs no end.
#
#   my $text = squeeze_script($module);
#
# Strings, templates and regular expressions stay as they are, but for the code
# within ${…} of a template. Nothing is renamed, and a line is joined to the next one
# only after a sign that no statement can end with, so that the words, and what they
# mean, are the same. Loaded by embed_dashboard.pl.
use v5.32;
use warnings;

my $STRING = qr/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/;
my $REGEX = qr{/(?![/*])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*};
# What a regular expression can follow, and a division cannot.
my $BEFORE_REGEX = qr/(?:\A|[=(,:\[!&|?{};<>+\n]|\breturn)\s*\z/;
my $PUNCTUATION = qr/[=+\-*?:{}(),;&|<>!\[\]]/;

# The template that begins at the position of TEXT, whose sign was read: its code
# squeezed, the rest as it is.
sub template {
  my ($text) = @_;
  my $out = '`';
  while ($$text !~ /\G`/gc) {
    if ($$text =~ /\G\$\{/gc) { $out .= '${' . code($text, 1) . '}' }
    elsif ($$text =~ /\G((?:[^`\\\$]|\\.|\$(?!\{))+)/gcs) { $out .= $1 }
    else { die "a template does not end\n" }
  }
  return $out . '`';
}

# A space between BEFORE and the sign AFTER it, where one was: only words, and signs
# that would become another one, need it.
sub space {
  my ($before, $after) = @_;
  return ' ' if $before =~ /[+-]\z/ && $after =~ /\A[+-]/;
  return '' if $before =~ /$PUNCTUATION\z/ || $after =~ /\A$PUNCTUATION/;
  return ' ';
}

# Code up to the end, or INSIDE of a template to the brace that ends it.
sub code {
  my ($text, $inside) = @_;
  my ($out, $depth) = ('', 0);
  while (1) {
    my $end = substr $out, -12; # enough to know what was before
    if ($$text =~ /\G\z/gc) { last if !$inside; die "code does not end\n" }
    if ($inside && !$depth && $$text =~ /\G\s*\}/gc) { last }
    if ($$text =~ /\G[ \t]*\n\s*/gc) {
      $out .= "\n" if $end !~ /(?:\A|[=+?:{(,;&|\[\n])\z/;
    }
    elsif ($$text =~ m{\G[ \t]*//[^\n]*}gc || $$text =~ m{\G/\*.*?\*/}gcs) { }
    elsif ($$text =~ /\G[ \t]+/gc) {
      $out .= space($end, substr $$text, pos $$text, 1);
    }
    elsif ($$text =~ /\G($STRING)/gc) { $out .= $1 }
    elsif ($$text =~ /\G`/gc) { $out .= template($text) }
    elsif ($end =~ $BEFORE_REGEX && $$text =~ /\G($REGEX)/gc) { $out .= $1 }
    elsif ($$text =~ /\G(\w+|.)/gcs) {
      $depth++ if $1 eq '{';
      $depth-- if $1 eq '}';
      $out .= $1;
    }
  }
  return $out;
}

sub squeeze_script {
  my ($module) = @_;
  pos($module) = 0;
  return code(\$module, 0);
}

1;
