/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DAEMON_PUBLISH_POLICIES_H
#define DAEMON_PUBLISH_POLICIES_H

/*
 * The policies in force, with what they have counted, as records of the segment: a record for
 * each place, and below it a tree of objects, each behind its parent. Identifiers are made of
 * names (interface, direction, map, class, statement), so they stay over reloads and restarts.
 */

#include "base/text.h"
#include "discovery/segment.h"
#include "policy/slot.h"

struct publish_policies;

enum barn_err publish_policies_new(struct policy_slot *slot, struct segment *segment,
				   struct publish_policies **policies);
void publish_policies_free(struct publish_policies *policies); /* of NULL: nothing */

/* `time_ns`: of any clock that only goes forward, for rates. */
void publish_policies_now(struct publish_policies *policies, uint64_t time_ns);

/* What is asked for; all zero: everything. */
struct publish_policies_place {
	const char *interface;
	bool directed, output;
};

/* As show policy-map interface, of the last publication. False: there is nothing there. */
bool publish_policies_report(const struct publish_policies *policies,
			     const struct publish_policies_place *at, struct text *text);

#endif
