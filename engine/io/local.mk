# SPDX-License-Identifier: LGPL-3.0-or-later
# io: frames in, verdicts out. Not in the library, which does no input or output.

noinst_LTLIBRARIES += libbarnio.la
libbarnio_la_SOURCES = \
	engine/io/frame.h \
	engine/io/merge.c \
	engine/io/merge.h \
	engine/io/pcapfile.c \
	engine/io/pcapfile.h \
	engine/io/pcapng.c \
	engine/io/pcapng.h \
	engine/io/savefile.c \
	engine/io/savefile.h \
	engine/io/source.c \
	engine/io/source.h \
	engine/io/way.h
libbarnio_la_LIBADD = $(PCAP_LIBS) $(ZLIB_LIBS) $(ZSTD_LIBS)
