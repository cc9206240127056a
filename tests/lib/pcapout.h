/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_PCAPOUT_H
#define BARN_TESTS_PCAPOUT_H

/*
 * Writes a classic pcap file: little-endian on every machine, so that the same frames give the
 * same bytes everywhere. Errors are kept until pcapout_close.
 */

#include "frame.h"

struct pcapout;

enum {
	PCAPOUT_ETHERNET = 1,
	PCAPOUT_MICRO = 0, /* unit of the time stamps in the file */
	PCAPOUT_NANO = 1,
};

/* path "-" is standard output. NULL, with errno set, when it cannot be opened. */
struct pcapout *pcapout_open(const char *path, uint32_t link_type, int unit);

/* wire_len may be more than len: a snapped packet. */
void pcapout_write(struct pcapout *out, uint64_t time_ns, const void *bytes, size_t len,
		   size_t wire_len);

/* The same, as a convo_sink; ctx is the struct pcapout. */
void pcapout_sink(void *ctx, uint64_t time_ns, const struct frame *frame);

/* Flushes and frees. 0, or -1 with errno when any write failed. */
int pcapout_close(struct pcapout *out);

#endif
