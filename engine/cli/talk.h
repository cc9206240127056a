/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_TALK_H
#define CLI_TALK_H

/*
 * What the flows of a capture said: for each, the engine's verdict and the first packets with
 * payload, kept, so that rules can be tried on them afterwards as the engine tried them, packet
 * by packet. Bounded: TALK_PACKETS packets and TALK_BYTES bytes a flow, TALKS flows, and
 * TALKS_BYTES in all; a flow of which more was sent says so. All of it lives until talk_free,
 * and names in it as long as the engine.
 */

#include "base/arena.h"
#include "cli/walk.h"
#include "flow/stream.h"
#include "match/view.h"
#include "pdl/pdl.h"

enum { TALK_PACKETS = 128, TALK_BYTES = 49152, TALKS = 65536, TALKS_BYTES = 1 << 28 };

struct talk_packet {
	uint64_t frame;  /* number in the capture; 0: not from a capture */
	uint32_t number; /* of the flow's packets, from 1 */
	uint8_t dir;     /* enum match_dir */
	uint8_t tcp_flags;
	uint32_t seq;
	uint32_t length; /* of the payload on the wire */
	struct bytes payload;
};

struct talk {
	struct barn_flow_info info;
	struct talk_packet *packets;
	unsigned count, room;
	uint32_t bytes;
	uint32_t seen;         /* packets of the flow so far */
	uint8_t first_src[16]; /* who sent the first */
	uint16_t first_port;
	char host[128]; /* the server's name, if one was found in the flow */
	bool more;      /* than was kept */
	bool ended;
};

struct talks {
	struct arena *arena;
	struct talk *list; /* in the order of their numbers */
	unsigned count, room;
	uint32_t bytes;
	uint64_t left_out; /* flows beyond TALKS */
	bool failed;       /* out of memory */
};

/* Reads all; packet and ended of the options are its own. Returns as walk, and tells of what
 * was left out. */
int talk_read(const struct walk_options *options, struct talks *talks);
void talk_free(struct talks *talks);

/* A module's test vector as a talk; its packets lie in the arena, its bytes stay the test's. */
enum barn_err talk_of_test(const struct pdl_test *test, struct arena *arena, struct talk *talk);

/* Rules' view of a talk, as it grows. */
struct talk_view {
	const struct talk *talk;
	struct stream_store *store;
	struct stream stream[2];
	struct match_view view;
	unsigned at; /* the next packet */
	uint32_t turn[2];
	bool turn_over[2];
};

enum barn_err talk_view_new(const struct talk *talk, struct talk_view **view);
void talk_view_free(struct talk_view *view);

/*
 * Shows one packet more; NULL at the end, when each side is closed: then a rule must say yes or
 * no. view->view is valid until the next call.
 */
const struct talk_packet *talk_view_next(struct talk_view *view);

/* One direction's bytes in order, as far as they are known: over TCP of its stream, over UDP of
 * all datagrams one behind the other. */
struct bytes talk_view_bytes(const struct talk_view *view, enum match_dir dir);

#endif
