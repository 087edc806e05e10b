# Compliance rules as an operator works on them: an overlay of their own, two
# directories compared, and an export.
use v5.32;
use warnings;
use FindBin;
use File::Temp ();
use JSON::PP ();
use Test::More;

my $root = "$FindBin::Bin/../..";
my $build = $ENV{VERIFY_BUILD} // 'build';
my $verifyctl = $build =~ m{\A/} ? "$build/verifyctl" : "$root/$build/verifyctl";
my $json = JSON::PP->new->utf8->canonical;
my $rules = File::Temp->newdir;
my $overlay = File::Temp->newdir;
symlink "$root/conf/compliance/DE.json", "$rules/DE.json" or die "DE.json: $!\n";

sub put {
  my ($content) = @_;
  open my $out, '>:raw', "$overlay/DE.json" or die "DE.json: $!\n";
  print $out $json->encode($content);
  close $out or die "DE.json: $!\n";
}
sub run_it {
  my ($with_overlay, @words) = @_;
  local $ENV{VERIFY_COMPLIANCE_RULES} = "$rules";
  local $ENV{VERIFY_COMPLIANCE_OVERLAY} = "$overlay";
  delete $ENV{VERIFY_COMPLIANCE_OVERLAY} unless $with_overlay;
  open my $pipe, '-|', $verifyctl, 'compliance', @words or die "$verifyctl: $!\n";
  my $text = do { local $/; <$pipe> };
  close $pipe;
  return ($? >> 8, $text);
}
sub ask {
  my ($with_overlay, @words) = @_;
  my ($status, $text) = run_it($with_overlay, @words);
  is $status, 0, "compliance @words";
  return $json->decode($text);
}
my @question = qw(check firearms --jurisdiction DE);

put({rule_version => 'shop-3', rules => {tobacco_nicotine => []}});
my ($status) = run_it(1, @question);
ok $status != 0, 'an overlay is read as strictly as what ships';

my $review = {by => 'Legal', on => '2026-11-01', next_due => '2027-11-01'};
put({rule_version => 'shop-3', rules => {firearms => {minimum_age => 25, review => $review}}});
my ($own, $shipped) = map { ask($_, @question)->{results}[0] } 1, 0;
is $own->{required_age}, 25, 'a rule of the overlay';
is $own->{rule_version}, "$shipped->{rule_version}+shop-3", 'both versions are shown';
is $own->{governing_regulator}, $shipped->{governing_regulator}, 'the rest is as it ships';
isnt $shipped->{required_age}, 25, 'which stays as it is';
is_deeply ask(1, qw(sources firearms --jurisdiction DE))->{results}[0]{parts}[0]{review},
  $review, 'the review record is shown with the sources';

my $other = File::Temp->newdir;
sub set_in_other {
  my ($member, $value) = @_;
  open my $in, '<:raw', "$rules/DE.json" or die "DE.json: $!\n";
  my $file = $json->decode(do { local $/; <$in> });
  $file->{rules}{firearms}{$member} = $value;
  $file->{rule_version} = 'other';
  open my $out, '>:raw', "$other/DE.json" or die "DE.json: $!\n";
  print $out $json->encode($file);
  close $out or die "DE.json: $!\n";
}
set_in_other(minimum_age => 25);
my $changes = ask(0, 'diff', "$rules", "$other");
is_deeply [map { "$_->{jurisdiction} $_->{use_case} $_->{changed}{required_age}{after}" }
    grep { $_->{jurisdiction} eq 'DE' } @$changes], ['DE firearms 25'],
  'the one answer that differs';
is_deeply ask(0, 'diff', "$rules", "$rules"), [], 'a set does not differ from itself';

my $exported = ask(0, 'export', "$rules");
is_deeply [grep { !@{$_->{parts}} } @$exported], [], 'every rule is exported with its sources';
my ($csv_status, $csv) = run_it(0, 'export', "$rules", qw(--format csv --as-of 2026-11-01));
is $csv_status, 0, 'as CSV';
my @lines = split /\r\n/, $csv;
is @lines, 1 + @$exported, 'a line for each';
like $lines[0], qr/\A"jurisdiction","use_case","known",.*,"sources"\z/, 'and a head';
set_in_other(review => $review);
my (undef, $reviewed) = run_it(0, 'export', "$other", qw(--format csv));
like $lines[0], qr/,"looked_up","reviewed_by","reviewed_on","review_due","sources"\z/,
  'with columns for reviews';
like $reviewed, qr/^"DE","firearms".*"Legal","2026-11-01","2027-11-01","/m, '... filled in';

# Whatever of these a text begins with, a spreadsheet might take it for a formula.
for my $first ('=', '+', '-', '@', "\t", "\r") {
  set_in_other(note => "${first}1+1");
  my ($status, $table) = run_it(0, 'export', "$other", qw(--format csv));
  is $status, 0, sprintf 'a note that begins with %02X', ord $first;
  like $table, qr/"'\Q${first}\E1\+1"/, 'gets an apostrophe';
}
done_testing;
