# SPDX-License-Identifier: LGPL-3.0-or-later
# program: what barn's programs share: words to the user, options, and files of modules,
# packs and configuration.

noinst_LTLIBRARIES += libbarnprogram.la
libbarnprogram_la_SOURCES = \
	engine/program/conf_file.c \
	engine/program/conf_file.h \
	engine/program/index_file.c \
	engine/program/index_file.h \
	engine/program/learned_file.c \
	engine/program/learned_file.h \
	engine/program/modules.c \
	engine/program/modules.h \
	engine/program/options.c \
	engine/program/options.h \
	engine/program/pack_file.c \
	engine/program/pack_file.h \
	engine/program/say.c \
	engine/program/say.h \
	engine/program/so.c \
	engine/program/so.h \
	engine/program/so_trust.c \
	engine/program/so_trust.h

# Modules: <folder of /proc/self/exe>/pdlm when config.status stands beside the
# program (the build tree; configure links the source's pdlm there), otherwise
# BARN_PKGDATADIR "/pdlm".
libbarnprogram_la_CPPFLAGS = $(AM_CPPFLAGS) -DBARN_PKGDATADIR='"$(pkgdatadir)"'
