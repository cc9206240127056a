# SPDX-License-Identifier: LGPL-3.0-or-later
# io: frames in, verdicts out.

libbarncore_la_SOURCES +=
