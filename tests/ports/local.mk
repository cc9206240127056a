# SPDX-License-Identifier: LGPL-3.0-or-later
# Announced flows: control connections under every condition, and the flows that follow.

check_PROGRAMS += tests/ports/ports
TESTS += tests/ports/ports
tests_ports_ports_SOURCES = \
	tests/matrix/change.c \
	tests/matrix/change.h \
	tests/matrix/script.c \
	tests/matrix/script.h \
	tests/matrix/send.c \
	tests/matrix/send.h \
	tests/matrix/talk.c \
	tests/matrix/talk.h \
	tests/ports/control.c \
	tests/ports/control.h \
	tests/ports/ports.c
tests_ports_ports_LDADD = tests/lib/libtest.la $(BARN_CLI_LIBS)
