# SPDX-License-Identifier: LGPL-3.0-or-later
# What strangers can do to a worker's memory, and to the flows of others.

check_PROGRAMS += tests/floods/floods
TESTS += tests/floods/floods
tests_floods_floods_SOURCES = \
	tests/floods/floods.c \
	tests/floods/floods.h \
	tests/floods/flood_table.c
tests_floods_floods_LDADD = tests/lib/libtest.la $(BARN_CLI_LIBS)
