# SPDX-License-Identifier: LGPL-3.0-or-later
# discovery: counters by interface, direction and protocol.

libbarncore_la_SOURCES += \
	engine/discovery/discovery.c \
	engine/discovery/rates.c

noinst_HEADERS += \
	engine/discovery/discovery.h
