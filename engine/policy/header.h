/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef POLICY_HEADER_H
#define POLICY_HEADER_H

/*
 * What a packet's own headers say to a policy, and the tables that look it up.
 *
 * Tag and IP header are the outermost: they are what this hop and the next one see, and what
 * rewrite.h changes. (Addresses and ports are the flow's, and so the innermost.)
 *
 * Each test is about one field; a field has a small domain of indexes (a DS byte, a tag, a
 * length, ...), and a table from an index to the *kind* of packets that the field's tests
 * cannot tell apart. All kinds side by side in 64 bits are a packet's kinds: packets with equal
 * ones pass the same tests.
 */

#include "base/arena.h"
#include "classify/registry.h"
#include "policy/model.h"

enum { HEADER_NONE = 0xffff };

/* Where they lie in the frame; HEADER_NONE: there is none. */
struct header_place {
	uint16_t tag; /* of the two bytes behind 0x8100 or alike */
	uint16_t ip;
	uint8_t ip_version; /* 0: none */
};

/* Ethernet, Linux cooked and raw IP; of other link types a plain packet's only IP header. */
struct header_place header_find(const struct packet *packet);

enum header_field {
	HEADER_DS,
	HEADER_COS,
	HEADER_VLAN,
	HEADER_LENGTH,
	HEADER_FLAGS, /* of TCP */
	HEADER_FRAGMENT,
	HEADER_ICMP,
	HEADER_INPUT,
	HEADER_SOURCE, /* MAC */
	HEADER_DESTINATION,
	HEADER_FIELDS
};

struct header_test {
	uint8_t field;      /* enum header_field */
	bool ip4_only;      /* of DS */
	bool precedence;    /* of DS: the upper three bits, not six */
	bool established;   /* of FLAGS */
	uint8_t set, clear; /* of FLAGS */
	uint8_t mac[6];     /* of SOURCE, DESTINATION */
	struct list ranges; /* struct policy_range */
	uint16_t iface;     /* of INPUT; HEADER_NONE: an interface that there is not */
};

struct header_tables {
	const struct header_test *tests;
	unsigned test_count;
	struct {
		uint16_t *kinds; /* by index; NULL: no test asks */
		uint32_t size;
		uint8_t shift;
	} field[HEADER_FIELDS];
	struct list macs[2]; /* uint8_t[6]: those that tests name, source and destination */
	uint16_t interfaces;
	bool wanted; /* there is any test */
	bool placed; /* one that needs header_find */
};

/* BARN_ERR_ARGUMENT: more kinds than 64 bits can tell apart. */
enum barn_err header_compile(struct header_tables *tables, struct arena *arena,
			     const struct header_test *tests, unsigned count,
			     uint16_t interfaces);

uint64_t header_kinds(const struct header_tables *tables, const struct packet *packet);
/* Whether the packet passes the test; as slow as it is plain. */
bool header_holds(const struct header_tables *tables, const struct header_test *test,
		  const struct packet *packet);

#endif
