/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DAEMON_SERVE_H
#define DAEMON_SERVE_H

/* What the control socket can be told (commands.c), and whom its commands work on. */

#include "ctl/command.h"
#include "daemon/child.h"
#include "daemon/publish.h"
#include "daemon/rules.h"
#include "daemon/saver.h"

struct server;

struct serve {
	const struct child_options *options;
	struct lane **lanes;
	unsigned lane_count;
	struct publish *publish;
	struct rules rules;
	struct saver *saver;
	struct server *server;
	struct reply *reloading; /* waits for the parent's word; NULL: none */
	bool told;               /* it came: `tale`, "" if all went well */
	char tale[512];
};

extern const struct command commands[];
extern const unsigned commands_count;

/* show_flows.c */
enum command_after show_flows(void *self, struct command_call *call, struct reply *reply);
void show_flows_forget(void *self, void *state);

/* show_policies.c */
enum command_after serve_class_map(void *self, struct command_call *call, struct reply *reply);
enum command_after serve_policy_map(void *self, struct command_call *call, struct reply *reply);
void show_policies_forget(void *self, void *state);

#endif
