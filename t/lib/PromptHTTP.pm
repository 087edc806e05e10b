package PromptHTTP;

# HTTP::Tiny whose requests leave at once. It writes head and body apart, and on a
# connection that is kept the kernel holds the body back until the other side has
# acknowledged the head, which that does after 40 ms (RFC 896 and RFC 1122, 4.2.3.2).
# A connection that was idle for some seconds is not used again: the server may close it
# while a request is on its way, which nobody may repeat. It does so at the end of
# KeepAliveTimeout, and long before when its workers are all busy. HTTP::Tiny itself
# overlooks "close" beside another option (RFC 9112, 9.6): mod_http2 adds "Upgrade".

use v5.32;
use warnings;
use Socket qw(IPPROTO_TCP TCP_NODELAY);
use parent 'HTTP::Tiny';

my $IDLE_MOST = 3; # seconds

sub request {
  my ($self, @request) = @_;
  delete $self->{handle} if time - ($self->{used_at} // 0) > $IDLE_MOST;
  my $response = $self->SUPER::request(@request);
  $self->{used_at} = time;
  delete $self->{handle} if closes($response->{headers}{connection});
  return $response;
}

sub closes {
  my ($options) = @_;
  return grep { lc eq 'close' } map { split /[\s,]+/ }
    ref $options ? @$options : $options // '';
}

sub _open_handle {
  my ($self, @where) = @_;
  my $handle = $self->SUPER::_open_handle(@where);
  setsockopt $handle->{fh}, IPPROTO_TCP, TCP_NODELAY, 1
    or die "TCP_NODELAY: $!\n";
  return $handle;
}

1;
