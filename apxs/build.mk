# What is built from what. What a recipe has left half done is no target.
.DELETE_ON_ERROR:
include apxs/version.mk
include apxs/toolchain.mk

SRC := mod_verify
# What scripts/fetch-models puts there: never committed, fetched once.
MODELS ?= .models
# The dashboard's libraries, which are embedded into the module.
dashboard_libraries := $(addprefix $(MODELS)/dashboard/,preact.mjs hooks.mjs \
                         htm.mjs preact.licence htm.licence)
lib_sources    := $(wildcard $(SRC)/core/*.c $(SRC)/domain/*/*.c \
                    $(SRC)/methods/*.c $(SRC)/methods/*/*.c)
store_sources  := $(wildcard $(SRC)/store/*/*.c)
module_sources := $(wildcard $(SRC)/*.c $(SRC)/httpd/*/*.c $(SRC)/api/*/*.c \
                    $(SRC)/out/*.c $(SRC)/worker/*/*.c)
analyze_sources := $(wildcard $(SRC)/analyze/*.c $(SRC)/analyze/*/*.c)
analyze_cxx_sources := $(wildcard $(SRC)/analyze/*/*.cpp)
cli_sources    := $(wildcard $(SRC)/cli/*/*.c)
reader_sources := $(wildcard $(SRC)/reader/*.c)
query_files    := $(sort $(wildcard sql/queries/*/*/*.sql))
fragment_files := $(sort $(wildcard sql/fragments/*.sql))
migration_files := $(sort $(wildcard sql/migrations/*.sql))
web_files      := $(sort $(wildcard $(addprefix $(SRC)/web/,\
                    *.html *.js *.css *.svg texts/*.json \
                    $(addsuffix /*.js,session page capture embedding methods) \
                    methods/*/*.js)))
