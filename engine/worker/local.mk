# SPDX-License-Identifier: LGPL-3.0-or-later
# worker: the way of a packet through all the layers.

libbarncore_la_SOURCES += \
	engine/worker/engine.c \
	engine/worker/info.c \
	engine/worker/load.c \
	engine/worker/load_inspectors.c \
	engine/worker/packs.c \
	engine/worker/packs_load.c \
	engine/worker/shared.c \
	engine/worker/vector.c \
	engine/worker/worker.c

noinst_HEADERS += \
	engine/worker/engine.h \
	engine/worker/packs.h \
	engine/worker/shared.h \
	engine/worker/vector.h \
	engine/worker/worker.h
