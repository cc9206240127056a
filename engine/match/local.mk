# SPDX-License-Identifier: LGPL-3.0-or-later
# match: many patterns at once, the rule program and its machine.

libbarncore_la_SOURCES += \
	engine/match/explain.c \
	engine/match/expression.c \
	engine/match/glob.c \
	engine/match/glob_needles.c \
	engine/match/need.c \
	engine/match/pattern_set.c \
	engine/match/program.c \
	engine/match/regex.c \
	engine/match/rule.c \
	engine/match/rule_index.c \
	engine/match/rule_ask.c \
	engine/match/rule_scratch.c \
	engine/match/rule_set.c \
	engine/match/scan.c \
	engine/match/sieve.c \
	engine/match/suffix.c \
	engine/match/sum.c \
	engine/match/term.c

noinst_HEADERS += \
	engine/match/byteset.h \
	engine/match/explain.h \
	engine/match/expression.h \
	engine/match/glob.h \
	engine/match/need.h \
	engine/match/needles.h \
	engine/match/pattern_set.h \
	engine/match/program.h \
	engine/match/regex.h \
	engine/match/rule.h \
	engine/match/rule_index.h \
	engine/match/rule_scratch.h \
	engine/match/rule_set.h \
	engine/match/scan.h \
	engine/match/sieve.h \
	engine/match/suffix.h \
	engine/match/sum.h \
	engine/match/view.h
