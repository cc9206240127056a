/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLASSIFY_WORK_H
#define CLASSIFY_WORK_H

/*
 * What a flow holds while it is inspected or followed. Private to classify.
 *
 * A flow with a verdict that nobody follows has no work.
 */

#include "base/pool.h"
#include "classify/epoch.h"
#include "flow/flow.h"
#include "flow/stream.h"
#include "inspect/ndpi.h"

enum {
	WORK_PROBES = 12, /* inspectors that consider a flow at once */
	WORK_CREDITS =
		4, /* interfaces and directions that a flow under inspection is seen on */
	WORK_UPGRADES = 4, /* upgrades of a module that are watched for */
	WORK_TURNS = 16,   /* turns before the verdict that are told apart */
	WORK_FAULTY = 4,   /* inspectors at fault that are remembered */
};

struct chain; /* flow/chain.h */

/* An inspector that looks at the flow, with its state and how far it has read. */
struct probe {
	const struct protocol *protocol;
	void *state; /* NULL: none needed */
	uint64_t at[2];
	uint8_t answer; /* enum inspect_answer */
};

/* An address that a line told, for announcements that follow. */
struct heard {
	union packet_addr addr;
	uint8_t ip_version; /* 0: none */
};

/* Packets that wait for the verdict. */
struct credit {
	uint16_t iface;
	uint8_t dir;
	uint64_t packets, bytes;
};

/* A verdict that is not final: what stands if nothing better comes. */
struct opinion {
	uint16_t protocol;
	uint16_t rule; /* 0: an inspector's */
	uint8_t evidence;
};

/*
 * What a flow has from its first packet to its verdict. As long as no packet had anything to
 * look at (SYN, bare ACK) it has no more than that, so that a flood of SYNs costs little:
 * flow->work is then a struct wait that is `alone`.
 */
struct wait {
	struct epoch *epoch;         /* that it began in */
	struct flow_verdict learned; /* what other flows told of its server */
	struct credit credits[WORK_CREDITS];
	uint32_t syn[2]; /* numbers of the SYNs, by FLOW_A, FLOW_B */
	bool has_syn[2];
	uint8_t credit_count;
	bool alone;
};

struct work {
	struct wait wait; /* first: a flow's work may be no more than that */
	struct flow *flow;
	struct stream stream[2]; /* by client, server */
	struct probe probes[WORK_PROBES];
	struct ndpi_flow *ndpi;
	const struct protocol *owner; /* the protocol that is sure; NULL while none is */
	struct opinion opinion, hint;
	struct ndpi_answer ndpi_answer;
	uint64_t begin[2];   /* where the protocol at hand begins in the streams */
	uint32_t placed[2];  /* sources with a place that were read, a bit each */
	uint64_t line_at[2]; /* how far the dialogue has been read */
	uint32_t turn[2];
	uint16_t payloads;   /* packets with payload since inspection began */
	uint16_t ndpi_since; /* payloads when nDPI answered */
	uint16_t owner_rule;
	uint16_t child;       /* the application that the server's name belongs to */
	uint16_t application; /* what the owner says that it carries */
	uint16_t inner;       /* announced to run inside; 0: to be recognised */
	uint8_t probe_count;
	uint8_t ring;                          /* room.h's */
	uint8_t upgrade_step[WORK_UPGRADES];   /* the next one; UPGRADE_DEAD: it can't come */
	uint64_t upgrade_at[WORK_UPGRADES][2]; /* end of what a step with a place matched */
	struct heard heard[2];
	/* Ends of the turns before the verdict, in the streams; first_dir's is the first. */
	uint64_t turn_end[WORK_TURNS];
	uint8_t turn_count, first_dir;
	uint8_t probed; /* directions whose first bytes all inspectors saw, a bit each */
	struct rule_memory rules;     /* what they have found out */
	struct custom_found found;    /* patterns of custom protocols that hold */
	struct flow_verdict outer;    /* what handed over to the protocol at hand */
	uint16_t faulty[WORK_FAULTY]; /* protocols whose inspectors are not asked again */
	uint8_t faulty_count;
	bool has_outer;
	bool turn_over[2];
	bool ndpi_done;
	bool rules_later;  /* a rule may still match */
	bool confined;     /* a rule on the flow's ports may still match, before all others */
	bool long_line[2]; /* the line at line_at is too long, and is being skipped */
};

#endif
