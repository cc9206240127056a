# SPDX-License-Identifier: LGPL-3.0-or-later
# ctl: the control socket, both sides.

libbarnpeer_la_SOURCES += \
	engine/ctl/buffer.c \
	engine/ctl/client.c \
	engine/ctl/command.c \
	engine/ctl/message.c \
	engine/ctl/peer.c \
	engine/ctl/reply.c \
	engine/ctl/server.c \
	engine/ctl/server_listen.c \
	engine/ctl/session.c

noinst_HEADERS += \
	engine/ctl/buffer.h \
	engine/ctl/command.h \
	engine/ctl/message.h \
	engine/ctl/peer.h \
	engine/ctl/reply.h \
	engine/ctl/server.h \
	engine/ctl/session.h

dist_man_MANS += engine/ctl/barn-ctl.3
