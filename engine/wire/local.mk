# SPDX-License-Identifier: LGPL-3.0-or-later
# wire: a frame to struct packet: link, IP, transport, tunnels.

libbarncore_la_SOURCES +=
