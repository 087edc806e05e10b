# What the build asks apxs and pkg-config for.
APXS       ?= apxs
ifeq ($(shell command -v $(APXS)),)
$(error $(APXS) not found: run scripts/install-dependencies build)
endif
ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(origin CXX),default)
CXX := g++
endif
APR_CONFIG := $(shell $(APXS) -q APR_CONFIG)
APU_CONFIG := $(shell $(APXS) -q APU_CONFIG)
LIBEXECDIR := $(shell $(APXS) -q LIBEXECDIR)
SYSCONFDIR := $(shell $(APXS) -q SYSCONFDIR)
# Not ours to warn about, and their macros neither.
HTTPD_INCLUDES := -isystem $(shell $(APXS) -q INCLUDEDIR)
# Less /usr/include, which as -isystem hides C's headers from those of C++.
APR_CFLAGS := $(patsubst -I%,-isystem %,$(filter-out -I/usr/include,\
                $(shell $(APR_CONFIG) --cppflags --includes) \
                $(shell $(APU_CONFIG) --includes)))
APR_LIBS   := $(shell $(APU_CONFIG) --link-ld) $(shell $(APR_CONFIG) --link-ld)

pkg_cflags = $(shell pkg-config --cflags $(1))
pkg_libs   = $(shell pkg-config --libs $(1))

# What the build needs of libraries, and from which version on it is there.
# Asked before the first file is compiled. libunistring is unknown to pkg-config.
NEEDED_LIBRARIES := jansson 'libcrypto >= 3.0' 'libssl >= 3.0' libidn2 \
  'libpq >= 14' 'libcurl >= 7.85' libmaxminddb 'hiredis >= 0.14' libqrencode \
  libpcsclite xmlsec1-openssl yaml-0.1 zlib libturbojpeg libpng libwebp libopenjp2 \
  'zxing >= 1.4' lept 'tesseract >= 5' libseccomp
ifneq ($(MAKECMDGOALS),uninstall)
lacking := $(shell pkg-config --print-errors --exists $(NEEDED_LIBRARIES) 2>&1)
ifneq ($(lacking),)
$(error This system cannot build mod_verify: $(lacking). README.md lists the \
  supported systems; scripts/install-dependencies build installs what they need)
endif
endif

OPTIMIZE ?= -O2 -g
# A compiler that nobody here has seen may warn of more, which must not end a
# user's build: WERROR=-Werror is for whoever wants that.
WERROR   ?=
WARNINGS := -Wall -Wextra $(WERROR)
# Ends a command that compiles: what it warns of is printed, and kept beside the
# result, where make check-compilers finds it.
keep_warnings = 2>$@.warned; status=$$?; cat $@.warned >&2; \
  [ -s $@.warned ] || rm -f $@.warned; exit $$status
# What makes a fault of memory end a process instead of serving a stranger.
HARDENING := -fstack-protector-strong -fstack-clash-protection \
             -fno-strict-aliasing
# Shadow stack and indirect branch tracking are of this processor.
ifeq ($(shell uname -m),x86_64)
HARDENING += -fcf-protection=full
endif
# Checks of the C library's own, which need an optimizing compiler and are not
# for the sanitizers' versions of the same functions.
ifneq ($(SANITIZE)$(FUZZ)$(filter -O0,$(OPTIMIZE)),)
FORTIFY :=
else
# Level 3 is of gcc 12 and clang 9; what lies below says so with a warning.
FORTIFY_LEVEL := $(shell $(CC) -Werror -O2 -U_FORTIFY_SOURCE \
  -D_FORTIFY_SOURCE=3 -fsyntax-only -include stdio.h -xc /dev/null 2>/dev/null \
  && echo 3 || echo 2)
FORTIFY := -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$(FORTIFY_LEVEL)
endif
CPPFLAGS += -Imod_verify -I$(BUILD)/gen $(APR_CFLAGS) \
            -DVERIFY_VERSION='"$(VERIFY_VERSION)"' $(FORTIFY)
CFLAGS   += -std=gnu11 $(OPTIMIZE) $(WARNINGS) $(HARDENING) -fPIC
CXXFLAGS += -std=c++17 $(OPTIMIZE) $(WARNINGS) $(HARDENING) -fPIC
LDFLAGS  += -Wl,-z,relro,-z,now,-z,noexecstack
ifeq ($(SANITIZE),1)
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=undefined \
              -fno-omit-frame-pointer
CFLAGS   += $(SANITIZERS)
CXXFLAGS += $(SANITIZERS)
LDFLAGS  += $(SANITIZERS)
endif
ifeq ($(SANITIZE),thread)
SANITIZERS := -fsanitize=thread -fno-omit-frame-pointer
CFLAGS   += $(SANITIZERS)
CXXFLAGS += $(SANITIZERS)
LDFLAGS  += $(SANITIZERS)
endif
ifeq ($(FUZZ),1)
CFLAGS   += -fsanitize=fuzzer-no-link
CXXFLAGS += -fsanitize=fuzzer-no-link
endif

# libunistring is unknown to pkg-config.
LIB_LIBS    := $(call pkg_libs,jansson libcrypto libidn2) -lunistring $(APR_LIBS)
STORE_LIBS  := $(call pkg_libs,libpq)
MODULE_LIBS := $(call pkg_libs,libcurl libmaxminddb hiredis libssl \
                 libqrencode)
CPPFLAGS    += $(call pkg_cflags,jansson libcrypto libpq libcurl)
ANALYZE_PACKAGES := libturbojpeg libpng libwebp libopenjp2 zxing lept tesseract \
  libseccomp
# The shared libtesseract needs libcurl and libarchive, which bring Kerberos, LDAP
# and three TLS libraries into the process that reads a stranger's photo. The
# static one brings what is called, without them (analyze/document/mrz_ocr.c).
# Where there is none, as on RHEL, the link says so.
static_tesseract := $(filter /%,$(shell $(CC) -print-file-name=libtesseract.a))
# Replaces one function of Tesseract: see analyze/document/mrz_ocr.c.
without_ambiguities := -Wl,--wrap=_ZN9tesseract13UnicharAmbigs13LoadUniversalERKNS_10UNICHARSETEPS1_
# libstdc++ stands before it: what of C++'s library a program needs would have
# the linker take parts of Tesseract that happen to hold a copy.
ANALYZE_LIBS = $(if $(static_tesseract),-lstdc++ \
  $(static_tesseract) -lgomp $(without_ambiguities),$(call pkg_libs,tesseract)) \
  $(call pkg_libs,$(filter-out tesseract,$(ANALYZE_PACKAGES)))
