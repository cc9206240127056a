# SPDX-License-Identifier: LGPL-3.0-or-later
# Fuzz targets: tests/fuzz/NAME.c with LLVMFuzzerTestOneInput(), two lines here, and
# seeds in tests/fuzz/corpus/NAME (captures and modules are seeds too: common.sh).
# With ./configure --enable-fuzzers each is a fuzzer:
#
#	tests/fuzz/NAME -max_total_time=60 NEW-FOLDER SEEDS
#
# Without, it reads the files that it is given, and `make check` gives it its seeds.

FUZZERS =

FUZZERS += tests/fuzz/capture
tests_fuzz_capture_SOURCES = tests/fuzz/capture.c $(fuzz_packets)
tests_fuzz_capture_LDADD = $(fuzz_engine) libbarnio.la libbarncore.la tests/lib/libtest.la

FUZZERS += tests/fuzz/conf
tests_fuzz_conf_LDADD = $(fuzz_link)

FUZZERS += tests/fuzz/ctl
tests_fuzz_ctl_LDADD = $(fuzz_link)

FUZZERS += tests/fuzz/engine
tests_fuzz_engine_SOURCES = tests/fuzz/engine.c $(fuzz_packets)
tests_fuzz_engine_LDADD = $(fuzz_engine) libbarnio.la libbarncore.la tests/lib/libtest.la

FUZZERS += tests/fuzz/pack
tests_fuzz_pack_LDADD = $(fuzz_link)

FUZZERS += tests/fuzz/pdl
tests_fuzz_pdl_LDADD = $(fuzz_link)

FUZZERS += tests/fuzz/inspect
tests_fuzz_inspect_LDADD = $(fuzz_link)

FUZZERS += tests/fuzz/rules
tests_fuzz_rules_LDADD = $(fuzz_link)

FUZZERS += tests/fuzz/stream
tests_fuzz_stream_LDADD = $(fuzz_link)

FUZZERS += tests/fuzz/wire
tests_fuzz_wire_LDADD = $(fuzz_link)

if FUZZERS
fuzz_engine = $(LIBFUZZER)
else
fuzz_engine = tests/fuzz/libreplay.la
check_LTLIBRARIES += tests/fuzz/libreplay.la
tests_fuzz_libreplay_la_SOURCES = tests/fuzz/replay.c
TESTS += tests/fuzz/seeds
endif

# What changes captures packet by packet; without libFuzzer BARN_FUZZ_ROUNDS=N makes replay.c
# do so N times with each.
fuzz_packets = tests/fuzz/packets.c tests/fuzz/packets.h

# The second line of each: tests_fuzz_NAME_LDADD = $(fuzz_link).
fuzz_link = $(fuzz_engine) libbarncore.la

check_PROGRAMS += $(FUZZERS)
dist_check_SCRIPTS += tests/fuzz/seeds tests/fuzz/run
EXTRA_DIST += tests/fuzz/common.sh
EXTRA_DIST += tests/fuzz/corpus
