# SPDX-License-Identifier: LGPL-3.0-or-later
# barnd between network namespaces, with real peers; without root it says so and is skipped.

check_PROGRAMS += tests/daemon/peek
tests_daemon_peek_SOURCES = tests/daemon/peek.c
tests_daemon_peek_LDADD = libbarnpeer.la

DAEMON_TESTS = \
	tests/daemon/bridge \
	tests/daemon/example \
	tests/daemon/life \
	tests/daemon/policies \
	tests/daemon/queues \
	tests/daemon/watch
TESTS += $(DAEMON_TESTS)
dist_check_SCRIPTS += $(DAEMON_TESTS)
EXTRA_DIST += tests/daemon/lib.sh
