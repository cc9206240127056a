# SPDX-License-Identifier: LGPL-3.0-or-later
# policy: classes and policies, compiled.

libbarncore_la_SOURCES +=
