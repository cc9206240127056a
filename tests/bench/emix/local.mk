# SPDX-License-Identifier: LGPL-3.0-or-later
# The enterprise mix: captures/emix.pcap and larger ones of its kind.

check_PROGRAMS += tests/bench/emix/emix tests/bench/emix/emix-check
tests_bench_emix_emix_SOURCES = \
	tests/bench/emix/app.c \
	tests/bench/emix/app.h \
	tests/bench/emix/dialogue.c \
	tests/bench/emix/dialogue.h \
	tests/bench/emix/elastic.c \
	tests/bench/emix/elastic.h \
	tests/bench/emix/emix.c \
	tests/bench/emix/message.c \
	tests/bench/emix/message.h \
	tests/bench/emix/mix.c \
	tests/bench/emix/mix.h \
	tests/bench/emix/rng.h \
	tests/bench/emix/script.c \
	tests/bench/emix/script.h
tests_bench_emix_emix_LDADD = tests/lib/libtest.la $(PCAP_LIBS) -lm
tests_bench_emix_emix_check_SOURCES = tests/bench/emix/emix-check.c
tests_bench_emix_emix_check_LDADD = tests/lib/libtest.la $(PCAP_LIBS)
TESTS += tests/bench/emix/check
dist_check_SCRIPTS += tests/bench/emix/check
