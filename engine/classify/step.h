/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLASSIFY_STEP_H
#define CLASSIFY_STEP_H

/*
 * A packet's visit to a flow under inspection, and how the files of classify share it:
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
 * Private to classify; what a flow holds is in work.h.
 */

#include "classify/classify.h"
#include "classify/work.h"

#include <netinet/in.h>

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

/* orient.c: at a flow's first packet, who is the client where no SYN says so. */
void orient_by_ports(const struct classify *c, struct flow *flow);

/*
 * orient.c: at the first packet with payload, the same by what it says, where ports are of no
 * use. Whether the client is another than before.
 */
bool orient_by_words(const struct classify *c, struct flow *flow, const struct packet *packet,
		     unsigned from);

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
