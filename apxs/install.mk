# make install: into the paths that apxs names, below DESTDIR.
BINDIR     := $(shell $(APXS) -q exp_bindir)
DATADIR    := $(shell $(APXS) -q exp_datadir)
# Beside the modules' directory, where httpd's own helpers lie.
HELPERDIR  := $(patsubst %/,%,$(dir $(LIBEXECDIR)))
VERIFY_CONF := $(SYSCONFDIR)/verify
VERIFY_DATA := $(DATADIR)/mod_verify
install_file = install -D -m $(1) $(2) $(DESTDIR)$(3)

.PHONY: install
install: all models
	$(call install_file,644,$(BUILD)/mod_verify.so,$(LIBEXECDIR)/mod_verify.so)
	$(call install_file,755,$(BUILD)/verify-analyze,$(HELPERDIR)/verify-analyze)
	$(call install_file,755,$(BUILD)/verifyctl,$(BINDIR)/verifyctl)
	install -d $(DESTDIR)$(VERIFY_DATA)/models $(DESTDIR)$(VERIFY_DATA)/sql
	install -m 644 $(wildcard $(MODELS)/*.*) $(DESTDIR)$(VERIFY_DATA)/models
	install -m 644 sql/migrations/*.sql $(DESTDIR)$(VERIFY_DATA)/sql
	install -D -m 644 -t $(DESTDIR)$(VERIFY_CONF)/workflows conf/workflows/*.json
	install -D -m 644 -t $(DESTDIR)$(VERIFY_DATA)/compliance \
	  conf/compliance/*.json conf/compliance/README.md
	$(call install_file,644,conf/README.md,$(VERIFY_DATA)/README.md)
	$(call install_file,644,conf/modsecurity.conf,$(VERIFY_DATA)/modsecurity.conf)
	$(call install_file,644,conf/apache2-verify.service.conf,$(VERIFY_DATA)/apache2-verify.service.conf)
	$(call install_file,644,conf/workflows/README.md,$(VERIFY_DATA)/workflows/README.md)
	$(call install_file,644,conf/risk.json,$(VERIFY_CONF)/risk.json$(if \
	  $(wildcard $(DESTDIR)$(VERIFY_CONF)/risk.json),.dist))
	sed -e 's|@LIBEXECDIR@|$(LIBEXECDIR)|g' -e 's|@HELPERDIR@|$(HELPERDIR)|g' \
	  -e 's|@SYSCONFDIR@|$(SYSCONFDIR)|g' -e 's|@DATADIR@|$(DATADIR)|g' \
	  conf/verify.conf >$(BUILD)/verify.conf
	$(call install_file,644,$(BUILD)/verify.conf,$(VERIFY_CONF)/verify.conf$(if \
	  $(wildcard $(DESTDIR)$(VERIFY_CONF)/verify.conf),.dist))
