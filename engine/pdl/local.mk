# SPDX-License-Identifier: LGPL-3.0-or-later
# pdl: the text of a module to its program.

libbarncore_la_SOURCES +=
