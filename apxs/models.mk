# The data that verify-analyze reads with: fetched and trained, never committed.

# The build needs these, before and without the others: a machine that cannot
# fetch them gets them from one that can (the folder is left by make clean).
$(dashboard_libraries) &:
	$(call say,FETCH)
	$(Q)scripts/fetch-models $(MODELS) dashboard/ >/dev/null

TRAIN_PACKAGES := freetype2 libturbojpeg
train_sources := $(wildcard $(SRC)/analyze/document/training/*.c) $(SRC)/analyze/document/mrz_view.c \
                 $(SRC)/analyze/document/mrz_network.c
train_headers := $(wildcard $(SRC)/analyze/document/training/*.h) $(SRC)/analyze/document/mrz_view.h \
                 $(SRC)/analyze/document/mrz_network.h

# Built for this machine, but without fused operations: the same weights come
# out everywhere.
$(BUILD)/analyze/document/training/mrz_classifier: $(train_sources) $(train_headers) \
  $(BUILD)/libidv.a
	$(Q)mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(call pkg_cflags,$(TRAIN_PACKAGES)) \
	  $(filter-out -O%,$(CFLAGS)) -O3 -march=native -ffp-contract=off \
	  -Wno-psabi $(LDFLAGS) -o $@ $(filter %.c %.a,$^) \
	  $(call pkg_libs,$(TRAIN_PACKAGES)) $(LIB_LIBS) -lm

# Trained again when the network or the training changes.
$(MODELS)/mrz_classifier.bin: $(train_sources) $(train_headers) \
  | $(BUILD)/analyze/document/training/mrz_classifier
	$(Q)mkdir -p $(@D)
	$(call say,TRAIN)
	$(Q)$(BUILD)/analyze/document/training/mrz_classifier $@

.PHONY: models
models: $(MODELS)/mrz_classifier.bin $(dashboard_libraries)
	$(Q)scripts/fetch-models $(MODELS)
	$(Q)scripts/fetch-risk-data $(MODELS)

# Prints the zones on specimen images, for t/analyze and scripts/bench-mrz.
$(BUILD)/t/lib/mrz_read: t/lib/mrz_read.c $(BUILD)/libanalyze.a $(BUILD)/libidv.a
	$(Q)mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(call pkg_cflags,$(ANALYZE_PACKAGES)) $(CFLAGS) \
	  -MMD -MP $(LDFLAGS) -Wl,--as-needed -o $@ $(filter %.c %.a,$^) \
	  $(ANALYZE_LIBS) -lstdc++ $(LIB_LIBS) -lm
test-programs: $(BUILD)/t/lib/mrz_read

# Holds print against codes, for t/analyze and scripts/bench-documents.
$(BUILD)/t/lib/print_read: t/lib/print_read.c $(BUILD)/libanalyze.a $(BUILD)/libidv.a
	$(Q)mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(call pkg_cflags,$(ANALYZE_PACKAGES)) $(CFLAGS) \
	  -MMD -MP $(LDFLAGS) -Wl,--as-needed -o $@ $(filter %.c %.a,$^) \
	  $(ANALYZE_LIBS) -lstdc++ $(LIB_LIBS) -lm
test-programs: $(BUILD)/t/lib/print_read

# Finds and compares faces, for t/analyze.
$(BUILD)/t/lib/face_read: t/lib/face_read.c $(BUILD)/libanalyze.a $(BUILD)/libidv.a
	$(Q)mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(call pkg_cflags,$(ANALYZE_PACKAGES)) $(CFLAGS) \
	  -MMD -MP $(LDFLAGS) -Wl,--as-needed -o $@ $(filter %.c %.a,$^) \
	  $(ANALYZE_LIBS) -lstdc++ $(LIB_LIBS) -lm
test-programs: $(BUILD)/t/lib/face_read
