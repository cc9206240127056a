/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef POLICY_TALLY_H
#define POLICY_TALLY_H

/*
 * Bit rates of a policy's counters over a load interval, as discovery has them for protocols:
 * an exponentially weighted average, brought up to date every TALLY_STEP_S seconds of packet
 * time. For one thread.
 */

#include "policy/slot.h"

struct tally;

enum { TALLY_STEP_S = 5, TALLY_INTERVAL_S = 300 };

/* Of a policy's counters, over TALLY_INTERVAL_S each until tally_interval says otherwise. */
enum barn_err tally_new(const struct policy *policy, struct tally **tally);
void tally_free(struct tally *tally); /* of NULL: nothing */

/* All counters of the policy's place of this number. */
void tally_interval(struct tally *tally, unsigned place, uint32_t interval_s);

/* The counters as of time_ns; the first call only sets the clock. */
void tally_update(struct tally *tally, const struct policy_count *counts, uint64_t time_ns);
uint64_t tally_bps(const struct tally *tally, uint32_t counter);

#endif
