# SPDX-License-Identifier: LGPL-3.0-or-later
# conf: the IOS-like configuration text.

libbarncore_la_SOURCES += \
	engine/conf/words.c

noinst_HEADERS += \
	engine/conf/words.h
