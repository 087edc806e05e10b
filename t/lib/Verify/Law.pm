package Verify::Law;
# The shipped compliance rules as Perl data: the contents of the files, and the
# resulting rule for a place, a product and an article on the day of the data.
use v5.32;
use warnings;
use Exporter 'import';
use JSON::PP ();

our @EXPORT_OK = qw(law_files law_places each_rule law_holds law_answer law_day
  @law_products);

our @law_products = qw(alcohol_delivery alcohol_in_person cannabis_dispensary
  cannabis_delivery gambling_online gambling_in_person tobacco_nicotine
  adult_content social_media firearms);

# The files of a directory, by country.
sub law_files {
  my ($directory) = @_;
  my $json = JSON::PP->new->utf8;
  my %files;
  for my $path (glob "$directory/??.json") {
    open my $in, '<:raw', $path or die "$path: $!\n";
    my ($country) = $path =~ m{(..)\.json\z};
    $files{$country} = do { local $/; $json->decode(<$in>) };
  }
  return \%files;
}

# The newest day in any file: rules are evaluated as of then.
sub law_day {
  my ($files) = @_;
  my ($day) = sort { $b cmp $a } map { substr $_->{rule_version}, 0, 10 } values %$files;
  return $day;
}

# Countries and regions, in order.
sub law_places {
  my ($files) = @_;
  return map {
    my $country = $_;
    ($country, map { "$country-$_" } sort keys %{$files->{$country}{regions} // {}});
  } sort keys %$files;
}

# A product has one rule or several; none if it is missing.
sub each_rule { return ref $_[0] eq 'ARRAY' ? @{$_[0]} : $_[0] // () }

# Whether a rule applies on the day: an enjoined one does not, and an enacted
# one without a day does not yet.
sub law_holds {
  my ($rule, $day) = @_;
  my $status = $rule->{status} // 'in_force';
  return 0 if $status eq 'enjoined' || $status eq 'enacted' && $rule->{from} eq 'unknown';
  return ($rule->{from} eq 'unknown' || $rule->{from} le $day)
    && $day lt ($rule->{until} // '9999-99-99');
}

# The rules of one product on one level for an article sold by a channel: first
# those of the whole product, then of the article, of the channel, and of both.
sub level {
  my ($rules, $article, $channel, $day) = @_;
  my @holding = grep {
    my $rule = $_;
    law_holds($rule, $day)
      && (!$rule->{article} || grep { $_ eq ($article // '') } each_rule($rule->{article}))
      && (!$rule->{channel} || $rule->{channel} eq ($channel // ''));
  } each_rule($rules);
  return map { %$_ } sort { rank($a) <=> rank($b) } @holding;
}
sub rank { return ($_[0]{article} ? 1 : 0) + ($_[0]{channel} ? 2 : 0) }

# The members that apply to a product in a place, for an article and a channel
# if given.
sub law_answer {
  my ($files, $place, $product, $article, $channel) = @_;
  my ($country, $region) = split /-/, $place;
  my $day = law_day($files);
  my $file = $files->{$country};
  my $own = $region ? $file->{regions}{$region} : {};
  return {
    level($file->{all}, undef, undef, $day),
    level($file->{rules}{$product}, $article, $channel, $day),
    level($own->{all}, undef, undef, $day),
    level($own->{rules}{$product}, $article, $channel, $day)};
}

1;
