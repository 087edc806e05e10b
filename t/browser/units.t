#!/usr/bin/perl
# The widget's pure modules, tested by node's own runner, which speaks TAP.
use v5.32;
use warnings;
use FindBin;
use Test::More;

plan skip_all => 'node is not installed'
  if system('node --version >/dev/null 2>&1') != 0;
system("$FindBin::Bin/../../scripts/fetch-test-modules >&2") == 0
  or die "no modules of the tests\n";
chdir $FindBin::Bin or die $!;
exec qw(node --test --test-reporter=tap), glob 'unit/*.test.mjs' or die $!;
