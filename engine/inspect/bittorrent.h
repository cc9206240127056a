/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_BITTORRENT_H
#define INSPECT_BITTORRENT_H

/*
 * BitTorrent over UDP, of which one end point often sends all three kinds: messages of the
 * DHT, questions to trackers, and connections of uTP. bittorrent.c looks at each datagram as
 * each of them; the readers here keep no state, but for uTP's, which is judged by both
 * directions.
 */

#include "inspect/inspector.h"

/* Bencoding (BEP 3): each reads one value and says whether it was well-formed. */
bool bittorrent_string(struct bytes *b, struct bytes *string);
bool bittorrent_number(struct bytes *b, int64_t *number);
bool bittorrent_value(struct bytes *b); /* any, up to 16 in each other */

/* A message of the DHT (BEP 5). */
struct bittorrent_dht {
	uint8_t kind;           /* 'q', 'r' or 'e' */
	bool implied;           /* announce_peer: the port is the datagram's */
	int64_t port;           /* announce_peer; 0: not told */
	struct bytes query;     /* what is asked for */
	struct bytes info_hash; /* 20 bytes, or empty */
	struct bytes values;    /* a list of peers, or empty */
};

/* Whether the datagram is one, to its last byte. */
bool bittorrent_dht_read(struct bytes data, struct bittorrent_dht *m);

/* A datagram between a client and a tracker (BEP 15). */
enum bittorrent_action {
	BITTORRENT_CONNECT,
	BITTORRENT_ANNOUNCE,
	BITTORRENT_SCRAPE,
	BITTORRENT_ERROR,
	BITTORRENT_NOTHING
};

struct bittorrent_tracker {
	uint8_t action;
	uint32_t transaction;
	uint16_t port;          /* a request to announce: of the client; 0: the datagram's */
	struct bytes info_hash; /* 20 bytes, or empty */
};

/*
 * A request to connect is known by its own bytes, one to announce is likely; an answer is
 * known only by what was asked in which transaction. Peers are compact, and may be none.
 */
enum inspect_answer bittorrent_tracker_request(struct bytes data, struct bittorrent_tracker *t);
bool bittorrent_tracker_answer(struct bytes data, uint8_t asked, uint32_t transaction,
			       struct bytes *peers);

/* A connection of uTP (BEP 29), as far as it was seen. */
struct bittorrent_utp {
	struct {
		bool seen;
		uint16_t id, seq, ack;
		uint32_t time_us;
		uint64_t clock_us; /* of the capture, when this was sent */
	} side[2];
	uint8_t clocks; /* times that a side's clock went as the capture's, to the second */
	uint8_t pairs;  /* datagrams that the other side's ids and numbers agree with */
};

/* What all datagrams up to this one say; NO: this is none of uTP's. */
enum inspect_answer bittorrent_utp_add(struct bittorrent_utp *utp,
				       const struct inspect_view *view);

#endif
