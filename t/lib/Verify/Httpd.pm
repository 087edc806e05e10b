package Verify::Httpd;
# What the httpd of this machine can do.
use v5.32;
use warnings;
use version;
use Exporter 'import';

our @EXPORT_OK = qw(httpd_before no_waiting);

sub found_version {
  for my $program (qw(apache2 httpd)) {
    my ($version) = `$program -v 2>/dev/null` =~ m{Apache/([0-9]+\.[0-9]+\.[0-9]+)};
    return $version if $version;
  }
  die "no httpd\n";
}

# Whether it is older than, say, "2.4.63".
sub httpd_before {
  my ($version) = @_;
  return version->parse('v' . found_version()) < version->parse("v$version");
}

# Why nothing waits without a thread under event here; undef where it does.
sub no_waiting {
  return undef unless httpd_before('2.4.63');
  return 'httpd ' . found_version() . ' keeps a thread for each client; from 2.4.63 on it need not';
}

1;
