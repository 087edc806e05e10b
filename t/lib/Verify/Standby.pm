package Verify::Standby;
# A second PostgreSQL that follows that of a service that has not started yet.
# The service then knows both, and connects to the one that accepts writes.
#
#   my $service = Verify::Instance->start(own_cluster => 1, start => 0);
#   my $standby = Verify::Standby->start($service);
#   $standby->promote            it takes writes, and $service->sql asks it
#   $standby->sql($statement)    is run on it
use v5.32;
use warnings;
use File::Path qw(remove_tree);
use File::Temp ();
use Test::More;

my %running;

sub start {
  my ($class, $service) = @_;
  my $directory = File::Temp::tempdir('verify-t-XXXXXXXX', TMPDIR => 1);
  chmod 0755, $directory;
  my $self = bless {directory => $directory, service => $service, owner => $$}, $class;
  $running{$directory} = $self;
  $self->postgresql('standby', $service->{cluster});
  my %first = map { split /=/, $_, 2 } split ' ', $service->{conninfo};
  chomp($self->{conninfo} = $self->postgresql('conninfo', $first{dbname}));
  my %second = map { split /=/, $_, 2 } split ' ', $self->{conninfo};
  $service->{conninfo} = join ' ', "host=$first{host},$second{host}",
    "port=$first{port},$second{port}", 'target_session_attrs=read-write',
    map { "$_=$first{$_}" } qw(dbname user password);
  return $self;
}

sub postgresql {
  my ($self, @arguments) = @_;
  local $ENV{VERIFY_RUN_DIR} = $self->{directory};
  my $said = `scripts/postgresql @arguments 2>&1`;
  is $?, 0, "scripts/postgresql $arguments[0]" or diag $said;
  return $said;
}

sub promote {
  my ($self) = @_;
  $self->postgresql('promote');
  delete $self->{service}{dbi};
}

sub sql {
  my ($self, $statement, @parameters) = @_;
  local @{$self->{service}}{qw(conninfo dbi)} = ($self->{conninfo});
  return $self->{service}->sql($statement, @parameters);
}

END {
  my $status = $?;
  for my $self (grep { $_->{owner} == $$ } values %running) {
    local $ENV{VERIFY_RUN_DIR} = $self->{directory};
    system 'scripts/postgresql stop >/dev/null 2>&1';
    remove_tree($self->{directory});
  }
  $? = $status;
}

1;
