# SPDX-License-Identifier: LGPL-3.0-or-later
# Every kind of test; a folder of its own has its local.mk. A test prints what it
# claims and "N passed, N failed" last; it runs in the build's folder, with the
# source's in $srcdir.

AM_TESTS_ENVIRONMENT = LC_ALL=C.UTF-8; TZ=UTC0; FUZZERS='$(FUZZERS)'; \
	export LC_ALL TZ FUZZERS;

# Linters. Those that need no tool of their own are part of `make check`, `make lint`
# runs them all.
LINTS = \
	tests/lint-cppcheck \
	tests/lint-format \
	tests/lint-layers \
	tests/lint-lists \
	tests/lint-manual \
	tests/lint-names \
	tests/lint-shell \
	tests/lint-size \
	tests/lint-spell \
	tests/lint-tidy

TESTS += tests/lint-layers tests/lint-lists tests/lint-names tests/lint-size tests/lint/selftest
dist_check_SCRIPTS += $(LINTS) tests/lint/all tests/lint/selftest
EXTRA_DIST += tests/lint/common.sh

lint:
	LINT_CPPFLAGS="-I$(abs_top_builddir) -DBARN_PKGDATADIR=__FILE__ $(PCAP_CFLAGS) \
	$(NDPI_CFLAGS) $(PCRE2_CFLAGS) $(HYPERSCAN_CFLAGS) $(CRYPTO_CFLAGS) $(ARCHIVE_CFLAGS) \
	$(JSON_CFLAGS) $(ZSTD_CFLAGS)" $(srcdir)/tests/lint/all

# Fuzzing, in a build with --enable-fuzzers.
fuzzers: $(FUZZERS)
fuzz: fuzzers
	srcdir='$(srcdir)' FUZZERS='$(FUZZERS)' $(srcdir)/tests/fuzz/run

# What the tests reach, in a build with --enable-coverage.
coverage: check
	$(srcdir)/tests/coverage

TESTS += tests/symbols

.PHONY: coverage fuzz fuzzers lint
dist_check_SCRIPTS += tests/coverage tests/sum tests/symbols

# What barn says of the captures.
TESTS += tests/captures tests/counts
dist_check_SCRIPTS += tests/captures tests/counts

include $(srcdir)/tests/bench/local.mk
include $(srcdir)/tests/bench/emix/local.mk
include $(srcdir)/tests/cli/local.mk
include $(srcdir)/tests/daemon/local.mk
include $(srcdir)/tests/dialogue/local.mk
include $(srcdir)/tests/floods/local.mk
include $(srcdir)/tests/fuzz/local.mk
include $(srcdir)/tests/hotload/local.mk
include $(srcdir)/tests/io/local.mk
include $(srcdir)/tests/lib/local.mk
include $(srcdir)/tests/cmodule/local.mk
include $(srcdir)/tests/conf/local.mk
include $(srcdir)/tests/matrix/local.mk
include $(srcdir)/tests/pdl/local.mk
include $(srcdir)/tests/ports/local.mk
include $(srcdir)/tests/record/local.mk
include $(srcdir)/tests/scan/local.mk
include $(srcdir)/tests/snmp/local.mk
include $(srcdir)/tests/unit/local.mk
