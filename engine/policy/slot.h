/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef POLICY_SLOT_H
#define POLICY_SLOT_H

/*
 * The policy in force, the workers that apply it, and what they have counted.
 *
 *	the loader    policy_carry, slot_publish ──► in force; slot_collect frees what is not
 *used a worker      looks with each packet, by one load; takes a new one up, with its counters
 *	a reader      slot_read: the sums over all workers
 *
 * Counters of classes that both policies have at the same place go on. A worker never waits:
 * if a reader has the lock, it takes the new policy up with a later packet.
 */

#include "policy/policy.h"

struct policy_slot;
struct decide; /* policy/decide.h: a worker's part */

struct policy_count {
	uint64_t packets, bytes; /* bytes as on the wire, with the link header */
};

enum barn_err slot_new(struct policy_slot **slot);
void slot_free(struct policy_slot *slot); /* its workers are gone; of NULL: nothing */

/* Takes the policy over; NULL: none from now on. On an error nothing has changed. */
enum barn_err slot_publish(struct policy_slot *slot, struct policy *policy);
/* Frees the policies that no worker uses any more; how many are left. The loader alone. */
unsigned slot_collect(struct policy_slot *slot);
/* The one in force, or NULL. Valid for the loader's thread until it publishes and collects. */
const struct policy *slot_policy(const struct policy_slot *slot);

/* Sums by counter; room for policy_counter_count of the policy in force, which is returned. */
enum barn_err slot_read(struct policy_slot *slot, const struct policy *policy,
			struct policy_count *counts);

#endif
