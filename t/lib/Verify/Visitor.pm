package Verify::Visitor;
# The browser of one visitor of a guarded site, as far as gates are concerned:
# it keeps cookies, sends them to the host that set them, and does not follow
# redirects by itself.
use v5.32;
use warnings;
use PromptHTTP;

# base: the origin; ca_file
sub new {
  my ($class, %options) = @_;
  my $http = PromptHTTP->new(agent => 'mod_verify-tests', timeout => 60,
    max_redirect => 0, verify_SSL => 1,
    SSL_options => {SSL_ca_file => $options{ca_file}});
  return bless {%options, http => $http, cookies => {}}, $class;
}

my %navigation = ('Sec-Fetch-Mode' => 'navigate', 'Sec-Fetch-Dest' => 'document',
  Accept => 'text/html,*/*;q=0.8');

# PATH, or an address of the same origin, as a navigation.
sub visit {
  my ($self, $path, %headers) = @_;
  return $self->request('GET', $path, %navigation, %headers);
}

sub request {
  my ($self, $method, $path, %headers) = @_;
  my $jar = $self->{cookies};
  $headers{Cookie} //= join '; ', map { "$_=$jar->{$_}" } sort keys %$jar;
  delete @headers{grep { !defined $headers{$_} || $headers{$_} eq '' } keys %headers};
  $path =~ s/\A\Q$self->{base}\E//;
  my $answer = $self->{http}->request($method, $self->{base} . $path,
    {headers => \%headers});
  my $set = $answer->{headers}{'set-cookie'} // [];
  for (ref $set ? @$set : $set) {
    my ($name, $value, $seconds) = /\A([^=]+)=([^;]*)(?:;.*Max-Age=(-?[0-9]+))?/ or next;
    if (($seconds // 1) > 0) { $jar->{$name} = $value } else { delete $jar->{$name} }
  }
  return bless $answer, 'Verify::Visitor::Page';
}

# Visits PATH and follows redirects within the same origin; returns the last
# answer.
sub follow {
  my ($self, $path) = @_;
  my $page = $self->visit($path);
  for (my $hops = 0; $page->status == 303 && $page->location =~ m{\A(?:/|\Q$self->{base}\E)}
    && $page->location !~ m{/verify/vks_}; $hops++) {
    die "redirected without end\n" if $hops > 5;
    $page = $self->visit($page->location);
  }
  return $page;
}

package Verify::Visitor::Page;

sub status { $_[0]{status} }
sub body { $_[0]{content} }
sub location { $_[0]{headers}{location} // '' }
sub header {
  my $value = $_[0]{headers}{lc $_[1]};
  return ref $value ? join ', ', @$value : $value;
}

1;
