# What packages are made of beside make install, and the packages themselves.
.PHONY: manuals bill-of-materials deb
manuals: all
	$(Q)apxs/manuals $(VERIFY_VERSION) $(BUILD)/man $(BUILD)

bill-of-materials: all
	$(Q)apxs/bill-of-materials $(VERIFY_VERSION) $(BUILD) $(MODELS) \
	  >$(BUILD)/mod_verify.spdx.json

# From a copy of the tree, with the models that make models has fetched.
deb: models
	$(Q)apxs/make-deb $(VERIFY_VERSION) $(BUILD)/deb $(MODELS)

# Where t/operator/packages.t tries them. Fetched by apt, so not by make test. With
# SUITE, a plain root of that release, as apxs/check-systems makes them.
.PHONY: deb-root
ifdef SUITE
deb-root:
	$(Q)apxs/make-root $(SUITE) $(BUILD)/systems/$(SUITE)/root.tar
else
deb-root: deb
	$(Q)apxs/make-deb-root $(BUILD)/deb $(BUILD)/deb-root.tar
endif
