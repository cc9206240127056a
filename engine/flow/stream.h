/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef FLOW_STREAM_H
#define FLOW_STREAM_H

/*
 * One direction of a flow, in order. Over TCP a window onto the byte stream: segments are put
 * in order, retransmissions and overlaps cut (the first bytes that came stay), gaps waited for.
 * Over UDP the first datagrams, each whole, one behind the other.
 *
 *	    forgotten        │ data, in order        │ gap │ waiting segments
 *	                  offset              offset + len
 *
 * Memory comes from a store of fixed size that all streams of a worker share; at the bound a
 * stream stops taking bytes (`full`), and recognition goes by what it has. Nothing is copied
 * when a segment comes in order and the caller is through with it before the next one:
 * stream_add lends the payload itself, and stream_keep copies what is still wanted.
 *
 * Numbers are modulo 2^32. Without a SYN the first payload says where the stream starts; as
 * long as nothing was forgotten, segments that come late and belong before it, within a window,
 * are put in front. A number 2^30 or more ahead cannot be in any receiver's window (RFC 7323,
 * section 2.2) and is not heeded. A RST's payload is no part of the stream: do not add it.
 */

#include "base/bytes.h"
#include <barn/err.h>

struct stream_store;

struct stream_store_options {
	uint32_t bytes;    /* memory for all streams; 0: 64 MiB */
	uint32_t window;   /* most that one direction keeps; 0: 16 KiB; at most 1 MiB */
	uint32_t segments; /* segments waiting behind a gap, a direction; 0: 64; <= 4096 */
};

struct stream_store_stats {
	uint64_t copied, refused; /* bytes copied; bytes that found no room */
	uint32_t used, peak;      /* bytes */
	uint64_t gaps;            /* gaps given up */
	uint64_t failed;          /* blocks that the store had no room for */
};

enum barn_err stream_store_new(const struct stream_store_options *options,
			       struct stream_store **store);
void stream_store_free(struct stream_store *store);
const struct stream_store_stats *stream_store_stats(const struct stream_store *store);

enum { STREAM_DATAGRAMS = 8 }; /* boundaries kept, a direction */

struct stream {
	uint64_t offset;     /* stream position of data's first byte */
	const uint8_t *data; /* ordered bytes; lent or owned */
	uint32_t len;
	uint32_t capacity; /* of owned; 0: none */
	uint8_t *owned;
	struct stream_segment *waiting;  /* in order of sequence numbers */
	uint32_t base;                   /* sequence number of data's first byte */
	uint16_t datagrams;              /* datagrams that came so far, kept or not (UDP) */
	uint16_t kept;                   /* of these: how many boundaries are in `ends` */
	uint32_t ends[STREAM_DATAGRAMS]; /* end of each kept datagram in data */
	uint32_t fin_at;                 /* sequence number of the FIN */
	uint32_t missing;                /* bytes behind data that will not come: snapped off */
	uint16_t n_waiting;              /* segments */
	uint8_t beyond;                  /* segments in a row that were too far ahead to wait */
	bool lent : 1;                   /* data is the packet's */
	bool started : 1;                /* base is known */
	bool synced : 1;  /* base comes from a SYN: data starts where the stream starts */
	bool fin : 1;     /* a FIN came; its position is `fin_at` */
	bool ended : 1;   /* all bytes up to the FIN are in data or forgotten */
	bool lost : 1;    /* a gap was given up just before data's first byte; caller clears */
	bool fronted : 1; /* bytes were put in front, or a SYN made what was there an older
			     connection's: what was read is out of place; caller clears */
	bool part : 1;    /* data is the beginning of one datagram, see stream_part */
	bool full : 1;    /* bytes were refused at a bound; data is what there will be */
};

/*
 * A TCP segment. Returns how many bytes data grew by (0: a gap, a duplicate, no payload); all
 * of data when bytes were put in front or a gap was given up, as then nothing is as it was.
 * `skip_gaps`: when too much waits behind a gap, give it up and go on behind it (`lost`)
 * instead of stopping (`full`); a full stream starts again behind what was refused.
 * `payload_len` is the length on the wire: bytes that were snapped off are a gap, and given up
 * at once. After the call data is valid until stream_keep, the next stream_add, or the packet's
 * end; it may be longer than the window until stream_keep.
 */
uint32_t stream_add(struct stream *stream, struct stream_store *store, uint32_t seq, bool syn,
		    bool fin, struct bytes payload, uint32_t payload_len, bool skip_gaps);

/* A datagram (UDP): appended whole while boundaries and room are left; counted in any case. */
void stream_datagram(struct stream *stream, struct stream_store *store, struct bytes payload);

/*
 * The first fragment's part of a datagram or segment, where nothing came before it: kept until
 * a whole one comes, which takes its place. stream_part_stands: none came, so it counts as one;
 * false: there is none.
 */
void stream_part(struct stream *stream, struct stream_store *store, struct bytes payload);
bool stream_part_stands(struct stream *stream);

/*
 * Gives up the gap in front of the waiting segments, if there is one, and with it the data
 * before it. Returns as stream_add.
 */
uint32_t stream_skip(struct stream *stream, struct stream_store *store);

/* Forgets the first n bytes of data, or all if it has fewer. */
void stream_forget(struct stream *stream, uint32_t n);

/*
 * Makes data the stream's own, so that it outlives the packet, and cuts it to the window. Call
 * once a packet, at its end: what is lent and was not kept is forgotten.
 */
void stream_keep(struct stream *stream, struct stream_store *store);

/* Gives all memory back; the stream is as new. */
void stream_clear(struct stream *stream, struct stream_store *store);

#endif
