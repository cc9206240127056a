# SPDX-License-Identifier: LGPL-3.0-or-later
# pack: protocol packs: archive, manifest, checksums, signature.

libbarncore_la_SOURCES += \
	engine/pack/manifest.c \
	engine/pack/pack.c \
	engine/pack/pack_write.c \
	engine/pack/seal.c \
	engine/pack/tarball.c

noinst_HEADERS += \
	engine/pack/manifest.h \
	engine/pack/pack.h \
	engine/pack/seal.h \
	engine/pack/tarball.h

dist_man_MANS += engine/pack/barn-pack.5
