# SPDX-License-Identifier: LGPL-3.0-or-later
# policy: classes and policies, compiled.

libbarncore_la_SOURCES += \
	engine/policy/access.c \
	engine/policy/compile.c \
	engine/policy/compile_class.c \
	engine/policy/decide.c \
	engine/policy/decide_profile.c \
	engine/policy/header.c \
	engine/policy/match.c \
	engine/policy/match_set.c \
	engine/policy/model.c \
	engine/policy/numbers.c \
	engine/policy/police.c \
	engine/policy/policy.c \
	engine/policy/queue.c \
	engine/policy/queue_commands.c \
	engine/policy/reject.c \
	engine/policy/rewrite.c \
	engine/policy/slot.c \
	engine/policy/tally.c

noinst_HEADERS += \
	engine/policy/compile.h \
	engine/policy/decide.h \
	engine/policy/decide_impl.h \
	engine/policy/header.h \
	engine/policy/match.h \
	engine/policy/match_set.h \
	engine/policy/model.h \
	engine/policy/numbers.h \
	engine/policy/police.h \
	engine/policy/policy.h \
	engine/policy/queue.h \
	engine/policy/reject.h \
	engine/policy/rewrite.h \
	engine/policy/slot.h \
	engine/policy/tally.h
