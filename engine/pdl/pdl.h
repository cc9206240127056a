/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PDL_PDL_H
#define PDL_PDL_H

/*
 * The module language, from text to checked and compiled modules.
 *
 *	text ─► lex ─► parse ─► check ─► emit ─► struct pdl_set
 *	                 faults, file:line:column
 *
 * This is what a module is; pdl/set.h has the sets of them. pdlm.5 defines the language.
 */

#include "base/text.h"
#include "match/regex.h"
#include "match/rule.h"
#include "pdl/custom.h"
#include "pdl/set.h"
#include <barn/fault.h>

enum pdl_transport { PDL_TCP = 1, PDL_UDP = 2, PDL_SCTP = 4 };
enum pdl_strength { PDL_HINT, PDL_LIKELY, PDL_SURE };
enum pdl_side { PDL_CLIENT, PDL_SERVER, PDL_ANY };

struct pdl_port {
	uint8_t transport; /* enum pdl_transport */
	uint16_t low, high;
};

struct pdl_attribute {
	const char *key, *value; /* "category", "file-sharing" */
};

struct pdl_node; /* source of a rule (tree.h) */

struct pdl_rule {
	const char *name;
	uint8_t transports; /* or'd */
	uint8_t strength;   /* enum pdl_strength */
	const struct rule *rule;
	const struct pdl_node *body;
	uint32_t line;
};

/* How a value is cut out of what a side sends: from each line, or once from a place. */
struct pdl_source {
	uint8_t side;   /* enum pdl_side */
	bool line;      /* each line, for as long as the flow lives */
	bool next;      /* upgrades: the side's first line after the step before, or none */
	uint32_t place; /* not a line: stream offset, or number of a datagram */
	const struct regex *regex;
};

struct pdl_field {
	const char *name;         /* without the protocol */
	struct pdl_source source; /* group 1 is the value, or the whole match */
	bool number;              /* of at most 8 bytes in network order, as a decimal number */
};

enum pdl_subclass_kind { PDL_GLOB, PDL_NUMBERS, PDL_FLAG };

/* `match protocol http url "*.jpg"`: sub-class url glob of field url. */
struct pdl_subclass {
	const char *name;
	uint8_t kind; /* PDL_GLOB: a string pattern; PDL_NUMBERS: "0,1,4-0x10"; PDL_FLAG: no
			 argument */
	const char *field; /* a field of this protocol */
	const char *value; /* PDL_FLAG: what the field must equal */
};

/* Arithmetic on captures: "$5 * 256 + $6", "u16be($1)". A short postfix program. */
struct pdl_sum;
/* `ports` by enum match_dir. False if a capture is no number, or the result is outside
 * 0..65535. */
bool pdl_sum_run(const struct pdl_sum *sum, const struct bytes groups[REGEX_GROUPS],
		 const uint16_t ports[2], uint32_t *value);

enum pdl_address {
	PDL_AT_CLIENT,
	PDL_AT_SERVER,
	PDL_AT_TEXT,    /* as text in group[0] */
	PDL_AT_RAW,     /* group[0] is 4 or 16 bytes */
	PDL_AT_DOTTED,  /* four groups */
	PDL_AT_ADDRESS, /* what the same side last said in a source with `address` */
};

/* A flow that the dialogue announces; with `address`, only where later ones will be. */
struct pdl_expect {
	const char *protocol;
	uint8_t transports;
	struct pdl_source source;
	bool address;
	uint8_t at; /* enum pdl_address; with `address` TEXT, RAW or DOTTED */
	uint8_t group[4];
	const struct pdl_sum *port;
	uint32_t life_s; /* 0: the default */
	bool many;
};

/*
 * Lines, and what matches at a place, that, seen in this order, hand the connection to another
 * protocol from the next byte on.
 */
struct pdl_upgrade {
	const char *protocol; /* NULL: recognise afresh */
	const struct pdl_source *steps;
	unsigned step_count;
};

struct pdl_message {
	uint8_t dir; /* enum match_dir */
	struct bytes data;
};

/* A flow that a test's dialogue must have announced. */
struct pdl_promise {
	const char *protocol;
	uint8_t transport;
	uint8_t dir; /* enum match_dir: whose address it goes to */
	uint16_t port;
	uint32_t line, column;
};

struct pdl_test {
	const char *name;
	uint8_t transport; /* enum pdl_transport */
	const struct pdl_message *messages;
	unsigned message_count;
	const char *expect; /* name of a protocol, or "unknown" */
	uint16_t port;      /* the server's; 0: one that no module claims */
	bool custom; /* it is about a custom protocol; other tests are run as if none were */
	const struct pdl_promise *promises;
	unsigned promise_count;
	uint32_t line, column;
};

struct pdl_protocol {
	const char *file, *name, *title, *reference;
	uint8_t id_engine; /* RFC 6759; 0: none given */
	uint32_t id_selector;
	uint16_t index; /* SNMP index; 0: none given */
	uint32_t line;
	const char *inspect;  /* name of an inspector, or NULL */
	const char *replaces; /* file of what it took the place of, or NULL */
	const char **aliases, **ndpi, **over, **hosts;
	const struct pdl_attribute *attributes;
	const struct pdl_port *ports;
	const uint16_t *ip_protocols, *ethertypes;
	const struct pdl_rule *rules;
	const struct pdl_field *fields;
	const struct pdl_subclass *subclasses;
	const struct pdl_expect *expects;
	const struct pdl_upgrade *upgrades;
	const struct pdl_test *tests;
	struct pdl_custom custom; /* of a site's own application */
	unsigned alias_count, ndpi_count, over_count, host_count, attribute_count, port_count,
		ip_protocol_count, ethertype_count, rule_count, field_count, subclass_count,
		expect_count, upgrade_count, test_count;
};

/*
 * The module in its canonical form, appended to the text: constants and arithmetic on them
 * worked out, items in a fixed order. It parses to the same module, and prints to itself.
 */
void pdl_print(const struct pdl_protocol *protocol, struct text *text);

#endif
