package Verify::AddressDatabase;
# Writes a small IPv4 database in MaxMind's format (version 2.0), so that tests
# need no third-party file: write($path, '192.0.2.0/24' => ['US', 'MD'], …).
use v5.32;
use warnings;

sub text { pack('C', 2 << 5 | length $_[0]) . $_[0] }
sub number { pack 'C N', 6 << 5 | 4, $_[0] } # uint32
sub short { pack 'C n', 5 << 5 | 2, $_[0] }  # uint16
sub map_of {
  my @pairs = @_;
  return pack('C', 7 << 5 | @pairs / 2) . join '',
    map { text($pairs[2 * $_]) . $pairs[2 * $_ + 1] } 0 .. $#pairs / 2;
}
sub array_of { pack('C C', scalar @_, 11 - 7) . join '', @_ }

sub place {
  my ($country, $region) = @_;
  return map_of(country => map_of(iso_code => text($country)),
    defined $region
      ? (subdivisions => array_of(map_of(iso_code => text($region)))) : ());
}

# A node is [left, right]; each undef, another node, or an offset into the data.
sub insert {
  my ($root, $network, $offset) = @_;
  my ($address, $length) = split m{/}, $network;
  my $bits = unpack 'B32', pack 'C4', split /\./, $address;
  my $node = $root;
  for my $depth (0 .. $length - 1) {
    my $bit = substr $bits, $depth, 1;
    if ($depth == $length - 1) { $node->[$bit] = \$offset }
    else { $node = $node->[$bit] //= [undef, undef] }
  }
}

sub write {
  my ($path, %networks) = @_;
  my ($data, $root) = ('', [undef, undef]);
  for my $network (sort keys %networks) {
    insert($root, $network, length $data);
    $data .= place(@{$networks{$network}});
  }
  my @nodes = ($root);
  my %index = ($root => 0);
  for (my $i = 0; $i < @nodes; $i++) {
    for my $child (grep { ref eq 'ARRAY' } @{$nodes[$i]}) {
      $index{$child} = @nodes;
      push @nodes, $child;
    }
  }
  my $count = @nodes;
  my $tree = join '', map {
    my $record = !defined $_ ? $count : ref eq 'ARRAY' ? $index{$_} : $$_ + $count + 16;
    substr pack('N', $record), 1;
  } map { @$_[0, 1] } @nodes;
  my $metadata = map_of(node_count => number($count), record_size => short(24),
    ip_version => short(4), database_type => text('Test'),
    languages => array_of(text('en')), binary_format_major_version => short(2),
    binary_format_minor_version => short(0),
    build_epoch => pack('C C N N', 8, 9 - 7, 0, 1),
    description => map_of(en => text('Test')));
  open my $file, '>:raw', $path or die "$path: $!\n";
  print $file $tree, "\0" x 16, $data, "\xab\xcd\xefMaxMind.com", $metadata;
  close $file or die "$path: $!\n";
}

1;
