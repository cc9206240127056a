# SPDX-License-Identifier: LGPL-3.0-or-later
# wire: a frame to struct packet: link, IP, transport, tunnels.

libbarncore_la_SOURCES += \
	engine/wire/cooked.c \
	engine/wire/early.c \
	engine/wire/extension.c \
	engine/wire/fragment.c \
	engine/wire/hardware.c \
	engine/wire/ip.c \
	engine/wire/l4.c \
	engine/wire/link.c \
	engine/wire/opaque.c \
	engine/wire/packet.c \
	engine/wire/path.c \
	engine/wire/plain.c \
	engine/wire/serial.c \
	engine/wire/tag.c \
	engine/wire/tunnel.c \
	engine/wire/tunnel_ayiya.c \
	engine/wire/tunnel_capwap.c \
	engine/wire/tunnel_esp.c \
	engine/wire/tunnel_geneve.c \
	engine/wire/tunnel_gre.c \
	engine/wire/tunnel_gtp.c \
	engine/wire/tunnel_l2tp.c \
	engine/wire/tunnel_lisp.c \
	engine/wire/tunnel_mpls.c \
	engine/wire/tunnel_nsh.c \
	engine/wire/tunnel_port.c \
	engine/wire/tunnel_teredo.c \
	engine/wire/tunnel_tzsp.c \
	engine/wire/tunnel_vxlan.c \
	engine/wire/wire.c \
	engine/wire/wlan.c

noinst_HEADERS += \
	engine/wire/decode.h \
	engine/wire/early.h \
	engine/wire/fragment.h \
	engine/wire/headers.h \
	engine/wire/opaque.h \
	engine/wire/packet.h \
	engine/wire/wire.h
