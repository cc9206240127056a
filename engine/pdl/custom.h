/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PDL_CUSTOM_H
#define PDL_CUSTOM_H

/*
 * What a module says of a site's own application: not by what the protocol looks like, but by
 * who talks to whom and by values of other protocols' fields. Such a module comes before all
 * others; pdlm(5), CUSTOM PROTOCOLS. conf/ translates `ip nbar custom` into these.
 */

#include "match/regex.h"

enum { PDL_DSCP_ANY = 255 };

/* A field of another protocol, "http.url", and what its value must be like. */
struct pdl_pattern {
	const char *field;
	const char *glob;          /* NULL: it is an expression */
	const struct regex *regex; /* not NULL then */
};

/* One way to be of this protocol: all of its patterns hold, for fields of one protocol. */
struct pdl_value {
	const struct pdl_pattern *patterns;
	unsigned count;
};

struct pdl_prefix {
	uint8_t ip_version; /* 4 or 6 */
	uint8_t bits;
	uint8_t address[16]; /* zero behind the bits */
};

struct pdl_ports {
	uint16_t low, high;
};

/* One way to be of this protocol: an end of the flow, seen at its first packet. */
struct pdl_endpoint {
	uint8_t transports; /* enum pdl_transport, or'd */
	uint8_t side;       /* enum pdl_side: which end */
	uint8_t dscp;       /* of the flow's first packet, or PDL_DSCP_ANY */
	const struct pdl_prefix *prefixes;
	const struct pdl_ports *ports;
	unsigned prefix_count, port_count; /* 0: any */
};

/* The rule is asked only where that end has one of the ports, and then before all others. */
struct pdl_confine {
	const char *rule;
	uint8_t side;
	const struct pdl_ports *ports;
	unsigned port_count;
};

struct pdl_custom {
	const char *extends; /* the protocol that this one is a kind of, or NULL */
	const struct pdl_pattern *resolved; /* names of servers, by DNS answers; no field */
	const struct pdl_value *values;
	const struct pdl_endpoint *endpoints;
	const struct pdl_confine *confines;
	unsigned resolved_count, value_count, endpoint_count, confine_count;
};

#endif
