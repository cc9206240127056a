# SPDX-License-Identifier: LGPL-3.0-or-later
# Ways in and out between network namespaces; without root it says so and is skipped.

check_PROGRAMS += tests/io/drive
tests_io_drive_SOURCES = tests/io/drive.c
tests_io_drive_LDADD = libbarnio.la $(LDADD)
TESTS += tests/io/run
dist_check_SCRIPTS += tests/io/run tests/io/throughput
dist_noinst_SCRIPTS += tests/io/frames
