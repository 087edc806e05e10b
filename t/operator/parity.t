# Whatever the dashboard can do, verifyctl can: each operation of the interface that
# a role may call, and the commands that do the same. What a browser alone has any
# use for stands below with its reason, and so does what is not there yet.
use v5.32;
use warnings;
use FindBin;
use JSON::PP ();
use Test::More;

my $root = "$FindBin::Bin/../..";
my $place = '/dashboard/v1/organizations/{org}';

my %command_of = (
  'get /dashboard/v1/health' => 'doctor',
  'get /dashboard/v1/organizations' => 'org list',
  "get $place" => 'org show',
  "patch $place" => ['org update', 'org four-eyes', 'review sample'],
  "get $place/applications" => 'app list',
  "post $place/applications" => 'app create',
  "get $place/audit" => 'audit list',
  "get $place/audit/export" => 'audit export',
  "get $place/usage" => 'usage',
  "get $place/ledger" => 'credits',
  "post $place/credits" => 'credits add',
  "get $place/keys" => 'key list',
  "post $place/keys" => 'key create',
  "post $place/keys/{id}/revoke" => 'key revoke',

  'post /v1/verification_sessions' => 'session create',
  'get /v1/verification_sessions' => 'session list',
  'get /v1/verification_sessions/{id}' => 'session show',
  'post /v1/verification_sessions/{id}/cancel' => 'session cancel',
  'post /v1/verification_sessions/{id}/test_outcome' => 'session outcome',
  'post /v1/session_reviews/sessions/{id}/flag' => 'session flag',
  "get $place/sessions/{id}/timeline" => 'session timeline',
  "get $place/sessions/{id}/path" => 'session path',
  "get $place/funnel" => 'session funnel',
  "get $place/compliance/sources" => 'compliance sources',
  "post $place/sessions/{id}/evidence/{side}" => 'session evidence',

  "get $place/review_queue" => 'review queue',
  "post $place/sessions/{id}/fields" => 'session fields',
  "post $place/reviews/{id}/notes" => 'review note',
  "post $place/reviews/{id}/assign" => 'review assign',
  "get $place/reviews" => ['review list', 'review ended'],
  "get $place/reviews/{id}" => 'review show',
  "post $place/reviews/{id}/claim" => 'review claim',
  "post $place/reviews/{id}/release" => 'review release',
  "post $place/reviews/{id}/decide" => 'review decide',
  "get $place/review_agreement" => 'review agreement',
  "get $place/webhook_endpoints/{id}/recoveries" => 'delivery recoveries',
  "post $place/webhook_endpoints/{id}/recoveries" => 'delivery recover',
  "get $place/webhook_endpoints/{id}/recoveries/{recovery_id}" => 'webhook recovery-status',
  "get $place/second_reviews" => 'second-review list',
  "get $place/second_reviews/{id}" => 'second-review show',
  "post $place/second_reviews/{id}/evidence/{side}" => 'second-review evidence',
  "post $place/second_reviews/{id}/decide" => 'second-review decide',
  "post $place/second_reviews/{id}/settle" => 'second-review settle',

  'post /v1/verified_person/lookup' => 'person find',
  "get $place/oidc_clients" => 'oidc client list',
  "post $place/oidc_clients" => 'oidc client create',
  "get $place/oidc_clients/{id}" => 'oidc client show',
  "patch $place/oidc_clients/{id}" => 'oidc client update',
  "delete $place/oidc_clients/{id}" => 'oidc client delete',
  "post $place/oidc_clients/{id}/rotate-secret" => 'oidc client rotate-secret',
  "get $place/persons/{id}" => 'person show',
  "post $place/persons/{id}/erase" => 'person erase',
  "get $place/erasure_requests" => 'person erasures',
  "delete $place/erasure_requests/{id}" => 'person withdraw-erasure',
  'get /v1/trust_reuse/settings' => 'app reuse',
  'patch /v1/trust_reuse/settings' => 'app reuse',
  'get /v1/trust_reuse/grants' => 'trust-reuse grants',
  'delete /v1/trust_reuse/grants/{id}' => 'trust-reuse revoke',
  'post /v1/risk/score' => 'risk score',
  'get /v1/risk/{id}' => 'risk show',
  'get /v1/compliance/check' => 'compliance check',
  "get $place/trust_lists" => 'trust list',
  "post $place/trust_lists" => 'trust import',
  "get $place/trust_lists/{id}" => 'trust list',

  'get /v1/events' => 'event list',
  'get /v1/events/{id}' => 'event show',
  'post /v1/webhook_endpoints' => 'endpoint create',
  'get /v1/webhook_endpoints' => 'endpoint list',
  'get /v1/webhook_endpoints/{id}' => 'endpoint show',
  "get $place/webhook_statistics" => 'endpoint statistics',
  'post /v1/webhook_endpoints/{id}' =>
    ['endpoint update', 'endpoint disable', 'endpoint enable'],
  'delete /v1/webhook_endpoints/{id}' => 'endpoint delete',
  'post /v1/webhook_endpoints/{id}/rotate-secret' => 'endpoint rotate-secret',
  'post /v1/webhook_endpoints/{id}/test' => 'endpoint test',
  "get $place/webhook_deliveries" => 'delivery list',
  'get /v1/webhook_endpoints/{id}/deliveries' => 'delivery list',
  'get /v1/webhook_endpoints/{id}/deliveries/{delivery_id}' => 'delivery show',
  'post /v1/webhook_endpoints/{id}/deliveries/{delivery_id}/retry' => 'delivery retry',
  "post $place/webhook_endpoints/{id}/deliveries/{delivery_id}/diagnosis" =>
    'delivery diagnose',

  "get $place/workflows" => 'workflow list',
  "get $place/workflows/{id}" => 'workflow show',
  "post $place/workflows/{id}/retire" => 'workflow retire',
  "post $place/workflows/{id}/restore" => 'workflow restore',
  "get $place/workflows/{id}/versions" => 'workflow versions',
  "get $place/workflows/{id}/versions/{version}" => 'workflow show',
  "get $place/workflows/{id}/versions/{version}/definition" => 'workflow export',
  "post $place/workflows/diff" => 'workflow diff',
  "post $place/workflows/check" => 'workflow check',
  "post $place/workflows/paths" => 'workflow paths',
  "post $place/workflows/simulate" => 'workflow simulate',
  "get $place/workflows/{workflow}/scenarios" => 'scenario list',
  "post $place/workflows/{workflow}/scenarios" => 'scenario add',
  "post $place/workflows/{workflow}/scenarios/run" => 'scenario run',
  "get $place/workflows/{workflow}/scenarios/{id}" => 'scenario show',
  "put $place/workflows/{workflow}/scenarios/{id}" => 'scenario save',
  "delete $place/workflows/{workflow}/scenarios/{id}" => 'scenario delete',
  "get $place/workflow_drafts" => 'draft list',
  "post $place/workflow_drafts" => 'draft create',
  "get $place/workflow_drafts/{id}" => 'draft show',
  "put $place/workflow_drafts/{id}" => 'draft save',
  "delete $place/workflow_drafts/{id}" => 'draft delete',
  "post $place/workflow_drafts/{draft}/publish" => 'draft publish',
  "get $place/simulations" => 'simulation list',
  "post $place/simulations" => ['simulation create', 'shadow start'],
  "get $place/simulations/{id}" => ['simulation show', 'shadow show'],
  "get $place/simulations/{id}/sessions" => 'simulation sessions',
  "post $place/simulations/{id}/stop" => ['simulation stop', 'shadow stop'],
);

