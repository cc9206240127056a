# SPDX-License-Identifier: LGPL-3.0-or-later
# io: frames in, verdicts out. Not in the library, which does no input or output.

noinst_LTLIBRARIES += libbarnio.la
libbarnio_la_SOURCES = \
	engine/io/bridge.c \
	engine/io/checksum.c \
	engine/io/checksum.h \
	engine/io/frame.h \
	engine/io/link.c \
	engine/io/link.h \
	engine/io/merge.c \
	engine/io/merge.h \
	engine/io/nfqueue.c \
	engine/io/nfqueue.h \
	engine/io/nfqueue_verdict.c \
	engine/io/pcapfile.c \
	engine/io/pcapfile.h \
	engine/io/pcapng.c \
	engine/io/pcapng.h \
	engine/io/replay.c \
	engine/io/ring.c \
	engine/io/ring.h \
	engine/io/rings.c \
	engine/io/rings.h \
	engine/io/savefile.c \
	engine/io/savefile.h \
	engine/io/source.c \
	engine/io/source.h \
	engine/io/spread.c \
	engine/io/spread.h \
	engine/io/tap.c \
	engine/io/way.c \
	engine/io/way.h
libbarnio_la_LIBADD = $(NFQUEUE_LIBS) $(PCAP_LIBS) $(ZLIB_LIBS) $(ZSTD_LIBS)
