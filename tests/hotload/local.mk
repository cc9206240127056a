# SPDX-License-Identifier: LGPL-3.0-or-later
# Loads under traffic, through the public library alone.

check_PROGRAMS += tests/hotload/hotload
tests_hotload_hotload_SOURCES = \
	tests/hotload/hotload.c \
	tests/hotload/pack.c \
	tests/hotload/pack.h
tests_hotload_hotload_LDADD = libbarn.la $(PCAP_LIBS) $(CRYPTO_LIBS)
EXTRA_tests_hotload_hotload_DEPENDENCIES = tests/hotload/parcel.la

# The example of a module in C, as an object that is opened: -rpath makes libtool link it so.
check_LTLIBRARIES += tests/hotload/parcel.la
tests_hotload_parcel_la_SOURCES = tests/hotload/parcel.c
tests_hotload_parcel_la_CPPFLAGS = -I$(top_srcdir) -I$(top_srcdir)/engine/include
tests_hotload_parcel_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -rpath /nowhere
TESTS += tests/hotload/hotload
