# SPDX-License-Identifier: LGPL-3.0-or-later
# Captures made from a description, for protocols without software: see help.c.

check_PROGRAMS += tests/dialogue/dialogue
tests_dialogue_dialogue_SOURCES = \
	tests/dialogue/dialogue.c \
	tests/dialogue/help.c \
	tests/dialogue/help.h \
	tests/dialogue/item.c \
	tests/dialogue/item.h \
	tests/dialogue/lex.c \
	tests/dialogue/lex.h
tests_dialogue_dialogue_LDADD = tests/lib/libtest.la

TESTS += tests/dialogue/check
dist_check_SCRIPTS += tests/dialogue/check
EXTRA_DIST += \
	tests/dialogue/faults.txt \
	tests/dialogue/items.txt \
	tests/dialogue/sample.dialogue \
	tests/dialogue/sample.pcap
