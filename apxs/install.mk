# make install: into the paths that apxs names, below DESTDIR. What an
# administrator edits is there once: the next version lies beside it, as .dist.
BINDIR     := $(shell $(APXS) -q exp_bindir)
DATADIR    := $(shell $(APXS) -q exp_datadir)
MANDIR     := $(shell $(APXS) -q mandir)
# Beside the modules' directory, where httpd's own helpers lie.
HELPERDIR  := $(patsubst %/,%,$(dir $(LIBEXECDIR)))
# httpd's name: apache2 or httpd, also of its directories of logs and of pids.
PROGNAME   := $(shell $(APXS) -q progname)
# Whom httpd's children run as, by whose name the samples connect to the database: as
# its configuration says, where that names somebody; Debian's names a variable.
HTTPD_USER ?= $(or $(filter-out $$%,$(shell sed -n 's/^User  *//p' \
  $(SYSCONFDIR)/$(PROGNAME).conf 2>/dev/null)),$(if \
  $(filter httpd,$(PROGNAME)),apache,www-data))
# Where httpd looks for what loads a module, and under which name: a2enmod of Debian,
# or each file of conf.modules.d. Elsewhere verify.conf loads it. Packages say MODULE_LOAD=.
modules_d   := $(wildcard $(patsubst %/conf,%/conf.modules.d,$(filter %/conf,$(SYSCONFDIR))))
MODULE_LOAD ?= $(if $(filter apache2,$(PROGNAME)),$(SYSCONFDIR)/mods-available,$(modules_d))
# What an administrator writes the address of the service into.
MODULE_CONF ?= $(patsubst %/conf.modules.d,%/conf.d,$(MODULE_LOAD))
load_name   := $(if $(filter apache2,$(PROGNAME)),verify.load,10-verify.conf)
VERIFY_CONF := $(SYSCONFDIR)/verify
VERIFY_DATA := $(DATADIR)/mod_verify
install_file = install -D -m $(1) $(2) $(DESTDIR)$(3)
# $(1) the file, $(2) its path
install_kept = $(call install_file,644,$(1),$(2)$(if $(wildcard $(DESTDIR)$(2)),.dist))
# $(1) the file, $(2) its name below the configuration's directory
install_edited = $(call install_kept,$(1),$(VERIFY_CONF)/$(2))
# Files that name paths, with those of this httpd.
templates := verify.conf logrotate.conf verify-analyze.apparmor module/verify.load \
             module/verify.conf $(addprefix systemd/,verify-doctor.service \
             verify-doctor.timer)
$(templates:%=$(BUILD)/conf/%): $(BUILD)/conf/%: conf/% FORCE
	@mkdir -p $(@D)
	@sed -e 's|@LIBEXECDIR@|$(LIBEXECDIR)|g' -e 's|@HELPERDIR@|$(HELPERDIR)|g' \
	  -e 's|@SYSCONFDIR@|$(SYSCONFDIR)|g' -e 's|@DATADIR@|$(DATADIR)|g' \
	  -e 's|@BINDIR@|$(BINDIR)|g' -e 's|@PROGNAME@|$(PROGNAME)|g' \
	  -e 's|@HTTPD_USER@|$(HTTPD_USER)|g' $< >$@
