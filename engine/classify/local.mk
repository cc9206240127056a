# SPDX-License-Identifier: LGPL-3.0-or-later
# classify: the registry of protocols and the decision on a flow.

libbarncore_la_SOURCES += \
	engine/classify/announce.c \
	engine/classify/catalog.c \
	engine/classify/classify.c \
	engine/classify/custom.c \
	engine/classify/custom_build.c \
	engine/classify/custom_value.c \
	engine/classify/current.c \
	engine/classify/decide.c \
	engine/classify/dialogue.c \
	engine/classify/dialogue.h \
	engine/classify/epoch.c \
	engine/classify/evidence.c \
	engine/classify/gate.c \
	engine/classify/guard.c \
	engine/classify/guard.h \
	engine/classify/indexes.c \
	engine/classify/meter.c \
	engine/classify/notes.c \
	engine/classify/open.c \
	engine/classify/orient.c \
	engine/classify/probe.c \
	engine/classify/registry.c \
	engine/classify/registry_build.c \
	engine/classify/registry_index.c \
	engine/classify/room.c \
	engine/classify/sink.c \
	engine/classify/upgrade.c

noinst_HEADERS += \
	engine/classify/catalog.h \
	engine/classify/classify.h \
	engine/classify/custom.h \
	engine/classify/custom_impl.h \
	engine/classify/current.h \
	engine/classify/epoch.h \
	engine/classify/gate.h \
	engine/classify/indexes.h \
	engine/classify/meter.h \
	engine/classify/notes.h \
	engine/classify/registry.h \
	engine/classify/registry_impl.h \
	engine/classify/room.h \
	engine/classify/step.h \
	engine/classify/work.h
