/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_FUZZ_PACKETS_H
#define BARN_TESTS_FUZZ_PACKETS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Changes a capture in place: packets swapped, repeated, dropped, split, fragmented, wrapped in
 * tunnels, or with other fields whose lengths and checksums are right again. Returns its new
 * size, at most `most`; 0: this is no plain pcap of Ethernet. The same seed, the same change.
 */
size_t packets_mutate(uint8_t *data, size_t size, size_t most, unsigned seed);

#endif
