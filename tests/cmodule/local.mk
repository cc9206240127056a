# SPDX-License-Identifier: LGPL-3.0-or-later
# Modules in C: the example of pdlm/example-c, and wrong ones.

TESTS += tests/cmodule/installed
dist_check_SCRIPTS += tests/cmodule/installed
EXTRA_DIST += tests/cmodule/parcel.dialogue tests/cmodule/parcel.expected tests/cmodule/wrong.c
