# SPDX-License-Identifier: LGPL-3.0-or-later
# Conversations under every condition and in every encapsulation.

check_PROGRAMS += tests/matrix/matrix
TESTS += tests/matrix/matrix tests/matrix/opaque tests/matrix/workers
dist_check_SCRIPTS += tests/matrix/opaque tests/matrix/workers
tests_matrix_matrix_SOURCES = \
	tests/matrix/change.c \
	tests/matrix/change.h \
	tests/matrix/matrix.c \
	tests/matrix/script.c \
	tests/matrix/script.h \
	tests/matrix/send.c \
	tests/matrix/send.h \
	tests/matrix/talk.c \
	tests/matrix/talk.h
tests_matrix_matrix_LDADD = tests/lib/libtest.la $(BARN_CLI_LIBS)
