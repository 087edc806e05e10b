# mod_verify: see README.md for the map of the source.
BUILD ?= build
# V=1 shows the commands.
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-8s %s\n' $(1) $@)

include apxs/version.mk
include apxs/toolchain.mk

SRC := mod_verify
lib_sources    := $(wildcard $(SRC)/core/*.c $(SRC)/domain/*.c \
                    $(SRC)/methods/*.c $(SRC)/methods/*/*.c)
store_sources  := $(wildcard $(SRC)/store/*.c)
module_sources := $(wildcard $(SRC)/*.c $(SRC)/httpd/*.c $(SRC)/api/*.c \
                    $(SRC)/out/*.c $(SRC)/worker/*.c)
analyze_sources := $(wildcard $(SRC)/analyze/*.c)
analyze_cxx_sources := $(wildcard $(SRC)/analyze/*.cpp)
cli_sources    := $(wildcard $(SRC)/cli/*.c)
query_files    := $(sort $(wildcard sql/queries/*/*.sql))
migration_files := $(sort $(wildcard sql/migrations/*.sql))
unit_sources   := $(wildcard t/unit/*.c)
fuzz_sources   := $(wildcard t/fuzz/*.c)

objects = $(patsubst $(SRC)/%.c,$(BUILD)/%.o,$(1))
lib_objects    := $(call objects,$(lib_sources))
store_objects  := $(call objects,$(store_sources)) \
                  $(if $(query_files),$(BUILD)/gen/sql_statements.o)
module_objects := $(call objects,$(module_sources))
analyze_objects := $(call objects,$(analyze_sources)) \
                  $(patsubst $(SRC)/%.cpp,$(BUILD)/%.o,$(analyze_cxx_sources))
# All of verify-analyze but its main, as the unit tests of that room link it.
analyze_parts  := $(filter-out $(BUILD)/analyze/verify_analyze.o, \
                    $(analyze_objects))
cli_objects    := $(call objects,$(cli_sources))
unit_programs  := $(patsubst %.c,$(BUILD)/%,$(unit_sources))

programs := $(BUILD)/libidv.a \
            $(if $(wildcard $(SRC)/mod_verify.c),$(BUILD)/mod_verify.so) \
            $(if $(wildcard $(SRC)/analyze/verify_analyze.c),$(BUILD)/verify-analyze) \
            $(if $(cli_sources),$(BUILD)/verifyctl)

.PHONY: all clean unit
all: $(programs)

$(BUILD)/libidv.a: $(lib_objects)
	$(call say,AR)
	$(Q)rm -f $@ && ar rcs $@ $^

$(BUILD)/mod_verify.so: $(module_objects) $(store_objects) $(BUILD)/libidv.a
	$(call say,LINK)
	$(Q)$(CC) -shared $(LDFLAGS) -Wl,-z,relro,-z,now -o $@ $(module_objects) \
	  $(store_objects) $(BUILD)/libidv.a $(STORE_LIBS) $(MODULE_LIBS) \
	  $(LIB_LIBS)

$(BUILD)/verify-analyze: $(analyze_objects) $(BUILD)/libidv.a
	$(call say,LINK)
	$(Q)$(CXX) $(LDFLAGS) -o $@ $^ $(call pkg_libs,$(ANALYZE_PACKAGES)) \
	  $(LIB_LIBS) -lm

$(BUILD)/verifyctl: $(cli_objects) $(store_objects) $(BUILD)/libidv.a
	$(call say,LINK)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(STORE_LIBS) $(LIB_LIBS)

# httpd's headers are for the three rooms that may know them.
$(BUILD)/mod_verify.o $(BUILD)/httpd/%.o $(BUILD)/api/%.o $(BUILD)/worker/%.o: \
  CPPFLAGS += $(HTTPD_INCLUDES)
$(BUILD)/analyze/%.o: CPPFLAGS += $(call pkg_cflags,$(ANALYZE_PACKAGES))

$(BUILD)/%.o: $(SRC)/%.c | $(BUILD)/gen/sql_statements.h
	$(Q)mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/%.o: $(SRC)/%.cpp
	$(Q)mkdir -p $(@D)
	$(call say,CXX)
	$(Q)$(CXX) $(CPPFLAGS) $(CXXFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/gen/sql_statements.h: apxs/embed_sql.awk $(query_files)
	$(Q)mkdir -p $(@D)
	$(call say,GEN)
	$(Q)awk -v mode=header -f apxs/embed_sql.awk $(query_files) </dev/null >$@

$(BUILD)/gen/sql_statements.c: apxs/embed_sql.awk $(query_files)
	$(Q)mkdir -p $(@D)
	$(call say,GEN)
	$(Q)awk -v mode=source -f apxs/embed_sql.awk $(query_files) </dev/null >$@

$(BUILD)/gen/%.o: $(BUILD)/gen/%.c
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# Unit tests: one cmocka program a file; run with `make unit`.
$(BUILD)/t/unit/analyze_%: t/unit/analyze_%.c $(analyze_parts) $(BUILD)/libidv.a
	$(Q)mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(call pkg_cflags,$(ANALYZE_PACKAGES)) $(CFLAGS) \
	  -It -MMD -MP -c -o $@.o $<
	$(Q)$(CXX) $(LDFLAGS) -o $@ $@.o $(analyze_parts) $(BUILD)/libidv.a \
	  -lcmocka $(call pkg_libs,$(ANALYZE_PACKAGES)) $(LIB_LIBS) -lm

$(BUILD)/t/unit/%: t/unit/%.c $(BUILD)/libidv.a
	$(Q)mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -It -MMD -MP $(LDFLAGS) -o $@ $< \
	  $(BUILD)/libidv.a -lcmocka $(LIB_LIBS) -lm

unit: $(unit_programs)
	$(if $(unit_programs),CMOCKA_MESSAGE_OUTPUT=TAP prove -e '' $(unit_programs))

clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
