# The version is set in apxs/version.mk. The pages that repeat it name the same one, and
# conf/CHANGES.md has the form of Keep a Changelog.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use Test::More;

chdir abs_path("$FindBin::Bin/../..") or die "no root: $!\n";
sub text_of {
  open my $file, '<', $_[0] or die "$_[0]: $!\n";
  local $/;
  return scalar <$file>;
}
my ($version) = text_of('apxs/version.mk') =~ /^VERIFY_VERSION := (\d+\.\d+\.\d+)$/m;
ok $version, 'a version';

my %repeated = (
  'README.md' => qr/^Version ([\d.]+\d)/m,
  'apxs/container/kubernetes/kustomization.yaml' => qr/newTag: "([^"]+)"/,
  'mod_verify/api/examples.json' => qr{"User-Agent": "mod_verify/([^"]+)"},
  'mod_verify/api/README.md' => qr{"User-Agent": "mod_verify/([^"]+)"},
  'conf/clients/java/README.md' => qr{<version>([^<]+)</version>},
  'conf/clients/java/pom.xml' => qr{^  <version>([^<]+)</version>}m,
  'conf/clients/java/src/main/java/modverify/VerifyClient.java' => qr/VERSION = "([^"]+)"/,
  'conf/clients/node/package.json' => qr/"version": "([^"]+)"/,
  'conf/clients/php/composer.json' => qr/"version": "([^"]+)"/,
  'conf/clients/php/src/VerifyClient.php' => qr/VERSION = '([^']+)'/,
  'conf/clients/python/mod_verify_client/version.py' => qr/__version__ = "([^"]+)"/,
  'conf/manual/upgrade-notes.md' => qr/\A.*?^## (\S+)/ms,
);
for my $page (sort keys %repeated) {
  my %named = map { $_ => 1 } text_of($page) =~ /$repeated{$page}/g;
  is_deeply [sort keys %named], [$version], $page;
}

# Its faults: what is no change, no group, no release, or says the same twice.
my @groups = qw(Added Changed Deprecated Removed Fixed Security);
my $group = join '|', @groups;
my %rank = map { $groups[$_] => $_ } 0 .. $#groups;
sub faults_of {
  my ($text) = @_;
  my (@faults, %seen, $release, $last);
  my ($head, $body) = $text =~ /\A(# Changes\n.*?)(?=^## )(.*)\z/ms or return 'no release';
  push @faults, 'Unreleased is not on top' unless $body =~ /\A## Unreleased\n/;
  for (split /\n/, $body) {
    if (/^## (?:Unreleased|\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d)\z/) {
      push @faults, "twice: $_" if $seen{$_}++;
      ($release, $last) = ($_, -1);
    } elsif (/^### ($group)\z/) {
      push @faults, "out of order: $_ of $release" if $rank{$1} <= $last;
      $last = $rank{$1};
    } elsif (/^- /) {
      push @faults, "without a group: $_" if $last < 0;
      push @faults, "twice: $_" if $seen{$_}++;
    } elsif (length && $last >= 0 || /^[#*\s]/) {
      push @faults, "not a change on one line: $_";
    }
  }
  return @faults;
}
is_deeply [map { s/:.*//r } faults_of(<<'PAGE')],
# Changes

## 1.0.0 - 2026-12-01

### Fixed

- one
  line too many

### Added

- one
- one

Of 27 November 2026:

## Unreleased

- two
PAGE
  ['Unreleased is not on top', 'not a change on one line', 'out of order', 'twice', 'twice',
  'not a change on one line', 'without a group'], 'faults are found';
is_deeply [faults_of(text_of('conf/CHANGES.md'))], [], 'conf/CHANGES.md';
done_testing;
