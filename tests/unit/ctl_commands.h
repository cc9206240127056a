/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_CTL_COMMANDS_H
#define BARN_TESTS_CTL_COMMANDS_H

/*
 * Commands for the tests of the control socket, and for its fuzzer:
 *
 *	echo WORD...    the words, a line each
 *	echo twice W... the same, twice
 *	count N         the numbers below N, a line each, in rounds
 *	flood           more than fits, at once
 *	set             for who may change something
 *	sleep           waits until it is resumed; then "awake"
 */

#include "ctl/command.h"

#include <stdlib.h>
#include <string.h>

struct commands {
	unsigned forgotten, set;
	struct reply *sleeper;
};

static enum command_after
commands_echo(void *self, struct command_call *call, struct reply *reply)
{
	(void)self;
	for (unsigned i = 0; i < call->count; i++)
		reply_printf(reply, "%s\n", call->words[i]);
	return COMMAND_DONE;
}

static enum command_after
commands_twice(void *self, struct command_call *call, struct reply *reply)
{
	commands_echo(self, call, reply);
	return commands_echo(self, call, reply);
}

static enum command_after
commands_count(void *self, struct command_call *call, struct reply *reply)
{
	unsigned long *at = call->state,
		      n = call->count ? strtoul(call->words[0], NULL, 10) : 0;

	(void)self;
	if (!at)
		call->state = at = calloc(1, sizeof(*at));
	if (!at) {
		reply_fail(reply, BARN_ERR_MEMORY, "out of memory");
		return COMMAND_DONE;
	}
	while (*at < n && reply_room(reply) > 64)
		reply_printf(reply, "%lu\n", (*at)++);
	return *at < n ? COMMAND_AGAIN : COMMAND_DONE;
}

static enum command_after
commands_flood(void *self, struct command_call *call, struct reply *reply)
{
	static const char line[1000];

	(void)self;
	(void)call;
	for (unsigned i = 0; i < 100000; i++)
		reply_add(reply, line, sizeof(line));
	return COMMAND_AGAIN;
}

static enum command_after
commands_set(void *self, struct command_call *call, struct reply *reply)
{
	(void)call;
	(void)reply;
	((struct commands *)self)->set++;
	return COMMAND_DONE;
}

static enum command_after
commands_sleep(void *self, struct command_call *call, struct reply *reply)
{
	struct commands *c = self;

	if (call->round == 0) {
		call->state = malloc(1);
		c->sleeper = reply;
		return COMMAND_WAIT;
	}
	reply_printf(reply, "awake\n");
	return COMMAND_DONE;
}

static void
commands_forget(void *self, void *state)
{
	((struct commands *)self)->forgotten++;
	free(state);
}

static const struct command commands_table[] = {
	{ .name = "count", .run = commands_count, .forget = commands_forget },
	{ .name = "echo", .run = commands_echo },
	{ .name = "echo twice", .run = commands_twice },
	{ .name = "flood", .run = commands_flood },
	{ .name = "set", .changes = true, .run = commands_set },
	{ .name = "sleep", .run = commands_sleep, .forget = commands_forget },
};

enum { COMMANDS = sizeof(commands_table) / sizeof(commands_table[0]) };

#endif
