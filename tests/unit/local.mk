# SPDX-License-Identifier: LGPL-3.0-or-later
# Unit tests: one program a source file, named FOLDER_FILE.

# tests/unit/base_bytes is built from tests/unit/base_bytes.c.
UNIT_TESTS =

check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS)
noinst_HEADERS += tests/unit/unit.h
