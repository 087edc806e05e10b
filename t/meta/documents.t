# What the pages name is there: files and folders, headings that are linked to, goals
# of make, directives, variables of the environment, members and codes, commands of
# verifyctl with their options. t/meta/administration.t has what is of the page for
# administrators alone.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use JSON::PP ();
use Test::More;

chdir abs_path("$FindBin::Bin/../..") or die "no root: $!\n";
my @files = grep { -f } split /\0/, `git ls-files -z --cached --others --exclude-standard`;
plan skip_all => 'not a git checkout' unless @files;
my @pages = (qw(README.md .github/CONTRIBUTING.md .github/RELEASING.md
  .github/SECURITY.md mod_verify/README.md
  mod_verify/web/README.md mod_verify/web/dashboard/README.md conf/README.md
  conf/quickstart/README.md conf/clients/README.md conf/workflows/README.md conf/compliance/README.md
  sql/README.md), glob 'mod_verify/decisions/*.md conf/manual/*.md');

my %is_file = map { $_ => 1 } @files;
my %is_folder;
for my $path (@files) {
  my $folder = $path;
  $is_folder{$folder} = 1 while $folder =~ s{/[^/]*\z}{};
}
my %is_name = map { s{.*/}{}r => 1 } @files;
sub text_of {
  open my $file, '<', $_[0] or die "$_[0]: $!\n";
  local $/;
  return scalar <$file>;
}
my $source = join "\n", map { text_of($_) } grep { -T && !/\.md\z/ }
  grep { !m{\At/(?:fuzz/corpus|meta)/} } @files;
# What is of other programs, of a running service, or named by whoever reads.
my %of_others = map { $_ => 1 } qw(.run/demo.env .run/logs .run/tls/ca.pem build/deb
  postgresql.conf drill.conf mod_verify/monitoring methods/NAME.js ../widget.js
  mod-verify/client image/jpeg image/png image/webp PassApp/2.1 pg_stat_progress_create_index);

my $up = qr{(?:\A|(?<=/))(?!\.\./)[^/]+/\.\./};
sub is_there {
  my ($path, $page) = @_;
  my $beside = $page =~ s{[^/]*\z}{}r;
  # A page may say where it is by itself, or as the map of the source does.
  for my $base ('', $beside, 'mod_verify/', 'sql/queries/*/', 'conf/') {
    my $full = "$base$path" =~ s{/\z}{}r;
    1 while $full =~ s{$up}{};
    return 1 if $is_file{$full} || $is_folder{$full} || ($full =~ /\*/ && grep { -e } glob $full);
  }
  return 0;
}
sub is_named { # a word of the source, or one that is put together there
  my ($word) = @_;
  return index($source, $word) >= 0
    || ($word =~ /\Averify_(\w+)\z/ && index($source, $1) >= 0);
}
sub anchors_of {
  my %anchor = map { lc(s/[^\w\s-]//gr) =~ s/\s/-/gr => 1 } text_of($_[0]) =~ /^#+ (.*)/mg;
  return \%anchor;
}
my $path = qr{\.{0,2}[\w.-]+(?:/[\w.*-]+)+/?};
my $file = qr{[\w-]+\.(?:[ch]|t|def|json|md|conf|sql|py|m?js|php|java|css|html|yml|pm|txt)};
my $goals = join '|', map { /^([a-z][\w-]*(?: [a-z][\w-]*)*):(?!=)/mg, /^\.PHONY: *(.*)/mg,
  /^outer_goals := ((?:.*\\\n)*.*)/mg } map { text_of($_) =~ s/\\\n//gr } 'Makefile', glob 'apxs/*.mk';
my %is_goal = map { $_ => 1 } split /[|\s]+/, $goals;

# A line of a command goes on behind a backslash, and ends before a remark.
sub commands_of {
  my ($text) = @_;
  $text =~ s/\\\n\s*/ /g;
  return map { s/\s+#.*//r } $text =~ /(?<![\w-])verifyctl ([^`\n]*)/g;
}
my $commands = join '', map { text_of($_) } glob 'mod_verify/cli/*/*.c';
my $spaced = $commands =~ s/\s+/ /gr;
sub is_command {
  my ($noun, $verb, $third) = $_[0]
    =~ /\A(?:--\S+ \S+ )*([a-z]+(?:-[a-z]+)*)(?: ([a-z]+(?:-[a-z]+)*))?(?: ([a-z]+(?:-[a-z]+)*))?/
    or return 1; # options alone
  ($noun, $verb) = ("$noun $verb", $third)
    if $verb && index($spaced, qq(.noun = "$noun $verb",)) >= 0;
  my $noun_of = qr/\.noun = "\Q$noun\E",/;
  return $spaced =~ $noun_of unless $verb;
  return $spaced =~ /$noun_of (?:\.verb = "\Q$verb\E",|(?!\.verb))/;
}

# A link is relative to its page, unlike a path that a sentence names.
sub broken_links {
  my ($page, $text) = @_;
  my @faults;
  for my $link ($text =~ /(?:\]\(|<img src=")(?!https?:)([^)"\s]+)/g) {
    my ($to, $anchor) = split /#/, $link, 2;
    my $target = length $to ? ($page =~ s{[^/]*\z}{}r) . $to : $page;
    1 while $target =~ s{$up}{};
    $target =~ s{/\z}{};
    push @faults, "link $link" and next unless $is_file{$target} || $is_folder{$target};
    push @faults, "heading $link" if $anchor && $target =~ /\.md\z/
      && !anchors_of($target)->{$anchor};
  }
  return @faults;
}

sub faults_of {
  my ($page, $text) = @_;
  my %seen;
  my @words = grep { !$of_others{s{/\z}{}r} && !$seen{$_}++ } $text =~ /`([^`\n]+)`/g;
  my @faults = map { "file $_" } grep { /\A$path\z/ && !is_there($_, $page)
    || /\A$file\z/ && !$is_name{$_} } @words;
  push @faults, map { "name $_" } grep { !is_named($_) } map { /\A([a-z]+(?:_[a-z0-9]+)+)\z/ } @words;
  push @faults, map { "name $_" } grep { !$seen{$_}++ && !is_named($_) }
    $text =~ /\b(Verify[A-Z]\w+|VERIFY_[A-Z_]+|IDV\d{4})\b/g;
  push @faults, map { "goal make $_" } grep { !$is_goal{$_} }
    $text =~ /(?:^ {4}|`)make ([a-z][a-z-]*)/mg;
  push @faults, broken_links($page, $text);
  for my $command (commands_of($text)) {
    push @faults, "command $command" unless is_command($command);
    push @faults, map { "option --$_ of $command" } grep { index($commands, qq("$_")) < 0
      && index($commands, "--$_") < 0 } $command =~ /(?<!\S)--([a-z][a-z-]+)/g;
  }
  return @faults;
}

