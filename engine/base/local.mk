# SPDX-License-Identifier: LGPL-3.0-or-later
# base: bytes, text, memory, errors; knows nothing of packets.

libbarncore_la_SOURCES += \
	engine/base/arena.c \
	engine/base/bytes.c \
	engine/base/hash.c \
	engine/base/pool.c \
	engine/base/text.c

libbarnpeer_la_SOURCES += \
	engine/base/err.c

noinst_HEADERS += \
	engine/base/arena.h \
	engine/base/bytes.h \
	engine/base/hash.h \
	engine/base/list.h \
	engine/base/pool.h \
	engine/base/text.h
