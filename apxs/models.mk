# The data that verify-analyze reads with: fetched, or part of the source.

# The build needs these, before and without the others.
$(dashboard_libraries) &:
	$(Q)scripts/fetch-models $(MODELS) dashboard/

TRAIN_PACKAGES := freetype2 libturbojpeg
train_sources := $(wildcard $(SRC)/analyze/document/training/*.c) $(SRC)/analyze/document/mrz_view.c \
                 $(SRC)/analyze/document/mrz_network.c
train_headers := $(wildcard $(SRC)/analyze/document/training/*.h) $(SRC)/analyze/document/mrz_view.h \
                 $(SRC)/analyze/document/mrz_network.h

# The classifier of MRZ glyphs is part of the source, because training takes minutes
# and another system would train other weights, whose reading nobody has measured.
classifier := $(SRC)/analyze/document/mrz_classifier.bin

# Built for this machine, but without fused operations, which not every compiler
# makes of the same code.
$(BUILD)/analyze/document/training/mrz_classifier: $(train_sources) $(train_headers) \
  $(BUILD)/libidv.a
	$(Q)mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(call pkg_cflags,$(TRAIN_PACKAGES)) \
	  $(filter-out -O%,$(CFLAGS)) -O3 -march=native -ffp-contract=off \
	  -Wno-psabi $(LDFLAGS) -o $@ $(filter %.c %.a,$^) \
	  $(call pkg_libs,$(TRAIN_PACKAGES)) $(LIB_LIBS) -lm

.PHONY: train-classifier check-training
train-classifier: $(BUILD)/analyze/document/training/mrz_classifier
	$(call say,TRAIN)
	$(Q)$< $(classifier)
	$(Q)cd $(dir $(classifier)) && \
	  sha256sum $(notdir $(classifier)) >$(notdir $(classifier:.bin=.sha256))

# Trains another one, and holds it against that of the source: t/analyze/classifier.t
# does so when VERIFY_TRAINED names it.
check-training: $(BUILD)/analyze/document/training/mrz_classifier
	$(call say,TRAIN)
	$(Q)mkdir -p $(BUILD)/check
	$(Q)$< $(BUILD)/check/mrz_classifier.bin
	$(Q)VERIFY_TRAINED=$(BUILD)/check/mrz_classifier.bin VERIFY_BUILD=$(BUILD) \
	  scripts/test t/analyze/classifier.t
test-programs: $(BUILD)/analyze/document/training/mrz_classifier

# In the directory of models by its contents: neither of two files is known to be
# the newer one by its time.
.PHONY: models
models: $(dashboard_libraries)
	$(Q)scripts/fetch-models $(MODELS)
	$(Q)cd $(dir $(classifier)) && \
	  sha256sum --check --quiet $(notdir $(classifier:.bin=.sha256))
	$(Q)cmp -s $(classifier) $(MODELS)/$(notdir $(classifier)) || \
	  install -m 644 $(classifier) $(MODELS)

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

# Says which documents go beyond the picture's edge, for t/analyze and
# scripts/bench-documents.
$(BUILD)/t/lib/border_read: t/lib/border_read.c $(BUILD)/libanalyze.a $(BUILD)/libidv.a
	$(Q)mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(call pkg_cflags,$(ANALYZE_PACKAGES)) $(CFLAGS) \
	  -MMD -MP $(LDFLAGS) -Wl,--as-needed -o $@ $(filter %.c %.a,$^) \
	  $(ANALYZE_LIBS) -lstdc++ $(LIB_LIBS) -lm
test-programs: $(BUILD)/t/lib/border_read

# Finds and compares faces, for t/analyze.
$(BUILD)/t/lib/face_read: t/lib/face_read.c $(BUILD)/libanalyze.a $(BUILD)/libidv.a
	$(Q)mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(call pkg_cflags,$(ANALYZE_PACKAGES)) $(CFLAGS) \
	  -MMD -MP $(LDFLAGS) -Wl,--as-needed -o $@ $(filter %.c %.a,$^) \
	  $(ANALYZE_LIBS) -lstdc++ $(LIB_LIBS) -lm
test-programs: $(BUILD)/t/lib/face_read
