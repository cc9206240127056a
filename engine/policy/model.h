/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef POLICY_MODEL_H
#define POLICY_MODEL_H

/*
 * Class maps, policy maps, access lists and where policies are applied, as they were written:
 * conf reads them into this, policy compiles it. All names are resolved by the compiler, not
 * here, so that things may stand in any order. Everything lies in the owner's arena.
 *
 *	interface ──► policy map ──► entry ──► class map ──► statements ──► access list, class
 *		       (attach)       │
 *				      └─► actions, child policy map
 */

#include "base/list.h"

#include <stdbool.h>
#include <stdint.h>

/* Where something stands in a configuration, for faults that are found later. */
struct policy_place {
	const char *file;
	uint32_t line, column;
};

/* From low to high, both included. */
struct policy_range {
	uint32_t low, high;
};

enum policy_test {
	POLICY_ANY,
	POLICY_PROTOCOL,    /* words: as policy/match.h takes them, from `protocol` on */
	POLICY_ATTRIBUTE,   /* `protocol attribute KEY VALUE`: name, value */
	POLICY_ACCESS,      /* access-group [name] NAME */
	POLICY_CLASS,       /* class-map NAME */
	POLICY_DSCP,        /* ranges; `ip dscp` as well as `dscp` */
	POLICY_PRECEDENCE,  /* ranges */
	POLICY_COS,         /* ranges; of the outermost tag */
	POLICY_VLAN,        /* ranges; of the outermost tag */
	POLICY_LENGTH,      /* ranges; of the network packet (layer 3) */
	POLICY_SOURCE,      /* source-address mac */
	POLICY_DESTINATION, /* destination-address mac */
	POLICY_INPUT,       /* input-interface NAME */
	POLICY_TESTS
};

struct policy_statement {
	uint8_t test; /* enum policy_test */
	bool not ;
	bool ip_only;      /* `match ip dscp`: IPv4 alone */
	const char *text;  /* canonical, behind "match ": "not protocol http url \"*\"" */
	const char *name;  /* of the access list, class, attribute's key, interface */
	const char *value; /* the attribute's */
	const char *const *words;
	const uint32_t *columns; /* of the words, for match_new */
	unsigned word_count;
	struct list ranges; /* struct policy_range; any of them */
	uint8_t mac[6];
	struct policy_place place; /* of the first word behind `match [not]` */
};

struct policy_class {
	const char *name, *description; /* NULL: none */
	bool all;               /* match-all, as routers have it where nothing is said */
	struct list statements; /* struct policy_statement */
	struct policy_place place;
};

/* What is done with a packet; several may be for one class or one colour. */
enum policy_act {
	POLICY_TRANSMIT, /* of a colour: it passes as it is */
	POLICY_DROP,
	POLICY_REJECT,         /* TCP reset or ICMP administratively prohibited to the sender */
	POLICY_SET_DSCP,       /* value */
	POLICY_SET_PRECEDENCE, /* value; changes the three bits alone */
	POLICY_SET_COS,        /* value; where there is a tag */
	POLICY_SET_QOS_GROUP,  /* value */
	POLICY_SET_MARK,       /* value, mask: of the packet in the kernel */
	POLICY_LOG,            /* value: at most so many lines a second */
	POLICY_MIRROR,         /* name: a capture file */
	POLICY_ACTS
};

struct policy_action {
	uint8_t act; /* enum policy_act */
	uint32_t value, mask;
	const char *name;
	struct policy_place place;
};

enum policy_colour { POLICY_CONFORM, POLICY_EXCEED, POLICY_VIOLATE, POLICY_COLOURS };

/*
 * A policer. One rate without `be`: two colours; one rate with `be`: three, RFC 2697; two
 * rates: RFC 2698. Rates in bit/s and bursts in bytes, or, by packets, packets/s and packets.
 * Sizes that were not given are 0: the compiler sets them as barn.conf(5) says.
 */
struct policy_police {
	bool packets; /* `police rate N pps` */
	bool percent; /* cir and pir are per cent of the interface's speed, bursts milliseconds
		       */
	bool two_rates;
	bool three_colours;
	uint64_t cir, pir;
	uint64_t bc, be;
	struct list actions[POLICY_COLOURS]; /* struct policy_action */
	struct policy_place place;
};

/* For the kernel's queueing, which `barn conf tc` writes. */
enum policy_queueing { POLICY_NO_QUEUE, POLICY_BANDWIDTH, POLICY_PRIORITY, POLICY_SHAPE };
enum policy_unit { POLICY_KBPS, POLICY_PERCENT, POLICY_REMAINING, POLICY_RATIO };

struct policy_queue {
	uint8_t kind; /* enum policy_queueing */
	uint8_t unit; /* enum policy_unit */
	uint8_t level;
	uint64_t rate;  /* kbit/s or per cent; of a shape bit/s */
	uint64_t burst; /* bytes; 0: not given */
	struct policy_place place;
};

struct policy_entry {
	const char *class_name; /* "class-default" is the last, whether it is written or not */
	struct list actions;    /* struct policy_action */
	struct policy_police *police; /* NULL: none */
	struct list queues;           /* struct policy_queue */
	const char *child;            /* service-policy NAME; NULL: none */
	struct policy_place place, child_at;
};

/* What happens to packets whose protocol is not known yet, where a class asks for it. */
enum policy_first { POLICY_FIRST_PASS, POLICY_FIRST_HOLD, POLICY_FIRST_DEFAULT };

struct policy_map {
	const char *name, *description;
	uint8_t first;       /* enum policy_first */
	uint32_t first_hold; /* packets of a flow that are held at most */
	struct list entries; /* struct policy_entry */
	struct policy_place place;
};

/* One rule of an access list, with wildcards turned into masks: (address & mask) == value. */
struct policy_rule {
	bool permit;
	bool ip6;
	bool any_protocol;
	uint8_t protocol; /* IP protocol number */
	uint8_t source[16], source_mask[16], destination[16], destination_mask[16];
	struct list source_ports, destination_ports;  /* struct policy_range; empty: any */
	bool source_ports_not, destination_ports_not; /* `neq` */
	bool established;                             /* TCP with ACK or RST */
	uint8_t flags_set, flags_clear;               /* of TCP: `syn`, `match-all +syn -ack` */
	bool fragments;                               /* later fragments alone */
	struct list dscps;                            /* struct policy_range; empty: any */
	struct list icmp; /* struct policy_range of type << 8 | code; empty: any */
	bool log;
	uint32_t sequence;
	const char *text, *remark; /* canonical; a remark has no effect */
	struct policy_place place;
};

struct policy_access {
	const char *name; /* "101", "VOICE" */
	bool ip6, extended;
	struct list rules; /* struct policy_rule, in the order of sequence */
	struct policy_place place;
};

struct policy_attach {
	const char *interface;
	bool output;
	const char *map;
	struct policy_place place;
};

struct policy_model {
	struct list classes;  /* struct policy_class * */
	struct list maps;     /* struct policy_map * */
	struct list accesses; /* struct policy_access * */
	struct list attaches; /* struct policy_attach */
};

/* model.c: case counts, as on a router; NULL: there is none. */
const struct policy_class *model_class(const struct policy_model *model, const char *name);
const struct policy_map *model_map(const struct policy_model *model, const char *name);
const struct policy_access *model_access(const struct policy_model *model, const char *name);

#endif
