/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_INSPECTOR_H
#define BARN_INSPECTOR_H

/*
 * An inspector reads what a module's text cannot say; barn's own and those of shared objects
 * are the same thing. A module binds one with `inspect NAME`. It sees ordered payload and its
 * own state, never a packet or a flow, keeps nothing anywhere else, and takes nothing that it
 * must give back: a flow may end at any time. Flows of several threads are inspected at once.
 * barn-inspector(3) has all of it, and an example.
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

#include <barn/bytes.h>

enum barn_inspector_dir { BARN_INSPECTOR_CLIENT, BARN_INSPECTOR_SERVER }; /* who sent it */

enum barn_inspector_answer {
	BARN_INSPECTOR_NO,
	BARN_INSPECTOR_MORE,
	BARN_INSPECTOR_LIKELY,
	BARN_INSPECTOR_SURE,
	BARN_INSPECTOR_NAMED,
	BARN_INSPECTOR_DONE,
};

enum barn_inspector_transport { BARN_INSPECTOR_TCP = 1, BARN_INSPECTOR_UDP = 2 };

/*
 * What one call is given. Over TCP `data` is the ordered bytes of one direction that the
 * inspector has not consumed; it moves data.p over what it has read, and sees the rest again,
 * with more behind it, in the next call. Over UDP `data` is one whole datagram. A window is at
 * most BARN_INSPECTOR_WINDOW long: when it is full and nothing is consumed, its first half is
 * dropped, as if lost.
 */
enum { BARN_INSPECTOR_WINDOW = 16384 };

struct barn_inspector_view {
	struct barn_bytes data;
	uint64_t time_ns;
	uint8_t dir;       /* enum barn_inspector_dir */
	uint8_t transport; /* enum barn_inspector_transport */
	bool lost;         /* bytes are missing before data: a gap that was given up */
	bool ended;        /* this direction has no more after data (FIN) */
	bool snapped;      /* UDP: data was cut by the capture */
	uint16_t port[2];  /* of the client and of the server: a hint, never proof */
	uint32_t datagram; /* UDP: number of this datagram in its direction, from 0 */
};

/* A flow that this one announces: the first (or each) flow to this endpoint is NAME. */
struct barn_inspector_announcement {
	const char *protocol; /* name of a module */
	const char *carrier;  /* what it runs over, whose inspector reads it; NULL: none */
	uint8_t ip_version;   /* 4 or 6; 0: the address of `host` */
	uint8_t host;         /* enum barn_inspector_dir, where ip_version is 0 */
	uint8_t address[16];
	uint16_t port;
	uint8_t transport; /* enum barn_inspector_transport */
	bool many;         /* all flows during its life, not just the first */
	uint32_t life_s;   /* 0: the default, 120 s */
};

/* Where an inspector puts what it finds, during the call; `self` comes back unchanged. */
struct barn_inspector_sink {
	void *self;
	/* A value of fields[field] of the inspector; bytes as they are, copied by the sink. */
	void (*field)(void *self, unsigned field, struct barn_bytes value);
	/* Same, for a number (shown in decimal). */
	void (*number)(void *self, unsigned field, uint64_t value);
	/* A flow that will come. */
	void (*announce)(void *self, const struct barn_inspector_announcement *announcement);
	/* A server at this address has this name, for ttl_s seconds (a DNS answer). */
	void (*name)(void *self, uint8_t ip_version, const uint8_t *address,
		     struct barn_bytes name, uint32_t ttl_s);
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

enum barn_inspector_field_kind {
	BARN_INSPECTOR_TEXT,
	BARN_INSPECTOR_BULK, /* a text that policies may match on, too large to keep */
	BARN_INSPECTOR_NUMBER,
	BARN_INSPECTOR_SERVER_NAME, /* names the server: children are looked up by it */
};

struct barn_inspector_field {
	const char *name; /* without the protocol: "host" is seen by users as "http.host" */
	uint8_t kind;     /* enum barn_inspector_field_kind */
};

/*
 * One way in which a side's first bytes may be this protocol's. An inspector that tells all of
 * them is only asked where one fits, so that what a flow costs does not grow with the number of
 * inspectors. What must be true: on a state that is new, where nothing was lost, feed says NO
 * to whatever begins in none of these ways, however few of its bytes are there (bytes that are
 * not there fit).
 */
enum { BARN_INSPECTOR_START_BYTES = 12 };
enum { BARN_INSPECTOR_FROM_CLIENT = 1, BARN_INSPECTOR_FROM_SERVER = 2 };

struct barn_inspector_start {
	uint8_t transports;   /* or'd; 0: all of the inspector's */
	uint8_t from;         /* BARN_INSPECTOR_FROM_*, or'd; 0: both sides */
	uint16_t port;        /* one of the flow's two; 0: any */
	uint16_t least, most; /* so many bytes are there; most 0: no bound */
	uint8_t count;        /* of bytes that are told */
	uint8_t bytes[BARN_INSPECTOR_START_BYTES][2]; /* the lowest and highest value of each */
};

/*
 * The contract's number, in inspectors and in modules. It changes when a struct of this header
 * changes otherwise than by members at the end of the two that tell their size: of one that was
 * made with less, what is missing is zero; one that has more than the engine knows is refused.
 */
enum { BARN_INSPECTOR_ABI = 1 };

enum {
	BARN_INSPECTOR_STATE_MAX = 8192, /* bytes of state a flow */
	BARN_INSPECTOR_FIELDS_MAX = 64,
	BARN_INSPECTOR_STARTS_MAX = 256,
	BARN_INSPECTOR_NAME_MAX = 32,   /* bytes of a name of an inspector or a field */
	BARN_INSPECTOR_MODULE_MAX = 64, /* inspectors of a module */
};

struct barn_inspector {
	uint32_t abi;  /* BARN_INSPECTOR_ABI */
	uint32_t size; /* sizeof(struct barn_inspector) */
	const char *name;
	uint32_t state_size; /* bytes of state a flow; zeroed before the first call */
	uint8_t transports;  /* or'd; 0: only what is handed over */
	const struct barn_inspector_field *fields;
	unsigned field_count;
	uint32_t clear_size; /* only so many bytes of the state are zeroed; 0: all */
	enum barn_inspector_answer (*feed)(void *state, struct barn_inspector_view *view,
					   const struct barn_inspector_sink *sink);
	const struct barn_inspector_start *starts; /* NULL: it is always asked */
	unsigned start_count;
	bool transactions; /* fields[0] begins one: values of the one before are no more true */
};

/*
 * What a shared object exports, as the one symbol that is looked for. It, and all that it
 * points to, stays as it is until the object is closed.
 */
struct barn_inspector_module {
	uint32_t abi;     /* BARN_INSPECTOR_ABI */
	uint32_t size;    /* sizeof(struct barn_inspector_module) */
	const char *text; /* modules, as of a file (pdlm(5)); NULL: they come from elsewhere */
	const struct barn_inspector *const *inspectors;
	uint32_t inspector_count;
};

extern const struct barn_inspector_module barn_inspector_module;

#endif
