/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLASSIFY_REGISTRY_IMPL_H
#define CLASSIFY_REGISTRY_IMPL_H

/* The registry's inside, shared by registry.c (look-ups) and registry_build.c. */

#include "base/arena.h"
#include "classify/registry.h"

enum {
	REGISTRY_PORTS = 65536,
	REGISTRY_NDPI_INDEX = 512, /* SNMP index of an nDPI protocol: this plus its number */
	REGISTRY_NDPI_ENGINE = 22, /* RFC 6759's registry: ntop's nDPI */
	REGISTRY_IP_ENGINE = 1,    /* RFC 6759: IANA-L3, IP protocol numbers */
};

enum { PORTS_TCP, PORTS_UDP, PORTS_SCTP, PORTS__COUNT };
enum { RULES_TCP, RULES_UDP, RULES__COUNT };

struct registry_name {
	const char *name;
	uint16_t number;
};

struct registry_ethertype {
	uint16_t ethertype, number;
};

struct registry {
	_Atomic uint32_t refs;
	struct arena *arena;     /* all that follows but rules and hosts */
	struct pdl_set *modules; /* owned from registry_own on, as is foreign */
	struct foreign *foreign;
	const struct catalog *catalog;
	struct protocol *protocols; /* by number, as all arrays that are not sorted */
	uint16_t protocol_count;
	uint16_t *modular; /* those with a module, in its set's order */
	unsigned modular_count;
	uint16_t unindexed;
	struct registry_name *names; /* and aliases, sorted */
	unsigned name_count;
	struct field *fields;
	uint16_t field_count;
	struct registry_rule *rules;
	unsigned rule_count;
	struct rule_set *rule_sets[RULES__COUNT];
	struct gate *gates[RULES__COUNT];
	uint16_t ip_protocols[256];
	struct registry_ethertype *ethertypes;
	unsigned ethertype_count;
	uint16_t *ports[PORTS__COUNT];
	uint16_t *ndpi;
	uint16_t ndpi_count;
	struct suffix_table *hosts;
	struct custom *custom; /* NULL: none */
	uint16_t **carriers;   /* by protocol: those it may run over, ended by 0; NULL: any */
};

/* registry_index.c: gives indexes to the protocols of the arrays that have none. */
enum barn_err registry_index(struct registry *registry, struct indexes *indexes);

/* Number of the name among the first count entries, which are sorted; 0: none. */
uint16_t registry_name_number(const struct registry_name *names, unsigned count,
			      const char *name);

#endif