my %of_browsers = (
  'get /dashboard' => 'the page',
  'get /dashboard/assets/{version}/{name}' => 'a part of the page',
  'get /dashboard/v1/me' => 'a login of httpd and its roles, which the shell has not',
  "post $place/sign_ins" => 'notes that a login of httpd has come',
);

sub text_of {
  open my $file, '<', $_[0] or die "$_[0]: $!\n";
  local $/;
  return <$file>;
}
my $paths = JSON::PP->new->utf8->decode(text_of("$root/mod_verify/api/openapi.json"))
  ->{paths};
my %operation;
for my $path (keys %$paths) {
  for my $method (grep { ref $paths->{$path}{$_} eq 'HASH' } keys %{$paths->{$path}}) {
    $operation{"$method $path"} = 1 if $paths->{$path}{$method}{'x-operator-role'};
  }
}
# The command table, as the help has it: a noun, and a verb where it is none of
# the arguments and options.
my $build = $ENV{VERIFY_BUILD} // 'build';
my $help = `$root/$build/verifyctl --help`;
my %command = map { $_ => 1 } $help =~ /^  ([a-z][a-z-]*(?: [a-z][a-z-]*){0,2})(?= |$)/gm;
my %named = map { $_ => 1 } map { ref ? @$_ : $_ } values %command_of;

cmp_ok scalar keys %operation, '>', 80, 'operations of the interface';
cmp_ok scalar keys %command, '>', 100, 'commands of verifyctl';
is_deeply [grep { !$command_of{$_} && !$of_browsers{$_} } sort keys %operation], [],
  'each operation has a command, or a reason to have none';
is_deeply [grep { !$operation{$_} } sort keys %command_of, keys %of_browsers], [],
  'each that is named is one';
is_deeply [grep { $command_of{$_} } keys %of_browsers], [], 'none has both';
is_deeply [grep { !$command{$_} } sort keys %named], [],
  'each command that is named exists';

done_testing;
