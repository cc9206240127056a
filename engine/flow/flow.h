/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef FLOW_FLOW_H
#define FLOW_FLOW_H

/*
 * A flow: one entry a connection, both directions. Two parts, so that a packet of a classified
 * flow touches as little memory as can be: the identity, compared once the tag fits, and the
 * hot record, which every packet reads and writes. What only inspection needs hangs off `work`,
 * and is gone with the verdict.
 *
 * Ends are ordered by address and port, so that both directions have one key; `client` says
 * which of them opened the flow. Owner: the table of one worker; no other thread looks at it.
 */

#include "wire/packet.h"

struct work;  /* classify's: what a flow under inspection holds */
struct notes; /* classify's: the values of fields that were found in it */

enum { FLOW_A, FLOW_B }; /* the lower and the higher end of the key */

struct flow_key {
	union packet_addr addr[2];
	uint64_t path;      /* packet.path_key */
	uint16_t port[2];   /* 0 where the transport has none */
	uint16_t ethertype; /* where ip_version is 0, else 0 */
	uint8_t ip_version;
	uint8_t ip_proto;
};

/* Why a flow left the table; each leaves exactly once. */
enum flow_end {
	FLOW_ACTIVE, /* still here */
	FLOW_FIN,    /* both sides closed, or one and then silence */
	FLOW_RST,
	FLOW_IDLE,
	FLOW_EVICTED,
	FLOW_SHUTDOWN,
	FLOW_ENDS
};

/*
 * The transport's state, from which the idle time follows: the silence after which a flow is
 * over. An onlooker with a bounded table cannot wait as long as the ends do. For comparison,
 * (c) Linux's connection tracking (nf_conntrack-sysctl), and the least that NATs owe their
 * users: RFC 4787 REQ-5 for UDP, 120 s, RFC 5382 REQ-5 for TCP, 4 min and, established, 2 h 4
 * min.
 */
enum flow_state {
	FLOW_NEW,         /*  60 s: packets from one end only (c: UDP 30) */
	FLOW_SYN,         /*  40 s: TCP, SYN or SYN+ACK and nothing else: more than the 32 s
				  between the last SYNs of Linux (c: 60 to 120) */
	FLOW_ESTABLISHED, /* 600 s: TCP (c: 5 days) */
	FLOW_CLOSING,     /*  60 s: TCP, a FIN from one end (c: 60 to 120) */
	FLOW_CLOSED,      /*  10 s: TCP, FIN from both ends, or RST (c: 10 to 120) */
	FLOW_ANSWERED,    /* 180 s: others: packets both ways (c: UDP 120) */
	FLOW_STATES
};

/*
 * The verdict on a flow, as classify leaves it. `protocol` is the deepest name, `carrier` the
 * protocol it was found over (0: none), both numbers of classify's registry; 0 is unknown.
 */
struct flow_verdict {
	uint16_t protocol;
	uint16_t carrier;
	uint16_t by;      /* number of the rule that decided; 0: not a rule */
	uint8_t evidence; /* enum evidence */
	uint8_t sure : 1;
	uint8_t final : 1; /* the verdict stands; the fast path takes it */
};

struct flow {
	struct flow_key key;
	uint64_t first_ns; /* earliest and, below, latest time of its packets */
	uint64_t id;       /* serial of its first packet */

	/* The hot record. */
	uint64_t last_ns;
	uint64_t bytes[2];   /* on the wire, by FLOW_A, FLOW_B */
	uint32_t packets[2]; /* stay at their largest value rather than go back */
	struct flow_verdict verdict;
	uint16_t decided_at; /* number of the flow's packet that brought the verdict; 65535: or
				later */
	uint8_t state;       /* enum flow_state */
	uint8_t client : 1;  /* FLOW_A or FLOW_B: who opened it */
	uint8_t client_known : 1; /* proven by a SYN, not merely the first to be seen */
	uint8_t fin : 2;          /* a bit an end */
	uint32_t policy; /* policy/decide.h's: what of its tests hold for the flow; 0: not asked
			  */
	struct work *work;   /* NULL: nothing is inspected */
	struct notes *notes; /* classify's: fields that were found; NULL: none */
};

_Static_assert(sizeof(struct flow) == 128, "identity and hot record, a cache line each");
_Static_assert(offsetof(struct flow, last_ns) == 64, "the hot record is a line of its own");

static inline uint64_t
flow_packets(const struct flow *flow)
{
	return (uint64_t)flow->packets[0] + flow->packets[1];
}

/*
 * Which end sent the packet. Fills key in the order of ends: by address, as numbers, then by
 * port. ICMP has no ports; frames without IP are all from FLOW_A, one flow an ethertype and
 * path.
 */
unsigned flow_key_of(const struct packet *packet, struct flow_key *key);

/* "active", "fin", "rst", "idle", "evicted", "shutdown"; never NULL. */
const char *flow_end_name(enum flow_end end);

#endif
