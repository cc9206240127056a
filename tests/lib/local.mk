# SPDX-License-Identifier: LGPL-3.0-or-later
# What tests and benches share: frames, conversations, captures. Every test program that
# does not set its own LDADD can use it: #include "../lib/frame.h".

check_LTLIBRARIES += tests/lib/libtest.la
tests_lib_libtest_la_SOURCES = \
	tests/lib/convo.c \
	tests/lib/convo.h \
	tests/lib/frame.c \
	tests/lib/frame.h \
	tests/lib/pcapout.c \
	tests/lib/pcapout.h \
	tests/lib/words.c \
	tests/lib/words.h

LDADD += tests/lib/libtest.la
