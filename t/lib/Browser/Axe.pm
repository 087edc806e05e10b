package Browser::Axe;
# What axe finds on the page that a browser shows, in both schemes; skipped where
# axe is not to be had.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use Exporter qw(import);
use File::Basename qw(dirname);
use Test::More;

our @EXPORT = qw(axe_ok);
my $root = abs_path(dirname(__FILE__) . '/../../..');
my $axe;

# Of the dark scheme only the rules about colours: dashboard.css differs in nothing else
# there, which t/meta/dark_scheme.t checks.
my %RULES = (light => [qw(wcag2a wcag2aa wcag21a wcag21aa wcag22aa best-practice)],
  dark => [qw(color-contrast link-in-text-block)]);
my $RUN = <<'JS';
const [rules, done] = arguments;
axe.run(document, { runOnly: rules, resultTypes: ['violations'] }).then(
  (r) => done(r.violations.flatMap((v) => v.nodes.map((n) => v.id + ': '
    + n.target + ': ' + n.failureSummary))), (e) => done([String(e)]));
JS

sub source {
  my $file = "$root/t/browser/node_modules/axe-core/axe.min.js";
  system("$root/scripts/fetch-test-modules >&2") == 0 or return;
  open my $in, '<:raw', $file or die "$file: $!";
  local $/;
  return readline $in;
}
sub axe_ok {
  my ($browser, $name) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  unlike $browser->run('return document.body.innerText'),
    qr/\bNaN\b|\bundefined\b|\[object /, "$name: nothing is missing in its sentences";
  is $browser->run('return [...document.querySelectorAll("main strong")].filter('
    . '(e) => !e.textContent.trim()).length'), 0, 'and no name is empty';
  SKIP: {
    $axe //= source();
    skip 'axe-core could not be fetched: npm is not reachable', 2 unless $axe;
    $browser->run($axe) unless $browser->run('return !!window.axe');
    for my $scheme ('light', 'dark') {
      $browser->media('prefers-reduced-motion' => 'reduce',
        'prefers-color-scheme' => $scheme);
      is_deeply $browser->run_async($RUN, $RULES{$scheme}), [], "axe: $name, $scheme";
    }
  }
}

1;
