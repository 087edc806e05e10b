# mod_verify: see mod_verify/README.md for the map of the source.
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

## Run the service
##   make run               build, start and try it; installs what is missing
##   make stop              stop it
##   make dependencies      install the Debian packages that any goal needs
##
## Develop
##   make                   build the module, verify-analyze and verifyctl
##   make test              run all tests (TESTS= chooses files or folders)
##   make test-quick        run the unit tests, the checks of the source and one
##                          verification, in two minutes
##   make clean             remove build; keep .run and .models
##
## Check before a release
##   make check             run check-compilers, check-analyzers, test-tsan and
##                          check-training
##   make check-compilers   compile each file with gcc and clang; no warning may occur
##                          (make test includes it)
##   make check-analyzers   run gcc -fanalyzer and clang-tidy (minutes)
##   make check-systems     build, test and package the service in a root of each
##                          supported Debian and Ubuntu (SUITES= chooses)
##   make test-asan         run all tests under AddressSanitizer and UBSan
##   make test-tsan         run the threads' tests under ThreadSanitizer
##   make fuzz              fuzz each parser for FUZZ_SECONDS (30)
##   make train             train the MRZ classifier, which is a file of the source
##                          (minutes)
##
## Measure
##   make bench             compare with a minimal module and a Node.js service
##   make bench-documents   measure reading of 450 generated barcodes, and capture
##   make time-systems      measure make run in roots with nothing installed (RUNS=1)
##
## Install and package
##   make install           install the module, tools, manual pages and configuration
##                          (DESTDIR=)
##   make uninstall         remove them; keep configuration and keys
##   make deb               make Debian packages in build/deb
##   make deb-root          make the root in which make test tries the packages
##                          (SUITE= makes a plain root of that release)
##
## V=1 shows the commands. BUILD=DIR builds in another folder.
help:
	@sed -n 's/^## \{0,1\}//p' Makefile

run:
	+@MAKE='$(MAKE) --no-print-directory' scripts/run

stop:
	@scripts/stop

dependencies:
	@scripts/install-dependencies build run test train check bench

test: test_choice = $(TESTS)
test-quick: test_choice = --quick
test test-quick: export VERIFY_TEST_BEGAN := $(shell date +%s)
test test-quick:
	@scripts/install-dependencies build run test train
	+@$(MAKE) --no-print-directory $(build_jobs) all models test-programs
	@scripts/test $(test_choice)

test-asan:
	@scripts/install-dependencies build run test train
	+@$(MAKE) --no-print-directory $(build_jobs) models
	+@$(MAKE) --no-print-directory $(build_jobs) SANITIZE=1 BUILD=build/asan \
	  all test-programs
	@VERIFY_BUILD=build/asan scripts/test $(TESTS)

test-tsan:
	@scripts/install-dependencies build run test train
	+@$(MAKE) --no-print-directory $(build_jobs) SANITIZE=thread \
	  BUILD=build/tsan thread-tests

fuzz:
	@scripts/install-dependencies build test
	+@$(MAKE) --no-print-directory $(build_jobs) CC=clang CXX=clang++ FUZZ=1 \
	  SANITIZE=1 BUILD=build/fuzz fuzzers
	@scripts/fuzz

check:
	@scripts/install-dependencies build test train check
	+@$(MAKE) --no-print-directory $(build_jobs) check-compilers check-analyzers
	+@$(MAKE) --no-print-directory test-tsan
	+@$(MAKE) --no-print-directory $(build_jobs) check-training

train:
	@scripts/install-dependencies build train
	+@$(MAKE) --no-print-directory $(build_jobs) train-classifier

check-systems time-systems:
	@scripts/install-dependencies systems
	@BUILD=$(BUILD) apxs/check-systems $(if $(filter time-%,$@),--time) $(SUITES)

bench:
	@scripts/install-dependencies build run test bench
	+@$(MAKE) --no-print-directory $(build_jobs) all models bench-programs
	@scripts/bench

bench-documents:
	@scripts/install-dependencies build run bench
	+@$(MAKE) --no-print-directory $(build_jobs) all bench-programs
	@scripts/bench-documents
	@scripts/bench-capture

clean:
	rm -rf $(BUILD)

ifneq ($(or $(if $(MAKECMDGOALS),,all),$(filter-out $(outer_goals),$(MAKECMDGOALS))),)
include apxs/build.mk
endif
