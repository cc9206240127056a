# SPDX-License-Identifier: LGPL-3.0-or-later
# Loads under traffic, through the public library alone.

check_PROGRAMS += tests/hotload/hotload
tests_hotload_hotload_SOURCES = tests/hotload/hotload.c
tests_hotload_hotload_LDADD = libbarn.la $(PCAP_LIBS)
TESTS += tests/hotload/hotload
