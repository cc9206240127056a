/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_INSPECTOR_H
#define INSPECT_INSPECTOR_H

/*
 * An inspector reads what a module's text cannot say: one protocol, one file,
 * one `const struct inspector inspect_<name>`, one line in inspect/local.mk. A
 * module binds it with `inspect NAME`. It sees ordered payload and its own
 * state, never a packet or a flow, keeps nothing anywhere else, and takes
 * nothing that it must give back: a flow may end at any time.
 *
 * The life of a flow, as an inspector sees it:
 *
 *	feed(zeroed state) ── NO ──► never called again for this flow
 *	      │ MORE                 nothing to say yet; called with the next bytes
 *	      │ LIKELY               probably mine; more may prove it
 *	      │ SURE                 mine; a name (host, server name, media) may follow
 *	      │ NAMED                mine, and all that names the flow has been told
 *	      ▼ DONE                 as NAMED, and nothing more is wanted
 *
 * After NAMED the inspector is fed for as long as the flow lives, in ordered
 * bytes without bound (later transactions, fields, announcements).
 */

#include "base/bytes.h"
#include <barn/err.h>

enum inspect_dir { INSPECT_CLIENT, INSPECT_SERVER }; /* who sent it: initiator, responder */

enum inspect_answer {
	INSPECT_NO,
	INSPECT_MORE,
	INSPECT_LIKELY,
	INSPECT_SURE,
	INSPECT_NAMED,
	INSPECT_DONE,
};

enum inspect_transport { INSPECT_TCP = 1, INSPECT_UDP = 2 };

/*
 * What one call is given. Over TCP `data` is the ordered bytes of one
 * direction that the inspector has not consumed; it moves data.p over what it
 * has read, and sees the rest again, with more behind it, in the next call. Over UDP
 * `data` is one whole datagram. A window is at most INSPECT_WINDOW long: when
 * it is full and nothing is consumed, its first half is dropped, as if lost.
 */
enum { INSPECT_WINDOW = 16384 };

struct inspect_view {
	struct bytes data;
	uint64_t time_ns;
	uint8_t dir;       /* enum inspect_dir */
	uint8_t transport; /* enum inspect_transport */
	bool lost;         /* bytes are missing before data: a gap that was given up */
	bool ended;        /* this direction has no more after data (FIN) */
	bool snapped;      /* UDP: data was cut by the capture */
	uint16_t port[2];  /* of the client and of the server: a hint, never proof */
	uint32_t datagram; /* UDP: number of this datagram in its direction, from 0 */
};

/* A flow that this one announces: the first (or each) flow to this endpoint is NAME. */
struct inspect_announcement {
	const char *protocol; /* name of a module */
	const char *carrier;  /* what it runs over, whose inspector reads it; NULL: none */
	uint8_t ip_version;   /* 4 or 6; 0: the address of `host` */
	uint8_t host;         /* enum inspect_dir, where ip_version is 0 */
	uint8_t address[16];
	uint16_t port;
	uint8_t transport; /* enum inspect_transport */
	bool many;         /* all flows during its life, not just the first */
	uint32_t life_s;   /* 0: the default, 120 s */
};

/* Where an inspector puts what it finds; `self` comes back unchanged. */
struct inspect_sink {
	void *self;
	/* A value of fields[field] of the inspector; bytes as they are, copied by the sink. */
	void (*field)(void *self, unsigned field, struct bytes value);
	/* Same, for a number (shown in decimal). */
	void (*number)(void *self, unsigned field, uint64_t value);
	/* A flow that will come. */
	void (*announce)(void *self, const struct inspect_announcement *announcement);
	/* A server at this address has this name, for ttl_s seconds (a DNS answer). */
	void (*name)(void *self, uint8_t ip_version, const uint8_t *address, struct bytes name,
		     uint32_t ttl_s);
	/*
	 * From the bytes after those consumed, in both directions, another protocol runs
	 * inside (CONNECT, Upgrade): NAME of a module, or NULL to recognise it afresh.
	 */
	void (*inner)(void *self, const char *protocol);
	/*
	 * What this protocol carries in this flow, by its own word (ALPN, a media type): NAME
	 * of a module. The first stands; an application known by its server's name comes
	 * inside.
	 */
	void (*application)(void *self, const char *protocol);
};

enum inspect_field_kind {
	INSPECT_TEXT,
	INSPECT_BULK, /* a text that policies may match on, too large to keep: a whole header */
	INSPECT_NUMBER,
	INSPECT_SERVER_NAME, /* a text that names the server: children are looked up by it */
};

struct inspect_field {
	const char *name; /* without the protocol: "host" is seen by users as "http.host" */
	uint8_t kind;     /* enum inspect_field_kind */
};

#define INSPECTOR_ABI 1

struct inspector {
	uint32_t abi;  /* INSPECTOR_ABI */
	uint32_t size; /* sizeof(struct inspector) */
	const char *name;
	uint32_t state_size; /* bytes of state a flow; zeroed before the first call */
	uint8_t transports;  /* enum inspect_transport, or'd; 0: only what is handed over */
	const struct inspect_field *fields;
	unsigned field_count;
	uint32_t clear_size; /* only so many bytes of the state are zeroed; 0: all */
	enum inspect_answer (*feed)(void *state, struct inspect_view *view,
				    const struct inspect_sink *sink);
};

/* All of them, in the order of inspect/local.mk; generated by the build. */
extern const struct inspector *const inspectors[];
extern const size_t inspectors_count;

/* By name; NULL if there is none. */
const struct inspector *inspector_find(const char *name);

#endif
