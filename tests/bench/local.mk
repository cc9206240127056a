# SPDX-License-Identifier: LGPL-3.0-or-later
# Benches: built with the tests, run by hand. Each says in its head what it measures.

check_PROGRAMS += tests/bench/cache

check_PROGRAMS += tests/bench/scan

check_PROGRAMS += tests/bench/classes
