/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_SNMP_AGENT_H
#define BARN_SNMP_AGENT_H

/*
 * The only part that knows net-snmp: an AgentX subagent that serves modules from a view. One a
 * process, since net-snmp keeps its state in globals; one thread.
 *
 * All instances of one request come in one call, and the view is refreshed before it, so what
 * a manager asks for at once is of one moment.
 */

#include "snmp/set.h"
#include "snmp/table.h"
#include "snmp/view.h"

struct agent_options {
	const char
		*socket;  /* of the master agent: a path, or tcp:HOST:PORT; NULL: net-snmp's */
	unsigned again_s; /* how long after the master is gone or not there it is looked for */
	bool foreground;  /* logs to standard error, else to syslog */
	const struct mib *const *mibs; /* ends in NULL */
	const struct set_machine *machine;
	void (*tick)(void *self); /* each second */
	void *self;
};

/* Serves until *stop. False: net-snmp does not start. */
bool agent_run(const struct agent_options *options, struct view *view,
	       const volatile bool *stop);

/* An object of a notification. */
struct agent_object {
	const struct table *table;
	uint32_t sub, index;
	struct value value;
};

/* Sends notification `sub` of a mib, by the master, to whom that is configured to. */
void agent_notify(const struct mib *mib, uint32_t sub, const struct agent_object *objects,
		  unsigned count);

/* A line in the log. */
void agent_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
