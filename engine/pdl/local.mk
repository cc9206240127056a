# SPDX-License-Identifier: LGPL-3.0-or-later
# pdl: the text of a module to its program.

libbarncore_la_SOURCES += \
	engine/pdl/attributes.c \
	engine/pdl/bounds.c \
	engine/pdl/check.c \
	engine/pdl/clash.c \
	engine/pdl/diag.c \
	engine/pdl/doubt.c \
	engine/pdl/emit.c \
	engine/pdl/lex.c \
	engine/pdl/lex_text.c \
	engine/pdl/parse.c \
	engine/pdl/parse_custom.c \
	engine/pdl/parse_expect.c \
	engine/pdl/parse_file.c \
	engine/pdl/parse_flow.c \
	engine/pdl/parse_item.c \
	engine/pdl/parse_rule.c \
	engine/pdl/parse_sum.c \
	engine/pdl/parse_term.c \
	engine/pdl/parse_test.c \
	engine/pdl/parse_upgrade.c \
	engine/pdl/print.c \
	engine/pdl/print_custom.c \
	engine/pdl/print_rule.c \
	engine/pdl/sense.c \
	engine/pdl/set.c \
	engine/pdl/sum.c \
	engine/pdl/token.c \
	engine/pdl/twice.c \
	engine/pdl/why.c \
	engine/pdl/words.c

noinst_HEADERS += \
	engine/pdl/bounds.h \
	engine/pdl/check.h \
	engine/pdl/clash.h \
	engine/pdl/custom.h \
	engine/pdl/diag.h \
	engine/pdl/doubt.h \
	engine/pdl/emit.h \
	engine/pdl/lex.h \
	engine/pdl/lex_text.h \
	engine/pdl/parse.h \
	engine/pdl/pdl.h \
	engine/pdl/print.h \
	engine/pdl/sense.h \
	engine/pdl/set.h \
	engine/pdl/token.h \
	engine/pdl/tree.h \
	engine/pdl/twice.h \
	engine/pdl/why.h \
	engine/pdl/words.h
