/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLASSIFY_WORK_H
#define CLASSIFY_WORK_H

/*
 * What a flow holds while it is inspected or followed, and how the files of classify share it:
 *
 *	classify.c   the life of a flow: open, packet, finish, close
 *	open.c       a flow's first packet: announced, known by its header, or to be inspected
 *	room.c       (room.h) memory for flows under inspection, and whom to give up at the
 *bound probe.c      feeds the inspectors decide.c     weighs rules, inspectors, nDPI and
 *guesses; sets the verdict dialogue.c   (dialogue.h) what a module reads on: fields, announced
 *flows, upgrades upgrade.c    the words after which another protocol runs inside announce.c
 *from a captured address to an expectation sink.c       takes what inspectors find guard.c
 *(guard.h) holds inspectors to their contract
 *
 * A flow with a verdict that nobody follows has no work.
 */

#include "base/pool.h"
#include "classify/classify.h"
#include "classify/epoch.h"
#include "flow/stream.h"
#include "inspect/ndpi.h"

#include <netinet/in.h>

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

struct classify {
	struct epoch *epoch; /* of new flows; the older ones behind it have flows yet */
	struct classify_hooks hooks;
	bool dir_by_client;
	uint32_t inspected, stream_bytes; /* bounds */
	struct pool *waits;               /* of struct wait */
	struct pool *works;
	struct chain *rings; /* [inspected + ROOM_RINGS] of works, by number */
	struct stream_store *streams;
	struct notes_store *notes;
	struct ndpi_bridge *ndpi;
	struct meter *meter; /* NULL: nothing is measured */
	struct classify_stats stats;
	uint64_t cuts; /* of epochs that ended */
};

/* One packet's visit to one flow under inspection. */
struct step {
	struct classify *c;
	struct flow *flow;
	struct work *w;
	const struct packet *packet; /* NULL at the flow's end */
	uint8_t dir;                 /* enum inspect_dir: who sent it */
	bool hand_over;              /* an inner protocol begins */
	bool at_lines;               /* it begins at line_at */
	uint16_t inner;              /* which; 0: to be recognised */
	const struct probe *probe;   /* whose inspector is being called */
	bool fault;                  /* it has broken the contract in this call */
};

static inline const struct registry *
work_registry(const struct step *s)
{
	return s->w->wait.epoch->registry;
}

static inline bool
work_is_udp(const struct flow *flow)
{
	return flow->key.ip_proto != IPPROTO_TCP;
}

static inline uint64_t
work_end(const struct stream *stream)
{
	return stream->offset + stream->len;
}

/* What is there from this position on; nothing where the stream was cut before it. */
static inline struct bytes
work_from(const struct stream *stream, uint64_t at)
{
	uint64_t end = work_end(stream);

	if (at < stream->offset)
		at = stream->offset;
	if (at > end)
		at = end;
	return bytes_of(stream->data ? stream->data + (at - stream->offset) : NULL,
			(size_t)(end - at));
}

/* What the flow has while it has no verdict; NULL: nothing. */
static inline struct wait *
work_wait(const struct flow *flow)
{
	return (struct wait *)(void *)flow->work;
}

/* open.c: names the flow, or gives it what it needs to be inspected. */
void open_flow(struct classify *c, struct flow *flow, const struct packet *packet);

/*
 * open.c: a packet of a flow that is alone. Whether there is something to look at, for which
 * the flow has all of a work then.
 */
bool open_work(struct classify *c, struct flow *flow, const struct packet *packet,
	       unsigned from);

/* open.c: whether a control connection has told of this flow by now; it has its verdict then.
 */
bool open_announced(struct classify *c, struct flow *flow, const struct packet *packet);

/* probe.c: shows what is new to all probes; the first that is sure becomes the owner. */
void probe_feed(struct step *s);
/* Adds the inspector of a protocol that a rule or an announcement has decided on. */
void probe_attach(struct step *s, const struct protocol *protocol);
/* Adds that of the protocol that is handed over to, if it is not tried by itself. */
void probe_inner(struct step *s);
/* Whether the protocol's own inspector has said no to this flow. */
bool probe_refuses(const struct step *s, uint16_t protocol);
/* Drops all but the owner's. */
void probe_settle(struct step *s);
void probe_clear(struct work *w);
/* The owner's, or NULL. */
struct probe *probe_owner(struct work *w);

/* decide.c */
void decide(struct step *s);
/* Nothing more will come: takes the best there is. */
void decide_finally(struct step *s);
/* Sets a verdict that is final, and credits what waited for it. */
void decide_verdict(struct step *s, struct flow_verdict verdict);
/* The verdict on a flow in which nothing was said. */
void decide_alone(struct classify *c, struct flow *flow);
/* What waited for the verdict is the protocol's. */
void decide_credit(struct classify *c, const struct flow *flow);

/*
 * announce.c: tells of a flow to entry->to, which this side has named. What the two sides of
 * the control connection say of the entry is filled in.
 */
void announce_entry(struct step *s, struct expect_entry *entry, unsigned side);

/* sink.c */
struct inspect_sink sink_of(struct step *s);
void sink_value(struct step *s, uint16_t field, struct bytes value);

/* classify.c: gives back all that inspection holds. */
void classify_release(struct classify *c, struct flow *flow);

/* classify.c: an inner protocol begins behind what was read. */
void classify_hand_over(struct step *s, uint16_t inner);

#endif
