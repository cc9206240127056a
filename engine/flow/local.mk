# SPDX-License-Identifier: LGPL-3.0-or-later
# flow: the cache, ordered stream prefixes, announced flows, learned names.

libbarncore_la_SOURCES += \
	engine/flow/evict.c \
	engine/flow/expect.c \
	engine/flow/flow.c \
	engine/flow/known.c \
	engine/flow/learn.c \
	engine/flow/place.c \
	engine/flow/state.c \
	engine/flow/stream.c \
	engine/flow/stream_store.c \
	engine/flow/table.c \
	engine/flow/waiting.c \
	engine/flow/way.c \
	engine/flow/wheel.c

noinst_HEADERS += \
	engine/flow/bucket.h \
	engine/flow/chain.h \
	engine/flow/expect.h \
	engine/flow/flow.h \
	engine/flow/inside.h \
	engine/flow/key.h \
	engine/flow/known.h \
	engine/flow/learn.h \
	engine/flow/stream.h \
	engine/flow/stream_store.h \
	engine/flow/table.h \
	engine/flow/waiting.h \
	engine/flow/way.h