dashboard_files := $(SRC)/web/texts.js $(SRC)/web/page/brand.js \
                   $(sort $(wildcard $(SRC)/web/texts/*.json)) \
                   $(sort $(wildcard $(addprefix $(SRC)/web/dashboard/,\
                    *.html *.js *.css *.svg texts/*.json codes/*.json pages/*.js)))
unit_sources   := $(wildcard t/unit/*.c)
fuzz_sources   := $(wildcard t/fuzz/*.c)

objects = $(patsubst $(SRC)/%.c,$(BUILD)/%.o,$(1))
lib_objects    := $(call objects,$(lib_sources))
store_objects  := $(call objects,$(store_sources)) \
                  $(if $(query_files),$(BUILD)/gen/sql_statements.o)
module_objects := $(call objects,$(module_sources)) \
                  $(BUILD)/gen/web_assets.o $(BUILD)/gen/api_documents.o \
                  $(BUILD)/gen/dashboard_assets.o
analyze_objects := $(call objects,$(analyze_sources)) \
                  $(patsubst $(SRC)/%.cpp,$(BUILD)/%.o,$(analyze_cxx_sources))
cli_objects    := $(call objects,$(cli_sources)) $(BUILD)/gen/code_meanings.o
reader_objects := $(call objects,$(reader_sources))
bench_sources  := $(filter-out t/bench/mod_%,$(wildcard t/bench/*.c))
bench_modules  := $(patsubst %.c,$(BUILD)/%.so,$(wildcard t/bench/mod_*.c))
unit_programs  := $(patsubst %.c,$(BUILD)/%,$(unit_sources))

programs := $(BUILD)/libidv.a \
            $(if $(wildcard $(SRC)/mod_verify.c),$(BUILD)/mod_verify.so) \
            $(if $(wildcard $(SRC)/analyze/verify_analyze.c),$(BUILD)/verify-analyze) \
            $(if $(cli_sources),$(BUILD)/verifyctl) \
            $(BUILD)/verify-read-passport

all: $(programs)

$(BUILD)/libidv.a: $(lib_objects)
	$(call say,AR)
	$(Q)rm -f $@ && ar rcs $@ $^

$(BUILD)/libidv_store.a: $(store_objects)
	$(call say,AR)
	$(Q)rm -f $@ && ar rcs $@ $^

$(BUILD)/mod_verify.so: $(module_objects) $(BUILD)/libidv_store.a \
                        $(BUILD)/libidv.a
	$(call say,LINK)
	$(Q)rm -f $@ # scripts/service has linked it
	$(Q)$(CC) -shared $(LDFLAGS) -o $@ $(module_objects) \
	  $(BUILD)/libidv_store.a $(BUILD)/libidv.a $(STORE_LIBS) $(MODULE_LIBS) \
	  $(ZIP_LIBS) $(LIB_LIBS) -lm

$(BUILD)/verify-analyze: $(analyze_objects) $(BUILD)/libidv.a
	$(call say,LINK)
	$(if $(static_tesseract),,@echo '  NOTE     verify-analyze links the shared' \
	  'Tesseract, which brings libcurl and libarchive into the sandbox')
	$(Q)rm -f $@ # as above
	$(Q)$(CXX) -pie $(LDFLAGS) -Wl,--as-needed -o $@ $^ $(ANALYZE_LIBS) \
	  $(LIB_LIBS) -lm

# Events that it forwards to developers are signed as webhooks are.
$(BUILD)/verifyctl: $(cli_objects) $(BUILD)/out/webhook_signature.o \
                    $(BUILD)/libidv_store.a $(BUILD)/libidv.a
	$(call say,LINK)
	$(Q)$(CC) -pie $(LDFLAGS) -Wl,--as-needed -o $@ $^ $(STORE_LIBS) \
	  $(call pkg_libs,libcurl) $(XML_LIBS) $(YAML_LIBS) $(ZIP_LIBS) \
	  $(LIB_LIBS) -lm

$(BUILD)/verify-read-passport: $(reader_objects) $(BUILD)/libidv.a
	$(call say,LINK)
	$(Q)$(CC) -pie $(LDFLAGS) -o $@ $^ $(call pkg_libs,libpcsclite libcurl) \
	  $(LIB_LIBS) -lm

# httpd's headers are for the three rooms that may know them.
$(BUILD)/mod_verify.o $(BUILD)/httpd/%.o $(BUILD)/api/%.o $(BUILD)/worker/%.o: \
  CPPFLAGS += $(HTTPD_INCLUDES)
# 1 before and 10000 less, because a leading zero would mean octal.
$(BUILD)/store/db/schema.o: CPPFLAGS += -DIDV_SCHEMA_VERSION='(1$(firstword \
  $(subst _, ,$(notdir $(lastword $(migration_files)))))-10000)'
$(BUILD)/store/db/schema.o: $(migration_files) $(BUILD)/gen/migrations.list
# Changes when a migration is renamed, which no time of a file tells.
$(BUILD)/gen/migrations.list: force
	@mkdir -p $(@D)
	@printf '%s\n' $(migration_files) | cmp -s - $@ || \
	  printf '%s\n' $(migration_files) >$@
.PHONY: force
# Where make install puts what verifyctl reads.
$(BUILD)/cli/command/verifyctl.o: CPPFLAGS += -DVERIFY_DATA='"$(VERIFY_DATA)"'
$(BUILD)/cli/command/api_client.o $(BUILD)/cli/webhook/developer_commands.o \
  $(BUILD)/cli/session/service_commands.o: \
  CPPFLAGS += $(call pkg_cflags,libcurl)
$(BUILD)/reader/%.o: CPPFLAGS += $(call pkg_cflags,libpcsclite libcurl)
$(BUILD)/analyze/%.o: CPPFLAGS += $(call pkg_cflags,$(ANALYZE_PACKAGES))
# Its loops go over all pixels of photos: several at a time.
$(BUILD)/analyze/%.o: CFLAGS += $(if $(filter -O2,$(OPTIMIZE)),-O3)
# Signed XML is read by verifyctl alone.
XML_PACKAGES := xmlsec1-openssl
XML_CFLAGS = $(patsubst -I%,-isystem %,$(call pkg_cflags,$(XML_PACKAGES)))
XML_LIBS = $(call pkg_libs,$(XML_PACKAGES))
# So is YAML.
YAML_LIBS = $(call pkg_libs,yaml-0.1)
# Status lists are compressed.
ZIP_LIBS = $(call pkg_libs,zlib)
$(BUILD)/methods/trust/etsi_list.o: CPPFLAGS += $(XML_CFLAGS)

# A new version is in all programs at once: doctor compares those of two.
$(call objects,$(shell grep -rlE 'VERIFY_VERSION|IDV_HTTP_USER_AGENT' \
  --include='*.c' $(SRC))): apxs/version.mk

# What a source may include that is not in the tree.
generated_headers := $(addprefix $(BUILD)/gen/,sql_statements.h \
                       phone_plans.def phone_examples.def)

# Other flags make other objects.
$(BUILD)/%.o: $(SRC)/%.c apxs/toolchain.mk | $(generated_headers)
	$(Q)mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $< $(keep_warnings)

$(BUILD)/%.o: $(SRC)/%.cpp apxs/toolchain.mk
	$(Q)mkdir -p $(@D)
	$(call say,CXX)
	$(Q)$(CXX) $(CPPFLAGS) $(CXXFLAGS) -MMD -MP -c -o $@ $< $(keep_warnings)

$(BUILD)/gen/sql_statements.h: apxs/embed_sql.pl $(query_files) \
                            $(fragment_files)
	$(Q)mkdir -p $(@D)
	$(call say,GEN)
	$(Q)perl apxs/embed_sql.pl header $(query_files) >$@.new
	$(Q)mv $@.new $@

# The numbering plans, and the examples of their library for the unit test.
$(BUILD)/gen/phone_plans.def: apxs/phone_numbers.py
	$(Q)mkdir -p $(@D)
	$(call say,GEN)
	$(Q)/usr/bin/python3 apxs/phone_numbers.py >$@.new
	$(Q)mv $@.new $@

$(BUILD)/gen/phone_examples.def: apxs/phone_numbers.py
	$(Q)mkdir -p $(@D)
	$(call say,GEN)
	$(Q)/usr/bin/python3 apxs/phone_numbers.py --examples >$@.new
	$(Q)mv $@.new $@
$(BUILD)/t/unit/domain_phone_type: $(BUILD)/gen/phone_examples.def

$(BUILD)/gen/sql_statements.c: apxs/embed_sql.pl $(query_files) \
                            $(fragment_files)
	$(Q)mkdir -p $(@D)
	$(call say,GEN)
	$(Q)perl apxs/embed_sql.pl source $(query_files) >$@.new
	$(Q)mv $@.new $@

# What esbuild and minify make. For a machine that has neither, `make
# prepared` leaves it among the models, with the digest of what it was made of;
# PREPARED=1 takes it from there.
prepared_files := web_assets.c dashboard_assets.c
prepared_folder := $(MODELS)/prepared
prepared_from = cat $(sort $(web_files) $(dashboard_files)) $(dashboard_libraries) \
  $(SRC)/api/openapi.json | sha256sum
.PHONY: prepared
prepared: $(prepared_files:%=$(BUILD)/gen/%)
	$(Q)install -D -m 644 -t $(prepared_folder) $^
	$(Q)$(prepared_from) >$(prepared_folder)/digest

embed_tools := apxs/minify.pl apxs/web_table.pl
ifeq ($(PREPARED),1)
$(prepared_files:%=$(BUILD)/gen/%): $(BUILD)/gen/%: $(prepared_folder)/%
	$(Q)mkdir -p $(@D)
	$(Q)$(prepared_from) | cmp -s - $(prepared_folder)/digest || { echo \
	  '$< is of other sources: make prepared, on a machine that has both' >&2; exit 1; }
	$(call say,COPY)
	$(Q)cp $< $@
else
$(BUILD)/gen/web_assets.c: apxs/embed_web.pl $(embed_tools) $(web_files)
	$(Q)mkdir -p $(@D)
	$(call say,GEN)
	$(Q)perl apxs/embed_web.pl idv_web_assets $(SRC)/web $(web_files) >$@.new
	$(Q)mv $@.new $@

$(BUILD)/gen/dashboard_assets.c: apxs/embed_dashboard.pl apxs/dashboard_libraries.pl \
                            apxs/number_texts.pl $(embed_tools) \
                            $(dashboard_files) $(dashboard_libraries) \
                            $(SRC)/api/openapi.json
	$(Q)mkdir -p $(@D)
	$(call say,GEN)
	$(Q)perl apxs/embed_dashboard.pl $(SRC)/web $(MODELS)/dashboard \
	  $(SRC)/api/openapi.json $(dashboard_files) >$@.new
	$(Q)mv $@.new $@

endif

# The descriptions of the API, the page (in the dashboard's colours) and the
# collection made from openapi.json.
api_files := $(addprefix $(SRC)/api/,openapi.json README.md examples.json samples.json)
api_documents := openapi.json openapi.widget.json openapi.dashboard.json postman.json
$(BUILD)/gen/api_documents.c: apxs/embed_api.pl apxs/web_table.pl \
                            scripts/api-documents scripts/postman-collection $(api_files) \
                            $(SRC)/web/dashboard/dashboard.css
	$(Q)mkdir -p $(@D)
	$(call say,GEN)
	$(Q)perl scripts/postman-collection >$(@D)/postman.json
	$(Q)perl scripts/api-documents $(@D)
	$(Q)perl apxs/embed_api.pl idv_api_documents $(SRC)/api/README.md \
	  $(SRC)/web/dashboard/dashboard.css $(api_documents:%=$(@D)/%) >$@.new
	$(Q)mv $@.new $@

# What its codes mean, for verifyctl.
$(BUILD)/gen/code_meanings.c: apxs/embed_meanings.pl $(SRC)/api/openapi.json
	$(Q)mkdir -p $(@D)
	$(call say,GEN)
	$(Q)perl apxs/embed_meanings.pl $(SRC)/api/openapi.json >$@.new
	$(Q)mv $@.new $@

$(BUILD)/gen/%.o: $(BUILD)/gen/%.c apxs/toolchain.mk
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# Test programs link what they use out of archives of the rooms, so that a
# unit test of core does not need libcurl to be pulled in.
server_objects := $(filter-out $(BUILD)/mod_verify.o $(BUILD)/httpd/% \
                    $(BUILD)/api/% $(BUILD)/gen/web_assets.o \
                    $(BUILD)/gen/api_documents.o \
                    $(BUILD)/gen/dashboard_assets.o,\
                    $(module_objects)) $(store_objects)
analyze_library_objects := $(filter-out $(BUILD)/analyze/verify_analyze.o,\
                             $(analyze_objects))
$(BUILD)/libserver.a: $(server_objects)
$(BUILD)/libanalyze.a: $(analyze_library_objects)
$(BUILD)/libserver.a $(BUILD)/libanalyze.a:
	$(call say,AR)
	$(Q)mkdir -p $(@D) && rm -f $@ && ar rcs $@ $^

test_archives := $(BUILD)/libserver.a $(BUILD)/libidv.a
test_libraries = $(STORE_LIBS) $(MODULE_LIBS) $(ZIP_LIBS) $(LIB_LIBS) -lm
# Only the sources of t/: the .d files add what a test includes.
compile_test = $(CC) $(CPPFLAGS) $(CFLAGS) -It -MMD -MP -MT $@ -MF $@.d $(LDFLAGS) \
               -Wl,--as-needed -o $@ $(filter t/%.c,$^) $(filter %.a,$^)
# What a test program of the analyzer needs besides.
$(BUILD)/t/unit/analyze_% $(BUILD)/t/fuzz/analyze_%: \
  test_libraries += $(ANALYZE_LIBS) -lstdc++
$(BUILD)/t/unit/analyze_% $(BUILD)/t/fuzz/analyze_%: \
  CPPFLAGS += $(call pkg_cflags,$(ANALYZE_PACKAGES))

$(BUILD)/t/unit/trust_% $(BUILD)/t/fuzz/trust_%: test_libraries += $(XML_LIBS)
$(BUILD)/t/unit/trust_% $(BUILD)/t/fuzz/trust_%: CPPFLAGS += $(XML_CFLAGS)
$(BUILD)/t/unit/core_yaml% $(BUILD)/t/fuzz/core_yaml%: test_libraries += $(YAML_LIBS)

# The files of widget and dashboard, for their test.
$(BUILD)/libweb.a: $(BUILD)/api/http/web_asset.o $(BUILD)/gen/web_assets.o \
                   $(BUILD)/gen/dashboard_assets.o $(BUILD)/gen/api_documents.o
	$(call say,AR)
	$(Q)mkdir -p $(@D) && rm -f $@ && ar rcs $@ $^
$(BUILD)/t/unit/api_web_asset: $(BUILD)/libweb.a

# Of httpd/, what does without httpd.
$(BUILD)/libhttpd.a: $(BUILD)/httpd/process/key_cache.o
	$(call say,AR)
	$(Q)mkdir -p $(@D) && rm -f $@ && ar rcs $@ $^

# Unit tests: one cmocka program a file.
$(BUILD)/t/unit/analyze_%: t/unit/analyze_%.c $(BUILD)/libanalyze.a $(test_archives)
	$(Q)mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(compile_test) -lcmocka $(test_libraries) $(keep_warnings)

$(BUILD)/t/unit/httpd_%: t/unit/httpd_%.c $(BUILD)/libhttpd.a $(test_archives)
	$(Q)mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(compile_test) -lcmocka $(test_libraries) $(keep_warnings)

$(BUILD)/t/unit/%: t/unit/%.c $(test_archives)
	$(Q)mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(compile_test) -lcmocka $(test_libraries) $(keep_warnings)

# Fuzz targets define LLVMFuzzerTestOneInput. <name>.replay feeds it the files
# of t/fuzz/corpus/<name>/ as a TAP test; with FUZZ=1 and clang, <name> is the
# fuzzer itself.
fuzz_name = $(BUILD)/t/fuzz/$(notdir $(basename $(1)))
fuzzer_programs := $(foreach source,$(fuzz_sources),$(call fuzz_name,$(source)))
replay_programs := $(addsuffix .replay,$(fuzzer_programs))

$(BUILD)/t/fuzz/analyze_%.replay: t/fuzz/analyze_%.c t/fuzz/replay/main.c \
  $(BUILD)/libanalyze.a $(test_archives)
	$(Q)mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(compile_test) $(test_libraries) $(keep_warnings)

$(BUILD)/t/fuzz/%.replay: t/fuzz/%.c t/fuzz/replay/main.c $(test_archives)
	$(Q)mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(compile_test) $(test_libraries) $(keep_warnings)

$(BUILD)/t/fuzz/analyze_%: t/fuzz/analyze_%.c $(BUILD)/libanalyze.a $(test_archives)
	$(Q)mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(compile_test) -fsanitize=fuzzer $(test_libraries)

$(BUILD)/t/fuzz/%: t/fuzz/%.c $(test_archives)
	$(Q)mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(compile_test) -fsanitize=fuzzer $(test_libraries)

# What tests see the ends of processes with: nothing of ours is in it, and no
# sanitizer, because one of them is in every process.
exit_programs := $(BUILD)/t/lib/reaper $(BUILD)/t/lib/wait_recorder.so
compile_witness = $(CC) -D_GNU_SOURCE -std=gnu11 $(OPTIMIZE) $(WARNINGS) \
                  $(HARDENING) -fPIC -o $@ $<
$(BUILD)/t/lib/reaper: t/lib/reaper.c
	$(Q)mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(compile_witness)
$(BUILD)/t/lib/wait_recorder.so: t/lib/wait_recorder.c
	$(Q)mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(compile_witness) -shared

# What a hardened unit of systemd puts around httpd.
$(BUILD)/t/lib/call_filter: t/lib/call_filter.c
	$(Q)mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(compile_witness) -lseccomp

# The module as another version would be, for restarts into it: of another size
# and layout, with a route and a counter more, and the routes in another order.
variant := $(BUILD)/t/variant
variant_headers := $(addprefix $(variant)/include/,api/routes.def \
                     httpd/process/counters.h worker/process/statistics.h)
variant_sources := $(wildcard $(SRC)/mod_verify.c $(SRC)/httpd/*/*.c \
                     $(SRC)/worker/*/*.c $(SRC)/api/http/routes.c)
variant_objects := $(patsubst $(SRC)/%.c,$(variant)/%.o,$(variant_sources))
# Not a pattern for any name: older .d files may name headers that have moved.
$(variant_headers): $(variant)/include/%: $(SRC)/% t/lib/make_variant.pl
	$(Q)mkdir -p $(@D)
	$(call say,GEN)
	$(Q)perl t/lib/make_variant.pl <$< >$@.new && mv $@.new $@
.SECONDARY: $(variant_headers)
# Its headers come before those that they are made of.
$(variant)/%.o: $(SRC)/%.c $(variant_headers) | $(generated_headers)
	$(Q)mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) -I$(variant)/include $(CPPFLAGS) $(HTTPD_INCLUDES) $(CFLAGS) \
	  -MMD -MP -c -o $@ $<
$(variant)/padding.o: t/lib/padding.c
	$(Q)mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CFLAGS) -c -o $@ $<
$(variant)/mod_verify.so: $(variant)/padding.o $(variant_objects) \
  $(filter-out $(call objects,$(variant_sources)),$(module_objects)) \
  $(BUILD)/libidv_store.a $(BUILD)/libidv.a
	$(call say,LINK)
	$(Q)$(CC) -shared $(LDFLAGS) -Wl,-z,relro,-z,now -o $@ $^ $(STORE_LIBS) \
	  $(MODULE_LIBS) $(ZIP_LIBS) $(LIB_LIBS) -lm

# What benchmarks are measured with: nothing of ours is in it.
bench_programs := $(patsubst %.c,$(BUILD)/%,$(bench_sources))
$(BUILD)/t/bench/%: t/bench/%.c
	$(Q)mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $< \
	  $(call pkg_libs,libcurl openssl)
$(BUILD)/t/bench/mod_%.so: t/bench/mod_%.c
	$(Q)mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CPPFLAGS) $(HTTPD_INCLUDES) $(CFLAGS) -shared $(LDFLAGS) -o $@ $<

# What httpd is started with in tests, and a module that it loads there.
$(BUILD)/t/lib/mod_%.so: t/lib/mod_%.c
	$(Q)mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(CPPFLAGS) $(HTTPD_INCLUDES) $(CFLAGS) -shared $(LDFLAGS) -o $@ $<
$(BUILD)/t/lib/%.so: t/lib/%.c
	$(Q)mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) -D_GNU_SOURCE $(CPPFLAGS) $(CFLAGS) -shared $(LDFLAGS) -o $@ $<

.PHONY: unit test-programs bench-programs fuzzers
bench-programs: $(bench_programs) $(bench_modules) $(BUILD)/t/lib/mrz_read \
  $(BUILD)/t/lib/border_read $(BUILD)/t/lib/face_read \
  $(exit_programs)
test-programs: $(unit_programs) $(replay_programs) $(exit_programs) \
  $(BUILD)/t/lib/slow_names.so $(BUILD)/t/lib/call_filter \
  $(BUILD)/t/lib/mod_fake_openid.so $(variant)/mod_verify.so
fuzzers: $(fuzzer_programs)

# Those in which threads meet; `make test-tsan` runs them.
thread_tests := core_rate_window httpd_key_cache out_host_addresses \
  out_name_table out_thread_crew out_http_client \
  store_statement_group store_session_create
.PHONY: thread-tests
thread-tests: $(addprefix $(BUILD)/t/unit/,$(thread_tests))
	@VERIFY_BUILD=$(BUILD) scripts/test $(thread_tests:%=t/unit/%.c)

# One room's tests while working on it.
unit: $(unit_programs)
	@VERIFY_BUILD=$(BUILD) scripts/test $(unit_sources)

include apxs/models.mk
include apxs/install.mk
include apxs/packages.mk
include apxs/check.mk
# Packages and other systems lie below it, with files of such names (invoke-rc.d), and
# older releases, whose files name the same objects.
-include $(shell find $(BUILD) '(' -path $(BUILD)/deb -o -path $(BUILD)/systems \
           -o -path $(BUILD)/t/releases ')' -prune -o -type f -name '*.d' -print \
           2>/dev/null)
