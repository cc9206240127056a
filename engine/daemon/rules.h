/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DAEMON_RULES_H
#define DAEMON_RULES_H

/*
 * The policies in force: those that the configuration attaches to the interfaces, compiled for
 * the modules in force, and compiled anew when either changes. The serving thread's; workers
 * look at the slot.
 */

#include "conf/conf.h"
#include "daemon/ways.h"
#include "policy/slot.h"
#include "worker/engine.h"

enum { RULES_OLD = 16 };

struct rules {
	struct policy_slot *slot;
	const struct ways *ways;
	struct conf *conf;           /* whose policies are in force */
	struct conf *old[RULES_OLD]; /* that a worker may still look at */
	unsigned old_count;
	bool borrowed; /* the first configuration is the caller's to free */
};

enum barn_err rules_init(struct rules *rules, const struct ways *ways);
void rules_fini(struct rules *rules); /* when no worker runs any more */

/*
 * In force from now on; a conf other than the one before is taken over if all goes well.
 * BARN_ERR_TEXT: the faults say why, and nothing has changed.
 */
enum barn_err rules_apply(struct rules *rules, struct conf *conf, struct barn_engine *engine,
			  struct barn_faults *faults);
/* Frees what nobody looks at any more. */
void rules_collect(struct rules *rules);

/* Whether the policies of a configuration can be compiled: all of them, whatever interfaces
 * there are. */
enum barn_err rules_check(struct conf *conf, struct barn_engine *engine,
			  struct barn_faults *faults);

#endif
