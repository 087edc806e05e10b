# What reviewers should not have to look for: directions between the rooms,
# sizes, words that do not belong into the source.
use v5.32;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use Test::More;

my $root = abs_path("$FindBin::Bin/../..");
chdir $root or die "$root: $!\n";
my @files = grep { -f && -T } split /\0/,
  `git ls-files -z --cached --others --exclude-standard`;
plan skip_all => 'not a git checkout' unless @files;
my @sources = grep { m{^mod_verify/.*\.(?:c|h|cpp)\z} } @files;

sub text_of {
  my ($path) = @_;
  open my $file, '<', $path or die "$path: $!\n";
  local $/;
  return <$file>;
}
sub none_ok {
  my ($name, @faults) = @_;
  ok !@faults, $name or diag join "\n", splice @faults, 0, 30;
}

# A room may include itself and what stands below it.
my %below = (
  core => [], domain => ['core'], methods => [qw(core domain)],
  store => [qw(core domain methods)], out => [qw(core domain methods)],
  analyze => [qw(core domain methods)],
  reader => [qw(core domain methods)],
  cli => [qw(core domain methods store out)],
  worker => [qw(core domain methods store out)],
  api => [qw(core domain methods store out worker)],
  httpd => [qw(core domain methods store out worker api)],
);
# Whose headers a room may know besides.
my %foreign = (
  qr/^(?:httpd|http_\w+|ap_\w+|mod_\w+|mpm_common|util_\w+|scoreboard|unixd)\.h\z/
    => qr/^(?:api|httpd|worker)\z/,
  qr/^libpq/ => qr/^(?:store|httpd|worker|cli)\z/,
  qr/^curl\// => qr/^(?:out|reader|cli)\z/,
  qr/^winscard/ => qr/^reader\z/,
  qr/^(?:idn2|uni(?:case|conv|ctype|norm|str))\.h\z/ => qr/^domain\z/,
);

