# Every C and C++ file through both compilers, whichever of them builds:
# warnings of one are often unknown to the other.
check_found   := $(shell find $(SRC) t -name node_modules -prune -o \
                   '(' -name '*.[ch]' -o -name '*.cpp' ')' -print | sort)
check_sources := $(filter-out %.h,$(check_found))
check_folder  := $(BUILD)/check

# All that any room includes: which room may include what is the matter of
# t/meta/source.t.
# psabi: notes of gcc on how vectors are passed, which only the training uses.
check_flags = -It -Imod_verify -I$(BUILD)/gen $(HTTPD_INCLUDES) $(APR_CFLAGS) \
  $(call pkg_cflags,jansson libcrypto libpq libcurl libpcsclite libmaxminddb libidn2 \
    $(ANALYZE_PACKAGES) $(TRAIN_PACKAGES)) $(XML_CFLAGS) \
  -DVERIFY_VERSION='"$(VERIFY_VERSION)"' -DIDV_SCHEMA_VERSION=1 \
  -DVERIFY_DATA='"/"' \
  $(OPTIMIZE) $(WARNINGS) -Werror $(HARDENING) -Wno-psabi
check_depend = -MMD -MP -MT $@ -MF $@.d
# gcc finds part of its faults only while it optimizes.
check_gcc   := -c -o
check_clang := -fsyntax-only -o

define check_with
$(check_folder)/$(1)/%.c.o: %.c | $(generated_headers)
	$$(Q)mkdir -p $$(@D)
	$$(Q)$(1) $$(check_c) $$(check_depend) $$(check_$(1)) $$@ $$< && touch $$@
$(check_folder)/$(1)/%.cpp.o: %.cpp
	$$(Q)mkdir -p $$(@D)
	$$(Q)$(2) $$(check_cxx) $$(check_depend) $$(check_$(1)) $$@ $$< && touch $$@
endef
check_c   = -std=gnu11 $(check_flags)
check_cxx = -std=c++17 $(check_flags)
$(eval $(call check_with,gcc,g++))
$(eval $(call check_with,clang,clang++))
# Where gcc builds what is in use, what it has built is its answer: with
# the same warnings, which it has left beside it.
ifeq ($(BUILD) $(CC) $(CXX) $(SANITIZE)$(FUZZ),build gcc g++ )
built_by_gcc = $(Q)mkdir -p $(@D) && ! cat $<.warned 2>/dev/null && touch $@
$(check_folder)/gcc/$(SRC)/%.c.o: $(BUILD)/%.o
	$(built_by_gcc)
$(check_folder)/gcc/$(SRC)/%.cpp.o: $(BUILD)/%.o
	$(built_by_gcc)
$(check_folder)/gcc/t/unit/%.c.o: $(BUILD)/t/unit/%
	$(built_by_gcc)
$(check_folder)/gcc/t/fuzz/%.c.o: $(BUILD)/t/fuzz/%.replay
	$(built_by_gcc)
endif

# Half of what clang needs for a file is its own start. Its compiler proper, called
# as clang would call it, takes all C files of a folder at once; after a change of
# a header all, otherwise those that have changed. What a file says with a pragma
# about warnings would go on in the next one: it stays alone.
#
# Headers of libraries that many files include take half of the rest, so they are parsed
# once for all. A file that declares one of their names itself has to choose another;
# whether a file includes what it uses is left to gcc.
check_common := apr_encode apr_file_io apr_hash apr_lib apr_pools apr_strings apr_tables \
  jansson math openssl/err openssl/evp stdio stdlib string unistd
check_parsed := $(check_folder)/clang/common.h.pch
$(check_parsed): apxs/check.mk apxs/toolchain.mk # and the headers, by its .d
	$(Q)mkdir -p $(@D)
	$(Q)printf '#include <%s.h>\n' $(check_common) >$(@:.pch=)
	$(Q)clang $(check_c) -MD -MP -MT $@ -MF $@.d -x c-header -o $@ $(@:.pch=)
check_alone := $(wildcard $(SRC)/*.c) $(filter %.cpp,$(check_sources)) $(shell grep -lE \
  '^ *\# *pragma +(GCC|clang) +diagnostic' $(filter %.c,$(check_sources)))
check_together := $(filter-out $(check_alone),$(check_sources))
define check_folder_with_clang
$(check_folder)/clang/$(1).ok: $(filter $(1)/%,$(check_together)) \
    $(filter %.h,$(check_found)) $(check_parsed) | $(generated_headers)
	$$(Q)mkdir -p $$(@D)
	$$(Q)start=$$$$(clang $$(check_c) -include-pch $(check_parsed) -fsyntax-only '-###' $$< 2>&1 \
	    | sed -n '/"-cc1"/s/ "[^"]*"$$$$//p') && [ -n "$$$$start" ] && \
	  eval "$$$$start $$(filter %.c,$$(if $$(filter-out %.c,$$?),$$^,$$?))" && touch $$@
endef
check_folders := $(sort $(foreach source,$(check_together),$(firstword \
  $(subst /, ,$(source)))/$(word 2,$(subst /, ,$(source)))))
$(foreach folder,$(check_folders),$(eval $(call check_folder_with_clang,$(folder))))

check_results := $(patsubst %,$(check_folder)/gcc/%.o,$(check_sources)) \
                 $(patsubst %,$(check_folder)/clang/%.o,$(check_alone)) \
                 $(patsubst %,$(check_folder)/clang/%.ok,$(check_folders))

.PHONY: check-compilers
check-compilers: $(check_results)
	@printf '%d files, gcc and clang\n' $(words $(check_sources))

# What gcc's analyzer and clang-tidy find by following each path through the
# module's own C sources (.clang-tidy says which checks). Minutes, so that it is
# not part of `make test`; each file again only when it or a header changed.
analyzed_sources := $(filter $(SRC)/%.c,$(check_sources))
$(check_folder)/analyzer/%.c.o: %.c | $(generated_headers)
	$(Q)mkdir -p $(@D)
	$(call say,ANALYZE)
	$(Q)gcc $(check_c) $(check_depend) -fanalyzer -c -o $@ $<
$(check_folder)/tidy/%.c.o: %.c .clang-tidy | $(generated_headers)
	$(Q)mkdir -p $(@D)
	$(call say,TIDY)
	$(Q)clang $(check_c) $(check_depend) -fsyntax-only $<
	$(Q)clang-tidy --quiet $< -- $(check_c) 2>/dev/null
	$(Q)touch $@

analyzer_results := $(foreach tool,analyzer tidy,\
                      $(patsubst %,$(check_folder)/$(tool)/%.o,$(analyzed_sources)))

.PHONY: check-analyzers
check-analyzers: $(analyzer_results)
	@printf '%d files, gcc -fanalyzer and clang-tidy\n' \
	  $(words $(analyzed_sources))
