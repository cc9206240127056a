/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CTL_COMMAND_H
#define CTL_COMMAND_H

/*
 * What a server can be told: a table of names and handlers. A handler must not block. What
 * takes longer, or writes more than fits, is done in rounds: the handler returns COMMAND_AGAIN
 * and is called again when there is room, or COMMAND_WAIT and is called again after
 * server_resume. So an answer of any length needs memory for a part of it only, and a client
 * that reads slowly delays nobody but itself.
 */

#include "ctl/reply.h"

#include <stdbool.h>
#include <sys/types.h>

enum command_after {
	COMMAND_DONE,
	COMMAND_AGAIN,
	COMMAND_WAIT,
};

struct command_call {
	const char *const *words; /* those behind the command's name, and NULL */
	unsigned count;
	bool may_change; /* the client may do more than look */
	uid_t uid;
	unsigned round; /* 0 at first */
	void *state;    /* the handler's, over its rounds; NULL at first */
};

struct command {
	const char *name; /* words with one blank between: "show policy-map" */
	const char *help; /* a line */
	bool changes;     /* only for who may change something */
	enum command_after (*run)(void *self, struct command_call *call, struct reply *reply);
	/* The command is over, done or given up by the client; frees what `state` (not NULL)
	 * holds. NULL: nothing is to be freed. */
	void (*forget)(void *self, void *state);
};

/*
 * The command of the most words that the words begin with; *taken is how many those are. NULL:
 * none.
 */
const struct command *command_find(const struct command *commands, unsigned count,
				   const char *const *words, unsigned word_count,
				   unsigned *taken);

#endif
