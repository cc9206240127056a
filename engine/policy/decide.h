/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef POLICY_DECIDE_H
#define POLICY_DECIDE_H

/*
 * One worker's decisions. Belongs to one thread; nothing here is shared but the policy and
 * its policers.
 *
 * What a class asks is taken apart into tests, each of which stands once in the policy:
 * of the protocol, of the five-tuple, and of the packet. Those of the first two kinds that
 * hold for a flow are its *profile*, a number that is kept in flow->policy: it is computed anew
 * when the flow's verdict changes, a value fits, or the policy is another. Those of the packet
 * are looked up, one table a field (DSCP, tag, length, ...), and give a second number. Both
 * together are the key of a table of decisions: the way to a class, at one look-up, whatever
 * the number of classes. Only what is not in it yet is evaluated class by class.
 *
 * flow->policy is the worker's own epoch (upper half) and the profile (lower half, from 1).
 */

#include "policy/slot.h"

struct decide_work {
	uint64_t profiles;  /* computed: one look at every statement about protocols */
	uint64_t decisions; /* evaluated class by class */
	uint64_t classes;   /* looked at for that */
	uint64_t resets;    /* of the tables, because they were full */
};

struct decide_ask {
	uint16_t iface; /* whose policy is asked */
	bool output;    /* its output policy, else its input policy */
	bool last;      /* the packet cannot be held any longer */
	bool redo;      /* it was held, and is asked about again */
};

enum barn_err decide_new(struct policy_slot *slot, struct decide **decide);
void decide_free(struct decide *decide); /* of NULL: nothing; its counts stay in the slot */

/* Between packets: the policy in force is taken up. */
void decide_refresh(struct decide *decide);
/* A value of a field was found in the flow. */
void decide_value(struct decide *decide, struct flow *flow, uint16_t field, struct bytes value);
/*
 * After classify has seen the packet. `from`: FLOW_A or FLOW_B. A held packet is not counted:
 * it is asked about again, after more packets of its flow or with `last`.
 */
void decide_packet(struct decide *decide, struct flow *flow, unsigned from,
		   const struct packet *packet, const struct decide_ask *ask,
		   struct policy_verdict *verdict);

/* What there is to do where no policy is: forward. */
void decide_nothing(struct policy_verdict *verdict);

const struct decide_work *decide_work(const struct decide *decide);

#endif
