/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef IO_SPREAD_H
#define IO_SPREAD_H

/*
 * Which worker a frame goes to: a program for PACKET_FANOUT_CBPF that hashes the pair of IP
 * addresses, so that both directions, all fragments, and a connection with the one that
 * announced it meet in one worker, as when captures are read. The kernel's own hash has the
 * ports in it, and fragments, that have none, would go elsewhere. What is not IP (behind a VLAN
 * tag or PPPoE at most) goes to worker 0, in its order.
 */

#include <linux/filter.h>

/* A table for SO_ATTACH_FILTER, PACKET_FANOUT_DATA; it lives for ever. */
struct sock_fprog spread_program(void);

#endif
