# Tags of log messages, "IDV" and four digits: each stands at one place, within
# the range of its room or among those that are given to any room, and is never
# used again for another message.
use v5.32;
use warnings;
use FindBin;
use Test::More;

chdir "$FindBin::Bin/../.." or die;
my %rooms = (api => [1, 199], httpd => [1, 199], worker => [200, 399],
  out => [200, 399], store => [400, 499], analyze => [500, 599]);
my @any_room = (700, 999);
my (%places, @misplaced);
for my $path (glob 'mod_verify/*/*.c mod_verify/*/*.cpp mod_verify/*/*/*.c') {
  my ($room) = $path =~ m{^mod_verify/(\w+)/};
  open my $file, '<', $path or die "$path: $!\n";
  while (<$file>) {
    while (/"IDV([0-9]+)/g) {
      push @{$places{$1}}, "$path:$.";
      my $number = $1;
      push @misplaced, "$path:$.: IDV$number" if length $number != 4
        || !grep { $number >= $_->[0] && $number <= $_->[1] }
          $rooms{$room} // [1, 0], \@any_room;
    }
  }
}
ok keys %places > 5, 'there are tags';
my @double = map { "IDV$_: @{$places{$_}}" } grep { @{$places{$_}} > 1 } sort keys %places;
is "@double", '', 'each stands at one place';
is join("\n", @misplaced), '', 'each in the range of its room';
done_testing;
