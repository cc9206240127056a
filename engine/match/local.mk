# SPDX-License-Identifier: LGPL-3.0-or-later
# match: many patterns at once, the rule program and its machine.

libbarncore_la_SOURCES +=
