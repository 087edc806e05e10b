package Verify::Test;
# The common start of tests of the running service: Test::More, wait_for, and
# the assertions for every resource.
use v5.32;
use warnings;
use Exporter 'import';
use Test::More;
use Verify::Instance;
use Verify::Signature qw(signature_fault standard_signature_fault);
use Verify::Wait;

our @EXPORT = (@Test::More::EXPORT,
  qw(wait_for finish answer_is error_is signature_fault standard_signature_fault));

# The last line of a test: stops the instances while their log check still
# counts among the tests.
sub finish {
  $_->stop for @_;
  done_testing;
}

# The answer has this status and is JSON; returns the decoded body.
sub answer_is {
  my ($response, $status, $name) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  my $fits = $response->status == $status && $response->json;
  ok $fits, $name // "answers $status with JSON"
    or diag 'got ' . $response->status . ': ' . substr $response->body, 0, 500;
  return $response->json;
}

my %type_of = (401 => 'authentication_error', 429 => 'rate_limit_error',
  500 => 'api_error', 503 => 'api_error');

# The answer is the error envelope: status, code, param (undef: none), the type
# for the status, a message, and the request id in body and header.
sub error_is {
  my ($response, $status, $code, $param, $name) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  my $error = $response->error;
  my $id = $response->header('X-Request-Id') // '';
  my @faults;
  push @faults, 'status ' . $response->status if $response->status != $status;
  push @faults, 'code ' . ($error->{code} // 'none')
    if ($error->{code} // '') ne $code;
  push @faults, 'param ' . ($error->{param} // 'none')
    if ($error->{param} // '') ne ($param // '');
  my $type = $type_of{$status} // 'invalid_request_error';
  push @faults, 'type ' . ($error->{type} // 'none')
    if ($error->{type} // '') ne $type;
  push @faults, 'no message' unless length($error->{message} // '');
  push @faults, "request id $id" unless $id =~ /\Areq_[0-9A-Za-z_-]+\z/;
  push @faults, 'request id of the body ' . ($error->{request_id} // 'none')
    if ($error->{request_id} // '') ne $id;
  push @faults, 'content type ' . ($response->header('Content-Type') // 'none')
    if ($response->header('Content-Type') // '') !~ m{\Aapplication/json\b};
  ok !@faults, $name // "$status $code" . (defined $param ? " at $param" : '')
    or diag join '; ', @faults, 'body: ' . substr $response->body, 0, 300;
  return !@faults;
}

1;
