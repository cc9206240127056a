/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/report.h"
#include "daemon/publish_policies.h"
#include "daemon/serve.h"

#include <stdlib.h>
#include <string.h>

/*
 * show policy-map [NAME], show policy-map interface [NAME [input|output]], show class-map
 * [NAME]: of the configuration in force.
 */

/* What is left to be told; the call's state. */
struct rest {
	struct text text;
	size_t told;
};

static enum command_after
tell(struct command_call *call, struct reply *reply, struct text *text)
{
	struct rest *rest = call->state;
	size_t n, room = reply_room(reply);

	if (!rest) {
		rest = calloc(1, sizeof(*rest));
		if (!rest || text->failed) {
			text_fini(text);
			free(rest);
			reply_fail(reply, BARN_ERR_MEMORY, "out of memory");
			return COMMAND_DONE;
		}
		rest->text = *text;
		call->state = rest;
	}
	n = rest->text.len - rest->told;
	if (n > room)
		n = room;
	reply_add(reply, text_str(&rest->text) + rest->told, n);
	rest->told += n;
	return rest->told < rest->text.len ? COMMAND_AGAIN : COMMAND_DONE;
}

void
show_policies_forget(void *self, void *state)
{
	struct rest *rest = state;

	(void)self;
	text_fini(&rest->text);
	free(rest);
}

static bool
read_place(const struct command_call *call, struct publish_policies_place *at,
	   struct reply *reply)
{
	if (call->count > 1)
		at->interface = call->words[1];
	if (call->count > 2) {
		at->directed = true;
		at->output = strcmp(call->words[2], "output") == 0;
		if (!at->output && strcmp(call->words[2], "input") != 0) {
			reply_fail(reply, BARN_ERR_ARGUMENT, "'%s': expected input or output",
				   call->words[2]);
			return false;
		}
	}
	return true;
}

static enum command_after
show_interface(struct serve *s, struct command_call *call, struct reply *reply)
{
	struct publish_policies_place at = { 0 };
	struct text text = { 0 };

	if (!read_place(call, &at, reply))
		return COMMAND_DONE;
	if (!publish_policies_report(publish_policies(s->publish), &at, &text) &&
	    at.interface) {
		text_fini(&text);
		reply_fail(reply, BARN_ERR_MISSING, "no policy is applied to '%s'%s%s",
			   at.interface, at.directed ? " as " : "",
			   !at.directed ? ""
			   : at.output  ? "output"
					: "input");
		return COMMAND_DONE;
	}
	return tell(call, reply, &text);
}

enum command_after
serve_policy_map(void *self, struct command_call *call, struct reply *reply)
{
	const char *name = call->count ? call->words[0] : NULL;
	struct serve *s = self;
	const struct policy_model *model = conf_model(s->rules.conf);
	struct policy_map *const *maps = model->maps.items;
	struct text text = { 0 };
	bool found = !name;

	if (call->round)
		return tell(call, reply, &text);
	if (name && strcmp(name, "interface") == 0)
		return show_interface(s, call, reply);
	for (unsigned i = 0; i < model->maps.count; i++)
		if (!name || strcmp(maps[i]->name, name) == 0) {
			report_map(&text, maps[i]);
			found = true;
		}
	if (found)
		return tell(call, reply, &text);
	text_fini(&text);
	reply_fail(reply, BARN_ERR_MISSING, "no such policy map: %s", name);
	return COMMAND_DONE;
}

enum command_after
serve_class_map(void *self, struct command_call *call, struct reply *reply)
{
	const char *name = call->count ? call->words[0] : NULL;
	const struct policy_model *model = conf_model(((struct serve *)self)->rules.conf);
	struct policy_class *const *classes = model->classes.items;
	struct text text = { 0 };
	bool found = !name;

	if (call->round)
		return tell(call, reply, &text);
	for (unsigned i = 0; i < model->classes.count; i++)
		if (!name || strcmp(classes[i]->name, name) == 0) {
			report_class(&text, classes[i], i + 1);
			found = true;
		}
	if (found)
		return tell(call, reply, &text);
	text_fini(&text);
	reply_fail(reply, BARN_ERR_MISSING, "no such class map: %s", name);
	return COMMAND_DONE;
}
