/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_READ_WRITE_H
#define CLI_READ_WRITE_H

/*
 * -w: the packets of wanted flows, in the order of the input. Whether a flow is wanted is known
 * when it has ended, so the input is read twice: the first time each packet notes its flow, and
 * each wanted flow is marked; the second time the packets of marked flows are written.
 *
 * Memory: 8 bytes a packet, and a bit a packet.
 */

#include "cli/read_input.h"

struct read_write;

struct read_write *read_write_new(void); /* NULL: the user was told */
void read_write_free(struct read_write *write);

/* The reader's: where the packet's flow is to be noted. NULL: no memory. */
uint64_t *read_write_slot(struct read_write *write, uint64_t serial);

/* The flow is wanted. Any thread. */
void read_write_want(struct read_write *write, uint64_t flow);

/* The second reading, once all threads are quiet. Returns 0 or an exit status: the user was
 * told. *packets is how many were written. */
int read_write_flows(struct read_write *write, struct read_input *input, const char *path,
		     uint64_t *packets);

#endif
