package Verify::ErrorLog;
# Watches httpd's error log. The test must declare every line of level warn or
# above, every output of a sanitizer, and every child ended by a signal (which
# httpd only notices).
use v5.32;
use warnings;

# Messages of other modules about the machine, not about this service. No test
# can cause or prevent them, so none has to declare them. Each entry names the
# module, the level and the message as httpd writes them, and why it may appear.
our @machine = (
  {line => qr/\[ssl:warn\] .* AH01882: Init: this version of mod_ssl was compiled against a newer library /,
    reason => 'apache2 and OpenSSL are of different days. Both are of one'
      . ' release, whose libraries keep their interface; what was installed'
      . ' last, scripts/install-dependencies brings to one day.'},
);

sub new {
  my ($class, $path) = @_;
  return bless {path => $path, allowed => [], expected => []}, $class;
}

# Lines that may appear, and lines that must appear.
sub allow { push @{$_[0]{allowed}}, @_[1 .. $#_] }
sub expect { push @{$_[0]{expected}}, @_[1 .. $#_] }

sub lines {
  my ($self) = @_;
  open my $file, '<', $self->{path} or return;
  chomp(my @lines = <$file>);
  return @lines;
}

sub matching {
  my ($self, $pattern) = @_;
  return grep { $_ =~ $pattern } $self->lines;
}

# The faults in the log, one text each.
sub faults {
  my ($self) = @_;
  my @patterns = (@{$self->{allowed}}, @{$self->{expected}},
    map { $_->{line} } @machine);
  # The development configuration logs this at each start.
  push @patterns, qr/IDV0174: VerifyTestIssuers is on/;
  # The leak check may take a child longer than httpd waits for it.
  push @patterns, qr/AH00045: child process \d+ still did not exit/
    if $ENV{VERIFY_PRELOAD};
  my @lines = $self->lines;
  my @faults;
  for my $line (@lines) {
    next unless $line =~ /^\[[^]]*\] \[[^]:]*:(?:warn|error|crit|alert|emerg)\]/
      || $line =~ /AddressSanitizer|LeakSanitizer|runtime error:|Segmentation/
      || $line =~ /AH0005[0-2]: |IDV0760/;
    push @faults, "undeclared: $line" unless grep { $line =~ $_ } @patterns;
  }
  for my $pattern (@{$self->{expected}}) {
    push @faults, "missing: $pattern" unless grep { $_ =~ $pattern } @lines;
  }
  return @faults;
}

1;
