/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_CONVO_H
#define BARN_TESTS_CONVO_H

/*
 * A conversation between two ends, as the frames that it puts on the wire.
 *
 *	convo_init(&c, 6, client, server, sink, ctx);
 *	convo_open(&c);					SYN, SYN/ACK, ACK
 *	convo_send(&c, CONVO_CLIENT, "USER x\r\n", 8);
 *	convo_send(&c, CONVO_SERVER, big, 5000);	cut at mss; the client acknowledges
 *	convo_close(&c, CONVO_CLIENT);			FIN, FIN/ACK, ACK
 *
 * Sequence and acknowledgement numbers, IP ids and checksums are kept right. Each frame goes
 * to the sink at c.now_ns, which then grows by c.gap_ns; set either in between to shape time.
 * The fields before "kept" may be changed after convo_init and between calls. To reorder,
 * repeat or lose frames, let the sink do it. For UDP (proto 17) convo_open and convo_close
 * send nothing and convo_send is one datagram.
 */

#include "frame.h"

enum convo_from { CONVO_CLIENT, CONVO_SERVER };

enum { CONVO_TAGS_MAX = 8 };

/* The frame is only lent: copy what is to be kept. */
typedef void convo_sink(void *ctx, uint64_t time_ns, const struct frame *frame);

struct convo {
	uint8_t proto;                 /* 6 or 17 */
	struct frame_end end[2];       /* by enum convo_from */
	uint8_t mac[2][6];             /* [made from the address] */
	uint16_t tags[CONVO_TAGS_MAX]; /* TCI, outermost first */
	unsigned n_tags;               /* [0]; the last is 802.1Q, those outside it 802.1ad */
	size_t mss;                    /* bytes of payload in a segment [1460, IPv6: 1440] */
	unsigned ack_every; /* segments the peer lets pass without an ACK [2]; 0: no ACKs */
	bool syn_mss;       /* SYNs carry the MSS option [true] */
	uint64_t now_ns;    /* since the epoch; [0] */
	uint64_t gap_ns;    /* [1000000] */
	convo_sink *sink;
	void *ctx;

	/* kept */
	uint32_t seq[2];     /* next byte to send; before convo_open: the initial number */
	uint16_t ip_id[2];   /* of the next packet */
	unsigned unacked[2]; /* segments sent that the peer has not acknowledged */
};

void convo_init(struct convo *c, uint8_t proto, struct frame_end client,
		struct frame_end server, convo_sink *sink, void *ctx);

/* TCP: the three frames of the handshake. */
void convo_open(struct convo *c);

/*
 * A message: TCP segments of at most mss bytes, PSH on the last, with the peer's bare ACKs as
 * ack_every says (a message of the peer's carries its ACK with it); UDP: one datagram.
 */
void convo_send(struct convo *c, enum convo_from from, const void *bytes, size_t len);

/* TCP: one segment exactly as said, no ACK by the peer. SYN and FIN count in sequence. */
void convo_segment(struct convo *c, enum convo_from from, uint8_t flags, const void *bytes,
		   size_t len);

/* TCP: a bare ACK of all that the other side has sent. */
void convo_ack(struct convo *c, enum convo_from from);

/* TCP: FIN from this side, FIN/ACK from the other, ACK. */
void convo_close(struct convo *c, enum convo_from from);

/* TCP: RST/ACK. */
void convo_reset(struct convo *c, enum convo_from from);

#endif
