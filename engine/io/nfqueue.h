/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef IO_NFQUEUE_H
#define IO_NFQUEUE_H

/*
 * nfqueue: packets that a rule of iptables or nftables puts into queues, decided here. What the
 * verdicts look like on netlink; who has a way needs none of this.
 *
 * Packets of a batch that pass alike, one after the other in a queue, are told in one message
 * (NFQNL_MSG_VERDICT_BATCH). A packet's mark is set whole, from its own and the masked bits. A
 * connection's mark needs a message of its own (NFQA_CT), which the kernel takes only with
 * nf_conntrack_netlink; else ct_mark is left to the rule set: give the packet the mark, and
 *	iptables -t mangle -A POSTROUTING -j CONNMARK --save-mark --nfmask MASK --ctmask MASK
 * which works everywhere. A packet that was changed has a message of its own too.
 */

#include "io/way.h"
#include <netinet/in.h> /* before what the kernel has of the same names */

struct nfqueue_packet {
	uint32_t id, mark; /* the kernel's number in its queue; the packet's mark */
	uint16_t queue;
	bool cut;    /* the kernel gave only its beginning: cannot be changed */
	bool finish; /* its checksum is unfinished */
	uint8_t *data;
	uint32_t size;
};

/* Writes messages for those whose bit in *todo is set, as many as there is room for, and clears
 * their bits; returns the bytes written, 0 only if the first does not fit. conntrack:
 * connection marks can be told. Order is kept within a queue. */
size_t nfqueue_write(uint8_t *to, size_t room, const struct nfqueue_packet *packets,
		     const struct way_verdict *verdicts, unsigned count, bool conntrack,
		     uint64_t *todo);

/* The mark that a packet goes on with. */
uint32_t nfqueue_mark(uint32_t mark, const struct way_verdict *verdict);

#endif
