/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLASSIFY_CUSTOM_IMPL_H
#define CLASSIFY_CUSTOM_IMPL_H

/* The inside of custom protocols: custom_build.c makes it, custom.c and custom_value.c ask. */

#include "base/arena.h"
#include "classify/custom.h"
#include "classify/registry.h"
#include "match/pattern_set.h"

enum custom_kind {
	CUSTOM_PLAIN,
	CUSTOM_URL,     /* with and without its first slash */
	CUSTOM_REQUEST, /* the first field of a request: a method */
};

enum { CUSTOM_PORT_WORDS = 65536 / 64 };

/* An end point, with one of its prefixes. Sorted: the first that fits is the best. */
struct custom_end {
	const struct pdl_endpoint *endpoint;
	const struct pdl_prefix *prefix; /* NULL: any address */
	const char *name;                /* of the protocol */
	uint32_t span;                   /* how many ports; 65536: any */
	uint16_t protocol;
};

/* A confined rule. Sorted likewise. */
struct custom_confined {
	const struct pdl_confine *confine;
	const struct pdl_rule *rule;
	const char *name;
	uint32_t span;
	uint16_t number; /* the registry's */
};

struct custom_pattern {
	const struct pdl_pattern *pattern;
	uint16_t field;
	uint16_t literals; /* characters that it fixes */
	unsigned first;    /* rules that begin with it: rules[first] .. */
	unsigned count;
};

/* Patterns that must all hold. Sorted by the first of them. */
struct custom_rule {
	const char *name;
	const uint16_t *patterns;
	unsigned count, weight, literals;
	uint16_t protocol;
};

struct custom_name {
	const char *name;
	uint16_t protocol, literals;
};

struct custom {
	const struct registry *registry;
	struct arena *arena;
	struct custom_end *ends;
	struct custom_confined *confined;
	struct custom_pattern *patterns; /* [0] is not used */
	struct custom_rule *rules;
	struct custom_name *names; /* [0] is not used */
	unsigned end_count, confined_count, pattern_count, rule_count, name_count;
	uint64_t *confined_ports[2]; /* TCP, UDP: a bit a port that some rule is confined to */
	struct pattern_set **fields; /* by the registry's number; NULL: nobody asks */
	uint8_t *kinds;              /* likewise: enum custom_kind */
	unsigned field_count;
	struct pattern_set *resolved;
	bool *resolves; /* by protocol */
};

#endif
