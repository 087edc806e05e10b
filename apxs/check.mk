# Every C and C++ file through both compilers, whichever of them builds:
# warnings of one are often unknown to the other.
check_sources := $(shell find $(SRC) t -name node_modules -prune -o \
                   '(' -name '*.c' -o -name '*.cpp' ')' -print | sort)
check_folder  := $(BUILD)/check

# All that any room includes: which room may include what is the matter of
# t/meta/source.t.
# psabi: notes of gcc on how vectors are passed, which only the training uses.
check_flags = -It -Imod_verify -I$(BUILD)/gen $(HTTPD_INCLUDES) $(APR_CFLAGS) \
  $(call pkg_cflags,jansson libcrypto libpq libcurl libpcsclite libmaxminddb libidn2 \
    $(ANALYZE_PACKAGES) $(TRAIN_PACKAGES)) $(XML_CFLAGS) \
  -DVERIFY_VERSION='"$(VERIFY_VERSION)"' -DIDV_SCHEMA_VERSION=1 \
  -DVERIFY_DATA='"/"' \
  $(OPTIMIZE) $(WARNINGS) -Werror $(HARDENING) -Wno-psabi -MMD -MP -MT $@ -MF $@.d
# gcc finds part of its faults only while it optimizes.
check_gcc   := -c -o
check_clang := -fsyntax-only -o

define check_with
$(check_folder)/$(1)/%.c.o: %.c | $(generated_headers)
	$$(Q)mkdir -p $$(@D)
	$$(Q)$(1) $$(check_c) $$(check_$(1)) $$@ $$< && touch $$@
$(check_folder)/$(1)/%.cpp.o: %.cpp
	$$(Q)mkdir -p $$(@D)
	$$(Q)$(2) $$(check_cxx) $$(check_$(1)) $$@ $$< && touch $$@
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

check_results := $(foreach compiler,gcc clang,\
                   $(patsubst %,$(check_folder)/$(compiler)/%.o,$(check_sources)))

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
	$(Q)gcc $(check_c) -fanalyzer -c -o $@ $<
$(check_folder)/tidy/%.c.o: %.c .clang-tidy | $(generated_headers)
	$(Q)mkdir -p $(@D)
	$(call say,TIDY)
	$(Q)clang $(check_c) -fsyntax-only $<
	$(Q)clang-tidy --quiet $< -- -std=gnu11 \
	  $(filter-out -M% -MT $@ -MF $@.d,$(check_flags)) 2>/dev/null
	$(Q)touch $@

analyzer_results := $(foreach tool,analyzer tidy,\
                      $(patsubst %,$(check_folder)/$(tool)/%.o,$(analyzed_sources)))

.PHONY: check-analyzers
check-analyzers: $(analyzer_results)
	@printf '%d files, gcc -fanalyzer and clang-tidy\n' \
	  $(words $(analyzed_sources))
