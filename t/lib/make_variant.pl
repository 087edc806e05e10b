# Makes of a header what another version of the module might have in its place:
# the routes in the opposite order with one more, or a list of counters with one
# more at its beginning. Reads standard input, writes standard output.
use v5.32;
use warnings;

local $/;
my $text = <STDIN>;
my $changed = $text =~ s{((?:^IDV_ROUTE\([^;]*?\)\n)+)\z}{
  my @routes = split /^(?=IDV_ROUTE\()/m, $1;
  join '', 'IDV_ROUTE(GET, "/v1/variant", NONE, NONE, NO, idv_health_live, NONE)', "\n",
    reverse @routes}me
  + $text =~ s{^(\#define\ IDV_(STATISTICS_)?COUNTERS\(IDV_COUNTER\)\s*\\\n)}
    {$1 . '    IDV_COUNTER(variant, "' . ($2 ? 'watchdog_' : '')
      . qq{variant_total", "Of a variant alone.") \\\n}}mxe;
die "nothing to change\n" unless $changed == 1;
print $text;
