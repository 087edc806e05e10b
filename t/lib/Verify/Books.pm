package Verify::Books;
# Checks an organization's books: the ledger in the database against the
# balance, the months' counters and the sessions.
use v5.32;
use warnings;
use Exporter 'import';
use List::Util qw(sum0);

our @EXPORT_OK = qw(book_faults);

# The faults in the books of organization $id; none if they are right.
sub book_faults {
  my ($service, $id) = @_;
  my @entries = @{$service->sql('SELECT * FROM ledger_entry
    WHERE organization_id = ? ORDER BY position', $id)};
  return (chain_faults(@entries), balance_fault($service, $id, @entries),
    counter_faults($service, $id, @entries), session_faults($service, $id, @entries));
}

# Positions have no gaps, and each balance continues the one before.
sub chain_faults {
  my @entries = @_;
  my ($position, $balance, @faults) = (0, 0);
  for my $entry (@entries) {
    $balance += $entry->{amount};
    push @faults, "$entry->{id}: not the next position"
      if $entry->{position} != ++$position;
    push @faults, "$entry->{id}: balance $entry->{balance}, not $balance"
      if $entry->{balance} != $balance;
    push @faults, "$entry->{id}: $entry->{kind} of $entry->{amount}"
      if $entry->{session_id} && $entry->{verifications}
      && $entry->{amount} != ($entry->{kind} eq 'charged' ? -$entry->{verifications} : 0);
  }
  return @faults;
}

sub balance_fault {
  my ($service, $id, @entries) = @_;
  my $balance = $service->sql_value(
    'SELECT credit_balance FROM organization WHERE id = ?', $id);
  my $sum = sum0 map { $_->{amount} } @entries;
  return $sum == $balance ? () : "the balance is $balance, the entries say $sum";
}

sub counter_faults {
  my ($service, $id, @entries) = @_;
  my %counted;
  $counted{$_->{month}}{$_->{kind}} += $_->{verifications}
    for grep { defined $_->{month} } @entries;
  my %months = map { ($_->{month} => $_) } @{$service->sql(
    'SELECT * FROM monthly_usage WHERE organization_id = ?', $id)};
  my @faults;
  for my $month (sort keys %{{%counted, %months}}) {
    for my $kind (qw(free charged sandbox)) {
      my ($counter, $sum) = ($months{$month}{$kind} // 0, $counted{$month}{$kind} // 0);
      push @faults, "$month: $counter $kind, the entries say $sum" if $counter != $sum;
    }
  }
  return @faults;
}

# Each session is counted as often as its entries say, once or not at all.
sub session_faults {
  my ($service, $id, @entries) = @_;
  my %of;
  $of{$_->{session_id}} += $_->{verifications} for grep { $_->{session_id} } @entries;
  my %counted = map { ($_->{id} => $_->{counted}) } @{$service->sql(
    q{SELECT id, (runner ->> 'counted')::boolean::integer AS counted
      FROM verification_session WHERE organization_id = ?}, $id)};
  return map { "$_: counted $counted{$_}, the entries say " . ($of{$_} // 0) }
    grep { $counted{$_} != ($of{$_} // 0) } sort keys %counted;
}

1;