my @directions;
for my $path (@sources) {
  my ($room) = $path =~ m{^mod_verify/(\w+)/} or next;
  my %allowed = map { $_ => 1 } $room, @{$below{$room} // []};
  for my $include (text_of($path) =~ /^\s*#\s*include\s+[<"]([^">]+)/mg) {
    my ($other) = $include =~ m{^(\w+)/};
    push @directions, "$path includes $include"
      if $other && $below{$other} && !$allowed{$other};
    for my $pattern (keys %foreign) {
      push @directions, "$path includes $include"
        if $include =~ $pattern && $room !~ $foreign{$pattern};
    }
  }
}
none_ok 'includes point downwards only', @directions;

# A folder of a divided layer may include itself and the folders that its arrows lead to, in the
# picture below HEADING of the map. In a picture without a circle, some folder has no arrow; without
# it, the rest again has such a folder. Returns the folders.
sub check_folders {
  my ($heading, $layer) = @_;
  my ($picture) = text_of('mod_verify/README.md') =~ /^## \Q$heading\E\n.*?^```mermaid\n(.*?)^```/ms;
  my %leads_to = map { m{$layer(\w+)/} ? ($2 => {}) : () } @sources;
  my %is_folder = map { $_ => 1 } keys %leads_to;
  my ($arrows, @unknown) = 0;
  while (($picture // '') =~ /^\s*(\w+) --> (\w+)$/mg) {
    $arrows++;
    push @unknown, grep { !$is_folder{$_} } $1, $2;
    $leads_to{$1}{$2} = 1;
  }
  cmp_ok $arrows, '>=', keys(%leads_to) - 1, "$heading: the picture shows the folders";
  none_ok "$heading: what the picture names is a folder", @unknown;
  none_ok "$heading: sources are in folders", grep { m{$layer[^/]+\z} } @sources;
  for my $through (keys %leads_to) {
    for my $from (grep { $leads_to{$_}{$through} } keys %leads_to) {
      $leads_to{$from}{$_} = 1 for keys %{$leads_to{$through}};
    }
  }
  none_ok "$heading: folders form no circle", grep { $leads_to{$_}{$_} } sort keys %leads_to;
  my @across;
  for my $path (@sources) {
    my ($room, $folder) = $path =~ m{$layer(\w+)/} or next;
    push @across, map { "$path includes $room/$_" }
      grep { m{^(\w+)/} && $1 ne $folder && !$leads_to{$folder}{$1} }
      text_of($path) =~ m{^\s*#\s*include\s+"$room/([^"]+)}mg;
  }
  none_ok "$heading: includes between folders follow the picture", @across;
  return %is_folder;
}
my $by_subject = qr{^mod_verify/(domain|store|worker|api|cli)/};
my %is_subject = check_folders('Subjects', $by_subject);
check_folders('Inside httpd', qr{^mod_verify/(httpd)/});
none_ok 'statements are in folders of subjects', grep { m{^sql/queries/([^/]+)}
  && !$is_subject{$1} || m{^sql/queries/} && !m{^sql/queries/\w+/\w+/\w+\.sql\z} } @files;

my %in_folder;
$in_folder{s{/[^/]+\z}{}r}++ for grep { m{^mod_verify/\w+/.*\.c\z} } @sources;
none_ok 'no folder has more than 20 sources',
  map { "$_: $in_folder{$_}" } grep { $in_folder{$_} > 20 } sort keys %in_folder;

# No circle of files, where a source and its header count as one file.
my %path_of = map { (s{^mod_verify/}{}r) => s/\.\w+\z//r } @sources;
my %includes;
for my $path (@sources) {
  my $stem = $path =~ s/\.\w+\z//r;
  $includes{$stem}{$_} = 1 for grep { $_ && $_ ne $stem }
    map { $path_of{$_} } text_of($path) =~ /^\s*#\s*include\s+"([^"]+)"/mg;
}
# Finds one circle. Files that include no other file are left out, then those that no file
# includes, until each file that is left is on a way that leads to a circle.
sub circle {
  my %left = map { $_ => 1 } @_;
  for my $leads (\%includes, \my %included) {
    for my $from (keys %left) { $included{$_}{$from} = 1 for keys %{$includes{$from}} }
    while (my @ends = grep { my $file = $_; !grep { $left{$_} } keys %{$leads->{$file}} } keys %left) {
      delete @left{@ends};
    }
  }
  my ($file) = sort keys %left or return;
  my (@way, %at);
  until (defined $at{$file}) {
    $at{$file} = @way;
    push @way, $file;
    ($file) = sort grep { $left{$_} } keys %{$includes{$file}};
  }
  return @way[$at{$file} .. $#way], $file;
}
my %stems = map { s/\.\w+\z//r => 1 } @sources;
is join(' -> ', circle(keys %stems)), '', 'no circle of files';

# Whoever knows a header finds the source, and the other way round.
my (%defined_in, @elsewhere);
for my $path (grep { /\.(?:c|cpp)\z/ } @sources) {
  my ($stem) = $path =~ /(.*)\./;
  my $text = text_of($path);
  push @{$defined_in{$1}}, $stem
    while $text =~ /^(?!static\b)[A-Za-z_][^;{}#=]*?\b(idv_\w+)\([^;{}]*\)\s*\n\{/mg;
}
for my $path (grep { /\.h\z/ } @sources) {
  my $text = text_of($path) =~ s{/\*.*?\*/}{}gsr =~ s/^\s*#(?:.*\\\n)*.*$//mgr;
  my ($stem) = $path =~ /(.*)\./;
  while ($text =~ /\b(idv_\w+)\s*\([^;{}]*\)\s*(?:IDV_CHECKED\s*)?;/g) {
    my $stems = $defined_in{$1} or next;
    push @elsewhere, "$path declares $1 of $stems->[0]" unless grep { $_ eq $stem } @$stems;
  }
}
none_ok 'what a header declares is defined in the source of its name', @elsewhere;
# The handlers of api/ are declared by its table of routes, commands by theirs.
none_ok 'every source has a header of its name', grep {
  m{^mod_verify/(?!api/|cli/)\w+/.*\.(?:c|cpp)\z} && !-e s/\.\w+\z/.h/r
    && text_of($_) !~ /^int main\(/m
} @sources;

# A value that a key of the ring seals by itself carries no version, so that it is
# lost with the next master key.
none_ok 'what the master key seals goes through core/keyring.h', grep {
  $_ !~ m{/core/} && text_of($_) =~ /\bidv_(?:seal|open)(?:_by)?\(\s*[\w>.-]*key(?:s|ring)\b/
} @sources;

my %allowed_top = map { $_ => 1 } qw(mod_verify apxs conf sql t scripts
  Makefile README.md LICENSE .ci .github
  .clang-format .clang-tidy .editorconfig .gitignore .gitattributes);
my %top = map { s{/.*}{}r => 1 } @files;
none_ok 'the top level holds what it should', grep { !$allowed_top{$_} } sort keys %top;

# Assembled here, so that this file does not contain them.
my $words = join '|', map { '\b' . join('', @$_) . '\b' } ['TO', 'DO'], ['FIX', 'ME'],
  ['HA', 'CK'], ['not yet impl', 'emented'];
my @unfinished;
for my $path (@files) {
  my $line = 0;
  for (split /\n/, text_of($path)) {
    $line++;
    push @unfinished, "$path:$line: $_" if /$words/;
  }
}
none_ok 'no unfinished business', @unfinished;

my @long = grep { my $n = () = text_of($_) =~ /\n/g; $n > 800 }
  grep { m{^(?:mod_verify|t|scripts|apxs)/.*\.(?:c|h|cpp|pl|pm|t|js|mjs|py)\z} } @files;
none_ok 'no file over 800 lines', @long;
my @wide;
for my $path (@sources) {
  my $line = 0;
  for (split /\n/, text_of($path)) {
    $line++;
    push @wide, "$path:$line" if length > 100;
  }
}
none_ok 'no line over 100 columns', @wide;

# A function ends with the brace in the first column; clang-format sees to it.
my @functions;
for my $path (@sources) {
  my ($start, $line) = (0, 0);
  for (split /\n/, text_of($path)) {
    $line++;
    $start = $line if /^\{/;
    next unless /^\}/ && $start;
    push @functions, [$line - $start - 1, "$path:$start"];
    $start = 0;
  }
}
my @lengths = sort { $a <=> $b } map { $_->[0] } @functions;
note sprintf '%d functions, median %d lines, longest %d', scalar @lengths,
  $lengths[@lengths / 2] // 0, $lengths[-1] // 0;
none_ok 'no function over 60 lines',
  map { "$_->[1]: $_->[0] lines" } grep { $_->[0] > 60 } @functions;

# More than five parameters are a structure, except in rooms that compute on bytes and pictures.
my (@parameters, $counted);
for my $path (grep { !m{^mod_verify/(?:methods|analyze|reader)/} && /\.c\z/ } @sources) {
  my $text = text_of($path) =~ s{/\*.*?\*/}{}gsr =~ s/^\s*#(?:.*\\\n)*.*$//mgr;
  while ($text =~ /^\w[^;{}()=]*?\b(\w+)(\((?:[^(){};]|(?2))*\))\s*\n\{/mg) {
    my ($name, $list) = ($1, substr $2, 1, -1);
    $counted++;
    1 while $list =~ s/\([^()]*\)//g;
    push @parameters, "$path: $name" if $list =~ tr/,// > 4;
  }
}
cmp_ok $counted, '>', 3000, 'parameters are counted';
none_ok 'no function of more than five parameters', @parameters;

my %seen;
my @tags;
for my $path (@sources) {
  for my $tag (text_of($path) =~ /"(IDV[0-9]{4}):?/g) {
    push @tags, "$tag in $path and $seen{$tag}" if $seen{$tag};
    $seen{$tag} = $path;
  }
}
none_ok 'every log id stands in one place', @tags;

# httpd unloads the module at each restart, before the pools that are above the
# configuration's go: nothing there, in a thread or in a library may point back
# into it. What survives is the matter of one file.
my $outlives = qr/\batexit\s*\(|\bap_pglobal\b|\bs(?:erver)?->process\b|apr_pool_userdata_setn
  |\bap_retained_data_|pthread_(?:key_create|atfork)|\b__thread\b|_Thread_local
  |CRYPTO_get_ex_new_index|json_set_alloc_funcs/x;
none_ok 'only worker/process/retained.c keeps what outlives the module',
  grep { $_ ne 'mod_verify/worker/process/retained.c' && text_of($_) =~ $outlives }
  grep { !m{^mod_verify/(?:cli|analyze)/} } @sources;

# They are numbered when the queries are embedded.
none_ok 'no number in SQL parameters', grep { text_of($_) =~ /\$[0-9]/ }
  grep { m{^sql/(?:queries|fragments)/} } @files;

# README leads a newcomer by paths.
none_ok 'the paths that README names are there', grep { !-e }
  text_of('README.md') =~ m{`((?:mod_verify|apxs|conf|sql|t|scripts)/[\w./-]*)`}g;

# Comments lead by the end of a path: "store/db/db.h", "session/create.sql", "db.h".
# What is included in <> is not ours, and NAME or NNNN in capitals stands for any.
my %is_there = map { my @parts = split m{/}; map {
  join('/', @parts[$_ .. $#parts]) => 1 } 0 .. $#parts } @files;
my %of_others = map { $_ => 1 } map {
  map { $_, m{([^/]+)\z} } text_of($_) =~ /^\s*#\s*include\s+<([^>]+)>/mg } @sources;
my ($named, @gone) = 0;
for my $path (@sources, grep { m{^mod_verify/.*\.def\z} } @files) {
  my $text = text_of($path);
  while ($text =~ m{"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|(/\*.*?\*/|//[^\n]*)}sg) {
    my $comment = $1 // next;
    my $line = 1 + substr($text, 0, $-[0]) =~ tr/\n//;
    for my $name ($comment =~ m{(?<![\w/.<-])([\w-]+(?:/[\w-]+)*\.(?:[ch]|cpp|def|sql))\b}g) {
      $named++;
      push @gone, "$path:$line: $name"
        unless $is_there{$name} || $of_others{$name} || $name =~ /[A-Z]{2}/;
    }
  }
}
cmp_ok $named, '>', 200, 'comments name files';
none_ok 'the files that comments name are there', @gone;

# Phrases that readers stumbled over, in comments; a line may end in between.
sub one_of { return join '|', map { s/ /\\s+(?:\\*\\s+)?/gr } @_ }
my $odd = one_of '\bof before\b', '\bgoes by\b', '\btells of\b',
  '\b(?:signs?|signed|goes on|go on|holds|has|have|kept|asked for|shows|header|word|DAD) besides\b',
  '\b(?:good|there|asked|served|came|comes|awaited|kept|changed) no more\b', '\bhas no more time\b',
  '\bno more (?:comes|is awaited)\b', '\bwithout a word\b', '\bminds are\b', '\bleave it away\b',
  '\btold from none\b', '\bis none of the\b', '\bsees to\b', '\bby whomever\b', '\bas little as\b',
  '\bwhat is none\b', '(?:/\*|[.:]) Who (?:has|stands)\b',
  '\bstand(?:s|ing)? (?:in|at|beside|behind|there|before)\b',
  '\bbesides?\b', '\bstrangers?\b', '\btold of\b', '\bg(?:o|oes) on\b', '\bfor \S+ alone\b',
  '\b(?:is|are|was|were) (?:asked|looked) for\b', '\bwhat (?:is|are|was|were) shown\b',
  '\b(?:may|can|to) be had\b', '\banew\b(?!\s*[=.)])', '\bwhoever\b',
  '\bthat is none\b', '\bno further than\b', '\bthe matter of\b', '\bgood for\b',
  '\bc(?:omes?|ame) of\b', '\bwhat became of\b', '\b(?:of|in) whichever\b', '\bfor ever\b',
  '\bin vain\b', '\btakes? part\b', '\bnot said\b', '\bwhat holds\b', '\bthat it is about\b',
  '(?:/\*|[.:]) What (?:[\w-]+ ){0,4}(?:is|are|was|were|has) (?:asked|told|known|found|kept|shown|said)\b',
  '(?:/\*|[.:]) What (?:was|has|came|becomes?|became|follows|comes|belongs|holds|stands|makes)\b';
sub odd_phrases {
  my ($text) = @_;
  my @found;
  while ($text =~ m{"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|(/\*.*?\*/|//[^\n]*)}sg) {
    my ($comment, $line) = ($1 // next, 1 + substr($text, 0, $-[0]) =~ tr/\n//);
    push @found, "$line: $1" while $comment =~ /($odd)/g;
  }
  return @found;
}
my $phrased = <<'SOURCE';
int former; /* signs besides */
/* A list that is kept no
 * more, besides the others. */
/* Who has it? */ const char *text = "tells of";
/* The token stands
 * beside it. A stranger goes on. What the engine is told of it: */
SOURCE
is_deeply [odd_phrases($phrased)],
  ['1: signs besides', "2: kept no\n * more", '2: besides', '4: /* Who has', "5: stands\n * beside",
   '5: stranger', '5: goes on', '5: . What the engine is told'], 'odd phrases of comments are found';
none_ok 'comments of sources are in plain English', map { my $path = $_;
  map { "$path:$_" } odd_phrases(text_of($path))
} grep { /\.(?:c|cpp|h)\z/ } @sources;

none_ok 'every source names its licence', grep {
  text_of($_) !~ /\A(?:#!.*\n)?[^\n]*SPDX-License-Identifier: Apache-2\.0/
} grep { m{\.(?:c|h|cpp)\z} } @files;
none_ok 'every script is executable', grep { text_of($_) =~ /\A#!/ && !-x }
  grep { m{^(?:scripts|\.ci)/} } @files;
done_testing;
