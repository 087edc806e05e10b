#!/usr/bin/env perl
# verifyctl liveness evaluate and match evaluate: what they count on recordings
# made of public pictures, whose truth is known. The figures say nothing of people.
use v5.32;
use warnings;
use File::Path qw(make_path);
use File::Temp ();
use JSON::PP ();
use Test::More;
use Verify::Face;

plan skip_all => $_ for face_models_missing() // ();

my $build = $ENV{VERIFY_BUILD} // 'build';
my $directory = File::Temp->newdir;
my @where = ('--analyzer', "$build/verify-analyze", '--models', $ENV{MODELS} // '.models');

sub put_file {
  my ($path, $bytes) = @_;
  open my $file, '>:raw', $path or die "$path: $!\n";
  print $file $bytes;
  close $file or die "$path: $!\n";
}
# A recording of PERSON who follows the prompts, or stays as in the still.
sub record {
  my ($path, $person, $follows) = @_;
  my @prompts = qw(left up neutral down);
  make_path("$directory/$path");
  put_file("$directory/$path/prompts", "@prompts\n");
  put_file("$directory/$path/still.jpg", $person->{still});
  for my $step (1 .. 4) {
    my $pose = $follows ? $prompts[$step - 1] : 'neutral';
    put_file("$directory/$path/step_${step}_$_.jpg", $person->{"${pose}_$_"})
      for 1 .. 4;
  }
}
sub pair {
  my ($path, $portrait, $still) = @_;
  make_path("$directory/$path");
  put_file("$directory/$path/portrait.jpg", $portrait);
  put_file("$directory/$path/still.jpg", $still);
}
sub evaluate {
  my @command = ("$build/verifyctl", @_, @where);
  open my $output, '-|', @command or die $!;
  local $/;
  my $text = <$output> // '';
  return close $output ? JSON::PP::decode_json($text) : undef;
}
sub read_plot {
  open my $file, '<', "$directory/$_[0]" or return '';
  local $/;
  return <$file>;
}

my $woman = person_before_camera('woman');
my $man = portrait_of('man');
record('live/bona-fide/one', $woman, 1);
record('live/attacks/print/one', $woman, 0);
# What is labelled as an attack and follows is one that was not seen.
record('live/attacks/replay/one', $woman, 1);
my $live = evaluate(qw(liveness evaluate), "$directory/live", '--plot',
  "$directory/live.svg");
is $live->{interval}, 'clopper_pearson', 'the interval is named';
is $live->{bona_fide}{passed}, 1, 'who follows is passed';
is $live->{bona_fide}{bpcer}{errors}, 0, '... which is no error';
cmp_ok $live->{bona_fide}{bpcer}{high}, '>', 0.97,
  '... and one recording proves next to nothing';
my %species = map { $_->{name} => $_ } @{$live->{attacks}};
is_deeply [sort keys %species], [qw(print replay)], 'each species is counted';
is $species{print}{apcer}{errors}, 0, 'who stays still is refused';
is $species{replay}{apcer}{errors}, 1, 'an attack that follows is an error';
is $live->{worst_species}, 'replay', 'the worst species counts';
is $live->{apcer}{rate}, 1, '... alone';
like read_plot('live.svg'), qr/\A<svg .*APCER, n = 2.*BPCER, n = 1/s, 'and drawn';

pair('match/mated/one', portrait_of('same_woman'), $woman->{still});
pair('match/non-mated/one', $man, $woman->{still});
pair('match/non-mated/two', $woman->{still}, $man);
my $match = evaluate(qw(match evaluate), "$directory/match", '--plot',
  "$directory/first.svg", '--plot-second', "$directory/second.svg");
is $match->{mated}{fnmr}{errors}, 0, 'one person is not refused';
is $match->{non_mated}{fmr}{count}, 2, 'all pairs of others';
is $match->{non_mated}{fmr}{errors}, 0, '... are not accepted';
is $match->{first_network}{fmr}{errors}, 0, 'nor by the first network';
like read_plot("$_.svg"), qr/FMR, n = 2/, "the $_ network is drawn"
  for qw(first second);

unlink "$directory/live/bona-fide/one/step_3_2.jpg";
is evaluate(qw(liveness evaluate), "$directory/live"), undef,
  'a recording without all its pictures ends it';
done_testing;
