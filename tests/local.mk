# SPDX-License-Identifier: LGPL-3.0-or-later
# Every kind of test; a folder of its own has its local.mk.

check_LTLIBRARIES =

include $(srcdir)/tests/dialogue/local.mk
include $(srcdir)/tests/lib/local.mk
include $(srcdir)/tests/unit/local.mk
