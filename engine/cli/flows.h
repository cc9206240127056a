/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_FLOWS_H
#define CLI_FLOWS_H

/*
 * The list of flows on standard output. Flows come as they end, from any thread; they are
 * printed in the order of their first packets as far as a bounded buffer reaches: all of them
 * where there are at most FLOWS_BUFFERED.
 */

#include <barn/barn.h>

enum flows_format { FLOWS_TEXT, FLOWS_JSON, FLOWS_CSV };
enum { FLOWS_BUFFERED = 65536 };

struct flows;

enum barn_err flows_new(enum flows_format format, struct flows **flows);
void flows_add(struct flows *flows, const struct barn_flow *flow,
	       const struct barn_flow_info *info);
/* Prints what is left. BARN_ERR_MEMORY: flows are missing. */
enum barn_err flows_close(struct flows *flows);
/* Prints nothing more, not even the head. */
void flows_drop(struct flows *flows);

#endif