is_deeply [map { s/ .*//r } faults_of('conf/README.md', <<'PAGE')],
`mod_verify/core/nothing.c`, `nothing.def`, `no_such_code_at_all`, VerifyNothing and
`make nothing`; [a page](nothing.md), [a heading](README.md#nothing-of-it)

    verifyctl org nothing
    verifyctl org create --nothing-of-it
PAGE
  [qw(file file name name goal link heading command option)],
  'what is not there is found';
for my $page (@pages) {
  is_deeply [faults_of($page, text_of($page))], [], $page;
}
# Of all other pages only the links.
my %is_page = map { $_ => 1 } @pages;
for my $page (grep { /\.md\z/ && !$is_page{$_} } @files) {
  is_deeply [broken_links($page, text_of($page))], [], "links of $page";
}

# Figures of the pages, and what of the source they repeat: a value, or its file and the
# name in front of it. A space of a sentence is any white space, a figure may be a word.
my $risk = JSON::PP::decode_json(text_of('conf/risk.json'));
my %figures = (
  'README.md' => [
    ['with FIGURE examples', scalar(() = glob 'conf/workflows/*.json')],
  ],
  'sql/README.md' => [
    ['removed in batches of FIGURE,', 'worker/watchdog/timers.c', 'PURGE_BATCH'],
    ['are removed, FIGURE in a transaction', 'worker/watchdog/remover.c', 'BATCH'],
  ],
  'conf/manual/billing-and-reviews.md' => [
    ['can have FIGURE verifications a month', 'domain/account/billing.h', 'IDV_SANDBOX_QUOTA'],
    ['A claim lasts FIGURE minutes', 'domain/session/review.h', 'IDV_REVIEW_CLAIM_TIME'],
    ['for FIGURE days at most, and never', 'store/session/second_review.h',
      'IDV_SECOND_REVIEW_TIME'],
    ['never beyond FIGURE days', 'store/session/second_review.h', 'IDV_SECOND_REVIEW_EVIDENCE_MAX'],
  ],
  'conf/manual/email.md' => [
    ['is tried FIGURE times in all', 'worker/watchdog/mailer.c', 'MAX_ATTEMPTS'],
  ],
  'conf/manual/liveness.md' => [
    ['within FIGURE minutes of this server', 'methods/face/provider_answer.h',
      'IDV_PROVIDER_CLOCK_MOST'],
  ],
  'conf/manual/monitor.md' => [
    ['places of a node (FIGURE,', 'core/settings.def', 'body_places,'],
    ['and FIGURE for each child) for minutes', 'core/settings.def', 'upload_places,'],
  ],
  'conf/manual/nodes.md' => [
    ['After FIGURE seconds at most', constant('worker/webhook/delivery_queue.h',
      'IDV_WEBHOOK_TIMEOUT') + constant('worker/process/worker.h', 'IDV_LEASE_SLACK')],
  ],
  'conf/manual/operate.md' => [
    ['Lists have FIGURE entries', 'cli/command/command.c', 'ROWS_SHOWN'],
    ['another number (FIGURE at most)', 'cli/command/command.c', 'ROWS_MAX'],
  ],
  'conf/manual/privacy.md' => [
    ['looks every FIGURE minutes and', 'worker/watchdog/timers.c', 'PURGE_INTERVAL'],
    ['removes FIGURE rows at a time', 'worker/watchdog/timers.c', 'PURGE_BATCH'],
    ['once an hour, FIGURE at a time', 'worker/watchdog/remover.c', 'BATCH'],
    ['confirms within FIGURE days', 'store/transaction/erasure.h', 'IDV_ERASURE_REQUEST_TIME'],
  ],
  'conf/manual/risk.md' => [
    ['| medium | FIGURE points | `review` |', $risk->{thresholds}{medium}],
    ['| high | FIGURE points | `block` |', $risk->{thresholds}{high}],
    ['people abroad, has FIGURE points at most', $risk->{causes}{elsewhere}{at_most}],
    ['in more than FIGURE sessions a day', $risk->{vp_token}{sessions}],
    ['may ask FIGURE times an hour', 'core/settings.def', 'trust_reuse_hourly,'],
    ['an hour and FIGURE times a day', 'core/settings.def', 'trust_reuse_daily,'],
  ],
  'conf/manual/trust-lists.md' => [
    ['Starting FIGURE days before a trusted', 'domain/trust/expiry.h', 'IDV_EXPIRY_LIST_NOTICE'],
    ['Starting FIGURE days before a certificate', 'domain/trust/expiry.h',
      'IDV_EXPIRY_CERTIFICATE_NOTICE'],
  ],
  'conf/manual/wallets.md' => [
    ['by a link FIGURE times in', 'api/widget/wallet.c', 'FETCHES_MAX'],
    ['times in FIGURE minutes at most', 'api/widget/wallet.c', 'FETCH_WINDOW'],
  ],
  'conf/manual/webhooks.md' => [
    ['A receiver has FIGURE seconds', 'worker/webhook/delivery_queue.h', 'IDV_WEBHOOK_TIMEOUT'],
    ['the service makes FIGURE attempts', 'worker/webhook/delivery_attempt.h',
      'IDV_DELIVERY_MAX_ATTEMPTS'],
    ['in batches of FIGURE events', 'worker/watchdog/timers.c', 'RECOVERY_BATCH'],
    ['more than FIGURE deliveries that were', 'store/webhook/webhook_recovery.c', 'WAITING_MAX'],
    ['After FIGURE deliveries, a recovery', 'store/webhook/webhook_recovery.h',
      'IDV_RECOVERY_DELIVERIES_MAX'],
    ['A window has FIGURE days', 'store/webhook/webhook_recovery.h', 'IDV_RECOVERY_DAYS_MAX'],
  ],
  'conf/manual/workflows.md' => [
    ['A scenario has at most FIGURE inputs', 'domain/simulation/workflow_sandbox.h', 'IDV_SANDBOX_STEPS_MAX'],
    ['there are more than FIGURE paths', 'domain/workflow/workflow_paths.h', 'IDV_WORKFLOW_PATHS_MAX'],
  ],
);
my %number_of = (one => 1, two => 2, three => 3, four => 4, five => 5, six => 6,
  seven => 7, eight => 8, nine => 9, ten => 10);
sub constant {
  my ($file, $name) = @_;
  my ($value) = text_of("mod_verify/$file") =~ /^(?:#define |.*\b)\Q$name\E \(?([0-9]+)/m;
  return $value // "no $name in $file";
}
sub figure {
  my ($page, $sentence) = @_;
  my ($before, $after) = map { join '\s+', map { quotemeta } split / /, $_, -1 }
    split /FIGURE/, $sentence, -1;
  my ($found) = text_of($page) =~ /$before([\w,]*\w)$after/ or return "not there";
  return $number_of{lc $found} // $found =~ s/,//gr;
}
for my $page (sort keys %figures) {
  my @rows = @{$figures{$page}};
  is_deeply [map { "$_->[0]: " . figure($page, $_->[0]) } @rows],
    [map { "$_->[0]: " . (@$_ > 2 ? constant(@$_[1, 2]) : $_->[1]) } @rows],
    "figures of $page";
}
done_testing;
