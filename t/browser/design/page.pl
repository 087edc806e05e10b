#!/usr/bin/perl
# The page of all parts of the dashboard (page.js) as one HTML file, which can be opened
# from a disk: perl t/browser/design/page.pl [LANGUAGE] >FILE. It needs the libraries that
# `make` fetches.
use v5.32;
use warnings;
use FindBin;
use JSON::PP ();
my $root = "$FindBin::Bin/../../..";
require "$root/apxs/dashboard_libraries.pl";
require "$root/apxs/minify.pl";
require "$root/apxs/number_texts.pl";
require "$root/apxs/web_table.pl";

my $language = $ARGV[0] // 'en';
my $dashboard = "$root/mod_verify/web/dashboard";
my $json = JSON::PP->new->utf8->canonical;

my $modules = library_modules("$root/.models/dashboard");
local $ENV{NODE_PATH} = "$modules";
my $script = minified_module("$FindBin::Bin/page.js");
my $style = content("$dashboard/dashboard.css") . content("$FindBin::Bin/page.css");
my $texts = $json->encode(served_texts($json->decode(content("$dashboard/texts/$language.json"))));
s{</}{<\\/}g for $script, $texts;
my $page = content("$dashboard/index.html");
# No service answers, so no code has a meaning.
$page =~ s{<script .*?</script>\n}{<script>fetch = async () =>
new Response('["own{}",[],[]]');</script>\n<script type="module">$script</script>\n};
$page =~ s{<link rel="stylesheet".*?>}{<style>$style</style>};
$page =~ s{<!-- icons -->\n}{content("$dashboard/icons.svg")}e;
$page =~ s{<!-- texts -->\n}{<script type="application/json" id="texts"
data-language="$language">$texts</script>\n};
print $page;
