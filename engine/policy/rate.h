/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef POLICY_RATE_H
#define POLICY_RATE_H

/*
 * Rates of a policy's counters, as discovery has them: an average that forgets, over the
 * interface's load interval (five minutes, if it has none). A reader's own, one thread; another
 * policy has rates of its own.
 */

#include "policy/slot.h"

struct rate;

enum { RATE_INTERVAL_S = 300 };

/* For so many counters (policy_counter_count). */
enum barn_err rate_new(uint32_t counters, uint32_t interval_s, struct rate **rate);
void rate_free(struct rate *rate); /* of NULL: nothing */

/* What slot_read has read now. The first call begins; time that does not go on is left out. */
void rate_update(struct rate *rate, const struct policy_count *counts, uint64_t time_ns);

double rate_bps(const struct rate *rate, uint32_t counter); /* bit/s */
double rate_pps(const struct rate *rate, uint32_t counter); /* packets/s */

#endif
