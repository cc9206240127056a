/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLASSIFY_REGISTRY_H
#define CLASSIFY_REGISTRY_H

/*
 * Every protocol that barn can name, and every way from a fact to a name: built once from the
 * modules, the inspectors and nDPI's list of names; immutable and shared by all workers.
 *
 * A protocol's number is its place in the registry, from 1; 0 is unknown. Numbers hold for one
 * registry only; ids (RFC 6759) and indexes (SNMP) are the ones that outlive it.
 */

#include "classify/custom.h"
#include "flow/flow.h"
#include "inspect/inspector.h"
#include "match/rule.h"
#include "match/suffix.h"
#include "pdl/pdl.h"

/* How a verdict came about, from none to the strongest; classify takes the strongest it has. */
enum evidence {
	EVIDENCE_NONE,
	EVIDENCE_PORT,    /* the port map */
	EVIDENCE_LEARNED, /* a DNS answer or an earlier flow named the server */
	EVIDENCE_RULE,    /* a module's rule, or a match on IP protocol or ethertype */
	EVIDENCE_NDPI,
	EVIDENCE_INSPECTOR,
	EVIDENCE_EXPECTED, /* a control connection announced the flow */
	EVIDENCE__COUNT
};

const char *evidence_name(enum evidence evidence); /* "none", "port", ..., "expected" */

/* Only guessed, not proven by the flow's own bytes: port and learned. */
static inline bool
evidence_is_guess(enum evidence evidence)
{
	return evidence == EVIDENCE_PORT || evidence == EVIDENCE_LEARNED;
}

struct protocol {
	const char *name;
	const char *title;
	uint16_t number;
	uint16_t index;    /* SNMP; modules' own, else 512 + nDPI's number, else 0 */
	uint8_t id_engine; /* RFC 6759 */
	uint32_t id_selector;
	const struct pdl_protocol
		*module; /* NULL: nDPI's, or an IP protocol without a module */
	const struct inspector *inspector; /* NULL: none bound */
	uint16_t first_field;              /* its fields are first_field .. + field_count - 1 */
	uint16_t field_count;
};

struct field {
	const char *name; /* "http.host" */
	uint16_t protocol;
	bool server_name;                /* children are looked up by it */
	bool bulk;                       /* told, but not kept in notes */
	const struct pdl_source *source; /* NULL: the inspector yields it */
};

/* A rule's number is its place here, from 1. */
struct registry_rule {
	uint16_t protocol;
	const struct pdl_rule *rule;
};

struct registry;

struct registry_options {
	const struct pdl_set *modules; /* finished; must outlive the registry */
	/* nDPI's names by number, NULL at unused numbers; NULL: without nDPI. */
	const char *(*ndpi_name)(void *self, uint16_t number);
	uint16_t ndpi_count;
	void *self;
	bool no_hyperscan; /* match rules without it, to compare */
};

enum barn_err registry_new(const struct registry_options *options, struct registry **registry,
			   struct barn_faults *faults);
void registry_free(struct registry *registry);

uint16_t registry_count(const struct registry *registry); /* protocols, number 0 included */
const struct protocol *registry_protocol(const struct registry *registry, uint16_t number);
uint16_t registry_find(const struct registry *registry,
		       const char *name); /* or alias; 0: none */

uint16_t registry_field_count(const struct registry *registry);
const struct field *registry_field(const struct registry *registry, uint16_t field);
/* "http.host" to its number; UINT16_MAX if there is none. */
uint16_t registry_field_find(const struct registry *registry, const char *name);

const struct registry_rule *registry_rule(const struct registry *registry, uint16_t rule);
const struct rule_set *registry_rules(const struct registry *registry,
				      enum pdl_transport transport);

/* Custom protocols; NULL: none. */
const struct custom *registry_custom(const struct registry *registry);
/* A thread's memory for matching this registry's rules. */
enum barn_err registry_scratch_new(const struct registry *registry,
				   struct rule_scratch **scratch);

/* The protocols with a bound inspector of this transport. */
const uint16_t *registry_inspected(const struct registry *registry, uint8_t transport,
				   unsigned *count);

uint16_t registry_ip_protocol(const struct registry *registry, uint8_t ip_proto);
uint16_t registry_ethertype(const struct registry *registry, uint16_t ethertype);
uint16_t registry_port(const struct registry *registry, uint8_t ip_proto, uint16_t port);
uint16_t registry_ndpi(const struct registry *registry, uint16_t ndpi);

/* The application that this server name belongs to, if it may run over `carrier`; else 0. */
uint16_t registry_host(const struct registry *registry, struct bytes name, uint16_t carrier);

#endif
