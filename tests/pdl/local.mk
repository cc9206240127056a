# SPDX-License-Identifier: LGPL-3.0-or-later
# Modules, right and wrong, through the compiler.

check_PROGRAMS += tests/pdl/check
tests_pdl_check_SOURCES = tests/pdl/check.c

TESTS += tests/pdl/hosts tests/pdl/run
dist_check_SCRIPTS += tests/pdl/hosts tests/pdl/run
EXTRA_DIST += tests/pdl/bad tests/pdl/doubt tests/pdl/good tests/pdl/stubs.pdlm
