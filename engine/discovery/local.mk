# SPDX-License-Identifier: LGPL-3.0-or-later
# discovery: counters by interface, direction, protocol, and what other processes see of them.

libbarncore_la_SOURCES += \
	engine/discovery/discovery.c \
	engine/discovery/hosts.c \
	engine/discovery/hosts_ring.c \
	engine/discovery/ledger.c \
	engine/discovery/rates.c \
	engine/discovery/state.c \
	engine/discovery/state_file.c

libbarnpeer_la_SOURCES += \
	engine/discovery/segment.c \
	engine/discovery/stats.c

noinst_HEADERS += \
	engine/discovery/discovery.h \
	engine/discovery/hosts.h \
	engine/discovery/layout.h \
	engine/discovery/ledger.h \
	engine/discovery/segment.h \
	engine/discovery/state.h

dist_man_MANS += engine/discovery/barn-stats.3
