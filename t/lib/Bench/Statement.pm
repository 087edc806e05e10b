package Bench::Statement;
# A statement of sql/queries as a script of pgbench, word for word but for its
# parameters: $1 becomes :p1 or an expression that takes its place.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);

my $root = abs_path(dirname(__FILE__) . '/../../..');

sub read_text {
  my ($path) = @_;
  open my $file, '<', $path or die "$path: $!\n";
  local $/;
  return <$file>;
}

# The text that apxs/embed_sql.awk embeds.
sub text {
  my ($name) = @_;
  my $text = read_text("$root/sql/queries/$name.sql");
  1 while $text =~ s{^[ \t]*@([a-z_]+)$}{read_text("$root/sql/fragments/$1.sql")}gme;
  return $text =~ s/^\s*--.*\n//gmr;
}

# parameters: a hash by number: undef is NULL, a scalar reference is an SQL
# expression, anything else a value. Returns the script and pgbench's options.
sub script {
  my ($name, %parameters) = @_;
  my (%seen, @options);
  my $text = text($name) =~ s{\$([0-9]+)}{
    my $value = $parameters{$1};
    if (!defined $value) { 'NULL' }
    elsif (ref $value) { "($$value)" }
    else {
      push @options, '-D', "p$1=$value" unless $seen{$1}++;
      ":p$1";
    }
  }ger;
  return ($text, \@options);
}

1;
