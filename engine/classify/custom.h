/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLASSIFY_CUSTOM_H
#define CLASSIFY_CUSTOM_H

/*
 * Custom protocols: what modules say with endpoint, confine, value and resolved
 * (pdl/custom.h). They come before everything that a flow's bytes say:
 *
 *	endpoint  at the first packet, by addresses, ports and DSCP
 *	confine   rules that are asked on some ports only, before all inspectors
 *	resolved  a DNS answer gave the server's address: known from the first packet, and
 *	          stands in front of what the flow is then found to be
 *	value     fields of the flow: names it in place of a server name's application
 *
 * Where several fit, the more specific one wins, whatever their order: custom_build.c ranks
 * them. Immutable and shared, as the registry whose part it is.
 */

#include "flow/flow.h"
#include "match/rule.h"
#include "match/view.h"
#include <barn/fault.h>

struct registry;
struct custom;

/* The patterns that were found to hold in a flow so far, each with where it ended. */
enum { CUSTOM_FOUND = 32 };

struct custom_found {
	struct {
		uint16_t pattern, end;
	} at[CUSTOM_FOUND];
	uint8_t count;
	uint8_t requests; /* begun; what belongs to a later one does not name the flow */
};

/* BARN_ERR_TEXT: a module names a field that there is not. */
enum barn_err custom_new(const struct registry *registry, bool no_scan, struct custom **custom,
			 struct barn_faults *faults);
void custom_free(struct custom *custom); /* of NULL: nothing */

/* The sieves of all its patterns, for a scratch; returns how many. NULL sieves: only counts. */
unsigned custom_sieves(const struct custom *custom, const struct sieve **sieves);

/* All of the following take NULL for a registry without custom protocols, and return 0 then. */

/* The protocol whose end point is one of this flow's; called at its first packet. */
uint16_t custom_endpoint(const struct custom *custom, const struct flow *flow,
			 const struct packet *packet);

/* Whether a confined rule is to be asked about this flow. */
bool custom_confines(const struct custom *custom, const struct flow *flow);

/* Asks them: the registry's number of the rule that holds. LATER: more bytes may decide. */
enum match_answer custom_rule(const struct custom *custom, const struct flow *flow,
			      const struct match_view *view, struct regex_scratch *scratch,
			      uint16_t *rule);

/* The protocol that servers of this name belong to. */
uint16_t custom_resolve(const struct custom *custom, struct bytes name,
			struct rule_scratch *scratch);

/* Whether what was learned of a server is such a protocol: then it is no mere guess. */
bool custom_resolved(const struct custom *custom, uint16_t protocol);

/* A value of this field was found. */
void custom_value(const struct custom *custom, uint16_t field, struct bytes value,
		  struct rule_scratch *scratch, struct custom_found *found);

/* The best protocol by the values of the carrier's fields. */
uint16_t custom_child(const struct custom *custom, const struct custom_found *found,
		      uint16_t carrier);

#endif
