/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLASSIFY_REGISTRY_H
#define CLASSIFY_REGISTRY_H

/*
 * Every protocol that barn can name, and every way from a fact to a name: built once from the
 * modules, the inspectors and nDPI's list of names; immutable, counted, and shared by all
 * workers. One registry is one generation: a load makes the next one, and the old one goes with
 * all that its modules hold when nobody holds it any more (current.h).
 *
 * Numbers of protocols (0 is unknown), fields and rules are the catalog's and hold over all
 * generations. A protocol that was loaded once and is not any more has its number here, with
 * its name, title, index and id, and nothing that leads to it.
 */

#include "classify/catalog.h"
#include "classify/custom.h"
#include "classify/gate.h"
#include "classify/indexes.h"
#include "flow/flow.h"
#include "inspect/foreign.h"
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
	const uint16_t *fields;            /* numbers: the inspector's, then the module's */
	uint16_t field_count;
	bool inspected; /* it has, or had, an inspector */
	bool loaded;    /* or known to nDPI; else it was, in an earlier generation */
};

struct field {
	const char *name; /* "http.host" */
	uint16_t protocol;
	bool server_name;                /* children are looked up by it */
	bool bulk;                       /* told, but not kept in notes */
	const struct pdl_source *source; /* NULL: the inspector yields it */
};

struct registry_rule {
	uint16_t protocol;
	const struct pdl_rule *rule;
};

struct registry;

struct registry_options {
	struct catalog *catalog;       /* must outlive the registry */
	const struct pdl_set *modules; /* finished */
	const struct foreign *foreign; /* inspectors beside barn's own; NULL: none */
	const struct registry *before; /* the generation that this one follows, or NULL */
	struct indexes *indexes;       /* those of protocols that name none; grows */
	/* nDPI's names by number, NULL at unused numbers; NULL: without nDPI. */
	const char *(*ndpi_name)(void *self, uint16_t number);
	uint16_t ndpi_count;
	void *self;
	bool no_hyperscan; /* match rules without it, to compare */
};

/*
 * One reference, the caller's. Names are interned and not committed. BARN_ERR_TEXT: the faults
 * say why.
 */
enum barn_err registry_new(const struct registry_options *options, struct registry **registry,
			   struct barn_faults *faults);

/* From now on these are freed with the registry. */
void registry_own(struct registry *registry, struct pdl_set *modules, struct foreign *foreign);

/* References; any thread. Who has made the registry frees it, when nobody holds it. */
struct registry *registry_hold(struct registry *registry);
void registry_drop(struct registry *registry);
bool registry_is_held(const struct registry *registry);
void registry_free(struct registry *registry); /* of NULL: nothing */

const struct pdl_set *registry_modules(const struct registry *registry);
/* Protocols without an SNMP index because none was free. */
uint16_t registry_unindexed(const struct registry *registry);

uint16_t registry_count(const struct registry *registry); /* protocols, number 0 included */
const struct protocol *registry_protocol(const struct registry *registry, uint16_t number);
/* By name or alias, of those that are loaded; 0: none. */
uint16_t registry_find(const struct registry *registry, const char *name);
/* Also of those that are not loaded any more. */
uint16_t registry_recall(const struct registry *registry, const char *name);

/* Of the arrays by number: loaded ones, and others between them. */
uint16_t registry_field_count(const struct registry *registry);
uint16_t registry_rule_count(const struct registry *registry);

/* NULL: it is not loaded. */
const struct field *registry_field(const struct registry *registry, uint16_t field);
/* "http.host" of a field and "ftp: rule banner" of a rule, loaded or not. */
const char *registry_field_name(const struct registry *registry, uint16_t field);
const char *registry_rule_name(const struct registry *registry, uint16_t rule);
/* "http.host" to its number; UINT16_MAX if there is none. */
uint16_t registry_field_find(const struct registry *registry, const char *name);

/* NULL: it is not loaded. */
const struct registry_rule *registry_rule(const struct registry *registry, uint16_t rule);
const struct rule_set *registry_rules(const struct registry *registry,
				      enum pdl_transport transport);

/* Custom protocols; NULL: none. */
const struct custom *registry_custom(const struct registry *registry);
/* A thread's memory for matching this registry's rules. */
enum barn_err registry_scratch_new(const struct registry *registry,
				   struct rule_scratch **scratch);

/* The inspectors of this transport, by what they may be asked about. */
const struct gate *registry_gate(const struct registry *registry, uint8_t transport);

uint16_t registry_ip_protocol(const struct registry *registry, uint8_t ip_proto);
uint16_t registry_ethertype(const struct registry *registry, uint16_t ethertype);
uint16_t registry_port(const struct registry *registry, uint8_t ip_proto, uint16_t port);
uint16_t registry_ndpi(const struct registry *registry, uint16_t ndpi);
/*
 * A protocol that is its carrier on a port of its own (a module with `over` and `port`, without
 * `host`): the one of this carrier and port, and the first carrier of such a protocol; else 0.
 */
uint16_t registry_port_child(const struct registry *registry, uint16_t carrier,
			     uint8_t ip_proto, uint16_t port);
uint16_t registry_port_carrier(const struct registry *registry, uint16_t protocol);

/* The application that this server name belongs to, if it may run over `carrier`; else 0. */
uint16_t registry_host(const struct registry *registry, struct bytes name, uint16_t carrier);

#endif
