# SPDX-License-Identifier: LGPL-3.0-or-later
# base: bytes, text, memory, errors; knows nothing of packets.

libbarncore_la_SOURCES +=
