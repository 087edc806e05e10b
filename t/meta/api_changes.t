# A client that works with the released API works with this one: nothing that it relies on
# has changed (Verify::Changes says what that is).
use v5.32;
use warnings;
use FindBin;
use JSON::PP ();
use Test::More;
use lib "$FindBin::Bin/../lib";
use Verify::Changes;
use Verify::Description;
use Verify::Release;

chdir "$FindBin::Bin/../.." or die;
my $json = JSON::PP->new->utf8->canonical;
my $current = $json->encode(Verify::Description->load->document);
sub copy { $json->decode($current) }

my $changes = Verify::Changes::between(copy(), copy());
is_deeply $changes, {compatible => [], incompatible => []}, 'the same has no changes';

# --- what is found, by an edit of the description ---

my $session = '/v1/verification_sessions';
my %incompatible = (
  'an operation is gone' => sub { delete $_[0]{paths}{$session}{post} },
  'a parameter is gone' => sub {
    my $parameters = $_[0]{paths}{$session}{get}{parameters};
    @$parameters = grep { ($_->{name} // '') ne 'status' } @$parameters },
  'a parameter becomes required' => sub {
    $_->{required} = JSON::PP::true for grep { ($_->{name} // '') eq 'status' }
      @{$_[0]{paths}{$session}{get}{parameters}} },
  'a field of requests is gone' => sub {
    delete $_[0]{components}{schemas}{VerificationSessionCreate}{properties}{metadata} },
  'a field of requests becomes required' => sub {
    push @{$_[0]{components}{schemas}{VerificationSessionCreate}{required}}, 'metadata' },
  'a request may be shorter only' => sub {
    $_[0]{components}{schemas}{VerificationSessionCreate}{properties}{return_url}{maxLength} = 10 },
  'a field of responses is gone' => sub {
    delete $_[0]{components}{schemas}{VerificationSession}{properties}{status} },
  'a field of responses is not always there' => sub {
    my $required = $_[0]{components}{schemas}{VerificationSession}{required};
    @$required = grep { $_ ne 'status' } @$required },
  'a field of responses has another type' => sub {
    $_[0]{components}{schemas}{VerificationSession}{properties}{created} =
      {type => 'string', maxLength => 40} },
  'a closed list of responses grows' => sub {
    push @{$_[0]{components}{schemas}{Channel}{enum}}, 'by_post' },
  'an operation has another name' => sub { $_[0]{paths}{$session}{post}{operationId} = 'startSession' },
  'an operation needs another scope' => sub { $_[0]{paths}{$session}{post}{'x-key-scope'} = 'risk:read' },
  'a success has another status' => sub {
    my $responses = $_[0]{paths}{$session}{post}{responses};
    $responses->{202} = delete $responses->{201} },
);
for my $name (sort keys %incompatible) {
  my $new = copy();
  $incompatible{$name}->($new);
  my $found = Verify::Changes::between(copy(), $new);
  ok @{$found->{incompatible}}, $name;
}
my %compatible = (
  'an operation is new' => sub {
    $_[0]{paths}{'/v1/more'}{get} = {%{$_[0]{paths}{$session}{get}}, operationId => 'listMore'} },
  'a field of requests is new' => sub {
    $_[0]{components}{schemas}{VerificationSessionCreate}{properties}{more} = {type => 'boolean'} },
  'a field of responses is new' => sub {
    $_[0]{components}{schemas}{VerificationSession}{properties}{more} = {type => 'boolean'} },
  'an open list grows' => sub {
    push @{$_[0]{components}{schemas}{FailureCode}{'x-extensible-enum'}}, 'more' },
  'an event type is new' => sub { push @{$_[0]{components}{schemas}{EventType}{enum}}, 'more.done' },
);
for my $name (sort keys %compatible) {
  my $new = copy();
  $compatible{$name}->($new);
  my $found = Verify::Changes::between(copy(), $new);
  is_deeply $found->{incompatible}, [], $name;
  ok @{$found->{compatible}}, '... is found';
}

# --- since the release ---

SKIP: {
  my $commit = Verify::Release::api_baseline();
  skip "the history has no $commit (a tarball or a shallow clone)", 1
    if !Verify::Release::is_known($commit);
  my $released = $json->decode(scalar `git show $commit:mod_verify/api/openapi.json`);
  my $since = Verify::Changes::between($released, copy());
  is_deeply $since->{incompatible}, [], "compatible with the API of $commit";
  note 'compatible: ', $_ for @{$since->{compatible}};
}
done_testing;
