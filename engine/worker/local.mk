# SPDX-License-Identifier: LGPL-3.0-or-later
# worker: the way of a packet through all the layers.

libbarncore_la_SOURCES +=
