# SPDX-License-Identifier: LGPL-3.0-or-later
# conf: the IOS-like configuration text.

libbarncore_la_SOURCES +=