.PHONY: FORCE configured
FORCE:
configured: $(templates:%=$(BUILD)/conf/%)
# Pages link to what is installed, where the source is missing.
pages := $(wildcard conf/*.md conf/*/*.md conf/clients/*/*.md)
# The client libraries, without what their languages leave behind.
clients := $(shell find conf/clients -name node_modules -prune -o -name __pycache__ -prune \
  -o -name target -prune -o -name vendor -prune -o -type f ! -name '*.md' -print)
$(pages:%=$(BUILD)/%): $(BUILD)/%: % apxs/install.mk
	@mkdir -p $(@D)
	@sed -e 's|conf/quickstart/||g' -e 's|conf/clients/java/src|../clients/java/src|g' \
	  -e 's|](\(\.\./\)*mod_verify/api/README.md[^)]*)|](https://verify.example.com/v1/docs)|g' \
	  $< >$@
manual_pages = mod_verify.5 verifyctl.1 verify-read-passport.1 verify-analyze.8
define newline


endef

.PHONY: install uninstall
install: all models configured manuals $(pages:%=$(BUILD)/%)
	$(call install_file,644,$(BUILD)/mod_verify.so,$(LIBEXECDIR)/mod_verify.so)
	$(call install_file,755,$(BUILD)/verify-analyze,$(HELPERDIR)/verify-analyze)
	$(call install_file,755,$(BUILD)/verifyctl,$(BINDIR)/verifyctl)
	$(call install_file,755,$(BUILD)/verify-read-passport,$(BINDIR)/verify-read-passport)
	install -d $(DESTDIR)$(VERIFY_DATA)/models $(DESTDIR)$(VERIFY_DATA)/sql
	install -m 644 $(wildcard $(MODELS)/*.*) $(DESTDIR)$(VERIFY_DATA)/models
	install -m 644 sql/migrations/*.sql $(DESTDIR)$(VERIFY_DATA)/sql
	$(foreach file,$(notdir $(wildcard conf/workflows/*.json)),$(call \
	  install_edited,conf/workflows/$(file),workflows/$(file))$(newline)	)
	install -D -m 644 -t $(DESTDIR)$(VERIFY_DATA)/compliance \
	  conf/compliance/*.json conf/compliance/hosts.txt
	$(foreach page,$(pages),$(call \
	  install_file,644,$(BUILD)/$(page),$(VERIFY_DATA)/$(page:conf/%=%))$(newline)	)
	$(call install_file,644,conf/modsecurity.conf,$(VERIFY_DATA)/modsecurity.conf)
	$(call install_file,644,conf/apache2-verify.service.conf,$(VERIFY_DATA)/apache2-verify.service.conf)
	install -D -m 644 -t $(DESTDIR)$(VERIFY_DATA) $(BUILD)/conf/logrotate.conf \
	  $(BUILD)/conf/verify-analyze.apparmor
	$(call install_file,644,conf/selinux/mod_verify.te,$(VERIFY_DATA)/selinux/mod_verify.te)
	install -D -m 644 -t $(DESTDIR)$(VERIFY_DATA)/systemd $(BUILD)/conf/systemd/*
	install -D -m 644 -t $(DESTDIR)$(VERIFY_DATA)/monitoring conf/monitoring/*
	install -D -m 644 -t $(DESTDIR)$(VERIFY_DATA)/quickstart \
	  $(wildcard conf/quickstart/[sS]hop.*)
	$(foreach file,$(clients),$(call \
	  install_file,644,$(file),$(VERIFY_DATA)/$(file:conf/%=%))$(newline)	)
	$(foreach page,$(manual_pages),$(call \
	  install_file,644,$(BUILD)/man/$(page),$(MANDIR)/man$(subst .,,$(suffix $(page)))/$(page))$(newline)	)
ifneq ($(MODULE_LOAD),)
	$(call install_file,644,$(BUILD)/conf/module/verify.load,$(MODULE_LOAD)/$(load_name))
	$(call install_kept,$(BUILD)/conf/module/verify.conf,$(MODULE_CONF)/verify.conf)
endif
	$(call install_edited,conf/risk.json,risk.json)
	$(call install_edited,$(BUILD)/conf/verify.conf,verify.conf)

# The directory of the configuration stays, with the master key, which may be
# the only copy, and so does what may have been edited. Nothing loads the module.
uninstall:
ifneq ($(MODULE_LOAD),)
	rm -f $(DESTDIR)$(MODULE_LOAD)/$(load_name) \
	  $(DESTDIR)$(SYSCONFDIR)/mods-enabled/verify.load \
	  $(DESTDIR)$(SYSCONFDIR)/mods-enabled/verify.conf \
	  $(DESTDIR)$(MODULE_CONF)/verify.conf.dist
endif
	rm -f $(DESTDIR)$(LIBEXECDIR)/mod_verify.so \
	  $(DESTDIR)$(HELPERDIR)/verify-analyze $(DESTDIR)$(BINDIR)/verifyctl \
	  $(DESTDIR)$(BINDIR)/verify-read-passport
	rm -f $(foreach page,$(manual_pages),$(DESTDIR)$(MANDIR)/man$(subst .,,$(suffix $(page)))/$(page))
	rm -rf $(DESTDIR)$(VERIFY_DATA)
	rm -f $(DESTDIR)$(VERIFY_CONF)/*.dist $(DESTDIR)$(VERIFY_CONF)/*/*.dist
	@! test -d $(DESTDIR)$(VERIFY_CONF) || \
	  echo "left there: $(DESTDIR)$(VERIFY_CONF), configuration and master key"
