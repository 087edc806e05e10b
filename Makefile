# mod_verify: see README.md for the map of the source.
BUILD ?= build
# V=1 shows the commands.
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-8s %s\n' $(1) $@)

# These begin on a machine that may have nothing but make; they install what
# is missing and only then come back here for what has to be built.
outer_goals := help run stop test test-quick test-asan test-tsan check bench fuzz \
               train dependencies clean bench-documents check-systems time-systems
.PHONY: all $(outer_goals)
all:

build_jobs = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc))

help:
	@sed -n 's/^## //p' Makefile

## make               builds the module, verify-analyze and verifyctl
## make run           from a fresh machine to a running, proven service
run:
	+@MAKE='$(MAKE) --no-print-directory' scripts/run

## make stop          stops what make run started
stop:
	@scripts/stop

## make dependencies  installs every Debian package that any goal needs
dependencies:
	@scripts/install-dependencies build run test train check bench

## make test          from a fresh machine to a verdict (TESTS= to choose)
## make test-quick    units, readers of the source, one verification: two minutes
test: test_choice = $(TESTS)
test-quick: test_choice = --quick
test test-quick: export VERIFY_TEST_BEGAN := $(shell date +%s)
test test-quick:
	@scripts/install-dependencies build run test train
	+@$(MAKE) --no-print-directory $(build_jobs) all models test-programs
	@scripts/test $(test_choice)

## make test-asan     the same with AddressSanitizer and UBSan
test-asan:
	@scripts/install-dependencies build run test train
	+@$(MAKE) --no-print-directory $(build_jobs) models
	+@$(MAKE) --no-print-directory $(build_jobs) SANITIZE=1 BUILD=build/asan \
	  all test-programs
	@VERIFY_BUILD=build/asan scripts/test $(TESTS)

## make test-tsan     what threads share, under ThreadSanitizer
test-tsan:
	@scripts/install-dependencies build run test train
	+@$(MAKE) --no-print-directory $(build_jobs) SANITIZE=thread \
	  BUILD=build/tsan thread-tests

## make fuzz          fuzzes every parser for FUZZ_SECONDS (default 30) each
fuzz:
	@scripts/install-dependencies build test
	+@$(MAKE) --no-print-directory $(build_jobs) CC=clang CXX=clang++ FUZZ=1 \
	  SANITIZE=1 BUILD=build/fuzz fuzzers
	@scripts/fuzz

## make check         all that reads the source, or runs its threads against
##                    each other: check-compilers, check-analyzers, test-tsan;
##                    and trains the MRZ classifier to compare its accuracy
check:
	@scripts/install-dependencies build test train check
	+@$(MAKE) --no-print-directory $(build_jobs) check-compilers check-analyzers
	+@$(MAKE) --no-print-directory test-tsan
	+@$(MAKE) --no-print-directory $(build_jobs) check-training

## make check-compilers  every file without a warning by gcc and clang; a part
##                    of make test, as t/meta/compilers.t
## make check-analyzers  every path by gcc -fanalyzer and clang-tidy (minutes)

## make train         trains the MRZ classifier anew, a file of the source (minutes)
train:
	@scripts/install-dependencies build train
	+@$(MAKE) --no-print-directory $(build_jobs) train-classifier

## make check-systems  builds and tries the service in a root of each supported
##                    Debian and Ubuntu (SUITES= to choose); fetches by apt
## make time-systems  the time of make run in such roots, from nothing (RUNS=1)
check-systems time-systems:
	@scripts/install-dependencies systems
	@BUILD=$(BUILD) apxs/check-systems $(if $(filter time-%,$@),--time) $(SUITES)

## make bench         benchmarks, beside their floors (see scripts/bench)
bench:
	@scripts/install-dependencies build run test bench
	+@$(MAKE) --no-print-directory $(build_jobs) all models bench-programs
	@scripts/bench

## make bench-documents  accuracy and time of reading 450 generated barcodes
bench-documents:
	@scripts/install-dependencies build run bench
	+@$(MAKE) --no-print-directory $(build_jobs) all
	@scripts/bench-documents

## make clean         removes what was built; leaves .run and .models
clean:
	rm -rf $(BUILD)

## make install       module, tools, manual pages, configuration, SQL (DESTDIR)
## make uninstall     removes these, but no configuration and no key
## make deb           Debian packages, with manual pages, into build/deb
## make deb-root      a clean root in which make test tries them; with SUITE=trixie
##                    (bookworm, noble) a plain root of that release
##
## V=1 shows the commands, BUILD=DIR builds in another folder than build
ifneq ($(or $(if $(MAKECMDGOALS),,all),$(filter-out $(outer_goals),$(MAKECMDGOALS))),)
include apxs/build.mk
endif
