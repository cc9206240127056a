# SPDX-License-Identifier: LGPL-3.0-or-later
# flow: the cache, ordered stream prefixes, announced flows, learned names.

libbarncore_la_SOURCES +=
