# SPDX-License-Identifier: LGPL-3.0-or-later
# policy: classes and policies, compiled.

libbarncore_la_SOURCES += \
	engine/policy/match.c \
	engine/policy/match_set.c \
	engine/policy/model.c \
	engine/policy/numbers.c

noinst_HEADERS += \
	engine/policy/match.h \
	engine/policy/match_set.h \
	engine/policy/model.h \
	engine/policy/numbers.h
