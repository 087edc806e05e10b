package Verify::Conformance;
# Shared code of t/conformance: the types of JSON as the interface names them,
# tables of good and bad parameters, and lists read to their end.
use v5.32;
use warnings;
use B ();
use Exporter 'import';
use IO::Socket::INET;
use JSON::PP ();
use Time::HiRes qw(time);
use Verify::Test;

our @EXPORT = (@Verify::Test::EXPORT, qw($true $false $iso $iso_ms $seconds
  kind shape_is parameters_are identities next_millisecond pages_are
  at_once));
our ($true, $false) = (JSON::PP::true, JSON::PP::false);
our $iso = qr/\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z\z/;
our $iso_ms = qr/\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\z/;
our $seconds = qr/\A[12]\d{9}\z/;

# null, boolean, number, integer, string, array, object
sub kind {
  my ($value) = @_;
  return 'null' unless defined $value;
  return 'boolean' if JSON::PP::is_bool($value);
  return lc ref $value eq 'hash' ? 'object' : 'array' if ref $value;
  my $flags = B::svref_2object(\$value)->FLAGS;
  return 'string' if $flags & B::SVf_POK;
  return $value =~ /\A-?\d+\z/ ? 'integer' : 'number';
}

# Why VALUE does not match TYPE: "string|null", "strings", a pattern (of a
# string or number), a list (one of), a code (true), a hash (exactly these
# members; "name?" may be absent).
sub type_fault {
  my ($value, $type) = @_;
  my $kind = kind($value);
  if (ref $type eq 'ARRAY') {
    return if grep { defined $value ? defined $_ && $_ eq $value : !defined $_ }
      @$type;
    return 'is ' . ($value // 'null');
  }
  if (ref $type eq 'Regexp') {
    return $kind =~ /string|integer|number/ && $value =~ $type ? ()
      : "is $kind " . ($value // '');
  }
  return $type->($value) ? () : 'is not as required' if ref $type eq 'CODE';
  return object_fault($value, $type) if ref $type eq 'HASH';
  for my $one (split /\|/, $type) {
    return if $one eq $kind || $one eq 'number' && $kind eq 'integer';
    return if $one eq 'strings' && $kind eq 'array'
      && !grep { kind($_) ne 'string' } @$value;
  }
  return "is $kind, not $type";
}
sub object_fault {
  my ($value, $shape) = @_;
  return 'is no object' unless kind($value) eq 'object';
  my %known = map { s/\?\z//r => $_ } keys %$shape;
  my @faults = map { "$_ is not of the interface" }
    grep { !exists $known{$_} } sort keys %$value;
  for my $name (sort keys %known) {
    if (!exists $value->{$name}) {
      push @faults, "$name is missing" unless $known{$name} =~ /\?\z/;
      next;
    }
    my $fault = type_fault($value->{$name}, $shape->{$known{$name}});
    push @faults, "$name $fault" if $fault;
  }
  return join '; ', @faults;
}
sub shape_is {
  my ($value, $shape, $name) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  my $fault = object_fault($value, $shape);
  return ok(!$fault, $name) || diag $fault;
}

# Rows [parameter, value, wanted, [param]]; wanted is "ok" or "400 code", param
# defaults to the parameter's name. $send->({parameter => value}) answers. A
# value of \undef omits the parameter.
sub parameters_are {
  my ($send, @rows) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  for my $row (@rows) {
    my ($name, $value, $wanted, $param) = @$row;
    my $text = ref $value ? JSON::PP->new->canonical->allow_nonref->encode($value)
      : $value // 'null';
    $text = substr($text, 0, 30) . '…(' . length($text) . ')' if length $text > 48;
    $text =~ s/[^ -~…]/?/g;
    my $answer = $send->({$name => $value});
    if ($wanted eq 'ok') {
      ok $answer->status =~ /\A20[01]\z/, "$name $text is accepted"
        or diag $answer->status . ' ' . substr $answer->body, 0, 300;
      next;
    }
    my ($status, $code) = split / /, $wanted;
    error_is($answer, $status, $code,
      $code eq 'parameter_invalid' ? $param // $name : $param,
      "$name $text is refused: $wanted");
  }
}

# The ids of a list, in order.
sub identities { map { $_->{id} } @{$_[0]{data}} }

# Returns in another millisecond than it was called in: ids of the same one are in
# no particular order.
sub next_millisecond {
  my $now = int(1000 * time);
  1 while int(1000 * time) == $now;
}

# The list at PATH (which may have a query) holds exactly @ids, newest first,
# read forwards and backwards in pages of SIZE.
sub pages_are {
  my ($client, $path, $size, @ids) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  my $join = $path =~ /\?/ ? '&' : '?';
  my (@forwards, @faults);
  my $cursor = '';
  for (0 .. @ids) {
    my $page = $client->get("$path${join}limit=$size$cursor")->json;
    push @forwards, identities($page);
    push @faults, 'too long' if @{$page->{data}} > $size;
    last unless $page->{has_more};
    $cursor = "&starting_after=$forwards[-1]";
  }
  my @backwards = $ids[-1];
  for (0 .. @ids) {
    my $page = $client->get(
      "$path${join}limit=$size&ending_before=$backwards[0]")->json;
    unshift @backwards, identities($page);
    last unless $page->{has_more};
  }
  is_deeply \@forwards, \@ids, "$path read with starting_after";
  is_deeply \@backwards, \@ids, "$path read with ending_before";
  ok !@faults, "no page of $path is longer than its limit";
}

# Sends the requests [METHOD, PATH, BODY, %headers] of CLIENT at the same
# moment, each on a new connection; returns their answers in order. A BODY that
# is a reference to text is sent as that text.
sub at_once {
  my ($client, @requests) = @_;
  my ($host) = $client->{base_url} =~ m{//(.+)};
  my @open = map {
    my ($method, $path, $body, @headers) = @$_;
    my %headers = ('Content-Type' => 'application/json',
      Authorization => "Bearer $client->{token}", @headers);
    my $text = !defined $body ? '' : ref $body eq 'SCALAR' ? $$body
      : JSON::PP->new->canonical->utf8->encode($body);
    my $request = join "\r\n", "$method $path HTTP/1.1", "Host: $host",
      'Connection: close', 'Content-Length: ' . length $text,
      (map { "$_: $headers{$_}" } sort keys %headers), '', $text;
    my $socket = IO::Socket::INET->new(PeerAddr => $host) or die "connect: $@\n";
    $socket->autoflush(1);
    print $socket substr $request, 0, -1;
    [$socket, substr $request, -1];
  } @requests;
  print {$_->[0]} $_->[1] for @open;
  return map {
    my $socket = $_->[0];
    local $/;
    my ($head, $body) = split /\r\n\r\n/, readline($socket) // '', 2;
    my ($status) = ($head // '') =~ m{\AHTTP/1\.1 (\d+)};
    my %headers = ($head // '') =~ /^([\w-]+): *([^\r\n]*)/mg;
    Verify::Client::Response->new({status => $status // 0, content => $body // '',
      headers => {map { (lc $_ => $headers{$_}) } keys %headers}});
  } @open;
}

1;
