# What the tests let pass in httpd's error log: what a test declares, and what
# other modules say of the machine they run on.
use v5.32;
use warnings;
use File::Temp ();
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use Verify::ErrorLog;

my $head = '[2026-01-02 03:04:05.678901]';
my $process = '[pid 12:tid 34]';
my $newer = 'AH01882: Init: this version of mod_ssl was compiled against a newer'
  . ' library (OpenSSL 3.0.22 (OpenSSL 3.0.19), version currently loaded is'
  . ' 0x30000130) - may result in undefined or erroneous behavior';

# The log of LINES, and what speaks against it.
sub log_of {
  my $file = File::Temp->new;
  print $file map { "$_\n" } @_;
  close $file;
  return (Verify::ErrorLog->new("$file"), $file);
}
sub faults {
  my ($log, $file) = log_of(@_);
  return scalar(() = $log->faults);
}

is faults("$head [ssl:warn] $process $newer"), 0,
  'an OpenSSL that is older than mod_ssl is the matter of the machine';
is faults("$head [ssl:error] $process $newer"), 1, 'as a warning only';
is faults("$head [verify:warn] $process $newer"), 1, 'and from mod_ssl only';
is faults("$head [ssl:warn] $process AH01909: some other warning"), 1,
  'other lines of mod_ssl are to be declared';
is faults("$head [verify:error] $process IDV0301: the database is lost"), 1,
  'as ours are';
is faults("$head [verify:notice] $process IDV0302: it is back"), 0,
  'notices are not';
is faults('==12==ERROR: LeakSanitizer: detected memory leaks'), 1,
  'what a sanitizer says counts at any level';

my ($log, $file) = log_of("$head [verify:error] $process IDV0301: it is lost");
$log->expect(qr/IDV0301/, qr/IDV0302/);
is_deeply [map { /\A(\w+)/ } $log->faults], ['missing'],
  'what is declared passes, what is expected has to come';

for my $entry (@Verify::ErrorLog::machine) {
  cmp_ok length $entry->{reason}, '>', 40, "$entry->{line}: has its reason";
  like "$entry->{line}", qr/\\\[\w+:warn\\\] .*AH\d{5}: \w+/,
    'and names module, level and message';
  unlike '[verify:warn] [pid 1:tid 1] IDV0301: AH01882', $entry->{line},
    'which are not those of this module';
}
done_testing;
