/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef POLICY_QUEUE_H
#define POLICY_QUEUE_H

/*
 * Queues of an output policy (bandwidth, priority, shape), which are the kernel's: barn marks a
 * packet with the number of its class, and HTB has a class and a filter for each number.
 *
 * A node has an HTB class of its own (node->queue, from 2; 1 is the interface) if it has a
 * queue or a child that has one, and class-default always; the others share class-default's.
 * Only leaves get packets: node->queue_mark is the number of the leaf, in the upper twelve bits
 * of the packet's mark, which so belong to barn where a policy queues. The numbers follow from
 * the policy alone: the daemon's are those of `barn conf tc`.
 */

#include "base/text.h"
#include "policy/policy.h"

enum { QUEUE_SHIFT = 20, QUEUE_MOST = 0xfff };
#define QUEUE_MASK UINT32_C(0xfff00000)

/* Of a place's stage, once, when it is compiled. False: more than QUEUE_MOST. */
bool queue_number(const struct policy_stage *stage);

bool queue_asks(const struct policy_stage *stage); /* there is a queue in it, or below */

/*
 * The commands of tc(8) that make an interface's queues, one a line, with comments that tell
 * each class's mark; nothing, if its output policy has none. BARN_ERR_TEXT: the faults say what
 * the classes cannot be given.
 */
enum barn_err queue_commands(const struct policy_place_at *place, uint64_t speed_bps,
			     struct text *commands, struct barn_faults *faults);

#endif
