package Bench::Statement;
# A statement of sql/queries as a script of pgbench, word for word but for its
# parameters: each becomes a variable of its name, or an expression that takes
# its place.
use v5.32;
use warnings;
use Verify::Queries qw(query_parameters query_text);

# parameters: a hash by name; undef, or one left out, is NULL, a scalar reference
# an SQL expression, anything else a value. Returns the script and pgbench's
# options.
sub script {
  my ($name, %parameters) = @_;
  my (%seen, @options);
  my @names = query_parameters($name);
  for my $given (sort keys %parameters) {
    grep { $_ eq $given } @names or die "$name has no parameter $given\n";
  }
  my $text = query_text($name) =~ s{\$([0-9]+)}{
    my $parameter = $names[$1 - 1];
    my $value = $parameters{$parameter};
    if (!defined $value) { 'NULL' }
    elsif (ref $value) { "($$value)" }
    else {
      push @options, '-D', "$parameter=$value" unless $seen{$parameter}++;
      ":$parameter";
    }
  }ger;
  return ($text, \@options);
}

1;
