# The description of the API against the lists that the code is made from:
# routes, credentials, error codes, parameters, event types.
use v5.32;
use warnings;
use File::Find qw(find);
use File::Temp qw(tempdir);
use FindBin;
use JSON::PP ();
use Test::More;
use lib "$FindBin::Bin/../lib";
use Verify::Description;
use Verify::Schema;

chdir "$FindBin::Bin/../.." or die;
my $description = Verify::Description->load;
my $document = $description->document;
my $json = JSON::PP->new->utf8;
my %operations = $description->operations;
my %schemas = %{$document->{components}{schemas}};

sub text_of {
  my ($path) = @_;
  open my $file, '<', $path or die "$path: $!\n";
  local $/;
  return <$file>;
}
sub code_of { text_of($_[0]) =~ s{/\*.*?\*/}{}gsr }
# Entries of a list macro, as arrays of their words and texts.
sub list_of {
  my ($path, $macro) = @_;
  my ($list) = code_of("mod_verify/$path")
    =~ /#define \Q$macro\E\(X\)((?:[^\n]*\\\n)+[^\n]*\n)/ or die "$macro: not in $path\n";
  $list =~ s/\\\n//g;
  $list =~ s/"\s+"//g;
  my @entries;
  while ($list =~ /X\(((?:"[^"]*"|[^()"])*)\)/g) {
    my $entry = $1;
    push @entries, [map { s/\A"|"\z//gr } $entry =~ /"[^"]*"|\w+/g];
  }
  return @entries;
}
sub none_ok {
  my ($name, @faults) = @_;
  local $Test::Builder::Level = $Test::Builder::Level + 1;
  ok !@faults, $name or diag join "\n", splice @faults, 0, 40;
}

# --- routes ---

my %routes;
for (code_of('mod_verify/api/routes.def') =~ /IDV_ROUTE\(([^()]*)\)/g) {
  my ($method, $path, $credential, $role, $body, $handler, $scope) = split /\s*,\s*/;
  $path =~ tr/"//d;
  $path =~ s/:(\w+)/{$1}/g;
  $routes{"$method $path"} =
    {credential => $credential, role => $role, body => $body, handler => $handler,
      scope => $scope};
}
ok keys %routes > 15, 'routes.def has routes';
# `/dashboard` describes the page, to which it leads: linters take a path with a
# slash at its end for a mistake, and the relative links of the page need that slash.
my %described_elsewhere = ('GET /dashboard/' => 1);
none_ok 'every route is described',
  grep { !$operations{$_} && !$described_elsewhere{$_} } sort keys %routes;
none_ok 'and nothing else', grep { !$routes{$_} } sort keys %operations;
my @both = grep { $operations{$_} } sort keys %routes;

my %security = (NONE => '', ANY_ORIGIN => '', SECRET => 'secretKey', CLIENT_SECRET => 'clientSecret',
  UPLOAD_CLIENT_SECRET => 'clientSecret', LINK => 'clientSecret',
  PUBLISHABLE_OR_SECRET => 'publishableKey secretKey', OPERATOR => 'operator');
none_ok 'credentials', grep {
  my @alternatives = map { (grep { $_ ne 'sessionSecret' } keys %$_)[0] }
    @{$operations{$_}{security}};
  join(' ', sort @alternatives) ne $security{$routes{$_}{credential}};
} @both;

none_ok 'roles of operators', grep {
  ($operations{$_}{'x-operator-role'} // 'none') ne lc $routes{$_}{role};
} @both;
# --- scopes of keys ---

my %scopes = map { $_->[0] => $_ }
  map { [split /\s*,\s*/, s/"//gr] }
  code_of('mod_verify/domain/account/key_scope.h') =~ /X\((\w+, "[^"]+", \w+)\)/g;
ok keys %scopes > 10, 'key_scope.h has scopes';
none_ok 'every route of a secret key names a scope, and no other', grep {
  ($routes{$_}{credential} =~ /\A(?:PUBLISHABLE_OR_)?SECRET\z/) ne !!$scopes{$routes{$_}{scope}};
} sort keys %routes;
my @scoped = grep { $scopes{$routes{$_}{scope}} } @both;
none_ok 'the role of a scope is that of its routes: no key exceeds its creator', grep {
  $scopes{$routes{$_}{scope}}[2] ne $routes{$_}{role};
} @scoped;
none_ok 'scopes are described', grep {
  ($operations{$_}{'x-key-scope'} // 'none')
    ne ($scopes{$routes{$_}{scope}} ? $scopes{$routes{$_}{scope}}[1] : 'none');
} @both;
none_ok 'every scope has a route', grep {
  my $scope = $_; !grep { $routes{$_}{scope} eq $scope } @scoped } sort keys %scopes;
is_deeply [sort @{$schemas{KeyScope}{'x-extensible-enum'}}],
  [sort map { $_->[1] } values %scopes], 'every scope is listed';
is_deeply [sort @{$schemas{ApiKeyCreate}{properties}{scopes}{items}{enum}}],
  [sort map { $_->[1] } values %scopes], '... and can be given to a key';

none_ok 'operators stand below /dashboard, and nobody else', grep {
  $routes{$_}{credential} eq 'OPERATOR' xor m{ /dashboard(?:/|\z)};
} sort keys %routes;
none_ok 'every operation of a secret key has its role', grep {
  $routes{$_}{credential} =~ /(?<!CLIENT_)SECRET\z/ && $routes{$_}{role} !~ /\A(?!ANY|NONE)/;
} sort keys %routes;

my %bodies = (NO => '', EMPTY => '', JSON => 'application/json',
  LONG_JSON => 'application/json', FORM => 'application/x-www-form-urlencoded',
  SHORT_FORM => 'application/x-www-form-urlencoded',
  IMAGE => 'image/jpeg image/png image/webp', CHIP => 'application/json',
  FRAMES => 'application/json');
none_ok 'bodies', grep {
  my $body = $operations{$_}{requestBody};
  join(' ', sort keys %{$body ? $body->{content} : {}}) ne $bodies{$routes{$_}{body}};
} @both;

# --- error codes ---

# Whether RESPONSE can be the error envelope: pages and errors of OAuth are not.
sub has_envelope {
  my ($response) = @_;
  my $schema = ($description->resolve($response)->{content}{'application/json'} // {})->{schema};
  return grep { ($_->{'$ref'} // '') =~ m{/Error\z} } $schema, @{$schema->{anyOf} // []};
}
my %status_of = code_of('mod_verify/core/error_codes.def')
  =~ /IDV_ERROR\(\s*\w+,\s*"(\w+)",\s*([0-9]+)/g;
ok keys %status_of > 30, 'error_codes.def has codes';
is_deeply [sort @{$schemas{ErrorCode}{'x-extensible-enum'}}], [sort keys %status_of],
  'every code is listed';
my @everywhere = @{$document->{components}{responses}{Unexpected}{'x-error-codes'}};
my (%used, @codes, @missing);
for my $name (@both) {
  my %codes = map { $_ => 1 } @{$operations{$name}{'x-error-codes'}};
  my %described = map { $_ => 1 } keys %{$operations{$name}{responses}};
  my $route = $routes{$name};
  my @demanded = ('parameter_invalid',
    $route->{credential} =~ /SECRET\z/ && $route->{credential} !~ /CLIENT_SECRET/
      ? qw(api_key_invalid rate_limit_exceeded key_scope_required) : (),
    $route->{credential} eq 'SECRET' ? 'publishable_key_scope' : (),
    $route->{credential} eq 'OPERATOR'
      ? qw(operator_login_required cross_site_refused rate_limit_exceeded) : (),
    $route->{credential} eq 'OPERATOR' && $route->{role} ne 'ANY'
      ? 'operator_role_required' : (),
    $route->{credential} =~ /CLIENT_SECRET|LINK/ ? 'client_secret_invalid' : (),
    $route->{body} !~ /\A(?:NO|EMPTY)\z/ ? qw(body_too_large unsupported_media_type) : ());
  push @missing, map { "$name: $_" } grep { !$codes{$_} } @demanded;
  for my $code (sort keys %codes) {
    push @codes, "$name: no code $code" unless $status_of{$code};
    push @codes, "$name: no answer $status_of{$code} for $code"
      if $status_of{$code} && !$described{$status_of{$code}};
  }
  my %statuses = map { ($status_of{$_} // 0) => 1 } keys %codes;
  push @codes, map { "$name: no code for $_" }
    grep { /\A[45]/ && !$statuses{$_} && has_envelope($operations{$name}{responses}{$_}) }
    sort keys %described;
  @used{keys %codes} = ();
}
none_ok 'every operation lists what its credential and body can bring', @missing;
none_ok 'codes and statuses of operations fit together', @codes;
# What no operation can answer yet; the list has to shrink with the routes.
my @unused = qw(session_locked_to_other_device);
is_deeply [sort grep { my $code = $_;
    !exists $used{$code} && !grep { $_ eq $code } @everywhere } keys %status_of],
  [sort grep { !exists $used{$_} } @unused], 'every code is of use';

# --- parameters ---

my %defined = map { code_of($_) =~ /^#define\s+(\w+)\s+\(?(?:\(\w+\)|APR_INT64_C\()?(-?[0-9]+)\)?\s*$/mg }
  glob 'mod_verify/*/*.[ch] mod_verify/{cli,httpd,domain,store,api,worker}/*/*.[ch] mod_verify/methods/passport/chip_authentication.h
    mod_verify/methods/face/*.h';
$defined{IDV_EVENT_TYPE_COUNT} = () = code_of('mod_verify/domain/value/event_type.h')
  =~ /X\(\w+,\s*"/g;
$defined{IDV_METHOD_COUNT} = list_of('domain/method/method.h', 'IDV_METHODS');
$defined{INT32_MAX} = 2147483647;
sub number_of {
  my ($text) = @_;
  return $text if $text =~ /\A-?[0-9]+\z/;
  my ($sign, $name) = $text =~ /\A(-?)(\w+)\z/ or return;
  return $defined{$name} && "$sign$defined{$name}";
}

# Functions and tables of each source that has handlers.
my (%file_of, %functions, %tables);
for my $path (glob 'mod_verify/api/*/*.c mod_verify/httpd/*/*.c
  mod_verify/domain/session/session_request.c mod_verify/domain/law/compliance_check.c
  mod_verify/domain/simulation/workflow_scenario.c
  mod_verify/store/session/person_lookup.c') {
  my $code = code_of($path);
  my %found = $code =~ /^(?:\w[\w *]*?\W)??(\w+)\((?:[^;{}()]|\([^()]*\))*\)\s*\{\n(.*?)^\}/msg;
  $functions{$path} = \%found;
  $file_of{$_} = $path for keys %found;
  $tables{$path} = {$code =~ /\bidv_parameter_t\s+(\w+)\[\]\s*=\s*\{(.*?)^\};/msg};
}

# What verifyctl reads by, too, stands in a room below.
my %shared = map { my $of = $_; map { /\Aidv_/ ? ($_ => $of->{$_}) : () } keys %$of }
  values %tables;

# What HANDLER reads its parameters by: names of tables, followed through the
# functions of its file; undef when it reads none.
sub tables_of {
  my ($handler) = @_;
  my $path = $file_of{$handler} or return;
  my (%seen, @names);
  my @left = ($handler);
  while (defined(my $name = shift @left)) {
    next if $seen{$name}++;
    my $body = $functions{$path}{$name} // next;
    push @names, $body =~ /\bidv_request_parameters\(\s*[^,]+,\s*(\w+)/g;
    push @names, 'none' if $body =~ /\bidv_request_no_parameters\(/;
    push @names, 'IDV_PAGE_PARAMETERS' if $body =~ /\bidv_list_respond\(/;
    return ['mod_verify/domain/session/session_request.c', 'parameters']
      if $body =~ /\bidv_session_create_parse\(/;
    push @left, $body =~ /\b(\w+)\b/g;
  }
  return @names ? [$path, @names] : undef;
}

sub entries_of {
  my ($text) = @_;
  my %entries = $text =~ /IDV_PAGE_PARAMETERS/
    ? (limit => {type => 'INTEGER', flags => '0', minimum => 1,
        maximum => $defined{IDV_PAGE_LIMIT_MAX}},
      map { $_ => {type => 'ID', flags => '0'} } qw(starting_after ending_before)) : ();
  if ($text =~ /IDV_SUBJECT_PARAMETERS/) {
    $entries{definition} = {type => 'OBJECT', flags => '0', minimum => 0,
      maximum => $defined{IDV_SUBJECT_MEMBERS_MAX}};
    $entries{$_} = {type => 'ID', flags => '0'} for qw(draft_id version_id);
  }
  while ($text =~ /IDV_PARAMETER(_\w+)?\(([^()]*)\)/g) {
    my $form = $1 // '';
    next if $form eq '_REFUSE';
    my ($type, $struct, $name, @rest) = split /\s*,\s*/, $2;
    shift @rest if $form eq '_AS';
    pop @rest if $form eq '_HINT';
    my ($flags, @limits) = @rest;
    $entries{$name} = {type => $type, flags => $flags};
    next if $form eq '_OF' || $type =~ /\A(?:BOOLEAN|ID)\z/;
    @{$entries{$name}}{qw(minimum maximum)} =
      map { number_of($_) // die "$name: $_ is not known here\n" } @limits;
  }
  return %entries;
}

# The described parameters of an operation: name => [schema, required].
sub described_of {
  my ($operation) = @_;
  my %described;
  for my $parameter (map { $description->resolve($_) } @{$operation->{parameters}}) {
    next unless $parameter->{in} eq 'query';
    $described{$parameter->{name} =~ s/\[\]\z//r} =
      [$parameter->{schema}, $parameter->{required} ? 1 : 0];
  }
  my $media = $operation->{requestBody} && $operation->{requestBody}{content}{'application/json'};
  my $schema = $media && $description->resolve($media->{schema});
  for my $name ($schema ? keys %{$schema->{properties}} : ()) {
    $described{$name} = [$schema->{properties}{$name},
      (grep { $_ eq $name } @{$schema->{required} // []}) ? 1 : 0];
  }
  return %described;
}

my %bounds = (INTEGER => [qw(minimum maximum)],
  map({ $_ => [qw(minLength maxLength)] } qw(STRING EMAIL PHONE JURISDICTION REDIRECT_URL
    WEBHOOK_URL)),
  map({ $_ => [qw(minItems maxItems)] } qw(STRINGS METHODS OBJECTS)),
  map { $_ => [qw(minProperties maxProperties)] } qw(OBJECT METADATA));
my %type_of = (BOOLEAN => 'boolean', INTEGER => 'integer',
  map({ $_ => 'string' } qw(STRING ID EMAIL PHONE JURISDICTION REDIRECT_URL
    WEBHOOK_URL SESSION_TYPE STRENGTH MAX_AGE MAX_AGE_NUMBER)),
  map({ $_ => 'array' } qw(STRINGS METHODS OBJECTS)),
  map { $_ => 'object' } qw(OBJECT METADATA));
sub entry_faults {
  my ($entry, $schema, $required) = @_;
  my @faults;
  push @faults, 'required?' if $required != ($entry->{flags} =~ /IDV_REQUIRED/ ? 1 : 0);
  my $whole = $description->resolve($schema);
  my ($main) = grep { ($_->{type} // '') ne 'null' }
    map { $description->resolve($_) } @{$whole->{anyOf} // [$whole]};
  my @types = map { ref $_ ? @$_ : $_ } map { $_->{type} // () }
    $whole, @{$whole->{anyOf} // []};
  my $type = $type_of{$entry->{type}} // die "$entry->{type} is not known here\n";
  push @faults, "type @types"
    unless grep { $_ eq $type } @types, $main->{type} // ();
  push @faults, 'null?'
    if (grep { $_ eq 'null' } @types) != ($entry->{flags} =~ /IDV_NULLABLE/ ? 1 : 0);
  push @faults, 'pattern' if $entry->{type} eq 'ID' && !$main->{pattern};
  if (defined $entry->{maximum} && $bounds{$entry->{type}} && !$main->{enum} && !$main->{pattern}) {
    my ($low, $high) = @{$bounds{$entry->{type}}};
    push @faults, "$low" if ($main->{$low} // 0) != ($entry->{minimum} // 0);
    push @faults, "$high" if ($main->{$high} // -1) != $entry->{maximum};
  }
  return @faults;
}

my @parameters;
for my $name (@both) {
  # OpenID Connect has the parameters of its standard, which ignores unknown ones.
  next if $name =~ m{ /(?:v1/oidc|\.well-known)/| /verify/| /dashboard(?:/(?:assets/.*)?)?\z} || $routes{$name}{body} =~ /IMAGE|CHIP|FORM/;
  my $found = tables_of($routes{$name}{handler});
  if (!$found) {
    push @parameters, "$name: reads no parameters";
    next;
  }
  my ($path, @names) = @$found;
  my %entries = map { entries_of($tables{$path}{$_} // $shared{$_} // $_) } @names;
  my %described = described_of($operations{$name});
  push @parameters, map { "$name: $_ is missing" } grep { !$described{$_} } sort keys %entries;
  push @parameters, map { "$name: $_ is not read" } grep { !$entries{$_} } sort keys %described;
  for my $parameter (grep { $described{$_} } sort keys %entries) {
    push @parameters, map { "$name: $parameter: $_" }
      entry_faults($entries{$parameter}, @{$described{$parameter}});
  }
}
none_ok 'parameters of every operation', @parameters;
my %create = described_of($operations{'POST /v1/verification_sessions'});
cmp_ok scalar keys %create, '>', 15, 'session creation takes many';

# --- lists of values ---

sub header_of { return (glob "mod_verify/domain/*/$_[0]")[0] =~ s{mod_verify/}{}r }
my %lists = (EventType => ['event_type.h', 'IDV_EVENT_TYPES'],
  SessionStatus => ['session.h', 'IDV_SESSION_STATUSES'],
  AgeTier => ['compliance.h', 'IDV_AGE_TIERS'],
  UseCase => ['compliance.h', 'IDV_USE_CASES'], Method => ['method.h', 'IDV_METHODS']);
for my $schema (sort keys %lists) {
  my ($header, $macro) = @{$lists{$schema}};
  my @values = map { $_->[1] } list_of(header_of($header), $macro);
  is_deeply [sort @{$schemas{$schema}{enum}}], [sort @values], "$schema is complete";
}

my @strengths = map { $_->[1] } list_of('domain/method/method.h', 'IDV_STRENGTHS');
is_deeply [sort @{$schemas{UpperStrength}{enum}}], [sort map { uc } @strengths],
  'UpperStrength is complete';
is_deeply [@{$schemas{MinStrength}{enum}}[0 .. $#strengths]], \@strengths,
  'MinStrength begins with the strengths, weakest first';
is_deeply $schemas{RiskSignalName}{'x-extensible-enum'},
  [map { $_->[1] } list_of('domain/risk/risk.h', 'IDV_RISK_SIGNALS')], 'every risk signal';

# --- formats and limits ---

# Calls VISIT with each schema of the document and its path in it; an extension
# has none.
sub each_schema {
  my ($node, $path, $visit) = @_;
  if (ref $node eq 'ARRAY') {
    each_schema($node->[$_], "$path/$_", $visit) for 0 .. $#$node;
  } elsif (ref $node eq 'HASH') {
    $visit->($node, $path);
    each_schema($node->{$_}, "$path/$_", $visit) for grep { !/\Ax-/ } sort keys %$node;
  }
}
sub has_type {
  my ($schema, @types) = @_;
  my $own = $schema->{type} // return 0;
  return grep { my $type = $_; grep { $_ eq $type } @types } ref $own eq 'ARRAY' ? @$own
    : ref $own ? () : $own;
}

# What the code does not bound: what others wrote, bodies of pages, and texts
# whose length nobody depends on.
my $boundless = qr{/content/(?:text/[^/]*|image/[^/]*|application/x-ndjson)/schema\z
  |/Error/properties/error/properties/(?:message|param)\z
  |/WebhookDelivery/properties/request/properties/body\z
  |/WebhookDelivery/properties/\w+/properties/headers/additionalProperties\z}x;
my (@unbounded, %id_patterns);
each_schema($document, '', sub {
  my ($schema, $path) = @_;
  push @unbounded, "$path: a string without length, pattern or list"
    if has_type($schema, 'string') && $path !~ $boundless
    && !grep { exists $schema->{$_} } qw(maxLength pattern enum x-extensible-enum);
  push @unbounded, "$path: a number without range"
    if has_type($schema, 'integer', 'number')
    && grep { !exists $schema->{$_} } qw(minimum maximum);
  push @unbounded, "$path: an array without a largest number"
    if has_type($schema, 'array') && !exists $schema->{maxItems};
  push @{$id_patterns{$schema->{pattern}}}, $path
    if !ref($schema->{pattern} // []) && $schema->{pattern} =~ /\A\^\w+_/;
});
none_ok 'every string, number and array has its limits', @unbounded;

# Ids are promised to have their prefix; what follows is opaque.
my %prefixes = map { $_->[1] => 1 } list_of('core/id.h', 'IDV_ID_PREFIXES');
my $opaque = '[0-9a-zA-Z]+';
none_ok 'ids have the prefixes of core/id.h', grep {
  my ($prefix, $rest) = /\A\^([a-z]+_)(.*)\z/;
  !($prefixes{$prefix} && $rest =~ /\A\Q$opaque\E(?:\$|_secret_)/)
    && $prefix !~ /\A(?:whsec|vpt)_\z/;
} sort keys %id_patterns;
my %no_id = map { $_ => 1 } qw(client_reference_id device_id);
my @without;
each_schema($document, '', sub {
  my ($schema, $path) = @_;
  my $properties = $schema->{properties};
  push @without, map { "$path/properties/$_" } grep {
    my ($main) = grep { ($_->{type} // '') ne 'null' } map { $description->resolve($_) }
      @{$properties->{$_}{anyOf} // [$properties->{$_}]};
    !$no_id{$_} && (($main->{pattern} // '') !~ /\A\^[a-z]+_\Q$opaque\E\$\z/
      || $main->{maxLength} != $defined{OBJECT_ID_MAX});
  } grep { /(?:\A|_)id\z/ } keys %$properties if ref $properties eq 'HASH';
});
none_ok 'every id has a pattern and a length', @without;

# Where answers show what the code limits: keyword, and the name of the limit.
my %limits = (
  'VerificationSession client_reference_id' => [maxLength => 'IDV_CLIENT_REFERENCE_ID_MAX'],
  'VerificationSession return_url' => [maxLength => 'IDV_URL_MAX'],
  'VerificationSession user_message' => [maxLength => 'IDV_COMPLIANCE_TEXT_MAX'],
  'VerificationSession client_secret' => [maxLength => 'CLIENT_SECRET_MAX'],
  'WidgetSession attempts_remaining' => [maximum => 'IDV_WORKFLOW_ATTEMPTS_MAX'],
  'WebhookEndpoint name' => [maxLength => 'IDV_ENDPOINT_NAME_MAX'],
  'WebhookEndpoint description' => [maxLength => 'IDV_ENDPOINT_DESCRIPTION_MAX'],
  'WebhookEndpoint url' => [maxLength => 'IDV_URL_MAX'],
  'WebhookEndpoint enabled_events' => [maxItems => 'IDV_EVENT_TYPE_COUNT'],
  'SessionReview reason' => [maxLength => 'IDV_REVIEW_REASON_MAX'],
  'DecisionEvidence decided_by' => [maxLength => 'IDV_REVIEWER_MAX'],
  'DecisionEvidence note' => [maxLength => 'IDV_REVIEW_REASON_MAX'],
  'ComplianceResult governing_regulator' => [maxLength => 'IDV_COMPLIANCE_TEXT_MAX'],
  'ComplianceResult required_age' => [maximum => 'IDV_COMPLIANCE_AGE_MAX'],
  'ComplianceResult credential_validity_days' => [maximum => 'IDV_COMPLIANCE_DAYS_MAX'],
  'VerifiedPersonLookupResult credentials' => [maxItems => 'IDV_REUSABLE_MAX'],
  'TrustReuseLink organization_name' => [maxLength => 'IDV_CALL_TEXT_MAX'],
  'RiskAssessment risk_score' => [maximum => 'IDV_RISK_SCORE_MAX'],
  'RiskSignal points' => [maximum => 'IDV_RISK_SCORE_MAX'],
  'EventList data' => [maxItems => 'IDV_PAGE_LIMIT_MAX'],
);
none_ok 'answers have the limits of the code', grep {
  my ($schema, $field) = split / /;
  my ($keyword, $limit) = @{$limits{$_}};
  ($schemas{$schema}{properties}{$field}{$keyword} // -1) != ($defined{$limit} // -2);
} sort keys %limits;

is $schemas{Timestamp}{maximum}, $defined{IDV_LATEST_SECOND}, 'and times, too';

# --- codes of failures, hints and checks ---

my $document_h = 'methods/document/document.h';
my @document_errors = list_of('methods/document/document_decision.h', 'IDV_DOCUMENT_ERRORS');
my @session_errors = list_of('domain/session/session.h', 'IDV_SESSION_ERRORS');
my @session_checks = list_of('domain/session/session.h', 'IDV_SESSION_CHECKS');
my @document_checks = list_of($document_h, 'IDV_DOCUMENT_CHECKS');
my @document_reasons = list_of($document_h, 'IDV_DOCUMENT_REASONS');
my $passport_h = 'methods/passport/passport_checks.h';
my @passport_errors = list_of($passport_h, 'IDV_PASSPORT_ERRORS');
my @passport_checks = list_of($passport_h, 'IDV_PASSPORT_CHECKS');
my @passport_reasons = list_of($passport_h, 'IDV_PASSPORT_REASONS');
my $mdl_h = 'methods/mdl/mdl_findings.h';
my @mdl_errors = list_of('methods/mdl/mdl_decision.h', 'IDV_MDL_ERRORS');
my @mdl_checks = list_of($mdl_h, 'IDV_MDL_CHECKS');
my @mdl_reasons = list_of($mdl_h, 'IDV_MDL_REASONS');
# Those that ask for another answer, and so are hints.
my @mdl_hints = grep { $_->[0] =~ /\A(?:UNREADABLE|NOT_PROVIDED|DECLINED|NOT_RETURNED)\z/ }
  @mdl_errors;
# Methods may fail for the same reason.
sub each_once {
  my %seen;
  return grep { !$seen{$_}++ } @_;
}
my $face_h = 'methods/face/face_decision.h';
my @face_errors = list_of($face_h, 'IDV_FACE_ERRORS');
my @face_checks = list_of($face_h, 'IDV_FACE_CHECKS');
my @face_reasons = list_of($face_h, 'IDV_FACE_REASONS');
my %codes = (
  FailureCode => [each_once(map { $_->[1] } @document_errors, @passport_errors,
    @mdl_errors, @face_errors, @session_errors)],
  Hint => [each_once(map { $_->[1] }
    list_of('methods/document/document_findings.h', 'IDV_DOCUMENT_HINTS'),
    list_of('methods/passport/passport_findings.h', 'IDV_PASSPORT_HINTS'),
    @mdl_hints, list_of($face_h, 'IDV_FACE_HINTS'),
    list_of('domain/session/session.h', 'IDV_SESSION_HINTS'))],
  CheckName => [each_once(map { $_->[1] } @document_checks, @passport_checks,
    @mdl_checks, @face_checks, @session_checks)],
  CheckReason => [each_once(map({ $_->[1] } @document_reasons, @passport_reasons,
    @mdl_reasons, @face_reasons), map { $_->[2] } @session_checks)],
  DeliveryError => [map({ $_->[1] } list_of('out/http_exchange.h', 'IDV_HTTP_FAILURES')),
    text_of('mod_verify/worker/webhook/delivery_attempt.c') =~ /\{\\"code\\":\\"(\w+)\\"/g],
  ErrorCode => [sort keys %status_of]);
my %wanted = (FailureCode => 'tell', Hint => 'tell', DeliveryError => 'do', ErrorCode => 'do');
for my $schema (sort keys %codes) {
  my $listed = $schemas{$schema}{'x-extensible-enum'} // $schemas{$schema}{enum};
  my @codes = @{$codes{$schema}};
  ok @codes > 5, "there are codes of $schema";
  # The order of reasons and failures says which comes first; others have none.
  is_deeply $schema =~ /Error/ ? [sort @$listed] : $listed,
    $schema =~ /Error/ ? [sort @codes] : \@codes, "$schema lists what the code has";
  my $entries = $schemas{$schema}{'x-codes'};
  is_deeply [sort keys %$entries], [sort @codes], 'each with an entry';
  none_ok 'that says what it means and what to do', grep {
    my $entry = $entries->{$_};
    grep { length($entry->{$_} // '') < 8 || $entry->{$_} !~ /\.\z/ } 'meaning',
      $wanted{$schema} // ();
  } sort keys %$entries;
}
# Of each method: its errors, its checks, and reasons, which name both.
for my $method ([\@document_errors, \@document_checks, \@document_reasons],
  [\@passport_errors, \@passport_checks, \@passport_reasons],
  [\@mdl_errors, \@mdl_checks, \@mdl_reasons],
  [\@face_errors, \@face_checks, \@face_reasons]) {
  my ($errors, $checks, $reasons) = @$method;
  my %code_of_error = map { $_->[0] => $_->[1] } @$errors;
  my %code_of_check = map { $_->[0] => $_->[1] } @$checks;
  for my $reason (@$reasons) {
    my ($name, $code, $check) = @$reason;
    my $entry = $schemas{CheckReason}{'x-codes'}{$code};
    is "$entry->{check} $entry->{last_error}",
      "$code_of_check{$check} $code_of_error{$reason->[-1]}",
      "the check and the error of $code";
  }
}
is $schemas{CheckReason}{'x-codes'}{$_->[2]}{check}, $_->[1], "the check of $_->[2]"
  for @session_checks;
# Codes that stand in a source beside the lists would be in no document. The list
# of documents' errors has its category where it is made; a sample repeats one.
none_ok 'no failure is made beside the lists', map {
  my $path = $_;
  $path =~ m{/(?:event|document_decision|face_decision)\.c\z} ? () : map { "$path: $_" }
    code_of($path) =~ /"(?:verification_declined|technical_error)"/g;
} glob 'mod_verify/{domain/*,methods/*,worker/*,store/*,api/*,analyze}/*.c';

# --- the document in itself ---

my (%references, @dangling);
sub walk {
  my ($node, $visit) = @_;
  $visit->($node) if ref $node eq 'HASH';
  walk($_, $visit) for ref $node eq 'HASH' ? values %$node : ref $node eq 'ARRAY' ? @$node : ();
}
walk($document, sub {
  my $target = $_[0]{'$ref'} // return;
  $references{$target} = 1;
  push @dangling, $target unless eval { $description->resolve($_[0]) };
});
none_ok 'every reference leads somewhere', @dangling;
for my $kind (qw(schemas parameters headers responses)) {
  none_ok "no $kind without use", grep {
    !$references{"#/components/$kind/$_"}
  } sort keys %{$document->{components}{$kind}};
}
my @event_types = map { @{$description->resolve($_)->{properties}{type}{enum}} }
  @{$schemas{Event}{anyOf}};
is_deeply [sort @event_types], [sort @{$schemas{EventType}{enum}}],
  'every type of event has an object';
my %ids;
$ids{$_->{operationId} // ''}++ for values %operations;
none_ok 'every operation has an id of its own', grep { $ids{$_} > 1 || !$_ } keys %ids;
my %tags = map { $_->{name} => 1 } @{$document->{tags}};
none_ok 'summaries and known tags', grep {
  my $operation = $operations{$_};
  !length($operation->{summary} // '') || grep { !$tags{$_} } @{$operation->{tags}};
} sort keys %operations;
none_ok 'path parameters', grep {
  my ($path) = /\S+ (.*)/;
  my @named = map { $_->{name} } grep { $_->{in} eq 'path' }
    map { $description->resolve($_) } @{$operations{$_}{parameters} // []};
  join(' ', sort @named) ne join ' ', sort $path =~ /\{(\w+)\}/g;
} sort keys %operations;
my $validator = Verify::Schema->new($document);
none_ok 'schemas use known keywords', grep {
  !eval { $validator->faults({}, $schemas{$_}, ''); 1 }
} sort keys %schemas;

# --- the checks of the other tests can say no ---

my %exchange = (method => 'GET', path => '/v1/health/live', status => 200,
  headers => {'content-type' => 'application/json'},
  body => '{"object":"health","status":"ok"}');
sub faults { join ';', $description->faults(%exchange, @_) }
is faults(), '', 'a described answer';
like faults(body => '{"object":"health"}'), qr/lacks status/, 'a field is missing';
like faults(body => '{"object":"health","status":"ok","x":1}'), qr/x is not described/,
  'a field too many';
like faults(body => '{"object":1,"status":"ok"}'), qr/\.object is not health/, 'a wrong value';
like faults(body => 'ok'), qr/no JSON/, 'no JSON';
like faults(status => 202), qr/status is not described/, 'another status';
like faults(path => '/v1/none'), qr/status is not described/, 'an unknown path';
like faults(headers => {'content-type' => 'text/plain'}), qr/media type/, 'another media type';
like faults(headers => {'content-type' => 'application/json',
  'x-ratelimit-limit' => 1}), qr/header X-RateLimit-Limit is not described/, 'a header';
my $error = '{"error":{"type":"invalid_request_error","code":"%s","message":"m","request_id":"req_00000000000000000000000000"}}';
is faults(status => 400, body => sprintf $error, 'parameter_invalid'), '', 'an error';
like faults(status => 402, body => sprintf $error, 'billing_suspended'),
  qr/billing_suspended is not listed/, 'an error that is not listed';
like faults(status => 400, body => '{"error":{}}'), qr/lacks code/, 'half an envelope';
like faults(method => 'POST', path => '/v1/widget/sessions/vks_1/open', request => '{"x":1}'),
  qr/accepted request: \.x is not described/, 'a request too many';
is_deeply [$validator->faults({a => [1, 'x', 2.5, undef, JSON::PP::true]},
  {type => 'object', properties => {a => {type => 'array', maxItems => 4,
    items => {type => ['integer', 'boolean']}}}}, '')],
  ['.a[1] is string, not integer or boolean', '.a[2] is number, not integer or boolean',
   '.a[3] is null, not integer or boolean', '.a has too many items'], 'types and paths';

# --- what others make of it ---

# What was recorded is as the description has it, and nothing a key can do lacks it.
{
  my $examples = $json->decode(text_of('mod_verify/api/examples.json'));
  my @faults;
  for my $name (sort keys %$examples) {
    my ($method, $path) = split / /, $name;
    push @faults, $description->faults(method => $method,
      path => $path =~ s/\{\w+\}/id/gr, status => $examples->{$name}{status},
      headers => {'content-type' => 'application/json'},
      request => $examples->{$name}{request} && $json->encode($examples->{$name}{request}),
      body => $json->encode($examples->{$name}{response}));
  }
  none_ok 'the examples fit the description (scripts/api-examples records them)', @faults;
  none_ok 'every resource of a key has an example', grep { my $tag = $_;
    !grep { $operations{$_}{tags}[0] eq $tag && $examples->{$_} } keys %operations }
    map { $_->{tags}[0] } grep { grep { $_->{secretKey} } @{$_->{security}} }
    values %operations;
  none_ok 'every data of the dashboard has an example', grep {
    my $answers = $operations{$_}{responses};
    !$examples->{$_} && grep { /\A2/ && $description->resolve($answers->{$_})
      ->{content}{'application/json'} } keys %$answers;
  } grep { m{ /dashboard/v1/} } sort keys %operations;
  my $recorded = text_of('mod_verify/api/examples.json');
  none_ok 'no example tells of a machine, a secret or a moment',
    $recorded =~ m{\b(127\.0\.0\.1|localhost|root|1[79]\d{8}(?:\d{3})?)\b}g,
    grep { !/_[0-9a-f]+\z/ } $recorded =~ /\b((?:svc|whsec)_[\w-]+)/g;
}

subtest 'client libraries are those of now (scripts/api-clients)' => sub {
  my $made = tempdir(CLEANUP => 1);
  is system('perl', 'scripts/api-clients', $made), 0, 'are generated';
  my @names;
  find({no_chdir => 1, wanted => sub { push @names, substr $_, 1 + length $made if -f }}, $made);
  cmp_ok @names, '>', 1, 'files';
  is text_of("conf/clients/$_"), text_of("$made/$_"), $_ for sort @names;
};
is text_of('mod_verify/api/README.md'), scalar `perl scripts/api-reference`,
  'mod_verify/api/README.md is that of now (scripts/api-reference)';
is text_of('mod_verify/api/samples.json'), scalar `perl scripts/api-samples`,
  'mod_verify/api/samples.json is that of now (scripts/api-samples)';

# --- one document for each audience ---

my $made = tempdir(CLEANUP => 1);
is system('perl', 'scripts/api-documents', $made), 0, 'the documents are made';
my %documents = map { ($_->{name} => {file => "$made/$_->{file}",
  document => $json->decode(text_of("$made/$_->{file}"))}) } @{$document->{'x-audiences'}};
is_deeply [sort keys %documents], [qw(customer dashboard widget)], 'for three audiences';
my %times;
for my $name (sort keys %documents) {
  my $own = Verify::Description->new($documents{$name}{document});
  $documents{$name}{operations} = {$own->operations};
  $times{$_}++ for keys %{$documents{$name}{operations}};
  my (%pointed, @lost);
  each_schema($own->document, '', sub {
    my $target = ref $_[0]{'$ref'} ? undef : $_[0]{'$ref'};
    return unless $target;
    $pointed{$target} = 1;
    my $node = $own->document;
    $node = ref $node && $node->{$_} for split m{/}, $target =~ s{\A#/}{}r;
    push @lost, $target unless $node;
  });
  none_ok "$name: every reference leads somewhere", @lost;
  my $components = $own->document->{components};
  none_ok "$name: every component is used", grep { !$pointed{$_} } map { my $kind = $_;
    map { "#/components/$kind/$_" } sort keys %{$components->{$kind}} }
    grep { $_ ne 'securitySchemes' } sort keys %$components;
}
is_deeply \%times, {map { $_ => 1 } keys %operations}, 'each operation is in one of them';
is_deeply [sort keys %{$documents{customer}{operations}}], [sort grep {
  $routes{$_}{credential} =~ /\A(?:PUBLISHABLE_OR_)?SECRET\z/ } keys %routes],
  'the customer gets the operations of a secret key';
none_ok 'each of these has samples in four languages', grep {
  @{$documents{customer}{operations}{$_}{'x-codeSamples'} // []} != 4 }
  sort keys %{$documents{customer}{operations}};
ok $documents{customer}{document}{webhooks}{event}, 'and the webhooks';
ok !grep({ $documents{$_}{document}{webhooks} } qw(widget dashboard)), 'which no other has';

# The linters are given their rules and may tell nobody of their use.
SKIP: {
  skip 'no npm modules to be had', 3 * keys %documents
    if system('scripts/fetch-test-modules t/meta >&2') != 0;
  local @ENV{qw(REDOCLY_TELEMETRY REDOCLY_SUPPRESS_UPDATE_NOTICE)} = ('off', 'true');
  my $bin = 't/meta/node_modules/.bin';
  for my $name (sort keys %documents) {
    my $verdict = `node t/meta/openapi_lint.mjs $documents{$name}{file} 2>&1`;
    is $verdict, "valid OpenAPI 3.1\n", "$name: a validator finds it valid";
    for (["$bin/redocly lint --config t/meta/redocly.yaml", 'redocly finds no error'],
      ["$bin/spectral lint --ruleset t/meta/spectral.yaml --fail-severity warn",
        'spectral finds nothing to warn of']) {
      my ($linter, $verdict) = @$_;
      my $report = `$linter $documents{$name}{file} 2>&1`;
      is $?, 0, "$name: $verdict" or diag $report;
    }
  }
}
done_testing;
